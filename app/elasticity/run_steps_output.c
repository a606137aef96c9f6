/* Files of a run in steps of time, at finite strain or with inertia, as a table for result_stream.h. In the loop a stored time is
 * what recovery leaves on the Exec. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/finite.h"
#include "core/memory.h"

static Status field_take(void *context, int32_t f, double *room) {
  const ElasticRun *r = context;
  const int32_t of = elastic_field[f].of;
  if (f >= N_ELASTIC_FIELDS) return elastic_states_take(r->elasticity, &r->fields, of, r->state[f], room);
  const ElasticFields *from = f == ELASTIC_VELOCITY       ? &r->motion[0]
                              : f == ELASTIC_ACCELERATION ? &r->motion[1]
                                                          : &r->fields;
  return elastic_fields_take(r->elasticity, from, f, room);
}

/* The states that fields and probes ask for, and which of them each row has. */
static Status choose_states(ElasticRun *r) {
  const Case *c = r->run->c;
  const char **word = NULL;
  int32_t n = 0;
  ALLOC(r->state, elastic_field_rows(), "states of the output");
  ALLOC(word, elastic_field_rows(), "states of the output");
  for (int32_t k = N_ELASTIC_FIELDS; k < elastic_field_rows(); ++k) {
    r->state[k] = n;
    if (elastic_state_asked(c, k)) word[n++] = elastic_state_word(k);
  }
  const Status status = n ? elasticity_recover_states(r->elasticity, n, word) : OK;
  FREE(word);
  return status;
}

/* The fields of a moment as the columns of static results see them; velocity and acceleration have no member there. */
static Status columns_fill(void *context, const StreamMoment *m, double *value) {
  ElasticRun *r = context;
  const Case *c = r->run->c;
  const Mesh *mesh = r->run->mesh;
  TRY(elastic_tables_of(r->run, &r->setup, m, r->point_start, &r->tables));
  if (m->stored && elastic_has(c, HAS_INERTIA) && !elastic_has(c, HAS_LARGE_STRAIN) && m->value[ELASTIC_DISPLACEMENT])
    elastic_spread_add(mesh, 1, &m->value[ELASTIC_DISPLACEMENT], m->time, &r->spread);
  ElasticFields fields = elastic_fields_of(m);
  fields.point_start = r->point_start;
  for (int32_t i = 0; i < c->output.probes.n; ++i) {
    const FieldPart part = elastic_setup(&r->setup)->probe[i];
    const double *of = m->value && m->value[part.row] ? m->value[part.row] : elastic_field_value(&fields, part.row);
    *value++ = field_at(mesh, &r->setup.probe[i], &elastic_field[part.row], part.component, of);
  }
  TRY(results_sums(c, mesh, &r->setup, &fields, value));
  if (m->sample) finite_cavity_columns(c, &r->setup, m->sample, value);
  return OK;
}

Status elastic_run_stream(ElasticRun *r, StreamParams *params) {
  const Case *c = r->run->c;
  const unsigned more =
      columns_needed(c) | elastic_tables_need(c) | (elastic_has(c, HAS_INERTIA) ? FIELD_DISPLACEMENT : 0);
  StreamField *field = NULL;
  TRY(choose_states(r));
  r->needed = more | elastic_fields_asked(c);
  if (more & FIELD_POINTS) TRY(elastic_points(r->run, &r->point_start));
  ALLOC(field, elastic_field_rows(), "fields of the output");
  elastic_stream_fields(r->run, more, elastic_point_count(r->run, r->point_start), field_take, field);
  for (int32_t k = ELASTIC_VELOCITY; elastic_has(c, HAS_INERTIA) && k <= ELASTIC_ACCELERATION; ++k)
    field[k].n_taken = field[ELASTIC_DISPLACEMENT].n_taken; /* probes and tables of motion */
  params->recorded = true;
  params->n_field = elastic_field_rows();
  params->field = field;
  params->n_step = result_steps_most(c) + c->expect.n;
  params->n_history_row = result_history_most(c);
  params->context = r;
  params->columns = columns_fill;
  const Status status = result_stream_create(r->run, &r->setup, params, &r->stream);
  FREE(field);
  return status;
}

Status elastic_run_store(ElasticRun *r, const double *const u[3]) {
  TRY(r->fields.own ? elasticity_recover_here(r->elasticity, u[0], &r->fields)
                    : elasticity_recover_begin(r->elasticity, u[0], r->needed, &r->fields));
  for (int k = 0; u[1] && k < 2; ++k) {
    ElasticFields *f = &r->motion[k];
    elasticity_set_gap(r->elasticity, 0); /* of displacements alone */
    TRY(f->own ? elasticity_recover_here(r->elasticity, u[k + 1], f)
               : elasticity_recover_begin(r->elasticity, u[k + 1], FIELD_DISPLACEMENT, f));
    elasticity_set_gap(r->elasticity, 1);
  }
  return result_stream_store(r->stream, r->run->report->time);
}
