/* Modal analysis, from a case to files: K and M once, rigid motions deflated, the lowest modes by LOBPCG, each of them a
 * step of the result. docs/theory/modal.md. */
#include "algebra/mat.h"
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "app/elasticity/elastic_hints.h"
#include "app/elasticity/elastic_system.h"
#include "app/elasticity/modal.h"
#include "core/memory.h"
#include "core/vec.h"
#include "solver/precond/precond.h"

#include <math.h>

enum { COLUMNS = 8 };

typedef struct Work {
  Run *run;
  Setup setup;
  Elasticity *elasticity;
  ElasticityMass *mass;
  LinearParams linear;
  const char *preferred; /* the preconditioner that was taken for the case's "auto", */
  bool exact;            /* with all on its last level */
  Mat *k, *m;
  Mat *g;       /* geometric stiffness, or k with that; NULL: the body is under no stress */
  Mat *shifted; /* for the preconditioner where motions are free; NULL: k is good for that */
  EigenSolver *solver;
  double *u; /* on the Exec, [dofs] */
  ModalOutput output;
} Work;

static Status modal_release(void *work) {
  Work *w = work;
  Exec *exec = w->run->device.exec;
  const Status status = modal_output_close(&w->output);
  progress_phase(&w->run->progress, PHASE_WRITE);
  eigen_destroy(&w->solver);
  mat_destroy(&w->shifted);
  mat_destroy(&w->g);
  mat_destroy(&w->m);
  mat_destroy(&w->k);
  elasticity_mass_destroy(&w->mass);
  if (exec && w->elasticity) EXEC_RELEASE(exec, w->u, elasticity_dofs(w->elasticity));
  elasticity_destroy(&w->elasticity);
  setup_release(&w->setup);
  return status;
}

static Status matrices_create(Work *w) {
  TRY(elastic_matrix(w->run, w->elasticity, &w->k));
  TRY(mat_create_like(w->k, PRECISION_DOUBLE, &w->m));
  if (modal_loaded(w->run->c)) TRY(mat_create_like(w->k, PRECISION_DOUBLE, &w->g));
  return w->run->report->modes.rigid ? mat_create_like(w->k, PRECISION_DOUBLE, &w->shifted) : OK;
}

static Status solver_create(Work *w, LinearParams *linear) {
  Exec *exec = w->run->device.exec;
  ElasticHints hints;
  elastic_prefer_for_modes(w->elasticity, w->k, linear);
  w->preferred = linear->preconditioner;
  w->exact = linear->has_values;
  TRY(elastic_hints_create(exec, w->elasticity, w->k, linear, &hints));
  const bool buckles = modal_buckles(w->run->c);
  const EigenParams params = {.a = w->g ? w->g : w->k,
                              .b = buckles ? w->k : w->m,
                              .mass = buckles ? w->m : NULL,
                              .positive = w->shifted ? w->shifted : w->k,
                              .shifted = w->shifted != NULL,
                              .indefinite = w->g != NULL,
                              .linear = linear,
                              .values = (int32_t)w->run->c->analysis.modes.value,
                              .free = elasticity_unknowns(w->elasticity)};
  const Status status = eigen_create(exec, &params, &w->solver);
  elastic_hints_release(linear, &hints);
  return status;
}

static Status prestress_assemble(Work *w) {
  const Case *c = w->run->c;
  bool stressed;
  char place[512];
  ElasticityMass *weight = NULL; /* what turns has its true density */
  if (modal_buckles(c) && elasticity_turns(w->elasticity)) TRY(elastic_mass(c, w->elasticity, false, &weight));
  const ModalMasses masses = {w->mass, weight ? weight : w->mass};
  const Status status = modal_prestress(w->elasticity, &masses, w->k, &w->linear, w->u, w->g, &stressed);
  elasticity_mass_destroy(&weight);
  TRY(status);
  CHECK(stressed || !modal_buckles(c) || w->run->rehearsed, ERR_INPUT,
        "%s: the load leaves the body without stress, so that nothing buckles: what is heated or moved can follow "
        "freely\n  "
        "remedy: supports that hold it, or a load that presses",
        place_text(c->path, c->analysis.place, place, sizeof place));
  return OK;
}

static Status modal_assemble(Work *w) {
  Exec *exec = w->run->device.exec;
  TRY(exec_zero(exec, w->u, (size_t)elasticity_dofs(w->elasticity) * sizeof *w->u));
  TRY(elasticity_tangent(w->elasticity, w->u, mat_values(w->k)));
  TRY(elasticity_mass_matrix(w->mass, mat_values(w->m)));
  if (w->g) TRY(prestress_assemble(w));
  if (w->g && !modal_buckles(w->run->c))
    TRY(elasticity_combine(exec, mat_slots(w->k)->n_value, 1, mat_values(w->k), 1, mat_values(w->g), mat_values(w->g)));
  elasticity_set_gap(w->elasticity, 0); /* of modes */
  TRY(exec_sync(exec));
  progress_phase(&w->run->progress, PHASE_ASSEMBLY);
  return OK;
}

/* What the report of a linear solve says, of this one. */
static void report_solver(RunReport *report, const EigenReport *eigen) {
  report->linear = (LinearReport){.reason = LINEAR_CONVERGED,
                                  .iterations = eigen->iterations,
                                  .products = eigen->products,
                                  .true_residual = eigen->residual,
                                  .recursive_residual = eigen->residual,
                                  .setup_seconds = eigen->setup_seconds,
                                  .solve_seconds = eigen->solve_seconds,
                                  .preconditioner = eigen->preconditioner,
                                  .degree = eigen->degree,
                                  .precision = eigen->precision,
                                  .first_precision = eigen->precision,
                                  .equation = -1};
  report->seconds[PHASE_PREPARE] = eigen->setup_seconds;
  report->seconds[PHASE_SOLVE] -= eigen->setup_seconds;
}

/* M times a translation of the whole body, seen from the unknowns that are free, in place of the columns. */
static Status translations_weigh(Work *w, double *columns) {
  Exec *exec = w->run->device.exec;
  const int64_t rows = elasticity_rows(w->elasticity);
  const int32_t dim = case_dim(w->run->c);
  double *one = NULL, *force = NULL;
  Status status = OK;
  ALLOC_DONE(one, rows, "a translation");
  TRY_DONE(exec_alloc(exec, rows, sizeof *force, "a translation's inertia", (void **)&force));
  for (int32_t k = 0; k < dim; ++k) {
    for (int64_t i = 0; i < rows; ++i) one[i] = columns[i * COLUMNS + k];
    TRY_DONE(exec_upload(exec, w->u, one, (size_t)rows * sizeof *one));
    TRY_DONE(elasticity_mass_residual(w->mass, w->u, force));
    TRY_DONE(exec_download(exec, one, force, (size_t)rows * sizeof *one));
    for (int64_t i = 0; i < rows; ++i) columns[i * COLUMNS + k] = -one[i];
  }
done:
  EXEC_RELEASE(exec, force, rows);
  FREE(one);
  return status;
}

/* Rows of the report: x.M e of each mode, which has x.M x = 1, and its square. A body of revolution moves as a whole
 * along its axis only. */
static Status modes_list(Work *w) {
  RunReport *report = w->run->report;
  const int32_t n = (int32_t)w->run->c->analysis.modes.value;
  double *columns = NULL, *product = NULL;
  Status status = OK;
  ALLOC_DONE(report->modes.row, n, "modes");
  ALLOC_DONE(product, (int64_t)n * COLUMNS, "participation factors");
  TRY_DONE(modal_translations(w->elasticity, &columns));
  TRY_DONE(translations_weigh(w, columns));
  TRY_DONE(eigen_project(w->solver, columns, product));
  report->modes.n = n;
  for (int32_t k = 0; k < n; ++k) {
    ModeRow *row = &report->modes.row[k];
    const double theta = eigen_values(w->solver)[k];
    row->residual = eigen_residuals(w->solver)[k];
    row->frequency = modal_buckles(w->run->c) ? -1 / theta : sqrt(fmax(theta, 0)) / (2 * acos(-1));
    for (int d = 0; d < 3; ++d) {
      row->participation[d] = case_axisymmetric(w->run->c) && d == 0 ? 0 : product[k * COLUMNS + d];
      row->effective[d] = row->participation[d] * row->participation[d];
    }
  }
done:
  FREE(columns);
  FREE(product);
  return status;
}

/* A load that pulls buckles nothing, and one beyond the lowest factor leaves no frequency. */
static Status check_values(const Work *w) {
  const Case *c = w->run->c;
  const double *theta = eigen_values(w->solver);
  const int32_t n = (int32_t)c->analysis.modes.value;
  char place[512];
  if (!w->g || w->run->rehearsed) return OK;
  if (modal_buckles(c)) {
    CHECK(
        theta[n - 1] < 0, ERR_NUMERIC,
        "%s: %s of %d load factors are positive: the load does not press the body together\n  remedy: fewer modes, or "
        "the load the other way round",
        place_text(c->path, c->analysis.place, place, sizeof place), theta[0] < 0 ? "not all" : "none", (int)n);
    return OK;
  }
  CHECK(theta[0] > 0, ERR_NUMERIC,
        "%s: the body buckles under its load: the square of its lowest frequency is negative\n  remedy: a smaller "
        "load; 'analysis: {type: buckling}' says how much it bears",
        place_text(c->path, c->analysis.place, place, sizeof place));
  return OK;
}

static Status values_find(Work *w, EigenReport *eigen) {
  eigen_set_poll(w->solver, progress_poll, &w->run->progress);
  TRY(modal_begin(w->run->c, w->solver));
  TRY(modal_deflate(w->elasticity, w->solver));
  return eigen_solve(w->solver, eigen);
}

/* Parameters for one more try, of something stronger: thin elements, and a row of elements with a reduced rule, have soft
 * motions that no coarser level knows of. Exactly, or where that is too large with a smoother of higher degree; after
 * that one, exactly as far as it goes. False: the first try was the strongest that there is. */
static bool take_stronger(const Work *w, const EigenReport *eigen, LinearParams *linear, bool *exactly) {
  enum { DEGREE_AGAIN = 8 };
  const int64_t rows = mat_whole(w->k);
  *linear = w->linear;
  linear->preconditioner = w->preferred;
  if (eigen->degree >= DEGREE_AGAIN) return *exactly = elastic_solve_exactly_at_last(linear, rows);
  *exactly = !elasticity_reduced(w->elasticity) && elastic_solve_exactly(linear, rows);
  if (*exactly) return !w->exact;
  linear->degree = DEGREE_AGAIN;
  return true;
}

static Status values_find_again(Work *w, const LinearParams *stronger, bool exactly, EigenReport *eigen) {
  LinearParams linear = *stronger;
  status_clear();
  if (exactly) status_warn("modes: %s is too weak here; once more with exact solutions", w->preferred);
  else
    status_warn("modes: %s of degree %d is too weak here; once more with degree %d", linear.preconditioner,
                eigen->degree, linear.degree);
  eigen_destroy(&w->solver);
  TRY(solver_create(w, &linear));
  return values_find(w, eigen);
}

static Status modal_solve(Work *w) {
  Run *run = w->run;
  EigenReport eigen = {0};
  char place[512];
  run->solving = true;
  TRY(modal_assemble(w));
  Status status = values_find(w, &eigen);
  LinearParams stronger;
  bool exactly;
  if (status == ERR_NUMERIC && eigen.stalled && precond_is_auto(w->linear.preconditioner) && !w->linear.degree &&
      take_stronger(w, &eigen, &stronger, &exactly))
    status = values_find_again(w, &stronger, exactly, &eigen);
  progress_clear(&run->progress);
  progress_phase(&run->progress, PHASE_SOLVE);
  report_solver(run->report, &eigen);
  if (status == ERR_NUMERIC && modal_buckles(run->c))
    FAIL(status, "%s: %s\n  is the load compressive? under tension there is no buckling mode",
         place_text(run->c->path, run->c->analysis.place, place, sizeof place), status_message());
  TRY(run_solved(run, status));
  TRY(check_values(w));
  TRY(modes_list(w));
  progress_phase(&run->progress, PHASE_RECOVER);
  return OK;
}

static Status modes_store(Work *w) {
  Run *run = w->run;
  for (int32_t k = 0; k < run->report->modes.n; ++k) {
    TRY(eigen_vector(w->solver, k, w->u));
    if (k == 0) TRY(elastic_look_at_bending(run, w->elasticity, w->u, 0));
    TRY(modal_output_store(&w->output, w->u, &run->report->modes.row[k]));
    run->report->time = run->report->modes.row[k].frequency;
    ++run->report->steps;
  }
  TRY(modal_output_table(&w->output));
  progress_phase(&run->progress, PHASE_WRITE);
  run->report->converged = true;
  return OK;
}

static Status modal_pipeline(void *work) {
  Work *w = work;
  Run *run = w->run;
  LinearParams linear;
  TRY(linear_params_of_case(run->c, &linear));
  w->linear = linear;
  TRY(run_begin(run, &w->setup));
  TRY(run_check_memory(run, &w->setup));
  ElasticityParams *params = &elastic_setup(&w->setup)->params;
  params->allow_free_motion = params->no_load = !modal_loaded(run->c);
  TRY(elasticity_create(run->device.exec, params, &w->elasticity));
  TRY(modal_motions(run->c, w->elasticity, &run->report->modes.rigid));
  TRY(elastic_mass(run->c, w->elasticity, modal_buckles(run->c), &w->mass));
  TRY(elasticity_mass_total(w->mass, &run->report->modes.mass));
  if (!modal_buckles(run->c)) elasticity_mass_reduce(w->mass);
  TRY(matrices_create(w));
  EXEC_ALLOC(run->device.exec, w->u, elasticity_dofs(w->elasticity), "displacement");
  TRY(solver_create(w, &linear));
  run->progress.goal = linear.rtol;
  TRY(modal_output_create(run, &w->setup, w->elasticity, &w->output));
  warnings_print();
  progress_phase(&run->progress, PHASE_SETUP);
  TRY(modal_solve(w));
  TRY(modes_store(w));
  run_measure(run);
  return OK;
}

Status run_modal(Run *run) {
  Work w = {.run = run};
  return run_pipeline(run, &w, modal_pipeline, modal_release);
}
