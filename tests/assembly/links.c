/* Links between nodes beside the elements: a chain of them is a cable, whose wave is that of a strip of elements to
 * rounding; a link between the two carries a current that both see, and sums over all nodes stay. */
#include "mesh/make/cable.h"
#include "tests/assembly/host_steps.h"

#include <math.h>
#include <string.h>

enum { CELLS = 40, ALONG = CELLS + 1, LINKS = CELLS + 1 };
static const double STEP = 0.5, WIDTH = 0.8, AREA = 0.03, DIFFUSIVITY = 0.7;

/* A strip of quadrilaterals, and a chain of lines of the same length. */
static Mesh *strip_and_nodes(void) {
  Mesh *mesh = NULL;
  const BoxParams box = {.kind = ELEMENT_QUAD4, .n = {CELLS, 1, 0}, .size = {CELLS * STEP, WIDTH, 0}};
  assert_ok(mesh_box(&box, &mesh));
  double x[ALONG][3] = {{0}};
  int32_t line[CELLS][2];
  for (int32_t i = 0; i < ALONG; ++i) x[i][0] = i * STEP, x[i][1] = 5;
  for (int32_t i = 0; i < CELLS; ++i) line[i][0] = i, line[i][1] = i + 1;
  const Cable cable = {.n_node = ALONG, .n_line = CELLS, .x = x, .line = line};
  assert_ok(mesh_attach(mesh, "chain", &cable));
  return mesh;
}

static int32_t node_at(const Mesh *mesh, double x, double y) {
  for (int32_t i = 0; i < mesh->n_node; ++i)
    if (fabs(mesh->x[i][0] - x) < 1e-9 && fabs(mesh->x[i][1] - y) < 1e-9) return i;
  fail();
  return -1;
}

/* The chain, and where `joined` one from its end to the corner of the strip. */
static int32_t chain(const Mesh *mesh, bool joined, DiffusionLink *link) {
  for (int32_t i = 0; i < CELLS; ++i)
    link[i] = (DiffusionLink){
        {node_at(mesh, i * STEP, 5), node_at(mesh, (i + 1) * STEP, 5)}, DIFFUSIVITY * AREA / STEP, AREA * STEP / 2};
  link[CELLS] = (DiffusionLink){{node_at(mesh, CELLS * STEP, 5), node_at(mesh, 0, 0)}, 0.011, 0};
  return CELLS + joined;
}

static double begin_at(const double *x) { return x[0] < 2 ? 20 : -80; }

/* A wave on both, cells of the chain of region[k]. */
static void wave_on_both(int32_t k) {
  HostSteps w = {0};
  DiffusionLink link[LINKS];
  int32_t region[LINKS];
  Mesh *mesh = strip_and_nodes();
  heart_mesh(&w.heart, testing_exec(), mesh, DIFFUSIVITY);
  w.heart.region[1] = w.heart.region[0];
  for (int32_t i = 0; i < LINKS; ++i) region[i] = k;
  w.heart.params.n_region = 2;
  w.heart.params.diffusion.n_link = chain(mesh, false, link);
  w.heart.params.diffusion.link = link;
  w.heart.params.link_region = region;
  if (k) w.heart.region[1].value[0] *= 1.01; /* other cells: the wave is another one */
  host_steps_create(&w, MONODOMAIN_NODAL, BDF2, 0.2);
  for (int64_t i = 0; i < w.heart.n; ++i) w.V[i] = begin_at(mesh->x[i]);
  host_steps_start(&w);
  double off = 0, most = -100;
  for (int step = 0; step < 160; ++step) {
    host_step(&w);
    for (int32_t i = 0; i < ALONG; ++i) {
      const double of_strip = w.V[node_at(mesh, i * STEP, 0)], of_chain = w.V[node_at(mesh, i * STEP, 5)];
      off = fmax(off, fabs(of_strip - of_chain));
    }
  }
  most = w.V[node_at(mesh, 10, 5)];
  print_message("region %d: chain and strip differ by %.3g mV, at 10 mm %.3g mV\n", (int)k, off, most);
  assert_true(most > -30); /* the wave has come that far */
  if (k) assert_true(off > 0.01);
  else assert_true(off < 1e-6);
  host_steps_finish(&w);
}

static void chain_is_a_cable(void **state) {
  (void)state;
  wave_on_both(0);
  wave_on_both(1);
}

/* K and M as matrices, without their elements, and as element sums. */
static void sums_stay(void **state) {
  (void)state;
  Heart h;
  DiffusionLink link[LINKS];
  Mesh *mesh = strip_and_nodes();
  heart_mesh(&h, testing_exec(), mesh, DIFFUSIVITY);
  h.params.diffusion.n_link = chain(mesh, true, link);
  h.params.diffusion.link = link;
  heart_create(&h);
  const int64_t n = h.n;
  double *one = calloc((size_t)n, 8), *y = calloc((size_t)n, 8), total = 0, through;
  Diffusion *d = monodomain_diffusion(h.m);
  assert_ok(diffusion_operators(d, h.values, NULL));
  assert_ok(exec_download(h.exec, h.A, h.values, (size_t)h.slots.n_value * sizeof *h.A));
  for (int64_t i = 0; i < n; ++i) one[i] = 1;
  heart_multiply(&h, one, y);
  for (int64_t i = 0; i < n; ++i) assert_within(y[i], 0, 1e-14);
  /* the chain alone at 1: what leaves it comes to the corner of the strip, conductance times difference */
  for (int64_t i = 0; i < n; ++i) one[i] = mesh->x[i][1] > 4;
  heart_multiply(&h, one, y);
  through = y[node_at(mesh, 0, 0)];
  assert_within(through, -0.011, 1e-15);
  assert_within(y[node_at(mesh, CELLS * STEP, 5)], 0.011, 1e-15);
  heart_upload(&h, h.V, one);
  assert_ok(diffusion_residual(d, h.V, NULL, NULL, true, h.r));
  heart_download(&h, h.r, one);
  for (int64_t i = 0; i < n; ++i) assert_within(one[i], -y[i], 1e-14);
  assert_ok(diffusion_lumped_mass(d, h.r));
  heart_download(&h, h.r, one);
  for (int64_t i = 0; i < n; ++i) total += one[i];
  assert_within(total, CELLS * STEP * (WIDTH + AREA), 1e-12);
  assert_within(one[node_at(mesh, CELLS * STEP, 5)], AREA * STEP / 2, 1e-15);
  assert_int_equal(diffusion_unknowns(d), n);
  free(one);
  free(y);
  heart_finish(&h);
}

static void what_cannot_be(void **state) {
  (void)state;
  Heart h;
  DiffusionLink link[LINKS];
  Mesh *mesh = strip_and_nodes();
  heart_mesh(&h, testing_exec(), mesh, DIFFUSIVITY);
  h.params.diffusion.n_link = chain(mesh, true, link);
  h.params.diffusion.link = link;
  link[3].conductance = 0;
  assert_fails(monodomain_create(h.exec, &h.params, &h.m), ERR_INPUT, "conductance 0");
  link[3].conductance = 1;
  link[3].mass = -1;
  assert_fails(monodomain_create(h.exec, &h.params, &h.m), ERR_INPUT, "mass -1");
  link[3].mass = 0.1;
  heart_create(&h);
  heart_finish(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(chain_is_a_cable), cmocka_unit_test(sums_stay),
                                     cmocka_unit_test(what_cannot_be)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
