/* Shared by all tests, see testing.h. */
#include "tests/testing.h"
#include "core/comm.h"
#include "core/exec_spoil.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#ifdef SINEW_HAVE_GPU_ROOM
#include "gpu/exec/cuda_exec.h"
#endif

/* What is read before it is written would pass on a CPU, whose memory is clear, and fail on a GPU. */
__attribute__((constructor)) static void spoil(void) { exec_spoil_new(); }

bool testing_checks(void) { return getenv("SINEW_CHECK_LAUNCHES") != NULL; }

Exec *testing_exec(void) {
  const char *backend = getenv("SINEW_TEST_BACKEND");
  Exec *exec = NULL;
  if (backend && !strcmp(backend, "cuda")) {
#ifdef SINEW_HAVE_GPU_ROOM
    char why[256];
    if (cuda_usable(why, sizeof why)) {
      assert_ok(exec_create_cuda(&exec));
      exec->check = testing_checks();
      return exec;
    }
    fprintf(stderr, "skipped: %s\n", why);
#else
    fprintf(stderr, "skipped: built without CUDA\n");
#endif
    exit(77);
  }
  assert_ok(exec_create_cpu(0, &exec));
  return exec;
}

Status testing_rank_exec(Comm *comm, int threads, Exec **out) {
  const char *backend = getenv("SINEW_TEST_BACKEND");
  *out = NULL;
  if (!backend || strcmp(backend, "cuda")) TRY(exec_create_cpu(threads, out));
#ifdef SINEW_HAVE_GPU_ROOM
  else {
    TRY(cuda_choose(comm ? comm->local_rank : 0));
    TRY(exec_create_cuda(out));
    (*out)->check = testing_checks();
  }
#endif
  CHECK(*out, ERR_GPU, "built without CUDA");
  return exec_join(*out, comm);
}

static bool missing;

void testing_missing(const char *format, ...) {
  char what[512];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  fprintf(stderr, "skipped: %s\n", what);
  missing = true;
}

int testing_result(int failed) { return failed == 0 && missing ? 77 : failed; }

int testing_stop(Exec **exec, int failed) {
  exec_destroy(exec);
  return failed;
}

void testing_check_failure(Status got, Status wanted, const char *part, const char *file, int line) {
  if (got != wanted)
    fail_msg("%s:%d: status '%s' expected, got '%s': %s", file, line, status_text(wanted), status_text(got),
             status_message());
  if (!strstr(status_message(), part))
    fail_msg("%s:%d: message should hold \"%s\" but is: %s", file, line, part, status_message());
}

bool testing_failed(Status status, int64_t nth) {
  const bool reached = mem_count() >= nth;
  mem_fail_nth(0);
  if (!reached) assert_ok(status);
  else if (status != ERR_MEMORY && (status != ERR_GPU || !getenv("SINEW_TEST_BACKEND")))
    fail_msg("allocation %lld: %s: %s", (long long)nth, status_text(status), status_message());
  status_clear();
  return reached;
}

int64_t testing_fail_each(const Exec *exec, Status (*attempt)(void *context), void *context) {
  const size_t before = mem_in_use(), on_exec = exec->in_use;
  for (int64_t nth = 1;; ++nth) {
    mem_fail_nth(nth);
    const Status status = attempt(context);
    const int64_t count = mem_count();
    mem_fail_nth(0);
    assert_int_equal(mem_in_use(), before);
    assert_int_equal(exec->in_use, on_exec);
    if (count < nth) {
      assert_ok(status);
      return nth;
    }
    assert_out_of_memory(status);
  }
}

static void check(double a, double b, double tolerance) {
  if (!(fabs(a - b) <= tolerance)) fail_msg("%.17g is not %.17g within %g", a, b, tolerance);
}

void assert_within(double a, double b, double tolerance) { check(a, b, tolerance); }

void assert_relative(double a, double b, double tolerance) {
  if (b == 0) fail_msg("%.17g cannot be compared with 0 relatively", a);
  check(a, b, tolerance * fabs(b));
}

void assert_near(double a, double b, double rounding) {
  if (!(rounding <= 1e-6)) fail_msg("%g is more than rounding: assert_within or assert_relative", rounding);
  check(a, b, fabs(b) > 1 ? rounding * fabs(b) : rounding);
}
