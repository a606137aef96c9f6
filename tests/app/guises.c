/* One problem in three guises, as it is, turned in space and in other units: all answers are the same. Cases are texts in which what
 * has a direction or a unit stands in angle brackets:
 *   <n 5 F L-2>  a number times units    <v 1 2 3 F>  a vector    <p 1 2 3>  a point
 *   <w 1 2 3 F L-2 * @x*@z>  a vector times an expression of the coordinates as they were, @x, @y and @z */
#include "mesh/mesh.h"
#include "tests/app/scratch.h"
#include "tests/draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed = 5;
static double draw(double low, double high) { return draw_between(&seed, low, high); }

enum { UNITS = 4, PROBES = 4, ROOM = 1 << 15 };
typedef struct Guise {
  double Q[3][3], at[3], unit[UNITS]; /* of length, force, time, temperature */
} Guise;

static Guise plain(void) { return (Guise){.Q = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .unit = {1, 1, 1, 1}}; }

/* About a drawn axis. */
static Guise rotated(void) {
  Guise g = plain();
  double a[3], size = 0;
  for (int k = 0; k < 3; ++k) a[k] = draw(-1, 1), g.at[k] = draw(-3, 3), size += a[k] * a[k];
  const double angle = draw(0.4, 2.5), c = cos(angle), s = sin(angle);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int k = 3 - i - j;
      g.Q[i][j] = a[i] * a[j] / size * (1 - c) + (i == j ? c : ((j + 1) % 3 == i ? 1 : -1) * s * a[k] / sqrt(size));
    }
  return g;
}

static double units_of(const Guise *g, const char *text) {
  static const char letter[] = "LFTK";
  double unit = 1;
  for (const char *p = text; *p && *p != '>' && *p != '*'; ++p) {
    const char *at = strchr(letter, *p);
    const bool power = p[1] == '-' || (p[1] >= '0' && p[1] <= '9');
    if (at) unit *= pow(g->unit[at - letter], power ? atof(p + 1) : 1);
  }
  return unit;
}

/* The coordinates as they were, of where a point is now. */
static int put_coordinate(const Guise *g, int k, char *out, size_t room) {
  int n = snprintf(out, room, "(");
  for (int p = 0; p < 3; ++p)
    n += snprintf(out + n, room - (size_t)n, "%s(%.17g)*(%c-(%.17g))", p ? "+" : "", g->Q[p][k] / g->unit[0], "xyz"[p],
                  g -> unit[0] * g -> at[p]);
  return n + snprintf(out + n, room - (size_t)n, ")");
}

static int put_expression(const Guise *g, const char *text, char *out, size_t room) {
  int n = 0;
  for (; *text && *text != '>'; ++text) {
    if (*text == '@') n += put_coordinate(g, *++text - 'x', out + n, room - (size_t)n);
    else out[n++] = *text;
  }
  out[n] = 0;
  return n;
}

/* What stands behind '<', up to '>'. */
static int put_part(const Guise *g, const char *text, char *out, size_t room) {
  double v[3], w[3];
  char *end = NULL;
  int n = 0;
  for (int k = 0; k < (*text == 'n' ? 1 : 3); ++k) v[k] = strtod(k ? end : text + 1, &end);
  if (*text == 'n') return snprintf(out, room, "%.17g", v[0] * units_of(g, end));
  for (int i = 0; i < 3; ++i) {
    w[i] = *text == 'p' ? g->at[i] : 0;
    for (int j = 0; j < 3; ++j) w[i] += g->Q[i][j] * v[j];
    w[i] *= *text == 'p' ? g->unit[0] : units_of(g, end);
  }
  for (int i = 0; i < 3; ++i) {
    n += snprintf(out + n, room - (size_t)n, "%s%s%.17g", i ? ", " : "[", *text == 'w' ? "\"" : "", w[i]);
    if (*text != 'w') continue;
    n += snprintf(out + n, room - (size_t)n, "*(");
    n += put_expression(g, strchr(text, '*') + 1, out + n, room - (size_t)n);
    n += snprintf(out + n, room - (size_t)n, ")\"");
  }
  return n + snprintf(out + n, room - (size_t)n, "]");
}

static void put_text(const Guise *g, const char *text, char *out) {
  int n = (int)strlen(out);
  for (; *text; ++text) {
    if (*text == '<') {
      n += put_part(g, text + 1, out + n, ROOM - (size_t)n);
      text = strchr(text, '>');
    } else if (*text == '@') n += put_coordinate(g, *++text - 'x', out + n, ROOM - (size_t)n);
    else out[n++] = *text;
    assert_true(n < ROOM - 2000);
  }
  out[n] = 0;
}

/* ---- the problems ---- */

typedef struct Problem {
  const char *text;
  int order;
  int values; /* modes.csv has so many; 0: probes.csv has displacements and stresses, or */
  bool large; /* displacements alone */
} Problem;

#define STIFF "young: <n 1000 F L-2>, poisson: 0.3, density: <n 2 F T2 L-4>, expansion: <n 1e-3 K-1>"
#define WOOD                                                                                                           \
  "materials: [{on: body, type: orthotropic, young: [<n 1500 F L-2>, <n 900 F L-2>, <n 700 F L-2>], poisson: [0.2, "   \
  "0.25, 0.3], "                                                                                                       \
  "shear: [<n 300 F L-2>, <n 350 F L-2>, <n 400 F L-2>], density: <n 2 F T2 L-4>, expansion: [<n 1e-3 K-1>, <n 2e-3 "  \
  "K-1>, <n "                                                                                                          \
  "3e-3 K-1>], axes: "
#define STRAIGHT "{x: <v 1 .3 .2>, y: <v -.2 1 .4>}}]\n"
#define HEAT "thermal: {reference: <n 2 K>, temperature: \"<n 1 K>*(5+3*@x*@z)\"}\n"
#define HELD "boundary:\n  - {on: z0, fix: all}\n"
#define PULL "  - {on: x1, traction: <w 1 .5 -.3 F L-2 * 0.4+@y>, pressure: <n .7 F L-2>}\n"
#define SPIN "{on: body, centrifugal: {origin: <p .1 .2 .3>, axis: <v .2 .3 1>, speed: <n 1.5 T-1>}}"
#define TIMES "solver: {rtol: 1e-11}\ntime: {end: <n 1 T>, step: <n 0.5 T>}\n"
static const Problem problems[] = {
    {"solver: {rtol: 1e-12}\n" WOOD STRAIGHT HEAT HELD PULL "body: [" SPIN
     ", {on: body, gravity: <v .3 -1 .4 L T-2>}]\n",
     2, 0, false},
    {"solver: {rtol: 1e-12}\n" WOOD "{x: <w 1 .4 .1 * 1+0.5*@x>, y: <v 0 .2 1>}}]\n" HEAT HELD PULL, 1, 0, false},
    {"solver: {rtol: 1e-12}\nmaterials: [{on: body, " STIFF
     "}]\nboundary:\n  - {on: z0, spring: {normal: <n 50 F L-3>}}\n"
     "  - {on: x1, spring: <n 20 F L-3>, mass: <n 3 F T2 L-1>}\n"
     "  - {on: z1, rigid: {at: <p .1 .2 1>, force: <v 1 2 3 F>, moment: <v .3 .2 .4 F L>}}\n"
     "  - {on: y0, distribute: {at: <p 0 .5 .1>, force: <v .4 -.2 .1 F>, moment: <v .1 .2 -.3 F L>}}\nbody: [" SPIN
     "]\n"
     "springs:\n  - {at: <p 0 0 0>, to: <p 0 1 0>, stiffness: <n 70 F L-1>}\n"
     "  - {at: <p 0 1 0>, stiffness: <n 30 F L-1>, direction: <v 1 1 .5>}\n",
     1, 0, false},
    {"solver: {rtol: 1e-11}\nanalysis: {type: harmonic, frequency: <n .4 T-1>, damping: {loss-factor: 0.03, alpha: <n "
     ".1 T-1>, beta: "
     "<n .01 T>}}\n" WOOD STRAIGHT HELD PULL "  - {on: z1, dashpot: <n 2 F T L-3>, mass: <n .5 F T2 L-1>}\n",
     1, 0, false},
    {"analysis: {type: modal, modes: 4, prestress: true}\n" WOOD STRAIGHT HEAT HELD PULL
     "  - {on: z1, mass: <n .5 F T2 L-1>, spring: <n 5 F L-3>}\nbody: [" SPIN "]\n",
     1, 4, false},
    {TIMES "analysis: {type: transient, damping: {alpha: <n .1 T-1>, beta: <n .01 T>}}\n" WOOD STRAIGHT HELD PULL, 1, 0,
     false},
    {TIMES "materials: [{on: body, type: plastic, young: <n 1000 F L-2>, poisson: 0.3, yield: [[0, <n 2 F L-2>], [0.1, "
           "<n 40 F L-2>]], "
           "backstress: [[<n 100 F L-2>, 20]], creep: {norm: <n 1e-4 F-3 L6 T-1>, exponent: 3}, expansion: <n 1e-4 "
           "K-1>}]\n" HEAT HELD "  - {on: z1, traction: <w 2 .5 1.2 F L-2 * 1+0.4*@y>}\n",
     1, 0, false},
    {TIMES "materials: [{on: body, type: viscoelastic, young: <n 1000 F L-2>, poisson: 0.3, prony: [[0.3, <n 1 T>], "
           "[0.2, <n 10 T>]], "
           "expansion: <n 1e-3 K-1>}]\n" HEAT HELD PULL,
     1, 0, false},
    {"strain: finite\n" TIMES "materials: [{on: body, type: neo-hooke, " STIFF "}]\n" HEAT HELD
     "  - {on: x1, pressure: <n 30 F L-2>}\n  - {on: z1, rigid: {at: <p 0 .1 1>, moment: <v 8 9 30 F L>}}\n",
     1, 0, true}};

static void write_mesh(const char *folder, const Guise *g, ElementKind kind) {
  const BoxParams box = {.kind = kind, .size = {1, 1, 1}, .n = {2, 2, 2}};
  Mesh *mesh = NULL;
  assert_ok(mesh_box(&box, &mesh));
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    double *x = mesh->x[i], y[3];
    const double bend = x[0] * (1 - x[0]) * x[1];
    y[0] = x[0] + 0.1 * x[2] * x[1], y[1] = x[1] + 0.2 * bend, y[2] = x[2] - 0.1 * x[1] * x[2];
    for (int p = 0; p < 3; ++p)
      x[p] = g->unit[0] * (g->at[p] + g->Q[p][0] * y[0] + g->Q[p][1] * y[1] + g->Q[p][2] * y[2]);
  }
  assert_ok(mesh_write_h5(mesh, scratch_path(folder, "body.h5")));
  mesh_destroy(&mesh);
}

static const char *const component[] = {"xx", "yy", "zz", "xy", "yz", "xz"};

static void put_probes(const Problem *q, const Guise *g, double (*at)[3], char *out) {
  char line[200];
  strcat(out, "output:\n  probes:\n");
  for (int p = 0; p < PROBES; ++p)
    for (int c = 0; c < (q->large ? 3 : 9); ++c) {
      snprintf(line, sizeof line, "    - {name: p%d-%d, at: <p %.17g %.17g %.17g>, field: %s-%s%s}\n", p, c, at[p][0],
               at[p][1], at[p][2], c < 3 ? "displacement" : "stress",
               c < 3 ? (const char *[]){"x", "y", "z"}[c] : component[c - 3],
               strstr(q->text, "harmonic") ? ", part: imaginary" : "");
      put_text(g, line, out);
    }
}

/* Displacement and stress of a probe, in the axes and units of the plain guise. */
static void take_back(const Guise *g, bool large, const double *v, double u[3], double s[3][3]) {
  const double S[3][3] = {{v[3], v[6], v[8]}, {v[6], v[4], v[7]}, {v[8], v[7], v[5]}};
  for (int i = 0; i < 3; ++i) {
    u[i] = 0;
    for (int a = 0; a < 3; ++a) u[i] += g->Q[a][i] * v[a] / g->unit[0];
    for (int j = 0; j < 3; ++j) {
      s[i][j] = 0;
      for (int a = 0; a < 3 && !large; ++a)
        for (int b = 0; b < 3; ++b) s[i][j] += g->Q[a][i] * S[a][b] * g->Q[b][j] * pow(g->unit[0], 2) / g->unit[1];
    }
  }
}

/* Numbers of the run: of each probe 3 and 9, or frequencies. */
static int answers(const char *folder, const Problem *q, const Guise *g, double *out) {
  const int of_probe = q->large ? 3 : 9;
  double v[9 * PROBES + 1 + 9] = {0};
  if (!q->values) {
    scratch_last_row(folder, of_probe * PROBES + 1, v);
    for (int p = 0; p < PROBES; ++p)
      take_back(g, q->large, v + 1 + of_probe * p, out + 12 * p, (double(*)[3])(out + 12 * p + 3));
    return 12 * PROBES;
  }
  char *rows = scratch_read(folder, "results/modes.csv"), *at = rows;
  for (int k = 0; k < q->values; ++k) {
    at = strchr(at, '\n') + 1;
    assert_int_equal(sscanf(at, "%*d,%lf", &out[k]), 1);
    out[k] *= g->unit[2];
  }
  free(rows);
  return q->values;
}

static void compare(const Problem *q, int i, int guise, int n, const double *wanted, const double *got) {
  double most[2] = {0};
  for (int k = 0; k < n; ++k) most[k % 12 >= 3] = fmax(most[k % 12 >= 3], fabs(wanted[k]));
  if (q->values) most[0] = most[1] = wanted[n - 1];
  assert_true(most[0] > 0);
  for (int k = 0; k < n; ++k)
    if (!(fabs(wanted[k] - got[k]) <= 1e-7 * most[k % 12 >= 3]))
      fail_msg("problem %d, guise %d, number %d: %.12g, wanted %.12g", i, guise, k, got[k], wanted[k]);
}

static void in_all_guises(void **state) {
  (void)state;
  static char text[ROOM];
  static const ElementKind kinds[] = {ELEMENT_HEX8, ELEMENT_TET4};
  char *folder = scratch_create();
  for (size_t i = 0; i < sizeof problems / sizeof *problems; ++i) {
    const Problem *q = &problems[i];
    Guise guise[3] = {plain(), rotated(), plain()};
    double at[PROBES][3], wanted[12 * PROBES], got[12 * PROBES];
    guise[2].unit[0] = 1e3, guise[2].unit[1] = 1e-2, guise[2].unit[2] = 1e3, guise[2].unit[3] = 50;
    for (int p = 0; p < PROBES; ++p)
      for (int k = 0; k < 3; ++k) at[p][k] = draw(0.2, 0.8);
    for (int g = 0; g < 3; ++g) {
      write_mesh(folder, &guise[g], kinds[i % 2]);
      snprintf(text, sizeof text, "version: 1\nphysics: elasticity\nmodel: 3d\nmesh: {file: body.h5, order: %d}\n",
               q->order);
      put_text(&guise[g], q->text, text);
      if (!q->values) put_probes(q, &guise[g], at, text);
      app_runs(folder, text);
      const int n = answers(folder, q, &guise[g], g ? got : wanted);
      if (g) compare(q, (int)i, g, n, wanted, got);
    }
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(in_all_guises)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
