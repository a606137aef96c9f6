/* JSON Schema from the tables of keys. Draft 07, which every editor knows; what depends on a word (`physics`, the
 * `type` of a material) is said by if and then, so that an editor offers just the keys that belong to it. Maps stand once, under
 * `definitions`: written out where they are, the whole would be twenty times as long. */
#include "app/input/json_schema.h"
#include "app/input/case_tables.h"
#include "app/input/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void write_map(Json *json, uint32_t kind, const Schema *schema);
static void write_type(Json *json, uint32_t kind, const Key *key);

void json_schema_one_of_types(Json *json, const char *a, const char *b) {
  if (!b) {
    json_string(json, "type", a);
    return;
  }
  json_array(json, "type");
  json_string(json, NULL, a);
  json_string(json, NULL, b);
  json_end(json);
}

void json_schema_write_range(Json *json, double min, double max, bool open_min, bool open_max) {
  if (isfinite(min)) json_number(json, open_min ? "exclusiveMinimum" : "minimum", min);
  if (isfinite(max)) json_number(json, open_max ? "exclusiveMaximum" : "maximum", max);
}

static void write_key_range(Json *json, const Key *key) {
  if (key->min == 0 && key->max == 0) return; /* any finite one */
  json_schema_write_range(json, key->min, key->max, key->open_min, key->open_max);
}

static void write_words(Json *json, uint32_t kind, const Word *words) {
  json_array(json, "enum");
  for (int i = 0; words[i].name; ++i)
    if (kind_has(kind, words[i].only) && schema_word(words, words[i].name) == i) json_string(json, NULL, words[i].name);
  json_end(json);
}

static void write_word(Json *json, uint32_t kind, const Key *key) {
  if (!key->inside) {
    write_words(json, kind, key->words);
    return;
  }
  json_array(json, "anyOf");
  json_object(json, NULL);
  write_words(json, kind, key->words);
  json_end(json);
  json_object(json, NULL);
  json_string(json, "type", "object");
  json_end(json);
  json_end(json);
}

void json_schema_open_list(Json *json, int least, int most) {
  json_string(json, "type", "array");
  json_integer(json, "minItems", least);
  if (most) json_integer(json, "maxItems", most);
  json_object(json, "items");
}

/* One value, or a list of such ones. */
static void write_value_or_list(Json *json, int least, int most, const char *a, const char *b) {
  json_array(json, "anyOf");
  json_object(json, NULL);
  json_schema_one_of_types(json, a, b);
  json_end(json);
  json_object(json, NULL);
  json_schema_open_list(json, least, most);
  json_schema_one_of_types(json, a, b);
  json_end(json);
  json_end(json);
  json_end(json);
}

/* An expression, a list of 2 or 3, or {normal: one}. */
static void write_normal_too(Json *json) {
  json_array(json, "anyOf");
  json_object(json, NULL);
  json_schema_one_of_types(json, "string", "number");
  json_end(json);
  json_object(json, NULL);
  json_schema_open_list(json, 2, 3);
  json_schema_one_of_types(json, "string", "number");
  json_end(json);
  json_end(json);
  json_object(json, NULL);
  json_string(json, "type", "object");
  json_array(json, "required");
  json_string(json, NULL, "normal");
  json_end(json);
  json_bool(json, "additionalProperties", false);
  json_object(json, "properties");
  json_object(json, "normal");
  json_schema_one_of_types(json, "string", "number");
  json_end(json);
  json_end(json);
  json_end(json);
  json_end(json);
}

/* A number, a list of 2 or 3, or 2 or 3 rows of as many. */
static void write_tensor(Json *json, const Key *key) {
  json_array(json, "anyOf");
  json_object(json, NULL);
  json_string(json, "type", "number");
  json_end(json);
  if (key->varying) json_schema_write_varying(json);
  json_object(json, NULL);
  json_schema_open_list(json, 2, 3);
  json_string(json, "type", "number");
  json_end(json);
  json_end(json);
  json_object(json, NULL);
  json_schema_open_list(json, 2, 3);
  json_schema_open_list(json, 2, 3);
  json_string(json, "type", "number");
  json_end(json);
  json_end(json);
  json_end(json);
  json_end(json);
}

/* The map, or what may stand in its place. */
static void write_map_or_short(Json *json, uint32_t kind, const Schema *schema) {
  const Key *plain = schema->plain ? schema_key(schema, kind, schema->plain) : NULL;
  if (!plain && !schema->whole) {
    write_map(json, kind, schema);
    return;
  }
  json_array(json, "anyOf");
  json_object(json, NULL);
  if (schema->whole) json_string(json, "const", schema->whole);
  else if (plain->inside) write_words(json, kind, plain->words);
  else write_type(json, kind, plain);
  json_end(json);
  json_object(json, NULL);
  write_map(json, kind, schema);
  json_end(json);
  json_end(json);
}

/* What may stand where a number varies: an expression, {field: NAME} or {table: FILE, by: region}; in a list of choices. */
void json_schema_write_varying(Json *json) {
  json_object(json, NULL);
  json_string(json, "type", "string");
  json_end(json);
  for (int table = 0; table < 2; ++table) {
    json_object(json, NULL);
    json_string(json, "type", "object");
    json_object(json, "properties");
    json_object(json, table ? "table" : "field");
    json_schema_one_of_types(json, "string", "number");
    json_end(json);
    if (table) {
      json_object(json, "by");
      json_string(json, "const", "region");
      json_end(json);
    }
    json_end(json);
    json_array(json, "required");
    json_string(json, NULL, table ? "table" : "field");
    if (table) json_string(json, NULL, "by");
    json_end(json);
    json_bool(json, "additionalProperties", false);
    json_end(json);
  }
}

/* A number that may vary. */
static void write_varying(Json *json, const Key *key) {
  json_array(json, "anyOf");
  json_object(json, NULL);
  json_string(json, "type", "number");
  if (key->type == VALUE_NUMBER) write_key_range(json, key);
  json_end(json);
  json_schema_write_varying(json);
  json_end(json);
}

/* The same, or a list of them. */
static void write_varying_or_list(Json *json, const Key *key) {
  json_array(json, "anyOf");
  json_object(json, NULL);
  write_varying(json, key);
  json_end(json);
  json_object(json, NULL);
  json_schema_open_list(json, 2, 3);
  write_varying(json, key);
  json_end(json);
  json_end(json);
  json_end(json);
}

/* A number, or one of the words that stand for none. */
static void write_number(Json *json, uint32_t kind, const Key *key) {
  if (key->words) json_array(json, "anyOf");
  if (key->words) json_object(json, NULL);
  json_string(json, "type", key->type == VALUE_NUMBER ? "number" : "integer");
  write_key_range(json, key);
  if (!key->words) return;
  json_end(json);
  json_object(json, NULL);
  write_words(json, kind, key->words);
  json_end(json);
  json_end(json);
}

static void write_type(Json *json, uint32_t kind, const Key *key) {
  switch (key->type) {
  case VALUE_TEXT:
  case VALUE_EXPR: json_schema_one_of_types(json, "string", "number"); break;
  case VALUE_NUMBER:
  case VALUE_INTEGER: key->varying ? write_varying(json, key) : write_number(json, kind, key); break;
  case VALUE_FLAG: json_string(json, "type", "boolean"); break;
  case VALUE_WORD: write_word(json, kind, key); break;
  case VALUE_WORDS:
    json_schema_open_list(json, 0, 0);
    write_words(json, kind, key->words);
    json_end(json);
    json_bool(json, "uniqueItems", true);
    break;
  case VALUE_EXPRS:
    json_schema_open_list(json, 2, 3);
    json_schema_one_of_types(json, "string", "number");
    json_end(json);
    break;
  case VALUE_EXPR_OR_EXPRS: write_normal_too(json); break;
  case VALUE_VECTOR:
    json_schema_open_list(json, 2, 3);
    json_string(json, "type", "number");
    json_end(json);
    break;
  case VALUE_NUMBER_OR_VECTOR:
    key->varying ? write_varying_or_list(json, key) : write_value_or_list(json, 2, 3, "number", NULL);
    break;
  case VALUE_TENSOR: write_tensor(json, key); break;
  case VALUE_NAMES: write_value_or_list(json, 1, 0, "string", "number"); break;
  case VALUE_FACTORS:
    json_string(json, "type", "object");
    json_integer(json, "minProperties", 1);
    json_object(json, "additionalProperties");
    json_schema_one_of_types(json, "number", key->relative ? "string" : NULL);
    json_end(json);
    break;
  case VALUE_MAP: write_map_or_short(json, kind, key->schema); break;
  case VALUE_NAMED_MAPS: write_map(json, kind, key->schema); break; /* of each of them */
  case VALUE_MAPS:
    json_schema_open_list(json, 0, 0);
    write_map_or_short(json, kind, key->schema);
    json_end(json);
    break;
  }
}

/* "[a, b]" as a list of words. */
static void write_default_words(Json *json, const char *text) {
  json_array(json, "default");
  for (text += strspn(text, "[, "); *text && *text != ']'; text += strspn(text, "[, ")) {
    char word[64];
    const int n = (int)strcspn(text, ",] ");
    snprintf(word, sizeof word, "%.*s", n, text);
    json_string(json, NULL, word);
    text += n;
  }
  json_end(json);
}

static void write_default(Json *json, const Key *key) {
  double value;
  const char *why;
  if (!key->initial) return;
  if (key->type == VALUE_WORDS) write_default_words(json, key->initial);
  else if (number_parse(key->initial, &value, &why)) json_number(json, "default", value);
  else json_string(json, "default", key->initial);
}

static void write_key(Json *json, uint32_t kind, const Key *key) {
  json_object(json, key->name);
  json_string(json, "description", key->meaning);
  write_default(json, key);
  write_type(json, kind, key);
  json_end(json);
}

/* A text that is one of a few beside that word, such as the presets of an ionic model. False: it may be any. */
static bool write_text_choice(Json *json, const Schema *schema, const Key *key, int32_t word) {
  enum { MOST = 64 };
  const char *names[MOST];
  const int n = schema->texts && key->type == VALUE_TEXT ? schema->texts(word, key->name, MOST, names) : 0;
  if (!n) return false;
  json_object(json, key->name);
  json_string(json, "description", key->meaning);
  json_array(json, "enum");
  for (int i = 0; i < n; ++i) json_string(json, NULL, names[i]);
  json_end(json);
  json_end(json);
  return true;
}

/* given: 1 those that a name of the library may give, 0 the others, -1 all. */
static void write_all_required(Json *json, uint32_t kind, const Schema *schema, int n_param, const Param *param,
                               int given) {
  json_array(json, "required");
  for (int k = 0; k < schema->n; ++k)
    if (schema->key[k].required && kind_has(kind, schema->key[k].only) &&
        (given < 0 || given == library_gives(schema->key[k].name)))
      json_string(json, NULL, schema->key[k].name);
  for (int k = 0; k < n_param; ++k)
    if (param[k].required && param_list(param, n_param, k) && (given < 0 || given == library_gives(param[k].name)))
      json_string(json, NULL, param[k].name);
  json_end(json);
}

static void write_named_or_given(Json *json, uint32_t kind, const Schema *schema, int n_param, const Param *param) {
  json_array(json, "anyOf");
  json_object(json, NULL);
  json_schema_required(json, "name");
  json_end(json);
  json_object(json, NULL);
  write_all_required(json, kind, schema, n_param, param, 1);
  json_end(json);
  json_end(json);
}

/* `word`: of a map that has a chooser, else -1. Keys in `elsewhere` are explained where the schema of all kinds is;
 * here they are only allowed. */
static void write_members(Json *json, uint32_t kind, const Schema *schema, int32_t word,
                          bool (*elsewhere)(const Key *key)) {
  int n_param = 0;
  const Param *param = schema->params && word >= 0 ? schema->params(word, &n_param) : NULL;
  json_string(json, "type", "object");
  json_object(json, "properties");
  for (int k = 0; k < schema->n; ++k) {
    if (schema_key(schema, kind, schema->key[k].name) != &schema->key[k]) continue;
    if (schema->key[k].type == VALUE_NAMED_MAPS) continue;
    if (elsewhere && elsewhere(&schema->key[k])) json_bool(json, schema->key[k].name, true);
    else if (!write_text_choice(json, schema, &schema->key[k], word)) write_key(json, kind, &schema->key[k]);
  }
  json_schema_params(json, kind, schema, n_param, param);
  json_end(json);
  const Key *name = schema_key(schema, kind, "name");
  const bool library = name && name->words == library_words;
  write_all_required(json, kind, schema, n_param, param, library ? 0 : -1);
  if (library) write_named_or_given(json, kind, schema, n_param, param);
  const Key *named = schema_any_name(schema);
  if (!named) {
    json_bool(json, "additionalProperties", false);
    return;
  }
  json_object(json, "additionalProperties");
  write_type(json, kind, named);
  json_end(json);
}

/* "if": the member `name` is `word` (how "const", or of that "type"); where `present`, it must be there too. Closed by the caller. */
static void open_if(Json *json, const char *name, const char *how, const char *word, bool present) {
  json_object(json, "if");
  json_object(json, "properties");
  json_object(json, name);
  json_string(json, how, word);
  json_end(json);
  json_end(json);
  if (!present) return;
  json_schema_required(json, name);
}

/* Where the word may be a map whose keys could stand outside of it, such as model: {file: ..}: the keys without a word, and in
 * that map. */
static void write_inside(Json *json, uint32_t kind, const Schema *schema, const Key *chooser) {
  for (int there = 0; there < 2; ++there) {
    json_object(json, NULL);
    open_if(json, chooser->name, "type", "object", there);
    json_end(json);
    json_object(json, "then");
    if (there) json_object(json, "properties"), json_object(json, chooser->name);
    write_members(json, kind, schema, -1, NULL);
    for (int k = 0; k < (there ? 4 : 2); ++k) json_end(json);
  }
}

/* A map whose parameters depend on one of its words: a branch per word. */
static void write_branches(Json *json, uint32_t kind, const Schema *schema) {
  const Key *key = schema_key(schema, kind, schema->chooser);
  json_string(json, "type", "object");
  json_object(json, "properties");
  write_key(json, kind, key);
  json_end(json);
  json_array(json, "required");
  if (key->required) json_string(json, NULL, key->name);
  json_end(json);
  json_array(json, "allOf");
  for (int32_t i = 0; key->words[i].name; ++i) {
    const bool is_default = key->initial && strcmp(key->initial, key->words[i].name) == 0;
    if (!kind_has(kind, key->words[i].only)) continue;
    json_object(json, NULL);
    open_if(json, key->name, "const", key->words[i].name, !is_default);
    json_end(json);
    json_shared(json, "then");
    write_members(json, kind, schema, i, NULL);
    json_end(json);
    json_end(json);
  }
  if (key->inside) write_inside(json, kind, schema, key);
  json_end(json);
}

/* Within allOf, as nothing may stand beside a reference. */
static void write_map(Json *json, uint32_t kind, const Schema *schema) {
  json_array(json, "allOf");
  json_shared(json, NULL);
  if (schema->params) write_branches(json, kind, schema);
  else write_members(json, kind, schema, -1, NULL);
  json_end(json);
  json_end(json);
}

/* Has it keys or words, or do maps inside of it, of some kinds of case only? */
static bool has_kinds(const Key *key) {
  bool any = false;
  for (int i = 0; key->words && key->words[i].name && !any; ++i) any = key->words[i].only;
  for (int k = 0; key->schema && k < key->schema->n && !any; ++k)
    any = key->schema->key[k].only || has_kinds(&key->schema->key[k]);
  return any;
}

static bool has_same(const Physics *kind, const Key *key) {
  const Key *other = schema_key(kind->schema, kind->kind, key->name);
  return other && other->type == key->type && other->schema == key->schema && other->words == key->words &&
         other->required == key->required && strcmp(other->meaning, key->meaning) == 0;
}

/* Is it the same key in every kind of case? */
static bool is_shared(const Key *key) {
  const Physics *kind;
  for (int i = 0; i < physics_count(); ++i)
    for (int k = 0; (kind = physics_kind(i, k)); ++k)
      if (!has_same(kind, key)) return false;
  return !has_kinds(key);
}

/* The branch of kind k of physics i. */
static void write_kind(Json *json, int i, int k) {
  const Physics *kind = physics_kind(i, k), *other;
  json_object(json, NULL);
  open_if(json, "physics", "const", kind->name, !kind->analysis && !kind->strain);
  if (physics_at(i)->kinds) {
    json_array(json, "allOf");
    for (int m = 1; (other = physics_kind(i, m)); ++m)
      if (m != k) json_schema_apart(json, kind, other, k == 0);
    if (k > 0) {
      json_object(json, NULL);
      json_schema_mark(json, kind);
      json_end(json);
    }
    json_end(json);
  }
  json_end(json);
  json_object(json, "then");
  write_members(json, kind->kind, kind->schema, -1, is_shared);
  json_end(json);
  json_end(json);
}

void json_schema_write(Json *json) {
  const Schema *first = physics_kind(0, 0)->schema;
  json_string(json, "$schema", "http://json-schema.org/draft-07/schema#");
  json_string(json, "title", "Case file of Sinew");
  json_string(json, "type", "object");
  json_object(json, "properties");
  for (int k = 0; k < first->n; ++k)
    if (is_shared(&first->key[k])) write_key(json, KIND_ANY, &first->key[k]);
  json_end(json);
  json_array(json, "required");
  for (int k = 0; k < first->n; ++k)
    if (is_shared(&first->key[k]) && first->key[k].required) json_string(json, NULL, first->key[k].name);
  json_end(json);
  json_array(json, "allOf");
  for (int i = 0; i < physics_count(); ++i)
    for (int k = 0; physics_kind(i, k); ++k) write_kind(json, i, k);
  json_end(json);
}
