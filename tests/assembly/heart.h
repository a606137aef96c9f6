/* A small piece of tissue for tests: a monodomain problem on a box, bound to CSR slots, with vectors of its own. */
#pragma once
#include "assembly/monodomain/monodomain.h"
#include "tests/testing.h"

typedef struct Heart {
  Exec *exec;
  Mesh *mesh;
  double (*tensor)[6], *capacity, *thickness;
  IonicConstants region[4]; /* the first is Aliev-Panfilov's default */
  int32_t *element_region;
  MonodomainParams params;
  Monodomain *m;
  SlotMap slots;
  int64_t n;
  double *V, *r, *diagonal, *values, *numbers; /* on the Exec */
  double *host, *A;                            /* [n], [slots.n_value] on the host */
} Heart;

/* A model of one state, in scalars: physics/ionic.h. */
double heart_state(const IonicConstants *c, double V, double known, double step);
double heart_rate(const IonicConstants *c, double V, double s);
double heart_reaction(const IonicConstants *c, double V, double s);
/* A unit box (area 1 or volume 1) with capacity 1.5 and thickness 0.25 in 2D. Takes the Exec of the tests. */
void heart_box(Heart *h, ElementKind kind, int n, double distort);
/* The same of a mesh and an Exec, which it takes over; isotropic diffusivity, capacity 1, thickness 1. */
void heart_mesh(Heart *h, Exec *exec, Mesh *mesh, double diffusivity);
/* monodomain_create with params as they are, bound to CSR slots. */
void heart_create(Heart *h);
void heart_finish(Heart *h);
void heart_numbers(Heart *h, const double numbers[MONODOMAIN_NUMBERS]);
void heart_rest(Heart *h);
/* V at the nodes by place. */
void heart_potential(Heart *h, double (*value)(const double *x));
void heart_upload(Heart *h, double *to, const double *from);
void heart_download(Heart *h, const double *from, double *to);
/* y = A x with the values in A. */
void heart_multiply(const Heart *h, const double *x, double *y);
/* out = theta dR/dV d at the V of the last reaction: the diagonal, or the tangent less theta K + mass M. */
void heart_slope(Heart *h, const double numbers[MONODOMAIN_NUMBERS], const double *d, double *out);
