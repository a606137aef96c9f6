/* sinew circulation: the circulation of a heart alone. */
#include "app/commands/commands.h"
#include "app/input/physics.h"
#include "app/run/run.h"
#include "core/memory.h"

#include <stdio.h>
#include <string.h>

/* What the command line says on top of the case, as --set would. */
static Status circulation_case(const Options *options, const char *path, Case **out) {
  Case *c = NULL;
  TRY(case_open(path, options->n_set, options->set, &c));
  *out = c;
  CHECK(strcmp(c->physics->name, "electromechanics") == 0, ERR_INPUT,
        "%s: physics is %s; 'sinew circulation' needs a case with physics: electromechanics", path, c->physics->name);
  CHECK(
      c->physics->without_mesh, ERR_INPUT,
      "%s: the case has a body of muscle, and 'sinew circulation' is of chambers, valves and vessels alone\n  remedy: "
      "'sinew run', or a case with 'circulation' and without 'muscle'",
      path);
  if (options->time_step > 0) c->time.step.value = options->time_step;
  if (options->beats) c->time.end.value = options->beats * c->circulation.cycle.value;
  CHECK(c->time.step.value <= c->circulation.cycle.value / 10, ERR_USAGE,
        "sinew: --time-step is %g ms, must be at most a tenth of the cycle of %g ms", c->time.step.value,
        c->circulation.cycle.value);
  return OK;
}

static Status circulation_run(const Options *options, const Case *c, const char *folder, Guard guard) {
  const RunParams params = {.backend = BACKEND_CPU,
                            .folder = folder,
                            .overwrite = options->overwrite,
                            .quiet = options->quiet,
                            .comm = options->comm,
                            .guard = guard};
  RunReport report;
  const Status status = run_case(c, &params, &report);
  if (status == OK && !options->quiet) report_print(&report, c, folder, false);
  report_release(&report);
  return status;
}

Status command_circulation(const Options *options, Guard guard) {
  char *path = NULL, *folder = NULL;
  Case *c = NULL;
  Status status = case_operand(options->operand[0], &path);
  if (status == OK) status = circulation_case(options, path, &c);
  if (status == OK) status = output_folder_of(options, path, &folder);
  if (status == OK) status = circulation_run(options, c, folder, guard);
  FREE(folder);
  FREE(path);
  case_destroy(&c);
  return status;
}
