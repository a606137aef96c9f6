/* Whether the largest stress is at a place where it has no limit: a load or a support on points, or on lines of a solid, or a
 * corner that the body goes around (Williams, Journal of Applied Mechanics 19, 1952, 526-528). */
#include "app/elasticity/elastic.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

/* Of the full circle or sphere: beyond the first the body goes around a corner, beyond the second it is all around. A
 * curved wall of coarse elements has kinks of less. */
static const double CORNER = 220.0 / 360, INSIDE = 0.95;

enum { NEAR_MOST = 256 };
/* The node and the corners of elements that have it, with the share of the circle or sphere around each that is body. */
typedef struct Around {
  int32_t n, node[NEAR_MOST];
  double share[NEAR_MOST];
} Around;

static int32_t around_find(const Around *a, int32_t node) {
  for (int32_t i = 0; i < a->n; ++i)
    if (a->node[i] == node) return i;
  return -1;
}

static bool has_node(const int32_t *nodes, int32_t n, int32_t node) {
  for (int32_t a = 0; a < n; ++a)
    if (nodes[a] == node) return true;
  return false;
}

/* The corners next to corner a along edges, in order around it. */
static int corner_next(ElementShape shape, int a, int next[4]) {
  switch (shape) {
  case SHAPE_TRIANGLE: next[0] = (a + 1) % 3, next[1] = (a + 2) % 3; return 2;
  case SHAPE_QUAD: next[0] = (a + 1) % 4, next[1] = (a + 3) % 4; return 2;
  case SHAPE_TETRAHEDRON:
    for (int k = 0; k < 3; ++k) next[k] = (a + 1 + k) % 4;
    return 3;
  case SHAPE_HEXAHEDRON:
    next[0] = a / 4 * 4 + (a + 1) % 4, next[1] = a / 4 * 4 + (a + 3) % 4, next[2] = (a + 4) % 8;
    return 3;
  case SHAPE_WEDGE:
    next[0] = a / 3 * 3 + (a + 1) % 3, next[1] = a / 3 * 3 + (a + 2) % 3, next[2] = (a + 3) % 6;
    return 3;
  case SHAPE_PYRAMID:
    if (a < 4) next[0] = (a + 1) % 4, next[1] = (a + 3) % 4, next[2] = 4;
    for (int k = 0; k < 4 && a == 4; ++k) next[k] = k;
    return a < 4 ? 3 : 4;
  default: return 0;
  }
}

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Solid angle of three directions (Van Oosterom and Strackee, IEEE Transactions on Biomedical Engineering 30, 1983, 125). */
static double solid_angle(const double *a, const double *b, const double *c) {
  const double volume =
      a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  return 2 * fabs(atan2(fabs(volume), 1 + dot(a, b) + dot(b, c) + dot(c, a)));
}

static double corner_share(const Mesh *mesh, const ElementType *type, const int32_t *nodes, int a) {
  int next[4];
  double d[4][3];
  const int n = corner_next(type->shape, a, next);
  for (int k = 0; k < n; ++k) {
    for (int c = 0; c < 3; ++c) d[k][c] = mesh->x[nodes[next[k]]][c] - mesh->x[nodes[a]][c];
    const double size = sqrt(dot(d[k], d[k]));
    for (int c = 0; c < 3 && size > 0; ++c) d[k][c] /= size;
  }
  if (n == 2) return acos(fmax(-1, fmin(1, dot(d[0], d[1])))) / (2 * M_PI);
  if (n == 3) return solid_angle(d[0], d[1], d[2]) / (4 * M_PI);
  return n == 4 ? (solid_angle(d[0], d[1], d[2]) + solid_angle(d[0], d[2], d[3])) / (4 * M_PI) : 0;
}

static void around_collect(const Mesh *mesh, int32_t node, Around *out) {
  *out = (Around){.n = 1, .node = {node}};
  for (int pass = 0; pass < 2; ++pass)
    for (int32_t b = 0; b < mesh->n_block; ++b) {
      const ElementBlock *block = &mesh->block[b];
      const ElementType *type = element_type(block->kind), *corners = element_type(type->linear);
      if (type->dim != mesh->dim) continue;
      for (int32_t e = 0; e < block->n; ++e) {
        const int32_t *nodes = block->nodes + (int64_t)e * type->n_node;
        if (pass == 0 && !has_node(nodes, type->n_node, node)) continue;
        for (int a = 0; a < corners->n_node; ++a) {
          const int32_t at = around_find(out, nodes[a]);
          if (pass == 1 && at >= 0) out->share[at] += corner_share(mesh, type, nodes, a);
          if (pass == 0 && at < 0 && out->n < NEAR_MOST) out->node[out->n++] = nodes[a];
        }
      }
    }
}

static bool on_group(const Mesh *mesh, const Group *on, int32_t node) {
  for (int32_t k = 0; k < on->n; ++k)
    if (has_node(mesh_nodes_of(mesh, on->element[k]), element_type(mesh_block_of(mesh, on->element[k])->kind)->n_node,
                 node))
      return true;
  return false;
}

/* The place of a load or a support that acts there on less than a surface (in 2D a curve); NULL: none. */
static const char *thin_load(const Mesh *mesh, int32_t n, const Load *load, int32_t node) {
  for (int32_t l = 0; l < n; ++l)
    if (load[l].kind == LOAD_FORCE && load[l].on->dim < mesh->dim - 1 && on_group(mesh, load[l].on, node))
      return load[l].where;
  return NULL;
}

static const char *thin_support(const Mesh *mesh, int32_t n, const Support *support, int32_t node) {
  for (int32_t s = 0; s < n; ++s)
    if (support[s].on->dim < mesh->dim - 1 && on_group(mesh, support[s].on, node)) return support[s].where;
  return NULL;
}

void elastic_warn_of_peak(const Mesh *mesh, const Setup *setup, const ElasticLook *look, bool *told) {
  const ElasticSetup *own = elastic_setup(setup);
  const int32_t node = look->at[1];
  Around around;
  if (*told || node < 0 || !(look->most[1] > 0)) return;
  const double *x = mesh->x[node];
  const char *load = thin_load(mesh, own->params.n_load, own->params.load, node),
             *support = thin_support(mesh, own->params.n_support, own->params.support, node);
  for (int32_t i = 0; i < own->n_act && !load; ++i) load = thin_load(mesh, own->act[i].n_load, own->act[i].load, node);
  int32_t most = 0;
  around_collect(mesh, node, &around);
  for (int32_t i = 0; i < around.n; ++i) {
    if (around.share[i] > INSIDE) around.share[i] = 0;
    if (around.share[i] > around.share[most]) most = i;
  }
  const bool corner = around.share[most] > CORNER;
  if (!load && !support && !corner) return;
  *told = true;
  if (load || support)
    status_warn(
        "the largest von-mises stress, at (%.6g, %.6g, %.6g), is where the %s at %s acts on %s: it has no limit there "
        "and grows with every finer mesh\n  remedy: a %s over the %s that it has, or read the stress elsewhere",
        x[0], x[1], x[2], load ? "force" : "support", load ? load : support,
        mesh->dim == 2 ? "a point" : "a point or a line", load ? "traction" : "support",
        mesh->dim == 2 ? "length" : "area");
  else
    status_warn(
        "the largest von-mises stress, at (%.6g, %.6g, %.6g), is %s re-entrant corner: it has no limit there and grows "
        "with every finer mesh\n  remedy: the fillet that the part has, or read the stress elsewhere",
        x[0], x[1], x[2], around.node[most] == node ? "at a" : "beside a");
  warnings_print();
}
