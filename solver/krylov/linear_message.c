/* What a user reads when the linear solver gives up: the reason, the place, what is likely behind it, what to do. */
#include "core/comm.h"
#include "core/memory.h"
#include "solver/krylov/linear_solver.h"
#include "solver/krylov/rows.h"

#include <math.h>
#include <stdio.h>

typedef enum Search { FIRST_NOT_FINITE, FIRST_NOT_POSITIVE, MOST_NEGATIVE, LARGEST } Search;

/* What a rank has found among its n rows. */
typedef struct Found {
  int64_t n, place;
  double value;
} Found;

/* Of what all ranks have found the one that is looked for; their rows follow each other in the whole, whose row *place
 * becomes. Collective. */
static Status found_of_all(const LinearSolver *s, Search what, int64_t *place, double *value) {
  const int n = comm_size(s->exec->comm);
  const Found mine = {s->pcg.n, renumbered_row(s->a, *place), *value};
  Found *all = NULL;
  int64_t first = 0;
  *place = mine.place;
  if (n == 1) return OK;
  ALLOC(all, n, "the search for the cause");
  const Status status = comm_gather(s->exec->comm, &mine, sizeof mine, all);
  *place = -1;
  for (int r = 0; r < n && status == OK; first += all[r++].n) {
    const double v = all[r].value;
    const bool better = what == MOST_NEGATIVE ? v < *value : what == LARGEST && fabs(v) > fabs(*value);
    if (all[r].place < 0 || (*place >= 0 && !better)) continue;
    *place = first + all[r].place;
    *value = v;
  }
  FREE(all);
  return status;
}

/* The entry looked for in one or the product of two vectors of the Exec, as a row of the whole; -1 when there is none. */
static Status linear_message_search(const LinearSolver *s, Search what, const double *v, const double *w,
                                    int64_t *place, double *value) {
  *place = -1;
  *value = 0;
  const int64_t n = s->pcg.n;
  double *a = NULL, *b = NULL;
  Status status;
  ALLOC_DONE(a, n, "the search for the cause");
  TRY_DONE(exec_download(s->exec, a, v, (size_t)n * sizeof *a));
  if (w) {
    ALLOC_DONE(b, n, "the search for the cause");
    TRY_DONE(exec_download(s->exec, b, w, (size_t)n * sizeof *b));
  }
  for (int64_t i = 0; i < n; ++i) {
    const double t = b ? a[i] * b[i] : a[i];
    const bool hit = what == FIRST_NOT_FINITE     ? !isfinite(t)
                     : what == FIRST_NOT_POSITIVE ? !(t > 0 && isfinite(t))
                     : what == MOST_NEGATIVE      ? t < *value
                                                  : fabs(t) > fabs(*value);
    if (!hit) continue;
    *place = i;
    *value = t;
    if (what == FIRST_NOT_FINITE || what == FIRST_NOT_POSITIVE) break;
  }
done:
  FREE(a);
  FREE(b);
  return status == OK ? found_of_all(s, what, place, value) : status;
}

/* The first diagonal block that is not positive definite keeps its pivot on the diagonal of G (block_rows.h). */
static Status search_pivots(const LinearSolver *s, int64_t *equation, double *value) {
  const int64_t block = mat_block(s->a), n = s->pcg.n;
  double *g = NULL;
  Status status = OK;
  if (!s->m->blocks) return OK;
  ALLOC(g, n * block, "the search for the cause");
  TRY_DONE(exec_download(s->exec, g, s->m->blocks, (size_t)(n * block) * sizeof *g));
  for (int64_t i = 0; i < n && *equation < 0; ++i) {
    const double pivot = g[i * block + i % block];
    if (pivot > 0) continue;
    *equation = i;
    *value = pivot;
  }
done:
  FREE(g);
  return status == OK ? found_of_all(s, FIRST_NOT_POSITIVE, equation, value) : status;
}

/* "equation 341 (node 113, z)"; nodes counted from 0. */
static void linear_message_describe(const LinearSolver *s, int64_t equation, char *text, size_t size) {
  const int32_t block = mat_block(s->a);
  if (equation < 0) snprintf(text, size, "no single equation");
  else if (block == 1) snprintf(text, size, "equation %lld", (long long)equation);
  else
    snprintf(text, size, "equation %lld (node %lld counted from 0, %c)", (long long)equation,
             (long long)(equation / block), "xyz"[equation % block]);
}

#define CAUSES                                                                                                         \
  "likely: a part that is not held against rigid motion, an inverted element, poisson at or near 0.5, a modulus that " \
  "is negative or in other units than the rest\n  remedy: `sinew check` lists free motions and element quality; add "  \
  "the missing support or correct the material"

static Status fail_indefinite(LinearSolver *s, const char *place, double value, bool in_block) {
  if (s->n_bad)
    return FAIL(ERR_NUMERIC,
                "the matrix is not positive definite: %lld of its diagonal %s, the first %s "
                "%g in %s\n  " CAUSES,
                (long long)s->n_bad, in_block ? "blocks are not positive definite" : "entries are not positive",
                in_block ? "has the pivot" : "is", value, place);
  const Krylov *k = &s->pcg.host;
  if (k->stop == KRYLOV_NEGATIVE && !(s->m->bound > 0))
    return FAIL(
        ERR_NUMERIC,
        "conjugate gradients stopped at iteration %lld: r.z = %g is not positive with preconditioner '%s'\n  likely: "
        "rows of the matrix that differ by more than their squares' range in double precision (1e150), or in float "
        "where the "
        "preconditioner works in it (1e38)\n  remedy: scale the rows and columns of the matrix, preconditioner {type: "
        "jacobi}, or "
        "precision: double",
        (long long)k->iteration, k->rz, s->m->name);
  if (k->stop == KRYLOV_NEGATIVE)
    return FAIL(ERR_NUMERIC,
                "conjugate gradients stopped at iteration %lld: r.z = %g is not positive although the bound "
                "of the spectrum was raised to %g\n  remedy: preconditioner {type: jacobi}, or precision: double",
                (long long)k->iteration, k->rz, s->m->bound);
  if (k->stop != KRYLOV_INDEFINITE)
    return FAIL(ERR_NUMERIC,
                "the matrix is singular or nearly so: conjugate gradients diverged at iteration %lld; what "
                "can move freely is near %s\n  " CAUSES,
                (long long)k->iteration, place);
  if (!(k->pap < 0))
    return FAIL(ERR_NUMERIC,
                "the matrix is singular: conjugate gradients met a direction without stiffness, p.Ap = 0, at "
                "iteration %lld; it is largest in %s\n  " CAUSES,
                (long long)k->iteration, place);
  return FAIL(ERR_NUMERIC,
              "the matrix is not positive definite: conjugate gradients stopped at iteration %lld with "
              "p.Ap = %g; the largest negative part comes from %s\n  " CAUSES,
              (long long)k->iteration, k->pap, place);
}

static Status fail_nan(LinearSolver *s, bool in_b, const char *place) {
  if (in_b)
    return FAIL(ERR_NUMERIC,
                "the right-hand side is not a number in %s\n  likely: a load, a prescribed value or an "
                "expression that overflows or divides by zero there",
                place);
  return FAIL(ERR_NUMERIC,
              "the matrix or the solution is not a number (iteration %lld), first in %s\n  likely: an element "
              "of zero or infinite size there, or a material that overflows\n  remedy: `sinew check` lists the element "
              "quality; mind consistent units",
              (long long)s->pcg.host.iteration, place);
}

static Status fail_slow(LinearSolver *s, LinearReason reason, const LinearReport *report) {
  if (reason == LINEAR_MAX_ITERATIONS)
    return FAIL(
        ERR_NUMERIC,
        "conjugate gradients (%s) did not converge in %lld iterations: relative residual %.2e, asked "
        "for %.2e\n  likely: a badly conditioned system (nearly free parts, slivers, large contrast, poisson near "
        "0.5)\n  remedy: raise max-iterations, relax rtol, or %s",
        s->m->name, (long long)report->iterations, report->true_residual, s->params.rtol, precond_stronger(s->m));
  return FAIL(ERR_NUMERIC,
              "conjugate gradients (%s) stagnate after %lld iterations: the true relative residual stays at "
              "%.2e (recursive %.2e), asked for %.2e\n  likely: rtol is below what double precision can reach for this "
              "system, or a part can nearly move freely\n  remedy: relax rtol, check supports and units",
              s->m->name, (long long)report->iterations, report->true_residual, report->recursive_residual,
              s->params.rtol);
}

/* The place that the reason points at, and whether it is in a block (indefinite) or in b (NaN); a NaN that neither b
 * nor A brought comes from divergence. */
static Status find_place(const LinearSolver *s, const double *b, LinearReason *reason, int64_t *equation, double *value,
                         bool *where) {
  const Pcg *pcg = &s->pcg;
  if (*reason == LINEAR_INDEFINITE && s->n_bad) {
    TRY(mat_diagonal(s->a, pcg->q));
    TRY(linear_message_search(s, FIRST_NOT_POSITIVE, pcg->q, NULL, equation, value));
    if (isnan(*value)) *reason = LINEAR_NAN;
    *where = *equation < 0;
    if (*where) TRY(search_pivots(s, equation, value));
  } else if (*reason == LINEAR_INDEFINITE) {
    const bool product = pcg->host.stop == KRYLOV_INDEFINITE && pcg->host.pap < 0; /* 0: what can move freely */
    TRY(linear_message_search(s, product ? MOST_NEGATIVE : LARGEST, pcg->p, product ? pcg->q : NULL, equation, value));
  } else if (*reason == LINEAR_NAN) {
    TRY(linear_message_search(s, FIRST_NOT_FINITE, b, NULL, equation, value));
    *where = *equation >= 0;
    if (!*where) TRY(linear_message_search(s, FIRST_NOT_FINITE, pcg->r, NULL, equation, value));
    if (*equation < 0 && pcg->host.stop) TRY(linear_message_search(s, FIRST_NOT_FINITE, pcg->q, NULL, equation, value));
  }
  return OK;
}

Status linear_failure(LinearSolver *s, LinearReason reason, const double *b, LinearReport *report) {
  char place[96];
  int64_t equation = -1;
  double value = 0;
  bool where = false;
  report->reason = reason;
  TRY(find_place(s, b, &reason, &equation, &value, &where));
  report->reason = reason;
  report->equation = equation;
  linear_message_describe(s, equation, place, sizeof place);
  if (reason == LINEAR_INDEFINITE) return fail_indefinite(s, place, value, where);
  if (reason == LINEAR_NAN) return fail_nan(s, where, place);
  return fail_slow(s, reason, report);
}

void linear_report_add(LinearReport *sum, const LinearReport *step) {
  LinearReport t = step->preconditioner ? *step : *sum; /* without one nothing was solved */
  t.iterations = sum->iterations + step->iterations;
  t.products = sum->products + step->products;
  t.solves = sum->solves + (step->preconditioner && !step->solves ? 1 : step->solves);
  t.restarts = sum->restarts + step->restarts;
  if (sum->preconditioner) t.first_precision = sum->first_precision;
  t.fallbacks = sum->fallbacks + step->fallbacks;
  t.setup_seconds = sum->setup_seconds + step->setup_seconds;
  t.solve_seconds = sum->solve_seconds + step->solve_seconds;
  *sum = t;
}
