/* Several right-hand sides: what is decided between runs of the common loop (linear_many_loop.h). As in linear.c only
 * the true residual says that a column is solved. The loop stops for a look at it when a column has come far enough;
 * then all are looked at, and those that are not as good as they believe start again from there at the end. Whatever
 * else goes wrong with a column is left to linear_solve, which knows what to do: it goes on from that x, or from the
 * first guess where x is worth nothing. */
#include "solver/krylov/linear_many.h"
#include "core/clock.h"
#include "core/memory.h"
#include "solver/krylov/linear_many_loop.h"
#include "algebra/mat_format.h"

#include <math.h>
#include <stdio.h>

struct LinearMany {
  LinearSolver *solver; /* borrowed */
  ManyPcg pcg;          /* content owned; empty where columns go one after another */
  bool together;
  char note[320];
};

/* A column on its way. */
typedef struct Column {
  LinearReport *report;
  bool open, moved;        /* not done yet; interleaved x is newer than the caller's */
  double last_true, limit; /* as Progress in linear.c */
  int32_t tries;
  bool doubtful; /* the look on the way found the true residual far off */
} Column;

typedef struct Batch {
  LinearMany *many;
  const double *b;
  double *x;
  int32_t k;
  Column column[LINEAR_MANY];
  int32_t *failed;
} Batch;

const char *linear_many_note(const LinearMany *many) { return *many->note ? many->note : NULL; }

static void write_note(LinearMany *many, int32_t k) {
  const LinearSolver *s = many->solver;
  const char *why = many_pcg_obstacle(s);
  if (k <= 1) return;
  if (why)
    snprintf(many->note, sizeof many->note,
             "the right-hand sides are solved one after another: format '%s', preconditioner '%s'; %s",
             mat_format(s->a), s->m->name, why);
}

Status linear_many_create(LinearSolver *solver, int32_t k, LinearMany **out) {
  *out = NULL;
  CHECK(k >= 1, ERR_BUG, "%d right-hand sides", k);
  CHECK(solver->is_set_up, ERR_BUG, "linear_many_create before linear_setup");
  LinearMany *many = NULL;
  ALLOC(many, 1, "a solver of several right-hand sides");
  many->solver = solver;
  many->together = k > 1 && !many_pcg_obstacle(solver);
  write_note(many, k);
  const Status status = many->together ? many_pcg_create(solver, k < LINEAR_MANY ? k : LINEAR_MANY, &many->pcg) : OK;
  if (status != OK) {
    linear_many_destroy(&many);
    return status_context(status, "while preparing for %d right-hand sides at once", k);
  }
  *out = many;
  return OK;
}

void linear_many_destroy(LinearMany **many) {
  if (!*many) return;
  many_pcg_release(&(*many)->pcg);
  FREE(*many);
}

/* The rest is for linear_solve: from where x is, counting on, or as if nothing had been. */
static Status finish_alone(Batch *t, int32_t c, bool go_on) {
  ManyPcg *p = &t->many->pcg;
  LinearSolver *s = t->many->solver;
  Column *column = &t->column[c];
  LinearReport *report = column->report, before = *report;
  if (go_on) TRY(many_pcg_unload(p, t->x, t->k, 1u << c));
  column->open = column->moved = false;
  s->iterations_before = go_on ? before.iterations : 0;
  const Status status = linear_solve(s, t->b + c * p->n, t->x + c * p->n_read, report);
  s->iterations_before = 0;
  if (go_on) {
    if (report->iterations < before.iterations) report->iterations = before.iterations;
    report->products += before.products;
    report->restarts += before.restarts + 1;
  }
  if (status != OK) {
    *t->failed = c;
    return status;
  }
  return many_pcg_prepare(p, t->k); /* the preconditioner may be another now */
}

static void close_column(Column *column) {
  column->report->reason = LINEAR_CONVERGED;
  column->open = false;
}

/* From zero iterations on: what needs none. */
static Status open_columns(Batch *t) {
  ManyPcg *p = &t->many->pcg;
  for (int32_t c = 0; c < t->k; ++c) {
    Column *column = &t->column[c];
    LinearReport *report = column->report;
    const double bb = p->host.bb[c], rr = p->host.column[c].sum[0];
    report->norm_b = p->scale[c].norm;
    report->true_residual = report->recursive_residual = bb > 0 ? sqrt(rr / bb) : 0;
    column->limit = t->many->solver->params.rtol;
    column->last_true = HUGE_VAL;
    if (bb == 0) {
      close_column(column);
      TRY(exec_zero(p->exec, t->x + c * p->n_read, (size_t)p->n * sizeof *t->x));
    } else if (!isfinite(bb) || !isfinite(rr)) {
      TRY(finish_alone(t, c, false));
    } else {
      column->open = report->true_residual > t->many->solver->params.rtol;
      if (!column->open) close_column(column);
    }
  }
  return OK;
}

static PcgRun run_of(const Batch *t, int32_t c) {
  return linear_run(t->many->solver, t->column[c].limit, t->many->pcg.host.bb[c], true);
}

static bool linear_many_asks(const ManyPcg *p) {
  for (int32_t c = 0; c < p->k; ++c)
    if (p->host.column[c].stop == KRYLOV_CHECK) return true;
  return false;
}

/* One look at all columns. Those that drifted stand still until the end of the run. */
static Status linear_many_check(Batch *t) {
  ManyPcg *p = &t->many->pcg;
  TRY(many_pcg_residual(p, true));
  for (int32_t c = 0; c < t->k; ++c) {
    Krylov *k = &p->host.column[c];
    if (k->stop != KRYLOV_CHECK && k->stop != KRYLOV_RUNS) continue;
    t->column[c].report->products += 1;
    t->column[c].doubtful = k->sum[0] > (double)LINEAR_DRIFT * LINEAR_DRIFT * k->rr;
    k->stop = t->column[c].doubtful ? KRYLOV_CONVERGED : KRYLOV_RUNS;
    const PcgRun run = run_of(t, c);
    pcg_plan_check(k, &run);
  }
  return OK;
}

static bool any_runs(const ManyPcg *p) {
  for (int32_t c = 0; c < p->k; ++c)
    if (p->host.column[c].stop == KRYLOV_RUNS) return true;
  return false;
}

/* All open columns from their true residual r, which host.column[].sum[0] is the square of, until none goes on. */
static Status run_open(Batch *t) {
  ManyPcg *p = &t->many->pcg;
  for (int32_t c = 0; c < p->k; ++c) {
    Krylov *k = &p->host.column[c];
    k->stop = KRYLOV_CONVERGED;
    if (c >= t->k || !t->column[c].open) continue;
    const PcgRun run = run_of(t, c);
    k->iteration = t->column[c].report->iterations;
    pcg_start(k, &run, k->sum[0], t->many->solver->m->type->diagonal);
    t->column[c].moved = true;
    t->column[c].doubtful = false;
  }
  TRY(many_pcg_run(p));
  while (linear_many_asks(p)) {
    TRY(linear_many_check(t));
    if (any_runs(p)) TRY(many_pcg_continue(p));
  }
  return OK;
}

static void linear_many_count(const Batch *t, int32_t c) {
  const ManyPcg *p = &t->many->pcg;
  const Krylov *k = &p->host.column[c];
  LinearReport *report = t->column[c].report;
  const int64_t products = t->many->solver->m->products;
  report->products += (k->iteration - report->iterations) * (1 + products) + products + 1;
  report->iterations = k->iteration;
  report->recursive_residual = sqrt(k->rr / p->host.bb[c]);
  report->true_residual = sqrt(k->sum[0] / p->host.bb[c]);
}

/* A column after a run. *spoilt: the bound of the spectrum is not an upper bound, one column is enough to raise it. */
static Status linear_many_judge(Batch *t, int32_t c, bool *spoilt) {
  const double rtol = t->many->solver->params.rtol;
  const int32_t stop = t->many->pcg.host.column[c].stop;
  Column *column = &t->column[c];
  LinearReport *report = column->report;
  if (report->true_residual <= rtol) {
    close_column(column);
    return OK;
  }
  if (stop == KRYLOV_STEEP || stop == KRYLOV_NEGATIVE) {
    if (*spoilt) return OK;
    *spoilt = true;
    return finish_alone(t, c, report->true_residual <= 1);
  }
  if (stop == KRYLOV_INDEFINITE || stop == KRYLOV_NAN || stop == KRYLOV_DIVERGED) return finish_alone(t, c, false);
  const bool gained = report->true_residual <= 0.5 * column->last_true || ++column->tries < LINEAR_TRIES;
  if (stop != KRYLOV_CONVERGED || !gained) return finish_alone(t, c, stop == KRYLOV_MAX || report->true_residual <= 1);
  report->restarts += 1;
  column->last_true = report->true_residual;
  if (!column->doubtful) column->limit = 0.5 * rtol;
  return OK;
}

static bool any_open(const Batch *t) {
  for (int32_t c = 0; c < t->k; ++c)
    if (t->column[c].open) return true;
  return false;
}

static Status linear_many_rounds(Batch *t) {
  ManyPcg *p = &t->many->pcg;
  while (any_open(t)) {
    bool spoilt = false;
    TRY(run_open(t));
    TRY(many_pcg_residual(p, false));
    for (int32_t c = 0; c < t->k; ++c)
      if (t->column[c].open) linear_many_count(t, c);
    for (int32_t c = 0; c < t->k; ++c)
      if (t->column[c].open) TRY(linear_many_judge(t, c, &spoilt));
  }
  return OK;
}

/* The columns that are done, also where another one failed. */
static Status linear_many_unload(Batch *t) {
  ManyPcg *p = &t->many->pcg;
  uint32_t mask = 0;
  for (int32_t c = 0; c < t->k; ++c) mask |= (uint32_t)t->column[c].moved << c;
  TRY(many_pcg_unload(p, t->x, t->k, mask));
  for (int32_t c = 0; c < t->k; ++c) {
    if (!(mask >> c & 1) || !p->scale[c].exponent || t->column[c].open) continue;
    const Status status =
        linear_check_scaled(t->many->solver, &p->scale[c], t->b + c * p->n, t->x + c * p->n_read, t->column[c].report);
    if (status != OK) *t->failed = c;
    TRY(status);
  }
  return OK;
}

static Status solve_together(Batch *t) {
  ManyPcg *p = &t->many->pcg;
  TRY(many_pcg_prepare(p, t->k));
  TRY(many_pcg_load(p, t->b, t->x, t->k));
  TRY(many_pcg_residual(p, false));
  for (int32_t c = 0; c < t->k; ++c) {
    LinearReport *report = t->column[c].report;
    report->bytes_per_iteration = many_pcg_bytes(p, t->k);
  }
  Status status = open_columns(t);
  if (status == OK) status = linear_many_rounds(t);
  if (status == OK || status == ERR_NUMERIC) TRY(linear_many_unload(t));
  return status;
}

static Status solve_batch(LinearMany *many, const double *b, double *x, int32_t k, LinearReport *report,
                          int32_t *failed) {
  Batch t = {.many = many, .b = b, .x = x, .k = k, .failed = failed};
  const double begin = clock_seconds();
  for (int32_t c = 0; c < k; ++c) {
    linear_begin_report(many->solver, &report[c]);
    t.column[c].report = &report[c];
  }
  Status status = solve_together(&t);
  if (status == OK) status = exec_sync(many->solver->exec);
  for (int32_t c = 0; c < k; ++c) report[c].solve_seconds = (clock_seconds() - begin) / k;
  return status;
}

Status linear_solve_many(LinearMany *many, const double *b, double *x, int32_t k, LinearReport *report,
                         int32_t *failed) {
  LinearSolver *s = many->solver;
  const int64_t n = mat_rows(s->a), n_x = mat_columns(s->a);
  *failed = -1;
  for (int32_t c = 0; c < k; ++c) linear_begin_report(s, &report[c]);
  for (int32_t c = 0; c < k;) {
    const int32_t most = many->together && !s->n_bad ? many->pcg.room : 1, left = k - c,
                  now = left < most ? left : most;
    int32_t at = -1;
    const Status status = now > 1 ? solve_batch(many, b + c * n, x + c * n_x, now, &report[c], &at)
                                  : linear_solve(s, b + c * n, x + c * n_x, &report[c]);
    if (status == ERR_NUMERIC) *failed = c + (at < 0 ? 0 : at);
    TRY(status);
    c += now;
  }
  s->setup_seconds = 0;
  return OK;
}
