/* What a physics gives to the solver, whether it is static, linear or nonlinear in time: the parts of
 *   M du/dt + K u = F(u, s, t) + f(t) + M I(t),   ds/dt = g(u, s),   u = prescribed values where `fixed`,
 * of which any may be missing; a static problem is 0 = F(u, t). solver/time/stepper.h puts them into the equation of
 * a step and solves it. A scheme changes factors only: whatever stage it takes the parts at, a problem is asked for
 * theta F and for the matrix mass M + theta (K - dF/du), so a problem knows nothing of schemes. A problem of second order
 * is M d2u/dt2 + (alpha M + beta K + C) du/dt = F(u, t), with -K u and the loads in F. Vectors are
 * double[n] on the Exec.
 * What the stepper does follows from the parts that are given; a part that is left out is zero:
 *   static       (no scheme)  Newton's method at each load step; F holds the loads of its time (StaticPart, MultiplierPart)
 *   linear       F is missing: one linear solve a step, the matrix is made again only when its factors change
 *   reaction     nonlinear, of first order: Newton's method with an assembled tangent (ReactionPart) or,
 *   nodal        where M is lumped, or in part (`consistent`), F_i and s depend on u_i alone, and all functions only record: whole
 *                steps stay on the Exec, nothing is assembled (docs/theory/evolution.md)
 *   motion       of second order: generalised-alpha (MotionPart). Linear F: one linear solve a step, M and K in products with
 *                vectors alone; else Newton's method
 *   own          the problem steps itself, exactly (states.advance), such as by its modes: no matrix, fixed steps */
#pragma once
#include "solver/time/evolution_clock.h"
#include "solver/krylov/linear.h"

/* The step, or the part of it, that something is asked for. */
typedef struct Stage {
  double time, target, dt;     /* the step leads from time to target; F and f are those of target */
  double theta, mass;          /* of K - dF/du and of M; 1 and 0 where the problem is static */
  double viscous;              /* of C, of second order */
  const EvolutionClock *clock; /* these and more on the Exec, theta and mass first; NULL: static */
  /* On the Exec: kernels do nothing while it is 0; NULL: they run. A nodal problem's functions are recorded for all
   * steps to come: for them the numbers above are NaN, and clock is all. */
  const int32_t *when;
  bool again; /* of a tangent: u and states are those of the last one, and factors of the border alone are others */
} Stage;

/* States of the problem beside u: how they follow u, and how a checkpoint keeps them. */
typedef struct StatePart {
  /* Own: the states of the problem at the start become those of time, then those of target. u is not written. */
  Status (*begin)(void *context, double time);
  Status (*advance)(void *context, const Stage *stage);
  /* A trial begins at before = u_n with these currents: the states of the step follow from them, and r of `force` is F of the
   * whole step, the part 1 - theta included. NULL: states are eliminated, or there are none. Only with a scheme whose
   * states go first. */
  Status (*first)(void *context, const Stage *stage, const double *before, const double *current);
  /* states for checkpoints, so many bytes of host memory; NULL: there are none. Of several ranks they are those of all, in
   * the order that they have alone: saved to rank 0, elsewhere host is NULL; restored from the same bytes on each. */
  int64_t bytes;
  Status (*save)(void *context, void *host);
  Status (*restore)(void *context, const void *host);
  /* The first of those bytes are what another run may begin with (stepper_take_over), and all that `take` looks at; the rest,
   * such as maps, may be of another length there. NULL and 0: nothing may. */
  int64_t taken_bytes;
  Status (*take)(void *context, const void *host);
} StatePart;

/* Unknowns that follow others along bent paths, as those of rigid groups that turn: u = U(q, t), of which T = dU/dq changes. Vectors of
 * a motion hold them too, and where these groups are M x and C v of `inertia_everywhere` and its like are those of all unknowns. */
typedef struct TurningPart {
  Status (*rotate)(void *context, double time, double *u);       /* u = U; NULL: there are none */
  Status (*along)(void *context, double *d);                     /* d = T d, as of the u last asked for; */
  Status (*reduce)(void *context, double *r);                    /* and r = T^T r, 0 where they depend */
  Status (*take)(void *context, const double *from, double *to); /* to = from at all unknowns of such groups */
} TurningPart;

/* Unknowns that are held from one step to the next or are let go, by StaticPart.choose, as those of nodes that meet an obstacle.
 * They go with it at once: rates and forces of inertia are those of unknowns that move as it does. */
typedef struct ImpactPart {
  /* v = so much of the obstacle's velocity and acceleration where u is held so; NULL: nothing is */
  Status (*stop)(void *context, double velocity, double acceleration, double *v);
  /* Accelerations of the end are those of unknowns that go along an obstacle with v, which has been stopped. NULL: obstacles are flat */
  Status (*bend)(void *context, const double *v);
  /* r += share of what inertia and dampers left at the end of the last step where u was held then: forces of both ends keep unknowns on an
   * obstacle, by directions that change (stepper_turning.c has the same of bent paths), and of what is let go they say how it was held.
   * NULL: directions stay, and nothing rubs. */
  Status (*bear)(void *context, double share, double *r);
  /* Of a step that has been accepted, whose way is d: what loads and supports are said to have done, and what is dissipated, gets what
   * friction does and pushes of `hit`. NULL: neither is there. */
  Status (*rub)(void *context, const double *d, double *work, double *dissipated);
  /* r += what unknowns that have come to follow others in this step push these by, as they lose their own velocity; first: none has yet.
   * With `rub`. */
  Status (*hit)(void *context, bool first, double *r);
  /* Kinetic energy that is lost, what obstacles have done, and what the material has taken of that: v is that of the end, `before` of the
   * beginning of a step. */
  Status (*lost)(void *context, const double *before, const double *v, double *energy, double *work, double *internal);
} ImpactPart;

/* A problem of second order. */
typedef struct MotionPart {
  /* r = -M x, zero where fixed; and v = 0 where fixed. x is that of all ranks' rows. */
  Status (*inertia)(void *context, const double *x, double *r);
  Status (*free_only)(void *context, double *v);
  /* r = -C(u) v, zero where fixed, C of a linear problem the same at every u; NULL: there is no C. */
  Status (*viscous)(void *context, const double *u, const double *v, double *r);
  /* For energies of a problem that is not linear, which `internal` asks for (NULL: nobody does): r = what the material alone
   * has in F, -M x and -C(u) v, also where fixed. */
  Status (*internal)(void *context, const double *u, double *r);
  Status (*inertia_everywhere)(void *context, const double *x, double *r);
  Status (*viscous_everywhere)(void *context, const double *u, const double *v, double *r);
  TurningPart turning; /* these not of a linear problem */
  ImpactPart impact;
  /* A span of motion begins behind `time`: what depends on others from here on is another, and u and v of what no longer does are given
   * first. NULL: it stays */
  Status (*renew)(void *context, double time, double *u, double *v);
} MotionPart;

/* A nonlinear problem of first order. */
typedef struct ReactionPart {
  bool nodal;
  const double *lumped; /* lumped mass, > 0 where not fixed: M of a nodal problem, weights of norms in others */
  double consistent;    /* nodal: share of the problem's `mass`, then consistent, in M; the rest is lumped */
  double max_slope; /* largest eigenvalue of M^-1 dF/du, s eliminated, that a sound solution can have, per time; >= 0 */
  /* current[i] = I_i of the step, per time, where it may be other than 0; switches[n_pulse] says which pulses are on.
   * NULL: none */
  Status (*current)(void *context, const Stage *stage, const double *switches, double *current);
  /* [n] on the Exec, added to those of `current`, but not for `states.first`: what a step is known to have before it begins, as
   * another problem that follows u gives it, over `lumped` whatever part of M is consistent. Whoever writes it takes steps one by one. NULL: none */
  const double *known;
  /* Explicit stages: recorded behind each step, which is then over: what follows u and is there before the next step begins. Where it
   * fails *stop, on the Exec, becomes `end` if it is 0: the loop ends with that step. NULL: nothing */
  Status (*follow)(void *context, int32_t *stop, int32_t end);
  /* What `states.first` leaves of a nodal problem, on the Exec, [n]: F/M of the whole step on its line, line + line_slope u, with
   * line_slope = d(F/M)/du, where theta is 1; NULL: `force` tells. */
  const double *line, *line_slope;
  /* Explicit stages: [n] on the host, 1 where the lumped mass may be made larger, a little of all of it, since the matrix is stiff
   * there for no reason but poor elements; NULL: nowhere. Borrowed during create */
  const uint8_t *poor;
  double decay; /* explicit stages: the largest -dF/du / M that they resolve beside the stiffness, per time;
                                  * faster ones are clamped */
  const struct Activation *maps; /* explicit stages: maps that follow u in place of `commit`; NULL: none */
} ReactionPart;

/* What a nonlinear static problem may add. */
typedef struct StaticPart {
  /* What |r| of the last force is measured against, such as external forces and reactions; NULL: |r| at the first guess. */
  Status (*scale)(void *context, double *scale);
  /* How much more a converged step does than it may, from before to u; above 1 an adaptive run makes it shorter. NULL: never. */
  Status (*judge)(void *context, const Stage *stage, const double *u, const double *before, double *ratio);
  /* Which unknowns F and the tangent prescribe follows from u, as of what touches: u and those change where they do not fit each
   * other, until *changed is false; a residual that is small does for a look, and only then the method has converged: its length, 0 where
   * it is as small as it will be. NULL: they stay. */
  Status (*choose)(void *context, const Stage *stage, double residual, double *u, bool *changed);
  /* Where Newton's method fails, F and the tangent become those of an easier problem, of n_ease ones the k-th and at k = 0
   * again the problem itself; the smaller k, the nearer to it, so that each solution is a first guess for the next. */
  int32_t n_ease;
  Status (*ease)(void *context, int32_t k);
  /* Factors that are unknown, of vectors that F has, F = F_0 + sum factor_k g_k, each with a constraint whose
   * derivative is g_k, such as pressures in cavities with their volumes; n_border 0: there are none. F and the tangent are
   * those of the factors that are in the array, host [n_border], which belongs to the problem and is written by the solver.
   * The tangent without them has to be positive definite, that with them only where no constraint changes. Needs `scale`. */
  int32_t n_border;
  double *factor;
  /* g[k] (NULL: not asked for) at u, 0 where fixed; gap[k]: what is missing of the constraint there, over size[k]. Of constraints that give
   * way to factors slope[n_border][n_border] is -dgap/dfactor, symmetric and positive semidefinite; in: 0. Asked for with g. */
  Status (*border)(void *context, const Stage *stage, const double *u, double *const *g, double *gap, double *size,
                   double *slope);
} StaticPart;

/* A static problem whose F and tangent hold multipliers fixed, which follow u. */
typedef struct MultiplierPart {
  int64_t n;
  double *value; /* [n] on the Exec, written by the solver too */
  /* Sets those that a step starts from: of solutions at[n], the last one first, times these weights. NULL: they stay. */
  Status (*begin)(void *context, int n, const double *const *at, const double *weight);
  /* Updates them at u, once in each Newton step. NULL: there are none, or the linear solve eliminates them. */
  Status (*update)(void *context, const double *u);
  /* Brings m nearer to those of x, and change[n of u] is what F changes by, with `everywhere` where u is fixed too; repeated with
   * the tangent until F is 0 (outer.h). Of a linear problem x is u, and m are its multipliers; else both are increments,
   * and `measure_lag` comes before, with the tangent at u. NULL: the tangent is all. */
  Status (*eliminate)(void *context, const double *x, double *m, bool everywhere, double *change);
  /* lag[n] is how far multipliers are ahead of those of u. */
  Status (*measure_lag)(void *context, const double *u, double *lag);
  /* change[n] is what F changes by along x beyond what the tangent says, at the u of the last `measure_lag`: of a tangent that is symmetric
   * where the derivative is not. With `eliminate`. NULL: nothing. */
  Status (*beyond)(void *context, const double *x, double *change);
  /* F is at its goal at u; are multipliers still so far from those of u that F is wrong, although it does not show where u
   * is free? *again: they were, and F and the tangent are others from now on. NULL: they never are. */
  Status (*agree)(void *context, const double *u, double goal, bool *again);
} MultiplierPart;

typedef struct Problem {
  void *context;
  int64_t n;
  bool linear, load_varies, constraint_varies; /* f, prescribed values depend on time */
  const uint8_t *fixed;                        /* [n] on the Exec: 1 where u is prescribed; NULL: nowhere */
  const Mat *stiffness, *mass; /* K, M in double, nothing eliminated, natural numbering; NULL: there is none */
  /* f(t) of a linear problem of first order; NULL: 0. */
  Status (*load)(void *context, double time, double *f);
  /* u = its prescribed values at a time, the rest stays; NULL: u keeps those that it has. */
  Status (*constrain)(void *context, double time, double *u);
  /* r = theta F(u, s(u)); slope = -theta dF/du of a nodal problem, else NULL. Static: r = 0 where fixed. ERR_NUMERIC
   * or a result that is not finite: u is not a state that the problem can be in, and the step is cut. */
  Status (*force)(void *context, const Stage *stage, const double *u, double *r, double *slope);
  /* a <- mass M + theta (K - dF/du) + viscous C at the u of the last force, fixed unknowns eliminated. */
  Status (*tangent)(void *context, const Stage *stage, const double *u, Mat *a);
  /* The step is accepted: states and their history go on to s(u). The last force of a static problem was that at u. Until
   * then nothing of the problem may have changed, so that a rejected step needs no undoing. Maps can be updated here: u at target, before at time. NULL:
   * nothing to do */
  Status (*commit)(void *context, const Stage *stage, const double *u, const double *before);
  /* A strict bound of the spectrum of the tangent of this stage, scaled by its diagonal or diagonal blocks
   * (linear_set_bound); stage NULL: of any mass M + theta K, neither factor negative. NULL: there is none. Asked for
   * where the preconditioner looks at it. */
  Status (*bound)(void *context, const Stage *stage, bool blocks, double *bound);
  StatePart states;
  MotionPart motion;
  ReactionPart reaction;
  StaticPart statics;
  MultiplierPart multipliers;
} Problem;
