/* sinew circulation: the circulation of a heart alone. */
#include "app/commands/commands.h"
#include "app/input/physics.h"
#include "app/run/run.h"
#include "core/memory.h"

#include <stdio.h>
#include <string.h>

/* ms: of steps and of rows of loops.csv, unless a case says so; those of a body are longer by far. */
static const double STEP = 0.1, SAMPLE = 1;

/* The circulation of a case that has a body too, without it: chambers of a closed loop have elastances in its place. */
static Status without_body(const char *path, Case *c) {
  CHECK(place_given(c->circulation.place), ERR_INPUT,
        "%s: the case has a body of muscle and no circulation\n  remedy: 'sinew run', or a 'circulation'", path);
  CHECK(c->circulation.model.value == CIRCULATION_CLOSED, ERR_INPUT,
        "%s: chambers of the open loop have a body of muscle and no elastance, and 'sinew circulation' solves no "
        "body\n  remedy: 'sinew run', a case without 'muscle', or 'model: closed-loop'",
        path);
  for (int i = 0; i < physics_count(); ++i)
    if (strcmp(physics_at(i)->name, c->physics->name) == 0) c->physics = physics_kind(i, 0);
  c->time.end.value = 0; /* that of the body: beats go on until they repeat */
  c->time.step.value = STEP, c->output.sample.value = SAMPLE;
  c->expect.n = 0;
  return OK;
}

/* What the command line says on top of the case, as --set would. */
static Status circulation_case(const Options *options, const char *path, Case **out) {
  Case *c = NULL;
  TRY(case_open(path, options->n_set, options->set, &c));
  *out = c;
  CHECK(strcmp(c->physics->name, "electromechanics") == 0, ERR_INPUT,
        "%s: physics is %s; 'sinew circulation' needs a case with physics: electromechanics", path, c->physics->name);
  if (!c->physics->without_mesh) TRY(without_body(path, c));
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
