/* Steps of a Problem (solver/time/problem.h) on an Exec: load steps of a static one, or steps in time by a scheme of
 * schemes.def, fixed or adaptive (solver/time/step_control.h). One frame (stepper.c) asks the clock for a step, has it
 * tried, and accepts it, tries a shorter one, or gives up; how a step is tried depends on the problem:
 *   static     Newton's method from the last solution with the values prescribed for the new load (stepper_static.c)
 *   linear     increment by conjugate gradients from an extrapolation (stepper_linear.c)
 *   dynamic    second order: generalised-alpha, increment by conjugate gradients (stepper_dynamic.c)
 *   motion     the same of a problem that is not linear, by Newton's method (stepper_motion.c)
 *   own        the problem steps itself (stepper_own.c)
 *   Newton     residual and tangent assembled, the host reads one struct per Newton step (stepper_newton.c)
 *   resident   nodal problems: a step, or many, is one loop on the Exec (stepper_resident.c)
 *   stages     nodal problems whose states go first, explicitly: many steps are one loop on the Exec (stepper_stages.c)
 * Nothing is allocated after the first step. Equations: docs/theory/diffusion.md and evolution.md. */
#pragma once
#include "solver/time/step_control.h"
#include "solver/time/newton.h"
#include "solver/time/functional.h"
#include "solver/time/scheme.h"

/* Of a problem of second order. */
typedef struct DynamicParams {
  double rho_infinity; /* spectral radius at the highest frequencies: 1 keeps all, 0 drops them in one step */
  bool by_hht; /* Hilber, Hughes and Taylor's method (Earthquake Eng. Struct. Dyn. 5, 1977, 283-292) in its place: */
  double hht;  /* their alpha, -1/3 to 0 */
  double mass, stiffness; /* Rayleigh's alpha and beta: C = alpha M + beta K */
  const double *velocity; /* [n] on the Exec, at the start, supports left out; NULL: 0. Borrowed until stepper_start */
} DynamicParams;

typedef struct StepperParams {
  DynamicParams dynamic;
  const TimeScheme *scheme;  /* NULL: static, control.time is what loads depend on */
  StepControlParams control; /* order and budget are filled in from the scheme; edges of pulses are added. Static and
                                adaptive: steps grow where Newton's method converges quickly; no tolerance */
  int32_t n_pulse;
  const EvolutionPulse *pulse; /* borrowed during create */
  int32_t n_followed;          /* the last of them: steps do not end at their edges */
  double
      reference; /* what tolerances are relative to: of u (linear, 0: the largest seen so far of the spread of u and of
                       the change of its mean, which does not depend on where the scale has its zero; other problems in
                       time, > 0), or of the residual (static, 0: the largest at a first guess so far) */
  double rtol;   /* static: of |R| against the first guess of the step. Newton and resident: of a step's equation,
                  |M^-1 r| / (mass reference) weighted by mass, which bounds the error of u. Linear: the solver's
                  counts. 0: 1e-8 */
  double atol;   /* static: of |R| against the reference; 0: 1e-12 */
  double share; /* adaptive, nonlinear in time: solves no further than share tolerance, where that is more than rtol; 0:
                   1e-5, negative: rtol alone */
  int32_t max_newton; /* 0: 12 in time, else 25 */
  bool line_search;   /* of Newton's method; static: by the work of the residual too */
  NewtonWatch watch;  /* static: of Newton's method */
  int32_t
      hold; /* static: steps change so little that a hierarchy serves so many while it is good enough, and guesses are near
                         (NewtonParams); 0: one */
  int32_t
      predictor; /* static: degree of the polynomial through the last solutions, and at first what the tangent says; 0:
                         the last solution. Nonlinear in time: degree of the extrapolation that is the first guess, up to 4; 0: chosen by
                        rtol, negative: none */
  int32_t smoothing; /* schemes that ring: backward Euler steps at the start and after edges, so that jumps do not ring;
                        0: 2, negative: none */
  int32_t inner;     /* resident: most products of a linear solve; 0: chosen from the spectrum and the longest step */
  Precision inner_precision; /* resident: of the matrix in it; 0: half on a GPU where the format knows it, else float */
  bool
      *too_stiff; /* stages: whether it fails since a step needs more of them than there is room for; NULL: not asked */
  double bound_factor; /* resident: times the estimate of the spectrum's end; 0: 1.05 (tests make it too small) */
} StepperParams;

/* One call of stepper_step. */
typedef struct StepReport {
  double time, dt;          /* reached; of the last step */
  int64_t steps;            /* accepted in this call: 1, or more in a fixed run of a nodal problem */
  double error;             /* of the last step relative to the reference, NaN when history was too short to know */
  double residual;          /* of the last step, as rtol counts it, by a true product; static: |R| */
  int32_t rejected, failed; /* trials before it: error too large; Newton's method failed */
  int64_t newton;           /* Newton steps of all trials, */
  int32_t cuts, rebuilt;    /* shortened trials of line searches; matrices built again of a linear problem */
  LinearReport linear; /* of the last linear solve; iterations, products, restarts and seconds of all trials. Products
                               are those with any matrix in any precision; resident: iterations of Chebyshev */
  double assembly_seconds; /* static */
  bool indefinite;         /* static: some trial met a matrix that is not positive definite */
} StepReport;

typedef struct Stepper Stepper;
/* `a` is the matrix that `solver` was created with; both, and what the problem points to, are borrowed and outlive it;
 * NULL for a nodal problem. With Newton's method in time the solver's rtol is overwritten. Allocates all workspaces.
 * ERR_INPUT: parameters, a fixed step beyond stepper_bound (in an adaptive run the longest step is cut to it, with a
 * warning). */
Status stepper_create(Exec *exec, const Problem *problem, const StepperParams *params, Mat *a, LinearSolver *solver,
                      Stepper **out);
void stepper_destroy(Stepper **stepper);
/* Steps of a nonlinear problem must be shorter than this for a positive definite matrix: 1 / max_slope, that of
 * backward Euler, which also other schemes begin with at the start and after edges. HUGE_VAL: any. */
double stepper_bound(double max_slope);
/* u holds the initial values; those prescribed at the start are written into it. It stays the caller's and the same
 * memory. */
Status stepper_start(Stepper *stepper, double *u);
bool stepper_done(const Stepper *stepper);
/* Whether the next step needs nothing but what a checkpoint has, bit by bit (StepperParams.hold); and from now on it does not. */
bool stepper_is_anew(const Stepper *stepper);
void stepper_begin_anew(Stepper *stepper);
/* The time reached is the end of the run. */
void stepper_stop(Stepper *stepper);
/* Goes on by one accepted step; in a fixed run of a nodal problem by at most max_steps (0: 1; 64 are a loop), but
 * not beyond the next time to be hit, or, if it is watched, the next one that is more than a sample. u holds the new solution then; after an error that of the last accepted step
 * (not where a linear static problem has none). ERR_NUMERIC as step_control's, or where a linear solver fails for
 * good. */
Status stepper_step(Stepper *stepper, int64_t max_steps, StepReport *report);
/* Between load steps, or steps of motion that is not linear: the equation has another pattern now, and this matrix and solver. Without them, before both go: what was made
 * with them is released. */
Status stepper_renew(Stepper *stepper, Mat *a, LinearSolver *solver);
/* Between steps of a nodal problem: its stiffness has other values now, and what was found from them is found again. A run that is
 * restored has those that it had then before it goes on. ERR_INPUT: steps need more explicit stages than there may be. */
Status stepper_stiffness(Stepper *stepper);
/* What steps have accepted: the solution, of which u is a copy that a trial changes, and what belongs to it; how many. */
enum { STEPPER_KEPT = 13 };
int stepper_vectors(const Stepper *stepper, double **vector);
/* Where Newton's method begins in the next load step: beyond the last solution by `factor` of what it is from the one before; 0: at the
 * last, as where the prescribed path turns. */
Status stepper_line(Stepper *stepper, double *factor);
/* Samples of a run in steps: loops on the Exec take them and do not end there (step_control_at_sample); a step that goes
 * wrong has none. */
typedef struct StepWatch {
  void *context;
  int64_t n;    /* numbers of a sample */
  int64_t room; /* samples of a loop; 0: as many as it has steps */
  /* Records what writes the numbers of now, after a step, into the ring. */
  Status (*record)(void *context, const FunctionalRing *ring, double *value);
} StepWatch;
/* Whether the method of steps can, which it does from the next step on. */
bool stepper_can_watch(const Stepper *stepper);
Status stepper_watch(Stepper *stepper, const StepWatch *watch);
/* Those of the last stepper_step, also of one that failed. */
typedef struct StepSamples {
  int64_t n;
  const double *time;  /* [n] */
  const double *value; /* on the Exec, [n][StepWatch.n] */
} StepSamples;
StepSamples stepper_samples(const Stepper *stepper);
/* What loops have recorded is void: the next one is recorded anew. */
void stepper_forget(Stepper *stepper);
const StepControl *stepper_control(const Stepper *stepper);
const EvolutionClock *stepper_clock(const Stepper *stepper); /* on the Exec */
/* Explicit stages of a step of full length; how many rows have a larger mass than the problem's, over all ranks, and the sum of
 * what they have more over all mass. n 0: the scheme has no stages. */
typedef struct StepStages {
  int32_t n;
  int64_t n_raised;
  double added;
  bool stays; /* on a GPU in one kernel, where launches that have nothing to do cost nothing */
} StepStages;
StepStages stepper_stages(const Stepper *stepper);
/* du/dt at the time reached of a linear problem, from the last increments, for reactions: the difference that backward
 * Euler and BDF2 put into the equation, so that theirs balance exactly; for other schemes of second order that of BDF2.
 * After the first step. */
Status stepper_rate(Stepper *stepper, double *rate);
/* v += the velocity, a += the acceleration (NULL: not asked for) of what moves by constrain(), at the beginning of a step, or at
 * its end where it is negative; work[n]: room. */
Status stepper_support_motion(Exec *exec, const Problem *problem, double time, double step, double *work, double *v,
                              double *a);
/* Of a problem of second order at the time reached, on the Exec; views. */
void stepper_motion(const Stepper *stepper, const double **velocity, const double **acceleration);
/* Of one that is not linear: kinetic energy now, and since the start what loads and supports have done, what dampers
 * have taken, and what was done to the material; of kinetic energy what is there by velocities with which later spans began. */
typedef struct StepEnergies {
  double kinetic, external, dissipated, internal, given;
} StepEnergies;
Status stepper_energies(Stepper *stepper, StepEnergies *out);
/* Of a motion that is not linear, asked in StaticPart.choose: what M, C(stiff) act on in a step that ends at u, on the Exec until the next
 * such step is looked at, and the share of the forces of its end; held: what obstacles hold has the rates of these, as in the residual. */
typedef struct StepRates {
  const double *heavy, *slow, *stiff; /* slow NULL: there is no C; all: at rest yet */
  double share;
} StepRates;
Status stepper_trial_rates(Stepper *stepper, const double *u, bool held, StepRates *out);
/* Of a problem at rest, which knows what was done in its steps, by loads as by stress: adds that to what checkpoints keep, and gives the
 * sum. */
double stepper_work(Stepper *stepper, double more);
/* All that influences later bits: u, history, step control, states of the problem. Host memory of stepper_state_bytes,
 * saved after stepper_start. A run created the same way goes on from it with the same bits; restoring stands for
 * stepper_start. ERR_RESTART when it was saved by a run of another size, kind or scheme.
 * Of several ranks it is that of all, whose unknowns lie one behind the other, so that any number of ranks goes on with
 * it: saved to rank 0, elsewhere host may be NULL, and restored from the same bytes on each. Collective. */
int64_t stepper_state_bytes(const Stepper *stepper);
Status stepper_save(Stepper *stepper, void *host);
Status stepper_restore(Stepper *stepper, double *u, const void *host);
/* u and the states of the problem from what another run has saved, whatever its scheme and times; then as stepper_start. */
Status stepper_take_over(Stepper *stepper, double *u, const void *host, int64_t n_byte);
/* A static problem at full load: create, start, one load step from 0 to 1, destroy. */
Status stepper_solve(Exec *exec, const Problem *problem, double rtol, Mat *a, LinearSolver *solver, double *u,
                     StepReport *report);
