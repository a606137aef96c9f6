/* sinew verify: every case is run, also when an earlier one failed. */
#include "app/commands/commands.h"
#include "app/report/expect.h"
#include "app/report/progress.h"
#include "app/run/run.h"
#include "core/memory.h"
#include "output/folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static Status make_folder(char **out) {
  const char *base = getenv("TMPDIR");
  Text path = {0};
  text_add(&path, "%s/sinew-verify-XXXXXX", base && *base ? base : "/tmp");
  TRY(folder_path(&path, out));
  if (mkdtemp(*out)) return OK;
  FAIL(ERR_IO, "cannot make a temporary folder '%s'; use --output", *out);
  text_release(&path);
  *out = NULL;
  return ERR_IO;
}

/* Removes the folder with all that is in it. */
static void remove_folder(const char *folder) {
  DIR *listing = opendir(folder);
  if (!listing) return;
  for (struct dirent *entry = readdir(listing); entry; entry = readdir(listing)) {
    char *path = NULL;
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    if (output_path(folder, entry->d_name, &path) == OK && unlink(path) != 0) remove_folder(path); /* torso */
    FREE(path);
  }
  closedir(listing);
  rmdir(folder);
}

/* DIR/1, DIR/2 ... where --output is given and there are several cases. */
static Status kept_folder(const Options *options, int i, char **out) {
  Text path = {0};
  if (options->n_operand == 1) text_add(&path, "%s", options->output);
  else text_add(&path, "%s/%d", options->output, i + 1);
  return folder_path(&path, out);
}

static Status verify_in(const Options *options, const Case *c, const char *folder, int *missed, Guard guard) {
  const RunParams params = {.backend = options->backend,
                            .threads = options->threads,
                            .folder = folder,
                            .overwrite = options->overwrite || !options->output,
                            .quiet = !options->verbose,
                            .verbose = options->verbose,
                            .trust = options->trust,
                            .guard = guard};
  RunReport report;
  const Status status = run_case(c, &params, &report);
  if (status == OK && !options->quiet) *missed = expect_print(c, &report);
  else if (status == OK)
    for (int32_t i = 0; i < c->expect.n; ++i) *missed += !expect_verdict(c, case_expect(c, i), &report).held;
  report_release(&report);
  return status;
}

static Status verify_one(const Options *options, int i, Guard guard) {
  Case *c = NULL;
  char *folder = NULL, *path = NULL;
  int missed = 0;
  Status status = case_operand(options->operand[i], &path);
  if (status == OK) status = case_open(path, options->n_set, options->set, &c);
  if (status == OK) status = options->output ? kept_folder(options, i, &folder) : make_folder(&folder);
  if (status == OK) status = verify_in(options, c, folder, &missed, guard);
  if (folder && !options->output) remove_folder(folder);
  FREE(folder);
  case_destroy(&c);
  if (status == OK && missed)
    status = FAIL(ERR_NUMERIC, "%s: %d expectation%s missed", path, missed, missed > 1 ? "s" : "");
  FREE(path);
  return status;
}

Status command_verify(const Options *options, Guard guard) {
  Status worst = OK;
  int failed = 0;
  for (int i = 0; i < options->n_operand; ++i) {
    if (!options->quiet) printf("%s\n", options->operand[i]);
    fflush(stdout);
    const Status status = verify_one(options, i, guard);
    warnings_print();
    if (status == OK) continue;
    ++failed;
    fprintf(stderr, "%s\n", status_message());
    if (worst == OK || worst == ERR_NUMERIC) worst = status; /* a missed row says least */
  }
  if (!options->quiet && options->n_operand > 1)
    printf("%d of %d cases passed\n", options->n_operand - failed, options->n_operand);
  return worst == OK ? OK : FAIL(worst, "%d of %d cases failed", failed, options->n_operand);
}
