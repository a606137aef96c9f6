/* The table of fields.def. */
#include "assembly/elasticity/elasticity.h"

#include <string.h>

enum {
#define ELASTIC_FIELD(NAME, m, word, where, parts, unit, linear, ...)                                                  \
  MEMBER_##NAME = offsetof(ElasticFields, m), WIDTH_##NAME = FIELD_WIDTH_##parts, AT_##NAME = WHERE_##where,           \
  LINEAR_##NAME = linear,
#define ELASTIC_ALIAS(NAME, ...)
#include "assembly/elasticity/fields.def"
};

#define IN(WHAT, a, b, c, d)                                                                                           \
  WHAT##_##a << FIELDS_STATIC | WHAT##_##b << FIELDS_FINITE | WHAT##_##c << FIELDS_TRANSIENT |                         \
      WHAT##_##d << FIELDS_VIBRATION
const FieldType elastic_field[N_ELASTIC_FIELDS] = {
#define ELASTIC_ALIAS(NAME, OF, word_, parts, unit_, a, b, c, d)                                                       \
  {.word = word_,                                                                                                      \
   .part = {FIELD_##parts(word_, FIELD_PART, 0)},                                                                      \
   .of = ELASTIC_##OF,                                                                                                 \
   .member = MEMBER_##OF,                                                                                              \
   .where = (FieldWhere)AT_##OF,                                                                                       \
   .width = WIDTH_##OF,                                                                                                \
   .unit = UNIT_##unit_,                                                                                               \
   .linear = LINEAR_##OF,                                                                                              \
   .fields = IN(FIELD_WORD, a, b, c, d),                                                                               \
   .probes = IN(FIELD_PROBE, a, b, c, d)},
#define ELASTIC_FIELD(NAME, m, word, where, parts, unit, linear, a, b, c, d)                                           \
  ELASTIC_ALIAS(NAME, NAME, word, parts, unit, a, b, c, d)
#include "assembly/elasticity/fields.def"
};

/* Members differ in type, double * and rows of it: a copy of the pointer, not a view of it. */
double *elastic_field_value(const ElasticFields *fields, int32_t k) {
  double *value;
  memcpy(&value, (const char *)fields + elastic_field[k].member, sizeof value);
  return value;
}

void elastic_field_put(ElasticFields *fields, int32_t k, double *value) {
  memcpy((char *)fields + elastic_field[k].member, &value, sizeof value);
}
