#include "output/cell_data.h"

#include "core/memory.h"
#include "output/cells.h"
#include "output/pieces.h"

#include <stdio.h>
#include <string.h>

const char *const cell_data_name[CELL_DATA] = {"element-id", "group", "material"};
const int cell_data_bytes[CELL_DATA] = {8, 4, 4};

void cell_data_path(const Layout *layout, int k, char *path, size_t size) {
  const bool pieces = layout->n_shown != layout->n_cell;
  snprintf(path, size, "%s/%s", pieces ? "/Sinew/pieces" : "/VTKHDF/CellData", cell_data_name[k]);
}

/* Number i of the k-th kind. */
static inline void cell_data_put(void *out, int k, int64_t i, int64_t value) {
  if (cell_data_bytes[k] == 8) ((int64_t *)out)[i] = value;
  else ((int32_t *)out)[i] = (int32_t)value;
}

/* Groups that cells are in: of the highest dimension, or of the lines that are cells. */
static bool has_cells(const Mesh *mesh, const Group *group) {
  if (group->dim == mesh->dim) return true;
  return mesh->n_cable && group->dim == 1 && group->n && group->element[0] >= mesh->first_cable &&
         group->element[group->n - 1] < mesh->first_cable + mesh->n_cable;
}

/* Number of the first group of cells in the mesh's order that has the element; 0: none. Lines lie ahead of the others. */
static void fill_groups(const Mesh *mesh, int32_t first, int k, void *out) {
  for (int32_t g = mesh->n_group - 1; g >= 0; --g) {
    const Group *group = &mesh->group[g];
    if (!has_cells(mesh, group)) continue;
    const int64_t shift = group->dim == mesh->dim ? mesh->n_cable - first : -mesh->first_cable;
#pragma omp parallel for schedule(static) if (group->n > LAYOUT_SERIAL)
    for (int32_t i = 0; i < group->n; ++i) cell_data_put(out, k, group->element[i] + shift, group->number);
  }
}

/* The k-th kind of data by cell; `first` is the first element of the highest dimension. */
static void cell_data_fill(const WriterParams *params, int32_t first, int k, void *out) {
  const Mesh *mesh = params->mesh;
  int64_t before = 0;
  if (k == 1) fill_groups(mesh, first, k, out);
  for (int32_t b = 0; b < mesh->n_block && k != 1; ++b) {
    const ElementBlock *block = &mesh->block[b];
    const int32_t from = cells_from(mesh, block);
#pragma omp parallel for schedule(static) if (block->n > LAYOUT_SERIAL)
    for (int32_t e = from; e < block->n; ++e) {
      const int64_t material = params->element_material ? params->element_material[block->first + e] + 1 : 0;
      cell_data_put(out, k, before + e - from, k == 0 ? block->tag[e] : material);
    }
    before += block->n - from;
  }
}

/* A number for each piece: that of its cell. */
static void cell_data_repeat(const Mesh *mesh, int k, const char *cell, char *out) {
  const size_t bytes = (size_t)cell_data_bytes[k];
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    const int32_t n = pieces_count(element_type(block->kind)), n_cell = cells_count(mesh, block);
#pragma omp parallel for schedule(static) if (n_cell > LAYOUT_SERIAL)
    for (int32_t e = 0; e < n_cell; ++e)
      for (int32_t p = 0; p < n; ++p)
        memcpy(out + ((size_t)e * (size_t)n + (size_t)p) * bytes, cell + (size_t)e * bytes, bytes);
    cell += (size_t)n_cell * bytes, out += (size_t)n_cell * (size_t)n * bytes;
  }
}

static int32_t first_cell(const Mesh *mesh) {
  for (int32_t b = 0; b < mesh->n_block; ++b)
    if (element_type(mesh->block[b].kind)->dim == mesh->dim) return mesh->block[b].first;
  return 0;
}

static Status store_cell_data(hid_t file, const char *path, const Layout *layout, const char *folder, int k, int64_t n,
                              const void *values) {
  char name[FIELD_PATH];
  snprintf(name, sizeof name, "%s/%s", folder, cell_data_name[k]);
  const hid_t type = cell_data_bytes[k] == 8 ? H5T_NATIVE_INT64 : H5T_NATIVE_INT32;
  return layout_store(file, path, layout, &(LayoutArray){name, cell_data_name[k], type, n, 0, values});
}

static Status store_numbers(hid_t file, const char *path, const WriterParams *params, const Layout *layout) {
  static const char what[] = "what the cells of the result are";
  const bool pieces = layout->n_shown != layout->n_cell;
  void *cell = NULL, *piece = NULL;
  Status status = OK;
  for (int k = 0; k < CELL_DATA && status == OK; ++k) {
    const size_t bytes = (size_t)cell_data_bytes[k];
    mem_free(&cell);
    mem_free(&piece);
    TRY_DONE(mem_alloc(layout->n_cell, bytes, what, &cell));
    cell_data_fill(params, first_cell(params->mesh), k, cell);
    TRY_DONE(store_cell_data(file, path, layout, "/VTKHDF/CellData", k, layout->n_cell, cell));
    if (!pieces) continue;
    TRY_DONE(mem_alloc(layout->n_shown, bytes, what, &piece));
    cell_data_repeat(params->mesh, k, cell, piece);
    TRY_DONE(store_cell_data(file, path, layout, "/Sinew/pieces", k, layout->n_shown, piece));
  }
done:
  mem_free(&cell);
  mem_free(&piece);
  return status;
}

/* GROUP/number and GROUP/name: texts of one length, that of the longest. */
static Status store_names(hid_t file, const char *path, const char *group, int32_t n, const int64_t *number,
                          const char *const *name) {
  size_t length = 1;
  for (int32_t i = 0; i < n; ++i)
    if (strlen(name[i]) > length) length = strlen(name[i]);
  char *all = NULL, inner[64];
  ALLOC(all, (int64_t)length * n, "names of the result file");
  for (int32_t i = 0; i < n; ++i) memcpy(all + (size_t)i * length, name[i], strlen(name[i]));
  const hsize_t dims = (hsize_t)n;
  const hid_t type = H5Tcopy(H5T_C_S1), id = h5_group_create(file, group);
  H5Tset_size(type, length);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  bool good = id >= 0 && H5Gclose(id) >= 0;
  snprintf(inner, sizeof inner, "%s/number", group);
  good = good && h5_store(file, inner, H5T_STD_I32LE, H5T_NATIVE_INT64, 1, &dims, number);
  snprintf(inner, sizeof inner, "%s/name", group);
  good = good && h5_store(file, inner, type, type, 1, &dims, all);
  const Status status = good ? OK : h5_error(path, "write %s to", group);
  H5Tclose(type);
  FREE(all);
  return status;
}

static Status name_groups(hid_t file, const char *path, const Mesh *mesh) {
  int64_t *number = NULL;
  const char **name = NULL;
  Status status = OK;
  int32_t n = 0;
  ALLOC_DONE(number, mesh->n_group, "names of the result file");
  status = mem_alloc(mesh->n_group, sizeof *name, "names of the result file", (void **)(void *)&name);
  if (status != OK) goto done;
  for (int32_t g = 0; g < mesh->n_group; ++g)
    if (has_cells(mesh, &mesh->group[g])) number[n] = mesh->group[g].number, name[n++] = mesh->group[g].name;
  status = store_names(file, path, "/Sinew/groups", n, number, name);
done:
  FREE(number);
  mem_free((void **)(void *)&name);
  return status;
}

static Status name_materials(hid_t file, const char *path, const WriterParams *params) {
  int64_t *number = NULL;
  ALLOC(number, params->n_material, "names of the result file");
  for (int32_t m = 0; m < params->n_material; ++m) number[m] = m + 1;
  const Status status = store_names(file, path, "/Sinew/materials", params->n_material, number, params->material);
  FREE(number);
  return status;
}

static Status name_load_cases(hid_t file, const char *path, const WriterParams *params) {
  int64_t *number = NULL;
  if (!params->n_load_case) return OK;
  ALLOC(number, params->n_load_case, "names of the result file");
  for (int32_t k = 0; k < params->n_load_case; ++k) number[k] = k + 1;
  const Status status = store_names(file, path, "/Sinew/load-cases", params->n_load_case, number, params->load_case);
  FREE(number);
  return status;
}

Status cell_data_store(hid_t file, const char *path, const WriterParams *params, const Layout *layout) {
  if (layout->n_shown != layout->n_cell) {
    const hid_t pieces = h5_group_create(file, "/Sinew/pieces");
    if (pieces < 0 || H5Gclose(pieces) < 0) return h5_error(path, "write the groups of");
  }
  TRY(store_numbers(file, path, params, layout));
  TRY(name_groups(file, path, params->mesh));
  TRY(name_load_cases(file, path, params));
  return name_materials(file, path, params);
}
