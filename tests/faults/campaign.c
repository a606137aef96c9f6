/* Runs a campaign of faults and prints its table:
 *   fault_campaign PROGRAM IO_SHIM MEM_SHIM [--full] [--kind NAME,NAME (their beginnings)] [--points N] [--point N]
 *                  [--jobs N] [--seconds S] [--keep] [--leftovers: they count as no harm]
 * Exit code 0: every promise held; 1: one did not; 2: the campaign itself failed. */
#include "tests/faults/campaign.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { POINTS_MOST = 8192, SHOWN = 5 };

typedef struct Settings {
  const char *kind;
  int64_t points, only;
  int jobs;
  double seconds; /* 0: no limit */
  bool leftovers; /* allowed */
} Settings;

/* Shared by the workers of a kind. */
typedef struct Shared {
  _Atomic int64_t next;
  Outcome outcome[POINTS_MOST];
} Shared;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static const char *absolute(const char *path) {
  char *real = realpath(path, NULL);
  if (!real) give_up("'%s': %s", path, strerror(errno));
  return real;
}

/* Points are spread evenly over all that there are. */
static int64_t nth_point(int64_t i, int64_t n, int64_t all) {
  return n >= all ? i : i * all / n + (all / n > 2 ? i % (all / n) : 0);
}

static void work(const Campaign *c, const Kind *kind, const Settings *s, int64_t n, int64_t all, int worker, double end,
                 Shared *shared) {
  char name[32], folder[PATH_ROOM];
  snprintf(name, sizeof name, "work-%d", worker);
  snprintf(folder, sizeof folder, "%s", path_in(c->folder, name));
  for (int64_t i; (i = atomic_fetch_add(&shared->next, 1)) < n;) {
    if (end > 0 && now() > end) break;
    int64_t point = s->only >= 0 ? s->only : nth_point(i, n, all);
    if (point >= all) point = all - 1;
    kind->point(c, kind, point, folder, &shared->outcome[i]);
    if (shared->outcome[i].verdict < CRASH || c->keep) continue;
    char text[sizeof shared->outcome[i].text];
    snprintf(text, sizeof text, "point %ld: %.700s", (long)point, shared->outcome[i].text);
    memcpy(shared->outcome[i].text, text, sizeof text);
  }
  _exit(0);
}

static int64_t report(const Kind *kind, int64_t n, bool leftovers, const Shared *shared) {
  static const char *const words[] = {
      [CRASH] = "crashed",      [HANG] = "hung",       [CODE] = "wrong exit code", [WORDLESS] = "no sentence",
      [LOST] = "lost or wrong", [MIXTURE] = "mixture", [LEFT_OVER] = "left over"};
  int64_t count[N_VERDICT] = {0}, shown = 0, bad = 0;
  for (int64_t i = 0; i < n; ++i) ++count[shared->outcome[i].verdict];
  for (int v = CRASH; v < N_VERDICT; ++v) bad += count[v];
  printf("| %s | %s | %ld | %ld | %ld | %ld | %ld |", kind->name, kind->what, (long)(n - count[NOT_RUN]),
         (long)count[HELD], (long)count[REFUSED], (long)count[PASSED], (long)bad);
  for (int v = CRASH; v < N_VERDICT; ++v)
    if (count[v]) printf(" %ld %s;", (long)count[v], words[v]);
  printf("\n");
  fflush(stdout);
  for (int64_t i = 0; i < n && shown < SHOWN; ++i)
    if (shared->outcome[i].verdict >= CRASH)
      fprintf(stderr, "%s: %s: %s\n", kind->name, words[shared->outcome[i].verdict], shared->outcome[i].text), ++shown;
  return leftovers ? bad - count[LEFT_OVER] : bad;
}

static int64_t try_kind(const Campaign *c, const Kind *kind, const Settings *s, double end) {
  Shared *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) give_up("no shared memory");
  int64_t n = s->points ? s->points : c->full ? kind->full : kind->small;
  if (n == 0 || (end > 0 && now() > end)) return 0;
  const int64_t all = kind->prepare(c, kind);
  if (n > all) n = all;
  if (n > POINTS_MOST) n = POINTS_MOST;
  if (s->only >= 0) n = 1;
  fflush(NULL);
  for (int j = 0; j < s->jobs; ++j) {
    const pid_t child = fork();
    if (child < 0) give_up("no new process");
    if (child == 0) work(c, kind, s, n, all, j, end, shared);
  }
  for (int status; wait(&status) > 0;)
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) give_up("a worker has failed");
  const int64_t bad = report(kind, n, s->leftovers, shared);
  munmap(shared, sizeof *shared);
  return bad;
}

/* True when no kind was asked for, or one of the beginnings is that of this name. */
static bool wanted(const char *name, const char *kinds) {
  for (const char *at = kinds; at && *at; at += strcspn(at, ","), at += *at == ',') {
    const size_t n = strcspn(at, ",");
    if (n > 0 && strncmp(name, at, n) == 0) return true;
  }
  return !kinds;
}

static Settings read_words(int argc, char **argv, Campaign *c) {
  Settings s = {.only = -1, .jobs = (int)sysconf(_SC_NPROCESSORS_ONLN)};
  if (argc < 4)
    give_up("usage: fault_campaign PROGRAM IO_SHIM MEM_SHIM [--full] [--kind NAME] [--points N] [--point N] [--jobs N] "
            "[--seconds S] [--keep]");
  c->program = absolute(argv[1]), c->io_shim = absolute(argv[2]), c->mem_shim = absolute(argv[3]);
  for (int i = 4; i < argc; ++i) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    if (strcmp(argv[i], "--full") == 0) c->full = true;
    else if (strcmp(argv[i], "--keep") == 0) c->keep = true;
    else if (strcmp(argv[i], "--leftovers") == 0) s.leftovers = true;
    else if (++i && strcmp(argv[i - 1], "--kind") == 0) s.kind = value;
    else if (strcmp(argv[i - 1], "--points") == 0) s.points = atol(value);
    else if (strcmp(argv[i - 1], "--point") == 0) s.only = atol(value);
    else if (strcmp(argv[i - 1], "--jobs") == 0) s.jobs = atoi(value);
    else if (strcmp(argv[i - 1], "--seconds") == 0) s.seconds = atof(value);
    else give_up("unknown option '%s'", argv[i - 1]);
  }
  return s;
}

/* The loader takes spaces and colons for ends of a name: such a library gets another one in the temporary folder. */
static const char *preloadable(const char *library, const char *folder, const char *name) {
  char path[PATH_ROOM];
  if (!strpbrk(library, " :")) return library;
  snprintf(path, sizeof path, "%.400s/%s", folder, name);
  if (symlink(library, path) != 0) give_up("'%s': %s", path, strerror(errno));
  return strdup(path);
}

int main(int argc, char **argv) {
  static const Kind *const tables[] = {kill_kinds, failure_kinds, memory_kinds, damage_kinds};
  Campaign campaign = {0};
  const Settings settings = read_words(argc, argv, &campaign);
  const char *base = getenv("TMPDIR");
  char folder[PATH_ROOM];
  snprintf(folder, sizeof folder, "%.400s/sinew-faults-XXXXXX", base && *base ? base : "/tmp");
  if (!mkdtemp(folder)) give_up("no temporary folder");
  campaign.folder = folder;
  campaign.io_shim = preloadable(campaign.io_shim, folder, "io_shim.so");
  campaign.mem_shim = preloadable(campaign.mem_shim, folder, "mem_shim.so");
  const double end = settings.seconds > 0 ? now() + settings.seconds : 0;
  int64_t bad = 0;
  printf("| kind | fault | points | told and held | refused on resume | did no harm | broken "
         "|\n|---|---|---|---|---|---|---|\n");
  for (size_t t = 0; t < sizeof tables / sizeof *tables; ++t)
    for (const Kind *kind = tables[t]; kind->name; ++kind)
      if (wanted(kind->name, settings.kind)) bad += try_kind(&campaign, kind, &settings, end);
  if (campaign.keep) fprintf(stderr, "kept: %s\n", folder);
  else folder_drop(folder);
  return bad ? 1 : 0;
}
