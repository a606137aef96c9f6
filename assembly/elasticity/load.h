/* Loads of a case made into a vector of external forces and into springs, on the host. */
#pragma once
#include "assembly/space/element_set.h"
#include "assembly/elasticity/elasticity.h"
#include "assembly/space/spring.h"

typedef struct Loads {
  double *force; /* owned, [n_node][dim], external forces in the global frame */
  bool any;      /* some load has a value other than 0 */
  int32_t n_spring;
  SpringBlock spring[N_ELEMENT_KINDS];
} Loads;

/* set and incidence: of the solved elements. ERR_INPUT: a group of the wrong dimension (what it is, what is allowed), a
 * facet that is not on the body, pressure on a facet between two elements, gravity without density, values that are not
 * finite. */
Status loads_create(const ElasticityParams *params, const ElementSet *set, const Incidence *incidence, Loads *out);
void loads_release(Loads *loads);

/* ---- between load.c and load_facet.c ---- */
/* What a loaded facet (or element, curve, point) is made of. */
typedef struct Facet {
  const ElementType *type;
  const int32_t *nodes;
  double x[ELEMENT_MAX_NODES][3];
  int32_t id;       /* mesh element id */
  int32_t n_side;   /* solved elements that it is a facet of */
  int32_t side[2];  /* mesh ids of the first two of them */
  double outward;   /* +1 where its own node order gives the outward normal of side[0], else -1; facets only */
  double thickness; /* of side[0]; 1 in 3D */
} Facet;
/* Coordinates and nodes only. */
void facet_read(const Mesh *mesh, int32_t id, Facet *out);
/* Also the solved elements beside it and which way is outward; n_side is 0 when there is none. */
void facet_sides(const Mesh *mesh, const ElementSet *set, const Incidence *incidence, int32_t id, Facet *out);
/* Also its thickness. ERR_INPUT when no solved element is beside it. */
Status facet_on_body(const ElasticityParams *params, const ElementSet *set, const Incidence *incidence,
                     const Load *load, int32_t index, int32_t id, Facet *out);
/* Where the shape functions N[n_node] of the facet are taken. */
void facet_point(const Facet *facet, const double *N, double x[3]);
/* Normal of the facet's own node order times the measure density at xi. */
void facet_normal(const Facet *facet, const double xi[3], double normal[3]);
/* "case.yaml:9:5", or "load 3"; text[64] is used for the latter. */
const char *load_place(const Load *load, int32_t index, char text[64]);
