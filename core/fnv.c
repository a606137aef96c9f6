/* Word by word in a block, which is a chain; blocks by all threads. */
#include "core/fnv.h"

#include <endian.h>
#include <string.h>

enum { BLOCKS_AT_ONCE = 256 };

uint64_t fnv_words(uint64_t hash, const void *data, size_t bytes) {
  const unsigned char *p = data;
  for (size_t i = 0; i < bytes; i += 8) {
    uint64_t word = 0;
    memcpy(&word, p + i, bytes - i < 8 ? bytes - i : 8);
    hash = (hash ^ le64toh(word)) * 1099511628211u;
    hash ^= hash >> 32;
  }
  return hash;
}

uint64_t fnv_blocks(uint64_t hash, const void *data, size_t bytes) {
  const int64_t n_block = (int64_t)((bytes + FNV_BLOCK - 1) / FNV_BLOCK);
  if (n_block <= 1) return fnv_words(hash, data, bytes);
  for (int64_t first = 0; first < n_block; first += BLOCKS_AT_ONCE) {
    const int64_t n = n_block - first < BLOCKS_AT_ONCE ? n_block - first : BLOCKS_AT_ONCE;
    uint64_t row[BLOCKS_AT_ONCE];
#pragma omp parallel for schedule(static) if (n > 1)
    for (int64_t k = 0; k < n; ++k) {
      const size_t at = (size_t)(first + k) * FNV_BLOCK, left = bytes - at;
      row[k] = htole64(fnv_words(FNV_BASIS, (const char *)data + at, left < FNV_BLOCK ? left : FNV_BLOCK));
    }
    hash = fnv_words(hash, row, (size_t)n * sizeof *row);
  }
  return hash;
}
