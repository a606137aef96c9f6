/* VERIFICATION's rotor: 100 x 100 mm with D = 0.1, phi = 1 where x < 4 mm; at 480 ms the half y < 50 mm is put to rest.
 * What is left of the wave turns round its end for four seconds, once in 250 ms within 6 at (25, 75). */
#include "core/memory.h"
#include "solver/time/stepper.h"
#include "tests/assembly/heart.h"

#include <math.h>

static const double SIZE = 100, DT = 1, CUT = 480, END = 4000, PERIOD = 250;
enum { CELLS = 200 };

static Status reaction(void *context, const Stage *stage, const double *V, double *r, double *diagonal) {
  return monodomain_reaction(context, &stage->clock->theta, stage->when, V, r, diagonal);
}
static Status commit(void *context, const Stage *stage, const double *V, const double *before) {
  (void)before;
  return monodomain_commit(context, &stage->clock->theta, stage->when, V);
}

static Stepper *evolution(Heart *h, const Mat *K, const double *mass, double end) {
  Stepper *e = NULL;
  const Problem problem = {.context = h->m,
                           .n = h->n,
                           .reaction.nodal = true,
                           .reaction.lumped = mass,
                           .fixed = diffusion_fixed(monodomain_diffusion(h->m)),
                           .stiffness = K,
                           .reaction.max_slope = monodomain_max_slope(h->m),
                           .force = reaction,
                           .commit = commit};
  const StepperParams params = {
      .scheme = &bdf2_scheme, .control = {.end = end, .step = DT}, .reference = 100, .rtol = 1e-6};
  assert_ok(stepper_create(h->exec, &problem, &params, NULL, NULL, &e));
  assert_ok(monodomain_start(h->m, h->V));
  assert_ok(stepper_start(e, h->V));
  return e;
}

/* Upward crossings of -30 mV at a node, ms after the start of e; at most 32. */
static int crossings(Heart *h, Stepper *e, int64_t node, double *time) {
  StepReport step = {0};
  double last = 1e9, now;
  int n = 0;
  while (!stepper_done(e)) {
    assert_ok(stepper_step(e, 1, &step));
    assert_ok(exec_download(h->exec, &now, h->V + node, sizeof now));
    if (last < -30 && now >= -30 && n < 32) time[n++] = step.time - step.dt * (now + 30) / (now - last);
    last = now;
  }
  stepper_destroy(&e);
  return n;
}

static double left_edge(const double *x) { return x[0] < 4 ? 20 : -80; }

static void rotor(void **state) {
  (void)state;
  Heart h = {0};
  Mesh *mesh = NULL;
  Mat *K = NULL;
  double *mass = NULL, time[32];
  const BoxParams box = {.kind = element_by_name("quad4")->kind, .n = {CELLS, CELLS, 0}, .size = {SIZE, SIZE, 0}};
  assert_ok(mesh_box(&box, &mesh));
  heart_mesh(&h, testing_exec(), mesh, 0.1);
  h.params.scheme = MONODOMAIN_NODAL;
  h.params.history = MONODOMAIN_INCREMENT;
  heart_create(&h);
  assert_ok(mat_create(h.exec, &(MatParams){.format = "auto"}, diffusion_pattern(monodomain_diffusion(h.m)), &K));
  assert_ok(monodomain_bind(h.m, mat_slots(K)));
  assert_ok(diffusion_operators(monodomain_diffusion(h.m), mat_values(K), NULL));
  assert_ok(exec_alloc(h.exec, h.n, sizeof *mass, "test", (void **)&mass));
  assert_ok(diffusion_lumped_mass(monodomain_diffusion(h.m), mass));
  heart_rest(&h);
  heart_potential(&h, left_edge);
  int64_t node = -1;
  for (int32_t i = 0; i < mesh->n_node; ++i)
    if (hypot(mesh->x[i][0] - 25, mesh->x[i][1] - 75) < 1e-9) node = i;
  assert_true(node >= 0);
  assert_int_equal(crossings(&h, evolution(&h, K, mass, CUT), node, time), 1); /* the plane wave */
  uint8_t *inside = NULL;
  assert_ok(mem_alloc(mesh->n_node, 1, "nodes", (void **)&inside));
  for (int32_t i = 0; i < mesh->n_node; ++i) inside[i] = mesh->x[i][1] < 50;
  assert_ok(monodomain_reset(h.m, inside, h.V));
  FREE(inside);
  const int n = crossings(&h, evolution(&h, K, mass, END - CUT), node, time);
  print_message("%d turns, periods", n);
  for (int k = 1; k < n; ++k) print_message(" %.1f", time[k] - time[k - 1]);
  print_message(" ms\n");
  assert_true(n > 10 && time[n - 1] + CUT > END - 1.1 * PERIOD); /* still turning at the end */
  for (int k = n - 5; k < n; ++k) assert_within(time[k] - time[k - 1], PERIOD, 6);
  mat_destroy(&K);
  EXEC_RELEASE(h.exec, mass, h.n);
  heart_finish(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rotor)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
