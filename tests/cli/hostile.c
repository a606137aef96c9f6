/* Damaged meshes and case files by the hundred, made by rule: each must end with a code of the list, never by a signal
 * (run_program fails the test then), never as "a bug in Sinew", and without output when it is an error. */
#include "tests/cli/run_program.h"
#include "tests/cli/small_mesh.h"

#include <stdio.h>
#include <string.h>

static uint32_t next(uint32_t *seed) { return *seed = *seed * 1664525u + 1013904223u; }

/* `check` on the folder's case: 0 or one of the codes for wrong input. */
static void survives(const char *folder, const char *what, unsigned number) {
  Run run = run_sinew(folder, "check", "case.yaml", NULL);
  if (run.code != 0 && run.code != 3 && run.code != 4)
    fail_msg("%s %u: exit code %d\n%s", what, number, run.code, run.err);
  if (run.code && !*run.err) fail_msg("%s %u: exit code %d without a word", what, number, run.code);
  run_release(&run);
}

static void damage(const char *what, const char *file, const char *text, unsigned rounds) {
  char *folder = folder_create();
  put_text(folder, "case.yaml", SQUARE_CASE);
  put_text(folder, "square.msh", SQUARE_MESH);
  const size_t n = strlen(text);
  char *bytes = malloc(n + 1);
  uint32_t seed = 2463534242u;
  for (unsigned round = 0; round < rounds; ++round) {
    memcpy(bytes, text, n + 1);
    size_t length = n;
    if (round % 2) {
      length = (size_t)(n * round / rounds); /* cut off, further and further behind */
    } else {
      static const char odd[] = "0-9e.\n \"${}[]:,&*!#\0\xff\x01";
      for (unsigned k = 0; k < 1 + round / 16; ++k) bytes[next(&seed) % n] = odd[next(&seed) % (sizeof odd - 1)];
    }
    put_bytes(folder, file, bytes, length);
    survives(folder, what, round);
  }
  free(bytes);
  folder_remove(&folder);
}

static void damaged_msh_2(void **state) { (void)state, damage("MSH 2.2, round", "square.msh", SQUARE_MESH, 100); }
static void damaged_msh_4(void **state) { (void)state, damage("MSH 4.1, round", "square.msh", SQUARE_MESH_41, 100); }
static void damaged_case(void **state) { (void)state, damage("case file, round", "case.yaml", SQUARE_CASE, 100); }

/* `info` on a file: 0 or one of the codes for damage. */
static void is_described(const char *folder, const char *what, unsigned number) {
  Run run = run_sinew(folder, "info", what, NULL);
  if (run.code != 0 && run.code != 4 && run.code != 9)
    fail_msg("info of %s, round %u: exit code %d\n%s", what, number, run.code, run.err);
  if (run.code && !*run.err) fail_msg("info of %s, round %u: exit code %d without a word", what, number, run.code);
  run_release(&run);
}

static unsigned char whole[1 << 20], bytes[1 << 20];

static size_t read_whole(const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  const size_t n = file ? fread(whole, 1, sizeof whole, file) : 0;
  if (file) fclose(file);
  assert_true(n > 0);
  return n;
}

/* HDF5 1.10 loses some of its own memory on damaged files; a leak sanitizer shall look at ours. */
static void allow_leaks_of_hdf5(const char *folder) {
  char text[4096];
  put_text(folder, "leaks", "leak:libhdf5\n");
  snprintf(text, sizeof text, "print_suppressions=0:suppressions=%s/leaks", folder);
  setenv("LSAN_OPTIONS", text, 0);
}

/* Sinew's own HDF5 mesh with bytes overwritten or cut off, and the same without its checksum, where HDF5 meets the
 * damage: it crashes on some of these, in a process of its own. */
static void damaged_h5(void **state) {
  (void)state;
  enum { ROUNDS = 60, SEAL = 24 };
  char *folder = folder_create(), *text = edited(SQUARE_CASE, "square.msh", "square.h5");
  put_text(folder, "case.yaml", text);
  put_text(folder, "square.msh", SQUARE_MESH);
  allow_leaks_of_hdf5(folder);
  Run run = run_sinew(folder, "mesh", "square.msh", "whole.h5", NULL);
  assert_code(&run, 0);
  run_release(&run);
  const size_t n = read_whole(folder, "whole.h5");
  uint32_t seed = 88172645u;
  for (unsigned round = 0; round < 2 * ROUNDS; ++round) {
    const bool sealed = round < ROUNDS;
    memcpy(bytes, whole, n);
    size_t length = sealed ? n : n - SEAL;
    if (round % 2 && sealed) length = n * round / ROUNDS;
    else
      for (int k = 0; k < 8; ++k) bytes[next(&seed) % (sealed ? n : 4096)] = (unsigned char)next(&seed);
    put_bytes(folder, "square.h5", bytes, length);
    survives(folder, "HDF5 mesh, round", round);
  }
  free(text);
  folder_remove(&folder);
}

static void without_checksum(void **state) {
  (void)state;
  char *folder = folder_create();
  put_text(folder, "square.msh", SQUARE_MESH);
  Run run = run_sinew(folder, "mesh", "square.msh", "whole.h5", NULL);
  run_release(&run);
  const size_t n = read_whole(folder, "whole.h5");
  put_bytes(folder, "whole.h5", whole, n - 24);
  run = run_sinew(folder, "info", "whole.h5", NULL);
  assert_code(&run, 0);
  assert_said(&run, "this mesh has no checksum");
  run_release(&run);
  folder_remove(&folder);
}

/* A result and a file that says that it is a checkpoint. */
static void damaged_result(void **state) {
  (void)state;
  char *folder = folder_create();
  put_text(folder, "case.yaml", SQUARE_CASE);
  put_text(folder, "square.msh", SQUARE_MESH);
  allow_leaks_of_hdf5(folder);
  Run run = run_sinew(folder, "run", "case.yaml", "--output", ".", "--quiet", "--backend", "cpu", NULL);
  assert_code(&run, 0);
  run_release(&run);
  const size_t n = read_whole(folder, "results.hdf");
  uint32_t seed = 3141592u;
  for (unsigned round = 0; round < 60; ++round) {
    memcpy(bytes, whole, n);
    for (int k = 0; k < 1 + (int)round % 8; ++k)
      bytes[next(&seed) % (n < 20000 ? n : 20000)] ^= (unsigned char)(1u << next(&seed) % 8);
    put_bytes(folder, "bad.hdf", bytes, round % 10 == 9 ? n * round / 60 : n);
    is_described(folder, "bad.hdf", round);
  }
  folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(damaged_msh_2),    cmocka_unit_test(damaged_msh_4),
                                     cmocka_unit_test(damaged_case),     cmocka_unit_test(damaged_h5),
                                     cmocka_unit_test(without_checksum), cmocka_unit_test(damaged_result)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
