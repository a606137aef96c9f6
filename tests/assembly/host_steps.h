/* A monodomain problem in time by Newton's method and conjugate gradients written down on the host, so that tests of
 * the problem owe nothing to solver/. Fixed steps. */
#pragma once
#include "tests/assembly/heart.h"

typedef enum HostScheme { BACKWARD_EULER, CRANK_NICOLSON, BDF2 } HostScheme;

typedef struct HostSteps {
  Heart heart;
  HostScheme scheme;
  double dt, time;
  int n_step, n_euler;                               /* steps done; how many are backward Euler at the start: 2 */
  double (*current)(const double *x, double time);   /* mV/ms; NULL: none */
  double *K, *M;                                     /* values in slots */
  double *V, *before, *last, *R, *R_before, *KV, *I; /* [n], of the present step; node i is the mesh's */
  double *diagonal, *b, *x, *r, *z, *d, *q;
} HostSteps;

/* After heart_mesh and changes of heart.params; V is at rest and may be changed before host_steps_start. */
void host_steps_create(HostSteps *w, MonodomainScheme scheme, HostScheme in_time, double dt);
void host_steps_start(HostSteps *w);
/* One step; returns the number of Newton steps. */
int host_step(HostSteps *w);
void host_steps_finish(HostSteps *w);
