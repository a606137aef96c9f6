#include "output/result_cells.h"

#include "core/memory.h"
#include "output/h5.h"

const ElementType *result_cell_type(int64_t vtk) {
  for (int32_t k = 0; k < N_ELEMENT_KINDS; ++k)
    if (element_type((ElementKind)k)->vtk_type == vtk && element_type((ElementKind)k)->dim > 0)
      return element_type((ElementKind)k);
  return NULL;
}

static bool cells_hold(const Result *result, const ResultCells *c) {
  bool good = c->offset[0] == 0 && c->offset[result->n_cell] == c->n_connect;
  for (int64_t i = 0; i < result->n_cell && good; ++i) {
    const ElementType *type = result_cell_type(c->vtk[i]);
    good = type && c->offset[i + 1] - c->offset[i] == type->n_node && c->offset[i + 1] <= c->n_connect;
  }
  for (int64_t i = 0; i < c->n_connect && good; ++i) good = c->connect[i] >= 0 && c->connect[i] < result->n_node;
  return good;
}

Status result_cells_read(const Result *result, ResultCells *c) {
  const int64_t file = result->file;
  *c = (ResultCells){0};
  CHECK(h5_read_list(file, "/VTKHDF/NumberOfConnectivityIds", H5T_NATIVE_INT64, 1, &c->n_connect) &&
            c->n_connect >= 0 && c->n_connect <= (int64_t)ELEMENT_MAX_NODES * result->n_cell,
        ERR_IO, "'%s' is damaged: the length of its cells cannot be read", result->path);
  ALLOC(c->connect, c->n_connect, "the cells");
  ALLOC(c->offset, result->n_cell + 1, "the cells");
  ALLOC(c->vtk, result->n_cell, "the cells");
  if (!h5_read_list(file, "/VTKHDF/Connectivity", H5T_NATIVE_INT64, c->n_connect, c->connect) ||
      !h5_read_list(file, "/VTKHDF/Offsets", H5T_NATIVE_INT64, result->n_cell + 1, c->offset) ||
      !h5_read_list(file, "/VTKHDF/Types", H5T_NATIVE_INT64, result->n_cell, c->vtk))
    return h5_error(result->path, "read the cells of");
  return cells_hold(result, c) ? OK : FAIL(ERR_IO, "'%s' is damaged: its cells cannot be read", result->path);
}

void result_cells_release(ResultCells *c) {
  FREE(c->connect);
  FREE(c->offset);
  FREE(c->vtk);
}
