#include "app/commands/plot.h"

#include "app/commands/result_choice.h"

#include "core/child.h"
#include "core/memory.h"
#include "output/read.h"
#include "output/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BANDS = 12, CASE_BYTES = 1 << 16, PREFERRED = 8 };

/* What a physics is looked at by, the most telling first. */
static const char *const preferred[PREFERRED] = {
    "von-mises",    "activation", "potential",     "temperature", "displacement-amplitude",
    "displacement", "stress",     "element-stress"};

static const char *const suffix_of_3[] = {"x", "y", "z"}, *const suffix_of_6[] = {"xx", "yy", "zz", "xy", "yz", "xz"},
                         *const suffix_of_principal[] = {"1", "2", "3"};

/* "stress-yy": the field before the last '-', and which of its components the rest names; -1: none. */
static const ResultField *plot_find(const Result *result, const char *name, int *component) {
  *component = -1;
  const ResultField *field = result_named(result, name);
  const char *dash = strrchr(name, '-');
  char start[128];
  if (field || !dash) return field;
  snprintf(start, sizeof start, "%.*s", (int)(dash - name), name);
  field = result_named(result, start);
  if (!field) return NULL;
  const char *const *suffix = field->n_component == 6           ? suffix_of_6
                              : strcmp(start, "principal") == 0 ? suffix_of_principal
                                                                : suffix_of_3;
  for (int k = 0; k < field->n_component && k < 6 && field->n_component >= 3; ++k)
    if (strcmp(dash + 1, suffix[k]) == 0) *component = k;
  return *component >= 0 ? field : NULL;
}

static Status choose_field(const Result *result, const PlotParams *params, const ResultField **out, int *component) {
  const char *name = params->field;
  *out = NULL, *component = -1;
  for (int i = 0; i < PREFERRED && !name && !*out; ++i) {
    *out = result_named(result, preferred[i]);
    if (*out && (*out)->once && params->film) *out = NULL;
  }
  if (!name && !*out && result->n_field) *out = &result->field[0];
  CHECK(name || *out, ERR_USAGE, "sinew: '%s' has no fields to draw", result->path);
  if (name) *out = plot_find(result, name, component);
  if (*out) return OK;
  return status_context(result_unknown_field(result, name),
                        "of several components one is 'stress-xx', 'displacement-x', 'principal-1'");
}

/* Steps are shapes of modes, which have no order in time: frequencies of vibrations have other fields. */
static bool has_modes(const Result *result) {
  char axis[32];
  result_axis(result, axis, sizeof axis);
  return result_field(result, "displacement", false) && (!strcmp(axis, "frequency") || !strcmp(axis, "load-factor"));
}

static Status choose_step(const Result *result, const PlotParams *params, const ResultField *field, int64_t *out) {
  const int64_t n = result->n_step;
  const bool middle = strcmp(field->name, "potential") == 0 && n > 2;
  return result_choose_step(result, params->step, params->time, has_modes(result) ? 0 : middle ? n / 2 : n - 1, out);
}

/* The value of `title:` in the case. */
static Status read_title(const Result *result, char *out, size_t size) {
  char *text = NULL;
  ALLOC(text, CASE_BYTES, "the case of a result");
  if (result_provenance(result, "case", text, CASE_BYTES))
    for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
      if (strncmp(line, "title:", 6) != 0) continue;
      const char *at = line + 6 + strspn(line + 6, " \t");
      const char quote = *at == '"' || *at == '\'' ? *at : 0;
      size_t n = quote ? strcspn(at + 1, quote == '"' ? "\"\n" : "'\n") : strcspn(at, "\n");
      if (!quote)
        for (size_t i = 1; i < n; ++i)
          if (at[i] == '#' && at[i - 1] == ' ') n = i - 1;
      while (n > 0 && !quote && (at[n - 1] == ' ' || at[n - 1] == '\r')) --n;
      snprintf(out, size, "%.*s", (int)n, at + (quote != 0));
      break;
    }
  FREE(text);
  return OK;
}

/* "stress yy" over its unit. */
static void name_field(const Result *result, const ResultField *field, Plot *out) {
  char name[128], unit[48] = "";
  snprintf(name, sizeof name, "%s", field->name);
  for (char *p = name; *p; ++p)
    if (*p == '-') *p = ' ';
  if (strcmp(field->name, "von-mises") == 0) snprintf(name, sizeof name, "von Mises stress");
  if (strcmp(field->name, "activation") == 0) snprintf(name, sizeof name, "activation time");
  const char *suffix = "";
  if (out->component >= 0)
    suffix = field->n_component == 6                 ? suffix_of_6[out->component]
             : strcmp(field->name, "principal") == 0 ? suffix_of_principal[out->component]
                                                     : suffix_of_3[out->component];
  result_unit(result, field, unit, sizeof unit);
  snprintf(out->bar, sizeof out->bar, "%s%s%s%s%s", name, *suffix ? " " : "", suffix, *unit ? "\n" : "", unit);
  snprintf(out->what, sizeof out->what, "%s%s%s%s%s%s", name, *suffix ? " " : "", suffix, *unit ? " (" : "", unit,
           *unit ? ")" : "");
}

typedef struct Choice {
  const char *path;
  const PlotParams *params;
} Choice;

static Status hold_film(const Result *result, const PlotParams *params, const ResultField *field) {
  char name[160];
  if (!params->film) return OK;
  CHECK(!params->step && !params->time, ERR_USAGE,
        "sinew: '--film' has all stored times: leave out '--step' and '--time'");
  CHECK(!field->once, ERR_USAGE, "sinew: '%s' is stored once for all times, and makes no film", field->name);
  CHECK(!has_modes(result) && !result_step_name(result, 0, name, sizeof name), ERR_USAGE,
        "sinew: load cases and modes do not follow one another, and make no film: draw one by '--step'");
  CHECK(result->n_step > 1, ERR_USAGE, "sinew: '%s' has one stored time, and a film needs several", result->path);
  return OK;
}

static Status plot_describe(const Result *result, const ResultField *field, const PlotParams *params, int64_t step,
                            Plot *out) {
  snprintf(out->field, sizeof out->field, "%s", field->name);
  name_field(result, field, out);
  TRY(read_title(result, out->title, sizeof out->title));
  out->timed = true;
  out->time = result->time[step];
  out->never = strncmp(field->name, "activation", 10) == 0 || strncmp(field->name, "repolarization", 14) == 0 ||
               strncmp(field->name, "apd", 3) == 0; /* of further beats too */
  if (out->never) out->bands = BANDS;
  const bool shape = strcmp(field->name, "von-mises") == 0 || strncmp(field->name, "stress", 6) == 0 ||
                     strncmp(field->name, "principal", 9) == 0 || strncmp(field->name, "displacement", 12) == 0 ||
                     strcmp(field->name, "element-stress") == 0 || strcmp(field->name, "strain-energy") == 0;
  out->warp = shape && result_field(result, "displacement", false);
  out->modes = has_modes(result);
  if (field->once || (result->n_step == 1 && out->time == 0)) return OK;
  result_time_unit(result, out->unit, sizeof out->unit);
  if (params->film) return OK; /* each picture has its own */
  const size_t used = strlen(out->title);
  char name[160], axis[32];
  result_axis(result, axis, sizeof axis);
  if (result_step_name(result, step, name, sizeof name)) {
    snprintf(out->title + used, sizeof out->title - used, "%s'%s'", used ? ", " : "", name);
    return OK;
  }
  snprintf(out->title + used, sizeof out->title - used, "%s%s %.6g%s%s", used ? ", " : "",
           strcmp(axis, "load-factor") == 0 ? "load factor"
           : strcmp(out->unit, "Hz") == 0   ? "f ="
                                            : "t =",
           out->time, *out->unit ? " " : "", out->unit);
  return OK;
}

static Status choose_plot(void *context, void *answer) {
  const Choice *choice = context;
  Plot *out = answer;
  Result *result = NULL;
  child_limit(RESULT_HEAD);
  const ResultField *field = NULL;
  int64_t step = 0;
  TRY(result_open(choice->path, &result));
  Status status = choose_field(result, choice->params, &field, &out->component);
  if (status == OK) status = hold_film(result, choice->params, field);
  if (status == OK) status = choose_step(result, choice->params, field, &step);
  if (status == OK) status = plot_describe(result, field, choice->params, step, out);
  result_close(&result);
  return status;
}

Status plot_choose(const char *path, const PlotParams *params, Plot *out) {
  Choice choice = {path, params};
  const ChildParams child = {.what = path, .doing = "read", .broken = ERR_IO, .seconds = 60};
  return child_run(&child, choose_plot, &choice, out, sizeof *out);
}
