/* The order of a rank's rows in the whole. A rank numbers its own rows first, then those of others that its rows couple
 * with, ascending in the whole; its own are consecutive there. So the whole has n_low rows of the halo first, then the
 * own ones, then the rest of the halo. Rows keep their entries in this order, which makes each sum over a row the one that it
 * is alone. Compiled by gcc and nvcc. */
#pragma once
#include "core/hd.h"

/* Both 0: the order is that of the numbers. */
typedef struct HaloOrder {
  int32_t n_own, n_low;
} HaloOrder;

/* The place of number i in the order of the whole, and the number at a place. */
HD int32_t halo_place(const HaloOrder h, int32_t i) {
  return i < h.n_own ? i + h.n_low : i < h.n_own + h.n_low ? i - h.n_own : i;
}
HD int32_t halo_number(const HaloOrder h, int32_t place) {
  return place < h.n_low ? place + h.n_own : place < h.n_low + h.n_own ? place - h.n_low : place;
}
