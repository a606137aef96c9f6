/* Bordered systems: with G^T x = 0 prescribed, conjugate gradients stay at right angles to G, where A is positive
 * definite, and the factors of G follow from what is left of the residual. Where C is not 0, G^T x depends on the factors, which
 * answer to it linearly: what they answer to each part of it alone is known, and says what it is. */
#include "core/memory.h"
#include "solver/krylov/linear_solver.h"

#include <math.h>
#include <string.h>

void linear_border_release(LinearSolver *s) {
  LinearBorder *g = &s->border;
  EXEC_RELEASE(s->exec, g->q, g->room * s->pcg.n);
  EXEC_RELEASE(s->exec, g->start, mat_columns(s->a));
  EXEC_RELEASE(s->exec, g->b, s->pcg.n);
  EXEC_RELEASE(s->exec, g->dot, LINEAR_BORDER);
  EXEC_RELEASE(s->exec, g->Mq, g->room * s->pcg.n);
  EXEC_RELEASE(s->exec, g->answer, g->room * mat_columns(s->a));
  EXEC_RELEASE(s->exec, g->none, s->pcg.n);
  *g = (LinearBorder){0};
}

static Status border_allocate(LinearSolver *s, int32_t n) {
  LinearBorder *g = &s->border;
  if (g->room >= n) return OK;
  linear_border_release(s);
  g->room = n;
  EXEC_ALLOC(s->exec, g->q, n * s->pcg.n, "border of the matrix");
  EXEC_ALLOC(s->exec, g->start, mat_columns(s->a), "start of a bordered solve");
  EXEC_ALLOC(s->exec, g->b, s->pcg.n, "right-hand side of a bordered solve");
  EXEC_ALLOC(s->exec, g->dot, LINEAR_BORDER, "product with a border");
  EXEC_ALLOC(s->exec, g->Mq, n * s->pcg.n, "border of the matrix");
  return OK;
}

static Status border_dot(const LinearSolver *s, const double *x, const double *y, double *out) {
  TRY(vec_dot(s->exec, s->pcg.n, x, y, s->border.dot));
  return exec_download(s->exec, out, s->border.dot, sizeof *out);
}

static double *column(const LinearSolver *s, int32_t k) { return s->border.q + k * s->pcg.n; }
static double *smooth(const LinearSolver *s, int32_t k) { return s->border.Mq + k * s->pcg.n; }
/* With room for a halo, as a solution has. */
static double *answer(const LinearSolver *s, int32_t k) { return s->border.answer + k * mat_columns(s->a); }

/* Column k at right angles to those before it and of length 1 (Gram and Schmidt). */
static Status border_add(LinearSolver *s, int32_t k, const double *from) {
  LinearBorder *g = &s->border;
  double *q = column(s, k), square;
  TRY(exec_copy(s->exec, q, from, (size_t)s->pcg.n * sizeof *q));
  for (int32_t j = 0; j < k; ++j) {
    TRY(border_dot(s, column(s, j), q, &g->L[k * LINEAR_BORDER + j]));
    TRY(vec_axpy(s->exec, s->pcg.n, -g->L[k * LINEAR_BORDER + j], column(s, j), q));
  }
  TRY(border_dot(s, q, q, &square));
  CHECK(square > 0 && isfinite(square), ERR_NUMERIC,
        "nothing that is free moves what volume %d of %d is prescribed of, or another volume does the same", (int)k + 1,
        (int)g->n);
  g->L[k * LINEAR_BORDER + k] = sqrt(square);
  TRY(exec_copy(s->exec, g->start, q, (size_t)s->pcg.n * sizeof *q));
  TRY(exec_zero(s->exec, q, (size_t)s->pcg.n * sizeof *q));
  return vec_axpy(s->exec, s->pcg.n, 1 / sqrt(square), g->start, q);
}

/* Nothing is answered yet. */
static Status border_comply(LinearSolver *s, const double *C) {
  LinearBorder *g = &s->border;
  g->compliant = g->answered = g->smooth = false;
  for (int32_t k = 0; k < g->n * g->n; ++k) {
    g->C[k] = C ? C[k] : 0;
    g->compliant = g->compliant || g->C[k] != 0;
  }
  if (!g->compliant || g->answer) return OK;
  EXEC_ALLOC(s->exec, g->answer, g->room * mat_columns(s->a), "answers to a border");
  EXEC_ALLOC(s->exec, g->none, s->pcg.n, "no right-hand side");
  return exec_zero(s->exec, g->none, (size_t)s->pcg.n * sizeof(double));
}

Status linear_set_border(LinearSolver *s, int32_t n, const double *const *g, const double *C) {
  CHECK(n <= LINEAR_BORDER, ERR_BUG, "%d borders of a matrix, at most %d", (int)n, LINEAR_BORDER);
  CHECK(
      !s->renumbered.place, ERR_INPUT,
      "a matrix in a format with a numbering of its own takes no prescribed volumes\n  remedy: leave 'format' out, or "
      "take csr or sbell");
  CHECK(exec_is_host(s->exec) || !s->m->type->host, ERR_INPUT,
        "prescribed volumes take a sparse factorisation ('%s') on the CPU only\n  remedy: --backend cpu, or another "
        "preconditioner",
        s->m->name);
  pcg_border(&s->pcg, 0, NULL, NULL);
  TRY(border_allocate(s, n));
  s->border.n = n;
  for (int32_t k = 0; k < n; ++k) TRY(border_add(s, k, g[k]));
  return border_comply(s, C);
}

/* The n by n system a x = x, by elimination with pivots. */
static Status solve_small(int32_t n, double *a, double *x) {
  for (int32_t k = 0; k < n; ++k) {
    int32_t pivot = k;
    for (int32_t i = k + 1; i < n; ++i)
      if (fabs(a[i * n + k]) > fabs(a[pivot * n + k])) pivot = i;
    CHECK(fabs(a[pivot * n + k]) > 0 && isfinite(a[pivot * n + k]), ERR_NUMERIC,
          "what a border prescribes is not determined: it gives way as much as the system behind it");
    for (int32_t j = 0; j < n && pivot != k; ++j) {
      const double kept = a[k * n + j];
      a[k * n + j] = a[pivot * n + j], a[pivot * n + j] = kept;
    }
    const double kept = x[k];
    x[k] = x[pivot], x[pivot] = kept;
    for (int32_t i = k + 1; i < n; ++i) {
      const double share = a[i * n + k] / a[k * n + k];
      for (int32_t j = k; j < n; ++j) a[i * n + j] -= share * a[k * n + j];
      x[i] -= share * x[k];
    }
  }
  for (int32_t i = n - 1; i >= 0; --i) {
    for (int32_t j = i + 1; j < n; ++j) x[i] -= a[i * n + j] * x[j];
    x[i] /= a[i * n + i];
  }
  return OK;
}

/* M q, and how these meet the border; once for a border. */
static Status border_smooth(LinearSolver *s) {
  LinearBorder *g = &s->border;
  if (g->smooth) return OK;
  for (int32_t k = 0; k < g->n; ++k) TRY(pcg_precondition(&s->pcg, column(s, k), smooth(s, k)));
  for (int32_t j = 0; j < g->n; ++j)
    for (int32_t k = 0; k < g->n; ++k) TRY(border_dot(s, column(s, j), smooth(s, k), &g->H[j * g->n + k]));
  g->smooth = true;
  return OK;
}

/* start = from (NULL: 0) and a smooth vector, a sum of M q, with G^T start = gap. */
static Status border_start(LinearSolver *s, const double *gap, const double *from) {
  LinearBorder *g = &s->border;
  const int32_t n = g->n;
  const size_t bytes = (size_t)s->pcg.n * sizeof(double);
  double wanted[LINEAR_BORDER], left[LINEAR_BORDER], H[LINEAR_BORDER * LINEAR_BORDER], is;
  TRY(border_smooth(s));
  TRY(from ? exec_copy(s->exec, g->start, from, bytes) : exec_zero(s->exec, g->start, bytes));
  for (int32_t k = 0; k < n; ++k) { /* Q^T start = L^-1 gap */
    wanted[k] = gap[k];
    for (int32_t j = 0; j < k; ++j) wanted[k] -= g->L[k * LINEAR_BORDER + j] * wanted[j];
    wanted[k] /= g->L[k * LINEAR_BORDER + k];
    left[k] = wanted[k];
    if (!from) continue;
    TRY(border_dot(s, column(s, k), from, &is));
    left[k] -= is;
  }
  memcpy(H, g->H, sizeof H);
  TRY(solve_small(n, H, left));
  for (int32_t k = 0; k < n; ++k) TRY(vec_axpy(s->exec, s->pcg.n, left[k], smooth(s, k), g->start));
  for (int32_t k = 0; k < n; ++k) { /* what is left, to the last digit */
    TRY(border_dot(s, column(s, k), g->start, &is));
    TRY(vec_axpy(s->exec, s->pcg.n, wanted[k] - is, column(s, k), g->start));
  }
  return OK;
}

/* along[k] = q_k . v */
static Status border_along(const LinearSolver *s, const double *v, double along[LINEAR_BORDER], double *square) {
  *square = 0;
  for (int32_t k = 0; k < s->border.n; ++k) {
    TRY(border_dot(s, column(s, k), v, &along[k]));
    *square += along[k] * along[k];
  }
  return OK;
}

/* factor = -L^-T along */
static void border_factors(const LinearBorder *g, const double *along, double *factor) {
  for (int32_t k = g->n - 1; k >= 0; --k) {
    factor[k] = -along[k];
    for (int32_t j = k + 1; j < g->n; ++j) factor[k] -= g->L[j * LINEAR_BORDER + k] * factor[j];
    factor[k] /= g->L[k * LINEAR_BORDER + k];
  }
}

/* With the border: x at right angles to it, to a tolerance that is relative to `size`, of b and A start together. */
static Status border_solve(LinearSolver *s, double size, double *x, LinearReport *report) {
  static const double LOOSEST = 0.5, TIGHTEST = 1e-14;
  const double rtol = s->params.rtol;
  double square;
  TRY(pcg_project(&s->pcg, s->border.b));
  TRY(border_dot(s, s->border.b, s->border.b, &square));
  if (square <= rtol * size * (rtol * size)) { /* rounding, as far as who asks can see */
    linear_begin_report(s, report);
    report->reason = LINEAR_CONVERGED;
    return OK;
  }
  s->params.rtol = fmin(LOOSEST, fmax(TIGHTEST, rtol * size / sqrt(square)));
  const Status status = linear_solve(s, s->border.b, x, report);
  s->params.rtol = rtol;
  return status;
}

/* With G^T x = gap, from something near (NULL: 0). */
static Status solve_prescribed(LinearSolver *s, const double *b, const double *gap, const double *from, double *x,
                               double *factor, LinearReport *report) {
  const size_t bytes = (size_t)s->pcg.n * sizeof *x;
  LinearBorder *g = &s->border;
  double along[LINEAR_BORDER], square, relative, norm_b, bb;
  linear_begin_report(s, report);
  Status status = border_start(s, gap, from);
  if (status == ERR_NUMERIC) report->reason = LINEAR_NAN, report->true_residual = HUGE_VAL;
  TRY(status);
  TRY(linear_true_residual(s, b, g->start, &relative, &norm_b));
  TRY(exec_copy(s->exec, g->b, s->pcg.r, bytes));
  TRY(border_along(s, g->b, along, &square));
  TRY(border_dot(s, b, b, &bb));
  TRY(exec_zero(s->exec, x, bytes));
  pcg_border(&s->pcg, g->n, g->q, g->dot);
  status = border_solve(s, sqrt(bb + square), x, report);
  pcg_border(&s->pcg, 0, NULL, NULL);
  TRY(status);
  TRY(vec_axpy(s->exec, s->pcg.n, 1, g->start, x));
  TRY(linear_true_residual(s, b, x, &relative, &norm_b));
  TRY(border_along(s, s->pcg.r, along, &square));
  border_factors(g, along, factor);
  return OK;
}

/* By way of x, for which the loop is recorded. */
static Status border_answers(LinearSolver *s, double *x, LinearReport *report) {
  LinearBorder *g = &s->border;
  const bool near = g->near;
  g->near = false;
  for (int32_t k = 0; k < g->n; ++k) {
    double unit[LINEAR_BORDER] = {0}, factor[LINEAR_BORDER];
    LinearReport one = {.equation = -1};
    unit[k] = 1;
    const Status status = solve_prescribed(s, g->none, unit, near ? answer(s, k) : NULL, x, factor, &one);
    linear_report_add(report, &one); /* and what has failed */
    TRY(status);
    TRY(exec_copy(s->exec, answer(s, k), x, (size_t)s->pcg.n * sizeof *x));
    for (int32_t j = 0; j < g->n; ++j) g->E[j * g->n + k] = factor[j];
  }
  g->answered = g->near = true;
  return OK;
}

/* From G^T x = gap to G^T x = gap + change with change + C (factor + E change) = 0. */
static Status border_yields(LinearSolver *s, double *x, double *factor) {
  LinearBorder *g = &s->border;
  const int32_t n = g->n;
  double a[LINEAR_BORDER * LINEAR_BORDER] = {0}, change[LINEAR_BORDER] = {0};
  for (int32_t i = 0; i < n; ++i) {
    change[i] = 0;
    for (int32_t j = 0; j < n; ++j) {
      change[i] -= g->C[i * n + j] * factor[j];
      a[i * n + j] = i == j;
      for (int32_t k = 0; k < n; ++k) a[i * n + j] += g->C[i * n + k] * g->E[k * n + j];
    }
  }
  TRY(solve_small(n, a, change));
  for (int32_t k = 0; k < n; ++k) {
    TRY(vec_axpy(s->exec, s->pcg.n, change[k], answer(s, k), x));
    for (int32_t j = 0; j < n; ++j) factor[j] += g->E[j * n + k] * change[k];
  }
  return OK;
}

Status linear_solve_border(LinearSolver *s, const double *b, const double *gap, double *x, double *factor,
                           LinearReport *report) {
  LinearReport one = {.equation = -1};
  if (!s->border.compliant) return solve_prescribed(s, b, gap, NULL, x, factor, report);
  *report = (LinearReport){.equation = -1};
  const Status answers = s->border.answered ? OK : border_answers(s, x, report);
  if (answers != OK) {
    report->true_residual = HUGE_VAL; /* x is no answer, however near */
    return exec_zero(s->exec, x, (size_t)s->pcg.n * sizeof *x) == OK ? answers : ERR_BUG;
  }
  const Status status = solve_prescribed(s, b, gap, NULL, x, factor, &one);
  linear_report_add(report, &one);
  return status == OK ? border_yields(s, x, factor) : status;
}
