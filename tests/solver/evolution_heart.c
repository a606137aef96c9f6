/* Nonlinear time stepping of a real problem on either executor: a slab of cells after Aliev and Panfilov, stimulated at
 * one end. Nodal (on a GPU with a matrix in low precision inside) and gauss, which differ in space only, give the same wave;
 * chained steps and a resumed run the same bits. */
#include "assembly/monodomain/monodomain.h"
#include "solver/time/stepper.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

enum { CELLS = 24, STIMULATED = 16 };

typedef struct Slab {
  Exec *exec;
  Mesh *mesh;
  double tensor[2 * CELLS][6];
  Monodomain *m;
  Mat *K, *M, *a;
  LinearSolver *solver;
  double *mass, *V; /* on the Exec */
  double *host;
  Stepper *e;
  int32_t n;
} Slab;

static Status current(void *m, const Stage *stage, const double *switches, double *out) {
  return monodomain_current(m, stage->when, switches, out);
}
static Status reaction(void *m, const Stage *stage, const double *V, double *r, double *diagonal) {
  return monodomain_reaction(m, &stage->clock->theta, stage->when, V, r, diagonal);
}
static Status tangent(void *m, const Stage *stage, const double *u, Mat *a) {
  (void)u;
  return monodomain_tangent(m, &stage->clock->theta, NULL, mat_values(a));
}
static Status commit(void *m, const Stage *stage, const double *V, const double *before) {
  (void)before;
  return monodomain_commit(m, &stage->clock->theta, stage->when, V);
}
static Status save(void *m, void *host) { return monodomain_state_save(m, host); }
static Status restore(void *m, const void *host) { return monodomain_state_load(m, host); }

static void create_problem(Slab *s, bool gauss) {
  int32_t node[STIMULATED], n = 0;
  for (int32_t i = 0; i < s->n; ++i)
    if (s->mesh->x[i][0] < 1.01) node[n++] = i;
  assert_int_equal(n, 9);
  const IonicConstants region = ionic_constants(0, 0);
  const MonodomainStimulus stimulus = {.n = n, .node = node, .amplitude = 40};
  MonodomainParams params = {.diffusion = {.mesh = s->mesh, .tensor = (const double(*)[6])s->tensor},
                             .scheme = gauss ? MONODOMAIN_GAUSS : MONODOMAIN_NODAL,
                             .history = MONODOMAIN_INCREMENT,
                             .n_region = 1,
                             .region = &region,
                             .n_stimulus = 1,
                             .stimulus = &stimulus};
  assert_ok(monodomain_create(s->exec, &params, &s->m));
  Diffusion *d = monodomain_diffusion(s->m);
  const MatParams format = {.format = "sbell"};
  assert_ok(mat_create(s->exec, &format, diffusion_pattern(d), &s->K));
  assert_ok(monodomain_bind(s->m, mat_slots(s->K)));
  assert_ok(mat_create_like(s->K, PRECISION_DOUBLE, &s->M));
  assert_ok(mat_create_like(s->K, PRECISION_DOUBLE, &s->a));
  assert_ok(diffusion_operators(d, mat_values(s->K), mat_values(s->M)));
  LinearParams linear = linear_params_default();
  linear.preconditioner = "jacobi";
  assert_ok(linear_create(s->exec, &linear, s->a, &s->solver));
  assert_ok(exec_alloc(s->exec, s->n, sizeof(double), "test", (void **)&s->mass));
  assert_ok(exec_alloc(s->exec, s->n, sizeof(double), "test", (void **)&s->V));
  assert_ok(diffusion_lumped_mass(d, s->mass));
}

static void begin(Slab *s, bool gauss, bool adaptive) {
  *s = (Slab){.exec = testing_exec()};
  const BoxParams box = {.kind = ELEMENT_QUAD4, .n = {CELLS, 2, 1}, .size = {12, 1, 1}};
  assert_ok(mesh_box(&box, &s->mesh));
  s->n = s->mesh->n_node;
  s->host = calloc((size_t)s->n, sizeof *s->host);
  for (int e = 0; e < 2 * CELLS; ++e) s->tensor[e][0] = s->tensor[e][1] = 0.2;
  create_problem(s, gauss);
  const IonicConstants region = ionic_constants(0, 0);
  const Problem problem = {.context = s->m,
                           .n = s->n,
                           .reaction.nodal = !gauss,
                           .reaction.lumped = s->mass,
                           .fixed = diffusion_fixed(monodomain_diffusion(s->m)),
                           .stiffness = s->K,
                           .mass = gauss ? s->M : NULL,
                           .reaction.max_slope = 1 / ionic_largest_step(&region, 1),
                           .reaction.current = current,
                           .force = reaction,
                           .tangent = gauss ? tangent : NULL,
                           .commit = commit,
                           .states.bytes = monodomain_state_size(s->m) * (int64_t)sizeof(double),
                           .states.save = save,
                           .states.restore = restore};
  const EvolutionPulse pulse = {.start = 1, .duration = 2, .count = 1};
  const StepperParams params = {.scheme = &bdf2_scheme,
                                .reference = 100,
                                .n_pulse = 1,
                                .pulse = &pulse,
                                .control = {.end = 40,
                                            .step = 0.25,
                                            .every = 10,
                                            .adaptive = adaptive,
                                            .tolerance = adaptive ? 2e-4 : 0,
                                            .max = adaptive ? 2 : 0}};
  assert_ok(stepper_create(s->exec, &problem, &params, s->a, s->solver, &s->e));
  assert_ok(monodomain_rest(s->m, s->V));
  assert_ok(stepper_start(s->e, s->V));
}
static void finish(Slab *s) {
  stepper_destroy(&s->e);
  linear_destroy(&s->solver);
  mat_destroy(&s->K);
  mat_destroy(&s->M);
  mat_destroy(&s->a);
  EXEC_RELEASE(s->exec, s->mass, s->n);
  EXEC_RELEASE(s->exec, s->V, s->n);
  monodomain_destroy(&s->m);
  mesh_destroy(&s->mesh);
  free(s->host);
  exec_destroy(&s->exec);
}

/* Goes on and gives the number of steps; V is downloaded then. */
static int64_t run(Slab *s, int64_t max_steps, double until) {
  int64_t steps = 0;
  for (StepReport step; !stepper_done(s->e) && stepper_control(s->e)->time < until; steps += step.steps) {
    assert_ok(stepper_step(s->e, max_steps, &step));
    assert_true(step.residual <= 2.1e-7);
  }
  assert_ok(exec_download(s->exec, s->host, s->V, (size_t)s->n * sizeof *s->host));
  return steps;
}
/* Where the wave is: the mean of V turns into a length. */
static double front(const Slab *s) {
  double sum = 0;
  for (int32_t i = 0; i < s->n; ++i) sum += (s->host[i] + 80) / 100 / s->n;
  return 12 * sum;
}

static void waves(void **state) {
  (void)state;
  double reached[4];
  int64_t steps[4];
  for (int k = 0; k < 4; ++k) {
    Slab s;
    begin(&s, k % 2, k / 2);
    steps[k] = run(&s, 100, 30);
    reached[k] = front(&s);
    finish(&s);
  }
  assert_true(reached[0] > 4 && reached[0] < 10);
  assert_relative(reached[1], reached[0], 0.02);                                /* another scheme in space */
  for (int k = 0; k < 2; ++k) assert_within(reached[2 + k], reached[k], 0.005); /* other steps in time */
  assert_int_equal(steps[0], 120);
  assert_int_equal(steps[1], 120);
}

static void same_bits(void **state) {
  (void)state;
  for (int k = 0; k < 3; ++k) {
    const bool gauss = k == 1, adaptive = k == 2;
    Slab s, t;
    begin(&s, gauss, adaptive);
    run(&s, 1, 1e9);
    begin(&t, gauss, adaptive);
    run(&t, 7, 13);
    char *blob = malloc((size_t)stepper_state_bytes(t.e));
    assert_ok(stepper_save(t.e, blob));
    finish(&t);
    begin(&t, gauss, adaptive);
    assert_ok(stepper_restore(t.e, t.V, blob));
    run(&t, 100, 1e9);
    assert_memory_equal(s.host, t.host, (size_t)s.n * sizeof *s.host);
    free(blob);
    finish(&s);
    finish(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(waves), cmocka_unit_test(same_bits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
