/* The cells of a result, in VTK's node order: lines that are solved too (Mesh.n_cable), then the mesh's elements of the highest
 * dimension. */
#pragma once
#include "output/layout.h"

/* The elements of this block that are cells are the last ones, from this one on; block->n: none. */
int32_t cells_from(const Mesh *mesh, const ElementBlock *block);
static inline int32_t cells_count(const Mesh *mesh, const ElementBlock *block) {
  return block->n - cells_from(mesh, block);
}
/* Numbers for one cell in XDMF's mixed connectivity: its type, then its nodes; of each piece (pieces.h) where it has
 * several. */
int32_t cells_mixed_length(ElementKind kind);
/* Whether XDMF cannot use the cells as VTK has them: several kinds, or cubic ones, of which it sees the pieces. */
bool cells_need_topology(const Layout *layout);
/* Writes /VTKHDF/Connectivity, Offsets, Types, and /Sinew/topology where it is needed. ERR_IO, ERR_MEMORY. */
Status cells_store(hid_t file, const char *path, const Mesh *mesh, const Layout *layout);
