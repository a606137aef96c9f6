/* The process around a program: signals and its end. A request to stop (Ctrl-C, kill) ends a static run at once, except
 * while result files are written, which is finished first: nothing is ever half-written. Runs in time ask for it between
 * steps. */
#include "app/process.h"
#include "core/status.h"
#include "output/folder.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

/* A signal handler has no other way to know: 1 while files are written, whether a signal came meanwhile, and whether
 * another rank speaks for this one. */
static volatile sig_atomic_t writing, asked, silent;

static void process_stop(int signal_number) {
  static const char text[] = "\nstopped on request; nothing half-written\n";
  (void)signal_number;
  asked = 1;
  if (writing) return;
  output_folder_abandon();
  if (!silent && write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(ERR_STOPPED); /* nobody reads it */
  _exit(ERR_STOPPED);
}

static int guard_files(int on) {
  if (on == GUARD_SILENT) {
    silent = 1;
    return asked;
  }
  writing = on;
  if (!on && asked) process_stop(0);
  return asked;
}

/* Where a shell has closed the standard files, the first ones that are opened would take their numbers, and what is
 * said would go into a result. */
static void hold_standard_files(void) {
  for (int file = 0; file <= 2; ++file)
    if (fcntl(file, F_GETFD) < 0 && open("/dev/null", O_RDWR) != file) _exit(ERR_IO);
}

/* Settings that libraries read when they are loaded, before main: the program starts itself once more with them, unless the
 * user has said how threads wait.
 * OpenMP's threads spin for a long while where they wait. On a machine with other work that makes a solve ten times slower,
 * so they shall go to sleep after some 50 us.
 * Memory comes in pages of 2 MB where the system has them, and what is freed is kept for the next array: faults of pages
 * fall to a tenth, and a run of 0.5 M unknowns on a GPU with 16 threads beside it takes a seventh less. */
static void settle_libraries(char **argv) {
  static const char memory[] =
      "glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=268435456";
  if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT")) return;
  setenv("GLIBC_TUNABLES", memory, 0);
  if (setenv("GOMP_SPINCOUNT", "1000", 1) == 0) execv("/proc/self/exe", argv);
}

/* OpenMP ends the program by itself when it gets no memory or no thread. */
static bool ended;
static void ended_elsewhere(void) {
  static const char text[] = "not enough memory or threads: a library has ended the program (its reason is above)\n"
                             "  try --threads 1, or a larger 'ulimit -v' or 'ulimit -u'; files are as after a kill\n";
  if (ended) return;
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(ERR_MEMORY);
  _exit(ERR_MEMORY);
}

int process_run(int argc, char **argv, ProcessProgram program) {
  hold_standard_files();
  setenv("CUDA_MODULE_LOADING", "LAZY", 0); /* a kernel is loaded when it is asked for, with every driver */
  settle_libraries(argv);
  atexit(ended_elsewhere);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = process_stop;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGHUP, &action, NULL);
  signal(SIGPIPE, SIG_IGN); /* a closed pipe is an error of writing, 9 */
  signal(SIGXFSZ, SIG_IGN); /* so is a file over the limit */
  const int code = program(argc, argv, guard_files);
  ended = true;
  return code;
}
