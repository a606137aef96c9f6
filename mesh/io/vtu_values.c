/* Values of the arrays of a .vtu file as doubles or integers: numbers in text, or bytes of any type and order. */
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/io/vtu.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

enum { SPAN_BYTES = 1 << 16 };

static bool value_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

/* Text in spans that begin and end between numbers; start [n + 1], first [n + 1]: numbers before them. */
typedef struct Spans {
  int64_t n, *start, *first; /* owned */
} Spans;

static Status spans_create(const char *text, int64_t size, Spans *out) {
  *out = (Spans){.n = size / SPAN_BYTES + 1};
  ALLOC(out->start, out->n + 1, "parts of a VTK file");
  ALLOC(out->first, out->n + 1, "parts of a VTK file");
  out->start[out->n] = size;
#pragma omp parallel for schedule(static) if (out->n > 1)
  for (int64_t k = 1; k < out->n; ++k) {
    int64_t p = k * SPAN_BYTES;
    while (p < size && !value_blank(text[p])) ++p;
    out->start[k] = p;
  }
#pragma omp parallel for schedule(static) if (out->n > 1)
  for (int64_t k = 0; k < out->n; ++k) {
    bool inside = false;
    for (int64_t p = out->start[k]; p < out->start[k + 1]; ++p) {
      const bool now = !value_blank(text[p]);
      out->first[k + 1] += now && !inside;
      inside = now;
    }
  }
  for (int64_t k = 0; k < out->n; ++k) out->first[k + 1] += out->first[k];
  return OK;
}

static void spans_destroy(Spans *spans) {
  FREE(spans->start);
  FREE(spans->first);
}

static const char *text_integer(const char *p, int64_t *out) {
  const bool minus = *p == '-';
  p += minus;
  const char *digits = p;
  int64_t v = 0;
  for (; *p >= '0' && *p <= '9' && p - digits < 18; ++p) v = 10 * v + (*p - '0');
  *out = minus ? -v : v;
  return p == digits ? NULL : p;
}

static const char *text_double(const char *p, double *out) {
  const char *end = source_number(p, out), *word = p + (*p == '-' || *p == '+');
  if (end || (strncasecmp(word, "nan", 3) != 0 && strncasecmp(word, "inf", 3) != 0)) return end;
  *out = (double)NAN;
  while (isalpha((unsigned char)*word)) ++word;
  return word;
}

/* The numbers of span k; where it stops, else NULL. */
static const char *parse_span(const char *text, const Spans *spans, int64_t k, double *doubles, int64_t *integers) {
  const char *p = text + spans->start[k], *end = text + spans->start[k + 1];
  for (int64_t i = spans->first[k];; ++i) {
    while (p < end && value_blank(*p)) ++p;
    if (p >= end) return NULL;
    const char *next = doubles ? text_double(p, &doubles[i]) : text_integer(p, &integers[i]);
    if (!next || (next < end && !value_blank(*next))) return p;
    p = next;
  }
}

static Status bad_value(const Vtu *vtu, const VtuArray *array, const char *at) {
  char word[40];
  size_t n = 0;
  for (; n < sizeof word - 1 && at[n] && !value_blank(at[n]) && at[n] != '<'; ++n)
    word[n] = isprint((unsigned char)at[n]) ? at[n] : '?';
  word[n] = 0;
  return source_fail(&vtu->source, at - vtu->source.bytes, "array '%s': '%s' is not a %s", array->name, word,
                     array->type.is_float ? "number" : "whole number");
}

static Status count_wrong(const Vtu *vtu, const VtuArray *array, int64_t seen, int64_t n) {
  return vtu_fail(vtu, array, "holds %lld values, must be %lld: the file was cut or damaged", (long long)seen,
                  (long long)n);
}

typedef struct Request {
  const Vtu *vtu;
  const VtuArray *array;
  int64_t n; /* -1: any; then what there are */
  double **doubles;
  int64_t **integers; /* one of both */
} Request;

static Status request_room(Request *r, int64_t seen) {
  if (r->n >= 0 && seen != r->n) return count_wrong(r->vtu, r->array, seen, r->n);
  r->n = seen;
  if (r->doubles) ALLOC(*r->doubles, seen, "values of a VTK file");
  else ALLOC(*r->integers, seen, "values of a VTK file");
  return OK;
}

static Status read_text(Request *r) {
  const char *text = r->vtu->source.bytes + r->array->begin, *bad = NULL;
  const bool doubles = r->doubles != NULL;
  Spans spans = {0};
  Status status = OK;
  TRY_DONE(spans_create(text, r->array->end - r->array->begin, &spans));
  TRY_DONE(request_room(r, spans.first[spans.n]));
  int64_t failed = spans.n;
#pragma omp parallel for schedule(static) reduction(min : failed) if (spans.n > 1)
  for (int64_t k = 0; k < spans.n; ++k)
    if (parse_span(text, &spans, k, doubles ? *r->doubles : NULL, doubles ? NULL : *r->integers) && k < failed)
      failed = k;
  if (failed < spans.n)
    bad = parse_span(text, &spans, failed, doubles ? *r->doubles : NULL, doubles ? NULL : *r->integers);
  if (bad) status = bad_value(r->vtu, r->array, bad);
done:
  spans_destroy(&spans);
  return status;
}

static uint64_t word_of(const char *p, int bytes, bool swap) {
  uint64_t v = 0;
  if (!swap && bytes == 8) {
    memcpy(&v, p, 8);
  } else if (!swap && bytes == 4) {
    uint32_t half;
    memcpy(&half, p, 4);
    v = half;
  } else {
    unsigned char b[8];
    const uint16_t one = 1;
    const bool big = (*(const unsigned char *)&one == 1) == swap; /* how the file has it */
    memcpy(b, p, (size_t)bytes);
    for (int i = 0; i < bytes; ++i) v = v << 8 | b[big ? i : bytes - 1 - i];
  }
  return v;
}

static double double_of(uint64_t word, VtuType type) {
  double value;
  float single;
  const uint32_t half = (uint32_t)word;
  if (!type.is_float) return type.is_signed ? (double)(int64_t)word : (double)word;
  if (type.bytes == 8) memcpy(&value, &word, 8);
  else memcpy(&single, &half, 4), value = (double)single;
  return value;
}

static int64_t integer_of(uint64_t word, VtuType type) {
  const int spare = 64 - 8 * type.bytes;
  return type.is_signed && spare ? (int64_t)(word << spare) >> spare : (int64_t)word;
}

static Status read_bytes(Request *r) {
  const VtuType type = r->array->type;
  const bool swap = r->vtu->swap;
  const char *bytes;
  char *owned;
  int64_t size;
  Status status = vtu_bytes(r->vtu, r->array, &bytes, &size, &owned);
  if (status == OK && size % type.bytes)
    status = vtu_fail(r->vtu, r->array, "holds %lld bytes, which are no values of %d: the file is damaged",
                      (long long)size, type.bytes);
  if (status == OK) status = request_room(r, size / type.bytes);
  const int64_t n = status == OK ? r->n : 0;
  double *doubles = r->doubles ? *r->doubles : NULL;
  int64_t *integers = r->integers ? *r->integers : NULL;
#pragma omp parallel for schedule(static) num_threads(parts_of(n))
  for (int64_t i = 0; i < n; ++i) {
    const uint64_t word = word_of(bytes + i * type.bytes, type.bytes, swap);
    if (doubles) doubles[i] = double_of(type.is_float ? word : (uint64_t)integer_of(word, type), type);
    else integers[i] = integer_of(word, type);
  }
  FREE(owned);
  return status;
}

static Status request_read(Request *r) {
  if (r->array->type.bytes == 0)
    return vtu_fail(r->vtu, r->array, "its type must be one of Int8 to Int64, UInt8 to UInt64, Float32 and Float64");
  return r->array->form == VTU_ASCII ? read_text(r) : read_bytes(r);
}

Status vtu_doubles(const Vtu *vtu, const VtuArray *array, int64_t n, double **out) {
  Request r = {vtu, array, n, out, NULL};
  *out = NULL;
  const Status status = request_read(&r);
  if (status != OK) FREE(*out);
  return status;
}

Status vtu_integers(const Vtu *vtu, const VtuArray *array, int64_t n, int64_t **out, int64_t *count) {
  Request r = {vtu, array, n, NULL, out};
  *out = NULL;
  if (array->type.is_float) return vtu_fail(vtu, array, "its type must be of whole numbers (Int64, UInt8, ...)");
  const Status status = request_read(&r);
  if (status != OK) FREE(*out);
  if (count) *count = r.n;
  return status;
}
