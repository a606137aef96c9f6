/* A mesh: nodes, elements in blocks of one kind, named groups, fields. Open data: read it freely; only mesh/ writes it.
 * Elements of all dimensions live side by side. The element id is its index over all blocks: block[b].first + local. */
#pragma once
#include "core/status.h"
#include "mesh/elements/element.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ElementBlock {
  ElementKind kind;
  int32_t n;      /* elements */
  int32_t first;  /* id of the first one */
  int32_t *nodes; /* owned, [n][n_node of kind], indices into Mesh.x, Gmsh node order */
  int64_t *tag;   /* owned, [n], the number in the mesh file (1-based ids where the file has none) */
} ElementBlock;

typedef struct Group {
  char *name; /* owned; the decimal number where the file gives no name */
  int32_t dim, number;
  int32_t n;        /* elements; may be 0 */
  int32_t *element; /* owned, [n], ids, ascending; an element may be in several groups */
} Group;

typedef struct MeshField {
  char *name;          /* owned */
  bool on_nodes;       /* else on elements */
  int32_t n_component; /* 1, 3 or 9; or so many as elements have points */
  double *value;       /* owned, [n_node or n_element][n_component]; NaN where the file gives none */
} MeshField;

/* Quality of the solved (highest-dimension) elements: mean ratio of the vertices (quads and hexes: of the worst
 * corner), 1 is ideal, <= 0 inverted. */
typedef struct MeshQuality {
  int64_t n_element; /* solved elements; 0: nobody has looked */
  double worst, mean;
  int32_t worst_element; /* id */
  int64_t n_sliver;      /* below 0.1 */
} MeshQuality;

typedef struct Mesh {
  int32_t n_node, n_block, n_element, n_group, n_field;
  int32_t dim;    /* highest dimension of an element: 2 or 3 (or less, which checks refuse) */
  bool in_space;  /* dim is 2, and its surfaces are not in a plane z = constant: of mesh_load, parts have that of all */
  double (*x)[3]; /* owned, [n_node], mesh length unit */
  int64_t *node_tag;   /* owned, [n_node], number in the mesh file */
  ElementBlock *block; /* owned, [n_block]; kinds may repeat never: one block per kind, in order of ElementKind */
  Group *group;        /* owned */
  MeshField *field;    /* owned */
  char *path;          /* owned, as the user gave it, for messages */
  MeshQuality quality; /* of mesh_load, which looks at all elements; x and nodes have not changed since */
  int32_t first_cable, n_cable; /* lines that are solved too (mesh/make/cable.h): ids, at the end of their block */
  char *outline;                /* owned, for messages: the parts of its geometry; NULL where there are groups */
  char *left_out; /* owned, for messages: names of groups that a case has left nothing of, a line each; NULL: none */
  struct Mesh *whole;  /* owned: what this one was cut out of, as a heart from a torso; NULL: nothing */
  int32_t *whole_node; /* owned, [n_node], ascending: what its nodes are there, then -1 of cables; NULL without */
} Mesh;

void mesh_destroy(Mesh **mesh);

/* The block that holds element id e. */
const ElementBlock *mesh_block_of(const Mesh *mesh, int32_t e);
/* Nodes of element id e. */
const int32_t *mesh_nodes_of(const Mesh *mesh, int32_t e);
/* NULL when there is none. When a name exists in several dimensions, the highest dimension comes first; use _dim. */
const Group *mesh_group(const Mesh *mesh, const char *name);
const Group *mesh_group_dim(const Mesh *mesh, const char *name, int32_t dim);
const MeshField *mesh_field(const Mesh *mesh, const char *name, bool on_nodes);
/* Appends a sentence part such as "left (surface, 96 faces), body (volume, 7,201 elements)" of all groups. */
void mesh_describe_groups(const Mesh *mesh, char *text, int size);
/* FNV-1a over coordinates, connectivity, groups and fields, large arrays in blocks: same bytes, same hash. Of a part, with
 * the whole. */
uint64_t mesh_hash(const Mesh *mesh);
/* The box around all nodes; low > high where there are none. */
void mesh_extent(const Mesh *mesh, double low[3], double high[3]);
/* Largest extent of that box. */
double mesh_size(const Mesh *mesh);
/* Whether the solved elements are surfaces that do not lie in a plane z = constant, to 1e-9 of the mesh's size. */
bool mesh_leaves_plane(const Mesh *mesh);
/* Integration points of the stiffness of the solved element that has most. */
int32_t mesh_most_points(const Mesh *mesh);
/* Measure (length, area, volume) of a group by quadrature. */
Status mesh_group_measure(const Mesh *mesh, const Group *group, double *out);

/* ---- reading and writing (mesh/io/load.c, msh_*.c, gmsh.c, mesh_h5.c) ---- */
/* A parameter of a geometry, DefineConstant of Gmsh's language. */
typedef struct MeshNumber {
  const char *name;
  double value;
} MeshNumber;
enum { MESH_NUMBERS = 32 };
typedef struct MeshParams {
  const char *path;
  double scale;   /* multiplies coordinates; 0 means 1 */
  int32_t order;  /* 0: as in the file; 1 or 2: elevate or ask Gmsh for it; a quadratic mesh is not lowered: ERR_MESH */
  int32_t refine; /* uniform refinements after reading; of geometry by Gmsh, with new nodes on it */
  double size;    /* 0, or the largest size of an element that Gmsh makes, in the unit of the file (before scale) */
  const char *sizes; /* a view of sizes for Gmsh to follow; "": others will come; NULL: none. Of geometry alone */
  const MeshNumber *number; /* [n_number], at most MESH_NUMBERS, of a .geo */
  int32_t n_number;
  bool touch;        /* parts may touch through duplicate nodes: something else joins them */
  bool trust;        /* Gmsh may start programs and write files where a script asks for it */
  const char *gmsh;  /* the program; NULL: "gmsh" from PATH */
  double time_limit; /* seconds for the child process; 0: 600 */
} MeshParams;
/* Reads .msh (2.2 and 4.1, text and binary), .vtu, .med, openCARP's .pts, Nastran's and .inp decks and Sinew's .h5 by itself and
 * everything else through gmsh; scales, elevates, refines; runs mesh_check. ERR_MESH with place and remedy; missing file, directory and FIFO too. */
Status mesh_load(const MeshParams *params, Mesh **out);
/* Any of these as it is: nothing is scaled, changed or checked, and a mesh of lines alone is one. */
Status mesh_read(const MeshParams *params, Mesh **out);
/* Whether the ending of path is that of a mesh or a geometry; a deck may be either. */
bool mesh_ending(const char *path);
Status mesh_read_msh(const char *path, Mesh **out);
Status mesh_read_h5(const char *path, Mesh **out);
Status mesh_read_inp(const char *path, Mesh **out);
Status mesh_read_vtu(const char *path, Mesh **out);
Status mesh_read_med(const char *path, Mesh **out);
Status mesh_read_nastran(const char *path, Mesh **out);
Status mesh_read_carp(const char *path, Mesh **out);
/* Scale, order and refinement of a mesh that was just read, and mesh_check. */
Status mesh_prepare(const MeshParams *params, Mesh **mesh);
Status mesh_write_h5(const Mesh *mesh, const char *path);

/* ---- checks (mesh/check/check.c): the mesh rows of the bad-input table ---- */
/* ERR_MESH: no surfaces or volumes, two elements on the same nodes, inverted or mirrored or flat elements, parts that only
 * touch through duplicate nodes; of surfaces in space elements that fold over, and edges with more than two of them.
 * Slivers are a warning. */
Status mesh_check(const Mesh *mesh);
/* node[i], of n_node, is 1 where a solved element at node i has a quality below that; others are not touched. */
void mesh_mark_poor(const Mesh *mesh, double below, uint8_t *node);
/* Parts: solved elements that are joined through nodes. root[n_node]: the lowest node of the part, -1 for nodes of no solved
 * element. Gives their number. */
int32_t mesh_parts(const Mesh *mesh, int32_t *root);
/* Of the mesh if it has been looked at, else by looking. */
void mesh_quality(const Mesh *mesh, MeshQuality *out);

/* ---- making and changing ---- */
/* Splits every element uniformly (tri, quad 4; tet, hex 8; line 2); groups, fields (node fields by interpolation,
 * element fields by inheritance) carried along. Higher-order elements stay of their kind and curved. */
Status mesh_refine(const Mesh *mesh, Mesh **out);
/* Linear kinds become tri6, quad9, tet10, hex27, line3 with straight mid-nodes (quad8, hex20 when serendipity). */
Status mesh_elevate(const Mesh *mesh, bool serendipity, Mesh **out);
/* The same to order 2 or 3: line4, tri10, tet20. ERR_MESH where there is no element of that order. */
Status mesh_elevate_to(const Mesh *mesh, int32_t order, bool serendipity, Mesh **out);
/* Generated boxes for benches and tests: [0, size] split into n cells per direction; groups "body" and "x0 x1 y0 y1
 * z0 z1" (edges or faces). kind: any solved kind; tets are 6 per cube, triangles 2 per square. distort in [0, 0.3]
 * moves inner nodes (deterministically) by that share of the cell. */
typedef struct BoxParams {
  ElementKind kind;
  int32_t n[3];
  double size[3];
  double distort;
} BoxParams;
Status mesh_box(const BoxParams *params, Mesh **out);
/* The elements of the highest dimension with in[e] = 1 become a group of that name, and leave the others of their dimension. */
Status mesh_regroup(Mesh *mesh, const char *name, const uint8_t *in);
/* Renumbers nodes: new index of old node i is rank[i]. */
Status mesh_renumber(Mesh *mesh, const int32_t *rank);

/* ---- finding points (mesh/locate.c) ---- */
typedef struct Location {
  int32_t element; /* id of a solved element, or -1 when outside */
  int32_t node;    /* >= 0 when the point is that node (within 1e-9 of the mesh size), then element is one at it */
  double xi[3];
  double distance; /* to the mesh when outside, else 0 */
  int32_t nearest; /* the element that is nearest when outside, and where in it; else `element` */
  double nearest_xi[3];
} Location;
Status mesh_locate(const Mesh *mesh, const double x[3], Location *out);
/* Nodes [ELEMENT_MAX_NODES] whose values with these weights give that of a field at nodes there; how many. Not outside. */
int32_t mesh_location_nodes(const Mesh *mesh, const Location *at, int32_t *nodes, double *weight);
/* Where the point of n elements, at least 1, is that is nearest to a finite point; `element` is -1 unless it is it to rounding. */
void mesh_locate_among(const Mesh *mesh, const double x[3], int32_t n, const int32_t *element, Location *out);
