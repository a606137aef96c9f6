/* What keys a map of the case file may hold, as tables: reading, checking, the resolved echo of `sinew check` and the
 * lists in messages all work from them. Each struct that a schema fills begins with `Place place`. */
#pragma once
#include "output/text.h"
#include "app/input/tree.h"
#include "core/expr.h"
#include "core/param.h"

#include <assert.h>
#include <stddef.h>

/* What the values become. place all zero: not given (text NULL, or the default). */
typedef struct TextValue {
  const char *text;
  Place place;
} TextValue; /* text is a view into the tree */
typedef struct NumberValue {
  double value;
  Place place;
} NumberValue;
typedef struct IntegerValue {
  int64_t value;
  Place place;
} IntegerValue;
typedef struct FlagValue {
  bool value;
  Place place;
} FlagValue;
typedef struct WordValue {
  int32_t value;
  const char *text;
  Place place;
} WordValue; /* value: index of the word */
enum { WORDS_MOST = 1024 };
typedef struct WordsValue {
  uint64_t bits[WORDS_MOST / 64];
  Place place;
} WordsValue; /* words_have: is word i among them? */
static inline bool words_have(const WordsValue *words, int32_t i) { return words->bits[i / 64] >> (i % 64) & 1; }
typedef struct ExprValue {
  Expr expr;
  const char *text;
  Place place;
} ExprValue;
typedef struct ExprsValue {
  ExprValue item[3];
  int32_t n;
  bool single, normal;
  Place place;
} ExprsValue; /* single: one for all; normal: {normal: that}, along the normal alone */
typedef struct VectorValue {
  double value[3];
  int32_t n;
  Place place;
} VectorValue;
/* n: 0 nothing, 1 one number for all directions, 2 or 3 directions; symmetric. diagonal: given as a list of numbers. */
typedef struct TensorValue {
  double value[3][3];
  int32_t n;
  bool diagonal;
  Place place;
} TensorValue;
typedef struct NamesValue {
  TextValue *item;
  int32_t n;
  Place place;
} NamesValue; /* item owned */
typedef struct MapsValue {
  void *item;
  int32_t n;
  size_t size; /* of an item: Schema.size; 0 where there is none */
  Place place;
} MapsValue; /* item owned */
/* Numbers by names that no table knows, such as those of load cases. */
typedef struct Factor {
  TextValue name;
  double value;
  bool times; /* "*0.5": so many times what the name stands for */
} Factor;
typedef struct FactorsValue {
  Factor *item;
  int32_t n;
  Place place;
} FactorsValue; /* item owned */
/* Item i, which must be of this size: the physics that reads a list is the one whose table filled it. */
static inline void *maps_item(const MapsValue *maps, size_t size, int32_t i) {
  assert(maps->size == size && i >= 0 && i < maps->n);
  return (char *)maps->item + (size_t)i * size;
}

/* How the structs of maps begin that stand in a map under names of their own. */
typedef struct NamedItem {
  Place place;
  TextValue name;
} NamedItem;

/* A value that is not one number but varies with the place: an expression, data of the mesh, or a table by regions. */
typedef struct VaryingValue {
  Place place; /* zero: it is a number */
  ExprValue expr;
  TextValue field, table; /* table: a file */
  WordValue by;           /* what the rows of the table are of: 0, regions */
  bool relative;          /* the number or the expression is so many times that of the preset */
} VaryingValue;

typedef enum ValueType {
  VALUE_TEXT,             /* TextValue */
  VALUE_NUMBER,           /* NumberValue; NaN where it varies (Key.varying) */
  VALUE_INTEGER,          /* IntegerValue */
  VALUE_FLAG,             /* FlagValue: true or false */
  VALUE_WORD,             /* WordValue, one of Key.words */
  VALUE_WORDS,            /* WordsValue, a list of them */
  VALUE_EXPR,             /* ExprValue: a number or an expression */
  VALUE_EXPRS,            /* ExprsValue: a list of 2 or 3 */
  VALUE_EXPR_OR_EXPRS,    /* ExprsValue, one for all, a list, or {normal: one} */
  VALUE_VECTOR,           /* VectorValue: 2 or 3 numbers */
  VALUE_NUMBER_OR_VECTOR, /* VectorValue, n 1 for a number alone */
  VALUE_TENSOR,           /* TensorValue: a number, 2 or 3 numbers, or 2 or 3 rows of as many */
  VALUE_NAMES,            /* NamesValue: a name or a list of names */
  VALUE_FACTORS,          /* FactorsValue: a map of numbers, whose keys are any names */
  VALUE_MAP,              /* a struct in place, by Key.schema */
  VALUE_MAPS,             /* MapsValue: a list of maps */
  VALUE_NAMED_MAPS        /* MapsValue of NamedItem: this row, SCHEMA_ANY_NAME, has all keys that no other row has */
} ValueType;

#define SCHEMA_ANY_NAME "NAME"
typedef struct Word {
  const char *name;
  uint32_t only; /* bits of the kinds of case that have it (Physics.kind); 0: all of them */
} Word;

typedef struct Schema Schema;
typedef struct Key {
  const char *name;
  ValueType type;
  bool required;
  size_t offset; /* of the value in the struct */
  size_t
      varying; /* of a number, the numbers of a vector, or the one of a tensor: of VaryingValue[] in it; 0: numbers only */
  const char *initial; /* default, as it would stand in the file; NULL: none */
  double min, max;     /* numbers and integers; both 0: any finite one */
  bool open_min, open_max;
  const Word *words; /* ends with a NULL name; of an integer: what says that it is not given */
  const Schema *schema;
  const char *meaning;
  bool relative; /* of factors: "*0.5" too */
  const char *(*meant)(
      const char
          *word); /* what stands here for a word of another program, a sentence; NULL: not known. NULL: none is */
  bool inside;    /* a map in place of the value has further keys of the map that this one stands in */
  /* Is this key, or this of its words, nothing that messages offer in such a case? NULL: they offer all. */
  bool (*hides)(const Tree *tree, const char *name);
  uint32_t only;       /* bits of the kinds of case that have it; 0: all. Rows of one name are for different kinds */
  const char *instead; /* what to do in the others, for messages; NULL: leave it out, or make it a case of that kind */
} Key;

struct Schema {
  const char *what; /* "a boundary entry" */
  int n;
  const Key *key;
  size_t size;       /* of the struct */
  const char *plain; /* a plain value (of names: a list too) instead of the map means this key; NULL: not allowed */
  bool optional;     /* a map that is not there has no defaults either, and its place stays zero */
  bool made;         /* where it is not there another map may make its values: they are echoed as a comment */
  const char *whole; /* this word instead of the map sets every key to 0 ("all" of fix); NULL: not allowed */
  /* Parameters by name that depend on a word of the map (those of a material on its type): the key of that word, the
   * table that belongs to each word (-1: none was given), and where NumberValue[] lies. */
  const char *chooser;
  const Param *(*params)(int32_t word, int *n);
  size_t params_offset;
  size_t varying_offset; /* of VaryingValue[] beside NumberValue[]; 0: parameters are numbers only */
  size_t curves_offset;  /* of ParamCurves beside them; 0: none is a curve */
  bool relative;         /* they may be so many times those of a preset: "*0.5" */
  /* The texts that `key` may be beside that word, at most `most` into names; returns how many, 0: any. NULL: any. */
  int (*texts)(int32_t word, const char *key, int most, const char *names[]);
  /* Of a key of other kinds of case or of another program: what goes with it and what to do, behind "KEY "; NULL: not known. NULL: none is. */
  const char *(*elsewhere)(const char *key);
  /* Does the key or parameter say nothing in such a map of such a case, where it would be refused? The echo leaves out its default, and
   * what the program finds by itself. NULL: all say something. */
  bool (*idle)(const void *root, const void *map, const char *name);
};

/* Has a case with the bits `kind` (of its Physics) the key or word with the bits `only`? KIND_ANY: a case of any kind. */
#define KIND_ANY UINT32_MAX
#define KIND_NONE (1u << 31) /* of what no kind has */
static inline bool kind_has(uint32_t kind, uint32_t only) { return !only || only & kind; }
enum { KINDS_BYTES = 512 };
/* "is for static and modal cases; this is a harmonic case", and in a second line a remedy: of what has the bits `only` and a
 * case with the bits `kind` has not. False: no kind of the same physics has it. */
bool kinds_refusal(uint32_t kind, uint32_t only, char text[KINDS_BYTES]);
/* The first key of that name in a case of that kind; NULL: the table has none. Tables made from lists may have a name
 * more than once, in keys and in words: the first one counts. */
const Key *schema_key(const Schema *schema, uint32_t kind, const char *name);
/* The row for keys that are names; NULL: the map has none. */
const Key *schema_any_name(const Schema *schema);
/* Index of the word, -1 when it is none of them. */
int32_t schema_word(const Word *words, const char *name);

/* Of a map with parameters: the table that belongs to its word, or to the default where it has none or an unknown one. NULL: none. */
const Param *schema_params(const Schema *schema, const Tree *tree, int32_t map, int *n);

/* Reads map `node` of a case of that kind into target (zeroed, of schema->size). Everything wrong goes to diagnostics.
 * Expressions may call the tables. */
void schema_read(const Schema *schema, uint32_t kind, Tree *tree, int32_t node, const ExprTables *tables, void *target,
                 Diagnostics *diagnostics);
/* Frees the lists inside. */
void schema_release(const Schema *schema, void *target);
/* Appends the map with all defaults filled in as YAML; it reads back to the same. brief: without parameters of presets that are as there, and with the keys
 * that are not given last, behind ECHO_REST. */
#define ECHO_REST "# unless given\n"
void schema_echo(const Schema *schema, uint32_t kind, const void *target, bool brief, Text *out);
