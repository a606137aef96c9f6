/* Single values of the case file; between the files schema*.c only. */
#pragma once
#include "app/input/schema.h"

typedef struct Reader {
  Tree *tree;
  Diagnostics *diagnostics;
  const ExprTables *tables; /* NULL: none */
  uint32_t kind;            /* of the case, a bit */
  const Schema *root;       /* of all that is read */
} Reader;

/* Reads node by the key's type into value; what is wrong goes to the diagnostics. */
void value_read(Reader *reader, const Key *key, int32_t node, void *value);
/* "+0.1", "-0.1", "/2": of a preset's value more, less, a part, or the number itself? False: none of these. */
bool value_refuse_sign(Reader *reader, const char *name, const TreeNode *node);
/* An expression, quoted or with signs that no number has, {field: NAME} or {table: FILE, by: region}; false: none of these. */
bool varying_read(Reader *reader, const char *name, int32_t node, VaryingValue *out);
bool varying_is_map(const Tree *tree, int32_t node); /* one of the two maps */
void varying_echo(const VaryingValue *varying, Text *out);
void echo_text(const char *text, Text *out);
void echo_expr(const ExprValue *value, Text *out);
/* A curve among parameters: its numbers go behind those of the others. And as it stands in the file. */
void curve_read(Reader *reader, const Param *param, int32_t node, NumberValue *out, ParamCurves *curves);
void curve_echo(const Param *param, double value, const ParamCurves *curves, Text *out);
void read_map(Reader *reader, const Schema *schema, int32_t node, void *target);
/* The defaults of a map that is not there; missing required keys are reported at `map`. */
void read_defaults(Reader *reader, const Schema *schema, Place map, void *target);
enum { KEYS_MAX = 512 };
/* Reports `child` of a map that has names name[n_name], at most KEYS_MAX, the keys of the schema first, "" for those that this case has
 * not: what is allowed, and what may have been meant. */
void schema_unknown_key(Reader *reader, const Schema *schema, int n_name, const char *const *name, int32_t child);
