/* DESIGN, "Rooms": which folder may include which. */
#include "tests/structure/sources.h"
#include "tests/testing.h"

#include <stdio.h>
#include <string.h>

/* A room may include itself and what stands here: rooms, or single headers. */
static const struct Rule {
  const char *room, *may[8];
} rules[] = {
    {"core", {NULL}},
    {"mesh", {"core", NULL}},
    /* kernels take hd.h; the registry of materials and models is built from parameters */
    {"physics", {"core/hd.h", "core/param.h", "core/status.h", NULL}},
    {"assembly", {"core", "mesh", "physics", NULL}},
    {"solver", {"core", "assembly/pattern.h", NULL}},
    {"gpu", {"core", "mesh", "physics", "assembly", "solver", NULL}},
    {"output", {"core", "mesh", NULL}},
    {"bench", {"core", "mesh", "physics", "assembly", "solver", "gpu", "output", NULL}},
};

/* True where everything is allowed: app, tests, and folders that are no rooms. */
static bool allowed(const char *path, const char *include) {
  char room[32], other[32];
  source_room(path, room);
  source_room(include, other);
  if (!other[0] || !strcmp(room, other)) return true; /* a neighbour, or a generated file */
  if (!strcmp(other, "tests")) return !strcmp(room, "tests");
  for (size_t r = 0; r < sizeof rules / sizeof *rules; ++r) {
    if (strcmp(room, rules[r].room)) continue;
    for (int k = 0; rules[r].may[k]; ++k) {
      const char *may = rules[r].may[k];
      if (!strcmp(strchr(may, '/') ? include : other, may)) return true;
    }
    return false;
  }
  return true;
}

static void test_rule(void **state) {
  (void)state;
  assert_true(allowed("core/exec.c", "core/exec.h"));
  assert_false(allowed("core/exec.c", "mesh/mesh.h"));
  assert_true(allowed("mesh/mesh.c", "core/status.h"));
  assert_false(allowed("mesh/mesh.c", "assembly/pattern.h"));
  assert_true(allowed("physics/isotropic.h", "core/hd.h"));
  assert_false(allowed("physics/isotropic.h", "core/exec.h"));
  assert_true(allowed("assembly/gather.c", "physics/isotropic.h"));
  assert_false(allowed("assembly/gather.c", "solver/mat.h"));
  assert_true(allowed("solver/mat.c", "assembly/pattern.h"));
  assert_false(allowed("solver/mat.c", "assembly/elasticity.h"));
  assert_false(allowed("solver/mat.c", "gpu/cuda_exec.h"));
  assert_false(allowed("output/writer.c", "assembly/pattern.h"));
  assert_true(allowed("gpu/format_csr.cu", "solver/product.h"));
  assert_false(allowed("gpu/cuda_exec.c", "output/writer.h"));
  assert_true(allowed("app/main.c", "gpu/cuda_exec.h"));
  assert_false(allowed("app/main.c", "tests/testing.h"));
  assert_true(allowed("tests/core/exec.c", "tests/testing.h"));
  char name[256];
  assert_true(source_include("#include \"core/hd.h\" /* why */", name));
  assert_string_equal(name, "core/hd.h");
  assert_true(source_include("  #  include \"core/hd.h\"", name));
  assert_false(source_include("#include <stdio.h>", name));
  assert_false(source_include(" *   #include \"core/hd.h\"", name));
}

static void test_rooms(void **state) {
  (void)state;
  Sources sources = sources_read();
  int bad = 0, seen = 0;
  for (int i = 0; i < sources.n; ++i) {
    const Source *s = &sources.file[i];
    for (int k = 0; k < s->n_line; ++k) {
      char name[256];
      if (!source_include(s->line[k], name)) continue;
      ++seen;
      if (allowed(s->path, name)) continue;
      print_error("%s:%d: this room may not include \"%s\"\n", s->path, k + 1, name);
      ++bad;
    }
  }
  sources_release(&sources);
  assert_true(seen > 50);
  assert_int_equal(bad, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rule), cmocka_unit_test(test_rooms)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
