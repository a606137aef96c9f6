/* A body of muscle with its cells as the program sees it: load steps at finite strain (app/elasticity/analysis_finite.c), whose muscle is told what the cells
 * do. */
#include "app/electromechanics/coupled.h"
#include "app/electromechanics/pump.h"
#include "app/monodomain/purkinje.h"
#include "output/json.h"
#include "output/wording.h"

#include <stdio.h>

/* ElasticRun.own, of which run_pump.c and analysis_finite.c know the first. */
typedef struct CoupledRun {
  PumpRun pump;
  Problem base; /* without the cells */
  CoupledCells cells;
} CoupledRun;

static CoupledCells *cells_of(const ElasticRun *w) { return &((CoupledRun *)w->own)->cells; }

static const Problem *base_of(const ElasticRun *w) { return &((CoupledRun *)w->own)->base; }

static Status drive(void *context, double time) {
  const ElasticRun *w = context;
  CoupledCells *cells = cells_of(w);
  const double *value;
  TRY(coupled_cells_drive(cells, time, &value));
  return elasticity_drive(w->elasticity, value, cells->by == TENSION_BY_CALCIUM ? MICROMOLAR : 1);
}

static Status take(void *context, CellField field, double *room) {
  const bool of_cells = field <= CELL_CALCIUM || field == CELL_ACTIVATION || field == CELL_REPOLARIZATION;
  return of_cells ? coupled_cells_take(cells_of(context), field, room) : pump_take(context, field, room);
}

static Status leads(void *context, double *room) { return coupled_cells_leads(cells_of(context), room); }

static Status say_trees(const ElasticRun *w) {
  const Run *run = &cells_of(w)->run;
  Text text = {0};
  if (!run->c->purkinje.n || run->rehearsed) return OK;
  purkinje_text(run->c, run->mesh, &cells_of(w)->setup, &text);
  const Status status = text.status;
  if (status == OK && text.n > 0) progress_say(&w->run->progress, "%.*s", (int)text.n - 1, text.data);
  text_release(&text);
  return status == OK ? OK : FAIL(status, "not enough memory for the list of trees");
}

/* Cells conduct in the body of the mesh, whatever that is without load. */
static Status create_cells(ElasticRun *w) {
  Unloaded *body = &pump_own(w)->unloaded;
  if (body->there) unloaded_swap(w->run->mesh, body);
  const Status status = coupled_cells_create(w->run, &w->setup, cells_of(w));
  if (body->there) unloaded_swap(w->run->mesh, body);
  return status;
}

static Status coupled_begin(ElasticRun *w) {
  TRY(pump_begin(w));
  TRY(create_cells(w));
  TRY(say_trees(w));
  w->cells.context = w, w->cells.drive = drive, w->cells.take = take;
  w->cells.n_lead = case_leads(w->run->c), w->cells.leads = leads;
  return OK;
}

/* Behind the states of the body and the circulation. */
static Status save(void *context, void *host) {
  const ElasticRun *w = context;
  TRY(base_of(w)->states.save(context, host));
  return coupled_cells_save(cells_of(w), (char *)host + base_of(w)->states.bytes);
}
static Status restore(void *context, const void *host) {
  const ElasticRun *w = context;
  TRY(base_of(w)->states.restore(context, host));
  return coupled_cells_restore(cells_of(w), (const char *)host + base_of(w)->states.bytes);
}

/* Where the body is at u, to the cells that go on from there. */
static Status feel(ElasticRun *w, const double *u) {
  const double *moved;
  if (!cells_of(w)->feedback.deformed) return OK;
  TRY(pump_moved(w, u, &moved));
  return coupled_cells_see(cells_of(w), moved);
}

static Status commit(void *context, const Stage *stage, const double *u, const double *before) {
  TRY(base_of(context)->commit(context, stage, u, before));
  return feel(context, u);
}

static Status coupled_open(ElasticRun *w) {
  TRY(pump_open(w));
  return feel(w, w->u);
}

static Status coupled_problem(ElasticRun *w, Problem *problem, StepperParams *params) {
  TRY(pump_problem(w, problem, params));
  ((CoupledRun *)w->own)->base = *problem;
  problem->commit = commit;
  problem->states.bytes += coupled_cells_state_bytes(cells_of(w));
  problem->states.save = save;
  problem->states.restore = restore;
  return OK;
}

static Status coupled_end(ElasticRun *w) {
  const CoupledCells *cells = cells_of(w);
  RunCells *report = &w->run->report->cells;
  *report = (RunCells){.steps = cells->steps,
                       .step = cells->run.c->time.step.value,
                       .scheme = cells->heart.scheme_word->text,
                       .seconds = cells->seconds};
  TRY(heart_warn_uncaptured(&cells->heart));
  return pump_end(w);
}

static Status coupled_release_run(ElasticRun *w, Status status) {
  coupled_cells_destroy(cells_of(w));
  return pump_release(w, status);
}

static void coupled_save(const RunReport *report, Json *json) {
  finite_save(report, json);
  json_object(json, "cells");
  json_integer(json, "steps", report->cells.steps);
  json_number(json, "step", report->cells.step);
  if (report->cells.scheme) json_string(json, "scheme", report->cells.scheme);
  json_number(json, "seconds", report->cells.seconds);
  json_end(json);
}

static void coupled_print(const RunReport *report, const Case *c) {
  char n[32];
  finite_print(report, c);
  printf("cells        %s steps of %g ms by %s, %.3g s\n", count_text(report->cells.steps, n), report->cells.step,
         report->cells.scheme ? report->cells.scheme : "-", report->cells.seconds);
}

/* Both, one after the other. */
static Status coupled_inspect(Inspection *k) {
  Setup cells;
  Mesh *mesh = NULL;
  Inspection of_cells = *k;
  TRY(elastic_inspect(k));
  TRY(coupled_mesh(k->c, k->mesh, NULL, &mesh));
  of_cells.mesh = mesh ? mesh : k->mesh;
  Status status = setup_create(k->c->heart, of_cells.mesh, &cells);
  of_cells.c = k->c->heart, of_cells.setup = &cells;
  if (status == OK) status = k->c->heart->physics->inspect(&of_cells);
  setup_release(&cells);
  mesh_destroy(&mesh);
  return status;
}

static const char *const cell_keys[] = {"tissue", NULL};
const Analysis coupled_analysis = {.fields = FIELDS_FINITE,
                                   .own = sizeof(CoupledRun),
                                   .prepare = pump_prepare,
                                   .begin = coupled_begin,
                                   .problem = coupled_problem,
                                   .open = coupled_open,
                                   .next = pump_next,
                                   .store = pump_store,
                                   .end = coupled_end,
                                   .release = coupled_release_run,
                                   .physics = {.name = "electromechanics",
                                               .region = "entry of muscle",
                                               .regions = "entries of muscle",
                                               .called = "cells-and-muscle",
                                               .keys = cell_keys,
                                               .kind = LOAD_STEPS_KIND(ANALYSIS_LARGE_STEPS | HAS_CAVITY | HAS_CELLS),
                                               .schema = &electromechanics_schema,
                                               .check = coupled_check,
                                               .release = coupled_release,
                                               .n_component = 2,
                                               .bind = setup_elasticity,
                                               .solve_setup = setup_fiber_rules,
                                               .inspect = coupled_inspect,
                                               .column_unit = pump_column_unit,
                                               LOAD_STEPS_PARTS,
                                               .units = "mm ms mV kPa",
                                               .step_unit = UNIT_TIME,
                                               .save_steps = coupled_save,
                                               .print_steps = coupled_print,
                                               .run = run_elasticity}};
