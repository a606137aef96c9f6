/* Solves A x = b for symmetric positive definite A on an Exec by preconditioned conjugate gradients; the whole
 * iteration is recorded once (exec_loop) and no number comes to the host inside. Inner precision may be low, the answer
 * is not: the true residual |b - A x| / |b| is computed in double at the end and only it decides. */
#pragma once
#include "core/exec.h"
#include "algebra/mat.h"
#include "algebra/rigid_motion.h"
#include "solver/precond/precond.h"
#include "solver/precond/precond_choice.h"

/* How a polynomial stores its matrix. Half, bfloat16 and int8 (mat.h) keep vectors in float; they need format 'sbell'
 * with slices of 32 rows, ERR_INPUT otherwise. Other preconditioners have no such matrix and do not look at it. LOWEST
 * starts as low as matrix and format allow (int8 for blocks, half for scalars, else float) and goes up by itself, from
 * where x is: docs/theory/precision.md. It converges wherever DOUBLE does. AUTO does so where low precision is faster, on a
 * GPU, and starts in float on the CPU. */
typedef enum LinearInner {
  LINEAR_INNER_BY_MIXED, /* float when `mixed`, else double */
  LINEAR_INNER_DOUBLE,
  LINEAR_INNER_FLOAT,
  LINEAR_INNER_HALF,
  LINEAR_INNER_INT8,
  LINEAR_INNER_BFLOAT16,
  LINEAR_INNER_AUTO,
  LINEAR_INNER_LOWEST
} LinearInner;

typedef struct LinearParams {
  double rtol;                   /* on the true relative residual; default 1e-8 */
  int64_t max_iterations;        /* 0: 10000 or 10 sqrt(unknowns) * 100, whichever is larger; a bound, not a promise */
  const char *preconditioner;    /* NULL or "auto", or a name of preconditioners.def */
  char why[PRECOND_CHOICE_TEXT]; /* the caller took that one in the place of "auto"; else empty */
  int32_t degree;                /* of the polynomial; 0: its default */
  bool has_values;               /* of the preconditioner's parameters, in the order of its table (precond_type); */
  double values[4];              /* else its defaults */
  bool mixed;                    /* polynomial in float; default true in linear_params_default */
  LinearInner inner;             /* default: by `mixed` */
  double bound_factor; /* times the Lanczos estimate of the spectrum's end; 0: 1.05 (tests make it too small) */
  const Pattern
      *pattern;         /* of `a`, read by linear_create only; preconditioners that use the graph need it (ssor, amg) */
  const Pattern *spare; /* the same, as long as the solver lives: in one process on a CPU a direct solver takes the
                           place of conjugate gradients that do not converge, and stays; NULL: nothing does */
  bool pattern_once;    /* nobody needs it and the slots of `a` afterwards: what a GPU has of them goes, */
  bool pattern_kept;    /* but not where a spare may need them yet */
  const double
      *near_null; /* host [n_near_null][rows], read by linear_create only: the rigid motions of elasticity, in the
                                  order and frames of the rows; NULL: each component constant (amg) */
  int32_t n_near_null;
  RigidPlaces
      places; /* instead of near_null: [rows / block] on the Exec, as long as the solver lives; amg alone looks at it */
  bool has_modes; /* elasticity whose near_null is there or can be had, diffusion, where constants are all of it: what
                                  "auto" uses; false: unknown */
  int32_t order;  /* of the elements, for the same choice; `lower` can be had when it is more than 1 */
  bool may_be_indefinite; /* a direct solver factors the matrix then too: tangents of load steps */
  bool at_once;           /* solves are many and alike, as of steps in time: see linear_once.c */
  bool tiles; /* with at_once and a scalar matrix in 'sbell': copies in tiles (algebra/formats/tiled.h), for a GPU */
  int32_t solves;   /* expected with this pattern, for the choice of a preconditioner; 0: one */
  int32_t together; /* right-hand sides at once (linear_many.h), for the choice of a precision; 0: one */
  const OrderTransfer
      *lower; /* [n_lower], read by linear_create only: from the order of the elements down (p-multigrid) */
  int32_t n_lower;
} LinearParams;
LinearParams linear_params_default(void);
/* "double", "mixed", "auto", "float", "half", "bfloat16", "int8" into mixed and inner. ERR_INPUT with the list. */
Status linear_params_precision(LinearParams *params, const char *word);
const char *const *linear_precision_words(void); /* ended by NULL */

/* The name that "auto", or no name, stands for (precond_choice.h); any other is itself. A degree means a polynomial. */
const char *linear_choice(const Exec *exec, const LinearParams *params, const Mat *a);
/* Those of a preconditioner of this name, whose matrix inside is stored so. */
PrecondParams linear_precond_params(const LinearParams *params, const char *choice, Precision storage);
/* ERR_INPUT: rtol or max_iterations; the latter for a matrix. */
Status linear_check_params(const LinearParams *params, const Mat *a, int64_t *max_iterations);

typedef enum LinearReason {
  LINEAR_CONVERGED,
  LINEAR_MAX_ITERATIONS,
  LINEAR_INDEFINITE,
  LINEAR_NAN,
  LINEAR_STAGNATED,
  LINEAR_BREAKDOWN, /* solver/krylov/cocg.h only */
  LINEAR_OVERFLOW,
  LINEAR_UNDERFLOW /* the solution is larger than double holds; so small that its digits are lost */
} LinearReason;

typedef struct LinearReport {
  LinearReason reason;
  int64_t iterations;                       /* outer CG iterations, all restarts together */
  int64_t products;                         /* products with A in any precision */
  int64_t solves;                           /* that a sum is of */
  int32_t restarts;                         /* residual replacements and raised bounds */
  double true_residual, recursive_residual; /* relative */
  double norm_b, bound; /* |b|; upper bound of the spectrum of the scaled matrix (0 when not needed) */
  double lanczos;       /* largest Ritz value, of which the bound was made; 0: none */
  double strict_bound;  /* of linear_set_bound; 0: not known */
  double setup_seconds; /* of what was set up since the last solve, whose report has those before */
  double solve_seconds;
  double bytes_per_iteration; /* that must move at least */
  double factor_entries;      /* of a direct solve's factorisation, and the bytes that it takes; 0: there is none */
  double factor_bytes;
  const char *preconditioner;    /* what was used: "least-squares" */
  char why[PRECOND_CHOICE_TEXT]; /* "auto" took that: precond_choice_why; else empty */
  int32_t degree;
  Precision precision;       /* of the preconditioner's matrix at the end, double where it has none */
  Precision first_precision; /* at the start of this solve, or of the setup before it */
  int32_t fallbacks;         /* how often AUTO went up from there */
  double stored_error;       /* |(A' - stored A') v| / |v| for a random v, measured by AUTO; 0: not measured */
  int64_t equation;          /* scalar row that the failure points at (block row = node, component), -1 when none */
} LinearReport;

/* Sums of work and time; all else becomes that of `step`, but for the precision that the first of them began with. */
void linear_report_add(LinearReport *sum, const LinearReport *step);

/* What was asked for and what came of it: "mixed", "auto (int8)", "auto (half after int8)". */
enum { LINEAR_PRECISION_TEXT = 64 };
const char *linear_precision_text(const LinearReport *report, const char *asked, char text[LINEAR_PRECISION_TEXT]);

/* Progress, called from the host now and then. */
typedef void (*LinearPoll)(void *context, int64_t iteration, double relative_residual);

typedef struct LinearSolver LinearSolver;
/* Allocates all workspaces and records nothing yet; `a` (double) is borrowed. Unknown name: ERR_INPUT with the list. */
Status linear_create(Exec *exec, const LinearParams *params, const Mat *a, LinearSolver **out);
void linear_destroy(LinearSolver **solver);
/* Whether linear_setup would look at a strict bound of the spectrum, and of which matrix: scaled symmetrically by its
 * diagonal blocks (*blocks) or its diagonal. Not where it works on a copy in few bits, which the bound says nothing of. */
bool linear_wants_bound(const LinearSolver *solver, bool *blocks);
/* Such a bound, for linear_setup from now on: the estimate is never taken beyond it. 0 or INFINITY: none is known. */
void linear_set_bound(LinearSolver *solver, double bound);
/* After the values of the matrix changed: scaling, low-precision copy, bound of the spectrum. A diagonal that is not
 * positive is reported by linear_solve. */
Status linear_setup(LinearSolver *solver);
/* In its place where the values changed little, as between steps of Newton's method: a hierarchy, whose set-up takes as
 * long as many iterations, stays while a digit takes no more than twice as many of them as at first. Where a solve breaks
 * down with it, it is set up then. False: linear_setup is due. */
bool linear_keep(LinearSolver *solver);
/* Conjugate gradients, or a factorisation that takes definite matrices only, are given up for a direct solver that takes
 * those too which may be indefinite (LinearParams.spare), to be set up; `why` goes into reports. *taken: it is in place. */
Status linear_take_spare(LinearSolver *solver, const char *why, bool *taken);
/* After a solve of so many iterations, and with `left` more to come with this matrix: the same for a direct solver that is cheaper by
 * the prices of precond_choice.h. */
Status linear_offer(LinearSolver *solver, int64_t iterations, int64_t left);
/* What the bits of later solves depend on besides the matrix: where `auto` has arrived, and how often the bound of the
 * spectrum was raised since linear_setup. Restored after a linear_setup of the same matrix. */
typedef struct LinearState {
  int32_t precision, raised;
} LinearState;
LinearState linear_state(const LinearSolver *solver);
Status linear_restore(LinearSolver *solver, const LinearState *state);
/* Of that only whether a direct solver had taken the place of conjugate gradients; before a linear_setup. */
Status linear_restore_spare(LinearSolver *solver, const LinearState *state);
/* x in: first guess, out: solution; b is kept. Both double on the Exec. ERR_NUMERIC with reason, iteration, place and
 * likely cause when it does not converge; the report is filled in either way. b = 0 gives x = 0. */
Status linear_solve(LinearSolver *solver, const double *b, double *x, LinearReport *report);
/* Bordered systems [A -G; G^T C] [x; factor] = [b; gap], A positive definite where G^T x = 0, as the tangent of a body is
 * beyond the limit point of a pressure whose volume is prescribed. C, [n][n] on the host, is symmetric and positive semidefinite; NULL:
 * 0. With it there are n solves more, once for each border. The preconditioner is that of the last linear_setup,
 * of a matrix that is positive definite everywhere; linear_hold says that the values have changed since, on purpose.
 * g[k], n <= LINEAR_BORDER, are vectors on the Exec, read by linear_set_border. The tolerance is of b and of what G
 * factor changes together. Not for several ranks, nor for formats with a numbering of their own: ERR_INPUT. */
enum { LINEAR_BORDER = 4 };
void linear_hold(LinearSolver *solver);
Status linear_set_border(LinearSolver *solver, int32_t n, const double *const *g, const double *C);
/* x: out only; factor[n] and gap[n] on the host. */
Status linear_solve_border(LinearSolver *solver, const double *b, const double *gap, double *x, double *factor,
                           LinearReport *report);
/* Of the next solves: how exact they are, in (0, 1). */
void linear_set_rtol(LinearSolver *solver, double rtol);
/* |b - A x| / |b| in double, and |b|; the solver's workspace is used. */
Status linear_true_residual(LinearSolver *solver, const double *b, const double *x, double *relative, double *norm_b);
/* What is known before a solve: preconditioner, degree, precision, bytes per iteration; all else is zero. */
void linear_begin_report(const LinearSolver *solver, LinearReport *report);
void linear_set_poll(LinearSolver *solver, LinearPoll poll, void *context);
