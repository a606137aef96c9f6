/* Row kernels of what points remember, for C and CUDA: averages at nodes and means of elements of the states that the last
 * accepted step ended with. Rows are in the solver's order; what they leave is in the mesh's. */
#pragma once
#include "assembly/elasticity/recover_rows.h"

/* n states by name: state index[material n + i] of the points of a material is the i-th of them; -1: it has none such. */
typedef struct StateChoice {
  int32_t n;
  const int32_t *index;
  const double *old; /* [n_state][n_point] */
  int64_t n_point;
} StateChoice;

/* Elements of a block. */
typedef struct RecoverStateArgs {
  StateChoice of;
  const int32_t *element; /* as in RecoverArgs */
  const int32_t *material;
  const double *weight; /* [n_q] of the quadrature */
  int32_t n_q;
  int64_t point_first, point_q, n_item; /* as in PointArgs; items of an array */
  double *out;                          /* [n][n_item], of the block's first element */
} RecoverStateArgs;

HD void recover_state_body(const RecoverStateArgs *s, int64_t e, double *sum) {
  const int64_t at = s->element ? s->element[e] : e;
  (void)sum;
  for (int i = 0; i < s->of.n; ++i) {
    const int32_t j = s->of.index[s->material[e] * s->of.n + i];
    double value = 0, whole = 0;
    for (int q = 0; q < s->n_q && j >= 0; ++q) {
      value += s->weight[q] * s->of.old[j * s->of.n_point + s->point_first + q * s->point_q + e];
      whole += s->weight[q];
    }
    s->out[i * s->n_item + at] = j < 0 ? 0 : value / whole;
  }
}

/* At the points of each element: out[n][n_item], each [n_elem][n_q] of the block's first element. */
HD void recover_state_points_body(const RecoverStateArgs *s, int64_t e, double *sum) {
  const int64_t at = s->element ? s->element[e] : e;
  (void)sum;
  for (int i = 0; i < s->of.n; ++i) {
    const int32_t j = s->of.index[s->material[e] * s->of.n + i];
    for (int q = 0; q < s->n_q; ++q)
      s->out[i * s->n_item + at * s->n_q + q] =
          j < 0 ? 0 : s->of.old[j * s->of.n_point + s->point_first + q * s->point_q + e];
  }
}

/* As the stress of recover_average: of the material with the lowest number at the node, by the volumes of its elements, without images, as
 * some states are parts of tensors. */
typedef struct RecoverStateNodeArgs {
  RecoverNodeArgs nodes;
  StateChoice of;
  int64_t n_node;
  double *out; /* [n][n_node] */
} RecoverStateNodeArgs;

HD double recover_state_average(const RecoverStateNodeArgs *s, const int64_t row, const int32_t material,
                                const int32_t j) {
  RecoverTouch t = {NULL, 0, 0, 0, 0, NULL};
  double sum = 0, weight = 0;
  while (recover_touch(&s->nodes, row, &t) && !t.turn) {
    const RecoverBlock *b = t.block;
    if (b->material[t.e] != material) continue;
    const double volume = b->volume[b->element ? b->element[t.e] : t.e];
    const double *E = b->extrapolate + t.a * b->n_q, *old = s->of.old + j * s->of.n_point + b->state_first + t.e;
    double value = 0;
    for (int32_t q = 0; q < b->n_q; ++q) value += E[q] * old[q * b->state_q];
    weight += volume;
    sum += volume * value;
  }
  return weight > 0 ? sum / weight : 0;
}

HD void recover_state_nodes_body(const RecoverStateNodeArgs *s, int64_t row, double *sum) {
  const int64_t i = s->nodes.node[row], at = s->nodes.to ? s->nodes.to[i] : i;
  const int32_t material = recover_next_material(&s->nodes, row, -1);
  (void)sum;
  for (int k = 0; k < s->of.n; ++k) {
    const int32_t j = material < 0 ? -1 : s->of.index[material * s->of.n + k];
    s->out[k * s->n_node + at] = j < 0 ? 0 : recover_state_average(s, row, material, j);
  }
}

/* What a node has had in a beat, [BEAT_PEAKS][n]: the largest stretch of its fibres, that where a cavity held least, the largest tension,
 * and when. */
enum { PEAK_STRETCH, PEAK_AT_LEAST, PEAK_TENSION, PEAK_TENSION_TIME, BEAT_PEAKS };
typedef struct BeatPeakArgs {
  const double *stretch, *tension; /* now, at */
  double time;                     /* from the begin of the beat */
  int32_t first, least;            /* the beat begins; the cavity has never held less in it */
  int64_t n;
  double *peak;
} BeatPeakArgs;
HD void beat_peak_body(const BeatPeakArgs *s, int64_t i, double *sum) {
  double *most = s->peak + PEAK_STRETCH * s->n + i, *pull = s->peak + PEAK_TENSION * s->n + i;
  (void)sum;
  if (s->first || s->stretch[i] > *most) *most = s->stretch[i];
  if (s->first || s->least) s->peak[PEAK_AT_LEAST * s->n + i] = s->stretch[i];
  if (!s->first && !(s->tension[i] > *pull)) return;
  *pull = s->tension[i];
  s->peak[PEAK_TENSION_TIME * s->n + i] = s->time;
}

/* Nodes: the strain along a direction. */
typedef struct StrainAlongArgs {
  const double *strain, *direction; /* [][6] with twice the tensor's shear, [][3] */
  double *value;
} StrainAlongArgs;
HD void strain_along_body(const StrainAlongArgs *s, int64_t i, double *sum) {
  const double *E = s->strain + 6 * i, *d = s->direction + 3 * i;
  (void)sum;
  s->value[i] = E[0] * d[0] * d[0] + E[1] * d[1] * d[1] + E[2] * d[2] * d[2] + E[3] * d[0] * d[1] + E[4] * d[1] * d[2] +
                E[5] * d[0] * d[2];
}
