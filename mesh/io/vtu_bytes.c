/* Arrays of a .vtu file that are not in text: [count][bytes], or, compressed, [blocks][bytes of a block][bytes of the
 * last one, 0: a whole one][compressed bytes of each] and the blocks. In base64 either is one stream or two: the counts
 * end with '=' then. */
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/io/vtu.h"

#include <string.h>
#include <zlib.h>

/* zlib never makes more than 1032 bytes of one. */
enum { BIGGEST_RATIO = 1040 };

/* The bytes of an array in the file. */
typedef struct Stream {
  const Vtu *vtu;
  const VtuArray *array;
  const char *p, *end;
  bool raw;
} Stream;

/* What a character of base64 stands for, plus 1; 0: none. */
static const unsigned char digits[256] = {
    ['A'] = 1,  ['B'] = 2,  ['C'] = 3,  ['D'] = 4,  ['E'] = 5,  ['F'] = 6,  ['G'] = 7,  ['H'] = 8,
    ['I'] = 9,  ['J'] = 10, ['K'] = 11, ['L'] = 12, ['M'] = 13, ['N'] = 14, ['O'] = 15, ['P'] = 16,
    ['Q'] = 17, ['R'] = 18, ['S'] = 19, ['T'] = 20, ['U'] = 21, ['V'] = 22, ['W'] = 23, ['X'] = 24,
    ['Y'] = 25, ['Z'] = 26, ['a'] = 27, ['b'] = 28, ['c'] = 29, ['d'] = 30, ['e'] = 31, ['f'] = 32,
    ['g'] = 33, ['h'] = 34, ['i'] = 35, ['j'] = 36, ['k'] = 37, ['l'] = 38, ['m'] = 39, ['n'] = 40,
    ['o'] = 41, ['p'] = 42, ['q'] = 43, ['r'] = 44, ['s'] = 45, ['t'] = 46, ['u'] = 47, ['v'] = 48,
    ['w'] = 49, ['x'] = 50, ['y'] = 51, ['z'] = 52, ['0'] = 53, ['1'] = 54, ['2'] = 55, ['3'] = 56,
    ['4'] = 57, ['5'] = 58, ['6'] = 59, ['7'] = 60, ['8'] = 61, ['9'] = 62, ['+'] = 63, ['/'] = 64,
};

/* Four characters into three bytes; whether they are characters of base64. '=' counts as nothing. */
static bool decode_four(const char *p, unsigned char out[3]) {
  const unsigned char *c = (const unsigned char *)p;
  const uint32_t d[4] = {digits[c[0]], digits[c[1]], c[2] == '=' ? 1u : digits[c[2]], c[3] == '=' ? 1u : digits[c[3]]};
  const uint32_t v = (d[0] - 1) << 18 | (d[1] - 1) << 12 | (d[2] - 1) << 6 | (d[3] - 1);
  out[0] = (unsigned char)(v >> 16), out[1] = (unsigned char)(v >> 8), out[2] = (unsigned char)v;
  return d[0] && d[1] && d[2] && d[3];
}

static Status stream_short(const Stream *s, uint64_t wanted) {
  return vtu_fail(s->vtu, s->array, "asks for %llu bytes, the file holds %lld there: it was cut or damaged",
                  (unsigned long long)wanted, (long long)(s->raw ? s->end - s->p : (s->end - s->p) / 4 * 3));
}

/* The first n bytes of what base64 characters at p say. */
static Status stream_decode(const Stream *s, const char *p, int64_t n, char *out) {
  const int64_t fours = (n + 2) / 3;
  if (n > (s->end - p) / 4 * 3) return stream_short(s, (uint64_t)n);
  int64_t bad = fours;
#pragma omp parallel for schedule(static) num_threads(parts_of(fours)) reduction(min : bad)
  for (int64_t i = 0; i < fours; ++i) {
    unsigned char three[3];
    if (!decode_four(p + 4 * i, three) && i < bad) bad = i;
    char *to = out + 3 * i;
    if (i + 1 < fours) to[0] = (char)three[0], to[1] = (char)three[1], to[2] = (char)three[2];
    else memcpy(to, three, (size_t)(n - 3 * i));
  }
  if (bad == fours) return OK;
  return source_fail(&s->vtu->source, p + 4 * bad - s->vtu->source.bytes,
                     "array '%s': a character that is not base64; the file is damaged", s->array->name);
}

/* Counts at the beginning of the stream. */
static Status stream_counts(const Stream *s, int64_t n, char *bytes, uint64_t *count) {
  const int h = s->vtu->head;
  if (!s->raw) TRY(stream_decode(s, s->p, n * h, bytes));
  else if (s->end - s->p < n * h) return stream_short(s, (uint64_t)(n * h));
  for (int64_t k = 0; k < n; ++k) {
    unsigned char b[8];
    memcpy(b, (s->raw ? s->p : bytes) + k * h, (size_t)h);
    uint64_t v = 0;
    for (int i = 0; i < h; ++i) v = v << 8 | b[s->vtu->swap ? i : h - 1 - i];
    count[k] = v;
  }
  return OK;
}

/* n bytes behind the counts, which take n_counts bytes. */
static Status stream_body(const Stream *s, int64_t n_counts, uint64_t n, const char **bytes, char **owned) {
  if (s->raw) {
    *bytes = s->p + n_counts;
    return n > (uint64_t)(s->end - *bytes) ? stream_short(s, n) : OK;
  }
  const char *behind = s->p + (n_counts + 2) / 3 * 4;
  const bool apart = n_counts % 3 == 0 || behind[-1] == '=';
  const char *from = apart ? behind : s->p;
  const int64_t skip = apart ? 0 : n_counts;
  if (from > s->end || n > (uint64_t)((s->end - from) / 4 * 3)) return stream_short(s, n);
  ALLOC(*owned, (int64_t)n + skip, "bytes of a VTK file");
  TRY(stream_decode(s, from, (int64_t)n + skip, *owned));
  *bytes = *owned + skip;
  return OK;
}

/* Sizes of the blocks: count[0] blocks, count[1] and count[2] bytes, count[3 + i] compressed. */
static Status blocks_sizes(const Stream *s, const uint64_t *count, uint64_t *compressed, uint64_t *plain) {
  const uint64_t most = (uint64_t)(s->end - s->p);
  uint64_t whole;
  *compressed = 0;
  for (uint64_t i = 0; i < count[0]; ++i) {
    if (count[3 + i] > most - *compressed) return stream_short(s, count[3 + i]);
    *compressed += count[3 + i];
  }
  if (__builtin_mul_overflow(count[0] - (count[2] > 0), count[1], &whole) ||
      __builtin_add_overflow(whole, count[2], plain) || *plain > BIGGEST_RATIO * most || count[2] > count[1])
    return vtu_fail(s->vtu, s->array, "%llu blocks of %llu bytes are more than %llu compressed bytes can hold: damaged",
                    (unsigned long long)count[0], (unsigned long long)count[1], (unsigned long long)*compressed);
  return OK;
}

static Status inflate_blocks(const Stream *s, const uint64_t *count, const char *from, char *out) {
  const int64_t n = (int64_t)count[0];
  int64_t *start = NULL, bad = n;
  ALLOC(start, n, "blocks of a VTK file");
  for (int64_t i = 1; i < n; ++i) start[i] = start[i - 1] + (int64_t)count[2 + i];
#pragma omp parallel for schedule(dynamic, 1) reduction(min : bad)
  for (int64_t i = 0; i < n; ++i) {
    const uint64_t size = i == n - 1 && count[2] ? count[2] : count[1];
    uLongf made = (uLongf)size;
    const int result =
        uncompress((Bytef *)out + (uint64_t)i * count[1], &made, (const Bytef *)from + start[i], (uLong)count[3 + i]);
    if ((result != Z_OK || made != size) && i < bad) bad = i;
  }
  FREE(start);
  if (bad == n) return OK;
  return vtu_fail(s->vtu, s->array, "block %lld of %lld cannot be uncompressed: the file is damaged",
                  (long long)bad + 1, (long long)n);
}

static Status read_compressed(const Stream *s, char **out, int64_t *size) {
  const int h = s->vtu->head;
  uint64_t blocks, compressed = 0, plain = 0, *count = NULL;
  char first[8], *head = NULL, *owned = NULL;
  const char *bytes;
  Status status = OK;
  *size = 0;
  TRY(stream_counts(s, 1, first, &blocks));
  if (blocks == 0) return OK;
  if (blocks > (uint64_t)(s->end - s->p) / (uint64_t)h) return stream_short(s, blocks);
  const int64_t n = (int64_t)blocks + 3;
  ALLOC_DONE(count, n, "blocks of a VTK file");
  ALLOC_DONE(head, n * h, "blocks of a VTK file");
  TRY_DONE(stream_counts(s, n, head, count));
  TRY_DONE(blocks_sizes(s, count, &compressed, &plain));
  TRY_DONE(stream_body(s, n * h, compressed, &bytes, &owned));
  ALLOC_DONE(*out, (int64_t)plain, "values of a VTK file");
  *size = (int64_t)plain;
  TRY_DONE(inflate_blocks(s, count, bytes, *out));
done:
  FREE(owned);
  FREE(head);
  FREE(count);
  return status;
}

Status vtu_bytes(const Vtu *vtu, const VtuArray *array, const char **bytes, int64_t *size, char **owned) {
  const bool appended = array->form == VTU_APPENDED;
  Stream s = {.vtu = vtu, .array = array, .raw = appended && vtu->appended_raw};
  *owned = NULL;
  *bytes = NULL;
  *size = 0;
  if (appended && !vtu->appended) return vtu_fail(vtu, array, "is appended, but the file holds no <AppendedData>: cut");
  if (appended && array->offset > vtu->appended_end - vtu->appended)
    return vtu_fail(vtu, array, "begins at offset %lld, the file holds %lld appended bytes: it was cut or damaged",
                    (long long)array->offset, (long long)(vtu->appended_end - vtu->appended));
  s.p = vtu->source.bytes + (appended ? vtu->appended + array->offset : array->begin);
  s.end = vtu->source.bytes + (appended ? vtu->appended_end : array->end);
  if (s.p == s.end) return OK;
  if (vtu->zlib) {
    TRY(read_compressed(&s, owned, size));
    *bytes = *owned;
    return OK;
  }
  char head[8];
  uint64_t count;
  TRY(stream_counts(&s, 1, head, &count));
  if (count > (uint64_t)(s.end - s.p)) return stream_short(&s, count);
  *size = (int64_t)count;
  return stream_body(&s, vtu->head, count, bytes, owned);
}
