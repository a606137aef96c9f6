/* Multigrid on several columns at once: each as if it were alone, to the bit on the CPU. */
#include "solver/precond/precond_many.h"
#include "core/memory.h"
#include "tests/solver/problems.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static Exec *exec;

typedef struct Applied {
  Problem p;
  Mat *a;
  Krylov *krylov;
  Precond *m;
  int64_t n;
  size_t size; /* of a number of the result */
} Applied;

static void begin(Applied *t, Precision storage, const double *value) {
  int64_t n_bad;
  double mean;
  problem_grid(10, 9, 8, 3, 1, &t->p);
  t->a = problem_mat(exec, &t->p, "sbell");
  t->n = mat_rows(t->a);
  assert_ok(exec_alloc(exec, 1, sizeof *t->krylov, "scalars", (void **)&t->krylov));
  const PrecondParams params = {.name = "amg", .storage = storage, .value = value, .pattern = t->p.pattern};
  assert_ok(precond_create(t->a, &params, t->krylov, &t->m));
  double *work = problem_vector(exec, t->n, NULL);
  assert_ok(precond_setup(t->m, work, &n_bad, &mean));
  EXEC_RELEASE(exec, work, t->n);
  status_clear();
  t->size = t->m->precision == PRECISION_FLOAT ? sizeof(float) : sizeof(double);
}

static void end(Applied *t) {
  precond_destroy(&t->m);
  EXEC_RELEASE(exec, t->krylov, 1);
  mat_destroy(&t->a);
  problem_release(&t->p);
}

static double number_at(const Applied *t, const void *v, int64_t i) {
  return t->size == sizeof(float) ? (double)((const float *)v)[i] : ((const double *)v)[i];
}

/* Column c of r [n][K], alone; out host. */
static void apply_alone(Applied *t, const double *r, int32_t K, int32_t c, void *out, double *sum) {
  Precond *m = t->m;
  const Krylov fresh = {.to_unit = 1, .from_unit = 1, .max_eigenvalue = HUGE_VAL};
  Krylov after;
  double *column = NULL;
  float *low = NULL;
  assert_ok(mem_alloc(t->n, sizeof *column, "column", (void **)&column));
  assert_ok(mem_alloc(t->n, sizeof *low, "column", (void **)&low));
  for (int64_t i = 0; i < t->n; ++i) low[i] = (float)(column[i] = r[i * K + c]);
  assert_ok(exec_upload(exec, m->residual, column, (size_t)t->n * sizeof *column));
  if (t->size == sizeof(float)) assert_ok(exec_upload(exec, m->low, low, (size_t)t->n * sizeof *low));
  assert_ok(exec_upload(exec, t->krylov, &fresh, sizeof fresh));
  assert_ok(m->type->record(m));
  assert_ok(exec_download(exec, out, m->result, (size_t)t->n * t->size));
  assert_ok(exec_download(exec, &after, t->krylov, sizeof after));
  *sum = after.rz;
  FREE(column);
  FREE(low);
}

static void apply_many(Applied *t, PrecondMany *many, const double *r, int32_t shift, void *out, KrylovMany *krylov) {
  const int64_t size = t->n << shift;
  double *residual = problem_vector(exec, size, NULL);
  float *low = NULL;
  void *result = NULL;
  KrylovMany *on_exec = NULL;
  assert_ok(mem_alloc(size, sizeof *low, "columns", (void **)&low));
  assert_ok(exec_alloc(exec, 1, sizeof *on_exec, "scalars", (void **)&on_exec));
  assert_ok(exec_alloc(exec, size, t->size, "result", &result));
  *krylov = (KrylovMany){.columns = 1 << shift};
  for (int32_t c = 0; c < 1 << shift; ++c)
    krylov->column[c] = (Krylov){.to_unit = 1, .from_unit = 1, .max_eigenvalue = HUGE_VAL};
  assert_ok(exec_upload(exec, on_exec, krylov, sizeof *krylov));
  assert_ok(exec_upload(exec, residual, r, (size_t)size * sizeof *r));
  for (int64_t i = 0; i < size; ++i) low[i] = (float)r[i];
  void *place = precond_many_low(many);
  assert_int_equal(place != NULL, t->size == sizeof(float));
  if (place) assert_ok(exec_upload(exec, place, low, (size_t)size * sizeof *low));
  const PrecondManyCall call = {shift, residual, place ? place : residual, result, on_exec, true};
  assert_ok(precond_many_record(many, &call));
  assert_ok(exec_download(exec, out, result, (size_t)size * t->size));
  assert_ok(exec_download(exec, krylov, on_exec, sizeof *krylov));
  EXEC_RELEASE(exec, residual, size);
  EXEC_RELEASE(exec, on_exec, 1);
  exec_release(exec, size, t->size, &result);
  FREE(low);
}

static void check(Precision storage, double cycle) {
  enum { K = 8 };
  const double value[] = {0.06, cycle, 0, 40}; /* three levels and more */
  Applied t;
  begin(&t, storage, value);
  assert_null(precond_many_obstacle(t.m));
  PrecondMany *many = NULL;
  assert_ok(precond_many_create(t.m, K, &many));
  double *r = NULL;
  char *out = NULL, *alone = NULL;
  assert_ok(mem_alloc(t.n * K, sizeof *r, "r", (void **)&r));
  assert_ok(mem_alloc(t.n * K, t.size, "out", (void **)&out));
  assert_ok(mem_alloc(t.n, t.size, "alone", (void **)&alone));
  for (int64_t i = 0; i < t.n * K; ++i) r[i] = problem_number(i);
  for (int32_t shift = 1; shift <= 3; ++shift) {
    KrylovMany krylov;
    apply_many(&t, many, r, shift, out, &krylov);
    for (int32_t c = 0; c < 1 << shift; ++c) {
      double sum, worst = 0, most = 0;
      apply_alone(&t, r, 1 << shift, c, alone, &sum);
      for (int64_t i = 0; i < t.n; ++i) {
        const double z = number_at(&t, alone, i), d = number_at(&t, out, (i << shift) + c) - z;
        worst = fmax(worst, fabs(d));
        most = fmax(most, fabs(z));
      }
      assert_true(most > 0.01);
      if (exec_is_host(exec)) assert_true(worst == 0);
      else assert_true(worst <= (t.size == sizeof(float) ? 1e-5 : 1e-13) * most);
      assert_near(krylov.column[c].rz, sum, t.size == sizeof(float) ? 1e-6 : 1e-12);
    }
  }
  FREE(r);
  FREE(out);
  FREE(alone);
  precond_many_destroy(&many);
  end(&t);
}

static void as_if_alone(void **state) {
  (void)state;
  for (int cycle = 1; cycle <= 2; ++cycle) {
    check(PRECISION_DOUBLE, cycle);
    check(PRECISION_FLOAT, cycle);
    check(PRECISION_HALF, cycle);
    check(PRECISION_INT8, cycle);
  }
}

static void k_cycles_cannot(void **state) {
  (void)state;
  const double value[] = {0.06, 3, 0, 40};
  Applied t;
  begin(&t, PRECISION_FLOAT, value);
  assert_non_null(strstr(precond_many_obstacle(t.m), "K-cycle"));
  end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_if_alone), cmocka_unit_test(k_cycles_cannot)};
  return testing_run("solver/multigrid_many", tests, exec);
}
