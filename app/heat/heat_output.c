/* Files of a heat run. In the loop a stored time is a copy of the temperature on the Exec, and where they are asked for
 * fluxes and reactions; all else is done by the recorder's thread (`unpack`). */
#include "app/heat/heat_output.h"
#include "app/heat/heat_columns.h"
#include "app/run/output_files.h"
#include "core/memory.h"

#include <math.h>

/* A slot of the recorder. */
typedef struct Slot {
  ExecSnapshot *temperature; /* owned */
  DiffusionFields fields;    /* owned, in mesh order */
} Slot;

struct HeatOutput {
  Run *run;
  const Setup *setup;
  Diffusion *diffusion;
  Writer *writer; /* owned, as are the next two; the recorder has them while it is there */
  ProbeFile *probes;
  Recorder *recorder;
  unsigned needed; /* DIFFUSION_FIELD_... */
  int32_t n_slot;
  Slot *slot; /* owned, [n_slot] */
  /* the thread's, as are the report's columns and values of `expect:` */
  double *room;                       /* owned, [n_node]: the temperature in mesh order */
  const double *value[N_HEAT_FIELDS]; /* of the step that is written */
  int32_t n_field;
  WriterField field[N_HEAT_FIELDS];
};

/* t = 0, the end, every multiple between, and the times of `expect:`. */
static int64_t stored_most(const Case *c) {
  if (!place_given(c->time.place)) return 1;
  return (int64_t)floor(c->time.end.value / case_every(c) * (1 + 1e-9)) + 3 + c->expect.n;
}

static const char *const history_name[] = {"time",     "dt",       "rejected",     "iterations",
                                           "products", "restarts", "true_residual"};
enum { HISTORY = (int)(sizeof history_name / sizeof *history_name) };

static Status open_files(HeatOutput *o) {
  const Case *c = o->run->c;
  if (c->output.fields.mask >> HEAT_TEMPERATURE & 1)
    o->field[o->n_field++] = (WriterField){.name = "temperature", .n_component = 1};
  if (c->output.fields.mask >> HEAT_FLUX & 1)
    o->field[o->n_field++] = (WriterField){.name = "flux", .on_cells = true, .n_component = 3};
  const bool timed = place_given(c->time.place);
  const double steps = timed ? c->time.end.value / c->time.step.value : 1;
  const WriterParams params = {.n_field = o->n_field,
                               .field = o->field,
                               .n_step = stored_most(c),
                               .n_history = timed ? HISTORY : 0,
                               .history = history_name,
                               .n_history_row = steps < 1e6 ? (int64_t)steps + 4096 : 1000000};
  TRY(output_writer(o->run, o->setup, &params, &o->writer));
  return output_probes(o->run, "time", &o->probes);
}

int64_t heat_output_bytes(int64_t n_node) { return n_node * (int64_t)sizeof(double); }

static Status take_arrays(HeatOutput *o) {
  RunReport *report = o->run->report;
  const int64_t n = o->run->mesh->n_node;
  Exec *exec = o->run->machine.exec;
  ALLOC(o->room, n, "temperature");
  ALLOC(report->at_time, o->run->c->expect.n, "expected values");
  for (int32_t i = 0; i < o->run->c->expect.n; ++i) report->at_time[i] = (double)NAN;
  o->n_slot = recorder_slots(heat_output_bytes(n));
  ALLOC(o->slot, o->n_slot, "slots of the output");
  for (int32_t k = 0; k < o->n_slot; ++k)
    TRY(exec_snapshot_create(exec, (size_t)heat_output_bytes(n), "results on their way to the files",
                             &o->slot[k].temperature));
  return heat_columns_create(o->run->c, &report->columns);
}

static Status unpack(void *context, int32_t k, RecordedStep *step) {
  HeatOutput *o = context;
  const Case *c = o->run->c;
  Slot *slot = &o->slot[k];
  DiffusionFields *fields = &slot->fields;
  const void *host;
  TRY(exec_snapshot_wait(slot->temperature, &host));
  const HeatState state = {.time = step->time,
                           .temperature = diffusion_in_mesh_order(o->diffusion, host, o->room),
                           .flux = (const double(*)[3])fields->flux,
                           .reaction = fields->reaction};
  TRY(heat_columns_fill(c, o->run->mesh, o->setup, &state, &o->run->report->columns));
  output_note_expected(o->run, step->time);
  int32_t n = 0;
  if (c->output.fields.mask >> HEAT_TEMPERATURE & 1) o->value[n++] = state.temperature;
  if (c->output.fields.mask >> HEAT_FLUX & 1) o->value[n++] = &fields->flux[0][0];
  step->value = o->value;
  step->column = o->run->report->columns.value;
  return OK;
}

static Status start_recorder(HeatOutput *o) {
  const RecorderParams params = {.folder = o->run->params->folder,
                                 .n_slot = o->n_slot,
                                 .n_history = HISTORY,
                                 .history = history_name,
                                 .context = o,
                                 .unpack = unpack};
  return recorder_create(&params, &o->writer, &o->probes, &o->recorder);
}

Status heat_output_create(Run *run, const Setup *setup, Diffusion *diffusion, HeatOutput **out) {
  *out = NULL;
  HeatOutput *o = NULL;
  ALLOC(o, 1, "the output");
  o->run = run, o->setup = setup, o->diffusion = diffusion;
  o->needed = heat_fields_needed(run->c);
  Status status = take_arrays(o);
  if (status == OK) status = open_files(o);
  if (status == OK) status = start_recorder(o);
  if (status != OK) heat_output_close(&o);
  *out = o;
  return status;
}

Status heat_output_close(HeatOutput **output) {
  HeatOutput *o = *output;
  if (!o) return OK;
  const bool recorded = o->recorder != NULL;
  Status status = recorder_close(&o->recorder, &o->writer, &o->probes);
  if (status == OK && recorded && writer_steps(o->writer) > 0) status = output_timing(o->writer, o->run->report);
  const Status closed = output_close(&o->writer, &o->probes);
  for (int32_t k = 0; o->slot && k < o->n_slot; ++k) {
    exec_snapshot_destroy(&o->slot[k].temperature);
    diffusion_fields_release(&o->slot[k].fields);
  }
  FREE(o->slot);
  FREE(o->room);
  FREE(*output);
  return status != OK ? status : closed;
}

Status heat_output_finish(HeatOutput *o) { return recorder_finish(o->recorder); }

Recorder *heat_output_recorder(HeatOutput *o) { return o->recorder; }

bool heat_output_needs_rate(const HeatOutput *output) { return output->needed & DIFFUSION_FIELD_REACTION; }

Status heat_output_store(HeatOutput *o, double time, const double *u, const double *rate) {
  int32_t k;
  TRY(recorder_take(o->recorder, &k));
  Slot *slot = &o->slot[k];
  const size_t bytes = (size_t)heat_output_bytes(o->run->mesh->n_node);
  TRY(exec_copy(o->run->machine.exec, exec_snapshot_room(slot->temperature), u, bytes));
  TRY(exec_snapshot_send(slot->temperature, bytes));
  diffusion_fields_release(&slot->fields);
  if (o->needed) TRY(diffusion_recover(o->diffusion, time, u, rate, o->needed, &slot->fields));
  recorder_step(o->recorder, time);
  return OK;
}

Status heat_output_step(HeatOutput *o, double time, double dt, int32_t rejected, const LinearReport *linear) {
  const double values[] = {time,
                           dt,
                           rejected,
                           (double)linear->iterations,
                           (double)linear->products,
                           linear->restarts,
                           linear->true_residual};
  return recorder_history(o->recorder, values);
}
