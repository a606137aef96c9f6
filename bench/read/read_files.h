/* The files of text that `sinew bench read` reads. */
#pragma once
#include "mesh/mesh.h"

/* A deck of the body of a box of hex8 or tet10, as other programs write them: *NODE, *ELEMENT, *NSET of the side x0.
 * ERR_IO. */
Status read_write_deck(const Mesh *mesh, const char *path);
/* A Gmsh 4.1 file in text of the body of a box of tet4. */
Status read_write_gmsh(const Mesh *mesh, const char *path);
