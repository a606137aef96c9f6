/* Conditions of `equations:` between places of nodes: `keep: plane | line | distance | rotation`. At small strain they are linear,
 * tangent to the body as it was; at finite strain they bend (assembly/space/bent.h). */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

/* A node farther than this from its line or plane, relative to the size of that, is a mistake and no rounding. */
static const double OFF = 1e-3;
/* The factor of a term that may become another. */
static const double NEXT_TO_NOTHING = 1e-300;

/* The condition under way, and its nodes where they were. */
typedef struct Keep {
  ConstraintList *to;
  const CaseEquation *entry;
  const char *where;
  bool bends;
  BentRow row;
  BentNode *place; /* owned, [nodes of the entry] */
  int32_t *node;   /* owned, in the order of the condition */
} Keep;

static void keep_between(const Keep *k, int32_t from, int32_t to, double out[3]) {
  const double(*x)[3] = k->to->mesh->x;
  for (int c = 0; c < 3; ++c) out[c] = x[to][c] - x[from][c];
}

static Status bent_add(const Keep *k) {
  ElasticSetup *own = elastic_setup(k->to->setup);
  BentList *list = &own->bent;
  RESIZE(list->item, list->n + 1, "conditions that bend");
  RESIZE(list->node, list->n_node + k->row.n, "conditions that bend");
  list->item[list->n] = (BentParams){k->row, k->where};
  list->item[list->n].row.first = list->n_node;
  memcpy(list->node + list->n_node, k->node, (size_t)k->row.n * sizeof *k->node);
  list->n_node += k->row.n;
  own->equation[k->to->n - 1].bent = ++list->n;
  return OK;
}

/* The unknown that comes to depend: of the first `most` nodes, the one that the condition changes fastest with. */
static int32_t keep_pivot(const Keep *k, int32_t most) {
  int32_t best = 0;
  double fastest = -1, rate[3];
  for (int32_t i = 0; i < most; ++i) {
    bent_rate(&k->row, k->place, NULL, i, rate);
    for (int c = 0; c < k->row.dim; ++c)
      if (fabs(rate[c]) > fastest * (1 + 1e-9)) fastest = fabs(rate[c]), best = i * k->row.dim + c;
  }
  return best;
}

static Status keep_condition(Keep *k, int32_t pivot) {
  const int32_t dim = k->row.dim;
  double rate[3];
  for (int32_t i = 0; i < k->row.n; ++i) {
    k->place[i] = (BentNode){.unknown = 0};
    memcpy(k->place[i].x, k->to->mesh->x[k->node[i]], sizeof k->place[i].x);
  }
  bent_middle(&k->row, k->place, NULL, k->row.middle);
  if (pivot < 0) pivot = keep_pivot(k, k->row.kind == BENT_ROTATION ? k->row.n : 1);
  TRY(constraint_begin(k->to, k->row.n * dim));
  bent_rate(&k->row, k->place, NULL, pivot / dim, rate);
  constraint_term(k->to, k->node[pivot / dim], pivot % dim, rate[pivot % dim]);
  for (int32_t i = 0; i < k->row.n; ++i) {
    bent_rate(&k->row, k->place, NULL, i, rate);
    for (int c = 0; c < dim; ++c)
      if (i * dim + c != pivot && (k->bends ? bent_has(&k->row, c) : rate[c] != 0))
        constraint_term(k->to, k->node[i], c, rate[c] != 0 ? rate[c] : NEXT_TO_NOTHING);
  }
  constraint_end(k->to, k->row.value - bent_value(&k->row, k->place, NULL), k->where);
  return k->bends ? bent_add(k) : OK;
}

static bool keep_near(const Keep *k, int32_t node, double off, double allowed, const char *what) {
  if (off <= allowed) return true;
  report_error(k->to->diagnostics, k->entry->nodes.place,
               "node %lld is %g away from the %s through the first nodes; it must lie there",
               (long long)k->to->mesh->node_tag[node], off, what);
  return false;
}

/* Where the first three lie on a line, the third changes places with the one farthest from it. */
static void plane_third(const Keep *k, int32_t n, int32_t *node, double normal[3]) {
  int32_t best = 2;
  double ab[3], ap[3], most = -1;
  keep_between(k, node[0], node[1], ab);
  for (int32_t i = 2; i < n; ++i) {
    keep_between(k, node[0], node[i], ap);
    vec3_cross(ab, ap, normal);
    const double area = vec3_dot(normal, normal);
    if (i == 2 && area > 1e-12 * vec3_dot(ab, ab) * vec3_dot(ap, ap)) return;
    if (area > most) most = area, best = i;
  }
  const int32_t third = node[best];
  node[best] = node[2], node[2] = third;
  keep_between(k, node[0], third, ap);
  vec3_cross(ab, ap, normal);
}

static Status keep_plane(Keep *k, int32_t n, int32_t *node) {
  double ab[3], ac[3], ap[3], normal[3];
  plane_third(k, n, node, normal);
  keep_between(k, node[0], node[1], ab);
  keep_between(k, node[0], node[2], ac);
  const double area = sqrt(vec3_dot(normal, normal)), size = sqrt(fmax(vec3_dot(ab, ab), vec3_dot(ac, ac)));
  if (!(area > 1e-9 * size * size)) {
    report_error(k->to->diagnostics, k->entry->nodes.place, "all nodes of this plane lie on a line");
    return OK;
  }
  k->row.n = 4, k->row.size = size;
  memcpy(k->node + 1, node, 3 * sizeof *node);
  for (int32_t i = 3; i < n; ++i) {
    keep_between(k, node[0], node[i], ap);
    if (!keep_near(k, node[i], fabs(vec3_dot(normal, ap)) / area, OFF * size, "plane")) return OK;
    k->node[0] = node[i];
    TRY(keep_condition(k, -1));
  }
  return OK;
}

/* Two conditions of each node, or one in a flat model: across the largest component of the line. */
static Status keep_line(Keep *k, int32_t n, const int32_t *node) {
  double ab[3], ap[3], across[3];
  int m = 0;
  keep_between(k, node[0], node[1], ab);
  const double length = sqrt(vec3_dot(ab, ab));
  for (int c = 1; c < k->row.dim; ++c)
    if (fabs(ab[c]) > fabs(ab[m])) m = c;
  k->row.n = 3, k->row.size = length, k->row.along = m;
  k->node[1] = node[0], k->node[2] = node[1];
  for (int32_t i = 2; i < n; ++i) {
    keep_between(k, node[0], node[i], ap);
    vec3_cross(ab, ap, across);
    if (!keep_near(k, node[i], sqrt(vec3_dot(across, across)) / length, OFF * length, "line")) return OK;
    k->node[0] = node[i];
    for (int32_t c = 0; c < k->row.dim; ++c) {
      k->row.across = c;
      if (c != m) TRY(keep_condition(k, c));
    }
  }
  return OK;
}

static Status keep_rotation(Keep *k, int32_t n, const int32_t *node) {
  const double *axis = k->entry->axis.value;
  const double length = sqrt(vec3_dot(axis, axis));
  memcpy(k->node, node, (size_t)n * sizeof *node);
  for (int c = 0; c < 3; ++c) k->row.axis[c] = axis[c] / length;
  for (int32_t i = 1; i < n; ++i)
    k->row.size = fmax(k->row.size, vec3_distance(k->to->mesh->x[node[i]], k->to->mesh->x[node[0]]));
  k->row.n = n, k->row.value = k->entry->value.value;
  TRY(keep_condition(k, -1));
  elastic_setup(k->to->setup)->equation[k->to->n - 1].held = true; /* its forces add up to a moment */
  return OK;
}

static Status keep_kind(Keep *k, int32_t n, int32_t *node) {
  double ab[3];
  keep_between(k, node[0], node[1], ab);
  if (k->row.kind != BENT_ROTATION && !(vec3_dot(ab, ab) > 0)) {
    report_error(k->to->diagnostics, k->entry->nodes.place, "the first two nodes lie at the same place");
    return OK;
  }
  if (k->row.kind == BENT_PLANE) return keep_plane(k, n, node);
  if (k->row.kind == BENT_LINE) return keep_line(k, n, node);
  if (k->row.kind == BENT_ROTATION) return keep_rotation(k, n, node);
  k->row.n = 2, k->row.size = sqrt(vec3_dot(ab, ab));
  k->node[0] = node[1], k->node[1] = node[0];
  return keep_condition(k, -1);
}

Status keep_bind(ConstraintList *to, const CaseEquation *e, int32_t *node, const char *where) {
  Keep k = {.to = to, .entry = e, .where = where, .bends = elastic_has(to->c, HAS_LARGE_STRAIN)};
  Status status = OK;
  k.row.kind = (int32_t)e->keep.value, k.row.dim = case_dim(to->c);
  ALLOC_DONE(k.place, e->nodes.n + 4, "nodes of a condition");
  ALLOC_DONE(k.node, e->nodes.n + 4, "nodes of a condition");
  status = keep_kind(&k, e->nodes.n, node);
done:
  FREE(k.place);
  FREE(k.node);
  return status;
}
