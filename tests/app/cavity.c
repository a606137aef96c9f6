/* Volumes of cavities that are prescribed: the pressure is that which makes the same volume, beyond a limit point too; what
 * closes a cavity, and what does not. */
#include "app/app.h"
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The part of a hollow block of the size 4, with a hole of the size 2, that lies beyond 0 along each axis: the square or cube
 * of the size 2 without that of the size 1 at the origin. Groups: body, inner, outer, and x, y, z across the axes. */
static int node_of(const int at[3]) { return 1 + at[0] + 3 * at[1] + 9 * at[2]; }

static int write_cell(char *to, int n, int kind, int group, const int at[3], int across, int dim) {
  static const int corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  int used = sprintf(to, "%d %d 2 %d %d", n, kind, group, group);
  const int axis[2] = {across == 0, across == 2 ? 1 : 2}; /* the two that are left in space */
  const int count = across < 0 ? 1 << dim : 1 << (dim - 1);
  for (int k = 0; k < count; ++k) {
    int p[3] = {at[0], at[1], at[2]};
    if (across < 0) p[0] += corner[k % 4][0], p[1] += corner[k % 4][1], p[2] += k / 4;
    else if (dim == 2) p[1 - across] += k;
    else p[axis[0]] += corner[k][0], p[axis[1]] += corner[k][1];
    used += sprintf(to + used, " %d", node_of(p));
  }
  return used + sprintf(to + used, "\n");
}

static bool is_solid(const int c[3]) { return c[0] + c[1] + c[2] > 0; }

/* Faces of a cell: on planes 0, on the outside, and beside the hole. */
static int write_faces(char *to, int *n, const int cell[3], int dim) {
  int used = 0;
  for (int axis = 0; axis < dim; ++axis) {
    int low[3] = {cell[0], cell[1], cell[2]}, high[3] = {cell[0], cell[1], cell[2]};
    const int kind = dim == 3 ? 3 : 1;
    ++high[axis];
    if (cell[axis] == 0) used += write_cell(to + used, ++*n, kind, 4 + axis, low, axis, dim);
    else used += write_cell(to + used, ++*n, kind, 3, high, axis, dim);
    low[axis] = cell[axis] - 1;
    if (cell[axis] == 1 && !is_solid(low)) used += write_cell(to + used, ++*n, kind, 2, cell, axis, dim);
  }
  return used;
}

static void write_block(const char *folder, int dim) {
  static char text[16384], cells[8192];
  const int deep = dim == 3 ? 2 : 1;
  int used = sprintf(text, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n%d\n%d 1 \"body\"\n", 3 + dim, dim),
      n = 0;
  int at = 0;
  for (int g = 2; g < 4 + dim; ++g)
    used += sprintf(text + used, "%d %d \"%s\"\n", dim - 1, g,
                    (const char *const[]){"inner", "outer", "x", "y", "z"}[g - 2]);
  used += sprintf(text + used, "$EndPhysicalNames\n$Nodes\n%d\n", dim == 3 ? 26 : 8);
  for (int k = 1; k < (dim == 3 ? 27 : 9); ++k)
    used += sprintf(text + used, "%d %d %d %d\n", k + 1, k % 3, k / 3 % 3, k / 9);
  for (int k = 0; k < 4 * deep; ++k) {
    const int cell[3] = {k % 2, k / 2 % 2, k / 4};
    if (is_solid(cell)) at += write_cell(cells + at, ++n, dim == 3 ? 5 : 3, 1, cell, -1, dim);
    if (is_solid(cell)) at += write_faces(cells + at, &n, cell, dim);
  }
  snprintf(text + used, sizeof text - (size_t)used, "$EndNodes\n$Elements\n%d\n%s$EndElements\n", n, cells);
  scratch_write(folder, "block.msh", text);
}

#define BLOCK(model, mesh)                                                                                             \
  "version: 1\nmesh: {file: block.msh" mesh "}\nphysics: elasticity\nmodel: " model "\nstrain: finite\n"               \
  "materials: [{on: body, type: neo-hooke, young: 3, poisson: 0.3}]\nsolver: {rtol: 1e-10}\nboundary:\n"
#define TIME "time: {end: 1, step: 0.25}\n"
#define SUMS                                                                                                           \
  "output:\n  probes: [{name: a, at: %s, field: displacement-x}]\n"                                                    \
  "  sums: [{name: p, on: inner, field: pressure}, {name: v, on: inner, field: volume}]\n"

static void last_loop(const char *folder, double value[3]) {
  char *rows = scratch_read(folder, "results/loops.csv"), *last = rows;
  for (char *at = strchr(rows, '\n'); at && at[1]; at = strchr(at + 1, '\n')) last = at;
  for (int k = 0; k < 3; ++k) value[k] = strtod(last + 1, &last);
  free(rows);
}

/* Cavities of muscle, in mL: the pressure that a volume needs makes that volume, in steps that are written one by one. */
static void of_muscle(void **state) {
  (void)state;
  static const char head[] =
      "version: 1\nmesh: {file: block.msh}\nphysics: electromechanics\nmuscle: [{on: body, type: neo-hooke, young: 3, "
      "poisson: 0.3}]\nsolver: {rtol: 1e-10}\nboundary:\n- {on: x, symmetry: true}\n- {on: y, symmetry: true}\n- {on: "
      "z, "
      "symmetry: true}\n" TIME;
  char *folder = scratch_create(), text[2048];
  double found[4], last[3];
  write_block(folder, 3);
  snprintf(text, sizeof text,
           "%s- {on: x, symmetry: true}\n- {on: y, symmetry: true}\n- {on: z, symmetry: true}\n- {on: inner, volume: "
           "'1.4*V0'}\n" TIME SUMS,
           BLOCK("3d", ""), "[1, 0, 0]");
  app_runs(folder, text);
  scratch_last_row(folder, 4, found);
  snprintf(text, sizeof text, "%scavities: [{name: lv, on: inner, volume: \"V0 + 0.4e-3\"}]\n", head);
  app_runs(folder, text);
  last_loop(folder, last);
  assert_within(last[0], 1, 1e-12);
  assert_relative(last[1], 1.4e-3, 1e-8);
  assert_relative(last[2], found[2], 1e-6);
  snprintf(
      text, sizeof text,
      "%scavities: [{name: lv, on: inner, pressure: %.15g}]\noutput: {sums: [{name: v, on: inner, field: volume}]}\n",
      head, found[2]);
  app_runs(folder, text);
  last_loop(folder, last);
  assert_relative(last[1], 1.4e-3, 1e-6);
  assert_relative(last[2], found[2], 1e-11);
  scratch_last_row(folder, 2, found);
  assert_relative(found[1], 1e3 * last[1], 1e-10);
  char *rows = scratch_read(folder, "results/loops.csv");
  assert_ptr_equal(strstr(rows, "time,lv-volume,lv-pressure\n0,0.001,0\n0.25,"), rows);
  free(rows);
  snprintf(text, sizeof text, "%scavities: [{name: lv, on: outer, pressure: 1}]\n", head);
  Said said = app_run_says(folder, text);
  if (said.code != 3 || !strstr(said.err, "has the body inside")) fail_msg("%d: %s", said.code, said.err);
  said_release(&said);
  scratch_remove(&folder);
}

/* An eighth of a hollow block that contracts, and what fills it and what it empties into. */
#define PUMP_WITH(mesh, cavity, circuit, more)                                                                         \
  "version: 1\nmesh: {file: block.msh" mesh                                                                            \
  "}\nphysics: electromechanics\nmuscle: [{on: body, type: neo-hooke, young: "                                         \
  "3, poisson: 0.3, fibers: {direction: [0, 0.6, 0.8]}, tension: {value: '2.5*sin(pi*t/40)^2', form: stretch}}]\n"     \
  "solver: {rtol: 1e-10}\nboundary:\n- {on: x, symmetry: true}\n- {on: y, symmetry: true}\n- {on: z, symmetry: "       \
  "true}\ncavities: [{name: lv, on: inner, " cavity "}]\n" circuit "time: {end: 40, step: 1}\n" more
#define CIRCUIT                                                                                                        \
  "circulation:\n  lv: {from: {pressure: 0.2, valve: 4e3}, to: {valve: 4e3, windkessel: {zc: 2e3, r: 1e5, c: 1e-3, "   \
  "pressure: 0.35}}}\n"

static char *row_of(char *at, int n, double *value) {
  for (int k = 0; k < n; ++k) value[k] = strtod(at + (k > 0), &at);
  return at + 1;
}

/* Each row of loops.csv is a step of backward Euler from that before it; volumes stay where all valves are closed; and the
 * body has that volume under that pressure. */
static void circulates(void **state) {
  (void)state;
  enum { TIME_, V, P, ARTERY, P_ARTERY, IN, OUT, AWAY, N };
  char *folder = scratch_create(), text[4096];
  double was[N], now[N] = {0}, last[3];
  bool fills = false, ejects = false, closed = false;
  write_block(folder, 3);
  app_runs(folder, PUMP_WITH("", "pressure: 0.2", CIRCUIT,
                             "expect: [{loop: lv, quantity: ejection-fraction, value: 0.2, atol: 0.2}]\n"));
  char *rows = scratch_read(folder, "results/loops.csv"), *at = strchr(rows, '\n') + 1;
  assert_ptr_equal(strstr(rows, "time,lv-volume,lv-pressure,lv-artery-volume,lv-artery-pressure,lv-inflow-flow,"
                                "lv-outflow-flow,lv-artery-flow\n"),
                   rows);
  at = row_of(at, N, was);
  assert_within(was[P], 0.2, 1e-12);
  for (int n = 0; *at; ++n, memcpy(was, now, sizeof was)) {
    at = row_of(at, N, now);
    assert_within(now[IN], fmax(0, (0.2 - now[P]) / 4e3), 1e-12);
    assert_within(now[OUT], fmax(0, (now[P] - now[P_ARTERY]) / 6e3), 1e-12);
    assert_within(now[AWAY], now[P_ARTERY] / 1e5, 1e-12);
    assert_within(now[V] - was[V], now[IN] - now[OUT], 2e-11);
    assert_within(now[ARTERY] - was[ARTERY], now[OUT] - now[AWAY], 1e-12);
    fills |= now[IN] > 0, ejects |= now[OUT] > 0;
    closed |= now[IN] == 0 && now[OUT] == 0 && fabs(now[P] - was[P]) > 1e-3 && fabs(now[V] / was[V] - 1) < 1e-8;
  }
  assert_true(fills && ejects && closed && now[TIME_] == 40);
  free(rows);
  assert_true(scratch_reported(folder, "lv-ejection-fraction") > 0.05);
  snprintf(text, sizeof text, PUMP_WITH("", "pressure: %.15g", "", ""), now[P]);
  app_runs(folder, text);
  last_loop(folder, last);
  assert_relative(last[1], now[V], 1e-7);
  scratch_remove(&folder);
}

/* A ventricle with a body in the closed loop, which begins with beats of its own: nothing is lost. */
static void in_a_closed_loop(void **state) {
  (void)state;
  char *folder = scratch_create();
  double first = 0;
  write_block(folder, 3);
  app_runs(folder,
           PUMP_WITH(", scale: 50", "pressure: 0.5",
                     "circulation: {model: closed-loop, cycle: 1000, ventricles: {lv: lv}, begin: {beats: 2}}\n", ""));
  char *rows = scratch_read(folder, "results/loops.csv");
  assert_ptr_equal(strstr(rows, "time,lv-volume,lv-pressure,la-volume,la-pressure,ra-volume,"), rows);
  for (char *at = strchr(rows, '\n') + 1; *at;) {
    double value[25], sum;
    at = row_of(at, 25, value);
    sum = value[1];
    for (int k = 3; k < 17; k += 2) sum += value[k];
    if (first == 0) first = sum;
    assert_relative(sum, first, 1e-10);
    if (value[0] == 0) assert_within(value[2], 0.5, 1e-12);
  }
  free(rows);
  static const char *const step[] = {"--beats", "--time-step=0.1"};
  char *beats[2];
  for (int k = 0; k < 2; ++k) { /* with elastances in the place of the body, and steps of their own */
    Said said = app_says("circulation", scratch_path(folder, "case.yaml"), "--overwrite", "--output",
                         scratch_path(folder, "alone"), "--beats", "2", step[k], k ? NULL : "2", NULL);
    if (said.code) fail_msg("%d: %s", said.code, said.err);
    said_release(&said);
    beats[k] = scratch_read(folder, "alone/beats.csv");
  }
  assert_non_null(strstr(beats[0], "\n2,lv,"));
  assert_string_equal(beats[0], beats[1]);
  free(beats[0]), free(beats[1]);
  scratch_remove(&folder);
}

/* Beats of the loop alone end where they repeat to the tolerance that is given: here after the first one. */
static void begins_with_beats_that_repeat(void **state) {
  (void)state;
#define FROM(begin)                                                                                                    \
  PUMP_WITH(", scale: 50", "pressure: 0.5",                                                                            \
            "circulation: {model: closed-loop, cycle: 1000, ventricles: {lv: lv}, begin: " begin "}\n",                \
            "output: {every: 40}\n")
  static const char *const text[] = {FROM("{beats: 1}"), FROM("{beats: 3, tolerance: 0.9}"), FROM("{beats: 3}")};
#undef FROM
  char *folder = scratch_create(), *rows[3];
  write_block(folder, 3);
  for (int k = 0; k < 3; ++k) {
    app_runs(folder, text[k]);
    rows[k] = scratch_read(folder, "results/loops.csv");
  }
  assert_string_equal(rows[0], rows[1]);
  assert_string_not_equal(rows[0], rows[2]);
  for (int k = 0; k < 3; ++k) free(rows[k]);
  scratch_remove(&folder);
}

/* Stopped on the way, a run goes on to the same bits, but not with another circuit. */
static void goes_on(void **state) {
  (void)state;
  char *folder = scratch_create();
  write_block(folder, 3);
  scratch_write(folder, "case.yaml",
                PUMP_WITH("", "pressure: 0.2", CIRCUIT,
                          "output: {checkpoint: 3, sums: [{name: p, on: inner, field: pressure}]}\n"));
  assert_int_equal(app_run_until(folder, "whole", "--overwrite", NULL, 0), 0);
  assert_int_equal(app_run_until(folder, "parts", "--overwrite", NULL, app_guard_calls / 2), 10);
  Said other = app_says("run", scratch_path(folder, "case.yaml"), "--set", "circulation.lv.to.windkessel.r=131",
                        "--output", scratch_path(folder, "parts"), "--resume", NULL);
  assert_int_equal(other.code, 5);
  assert_non_null(strstr(other.err, "is of another case"));
  said_release(&other);
  assert_int_equal(app_run_until(folder, "parts", "--resume", NULL, 0), 0);
  for (int k = 0; k < 2; ++k) {
    const char *const names[2][2] = {{"whole/loops.csv", "parts/loops.csv"}, {"whole/probes.csv", "parts/probes.csv"}};
    char *left = scratch_read(folder, names[k][0]), *right = scratch_read(folder, names[k][1]);
    assert_string_equal(left, right);
    free(left);
    free(right);
  }
  scratch_remove(&folder);
}

/* What a circulation and cavities do not agree on. */
static void refuses_circulations(void **state) {
  (void)state;
  static const struct {
    const char *text, *said;
  } rows[] = {
      {PUMP_WITH("", "volume: V0", CIRCUIT, ""), "is a chamber of the circulation, which gives its volume"},
      {PUMP_WITH("", "pressure: 't'", CIRCUIT, ""), "its pressure follows from that\n  allowed: a number"},
      {PUMP_WITH("", "pressure: 1", "circulation: {lw: {from: {pressure: 1, valve: 2}, to: {valve: 2, pressure: 3}}}\n",
                 ""),
       "there is no cavity 'lw' in 'cavities'\n  did you mean 'lv'?"},
      {PUMP_WITH("", "pressure: 1", "circulation: {model: closed-loop, cycle: 1000, ventricles: {lv: rv}}\n", ""),
       "there is no cavity 'rv' in 'cavities'"},
      {PUMP_WITH("", "pressure: 1", "circulation: {model: closed-loop, cycle: 1000}\n", ""),
       "no cavity takes part in the closed loop"},
      {PUMP_WITH("", "pressure: 1", CIRCUIT, "expect: [{loop: rv, quantity: stroke-volume, value: 1}]\n"),
       "unknown chamber 'rv'\n  known: lv"},
      {PUMP_WITH("", "pressure: 1", CIRCUIT, "expect: [{quantity: stroke-volume, value: 1}]\n"),
       "'stroke-volume' is a quantity of a cavity\n  remedy: 'loop'"},
      {PUMP_WITH("", "pressure: 1", CIRCUIT, "expect: [{loop: lv, quantity: steps, value: 1}]\n"),
       "'steps' is a quantity of the whole run"}};
  char *folder = scratch_create();
  write_block(folder, 3);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    Said said = app_run_says(folder, rows[k].text);
    if (said.code != 3 || !strstr(said.err, rows[k].said)) fail_msg("row %d: %d %s", (int)k, said.code, said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

/* The pressure that is found for a volume, put on the surface, moves it to the same place. */
static void balances(void **state) {
  (void)state;
  static const struct {
    int dim;
    const char *head, *held, *at;
    double v0;
  } rows[] = {{2, BLOCK("plane-strain", ", order: 2"), "- {on: x, fix: {x: 0}}\n- {on: y, fix: {y: 0}}\n", "[1, 0]", 1},
              {2, BLOCK("axisymmetric", ", order: 2"), "- {on: y, symmetry: true}\n", "[1, 0]", 3.14159265358979},
              {3, BLOCK("3d", ""), "- {on: x, symmetry: true}\n- {on: y, symmetry: true}\n- {on: z, symmetry: true}\n",
               "[1, 0, 0]", 1}};
  char *folder = scratch_create(), text[2048];
  for (int k = 0; k < 3; ++k) {
    double found[4], put[2];
    write_block(folder, rows[k].dim);
    snprintf(text, sizeof text, "%s%s- {on: inner, volume: '1.4*V0'}\n" TIME SUMS, rows[k].head, rows[k].held,
             rows[k].at);
    Said said = app_run_says(folder, text);
    if (said.code) fail_msg("row %d: %s", k, said.err);
    said_release(&said);
    scratch_last_row(folder, 4, found);
    assert_relative(found[3], 1.4 * rows[k].v0, 1e-8);
    assert_true(found[2] > 0.05);
    snprintf(text, sizeof text,
             "%s%s- {on: inner, pressure: %.15g}\n" TIME
             "output: {probes: [{name: a, at: %s, field: displacement-x}]}\n",
             rows[k].head, rows[k].held, found[2], rows[k].at);
    said = app_run_says(folder, text);
    if (said.code) fail_msg("row %d: %s", k, said.err);
    said_release(&said);
    scratch_last_row(folder, 2, put);
    assert_relative(put[1], found[1], 1e-6);
  }
  scratch_remove(&folder);
}

/* Filled on and on, the pressure rises, and falls; each step is solved. */
static void passes(void **state) {
  (void)state;
  char *folder = scratch_create(), text[2048];
  double value[4];
  write_block(folder, 2);
  snprintf(
      text, sizeof text,
      BLOCK("axisymmetric", ", order: 2") "- {on: y, symmetry: true}\n"
                                          "- {on: inner, volume: 'V0*(1 + 15*t)'}\ntime: {end: 1, step: 0.05}\n" SUMS,
      "[1, 0]");
  Said said = app_run_says(folder, text);
  if (said.code) fail_msg("%s", said.err);
  said_release(&said);
  char *rows = scratch_read(folder, "results/probes.csv");
  double most = 0;
  for (char *at = strchr(rows, '\n'); at && at[1]; at = strchr(at + 1, '\n')) {
    strtod(at + 1, &at);
    strtod(at + 1, &at);
    most = fmax(most, strtod(at + 1, NULL));
  }
  free(rows);
  scratch_last_row(folder, 4, value);
  assert_true(value[2] < 0.98 * most && value[2] > 0.1 * most);
  assert_relative(value[3], 16 * 3.14159265358979, 1e-7);
  scratch_remove(&folder);
}

/* A tube between two planes across the same axis, not at the origin: the pressure where its inner radius is 1.25, 1.5 and 2
 * times what it was, of a material that keeps its volume (the shear modulus times G(l_a) - G(l_b) with the stretches
 * inside and outside, G(l) = ln l - 1 / (2 l^2)); at 0.49 within 0.5 %. */
static void tube(void **state) {
  (void)state;
  static const double closed[3][2] = {{0.25, 0.2757115368}, {0.5, 0.4282284091}, {1, 0.5740535723}};
  char *folder = scratch_create(), text[4096];
  int used = sprintf(text, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n2 1 \"body\"\n1 2 \"inner\"\n"
                           "1 3 \"ends\"\n$EndPhysicalNames\n$Nodes\n6\n");
  for (int k = 0; k < 6; ++k) used += sprintf(text + used, "%d %g %g 0\n", k + 1, 1 + k % 3 * 0.5, k / 3 * 0.4 + 0.3);
  snprintf(
      text + used, sizeof text - (size_t)used,
      "$EndNodes\n$Elements\n7\n1 3 2 1 1 1 2 5 4\n2 3 2 1 1 2 3 6 5\n3 1 2 2 2 1 4\n4 1 2 3 3 1 2\n5 1 2 3 3 2 3\n"
      "6 1 2 3 3 4 5\n7 1 2 3 3 5 6\n$EndElements\n");
  scratch_write(folder, "tube.msh", text);
  Said said =
      app_run_says(folder, "version: 1\nmesh: {file: tube.msh, order: 2, refine: 1}\nphysics: elasticity\nmodel: "
                           "axisymmetric\nstrain: finite\nformulation: mean-dilatation\nmaterials: [{on: body, type: "
                           "neo-hooke, young: 2.98, poisson: 0.49}]\nboundary:\n- {on: ends, symmetry: true}\n- {on: "
                           "inner, volume: 'V0*(1 + t)^2'}\ntime: {end: 1, step: 0.05}\noutput: {sums: [{name: p, on: "
                           "inner, field: pressure}, {name: v, on: inner, field: volume}]}\n");
  if (said.code) fail_msg("%s", said.err);
  said_release(&said);
  char *rows = scratch_read(folder, "results/probes.csv");
  int found = 0;
  for (char *at = strchr(rows, '\n'); at && at[1]; at = strchr(at, '\n')) {
    const double time = strtod(at + 1, &at), pressure = strtod(at + 1, &at), volume = strtod(at + 1, &at);
    assert_relative(volume, 0.4 * 3.14159265358979 * (1 + time) * (1 + time), 1e-7);
    for (int k = 0; k < 3; ++k)
      if (fabs(time - closed[k][0]) < 1e-9) {
        assert_relative(pressure, closed[k][1], 5e-3);
        ++found;
      }
  }
  assert_int_equal(found, 3);
  free(rows);
  scratch_remove(&folder);
}

static void refuses(void **state) {
  (void)state;
#define HELD "- {on: x, fix: {x: 0}}\n- {on: y, fix: {y: 0}}\n"
#define PLANE BLOCK("plane-strain", "")
  static const struct {
    const char *text, *said;
  } rows[] = {
      {PLANE "- {on: x, fix: {x: 0}}\n- {on: inner, volume: 2}\n" TIME,
       "encloses no volume: 1 of its edges are open, the first near (1, 0, 0)\n  allowed: a closed surface"},
      {PLANE "- {on: x, fix: {x: '0.1*t'}}\n- {on: y, fix: {y: 0}}\n- {on: inner, volume: 2}\n" TIME,
       "encloses no volume: 1 of its edges are open, the first near (0, 1, 0)"},
      {PLANE HELD "- {on: inner, volume: 2, pressure: 1}\n" TIME, "volume and pressure on the same surface"},
      {PLANE HELD "- {on: inner, volume: 2}\n- {on: [inner, outer], pressure: 1}\n" TIME,
       "pressure on 'inner and 1 more', where"},
      {PLANE HELD "- {on: outer, volume: 2}\n" TIME, "has the body inside, not a cavity: the volume behind it is -"},
      {PLANE HELD "- {on: inner, volume: 'V0*x'}\n" TIME, "volume is one number for the whole cavity"},
      {PLANE HELD "- {on: inner, volume: 'V0 - 5*t'}\n" TIME, "is to be -0.25 at t = 0.25, must be > 0"},
      {PLANE HELD "- {on: inner, pressure: 'V0'}\n" TIME, "V0 is the initial volume of a cavity, which only 'volume'"},
      {PLANE HELD "- {on: inner, pressure: 1}\n" TIME "output: {sums: [{name: v, on: inner, field: volume}]}\n",
       "no entry of 'boundary' prescribes a volume there"},
      {"version: 1\nmesh: {file: block.msh}\nphysics: elasticity\nmodel: plane-strain\nstrain: finite\n"
       "analysis: {type: modal, modes: 2, prestress: true}\nmaterials: [{on: body, type: neo-hooke, young: 3, "
       "poisson: 0.3, density: 1}]\nboundary:\n" HELD "- {on: inner, volume: 2}\n" TIME,
       "'volume' is for finite-strain cases; this is a finite-strain modal case\n  remedy: leave it out or leave "
       "'analysis' out"},
      {"version: 1\nmesh: {file: block.msh}\nphysics: elasticity\nmodel: plane-strain\nmaterials: [{on: body, "
       "young: 3, poisson: 0.3}]\nboundary:\n" HELD "- {on: inner, volume: 2}\n",
       "'volume' is for finite-strain cases; this is a static case\n  remedy: leave it out or write 'strain: finite'"}};
  char *folder = scratch_create();
  write_block(folder, 2);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    Said said = app_run_says(folder, rows[k].text);
    if (said.code != 3 || !strstr(said.err, rows[k].said)) fail_msg("row %d: %d %s", (int)k, said.code, said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

/* An eighth whose lowest plane is free: the chain of edges there, from one plane of symmetry to the other, has a lid. The volume is 1 at first
 * as that of the eighth that is held; a pressure makes a volume, and that volume makes the pressure; with a circulation it goes on to the same bits. */
#define CUP(cavity, circuit, more)                                                                                     \
  "version: 1\nmesh: {file: block.msh, order: 2}\nphysics: electromechanics\nmuscle: [{on: body, type: neo-hooke, "    \
  "young: 3, poisson: 0.3, fibers: {direction: [0, 0.6, 0.8]}, tension: {value: '2.5*sin(pi*t/40)^2', form: "          \
  "stretch}}]\nsolver: {rtol: 1e-10}\nboundary:\n- {on: x, symmetry: true}\n- {on: y, symmetry: true}\n- {on: outer, " \
  "spring: 0.5}\ncavities: [{name: lv, on: inner, lid: carries, " cavity "}]\n" circuit                                \
  "time: {end: 10, step: 1}\n" more
static void has_a_lid(void **state) {
  (void)state;
  char *folder = scratch_create(), text[4096];
  double pressed[3], filled[3], first[3];
  write_block(folder, 3);
  app_runs(folder, CUP("pressure: 't/50'", "", ""));
  char *rows = scratch_read(folder, "results/loops.csv");
  row_of(strchr(rows, '\n') + 1, 3, first);
  free(rows);
  assert_within(first[1], 1e-3, 1e-15);
  last_loop(folder, pressed);
  assert_true(pressed[1] > 1.02e-3);
  assert_true(scratch_reported(folder, "newton_iterations") <= 5 * 10);
  snprintf(text, sizeof text, CUP("volume: 'V0*(1 + %.15g*t/10)'", "", ""), pressed[1] / first[1] - 1);
  app_runs(folder, text);
  last_loop(folder, filled);
  assert_within(filled[2], pressed[2], 1e-7);
  scratch_write(folder, "case.yaml", CUP("pressure: 0.2", CIRCUIT, "output: {checkpoint: 3}\n"));
  assert_int_equal(app_run_until(folder, "whole", "--overwrite", NULL, 0), 0);
  assert_int_equal(app_run_until(folder, "parts", "--overwrite", NULL, app_guard_calls / 2), 10);
  assert_int_equal(app_run_until(folder, "parts", "--resume", NULL, 0), 0);
  char *left = scratch_read(folder, "whole/loops.csv"), *right = scratch_read(folder, "parts/loops.csv");
  assert_string_equal(left, right);
  free(left), free(right);
  Said said = app_run_says(folder, PUMP_WITH("", "pressure: 0.2, lid: carries", "", ""));
  if (said.code != 3 || !strstr(said.err, "of which no edge is open")) fail_msg("%d: %s", said.code, said.err);
  said_release(&said);
  said =
      app_run_says(folder, "version: 1\nmesh: {file: block.msh}\nphysics: electromechanics\nmuscle: [{on: body, type: "
                           "neo-hooke, young: 3, poisson: 0.3}]\nboundary:\n- {on: x, periodic: y, rotate: {origin: "
                           "[0, 0, 0], axis: [0, 0, 1]}}\n- {on: outer, spring: 0.5}\ncavities: [{name: lv, on: "
                           "inner, lid: carries, pressure: 't/50'}]\ntime: {end: 10, step: 1}\n");
  if (said.code != 3 || !strstr(said.err, "'inner' ends at the cut 'x' of a sector"))
    fail_msg("%d: %s", said.code, said.err);
  said_release(&said);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(balances),
                                     cmocka_unit_test(of_muscle),
                                     cmocka_unit_test(passes),
                                     cmocka_unit_test(tube),
                                     cmocka_unit_test(refuses),
                                     cmocka_unit_test(circulates),
                                     cmocka_unit_test(in_a_closed_loop),
                                     cmocka_unit_test(begins_with_beats_that_repeat),
                                     cmocka_unit_test(goes_on),
                                     cmocka_unit_test(has_a_lid),
                                     cmocka_unit_test(refuses_circulations)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
