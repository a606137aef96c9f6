/* sinew run */
#include "app/input/case_tables.h"
#include "app/commands/commands.h"
#include "app/run/run.h"
#include "core/clock.h"
#include "core/memory.h"
#include "output/folder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

Status folder_path(Text *path, char **out) {
  const Status status = path->status;
  if (status != OK) text_release(path);
  *out = path->data;
  return status == OK ? OK : FAIL(ERR_MEMORY, "not enough memory for the path of the output");
}

/* Of "case" alone nothing is added: what it leaves is called results. */
static int added_to_results(const char *name) {
  const char *dot = strrchr(name, '.');
  const int n = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
  const bool plain = (n == 4 && strncmp(name, "case", 4) == 0) || strcmp(name, "-") == 0;
  return plain ? 0 : n;
}

Status results_beside(const char *case_path, char **out) {
  Text path = {0};
  const char *slash = strrchr(case_path, '/'), *name = slash ? slash + 1 : case_path;
  const int n = added_to_results(name);
  text_add(&path, "%.*sresults%s%.*s", (int)(name - case_path), case_path, n ? "-" : "", n, name);
  return folder_path(&path, out);
}

Status output_folder_of(const Options *options, const char *case_path, char **out) {
  Text path = {0};
  if (!options->output) return results_beside(case_path, out);
  text_add(&path, "%s", options->output);
  return folder_path(&path, out);
}

static Status command_run_run(const Options *options, const Case *c, const char *folder, const char *again,
                              Guard guard) {
  const RunParams params = {.backend = options->backend,
                            .threads = options->threads,
                            .folder = folder,
                            .overwrite = options->overwrite,
                            .resume = options->resume,
                            .from = options->from,
                            .from_time = options->from_time > 0 ? options->from_time : (double)NAN,
                            .quiet = options->quiet,
                            .verbose = options->verbose,
                            .begin = clock_process_start(),
                            .again = again,
                            .trust = options->trust,
                            .comm = options->comm,
                            .guard = guard};
  RunReport report;
  if (!options->quiet && c->title.text) printf("case         %s\n", c->title.text);
  const Status status = run_case(c, &params, &report);
  if (status == OK && !options->quiet && !report.finished_before) report_print(&report, c, folder, options->verbose);
  report_release(&report);
  return status;
}

Status command_run(const Options *options, Guard guard) {
  Case *c = NULL;
  char *folder = NULL, *path = NULL;
  Text again = {0};
  Status status = case_operand(options->operand[0], &path);
  if (status == OK && options->shared && !options->together)
    status = FAIL(ERR_USAGE, "sinew: --shared is for points: give them by --together");
  if (status == OK && !options->together) status = case_open(path, options->n_set, options->set, &c);
  if (status == OK) status = output_folder_of(options, path, &folder);
  options_again(options, " --resume", &again);
  if (status == OK && again.status != OK) status = FAIL(ERR_MEMORY, "not enough memory for the command");
  if (status == OK && options->together) status = command_together(options, path, folder, guard);
  else if (status == OK) status = command_run_run(options, c, folder, again.data, guard);
  text_release(&again);
  FREE(folder);
  FREE(path);
  case_destroy(&c);
  return status;
}
