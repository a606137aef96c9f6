/* The row kernels of nonlinear.def for the CPU, and which kernels a block of elements takes. */
#include "assembly/elasticity/point_kernels.h"
#include "assembly/elasticity/bubble.h"
#include "assembly/elasticity/mean.h"
#include "assembly/elasticity/rows.h"
#include "assembly/elasticity/tangent.h"

/* Rows [begin, end) of n_elem * n_node: the elements whose first row, counted element by element, lies there. A law is
 * asked once for all nodes of its element, as on a GPU by tangents_in_parts. */
static void nonlinear_pairs_range(const void *args, int64_t begin, int64_t end, double *sum) {
  (void)sum;
  const PointArgs s = *(const PointArgs *)args;
  const int64_t per = s.n_node;
  double K[378 * 9];
  for (int64_t e = (begin + per - 1) / per; e * per < end; ++e)
    if (s.dim == 2) point_pairs(s.n_node, 2, true, &s, e, 0, s.n_node, K);
    else point_pairs(s.n_node, 3, true, &s, e, 0, s.n_node, K);
}

static const RowKernel nonlinear_pairs_kernel = {"nonlinear_pairs", 0, sizeof(PointArgs), nonlinear_pairs_range, 0};

#include "core/rows.h"
#include "assembly/elasticity/nonlinear.def"
#include "core/rows_end.h"

#define PICK point_pairs
#include "assembly/space/pick_kernel.tmpl.h"
#define PICK point_force
#include "assembly/space/pick_kernel.tmpl.h"
#define PICK point_recover
#include "assembly/space/pick_kernel.tmpl.h"

Status point_kernels_pairs(Exec *exec, ElementKind kind, const PointArgs *args) {
  TRY(bubbles_modes(exec, args));
  if (args->room)
    return tangents_in_parts(exec, args->mean_modes ? &mean_tangent_kernel : &nonlinear_tangent_kernel, kind, args);
  return exec_rows(exec,
                   args->mean_modes  ? &mean_pairs_kernel
                   : args->nonlinear ? &nonlinear_pairs_kernel
                                     : point_pairs_kernel(kind),
                   args, (int64_t)args->e.n_elem * args->n_node);
}

Status point_kernels_force(Exec *exec, ElementKind kind, const PointArgs *args) {
  TRY(bubbles_modes(exec, args));
  if (args->bubble) TRY(bubbles_force(exec, args));
  if (args->bubble && !(args->nonlinear && args->law_row)) return OK;
  if (args->room && args->mean_modes) {
    const ForceArgs more = {.each = force_point(args->dim, args->mean_modes), .checks = 1};
    return forces_in_parts(exec, &mean_stress_kernel, NULL, args, &more);
  }
  return exec_rows(exec,
                   args->mean_modes  ? &mean_force_kernel
                   : args->nonlinear ? &nonlinear_force_kernel
                                     : point_force_kernel(kind),
                   args, args->e.n_elem);
}

Status point_kernels_recover(Exec *exec, ElementKind kind, const RecoverArgs *args) {
  TRY(bubbles_modes(exec, &args->p));
  if (args->p.bubble) TRY(bubbles_recover(exec, args));
  if (args->p.bubble && !(args->p.nonlinear && args->p.law_row)) return OK;
  TRY(mean_heads(exec, &args->p));
  return exec_rows(exec,
                   args->p.mean_modes  ? &mean_recover_kernel
                   : args->p.nonlinear ? &nonlinear_recover_kernel
                                       : point_recover_kernel(kind),
                   args, args->p.e.n_elem);
}
