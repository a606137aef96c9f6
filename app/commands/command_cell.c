/* sinew cell: the cells of a heart's tissues, each alone, paced: durations, traces, restitution. */
#include "app/commands/commands.h"
#include "app/commands/twitch.h"
#include "app/input/number.h"
#include "app/input/physics.h"
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/prepace.h"
#include "app/monodomain/single_cell.h"
#include "core/memory.h"
#include "output/chart.h"
#include "output/folder.h"
#include "physics/import/imported.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double CYCLE = 1000, STEP = 0.005; /* ms */
static const double TOO_HIGH = 60;              /* mV */
static const double CALCIUM = 0.6;              /* uM */
static const double TRACE_EVERY = 0.5;          /* ms */
enum { BEATS = 10, CYCLES_MOST = 10000 };

/* "1000,300,50": from there to there by so much; n 0: not asked for. */
typedef struct Cycles {
  double first, last, by;
  int n;
} Cycles;

typedef struct CellJob {
  const Options *options;
  const Case *c;
  CellPacing pacing; /* of the tissue */
  double cycle;
  int beats;
  Cycles s1s2, dynamic;
  Text trace, beat, restitution;
  Chart potential, curves; /* the last beat's potential; restitution */
  Twitch twitch;
  double *drive;                 /* owned, of its muscle over the last beat */
  int64_t n_drive, n_most, seen; /* of the beat: steps, and rows of the trace */
  int drive_state;               /* of the cell; -1: the potential */
  double drive_factor;
  const char *tissue; /* whose cell it is now */
  const IonicType *type;
  char model[IONIC_TEXT];
} CellJob;

static Status cycles_read(const char *option, const char *text, Cycles *out) {
  double value[3];
  int n = 0;
  if (!text) return OK;
  for (const char *at = text; n < 3 && at; ++n) {
    char part[64];
    const char *comma = strchr(at, ','), *why;
    snprintf(part, sizeof part, "%.*s", comma ? (int)(comma - at) : (int)strlen(at), at);
    CHECK(number_parse(part, &value[n], &why) && value[n] > 0, ERR_USAGE,
          "sinew: %s '%s' is not FROM,TO,STEP in ms, all > 0, such as 1000,300,20", option, text);
    at = comma ? comma + 1 : NULL;
  }
  CHECK(n == 3 && strchr(strchr(strchr(text, ',') + 1, ',') + 1, ',') == NULL && value[0] >= value[1], ERR_USAGE,
        "sinew: %s '%s' is not FROM,TO,STEP in ms with FROM >= TO, such as 1000,300,20", option, text);
  const double count = floor((value[0] - value[1]) / value[2] * (1 + 1e-12)) + 1;
  CHECK(count <= CYCLES_MOST, ERR_USAGE, "sinew: %s '%s' makes %g cycles, at most %d", option, text, count,
        CYCLES_MOST);
  *out = (Cycles){value[0], value[1], value[2], (int)count};
  return OK;
}

static void csv_number(Text *out, double value) {
  if (isnan(value)) text_add(out, ",");
  else text_add(out, ",%.10g", value);
}

static void trace_see(void *context, double t, const SingleCell *cell) {
  CellJob *k = context;
  const bool drives = k->twitch.kind >= 0;
  if (drives && k->n_drive < k->n_most)
    k->drive[k->n_drive++] = k->drive_factor * (k->drive_state < 0 ? cell->V : cell->s[k->drive_state]);
  if (drives && t < (double)k->seen * TRACE_EVERY * (1 - 1e-12)) return; /* it sees every step then */
  ++k->seen;
  text_add(&k->trace, "%s,%.10g,%.10g", k->tissue, t, cell->V);
  chart_point(&k->potential, t, cell->V);
  for (int j = 0; j < k->type->n_state; ++j) text_add(&k->trace, ",%.10g", cell->s[j]);
  text_add(&k->trace, "\n");
}

static Status one_beat(const CellJob *k, SingleCell *cell, double length, const CellWatch *watch, CellBeat *out) {
  Status status = single_cell_beat(cell, &k->pacing, length, watch, out);
  if (status == OK && cell->V > TOO_HIGH)
    status = FAIL(ERR_NUMERIC, "the potential is %.1f mV at the end of a beat, beyond the %g mV of any cell", cell->V,
                  TOO_HIGH);
  if (status != ERR_NUMERIC) return status;
  return status_context(status,
                        "in the cell of '%s' (%s), with steps of %g ms and stimuli of %g mV/ms\n  remedy: a shorter "
                        "--time-step, a weaker --amplitude, or other parameters",
                        k->tissue, k->model, k->pacing.step, k->pacing.amplitude);
}

static void restitution_add(CellJob *k, const char *protocol, double cycle, double before, const CellBeat *beat) {
  text_add(&k->restitution, "%s,%s,%.10g", k->tissue, protocol, cycle);
  csv_number(&k->restitution, cycle - before); /* diastolic interval: of the cycle what the beat before left */
  csv_number(&k->restitution, beat->apd90);
  if (cycle > before) chart_point(&k->curves, cycle - before, beat->apd90); /* else it came within a beat */
  text_add(&k->restitution, "\n");
}

static void curve_begin(CellJob *k, const char *protocol) {
  char name[256];
  snprintf(name, sizeof name, "%s, %s", k->tissue, protocol);
  chart_curve(&k->curves, name);
}

/* One more S1, then an S2 after each interval; the rest before it is what is left of the interval by that S1. */
static Status s1s2(CellJob *k, const SingleCell *start) {
  SingleCell alone = *start;
  CellBeat last;
  if (!k->s1s2.n) return OK;
  curve_begin(k, "S1S2");
  TRY(one_beat(k, &alone, fmax(k->cycle, k->s1s2.first), NULL, &last));
  for (int i = 0; i < k->s1s2.n; ++i) {
    const double interval = k->s1s2.first - i * k->s1s2.by;
    SingleCell cell = *start;
    CellBeat one, two;
    TRY(one_beat(k, &cell, interval, NULL, &one));
    TRY(one_beat(k, &cell, k->cycle, NULL, &two));
    restitution_add(k, "s1s2", interval, last.apd90, &two);
  }
  return OK;
}

/* So many beats at each cycle, from where the one before ended; the last two beats count. */
static Status dynamic(CellJob *k, SingleCell cell) {
  if (k->dynamic.n) curve_begin(k, "dynamic");
  for (int i = 0; i < k->dynamic.n; ++i) {
    const double cycle = k->dynamic.first - i * k->dynamic.by;
    CellBeat before = {.apd90 = NAN}, beat = {.apd90 = NAN};
    for (int b = 0; b < k->beats; ++b) {
      before = beat;
      TRY(one_beat(k, &cell, cycle, NULL, &beat));
      if (b >= k->beats - 2) restitution_add(k, "dynamic", cycle, before.apd90, &beat); /* two: alternans */
    }
  }
  return OK;
}

static void beat_add(CellJob *k, int number, const CellBeat *b) {
  text_add(&k->beat, "%s,%d", k->tissue, number);
  const double value[] = {b->rest, b->peak, b->steepest, b->upstroke, b->apd50, b->apd90};
  for (size_t i = 0; i < sizeof value / sizeof *value; ++i) csv_number(&k->beat, value[i]);
  text_add(&k->beat, "\n");
}

static void beat_print(const CellJob *k, const CellBeat *b) {
  if (k->options->quiet) return;
  printf("%-12s %-18s ", k->tissue, k->model);
  if (isnan(b->upstroke)) printf("no beat: the stimulus is too weak\n");
  else if (isnan(b->apd90))
    printf("rest %.2f mV, peak %.1f mV; not repolarised within %g ms\n", b->rest, b->peak, k->cycle);
  else
    printf("APD90 %.2f ms, APD50 %.2f ms, rest %.2f mV, peak %.1f mV, upstroke %.0f mV/ms\n", b->apd90, b->apd50,
           b->rest, b->peak, b->steepest);
}

/* What the beat's potential or calcium makes of the muscle. */
static Status cell_twitches(CellJob *k) {
  const TwitchDrive drive = {k->tissue, k->cycle / (double)k->n_drive, k->n_drive, k->drive};
  return k->twitch.kind < 0 ? OK : twitch_run(&k->twitch, &drive, k->options->quiet);
}

static Status drive_begin(CellJob *k, int ionic) {
  k->n_drive = k->seen = 0;
  if (k->twitch.kind < 0) return OK;
  k->n_most = (int64_t)ceil(k->cycle / k->pacing.step * (1 - 1e-12));
  FREE(k->drive);
  ALLOC(k->drive, k->n_most, "what drives the muscle");
  return twitch_drive_of(&k->twitch, k->tissue, ionic, &k->drive_state, &k->drive_factor);
}

/* The cell as a run begins with it: at rest, or paced as the case says. */
static Status cell_begin(const CellJob *k, const IonicConstants *constants, SingleCell *cell) {
  bool stored;
  single_cell_start(constants, cell);
  if (!place_given(k->c->prepace.place)) return OK;
  const Prepace prepace = prepace_of(k->c);
  return prepace_cell(&prepace, k->tissue, cell, &stored);
}

static void trace_head(CellJob *k) {
  text_add(&k->trace, "tissue,time,potential");
  for (int j = 0; j < k->type->n_state; ++j) text_add(&k->trace, ",%s", k->type->state[j].name);
  text_add(&k->trace, "\n");
}

/* As asked for, else the model's own. */
static Status pace(CellJob *k, int kind) {
  const IonicPulse pulse = ionic_pulse(kind);
  const Options *options = k->options;
  k->pacing.amplitude = options->amplitude > 0 ? options->amplitude : pulse.amplitude;
  k->pacing.duration = options->duration > 0 ? options->duration : pulse.duration;
  CHECK(k->pacing.duration < k->cycle && k->pacing.step < k->pacing.duration, ERR_USAGE,
        "sinew: steps of %g ms, stimuli of %g ms and cycles of %g ms must be each shorter than the next",
        k->pacing.step, k->pacing.duration, k->cycle);
  return imported_check_step(kind, k->pacing.step);
}

static Status cell_run(CellJob *k, const CaseTissue *tissue) {
  char where[1024];
  CHECK(!ionic_varies(&tissue->ionic), ERR_INPUT,
        "%s: parameters of this tissue vary in space, but a single cell has one value of each\n  run it on a copy of "
        "the case with the values at one point",
        place_text(k->c->path, tissue->ionic.place, where, sizeof where));
  const IonicConstants constants = monodomain_constants_of(&tissue->ionic);
  const CellWatch watch = {trace_see, k, k->twitch.kind < 0 ? TRACE_EVERY : k->pacing.step};
  SingleCell cell;
  CellBeat beat;
  k->tissue = tissue->on.item[0].text;
  const IonicType *type = ionic_type(constants.kind);
  const bool same = k->type == type; /* as the tissue before: one table */
  k->type = type;
  ionic_text(constants.kind, k->model);
  TRY(pace(k, constants.kind));
  TRY(drive_begin(k, constants.kind));
  TRY(cell_begin(k, &constants, &cell));
  chart_curve(&k->potential, k->tissue);
  if (!same) trace_head(k);
  for (int b = 1; b <= k->beats; ++b) {
    TRY(one_beat(k, &cell, k->cycle, b == k->beats ? &watch : NULL, &beat));
    beat_add(k, b, &beat);
  }
  if (beat.peak > TOO_HIGH)
    status_warn(
        "the cell of '%s' (%s) reaches %.1f mV, beyond the %g mV of any heart cell: its file or the stimulus is wrong",
        k->tissue, k->model, beat.peak, TOO_HIGH);
  beat_print(k, &beat);
  TRY(cell_twitches(k));
  TRY(s1s2(k, &cell));
  return dynamic(k, cell);
}

static Status cell_tables_save(const CellJob *k, const char *folder, const Text *trace, const Text *restitution,
                               const Text *twitch) {
  const struct {
    const char *name;
    const Text *text;
  } file[] = {{"beats.csv", &k->beat},
              {"trace.csv", &k->trace},
              {"twitches.csv", &k->twitch.table},
              {"twitch.csv", &k->twitch.trace},
              {"twitch.svg", twitch},
              {"trace.svg", trace},
              {"restitution.csv", &k->restitution},
              {"restitution.svg", restitution}};
  for (size_t i = 0; i < sizeof file / sizeof *file; ++i) {
    char *path = NULL;
    if (!file[i].text->n && file[i].text->status == OK) continue;
    TRY(output_path(folder, file[i].name, &path));
    const Status status = text_save(file[i].text, path, false);
    if (status == OK && !k->options->quiet) printf("%s\n", path);
    FREE(path);
    TRY(status);
  }
  return OK;
}

static Status cells_save(const CellJob *k, const char *folder) {
  Text trace = {0}, restitution = {0}, twitch = {0};
  chart_draw(&k->potential, &trace);
  chart_draw(&k->twitch.picture, &twitch);
  chart_draw(&k->curves, &restitution);
  const Status status = cell_tables_save(k, folder, &trace, &restitution, &twitch);
  text_release(&trace);
  text_release(&restitution);
  text_release(&twitch);
  return status;
}

/* "cell" beside the case, or --output; what lies there stays unless --overwrite is given. */
static Status cell_folder(const Options *options, const char *path, const char *table, char **out) {
  const char *slash = strrchr(path, '/');
  Text text = {0};
  char *file = NULL;
  if (options->output) text_add(&text, "%s", options->output);
  else text_add(&text, "%.*scell", slash ? (int)(slash - path + 1) : 0, path);
  TRY(folder_path(&text, out));
  Status status = output_path(*out, table, &file);
  if (status == OK && !options->overwrite && access(file, F_OK) == 0)
    status = FAIL(ERR_RESTART, "there is a result already: '%s'; use --overwrite or another --output", file);
  FREE(file);
  return status;
}

static Status cell_all(CellJob *k, const char *folder) {
  OutputFolder *held = NULL;
  for (int32_t i = 0; i < k->c->materials.n; ++i) {
    const int kind = monodomain_constants_of(&heart_tissue(k->c, i)->ionic).kind;
    TRY(pace(k, kind));
    k->tissue = heart_tissue(k->c, i)->on.item[0].text;
    TRY(drive_begin(k, kind));
  }
  Status status = output_folder_open(folder, &held);
  text_add(&k->beat, "tissue,beat,rest,peak,upstroke-velocity,upstroke-time,apd50,apd90\n");
  if (k->s1s2.n || k->dynamic.n) text_add(&k->restitution, "tissue,protocol,cycle,diastolic-interval,apd90\n");
  for (int32_t i = 0; status == OK && i < k->c->materials.n; ++i) status = cell_run(k, heart_tissue(k->c, i));
  if (status == OK) status = cells_save(k, folder);
  output_folder_close(&held);
  return status;
}

static Status cells_of_case(CellJob *k) {
  const Options *options = k->options;
  char *path = NULL, *folder = NULL;
  Case *c = NULL;
  CHECK(options->calcium <= 0, ERR_USAGE,
        "sinew: --calcium is of a twitch without a case; here the cells of the case make the calcium");
  Status status = case_operand(options->operand[0], &path);
  if (status == OK) status = case_open(path, options->n_set, options->set, &c);
  if (status == OK && strcmp(c->physics->name, "monodomain"))
    status = FAIL(ERR_INPUT, "%s: physics is %s; 'sinew cell' needs a case with physics: monodomain", path,
                  c->physics->name);
  k->c = c;
  if (status == OK) status = cell_folder(options, path, "beats.csv", &folder);
  if (status == OK) status = cell_all(k, folder);
  FREE(folder);
  FREE(path);
  case_destroy(&c);
  return status;
}

/* Of a given transient of calcium: there are no cells. */
static Status given_calcium(CellJob *k, const char *folder) {
  OutputFolder *held = NULL;
  const double peak = k->options->calcium > 0 ? k->options->calcium : CALCIUM;
  k->tissue = "muscle";
  k->n_drive = (int64_t)ceil(k->cycle / k->pacing.step * (1 - 1e-12));
  ALLOC(k->drive, k->n_drive, "a transient of calcium");
  for (int64_t i = 0; i < k->n_drive; ++i)
    k->drive[i] = twitch_calcium(peak, k->cycle * (double)i / (double)k->n_drive);
  Status status = output_folder_open(folder, &held);
  if (status == OK) status = cell_twitches(k);
  if (status == OK) status = cells_save(k, folder);
  output_folder_close(&held);
  return status;
}

static Status muscle_alone(CellJob *k) {
  const Options *o = k->options;
  char *folder = NULL;
  CHECK(o->tension, ERR_USAGE,
        "sinew: 'cell' needs CASE.yaml, or --tension NAME for a muscle alone\n  example: sinew cell --tension land "
        "--stretch 0.9:1.15");
  const TensionType *type = tension_type(k->twitch.kind);
  CHECK(type->shape.drive == TENSION_BY_CALCIUM, ERR_USAGE,
        "sinew: the tension of %s goes by the potential of cells, and there are none\n  remedy: name a CASE.yaml of a "
        "heart",
        type->name);
  const char *of_case = o->s1s2            ? "--s1s2"
                        : o->dynamic       ? "--dynamic"
                        : o->amplitude > 0 ? "--amplitude"
                        : o->duration > 0  ? "--duration"
                        : o->n_set > 0     ? "--set"
                                           : NULL;
  CHECK(!of_case, ERR_USAGE, "sinew: %s is of the cells of a case, and there is none\n  remedy: name a CASE.yaml",
        of_case);
  CHECK(k->pacing.step <= k->cycle / 10, ERR_USAGE,
        "sinew: --time-step is %g ms, must be at most a tenth of the cycle of %g ms", k->pacing.step, k->cycle);
  Status status = cell_folder(o, "", "twitches.csv", &folder);
  if (status == OK) status = given_calcium(k, folder);
  FREE(folder);
  return status;
}

Status command_cell(const Options *options) {
  CellJob k = {.options = options,
               .pacing = {.step = options->time_step > 0 ? options->time_step : STEP},
               .cycle = options->cycle > 0 ? options->cycle : CYCLE,
               .beats = options->beats ? options->beats : BEATS,
               .potential = {.x_label = "time, ms", .y_label = "potential, mV"},
               .curves = {.x_label = "diastolic interval, ms", .y_label = "APD90, ms", .marks = true}};
  TRY(cycles_read("--s1s2", options->s1s2, &k.s1s2));
  TRY(cycles_read("--dynamic", options->dynamic, &k.dynamic));
  TRY(twitch_read(options, &k.twitch));
  k.twitch.beats = k.beats;
  const Status status = options->n_operand ? cells_of_case(&k) : muscle_alone(&k);
  text_release(&k.trace);
  text_release(&k.beat);
  text_release(&k.restitution);
  chart_release(&k.potential);
  chart_release(&k.curves);
  twitch_release(&k.twitch);
  FREE(k.drive);
  return status;
}
