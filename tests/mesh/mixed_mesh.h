/* A mesh of hexahedra, pyramids, tetrahedra and layers of wedges, made by Gmsh: a cube, a cube on it, a layer on that.
 * Groups "body" and "skin". */
#pragma once
#include "tests/testing.h"

#include "mesh/mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char mixed_geo[] =
    "SetFactory(\"OpenCASCADE\");\n"
    "Box(1) = {0, 0, 0, 1, 1, 1}; Box(2) = {0, 0, 1, 1, 1, 1}; Coherence;\n"
    "Mesh.MeshSizeMax = 0.5;\n"
    "s[] = Boundary{ Volume{1}; }; e[] = Boundary{ Surface{s[]}; };\n"
    "Transfinite Curve{ Unique(Abs(e[])) } = 3; Transfinite Surface{s[]}; Recombine Surface{s[]};\n"
    "Transfinite Volume{1};\n"
    "top[] = Surface In BoundingBox{-0.1, -0.1, 1.9, 1.1, 1.1, 2.1};\n"
    "layer[] = Extrude {0, 0, 0.25} { Surface{top[0]}; Layers{ {1, 1, 1}, {0.1, 0.4, 1} }; Recombine; };\n"
    "Physical Volume(\"body\") = {1, 2, layer[1]};\n"
    "Physical Surface(\"skin\") = CombinedBoundary{ Volume{1, 2, layer[1]}; };\n";

/* By sinew's own way from a .geo; false, and counted as skipped, where there is no gmsh. */
static inline bool mixed_mesh(int32_t order, Mesh **out) {
  char path[] = "/tmp/sinew-mixed-XXXXXX.geo";
  if (system("gmsh --version > /dev/null 2>&1") != 0) {
    testing_missing("no gmsh");
    return false;
  }
  const int file = mkstemps(path, 4);
  assert_true(file >= 0 && write(file, mixed_geo, strlen(mixed_geo)) == (ssize_t)strlen(mixed_geo));
  close(file);
  const Status status = mesh_load(&(MeshParams){.path = path, .order = order}, out);
  unlink(path);
  assert_ok(status);
  return true;
}

/* How many elements of the mesh have this shape. */
static inline int32_t mixed_count(const Mesh *mesh, ElementShape shape) {
  int32_t n = 0;
  for (int32_t b = 0; b < mesh->n_block; ++b)
    if (element_type(mesh->block[b].kind)->shape == shape) n += mesh->block[b].n;
  return n;
}
