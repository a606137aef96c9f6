/* Tables of decks: in the directions of *TRANSFORM and ORIENTATION, totals, strains, energies and volumes. The numbers
 * are those of CalculiX 2.20 on the same decks. */
#include "tests/cli/run_program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const DECK =
    "*NODE, NSET=ALL\n1,1,0,0\n2,2,0,0\n3,2,1,0\n4,1,1,0\n5,1,0,1\n6,2,0,1\n7,2,1,1\n8,1,1,1\n"
    "*ELEMENT, TYPE=C3D8, ELSET=BODY\n1,1,2,3,4,5,6,7,8\n"
    "*NSET, NSET=LOW, GENERATE\n1,4,1\n*NSET, NSET=FEW\n5,7\n"
    "*MATERIAL, NAME=STEEL\n*ELASTIC\n1000.,0.25\n"
    "*ORIENTATION, NAME=OR, SYSTEM=CYLINDRICAL\n0,0,0,0,0,1\n*TRANSFORM, NSET=FEW, TYPE=C\n0,0,0,0,0,1\n"
    "*SOLID SECTION, ELSET=BODY, MATERIAL=STEEL, ORIENTATION=OR\n*BOUNDARY\nLOW,1,3\n"
    "*STEP\n*STATIC\n*CLOAD\n5,1,1.\n7,2,2.\n8,3,3.\n";

static const struct Line {
  const char *print, *head, *label; /* the line of the table below `head` that begins with `label` */
  double value[6];
  const char *mark; /* what it ends with */
} lines[] = {
    {"*NODE PRINT,NSET=ALL\nU\n",
     "displacements (vx,vy,vz) for set ALL",
     "\n         7 ",
     {1.877930e-3, 2.274597e-2, -8.027543e-3},
     " L"},
    {"*NODE PRINT,NSET=ALL,GLOBAL=YES\nU\n",
     "displacements",
     "\n         7 ",
     {-8.492634e-3, 2.118445e-2, -8.027543e-3},
     ""},
    {"*NODE PRINT,NSET=ALL\nRF\n", "forces (fx,fy,fz) for set ALL", "\n         7 ", {0, 2, 0}, " L"},
    {"*NODE PRINT,NSET=LOW,TOTALS=ONLY\nRF\n",
     "\n total force (fx,fy,fz) for set LOW and time  0.1000000E+01\n",
     "\n      ",
     {-0.1055728, -1.788854, -3},
     ""},
    {"*NODE PRINT,NSET=LOW,TOTALS=YES\nRF\n", " total force", "\n      ", {-0.1055728, -1.788854, -3}, ""},
    {"*EL PRINT,ELSET=BODY\nS\n",
     "stresses",
     "\n         1   1 ",
     {0.118783, 0.4539883, 3.34925, -0.03582248, 5.467296, -2.194417},
     " OR"},
    {"*EL PRINT,ELSET=BODY,GLOBAL=YES\nS\n",
     "stresses",
     "\n         1   1 ",
     {0.1408137, 0.4319577, 3.34925, -0.09045818, 5.763085, -1.222146},
     ""},
    {"*EL PRINT,ELSET=BODY,GLOBAL=YES\nE\n",
     "strains (elem, integ.pnt.,exx,eyy,ezz,exy,exz,eyz)",
     "\n         1   8 ",
     {-3.499743e-3, 4.825094e-3, -1.842011e-3, 2.563971e-3, -9.199851e-3, 5.014874e-3},
     ""},
    {"*EL PRINT,ELSET=BODY\nENER\n",
     "internal energy density (elem, integ.pnt.,energy)",
     "\n         1   7 ",
     {0.1112087},
     ""},
    {"*EL PRINT,ELSET=BODY,TOTALS=ONLY\nELSE\n", " total internal energy for set BODY", "\n      ", {6.130566e-2}, ""},
    {"*EL PRINT,ELSET=BODY,TOTALS=YES\nEVOL\n", "\n volume (element, volume) for set BODY", "\n         1 ", {1}, ""},
};

static char *dat_of(const char *folder, const char *print) {
  char deck[4000];
  snprintf(deck, sizeof deck, "%s%s*END STEP\n", DECK, print);
  put_text(folder, "d.inp", deck);
  Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--overwrite", "--output", "out", NULL);
  assert_code(&run, 0);
  run_release(&run);
  return get_text(folder, "out/d.dat");
}

static void lines_are_those_of_calculix(void **state) {
  (void)state;
  char *folder = folder_create();
  for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i) {
    char *dat = dat_of(folder, lines[i].print), *at = strstr(dat, lines[i].head), *mark;
    at = at ? strstr(at, "\n\n") : NULL;
    at = at ? strstr(at, lines[i].label) : NULL;
    expect_that(at != NULL, "%s: no line '%s' below '%s' in\n%s", lines[i].print, lines[i].label, lines[i].head, dat);
    mark = at + strlen(lines[i].label);
    for (int k = 0; k < 6 && *mark != '\n' && strcmp(mark, lines[i].mark) != 0; ++k) {
      char *end;
      const double value = strtod(mark, &end);
      if (end == mark) break;
      assert_within(value, lines[i].value[k], 2e-6 * (fabs(lines[i].value[k]) + 0.01));
      mark = end;
    }
    const char *line_end = strchr(mark, '\n');
    expect_that(line_end && strncmp(mark, lines[i].mark, (size_t)(line_end - mark)) == 0 &&
                    strlen(lines[i].mark) == (size_t)(line_end - mark),
                "%s: ends with '%.20s'", lines[i].print, mark);
    free(dat);
  }
  folder_remove(&folder);
}

/* Only elements with an orientation are turned; TOTALS=ONLY leaves the lines out. */
static void parts_of_tables(void **state) {
  (void)state;
  char *folder = folder_create();
  char *dat = dat_of(folder, "*NODE PRINT,NSET=LOW,TOTALS=ONLY\nRF\n");
  assert_null(strstr(dat, "\n forces"));
  free(dat);
  dat = dat_of(folder, "*NODE PRINT,NSET=ALL\nU\n");
  assert_non_null(strstr(dat, "\n         6  1.8"));
  const char *six = strstr(dat, "\n         6 "), *end = strchr(six + 1, '\n');
  assert_true(end[-1] != 'L');
  free(dat);
  folder_remove(&folder);
}

/* n numbers of a point below the last table with the head. */
static void point_numbers(const char *dat, const char *head, const char *label, int n, double *out) {
  const char *at = NULL;
  for (const char *next = dat; (next = strstr(next, head)) != NULL; ++next) at = next;
  expect_that(at != NULL, "no table of '%s' in\n%s", head, dat);
  at = strstr(at, label);
  assert_non_null(at);
  char *end = (char *)(uintptr_t)at + strlen(label);
  for (int k = 0; k < n; ++k) out[k] = strtod(end, &end);
}

static void heated_body(const char *deck_of) {
  char *folder = folder_create(), *deck = edited(deck_of, "*ORIENTATION", "*EXPANSION\n1e-5\n*ORIENTATION"), text[4000];
  double S[6], E[6], ME[6], energy, expected = 0;
  snprintf(text, sizeof text, "%s*TEMPERATURE\nALL,1.\n*EL PRINT,ELSET=BODY\nS,E,ME,ENER\nELSE\n*END STEP\n", deck);
  put_text(folder, "d.inp", text);
  Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--output", "out", NULL);
  assert_code(&run, 0);
  assert_null(strstr(run.err, "no table of"));
  run_release(&run);
  char *dat = get_text(folder, "out/d.dat");
  point_numbers(dat, "\n stresses", "\n         1   7 ", 6, S);
  point_numbers(dat, "\n strains", "\n         1   7 ", 6, E);
  point_numbers(dat, "\n mechanical strains", "\n         1   7 ", 6, ME);
  point_numbers(dat, "\n internal energy density", "\n         1   7 ", 1, &energy);
  for (int k = 0; k < 6; ++k) {
    expected += (k < 3 ? 0.5 : 1) * S[k] * ME[k];
    assert_within(ME[k], E[k] - (k < 3 ? 1e-5 : 0), 1e-9);
  }
  assert_within(energy, expected, 1e-6 * fabs(expected));
  assert_non_null(strstr(dat, "internal energy (element, energy) for set BODY"));
  free(dat);
  free(deck);
  folder_remove(&folder);
}

/* Half of the stress times the strain that heat has not made, with that of incompatible modes too. */
static void energies_of_heated_bodies(void **state) {
  (void)state;
  char *modes = edited(DECK, "C3D8", "C3D8I");
  heated_body(DECK);
  heated_body(modes);
  free(modes);
}

/* A bar of E 200e3 that yields at 200 and hardens to 400 over a plastic strain of 0.01 (a tangent of 18181.8), pulled by 4e-3, and heated
 * by 100 on the way: the work of the stress on what is not the heat's, in closed form; at finite strain F_e = F / 1.001, and the
 * energy of logarithms differs by the change of volume, 3e-3. */
static void energies_of_metals_that_flow(void **state) {
  (void)state;
  static const char deck[] =
      "*NODE, NSET=ALL\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"
      "*ELEMENT, TYPE=C3D8, ELSET=BODY\n1,1,2,3,4,5,6,7,8\n*NSET, NSET=X0\n1,4,5,8\n*NSET, NSET=Y0\n1,2,5,6\n"
      "*NSET, NSET=Z0\n1,2,3,4\n*NSET, NSET=X1\n2,3,6,7\n*MATERIAL, NAME=M\n*ELASTIC\n200e3,.3\n*PLASTIC\n200.,0.\n"
      "400.,.01\n*EXPANSION\n1e-5\n*SOLID SECTION, ELSET=BODY, MATERIAL=M\n*BOUNDARY\nX0,1\nY0,2\nZ0,3\n"
      "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL,0\n*STEP\n*STATIC, DIRECT\n.25,1.\n*BOUNDARY\nX1,1,1,.004\n"
      "*TEMPERATURE\nALL,%d\n*EL PRINT, ELSET=BODY\nS,E,ME,ENER,ELSE\n*END STEP\n";
  static const struct {
    int heat;
    const char *step;
    double strain, energy, within;
  } row[] = {{0, "*STEP\n", 4e-3, 0.7818182, 1e-6},
             {100, "*STEP\n", 3e-3, 0.5363636, 1e-6},
             {100, "*STEP, NLGEOM\n", (1.004 * 1.004 / (1.001 * 1.001) - 1) / 2, 0.534597, 3e-3}};
  char *folder = folder_create(), text[2000];
  for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
    double ME[6], energy, element;
    snprintf(text, sizeof text, deck, row[i].heat);
    char *of = edited(text, "*STEP\n", row[i].step);
    put_text(folder, "d.inp", of);
    Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--output", "out", "--overwrite", NULL);
    assert_code(&run, 0);
    assert_null(strstr(run.err, "no table of"));
    run_release(&run);
    char *dat = get_text(folder, "out/d.dat");
    point_numbers(dat, "\n mechanical strains", "\n         1   7 ", 6, ME);
    point_numbers(dat, "\n internal energy density", "\n         1   7 ", 1, &energy);
    point_numbers(dat, "\n internal energy (element, energy)", "\n         1 ", 1, &element);
    assert_within(ME[0], row[i].strain, 1e-6 * row[i].strain);
    assert_within(energy, row[i].energy, row[i].within * row[i].energy);
    assert_within(element, energy, 1e-6 * energy);
    free(dat), free(of);
  }
  folder_remove(&folder);
}

/* "0.75 0.75 1.75": of all heads of tables. */
static void assert_times(const char *folder, const char *dat, const char *expected) {
  char *text = get_text(folder, dat), seen[200] = "";
  for (const char *at = text; (at = strstr(at, "and time ")) != NULL; ++at)
    snprintf(seen + strlen(seen), sizeof seen - strlen(seen), "%s%g", *seen ? " " : "", strtod(at + 9, NULL));
  assert_string_equal(seen, expected);
  free(text);
}

static void tables_are_of_the_time_at_the_end_of_a_step(void **state) {
  (void)state;
  static const char *const next[] = {"", "*STEP\n*STATIC, TIME RESET\n0.1,3.\n*CLOAD\n5,1,4.\n*END STEP\n",
                                     "*STEP\n*STATIC\n*CLOAD\n5,1,3.\n*NODE PRINT,NSET=FEW\nU\nRF\n*END STEP\n"};
  static const char *const times[] = {"0.75 0.75", "0.75 0.75 0.75 0.75", "0.75 0.75 0.75 0.75 1.75 1.75 1.75"};
  char *folder = folder_create(), *deck = edited(DECK, "*STATIC\n", "*STATIC\n0.25,0.75\n"), text[4000];
  size_t n =
      (size_t)snprintf(text, sizeof text, "%s*NODE PRINT,NSET=ALL\nU\n*EL PRINT,ELSET=BODY\nS\n*END STEP\n", deck);
  for (size_t i = 0; i < sizeof next / sizeof *next; ++i) {
    n += (size_t)snprintf(text + n, sizeof text - n, "%s", next[i]);
    put_text(folder, "d.inp", text);
    Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--overwrite", "--output", "out", NULL);
    assert_code(&run, 0);
    run_release(&run);
    assert_times(folder, "out/d.dat", times[i]);
  }
  free(deck);
  put_text(folder, "h.inp",
           "*NODE, NSET=ALL\n1,1,0,0\n2,2,0,0\n3,2,1,0\n4,1,1,0\n5,1,0,1\n6,2,0,1\n7,2,1,1\n8,1,1,1\n"
           "*ELEMENT, TYPE=DC3D8, ELSET=BODY\n1,1,2,3,4,5,6,7,8\n*MATERIAL, NAME=M\n*CONDUCTIVITY\n3.\n"
           "*SOLID SECTION, ELSET=BODY, MATERIAL=M\n*BOUNDARY\n1,11,11,20.\n"
           "*STEP\n*HEAT TRANSFER, STEADY STATE\n4.,4.\n*CFLUX\n7,11,1.\n*NODE PRINT, NSET=ALL\nNT\n*END STEP\n");
  Run run = run_sinew(folder, "run", "h.inp", "--backend", "cpu", "--output", "hot", NULL);
  assert_code(&run, 0);
  run_release(&run);
  assert_times(folder, "hot/h.dat", "4");
  folder_remove(&folder);
}

/* With NLGEOM, at the end of its two increments. */
static void energies_and_volumes_of_load_steps(void **state) {
  (void)state;
  static const struct Line of_steps[] = {
      {NULL,
       " mechanical strains (elem, integ.pnt.,exx,eyy,ezz,exy,exz,eyz) for set BODY and time  0.1000000E+01",
       "\n         1   7 ",
       {-3.268706e-4, -4.680482e-3, 1.013060e-2, 1.951708e-3, -5.932549e-3, 5.577051e-3},
       NULL},
      {NULL,
       " internal energy density (elem, integ.pnt.,energy) for set BODY and time  0.1000000E+01",
       "\n         1   7 ",
       {0.1111929},
       NULL},
      {NULL,
       " internal energy (element, energy) for set BODY and time  0.1000000E+01",
       "\n         1 ",
       {6.136558e-2},
       NULL},
      {NULL, " total internal energy for set BODY and time  0.1000000E+01", "\n      ", {6.136558e-2}, NULL},
      {NULL, " volume (element, volume) for set BODY and time  0.1000000E+01", "\n         1 ", {1}, NULL},
  };
  char *folder = folder_create(), *large = edited(DECK, "*STEP\n*STATIC", "*STEP, NLGEOM\n*STATIC, DIRECT\n.5,1."),
       text[4000];
  snprintf(text, sizeof text, "%s*EL PRINT, ELSET=BODY, TOTALS=YES\nME,ENER,ELSE,EVOL\n*END STEP\n", large);
  put_text(folder, "d.inp", text);
  Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--output", "out", "--set", "solver.rtol=1e-8", NULL);
  assert_code(&run, 0);
  run_release(&run);
  char *dat = get_text(folder, "out/d.dat");
  for (size_t i = 0; i < sizeof of_steps / sizeof *of_steps; ++i) {
    const struct Line *l = &of_steps[i];
    char *at = strstr(dat, l->head);
    at = at ? strstr(at + strlen(l->head), l->label) : NULL;
    expect_that(at != NULL, "no '%s' below '%s' in\n%s", l->label, l->head, dat);
    at += strlen(l->label);
    for (int k = 0; k < 6 && (k == 0 || l->value[1] != 0); ++k)
      assert_within(strtod(at, &at), l->value[k], 1e-6 * fabs(l->value[k]));
  }
  free(dat);
  free(large);
  folder_remove(&folder);
}

/* Words of *NODE FILE and *EL FILE are fields; those without one are named once. */
static void files_ask_for_fields(void **state) {
  (void)state;
  static const char *const files = "*NODE FILE\nU,RF,NT,V\n*EL FILE\nS,E,ME,ENER\n*ELEMENT OUTPUT\nMISES,PEEQ,sdv\n";
  static const struct {
    const char *find, *replace, *fields, *lacks;
  } decks[] = {
      {"*STEP", "*STEP", "displacement, stress, von-mises, internal-force, strain, strain-energy",
       "d.inp:36: results.hdf has no field of NT, V, PEEQ, sdv"},
      {"*STEP", "*STEP, NLGEOM", "displacement, cauchy, von-mises, internal-force, green-lagrange, energy",
       "no field of NT, V, PEEQ, sdv"},
      {"*ORIENTATION", "*PLASTIC\n1.,0.\n2.,1.\n*ORIENTATION",
       "displacement, stress, von-mises, plastic-strain, plastic-xx, plastic-yy, plastic-zz, plastic-xy, plastic-yz, "
       "plastic-xz, internal-force, strain, strain-energy",
       "no field of NT, V, sdv"},
      {"*CLOAD", "*TEMPERATURE\nALL,1.\n*CLOAD",
       "displacement, stress, von-mises, internal-force, strain, strain-energy", "no field of NT, V, ME, PEEQ, sdv"},
      {"*STATIC\n", "*DYNAMIC, DIRECT\n.1,1.\n", "displacement, velocity, stress, von-mises",
       "no field of RF, NT, E, ME, ENER, PEEQ, sdv"},
      {"*STATIC\n*CLOAD\n5,1,1.\n7,2,2.\n8,3,3.\n", "*FREQUENCY\n2\n", "displacement, stress, von-mises",
       "no field of RF, NT, V, E, ME, ENER, PEEQ, sdv"},
  };
  char *folder = folder_create(), text[4000];
  for (size_t i = 0; i < sizeof decks / sizeof *decks; ++i) {
    char *expanding = edited(DECK, "*ORIENTATION", "*EXPANSION\n1e-5\n*DENSITY\n1.\n*ORIENTATION"),
         *deck = edited(expanding, decks[i].find, decks[i].replace);
    snprintf(text, sizeof text, "%s%s*END STEP\n", deck, files);
    put_text(folder, "d.inp", text);
    Run run = run_sinew(folder, "convert", "d.inp", "c.yaml", "--overwrite", NULL);
    assert_code(&run, 0);
    expect_that(strstr(run.err, decks[i].lacks) != NULL, "deck %d: no '%s' in\n%s", (int)i, decks[i].lacks, run.err);
    run_release(&run);
    char *yaml = get_text(folder, "c.yaml");
    snprintf(text, sizeof text, "fields: [%s]", decks[i].fields);
    expect_that(strstr(yaml, text) != NULL, "deck %d: no '%s' in\n%s", (int)i, text, yaml);
    free(yaml);
    free(deck);
    free(expanding);
  }
  folder_remove(&folder);
}

/* Of several load cases, or where the case has times, it says nothing. */
static void a_time_that_no_table_can_have_is_refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *said;
  } cases[] = {
      {"physics: elasticity\nmodel: 3d\nmaterials: [{on: body, young: 1, poisson: 0}]\nboundary: [{on: x0, fix: all}]\n"
       "load-cases: [{name: a, body: [{on: body, gravity: [1, 0, 0]}]}, {name: b, body: [{on: body, gravity: [0, 1, "
       "0]}]}]\n"
       "output: {tables: [{on: body, field: displacement, time: 2}]}\n",
       "time is that of one load case; name it"},
      {"physics: heat\nmaterials: [{on: body, conductivity: 1, capacity: 1}]\ninitial: {temperature: 1}\n"
       "time: {end: 1, step: 0.5}\noutput: {tables: [{on: body, field: temperature, time: 2}]}\n",
       "leave out their own 'time'"}};
  char *folder = folder_create(), text[1000];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    snprintf(text, sizeof text, "version: 1\nmesh: {grid: [2, 2, 2], size: [1, 1, 1]}\n%s", cases[i].text);
    put_text(folder, "c.yaml", text);
    Run run = run_sinew(folder, "check", "c.yaml", "--backend", "cpu", NULL);
    assert_code(&run, 3);
    expect_that(strstr(run.err, cases[i].said) != NULL, "no '%s' in\n%s", cases[i].said, run.err);
    run_release(&run);
  }
  folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tables_are_of_the_time_at_the_end_of_a_step),
                                     cmocka_unit_test(a_time_that_no_table_can_have_is_refused),
                                     cmocka_unit_test(files_ask_for_fields),
                                     cmocka_unit_test(energies_and_volumes_of_load_steps),
                                     cmocka_unit_test(lines_are_those_of_calculix),
                                     cmocka_unit_test(parts_of_tables),
                                     cmocka_unit_test(energies_of_heated_bodies),
                                     cmocka_unit_test(energies_of_metals_that_flow)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
