/* Nodal problems: a whole step, or several, as one loop on the Exec. Its turns are Newton steps; what belongs to the beginning
 * or the end of a step does nothing in the other turns. The linear solve is Chebyshev's iteration (Saad, Iterative Methods,
 * section 12.3) on the matrix scaled by its diagonal P, of fixed length and so without sums, in float; what it leaves over
 * is the residual of the next Newton step but for the curvature of the reaction, which is known node by node. Only the residual
 * that lets a step stand is formed anew by a product in double.
 *
 * Bounds: with shift_i >= s and G the largest (theta/m) K'_ii the eigenvalues of P^-1 (shift + (theta/m) K') lie in
 *   [s / (s + G), (s + c G) / (s + G)],
 * c the largest row sum of |K_ij| / K_ii, because 0 <= K <= c diag(K). s follows from the steepest reaction.
 *
 * Bytes of a step with N Newton steps of k products, K' = bytes of K in float, n nodes:
 *   first guess 80 n, residual 2 (88 n) + N 76 n, N k (K' + 8 n, and 36 n for the vectors), K in double and 16 n, the end 120 n,
 * and the problem's reaction N + 1 times. */
#include "core/memory.h"
#include "solver/evolution_private.h"
#include "solver/rows.h"

#include <math.h>

/* What a linear solve reduces its residual to: about what Newton's method gains in a step after a good first guess. */
static const double REDUCTION = 3e-3;
/* The interval is at least this wide, relative to its middle. */
static const double NARROWEST = 0.02;

typedef struct Interval {
  double low, high;
} Interval;

static Interval interval_of(const Evolution *e, double theta, double mass) {
  const double steep = 1 - theta * e->problem.steepest / mass;
  const double s = fmax(steep, EVOLUTION_LEAST_SHIFT), G = theta / mass * e->stiffest;
  Interval i = {s / (s + G), (s + fmax(1, e->off_diagonal) * G) / (s + G)};
  const double least = NARROWEST * 0.5 * (i.low + i.high);
  if (i.high - i.low < 2 * least) i = (Interval){i.low - least, i.high + least};
  return i;
}

/* Products until the residual is REDUCTION of what it was: 1 / T_k((high + low) / (high - low)). */
static int32_t products_for(Interval i) {
  const double k = acosh(1 / REDUCTION) / acosh((i.high + i.low) / (i.high - i.low));
  return k < 1 ? 1 : k < EVOLUTION_INNER ? (int32_t)ceil(k) : EVOLUTION_INNER;
}

void evolution_inner_numbers(Evolution *e) {
  EvolutionScalars *s = &e->host;
  const Interval i = interval_of(e, s->clock.theta, s->clock.mass);
  const int32_t wanted = products_for(i);
  s->n_inner = wanted < e->params.inner ? wanted : e->params.inner;
  const double middle = 0.5 * (i.high + i.low), half = 0.5 * (i.high - i.low);
  double last = half / middle;
  s->a[0] = 0;
  s->b[0] = (float)(1 / middle);
  for (int32_t k = 1; k < s->n_inner; ++k) {
    const double now = 1 / (2 * middle / half - last);
    s->a[k] = (float)(now * last);
    s->b[k] = (float)(2 * now / half);
    last = now;
  }
}

/* Largest K'_ii and row sum, on the host once. */
static Status find_bounds(Evolution *e) {
  double *sum = NULL, *diagonal = NULL, *mass = NULL;
  uint8_t *fixed = NULL;
  const size_t bytes = (size_t)e->n * sizeof(double);
  Status status;
  ALLOC_DONE(sum, e->n, "bounds of the stiffness");
  ALLOC_DONE(diagonal, e->n, "bounds of the stiffness");
  ALLOC_DONE(mass, e->n, "bounds of the stiffness");
  ALLOC_DONE(fixed, e->n, "bounds of the stiffness");
  TRY_DONE(mat_product(e->problem.stiffness, MAT_ABS, &(ProductArgs){.w = e->Ku}));
  TRY_DONE(exec_download(e->exec, sum, e->Ku, bytes));
  TRY_DONE(mat_diagonal(e->problem.stiffness, e->Ku));
  TRY_DONE(exec_download(e->exec, diagonal, e->Ku, bytes));
  TRY_DONE(exec_download(e->exec, mass, e->problem.mass, bytes));
  if (e->problem.fixed) TRY_DONE(exec_download(e->exec, fixed, e->problem.fixed, (size_t)e->n));
  for (int64_t i = 0; i < e->n; ++i) {
    if (fixed[i] || diagonal[i] == 0) continue;
    if (!(mass[i] > 0) || !(diagonal[i] > 0)) {
      status = FAIL(ERR_NUMERIC, "row %lld has lumped mass %g and stiffness %g, both must be > 0", (long long)i, mass[i],
                    diagonal[i]);
      goto done;
    }
    e->stiffest = fmax(e->stiffest, diagonal[i] / mass[i]);
    e->off_diagonal = fmax(e->off_diagonal, sum[i] / diagonal[i]);
  }
done:
  FREE(sum);
  FREE(diagonal);
  FREE(mass);
  FREE(fixed);
  return status;
}

/* The longest step that a run can take. */
static double longest_step(const Evolution *e) {
  const StepControlParams *c = &e->params.control;
  return c->adaptive ? c->max : c->step;
}

Status evolution_nodal_create(Evolution *e) {
  float **small[] = {&e->rho, &e->shift, &e->y, &e->d, &e->Kd, &e->K_diagonal};
  for (size_t k = 0; k < sizeof small / sizeof *small; ++k) {
    EXEC_ALLOC(e->exec, *small[k], e->n, "work space of a linear solve");
    TRY(exec_zero(e->exec, *small[k], (size_t)e->n * sizeof(float)));
  }
  TRY(mat_create_like(e->problem.stiffness, PRECISION_FLOAT, &e->scaled));
  EvolutionArgs args = evolution_args(e, EVOLUTION_START);
  args.v = e->Ku;
  TRY(exec_rows(e->exec, &evolution_scale_kernel, &args, e->n));
  TRY(mat_scale(e->problem.stiffness, e->Ku, e->scaled));
  TRY(mat_product(e->scaled, MAT_DIAGONAL, &(ProductArgs){.w = e->K_diagonal}));
  TRY(find_bounds(e));
  if (e->params.inner == 0) e->params.inner = products_for(interval_of(e, 1, 1 / longest_step(e)));
  return OK;
}

static Status record_source(Evolution *e, EvolutionPhase phase) {
  const EvolutionArgs args = evolution_args(e, phase);
  const EvolutionProblem *p = &e->problem;
  TRY(p->reaction(p->context, &e->scalars->clock, args.when, e->u, e->R, e->diagonal));
  return exec_rows(e->exec, &evolution_residual_kernel, &args, e->n);
}

static Status record_start(Evolution *e) {
  const EvolutionArgs args = evolution_args(e, EVOLUTION_START);
  const EvolutionProblem *p = &e->problem;
  TRY(exec_rows(e->exec, &evolution_switches_kernel, &args, e->params.n_pulse));
  if (p->current) TRY(p->current(p->context, &e->scalars->clock, args.when, e->switches, e->current));
  TRY(exec_rows(e->exec, &evolution_guess_kernel, &args, e->n));
  return record_source(e, EVOLUTION_START);
}

static Status record_newton(Evolution *e) {
  EvolutionArgs args = evolution_args(e, EVOLUTION_NEWTON);
  for (args.inner = 0; args.inner < e->params.inner; ++args.inner) {
    TRY(mat_product(e->scaled, MAT_APPLY,
                    &(ProductArgs){.v = e->d, .w = e->Kd, .stop = &e->scalars->skip_inner[args.inner]}));
    TRY(exec_rows(e->exec, &evolution_inner_kernel, &args, e->n));
  }
  return record_source(e, EVOLUTION_NEWTON);
}

static Status record_end(Evolution *e) {
  const EvolutionArgs verify = evolution_args(e, EVOLUTION_VERIFY), commit = evolution_args(e, EVOLUTION_COMMIT);
  const EvolutionProblem *p = &e->problem;
  TRY(mat_product(p->stiffness, MAT_APPLY, &(ProductArgs){.v = e->u, .w = e->Ku, .stop = &e->scalars->skip_product}));
  TRY(exec_rows(e->exec, &evolution_residual_kernel, &verify, e->n));
  TRY(p->commit(p->context, &e->scalars->clock, commit.when, e->u, e->before));
  return exec_rows(e->exec, &evolution_accept_kernel, &commit, e->n);
}

static Status record_turn(Exec *exec, void *context) {
  (void)exec;
  Evolution *e = context;
  TRY(record_start(e));
  TRY(record_newton(e));
  return record_end(e);
}

Status evolution_nodal_run(Evolution *e) {
  if (!e->loop) TRY(exec_loop_create(e->exec, record_turn, e, &e->scalars->stop, &e->loop));
  /* a step has at most max_newton turns and one that starts it */
  TRY(exec_loop_run(e->loop, e->host.max_steps * (e->params.max_newton + 2), NULL, NULL));
  TRY(evolution_fetch(e));
  CHECK(e->host.stop != EVOLUTION_GOES_ON, ERR_BUG, "a loop of time steps ended without a reason");
  return OK;
}
