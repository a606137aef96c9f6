/* Sinew against the displacements that CalculiX found, kept in block-*.txt (calculix.c writes them). */
#include "tests/cli/run_program.h"
#include "tests/reference/block.h"

#include <stdio.h>

static Block block;
static double ours[BLOCK_GRID][3], theirs[BLOCK_GRID][3];

static void agree(BlockKind kind) {
  char *folder = folder_create(), path[8192];
  block_create(kind, &block);
  snprintf(path, sizeof path, SINEW_SOURCE_DIR "/tests/reference/block-%s.txt", block.name);
  block_read_reference(&block, path, theirs);
  block_solve_sinew(&block, folder, ours);
  block_compare(&block, ours, theirs);
  folder_remove(&folder);
}
static void tet4_agrees(void **state) { (void)state, agree(BLOCK_TET4); }
static void tet10_agrees(void **state) { (void)state, agree(BLOCK_TET10); }
static void hex20_agrees(void **state) { (void)state, agree(BLOCK_HEX20); }

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tet4_agrees), cmocka_unit_test(tet10_agrees),
                                     cmocka_unit_test(hex20_agrees)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
