/* sinew convert RESULTS OUT: a result in the formats of other programs. */
#include "app/commands/commands.h"
#include "app/commands/result_choice.h"
#include "core/child.h"
#include "core/list_text.h"
#include "core/memory.h"
#include "output/export.h"
#include "output/folder.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* A format of others. */
typedef struct Target {
  const char *ending;
  const char *field, *where; /* of those that take one: which, where nobody says, and what has it; NULL: it takes all */
  bool all_times;            /* unless a step is chosen; else the last */
  bool one_time;             /* a step may be chosen */
  Status (*write)(const Result *result, const ResultField *field, int64_t step, const char *path);
} Target;

static Status write_igb(const Result *result, const ResultField *field, int64_t step, const char *path) {
  (void)step;
  return export_igb(result, field, path);
}

#define TAKES_ALL(name)                                                                                                \
  static Status write_##name(const Result *result, const ResultField *field, int64_t step, const char *path) {         \
    (void)field;                                                                                                       \
    return export_##name(result, step, path);                                                                          \
  }
TAKES_ALL(vtu)
TAKES_ALL(frd)
TAKES_ALL(med)

static const Target targets[] = {
    {".frd", NULL, NULL, true, true, write_frd},
    {".med", NULL, NULL, true, true, write_med},
    {".vtu", NULL, NULL, false, true, write_vtu},
    {".igb", "potential", "potentials", true, false, write_igb},
    {".dat", "activation", "'maps: [activation]'", false, true, export_dat},
};
enum { N_TARGETS = sizeof targets / sizeof *targets };

static const Target *target_of(const char *path) {
  const char *dot = strrchr(path, '.');
  for (int i = 0; dot && i < N_TARGETS; ++i)
    if (!strcasecmp(dot, targets[i].ending)) return &targets[i];
  return NULL;
}

bool convert_is_result(const char *out) { return target_of(out) != NULL; }

void convert_result_endings(char *text, size_t size) {
  *text = 0;
  for (int i = 0; i < N_TARGETS; ++i) list_text_add(text, size, i == 0, i + 1 == N_TARGETS, " or ", targets[i].ending);
}

static Status convert_field(const Result *result, const char *name, const Target *target, const ResultField **out) {
  *out = result_named(result, name ? name : target->field);
  if (*out) return OK;
  CHECK(name, ERR_USAGE, "sinew: '%s' is not a result of a heart with %s: say which field by --field", result->path,
        target->where);
  return result_unknown_field(result, name);
}

static Status convert_opened(const Options *options, const Result *result) {
  const char *out = options->operand[1];
  const Target *target = target_of(out);
  const ResultField *field = NULL;
  int64_t step;
  CHECK(target->one_time || (!options->step && !options->at), ERR_USAGE,
        "sinew: %s takes all stored times; leave --step and --time out", target->ending);
  CHECK(target->field || !options->field, ERR_USAGE, "sinew: %s takes all fields; leave --field out", target->ending);
  TRY(result_choose_step(result, options->step, options->at, target->all_times ? -1 : result->n_step - 1, &step));
  if (target->field) TRY(convert_field(result, options->field, target, &field));
  return target->write(result, field, step, out);
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
