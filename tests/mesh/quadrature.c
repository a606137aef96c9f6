/* Every quadrature rule against the exact integral of every monomial up to its degree. */
#include "tests/testing.h"

#include "mesh/elements/element.h"

#include <math.h>
#include <stdio.h>

static double factorial(int n) { return n < 2 ? 1.0 : n * factorial(n - 1); }

/* int x^i y^j z^k over the reference domain. On the unit simplex i! j! k! / (i + j + k + dim)!. On the pyramid the cross
 * section at z is [-(1 - z), 1 - z]^2, which leaves int z^k (1 - z)^(i + j + 2) dz. */
static double exact(ElementShape shape, int dim, const int p[3]) {
  if (shape == SHAPE_TRIANGLE || shape == SHAPE_TETRAHEDRON) {
    return factorial(p[0]) * factorial(p[1]) * factorial(p[2]) / factorial(p[0] + p[1] + p[2] + dim);
  }
  if (shape == SHAPE_PYRAMID) {
    if (p[0] % 2 || p[1] % 2) return 0.0;
    const int n = p[0] + p[1] + 2;
    return 4.0 / (p[0] + 1) / (p[1] + 1) * factorial(p[2]) * factorial(n) / factorial(p[2] + n + 1);
  }
  if (shape == SHAPE_WEDGE) {
    const double line = p[2] % 2 ? 0.0 : 2.0 / (p[2] + 1);
    return line * factorial(p[0]) * factorial(p[1]) / factorial(p[0] + p[1] + 2);
  }
  double product = 1.0;
  for (int k = 0; k < dim; k++) product *= p[k] % 2 ? 0.0 : 2.0 / (p[k] + 1);
  return product;
}

static double power(double x, int n) { return n == 0 ? 1.0 : x * power(x, n - 1); }

static const struct {
  ElementShape shape;
  int dim, max_degree;
} shapes[] = {{SHAPE_POINT, 0, 15},      {SHAPE_LINE, 1, 15},      {SHAPE_TRIANGLE, 2, 15}, {SHAPE_QUAD, 2, 15},
              {SHAPE_TETRAHEDRON, 3, 7}, {SHAPE_HEXAHEDRON, 3, 7}, {SHAPE_WEDGE, 3, 7},     {SHAPE_PYRAMID, 3, 7}};

static double worst_error(ElementShape shape, int dim, int degree, const Quadrature *rule) {
  double worst = 0.0;
  for (int i = 0; i <= (dim > 0 ? degree : 0); i++) {
    for (int j = 0; j <= (dim > 1 ? degree - i : 0); j++) {
      for (int k = 0; k <= (dim > 2 ? degree - i - j : 0); k++) {
        double sum = 0.0;
        for (int q = 0; q < rule->n; q++) {
          sum += rule->weight[q] * power(rule->xi[q][0], i) * power(rule->xi[q][1], j) * power(rule->xi[q][2], k);
        }
        worst = fmax(worst, fabs(sum - exact(shape, dim, (const int[]){i, j, k})));
      }
    }
  }
  return worst;
}

static void exact_for_all_monomials(void **state) {
  (void)state;
  for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
    for (int degree = 0; degree <= shapes[s].max_degree; degree++) {
      Quadrature rule;
      assert_ok(quadrature_create(shapes[s].shape, degree, &rule));
      assert_in_range(rule.n, 1, ELEMENT_MAX_QUADRATURE);
      const double worst = worst_error(shapes[s].shape, shapes[s].dim, degree, &rule);
      if (!(worst < 1e-14)) fail_msg("shape %d degree %d: error %.3e", (int)s, degree, worst);
    }
  }
}

static void weights_positive_points_inside(void **state) {
  (void)state;
  for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
    for (int degree = 0; degree <= shapes[s].max_degree; degree++) {
      Quadrature rule;
      assert_ok(quadrature_create(shapes[s].shape, degree, &rule));
      for (int q = 0; q < rule.n; q++) {
        assert_true(rule.weight[q] > 0.0);
        assert_true(shape_holds(shapes[s].shape, rule.xi[q], -1e-9));
        for (int k = shapes[s].dim; k < 3; k++) assert_true(rule.xi[q][k] == 0.0);
      }
    }
  }
}

/* The counts that the element matrices are built on. */
static void counts_of_the_rules(void **state) {
  (void)state;
  const struct {
    const char *name;
    int stiffness, mass;
  } wanted[] = {{"tri3", 1, 3},     {"tri6", 3, 6},        {"quad4", 4, 4},   {"quad8", 9, 9},   {"quad9", 9, 9},
                {"tet4", 1, 4},     {"tet10", 4, 14},      {"hex8", 8, 8},    {"hex20", 27, 27}, {"hex27", 27, 27},
                {"point1", 1, 1},   {"line2", 1, 2},       {"line3", 2, 3},   {"wedge6", 6, 6},  {"wedge15", 18, 18},
                {"pyramid5", 8, 8}, {"pyramid13", 27, 27}, {"hex20r", 8, 27}, {"quad8r", 4, 9}};
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
    Quadrature rule;
    const ElementType *type = element_by_name(wanted[i].name);
    assert_non_null(type);
    assert_ok(element_stiffness_quadrature(type, &rule));
    assert_int_equal(rule.n, wanted[i].stiffness);
    assert_ok(element_mass_quadrature(type, &rule));
    assert_int_equal(rule.n, wanted[i].mass);
  }
}

static void too_high_a_degree_is_a_bug(void **state) {
  (void)state;
  Quadrature rule;
  assert_fails(quadrature_create(SHAPE_HEXAHEDRON, 8, &rule), ERR_BUG, "degree 8");
  assert_fails(quadrature_create(SHAPE_LINE, 16, &rule), ERR_BUG, "the highest is 15");
  assert_fails(quadrature_create(SHAPE_LINE, -1, &rule), ERR_BUG, "degree -1");
  assert_fails(quadrature_create((ElementShape)99, 1, &rule), ERR_BUG, "99");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exact_for_all_monomials),
      cmocka_unit_test(weights_positive_points_inside),
      cmocka_unit_test(counts_of_the_rules),
      cmocka_unit_test(too_high_a_degree_is_a_bug),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
