/* From a command line to an exit code. */
#include "app/app.h"
#include "app/commands.h"
#include "app/progress.h"
#include "app/report.h"
#include "core/status.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static Status perform(const Options *options, Guard guard) {
  if (options->help || options->command == COMMAND_HELP) {
    options_help(options->help ? options->command : COMMAND_NONE);
    return OK;
  }
  switch (options->command) {
  case COMMAND_RUN:
    return command_run(options, guard);
  case COMMAND_CHECK:
    return command_check(options);
  case COMMAND_VERIFY:
    return command_verify(options, guard);
  case COMMAND_MESH:
    return command_mesh(options, guard);
  case COMMAND_SOLVE:
    return command_solve(options, guard);
  case COMMAND_INFO:
    return command_info(options);
  case COMMAND_LIST:
    return command_list(options);
  case COMMAND_BENCH:
    return command_bench(options);
  case COMMAND_VERSION:
    printf("Sinew %s\n", sinew_version());
    return OK;
  case COMMAND_NONE:
  case COMMAND_HELP:
    break;
  }
  return FAIL(ERR_BUG, "a command without code");
}

static Status flush(void) {
  errno = 0;
  const int failed = fflush(stdout) != 0 || ferror(stdout);
  CHECK(!failed, ERR_IO, "cannot write to the standard output: %s",
        errno ? strerror(errno) : "an earlier write failed");
  return OK;
}

int app_main_guarded(int argc, char **argv, int (*guard)(int on)) {
  Options options;
  status_clear();
  Status status = options_parse(argc, argv, &options);
  if (status == OK) status = perform(&options, guard);
  options_release(&options);
  fflush(stdout);
  warnings_print();
  if (status == OK) status = flush();
  if (status != OK) fprintf(stderr, "%s\n", status_message());
  if (status == ERR_BUG)
    fprintf(stderr, "This is a bug in Sinew: please report it with the case, the mesh and the lines above.\n");
  return (int)status;
}

int app_main(int argc, char **argv) {
  return app_main_guarded(argc, argv, NULL);
}
