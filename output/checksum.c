#include "output/checksum.h"

#include <string.h>

static const uint64_t START = 14695981039346656037u, PRIME = 1099511628211u;

/* Both steps can be undone, so that two words that differ never meet. */
static inline uint64_t checksum_mix(uint64_t lane, uint64_t word) {
  lane = (lane ^ word) * PRIME;
  return lane ^ lane >> 32;
}

static void add_blocks(uint64_t lane[CHECKSUM_LANES], const unsigned char *bytes, int64_t n_block) {
  uint64_t a = lane[0], b = lane[1], c = lane[2], d = lane[3], word[CHECKSUM_LANES];
  for (int64_t i = 0; i < n_block; ++i) {
    memcpy(word, bytes + i * CHECKSUM_BLOCK, sizeof word);
    a = checksum_mix(a, word[0]), b = checksum_mix(b, word[1]), c = checksum_mix(c, word[2]),
    d = checksum_mix(d, word[3]);
  }
  lane[0] = a, lane[1] = b, lane[2] = c, lane[3] = d;
}

void checksum_add(Checksum *sum, const void *bytes, int64_t n) {
  const unsigned char *from = bytes;
  const int64_t held = sum->n_byte % CHECKSUM_BLOCK;
  sum->n_byte += n;
  if (held > 0) {
    const int64_t more = n < CHECKSUM_BLOCK - held ? n : CHECKSUM_BLOCK - held;
    memcpy(sum->part + held, from, (size_t)more);
    from += more, n -= more;
    if (held + more < CHECKSUM_BLOCK) return;
    add_blocks(sum->lane, sum->part, 1);
  }
  add_blocks(sum->lane, from, n / CHECKSUM_BLOCK);
  if (n % CHECKSUM_BLOCK) memcpy(sum->part, from + n / CHECKSUM_BLOCK * CHECKSUM_BLOCK, (size_t)(n % CHECKSUM_BLOCK));
}

uint64_t checksum_value(const Checksum *sum) {
  uint64_t lane[CHECKSUM_LANES], value = checksum_mix(START, (uint64_t)sum->n_byte);
  unsigned char last[CHECKSUM_BLOCK] = {0};
  memcpy(lane, sum->lane, sizeof lane);
  memcpy(last, sum->part, (size_t)(sum->n_byte % CHECKSUM_BLOCK));
  if (sum->n_byte % CHECKSUM_BLOCK) add_blocks(lane, last, 1);
  for (int i = 0; i < CHECKSUM_LANES; ++i) value = checksum_mix(value, lane[i]);
  return value;
}
