/* Files of a harmonic run. u(t) = Re(u e^(i omega t)); with a loss the stress is (1 + i loss) D e(u). */
#include "app/elasticity/case_harmonic.h"
#include "app/report/expect.h"
#include "app/run/output_files.h"
#include "app/elasticity/run_harmonic.h"
#include "core/memory.h"
#include "output/writer.h"

#include <math.h>
#include <stdio.h>

/* Arrays of one frequency on the host, in the mesh's order. */
typedef struct HarmonicState {
  ElasticFields part[2];               /* owned: real and imaginary */
  double (*amplitude)[3], (*phase)[3]; /* owned, [n_node]; phase in degrees */
  double *von_mises;                   /* owned, [n_node], the largest over a cycle */
} HarmonicState;

enum { FIELDS = 7 };

struct HarmonicOutput {
  Run *run;
  const Setup *setup;
  Elasticity *elasticity;
  Writer *writer;
  ProbeFile *probes;
  unsigned needed; /* FIELD_... */
  int32_t n_field;
  WriterField field[FIELDS];
  HarmonicState state;
};

static bool wants(const HarmonicOutput *o, OutputField field) { return o->run->c->output.fields.mask >> field & 1; }

static unsigned fields_needed(const Case *c) {
  unsigned which = FIELD_DISPLACEMENT;
  if (c->output.fields.mask & (1u << OUTPUT_STRESS | 1u << OUTPUT_VON_MISES)) which |= FIELD_STRESS;
  for (int32_t i = 0; i < c->output.probes.n; ++i)
    if (case_probe(c, i)->field.value >= PROBE_STRESS) which |= FIELD_STRESS;
  return which;
}

static void add_field(HarmonicOutput *o, const char *name, int32_t n_component) {
  o->field[o->n_field++] = (WriterField){.name = name, .n_component = n_component};
}

static void list_fields(HarmonicOutput *o) {
  if (wants(o, OUTPUT_DISPLACEMENT)) {
    add_field(o, "displacement-real", 3);
    add_field(o, "displacement-imaginary", 3);
    add_field(o, "displacement-amplitude", 3);
    add_field(o, "displacement-phase", 3);
  }
  if (wants(o, OUTPUT_STRESS)) {
    add_field(o, "stress-real", 6);
    add_field(o, "stress-imaginary", 6);
  }
  if (wants(o, OUTPUT_VON_MISES)) add_field(o, "von-mises", 1);
}

static Status open_files(HarmonicOutput *o) {
  const WriterParams params = {.n_field = o->n_field, .field = o->field, .n_step = harmonic_count(o->run->c)};
  TRY(output_writer(o->run, o->setup, &params, &o->writer));
  return output_probes(o->run, "frequency", &o->probes);
}

static Status take_arrays(HarmonicOutput *o) {
  const Case *c = o->run->c;
  RunReport *report = o->run->report;
  const int64_t n = o->run->mesh->n_node;
  ALLOC(o->state.amplitude, n, "amplitudes");
  ALLOC(o->state.phase, n, "phases");
  if (o->needed & FIELD_STRESS) ALLOC(o->state.von_mises, n, "von Mises stress");
  ALLOC(report->at_time, c->expect.n, "expected values");
  for (int32_t i = 0; i < c->expect.n; ++i) report->at_time[i] = (double)NAN;
  ALLOC(report->columns.name, c->output.probes.n, "columns");
  ALLOC(report->columns.value, c->output.probes.n, "columns");
  for (int32_t i = 0; i < c->output.probes.n; ++i)
    snprintf(report->columns.name[report->columns.n++], COLUMN_BYTES, "%s", case_probe(c, i)->name.text);
  return OK;
}

Status harmonic_output_create(Run *run, const Setup *setup, Elasticity *elasticity, HarmonicOutput **out) {
  *out = NULL;
  HarmonicOutput *o = NULL;
  ALLOC(o, 1, "the output");
  o->run = run, o->setup = setup, o->elasticity = elasticity;
  o->needed = fields_needed(run->c);
  list_fields(o);
  run_guard(run, 1);
  Status status = take_arrays(o);
  if (status == OK) status = open_files(o);
  run_guard(run, 0);
  if (status != OK) harmonic_output_close(&o);
  *out = o;
  return status;
}

Status harmonic_output_close(HarmonicOutput **output) {
  HarmonicOutput *o = *output;
  if (!o) return OK;
  run_guard(o->run, 1);
  Status status = OK;
  if (o->writer && o->run->report->converged) /* else the message of what failed shall stay */
    status = output_timing(o->writer, o->run->report);
  const Status closed = output_close(&o->writer, &o->probes);
  run_guard(o->run, 0);
  for (int part = 0; part < 2; ++part) elastic_fields_release(&o->state.part[part]);
  FREE(o->state.amplitude);
  FREE(o->state.phase);
  FREE(o->state.von_mises);
  FREE(*output);
  return status != OK ? status : closed;
}

/* In (-180, 180]; 0 of 0. */
static double phase_of(double re, double im) {
  const double degrees = 180 / acos(-1) * atan2(im, re);
  return degrees <= -180 ? 180 : degrees;
}

/* The form whose square root is von Mises' stress, of two stresses. */
static double mises_form(const double a[6], const double b[6]) {
  return 0.5 * ((a[0] - a[1]) * (b[0] - b[1]) + (a[1] - a[2]) * (b[1] - b[2]) + (a[2] - a[0]) * (b[2] - b[0])) +
         3 * (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
}

/* Largest over a cycle: the square at phase t is (A + B) / 2 + (A - B) / 2 cos 2t - C sin 2t. */
static double mises_of(const double re[6], const double im[6]) {
  const double A = mises_form(re, re), B = mises_form(im, im), C = mises_form(re, im);
  return sqrt(fmax(0.5 * (A + B) + hypot(0.5 * (A - B), C), 0));
}

/* (1 + i loss) times a stress. */
static void lossy(double loss, double re[6], double im[6]) {
  for (int k = 0; k < 6; ++k) {
    const double a = re[k], b = im[k];
    re[k] = a - loss * b;
    im[k] = b + loss * a;
  }
}

static void derive(HarmonicOutput *o, double loss) {
  HarmonicState *s = &o->state;
  ElasticFields *re = &s->part[0], *im = &s->part[1];
  for (int64_t k = 0; k < re->n_other; ++k) lossy(loss, re->other[k].stress, im->other[k].stress);
  for (int32_t i = 0; i < o->run->mesh->n_node; ++i) {
    for (int k = 0; k < 3; ++k) {
      s->amplitude[i][k] = hypot(re->displacement[i][k], im->displacement[i][k]);
      s->phase[i][k] = phase_of(re->displacement[i][k], im->displacement[i][k]);
    }
    if (!s->von_mises) continue;
    lossy(loss, re->stress[i], im->stress[i]);
    s->von_mises[i] = mises_of(re->stress[i], im->stress[i]);
  }
}

/* material: of the element in which the point lies, whose stress counts at an interface; -1: the point is the node. */
static double at_node(const HarmonicState *s, int32_t field, int part, int32_t node, int32_t material) {
  const int64_t other = field >= PROBE_STRESS && material >= 0 ? elastic_fields_other(&s->part[0], node, material) : -1;
  if (other >= 0) {
    const double *re = s->part[0].other[other].stress, *im = s->part[1].other[other].stress;
    return field >= PROBE_VON_MISES ? mises_of(re, im) : (part ? im : re)[field - PROBE_STRESS];
  }
  if (field >= PROBE_VON_MISES) return s->von_mises[node];
  if (field >= PROBE_STRESS) return s->part[part].stress[node][field - PROBE_STRESS];
  return s->part[part].displacement[node][field - PROBE_DISPLACEMENT];
}

static double interpolate(const Mesh *mesh, const Location *at, const HarmonicState *s, int32_t field, int part) {
  if (at->node >= 0) return at_node(s, field, part, at->node, -1);
  const ElementType *type = element_type(mesh_block_of(mesh, at->element)->kind);
  const int32_t *nodes = mesh_nodes_of(mesh, at->element);
  const int32_t material = s->part[0].material[at->element - setup_first_solved(mesh)];
  double N[ELEMENT_MAX_NODES], value = 0;
  type->values(at->xi, N);
  for (int32_t a = 0; a < type->n_node; ++a) value += N[a] * at_node(s, field, part, nodes[a], material);
  return value;
}

static double probe_value(const Mesh *mesh, const Location *at, const HarmonicState *s, const CaseProbe *probe) {
  const double re = interpolate(mesh, at, s, probe->field.value, 0);
  if (probe->field.value >= PROBE_VON_MISES) return re;
  const double im = interpolate(mesh, at, s, probe->field.value, 1);
  switch ((HarmonicPart)probe->part.value) {
  case PART_PHASE: return phase_of(re, im);
  case PART_REAL: return re;
  case PART_IMAGINARY: return im;
  case PART_AMPLITUDE: break;
  }
  return hypot(re, im);
}

static void fill_columns(HarmonicOutput *o, double frequency) {
  const Case *c = o->run->c;
  RunReport *report = o->run->report;
  for (int32_t i = 0; i < c->output.probes.n; ++i)
    report->columns.value[i] = probe_value(o->run->mesh, &o->setup->probe[i], &o->state, case_probe(c, i));
  for (int32_t i = 0; i < c->expect.n; ++i) {
    const CaseExpect *row = case_expect(c, i);
    if (!place_given(row->frequency.place) || fabs(row->frequency.value - frequency) > 1e-9 * frequency) continue;
    report->at_time[i] = column_value(&report->columns, expect_column(row));
  }
}

static Status write_step(HarmonicOutput *o, double frequency) {
  const HarmonicState *s = &o->state;
  const double *value[FIELDS];
  int32_t n = 0;
  if (wants(o, OUTPUT_DISPLACEMENT)) {
    for (int part = 0; part < 2; ++part) value[n++] = &s->part[part].displacement[0][0];
    value[n++] = &s->amplitude[0][0];
    value[n++] = &s->phase[0][0];
  }
  for (int part = 0; wants(o, OUTPUT_STRESS) && part < 2; ++part) value[n++] = &s->part[part].stress[0][0];
  if (wants(o, OUTPUT_VON_MISES)) value[n++] = s->von_mises;
  TRY(probe_file_row(o->probes, frequency, o->run->report->columns.value));
  return writer_step(o->writer, frequency, value);
}

Status harmonic_output_store(HarmonicOutput *o, double frequency, double *const u[2]) {
  for (int part = 0; part < 2; ++part) {
    elastic_fields_release(&o->state.part[part]);
    TRY(elasticity_recover(o->elasticity, u[part], o->needed, &o->state.part[part]));
  }
  derive(o, harmonic_factors(o->run->c, frequency).loss);
  fill_columns(o, frequency);
  run_guard(o->run, 1);
  const Status status = write_step(o, frequency);
  run_guard(o->run, 0);
  return status;
}

Status harmonic_output_step(HarmonicOutput *o, double frequency, const LinearReport *linear) {
  static const char *const names[] = {"frequency", "iterations", "products", "restarts", "true_residual"};
  const double values[] = {frequency, (double)linear->iterations, (double)linear->products, linear->restarts,
                           linear->true_residual};
  return writer_history(o->writer, 5, names, values);
}
