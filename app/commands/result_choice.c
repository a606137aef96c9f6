#include "app/commands/result_choice.h"

#include "app/input/number.h"
#include "core/memory.h"
#include "core/nearest.h"
#include "output/folder.h"
#include "output/text.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

Status result_folder(const char *given, char **out) {
  static const char *const inner[] = {"", "results"};
  static const char file[] = "/results.hdf";
  const size_t n = strlen(given), m = sizeof file - 1;
  struct stat info;
  if (!strcmp(given, file + 1)) given = ".";
  else if (n > m && !strcmp(given + n - m, file)) return mem_text_part(given, n - m, "the folder of a result", out);
  for (int i = 0; i < 2; ++i) {
    char *folder = NULL, *path = NULL;
    TRY(output_path(given, inner[i], &folder));
    const Status status = output_path(folder, "results.hdf", &path);
    const bool there = status == OK && stat(path, &info) == 0;
    FREE(path);
    if (there) {
      *out = folder;
      return OK;
    }
    FREE(folder);
    TRY(status);
  }
  return FAIL(ERR_IO, "'%s' holds no results.hdf\n  name the folder of a case that has run, or of its results", given);
}

const ResultField *result_named(const Result *result, const char *name) {
  const ResultField *field = result_field(result, name, false);
  return field ? field : result_field(result, name, true);
}

Status result_unknown_field(const Result *result, const char *name) {
  const char *names[64];
  Text list = {0};
  int n = 0;
  for (int32_t f = 0; f < result->n_field; ++f) {
    text_add(&list, "%s%s", f ? ", " : "", result->field[f].name);
    if (n < 64) names[n++] = result->field[f].name;
  }
  const char *near = nearest_name(name, n, names);
  FAIL(ERR_USAGE, "sinew: '%s' has no field '%s'\n  there are: %s", result->path, name, list.data ? list.data : "none");
  text_release(&list);
  return near ? status_context(ERR_USAGE, "did you mean '%s'?", near) : ERR_USAGE;
}

Status result_choose_step(const Result *result, int step, const char *time, int64_t otherwise, int64_t *out) {
  const int64_t n = result->n_step;
  double wanted;
  const char *why = NULL;
  CHECK(n > 0, ERR_USAGE, "sinew: '%s' has no stored time yet", result->path);
  CHECK(step <= n, ERR_USAGE, "sinew: --step is %d; '%s' has steps 1 to %lld", step, result->path, (long long)n);
  *out = step > 0 ? step - 1 : otherwise;
  if (!time) return OK;
  CHECK(number_parse(time, &wanted, &why), ERR_USAGE, "sinew: --time '%s' %s", time, why);
  for (int64_t k = 0; k < n; ++k)
    if (k == 0 || fabs(result->time[k] - wanted) < fabs(result->time[*out] - wanted)) *out = k;
  return OK;
}
