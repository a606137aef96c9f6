/* Elasticity, from a case to files: the way of the data in one function. */
#include "app/memory_table.h"
#include "app/setup.h"
#include "app/progress.h"
#include "app/results.h"
#include "app/run.h"
#include "app/wording.h"
#include "assembly/elasticity.h"
#include "core/memory.h"
#include "gpu/cuda_exec.h"
#include "output/folder.h"
#include "solver/precond.h"
#include "solver/mat.h"

#include <stdio.h>

typedef struct Work {
  const Case *c;
  const RunParams *params;
  RunReport *report;
  Progress progress;
  Machine machine;
  Mesh *mesh;
  Setup setup;
  Elasticity *elasticity;
  Mat *a;
  LinearSolver *solver;
  double *u; /* on the Exec, [dofs] */
  ElasticFields fields;
  bool solving; /* the solver was asked */
} Work;

static void put_away(Work *w) {
  elastic_fields_release(&w->fields);
  if (w->machine.exec && w->elasticity) EXEC_RELEASE(w->machine.exec, w->u, elasticity_dofs(w->elasticity));
  linear_destroy(&w->solver);
  mat_destroy(&w->a);
  elasticity_destroy(&w->elasticity);
  setup_release(&w->setup);
  mesh_destroy(&w->mesh);
  machine_close(&w->machine);
}

static Status residual(void *context, const double *u, double *r) {
  return elasticity_residual(context, u, r);
}
static Status tangent(void *context, const double *u, double *values) {
  return elasticity_tangent(context, u, values);
}

static Status load_mesh(Work *w) {
  const Case *c = w->c;
  const MeshParams params = {.path = c->mesh_path,
                             .scale = c->mesh.scale.value,
                             .order = (int32_t)c->mesh.order.value,
                             .refine = (int32_t)c->mesh.refine.value};
  progress_live(&w->progress, "reading %s", c->mesh_path);
  const Status status = mesh_load(&params, &w->mesh);
  progress_clear(&w->progress);
  TRY(status);
  w->report->n_node = w->mesh->n_node;
  w->report->n_element = w->mesh->n_element - setup_first_solved(w->mesh);
  char nodes[32], elements[32];
  progress_say(&w->progress, "mesh         %s: %s nodes, %s elements", c->mesh_path,
               count_text(w->report->n_node, nodes), count_text(w->report->n_element, elements));
  return OK;
}

static Status open_machine(Work *w) {
  TRY(machine_open(w->params->backend, w->params->threads, &w->machine));
  w->report->on_gpu = w->machine.on_gpu;
  snprintf(w->report->device, sizeof w->report->device, "%s", w->machine.exec->device);
  if (*w->machine.note) progress_say(&w->progress, "note: %s", w->machine.note);
  return OK;
}

/* A GPU that is too small is told by a table, before the large arrays are taken. */
static Status plan_memory(const Work *w) {
  if (!w->machine.on_gpu) return OK;
  MemoryPlan *plan = NULL;
  size_t free_bytes = 0, total_bytes = 0;
  TRY(cuda_memory(&free_bytes, &total_bytes));
  ALLOC(plan, 1, "the memory plan");
  Status status = memory_table_fill(w->c, w->elasticity, 0, plan);
  if (status == OK)
    status = memory_table_check(plan, (double)(free_bytes + w->machine.exec->in_use), w->machine.exec->device);
  FREE(plan);
  return status;
}

static LinearParams linear_params(const CaseSolver *given) {
  LinearParams params = linear_params_default();
  params.rtol = given->rtol.value;
  params.max_iterations = given->max_iterations.value;
  params.preconditioner = given->preconditioner.type.text;
  params.degree = (int32_t)given->preconditioner.degree.value;
  const PrecondType *type = precond_type(given->preconditioner.type.value - 1); /* NULL: auto */
  params.has_values = type && type->n_param > 0;
  for (int32_t k = 0; params.has_values && k < type->n_param; ++k)
    params.values[k] = given->preconditioner.value[k].value;
  params.mixed = given->precision.text[0] == 'm';
  return params;
}

/* Where in the mesh a failure of the solver points. */
static void name_place(const Work *w) {
  const LinearReport *linear = &w->report->newton.linear;
  const int64_t equation = linear->equation;
  if (linear->reason == LINEAR_CONVERGED || equation < 0 || equation >= elasticity_dofs(w->elasticity)) return;
  const int32_t node = elasticity_node(w->elasticity, equation);
  const double *x = w->mesh->x[node];
  status_context(ERR_NUMERIC, "at node %lld of %s, (%g, %g, %g)", (long long)w->mesh->node_tag[node], w->mesh->path,
                 x[0], x[1], x[2]);
}

static Status solve(Work *w) {
  const NewtonProblem problem = {.context = w->elasticity,
                                 .n = elasticity_dofs(w->elasticity),
                                 .linear = true,
                                 .residual = residual,
                                 .tangent = tangent};
  const NewtonParams params = {.rtol = w->c->solver.rtol.value};
  NewtonReport *report = &w->report->newton;
  w->progress.goal = params.rtol;
  w->solving = true;
  linear_set_poll(w->solver, progress_poll, &w->progress);
  const Status status = newton_solve(w->machine.exec, &problem, &params, w->a, w->solver, w->u, report);
  progress_clear(&w->progress);
  progress_phase(&w->progress, PHASE_SOLVE);
  double *seconds = w->report->seconds; /* Newton's own clock knows the parts */
  seconds[PHASE_ASSEMBLY] = report->assembly_seconds;
  seconds[PHASE_PREPARE] = report->linear.setup_seconds;
  seconds[PHASE_SOLVE] = report->linear.solve_seconds;
  if (status == ERR_NUMERIC) name_place(w);
  w->report->converged = status == OK;
  return status;
}

static void measure(Work *w) {
  RunReport *report = w->report;
  report->exec_peak = w->machine.exec->peak;
  report->host_peak = mem_peak();
  const double begin = clock_seconds();
  if (report->newton.linear.solve_seconds > 0.05) report->bandwidth = measure_bandwidth(w->machine.exec);
  const double spent = clock_seconds() - begin; /* not the run's own time */
  w->progress.phase_start += spent;
  w->progress.start += spent;
}

static void guard(const Work *w, int on) {
  if (w->params->guard) w->params->guard(on);
}

static Status write_results(Work *w) {
  RunReport *report = w->report;
  guard(w, 1);
  Status status =
      results_write(w->c, w->mesh, w->params->folder, w->params->overwrite || w->params->resume, &w->fields, report);
  progress_phase(&w->progress, PHASE_WRITE);
  report->total = clock_seconds() - w->progress.start;
  if (status == OK) status = report_save(report, w->c, w->params->folder, NULL);
  guard(w, 0);
  return status;
}

/* A run that did not converge leaves its report, so that machines see it too. The message of the failure stays. */
static void report_failure(Work *w) {
  char message[4096];
  OutputFolder *folder = NULL;
  snprintf(message, sizeof message, "%s", status_message());
  w->report->total = clock_seconds() - w->progress.start;
  guard(w, 1);
  if (output_folder_open(w->params->folder, &folder) == OK) report_save(w->report, w->c, w->params->folder, message);
  output_folder_close(&folder);
  guard(w, 0);
  FAIL(ERR_NUMERIC, "%s", message);
}

static Status way_of_the_data(Work *w) {
  const Case *c = w->c;
  LinearParams linear = linear_params(&c->solver);
  const MatParams format = {.format = c->solver.format.text};
  TRY(load_mesh(w));
  progress_phase(&w->progress, PHASE_MESH);
  TRY(setup_create(c, w->mesh, &w->setup));
  TRY(output_folder_check(w->params->folder, w->params->overwrite, w->params->resume));
  TRY(open_machine(w));
  Exec *exec = w->machine.exec;
  TRY(elasticity_create(exec, &w->setup.params, &w->elasticity));
  TRY(plan_memory(w));
  TRY(mat_create(exec, &format, elasticity_pattern(w->elasticity), &w->a));
  w->report->format = mat_format(w->a); /* what "auto" became */
  TRY(elasticity_bind(w->elasticity, mat_slots(w->a)));
  linear.pattern = elasticity_pattern(w->elasticity);
  TRY(linear_create(exec, &linear, w->a, &w->solver));
  EXEC_ALLOC(exec, w->u, elasticity_dofs(w->elasticity), "displacement");
  TRY(elasticity_initial(w->elasticity, w->u));
  w->report->unknowns = elasticity_unknowns(w->elasticity);
  w->report->entries = mat_entries(w->a);
  warnings_print();
  progress_phase(&w->progress, PHASE_SETUP);
  TRY(solve(w));
  TRY(elasticity_recover(w->elasticity, w->u, results_needed(c), &w->fields));
  w->report->energy = w->fields.energy;
  TRY(results_columns(c, w->mesh, &w->setup, &w->fields, &w->report->columns));
  progress_phase(&w->progress, PHASE_RECOVER);
  measure(w);
  return write_results(w);
}

Status run_elasticity(const Case *c, const RunParams *params, RunReport *report) {
  *report = (RunReport){.precision = c->solver.precision.text, .format = c->solver.format.text};
  Work w = {.c = c, .params = params, .report = report};
  w.progress = progress_start(params->quiet, params->verbose, report->seconds);
  mem_reset_peak();
  const Status status = way_of_the_data(&w);
  if (status == ERR_NUMERIC && w.solving) report_failure(&w);
  put_away(&w);
  return status;
}
