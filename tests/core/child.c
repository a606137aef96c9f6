/* Work in a process of its own: answers, errors, crashes, endless work. */
#include "core/child.h"

#include "tests/testing.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const ChildParams params = {
    .what = "file", .doing = "read", .broken = ERR_IO, .remedy = "  do this", .seconds = 20};

static Status answer_it(void *context, void *answer) {
  *(int *)answer = 2 * *(int *)context;
  *(int *)context = 0; /* the child's own copy */
  return OK;
}
static Status refuse_it(void *context, void *answer) {
  (void)answer;
  return FAIL(ERR_MESH, "%s is wrong", (const char *)context);
}
static Status crash(void *context, void *answer) {
  (void)context, (void)answer;
  signal(SIGSEGV, SIG_DFL); /* sanitizers have a handler */
  raise(SIGSEGV);
  return OK;
}
static Status leave(void *context, void *answer) {
  (void)context, (void)answer;
  _exit(3);
}
static Status never_end(void *context, void *answer) {
  (void)context, (void)answer;
  signal(SIGTERM, SIG_IGN);
  for (;;) pause();
  return OK;
}

static void answers(void **state) {
  (void)state;
  int given = 21, answer = 0;
  assert_ok(child_run(&params, answer_it, &given, &answer, sizeof answer));
  assert_int_equal(answer, 42);
  assert_int_equal(given, 21);
}

static void errors_come_through(void **state) {
  (void)state;
  assert_int_equal(child_run(&params, refuse_it, (void *)(uintptr_t) "this", NULL, 0), ERR_MESH);
  assert_string_equal(status_message(), "this is wrong");
}

static void crashes_are_told(void **state) {
  (void)state;
  int answer = 7;
  assert_int_equal(child_run(&params, crash, NULL, &answer, sizeof answer), ERR_IO);
  assert_int_equal(answer, 7);
  assert_non_null(
      strstr(status_message(), "'file' is damaged: the process that tried to read it was ended by signal 11"));
  assert_non_null(strstr(status_message(), "\n  do this"));
  assert_int_equal(child_run(&params, leave, NULL, NULL, 0), ERR_IO);
  assert_non_null(strstr(status_message(), "without a word"));
}

static void endless_work_ends(void **state) {
  (void)state;
  ChildParams brief = params;
  brief.seconds = 1;
  assert_int_equal(child_run(&brief, never_end, NULL, NULL, 0), ERR_IO);
  assert_non_null(strstr(status_message(), "stopped after 1 s"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(answers), cmocka_unit_test(errors_come_through),
                                     cmocka_unit_test(crashes_are_told), cmocka_unit_test(endless_work_ends)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
