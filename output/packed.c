#include "output/packed.h"

#include "core/memory.h"

#include <string.h>
#include <zlib.h>

enum { PIECE = 1 << 19, HEAD = 2, TAIL = 4 };

typedef struct PackedWork {
  const unsigned char *values;
  int64_t n, n_full, size, n_piece, most; /* most: bytes that a piece may take */
  unsigned char *data;                    /* owned, [n_piece][most] */
  int64_t *bytes;                         /* owned, [n_piece] */
  uLong *sum;                             /* owned, [n_piece] */
} PackedWork;

static int64_t piece_length(const PackedWork *w, int64_t piece) {
  const int64_t rest = w->n_full * w->size - piece * PIECE;
  return rest < PIECE ? rest : PIECE;
}

/* The stream has the first bytes of all numbers, then the second ones, and so on. */
static void piece_shuffle(const PackedWork *w, int64_t piece, unsigned char *out) {
  const int64_t begin = piece * PIECE, length = piece_length(w, piece);
  for (int64_t at = 0; at < length;) {
    const int64_t plane = (begin + at) / w->n_full, first = (begin + at) % w->n_full;
    const int64_t count = w->n_full - first < length - at ? w->n_full - first : length - at;
    const int64_t there = first >= w->n ? 0 : w->n - first < count ? w->n - first : count;
    const unsigned char *from = w->values + first * w->size + plane;
    for (int64_t i = 0; i < there; ++i) out[at + i] = from[i * w->size];
    memset(out + at + there, 0, (size_t)(count - there));
    at += count;
  }
}

static bool piece_deflate(const PackedWork *w, int64_t piece, z_stream *z, unsigned char *shuffled) {
  const bool last = piece + 1 == w->n_piece;
  const uInt length = (uInt)piece_length(w, piece);
  piece_shuffle(w, piece, shuffled);
  if (deflateReset(z) != Z_OK) return false;
  z->next_in = shuffled, z->avail_in = length;
  z->next_out = w->data + piece * w->most, z->avail_out = (uInt)w->most;
  const int answer = deflate(z, last ? Z_FINISH : Z_SYNC_FLUSH);
  w->bytes[piece] = w->most - z->avail_out;
  w->sum[piece] = adler32(adler32(0, Z_NULL, 0), shuffled, length);
  return last ? answer == Z_STREAM_END : answer == Z_OK && z->avail_out > 0;
}

static bool pieces_deflate(PackedWork *w) {
  bool good = true;
#pragma omp parallel reduction(&& : good) if (w->n_piece > 1)
  {
    z_stream z = {0};
    unsigned char *shuffled = NULL;
    const bool begun =
        deflateInit2(&z, PACKED_LEVEL, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK;
    good = begun && mem_alloc(PIECE, 1, "a part of a packed field", (void **)&shuffled) == OK;
    const bool ready = good;
#pragma omp for schedule(dynamic)
    for (int64_t piece = 0; piece < w->n_piece; ++piece) good = ready && good && piece_deflate(w, piece, &z, shuffled);
    if (begun) deflateEnd(&z);
    FREE(shuffled);
  }
  return good;
}

/* Head, pieces and the sum of what they stand for. */
static Status pieces_join(const PackedWork *w, Packed *out) {
  uLong sum = adler32(0, Z_NULL, 0);
  int64_t n = HEAD + TAIL;
  for (int64_t piece = 0; piece < w->n_piece; ++piece) n += w->bytes[piece];
  ALLOC(out->data, n, "a packed field");
  out->n = n;
  unsigned char *at = out->data;
  *at++ = 0x78, *at++ = 0x01;
  for (int64_t piece = 0; piece < w->n_piece; ++piece) {
    memcpy(at, w->data + piece * w->most, (size_t)w->bytes[piece]);
    at += w->bytes[piece];
    sum = adler32_combine(sum, w->sum[piece], (z_off_t)piece_length(w, piece));
  }
  for (int byte = 3; byte >= 0; --byte) *at++ = (unsigned char)(sum >> 8 * byte);
  return OK;
}

Status packed_build(const void *values, int64_t n, int64_t n_full, int32_t size, Packed *out) {
  Status status = OK;
  PackedWork w = {.values = values, .n = n, .n_full = n_full, .size = size, .most = PIECE + PIECE / 512 + 64};
  *out = (Packed){0};
  w.n_piece = n_full > 0 ? (n_full * size + PIECE - 1) / PIECE : 1;
  ALLOC_DONE(w.data, w.n_piece * w.most, "a packed field");
  ALLOC_DONE(w.bytes, w.n_piece, "a packed field");
  ALLOC_DONE(w.sum, w.n_piece, "a packed field");
  if (!pieces_deflate(&w)) status = FAIL(ERR_MEMORY, "not enough memory to compress %lld numbers", (long long)n);
  if (status == OK) status = pieces_join(&w, out);
done:
  FREE(w.data);
  FREE(w.bytes);
  FREE(w.sum);
  return status;
}

void packed_release(Packed *packed) {
  FREE(packed->data);
  packed->n = 0;
}
