/* Case against mesh: everything is checked before the first error is shown. */
#include "app/input/case_tables.h"
#include "app/input/physics.h"
#include "app/input/units.h"
#include "app/setup/setup.h"
#include "core/memory.h"
#include "mesh/order/order.h"

#include <string.h>

Status setup_number(const Case *c, const Mesh *mesh, int32_t **rank) {
  const int word = c->solver.numbering.value; /* 0: auto, then the orders of mesh/order/orders.def */
  MeshOrder order = word > 0 ? (MeshOrder)(word - 1) : ORDER_NATURAL;
  if (word > 0 && order == ORDER_NATURAL) return OK;
  ALLOC(*rank, mesh->n_node, "numbering of the nodes");
  if (word > 0) TRY(mesh_order(mesh, order, *rank));
  else TRY(mesh_order_choose(mesh, c->physics->n_component, *rank, &order));
  if (order == ORDER_NATURAL) FREE(*rank);
  return OK;
}

static Status case_bind(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics) {
  const int32_t before = diagnostics->n;
  TRY(c->physics->bind(c, mesh, setup, diagnostics));
  if (!setup->own) return diagnostics->n > before ? OK : FAIL(ERR_BUG, "a setup without parameters");
  return setup_output(c, mesh, setup, diagnostics);
}

/* The order is a matter of the mesh and of the solver, which points of a sweep have in common. */
static Status number_like(const Mesh *mesh, const Setup *like, int32_t **rank) {
  if (!like->node_rank) return OK;
  ALLOC(*rank, mesh->n_node, "numbering of the nodes");
  memcpy(*rank, like->node_rank, (size_t)mesh->n_node * sizeof **rank);
  return OK;
}

/* The error of the answer is the residual's times as much as the condition of the matrix. */
static void warn_rtol(const Case *c) {
  static const double LOOSE = 1e-3;
  const NumberValue *rtol = &c->solver.rtol;
  char place[512];
  if (place_given(rtol->place) && rtol->value > LOOSE)
    status_warn(
        "%s: rtol is %g: solves end with so much of the load unbalanced, and fields may be off by more\n  remedy: "
        "1e-6 or less; 1e-8 unless given",
        place_text(c->path, rtol->place, place, sizeof place), rtol->value);
}

Status setup_create(const Case *c, const Mesh *mesh, Setup *out) { return setup_create_like(c, mesh, NULL, out); }

Status setup_create_like(const Case *c, const Mesh *mesh, const Setup *like, Setup *out) {
  *out = (Setup){.like = like};
  Diagnostics diagnostics = {.path = c->path};
  units_warn(c);
  case_functions_warn(c);
  warn_rtol(c);
  setup_warn_twice(c);
  Status status = like ? number_like(mesh, like, &out->node_rank) : setup_number(c, mesh, &out->node_rank);
  if (status == OK) status = case_bind(c, mesh, out, &diagnostics);
  if (status == OK) status = diagnostics_status(&diagnostics);
  diagnostics_release(&diagnostics);
  if (status != OK) setup_release(out);
  return status;
}

void setup_release(Setup *setup) {
  if (setup->view) *setup = (Setup){0};
  for (int32_t i = 0; i < setup->n_where; ++i) FREE(setup->where[i]);
  for (int32_t i = 0; i < setup->n_joined; ++i) {
    FREE(setup->joined[i]->name);
    FREE(setup->joined[i]->element);
    FREE(setup->joined[i]);
  }
  for (int32_t i = 0; i < setup->n_numbers; ++i) FREE(setup->numbers[i]);
  mem_free((void **)(void *)&setup->numbers);
  for (int32_t i = 0; i < setup->n_material_name; ++i) FREE(setup->material_name[i]);
  mem_free((void **)(void *)&setup->material_name);
  mem_free((void **)(void *)&setup->where);
  mem_free((void **)(void *)&setup->joined);
  mem_free((void **)(void *)&setup->sum);
  mem_free((void **)(void *)&setup->table);
  FREE(setup->element_material);
  FREE(setup->node_rank);
  mem_free((void **)(void *)&setup->pair);
  linked_nodes_release(&setup->linked);
  if (setup->own) setup->own_release(setup->own);
  FREE(setup->own);
  FREE(setup->probe);
  *setup = (Setup){0};
}

void setup_thin(Setup *setup) {
  Setup words = {.n_where = setup->n_where, .where = setup->where};
  setup->n_where = 0, setup->where = NULL;
  setup_release(setup);
  *setup = words;
}

Status setup_take_own(Setup *setup, size_t bytes, void (*release)(void *own)) {
  setup->own_release = release;
  return mem_alloc(1, bytes, "the setup of a physics", &setup->own);
}
