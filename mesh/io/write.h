/* A mesh into a file whose format its name says: .h5 (Sinew's own), .inp (a deck), .msh (Gmsh 2.2). */
#pragma once
#include "mesh/mesh.h"

/* ERR_MESH where the format has no word for what the mesh holds; the file is then removed. Fields are left out where
 * mesh_writes_fields is false. */
Status mesh_write(const Mesh *mesh, const char *path);
bool mesh_writes(const char *path);
bool mesh_writes_fields(const char *path);
