/* The row kernel that packs rows for other ranks. Declared in core/halo.c, listed in core/rows.def. */
#pragma once
#include "core/hd.h"

typedef struct HaloPackArgs {
  const int32_t *row; /* which rows of v, of `bytes` bytes each */
  const char *v;
  char *room;
  int64_t bytes;
} HaloPackArgs;
HD void halo_pack_body(const HaloPackArgs *a, int64_t i, double sum[]) {
  (void)sum;
  const char *from = a->v + a->row[i] * a->bytes;
  char *to = a->room + i * a->bytes;
  if (a->bytes % 8 == 0)
    for (int64_t k = 0; k < a->bytes / 8; ++k) ((uint64_t *)to)[k] = ((const uint64_t *)from)[k];
  else if (a->bytes % 4 == 0)
    for (int64_t k = 0; k < a->bytes / 4; ++k) ((uint32_t *)to)[k] = ((const uint32_t *)from)[k];
  else
    for (int64_t k = 0; k < a->bytes; ++k) to[k] = from[k];
}
