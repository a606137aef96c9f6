#include "assembly/elasticity/body_totals.h"

#include "assembly/elasticity/elasticity_data.h"
#include "core/memory.h"

#include <math.h>

/* Moments of volume and of mass: 1, x, y, z, xx, yy, zz, xy, yz, xz, about an origin. */
enum { MOMENTS = 10, CHUNK = 1024 };
typedef struct Moments {
  double volume[MOMENTS], mass[MOMENTS];
} Moments;

/* What is needed of a block. */
typedef struct MomentRule {
  const Elasticity *p;
  const SetBlock *block;
  int32_t first; /* solved element */
  double origin[3];
  Quadrature rule;
  double N[ELEMENT_MAX_QUADRATURE * ELEMENT_MAX_NODES];
} MomentRule;

/* Those of a ring are the mean all around it. */
static void moments_of_place(bool ring, const double x[3], double m[MOMENTS]) {
  const double all[MOMENTS] = {1,           x[0],        x[1],        x[2],        x[0] * x[0],
                               x[1] * x[1], x[2] * x[2], x[0] * x[1], x[1] * x[2], x[0] * x[2]};
  for (int k = 0; k < MOMENTS; ++k) m[k] = all[k];
  if (!ring) return;
  m[1] = m[3] = m[7] = m[8] = m[9] = 0;
  m[4] = m[6] = 0.5 * x[0] * x[0];
}

static void moments_add(const MomentRule *r, int32_t e, Moments *out) {
  const SetBlock *b = r->block;
  const Elasticity *p = r->p;
  const int32_t n = b->type->n_node, *nodes = b->nodes + (int64_t)e * n;
  const ElasticConstants *c = &p->constants[p->material[r->first + e]];
  const double density = p->density ? p->density[r->first + e] : c->density;
  const bool ring = p->model == MODEL_AXISYMMETRIC;
  double corner[ELEMENT_MAX_NODES][3], J[3][3], m[MOMENTS];
  for (int32_t a = 0; a < n; ++a)
    for (int i = 0; i < 3; ++i) corner[a][i] = p->space->mesh->x[nodes[a]][i] - r->origin[i];
  for (int32_t q = 0; q < r->rule.n; ++q) {
    double x[3] = {0}, dV = fabs(element_jacobian(b->type, (const double(*)[3])corner, r->rule.xi[q], J, false));
    for (int32_t a = 0; a < n; ++a)
      for (int i = 0; i < 3; ++i) x[i] += r->N[(int64_t)q * n + a] * corner[a][i];
    dV *= r->rule.weight[q] * c->thickness * (ring ? 2 * 3.14159265358979323846 * x[0] : 1);
    moments_of_place(ring, x, m);
    for (int k = 0; k < MOMENTS; ++k) out->volume[k] += dV * m[k], out->mass[k] += density * dV * m[k];
  }
}

static Status moments_of_block(const MomentRule *r, Moments *out) {
  const int32_t n_chunk = (r->block->n + CHUNK - 1) / CHUNK;
  Moments *part = NULL;
  ALLOC(part, n_chunk, "moments of the body");
#pragma omp parallel for schedule(static)
  for (int32_t c = 0; c < n_chunk; ++c)
    for (int32_t e = c * CHUNK; e < r->block->n && e < (c + 1) * CHUNK; ++e) moments_add(r, e, &part[c]);
  for (int32_t c = 0; c < n_chunk; ++c)
    for (int k = 0; k < MOMENTS; ++k) out->volume[k] += part[c].volume[k], out->mass[k] += part[c].mass[k];
  FREE(part);
  return OK;
}

/* Masses that elements do not have, and no volume. */
static void moments_of_masses(const Elasticity *p, const double origin[3], Moments *out) {
  const Inertia *inertia = &p->loads.inertia;
  const bool ring = p->model == MODEL_AXISYMMETRIC;
  double m[MOMENTS], a[3], b[3];
  for (int64_t i = 0; i < inertia->n; ++i) {
    const MassPair *pair = &inertia->pair[i];
    for (int k = 0; k < 3; ++k) {
      a[k] = p->space->mesh->x[pair->a][k] - origin[k];
      b[k] = p->space->mesh->x[pair->b][k] - origin[k];
    }
    moments_of_place(ring, a, m);
    for (int k = 0; k < 3; ++k) m[4 + k] = ring ? (k == 1 ? a[1] * b[1] : 0.5 * a[0] * b[0]) : a[k] * b[k];
    for (int k = 0; k < 3 && !ring; ++k) m[7 + k] = a[k == 1 ? 1 : 0] * b[k == 0 ? 1 : 2];
    for (int k = 0; k < MOMENTS; ++k) out->mass[k] += pair->m * m[k];
  }
  for (int32_t i = 0; i < inertia->n_body; ++i) {
    const MassBody *body = &inertia->body[i];
    const double *J = body->inertia, half = 0.5 * (J[0] + J[1] + J[2]);
    const double own[MOMENTS] = {0, 0, 0, 0, half - J[0], half - J[1], half - J[2], -J[3], -J[4], -J[5]};
    for (int k = 0; k < 3; ++k) a[k] = body->at[k] - origin[k];
    moments_of_place(ring, a, m);
    for (int k = 0; k < MOMENTS; ++k) out->mass[k] += body->mass * m[k] + own[k];
  }
}

static void totals_from(const Moments *m, const double origin[3], BodyTotals *out) {
  *out = (BodyTotals){.volume = m->volume[0], .mass = m->mass[0]};
  const double *by = out->mass > 0 ? m->mass : m->volume, *s = m->mass;
  double d[3];
  for (int i = 0; i < 3; ++i) d[i] = by[0] > 0 ? by[1 + i] / by[0] : 0, out->center[i] = origin[i] + d[i];
  if (!(out->mass > 0)) return;
  const double xx = s[4] - s[0] * d[0] * d[0], yy = s[5] - s[0] * d[1] * d[1], zz = s[6] - s[0] * d[2] * d[2];
  const double inertia[6] = {
      yy + zz, xx + zz, xx + yy, s[0] * d[0] * d[1] - s[7], s[0] * d[1] * d[2] - s[8], s[0] * d[0] * d[2] - s[9]};
  for (int k = 0; k < 6; ++k) out->inertia[k] = inertia[k];
}

Status elasticity_body_totals(const Elasticity *p, BodyTotals *out) {
  const ElementSet *set = &p->space->set;
  const Mesh *mesh = p->space->mesh;
  Status status = OK;
  Moments total = {{0}, {0}};
  MomentRule *r = NULL;
  *out = (BodyTotals){0};
  ALLOC(r, 1, "moments of the body");
  for (int i = 0; i < 3 && mesh->n_node > 0; ++i) /* near the body: second moments cancel far from it */
    r->origin[i] = i == 0 && p->model == MODEL_AXISYMMETRIC ? 0 : mesh->x[0][i];
  for (int32_t k = 0, first = 0; k < set->n_solved_block; first += set->block[k++].n) {
    r->p = p, r->block = &set->block[k], r->first = first;
    TRY_DONE(element_mass_quadrature(r->block->type, &r->rule));
    element_tabulate(r->block->type, &r->rule, r->N, NULL);
    TRY_DONE(moments_of_block(r, &total));
  }
  moments_of_masses(p, r->origin, &total);
  totals_from(&total, r->origin, out);
done:
  FREE(r);
  return status;
}
