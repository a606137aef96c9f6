/* What the files of `sinew bench pcg` share. bench_pcg.c goes through parts and meshes, pcg_place.c has a problem on an
 * Exec and measures one solve on it, pcg_sweep.c says what is tried, pcg_bounds.c where the spectrum ends, pcg_bits.c
 * what low precision costs, pcg_paper.c
 * sets the polynomial-PCG paper's Tables 3 and 4 beside ours, pcg_meshes.c its Table 5 and Figure 10, pcg_rival.c the
 * vendor's library and PETSc, pcg_marks.c what was promised, pcg_report.c prints and writes. */
#pragma once
#include "bench/measure.h"
#include "output/json.h"
#include "solver/krylov/linear.h"
#include "solver/precond/precond.h"

enum { PCG_TEXT = 160, PCG_NAME = 32 };

/* One way to solve. */
typedef struct PcgWish {
  const char *format;         /* of the outer matrix */
  const char *preconditioner; /* a name of the registry */
  const char *inner;          /* a name of pcg_inner_name */
  int32_t degree;             /* 0: the preconditioner's default */
  double bound;               /* times the estimated end of the spectrum; 0: the solver's own */
  double rtol;
  bool with_value; /* of the preconditioner's own parameters, in the order of its table (precond.h) */
  double value[PRECOND_MAX_PARAMS];
} PcgWish;

/* What came of it; times are medians over `runs` solves, each from zero after a setup of its own. */
typedef struct PcgFigure {
  PcgWish wish;
  char preconditioner[PCG_NAME]; /* what was used */
  int32_t degree;                /* the same; 0: it has none */
  char cannot[PCG_TEXT];         /* why there is no solution; "" when it converged */
  int64_t iterations, products;
  int32_t restarts, runs, fallbacks;
  char stored[PCG_NAME]; /* what `auto` ended in */
  double setup, seconds; /* s, by the marks of the Exec */
  double bytes;          /* of one iteration */
  double bound;          /* of the spectrum of the scaled matrix; 0: none needed */
  double true_residual;  /* relative, by the solver: with its matrix, in double */
  double checked;        /* relative, from the elements, without any matrix */
} PcgFigure;

/* A problem on an Exec, with one matrix at a time. */
typedef struct PcgPlace {
  Exec *exec;
  BenchProblem problem;
  const char *format; /* of a; NULL: there is none yet */
  Mat *a;
  double *x, *b, *r; /* on the Exec, [n] */
  double *host;      /* [n] */
  int64_t n;
  double norm_b, copy; /* copy bandwidth, GB/s */
  int32_t repeat;      /* most timed solves; 0: 5 */
} PcgPlace;

Status pcg_place_create(Exec *exec, int problem, int32_t percent, PcgPlace *out);
/* Takes the problem over. */
Status pcg_place_on(Exec *exec, const BenchProblem *problem, PcgPlace *out);
void pcg_place_release(PcgPlace *place);
/* Makes the matrix of that format, unless it is there. */
Status pcg_place_format(PcgPlace *place, const char *format);
/* |f - K x| / |f| from the elements, K never formed; x on the Exec. */
Status pcg_check_solution(PcgPlace *place, const double *x, double *relative);
/* Measures one. What the solver refuses or fails at goes into out->cannot; ERR_NUMERIC when it calls a solution one
 * that pcg_check_solution does not. */
Status pcg_measure(PcgPlace *place, const PcgWish *wish, PcgFigure *out);
bool pcg_converged(const PcgFigure *figure);
double pcg_each(const PcgFigure *figure); /* seconds per iteration, 0 when there was none */

/* Precisions of the inside of a preconditioner: "double", "float", ...; NULL past the end. */
const char *pcg_inner_name(int i);

/* The whole run. */
typedef struct PcgBench {
  Exec *exec;
  const BenchParams *params;
  FILE *out;
  Json *json;
  double copy; /* GB/s */
  int32_t percent;
  double rtol;
} PcgBench;

/* True unless --part names others. */
bool pcg_wants(const PcgBench *bench, const char *part);
/* A line of a table, a member of an array. `role` says why it was measured. */
void pcg_header(const PcgBench *bench);
void pcg_print(const PcgBench *bench, const PcgPlace *place, const PcgFigure *figure, const char *note);
void pcg_write(const PcgBench *bench, const PcgPlace *place, const PcgFigure *figure, const char *role);

/* Every preconditioner, precision, degree and format on this problem; objects in the open array of the JSON. */
Status pcg_sweep(const PcgBench *bench, PcgPlace *place);
/* Where the spectrum of the scaled matrix ends, by Lanczos and by the elements: lines before the table, array
 * "spectrum". */
Status pcg_bounds(const PcgBench *bench, PcgPlace *place);
/* The library's CG and PETSc's figures on this problem; objects in the open array. */
Status pcg_rivals(const PcgBench *bench, PcgPlace *place);
/* Outer iterations by precision, on good meshes and on hard ones. */
Status pcg_bits(const PcgBench *bench);
/* Small systems: the time of an iteration that bytes do not explain. */
Status pcg_small(const PcgBench *bench);
/* The marks of the solver, measured together: whole solves against a fixed time and the library, iterations against
 * their bytes, low precision against double; a small system. Rows and marks are objects in the open array. */
Status pcg_marks(const PcgBench *bench, PcgPlace *place);
Status pcg_marks_small(const PcgBench *bench);
/* Several right-hand sides at once against one after another (pcg_many.c); objects in the open array. */
Status pcg_many(const PcgBench *bench, PcgPlace *place);
/* Tables 3, 4, 5 and Figure 10; the latter two are pcg_meshes.c. */
#define PCG_PAPER_RTOL 1e-7
Status pcg_paper(const PcgBench *bench);
Status pcg_paper_meshes(const PcgBench *bench, Exec *cpu);
/* Number of the problem of that name. */
int pcg_problem(const char *name);

/* Jacobi-PCG as a user of cuSPARSE and cuBLAS writes it. */
typedef struct RivalSolve {
  int64_t iterations;
  double seconds;     /* of the solve; 0: not measured */
  bool on_device;     /* scalars stay on the device, the residual is read every 16 iterations */
  char why[PCG_TEXT]; /* not measured, or not converged; "" otherwise */
} RivalSolve;
/* csr: a double matrix of format "csr"; b, x: double[n] on the Exec, x is overwritten. The faster of scalars on the
 * host and on the device, after a warm-up each. */
Status rival_pcg(Exec *exec, const Pattern *pattern, const Mat *csr, const double *b, double *x, double rtol,
                 RivalSolve *out);
