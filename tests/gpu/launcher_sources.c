/* The launchers that the sources name: the table cuda_kernels_<folder>_<file>[] = {{"name", sizeof(...), ...}, ...} at
 * the end of each gpu/<folder>/<file>.cu, as the C preprocessor leaves it. CUDA's headers are empty files here
 * (SINEW_EMPTY_HEADERS). */
#include "tests/gpu/launcher_table.h"
#include "tests/testing.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 4096, NAME = 96 };
static char (*names)[NAME]; /* owned, [n_name] */
static int n_name;

/* `options`: what stands before the file, which is under gpu/. */
static char *preprocess(const char *options, const char *file) {
  char command[2048];
  snprintf(command, sizeof command,
           SINEW_C_COMPILER " -std=gnu11 -E -P -I'" SINEW_SOURCE_DIR "' -I'" SINEW_EMPTY_HEADERS
                            "' %s -x c '" SINEW_SOURCE_DIR "/gpu/%s'",
           options, file);
  FILE *gcc = popen(command, "r");
  assert_non_null(gcc);
  size_t n = 0, room = 1 << 22;
  char *text = malloc(room);
  assert_non_null(text);
  for (size_t more; (more = fread(text + n, 1, room - 1 - n, gcc)) > 0;) n += more;
  assert_true(n < room - 1);
  text[n] = 0;
  assert_int_equal(pclose(gcc), 0);
  return text;
}

static int compare(const void *a, const void *b) { return strcmp(a, b); }

/* `at` behind an opening brace: the strings there, one after another, as one name; false where there is none. */
static bool read_name(const char *at, char out[NAME]) {
  size_t n = 0;
  bool any = false;
  for (;;) {
    at += strspn(at, " \n");
    if (*at != '"') break;
    const size_t length = strcspn(at + 1, "\"");
    if (n + length >= NAME) fail_msg("the name of a launcher is too long: %.100s", at);
    memcpy(out + n, at + 1, length);
    n += length;
    at += length + 2;
    any = true;
  }
  out[n] = 0;
  return any;
}

/* `rows`: the rows.def that the table is made of; NULL: a file of its own. */
static void read_table(const char *folder, const char *file, const char *rows) {
  char title[128], path[128], options[256] = "";
  snprintf(path, sizeof path, "%s/%s.cu", folder, file);
  if (rows) snprintf(options, sizeof options, "-D'ROWS_FILE=\"%s\"' -DROWS_TABLE=cuda_kernels_rows_%s", rows, file);
  char *text = preprocess(options, rows ? "rows_launch.cuh" : path);
  snprintf(title, sizeof title, "cuda_kernels_%s_%s[] =", folder, file);
  const char *at = strstr(text, title);
  if (!at) fail_msg("gpu/%s has no table cuda_kernels_%s_%s", path, folder, file);
  const int before = n_name;
  while ((at = strchr(at, '{'))) {
    ++at;
    assert_true(n_name < MOST);
    n_name += read_name(at, names[n_name]);
  }
  if (n_name == before) fail_msg("cuda_kernels_%s_%s is empty", folder, file);
  free(text);
}

int launchers_open(void) {
  static const char *const files[][3] = {
#define LAUNCHERS(folder, file) {#folder, #file, NULL},
#define LAUNCHERS_OF(name, rows) {"rows", #name, rows},
#include "gpu/launchers.def"
#undef LAUNCHERS
#undef LAUNCHERS_OF
#define FORMAT(identifier, name, meaning) {"formats", #identifier, NULL},
#include "algebra/formats.def"
#undef FORMAT
  };
  n_name = 0;
  names = calloc(MOST, sizeof *names);
  assert_non_null(names);
  for (size_t k = 0; k < sizeof files / sizeof *files; ++k) read_table(files[k][0], files[k][1], files[k][2]);
  qsort(names, (size_t)n_name, sizeof *names, compare);
  for (int k = 1; k < n_name; ++k)
    if (!strcmp(names[k], names[k - 1])) fail_msg("two launchers are called '%s'", names[k]);
  return n_name;
}

void launchers_close(void) {
  free(names);
  names = NULL;
}

LauncherFound launchers_find(const char *name, size_t args_size) {
  (void)args_size;
  return bsearch(name, names, (size_t)n_name, sizeof *names, compare) ? LAUNCHER_THERE : LAUNCHER_MISSING;
}
