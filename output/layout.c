/* Creates results.hdf up to the first step: see layout.h. */
#include "output/layout.h"

#include "core/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ATTRIBUTE_LIMIT = 32768 }; /* HDF5 keeps attributes below 64 KiB, together with their heads */

static bool is_cell_block(const Mesh *mesh, const ElementBlock *block) {
  return block->n > 0 && element_type(block->kind)->dim == mesh->dim;
}

/* XDMF's number of a cell type; its mixed connectivity puts it before the nodes of each cell. */
static int64_t xdmf_type(const ElementType *type) {
  switch (type->kind) {
    case ELEMENT_TRI3: return 4;
    case ELEMENT_QUAD4: return 5;
    case ELEMENT_TET4: return 6;
    case ELEMENT_HEX8: return 9;
    case ELEMENT_QUAD9: return 35;
    case ELEMENT_TRI6: return 36;
    case ELEMENT_QUAD8: return 37;
    case ELEMENT_TET10: return 38;
    case ELEMENT_HEX20: return 48;
    case ELEMENT_HEX27: return 48; /* shown by its first 20 nodes: ParaView 5.11 misreads hex27 in mixed connectivity */
    default: return 0;
  }
}

static int32_t xdmf_nodes(const ElementType *type) { return type->kind == ELEMENT_HEX27 ? 20 : type->n_node; }

/* Numbers for one cell: its nodes, for XDMF's mixed connectivity after the cell type. */
static int32_t cell_length(const ElementType *type, bool mixed) { return mixed ? 1 + xdmf_nodes(type) : type->n_node; }

static Status take_fields(const WriterParams *params, Layout *layout) {
  ALLOC(layout->field, params->n_field, "the fields of the result file");
  for (int32_t f = 0; f < params->n_field; ++f) {
    const WriterField *field = &params->field[f];
    CHECK(field->name && field->name[0] && !strchr(field->name, '/') && strlen(field->name) < FIELD_NAME, ERR_BUG,
          "a result field with the name '%s'", field->name ? field->name : "");
    CHECK(field->n_component > 0, ERR_BUG, "result field '%s' with %d components", field->name, field->n_component);
    for (int32_t g = 0; g < f; ++g)
      CHECK(field->on_cells != layout->field[g].on_cells || strcmp(field->name, layout->field[g].name) != 0, ERR_BUG,
            "result field '%s' twice", field->name);
    char *name = NULL;
    ALLOC(name, strlen(field->name) + 1, "the name of a result field");
    strcpy(name, field->name);
    layout->field[f] = *field;
    layout->field[f].name = name;
    layout->n_field = f + 1;
  }
  return OK;
}

Status layout_init(const WriterParams *params, Layout *layout) {
  *layout = (Layout){0};
  const Mesh *mesh = params->mesh;
  CHECK(mesh && params->folder && params->n_step > 0, ERR_BUG, "a result file without mesh, folder or steps");
  layout->n_step = params->n_step;
  layout->n_node = mesh->n_node;
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    if (!is_cell_block(mesh, block)) continue;
    layout->n_cell += block->n;
    layout->n_connectivity += (int64_t)block->n * element_type(block->kind)->n_node;
    layout->n_topology += (int64_t)block->n * cell_length(element_type(block->kind), true);
    layout->kind = block->kind;
    ++layout->n_kind;
  }
  const Status status = take_fields(params, layout);
  if (status != OK) layout_release(layout);
  return status;
}

void layout_release(Layout *layout) {
  for (int32_t f = 0; f < layout->n_field; ++f) {
    char *name = (char *)(uintptr_t)layout->field[f].name;
    FREE(name);
  }
  FREE(layout->field);
  layout->n_field = 0;
}

int64_t layout_rows(const Layout *layout, const WriterField *field) {
  return field->on_cells ? layout->n_cell : layout->n_node;
}

void layout_field_path(const WriterField *field, char *path, size_t size) {
  snprintf(path, size, "/VTKHDF/%s/%s", field->on_cells ? "CellData" : "PointData", field->name);
}

static bool make_groups(hid_t file) {
  static const char *const names[] = {"/VTKHDF",       "/VTKHDF/PointData",
                                      "/VTKHDF/CellData", "/VTKHDF/Steps",
                                      "/VTKHDF/Steps/PointDataOffsets", "/VTKHDF/Steps/CellDataOffsets",
                                      "/Sinew",        "/Sinew/history", "/Sinew/timing"};
  bool good = true;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const hid_t group = h5_group_create(file, names[i]);
    good = good && group >= 0 && H5Gclose(group) >= 0;
  }
  return good;
}

static Status store_head(hid_t file, const char *path, int64_t n_node, int64_t n_cell, int64_t n_connectivity) {
  const int64_t version[2] = {2, 0};
  const hsize_t one = 1;
  const hid_t vtk = H5Gopen2(file, "/VTKHDF", H5P_DEFAULT);
  const bool good =
      vtk >= 0 && h5_integers_attribute(vtk, "Version", 2, version) && h5_text_attribute(vtk, "Type", "UnstructuredGrid", false) &&
      h5_store(vtk, "NumberOfPoints", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, &one, &n_node) &&
      h5_store(vtk, "NumberOfCells", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, &one, &n_cell) &&
      h5_store(vtk, "NumberOfConnectivityIds", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, &one, &n_connectivity);
  const Status status = good ? OK : h5_error(path, "write the head of");
  if (vtk >= 0) H5Gclose(vtk);
  return status;
}

/* Nodes of one block in VTK's order. */
static void fill_cells(const ElementBlock *block, bool mixed, int64_t *out) {
  const ElementType *type = element_type(block->kind);
  const int32_t n = mixed ? xdmf_nodes(type) : type->n_node;
  for (int32_t e = 0; e < block->n; ++e) {
    if (mixed) *out++ = xdmf_type(type);
    for (int32_t a = 0; a < n; ++a) *out++ = block->nodes[(int64_t)e * type->n_node + type->vtk_order[a]];
  }
}

/* Writes the cells block by block into `name`, reserved for n numbers. */
static Status store_cells(hid_t file, const char *path, const Mesh *mesh, const char *name, bool mixed, int64_t n) {
  const hsize_t dims = (hsize_t)n;
  if (!h5_reserve(file, name, H5T_STD_I64LE, 1, &dims)) return h5_error(path, "reserve %s in", name);
  int64_t first = 0;
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    if (!is_cell_block(mesh, block)) continue;
    const int64_t more = (int64_t)block->n * cell_length(element_type(block->kind), mixed);
    int64_t *values = NULL;
    ALLOC(values, more, "the cells of the result file");
    fill_cells(block, mixed, values);
    const bool good = h5_write_rows(file, name, H5T_NATIVE_INT64, first, more, values);
    FREE(values);
    if (!good) return h5_error(path, "write %s to", name);
    first += more;
  }
  return OK;
}

static Status store_offsets(hid_t file, const char *path, const Mesh *mesh, int32_t n_cell) {
  int64_t *offset = NULL;
  uint8_t *kind = NULL;
  Status status = OK;
  const hsize_t n_offset = (hsize_t)n_cell + 1, n_kind = (hsize_t)n_cell;
  ALLOC_DONE(offset, (int64_t)n_cell + 1, "the offsets of the result file");
  ALLOC_DONE(kind, n_cell, "the cell types of the result file");
  int32_t c = 0;
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    if (!is_cell_block(mesh, &mesh->block[b])) continue;
    const ElementType *type = element_type(mesh->block[b].kind);
    for (int32_t e = 0; e < mesh->block[b].n; ++e, ++c) {
      kind[c] = (uint8_t)type->vtk_type;
      offset[c + 1] = offset[c] + type->n_node;
    }
  }
  if (!h5_store(file, "/VTKHDF/Offsets", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, &n_offset, offset) ||
      !h5_store(file, "/VTKHDF/Types", H5T_STD_U8LE, H5T_NATIVE_UINT8, 1, &n_kind, kind))
    status = h5_error(path, "write the cells to");
done:
  FREE(offset);
  FREE(kind);
  return status;
}

static Status store_mesh(hid_t file, const char *path, const Mesh *mesh, const Layout *layout) {
  const int32_t n_cell = layout->n_cell;
  const int64_t n_connectivity = layout->n_connectivity;
  const hsize_t dims[2] = {(hsize_t)mesh->n_node, 3};
  TRY(store_head(file, path, mesh->n_node, n_cell, n_connectivity));
  if (!h5_store(file, "/VTKHDF/Points", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 2, dims, mesh->x))
    return h5_error(path, "write the nodes to");
  TRY(store_cells(file, path, mesh, "/VTKHDF/Connectivity", false, n_connectivity));
  TRY(store_offsets(file, path, mesh, n_cell));
  if (layout->n_kind > 1)
    TRY(store_cells(file, path, mesh, "/Sinew/topology", true, layout->n_topology));
  return OK;
}

static Status reserve_fields(hid_t file, const char *path, const Layout *layout) {
  for (int32_t f = 0; f < layout->n_field; ++f) {
    const WriterField *field = &layout->field[f];
    char name[FIELD_PATH];
    layout_field_path(field, name, sizeof name);
    const int64_t n = (field->once ? 1 : layout->n_step) * layout_rows(layout, field);
    const hsize_t dims[2] = {(hsize_t)n, (hsize_t)field->n_component};
    if (!h5_reserve(file, name, H5T_IEEE_F64LE, field->n_component > 1 ? 2 : 1, dims))
      return h5_error(path, "reserve %" PRId64 " steps of '%s' in", layout->n_step, field->name);
  }
  return OK;
}

/* Offsets of every reserved step: all share the mesh; step k of a field starts at row k n. */
static bool store_step_offsets(hid_t steps, const Layout *layout, int64_t *row) {
  static const char *const zero[] = {"PartOffsets", "PointOffsets", "CellOffsets", "ConnectivityIdOffsets"};
  const hsize_t dims[2] = {(hsize_t)layout->n_step, 1};
  bool good = true;
  for (int i = 0; i < 4 && good; ++i)
    good = h5_store(steps, zero[i], H5T_STD_I64LE, H5T_NATIVE_INT64, i < 2 ? 1 : 2, dims, row);
  for (int32_t f = 0; f < layout->n_field && good; ++f) {
    const WriterField *field = &layout->field[f];
    for (int64_t k = 0; k < layout->n_step; ++k) row[k] = field->once ? 0 : k * layout_rows(layout, field);
    char name[FIELD_PATH];
    snprintf(name, sizeof name, "%s/%s", field->on_cells ? "CellDataOffsets" : "PointDataOffsets", field->name);
    good = h5_store(steps, name, H5T_STD_I64LE, H5T_NATIVE_INT64, 1, dims, row);
  }
  for (int64_t k = 0; k < layout->n_step; ++k) row[k] = 1;
  return good && h5_store(steps, "NumberOfParts", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, dims, row);
}

static Status store_steps(hid_t file, const char *path, const Layout *layout) {
  int64_t *row = NULL;
  const int64_t none = 0;
  ALLOC(row, layout->n_step, "the table of steps");
  const hid_t steps = H5Gopen2(file, "/VTKHDF/Steps", H5P_DEFAULT);
  const bool good = steps >= 0 && h5_integers_attribute(steps, "NSteps", 1, &none) &&
                    h5_series_create(steps, "Values", H5T_IEEE_F64LE, layout->n_step) &&
                    store_step_offsets(steps, layout, row);
  const Status status = good ? OK : h5_error(path, "write the table of steps to");
  if (steps >= 0) H5Gclose(steps);
  FREE(row);
  return status;
}

static bool reserve_timing(hid_t group) {
  const hsize_t n = TIMING_PHASES;
  const hid_t name = H5Tcopy(H5T_C_S1);
  H5Tset_size(name, TIMING_NAME);
  H5Tset_strpad(name, H5T_STR_NULLPAD);
  const bool good =
      h5_reserve(group, "timing/phase", name, 1, &n) && h5_reserve(group, "timing/seconds", H5T_IEEE_F64LE, 1, &n);
  H5Tclose(name);
  return good;
}

static Status store_provenance(hid_t file, const char *path, const WriterParams *params) {
  char hash[17];
  snprintf(hash, sizeof hash, "%016" PRIx64, params->mesh_hash);
  const char *const entry[][2] = {{"version", params->version},     {"commit", params->commit},
                                  {"case", params->case_text},      {"mesh_hash", hash},
                                  {"device", params->device},       {"precision", params->precision},
                                  {"units", params->units}};
  const hid_t group = H5Gopen2(file, "/Sinew", H5P_DEFAULT);
  bool good = group >= 0;
  for (size_t i = 0; good && i < sizeof entry / sizeof *entry; ++i) {
    if (!entry[i][1]) continue;
    good = h5_text_dataset(group, entry[i][0], entry[i][1]);
    if (good && strlen(entry[i][1]) < ATTRIBUTE_LIMIT) good = h5_text_attribute(group, entry[i][0], entry[i][1], true);
  }
  good = good && reserve_timing(group);
  const Status status = good ? OK : h5_error(path, "write the provenance to");
  if (group >= 0) H5Gclose(group);
  return status;
}

Status layout_create(hid_t file, const char *path, const WriterParams *params, const Layout *layout) {
  if (!make_groups(file)) return h5_error(path, "write the groups of");
  TRY(store_steps(file, path, layout));
  TRY(store_mesh(file, path, params->mesh, layout));
  TRY(store_provenance(file, path, params));
  return reserve_fields(file, path, layout);
}

Status layout_check(hid_t file, const char *path, const WriterParams *params, const Layout *layout) {
  char hash[17], stored[32];
  snprintf(hash, sizeof hash, "%016" PRIx64, params->mesh_hash);
  int rank;
  hsize_t dims[4];
  CHECK(h5_shape(file, "/VTKHDF/Steps/NumberOfParts", &rank, dims) && rank == 1 &&
            h5_read_text(file, "/Sinew/mesh_hash", stored, sizeof stored),
        ERR_RESTART, "'%s' is not a result of Sinew; use --overwrite or another --output", path);
  CHECK(strcmp(hash, stored) == 0, ERR_RESTART,
        "'%s' belongs to another mesh (hash %s, now %s); use --overwrite or another --output", path, stored, hash);
  CHECK((int64_t)dims[0] == layout->n_step, ERR_RESTART,
        "'%s' has room for %lld steps, this case stores %lld; use --overwrite or another --output", path,
        (long long)dims[0], (long long)layout->n_step);
  for (int32_t f = 0; f < layout->n_field; ++f) {
    const WriterField *field = &layout->field[f];
    char name[FIELD_PATH];
    layout_field_path(field, name, sizeof name);
    const int64_t n = (field->once ? 1 : layout->n_step) * layout_rows(layout, field);
    const bool same = h5_shape(file, name, &rank, dims) && (int64_t)dims[0] == n &&
                      (rank == 1 ? 1 : (int32_t)dims[1]) == field->n_component;
    CHECK(same, ERR_RESTART, "'%s' has no field '%s' of this size; use --overwrite or another --output", path,
          field->name);
  }
  return OK;
}
