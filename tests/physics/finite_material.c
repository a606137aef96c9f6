/* Every material of the registry at finite strain (linear ones as Saint Venant and Kirchhoff have them): stress against
 * energy, tangent against stress, frames, rotations, digits at small strains, the linear limit, plane stress; closed
 * forms. */
#include "physics/material_kernels.h"
#include "tests/physics/material_samples.h"
#include "tests/physics/wide.h"
#include "tests/testing.h"

typedef struct Sample {
  int kind;
  double value[32], law[LAW_SIZE], R[9];
  Wide wide[LAW_SIZE];
} Sample;

static bool next_sample(int k, bool plane_stress, Sample *s) {
  const double row[6] = {0.3, -0.8, plane_stress ? 0 : 0.5, 0.4, 0.1, plane_stress ? 0 : -0.9};
  if (!material_sample(k, &s->kind, s->value)) return false;
  assert_ok(material_check(s->kind, s->value));
  memcpy(s->R, row, sizeof row);
  assert_true(axes_complete(s->R));
  material_law(s->kind, MODEL_SOLID, s->value, s->R, s->law);
  for (int i = 0; i < LAW_SIZE; ++i) s->wide[i] = s->law[i];
  return true;
}

static int answer(const Sample *s, const double *H, bool plane_stress, double *W, double *P, double *A) {
  const PointIn in = {.H = H, .axes = s->law + LAW_AXES, .finite = true, .plane_stress = plane_stress};
  PointOut out = {.A = A};
  const int failed = material_point(s->kind, s->law, &in, &out);
  if (W) *W = out.energy;
  memcpy(P, out.P, sizeof out.P);
  return failed;
}

static double norm(const double *v, int n) {
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += v[k] * v[k];
  return sqrt(sum);
}

static const double LARGE_H[9] = {0.15, -0.1, 0.05, 0.12, -0.08, 0.07, -0.04, 0.06, 0.11};

/* Central differences of fourth order. */
static Wide slope(const Wide v[4], Wide h) { return (8 * (v[2] - v[1]) - (v[3] - v[0])) / (12 * h); }

static void check_derivatives(const Sample *s, const double *given, bool plane_stress) {
  Wide H[9], W, P[9], A[81];
  double P8[9], A8[81], W8;
  const Wide h = 1e-4L;
  for (int k = 0; k < 9; ++k) H[k] = given[k];
  assert_int_equal(wide_point(s->kind, s->wide, H, plane_stress, &W, P, A), 0);
  assert_int_equal(answer(s, given, plane_stress, &W8, P8, A8), 0);
  const double stiff = norm(A8, 81), size = norm(P8, 9) + 1e-4 * stiff;
  assert_within((double)W, W8, 2e-14 * fabs(W8));
  for (int m = 0; m < 9; ++m) {
    Wide energy[4], side[9][4], one[9];
    if (plane_stress && (m % 3 == 2 || m / 3 == 2)) continue;
    for (int k = 0; k < 4; ++k) {
      const Wide there = H[m], step[4] = {-2, -1, 1, 2};
      H[m] = there + step[k] * h;
      assert_int_equal(wide_point(s->kind, s->wide, H, plane_stress, &energy[k], one, NULL), 0);
      for (int i = 0; i < 9; ++i) side[i][k] = one[i];
      H[m] = there;
    }
    assert_within((double)slope(energy, h), (double)P[m], 1e-9 * size);
    assert_within((double)P[m], P8[m], 1e-14 * size);
    for (int i = 0; i < 9; ++i) {
      assert_within((double)slope(side[i], h), (double)A[9 * i + m], 1e-9 * stiff);
      assert_within((double)A[9 * i + m], A8[9 * i + m], 1e-14 * stiff);
      assert_within(A8[9 * i + m], A8[9 * m + i], 1e-15 * stiff);
    }
  }
}

/* At F = 1, where fibres begin to bear. */
static bool has_kink(const Sample *s) {
  const int k = material_parameter(s->kind, "tension");
  return k >= 0 && s->value[k] < 2;
}

static void derivatives(void **state) {
  (void)state;
  Sample s;
  const double still[9] = {0}, flat[9] = {0.15, -0.1, 0, 0.12, -0.08, 0, 0, 0, 0};
  for (int k = 0; next_sample(k, false, &s); ++k) {
    check_derivatives(&s, LARGE_H, false);
    if (!has_kink(&s)) check_derivatives(&s, still, false);
  }
  for (int k = 0; next_sample(k, true, &s); ++k) check_derivatives(&s, flat, true);
}

static void turn(const double *Q, const double *H, double *to) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      to[3 * i + j] = i == j ? -1 : 0;
      for (int k = 0; k < 3; ++k) to[3 * i + j] += Q[3 * i + k] * (H[3 * k + j] + (k == j ? 1 : 0));
    }
}

/* P(Q F) = Q P(F), and a rotation alone has no stress. */
static void turned(void **state) {
  (void)state;
  Sample s;
  const double quarter[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}, still[9] = {0};
  for (int k = 0; next_sample(k, false, &s); ++k) {
    double H[9], P[9], Q[9], A[81], W[2], row[6] = {0.1, 0.7, -0.4, 0.9, -0.2, 0.3};
    memcpy(Q, row, sizeof row);
    assert_true(axes_complete(Q));
    assert_int_equal(answer(&s, LARGE_H, false, &W[0], P, A), 0);
    const double size = norm(P, 9), stiff = norm(A, 81);
    double QP[9], there[9];
    turn(Q, LARGE_H, H);
    assert_int_equal(answer(&s, H, false, &W[1], there, NULL), 0);
    finite_product(Q, P, QP);
    for (int i = 0; i < 9; ++i) assert_within(there[i], QP[i], 1e-13 * size);
    assert_relative(W[0], W[1], 1e-13);
    for (int way = 0; way < 2; ++way) {
      turn(way ? Q : quarter, still, H);
      assert_int_equal(answer(&s, H, false, &W[0], P, NULL), 0);
      for (int i = 0; i < 9; ++i) assert_within(P[i], 0, (way ? 1e-15 : 0) * stiff);
      assert_within(W[0], 0, (way ? 1e-29 : 0) * stiff);
    }
  }
}

/* Relative error of P, of H from 1e-12 to 1 in size. */
static void digits(void **state) {
  (void)state;
  Sample s;
  const double flat[9] = {0.4, -0.3, 0, 0.5, 0.2, 0, 0, 0, 0},
               solid[9] = {0.4, -0.3, 0.2, 0.5, 0.2, 0.3, -0.1, 0.3, 0.3};
  for (int plane = 0; plane < 2; ++plane)
    for (int k = 0; next_sample(k, plane, &s); ++k)
      for (double size = 1e-12; size < 1.5; size *= 10) {
        double H[9], P[9], off[9], W;
        Wide wide[9], there[9], energy;
        for (int i = 0; i < 9; ++i) wide[i] = H[i] = size * (plane ? flat : solid)[i];
        assert_int_equal(answer(&s, H, plane, &W, P, NULL), 0);
        assert_int_equal(wide_point(s.kind, s.wide, wide, plane, &energy, there, NULL), 0);
        for (int i = 0; i < 9; ++i) off[i] = (double)(there[i] - P[i]);
        assert_within(norm(off, 9) / norm(P, 9), 0, 1e-14);
        assert_within((double)(energy - W) / W, 0, plane ? 1e-13 : 2e-14);
      }
}

/* Every strain costs energy: E : A : E > 0 for E drawn at random, which a law of the wrong sign fails though its
 * derivatives agree. */
static bool resists(const double *A) {
  uint64_t seed = 12345;
  for (int k = 0; k < 200; ++k) {
    double E[9], work = 0, size = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j <= i; ++j) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        E[3 * i + j] = E[3 * j + i] = (double)(seed >> 11) / 4503599627370496.0 - 1;
      }
    for (int i = 0; i < 9; ++i)
      for (int j = 0; j < 9; ++j) work += E[i] * A[9 * i + j] * E[j], size += E[j] * E[j] / 9;
    if (!(work > 1e-6 * norm(A, 81) * size)) return false;
  }
  return true;
}

/* A at F = 1 is the law of small strains, and so is P at 1e-9. */
static void linear_limit(void **state) {
  (void)state;
  Sample s;
  for (int k = 0; next_sample(k, false, &s); ++k) {
    double A[81], P[9], H[9], there[9], size = 0;
    const double still[9] = {0};
    if (has_kink(&s)) continue;
    assert_int_equal(answer(&s, still, false, NULL, P, A), 0);
    for (int i = 0; i < 9; ++i) assert_within(P[i], 0, 0);
    assert_true(resists(A));
    for (int i = 0; i < 81; ++i) {
      const int m = i / 9, n = i % 9;
      assert_within(A[i], A[9 * (m % 3 * 3 + m / 3) + n], 1e-15 * norm(A, 81));
    }
    for (int i = 0; i < 9; ++i) H[i] = 1e-9 * LARGE_H[i];
    assert_int_equal(answer(&s, H, false, NULL, P, NULL), 0);
    for (int i = 0; i < 9; ++i) {
      there[i] = 0;
      for (int j = 0; j < 9; ++j) there[i] += A[9 * i + j] * H[j];
      size = fmax(size, fabs(there[i]));
    }
    for (int i = 0; i < 9; ++i) assert_within(P[i], there[i], 1e-8 * size);
    if (k >= N_MATERIAL_SAMPLES || material_samples[k].shear == 0) continue;
    const double bulk = material_samples[k].bulk, shear = material_samples[k].shear;
    assert_relative(material_poisson(s.kind, s.value), (3 * bulk - 2 * shear) / (2 * (3 * bulk + shear)), 1e-13);
    const double mu = shear, lambda = bulk - 2 * mu / 3;
    for (int i = 0; i < 81; ++i) {
      const int m = i / 9, n = i % 9;
      const double own =
          (m % 4 == 0 && n % 4 == 0 ? lambda : 0) + (m == n ? mu : 0) + (n == m % 3 * 3 + m / 3 ? mu : 0);
      assert_within(A[i], own, 1e-13 * norm(A, 81));
    }
  }
}

static void inside_out(void **state) {
  (void)state;
  Sample s;
  const double H[9] = {-1.1, 0, 0, 0, 0.1, 0, 0, 0, 0.2}, none[9] = {-1, 0, 0, 0, 0, 0, 0, 0, 0},
               lost[9] = {NAN, 0, 0, 0, 0, 0, 0, 0, 0};
  double P[9];
  for (int plane = 0; plane < 2; ++plane)
    for (int k = 0; next_sample(k, plane, &s); ++k) {
      assert_int_equal(answer(&s, H, plane, NULL, P, NULL), 1);
      assert_int_equal(answer(&s, none, plane, NULL, P, NULL), 1);
      assert_int_equal(answer(&s, lost, plane, NULL, P, NULL), 1);
    }
}

/* A bar of stretch l with free sides: the lateral stretch by Newton's method, and P11. */
static double pull(const Sample *s, double l, double *lateral) {
  double H[9] = {l - 1}, P[9], A[81];
  for (int step = 0; step < 50; ++step) {
    assert_int_equal(answer(s, H, false, NULL, P, A), 0);
    const double move = -P[4] / (A[9 * 4 + 4] + A[9 * 4 + 8]);
    H[4] = H[8] = H[4] + move;
    if (fabs(move) < 1e-15) break;
  }
  *lateral = 1 + H[4];
  return P[0];
}

static Sample of_values(const char *type, int n, const char *const *name, const double *value) {
  Sample s = {.kind = material_by_name(type), .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  const MaterialType *t = material_type(s.kind);
  for (int i = 0; i < t->n_param; ++i) s.value[i] = t->param[i].value;
  for (int i = 0; i < n; ++i) s.value[material_parameter(s.kind, name[i])] = value[i];
  assert_ok(material_check(s.kind, s.value));
  material_law(s.kind, MODEL_SOLID, s.value, s.R, s.law);
  return s;
}
#define SAMPLE(type, n, names, ...) of_values(type, n, (const char *const[]){names}, (const double[]){__VA_ARGS__})
#define LIST(...) __VA_ARGS__

static void neo_hooke_forms(void **state) {
  (void)state;
  const double rows[5][5] = {{0.5, 1.2107673905, 0.7329788370, -9.3535205689, -6.3804847405},
                             {0.8, 1.0673383693, 0.9113689556, -2.4000538199, -2.1067681141},
                             {1.2, 0.9456326243, 1.0730652721, 1.7492914740, 1.9562181568},
                             {1.5, 0.8801745918, 1.1620609681, 3.7828017639, 4.8828786111},
                             {2.0, 0.7980775445, 1.2738555342, 6.4674466017, 10.1541288288}};
  double lateral, P[9];
  const Sample s = SAMPLE("neo-hooke", 2, LIST("young", "poisson"), 10, 0.3);
  for (int k = 0; k < 5; ++k) {
    const double P11 = pull(&s, rows[k][0], &lateral);
    assert_within(lateral, rows[k][1], 1e-10);
    assert_within(rows[k][0] * lateral * lateral, rows[k][2], 1e-10);
    assert_relative(P11, rows[k][3], 1e-10);
    assert_relative(P11 * rows[k][0] / (rows[k][0] * lateral * lateral), rows[k][4], 1e-10);
  }
  const double both[9] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0}, sheared[9] = {0, 0.5, 0, 0, 0, 0, 0, 0, 0};
  PointOut out = {0};
  const PointIn in = {.H = both, .plane_stress = true};
  assert_int_equal(material_point(s.kind, s.law, &in, &out), 0);
  assert_within(1 + out.H33, 0.6520185184, 1e-10);
  assert_within(out.P[0] / (1.5 * (1 + out.H33)), 4.7842798555, 1e-10);
  assert_int_equal(answer(&s, sheared, false, NULL, P, NULL), 0);
  assert_within(P[1], 1.9230769231, 1e-10);
  assert_within(P[0] + 0.5 * P[1], 0.9615384615, 1e-10); /* sigma = P F^T, J = 1 */
  assert_within(P[4], 0, 1e-15);
  const double volumetric[3][3] = {{VOLUMETRIC_QUADRATIC, 0.8357989229, 1.43519278},
                                   {VOLUMETRIC_LOGARITHMIC, 0.8371446898, 1.42544507},
                                   {VOLUMETRIC_ST91, 0.8362130497, 1.43218544}};
  for (int k = 0; k < 3; ++k) {
    const Sample iso = SAMPLE("neo-hooke", 3, LIST("shear", "bulk", "volumetric"), 1, 10, volumetric[k][0]);
    const double P11 = pull(&iso, 1.5, &lateral);
    assert_within(lateral, volumetric[k][1], 1e-10);
    assert_within(P11 / (lateral * lateral), volumetric[k][2], 1e-8);
  }
  const Sample stiff = SAMPLE("neo-hooke", 3, LIST("shear", "bulk", "volumetric"), 80.194, 400889.8, 2);
  const double P11 = pull(&stiff, 1.5, &lateral);
  assert_within(lateral, 0.8165396718, 1e-10);
  assert_within(P11 / (lateral * lateral), 126.945857, 1e-6);
}

/* Closed forms at constant volume: a bulk modulus that is large beside the others. */
static void incompressible_forms(void **state) {
  (void)state;
  double lateral;
  const Sample mooney = SAMPLE("mooney-rivlin", 3, LIST("c10", "c01", "bulk"), 0.3, 0.1, 1e6);
  assert_relative(pull(&mooney, 2, &lateral), 1.225, 2e-6);
  const Sample same = SAMPLE("ogden", 5, LIST("mu1", "alpha1", "mu2", "alpha2", "bulk"), 0.6, 2, 0.2, -2, 1e6);
  assert_relative(pull(&same, 2, &lateral), 1.225, 2e-6); /* the same energy in stretches */
  const Sample yeoh = SAMPLE("yeoh", 4, LIST("c10", "c20", "c30", "bulk"), 0.3, -0.02, 0.01, 1e6);
  const double I1 = 4 + 2 / 2.0 - 3, nominal = 2 * (2 - 0.25) * (0.3 - 0.04 * I1 + 0.03 * I1 * I1);
  assert_relative(pull(&yeoh, 2, &lateral), nominal, 2e-6);
  const double rows[4][2] = {{0.9, -1.6085165}, {1.1, 2.4206907}, {1.2, 8.0965210}, {1.3, 26.4673495}};
  const Sample heart = SAMPLE("guccione", 5, LIST("c", "bf", "bt", "bfs", "bulk"), 2, 8, 2, 4, 1e7);
  for (int k = 0; k < 4; ++k) /* stresses of Cauchy */
    assert_relative(pull(&heart, rows[k][0], &lateral) / (lateral * lateral), rows[k][1], 1e-5);
}

static void refused(void **state) {
  (void)state;
  const struct {
    const char *type, *name[4];
    double value[4];
    const char *text;
  } rows[] = {
      {"neo-hooke", {"young"}, {1}, "neo-hooke takes two moduli, all > 0: young and poisson"},
      {"neo-hooke", {"young", "poisson", "shear"}, {1, 0.3, 2}, "here are young 1, poisson 0.3, shear 2, bulk 0"},
      {"neo-hooke", {"shear", "bulk", "lambda"}, {1, 2, 3}, "neo-hooke takes two moduli"},
      {"neo-hooke", {"shear", "bulk"}, {-1, 2}, "shear mu is -1, must be >= 0"},
      {"neo-hooke", {"young", "poisson", "volumetric"}, {1, 0.3, 9}, "volumetric is 9, must be one of: coupled, st91"},
      {"mooney-rivlin",
       {"c10", "c01", "bulk"},
       {1, -2, 5},
       "unstable where it is not strained yet: its shear modulus is -2"},
      {"ogden", {"mu1", "alpha1", "bulk"}, {1, 0, 5}, "alpha1 is 0, must be another number"},
      {"ogden",
       {"mu1", "alpha1", "mu2", "bulk"},
       {1, 2, -1.5, 5},
       "shear modulus is -0.5 and its bulk modulus 5, must"},
      {"yeoh",
       {"c10", "bulk", "poisson"},
       {1, 5, 0.3},
       "yeoh takes one of bulk and poisson; here are bulk 5 and poisson 0.3"},
      {"guccione", {"c", "bf", "bt", "bfs"}, {2, 8, 2, 4}, "guccione takes one of bulk and poisson"},
  };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    const int kind = material_by_name(rows[k].type);
    double value[32];
    for (int i = 0; i < material_type(kind)->n_param; ++i) value[i] = material_type(kind)->param[i].value;
    for (int i = 0; i < 4 && rows[k].name[i]; ++i) value[material_parameter(kind, rows[k].name[i])] = rows[k].value[i];
    assert_fails(material_check(kind, value), ERR_INPUT, rows[k].text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives),          cmocka_unit_test(turned),     cmocka_unit_test(digits),
      cmocka_unit_test(linear_limit),         cmocka_unit_test(inside_out), cmocka_unit_test(neo_hooke_forms),
      cmocka_unit_test(incompressible_forms), cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
