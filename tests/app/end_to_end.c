/* The whole program in this process on a square of two triangles: values, files, exit codes. */
#include "core/memory.h"
#include "tests/app/scratch.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* "cpu", or "cuda" where ctest runs this on a GPU. */
static const char *backend(void) {
  const char *name = getenv("SINEW_TEST_BACKEND");
  return name && *name ? name : "cpu";
}

static char *square_folder(void) {
  char *folder = scratch_create();
  scratch_write(folder, "square.msh", SQUARE_MSH);
  scratch_write(folder, "case.yaml", SQUARE_YAML);
  return folder;
}

static bool is_there(const char *folder, const char *name) { return access(scratch_path(folder, name), F_OK) == 0; }

static void says(const Said *said, int code, const char *part) {
  if (said->code != code) fail_msg("exit code %d, not %d: %s", said->code, code, said->err);
  if (part && !strstr(said->out, part) && !strstr(said->err, part))
    fail_msg("no \"%s\" in\n%s%s", part, said->out, said->err);
}

static char *edited(const char *text, const char *find, const char *replace) {
  const char *at = strstr(text, find);
  if (!at) fail_msg("no '%s' to edit", find);
  char *out = NULL;
  if (asprintf(&out, "%.*s%s%s", (int)(at - text), text, replace, at + strlen(find)) < 0) fail_msg("no memory");
  return out;
}

static void run_gives_values(void **state) {
  (void)state;
  const size_t before = mem_in_use();
  char *folder = square_folder();
  Said said = app_says("run", scratch_path(folder, "case.yaml"), "--backend", backend(), NULL);
  says(&said, 0, "results.hdf");
  said_release(&said);
  char *table = scratch_read(folder, "results/probes.csv");
  double t, corner, inside, x, y, energy;
  assert_int_equal(sscanf(table, "time,corner,inside,support-x,support-y,energy %lf,%lf,%lf,%lf,%lf,%lf", &t, &corner,
                          &inside, &x, &y, &energy),
                   6);
  assert_true(t == 0);
  assert_near(corner, 0.01, 1e-12);
  assert_near(inside, -0.0025 * 0.6, 1e-12); /* interpolated in the element */
  assert_near(x, -10, 1e-9);
  assert_near(y, 0, 1e-9);
  assert_near(energy, 0.05, 1e-10);
  free(table);
  char *report = scratch_read(folder, "results/report.json");
  static const char *const keys[] = {"\"status\": \"converged\"", "\"true_residual\"", "\"unknowns\": 4,",
                                     "\"seconds\": {", "\"host_peak\""};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i)
    if (!strstr(report, keys[i])) fail_msg("no %s in %s", keys[i], report);
  free(report);
  assert_true(is_there(folder, "results/results.hdf") && is_there(folder, "results/results.xdmf"));
  said = app_says("info", scratch_path(folder, "results/results.hdf"), NULL);
  says(&said, 0, "point-stress-1");
  said_release(&said);
  said = app_says("run", scratch_path(folder, "case.yaml"), NULL);
  says(&said, 5, "--overwrite");
  said_release(&said);
  scratch_remove(&folder);
  assert_int_equal(mem_in_use(), before);
}

/* Expressions as boundary values: u = (x/100 + y/200, 0) on the whole edge gives constant strain. */
static void expressions_work(void **state) {
  (void)state;
  char *folder = square_folder();
  char *text = edited(SQUARE_YAML, "{on: right, traction: [10, 0]}",
                      "{on: right, fix: {x: 'x/100 + 0*y', y: '-2.5e-3*y*(1+t)'}}");
  scratch_write(folder, "case.yaml", text);
  Said said = app_says("verify", scratch_path(folder, "case.yaml"), NULL);
  says(&said, 0, "ok");
  said_release(&said);
  free(text);
  scratch_remove(&folder);
}

static void verify_compares(void **state) {
  (void)state;
  char *folder = square_folder(), *wrong = edited(SQUARE_YAML, "value: 0.01}", "value: 0.011, rtol: 0.05}");
  scratch_write(folder, "wrong.yaml", wrong);
  Said said = app_says("verify", scratch_path(folder, "wrong.yaml"), scratch_path(folder, "case.yaml"), NULL);
  says(&said, 6, "MISSED");
  assert_non_null(strstr(said.out, "1 of 2 cases passed"));
  assert_non_null(strstr(said.err, "1 expectation missed"));
  assert_false(is_there(folder, "results"));
  said_release(&said);
  said = app_says("verify", scratch_path(folder, "case.yaml"), "--output", scratch_path(folder, "kept"), NULL);
  says(&said, 0, NULL);
  assert_true(is_there(folder, "kept/results.hdf"));
  said_release(&said);
  free(wrong);
  scratch_remove(&folder);
}

static void failure_leaves_a_report(void **state) {
  (void)state;
  char *folder = square_folder();
  Said said = app_says("run", scratch_path(folder, "case.yaml"), "--set", "solver.max-iterations=1", NULL);
  says(&said, 6, NULL);
  said_release(&said);
  char *report = scratch_read(folder, "results/report.json");
  assert_non_null(strstr(report, "\"status\": \"not-converged\""));
  assert_non_null(strstr(report, "\"iterations\": 1,"));
  assert_false(is_there(folder, "results/results.hdf"));
  free(report);
  said = app_says("run", scratch_path(folder, "case.yaml"), NULL); /* and does not stand in the way */
  says(&said, 0, NULL);
  said_release(&said);
  scratch_remove(&folder);
}

static void check_writes_nothing(void **state) {
  (void)state;
  char *folder = square_folder();
  Said said = app_says("check", scratch_path(folder, "case.yaml"), NULL);
  says(&said, 0, "total load: [10, 0]");
  assert_non_null(strstr(said.out, "free rigid motions of part 1"));
  assert_non_null(strstr(said.out, "\nmemory of a run: "));
  const size_t shown = strlen(said.out);
  Said all = app_says("check", scratch_path(folder, "case.yaml"), "--verbose", NULL);
  assert_non_null(strstr(all.out, "\n# memory of a run\n"));
  assert_true(strlen(all.out) > shown + 150);
  said_release(&all);
  assert_false(is_there(folder, "results"));
  said_release(&said);
  char *text = edited(SQUARE_YAML, "  - {on: bottom, fix: {y: 0}}\n", "");
  scratch_write(folder, "case.yaml", text);
  said = app_says("check", scratch_path(folder, "case.yaml"), NULL);
  says(&said, 3, "translation");
  said_release(&said);
  free(text);
  scratch_remove(&folder);
}

/* `sinew mesh`, and the same answer from its file. */
static void own_mesh_gives_the_same(void **state) {
  (void)state;
  char *folder = square_folder(), *text = edited(SQUARE_YAML, "square.msh", "square.h5");
  Said said = app_says("mesh", scratch_path(folder, "square.msh"), scratch_path(folder, "square.h5"), "--order", "2",
                       "--refine", "1", NULL);
  says(&said, 0, "8 tri6 elements");
  said_release(&said);
  scratch_write(folder, "case.yaml", text);
  said = app_says("verify", scratch_path(folder, "case.yaml"), NULL);
  says(&said, 0, NULL);
  said_release(&said);
  said = app_says("mesh", scratch_path(folder, "square.msh"), scratch_path(folder, "out.unv"), NULL);
  says(&said, 2, "must end in .h5, .inp, .med or .msh");
  said_release(&said);
  said = app_says("mesh", scratch_path(folder, "square.h5"), scratch_path(folder, "square.h5"), NULL);
  says(&said, 2, "over itself");
  said_release(&said);
  free(text);
  scratch_remove(&folder);
}

static void codes(void **state) {
  (void)state;
  char *folder = square_folder();
  static const struct {
    const char *find, *replace;
    int code;
    const char *part;
  } rows[] = {
      {"young: 1000", "young: 0", 3, "young is 0"},
      {"square.msh", "absent.msh", 4, "absent.msh"},
      {"on: right", "on: rihgt", 3, "did you mean 'right'?"},
      {"physics: elasticity", "physics: monodomain", 3, "unknown key 'materials' in the case"},
      {"  - {on: left, fix: {x: 0}}\n", "  - {on: left, fix: {x: 0}}\n  - {on: left, fix: {x: 1}}\n", 3,
       "case.yaml:9:"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    char *text = edited(SQUARE_YAML, rows[i].find, rows[i].replace);
    scratch_write(folder, "case.yaml", text);
    Said said = app_says("run", scratch_path(folder, "case.yaml"), NULL);
    says(&said, rows[i].code, rows[i].part);
    assert_false(is_there(folder, "results"));
    said_release(&said);
    free(text);
  }
  Said said = app_says("run", scratch_path(folder, "absent.yaml"), NULL);
  says(&said, 3, "absent.yaml");
  said_release(&said);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(run_gives_values),
                                     cmocka_unit_test(expressions_work),
                                     cmocka_unit_test(verify_compares),
                                     cmocka_unit_test(failure_leaves_a_report),
                                     cmocka_unit_test(check_writes_nothing),
                                     cmocka_unit_test(own_mesh_gives_the_same),
                                     cmocka_unit_test(codes)};
  Exec *exec = testing_exec(); /* answers 77 where a GPU is asked for and none is */
  exec_destroy(&exec);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
