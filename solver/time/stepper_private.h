/* Inside of Stepper, shared by stepper.c (from step to step), stepper_create.c, stepper_state.c (checkpoints) and the
 * files of its methods. */
#pragma once
#include "core/collect.h"
#include "core/vec.h"
#include "solver/time/dynamic_rows.h"
#include "solver/time/evolution_rows.h"
#include "solver/time/rows.h"
#include "solver/time/stepper.h"

/* How a trial ended. */
typedef enum TrialEnd {
  TRIAL_SOLVED, /* ratio decides */
  TRIAL_TAKEN,  /* its steps are accepted already */
  TRIAL_AGAIN,  /* the same step once more */
  TRIAL_FAILED  /* no solution: `why` */
} TrialEnd;
typedef struct Trial {
  TrialEnd end;
  double ratio; /* error over what is allowed; NaN: unknown */
  char why[NEWTON_TEXT];
} Trial;

/* What a kind of problem does. */
typedef struct StepMethod {
  const char *name; /* in checkpoints, at most 7 letters */
  Status (*create)(Stepper *);
  Status (*start)(Stepper *);                                           /* u holds the initial values */
  Status (*trial)(Stepper *, int64_t max_steps, Trial *, StepReport *); /* from control.time to control.target */
  Status (*accept)(Stepper *);                                          /* TRIAL_SOLVED, and small enough */
  Status (*undo)(Stepper *);                  /* u as before a trial that failed; NULL: none fails */
  int (*history)(const Stepper *, double **); /* lists the vectors of checkpoints behind u, says how many */
  Status (*restored)(Stepper *);              /* after they and all numbers are back; NULL: nothing to do */
  Status (*renew)(Stepper *);                 /* for another matrix and solver; NULL: it keeps what it has */
  Status (*stiffness)(Stepper *);             /* K has other values; NULL: it cannot */
  bool watches;                               /* stepper_can_watch, on a single rank */
} StepMethod;
extern const StepMethod step_static, step_linear, step_newton, step_resident, step_stages, step_dynamic, step_motion,
    step_own;
enum { STEPPER_VECTORS = 24 }; /* most of all vectors */
_Static_assert(STEPPER_KEPT > 2 * EVOLUTION_PAST + 4, "vectors of checkpoints");

/* Linear: increments. */
typedef struct StepLinear {
  double *d, *predicted, *last, *older, *v, *w, *Kv, *Mw, *r, *f_new, *f_old; /* owned, on the Exec, [n] */
  double *g;           /* prescribed values of the step; NULL when they do not change */
  TransientSums *sums; /* [1] */
} StepLinear;

/* Second order: motion and increments. */
typedef struct StepDynamic {
  double alpha_m, alpha_f, beta, gamma; /* of the scheme */
  double *v, *a;                        /* owned, on the Exec, [n], as the next ones */
  double *d, *known, *stiff, *heavy, *r, *inertia;
  double *slow;      /* NULL: no dashpots */
  double *g;         /* prescribed values of the step; NULL when they do not change */
  DynamicSums *sums; /* [1] */
  /* not linear: F and, where energies are asked for, internal forces at the solution, and before the step; else NULL */
  double *force, *force_old, *internal, *internal_old;
  double scale; /* of force (StaticPart) */
} StepDynamic;

/* Of the spectrum of P^-1 (1 + tau K'), K' = M^(-1/2) K M^(-1/2). */
typedef struct EvolutionInterval {
  double lowest;    /* Ritz value */
  double low, high; /* what Chebyshev's iteration works on */
} EvolutionInterval;
enum { EVOLUTION_LADDER = 8 };
/* Resident: the linear solve on the Exec. */
typedef struct StepResident {
  float *rho, *shift, *y[2], *scale, *weight, *K_diagonal; /* owned, on the Exec, [n_read] */
  Mat *scaled;                                             /* owned: K'', */
  Mat *exact;          /* and K, where differences are read faster than the problem's own entries; NULL: they are not */
  ExecLoop *loop;      /* owned; recorded for u */
  LoopHistory history; /* stages: steps of its runs */
  double off_diagonal; /* largest sum of |K_ij| in a row over K_ii, */
  EvolutionInterval interval[EVOLUTION_LADDER]; /* the spectrum for tau, tau / 2, ...; 0: not needed yet */
  double tau;                                   /* of the longest step; the tau0 of K'' */
  double mean;                                  /* of K'_ii by mass */
  double stiffest;                              /* stages: bound of the eigenvalues of M^(-1) K, per time, */
  float *own;                                   /* [n_read]: which part of the mass in that is the problem's, */
  StepStages stages;                            /* and what is told of it */
} StepResident;

/* What checkpoints hold beside vectors and the control. */
typedef struct StepMemory {
  double h[EVOLUTION_PAST]; /* lengths of the last steps, the last one first */
  int32_t n_history;        /* values before u_n that are worth something: 0 to EVOLUTION_PAST */
  int32_t n_smooth;         /* backward Euler steps still to come */
  double reference;         /* of the tolerance, where it is found on the way */
  double mean_start;        /* linear: of u */
  double made_with[3];      /* linear: the factors theta, mass, viscous that the matrix has now; NaN: none, */
  double first_with[3];     /* and those of the first matrix, from which a preconditioner may keep something */
  LinearState solver;       /* linear: of checkpoints alone */
  double factor[EVOLUTION_PAST + 1][LINEAR_BORDER]; /* static: of the border, at the last solution and those before */
  double work, dissipated, internal;                /* motion that is not linear: since the start, */
  double given;                                     /* kinetic energy that velocities brought with which spans begin, */
  int32_t moves;            /* and whether it has begun: spans without inertia may lie before it */
  double raise;             /* resident: by which upper ends had to be enlarged */
  EvolutionLearned learned; /* as in EvolutionScalars */
} StepMemory;

struct Stepper {
  Exec *exec; /* borrowed, as are a, solver and u */
  Problem problem;
  StepperParams params; /* defaults filled in; events and pulses not kept */
  const StepMethod *method;
  StepControl control; /* owned */
  Mat *a;
  LinearSolver *solver;
  Newton *newton;    /* owned; NULL: the method has none */
  int64_t n, n_read; /* unknowns, and what a product reads of a vector: those of other ranks behind them */
  RankRun place;     /* these among the unknowns of all ranks */
  double *u;
  bool goes_on;          /* a start whose velocities are those of a checkpoint */
  SchemeFactors factors; /* of the step now tried */
  Stage stage;
  StepMemory memory;
  /* owned, on the Exec, [n_read]; NULL where the method has no use for them */
  double *before, *K_before, *past[EVOLUTION_PAST], *K_past[EVOLUTION_PAST], *Ku, *force, *current;
  double *force_before;                /* schemes with theta < 1 */
  double *slope;                       /* resident */
  double *v, *Mv;                      /* Newton; nodal with a share of consistent mass, */
  double *q, *q_before, *lag;          /* as are these */
  double *switches;                    /* [n_pulse] */
  EvolutionPulse *pulse;               /* [n_pulse] */
  EvolutionScalars *scalars;           /* [1] */
  EvolutionScalars host;               /* what the Exec was given and what it answered last */
  int32_t head;                        /* as in EvolutionScalars */
  double volume;                       /* sum of the mass */
  bool anew;                           /* static: the next step keeps no hierarchy */
  bool warned;                         /* of a step beyond the bound of definiteness */
  StepWatch watch;                     /* n 0: nobody does */
  double *ring;                        /* on the Exec, [watch.room][watch.n] */
  int64_t n_sampled;                   /* of the last call, */
  double sample_time[EVOLUTION_CHAIN]; /* and when */
  StepLinear linear;
  StepDynamic dynamic;
  StepResident resident;
  double **taken[STEPPER_VECTORS]; /* all vectors above */
  int n_taken;
};

/* A vector [n] to take, and why; one not wanted stays NULL. stepper_destroy releases it. */
typedef struct StepVector {
  double **to;
  const char *what;
  bool wanted;
} StepVector;
Status stepper_take(Stepper *t, const StepVector *vector, size_t n_vector);

/* ---- stepper_linear.c: a <- factor[0] K + factor[1] M + factor[2] C and the solver's setup; the same where it is another one; as
 * it was when a checkpoint was made ---- */
Status stepper_matrix(Stepper *t, const double factor[3]);
Status stepper_update_matrix(Stepper *t, const double factor[3], StepReport *report);
Status stepper_restore_matrix(Stepper *t);
/* One accepted step: control and history go on. ratio as step_control_judge takes it. */
Status stepper_advance(Stepper *t, double ratio);
Status stepper_undo(Stepper *t);
/* Weights of the last values, the last one first, in the polynomial through them at a time dt later: its degree is that of the predictor
 * where there are as many. */
int stepper_extrapolate(const Stepper *t, double dt, double p[EVOLUTION_PAST + 1]);

/* ---- stepper_static.c: what the attempts of a step took ---- */
void stepper_count_newton(const NewtonReport *newton, StepReport *report);

/* ---- stepper_dynamic.c: what stepper_motion.c has too ---- */
Status stepper_dynamic_create(Stepper *t);
/* The velocity that is given, and no acceleration yet; that which loads of this time, the velocity and supports that move leave at
 * the time reached; and both at the beginning. */
Status stepper_dynamic_rest(Stepper *t);
Status stepper_dynamic_accelerate(Stepper *t, double time);
Status stepper_dynamic_start(Stepper *t);
DynamicArgs stepper_dynamic_args(const Stepper *t);
/* Of K, M and C in the matrix of a step. */
void stepper_dynamic_factors(const Stepper *t, double factor[3]);
/* The error of the trial whose increments are d and known. */
Status stepper_dynamic_judge(Stepper *t, DynamicArgs args, Trial *trial, StepReport *report);

/* One-sided differences of values at thirds of a step: exact for cubic motions, and for straight ones to rounding. */
enum { STEP_POINTS = 4 };
extern const double stepper_velocity[STEP_POINTS], stepper_acceleration[STEP_POINTS];

/* ---- stepper_turning.c: unknowns that others turn; where there are none, nothing ---- */
/* Velocity and acceleration at the time reached of unknowns that go on straight for so long, of supports and of what follows them. */
Status stepper_turning_start(Stepper *t, double step);
/* u is that of a time everywhere. */
Status stepper_turning_at(Stepper *t, double time);
/* force, where groups are, becomes what heavy, slow and stiff leave of inertia and dampers, less the share of force_old. */
Status stepper_turning_bear(Stepper *t, double share, double *force);
/* force_old of the F last asked for. */
Status stepper_turning_old(Stepper *t, const double **force);

/* ---- stepper_nonlinear.c: what Newton, resident and stages share ---- */
Status nonlinear_create(Stepper *t);
Status nonlinear_start(Stepper *t);
/* The sum of the lumped mass; the clock at the start, with finite values there. */
Status nonlinear_volume(Stepper *t);
Status nonlinear_start_clock(Stepper *t);
int nonlinear_history(const Stepper *t, double **vector);
/* The share of the last change by which q is expected to go on. */
double nonlinear_lead(const Stepper *t);
void nonlinear_clock(const Stepper *t, EvolutionClock *clock);
/* How many steps of a fixed run the Exec can do on its own, and in s where they end: their factors are the same, as those of so
 * many steps before, and none but the last ends at a time that must be hit, or, if it is watched, that is more than a sample. */
int64_t nonlinear_count_steps(const Stepper *t, int64_t max_steps, int32_t before, EvolutionScalars *s);
/* The scalars of the next trial in t->host, to the Exec. */
Status nonlinear_begin(Stepper *t, int64_t max_steps);
/* Arguments of a launch that belongs to a phase, and the stage for functions of the problem in it. */
EvolutionArgs nonlinear_args(const Stepper *t, EvolutionPhase phase);
Stage nonlinear_stage(const Stepper *t, EvolutionPhase phase);
/* The step is accepted on the Exec: its values become those before the next one. */
Status nonlinear_accept(const Stepper *t);
/* Residual that ends Newton's method, relative to the reference. */
double nonlinear_goal(const Stepper *t);
double nonlinear_error(const Stepper *t);
/* Error of the trial over what is allowed. */
double nonlinear_ratio(const Stepper *t);
/* Into the unit of u, relative to the reference, from a root of a sum over the nodes. */
double nonlinear_unit(const Stepper *t);
/* ---- stepper_chebyshev.c: resident: K'', its bounds, and how many products a linear solve has; then the numbers of
 * one step length ---- */
Status chebyshev_create(Stepper *t);
Status chebyshev_numbers(Stepper *t);
Status chebyshev_renew(Stepper *t); /* of other values of K */
/* K'' alone, by this mass (NULL: the problem's; t->slope may be it), for the longest step; then a bound of the largest eigenvalue of M^(-1) K, per time. */
Status chebyshev_matrix(Stepper *t, const double *mass);
Status chebyshev_stiffness(Stepper *t, const double *mass); /* the same again, of other values of K */
Status chebyshev_stiffest(Stepper *t, double *rate);
/* ---- stepper_resident.c ---- */
/* The semi-steps behind the first iterate, as many as this solve has. */
Status resident_record_semi(Stepper *t);
Status resident_record_lag(Stepper *t, const EvolutionArgs *args);
