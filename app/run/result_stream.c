/* See result_stream.h. */
#include "app/run/result_stream.h"
#include "app/report/expect.h"
#include "app/run/output_files.h"
#include "app/run/ranks.h"
#include "app/run/tables.h"
#include "app/input/physics.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>

/* A slot of the recorder's ring; the only one of a stream that is not recorded. */
typedef struct Slot {
  ExecSnapshot *snapshot; /* owned; NULL: nothing is taken from the Exec */
  double *whole;          /* owned, on rank 0 of several: the snapshots of all, in the mesh's order */
  bool fields;            /* are in it, else a sample alone */
  bool request, first;    /* fields that are kept once are among it */
} Slot;

struct ResultStream {
  Run *run;
  StreamParams params;
  StreamField *field; /* owned, [n_field] */
  Writer *writer;     /* owned, as are the next two; the recorder has them while it is there */
  ProbeFile *probes;
  TextFile tables; /* of params.tables */
  Recorder *recorder;
  int32_t n_slot;
  Slot *slot;          /* owned, [n_slot] */
  bool request, first; /* of the next stored time */
  bool placed;         /* its fields are in the file already */
  /* of the thread that writes, which is the recorder's thread while there is one */
  int64_t n_stored;      /* so far */
  double *column;        /* owned, [columns] */
  double *expected;      /* owned, [rows of expect:] */
  double **room;         /* owned, [n_field], arrays too */
  const double **taken;  /* owned, [n_field], as is the next */
  const double **value;  /* fields in the mesh's order */
  const double **stored; /* owned, [n_field]: those of the file */
};

/* What a field has taken, brought together from all ranks: an array of nodes or solved elements of the mesh. */
static int64_t whole_numbers(const Run *run, const StreamField *f) {
  if (!run->share || !f->n_taken) return f->n_taken;
  return (int64_t)f->n_component * (f->on_cells ? run->report->n_element : run->report->n_node);
}

/* Of a stored time, or of samples, on its way to the files: on the Exec and on the host, in each slot. */
static int64_t snapshot_bytes(const StreamParams *p) {
  int64_t number = p->n_sample;
  for (int32_t f = 0; f < p->n_field; ++f) number += p->field[f].n_taken;
  const int64_t ring = p->n_ring * p->n_sample;
  return (number > ring ? number : ring) * (int64_t)sizeof(double);
}

static int32_t stream_slots(const Run *run, const StreamParams *params) {
  const double bytes = exec_whole(run->device.exec, (double)snapshot_bytes(params));
  return params->recorded ? recorder_slots((int64_t)bytes) : 1;
}

int64_t result_steps_most(const Case *c) { return (int64_t)floor(case_stored(c) * (1 + 1e-9)) + 3; }

int64_t result_history_most(const Case *c) {
  const double steps = case_step_count(c);
  return steps < 1e6 ? (int64_t)steps + 4096 : 1000000;
}

const double *result_field_taken(void *context, const StreamMoment *m, int32_t f, double *room) {
  (void)context, (void)room;
  return m->taken[f];
}

static void column_add(Columns *columns, const char *name) {
  snprintf(columns->name[columns->n++], COLUMN_BYTES, "%s", name);
}

Status columns_create(const Case *c, Columns *out) {
  const CaseOutput *o = &c->output;
  int64_t n = (int64_t)o->probes.n + case_leads(c) + o->velocity.n;
  char name[COLUMN_BYTES];
  for (int32_t i = 0; i < o->sums.n; ++i) n += sum_columns(c, case_sum(c, i));
  ALLOC(out->name, n, "columns");
  ALLOC(out->value, n, "columns");
  for (int32_t i = 0; i < o->probes.n; ++i) column_add(out, case_probe(c, i)->name.text);
  for (int32_t i = 0; i < o->sums.n; ++i)
    for (int k = 0; k < sum_columns(c, case_sum(c, i)); ++k)
      column_add(out, sum_column(c, case_sum(c, i), k, name, sizeof name));
  for (int32_t i = 0; i < case_leads(c); ++i) column_add(out, case_lead_title(c, i)->text);
  for (int32_t i = 0; i < o->velocity.n; ++i) column_add(out, case_velocity(c, i)->name.text);
  return OK;
}

double location_value(const Mesh *mesh, const Location *at, const double *nodal, int32_t stride) {
  if (at->node >= 0) return nodal[(int64_t)at->node * stride];
  const ElementType *type = element_type(mesh_block_of(mesh, at->element)->kind);
  const int32_t *nodes = mesh_nodes_of(mesh, at->element);
  double N[ELEMENT_MAX_NODES], value = 0;
  type->values(at->xi, N);
  for (int32_t a = 0; a < type->n_node; ++a) value += N[a] * nodal[(int64_t)nodes[a] * stride];
  return value;
}

double field_at(const Mesh *mesh, const Location *at, const FieldType *type, int32_t component, const double *value) {
  if (field_at_nodes(type)) return location_value(mesh, at, value + component, type->width);
  return value[(int64_t)(at->element - setup_first_solved(mesh)) * type->width + component];
}

StreamField stream_field(const FieldType *type, bool wanted) {
  return (StreamField){.name = type->word,
                       .wanted = wanted,
                       .on_cells = !field_at_nodes(type),
                       .n_component = type->width,
                       .unit = type->unit};
}

/* ---- where the files are written: on the recorder's thread, if there is one ---- */

static bool field_is_due(const Slot *slot, const StreamField *f) {
  return f->when == STREAM_EACH || (f->when == STREAM_REQUEST ? slot->request : slot->first);
}

/* Does the row name this time, this frequency, this mode or the load case of this step? */
static bool expect_is_at(const Case *c, const CaseExpect *row, double at, int64_t mode) {
  if (!expect_column(row)) return false;
  if (place_given(row->time.place)) return fabs(row->time.value - at) <= 1e-9 * c->time.end.value;
  if (row->load_case.text) return at == case_load_step_find(c, row->load_case.text);
  if (place_given(row->mode.place)) return row->mode.value == mode;
  return place_given(row->frequency.place) && fabs(row->frequency.value - at) <= 1e-9 * at;
}

static void note_expected(ResultStream *s, double time) {
  const Case *c = s->run->c;
  const Columns now = {s->run->report->columns.n, s->run->report->columns.name, s->column};
  for (int32_t i = 0; i < c->expect.n; ++i)
    if (expect_is_at(c, case_expect(c, i), time, s->n_stored))
      s->expected[i] = column_value(&now, expect_column(case_expect(c, i)));
}

static void unpack_fields(ResultStream *s, const Slot *slot, const StreamMoment *m) {
  const double *at = m->sample ? m->sample + s->params.n_sample : NULL;
  for (int32_t f = 0; f < s->params.n_field; ++f) {
    const bool taken = field_is_due(slot, &s->field[f]) && s->field[f].n_taken;
    s->taken[f] = taken ? at : NULL;
    if (taken) at += whole_numbers(s->run, &s->field[f]);
  }
  int32_t n = 0;
  for (int32_t f = 0; f < s->params.n_field; ++f) {
    const StreamField *field = &s->field[f];
    const bool due = field->unpack && field_is_due(slot, field);
    s->value[f] = due ? field->unpack(s->params.context, m, f, s->room[f]) : NULL;
    if (field->wanted) s->stored[n++] = s->value[f];
  }
}

static Status moment_unpack(void *context, int32_t k, RecordedStep *step) {
  ResultStream *s = context;
  const Slot *slot = &s->slot[k];
  const void *host = slot->whole;
  if (slot->snapshot && !host) TRY(exec_snapshot_wait(slot->snapshot, &host));
  const double *sample = host ? (const double *)host + step->sample * s->params.n_sample : NULL;
  const StreamMoment moment = {step->time, step->stored, sample, s->taken, s->value};
  if (slot->fields) unpack_fields(s, slot, &moment);
  s->n_stored += step->stored;
  if (s->run->rehearsed) return OK; /* a sample has neither the places nor the groups of columns and tables */
  TRY(s->params.columns(s->params.context, &moment, s->column));
  note_expected(s, step->time);
  step->value = s->stored;
  step->column = s->column;
  return OK;
}

static Status moment_write(ResultStream *s, int32_t k, double time) {
  RecordedStep step = {.time = time, .stored = true};
  TRY(moment_unpack(s, k, &step));
  if (!s->writer) return OK;
  TRY(probe_file_row(s->probes, time, step.column));
  const bool placed = s->placed;
  s->placed = false;
  return writer_step(s->writer, time, placed ? NULL : step.value);
}

/* ---- in the loop ---- */

Status result_writer(Run *run, const Setup *setup, const StreamParams *p, Writer **out) {
  WriterField *field = NULL;
  Status status = OK;
  Units units;
  const char **name = NULL;
  const int32_t n_name = case_load_steps(run->c);
  TRY(mem_alloc(n_name, sizeof *name, "names of load cases", (void **)(void *)&name));
  for (int32_t k = 0; k < n_name; ++k) name[k] = case_load_step(run->c, k + 1)->text;
  WriterParams params = {.n_step = p->n_step,
                         .n_load_case = n_name,
                         .load_case = name,
                         .axis = p->first ? p->first : "time",
                         .units = run->c->units.text ? run->c->units.text : run->c->physics->units,
                         .n_history = p->n_history,
                         .history = p->history,
                         .n_history_row = p->n_history_row};
  units_of_case(run->c, &units);
  ALLOC_DONE(field, p->n_field, "the fields of the result file");
  params.field = field;
  for (int32_t f = 0; f < p->n_field; ++f)
    if (p->field[f].wanted)
      field[params.n_field++] = (WriterField){.name = p->field[f].name,
                                              .on_cells = p->field[f].on_cells,
                                              .n_component = p->field[f].n_component,
                                              .unit = units_text(&units, p->field[f].unit),
                                              .once = p->field[f].when != STREAM_EACH};
  status = output_writer(run, setup, &params, out);
done:
  FREE(field);
  mem_free((void **)(void *)&name);
  return status;
}

static Status tables_sync(void *context, int64_t *n_byte, uint64_t *sum) {
  ResultStream *s = context;
  return text_file_sync(&s->tables, s->params.tables, n_byte, sum);
}

static Status files_open(ResultStream *s, const Setup *setup) {
  if (!s->writer) TRY(result_writer(s->run, setup, &s->params, &s->writer));
  if (s->params.tables) TRY(tables_open(s->run, &s->tables, s->params.tables));
  return output_probes(s->run, s->params.first, &s->probes);
}

static Status arrays_alloc(ResultStream *s) {
  const StreamParams *p = &s->params;
  RunReport *report = s->run->report;
  const int32_t n = p->n_field, n_expect = s->run->c->expect.n;
  TRY(columns_create(s->run->c, &report->columns));
  ALLOC(report->at_time, n_expect, "expected values");
  ALLOC(s->column, report->columns.n, "columns");
  ALLOC(s->expected, n_expect, "expected values");
  for (int32_t i = 0; i < n_expect; ++i) s->expected[i] = report->at_time[i] = (double)NAN;
  ALLOC(s->field, n, "the fields of the result file");
  for (int32_t f = 0; f < n; ++f) s->field[f] = p->field[f];
  s->params.field = s->field;
  TRY(mem_alloc(n, sizeof *s->taken, "fields of the output", (void **)(void *)&s->taken));
  TRY(mem_alloc(n, sizeof *s->value, "fields of the output", (void **)(void *)&s->value));
  TRY(mem_alloc(n, sizeof *s->stored, "fields of the output", (void **)(void *)&s->stored));
  TRY(mem_alloc(n, sizeof *s->room, "fields of the output", (void **)(void *)&s->room));
  for (int32_t f = 0; f < n; ++f)
    if (s->field[f].n_room) ALLOC(s->room[f], s->field[f].n_room, "fields of the output");
  s->n_slot = stream_slots(s->run, p);
  ALLOC(s->slot, s->n_slot, "slots of the output");
  for (int32_t k = 0; snapshot_bytes(p) && k < s->n_slot; ++k)
    TRY(exec_snapshot_create(s->run->device.exec, (size_t)snapshot_bytes(p), "results on their way to the files",
                             &s->slot[k].snapshot));
  int64_t numbers = p->n_sample;
  for (int32_t f = 0; f < n; ++f) numbers += whole_numbers(s->run, &p->field[f]);
  for (int32_t k = 0; s->run->share && run_is_root(s->run) && k < s->n_slot; ++k)
    ALLOC(s->slot[k].whole, numbers, "results on their way to the files");
  return OK;
}

static Status recorder_start(ResultStream *s) {
  const RecorderParams params = {.folder = s->run->params->folder,
                                 .n_slot = s->n_slot,
                                 .n_sample = (int32_t)s->params.n_ring,
                                 .n_history = s->params.n_history,
                                 .history = s->params.history,
                                 .context = s,
                                 .unpack = moment_unpack,
                                 .sync = s->params.tables ? tables_sync : NULL};
  return recorder_create(&params, &s->writer, &s->probes, &s->recorder);
}

Status result_stream_create(Run *run, const Setup *setup, const StreamParams *params, ResultStream **out) {
  *out = NULL;
  ResultStream *s = NULL;
  Writer *made = params->writer;
  Status status = mem_alloc(1, sizeof *s, "the output", (void **)&s);
  if (status != OK) writer_close(&made);
  TRY(status);
  s->run = run, s->params = *params, s->writer = made;
  s->request = s->first = true;
  status = arrays_alloc(s);
  const bool writes = !run->rehearsed && run_is_root(run);
  if (status == OK && writes) status = files_open(s, setup);
  if (status == OK && writes && params->recorded) status = recorder_start(s);
  if (status != OK) result_stream_close(&s);
  *out = s;
  return status;
}

static void stream_release(ResultStream **stream) {
  ResultStream *s = *stream;
  for (int32_t k = 0; s->slot && k < s->n_slot; ++k) {
    exec_snapshot_destroy(&s->slot[k].snapshot);
    FREE(s->slot[k].whole);
  }
  for (int32_t f = 0; s->room && f < s->params.n_field; ++f) FREE(s->room[f]);
  FREE(s->slot);
  FREE(s->field);
  FREE(s->column);
  FREE(s->expected);
  text_file_release(&s->tables);
  mem_free((void **)(void *)&s->taken);
  mem_free((void **)(void *)&s->value);
  mem_free((void **)(void *)&s->stored);
  mem_free((void **)(void *)&s->room);
  FREE(*stream);
}

Status result_stream_close(ResultStream **stream) {
  ResultStream *s = *stream;
  if (!s) return OK;
  RunReport *report = s->run->report;
  Status status = recorder_close(&s->recorder, &s->writer, &s->probes);
  if (status == OK && s->writer && writer_steps(s->writer) > 0) status = output_timing(s->writer, report);
  const Status closed = output_close(&s->writer, &s->probes);
  for (int32_t i = 0; s->column && i < report->columns.n; ++i) report->columns.value[i] = s->column[i];
  for (int32_t i = 0; s->expected && i < s->run->c->expect.n; ++i) report->at_time[i] = s->expected[i];
  stream_release(stream);
  return status != OK ? status : closed;
}

/* The slot that is filled in next. */
static Status slot_take(ResultStream *s, int32_t *k) {
  *k = 0;
  return s->recorder ? recorder_take(s->recorder, k) : OK;
}

/* Has the Exec write the sample and, where they are in the slot, the fields that are due. */
static Status snapshot_fill(ResultStream *s, const Slot *slot) {
  const StreamParams *p = &s->params;
  double *const room = exec_snapshot_room(slot->snapshot), *at = room + p->n_sample;
  if (p->sample) TRY(p->sample(p->context, room));
  for (int32_t f = 0; slot->fields && f < p->n_field; ++f) {
    if (!s->field[f].n_taken || !field_is_due(slot, &s->field[f])) continue;
    TRY(s->field[f].take(p->context, f, at));
    at += s->field[f].n_taken;
  }
  return exec_snapshot_send(slot->snapshot, (size_t)(at - room) * sizeof *room);
}

/* What the snapshots of all ranks hold, to rank 0. Collective. */
static Status slot_collect(const ResultStream *s, const Slot *slot) {
  const void *host = NULL;
  if (!slot->snapshot || !s->run->share) return OK;
  TRY(exec_snapshot_wait(slot->snapshot, &host));
  const double *from = (const double *)host + s->params.n_sample;
  double *to = slot->whole ? slot->whole + s->params.n_sample : NULL;
  if (s->params.gather) TRY(s->params.gather(s->params.context, host, slot->whole));
  for (int32_t f = 0; slot->fields && f < s->params.n_field; ++f) {
    const StreamField *field = &s->field[f];
    if (!field->n_taken || !field_is_due(slot, field)) continue;
    const size_t bytes = (size_t)field->n_component * sizeof *from;
    TRY(collect(s->run->share->collector, field->on_cells ? OF_ELEMENTS : OF_NODES, bytes, from, to));
    from += field->n_taken;
    if (to) to += whole_numbers(s->run, field);
  }
  return OK;
}

Status result_stream_store(ResultStream *s, double time) {
  int32_t k;
  TRY(slot_take(s, &k));
  Slot *slot = &s->slot[k];
  slot->fields = true, slot->request = s->request, slot->first = s->first;
  if (slot->snapshot) TRY(snapshot_fill(s, slot));
  TRY(slot_collect(s, slot));
  s->request = s->first = false;
  if (!run_is_root(s->run)) return OK;
  if (!s->recorder) return moment_write(s, k, time);
  recorder_step(s->recorder, time);
  return OK;
}

/* Columns of a slot, where no thread makes them. */
static Status slot_columns(ResultStream *s, int32_t k, double time, int32_t sample, bool row) {
  RecordedStep step = {.time = time, .sample = sample};
  TRY(moment_unpack(s, k, &step));
  return row && s->probes ? probe_file_row(s->probes, time, step.column) : OK;
}

/* Columns of now, by fields or by a sample alone; row: for probes.csv too. */
static Status stream_columns(ResultStream *s, double time, bool fields, bool row) {
  int32_t k;
  TRY(slot_take(s, &k));
  Slot *slot = &s->slot[k];
  slot->fields = fields, slot->request = slot->first = false;
  if (slot->snapshot) TRY(snapshot_fill(s, slot));
  TRY(slot_collect(s, slot));
  if (!run_is_root(s->run)) return OK;
  if (!s->recorder) return slot_columns(s, k, time, 0, row);
  recorder_observe(s->recorder, time, row);
  return OK;
}

Status result_stream_observe(ResultStream *s, double time) {
  const Case *c = s->run->c;
  bool any = false;
  for (int32_t i = 0; i < c->expect.n; ++i) any |= expect_is_at(c, case_expect(c, i), time, s->n_stored);
  return any ? stream_columns(s, time, false, false) : OK;
}

Status result_stream_now(ResultStream *s, double time) { return stream_columns(s, time, false, false); }

Status result_stream_sample(ResultStream *s, double time) { return stream_columns(s, time, false, true); }

Status result_stream_row(ResultStream *s, double time) { return stream_columns(s, time, true, true); }

Status result_stream_samples(ResultStream *s, int64_t n, const double *time, const double *value) {
  const size_t bytes = (size_t)(n * s->params.n_sample) * sizeof *value;
  int32_t k;
  CHECK(n <= s->params.n_ring && !s->run->share, ERR_BUG, "%lld samples at once", (long long)n);
  TRY(slot_take(s, &k));
  ExecSnapshot *snapshot = s->slot[k].snapshot;
  TRY(exec_copy(s->run->device.exec, exec_snapshot_room(snapshot), value, bytes));
  TRY(exec_snapshot_send(snapshot, bytes));
  s->slot[k].fields = false;
  if (s->recorder) recorder_samples(s->recorder, (int32_t)n, time);
  for (int32_t j = 0; j < n && !s->recorder; ++j) TRY(slot_columns(s, k, time[j], j, true));
  return OK;
}

bool result_stream_site(const ResultStream *s, SlabSite *out) {
  return !s->recorder && s->writer && writer_site(s->writer, out);
}

void result_stream_placed(ResultStream *s) { s->placed = true; }

void result_stream_request(ResultStream *s) { s->request = true; }

Status result_stream_history(ResultStream *s, const double *row) {
  if (s->recorder) return recorder_history(s->recorder, row);
  if (!s->writer) return OK;
  return writer_history(s->writer, s->params.n_history, s->params.history, row);
}

Status result_stream_finish(ResultStream *s) { return s->recorder ? recorder_finish(s->recorder) : OK; }

Recorder *result_stream_recorder(ResultStream *s) { return s->recorder; }
