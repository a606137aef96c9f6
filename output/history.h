/* /Sinew/history: a table that grows by rows, one series per column. */
#pragma once
#include "output/h5.h"

enum { HISTORY_COLUMNS = 32, HISTORY_NAME = 64 };

typedef struct History {
  int32_t n;             /* columns; 0 until they are made */
  int64_t capacity, row; /* rows reserved, rows so far */
  bool lost;             /* damaged: rows are dropped */
  char name[HISTORY_COLUMNS][HISTORY_NAME];
  hid_t data[HISTORY_COLUMNS]; /* kept open: a row then costs no chunk to be read */
} History;

/* Makes the columns. ERR_IO, ERR_BUG (too many columns, a bad name). */
Status history_create(History *history, hid_t file, const char *path, int32_t n, const char *const *names);
/* Finds the columns of an existing result. */
Status history_open(History *history, hid_t file, const char *path);
/* Adds a row, making the columns by the first one; rows beyond the capacity are dropped with one warning. */
Status history_row(History *history, hid_t file, const char *path, int32_t n, const char *const *names,
                   const double *values);
/* For a resumed run: the next row comes behind the last one whose `time` is at most this. */
void history_rewind(History *history, double time);
void history_close(History *history);
