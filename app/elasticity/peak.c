/* Whether the largest stress is at a place where it has no limit: a load or a support on points, or on lines of a solid, or a
 * corner that the body goes around (Williams, Journal of Applied Mechanics 19, 1952, 526-528). */
#include "app/elasticity/elastic.h"
#include "core/memory.h"
#include "mesh/corner_share.h"

#include <math.h>
#include <stdlib.h>
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

/* Elements of a block that have one of the nodes, ascending. */
enum { HITS_MOST = 16384, MARKS = 1024 };
typedef struct Hits {
  int32_t n, id[HITS_MOST];
} Hits;

static int by_id(const void *a, const void *b) {
  const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

static void hits_find(const ElementBlock *block, int32_t n_node, const Around *around, Hits *out) {
  const int32_t all = element_type(block->kind)->n_node;
  bool mark[MARKS] = {false}; /* most elements are passed over by these */
  for (int32_t i = 0; i < around->n; ++i) mark[around->node[i] % MARKS] = true;
  out->n = 0;
#pragma omp parallel for schedule(static)
  for (int32_t e = 0; e < block->n; ++e) {
    const int32_t *nodes = block->nodes + (int64_t)e * all;
    bool near = false;
    for (int32_t a = 0; a < n_node && !near; ++a) near = mark[nodes[a] % MARKS] && around_find(around, nodes[a]) >= 0;
    if (!near) continue;
#pragma omp critical(peak_hits)
    if (out->n < HITS_MOST) out->id[out->n++] = e;
  }
  qsort(out->id, (size_t)out->n, sizeof *out->id, by_id);
}

/* The corners of the elements at a node, and then how much of each is body. */
static Status around_collect(const Mesh *mesh, int32_t node, Around *out) {
  Hits *hits = NULL;
  *out = (Around){.n = 1, .node = {node}};
  ALLOC(hits, 1, "elements at the largest stress");
  for (int pass = 0; pass < 2; ++pass)
    for (int32_t b = 0; b < mesh->n_block; ++b) {
      const ElementBlock *block = &mesh->block[b];
      const ElementType *type = element_type(block->kind), *corners = element_type(type->linear);
      const Around one = {.n = 1, .node = {node}};
      if (type->dim != mesh->dim) continue;
      hits_find(block, pass ? corners->n_node : type->n_node, pass ? out : &one, hits);
      for (int32_t h = 0; h < hits->n; ++h) {
        const int32_t *nodes = block->nodes + (int64_t)hits->id[h] * type->n_node;
        for (int a = 0; a < corners->n_node; ++a) {
          const int32_t at = around_find(out, nodes[a]);
          if (pass == 1 && at >= 0) out->share[at] += corner_share(mesh, type, nodes, a);
          if (pass == 0 && at < 0 && out->n < NEAR_MOST) out->node[out->n++] = nodes[a];
        }
      }
    }
  FREE(hits);
  return OK;
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

Status elastic_warn_of_peak(const Mesh *mesh, const Setup *setup, const ElasticLook *look, bool *told) {
  const ElasticSetup *own = elastic_setup(setup);
  const int32_t node = look->at[1];
  Around around;
  if (*told || node < 0 || !(look->most[1] > 0)) return OK;
  const double *x = mesh->x[node];
  const char *load = thin_load(mesh, own->params.n_load, own->params.load, node),
             *support = thin_support(mesh, own->params.n_support, own->params.support, node);
  for (int32_t i = 0; i < own->n_act && !load; ++i) load = thin_load(mesh, own->act[i].n_load, own->act[i].load, node);
  int32_t most = 0;
  TRY(around_collect(mesh, node, &around));
  for (int32_t i = 0; i < around.n; ++i) {
    if (around.share[i] > INSIDE) around.share[i] = 0;
    if (around.share[i] > around.share[most]) most = i;
  }
  const bool corner = around.share[most] > CORNER;
  if (!load && !support && !corner) return OK;
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
  return OK;
}
