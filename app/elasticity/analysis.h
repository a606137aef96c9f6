/* An analysis of elasticity: what it is to the program, what it has, and how it runs. To add one, start here: docs/adding.md. */
#pragma once
#include "app/input/physics.h"
#include "assembly/elasticity/fields.h"

/* Numbers of the rows of analyses.def. */
enum {
#define ANALYSIS(NAME, name) ANALYSIS_NUMBER_##NAME,
#define ANALYSIS_OF_STRAIN(NAME, name) ANALYSIS_NUMBER_##NAME,
#include "app/elasticity/analyses.def"
  N_ANALYSES
};

/* Bits of Physics.kind: which analysis it is, and what that has. */
typedef enum AnalysisBit {
#define ANALYSIS(NAME, name) ANALYSIS_##NAME = 1 << ANALYSIS_NUMBER_##NAME,
#define ANALYSIS_OF_STRAIN(NAME, name) ANALYSIS_##NAME = 1 << ANALYSIS_NUMBER_##NAME,
#include "app/elasticity/analyses.def"
  HAS_STEPS = 1 << 16,       /* of `time:`, with checkpoints */
  HAS_FREQUENCIES = 1 << 17, /* a response to loads with phases at each */
  HAS_MODES = 1 << 18,       /* what it looks for */
  HAS_INERTIA = 1 << 19,     /* natural frequencies count */
  HAS_LARGE_STRAIN = 1 << 20 /* bodies are where they have gone to */
} AnalysisBit;
enum { ANALYSIS_SMALL_STRAIN = (1 << N_ANALYSES) - 1 - ANALYSIS_FINITE };

typedef struct Analysis {
  Physics physics;      /* as the program sees a case of it */
  FieldAnalysis fields; /* the column of assembly/elasticity/fields.def with its fields */
} Analysis;
#define ANALYSIS(NAME, name) extern const Analysis name##_analysis;
#define ANALYSIS_OF_STRAIN(NAME, name) extern const Analysis name##_analysis;
#include "app/elasticity/analyses.def"

/* What all rows have; `bits` are its own and HAS_.... */
#define ANALYSIS_PHYSICS(bits)                                                                                         \
  .name = "elasticity", .kind = (bits), .region = "material", .regions = "materials", .n_component = 2,                \
  .bind = setup_elasticity, .solve_setup = setup_fiber_rules, .cut = elastic_cut

static inline const Analysis *elastic_analysis(const Case *c) { return (const Analysis *)c->physics; }
/* Whether the case's has one of the bits. */
static inline bool elastic_has(const Case *c, unsigned bits) { return (c->physics->kind & bits) != 0; }
