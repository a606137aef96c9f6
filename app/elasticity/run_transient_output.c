/* Files of a transient run, as a table for result_stream.h. In the loop a stored time is what recovery leaves on the
 * Exec. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "app/elasticity/elastic_fields.h"
#include "app/elasticity/transient.h"
#include "app/run/ranks.h"
#include "core/memory.h"

#include <math.h>

/* All fields of a time are recovered when the first is asked for. */
static Status fields_recover(TransientOutput *o) {
  const double *const u[3] = {o->u, o->velocity, o->acceleration};
  for (int k = 0; k < 3; ++k) {
    ElasticFields *f = k ? &o->motion[k - 1] : &o->fields;
    elasticity_set_gap(o->elasticity, k == 0); /* of displacements alone */
    TRY(f->own ? elasticity_recover_here(o->elasticity, u[k], f)
               : elasticity_recover_begin(o->elasticity, u[k], k ? FIELD_DISPLACEMENT : o->needed, f));
  }
  elasticity_set_gap(o->elasticity, 1);
  return OK;
}

static Status field_take(void *context, int32_t f, double *room) {
  TransientOutput *o = context;
  const ElasticFields *from = f == ELASTIC_VELOCITY       ? &o->motion[0]
                              : f == ELASTIC_ACCELERATION ? &o->motion[1]
                                                          : &o->fields;
  return elastic_fields_take(o->elasticity, from, f, room);
}

static Status columns_fill(void *context, const StreamMoment *m, double *value) {
  TransientOutput *o = context;
  TRY(elastic_tables_of(o->run, o->setup, m, o->point_start, &o->tables));
  if (m->stored && m->value[ELASTIC_DISPLACEMENT])
    elastic_spread_add(o->run->mesh, 1, &m->value[ELASTIC_DISPLACEMENT], m->time, &o->spread);
  const Case *c = o->run->c;
  for (int32_t i = 0; i < c->output.probes.n; ++i) {
    const FieldPart part = elastic_probe(c, i);
    value[i] =
        field_at(o->run->mesh, &o->setup->probe[i], &elastic_field[part.row], part.component, m->value[part.row]);
  }
  return OK;
}

Status transient_output_create(Run *run, const Setup *setup, Elasticity *elasticity, TransientOutput *o) {
  static const char *const history[] = {"time",     "dt",       "rejected",     "iterations",
                                        "products", "restarts", "true_residual"};
  const Case *c = run->c;
  StreamField field[N_ELASTIC_FIELDS];
  const unsigned more = FIELD_DISPLACEMENT | elastic_tables_need(c) | elastic_probes_need(c);
  *o =
      (TransientOutput){.run = run, .setup = setup, .elasticity = elasticity, .needed = more | elastic_fields_asked(c)};
  if (more & FIELD_POINT_STRESS) TRY(elastic_points(run, &o->point_start));
  elastic_stream_fields(run, more, elastic_point_count(run, o->point_start), field_take, field);
  for (int32_t k = ELASTIC_VELOCITY; k <= ELASTIC_ACCELERATION; ++k) /* probes and tables of motion */
    field[k].n_taken = field[ELASTIC_DISPLACEMENT].n_taken;
  const StreamParams params = {.recorded = true,
                               .n_field = N_ELASTIC_FIELDS,
                               .field = field,
                               .n_step = result_steps_most(c) + c->expect.n,
                               .n_history = (int)(sizeof history / sizeof *history),
                               .history = history,
                               .n_history_row = result_history_most(c),
                               .context = o,
                               .columns = columns_fill};
  return result_stream_create(run, setup, &params, &o->stream);
}

Status transient_output_close(TransientOutput *o) {
  Status status = result_stream_close(&o->stream);
  if (status == OK)
    elastic_spread_warn(o->run, &o->spread, "at t = %g",
                        "check the units of young, density, loads, initial values and mesh, and the supports");
  if (status == OK && o->tables.n) status = tables_save(o->run, &o->tables);
  text_release(&o->tables);
  FREE(o->point_start);
  elastic_fields_release(&o->fields);
  for (int k = 0; k < 2; ++k) elastic_fields_release(&o->motion[k]);
  return status;
}

Status transient_output_store(TransientOutput *o, double time, const double *u, const double *velocity,
                              const double *acceleration) {
  o->u = u, o->velocity = velocity, o->acceleration = acceleration;
  TRY(fields_recover(o));
  return result_stream_store(o->stream, time);
}
