/* Weights of electrodes: constants are not seen, linear potentials as by hand, in all elements; an electrode in the
 * tissue. */
#include "assembly/monodomain/lead_field.h"
#include "core/memory.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* A box of edge 0.1 with D: xx 2, yy 3, zz 5, xy 1. */
static Mesh *box(ElementKind kind, double (**tensor)[6]) {
  Mesh *mesh = NULL;
  const int32_t depth = element_type(kind)->dim == 3 ? 2 : 0;
  const BoxParams params = {.kind = kind, .n = {2, 2, depth}, .size = {0.1, 0.1, 0.1}};
  const double D[6] = {2, 3, 5, 1, 0, 0};
  assert_ok(mesh_box(&params, &mesh));
  *tensor = calloc((size_t)mesh->n_element, sizeof **tensor);
  for (int32_t e = 0; e < mesh->n_element; ++e) memcpy((*tensor)[e], D, sizeof D);
  return mesh;
}

static double sum(const Mesh *mesh, const double *weight, int direction) {
  double total = 0;
  for (int32_t i = 0; i < mesh->n_node; ++i) total += weight[i] * (direction < 0 ? 1 : mesh->x[i][direction]);
  return total;
}

/* Of V = x_k and far from the box, phi = (D r)_k / (4 pi |r|^3) times its measure, r from the electrode to the box. */
static void far_away(void **state) {
  (void)state;
  const ElementKind kinds[] = {ELEMENT_TRI3, ELEMENT_QUAD4, ELEMENT_TRI6, ELEMENT_TET4, ELEMENT_HEX8, ELEMENT_TET10};
  for (int k = 0; k < 6; ++k) {
    double(*tensor)[6], electrode[3] = {40, -20, 30}, weight[512] = {0};
    Mesh *mesh = box(kinds[k], &tensor);
    const bool solid = mesh->dim == 3;
    assert_true(mesh->n_node <= 512);
    assert_ok(lead_field_add(mesh, (const double(*)[6])tensor, NULL, electrode, 1, weight));
    const double r[3] = {0.05 - 40, 0.05 + 20, (solid ? 0.05 : 0) - 30},
                 square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    const double scale = (solid ? 1e-3 : 1e-2) / (4 * PI * square * sqrt(square));
    assert_near(sum(mesh, weight, -1), 0, 1e-12 * scale);
    assert_within(sum(mesh, weight, 0) / scale, 2 * r[0] + r[1], 1e-6 * 80);
    assert_within(sum(mesh, weight, 1) / scale, r[0] + 3 * r[1], 1e-6 * 80);
    if (solid) assert_within(sum(mesh, weight, 2) / scale, 5 * r[2], 1e-6 * 150);
    /* against itself: nothing */
    assert_ok(lead_field_add(mesh, (const double(*)[6])tensor, NULL, electrode, -1, weight));
    for (int32_t i = 0; i < mesh->n_node; ++i) assert_near(weight[i], 0, 1e-12 * scale);
    free(tensor);
    mesh_destroy(&mesh);
  }
}

/* V falls away from the electrode, as when a front comes nearer from behind: positive. */
static void sign(void **state) {
  (void)state;
  double(*tensor)[6], weight[64] = {0};
  const double electrode[3] = {2, 0.05, 0};
  Mesh *mesh = box(ELEMENT_QUAD4, &tensor);
  assert_ok(lead_field_add(mesh, (const double(*)[6])tensor, NULL, electrode, 1, weight));
  assert_true(-sum(mesh, weight, 0) > 0);
  free(tensor);
  mesh_destroy(&mesh);
}

static void in_the_tissue(void **state) {
  (void)state;
  double(*tensor)[6], weight[64] = {0}, electrode[3] = {0};
  Mesh *mesh = box(ELEMENT_QUAD4, &tensor);
  Quadrature rule;
  assert_ok(element_mass_quadrature(element_type(ELEMENT_QUAD4), &rule));
  for (int k = 0; k < 2; ++k) electrode[k] = 0.025 * (1 + rule.xi[0][k]); /* of the first element, [0, 0.05]^2 */
  assert_fails(lead_field_add(mesh, (const double(*)[6])tensor, NULL, electrode, 1, weight), ERR_INPUT,
               "integration point");
  free(tensor);
  mesh_destroy(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(far_away), cmocka_unit_test(sign),
                                     cmocka_unit_test(in_the_tissue)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
