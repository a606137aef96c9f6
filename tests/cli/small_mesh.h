/* Tiny meshes and the cases on them, as text: the rows of the tables are edits of these. */
#pragma once

/* Unit square of 2 x 2 quad4 in MSH 2.2: curves left right bottom top (2 edges each), surface body. */
#define SQUARE_MESH_HEAD                                                                                               \
  "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"                                                                             \
  "$PhysicalNames\n5\n1 1 \"left\"\n1 2 \"right\"\n1 3 \"bottom\"\n1 4 \"top\"\n2 5 \"body\"\n$EndPhysicalNames\n"
#define SQUARE_MESH_NODES                                                                                              \
  "$Nodes\n9\n1 0 0 0\n2 0.5 0 0\n3 1 0 0\n4 0 0.5 0\n5 0.5 0.5 0\n6 1 0.5 0\n7 0 1 0\n8 0.5 1 0\n9 1 1 "              \
  "0\n$EndNodes\n"
#define SQUARE_MESH_ELEMENTS                                                                                           \
  "$Elements\n12\n1 1 2 1 1 1 4\n2 1 2 1 1 4 7\n3 1 2 2 2 3 6\n4 1 2 2 2 6 9\n5 1 2 3 3 1 2\n6 1 2 3 3 2 3\n"          \
  "7 1 2 4 4 7 8\n8 1 2 4 4 8 9\n9 3 2 5 5 1 2 5 4\n10 3 2 5 5 2 3 6 5\n11 3 2 5 5 4 5 8 7\n12 3 2 5 5 5 6 9 8\n"      \
  "$EndElements\n"
#define SQUARE_MESH SQUARE_MESH_HEAD SQUARE_MESH_NODES SQUARE_MESH_ELEMENTS

/* The same in MSH 4.1. */
#define SQUARE_MESH_41                                                                                                 \
  "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"                                                                             \
  "$PhysicalNames\n5\n1 1 \"left\"\n1 2 \"right\"\n1 3 \"bottom\"\n1 4 \"top\"\n2 5 \"body\"\n$EndPhysicalNames\n"     \
  "$Entities\n0 4 1 0\n1 0 0 0 0 1 0 1 1 0\n2 1 0 0 1 1 0 1 2 0\n3 0 0 0 1 0 0 1 3 0\n4 0 1 0 1 1 0 1 4 0\n"           \
  "1 0 0 0 1 1 0 1 5 4 1 2 3 4\n$EndEntities\n"                                                                        \
  "$Nodes\n1 9 1 9\n2 1 0 9\n1\n2\n3\n4\n5\n6\n7\n8\n9\n0 0 0\n0.5 0 0\n1 0 0\n0 0.5 0\n0.5 0.5 0\n1 0.5 0\n0 1 0\n"   \
  "0.5 1 0\n1 1 0\n$EndNodes\n"                                                                                        \
  "$Elements\n5 12 1 12\n1 1 1 2\n1 1 4\n2 4 7\n1 2 1 2\n3 3 6\n4 6 9\n1 3 1 2\n5 1 2\n6 2 3\n1 4 1 2\n7 7 8\n8 8 9\n" \
  "2 1 3 4\n9 1 2 5 4\n10 2 3 6 5\n11 4 5 8 7\n12 5 6 9 8\n$EndElements\n"

/* Two unit squares side by side, [0,1] and [2,3]: two parts, group body holds both; left and bottom are of the first,
 * right of the second. With the coordinate 2 edited to 1 they touch through duplicate nodes. */
#define TWO_SQUARES_MESH                                                                                               \
  SQUARE_MESH_HEAD "$Nodes\n8\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 2 0 0\n6 3 0 0\n7 3 1 0\n8 2 1 0\n$EndNodes\n"    \
                   "$Elements\n5\n1 1 2 1 1 1 4\n2 1 2 2 2 6 7\n3 1 2 3 3 1 2\n4 3 2 5 5 1 2 3 4\n5 3 2 5 6 5 6 7 8\n" \
                   "$EndElements\n"

/* A wall of 2 x 2 quad4, x from 50 to 60 and y from 0 to 20: with planes at both ends of y, and x = 0, it is the end of a
 * box of 1 mL. `half` is one of the two edges of `endo`. */
#define WALL_MESH                                                                                                      \
  "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"                                                                             \
  "$PhysicalNames\n6\n1 1 \"out\"\n1 2 \"endo\"\n1 3 \"low\"\n1 4 \"up\"\n2 5 \"body\"\n1 6 \"half\"\n"                \
  "$EndPhysicalNames\n"                                                                                                \
  "$Nodes\n9\n1 50 0 0\n2 55 0 0\n3 60 0 0\n4 50 10 0\n5 55 10 0\n6 60 10 0\n7 50 20 0\n8 55 20 0\n9 60 20 0\n"        \
  "$EndNodes\n"                                                                                                        \
  "$Elements\n13\n1 1 2 1 1 3 6\n2 1 2 1 1 6 9\n3 1 2 2 2 1 4\n4 1 2 2 2 4 7\n5 1 2 3 3 1 2\n6 1 2 3 3 2 3\n"          \
  "7 1 2 4 4 7 8\n8 1 2 4 4 8 9\n9 1 2 6 6 1 4\n10 3 2 5 5 1 2 5 4\n11 3 2 5 5 2 3 6 5\n12 3 2 5 5 4 5 8 7\n"          \
  "13 3 2 5 5 5 6 9 8\n$EndElements\n"

/* Unit cube of one hex8 in MSH 2.2: surfaces x0 x1 y0 z0, volume body. */
#define CUBE_MESH                                                                                                      \
  "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"                                                                             \
  "$PhysicalNames\n5\n2 1 \"x0\"\n2 2 \"x1\"\n2 3 \"y0\"\n2 4 \"z0\"\n3 5 \"body\"\n$EndPhysicalNames\n"               \
  "$Nodes\n8\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n$EndNodes\n"                     \
  "$Elements\n5\n1 3 2 1 1 1 5 8 4\n2 3 2 2 2 2 3 7 6\n3 3 2 3 3 1 2 6 5\n4 3 2 4 4 1 4 3 2\n"                         \
  "5 5 2 5 5 1 2 3 4 5 6 7 8\n$EndElements\n"

/* Uniaxial tension of the square: sigma xx = 10, ux(1, y) = 0.01, uy(x, 1) = -0.0025, reaction at left -5 (thickness
 * 0.5). Line numbers matter to the tables: materials 7, boundary 9 to 11, solver 12, output 14 to 16, expect 18. */
#define SQUARE_CASE                                                                                                    \
  "version: 1\n"                                                                                                       \
  "title: Square in tension\n"                                                                                         \
  "mesh: {file: square.msh}\n"                                                                                         \
  "physics: elasticity\n"                                                                                              \
  "model: plane-stress\n"                                                                                              \
  "materials:\n"                                                                                                       \
  "  - {on: body, young: 1000, poisson: 0.25, thickness: 0.5, density: 2}\n"                                           \
  "boundary:\n"                                                                                                        \
  "  - {on: left, fix: {x: 0}}\n"                                                                                      \
  "  - {on: bottom, fix: {y: 0}}\n"                                                                                    \
  "  - {on: right, traction: [10, 0]}\n"                                                                               \
  "solver: {rtol: 1e-10}\n"                                                                                            \
  "output:\n"                                                                                                          \
  "  fields: [displacement, stress, von-mises, principal, reaction, strain-energy]\n"                                  \
  "  probes: [{name: corner, at: [1, 1], field: displacement-x}, {name: inside, at: [0.3, 0.8], field: stress-xx}]\n"  \
  "  sums: [{name: left-reaction, on: left, field: reaction}]\n"                                                       \
  "expect:\n"                                                                                                          \
  "  - {probe: corner, value: 0.01, rtol: 1e-6}\n"

/* Tension of the cube: ux(1, ..) = 0.01, uy = uz = -0.0025 there. */
#define CUBE_CASE                                                                                                      \
  "version: 1\n"                                                                                                       \
  "mesh: {file: cube.msh}\n"                                                                                           \
  "physics: elasticity\n"                                                                                              \
  "model: 3d\n"                                                                                                        \
  "materials: [{on: body, young: 1000, poisson: 0.25}]\n"                                                              \
  "boundary:\n"                                                                                                        \
  "  - {on: x0, fix: {x: 0}}\n"                                                                                        \
  "  - {on: y0, symmetry: true}\n"                                                                                     \
  "  - {on: z0, symmetry: true}\n"                                                                                     \
  "  - {on: x1, traction: [10, 0, 0]}\n"                                                                               \
  "output:\n"                                                                                                          \
  "  fields: [displacement, stress, reaction]\n"                                                                       \
  "  probes: [{name: corner, at: [1, 1, 1], field: displacement-z}]\n"
