/* `sinew bench pcg --part many`: several right-hand sides at once against the same ones alone, one after another, with
 * one set-up. The first is the weight of the problem, the others that weight with signs and sizes of their own from
 * node to node. */
#include "bench/pcg/pcg.h"
#include "core/memory.h"
#include "solver/krylov/linear_many.h"

#include <math.h>

enum { MOST = LINEAR_MANY, RUNS = 5 };
/* All runs of one row together, s. */
static const double LONG = 4;

typedef struct Many {
  const PcgBench *bench;
  PcgPlace *place;
  LinearSolver *solver;
  LinearMany *group;
  double *b, *x; /* on the Exec, [MOST][n] */
  LinearReport report[MOST];
  int32_t k;
  bool together;
} Many;

static Status solve_all(Many *m) {
  const int64_t n = m->place->n;
  int32_t failed;
  TRY(exec_zero(m->place->exec, m->x, (size_t)(m->k * n) * sizeof *m->x));
  if (m->together) return linear_solve_many(m->group, m->b, m->x, m->k, m->report, &failed);
  for (int32_t c = 0; c < m->k; ++c) TRY(linear_solve(m->solver, m->b + c * n, m->x + c * n, &m->report[c]));
  return OK;
}

/* Seconds of all k, the best of several runs after one that does not count. */
static Status measure(Many *m, double *seconds) {
  const int32_t most = m->place->repeat > 0 ? m->place->repeat : RUNS;
  double spent = 0;
  *seconds = HUGE_VAL;
  TRY(solve_all(m));
  for (int32_t run = 0; run < most && spent < LONG; ++run) {
    TRY(exec_sync(m->place->exec));
    const double start = bench_now();
    TRY(solve_all(m));
    const double took = bench_now() - start;
    spent += took;
    if (took < *seconds) *seconds = took;
  }
  return OK;
}

static int64_t most_iterations(const Many *m) {
  int64_t most = 0;
  for (int32_t c = 0; c < m->k; ++c)
    if (m->report[c].iterations > most) most = m->report[c].iterations;
  return most;
}

/* What they must move over what they took, in parts of the copy. */
static double share(const Many *m, double seconds) {
  double bytes = 0;
  for (int32_t c = 0; c < m->k; ++c) bytes += m->report[c].bytes_per_iteration * (double)m->report[c].iterations;
  return bytes / seconds / (1e9 * m->place->copy);
}

static Status row(Many *m, const char *preconditioner, const char *inner, int32_t k) {
  const PcgBench *bench = m->bench;
  double alone, together, shares[2];
  m->k = k;
  m->together = false;
  TRY(measure(m, &alone));
  shares[0] = share(m, alone);
  const int64_t single = most_iterations(m);
  TRY(linear_many_create(m->solver, k, &m->group));
  m->together = true;
  TRY(measure(m, &together));
  linear_many_destroy(&m->group);
  shares[1] = share(m, together);
  fprintf(bench->out,
          bench->params->markdown ? "| %s %s | %d | %lld | %.3f | %.0f %% | %lld | %.3f | %.0f %% | %.2f |\n"
                                  : "%-14s %-7s %3d %11lld %10.3f %5.0f %% %11lld %10.3f %5.0f %% %8.2f\n",
          preconditioner, inner, (int)k, (long long)single, 1e3 * alone / k, 100 * shares[0],
          (long long)most_iterations(m), 1e3 * together / k, 100 * shares[1], alone / together);
  json_object(bench->json, NULL);
  json_string(bench->json, "preconditioner", preconditioner);
  json_string(bench->json, "precision", inner);
  json_integer(bench->json, "columns", k);
  json_integer(bench->json, "iterations_alone", single);
  json_integer(bench->json, "iterations_together", most_iterations(m));
  json_number(bench->json, "ms_per_column_alone", 1e3 * alone / k);
  json_number(bench->json, "ms_per_column_together", 1e3 * together / k);
  json_number(bench->json, "share_of_copy_alone", shares[0]);
  json_number(bench->json, "share_of_copy_together", shares[1]);
  json_end(bench->json);
  return OK;
}

static Status fill_columns(Many *m) {
  PcgPlace *p = m->place;
  double *column = NULL;
  Status status;
  EXEC_ALLOC(p->exec, m->b, MOST * p->n, "right-hand sides");
  EXEC_ALLOC(p->exec, m->x, MOST * p->n, "solutions");
  ALLOC(column, p->n, "a right-hand side");
  TRY_DONE(exec_download(p->exec, p->host, p->b, (size_t)p->n * sizeof *p->host));
  for (int32_t c = 0; c < MOST; ++c) {
    for (int64_t i = 0; i < p->n; ++i) column[i] = p->host[i] * (c ? cos(0.01 * c * (double)(i + 1)) : 1);
    TRY_DONE(exec_upload(p->exec, m->b + c * p->n, column, (size_t)p->n * sizeof *column));
  }
done:
  FREE(column);
  return status;
}

static Status solver_rows(Many *m, const char *preconditioner, const char *inner) {
  static const int32_t counts[] = {1, 2, 4, MOST};
  LinearParams params = linear_params_default();
  params.rtol = m->bench->rtol;
  params.preconditioner = preconditioner;
  TRY(linear_params_precision(&params, inner));
  TRY(linear_create(m->place->exec, &params, m->place->a, &m->solver));
  TRY(linear_setup(m->solver));
  for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) TRY(row(m, preconditioner, inner, counts[i]));
  linear_destroy(&m->solver);
  return OK;
}

static void header(const PcgBench *bench) {
  fprintf(bench->out, "\nSeveral right-hand sides: ms for each, one after another and at once\n");
  if (bench->params->markdown)
    fprintf(
        bench->out,
        "| preconditioner | columns | iterations alone | ms alone | of copy | iterations together | ms together | of "
        "copy | times faster |\n|---|---|---|---|---|---|---|---|---|\n");
  else
    fprintf(bench->out, "%-14s %-7s %3s %11s %10s %7s %11s %10s %7s %8s\n", "preconditioner", "inside", "k",
            "it. alone", "ms alone", "copy", "it. at once", "ms at once", "copy", "faster");
}

Status pcg_many(const PcgBench *bench, PcgPlace *place) {
  Many m = {.bench = bench, .place = place};
  header(bench);
  Status status = pcg_place_format(place, "sbell");
  if (status == OK) status = fill_columns(&m);
  if (status == OK) status = solver_rows(&m, "jacobi", "double");
  if (status == OK) status = solver_rows(&m, "least-squares", "double");
  if (status == OK) status = solver_rows(&m, "least-squares", "float");
  if (status == OK) status = solver_rows(&m, "least-squares", "half");
  if (status == OK) status = solver_rows(&m, "least-squares", "int8");
  linear_many_destroy(&m.group);
  linear_destroy(&m.solver);
  EXEC_RELEASE(place->exec, m.b, MOST * place->n);
  EXEC_RELEASE(place->exec, m.x, MOST * place->n);
  return status;
}
