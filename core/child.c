#include "core/child.h"
#include "core/clock.h"

#include <errno.h>
#include <fcntl.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MESSAGE_BYTES = 16384, WARNING_BYTES = 65536 };

/* Shared by both processes; the answer lies behind it, aligned for any type. */
typedef struct Shared {
  _Alignas(16) bool ended;
  Status status;
  int n_warning;
  char message[MESSAGE_BYTES], warning[WARNING_BYTES]; /* the warnings, each with its zero */
} Shared;

/* What the process has of addresses, as far as the system tells. */
static rlim_t addresses(void) {
  char text[64] = "";
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  const ssize_t n = file >= 0 ? read(file, text, sizeof text - 1) : 0;
  if (file >= 0) close(file);
  return n > 0 ? (rlim_t)strtoull(text, NULL, 10) * (rlim_t)sysconf(_SC_PAGESIZE) : 0;
}

void child_limit(size_t bytes) {
  const rlim_t taken = addresses(), most = taken + bytes;
  struct rlimit limit;
  if (!taken || getrlimit(RLIMIT_AS, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max == RLIM_INFINITY || limit.rlim_max > most ? most : limit.rlim_max;
  setrlimit(RLIMIT_AS, &limit);
}

/* Those of this process from number `first` on. */
static void hand_warnings(int first, Shared *shared) {
  size_t used = 0;
  for (int i = first; i < status_warning_count(); ++i) {
    const size_t n = strlen(status_warning(i)) + 1;
    if (used + n > sizeof shared->warning) return;
    memcpy(shared->warning + used, status_warning(i), n);
    used += n;
    ++shared->n_warning;
  }
}

static void take_warnings(const Shared *shared) {
  const char *text = shared->warning;
  for (int i = 0; i < shared->n_warning; ++i, text += strlen(text) + 1) status_warn("%s", text);
}

/* The child: signals end it as they do by default, it goes when its parent goes, and it leaves no core file. */
static void work_alone(pid_t parent, const ChildParams *params, Status (*work)(void *context, void *answer),
                       void *context, Shared *shared) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; ++i) signal(signals[i], SIG_DFL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  const rlim_t limit = (rlim_t)params->seconds + 1;
  const int first = status_warning_count();
  setrlimit(RLIMIT_CPU, &(struct rlimit){limit, limit});
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
#ifdef _OPENMP
  omp_set_num_threads(1); /* the parent's other threads are not here */
#endif
  shared->status = work(context, shared + 1);
  snprintf(shared->message, sizeof shared->message, "%s", status_message());
  if (params->warns) hand_warnings(first, shared);
  shared->ended = true;
  _exit(0);
}

/* The child's end; false when it is not there in time. Short naps at first: most of its work takes a millisecond. */
static bool child_follow(pid_t child, double deadline, int *how) {
  for (long nap = 100000;; nap = nap < 10000000 ? 2 * nap : nap) {
    const pid_t got = waitpid(child, how, WNOHANG);
    if (got == child || (got < 0 && errno != EINTR)) return true;
    if (clock_seconds() > deadline) return false;
    nanosleep(&(struct timespec){0, nap}, NULL);
  }
}

static void end_it(pid_t child, int *how) {
  kill(child, SIGKILL);
  while (waitpid(child, how, 0) < 0 && errno == EINTR) continue;
}

static Status child_judge(const ChildParams *p, const Shared *shared, bool in_time, int how) {
  const char *remedy = p->remedy ? p->remedy : "", *line = p->remedy ? "\n" : "";
  if (in_time && shared->ended) return shared->status == OK ? OK : FAIL(shared->status, "%s", shared->message);
  CHECK(in_time && !(WIFSIGNALED(how) && WTERMSIG(how) == SIGXCPU), p->broken,
        "'%s' is damaged: the process that tried to %s it was stopped after %d s%s%s", p->what, p->doing, p->seconds,
        line, remedy);
  return FAIL(p->broken, "'%s' is damaged: the process that tried to %s it was ended by signal %d (%s)%s%s", p->what,
              p->doing, WIFSIGNALED(how) ? WTERMSIG(how) : 0,
              WIFSIGNALED(how) ? strsignal(WTERMSIG(how)) : "it went without a word", line, remedy);
}

Status child_run(const ChildParams *params, Status (*work)(void *context, void *answer), void *context, void *answer,
                 size_t n_byte) {
  const size_t size = sizeof(Shared) + n_byte;
  Shared *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(shared != MAP_FAILED, ERR_MEMORY, "not enough memory for %zu bytes next to the process that has to %s '%s'",
        size, params->doing, params->what);
  int how = 0;
  const pid_t parent = getpid(), child = fork();
  if (child == 0) work_alone(parent, params, work, context, shared);
  Status status;
  if (child < 0) {
    status = FAIL(ERR_MEMORY, "no process can be made to %s '%s': %s (not enough memory, or 'ulimit -u' is small)",
                  params->doing, params->what, strerror(errno));
  } else {
    const bool in_time = child_follow(child, clock_seconds() + params->seconds, &how);
    if (!in_time) end_it(child, &how);
    status = child_judge(params, shared, in_time, how);
    if (in_time && shared->ended) take_warnings(shared);
  }
  if (status == OK && n_byte) memcpy(answer, shared + 1, n_byte);
  munmap(shared, size);
  return status;
}
