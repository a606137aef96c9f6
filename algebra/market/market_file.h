/* A Matrix Market file while it is read: header, sizes, and its entries one by one. */
#pragma once
#include "algebra/market/matrix_market.h"
#include "core/text_source.h"

typedef struct MarketFile {
  TextSource source;
  bool array;            /* else coordinate */
  bool symmetric;        /* else general */
  int64_t rows, columns; /* at least 1, below 2^31 */
  int64_t count;         /* numbers (array) or entries (coordinate) that the file declares; it has the bytes for them */
  int64_t sizes_at;      /* byte of the line of sizes */
  int64_t data;          /* byte behind the line of sizes */
  int32_t row,
      column; /* of the next entry of an array, which names none: by columns, the lower triangle where symmetric */
} MarketFile;

typedef struct MarketEntry {
  int32_t row, column; /* from 0 */
  double value;
} MarketEntry;

/* Reads the file into memory, the header and the sizes. */
Status market_open(const char *path, MarketFile *out);
void market_close(MarketFile *file);
/* Next entry, the kth from 0; finite, indices in range. */
Status market_entry(MarketFile *file, int64_t k, MarketEntry *out);
/* Next number of an array file. */
Status market_number(MarketFile *file, int64_t k, double *out);
/* Behind the last entry nothing may follow but blanks and comments. */
Status market_end(MarketFile *file);
/* Byte of the nth (from 1) line that gives the entry, in either triangle where storage is
 * symmetric; -1 when there is none. For messages: it reads the file again. */
int64_t market_find(MarketFile *file, int32_t row, int32_t column, int nth);
int64_t market_line(const MarketFile *file, int64_t at); /* of a byte, from 1 */

/* ERR_MESH, ERR_NUMERIC with place and count: see MARKET_SYMMETRIC and MARKET_POSITIVE. */
Status market_check_symmetric(MarketFile *file, const MarketMatrix *matrix);
Status market_check_positive(MarketFile *file, const MarketMatrix *matrix);
