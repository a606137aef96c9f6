/* Collects the directions with prescribed displacement at every node: axes from `fix`, normals from `symmetry`. */
#include "assembly/elasticity/support.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double SMOOTH = 0.86602540378443865; /* cosine of 30 degrees: normals nearer than that are averaged */
static const double SNAP = 1e-6;                  /* a normal this near to an axis is the axis */
static const char *const AXIS[3] = {"x", "y", "z"};

const char *support_place(const Support *support, int32_t index, char text[64]) {
  if (support->where) return support->where;
  snprintf(text, 64, "support %d", (int)index + 1);
  return text;
}

static Status append(Directions *list, Direction item) {
  if (list->n == list->capacity) {
    const int64_t more = list->capacity ? 2 * list->capacity : 256;
    RESIZE(list->item, more, "supported directions");
    list->capacity = more;
  }
  list->item[list->n++] = item;
  return OK;
}

/* Prescribed components at one node. */
static Status fix_node(const ElasticityParams *params, int32_t dim, double place, int32_t s, int32_t node,
                       Directions *out) {
  const Support *support = &params->support[s];
  const double *x = params->mesh->x[node];
  for (int32_t c = 0; c < dim; ++c) {
    if (!expr_given(&support->fix[c])) continue;
    Direction item = {node, s, {0, 0, 0}, expr_value(&support->fix[c], x, params->time), 0};
    item.error = expr_error(&support->fix[c], x, params->time, place);
    item.d[c] = 1;
    char text[64];
    CHECK(isfinite(item.value), ERR_INPUT, "%s: the prescribed displacement %s is %s at (%g, %g, %g), must be finite",
          support_place(support, s, text), AXIS[c], isnan(item.value) ? "not a number" : "infinite", x[0], x[1], x[2]);
    out->largest = fmax(out->largest, fabs(item.value));
    TRY(append(out, item));
  }
  return OK;
}

/* Normal of a facet at its node a, times its area there: a tangent turned in the plane, or the product of two. */
static void facet_normal(const ElementType *type, const double (*x)[3], int32_t a, double normal[3]) {
  double J[3][3];
  element_jacobian(type, x, type->node[a], J, false);
  if (type->dim == 1) {
    normal[0] = J[1][0];
    normal[1] = -J[0][0];
    normal[2] = 0;
    return;
  }
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    normal[i] = J[j][0] * J[k][1] - J[k][0] * J[j][1];
  }
}

/* Normals of all facets of a symmetry support at their nodes, not of unit length yet. */
static Status facet_normals(const ElasticityParams *params, const uint8_t *used, int32_t s, Directions *out) {
  const Mesh *mesh = params->mesh;
  const Group *group = params->support[s].on;
  for (int32_t k = 0; k < group->n; ++k) {
    const ElementBlock *block = mesh_block_of(mesh, group->element[k]);
    const ElementType *type = element_type(block->kind);
    const int32_t *nodes = mesh_nodes_of(mesh, group->element[k]);
    double x[ELEMENT_MAX_NODES][3];
    for (int32_t a = 0; a < type->n_node; ++a)
      for (int i = 0; i < 3; ++i) x[a][i] = mesh->x[nodes[a]][i];
    for (int32_t a = 0; a < type->n_node; ++a) {
      if (!used[nodes[a]]) continue;
      Direction item = {nodes[a], s, {0, 0, 0}, 0, 0};
      facet_normal(type, (const double(*)[3])x, a, item.d);
      TRY(append(out, item));
    }
  }
  return OK;
}

static bool on_body(const ElasticityParams *params, const Group *group, const uint8_t *used) {
  for (int32_t k = 0; k < group->n; ++k) {
    const int32_t *nodes = mesh_nodes_of(params->mesh, group->element[k]);
    const int32_t n = element_type(mesh_block_of(params->mesh, group->element[k])->kind)->n_node;
    for (int32_t a = 0; a < n; ++a)
      if (used[nodes[a]]) return true;
  }
  return false;
}

static Status one_support(const ElasticityParams *params, int32_t dim, double place, const uint8_t *used, int32_t s,
                          int32_t *seen, Directions *axes, Directions *normals) {
  const Support *support = &params->support[s];
  const Group *group = support->on;
  char text[64];
  const char *where = support_place(support, s, text);
  CHECK(on_body(params, group, used), ERR_INPUT,
        "%s: group '%s' has no node on the body: a support there holds nothing; give a group on the elements with a "
        "material",
        where, group->name);
  if (support->symmetry) {
    static const char *const KIND[4] = {"points", "curves", "surfaces", "volumes"};
    CHECK(group->dim == dim - 1, ERR_INPUT,
          "%s: symmetry on group '%s' of %s, which have no normal here: allowed are %s; fix components instead", where,
          group->name, KIND[group->dim & 3], KIND[dim - 1]);
    return facet_normals(params, used, s, normals);
  }
  for (int32_t k = 0; k < group->n; ++k) {
    const int32_t *nodes = mesh_nodes_of(params->mesh, group->element[k]);
    const int32_t n = element_type(mesh_block_of(params->mesh, group->element[k])->kind)->n_node;
    for (int32_t a = 0; a < n; ++a) {
      if (!used[nodes[a]] || seen[nodes[a]] == s + 1) continue;
      seen[nodes[a]] = s + 1;
      TRY(fix_node(params, dim, place, s, nodes[a], axes));
    }
  }
  return OK;
}

/* Stable by node. */
static Status sort_by_node(int32_t n_node, Directions *list) {
  Status status = OK;
  int64_t *cursor = NULL;
  Direction *sorted = NULL;
  ALLOC_DONE(cursor, (int64_t)n_node + 1, "supported directions");
  ALLOC_DONE(sorted, list->capacity, "supported directions");
  for (int64_t i = 0; i < list->n; ++i) ++cursor[list->item[i].node + 1];
  for (int32_t i = 0; i < n_node; ++i) cursor[i + 1] += cursor[i];
  for (int64_t i = 0; i < list->n; ++i) sorted[cursor[list->item[i].node]++] = list->item[i];
  Direction *old = list->item;
  list->item = sorted;
  sorted = old;
done:
  FREE(cursor);
  FREE(sorted);
  return status;
}

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Unit length; an axis where it nearly is one. False for a vector of length 0 (a degenerate facet). */
static bool straighten(double *d) {
  const double length = sqrt(dot(d, d));
  if (!(length > 0)) return false;
  for (int i = 0; i < 3; ++i) d[i] /= length;
  for (int i = 0; i < 3; ++i) {
    const double other = sqrt(fmax(0, dot(d, d) - d[i] * d[i]));
    if (other > SNAP) continue;
    for (int k = 0; k < 3; ++k) d[k] = k == i;
    return true;
  }
  return true;
}

/* The facet normals [first, last) of one node become one direction for each smooth surface through it. */
static Status merge_normals(const Directions *normals, int64_t first, int64_t last, Directions *out) {
  const int64_t begin = out->n;
  for (int64_t k = first; k < last; ++k) {
    Direction item = normals->item[k];
    const double length = sqrt(dot(item.d, item.d));
    int64_t m = begin;
    for (; m < out->n; ++m) {
      const double *sum = out->item[m].d, cosine = dot(sum, item.d);
      if (fabs(cosine) < SMOOTH * length * sqrt(dot(sum, sum))) continue;
      for (int i = 0; i < 3; ++i) out->item[m].d[i] += cosine < 0 ? -item.d[i] : item.d[i];
      break;
    }
    if (m == out->n && length > 0) TRY(append(out, item));
  }
  int64_t kept = begin;
  for (int64_t m = begin; m < out->n; ++m) {
    Direction item = out->item[m];
    if (straighten(item.d)) out->item[kept++] = item;
  }
  out->n = kept;
  return OK;
}

Status directions_create(const ElasticityParams *params, int32_t dim, const uint8_t *used, Directions *out) {
  Status status = OK;
  Directions axes = {0}, normals = {0};
  int32_t *seen = NULL;
  *out = (Directions){0};
  const double place = support_place_error(params->mesh);
  const int32_t n_node = params->mesh->n_node;
  ALLOC_DONE(seen, n_node, "supported nodes");
  for (int32_t s = 0; s < params->n_support; ++s)
    TRY_DONE(one_support(params, dim, place, used, s, seen, &axes, &normals));
  TRY_DONE(sort_by_node(n_node, &axes));
  TRY_DONE(sort_by_node(n_node, &normals));
  for (int64_t a = 0, b = 0; a < axes.n || b < normals.n;) {
    const int32_t at_a = a < axes.n ? axes.item[a].node : INT32_MAX,
                  at_b = b < normals.n ? normals.item[b].node : INT32_MAX;
    const int32_t node = at_a < at_b ? at_a : at_b;
    for (; a < axes.n && axes.item[a].node == node; ++a) TRY_DONE(append(out, axes.item[a]));
    int64_t end = b;
    while (end < normals.n && normals.item[end].node == node) ++end;
    TRY_DONE(merge_normals(&normals, b, end, out));
    b = end;
  }
  out->largest = axes.largest;
done:
  FREE(seen);
  FREE(axes.item);
  FREE(normals.item);
  if (status != OK) FREE(out->item);
  return status;
}
