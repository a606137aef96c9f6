/* Stresses and energies of a solution, on the host: at integration points, per element, at nodes. */
#include "assembly/elasticity/elasticity_data.h"
#include "assembly/space/extrapolate.h"
#include "assembly/space/small_matrix.h"
#include "core/memory.h"

#include "physics/material.h"

#include <math.h>
#include <string.h>

/* What one element gives. */
typedef struct ElementResult {
  double (*stress)[6]; /* out, [n_q] */
  double volume, energy, mean[6];
} ElementResult;

/* n and dim are constants where this is inlined; the kinematics are those of element_rows.h. */
HD void element_result(const int n, const int dim, const ElementArgs *s, const int64_t e, ElementResult *out) {
  double x[27 * 3];
  element_coordinates(n, dim, s, e, x);
  const ElasticConstants c = s->constants[s->material[e]];
  out->volume = out->energy = 0;
  for (int k = 0; k < 6; ++k) out->mean[k] = 0;
  for (int q = 0; q < s->n_q; ++q) {
    const double *dN = s->dN + (int64_t)q * n * dim;
    double inverse[9], g[3], H[9] = {0}, strain[6];
    const double dV = element_inverse(n, dim, x, dN, inverse) * s->weight[q] * c.thickness;
    for (int a = 0; a < n; ++a) {
      element_gradient(dim, dN + a * dim, inverse, g);
      add_dyad(dim, s->u + (int64_t)s->nodes[a * s->node_a + e * s->node_e] * dim, g, 1, H);
    }
    elastic_strain(dim, H, strain);
    material_stress(&c, strain, out->stress[q]);
    out->volume += dV;
    out->energy += 0.5 * elastic_work(out->stress[q], strain) * dV;
    for (int k = 0; k < 6; ++k) out->mean[k] += out->stress[q][k] * dV;
  }
  if (isnan(out->energy)) out->energy = INFINITY; /* a square that overflowed in parts of both signs */
  for (int k = 0; k < 6; ++k) out->mean[k] /= out->volume;
}

/* The Cauchy stress of P, which is P itself where the displacement gradient is small. */
static void point_cauchy(const double *H, const double *P, bool finite, double stress[6]) {
  static const int row[6] = {0, 1, 2, 0, 1, 0}, column[6] = {0, 1, 2, 1, 2, 2};
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

/* The same for elements of point_rows.h. */
HD void point_result(const int n, const int dim, const PointArgs *s, const int64_t e, ElementResult *out) {
  double x[27 * 3], u[27 * 3], old[POINT_MAX_STATES], state[POINT_MAX_STATES];
  const ElasticConstants *c = s->e.constants + s->e.material[e];
  const bool finite = material_type(c->kind)->shape.finite;
  element_coordinates(n, dim, &s->e, e, x);
  point_displacement(n, dim, &s->e, e, u);
  out->volume = out->energy = 0;
  for (int k = 0; k < 6; ++k) out->mean[k] = 0;
  for (int q = 0; q < s->e.n_q; ++q) {
    PointGeometry p;
    PointOut answer = {.state = state};
    double H[9];
    point_geometry(n, dim, s, x, q, c->thickness, &p);
    point_gradient(n, dim, s, u, &p, H);
    (void)point_answer(s, e, q, H, old, &answer);
    point_cauchy(H, answer.P, finite, out->stress[q]);
    out->volume += p.dV;
    out->energy += answer.energy * p.dV;
    for (int k = 0; k < 6; ++k) out->mean[k] += out->stress[q][k] * p.dV;
  }
  if (isnan(out->energy)) out->energy = INFINITY;
  for (int k = 0; k < 6; ++k) out->mean[k] /= out->volume;
}

#define RESULT_0(name, n_node)
#define RESULT_1(name, n_node)
#define RESULT_2(name, n_node) RESULT(name, n_node, 2)
#define RESULT_3(name, n_node) RESULT(name, n_node, 3)
#define ELEMENT(KIND, name, dim, n_node) RESULT_##dim(name, n_node)
#define RESULT(name, n_node, dim)                                                                                      \
  static void result_##name(const PointArgs *s, int64_t e, ElementResult *out) {                                       \
    if (s->law_row && s->law_row[e] != LAW_NONE) point_result(n_node, dim, s, e, out);                                 \
    else element_result(n_node, dim, &s->e, e, out);                                                                   \
  }
#include "mesh/elements/elements.def"
#undef ELEMENT
#undef RESULT

typedef void (*ResultFunction)(const PointArgs *s, int64_t e, ElementResult *out);
static ResultFunction result_of(ElementKind kind) {
  switch (kind) {
#define RESULT_CASE_0(KIND, name)
#define RESULT_CASE_1(KIND, name)
#define RESULT_CASE_2(KIND, name)                                                                                      \
  case ELEMENT_##KIND:                                                                                                 \
    return result_##name;
#define RESULT_CASE_3(KIND, name) RESULT_CASE_2(KIND, name)
#define ELEMENT(KIND, name, dim, n_node) RESULT_CASE_##dim(KIND, name)
#include "mesh/elements/elements.def"
#undef ELEMENT
  default: return NULL;
  }
}

/* Results of all solved elements; arrays owned. */
typedef struct StressWork {
  double (*point)[6];                      /* [point_start of the end] */
  int64_t *point_start;                    /* [n_solved + 1] */
  double *volume;                          /* [n_solved] */
  double *energy;                          /* [n_solved] */
  double (*mean)[6];                       /* [n_solved] */
  double *extrapolate[ELEMENT_SET_BLOCKS]; /* [n_node][n_q] of each block */
  double *old;                             /* states of the materials, or NULL */
  int32_t first[ELEMENT_SET_BLOCKS];       /* solved index of a block's first element */
} StressWork;

static Status block_results(const Elasticity *p, int32_t k, const double *u, StressWork *w) {
  Status status = OK;
  const SetBlock *b = &p->space->set.block[k];
  double *dN = NULL, *N = NULL;
  Quadrature rule;
  TRY_DONE(element_stiffness_quadrature(b->type, &rule));
  TRY_DONE(reference_gradients(b->type, &rule, &dN));
  ALLOC_DONE(N, (int64_t)rule.n * b->type->n_node, "shape functions");
  element_tabulate(b->type, &rule, N, NULL);
  ALLOC_DONE(w->extrapolate[k], b->type->n_node * rule.n, "extrapolation of stress");
  TRY_DONE(extrapolation_matrix(b->type, &rule, w->extrapolate[k]));
  const ElementArgs element = {.n_elem = b->n,
                               .n_q = rule.n,
                               .nodes = b->nodes,
                               .node_a = 1,
                               .node_e = b->type->n_node,
                               .x = (const double *)p->space->mesh->x,
                               .dN = dN,
                               .weight = rule.weight,
                               .material = p->material + w->first[k],
                               .constants = p->constants,
                               .u = u};
  const PointArgs args = points_host_args(&p->points, k, &element, N, w->old);
  const ResultFunction result = result_of(b->type->kind);
#pragma omp parallel for schedule(static)
  for (int32_t e = 0; e < b->n; ++e) {
    const int32_t s = w->first[k] + e;
    ElementResult r = {.stress = w->point + w->point_start[s]};
    result(&args, e, &r);
    w->volume[s] = r.volume;
    w->energy[s] = r.energy;
    memcpy(w->mean[s], r.mean, sizeof r.mean);
  }
done:
  FREE(dN);
  FREE(N);
  return status;
}

static Status all_results(const Elasticity *p, const double *u, StressWork *w) {
  const int32_t n_solved = p->space->set.n_solved;
  ALLOC(w->point_start, (int64_t)n_solved + 1, "stress at integration points");
  int32_t s = 0;
  for (int32_t k = 0; k < p->space->set.n_solved_block; ++k) {
    w->first[k] = s;
    for (int32_t e = 0; e < p->space->set.block[k].n; ++e, ++s)
      w->point_start[s + 1] = w->point_start[s] + p->space->block[k].stiffness.n_q;
  }
  ALLOC(w->point, w->point_start[n_solved], "stress at integration points");
  ALLOC(w->volume, n_solved, "element volumes");
  ALLOC(w->energy, n_solved, "element energies");
  ALLOC(w->mean, n_solved, "element stress");
  const Space *space = p->space;
  TRY(points_old_state(space->exec, &p->points, &space->set, &space->numbering, &w->old));
  for (int32_t k = 0; k < space->set.n_solved_block; ++k) TRY(block_results(p, k, u, w));
  return OK;
}

/* Extrapolated stress of one element at its node a. */
static void stress_at(const Elasticity *p, const StressWork *w, ElementRef touch, double out[6]) {
  const int32_t n_q = p->space->block[touch.block].stiffness.n_q;
  const double *E = w->extrapolate[touch.block] + (int64_t)touch.local * n_q;
  const double(*point)[6] = (const double(*)[6])w->point + w->point_start[w->first[touch.block] + touch.element];
  for (int c = 0; c < 6; ++c) out[c] = 0;
  for (int32_t q = 0; q < n_q; ++q)
    for (int c = 0; c < 6; ++c) out[c] += E[q] * point[q][c];
}

static int32_t material_of(const Elasticity *p, const StressWork *w, ElementRef touch) {
  return p->material[w->first[touch.block] + touch.element];
}

/* The lowest material above `after` of the elements at the node, -1: none. */
static int32_t next_material(const Elasticity *p, const StressWork *w, int32_t node, int32_t after) {
  int32_t lowest = -1;
  for (int64_t t = p->space->incidence.start[node]; t < p->space->incidence.start[node + 1]; ++t) {
    if (p->space->incidence.touch[t].block >= p->space->set.n_solved_block) continue;
    const int32_t material = material_of(p, w, p->space->incidence.touch[t]);
    if (material > after && (lowest < 0 || material < lowest)) lowest = material;
  }
  return lowest;
}

/* Volume-weighted average of the elements of one material at the node. Stress jumps where materials meet: an average
 * over both is that of neither. */
static void node_stress(const Elasticity *p, const StressWork *w, int32_t node, int32_t material, double out[6]) {
  double stress[6], weight = 0;
  for (int c = 0; c < 6; ++c) out[c] = 0;
  for (int64_t t = p->space->incidence.start[node]; t < p->space->incidence.start[node + 1]; ++t) {
    const ElementRef touch = p->space->incidence.touch[t];
    if (touch.block >= p->space->set.n_solved_block || material_of(p, w, touch) != material) continue;
    const double volume = w->volume[w->first[touch.block] + touch.element];
    stress_at(p, w, touch, stress);
    weight += volume;
    for (int c = 0; c < 6; ++c) out[c] += volume * stress[c];
  }
  for (int c = 0; c < 6 && weight > 0; ++c) out[c] /= weight;
}

/* What nodes at interfaces have in the materials but the lowest. */
static Status other_stress(const Elasticity *p, const StressWork *w, ElasticFields *out) {
  Status status = OK;
  const int32_t n = p->space->set.n_node;
  int64_t *start = NULL;
  bool several = false;
  for (int32_t s = 1; s < p->space->set.n_solved && !several; ++s) several = p->material[s] != p->material[0];
  if (!several) return OK;
  ALLOC_DONE(start, (int64_t)n + 1, "stress at interfaces");
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < n; ++i)
    for (int32_t m = next_material(p, w, i, -1); m >= 0; m = next_material(p, w, i, m)) ++start[i + 1];
  for (int32_t i = 0; i < n; ++i) start[i + 1] = start[i] + (start[i + 1] > 1 ? start[i + 1] - 1 : 0);
  ALLOC_DONE(out->other, start[n], "stress at interfaces");
  out->n_other = start[n];
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < n; ++i) {
    int32_t m = next_material(p, w, i, -1);
    for (int64_t k = start[i]; k < start[i + 1]; ++k) {
      m = next_material(p, w, i, m);
      out->other[k] = (OtherStress){.node = i, .material = m};
      node_stress(p, w, i, m, out->other[k].stress);
    }
  }
done:
  FREE(start);
  return status;
}

static Status node_fields(const Elasticity *p, const StressWork *w, unsigned which, ElasticFields *out) {
  const int32_t n = p->space->set.n_node;
  out->material = p->material;
  if (!(which & (FIELD_STRESS | FIELD_VON_MISES | FIELD_PRINCIPAL))) return OK;
  ALLOC(out->stress, n, "stress at nodes");
  if (which & FIELD_VON_MISES) ALLOC(out->von_mises, n, "von Mises stress");
  if (which & FIELD_PRINCIPAL) ALLOC(out->principal, n, "principal stresses");
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < n; ++i) {
    node_stress(p, w, i, next_material(p, w, i, -1), out->stress[i]);
    if (out->von_mises) out->von_mises[i] = elastic_von_mises(out->stress[i]);
    if (out->principal) symmetric_eigenvalues(out->stress[i], out->principal[i]);
  }
  if (!(which & FIELD_STRESS)) FREE(out->stress);
  return other_stress(p, w, out);
}

Status recover_stress(const Elasticity *p, const double *u, unsigned which, ElasticFields *out) {
  Status status = OK;
  StressWork w = {0};
  TRY_DONE(all_results(p, u, &w));
  TRY_DONE(node_fields(p, &w, which, out));
  out->energy = 0;
  for (int32_t s = 0; s < p->space->set.n_solved; ++s) out->energy += w.energy[s];
  if (which & FIELD_STRAIN_ENERGY) {
    out->strain_energy = w.energy;
    w.energy = NULL;
  }
  if (which & FIELD_ELEMENT_STRESS) {
    out->element_stress = w.mean;
    w.mean = NULL;
  }
  if (which & FIELD_POINT_STRESS) {
    out->point_stress = w.point;
    out->point_start = w.point_start;
    w.point = NULL;
    w.point_start = NULL;
  }
done:
  FREE(w.point);
  FREE(w.point_start);
  FREE(w.volume);
  FREE(w.energy);
  FREE(w.mean);
  FREE(w.old);
  for (int32_t k = 0; k < p->space->set.n_solved_block; ++k) FREE(w.extrapolate[k]);
  return status;
}
