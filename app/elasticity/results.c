/* The files of a static result: one step at time 0. They are made while the fields are still on their way. */
#include "app/elasticity/elastic.h"
#include "app/run/result_stream.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>

enum { POINTS_MAX = ELEMENT_MAX_QUADRATURE, FIELDS_MAX = N_OUTPUT_FIELDS + POINTS_MAX };

static const char *const history_name[] = {"time",     "iterations",    "products",
                                           "restarts", "true_residual", "recursive_residual"};
enum { HISTORY = (int)(sizeof history_name / sizeof *history_name) };

struct StaticOutput {
  const Run *run;
  const Setup *setup;
  const ElasticFields *fields;
  int32_t n;
  StreamField field[FIELDS_MAX];
  const double *value[FIELDS_MAX];
  char point_name[POINTS_MAX][32];
  ResultStream *stream; /* owned */
  int64_t n_point;
  double (*point)[6]; /* owned, [n_point][n_solved][6]: stress by integration point; NaN where an element has fewer */
};

static const double *field_unpack(void *context, const StreamMoment *m, int32_t f, double *room) {
  (void)m, (void)room;
  return ((StaticOutput *)context)->value[f];
}

static Status columns_fill(void *context, const StreamMoment *m, double *value) {
  (void)m;
  const StaticOutput *o = context;
  return results_columns(o->run->c, o->run->mesh, o->setup, o->fields, value);
}

static void field_add(StaticOutput *o, const char *name, bool on_cells, int32_t n_component, const void *value) {
  o->field[o->n] = (StreamField){
      .name = name, .wanted = true, .on_cells = on_cells, .n_component = n_component, .unpack = field_unpack};
  o->value[o->n++] = value;
}

/* The k-th point of every element as one array of cells: "point-stress-1" and so on. */
static Status points_add(StaticOutput *list) {
  const Mesh *mesh = list->run->mesh;
  const int64_t n = mesh->n_element - setup_first_solved(mesh), *start = list->fields->point_start;
  int64_t most = 0;
#pragma omp parallel for schedule(static) reduction(max : most)
  for (int64_t e = 0; e < n; ++e) most = start[e + 1] - start[e] > most ? start[e + 1] - start[e] : most;
  CHECK(most <= POINTS_MAX, ERR_BUG, "an element with %lld integration points", (long long)most);
  ALLOC(list->point, most * n, "stress at integration points");
  list->n_point = most;
  for (int64_t q = 0; q < most; ++q) {
    snprintf(list->point_name[q], sizeof list->point_name[q], "point-stress-%d", (int)q + 1);
    field_add(list, list->point_name[q], true, 6, list->point[q * n]);
  }
  return OK;
}

static void points_fill(StaticOutput *list) {
  const ElasticFields *fields = list->fields;
  const int64_t n = list->run->mesh->n_element - setup_first_solved(list->run->mesh);
#pragma omp parallel for schedule(static)
  for (int64_t e = 0; e < n; ++e)
    for (int64_t q = 0; q < list->n_point; ++q) {
      const int64_t at = fields->point_start[e] + q;
      for (int k = 0; k < 6; ++k)
        list->point[q * n + e][k] = at < fields->point_start[e + 1] ? fields->point_stress[at][k] : (double)NAN;
    }
}

static Status fields_list(StaticOutput *list) {
  const WordsValue *words = &list->run->c->output.fields;
  const ElasticFields *fields = list->fields;
  if (words_have(words, OUTPUT_DISPLACEMENT)) field_add(list, "displacement", false, 3, fields->displacement);
  if (words_have(words, OUTPUT_STRESS)) field_add(list, "stress", false, 6, fields->stress);
  if (words_have(words, OUTPUT_VON_MISES)) field_add(list, "von-mises", false, 1, fields->von_mises);
  if (words_have(words, OUTPUT_PRINCIPAL)) field_add(list, "principal", false, 3, fields->principal);
  if (words_have(words, OUTPUT_REACTION)) field_add(list, "reaction", false, 3, fields->reaction);
  if (words_have(words, OUTPUT_STRAIN_ENERGY)) field_add(list, "strain-energy", true, 1, fields->strain_energy);
  if (words_have(words, OUTPUT_ELEMENT_STRESS)) field_add(list, "element-stress", true, 6, fields->element_stress);
  return words_have(words, OUTPUT_POINT_STRESS) ? points_add(list) : OK;
}

Status results_store(StaticOutput *o) {
  const LinearReport *linear = &o->run->report->linear;
  const double row[HISTORY] = {0,
                               (double)linear->iterations,
                               (double)linear->products,
                               linear->restarts,
                               linear->true_residual,
                               linear->recursive_residual};
  points_fill(o);
  TRY(result_stream_history(o->stream, row));
  return result_stream_store(o->stream, 0);
}

Status results_open(Run *run, const Setup *setup, const ElasticFields *fields, StaticOutput **out) {
  StaticOutput *o = NULL;
  ALLOC(o, 1, "list of fields");
  *out = o;
  *o = (StaticOutput){.run = run, .setup = setup, .fields = fields};
  TRY(fields_list(o));
  const StreamParams params = {.n_field = o->n,
                               .field = o->field,
                               .n_step = 1,
                               .n_history = HISTORY,
                               .history = history_name,
                               .context = o,
                               .columns = columns_fill};
  return result_stream_create(run, setup, &params, &o->stream);
}

Status results_close(StaticOutput **output) {
  StaticOutput *o = *output;
  if (!o) return OK;
  const Status status = result_stream_close(&o->stream);
  FREE(o->point);
  FREE(*output);
  return status;
}
