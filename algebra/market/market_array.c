/* Vectors from Matrix Market files. */
#include "algebra/market/market_file.h"
#include "core/memory.h"

#include <stdio.h>

static Status read_values(MarketFile *f, MarketArray *out) {
  ALLOC(out->value, f->rows * f->columns, "right-hand side");
  out->rows = f->rows;
  out->columns = f->columns;
  for (int64_t k = 0; k < f->count; ++k) {
    MarketEntry e;
    if (f->array) {
      TRY(market_number(f, k, &out->value[k]));
    } else {
      TRY(market_entry(f, k, &e));
      out->value[e.column * f->rows + e.row] += e.value;
    }
  }
  return market_end(f);
}

Status market_array_read(const char *path, int64_t rows, const char *by, MarketArray *out) {
  MarketFile f;
  *out = (MarketArray){0};
  TRY(market_open(path, &f));
  Status status = OK;
  if (f.symmetric) status = source_fail(&f.source, 0, "a right-hand side is 'general', not 'symmetric'");
  else if (f.rows != rows)
    status = source_fail(&f.source, f.sizes_at, "the right-hand side has %lld rows, but %s has %lld", (long long)f.rows,
                         by, (long long)rows);
  else status = read_values(&f, out);
  market_close(&f);
  if (status != OK) market_array_release(out);
  return status;
}

void market_array_release(MarketArray *array) { FREE(array->value); }
