#include "tests/faults/program.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void give_up(const char *format, ...) {
  va_list list;
  va_start(list, format);
  fprintf(stderr, "campaign: ");
  vfprintf(stderr, format, list);
  fprintf(stderr, "\n");
  va_end(list);
  exit(2);
}

static void become(const char *program, const char *folder, const char *const *words, const char *const *settings,
                   int said) {
  char *argv[WORDS_MOST + 2] = {(char *)(uintptr_t)program};
  for (int n = 0; words[n] && n < WORDS_MOST; ++n) argv[n + 1] = (char *)(uintptr_t)words[n];
  const int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, 0), dup2(nothing, 1), dup2(said, 2);
  close(nothing), close(said);
  setrlimit(RLIMIT_CPU, &(struct rlimit){CPU_SECONDS, CPU_SECONDS + 5});
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  setenv("OMP_NUM_THREADS", "1", 1);
  setenv("OMP_WAIT_POLICY", "passive", 1); /* so that the program does not start itself once more */
  for (int n = 0; settings && settings[n]; ++n) putenv((char *)(uintptr_t)settings[n]);
  if (chdir(folder) == 0) execv(program, argv);
  _exit(126);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Waits; after WALL_SECONDS kills it and what it started. */
static void wait_for(pid_t child, Ended *ended) {
  const double start = now();
  int status = 0;
  for (long pause = 200000; waitpid(child, &status, WNOHANG) == 0; pause = pause < 5000000 ? pause * 5 / 4 : pause) {
    if (!ended->hung && now() - start > WALL_SECONDS) {
      ended->hung = true;
      kill(-child, SIGKILL);
    }
    nanosleep(&(struct timespec){0, pause}, NULL);
  }
  ended->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  ended->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (ended->signal == SIGXCPU) ended->hung = true;
  if (ended->code == 126) give_up("the program could not be started");
}

Ended program_run(const char *program, const char *folder, const char *const *words, const char *const *settings) {
  Ended ended = {0};
  char name[] = "/tmp/sinew-said-XXXXXX";
  const int said = mkstemp(name);
  if (said < 0) give_up("no temporary file: %s", strerror(errno));
  unlink(name);
  const pid_t child = fork();
  if (child < 0) give_up("no new process: %s", strerror(errno));
  if (child == 0) {
    setpgid(0, 0);
    become(program, folder, words, settings, said);
  }
  setpgid(child, child);
  wait_for(child, &ended);
  const ssize_t n = pread(said, ended.said, SAID_ROOM - 1, 0);
  ended.said[n > 0 ? n : 0] = 0;
  close(said);
  return ended;
}

const char *path_in(const char *folder, const char *name) {
  enum { ROOMS = 32 };
  static char room[ROOMS][PATH_ROOM];
  static int next;
  char *path = room[next++ % ROOMS];
  if (snprintf(path, PATH_ROOM, "%s/%s", folder, name) >= PATH_ROOM) give_up("path too long: %s/%s", folder, name);
  return path;
}

void folder_make(const char *path) {
  if (mkdir(path, 0777) != 0 && errno != EEXIST) give_up("cannot make '%s': %s", path, strerror(errno));
}

static int drop_one(const char *path, const struct stat *info, int kind, struct FTW *walk) {
  (void)info, (void)kind, (void)walk;
  return remove(path);
}

void folder_drop(const char *path) { nftw(path, drop_one, 32, FTW_DEPTH | FTW_PHYS); }

void folder_copy(const char *from, const char *to) {
  folder_drop(to);
  folder_make(to);
  DIR *list = opendir(from);
  if (!list) give_up("cannot read '%s': %s", from, strerror(errno));
  for (const struct dirent *entry; (entry = readdir(list));) {
    size_t n;
    if (entry->d_name[0] == '.' && entry->d_name[1 + (entry->d_name[1] == '.')] == 0) continue;
    unsigned char *bytes = file_read(path_in(from, entry->d_name), &n);
    if (bytes) file_write(path_in(to, entry->d_name), bytes, n);
    free(bytes);
  }
  closedir(list);
}

bool file_there(const char *path) { return access(path, F_OK) == 0; }

unsigned char *file_read(const char *path, size_t *n) {
  FILE *file = fopen(path, "rb");
  struct stat info;
  *n = 0;
  if (!file) return NULL;
  if (fstat(fileno(file), &info) != 0 || !S_ISREG(info.st_mode)) {
    fclose(file);
    return NULL;
  }
  unsigned char *bytes = malloc((size_t)info.st_size + 1);
  *n = fread(bytes, 1, (size_t)info.st_size, file);
  bytes[*n] = 0;
  fclose(file);
  return bytes;
}

void file_write(const char *path, const void *bytes, size_t n) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(bytes, 1, n, file) != n || fclose(file)) give_up("cannot write '%s': %s", path, strerror(errno));
}

bool files_equal(const char *a, const char *b) {
  size_t n, m;
  unsigned char *x = file_read(a, &n), *y = file_read(b, &m);
  const bool equal = x && y && n == m && memcmp(x, y, n) == 0;
  free(x);
  free(y);
  return equal;
}
