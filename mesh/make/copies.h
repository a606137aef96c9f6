/* A mesh several times over: node i of copy k is node k n_node + i. Without groups and fields. */
#pragma once
#include "mesh/mesh.h"

/* ERR_USAGE: too many; ERR_MEMORY. Of a mesh without cables that is not cut out of another. */
Status mesh_copies(const Mesh *mesh, int32_t n, Mesh **out);
/* The element of n copies that is element e of copy k: those of one kind stay together. */
int32_t mesh_copy_element(const Mesh *mesh, int32_t n, int32_t k, int32_t e);
