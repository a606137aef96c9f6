/* Files of a heart run: results.hdf, probes.csv, and the rows of `expect:` that name a time. */
#include "app/expect.h"
#include "app/heart.h"
#include "app/output_files.h"
#include "core/memory.h"

#include <math.h>

enum { FIELDS = N_HEART_FIELDS + N_HEART_MAPS, RULED = 3 /* fiber, sheet, transmural */ };

struct HeartOutput {
  Run *run;
  Heart *heart;
  HeartWatch *watch;
  Writer *writer;
  ProbeFile *probes;
  int32_t n_field;
  WriterField field[FIELDS + RULED];
  double *value[FIELDS]; /* owned, [n_node], one per field of the file that is not RULED */
  double *end;           /* owned, [n_node], where the duration is asked for */
  bool want_maps;
  bool want_ruled; /* fibres by rule are still to be written */
  bool whole; /* made without a failure */
};

#define IONIC_STATE(id, name) name,
static const char *const field_name[FIELDS] = {"potential",
#include "physics/ionic_states.def"
                                               "activation", "repolarization", "apd"};
#undef IONIC_STATE

static bool asked(const Case *c, int which) {
  const uint32_t mask = which < N_HEART_FIELDS ? c->output.fields.mask >> which : c->output.maps.mask >> (which - N_HEART_FIELDS);
  return mask & 1;
}

/* t = 0, the end, every multiple between. */
static int64_t stored_most(const Case *c) {
  return (int64_t)floor(c->time.end.value / case_every(c) * (1 + 1e-9)) + 3;
}

bool heart_output_due(const Case *c, double time) {
  const double every = case_every(c), end = c->time.end.value;
  return fabs(time - end) <= 1e-9 * end || fabs(time - every * round(time / every)) <= 1e-9 * end;
}

static Status open_writer(HeartOutput *o, bool resumed) {
  static const char *const history[] = {"time", "steps", "newton", "products", "rejected", "dt", "residual"};
  const Case *c = o->run->c;
  const RunParams *run = o->run->params;
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
                               .units = c->units.text ? c->units.text : "mm ms mV",
                               .mesh_hash = mesh_hash(o->run->mesh),
                               .n_history = 7,
                               .history = history,
                               .n_history_row = stored_most(c)};
  return writer_create(&params, &o->writer);
}

static Status open_files(HeartOutput *o, bool resumed, double time) {
  TRY(open_writer(o, resumed));
  TRY(output_probes(o->run->params->folder, "time", &o->run->report->columns, resumed, &o->probes));
  if (!resumed) return OK;
  TRY(writer_rewind(o->writer, time));
  return probe_file_rewind(o->probes, time);
}

static Status take_arrays(HeartOutput *o) {
  const Case *c = o->run->c;
  RunReport *report = o->run->report;
  const int32_t n = o->run->mesh->n_node;
  for (int k = 0; k < FIELDS; ++k) {
    if (!asked(c, k)) continue;
    ALLOC(o->value[o->n_field], n, "fields of the output");
    o->field[o->n_field++] =
        (WriterField){.name = field_name[k], .n_component = 1, .once = k >= N_HEART_FIELDS};
  }
  o->want_ruled = o->heart->setup->fiber != NULL;
  if (o->want_ruled) {
    o->field[o->n_field++] = (WriterField){.name = "fiber", .n_component = 3, .once = true};
    o->field[o->n_field++] = (WriterField){.name = "sheet", .n_component = 3, .once = true};
    o->field[o->n_field++] = (WriterField){.name = "transmural", .n_component = 1, .once = true};
  }
  if (asked(c, N_HEART_FIELDS + HEART_APD)) ALLOC(o->end, n, "fields of the output");
  ALLOC(report->at_time, c->expect.n, "expected values");
  for (int32_t i = 0; i < c->expect.n; ++i) report->at_time[i] = (double)NAN;
  return heart_watch_create(o->heart, &report->columns, &o->watch);
}

Status heart_output_create(Run *run, Heart *heart, bool resumed, double time, HeartOutput **out) {
  *out = NULL;
  HeartOutput *o = NULL;
  ALLOC(o, 1, "the output");
  o->run = run, o->heart = heart, o->want_maps = true;
  Status status = take_arrays(o);
  if (status == OK) status = open_files(o, resumed, time);
  if (status == OK) o->whole = true;
  else heart_output_close(&o);
  *out = o;
  return status;
}

Status heart_output_close(HeartOutput **output) {
  HeartOutput *o = *output;
  if (!o) return OK;
  Status status = OK;
  if (o->whole && writer_steps(o->writer) > 0) status = output_timing(o->writer, o->run->report);
  const Status probes = probe_file_close(&o->probes), file = writer_close(&o->writer);
  heart_watch_destroy(&o->watch);
  for (int k = 0; k < FIELDS; ++k) FREE(o->value[k]);
  FREE(o->end);
  FREE(*output);
  return status != OK ? status : probes != OK ? probes : file;
}

void heart_output_want_maps(HeartOutput *o) {
  o->want_maps = true;
}

Status heart_output_note(HeartOutput *o, double time) {
  const Case *c = o->run->c;
  bool any = false;
  for (int32_t i = 0; i < c->expect.n; ++i) {
    const NumberValue *at = &case_expect(c, i)->time;
    any |= place_given(at->place) && fabs(at->value - time) <= 1e-9 * c->time.end.value;
  }
  if (!any) return OK;
  TRY(heart_watch_fill(o->watch, &o->run->report->columns));
  output_note_expected(o->run, time);
  return OK;
}

/* The k-th of all fields to the host. */
static Status fetch(HeartOutput *o, int k, double *out) {
  Heart *h = o->heart;
  if (k >= HEART_STATE && k < N_HEART_FIELDS) {
    TRY(monodomain_state(h->monodomain, (IonicStateName)(k - HEART_STATE), h->work));
    return diffusion_download(h->diffusion, h->work, out);
  }
  switch (k) {
  case HEART_POTENTIAL:
    return diffusion_download(h->diffusion, h->V, out);
  case N_HEART_FIELDS + HEART_REPOLARIZATION:
    return diffusion_download(h->diffusion, activation_ends(h->maps), out);
  case N_HEART_FIELDS + HEART_APD:
    TRY(diffusion_download(h->diffusion, activation_times(h->maps), out));
    TRY(diffusion_download(h->diffusion, activation_ends(h->maps), o->end));
    for (int32_t i = 0; i < o->run->mesh->n_node; ++i) out[i] = out[i] < 0 || o->end[i] < 0 ? -1 : o->end[i] - out[i];
    return OK;
  default:
    return diffusion_download(h->diffusion, activation_times(h->maps), out);
  }
}

Status heart_output_store(HeartOutput *o, double time) {
  const Case *c = o->run->c;
  const double *value[FIELDS + RULED] = {NULL};
  int32_t n = 0;
  for (int k = 0; k < FIELDS; ++k) {
    if (!asked(c, k)) continue;
    if (k < N_HEART_FIELDS || o->want_maps) {
      TRY(fetch(o, k, o->value[n]));
      value[n] = o->value[n];
    }
    ++n;
  }
  if (o->want_ruled) {
    const Setup *setup = o->heart->setup;
    value[n] = setup->fiber[0], value[n + 1] = setup->sheet[0], value[n + 2] = setup->transmural;
  }
  o->want_maps = o->want_ruled = false;
  TRY(heart_watch_fill(o->watch, &o->run->report->columns));
  output_note_expected(o->run, time);
  TRY(probe_file_row(o->probes, time, o->run->report->columns.value));
  static const char *const names[] = {"time", "steps", "newton", "products", "rejected", "dt", "residual"};
  const RunReport *report = o->run->report;
  const double row[] = {time,
                        (double)report->steps,
                        (double)report->newton,
                        (double)report->linear.products,
                        (double)report->rejected,
                        report->last_step,
                        report->linear.true_residual};
  TRY(writer_history(o->writer, 7, names, row));
  return writer_step(o->writer, time, value);
}
