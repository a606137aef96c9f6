/* Files of a run in steps of time, at finite strain or with inertia, as a table for result_stream.h. In the loop a stored time is
 * what recovery leaves on the Exec. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/finite.h"
#include "assembly/elasticity/dissipated.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>

static Status field_take(void *context, int32_t f, double *room) {
  const ElasticRun *r = context;
  const int32_t of = elastic_field[f].of, cell = f - elastic_cell_row();
  if (cell >= 0) return r->cells.take(r->cells.context, (CellField)cell, room);
  if (elastic_is_states(of))
    return elastic_states_take(r->elasticity, &r->fields, of, f < N_ELASTIC_FIELDS ? 0 : r->state[f], room);
  const ElasticFields *from = f == ELASTIC_VELOCITY       ? &r->motion[0]
                              : f == ELASTIC_ACCELERATION ? &r->motion[1]
                                                          : &r->fields;
  return elastic_fields_take(r->elasticity, from, f, room);
}

/* The states that fields and probes ask for, and which of them each row has; the first is that of tables. */
static Status choose_states(ElasticRun *r, bool table) {
  const Case *c = r->run->c;
  const char **word = NULL;
  int32_t n = 0;
  ALLOC(r->state, elastic_field_rows(), "states of the output");
  ALLOC(word, elastic_field_rows() + 3, "states of the output");
  if (table) word[n++] = "plastic-strain";
  if (r->cells.watched) r->cells.first = n, word[n++] = "fiber-stretch", word[n++] = "tension";
  for (int32_t k = N_ELASTIC_FIELDS; k < elastic_cell_row(); ++k) {
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
  const double *side = m->sample ? m->sample + r->sides.first : NULL;
  for (int32_t i = 0; i < c->output.probes.n; ++i) {
    const int32_t row = elastic_setup(&r->setup)->probe[i].row;
    const double *of = m->value && m->value[row] ? m->value[row] : elastic_field_value(&fields, row);
    *value++ = elastic_sides_at(r, i, of, &side);
  }
  TRY(results_sums(c, mesh, &r->setup, &fields, value));
  if (!m->sample) return OK;
  finite_sample_columns(c, &r->setup, m->sample, value);
  contact_sums_columns(c, side, value);
  for (int32_t i = 0; i < c->output.sums.n; ++i) value += sum_columns(c, case_sum(c, i));
  for (int32_t i = 0; i < r->cells.n_lead; ++i) *value++ = m->sample[r->cells.first_lead + i];
  return OK;
}

/* The k-th point of each element, not a number where it has fewer. */
static const double *point_unpack(void *context, const StreamMoment *m, int32_t f, double *room) {
  const ElasticRun *r = context;
  const PointField *point = &r->point[f - elastic_field_rows()];
  const int32_t width = elastic_field[point->row].width, n = r->run->mesh->n_element - setup_first_solved(r->run->mesh);
  const double *value = m->value[point->row];
#pragma omp parallel for schedule(static)
  for (int32_t e = 0; e < n; ++e) {
    const int64_t at = r->point_start[e] + point->q;
    for (int32_t k = 0; k < width; ++k)
      room[(int64_t)e * width + k] = at < r->point_start[e + 1] ? value[at * width + k] : (double)NAN;
  }
  return room;
}

/* Fields of the files for each row of points that is asked for, which itself stays out of them; their number, or the number alone
 * where `field` is NULL. */
static int32_t point_fields(ElasticRun *r, StreamField *field) {
  if (!r->point_start) return 0; /* several ranks have none, nor the mesh as a whole */
  const Mesh *mesh = r->run->mesh;
  const int32_t n_solved = mesh->n_element - setup_first_solved(mesh);
  int32_t n = 0, most = 0;
  for (int32_t e = 0; e < n_solved; ++e) {
    const int32_t here = (int32_t)(r->point_start[e + 1] - r->point_start[e]);
    most = here > most ? here : most;
  }
  for (int32_t k = 0; k < elastic_field_rows(); ++k) {
    if (elastic_field[k].where != WHERE_POINTS || !elastic_field_asked(r->run->c, k)) continue;
    for (int32_t q = 0; q < most; ++q, ++n) {
      if (!field) continue;
      StreamField *to = &field[elastic_field_rows() + n];
      r->point[n].row = k, r->point[n].q = q;
      snprintf(r->point[n].name, sizeof r->point[n].name, "%s-%d", elastic_field[k].word, (int)q + 1);
      *to = (StreamField){.name = r->point[n].name,
                          .wanted = true,
                          .on_cells = true,
                          .n_component = elastic_field[k].width,
                          .unit = elastic_field[k].unit,
                          .n_room = (int64_t)n_solved * elastic_field[k].width,
                          .unpack = point_unpack};
    }
    if (field) field[k].wanted = false;
  }
  return n;
}

Status elastic_run_stream(ElasticRun *r, StreamParams *params) {
  const Case *c = r->run->c;
  const FieldBits more =
      columns_needed(c) | elastic_tables_need(c) | (elastic_has(c, HAS_INERTIA) ? FIELD_DISPLACEMENT : 0);
  Status status = OK;
  StreamField *field = NULL;
  TRY(choose_states(r, more & FIELD_POINT_STATES));
  r->needed = more | elastic_fields_asked(c) | elastic_peaks_needed(r) | (r->cells.watched ? FIELD_ELEMENT_STATES : 0) |
              (elastic_walls_asked(c) ? FIELD_STRAIN : 0);
  if (r->needed & FIELD_POINTS) TRY(elastic_points(r->run, &r->point_start));
  const int32_t n_point = point_fields(r, NULL);
  ALLOC(field, elastic_field_rows() + n_point, "fields of the output");
  ALLOC_DONE(r->point, n_point ? n_point : 1, "fields of the output");
  elastic_stream_fields(r->run, more, elastic_point_count(r->run, r->point_start), field_take, field);
  point_fields(r, field);
  for (int32_t k = ELASTIC_VELOCITY; elastic_has(c, HAS_INERTIA) && k <= ELASTIC_ACCELERATION; ++k)
    field[k].n_taken = field[ELASTIC_DISPLACEMENT].n_taken; /* probes and tables of motion */
  params->recorded = true;
  params->n_field = elastic_field_rows() + n_point;
  params->field = field;
  params->n_step = result_steps_most(c) + c->expect.n;
  params->n_history_row = result_history_most(c);
  params->context = r;
  params->columns = columns_fill;
  params->tables = &r->tables;
  TRY_DONE(elastic_sides_open(r, params));
  TRY_DONE(result_stream_create(r->run, &r->setup, params, &r->stream));
done:
  FREE(field);
  return status;
}

Status elastic_run_store(ElasticRun *r, const double *const u[3]) {
  TRY(r->fields.own ? elasticity_recover_here(r->elasticity, u[0], &r->fields)
                    : elasticity_recover_begin(r->elasticity, u[0], r->needed, &r->fields));
  TRY(elasticity_add_dissipated(r->elasticity, elastic_run_params(r), &r->fields));
  TRY(elastic_sides_take(r));
  for (int k = 0; u[1] && k < 2; ++k) {
    ElasticFields *f = &r->motion[k];
    const double gap = elasticity_set_gap(r->elasticity, 0); /* of displacements alone */
    TRY(f->own ? elasticity_recover_here(r->elasticity, u[k + 1], f)
               : elasticity_recover_begin(r->elasticity, u[k + 1], FIELD_DISPLACEMENT, f));
    (void)elasticity_set_gap(r->elasticity, gap);
  }
  if (r->stored) return result_stream_store(r->stream, r->run->report->time);
  return r->run->c->output.peaks.value ? result_stream_row(r->stream, r->run->report->time) : OK;
}
