/* /Sinew/history: a table that grows by rows, one series per column. */
#pragma once
#include "output/checksum.h"
#include "output/h5.h"

enum { HISTORY_COLUMNS = 32, HISTORY_NAME = 64, HISTORY_KEPT = 128 };

typedef struct History {
  int32_t n;               /* columns; 0 until they are made */
  int64_t capacity, row;   /* rows reserved; rows so far, those that are kept too */
  bool lost;               /* damaged: rows are dropped */
  bool full;               /* which has been said */
  int32_t n_kept;          /* rows that are not in the file yet */
  double flushed_at, cost; /* clock at the last time that rows went there, and how long that took, seconds */
  double kept[HISTORY_COLUMNS][HISTORY_KEPT];
  char name[HISTORY_COLUMNS][HISTORY_NAME];
  Checksum sum[HISTORY_COLUMNS]; /* of the rows in the file */
  hid_t data[HISTORY_COLUMNS];   /* kept open: rows then cost no chunk to be read */
} History;

/* Makes the columns. ERR_IO, ERR_BUG (too many columns, a bad name). */
Status history_create(History *history, hid_t file, const char *path, int32_t n, const char *const *names);
/* Finds the columns of an existing result, in the order of their names. */
Status history_open(History *history, hid_t file, const char *path);
/* Adds a row, making the columns by the first one; rows beyond the capacity are dropped with one warning. */
Status history_row(History *history, hid_t file, const char *path, int32_t n, const char *const *names,
                   const double *values);
/* Rows that are kept back go to the file: one chunk for each column, written whole. With `now` false only where that
 * takes little of the time since it was done last. */
Status history_flush(History *history, const char *path, bool now);
/* Drops what is kept back. */
void history_close(History *history);
