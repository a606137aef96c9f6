/* A small scalar problem for tests: a mesh with one anisotropic tensor everywhere, supports, loads, and a solve on the
 * host that owes nothing to solver/. */
#pragma once
#include "assembly/diffusion/diffusion.h"
#include "tests/assembly/problem.h"

enum { SCALAR_ITEMS = 8 };

typedef struct Scalar {
  Exec *exec;
  Mesh *mesh;
  double (*tensor)[6], *capacity, *thickness;
  Support support[SCALAR_ITEMS];
  Load load[SCALAR_ITEMS];
  DiffusionParams params;
  Diffusion *d;
  SlotMap slots;
  double *values, *u; /* on the Exec */
  double *A, *x;      /* on the host */
} Scalar;

Expr scalar_expr(const char *text);
const Group *scalar_group(const Scalar *s, const char *name);
/* Takes mesh and Exec over; capacity 1.5, thickness 0.25 in 2D, and a full tensor: 2 3 . 0.7 in 2D, 2 3 1.5 0.7 -0.4
 * 0.3. */
void scalar_begin(Scalar *s, Exec *exec, Mesh *mesh);
Mesh *scalar_box(ElementKind kind, int n, double distort);
void scalar_prescribe(Scalar *s, const char *group, const char *value);
void scalar_load(Scalar *s, LoadKind kind, const char *group, const char *value, const char *ambient);
size_t scalar_bytes(const Scalar *s); /* of a vector */
/* diffusion_create with what was collected, bound to CSR slots. */
void scalar_create(Scalar *s);
void scalar_finish(Scalar *s);
/* stiffness K + mass M with supports eliminated, into values and A. */
void scalar_matrix(Scalar *s, double stiffness, double mass);
/* y = A x */
void scalar_multiply(const Scalar *s, const double *x, double *y);
void scalar_solve_linear(const Scalar *s, const double *b, double *x);
/* Creates and solves the steady problem: u on the Exec, x in the mesh's order. */
void scalar_solve(Scalar *s);
enum { DIFFUSION_FIELD_FLUX = 1, DIFFUSION_FIELD_REACTION = 2 };
/* Flux and reactions of u on the host, those of `which` (DIFFUSION_FIELD_...); steady, at time 0. */
typedef struct ScalarFields {
  double (*flux)[3], *reaction; /* owned */
  double total_reaction;
} ScalarFields;
Status scalar_recover(Scalar *s, const double *u, unsigned which, ScalarFields *out);
void scalar_fields_release(ScalarFields *fields);
