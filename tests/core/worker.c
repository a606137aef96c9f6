/* The thread that does jobs in order: a ring that is never overrun, failures, warnings, memory. */
#include "core/worker.h"
#include "core/exec.h"
#include "core/memory.h"
#include "tests/testing.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static Exec *exec;

enum { SLOTS = 3, JOBS = 200 };
typedef struct Work {
  int64_t slot[SLOTS]; /* job in it */
  _Atomic int64_t done;
  int64_t fail_at; /* job; -1: none */
  bool slow, allocates;
  bool wrong;
  double *taken[JOBS];
  pthread_t giver;
} Work;

static void sleep_us(long us) { nanosleep(&(struct timespec){0, 1000 * us}, NULL); }

static Status work(void *context, int32_t slot) {
  Work *w = context;
  const int64_t job = w->slot[slot];
  if (job != w->done || pthread_equal(pthread_self(), w->giver)) w->wrong = true;
  if (w->slow) sleep_us(300);
  if (w->allocates) ALLOC(w->taken[job], 10, "what a job takes");
  if (job == w->fail_at) {
    FAIL(ERR_IO, "job %d failed", (int)job);
    return status_context(ERR_IO, "the jobs before are done");
  }
  if (job == 1) status_warn("job %d warns%5000s", (int)job, "to the end");
  ++w->done;
  return OK;
}

static Status give_all(Work *w, int jobs, Worker **out) {
  Worker *worker = NULL;
  const WorkerParams params = {.n_slot = SLOTS, .context = w, .work = work};
  w->giver = pthread_self();
  Status status = worker_create(&params, &worker);
  for (int job = 0; job < jobs && status == OK; ++job) {
    int32_t slot = -1;
    status = worker_take(worker, &slot);
    if (status != OK) break;
    assert_in_range(slot, 0, SLOTS - 1);
    assert_true(job - w->done <= SLOTS);
    w->slot[slot] = job;
    worker_give(worker);
  }
  *out = worker;
  return status;
}

static void in_order(void **state) {
  (void)state;
  for (int slow = 0; slow < 2; ++slow) {
    Work w = {.fail_at = -1, .slow = slow};
    Worker *worker = NULL;
    status_warnings_clear();
    assert_ok(give_all(&w, JOBS, &worker));
    assert_true(w.done >= JOBS - SLOTS);
    assert_ok(worker_finish(worker));
    assert_int_equal(w.done, JOBS);
    assert_false(w.wrong);
    worker_destroy(&worker);
    assert_null(worker);
    assert_int_equal(status_warning_count(), 1);
    assert_int_equal(strlen(status_warning(0)), strlen("job 1 warns") + 5000);
    assert_non_null(strstr(status_warning(0), " to the end"));
    status_warnings_clear();
  }
}

/* Ending without finishing does what was given. */
static void ends(void **state) {
  (void)state;
  Work w = {.fail_at = -1, .slow = true};
  Worker *worker = NULL;
  assert_ok(give_all(&w, SLOTS, &worker));
  worker_destroy(&worker);
  assert_int_equal(w.done, SLOTS);
  worker_destroy(&worker);
  status_warnings_clear();
}

static void fails(void **state) {
  (void)state;
  for (int slow = 0; slow < 2; ++slow) {
    Work w = {.fail_at = 20, .slow = slow};
    Worker *worker = NULL;
    int32_t slot;
    assert_fails(give_all(&w, JOBS, &worker), ERR_IO, "job 20 failed\n  the jobs before are done");
    assert_fails(worker_finish(worker), ERR_IO, "job 20 failed\n  the jobs before are done");
    assert_fails(worker_take(worker, &slot), ERR_IO, "job 20 failed");
    assert_int_equal(w.done, 20); /* nothing behind it was done */
    worker_destroy(&worker);
    status_warnings_clear();
  }
}

/* Memory that jobs take counts where it is given back. */
static Status with_memory(void *context) {
  (void)context;
  Work w = {.fail_at = -1, .allocates = true};
  Worker *worker = NULL;
  Status status = give_all(&w, 8, &worker);
  if (worker && status == OK) status = worker_finish(worker);
  worker_destroy(&worker);
  for (int k = 0; k < 8; ++k) FREE(w.taken[k]);
  return status;
}

static void memory(void **state) {
  (void)state;
  assert_int_equal(testing_fail_each(exec, with_memory, NULL), 11); /* struct, thread, 8 jobs, and one that passes */
  status_warnings_clear();
  assert_fails(worker_create(&(WorkerParams){.n_slot = 0}, &(Worker *){NULL}), ERR_BUG, "0 slots");
}

/* Snapshots: filled on the Exec, waited for here, while the source goes on. */
typedef struct Taken {
  ExecSnapshot *snapshot[2];
  double sum[50];
  int n;
} Taken;

static Status add_up(void *context, int32_t slot) {
  Taken *t = context;
  const void *host;
  TRY(exec_snapshot_wait(t->snapshot[slot], &host));
  const double *x = host;
  for (int i = 0; i < 1000; ++i) t->sum[t->n] += x[i];
  ++t->n;
  return OK;
}

static void snapshots(void **state) {
  (void)state;
  const size_t bytes = 1000 * sizeof(double), before = mem_in_use(), on_exec = exec->in_use;
  Taken t = {.n = 0};
  double *x = NULL, host[1000];
  Worker *worker = NULL;
  const WorkerParams params = {.n_slot = 2, .context = &t, .work = add_up};
  assert_ok(exec_alloc(exec, 1000, sizeof *x, "x", (void **)&x));
  for (int k = 0; k < 2; ++k) assert_ok(exec_snapshot_create(exec, bytes, "a snapshot", &t.snapshot[k]));
  assert_true(exec->in_use >= on_exec + 3 * bytes);
  assert_ok(worker_create(&params, &worker));
  for (int k = 0; k < 50; ++k) {
    int32_t slot;
    for (int i = 0; i < 1000; ++i) host[i] = k;
    assert_ok(worker_take(worker, &slot));
    assert_ok(exec_upload(exec, x, host, bytes));
    assert_ok(exec_copy(exec, exec_snapshot_room(t.snapshot[slot]), x, bytes));
    assert_ok(exec_snapshot_send(t.snapshot[slot], bytes));
    worker_give(worker);
    assert_ok(exec_zero(exec, x, bytes)); /* the snapshot was before */
  }
  assert_ok(worker_finish(worker));
  for (int k = 0; k < 50; ++k) assert_true(t.sum[k] == 1000.0 * k);
  assert_fails(exec_snapshot_send(t.snapshot[0], bytes + 1), ERR_BUG, "bytes of a snapshot");
  worker_destroy(&worker);
  for (int k = 0; k < 2; ++k) exec_snapshot_destroy(&t.snapshot[k]);
  exec_snapshot_destroy(&t.snapshot[0]);
  exec_release(exec, 1000, sizeof *x, (void **)&x);
  assert_int_equal(mem_in_use(), before);
  assert_int_equal(exec->in_use, on_exec);
}

static Status one_snapshot(void *context) {
  (void)context;
  ExecSnapshot *snapshot = NULL;
  const Status status = exec_snapshot_create(exec, 100, "a snapshot", &snapshot);
  if (status != OK) assert_null(snapshot);
  exec_snapshot_destroy(&snapshot);
  return status;
}

static void snapshots_fail(void **state) {
  (void)state;
  assert_true(testing_fail_each(exec, one_snapshot, NULL) >= 3);
}

/* One as large as fields are: its host memory is made in another way. */
static void large_snapshot(void **state) {
  (void)state;
  const int64_t n = 2 << 20;
  const size_t on_exec = exec->in_use, bytes = (size_t)n * sizeof(double);
  ExecSnapshot *snapshot = NULL;
  const void *host = NULL;
  void *room = NULL;
  double *x = calloc((size_t)n, sizeof *x);
  for (int64_t i = 0; i < n; ++i) x[i] = (double)i;
  assert_ok(exec_alloc_upload(exec, n, sizeof *x, x, "numbers", &room)); /* a GPU's buffers are there from now on */
  exec_release(exec, n, sizeof *x, &room);
  const size_t before = mem_in_use();
  assert_ok(exec_snapshot_create(exec, bytes, "a snapshot", &snapshot));
  assert_true(exec->in_use >= on_exec + bytes && mem_in_use() >= before + bytes);
  assert_ok(exec_upload(exec, exec_snapshot_room(snapshot), x, bytes));
  assert_ok(exec_snapshot_send(snapshot, bytes));
  assert_ok(exec_snapshot_wait(snapshot, &host));
  assert_memory_equal(host, x, bytes);
  exec_snapshot_destroy(&snapshot);
  assert_int_equal(mem_in_use(), before);
  assert_int_equal(exec->in_use, on_exec);
  free(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(in_order),      cmocka_unit_test(ends),
                                     cmocka_unit_test(fails),         cmocka_unit_test(memory),
                                     cmocka_unit_test(snapshots),     cmocka_unit_test(large_snapshot),
                                     cmocka_unit_test(snapshots_fail)};
  return testing_run("worker", tests, exec);
}
