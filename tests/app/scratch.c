#include "tests/app/scratch.h"
#include "app/app.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const SQUARE_MSH =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n4\n1 1 \"left\"\n1 2 \"right\"\n1 3 \"bottom\"\n2 4 "
    "\"body\"\n"
    "$EndPhysicalNames\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n"
    "$Elements\n5\n1 1 2 1 1 4 1\n2 1 2 2 2 2 3\n3 1 2 3 3 1 2\n4 2 2 4 4 1 2 3\n5 2 2 4 4 1 3 4\n$EndElements\n";
const char *const SQUARE_YAML =
    "version: 1\nmesh: {file: square.msh}\nphysics: elasticity\nmodel: plane-stress\n"
    "materials:\n  - {on: body, young: 1000, poisson: 0.25}\n"
    "boundary:\n  - {on: left, fix: {x: 0}}\n  - {on: bottom, fix: {y: 0}}\n  - {on: right, traction: [10, 0]}\n"
    "solver: {rtol: 1e-12}\n"
    "output:\n  fields: [displacement, stress, von-mises, principal, reaction, strain-energy, element-stress, "
    "point-stress]\n"
    "  probes: [{name: corner, at: [1, 1], field: displacement-x}, {name: inside, at: [0.3, 0.6], field: "
    "displacement-y}]\n"
    "  sums: [{name: support, on: [left], field: reaction}, {name: energy, on: body, field: strain-energy}]\n"
    "expect:\n  - {probe: corner, value: 0.01}\n  - {sum: support-x, value: -10, rtol: 1e-9}\n"
    "  - {sum: support-y, value: 0, atol: 1e-12}\n  - {quantity: strain-energy, value: 0.05}\n";

char *scratch_create(void) {
  const char *base = getenv("TMPDIR");
  char *folder = NULL;
  if (asprintf(&folder, "%s/sinew-test-XXXXXX", base && *base ? base : "/tmp") < 0 || !mkdtemp(folder))
    fail_msg("cannot make a folder for the test");
  return folder;
}

static void remove_all(const char *folder) {
  DIR *listing = opendir(folder);
  char path[4096];
  for (struct dirent *entry; listing && (entry = readdir(listing));) {
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= sizeof path) continue;
    if (unlink(path) != 0) remove_all(path);
  }
  if (listing) closedir(listing);
  rmdir(folder);
}

void scratch_remove(char **folder) {
  remove_all(*folder);
  free(*folder);
  *folder = NULL;
}

const char *scratch_path(const char *folder, const char *name) {
  static char paths[8][4096];
  static int next;
  char *path = paths[next++ % 8];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

void scratch_write(const char *folder, const char *name, const char *text) {
  FILE *file = fopen(scratch_path(folder, name), "wb");
  if (!file || fputs(text, file) < 0 || fclose(file)) fail_msg("cannot write '%s'", name);
}

static char *read_stream(FILE *file) {
  size_t n = 0, room = 4096;
  char *text = malloc(room);
  for (size_t got; (got = fread(text + n, 1, room - n - 1, file)) > 0;) {
    n += got;
    if (room - n < 2) text = realloc(text, room *= 2);
  }
  text[n] = 0;
  return text;
}

char *scratch_read(const char *folder, const char *name) {
  FILE *file = fopen(scratch_path(folder, name), "rb");
  if (!file) fail_msg("'%s' is not there", name);
  char *text = read_stream(file);
  fclose(file);
  return text;
}

double scratch_reported(const char *folder, const char *key) {
  char *report = scratch_read(folder, "results/report.json"), word[64];
  snprintf(word, sizeof word, "\"%s\": ", key);
  const char *at = strstr(report, word);
  if (!at) fail_msg("no %s in %s", key, report);
  const double value = strtod(at + strlen(word), NULL);
  free(report);
  return value;
}

#ifdef __SANITIZE_ADDRESS__
/* What a sanitizer finds is not to vanish with the file that standard error is sent to: at the process's end it is
 * shown. */
static int hidden = -1, shown = -1;
static void show_hidden(void) {
  char text[4096];
  ssize_t n;
  for (off_t at = 0; hidden >= 0 && (n = pread(hidden, text, sizeof text, at)) > 0; at += n)
    if (write(shown, text, (size_t)n) < 0) return;
}
/* Each sanitizer has a setting of its own. */
__attribute__((constructor)) static void show_at_death(void) {
  static const char *const libraries[] = {"libasan.so.8", "libubsan.so.1"};
  shown = dup(STDERR_FILENO);
  for (int i = 0; i < 2; ++i) {
    void (*set)(void (*)(void)) = NULL;
    void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);
    if (library) *(void **)&set = dlsym(library, "__sanitizer_set_death_callback");
    if (set) set(show_hidden);
  }
}
static void hide(FILE *err) { hidden = err ? fileno(err) : -1; }
#else
static void hide(FILE *err) { (void)err; }
#endif

/* Sends a stream of this process into a file; returns what puts it back. */
static int divert(FILE *stream, FILE *to) {
  fflush(stream);
  const int kept = dup(fileno(stream));
  dup2(fileno(to), fileno(stream));
  return kept;
}

static char *restore(FILE *stream, FILE *from, int kept) {
  fflush(stream);
  clearerr(stream);
  dup2(kept, fileno(stream));
  close(kept);
  rewind(from);
  char *text = read_stream(from);
  fclose(from);
  return text;
}

Said app_says_words(int n, const char *const *words) {
  char *argv[32] = {(char *)"sinew"};
  for (int i = 0; i < n; ++i) argv[i + 1] = (char *)words[i];
  FILE *out = tmpfile(), *err = tmpfile();
  const int kept_out = divert(stdout, out), kept_err = divert(stderr, err);
  hide(err);
  Said said = {.code = app_main(n + 1, argv)};
  hide(NULL);
  said.out = restore(stdout, out, kept_out);
  said.err = restore(stderr, err, kept_err);
  return said;
}

char *scratch_printed(void (*print)(const void *), const void *what) {
  FILE *out = tmpfile();
  const int kept = divert(stdout, out);
  print(what);
  return restore(stdout, out, kept);
}

Said app_says(const char *word, ...) {
  const char *words[31];
  int n = 0;
  va_list list;
  va_start(list, word);
  for (const char *w = word; w && n < 31; w = va_arg(list, const char *)) words[n++] = w;
  va_end(list);
  return app_says_words(n, words);
}

void said_release(Said *said) {
  free(said->out);
  free(said->err);
  *said = (Said){0};
}

const char *app_backend(void) {
  Exec *exec = testing_exec();
  const bool host = exec_is_host(exec);
  exec_destroy(&exec);
  return host ? "cpu" : "cuda";
}

Said app_run_says(const char *folder, const char *text) {
  scratch_write(folder, "case.yaml", text);
  return app_says("run", scratch_path(folder, "case.yaml"), "--overwrite", "--backend", app_backend(), "--output",
                  scratch_path(folder, "results"), NULL);
}

int app_guard_calls;
static int stop_at;
static int guard(int on) {
  app_guard_calls += on != 0;
  return stop_at > 0 && app_guard_calls >= stop_at;
}

int app_run_until(const char *folder, const char *output, const char *option, const char *threads, int stop) {
  char path[512], into[512];
  snprintf(path, sizeof path, "%s", scratch_path(folder, "case.yaml"));
  snprintf(into, sizeof into, "%s", scratch_path(folder, output));
  const char *words[] = {"sinew", "run",       path,          "--quiet",   option, "--output",
                         into,    "--backend", app_backend(), "--threads", threads};
  app_guard_calls = 0, stop_at = stop;
  return app_main_guarded(threads ? 11 : 9, (char **)(uintptr_t)words, guard);
}

void app_runs(const char *folder, const char *text) {
  Said said = app_run_says(folder, text);
  if (said.code) fail_msg("exit code %d: %s", said.code, said.err);
  said_release(&said);
}

void app_verifies(const char *folder, const char *text) {
  scratch_write(folder, "case.yaml", text);
  Said said = app_says("verify", scratch_path(folder, "case.yaml"), "--backend", app_backend(), "--overwrite", NULL);
  if (said.code) print_message("%s%s%s", text, said.out, said.err);
  assert_int_equal(said.code, 0);
  said_release(&said);
}

void app_refuses(const char *folder, const char *text, const char *part, const char *more) {
  scratch_write(folder, "case.yaml", text);
  Said said = app_says("check", scratch_path(folder, "case.yaml"), NULL);
  if (said.code != 3) fail_msg("exit code %d, not 3: %s%s", said.code, said.out, said.err);
  if (!strstr(said.err, part) || !strstr(said.err, more)) fail_msg("no \"%s\", \"%s\" in\n%s", part, more, said.err);
  said_release(&said);
}

void scratch_row(const char *folder, int n, double *value) {
  char *text = scratch_read(folder, "results/probes.csv"), *at = strchr(text, '\n') + 1;
  for (int i = -1; i < n; ++i, at = strchr(at, ',') ? strchr(at, ',') + 1 : at)
    if (i >= 0) assert_int_equal(sscanf(at, "%lf", &value[i]), 1);
  free(text);
}

void scratch_last_row(const char *folder, int n, double *value) {
  char *text = scratch_read(folder, "results/probes.csv"), *at = text + strlen(text) - 1;
  while (at > text && at[-1] != '\n') --at;
  for (int k = 0; k < n; ++k) value[k] = strtod(at, &at), ++at;
  free(text);
}
