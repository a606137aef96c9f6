/* States first of models that were read from files: the kernel runs their programs (physics/ionic_program.h). */
#pragma once
#include "assembly/monodomain/monodomain_rows.h"

/* kind is IonicConstants.kind. Rows are cells; on the CPU a block of them at once. */
typedef struct MonodomainImportedArgs {
  MonodomainFirstArgs first;
  IonicProgram program;
  int32_t kind;
} MonodomainImportedArgs;
HD void monodomain_first_imported_body(const MonodomainImportedArgs *a, int64_t k, double *sum) {
  (void)sum;
  const MonodomainFirstArgs *s = &a->first;
  const MonodomainCells *cells = &s->cells;
  if (monodomain_idle(cells->when) || monodomain_constants(cells, k)->kind != a->kind) return;
  const int64_t i = s->node ? s->node[k] : k, other = *cells->turn ? 0 : cells->size;
  const double V = s->V[i], stimulus = s->current[i];
  double f = 0, gradient = 0;
  IonicLanes lane;
  lane.from = cells->state + k + (cells->size - other);
  lane.to = cells->state + k + other;
  lane.stride = cells->stride;
  lane.n = 1;
  lane.on = 0;
  lane.dt = cells->numbers[3];
  ionic_program_cell(&a->program, &lane, &V, &stimulus, &f, &gradient);
  s->gradient[k] = gradient;
  s->force[k] = f - cells->numbers[0] * gradient * V;
}
#ifndef __CUDACC__
/* Cells k, k + 1, ... of a block. */
static inline __attribute__((unused)) void monodomain_first_block(const MonodomainImportedArgs *a, int64_t k,
                                                                  int32_t n) {
  const MonodomainFirstArgs *s = &a->first;
  const MonodomainCells *cells = &s->cells;
  const int64_t other = *cells->turn ? 0 : cells->size;
  double V[IONIC_BLOCK], stimulus[IONIC_BLOCK], f[IONIC_BLOCK], gradient[IONIC_BLOCK];
  uint8_t on[IONIC_BLOCK] = {0};
  int32_t n_on = 0;
  for (int32_t l = 0; l < IONIC_BLOCK; ++l) {
    const int64_t at = k + (l < n ? l : 0), i = s->node ? s->node[at] : at;
    V[l] = s->V[i];
    stimulus[l] = s->current[i];
    if (l < n) on[l] = monodomain_constants(cells, at)->kind == a->kind, n_on += on[l];
  }
  if (n_on == 0) return;
  const IonicLanes lanes = {.from = cells->state + k + (cells->size - other),
                            .to = cells->state + k + other,
                            .stride = cells->stride,
                            .n = n,
                            .on = n_on < n ? on : NULL,
                            .dt = cells->numbers[3]};
  ionic_program_block(&a->program, &lanes, V, stimulus, f, gradient);
  for (int32_t l = 0; l < n; ++l) {
    if (!on[l]) continue;
    s->gradient[k + l] = gradient[l];
    s->force[k + l] = f[l] - cells->numbers[0] * gradient[l] * V[l];
  }
}
static inline __attribute__((unused)) void monodomain_first_imported_span(const MonodomainImportedArgs *a,
                                                                          int64_t begin, int64_t end) {
  if (monodomain_idle(a->first.cells.when)) return;
  for (int64_t k = begin; k < end; k += IONIC_BLOCK)
    monodomain_first_block(a, k, end - k < IONIC_BLOCK ? (int32_t)(end - k) : IONIC_BLOCK);
}
#endif
