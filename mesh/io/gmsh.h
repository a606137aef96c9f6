/* Gmsh as a child process: meshes geometry, or converts a mesh of another format, into .msh 4.1 for our own reader. */
#pragma once
#include "mesh/mesh.h"

/* Runs params->gmsh on params->path and reads what it made; of `params` also order, size and refine (passed on when there is
 * geometry to mesh; nodes of finer meshes lie on it), time_limit and trust count. ERR_MESH with Gmsh's own words when it fails, is missing or takes too
 * long.
 */
/* Is a file of this name geometry, or a script, that is meshed? All else that Gmsh reads holds a mesh already. */
bool gmsh_meshes(const char *path);
Status gmsh_load(const MeshParams *params, Mesh **out);
