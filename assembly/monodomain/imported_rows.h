/* States first of models that were read from files: the kernel runs their programs (physics/ionic_program.h). */
#pragma once
#include "assembly/monodomain/monodomain_rows.h"
#include "physics/ionic_few.h"

/* kind is IonicConstants.kind. A row is IONIC_FEW cells; on the CPU a block of them at once. */
typedef struct MonodomainImportedArgs {
  MonodomainFirstArgs first;
  IonicProgram program;
  int32_t kind;
  int64_t n_cell;
} MonodomainImportedArgs;

/* What is read of cells k, k + 1, ..., the first in place of those that there are not; returns how many are of the model. */
HD int32_t monodomain_imported_read(const MonodomainImportedArgs *a, int64_t k, int32_t n, int32_t lanes, double *V,
                                    double *stimulus, uint8_t *on) {
  const MonodomainFirstArgs *s = &a->first;
  int32_t n_on = 0;
  for (int32_t l = 0; l < lanes; ++l) {
    const int64_t at = k + (l < n ? l : 0), i = s->node ? s->node[at] : at;
    V[l] = s->V[i];
    stimulus[l] = s->current[i];
    on[l] = l < n && monodomain_constants(&s->cells, at)->kind == a->kind;
    n_on += on[l];
  }
  return n_on;
}
HD IonicLanes monodomain_imported_lanes(const MonodomainImportedArgs *a, int64_t k, int32_t n, const uint8_t *on) {
  const MonodomainCells *cells = &a->first.cells;
  const int64_t other = *cells->turn ? 0 : cells->size;
  IonicLanes lanes;
  lanes.from = cells->state + k + (cells->size - other);
  lanes.to = cells->state + k + other;
  lanes.stride = cells->stride;
  lanes.n = n;
  lanes.on = on;
  lanes.dt = cells->numbers[3];
  return lanes;
}
HD void monodomain_imported_write(const MonodomainImportedArgs *a, int64_t k, int32_t lanes, const uint8_t *on,
                                  const double *V, const double *f, const double *gradient) {
  const MonodomainFirstArgs *s = &a->first;
  for (int32_t l = 0; l < lanes; ++l) {
    if (!on[l]) continue;
    s->gradient[k + l] = gradient[l];
    s->force[k + l] = f[l] - s->cells.numbers[0] * gradient[l] * V[l];
  }
}

HD void monodomain_first_imported_body(const MonodomainImportedArgs *a, int64_t row, double *sum) {
  (void)sum;
  if (monodomain_idle(a->first.cells.when)) return;
  const int64_t k = row * IONIC_FEW;
  const int32_t n = a->n_cell - k < IONIC_FEW ? (int32_t)(a->n_cell - k) : IONIC_FEW;
  double V[IONIC_FEW], stimulus[IONIC_FEW], f[IONIC_FEW], gradient[IONIC_FEW];
  uint8_t on[IONIC_FEW];
  if (monodomain_imported_read(a, k, n, IONIC_FEW, V, stimulus, on) == 0) return;
  const IonicLanes lanes = monodomain_imported_lanes(a, k, n, on);
  ionic_program_few(&a->program, &lanes, V, stimulus, f, gradient);
  monodomain_imported_write(a, k, IONIC_FEW, on, V, f, gradient);
}
#ifndef __CUDACC__
/* Cells k, k + 1, ... of a block. */
static inline __attribute__((unused)) void monodomain_first_block(const MonodomainImportedArgs *a, int64_t k,
                                                                  int32_t n) {
  double V[IONIC_BLOCK], stimulus[IONIC_BLOCK], f[IONIC_BLOCK], gradient[IONIC_BLOCK];
  uint8_t on[IONIC_BLOCK];
  const int32_t n_on = monodomain_imported_read(a, k, n, IONIC_BLOCK, V, stimulus, on);
  if (n_on == 0) return;
  const IonicLanes lanes = monodomain_imported_lanes(a, k, n, n_on < n ? on : NULL);
  ionic_program_block(&a->program, &lanes, V, stimulus, f, gradient);
  monodomain_imported_write(a, k, IONIC_BLOCK, on, V, f, gradient);
}
static inline __attribute__((unused)) void monodomain_first_imported_span(const MonodomainImportedArgs *a,
                                                                          int64_t begin, int64_t end) {
  if (monodomain_idle(a->first.cells.when)) return;
  const int64_t last = end * IONIC_FEW < a->n_cell ? end * IONIC_FEW : a->n_cell;
  for (int64_t k = begin * IONIC_FEW; k < last; k += IONIC_BLOCK)
    monodomain_first_block(a, k, last - k < IONIC_BLOCK ? (int32_t)(last - k) : IONIC_BLOCK);
}
#endif
