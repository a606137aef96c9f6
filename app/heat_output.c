/* Files of a heat run. */
#include "app/heat_output.h"
#include "app/heat_columns.h"
#include "app/output_files.h"
#include "core/memory.h"

#include <math.h>

struct HeatOutput {
  Run *run;
  const Setup *setup;
  Diffusion *diffusion;
  Writer *writer;
  ProbeFile *probes;
  unsigned needed;      /* DIFFUSION_FIELD_... */
  double *temperature;  /* owned, [n_node] */
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

static Status open_files(HeatOutput *o, bool resumed, double time) {
  const Case *c = o->run->c;
  const RunParams *run = o->run->params;
  Columns *columns = &o->run->report->columns;
  if (c->output.fields.mask >> HEAT_TEMPERATURE & 1) o->field[o->n_field++] = (WriterField){"temperature", false, 1, false};
  if (c->output.fields.mask >> HEAT_FLUX & 1) o->field[o->n_field++] = (WriterField){"flux", true, 3, false};
  const bool timed = place_given(c->time.place);
  const double steps = timed ? c->time.end.value / c->time.step.value : 1;
  const WriterParams params = {.folder = run->folder,
                               .mesh = o->run->mesh,
                               .n_field = o->n_field,
                               .field = o->field,
                               .n_step = stored_most(c),
                               .overwrite = !resumed && (run->overwrite || run->resume),
                               .resume = resumed,
                               .version = sinew_version(),
                               .commit = sinew_commit(),
                               .case_text = c->text,
                               .device = o->run->report->device,
                               .precision = o->run->report->precision,
                               .units = c->units.text,
                               .n_history = timed ? HISTORY : 0,
                               .history = history_name,
                               .n_history_row = steps < 1e6 ? (int64_t)steps + 4096 : 1000000,
                               .mesh_hash = mesh_hash(o->run->mesh)};
  TRY(writer_create(&params, &o->writer));
  TRY(output_probes(run->folder, "time", columns, resumed, &o->probes));
  if (!resumed) return OK;
  TRY(writer_rewind(o->writer, time));
  return probe_file_rewind(o->probes, time);
}

static Status take_arrays(HeatOutput *o) {
  RunReport *report = o->run->report;
  ALLOC(o->temperature, o->run->mesh->n_node, "temperature");
  ALLOC(report->at_time, o->run->c->expect.n, "expected values");
  for (int32_t i = 0; i < o->run->c->expect.n; ++i) report->at_time[i] = (double)NAN;
  return heat_columns_create(o->run->c, &report->columns);
}

Status heat_output_create(Run *run, const Setup *setup, Diffusion *diffusion, bool resumed, double time,
                          HeatOutput **out) {
  *out = NULL;
  HeatOutput *o = NULL;
  ALLOC(o, 1, "the output");
  o->run = run, o->setup = setup, o->diffusion = diffusion;
  o->needed = heat_fields_needed(run->c);
  Status status = take_arrays(o);
  if (status == OK) status = open_files(o, resumed, time);
  if (status != OK) heat_output_close(&o);
  *out = o;
  return status;
}

Status heat_output_close(HeatOutput **output) {
  HeatOutput *o = *output;
  if (!o) return OK;
  Status status = OK;
  if (o->writer && writer_steps(o->writer) > 0) status = output_timing(o->writer, o->run->report);
  const Status probes = probe_file_close(&o->probes), file = writer_close(&o->writer);
  FREE(o->temperature);
  FREE(*output);
  return status != OK ? status : probes != OK ? probes : file;
}

bool heat_output_needs_rate(const HeatOutput *output) {
  return output->needed & DIFFUSION_FIELD_REACTION;
}

Status heat_output_store(HeatOutput *o, double time, const double *u, const double *rate) {
  const Case *c = o->run->c;
  DiffusionFields fields = {0};
  const double *value[N_HEAT_FIELDS];
  int32_t n = 0;
  Status status;
  TRY_DONE(diffusion_download(o->diffusion, u, o->temperature));
  if (o->needed) TRY_DONE(diffusion_recover(o->diffusion, time, u, rate, o->needed, &fields));
  const HeatState state = {
      .time = time, .temperature = o->temperature, .flux = (const double(*)[3])fields.flux, .reaction = fields.reaction};
  TRY_DONE(heat_columns_fill(c, o->run->mesh, o->setup, &state, &o->run->report->columns));
  output_note_expected(o->run, time);
  if (c->output.fields.mask >> HEAT_TEMPERATURE & 1) value[n++] = o->temperature;
  if (c->output.fields.mask >> HEAT_FLUX & 1) value[n++] = &fields.flux[0][0];
  status = probe_file_row(o->probes, time, o->run->report->columns.value);
  if (status == OK) status = writer_step(o->writer, time, value);
done:
  diffusion_fields_release(&fields);
  return status;
}

Status heat_output_step(HeatOutput *o, double time, double dt, int32_t rejected, const LinearReport *linear) {
  const double values[] = {time,
                           dt,
                           rejected,
                           (double)linear->iterations,
                           (double)linear->products,
                           linear->restarts,
                           linear->true_residual};
  return writer_history(o->writer, HISTORY, history_name, values);
}
