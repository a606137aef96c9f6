/* The linear solve of a nodal problem: Chebyshev's iteration (Saad, Iterative Methods, section 12.3) on
 *   shift + tau K',  tau = theta/m,  K' = M^(-1/2) K M^(-1/2),
 * scaled by its diagonal P. What it needs to know is the interval of the spectrum. With shift >= s it lies in that of
 * 1 + (tau/s) K', scaled likewise: a larger shift only brings Rayleigh quotients nearer to 1. Its upper end is at most
 * the largest sum of |K_ij| in a row over K_ii, and estimated by Lanczos steps, once for each step length of a ladder;
 * a tau between two of them takes the interval of the larger one, which holds its own. Should the estimate be too
 * small, the residual grows, the end is raised and the step tried again.
 * The lower end is 1 / (1 + 2 tau mean K'_ii), but not below the smallest Ritz value: slivers make a few modes far
 * below what matters, which are still reduced, only slower. Products per step, rabbit and patient meshes at 0.5 ms,
 * rtol 1e-8:
 *   lower end   smallest Ritz value (0.30) -, 15.9;  0.19, 0.6: 31, 8.5;  0.29, 0.9: 26, 6.3;  0.40: 34;  0.58: 41
 *   by the largest K'_ii, which is rigorous: 111, 25.7. */
#include "core/comm.h"
#include "core/memory.h"
#include "core/vec.h"
#include "solver/time/stepper_private.h"
#include "solver/time/rows.h"
#include "solver/precond/eigenvalue_bound.h"
#include "algebra/formats/tiled.h"

#include <math.h>
#include <string.h>

enum { STEPS = 24 };
/* What a linear solve reduces its residual to at most: about what Newton's method gains in a step after a good first
 * guess, and what a matrix in half precision can. */
static const double REDUCTION = 3e-3;
/* The upper end over the largest Ritz value. */
static const double ABOVE = 1.05;
/* Most that one Newton step is repeated because slow modes need it. */
static const double PATIENCE = 100;
/* Of the way in logarithms from the estimated lower end to the smallest Ritz value: how far solves are long enough for. */
static const double DEEPER = 0.6;
/* The interval is at least this wide, relative to its middle. */
static const double NARROWEST = 0.02;

static double shift_of(const Stepper *t, double theta, double mass) {
  return fmax(1 - theta * t->problem.reaction.max_slope / mass, evolution_shift_min());
}

/* The rung of the ladder at or above tau. */
static int32_t rung_of(const Stepper *t, double tau) {
  int32_t k = 0;
  while (k + 1 < EVOLUTION_LADDER && tau <= ldexp(t->resident.tau, -(k + 1)) * (1 + 1e-12)) ++k;
  return k;
}

static EvolutionInterval interval_of(const Stepper *t, double tau) {
  EvolutionInterval i = t->resident.interval[rung_of(t, tau)];
  i.high = fmin(i.high * t->memory.raise, fmax(i.high, t->resident.off_diagonal));
  const double least = NARROWEST * 0.5 * (i.low + i.high);
  if (i.high - i.low < 2 * least) i = (EvolutionInterval){i.lowest, i.low - least, i.high + least};
  return i;
}

/* Products until the residual is so much of what it was: 1 / T_k((high + low) / (high - low)). */
static int32_t products_for(EvolutionInterval i, double reduction) {
  const double k = acosh(1 / reduction) / acosh((i.high + i.low) / (i.high - i.low));
  return k < 1 ? 1 : k < EVOLUTION_INNER ? (int32_t)ceil(k) : EVOLUTION_INNER;
}

/* Most products of a linear solve: the lower end learns to lie further down (evolution_learn), where the same reduction takes more of
 * them. A solve that is cut short for want of them is paid for by another Newton step. Newton steps and products a step, rabbit,
 * ten Tusscher at 0.05 ms, rtol 1e-8 (486,940 nodes), Aliev-Panfilov at 0.5 ms (63,885), by DEEPER 0: 3.9, 18.7 and 3.0, 23.5; 0.3:
 * 2.8, 18.2 and 2.4, 23.1; 0.6: 2.4, 18.9 and 2.1, 23.7; 1: 2.1, 19.1 and 2.0, 24.5. */
static int32_t most_products(EvolutionInterval i) {
  if (i.lowest > 0 && i.lowest < i.low) i.low *= pow(i.lowest / i.low, DEEPER);
  return products_for(i, REDUCTION);
}

/* The largest sum of |K_ij| in a row over K_ii, on the host once; `diagonal` is that of K. */
static Status find_row_sum(Stepper *t, const double *diagonal) {
  double *sum = NULL, most = 1;
  Status status;
  ALLOC_DONE(sum, t->n, "bounds of the stiffness");
  TRY_DONE(mat_product(t->problem.stiffness, MAT_ABS, &(ProductArgs){.w = t->Ku}));
  TRY_DONE(exec_download(t->exec, sum, t->Ku, (size_t)t->n * sizeof *sum));
  for (int64_t i = 0; i < t->n; ++i) {
    if (sum[i] == 0) continue;
    if (!(diagonal[i] > 0) || !isfinite(sum[i])) {
      status = FAIL(ERR_NUMERIC, "row %lld of the stiffness has %g on its diagonal, must be > 0",
                    (long long)(mat_first(t->problem.stiffness) + i), diagonal[i]);
      goto done;
    }
    most = fmax(most, sum[i] / diagonal[i]);
  }
  TRY_DONE(comm_most(t->exec->comm, &most));
  t->resident.off_diagonal = most;
done:
  FREE(sum);
  return status;
}

/* What is known of the spectrum without a product: the bound by the rows, and the mean of K'_ii, a sum over all ranks. */
static Status find_bounds(Stepper *t) {
  double *diagonal = NULL, trace;
  Status status;
  ALLOC_DONE(diagonal, t->n, "bounds of the stiffness");
  TRY_DONE(mat_diagonal(t->problem.stiffness, t->Ku));
  TRY_DONE(exec_download(t->exec, diagonal, t->Ku, (size_t)t->n * sizeof *diagonal));
  TRY_DONE(vec_fill(t->exec, t->n, 1, t->force));
  TRY_DONE(vec_dot(t->exec, t->n, t->Ku, t->force, &t->scalars->residual));
  TRY_DONE(exec_download(t->exec, &trace, &t->scalars->residual, sizeof trace));
  t->resident.mean = trace / t->volume;
  status = find_row_sum(t, diagonal);
done:
  FREE(diagonal);
  return status;
}

static Status sum_of(Stepper *t, const RowKernel *kernel, const EvolutionLanczosArgs *args, double *out) {
  TRY(exec_rows(t->exec, kernel, args, t->n));
  return exec_download(t->exec, out, args->sum, sizeof *out);
}

/* Lanczos steps for the spectrum of evolution_rows.h: *n of them. */
static Status lanczos(Stepper *t, double implicit, double ratio, double alpha[STEPS], double beta[STEPS], int32_t *n) {
  double square;
  EvolutionLanczosArgs args = {.v = t->resident.y[0],
                               .before = t->resident.shift,
                               .w = t->resident.rho,
                               .d = t->resident.y[1],
                               .weight = t->resident.weight,
                               .first = mat_first(t->problem.stiffness),
                               .implicit = implicit,
                               .ratio = ratio,
                               .sum = &t->scalars->residual};
  TRY(sum_of(t, &evolution_lanczos_start_kernel, &args, &square));
  const double size = sqrt(square);
  *n = 0;
  for (args.beta = size; *n < STEPS; ++*n) {
    TRY(exec_rows(t->exec, &evolution_lanczos_next_kernel, &args, t->n));
    if (*n == 0) args.beta = 0;
    TRY(mat_apply(t->resident.scaled, t->resident.y[1], t->resident.rho));
    TRY(sum_of(t, &evolution_lanczos_apply_kernel, &args, &alpha[*n]));
    args.alpha = alpha[*n];
    TRY(sum_of(t, &evolution_lanczos_part_kernel, &args, &square));
    args.beta = beta[*n] = sqrt(square);
    if (!(beta[*n] > 1e-5)) break; /* an invariant subspace */
  }
  if (*n < STEPS) *n += 1;
  return OK;
}

/* Ends of the spectrum for tau. */
static Status find_interval(Stepper *t, double tau, EvolutionInterval *out) {
  double alpha[STEPS], beta[STEPS];
  int32_t n;
  TRY(lanczos(t, 1, tau / t->resident.tau, alpha, beta, &n));
  const double factor = t->params.bound_factor > 0 ? t->params.bound_factor : ABOVE;
  out->lowest = tridiagonal_eigenvalue(n, alpha, beta, 0);
  out->low = fmax(out->lowest, 1 / (1 + 2 * tau * t->resident.mean));
  out->high = fmin(factor * tridiagonal_eigenvalue(n, alpha, beta, n - 1), t->resident.off_diagonal);
  if (out->high < out->low) out->high = out->low;
  CHECK(out->lowest > 0 && isfinite(out->high), ERR_NUMERIC,
        "the matrix mass + %g stiffness is not positive definite: its eigenvalues lie between %g and %g", tau,
        out->lowest, out->high);
  return OK;
}

Status chebyshev_stiffest(Stepper *t, double *rate) {
  double alpha[STEPS], beta[STEPS];
  int32_t n;
  TRY(lanczos(t, 0, 1, alpha, beta, &n));
  const double factor = t->params.bound_factor > 0 ? t->params.bound_factor : ABOVE;
  *rate = factor * tridiagonal_eigenvalue(n, alpha, beta, n - 1) / t->resident.tau;
  CHECK(isfinite(*rate), ERR_NUMERIC, "the largest eigenvalue of mass^-1 stiffness is %g", *rate);
  return OK;
}

/* A rung is found when the first step needs it: steps of one length need one. Work space of a linear solve is used. */
static Status rung_find(Stepper *t, int32_t k) {
  EvolutionInterval *interval = &t->resident.interval[k];
  return interval->high > 0 ? OK : find_interval(t, ldexp(t->resident.tau, -k), interval);
}

Status chebyshev_numbers(Stepper *t) {
  EvolutionScalars *s = &t->host;
  const double theta = s->clock.theta, mass = s->clock.mass;
  const double tau = theta / mass / shift_of(t, theta, mass);
  TRY(rung_find(t, rung_of(t, tau)));
  const EvolutionInterval i = interval_of(t, tau);
  const int32_t wanted = most_products(i);
  s->max_inner = wanted < t->params.inner ? wanted : t->params.inner;
  s->interval_high = i.high;
  s->interval_low = i.low;
  s->interval_log_depth = i.lowest > 0 && i.lowest < i.low ? log(i.lowest / i.low) : 0;
  s->interval_stale = 1;
  for (int32_t k = 0; k < EVOLUTION_INNER; ++k) {
    s->skip_inner[k] = 1;
    s->semi[k][2] = theta / mass / t->resident.tau;
  }
  /* what the slowest mode keeps: T_k at it over T_k at 0 */
  const double at = (i.high + i.low - 2 * i.lowest) / (i.high - i.low), k = s->max_inner;
  const double keeps = cosh(k * acosh(fmax(1, at))) / cosh(k * acosh((i.high + i.low) / (i.high - i.low)));
  const double more = keeps < 1 ? log(REDUCTION) / log(keeps) : PATIENCE;
  s->max_newton = (int32_t)ceil(t->params.max_newton * fmin(fmax(more, 1), PATIENCE));
  return OK;
}

/* The longest step that a run can take. */
static double longest_step(const Stepper *t) {
  const StepControlParams *c = &t->params.control;
  return c->adaptive ? c->max : c->step;
}

/* Low precision where they are read faster: on a GPU. */
static Precision precision_of(const Stepper *t) {
  if (t->params.inner_precision) return t->params.inner_precision;
  return !exec_is_host(t->exec) && mat_allows(t->problem.stiffness, PRECISION_HALF) ? PRECISION_HALF : PRECISION_FLOAT;
}

/* K'', which is there, and what belongs to it. */
static Status fill_scaled(Stepper *t) {
  TRY(mat_scale(t->problem.stiffness, t->force, t->resident.scaled));
  return mat_product(t->resident.scaled, MAT_DIAGONAL, &(ProductArgs){.w = t->resident.K_diagonal});
}

static Status find_scale(Stepper *t, const double *mass) {
  EvolutionArgs args = nonlinear_args(t, EVOLUTION_START);
  args.v = t->force;
  if (mass) args.mass = mass;
  args.y[0] = t->resident.scale;
  args.y[1] = t->resident.weight;
  args.stiffest = t->Ku;
  TRY(mat_diagonal(t->problem.stiffness, t->Ku));
  return exec_rows(t->exec, &evolution_scale_kernel, &args, t->n);
}

static Status make_scaled(Stepper *t, const double *mass) {
  TRY(find_scale(t, mass));
  const bool tiled = precision_of(t) == PRECISION_HALF && tiled_allows(t->problem.stiffness);
  TRY(tiled ? tiled_create(t->problem.stiffness, &t->resident.scaled)
            : mat_create_like(t->problem.stiffness, precision_of(t), &t->resident.scaled));
  return fill_scaled(t);
}

Status chebyshev_stiffness(Stepper *t, const double *heavy) {
  TRY(find_scale(t, heavy));
  return fill_scaled(t);
}

Status chebyshev_matrix(Stepper *t, const double *heavy) {
  float **small[] = {&t->resident.rho,   &t->resident.shift,  &t->resident.y[0],      &t->resident.y[1],
                     &t->resident.scale, &t->resident.weight, &t->resident.K_diagonal};
  for (size_t k = 0; k < sizeof small / sizeof *small; ++k) {
    EXEC_ALLOC(t->exec, *small[k], t->n_read, "work space of a linear solve");
    TRY(exec_zero(t->exec, *small[k], (size_t)t->n_read * sizeof(float)));
  }
  const double mass = 1 / longest_step(t); /* backward Euler has the largest tau / s of the schemes */
  t->resident.tau = 1 / mass / shift_of(t, 1, mass);
  return make_scaled(t, heavy);
}

/* The spectrum of K as it is now, and how many products a solve may take. */
static Status find_spectrum(Stepper *t) {
  memset(t->resident.interval, 0, sizeof t->resident.interval);
  TRY(find_bounds(t));
  return rung_find(t, 0);
}

Status chebyshev_create(Stepper *t) {
  t->memory.raise = 1;
  TRY(chebyshev_matrix(t, NULL));
  TRY(find_spectrum(t));
  if (t->params.inner == 0) t->params.inner = most_products(interval_of(t, t->resident.tau));
  return OK;
}

Status chebyshev_renew(Stepper *t) {
  TRY(chebyshev_stiffness(t, NULL));
  TRY(find_spectrum(t));
  const int32_t wanted = most_products(interval_of(t, t->resident.tau));
  if (wanted <= t->params.inner) return OK;
  t->params.inner = wanted;
  exec_loop_destroy(&t->resident.loop);
  return OK;
}
