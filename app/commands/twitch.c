/* See twitch.h. */
#include "app/commands/twitch.h"
#include "app/input/number.h"
#include "core/memory.h"
#include "physics/import/tension_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double REST = 0.14, START = 20, RISE = 20, FALL = 110; /* uM, ms */
static const double SEEN = 0.5, STRETCH_BY = 0.05, LEAST = 0.5, LONGEST = 1.5;
enum { STRETCHES_MOST = 200 };

double twitch_calcium(double peak, double t) {
  const double x = RISE / FALL, s = fmax(0, t - START);
  const double height = pow(x, -1 / (x - 1)) - pow(x, -1 / (1 - 1 / x));
  return REST + (peak - REST) / height * (exp(-s / RISE) - exp(-s / FALL));
}

/* "0.9:1.15" or "0.9:1.15:0.05", or one stretch. */
static Status stretches_read(const char *text, Twitch *out) {
  double value[3] = {0, 0, STRETCH_BY};
  int n = 0;
  bool bad = false;
  const char *at = text, *why;
  for (; at && !bad && n < 3; ++n) {
    char part[64];
    const char *colon = strchr(at, ':');
    snprintf(part, sizeof part, "%.*s", colon ? (int)(colon - at) : (int)strlen(at), at);
    bad = !number_parse(part, &value[n], &why);
    at = colon ? colon + 1 : NULL;
  }
  if (n == 1) value[1] = value[0];
  CHECK(!bad && !at && value[0] >= LEAST && value[0] <= value[1] && value[1] <= LONGEST && value[2] > 0, ERR_USAGE,
        "sinew: --stretch '%s' is not FROM:TO or FROM:TO:STEP, with %g <= FROM <= TO <= %g, such as 0.9:1.15", text,
        LEAST, LONGEST);
  const double count = floor((value[1] - value[0]) / value[2] * (1 + 1e-9)) + 1;
  CHECK(count <= STRETCHES_MOST, ERR_USAGE, "sinew: --stretch '%s' makes %g stretches, at most %d", text, count,
        STRETCHES_MOST);
  out->first = value[0], out->by = value[2], out->n = (int)count;
  return OK;
}

static Status model_read(const Options *options, Twitch *out) {
  const char *names[16];
  if (strchr(options->tension, '.')) TRY(tension_open(&(TensionFile){.path = options->tension}, &out->kind));
  else out->kind = tension_by_name(options->tension);
  for (int i = 0; i < tension_count(); ++i) names[i] = tension_type(i)->name;
  if (out->kind < 0)
    return options_unknown("tension", options->tension, tension_count(), names,
                           ", or a file: " CELL_MODEL_ENDINGS "; 'sinew list tensions' explains them");
  const TensionType *type = tension_type(out->kind);
  const int preset = options->preset ? tension_preset(out->kind, options->preset) : 0;
  for (int i = 0; i < type->n_preset; ++i) names[i] = type->preset[i].name;
  if (preset < 0) return options_unknown("preset", options->preset, type->n_preset, names, "");
  out->preset = &type->preset[preset];
  return OK;
}

Status twitch_read(const Options *o, Twitch *out) {
  *out = (Twitch){.kind = -1, .picture = {.x_label = "time, ms", .y_label = "tension, kPa"}};
  CHECK(o->tension || !(o->stretch || o->preset || o->calcium > 0), ERR_USAGE,
        "sinew: %s is of a tension, and there is none\n  remedy: add --tension land",
        o->stretch  ? "--stretch"
        : o->preset ? "--preset"
                    : "--calcium");
  if (!o->tension) return OK;
  TRY(model_read(o, out));
  const TensionType *type = tension_type(out->kind);
  CHECK(type->shape.stretches || !o->stretch, ERR_USAGE,
        "sinew: the tension of %s does not depend on the stretch\n  remedy: leave --stretch out", type->name);
  return stretches_read(o->stretch ? o->stretch : "1", out);
}

void twitch_release(Twitch *k) {
  text_release(&k->table);
  text_release(&k->trace);
  chart_release(&k->picture);
  tension_close(k->kind);
}

Status twitch_drive_of(const Twitch *k, const char *tissue, int ionic, int *state, double *factor) {
  const TensionType *type = tension_type(k->kind);
  char list[256] = "";
  *state = -1, *factor = 1;
  if (type->shape.drive == TENSION_BY_POTENTIAL) return OK;
  *state = ionic_state(ionic, "ca-i");
  *factor = 1000; /* mM to uM */
  for (int i = 0; i < ionic_listed(); ++i)
    if (ionic_state(i, "ca-i") >= 0)
      snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? ", " : "", ionic_type(i)->name);
  CHECK(*state >= 0, ERR_INPUT,
        "the cell of '%s' is %s, which has no calcium, and the tension of %s goes by it\n  allowed: %s\n  remedy: "
        "another ionic model, or --tension goektepe-kuhl, which goes by the potential",
        tissue, ionic_type(ionic)->name, type->name, list);
  return OK;
}

/* The last beat. */
typedef struct TwitchNumbers {
  double diastolic, peak, peak_time, half, width; /* kPa, kPa, ms, ms, ms */
} TwitchNumbers;

/* Times are from the begin of the beat; `half` of the peak: from it down to half of it, and between both of its sides. */
static TwitchNumbers measure(const double *T, int64_t n, double step) {
  TwitchNumbers out = {.diastolic = T[0], .peak = T[0], .half = NAN, .width = NAN};
  int64_t top = 0, i;
  for (i = 1; i <= n; ++i)
    if (T[i] > out.peak) out.peak = T[i], top = i;
  out.peak_time = (double)top * step;
  const double level = 0.5 * out.peak;
  double up = NAN;
  for (i = top; i > 0 && isnan(up); --i)
    if (T[i - 1] < level) up = step * ((double)(i - 1) + (level - T[i - 1]) / (T[i] - T[i - 1]));
  for (i = top; i < n && isnan(out.half); ++i)
    if (T[i + 1] < level) out.half = step * ((double)i + (T[i] - level) / (T[i] - T[i + 1])) - out.peak_time;
  out.width = out.peak_time + out.half - up;
  return out;
}

static void number_add(Text *out, double value) {
  if (isnan(value)) text_add(out, ",");
  else text_add(out, ",%.10g", value);
}

static void row_add(Twitch *k, const TwitchDrive *drive, double stretch, const TwitchNumbers *r, bool quiet) {
  const TensionType *type = tension_type(k->kind);
  const double value[] = {stretch, r->diastolic, r->peak, r->peak_time, r->half, r->width};
  if (!k->table.n)
    text_add(&k->table, "tissue,tension,preset,stretch,diastolic,peak,peak-time,half-relaxation,half-width\n");
  text_add(&k->table, "%s,%s,%s", drive->tissue, type->name, k->preset->name);
  for (size_t i = 0; i < sizeof value / sizeof *value; ++i) number_add(&k->table, value[i]);
  text_add(&k->table, "\n");
  if (quiet) return;
  printf("%-12s %s, %s, stretch %g: peak %.3f kPa at %.1f ms, diastolic %.3f kPa", drive->tissue, type->name,
         k->preset->name, stretch, r->peak, r->peak_time, r->diastolic);
  if (isnan(r->width)) printf("; half of the peak is not reached in the beat\n");
  else printf(", half-width %.1f ms, down to half in %.1f ms\n", r->width, r->half);
}

static void trace_add(Twitch *k, const TwitchDrive *drive, double stretch, int64_t i, double tension,
                      const double *state) {
  const TensionType *type = tension_type(k->kind);
  const double t = (double)i * drive->step;
  text_add(&k->trace, "%s,%.10g,%.10g,%.10g,%.10g", drive->tissue, stretch, t, drive->value[i % drive->n], tension);
  for (int j = 0; j < type->n_state; ++j) text_add(&k->trace, ",%.10g", state[j]);
  text_add(&k->trace, "\n");
  chart_point(&k->picture, t, tension);
}

/* T[n + 1] over the last beat. */
static void beats_at(Twitch *k, const TwitchDrive *drive, double stretch, double *T) {
  const TensionType *type = tension_type(k->kind);
  const int64_t every = (int64_t)fmax(1, round(SEEN / drive->step));
  double old[TENSION_STATES], state[TENSION_STATES];
  TensionOut out = {.state = state};
  tension_type_begin(type, k->preset->value, drive->value[0], stretch, old);
  T[drive->n] = 0;
  for (int b = 0; b < k->beats; ++b) {
    T[0] = T[drive->n];
    for (int64_t i = 0; i < drive->n; ++i) {
      const TensionIn in = {drive->step, drive->value[(i + 1) % drive->n], stretch, stretch, old};
      if (b == k->beats - 1 && i % every == 0) trace_add(k, drive, stretch, i, T[i], old);
      tension_type_step(type, k->preset->value, &in, &out);
      memcpy(old, state, sizeof old);
      T[i + 1] = out.tension;
    }
  }
  trace_add(k, drive, stretch, drive->n, T[drive->n], old);
}

Status twitch_run(Twitch *k, const TwitchDrive *drive, bool quiet) {
  const TensionType *type = tension_type(k->kind);
  double *T = NULL;
  ALLOC(T, drive->n + 1, "the tension of a beat");
  if (!k->trace.n) {
    text_add(&k->trace, "tissue,stretch,time,%s,tension",
             type->shape.drive == TENSION_BY_CALCIUM ? "calcium" : "potential");
    for (int j = 0; j < type->n_state; ++j)
      text_add(&k->trace, ",%s%s", strcmp(type->state[j].name, "tension") ? "" : "state-", type->state[j].name);
    text_add(&k->trace, "\n");
  }
  for (int i = 0; i < k->n; ++i) {
    const double stretch = k->first + i * k->by;
    char name[256];
    snprintf(name, sizeof name, "%s, stretch %g", drive->tissue, stretch);
    chart_curve(&k->picture, name);
    beats_at(k, drive, stretch, T);
    const TwitchNumbers numbers = measure(T, drive->n, drive->step);
    row_add(k, drive, stretch, &numbers, quiet);
  }
  FREE(T);
  return k->table.status == OK && k->trace.status == OK ? OK : FAIL(ERR_MEMORY, "not enough memory for the tables");
}
