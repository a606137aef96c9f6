/* The table of fields.def. */
#include "assembly/elasticity/elasticity.h"

#include <string.h>

enum {
#define ELASTIC_FIELD(NAME, m, word, where, width, unit, linear, ...)                                                  \
  MEMBER_##NAME = offsetof(ElasticFields, m), WIDTH_##NAME = width, AT_##NAME = WHERE_##where, LINEAR_##NAME = linear,
#define ELASTIC_ALIAS(NAME, ...)
#include "assembly/elasticity/fields.def"
};

const ElasticField elastic_field[N_ELASTIC_FIELDS] = {
#define ELASTIC_ALIAS(NAME, OF, word_, unit_, a, b, c, d)                                                              \
  {.word = word_,                                                                                                      \
   .of = ELASTIC_##OF,                                                                                                 \
   .member = MEMBER_##OF,                                                                                              \
   .where = (FieldWhere)AT_##OF,                                                                                       \
   .width = WIDTH_##OF,                                                                                                \
   .unit = UNIT_##unit_,                                                                                               \
   .linear = LINEAR_##OF,                                                                                              \
   .in = FIELD_IN_##a << FIELDS_STATIC | FIELD_IN_##b << FIELDS_FINITE | FIELD_IN_##c << FIELDS_TRANSIENT |            \
         FIELD_IN_##d << FIELDS_VIBRATION},
#define ELASTIC_FIELD(NAME, m, word, where, width, unit, linear, a, b, c, d)                                           \
  ELASTIC_ALIAS(NAME, NAME, word, unit, a, b, c, d)
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
