/* Loops: how often the body is called, exact stops, reuse, progress, and what a body may not do. */
#include "tests/testing.h"

#include <string.h>
#include <time.h>

#include "core/memory.h"
#include "core/vec.h"

enum { N = 3000 };

typedef struct Turns {
  Exec *exec;
  double *x, *one, *copy, *cleared, *dot; /* [N], dot [1] */
  int32_t *left, *stop;
  int body_calls;
  bool slow;        /* on the host: a millisecond per turn */
  Status fail_with; /* the body's own failure */
} Turns;

static Turns turns_create(void) {
  Turns t = {.exec = testing_exec()};
  assert_ok(exec_alloc(t.exec, N, sizeof *t.x, "x", (void **)&t.x));
  assert_ok(exec_alloc(t.exec, N, sizeof *t.x, "one", (void **)&t.one));
  assert_ok(exec_alloc(t.exec, N, sizeof *t.x, "copy", (void **)&t.copy));
  assert_ok(exec_alloc(t.exec, N, sizeof *t.x, "cleared", (void **)&t.cleared));
  assert_ok(exec_alloc(t.exec, 1, sizeof *t.dot, "dot", (void **)&t.dot));
  assert_ok(exec_alloc(t.exec, 1, sizeof *t.left, "left", (void **)&t.left));
  assert_ok(exec_alloc(t.exec, 1, sizeof *t.stop, "stop", (void **)&t.stop));
  assert_ok(vec_fill(t.exec, N, 1, t.one));
  assert_ok(vec_fill(t.exec, N, 7, t.cleared));
  assert_ok(exec_zero(t.exec, t.x, N * sizeof *t.x));
  return t;
}

static void turns_release(Turns *t) {
  exec_release(t->exec, N, sizeof *t->x, (void **)&t->x);
  exec_release(t->exec, N, sizeof *t->x, (void **)&t->one);
  exec_release(t->exec, N, sizeof *t->x, (void **)&t->copy);
  exec_release(t->exec, N, sizeof *t->x, (void **)&t->cleared);
  exec_release(t->exec, 1, sizeof *t->dot, (void **)&t->dot);
  exec_release(t->exec, 1, sizeof *t->left, (void **)&t->left);
  exec_release(t->exec, 1, sizeof *t->stop, (void **)&t->stop);
  assert_int_equal(t->exec->in_use, 0);
  exec_destroy(&t->exec);
  assert_int_equal(mem_in_use(), 0);
}

static Status one_turn(Exec *exec, void *context) {
  Turns *t = context;
  ++t->body_calls;
  if (t->fail_with != OK) return FAIL(t->fail_with, "the body's own failure");
  TRY(vec_axpy(exec, N, 1, t->one, t->x));
  TRY(exec_copy(exec, t->copy, t->x, N * sizeof *t->x));
  TRY(exec_zero(exec, t->cleared, N * sizeof *t->x));
  TRY(vec_dot(exec, N, t->x, t->one, t->dot));
  if (t->slow && exec_is_host(exec)) nanosleep(&(struct timespec){0, 1000000}, NULL);
  return vec_countdown(exec, t->left, t->stop);
}

static void set(Turns *t, int32_t left) {
  const int32_t zero = 0;
  assert_ok(exec_upload(t->exec, t->left, &left, sizeof left));
  assert_ok(exec_upload(t->exec, t->stop, &zero, sizeof zero));
}

/* x counted `turns` in all, the last turn's copy, sum and clearing took place, stop is as wanted. */
static void check(Turns *t, int turns, int32_t stopped) {
  static double x[N], copy[N], cleared[N];
  double dot;
  int32_t stop;
  assert_ok(exec_download(t->exec, x, t->x, sizeof x));
  assert_ok(exec_download(t->exec, copy, t->copy, sizeof copy));
  assert_ok(exec_download(t->exec, cleared, t->cleared, sizeof cleared));
  assert_ok(exec_download(t->exec, &dot, t->dot, sizeof dot));
  assert_ok(exec_download(t->exec, &stop, t->stop, sizeof stop));
  for (int i = 0; i < N; ++i) assert_true(x[i] == turns && copy[i] == turns && cleared[i] == 0);
  assert_true(dot == (double)turns * N);
  assert_int_equal(stop, stopped);
}

static void run_counts(bool debug) {
  Turns t = turns_create();
  t.exec->check = debug || testing_checks();
  ExecLoop *loop = NULL;
  assert_ok(exec_loop_create(t.exec, one_turn, &t, t.stop, &loop));
  assert_int_equal(t.body_calls, 0);
  const struct {
    int32_t left;
    int64_t max;
    int turns; /* of this run */
    int32_t stopped;
  } run[] = {{5, 100, 5, 1}, {100, 7, 7, 0},         {1, 100, 1, 1},  {100, 1, 1, 0}, {3, 3, 3, 1},
             {4, 3, 3, 0},   {50, INT64_MAX, 50, 1}, {1000, 0, 0, 0}, {0, 100, 1, 1}};
  int turns = 0;
  for (size_t k = 0; k < sizeof run / sizeof *run; ++k) {
    set(&t, run[k].left);
    assert_ok(exec_loop_run(loop, run[k].max, NULL, NULL));
    turns += run[k].turns;
    check(&t, turns, run[k].stopped);
  }
  assert_int_equal(t.body_calls,
                   exec_is_host(t.exec) || t.exec->check ? turns : 1); /* recorded once, or called every turn */
  exec_loop_destroy(&loop);
  assert_null(loop);
  exec_loop_destroy(&loop);
  turns_release(&t);
}

static void test_counts(void **state) {
  (void)state;
  run_counts(false);
}

static void test_counts_checked(void **state) {
  (void)state;
  run_counts(true);
}

/* Two loops of one Exec take turns, and ordinary launches stand between them. */
static void test_two_loops(void **state) {
  (void)state;
  Turns t = turns_create();
  ExecLoop *a = NULL, *b = NULL;
  assert_ok(exec_loop_create(t.exec, one_turn, &t, t.stop, &a));
  assert_ok(exec_loop_create(t.exec, one_turn, &t, t.stop, &b));
  for (int k = 0; k < 3; ++k) {
    set(&t, 2);
    assert_ok(exec_loop_run(a, 10, NULL, NULL));
    assert_ok(vec_axpy(t.exec, N, 1, t.one, t.x));
    set(&t, 3);
    assert_ok(exec_loop_run(b, 10, NULL, NULL));
    check(&t, 6 * (k + 1), 1);
  }
  exec_loop_destroy(&a);
  exec_loop_destroy(&b);
  turns_release(&t);
}

typedef struct Progress {
  volatile const int32_t *left;
  int calls;
  int32_t last;
  bool falling;
} Progress;

static void poll(void *context) {
  Progress *p = context;
  const int32_t left = *p->left;
  if (left >= p->last) p->falling = false;
  p->last = left;
  ++p->calls;
}

static void test_poll(void **state) {
  (void)state;
  Turns t = turns_create();
  exec_release(t.exec, 1, sizeof *t.left, (void **)&t.left);
  int32_t *host = NULL;
  assert_ok(exec_mirror_alloc(t.exec, sizeof *host, (void **)&host, (void **)&t.left));
  t.slow = true;
  const int32_t turns = exec_is_host(t.exec) ? 150 : testing_checks() ? 2000 : 40000;
  const int32_t zero = 0;
  *host = turns;
  assert_ok(exec_upload(t.exec, t.stop, &zero, sizeof zero));
  ExecLoop *loop = NULL;
  assert_ok(exec_loop_create(t.exec, one_turn, &t, t.stop, &loop));
  Progress progress = {host, 0, turns, true};
  assert_ok(exec_loop_run(loop, INT64_MAX, poll, &progress));
  assert_int_equal(*host, 0);
  assert_true(progress.calls >= 1); /* about every 0.1 s of 0.15 s and more */
  assert_true(progress.falling && progress.last >= 0);
  exec_loop_destroy(&loop);
  exec_mirror_release(t.exec, (void **)&host);
  t.left = NULL;
  turns_release(&t);
}

/* What a body may not do, by number. */
typedef struct Misdeed {
  Turns *turns;
  ExecLoop *loop;
  int what;
  void *p;
} Misdeed;

static void nobody(void *context) { (void)context; }

static Status forbidden(Exec *exec, void *context) {
  Misdeed *m = context;
  double number = 0;
  void *p = NULL, *q = NULL;
  ExecLoop *inner = NULL;
  switch (m->what) {
  case 0: return exec_alloc(exec, 1, 8, "x", &p);
  case 1: return exec_upload(exec, m->turns->x, &number, sizeof number);
  case 2: return exec_download(exec, &number, m->turns->x, sizeof number);
  case 3: return exec_sync(exec);
  case 4: return exec_loop_create(exec, one_turn, m->turns, m->turns->stop, &inner);
  case 5: return exec_loop_run(m->loop, 1, nobody, NULL);
  case 6: return exec_mark(exec, 0);
  case 7: return exec_elapsed(exec, 0, 0, &number);
  case 8: return exec_mirror_alloc(exec, 8, &p, &q);
  default: exec_release(exec, 1, 8, &m->p); return vec_countdown(exec, m->turns->left, m->turns->stop);
  }
}

static void test_forbidden(void **state) {
  (void)state;
  const char *message[] = {"allocating",      "uploading",       "downloading",         "synchronising",
                           "creating a loop", "watching a loop", "setting a time mark", "reading a time mark",
                           "allocating",      "releasing"};
  Turns t = turns_create();
  ExecLoop *good = NULL;
  assert_ok(exec_loop_create(t.exec, one_turn, &t, t.stop, &good));
  int turns = 0;
  for (int what = 0; what < 10; ++what) {
    Misdeed m = {&t, NULL, what, NULL};
    if (what == 9) {
      if (!exec_is_host(t.exec)) continue; /* tests/gpu: the memory would stay allocated */
      assert_ok(exec_alloc(t.exec, 1, 8, "released too early", &m.p));
    }
    assert_ok(exec_loop_create(t.exec, forbidden, &m, t.stop, &m.loop));
    set(&t, 1);
    assert_fails(exec_loop_run(m.loop, 3, NULL, NULL), ERR_BUG, message[what]);
    assert_non_null(strstr(status_message(), "is not allowed while a loop body is recorded"));
    assert_false(t.exec->recording);
    exec_loop_destroy(&m.loop);
    set(&t, 2); /* nothing is broken by it */
    assert_ok(exec_loop_run(good, 10, NULL, NULL));
    check(&t, turns += 2, 1);
  }
  exec_loop_destroy(&good);
  turns_release(&t);
}

static void test_body_fails(void **state) {
  (void)state;
  Turns t = turns_create();
  ExecLoop *loop = NULL;
  assert_ok(exec_loop_create(t.exec, one_turn, &t, t.stop, &loop));
  t.fail_with = ERR_NUMERIC;
  set(&t, 4);
  assert_fails(exec_loop_run(loop, 10, NULL, NULL), ERR_NUMERIC, "the body's own failure");
  assert_false(t.exec->recording);
  t.fail_with = OK; /* the loop can be run again */
  assert_ok(exec_loop_run(loop, 10, NULL, NULL));
  check(&t, 4, 1);
  exec_loop_destroy(&loop);
  turns_release(&t);
}

/* A loop in each turn of which another goes its turns, until it stops or has had its most, between launches of the first. */
typedef struct Nest {
  Turns t; /* of the outer loop; x counts turns of the inner one */
  ExecLoop *inner;
  int32_t *left, *stop, *again; /* on the Exec: of the inner one, and how many turns it has */
  int64_t most;
} Nest;

static Status inner_turn(Exec *exec, void *context) {
  Nest *n = context;
  TRY(vec_axpy(exec, N, 1, n->t.one, n->t.x));
  return vec_countdown(exec, n->left, n->stop);
}

static Status outer_turn(Exec *exec, void *context) {
  Nest *n = context;
  TRY(exec_copy(exec, n->left, n->again, sizeof *n->again));
  TRY(exec_zero(exec, n->stop, sizeof *n->stop));
  TRY(exec_loop_run(n->inner, n->most, NULL, NULL));
  TRY(exec_copy(exec, n->t.copy, n->t.x, N * sizeof *n->t.x));
  TRY(exec_zero(exec, n->t.cleared, N * sizeof *n->t.x));
  TRY(vec_dot(exec, N, n->t.x, n->t.one, n->t.dot));
  return vec_countdown(exec, n->t.left, n->t.stop);
}

static void run_nested(bool debug) {
  static const struct {
    int32_t outer, inner;
    int64_t most;
    int turns;
  } run[] = {{3, 4, 100, 12}, {1, 1, 1, 1}, {5, 7, 2, 10}, {2, 9, INT64_MAX, 18}};
  for (size_t k = 0; k < sizeof run / sizeof *run; ++k) {
    Nest n = {.t = turns_create(), .most = run[k].most};
    ExecLoop *outer = NULL;
    Exec *exec = n.t.exec;
    exec->check = debug || testing_checks();
    assert_ok(exec_alloc(exec, 1, sizeof *n.left, "left", (void **)&n.left));
    assert_ok(exec_alloc(exec, 1, sizeof *n.stop, "stop", (void **)&n.stop));
    assert_ok(exec_alloc(exec, 1, sizeof *n.again, "again", (void **)&n.again));
    assert_ok(exec_upload(exec, n.again, &run[k].inner, sizeof run[k].inner));
    assert_ok(exec_loop_create(exec, inner_turn, &n, n.stop, &n.inner));
    assert_ok(exec_loop_create(exec, outer_turn, &n, n.t.stop, &outer));
    for (int times = 1; times <= 2; ++times) {
      set(&n.t, run[k].outer);
      assert_ok(exec_loop_run(outer, 100, NULL, NULL));
      check(&n.t, times * run[k].turns, 1);
    }
    exec_loop_destroy(&outer);
    exec_loop_destroy(&n.inner);
    exec_release(exec, 1, sizeof *n.left, (void **)&n.left);
    exec_release(exec, 1, sizeof *n.stop, (void **)&n.stop);
    exec_release(exec, 1, sizeof *n.again, (void **)&n.again);
    turns_release(&n.t);
  }
}

static void test_nested(void **state) {
  (void)state;
  run_nested(false);
  run_nested(true);
}

static void test_create_fails(void **state) {
  (void)state;
  Turns t = turns_create();
  const size_t device_before = t.exec->in_use;
  ExecLoop *loop = NULL;
  testing_fail_each_of(exec_loop_create(t.exec, one_turn, &t, t.stop, &loop), {
    assert_true(!loop == failed);
    exec_loop_destroy(&loop);
    assert_int_equal(t.exec->in_use, device_before);
  });
  turns_release(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_counts),       cmocka_unit_test(test_counts_checked), cmocka_unit_test(test_two_loops),
      cmocka_unit_test(test_poll),         cmocka_unit_test(test_forbidden),      cmocka_unit_test(test_body_fails),
      cmocka_unit_test(test_create_fails), cmocka_unit_test(test_nested),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
