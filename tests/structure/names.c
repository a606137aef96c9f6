/* What a preconditioner, a format or a precision is called is known to its registry, to who chooses one and to the case
 * file; nobody else compares names or looks at their letters: what they can and need is in PrecondType and MatTrait. */
#include "tests/structure/sources.h"
#include "tests/testing.h"

#include <stdio.h>
#include <string.h>

/* Registries, the models behind "auto" of formats and precisions, and benches, which measure by name. */
static const char *const known[] = {"solver/precond/precond.c", "solver/krylov/linear_precision.c", "algebra/mat.c",
                                    "algebra/format_choice.c"};
static const char *const names[] = {
    "least-squares", "chebyshev",    "neumann", "amg",      "pmg",   "cmg",  "ssor",     "jacobi", "block-jacobi",
    "none",          "sbell",        "csr",     "ell-warp", "ell",   "ellr", "sell",     "bell",   "sliced-ellr-t",
    "segspmv",       "csr-balanced", "double",  "mixed",    "float", "half", "bfloat16", "int8",   "auto"};

static bool is_known(const char *path) {
  for (size_t k = 0; k < sizeof known / sizeof *known; ++k)
    if (!strcmp(path, known[k])) return true;
  return !strncmp(path, "tests/", 6) || !strncmp(path, "bench/", 6) || !strncmp(path, "gpu/", 4);
}

/* A comparison with one of the names, or with a letter of a case's word. */
static bool compares(const char *line) {
  const char *call = strstr(line, "strcmp(");
  for (size_t k = 0; call && k < sizeof names / sizeof *names; ++k) {
    char quoted[32];
    snprintf(quoted, sizeof quoted, "\"%s\"", names[k]);
    if (strstr(call, quoted)) return true;
  }
  return strstr(line, "type.text[0]") || strstr(line, "precision[0]") || strstr(line, "preconditioner[0]");
}

static void only_registries_compare(void **state) {
  (void)state;
  Sources sources = sources_read();
  int bad = 0;
  for (int i = 0; i < sources.n; ++i) {
    const Source *s = &sources.file[i];
    for (int k = 0; k < s->n_line && !is_known(s->path); ++k) {
      if (!compares(s->line[k])) continue;
      print_error("%s:%d compares a name: %s\n", s->path, k + 1, s->line[k]);
      ++bad;
    }
  }
  sources_release(&sources);
  assert_int_equal(bad, 0);
}

static void is_found(void **state) {
  (void)state;
  assert_true(compares("  const bool orders = !strcmp(name, \"pmg\");"));
  assert_true(compares("  if (strcmp(name, \"auto\") != 0) return name;"));
  assert_true(compares("size = precision[0] == 'd' ? 8 : 4;"));
  assert_false(compares("  if (strcmp(name, \"amgx\") == 0) return 1;"));
  assert_false(compares("  format.format = \"sbell\";"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(only_registries_compare), cmocka_unit_test(is_found)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
