/* Rows of operations: see the flags in physics/CMakeLists.txt. */
#include "physics/import/cell_batch.h"
#include "physics/import/cell_program.h"

#include <string.h>

/* One row, `width` operations at a time, which compilers make a vector of. */
static inline __attribute__((always_inline)) void row_run(const int width, const CellRow *row, const uint16_t *x,
                                                          const double *v, double *restrict d, double dt) {
  const int32_t n = row->n;
  const uint16_t *y = x + n, *z = y + n;
  double p[CELL_BATCH_WIDTH], q[CELL_BATCH_WIDTH], r[CELL_BATCH_WIDTH];
  (void)dt;
  switch (row->op) {
#define TAKE(to, from)                                                                                                 \
  for (int l = 0; l < width; ++l) to[l] = v[from[k + l]];
#define ROW(name, take, value)                                                                                         \
  case IONIC_OP_##name:                                                                                                \
    for (int32_t k = 0; k < n; k += width) {                                                                           \
      TAKE(p, x) take for (int l = 0; l < width; ++l) d[k + l] = value;                                                \
    }                                                                                                                  \
    break;
#define a p[l]
#define b q[l]
#define c r[l]
#define OP1(name, value) ROW(name, , value)
#define OP2(name, value) ROW(name, TAKE(q, y), value)
#define OP3(name, value) ROW(name, TAKE(q, y) TAKE(r, z), value)
#include "physics/ionic_ops.def"
#undef OP1
#undef OP2
#undef OP3
#undef a
#undef b
#undef c
#undef ROW
#undef TAKE
  default: break;
  }
}

static double plain_run(const CellBatch *batch, const double *from, double *to, double V, double stimulus, double dt,
                        double *by_V) {
  double next[IONIC_IMPORTED_STATES];
  for (int32_t j = 0; j < batch->n_state; ++j) next[j] = from[j];
  const double f = cell_program_run(batch->program, from, next, V, stimulus, dt, by_V);
  memcpy(to, next, (size_t)batch->n_state * sizeof *to);
  return f;
}

double cell_batch_run(const CellBatch *batch, const double *from, double *to, double V, double stimulus, double dt,
                      double *by_V) {
  if (batch->n_row == 0) return plain_run(batch, from, to, V, stimulus, dt, by_V);
  double v[CELL_BATCH_VALUES];
  const int32_t n = batch->n_constant;
  memcpy(v, batch->constant, (size_t)n * sizeof *v);
  v[n] = V;
  v[n + 1] = stimulus;
  memcpy(v + n + 2, from, (size_t)batch->n_state * sizeof *v);
  for (const CellRow *row = batch->row, *end = row + batch->n_row; row < end; ++row) {
    const uint16_t *place = batch->place + row->from;
    if (row->is_call) row_run(1, row, place, v, v + row->to, dt);
    else row_run(CELL_BATCH_WIDTH, row, place, v, v + row->to, dt);
  }
  for (int32_t j = 0; j < batch->n_state; ++j)
    if (batch->store[j] >= 0) to[j] = v[batch->store[j]];
  if (batch->slope >= 0) *by_V = v[batch->slope];
  return batch->force >= 0 ? v[batch->force] : 0;
}
