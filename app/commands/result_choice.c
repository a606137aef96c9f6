#include "app/commands/result_choice.h"

#include "app/commands/commands.h"
#include "app/input/number.h"
#include "core/memory.h"
#include "core/nearest.h"
#include "output/folder.h"
#include "output/text.h"

#include <dirent.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

static const char FIELDS[] = "results.hdf", LOOPS[] = "loops.csv"; /* a circulation alone has the tables only */

/* Whether "given/inner" holds that file; *out is the path of the folder where it does. */
static Status holds_result(const char *given, const char *inner, const char *file, char **out) {
  char *folder = NULL, *path = NULL;
  struct stat info;
  *out = NULL;
  TRY(output_path(given, inner, &folder));
  const Status status = output_path(folder, file, &path);
  if (status == OK && stat(path, &info) == 0) *out = folder;
  else FREE(folder);
  FREE(path);
  return status;
}

/* The only results-NAME/ in the folder; *out is NULL where there is none. */
static Status only_result(const char *given, const char *file, char **out) {
  static const char start[] = "results-";
  DIR *listing = opendir(given);
  Text list = {0};
  Status status = OK;
  int n = 0;
  *out = NULL;
  for (struct dirent *entry = listing ? readdir(listing) : NULL; entry && status == OK; entry = readdir(listing)) {
    char *one = NULL;
    if (strncmp(entry->d_name, start, sizeof start - 1) != 0) continue;
    status = holds_result(given, entry->d_name, file, &one);
    if (!one) continue;
    text_add(&list, "%s%s", n++ ? ", " : "", entry->d_name);
    FREE(*out);
    *out = one;
  }
  if (listing) closedir(listing);
  if (status == OK && n > 1)
    status = FAIL(ERR_IO, "'%s' holds several results: name one of %s", given, list.data ? list.data : "them");
  if (status != OK) FREE(*out);
  text_release(&list);
  return status;
}

static bool is_case_file(const char *given) {
  static const char *const endings[] = {".yaml", ".yml", ".inp"};
  const char *dot = strrchr(given, '.');
  for (int i = 0; dot && i < 3; ++i)
    if (strcmp(dot, endings[i]) == 0) return true;
  return false;
}

/* *out is NULL where there is none. */
static Status folder_with(const char *given, const char *file, char **out) {
  char *beside = NULL;
  *out = NULL;
  if (is_case_file(given)) {
    TRY(results_beside(given, &beside));
    const Status status = holds_result(beside, "", file, out);
    FREE(beside);
    return status;
  }
  TRY(holds_result(given, "", file, out));
  if (!*out) TRY(holds_result(given, "results", file, out));
  if (!*out) TRY(only_result(given, file, out));
  return OK;
}

Status result_folder(const char *given, char **out) {
  char *tables = NULL;
  const size_t n = strlen(given), m = sizeof FIELDS;
  if (!strcmp(given, FIELDS)) given = ".";
  else if (n > m && given[n - m] == '/' && !strcmp(given + n - m + 1, FIELDS))
    return mem_text_part(given, n - m, "the folder of a result", out);
  TRY(folder_with(given, FIELDS, out));
  if (*out) return OK;
  TRY(folder_with(given, LOOPS, &tables));
  const bool alone = tables != NULL;
  FREE(tables);
  CHECK(!alone, ERR_IO,
        "'%s' holds no results.hdf, but the tables of a circulation, which has no fields\n  'sinew report' and 'sinew "
        "plot "
        "--curves' show them",
        given);
  return FAIL(ERR_IO, "'%s' holds no results.hdf\n  name a case that has run, its folder, or that of its results",
              given);
}

Status result_or_tables_folder(const char *given, char **out) {
  TRY(folder_with(given, FIELDS, out));
  if (!*out) TRY(folder_with(given, LOOPS, out));
  return *out ? OK : result_folder(given, out);
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
  const double first = result->time[0], last = result->time[n - 1], rounding = 1e-9 * fmax(fabs(last), fabs(first));
  CHECK(wanted >= first - rounding && wanted <= last + rounding, ERR_USAGE,
        "sinew: --time is %s; '%s' has stored times from %.10g to %.10g", time, result->path, first, last);
  return OK;
}
