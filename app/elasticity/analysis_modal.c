/* Modal analysis, from a case to files: K and M once, rigid motions deflated, the lowest modes by LOBPCG, each of them a
 * step of the result. docs/theory/modal.md. */
#include "algebra/mat.h"
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic_hints.h"
#include "app/elasticity/modal_run.h"
#include "app/run/may_factor.h"
#include "assembly/elasticity/contacts.h"
#include "assembly/elasticity/following.h"
#include "core/comm.h"
#include "core/memory.h"
#include "core/vec.h"
#include "solver/precond/precond.h"

#include <math.h>
#include <stdio.h>

enum { COLUMNS = 8 };

static ModalRun *own(const ElasticRun *w) { return w->own; }

Status modal_run_release(ElasticRun *w, Status status) {
  const Status closed = modal_output_close(&own(w)->output);
  eigen_destroy(&own(w)->solver);
  mat_destroy(&own(w)->shifted);
  mat_destroy(&own(w)->g);
  mat_destroy(&own(w)->m);
  elasticity_mass_destroy(&own(w)->mass);
  sector_modes_release(&own(w)->sector);
  return status == OK ? closed : status;
}

static Status matrices_create(ElasticRun *w) {
  TRY(elastic_matrix(w->run, w->elasticity, &w->a));
  TRY(mat_create_like(w->a, PRECISION_DOUBLE, &own(w)->m));
  if (modal_loaded(w->run->c)) TRY(mat_create_like(w->a, PRECISION_DOUBLE, &own(w)->g));
  return w->run->report->modes.rigid ? mat_create_like(w->a, PRECISION_DOUBLE, &own(w)->shifted) : OK;
}

static Status solver_create(ElasticRun *w, LinearParams *linear) {
  Exec *exec = w->run->device.exec;
  ElasticHints hints;
  elastic_prefer_for_modes(w->elasticity, w->a, linear);
  own(w)->preferred = linear->preconditioner;
  own(w)->exact = linear->has_values;
  TRY(elastic_hints_create(exec, w->elasticity, w->a, linear, &hints));
  /* what is solved directly is not cut in parts, which ranks alone would need */
  const bool directly = own(w)->exact && precond_is_auto(own(w)->asked.preconditioner);
  w->parts = directly && !w->run->share ? NULL : run_parts(w->run, linear_choice(exec, linear, w->a));
  const bool buckles = modal_buckles(w->run->c);
  int64_t unknowns = 0;
  Status status = elasticity_unknowns_now(w->elasticity, &unknowns);
  const EigenParams params = {.a = own(w)->g ? own(w)->g : w->a,
                              .b = buckles ? w->a : own(w)->m,
                              .mass = buckles ? own(w)->m : NULL,
                              .positive = own(w)->shifted ? own(w)->shifted : w->a,
                              .shifted = own(w)->shifted != NULL,
                              .indefinite = own(w)->g != NULL,
                              .linear = linear,
                              .values = (int32_t)w->run->c->analysis.modes.value,
                              .free = unknowns};
  if (status == OK) status = eigen_create(exec, &params, &own(w)->solver);
  elastic_hints_release(linear, &hints);
  return status;
}

static Status prestress_assemble(ElasticRun *w) {
  const Case *c = w->run->c;
  bool stressed;
  char place[512];
  ElasticFields stress = {0};
  ElasticityMass *weight = NULL; /* what turns has its true density */
  if (modal_buckles(c) && elasticity_rotates(w->elasticity)) TRY(elastic_mass(c, w->elasticity, false, &weight));
  const ModalMasses masses = {own(w)->mass, weight ? weight : own(w)->mass};
  LinearParams linear = own(w)->asked;
  if (run_may_factor(w->run, w->a, &linear)) run_spare(w->run, elasticity_pattern(w->elasticity), &linear);
  Status status = modal_stress(w->run, w->elasticity, w->a, &linear, w->u, &stress, &stressed);
  if (status == OK) status = modal_stressed(w->elasticity, &masses, &stress, own(w)->g);
  elastic_fields_release(&stress);
  elasticity_mass_destroy(&weight);
  TRY(status);
  CHECK(stressed || !modal_buckles(c) || w->run->rehearsed, ERR_INPUT,
        "%s: the load leaves the body without stress, so that nothing buckles: what is heated or displaced can deform "
        "freely\n  "
        "remedy: supports that hold it, or a load that presses",
        place_text(c->path, c->analysis.place, place, sizeof place));
  return OK;
}

static Status modal_assemble(ElasticRun *w) {
  Exec *exec = w->run->device.exec;
  TRY(exec_zero(exec, w->u, (size_t)elasticity_dofs(w->elasticity) * sizeof *w->u));
  TRY(elasticity_tangent(w->elasticity, w->u, mat_values(w->a)));
  TRY(elasticity_mass_matrix(own(w)->mass, mat_values(own(w)->m)));
  if (own(w)->stress)
    TRY(modal_stressed(w->elasticity, &(ModalMasses){own(w)->mass, own(w)->mass}, own(w)->stress, own(w)->g));
  else if (own(w)->g) TRY(prestress_assemble(w));
  if (own(w)->g && !modal_buckles(w->run->c))
    TRY(elasticity_combine(exec, mat_slots(w->a)->n_value, 1, mat_values(w->a), 1, mat_values(own(w)->g),
                           mat_values(own(w)->g)));
  (void)elasticity_set_gap(w->elasticity, 0); /* of modes */
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
static Status translations_weigh(ElasticRun *w, double *columns) {
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
    TRY_DONE(elasticity_mass_residual(own(w)->mass, w->u, force));
    TRY_DONE(exec_download(exec, one, force, (size_t)rows * sizeof *one));
    for (int64_t i = 0; i < rows; ++i) columns[i * COLUMNS + k] = -one[i];
  }
done:
  EXEC_RELEASE(exec, force, rows);
  FREE(one);
  return status;
}

/* Of a sector the translations are those of all of the body; where it is there twice each has half of what moves. */
static void sector_columns(const ElasticRun *w, double *columns) {
  const SectorPhase *phase = own(w)->phase;
  const ElasticSetup *setup = phase ? NULL : elastic_setup(run_setup(w->run, &w->setup));
  if (!phase && !sector_count(setup)) return;
  const int32_t copies = phase ? phase->copies : 1, dim = case_dim(w->run->c);
  const int32_t n_node = phase ? phase->sample.mesh->n_node / copies : INT32_MAX;
  const int64_t rows = elasticity_rows(w->elasticity);
  double part[2][3][3];
  sector_translations(own(w)->n_sector, own(w)->diameter, phase ? own(w)->along : setup->cut[0].direction, part);
  const double weight = copies == 2 ? sqrt(0.5) : 1;
  for (int64_t i = 0; i < rows; i += dim) {
    const int32_t copy = elasticity_node(w->elasticity, i) / n_node;
    for (int32_t c = 0; c < dim; ++c) {
      double sum[3] = {0}, *to = columns + (i + c) * COLUMNS;
      for (int d = 0; d < 3; ++d)
        for (int k = 0; k < dim; ++k) sum[d] += weight * part[copy][d][k] * to[k];
      for (int d = 0; d < 3; ++d) to[d] = sum[d];
    }
  }
}

/* Rows of the report: x.M e of each mode, which has x.M x = 1, and its square. A body of revolution moves as a whole
 * along its axis only. */
static Status modes_list(ElasticRun *w) {
  RunReport *report = w->run->report;
  const int32_t n = (int32_t)w->run->c->analysis.modes.value;
  double *columns = NULL, *product = NULL;
  Status status = OK;
  if (!report->modes.row) ALLOC_DONE(report->modes.row, own(w)->phase ? modal_count(w->run->c) : n, "modes");
  ALLOC_DONE(product, (int64_t)n * COLUMNS, "participation factors");
  TRY_DONE(modal_translations(w->elasticity, &columns));
  sector_columns(w, columns);
  TRY_DONE(translations_weigh(w, columns));
  TRY_DONE(eigen_project(own(w)->solver, columns, product));
  report->modes.n = own(w)->first + n;
  for (int32_t k = 0; k < n; ++k) {
    ModeRow *row = &report->modes.row[own(w)->first + k];
    row->diameter = own(w)->diameter;
    const double theta = eigen_values(own(w)->solver)[k];
    row->residual = eigen_residuals(own(w)->solver)[k];
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
static Status check_values(const ElasticRun *w) {
  const Case *c = w->run->c;
  const double *theta = eigen_values(own(w)->solver);
  const int32_t n = (int32_t)c->analysis.modes.value;
  char place[512];
  if (!own(w)->g || w->run->rehearsed) return OK;
  if (modal_buckles(c)) {
    CHECK(theta[n - 1] < 0, ERR_NUMERIC,
          "%s: %s of %d load factors are positive: the load does not compress the body\n  remedy: fewer modes, or "
          "the load the other way round",
          place_text(c->path, c->analysis.place, place, sizeof place), theta[0] < 0 ? "not all" : "none", (int)n);
    return OK;
  }
  CHECK(theta[0] > 0, ERR_NUMERIC,
        "%s: the body buckles under its load: the square of its lowest frequency is negative\n  remedy: a smaller "
        "load; 'analysis: {type: buckling}' gives the load that it bears",
        place_text(c->path, c->analysis.place, place, sizeof place));
  return OK;
}

/* With sums over the parts that this solver has. */
static Status values_find(ElasticRun *w, EigenReport *eigen) {
  exec_sum_over(w->run->device.exec, w->parts);
  eigen_set_poll(own(w)->solver, progress_poll, &w->run->progress);
  TRY(modal_begin(w->run->c, own(w)->solver));
  TRY(modal_deflate(w->elasticity, own(w)->solver));
  return eigen_solve(own(w)->solver, eigen);
}

/* Parameters for one more try, of something stronger: thin elements, and a row of elements with a reduced rule, have soft
 * motions that no coarser level knows of. Exactly, or where that is too large with a smoother of higher degree; after
 * that one, exactly as far as it goes. False: the first try was the strongest that there is. */
static bool take_stronger(const ElasticRun *w, const EigenReport *eigen, LinearParams *linear, bool *exactly) {
  enum { DEGREE_AGAIN = 8 };
  const int64_t rows = mat_whole(w->a);
  *linear = own(w)->asked;
  linear->preconditioner = own(w)->preferred;
  if (eigen->degree >= DEGREE_AGAIN) return *exactly = elastic_solve_exactly_at_last(linear, rows);
  *exactly = !elasticity_reduced(w->elasticity) && elastic_solve_exactly(linear, rows);
  if (*exactly) return !own(w)->exact;
  linear->degree = DEGREE_AGAIN;
  return true;
}

static Status values_find_again(ElasticRun *w, const LinearParams *stronger, bool exactly, EigenReport *eigen) {
  LinearParams linear = *stronger;
  status_clear();
  if (exactly) status_warn("modes: %s is too weak here; once more with exact solutions", own(w)->preferred);
  else
    status_warn("modes: %s of degree %d is too weak here; once more with degree %d", linear.preconditioner,
                eigen->degree, linear.degree);
  eigen_destroy(&own(w)->solver);
  TRY(solver_create(w, &linear));
  return values_find(w, eigen);
}

/* A body on supports so soft that its motions as a whole hide all others from a start that is smoothed by K: with K + shift M it starts
 * as one that nothing holds. */
static bool is_hidden(const ElasticRun *w, Status status, const EigenReport *eigen) {
  return status == ERR_NUMERIC && eigen->shifts > 0 && eigen->iterations == 0 && !own(w)->shifted && !own(w)->g;
}

static Status values_find_shifted(ElasticRun *w, EigenReport *eigen) {
  LinearParams linear = own(w)->asked;
  status_clear();
  eigen_destroy(&own(w)->solver);
  TRY(mat_create_like(w->a, PRECISION_DOUBLE, &own(w)->shifted));
  TRY(solver_create(w, &linear));
  return values_find(w, eigen);
}

Status modal_solve(ElasticRun *w) {
  Run *run = w->run;
  EigenReport eigen = {0};
  char place[512];
  TRY(modal_assemble(w));
  Status status = values_find(w, &eigen);
  if (is_hidden(w, status, &eigen)) status = values_find_shifted(w, &eigen);
  LinearParams stronger;
  bool exactly;
  if (status == ERR_NUMERIC && eigen.stalled && precond_is_auto(own(w)->asked.preconditioner) &&
      !own(w)->asked.degree && take_stronger(w, &eigen, &stronger, &exactly))
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

/* The body beside the modes: K about its state, M, and the lowest of them. */
static Status modes_of_state(ElasticRun *w) {
  const Case *c = w->run->c;
  EigenReport eigen = {0};
  LinearParams stronger;
  bool exactly;
  char place[512];
  TRY(elasticity_contact_freeze(w->elasticity));
  TRY(modal_motions(c, w->elasticity, &w->run->report->modes.rigid));
  CHECK(w->run->report->modes.rigid == 0, ERR_INPUT,
        "%s: modes about a state of finite strain are those of a body that supports hold; %d motions are free",
        place_text(c->path, c->analysis.place, place, sizeof place), (int)w->run->report->modes.rigid);
  TRY(elastic_mass(c, w->elasticity, false, &own(w)->mass));
  TRY(elasticity_mass_total(own(w)->mass, &w->run->report->modes.mass));
  elasticity_mass_reduce(own(w)->mass);
  TRY(mat_create_like(w->a, PRECISION_DOUBLE, &own(w)->m));
  TRY(elasticity_tangent(w->elasticity, w->u, mat_values(w->a)));
  TRY(elasticity_mass_matrix(own(w)->mass, mat_values(own(w)->m)));
  (void)elasticity_set_gap(w->elasticity, 0); /* of modes */
  LinearParams linear = own(w)->asked;
  TRY(solver_create(w, &linear));
  Status status = values_find(w, &eigen);
  if (status == ERR_NUMERIC && eigen.stalled && precond_is_auto(own(w)->asked.preconditioner) &&
      !own(w)->asked.degree && take_stronger(w, &eigen, &stronger, &exactly))
    status = values_find_again(w, &stronger, exactly, &eigen);
  progress_clear(&w->run->progress);
  TRY(status);
  CHECK(
      eigen_values(own(w)->solver)[0] > 0 || w->run->rehearsed, ERR_NUMERIC,
      "%s: the square of the lowest frequency is negative: the body is beyond what it bears, and buckles\n  remedy: a "
      "smaller load",
      place_text(c->path, c->analysis.place, place, sizeof place));
  return modes_list(w);
}

Status modal_of_state(ElasticRun *w) {
  ModalRun modal = {0};
  ElasticFields state = {0};
  void *const steps = w->own;
  TRY(linear_params_of_case(w->run->c, &modal.asked));
  modal.asked.rtol = fmax(modal.asked.rtol, MODAL_RTOL);
  modal.output = (ModalOutput){.run = w->run, .setup = &w->setup, .elasticity = w->elasticity};
  w->own = &modal;
  elasticity_follow_all(w->elasticity);
  Status status = elasticity_recover(w->elasticity, w->u, FIELD_DISPLACEMENT, &state);
  if (status == OK) status = modes_of_state(w);
  run_guard(w->run, 1);
  if (status == OK) status = result_stream_close(&w->stream); /* whose thread has HDF5 until then */
  run_guard(w->run, 0);
  if (status == OK)
    status = modal_shapes_save(&modal.output, (const double(*)[3])state.displacement, modal.solver, w->u);
  if (status == OK) status = modal_output_table(&modal.output);
  status = modal_run_release(w, status);
  elastic_fields_release(&state);
  w->own = steps;
  return status;
}

static Status modal_run_prepare(ElasticRun *w) {
  ElasticityParams *params = elastic_run_params(w), *whole = &elastic_setup(&w->setup)->params;
  params->allow_free_motion = whole->allow_free_motion = !modal_loaded(w->run->c);
  params->no_load = whole->no_load = params->allow_free_motion;
  own(w)->asked = w->linear;
  return OK;
}

Status modal_run_begin(ElasticRun *w) {
  const Case *c = w->run->c;
  if (sector_modes_asked(w)) return sector_modes_begin(w);
  TRY(modal_motions(c, w->elasticity, &w->run->report->modes.rigid));
  TRY(elastic_mass(c, w->elasticity, modal_buckles(c), &own(w)->mass));
  TRY(elasticity_mass_total(own(w)->mass, &w->run->report->modes.mass));
  TRY(comm_total(w->run->device.exec->comm, &w->run->report->modes.mass));
  if (!modal_buckles(c)) elasticity_mass_reduce(own(w)->mass);
  TRY(matrices_create(w));
  EXEC_ALLOC(w->run->device.exec, w->u, w->n, "displacement");
  return solver_create(w, &w->linear);
}

static Status modal_run_open(ElasticRun *w) {
  return modal_output_create(w->run, &w->setup, w->elasticity, &own(w)->output);
}

static Status modal_run_next(ElasticRun *w, bool *more) {
  RunReport *report = w->run->report;
  const bool waves = own(w)->sector.asked;
  if (report->steps == 0) {
    const SumParts *before = exec_sum_over(w->run->device.exec, w->parts);
    const Status status = waves ? sector_modes_solve(w) : modal_solve(w);
    exec_sum_over(w->run->device.exec, before);
    TRY(status);
  }
  *more = ++report->steps < report->modes.n;
  const int32_t k = (int32_t)report->steps - 1;
  return waves ? sector_modes_vector(w, k, w->u) : eigen_vector(own(w)->solver, k, w->u);
}

static Status modal_run_store(ElasticRun *w) {
  RunReport *report = w->run->report;
  ModeRow *row = &report->modes.row[report->steps - 1];
  if (report->steps == 1) TRY(elastic_check_bending(w->run, w->elasticity, w->u, 0));
  TRY(modal_output_store(&own(w)->output, w->u, row));
  report->time = row->frequency;
  return OK;
}

static Status modal_run_end(ElasticRun *w) { return modal_output_table(&own(w)->output); }

double modal_iterations(const Case *c) {
  enum { ITERATIONS = 20 }; /* about, whatever the modes */
  return ITERATIONS * ceil((double)c->analysis.modes.value / 8) * fmax(1, c->analysis.diameters.n);
}

void modal_save_modes(const RunReport *report, Json *json) {
  static const char *const letter[] = {"x", "y", "z"};
  char name[32];
  json_integer(json, "rigid_motions", report->modes.rigid);
  json_number(json, "mass", report->modes.mass);
  json_array(json, "modes");
  for (int32_t k = 0; k < report->modes.n; ++k) {
    const ModeRow *row = &report->modes.row[k];
    json_object(json, NULL);
    json_number(json, "frequency", row->frequency);
    if (report->modes.waves) json_integer(json, "diameter", row->diameter);
    json_number(json, "residual", row->residual);
    for (int d = 0; d < 3; ++d) {
      snprintf(name, sizeof name, "participation_%s", letter[d]);
      json_number(json, name, row->participation[d]);
    }
    for (int d = 0; d < 3; ++d) {
      snprintf(name, sizeof name, "effective_mass_%s", letter[d]);
      json_number(json, name, row->effective[d]);
    }
    json_end(json);
  }
  json_end(json);
}

void modal_print_modes(const RunReport *report, const Case *c) {
  enum { SHOWN = 20 };
  char mass[UNIT_BYTES + 1];
  Units units;
  units_of_case(c, &units);
  const char *unit = units_text(&units, UNIT_FREQUENCY);
  if (report->modes.rigid)
    printf("rigid        %d motions of the body, at 0, are not among the modes\n", (int)report->modes.rigid);
  printf("mode         %sfrequency%s%s  effective mass of %.6g%s in x, y, z  residual\n",
         report->modes.waves ? "diameters  " : "", unit ? ", " : "", unit ? unit : "", report->modes.mass,
         unit_behind(&units, UNIT_MASS, mass));
  for (int32_t k = 0; k < report->modes.n && k < SHOWN; ++k) {
    const ModeRow *row = &report->modes.row[k];
    const double all = report->modes.mass > 0 ? 100 / report->modes.mass : 0;
    printf("%-12d ", (int)k + 1);
    if (report->modes.waves) printf("%-10d ", (int)row->diameter);
    printf("%-14.9g %7.2f %% %7.2f %% %7.2f %%  %.1e\n", row->frequency, all * row->effective[0],
           all * row->effective[1], all * row->effective[2], row->residual);
  }
  if (report->modes.n > SHOWN) printf("             and %d more in modes.csv\n", (int)report->modes.n - SHOWN);
}

const Analysis modal_analysis = {
    .fields = FIELDS_VIBRATION,
    .own = sizeof(ModalRun),
    .prepare = modal_run_prepare,
    .begin = modal_run_begin,
    .open = modal_run_open,
    .next = modal_run_next,
    .store = modal_run_store,
    .end = modal_run_end,
    .release = modal_run_release,
    .physics = {ANALYSIS_PHYSICS(ANALYSIS_MODAL | HAS_MODES | HAS_INERTIA), .analysis = "modal", .check = modal_check,
                .step_unit = UNIT_FREQUENCY, .save_steps = modal_save_modes, .print_steps = modal_print_modes,
                .shares = true, .cost = {.build = 40e-6, .step = 30e-6, .launch = 0.02}, .steps = modal_iterations}};
