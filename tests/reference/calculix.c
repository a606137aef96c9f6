/* Sinew against CalculiX on the same mesh: tet4, tet10 and hex20 block of two materials under pressure and gravity.
 * Skipped where there is no `ccx`. `test_reference_calculix --write FOLDER` writes the committed references again. */
#include "tests/cli/run_program.h"
#include "tests/reference/block.h"

#include <stdio.h>
#include <string.h>

static Block block;
static double ours[BLOCK_GRID][3], theirs[BLOCK_GRID][3];

static void agree(BlockKind kind) {
  char *folder = folder_create();
  block_create(kind, &block);
  block_solve_calculix(&block, folder, theirs);
  block_solve_sinew(&block, folder, ours);
  block_compare(&block, ours, theirs);
  folder_remove(&folder);
}
static void tet4_agrees(void **state) { (void)state, agree(BLOCK_TET4); }
static void tet10_agrees(void **state) { (void)state, agree(BLOCK_TET10); }
static void hex20_agrees(void **state) { (void)state, agree(BLOCK_HEX20); }

static const char *target;
static void write_references(void **state) {
  (void)state;
  for (int kind = 0; kind < N_BLOCK_KINDS; ++kind) {
    char *folder = folder_create(), path[8192], version[128], made_by[256];
    block_create((BlockKind)kind, &block);
    block_solve_calculix(&block, folder, theirs);
    snprintf(path, sizeof path, "%s/block-%s.txt", target, block.name);
    snprintf(made_by, sizeof made_by, "test_reference_calculix --write tests/reference (%s)",
             calculix_version(version, sizeof version));
    block_write_reference(&block, path, made_by, theirs);
    folder_remove(&folder);
  }
}

int main(int argc, char **argv) {
  char version[128];
  if (!*calculix_version(version, sizeof version)) {
    fprintf(stderr, "skipped: no CalculiX (apt-get install calculix-ccx)\n");
    return 77;
  }
  if (argc == 3 && !strcmp(argv[1], "--write")) {
    target = argv[2];
    const struct CMUnitTest writing[] = {cmocka_unit_test(write_references)};
    return cmocka_run_group_tests(writing, NULL, NULL);
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(tet4_agrees), cmocka_unit_test(tet10_agrees),
                                     cmocka_unit_test(hex20_agrees)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
