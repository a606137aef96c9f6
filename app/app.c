/* From a command line to an exit code. */
#include "app/app.h"
#include "app/commands/commands.h"
#include "app/commands/help_key.h"
#include "app/process.h"
#include "app/report/progress.h"
#include "app/report/said.h"
#include "app/report/report.h"
#include "core/comm.h"

#include <errno.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `sinew help`, `sinew COMMAND --help`: the command and its first operand are asked about. */
static Status app_help(const Options *o) {
  Options asked = {0};
  const char *const *words = o->operand;
  int n = o->n_operand;
  if (o->man) options_man();
  if (o->completion) options_completion();
  if (o->man || o->completion) return OK;
  Command command = o->command;
  if (command == COMMAND_HELP && n == 1 && !command_known(words[0])) return help_key(words[0]);
  const char *key = command == COMMAND_HELP && n == 1 && help_key_known(words[0]) ? words[0] : NULL;
  if (command == COMMAND_HELP && n) {
    char *const line[] = {(char *)"sinew", (char *)words[0], (char *)"--help"};
    TRY(options_parse(3, (char **)line, &asked));
    command = asked.command;
    options_release(&asked);
    ++words, --n;
  } else if (command == COMMAND_HELP && !o->help) {
    command = COMMAND_NONE;
  }
  const bool topics = command == COMMAND_BENCH || command == COMMAND_LIST || command == COMMAND_INIT;
  if (n && command == COMMAND_BENCH) TRY(options_topic(command, words[0]));
  options_help(command, topics && n ? words[0] : NULL);
  if (key) printf("\nThe key '%s' of the case file:  sinew help case.%s\n", key, key);
  return OK;
}

static Status app_command(const Options *options, Guard guard) {
  switch (options->command) {
  case COMMAND_RUN: return command_run(options, guard);
  case COMMAND_CHECK: return command_check(options);
  case COMMAND_VERIFY: return command_verify(options, guard);
  case COMMAND_MESH: return command_mesh(options, guard);
  case COMMAND_MODEL: return command_model(options, guard);
  case COMMAND_CONVERT: return command_convert(options, guard);
  case COMMAND_SOLVE: return command_solve(options, guard);
  case COMMAND_INFO: return command_info(options);
  case COMMAND_PLOT: return command_plot(options);
  case COMMAND_REPORT: return command_report(options);
  case COMMAND_LIST: return command_list(options);
  case COMMAND_BENCH: return command_bench(options);
  case COMMAND_INIT: return command_init(options);
  case COMMAND_SCHEMA: return command_schema();
  case COMMAND_CELL: return command_cell(options);
  case COMMAND_TUNE: return command_tune(options);
  case COMMAND_CIRCULATION: return command_circulation(options, guard);
  case COMMAND_SWEEP: return command_sweep(options);
  case COMMAND_PROTOCOL: return command_protocol(options);
  case COMMAND_SERVE: return command_serve(guard, app_main_guarded);
  case COMMAND_NONE:
  case COMMAND_HELP: break;
  }
  return FAIL(ERR_BUG, "a command without code");
}

static Status app_flush(void) {
  errno = 0;
  const int failed = fflush(stdout) != 0 || ferror(stdout);
  CHECK(!failed, ERR_IO, "cannot write to the standard output: %s",
        errno ? strerror(errno) : "an earlier write failed");
  return OK;
}

/* OpenMP takes any number from the environment and crashes where it cannot start so many threads. */
static Status threads_allowed(const Options *o) {
#ifdef _OPENMP
  const int n = omp_get_max_threads();
  if (n > THREADS_MOST && o->threads > 0) omp_set_num_threads(o->threads);
  else
    CHECK(n <= THREADS_MOST, ERR_USAGE,
          "sinew: OMP_NUM_THREADS asks for %d threads, must be 1 to %d\n  a thread for each core is enough: unset it, "
          "or give --threads N",
          n, (int)THREADS_MOST);
#endif
  (void)o;
  return OK;
}

/* A command line on its way, the same for every rank. */
typedef struct Line {
  int argc;
  char **argv;
  Guard guard;
  Status (*command)(const Options *, Guard);
} Line;

/* What has no place for several ranks says so, before each of them does it. */
static Status line_allowed(const Options *o) {
  const int n = comm_size(o->comm);
  const bool words = o->version || o->help || o->command == COMMAND_HELP;
  CHECK(n == 1 || words || o->command == COMMAND_RUN || o->command == COMMAND_BENCH, ERR_USAGE,
        "'sinew %s' is the work of one process, and %d were started\n  start it without mpirun or srun; 'sinew run' is "
        "what several processes share",
        command_name(o->command), n);
  CHECK(n == 1 || !o->n_operand || strcmp(o->operand[0], "-") != 0, ERR_USAGE,
        "the case comes from the standard input, which one process reads, and %d were started\n  give it as a file", n);
  return OK;
}

/* For tests: so many ranks, as threads of this process. */
static int ranks_as_threads(void) {
  const char *n = getenv("SINEW_RANKS_AS_THREADS");
  return n ? (int)strtol(n, NULL, 10) : 0;
}

/* Rank 0 prints for all. */
static Status line_say(Comm *comm, Status status) {
  if (comm_rank(comm)) return status;
  fflush(stdout);
  warnings_print();
  said_back(0);
  if (status == OK) status = app_flush();
  if (status != OK) fprintf(stderr, "%s\n", status_message());
  if (status == ERR_BUG)
    fprintf(stderr, "This is a bug in Sinew: please report it with the case, the mesh and the lines above.\n");
  return status;
}

static Status line_run(Comm *comm, void *context) {
  const Line *line = context;
  Options options;
  status_clear();
  Status status = options_parse(line->argc, line->argv, &options);
  options.comm = comm;
  const bool is_root = comm_rank(comm) == 0;
  if (!is_root) options.quiet = true, options.verbose = false, status_warnings_drop(true);
  if (!is_root && line->guard && !ranks_as_threads()) line->guard(GUARD_SILENT);
  if (status == OK) status = line_allowed(&options);
  if (status == OK && !options.version && !options.help) status = threads_allowed(&options);
  if (status == OK && options.version && is_root) printf("Sinew %s\n", sinew_version());
  else if (status == OK && (options.help || options.command == COMMAND_HELP))
    status = is_root ? app_help(&options) : OK;
  else if (status == OK && !options.version) status = line->command(&options, line->guard);
  options_release(&options);
  return line_say(comm, status);
}

/* A bench is another program, which meets the other ranks by itself. */
static bool line_hands_over(const Line *line) {
  return line->command == app_command && line->argc > 1 && strcmp(line->argv[1], command_name(COMMAND_BENCH)) == 0;
}

int app_line(int argc, char **argv, Guard guard, Status (*command)(const Options *, Guard)) {
  Line line = {argc, argv, guard, command};
  Comm *comm = NULL;
  if (line_hands_over(&line)) return (int)line_run(NULL, &line);
  if (ranks_as_threads() > 1) return (int)comm_threads_run(ranks_as_threads(), line_run, &line);
  status_clear();
  Status status = comm_create(&comm);
  if (status == OK) status = line_run(comm, &line);
  else fprintf(stderr, "%s\n", status_message());
  comm_fail(comm, status); /* where it was not agreed on */
  if (!comm_heard(comm) && comm_rank(comm)) {
    status_context(status, "on rank %d of %d", comm_rank(comm), comm_size(comm));
    fprintf(stderr, "%s\n", status_message());
  }
  comm_destroy(&comm);
  return (int)status;
}

int app_main_guarded(int argc, char **argv, Guard guard) { return app_line(argc, argv, guard, app_command); }

int app_main(int argc, char **argv) { return app_main_guarded(argc, argv, NULL); }
