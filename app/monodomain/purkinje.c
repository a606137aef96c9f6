/* See purkinje.h: trees become part of the mesh. */
#include "app/monodomain/purkinje.h"
#include "app/monodomain/case_monodomain.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "core/parts.h"
#include "mesh/make/cable.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double DEGREE = 0.017453292519943295;

static Status read_tree(const Case *c, const CasePurkinje *tree, const double *root, Cable *out) {
  char *path = NULL;
  Mesh *mesh = NULL;
  Status status = case_path(c, tree->file.text, &path);
  if (status == OK) status = mesh_read(&(MeshParams){.path = path, .scale = tree->scale.value}, &mesh);
  for (int32_t i = 0; status == OK && i < mesh->n_node; ++i)
    for (int k = 0; k < 3; ++k) mesh->x[i][k] *= tree->scale.value;
  if (status == OK) status = cable_of_lines(mesh, NULL, root, out);
  mesh_destroy(&mesh);
  FREE(path);
  return status;
}

static Status grow_tree(const CasePurkinje *tree, const Mesh *mesh, const Group *surface, const double root[3],
                        Cable *out) {
  const CaseGrow *g = &tree->grow;
  GrowParams params = {.surface = surface,
                       .length = g->length.value,
                       .branch_length = g->branch_length.value,
                       .segment = g->segment.value,
                       .angle = g->angle.value * DEGREE,
                       .repulsion = g->repulsion.value,
                       .generations = (int32_t)g->generations.value,
                       .seed = (uint64_t)g->seed.value};
  for (int k = 0; k < 3; ++k) params.root[k] = root[k], params.direction[k] = g->direction.value[k];
  return cable_grow(mesh, &params, out);
}

/* Lines of a torso may have nodes that the heart has not. */
static const Mesh *mesh_of_lines(const Mesh *mesh) { return mesh->whole ? mesh->whole : mesh; }

/* The group that a tree is on or grows on; NULL: none is named, or an error. */
static const Group *group_of(const CasePurkinje *tree, const Mesh *mesh, Setup *scratch, Diagnostics *out) {
  const Mesh *whole = mesh_of_lines(mesh);
  if (tree->on.n == 1 && mesh_group_dim(whole, tree->on.item[0].text, 1))
    return mesh_group_dim(whole, tree->on.item[0].text, 1);
  if (tree->on.n) return setup_group(scratch, whole, &tree->on, ON_ANY, "a tree", out);
  return place_given(tree->grow.place) ? setup_group(scratch, mesh, &tree->grow.surface, ON_FACETS, "surface", out)
                                       : NULL;
}

/* A root that is meant to be on the tree lies within a line of it. */
static void warn_root(const CasePurkinje *tree, const Cable *cable) {
  const double *root = tree->root.value, *x = cable->x[cable->root];
  double longest = 0;
  if (!tree->root.n) return;
  for (int32_t i = 0; i < cable->n_line; ++i)
    longest = fmax(longest, vec3_square(cable->x[cable->line[i][0]], cable->x[cable->line[i][1]]));
  if (vec3_square(root, x) > longest)
    status_warn("the root of the tree '%s' is %.4g mm away from its nearest node, (%.6g, %.6g, %.6g), which is taken",
                tree->name.text, sqrt(vec3_square(root, x)), x[0], x[1], x[2]);
}

static Status make_tree(const Case *c, const CasePurkinje *tree, const Mesh *mesh, Setup *scratch, Cable *out) {
  Diagnostics diagnostics = {.path = c->path};
  const Group *group = group_of(tree, mesh, scratch, &diagnostics);
  const Status found = diagnostics_status(&diagnostics);
  diagnostics_release(&diagnostics);
  TRY(found);
  const double *root = tree->root.n ? tree->root.value : NULL;
  if (tree->file.text) TRY(read_tree(c, tree, root, out));
  else if (tree->on.n) TRY(cable_of_lines(mesh_of_lines(mesh), group, root, out));
  else TRY(grow_tree(tree, mesh, group, root, out));
  warn_root(tree, out);
  return place_given(tree->size.place) ? cable_split(out, tree->size.value) : OK;
}

/* Pairs of an end and a node of tissue within the radius of the junction, end by end. */
static Status find_junctions(const CasePurkinje *tree, const Mesh *mesh, const uint8_t *bits, int32_t *n,
                             int32_t (**pair)[2]) {
  char name[256];
  snprintf(name, sizeof name, "%s-ends", tree->name.text);
  const Group *ends = mesh_group_dim(mesh, name, 0);
  const double reach = tree->junction.radius.value * tree->junction.radius.value;
  int32_t room = 0;
  for (int32_t k = 0; k < ends->n; ++k) {
    const int32_t end = mesh_nodes_of(mesh, ends->element[k])[0];
    for (int32_t i = 0; i < mesh->n_node; ++i) {
      if (!(bits[i] & NODE_TISSUE) || vec3_square(mesh->x[i], mesh->x[end]) > reach) continue;
      if (*n == room) {
        room = 2 * room + 256;
        RESIZE(*pair, room, "junctions of a tree");
      }
      (*pair)[*n][0] = end, (*pair)[*n][1] = i;
      ++*n;
    }
  }
  return OK;
}

/* After all trees, since their nodes are no tissue. */
static Status add_junctions(const Case *c, Mesh *mesh) {
  uint8_t *bits = NULL;
  Status status = OK;
  ALLOC(bits, mesh->n_node, "junctions of a tree");
  purkinje_nodes(mesh, bits);
  for (int32_t i = 0; i < c->purkinje.n && status == OK; ++i) {
    int32_t n = 0, (*pair)[2] = NULL;
    status = find_junctions(case_tree(c, i), mesh, bits, &n, &pair);
    if (status == OK) status = mesh_attach_junctions(mesh, case_tree(c, i)->name.text, n, (const int32_t(*)[2])pair);
    FREE(pair);
  }
  FREE(bits);
  return status;
}

Status purkinje_add(const Case *c, Mesh *mesh) {
  Status status = OK;
  for (int32_t i = 0; i < c->purkinje.n && status == OK; ++i) {
    const CasePurkinje *tree = case_tree(c, i);
    Setup scratch = {0};
    Cable cable = {0};
    status = make_tree(c, tree, mesh, &scratch, &cable);
    if (status == OK) status = mesh_attach(mesh, tree->name.text, &cable);
    cable_release(&cable);
    setup_release(&scratch);
    char where[1024];
    if (status != OK)
      status = status_context(status, "while making the tree '%s' of %s", tree->name.text,
                              place_text(c->path, tree->place, where, sizeof where));
  }
  return status == OK && c->purkinje.n ? add_junctions(c, mesh) : status;
}

static void mark_elements(const ElementBlock *block, int32_t from, uint8_t bit, uint8_t *bits) {
  const int32_t n = element_type(block->kind)->n_node;
#pragma omp parallel for schedule(static) num_threads(parts_of((int64_t)block->n *n))
  for (int64_t k = (int64_t)from * n; k < (int64_t)block->n * n; ++k)
    __atomic_fetch_or(&bits[block->nodes[k]], bit, __ATOMIC_RELAXED);
}

void purkinje_nodes(const Mesh *mesh, uint8_t *bits) {
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    if (element_type(block->kind)->dim == mesh->dim) mark_elements(block, 0, NODE_TISSUE, bits);
    if (mesh->n_cable && block == mesh_block_of(mesh, mesh->first_cable))
      mark_elements(block, mesh->first_cable - block->first, NODE_TREE, bits);
  }
}
