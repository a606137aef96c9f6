/* Inside of LinearSolver, shared by linear.c (what to do next) and linear_message.c (how to say what went wrong). */
#pragma once
#include "core/vec.h"
#include "solver/krylov/linear.h"
#include "solver/krylov/pcg.h"

/* Copies of b and x in the numbering of the matrix, where it has one of its own; place NULL: it has none. */
typedef struct Renumbered {
  int64_t n;
  int32_t *place; /* owned, as are b and x, on the Exec, [n] */
  double *b, *x;
} Renumbered;

/* Columns G = Q L^T of a bordered system, with Q^T Q = 1; n 0: there are none. */
typedef struct LinearBorder {
  int32_t n, room; /* room: of the arrays */
  double L[LINEAR_BORDER * LINEAR_BORDER];
  double *q, *start, *b;                   /* owned, on the Exec: [room][rows], [columns], [rows] */
  double *dot;                             /* owned, on the Exec, [LINEAR_BORDER] */
  bool smooth;                             /* the next two are there */
  double *Mq;                              /* owned, on the Exec, [room][rows] */
  double H[LINEAR_BORDER * LINEAR_BORDER]; /* q_j . M q_k at [j][k], by rows of n */
  double C[LINEAR_BORDER * LINEAR_BORDER]; /* [n][n] */
  bool compliant, answered;                /* C is not 0; the next three are there, */
  bool near;                               /* or those of another matrix since the last linear_setup */
  double *answer, *none;                   /* owned, on the Exec: [room][rows], x of b = 0 and gap = unit vector k; 0 */
  double E[LINEAR_BORDER * LINEAR_BORDER]; /* [n][n]: factors of those */
} LinearBorder;

struct LinearSolver {
  Exec *exec; /* borrowed, as is a */
  const Mat *a;
  LinearParams params;   /* preconditioner name not kept */
  Krylov *krylov;        /* owned, on the Exec */
  Precond *m;            /* owned */
  Pcg pcg;               /* owned content */
  Renumbered renumbered; /* owned content */
  double mean_scale, setup_seconds;
  bool is_set_up, told_rounding;
  bool kept; /* the preconditioner is that of an earlier matrix */
  double first_rate,
      last_rate;  /* iterations for each digit of the first solve since linear_setup, 0: none; of the last */
  int64_t n_bad;  /* entries of the diagonal that are not positive */
  bool automatic; /* the precision, as long as it is not double */
  bool chosen;    /* the preconditioner, by linear_choice */
  char why[PRECOND_CHOICE_TEXT]; /* so chosen, and still in use; else empty */
  Precision first_precision;
  int32_t fallbacks; /* since the last linear_setup began */
  int32_t raised;    /* how often the bound was raised since the preconditioner's last setup */
  double stored_error;
  bool held;                 /* so, and the matrix is definite with the border alone */
  LinearBorder border;       /* owned content */
  double *scaled_b;          /* owned, [n]: of a right-hand side beyond the range of squares; NULL until one comes */
  int64_t tried;             /* iterations of a linear_once that did not converge; -1: it did */
  int64_t iterations_before; /* the next solve goes on counting from here: linear_many.c */
  const Pattern *spare;      /* LinearParams.spare, NULL where it cannot be had or is in use */
  int32_t spare_state;       /* 0: it is not in use */
  int64_t spare_after;       /* iterations that take as long */
  PrecondFacts facts;        /* that choices go by */
  LinearPoll poll;
  void *poll_context;
};

/* What a choice of a preconditioner goes by. */
PrecondFacts linear_facts(const Exec *exec, const LinearParams *params, const Mat *a);
/* A true residual LINEAR_DRIFT times the recursive one replaces it; LINEAR_TRIES replacements without gain are
 * stagnation. */
enum { LINEAR_DRIFT = 10, LINEAR_TRIES = 3 };
/* Least rtol of solves by a matrix that is off by 3e-8 (pcg_draw_near): beyond it their true residual would fall short of them. */
#define LINEAR_NEAR 1e-8
/* |r| / |b| of their squares. */
double linear_relative(double rr, double bb);
/* Iterations without progress after which a solve with this preconditioner stalls. */
int64_t linear_window(const Precond *m, const Mat *a);
/* From norm_b and true_residual, before the first iteration: LINEAR_CONVERGED, LINEAR_NAN, or LINEAR_MAX_ITERATIONS where there is
 * something to do. */
LinearReason linear_check_start(LinearReport *report, double rtol);
/* A run to |r| <= limit |b|. may_raise: the bound of the spectrum can still be raised. */
PcgRun linear_run(const LinearSolver *s, double limit, double bb, bool may_raise);

/* The answer where the true residual does not fall: LINEAR_CONVERGED where it is rounding, else a failure. */
Status linear_stagnated(LinearSolver *s, const double *b, const double *x, LinearReport *report);
/* linear_refine.c, for a factor of an indefinite matrix: x <- x + B (b - A x) until the true residual is small. As linear_solve_on. */
Status linear_refine(LinearSolver *s, const double *b, double *x, LinearReport *report);

/* From the true residual on, which has just been formed (report->true_residual, norm_b). */
Status linear_solve_on(LinearSolver *s, const double *b, double *x, LinearReport *report);

/* linear_once.c: the whole solve with one look of the host, where the solver does so; s->tried < 0: it converged by the true
 * residual. Else x is where an ordinary solve may begin, which counts its own iterations. */
Status linear_once(LinearSolver *s, const double *b, double *x, LinearReport *report);

/* ---- linear_scale.c ---- */
/* The least and the most of a square. */
extern const double linear_range[2];
/* b is solved for as 2^exponent b and x with it, which rounds nothing, where |b|^2 or what the preconditioner makes of
 * it is beyond the range of double. */
typedef struct LinearScale {
  int exponent; /* 0: as it is */
  double norm;  /* |b| */
} LinearScale;
/* For bb = |b|^2, which may be 0 or infinite although b is neither: then `length` is wanted. */
bool linear_in_range(double bb, double mean_scale);
LinearScale linear_scale_of(VecLength length, double mean_scale);
/* Of b [n]; `room` is a double on the Exec. */
Status linear_find_scale(Exec *exec, int64_t n, const double *b, double bb, double mean_scale, double *room,
                         LinearScale *out);
Status linear_solve_scaled(LinearSolver *s, const LinearScale *scale, const double *b, double *x, LinearReport *report);
/* Whether x, in the caller's units again, still is the solution: ERR_NUMERIC where it overflows, or digits are lost
 * below the smallest normal number. */
Status linear_check_scaled(LinearSolver *s, const LinearScale *scale, const double *b, double *x, LinearReport *report);
/* The same decision for any solver that knows the residual. */
Status linear_judge_scaled(double residual, double rtol, LinearReport *report);

/* ---- linear_precision.c ---- */
/* Whether the precision goes up by itself. */
bool linear_is_automatic(const LinearParams *params);
/* Of a new solver with this preconditioner, for what params->inner says. */
Precision linear_first_precision(const LinearParams *params, const Mat *a, const char *precond);
/* After precond_setup: goes up while the stored matrix is too far from the true one for this polynomial. */
Status linear_check_stored(LinearSolver *s);
/* To a higher precision, set up again; `why` goes into a warning. */
Status linear_raise_precision(LinearSolver *s, Precision to, const char *why);
/* From a preconditioner that cannot be set up to one that always can. */
Status linear_fall_back(LinearSolver *s);
Precision precision_above(Precision precision);
Status linear_setup_precond(LinearSolver *s);
/* The preconditioner, more careful by this factor: a bound of the spectrum that was too small. */
#define LINEAR_RAISE 1.1
Status linear_raise(LinearSolver *s);

/* ---- linear_spare.c ---- */
/* Whether params->spare can become a factor of this matrix: in one process, in the numbering of the pattern. */
bool linear_can_factor(const LinearParams *params, const Mat *a);
void linear_spare_create(LinearSolver *s, const LinearParams *params, const PrecondFacts *facts);
/* Of a solve: before the spare is taken, or at all. */
int64_t linear_most_iterations(const LinearSolver *s);
/* linear_take_spare for a solve that came as far as the report says, and its setup. */
Status linear_rescue(LinearSolver *s, const LinearReport *report, bool *taken);
/* LinearState.precision. */
int32_t linear_spare_state(const LinearSolver *s, int32_t precision);

/* ---- linear_border.c ---- */
void linear_border_release(LinearSolver *s);

/* ---- linear_rounding.c ---- */
/* The relative residual that rounding alone leaves of x, to about a factor of 2. Overwrites the residual of s->pcg. */
Status linear_rounding(LinearSolver *s, const double *b, const double *x, double norm_b, double *relative);

/* ---- linear_numbering.c ---- */
Status renumbered_create(Exec *exec, const Mat *a, Renumbered *out);
void renumbered_release(Exec *exec, Renumbered *renumbered);
/* b and x into the numbering of the matrix; x back. */
Status renumbered_enter(Exec *exec, const Renumbered *renumbered, const double *b, const double *x);
Status renumbered_leave(Exec *exec, const Renumbered *renumbered, double *x);
/* The row whose number that is; -1 stays. */
int64_t renumbered_row(const Mat *a, int64_t number);

/* Finds the place, fills report->reason and equation, and returns ERR_NUMERIC with the whole message. */
Status linear_failure(LinearSolver *s, LinearReason reason, const double *b, LinearReport *report);
