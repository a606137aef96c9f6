/* A case checked against its mesh: groups found, materials spread over the elements, points located. */
#pragma once
#include "app/input/case.h"
#include "assembly/space/scalar_source.h"
#include "mesh/mesh.h"
#include "mesh/partition.h"

typedef struct Setup {
  int32_t *element_material; /* owned, [n_element], entry of `materials:`; -1: none */
  char **material_name;      /* owned texts, [n_material_name]: the groups of each entry of `materials:` */
  int32_t n_material_name;
  int32_t *node_rank; /* owned, [n_node], the solver's order of the nodes; NULL: the mesh's */
  char **where;       /* owned texts, [n_where], the places of supports and loads */
  int32_t n_where;
  Group **joined; /* owned, [n_joined]: unions made of lists of groups */
  int32_t n_joined;
  double **numbers; /* owned with its items, [n_numbers]: of sources that the mesh does not hold */
  int32_t n_numbers;
  int32_t n_pair, (*pair)[2]; /* owned: nodes beside elements that belong together, of layers, springs and masses */
  LinkedNodes linked;         /* owned: nodes that equations join */
  bool view;                  /* of another, which owns all this */
  const struct Setup *
      like; /* of another point of a sweep, on the same mesh and with the same output: what was found there serves; or NULL */
  Location *probe;     /* owned, one per probe of the case */
  const Group **sum;   /* owned, one per sum of the case */
  const Group **table; /* owned, one per table of the case */
  /* What the physics makes of it, behind its own accessor (elastic_setup, heat_setup, heart_setup). */
  void *own;                      /* owned; NULL: nothing yet */
  void (*own_release)(void *own); /* frees what is in it; says whose it is */
} Setup;

/* All that does not fit is reported together: ERR_INPUT, sorted by place; a mesh that cannot be the model's (surfaces
 * for a 3D case, a surface that is not flat) is ERR_MESH. Case and mesh outlive it. */
Status setup_create(const Case *c, const Mesh *mesh, Setup *out);
/* The same, with Setup.like; NULL: there is none. */
Status setup_create_like(const Case *c, const Mesh *mesh, const Setup *like, Setup *out);
void setup_release(Setup *setup);
/* Warns of loads that stand in a list twice. */
void setup_warn_twice(const Case *c);
/* The solver's order of the nodes as the case says, [n_node], the caller's; NULL: the mesh's own. */
Status setup_number(const Case *c, const Mesh *mesh, int32_t **rank);
/* All of it but the words for places, which the setups of parts (setup_cut) point at. */
void setup_thin(Setup *setup);

/* ---- setup_cut.c: the setup of a part of the mesh, which outlives it ---- */
struct MeshSample;
struct Load;
struct Support;
/* Of a sample, for forecasts: without loads; held at one element (the group of the sample), so that matrices are
 * regular. Of a rank's share: supports and loads as far as they act on it, without probes and sums. */
Status setup_cut(const Case *c, const Setup *whole, const struct MeshSample *sample, Setup *out);
/* What an array of items of `size` bytes says of the sample's elements, all of them (first 0) or the solved ones alone
 * (first: of the whole): new, the caller's; NULL where it is NULL. */
Status setup_cut_elements(const struct MeshSample *sample, int32_t first, size_t size, const void *from,
                          const char *what, void **out);

/* The supports and loads with elements in the part, on these, [n_part]; loads know the measure of their whole group. */
Status setup_cut_supports(const struct MeshSample *sample, int32_t n, const struct Support *from, Setup *part,
                          struct Support **out, int32_t *n_part);
Status setup_cut_loads(const struct MeshSample *sample, const Mesh *whole, bool axisymmetric, int32_t n,
                       const struct Load *from, Setup *part, struct Load **out, int32_t *n_part);

/* Id of the first solved element: those of the highest dimension are the last ones. */
int32_t setup_first_solved(const Mesh *mesh);

/* ---- setup_make_regions.c: `regions` of the mesh become groups; ERR_INPUT ---- */
Status setup_make_regions(const Case *c, Mesh *mesh);

/* ---- setup_group.c: names to groups ---- */
typedef enum GroupUse {
  ON_CELLS,  /* elements of the highest dimension */
  ON_FACETS, /* one dimension less */
  ON_ANY     /* any; facets before edges before points before cells where a name is ambiguous */
} GroupUse;
/* NULL after an error. `what` names the key, for messages ("traction"). A list becomes the union of its groups. */
const Group *setup_group(Setup *setup, const Mesh *mesh, const NamesValue *on, GroupUse use, const char *what,
                         Diagnostics *diagnostics);
/* "surface" for 2 and so on; "4 elements" in words. */
const char *dimension_name(int32_t dim);

/* ---- setup_source.c: values that vary with the place ---- */
/* *out of a value of entry `region` of `materials:`, whose elements are known; of a table the column of that name. Where
 * something is wrong, which is told, it is 0. `what` names it in messages, "parameter young". */
Status setup_source(const Case *c, const Mesh *mesh, Setup *setup, int32_t region, const VaryingValue *given,
                    const char *column, const char *what, ScalarSource *out, Diagnostics *diagnostics);
/* x and the source there: at the middle of element e, or the mean of its nodes. */
double setup_source_element(const Mesh *mesh, const ScalarSource *source, int32_t e, double x[3]);

/* ---- mesh_of_case.c ---- */
/* Reads the mesh that a case names, or makes its grid; of a case with a torso the heart, whose `whole` is all of it.
 * trust, sizes: see MeshParams. */
Status mesh_of_case(const Case *c, bool trust, const char *sizes, Mesh **out);

/* ---- setup_torso.c ---- */
/* The elements of tissues are cut out, *mesh becomes the heart (mesh_keep). ERR_INPUT: groups that are not there, elements
 * of none or of two; ERR_MESH as below. */
Status setup_cut_heart(const Case *c, Mesh **mesh);
/* keep[n_element] says which solved elements are left: of those of lower dimension that it has, the ones stay all of whose nodes
 * do. ERR_MEMORY. */
Status setup_keep_sides(const Mesh *mesh, uint8_t *keep);
/* ERR_MESH: the solved elements are pieces that share no node, with their places; `why` ends the message. */
Status setup_one_piece(const Mesh *mesh, const char *why);

/* ---- setup_without.c ---- */
/* The elements of `without:` and what they alone have of nodes and sides leave the mesh. ERR_INPUT: groups that are not
 * there, or nothing is left. */
Status setup_leave_out(const Case *c, Mesh **mesh);

/* ---- setup_parts.c ---- */
/* Entries of `materials:` on their elements: setup->element_material. Every entry starts as a CaseRegion. Of a heart's
 * mesh from which no heart is cut out yet, those of `torso:` too, with numbers behind them. */
Status setup_regions(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics);
/* Keeps "case.yaml:9:5" of a support or load. */
Status setup_where(const Case *c, Place place, Setup *setup, const char **out);
Status setup_output(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics);

/* ---- setup_thickness.c ---- */
/* *out [first solved element] of a flat mesh, from thickness [n_solved]; 0 for what is no edge of an element. */
Status setup_facet_thickness(const Mesh *mesh, const double *thickness, double **out);

/* ---- setup_elasticity.c and so on: what a physics makes of it ---- */
/* Takes zeroed memory for its part, once. */
Status setup_take_own(Setup *setup, size_t bytes, void (*release)(void *own));
#define PHYSICS(name) Status setup_##name(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics);
#include "app/input/physics.def"
#undef PHYSICS
