/* What the body does to its cells: conduction in space, and channels that stretch opens, by where it is at the end of its last
 * step. docs/theory/electromechanics.md. */
#include "app/electromechanics/coupled.h"
#include "core/memory.h"

Status feedback_create(CoupledCells *k) {
  const Heart *h = &k->heart;
  CoupledFeedback *f = &k->feedback;
  const DeformedParams params = {.element = heart_setup(&k->setup)->deformed,
                                 .conducts = h->c->conduction.value != 0,
                                 .opens = heart_opens(h->c),
                                 .n_level = k->n_level,
                                 .level = k->level};
  if (!params.element) return OK;
  TRY(deformed_create(h->diffusion, &params, &f->deformed));
  f->conducts = params.conducts;
  if (!params.opens) return OK;
  EXEC_ALLOC(h->exec, f->open, h->n_read, "channels that stretch opens");
  EXEC_ALLOC(h->exec, f->level, h->n_read, "channels that stretch opens");
  TRY(exec_zero(h->exec, f->open, (size_t)h->n_read * sizeof *f->open));
  TRY(exec_zero(h->exec, f->level, (size_t)h->n_read * sizeof *f->level));
  return monodomain_open(h->monodomain, f->open, f->level);
}

void feedback_destroy(CoupledCells *k) {
  CoupledFeedback *f = &k->feedback;
  if (!k->heart.exec) return;
  EXEC_RELEASE(k->heart.exec, f->open, k->heart.n_read);
  EXEC_RELEASE(k->heart.exec, f->level, k->heart.n_read);
  deformed_destroy(&f->deformed);
}

Status coupled_cells_see(CoupledCells *k, const double *moved) {
  const Heart *h = &k->heart;
  CoupledFeedback *f = &k->feedback;
  if (!f->deformed) return OK;
  TRY(exec_copy(h->exec, deformed_moved(f->deformed), moved, 3 * (size_t)k->n * sizeof *moved));
  TRY(deformed_see(f->deformed));
  if (f->open) TRY(deformed_open(f->deformed, h->mass, f->open, f->level));
  if (!f->conducts) return OK;
  TRY(diffusion_operators(h->diffusion, mat_values(h->stiffness), NULL));
  TRY_CONTEXT(stepper_stiffness(h->stepper), "while cells conduct in the body as it is deformed");
  return OK;
}
