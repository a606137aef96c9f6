/* One heart and one scheme of `sinew bench heart`: steps of the monodomain equation with Aliev-Panfilov cells
 * (goktepe-kuhl), backward Euler; a sphere at the lowest corner is stimulated, steps are timed while the wave runs. */
#pragma once
#include "assembly/monodomain/monodomain.h"
#include "bench/bench.h"
#include "output/json.h"
#include "solver/time/stepper.h"

#define HEART_DT 0.5          /* ms */
#define HEART_REFERENCE 100.0 /* mV, what rtol is relative to */
#define HEART_AMPLITUDE 40.0  /* mV/ms */
#define HEART_DURATION 2.0    /* ms */
#define HEART_ALONG 0.1       /* mm2/ms, along fibres where the mesh has data 'fiber', else in all directions */
#define HEART_ACROSS 0.02
enum { HEART_WARM = 8 }; /* steps that are not timed: they record loops and outlast the stimulus */

/* The paper's parts of a step (ell-warp-heart-fem, Figures 1 and 2). */
typedef enum HeartPhase {
  HEART_CELLS,    /* reaction and its tangent: element by element (gauss) or node by node */
  HEART_ASSEMBLY, /* their sums into matrix and residual */
  HEART_PRODUCTS, /* with a matrix in any precision */
  HEART_SOLVER,   /* linear solves but for their products */
  HEART_UPDATE,   /* first guess, residual, new states */
  HEART_COPIES,   /* copies, clears, to and from the host */
  HEART_PHASES
} HeartPhase;
const char *heart_phase_name(HeartPhase phase);

typedef struct HeartRun {
  Exec *exec; /* given, as are the next four */
  const char *name;
  const Mesh *mesh;
  MonodomainScheme scheme;
  double rtol;
  int32_t counted;            /* steps to be timed */
  double (*tensor)[6];        /* owned, [n_solved] */
  int32_t *stimulated, *rank; /* owned, [n_node] */
  int32_t n_stimulated;
  bool fibers, ordered;             /* the mesh has fibres; rank is used */
  Monodomain *monodomain;           /* owned, as are the next six */
  Mat *stiffness, *mass_matrix, *a; /* the last two and the solver: gauss */
  LinearSolver *solver;
  Stepper *stepper;
  double *mass, *V, *host; /* [n] on the Exec, host [n_node] */
  int64_t n, n_solved;
  /* results */
  int64_t steps, newton, products;
  double seconds, fastest;        /* of all steps; per step, of the fastest call: a step on the CPU */
  double processor;               /* seconds of all the CPU's processors in all steps */
  double residual, active, bytes; /* worst; share of the nodes; per step, 0: not known */
  double phase[HEART_PHASES];     /* seconds per step, launch by launch */
} HeartRun;

/* Creates, walks, downloads V to host. What is in h is released by heart_run_release, also after a failure. */
Status heart_run(HeartRun *h);
/* Fills in phase: goes on for some steps under a Profile. After heart_run. */
Status heart_run_profile(HeartRun *h);
void heart_run_release(HeartRun *h);
/* Inside: what differs between the two. */
Status heart_run_linear(HeartRun *h);
Status heart_run_stepper(HeartRun *h, double start, int32_t steps);

/* ---- heart_dump.c: for bench/rival/petsc_heart.c ---- */
/* The problem and V of both schemes, [2][n_node] in mesh order; steps[k] 0: scheme k was not run. h: of either scheme.
 * ERR_IO, ERR_INPUT where elements are not linear tetrahedra. */
Status heart_dump(const HeartRun *h, const double *const V[2], const int64_t steps[2], const char *path);

/* ---- heart_rival.c: what bench/petsc_heart.sh has measured ---- */
typedef struct HeartRival {
  double us;           /* per step, the fastest of its runs, 0: none; of these the assembly and the linear solves */
  double fastest_us;   /* one step, of all runs */
  double processor_us; /* per step, time of all processors, the least of all runs */
  double assembly_us, solve_us, difference_mv;
  char preconditioner[32];
} HeartRival;
/* PETSc on `ranks` processes. ERR_IO when the file cannot be read. */
Status heart_rival(const char *path, const HeartRun *h, int ranks, HeartRival *out);
