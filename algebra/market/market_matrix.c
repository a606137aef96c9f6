/* From the entries of a Matrix Market file to a pattern with values: sorted by counting twice (by column, then by row),
 * which takes time proportional to the entries and keeps repeated ones in the order of the file. */
#include "algebra/market/market_file.h"
#include "algebra/market/matrix_market.h"
#include "core/memory.h"

/* Entries put in rows or columns. */
typedef struct Buckets {
  int64_t *start; /* owned, [n + 1] */
  int32_t *other; /* owned, column or row of each entry */
  double *value;  /* owned */
} Buckets;

static void buckets_release(Buckets *b) {
  FREE(b->start);
  FREE(b->other);
  FREE(b->value);
}

static Status buckets_alloc(int64_t n, int64_t m, Buckets *b) {
  ALLOC(b->start, n + 1, "rows of a matrix");
  ALLOC(b->other, m, "columns of a matrix");
  ALLOC(b->value, m, "values of a matrix");
  return OK;
}

/* start[i + 1] holds the count of bucket i: makes start[i] its first place. */
static void counts_to_starts(int64_t n, int64_t *start) {
  for (int64_t i = 0; i < n; ++i) start[i + 1] += start[i];
}
/* Filling moved start[i] to the end of bucket i, which is the begin of i + 1. */
static void ends_to_starts(int64_t n, int64_t *start) {
  for (int64_t i = n; i > 0; --i) start[i] = start[i - 1];
  start[0] = 0;
}

static void market_matrix_put(Buckets *b, int32_t bucket, int32_t other, double value) {
  const int64_t k = b->start[bucket]++;
  b->other[k] = other;
  b->value[k] = value;
}

/* Symmetric storage holds one triangle, the lower by the standard; the upper is taken too. *side: the one seen. */
static Status check_triangle(const MarketFile *f, const MarketEntry *e, int *side) {
  if (e->row == e->column) return OK;
  const int here = e->row > e->column ? 1 : -1;
  if (*side == 0) *side = here;
  if (*side == here) return OK;
  return source_fail(&f->source, f->source.at,
                     "entry (%d, %d) lies %s the diagonal, others before it on the other side: "
                     "'symmetric' storage holds one triangle\n  remedy: omit one triangle, or write 'general' in the "
                     "header",
                     e->row + 1, e->column + 1, here > 0 ? "below" : "above");
}

static Status read_entries(MarketFile *f, MarketEntry *entry) {
  int side = 0;
  for (int64_t k = 0; k < f->count; ++k) {
    TRY(market_entry(f, k, &entry[k]));
    if (f->symmetric) TRY(check_triangle(f, &entry[k], &side));
  }
  return market_end(f);
}

/* By column; both triangles; a zero where the diagonal has no entry. */
static Status sort_by_column(const MarketFile *f, const MarketEntry *entry, Buckets *out) {
  const int64_t n = f->rows;
  bool *has = NULL;
  ALLOC(has, n, "the diagonal of a matrix");
  int64_t m = f->count + n;
  for (int64_t k = 0; k < f->count; ++k) {
    const bool diagonal = entry[k].row == entry[k].column;
    if (diagonal && !has[entry[k].row]) has[entry[k].row] = true, --m;
    m += f->symmetric && !diagonal;
  }
  const Status status = buckets_alloc(n, m, out);
  if (status != OK) {
    FREE(has);
    return status;
  }
  for (int64_t k = 0; k < f->count; ++k) {
    ++out->start[entry[k].column + 1];
    if (f->symmetric && entry[k].row != entry[k].column) ++out->start[entry[k].row + 1];
  }
  for (int64_t i = 0; i < n; ++i) out->start[i + 1] += !has[i];
  counts_to_starts(n, out->start);
  for (int64_t k = 0; k < f->count; ++k) {
    const MarketEntry e = entry[k];
    market_matrix_put(out, e.column, e.row, e.value);
    if (f->symmetric && e.row != e.column) market_matrix_put(out, e.row, e.column, e.value);
  }
  for (int32_t i = 0; i < n; ++i)
    if (!has[i]) market_matrix_put(out, i, i, 0);
  ends_to_starts(n, out->start);
  FREE(has);
  return OK;
}

/* The transpose: rows from columns. Columns come in ascending order, so each row ends up sorted. */
static Status market_matrix_transpose(int64_t n, const Buckets *from, Buckets *out) {
  const int64_t m = from->start[n];
  TRY(buckets_alloc(n, m, out));
  for (int64_t k = 0; k < m; ++k) ++out->start[from->other[k] + 1];
  counts_to_starts(n, out->start);
  for (int32_t j = 0; j < n; ++j)
    for (int64_t k = from->start[j]; k < from->start[j + 1]; ++k)
      market_matrix_put(out, from->other[k], j, from->value[k]);
  ends_to_starts(n, out->start);
  return OK;
}

/* Adds repeated entries up, in the order of the file. Gives their number and the first such place; in the lower
 * triangle where the file stores one only. */
static int64_t join_repeated(int64_t n, bool lower, Buckets *b, int32_t *row, int32_t *column) {
  int64_t to = 0, from = 0, repeated = 0;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t end = b->start[i + 1], begin = to;
    b->start[i] = begin;
    for (; from < end; ++from) {
      const int32_t j = b->other[from];
      if (to == begin || b->other[to - 1] != j) {
        b->other[to] = j;
        b->value[to++] = b->value[from];
        continue;
      }
      b->value[to - 1] += b->value[from];
      if (lower && j > i) continue;
      if (repeated++ == 0) *row = (int32_t)i, *column = j;
    }
  }
  b->start[n] = to;
  return repeated;
}

static Status hand_over(MarketFile *f, Buckets *rows, MarketMatrix *out) {
  int32_t row = 0, column = 0;
  out->n_stored = f->count;
  out->symmetric = f->symmetric;
  out->n_repeated = join_repeated(f->rows, f->symmetric, rows, &row, &column);
  if (out->n_repeated)
    status_warn("%s:%lld: entry (%d, %d) is given more than once; %lld repeated entr%s added up", f->source.label,
                (long long)market_line(f, market_find(f, row, column, 2)), row + 1, column + 1,
                (long long)out->n_repeated, out->n_repeated == 1 ? "y is" : "ies are");
  const int64_t m = rows->start[f->rows];
  ALLOC(out->pattern, 1, "the pattern of a matrix");
  if (out->n_repeated) {
    RESIZE(rows->other, m, "columns of a matrix");
    RESIZE(rows->value, m, "values of a matrix");
  }
  *out->pattern = (Pattern){.n = (int32_t)f->rows, .block = 1, .start = rows->start, .column = rows->other};
  out->value = rows->value;
  *rows = (Buckets){0};
  return OK;
}

static Status market_matrix_build(MarketFile *f, MarketMatrix *out) {
  MarketEntry *entry = NULL;
  Buckets columns = {0}, rows = {0};
  Status status;
  ALLOC_DONE(entry, f->count, "entries of a Matrix Market file");
  TRY_DONE(read_entries(f, entry));
  TRY_DONE(sort_by_column(f, entry, &columns));
  FREE(entry);
  TRY_DONE(market_matrix_transpose(f->rows, &columns, &rows));
  buckets_release(&columns);
  TRY_DONE(hand_over(f, &rows, out));
done:
  FREE(entry);
  buckets_release(&columns);
  buckets_release(&rows);
  return status;
}

Status market_matrix_read(const char *path, unsigned wanted, MarketMatrix *out) {
  MarketFile f;
  *out = (MarketMatrix){0};
  TRY(market_open(path, &f));
  Status status = OK;
  if (f.rows != f.columns)
    status =
        source_fail(&f.source, f.sizes_at, "the matrix is rectangular, %lld rows and %lld columns; it must be square",
                    (long long)f.rows, (long long)f.columns);
  if (status == OK) status = market_matrix_build(&f, out);
  if (status == OK && (wanted & MARKET_SYMMETRIC)) status = market_check_symmetric(&f, out);
  if (status == OK && (wanted & MARKET_POSITIVE)) status = market_check_positive(&f, out);
  market_close(&f);
  if (status != OK) market_matrix_release(out);
  return status;
}

void market_matrix_release(MarketMatrix *matrix) {
  pattern_destroy(&matrix->pattern);
  FREE(matrix->value);
}
