/* Files of a transient run, as a table for result_stream.h. In the loop a stored time is what recovery leaves on the
 * Exec. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/transient.h"
#include "app/run/ranks.h"
#include "core/memory.h"

#include <math.h>

static TransientRun *own(const ElasticRun *o) { return o->own; }

static Status field_take(void *context, int32_t f, double *room) {
  ElasticRun *o = context;
  const ElasticFields *from = f == ELASTIC_VELOCITY       ? &own(o)->motion[0]
                              : f == ELASTIC_ACCELERATION ? &own(o)->motion[1]
                                                          : &o->fields;
  return elastic_fields_take(o->elasticity, from, f, room);
}

static Status columns_fill(void *context, const StreamMoment *m, double *value) {
  ElasticRun *o = context;
  TRY(elastic_tables_of(o->run, &o->setup, m, o->point_start, &o->tables));
  if (m->stored && m->value[ELASTIC_DISPLACEMENT])
    elastic_spread_add(o->run->mesh, 1, &m->value[ELASTIC_DISPLACEMENT], m->time, &own(o)->spread);
  const Case *c = o->run->c;
  for (int32_t i = 0; i < c->output.probes.n; ++i) {
    const FieldPart part = elastic_probe(c, i);
    value[i] = field_at(o->run->mesh, &o->setup.probe[i], &elastic_field[part.row], part.component, m->value[part.row]);
  }
  return OK;
}

Status transient_output_create(ElasticRun *o) {
  static const char *const history[] = {"time",     "dt",       "rejected",     "iterations",
                                        "products", "restarts", "true_residual"};
  const unsigned more = FIELD_DISPLACEMENT | elastic_tables_need(o->run->c) | elastic_probes_need(o->run->c);
  StreamParams params = {
      .n_history = (int)(sizeof history / sizeof *history), .history = history, .columns = columns_fill};
  return elastic_run_stream(o, more, field_take, &params);
}

void transient_output_release(ElasticRun *o, bool good) {
  if (good && own(o)->spread.most > 0)
    elastic_spread_warn(o->run, &own(o)->spread, "at t = %g",
                        "check the units of young, density, loads, initial values and mesh, and the supports");
  for (int k = 0; k < 2; ++k) elastic_fields_release(&own(o)->motion[k]);
}

Status transient_output_store(ElasticRun *o, const double *const u[3]) {
  TRY(elastic_run_recover(o, u[0]));
  elasticity_set_gap(o->elasticity, 0); /* of displacements alone */
  for (int k = 0; k < 2; ++k) {
    ElasticFields *f = &own(o)->motion[k];
    TRY(f->own ? elasticity_recover_here(o->elasticity, u[k + 1], f)
               : elasticity_recover_begin(o->elasticity, u[k + 1], FIELD_DISPLACEMENT, f));
  }
  elasticity_set_gap(o->elasticity, 1);
  return result_stream_store(o->stream, o->run->report->time);
}
