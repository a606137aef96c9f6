/* The cells of a result: the mesh's elements of the highest dimension, in VTK's node order. */
#pragma once
#include "output/layout.h"

/* Are the elements of this block cells? */
bool cells_in(const Mesh *mesh, const ElementBlock *block);
/* Numbers for one cell in XDMF's mixed connectivity: its type, then its nodes. */
int32_t cells_mixed_length(ElementKind kind);
/* Writes /VTKHDF/Connectivity, Offsets, Types, and for a mesh of several kinds /Sinew/topology. ERR_IO, ERR_MEMORY. */
Status cells_store(hid_t file, const char *path, const Mesh *mesh, const Layout *layout);
