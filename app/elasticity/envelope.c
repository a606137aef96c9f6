#include "app/elasticity/envelope.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

FieldBits envelopes_need(const Case *c, FieldBits which) {
  static const FieldBits bit[] = {FIELD_VON_MISES, FIELD_PRINCIPAL, FIELD_PRINCIPAL, FIELD_DISPLACEMENT, FIELD_SAFETY};
  FieldBits need = 0;
  for (int32_t i = 0; i < c->envelopes.n; ++i) need |= bit[case_envelope(c, i)->field.value];
  if (need && which & FIELD_POINT_STRESS) need |= FIELD_ELEMENT_STRESS;
  return need;
}

static double stress_measure(EnvelopeField field, const double stress[6]) {
  double principal[3];
  if (field != ENVELOPE_TENSION && field != ENVELOPE_COMPRESSION) return elastic_von_mises(stress);
  elastic_principal(stress, principal);
  return field == ENVELOPE_TENSION ? principal[0] : -principal[2];
}

/* The smallest factor governs; one that is not known never. */
static double safety_measure(double safety) { return safety == SAFETY_UNKNOWN ? -HUGE_VAL : -safety; }

/* What is to be largest at a node, and in an element. */
static double node_measure(EnvelopeField field, const ElasticFields *f, int32_t i) {
  const double *u = f->displacement[i];
  switch (field) {
  case ENVELOPE_TENSION: return f->principal[i][0];
  case ENVELOPE_COMPRESSION: return -f->principal[i][2];
  case ENVELOPE_DISPLACEMENT: return sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  case ENVELOPE_SAFETY: return safety_measure(f->safety[i]);
  default: return f->von_mises[i];
  }
}
static double element_measure(EnvelopeField field, const ElasticFields *f, int32_t e) {
  if (f->element_stress) return stress_measure(field, f->element_stress[e]);
  return f->strain_energy ? f->strain_energy[e] : f->stress_error ? f->stress_error[e] : 0;
}
static double probe_measure(const Envelopes *s, EnvelopeField field, const ElasticFields *f, int32_t i) {
  double u[3];
  const Location *at = &s->setup->probe[i];
  switch (field) {
  case ENVELOPE_TENSION: return results_at(s->mesh, at, f, (FieldPart){ELASTIC_PRINCIPAL, 0});
  case ENVELOPE_COMPRESSION: return -results_at(s->mesh, at, f, (FieldPart){ELASTIC_PRINCIPAL, 2});
  case ENVELOPE_SAFETY: return safety_measure(results_at(s->mesh, at, f, (FieldPart){ELASTIC_SAFETY, 0}));
  case ENVELOPE_DISPLACEMENT:
    for (int k = 0; k < 3; ++k) u[k] = results_at(s->mesh, at, f, (FieldPart){ELASTIC_DISPLACEMENT, k});
    return sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  default: return results_at(s->mesh, at, f, (FieldPart){ELASTIC_VON_MISES, 0});
  }
}

static int64_t envelope_elements(const Envelopes *s) { return s->mesh->n_element - setup_first_solved(s->mesh); }

/* Arrays for what the first step has. */
static Status envelope_alloc(const Envelopes *s, const ElasticFields *from, Envelope *e) {
  ElasticFields *to = &e->fields;
  const int64_t n = s->mesh->n_node, m = envelope_elements(s);
  ALLOC(e->governing, n, "an envelope");
  ALLOC(e->column, s->n_column, "an envelope");
  ALLOC(e->node_value, n, "an envelope");
  ALLOC(e->element_value, m, "an envelope");
  ALLOC(e->probe_value, s->c->output.probes.n, "an envelope");
  FOR_ELASTIC_FIELDS(k) {
    const FieldWhere where = elastic_field[k].where;
    double *value = NULL;
    if (!elastic_field_value(from, k)) continue;
    const int64_t items = where == WHERE_POINTS ? from->point_start[m] : where == WHERE_ELEMENTS ? m : n;
    ALLOC(value, items * elastic_field[k].width, "an envelope");
    elastic_field_put(to, k, value);
  }
  to->material = from->material;
  return OK;
}

/* Arrays of nodes, elements or points, of which an item is copied. */
typedef struct FieldArrays {
  int32_t n;
  struct {
    double *to;
    const double *from;
    int32_t width;
  } item[N_ELASTIC_FIELDS];
} FieldArrays;

static FieldArrays arrays_of(const ElasticFields *to, const ElasticFields *from, FieldWhere where) {
  FieldArrays arrays = {0};
  FOR_ELASTIC_FIELDS(k) {
    const FieldType *f = &elastic_field[k];
    if (!elastic_field_value(to, k) || (field_at_nodes(&elastic_field[k]) ? WHERE_NODES : f->where) != where) continue;
    arrays.item[arrays.n].to = elastic_field_value(to, k);
    arrays.item[arrays.n].from = elastic_field_value(from, k);
    arrays.item[arrays.n++].width = f->width;
  }
  return arrays;
}

static void item_copy(const FieldArrays *arrays, int64_t i) {
  for (int k = 0; k < arrays->n; ++k) {
    const int32_t width = arrays->item[k].width;
    memcpy(arrays->item[k].to + i * width, arrays->item[k].from + i * width, (size_t)width * sizeof(double));
  }
}

static void nodes_add(const Envelopes *s, EnvelopeField field, int32_t k, const ElasticFields *f, Envelope *e) {
  const FieldArrays arrays = arrays_of(&e->fields, f, WHERE_NODES);
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < s->mesh->n_node; ++i) {
    const double value = node_measure(field, f, i);
    if (e->n_step && !(value > e->node_value[i])) continue;
    e->node_value[i] = value;
    e->governing[i] = k;
    item_copy(&arrays, i);
  }
}

static void elements_add(const Envelopes *s, EnvelopeField field, const ElasticFields *f, Envelope *e) {
  const FieldArrays arrays = arrays_of(&e->fields, f, WHERE_ELEMENTS);
  const FieldArrays points = arrays_of(&e->fields, f, WHERE_POINTS);
  const int32_t n = (int32_t)envelope_elements(s);
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < n; ++i) {
    const double value = element_measure(field, f, i);
    if (e->n_step && !(value > e->element_value[i])) continue;
    e->element_value[i] = value;
    item_copy(&arrays, i);
    for (int64_t q = points.n ? f->point_start[i] : 0; points.n && q < f->point_start[i + 1]; ++q)
      item_copy(&points, q);
  }
}

static void columns_add(const Envelopes *s, EnvelopeField field, const ElasticFields *f, const double *column,
                        Envelope *e) {
  const int32_t n_probe = s->c->output.probes.n;
  for (int32_t i = 0; i < n_probe; ++i) {
    const double value = probe_measure(s, field, f, i);
    if (e->n_step && !(value > e->probe_value[i])) continue;
    e->probe_value[i] = value;
    e->column[i] = column[i];
  }
  for (int32_t i = n_probe; i < s->n_column; ++i)
    if (!e->n_step || fabs(column[i]) > fabs(e->column[i])) e->column[i] = column[i];
}

static bool envelope_names(const Case *c, const CaseEnvelope *envelope, int32_t k) {
  for (int32_t i = 0; i < envelope->of.n; ++i)
    if (case_load_step_find(c, envelope->of.item[i].text) == k) return true;
  return false;
}

Status envelopes_create(const Case *c, const Mesh *mesh, const Setup *setup, Envelopes *out) {
  *out = (Envelopes){.c = c, .mesh = mesh, .setup = setup, .n_column = c->output.probes.n};
  for (int32_t i = 0; i < c->output.sums.n; ++i) out->n_column += sum_columns(c, case_sum(c, i));
  ALLOC(out->item, c->envelopes.n, "envelopes");
  out->n = c->envelopes.n;
  return OK;
}

Status envelopes_add(Envelopes *s, int32_t k, const ElasticFields *f, const double *column) {
  for (int32_t i = 0; i < s->n; ++i) {
    const CaseEnvelope *envelope = case_envelope(s->c, i);
    const EnvelopeField field = (EnvelopeField)envelope->field.value;
    Envelope *e = &s->item[i];
    if (!envelope_names(s->c, envelope, k)) continue;
    if (!e->n_step) TRY(envelope_alloc(s, f, e));
    nodes_add(s, field, k, f, e);
    elements_add(s, field, f, e);
    columns_add(s, field, f, column, e);
    e->fields.point_start = f->point_start; /* borrowed */
    ++e->n_step;
  }
  return OK;
}

int32_t envelope_worst(const Envelopes *s, int32_t i, double *value) {
  const Envelope *e = &s->item[i];
  int32_t at = 0;
  for (int32_t k = 1; k < s->mesh->n_node; ++k)
    if (e->node_value[k] > e->node_value[at]) at = k;
  const int32_t field = case_envelope(s->c, i)->field.value;
  *value = field == ENVELOPE_COMPRESSION || field == ENVELOPE_SAFETY ? -e->node_value[at] : e->node_value[at];
  return at;
}

void envelopes_release(Envelopes *s) {
  for (int32_t i = 0; s->item && i < s->n; ++i) {
    Envelope *e = &s->item[i];
    FOR_ELASTIC_FIELDS(k) {
      double *value = elastic_field_value(&e->fields, k);
      FREE(value);
    }
    FREE(e->governing);
    FREE(e->column);
    FREE(e->node_value);
    FREE(e->element_value);
    FREE(e->probe_value);
  }
  FREE(s->item);
}
