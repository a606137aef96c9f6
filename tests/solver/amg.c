/* Smoothed aggregation: its Galerkin products against dense ones, near-null vectors kept exactly, symmetric and
 * positive, the same bits for any number of threads, new values, odd matrices, wrong parameters, failures. Counts are
 * amg_counts.c. */
#include "assembly/elasticity/rigid_motions.h"
#include "core/memory.h"
#include "solver/multigrid/amg.h"
#include "solver/krylov/linear.h"
#include "solver/multigrid/rows.h"
#include "tests/solver/problems.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static Exec *exec;

/* A preconditioner with what it hangs on. */
typedef struct Setting {
  const Problem *p;
  Mat *a;
  Krylov *k;
  Precond *m;
  int64_t n;
  double *motions; /* NULL: constants */
  int32_t n_motion;
  RigidPlaces places;
  double value[AMG_N_PARAM];
  int32_t degree;
  bool lean; /* as large systems are set up, with little memory */
} Setting;

static Setting bare(const Problem *p, const char *format, double cycle, double smoother, double bottom) {
  Setting s = {.p = p, .a = problem_mat(exec, p, format), .value = {0.03, cycle, smoother, bottom}};
  s.n = mat_rows(s.a);
  const Krylov fresh = {.from_unit = 1};
  assert_ok(exec_alloc_upload(exec, 1, sizeof fresh, &fresh, "scalars", (void **)&s.k));
  return s;
}

/* Rigid motions of the nodes of problem_grid. */
static void give_motions(Setting *s, int nx, int ny) {
  const int32_t B = s->p->pattern->block, n = s->p->pattern->n;
  double(*x)[3] = NULL;
  if (B == 1) return;
  s->n_motion = rigid_motion_count(B);
  assert_ok(mem_alloc(n, sizeof *x, "places", (void **)&x));
  assert_ok(mem_alloc(s->n_motion * s->n, sizeof(double), "motions", (void **)&s->motions));
  for (int32_t i = 0; i < n; ++i) x[i][0] = i % nx, x[i][1] = i / nx % ny, x[i][2] = i / nx / ny;
  rigid_motions(n, B, (const double(*)[3])x, s->motions);
  FREE(x);
}

/* The same as places, from which the motions are found on the Exec. */
static void give_places(Setting *s, int nx, int ny) {
  const int32_t n = s->p->pattern->n;
  double(*x)[3] = NULL;
  assert_ok(mem_alloc(n, sizeof *x, "places", (void **)&x));
  for (int32_t i = 0; i < n; ++i) x[i][0] = i % nx, x[i][1] = i / nx % ny, x[i][2] = i / nx / ny;
  const RigidReach reach = rigid_reach(n, (const double(*)[3])x);
  s->places = rigid_places(&reach);
  s->places.x = problem_vector(exec, 3 * (int64_t)n, &x[0][0]);
  FREE(x);
}

static Status try_create(Setting *s, Precision precision) {
  const PrecondParams params = {.name = "amg",
                                .value = s->value,
                                .storage = precision,
                                .pattern = s->p->pattern,
                                .near_null = s->motions,
                                .n_near_null = s->n_motion,
                                .places = s->places,
                                .degree = s->degree};
  return precond_create(s->a, &params, s->k, &s->m);
}

static Status try_set_up(Setting *s) {
  Amg *amg = s->m->own;
  if (s->lean) amg->part_bytes = 3e5, amg->most_mirrored = 0;
  return problem_precond_set_up(s->m);
}

static void begin(Setting *s, Precision precision) {
  assert_ok(try_create(s, precision));
  assert_ok(try_set_up(s));
}

static void end(Setting *s) {
  precond_destroy(&s->m);
  EXEC_RELEASE(exec, s->k, 1);
  mat_destroy(&s->a);
  FREE(s->motions);
  exec_release(exec, 3 * (int64_t)s->p->pattern->n, sizeof(double), (void **)&s->places.x);
}

/* Dense P [n_fine][n_coarse]; its transpose on the Exec must be the same numbers. */
static double *dense_transfer(const MgTransfer *t, int64_t n_coarse) {
  const int64_t n = t->p.n_entry, each = t->fine * t->coarse, rows = t->p.n_row;
  double *out = problem_host(rows * t->fine * n_coarse), *value = problem_host(n * each),
         *back = problem_host(n * each);
  int64_t *start = NULL, *source = NULL;
  int32_t *column = NULL, *node = NULL;
  assert_ok(mem_alloc(rows + 1, sizeof *start, "rows", (void **)&start));
  assert_ok(mem_alloc(n, sizeof *source, "source", (void **)&source));
  assert_ok(mem_alloc(n, sizeof *column, "columns", (void **)&column));
  assert_ok(mem_alloc(n, sizeof *node, "nodes", (void **)&node));
  assert_ok(exec_download(exec, start, t->p.start, (size_t)(rows + 1) * sizeof *start));
  assert_ok(exec_download(exec, source, t->source, (size_t)n * sizeof *source));
  assert_ok(exec_download(exec, column, t->p.column, (size_t)n * sizeof *column));
  assert_ok(exec_download(exec, node, t->transposed.column, (size_t)n * sizeof *node));
  assert_ok(exec_download(exec, value, t->value, (size_t)(n * each) * sizeof *value));
  assert_ok(exec_download(exec, back, t->transposed_value, (size_t)(n * each) * sizeof *back));
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t k = start[i]; k < start[i + 1]; ++k)
      for (int64_t e = 0; e < each; ++e)
        out[(i * t->fine + e / t->coarse) * n_coarse + column[k] * t->coarse + e % t->coarse] = value[k * each + e];
  for (int64_t k = 0; k < n; ++k)
    for (int r = 0; r < t->fine; ++r)
      for (int c = 0; c < t->coarse; ++c)
        assert_true(back[k * each + c * t->fine + r] == value[source[k] * each + r * t->coarse + c]);
  FREE(value);
  FREE(back);
  FREE(start);
  FREE(source);
  FREE(column);
  FREE(node);
  return out;
}

/* c = P^T a P */
static double *triple(const double *a, const double *P, int64_t n, int64_t m) {
  double *half = problem_host(n * m), *c = problem_host(m * m);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t k = 0; k < n; ++k)
      for (int64_t j = 0; a[i * n + k] != 0 && j < m; ++j) half[i * m + j] += a[i * n + k] * P[k * m + j];
  for (int64_t k = 0; k < n; ++k)
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; P[k * m + i] != 0 && j < m; ++j) c[i * m + j] += P[k * m + i] * half[k * m + j];
  FREE(half);
  return c;
}

/* Every level is P^T A P of the one above, to rounding, and the last inverse is one. Unit diagonal blocks
 * everywhere. */
static void galerkin_is_the_dense_product(void **state) {
  (void)state;
  const int size[3][3] = {{40, 1, 1}, {16, 15, 1}, {8, 7, 6}};
  for (int B = 1; B <= 3; ++B) {
    Problem p;
    problem_grid(size[B - 1][0], size[B - 1][1], size[B - 1][2], B, 10, &p);
    Setting s = bare(&p, NULL, 1, 0, B == 3 ? 20 : 9);
    give_motions(&s, size[B - 1][0], size[B - 1][1]);
    begin(&s, PRECISION_DOUBLE);
    const Amg *amg = s.m->own;
    assert_true(amg->n_level >= (B == 3 ? 2 : 3));
    assert_int_equal(amg->mg.n_level, amg->n_level);
    double *a = problem_dense(exec, amg->mg.level[0].a);
    for (int l = 0; l + 1 < amg->n_level; ++l) {
      const int64_t n = amg->mg.level[l].n, m = amg->mg.level[l + 1].n;
      double *P = dense_transfer(amg->mg.level[l].transfer, m), *c = triple(a, P, n, m);
      const bool last = l + 2 == amg->n_level;
      double *got = last ? problem_host(m * m) : problem_dense(exec, amg->mg.level[l + 1].a);
      if (last) assert_ok(exec_download(exec, got, amg->mg.inverse, (size_t)(m * m) * sizeof *got));
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < m; ++j) {
          double t = 0;
          for (int64_t k = 0; last && k < m; ++k) t += c[i * m + k] * got[k * m + j];
          if (last) assert_true(fabs(t - (i == j)) <= 1e-9);
          else if (i != j || c[i * m + i] != 0) assert_true(fabs(got[i * m + j] - c[i * m + j]) <= 1e-12);
          if (i / amg->m == j / amg->m && (i != j || c[i * m + i] != 0))
            assert_true(fabs(c[i * m + j] - (i == j)) <= 1e-11);
        }
      FREE(P);
      FREE(a);
      a = last ? NULL : got;
      if (last) FREE(got);
      FREE(c);
    }
    FREE(a);
    end(&s);
    problem_release(&p);
  }
}

/* The tentative prolongator: N = T R on all nodes in aggregates, columns of T orthonormal. */
static void near_null_vectors_are_kept(void **state) {
  (void)state;
  Problem p;
  problem_grid(9, 8, 7, 3, 100, &p);
  Setting s = bare(&p, NULL, 1, 0, 50);
  give_motions(&s, 9, 8);
  begin(&s, PRECISION_DOUBLE);
  Amg *amg = s.m->own;
  AmgLevel *v = &amg->level[0];
  assert_ok(amg_numeric_begin(s.m));
  const int64_t n = s.n * amg->m, n_next = (int64_t)v[1].n * amg->m * amg->m;
  double *N = problem_host(n), *T = problem_host(n), *R = problem_host(n_next),
         *next = problem_vector(exec, n_next, NULL);
  int32_t *of = NULL;
  assert_ok(mem_alloc(v->n, sizeof *of, "aggregates", (void **)&of));
  assert_ok(exec_download(exec, of, v->aggregates.of, (size_t)v->n * sizeof *of));
  assert_ok(exec_download(exec, N, v->modes, (size_t)n * sizeof *N));
  double *factor = problem_vector(exec, n_next, NULL);
  AmgGramArgs gram = {
      v->aggregates.member.start, v->aggregates.member.column, v->live, v->modes, factor, next, v->s, amg->m, false};
  const AmgOrthonormalArgs orthonormal = {v->aggregates.of, v->live, factor, v->modes, v->s, amg->m};
  for (; gram.again < 2; gram.again += 1) {
    assert_ok(exec_rows(exec, &amg_gram_kernel, &gram, v->aggregates.n));
    assert_ok(exec_rows(exec, &amg_orthonormal_kernel, &orthonormal, v->n));
  }
  EXEC_RELEASE(exec, factor, n_next);
  assert_ok(exec_download(exec, T, v->modes, (size_t)n * sizeof *T));
  assert_ok(exec_download(exec, R, next, (size_t)n_next * sizeof *R));
  int inside = 0;
  for (int32_t i = 0; i < v->n; ++i) {
    assert_true((of[i] < 0) == (i % 9 == 0)); /* held nodes */
    if (of[i] < 0) continue;
    ++inside;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 6; ++c) {
        double t = 0;
        for (int k = 0; k < 6; ++k) t += T[((int64_t)i * 3 + r) * 6 + k] * R[(int64_t)of[i] * 36 + k * 6 + c];
        assert_true(fabs(t - N[((int64_t)i * 3 + r) * 6 + c]) <= 1e-12 * 40);
      }
  }
  assert_true(inside == 8 * 8 * 7);
  for (int32_t g = 0; g < v->aggregates.n; ++g)
    for (int c = 0; c < 6; ++c)
      for (int d = 0; d <= c; ++d) {
        double t = 0;
        for (int32_t i = 0; i < v->n; ++i)
          for (int r = 0; of[i] == g && r < 3; ++r)
            t += T[((int64_t)i * 3 + r) * 6 + c] * T[((int64_t)i * 3 + r) * 6 + d];
        assert_true(fabs(t - (c == d)) <= 1e-12);
      }
  EXEC_RELEASE(exec, next, n_next);
  FREE(of);
  FREE(N);
  FREE(T);
  FREE(R);
  end(&s);
  problem_release(&p);
}

static void places_are_as_good_as_motions(void **state) {
  (void)state;
  for (int B = 2; B <= 3; ++B)
    for (int precision = PRECISION_DOUBLE; precision <= PRECISION_FLOAT; ++precision) {
      Problem p;
      problem_grid(9, 8, B == 3 ? 7 : 1, B, 10, &p);
      double *r = problem_host((int64_t)p.pattern->n * B), *z[2];
      for (int64_t i = 0; i < (int64_t)p.pattern->n * B; ++i) r[i] = problem_number(i);
      for (int way = 0; way < 2; ++way) {
        Setting s = bare(&p, NULL, 1, 0, 50);
        if (way == 0) give_motions(&s, 9, 8);
        else give_places(&s, 9, 8);
        begin(&s, (Precision)precision);
        assert_int_equal(((Amg *)s.m->own)->m, B == 2 ? 3 : 6);
        z[way] = problem_host(s.n);
        problem_precond(s.m, s.k, 1e-5, r, z[way]);
        end(&s);
      }
      assert_int_equal(status_warning_count(), 0);
      assert_memory_equal(z[0], z[1], (size_t)p.pattern->n * (size_t)B * sizeof **z);
      FREE(r);
      FREE(z[0]);
      FREE(z[1]);
      problem_release(&p);
    }
}

static void symmetric_and_positive(void **state) {
  (void)state;
  for (int B = 1; B <= 3; ++B)
    for (int way = 0; way < 6; ++way) {
      Problem p;
      if (way == 5) problem_random(70, B, 3, &p);
      else problem_grid(8, B > 1 ? 5 : 9, B > 2 ? 3 : 1, B, way == 4 ? 1e6 : 1, &p);
      Setting s = bare(&p, way == 3 ? "csr" : NULL, 1 + way % 2, way / 2 % 2, 7);
      s.degree = 1 + way % 3;
      if (way != 5) give_motions(&s, 8, B > 1 ? 5 : 9);
      begin(&s, PRECISION_DOUBLE);
      problem_precond_symmetric(s.m, s.k, 1e-12);
      end(&s);
      problem_release(&p);
    }
}

/* What saves memory does not change a bit: A P in parts, P^T from P; nor does, but for rounding, where the numbers are
 * read. */
static void lean_ways_are_the_same(void **state) {
  (void)state;
  enum { NX = 17, NY = 14, NZ = 13 };
  Problem p;
  problem_grid(NX, NY, NZ, 3, 10, &p);
  double *r = NULL, *z[4] = {NULL};
  for (int way = 0; way < 4; ++way) {
    Setting s = bare(&p, way == 3 ? "bell" : NULL, 1, 0, 50);
    s.lean = way == 1 || way == 2;
    give_motions(&s, NX, NY);
    begin(&s, PRECISION_DOUBLE);
    if (way == 2) assert_ok(try_set_up(&s)); /* once more, in the structure that is there */
    const Amg *amg = s.m->own;
    assert_true(amg->level[0].a.borrowed == (way != 3));
    assert_true((amg->level[0].n_part > 2) == s.lean);
    assert_true((amg->mg.level[0].transfer->transposed_value == NULL) == s.lean);
    if (!r) r = problem_host(s.n);
    z[way] = problem_host(s.n);
    for (int64_t i = 0; i < s.n; ++i) r[i] = problem_number(i);
    problem_precond(s.m, s.k, 1e-12, r, z[way]);
    double largest = 0;
    for (int64_t i = 0; i < s.n; ++i) largest = fmax(largest, fabs(z[0][i]));
    if (way < 3) assert_memory_equal(z[0], z[way], (size_t)s.n * sizeof *r);
    for (int64_t i = 0; i < s.n; ++i) assert_true(fabs(z[0][i] - z[way][i]) <= 1e-10 * largest);
    end(&s);
  }
  for (int way = 0; way < 4; ++way) FREE(z[way]);
  FREE(r);
  problem_release(&p);
}

/* New values go through the structure that is there, and give the same as a new preconditioner. */
static void values_change(void **state) {
  (void)state;
  Problem p;
  problem_grid(9, 8, 7, 3, 1, &p);
  Setting s = bare(&p, "sell", 1, 0, 50), fresh = bare(&p, "sell", 1, 0, 50);
  give_motions(&s, 9, 8);
  give_motions(&fresh, 9, 8);
  begin(&s, PRECISION_DOUBLE);
  for (int64_t e = 0; e < p.pattern->start[p.pattern->n] * 9; ++e) p.value[e] *= 3;
  for (int i = 0; i < p.pattern->n; i += 3) *problem_entry(&p, i, i, 1, 1) *= 1.01;
  problem_fill(&p, s.a);
  problem_fill(&p, fresh.a);
  assert_ok(try_set_up(&s));
  begin(&fresh, PRECISION_DOUBLE);
  double *r = problem_host(s.n), *z = problem_host(s.n), *again = problem_host(s.n);
  for (int64_t i = 0; i < s.n; ++i) r[i] = problem_number(i);
  problem_precond(s.m, s.k, 1e-12, r, z);
  problem_precond(fresh.m, fresh.k, 1e-12, r, again);
  assert_memory_equal(z, again, (size_t)s.n * sizeof *z);
  FREE(r);
  FREE(z);
  FREE(again);
  end(&s);
  end(&fresh);
  problem_release(&p);
}

static void same_bits_for_any_thread_count(void **state) {
  (void)state;
  if (!exec_is_host(exec)) return;
  Problem p;
  problem_grid(20, 17, 16, 3, 5, &p); /* more than 3 chunks of rows */
  const int64_t n = (int64_t)p.pattern->n * 3;
  double *first = problem_host(n), *x = problem_host(n), *z = problem_host(n);
  Exec *shared = exec;
  const int threads[] = {1, 2, 3, 7};
  for (int64_t i = 0; i < n; ++i) x[i] = problem_number(i);
  for (int t = 0; t < 4; ++t) {
    assert_ok(exec_create_cpu(threads[t], &exec));
    Setting s = bare(&p, NULL, 1, 0, 100);
    give_motions(&s, 20, 17);
    begin(&s, PRECISION_DOUBLE);
    problem_precond(s.m, s.k, 1e-12, x, z);
    if (t == 0) memcpy(first, z, (size_t)n * sizeof *z);
    assert_memory_equal(first, z, (size_t)n * sizeof *z);
    end(&s);
    exec_destroy(&exec);
  }
  exec = shared;
  FREE(first);
  FREE(x);
  FREE(z);
  problem_release(&p);
}

static void nothing_happens_after_a_stop(void **state) {
  (void)state;
  Problem p;
  problem_grid(9, 8, 1, 2, 1, &p);
  Setting s = bare(&p, NULL, 2, 0, 10);
  begin(&s, PRECISION_DOUBLE);
  problem_precond_stopped(s.m, s.k, 1e-12);
  end(&s);
  problem_release(&p);
}

static void it_does_not_coarsen(void **state) {
  (void)state;
  Problem p;
  problem_grid(2100, 1, 1, 1, 1, &p);
  Setting s = bare(&p, NULL, 1, 0, 10);
  s.value[AMG_STRENGTH] = 0.9;
  assert_ok(try_create(&s, PRECISION_DOUBLE));
  assert_fails(try_set_up(&s), ERR_NUMERIC, "strength = 0.9");
  assert_fails(try_set_up(&s), ERR_NUMERIC, "2100 nodes that cannot be coarsened"); /* and again */
  end(&s);
  problem_release(&p);
}

static void wrong_parameters(void **state) {
  (void)state;
  Problem p, other;
  problem_grid(6, 5, 4, 3, 1, &p);
  problem_grid(5, 5, 4, 3, 1, &other);
  const struct {
    int which;
    double value;
    const char *says;
  } cases[] = {{AMG_STRENGTH, -1, "strength is -1"},
               {AMG_STRENGTH, 1, "strength is 1, must lie in [0, 1)"},
               {AMG_DEGREE_OF_CYCLE, 4, "cycle is 4, must be one of: v, w, k"},
               {AMG_DEGREE_OF_CYCLE, 1.5, "cycle is 1.5, must be one of: v, w, k"},
               {AMG_SMOOTHER, 2, "smoother is 2"},
               {AMG_BOTTOM, 0, "bottom is 0"},
               {AMG_BOTTOM, NAN, "bottom is"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    Setting s = bare(&p, NULL, 1, 0, 50);
    s.value[cases[k].which] = cases[k].value;
    assert_fails(try_create(&s, PRECISION_DOUBLE), ERR_INPUT, cases[k].says);
    assert_null(s.m);
    end(&s);
  }
  Setting s = bare(&p, NULL, 1, 0, 50);
  s.degree = 9;
  assert_fails(try_create(&s, PRECISION_DOUBLE), ERR_INPUT, "degree of preconditioner 'amg' is 9, must lie in [1, 8]");
  s.degree = 0;
  double some = 0;
  const PrecondParams many = {.name = "amg", .pattern = p.pattern, .near_null = &some, .n_near_null = 7};
  assert_fails(precond_create(s.a, &many, s.k, &s.m), ERR_INPUT, "takes 1 to 6 near-null vectors, not 7");
  assert_fails(precond_create(s.a, &(PrecondParams){.name = "amg"}, s.k, &s.m), ERR_BUG, "graph of the matrix");
  s.p = &other;
  assert_fails(try_create(&s, PRECISION_DOUBLE), ERR_BUG, "not that of the matrix");
  end(&s);
  problem_release(&p);
  problem_release(&other);
}

typedef struct Attempt {
  Setting *s;
  Precision precision;
} Attempt;

static Status attempt(void *context) {
  const Attempt *a = context;
  Status status = try_create(a->s, a->precision);
  if (status == OK) status = try_set_up(a->s);
  precond_destroy(&a->s->m);
  return status;
}

static void every_allocation_failed_once(void **state) {
  (void)state;
  Problem p;
  problem_grid(12, 10, 1, 2, 1, &p);
  for (int precision = PRECISION_DOUBLE; precision <= PRECISION_FLOAT; ++precision) {
    Setting s = bare(&p, NULL, 1, 0, 20);
    s.lean = precision == PRECISION_FLOAT;
    give_motions(&s, 12, 10);
    assert_true(testing_fail_each(exec, attempt, &(Attempt){&s, (Precision)precision}) > 80);
    end(&s);
  }
  problem_release(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(galerkin_is_the_dense_product),
      cmocka_unit_test(near_null_vectors_are_kept),
      cmocka_unit_test(places_are_as_good_as_motions),
      cmocka_unit_test(symmetric_and_positive),
      cmocka_unit_test(values_change),
      cmocka_unit_test(lean_ways_are_the_same),
      cmocka_unit_test(same_bits_for_any_thread_count),
      cmocka_unit_test(nothing_happens_after_a_stop),
      cmocka_unit_test(it_does_not_coarsen),
      cmocka_unit_test(wrong_parameters),
      cmocka_unit_test(every_allocation_failed_once),
  };
  return testing_run("solver/amg", tests, exec);
}
