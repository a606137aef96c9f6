/* Files of a harmonic run. u(t) = Re(u e^(i omega t)); with a loss the stress is (1 + i loss) D e(u). */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "app/elasticity/elastic_fields.h"
#include "app/elasticity/run_harmonic.h"
#include "app/run/ranks.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>

enum { HISTORY = 5, PARTS = 4, FIELDS = PARTS * N_ELASTIC_FIELDS };
static const char *const history_name[HISTORY] = {"frequency", "iterations", "products", "restarts", "true_residual"};

/* Of a field of nodes amplitudes and phases are stored too; one that is not linear has no parts. */
static bool has_part(int32_t k, HarmonicPart part) {
  const FieldType *f = &elastic_field[k];
  if (!(f->fields >> FIELDS_VIBRATION & 1)) return false;
  return !f->linear ? part == PART_AMPLITUDE : f->where == WHERE_NODES || part == PART_REAL || part == PART_IMAGINARY;
}

static FieldBits fields_needed(const Case *c) {
  const FieldBits which = elastic_fields_asked(c) | elastic_probes_need(c);
  return FIELD_DISPLACEMENT | (which & FIELD_AVERAGES ? FIELD_STRESS : 0);
}

static double *part_value(const HarmonicOutput *o, int32_t k, HarmonicPart part) {
  const bool made = part == PART_AMPLITUDE || part == PART_PHASE;
  return made ? o->made[k][part == PART_PHASE] : elastic_field_value(&o->part[part == PART_IMAGINARY], k);
}

/* In the order of files. */
static const HarmonicPart part_order[PARTS] = {PART_REAL, PART_IMAGINARY, PART_AMPLITUDE, PART_PHASE};

static const double *field_unpack(void *context, const StreamMoment *m, int32_t f, double *room) {
  (void)m, (void)room;
  return part_value(context, f / PARTS, part_order[f % PARTS]);
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
static void run_harmonic_output_lossy(double loss, double re[6], double im[6]) {
  for (int k = 0; k < 6; ++k) {
    const double a = re[k], b = im[k];
    re[k] = a - loss * b;
    im[k] = b + loss * a;
  }
}

/* Sizes and phases of a linear field, n numbers. */
static void parts_derive(HarmonicOutput *o, int32_t k, int64_t n) {
  const double *re = part_value(o, k, PART_REAL), *im = part_value(o, k, PART_IMAGINARY);
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n; ++i) {
    o->made[k][0][i] = hypot(re[i], im[i]);
    o->made[k][1][i] = phase_of(re[i], im[i]);
  }
}

static void fields_derive(HarmonicOutput *o, double loss) {
  ElasticFields *re = &o->part[0], *im = &o->part[1];
  const int32_t n_node = o->run->mesh->n_node;
  for (int64_t k = 0; k < re->n_other; ++k) run_harmonic_output_lossy(loss, re->other[k].stress, im->other[k].stress);
  FOR_ELASTIC_FIELDS(k)
  if (has_part(k, PART_PHASE)) parts_derive(o, k, (int64_t)n_node * elastic_field[k].width);
  if (!(o->needed & FIELD_STRESS)) return;
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < n_node; ++i) {
    run_harmonic_output_lossy(loss, re->stress[i], im->stress[i]);
    o->made[ELASTIC_VON_MISES][0][i] = mises_of(re->stress[i], im->stress[i]);
  }
}

/* Of von Mises' stress, as an element of this material sees it (-1: the point is the node). */
static double largest_at(const HarmonicOutput *s, FieldPart of, int32_t node, int32_t material) {
  const int64_t other = material >= 0 ? elastic_fields_other(&s->part[0], node, material) : -1;
  return other < 0 ? part_value(s, of.row, PART_AMPLITUDE)[node]
                   : mises_of(s->part[0].other[other].stress, s->part[1].other[other].stress);
}

static double largest_between(const Mesh *mesh, const Location *at, const HarmonicOutput *s, FieldPart of) {
  if (at->node >= 0) return largest_at(s, of, at->node, -1);
  const ElementType *type = element_type(mesh_block_of(mesh, at->element)->kind);
  const int32_t *nodes = mesh_nodes_of(mesh, at->element);
  const int32_t material = s->part[0].material[at->element - setup_first_solved(mesh)];
  double N[ELEMENT_MAX_NODES], value = 0;
  type->values(at->xi, N);
  for (int32_t a = 0; a < type->n_node; ++a) value += N[a] * largest_at(s, of, nodes[a], material);
  return value;
}

static double probe_value(const Mesh *mesh, const Location *at, const HarmonicOutput *s, FieldPart of,
                          HarmonicPart part) {
  if (!elastic_field[of.row].linear) return largest_between(mesh, at, s, of);
  const double re = results_at(mesh, at, &s->part[0], of), im = results_at(mesh, at, &s->part[1], of);
  switch (part) {
  case PART_PHASE: return phase_of(re, im);
  case PART_REAL: return re;
  case PART_IMAGINARY: return im;
  case PART_AMPLITUDE: break;
  }
  return hypot(re, im);
}

/* Of each its real part, then its imaginary one. */
static Status tables_add(HarmonicOutput *o, const StreamMoment *m) {
  for (int32_t i = 0; m->stored && i < o->run->c->output.tables.n; ++i)
    for (int part = 0; part < 2; ++part) {
      const int32_t word = case_table(o->run->c, i)->field.value;
      const double *value = elastic_field_value(&o->part[part], elastic_table[word].field);
      const TableValues values = elastic_table_values(word, value, NULL);
      TRY(elastic_table_add(o->run, o->setup, i, m->time, &values, &o->tables));
    }
  return OK;
}

static Status columns_fill(void *context, const StreamMoment *m, double *value) {
  HarmonicOutput *o = context;
  TRY(tables_add(o, m));
  const Case *c = o->run->c;
  for (int32_t i = 0; i < c->output.probes.n; ++i)
    value[i] = probe_value(o->run->mesh, &o->setup->probe[i], o, elastic_setup(o->setup)->probe[i],
                           (HarmonicPart)case_probe(c, i)->part.value);
  return OK;
}

static Status stream_create(HarmonicOutput *o) {
  const Case *c = o->run->c;
  StreamField field[FIELDS];
  for (int f = 0; f < FIELDS; ++f) {
    const int32_t k = f / PARTS;
    const HarmonicPart part = part_order[f % PARTS];
    field[f] = elastic_stream_field(c, k);
    field[f].wanted = field[f].wanted && has_part(k, part);
    field[f].unpack = field[f].wanted ? field_unpack : NULL;
    if (!elastic_field[k].linear) continue;
    snprintf(o->name[f], sizeof o->name[f], "%s-%s", elastic_field[k].word, case_part_words[part].name);
    field[f].name = o->name[f];
    if (part == PART_PHASE) field[f].unit = UNIT_ANGLE;
  }
  const StreamParams params = {.first = "frequency",
                               .n_field = FIELDS,
                               .field = field,
                               .n_step = harmonic_count(c),
                               .n_history = HISTORY,
                               .history = history_name,
                               .context = o,
                               .columns = columns_fill};
  return result_stream_create(o->run, o->setup, &params, &o->stream);
}

Status harmonic_output_create(Run *run, const Setup *setup, Elasticity *elasticity, HarmonicOutput *o) {
  const int64_t n = run_is_root(run) ? run->mesh->n_node : 0;
  *o = (HarmonicOutput){.run = run, .setup = setup, .elasticity = elasticity, .needed = fields_needed(run->c)};
  FOR_ELASTIC_FIELDS(k)
  for (int p = 0; p < 2; ++p)
    if (has_part(k, p ? PART_PHASE : PART_AMPLITUDE) && (elastic_field[k].linear || o->needed & FIELD_STRESS))
      ALLOC(o->made[k][p], n * elastic_field[k].width, p ? "phases" : "amplitudes");
  run_guard(run, 1);
  const Status status = stream_create(o);
  run_guard(run, 0);
  return status;
}

Status harmonic_output_close(HarmonicOutput *o) {
  Status status = result_stream_close(&o->stream);
  if (status == OK)
    elastic_spread_warn(o->run, &o->spread, "at %g Hz",
                        "remedy: check damping and the units of young, density, loads and mesh, and the supports");
  if (status == OK && o->tables.n) status = tables_save(o->run, &o->tables);
  text_release(&o->tables);
  for (int part = 0; part < 2; ++part) {
    if (o->run && o->run->share) elastic_collect_release(&o->part[part]);
    elastic_fields_release(&o->own[part]);
  }
  for (int32_t k = 0; k < N_ELASTIC_FIELDS; ++k) {
    FREE(o->made[k][0]);
    FREE(o->made[k][1]);
  }
  return status;
}

/* What is here to what goes to the files. */
static Status part_show(HarmonicOutput *o, int part) {
  TRY(elastic_fields_wait(o->elasticity, &o->own[part]));
  if (!o->run->share) {
    o->part[part] = o->own[part];
    return OK;
  }
  elastic_collect_release(&o->part[part]);
  return elastic_collect(o->run, &o->own[part], &o->part[part]);
}

Status harmonic_output_store(HarmonicOutput *o, double frequency, double *const u[2]) {
  for (int part = 0; part < 2; ++part) {
    ElasticFields *f = &o->own[part];
    TRY(f->own ? elasticity_recover_again(o->elasticity, u[part], f)
               : elasticity_recover_start(o->elasticity, u[part], o->needed, f));
  }
  for (int part = 0; part < 2; ++part) TRY(part_show(o, part));
  if (run_is_root(o->run)) fields_derive(o, harmonic_factors(o->run->c, frequency).loss);
  const double *const parts[2] = {o->part[0].displacement[0], o->part[1].displacement[0]};
  if (run_is_root(o->run)) elastic_spread_add(o->run->mesh, 2, parts, frequency, &o->spread);
  run_guard(o->run, 1);
  const Status status = result_stream_store(o->stream, frequency);
  run_guard(o->run, 0);
  return status;
}

Status harmonic_output_step(HarmonicOutput *o, double frequency, const LinearReport *linear) {
  const double row[HISTORY] = {frequency, (double)linear->iterations, (double)linear->products, linear->restarts,
                               linear->true_residual};
  return result_stream_history(o->stream, row);
}
