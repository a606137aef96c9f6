/* Which folder may include which (docs/tour.md). */
#include "tests/structure/sources.h"
#include "tests/structure/symbols.h"
#include "tests/testing.h"

#include <stdio.h>
#include <string.h>

/* A room may include itself and what stands here: rooms ("mesh" is the folder itself, "mesh/" it and all below), or
 * single headers. Each line may see lines above it only: the table itself is in order (test_order). */
enum { MOST = 20 };
static const struct Rule {
  const char *room, *may[MOST];
} rules[] = {
    {"core", {NULL}},
    {"mesh/elements", {"core", NULL}},
    {"mesh", {"core", "mesh/elements", NULL}},
    {"mesh/check", {"core", "mesh", "mesh/elements", NULL}},
    {"mesh/order", {"core", "mesh", "mesh/elements", NULL}},
    {"mesh/fibers", {"core", "mesh", "mesh/elements", NULL}},
    {"mesh/make", {"core", "mesh", "mesh/elements", "mesh/check", "mesh/fibers", NULL}},
    {"mesh/io", {"core", "mesh", "mesh/elements", "mesh/check", "mesh/make", NULL}},
    /* kernels take hd.h; the registry of materials and models is built from parameters */
    {"physics", {"core/curve_tables.h", "core/hd.h", "core/param.h", "core/status.h", "core/unit_kind.h", NULL}},
    {"physics/import", {"core", "physics", NULL}},
    {"algebra", {"core", NULL}},
    {"algebra/graph", {"core", "algebra", NULL}},
    {"algebra/many", {"core", "algebra", NULL}},
    {"algebra/formats", {"core", "algebra", "algebra/graph", "algebra/many", NULL}},
    {"algebra/market", {"core", "algebra", NULL}},
    {"assembly/space", {"core", "mesh", "mesh/elements", "physics", "algebra", NULL}},
    {"assembly/mortar", {"core", "mesh", "mesh/elements", "assembly/space", NULL}},
    {"assembly/contact", {"core", "mesh", "mesh/elements", "assembly/space", "assembly/mortar", NULL}},
    {"assembly/diffusion", {"core", "mesh", "mesh/elements", "physics", "algebra", "assembly/space", NULL}},
    {"assembly/elasticity",
     {"core", "mesh", "mesh/elements", "physics", "algebra", "assembly/space", "assembly/contact", "assembly/diffusion",
      NULL}},
    {"assembly/monodomain",
     {"core", "mesh", "mesh/elements", "physics", "algebra", "assembly/space", "assembly/diffusion", NULL}},
    {"assembly/eikonal", {"core", "mesh", "mesh/elements", NULL}},
    {"assembly", {"assembly/", NULL}},
    {"solver/precond", {"core", "algebra", "algebra/graph", NULL}},
    {"solver/multigrid",
     {"core", "algebra", "algebra/graph", "algebra/formats", "algebra/many", "solver/precond", NULL}},
    {"solver/krylov", {"core", "algebra", "algebra/formats", "algebra/many", "solver/precond", NULL}},
    {"solver/eigen", {"core", "algebra", "solver/krylov", "solver/precond", NULL}},
    {"solver/time", {"core", "algebra", "algebra/formats", "solver/krylov", "solver/precond", NULL}},
    {"gpu", {"core", NULL}},
    {"gpu/rows", {"core", "algebra/", "assembly/", "solver/", "gpu", NULL}},
    {"gpu/formats", {"core", "algebra/", "gpu", NULL}},
    {"gpu/persistent", {"core", "algebra/", "assembly/monodomain", "solver/", "gpu", "gpu/formats", NULL}},
    {"gpu/exec", {"core", "gpu", "gpu/persistent/persist.h", NULL}},
    {"output", {"core", "mesh", "mesh/elements", "mesh/io", NULL}},
    {"app/input",
     {"core", "mesh", "mesh/order", "physics", "algebra", "solver/precond", "solver/time/schemes.def", "output", NULL}},
    {"app/carp", {"core", "mesh", "physics", "output", "app/input", NULL}},
    {"app/deck", {"core", "mesh", "mesh/elements", "mesh/io", "output", "app/input", NULL}},
    {"app/setup", {"core", "mesh/", "physics", "assembly/", "output", "app/input", NULL}},
    {"app/report", {"core", "solver/krylov", "output", "app/input", NULL}},
    {"app/run",
     {"core", "mesh", "mesh/make", "algebra", "assembly/", "solver/precond", "solver/time", "gpu/exec/cuda_exec.h",
      "output", "app/input", "app/setup", "app/report", NULL}},
    {"app/fibers",
     {"core", "mesh", "mesh/fibers", "assembly/space", "assembly/diffusion", "solver/time", "app/input", "app/setup",
      NULL}},
#define PHYSICS_MAY                                                                                                    \
  {                                                                                                                    \
    "core", "mesh", "mesh/fibers", "mesh/io", "mesh/make", "physics", "physics/import", "algebra", "assembly/",        \
        "solver/eigen", "solver/krylov", "solver/precond", "solver/time", "output", "app/input", "app/setup",          \
        "app/report", "app/run", "app/fibers", NULL                                                                    \
  }
    {"app/elasticity", PHYSICS_MAY},
    {"app/heat", PHYSICS_MAY},
    {"app/monodomain", PHYSICS_MAY},
    {"app/eikonal",
     {"core", "mesh", "physics", "assembly/", "output", "app/input", "app/setup", "app/report", "app/run", "app/fibers",
      "app/monodomain", NULL}},
    {"app/electromechanics",
     {"core", "mesh", "mesh/elements", "mesh/make/halve.h", "physics", "assembly/", "solver/time", "output",
      "app/input", "app/setup", "app/report", "app/run", "app/fibers", "app/elasticity", "app/monodomain", NULL}},
    {"app/commands",
     {"core", "mesh/", "physics", "physics/import", "algebra/", "assembly/", "solver/", "gpu/exec/cuda_exec.h",
      "output", "bench/benches.def", "app/", NULL}},
    {"app", {"core", "output", "app/", NULL}},
    {"bench",
     {"core", "mesh/", "physics", "physics/import", "algebra/", "assembly/", "solver/", "gpu/", "output", "app",
      "app/commands", "app/report", "app/run", NULL}},
};
enum { N_RULES = sizeof rules / sizeof *rules };

static void folder_of(const char *path, char folder[64]) {
  const char *slash = strrchr(path, '/');
  snprintf(folder, 64, "%.*s", slash ? (int)(slash - path) : 0, path);
}

/* Does an entry of a rule name this header? */
static bool names(const char *entry, const char *include, const char *folder) {
  const size_t n = strlen(entry);
  if (strchr(entry, '.')) return !strcmp(entry, include);
  if (entry[n - 1] == '/') return !strncmp(entry, include, n);
  return !strcmp(entry, folder);
}

/* True where everything is allowed: tests, and folders that are no rooms. */
static bool allowed(const char *path, const char *include) {
  char room[64], other[64];
  folder_of(path, room);
  folder_of(include, other);
  if (!other[0] || !strcmp(room, other)) return true; /* a neighbour, or a generated file */
  if (!strncmp(include, "tests/", 6)) return !strncmp(path, "tests/", 6);
  for (int r = 0; r < N_RULES; ++r) {
    if (strcmp(room, rules[r].room)) continue;
    for (int k = 0; rules[r].may[k]; ++k)
      if (names(rules[r].may[k], include, other)) return true;
    return false;
  }
  return true;
}

static int line_of(const char *room) {
  for (int r = 0; r < N_RULES; ++r)
    if (!strcmp(rules[r].room, room)) return r;
  return -1;
}

/* What a line may see stands above it: so there is no circle. */
static void test_order(void **state) {
  (void)state;
  for (int r = 0; r < N_RULES; ++r)
    for (int k = 0; rules[r].may[k]; ++k) {
      const char *entry = rules[r].may[k];
      char folder[64];
      if (source_is(entry, ".def")) continue; /* names and meanings, of benches: no code */
      if (strchr(entry, '.')) folder_of(entry, folder);
      else snprintf(folder, sizeof folder, "%s", entry);
      const size_t n = strlen(folder);
      if (n && folder[n - 1] == '/') {
        for (int o = 0; o < N_RULES; ++o)
          if (!strncmp(rules[o].room, folder, n) && o > r)
            fail_msg("%s may see %s, which stands below it", rules[r].room, rules[o].room);
        continue;
      }
      if (line_of(folder) < 0 || line_of(folder) >= r) fail_msg("%s may see %s: no line above", rules[r].room, folder);
    }
}

static void test_rule(void **state) {
  (void)state;
  assert_true(allowed("core/exec.c", "core/exec.h"));
  assert_false(allowed("core/exec.c", "mesh/mesh.h"));
  assert_true(allowed("mesh/mesh.c", "core/status.h"));
  assert_false(allowed("mesh/mesh.c", "algebra/pattern.h"));
  assert_true(allowed("physics/isotropic.h", "core/hd.h"));
  assert_false(allowed("physics/isotropic.h", "core/exec.h"));
  assert_true(allowed("assembly/space/gather.c", "physics/isotropic.h"));
  assert_false(allowed("assembly/space/gather.c", "solver/precond/precond.h"));
  assert_true(allowed("algebra/mat.c", "algebra/pattern.h"));
  assert_false(allowed("algebra/mat.c", "algebra/formats/sliced.h"));
  assert_false(allowed("solver/krylov/pcg.c", "assembly/elasticity/elasticity.h"));
  assert_false(allowed("solver/krylov/pcg.c", "solver/multigrid/amg.h"));
  assert_false(allowed("algebra/mat.c", "gpu/exec/cuda_exec.h"));
  assert_false(allowed("output/writer.c", "algebra/pattern.h"));
  assert_true(allowed("gpu/formats/csr.cu", "algebra/product.h"));
  assert_false(allowed("gpu/exec/cuda_exec.c", "output/writer.h"));
  assert_true(allowed("app/run/backend.c", "gpu/exec/cuda_exec.h"));
  assert_true(allowed("app/commands/option_table.c", "bench/benches.def"));
  assert_false(allowed("app/commands/command_bench.c", "bench/bench.h"));
  assert_true(allowed("bench/main.c", "app/commands/options.h"));
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

/* Tables of functions, whose rows are named by a list (*.def) above them: the one way to call what stands below. */
static const struct {
  const char *path, *room;
} registries[] = {{"algebra/mat.c", "algebra/formats"},             /* formats.def */
                  {"solver/precond/precond.c", "solver/multigrid"}, /* preconditioners.def */
                  {"gpu/exec/registry.c", "gpu/rows"},              /* launchers.def */
                  {"app/input/physics.c", "app/elasticity"},        /* physics.def */
                  {"app/input/physics.c", "app/heat"},
                  {"app/input/physics.c", "app/monodomain"},
                  {"app/input/physics.c", "app/eikonal"},
                  {"app/input/physics.c", "app/electromechanics"}};
enum { N_REGISTRIES = sizeof registries / sizeof *registries };

static int room_line(const char *path) {
  char folder[64];
  folder_of(path, folder);
  if (line_of(folder) < 0) folder[strcspn(folder, "/")] = 0;
  return line_of(folder);
}

/* sees[r][o]: room r may call room o, since a rule of it names that, or a room that sees it: headers bring others. */
static void find_seen(bool sees[N_RULES][N_RULES]) {
  for (int r = 0; r < N_RULES; ++r) {
    sees[r][r] = true;
    for (int k = 0; rules[r].may[k]; ++k) {
      const char *entry = rules[r].may[k];
      for (int o = 0; o < r; ++o) {
        const size_t n = strlen(entry);
        const bool named = entry[n - 1] == '/'      ? !strncmp(rules[o].room, entry, n)
                           : source_is(entry, ".h") ? room_line(entry) == o
                                                    : !strcmp(rules[o].room, entry);
        for (int p = 0; named && p < N_RULES; ++p) sees[r][p] |= sees[o][p];
      }
    }
  }
}

/* What the linker knows: a header above may declare what a room below defines, which no include shows. */
static void test_symbols(void **state) {
  (void)state;
  static bool sees[N_RULES][N_RULES], used[N_REGISTRIES], built[N_REGISTRIES];
  Symbols symbols = symbols_read();
  int bad = 0, seen = 0;
  if (!symbols.n) {
    print_message("skipped: no symbols, as " SINEW_NM " is not there\n");
    skip();
  }
  find_seen(sees);
  for (int i = 0; i < symbols.n; ++i) {
    const Symbol *s = &symbols.item[i];
    for (int k = 0; k < N_REGISTRIES; ++k) built[k] |= !strcmp(s->path, registries[k].path);
    const char *home = s->needs ? symbols_home(&symbols, s->name) : NULL;
    const int from = home ? room_line(s->path) : -1, to = home ? room_line(home) : -1;
    if (from < 0 || to < 0 || !strcmp(home, "app/reserve.c")) continue; /* malloc and free of the C library */
    bool may = sees[from][to];
    seen += from != to;
    for (int k = 0; k < N_REGISTRIES && !may; ++k)
      if (!strcmp(s->path, registries[k].path) && !strcmp(rules[to].room, registries[k].room)) may = used[k] = true;
    if (may) continue;
    print_error("%s takes '%s' of %s, which this room may not call\n", s->path, s->name, home);
    ++bad;
  }
  symbols_release(&symbols);
  assert_true(seen > 1000);
  for (int k = 0; k < N_REGISTRIES; ++k)
    if (built[k] && !used[k])
      fail_msg("%s no longer takes anything of %s: drop its line", registries[k].path, registries[k].room);
  assert_int_equal(bad, 0);
}

/* A static with the name of a global elsewhere misleads whoever looks for the name. */
static void test_namesakes(void **state) {
  (void)state;
  char name[128];
  assert_true(symbols_static("static Status find_all(const Mesh *mesh) {", name));
  assert_string_equal(name, "find_all");
  assert_true(symbols_static("static const Word words[N] = {", name));
  assert_string_equal(name, "words");
  assert_true(symbols_static("HD double length_of(const double x[3]) {", name));
  assert_string_equal(name, "length_of");
  assert_false(symbols_static("Status find_all(const Mesh *mesh) {", name));
  Symbols symbols = symbols_read();
  if (!symbols.n) {
    print_message("skipped: no symbols, as " SINEW_NM " is not there\n");
    skip();
  }
  assert_string_equal(symbols_home(&symbols, "mem_alloc"), "core/memory.c");
  assert_null(symbols_home(&symbols, "no_such_function"));
  Sources sources = sources_read();
  int bad = 0, seen = 0;
  for (int i = 0; i < sources.n; ++i)
    for (int k = 0; k < sources.file[i].n_line; ++k) {
      const Source *s = &sources.file[i];
      if (!strncmp(s->path, "tests/", 6) || !symbols_static(s->line[k], name)) continue;
      const char *home = symbols_home(&symbols, name);
      ++seen;
      if (!home || !strcmp(home, s->path)) continue;
      print_error("%s:%d: '%s' is static and bears the name of a global of %s\n", s->path, k + 1, name, home);
      ++bad;
    }
  sources_release(&sources);
  symbols_release(&symbols);
  assert_true(seen > 1000);
  assert_int_equal(bad, 0);
}

/* MPI stays behind core/comm.h. */
static void test_mpi(void **state) {
  (void)state;
  Sources sources = sources_read();
  int seen = 0;
  for (int i = 0; i < sources.n; ++i)
    for (int k = 0; k < sources.file[i].n_line; ++k) {
      if (strncmp(sources.file[i].line[k], "#include <mpi.h>", 16)) continue;
      ++seen;
      if (strcmp(sources.file[i].path, "core/comm_mpi.c"))
        fail_msg("%s:%d: only core/comm_mpi.c knows MPI", sources.file[i].path, k + 1);
    }
  sources_release(&sources);
  assert_int_equal(seen, 1);
}

/* A room says in a few lines what lives in it, and points here for what it may see. */
static void test_readmes(void **state) {
  (void)state;
  int bad = 0;
  for (int r = 0; r < N_RULES; ++r) {
    char path[4096], text[4096];
    snprintf(path, sizeof path, "%s/%s/README.md", SINEW_SOURCE_DIR, rules[r].room);
    FILE *file = fopen(path, "r");
    const size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[n] = 0;
    if (file) fclose(file);
    if (n > 100 && strstr(text, "tests/structure/rooms.c")) continue;
    print_error("%s/README.md must say what lives there, and that %s has what it may see\n", rules[r].room,
                "tests/structure/rooms.c");
    ++bad;
  }
  assert_int_equal(bad, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rule),      cmocka_unit_test(test_order),
                                     cmocka_unit_test(test_rooms),     cmocka_unit_test(test_symbols),
                                     cmocka_unit_test(test_namesakes), cmocka_unit_test(test_mpi),
                                     cmocka_unit_test(test_readmes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
