/* Harmonic elasticity, from a case to files: K and M once, then for every frequency their combinations, the
 * preconditioner and a complex solve. docs/theory/harmonic.md. */
#include "app/elasticity/run_harmonic.h"
#include "app/elasticity/elastic.h"
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic_hints.h"
#include "app/elasticity/elastic_system.h"
#include "app/run/ranks.h"
#include "core/memory.h"
#include "core/vec.h"
#include "solver/krylov/cocg.h"
#include "algebra/mat.h"

#include <math.h>

/* Owned, on the Exec, [n]. */
typedef struct WorkLoad {
  double *prescribed; /* motion of the supports; the next three are: load - K prescribed, -M prescribed, K prescribed */
  double *balance, *inertia, *stiff;
  double *slow; /* -C prescribed; NULL: no dashpots */
} WorkLoad;

typedef struct Work {
  Run *run;
  Setup setup;
  Elasticity *elasticity;
  bool damped;
  int64_t n;
  Mat *a, *b, *p; /* real part, imaginary part (NULL: no damping), positive definite one of the preconditioner */
  ElasticOperators of;
  double *u[2], *f[2];   /* on the Exec, [n], halo included: displacement, load */
  WorkLoad load[2];      /* the second: what is a quarter of a period ahead */
  int n_load, loaded;    /* loaded: the one that the elasticity has */
  bool varies;           /* with the frequency */
  CocgSolver *solver;    /* NULL: by modes, */
  HarmonicModes *modes;  /* NULL: direct */
  const SumParts *parts; /* of sums in the solve */
  HarmonicOutput output;
  Bending bending[2]; /* of real and imaginary parts */
} Work;

static bool by_modes(const Work *w) { return case_by_modes(w->run->c); }

static Status harmonic_release(void *work) {
  Work *w = work;
  Exec *exec = w->run->device.exec;
  const Status status = harmonic_output_close(&w->output);
  progress_phase(&w->run->progress, PHASE_WRITE);
  harmonic_modes_destroy(&w->modes);
  cocg_destroy(&w->solver);
  mat_destroy(&w->b);
  mat_destroy(&w->p);
  mat_destroy(&w->a);
  for (int part = 0; exec && part < 2; ++part) {
    WorkLoad *l = &w->load[part];
    double **const vectors[] = {&w->u[part], &w->f[part], &l->slow, &l->prescribed,
                                &l->balance, &l->inertia, &l->stiff};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; ++k) EXEC_RELEASE(exec, *vectors[k], w->n);
  }
  elastic_operators_release(exec, &w->of);
  elasticity_destroy(&w->elasticity);
  setup_release(&w->setup);
  return status;
}

static Status matrices_create(Work *w) {
  TRY(elastic_matrix(w->run, w->elasticity, &w->a));
  TRY(mat_create_like(w->a, PRECISION_DOUBLE, &w->p));
  if (w->damped && !by_modes(w)) TRY(mat_create_like(w->a, PRECISION_DOUBLE, &w->b));
  TRY(elastic_operators_create(w->run, w->elasticity, w->a, &w->of));
  elasticity_mass_reduce(w->of.mass);
  return OK;
}

static Status vectors_create(Work *w) {
  Exec *exec = w->run->device.exec;
  for (int part = 0; part < 2; ++part) {
    EXEC_ALLOC(exec, w->u[part], w->n, "displacement");
    EXEC_ALLOC(exec, w->f[part], w->n, "load");
  }
  w->n_load = 1 + (elastic_setup(run_setup(w->run, &w->setup))->n_act > 0);
  for (int part = 0; part < w->n_load; ++part) {
    WorkLoad *l = &w->load[part];
    EXEC_ALLOC(exec, l->prescribed, w->n, "motion of the supports");
    EXEC_ALLOC(exec, l->balance, w->n, "load less that of moving supports");
    EXEC_ALLOC(exec, l->inertia, w->n, "inertia of moving supports");
    EXEC_ALLOC(exec, l->stiff, w->n, "load of moving supports");
    if (w->of.C) EXEC_ALLOC(exec, l->slow, w->n, "dashpots on moving supports");
  }
  return OK;
}

static Status solver_create(Work *w, LinearParams *linear) {
  Exec *exec = w->run->device.exec;
  ElasticHints hints;
  if (by_modes(w)) return harmonic_modes_create(w->run, w->elasticity, linear, w->a, w->p, &w->modes);
  TRY(elastic_hints_create(exec, w->elasticity, w->a, linear, &hints));
  w->parts = run_parts(w->run, linear_choice(exec, linear, w->a));
  const Status status = cocg_create(exec, linear, w->a, w->b, w->p, &w->solver);
  elastic_hints_release(linear, &hints);
  return status;
}

/* What supports that move leave of the load: balance = f - K u0, stiff = K u0, inertia = -M u0. */
static Status load_assemble(const Work *w, double frequency, const double *nothing, const WorkLoad *l) {
  Exec *exec = w->run->device.exec;
  TRY(exec_zero(exec, l->prescribed, (size_t)w->n * sizeof(double)));
  TRY(elasticity_prescribed_at_time(w->elasticity, frequency, l->prescribed));
  TRY(elasticity_load_at_time(w->elasticity, frequency));
  TRY(elasticity_residual(w->elasticity, nothing, l->stiff));
  TRY(elasticity_residual(w->elasticity, l->prescribed, l->balance));
  TRY(vec_axpy(exec, w->n, -1, l->balance, l->stiff));
  TRY(elasticity_mass_residual(w->of.mass, l->prescribed, l->inertia));
  return l->slow ? elasticity_viscous_residual(w->elasticity, l->prescribed, l->slow) : OK;
}

/* What is a quarter of a period ahead, or the rest again. */
static Status acts_begin(const Work *w, int part) {
  const Setup *setup = run_setup(w->run, &w->setup);
  const ElasticSetup *own = elastic_setup(setup);
  if (part) return elastic_cases_begin(setup, false, 0, w->elasticity);
  return elasticity_load_case(w->elasticity, &own->params, "the loads", own->act[0].name);
}

static Status loads_assemble(Work *w, double frequency) {
  double *nothing = w->u[0];
  TRY(exec_zero(w->run->device.exec, nothing, (size_t)w->n * sizeof *nothing));
  for (int part = 0; part < w->n_load; ++part) {
    if (part != w->loaded) TRY(acts_begin(w, part));
    w->loaded = part;
    TRY(load_assemble(w, frequency, nothing, &w->load[part]));
  }
  return OK;
}

/* K, M, and loads. */
static Status harmonic_assemble(Work *w) {
  Exec *exec = w->run->device.exec;
  TRY(elastic_operators_assemble(w->elasticity, w->u[0], &w->of));
  TRY(loads_assemble(w, harmonic_frequency(w->run->c, 0)));
  TRY(exec_sync(exec));
  progress_phase(&w->run->progress, PHASE_ASSEMBLY);
  return OK;
}

/* f = b of the first load + i b of the second, b = load - (K (1 + i loss) - omega^2 M + i omega (viscous M + C)) u0. */
static Status loads_combine(const Work *w, const HarmonicFactors *h) {
  Exec *exec = w->run->device.exec;
  for (int part = 0; part < 2; ++part) TRY(exec_zero(exec, w->f[part], (size_t)w->n * sizeof(double)));
  for (int i = 0; i < w->n_load; ++i) {
    const WorkLoad *l = &w->load[i];
    double *const re = w->f[i], *const im = w->f[1 - i]; /* i (a + i b) = -b + i a */
    const double sign = i ? -1 : 1;
    TRY(vec_axpy(exec, w->n, 1, l->balance, re));
    TRY(vec_axpy(exec, w->n, -h->omega * h->omega, l->inertia, re));
    TRY(vec_axpy(exec, w->n, -sign * h->loss, l->stiff, im));
    TRY(vec_axpy(exec, w->n, sign * h->omega * h->viscous, l->inertia, im));
    if (l->slow) TRY(vec_axpy(exec, w->n, sign * h->omega, l->slow, im));
  }
  return OK;
}

/* Matrices and load of a frequency. */
static Status matrices_combine(Work *w, const HarmonicFactors *h) {
  Exec *exec = w->run->device.exec;
  const double square = h->omega * h->omega, viscous = h->omega * h->viscous;
  TRY(elasticity_combine(exec, w->of.n_value, 1, w->of.K, -square, w->of.M, mat_values(w->a)));
  TRY(elasticity_combine(exec, w->of.n_value, hypot(1, h->loss), w->of.K, hypot(square, viscous), w->of.M,
                         mat_values(w->p)));
  TRY(loads_combine(w, h));
  if (w->b) TRY(elasticity_combine(exec, w->of.n_value, h->loss, w->of.K, viscous, w->of.M, mat_values(w->b)));
  if (!w->of.C) return OK;
  TRY(vec_axpy(exec, w->of.n_value, h->omega, w->of.C, mat_values(w->p)));
  return vec_axpy(exec, w->of.n_value, h->omega, w->of.C, mat_values(w->b));
}

/* Sums over the frequencies; the residual is the worst. */
static void report_add(RunReport *report, const LinearReport *linear) {
  LinearReport *sum = &report->linear;
  const double residual = sum->true_residual, recursive = sum->recursive_residual;
  linear_report_add(sum, linear);
  sum->true_residual = fmax(sum->true_residual, residual);
  sum->recursive_residual = fmax(sum->recursive_residual, recursive);
}

static Status system_solve(Work *w, LinearReport *linear) {
  const SumParts *before = exec_sum_over(w->run->device.exec, w->parts);
  Status status = cocg_setup(w->solver);
  if (status == OK) status = cocg_solve(w->solver, (const double *const[2]){w->f[0], w->f[1]}, w->u, linear);
  exec_sum_over(w->run->device.exec, before);
  return status;
}

static Status direct_solve(Work *w, const HarmonicFactors *factors, LinearReport *linear) {
  Run *run = w->run;
  TRY(matrices_combine(w, factors));
  for (int part = 0; part < 2; ++part) TRY(exec_zero(run->device.exec, w->u[part], (size_t)w->n * sizeof(double)));
  const Status status = system_solve(w, linear);
  report_add(run->report, linear);
  if (status == ERR_NUMERIC) run_name_place(run, &w->setup, linear, mat_block(w->a));
  return run_solved(run, status);
}

static Status modes_load(Work *w) {
  double *load[2][HARMONIC_LOADS] = {{NULL}};
  for (int part = 0; part < w->n_load; ++part) {
    const WorkLoad *l = &w->load[part];
    load[part][HARMONIC_BALANCE] = l->balance, load[part][HARMONIC_STIFF] = l->stiff;
    load[part][HARMONIC_INERTIA] = l->inertia;
  }
  return harmonic_modes_load(w->modes, w->n_load, load, &w->run->report->linear);
}

static Status frequency_solve(Work *w, double frequency) {
  Run *run = w->run;
  Exec *exec = run->device.exec;
  LinearReport linear = {0};
  const HarmonicFactors factors = harmonic_factors(run->c, frequency);
  run->report->time = frequency;
  ++run->report->steps;
  if (w->varies) TRY(loads_assemble(w, frequency));
  if (w->modes && w->varies) TRY(modes_load(w));
  if (w->modes) TRY(harmonic_modes_response(w->modes, &factors, w->u));
  else TRY(direct_solve(w, &factors, &linear));
  for (int part = 0; part < w->n_load; ++part) TRY(vec_axpy(exec, w->n, 1, w->load[part].prescribed, w->u[part]));
  TRY(harmonic_output_step(&w->output, frequency, &linear));
  progress_phase(&run->progress, PHASE_SOLVE);
  TRY(harmonic_output_store(&w->output, frequency, w->u));
  progress_phase(&run->progress, PHASE_WRITE);
  for (int part = 0; part < 2; ++part) TRY(elastic_watch_bending(run, w->elasticity, w->u[part], &w->bending[part]));
  return OK;
}

/* K and M in the places of the two matrices; modes once. */
static Status modes_solve(Work *w) {
  Exec *exec = w->run->device.exec;
  TRY(elasticity_combine(exec, w->of.n_value, 1, w->of.K, 0, w->of.M, mat_values(w->a)));
  TRY(elasticity_combine(exec, w->of.n_value, 0, w->of.K, 1, w->of.M, mat_values(w->p)));
  Status status = harmonic_modes_solve(w->modes, &w->run->report->linear);
  if (status == OK && !w->varies) status = modes_load(w);
  progress_clear(&w->run->progress);
  warnings_print();
  return run_solved(w->run, status);
}

/* All of them, now that modes are known where they count. Owned by the caller. */
static Status frequencies_list(const Work *w, double **out, int64_t *n) {
  const Case *c = w->run->c;
  double *natural = NULL;
  int32_t n_natural;
  *n = w->run->rehearsed ? 1 : harmonic_count(c);
  ALLOC(*out, harmonic_count(c), "frequencies");
  for (int64_t k = 0; k < *n; ++k) (*out)[k] = harmonic_frequency(c, k);
  if (c->analysis.frequency.at.n || c->analysis.frequency.spacing.value != SPACING_MODES || w->run->rehearsed)
    return OK;
  TRY(harmonic_modes_frequencies(w->modes, &natural, &n_natural));
  *n = harmonic_between(c, n_natural, natural, *out);
  FREE(natural);
  return OK;
}

static Status frequencies_solve(Work *w, int64_t n, const double *list) {
  Run *run = w->run;
  for (int64_t k = 0; k < n; ++k) {
    const double frequency = list[k];
    progress_live(&run->progress, "frequency %g Hz, %lld of %lld", frequency, (long long)k + 1, (long long)n);
    const Status status = frequency_solve(w, frequency);
    progress_clear(&run->progress);
    if (status != OK) return status_context(status, "at the frequency %g Hz", frequency);
  }
  return OK;
}

static Status harmonic_solve(Work *w) {
  Run *run = w->run;
  double *list = NULL;
  int64_t n;
  run->solving = true;
  TRY(harmonic_assemble(w));
  if (w->modes) TRY(modes_solve(w));
  Status status = frequencies_list(w, &list, &n);
  if (status == OK) status = frequencies_solve(w, n, list);
  FREE(list);
  TRY(status);
  run->report->seconds[PHASE_PREPARE] = run->report->linear.setup_seconds; /* the solver's own clock */
  run->report->seconds[PHASE_SOLVE] -= run->report->linear.setup_seconds;
  run->report->converged = true;
  const Bending sum = {w->bending[0].energy + w->bending[1].energy, w->bending[0].gain + w->bending[1].gain, 0};
  elastic_tell_bending(run, &sum);
  return OK;
}

/* A body that nothing holds vibrates all the same; at rest it does not stay. */
static bool may_be_free(const Case *c) { return harmonic_frequency(c, 0) > 0 && !case_by_modes(c); }

static Status harmonic_pipeline(void *work) {
  Work *w = work;
  Run *run = w->run;
  const Case *c = run->c;
  LinearParams linear;
  TRY(linear_params_of_case(c, &linear));
  TRY(run_begin(run, &w->setup));
  TRY(run_check_memory(run, &w->setup));
  CHECK(!by_modes(w) || !run->share, ERR_INPUT,
        "'method: modes' is for one rank\n  remedy: 'method: direct', or one rank");
  elastic_setup(&w->setup)->params.allow_free_motion |= may_be_free(c);
  w->damped = harmonic_is_damped(c);
  w->varies = case_timed(c, 0) != NULL;
  TRY(elastic_equation(run, &w->setup, &w->elasticity));
  w->n = elasticity_dofs(w->elasticity);
  TRY(matrices_create(w));
  TRY(vectors_create(w));
  TRY(solver_create(w, &linear));
  if (w->solver) cocg_set_poll(w->solver, progress_poll, &run->progress);
  run->progress.goal = linear.rtol;
  TRY(harmonic_output_create(run, &w->setup, w->elasticity, &w->output));
  if (!w->damped && harmonic_frequency(c, harmonic_count(c) - 1) > 0)
    status_warn("there is no damping: near a natural frequency the response grows without bound");
  warnings_print();
  progress_phase(&run->progress, PHASE_SETUP);
  TRY(harmonic_solve(w));
  run_measure(run);
  return OK;
}

Status run_harmonic(Run *run) {
  Work w = {.run = run};
  return run_pipeline(run, &w, harmonic_pipeline, harmonic_release);
}
