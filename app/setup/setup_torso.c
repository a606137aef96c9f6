/* A heart in a torso: one mesh, of which the elements with tissue become the mesh of the run. */
#include "app/setup/setup.h"
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/local.h"
#include "output/wording.h"

Status setup_one_piece(const Mesh *mesh, const char *why) {
  int32_t *part = NULL, first = mesh->n_node, other = mesh->n_node, n_first = 0, n_all = 0;
  char count[32], rest[32];
  Status status = OK;
  ALLOC(part, mesh->n_node, "pieces of the mesh");
  const int32_t n = mesh_parts(mesh, part);
  for (int32_t i = mesh->n_node - 1; i >= 0; --i) {
    if (part[i] < 0) continue;
    if (part[i] == i && first < mesh->n_node) other = first;
    if (part[i] == i) first = i;
    ++n_all;
  }
  for (int32_t i = 0; i < mesh->n_node; ++i) n_first += part[i] == first && part[i] >= 0;
  if (n > 1) {
    const double *a = mesh->x[first], *b = mesh->x[other];
    status =
        FAIL(ERR_MESH,
             "%s: %d pieces that share no node: one has %s nodes, such as %lld at (%g, %g, %g), the rest %s, such as "
             "%lld at (%g, %g, %g)\n  %s",
             mesh->path, (int)n, count_text(n_first, count), (long long)mesh->node_tag[first], a[0], a[1], a[2],
             count_text(n_all - n_first, rest), (long long)mesh->node_tag[other], b[0], b[1], b[2], why);
  }
  FREE(part);
  return status;
}

Status setup_keep_sides(const Mesh *mesh, uint8_t *keep) {
  uint8_t *stays = NULL;
  const int32_t first = setup_first_solved(mesh);
  ALLOC(stays, mesh->n_node, "nodes that are left");
  for (int32_t b = mesh->n_block - 1; b >= 0; --b) { /* solved ones come last */
    const ElementBlock *block = &mesh->block[b];
    const int32_t n_node = element_type(block->kind)->n_node;
    for (int32_t i = 0; i < block->n; ++i) {
      const int32_t e = block->first + i, *nodes = block->nodes + (int64_t)i * n_node;
      for (int32_t a = 0; a < n_node; ++a) {
        if (e < first) keep[e] &= stays[nodes[a]];
        else if (keep[e]) stays[nodes[a]] = 1;
      }
    }
  }
  FREE(stays);
  return OK;
}

/* Elements with tissue, and those of lower dimension between their nodes. */
static Status list_heart(const Case *c, const Mesh *mesh, const int32_t *region, uint8_t *keep) {
  const int32_t first = setup_first_solved(mesh);
  for (int32_t e = 0; e < mesh->n_element; ++e) keep[e] = e < first || (region[e] >= 0 && region[e] < c->materials.n);
  return setup_keep_sides(mesh, keep);
}

static Status find_heart(const Case *c, const Mesh *mesh, uint8_t *keep) {
  Setup setup = {0};
  Diagnostics diagnostics = {.path = c->path};
  Status status = setup_regions(c, mesh, &setup, &diagnostics);
  if (status == OK) status = diagnostics_status(&diagnostics);
  if (status == OK)
    status = setup_one_piece(mesh, c->heart_model.value
                                       ? "tissue and bath are one conductor: mesh them together, so that they have the "
                                         "nodes between them in common (in Gmsh: BooleanFragments)"
                                       : "heart and torso are one conductor: mesh them together, so that they have the "
                                         "nodes between them in common (in Gmsh: BooleanFragments)");
  if (status == OK) status = list_heart(c, mesh, setup.element_material, keep);
  diagnostics_release(&diagnostics);
  setup_release(&setup);
  return status;
}

Status setup_cut_heart(const Case *c, Mesh **mesh) {
  uint8_t *keep = NULL;
  ALLOC(keep, (*mesh)->n_element, "elements of the heart");
  Status status = find_heart(c, *mesh, keep);
  if (status == OK) status = mesh_keep(mesh, keep);
  FREE(keep);
  return status;
}
