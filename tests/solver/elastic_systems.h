/* Assembled elasticity for the solver's tests: a box or rectangle under shear, in the ways that make systems hard. */
#pragma once
#include "assembly/elasticity/elasticity.h"
#include "solver/krylov/linear.h"

typedef struct ElasticSystemParams {
  BoxParams box;
  double poisson;     /* 0: 0.3 */
  double contrast;    /* of young's modulus in a checkerboard of a quarter of the box; 0: 1 */
  double flatten;     /* every 50th node, where inside, is moved by this part of a cell in x; near 1: slivers */
  const char *format; /* NULL: the default */
} ElasticSystemParams;

typedef struct ElasticSystem {
  Exec *exec; /* borrowed */
  Mesh *mesh;
  int32_t *material_of;
  Elasticity *elasticity;
  Mat *a;
  double *b, *x; /* double[n] on the Exec; x is zero */
  int64_t n;
} ElasticSystem;

/* Held at x = 0, sheared at the other end. Asserts that all goes well. */
void elastic_system_create(Exec *exec, const ElasticSystemParams *params, ElasticSystem *out);
void elastic_system_release(ElasticSystem *system);
/* From x = 0; *report is filled in either way. */
Status elastic_system_solve(ElasticSystem *system, const LinearParams *params, LinearReport *report);
