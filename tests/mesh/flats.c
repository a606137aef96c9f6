/* What flats of linear elements leave out of curved bodies: rings, pipes and balls of drawn sizes against their volume,
 * and bodies that only have edges, of which nothing is said. */
#include "mesh/check/check.h"
#include "tests/draw.h"
#include "tests/mesh/derived_mesh.h"
#include "tests/mesh/msh_writer.h"

#include <time.h>

static const double PI = 3.14159265358979323846;
static uint64_t draws;

static double draw(double low, double high) { return draw_between(&draws, low, high); }

static Mesh *box_of(ElementKind kind, int32_t a, int32_t b, int32_t c) {
  const BoxParams params = {.kind = kind, .n = {a, b, c}, .size = {1, 1, 1}};
  Mesh *mesh = NULL;
  assert_ok(mesh_box(&params, &mesh));
  return mesh;
}

static bool near_factor(double said, double truth) { return said > truth / 1.5 && said < truth * 1.5; }

/* x goes along the radius, y around `part` of a circle, z stays. */
static void bend_to_ring(Mesh *mesh, double inner, double outer, double part) {
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    double *x = mesh->x[i];
    const double r = inner + (outer - inner) * x[0], angle = 2 * PI * part * x[1];
    x[0] = r * cos(angle), x[1] = r * sin(angle);
  }
}

static const ElementKind ring_kinds[] = {ELEMENT_TRI3, ELEMENT_QUAD4, ELEMENT_TET4, ELEMENT_HEX8, ELEMENT_WEDGE6};

static void rings_and_pipes(void **state) {
  (void)state;
  for (int k = 0; k < 60; ++k) {
    const ElementKind kind = ring_kinds[k % 5];
    static const int around[] = {8, 12, 24, 48};
    const int n = around[k / 5 % 4];
    const double part = k % 2 ? 0.5 : 0.75, inner = draw(0.5, 1), outer = inner * draw(1.3, 3);
    const int n_edge = (int)(n * part);
    Mesh *mesh = box_of(kind, 1 + (int)draw(0, 4), n_edge, 1 + (int)draw(0, 3));
    bend_to_ring(mesh, inner, outer, part);
    const double angle = 2 * PI / n, segment = angle - sin(angle), body = sin(angle) * (outer * outer - inner * inner);
    double lacking, surplus;
    assert_ok(check_flats_measure(mesh, &lacking, &surplus));
    if (!near_factor(lacking, segment * outer * outer / body) || !near_factor(surplus, segment * inner * inner / body))
      fail_msg("%s, %d around, %d there, radii %.17g to %.17g: said %g and %g, truth %g and %g",
               element_type(kind)->name, n, n_edge, inner, outer, lacking, surplus, segment * outer * outer / body,
               segment * inner * inner / body);
    mesh_destroy(&mesh);
  }
}

static void balls(void **state) {
  (void)state;
  for (int k = 0; k < 12; ++k) {
    const ElementKind kind = k % 2 ? ELEMENT_TET4 : ELEMENT_HEX8;
    const double radius = draw(0.1, 10);
    Mesh *mesh = box_of(kind, 3 + k / 2, 3 + k / 2, 3 + k / 2);
    for (int32_t i = 0; i < mesh->n_node; ++i) {
      double *x = mesh->x[i], size = 0, most = 0;
      for (int d = 0; d < 3; ++d) {
        x[d] = tan((2 * x[d] - 1) * PI / 4);
        size += x[d] * x[d];
        most = fmax(most, fabs(x[d]));
      }
      for (int d = 0; d < 3 && size > 0; ++d) x[d] *= radius * most / sqrt(size);
    }
    const double truth = 4 * PI / 3 * radius * radius * radius / testing_measure(mesh, "body") - 1;
    double lacking, surplus;
    assert_ok(check_flats_measure(mesh, &lacking, &surplus));
    if (!near_factor(lacking, truth) || surplus > 0.02 * truth)
      fail_msg("%s, %d: said %g and %g, truth %g", element_type(kind)->name, 3 + k / 2, lacking, surplus, truth);
    mesh_destroy(&mesh);
  }
}

enum { PLAIN, TAPER, BEND, ROOF, CHAMFER, ZIGZAG, N_EDGED };

static void give_edges(Mesh *mesh, int shape, double turn) {
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    double *x = mesh->x[i];
    if (shape == TAPER) x[1] *= 1 - turn * x[0];
    if (shape == BEND) x[1] += turn * fabs(x[0] - 0.5);
    if (shape == ROOF) x[1] *= 1 - turn * fabs(x[0] - 0.5);
    if (shape == CHAMFER) x[1] *= 1 - turn * fmax(0, x[0] - 0.75);
    if (shape == ZIGZAG) x[1] += turn * fabs(fmod(4 * x[0], 2) - 1) / 4;
  }
}

static void edges_are_no_curves(void **state) {
  (void)state;
  for (int k = 0; k < 60; ++k) {
    const ElementKind kind = ring_kinds[k % 5];
    const int shape = k / 5 % N_EDGED;
    const double turn = draw(0.1, 0.8);
    Mesh *mesh = box_of(kind, k < 30 ? 4 : 8, 1 + (int)draw(0, 4), 1 + (int)draw(0, 3));
    give_edges(mesh, shape, turn);
    double lacking, surplus;
    assert_ok(check_flats_measure(mesh, &lacking, &surplus));
    if (lacking + surplus > 1e-6)
      fail_msg("%s, shape %d, turn %.17g: said %g, %g", element_type(kind)->name, shape, turn, lacking, surplus);
    mesh_destroy(&mesh);
  }
}

static void a_case_is_told(void **state) {
  (void)state;
  Mesh *mesh = box_of(ELEMENT_QUAD4, 2, 16, 1);
  bend_to_ring(mesh, 1, 2, 0.5);
  const char *path = temporary_path("ring.h5");
  assert_ok(mesh_write_h5(mesh, path));
  mesh_destroy(&mesh);
  const MeshParams params[] = {
      {.path = path}, {.path = path, .order = 1}, {.path = path, .order = 2}, {.path = path, .refine = 2}};
  for (int k = 0; k < 4; ++k) {
    status_warnings_clear();
    assert_ok(mesh_load(&params[k], &mesh));
    mesh_destroy(&mesh);
    assert_int_equal(status_warning_count(), k < 2 ? 0 : 1);
    if (k < 2) continue;
    assert_non_null(
        strstr(status_warning(0), "ring.h5: its linear elements approximate a boundary that looks curved: about 0.8"));
    assert_non_null(strstr(status_warning(0), " % of the volume is missing, and hollows add 0.2"));
    assert_non_null(strstr(status_warning(0), "mesh the geometry (.geo, CAD) with 'order: 2'"));
  }
  status_warnings_clear();
  mesh = box_of(ELEMENT_QUAD4, 2, 96, 1); /* fine enough */
  bend_to_ring(mesh, 1, 2, 0.5);
  assert_ok(check_flats(mesh));
  assert_int_equal(status_warning_count(), 0);
  mesh_destroy(&mesh);
  temporary_remove(NULL);
}

static Status measure(void *context, Mesh **out) {
  double lacking, surplus;
  *out = NULL;
  return check_flats_measure(context, &lacking, &surplus);
}

static void every_allocation_fails_once(void **state) {
  (void)state;
  Mesh *mesh = box_of(ELEMENT_HEX8, 2, 3, 2);
  testing_fail_allocations(measure, mesh);
  mesh_destroy(&mesh);
  assert_int_equal(mem_in_use(), 0);
}

int main(void) {
  draws = (uint64_t)time(NULL);
  print_message("drawn from %llu\n", (unsigned long long)draws);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rings_and_pipes),
      cmocka_unit_test(balls),
      cmocka_unit_test(edges_are_no_curves),
      cmocka_unit_test(a_case_is_told),
      cmocka_unit_test(every_allocation_fails_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
