/* A case held against its mesh: groups found, materials spread over the elements, points located. */
#pragma once
#include "app/case.h"
#include "assembly/elasticity.h"
#include "mesh/mesh.h"

typedef struct Setup {
  ElasticityParams params;       /* points into the arrays below */
  MaterialValues *material;      /* owned, one per entry of `materials:` */
  int32_t *element_material;     /* owned, [n_element] */
  int32_t *node_rank;            /* owned, [n_node], the solver's order of the nodes; NULL: the mesh's */
  Support *support;              /* owned */
  Load *load;                    /* owned */
  char **where;                  /* owned texts, [n_where], the places of supports and loads */
  int32_t n_where;
  Group **joined;                /* owned, [n_joined]: unions made of lists of groups */
  int32_t n_joined;
  Location *probe;               /* owned, one per probe of the case */
  const Group **sum;             /* owned, one per sum of the case */
} Setup;

/* All that does not fit is reported together: ERR_INPUT, sorted by place; a mesh that cannot be the model's (surfaces for a
 * 3D case, a surface that is not flat) is ERR_MESH. Case and mesh outlive it. */
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
Status setup_materials(const Case *c, const Mesh *mesh, Setup *setup, Complaints *complaints);
Status setup_boundary(const Case *c, const Mesh *mesh, Setup *setup, Complaints *complaints);
Status setup_output(const Case *c, const Mesh *mesh, Setup *setup, Complaints *complaints);
