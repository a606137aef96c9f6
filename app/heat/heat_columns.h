/* Between the files of heat: its keys, choices, probes and sums. */
#pragma once
#include "app/input/physics.h"
#include "app/run/run.h"
#include "app/setup/act.h"
#include "app/setup/setup.h"
#include "assembly/diffusion/diffusion.h"
#include "core/field_type.h"

#include <assert.h>

extern const Schema heat_schema;
/* HEAT_TEMPERATURE and so on: the rows of fields.def. */
typedef enum HeatField {
#define HEAT_FIELD(NAME, ...) HEAT_##NAME,
#include "app/heat/fields.def"
  N_HEAT_FIELDS
} HeatField;
extern const FieldType heat_field[N_HEAT_FIELDS];
/* The number that probe i is of. */
FieldPart heat_probe(const Case *c, int32_t i);
/* The rows of app/input/heat_acts.def, and what a load of one is called in the case. */
enum { ACT_ALWAYS = 1 };
extern const ActTable heat_acts;
void heat_check(Case *c, Diagnostics *diagnostics);

typedef struct HeatSetup {
  DiffusionParams diffusion; /* points into the arrays below */
  double (*tensor)[6];       /* owned, [n_solved], as are the next two */
  double *capacity, *thickness;
  double *facet_thickness; /* owned, [first solved element], of the edges of a flat mesh; NULL in 3D */
  Support *held;           /* owned */
  Load *heating;           /* owned */
  double *initial;         /* owned, [n_node]; NULL: 0 */
} HeatSetup;
void heat_setup_release(void *own);
static inline HeatSetup *heat_setup(const Setup *setup) {
  assert(setup->own && setup->own_release == heat_setup_release);
  return (HeatSetup *)setup->own;
}

/* heat_error.c: of a steady solution, nothing without `adapt:`. */
Status heat_add_error(Run *run, const Setup *setup, Diffusion *diffusion, LinearSolver *solver, const double *u);

/* In the order of the words in case_heat.c. */
typedef enum HeatTable { HEAT_TABLE_TEMPERATURE, HEAT_TABLE_FLUX, HEAT_TABLE_FLOW, N_HEAT_TABLES } HeatTable;

/* On the host, in mesh order: [N_HEAT_FIELDS], NULL where no column needs it. */
typedef struct HeatState {
  double time;
  const double *const *value;
} HeatState;

/* heat_tables.c: all tables of a time, of the temperature at the nodes. */
Status heat_tables_add(const Run *run, const Setup *setup, double time, const double *temperature, Text *out);
/* Bits of fields that the case's fields, probes and sums need. */
unsigned heat_fields_needed(const Case *c);
/* heat_cut.c: Physics.cut. */
Status heat_cut(const Setup *whole, const struct MeshSample *sample, Setup *part);
/* Solves that a run in time is expected to have with one matrix, for the choice of a preconditioner. */
enum { HEAT_SOLVES = 100 };
/* heat_choice.c: what `preconditioner: auto` is for the steps of this case; else the one that is given. */
const char *heat_preconditioner(const Case *c, const Mesh *mesh, const Setup *setup);
/* Probes, then sums. */
Status heat_columns_fill(const Case *c, const Mesh *mesh, const Setup *setup, const HeatState *state, double *value);
