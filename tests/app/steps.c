/* Chains of steps: at finite strain against CalculiX 2.20, and of linear bodies against a static case with what acts at the end of each
 * step, all kinds of loads at once with numbers that are drawn. */
#include "output/read.h"
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void numbers_are_those_of_calculix(void **state) {
  (void)state;
  /* *STEP, NLGEOM three times, *STATIC, DIRECT with steps of 0.25, C3D8; CLOAD, P2 and GRAV; displacement of node (2, 1, 1) */
  static const char *const text =
      "version: 1\nmesh: {grid: [5, 3, 3], size: [2, 1, 1]}\nphysics: elasticity\nmodel: 3d\nstrain: finite\n"
      "formulation: displacement\nmaterials: [{on: body, young: 95.24, poisson: 0.24, density: 1.89}]\n"
      "boundary: [{on: x0, fix: all}]\nsteps:\n"
      "- {name: a, end: 1, step: 0.25, boundary: [{on: x1, force: [-0.2748, 0.0314, 0.1748]}, {on: z1, pressure: "
      "-0.464}]}\n"
      "- {name: b, end: 2, step: 0.5, boundary: [{on: x1, force: [-2.5227, 0.0476, 0.2598]}], body: [{on: body, "
      "gravity: [0, -0.964, 0]}]}\n"
      "- {name: c, end: 3, step: 0.25, boundary: [{on: x1, force: [2.3438, -1.6235, -0.3932]}, {on: z1, pressure: "
      "0.44}], body: [{on: body, gravity: [0, -0.93, 0]}]}\n"
      "output: {probes: [{name: u, at: [2, 1, 1], field: displacement-x}, {name: v, at: [2, 1, 1], field: "
      "displacement-y}, {name: w, at: [2, 1, 1], field: displacement-z}]}\n"
      "expect:\n- {probe: u, time: 1, value: -0.07970615, rtol: 1e-4}\n- {probe: w, time: 1, value: 0.1910009, rtol: "
      "1e-4}\n"
      "- {probe: u, time: 2, value: -0.2302349, rtol: 1e-4}\n- {probe: v, time: 2, value: -0.9390465, rtol: 1e-4}\n"
      "- {probe: u, time: 3, value: 0.1508755, rtol: 1e-4}\n- {probe: v, time: 3, value: -0.7264085, rtol: 1e-4}\n"
      "- {probe: w, time: 3, value: -0.1879416, rtol: 1e-4}\n";
  char *folder = scratch_create();
  scratch_write(folder, "case.yaml", text);
  Said said = app_says("verify", scratch_path(folder, "case.yaml"), NULL);
  if (said.code) fail_msg("%s\n%s", said.out, said.err);
  said_release(&said);
  scratch_remove(&folder);
}

enum { STEPS = 3, LOADS = 5, NUMBERS = 6, TEXT = 8192 };
/* Numbers of each load in each step, the first list that of the case; NAN in the first: the list does not name it. */
typedef double Drawn[STEPS + 1][LOADS][NUMBERS];

static const char *const LOAD[LOADS] = {
    "{on: y1, traction: [%.17g, %.17g, '%.17g*(1+x)']}", "{on: z1, pressure: '%.17g + %.17g*x'}",
    "{on: x1, rigid: {at: [2, 0.5, 0.5], force: [%.17g, %.17g, %.17g], moment: [%.17g, %.17g, %.17g]}}",
    "{on: body, gravity: [%.17g, %.17g, %.17g]}", "{on: x0, fix: {y: %.17g}}"};

static void draw(Drawn d) {
  for (int i = 0; i <= STEPS; ++i)
    for (int l = 0; l < LOADS; ++l) {
      for (int k = 0; k < NUMBERS; ++k) d[i][l][k] = (double)rand() / RAND_MAX - 0.5;
      if (l == 4) d[i][l][0] *= 0.01;
      if (rand() % 2 && (i > 0 || (l != 2 && l != 4))) d[i][l][0] = (double)NAN;
    }
}

/* The entries of list i, of boundary or of body. */
static int entries(char *to, double list[LOADS][NUMBERS], bool body) {
  int used = 0;
  for (int l = 0; l < LOADS; ++l) {
    const double *v = list[l];
    if (isnan(v[0]) || (l == 3) != body) continue;
    used += sprintf(to + used, "%s", used ? ", " : "");
    used += sprintf(to + used, LOAD[l], v[0], v[1], v[2], v[3], v[4], v[5]); /* as many as it has places */
  }
  to[used] = '\0';
  return used;
}

#define BODY                                                                                                           \
  "version: 1\nmesh: {grid: [5, 4, 3], size: [2, 1, 1]}\nphysics: elasticity\nmodel: 3d\n"                             \
  "materials: [{on: body, young: 100, poisson: 0.3, density: 2}]\nsolver: {rtol: 1e-11}\n"                             \
  "output: {probes: [{name: u, at: [2, 0.3, 0.4], field: displacement-x}, {name: v, at: [1, 0.2, 1], field: "          \
  "displacement-y}, {name: w, at: [1.2, 1, 0.3], field: displacement-z}, {name: s, at: [0.4, 0.3, 0.3], field: "       \
  "stress-xx}]}\n"
#define HELD "boundary: [{on: x0, fix: {x: 0, z: 0}}, {on: y0, spring: 7}, "

/* The row of probes.csv of that time. */
static void row_of(const char *folder, const char *text, double time, double value[4]) {
  Said said = app_run_says(folder, text);
  if (said.code) fail_msg("%s\n%s", said.err, text);
  said_release(&said);
  char *rows = scratch_read(folder, "results/probes.csv");
  bool found = false;
  for (char *at = strchr(rows, '\n'); at && at[1] && !found; at = strchr(at, '\n')) {
    found = fabs(strtod(at + 1, &at) - time) < 1e-9;
    for (int k = 0; k < 4 && found; ++k) value[k] = strtod(at + 1, &at);
  }
  free(rows);
  assert_true(found);
}

/* Adds to the text. */
__attribute__((format(printf, 2, 3))) static void add(char text[TEXT], const char *format, ...) {
  const size_t used = strlen(text);
  va_list args;
  va_start(args, format);
  vsnprintf(text + used, TEXT - used, format, args);
  va_end(args);
}

static void one_chain(const char *folder) {
  static const double end[STEPS] = {0.5, 2, 3.25};
  static char text[TEXT], list[TEXT];
  Drawn d;
  draw(d);
  entries(list, d[0], false);
  *text = 0;
  add(text, BODY HELD "%s]\n", list);
  if (entries(list, d[0], true)) add(text, "body: [%s]\n", list);
  add(text, "steps:\n");
  for (int i = 1; i <= STEPS; ++i) {
    add(text, "- {name: s%d, end: %g, step: 0.25", i, end[i - 1]);
    if (entries(list, d[i], false)) add(text, ", boundary: [%s]", list);
    if (entries(list, d[i], true)) add(text, ", body: [%s]", list);
    add(text, "}\n");
  }
  char *chain = strdup(text);
  double now[LOADS][NUMBERS];
  memcpy(now, d[0], sizeof now);
  for (int i = 1; i <= STEPS; ++i) {
    double got[4], want[4];
    for (int l = 0; l < LOADS; ++l)
      if (!isnan(d[i][l][0])) memcpy(now[l], d[i][l], sizeof now[l]);
    row_of(folder, chain, end[i - 1], got);
    entries(list, now, false);
    *text = 0;
    add(text, BODY HELD "%s]\n", list);
    if (entries(list, now, true)) add(text, "body: [%s]\n", list);
    row_of(folder, text, 0, want);
    for (int k = 0; k < 4; ++k)
      if (!(fabs(got[k] - want[k]) <= 1e-7 * (fabs(want[k]) + 1e-3)))
        fail_msg("probe %d after step %d is %.12g, not %.12g\n%s", k, i, got[k], want[k], chain);
  }
  free(chain);
}

static void linear_steps_end_where_statics_do(void **state) {
  (void)state;
  char *folder = scratch_create();
  srand(20);
  for (int k = 0; k < 4; ++k) one_chain(folder);
  scratch_remove(&folder);
}

/* Steps have the length that their entry says, from its beginning, and their ends are stored. */
static void lengths_are_their_own(void **state) {
  (void)state;
  static const double time[] = {0, 0.25, 0.5, 0.75, 1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 2.3, 3};
  char *folder = scratch_create();
  app_runs(folder,
           "version: 1\nmesh: {grid: [3, 3]}\nphysics: elasticity\nmodel: plane-strain\n"
           "materials: [{on: body, young: 7, poisson: 0.2}]\nboundary: [{on: x0, fix: all}]\nsteps:\n"
           "- {name: a, end: 1, step: 0.25, boundary: [{on: x1, traction: [1, 0]}]}\n- {name: b, end: 1.6, step: 0.1}\n"
           "- {name: c, end: 3, step: 0.7, boundary: [{on: x1, traction: [0, 0]}]}\n"
           "output: {probes: [{name: u, at: [1, 1], field: displacement-x}]}\n");
  assert_int_equal(scratch_reported(folder, "steps"), 12);
  char *csv = scratch_read(folder, "results/probes.csv"), *line = strchr(csv, '\n');
  for (size_t k = 0; k < sizeof time / sizeof *time; ++k, line = strchr(line + 1, '\n')) {
    assert_non_null(line);
    assert_within(strtod(line + 1, NULL), time[k], 1e-12);
  }
  assert_true(line && !line[1]);
  free(csv);
  scratch_remove(&folder);
}

/* A block of metal that is moved around a square: along the line through the last two steps it takes 159 linear solves. */
static void steps_begin_well_where_the_path_turns(void **state) {
  (void)state;
  char *folder = scratch_create();
  app_runs(folder,
           "version: 1\nmesh: {grid: [9, 5, 5], size: [2, 1, 1]}\nphysics: elasticity\nmodel: 3d\nfunctions:\n"
           "- {name: g, points: [{at: 0, value: 0}, {at: 1, value: 0.01}, {at: 2, value: 0.01}, {at: 3, value: 0}]}\n"
           "- {name: h, points: [{at: 1, value: 0}, {at: 2, value: 0.01}, {at: 3, value: 0.01}, {at: 4, value: 0}]}\n"
           "materials: [{on: body, type: plastic, young: 200e3, poisson: 0.3, yield: [[0, 200], [0.1, 300]]}]\n"
           "boundary: [{on: x0, fix: all}, {on: x1, fix: {x: \"g(t)\", y: \"h(t)\", z: 0}}]\n"
           "time: {end: 4, step: 0.2}\noutput: {fields: [displacement]}\n");
  assert_true(scratch_reported(folder, "linear_solves") <= 100);
  scratch_remove(&folder);
}

/* The last values of a field of cells of one number, or of its first one. */
static int64_t last_of_cells(const char *folder, const char *name, double first[64]) {
  Result *result = NULL;
  double value[64 * 6];
  assert_ok(result_open(scratch_path(folder, "results/results.hdf"), &result));
  const ResultField *f = result_field(result, name, true);
  if (!f) fail_msg("no field %s of cells", name);
  const int64_t n = result->n_cell, width = f->n_component;
  assert_true(n <= 64);
  assert_ok(result_read(result, f, -1, value));
  for (int64_t e = 0; e < n; ++e) first[e] = value[e * width];
  result_close(&result);
  return n;
}

/* What is stored at integration points has the means that are stored of elements, and the stress of a linear body is that of statics. */
static void points_are_what_elements_are_means_of(void **state) {
  (void)state;
  static const char *const head[] = {"mesh: {grid: [4, 3, 3], size: [3, 1, 1]}\nmodel: 3d\n",
                                     "mesh: {grid: [4, 3], size: [3, 1]}\nmodel: axisymmetric\n",
                                     "mesh: {grid: [4, 3], size: [3, 1]}\nmodel: plane-strain\nstrain: finite\n"};
  char *folder = scratch_create();
  for (int k = 0; k < 3; ++k) {
    char text[TEXT] = "version: 1\nphysics: elasticity\n", name[64];
    double mean[64], point[64], sum[64] = {0};
    add(text, "%s", head[k]);
    add(text, "materials: [{on: body, type: plastic, young: 2e5, poisson: 0.3, yield: [[0, 200], [0.1, 300]]}]\n"
              "boundary: [{on: x0, fix: all}, {on: x1, fix: {x: '0.01*t', y: '0.03*t'}}]\ntime: {end: 1, step: 0.5}\n"
              "output: {fields: [displacement, point-stress, element-plastic-strain, point-plastic-strain, "
              "point-plastic-work]}\n");
    app_runs(folder, text);
    const int64_t n = last_of_cells(folder, "element-plastic-strain", mean);
    const int n_point = k == 0 ? 8 : 4;
    for (int q = 0; q < n_point; ++q) {
      snprintf(name, sizeof name, "point-plastic-strain-%d", q + 1);
      last_of_cells(folder, name, point);
      for (int64_t e = 0; e < n; ++e) sum[e] += point[e] / n_point;
    }
    assert_true(mean[0] > 1e-4);
    for (int64_t e = 0; e < n; ++e) assert_within(sum[e], mean[e], 1e-14);
    snprintf(name, sizeof name, "point-stress-%d", n_point);
    last_of_cells(folder, name, point);
    last_of_cells(folder, "point-plastic-work-1", sum);
    assert_true(point[0] != 0 && sum[0] > 0);
  }
  for (int k = 0; k < 2; ++k) {
    char text[TEXT] = "";
    double stress[2][64];
    for (int steps = 0; steps < 2; ++steps) {
      *text = 0;
      add(text,
          "version: 1\nphysics: elasticity\n%smaterials: [{on: body, young: 2e5, poisson: 0.3}]\nformulation: "
          "displacement\n"
          "solver: {rtol: 1e-11}\nboundary: [{on: x0, fix: all}, {on: x1, traction: [1, 2%s]}]\n%soutput: {fields: "
          "[displacement, point-stress]}\n",
          head[k], k ? "" : ", 3", steps ? "time: {end: 1, step: 1}\n" : "");
      app_runs(folder, text);
      last_of_cells(folder, "point-stress-3", stress[steps]);
    }
    for (int e = 0; e < 6; ++e) assert_within(stress[1][e], stress[0][e], 1e-7 * (1 + fabs(stress[0][e])));
  }
  scratch_remove(&folder);
}

/* A linear step before one of finite strains ends where statics do, whatever presses on it; behind it all is as if strains had been finite
 * before. Around an axis, by a mean dilatation and of second order too. */
static void small_strains_come_first(void **state) {
  (void)state;
  static const char *const bodies[] = {
      "model: 3d\nmesh: {grid: [4, 3, 3], size: [2, 0.7, 1]}\nformulation: displacement\n",
      "model: 3d\nmesh: {grid: [3, 2, 2], size: [2, 0.7, 1], order: 2}\nformulation: displacement\n",
      "model: axisymmetric\nmesh: {grid: [4, 3], size: [2, 0.7]}\nformulation: mean-dilatation\n",
      "model: plane-strain\nmesh: {grid: [4, 3], size: [2, 0.7]}\nformulation: mean-dilatation\n"};
  char *folder = scratch_create(), case_text[TEXT];
  for (size_t k = 0; k < sizeof bodies / sizeof *bodies; ++k) {
    const bool flat = k > 1;
    double v[8], got[4], want[4];
    for (int i = 0; i < 8; ++i) v[i] = 0.6 * ((double)rand() / RAND_MAX - 0.5);
    static const char *const kind[] = {"strain: finite\n", "strain: finite\n", ""};
    double at[2][2][4];
    for (int run = 0; run < 3; ++run) {
      *case_text = 0;
      add(case_text,
          "version: 1\nphysics: elasticity\n%s%ssolver: {rtol: 1e-11}\nmaterials: [{on: body, young: 100, poisson: "
          "0.35, density: 1}]\n"
          "boundary: [{on: %s, fix: all}, {on: y1, pressure: %.17g}, {on: x1, traction: [%.17g, %.17g%s]}]\n"
          "body: [{on: body, gravity: [%.17g, %.17g%s]}]\n"
          "output: {probes: [{name: u, at: [1.7, 0.6%s], field: displacement-x}, {name: v, at: [1.7, 0.6%s], field: "
          "displacement-y}, {name: s, at: [0.4, 0.3%s], field: stress-xx}, {name: t, at: [0.4, 0.3%s], field: "
          "stress-xy}]}\n",
          bodies[k], kind[run], k == 2 ? "y0" : "x0", v[0], v[1], v[2], flat ? "" : ", 0.1", k == 2 ? 0 : v[3], v[4],
          flat ? "" : ", 0.03", flat ? "" : ", 0.8", flat ? "" : ", 0.8", flat ? "" : ", 0.2", flat ? "" : ", 0.2");
      if (run < 2)
        add(case_text,
            "steps: [{name: a, end: 1, step: 0.5%s}, {name: b, end: 3, step: 0.25, boundary: [{on: x1, traction: "
            "[%.17g, %.17g%s]}]}]\n",
            run ? "" : ", strain: small", v[5], v[6], flat ? "" : ", -0.1");
      for (int end = 0; run < 2 && end < 2; ++end) row_of(folder, case_text, end ? 3 : 1, at[run][end]);
      if (run == 2) row_of(folder, case_text, 0, want);
    }
    memcpy(got, at[0][0], sizeof got);
    /* what solves to 1e-11 leave where stiffnesses differ by 1e4 */
    for (int i = 0; i < 4; ++i) assert_within(got[i], want[i], 1e-6 * (fabs(want[i]) + 1e-3));
    for (int i = 0; i < 4; ++i) assert_within(at[0][1][i], at[1][1][i], 1e-6 * (fabs(at[1][1][i]) + 1e-3));
    assert_true(fabs(at[1][0][0] - want[0]) > 1e-3 * fabs(want[0])); /* large strains are others */
  }
  scratch_remove(&folder);
}

/* The work of what acts is the energy of a body that takes it elastically, also of a rigid group that is turned, of an equation that
 * prescribes, and of an obstacle that comes. */
static void what_is_prescribed_works(void **state) {
  (void)state;
  static const char *const acts[] = {
      "boundary: [{on: z0, fix: all}, {on: z1, rigid: {at: [0.5, 0.5, 1.5], fix: {rz: 0.3, x: 0.1}}}]\n",
      "boundary: [{on: z0, fix: all}, {on: z1, fix: {z: 0.05}}]\n"
      "equations: [{nodes: [48, 45], components: [x, x], factors: [1, -1], value: 0.1}]\n",
      "boundary: [{on: z0, fix: all}]\n"
      "contact: [{on: z1, against: {plane: {at: [0, 0, 2], normal: [0, 0, 1], move: [0, 0, -0.1]}}}]\n",
      /* at finite strain alone; surfaces are found anew in the step in which the equation begins */
      "boundary: [{on: z0, fix: all}]\nequations: [{nodes: [36, 34], components: [x, x], factors: [1, -1], value: "
      "0.05, "
      "from: 0.5}]\ncontact: [{on: z1, against: {plane: {at: [0, 0, 2], normal: [0, 0, 1], move: [0, 0, -0.1]}}, "
      "sliding: finite}]\nsteps: [{name: a, end: 0.5, step: 0.1}, {name: b, end: 1, step: 0.1}]\n"};
  char *folder = scratch_create();
  char text[TEXT];
  for (int k = 0; k < 8; ++k) {
    if (k == 6) continue;
    *text = 0;
    add(text,
        "version: 1\nmesh: {grid: [3, 4, 4], size: [1, 1, 2]}\nphysics: elasticity\nmodel: 3d\nstrain: %s\n"
        "materials: [{on: body, type: plastic, young: 1000, poisson: 0.3, yield: [[0, 1e5]]}]\n%s%s",
        k % 2 ? "finite" : "small", acts[k / 2], k < 6 ? "time: {end: 1, step: 0.1}\n" : "");
    app_runs(folder, text);
    const double strain = scratch_reported(folder, "strain_energy");
    assert_true(strain > 0.1);
    assert_relative(scratch_reported(folder, "external_work"), strain, k < 6 ? 1e-3 : 5e-3);
  }
  scratch_remove(&folder);
}

/* The same in load steps before motion that stays at rest, also of a load that is there at once. */
static void what_is_prescribed_works_before_motion(void **state) {
  (void)state;
  static const char *const acts[] = {
      ", {on: z1, rigid: {at: [0.5, 0.5, 1.5], fix: {rz: 0.3, x: 0.1}}}]\n",
      ", {on: z1, fix: {z: 0.05}}]\nequations: [{nodes: [48, 45], components: [x, x], factors: [1, -1], value: 0.1}]\n",
      ", {on: z1, traction: [10, \"10*t\", 0]}]\n"};
  char *folder = scratch_create();
  char text[TEXT];
  for (int k = 0; k < 6; ++k) {
    *text = 0;
    add(text,
        "version: 1\nmesh: {grid: [3, 4, 4], size: [1, 1, 2]}\nphysics: elasticity\nmodel: 3d\nstrain: %s\n"
        "analysis: {type: transient, rho-infinity: 1}\nmaterials: [{on: body, young: 1000, poisson: 0.3, density: "
        "1e-3}]\nboundary: [{on: z0, fix: all}%s"
        "steps: [{name: a, end: 1, step: 0.1, inertia: false}, {name: b, end: 1.0001, step: 0.0001}]\n",
        k % 2 ? "finite" : "small", acts[k / 2]);
    app_runs(folder, text);
    const double strain = scratch_reported(folder, "strain_energy");
    assert_true(strain > 0.1);
    assert_relative(scratch_reported(folder, "external_work"), strain, 5e-3);
  }
  scratch_remove(&folder);
}

/* A node that is let go where motion begins brings no work with it: steps with rho-infinity 1 keep all energy. */
static void what_is_let_go_does_not_work(void **state) {
  (void)state;
  char *folder = scratch_create();
  app_runs(folder,
           "version: 1\nmesh: {grid: [4, 3, 3], size: [3, 1, 1]}\nphysics: elasticity\nmodel: 3d\n"
           "analysis: {type: transient, rho-infinity: 1}\nmaterials: [{on: body, young: 1000, poisson: 0.1, density: "
           "1e-3}]\nboundary: [{on: x0, fix: all}, {on: x1, traction: [0, 4, 2]}]\n"
           "equations: [{nodes: [36], components: [y], factors: [1], value: -0.04, until: 1}]\n"
           "steps: [{name: a, end: 1, step: 1, inertia: false}, {name: b, end: 1.02, step: 0.002}]\n");
  const double kinetic = scratch_reported(folder, "kinetic_energy"), strain = scratch_reported(folder, "strain_energy");
  assert_true(kinetic > 1e-3);
  assert_relative(scratch_reported(folder, "external_work"), strain + kinetic, 1e-5);
  scratch_remove(&folder);
}

/* A rigid group whose motion is prescribed stays where it is while another node is let go beside it. */
static void groups_stay_while_others_are_let_go(void **state) {
  (void)state;
  char *folder = scratch_create();
  char text[TEXT];
  for (int k = 0; k < 2; ++k) {
    *text = 0;
    add(text,
        "version: 1\nmesh: {grid: [4, 3, 3], size: [1, 0.7, 0.7]}\nphysics: elasticity\nmodel: 3d\nstrain: %s\n"
        "analysis: {type: transient, rho-infinity: 1}\nmaterials: [{on: body, young: 1000, poisson: 0.05, density: "
        "1e-3}]\nboundary: [{on: x0, fix: all}, {on: x1, rigid: {at: [1, 0, 0], fix: {y: 0.1, rx: 0.1}}}]\n"
        "equations: [{nodes: [10, 11], components: [x, x], factors: [1, -1], until: 1}]\n"
        "steps: [{name: a, end: 1, step: 0.5, inertia: false}, {name: b, end: 1.001, step: 0.0001}]\n",
        k ? "finite" : "small");
    app_runs(folder, text);
    const double kinetic = scratch_reported(folder, "kinetic_energy"),
                 strain = scratch_reported(folder, "strain_energy");
    assert_true(strain > 0.1);
    assert_true(kinetic < 0.03 * strain);
    assert_relative(scratch_reported(folder, "external_work"), strain + kinetic, k ? 0.03 : 1e-5);
  }
  scratch_remove(&folder);
}

/* A plane that moves by a number comes as loads do: over the run, or over the step of a chain in which it begins. */
static void obstacles_come_over_a_step(void **state) {
  (void)state;
#define PLANE "{on: z1, against: {plane: {at: [0, 0, 2], normal: [0, 0, 1], move: [0, 0, -0.1]}}}"
  static const struct {
    const char *text;
    double begin;
  } of[] = {{"contact: [" PLANE "]\ntime: {end: 1, step: 0.25}\n", 0},
            {"contact: [" PLANE "]\nsteps: [{name: a, end: 1, step: 0.25}]\n", 0},
            {"steps: [{name: a, end: 1, step: 1}, {name: b, end: 2, step: 0.25, contact: [" PLANE "]}]\n", 1}};
  char *folder = scratch_create();
  char text[TEXT];
  for (size_t k = 0; k < sizeof of / sizeof of[0]; ++k) {
    *text = 0;
    add(text,
        "version: 1\nmesh: {grid: [2, 2, 3], size: [1, 1, 2]}\nphysics: elasticity\nmodel: 3d\n"
        "materials: [{on: body, young: 1000, poisson: 0.3}]\nboundary: [{on: z0, fix: all}]\n%s"
        "output: {probes: [{name: u, at: [0, 0, 2], field: displacement-z}]}\n"
        "expect:\n- {probe: u, time: %g, value: -0.025, rtol: 1e-9}\n- {probe: u, time: %g, value: -0.1, rtol: 1e-9}\n",
        of[k].text, of[k].begin + 0.25, of[k].begin + 1);
    scratch_write(folder, "case.yaml", text);
    Said said = app_says("verify", scratch_path(folder, "case.yaml"), NULL);
    if (said.code) fail_msg("%s\n%s", said.out, said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
#undef PLANE
}

/* `check` says what acts at the end of each step: in a case in time there is nothing at first. */
static void check_tells_loads_of_steps(void **state) {
  (void)state;
#define BEHIND_STRAIN(strain, more)                                                                                    \
  "version: 1\nmesh: {grid: [2, 2, 3], size: [1, 1, 2]}\nphysics: elasticity\nmodel: 3d\nstrain: " strain              \
  "\nmaterials: [{on: body, young: 1000, poisson: 0.3, density: 2}]\n" more
  static const char *const cases[] = {
      BEHIND_STRAIN("small",
                    "boundary: [{on: z0, fix: all}, {on: z1, traction: [3, 0, 1]}]\ntime: {end: 2, step: 1}\n"),
      BEHIND_STRAIN(
          "finite",
          "boundary: [{on: z0, fix: all}, {on: z1, pressure: 1}]\nsteps: [{name: a, end: 1, step: 1, boundary: "
          "[{on: z1, force: [0, 5, 0]}]}, {name: b, end: 3, step: 1, boundary: [{on: z1, force: [0, 0, "
          "0]}]}]\n"),
      BEHIND_STRAIN("small",
                    "analysis: {type: transient}\nboundary: [{on: z1, force: [0, '3 + t', 0]}]\ntime: {end: 2, "
                    "step: 1}\n"),
      BEHIND_STRAIN("small",
                    "boundary: [{on: z0, fix: all}, {on: z1, rigid: {at: [0.5, 0.5, 2], fix: {rz: 0}, force: [1, "
                    "'2*t', 0]}}]\ntime: {end: 2, step: 1}\n")};
  static const char *const said_of[][2] = {
      {"total load at t = 2: [3, 0, 1]\n", ""},
      {"total load at t = 1: [0, 5, 0], without pressure that follows", "total load at t = 3: [0, 0, 0], without"},
      {"total load at t = 0: [0, 3, 0]\n", "total load at t = 2: [0, 5, 0]\n"},
      {"total load at t = 2: [1, 4, 0]\n", ""}};
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
    scratch_write(folder, "case.yaml", cases[k]);
    Said said = app_says("check", scratch_path(folder, "case.yaml"), NULL);
    for (int i = 0; i < 2; ++i)
      if (!strstr(said.out, said_of[k][i])) fail_msg("no '%s' in\n%s%s", said_of[k][i], said.out, said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
#undef BEHIND_STRAIN
}

/* As all loads, one that is distributed ends by the value 0. */
static void distributed_loads_end(void **state) {
  (void)state;
  char *folder = scratch_create();
  app_verifies(folder,
               "version: 1\nmesh: {grid: [4, 3, 3], size: [3, 2, 2]}\nphysics: elasticity\nmodel: 3d\n"
               "materials: [{on: body, young: 100, poisson: 0.3}]\nboundary: [{on: x0, fix: all}]\nsteps:\n"
               "- {name: a, end: 1, step: 1, boundary: [{on: x1, distribute: {at: [2, 0, 0], force: [1, 0, 0]}}, {on: "
               "y1, traction: [0.5, 0, 0]}]}\n"
               "- {name: b, end: 2, step: 1, boundary: [{on: x1, distribute: {at: [2, 0, 0], force: [0, 0, 0]}}, {on: "
               "y1, traction: [0, 0, 0]}]}\n"
               "output: {sums: [{name: r, on: x0, field: reaction}]}\n"
               "expect: [{sum: r-x, time: 1, value: -4, rtol: 1e-6}, {sum: r-x, value: 0, atol: 1e-6}]\n");
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_are_those_of_calculix),
                                     cmocka_unit_test(linear_steps_end_where_statics_do),
                                     cmocka_unit_test(lengths_are_their_own),
                                     cmocka_unit_test(steps_begin_well_where_the_path_turns),
                                     cmocka_unit_test(points_are_what_elements_are_means_of),
                                     cmocka_unit_test(small_strains_come_first),
                                     cmocka_unit_test(what_is_prescribed_works),
                                     cmocka_unit_test(what_is_prescribed_works_before_motion),
                                     cmocka_unit_test(what_is_let_go_does_not_work),
                                     cmocka_unit_test(groups_stay_while_others_are_let_go),
                                     cmocka_unit_test(obstacles_come_over_a_step),
                                     cmocka_unit_test(check_tells_loads_of_steps),
                                     cmocka_unit_test(distributed_loads_end)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
