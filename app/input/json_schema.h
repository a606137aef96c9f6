/* The keys of the case file as a JSON Schema, by which editors complete and check: from the tables of schema.h. */
#pragma once
#include "app/input/schema.h"
#include "output/json.h"

/* Appends the schema (draft 07) of cases of all kinds of physics to the object that is open. */
void json_schema_write(Json *json);

/* ---- json_schema_kind.c ---- */
struct Physics;
/* "required": [name]; and with "properties": {name: {..}}, closed by the caller with two ends. */
void json_schema_required(Json *json, const char *name);
void json_schema_open_required(Json *json, const char *name);
/* What tells a kind from the others of its name: one of its keys, or the word of `strain`, of `analysis.type`, or two of these. */
void json_schema_mark(Json *json, const struct Physics *kind);
/* {"not": mark} of the other kind, where the branch of `kind` (`first`: of cases with no mark) has to say so. */
void json_schema_apart(Json *json, const struct Physics *kind, const struct Physics *other, bool first);

/* ---- for json_schema_param.c ---- */
/* b NULL: only a. */
void json_schema_one_of_types(Json *json, const char *a, const char *b);
void json_schema_write_range(Json *json, double min, double max, bool open_min, bool open_max);
/* An array of least to most items (most 0: any number) of that kind; the caller writes the items and closes both. */
void json_schema_open_list(Json *json, int least, int most);
void json_schema_write_varying(Json *json);
/* The parameters as members of the object that is open, but for those whose names are keys of the map. */
void json_schema_params(Json *json, uint32_t kind, const Schema *schema, int n, const Param *param);
