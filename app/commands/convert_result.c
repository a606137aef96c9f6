/* sinew convert RESULTS OUT: a result in the formats of other programs. */
#include "app/commands/commands.h"
#include "app/commands/result_choice.h"
#include "core/child.h"
#include "core/memory.h"
#include "output/export.h"
#include "output/folder.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

typedef enum Target { TARGET_NONE, TARGET_IGB, TARGET_DAT, TARGET_VTU, TARGET_FRD } Target;

static Target target_of(const char *path) {
  const char *dot = strrchr(path, '.');
  if (!dot) return TARGET_NONE;
  return !strcasecmp(dot, ".igb")   ? TARGET_IGB
         : !strcasecmp(dot, ".dat") ? TARGET_DAT
         : !strcasecmp(dot, ".vtu") ? TARGET_VTU
         : !strcasecmp(dot, ".frd") ? TARGET_FRD
                                    : TARGET_NONE;
}

bool convert_is_result(const char *out) { return target_of(out) != TARGET_NONE; }

/* What is written of a heart where nobody says what: its potential, or its activation. */
static Status convert_field(const Result *result, const char *name, Target target, const ResultField **out) {
  *out = result_named(result, name ? name : target == TARGET_IGB ? "potential" : "activation");
  if (*out) return OK;
  CHECK(name, ERR_USAGE, "sinew: '%s' is not a result of a heart with %s: say which field by --field", result->path,
        target == TARGET_IGB ? "potentials" : "'maps: [activation]'");
  return result_unknown_field(result, name);
}

static Status convert_opened(const Options *options, const Result *result) {
  const char *out = options->operand[1];
  const Target target = target_of(out);
  const ResultField *field = NULL;
  int64_t step;
  CHECK(target != TARGET_IGB || (!options->step && !options->at), ERR_USAGE,
        "sinew: .igb takes all stored times; leave --step and --time out");
  CHECK((target != TARGET_VTU && target != TARGET_FRD) || !options->field, ERR_USAGE,
        "sinew: %s takes all fields; leave --field out", strrchr(out, '.'));
  TRY(result_choose_step(result, options->step, options->at, target == TARGET_FRD ? -1 : result->n_step - 1, &step));
  if (target == TARGET_FRD) return export_frd(result, step, out);
  if (target == TARGET_VTU) return export_vtu(result, step, out);
  TRY(convert_field(result, options->field, target, &field));
  return target == TARGET_IGB ? export_igb(result, field, out) : export_dat(result, field, step, out);
}

typedef struct Conversion {
  const Options *options;
  const char *path;
} Conversion;

static Status convert_work(void *context, void *answer) {
  const Conversion *conversion = context;
  Result *result = NULL;
  (void)answer;
  child_limit(RESULT_HEAD);
  Status status = result_open(conversion->path, &result);
  if (status == OK) child_limit((size_t)result_memory(result));
  if (status == OK) status = convert_opened(conversion->options, result);
  result_close(&result);
  return status;
}

/* In a process of its own: a damaged result can crash HDF5, and a good one may be long. */
static Status convert_apart(const Options *options, const char *path) {
  enum { SECONDS = 60, BYTES_PER_SECOND = 1000000, MOST = 86400 };
  const char *out = options->operand[1];
  struct stat info;
  const int64_t more = stat(path, &info) == 0 ? (int64_t)info.st_size / BYTES_PER_SECOND : 0;
  const ChildParams params = {.what = path,
                              .doing = "read",
                              .broken = ERR_IO,
                              .remedy = "  run the case again with --overwrite",
                              .seconds = SECONDS + (int)(more < MOST ? more : MOST),
                              .warns = true};
  Conversion conversion = {options, path};
  const Status status = child_run(&params, convert_work, &conversion, NULL, 0);
  if (status != OK) export_discard(out);
  return status;
}

Status convert_result(const Options *options, Guard guard) {
  const char *out = options->operand[1];
  char *folder = NULL, *path = NULL;
  TRY(file_is_free(out, options->overwrite));
  TRY(result_folder(options->operand[0], &folder));
  Status status = output_path(folder, "results.hdf", &path);
  if (guard) guard(1);
  if (status == OK) status = convert_apart(options, path);
  if (guard) guard(0);
  if (status == OK && !options->quiet) printf("%s\n", out);
  FREE(folder);
  FREE(path);
  return status;
}
