/* Vectors to and from the numbering of a matrix that has one of its own (mat_numbering): one row per unknown. */
#pragma once
#include "core/hd.h"

typedef struct NumberingArgs {
  const int32_t *place; /* new number of each row */
  const double *from;
  double *to;
} NumberingArgs;

HD void numbering_in_body(const NumberingArgs *a, int64_t i, double sum[]) {
  (void)sum;
  a->to[a->place[i]] = a->from[i];
}

HD void numbering_out_body(const NumberingArgs *a, int64_t i, double sum[]) {
  (void)sum;
  a->to[i] = a->from[a->place[i]];
}
