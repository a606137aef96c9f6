/* Between the files of an eikonal case. */
#pragma once
#include "app/input/physics.h"
#include "core/field_type.h"

extern const Schema eikonal_schema;
/* EIKONAL_ACTIVATION and so on: the rows of fields.def. */
typedef enum EikonalField {
#define EIKONAL_FIELD(NAME, ...) EIKONAL_##NAME,
#include "app/eikonal/fields.def"
  N_EIKONAL_FIELDS
} EikonalField;
extern const FieldType eikonal_field[N_EIKONAL_FIELDS];
struct Run;
struct Together;
/* Physics.run_together. */
Status eikonal_together(struct Run *run, struct Together *all);
void eikonal_check(Case *c, Diagnostics *diagnostics);
