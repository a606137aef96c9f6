/* Elasticity, from a case to files: elasticity_pipeline is the whole in one function. */
#include "app/elasticity/elastic_hints.h"
#include "app/input/case_format.h"
#include "app/elasticity/elastic.h"
#include "app/run/ranks.h"
#include "app/run/run.h"
#include "app/setup/setup.h"
#include "assembly/elasticity/elasticity.h"
#include "core/memory.h"
#include "algebra/mat.h"
#include "solver/time/stepper.h"
#include "output/file_maker.h"

#include <math.h>

typedef struct Work {
  Run *run;
  Setup setup;
  Elasticity *elasticity;
  Mat *a;
  LinearSolver *solver;
  const SumParts *parts; /* of sums in the solve */
  double *u;             /* on the Exec, [dofs] */
  ElasticFields fields;
  ElasticFields whole; /* on rank 0 of several: of all shares */
  StaticOutput *output;
  Worker *maker; /* makes the files while a GPU solves; has HDF5 as long as it is there */
} Work;

/* What goes to the files. */
static ElasticFields *shown(Work *w) { return w->run->share ? &w->whole : &w->fields; }

static Status files_make(void *work, int32_t slot) {
  Work *w = work;
  (void)slot;
  return results_open(w->run, &w->setup, shown(w), &w->output);
}

/* The files are there. */
static Status files_end(Work *w) { return w->maker || w->output ? file_maker_end(&w->maker) : files_make(w, 0); }

static Status elasticity_release(void *work) {
  Work *w = work;
  (void)file_maker_end(&w->maker);
  const Status status = results_close(&w->output);
  progress_phase(&w->run->progress, PHASE_WRITE);
  elastic_fields_release(&w->fields);
  elastic_collect_release(&w->whole);
  if (w->run->device.exec && w->elasticity) EXEC_RELEASE(w->run->device.exec, w->u, elasticity_dofs(w->elasticity));
  linear_destroy(&w->solver);
  mat_destroy(&w->a);
  elasticity_destroy(&w->elasticity);
  setup_release(&w->setup);
  return status;
}

static Status run_elasticity_residual(void *context, const Stage *stage, const double *u, double *r, double *slope) {
  (void)stage, (void)slope;
  TRY(elasticity_residual(context, u, r));
  return elasticity_check_answer(context);
}
static Status run_elasticity_tangent(void *context, const Stage *stage, const double *u, Mat *a) {
  (void)stage;
  TRY(elasticity_tangent(context, u, mat_values(a)));
  if (elasticity_linear(context)) elasticity_release_gathers(context); /* room for the preconditioner */
  return OK;
}
static Status run_elasticity_bound(void *context, const Stage *stage, bool blocks, double *out) {
  (void)stage;
  return elasticity_spectrum_bound(context, blocks, out);
}

static Status run_elasticity_solve(Work *w) {
  Run *run = w->run;
  const Problem problem = {.context = w->elasticity,
                           .n = elasticity_rows(w->elasticity),
                           .linear = elasticity_linear(w->elasticity),
                           .force = run_elasticity_residual,
                           .tangent = run_elasticity_tangent,
                           .bound = run_elasticity_bound};
  const double rtol = run->c->solver.rtol.value;
  StepReport report = {0};
  run->progress.goal = rtol;
  run->solving = true;
  linear_set_poll(w->solver, progress_poll, &run->progress);
  const SumParts *before = exec_sum_over(run->device.exec, w->parts);
  const Status status = stepper_solve(run->device.exec, &problem, rtol, w->a, w->solver, w->u, &report);
  exec_sum_over(run->device.exec, before);
  progress_clear(&run->progress);
  run_phase_solve(run, &report);
  run->report->linear = report.linear;
  if (status == ERR_NUMERIC) run_name_place(run, &w->setup, &report.linear, mat_block(w->a));
  run->report->converged = status == OK;
  return run_solved(run, status);
}

static int64_t first_not_finite(const double *v, int64_t n) {
  for (int64_t i = 0; v && i < n; ++i)
    if (!isfinite(v[i])) return i;
  return -1;
}

/* A field that overflows where the displacement does not is no result. The energy, which is a square, may. */
static Status check_fields(Work *w) {
  const ElasticFields *f = shown(w);
  const int64_t n = w->run->mesh->n_node;
  const struct {
    const char *name;
    const double *value;
    int width;
  } field[] = {{"displacement", f->displacement ? f->displacement[0] : NULL, 3},
               {"reaction", f->reaction ? f->reaction[0] : NULL, 3},
               {"stress", f->stress ? f->stress[0] : NULL, 6},
               {"von Mises stress", f->von_mises, 1},
               {"principal stress", f->principal ? f->principal[0] : NULL, 3}};
  for (size_t k = 0; !f->finite && k < sizeof field / sizeof *field; ++k) {
    const int64_t at = first_not_finite(field[k].value, n * field[k].width);
    if (at < 0) continue;
    const Mesh *mesh = w->run->mesh;
    const double *x = mesh->x[at / field[k].width];
    return FAIL(ERR_NUMERIC,
                "the %s is not a number at node %lld (%g, %g, %g): it is beyond 1.8e308\n  remedy: smaller loads, or "
                "consistent units in which they are",
                field[k].name, (long long)mesh->node_tag[at / field[k].width], x[0], x[1], x[2]);
  }
  return OK;
}

static double squared(const double u[3]) { return u[0] * u[0] + u[1] * u[1] + u[2] * u[2]; }

/* Small-strain theory takes the body as it was; a displacement near its size is most often a matter of units. */
static void warn_of_size(const Mesh *mesh, const ElasticFields *fields) {
  static const double LARGE = 0.1;
  const double size = mesh_size(mesh);
  double largest = 0;
  int32_t at = 0;
#pragma omp parallel for schedule(static) reduction(max : largest)
  for (int32_t i = 0; i < mesh->n_node; ++i) largest = fmax(largest, squared(fields->displacement[i]));
  if (!(sqrt(largest) > LARGE * size)) return;
  largest = 0;
  for (int32_t i = 0; i < mesh->n_node; ++i)
    if (squared(fields->displacement[i]) > largest) largest = squared(fields->displacement[i]), at = i;
  const double *x = mesh->x[at];
  status_warn(
      "the displacement reaches %.3g at (%g, %g, %g), and the body is %.3g large: the theory of small displacements, "
      "which is what is solved, does not hold then\n  check the units of young, loads and mesh, and the supports",
      sqrt(largest), x[0], x[1], x[2], size);
  warnings_print();
}

/* The solver, which is told the rigid motions and the orders of the elements where it goes by them. */
static Status create_solver(Work *w, LinearParams *linear) {
  Exec *exec = w->run->device.exec;
  ElasticHints hints;
  TRY(elastic_hints_create(exec, w->elasticity, w->a, linear, &hints));
  w->parts = run_parts(w->run, linear_choice(exec, linear, w->a));
  const Status status = linear_create(exec, linear, w->a, &w->solver);
  elastic_hints_release(linear, &hints);
  return status;
}

/* Fields are good, and go to the files. */
static Status fields_store(Work *w) {
  Run *run = w->run;
  const Status finite = check_fields(w);
  run->report->converged = finite == OK;
  TRY(finite);
  warn_of_size(run->mesh, shown(w));
  run->report->has_energy = true;
  run->report->energy = shown(w)->energy;
  progress_phase(&run->progress, PHASE_RECOVER);
  run_measure(run);
  TRY(results_store(w->output));
  return results_close(&w->output);
}

/* Matrix and solver make room for the fields, which come to the host while the files are made, with the mesh in them,
 * where they are not there yet. */
static Status elasticity_store(Work *w) {
  Run *run = w->run;
  linear_destroy(&w->solver);
  mat_destroy(&w->a);
  progress_phase(&run->progress, PHASE_END);
  const unsigned which = results_needed(run->c) | (run->share ? FIELD_STRAIN_ENERGY : 0);
  TRY(elasticity_recover_start(w->elasticity, w->u, which, &w->fields));
  progress_phase(&run->progress, PHASE_RECOVER);
  if (run->rehearsed) return elastic_fields_wait(w->elasticity, &w->fields);
  run_guard(run, 1);
  if (run_speaks(run)) TRY(files_end(w));
  progress_phase(&run->progress, PHASE_WRITE);
  TRY(elastic_fields_wait(w->elasticity, &w->fields));
  if (run->share) TRY(elastic_collect(run, &w->fields, &w->whole));
  if (run_speaks(run)) return fields_store(w);
  run_measure_memory(run);
  return OK;
}

/* Rank 0 holds the whole case against the whole mesh, as one alone does: supports that contradict each other, parts that
 * can move, what the loads add up to. */
static Status look_at_whole(const Work *w) {
  const Run *run = w->run;
  Elasticity *seen = NULL;
  Status status = OK;
  if (!run->share) return OK;
  ElasticityParams params = elastic_setup(&w->setup)->params;
  params.only_looked_at = true;
  if (run_speaks(run)) status = elasticity_create(run->device.exec, &params, &seen);
  elasticity_destroy(&seen);
  return ranks_agree(run, status);
}

static Status elasticity_pipeline(void *work) {
  Work *w = work;
  Run *run = w->run;
  const Case *c = run->c;
  RunReport *report = run->report;
  LinearParams linear;
  const MatParams format = case_mat_params(c);
  TRY(linear_params_of_case(c, &linear));
  TRY(run_begin(run, &w->setup));
  TRY(run_check_memory(run, &w->setup));
  Exec *exec = run->device.exec;
  ElasticityParams *params = &elastic_setup(run_setup(run, &w->setup))->params;
  params->in_batches = true;
  params->share = run->share ? &run->share->nodes : NULL;
  TRY(look_at_whole(w));
  TRY(elasticity_create(exec, params, &w->elasticity));
  TRY(mat_create(exec, &format, elasticity_pattern(w->elasticity), &w->a));
  report->format = mat_format(w->a); /* what "auto" became */
  TRY(elasticity_bind(w->elasticity, mat_slots(w->a)));
  TRY(create_solver(w, &linear));
  EXEC_ALLOC(exec, w->u, elasticity_dofs(w->elasticity), "displacement");
  TRY(elasticity_initial(w->elasticity, w->u));
  TRY(ranks_add(run, elasticity_unknowns(w->elasticity), &report->unknowns));
  TRY(ranks_add(run, mat_entries(w->a), &report->entries));
  warnings_print();
  progress_phase(&run->progress, PHASE_SETUP);
  if (run_files_beside(run)) TRY(file_maker_begin(files_make, w, &w->maker));
  TRY(run_elasticity_solve(w));
  return elasticity_store(w);
}

Status run_elasticity(Run *run) {
  Work w = {.run = run};
  return run_pipeline(run, &w, elasticity_pipeline, elasticity_release);
}
