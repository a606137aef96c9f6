/* A small elasticity problem for tests: mesh, materials, supports, loads, and a solve on the host that owes nothing to
 * solver/ (dense Cholesky for few unknowns, Jacobi-CG beyond, both with a step of refinement). */
#pragma once
#include "assembly/elasticity/elasticity.h"
#include "tests/testing.h"

enum { PROBLEM_ITEMS = 32 };

typedef struct Problem {
  Exec *exec;
  Mesh *mesh;
  ElasticModel model;
  int n_material, n_support, n_load;
  MaterialValues material[8];
  int32_t *element_material;
  Support support[PROBLEM_ITEMS];
  Load load[PROBLEM_ITEMS];
  Elasticity *e;
  SlotMap slots;  /* plain CSR, rows of scalars */
  double *values; /* host, [slots.n_value], after problem_assemble */
  double *u;      /* host, [dofs], solver's frame */
  double *exec_u, *exec_r, *exec_values;
  ElasticityParams params; /* as problem_create gave them */
} Problem;

/* Takes the mesh over; one material everywhere (young, poisson; thickness 1, density 0). */
void problem_init(Problem *p, Exec *exec, Mesh *mesh, ElasticModel model, double young, double poisson);
/* A box; plane-strain or 3D by the element. */
void problem_box(Problem *p, Exec *exec, ElementKind kind, int n, double distort);
/* Second and further materials: on a group of solved elements. */
void problem_material(Problem *p, const char *group, double young, double poisson);
/* Components as text, NULL for free; "where" is support.yaml:N:1 with N counting from 1. */
void problem_fix(Problem *p, const char *group, const char *x, const char *y, const char *z);
void problem_symmetry(Problem *p, const char *group);
/* where: load.yaml:N:1 */
void problem_load(Problem *p, LoadKind kind, const char *group, const char *x, const char *y, const char *z);
const Group *problem_group(const Problem *p, const char *name);
/* elasticity_create with what was collected, and params.equations, .temperature, .node_rank, .share, .end, .in_batches,
 * .allow_free_motion and .free_rim as they are. */
Status problem_create(Problem *p);
/* Binds to CSR and assembles: values. */
void problem_assemble(Problem *p);
/* Creates, assembles and solves; u then holds the solution, on the host and on the Exec. */
void problem_solve(Problem *p);
/* The residual at the u on the Exec, into r[dofs] on the host. */
void problem_residual(Problem *p, double *r);
/* u of the host to the Exec; the strain energy at it; the tangent at what is on the Exec, to values on the host. */
void problem_put(Problem *p);
double problem_energy(Problem *p);
void problem_tangent(Problem *p);
/* Entry (row, column) of values, 0 where the pattern has none. */
double problem_entry(const Problem *p, int64_t row, int64_t column);
/* Frees all but the Exec. */
void problem_release(Problem *p);

/* CSR slots of a pattern; per_scalar says the same in the other form. */
void csr_slots(const Pattern *pattern, bool per_scalar, SlotMap *out);
/* x = A^-1 b for the CSR values of p. */
void problem_solve_linear(const Problem *p, const double *b, double *x);

/* MacNeal and Harder's patches, made of any element: 5 distorted quads (or their triangles), 7 distorted hexes (or 24
 * tetrahedra each). Groups "body" and "skin". */
Mesh *patch_mesh(ElementKind kind);
/* Appends a group of n elements of a lower kind than all in the mesh (points, lines), given by their nodes. */
void add_group(Mesh *mesh, const char *name, ElementKind kind, int32_t n, const int32_t *nodes);
/* "x" to "z" of a mesh changed in place: map(x). */
void bend_mesh(Mesh *mesh, void (*map)(double x[3]));
