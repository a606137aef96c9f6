/* What all tests share: cmocka with its headers in order, and the Exec under test. */
#pragma once
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "core/exec.h"
#include "core/memory.h"
#include "core/status.h"

/* A part that cannot run here, such as one without its mesh, makes the whole program "skipped" to CTest unless a test
 * fails: "passed" is said only where all of it ran. skip() ends the test; testing_missing says what is not there and
 * goes on. */
void testing_missing(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* What main returns: the tests that failed, else 77 where something was skipped. */
int testing_result(int failed);
#undef skip
#define skip() (testing_missing("%s:%d", __FILE__, __LINE__), _skip(__FILE__, __LINE__))
#undef cmocka_run_group_tests
#undef cmocka_run_group_tests_name
#define cmocka_run_group_tests(tests, setup, teardown) cmocka_run_group_tests_name(#tests, tests, setup, teardown)
#define cmocka_run_group_tests_name(name, tests, setup, teardown)                                                      \
  testing_result(_cmocka_run_group_tests((name), (tests), sizeof(tests) / sizeof((tests)[0]), (setup), (teardown)))

/* The Exec named by the environment variable SINEW_TEST_BACKEND ("cpu" when unset). Exits with 77 (skipped) when that
 * is "cuda" and no GPU is there. With SINEW_CHECK_LAUNCHES set, loops run turn by turn and every launch is checked: so
 * that compute-sanitizer follows them, which it does not in a graph's WHILE node (13.0 reports reads inside live
 * memory). */
Exec *testing_exec(void);
/* The same for a rank, joined to the others; on GPUs those of the host in turns. `threads` of the CPU. */
Status testing_rank_exec(Comm *comm, int threads, Exec **out);
/* The body of a main: makes the Exec under test, runs the group of tests (an array) on it and destroys it; the number
 * of tests that failed. `exec` is the variable through which the tests know it. */
#define testing_run(name, tests, exec)                                                                                 \
  ((exec) = testing_exec(), testing_stop(&(exec), cmocka_run_group_tests_name((name), (tests), NULL, NULL)))
/* Destroys the Exec and hands `failed` on. */
int testing_stop(Exec **exec, int failed);
/* SINEW_CHECK_LAUNCHES is set: launches are slow, tests take smaller problems. */
bool testing_checks(void);
/* Fails the test with the message chain when status is not OK. */
#define assert_ok(expression)                                                                                          \
  do {                                                                                                                 \
    const Status assert_status_ = (expression);                                                                        \
    if (assert_status_ != OK) fail_msg("%s: %s", status_text(assert_status_), status_message());                       \
  } while (0)
/* Fails unless the status is `wanted` and the message holds `part`. */
#define assert_fails(expression, wanted, part)                                                                         \
  do {                                                                                                                 \
    const Status assert_status_ = (expression);                                                                        \
    testing_check_failure(assert_status_, (wanted), (part), __FILE__, __LINE__);                                       \
  } while (0)
void testing_check_failure(Status got, Status wanted, const char *part, const char *file, int line);
/* Memory that ran short: ERR_MEMORY on the host, ERR_GPU on a GPU, whose memory fails on demand too. */
#define assert_out_of_memory(status) assert_true((status) == ERR_MEMORY || (status) == ERR_GPU)
/* Fails the first allocation of `attempt`, then the second and so on, until it makes fewer than that. `attempt` gives
 * back all it took. Each failure must be told as memory that ran short, the last attempt must answer OK, and after each
 * the host memory in use and that of `exec` must be what they were. Returns the number of attempts, one more than the
 * allocations failed. */
int64_t testing_fail_each(const Exec *exec, Status (*attempt)(void *context), void *context);
/* The same of `attempt`, an expression, where it makes something: the statement `undo` gives that back after each attempt and may
 * look at `failed`. Of memory on the host only. */
#define testing_fail_each_of(attempt, undo)                                                                            \
  ({                                                                                                                   \
    const size_t testing_before_ = mem_in_use();                                                                       \
    int64_t testing_nth_ = 0;                                                                                          \
    for (bool failed = true; failed;) {                                                                                \
      mem_fail_nth(++testing_nth_);                                                                                    \
      failed = testing_failed((attempt), testing_nth_);                                                                \
      undo;                                                                                                            \
      assert_int_equal(mem_in_use(), testing_before_);                                                                 \
    }                                                                                                                  \
    testing_nth_;                                                                                                      \
  })
/* Whether the nth allocation was reached, which an attempt with this status tells. */
bool testing_failed(Status status, int64_t nth);
/* |a - b| <= tolerance, in the unit of both. NaN fails, here and below. */
void assert_within(double a, double b, double tolerance);
/* |a - b| <= tolerance |b|; fails where b is 0. */
void assert_relative(double a, double b, double tolerance);
/* Equal up to rounding: |a - b| <= rounding max(1, |b|). Fails where rounding is above 1e-6: then say which of the two
 * above. */
void assert_near(double a, double b, double rounding);
