/* Checkpoints: written, read, two generations, foreign ones, damage at every block, failed allocations. */
#include "output/checkpoint.h"

#include "core/memory.h"
#include "output/folder.h"
#include "tests/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BYTES = 3001 };

static char *folder;

static void path_of(int generation, char out[512]) { snprintf(out, 512, "%s/checkpoint-%d.hdf", folder, generation); }

/* A state whose bytes tell the time. */
static void save(double time) {
  unsigned char state[BYTES];
  for (int i = 0; i < BYTES; ++i) state[i] = (unsigned char)(i * 7 + (int)time);
  const Checkpoint c = {.time = time,
                        .case_hash = 0x8000000000000001u,
                        .mesh_hash = 2,
                        .count = {10, 20, 30, (int64_t)time},
                        .n_byte = BYTES,
                        .state = state,
                        .version = "0.0",
                        .case_text = "title: x\n"};
  assert_ok(checkpoint_save(folder, &c));
}

static void loads(double time) {
  Checkpoint c;
  bool found = false;
  assert_ok(checkpoint_load(folder, 0x8000000000000001u, 2, &c, &found));
  assert_true(found);
  assert_near(c.time, time, 0);
  assert_int_equal(c.count[0], 10);
  assert_int_equal(c.count[3], (int64_t)time);
  assert_int_equal(c.n_byte, BYTES);
  for (int i = 0; i < BYTES; ++i) assert_int_equal(((unsigned char *)c.state)[i], (unsigned char)(i * 7 + (int)time));
  checkpoint_release(&c);
}

static void flip(const char *path, long at) {
  FILE *file = fopen(path, "r+b");
  assert_non_null(file);
  assert_int_equal(fseek(file, at, SEEK_SET), 0);
  const int c = fgetc(file);
  assert_int_equal(fseek(file, at, SEEK_SET), 0);
  fputc(c ^ 0x10, file);
  assert_int_equal(fclose(file), 0);
}

static void two_generations(void **state) {
  (void)state;
  char path[512], text[4096];
  Checkpoint c;
  bool found = true;
  assert_ok(checkpoint_load(folder, 1, 2, &c, &found));
  assert_false(found);
  save(1);
  loads(1);
  save(2);
  save(3);
  loads(3);
  path_of(1, path);
  assert_true(checkpoint_is(path));
  assert_ok(checkpoint_describe(path, text, sizeof text));
  assert_non_null(strstr(text, "time       3\n"));
  assert_non_null(strstr(text, "case_hash  8000000000000001"));
  assert_ok(checkpoint_describe(path, text, 10)); /* cut */
  assert_int_equal(strlen(text), 9);
  assert_int_equal(unlink(path), 0);
  assert_false(checkpoint_is(path));
  loads(2); /* the one before */
  save(4);
  loads(4);
  assert_ok(checkpoint_remove(folder));
  assert_ok(checkpoint_remove(folder));
  assert_ok(checkpoint_load(folder, 1, 2, &c, &found));
  assert_false(found);
}

static void foreign(void **state) {
  (void)state;
  Checkpoint c;
  bool found;
  save(1);
  assert_fails(checkpoint_load(folder, 5, 2, &c, &found), ERR_RESTART, "another case");
  assert_fails(checkpoint_load(folder, 0x8000000000000001u, 3, &c, &found), ERR_RESTART, "another mesh");
  assert_null(c.state);
  assert_ok(checkpoint_remove(folder));
}

/* One bit in each block of 16 bytes, and every length: the older one is used and the damaged one named. */
static void damage(void **state) {
  (void)state;
  char path[512];
  struct stat info;
  save(5);
  save(6);
  path_of(1, path);
  assert_int_equal(stat(path, &info), 0);
  for (long at = 3; at < info.st_size; at += 16) {
    flip(path, at);
    status_warnings_clear();
    loads(5);
    assert_int_equal(status_warning_count(), 1);
    assert_non_null(strstr(status_warning(0), "checkpoint-1.hdf' is damaged"));
    assert_non_null(strstr(status_warning(0), "checkpoint-2.hdf"));
    flip(path, at);
  }
  status_warnings_clear();
  loads(6);
  assert_int_equal(status_warning_count(), 0);
  for (off_t length = info.st_size - 1; length >= 0; length = length > 40 ? length - 997 : length - 8) {
    if (length < 0) length = 0;
    assert_int_equal(truncate(path, length), 0);
    loads(5);
  }
  status_warnings_clear();
}

static void none_usable(void **state) {
  (void)state;
  char path[512];
  Checkpoint c;
  bool found;
  save(7);
  save(8);
  for (int g = 1; g <= 2; ++g) {
    path_of(g, path);
    flip(path, 100);
  }
  assert_fails(checkpoint_load(folder, 1, 2, &c, &found), ERR_RESTART, "no checkpoint can be used");
  assert_null(c.state);
  assert_ok(checkpoint_remove(folder));
}

static void cannot_write(void **state) {
  (void)state;
  unsigned char byte = 0;
  const Checkpoint c = {.n_byte = 1, .state = &byte};
  assert_fails(checkpoint_save("/nonexistent/folder", &c), ERR_IO, "cannot make '/nonexistent/folder/checkpoint.new'");
}

static void failed_allocations(void **state) {
  (void)state;
  unsigned char byte = 7;
  const Checkpoint c = {.n_byte = 1, .state = &byte, .case_hash = 1, .mesh_hash = 2};
  Checkpoint got;
  bool found;
  testing_fail_each_of(checkpoint_save(folder, &c), (void)0);
  testing_fail_each_of(checkpoint_load(folder, 1, 2, &got, &found), checkpoint_release(&got));
  assert_ok(checkpoint_remove(folder));
}

static int make_folder(void **state) {
  static char name[256];
  (void)state;
  snprintf(name, sizeof name, "%s/sinew-checkpoint-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
  folder = mkdtemp(name);
  return folder ? 0 : -1;
}
static int remove_folder(void **state) {
  (void)state;
  checkpoint_remove(folder);
  return rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(two_generations), cmocka_unit_test(foreign),
                                     cmocka_unit_test(damage),          cmocka_unit_test(none_usable),
                                     cmocka_unit_test(cannot_write),    cmocka_unit_test(failed_allocations)};
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
