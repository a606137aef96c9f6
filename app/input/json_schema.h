/* The keys of the case file as a JSON Schema, by which editors complete and check: from the tables of schema.h. */
#pragma once
#include "app/input/schema.h"
#include "output/json.h"

/* Appends the schema (draft 07) of cases of all kinds of physics to the object that is open. */
void json_schema_write(Json *json);
