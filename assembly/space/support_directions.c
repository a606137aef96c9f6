/* Collects the directions with a prescribed value at every node: axes of components, normals from `symmetry`. */
#include "assembly/space/facet.h"
#include "assembly/space/support.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double SMOOTH = 0.86602540378443865; /* cosine of 30 degrees: normals nearer than that are averaged */
static const double SNAP = 1e-6;                  /* a normal this near to an axis is the axis */

const char *item_place(const char *where, const char *kind, int32_t index, char text[64]) {
  if (where) return where;
  snprintf(text, 64, "%s %d", kind, (int)index + 1);
  return text;
}

static bool is_used(const SupportParams *params, int32_t node) {
  return params->incidence->start[node + 1] > params->incidence->start[node];
}

static Status directions_append(Directions *list, Direction item) {
  if (list->n == list->capacity) {
    const int64_t more = list->capacity ? 2 * list->capacity : 256;
    CHECK(more < INT32_MAX, ERR_INPUT, "more than %d prescribed values", INT32_MAX);
    RESIZE(list->item, more, "supported directions");
    list->capacity = more;
  }
  list->item[list->n++] = item;
  return OK;
}

/* Prescribed components at one node. */
static Status axes_of_node(const SupportParams *params, int32_t s, int32_t node, Directions *out) {
  for (int32_t c = 0; c < params->n_component; ++c) {
    if (!expr_given(&params->item[s].value[c])) continue;
    Direction item = {node, s, c, {0, 0, 0}};
    item.d[c] = 1;
    TRY(directions_append(out, item));
  }
  return OK;
}

/* Normals of all facets of a symmetry support at their nodes, not of unit length yet. */
static Status normals_of_group(const SupportParams *params, int32_t s, Directions *out) {
  const Group *group = params->item[s].on;
  for (int32_t k = 0; k < group->n; ++k) {
    Facet facet;
    facet_read(params->mesh, group->element[k], &facet);
    for (int32_t a = 0; a < facet.type->n_node; ++a) {
      if (!is_used(params, facet.nodes[a])) continue;
      Direction item = {facet.nodes[a], s, -1, {0, 0, 0}};
      facet_normal(&facet, facet.type->node[a], item.d);
      TRY(directions_append(out, item));
    }
  }
  return OK;
}

/* Directions of one support; seen[node] is the last support that came by, + 1. */
static Status directions_of_support(const SupportParams *params, int32_t s, int32_t *seen, Directions *axes,
                                    Directions *normals) {
  static const char *const KIND[4] = {"points", "curves", "surfaces", "volumes"};
  const Support *support = &params->item[s];
  const Group *group = support->on;
  bool on_body = false;
  char text[64];
  const char *where = item_place(support->where, "support", s, text);
  for (int32_t k = 0; k < group->n; ++k) {
    const int32_t *nodes = mesh_nodes_of(params->mesh, group->element[k]);
    const int32_t n = element_type(mesh_block_of(params->mesh, group->element[k])->kind)->n_node;
    for (int32_t a = 0; a < n; ++a) {
      if (!is_used(params, nodes[a]) || seen[nodes[a]] == s + 1) continue;
      on_body = true;
      seen[nodes[a]] = s + 1;
      if (!support->symmetry) TRY(axes_of_node(params, s, nodes[a], axes));
    }
  }
  CHECK(on_body, ERR_INPUT,
        "%s: group '%s' has no node on the body: a support there has no effect; give a group on the solved elements",
        where, group->name);
  if (!support->symmetry) return OK;
  CHECK(group->dim == params->dim - 1, ERR_INPUT,
        "%s: symmetry on group '%s' of %s, which have no normal here: allowed are %s; fix components instead", where,
        group->name, KIND[group->dim & 3], KIND[params->dim - 1]);
  return normals_of_group(params, s, normals);
}

/* Around an axis, nothing on it moves away from it. */
static Status hold_axis(const SupportParams *params, Directions *axes) {
  const Mesh *mesh = params->mesh;
  const double tolerance = AXIS_TOLERANCE * mesh_size(mesh);
  for (int32_t i = 0; params->axisymmetric && i < mesh->n_node; ++i)
    if (is_used(params, i) && mesh->x[i][0] <= tolerance)
      TRY(directions_append(axes, (Direction){i, params->n, -1, {1, 0, 0}}));
  return OK;
}

/* Stable by node. */
static Status directions_sort(int32_t n_node, Directions *list) {
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

/* The first of a list by node that is of this one or a later one. */
static int64_t first_of_node(const Directions *list, int64_t n, int32_t node) {
  int64_t low = 0, high = n;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (list->item[middle].node < node) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* A node has the normals of its image too, `list` by node. */
static Status normals_of_images(const SupportParams *params, Directions *list) {
  const int64_t n = list->n;
  for (int32_t i = 0; i < params->n_image; ++i)
    for (int one = 0; one < 2; ++one) {
      const SupportImage *image = &params->image[i];
      if (image->node[0] == image->node[1]) continue;
      for (int64_t k = first_of_node(list, n, image->node[1 - one]);
           k < n && list->item[k].node == image->node[1 - one]; ++k) {
        Direction item = list->item[k];
        item.node = image->node[one];
        for (int a = 0; a < 3; ++a) {
          item.d[a] = 0;
          for (int b = 0; b < 3; ++b)
            item.d[a] += (one ? image->rotation[b][a] : image->rotation[a][b]) * list->item[k].d[b];
        }
        TRY(directions_append(list, item));
      }
    }
  return n < list->n ? directions_sort(params->mesh->n_node, list) : OK;
}

/* Unit length; an axis where it nearly is one. False for a vector of length 0 (a degenerate facet). */
static bool support_directions_straighten(double *d) {
  const double length = sqrt(vec3_dot(d, d));
  if (!(length > 0)) return false;
  for (int i = 0; i < 3; ++i) d[i] /= length;
  for (int i = 0; i < 3; ++i) {
    const double other = sqrt(fmax(0, vec3_dot(d, d) - d[i] * d[i]));
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
    const double length = sqrt(vec3_dot(item.d, item.d));
    int64_t m = begin;
    for (; m < out->n; ++m) {
      const double *sum = out->item[m].d, cosine = vec3_dot(sum, item.d);
      if (fabs(cosine) < SMOOTH * length * sqrt(vec3_dot(sum, sum))) continue;
      for (int i = 0; i < 3; ++i) out->item[m].d[i] += cosine < 0 ? -item.d[i] : item.d[i];
      break;
    }
    if (m == out->n && length > 0) TRY(directions_append(out, item));
  }
  int64_t kept = begin;
  for (int64_t m = begin; m < out->n; ++m) {
    Direction item = out->item[m];
    if (support_directions_straighten(item.d)) out->item[kept++] = item;
  }
  out->n = kept;
  return OK;
}

Status directions_create(const SupportParams *params, Directions *out) {
  Status status = OK;
  Directions axes = {0}, normals = {0};
  int32_t *seen = NULL;
  *out = (Directions){0};
  const int32_t n_node = params->mesh->n_node;
  ALLOC_DONE(seen, n_node, "supported nodes");
  for (int32_t s = 0; s < params->n; ++s) TRY_DONE(directions_of_support(params, s, seen, &axes, &normals));
  TRY_DONE(hold_axis(params, &axes));
  TRY_DONE(directions_sort(n_node, &axes));
  TRY_DONE(directions_sort(n_node, &normals));
  TRY_DONE(normals_of_images(params, &normals));
  for (int64_t a = 0, b = 0; a < axes.n || b < normals.n;) {
    const int32_t at_a = a < axes.n ? axes.item[a].node : INT32_MAX,
                  at_b = b < normals.n ? normals.item[b].node : INT32_MAX;
    const int32_t node = at_a < at_b ? at_a : at_b;
    for (; a < axes.n && axes.item[a].node == node; ++a) TRY_DONE(directions_append(out, axes.item[a]));
    int64_t end = b;
    while (end < normals.n && normals.item[end].node == node) ++end;
    TRY_DONE(merge_normals(&normals, b, end, out));
    b = end;
  }
done:
  FREE(seen);
  FREE(axes.item);
  FREE(normals.item);
  if (status != OK) FREE(out->item);
  return status;
}
