/* An analysis of elasticity: what it is to the program, what it has, and how it runs. To add one, start here: docs/adding.md. */
#pragma once
#include "app/input/physics.h"
#include "assembly/elasticity/fields.h"
#include "solver/time/stepper.h"

/* Numbers of the rows of analyses.def. */
enum {
#define ANALYSIS(NAME, name) ANALYSIS_NUMBER_##NAME,
#define ANALYSIS_OF_STRAIN(NAME, name) ANALYSIS_NUMBER_##NAME,
#define ANALYSIS_OF_KEYS(NAME, name) ANALYSIS_NUMBER_##NAME,
#include "app/elasticity/analyses.def"
  N_ANALYSES
};

/* Bits of Physics.kind: which analysis it is, and what that has. */
typedef enum AnalysisBit {
#define ANALYSIS(NAME, name) ANALYSIS_##NAME = 1 << ANALYSIS_NUMBER_##NAME,
#define ANALYSIS_OF_STRAIN(NAME, name) ANALYSIS_##NAME = 1 << ANALYSIS_NUMBER_##NAME,
#define ANALYSIS_OF_KEYS(NAME, name) ANALYSIS_##NAME = 1 << ANALYSIS_NUMBER_##NAME,
#include "app/elasticity/analyses.def"
  HAS_STEPS = 1 << 16,               /* of `time:`, with checkpoints */
  HAS_FREQUENCIES = 1 << 17,         /* a response to loads with phases at each */
  HAS_MODES = 1 << 18,               /* what it searches for */
  HAS_INERTIA = 1 << 19,             /* natural frequencies count */
  HAS_LARGE_STRAIN = 1 << 20,        /* bodies are where they have gone to */
  HAS_LOAD_STEPS = 1 << 21,          /* from one equilibrium to the next */
  HAS_MEMORY = 1 << 22,              /* Newton's method in each step: materials may remember */
  HAS_MUSCLE = 1 << 24,              /* of `physics: electromechanics`, in the keys of that */
  HAS_CELLS = CASE_CELLS_AND_MUSCLE, /* muscle that goes by cells in the same run */
  HAS_CAVITY = 1 << 26,              /* whose volume may be prescribed */
  HAS_PUMP = HAS_MUSCLE | HAS_CELLS
} AnalysisBit;
enum {
  ANALYSIS_SMALL_STRAIN = (1 << N_ANALYSES) - 1 - ANALYSIS_FINITE - ANALYSIS_MOTION - ANALYSIS_STRESSED,
  ANALYSIS_LARGE_STEPS = ANALYSIS_FINITE | HAS_LOAD_STEPS | HAS_MEMORY | HAS_LARGE_STRAIN,
  ANALYSIS_NEWTON_MOTION = ANALYSIS_MOTION | ANALYSIS_MOVING /* HAS_INERTIA and HAS_MEMORY */
};

typedef struct ElasticRun ElasticRun; /* elastic_run.h */
/* A row: run_elasticity.c calls the functions in this order. */
typedef struct Analysis {
  Physics physics;      /* as the program sees a case of it */
  FieldAnalysis fields; /* the column of assembly/elasticity/fields.def with its fields */
  const struct Analysis
      *like;  /* runs as that one does, and has no functions but `end`, which then comes after; NULL: its own */
  size_t own; /* bytes of what it has for itself, ElasticRun.own */
  /* What the equation is to be, in ElasticSetup.params. NULL: as the case says. */
  Status (*prepare)(ElasticRun *run);
  /* Displacement, matrices, solver. */
  Status (*begin)(ElasticRun *run);
  /* Of steps in time: what the stepper solves, and how; the clock is there. NULL: no stepper. */
  Status (*problem)(ElasticRun *run, Problem *problem, StepperParams *params);
  /* The files; a stepper has the start, or the checkpoint. */
  Status (*open)(ElasticRun *run);
  /* A load step, time step, frequency, mode; its number and time go to the report. *more: another one follows, which a
   * stepper knows by itself. */
  Status (*next)(ElasticRun *run, bool *more);
  /* The step to the files; of steps in time those that the clock has for output, and t = 0. */
  Status (*store)(ElasticRun *run);
  /* What is said of a run that came through. NULL: nothing. */
  Status (*end)(ElasticRun *run);
  /* Gives back what it has of its own, whatever came before; status: how the files were closed, or an error of its own
   * then. NULL: nothing is. */
  Status (*release)(ElasticRun *run, Status status);
} Analysis;
#define ANALYSIS(NAME, name) extern const Analysis name##_analysis;
#define ANALYSIS_OF_STRAIN(NAME, name) extern const Analysis name##_analysis;
#define ANALYSIS_OF_KEYS(NAME, name) extern const Analysis name##_analysis;
#include "app/elasticity/analyses.def"

/* What all rows have; `bits` are its own, HAS_..., and those of an analysis whose keys and words it has as well. */
#define ANALYSIS_PHYSICS(bits)                                                                                         \
  .name = "elasticity", .schema = &elasticity_schema, .region = "material", .regions = "materials",                    \
  ELASTIC_PHYSICS(bits)
/* The same without its keys and their words; and without what is said of it. */
#define ELASTIC_PHYSICS(bits)                                                                                          \
  ELASTIC_PHYSICS_UNSAID(bits), .inspect = elastic_inspect, .column_unit = elastic_column_unit
#define ELASTIC_PHYSICS_UNSAID(bits)                                                                                   \
  .kind = (bits), .n_component = 2, .bind = setup_elasticity, .solve_setup = setup_fiber_rules, .cut = elastic_cut,    \
  .run = run_elasticity, .release = elasticity_release

static inline const Analysis *elastic_analysis(const Case *c) { return (const Analysis *)c->physics; }
/* Whether the case's has one of the bits. */
static inline bool elastic_has(const Case *c, unsigned bits) { return (c->physics->kind & bits) != 0; }
