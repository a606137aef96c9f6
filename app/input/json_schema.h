/* The keys of the case file as a JSON Schema, by which editors complete and check: from the tables of schema.h. */
#pragma once
#include "app/input/schema.h"
#include "output/json.h"

/* Appends the schema (draft 07) of cases of all kinds of physics to the object that is open. */
void json_schema_write(Json *json);

/* ---- for json_schema_param.c ---- */
/* b NULL: only a. */
void json_schema_one_of_types(Json *json, const char *a, const char *b);
void json_schema_write_range(Json *json, double min, double max, bool open_min, bool open_max);
/* An array of least to most items (most 0: any number) of that kind; the caller writes the items and closes both. */
void json_schema_open_list(Json *json, int least, int most);
/* The parameters as members of the object that is open. */
void json_schema_write_varying(Json *json);
void json_schema_params(Json *json, int n, const Param *param, bool varying);
