/* Writes the cells of results.hdf block by block. */
#include "output/cells.h"

#include "core/memory.h"
#include "output/pieces.h"

int32_t cells_from(const Mesh *mesh, const ElementBlock *block) {
  if (element_type(block->kind)->dim == mesh->dim) return 0;
  const int32_t first = mesh->first_cable - block->first;
  return mesh->n_cable && first >= 0 && first < block->n ? first : block->n;
}

/* Drawn by its vertices, or in pieces. */
static bool unknown_to_xdmf(const ElementType *type) {
  return type->order > 1 && type->xdmf_type == element_type(type->linear)->xdmf_type;
}

/* What a cell is in XDMF's mixed connectivity: its first nodes. ParaView 5.11 misreads hex27 there; of kinds that XDMF
 * does not know the vertices are shown. */
static const ElementType *cells_shown(ElementKind kind) {
  const ElementType *type = element_type(kind);
  if (unknown_to_xdmf(type)) return element_type(type->linear);
  return type->order == 2 && type->shape == SHAPE_HEXAHEDRON ? element_quadratic(type->linear, true) : type;
}

/* Numbers before the nodes of a cell: its type, and of lines of two nodes how many there are, since XDMF has them as
 * polylines. */
static int32_t cells_head(const ElementType *type) { return type->shape == SHAPE_LINE && type->order == 1 ? 2 : 1; }

int32_t cells_mixed_length(ElementKind kind) {
  const int32_t n = pieces_count(element_type(kind));
  return n > 1 ? n * (1 + element_type(kind)->n_vertex) : cells_head(cells_shown(kind)) + cells_shown(kind)->n_node;
}

bool cells_need_topology(const Layout *layout) {
  return layout->n_kind != 1 || layout->n_shown != layout->n_cell || unknown_to_xdmf(element_type(layout->kind));
}

/* Nodes of one block in VTK's order; `mixed`: each cell, or piece of one, after its type. */
static void cells_fill(const ElementBlock *block, int32_t from, bool mixed, int64_t *out) {
  const ElementType *type = element_type(block->kind), *as = mixed ? cells_shown(block->kind) : type;
  const int32_t n_piece = mixed ? pieces_count(type) : 1;
  int32_t piece[PIECES_MAX][PIECE_VERTICES];
  if (n_piece > 1) pieces_nodes(type, piece);
  const int32_t n = n_piece > 1 ? type->n_vertex : as->n_node;
#pragma omp parallel for schedule(static) if (block->n > LAYOUT_SERIAL)
  for (int32_t e = from; e < block->n; ++e) {
    const int32_t *node = &block->nodes[(int64_t)e * type->n_node];
    int64_t *to = out + (int64_t)(e - from) * n_piece * (n + (mixed ? cells_head(as) : 0));
    for (int32_t p = 0; p < n_piece; ++p) {
      if (mixed) *to++ = as->xdmf_type;
      if (mixed && cells_head(as) > 1) *to++ = n;
      for (int32_t a = 0; a < n; ++a) *to++ = node[n_piece > 1 ? piece[p][a] : as->vtk_order[a]];
    }
  }
}

/* Writes all cells into the dataset `name` of n numbers. */
static Status store_cells(hid_t file, const char *path, const Mesh *mesh, const Layout *layout, const char *name,
                          bool mixed, int64_t n) {
  int64_t *values = NULL, *to;
  ALLOC(values, n, "the cells of the result file");
  to = values;
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    cells_fill(block, cells_from(mesh, block), mixed, to);
    to += (int64_t)cells_count(mesh, block) *
          (mixed ? cells_mixed_length(block->kind) : element_type(block->kind)->n_node);
  }
  const LayoutArray array = {name, name, H5T_NATIVE_INT64, n, 0, values};
  const Status status = layout_store(file, path, layout, &array);
  FREE(values);
  return status;
}

static Status store_offsets(hid_t file, const char *path, const Mesh *mesh, const Layout *layout) {
  const int32_t n_cell = layout->n_cell;
  int64_t *offset = NULL;
  uint8_t *kind = NULL;
  Status status = OK;
  ALLOC_DONE(offset, (int64_t)n_cell + 1, "the offsets of the result file");
  ALLOC_DONE(kind, n_cell, "the cell types of the result file");
  int64_t at = 0;
  for (int32_t b = 0, c = 0; b < mesh->n_block; ++b) {
    const ElementType *type = element_type(mesh->block[b].kind);
    const int32_t n = cells_count(mesh, &mesh->block[b]);
#pragma omp parallel for schedule(static) if (n > LAYOUT_SERIAL)
    for (int32_t e = 0; e < n; ++e) {
      kind[c + e] = (uint8_t)type->vtk_type;
      offset[c + e + 1] = at + (int64_t)type->n_node * (e + 1);
    }
    at += (int64_t)type->n_node * n;
    c += n;
  }
  const LayoutArray offsets = {"/VTKHDF/Offsets", "the cells", H5T_NATIVE_INT64, (int64_t)n_cell + 1, 0, offset};
  const LayoutArray kinds = {"/VTKHDF/Types", "the cells", H5T_NATIVE_UINT8, n_cell, 0, kind};
  status = layout_store(file, path, layout, &offsets);
  if (status == OK) status = layout_store(file, path, layout, &kinds);
done:
  FREE(offset);
  FREE(kind);
  return status;
}

Status cells_store(hid_t file, const char *path, const Mesh *mesh, const Layout *layout) {
  TRY(store_cells(file, path, mesh, layout, "/VTKHDF/Connectivity", false, layout->n_connectivity));
  TRY(store_offsets(file, path, mesh, layout));
  if (!cells_need_topology(layout)) return OK;
  return store_cells(file, path, mesh, layout, "/Sinew/topology", true, layout->n_topology);
}
