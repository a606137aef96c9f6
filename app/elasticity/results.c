/* The files of a static result: one step at time 0. They are made before there are fields, as those are still on their
 * way, or not even solved for. */
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
  OutputField word[FIELDS_MAX];
  int32_t first_point; /* the field of the first integration point */
  char point_name[POINTS_MAX][32];
  ResultStream *stream; /* owned */
  int64_t n_point;
  double (*point)[6]; /* owned, [n_point][n_solved][6]: stress by integration point; NaN where an element has fewer */
};

static int64_t solved_elements(const Mesh *mesh) { return mesh->n_element - setup_first_solved(mesh); }

static const double *field_unpack(void *context, const StreamMoment *m, int32_t f, double *room) {
  (void)m, (void)room;
  const StaticOutput *o = context;
  const ElasticFields *fields = o->fields;
  switch (o->word[f]) {
  case OUTPUT_DISPLACEMENT: return fields->displacement[0];
  case OUTPUT_STRESS: return fields->stress[0];
  case OUTPUT_VON_MISES: return fields->von_mises;
  case OUTPUT_PRINCIPAL: return fields->principal[0];
  case OUTPUT_REACTION: return fields->reaction[0];
  case OUTPUT_STRAIN_ENERGY: return fields->strain_energy;
  case OUTPUT_ELEMENT_STRESS: return fields->element_stress[0];
  case OUTPUT_POINT_STRESS: return o->point[(f - o->first_point) * solved_elements(o->run->mesh)];
  case N_OUTPUT_FIELDS: break;
  }
  return NULL;
}

static Status columns_fill(void *context, const StreamMoment *m, double *value) {
  (void)m;
  const StaticOutput *o = context;
  return results_columns(o->run->c, o->run->mesh, o->setup, o->fields, value);
}

static void field_add(StaticOutput *o, const char *name, OutputField word, bool on_cells, int32_t n_component) {
  o->field[o->n] = (StreamField){
      .name = name, .wanted = true, .on_cells = on_cells, .n_component = n_component, .unpack = field_unpack};
  o->word[o->n++] = word;
}

/* The k-th point of every element as one array of cells: "point-stress-1" and so on. */
static Status points_add(StaticOutput *o) {
  const Mesh *mesh = o->run->mesh;
  o->first_point = o->n;
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementType *type = element_type(mesh->block[b].kind);
    Quadrature rule;
    if (type->dim != mesh->dim || mesh->block[b].n == 0) continue;
    TRY(element_stiffness_quadrature(type, &rule));
    if (rule.n > o->n_point) o->n_point = rule.n;
  }
  for (int64_t q = 0; q < o->n_point; ++q) {
    snprintf(o->point_name[q], sizeof o->point_name[q], "point-stress-%d", (int)q + 1);
    field_add(o, o->point_name[q], OUTPUT_POINT_STRESS, true, 6);
  }
  return OK;
}

static Status points_fill(StaticOutput *o) {
  const ElasticFields *fields = o->fields;
  const int64_t n = solved_elements(o->run->mesh);
  if (o->n_point == 0) return OK;
  ALLOC(o->point, o->n_point * n, "stress at integration points");
#pragma omp parallel for schedule(static)
  for (int64_t e = 0; e < n; ++e)
    for (int64_t q = 0; q < o->n_point; ++q) {
      const int64_t at = fields->point_start[e] + q;
      for (int k = 0; k < 6; ++k)
        o->point[q * n + e][k] = at < fields->point_start[e + 1] ? fields->point_stress[at][k] : (double)NAN;
    }
  return OK;
}

static Status fields_list(StaticOutput *o) {
  const WordsValue *words = &o->run->c->output.fields;
  if (words_have(words, OUTPUT_DISPLACEMENT)) field_add(o, "displacement", OUTPUT_DISPLACEMENT, false, 3);
  if (words_have(words, OUTPUT_STRESS)) field_add(o, "stress", OUTPUT_STRESS, false, 6);
  if (words_have(words, OUTPUT_VON_MISES)) field_add(o, "von-mises", OUTPUT_VON_MISES, false, 1);
  if (words_have(words, OUTPUT_PRINCIPAL)) field_add(o, "principal", OUTPUT_PRINCIPAL, false, 3);
  if (words_have(words, OUTPUT_REACTION)) field_add(o, "reaction", OUTPUT_REACTION, false, 3);
  if (words_have(words, OUTPUT_STRAIN_ENERGY)) field_add(o, "strain-energy", OUTPUT_STRAIN_ENERGY, true, 1);
  if (words_have(words, OUTPUT_ELEMENT_STRESS)) field_add(o, "element-stress", OUTPUT_ELEMENT_STRESS, true, 6);
  return words_have(words, OUTPUT_POINT_STRESS) ? points_add(o) : OK;
}

Status results_store(StaticOutput *o) {
  const LinearReport *linear = &o->run->report->linear;
  const double row[HISTORY] = {0,
                               (double)linear->iterations,
                               (double)linear->products,
                               linear->restarts,
                               linear->true_residual,
                               linear->recursive_residual};
  TRY(points_fill(o));
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
