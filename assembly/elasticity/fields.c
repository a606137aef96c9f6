/* The table of fields.def. */
#include "assembly/elasticity/elasticity.h"
#include "physics/material_kernels.h"

#include <string.h>

enum {
#define ELASTIC_FIELD(NAME, m, word, where, parts, unit, linear, ...)                                                  \
  MEMBER_##NAME = offsetof(ElasticFields, m), WIDTH_##NAME = FIELD_WIDTH_##parts, AT_##NAME = WHERE_##where,           \
  LINEAR_##NAME = linear,
#define ELASTIC_ALIAS(NAME, ...)
#include "assembly/elasticity/fields.def"
};

enum { WITH_MEMORY = 1 << FIELDS_FINITE | 1 << FIELDS_STEPPED | 1 << FIELDS_MOTION | 1 << FIELDS_MOVING };
#define IN(WHAT, a, b, c, d, e)                                                                                        \
  WHAT##_##a << FIELDS_STATIC | WHAT##_##b << FIELDS_FINITE | WHAT##_##c << FIELDS_TRANSIENT |                         \
      WHAT##_##d << FIELDS_VIBRATION | WHAT##_##e << FIELDS_STEPPED | (WHAT##_##b | WHAT##_##c) << FIELDS_MOTION |     \
      (WHAT##_##e | WHAT##_##c) << FIELDS_MOVING
#define STATES_OF_BLOCK(name)
#define STATES_OF_LINEAR(name)
#define STATES_OF_POINT(name) name##_states(STATE)
#define MATERIAL(name, word, law) STATES_OF_##law(name)
#define STATE_ROW(word_, ROW, at, probes_, unit_)                                                                      \
  {.word = word_,                                                                                                      \
   .part = {word_},                                                                                                    \
   .of = ELASTIC_##ROW,                                                                                                \
   .member = MEMBER_##ROW,                                                                                             \
   .where = WHERE_##at,                                                                                                \
   .width = 1,                                                                                                         \
   .unit = UNIT_##unit_,                                                                                               \
   .fields = FIELD_WORD_Y * WITH_MEMORY,                                                                               \
   .probes = FIELD_PROBE_##probes_ * WITH_MEMORY},
const FieldType elastic_field[] = {
#define ELASTIC_ALIAS(NAME, OF, word_, parts, unit_, a, b, c, d, e)                                                    \
  {.word = word_,                                                                                                      \
   .part = {FIELD_##parts(word_, FIELD_PART, 0)},                                                                      \
   .of = ELASTIC_##OF,                                                                                                 \
   .member = MEMBER_##OF,                                                                                              \
   .where = (FieldWhere)AT_##OF,                                                                                       \
   .width = WIDTH_##OF,                                                                                                \
   .unit = UNIT_##unit_,                                                                                               \
   .linear = LINEAR_##OF,                                                                                              \
   .fields = IN(FIELD_WORD, a, b, c, d, e),                                                                            \
   .probes = IN(FIELD_PROBE, a, b, c, d, e)},
#define ELASTIC_FIELD(NAME, m, word, where, parts, unit, linear, a, b, c, d, e)                                        \
  ELASTIC_ALIAS(NAME, NAME, word, parts, unit, a, b, c, d, e)
#include "assembly/elasticity/fields.def"
#define STATE(word, meaning, unit, initial) STATE_ROW(word, STATES, AVERAGES, P, unit)
#include MATERIALS_DEF
    active_states(STATE)
#undef STATE
#define STATE(word, meaning, unit, initial) STATE_ROW("element-" word, ELEMENT_STATES, ELEMENTS, N, unit)
#include MATERIALS_DEF
        active_states(STATE)
#undef STATE
#define STATE(word, meaning, unit, initial) STATE_ROW("point-" word, POINT_STATES, POINTS, N, unit)
#include MATERIALS_DEF
            active_states(STATE)
#undef STATE
#define CELL(word_, unit_, probes_)                                                                                    \
  {.word = word_, .part = {word_}, .of = ELASTIC_DISPLACEMENT, .where = WHERE_NODES, .width = 1, .unit = UNIT_##unit_},
                cell_fields(CELL)
#undef CELL
};

int32_t elastic_cell_row(void) { return elastic_field_rows() - N_CELL_FIELDS; }

int32_t elastic_field_rows(void) { return (int32_t)(sizeof elastic_field / sizeof elastic_field[0]); }

/* Members differ in type, double * and rows of it: a copy of the pointer, not a view of it. */
double *elastic_field_value(const ElasticFields *fields, int32_t k) {
  double *value;
  if (k >= N_ELASTIC_FIELDS) return fields->state[k - N_ELASTIC_FIELDS];
  memcpy(&value, (const char *)fields + elastic_field[k].member, sizeof value);
  return value;
}

void elastic_field_put(ElasticFields *fields, int32_t k, double *value) {
  memcpy((char *)fields + elastic_field[k].member, &value, sizeof value);
}
