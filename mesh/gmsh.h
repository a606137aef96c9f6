/* Gmsh as a child process: meshes geometry, or converts a mesh of another format, into .msh 4.1 for our own reader. */
#pragma once
#include "mesh/mesh.h"

/* Runs params->gmsh on params->path and reads what it made; of `params` also order (1 and 2 are passed on when there is
 * geometry to mesh) and time_limit count. ERR_MESH with Gmsh's own words when it fails, is missing or takes too long.
 */
Status gmsh_load(const MeshParams *params, Mesh **out);
