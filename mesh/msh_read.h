/* The .msh reader behind mesh_read_msh, with a name of its own for messages (a file that gmsh just made). */
#pragma once
#include "mesh/mesh.h"

/* As mesh_read_msh; messages and Mesh.path call the file `label`. */
Status msh_read(const char *path, const char *label, Mesh **out);
