/* Row kernels of what a solution gives, for C and CUDA: stress, volume and energy of elements, averages at nodes, the
 * displacement and the reactions. Rows are in the solver's order; what they leave is in the mesh's. */
#pragma once
#include "assembly/elasticity/mean_element.h"
#include "assembly/elasticity/recover_touch.h"

/* One block of elements. Results of element e belong to number element[e] of the mesh's block. */
typedef struct RecoverArgs {
  PointArgs p;
  const int32_t *element; /* [n_elem]; NULL: e */
  const uint8_t *finite;  /* [n_material], 1: the law's stress is that of the reference configuration */
  double *point;          /* [n_elem][n_q][6] stress at the integration points */
  double *strain;         /* the same of the strain; NULL: not asked for */
  double *piola;          /* likewise of the second Piola-Kirchhoff stress */
  double *fiber;       /* [n_elem][n_q] stress along axis 1 of the material, in which frames are; NULL: not asked for */
  const double *frame; /* as in RecoverBlock, as the next */
  const int32_t *frame_row;
  double *density;  /* [n_elem][n_q] energy of a volume; NULL: not asked for */
  double *jacobian; /* [n_elem] volume over that before; NULL: not asked for */
  double *volume;   /* [n_elem] */
  double *energy;   /* [n_elem] */
  double *mean;     /* [n_elem][6] mean stress; NULL: not asked for */
} RecoverArgs;

/* What is summed over the points of an element. */
typedef struct ElementSums {
  double volume, energy, mean[6], current; /* volume of the deformed element, at finite strain */
} ElementSums;

HD void element_sums_add(ElementSums *sums, const double stress[6], const double energy, const double dV) {
  sums->volume += dV;
  sums->energy += energy * dV;
  for (int k = 0; k < 6; ++k) sums->mean[k] += stress[k] * dV;
}

HD void element_sums_store(const RecoverArgs *s, const ElementSums *sums, const int64_t at) {
  s->volume[at] = sums->volume;
  s->energy[at] =
      isnan(sums->energy) ? (double)INFINITY : sums->energy; /* a square that overflowed in parts of both signs */
  if (s->jacobian) s->jacobian[at] = sums->current / sums->volume;
  for (int k = 0; s->mean && k < 6; ++k) s->mean[6 * at + k] = sums->mean[k] / sums->volume;
}

HD int64_t recover_number(const RecoverArgs *s, const int64_t e) { return s->element ? s->element[e] : e; }

/* Of the q-th point of the element that results belong to. */
HD void recover_strain(const RecoverArgs *s, const double strain[6], const int64_t at, const int q) {
  for (int k = 0; s->strain && k < 6; ++k) s->strain[6 * (at * s->p.e.n_q + q) + k] = strain[k];
}

HD void recover_density(const RecoverArgs *s, const double energy, const int64_t at, const int q) {
  if (s->density) s->density[at * s->p.e.n_q + q] = energy;
}

/* Elements of element_rows.h. n and dim are constants where this is inlined. */
HD void recover_block(const int n, const int dim, const RecoverArgs *args, const int64_t e) {
  const ElementArgs *s = &args->p.e;
  const int64_t at = recover_number(args, e);
  double x[27 * 3];
  ElementSums sums = {0, 0, {0}, 0};
  if (args->p.law_row && args->p.law_row[e] != LAW_NONE) return;
  element_coordinates(n, dim, s, e, x);
  const ElasticConstants c = s->constants[s->material[e]];
  for (int q = 0; q < s->n_q; ++q) {
    const double *dN = s->dN + (int64_t)q * n * dim;
    double inverse[9], g[3], H[9] = {0}, strain[6], *stress = args->point + 6 * (at * s->n_q + q);
    const double dV = element_inverse(n, dim, x, dN, inverse) * s->weight[q] * c.thickness;
    for (int a = 0; a < n; ++a) {
      element_gradient(dim, dN + a * dim, inverse, g);
      add_dyad(dim, s->u + (int64_t)s->nodes[a * s->node_a + e * s->node_e] * dim, g, 1, H);
    }
    elastic_strain(dim, H, strain);
    recover_strain(args, strain, at, q);
    material_stress(&c, strain, stress);
    const double energy = 0.5 * elastic_work(stress, strain);
    recover_density(args, energy, at, q);
    element_sums_add(&sums, stress, energy, dV);
  }
  element_sums_store(args, &sums, at);
}

/* The Cauchy stress of P, which is P itself where the displacement gradient is small. */
HD void point_cauchy(const double *H, const double *P, const int finite, double *stress) {
  const int row[6] = {0, 1, 2, 0, 1, 0}, column[6] = {0, 1, 2, 1, 2, 2};
  double F[9], inverse[9], J = 1;
  for (int k = 0; k < 9; ++k) F[k] = H[k] + (k % 4 == 0);
  if (finite) J = invert(3, F, inverse);
  for (int c = 0; c < 6; ++c) {
    double s = P[3 * row[c] + column[c]];
    if (finite) {
      s = 0;
      for (int k = 0; k < 3; ++k) s += P[3 * row[c] + k] * F[3 * column[c] + k];
    }
    stress[c] = s / J;
  }
}

/* Strain of Green and Lagrange from that of small displacements: E = sym H + H^T H / 2, shear twice. */
HD void point_green(const double *H, double strain[6]) {
  const int first[6] = {0, 1, 2, 0, 1, 0}, second[6] = {0, 1, 2, 1, 2, 2};
  for (int c = 0; c < 6; ++c)
    for (int k = 0; k < 3; ++k) strain[c] += (c < 3 ? 0.5 : 1) * H[3 * k + first[c]] * H[3 * k + second[c]];
}

/* S = F^-1 P. */
HD void point_piola(const double *H, const double *P, double stress[6]) {
  const int row[6] = {0, 1, 2, 0, 1, 0}, column[6] = {0, 1, 2, 1, 2, 2};
  double F[9], inverse[9];
  for (int k = 0; k < 9; ++k) F[k] = H[k] + (k % 4 == 0);
  (void)invert(3, F, inverse);
  for (int c = 0; c < 6; ++c) {
    stress[c] = 0;
    for (int k = 0; k < 3; ++k) stress[c] += inverse[3 * row[c] + k] * P[3 * k + column[c]];
  }
}

/* Axis 1 of the material, of point q of an element. */
HD const double *recover_axis(const double *frame, const int32_t *frame_row, const int64_t at, const int32_t q) {
  const int32_t row = frame_row[at];
  return frame + 9 * (int64_t)(row < 0 ? -1 - row + q : row);
}

/* The stress along what F makes of a direction. */
HD double point_along(const double *direction, const double *H, const double stress[6]) {
  double e[3], square = 0;
  for (int i = 0; i < 3; ++i) {
    e[i] = direction[i];
    for (int k = 0; k < 3; ++k) e[i] += H[3 * i + k] * direction[k];
    square += e[i] * e[i];
  }
  return (stress[0] * e[0] * e[0] + stress[1] * e[1] * e[1] + stress[2] * e[2] * e[2] +
          2 * (stress[3] * e[0] * e[1] + stress[4] * e[1] * e[2] + stress[5] * e[0] * e[2])) /
         square;
}

/* What sees H as it is comes in, so that the Cauchy stress is that of both at F as the material has been asked. */
HD void recover_local(const PointArgs *s, const int64_t e, const int q, const MeanElement *m, double *H,
                      const double grow, PointOut *out) {
  for (int k = 0; k < 9; ++k) out->P[k] *= (1 - m->local) / (grow * grow);
  out->energy *= 1 - m->local;
  if (out->fibres) (void)mean_add_part(s, PART_FIBRES, e, q, 1, H, out);
  if (m->local > 0) (void)mean_add_part(s, PART_MATRIX, e, q, m->local, H, out);
  for (int k = 0; k < 9; ++k) out->P[k] *= grow * grow;
}

/* Elements of point_rows.h, or of mean_rows.h; dim, nonlinear and mean are constants where this is inlined. */
HD void recover_points(const int n, const int dim, const bool nonlinear, const bool mean, const RecoverArgs *args,
                       const int64_t e) {
  const PointArgs *s = &args->p;
  const int64_t at = recover_number(args, e);
  double x[27 * 3], u[27 * 3], old[POINT_MAX_STATES], state[POINT_MAX_STATES];
  ElementSums sums = {0, 0, {0}, 0};
  if (s->law_row[e] == LAW_NONE) return;
  const int32_t material = s->e.material[e];
  MeanElement m;
  if (mean) {
    mean_place(n, dim, s, e, x, u, &m);
    mean_hold(s, e, &m);
  } else {
    element_coordinates(n, dim, &s->e, e, x);
    point_displacement(n, dim, &s->e, e, u);
  }
  for (int q = 0; q < s->e.n_q; ++q) {
    PointGeometry p;
    PointOut answer;
    double H[9], whole[9], strain[6], grow = 1, heat = point_heat(s, e, q),
                                      *stress = args->point + 6 * (at * s->e.n_q + q);
    answer.energy = 0;
    answer.A = NULL;
    answer.state = state;
    point_geometry(n, dim, s, x, q, s->e.constants[material].thickness, &p);
    point_gradient(n, dim, s, u, &p, H);
    if (nonlinear && !mean) point_add_modes(dim, s, s->modes, e, p.q, p.shrink, H);
    for (int k = 0; mean && k < 9; ++k) whole[k] = H[k];
    if (mean) grow = mean_gradient(n, dim, s, &m, q, H, &heat);
    (void)point_answer(nonlinear, mean ? PART_MATRIX : PART_ALL, s, e, q, heat, H, old, &answer);
    if (mean && (answer.fibres || m.local > 0)) recover_local(s, e, q, &m, whole, grow, &answer);
    elastic_strain(3, H, strain);
    if (nonlinear && s->finite) point_green(H, strain);
    recover_strain(args, strain, at, q);
    if (args->piola) point_piola(H, answer.P, args->piola + 6 * (at * s->e.n_q + q));
    if (args->jacobian) sums.current += point_determinant(H) * p.dV;
    point_cauchy(H, answer.P, args->finite[material], stress);
    if (args->fiber)
      args->fiber[at * s->e.n_q + q] = point_along(recover_axis(args->frame, args->frame_row, at, q), H, stress);
    recover_density(args, answer.energy, at, q);
    element_sums_add(&sums, stress, answer.energy, p.dV);
  }
  element_sums_store(args, &sums, at);
}

/* ---- nodes ---- */

/* Compilers contract products and sums as the place of a call allows: one body for all of them has the same bits. */
#ifdef __CUDACC__
#define RECOVER_ONCE HD
#else
#define RECOVER_ONCE static __attribute__((noinline, noclone, unused))
#endif

/* What is averaged: the last two in the axes of the material. */
enum { AVERAGE_STRESS, AVERAGE_STRAIN, AVERAGE_PIOLA, AVERAGE_FIBER, AVERAGE_STRESS_MATERIAL, AVERAGE_STRAIN_MATERIAL };

/* R v R^T, v with the tensor's shear times `shear`: its components in the axes that rows of R are. */
HD void recover_turn(const double *R, const double v[6], const double shear, double out[6]) {
  const int row[6] = {0, 1, 2, 0, 1, 0}, column[6] = {0, 1, 2, 1, 2, 2}, of[9] = {0, 3, 5, 3, 1, 4, 5, 4, 2};
  for (int c = 0; c < 6; ++c) {
    double sum = 0;
    for (int k = 0; k < 9; ++k)
      sum += R[3 * row[c] + k / 3] * R[3 * column[c] + k % 3] * v[of[k]] / (of[k] < 3 ? 1 : shear);
    out[c] = c < 3 ? sum : shear * sum;
  }
}

/* The numbers of point q of the element, which is number `at` of the results. */
HD void recover_point(const RecoverBlock *b, const int64_t at, const int32_t q, const int what, double out[6]) {
  const bool strain = what == AVERAGE_STRAIN || what == AVERAGE_STRAIN_MATERIAL;
  if (what == AVERAGE_FIBER) {
    out[0] = b->fiber[at * b->n_q + q];
    for (int c = 1; c < 6; ++c) out[c] = 0;
    return;
  }
  const double *v = (strain ? b->strain : what == AVERAGE_PIOLA ? b->piola : b->point) + 6 * (at * b->n_q + q);
  for (int c = 0; c < 6; ++c) out[c] = v[c];
  if (what < AVERAGE_STRESS_MATERIAL) return;
  recover_turn(recover_axis(b->frame, b->frame_row, at, q), v, strain ? 2 : 1, out);
}

/* Volume-weighted average of what the elements of one material extrapolate to the node. Stress jumps where materials meet: an
 * average over both is that of neither. */
RECOVER_ONCE void recover_average(const RecoverNodeArgs *s, const int64_t row, const int32_t material, const int what,
                                  double out[6]) {
  RecoverTouch t = {NULL, 0, 0, 0, 0, NULL};
  double weight = 0;
  for (int c = 0; c < 6; ++c) out[c] = 0;
  while (recover_touch(s, row, &t)) {
    const RecoverBlock *b = t.block;
    if (b->material[t.e] != material) continue;
    const int64_t at = b->element ? b->element[t.e] : t.e;
    const double volume = b->volume[at], *E = b->extrapolate + t.a * b->n_q;
    double value[6] = {0}, point[6];
    for (int32_t q = 0; q < b->n_q; ++q) {
      recover_point(b, at, q, what, point);
      for (int c = 0; c < 6; ++c) value[c] += E[q] * point[c];
    }
    if (t.turn && what < AVERAGE_FIBER) { /* axes of materials turn with them */
      for (int c = 0; c < 6; ++c) point[c] = value[c];
      recover_turn(t.turn, point, what == AVERAGE_STRAIN ? 2 : 1, value);
    }
    weight += volume;
    for (int c = 0; c < 6; ++c) out[c] += volume * value[c];
  }
  for (int c = 0; c < 6 && weight > 0; ++c) out[c] /= weight;
}

HD void recover_directions(const RecoverNodeArgs *s, const double stress[6], const int64_t at) {
  double value[3], axis[9];
  double *const out[3] = {s->direction_1, s->direction_2, s->direction_3};
  if (!out[0] && !out[1] && !out[2]) return;
  elastic_principal_axes(stress, value, axis);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; out[i] && k < 3; ++k) out[i][3 * at + k] = axis[3 * i + k];
}

/* SAFETY_UNKNOWN where the material has no strength. `local`: the stress in its axes, found where a criterion is of these. */
HD double recover_safety(const RecoverNodeArgs *s, const int64_t row, const int32_t material, const double stress[6],
                         double local[6]) {
  if (material < 0 || s->strength[material].criterion == STRENGTH_NONE) return SAFETY_UNKNOWN;
  const bool axes = s->strength[material].criterion >= STRENGTH_TSAI_HILL;
  if (axes) recover_average(s, row, material, AVERAGE_STRESS_MATERIAL, local);
  return strength_safety(&s->strength[material], axes ? local : stress);
}

/* The principal stretches, largest first, of the average of E: they are the roots of the principal values of 1 + 2 E. */
HD void recover_stretches(const RecoverNodeArgs *s, const int64_t row, const int32_t material, double out[3]) {
  double strain[6];
  recover_average(s, row, material, AVERAGE_STRAIN, strain);
  for (int c = 3; c < 6; ++c) strain[c] *= 0.5;
  elastic_principal(strain, out);
  for (int i = 0; i < 3; ++i) out[i] = sqrt(fmax(1 + 2 * out[i], 0.0));
}

HD void recover_nodes_body(const RecoverNodeArgs *s, int64_t row, double *sum) {
  (void)sum;
  const int64_t i = s->node[row], at = s->to ? s->to[i] : i;
  RecoverTouch first = {NULL, 0, 0, 0, 0, NULL};
  int32_t material = -1;
  double stress[6], local[6];
  if (s->others) material = recover_next_material(s, row, -1);
  else if (recover_touch(s, row, &first)) material = first.block->material[first.e];
  recover_average(s, row, material, AVERAGE_STRESS, stress);
  for (int c = 0; s->stress && c < 6; ++c) s->stress[6 * at + c] = stress[c];
  if (s->von_mises) s->von_mises[at] = elastic_von_mises(stress);
  if (s->principal) elastic_principal(stress, s->principal + 3 * at);
  recover_directions(s, stress, at);
  if (s->safety) s->safety[at] = recover_safety(s, row, material, stress, local);
  if (s->stress_material) recover_average(s, row, material, AVERAGE_STRESS_MATERIAL, s->stress_material + 6 * at);
  if (s->strain) recover_average(s, row, material, AVERAGE_STRAIN, s->strain + 6 * at);
  if (s->strain_material) recover_average(s, row, material, AVERAGE_STRAIN_MATERIAL, s->strain_material + 6 * at);
  if (s->piola) recover_average(s, row, material, AVERAGE_PIOLA, s->piola + 6 * at);
  if (s->fiber_stress) {
    recover_average(s, row, material, AVERAGE_FIBER, local);
    s->fiber_stress[at] = local[0];
  }
  if (s->stretches) recover_stretches(s, row, material, s->stretches + 3 * at);
  if (!s->others) return;
  int32_t n = -1;
  for (; material >= 0; material = recover_next_material(s, row, material)) ++n;
  s->others[row] = n > 0 ? n : 0;
}

/* Of a pair: its stress, the same in the axes of the material, and its safety factor; 0 where not asked for. */
enum { OTHER_MATERIAL = 6, OTHER_SAFETY = 12, OTHER_NUMBERS = 13 };

/* Rows are the pairs (row of the map, material but the lowest) at interfaces. */
typedef struct RecoverOtherArgs {
  RecoverNodeArgs nodes;
  const int32_t *row, *nth; /* the nth material above the lowest, from 1 */
  int32_t *place;           /* out, [n][2] node and material */
  double *value;            /* out, [n][OTHER_NUMBERS] */
} RecoverOtherArgs;
HD void recover_others_body(const RecoverOtherArgs *s, int64_t j, double *sum) {
  (void)sum;
  const int32_t row = s->row[j], i = s->nodes.node[row];
  int32_t material = -1;
  for (int k = 0; k <= s->nth[j]; ++k) material = recover_next_material(&s->nodes, row, material);
  s->place[2 * j] = s->nodes.to ? s->nodes.to[i] : i;
  s->place[2 * j + 1] = material;
  double *to = s->value + OTHER_NUMBERS * j, local[6];
  for (int k = OTHER_MATERIAL; k < OTHER_NUMBERS; ++k) to[k] = 0;
  recover_average(&s->nodes, row, material, AVERAGE_STRESS, to);
  if (s->nodes.stress_material) recover_average(&s->nodes, row, material, AVERAGE_STRESS_MATERIAL, to + OTHER_MATERIAL);
  if (s->nodes.safety) to[OTHER_SAFETY] = recover_safety(&s->nodes, row, material, to, local);
}

/* Strains of points, [..][6], with the tensor's shear in place of twice that. */
typedef struct RecoverTensorArgs {
  const double *strain;
  double *out;
} RecoverTensorArgs;
HD void recover_tensor_body(const RecoverTensorArgs *s, int64_t i, double *sum) {
  (void)sum;
  for (int k = 0; k < 6; ++k) s->out[6 * i + k] = (k < 3 ? 1 : 0.5) * s->strain[6 * i + k];
}

/* out[to][3] = factor v[i][dim], z = 0 in the plane. */
typedef struct RecoverVectorArgs {
  int32_t dim;
  double factor;
  const int32_t *to;
  const double *v;
  double *out;
} RecoverVectorArgs;
HD void recover_displacement_body(const RecoverVectorArgs *s, int64_t i, double *sum) {
  (void)sum;
  double *to = s->out + 3 * (int64_t)(s->to ? s->to[i] : i);
  for (int c = 0; c < 3; ++c) to[c] = c < s->dim ? s->factor * s->v[i * s->dim + c] : 0;
}

/* Force on the body from raw = f_ext - f_int: of supports along the axes, and of springs. Rows as RecoverNodeArgs. */
typedef struct RecoverReactionArgs {
  VectorGatherArgs gather; /* f: forces that displacing the facets takes; fixed and external are not used */
  uint32_t n_entry;        /* of solved blocks: those of springs follow, */
  uint32_t end_entry;      /* up to here */
  int32_t dim;
  const int32_t *to;
  const uint8_t *fixed; /* [n_node] bits of supported axes */
  const double *raw;    /* [n_node][dim] */
  double *out;          /* [n_node][3] */
} RecoverReactionArgs;
HD void recover_reaction_body(const RecoverReactionArgs *s, int64_t row, double *sum) {
  (void)sum;
  const VectorGatherArgs *g = &s->gather;
  const int64_t i = g->node[row], end = g->start[(row >> 5) + 1];
  double *out = s->out + 3 * (int64_t)(s->to ? s->to[i] : i);
  for (int c = 0; c < 3; ++c) out[c] = c < s->dim && (s->fixed[i] >> c & 1) ? 0 - s->raw[i * s->dim + c] : 0;
  for (int64_t k = g->start[row >> 5] + (row & 31); k < end && g->entry[k] != GATHER_NONE; k += 32)
    if (g->entry[k] >= s->n_entry && g->entry[k] < s->end_entry)
      for (int c = 0; c < s->dim; ++c) out[c] -= g->f[g->entry[k] * g->entry_step + c * g->component_step];
}

/* The same of supports in frames of their own, added; rows are nodes that have one. */
typedef struct RecoverFrameArgs {
  FramesArgs frames; /* v: raw */
  const int32_t *to;
  double *out;
} RecoverFrameArgs;
HD void recover_frames_body(const RecoverFrameArgs *s, int64_t row, double *sum) {
  (void)sum;
  const int32_t i = s->frames.node[row], dim = s->frames.size;
  const double *R = s->frames.frame + 9 * row, *raw = s->frames.v + (int64_t)i * dim;
  double *out = s->out + 3 * (int64_t)(s->to ? s->to[i] : i);
  for (int c = 0; c < dim; ++c) {
    double force = 0;
    if (!(s->frames.fixed[row] >> c & 1)) continue;
    for (int k = 0; k < dim; ++k) force -= R[3 * k + c] * raw[k];
    for (int k = 0; k < dim; ++k) out[k] += force * R[3 * k + c];
  }
}

/* *out = sum of v, or how many of them are not finite. */
typedef struct RecoverTotalArgs {
  const double *v;
  double *out;
} RecoverTotalArgs;
HD void recover_total_body(const RecoverTotalArgs *s, int64_t i, double sum[]) { sum[0] += s->v[i]; }
HD void recover_total_finish(const RecoverTotalArgs *s, const double sum[]) { *s->out = sum[0]; }
HD void recover_not_finite_body(const RecoverTotalArgs *s, int64_t i, double sum[]) { sum[0] += !isfinite(s->v[i]); }
HD void recover_not_finite_finish(const RecoverTotalArgs *s, const double sum[]) { *s->out = sum[0]; }

/* recover_hex8_body, point_recover_hex8_body, ... */
#define ELEMENT_KERNELS_0(name, n_node)
#define ELEMENT_KERNELS_1(name, n_node)
#define ELEMENT_KERNELS_2(name, n_node) ELEMENT_KERNELS(name, n_node, 2)
#define ELEMENT_KERNELS_3(name, n_node) ELEMENT_KERNELS(name, n_node, 3)
#define ELEMENT(KIND, name, dim, n_node) ELEMENT_KERNELS_##dim(name, n_node)
#define ELEMENT_KERNELS(name, n_node, dim)                                                                             \
  HD void recover_##name##_body(const RecoverArgs *s, int64_t e, double *sum) {                                        \
    (void)sum;                                                                                                         \
    recover_block(n_node, dim, s, e);                                                                                  \
  }                                                                                                                    \
  HD void point_recover_##name##_body(const RecoverArgs *s, int64_t e, double *sum) {                                  \
    (void)sum;                                                                                                         \
    recover_points(n_node, dim, false, false, s, e);                                                                   \
  }
#include "mesh/elements/elements.def"
#undef ELEMENT
#undef ELEMENT_KERNELS
