/* A result as a MED file of Salome and Code_Aster: the mesh with its groups, and every field at its stored times. */
#include "output/export.h"

#include "core/memory.h"
#include "mesh/io/h5.h"
#include "mesh/io/med.h"
#include "output/cell_data.h"
#include "output/h5.h"
#include "output/result_cells.h"

#include <string.h>

enum { UNIT = 64, NAME = 4096 };

/* Cells of one kind that stand in a row become a block: elements have the numbers of cells. */
static Status take_blocks(const Result *r, const ResultCells *cells, Mesh *mesh) {
  int64_t n_run = 0;
  for (int64_t c = 0; c < r->n_cell; ++c) n_run += c == 0 || cells->vtk[c] != cells->vtk[c - 1];
  ALLOC(mesh->block, n_run, "the cells");
  for (int64_t c = 0, end; c < r->n_cell; c = end) {
    const ElementType *type = result_cell_type(cells->vtk[c]);
    ElementBlock *block = &mesh->block[mesh->n_block++];
    for (end = c + 1; end < r->n_cell && cells->vtk[end] == cells->vtk[c];) ++end;
    *block = (ElementBlock){.kind = type->kind, .n = (int32_t)(end - c), .first = (int32_t)c};
    if (type->dim > mesh->dim) mesh->dim = type->dim;
    ALLOC(block->nodes, (end - c) * type->n_node, "the cells");
    for (int64_t e = c; e < end; ++e)
      for (int32_t k = 0; k < type->n_node; ++k)
        block->nodes[(e - c) * type->n_node + type->vtk_order[k]] = (int32_t)cells->connect[cells->offset[e] + k];
  }
  mesh->n_element = (int32_t)r->n_cell;
  return OK;
}

/* The cells of this number among those of the highest dimension, as a group. */
static Status take_group(const Result *r, const double *group_of, int32_t number, const char *name, Mesh *mesh) {
  Group *group = &mesh->group[mesh->n_group++];
  *group = (Group){.dim = mesh->dim, .number = number};
  TRY(mem_text(name, "the name of a group", &group->name));
  ALLOC(group->element, r->n_cell, "a group");
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    if (element_type(block->kind)->dim < mesh->dim) continue;
    for (int32_t e = block->first; e < block->first + block->n; ++e)
      if (group_of[e] == number) group->element[group->n++] = e;
  }
  return OK;
}

/* Results know of the first group of a cell; one of an ambiguous number is left out. */
static Status take_groups(const Result *r, Mesh *mesh) {
  const ResultField *field = result_field(r, cell_data_name[1], true);
  int rank;
  hsize_t dims[4];
  int32_t *number = NULL;
  double *group_of = NULL;
  char *name = NULL;
  Status status = OK;
  if (!field || field->n_component != 1 || r->n_step == 0) return OK;
  if (!h5_shape(r->file, "/Sinew/groups/number", &rank, dims) || rank != 1 || dims[0] > 1 << 20) return OK;
  const int32_t n = (int32_t)dims[0];
  ALLOC_DONE(number, n, "groups of a result");
  ALLOC_DONE(name, NAME, "groups of a result");
  ALLOC_DONE(mesh->group, n, "groups of a result");
  ALLOC_DONE(group_of, r->n_cell, "groups of a result");
  TRY_DONE(result_read(r, field, 0, group_of));
  if (n && !h5_read_list(r->file, "/Sinew/groups/number", H5T_NATIVE_INT32, n, number))
    status = h5_error(r->path, "read the groups of");
  for (int32_t k = 0; k < n && status == OK; ++k) {
    int32_t same = 0;
    for (int32_t j = 0; j < n; ++j) same += number[j] == number[k];
    if (same == 1 && result_group_name(r, k, name, NAME)) status = take_group(r, group_of, number[k], name, mesh);
  }
done:
  FREE(number);
  FREE(group_of);
  FREE(name);
  return status;
}

static Status take_mesh(const Result *r, Mesh *mesh) {
  ResultCells cells = {0};
  Status status = result_cells_read(r, &cells);
  if (status == OK) status = take_blocks(r, &cells, mesh);
  result_cells_release(&cells);
  TRY(status);
  ALLOC(mesh->x, r->n_node, "the nodes");
  mesh->n_node = (int32_t)r->n_node;
  if (r->n_node && !h5_read_rows(r->file, "/VTKHDF/Points", H5T_NATIVE_DOUBLE, 0, r->n_node, mesh->x))
    return h5_error(r->path, "read the nodes of");
  return take_groups(r, mesh);
}

/* step -1: all of them. What the result has once has no time in MED. */
static Status put_field(hid_t file, const Result *r, const Mesh *mesh, const ResultField *from, const char *mesh_name,
                        int64_t step) {
  char unit[UNIT], time_unit[UNIT];
  double *value = NULL;
  const MedField field = {.name = from->name,
                          .mesh_name = mesh_name,
                          .unit = unit,
                          .time_unit = time_unit,
                          .on_nodes = !from->on_cells,
                          .n_component = from->n_component};
  const int64_t first = step < 0 ? 0 : step, end = from->once || step >= 0 ? first + 1 : r->n_step;
  Status status = OK;
  result_unit(r, from, unit, sizeof unit);
  result_time_unit(r, time_unit, sizeof time_unit);
  ALLOC(value, from->n_component * (from->on_cells ? r->n_cell : r->n_node), "a field");
  for (int64_t k = first; k < end && status == OK; ++k) {
    status = result_read(r, from, k, value);
    if (status == OK) status = med_put_field(file, mesh, &field, from->once ? 0 : (int32_t)k + 1, r->time[k], value);
  }
  FREE(value);
  return status;
}

static Status put_all(hid_t file, const Result *r, const Mesh *mesh, int64_t step, const char *path) {
  char name[MED_NAME + 1];
  med_mesh_name(path, name);
  TRY(med_put_mesh(file, name, mesh));
  for (int32_t f = 0; f < r->n_field && r->n_step; ++f) TRY(put_field(file, r, mesh, &r->field[f], name, step));
  return H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 ? h5_error(path, "write") : OK;
}

Status export_med(const Result *result, int64_t step, const char *path) {
  Mesh *mesh = NULL;
  ExportFile file = {0};
  Status status = OK;
  ALLOC(mesh, 1, "the mesh of a result");
  TRY_DONE(take_mesh(result, mesh));
  TRY_DONE(export_open(path, &file));
  hid_t h5 = h5_file_create(file.beside, 0);
  status = h5 < 0 ? h5_error(path, "write") : put_all(h5, result, mesh, step, path);
  h5_close(&h5);
  status = export_close(&file, status);
  if (status == ERR_MESH) status = status_context(status, ".vtu takes it");
done:
  mesh_destroy(&mesh);
  return status;
}
