/* Rows of numbers out of a list of entries. */
#pragma once
#include "core/status.h"

#include <stdint.h>

typedef struct MortarEntry {
  int32_t row, column;
  double value;
} MortarEntry;

/* Entries of the same row and column are added in the order of the list; columns ascend. value NULL: not wanted. */
Status mortar_rows(int32_t n_row, int64_t n, const MortarEntry *entry, int64_t **start, int32_t **column,
                   double **value);
