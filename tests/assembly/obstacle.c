/* Obstacles that are drawn: gradients against differences, gaps that end on the surface, and places that they carry along. */
#include "assembly/contact/obstacle.h"
#include "core/vec3.h"
#include "tests/draw.h"
#include "tests/testing.h"

#include <math.h>

static void draw_unit(uint64_t *seed, double v[3]) {
  for (int k = 0; k < 3; ++k) v[k] = draw_between(seed, -1, 1);
  (void)vec3_normalize(v);
}

static Obstacle draw_obstacle(uint64_t *seed, int kind) {
  Obstacle o = {
      .kind = (ObstacleKind)kind, .radius = draw_between(seed, 0.5, 2), .angle = draw_between(seed, 0.2, 1.3)};
  draw_unit(seed, o.axis);
  for (int k = 0; k < 3; ++k) o.at[k] = draw_between(seed, -1, 1);
  assert_ok(expr_parse("0.3*t", &o.move[kind % 3]));
  draw_unit(seed, o.about);
  if (draw_whole(seed, 0, 1)) assert_ok(expr_parse("0.4*t", &o.rotation));
  return o;
}

static void gradients_are_those_of_the_distance(void **state) {
  (void)state;
  uint64_t seed = 3;
  for (int run = 0; run < 400; ++run) {
    const Obstacle o = draw_obstacle(&seed, run % 4);
    double x[3], g[3], other[3];
    for (int k = 0; k < 3; ++k) x[k] = draw_between(&seed, -3, 3);
    const double time = draw_between(&seed, 0, 2), h = 1e-5;
    (void)obstacle_distance(&o, time, x, g);
    assert_within(vec3_dot(g, g), 1, 1e-12);
    for (int k = 0; k < 3; ++k) {
      double a[3] = {x[0], x[1], x[2]}, b[3] = {x[0], x[1], x[2]};
      a[k] += h, b[k] -= h;
      const double slope = (obstacle_distance(&o, time, a, other) - obstacle_distance(&o, time, b, other)) / (2 * h);
      assert_within(slope, g[k], 1e-4);
    }
  }
}

static void gaps_end_on_the_surface(void **state) {
  (void)state;
  uint64_t seed = 5;
  int n = 0;
  for (int run = 0; run < 400; ++run) {
    const Obstacle o = draw_obstacle(&seed, run % 4);
    double x[3], n_out[3], y[3], g[3];
    for (int k = 0; k < 3; ++k) x[k] = draw_between(&seed, -3, 3);
    const double time = draw_between(&seed, 0, 2), side = obstacle_distance(&o, time, x, n_out);
    for (int k = 0; k < 3; ++k) n_out[k] *= -1;
    const double gap = obstacle_gap(&o, time, x, n_out);
    assert_within(gap, side, 1e-9); /* along the gradient it is the distance */
    for (int k = 0; k < 3; ++k) n_out[k] += 0.1 * draw_between(&seed, -1, 1);
    (void)vec3_normalize(n_out);
    const double oblique = obstacle_gap(&o, time, x, n_out);
    if (!isfinite(oblique)) continue; /* it passes by */
    for (int k = 0; k < 3; ++k) y[k] = x[k] + oblique * n_out[k];
    n += fabs(obstacle_distance(&o, time, y, g)) < 1e-9;
  }
  assert_true(n > 300);
}

/* What is carried along stays as far from the surface. */
static void places_go_with_obstacles(void **state) {
  (void)state;
  uint64_t seed = 7;
  for (int run = 0; run < 400; ++run) {
    Obstacle o = draw_obstacle(&seed, run % 4);
    double x[3], y[3], arm[3], was[3], is[3], g[3];
    for (int k = 0; k < 3; ++k) x[k] = draw_between(&seed, -3, 3);
    const double from = draw_between(&seed, 0, 2), to = draw_between(&seed, 0, 2);
    o.slides = true;
    obstacle_arm(&o, from, x, arm);
    obstacle_carry(&o, from, from, arm, was);
    obstacle_carry(&o, to, from, arm, is);
    for (int k = 0; k < 3; ++k) y[k] = x[k] + is[k] - was[k];
    assert_within(obstacle_distance(&o, to, y, g), obstacle_distance(&o, from, x, g), 1e-12);
    o.slides = false; /* the same to first order */
    double little[3];
    const double h = 1e-6;
    obstacle_carry(&o, from + h, from, arm, little);
    obstacle_carry(&o, from, from, arm, was);
    o.slides = true;
    obstacle_carry(&o, from + h, from, arm, is);
    obstacle_carry(&o, from, from, arm, y);
    for (int k = 0; k < 3; ++k) assert_within(little[k] - was[k], is[k] - y[k], 1e-9);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(gradients_are_those_of_the_distance),
                                     cmocka_unit_test(gaps_end_on_the_surface),
                                     cmocka_unit_test(places_go_with_obstacles)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
