/* A case held against its mesh: groups found, materials spread over the elements, points located. */
#pragma once
#include "app/input/case.h"
#include "assembly/diffusion/diffusion.h"
#include "assembly/elasticity/elasticity.h"
#include "assembly/monodomain/monodomain.h"
#include "mesh/fibers/fibers.h"
#include "mesh/mesh.h"

/* Members that the case's physics has no use for stay zero. */
typedef struct Setup {
  ElasticityParams params; /* points into the arrays below, as does the next */
  DiffusionParams diffusion;
  MaterialValues *material;  /* owned, one per entry of `materials:` */
  int32_t *element_material; /* owned, [n_element] */
  char **material_name;      /* owned texts, [n_material_name]: the groups of each entry of `materials:` */
  int32_t n_material_name;
  int32_t *node_rank;  /* owned, [n_node], the solver's order of the nodes; NULL: the mesh's */
  Support *support;    /* owned */
  Load *load;          /* owned */
  double (*tensor)[6]; /* owned, [n_solved], as are the next two */
  double *capacity, *thickness;
  double *facet_thickness; /* owned, [first solved element], of the edges of a flat mesh; NULL in 3D */
  DiffusionSupport *held;  /* owned */
  DiffusionLoad *heating;  /* owned */
  double *initial;         /* owned, [n_node]; NULL: 0, in a heart at rest */
  double *initial_state[N_IONIC_STATE_NAMES]; /* owned, [n_node] each; NULL: at rest */
  MonodomainParams monodomain;                /* all but its `diffusion`, which is the member above */
  IonicConstants *ionic;                      /* owned, one per entry of `tissue:` */
  struct LdrbParams *rule;                    /* owned, one per entry, used where its fibres are by rule */
  double (*fiber)[3], (*sheet)[3],
      *transmural;              /* owned, [n_node], of the first entry by rule, for the results; else NULL */
  MonodomainStimulus *stimulus; /* owned with its nodes and shares, one per stimulus of the case */
  bool *bare;                   /* owned, [n_stimulus]: on the nodes of a surface, curve or point, with no depth */
  char **where;                 /* owned texts, [n_where], the places of supports and loads */
  int32_t n_where;
  Group **joined; /* owned, [n_joined]: unions made of lists of groups */
  int32_t n_joined;
  bool bound;        /* the mesh is one that the case can have: probes and sums make sense */
  Location *probe;   /* owned, one per probe of the case */
  const Group **sum; /* owned, one per sum of the case */
} Setup;

/* All that does not fit is reported together: ERR_INPUT, sorted by place; a mesh that cannot be the model's (surfaces
 * for a 3D case, a surface that is not flat) is ERR_MESH. Case and mesh outlive it. */
Status setup_create(const Case *c, const Mesh *mesh, Setup *out);
void setup_release(Setup *setup);

/* Id of the first solved element: those of the highest dimension are the last ones. */
int32_t setup_first_solved(const Mesh *mesh);

/* ---- setup_group.c: names to groups ---- */
typedef enum GroupUse {
  ON_CELLS,  /* elements of the highest dimension */
  ON_FACETS, /* one dimension less */
  ON_ANY     /* any; facets before edges before points before cells where a name is ambiguous */
} GroupUse;
/* NULL after a complaint. `what` names the key, for messages ("traction"). A list becomes the union of its groups. */
const Group *setup_group(Setup *setup, const Mesh *mesh, const NamesValue *on, GroupUse use, const char *what,
                         Complaints *complaints);
/* "surface" for 2 and so on; "4 elements" in words. */
const char *dimension_name(int32_t dim);

/* ---- setup_parts.c ---- */
/* Entries of `materials:` on their elements: setup->element_material. Every entry starts as a CaseRegion. */
Status setup_regions(const Case *c, const Mesh *mesh, size_t entry_size, Setup *setup, Complaints *complaints);
/* Keeps "case.yaml:9:5" of a support or load. */
Status setup_where(const Case *c, Place place, Setup *setup, const char **out);
Status setup_output(const Case *c, const Mesh *mesh, Setup *setup, Complaints *complaints);

/* ---- setup_advice.c ---- */
/* Warns of elements that give too small displacements. */
void setup_elastic_advice(const Case *c, const Mesh *mesh, const Setup *setup);

/* ---- setup_thickness.c ---- */
/* *out [first solved element] of a flat mesh, from thickness [n_solved]; 0 for what is no edge of an element. */
Status setup_facet_thickness(const Mesh *mesh, const double *thickness, double **out);

/* ---- setup_elasticity.c and so on: what a physics makes of it ---- */
#define PHYSICS(name) Status setup_##name(const Case *c, const Mesh *mesh, Setup *setup, Complaints *complaints);
#include "app/physics.def"
#undef PHYSICS
