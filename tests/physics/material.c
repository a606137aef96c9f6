/* Every material of the registry: parameters, P = dW/dH, A = dP/dH; pair blocks; frames. */
#include "physics/material.h"
#include "physics/material_kernels.h"
#include "tests/physics/material_samples.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static const double SAMPLE[][8] = {{210e9, 0.3, 0.01, 7850}, {1, -0.9, 1, 0}, {3.5, 0.499, 2, 1}, {1000, 0, 1, 1}};

static void turned_axes(double *R) {
  const double row[6] = {0.3, -0.8, 0.5, 0.4, 0.1, -0.9};
  memcpy(R, row, sizeof row);
  assert_true(axes_complete(R));
}

/* P = dW/dH and A = dP/dH by central differences, of every material in axes of its own. */
static void derivatives(void **state) {
  (void)state;
  double value[32];
  for (int sample = 0, kind = 0; material_sample(sample, &kind, value); ++sample) {
    const MaterialType *type = material_type(kind);
    double R[9], law[LAW_SIZE], A[81], old[POINT_MAX_STATES] = {0}, now[POINT_MAX_STATES];
    assert_ok(material_check(kind, value));
    turned_axes(R);
    material_law(kind, MODEL_SOLID, value, R, law);
    const double H[9] = {1e-3, -2e-3, 5e-4, 7e-4, -3e-4, 9e-4, 2e-4, 4e-4, -6e-4}, h = 1e-6;
    PointOut out = {.state = now, .A = A};
    PointIn in = {.H = H, .axes = R, .old = old};
    assert_int_equal(material_point(kind, law, &in, &out), 0);
    for (int m = 0; m < 9; ++m) {
      PointOut side[2] = {{.state = now}, {.state = now}};
      for (int k = 0; k < 2; ++k) {
        double moved[9];
        memcpy(moved, H, sizeof moved);
        moved[m] += k ? h : -h;
        in.H = moved;
        assert_int_equal(material_point(kind, law, &in, &side[k]), 0);
      }
      assert_near((side[1].energy - side[0].energy) / (2 * h), out.P[m], 1e-7);
      for (int k = 0; k < 9; ++k) assert_near((side[1].P[k] - side[0].P[k]) / (2 * h) / 100, A[9 * k + m] / 100, 1e-8);
    }
    for (int m = 0; type->shape.symmetric && m < 81; ++m) assert_near(A[m], A[m % 9 * 9 + m / 9], 1e-12);
  }
}

/* The pair block of a material that has its own is that of its moduli, in every model that uses it. */
static void own_blocks(void **state) {
  (void)state;
  const int kind = material_by_name("isotropic");
  const double axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (int model = 0; model < 3; ++model)
    for (size_t k = 0; k < sizeof SAMPLE / sizeof *SAMPLE; ++k) {
      const int dim = elastic_model_dim((ElasticModel)model);
      const ElasticConstants c = material_constants(kind, (ElasticModel)model, SAMPLE[k]);
      const double strain[6] = {1e-3, -2e-3, dim == 3 ? 5e-4 : 0, 7e-4, dim == 3 ? -3e-4 : 0, dim == 3 ? 9e-4 : 0};
      const double scale = (fabs(c.lambda) + c.mu) * 1e-3;
      double law[LAW_SIZE], G[9], K[9], L[9], stress[6], wanted[6];
      material_law(kind, (ElasticModel)model, SAMPLE[k], axes, law);
      for (int i = 0; i < 9; ++i) G[i] = 0.3 * i - 1;
      material_block(dim, &c, G, K);
      linear_block(dim, law, G, L);
      for (int i = 0; i < dim * dim; ++i) assert_near(K[i] * 1e-3 / scale, L[i] * 1e-3 / scale, 1e-13);
      material_stress(&c, strain, stress);
      linear_stress(law, strain, wanted);
      for (int i = 0; i < 6; ++i) assert_near(stress[i] / scale, wanted[i] / scale, 1e-13);
      assert_int_equal(c.kind, kind);
    }
}

/* The compliance that the nine constants are defined by, times the moduli. */
static void nine_constants(void **state) {
  (void)state;
  const double v[16] = {140, 10, 9, 0.3, 0.25, 0.45, 5, 4, 3, 2, 7}, axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const int kind = material_by_name("orthotropic");
  double law[LAW_SIZE], S[6][6] = {{0}};
  for (int i = 0; i < 3; ++i) S[i][i] = 1 / v[i];
  S[0][1] = S[1][0] = -v[3] / v[0];
  S[0][2] = S[2][0] = -v[4] / v[0];
  S[1][2] = S[2][1] = -v[5] / v[1];
  S[3][3] = 1 / v[6];
  S[5][5] = 1 / v[7];
  S[4][4] = 1 / v[8];
  material_law(kind, MODEL_SOLID, v, axes, law);
  for (int I = 0; I < 6; ++I)
    for (int J = 0; J < 6; ++J) {
      double sum = 0;
      for (int K = 0; K < 6; ++K) sum += S[I][K] * law[linear_index(K, J)];
      assert_near(sum, I == J, 1e-14);
    }
  const ElasticConstants c = material_constants(kind, MODEL_PLANE_STRAIN, v);
  assert_near(c.thickness, 2, 0);
  assert_near(c.density, 7, 0);
}

/* Turned by R and the strain turned back: the same energy. Stress in plane stress has nothing across the plane. */
static void turned(void **state) {
  (void)state;
  const double v[16] = {140, 10, 9, 0.3, 0.25, 0.45, 5, 4, 3, 1, 0}, axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const int kind = material_by_name("orthotropic");
  double R[9], own[LAW_SIZE], law[LAW_SIZE], H[9], back[9] = {0};
  turned_axes(R);
  material_law(kind, MODEL_SOLID, v, axes, own);
  material_law(kind, MODEL_SOLID, v, R, law);
  for (int k = 0; k < 9; ++k) H[k] = sin(3.0 * k + 1);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) back[3 * i + j] += R[3 * i + k] * H[3 * k + l] * R[3 * j + l];
  PointOut a = {0}, b = {0};
  PointIn in = {.H = H};
  linear_point(law, &in, &a);
  in.H = back;
  linear_point(own, &in, &b);
  assert_relative(a.energy, b.energy, 1e-13);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double p = 0;
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) p += R[3 * k + i] * b.P[3 * k + l] * R[3 * l + j];
      assert_near(p / 100, a.P[3 * i + j] / 100, 1e-13);
    }
  material_law(kind, MODEL_PLANE_STRESS, v, axes, own);
  const double strain[6] = {1 / v[0], -v[3] / v[0], 0, 0, 0, 0};
  double stress[6];
  linear_stress(own, strain, stress);
  const double pulled[6] = {1, 0, 0, 0, 0, 0};
  for (int k = 0; k < 6; ++k) assert_near(stress[k], pulled[k], 1e-14);
}

static void unstable(void **state) {
  (void)state;
  const int kind = material_by_name("orthotropic");
  const struct {
    double value[16];
    const char *text;
  } rows[] = {{{140, 0, 9, 0.3, 0.25, 0.45, 5, 4, 3, 1, 0}, "young E2 is 0, must be > 0"},
              {{140, 10, 9, 0.3, 0.25, 0.45, 5, 4, -3, 1, 0}, "shear G23 is -3, must be > 0"},
              {{10, 140, 9, 0.3, 0.25, 0.45, 5, 4, 3, 1, 0}, "nu12 is 0.3, must lie in (-0.267261, 0.267261)"},
              {{140, 10, 9, 0.3, 4, 0.45, 5, 4, 3, 1, 0}, "nu13 is 4, must lie in"},
              {{140, 10, 9, 0.3, 0.25, 1.1, 5, 4, 3, 1, 0}, "nu23 is 1.1, must lie in"},
              {{1, 1, 1, 0.7, 0.7, 0.7, 1, 1, 1, 1, 0}, "nu12 = 0.7, nu13 = 0.7 and nu23 = 0.7 do not go together"}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k)
    assert_fails(material_check(kind, rows[k].value), ERR_INPUT, rows[k].text);
  const double five[16] = {1, 8, 0.3, 0.5, 5, 1};
  assert_fails(material_check(material_by_name("transverse"), five), ERR_INPUT,
               "nu12 is 0.3, must lie in (-0.176777, 0.176777): nu12^2 < E1 (1 - nu23) / (2 E2)");
  double all[32] = {0};
  for (int i = 0; i < 6; ++i) all[linear_index(i, i)] = 4;
  all[linear_index(1, 3)] = 5, all[LAW_MODULI] = 1;
  assert_fails(material_check(material_by_name("anisotropic"), all), ERR_INPUT, "C44 is 4, must be > 6.25");
  all[linear_index(1, 3)] = NAN;
  assert_fails(material_check(material_by_name("anisotropic"), all), ERR_INPUT, "moduli C24 is ");
}

/* Five constants are nine of which some are equal, and 21 moduli are themselves. */
static void fewer_and_more_constants(void **state) {
  (void)state;
  const double five[16] = {140, 10, 0.3, 0.45, 5, 3, 2}, axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const double nine[16] = {140, 10, 10, 0.3, 0.3, 0.45, 5, 5, 10 / 2.9, 3, 2};
  double law[LAW_SIZE], wanted[LAW_SIZE], all[32] = {0}, R[9], turned_about_1[9] = {1, 0, 0, 0, 0.6, 0.8, 0, -0.8, 0.6};
  material_law(material_by_name("transverse"), MODEL_SOLID, five, turned_about_1, law);
  material_law(material_by_name("orthotropic"), MODEL_SOLID, nine, axes, wanted);
  for (int k = 0; k < LAW_MODULI; ++k) assert_near(law[k] / 100, wanted[k] / 100, 1e-14);
  memcpy(all, wanted, LAW_MODULI * sizeof *all);
  all[LAW_MODULI] = 1;
  assert_ok(material_check(material_by_name("anisotropic"), all));
  turned_axes(R);
  material_law(material_by_name("anisotropic"), MODEL_PLANE_STRAIN, all, R, law);
  material_law(material_by_name("orthotropic"), MODEL_PLANE_STRAIN, nine, R, wanted);
  for (int k = 0; k < LAW_MODULI; ++k) assert_near(law[k] / 100, wanted[k] / 100, 1e-13);
}

/* A body that expands freely has no stress and no energy, whatever its material, axes and model. */
static void free_expansion(void **state) {
  (void)state;
  double value[32];
  for (int sample = 0, kind = 0; material_sample(sample, &kind, value); ++sample) {
    const int expansion = material_parameter(kind, "expansion");
    const bool linear = material_type(kind)->shape.linear;
    double R[9], law[LAW_SIZE], H[9] = {0}, along[3];
    if (expansion < 0) continue;
    for (int k = 0; k < (linear ? 3 : 1); ++k) value[expansion + k] = 2e-2 * (k + 1);
    for (int k = 0; k < 3; ++k) along[k] = value[expansion + (linear ? k : 0)];
    turned_axes(R);
    material_law(kind, MODEL_SOLID, value, R, law);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k) H[3 * i + j] += 7 * along[k] * R[3 * k + i] * R[3 * k + j];
    for (int finite = !linear; finite < 2; ++finite) {
      PointOut out = {0};
      const PointIn in = {.H = H, .axes = R, .temperature = 7, .finite = finite};
      assert_int_equal(material_point(kind, law, &in, &out), 0);
      for (int k = 0; k < 9; ++k) assert_near(out.P[k], 0, 1e-12);
      assert_near(out.energy, 0, 1e-12);
    }
  }
}

/* At finite strain F = F_e G: the law of a heated body at F is that of a cold one at F G^-1, times det G, per reference volume. */
static void multiplicative_expansion(void **state) {
  (void)state;
  const double H[9] = {0.1, 0.03, -0.02, 0.05, -0.08, 0.04, 0.01, -0.06, 0.12}, h = 1e-5;
  double value[32];
  for (int sample = 0, kind = 0; material_sample(sample, &kind, value); ++sample) {
    const int expansion = material_parameter(kind, "expansion"), n = material_type(kind)->shape.linear ? 3 : 1;
    double R[9], law[LAW_SIZE], G[9] = {0}, cold[9], P[9], A[81], one[9];
    FiniteStrain g = {.J = 0};
    if (expansion < 0) continue;
    for (int k = 0; k < n; ++k) value[expansion + k] = 0.01 * (k + 1);
    turned_axes(R);
    material_law(kind, MODEL_SOLID, value, R, law);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k)
          G[3 * i + j] += 5 * value[expansion + (n == 3 ? k : 0)] * R[3 * k + i] * R[3 * k + j];
    assert_int_equal(finite_strain(G, &g), 0);
    const double J = g.J, *inverse = g.b; /* symmetric */
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        cold[3 * i + j] = i == j ? -1 : 0;
        for (int k = 0; k < 3; ++k) cold[3 * i + j] += (H[3 * i + k] + (i == k)) * inverse[3 * k + j];
      }
    PointOut out = {0}, hot = {.A = A};
    const PointIn in = {.H = cold, .axes = R, .finite = true},
                  warm = {.H = H, .axes = R, .finite = true, .temperature = 5};
    assert_int_equal(material_point(kind, law, &in, &out), 0);
    assert_int_equal(material_point(kind, law, &warm, &hot), 0);
    memcpy(P, hot.P, sizeof P);
    assert_near(hot.energy, J * out.energy, 1e-12 * (1 + fabs(J * out.energy)));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        double wanted = 0;
        for (int k = 0; k < 3; ++k) wanted += J * out.P[3 * i + k] * inverse[3 * j + k];
        assert_near(P[3 * i + j], wanted, 1e-11 * (1 + fabs(wanted)));
      }
    hot.A = NULL;
    for (int m = 0; m < 9; ++m) {
      double at[9], slope[9] = {0};
      const PointIn near = {.H = at, .axes = R, .finite = true, .temperature = 5};
      memcpy(at, H, sizeof at);
      for (int side = -1; side < 2; side += 2) {
        at[m] = H[m] + side * h;
        assert_int_equal(material_point(kind, law, &near, &hot), 0);
        memcpy(one, hot.P, sizeof one);
        for (int i = 0; i < 9; ++i) slope[i] += side * one[i] / (2 * h);
      }
      for (int i = 0; i < 9; ++i)
        assert_within(slope[i], A[9 * i + m], 1e-6 * (fabs(A[0]) + fabs(A[40]) + fabs(A[80])));
    }
  }
}

/* Heated where it cannot move: -E a T / (1 - 2 nu) in a solid, -E a T / (1 - nu) in plane stress, where nothing acts
 * across the plane. */
static void held_expansion(void **state) {
  (void)state;
  const double value[8] = {200, 0.25, 1, 0, 1e-3, 1e-3, 1e-3}, axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, H[9] = {0};
  const double wanted[4] = {200e-3 / 0.75, 200e-3 / 0.5, 200e-3 / 0.5, 200e-3 / 0.5};
  for (int model = 0; model < 4; ++model) {
    double law[LAW_SIZE];
    PointOut out = {0};
    const PointIn in = {.H = H, .temperature = 1};
    material_law(0, (ElasticModel)model, value, axes, law);
    assert_int_equal(material_point(0, law, &in, &out), 0);
    for (int k = 0; k < 9; ++k)
      assert_near(out.P[k], k == 8 && model == MODEL_PLANE_STRESS ? 0 : k % 4 == 0 ? -wanted[model] : 0, 1e-14);
  }
}

/* Frames about a line, and what cannot be completed. */
static void frames(void **state) {
  (void)state;
  const MaterialAxes axes = {.kind = AXES_CYLINDER, .frame = {0, 0, 0, 0, 0, 0, 0, 0, 1}, .origin = {1, 2, 5}};
  const double x[3] = {1, 4, 9}, on_line[3] = {1, 2, -3}, wanted[9] = {0, 1, 0, -1, 0, 0, 0, 0, 1};
  double R[9], flat[9] = {1, 2, 3, 2, 4, 6};
  assert_true(axes_at(&axes, 0, x, R));
  for (int k = 0; k < 9; ++k) assert_near(R[k], wanted[k], 1e-15);
  assert_false(axes_at(&axes, 0, on_line, R));
  assert_false(axes_complete(flat));
}

/* A bar pulled in x: E in plane stress, E / (1 - nu^2) in plane strain, and the 3D modulus with its contraction. */
static void known_moduli(void **state) {
  (void)state;
  const int kind = material_by_name("isotropic");
  const double value[8] = {200, 0.25, 1, 0};
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
      if (param_list(type->param, type->n_param, i)) assert_int_equal(material_parameter(kind, type->param[i].name), i);
      if (!type->param[i].required) assert_ok(param_check(&type->param[i], type->param[i].value));
    }
    assert_int_equal(material_parameter(kind, "colour"), -1);
  }
}

static void ranges(void **state) {
  (void)state;
  const struct {
    double value[8];
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(derivatives),    cmocka_unit_test(own_blocks),
                                     cmocka_unit_test(nine_constants), cmocka_unit_test(turned),
                                     cmocka_unit_test(unstable),       cmocka_unit_test(fewer_and_more_constants),
                                     cmocka_unit_test(free_expansion), cmocka_unit_test(multiplicative_expansion),
                                     cmocka_unit_test(held_expansion), cmocka_unit_test(frames),
                                     cmocka_unit_test(known_moduli),   cmocka_unit_test(registry),
                                     cmocka_unit_test(ranges)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
