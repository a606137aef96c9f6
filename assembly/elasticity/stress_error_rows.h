/* Row kernels of the error of the stress, estimated by how far the stress of an element is from the smoother one that the
 * averages at its nodes give (Zienkiewicz and Zhu, International Journal for Numerical Methods in Engineering 24, 1987,
 * 337-357), in the norm of the energy and, by element, in that of the stress tensor. Both are multiplied by what the true error
 * of such elements was found to be of the estimate (docs/results.md). For C and CUDA. */
#pragma once
#include "assembly/elasticity/recover_rows.h"

/* Energy of a stress s: square s : s - trace tr(s)^2. */
typedef struct StressEnergy {
  double square, trace;
} StressEnergy;

/* One block of elements; results as in RecoverArgs, whose volume is shared out by the weights of the rule. */
typedef struct StressErrorArgs {
  RecoverNodeArgs nodes; /* of the averages; stress, and others where there are interfaces */
  const RecoverBlock *block;
  const int32_t *row_of; /* [n_node] row of the gather map; NULL: no interfaces */
  const double *seen;    /* where ranks share: averages of one material, as StressSeenArgs; elements of others rest */
  int64_t seen_step;
  int32_t width, material;
  const int32_t *node; /* node a of element e: node[a * node_a + e * node_e] */
  int64_t node_a, node_e;
  int32_t n_node_element;
  const double *N, *weight;   /* [n_q][nodes per element], [n_q] */
  const StressEnergy *energy; /* [n_material] */
  double factor;              /* of the true error, squared */
  double *error;              /* [n_elem], root of the mean square over the element */
  double *share, *square;     /* [n_elem] energy of the error, and of the stress */
} StressErrorArgs;

/* The average at a node that an element of this material sees. */
HD void stress_error_node(const StressErrorArgs *s, const int32_t i, const int32_t material, double out[6]) {
  if (s->seen) {
    for (int c = 0; c < 6; ++c) out[c] = s->seen[c / s->width * s->seen_step + (int64_t)i * s->width + c % s->width];
    return;
  }
  const double *stress = s->nodes.stress + 6 * (int64_t)(s->nodes.to ? s->nodes.to[i] : i);
  const int64_t row = s->row_of ? s->row_of[i] : 0;
  if (s->row_of && s->nodes.others[row] > 0) recover_average(&s->nodes, row, material, AVERAGE_STRESS, out);
  else
    for (int c = 0; c < 6; ++c) out[c] = stress[c];
}

HD double stress_error_square(const double s[6]) {
  return s[0] * s[0] + s[1] * s[1] + s[2] * s[2] + 2 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]);
}

HD double stress_error_energy(const StressEnergy *by, const double s[6]) {
  const double trace = s[0] + s[1] + s[2];
  return by->square * stress_error_square(s) - by->trace * trace * trace;
}

HD void stress_error_body(const StressErrorArgs *s, int64_t e, double *sum) {
  (void)sum;
  const RecoverBlock *b = s->block;
  const int64_t at = b->element ? b->element[e] : e;
  const StressEnergy *by = s->energy + b->material[e];
  double node[27][6], total = 0, error = 0, share = 0, square = 0;
  if (s->seen && b->material[e] != s->material) return;
  for (int32_t a = 0; a < s->n_node_element; ++a)
    stress_error_node(s, s->node[a * s->node_a + e * s->node_e], b->material[e], node[a]);
  for (int32_t q = 0; q < b->n_q; ++q) {
    const double *point = b->point + 6 * (at * b->n_q + q), *N = s->N + (int64_t)q * s->n_node_element;
    double d[6];
    for (int c = 0; c < 6; ++c) {
      d[c] = 0 - point[c];
      for (int32_t a = 0; a < s->n_node_element; ++a) d[c] += N[a] * node[a][c];
    }
    total += s->weight[q];
    error += s->weight[q] * stress_error_square(d);
    share += s->weight[q] * stress_error_energy(by, d);
    square += s->weight[q] * stress_error_energy(by, point);
  }
  s->error[at] = sqrt(s->factor * error / total);
  s->share[at] = b->volume[at] * s->factor * share / total;
  s->square[at] = b->volume[at] * square / total;
}

/* Averages of one material at own nodes, in vectors of `width` scalars a node, as halos are exchanged; of nodes that no
 * such element touches 0. */
typedef struct StressSeenArgs {
  RecoverNodeArgs nodes;
  double *seen; /* [6 / width] vectors, step numbers apart */
  int64_t step;
  int32_t width, material;
} StressSeenArgs;
HD void stress_seen_body(const StressSeenArgs *s, int64_t row, double *sum) {
  (void)sum;
  const int64_t i = s->nodes.node[row];
  double stress[6];
  recover_average(&s->nodes, row, s->material, AVERAGE_STRESS, stress);
  for (int c = 0; c < 6; ++c) s->seen[c / s->width * s->step + i * s->width + c % s->width] = stress[c];
}

/* row_of of the nodes. */
typedef struct StressErrorRowArgs {
  const int32_t *node; /* [n_row] */
  int32_t *row_of;
} StressErrorRowArgs;
HD void stress_error_row_body(const StressErrorRowArgs *s, int64_t row, double *sum) {
  (void)sum;
  s->row_of[s->node[row]] = (int32_t)row;
}

/* The largest of `share` among STRESS_ERROR_RUN elements, and whose it is: the first of equal ones. */
enum { STRESS_ERROR_RUN = 256 };
typedef struct StressErrorMostArgs {
  int64_t n;
  const double *share;
  double *most;   /* [rows] */
  int32_t *where; /* [rows] */
} StressErrorMostArgs;
HD void stress_error_most_body(const StressErrorMostArgs *s, int64_t row, double *sum) {
  (void)sum;
  const int64_t first = row * STRESS_ERROR_RUN, left = s->n - first,
                end = left < STRESS_ERROR_RUN ? s->n : first + STRESS_ERROR_RUN;
  int64_t at = first;
  for (int64_t e = first + 1; e < end; ++e)
    if (s->share[e] > s->share[at]) at = e;
  s->most[row] = s->share[at];
  s->where[row] = (int32_t)at;
}
