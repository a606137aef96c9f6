/* A table by regions: lines of the name of a region and numbers, with comments behind # and, where there are several columns
 * of numbers, a line of their names at the top. */
#pragma once
#include "core/status.h"

#include <stdint.h>

typedef struct RegionRow {
  const char *region; /* a view into the bytes */
  double value;
  int64_t line;
} RegionRow;

typedef struct RegionTable {
  RegionRow *row; /* owned */
  int32_t n;
} RegionTable;

enum { REGION_SAID = 600 };
/* Cuts the bytes into rows, with the numbers of the column of that name, or of the only one. *said: what is wrong, "" where nothing
 * is. ERR_MEMORY. */
Status region_table_parse(char *bytes, const char *path, const char *column, RegionTable *out, char said[REGION_SAID]);
