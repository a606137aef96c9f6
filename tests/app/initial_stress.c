/* Stress that a body has before anything acts. Linear bodies are held to heat that makes the same stress where nothing can move; metals
 * and finite strain to the closed forms of bodies that are held, and to CalculiX 2.20. */
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STRESS = 2, ENERGY = 5, ROW = 8 };
#define PLACE(dim, x, y, z) (dim == 3 ? "[" x ", " y ", " z "]" : "[" x ", " y "]")
#define HEATED ", expansion: 1e-3"
#define WARM "thermal: {reference: 0, temperature: \"2 + x*y\"}\n"

/* A block that is held at one end; `more`: of its material; `act`: keys of the case. */
static const char *block(const char *mesh, const char *model, const char *more, const char *act) {
  static char text[4000];
  const int dim = strncmp(model, "3d", 2) == 0 ? 3 : 2;
  const char *at = PLACE(dim, "2.1", "0.4", "0.3"), *in = PLACE(dim, "1.2", "0.37", "0.21");
  snprintf(text, sizeof text,
           "version: 1\nmesh: {%s}\nphysics: elasticity\nmodel: %s\nmaterials: [{on: body, young: 1000%s}]\nboundary: "
           "[{on: x0, fix: all}]\nsolver: {rtol: 1e-11}\n%soutput:\n  probes: [{name: a, at: %s, field: "
           "displacement-x}, {name: b, at: %s, field: displacement-y}, {name: c, at: %s, field: stress-xx}, {name: d, "
           "at: %s, field: stress-xy}, {name: e, at: %s, field: stress-yy}]\n  sums: [%s{name: s, on: x0, field: "
           "reaction}]\n",
           mesh, model, more, act, at, at, in, in, in,
           strstr(model, "finite") ? "" : "{name: w, on: body, field: strain-energy}, ");
  return text;
}

static void row_of(const char *text, double row[ROW]) {
  char *folder = scratch_create();
  app_runs(folder, text);
  scratch_row(folder, ROW, row);
  scratch_remove(&folder);
}

/* `points`: stress and energy too; mean dilatation takes the mean of heat in an element, and stress as it is at each point. */
static void rows_agree(const double *a, const double *b, double rtol, bool points) {
  for (int k = 0; k < ROW; ++k)
    if (points || k < STRESS || k > ENERGY) assert_within(a[k], b[k], rtol * fabs(b[k]) + 1e-8);
}

/* Stress of -E alpha T/(1 - 2 nu), or in plane stress of -E alpha T/(1 - nu), is what heat makes of a body that is held. */
static void as_heat_makes(void **state) {
  static const struct {
    const char *mesh, *model, *law, *stress;
  } t[] = {{"grid: [3, 2, 2], size: [2.1, 0.9, 0.8], order: 2", "3d", ", poisson: 0.3",
            "xx: \"-2.5*(2 + x*y)\", yy: \"-2.5*(2 + x*y)\", zz: \"-2.5*(2 + x*y)\""},
           {"grid: [3, 3, 2], size: [2.1, 0.9, 0.8]", "3d\nformulation: incompatible-modes", ", poisson: 0.3",
            "xx: \"-2.5*(2 + x*y)\", yy: \"-2.5*(2 + x*y)\", zz: \"-2.5*(2 + x*y)\""},
           {"grid: [3, 2, 2], size: [2.1, 0.9, 0.8], order: 2", "3d\nformulation: mean-dilatation", ", poisson: 0.498",
            "xx: \"-250*(2 + x*y)\", yy: \"-250*(2 + x*y)\", zz: \"-250*(2 + x*y)\""},
           {"grid: [4, 3], size: [2.1, 0.9], order: 2", "plane-strain", ", poisson: 0.3",
            "xx: \"-2.5*(2 + x*y)\", yy: \"-2.5*(2 + x*y)\", zz: \"-2.5*(2 + x*y)\""},
           {"grid: [4, 3], size: [2.1, 0.9], order: 2", "axisymmetric", ", poisson: 0.3",
            "xx: \"-2.5*(2 + x*y)\", yy: \"-2.5*(2 + x*y)\", zz: \"-2.5*(2 + x*y)\""},
           {"grid: [4, 3], size: [2.1, 0.9], order: 2", "plane-stress", ", poisson: 0.3",
            "xx: \"-(2 + x*y)/0.7\", yy: \"-(2 + x*y)/0.7\""}};
  (void)state;
  for (size_t i = 0; i < sizeof t / sizeof *t; ++i) {
    char more[500];
    double heated[ROW], begun[ROW], both[ROW];
    const bool points = !strstr(t[i].model, "mean-dilatation");
    snprintf(more, sizeof more, "%s" HEATED, t[i].law);
    row_of(block(t[i].mesh, t[i].model, more, WARM), heated);
    snprintf(more, sizeof more, "%s, initial-stress: {%s}", t[i].law, t[i].stress);
    row_of(block(t[i].mesh, t[i].model, more, ""), begun);
    rows_agree(begun, heated, 1e-7, points);
    /* beside heat, and in load cases: twice of all but the energy, which is four times */
    snprintf(more, sizeof more, "%s" HEATED ", initial-stress: {%s}", t[i].law, t[i].stress);
    row_of(block(t[i].mesh, t[i].model, more, WARM), both);
    for (int k = 0; k < ROW; ++k) heated[k] *= k == ENERGY ? 4 : 2;
    rows_agree(both, heated, 1e-7, points);
  }
}

/* All nodes are held: the stress is what the body begins with, which in a metal returns to its yield surface. */
#define HELD(strain, law, stress, time)                                                                                \
  "version: 1\nmesh: {grid: [3, 2, 2], size: [1, 1, 1]}\nphysics: elasticity\nmodel: 3d\n" strain                      \
  "materials: [{on: body, " law "young: 1000, poisson: 0.3, initial-stress: " stress                                   \
  "}]\nboundary: [{on: body, fix: all}]\n" time "output: {fields: [displacement], probes: [{name: xx, at: [0.3, 0.4, " \
  "0.6], field: stress-xx}, {name: yy, at: [0.3, 0.4, 0.6], field: stress-yy}, {name: zz, at: [0.3, 0.4, 0.6], "       \
  "field: "                                                                                                            \
  "stress-zz}, {name: xy, at: [0.3, 0.4, 0.6], field: stress-xy}, {name: yz, at: [0.3, 0.4, 0.6], field: stress-yz}, " \
  "{name: xz, "                                                                                                        \
  "at: [0.3, 0.4, 0.6], field: stress-xz}]}\n"
#define SIX "{xx: 10, yy: 5, zz: -3, xy: 2, yz: -4, xz: 1}"
#define METAL "type: plastic, yield: [[0, 8], [0.1, 20]], "

static void held_is(const char *text, const double *wanted, double tolerance) {
  char *folder = scratch_create();
  double row[7];
  app_runs(folder, text);
  scratch_last_row(folder, 7, row);
  for (int k = 0; k < 6; ++k) assert_within(row[1 + k], wanted[k], tolerance);
  scratch_remove(&folder);
}

static void held_bodies_keep_it(void **state) {
  static const double six[6] = {10, 5, -3, 2, -4, 1};
  double flows[6], q = 0;
  (void)state;
  held_is(HELD("", "", SIX, ""), six, 1e-12);
  held_is(HELD("strain: finite\n", "", SIX, "time: {end: 1, step: 1}\n"), six, 1e-12);
  /* q - 3 G p = 8 + 120 p */
  for (int k = 0; k < 6; ++k) flows[k] = six[k] - (k < 3 ? 4 : 0), q += (k < 3 ? 1.5 : 3) * flows[k] * flows[k];
  q = sqrt(q);
  const double G = 1000 / 2.6, p = (q - 8) / (3 * G + 120);
  for (int k = 0; k < 6; ++k) flows[k] = flows[k] * (8 + 120 * p) / q + (k < 3 ? 4 : 0);
  assert_within(flows[0], 7.702991, 1e-6); /* CalculiX */
  held_is(HELD("", METAL, SIX, "time: {end: 1, step: 0.5}\n"), flows, 1e-9);
  held_is(HELD("strain: finite\n", METAL, SIX, "time: {end: 1, step: 0.5}\n"), flows, 1e-9);
  held_is(HELD("", METAL "backstress: [[1e-9, 0]], ", SIX, "time: {end: 1, step: 0.5}\n"), flows, 1e-6);
}

/* In plane stress at finite strain the strain across the plane is found at rest, too, where it is what rounding leaves. */
static void flat_bodies_keep_it(void **state) {
  char *folder = scratch_create();
  (void)state;
  app_verifies(
      folder,
      "version: 1\nmesh: {grid: [3, 3], size: [1, 1], order: 2}\nphysics: elasticity\nmodel: plane-stress\n"
      "strain: finite\nmaterials: [{on: body, young: 1000, poisson: 0.3, initial-stress: {xx: 5, yy: 2, xy: 1}}]\n"
      "boundary: [{on: body, fix: all}]\ntime: {end: 1, step: 1}\noutput: {probes: [{name: xx, at: [0.3, 0.4], "
      "field: stress-xx}, {name: yy, at: [0.3, 0.4], field: stress-yy}, {name: xy, at: [0.3, 0.4], field: "
      "stress-xy}]}\nexpect: [{probe: xx, value: 5, rtol: 1e-9}, {probe: yy, value: 2, rtol: 1e-9}, {probe: xy, value: "
      "1, rtol: 1e-9}]\n");
  scratch_remove(&folder);
}

/* Nothing holds it against its own strain: it has no stress, and the strain of the stress that has gone. */
static void free_bodies_lose_it(void **state) {
  char *folder = scratch_create();
  (void)state;
  app_verifies(folder,
               "version: 1\nmesh: {grid: [3, 4, 3], size: [2, 1, 1], order: 2}\nphysics: elasticity\nmodel: 3d\n"
               "materials: [{on: body, type: orthotropic, young: [1000, 800, 500], poisson: [0.3, 0.2, 0.25], shear: "
               "[300, 250, 200], initial-stress: {xx: 5, yy: -3, zz: 2}}]\nboundary: [{on: x0, fix: {x: 0}}, {on: y0, "
               "fix: {y: 0}}, {on: z0, fix: {z: 0}}]\nsolver: {rtol: 1e-11}\noutput: {probes: [{name: s, at: [1.1, "
               "0.3, 0.4], field: "
               "stress-xx}, {name: u, at: [2, 1, 1], field: displacement-x}, {name: w, at: [2, 1, 1], field: "
               "displacement-z}]}\nexpect: [{probe: s, value: 0, atol: 1e-8}, {probe: u, value: -0.011, rtol: 1e-9}, "
               "{probe: w, value: -0.0039375, rtol: 1e-9}]\n");
  scratch_remove(&folder);
}

#define STRING(strain, analysis, law, act)                                                                             \
  "version: 1\nmesh: {grid: [6, 2, 2], size: [8, 0.5, 0.4], order: 2}\nphysics: elasticity\nmodel: 3d\n" strain        \
  "analysis: {type: modal, modes: 3" analysis "}\nmaterials: [{on: body, young: 1000, poisson: 0.3, density: 1" law    \
  "}]\nboundary: [{on: x0, fix: all}, {on: x1, fix: all}]\nsolver: {rtol: 1e-10}\n" act                                \
  "output: {fields: [displacement, stress], probes: [{name: s, at: [2.1, 0.1, 0.3], field: stress-xx}, {name: f, at: " \
  "[2.1, 0.1, 0.3], field: displacement-x}]}\n"

/* Modes of a string that is under stress are those of one that has been cooled, and so are their stresses. */
static void modes_feel_it(void **state) {
  char *folder = scratch_create();
  double cooled[2], begun[2];
  (void)state;
  app_runs(folder, STRING("", ", prestress: true", ", expansion: 1e-3", "thermal: {reference: 0, temperature: -8}\n"));
  scratch_row(folder, 2, cooled);
  const double first = scratch_reported(folder, "frequency");
  app_runs(folder, STRING("", ", prestress: true", ", initial-stress: {xx: 20, yy: 20, zz: 20}", ""));
  scratch_row(folder, 2, begun);
  assert_within(scratch_reported(folder, "frequency"), first, 1e-7 * first);
  assert_within(fabs(begun[0]), fabs(cooled[0]), 1e-7 * fabs(cooled[0]));
  assert_within(fabs(begun[1]), fabs(cooled[1]), 1e-5 * fabs(cooled[1]) + 1e-9);
  app_runs(folder, STRING("", "", "", ""));
  assert_true(scratch_reported(folder, "frequency") < 0.9 * first);
  scratch_remove(&folder);
}

/* Load steps of a linear body have its end, and at finite strain small ones do to their size; a run that has stopped goes on with it. */
static void steps_have_it(void **state) {
  double linear[ROW], stepped[ROW + 1], large[ROW + 1];
  char *folder = scratch_create();
  static const char law[] = ", poisson: 0.3, initial-stress: {xx: \"2e-3*(1 - y)\", yz: 1e-3, xy: 5e-4}";
  static const char mesh[] = "grid: [3, 3, 2], size: [2.1, 0.9, 0.8]";
  (void)state;
  row_of(block(mesh, "3d\nformulation: displacement", law, ""), linear);
  app_runs(folder, block(mesh, "3d\nformulation: displacement", law, "time: {end: 1, step: 0.5}\n"));
  scratch_last_row(folder, ROW + 1, stepped);
  for (int k = 0; k < ROW; ++k) assert_within(stepped[1 + k], linear[k], 1e-7 * fabs(linear[k]) + 1e-12);
  app_runs(folder, block(mesh, "3d\nstrain: finite\nformulation: displacement", law, "time: {end: 1, step: 0.5}\n"));
  scratch_last_row(folder, ROW + 1, large);
  for (int k = 0; k < 5; ++k) assert_within(large[1 + k], linear[k], 1e-4 * fabs(linear[k]) + 1e-9);
  scratch_remove(&folder);
}

/* Of a distorted C3D8 whose point 5 begins with another stress; the numbers are those of CalculiX. */
static void node_moves(const char *folder, const char *deck, const double wanted[3]) {
  char path[512];
  double u[3];
  scratch_write(folder, "deck.inp", deck);
  snprintf(path, sizeof path, "%s", scratch_path(folder, "out"));
  Said said = app_says("run", scratch_path(folder, "deck.inp"), "--output", path, "--overwrite", "--backend",
                       app_backend(), NULL);
  assert_int_equal(said.code, 0);
  said_release(&said);
  char *table = scratch_read(folder, "out/deck.dat");
  const char *line = strstr(table, "\n         7 ");
  assert_non_null(line);
  assert_int_equal(sscanf(line, " 7 %lf %lf %lf", &u[0], &u[1], &u[2]), 3);
  for (int k = 0; k < 3; ++k) assert_within(u[k], wanted[k], 2e-7);
  free(table);
}

static void decks_give_it(void **state) {
  static const double wanted[3] = {-1.191209E-01, -9.402252E-02, 1.793657E-01};
#define BEGUN(type, lines)                                                                                             \
  "*NODE,NSET=N\n1,0.,0.,0.\n2,1.,0.,0.1\n3,1.1,1.,0.\n4,0.,1.,0.\n5,0.,0.1,1.\n6,1.,0.,1.2\n7,1.,1.1,1.\n"            \
  "8,0.1,1.,1.\n*ELEMENT,TYPE=C3D8,ELSET=E\n1,1,2,3,4,5,6,7,8\n*MATERIAL,NAME=M\n*ELASTIC\n1000.,.3\n"                 \
  "*SOLID SECTION,ELSET=E,MATERIAL=M\n*BOUNDARY\n1,1,3\n2,2,3\n4,1\n4,3\n*INITIAL CONDITIONS,TYPE=" type "\n" lines    \
  "*STEP\n*STATIC\n*CLOAD\n7,3,5.\n*NODE PRINT,NSET=N\nU\n*END STEP\n"
  char *folder = scratch_create();
  (void)state;
  node_moves(folder, BEGUN("STRESS", "E,10.,5.,-3.,2.,1.,-4.\n1,5,20.,5.,-3.,2.,1.,-4.\n"), wanted);
  /* the elastic opposite, (1 + nu)/E sigma - nu/E tr sigma, of 12 and at point 5 of 22 */
  node_moves(folder,
             BEGUN("PLASTIC STRAIN", "E,-.0094,-.0029,.0075,-.0026,-.0013,.0052\n1,5,-.0194,.0001,.0105,-.0026,-.0013,"
                                     ".0052\n"),
             wanted);
  scratch_remove(&folder);
}

#define SHEARED(begins, load, step)                                                                                    \
  "*NODE,NSET=N\n1,0.,0.,0.\n2,1.,0.,0.\n3,1.,1.,0.\n4,0.,1.,0.\n5,0.,0.,1.\n6,1.,0.,1.\n7,1.,1.,1.\n8,0.,1.,1.\n"     \
  "*ELEMENT,TYPE=C3D8,ELSET=E\n1,1,2,3,4,5,6,7,8\n*MATERIAL,NAME=M\n*ELASTIC\n1000.,0.\n*DENSITY\n1.\n"                \
  "*SOLID SECTION,ELSET=E,MATERIAL=M\n*BOUNDARY\n1,1,3\n4,1,3\n5,1,3\n8,1,3\n2,1\n3,1\n6,1\n7,1\n2,3\n3,3\n6,3\n"      \
  "7,3\n" begins "*STEP\n*STATIC\n" load "*END STEP\n*STEP" step "\n*FREQUENCY\n1\n*END STEP\n"

/* y at x = 1 of u = x: 500, and under the stress 600, times int u'^2, over int u^2 = 1/3. A static step has no load but the stress that
 * the body begins with; of one with loads modes without PERTURBATION see nothing, not even what its supports do. */
static void modes_of_decks_feel_it(void **state) {
  static const struct {
    const char *deck;
    double stiffness;
  } t[] = {{SHEARED("*INITIAL CONDITIONS,TYPE=STRESS\nE,100.,0.,0.,0.,0.,0.\n", "", ",PERTURBATION"), 600},
           {SHEARED("", "*BOUNDARY\n2,1,1,0.1\n3,1,1,0.1\n6,1,1,0.1\n7,1,1,0.1\n", ",PERTURBATION"), 600},
           {SHEARED("", "*BOUNDARY\n2,1,1,0.1\n*CLOAD\n3,2,5.\n*DLOAD\nE,P1,20.\n*NODE PRINT,NSET=N\nU\n", ""), 500}};
  char *folder = scratch_create(), path[512];
  (void)state;
  snprintf(path, sizeof path, "%s", scratch_path(folder, "results"));
  for (size_t i = 0; i < sizeof t / sizeof *t; ++i) {
    scratch_write(folder, "deck.inp", t[i].deck);
    Said said = app_says("run", scratch_path(folder, "deck.inp"), "--output", path, "--overwrite", "--backend",
                         app_backend(), NULL);
    assert_int_equal(said.code, 0);
    assert_int_equal(strstr(said.err, "modes of the body without loads") != NULL, t[i].stiffness < 600);
    said_release(&said);
    assert_within(scratch_reported(folder, "frequency"), sqrt(t[i].stiffness * 3) / (2 * acos(-1)), 1e-6);
  }
  scratch_remove(&folder);
}

static void what_is_refused(void **state) {
  char *folder = scratch_create();
  (void)state;
  app_refuses(folder, HELD("", "type: neo-hooke, ", SIX, ""), "initial-stress in a material 'neo-hooke'", "'plastic'");
  app_refuses(folder, STRING("", "", ", initial-stress: {xx: 20}", ""), "initial-stress does not act on the modes",
              "prestress");
  app_refuses(
      folder,
      block("grid: [4, 3], size: [2.1, 0.9]", "plane-stress", ", poisson: 0.3, initial-stress: {xx: \"t\"}", ""),
      "initial-stress depends on t", "x, y and z");
  Said said = app_run_says(
      folder, block("grid: [4, 3], size: [2.1, 0.9]", "plane-stress", ", poisson: 0.3, initial-stress: {zz: 1}", ""));
  assert_int_equal(said.code, 3);
  assert_non_null(strstr(said.err, "has a component zz of 1"));
  said_release(&said);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_heat_makes),       cmocka_unit_test(held_bodies_keep_it),
                                     cmocka_unit_test(flat_bodies_keep_it), cmocka_unit_test(free_bodies_lose_it),
                                     cmocka_unit_test(modes_feel_it),       cmocka_unit_test(steps_have_it),
                                     cmocka_unit_test(decks_give_it),       cmocka_unit_test(modes_of_decks_feel_it),
                                     cmocka_unit_test(what_is_refused)};
  return cmocka_run_group_tests_name("app/initial_stress", tests, NULL, NULL);
}
