#include "core/child.h"
#include "core/clock.h"

#include <errno.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MESSAGE_BYTES = 16384 };

/* Shared by both processes; the answer lies behind it. */
typedef struct Shared {
  bool ended;
  Status status;
  char message[MESSAGE_BYTES];
} Shared;

/* The child: signals end it as they do by default, it goes when its parent goes, and it leaves no core file. */
static void work_alone(pid_t parent, int seconds, Status (*work)(void *context, void *answer), void *context,
                       Shared *shared) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; ++i) signal(signals[i], SIG_DFL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  const rlim_t limit = (rlim_t)seconds + 1;
  setrlimit(RLIMIT_CPU, &(struct rlimit){limit, limit});
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
#ifdef _OPENMP
  omp_set_num_threads(1); /* the parent's other threads are not here */
#endif
  shared->status = work(context, shared + 1);
  snprintf(shared->message, sizeof shared->message, "%s", status_message());
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
        "'%s' is damaged: the process that tried to %s it was given up after %d s%s%s", p->what, p->doing, p->seconds,
        line, remedy);
  return FAIL(p->broken, "'%s' is damaged: the process that tried to %s it was ended by signal %d (%s)%s%s", p->what,
              p->doing, WIFSIGNALED(how) ? WTERMSIG(how) : 0,
              WIFSIGNALED(how) ? strsignal(WTERMSIG(how)) : "it went without a word", line, remedy);
}

Status child_run(const ChildParams *params, Status (*work)(void *context, void *answer), void *context, void *answer,
                 size_t n_byte) {
  const size_t size = sizeof(Shared) + n_byte;
  Shared *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(shared != MAP_FAILED, ERR_MEMORY, "not enough memory for %zu bytes beside the process that shall %s '%s'", size,
        params->doing, params->what);
  int how = 0;
  const pid_t parent = getpid(), child = fork();
  if (child == 0) work_alone(parent, params->seconds, work, context, shared);
  Status status;
  if (child < 0) {
    status = FAIL(ERR_MEMORY, "no process can be made to %s '%s': %s (not enough memory, or 'ulimit -u' is small)",
                  params->doing, params->what, strerror(errno));
  } else {
    const bool in_time = child_follow(child, clock_seconds() + params->seconds, &how);
    if (!in_time) end_it(child, &how);
    status = child_judge(params, shared, in_time, how);
  }
  if (status == OK && n_byte) memcpy(answer, shared + 1, n_byte);
  munmap(shared, size);
  return status;
}
