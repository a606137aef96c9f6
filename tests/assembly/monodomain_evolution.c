/* The monodomain problem under solver/time/stepper.h: both reactions and every scheme in time give what Newton's
 * method on the host gives with the same steps. */
#include "solver/time/stepper.h"
#include "tests/assembly/host_steps.h"

#include <math.h>
#include <string.h>

static Status current(void *context, const Stage *stage, const double *switches, double *out) {
  return monodomain_current(context, stage->when, switches, out);
}
static Status reaction(void *context, const Stage *stage, const double *V, double *r, double *diagonal) {
  return monodomain_reaction(context, &stage->clock->theta, stage->when, V, r, diagonal);
}
static Status tangent(void *context, const Stage *stage, const double *u, Mat *a) {
  (void)u;
  return monodomain_tangent(context, &stage->clock->theta, NULL, mat_values(a));
}
static Status commit(void *context, const Stage *stage, const double *V, const double *before) {
  (void)before;
  return monodomain_commit(context, &stage->clock->theta, stage->when, V);
}

enum { N_STEPS = 24 };
static const double DT = 0.5, LENGTH = 12, SIZE = 0.5;
static const int32_t STIMULATED[4] = {0, 1, 2, 3};
static const MonodomainStimulus STIMULUS = {.n = 4, .node = STIMULATED, .amplitude = 30};

static void strip(Heart *h, MonodomainScheme scheme, const TimeScheme *in_time) {
  static const MonodomainHistory history[] = {MONODOMAIN_NONE, MONODOMAIN_RATE, MONODOMAIN_INCREMENT};
  Mesh *mesh = NULL;
  const BoxParams params = {
      .kind = ELEMENT_QUAD4, .n = {(int32_t)lround(LENGTH / SIZE), 1, 0}, .size = {LENGTH, SIZE, 0}};
  assert_ok(mesh_box(&params, &mesh));
  heart_mesh(h, testing_exec(), mesh, 1);
  h->params.scheme = scheme;
  h->params.history = history[in_time->carries];
  h->params.n_stimulus = 1;
  h->params.stimulus = &STIMULUS;
}

/* V after N_STEPS by the host; the current is on all the time. */
static double on_nodes(const double *x, double t) {
  (void)t;
  return x[0] < 3.5 * SIZE && x[1] < 1e-9 ? 30 : 0;
}
static double *by_host(MonodomainScheme scheme, const TimeScheme *in_time) {
  HostSteps w = {0};
  strip(&w.heart, scheme, in_time);
  static const HostScheme host[] = {[SCHEME_CARRIES_NOTHING] = BACKWARD_EULER,
                                    [SCHEME_CARRIES_RATE] = CRANK_NICOLSON,
                                    [SCHEME_CARRIES_INCREMENT] = BDF2};
  host_steps_create(&w, scheme, host[in_time->carries], DT);
  w.n_euler = in_time == &bdf2_scheme ? 1 : 2;
  w.current = on_nodes;
  host_steps_start(&w);
  for (int k = 0; k < N_STEPS; ++k) (void)host_step(&w);
  double *V = w.V;
  w.V = NULL;
  host_steps_finish(&w);
  return V;
}

typedef struct Stepping {
  Heart h;
  Mat *K, *M, *a;
  LinearSolver *solver;
  Stepper *stepper;
  double *mass;
} Stepping;

static void create(Stepping *s, MonodomainScheme scheme, const TimeScheme *in_time) {
  const bool gauss = scheme == MONODOMAIN_GAUSS;
  *s = (Stepping){0};
  Heart *h = &s->h;
  strip(h, scheme, in_time);
  heart_create(h);
  const Diffusion *d = monodomain_diffusion(h->m);
  const MatParams format = {.format = "csr"};
  LinearParams linear = linear_params_default();
  linear.preconditioner = "jacobi";
  linear.pattern = diffusion_pattern(d);
  const EvolutionPulse pulse = {.start = -1, .duration = 1000, .count = 1};
  assert_ok(mat_create(h->exec, &format, diffusion_pattern(d), &s->K));
  assert_ok(monodomain_bind(h->m, mat_slots(s->K)));
  if (gauss) {
    assert_ok(mat_create_like(s->K, PRECISION_DOUBLE, &s->M));
    assert_ok(mat_create_like(s->K, PRECISION_DOUBLE, &s->a));
    assert_ok(linear_create(h->exec, &linear, s->a, &s->solver));
  }
  assert_ok(diffusion_operators(monodomain_diffusion(h->m), mat_values(s->K), gauss ? mat_values(s->M) : NULL));
  assert_ok(exec_alloc(h->exec, h->n, 8, "test", (void **)&s->mass));
  assert_ok(diffusion_lumped_mass(monodomain_diffusion(h->m), s->mass));
  const Problem problem = {.context = h->m,
                           .n = h->n,
                           .nodal = !gauss,
                           .lumped = s->mass,
                           .fixed = diffusion_fixed(d),
                           .stiffness = s->K,
                           .mass = s->M,
                           .max_slope = monodomain_steepest(h->m),
                           .current = current,
                           .force = reaction,
                           .tangent = gauss ? tangent : NULL,
                           .commit = commit};
  const StepperParams params = {.scheme = in_time,
                                .control = {.end = N_STEPS * DT, .step = DT},
                                .n_pulse = 1,
                                .pulse = &pulse,
                                .reference = 100,
                                .rtol = 1e-10};
  assert_ok(stepper_create(h->exec, &problem, &params, s->a, s->solver, &s->stepper));
}

static void destroy(Stepping *s) {
  stepper_destroy(&s->stepper);
  linear_destroy(&s->solver);
  mat_destroy(&s->a);
  mat_destroy(&s->M);
  mat_destroy(&s->K);
  EXEC_RELEASE(s->h.exec, s->mass, s->h.n);
  heart_finish(&s->h);
}

static void agree(void **state) {
  (void)state;
  for (int k = 0; k < 6; ++k) {
    const MonodomainScheme scheme = k % 2 ? MONODOMAIN_GAUSS : MONODOMAIN_NODAL;
    const TimeScheme *in_time = time_scheme(k / 2);
    double *V = by_host(scheme, in_time), most = 0, high = -100;
    Stepping s;
    create(&s, scheme, in_time);
    heart_rest(&s.h);
    assert_ok(monodomain_start(s.h.m, s.h.V));
    assert_ok(stepper_start(s.stepper, s.h.V));
    StepReport step = {0};
    int64_t steps = 0;
    while (!stepper_done(s.stepper)) {
      assert_ok(stepper_step(s.stepper, 1, &step));
      steps += step.steps;
    }
    assert_int_equal(steps, N_STEPS);
    assert_near(step.time, N_STEPS * DT, 1e-12);
    heart_download(&s.h, s.h.V, s.h.host);
    for (int64_t i = 0; i < s.h.n; ++i) {
      most = fmax(most, fabs(s.h.host[i] - V[i]));
      high = fmax(high, V[i]);
    }
    print_message("%s scheme %d: up to %.2f mV, %.1e mV apart\n", scheme ? "gauss" : "nodal", k / 2, high, most);
    assert_true(high > 0 && most < 1e-6);
    free(V);
    destroy(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(agree)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
