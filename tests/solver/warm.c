/* Starts from solutions before: the combination nearest in the norm of A, against modified Gram-Schmidt in that norm on the host. */
#include "solver/krylov/warm.h"
#include "core/memory.h"
#include "core/vec.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static Exec *exec;

enum { N = 1300 /* more than one chunk of a sum */, MOST = 30, KEPT = 8 };

/* A = tridiagonal (-1, 2 + i / N, -1). */
static void apply(const double *x, double *y) {
  for (int i = 0; i < N; ++i) y[i] = (2 + (double)i / N) * x[i] - (i ? x[i - 1] : 0) - (i + 1 < N ? x[i + 1] : 0);
}
static double dot(const double *x, const double *y) {
  double s = 0;
  for (int i = 0; i < N; ++i) s += x[i] * y[i];
  return s;
}

/* A front that runs, and a pulse behind it. */
static void solution(double t, double *x) {
  for (int i = 0; i < N; ++i) {
    const double s = (i - 300 - 11 * t) / 40, p = (i - 100 - 7 * t) / 90;
    x[i] = tanh(s) + 0.3 * exp(-p * p) * cos(0.1 * t) + 1e-3 * sin(3 * t + i);
  }
}

typedef struct Sequence {
  Warm *warm;
  double *b, *r, *x, *zero; /* on the Exec */
  int32_t *skip;            /* on the Exec, [2]: 0, 1 */
  double *kept;             /* host, [MOST][N]: what was kept */
  int n;
  WarmNear near; /* none */
} Sequence;

static double *room(void) {
  double *x = NULL;
  assert_ok(exec_alloc(exec, N, sizeof *x, "a test", (void **)&x));
  return x;
}
static void begin(Sequence *s) {
  static const int32_t flags[2] = {0, 1};
  *s = (Sequence){.b = room(), .r = room(), .x = room()};
  assert_ok(warm_create(exec, N, &s->warm));
  assert_ok(exec_alloc(exec, 2, sizeof *s->skip, "a test", (void **)&s->skip));
  assert_ok(exec_upload(exec, s->skip, flags, sizeof flags));
  s->kept = test_calloc(MOST * N, sizeof *s->kept);
}
static void end(Sequence *s) {
  warm_destroy(&s->warm);
  EXEC_RELEASE(exec, s->b, N);
  EXEC_RELEASE(exec, s->r, N);
  EXEC_RELEASE(exec, s->x, N);
  EXEC_RELEASE(exec, s->skip, 2);
  test_free(s->kept);
}

/* x with b = A x + r, r drawn. */
static void keep(Sequence *s, const double *x, const int32_t *skip) {
  static double b[N], r[N];
  apply(x, b);
  for (int i = 0; i < N; ++i) b[i] += r[i] = 1e-3 * sin(17 * i + s->n);
  assert_ok(exec_upload(exec, s->b, b, sizeof b));
  assert_ok(exec_upload(exec, s->r, r, sizeof r));
  assert_ok(exec_upload(exec, s->x, x, sizeof b));
  assert_ok(warm_keep(s->warm, s->b, s->r, &s->near, s->x, skip));
  if (skip != s->skip + 1) memcpy(s->kept + N * s->n++, x, sizeof b);
}

/* Start for the solution `to`, to x; the norm of its error. */
static double start(Sequence *s, const double *to, double *x) {
  static double b[N], e[N], image[N];
  apply(to, b);
  assert_ok(exec_upload(exec, s->b, b, sizeof b));
  assert_ok(warm_begin(s->warm, s->b, &s->near, s->x));
  assert_ok(exec_download(exec, x, s->x, sizeof b));
  for (int i = 0; i < N; ++i) e[i] = to[i] - x[i];
  apply(e, image);
  return sqrt(dot(e, image));
}

/* The same of the best combination of the last solutions, from the oldest to the newest. */
static double least(const Sequence *s, const double *to) {
  static double q[KEPT][N], image[KEPT][N], e[N], a[N];
  int n = 0;
  memcpy(e, to, sizeof e);
  for (int k = s->n > KEPT ? s->n - KEPT : 0; k < s->n; ++k) {
    memcpy(q[n], s->kept + N * k, sizeof e);
    for (int turn = 0; turn < 2; ++turn)
      for (int j = 0; j < n; ++j) {
        const double c = dot(q[n], image[j]);
        for (int i = 0; i < N; ++i) q[n][i] -= c * q[j][i];
      }
    apply(q[n], image[n]);
    const double length = sqrt(dot(q[n], image[n]));
    if (length < 1e-9) continue;
    for (int i = 0; i < N; ++i) q[n][i] /= length, image[n][i] /= length;
    ++n;
  }
  for (int j = 0; j < n; ++j) {
    const double c = dot(e, image[j]);
    for (int i = 0; i < N; ++i) e[i] -= c * q[j][i];
  }
  apply(e, a);
  return sqrt(dot(e, a));
}

static double error_of(const Sequence *s, const double *to, const double factor[3]) {
  static double e[N], image[N];
  memcpy(e, to, sizeof e);
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < N; ++i) e[i] -= factor[k] * s->kept[N * (s->n - 1 - k) + i];
  apply(e, image);
  return sqrt(dot(e, image));
}

static void is_nearest(void **state) {
  (void)state;
  static double to[N], x[N];
  Sequence s;
  begin(&s);
  for (int k = 0; k < 20; ++k) {
    solution(k, to);
    const double error = start(&s, to, x), best = least(&s, to);
    if (k == 0) assert_true(dot(x, x) == 0);
    assert_true(fabs(error - best) <= 1e-7 * best);
    if (k >= 3) {
      const double line = error_of(&s, to, (double[]){2, -1, 0}), parabola = error_of(&s, to, (double[]){3, -3, 1});
      if (k == 19) print_message("error %.3g, on a line %.3g, on a parabola %.3g\n", error, line, parabola);
      assert_true(error < line && error < parabola);
    }
    keep(&s, to, k % 2 ? NULL : s.skip);
  }
  end(&s);
}

/* A solution that does not count is as if it had not been; the same one twice adds nothing and spoils nothing. */
static void leaves_out(void **state) {
  (void)state;
  static double to[N], x[N], bad[N];
  Sequence s;
  begin(&s);
  for (int i = 0; i < N; ++i) bad[i] = i == 5 ? (double)NAN : 1;
  for (int k = 0; k < 11; ++k) {
    solution(k, to);
    keep(&s, to, NULL);
    if (k % 3 == 0) keep(&s, to, NULL);
    keep(&s, bad, s.skip + 1);
    solution(k + 1, to);
    const double error = start(&s, to, x), best = least(&s, to);
    assert_true(fabs(error - best) <= 1e-6 * best);
  }
  solution(8, to); /* among those that are kept */
  assert_true(start(&s, to, x) < 1e-5);
  assert_ok(warm_forget(s.warm));
  assert_true(start(&s, to, x) > 1 && dot(x, x) == 0);
  end(&s);
}

/* Of x = 3 v and something that grows evenly in time, whatever v does: on the line through the last two once v is known. */
static void near_a_vector(void **state) {
  (void)state;
  static double v[N], x[N], y[N], b[N], got[N];
  Sequence s;
  begin(&s);
  double *near = room();
  s.near = (WarmNear){near, 3};
  for (int k = 0; k < 5; ++k) {
    for (int i = 0; i < N; ++i) {
      v[i] = sin(1.7 * k * k + 0.01 * i * k); /* nothing that one knows from those before */
      y[i] = (1 + 0.25 * k) * cos(0.02 * i) + k * sin(0.05 * i);
      x[i] = 3 * v[i] + y[i];
    }
    apply(y, b);
    assert_ok(exec_upload(exec, near, v, sizeof v));
    assert_ok(exec_upload(exec, s.b, b, sizeof b));
    assert_ok(warm_begin(s.warm, s.b, &s.near, s.x));
    assert_ok(exec_download(exec, got, s.x, sizeof got));
    for (int i = 0; i < N; ++i) {
      if (k == 0) assert_true(fabs(got[i] - 3 * v[i]) < 1e-14);
      if (k > 1) assert_true(fabs(got[i] - x[i]) < 1e-9);
    }
    assert_ok(exec_upload(exec, s.x, x, sizeof x));
    assert_ok(exec_zero(exec, s.r, sizeof v));
    assert_ok(warm_keep(s.warm, s.b, s.r, &s.near, s.x, NULL));
  }
  EXEC_RELEASE(exec, near, N);
  end(&s);
}

/* Its state elsewhere is it. */
static void goes_on(void **state) {
  (void)state;
  static double to[N], x[2][N];
  Sequence s, other;
  double *vector[2], *number[2];
  int32_t n_vector, n_number;
  begin(&s);
  begin(&other);
  for (int k = 0; k < 13; ++k) {
    solution(k, to);
    keep(&s, to, NULL);
  }
  warm_state(s.warm, &vector[0], &n_vector, &number[0], &n_number);
  warm_state(other.warm, &vector[1], &n_vector, &number[1], &n_number);
  assert_ok(exec_copy(exec, vector[1], vector[0], (size_t)n_vector * N * sizeof(double)));
  assert_ok(exec_copy(exec, number[1], number[0], (size_t)n_number * sizeof(double)));
  solution(13, to);
  start(&s, to, x[0]);
  start(&other, to, x[1]);
  assert_memory_equal(x[0], x[1], sizeof x[0]);
  end(&s);
  end(&other);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(is_nearest), cmocka_unit_test(leaves_out),
                                     cmocka_unit_test(near_a_vector), cmocka_unit_test(goes_on)};
  return testing_run("solver/warm", tests, exec);
}
