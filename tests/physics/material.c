/* Every material of the registry: parameters, stress = dW/d(strain), stiffness block = derivative of the nodal force.
 */
#include "physics/material.h"
#include "physics/material_kernels.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static const double SAMPLE[][4] = {{210e9, 0.3, 0.01, 7850}, {1, -0.9, 1, 0}, {3.5, 0.499, 2, 1}, {1000, 0, 1, 1}};

static void check_one(int kind, ElasticModel model, const double *value) {
  const MaterialType *type = material_type(kind);
  const int dim = model == MODEL_SOLID ? 3 : 2;
  const ElasticConstants c = material_constants(kind, model, value);
  assert_int_equal(c.kind, kind);
  const double strain[6] = {1e-3, -2e-3, dim == 3 ? 5e-4 : 0, 7e-4, dim == 3 ? -3e-4 : 0, dim == 3 ? 9e-4 : 0};
  double stress[6], scale = 0;
  type->stress(&c, strain, stress);
  for (int k = 0; k < 6; ++k) scale = fmax(scale, fabs(stress[k]));
  for (int k = 0; k < 6; ++k) {
    double plus[6], minus[6];
    if (dim == 2 && (k == 2 || k > 3)) continue;
    memcpy(plus, strain, sizeof plus);
    memcpy(minus, strain, sizeof minus);
    plus[k] += 1e-4;
    minus[k] -= 1e-4;
    const double slope = (type->energy(&c, plus) - type->energy(&c, minus)) / 2e-4;
    assert_near(slope / scale, stress[k] / scale, 1e-9);
  }
  assert_true(type->energy(&c, strain) > 0);
  /* force at a with gradient ga from a displacement u of b with gradient gb, against K_ab u */
  const double ga[3] = {0.3, -1.1, 0.7}, gb[3] = {-0.4, 0.9, 1.3}, u[3] = {1e-3, 2e-3, -3e-3};
  double G[9], K[9], H[9], e[6], s[6], f[3] = {0};
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j < dim; ++j) {
      G[i * dim + j] = ga[i] * gb[j];
      H[i * dim + j] = u[i] * gb[j];
    }
  type->block(dim, &c, G, K);
  elastic_strain(dim, H, e);
  type->stress(&c, e, s);
  elastic_node_force(dim, s, ga, 1, f);
  for (int i = 0; i < dim; ++i) {
    double wanted = 0;
    for (int j = 0; j < dim; ++j) wanted += K[i * dim + j] * u[j];
    assert_near(f[i] / (value[0] * 1e-3), wanted / (value[0] * 1e-3), 1e-13 / (1 - 2 * fmin(value[1], 0.4999)));
  }
  double from_switch[6], block[9];
  material_stress(&c, strain, from_switch);
  material_block(dim, &c, G, block);
  for (int k = 0; k < 6; ++k) assert_near(from_switch[k] / scale, stress[k] / scale, 1e-15);
  for (int k = 0; k < dim * dim; ++k) assert_near(block[k] / c.mu, K[k] / c.mu, 1e-14 * (1 + c.lambda / c.mu));
}

static void derivatives(void **state) {
  (void)state;
  for (int kind = 0; kind < material_count(); ++kind)
    for (int model = 0; model < 3; ++model)
      for (size_t k = 0; k < sizeof SAMPLE / sizeof *SAMPLE; ++k) check_one(kind, (ElasticModel)model, SAMPLE[k]);
}

/* A bar pulled in x: E in plane stress, E / (1 - nu^2) in plane strain, and the 3D modulus with its contraction. */
static void known_moduli(void **state) {
  (void)state;
  const int kind = material_by_name("isotropic");
  const double value[4] = {200, 0.25, 1, 0};
  const double free2[6] = {1e-3, -0.25e-3, 0, 0, 0, 0}, strained[6] = {1e-3, -1e-3 / 3, 0, 0, 0, 0},
               free3[6] = {1e-3, -0.25e-3, -0.25e-3, 0, 0, 0};
  double s[6];
  ElasticConstants c = material_constants(kind, MODEL_PLANE_STRESS, value);
  material_stress(&c, free2, s);
  assert_near(s[0], 0.2, 1e-14);
  assert_near(s[1], 0, 1e-14);
  assert_near(s[2], 0, 0);
  c = material_constants(kind, MODEL_PLANE_STRAIN, value);
  material_stress(&c, strained, s);
  assert_near(s[0], 0.2 / (1 - 0.0625), 1e-14);
  assert_near(s[1], 0, 1e-14);
  assert_near(s[2], 0.25 * s[0], 1e-14);
  c = material_constants(kind, MODEL_SOLID, value);
  material_stress(&c, free3, s);
  assert_near(s[0], 0.2, 1e-14);
  assert_near(s[1], 0, 1e-14);
  assert_near(s[2], 0, 1e-14);
  assert_near(c.thickness, 1, 0);
  const double shear[6] = {0, 0, 0, 2, 0, 0};
  assert_near(elastic_von_mises_squared(shear), 12, 1e-14);
}

static void registry(void **state) {
  (void)state;
  assert_null(material_type(-1));
  assert_null(material_type(material_count()));
  assert_int_equal(material_by_name("steel"), -1);
  for (int kind = 0; kind < material_count(); ++kind) {
    const MaterialType *type = material_type(kind);
    assert_int_equal(material_by_name(type->name), kind);
    assert_true(strlen(type->meaning) > 10);
    for (int i = 0; i < type->n_param; ++i) {
      assert_true(strlen(type->param[i].unit) > 0 && strlen(type->param[i].meaning) > 0);
      assert_int_equal(material_parameter(kind, type->param[i].name), i);
      if (!type->param[i].required) assert_ok(param_check(&type->param[i], type->param[i].value));
    }
    assert_int_equal(material_parameter(kind, "colour"), -1);
  }
}

static void ranges(void **state) {
  (void)state;
  const struct {
    double value[4];
    const char *text;
  } rows[] = {{{0, 0.3, 1, 0}, "young is 0, must be > 0"},
              {{-1, 0.3, 1, 0}, "young is -1, must be > 0"},
              {{NAN, 0.3, 1, 0}, "young is "},
              {{1, 0.5, 1, 0},
               "poisson is 0.5, must lie in (-1, 0.5)\n  for a nearly incompressible material use 0.49 to 0.499"},
              {{1, -1, 1, 0}, "poisson is -1, must lie in (-1, 0.5)"},
              {{1, 0.3, 0, 0}, "thickness is 0, must be > 0"},
              {{1, 0.3, 1, -1}, "density is -1, must be >= 0"}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k)
    assert_fails(material_check(0, rows[k].value), ERR_INPUT, rows[k].text);
  for (size_t k = 0; k < sizeof SAMPLE / sizeof *SAMPLE; ++k) assert_ok(material_check(0, SAMPLE[k]));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(derivatives), cmocka_unit_test(known_moduli),
                                     cmocka_unit_test(registry), cmocka_unit_test(ranges)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
