/* The output folder of a run: locked from the start to the end of a run, and inspected by --resume. No result is opened
 * for that: report.json says which case it is of and whether it is whole. */
#include "app/run/run_folder.h"
#include "app/input/case_tables.h"
#include "core/memory.h"
#include "output/checkpoint.h"
#include "output/folder.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD = 4096 }; /* of report.json: what is looked for stands first */

/* What report.json says, as far as it is one of a run. */
typedef struct Found {
  bool known; /* the next two */
  uint64_t case_hash, mesh_hash;
  bool whole; /* the run came to its end */
  int64_t bytes[RESULT_FILES];
} Found;

/* Behind the key, on a line of its own, which no text in the file can be. */
static const char *value_of(const char *text, const char *key) {
  const char *at = strstr(text, key);
  return at ? at + strlen(key) : NULL;
}

static bool hash_of(const char *text, const char *key, uint64_t *out) {
  const char *at = value_of(text, key);
  char *end = NULL;
  *out = at ? strtoull(at, &end, 16) : 0;
  return at && end == at + 16 && *end == '"';
}

static int64_t bytes_of(const char *text, const char *key) {
  const char *at = value_of(text, key);
  return at ? strtoll(at, NULL, 10) : -1;
}

static Status folder_inspect(const char *folder, Found *found) {
  char *path = NULL, text[HEAD + 1] = "";
  *found = (Found){0};
  TRY(output_path(folder, "report.json", &path));
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  FREE(path);
  const ssize_t n = file >= 0 ? read(file, text, HEAD) : 0;
  if (file >= 0) close(file);
  text[n > 0 ? n : 0] = 0;
  found->known = hash_of(text, "\n  \"case_hash\": \"", &found->case_hash) &&
                 hash_of(text, "\n  \"mesh_hash\": \"", &found->mesh_hash);
  const char *status = value_of(text, "\n  \"status\": ");
  found->whole = found->known && status && !strncmp(status, "\"converged\"", 11);
  for (int i = 0; i < RESULT_FILES; ++i) {
    char key[64];
    snprintf(key, sizeof key, "\n    \"%s\": ", result_file_name(i));
    found->bytes[i] = bytes_of(text, key);
  }
  return OK;
}

Status run_case_hash(const Case *c, uint64_t *out) {
  Text text = {0};
  case_echo(c, &text);
  *out = 14695981039346656037u;
  for (int64_t i = 0; i < text.n; ++i) *out = (*out ^ (unsigned char)text.data[i]) * 1099511628211u;
  *out ^= c->files_hash;
  const Status status = text.status;
  text_release(&text);
  return status == OK ? OK : FAIL(status, "not enough memory for the resolved case");
}

Status run_hashes(Run *run) {
  RunReport *report = run->report;
  if (report->mesh_hash) return OK;
  TRY(run_case_hash(run->c, &report->case_hash));
  report->mesh_hash = run_mesh_hash(run);
  return OK;
}

static Status file_exists(const char *folder, const char *name, int64_t *bytes) {
  char *path = NULL;
  struct stat what;
  TRY(output_path(folder, name, &path));
  *bytes = stat(path, &what) == 0 ? (int64_t)what.st_size : -1;
  FREE(path);
  return OK;
}

/* Of the files that the report speaks of. */
static Status check_files(const char *folder, const Found *found) {
  for (int i = 0; i < RESULT_FILES; ++i) {
    int64_t bytes;
    TRY(file_exists(folder, result_file_name(i), &bytes));
    CHECK(bytes >= 0, ERR_RESTART,
          "'%s/%s' is missing, and the run is finished: there is nothing to continue from\n"
          "  restore the file, or use --overwrite to run again",
          folder, result_file_name(i));
    CHECK(found->bytes[i] < 0 || bytes == found->bytes[i], ERR_RESTART,
          "'%s/%s' has %lld bytes, not the %lld of the finished run: it was changed since\n"
          "  restore the file, or use --overwrite to run again",
          folder, result_file_name(i), (long long)bytes, (long long)found->bytes[i]);
  }
  return OK;
}

/* What a run that was to replace the result has left goes; where nothing can be written there is nothing of the
 * kind. */
static Status folder_tidy(const char *folder) {
  OutputFolder *held = NULL;
  const Status status = output_folder_open(folder, &held);
  output_folder_close(&held);
  if (status != ERR_IO) return status;
  status_clear();
  return OK;
}

Status run_finished(Run *run, bool *finished) {
  const char *folder = run->params->folder;
  Found found;
  int64_t bytes;
  *finished = false;
  TRY(folder_inspect(folder, &found));
  TRY(file_exists(folder, result_file_name(0), &bytes));
  if (!found.whole) return OK;
  TRY(run_load_mesh(run));
  TRY(run_hashes(run));
  if (found.case_hash != run->report->case_hash || found.mesh_hash != run->report->mesh_hash)
    return OK; /* reported later */
  TRY(check_files(folder, &found));
  TRY(folder_tidy(folder));
  *finished = run->report->finished_before = true;
  progress_say(&run->progress,
               "finished     %s holds the whole result of this case: nothing to do (--overwrite runs it again)",
               folder);
  return OK;
}

static Status check_origin(const Run *run, const Found *found) {
  const char *folder = run->params->folder, *name = result_file_name(0);
  const RunReport *now = run->report;
  const bool takes_over = run->c->physics->takes_over;
  if (!found->known) return OK;
  CHECK(found->mesh_hash == now->mesh_hash, ERR_RESTART,
        "'%s/%s' is of another mesh (hash %016" PRIx64 ", now %016" PRIx64
        ")\n  use --overwrite to begin again, or another --output",
        folder, name, found->mesh_hash, now->mesh_hash);
  CHECK(found->case_hash == now->case_hash, ERR_RESTART,
        "'%s/%s' is of another case: a key or a --set argument has changed since\n  restore it to continue, or use "
        "--overwrite to start again, or another --output%s%s%s",
        folder, name, takes_over ? "\n  for a later end or another protocol use '--from " : "",
        takes_over ? folder : "", takes_over ? "' with another --output" : "");
  return OK;
}

/* Is there something to go on from, or may the run begin again? */
static Status check_resume(Run *run) {
  const char *folder = run->params->folder;
  const bool in_time = place_given(run->c->time.place);
  Found found;
  int64_t bytes;
  bool any = false, checkpoint = false;
  TRY(file_exists(folder, result_file_name(0), &bytes));
  any = bytes >= 0;
  TRY(folder_inspect(folder, &found));
  if (any) TRY(check_origin(run, &found));
  if (any && found.whole) TRY(check_files(folder, &found)); /* else it would have been said that the run is finished */
  if (in_time) TRY(checkpoint_exists(folder, &checkpoint));
  if (checkpoint) return OK;
  CHECK(!any || found.known, ERR_RESTART,
        "there is a result, '%s/%s', but no checkpoint to continue from and no report.json that names its case\n"
        "  use --overwrite to replace it, or another --output",
        folder, result_file_name(0));
  if (!in_time)
    progress_say(&run->progress, "no checkpoint in %s: a static case has none; starting from the beginning", folder);
  return OK;
}

Status run_open_folder(Run *run) {
  const RunParams *params = run->params;
  TRY(output_folder_check(params->folder, params->overwrite, params->resume));
  TRY(run_hashes(run));
  TRY(output_folder_open(params->folder, &run->folder));
  TRY(output_folder_check(params->folder, params->overwrite, params->resume));
  return params->resume ? check_resume(run) : OK;
}

bool run_may_report(const Run *run) {
  int64_t bytes = -1;
  if (run->published) return true;
  return run->folder && file_exists(run->params->folder, result_file_name(0), &bytes) == OK && bytes < 0;
}
