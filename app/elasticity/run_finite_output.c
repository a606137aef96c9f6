/* Files of a run at finite strain, as a table for result_stream.h. In the loop a stored time is what recovery leaves on
 * the Exec. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/finite.h"
#include "app/run/ranks.h"
#include "core/memory.h"

static Status field_take(void *context, int32_t f, double *room) {
  ElasticRun *o = context;
  if (f < N_ELASTIC_FIELDS) return elastic_fields_take(o->elasticity, &o->fields, f, room);
  return elastic_states_take(o->elasticity, &o->fields, elastic_field[f].of, elastic_states_before(o->run->c, f), room);
}

/* The states that fields and probes ask for. */
static Status choose_states(const ElasticRun *o) {
  const int32_t n = elastic_states_before(o->run->c, elastic_field_rows());
  const char **word = NULL;
  ALLOC(word, n, "fields of the output");
  for (int32_t k = N_ELASTIC_FIELDS; k < elastic_field_rows(); ++k)
    if (elastic_state_asked(o->run->c, k)) word[elastic_states_before(o->run->c, k)] = elastic_state_word(k);
  const Status status = n ? elasticity_recover_states(o->elasticity, n, word) : OK;
  FREE(word);
  return status;
}

/* The fields of a moment as the columns of static results see them. */
static Status columns_fill(void *context, const StreamMoment *m, double *value) {
  ElasticRun *o = context;
  TRY(elastic_tables_of(o->run, &o->setup, m, o->point_start, &o->tables));
  ElasticFields fields = elastic_fields_of(m);
  fields.material = elastic_setup(&o->setup)->params.element_material + setup_first_solved(o->run->mesh);
  TRY(results_columns(o->run->c, o->run->mesh, &o->setup, &fields, value));
  if (m->sample) finite_cavity_columns(o->run->c, &o->setup, m->sample, value + o->run->c->output.probes.n);
  return OK;
}

/* Volume and pressure of each cavity. */
static Status cavities_sample(void *context, double *room) {
  const ElasticRun *o = context;
  const FiniteCavities *cavities = &((const FiniteRun *)o->own)->cavities;
  double value[2 * ELASTIC_CAVITIES];
  for (int32_t i = 0; i < cavities->n; ++i) {
    value[2 * i] = cavities->volume[i];
    value[2 * i + 1] = cavities->pressure[i];
  }
  return exec_upload(o->run->device.exec, room, value, 2 * (size_t)cavities->n * sizeof *value);
}

Status finite_output_create(ElasticRun *o) {
  static const char *const history[] = {"time", "dt", "newton", "failed", "cuts", "iterations", "residual"};
  const unsigned more = columns_needed(o->run->c) | elastic_tables_need(o->run->c);
  const int32_t n = ((const FiniteRun *)o->own)->cavities.n;
  StreamParams params = {.n_history = (int)(sizeof history / sizeof *history),
                         .history = history,
                         .n_sample = 2 * n,
                         .sample = n ? cavities_sample : NULL,
                         .columns = columns_fill};
  TRY(choose_states(o));
  return elastic_run_stream(o, more, field_take, &params);
}
