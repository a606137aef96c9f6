/* Writers of meshes in the formats of others: what mesh_write opens and closes. */
#pragma once
#include "mesh/mesh.h"

#include <stdio.h>

/* To a stream; ERR_MESH for what the format has no word for. What the stream could not take is for the caller. */
Status mesh_write_inp(const Mesh *mesh, FILE *file);
Status mesh_write_msh(const Mesh *mesh, FILE *file);
/* To a path, whole or not at all. */
Status mesh_write_med(const Mesh *mesh, const char *path);
