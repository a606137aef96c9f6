/* sinew run */
#include "app/case_tables.h"
#include "app/commands.h"
#include "app/run.h"
#include "core/memory.h"
#include "output/folder.h"

#include <stdio.h>
#include <string.h>

Status folder_path(Text *path, char **out) {
  const Status status = path->status;
  if (status != OK) text_release(path);
  *out = path->data;
  return status == OK ? OK : FAIL(ERR_MEMORY, "not enough memory for the path of the output");
}

Status output_folder_of(const Options *options, const char *case_path, char **out) {
  Text path = {0};
  const char *slash = strrchr(case_path, '/');
  if (options->output)
    text_add(&path, "%s", options->output);
  else if (slash)
    text_add(&path, "%.*s/results", (int)(slash - case_path), case_path);
  else
    text_add(&path, "results");
  return folder_path(&path, out);
}

/* A word of a command as a shell takes it. */
static void add_word(Text *text, const char *word) {
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=./,:@%";
  if (*word && strspn(word, plain) == strlen(word)) {
    text_add(text, " %s", word);
    return;
  }
  text_add(text, " '");
  for (; *word; ++word) text_add(text, *word == '\'' ? "'\\''" : "%c", *word);
  text_add(text, "'");
}

/* The command that goes on with this run: every word that was given, less those that say how to begin. */
static Status command_again(const Options *options, Text *out) {
  text_add(out, "sinew");
  for (int i = 1; i < options->n_word; ++i)
    if (strcmp(options->word[i], "--overwrite") != 0 && strcmp(options->word[i], "--resume") != 0) add_word(out, options->word[i]);
  text_add(out, " --resume");
  return out->status == OK ? OK : FAIL(ERR_MEMORY, "not enough memory for the command");
}

static Status run(const Options *options, const Case *c, const char *folder, const char *again, Guard guard) {
  const RunParams params = {.backend = options->backend,
                            .threads = options->threads,
                            .folder = folder,
                            .overwrite = options->overwrite,
                            .resume = options->resume,
                            .quiet = options->quiet,
                            .verbose = options->verbose,
                            .again = again,
                            .guard = guard};
  RunReport report;
  if (!options->quiet && c->title.text) printf("case         %s\n", c->title.text);
  const Status status = run_case(c, &params, &report);
  if (status == OK && !options->quiet && !report.finished_before) report_print(&report, folder, options->verbose);
  report_release(&report);
  return status;
}

Status command_run(const Options *options, Guard guard) {
  Case *c = NULL;
  char *folder = NULL;
  Text again = {0};
  Status status = case_load(options->operand[0], options->n_set, options->set, &c);
  if (status == OK) status = output_folder_of(options, options->operand[0], &folder);
  if (status == OK) status = command_again(options, &again);
  if (status == OK) status = run(options, c, folder, again.data, guard);
  text_release(&again);
  FREE(folder);
  case_destroy(&c);
  return status;
}
