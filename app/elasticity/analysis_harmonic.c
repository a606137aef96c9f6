/* Harmonic elasticity, from a case to files: K and M once, then for every frequency their combinations, the
 * preconditioner and a complex solve. docs/theory/harmonic.md. */
#include "app/elasticity/run_harmonic.h"
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic_hints.h"
#include "app/elasticity/elastic_run.h"
#include "app/run/may_factor.h"
#include "app/run/ranks.h"
#include "core/memory.h"
#include "core/vec.h"
#include "output/wording.h"
#include "solver/krylov/cocg.h"
#include "algebra/mat.h"

#include <math.h>
#include <stdio.h>

/* Owned, on the Exec, [n]. */
typedef struct WorkLoad {
  double *prescribed; /* motion of the supports; the next three are: load - K prescribed, -M prescribed, K prescribed */
  double *balance, *inertia, *stiff;
  double *slow; /* -C prescribed; NULL: no dashpots */
} WorkLoad;

typedef struct HarmonicRun {
  bool damped;
  Mat *b, *p; /* beside the real part: imaginary part (NULL: no damping), positive definite one of the preconditioner */
  ElasticOperators of;
  double *u[2], *f[2];  /* on the Exec, [n], halo included: displacement, load */
  WorkLoad load[2];     /* the second: what is a quarter of a period ahead */
  int n_load, loaded;   /* loaded: the one that the elasticity has */
  bool varies;          /* with the frequency */
  CocgSolver *solver;   /* NULL: by modes, */
  HarmonicModes *modes; /* NULL: direct */
  double *frequency;    /* [n_frequency], from the first step on */
  int64_t n_frequency, step;
  HarmonicOutput output;
  Bending bending[2]; /* of real and imaginary parts */
} HarmonicRun;

static HarmonicRun *own(const ElasticRun *w) { return w->own; }

static bool by_modes(const ElasticRun *w) { return case_by_modes(w->run->c); }

static Status harmonic_release(ElasticRun *w, Status status) {
  Exec *exec = w->run->device.exec;
  const Status closed = harmonic_output_close(&own(w)->output);
  FREE(own(w)->frequency);
  harmonic_modes_destroy(&own(w)->modes);
  cocg_destroy(&own(w)->solver);
  mat_destroy(&own(w)->b);
  mat_destroy(&own(w)->p);
  for (int part = 0; exec && part < 2; ++part) {
    WorkLoad *l = &own(w)->load[part];
    double **const vectors[] = {&own(w)->u[part], &own(w)->f[part], &l->slow, &l->prescribed,
                                &l->balance,      &l->inertia,      &l->stiff};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; ++k) EXEC_RELEASE(exec, *vectors[k], w->n);
  }
  elastic_operators_release(&own(w)->of);
  return status == OK ? closed : status;
}

static Status matrices_create(ElasticRun *w) {
  TRY(elastic_matrix(w->run, w->elasticity, &w->a));
  TRY(mat_create_like(w->a, PRECISION_DOUBLE, &own(w)->p));
  if (own(w)->damped && !by_modes(w)) TRY(mat_create_like(w->a, PRECISION_DOUBLE, &own(w)->b));
  TRY(elastic_operators_create(w->run, w->elasticity, w->a, &own(w)->of));
  elasticity_mass_reduce(own(w)->of.mass);
  return OK;
}

static Status vectors_create(ElasticRun *w) {
  Exec *exec = w->run->device.exec;
  for (int part = 0; part < 2; ++part) {
    EXEC_ALLOC(exec, own(w)->u[part], w->n, "displacement");
    EXEC_ALLOC(exec, own(w)->f[part], w->n, "load");
  }
  own(w)->n_load = 1 + (elastic_setup(run_setup(w->run, &w->setup))->n_act > 0);
  for (int part = 0; part < own(w)->n_load; ++part) {
    WorkLoad *l = &own(w)->load[part];
    EXEC_ALLOC(exec, l->prescribed, w->n, "motion of the supports");
    EXEC_ALLOC(exec, l->balance, w->n, "load less that of moving supports");
    EXEC_ALLOC(exec, l->inertia, w->n, "inertia of moving supports");
    EXEC_ALLOC(exec, l->stiff, w->n, "load of moving supports");
    if (own(w)->of.C) EXEC_ALLOC(exec, l->slow, w->n, "dashpots on moving supports");
  }
  return OK;
}

static Status solver_create(ElasticRun *w, LinearParams *linear) {
  Exec *exec = w->run->device.exec;
  ElasticHints hints;
  if (by_modes(w)) {
    TRY(harmonic_modes_create(w->run, w->elasticity, linear, w->a, own(w)->p, &own(w)->modes));
    w->parts = run_parts(w->run, linear_choice(exec, linear, w->a));
    return OK;
  }
  TRY(elastic_hints_create(exec, w->elasticity, w->a, linear, &hints));
  w->parts = run_parts(w->run, linear_choice(exec, linear, w->a));
  if (run_may_factor(w->run, w->a, linear)) run_spare(w->run, elasticity_pattern(w->elasticity), linear);
  const Status status = cocg_create(exec, linear, w->a, own(w)->b, own(w)->p, &own(w)->solver);
  elastic_hints_release(linear, &hints);
  return status;
}

/* What supports that move leave of the load: balance = f - K u0, stiff = K u0, inertia = -M u0. */
static Status load_assemble(const ElasticRun *w, double frequency, const double *nothing, const WorkLoad *l) {
  Exec *exec = w->run->device.exec;
  TRY(exec_zero(exec, l->prescribed, (size_t)w->n * sizeof(double)));
  TRY(elasticity_prescribed_at_time(w->elasticity, frequency, l->prescribed));
  TRY(elasticity_load_at_time(w->elasticity, frequency));
  TRY(elasticity_residual(w->elasticity, nothing, l->stiff));
  TRY(elasticity_residual(w->elasticity, l->prescribed, l->balance));
  TRY(vec_axpy(exec, w->n, -1, l->balance, l->stiff));
  TRY(elasticity_mass_residual(own(w)->of.mass, l->prescribed, l->inertia));
  return l->slow ? elasticity_viscous_residual(w->elasticity, NULL, l->prescribed, l->slow) : OK;
}

/* What is a quarter of a period ahead, or the rest again. */
static Status acts_begin(const ElasticRun *w, int part) {
  const Setup *setup = run_setup(w->run, &w->setup);
  const ElasticSetup *own = elastic_setup(setup);
  if (part) return elastic_cases_begin(setup, false, 0, w->elasticity);
  return elasticity_load_case(w->elasticity, &own->params, "the loads", own->act[0].name);
}

static Status loads_assemble(ElasticRun *w, double frequency) {
  double *nothing = own(w)->u[0];
  TRY(exec_zero(w->run->device.exec, nothing, (size_t)w->n * sizeof *nothing));
  for (int part = 0; part < own(w)->n_load; ++part) {
    if (part != own(w)->loaded) TRY(acts_begin(w, part));
    own(w)->loaded = part;
    TRY(load_assemble(w, frequency, nothing, &own(w)->load[part]));
  }
  return OK;
}

/* K, M, and loads. */
static Status harmonic_assemble(ElasticRun *w) {
  Exec *exec = w->run->device.exec;
  TRY(elastic_operators_assemble(w->elasticity, own(w)->u[0], &own(w)->of));
  TRY(loads_assemble(w, harmonic_frequency(w->run->c, 0)));
  TRY(exec_sync(exec));
  progress_phase(&w->run->progress, PHASE_ASSEMBLY);
  return OK;
}

/* f = b of the first load + i b of the second, b = load - (K (1 + i loss) - omega^2 M + i omega (viscous M + C)) u0. */
static Status loads_combine(const ElasticRun *w, const HarmonicFactors *h) {
  Exec *exec = w->run->device.exec;
  for (int part = 0; part < 2; ++part) TRY(exec_zero(exec, own(w)->f[part], (size_t)w->n * sizeof(double)));
  for (int i = 0; i < own(w)->n_load; ++i) {
    const WorkLoad *l = &own(w)->load[i];
    double *const re = own(w)->f[i], *const im = own(w)->f[1 - i]; /* i (a + i b) = -b + i a */
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
static Status matrices_combine(ElasticRun *w, const HarmonicFactors *h) {
  const ElasticOperators *of = &own(w)->of;
  const double square = h->omega * h->omega, viscous = h->omega * h->viscous;
  TRY(elastic_operators_combine(of, 1, -square, 0, w->a));
  TRY(elastic_operators_combine(of, hypot(1, h->loss), hypot(square, viscous), h->omega, own(w)->p));
  TRY(loads_combine(w, h));
  return own(w)->b ? elastic_operators_combine(of, h->loss, viscous, h->omega, own(w)->b) : OK;
}

/* Sums over the frequencies; the residual is the worst. */
static void report_add(RunReport *report, const LinearReport *linear) {
  LinearReport *sum = &report->linear;
  const double residual = sum->true_residual, recursive = sum->recursive_residual;
  linear_report_add(sum, linear);
  sum->true_residual = fmax(sum->true_residual, residual);
  sum->recursive_residual = fmax(sum->recursive_residual, recursive);
}

static Status system_solve(ElasticRun *w, LinearReport *linear) {
  const SumParts *before = exec_sum_over(w->run->device.exec, w->parts);
  Status status = cocg_setup(own(w)->solver);
  if (status == OK)
    status = cocg_solve(own(w)->solver, (const double *const[2]){own(w)->f[0], own(w)->f[1]}, own(w)->u, linear);
  exec_sum_over(w->run->device.exec, before);
  return status;
}

static Status direct_solve(ElasticRun *w, const HarmonicFactors *factors, LinearReport *linear) {
  Run *run = w->run;
  TRY(matrices_combine(w, factors));
  for (int part = 0; part < 2; ++part) TRY(exec_zero(run->device.exec, own(w)->u[part], (size_t)w->n * sizeof(double)));
  const Status status = system_solve(w, linear);
  report_add(run->report, linear);
  if (status == ERR_NUMERIC) run_name_place(run, &w->setup, linear, mat_block(w->a));
  return run_solved(run, status);
}

static Status modes_load(ElasticRun *w) {
  double *load[2][HARMONIC_LOADS] = {{NULL}};
  for (int part = 0; part < own(w)->n_load; ++part) {
    const WorkLoad *l = &own(w)->load[part];
    load[part][HARMONIC_BALANCE] = l->balance, load[part][HARMONIC_STIFF] = l->stiff;
    load[part][HARMONIC_INERTIA] = l->inertia;
  }
  const SumParts *before = exec_sum_over(w->run->device.exec, w->parts);
  const Status status = harmonic_modes_load(own(w)->modes, own(w)->n_load, load, &w->run->report->linear);
  exec_sum_over(w->run->device.exec, before);
  return status;
}

static Status frequency_solve(ElasticRun *w, double frequency) {
  Run *run = w->run;
  LinearReport linear = {0};
  const HarmonicFactors factors = harmonic_factors(run->c, frequency);
  run->report->time = frequency;
  ++run->report->steps;
  if (own(w)->varies) TRY(loads_assemble(w, frequency));
  if (own(w)->modes && own(w)->varies) TRY(modes_load(w));
  if (own(w)->modes) TRY(harmonic_modes_response(own(w)->modes, &factors, own(w)->u));
  else TRY(direct_solve(w, &factors, &linear));
  for (int part = 0; part < own(w)->n_load; ++part)
    TRY(vec_axpy(run->device.exec, w->n, 1, own(w)->load[part].prescribed, own(w)->u[part]));
  return harmonic_output_step(&own(w)->output, frequency, &linear);
}

/* K and M in the places of the two matrices; modes once. */
static Status modes_solve(ElasticRun *w) {
  TRY(elastic_operators_combine(&own(w)->of, 1, 0, 0, w->a));
  TRY(elastic_operators_combine(&own(w)->of, 0, 1, 0, own(w)->p));
  const SumParts *before = exec_sum_over(w->run->device.exec, w->parts);
  Status status = harmonic_modes_solve(own(w)->modes, &w->run->report->linear);
  exec_sum_over(w->run->device.exec, before);
  if (status == OK && !own(w)->varies) status = modes_load(w);
  progress_clear(&w->run->progress);
  warnings_print();
  return run_solved(w->run, status);
}

/* All of them, now that modes are known where they count. Owned by the caller. */
static Status frequencies_list(const ElasticRun *w, double **out, int64_t *n) {
  const Case *c = w->run->c;
  double *natural = NULL;
  int32_t n_natural;
  *n = w->run->rehearsed ? 1 : harmonic_count(c);
  ALLOC(*out, harmonic_count(c), "frequencies");
  for (int64_t k = 0; k < *n; ++k) (*out)[k] = harmonic_frequency(c, k);
  if (c->analysis.frequency.at.n || c->analysis.frequency.spacing.value != SPACING_MODES || w->run->rehearsed)
    return OK;
  TRY(harmonic_modes_frequencies(own(w)->modes, &natural, &n_natural));
  *n = harmonic_between(c, n_natural, natural, *out);
  FREE(natural);
  return OK;
}

static Status frequencies_begin(ElasticRun *w) {
  TRY(harmonic_assemble(w));
  if (own(w)->modes) TRY(modes_solve(w));
  return frequencies_list(w, &own(w)->frequency, &own(w)->n_frequency);
}

static Status harmonic_next(ElasticRun *w, bool *more) {
  Run *run = w->run;
  if (!own(w)->frequency) TRY(frequencies_begin(w));
  const int64_t k = own(w)->step++;
  const double frequency = own(w)->frequency[k];
  *more = own(w)->step < own(w)->n_frequency;
  progress_live(&run->progress, "frequency %g Hz, %lld of %lld", frequency, (long long)k + 1,
                (long long)own(w)->n_frequency);
  const Status status = frequency_solve(w, frequency);
  progress_clear(&run->progress);
  return status == OK ? OK : status_context(status, "at the frequency %g Hz", frequency);
}

static Status harmonic_store(ElasticRun *w) {
  const double frequency = w->run->report->time;
  Status status = harmonic_output_store(&own(w)->output, frequency, own(w)->u);
  for (int part = 0; part < 2 && status == OK; ++part)
    status = elastic_watch_bending(w->run, w->elasticity, own(w)->u[part], &own(w)->bending[part]);
  return status == OK ? OK : status_context(status, "at the frequency %g Hz", frequency);
}

static Status harmonic_end(ElasticRun *w) {
  RunReport *report = w->run->report;
  const Bending *part = own(w)->bending;
  report->seconds[PHASE_PREPARE] = report->linear.setup_seconds; /* the solver's own clock */
  report->seconds[PHASE_SOLVE] -= report->linear.setup_seconds;
  const Bending sum = {part[0].energy + part[1].energy, part[0].gain + part[1].gain, 0};
  elastic_tell_bending(w->run, &sum);
  return OK;
}

/* A body that nothing holds vibrates all the same; at rest it does not stay. */
static bool may_be_free(const Case *c) { return harmonic_frequency(c, 0) > 0 && !case_by_modes(c); }

static Status harmonic_prepare(ElasticRun *w) {
  elastic_setup(&w->setup)->params.allow_free_motion |= may_be_free(w->run->c);
  own(w)->damped = harmonic_is_damped(w->run->c);
  own(w)->varies = case_timed(w->run->c, 0) != NULL;
  return OK;
}

static Status harmonic_begin(ElasticRun *w) {
  TRY(matrices_create(w));
  TRY(vectors_create(w));
  TRY(solver_create(w, &w->linear));
  if (own(w)->solver) cocg_set_poll(own(w)->solver, progress_poll, &w->run->progress);
  return OK;
}

static Status harmonic_open(ElasticRun *w) {
  const Case *c = w->run->c;
  TRY(harmonic_output_create(w->run, &w->setup, w->elasticity, &own(w)->output));
  if (!own(w)->damped && harmonic_frequency(c, harmonic_count(c) - 1) > 0)
    status_warn("there is no damping: near a natural frequency the response grows without bound");
  return OK;
}

static double frequencies_count(const Case *c) { return (double)harmonic_count(c); }

static void frequencies_save(const RunReport *report, Json *json) {
  json_number(json, "frequency", report->time);
  json_integer(json, "frequencies", report->steps);
}

static void frequencies_print(const RunReport *report, const Case *c) {
  (void)c;
  char a[32];
  printf("frequency    %g Hz, the last of %s; %.3g iterations each\n", report->time, count_text(report->steps, a),
         (double)report->linear.iterations / (double)report->steps);
}

const Analysis harmonic_analysis = {
    .fields = FIELDS_VIBRATION,
    .own = sizeof(HarmonicRun),
    .prepare = harmonic_prepare,
    .begin = harmonic_begin,
    .open = harmonic_open,
    .next = harmonic_next,
    .store = harmonic_store,
    .end = harmonic_end,
    .release = harmonic_release,
    .physics = {ANALYSIS_PHYSICS(ANALYSIS_HARMONIC | HAS_FREQUENCIES | HAS_INERTIA), .analysis = "harmonic",
                .check = harmonic_check, .step_unit = UNIT_FREQUENCY, .save_steps = frequencies_save,
                .print_steps = frequencies_print, .over_frequency = true, .shares = true,
                .cost = {.build = 40e-6, .step = 150e-6, .launch = 0.05}, .steps = frequencies_count}};
