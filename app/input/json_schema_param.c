/* Parameters of a map, which depend on one of its words, in the JSON Schema. */
#include "app/input/json_schema.h"

#include <stdio.h>
#include <string.h>

/* A number in the range of a parameter; where it may vary with the place, an expression, a field or a table too. */
static void write_param_value(Json *json, const Param *param, bool varying) {
  if (varying) {
    json_array(json, "anyOf");
    json_object(json, NULL);
  }
  json_string(json, "type", "number");
  json_schema_write_range(json, param->min, param->max, param->open_min, param->open_max);
  if (!varying) return;
  json_end(json);
  json_schema_write_varying(json);
  json_end(json);
}

/* The first row of a list with a range that holds for all of them. */
static Param widest_range(const Param *param, int rows) {
  Param all = param[0];
  for (int k = 1; k < rows; ++k) {
    if (param[k].min < all.min) all.min = param[k].min, all.open_min = param[k].open_min;
    if (param[k].max > all.max) all.max = param[k].max, all.open_max = param[k].open_max;
  }
  return all;
}

/* A list of `rows` parameters; one for all where there is a default. */
static void write_param_list(Json *json, const Param *param, int rows, bool varying) {
  const Param all = widest_range(param, rows);
  char text[256];
  snprintf(text, sizeof text, "%s ... [%s]", param->meaning, param->unit);
  json_object(json, param->name);
  json_string(json, "description", text);
  if (!param->required) {
    json_array(json, "anyOf");
    json_object(json, NULL);
    write_param_value(json, &all, varying);
    json_end(json);
    json_object(json, NULL);
  }
  json_schema_open_list(json, rows, rows);
  write_param_value(json, &all, varying);
  json_end(json);
  if (!param->required) {
    json_end(json);
    json_end(json);
  }
  json_end(json);
}

static void write_pairs(Json *json) {
  json_schema_open_list(json, 1, 0), json_schema_open_list(json, 2, 2);
  json_string(json, "type", "number");
  json_end(json), json_end(json);
}

/* A number, or pairs of numbers of which the second are in the range. */
static void write_curve_or_number(Json *json, const Param *param) {
  json_object(json, NULL);
  write_param_value(json, param, false);
  json_end(json);
  json_object(json, NULL);
  write_pairs(json);
  json_end(json);
}

/* {temperature: 20, table: [[0, 250], [0.02, 300]]} of each. */
static void write_tables(Json *json, const Param *param) {
  json_object(json, NULL);
  json_schema_open_list(json, 1, 0);
  json_string(json, "type", "object");
  json_object(json, "properties");
  json_object(json, "temperature");
  json_string(json, "type", "number");
  json_end(json);
  json_object(json, "table");
  json_array(json, "anyOf");
  write_curve_or_number(json, param);
  json_end(json), json_end(json), json_end(json);
  json_array(json, "required");
  json_string(json, NULL, "temperature"), json_string(json, NULL, "table");
  json_end(json);
  json_bool(json, "additionalProperties", false);
  json_end(json), json_end(json);
}

/* Or pairs alone. */
static void write_curve(Json *json, const Param *param) {
  if (param_is_pairs(param)) {
    write_pairs(json);
    return;
  }
  json_array(json, "anyOf");
  write_curve_or_number(json, param);
  if (param_is_tables(param)) write_tables(json, param);
  json_end(json);
}

/* A number that may vary with the place, or pairs over the temperature. */
static void write_warm(Json *json, const Param *param, bool varying) {
  json_array(json, "anyOf");
  json_object(json, NULL);
  write_param_value(json, param, varying);
  json_end(json);
  json_object(json, NULL);
  write_pairs(json);
  json_end(json), json_end(json);
}

/* A parameter takes a number; one with words in place of a unit takes those too. */
static void write_param(Json *json, const Param *param, bool varying) {
  char text[256], word[32];
  const bool words = param->unit && strchr(param->unit, '|');
  snprintf(text, sizeof text, words ? "%s" : "%s [%s]", param->meaning, param->unit);
  json_object(json, param->name);
  json_string(json, "description", text);
  if (!param->required && words && param_word(param, param->value, word, sizeof word))
    json_string(json, "default", word);
  else if (!param->required && !param_is_pairs(param)) json_number(json, "default", param->value);
  if (words) {
    json_array(json, "enum");
    for (double value = param->min; value <= param->max && param_word(param, value, word, sizeof word); value += 1)
      json_string(json, NULL, word);
    json_end(json);
  } else if (param_is_curve(param)) write_curve(json, param);
  else if (param_is_warm(param)) write_warm(json, param, varying);
  else write_param_value(json, param, varying);
  json_end(json);
}

/* Rows of one name that are a map by their words. */
static void write_param_map(Json *json, const Param *param, int rows, bool varying) {
  char word[16];
  json_object(json, param->name);
  json_string(json, "type", "object");
  json_object(json, "properties");
  for (int k = 0; k < rows; ++k) {
    Param one = param[k];
    snprintf(word, sizeof word, "%.*s", param_label(&param[k]), param[k].meaning);
    one.name = word, one.required = true;
    write_param(json, &one, varying);
  }
  json_end(json);
  json_array(json, "required");
  for (int k = 0; k < rows; ++k) {
    snprintf(word, sizeof word, "%.*s", param_label(&param[k]), param[k].meaning);
    json_string(json, NULL, word);
  }
  json_end(json);
  json_bool(json, "additionalProperties", false);
  json_end(json);
}

void json_schema_params(Json *json, uint32_t kind, const Schema *schema, int n, const Param *param) {
  const bool varying = schema->varying_offset;
  for (int k = 0, rows; k < n; k += rows) {
    rows = param_list(param, n, k);
    if (schema_key(schema, kind, param[k].name)) continue;
    if (rows == 1) write_param(json, &param[k], varying);
    else if (param_is_map(&param[k], rows)) write_param_map(json, &param[k], rows, varying);
    else write_param_list(json, &param[k], rows, varying);
  }
}
