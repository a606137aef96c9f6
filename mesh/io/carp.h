/* Meshes of openCARP: heart.pts, heart.elem, heart.lon (in binary .bpts, .belem, .blon), and beside them surfaces and
 * nodes that have a name: heart.epi.surf, heart.pacing.vtx, and numbers: heart.depth.dat. All count from 0. */
#pragma once
#include "mesh/io/inp.h"

enum { CARP_NODES = 8, CARP_HEAD = 1024 };

typedef struct CarpFile {
  char *path; /* owned */
  TextSource source;
  int64_t n;    /* what its first line says; of fibres: axes */
  int64_t more; /* of fibres, in binary: elements */
} CarpFile;

/* Elements of .elem, then the faces of .surf files. */
typedef struct CarpCells {
  int32_t n;
  unsigned char *type; /* owned, [n], in the table of types */
  int32_t *nodes;      /* owned, [n][CARP_NODES] */
  int64_t *tag;        /* owned, [n], region */
  int32_t *place;      /* owned, [n], in the list of its kind */
} CarpCells;

/* A group that a file makes. */
typedef struct CarpNamed {
  char *path, *name; /* owned */
  bool nodes;        /* a .vtx */
  bool data;         /* a .dat, which makes a field, no group */
  int32_t first, n;  /* faces: in CarpCells */
  int32_t *node;     /* owned, [n]; NULL: faces */
} CarpNamed;

typedef struct CarpMesh {
  const char *path;
  char *base; /* owned: the path without its ending */
  bool binary;
  char *elements; /* owned: the path of its elements */
  InpDeck *deck;  /* owned: nodes and elements, as inp_mesh wants them */
  int32_t n_cell; /* of .elem */
  CarpCells cells;
  int32_t n_named;
  CarpNamed *named; /* owned */
} CarpMesh;

/* ---- carp_files.c ---- */
/* Opens base + text or binary ending, which is there; *out has its head read. missing: no such file is no error, then
 * out->path is NULL. */
Status carp_open(const CarpMesh *m, const char *text, const char *binary, bool missing, CarpFile *out);
Status carp_open_text(const char *path, CarpFile *out);
void carp_close(CarpFile *file);
/* Whether a text has the lines that its head speaks of; `things`: "points". */
Status carp_check_lines(CarpFile *file, const char *things);
/* Whether a binary file ends, but for less than `bytes` bytes, behind what its head speaks of. */
Status carp_check_end(const CarpFile *file, const char *things, int64_t bytes);
/* The lines that are not blank behind the cursor. */
int64_t carp_lines(const TextSource *source);
/* Reads items 0 to n - 1 of a line each (of `bytes` bytes, the same for all, in binary) by all threads. */
typedef Status (*CarpItem)(TextSource *source, void *context, int64_t i);
Status carp_items(TextSource *source, int64_t n, int64_t bytes, CarpItem item, void *context);
/* n numbers, all that a line of text has, or four bytes each. ERR_MESH: fewer or more on the line. */
Status carp_reals(TextSource *source, const char *what, int n, double *out);
/* In a text nothing but a comment is left of the line. */
bool carp_line_ends(const TextSource *source);

/* ---- carp_cells.c ---- */
/* Reads .elem. */
Status carp_elements(CarpMesh *m);
/* Appends the faces of a .surf file. */
Status carp_surface(CarpMesh *m, CarpFile *file);
/* All cells into the lists of the deck; those on the same nodes become one. */
Status carp_place(CarpMesh *m);
ElementKind carp_kind(const CarpCells *cells, int32_t i);

/* ---- carp_data.c ---- */
/* A field of the mesh, NaN so far. */
Status carp_field(const char *name, int n_component, bool on_nodes, Mesh *mesh, MeshField **out);
/* The first element of each kind; 0: there are none. */
void carp_firsts(const Mesh *mesh, int32_t first[N_ELEMENT_KINDS]);
/* Fields of the .dat files beside the mesh. ERR_MESH: lines without a number, two fields of a name. */
Status carp_data(const CarpMesh *m, Mesh *mesh);

/* ---- carp_groups.c ---- */
/* Files of faces, nodes and data beside the mesh; the first two are read. */
Status carp_named(CarpMesh *m);
/* Regions by their tag, and those. */
Status carp_groups(const CarpMesh *m, InpGroups *out);
