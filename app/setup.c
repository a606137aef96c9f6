/* Case against mesh: everything is looked at before the first complaint is shown. */
#include "app/setup.h"
#include "core/memory.h"
#include "mesh/order.h"

#include <math.h>

static Status check_flat(const Case *c, const Mesh *mesh) {
  const double allowed = 1e-9 * mesh_size(mesh);
  const int32_t first = setup_first_solved(mesh);
  const double z = mesh->x[mesh_nodes_of(mesh, first)[0]][2];
  for (int32_t e = first; e < mesh->n_element; ++e) {
    const int32_t *nodes = mesh_nodes_of(mesh, e);
    const int32_t n = element_type(mesh_block_of(mesh, e)->kind)->n_node;
    for (int32_t a = 0; a < n; ++a)
      CHECK(fabs(mesh->x[nodes[a]][2] - z) <= allowed, ERR_MESH,
            "%s: node %lld has z = %g and others have z = %g, but model '%s' needs a flat mesh\n"
            "  z must be the same everywhere; for a body in space use 'model: 3d' and a volume mesh",
            mesh->path, (long long)mesh->node_tag[nodes[a]], mesh->x[nodes[a]][2], z, c->model.text);
  }
  return OK;
}

/* A plane model may lie at any height: its probes and expressions see that z. */
static Status check_dimension(const Case *c, const Mesh *mesh, Complaints *complaints) {
  CHECK(mesh->dim >= case_dim(c), ERR_MESH,
        "%s: is a %s mesh, but model '%s' needs %s elements\n  make a %s mesh (gmsh -%d) or choose another model",
        mesh->path, dimension_name(mesh->dim), c->model.text, dimension_name(case_dim(c)), dimension_name(case_dim(c)),
        case_dim(c));
  if (mesh->dim > case_dim(c)) {
    complain(complaints, c->model.place,
             "model '%s' needs a surface mesh, but '%s' has volume elements\n  use 'model: 3d'", c->model.text,
             mesh->path);
    return OK;
  }
  return case_dim(c) == 2 ? check_flat(c, mesh) : OK;
}

static Status bind(const Case *c, const Mesh *mesh, Setup *setup, Complaints *complaints) {
  TRY(check_dimension(c, mesh, complaints));
  if (complaints->n) return OK;
  setup->params.mesh = mesh;
  setup->params.model = (ElasticModel)c->model.value;
  TRY(setup_materials(c, mesh, setup, complaints));
  TRY(setup_boundary(c, mesh, setup, complaints));
  return setup_output(c, mesh, setup, complaints);
}

/* `numbering: auto` is the mesh's own order. */
static Status number_nodes(const Case *c, const Mesh *mesh, Setup *setup) {
  const int word = c->solver.numbering.value; /* 0: auto, then the orders of mesh/orders.def */
  const MeshOrder order = word > 0 ? (MeshOrder)(word - 1) : ORDER_NATURAL;
  if (order == ORDER_NATURAL) return OK;
  ALLOC(setup->node_rank, mesh->n_node, "numbering of the nodes");
  setup->params.node_rank = setup->node_rank;
  return mesh_order(mesh, order, setup->node_rank);
}

Status setup_create(const Case *c, const Mesh *mesh, Setup *out) {
  *out = (Setup){0};
  Complaints complaints = {.path = c->path};
  Status status = bind(c, mesh, out, &complaints);
  if (status == OK) status = complaints_status(&complaints);
  if (status == OK) status = number_nodes(c, mesh, out);
  complaints_release(&complaints);
  if (status != OK) setup_release(out);
  return status;
}

void setup_release(Setup *setup) {
  for (int32_t i = 0; i < setup->n_where; ++i) FREE(setup->where[i]);
  for (int32_t i = 0; i < setup->n_joined; ++i) {
    FREE(setup->joined[i]->name);
    FREE(setup->joined[i]->element);
    FREE(setup->joined[i]);
  }
  mem_free((void **)(void *)&setup->where);
  mem_free((void **)(void *)&setup->joined);
  mem_free((void **)(void *)&setup->sum);
  FREE(setup->material);
  FREE(setup->element_material);
  FREE(setup->node_rank);
  FREE(setup->support);
  FREE(setup->load);
  FREE(setup->probe);
  *setup = (Setup){0};
}
