#include "tests/app/ranks_run.h"
#include "app/app.h"
#include "tests/app/scratch.h"
#include "tests/faults/same.h"

#include <hdf5.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *ranks_folder(const char *text) {
  char *folder = scratch_create();
  scratch_write(folder, "square.msh", SQUARE_MSH);
  scratch_write(folder, "case.yaml", text);
  return folder;
}

/* A guard by which one rank alone is asked to stop, when it was called so often. */
int ranks_stop_at;
static atomic_int n_asked;
static _Thread_local int calls;
static _Thread_local bool is_asked;
static int guard(int on) {
  if (ranks_stop_at && on && ++calls == ranks_stop_at) is_asked = atomic_fetch_add(&n_asked, 1) == 0;
  return is_asked;
}

/* Ends with `code`; path becomes the folder of its results. */
void ranks_run(const char *n, const char *folder, const char *into, const char *option, int code, char path[512]) {
  char text[512];
  snprintf(path, 512, "%s", scratch_path(folder, into));
  snprintf(text, sizeof text, "%s", scratch_path(folder, "case.yaml"));
  char *words[] = {(char *)"sinew",
                   (char *)"run",
                   text,
                   (char *)"--quiet",
                   (char *)"--output",
                   path,
                   (char *)"--backend",
                   (char *)(uintptr_t)app_backend(),
                   (char *)(uintptr_t)option};
  calls = 0, is_asked = false, n_asked = 0;
  setenv("SINEW_RANKS_AS_THREADS", n, 1);
  const int got = app_main_guarded(option ? 9 : 8, words, guard);
  unsetenv("SINEW_RANKS_AS_THREADS");
  if (got != code) fail_msg("%s ranks into %s: exit code %d, not %d", n, into, got, code);
}

static unsigned char *checkpoint_state(const char *folder, size_t *n) {
  char path[600];
  snprintf(path, sizeof path, "%s/checkpoint-1.hdf", folder);
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t data = H5Dopen2(file, "Checkpoint/state", H5P_DEFAULT);
  if (file < 0 || data < 0) fail_msg("'%s' is not a checkpoint", path);
  const hid_t space = H5Dget_space(data);
  *n = (size_t)H5Sget_simple_extent_npoints(space);
  unsigned char *state = malloc(*n);
  assert_true(H5Dread(data, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, state) >= 0);
  H5Sclose(space);
  H5Dclose(data);
  H5Fclose(file);
  return state;
}

static void same_state(const char *together, const char *alone) {
  size_t n, m;
  unsigned char *a = checkpoint_state(together, &n), *b = checkpoint_state(alone, &m);
  if (n != m || memcmp(a, b, n)) fail_msg("%s: the checkpoint is not that of %s", together, alone);
  free(a);
  free(b);
}

void ranks_same_files(const SharedCase *t, const char *together, const char *alone) {
  char a[600], b[600];
  int n_step = 0;
  snprintf(a, sizeof a, "%s/results.hdf", together), snprintf(b, sizeof b, "%s/results.hdf", alone);
  const Likeness like = result_likeness(a, b, false, &n_step);
  if (like != WHOLE) fail_msg("%s in %s: results.hdf is %s", t->name, together, likeness_word(like));
  snprintf(a, sizeof a, "%s/probes.csv", together), snprintf(b, sizeof b, "%s/probes.csv", alone);
  if (rows_likeness(a, b) != WHOLE) fail_msg("%s in %s: other rows in probes.csv", t->name, together);
  if (strstr(t->text, "checkpoint:")) same_state(together, alone);
  if (!strstr(t->text, "cavities:")) return;
  snprintf(a, sizeof a, "%s/loops.csv", together), snprintf(b, sizeof b, "%s/loops.csv", alone);
  if (rows_likeness(a, b) != WHOLE) fail_msg("%s in %s: other rows in loops.csv", t->name, together);
}

void (*ranks_write)(const char *folder);

/* The energies of a motion, where the case is one. */
static void same_energies(const SharedCase *t, const char *together, const char *alone) {
  static const char *const key[] = {"\"kinetic_energy\": ", "\"dissipated_energy\": ", "\"external_work\": "};
  char *left = scratch_read(together, "report.json"), *right = scratch_read(alone, "report.json");
  for (size_t k = 0; k < sizeof key / sizeof *key; ++k) {
    const char *a = strstr(left, key[k]), *b = strstr(right, key[k]);
    if (!a != !b) fail_msg("%s: %sis in one report alone", t->name, key[k]);
    if (!a) continue;
    const double x = strtod(a + strlen(key[k]), NULL), y = strtod(b + strlen(key[k]), NULL);
    if (!(fabs(x - y) <= 1e-9 * fabs(y))) fail_msg("%s: %s%.17g, alone %.17g", t->name, key[k], x, y);
  }
  free(left);
  free(right);
}

void ranks_same_as_alone(const SharedCase *t) {
  static const char *const ranks[] = {"2", "3", "5"};
  char alone[512], together[512];
  char *folder = ranks_folder(t->text);
  if (ranks_write) ranks_write(folder);
  ranks_run("1", folder, "with-1", NULL, 0, alone);
  for (size_t k = 0; k < t->n_ranks; ++k) {
    ranks_run(ranks[k], folder, ranks[k], NULL, 0, together);
    ranks_same_files(t, together, alone);
    same_energies(t, together, alone);
  }
  scratch_remove(&folder);
}

/* One rank is asked, all stop behind the same step, and any number of ranks goes on. */
void ranks_stop_and_go_on(const SharedCase *t) {
  static const char *const ranks[][2] = {{"2", "1"}, {"2", "3"}, {"1", "2"}};
  char alone[512], parts[512];
  char *folder = ranks_folder(t->text);
  if (ranks_write) ranks_write(folder);
  ranks_run("1", folder, "with-1", NULL, 0, alone);
  for (size_t k = 0; k < sizeof ranks / sizeof *ranks; ++k) {
    ranks_stop_at = 7;
    ranks_run(ranks[k][0], folder, "parts", "--overwrite", 10, parts);
    ranks_stop_at = 0;
    ranks_run(ranks[k][1], folder, "parts", "--resume", 0, parts);
    ranks_same_files(t, parts, alone);
  }
  scratch_remove(&folder);
}

void ranks_refused(const char *text, const char *n, const char *words) {
  char *folder = ranks_folder(text);
  setenv("SINEW_RANKS_AS_THREADS", n, 1);
  Said said = app_says("run", scratch_path(folder, "case.yaml"), "--backend", app_backend(), NULL);
  unsetenv("SINEW_RANKS_AS_THREADS");
  const char *at = strstr(said.err, words);
  if (said.code != 3 || !at || strstr(at + 1, words))
    fail_msg("exit code %d, not 3 with \"%s\" once:\n%s", said.code, words, said.err);
  said_release(&said);
  scratch_remove(&folder);
}
