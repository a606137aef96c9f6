/* The mesh of a case: a file, or a structured grid that is made here. */
#include "app/input/physics.h"
#include "app/setup/setup.h"
#include "core/host_memory.h"
#include "core/memory.h"
#include "mesh/check/check.h"
#include "mesh/io/geo_script.h"
#include "mesh/io/image.h"
#include "output/wording.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static Status grid_nodes(const Case *c, int32_t *dim, int32_t nodes[3]) {
  const CaseMesh *m = &c->mesh;
  *dim = m->image.text ? 2 : m->grid.n;
  for (int32_t k = 0; k < m->grid.n; ++k) nodes[k] = (int32_t)m->grid.value[k];
  if (!m->image.text) return OK;
  Image image;
  TRY(image_load(c->mesh_path, &image));
  nodes[0] = image.width, nodes[1] = image.height;
  image_release(&image);
  CHECK(nodes[0] > 1 && nodes[1] > 1, ERR_MESH, "%s: has %d x %d pixels; a grid needs at least 2 x 2, a node for each",
        c->mesh_path, nodes[0], nodes[1]);
  return OK;
}

static Status name_mesh(const char *name, Mesh *mesh) {
  char *copy;
  TRY(mem_text(name, "path of the mesh", &copy));
  FREE(mesh->path);
  mesh->path = copy;
  return OK;
}

static Status mesh_of_case_refine(int64_t times, Mesh **mesh) {
  for (int64_t i = 0; i < times; ++i) {
    Mesh *next = NULL;
    TRY_CONTEXT(mesh_refine(*mesh, &next), "while refining the grid, step %lld of %lld", (long long)i + 1,
                (long long)times);
    mesh_destroy(mesh);
    *mesh = next;
  }
  return OK;
}

/* Elements that a square or cube of a grid is cut into. */
static int pieces_of_cell(const ElementType *type) {
  switch (type->shape) {
  case SHAPE_TETRAHEDRON: return 6;
  case SHAPE_PYRAMID: return 3;
  case SHAPE_TRIANGLE:
  case SHAPE_WEDGE: return 2;
  default: return 1;
  }
}

/* Refuses a grid that is too large for this host before a byte of it is there. Counts give coordinates, tags and nodes of
 * elements; with neighbours, groups and numbering on top `check` takes three times as much (228 MB for 100^3 hex8), a solve
 * more still. */
static Status grid_fits(const Case *c, const BoxParams *box, int32_t dim) {
  const ElementType *type = element_type(box->kind);
  const double finer = pow(2, dim * (double)c->mesh.refine.value), room = host_memory_free();
  double n_node = finer, n_element = finer * pieces_of_cell(type);
  for (int32_t k = 0; k < dim; ++k) n_node *= box->n[k] + 1.0, n_element *= box->n[k];
  const double bytes = 3 * (32 * n_node + (4.0 * type->n_node + 8) * n_element);
  char place[32], needs[32], there[32];
  const bool numbered = fmax(n_node, n_element) <= INT32_MAX; /* else mesh_box says so */
  CHECK(!numbered || !(room > 0) || bytes <= room, ERR_MEMORY,
        "%s: mesh: a grid of %.4g nodes and %.4g elements takes about %s of memory before a solve, and %s are free\n"
        "  allowed here: less than about %s nodes\n  remedy: a smaller 'grid' or 'refine', or a host with more memory",
        c->path, n_node, n_element, bytes_text(bytes, needs), bytes_text(room, there),
        count_text((int64_t)(n_node * (room / bytes)), place));
  return OK;
}

static Status make_grid(const Case *c, Mesh **out) {
  const CaseMesh *m = &c->mesh;
  int32_t dim, nodes[3] = {0};
  TRY(grid_nodes(c, &dim, nodes));
  ElementKind kind = element_by_name(m->element.text ? m->element.text : dim == 3 ? "hex8" : "quad4")->kind;
  if (m->order.value > 1) {
    const ElementType *type = element_of_order(element_type(kind)->linear, (int32_t)m->order.value, false);
    CHECK(type, ERR_INPUT,
          "%s: there are no elements of order %d with the vertices of %s\n  use order 2, or element: tri3 or tet4",
          c->path, (int)m->order.value, element_type(kind)->name);
    kind = type->kind;
  }
  BoxParams box = {.kind = kind};
  int32_t most = 1;
  for (int32_t k = 0; k < dim; ++k) {
    box.n[k] = nodes[k] - 1;
    if (box.n[k] > most) most = box.n[k];
  }
  for (int32_t k = 0; k < dim; ++k)
    box.size[k] = m->scale.value * (m->size.n ? m->size.value[k] : (double)box.n[k] / most);
  TRY(grid_fits(c, &box, dim));
  const Status status = mesh_box(&box, out);
  if (status == ERR_INPUT) return status_context(ERR_INPUT, "while making the grid of %s", c->path);
  TRY(status);
  TRY(name_mesh(c->mesh_path, *out));
  TRY(check_extent(*out, m->scale.value));
  return mesh_of_case_refine(m->refine.value, out);
}

static MeshParams params_of(const Case *c, bool trust, const char *sizes, MeshNumber number[MESH_NUMBERS]) {
  const CaseMesh *m = &c->mesh;
  for (int32_t i = 0; i < m->gmsh.n && i < MESH_NUMBERS; ++i)
    number[i] = (MeshNumber){m->gmsh.item[i].name.text, m->gmsh.item[i].value};
  return (MeshParams){.path = c->mesh_path,
                      .scale = m->scale.value,
                      .order = (int32_t)m->order.value,
                      .refine = (int32_t)m->refine.value,
                      .size = m->size.value[0],
                      .sizes = sizes                         ? sizes
                               : place_given(c->adapt.place) ? ""
                                                             : NULL,
                      .number = number,
                      .n_number = m->gmsh.n,
                      .touch = case_has_constraints(c),
                      .trust = trust};
}

/* ERR_MESH with the place of a number whose parameter the geometry lacks: it would change nothing. */
static Status parameters_known(const Case *c) {
  for (int32_t i = 0; i < c->mesh.gmsh.n; ++i) {
    const TextValue *name = &c->mesh.gmsh.item[i].name;
    char place[512], said[1024];
    if (access(c->mesh_path, R_OK) || geo_script_defines(c->mesh_path, name->text) == OK) continue;
    snprintf(said, sizeof said, "%s", status_message());
    status_clear();
    return FAIL(ERR_MESH, "%s: %s", place_text(c->path, name->place, place, sizeof place), said);
  }
  return OK;
}

static Status bare_mesh(const Case *c, bool trust, const char *sizes, Mesh **out) {
  *out = NULL;
  MeshNumber number[MESH_NUMBERS];
  const MeshParams params = params_of(c, trust, sizes, number);
  if (c->made && c->made->mesh) {
    *out = c->made->mesh;
    c->made->mesh = NULL;
    const Status prepared = mesh_prepare(&params, out);
    if (prepared != OK) mesh_destroy(out);
    return prepared;
  }
  TRY(parameters_known(c));
  if (c->mesh.file.text) return mesh_load(&params, out);
  const Status status = make_grid(c, out);
  if (status != OK) mesh_destroy(out);
  return status;
}

Status mesh_of_case(const Case *c, bool trust, const char *sizes, Mesh **out) {
  TRY(bare_mesh(c, trust, sizes, out));
  Status status = c->mesh.regions.n ? setup_make_regions(c, *out) : OK;
  if (status == OK && c->without.n) status = setup_leave_out(c, out);
  if (status == OK && c->torso.n) status = setup_cut_heart(c, out);
  if (status == OK && c->physics->add_to_mesh) status = c->physics->add_to_mesh(c, *out);
  if (status != OK) mesh_destroy(out);
  return status;
}
