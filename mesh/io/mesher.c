/* fork and exec by hand, because the restrictions are put on between the two. Only calls that are safe after fork in a
 * program with threads stand there. */
#include "mesh/io/mesher.h"
#include "core/clock.h"
#include "mesh/io/confine.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ERRORS_MOST = 1000 };

static void end_line(MesherOutput *out) {
  out->line[out->used] = 0;
  if (out->used == 0) return;
  out->used = 0;
  memcpy(out->last, out->line, sizeof out->last);
  if (strncmp(out->line, "Error", 5)) return;
  if (out->n_error++ >= MESHER_ERRORS_SHOWN) return;
  const size_t used = strlen(out->errors);
  snprintf(out->errors + used, sizeof out->errors - used, "\n  %s", out->line);
}

static void take_output(MesherOutput *out, const char *text, ssize_t n) {
  for (ssize_t i = 0; i < n; ++i) {
    const char c = text[i];
    if (out->escape) out->escape = !isalpha((unsigned char)c);
    else if (c == '\033') out->escape = true;
    else if (c == '\n' || c == '\r') end_line(out);
    else if (out->used < MESHER_LINE_BYTES - 1 && (unsigned char)c >= ' ') out->line[out->used++] = c;
  }
}

/* Reads until the child closes its output or errs without end; false when the deadline passes first. */
static bool follow_output(int from, double deadline, MesherOutput *out) {
  while (out->n_error <= ERRORS_MOST) {
    const double left = deadline - clock_seconds();
    if (left <= 0) return false;
    struct pollfd wait = {.fd = from, .events = POLLIN};
    if (poll(&wait, 1, left > 1 ? 1000 : (int)(1000 * left) + 1) <= 0) continue;
    char text[4096];
    const ssize_t n = read(from, text, sizeof text);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    take_output(out, text, n);
  }
  end_line(out);
  return true;
}

/* The child's end; false when the deadline passes first. */
static bool follow_end(pid_t child, double deadline, int *how) {
  for (;;) {
    const pid_t got = waitpid(child, how, WNOHANG);
    if (got == child || (got < 0 && errno != EINTR)) return true;
    if (clock_seconds() > deadline) return false;
    nanosleep(&(struct timespec){0, 2000000}, NULL);
  }
}

static void wait_for(pid_t process, int *how) {
  while (waitpid(process, how, 0) < 0 && errno == EINTR) {}
}

/* Why the child could not become the program. */
typedef struct Failure {
  MesherEnd end;
  int error;
} Failure;

/* After fork: /dev/null as input, the pipe as output. Comes back only when it fails. */
static Failure mesher_become(const Mesher *mesher, int output) {
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0 || chdir(mesher->folder))
    return (Failure){MESHER_NOT_STARTED, errno};
  const int error = mesher->writable ? confine_process(mesher->writable) : 0;
  if (error) return (Failure){MESHER_NOT_CONFINED, error};
  execvp(mesher->program, mesher->arguments);
  return (Failure){MESHER_NOT_STARTED, errno};
}

/* 0, or an errno when there is not even a process. `failure` is what the child reports, .error 0 when it runs. */
static int mesher_start(const Mesher *mesher, int output, pid_t *process, Failure *failure) {
  int report[2];
  *failure = (Failure){MESHER_ENDED, 0};
  if (pipe2(report, O_CLOEXEC)) return errno;
  *process = fork();
  if (*process < 0) {
    const int error = errno;
    close(report[0]);
    close(report[1]);
    return error;
  }
  if (*process == 0) {
    const Failure why = mesher_become(mesher, output);
    const ssize_t written = write(report[1], &why, sizeof why);
    _exit(written == (ssize_t)sizeof why ? 127 : 126);
  }
  close(report[1]);
  ssize_t n;
  do n = read(report[0], failure, sizeof *failure);
  while (n < 0 && errno == EINTR);
  close(report[0]);
  return 0;
}

MesherEnd mesher_run(const Mesher *mesher, MesherOutput *out, int *how) {
  int ends[2];
  pid_t process = -1;
  Failure failure;
  if (pipe2(ends, O_CLOEXEC)) {
    *how = errno;
    return MESHER_NOT_STARTED;
  }
  const double deadline = clock_seconds() + mesher->time_limit;
  const int error = mesher_start(mesher, ends[1], &process, &failure);
  close(ends[1]);
  const bool runs = !error && !failure.error;
  const bool heard = runs && follow_output(ends[0], deadline, out);
  const bool flooded = heard && out->n_error > ERRORS_MOST;
  close(ends[0]);
  if (error || failure.error) {
    if (!error) wait_for(process, how);
    *how = error ? error : failure.error;
    return error ? MESHER_NOT_STARTED : failure.end;
  }
  if (heard && !flooded && follow_end(process, deadline, how)) return MESHER_ENDED;
  kill(process, SIGKILL);
  wait_for(process, how);
  *how = 0;
  return flooded ? MESHER_ENDED : MESHER_STOPPED;
}
