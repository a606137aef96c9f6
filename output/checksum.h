/* A sum of stored bytes that grows with them and tells every single changed word: FNV-1a over 64-bit words in four
 * lanes, which do not wait for each other (some 10 GB/s). Open data; {0} is the sum of nothing. */
#pragma once
#include <stdint.h>

enum { CHECKSUM_LANES = 4, CHECKSUM_BLOCK = 8 * CHECKSUM_LANES };

typedef struct Checksum {
  uint64_t lane[CHECKSUM_LANES];
  int64_t n_byte;                     /* so far */
  unsigned char part[CHECKSUM_BLOCK]; /* the last n_byte % CHECKSUM_BLOCK of them */
} Checksum;

/* Adding in pieces of any length gives the sum of the whole. */
void checksum_add(Checksum *sum, const void *bytes, int64_t n);
/* Of all so far; more may be added afterwards. */
uint64_t checksum_value(const Checksum *sum);
