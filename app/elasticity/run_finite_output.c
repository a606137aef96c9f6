/* Files of a run at finite strain, as a table for result_stream.h. In the loop a stored time is what recovery leaves on
 * the Exec. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "app/elasticity/elastic_fields.h"
#include "app/elasticity/finite.h"
#include "app/run/ranks.h"
#include "core/memory.h"

static Status field_take(void *context, int32_t f, double *room) {
  FiniteOutput *o = context;
  return elastic_fields_take(o->elasticity, &o->fields, f, room);
}

/* The fields of a moment as the columns of static results see them. */
static Status columns_fill(void *context, const StreamMoment *m, double *value) {
  FiniteOutput *o = context;
  TRY(elastic_tables_of(o->run, o->setup, m, o->point_start, &o->tables));
  ElasticFields fields = elastic_fields_of(m);
  fields.material = elastic_setup(o->setup)->params.element_material + setup_first_solved(o->run->mesh);
  TRY(results_columns(o->run->c, o->run->mesh, o->setup, &fields, value));
  if (m->sample) finite_cavity_columns(o->run->c, o->setup, m->sample, value + o->run->c->output.probes.n);
  return OK;
}

/* Volume and pressure of each cavity. */
static Status cavities_sample(void *context, double *room) {
  const FiniteOutput *o = context;
  double value[2 * ELASTIC_CAVITIES];
  for (int32_t i = 0; i < o->cavities->n; ++i) {
    value[2 * i] = o->cavities->volume[i];
    value[2 * i + 1] = o->cavities->pressure[i];
  }
  return exec_upload(o->run->device.exec, room, value, 2 * (size_t)o->cavities->n * sizeof *value);
}

Status finite_output_create(Run *run, const Setup *setup, Elasticity *elasticity, const FiniteCavities *cavities,
                            FiniteOutput *o) {
  static const char *const history[] = {"time", "dt", "newton", "failed", "cuts", "iterations", "residual"};
  const Case *c = run->c;
  StreamField field[N_ELASTIC_FIELDS];
  const unsigned more = columns_needed(c) | elastic_tables_need(c);
  *o = (FiniteOutput){.run = run,
                      .setup = setup,
                      .elasticity = elasticity,
                      .cavities = cavities,
                      .needed = more | elastic_fields_asked(c)};
  if (more & FIELD_POINT_STRESS) TRY(elastic_points(run, &o->point_start));
  elastic_stream_fields(run, more, elastic_point_count(run, o->point_start), field_take, field);
  const StreamParams params = {.recorded = true,
                               .n_field = N_ELASTIC_FIELDS,
                               .field = field,
                               .n_step = result_steps_most(c) + c->expect.n,
                               .n_history = (int)(sizeof history / sizeof *history),
                               .history = history,
                               .n_history_row = result_history_most(c),
                               .n_sample = 2 * cavities->n,
                               .sample = cavities->n ? cavities_sample : NULL,
                               .context = o,
                               .columns = columns_fill};
  return result_stream_create(run, setup, &params, &o->stream);
}

Status finite_output_close(FiniteOutput *o) {
  Status status = result_stream_close(&o->stream);
  if (status == OK && o->tables.n) status = tables_save(o->run, &o->tables);
  text_release(&o->tables);
  FREE(o->point_start);
  elastic_fields_release(&o->fields);
  return status;
}

/* All fields of a time are recovered before the stream takes them. */
Status finite_output_store(FiniteOutput *o, double time, const double *u) {
  o->u = u;
  TRY(o->fields.own ? elasticity_recover_here(o->elasticity, u, &o->fields)
                    : elasticity_recover_begin(o->elasticity, u, o->needed, &o->fields));
  return result_stream_store(o->stream, time);
}

Status finite_output_step(FiniteOutput *o, const FiniteRow *row) {
  const double value[] = {row->time,           row->dt,           (double)row->newton,
                          (double)row->failed, (double)row->cuts, (double)row->iterations,
                          row->residual};
  return result_stream_history(o->stream, value);
}
