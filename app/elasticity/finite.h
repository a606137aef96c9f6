/* Elasticity at finite strain: between the driver and what it leaves behind. */
#pragma once
#include "app/elasticity/elastic_run.h"
#include "physics/point_material.h"

#include <stdio.h>

/* Cavities: first those whose volume is prescribed, then those whose pressure is. */
typedef struct FiniteCavities {
  int32_t n, n_unknown; /* pressures that are unknown */
  bool ramp;            /* in proportion to the time, as all that acts does without t */
  double end;
  const Load *load[ELASTIC_CAVITIES];
  Expr target[ELASTIC_CAVITIES];
  bool flows[ELASTIC_CAVITIES]; /* a circulation gives its volume; target: the pressure to begin with */
  double initial[ELASTIC_CAVITIES];
  double unit;                                                 /* of volumes of `cavities`, in those of the mesh */
  double volume[ELASTIC_CAVITIES], pressure[ELASTIC_CAVITIES]; /* now */
} FiniteCavities;
/* What centrifugal loads grow by at finite strain. */
typedef struct FiniteTurning {
  ElasticityMass *mass;  /* owned; NULL: nothing turns */
  double *force[2];      /* owned, on the Exec, [n]: all loads at u, and room */
  const double *at_rest; /* of the body as it was, borrowed from the equation */
} FiniteTurning;
/* ElasticRun.own */
typedef struct FiniteRun {
  FiniteCavities cavities;
  FiniteTurning turning;
  double loaded; /* the time that the loads are of; NAN: none */
  double eased;  /* the part of what gaps of equations grow by in the step that is left out: of an easier problem */
  double begin;
  double relative; /* the last residual of the table */
  double assembly_seconds;
  double flow[FLOW_PARTS];     /* of the last step; 0 where nothing flows */
  bool cuts;                   /* steps become shorter where they fail */
  bool free_rim;               /* of a surface under pressure, on the whole mesh */
  bool eliminates;             /* of the changes of volume that elements keep, in linear solves */
  double *force[2], *place[2]; /* on the Exec: of the stress, and displacements, of all nodes at both ends of a step */
  double turned,
      turned_at; /* of surfaces that slide: by how much normals of a step differed from those of its end, at most */
  double lag
      [2]; /* of bodies that slide: by which part forces were off by that, the sum of all steps, and how many these are */
  int64_t renewals; /* how often rigid groups have got other slots */
  /* What else there is of the pattern is released, or made anew, once there is a matrix again; NULL: nothing */
  Status (*operators)(ElasticRun *run, bool there);
  /* Of motion whose surfaces slide, on the Exec, [n]: what nodes bore along their normals when the step began, and what finds that,
   * in the frames of before; NULL: nothing. */
  double *borne;
  Status (*bear)(ElasticRun *run);
  double **rub;       /* likewise, owned elsewhere, the first of two: forces of friction; NULL: nothing rubs */
  bool headed;        /* the table of Newton's method has its head */
  double most_energy; /* of steps so far, where passes go by the error at the end */
  double most_work;   /* at the end of any step of this run */
  FILE *loops;        /* owned, loops.csv; NULL: nobody asks for it, or another rank has it */
  /* More columns of it: their names, with `head`, or numbers, each behind a comma. NULL: none. */
  void (*loops_more)(const ElasticRun *run, bool head);
} FiniteRun;

/* ---- analysis_stressed.c: refuses what has no modes at the end of the steps ---- */
Status stressed_begin(const ElasticRun *run);

/* ---- finite_cavity.c ---- */
/* Collective. ERR_INPUT: a surface that has the body inside, or a chamber of the circulation that encloses nothing. */
Status finite_cavities_create(const Run *run, const Setup *whole, Elasticity *elasticity, FiniteCavities *out);
/* Volumes of the `cavities` of a case in the mesh, for `sinew check`; ERR_INPUT: as finite_cavities_create. */
struct Inspection;
Status finite_cavities_print(const struct Inspection *inspection, Elasticity *elasticity);
/* ERR_INPUT: it is not positive. */
Status finite_cavity_target(const FiniteCavities *cavities, int32_t i, double time, double *out);
/* Pressures that are prescribed, at a time. ERR_INPUT: not finite. */
Status finite_cavities_press(FiniteCavities *cavities, double time);
/* loops.csv, from the report's time on: a row for it, and whatever of it was there before, up to it; then a row of now. */
Status finite_loops_open(ElasticRun *run);
/* What is sampled beside the fields of a step. */
void finite_sample(ElasticRun *run, StreamParams *params);
Status finite_loops_add(ElasticRun *run);
Status finite_loops_close(ElasticRun *run, Status status);
/* The cavity of the case that the run knows as number i; -1: that is of `boundary`. */
int32_t finite_cavity_of(const ElasticRun *run, int32_t i);
/* The columns of sums that are of cavities and bolts, from [n][2]: volume and pressure of each cavity, then force and elongation
 * of each bolt. */
void finite_sample_columns(const Case *c, const Setup *setup, const double *sample, double *value);

/* ---- finite_turning.c: nothing where nothing turns ---- */
/* Then the elements are all there at once, as they have a mass. */
bool finite_has_turning(const ElasticityParams *params);
Status finite_turning_begin(ElasticRun *run);
/* The loads are those of another time: what they are of the body as it was. */
void finite_turning_loaded(ElasticRun *run);
/* The loads are those at u. */
Status finite_turning_load(ElasticRun *run, double time, const double *u);
Status finite_turning_tangent(ElasticRun *run, double time, Mat *a);
void finite_turning_release(ElasticRun *run);

/* ---- finite_told.c ---- */
/* A line of the table; context: an ElasticRun. */
void finite_tell_iteration(void *context, const NewtonIteration *iteration);
/* A step whose flow is that of its end. */
void finite_warn_of_flow(const ElasticRun *run);
Status finite_check_linear_laws(ElasticRun *run);
/* Adds to the message of a step that failed what is likely. */
void finite_say_why(const ElasticRun *run, Status why, bool indefinite);

/* The solver has a hierarchy whose levels are found by a matrix. */
bool finite_has_levels(const ElasticRun *run);

/* ---- finite_slide.c: bodies that touch ---- */
/* A step begins: where surfaces slide, contact is found anew where they are, with a matrix and a solver of its own; else levels are. */
Status finite_slide(ElasticRun *run);
/* It has ended. */
void finite_slide_end(ElasticRun *run);
/* A step has failed: what shorter ones before it would have changed. */
void finite_slide_hint(const ElasticRun *run, Status why);
/* As it was in the step that a checkpoint is of. */
Status finite_slide_back(ElasticRun *run, const void *host);

/* What was made for the solver, or for the pattern, is released; and is made for what there is now. */
Status finite_solver_let_go(ElasticRun *run);
Status finite_solver_take_up(ElasticRun *run);
Status finite_let_go(ElasticRun *run);
Status finite_take_up(ElasticRun *run);

/* ---- finite_rotate.c: rigid groups that turn ---- */
/* A step begins: turns go on from where they are, by other displacements of their nodes where these say them better. */
Status finite_rotate(ElasticRun *run);
/* What a checkpoint keeps of that, behind the state of the equation, host as of elasticity_state_save; as it was in the step that one is
 * of. Collective. */
int64_t finite_rotate_bytes(const ElasticRun *run);
Status finite_rotate_save(const ElasticRun *run, void *host);
Status finite_rotate_back(ElasticRun *run, const void *host);

/* ---- contact_preview.c ---- */
/* What lies within reach at the start, and what contact alone holds, for `sinew check`. */
Status contact_preview(struct Inspection *inspection, Elasticity *elasticity);

/* ---- finite_contact.c ---- */
/* Nodes that are pushed so far apart press on what they had opposite before: a warning. */
void finite_contact_doubt(const Case *c, const Elasticity *elasticity);
Status finite_contact_problem(ElasticRun *run, Problem *problem, StepperParams *params);
/* There is contact, and nothing is closed. */
bool finite_contact_is_open(const ElasticRun *run);
/* Adds to why a step failed that nothing is closed, or that all slides, where it is so. */
void finite_contact_open(const ElasticRun *run, Status why);
Status finite_contact_end(ElasticRun *run);
/* Warns of nodes that may have passed through, by how all of them moved in a step. */
Status finite_contact_passed(ElasticRun *run, const double (*from)[3], const double (*to)[3]);
/* A warning of modes about a state whose nodes slide on what may turn. */
void finite_contact_modes(ElasticRun *run);
void finite_contact_save(const RunReport *report, Json *json);
void finite_contact_print(const RunReport *report);

/* ---- finite_bolts.c ---- */
/* value[bolts][2]: force and elongation. */
void finite_bolts_sample(const ElasticRun *run, double *value);
Status finite_bolts_end(ElasticRun *run);
void finite_bolts_save(const RunReport *report, Json *json);
void finite_bolts_print(const RunReport *report);

/* ---- finite_energies.c: of load steps; motion has its own balance ---- */
/* Before a step, and after it: half the sum of the forces of both ends times the way between them is what loads and supports have
 * done. Collective. */
Status finite_work_begin(ElasticRun *run);
Status finite_work_add(ElasticRun *run);
/* What materials have taken, by their states. Collective. */
Status finite_dissipated(ElasticRun *run, double *out);
/* Energies to the report, and a warning where they do not balance. Collective. */
Status finite_energies(ElasticRun *run);
/* Passes of `adapt:` go by the error of the stress where the steps end. After each step: the largest strain energy, of which nothing but
 * rounding may be left; at the end, whose strain energy this is: the errors of elements. */
Status finite_see_energy(ElasticRun *w);
Status finite_errors(ElasticRun *w, double energy);
/* Is it heated and free, so that its energy is round-off? Collective. */
Status finite_at_rest(ElasticRun *run, bool *rest);
void finite_work_release(ElasticRun *run);

/* What rows of load steps, and of motion at finite strain, have of Physics beside the bits. */
#define LOAD_STEPS_PHYSICS(bits) LOAD_STEPS_OF_ONE_RANK(bits), .shares = true
#define LOAD_STEPS_OF_ONE_RANK(bits) ANALYSIS_PHYSICS(LOAD_STEPS_KIND(bits)), LOAD_STEPS_PARTS
#define LOAD_STEPS_KIND(bits) ((bits) | HAS_STEPS)
#define LOAD_STEPS_PARTS                                                                                               \
  .sum_letters = elasticity_sum_letters, .add_to_mesh = setup_bolt_cuts, .cell_sums = ELASTIC_CELL_SUMS,               \
  .cell_tables = ELASTIC_CELL_TABLES, .cost = {.build = 40e-6, .step = 200e-6, .launch = 0.02}, .steps = run_steps

/* ---- analysis_finite.c: Physics.save_steps and .print_steps of load steps, and what motion at finite strain has too, with
 * FiniteRun first in its own ---- */
#define FINITE_HISTORY "time", "dt", "newton", "failed", "cuts", "iterations", "residual"
enum { FINITE_COLUMNS = 7 };
Status finite_prepare(ElasticRun *run);
Status finite_begin(ElasticRun *run);
Status finite_problem(ElasticRun *run, Problem *problem, StepperParams *params);
/* w->solver for w->a. */
Status finite_solver(ElasticRun *run);
/* The files, with these columns of the history. */
Status finite_open_with(ElasticRun *run, StreamParams *params);
/* As the rows of finite_analysis; and StaticPart.border, but for cavities whose volumes a circulation gives. */
Status finite_open(ElasticRun *run);
Status finite_next(ElasticRun *run, bool *more);
Status finite_store(ElasticRun *run);
Status finite_border(void *run, const Stage *stage, const double *u, double *const *g, double *gap, double *size,
                     double *slope);
/* To materials the length of a step; below 0 in steps of a chain in which nothing creeps. */
void finite_set_step(const ElasticRun *run, const Stage *stage);
/* One step, and its row of the history. */
Status finite_step(ElasticRun *run, double row[FINITE_COLUMNS]);
Status finite_end(ElasticRun *run);
Status finite_release(ElasticRun *run, Status status);
/* finite_told.c: what a run in load steps has been, for report.json and in words. */
void finite_save(const RunReport *report, Json *json);
void finite_print(const RunReport *report, const Case *c);
/* ---- analysis_motion.c: the same of motion, of both strains ---- */
/* The step that ends at this time is one from equilibrium to equilibrium. */
bool finite_rests_at(const Case *c, double time);
void motion_save(const RunReport *report, Json *json);
void motion_print(const RunReport *report, const Case *c);
