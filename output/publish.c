#include "output/publish.h"

#include "core/memory.h"
#include "output/checkpoint.h"
#include "output/folder.h"
#include "output/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef enum Name { REPORT, REPORT_NEW, SIDECAR, PROBES, PROBES_NEW, RESULTS, RESULTS_NEW, NAMES } Name;

static Status remove_file(const char *path) {
  CHECK(unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR, ERR_IO, "cannot remove '%s': %s", path,
        strerror(errno));
  return OK;
}

static Status rename_file(const char *from, const char *to) {
  CHECK(rename(from, to) == 0, ERR_IO, "cannot rename '%s' to '%s': %s", from, to, strerror(errno));
  return OK;
}

/* What is made from a result when the run is done: filaments.csv, and the folder torso unless it has a report.json, as
 * results of their own have. */
static Status remove_derived(const char *folder) {
  static const char *const name[] = {"filaments.csv", "torso/report.json", "torso/results.xdmf", "torso/results.hdf",
                                     "torso"};
  enum { FILAMENTS, TORSO_REPORT, TORSO = 4, DERIVED };
  char *path[DERIVED] = {NULL};
  Status status = OK;
  for (int i = 0; i < DERIVED && status == OK; ++i) status = output_path(folder, name[i], &path[i]);
  if (status == OK) status = remove_file(path[FILAMENTS]);
  const bool derived = status == OK && access(path[TORSO_REPORT], F_OK) != 0 && access(path[TORSO], F_OK) == 0;
  for (int i = TORSO_REPORT + 1; i < TORSO && derived && status == OK; ++i) status = remove_file(path[i]);
  if (derived && status == OK) (void)rmdir(path[TORSO]); /* other files may lie there */
  for (int i = 0; i < DERIVED; ++i) FREE(path[i]);
  return status;
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
  TRY(has_report ? rename_file(path[REPORT_NEW], path[REPORT]) : remove_file(path[REPORT]));
  TRY(remove_derived(folder));
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
