/* The .msh reader behind mesh_read_msh, with a name of its own for messages (a file that gmsh just made), or from
 * memory (tests). */
#pragma once
#include "mesh/mesh.h"

/* As mesh_read_msh; messages and Mesh.path call the file `label`. */
Status msh_read(const char *path, const char *label, Mesh **out);
/* The same from the bytes of a file; they are copied. */
Status msh_read_bytes(const char *bytes, int64_t size, const char *label, Mesh **out);
