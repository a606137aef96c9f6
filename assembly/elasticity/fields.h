/* The rows of fields.def. Kernels have members of their own by the same rows (recover_rows.h). */
#pragma once
#include "core/field_type.h"

#include <stdint.h>

/* ELASTIC_STRESS and so on: rows. */
typedef enum ElasticFieldId {
#define ELASTIC_FIELD(NAME, ...) ELASTIC_##NAME,
#define ELASTIC_ALIAS(NAME, ...) ELASTIC_##NAME,
#include "assembly/elasticity/fields.def"
  N_ELASTIC_FIELDS
} ElasticFieldId;
/* Kinds of analysis that differ in the words they have, as the last columns; motion by Newton's method has those of its
 * strain and of motion. Bits of FieldType.fields and probes. */
typedef enum FieldAnalysis {
  FIELDS_STATIC,
  FIELDS_FINITE,
  FIELDS_TRANSIENT,
  FIELDS_VIBRATION,
  FIELDS_STEPPED,
  FIELDS_MOTION,
  FIELDS_MOVING
} FieldAnalysis;

/* What is to be recovered, by bits. */
typedef uint64_t FieldBits;
#define FIELD_BIT(k) (UINT64_C(1) << (k))
enum {
#define ELASTIC_FIELD(NAME, ...) FIELD_##NAME = FIELD_BIT(ELASTIC_##NAME),
#define ELASTIC_ALIAS(NAME, ...)
#include "assembly/elasticity/fields.def"
  FIELD_ALL = 0 /* of statics */
#define ELASTIC_FIELD(NAME, m, word, where, parts, unit, linear, statics, ...) | FIELD_WORD_##statics *FIELD_##NAME
#define ELASTIC_ALIAS(NAME, ...)
#include "assembly/elasticity/fields.def"
  ,
  FIELD_AVERAGES = 0 /* averages at nodes */
#define ELASTIC_FIELD(NAME, m, word, where, ...) | (WHERE_##where == WHERE_AVERAGES ? FIELD_##NAME : 0)
#define ELASTIC_ALIAS(NAME, ...)
#include "assembly/elasticity/fields.def"
  ,
  FIELD_POINTS = 0
#define ELASTIC_FIELD(NAME, m, word, where, ...) | (WHERE_##where == WHERE_POINTS ? FIELD_##NAME : 0)
#define ELASTIC_ALIAS(NAME, ...)
#include "assembly/elasticity/fields.def"
};

#ifndef __cplusplus
_Static_assert(N_ELASTIC_FIELDS <= 64, "each row is a bit of FieldBits");
#endif

/* Rows behind all others, of nodes, that the driver of a muscle has: of the cells that drive it, and of the walls of its cavities,
 * strains of Green and Lagrange in directions of the wall. CELL("word", unit, FIELDS where it is a word of `output.fields` with cells, WALLS where
 * also without, MAPS where it is one of `output.maps` with cells, which is written once, PEAKS where also without: what a node had in the last whole
 * beat; maps come last). */
#define cell_fields(CELL)                                                                                              \
  CELL("potential", POTENTIAL, FIELDS)                                                                                 \
  CELL("calcium", NONE, FIELDS)                                                                                        \
  CELL("strain-circumferential", NONE, WALLS)                                                                          \
  CELL("strain-longitudinal", NONE, WALLS)                                                                             \
  CELL("strain-radial", NONE, WALLS)                                                                                   \
  CELL("activation", TIME, MAPS)                                                                                       \
  CELL("repolarization", TIME, MAPS)                                                                                   \
  CELL("peak-stretch", NONE, PEAKS)                                                                                    \
  CELL("end-systolic-stretch", NONE, PEAKS)                                                                            \
  CELL("peak-tension", STRESS, PEAKS)                                                                                  \
  CELL("peak-tension-time", TIME, PEAKS)
typedef enum CellField {
  CELL_POTENTIAL,
  CELL_CALCIUM,
  CELL_CIRCUMFERENTIAL,
  CELL_LONGITUDINAL,
  CELL_RADIAL,
  CELL_ACTIVATION,
  CELL_REPOLARIZATION,
  CELL_PEAK_STRETCH,
  CELL_END_SYSTOLIC_STRETCH,
  CELL_PEAK_TENSION,
  CELL_PEAK_TENSION_TIME,
  N_CELL_FIELDS
} CellField;

/* The rows of fields.def, behind them those of the states of all materials, whose numbers ElasticFields.state has, and from
 * elastic_cell_row() on those of cells. */
extern const FieldType elastic_field[];
int32_t elastic_field_rows(void);
int32_t elastic_cell_row(void);
/* Is row k one of those whose numbers are of the states that are asked for? */
static inline bool elastic_is_states(int32_t k) {
  return k == ELASTIC_STATES || k == ELASTIC_ELEMENT_STATES || k == ELASTIC_POINT_STATES;
}
/* Rows with numbers of their own: the loop over what is there. */
#define FOR_ELASTIC_FIELDS(k)                                                                                          \
  for (int32_t k = 0; k < N_ELASTIC_FIELDS; ++k)                                                                       \
    if (elastic_field[k].of == k)
/* The array of a row, also of an alias; NULL: not there. And another one in its place. */
struct ElasticFields;
double *elastic_field_value(const struct ElasticFields *fields, int32_t k);
void elastic_field_put(struct ElasticFields *fields, int32_t k, double *value);
