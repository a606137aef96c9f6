/* A mesh into a file whose format its name says: .h5 (Sinew's own), .inp (a deck), .med (Salome), .msh (Gmsh 2.2). */
#pragma once
#include "mesh/mesh.h"

#include <stddef.h>

/* ERR_MESH where the format has no word for what the mesh holds; the file is then removed. Fields are left out where
 * mesh_writes_fields is false. */
Status mesh_write(const Mesh *mesh, const char *path);
bool mesh_writes(const char *path);
bool mesh_writes_fields(const char *path);
/* "a, b or c": the endings of those formats. */
void mesh_write_endings(char *text, size_t size);
