/* Frames in the wall and their mixing. */
#include "mesh/fibers/frame.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void assert_frame(const Frame *f) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) assert_near(dot(f->axis[i], f->axis[j]), i == j, 1e-14);
  const double *a = f->axis[0], *b = f->axis[1], *c = f->axis[2];
  assert_near(a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                  a[2] * (b[0] * c[1] - b[1] * c[0]),
              1, 1e-14);
}

/* Largest angle between axes of the same name, without sign, in degrees. */
static double apart(const Frame *f, const Frame *g) {
  double most = 0;
  for (int i = 0; i < 3; ++i) most = fmax(most, acos(fmin(1, fabs(dot(f->axis[i], g->axis[i])))) * 180 / M_PI);
  return most;
}

/* Numbers in [-1, 1], the same every time. */
static double noise(void) {
  static uint64_t state = 12345;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (double)(state >> 11) / 4503599627370496.0 - 1;
}
static Frame some_frame(void) {
  Frame f;
  double a[3], b[3];
  do
    for (int k = 0; k < 3; ++k) a[k] = noise(), b[k] = noise();
  while (!frame_of(a, b, &f));
  return f;
}

static void axes(void **state) {
  (void)state;
  Frame f;
  const double up[3] = {0, 0, 1e-9}, out[3] = {3, 0, 5}, zero[3] = {0}, bad[3] = {NAN, 1, 1};
  assert_true(frame_of(up, out, &f)); /* seen from above counter-clockwise: y at the point on the x axis */
  assert_frame(&f);
  assert_near(f.axis[0][1], 1, 1e-15);
  assert_near(f.axis[1][2], 1, 1e-15);
  assert_near(f.axis[2][0], 1, 1e-15);
  assert_false(frame_of(up, up, &f) || frame_of(zero, out, &f) || frame_of(up, zero, &f) || frame_of(bad, out, &f));
  for (int k = 0; k < 20; ++k) {
    f = some_frame();
    assert_frame(&f);
    const Frame g = frame_any(f.axis[2]);
    assert_frame(&g);
    assert_near(dot(g.axis[1], f.axis[2]), 1, 1e-14);
  }
  f = frame_any(zero);
  assert_frame(&f);
}

static void turning(void **state) {
  (void)state;
  const Frame f = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Frame g = frame_turn(&f, 60, 0);
  assert_near(g.axis[0][0], 0.5, 1e-15);
  assert_near(g.axis[0][1], sqrt(0.75), 1e-15);
  assert_near(g.axis[2][2], 1, 1e-15);
  g = frame_turn(&f, 0, 30); /* the paper's second matrix: the sheet leans from the transmural axis to the second one */
  assert_near(g.axis[0][0], 1, 1e-15);
  assert_near(g.axis[2][2], sqrt(0.75), 1e-15);
  assert_near(g.axis[2][1], 0.5, 1e-15);
  for (int k = 0; k < 20; ++k) {
    const Frame h = some_frame();
    g = frame_turn(&h, 90 * noise(), 90 * noise());
    assert_frame(&g);
  }
}

static void blending(void **state) {
  (void)state;
  for (int k = 0; k < 200; ++k) {
    const Frame a = some_frame(), b = some_frame();
    Frame f = frame_blend(&a, &b, 0);
    assert_true(apart(&f, &a) < 1e-5);
    f = frame_blend(&a, &b, 1);
    assert_true(apart(&f, &b) < 1e-5);
    f = frame_blend(&a, &b, 0.5 + 0.5 * noise());
    assert_frame(&f);
  }
}

/* Along one axis the angle grows with t, and flipped axes are the same frame. */
static void shortest_way(void **state) {
  (void)state;
  for (int k = 0; k < 50; ++k) {
    const Frame a = some_frame();
    const double angle = 44 * noise(), t = 0.5 + 0.5 * noise();
    const Frame b = frame_turn(&a, angle, 0), wanted = frame_turn(&a, angle * t, 0);
    for (int flip = 0; flip < 4; ++flip) {
      Frame flipped = a;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          if (flip && i != flip - 1) flipped.axis[i][j] = -a.axis[i][j];
      const Frame f = frame_blend(&flipped, &b, t), g = frame_blend(&b, &flipped, 1 - t);
      assert_true(apart(&f, &wanted) < 1e-5);
      assert_true(apart(&g, &wanted) < 1e-5);
    }
  }
  const Frame a = some_frame(), same = frame_blend(&a, &a, 0.3);
  assert_true(apart(&a, &same) < 1e-5);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(axes), cmocka_unit_test(turning), cmocka_unit_test(blending),
                                     cmocka_unit_test(shortest_way)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
