#include "app/elasticity/elastic_fields.h"
#include "app/elasticity/case_elasticity.h"
#include "app/run/ranks.h"

/* clang-format off */
#define WORD_Y(word) {word, false},
#define WORD_N(word)
const Word elastic_field_words[][N_ELASTIC_FIELDS + 1] = {
    [FIELDS_STATIC] = {
#define ELASTIC_FIELD(N, m, word, where, width, unit, linear, statics, ...) WORD_##statics(word)
#define ELASTIC_ALIAS(N, of, word, unit, statics, ...) WORD_##statics(word)
#include "assembly/elasticity/fields.def"
        {NULL, false}},
    [FIELDS_FINITE] = {
#define ELASTIC_FIELD(N, m, word, where, width, unit, linear, s, finite, ...) WORD_##finite(word)
#define ELASTIC_ALIAS(N, of, word, unit, s, finite, ...) WORD_##finite(word)
#include "assembly/elasticity/fields.def"
        {NULL, false}},
    [FIELDS_TRANSIENT] = {
#define ELASTIC_FIELD(N, m, word, where, width, unit, linear, s, f, transient, v) WORD_##transient(word)
#define ELASTIC_ALIAS(N, of, word, unit, s, f, transient, v) WORD_##transient(word)
#include "assembly/elasticity/fields.def"
        {NULL, false}},
    [FIELDS_VIBRATION] = {
#define ELASTIC_FIELD(N, m, word, where, width, unit, linear, s, f, t, vibration) WORD_##vibration(word)
#define ELASTIC_ALIAS(N, of, word, unit, s, f, t, vibration) WORD_##vibration(word)
#include "assembly/elasticity/fields.def"
        {NULL, false}}};
/* clang-format on */

FieldAnalysis elastic_analysis(const Case *c) {
  if (c->physics == &finite_physics) return FIELDS_FINITE;
  if (c->physics == &transient_physics) return FIELDS_TRANSIENT;
  const bool vibrates = c->physics == &harmonic_physics || c->physics == &modal_physics;
  return vibrates || c->physics == &buckling_physics ? FIELDS_VIBRATION : FIELDS_STATIC;
}

static bool is_word(const Case *c, int32_t k) { return elastic_field[k].in >> elastic_analysis(c) & 1; }

bool elastic_field_asked(const Case *c, int32_t field) {
  int32_t word = 0;
  for (int32_t k = 0; k < field; ++k) word += is_word(c, k);
  return is_word(c, field) && words_have(&c->output.fields, word);
}

unsigned elastic_fields_asked(const Case *c) {
  unsigned which = 0;
  for (int32_t k = 0; k < N_ELASTIC_FIELDS; ++k)
    if (elastic_field_asked(c, k)) which |= 1u << elastic_field[k].of;
  return which;
}

StreamField elastic_stream_field(const Case *c, int32_t k) {
  const ElasticField *f = &elastic_field[k];
  return (StreamField){.name = f->word,
                       .wanted = elastic_field_asked(c, k),
                       .on_cells = !elastic_field_at_nodes(k),
                       .n_component = f->width,
                       .unit = f->unit};
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
    const ElasticField *f = &elastic_field[k];
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
