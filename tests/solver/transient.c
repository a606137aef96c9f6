/* Time stepping on diffusion problems whose solution in time is known exactly on the mesh: orders of the schemes, error
 * against tolerance, exact times, rejection, no allocation after the first step, resumed history. */
#include "solver/time/stepper.h"
#include "assembly/diffusion/diffusion.h"
#include "core/memory.h"
#include "core/vec.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

typedef struct Run {
  Exec *exec;
  Mesh *mesh;
  double (*tensor)[6];
  Support support[2];
  Load load[2];
  DiffusionParams params;
  Diffusion *d;
  Mat *a, *K, *M;
  LinearSolver *solver;
  Stepper *t;
  StepperParams time;
  bool newton; /* as a nonlinear problem whose force is the load */
  double *lumped, *f;
  double *u, *x; /* on the Exec, on the host */
  int32_t n;
} Run;

static Status problem_tangent(void *context, const Stage *stage, const double *u, Mat *a) {
  const Run *r = context;
  (void)u;
  return diffusion_combine(r->d, mat_values(r->K), mat_values(r->M), &stage->clock->theta, mat_values(a));
}
static Status problem_load(void *r, double time, double *f) { return diffusion_load(((Run *)r)->d, time, f); }
static Status problem_prescribed(void *r, double time, double *u) {
  return diffusion_prescribed(((Run *)r)->d, time, u);
}
static Status problem_force(void *context, const Stage *stage, const double *u, double *force, double *slope) {
  const Run *r = context;
  (void)u, (void)slope;
  TRY(diffusion_load(r->d, stage->target, r->f));
  TRY(exec_zero(r->exec, force, (size_t)r->n * sizeof *force));
  return vec_axpy(r->exec, r->n, stage->theta, r->f, force);
}

static void expression(const char *text, Expr *out) { assert_ok(expr_parse(text, out)); }

/* An n x 2 grid of quads with D = 0.3 and capacity 1; everything insulated so far. */
static void begin(Run *r, int n) {
  *r = (Run){.exec = testing_exec()};
  const BoxParams box = {.kind = ELEMENT_QUAD4, .n = {n, 2, 1}, .size = {1, 0.5, 1}};
  assert_ok(mesh_box(&box, &r->mesh));
  r->tensor = calloc((size_t)(2 * n), sizeof *r->tensor);
  for (int e = 0; e < 2 * n; ++e) r->tensor[e][0] = r->tensor[e][1] = 0.3;
  r->n = r->mesh->n_node;
  r->x = calloc((size_t)r->n, sizeof *r->x);
  r->params = (DiffusionParams){
      .mesh = r->mesh, .tensor = (const double(*)[6])r->tensor, .support = r->support, .load = r->load};
}

static Status create(Run *r) {
  TRY(diffusion_create(r->exec, &r->params, &r->d));
  const MatParams format = {.format = "sbell"};
  TRY(mat_create(r->exec, &format, diffusion_pattern(r->d), &r->a));
  TRY(diffusion_bind(r->d, mat_slots(r->a)));
  LinearParams linear = linear_params_default();
  linear.rtol = 1e-11;
  linear.preconditioner = "jacobi";
  TRY(linear_create(r->exec, &linear, r->a, &r->solver));
  TRY(mat_create_like(r->a, PRECISION_DOUBLE, &r->K));
  TRY(mat_create_like(r->a, PRECISION_DOUBLE, &r->M));
  TRY(diffusion_operators(r->d, mat_values(r->K), mat_values(r->M)));
  TRY(exec_alloc(r->exec, r->n, sizeof(double), "test", (void **)&r->lumped));
  TRY(exec_alloc(r->exec, r->n, sizeof(double), "test", (void **)&r->f));
  TRY(diffusion_lumped_mass(r->d, r->lumped));
  const Problem problem = {.context = r,
                           .n = r->n,
                           .linear = !r->newton,
                           .fixed = diffusion_fixed(r->d),
                           .load_varies = diffusion_load_varies(r->d),
                           .constraint_varies = diffusion_prescribed_varies(r->d),
                           .reaction.lumped = r->lumped,
                           .stiffness = r->K,
                           .mass = r->M,
                           .load = r->newton ? NULL : problem_load,
                           .force = r->newton ? problem_force : NULL,
                           .constrain = problem_prescribed,
                           .tangent = problem_tangent};
  TRY(stepper_create(r->exec, &problem, &r->time, r->a, r->solver, &r->t));
  TRY(exec_alloc(r->exec, r->n, sizeof(double), "test", (void **)&r->u));
  TRY(diffusion_initial(r->d, r->x, r->u));
  return stepper_start(r->t, r->u);
}

static void release(Run *r) {
  EXEC_RELEASE(r->exec, r->u, r->n);
  EXEC_RELEASE(r->exec, r->lumped, r->n);
  EXEC_RELEASE(r->exec, r->f, r->n);
  stepper_destroy(&r->t);
  mat_destroy(&r->K);
  mat_destroy(&r->M);
  linear_destroy(&r->solver);
  mat_destroy(&r->a);
  diffusion_destroy(&r->d);
}
static void finish(Run *r) {
  release(r);
  mesh_destroy(&r->mesh);
  free(r->tensor), free(r->x);
  exec_destroy(&r->exec);
}

/* Largest difference to a wanted field. */
static double distance(Run *r, double (*wanted)(const double *x, double t), double t) {
  double most = 0;
  assert_ok(diffusion_download(r->d, r->u, r->x));
  for (int32_t i = 0; i < r->n; ++i) most = fmax(most, fabs(r->x[i] - wanted(r->mesh->x[i], t)));
  return most;
}

/* Insulated: cos(pi x) is an eigenvector of the linear elements too, with the rate that they have. */
enum { CELLS = 8 };
static double decay(const double *x, double t) {
  const double h = 1.0 / CELLS, c = cos(PI * h), rate = 0.3 * 6 / (h * h) * (1 - c) / (2 + c);
  return 5 + cos(PI * x[0]) * exp(-rate * t);
}
/* Moving supports and a source, linear in x and so exact in space. */
static double moving(const double *x, double t) { return (1 + x[0]) * (2 + sin(3 * t)); }

static void begin_case(Run *r, double (*wanted)(const double *x, double t)) {
  begin(r, CELLS);
  for (int32_t i = 0; i < r->n; ++i) r->x[i] = wanted(r->mesh->x[i], 0);
  if (wanted == decay) return;
  r->params.n_support = 2;
  r->params.n_load = 1;
  r->support[0].on = mesh_group(r->mesh, "x0");
  r->support[1].on = mesh_group(r->mesh, "x1");
  expression("2+sin(3*t)", &r->support[0].value[0]);
  expression("(2+sin(3*t))*2", &r->support[1].value[0]);
  r->load[0] = (Load){.kind = LOAD_SOURCE, .on = mesh_group(r->mesh, "body")};
  expression("(1+x)*3*cos(3*t)", &r->load[0].value[0]);
}

static double error_with(const TimeScheme *scheme, double (*wanted)(const double *, double), double dt, int smoothing) {
  Run r;
  begin_case(&r, wanted);
  r.time = (StepperParams){.scheme = scheme, .control = {.end = 0.8, .step = dt}, .smoothing = smoothing};
  assert_ok(create(&r));
  StepReport step;
  int n = 0, rebuilt = 0;
  for (; !stepper_done(r.t); ++n) {
    assert_ok(stepper_step(r.t, 1, &step));
    rebuilt += step.rebuilt;
  }
  assert_int_equal(n, (int)lround(0.8 / dt));
  assert_int_equal(rebuilt, scheme->n_history || (scheme->rings && smoothing == 0) ? 2 : 1);
  const double e = distance(&r, wanted, 0.8);
  finish(&r);
  return e;
}

static void orders(void **state) {
  (void)state;
  double (*wanted[])(const double *, double) = {decay, moving};
  for (int k = 0; k < time_scheme_count() && !time_scheme(k)->stages; ++k)
    for (int w = 0; w < 2; ++w) {
      const int order = time_scheme(k)->order;
      const double dt = time_scheme(k)->n_history ? 0.0025 : 0.01;
      const double coarse = error_with(time_scheme(k), wanted[w], 2 * dt, -1),
                   fine = error_with(time_scheme(k), wanted[w], dt, -1);
      if (!(fabs(log2(coarse / fine) - order) < 0.12) || fine > (order == 1 ? 3e-2 : 1e-3))
        fail_msg("scheme %d, case %d: errors %g and %g, order %g", k, w, coarse, fine, log2(coarse / fine));
    }
  const double coarse = error_with(&crank_nicolson_scheme, decay, 0.01, 0),
               fine = error_with(&crank_nicolson_scheme, decay, 0.005, 0);
  assert_true(coarse / fine > 3.7 && coarse / fine < 4.3); /* the smoothing steps do not spoil it */
}

/* The same problem as a nonlinear one, whose force is the load: Newton's method with moving prescribed values gives the
 * same answer, to the tolerances of both, and so the orders. */
static void newton_agrees(void **state) {
  (void)state;
  for (int k = 0; k < time_scheme_count() && !time_scheme(k)->stages; ++k) {
    double x[2][3 * (CELLS + 1)];
    for (int newton = 0; newton < 2; ++newton) {
      Run r;
      begin_case(&r, moving);
      r.newton = newton;
      r.time = (StepperParams){.scheme = time_scheme(k),
                               .control = {.end = 0.5, .step = 0.02},
                               .reference = newton,
                               .rtol = 1e-11,
                               .smoothing = -1};
      assert_ok(create(&r));
      for (StepReport step; !stepper_done(r.t);) {
        assert_ok(stepper_step(r.t, 1, &step));
        if (newton) assert_true(step.newton > 0 && step.residual <= 1e-11);
      }
      assert_ok(diffusion_download(r.d, r.u, r.x));
      memcpy(x[newton], r.x, (size_t)r.n * sizeof *r.x);
      finish(&r);
    }
    for (int i = 0; i < 3 * (CELLS + 1); ++i) assert_within(x[1][i], x[0][i], 1e-8);
  }
}

/* A run that is saved and goes on in a new object gives the same bits: in the first steps, midway, at an edge. */
static void same_bits(void **state) {
  (void)state;
  static const StepEvent edge[] = {{0.43, true}};
  static const double stop[] = {0, 0.01, 0.2, 0.43};
  for (int k = 0; k < 2 * time_scheme_count() && !time_scheme(k / 2)->stages; ++k) {
    double first[3 * (CELLS + 1)];
    for (int turn = 0; turn < 4; ++turn) {
      Run r;
      begin_case(&r, moving);
      r.time = (StepperParams){.scheme = time_scheme(k / 2),
                               .control = {.end = 0.8,
                                           .step = 0.05,
                                           .first = 0.01,
                                           .adaptive = k % 2,
                                           .tolerance = 1e-3,
                                           .n_event = 1,
                                           .event = edge}};
      assert_ok(create(&r));
      bool saved = turn == 0;
      for (StepReport step; !stepper_done(r.t);) {
        assert_ok(stepper_step(r.t, 1, &step));
        if (saved || step.time < stop[turn]) continue;
        char *blob = malloc((size_t)stepper_state_bytes(r.t));
        assert_ok(stepper_save(r.t, blob));
        release(&r);
        assert_ok(create(&r));
        assert_ok(exec_zero(r.exec, r.u, (size_t)r.n * sizeof *r.u));
        assert_ok(stepper_restore(r.t, r.u, blob));
        free(blob);
        saved = true;
      }
      assert_ok(diffusion_download(r.d, r.u, r.x));
      if (turn == 0) memcpy(first, r.x, sizeof first);
      else assert_memory_equal(r.x, first, sizeof first);
      finish(&r);
    }
  }
}

/* Adaptive: error falls with the tolerance, rejected steps are repeated, given times are hit exactly. */
static double adaptive(const TimeScheme *scheme, double tolerance, int *n_step, int64_t *n_rejected) {
  const StepEvent edge[] = {{0.43, true}};
  Run r;
  begin_case(&r, moving);
  r.time = (StepperParams){.scheme = scheme,
                           .control = {.end = 1,
                                       .step = 0.4,
                                       .first = 0.002,
                                       .adaptive = true,
                                       .tolerance = tolerance,
                                       .every = 0.25,
                                       .n_event = 1,
                                       .event = edge}};
  assert_ok(create(&r));
  StepReport step;
  int hit = 0;
  double worst = 0;
  for (*n_step = 0; !stepper_done(r.t); ++*n_step) {
    assert_ok(stepper_step(r.t, 1, &step));
    hit += step.time == 0.25 || step.time == 0.43 || step.time == 0.5 || step.time == 0.75 || step.time == 1;
    assert_true(isnan(step.error) || step.error <= tolerance);
    worst = fmax(worst, distance(&r, moving, step.time));
  }
  assert_int_equal(hit, 5);
  *n_rejected = stepper_control(r.t)->n_rejected;
  assert_int_equal(stepper_control(r.t)->n_forced, 0);
  finish(&r);
  return worst;
}
static void tolerances(void **state) {
  (void)state;
  int64_t all_rejected = 0;
  for (int k = 0; k < time_scheme_count() && !time_scheme(k)->stages; ++k) {
    int n[2];
    int64_t rejected;
    const double coarse = adaptive(time_scheme(k), 1e-3, &n[0], &rejected);
    all_rejected += rejected;
    const double fine = adaptive(time_scheme(k), 1e-4, &n[1], &rejected);
    all_rejected += rejected;
    /* the error of the whole run falls with tolerance^(order/(order+1)): 10^0.5 and 10^0.67 */
    if (!(coarse / fine > 2 && coarse / fine < 14 && coarse < 0.3 && n[1] > n[0]))
      fail_msg("scheme %d: errors %g and %g in %d and %d steps", k, coarse, fine, n[0], n[1]);
  }
  assert_true(all_rejected > 0);
}

/* A step that is rejected leaves u as it was, and the reaction of the accepted ones balances: nothing is lost. */
/* Temperatures whose squares vanish or overflow: the same steps to the same bits. */
static void any_unit(void **state) {
  (void)state;
  static const int exponents[] = {0, -540, 540, -900, 900};
  double first[3 * (CELLS + 1)];
  int64_t steps[5] = {0};
  for (int k = 0; k < 5; ++k) {
    Run r;
    begin(&r, CELLS);
    for (int32_t i = 0; i < r.n; ++i) r.x[i] = ldexp(decay(r.mesh->x[i], 0), exponents[k]);
    r.time = (StepperParams){.scheme = &bdf2_scheme,
                             .control = {.end = 0.8, .step = 0.01, .tolerance = 1e-3, .min = 1e-4, .max = 0.2}};
    assert_ok(create(&r));
    StepReport step;
    for (; !stepper_done(r.t); ++steps[k]) assert_ok(stepper_step(r.t, 1, &step));
    assert_ok(diffusion_download(r.d, r.u, r.x));
    for (int32_t i = 0; i < r.n; ++i) {
      if (k == 0) first[i] = r.x[i];
      assert_true(ldexp(r.x[i], -exponents[k]) == first[i]);
    }
    assert_int_equal(steps[k], steps[0]);
    finish(&r);
  }
  assert_true(steps[0] > 5);
}

/* A temperature that falls below the smallest number is no failure. */
static void decays_to_nothing(void **state) {
  (void)state;
  Run r;
  begin(&r, CELLS);
  r.params.n_support = 1;
  r.support[0].on = mesh_group(r.mesh, "x0");
  expression("0", &r.support[0].value[0]);
  for (int32_t i = 0; i < r.n; ++i) r.x[i] = 1e-300;
  r.time = (StepperParams){.scheme = &backward_euler_scheme, .control = {.end = 100, .step = 1}};
  assert_ok(create(&r));
  StepReport step;
  while (!stepper_done(r.t)) assert_ok(stepper_step(r.t, 1, &step));
  assert_ok(diffusion_download(r.d, r.u, r.x));
  for (int32_t i = 0; i < r.n; ++i) assert_true(fabs(r.x[i]) < 1e-320);
  finish(&r);
}

static void insulated_keeps_heat(void **state) {
  (void)state;
  for (int k = 0; k < time_scheme_count() && !time_scheme(k)->stages; ++k) {
    Run r;
    begin_case(&r, decay);
    r.time = (StepperParams){.scheme = time_scheme(k),
                             .control = {.end = 1, .step = 0.5, .first = 0.05, .adaptive = true, .tolerance = 1e-3}};
    assert_ok(create(&r));
    for (StepReport step; !stepper_done(r.t);) {
      assert_ok(stepper_step(r.t, 1, &step));
      assert_ok(diffusion_download(r.d, r.u, r.x));
      double heat = 0;
      for (int32_t i = 0; i < r.n; ++i) { /* trapezoidal weights of the grid */
        const double *x = r.mesh->x[i];
        heat += r.x[i] * (x[0] == 0 || x[0] == 1 ? 0.5 : 1) * (x[1] == 0 || x[1] == 0.5 ? 0.5 : 1) / (CELLS * 4);
      }
      assert_near(heat, 5 * 0.5, 1e-9);
    }
    finish(&r);
  }
}

/* Crank-Nicolson after a jump of a prescribed value: the node beside it warms up steadily with smoothing steps, and
 * rings without. */
static void ringing(void **state) {
  (void)state;
  double fall[2] = {0, 0};
  for (int smooth = 0; smooth < 2; ++smooth) {
    Run r;
    begin(&r, 32);
    r.params.n_support = 1;
    r.support[0].on = mesh_group(r.mesh, "x0");
    r.support[0].value[0] = expr_constant(1);
    r.time = (StepperParams){
        .scheme = &crank_nicolson_scheme, .control = {.end = 0.5, .step = 0.05}, .smoothing = smooth ? 0 : -1};
    assert_ok(create(&r));
    int32_t beside = 0;
    while (fabs(r.mesh->x[beside][0] - 1.0 / 32) > 1e-9) ++beside;
    double before = 0;
    for (StepReport step; !stepper_done(r.t);) {
      assert_ok(stepper_step(r.t, 1, &step));
      assert_ok(diffusion_download(r.d, r.u, r.x));
      fall[smooth] = fmax(fall[smooth], before - r.x[beside]);
      before = r.x[beside];
    }
    finish(&r);
  }
  assert_true(fall[0] > 0.1 && fall[1] < 1e-3);
}

/* Nothing is allocated after the first step, on the host or on the Exec. */
static void no_allocation(void **state) {
  (void)state;
  Run r;
  begin_case(&r, moving);
  r.time = (StepperParams){.scheme = &bdf2_scheme,
                           .control = {.end = 1, .step = 0.1, .first = 0.01, .adaptive = true, .tolerance = 1e-3}};
  assert_ok(create(&r));
  StepReport step;
  assert_ok(stepper_step(r.t, 1, &step));
  const size_t in_use = r.exec->in_use;
  mem_fail_nth(0);
  while (!stepper_done(r.t)) assert_ok(stepper_step(r.t, 1, &step));
  assert_int_equal(mem_count(), 0);
  assert_int_equal(r.exec->in_use, in_use);
  finish(&r);
}

/* With the rate of backward Euler and BDF2 the equation M rate + K u = f holds at every free node, steps growing or
 * not. */
static void rates(void **state) {
  (void)state;
  for (int k = 0; k < time_scheme_count() && !time_scheme(k)->stages; ++k) {
    Run r;
    begin_case(&r, moving);
    r.time = (StepperParams){.scheme = time_scheme(k),
                             .control = {.end = 1, .step = 0.1, .first = 0.01, .adaptive = true, .tolerance = 2e-4}};
    assert_ok(create(&r));
    double *f = NULL, *rate = NULL, *residual = NULL, *host = calloc((size_t)r.n, sizeof *host);
    double **vector[] = {&f, &rate, &residual};
    for (int v = 0; v < 3; ++v) assert_ok(exec_alloc(r.exec, r.n, sizeof(double), "test", (void **)vector[v]));
    for (StepReport step; !stepper_done(r.t);) {
      assert_ok(stepper_step(r.t, 1, &step));
      assert_ok(stepper_rate(r.t, rate));
      assert_ok(diffusion_load(r.d, step.time, f));
      assert_ok(diffusion_residual(r.d, r.u, rate, f, false, residual));
      assert_ok(exec_download(r.exec, host, residual, (size_t)r.n * sizeof *host));
      const SchemeCarry carries = time_scheme(k)->carries;
      if (carries == SCHEME_CARRIES_RATE || carries == SCHEME_STATES_FIRST) continue; /* half of it is of the start */
      for (int32_t i = 0; i < r.n; ++i) assert_near(host[i], 0, 1e-9);
    }
    assert_ok(exec_download(r.exec, host, rate, (size_t)r.n * sizeof *host));
    for (int32_t i = 0; i < r.n; ++i) /* du/dt = (1 + x) 3 cos 3t */
      assert_within(host[i], (1 + r.mesh->x[i][0]) * 3 * cos(3), 0.1);
    for (int v = 0; v < 3; ++v) EXEC_RELEASE(r.exec, *vector[v], r.n);
    free(host);
    finish(&r);
  }
}

static double still(const double *x, double t) {
  (void)x, (void)t;
  return 293.15;
}
/* Where nothing happens the steps grow to the largest, whatever rounding does. */
static void nothing_happens(void **state) {
  (void)state;
  Run r;
  begin(&r, CELLS);
  for (int32_t i = 0; i < r.n; ++i) r.x[i] = still(NULL, 0);
  r.time = (StepperParams){.scheme = &bdf2_scheme,
                           .control = {.end = 100, .step = 0.1, .max = 10, .adaptive = true, .tolerance = 1e-4}};
  assert_ok(create(&r));
  int n = 0;
  for (StepReport step; !stepper_done(r.t); ++n) assert_ok(stepper_step(r.t, 1, &step));
  assert_true(n < 40 && stepper_control(r.t)->n_rejected == 0);
  assert_true(distance(&r, still, 0) < 1e-9);
  finish(&r);
}

static Status create_and_step(Run *r, StepReport *step) {
  TRY(create(r));
  return stepper_step(r->t, 1, step);
}

static void allocations(void **state) {
  (void)state;
  Run r;
  begin_case(&r, moving);
  r.time = (StepperParams){.scheme = &bdf2_scheme, .control = {.end = 1, .step = 0.5}};
  StepReport step;
  assert_ok(create(&r)); /* once without, for what the Exec itself keeps */
  assert_ok(stepper_step(r.t, 1, &step));
  release(&r);
  const size_t device = r.exec->in_use;
  testing_fail_each_of(create_and_step(&r, &step), {
    release(&r);
    assert_int_equal(r.exec->in_use, device);
  });
  finish(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(orders),
                                     cmocka_unit_test(newton_agrees),
                                     cmocka_unit_test(same_bits),
                                     cmocka_unit_test(tolerances),
                                     cmocka_unit_test(any_unit),
                                     cmocka_unit_test(decays_to_nothing),
                                     cmocka_unit_test(insulated_keeps_heat),
                                     cmocka_unit_test(ringing),
                                     cmocka_unit_test(no_allocation),
                                     cmocka_unit_test(rates),
                                     cmocka_unit_test(nothing_happens),
                                     cmocka_unit_test(allocations)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
