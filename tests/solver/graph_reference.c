#include "tests/solver/graph_reference.h"
#include "core/ascending.h"
#include "core/memory.h"

#include <stdlib.h>

static void block_graph_sort(int32_t *column, int64_t n) {
  if (n > 48) {
    qsort(column, (size_t)n, sizeof *column, ascending_int32);
    return;
  }
  for (int64_t i = 1; i < n; ++i) {
    const int32_t c = column[i];
    int64_t j = i;
    for (; j > 0 && column[j - 1] > c; --j) column[j] = column[j - 1];
    column[j] = c;
  }
}

/* seen[c] is the last row + 1 that holds column c. */
static Status block_graph_product(const BlockGraph *a, const BlockGraph *b, const uint8_t *skip, int32_t *seen,
                                  BlockGraph *out) {
  int64_t room = (int64_t)a->n_row + 16, n = 0;
  ALLOC(out->start, (int64_t)a->n_row + 1, "rows of a product");
  ALLOC(out->column, room, "columns of a product");
  for (int32_t i = 0; i < a->n_row; ++i) {
    const int64_t first = n;
    for (int64_t k = a->start[i]; k < a->start[i + 1] && !(skip && skip[i]); ++k)
      for (int64_t e = b->start[a->column[k]]; e < b->start[a->column[k] + 1]; ++e) {
        const int32_t c = b->column[e];
        if (seen[c] == i + 1) continue;
        seen[c] = i + 1;
        if (n == room) {
          room = 2 * room;
          RESIZE(out->column, room, "columns of a product");
        }
        out->column[n++] = c;
      }
    block_graph_sort(out->column + first, n - first);
    out->start[i + 1] = n;
  }
  RESIZE(out->column, n, "columns of a product");
  return OK;
}

Status block_graph_times(const BlockGraph *a, const BlockGraph *b, const uint8_t *skip, BlockGraph *out) {
  *out = (BlockGraph){.n_row = a->n_row, .n_column = b->n_column};
  int32_t *seen = NULL;
  ALLOC(seen, b->n_column, "marks of columns");
  const Status status = block_graph_product(a, b, skip, seen, out);
  FREE(seen);
  if (status != OK) block_graph_release(out);
  return status;
}

static Status transpose_block_graph(const BlockGraph *a, BlockGraph *out, int64_t **source) {
  const int64_t n = a->start[a->n_row];
  ALLOC(out->start, (int64_t)out->n_row + 1, "rows of a transpose");
  ALLOC(out->column, n, "columns of a transpose");
  ALLOC(*source, n, "places of a transpose");
  for (int64_t k = 0; k < n; ++k) out->start[a->column[k] + 1] += 1;
  for (int32_t i = 0; i < out->n_row; ++i) out->start[i + 1] += out->start[i];
  for (int32_t i = 0; i < a->n_row; ++i)
    for (int64_t k = a->start[i]; k < a->start[i + 1]; ++k) {
      const int64_t at = out->start[a->column[k]]++;
      out->column[at] = i;
      (*source)[at] = k;
    }
  for (int32_t i = out->n_row; i > 0; --i) out->start[i] = out->start[i - 1];
  out->start[0] = 0;
  return OK;
}

Status block_graph_transpose(const BlockGraph *a, BlockGraph *out, int64_t **source) {
  *source = NULL;
  *out = (BlockGraph){.n_row = a->n_column, .n_column = a->n_row};
  const Status status = transpose_block_graph(a, out, source);
  if (status != OK) block_graph_release(out);
  return status;
}
