/* mesh_load: whatever the user named becomes a checked mesh. By content where that says it (.msh, HDF5), by its ending, else by gmsh.
 */
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/check/check.h"
#include "mesh/io/foreign.h"
#include "mesh/io/gmsh.h"
#include "mesh/mesh.h"
#include "mesh/sizes.h"
#include "core/text_source.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static Status read_carp(const MeshParams *params, Mesh **out);

#define READS(name)                                                                                                    \
  static Status read_##name(const MeshParams *params, Mesh **out) { return mesh_read_##name(params->path, out); }
READS(h5)
READS(inp)
READS(med)
READS(msh)
READS(nastran)
READS(vtu)

typedef struct Reader {
  Status (*read)(const MeshParams *params, Mesh **out); /* NULL: Gmsh */
  const char *ending[7];
} Reader;

enum { OF_H5, OF_MSH, FIRST_OTHER_H5, FIRST_TEXT = 4 };
static const Reader readers[] = {
    [OF_H5] = {read_h5, {".h5", ".hdf5"}},
    [OF_MSH] = {read_msh, {".msh"}},
    [FIRST_OTHER_H5] = {read_med, {".med", ".mmed", ".rmed"}}, /* HDF5 of their own */
    {NULL, {".cgns"}},
    [FIRST_TEXT] = {read_inp, {".inp"}},
    {read_vtu, {".vtu"}},
    {read_nastran, {".bdf", ".nas", ".dat", ".blk", ".bulk"}},
    {read_carp, {".pts", ".elem", ".lon", ".bpts", ".belem", ".blon"}},
};

/* Of a geometry, or read through Gmsh. */
static const char *const through_gmsh[] = {".geo", ".step", ".stp", ".iges", ".igs", ".brep", ".stl", ".unv"};

bool mesh_ending(const char *path) {
  for (size_t i = 0; i < sizeof readers / sizeof *readers; ++i)
    for (const char *const *ending = readers[i].ending; *ending; ++ending)
      if (path_ends(path, *ending)) return true;
  for (size_t i = 0; i < sizeof through_gmsh / sizeof *through_gmsh; ++i)
    if (path_ends(path, through_gmsh[i])) return true;
  return false;
}

/* By what the file begins with, else by its ending; NULL: nobody but Gmsh reads it. */
static const Reader *reader_of(const char *path, const char head[SOURCE_HEAD]) {
  const bool is_h5 = !memcmp(head, "\x89HDF\r\n\x1a\n", 8);
  if (!memcmp(head, "$MeshFormat", 11)) return &readers[OF_MSH];
  for (size_t i = is_h5 ? FIRST_OTHER_H5 : 0; i < (is_h5 ? FIRST_TEXT : sizeof readers / sizeof *readers); ++i)
    for (const char *const *ending = readers[i].ending; *ending; ++ending)
      if (path_ends(path, *ending)) return &readers[i];
  return is_h5 ? &readers[OF_H5] : NULL;
}

/* Hearts are in mm; what is longer than a metre is in openCARP's micrometres. */
static Status read_carp(const MeshParams *params, Mesh **out) {
  TRY(mesh_read_carp(params->path, out));
  const double size = mesh_size(*out);
  if ((params->scale == 0 || params->scale == 1) && size > 1000)
    status_warn("%s: is %g long; openCARP writes micrometres, and hearts are in mm here: 'scale: 1e-3' beside 'file:' "
                "in the case",
                params->path, size);
  return OK;
}

/* openCARP's name of a mesh has no ending. */
static Status peek(const char *path, char head[SOURCE_HEAD]) {
  const Status status = source_peek(path, path, head);
  static const char *const endings[] = {".pts", ".bpts"};
  char other[4096];
  for (int k = 0; k < 2 && status != OK && access(path, F_OK) != 0; ++k)
    if (snprintf(other, sizeof other, "%s%s", path, endings[k]) < (int)sizeof other && access(other, F_OK) == 0)
      return status_context(status, "did you mean '%s'?", other);
  return status;
}

/* *refined: its file holds geometry, by which Gmsh refined it. */
static Status read_any(const MeshParams *params, bool *refined, Mesh **out) {
  char head[SOURCE_HEAD];
  TRY(peek(params->path, head));
  const Reader *reader = reader_of(params->path, head);
  const bool holds_mesh = reader || !gmsh_meshes(params->path);
  CHECK(!params->sizes || !holds_mesh, ERR_MESH,
        "%s: 'adapt' makes the mesh anew from its geometry, and this file holds a mesh\n  allowed: .geo, .step, .stp, "
        ".iges, .brep and others that Gmsh meshes\n  remedy: name the geometry, or leave out 'adapt'",
        params->path);
  CHECK(params->size == 0 || !holds_mesh, ERR_MESH,
        "%s: 'size: %g' was asked for, but the file holds a mesh already, not geometry to be meshed\n"
        "  leave 'size' out; 'refine: 1' halves the elements",
        params->path, params->size);
  if (reader && reader->read) return reader->read(params, out);
  TRY(foreign_check(params->path));
  *refined = gmsh_meshes(params->path);
  return gmsh_load(params, out);
}

Status mesh_read(const MeshParams *params, Mesh **out) {
  bool refined;
  return read_any(params, &refined, out);
}

/* The lowest and highest order of the solved elements. */
static void load_orders(const Mesh *mesh, int32_t *low, int32_t *high) {
  *low = 100;
  *high = 0;
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementType *type = element_type(mesh->block[b].kind);
    if (type->dim != mesh->dim) continue;
    if (type->order < *low) *low = type->order;
    if (type->order > *high) *high = type->order;
  }
}

/* Puts `next` in the place of *mesh. */
static void load_replace(Mesh **mesh, Mesh *next) {
  next->outline = (*mesh)->outline;
  (*mesh)->outline = NULL;
  mesh_destroy(mesh);
  *mesh = next;
}

static Status set_order(int32_t order, Mesh **mesh) {
  int32_t low, high;
  if (order == 0) return OK;
  load_orders(*mesh, &low, &high);
  CHECK(order != 1 || high == 1, ERR_MESH,
        "%s: 'order: 1' was asked for, but the mesh holds elements of order %d, which are not lowered\n"
        "  leave 'order' out, or write the mesh with linear elements (gmsh -order 1)",
        (*mesh)->path, high);
  if (order == 1 || low >= order) return OK;
  CHECK(low == 1, ERR_MESH,
        "%s: 'order: %d' was asked for, but the mesh holds elements of order %d, which are not raised further\n"
        "  leave 'order' out, or write the mesh with such elements (gmsh -order %d)",
        (*mesh)->path, order, low, order);
  Mesh *next;
  TRY(mesh_elevate_to(*mesh, order, false, &next));
  load_replace(mesh, next);
  return OK;
}

static Status load_refine(int32_t times, Mesh **mesh) {
  for (int32_t i = 0; i < times; ++i) {
    Mesh *next;
    TRY_CONTEXT(mesh_refine(*mesh, &next), "while refining '%s', step %d of %d", (*mesh)->path, i + 1, times);
    load_replace(mesh, next);
  }
  return OK;
}

/* Is there a solved element with a side full of these nodes? */
static bool load_fill_a_side(const Mesh *mesh, const bool *in) {
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    const ElementType *type = element_type(block->kind);
    for (int32_t e = 0; e < block->n && type->dim == mesh->dim; ++e) {
      int32_t n = 0;
      for (int32_t a = 0; a < type->n_vertex; ++a) n += in[block->nodes[(int64_t)e * type->n_node + a]];
      if (n >= mesh->dim) return true;
    }
  }
  return false;
}

/* A list of nodes of a deck or of openCARP stands for a surface, and new nodes on that are not in it. */
static Status load_warn_of_node_lists(const Mesh *mesh) {
  enum { NAMED = 5 };
  const char *first[NAMED] = {"", "", "", "", ""};
  int32_t found = 0;
  bool *in;
  ALLOC(in, mesh->n_node, "nodes of a group");
  for (int32_t g = 0; g < mesh->n_group; ++g) {
    const Group *group = &mesh->group[g];
    if (group->dim != 0 || group->n < mesh->dim) continue;
    memset(in, 0, (size_t)mesh->n_node * sizeof *in);
    for (int32_t k = 0; k < group->n; ++k) in[mesh_nodes_of(mesh, group->element[k])[0]] = true;
    if (load_fill_a_side(mesh, in) && found++ < NAMED) first[found - 1] = group->name;
  }
  FREE(in);
  if (found > 0)
    status_warn(
        "%s: %d groups are lists of nodes that fill sides of elements: %s %s %s %s %s\n"
        "  nodes that 'refine' and 'order' add between them are in none: what such a group holds or loads, it does "
        "at the listed nodes only\n"
        "  remedy: refine where the mesh was made, or name a group of surfaces",
        mesh->path, (int)found, first[0], first[1], first[2], first[3], first[4]);
  return OK;
}

Status mesh_prepare(const MeshParams *params, Mesh **mesh) {
  const double scale = params->scale == 0 ? 1 : params->scale;
  const int32_t n_scaled = scale == 1 ? 0 : (*mesh)->n_node;
#pragma omp parallel for schedule(static) num_threads(parts_of(n_scaled))
  for (int32_t i = 0; i < n_scaled; ++i)
    for (int d = 0; d < 3; ++d) (*mesh)->x[i][d] *= scale;
  TRY(check_extent(*mesh, scale));
  (*mesh)->in_space = mesh_leaves_plane(*mesh);
  ShapeReport report;
  TRY(mesh_check_report(*mesh, params->touch,
                        &report)); /* before anything is derived: messages name the elements of the file */
  int32_t low, high;
  load_orders(*mesh, &low, &high);
  if (high == 1 && !(*mesh)->in_space && (params->order > 1 || params->refine > 0)) TRY(check_flats(*mesh));
  if (params->order > high || params->refine > 0) TRY(load_warn_of_node_lists(*mesh));
  TRY_CONTEXT(set_order(params->order, mesh), "while setting the order of '%s'", params->path);
  TRY(load_refine(params->refine, mesh));
  if (params->order != 0 || params->refine != 0) {
    check_shapes(*mesh, &report);
    TRY_CONTEXT(check_shape_errors(*mesh, &report), "after refining the mesh or raising its order");
  }
  (*mesh)->quality = report.quality;
  return OK;
}

Status mesh_load(const MeshParams *params, Mesh **out) {
  *out = NULL;
  CHECK(params->order >= 0 && params->order <= 3, ERR_INPUT, "mesh order %d, must be 1, 2 or 3", params->order);
  CHECK(params->refine >= 0, ERR_INPUT, "refine is %d, must be 0 or more", params->refine);
  CHECK(isfinite(params->scale) && params->scale >= 0, ERR_INPUT, "mesh scale %g, must be above 0", params->scale);
  CHECK(isfinite(params->size) && params->size >= 0, ERR_INPUT, "mesh size %g, must be above 0", params->size);
  Mesh *mesh;
  MeshParams left = *params;
  bool refined = false;
  TRY(read_any(params, &refined, &mesh));
  if (refined) left.refine = 0;
  Status status = params->sizes ? mesh_sizes_check(mesh) : OK;
  if (status == OK) status = mesh_prepare(&left, &mesh);
  if (status != OK) mesh_destroy(&mesh);
  *out = mesh;
  return status;
}
