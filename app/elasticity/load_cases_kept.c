/* Load cases of bodies that nearly keep their volume (augmented.h): one matrix with a part of the bulk moduli, and for each case
 * turns of the changes of volume that elements keep, which are kept with its displacement. Combinations have their sums. */
#include "app/elasticity/elastic.h"
#include "assembly/elasticity/augmented.h"
#include "core/vec.h"
#include "solver/time/outer.h"

static Status outer_eliminate(void *context, const double *u, double *m, bool everywhere, double *change) {
  return elasticity_augment_eliminate(context, u, m, everywhere, change);
}

static Status outer_residual(void *context, const double *u, double *r) { return elasticity_residual(context, u, r); }

/* Case i, as far as turns go; b[rows]. */
static Status case_iterate(const ElasticSolve *with, const ElasticCases *cases, int32_t i, Outer *outer, double *b) {
  int64_t n;
  double *kept = elasticity_kept(with->elasticity, &n), *u = cases->u + i * cases->dofs;
  const size_t bytes = (size_t)n * sizeof *kept;
  if (n) TRY(exec_zero(cases->exec, kept, bytes));
  TRY(elastic_cases_prepare(with, cases, !with->run->rehearsed && !with->run->share, i, b));
  const Status status = outer_solve(outer, with->run->c->solver.rtol.value, NULL, u, NULL, b, &cases->linear[i]);
  if (status == ERR_NUMERIC && !with->run->rehearsed) status_clear();
  else TRY(status);
  return n ? exec_copy(cases->exec, cases->kept + i * n, kept, bytes) : OK;
}

static bool case_is_solved(const ElasticSolve *with, const ElasticCases *cases, int32_t i) {
  return cases->linear[i].true_residual <= with->run->c->solver.rtol.value;
}

Status elastic_cases_iterate(const ElasticSolve *with, ElasticCases *cases, bool *all) {
  const int64_t rows = elasticity_rows(with->elasticity);
  OuterParams params = {.exec = cases->exec,
                        .a = with->a,
                        .solver = with->solver,
                        .eliminate = outer_eliminate,
                        .residual = outer_residual,
                        .context = with->elasticity};
  Outer *outer = NULL;
  double *b = NULL;
  Status status = OK;
  *all = true;
  params.multiplier = elasticity_kept(with->elasticity, &params.n_multiplier);
  cases->n_kept = params.n_multiplier;
  EXEC_ALLOC(cases->exec, cases->kept, cases->n * cases->n_kept, "changes of volume of load cases");
  EXEC_ALLOC(cases->exec, b, rows, "residual of a load case");
  TRY_DONE(outer_create(&params, &outer));
  for (int32_t i = 0; i < cases->n; ++i) {
    TRY_DONE(case_iterate(with, cases, i, outer, b));
    *all &= case_is_solved(with, cases, i);
  }
done:
  outer_destroy(&outer);
  EXEC_RELEASE(cases->exec, b, rows);
  return status;
}

/* What is left of case i, by the matrix with all of the bulk moduli; b[rows + 1], x[dofs]. */
static Status case_end(const ElasticSolve *with, const ElasticCases *cases, int32_t i, double *b, double *x) {
  LinearReport report, *sum = &cases->linear[i];
  double *u = cases->u + i * cases->dofs, left, rtol = with->run->c->solver.rtol.value;
  TRY(elastic_cases_begin(with->setup, false, i, with->elasticity));
  TRY(elastic_left(cases->exec, with->elasticity, sum->norm_b, u, b, &left, &rtol));
  linear_set_rtol(with->solver, rtol);
  TRY(exec_zero(cases->exec, x, (size_t)cases->dofs * sizeof *x));
  const Status status = linear_solve(with->solver, b, x, &report);
  elastic_left_add(sum, &report, left);
  TRY(status);
  return vec_axpy(cases->exec, elasticity_rows(with->elasticity), 1, x, u);
}

Status elastic_cases_end(const ElasticSolve *with, const ElasticCases *cases) {
  double *b = NULL, *x = NULL;
  Status status = OK;
  EXEC_ALLOC(cases->exec, b, elasticity_rows(with->elasticity) + 1, "residual of a load case");
  TRY_DONE(exec_alloc(cases->exec, cases->dofs, sizeof *x, "increment of a load case", (void **)&x));
  for (int32_t i = 0; i < cases->n && status == OK; ++i) {
    if (case_is_solved(with, cases, i)) continue;
    status = case_end(with, cases, i, b, x);
    if (status != OK) status = status_context(status, "in load case '%s'", elastic_setup(with->setup)->act[i].name);
  }
done:
  EXEC_RELEASE(cases->exec, b, elasticity_rows(with->elasticity) + 1);
  EXEC_RELEASE(cases->exec, x, cases->dofs);
  return status;
}

Status elastic_cases_keep(const ElasticSolve *with, const ElasticCases *cases, int32_t i, double factor, bool first) {
  int64_t n;
  double *kept = elasticity_kept(with->elasticity, &n);
  if (!elasticity_is_augmented(with->elasticity) || n == 0) return OK;
  if (first) TRY(exec_zero(cases->exec, kept, (size_t)n * sizeof *kept));
  return vec_axpy(cases->exec, n, factor, cases->kept + i * n, kept);
}
