#include "output/publish.h"

#include "core/memory.h"
#include "output/checkpoint.h"
#include "output/folder.h"
#include "output/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef enum Name { REPORT, REPORT_NEW, SIDECAR, PROBES, PROBES_NEW, RESULTS, RESULTS_NEW, NAMES } Name;
enum { TABLES_NAME = 256 };

static Status remove_file(const char *path) {
  CHECK(unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR, ERR_IO, "cannot remove '%s': %s", path,
        strerror(errno));
  return OK;
}

static Status rename_file(const char *from, const char *to) {
  CHECK(rename(from, to) == 0, ERR_IO, "cannot rename '%s' to '%s': %s", from, to, strerror(errno));
  return OK;
}

/* A folder of files that a result has beside its own goes unless it has a report.json, as results of their own have. */
static Status remove_beside(const char *folder, const char *beside) {
  static const char *const name[] = {"report.json", "results.xdmf", "results.hdf"};
  enum { REPORT_THERE, FILES, BESIDE = 3, PATHS };
  char *path[PATHS] = {NULL};
  Status status = output_path(folder, beside, &path[BESIDE]);
  for (int i = 0; i < BESIDE && status == OK; ++i) status = output_path(path[BESIDE], name[i], &path[i]);
  if (status == OK) status = output_drop_link(path[BESIDE]);
  const bool derived = status == OK && access(path[REPORT_THERE], F_OK) != 0 && access(path[BESIDE], F_OK) == 0;
  for (int i = FILES; i < BESIDE && derived && status == OK; ++i) status = remove_file(path[i]);
  if (derived && status == OK) (void)rmdir(path[BESIDE]); /* other files may lie there */
  for (int i = 0; i < PATHS; ++i) FREE(path[i]);
  return status;
}

/* The file of tables that a report names, which has the name of its case; empty: none. Only a name that tables can have
 * is believed. */
static void tables_of(const char *report, char name[TABLES_NAME]) {
  enum { HEAD = 4096 };
  static const char key[] = "\n  \"tables\": \"";
  char text[HEAD + 1];
  const int file = open(report, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const ssize_t got = file >= 0 ? read(file, text, HEAD) : 0;
  if (file >= 0) close(file);
  text[got > 0 ? got : 0] = 0;
  const char *at = strstr(text, key);
  int n = 0;
  for (at = at ? at + sizeof key - 1 : ""; *at && *at != '"' && n < TABLES_NAME - 1; ++at) {
    if (*at == '\\' && (at[1] == '"' || at[1] == '\\')) ++at;
    name[n++] = *at;
  }
  name[n] = 0;
  if (*at != '"' || n < 5 || strcmp(name + n - 4, ".dat") != 0 || strchr(name, '/')) name[0] = 0;
}

/* What a run leaves beside the result that is made from it: another run may leave nothing of the kind in its place. */
static Status remove_derived(const char *folder, const char *tables) {
  const char *const name[] = {"filaments.csv", "tracks.csv", "intervals.csv", "modes.csv", tables};
  Status status = OK;
  for (size_t i = 0; i < sizeof name / sizeof *name && status == OK; ++i) {
    char *path = NULL;
    if (!*name[i]) continue;
    status = output_path(folder, name[i], &path);
    if (status == OK) status = remove_file(path);
    FREE(path);
  }
  if (status == OK) status = remove_beside(folder, "torso");
  return status == OK ? remove_beside(folder, "modes") : status;
}

/* The old probes.csv goes first: never one of the old beside one of the new. */
static Status exchange_results(char *const path[NAMES]) {
  TRY(remove_file(path[SIDECAR]));
  TRY(remove_file(path[PROBES]));
  TRY(rename_file(path[RESULTS_NEW], path[RESULTS]));
  if (access(path[PROBES_NEW], F_OK) == 0) TRY(rename_file(path[PROBES_NEW], path[PROBES]));
  return OK;
}

static Status publish_exchange(const char *folder, char *const path[NAMES], bool has_report) {
  TRY(checkpoint_remove(folder));
  char tables[TABLES_NAME];
  tables_of(path[REPORT], tables);
  TRY(has_report ? rename_file(path[REPORT_NEW], path[REPORT]) : remove_file(path[REPORT]));
  TRY(remove_derived(folder, tables));
  const Status status = exchange_results(path);
  if (status != OK && access(path[RESULTS_NEW], F_OK) == 0)
    unlink(
        /* what is left of the old result, which is announced as replaced, would be taken for the new one */
        path[RESULTS]);
  TRY(status);
  return folder_sync_of(path[RESULTS]);
}

Status result_publish(const char *folder, const char *report, bool *touched) {
  static const char *const name[NAMES] = {"report.json",    "report.json.new", "results.xdmf",   "probes.csv",
                                          "probes.csv.new", "results.hdf",     "results.hdf.new"};
  char *path[NAMES] = {NULL};
  Text text = {0};
  Status status = OK;
  *touched = false;
  for (int i = 0; i < NAMES && status == OK; ++i) status = output_path(folder, name[i], &path[i]);
  if (report) text_add(&text, "%s", report);
  if (status == OK && report) status = text_write(&text, path[REPORT_NEW], true);
  if (status == OK) {
    *touched = true;
    status = publish_exchange(folder, path, report != NULL);
  }
  if (status != OK && report && path[REPORT_NEW]) unlink(path[REPORT_NEW]);
  for (int i = 0; i < NAMES; ++i) FREE(path[i]);
  text_release(&text);
  return status;
}
