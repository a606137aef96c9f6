/* What a heart run leaves behind, as a table for result_stream.h: fields of the steps, maps, fibres by rule. */
#include "app/monodomain/heart.h"
#include "core/memory.h"

#include <math.h>

enum { MAPS = N_HEART_FIELDS, RULED = MAPS + N_HEART_MAPS, FIBER = RULED, SHEET, TRANSMURAL, FIELDS, HISTORY = 7 };

static const char *const history_name[HISTORY] = {"time", "steps", "newton", "products", "rejected", "dt", "residual"};

static const char *field_name(int32_t f) {
  static const char *const others[] = {"activation", "repolarization", "apd", "fiber", "sheet", "transmural"};
  if (f == HEART_POTENTIAL) return "potential";
  return f < MAPS ? ionic_state_word(f - HEART_STATE) : others[f - MAPS];
}

bool heart_output_due(const Case *c, double time) {
  const double every = case_every(c), end = c->time.end.value;
  return fabs(time - end) <= 1e-9 * end || fabs(time - every * round(time / every)) <= 1e-9 * end;
}

static Status potential_take(void *context, int32_t f, double *room) {
  (void)f;
  Heart *h = ((HeartOutput *)context)->heart;
  return diffusion_arrange(h->diffusion, h->V, room);
}

static Status state_take(void *context, int32_t f, double *room) {
  Heart *h = ((HeartOutput *)context)->heart;
  TRY(monodomain_state(h->monodomain, ionic_state_word(f - HEART_STATE), h->work));
  return diffusion_arrange(h->diffusion, h->work, room);
}

static Status map_take(void *context, int32_t f, double *room) {
  Heart *h = ((HeartOutput *)context)->heart;
  return diffusion_arrange(h->diffusion,
                           f == MAPS + HEART_ACTIVATION ? activation_times(h->maps) : activation_ends(h->maps), room);
}

static const double *apd_unpack(void *context, const StreamMoment *m, int32_t f, double *room) {
  (void)f;
  const int64_t n_node = ((HeartOutput *)context)->heart->mesh->n_node;
  const double *begin = m->taken[MAPS + HEART_ACTIVATION], *end = m->taken[MAPS + HEART_REPOLARIZATION];
  for (int64_t i = 0; i < n_node; ++i) room[i] = begin[i] < 0 || end[i] < 0 ? -1 : end[i] - begin[i];
  return room;
}

static const double *rule_unpack(void *context, const StreamMoment *m, int32_t f, double *room) {
  (void)m, (void)room;
  const Setup *setup = ((HeartOutput *)context)->heart->setup;
  return f == FIBER   ? heart_setup(setup)->fiber[0]
         : f == SHEET ? heart_setup(setup)->sheet[0]
                      : heart_setup(setup)->transmural;
}

static void fields_list(const Heart *h, StreamField field[FIELDS]) {
  const Case *c = h->c;
  const WordsValue *maps = &c->output.maps;
  const int64_t n = h->n_read;
  const bool ruled = heart_setup(h->setup)->fiber != NULL;
  const bool apd = words_have(maps, HEART_APD);
  for (int32_t f = 0; f < FIELDS; ++f) field[f] = (StreamField){.name = field_name(f), .n_component = 1};
  for (int32_t f = 0; f < MAPS; ++f) {
    if (!words_have(&c->output.fields, f)) continue;
    field[f].wanted = true, field[f].n_taken = n;
    field[f].take = f == HEART_POTENTIAL ? potential_take : state_take;
    field[f].unpack = result_field_taken;
  }
  for (int32_t k = 0; k < N_HEART_MAPS; ++k) {
    StreamField *f = &field[MAPS + k];
    f->wanted = words_have(maps, k), f->when = STREAM_REQUEST, f->take = map_take;
    f->n_taken = k != HEART_APD && (f->wanted || apd) ? n : 0;
    f->n_room = f->wanted && k == HEART_APD ? h->mesh->n_node : 0;
    if (f->wanted) f->unpack = k == HEART_APD ? apd_unpack : result_field_taken;
  }
  for (int32_t f = RULED; f < FIELDS; ++f)
    field[f].wanted = ruled, field[f].when = STREAM_FIRST, field[f].unpack = ruled ? rule_unpack : NULL;
  field[FIBER].n_component = field[SHEET].n_component = 3;
}

static Status watch_sample(void *context, double *room) {
  return heart_watch_sample(((HeartOutput *)context)->watch, room);
}

static Status watch_gather(void *context, const double *mine, double *whole) {
  return heart_watch_gather(((HeartOutput *)context)->watch, mine, whole);
}

static Status watch_columns(void *context, const StreamMoment *m, double *value) {
  heart_watch_fill(((HeartOutput *)context)->watch, m->sample, value);
  return OK;
}

static StreamParams output_params(const Case *c, const StreamField *field) {
  return (StreamParams){.recorded = true,
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
  const StreamParams params = output_params(run->c, field);
  return result_writer(run, heart->setup, &params, out);
}

Status heart_output_create(Run *run, Heart *heart, Writer **writer, HeartOutput *o) {
  StreamField field[FIELDS];
  *o = (HeartOutput){.heart = heart};
  fields_list(heart, field);
  TRY(heart_watch_create(heart, &o->watch));
  StreamParams params = output_params(run->c, field);
  params.n_sample = heart_watch_numbers(o->watch);
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

Status heart_output_store(HeartOutput *o, const RunReport *report, double time) {
  const double row[HISTORY] = {time,
                               (double)report->steps,
                               (double)report->heart.newton,
                               (double)report->linear.products,
                               (double)report->rejected,
                               report->heart.last_step,
                               report->linear.true_residual};
  TRY(result_stream_history(o->stream, row));
  return result_stream_store(o->stream, time);
}
