/* Muscle at finite strain: free contraction against the closed form of a body that keeps its volume, a twitch against a load with
 * Land's model against the same step of one fibre alone, its parameters, what stands in a checkpoint, and what is refused. */
#include "physics/tension.h"
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CUBE(mesh, material)                                                                                           \
  "version: 1\nmesh: {grid: [2, 2, 2], size: [1, 1, 1]" mesh "}\nphysics: elasticity\nmodel: 3d\nstrain: finite\n"     \
  "solver: {rtol: 1e-10}\nmaterials:\n  - {on: body, axes: {x: [1, 0, 0], y: [0, 1, 0]}, " material "}\n"              \
  "boundary:\n  - {on: x0, symmetry: true}\n  - {on: y0, symmetry: true}\n  - {on: z0, symmetry: true}\n"
#define PROBE "output: {every: %s, probes: [{name: a, at: [1, 1, 1], field: displacement-x}]}\n"
#define RUBBER "type: neo-hooke, shear: 4, bulk: 1e6, volumetric: st91"
#define HEART "type: guccione, c: 2, bf: 8, bt: 2, bfs: 4, bulk: 1e6"

/* Uniaxial and incompressible: nominal stress of the material plus that of the fibre is 0. Numbers of a scalar equation. */
static void shortens_freely(void **state) {
  (void)state;
  static const struct {
    const char *material, *active;
    double stretch;
  } row[] = {{RUBBER, "{tension: 5, form: stretch}", 0.7136259},
             {RUBBER, "{tension: \"5*t\", form: invariant}", 0.7631428},
             {HEART, "{tension: \"5*t\", form: stretch}", 0.7789471},
             {HEART, "{tension: 5, form: invariant}", 0.8069306}};
  char *folder = scratch_create(), text[2048];
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    double value[2];
    snprintf(text, sizeof text, CUBE("", "%s, active: %s") "time: {end: 1, step: 0.25}\n" PROBE, row[k].material,
             row[k].active, "1");
    app_runs(folder, text);
    scratch_last_row(folder, 2, value);
    assert_within(1 + value[1], row[k].stretch, 2e-6);
  }
  scratch_remove(&folder);
}

/* Stress of Guccione's material along the fibre, force per area of before, which keeps its volume. */
static double heart_stress(double l) {
  const double e = (l * l - 1) / 2, across = (1 / l - 1) / 2, Q = 8 * e * e + 4 * across * across;
  return 2 * exp(Q) * (8 * e * l - 2 * across / (l * l));
}

static double calcium(double t) {
  const double s = fmax(0, t - 120);
  return 0.14 + 0.8 * (exp(-s / 110) - exp(-s / 20));
}

/* One fibre under a load, by bisection: [n + 1] stretches. */
static void fibre_alone(int n, double *stretch) {
  const TensionType *type = tension_type(0);
  double old[TENSION_STATES], now[TENSION_STATES];
  TensionOut out = {.state = now};
  type->begin(type->preset[0].value, 0.14, 1, old);
  stretch[0] = 1;
  for (int i = 1; i <= n; ++i) {
    double low = 0.5, high = 1.5;
    for (int k = 0; k < 60; ++k) {
      stretch[i] = 0.5 * (low + high);
      const TensionIn in = {2, calcium(2 * i), stretch[i - 1], stretch[i], old};
      type->step(type->preset[0].value, &in, &out);
      const bool long_ = heart_stress(stretch[i]) + out.tension > 5 * fmin(1, 2 * i / 100.);
      *(long_ ? &high : &low) = stretch[i];
    }
    memcpy(old, now, sizeof old);
  }
}

#define TWITCH_OF(model)                                                                                               \
  HEART ", active: {" model ", calcium: \"0.14 + 0.8*(exp(-max(0, t - 120)/110) - exp(-max(0, t - 120)/20))\"}"
#define TWITCH TWITCH_OF("model: land")
#define OF_FILE TWITCH_OF("file: " SINEW_SOURCE_DIR "/tests/physics/cells/land.model")
#define LIFTED "  - {on: x1, traction: [\"5*min(1, t/100)\", 0, 0]}\ntime: {end: 300, step: 2}\n"

/* The model that is compiled in, and its equations from a file. */
static void lifts(const char *muscle) {
  char *folder = scratch_create(), text[2048];
  double alone[151], least = 2;
  fibre_alone(150, alone);
  snprintf(text, sizeof text, CUBE("", "%s") LIFTED PROBE, muscle, "2");
  app_runs(folder, text);
  char *table = scratch_read(folder, "results/probes.csv"), *line = strchr(table, '\n');
  int rows = 0;
  for (; line && line[1]; line = strchr(line + 1, '\n'), ++rows) {
    const double is = 1 + strtod(strchr(line + 1, ',') + 1, NULL);
    assert_true(rows <= 150);
    assert_within(is, alone[rows], 2e-5);
    least = fmin(least, is);
  }
  assert_int_equal(rows, 151);
  assert_true(least < 0.85); /* it has lifted its load */
  free(table);
  assert_true(scratch_reported(folder, "newton_iterations") < 150 * 4);
  assert_true(scratch_reported(folder, "failed_steps") < 1);
  scratch_remove(&folder);
}

static void twitches_against_a_load(void **state) {
  (void)state;
  lifts(TWITCH);
  lifts(OF_FILE);
}

/* Elements of order 2, steps of another length, and materials side by side of which one has no muscle. */
static void beside_others(void **state) {
  (void)state;
  char *folder = scratch_create(), text[2048];
  double value[2];
  snprintf(text, sizeof text,
           CUBE(", order: 2, element: tet4",
                "%s, active: {tension: \"5*t\", form: stretch}") "time: {end: 1, step: 0.25}\n" PROBE,
           RUBBER, "1");
  app_runs(folder, text);
  scratch_last_row(folder, 2, value);
  assert_within(1 + value[1], 0.7136259, 2e-6);
  scratch_remove(&folder);
}

/* `physics: electromechanics` has the same body, whose steps begin elsewhere: the same numbers but for what is left of the residual, and a curve
 * of calcium from a file. */
static void by_the_other_face(void **state) {
  (void)state;
  char *folder = scratch_create(), text[2048];
  snprintf(text, sizeof text, CUBE("", "%s") "time: {end: 60, step: 2}\n" PROBE, TWITCH, "2");
  app_runs(folder, text);
  char *one = scratch_read(folder, "results/probes.csv");
  scratch_write(folder, "calcium.csv", "0,0.14\n120,0.14\n");
  snprintf(text, sizeof text,
           "version: 1\nmesh: {grid: [2, 2, 2], size: [1, 1, 1]}\nphysics: electromechanics\nsolver: {rtol: 1e-10}\n"
           "functions: [{name: ca, file: calcium.csv}]\nmuscle:\n  - {on: body, fibers: {direction: [1, 0, 0]}, c: 2, "
           "bf: 8, bt: 2, bfs: 4, bulk: 1e6, tension: {model: land, preset: whole-organ, form: stretch, calcium: "
           "\"ca(t) + 0.8*(exp(-max(0, t - 120)/110) - exp(-max(0, t - 120)/20))\"}}\n"
           "boundary:\n  - {on: x0, symmetry: true}\n  - {on: y0, symmetry: true}\n  - {on: z0, symmetry: true}\n"
           "time: {end: 60, step: 2}\n" PROBE,
           "2");
  app_runs(folder, text);
  char *other = scratch_read(folder, "results/probes.csv");
  int rows = 0;
  for (char *a = strchr(one, '\n'), *b = strchr(other, '\n'); a && a[1];
       a = strchr(a, '\n'), b = strchr(b, '\n'), ++rows) {
    assert_non_null(b);
    assert_within(strtod(a + 1, &a), strtod(b + 1, &b), 0);
    assert_within(strtod(a + 1, &a), strtod(b + 1, &b), 1e-10);
  }
  assert_int_equal(rows, 31);
  free(one), free(other);
  char *long_ = strstr(text, "step: 2");
  long_[6] = '5';
  Said said = app_run_says(folder, text);
  if (said.code || !strstr(said.err, "steps of 5 are longer than 2 ms")) fail_msg("%d: %s", said.code, said.err);
  said_release(&said);
  scratch_remove(&folder);
}

#define HELD(active)                                                                                                   \
  CUBE("", HEART ", active: {model: land, calcium: 0.7" active "}")                                                    \
  "  - {on: x1, fix: {x: 0.1}}\ntime: {end: 40, step: 2}\noutput: {every: 20, probes: [{name: a, at: [1, 1, 1], "      \
  "field: "                                                                                                            \
  "tension}]}\n"

static double held(const char *folder, const char *text) {
  double value[2];
  app_runs(folder, text);
  scratch_last_row(folder, 2, value);
  return value[1];
}

/* One set of the paper by its name, and number by number; the tension is a multiple of t-ref. */
static void by_parameters(void **state) {
  (void)state;
  char *folder = scratch_create();
  const double whole = held(folder, HELD("")), named = held(folder, HELD(", preset: margara"));
  assert_true(fabs(named - whole) > 0.05 * whole);
  assert_within(held(folder, HELD(", k-u: 0.021, n-tm: 2.036")), named, 0);
  assert_within(held(folder, HELD(", k-u: \"*0.021\", n-tm: 2.036")), named, 1e-12 * named);
  assert_within(held(folder, HELD(", preset: margara, k-u: 1, n-tm: 5")), whole, 0);
  assert_within(held(folder, HELD(", t-ref: 30")), whole / 4, 1e-9 * whole);
  assert_within(held(folder, HELD(", preset: skinned, t-ref: \"*2\"")), 2 * held(folder, HELD(", preset: skinned")),
                1e-9 * whole);
  scratch_remove(&folder);
}

#define FACE(tension)                                                                                                  \
  "version: 1\nmesh: {grid: [2, 2, 2], size: [1, 1, 1]}\nphysics: electromechanics\nmuscle:\n  - {on: body, c: 2, "    \
  "bf: 8, "                                                                                                            \
  "bt: 2, bfs: 4" tension "}\ntime: {end: 1, step: 1}\n"
static void face_refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *said, *more;
  } row[] = {
      {FACE(", tension: {model: land}, fibers: {direction: [1, 0, 0]}"), "the tension of land goes by the calcium",
       ":"},
      {FACE(", tension: 5, fibers: {direction: [1, 0, 0]}"), "tension has a value and no 'form'", "form: invariant"},
      {FACE(", tension: {form: stretch}, fibers: {direction: [1, 0, 0]}"), "tension needs one of value, model and file",
       "none"},
      {FACE(", tension: {model: land, calcium: 1}"), "muscle needs the key 'fibers' or 'axes'", "rule: ldrb"},
      {FACE(", axes: {x: [1, 0, 0]}, fibers: {field: f}"), "has axes or fibers, not both", "remedy"},
      {FACE(", fibers: {direction: [1, 0, 0]}") "strain: finite\n", "strain is always finite where there is muscle",
       "remedy: leave it out"},
      {FACE(", fibers: {direction: [1, 0, 0]}") "cavities: [{name: lv, on: x1}]\n", "one of pressure and volume",
       "none"},
      {FACE(", fibers: {direction: [1, 0, 0]}") "cavities: [{name: lv, on: x1, pressure: x}]\n", "whole cavity",
       "'boundary'"},
      {FACE(", fibers: {direction: [1, 0, 0]}") "cavities: [{name: a, on: x1, pressure: 1}, {name: a, on: x0, volume: "
                                                "1}]\n",
       "two cavities 'a'", ":"}};
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) app_refuses(folder, row[k].text, row[k].said, row[k].more);
  scratch_remove(&folder);
}

static void refused(void **state) {
  (void)state;
  static const struct {
    const char *active, *said, *more;
  } row[] = {
      {"{tension: 5}", "no 'form'", "invariant, second Piola-Kirchhoff stress"},
      {"{form: stretch}", "one of tension, model and file", "none"},
      {"{tension: 5, model: land, form: stretch}", "one of tension, model and file", "more"},
      {"{model: land}", "the tension of land goes by the calcium", "such as: calcium"},
      {"{model: land, calcium: 0.1, potential: 3}", "goes by the calcium; leave this out", ":"},
      {"{model: goektepe-kuhl, calcium: 0.1}", "goes by the potential", "such as: potential"},
      {"{model: land, preset: margarra, calcium: 1}", "no preset 'margarra'", "did you mean 'margara'?"},
      {"{model: lnd, calcium: 1}", "lnd", "did you mean 'land'?"},
      {"{model: land, calcium: 1, t-ref: -3}", "t-ref is -3, must be > 0", ":"},
      {"{model: land, calcium: 1, k-ws: 0.3}", "k-ws is 0.3 per ms: more leave the weak state", "allowed: k-ws <="},
      {"{model: land, calcium: 1, Tref: 3}", "unknown key 'Tref'", "t-ref"},
      {"{model: land, calcium: 1, t-ref: \"100 + x\"}", "t-ref of a tension is one number", "an entry for each"},
      {"{model: goektepe-kuhl, potential: 1, t-ref: 3}", "unknown key 't-ref'", "it goes with model: land"},
      {"{tension: 5, form: stretch, t-ref: 3}", "unknown key 't-ref'", "it goes with model: land"},
      {"{tension: 5, form: stretch, calcium: 1}", "are of a model", "leave them out"}};
  char *folder = scratch_create(), text[2048];
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    snprintf(text, sizeof text, CUBE("", "%s, active: %s") "time: {end: 1, step: 0.25}\n", HEART, row[k].active);
    app_refuses(folder, text, row[k].said, row[k].more);
  }
  app_refuses(folder,
              CUBE("", "young: 1, poisson: 0.3, active: {tension: 5, form: stretch}") "time: {end: 1, step: 1}\n",
              "'isotropic' is a law of small strains", "remedy: 'type: guccione'");
  app_refuses(folder,
              "version: 1\nmesh: {grid: [2, 2, 2], size: [1, 1, 1]}\nphysics: elasticity\nmodel: 3d\n"
              "materials: [{on: body, young: 1, poisson: 0.3, active: {tension: 5, form: stretch}}]\n"
              "boundary: [{on: x0, fix: all}]\n",
              "active", "strain: finite");
  scratch_remove(&folder);
}

/* A block on springs along the normals of three faces moves as one on springs along axes does, turned. */
static void springs_along_normals(void **state) {
  (void)state;
  static const int face[4][4] = {{0, 3, 7, 4}, {0, 1, 5, 4}, {0, 1, 2, 3}, {1, 2, 6, 5}};
  static const double size[3] = {2, 1.5, 1};
  char *folder = scratch_create(), text[4096], msh[4096];
  double moved[2][3];
  for (int turned = 0; turned < 2; ++turned) {
    const double a = turned ? 0.7 : 0, b = turned ? -0.4 : 0;
    const double R[3][3] = {
        {cos(a), -sin(a) * cos(b), sin(a) * sin(b)}, {sin(a), cos(a) * cos(b), -cos(a) * sin(b)}, {0, sin(b), cos(b)}};
    double pull[3], at[3], x[8][3];
    int used = sprintf(msh, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n5\n3 1 \"body\"\n2 2 \"a\"\n2 3 "
                            "\"b\"\n2 4 \"c\"\n2 5 \"d\"\n$EndPhysicalNames\n$Nodes\n8\n");
    for (int n = 0; n < 8; ++n) {
      const double from[3] = {((n + 1) / 2 % 2) * size[0], (n / 2 % 2) * size[1], (n / 4) * size[2]};
      for (int i = 0; i < 3; ++i) x[n][i] = R[i][0] * from[0] + R[i][1] * from[1] + R[i][2] * from[2];
      used += sprintf(msh + used, "%d %.17g %.17g %.17g\n", n + 1, x[n][0], x[n][1], x[n][2]);
    }
    used += sprintf(msh + used, "$EndNodes\n$Elements\n5\n1 5 2 1 1 1 2 3 4 5 6 7 8\n");
    for (int f = 0; f < 4; ++f)
      used += sprintf(msh + used, "%d 3 2 %d %d %d %d %d %d\n", f + 2, f + 2, f + 2, face[f][0] + 1, face[f][1] + 1,
                      face[f][2] + 1, face[f][3] + 1);
    sprintf(msh + used, "$EndElements\n");
    scratch_write(folder, "block.msh", msh);
    for (int i = 0; i < 3; ++i) pull[i] = 0.3 * R[i][0] - 0.2 * R[i][1] + 0.1 * R[i][2], at[i] = x[6][i];
    snprintf(
        text, sizeof text,
        "version: 1\nmesh: {file: block.msh}\nphysics: elasticity\nmodel: 3d\nmaterials: [{on: body, young: 20, "
        "poisson: 0.3}]\nsolver: {rtol: 1e-12}\nboundary:\n- {on: a, spring: %s}\n- {on: b, spring: %s}\n- {on: "
        "c, spring: %s}\n- {on: d, traction: [%.17g, %.17g, %.17g]}\noutput:\n  probes:\n  - {name: x, at: [%.17g, "
        "%.17g, %.17g], field: displacement-x}\n  - {name: y, at: [%.17g, %.17g, %.17g], field: displacement-y}\n  "
        "- {name: z, at: [%.17g, %.17g, %.17g], field: displacement-z}\n  sums: [{name: r, on: [a, b, c], field: "
        "reaction}]\n",
        turned ? "{normal: 3}" : "[3, 0, 0]", turned ? "{normal: '5'}" : "[0, 5, 0]",
        turned ? "{normal: '4+0*x'}" : "[0, 0, 4]", pull[0], pull[1], pull[2], at[0], at[1], at[2], at[0], at[1], at[2],
        at[0], at[1], at[2]);
    app_runs(folder, text);
    const double u[3] = {scratch_reported(folder, "x"), scratch_reported(folder, "y"), scratch_reported(folder, "z")};
    for (int i = 0; i < 3; ++i) moved[turned][i] = R[0][i] * u[0] + R[1][i] * u[1] + R[2][i] * u[2];
    for (int i = 0; i < 3; ++i) { /* of the whole load */
      const char *const name[3] = {"r-x", "r-y", "r-z"};
      assert_within(scratch_reported(folder, name[i]), -pull[i] * size[1] * size[2], 1e-9);
    }
  }
  for (int i = 0; i < 3; ++i) assert_relative(moved[1][i], moved[0][i], 1e-8);
  scratch_remove(&folder);
}

/* A cube that is pulled against a dashpot, in steps of backward Euler: strains are so small that it is linear. */
static void dashpots(void **state) {
  (void)state;
  const double young = 3, c = 2, pull = 3e-6, dt = 0.5;
  char *folder = scratch_create();
  double u = 0;
  app_runs(folder,
           "version: 1\nmesh: {grid: [2, 2, 2], size: [1, 1, 1]}\nphysics: electromechanics\nmuscle: [{on: body, "
           "type: neo-hooke, young: 3, poisson: 0}]\nsolver: {rtol: 1e-12}\nboundary:\n- {on: x0, symmetry: "
           "true}\n- {on: y0, symmetry: true}\n- {on: z0, symmetry: true}\n- {on: x1, traction: "
           "['3e-6*step(t)', 0, 0], dashpot: {normal: 2}}\ntime: {end: 3, step: 0.5}\noutput: {probes: [{name: "
           "a, at: [1, 0.5, 0.5], field: displacement-x}], sums: [{name: r, on: x0, field: reaction}]}\n");
  char *rows = scratch_read(folder, "results/probes.csv"), *at = strchr(strchr(rows, '\n') + 1, '\n') + 1;
  for (int k = 0; k < 6; ++k) {
    double value[3];
    for (int i = 0; i < 3; ++i) value[i] = strtod(at + (i > 0), &at);
    at = strchr(at, '\n') + 1;
    u = (pull + c / dt * u) / (young + c / dt);
    assert_relative(value[1], u, 1e-5);
    assert_relative(value[2], -young * u, 1e-5);
  }
  free(rows);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(shortens_freely),       cmocka_unit_test(twitches_against_a_load),
                                     cmocka_unit_test(beside_others),         cmocka_unit_test(by_the_other_face),
                                     cmocka_unit_test(face_refused),          cmocka_unit_test(refused),
                                     cmocka_unit_test(springs_along_normals), cmocka_unit_test(dashpots),
                                     cmocka_unit_test(by_parameters)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
