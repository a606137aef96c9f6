/* Child processes and temporary folders of the black-box tests, see run_program.h. */
#include "tests/cli/run_program.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

char *get_text(const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  if (!file) fail_msg("'%s' should be there: %s", path, strerror(errno));
  size_t n = 0, room = 65536;
  char *text = malloc(room);
  for (size_t got; (got = fread(text + n, 1, room - n - 1, file)) > 0;) {
    n += got;
    if (room - n < 2) text = realloc(text, room *= 2);
  }
  text[n] = 0;
  fclose(file);
  return text;
}

void put_bytes(const char *folder, const char *name, const void *bytes, size_t n) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(bytes, 1, n, file) != n || fclose(file)) fail_msg("cannot write '%s': %s", path, strerror(errno));
}

void put_text(const char *folder, const char *name, const char *text) { put_bytes(folder, name, text, strlen(text)); }

bool is_there(const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return access(path, F_OK) == 0;
}

/* Folders of tests that failed half-way are put away at exit. */
enum { FOLDERS_MOST = 1024 };
static char *folders[FOLDERS_MOST];
static int n_folder;

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *walk) {
  (void)info, (void)kind, (void)walk;
  return remove(path);
}

static void remove_rest(void) {
  for (int i = 0; i < n_folder; ++i) folder_remove(&folders[i]);
}

char *folder_create(void) {
  const char *base = getenv("TMPDIR");
  char *folder = malloc(4096);
  snprintf(folder, 4096, "%s/sinew-test-XXXXXX", base && *base ? base : "/tmp");
  if (!mkdtemp(folder)) fail_msg("no temporary folder '%s': %s", folder, strerror(errno));
  if (n_folder == 0) atexit(remove_rest);
  if (n_folder < FOLDERS_MOST) folders[n_folder++] = folder;
  return folder;
}

void folder_remove(char **folder) {
  if (!*folder) return;
  for (int i = 0; i < n_folder; ++i)
    if (folders[i] == *folder && folder != &folders[i]) folders[i] = NULL;
  nftw(*folder, remove_one, 32, FTW_DEPTH | FTW_PHYS);
  free(*folder);
  *folder = NULL;
}

char *edited(const char *text, const char *find, const char *replace) {
  const char *at = strstr(text, find);
  expect_that(at, "the text to edit does not hold \"%s\"", find);
  expect_that(!strstr(at + 1, find), "the text to edit holds \"%s\" more than once", find);
  const size_t size = strlen(text) + strlen(replace) + 1;
  char *out = malloc(size);
  snprintf(out, size, "%.*s%s%s", (int)(at - text), text, replace, at + strlen(find));
  return out;
}

/* Waits for the child until the time is up; kills its whole group then. */
static void wait_for(pid_t child, Run *run) {
  struct timespec start, now;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (int status;;) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) {
      run->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
      run->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
      return;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!run->timed_out && now.tv_sec - start.tv_sec >= PROGRAM_SECONDS) {
      run->timed_out = true;
      kill(-child, SIGKILL);
    }
    nanosleep(&(struct timespec){0, 1000000}, NULL);
  }
}

/* Opens a new file without a name for the child's output. */
static int scratch_file(void) {
  char path[] = "/tmp/sinew-said-XXXXXX";
  const int file = mkstemp(path);
  if (file < 0) fail_msg("no temporary file: %s", strerror(errno));
  unlink(path);
  fcntl(file, F_SETFD, FD_CLOEXEC);
  return file;
}

static char *scratch_read(int file) {
  const off_t n = lseek(file, 0, SEEK_END);
  char *text = malloc((size_t)n + 1);
  const ssize_t got = pread(file, text, (size_t)n, 0);
  text[got < 0 ? 0 : got] = 0;
  close(file);
  return text;
}

Run run_program(const char *folder, const char *program, const char *const *arguments) {
  char *argv[PROGRAM_MAX_ARGS + 2] = {(char *)(uintptr_t)program};
  int n = 1;
  for (; arguments[n - 1]; ++n) {
    if (n > PROGRAM_MAX_ARGS) fail_msg("too many arguments");
    argv[n] = (char *)(uintptr_t)arguments[n - 1];
  }
  Run run = {0};
  const int out = scratch_file(), err = scratch_file();
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out, 1);
  posix_spawn_file_actions_adddup2(&actions, err, 2);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, program, &actions, &attributes, argv, environ);
  if (failed) fail_msg("cannot start '%s': %s", program, strerror(failed));
  wait_for(child, &run);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  run.out = scratch_read(out);
  run.err = scratch_read(err);
  if (run.timed_out) fail_msg("%s was still running after %d s\nstderr: %s", program, PROGRAM_SECONDS, run.err);
  if (run.signal)
    fail_msg("%s was ended by signal %d (%s)\nstderr: %s", program, run.signal, strsignal(run.signal), run.err);
  return run;
}

Run run_sinew(const char *folder, ...) {
  const char *arguments[PROGRAM_MAX_ARGS + 1] = {NULL};
  va_list list;
  va_start(list, folder);
  int n = 0;
  for (const char *argument; (argument = va_arg(list, const char *)) && n < PROGRAM_MAX_ARGS;)
    arguments[n++] = argument;
  va_end(list);
  return run_program(folder, SINEW_PROGRAM, arguments);
}

void run_release(Run *run) {
  free(run->out);
  free(run->err);
  run->out = run->err = NULL;
}

void assert_code(const Run *run, int code) {
  if (run->code != code)
    fail_msg("exit code %d expected, got %d\n---- stderr\n%s---- stdout\n%s----", code, run->code, run->err, run->out);
}

void assert_said(const Run *run, const char *part) {
  if (!strstr(run->err, part) && !strstr(run->out, part))
    fail_msg("\"%s\" should be said\n---- stderr\n%s---- stdout\n%s----", part, run->err, run->out);
}

void assert_not_said(const Run *run, const char *part) {
  if (strstr(run->err, part) || strstr(run->out, part))
    fail_msg("\"%s\" should not be said\n---- stderr\n%s---- stdout\n%s----", part, run->err, run->out);
}
