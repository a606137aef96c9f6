/* output.tables of elasticity: what each word lists, and numbers in other directions than x, y and z. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "app/elasticity/elastic_fields.h"
#include "app/setup/point_shape.h"
#include "core/memory.h"
#include "physics/material_axes.h"

#include <string.h>

/* A table in its directions; the arrays are owned. */
typedef struct Turned {
  double *value;
  const char **mark;
} Turned;

static void rotate_vector(const double R[9], const double v[3], double out[3]) {
  for (int i = 0; i < 3; ++i) out[i] = R[3 * i] * v[0] + R[3 * i + 1] * v[1] + R[3 * i + 2] * v[2];
}

/* R s R^T of xx yy zz xy yz xz. */
static void rotate_tensor(const double R[9], const double s[6], double out[6]) {
  static const int pair[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}}, row[6] = {0, 1, 2, 0, 1, 0},
                   column[6] = {0, 1, 2, 1, 2, 2};
  for (int k = 0; k < 6; ++k) {
    out[k] = 0;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) out[k] += R[3 * row[k] + a] * s[pair[a][b]] * R[3 * column[k] + b];
  }
}

static void rotate_node(const Mesh *mesh, const ElasticDirection *d, int32_t i, const TableValues *from, Turned *to) {
  double R[9];
  if (!axes_at(&d->axes, 0, mesh->x[i], R)) return; /* on the line of a cylinder: x, y and z */
  rotate_vector(R, from->value + 3 * (int64_t)i, to->value + 3 * (int64_t)i);
  to->mark[i] = d->mark;
}

static Status rotate_element(const Mesh *mesh, const ElasticDirection *d, int32_t e, const TableValues *from,
                             Turned *to) {
  const ElementType *type = element_type(mesh_block_of(mesh, e)->kind);
  const int32_t *nodes = mesh_nodes_of(mesh, e), at = e - setup_first_solved(mesh);
  double N[ELEMENT_MAX_NODES], R[9];
  Quadrature rule;
  TRY(element_stiffness_quadrature(type, &rule));
  for (int32_t q = 0; q < rule.n; ++q) {
    double x[3] = {0};
    const int64_t point = 6 * (from->start[at] + q);
    type->values(rule.xi[q], N);
    for (int32_t a = 0; a < type->n_node; ++a)
      for (int k = 0; k < 3; ++k) x[k] += N[a] * mesh->x[nodes[a]][k];
    if (!axes_at(&d->axes, 0, x, R)) continue;
    rotate_tensor(R, from->value + point, to->value + point);
    to->mark[at] = d->mark;
  }
  return OK;
}

static Status rotate_group(const Mesh *mesh, const ElasticDirection *d, const TableValues *from, Turned *to) {
  for (int32_t i = 0; i < d->on->n; ++i) {
    const int32_t e = d->on->element[i];
    if (!d->nodes) TRY(rotate_element(mesh, d, e, from, to));
    for (int32_t a = 0; d->nodes && a < element_type(mesh_block_of(mesh, e)->kind)->n_node; ++a)
      rotate_node(mesh, d, mesh_nodes_of(mesh, e)[a], from, to);
  }
  return OK;
}

Status elastic_table_add(const Run *run, const Setup *setup, int32_t i, double time, const TableValues *values,
                         Text *out) {
  const Mesh *mesh = run->mesh;
  const ElasticSetup *own = elastic_setup(setup);
  const int32_t n_solved = mesh->n_element - setup_first_solved(mesh);
  const int64_t n = values->stride * (values->start ? values->start[n_solved] : (int64_t)mesh->n_node);
  TableValues shown = *values;
  Turned turned = {NULL, NULL};
  Status status = OK;
  if (!case_table(run->c, i)->local.value) return table_add(run, setup, i, time, values, out);
  ALLOC_DONE(turned.value, n, "a table in its directions");
  ALLOC_DONE(turned.mark, values->start ? n_solved : mesh->n_node, "a table in its directions");
  memcpy(turned.value, values->value, (size_t)n * sizeof *turned.value);
  for (int32_t k = 0; k < own->n_direction; ++k)
    if (own->direction[k].nodes == !values->start) TRY_DONE(rotate_group(mesh, &own->direction[k], values, &turned));
  shown.value = turned.value, shown.summed = values->value, shown.mark = turned.mark;
  TRY_DONE(table_add(run, setup, i, time, &shown, out));
done:
  FREE(turned.value);
  FREE(turned.mark);
  return status;
}

static const int deck_order[6] = {0, 1, 2, 3, 5, 4}; /* xx yy zz xy xz yz */

TableValues elastic_table_values(int32_t word, const double *value, const int64_t *start) {
  const ElasticTable *t = &elastic_table[word];
  return (TableValues){.head = t->head,
                       .width = t->width,
                       .stride = t->width,
                       .order = t->width == 6 ? deck_order : NULL,
                       .value = value,
                       .start = t->where == WHERE_POINTS ? start : NULL,
                       .cells = t->where == WHERE_ELEMENTS,
                       .total = t->total};
}

/* Whether the table is of the step of a chain that the time lies in. */
static bool is_of_time(const Case *c, const CaseTable *table, double time) {
  const int32_t step = case_step_at(c, time);
  bool is = table->steps.n == 0;
  for (int32_t k = 0; k < table->steps.n; ++k)
    is = is || !strcmp(table->steps.item[k].text, case_step(c, step)->name.text);
  return is;
}

/* Loads and reactions at nodes: what the stress needs there, less the forces of contact. */
static Status external_force(const Run *run, const StreamMoment *m, double **out) {
  const double *all = m->value[ELASTIC_INTERNAL_FORCE], *contact = m->value[ELASTIC_CONTACT_FORCE];
  const int64_t n = 3 * (int64_t)run->mesh->n_node;
  ALLOC(*out, n, "a table of forces");
  for (int64_t k = 0; k < n; ++k) (*out)[k] = all[k] - contact[k];
  return OK;
}

/* Of a field, or of the word that its numbers have in this analysis. */
static const double *moment_value(const StreamMoment *m, int32_t field) {
  const ElasticFields fields = elastic_fields_of(m);
  return m->value[field] ? m->value[field] : elastic_field_value(&fields, field);
}

/* Not of t = 0, of which CalculiX prints none either. */
Status elastic_tables_of(const Run *run, const Setup *setup, const StreamMoment *m, const int64_t *start, Text *out) {
  for (int32_t i = 0; m->stored && m->time > 0 && i < run->c->output.tables.n; ++i) {
    if (!is_of_time(run->c, case_table(run->c, i), m->time)) continue;
    const int32_t word = case_table(run->c, i)->field.value;
    double *made = NULL;
    if (word == TABLE_EXTERNAL_FORCE) TRY(external_force(run, m, &made));
    if (word == TABLE_VOLUME) TRY(element_volumes(run->c, run->mesh, setup, &made));
    const double *listed = made ? made : moment_value(m, elastic_table[word].field);
    const TableValues values = elastic_table_values(word, listed, start);
    const Status status = elastic_table_add(run, setup, i, m->time, &values, out);
    FREE(made);
    TRY(status);
  }
  return OK;
}

Status elastic_points(const Run *run, int64_t **start) {
  CHECK(!run->share, ERR_INPUT,
        "what is of integration points, and sections in time, are for one rank\n  remedy: leave them out, or one rank");
  return point_starts(run->mesh, setup_first_solved(run->mesh), start);
}

int64_t elastic_point_count(const Run *run, const int64_t *start) {
  return start ? start[run->mesh->n_element - setup_first_solved(run->mesh)] : 0;
}

static bool is_of_step(const Case *c, const CaseTable *table, int32_t step) {
  bool is = table->load_cases.n == 0;
  for (int32_t k = 0; k < table->load_cases.n; ++k)
    is |= case_load_step_find(c, table->load_cases.item[k].text) == step;
  return is;
}

Status elastic_tables_add(const Run *run, const Setup *setup, const ElasticFields *fields, double time, Text *out) {
  double *volume = NULL;
  Status status = OK;
  for (int32_t i = 0; i < run->c->output.tables.n; ++i) {
    if (!is_of_step(run->c, case_table(run->c, i), (int32_t)time)) continue;
    const int32_t word = case_table(run->c, i)->field.value;
    if (word == TABLE_VOLUME && !volume) TRY_DONE(element_volumes(run->c, run->mesh, setup, &volume));
    const double *numbers = word == TABLE_VOLUME ? volume : elastic_field_value(fields, elastic_table[word].field);
    const TableValues values = elastic_table_values(word, numbers, fields->point_start);
    TRY_DONE(values.value ? OK : FAIL(ERR_BUG, "table %d of elasticity has no numbers", (int)word));
    TRY_DONE(elastic_table_add(run, setup, i, time, &values, out));
  }
done:
  FREE(volume);
  return status;
}
