/* Files of a run at finite strain, as a table for result_stream.h. In the loop a stored time is what recovery leaves on
 * the Exec. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "app/elasticity/finite.h"
#include "app/run/ranks.h"
#include "core/memory.h"

enum { POINTS = N_FINITE_FIELDS, FIELDS }; /* stress at integration points is for tables alone */

static const struct {
  const char *name;
  unsigned bit;
  int32_t n_component;
  bool on_cells;
  UnitKind unit;
} known[FIELDS] = {{"displacement", FIELD_DISPLACEMENT, 3, false, UNIT_LENGTH},
                   {"cauchy", FIELD_STRESS, 6, false, UNIT_STRESS},
                   {"stress", FIELD_STRESS, 6, false, UNIT_STRESS},
                   {"von-mises", FIELD_VON_MISES, 1, false, UNIT_STRESS},
                   {"principal", FIELD_PRINCIPAL, 3, false, UNIT_STRESS},
                   {"reaction", FIELD_REACTION, 3, false, UNIT_FORCE},
                   {"piola", FIELD_PIOLA, 6, false, UNIT_STRESS},
                   {"green-lagrange", FIELD_STRAIN, 6, false, UNIT_NONE},
                   {"stretches", FIELD_STRETCHES, 3, false, UNIT_NONE},
                   {"jacobian", FIELD_JACOBIAN, 1, true, UNIT_NONE},
                   {"energy", FIELD_STRAIN_ENERGY, 1, true, UNIT_ENERGY},
                   {"point-stress", FIELD_POINT_STRESS, 6, true, UNIT_STRESS}};

static Status field_take(void *context, int32_t f, double *room) {
  FiniteOutput *o = context;
  return elastic_fields_take(o->elasticity, &o->fields, known[f].bit, room);
}

static Status tables_add(FiniteOutput *o, const StreamMoment *m) {
  const TableValues of[N_FINITE_TABLES] = {{" displacements (vx,vy,vz)", 3, 3, .value = m->value[FINITE_DISPLACEMENT]},
                                           elastic_stress_table(m->value[POINTS], o->point_start)};
  for (int32_t i = 0; m->stored && i < o->run->c->output.tables.n; ++i)
    TRY(elastic_table_add(o->run, o->setup, i, m->time, &of[case_table(o->run->c, i)->field.value], &o->tables));
  return OK;
}

/* The fields of a moment as the columns of static results see them. */
static Status columns_fill(void *context, const StreamMoment *m, double *value) {
  FiniteOutput *o = context;
  TRY(tables_add(o, m));
  double *at[N_FINITE_FIELDS];
  for (int f = 0; f < N_FINITE_FIELDS; ++f) at[f] = (double *)(uintptr_t)m->value[f];
  const ElasticFields fields = {.displacement = (double(*)[3])at[FINITE_DISPLACEMENT],
                                .reaction = (double(*)[3])at[FINITE_REACTION],
                                .stress = (double(*)[6])at[FINITE_CAUCHY],
                                .von_mises = at[FINITE_VON_MISES],
                                .principal = (double(*)[3])at[FINITE_PRINCIPAL],
                                .strain_energy = at[FINITE_ENERGY],
                                .material = elastic_setup(o->setup)->params.element_material +
                                            setup_first_solved(o->run->mesh)};
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
  const Mesh *mesh = run_mesh(run);
  StreamField field[FIELDS];
  *o = (FiniteOutput){
      .run = run, .setup = setup, .elasticity = elasticity, .cavities = cavities, .needed = columns_needed(c)};
  for (int f = 0; f < N_FINITE_FIELDS; ++f)
    if (words_have(&c->output.fields, f)) o->needed |= known[f].bit;
  if (c->output.tables.n) o->needed |= FIELD_DISPLACEMENT;
  if (case_has_table(c, FINITE_TABLE_STRESS)) {
    o->needed |= FIELD_POINT_STRESS;
    TRY(elastic_points(run, &o->point_start));
  }
  for (int f = 0; f < FIELDS; ++f) {
    const bool wanted = f < N_FINITE_FIELDS && words_have(&c->output.fields, f);
    const bool listed = f == POINTS ? o->point_start != NULL : f == FINITE_DISPLACEMENT && c->output.tables.n;
    const bool there = wanted || listed || (f < POINTS && f != FINITE_STRESS && columns_needed(c) & known[f].bit);
    const int32_t n_cell = mesh->n_element - setup_first_solved(mesh);
    const int64_t n = f == POINTS         ? o->point_start ? o->point_start[n_cell] : 0
                      : known[f].on_cells ? n_cell
                                          : mesh->n_node;
    field[f] = (StreamField){.name = known[f].name,
                             .wanted = wanted,
                             .on_cells = known[f].on_cells,
                             .n_component = known[f].n_component,
                             .unit = known[f].unit,
                             .n_taken = there ? known[f].n_component * n : 0,
                             .take = field_take,
                             .unpack = result_field_taken};
  }
  const StreamParams params = {.recorded = true,
                               .n_field = FIELDS,
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
