/* point_rows.h and recover_rows.h for laws that are not linear and for finite strain, for C and CUDA: one kernel for
 * elements of all kinds, whose number of nodes is no constant. ptxas compiles what a kernel calls again for each kernel,
 * and all materials take it 8 s; what a point costs lies in its law and in the 81 numbers of its tangent. */
#pragma once
#include "assembly/elasticity/recover_rows.h"

/* Nodes of a row of pairs: a law is asked once for all of them, and a thread keeps their blocks (8 of hex8, 1 of
 * hex27). */
enum { NONLINEAR_PAIRS = 36 };
HD int nonlinear_nodes(const int n) {
  int nodes = 1;
  while (nodes < n && point_pairs_before(n, nodes + 1) <= NONLINEAR_PAIRS) ++nodes;
  return nodes;
}
HD int nonlinear_chunks(const int n) { return (n + nonlinear_nodes(n) - 1) / nonlinear_nodes(n); }

/* Row i = chunk * n_elem + e. */
HD void nonlinear_chunk(const int dim, const PointArgs *s, const int64_t i) {
  double K[NONLINEAR_PAIRS * 9];
  const int chunk = (int)((uint32_t)i / (uint32_t)s->e.n_elem), nodes = nonlinear_nodes(s->n_node);
  const int first = chunk * nodes, end = first + nodes < s->n_node ? first + nodes : s->n_node;
  point_pairs(s->n_node, dim, true, s, i - (int64_t)chunk * s->e.n_elem, first, end, K);
}

/* Compiled once: beside the calls of materials, loops over nodes are little. */
MATERIAL_CALL void nonlinear_pairs_2(const PointArgs *s, int64_t i) { nonlinear_chunk(2, s, i); }
MATERIAL_CALL void nonlinear_pairs_3(const PointArgs *s, int64_t i) { nonlinear_chunk(3, s, i); }
MATERIAL_CALL void nonlinear_force_2(const PointArgs *s, int64_t e) { point_force(s->n_node, 2, true, s, e); }
MATERIAL_CALL void nonlinear_force_3(const PointArgs *s, int64_t e) { point_force(s->n_node, 3, true, s, e); }
MATERIAL_CALL void nonlinear_recover_2(const RecoverArgs *s, int64_t e) {
  recover_points(s->p.n_node, 2, true, false, s, e);
}
MATERIAL_CALL void nonlinear_recover_3(const RecoverArgs *s, int64_t e) {
  recover_points(s->p.n_node, 3, true, false, s, e);
}

/* Rows of forces and of results are elements. */
HD void nonlinear_pairs_body(const PointArgs *s, int64_t i, double *sum) {
  (void)sum;
  if (s->dim == 2) nonlinear_pairs_2(s, i);
  else nonlinear_pairs_3(s, i);
}
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
