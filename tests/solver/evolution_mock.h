/* A small nonlinear problem with a state and an exact solution on the mesh, nodal and gauss, for tests of
 * solver/time/stepper.h: u_i = c_i phi(t), s_i = c_i chi(t) solve
 *   M du/dt + K u = M_l (2 u - u^3 - s u) + b(t),   ds/dt = u - s,
 * with c = cos(pi x), phi = 1 + sin(t) / 2, chi = 1 + (sin t - cos t) / 4, b fitted to them, and M = M_l where
 * nodal. */
#pragma once
#include "assembly/diffusion/diffusion.h"
#include "solver/time/stepper.h"

typedef struct Mock {
  Exec *exec;
  Mesh *mesh;
  double (*tensor)[6];
  Diffusion *d;
  Mat *K, *M, *a;
  LinearSolver *solver;
  int32_t n;
  bool gauss, free; /* free: b = 0 and R = 0, currents only */
  double amplitude; /* of the current in the nodes with x < 0.3 */
  double spoil_at;  /* R is not a number in steps that end after it; 0: never */
  double *u;
  double *lumped, *Mc, *Kc, *c; /* host and Exec are the same */
  double *s, *s_last;           /* s_n, and s_n - s_(n-1) or g(u_n, s_n) */
  double *factor, *slope;       /* of the tangent */
  const TimeScheme *scheme;
  Stepper *e;
} Mock;

/* On a row of `cells` quads; everything but e. */
void mock_begin(Mock *m, int cells, bool gauss);
void mock_begin_with(Mock *m, int cells, bool gauss, int threads);
Status mock_create(Mock *m, const StepperParams *params);
void mock_release(Mock *m); /* what mock_create took */
void mock_end(Mock *m);
/* Largest difference to the exact u. */
double mock_distance(const Mock *m, double t);
