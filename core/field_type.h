/* A result of any physics as one row: the words of its output, probes, units, files, envelopes and the collection from ranks
 * follow from rows: assembly/elasticity/fields.def, app/heat/fields.def, app/monodomain/fields.def and app/eikonal/fields.def. */
#pragma once
#include "core/unit_kind.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef enum FieldWhere { WHERE_NODES, WHERE_AVERAGES, WHERE_ELEMENTS, WHERE_POINTS } FieldWhere;

/* Its numbers as words, "stress-xx": DO(word, with) for each. */
#define FIELD_ONE(word, DO, with) DO(word, with)
#define FIELD_XYZ(word, DO, with) DO(word "-x", with) DO(word "-y", with) DO(word "-z", with)
#define FIELD_123(word, DO, with) DO(word "-1", with) DO(word "-2", with) DO(word "-3", with)
#define FIELD_VOIGT(word, DO, with)                                                                                    \
  DO(word "-xx", with)                                                                                                 \
  DO(word "-yy", with) DO(word "-zz", with) DO(word "-xy", with) DO(word "-yz", with) DO(word "-xz", with)
#define FIELD_PART(word, with) word,
enum { FIELD_WIDTH_ONE = 1, FIELD_WIDTH_XYZ = 3, FIELD_WIDTH_123 = 3, FIELD_WIDTH_VOIGT = 6, FIELD_PARTS = 6 };
/* What an analysis makes of a field: N nothing, Y a word of `output.fields`, P words of probes as well. */
enum { FIELD_WORD_N = 0, FIELD_WORD_Y = 1, FIELD_WORD_P = 1, FIELD_PROBE_N = 0, FIELD_PROBE_Y = 0, FIELD_PROBE_P = 1 };

typedef struct FieldType {
  const char *word, *part[FIELD_PARTS];
  int32_t of; /* the row that has the numbers; of an alias another one */
  FieldWhere where;
  int32_t width;
  UnitKind unit;
  bool linear;     /* in the solution */
  unsigned fields, /* bits of the analyses in which it is a word of `output.fields` */
      probes;      /* likewise of a probe */
  size_t member;   /* of its array in a struct of them, where there is one */
} FieldType;

/* A row of a physics of one analysis. */
#define FIELD_ROW(word_, where_, parts_, unit_, words_)                                                                \
  {.word = word_,                                                                                                      \
   .part = {FIELD_##parts_(word_, FIELD_PART, 0)},                                                                     \
   .where = WHERE_##where_,                                                                                            \
   .width = FIELD_WIDTH_##parts_,                                                                                      \
   .unit = UNIT_##unit_,                                                                                               \
   .fields = FIELD_WORD_##words_,                                                                                      \
   .probes = FIELD_PROBE_##words_},

/* A number of a field, by its word: row -1 where no row has it. */
typedef struct FieldPart {
  int32_t row, component;
} FieldPart;
static inline FieldPart field_part(const FieldType *type, int32_t n, const char *word) {
  for (int32_t k = 0; k < n; ++k)
    for (int32_t c = 0; c < type[k].width; ++c)
      if (type[k].part[c] && strcmp(type[k].part[c], word) == 0) return (FieldPart){k, c};
  return (FieldPart){-1, 0};
}
static inline bool field_at_nodes(const FieldType *type) { return type->where <= WHERE_AVERAGES; }
