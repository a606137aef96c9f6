#include "assembly/elasticity/reaction_share.h"
#include "assembly/space/small_matrix.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

/* Directions that are held this much less than others are not. */
static const double WEAK = 1e-6;

/* w D of all held facets at a node, and of the group's own. */
typedef struct Part {
  double all[3][3], own[3][3];
} Part;
typedef struct Bearing {
  Part held, spring; /* which bears what is left */
} Bearing;

typedef struct Work {
  const Mesh *mesh;
  const Group *group;
  int32_t width, n;
  int32_t *number; /* [n_node] of the group's nodes, from 1; 0: not on it */
  uint8_t *member; /* [n_element] */
  Bearing *at;     /* [n] */
} Work;

/* Size of a facet, and size times normal; a point has size 1. */
static Status facet_size(const Mesh *mesh, int32_t e, double *size, double normal[3]) {
  const ElementType *type = element_type(mesh_block_of(mesh, e)->kind);
  const int32_t *nodes = mesh_nodes_of(mesh, e);
  double x[ELEMENT_MAX_NODES][3];
  Quadrature rule;
  *size = type->dim == 0;
  normal[0] = normal[1] = normal[2] = 0;
  if (type->dim == 0) return OK;
  for (int32_t a = 0; a < type->n_node; ++a) memcpy(x[a], mesh->x[nodes[a]], sizeof x[a]);
  TRY(element_stiffness_quadrature(type, &rule));
  for (int32_t q = 0; q < rule.n; ++q) {
    double J[3][3];
    *size += rule.weight[q] * fabs(element_jacobian(type, (const double(*)[3])x, rule.xi[q], J, false));
    if (type->dim == 1) {
      normal[0] += rule.weight[q] * J[1][0];
      normal[1] -= rule.weight[q] * J[0][0];
    }
    for (int i = 0; i < 3 && type->dim == 2; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      normal[i] += rule.weight[q] * (J[j][0] * J[k][1] - J[k][0] * J[j][1]);
    }
  }
  return OK;
}

static Status add_facet(Work *w, const SupportedGroup *held, int32_t e) {
  double size, normal[3], D[3][3] = {{0}};
  TRY(facet_size(w->mesh, e, &size, normal));
  for (int32_t i = 0; i < w->width; ++i) {
    if (held->components >> i & 1) D[i][i] = size;
    for (int32_t j = 0; held->normal && size > 0 && j < w->width; ++j) D[i][j] += normal[i] * normal[j] / size;
  }
  const int32_t *nodes = mesh_nodes_of(w->mesh, e);
  const int32_t n = element_type(mesh_block_of(w->mesh, e)->kind)->n_node;
  for (int32_t a = 0; a < n; ++a) {
    if (!w->number[nodes[a]]) continue;
    Bearing *bearing = &w->at[w->number[nodes[a]] - 1];
    Part *at = held->spring ? &bearing->spring : &bearing->held;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        at->all[i][j] += D[i][j];
        if (w->member[e]) at->own[i][j] += D[i][j];
      }
  }
  return OK;
}

/* Facets that several entries hold alike count once. */
static bool held_before(const SupportedGroup *held, int32_t k, int32_t e) {
  for (int32_t j = 0; j < k; ++j) {
    if (held[j].components != held[k].components || held[j].normal != held[k].normal ||
        held[j].spring != held[k].spring || held[j].on->dim != held[k].on->dim)
      continue;
    int32_t low = 0, high = held[j].on->n;
    while (low < high) {
      const int32_t middle = low + (high - low) / 2;
      if (held[j].on->element[middle] < e) low = middle + 1;
      else high = middle;
    }
    if (low < held[j].on->n && held[j].on->element[low] == e) return true;
  }
  return false;
}

/* What the group bears of r, in which stays what none of these facets does. */
static void part_bears(const Part *at, int32_t width, double r[3], double *sum) {
  double a[6][6] = {{0}}, value[6], V[6][6], l[3] = {0}, largest = 0;
  const double all[3] = {r[0], r[1], r[2]};
  for (int32_t i = 0; i < width; ++i)
    for (int32_t j = 0; j < width; ++j) a[i][j] = at->all[i][j];
  jacobi_svd(width, a, value, V); /* of a matrix that is not negative: eigenvalues and eigenvectors */
  for (int32_t k = 0; k < width; ++k) largest = fmax(largest, value[k]);
  for (int32_t k = 0; k < width; ++k) {
    if (!(value[k] > WEAK * largest)) continue;
    double along = 0;
    for (int32_t i = 0; i < width; ++i) along += V[i][k] * all[i];
    for (int32_t i = 0; i < width; ++i) {
      r[i] -= along * V[i][k];
      l[i] += along / value[k] * V[i][k];
    }
  }
  for (int32_t i = 0; i < width; ++i)
    for (int32_t j = 0; j < width; ++j) sum[i] += at->own[i][j] * l[j];
}

static void reaction_share_bear(const Bearing *at, int32_t width, const double *r, double *sum) {
  double rest[3] = {0};
  for (int32_t i = 0; i < width; ++i) rest[i] = r[i];
  part_bears(&at->held, width, rest, sum);
  part_bears(&at->spring, width, rest, sum);
  for (int32_t i = 0; i < width; ++i) sum[i] += rest[i];
}

/* The force that the group bears at a node, or its moment. */
static void add_node(const Work *w, int32_t i, const double *reaction, const MomentArm *arm, double *sum) {
  double force[3] = {0}, r[3];
  const Bearing *at = &w->at[w->number[i] - 1];
  reaction_share_bear(at, w->width, reaction, arm ? force : sum);
  if (!arm) return;
  for (int k = 0; k < 3; ++k) r[k] = w->mesh->x[i][k] + (arm->u ? arm->u[i][k] : 0) - arm->about[k];
  for (int k = 0; k < 3; ++k) sum[k] += r[(k + 1) % 3] * force[(k + 2) % 3] - r[(k + 2) % 3] * force[(k + 1) % 3];
}

static Status list_nodes(Work *w) {
  for (int32_t k = 0; k < w->group->n; ++k) {
    const int32_t e = w->group->element[k], *nodes = mesh_nodes_of(w->mesh, e);
    const int32_t n = element_type(mesh_block_of(w->mesh, e)->kind)->n_node;
    w->member[e] = 1;
    for (int32_t a = 0; a < n; ++a)
      if (!w->number[nodes[a]]) w->number[nodes[a]] = ++w->n;
  }
  ALLOC(w->at, w->n, "parts of reactions");
  return OK;
}

Status reaction_share_sum(const Mesh *mesh, int32_t n_held, const SupportedGroup *held, const Group *group,
                          int32_t width, const double *reaction, const MomentArm *arm, double *sum) {
  Work w = {.mesh = mesh, .group = group, .width = width};
  Status status = OK;
  for (int32_t i = 0; i < width; ++i) sum[i] = 0;
  ALLOC_DONE(w.number, mesh->n_node, "parts of reactions");
  ALLOC_DONE(w.member, mesh->n_element, "parts of reactions");
  TRY_DONE(list_nodes(&w));
  for (int32_t k = 0; k < n_held; ++k)
    for (int32_t i = 0; held[k].on->dim == group->dim && i < held[k].on->n; ++i)
      if (!held_before(held, k, held[k].on->element[i])) TRY_DONE(add_facet(&w, &held[k], held[k].on->element[i]));
  for (int32_t i = 0; i < mesh->n_node; ++i)
    if (w.number[i]) add_node(&w, i, reaction + (int64_t)i * width, arm, sum);
done:
  FREE(w.number);
  FREE(w.member);
  FREE(w.at);
  return status;
}
