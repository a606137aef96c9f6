/* Creates results.hdf up to the first step: see layout.h. */
#include "output/layout.h"

#include "core/memory.h"
#include "output/cell_data.h"
#include "output/cells.h"
#include "output/packed.h"
#include "output/pieces.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char layout_node_numbers[] = "/Sinew/node-number";

enum { ATTRIBUTE_LIMIT = 32768 }; /* HDF5 keeps attributes below 64 KiB, together with their heads */

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
    TRY(mem_text(field->name, "the name of a result field", &name));
    layout->field[f] = *field;
    layout->field[f].name = name;
    layout->field[f].unit = NULL; /* borrowed: written by layout_create */
    layout->n_field = f + 1;
  }
  return OK;
}

Status layout_init(const WriterParams *params, Layout *layout) {
  *layout = (Layout){0};
  const Mesh *mesh = params->mesh;
  CHECK(mesh && params->folder && params->n_step > 0, ERR_BUG, "a result file without mesh, folder or steps");
  layout->n_step = params->n_step;
  layout->single = params->single, layout->packed = params->packed;
  layout->n_node = mesh->n_node;
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    const int64_t n = cells_count(mesh, block);
    if (n == 0) continue;
    layout->n_cell += (int32_t)n;
    layout->n_shown += n * pieces_count(element_type(block->kind));
    layout->n_connectivity += n * element_type(block->kind)->n_node;
    layout->n_topology += n * cells_mixed_length(block->kind);
    layout->kind = block->kind;
    ++layout->n_kind;
  }
  Status status = take_fields(params, layout);
  if (status == OK)
    status = mem_alloc(layout->n_field, sizeof *layout->place, "the places of the fields", (void **)&layout->place);
  if (status != OK) layout_release(layout);
  return status;
}

void layout_release(Layout *layout) {
  for (int32_t f = 0; f < layout->n_field; ++f) {
    char *name = (char *)(uintptr_t)layout->field[f].name;
    FREE(name);
  }
  FREE(layout->field);
  FREE(layout->place);
  layout->n_field = 0;
}

/* HDF5's largest chunk is 4 GiB. */
static int64_t chunk_rows(int64_t rows, int64_t row_bytes, int64_t most) {
  const int64_t n = (rows * row_bytes + most - 1) / most;
  return n > 0 ? (rows + n - 1) / n : 1;
}

int64_t layout_chunk_rows(const Layout *layout, const WriterField *field) {
  const int64_t rows = layout_rows(layout, field), bytes = field->n_component * layout_number_bytes(layout);
  if (!layout->packed || field->once || rows * bytes > UINT32_MAX) return 0;
  return layout->n_step > 1 ? rows : chunk_rows(rows, bytes, LAYOUT_CHUNK);
}

int64_t layout_most_chunks(const Layout *layout) {
  int64_t most = 1;
  for (int32_t f = 0; f < layout->n_field; ++f) {
    const int64_t rows = layout_chunk_rows(layout, &layout->field[f]), all = layout_rows(layout, &layout->field[f]);
    const int64_t n = rows > 0 ? (all + rows - 1) / rows * layout->n_step : 1;
    if (n > most) most = n;
  }
  return most;
}

/* In one chunk, so that its place is known (receipt.h), or where that is impossible as it is. */
Status layout_store(hid_t file, const char *path, const Layout *layout, const LayoutArray *a) {
  const hsize_t dims[2] = {(hsize_t)a->n, (hsize_t)a->n_component};
  const int rank = a->n_component > 0 ? 2 : 1;
  const int32_t size = (int32_t)H5Tget_size(a->type);
  const int64_t numbers = a->n * (rank > 1 ? a->n_component : 1);
  int64_t place;
  bool good;
  if (layout->packed && numbers > 0 && numbers * size <= UINT32_MAX) {
    Packed packed;
    TRY(packed_build(a->values, numbers, numbers, size, &packed));
    good = h5_reserve_packed(file, a->name, a->type, rank, dims, dims[0]) &&
           h5_write_packed(file, a->name, 0, packed.data, packed.n, &place);
    packed_release(&packed);
  } else {
    good = h5_store(file, a->name, a->type, a->type, rank, dims, a->values);
  }
  return good ? OK : h5_error(path, "write %s to", a->what);
}

int64_t layout_rows(const Layout *layout, const WriterField *field) {
  return field->on_cells ? layout->n_cell : layout->n_node;
}

void layout_field_path(const WriterField *field, char *path, size_t size) {
  snprintf(path, size, "/VTKHDF/%s/%s", field->on_cells ? "CellData" : "PointData", field->name);
}

void layout_find_places(hid_t file, bool past, Layout *layout) {
  for (int32_t f = 0; f < layout->n_field; ++f) {
    char name[FIELD_PATH];
    layout_field_path(&layout->field[f], name, sizeof name);
    layout->place[f] = past ? h5_place(file, name) : -1;
  }
}

static bool make_groups(hid_t file) {
  static const char *const names[] = {"/VTKHDF",
                                      "/VTKHDF/PointData",
                                      "/VTKHDF/CellData",
                                      "/VTKHDF/Steps",
                                      "/VTKHDF/Steps/PointDataOffsets",
                                      "/VTKHDF/Steps/CellDataOffsets",
                                      "/Sinew",
                                      "/Sinew/history",
                                      "/Sinew/timing"};
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
  const bool good = vtk >= 0 && h5_integers_attribute(vtk, "Version", 2, version) &&
                    h5_text_attribute(vtk, "Type", "UnstructuredGrid", false) &&
                    h5_store(vtk, "NumberOfPoints", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, &one, &n_node) &&
                    h5_store(vtk, "NumberOfCells", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, &one, &n_cell) &&
                    h5_store(vtk, "NumberOfConnectivityIds", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, &one, &n_connectivity);
  const Status status = good ? OK : h5_error(path, "write the head of");
  if (vtk >= 0) H5Gclose(vtk);
  return status;
}

static Status store_node_numbers(hid_t file, const char *path, const Mesh *mesh, const Layout *layout) {
  bool in_turn = true;
  for (int32_t i = 0; i < mesh->n_node && in_turn; ++i) in_turn = mesh->node_tag[i] == (int64_t)i + 1;
  if (in_turn) return OK;
  const LayoutArray numbers = {layout_node_numbers, "the numbers of the nodes", H5T_NATIVE_INT64, mesh->n_node, 0,
                               mesh->node_tag};
  return layout_store(file, path, layout, &numbers);
}

static Status store_mesh(hid_t file, const char *path, const Mesh *mesh, const Layout *layout) {
  const LayoutArray nodes = {"/VTKHDF/Points", "the nodes", H5T_NATIVE_DOUBLE, mesh->n_node, 3, mesh->x};
  TRY(store_head(file, path, mesh->n_node, layout->n_cell, layout->n_connectivity));
  TRY(layout_store(file, path, layout, &nodes));
  TRY(store_node_numbers(file, path, mesh, layout));
  return cells_store(file, path, mesh, layout);
}

static Status store_word(hid_t file, const char *path, const char *name, const char *attribute, const char *word) {
  if (!word) return OK;
  const hid_t data = H5Dopen2(file, name, H5P_DEFAULT);
  const bool good = data >= 0 && h5_text_attribute(data, attribute, word, true);
  const Status status = good ? OK : h5_error(path, "write the %s of %s to", attribute, name);
  if (data >= 0) H5Dclose(data);
  return status;
}

static Status reserve_fields(hid_t file, const char *path, const WriterParams *params, const Layout *layout) {
  for (int32_t f = 0; f < layout->n_field; ++f) {
    const WriterField *field = &layout->field[f];
    char name[FIELD_PATH];
    layout_field_path(field, name, sizeof name);
    const int64_t n = (field->once ? 1 : layout->n_step) * layout_rows(layout, field);
    const hsize_t dims[2] = {(hsize_t)n, (hsize_t)field->n_component};
    const hid_t type = layout->single ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
    const int rank = field->n_component > 1 ? 2 : 1;
    const int64_t rows = layout_chunk_rows(layout, field);
    if (!(rows > 0 ? h5_reserve_packed(file, name, type, rank, dims, (hsize_t)rows)
                   : h5_reserve(file, name, type, rank, dims)))
      return h5_error(path, "reserve %" PRId64 " steps of '%s' in", layout->n_step, field->name);
    TRY(store_word(file, path, name, "units", params->field[f].unit));
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
  for (int k = 0; k < CELL_DATA && good; ++k) {
    char name[FIELD_PATH];
    snprintf(name, sizeof name, "CellDataOffsets/%s", cell_data_name[k]);
    good = h5_store(steps, name, H5T_STD_I64LE, H5T_NATIVE_INT64, 1, dims, row);
  }
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
  const char *const entry[][2] = {
      {"version", params->version}, {"commit", params->commit},       {"case", params->case_text}, {"mesh_hash", hash},
      {"device", params->device},   {"precision", params->precision}, {"units", params->units}};
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
  TRY(cell_data_store(file, path, params, layout));
  TRY(store_provenance(file, path, params));
  TRY(store_word(file, path, "/VTKHDF/Points", "units", params->length_unit));
  TRY(store_word(file, path, "/VTKHDF/Steps/Values", "units", params->time_unit));
  TRY(store_word(file, path, "/VTKHDF/Steps/Values", "axis", params->axis));
  return reserve_fields(file, path, params, layout);
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
  for (int k = 0; k < CELL_DATA; ++k) {
    char name[FIELD_PATH];
    cell_data_path(layout, k, name, sizeof name);
    CHECK(h5_shape(file, name, &rank, dims) && rank == 1 && (int64_t)dims[0] == layout->n_shown, ERR_RESTART,
          "'%s' has no %s of this size: another version of Sinew made it; use --overwrite or another --output", path,
          name);
  }
  for (int32_t f = 0; f < layout->n_field; ++f) {
    const WriterField *field = &layout->field[f];
    char name[FIELD_PATH];
    layout_field_path(field, name, sizeof name);
    const int64_t n = (field->once ? 1 : layout->n_step) * layout_rows(layout, field);
    const bool same = h5_shape(file, name, &rank, dims) && (int64_t)dims[0] == n &&
                      (rank == 1 ? 1 : (int32_t)dims[1]) == field->n_component &&
                      h5_number_bytes(file, name) == layout_number_bytes(layout);
    CHECK(same, ERR_RESTART, "'%s' has no field '%s' of this size; use --overwrite or another --output", path,
          field->name);
  }
  return OK;
}
