/* Buckling and modes under stress of decks with drawn loads, materials and heat, by CalculiX and by Sinew: a thin, deep
 * cantilever in bending of tet4, tet10, hex20 and hex20r, with turned supports and equations. Skipped where there is no `ccx`;
 * `test_reference_prestress SEED` draws others. */
#include "tests/cli/run_program.h"
#include "tests/reference/block.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DECK = 1 << 20, LENGTH = 10 };
/* In modes CalculiX counts what the displacement under the load changes of the stiffness of the material too. */
static const double BUCKLING_TOLERANCE = 2e-6, MODES_TOLERANCE = 3e-3;
static Block block;
static char deck[DECK];
static unsigned seed = 20261;
static double young, density, thickness;

static double drawn(double low, double high) { return low + (high - low) * rand() / RAND_MAX; }

static void add(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void add(const char *format, ...) {
  const size_t at = strlen(deck);
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(deck + at, DECK - at, format, args);
  va_end(args);
  assert_true(n > 0 && (size_t)n < DECK - at);
}

static void add_set(const char *name, double x) {
  add("*NSET,NSET=%s\n", name);
  for (int i = 0; i < block.n_node; ++i)
    if (fabs(block.x[i][0] - x) < 1e-9) add("%d,\n", i + 1);
}

/* Mesh, material and supports; with an equation between two nodes of the end if `joined`, and turned supports where drawn. */
static void add_model(const char *type, bool joined) {
  *deck = 0;
  young = drawn(1e3, 1e5), density = drawn(1e-3, 1e-2);
  add("*NODE,NSET=ALL\n");
  for (int i = 0; i < block.n_node; ++i)
    add("%d,%.12g,%.12g,%.12g\n", i + 1, block.x[i][0], block.x[i][1], block.x[i][2]);
  add("*ELEMENT,TYPE=%s,ELSET=EALL\n", type);
  for (int e = 0; e < block.n_element; ++e) {
    add("%d", e + 1);
    for (int a = 0; a < block.per_element; ++a)
      add(a == 10 ? ",\n%d" : ",%d", block.element[e][a] + 1); /* short lines */
    add("\n");
  }
  add("*MATERIAL,NAME=M\n*ELASTIC\n%.8g,%.4f\n*DENSITY\n%.6g\n*EXPANSION,ZERO=0.\n1e-5\n*SOLID "
      "SECTION,ELSET=EALL,MATERIAL=M\n",
      young, drawn(0, 0.4), density);
  add_set("HOLD", 0);
  add_set("TIP", LENGTH);
  if (rand() % 2) {
    const double angle = drawn(0.2, 1.2);
    add("*TRANSFORM,NSET=HOLD,TYPE=R\n%.9f,%.9f,0.,%.9f,%.9f,0.\n", cos(angle), sin(angle), -sin(angle), cos(angle));
  }
  if (joined) {
    int at[2] = {-1, -1};
    for (int i = 0, n = 0; i < block.n_node && n < 2; ++i)
      if (fabs(block.x[i][0] - LENGTH) < 1e-9) at[n++] = i;
    add("*EQUATION\n2\n%d,3,1.,%d,3,%.4f\n", at[0] + 1, at[1] + 1, -drawn(0.5, 1.5));
  }
  add("*BOUNDARY\nHOLD,1,3\n*INITIAL CONDITIONS,TYPE=TEMPERATURE\nALL,0.\n");
}

/* Forces on all nodes of the end, upright ones of a share of what buckles it (Prandtl), and as drawn; heat in a field over the
 * body. */
static void add_loads(double upright, double other, bool spins, bool heated) {
  const double size = 4.013 * young * pow(thickness, 3) / 12 * sqrt(2) / (LENGTH * LENGTH);
  int n = 0;
  for (int i = 0; i < block.n_node; ++i) n += fabs(block.x[i][0] - LENGTH) < 1e-9;
  add("*CLOAD\n");
  for (int i = 0; i < block.n_node; ++i)
    for (int c = 0; c < 3 && fabs(block.x[i][0] - LENGTH) < 1e-9; ++c)
      add("%d,%d,%.8g\n", i + 1, c + 1, size / n * ((c == 1 ? upright : 0) + other * drawn(-1, 1)));
  if (spins) add("*DLOAD\nEALL,CENTRIF,%.6g,0.,0.,0.,0.,0.,1.\n", drawn(1e-8, 1e-7) * young / density);
  if (!heated) return;
  const double slope = drawn(5, 40), more = drawn(5, 40);
  add("*TEMPERATURE\n");
  for (int i = 0; i < block.n_node; ++i) add("%d,%.8g\n", i + 1, slope * block.x[i][1] + more * block.x[i][0] / LENGTH);
}

/* The first positive one. */
static double their_value(const char *text, bool buckles) {
  const char *at = strstr(text, buckles ? "B U C K L I N G   F A C T O R" : "E I G E N V A L U E   O U T P U T");
  assert_non_null(at);
  for (int id; *at; at += strcspn(at, "\n"), at += *at == '\n') {
    double v[3] = {0};
    const int found = sscanf(at, "%d %lf %lf %lf", &id, v, v + 1, v + 2);
    if (found >= 2 && v[0] > 0) return buckles ? v[0] : v[2];
  }
  fail_msg("CalculiX found none:\n%s", text);
  return 0;
}

static void agree(BlockKind kind, const char *type, bool buckles) {
  const double tolerance = buckles ? BUCKLING_TOLERANCE : MODES_TOLERANCE;
  char *folder = folder_create();
  block_create(kind, &block);
  thickness = kind == BLOCK_HEX20 ? 0.1 : 0.4; /* thin tetrahedra are slivers */
  for (int i = 0; i < block.n_node; ++i) block.x[i][0] *= LENGTH / 4.0, block.x[i][2] *= thickness;
  add_model(type, buckles && rand() % 2);
  add(buckles ? "*STEP\n*BUCKLE\n4,1e-8\n" : "*STEP\n*STATIC\n");
  if (buckles)
    add_loads(drawn(-0.4, 0.4), 0.1, false, false); /* CalculiX has no heat there, and misses factors below 1 */
  else add_loads(drawn(0.3, 0.6), 0, rand() % 2, rand() % 2);
  add("*END STEP\n");
  if (!buckles) add("*STEP,PERTURBATION\n*FREQUENCY\n4\n*END STEP\n");
  put_text(folder, "block.inp", deck);
  Run run = run_program(folder, "ccx", (const char *[]){"block", NULL});
  assert_code(&run, 0);
  run_release(&run);
  run = run_sinew(folder, "run", "block.inp", "-o", "out", NULL);
  assert_code(&run, 0);
  run_release(&run);
  char *text = get_text(folder, "block.dat"), *table = get_text(folder, "out/modes.csv");
  const double theirs = their_value(text, buckles), ours = strtod(strchr(strchr(table, '\n'), ',') + 1, NULL);
  print_message("%s, %s%s%s%s%s: %.1e\n", type, buckles ? "buckling" : "modes",
                strstr(deck, "CENTRIF") ? ", turning" : "", strstr(deck, "*TEMPERATURE\n") ? ", heated" : "",
                strstr(deck, "*EQUATION") ? ", equation" : "", strstr(deck, "*TRANSFORM") ? ", turned supports" : "",
                ours / theirs - 1);
  expect_that(fabs(ours - theirs) <= tolerance * theirs, "%s, %s, seed %u: %.9g, CalculiX has %.9g", type,
              buckles ? "buckling" : "modes", seed, ours, theirs);
  free(text), free(table);
  folder_remove(&folder);
}

static void buckling(void **state) {
  (void)state;
  agree(BLOCK_TET4, "C3D4", true);
  agree(BLOCK_TET10, "C3D10", true);
  agree(BLOCK_HEX20, "C3D20", true);
  agree(BLOCK_HEX20, "C3D20R", true);
}

static void modes(void **state) {
  (void)state;
  agree(BLOCK_HEX20, "C3D20", false);
  agree(BLOCK_HEX20, "C3D20R", false);
}

int main(int argc, char **argv) {
  char version[128];
  if (!*calculix_version(version, sizeof version)) {
    fprintf(stderr, "skipped: no CalculiX (apt-get install calculix-ccx)\n");
    return 77;
  }
  if (argc == 2) seed = (unsigned)strtoul(argv[1], NULL, 10);
  srand(seed);
  const struct CMUnitTest tests[] = {cmocka_unit_test(buckling), cmocka_unit_test(modes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
