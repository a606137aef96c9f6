#include "app/elasticity/elastic_fields.h"
#include "app/elasticity/case_elasticity.h"
#include "app/run/ranks.h"

/* The bits of the analyses in which a column of fields.def says so. */
#define FIELD_KINDS(WHAT, statics, finite, transient, vibration)                                                       \
  (WHAT##_##statics * ANALYSIS_STATIC | WHAT##_##finite * ANALYSIS_FINITE | WHAT##_##transient * ANALYSIS_TRANSIENT |  \
   WHAT##_##vibration * (ANALYSIS_HARMONIC | HAS_MODES))
const Word elastic_field_words[] = {
#define ELASTIC_FIELD(NAME, m, word, where, parts, unit, linear, ...) {word, FIELD_KINDS(FIELD_WORD, __VA_ARGS__)},
#define ELASTIC_ALIAS(NAME, of, word, parts, unit, ...) {word, FIELD_KINDS(FIELD_WORD, __VA_ARGS__)},
#include "assembly/elasticity/fields.def"
    {NULL, 0}};
#define PROBE_WORD(word, only) {word, (only) ? (uint32_t)(only) : KIND_NONE},
const Word elastic_probe_words[] = {
#define ELASTIC_FIELD(NAME, m, word, where, parts, unit, linear, ...)                                                  \
  FIELD_##parts(word, PROBE_WORD, FIELD_KINDS(FIELD_PROBE, __VA_ARGS__))
#define ELASTIC_ALIAS(NAME, of, word, parts, unit, ...)                                                                \
  FIELD_##parts(word, PROBE_WORD, FIELD_KINDS(FIELD_PROBE, __VA_ARGS__))
#include "assembly/elasticity/fields.def"
    {NULL, 0}};

static bool is_word(const Case *c, int32_t k) { return kind_has(c->physics->kind, elastic_field_words[k].only); }

bool elastic_field_asked(const Case *c, int32_t field) { return words_have(&c->output.fields, field); }

unsigned elastic_fields_asked(const Case *c) {
  unsigned which = 0;
  for (int32_t k = 0; k < N_ELASTIC_FIELDS; ++k)
    if (elastic_field_asked(c, k)) which |= 1u << elastic_field[k].of;
  return which;
}

FieldPart elastic_probe(const Case *c, int32_t i) {
  return field_part(elastic_field, N_ELASTIC_FIELDS, case_probe(c, i)->field.text);
}

unsigned elastic_probes_need(const Case *c) {
  unsigned which = 0;
  for (int32_t i = 0; i < c->output.probes.n; ++i) which |= 1u << elastic_field[elastic_probe(c, i).row].of;
  return which;
}

static UnitKind column_kind(const Case *c, int32_t i) {
  static const UnitKind of_sum[] = {[SUM_REACTION] = UNIT_FORCE,
                                    [SUM_STRAIN_ENERGY] = UNIT_ENERGY,
                                    [SUM_VOLUME] = UNIT_NONE,
                                    [SUM_PRESSURE] = UNIT_STRESS};
  if (i < c->output.probes.n) {
    const FieldType *f = &elastic_field[elastic_probe(c, i).row];
    return case_probe(c, i)->part.value == PART_PHASE && f->linear ? UNIT_ANGLE : f->unit; /* of vibrations */
  }
  i -= c->output.probes.n;
  for (int32_t k = 0; k < c->output.sums.n; i -= sum_columns(c, case_sum(c, k++)))
    if (i < sum_columns(c, case_sum(c, k))) return of_sum[case_sum(c, k)->field.value];
  return UNIT_NONE;
}

const char *elastic_column_unit(const Case *c, const Units *units, int32_t i) {
  return units_text(units, column_kind(c, i));
}

StreamField elastic_stream_field(const Case *c, int32_t k) {
  return stream_field(&elastic_field[k], elastic_field_asked(c, k));
}

/* The first word of the analysis that has these numbers, else the row itself. */
static int32_t carrier(const Case *c, int32_t of) {
  for (int32_t k = 0; k < N_ELASTIC_FIELDS; ++k)
    if (is_word(c, k) && elastic_field[k].of == of) return k;
  return of;
}

void elastic_stream_fields(const Run *run, unsigned more, int64_t n_point, ElasticTake *take,
                           StreamField out[N_ELASTIC_FIELDS]) {
  const Mesh *mesh = run_mesh(run);
  for (int32_t k = 0; k < N_ELASTIC_FIELDS; ++k) {
    const FieldType *f = &elastic_field[k];
    const bool carries = more >> f->of & 1 && carrier(run->c, f->of) == k;
    const int64_t n = f->where == WHERE_POINTS     ? n_point
                      : f->where == WHERE_ELEMENTS ? mesh->n_element - setup_first_solved(mesh)
                                                   : mesh->n_node;
    out[k] = elastic_stream_field(run->c, k);
    out[k].n_taken = out[k].wanted || carries ? n * f->width : 0;
    out[k].take = take;
    out[k].unpack = result_field_taken;
  }
}

/* Words that share numbers have them in one of them, or alike. */
ElasticFields elastic_fields_of(const StreamMoment *moment) {
  ElasticFields fields = {0};
  for (int32_t k = N_ELASTIC_FIELDS - 1; k >= 0; --k)
    if (moment->value && moment->value[k] && (elastic_field[k].unit == elastic_field[elastic_field[k].of].unit))
      elastic_field_put(&fields, k, (double *)(uintptr_t)moment->value[k]);
  return fields;
}
