/* Files of a heart run: results.hdf, probes.csv, and the rows of `expect:` that name a time. In the loop a stored time
 * is a few copies on the Exec into a snapshot; all else is done by the recorder's thread (`unpack`). */
#include "app/report/expect.h"
#include "app/monodomain/heart.h"
#include "app/run/output_files.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

enum {
  FIELDS = N_HEART_FIELDS + N_HEART_MAPS,
  RULED = 3, /* fiber, sheet, transmural */
  HISTORY = 7
};

static const char *const history_name[HISTORY] = {"time", "steps", "newton", "products", "rejected", "dt", "residual"};

/* A slot of the recorder: numbers of probes and leads, fields of the step, and where `maps`, activation and its
 * ends. */
typedef struct Slot {
  ExecSnapshot *snapshot; /* owned */
  bool maps, ruled;       /* fields that are written once are among them */
} Slot;

struct HeartOutput {
  Run *run;
  Heart *heart;
  HeartWatch *watch;
  Writer *writer; /* owned, as are the next two; the recorder has them while it is there */
  ProbeFile *probes;
  Recorder *recorder;
  int32_t n_slot;
  Slot *slot; /* owned, [n_slot] */
  int32_t n_field;
  WriterField field[FIELDS + RULED];
  bool want_maps;
  bool want_ruled; /* fibres by rule are still to be written */
  /* the thread's, as are the report's columns and values of `expect:` */
  double *room[FIELDS];                /* owned, [n_node]: fields in mesh order */
  const double *value[FIELDS + RULED]; /* of the step that is written */
};

#define IONIC_STATE(id, name) name,
static const char *const field_name[FIELDS] = {"potential",
#include "physics/ionic_states.def"
                                               "activation", "repolarization", "apd"};
#undef IONIC_STATE

static bool asked(const Case *c, int which) {
  const uint32_t mask =
      which < N_HEART_FIELDS ? c->output.fields.mask >> which : c->output.maps.mask >> (which - N_HEART_FIELDS);
  return mask & 1;
}

/* t = 0, the end, every multiple between. */
static int64_t stored_most(const Case *c) { return (int64_t)floor(c->time.end.value / case_every(c) * (1 + 1e-9)) + 3; }

bool heart_output_due(const Case *c, double time) {
  const double every = case_every(c), end = c->time.end.value;
  return fabs(time - end) <= 1e-9 * end || fabs(time - every * round(time / every)) <= 1e-9 * end;
}

static Status open_files(HeartOutput *o) {
  const Case *c = o->run->c;
  const WriterParams params = {.n_field = o->n_field,
                               .field = o->field,
                               .n_step = stored_most(c),
                               .units = c->units.text ? c->units.text : "mm ms mV",
                               .n_history = HISTORY,
                               .history = history_name,
                               .n_history_row = stored_most(c)};
  TRY(output_writer(o->run, o->heart->setup, &params, &o->writer));
  return output_probes(o->run, "time", &o->probes);
}

/* The maps as the Exec has them: activation, and its end where that or the duration is asked for. */
static int vectors_of_maps(const Case *c) {
  const bool ends = asked(c, N_HEART_FIELDS + HEART_REPOLARIZATION) || asked(c, N_HEART_FIELDS + HEART_APD);
  return ends ? 2 : asked(c, N_HEART_FIELDS + HEART_ACTIVATION) ? 1 : 0;
}

static int vectors_of_step(const Case *c) {
  int n = 0;
  for (int k = 0; k < N_HEART_FIELDS; ++k) n += asked(c, k);
  return n;
}

int64_t heart_output_bytes(const Case *c, int64_t n_node) {
  return (vectors_of_step(c) + vectors_of_maps(c)) * n_node * (int64_t)sizeof(double);
}

static void list_fields(HeartOutput *o) {
  for (int k = 0; k < FIELDS; ++k)
    if (asked(o->run->c, k))
      o->field[o->n_field++] = (WriterField){.name = field_name[k], .n_component = 1, .once = k >= N_HEART_FIELDS};
  o->want_ruled = o->heart->setup->fiber != NULL;
  if (!o->want_ruled) return;
  o->field[o->n_field++] = (WriterField){.name = "fiber", .n_component = 3, .once = true};
  o->field[o->n_field++] = (WriterField){.name = "sheet", .n_component = 3, .once = true};
  o->field[o->n_field++] = (WriterField){.name = "transmural", .n_component = 1, .once = true};
}

static Status take_arrays(HeartOutput *o) {
  const Case *c = o->run->c;
  RunReport *report = o->run->report;
  for (int k = 0; k < FIELDS; ++k)
    if (asked(c, k)) ALLOC(o->room[k], o->run->mesh->n_node, "fields of the output");
  ALLOC(report->at_time, c->expect.n, "expected values");
  for (int32_t i = 0; i < c->expect.n; ++i) report->at_time[i] = (double)NAN;
  TRY(heart_watch_create(o->heart, &report->columns, &o->watch));
  const int64_t bytes = heart_watch_numbers(o->watch) * (int64_t)sizeof(double) + heart_output_bytes(c, o->heart->n);
  o->n_slot = recorder_slots(bytes);
  ALLOC(o->slot, o->n_slot, "slots of the output");
  for (int32_t k = 0; k < o->n_slot; ++k)
    TRY(exec_snapshot_create(o->heart->exec, (size_t)bytes, "results on their way to the files", &o->slot[k].snapshot));
  return OK;
}

/* ---- on the thread ---- */

/* Fields of the maps in mesh order from the two vectors. */
static void unpack_maps(HeartOutput *o, const double *activation, int32_t n) {
  const Case *c = o->run->c;
  const Diffusion *d = o->heart->diffusion;
  const int64_t n_node = o->heart->n;
  double **room = o->room + N_HEART_FIELDS, *apd = room[HEART_APD];
  const double *ends = activation + n_node;
  const double *const from[N_HEART_MAPS] = {activation, ends, NULL};
  for (int k = 0; k < N_HEART_MAPS; ++k) {
    if (!asked(c, N_HEART_FIELDS + k)) continue;
    if (k == HEART_APD)
      for (int64_t i = 0; i < n_node; ++i)
        apd[diffusion_node(d, i)] = activation[i] < 0 || ends[i] < 0 ? -1 : ends[i] - activation[i];
    o->value[n++] = k == HEART_APD ? apd : diffusion_in_mesh_order(d, from[k], room[k]);
  }
}

static Status unpack(void *context, int32_t k, RecordedStep *step) {
  HeartOutput *o = context;
  Columns *columns = &o->run->report->columns;
  const Slot *slot = &o->slot[k];
  const void *host;
  TRY(exec_snapshot_wait(slot->snapshot, &host));
  const double *at = host;
  heart_watch_fill(o->watch, at, columns);
  at += heart_watch_numbers(o->watch);
  output_note_expected(o->run, step->time);
  if (!step->stored) return OK;
  memset(o->value, 0, sizeof o->value);
  int32_t n = 0;
  for (int f = 0; f < N_HEART_FIELDS; ++f)
    if (asked(o->run->c, f)) {
      o->value[n++] = diffusion_in_mesh_order(o->heart->diffusion, at, o->room[f]);
      at += o->heart->n;
    }
  if (slot->maps) unpack_maps(o, at, n);
  if (slot->ruled) {
    const Setup *setup = o->heart->setup;
    const double **ruled = o->value + o->n_field - RULED;
    ruled[0] = setup->fiber[0], ruled[1] = setup->sheet[0], ruled[2] = setup->transmural;
  }
  step->value = o->value;
  step->column = columns->value;
  return OK;
}

/* ---- in the loop ---- */

static Status start_recorder(HeartOutput *o) {
  const RecorderParams params = {.folder = o->run->params->folder,
                                 .n_slot = o->n_slot,
                                 .n_history = HISTORY,
                                 .history = history_name,
                                 .context = o,
                                 .unpack = unpack};
  return recorder_create(&params, &o->writer, &o->probes, &o->recorder);
}

Status heart_output_create(Run *run, Heart *heart, HeartOutput **out) {
  *out = NULL;
  HeartOutput *o = NULL;
  ALLOC(o, 1, "the output");
  o->run = run, o->heart = heart, o->want_maps = true;
  list_fields(o);
  Status status = take_arrays(o);
  if (status == OK) status = open_files(o);
  if (status == OK) status = start_recorder(o);
  if (status != OK) heart_output_close(&o);
  *out = o;
  return status;
}

Status heart_output_close(HeartOutput **output) {
  HeartOutput *o = *output;
  if (!o) return OK;
  const bool recorded = o->recorder != NULL;
  Status status = recorder_close(&o->recorder, &o->writer, &o->probes);
  if (status == OK && recorded && writer_steps(o->writer) > 0) status = output_timing(o->writer, o->run->report);
  const Status closed = output_close(&o->writer, &o->probes);
  for (int32_t k = 0; o->slot && k < o->n_slot; ++k) exec_snapshot_destroy(&o->slot[k].snapshot);
  FREE(o->slot);
  heart_watch_destroy(&o->watch);
  for (int k = 0; k < FIELDS; ++k) FREE(o->room[k]);
  FREE(*output);
  return status != OK ? status : closed;
}

Status heart_output_finish(HeartOutput *o) { return recorder_finish(o->recorder); }

Recorder *heart_output_recorder(HeartOutput *o) { return o->recorder; }

void heart_output_want_maps(HeartOutput *o) { o->want_maps = true; }

Status heart_output_note(HeartOutput *o, double time) {
  const Case *c = o->run->c;
  bool any = false;
  for (int32_t i = 0; i < c->expect.n; ++i) {
    const NumberValue *at = &case_expect(c, i)->time;
    any |= place_given(at->place) && fabs(at->value - time) <= 1e-9 * c->time.end.value;
  }
  if (!any) return OK;
  int32_t k;
  TRY(recorder_take(o->recorder, &k));
  ExecSnapshot *snapshot = o->slot[k].snapshot;
  TRY(heart_watch_sample(o->watch, exec_snapshot_room(snapshot)));
  TRY(exec_snapshot_send(snapshot, (size_t)heart_watch_numbers(o->watch) * sizeof(double)));
  recorder_look(o->recorder, time);
  return OK;
}

/* Has the Exec write what is stored of now; *end is behind it. */
static Status take_fields(HeartOutput *o, bool maps, double *at, double **end) {
  Heart *h = o->heart;
  const Case *c = o->run->c;
  const size_t bytes = (size_t)h->n * sizeof *at;
  TRY(heart_watch_sample(o->watch, at));
  at += heart_watch_numbers(o->watch);
  if (asked(c, HEART_POTENTIAL)) {
    TRY(exec_copy(h->exec, at, h->V, bytes));
    at += h->n;
  }
  for (int k = HEART_STATE; k < N_HEART_FIELDS; ++k)
    if (asked(c, k)) {
      TRY(monodomain_state(h->monodomain, (IonicStateName)(k - HEART_STATE), at));
      at += h->n;
    }
  const double *from[] = {activation_times(h->maps), activation_ends(h->maps)};
  for (int k = 0; maps && k < vectors_of_maps(c); ++k, at += h->n) TRY(exec_copy(h->exec, at, from[k], bytes));
  *end = at;
  return OK;
}

static Status add_history(HeartOutput *o, double time) {
  const RunReport *report = o->run->report;
  const double row[HISTORY] = {time,
                               (double)report->steps,
                               (double)report->newton,
                               (double)report->linear.products,
                               (double)report->rejected,
                               report->last_step,
                               report->linear.true_residual};
  return recorder_history(o->recorder, row);
}

Status heart_output_store(HeartOutput *o, double time) {
  int32_t k;
  TRY(recorder_take(o->recorder, &k));
  Slot *slot = &o->slot[k];
  double *room = exec_snapshot_room(slot->snapshot), *end;
  slot->maps = o->want_maps;
  slot->ruled = o->want_ruled;
  TRY(take_fields(o, slot->maps, room, &end));
  TRY(exec_snapshot_send(slot->snapshot, (size_t)(end - room) * sizeof *room));
  TRY(add_history(o, time));
  recorder_step(o->recorder, time);
  o->want_maps = o->want_ruled = false;
  return OK;
}
