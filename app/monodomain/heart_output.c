/* Results of a heart run, as a table for result_stream.h: fields of the steps, maps, fibres by rule. */
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/heart.h"
#include "app/monodomain/conduction_velocity.h"
#include "app/monodomain/filaments.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>

enum { BEATS = HEART_BEATS_MOST };
/* Map k of a beat is field MAPS + k BEATS + beat. */
enum {
  MAPS = N_HEART_FIELDS,
  RULED = MAPS + N_HEART_MAPS * BEATS,
  FIELDS = RULED + HEART_ROWS - HEART_RULE_ROW,
  HISTORY = 7
};

static const char *const history_name[HISTORY] = {"time", "steps", "newton", "products", "rejected", "dt", "residual"};

static int32_t row_of(int32_t f) {
  return f < MAPS ? f : f < RULED ? HEART_MAP_ROW + (f - MAPS) / BEATS : HEART_RULE_ROW + f - RULED;
}

/* Of a map of a beat behind the first. */
static const char *beat_name(const Heart *h, int32_t f) {
  const char *word = heart_field[row_of(f)].word;
  char *name = h->map_name[f - MAPS];
  snprintf(name, sizeof h->map_name[0], "%s-%d", word, (int)((f - MAPS) % BEATS) + 1);
  return name;
}

/* Counted from the start, as the step control does. */
static bool is_multiple(const Run *run, double time, double every) {
  const double since = time - run->start;
  return fabs(since - every * round(since / every)) <= 1e-9 * run->c->time.end.value;
}

bool heart_output_due(const Run *run, double time) {
  const double end = run->c->time.end.value;
  return fabs(time - end) <= 1e-9 * end || is_multiple(run, time, case_every(run->c));
}

bool heart_sample_due(const Run *run, double time) {
  const double sample = run->c->output.sample.value;
  return sample > 0 && is_multiple(run, time, sample);
}

Status heart_field_now(Heart *h, int32_t row, int32_t beat, const int32_t *when, const double **from) {
  if (h->whole) {
    Heart whole = *h->whole;
    TRY(heart_field_now(&whole, row, beat, when, from));
    *from += h->first;
    return OK;
  }
  *from = h->work;
  switch (row) {
  case HEART_POTENTIAL: *from = h->V; return OK;
  case HEART_EXTRACELLULAR: return heart_extracellular(h, from);
  case HEART_PHASE: return heart_rhythm_phase(h, h->work);
  case HEART_MAP_ROW + HEART_ACTIVATION: *from = activation_times(h->maps, beat); return OK;
  case HEART_MAP_ROW + HEART_REPOLARIZATION: *from = activation_ends(h->maps, beat); return OK;
  case HEART_MAP_ROW + HEART_DF: return heart_rhythm_frequency(h, h->work);
  default: break;
  }
  CHECK(row >= HEART_STATE && row < HEART_PHASE, ERR_BUG, "'%s' is not taken from the heart", heart_field[row].word);
  return monodomain_state(h->monodomain, ionic_state_word(row - HEART_STATE), when, h->work);
}

static Status field_take(void *context, int32_t f, double *room) {
  Heart *h = ((HeartOutput *)context)->heart;
  const double *from;
  TRY(heart_field_now(h, row_of(f), (f - MAPS) % BEATS, NULL, &from));
  return diffusion_arrange(h->diffusion, from, room);
}

static const double *filament_unpack(void *context, const StreamMoment *m, int32_t f, double *room) {
  (void)f;
  const Mesh *mesh = ((HeartOutput *)context)->heart->mesh;
  memset(room, 0, (size_t)mesh->n_cable * sizeof *room); /* lines of trees come first */
  filaments_mark(mesh, m->taken[HEART_PHASE], room + mesh->n_cable);
  return room;
}

static const double *apd_unpack(void *context, const StreamMoment *m, int32_t f, double *room) {
  const int64_t n_node = ((HeartOutput *)context)->heart->mesh->n_node;
  const int32_t beat = (f - MAPS) % BEATS;
  const double *begin = m->taken[MAPS + HEART_ACTIVATION * BEATS + beat],
               *end = m->taken[MAPS + HEART_REPOLARIZATION * BEATS + beat];
  for (int64_t i = 0; i < n_node; ++i) room[i] = begin[i] < 0 || end[i] < 0 ? -1 : end[i] - begin[i];
  return room;
}

static const double *velocity_unpack(void *context, const StreamMoment *m, int32_t f, double *room) {
  const int32_t beat = (f - MAPS) % BEATS;
  conduction_velocity(((HeartOutput *)context)->heart->mesh, m->taken[MAPS + HEART_ACTIVATION * BEATS + beat], room);
  return room;
}

/* Maps that are made of those that are taken. */
static void made_map(const Heart *h, int32_t k, StreamField *f) {
  const bool cells = k == HEART_CV;
  const Mesh *mesh = h->mesh;
  if (!f->wanted || (k != HEART_APD && !cells)) return;
  f->n_room = cells ? 3 * ((int64_t)mesh->n_cable + mesh->n_element - setup_first_solved(mesh)) : mesh->n_node;
  f->unpack = cells ? velocity_unpack : apd_unpack;
}

static const double *rule_unpack(void *context, const StreamMoment *m, int32_t f, double *room) {
  (void)m, (void)room;
  return setup_ruled_field(((HeartOutput *)context)->heart->setup, f - RULED);
}

/* The phase is stored with filaments too, since their table is made of it. */
static void phase_fields(const Heart *h, StreamField *field) {
  StreamField *phase = &field[HEART_PHASE], *filament = &field[HEART_FILAMENT];
  if (!heart_has_phase(h->c)) return;
  phase->wanted = true, phase->n_taken = h->n_read;
  phase->unpack = result_field_taken;
  if (!heart_has_filaments(h->c)) return;
  filament->wanted = true;
  filament->n_room = (int64_t)h->mesh->n_cable + h->mesh->n_element - setup_first_solved(h->mesh);
  filament->unpack = filament_unpack;
}

static void fields_list(const Heart *h, StreamField field[FIELDS]) {
  const Case *c = h->c;
  const int64_t n = h->n_read;
  const int32_t apd = heart_map_beats(c, HEART_APD), cv = heart_map_beats(c, HEART_CV);
  for (int32_t f = 0; f < FIELDS; ++f) {
    field[f] = stream_field(&heart_field[row_of(f)], false);
    field[f].take = field_take;
    if (f >= MAPS && f < RULED && (f - MAPS) % BEATS) field[f].name = beat_name(h, f);
  }
  for (int32_t f = 0; f < HEART_PHASE; ++f) {
    if (!words_have(&c->output.fields, f)) continue;
    field[f].wanted = true, field[f].n_taken = n;
    field[f].unpack = result_field_taken;
  }
  phase_fields(h, field);
  for (int32_t i = 0; i < N_HEART_MAPS * BEATS; ++i) {
    StreamField *f = &field[MAPS + i];
    const int32_t k = i / BEATS, beat = i % BEATS;
    const bool made = k == HEART_APD || k == HEART_CV, of_beats = k == HEART_ACTIVATION || k == HEART_REPOLARIZATION,
               needed = (of_beats && beat < apd) || (k == HEART_ACTIVATION && beat < cv);
    f->wanted = beat < heart_map_beats(c, (HeartMap)k), f->when = STREAM_REQUEST;
    f->n_taken = !made && (f->wanted || needed) ? n : 0;
    if (f->wanted) f->unpack = result_field_taken;
    made_map(h, k, f);
  }
  for (int32_t f = RULED; f < FIELDS; ++f) {
    field[f].wanted = setup_ruled_field(h->setup, f - RULED) != NULL, field[f].when = STREAM_FIRST;
    field[f].unpack = field[f].wanted ? rule_unpack : NULL;
  }
}

static Status watch_sample(void *context, double *room) {
  return heart_watch_sample(((HeartOutput *)context)->watch, room, NULL);
}

static Status watch_gather(void *context, const double *mine, double *whole) {
  return heart_watch_gather(((HeartOutput *)context)->watch, mine, whole);
}

static Status watch_columns(void *context, const StreamMoment *m, double *value) {
  heart_watch_fill(((HeartOutput *)context)->watch, m->time, m->sample, value);
  return OK;
}

static StreamParams output_params(const Heart *h, const StreamField *field) {
  const Case *c = h->c;
  return (StreamParams){.recorded = !h->whole, /* HDF5 is for one thread */
                        .n_field = FIELDS,
                        .field = field,
                        .n_step = result_steps_most(c),
                        .n_history = HISTORY,
                        .history = history_name,
                        .n_history_row = result_steps_most(c),
                        .sample = watch_sample,
                        .gather = watch_gather,
                        .columns = watch_columns};
}

Status heart_output_writer(Run *run, const Heart *heart, Writer **out) {
  StreamField field[FIELDS];
  fields_list(heart, field);
  const StreamParams params = output_params(heart, field);
  return result_writer(run, heart->setup, &params, out);
}

Status heart_output_create(Run *run, Heart *heart, Writer **writer, HeartOutput *o) {
  StreamField field[FIELDS];
  *o = (HeartOutput){.heart = heart};
  fields_list(heart, field);
  TRY(heart_watch_create(heart, &o->watch));
  StreamParams params = output_params(heart, field);
  params.n_sample = heart_watch_numbers(o->watch);
  TRY(heart_watch_in_loops(o->watch, &params.n_ring));
  params.context = o;
  params.writer = *writer;
  *writer = NULL;
  return result_stream_create(run, heart->setup, &params, &o->stream);
}

Status heart_output_close(HeartOutput *o) {
  const Status status = result_stream_close(&o->stream);
  heart_watch_destroy(&o->watch);
  return status;
}

Status heart_output_observe(HeartOutput *o, double time) {
  if (heart_sample_due(o->heart->run, time)) TRY(heart_rhythm_keep(o->heart, time));
  return heart_sample_due(o->heart->run, time) ? result_stream_sample(o->stream, time)
                                               : result_stream_observe(o->stream, time);
}

Status heart_output_samples(HeartOutput *o, double time, bool *seen) {
  const StepSamples samples = stepper_samples(o->heart->stepper);
  *seen = samples.n > 0 && samples.time[samples.n - 1] == time;
  return samples.n ? result_stream_samples(o->stream, samples.n, samples.time, samples.value) : OK;
}

Status heart_output_store(HeartOutput *o, const RunReport *report, double time) {
  const double row[HISTORY] = {time,
                               (double)report->steps,
                               (double)report->heart.newton,
                               (double)report->linear.products,
                               (double)report->rejected,
                               report->heart.last_step,
                               report->linear.true_residual};
  TRY(heart_rhythm_keep(o->heart, time));
  TRY(result_stream_history(o->stream, row));
  return result_stream_store(o->stream, time);
}
