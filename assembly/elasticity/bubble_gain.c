/* How much of the energy of plain elements bubbles would take: what they are too stiff by in bending. */
#include "assembly/elasticity/bubble.h"
#include "assembly/elasticity/elasticity_data.h"

/* Elements that could have bubbles and have nothing in their place. */
static bool is_plain(const Elasticity *p, int32_t k) {
  const SetBlock *b = &p->space->set.block[k];
  return b->n > 0 && b->type->bubbles && !p->points.bubbles[k] && !p->points.mean_modes[k];
}

bool elasticity_is_plain(const Elasticity *p) {
  bool any = false;
  for (int32_t k = 0; k < p->space->set.n_solved_block; ++k) any |= is_plain(p, k);
  return any;
}

/* Of the elements of block k, to gain [n_elem]. */
static Status block_gain(const Elasticity *p, int32_t k, const double *u, double *gain) {
  const Space *s = p->space;
  const ElementArgs element = elasticity_element_args(p, k, u);
  const double *N = s->block[k].stiffness.N;
  BubbleGainArgs args = {p->points.any_row ? points_heated_args(&p->points, k, &element, N)
                                           : points_args(&p->points, k, 0, &element, N),
                         gain};
  double *table = NULL;
  int64_t n = 0;
  Status status;
  TRY_DONE(bubbles_table(s->exec, s->set.block[k].type, &n, &table));
  args.p.bubble = table;
  args.p.dt = 0; /* as the step ended */
  TRY_DONE(exec_rows(s->exec, p->dim == 2 ? &bubble_gain_2_kernel : &bubble_gain_3_kernel, &args, element.n_elem));
  TRY_DONE(exec_sync(s->exec));
done:
  EXEC_RELEASE(s->exec, table, n);
  return status;
}

Status elasticity_bending_gain(Elasticity *p, const double *u, double *each, double *gain) {
  const Space *s = p->space;
  const int64_t n = s->set.n_solved;
  double *here = NULL;
  Status status = OK;
  TRY(elasticity_global_frame(p, &u));
  TRY_DONE(exec_alloc(s->exec, n + 1, sizeof *here, "energy of bending", (void **)&here));
  TRY_DONE(exec_zero(s->exec, here, (size_t)(n + 1) * sizeof *here));
  for (int32_t k = 0; k < s->set.n_solved_block; ++k)
    if (is_plain(p, k)) TRY_DONE(block_gain(p, k, u, here + p->points.first_element[k]));
  const RecoverTotalArgs add = {here, here + n};
  TRY_DONE(exec_rows(s->exec, &recover_total_kernel, &add, n));
  TRY_DONE(exec_download(s->exec, gain, here + n, sizeof *gain));
  if (each) TRY_DONE(exec_download(s->exec, each, here, (size_t)n * sizeof *each));
done:
  EXEC_RELEASE(s->exec, here, n + 1);
  return status;
}
