/* Whether the largest stress is at a place where it has no limit: a load or a support on points, or on lines of a solid, or a
 * corner that the body goes around (Williams, Journal of Applied Mechanics 19, 1952, 526-528). */
#include "app/elasticity/elastic.h"
#include "mesh/ridge.h"

#include <math.h>

/* Of a circle around the edge, the body; from the second on no curve is meshed like that. */
static const double CORNER = 220.0 / 360, SHARP = 255.0 / 360;

static bool has_node(const int32_t *nodes, int32_t n, int32_t node) {
  for (int32_t a = 0; a < n; ++a)
    if (nodes[a] == node) return true;
  return false;
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
  if (*told || node < 0 || !(look->most[1] > 0)) return OK;
  const double *x = mesh->x[node];
  const char *load = thin_load(mesh, own->params.n_load, own->params.load, node),
             *support = thin_support(mesh, own->params.n_support, own->params.support, node);
  for (int32_t i = 0; i < own->n_act && !load; ++i) load = thin_load(mesh, own->act[i].n_load, own->act[i].load, node);
  Ridge corner;
  TRY(ridge_reentrant(mesh, node, 2 * M_PI * (CORNER - 0.5), 2 * M_PI * (SHARP - 0.5), &corner));
  if (!load && !support && !corner.found) return OK;
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
        "with every finer mesh\n  remedy: the fillet that the part has%s, or read the stress elsewhere",
        x[0], x[1], x[2], corner.at_node ? "at a" : "beside a",
        corner.turn < 2 * M_PI * (SHARP - 0.5) ? " (a mesh of its geometry where flats stand for a curve)" : "");
  warnings_print();
  return OK;
}
