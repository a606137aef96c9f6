/* Vibrations of the block against CalculiX's *STEADY STATE DYNAMICS: with structural damping and with Rayleigh's, below
 * and above its first resonances at 0.396 Hz. block.h says why both solve the same equation. What CalculiX found is
 * committed for the second frequency; where there is `ccx`, it is asked again. `test_reference_harmonic --write FOLDER`
 * writes the committed files. Only hex20: CalculiX integrates the mass of tetrahedra by their stiffness' points (M_11
 * of one C3D4 is V / 16, exact is V / 10; of one C3D10 V / 100, exact is V / 70), so that its bodies are others there.
 */
#include "tests/cli/run_program.h"
#include "tests/reference/block.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef double Motion[2][BLOCK_GRID][3];

static const struct {
  const char *name;
  BlockShake shake;
} rows[] = {{"loss", {.loss = 0.1, .frequency = {0.3, 0.5}}},
            {"rayleigh", {.alpha = 0.3, .beta = 0.02, .frequency = {0.3, 0.5}}}};
enum { ROWS = sizeof rows / sizeof *rows };

static Block block;
static Motion ours[BLOCK_FREQUENCIES], theirs[BLOCK_FREQUENCIES];
static char version[128];

/* Both parts within 2e-6 of the largest of both. */
static void compare(Motion u, Motion reference, double frequency) {
  double size = 0, apart = 0, imaginary = 0;
  for (int part = 0; part < 2; ++part)
    for (int i = 0; i < block.n_node; ++i)
      for (int c = 0; c < 3; ++c) {
        const double r = fabs(reference[part][i][c]), d = fabs(u[part][i][c] - reference[part][i][c]);
        if (r > size) size = r;
        if (part && r > imaginary) imaginary = r;
        if (!(d <= apart)) apart = d;
      }
  print_message("%g Hz: largest %g, imaginary %g, difference %.2e of it\n", frequency, size, imaginary, apart / size);
  assert_true(imaginary > 0.05 * size);
  if (!(apart <= 2e-6 * size)) fail_msg("%.2e apart at %g Hz", apart / size, frequency);
}

static void path_of(int row, int part, const char *folder, char path[4096]) {
  snprintf(path, 4096, "%s/block-%s-%s.txt", folder, rows[row].name, part ? "imaginary" : "real");
}

static void committed(void **state) {
  char *folder = folder_create(), path[4096];
  (void)state;
  block_create(BLOCK_HEX20, &block);
  for (int row = 0; row < ROWS; ++row) {
    block_shake_sinew(&block, folder, &rows[row].shake, ours);
    for (int part = 0; part < 2; ++part) {
      path_of(row, part, SINEW_SOURCE_DIR "/tests/reference", path);
      block_read_reference(&block, path, theirs[0][part]);
    }
    compare(ours[1], theirs[0], rows[row].shake.frequency[1]);
  }
  folder_remove(&folder);
}

static void calculix(void **state) {
  (void)state;
  if (!*version) skip();
  block_create(BLOCK_HEX20, &block);
  for (int row = 0; row < ROWS; ++row) {
    char *folder = folder_create();
    block_shake_calculix(&block, folder, &rows[row].shake, theirs);
    block_shake_sinew(&block, folder, &rows[row].shake, ours);
    for (int k = 0; k < BLOCK_FREQUENCIES; ++k) compare(ours[k], theirs[k], rows[row].shake.frequency[k]);
    folder_remove(&folder);
  }
}

static const char *target;
static void write_references(void **state) {
  char *folder = folder_create(), path[4096], made_by[256];
  (void)state;
  snprintf(made_by, sizeof made_by, "test_reference_harmonic --write tests/reference (%s)", version);
  block_create(BLOCK_HEX20, &block);
  for (int row = 0; row < ROWS; ++row) {
    block_shake_calculix(&block, folder, &rows[row].shake, theirs);
    for (int part = 0; part < 2; ++part) {
      path_of(row, part, target, path);
      block_write_reference(&block, path, made_by, theirs[1][part]);
    }
  }
  folder_remove(&folder);
}

int main(int argc, char **argv) {
  calculix_version(version, sizeof version);
  if (argc == 3 && !strcmp(argv[1], "--write")) {
    target = argv[2];
    const struct CMUnitTest writing[] = {cmocka_unit_test(write_references)};
    return cmocka_run_group_tests(writing, NULL, NULL);
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(committed), cmocka_unit_test(calculix)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
