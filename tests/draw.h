/* Numbers that look random, the same on any machine: the upper bits of a linear congruential generator (Knuth, The Art of Computer
 * Programming 2, section 3.3.4). */
#pragma once
#include <stdint.h>

static inline double draw_between(uint64_t *seed, double low, double high) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * (double)(*seed >> 11) / 9007199254740992.0;
}
/* low to high, both among them. */
static inline int32_t draw_whole(uint64_t *seed, int32_t low, int32_t high) {
  return (int32_t)draw_between(seed, low, high + 0.999);
}
