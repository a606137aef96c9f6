/* Strengths of materials: the field `safety` and stress in the axes of materials, against closed forms and plain sums. */
#include "physics/strength.h"
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEAD "version: 1\nphysics: elasticity\nsolver: {rtol: 1e-12}\n"
#define BAR                                                                                                            \
  HEAD "mesh: {grid: [4, 3, 2], size: [3, 2, 1]}\nmodel: 3d\n"                                                         \
       "boundary: [{on: x0, symmetry: true}, {on: y0, symmetry: true}, {on: z0, symmetry: true}, "
#define SAFETY "output: {probes: [{name: s, at: [1.3, 0.7, 0.4], field: safety}]}\n"

static double draw(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 9007199254740992.0;
}

/* The least factor at which a stress is out of the set of those that a material bears, by bisection. */
static double factor_of(bool (*bears)(const double *s, const Strength *of), const double *s, const Strength *of) {
  double low = 0, high = 1, t[6];
  for (int k = 0; k < 200; ++k) {
    const double at = k < 30 ? high : 0.5 * (low + high);
    for (int c = 0; c < 6; ++c) t[c] = at * s[c];
    const bool good = bears(t, of);
    if (good) low = at;
    if (k < 30 && good) high *= 2;
    else if (!good) high = at;
  }
  return low;
}

static bool bears_mohr(const double *s, const Strength *of) {
  double p[3];
  elastic_principal(s, p);
  const double T = of->value[STRENGTH_TENSION], C = of->value[STRENGTH_COMPRESSION];
  return p[0] <= T && -p[2] <= C && p[0] / T - p[2] / C <= 1;
}
static bool bears_principal(const double *s, const Strength *of) {
  double p[3];
  elastic_principal(s, p);
  return p[0] <= of->value[STRENGTH_TENSION] && -p[2] <= of->value[STRENGTH_COMPRESSION];
}
static bool bears_wu(const double *s, const Strength *of) {
  const double *v = of->value + STRENGTH_X;
  double F[3], sum = 0;
  for (int i = 0; i < 3; ++i) {
    F[i] = 1 / (v[2 * i] * v[2 * i + 1]);
    sum += (1 / v[2 * i] - 1 / v[2 * i + 1]) * s[i] + F[i] * s[i] * s[i] + s[3 + i] * s[3 + i] / (v[6 + i] * v[6 + i]);
  }
  for (int i = 0; i < 3; ++i) sum -= sqrt(F[i] * F[(i + 1) % 3]) * s[i] * s[(i + 1) % 3];
  return sum <= 1;
}
/* The same strengths under tension and pressure: Hill's own form, with F, G and H. */
static bool bears_hill(const double *s, const Strength *of) {
  const double *v = of->value + STRENGTH_X;
  const double a = 1 / (v[0] * v[0]), b = 1 / (v[2] * v[2]), c = 1 / (v[4] * v[4]);
  const double F = (b + c - a) / 2, G = (c + a - b) / 2, H = (a + b - c) / 2;
  const double d[3] = {s[1] - s[2], s[2] - s[0], s[0] - s[1]};
  double sum = F * d[0] * d[0] + G * d[1] * d[1] + H * d[2] * d[2];
  for (int i = 0; i < 3; ++i) sum += s[3 + i] * s[3 + i] / (v[6 + i] * v[6 + i]);
  return sum <= 1;
}

static void of_drawn_stresses(void **state) {
  (void)state;
  static bool (*const bears[])(const double *, const Strength *) = {[STRENGTH_MOHR_COULOMB] = bears_mohr,
                                                                    [STRENGTH_PRINCIPAL] = bears_principal,
                                                                    [STRENGTH_TSAI_HILL] = bears_hill,
                                                                    [STRENGTH_TSAI_WU] = bears_wu};
  uint64_t seed = 7;
  for (int criterion = STRENGTH_MOHR_COULOMB; criterion <= STRENGTH_TSAI_WU; ++criterion)
    for (int n = 0; n < 300; ++n) {
      Strength of = {(StrengthCriterion)criterion, {0}};
      double s[6];
      for (int k = 0; k < N_STRENGTHS; ++k) of.value[k] = 1 + draw(&seed);
      for (int i = 0; i < 3 && criterion == STRENGTH_TSAI_HILL; ++i)
        of.value[STRENGTH_XC + 2 * i] = of.value[STRENGTH_X + 2 * i];
      for (int c = 0; c < 6; ++c) s[c] = draw(&seed) - 0.5;
      assert_relative(strength_safety(&of, s), factor_of(bears[criterion], s, &of), 1e-9);
    }
}

/* A pull and a push of a bar, of each criterion. */
static void of_a_bar(void **state) {
  (void)state;
  static const struct {
    const char *strength;
    double pull, push;
  } row[] = {{"{yield: 235}", 2.35, 2.35},
             {"235", 2.35, 2.35},
             {"{tension: 40, compression: 400}", 0.4, 4},
             {"{tension: 40, compression: 400, criterion: principal}", 0.4, 4}};
  char *folder = scratch_create(), text[1024];
  for (size_t i = 0; i < sizeof row / sizeof *row; ++i)
    for (int push = 0; push < 2; ++push) {
      double v;
      const double wanted = push ? row[i].push : row[i].pull;
      snprintf(text, sizeof text,
               BAR "{on: x1, traction: [%s100, 0, 0]}]\nmaterials: [{on: body, young: 1000, poisson: 0.3, strength: "
                   "%s}]\n" SAFETY "expect: [{quantity: safety, value: %g, rtol: 1e-7}]\n",
               push ? "-" : "", row[i].strength, wanted);
      app_runs(folder, text);
      scratch_row(folder, 1, &v);
      assert_relative(v, wanted, 1e-8);
      app_verifies(folder, text);
    }
  scratch_remove(&folder);
}

/* Tsai and Hill of a ply under a pull and a push at an angle to its fibres: 1/s^2 = c^4/X^2 - s^2 c^2/X^2 + s^4/Y^2 + s^2 c^2/S^2. All
 * sides move as the strain of that stress says (Jones, Mechanics of Composite Materials, 1999, 2.6). */
static void of_a_ply(void **state) {
  (void)state;
  static const char *const mesh[] = {
      "mesh: {grid: [3, 3], size: [3, 2]}\nmodel: plane-stress\nboundary: [{on: [x0, x1, y0, y1], fix: ",
      "mesh: {grid: [3, 3, 2], size: [3, 2, 1]}\nmodel: 3d\nboundary: [{on: [x0, x1, y0, y1, z0, z1], fix: ",
      "mesh: {grid: [3, 3, 2], size: [3, 2, 1], element: tet4, order: 2}\nmodel: 3d\n"
      "boundary: [{on: [x0, x1, y0, y1, z0, z1], fix: "};
  static const double E1 = 140e3, E2 = 10e3, nu = 0.3, nu23 = 0.4, G = 5e3;
  char *folder = scratch_create(), text[2048], z[64] = "";
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 8; ++k) {
      const double angle = (k / 2) * M_PI / 7, c = cos(angle), s = sin(angle), L = k % 2 ? -100 : 100;
      const double X = k % 2 ? 1200 : 1500, Y = k % 2 ? 200 : 40, S = 70, cs = c * c * s * s;
      const double ex = L * (pow(c, 4) / E1 + (1 / G - 2 * nu / E1) * cs + pow(s, 4) / E2),
                   ey = L * ((1 / E1 + 1 / E2 - 1 / G) * cs - nu / E1 * (pow(s, 4) + pow(c, 4))),
                   ez = -L * (nu / E1 * c * c + nu23 / E2 * s * s),
                   g = L * s * c * ((2 / E1 + 2 * nu / E1 - 1 / G) * c * c - (2 / E2 + 2 * nu / E1 - 1 / G) * s * s);
      const double wanted[4] = {
          1 / (fabs(L) * sqrt(pow(c, 4) / (X * X) - cs / (X * X) + pow(s, 4) / (Y * Y) + cs / (S * S))), L * c * c,
          L * s * s, -L * s * c};
      const char *at = i ? "[1.3, 0.7, 0.4]" : "[1.3, 0.7]";
      double v[4];
      if (i) snprintf(z, sizeof z, ", z: \"%.17g*z\"", ez);
      snprintf(text, sizeof text,
               HEAD "%s{x: \"%.17g*x + %.17g*y\", y: \"%.17g*x + %.17g*y\"%s}}]\nmaterials: [{on: body, type: "
                    "orthotropic, young: [%g, %g, %g], poisson: [%g, %g, %g], shear: [%g, %g, 3500], axes: {x: [%.17g, "
                    "%.17g%s]%s}, strength: {X: 1500, Xc: 1200, Y: 40, Yc: 200, Sxy: 70}}]\n"
                    "output: {fields: [stress-material, strain-material, safety], probes: [{name: s, at: %s, field: "
                    "safety}, {name: a, at: %s, field: stress-material-xx}, {name: b, at: %s, field: "
                    "stress-material-yy}, {name: c, at: %s, field: stress-material-xy}]}\n",
               mesh[i], ex, 0.5 * g, 0.5 * g, ey, z, E1, E2, E2, nu, nu, nu23, G, G, c, s, i ? ", 0" : "",
               i ? ", y: [0, 1, 0]" : "", at, at, at, at);
      app_runs(folder, text);
      scratch_row(folder, 4, v);
      for (int n = 0; n < 4; ++n) assert_within(v[n], wanted[n], 1e-8 * fabs(n ? L : wanted[0]));
    }
  scratch_remove(&folder);
}

/* Axes that turn with the place, at points: the hoop of a ring is along axis 2, whatever the angle. */
static void of_axes_that_turn(void **state) {
  (void)state;
  char *folder = scratch_create();
  double v[4];
  app_runs(folder, HEAD
           "formulation: displacement\nmesh: {grid: [9, 9], size: [1, 1]}\nmodel: plane-strain\n"
           "materials: [{on: body, type: orthotropic, young: [1000, 2000, 1000], poisson: [0, 0, 0], shear: [500, 500, "
           "500], axes: {cylinder: {origin: [-1, -1]}}, strength: {X: 20, Y: 20, Sxy: 5}}]\n"
           "boundary: [{on: [x0, x1, y0, y1], fix: {x: \"0.01*x\", y: \"0.01*y\"}}, {on: body, fix: {x: \"0.01*x\", y: "
           "\"0.01*y\"}}]\n"
           "output: {fields: [strain-material, stress-material], probes: [{name: r, at: [0.31, 0.8], field: "
           "stress-material-xx}, {name: t, at: [0.31, 0.8], field: stress-material-yy}, {name: rt, at: [0.31, 0.8], "
           "field: stress-material-xy}, {name: s, at: [0.31, 0.8], field: safety}]}\n");
  scratch_row(folder, 4, v); /* a strain of 0.01 in all directions of the plane */
  assert_within(v[0], 10, 1e-9);
  assert_within(v[1], 20, 1e-9);
  assert_within(v[2], 0, 1e-9);
  assert_relative(v[3], 1 / sqrt(0.75), 1e-9); /* (10/20)^2 - 10 20/20^2 + (20/20)^2 */
  scratch_remove(&folder);
}

/* Two squares, the right one twice as stiff: u_y = 0.01 y (2 - x), so that its stress is largest where they meet, at (1, 1), sigma =
 * (0, 20, -10). Nodes there have that of the first material, of which the smallest factor is another. */
static void of_an_interface(void **state) {
  (void)state;
  char *folder = scratch_create();
  scratch_write(folder, "two.msh",
                "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"left\"\n2 2 \"right\"\n"
                "$EndPhysicalNames\n$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 2 0 0\n4 0 1 0\n5 1 1 0\n6 2 1 0\n$EndNodes\n"
                "$Elements\n2\n1 3 2 1 1 1 2 5 4\n2 3 2 2 2 2 3 6 5\n$EndElements\n");
  app_verifies(
      folder,
      HEAD "formulation: displacement\nmesh: {file: two.msh}\nmodel: plane-stress\nmaterials: [{on: left, young: 1000, "
           "poisson: 0, strength: "
           "100}, {on: right, young: 2000, poisson: 0, strength: 100}]\n"
           "boundary: [{on: [left, right], fix: {x: 0, y: \"0.01*y*(2 - x)\"}}]\n"
           "output: {fields: [safety], probes: [{name: n, at: [1, 1], field: safety}]}\n"
           "expect: [{quantity: safety, value: 3.7796447, rtol: 1e-7}, {probe: n, value: 7.5592895, rtol: 1e-7}]\n");
  scratch_remove(&folder);
}

/* Load cases have factors of their own, the run the smallest, and so has an envelope by `safety` at each node. */
static void of_load_cases(void **state) {
  (void)state;
  char *folder = scratch_create();
  app_verifies(
      folder,
      HEAD "mesh: {grid: [4, 3, 2], size: [3, 2, 1]}\nmodel: 3d\n"
           "boundary: [{on: x0, symmetry: true}, {on: y0, symmetry: true}, {on: z0, symmetry: true}]\n"
           "materials: [{on: body, young: 1000, poisson: 0.3, strength: {tension: 40, compression: 400}}]\n"
           "load-cases: [{name: pull, boundary: [{on: x1, traction: [100, 0, 0]}]}, {name: push, boundary: [{on: x1, "
           "traction: [-500, 0, 0]}]}]\ncombinations: [{name: both, factors: {pull: 2, push: 0.6}}]\n"
           "envelopes: [{name: worst, of: [pull, push, both], field: safety}]\n" SAFETY
           "expect: [{quantity: safety, value: 0.4, rtol: 1e-7}, {quantity: safety, load-case: push, value: 0.8, "
           "rtol: 1e-7}, {quantity: safety, load-case: both, value: 4, rtol: 1e-7}, {probe: s, load-case: worst, "
           "value: 0.4, rtol: 1e-7}]\n");
  scratch_remove(&folder);
}

/* The yield stress of a plastic material stands in for its strength; that of the library gives way to it. */
static void of_a_metal(void **state) {
  (void)state;
  char *folder = scratch_create();
  app_verifies(folder, BAR "{on: x1, traction: [\"120*t\", 0, 0]}]\nmaterials: [{on: body, type: plastic, young: 1000, "
                           "poisson: 0.3, yield: [[0, 100], [1, 600]]}]\ntime: {end: 1, step: 0.5}\n" SAFETY
                           "expect: [{quantity: safety, value: 0.83333333, rtol: 1e-6}, {probe: s, time: 0.5, value: "
                           "1.6666667, rtol: 1e-6}]\n");
  /* unloaded in the end, and that alone is stored */
  app_verifies(folder,
               BAR "{on: x1, traction: [\"120*sin(pi*t)\", 0, 0]}]\nmaterials: [{on: body, type: plastic, young: "
                   "1000, poisson: 0.3, yield: [[0, 100], [1, 600]]}]\ntime: {end: 1, step: 0.25}\n"
                   "output: {every: 1}\nexpect: [{quantity: safety, value: 0.83333333, rtol: 1e-6}]\n");
  app_verifies(folder, BAR "{on: x1, traction: [100, 0, 0]}]\nunits: mm N MPa\n"
                           "materials: [{on: body, name: steel-s235, strength: {yield: 215}}]\n"
                           "expect: [{quantity: safety, value: 2.15, rtol: 1e-6}]\n");
  app_verifies(folder, BAR "{on: x1, traction: [100, 0, 0]}]\nunits: m kN\n"
                           "materials: [{on: body, name: steel-s235}]\n"
                           "expect: [{quantity: safety, value: 2350, rtol: 1e-6}]\n");
  scratch_remove(&folder);
}

static void wrong_strengths(void **state) {
  (void)state;
  static const struct {
    const char *material, *more, *part, *other;
  } row[] = {
      {"young: 1, poisson: 0, strength: {tension: 1}", "", "compression is not given", "together"},
      {"young: 1, poisson: 0, strength: {yield: 1, tension: 2, compression: 3}", "", "several criteria", "allowed"},
      {"young: 1, poisson: 0, strength: {X: 1, Y: 2, Sxy: 3}", "", "the same in all directions", "yield"},
      {"young: 1, poisson: 0, strength: {criterion: tsai-wu}", "", "no number", "allowed"},
      {"young: 1, poisson: 0, strength: {yield: 1, criterion: tsai-wu}", "", "does not go by yield", "von-mises"},
      {"young: 1, poisson: 0, strength: {yield: -1}", "", "yield", "> 0"},
      {"young: 1, poisson: 0", "output: {fields: [safety]}\n", "no material of this case has a strength", "yield"},
      {"young: 1, poisson: 0", "output: {fields: [stress-material]}\n", "no material of this case has axes", "stress"},
      {"type: orthotropic, young: [1, 1, 1], poisson: [0, 0, 0], shear: [1, 1, 1], strength: {X: 1, Y: 1}", "",
       "strength has no Sxy", "X, Y"},
      {"type: orthotropic, young: [1, 1, 1], poisson: [0, 0, 0], shear: [1, 1, 1], strength: {X: 5, Y: 5, Z: 1, Sxy: "
       "1}",
       "", "Tsai and Hill", "tsai-wu"}};
  char *folder = scratch_create(), text[1024];
  for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
    snprintf(text, sizeof text, BAR "{on: x1, traction: [1, 0, 0]}]\nmaterials: [{on: body, %s}]\n%s", row[i].material,
             row[i].more);
    app_refuses(folder, text, row[i].part, row[i].other);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(of_drawn_stresses), cmocka_unit_test(of_a_bar),
                                     cmocka_unit_test(of_a_ply),          cmocka_unit_test(of_axes_that_turn),
                                     cmocka_unit_test(of_an_interface),   cmocka_unit_test(of_load_cases),
                                     cmocka_unit_test(of_a_metal),        cmocka_unit_test(wrong_strengths)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
