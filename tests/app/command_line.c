/* The command line as a table: what is taken, and what is refused with which words. */
#include "app/commands/options.h"
#include "core/memory.h"
#include "tests/app/scratch.h"

#include <stdio.h>
#include <string.h>

static Status parse(int n, const char *const *words, Options *out) {
  char *argv[32] = {(char *)"sinew"};
  for (int i = 0; i < n; ++i) argv[i + 1] = (char *)words[i];
  return options_parse(n + 1, argv, out);
}
#define COUNT(words) ((int)(sizeof(words) / sizeof *(words)))

static void options_are_taken(void **state) {
  (void)state;
  const char *run[] = {"run", "--backend",   "cpu",      "c.yaml", "--threads=3", "--set",
                       "a=1", "--set=b.c=2", "--output", "o",      "--overwrite", "--quiet"};
  Options o;
  assert_ok(parse(COUNT(run), run, &o));
  assert_true(o.command == COMMAND_RUN && o.backend == BACKEND_CPU && o.threads == 3 && o.n_set == 2 && o.overwrite &&
              o.quiet);
  assert_string_equal(o.operand[0], "c.yaml");
  assert_string_equal(o.set[1], "b.c=2");
  assert_string_equal(o.output, "o");
  options_release(&o);
  const char *mesh[] = {"mesh", "--refine", "2", "--order", "2", "--", "-in.msh", "out.h5"};
  assert_ok(parse(COUNT(mesh), mesh, &o));
  assert_true(o.refine == 2 && o.order == 2 && o.n_operand == 2);
  assert_string_equal(o.operand[0], "-in.msh");
  options_release(&o);
  /* letters, and options in front of the command */
  const char *letters[] = {"-j3", "run", "-o", "dir", "-q", "c.yaml", "--backend", "gpu"};
  assert_ok(parse(COUNT(letters), letters, &o));
  assert_true(o.command == COMMAND_RUN && o.threads == 3 && o.quiet && o.backend == BACKEND_CUDA && o.n_operand == 1);
  assert_string_equal(o.output, "dir");
  options_release(&o);
  const char *front[] = {"--threads", "2", "bench", "--only", "quad", "pcg"};
  assert_ok(parse(COUNT(front), front, &o));
  assert_true(o.command == COMMAND_BENCH && o.threads == 2);
  assert_string_equal(o.operand[0], "pcg");
  options_release(&o);
  const char *help[] = {"verify", "--help"};
  assert_ok(parse(2, help, &o));
  assert_true(o.help && o.command == COMMAND_VERIFY);
  options_release(&o);
}

static void nonsense_is_refused(void **state) {
  (void)state;
  static const struct {
    const char *words[6];
    const char *part;
  } rows[] = {
      {{NULL}, "sinew run CASE.yaml"},
      {{"rnu", "c"}, "unknown command 'rnu'"},
      {{"rnu", "c"}, "did you mean 'run'?"},
      {{"solve"}, "needs A.mtx [B.mtx]"},
      {{"solve", "a.mtx", "--format", "sbel"}, "did you mean 'sbell'?"},
      {{"solve", "a.mtx", "--precision", "flat"}, "allowed: double, mixed"},
      {{"solve", "a.mtx", "--rtol", "1"}, "less than 1"},
      {{"solve", "a.mtx", "--set", "a=1"}, "unknown option '--set' of 'sinew solve'"},
      {{"solve", "a.mtx", "--slice", "16"}, "--slice is 16; allowed: 32 to"},
      {{"solve", "a.mtx", "--row-threads", "33"}, "--row-threads is 33; allowed: 1 to 32"},
      {{"run", "a", "--variant", "k1"}, "unknown option '--variant' of 'sinew run'"},
      {{"--frob"}, "unknown option '--frob'"},
      {{"run"}, "needs CASE.yaml"},
      {{"run", "a", "b"}, "'b' is too many"},
      {{"run", "a", "--refine", "1"}, "unknown option '--refine' of 'sinew run'"},
      {{"run", "a", "--threads", "0"}, "--threads is 0; allowed: 1 to 4096"},
      {{"run", "a", "--threads", "2.5"}, "--threads '2.5' is not a whole number"},
      {{"run", "a", "--quiet=1"}, "--quiet takes no value"},
      {{"run", "a", "--backend", "gpus"}, "unknown backend 'gpus'"},
      {{"run", "a", "--threads", "0"}, "leave it out for the default"},
      {{"run", "a", "--gpu"}, "did you mean '--backend cuda'?"},
      {{"run", "a", "-f"}, "did you mean '--overwrite'?"},
      {{"run", "a", "--refine", "1"}, "did you mean '--set mesh.refine=1'?"},
      {{"run", "a", "--refine", "1"}, "'--refine' is an option of: mesh"},
      {{"run", "a", "-backend", "cpu"}, "did you mean '--backend'?"},
      {{"c.yaml"}, "did you mean 'sinew run c.yaml'?"},
      {{"--threads", "2"}, "no command"},
      {{"materials"}, "did you mean 'sinew list materials'?"},
      {{"list"}, "needs KIND: elements, materials"},
      {{"bench"}, "needs NAME: assembly, cells, cmg"},
      {{"bench", "heat", "--matrix", "a.mtx"}, "unknown option '--matrix' of 'sinew bench heat'"},
      {{"bench", "heat", "--matrix", "a.mtx"}, "'--matrix' is an option of: bench spmv"},
      {{"bench", "--quick", "assembly"}, "unknown option '--quick' of 'sinew bench assembly'"},
      {{"bench", "assembly", "--rtol", "1e-3"}, "unknown option '--rtol'"},
      {{"schema", "x"}, "takes nothing; 'x' is too many"},
      {{"run", "a", "--output="}, "--output has an empty value"},
      {{"run", "a", "--quiet", "--verbose"}, "exclude each other"},
      {{"mesh", "a"}, "needs IN OUT"},
      {{"mesh", "a", "b.h5", "--order", "4"}, "--order is 4; allowed: 1 to 3"},
  };
  const size_t before = mem_in_use();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    int n = 0;
    while (n < 6 && rows[i].words[n]) ++n;
    Options o;
    assert_fails(parse(n, rows[i].words, &o), ERR_USAGE, rows[i].part);
    options_release(&o);
    assert_int_equal(mem_in_use(), before);
  }
}

/* Each bench takes just the options that its help shows. */
static void benches_take_their_own(void **state) {
  (void)state;
  static const char *const benches[] = {"assembly", "cmg", "heart", "heat", "multilevel", "pcg", "pmg", "spmv"};
  static const char *const some[][2] = {{"--quick", NULL},    {"--matrix", "m"}, {"--petsc", "f"},  {"--dump", "d"},
                                        {"--markdown", NULL}, {"--part", "p"},   {"--rtol", "0.1"}, {"--repeat", "2"},
                                        {"--numbering", "n"}, {"--meshes", "d"}, {"--window", "2"}, {"--json", "j"}};
  for (int b = 0; b < COUNT(benches); ++b) {
    Said said = app_says("bench", benches[b], "--help", NULL);
    assert_int_equal(said.code, 0);
    for (int i = 0; i < COUNT(some); ++i) {
      const char *words[] = {"bench", benches[b], some[i][0], some[i][1]};
      char shown[32];
      snprintf(shown, sizeof shown, "%s ", some[i][0]);
      Options o;
      const Status status = parse(some[i][1] ? 4 : 3, words, &o);
      options_release(&o);
      if ((status == OK) != (strstr(said.out, shown) != NULL)) fail_msg("bench %s: %s", benches[b], some[i][0]);
      assert_true(status == OK || status == ERR_USAGE);
    }
    said_release(&said);
  }
}

/* "sinew run c.yaml ..." once more: what it means is the same. */
static void a_line_is_given_again(void **state) {
  (void)state;
  const char *run[] = {"run",       "my case.yaml", "--overwrite", "--backend", "cpu",        "-j2", "--set",
                       "title=a'b", "-o",           "out",         "--set",     "a.b=[1, 2]", "-v"};
  Options o;
  Text text = {0};
  assert_ok(parse(COUNT(run), run, &o));
  options_again(&o, " --resume", &text);
  assert_string_equal(text.data,
                      "sinew run 'my case.yaml' --backend cpu --threads 2 --output out --set 'title=a'\\''b' "
                      "--set 'a.b=[1, 2]' --verbose --resume");
  text_release(&text);
  options_release(&o);
}

static void help_is_whole(void **state) {
  (void)state;
  static const char *const commands[] = {"run",  "check", "verify", "init",   "mesh", "solve",
                                         "info", "list",  "bench",  "schema", "cell", "help"};
  Said all = app_says("help", NULL), man = app_says("help", "--man", NULL),
       bash = app_says("help", "--completion", NULL);
  assert_true(all.code == 0 && man.code == 0 && bash.code == 0);
  for (int i = 0; i < COUNT(commands); ++i) {
    Said a = app_says("help", commands[i], NULL), b = app_says(commands[i], "--help", NULL);
    assert_int_equal(a.code, 0);
    assert_true(!strncmp(a.out, b.out, strlen(b.out))); /* and where the key of that name is told */
    char section[32], branch[32];
    snprintf(section, sizeof section, ".SS sinew %s", commands[i]);
    snprintf(branch, sizeof branch, "    %s)\n", commands[i]);
    assert_non_null(strstr(all.out, commands[i]));
    assert_non_null(strstr(man.out, section));
    assert_non_null(strstr(bash.out, branch));
    said_release(&a);
    said_release(&b);
  }
  assert_non_null(strstr(all.out, "pmg"));
  assert_non_null(strstr(man.out, "\\-\\-project\\-constant"));
  said_release(&all);
  said_release(&man);
  said_release(&bash);
  Said verify = app_says("verify", "--help", NULL);
  assert_non_null(strstr(verify.out, "temporary"));
  assert_null(strstr(verify.out, "results/ beside"));
  said_release(&verify);
  const char *version[][2] = {{"--version", NULL}, {"run", "--version"}, {"-V", NULL}};
  for (int i = 0; i < 3; ++i) {
    Said said = app_says_words(version[i][1] ? 2 : 1, version[i]);
    assert_int_equal(said.code, 0);
    assert_true(strncmp(said.out, "Sinew ", 6) == 0);
    said_release(&said);
  }
}

static void lists_and_help(void **state) {
  (void)state;
  Said said = app_says("list", "materials", NULL);
  assert_int_equal(said.code, 0);
  assert_non_null(strstr(said.out, "isotropic"));
  said_release(&said);
  said = app_says("list", "matrials", NULL);
  assert_int_equal(said.code, 2);
  assert_non_null(strstr(said.err, "did you mean 'materials'?"));
  said_release(&said);
  said = app_says("list", "ionic", NULL);
  assert_non_null(strstr(said.out, "aliev-panfilov"));
  said_release(&said);
  said = app_says("--help", NULL);
  assert_non_null(strstr(said.out, "6 not converged"));
  assert_string_equal(said.err, "");
  said_release(&said);
  said = app_says("check", "--help", NULL);
  assert_non_null(strstr(said.out, "Example:\n  sinew check"));
  said_release(&said);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(options_are_taken),      cmocka_unit_test(nonsense_is_refused),
                                     cmocka_unit_test(benches_take_their_own), cmocka_unit_test(a_line_is_given_again),
                                     cmocka_unit_test(help_is_whole),          cmocka_unit_test(lists_and_help)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
