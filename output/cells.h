/* The cells of a result: the mesh's elements of the highest dimension, in VTK's node order. */
#pragma once
#include "output/layout.h"

/* Are the elements of this block cells? */
bool cells_in(const Mesh *mesh, const ElementBlock *block);
/* Numbers for one cell in XDMF's mixed connectivity: its type, then its nodes; of each piece (pieces.h) where it has
 * several. */
int32_t cells_mixed_length(ElementKind kind);
/* Whether XDMF cannot use the cells as VTK has them: several kinds, or cubic ones, of which it sees the pieces. */
bool cells_need_topology(const Layout *layout);
/* Writes /VTKHDF/Connectivity, Offsets, Types, and /Sinew/topology where it is needed. ERR_IO, ERR_MEMORY. */
Status cells_store(hid_t file, const char *path, const Mesh *mesh, const Layout *layout);
