/* Dynamics on a bar whose vibration on the mesh is known exactly: the order of the scheme, damping by rho_infinity and by
 * Rayleigh, moving supports, error against tolerance, resumed runs. */
#include "assembly/elasticity/elasticity_mass.h"
#include "core/memory.h"
#include "solver/time/stepper.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

enum { CELLS = 6 };
static const double YOUNG = 9, DENSITY = 4;

/* A bar of length 1, without lateral contraction, held at x = 0. */
typedef struct Bar {
  Exec *exec;
  Mesh *mesh;
  int32_t *material;
  MaterialValues value;
  Support support[2];
  Load load;
  ElasticityParams params;
  Elasticity *e;
  ElasticityMass *mass;
  Mat *a;
  double *K, *M, *u, *velocity;
  bool newton;       /* solved as if it were not linear */
  double base, wave; /* more of the velocity at the start: base cos(wave (1 - x)) / cos(wave) */
  int64_t n, n_value;
  LinearSolver *solver;
  StepperParams time;
  Stepper *t;
} Bar;

static Status bar_force(void *context, const Stage *stage, const double *u, double *r, double *slope) {
  Bar *b = context;
  (void)slope;
  TRY(elasticity_load_at_time(b->e, stage->target));
  return elasticity_residual(b->e, u, r);
}
static Status bar_inertia(void *context, const double *x, double *r) {
  return elasticity_mass_residual(((Bar *)context)->mass, x, r);
}
static Status bar_inertia_everywhere(void *context, const double *x, double *r) {
  Bar *b = context;
  TRY(elasticity_mass_force(b->mass, x, r));
  return elasticity_reduce(b->e, r);
}
static Status bar_internal(void *context, const double *u, double *r) {
  Bar *b = context;
  TRY(elasticity_internal_force(b->e, u, r));
  return elasticity_reduce(b->e, r);
}
static Status bar_free_only(void *context, double *v) { return elasticity_free_only(((Bar *)context)->e, v); }
static Status bar_tangent(void *context, const Stage *stage, const double *u, Mat *a) {
  const Bar *b = context;
  (void)u;
  return elasticity_combine(b->exec, b->n_value, stage->theta, b->K, stage->mass, b->M, mat_values(a));
}
static Status bar_constrain(void *context, double time, double *u) {
  return elasticity_prescribed_at_time(((Bar *)context)->e, time, u);
}

/* `end`: what x = 0 does. */
static void bar_begin(Bar *b, const char *end, double rho) {
  *b = (Bar){.exec = testing_exec(), .value = {.value = {YOUNG, 0, 1, DENSITY}}};
  const BoxParams box = {.kind = ELEMENT_QUAD4, .n = {CELLS, 1, 1}, .size = {1, 0.2, 1}};
  assert_ok(mesh_box(&box, &b->mesh));
  b->material = calloc((size_t)b->mesh->n_element, sizeof *b->material);
  for (int32_t i = 0; i < b->mesh->n_element; ++i)
    b->material[i] = mesh_block_of(b->mesh, i)->kind == ELEMENT_QUAD4 ? 0 : -1;
  b->support[0] = (Support){.on = mesh_group(b->mesh, "x0"), .where = "case:1"};
  b->support[1] = (Support){.on = mesh_group(b->mesh, "body"), .where = "case:2"};
  assert_ok(expr_parse(end, &b->support[0].value[0]));
  assert_ok(expr_parse("0", &b->support[1].value[1]));
  b->load = (Load){.kind = LOAD_TRACTION, .on = mesh_group(b->mesh, "x1"), .where = "case:3"};
  assert_ok(expr_parse("0", &b->load.value[0]));
  assert_ok(expr_parse("0", &b->load.value[1]));
  b->time = (StepperParams){.scheme = &generalized_alpha_scheme, .dynamic = {.rho_infinity = rho}};
}

/* The wave number of the lowest vibration, and its frequency on the mesh (linear elements, consistent mass): Hughes, The
 * Finite Element Method, 2000, section 7.1. */
static const double WAVE = 0.5 * 3.14159265358979323846;
static double bar_omega(void) {
  const double h = 1.0 / CELLS, c = cos(WAVE * h);
  return sqrt(YOUNG / DENSITY * 6 / (h * h) * (1 - c) / (2 + c));
}

static void bar_linear(Bar *b) {
  const MatParams format = {.format = "sbell"};
  LinearParams linear = linear_params_default();
  linear.rtol = 1e-12;
  linear.preconditioner = "jacobi";
  assert_ok(mat_create(b->exec, &format, elasticity_pattern(b->e), &b->a));
  assert_ok(elasticity_bind(b->e, mat_slots(b->a)));
  b->n_value = mat_slots(b->a)->n_value;
  assert_ok(exec_alloc(b->exec, b->n_value, sizeof(double), "test", (void **)&b->K));
  assert_ok(exec_alloc(b->exec, b->n_value, sizeof(double), "test", (void **)&b->M));
  assert_ok(exec_zero(b->exec, b->K, (size_t)b->n_value * sizeof(double)));
  assert_ok(exec_zero(b->exec, b->M, (size_t)b->n_value * sizeof(double)));
  assert_ok(elasticity_tangent(b->e, b->u, b->K));
  assert_ok(elasticity_mass_matrix(b->mass, b->M));
  assert_ok(linear_create(b->exec, &linear, b->a, &b->solver));
}

/* At rest, with the velocity of the lowest vibration times `speed`. */
static void bar_create(Bar *b, double speed) {
  const double density = DENSITY;
  b->params = (ElasticityParams){.mesh = b->mesh,
                                 .model = MODEL_PLANE_STRESS,
                                 .n_material = 1,
                                 .material = &b->value,
                                 .element_material = b->material,
                                 .n_support = 2,
                                 .support = b->support,
                                 .n_load = 1,
                                 .load = &b->load};
  assert_ok(elasticity_create(b->exec, &b->params, &b->e));
  assert_ok(elasticity_mass_create(b->e, &density, &b->mass));
  b->n = elasticity_dofs(b->e);
  assert_ok(exec_alloc(b->exec, b->n, sizeof(double), "test", (void **)&b->u));
  assert_ok(elasticity_initial(b->e, b->u));
  bar_linear(b);
  double *v = calloc((size_t)b->n, sizeof *v);
  for (int64_t k = 0; k < b->n; k += 2) {
    const double x = b->mesh->x[elasticity_node(b->e, k)][0];
    v[k] = speed * sin(WAVE * x) + b->base * cos(b->wave * (1 - x)) / cos(b->wave);
  }
  assert_ok(exec_alloc_upload(b->exec, b->n, sizeof *v, v, "test", (void **)&b->velocity));
  free(v);
  b->time.dynamic.velocity = b->velocity;
  const Problem problem = {.context = b,
                           .n = b->n,
                           .linear = !b->newton,
                           .motion.internal = b->newton ? bar_internal : NULL,
                           .motion.inertia_everywhere = b->newton ? bar_inertia_everywhere : NULL,
                           .constraint_varies = elasticity_prescribed_varies(b->e),
                           .load_varies = elasticity_load_varies(b->e),
                           .force = bar_force,
                           .motion.inertia = bar_inertia,
                           .motion.free_only = bar_free_only,
                           .constrain = bar_constrain,
                           .tangent = bar_tangent};
  assert_ok(stepper_create(b->exec, &problem, &b->time, b->a, b->solver, &b->t));
  assert_ok(stepper_start(b->t, b->u));
}

static void bar_end(Bar *b) {
  stepper_destroy(&b->t);
  linear_destroy(&b->solver);
  mat_destroy(&b->a);
  EXEC_RELEASE(b->exec, b->K, b->n_value);
  EXEC_RELEASE(b->exec, b->M, b->n_value);
  EXEC_RELEASE(b->exec, b->u, b->n);
  EXEC_RELEASE(b->exec, b->velocity, b->n);
  elasticity_mass_destroy(&b->mass);
  elasticity_destroy(&b->e);
  mesh_destroy(&b->mesh);
  free(b->material);
  exec_destroy(&b->exec);
}

static void bar_run(Bar *b) {
  StepReport report;
  while (!stepper_done(b->t)) assert_ok(stepper_step(b->t, 1, &report));
}

/* What the node at x = 1 does, of a vector on the Exec. */
static double bar_tip(const Bar *b, const double *v) {
  double *host = calloc((size_t)b->n, sizeof *host), tip = (double)NAN;
  assert_ok(exec_download(b->exec, host, v, (size_t)b->n * sizeof *host));
  for (int64_t k = 0; k < b->n; k += 2)
    if (b->mesh->x[elasticity_node(b->e, k)][0] > 1 - 1e-9) tip = host[k];
  free(host);
  return tip;
}

static double error_of(double rho, int32_t steps, double alpha, double beta) {
  Bar b;
  const double *v, *a, omega = bar_omega(), zeta = 0.5 * (alpha / omega + beta * omega), end = 4.3 / omega;
  bar_begin(&b, "0", rho);
  b.time.dynamic.mass = alpha, b.time.dynamic.stiffness = beta;
  b.time.control = (StepControlParams){.end = end, .step = end / steps};
  bar_create(&b, 1);
  bar_run(&b);
  stepper_motion(b.t, &v, &a);
  const double damped = omega * sqrt(1 - zeta * zeta);
  const double u = exp(-zeta * omega * end) * sin(damped * end) / damped;
  const double speed = exp(-zeta * omega * end) * cos(damped * end) - zeta * omega * u;
  const double error = fmax(fabs(bar_tip(&b, b.u) - u) * omega, fabs(bar_tip(&b, v) - speed));
  bar_end(&b);
  return error;
}

/* Half the step, a quarter of the error: without and with damping of either kind. */
static void second_order(void **state) {
  (void)state;
  const double rho[] = {1, 0.8, 0};
  for (int k = 0; k < 3; ++k)
    for (int damped = 0; damped < 2; ++damped) {
      const double coarse = error_of(rho[k], 160, damped * 0.1, damped * 0.05),
                   fine = error_of(rho[k], 320, damped * 0.1, damped * 0.05);
      print_message("rho %g: %.3e %.3e\n", rho[k], coarse, fine);
      assert_true(fine < 1e-2);
      assert_in_range((int64_t)(100 * coarse / fine), 370, 430);
    }
}

/* With rho = 1 the energy stays, by u of the lowest vibration and its velocity. */
static void energy_stays(void **state) {
  (void)state;
  Bar b;
  const double *v, *a, omega = bar_omega();
  bar_begin(&b, "0", 1);
  b.time.control = (StepControlParams){.end = 100 / omega, .step = 0.5 / omega};
  bar_create(&b, 1);
  bar_run(&b);
  stepper_motion(b.t, &v, &a);
  const double u = bar_tip(&b, b.u) * omega, speed = bar_tip(&b, v);
  assert_near(u * u + speed * speed, 1, 1e-9);
  bar_end(&b);
}

/* The whole bar is moved as a rigid body by its support only if nothing can bend; slowly, it follows: x = 0 goes along
 * t^2, the bar is stretched by its own inertia, rho x (1 - x / 2) a / E. */
static void moving_support(void **state) {
  (void)state;
  Bar b;
  const double *v, *a;
  bar_begin(&b, "0.5*t^2", 0.5);
  b.time.dynamic.mass = 0, b.time.dynamic.stiffness = 3; /* strongly damped: what is left is the steady motion */
  b.time.control = (StepControlParams){.end = 40, .step = 0.1};
  bar_create(&b, 0);
  bar_run(&b);
  stepper_motion(b.t, &v, &a);
  assert_within(bar_tip(&b, b.u), 800 - 0.5 * DENSITY / YOUNG, 1e-4);
  assert_within(bar_tip(&b, v), 40, 1e-4);
  assert_within(bar_tip(&b, a), 1, 1e-4);
  bar_end(&b);
}

/* Bar and support move at one speed: nothing happens, at any damping and however coarse the steps are. */
static void one_speed(void **state) {
  (void)state;
  const double rho[] = {1, 0.8, 0};
  for (int k = 0; k < 6; ++k) {
    Bar b;
    const double *v, *a;
    bar_begin(&b, "-0.71*t", rho[k % 3]);
    b.base = -0.71;
    b.time.dynamic.mass = 0, b.time.dynamic.stiffness = k / 3 * 0.2;
    b.time.control = (StepControlParams){.end = 1.7, .step = 0.17 / (1 + k)};
    bar_create(&b, 0);
    stepper_motion(b.t, &v, &a);
    assert_near(bar_tip(&b, a), 0, 1e-9);
    bar_run(&b);
    stepper_motion(b.t, &v, &a);
    assert_near(bar_tip(&b, b.u), -0.71 * 1.7, 1e-9);
    assert_near(bar_tip(&b, v), -0.71, 1e-9);
    assert_near(bar_tip(&b, a), 0, 1e-7);
    bar_end(&b);
  }
}

/* x = 0 swings with 0.2 sin(5.3 t), and the bar with it as if it had always done so: a wave of the mesh that stands. */
static double error_of_swing(double rho, int32_t steps) {
  Bar b;
  const double *v, *a, omega = 5.3, h = 1.0 / CELLS, q = omega * omega * DENSITY / YOUNG * h * h;
  bar_begin(&b, "0.2*sin(5.3*t)", rho);
  b.base = 0.2 * omega;
  b.wave = acos((6 - 2 * q) / (6 + q)) / h;
  b.time.control = (StepControlParams){.end = 2.9, .step = 2.9 / steps};
  bar_create(&b, 0);
  bar_run(&b);
  stepper_motion(b.t, &v, &a);
  const double tip = 0.2 / cos(b.wave), u = tip * sin(omega * 2.9), speed = tip * omega * cos(omega * 2.9);
  const double error = fmax(fabs(bar_tip(&b, b.u) - u) * omega, fabs(bar_tip(&b, v) - speed)) / fabs(tip * omega);
  bar_end(&b);
  return error;
}

static void swinging_support(void **state) {
  (void)state;
  const double rho[] = {1, 0.8, 0};
  for (int k = 0; k < 3; ++k) {
    const double coarse = error_of_swing(rho[k], 200), fine = error_of_swing(rho[k], 400);
    print_message("rho %g: %.3e %.3e\n", rho[k], coarse, fine);
    assert_true(fine < 1e-2);
    assert_in_range((int64_t)(100 * coarse / fine), 370, 445);
  }
}

/* The error of the whole run is about what the tolerance says. */
static void tolerance_is_kept(void **state) {
  (void)state;
  for (double tolerance = 1e-2; tolerance > 1e-5; tolerance /= 10) {
    Bar b;
    const double omega = bar_omega(), end = 4.3 / omega;
    bar_begin(&b, "0", 0.9);
    b.time.control = (StepControlParams){.end = end, .step = end / 50, .adaptive = true, .tolerance = tolerance};
    bar_create(&b, 1);
    bar_run(&b);
    const double error = fabs(bar_tip(&b, b.u) - sin(omega * end) / omega) * omega;
    print_message("tolerance %g: %lld steps, error %.3g\n", tolerance, (long long)stepper_control(b.t)->n_accepted,
                  error);
    assert_true(error < 3 * tolerance && error > 0.01 * tolerance);
    bar_end(&b);
  }
}

/* A run that goes on from a state has the bits of one that was never stopped. */
static void resume(bool newton) {
  Bar b, c;
  StepReport report;
  bar_begin(&b, "0.01*sin(3*t)", 0.8);
  b.newton = newton;
  b.time.control = (StepControlParams){.end = 2, .step = 0.05, .adaptive = true, .tolerance = 1e-3};
  c = b;
  c.exec = NULL;
  bar_create(&b, 1);
  for (int k = 0; k < 5; ++k) assert_ok(stepper_step(b.t, 1, &report));
  char *saved = calloc(1, (size_t)stepper_state_bytes(b.t));
  assert_ok(stepper_save(b.t, saved));
  bar_run(&b);
  bar_begin(&c, "0.01*sin(3*t)", 0.8);
  c.newton = newton;
  c.time.control = b.time.control;
  bar_create(&c, 1);
  assert_ok(stepper_restore(c.t, c.u, saved));
  bar_run(&c);
  const double one = bar_tip(&b, b.u), other = bar_tip(&c, c.u);
  assert_memory_equal(&one, &other, sizeof one);
  free(saved);
  StepEnergies energy[2];
  memset(energy, 0, sizeof energy);
  if (newton) assert_ok(stepper_energies(b.t, &energy[0]));
  if (newton) assert_ok(stepper_energies(c.t, &energy[1]));
  assert_memory_equal(&energy[0], &energy[1], sizeof energy[0]);
  bar_end(&b);
  bar_end(&c);
}
static void resumed_bits(void **state) {
  (void)state;
  resume(false);
  resume(true);
}

static bool by_hht;
static double hht_alpha;

/* The tip, its velocity, and what the energies lack of their balance, over their size: x = 0 swings, x = 1 is pulled. */
static void swing(double rho, double alpha, bool newton, double out[3]) {
  Bar b;
  StepEnergies energy;
  const double *v, *a;
  double *f, strain = 0;
  bar_begin(&b, "0.3*sin(3*t)", rho);
  assert_ok(expr_parse("2*t", &b.load.value[0]));
  b.newton = newton;
  b.time.dynamic.mass = alpha;
  b.time.dynamic.by_hht = by_hht, b.time.dynamic.hht = hht_alpha;
  b.time.control = (StepControlParams){.end = 2.3, .step = 0.03};
  bar_create(&b, 0.7);
  double kinetic = 0;
  if (newton) assert_ok(stepper_energies(b.t, &energy));
  if (newton) kinetic = energy.kinetic;
  bar_run(&b);
  stepper_motion(b.t, &v, &a);
  out[0] = bar_tip(&b, b.u), out[1] = bar_tip(&b, v), out[2] = 0;
  if (newton) {
    double *host[2] = {calloc((size_t)b.n, sizeof(double)), calloc((size_t)b.n, sizeof(double))};
    assert_ok(exec_alloc(b.exec, b.n, sizeof(double), "test", (void **)&f));
    assert_ok(bar_internal(&b, b.u, f));
    assert_ok(exec_download(b.exec, host[0], b.u, (size_t)b.n * sizeof(double)));
    assert_ok(exec_download(b.exec, host[1], f, (size_t)b.n * sizeof(double)));
    for (int64_t k = 0; k < b.n; ++k) strain -= 0.5 * host[0][k] * host[1][k];
    assert_ok(stepper_energies(b.t, &energy));
    print_message("rho %g: kinetic %g, strain %g, external %g, dissipated %g\n", rho, energy.kinetic, strain,
                  energy.external, energy.dissipated);
    assert_true(strain > 0.01 && energy.kinetic > 0.01 && (alpha > 0) == (energy.dissipated > 0.01));
    out[2] = (energy.external + kinetic - energy.kinetic - strain - energy.dissipated) / energy.kinetic;
    EXEC_RELEASE(b.exec, f, b.n);
    free(host[0]);
    free(host[1]);
  }
  bar_end(&b);
}

/* Newton's method on a linear problem finds what one solve does, and the trapezoidal rule keeps the balance of the energies: of the
 * load, of the support that moves, and of damping. */
static void newton_agrees(void **state) {
  (void)state;
  const double rho[] = {1, 0.8, 0.3}, alpha[] = {0.4, 0, 0.2};
  for (int k = 0; k < 3; ++k) {
    double linear[3], newton[3];
    swing(rho[k], alpha[k], false, linear);
    swing(rho[k], alpha[k], true, newton);
    for (int i = 0; i < 2; ++i) assert_within(newton[i], linear[i], 1e-9);
    print_message("rho %g: balance %.2e\n", rho[k], newton[2]);
    assert_true(fabs(newton[2]) < (k == 0 ? 1e-8 : 0.2));
    assert_true(k == 0 || newton[2] > 1e-6);
  }
}

/* Hilber, Hughes and Taylor's method is Newmark's trapezoidal rule at 0, and takes from fast vibrations below. */
static void hht(void **state) {
  (void)state;
  double trapezoid[3], none[3], linear[3], newton[3];
  swing(1, 0.4, true, trapezoid);
  by_hht = true;
  swing(0.5, 0.4, true, none);
  hht_alpha = -0.05;
  swing(0.5, 0, false, linear);
  swing(0.5, 0, true, newton);
  by_hht = false;
  print_message("trapezoid %g, hht 0 %g, -0.05 %g, balance %.2e\n", trapezoid[0], none[0], newton[0], newton[2]);
  assert_within(none[0], trapezoid[0], 2e-3);
  assert_true(fabs(none[2]) < 1e-8 && newton[2] > 1e-6 && newton[2] < 0.2);
  for (int i = 0; i < 2; ++i) assert_within(newton[i], linear[i], 1e-9);
}

static void wrong_rho(void **state) {
  (void)state;
  Bar b;
  Stepper *t = NULL;
  bar_begin(&b, "0", 0.5);
  b.time.control = (StepControlParams){.end = 1, .step = 0.1};
  bar_create(&b, 1);
  StepperParams params = b.time;
  params.dynamic.rho_infinity = 1.5;
  const Problem problem = {.context = &b,
                           .n = b.n,
                           .linear = true,
                           .force = bar_force,
                           .motion.inertia = bar_inertia,
                           .motion.free_only = bar_free_only,
                           .tangent = bar_tangent};
  assert_fails(stepper_create(b.exec, &problem, &params, b.a, b.solver, &t), ERR_INPUT, "rho-infinity is 1.5");
  bar_end(&b);
}

int main(void) {

  const struct CMUnitTest tests[] = {cmocka_unit_test(hht),
                                     cmocka_unit_test(second_order),
                                     cmocka_unit_test(energy_stays),
                                     cmocka_unit_test(moving_support),
                                     cmocka_unit_test(one_speed),
                                     cmocka_unit_test(swinging_support),
                                     cmocka_unit_test(tolerance_is_kept),
                                     cmocka_unit_test(resumed_bits),
                                     cmocka_unit_test(newton_agrees),
                                     cmocka_unit_test(wrong_rho)};
  return cmocka_run_group_tests_name("solver/dynamic", tests, NULL, NULL);
}
