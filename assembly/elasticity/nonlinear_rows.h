/* point_rows.h and recover_rows.h for laws that are not linear and for finite strain, for C and CUDA: one kernel for
 * elements of all kinds, whose number of nodes is no constant. ptxas compiles what a kernel calls again for each kernel,
 * and all materials take it 8 s; what a point costs lies in its law. Element matrices: tangent_rows.h on a GPU,
 * point_kernels.c on a CPU. */
#pragma once
#include "assembly/elasticity/recover_rows.h"

/* Compiled once: beside the calls of materials, loops over nodes are little. */
MATERIAL_CALL void nonlinear_force_2(const PointArgs *s, int64_t e) { point_force(s->n_node, 2, true, s, e); }
MATERIAL_CALL void nonlinear_force_3(const PointArgs *s, int64_t e) { point_force(s->n_node, 3, true, s, e); }
MATERIAL_CALL void nonlinear_recover_2(const RecoverArgs *s, int64_t e) {
  recover_points(s->p.n_node, 2, true, false, s, e);
}
MATERIAL_CALL void nonlinear_recover_3(const RecoverArgs *s, int64_t e) {
  recover_points(s->p.n_node, 3, true, false, s, e);
}

/* Rows are elements. */
HD void nonlinear_force_body(const PointArgs *s, int64_t e, double *sum) {
  (void)sum;
  if (s->dim == 2) nonlinear_force_2(s, e);
  else nonlinear_force_3(s, e);
}
HD void nonlinear_recover_body(const RecoverArgs *s, int64_t e, double *sum) {
  (void)sum;
  if (s->p.dim == 2) nonlinear_recover_2(s, e);
  else nonlinear_recover_3(s, e);
}
