/* What tells the kinds of cases of a physics apart, in the JSON Schema: words, keys, and types of materials. */
#include "app/input/json_schema.h"
#include "app/input/physics.h"

#include <string.h>

void json_schema_required(Json *json, const char *name) {
  json_array(json, "required");
  json_string(json, NULL, name);
  json_end(json);
}

void json_schema_open_required(Json *json, const char *name) {
  json_schema_required(json, name);
  json_object(json, "properties");
  json_object(json, name);
}

/* "required": ["strain"], "properties": {"strain": {"const": word}}, or the same of the type inside of "analysis". */
static void write_mark_word(Json *json, bool strain, const char *word) {
  json_schema_open_required(json, strain ? "strain" : "analysis");
  if (!strain) json_schema_open_required(json, "type");
  json_string(json, "const", word);
  for (int k = strain ? 2 : 0; k < 4; ++k) json_end(json);
}

/* "required": [regions], "properties": {regions: {"contains": {"required": ["type"], "properties": {"type": {"enum": [..]}}}}}:
 * one of the types that the kind claims. */
static void write_claim(Json *json, const Physics *kind) {
  const Key *list = schema_key(kind->schema, kind->kind, kind->regions);
  const Key *type = schema_key(list->schema, kind->kind, "type");
  json_schema_open_required(json, kind->regions);
  json_object(json, "contains");
  json_schema_open_required(json, "type");
  json_array(json, "enum");
  for (const Word *word = type->words; word->name; ++word)
    if (kind->claims(word->name)) json_string(json, NULL, word->name);
  for (int k = 0; k < 6; ++k) json_end(json);
}

/* One of its keys, or a region of a type that it claims. */
static void write_mark_keys(Json *json, const Physics *kind) {
  json_array(json, "anyOf");
  for (int k = 0; kind->keys[k]; ++k) {
    json_object(json, NULL);
    json_schema_required(json, kind->keys[k]);
    json_end(json);
  }
  if (kind->claims) {
    json_object(json, NULL);
    write_claim(json, kind);
    json_end(json);
  }
  json_end(json);
}

void json_schema_mark(Json *json, const Physics *kind) {
  if (!kind->analysis && kind->keys) {
    write_mark_keys(json, kind);
    return;
  }
  if (!kind->keys && !(kind->strain && kind->analysis)) {
    write_mark_word(json, kind->strain, kind->strain ? kind->strain : kind->analysis);
    return;
  }
  json_array(json, "allOf");
  json_object(json, NULL);
  write_mark_word(json, false, kind->analysis);
  json_end(json);
  json_object(json, NULL);
  if (kind->strain) write_mark_word(json, true, kind->strain);
  else write_mark_keys(json, kind);
  json_end(json);
  json_end(json);
}

/* Does the branch of a kind have to say that a case is not of the other? That of cases with no mark has to of all; keys are a mark
 * where no word is, beside the word of the same `analysis` too; a kind that has the keys of another one besides its own comes first. */
static bool is_apart(const Physics *kind, const Physics *other, bool first) {
  const bool same = kind->analysis && other->analysis && !kind->strain && !strcmp(kind->analysis, other->analysis);
  if (kind->keys && !kind->analysis && other->keys && !other->analysis &&
      schema_key(kind->schema, kind->kind, other->keys[0]))
    return false;
  if (kind->keys) return !(same && !other->keys && !other->strain) && !(kind->analysis && other->keys);
  return first || (other->strain && other->analysis) || (same && other->keys);
}

void json_schema_apart(Json *json, const Physics *kind, const Physics *other, bool first) {
  if (!is_apart(kind, other, first)) return;
  json_object(json, NULL);
  json_object(json, "not");
  json_schema_mark(json, other);
  json_end(json);
  json_end(json);
}
