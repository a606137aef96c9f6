/* A case held against its mesh: groups found, materials spread over the elements, points located. */
#pragma once
#include "app/case.h"
#include "assembly/elasticity.h"
#include "mesh/mesh.h"

typedef struct Problem {
  ElasticityParams params;       /* points into the arrays below */
  MaterialValues *material;      /* owned, one per entry of `materials:` */
  int32_t *element_material;     /* owned, [n_element] */
  Support *support;              /* owned */
  Load *load;                    /* owned */
  char **where;                  /* owned texts, [n_where], the places of supports and loads */
  int32_t n_where;
  Group **joined;                /* owned, [n_joined]: unions made of lists of groups */
  int32_t n_joined;
  Location *probe;               /* owned, one per probe of the case */
  const Group **sum;             /* owned, one per sum of the case */
} Problem;

/* All that does not fit is reported together: ERR_INPUT, sorted by place; a mesh that cannot be the model's (surfaces for a
 * 3D case, a surface that is not flat) is ERR_MESH. Case and mesh outlive the problem. */
Status problem_create(const Case *c, const Mesh *mesh, Problem *out);
void problem_release(Problem *problem);

/* Id of the first solved element: those of the highest dimension are the last ones. */
int32_t problem_first_solved(const Mesh *mesh);

/* ---- problem_group.c: names to groups ---- */
typedef enum GroupUse {
  ON_CELLS,  /* elements of the highest dimension */
  ON_FACETS, /* one dimension less */
  ON_ANY     /* any; facets before edges before points before cells where a name is ambiguous */
} GroupUse;
/* NULL after a complaint. `what` names the key, for messages ("traction"). A list becomes the union of its groups. */
const Group *problem_group(Problem *problem, const Mesh *mesh, const NamesValue *on, GroupUse use, const char *what,
                           Complaints *complaints);
/* "surface" for 2 and so on; "4 elements" in words. */
const char *dimension_name(int32_t dim);

/* ---- problem_parts.c ---- */
Status problem_materials(const Case *c, const Mesh *mesh, Problem *problem, Complaints *complaints);
Status problem_boundary(const Case *c, const Mesh *mesh, Problem *problem, Complaints *complaints);
Status problem_output(const Case *c, const Mesh *mesh, Problem *problem, Complaints *complaints);
