/* PGM, plain (P2) and raw (P5), read strictly: http://netpbm.sourceforge.net/doc/pgm.html */
#include "core/memory.h"
#include "mesh/io/image.h"

#include <stdbool.h>

typedef struct Reader {
  const char *name;
  const uint8_t *at, *end;
  const uint8_t *start;
} Reader;

static bool is_space(uint8_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* White space, and comments from '#' to the end of the line. */
static void skip_space(Reader *r) {
  while (r->at < r->end && (is_space(*r->at) || *r->at == '#')) {
    if (*r->at == '#')
      while (r->at < r->end && *r->at != '\n' && *r->at != '\r') ++r->at;
    else ++r->at;
  }
}

/* A decimal number with white space before it and behind it (or the end of the file behind it). */
static Status read_number(Reader *r, const char *what, int64_t most, int64_t *out) {
  const uint8_t *before = r->at;
  skip_space(r);
  const long long offset = r->at - r->start;
  CHECK(r->at < r->end, ERR_MESH, "%s: ends where %s is expected (byte %lld): the image is truncated", r->name, what,
        offset);
  CHECK(r->at > before && *r->at >= '0' && *r->at <= '9', ERR_MESH,
        "%s: byte %lld: %s is expected, a number; this is byte 0x%02x", r->name, offset, what, *r->at);
  *out = 0;
  for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; ++r->at) {
    *out = 10 * *out + (*r->at - '0');
    CHECK(*out <= most, ERR_MESH, "%s: byte %lld: %s is larger than %lld", r->name, offset, what, (long long)most);
  }
  CHECK(r->at == r->end || is_space(*r->at) || *r->at == '#', ERR_MESH,
        "%s: byte %lld: %s ends in byte 0x%02x, which is not a digit", r->name, (long long)(r->at - r->start), what,
        *r->at);
  return OK;
}

static Status read_plain(Reader *r, int64_t maximum, Image *out) {
  const int64_t n = (int64_t)out->width * out->height;
  for (int64_t i = 0; i < n; ++i) {
    int64_t value;
    TRY(read_number(r, "a pixel", maximum, &value));
    out->value[i] = (double)value / (double)maximum;
  }
  skip_space(r);
  CHECK(r->at == r->end, ERR_MESH, "%s: byte %lld: unexpected data after the last of %d x %d pixels", r->name,
        (long long)(r->at - r->start), out->width, out->height);
  return OK;
}

static Status read_raw(Reader *r, int64_t maximum, Image *out) {
  const int64_t n = (int64_t)out->width * out->height, size = maximum > 255 ? 2 : 1;
  for (int64_t i = 0; i < n; ++i, r->at += size) {
    const int64_t value = size == 1 ? r->at[0] : r->at[0] << 8 | r->at[1];
    CHECK(value <= maximum, ERR_MESH, "%s: byte %lld: a pixel is %lld, larger than the maximum %lld", r->name,
          (long long)(r->at - r->start), (long long)value, (long long)maximum);
    out->value[i] = (double)value / (double)maximum;
  }
  return OK;
}

/* Before space is taken: a raw image has exactly this many bytes left, a plain one at least two per pixel but the
 * last. */
static Status check_length(const Reader *r, bool raw, int64_t width, int64_t height, int64_t maximum) {
  const double left = (double)(r->end - r->at), pixels = (double)width * (double)height;
  const double needed = raw ? pixels * (maximum > 255 ? 2 : 1) : 2 * pixels - 1;
  CHECK(left >= needed, ERR_MESH, "%s: %lld x %lld pixels need %s%.0f bytes, %.0f are left: the image is truncated",
        r->name, (long long)width, (long long)height, raw ? "" : "at least ", needed, left);
  CHECK(!raw || left == needed, ERR_MESH, "%s: has %.0f bytes after the last of %lld x %lld pixels", r->name,
        left - needed, (long long)width, (long long)height);
  return OK;
}

Status image_read_pgm(const char *name, const uint8_t *bytes, size_t n, Image *out) {
  Reader r = {.name = name, .at = bytes + 2, .end = bytes + n, .start = bytes};
  const bool raw = bytes[1] == '5';
  int64_t width, height, maximum;
  TRY(read_number(&r, "the width", INT32_MAX, &width));
  TRY(read_number(&r, "the height", INT32_MAX, &height));
  TRY(read_number(&r, "the largest value", 65535, &maximum));
  CHECK(maximum > 0, ERR_MESH, "%s: the largest value is 0, must lie in [1, 65535]", name);
  if (raw) {
    CHECK(r.at < r.end && is_space(*r.at), ERR_MESH, "%s: ends after its header: the image is truncated", name);
    ++r.at;
  }
  if (width > 0 && height > 0) TRY(check_length(&r, raw, width, height, maximum));
  TRY(image_reserve(name, width, height, out));
  return raw ? read_raw(&r, maximum, out) : read_plain(&r, maximum, out);
}
