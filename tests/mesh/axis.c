/* Means of directions without a sign. */
#include "tests/testing.h"

#include "mesh/fibers/axis.h"

#include <math.h>

static void names_of_axis_fields(void **state) {
  (void)state;
  assert_true(axis_field("fiber") && axis_field("Fibre") && axis_field("fibers") && axis_field("sheet-normal"));
  assert_false(axis_field("displacement") || axis_field("microfiber") || axis_field("fib"));
}

static void mean_of_turned_axes(void **state) {
  (void)state;
  const double half[2] = {0.5, 0.5};
  for (int i = 0; i < 40; i++) { /* two axes 2 angle apart, in a tilted plane, either sign: the mean is between them */
    const double angle = 0.019 * i, c = cos(angle), s = sin(angle), r = sqrt(0.5);
    const double sign = i % 2 ? -1.0 : 1.0;
    const double v[2][3] = {{c, s * r, s * r}, {sign * c, -sign * s * r, -sign * s * r}};
    double mean[3];
    axis_mean(2, half, v, mean);
    assert_near(mean[0], 1.0, 1e-14);
    assert_near(mean[1], 0.0, 1e-14);
    assert_near(mean[2], 0.0, 1e-14);
  }
}

static void length_and_weights(void **state) {
  (void)state;
  const double v[3][3] = {{0, 2, 0}, {0, -4, 0}, {0, 0, 0}}, weight[3] = {0.25, 0.5, 0.25};
  double mean[3];
  axis_mean(3, weight, v, mean);
  assert_near(mean[0], 0.0, 1e-15);
  assert_near(mean[1], 2.5, 1e-15);
  assert_near(mean[2], 0.0, 1e-15);
  const double none[2][3] = {{0}}, bad[2][3] = {{1, 0, 0}, {NAN, 0, 0}};
  axis_mean(2, weight, none, mean);
  assert_true(mean[0] == 0.0 && mean[1] == 0.0 && mean[2] == 0.0);
  axis_mean(2, weight, bad, mean);
  assert_true(isnan(mean[0]) && isnan(mean[1]) && isnan(mean[2]));
}

/* The heavier of two perpendicular axes wins; a vector mean would lie between them. */
static void heavier_axis_wins(void **state) {
  (void)state;
  const double v[2][3] = {{1, 0, 0}, {0, 0, 1}}, weight[2] = {0.4, 0.6};
  double mean[3];
  axis_mean(2, weight, v, mean);
  assert_near(fabs(mean[2]), 1.0, 1e-15);
  assert_near(mean[0], 0.0, 1e-15);
}

/* Known eigenvectors, dominant and not: columns of a rotation. */
static void eigenvectors(void **state) {
  (void)state;
  static const double VALUE[][3] = {{1, 0, 0},     {1, 0.3, 0.2},  {1, 0.4, 0},       {2, 1.9, 0.1},
                                    {1e-9, 0, 0},  {1, -0.3, 0.1}, {0.9, 0.05, 0.05}, {0.34, 0.33, 0.33},
                                    {1, 0.9, 0.9}, {3, 0.2, -0.9}, {1, 1e-14, 0}};
  for (int i = 0; i < 11 * 200; i++) {
    const double *value = VALUE[i % 11], a = 0.7 * i, b = 1.3 * i, c = 0.11 * i;
    const double Q[3][3] = {
        {cos(a) * cos(b), cos(a) * sin(b) * sin(c) - sin(a) * cos(c), cos(a) * sin(b) * cos(c) + sin(a) * sin(c)},
        {sin(a) * cos(b), sin(a) * sin(b) * sin(c) + cos(a) * cos(c), sin(a) * sin(b) * cos(c) - cos(a) * sin(c)},
        {-sin(b), cos(b) * sin(c), cos(b) * cos(c)}};
    const double gap = value[0] - fmax(value[1], value[2]);
    double A[3][3] = {{0}}, v[3];
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++)
        for (int q = 0; q < 3; q++) A[j][k] += value[q] * Q[j][q] * Q[k][q];
    assert_within(axis_principal(A, v) / value[0], gap / value[0], 1e-7);
    const double along = v[0] * Q[0][0] + v[1] * Q[1][0] + v[2] * Q[2][0];
    for (int k = 0; k < 3; k++) assert_within(along > 0 ? v[k] : -v[k], Q[k][0], 1e-14 * value[0] / gap);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_of_axis_fields), cmocka_unit_test(mean_of_turned_axes),
      cmocka_unit_test(length_and_weights),   cmocka_unit_test(heavier_axis_wins),
      cmocka_unit_test(eigenvectors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
