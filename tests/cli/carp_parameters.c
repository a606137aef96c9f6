/* Parameter files of openCARP: what 'sinew convert' makes of one runs to the same numbers as a case that is written by hand, whatever names
 * the file uses; what cannot be had is refused line by line, and what is left out is told. */
#include "tests/cli/run_program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NX = 24, NY = 4, N_NODE = (NX + 1) * (NY + 1), SIDE = 250 };

/* 6 mm x 1 mm in squares of 0.25 mm: region 1 up to 4 mm, then region 2; nodes of the left edge in two files. */
static char *sheet(void) {
  char *folder = folder_create(), text[16000];
  int n = snprintf(text, sizeof text, "%d\n", N_NODE);
  for (int i = 0; i < N_NODE; ++i)
    n += snprintf(text + n, sizeof text - (size_t)n, "%d %d 0\n", SIDE * (i % (NX + 1)), SIDE * (i / (NX + 1)));
  put_text(folder, "sheet.pts", text);
  n = snprintf(text, sizeof text, "%d\n", NX * NY);
  for (int i = 0; i < NX * NY; ++i) {
    const int first = i % NX + i / NX * (NX + 1);
    n += snprintf(text + n, sizeof text - (size_t)n, "Qd %d %d %d %d %d\n", first, first + 1, first + NX + 2,
                  first + NX + 1, i % NX < 16 ? 1 : 2);
  }
  put_text(folder, "sheet.elem", text);
  n = snprintf(text, sizeof text, "1\n");
  for (int i = 0; i < NX * NY; ++i) n += snprintf(text + n, sizeof text - (size_t)n, "1 0 0\n");
  put_text(folder, "sheet.lon", text);
  put_text(folder, "pace.vtx", "5\nextra\n0\n25\n50\n75\n100\n");
  put_text(folder, "sheet.edge.vtx", "5\nintra\n24\n49\n74\n99\n124\n");
  put_text(folder, "ecg.pts", "1\n12000 500 2000\n");
  return folder;
}

#define HEAD                                                                                                           \
  "meshname = sheet   # a comment\n"                                                                                   \
  "simID = OUT\n"                                                                                                      \
  "dt = 50\ntend = 12\nspacedt = 2\nparab_solve = 1\nmass_lumping = 1\n"
#define REGIONS                                                                                                        \
  "num_imp_regions = 2\n"                                                                                              \
  "imp_region[0].im = tenTusscherPanfilov\n"                                                                           \
  "imp_region[0].im_param = \"flags=ENDO, GKs*0.5, GNa=14, GKr-10%, Ko+0.6\"\n"                                        \
  "imp_region[0].num_IDs = 1\nimp_region[0].ID[0] = 1\n"                                                               \
  "imp_region[1].im = TT2\nimp_region[1].im_param = 'flags=EPI'\n"                                                     \
  "imp_region[1].ID = 2\nimp_region[1].num_IDs = 1\n"                                                                  \
  "gregion[0].num_IDs = 2\ngregion[0].ID = \"1:2\"\n"                                                                  \
  "gregion[0].g_il = 0.34\ngregion[0].g_it = 0.06\ngregion[0].g_in = 0.06\n"                                           \
  "gregion[0].g_el = 1.24\ngregion[0].g_et = 0.48\ngregion[0].g_en = 0.48\ngregion[0].g_mult = 0.5\n"                  \
  "imp_region[0].cellSurfVolRatio = 0.07\n"
#define LATS                                                                                                           \
  "num_LATs = 1\nlats[0].ID = act\nlats[0].all = 0\nlats[0].measurand = 0\nlats[0].threshold = -20\n"                  \
  "lats[0].method = 1\nphie_rec_ptf = ecg\n"
#define STIM                                                                                                           \
  "num_stim = 2\n"                                                                                                     \
  "stim[0].name = S1\nstim[0].crct.type = 0\nstim[0].pulse.strength = 80\n"                                            \
  "stim[0].ptcl.start = 1\nstim[0].ptcl.duration = 2\nstim[0].ptcl.npls = 2\nstim[0].ptcl.bcl = 6\n"                   \
  "stim[0].elec.p0[0] = -10\nstim[0].elec.p1[0] = 1010\nstim[0].elec.p0[1] = -10\nstim[0].elec.p1[1] = 1010\n"         \
  "stim[1].pulse.strength = 20\nstim[1].ptcl.stimlist = '4,+3'\nstim[1].ptcl.duration = 1\n"                           \
  "stim[1].elec.vtx_file = pace\n"
/* The same two in the older words; a list of times is two stimuli there. */
#define STIMULUS                                                                                                       \
  "num_stim = 3\n"                                                                                                     \
  "stimulus[0].strength = 80\nstimulus[0].stimtype = 0\nstimulus[0].start = 1\nstimulus[0].duration = 2\n"             \
  "stimulus[0].npls = 2\nstimulus[0].bcl = 6\n"                                                                        \
  "stimulus[0].ctr_def = 1\nstimulus[0].x0 = 500\nstimulus[0].xd = 1020\nstimulus[0].y0 = 500\n"                       \
  "stimulus[0].yd = 1020\n"                                                                                            \
  "stimulus[1].strength = 20\nstimulus[1].start = 4\nstimulus[1].duration = 1\nstimulus[1].vtx_file = pace.vtx\n"      \
  "stimulus[2].strength = 20\nstimulus[2].start = 7\nstimulus[2].duration = 1\nstimulus[2].vtx_file = pace\n"

#define BY_HAND                                                                                                        \
  "version: 1\nmesh: {file: sheet.pts, scale: 1e-3}\nphysics: monodomain\n"                                            \
  "tissue:\n"                                                                                                          \
  "  - {on: 1, ionic: {model: ten-tusscher, preset: endo, g-ks: 0.196, g-na: 14, g-kr: 0.1377, k-out: 6},\n"           \
  "     conductivity: {intra: [0.17, 0.03], extra: [0.62, 0.24], surface-to-volume: 70}, fibers: {field: fiber}}\n"    \
  "  - {on: 2, ionic: {model: ten-tusscher, preset: epi},\n"                                                           \
  "     conductivity: {intra: [0.17, 0.03], extra: [0.62, 0.24], surface-to-volume: 140}, fibers: {field: fiber}}\n"   \
  "stimuli:\n"                                                                                                         \
  "  - {on: {box: {min: [0, 0], max: [1, 1]}}, start: 1, duration: 2, amplitude: 80, period: 6, count: 2}\n"           \
  "  - {on: {box: {min: [0, 0], max: [0.1, 1]}}, start: 4, duration: 1, amplitude: 20, period: 3, count: 2}\n"         \
  "time: {end: 12, step: 0.05, scheme: rush-larsen}\n"                                                                 \
  "output: {every: 2, threshold: -20, maps: [activation], medium: 1, ecg: [{name: phie-0, positive: [12, 0.5, 2]}]}\n"

static void run_case(const char *folder, const char *name) {
  Run run = run_sinew(folder, "run", name, "--backend", "cpu", NULL);
  assert_code(&run, 0);
  run_release(&run);
}

/* Activation and leads, as they were written. */
static void assert_same_results(const char *folder, const char *a, const char *b) {
  char from[64], *text[2][2];
  const char *const name[] = {a, b};
  for (int i = 0; i < 2; ++i) {
    Run run = run_sinew(folder, "convert", name[i], "act.dat", "--overwrite", NULL);
    assert_code(&run, 0);
    run_release(&run);
    snprintf(from, sizeof from, "%s/probes.csv", name[i]);
    text[i][0] = get_text(folder, "act.dat");
    text[i][1] = get_text(folder, from);
  }
  for (int k = 0; k < 2; ++k)
    for (char *p = text[0][k], *q = text[1][k]; *p || *q;) {
      char *end[2];
      const double x = strtod(p, &end[0]), y = strtod(q, &end[1]);
      const bool words = end[0] == p && *p == *q;
      expect_that(words || (end[0] != p && fabs(x - y) <= 1e-9 * (1 + fabs(x))), "'%.30s' and '%.30s'", p, q);
      p = words ? p + 1 : end[0];
      q = words ? q + 1 : end[1];
    }
  for (int i = 0; i < 4; ++i) free(text[i / 2][i % 2]);
}

static Run convert(const char *folder, const char *in, const char *out) {
  return run_sinew(folder, "convert", in, out, "--overwrite", NULL);
}

static void as_by_hand(void **state) {
  (void)state;
  char *folder = sheet();
  put_text(folder, "new.par", HEAD REGIONS STIM LATS "mystery = 3\n");
  put_text(folder, "old.par", HEAD REGIONS STIMULUS LATS);
  put_text(folder, "hand.yaml", BY_HAND);
  Run run = convert(folder, "new.par", "new.yaml");
  assert_code(&run, 0);
  assert_said(&run, "new.yaml");
  assert_said(&run, "left out or assumed, 2 in all");
  assert_said(&run, "mystery: is not understood");
  run_release(&run);
  run = convert(folder, "old.par", "old.yaml");
  assert_code(&run, 0);
  run_release(&run);
  run_case(folder, "new.yaml");
  run_case(folder, "old.yaml");
  run_case(folder, "hand.yaml");
  assert_same_results(folder, "results-new", "results-hand");
  assert_same_results(folder, "results-old", "results-hand");
  folder_remove(&folder);
}

/* Blanks in the place of equals signs, and a domain without tags, which is the whole mesh. */
static void other_ways(void **state) {
  (void)state;
  char *folder = sheet(), text[8000], *made[2];
  put_text(folder, "equals.par", HEAD REGIONS STIM LATS);
  snprintf(text, sizeof text, "%s", HEAD REGIONS STIM LATS "num_phys_regions = 1\nphys_region[0].ptype = 0\n");
  for (char *line = text; line && line[1]; line = strchr(line + 1, '\n')) *strchr(line, '=') = ' ';
  put_text(folder, "blanks.par", text);
  for (int k = 0; k < 2; ++k) {
    Run run = convert(folder, k ? "blanks.par" : "equals.par", "way.yaml");
    assert_code(&run, 0);
    run_release(&run);
    made[k] = get_text(folder, "way.yaml");
  }
  expect_that(strcmp(strstr(made[0], "version:"), strstr(made[1], "version:")) == 0, "%s\n%s", made[0], made[1]);
  free(made[0]), free(made[1]);
  folder_remove(&folder);
}

/* Without the mean of inside and outside the monodomain has what is inside over surface-to-volume ratio and capacitance; and a list of
 * what is left out has its last line, however long it is. */
static void inside_alone(void **state) {
  (void)state;
  static const char *const refused[] = {"phie_rec_ptf = ecg\n", "bidomain = 2\n"};
  char *folder = sheet(), text[8000];
  int n = snprintf(text, sizeof text, "%s", HEAD REGIONS STIM "bidm_eqv_mono = 0\n");
  for (int k = 0; k < 70; ++k) n += snprintf(text + n, sizeof text - (size_t)n, "mystery_of_a_long_name[%d] = 3\n", k);
  put_text(folder, "alone.par", text);
  Run run = convert(folder, "alone.par", "alone.yaml");
  assert_code(&run, 0);
  assert_said(&run, "mystery_of_a_long_name[69]: is not understood");
  run_release(&run);
  char *made = get_text(folder, "alone.yaml");
  expect_that(strstr(made, "diffusivity: {along: 0.2428571429, across: 0.04285714286}") &&
                  strstr(made, "diffusivity: {along: 0.1214285714, across: 0.02142857143}") &&
                  !strstr(made, "conductivity"),
              "%s", made);
  free(made);
  run_case(folder, "alone.yaml");
  for (int k = 0; k < 2; ++k) {
    snprintf(text, sizeof text, "%s%s", HEAD REGIONS STIM "bidm_eqv_mono = 0\n", refused[k]);
    put_text(folder, "alone.par", text);
    run = convert(folder, "alone.par", "alone.yaml");
    assert_code(&run, 3);
    assert_said(&run, "bidm_eqv_mono: is 0");
    run_release(&run);
  }
  folder_remove(&folder);
}

/* The bidomain with a region without cells and electrodes that are groups; states of one cell. */
static void with_a_bath(void **state) {
  (void)state;
  char *folder = sheet();
  put_text(folder, "sheet.left.vtx", "5\nintra\n0\n25\n50\n75\n100\n");
  put_text(folder, "cell.sv",
           "-80.5               # Vm\n-                   # Lambda\ntenTusscherPanfilov\n"
           "0.5                 # H\n3.25                # CaSR\n0.875               # R_\n");
  put_text(folder, "in.pts", "3\n2000 500 0\n9000 0 0\n5000 250 0\n");
  put_text(folder, "bath.par",
           "meshname = sheet\ndt = 50\ntend = 3\nspacedt = 1\nbidomain = 1\n"
           "num_phys_regions = 2\nphys_region[0].ptype = 0\nphys_region[0].num_IDs = 1\nphys_region[0].ID[0] = 1\n"
           "phys_region[1].ptype = 1\nphys_region[1].num_IDs = 2\nphys_region[1].ID[0] = 1\nphys_region[1].ID[1] = 2\n"
           "imp_region[0].im = TT2\nimp_region[0].im_param = flags=EPI\nimp_region[0].im_sv_init = cell.sv\n"
           "num_gregions = 2\ngregion[1].num_IDs = 1\ngregion[1].ID[0] = 2\ngregion[1].g_bath = 0.8\n"
           "stim[0].crct.type = 2\nstim[0].pulse.strength = 5\nstim[0].ptcl.duration = 2\nstim[0].elec.vtx_file = "
           "sheet.left\n"
           "stim[1].crct.type = 3\nstim[1].elec.vtx_file = sheet.edge\nphie_rec_ptf = in\n");
  Run run = convert(folder, "bath.par", "bath.yaml");
  assert_code(&run, 0);
  assert_said(&run, "point 1 at (9, 0, 0) mm lies outside of the mesh, and has no potential");
  run_release(&run);
  char *text = get_text(folder, "bath.yaml");
  static const char *const parts[] = {"model: bidomain",
                                      "- {on: [2], conductivity: 0.8}",
                                      "initial: {potential: -80.5, h: 0.5, ca-sr: 3.25, r-prime: 0.875}",
                                      "intra: [0.174, 0.019], extra: [0.625, 0.236]",
                                      "{name: electrode-0, on: left, start: 0, duration: 2, potential: 5}",
                                      "{name: electrode-1, on: edge, ground: true}",
                                      "  probes:\n    - {name: phie-0, at: [2, 0.5], field: extracellular}\n",
                                      "  ecg:\n    - {name: phie-2, positive: [5, 0.25]}\n"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
    expect_that(strstr(text, parts[i]) != NULL, "no '%s' in\n%s", parts[i], text);
  free(text);
  run_case(folder, "bath.yaml");
  /* The same without a potential outside: what has no cells is not there. */
  put_text(folder, "mono.par",
           "meshname = sheet\ndt = 50\ntend = 3\nphys_region[0].ID = 1\nimp_region[0].im = TT2\n"
           "stim[0].pulse.strength = 60\nstim[0].ptcl.duration = 2\nstim[0].elec.vtx_file = sheet.left\n"
           "num_LATs = 2\nlats[0].all = 0\nlats[0].threshold = -75\nlats[1].mode = 1\nlats[1].threshold = -70\n");
  run = convert(folder, "mono.par", "mono.yaml");
  assert_code(&run, 0);
  assert_said(&run, "openCARP's own for this model");
  assert_said(&run, "a threshold of -75 mV is at or below -70 mV");
  run_release(&run);
  text = get_text(folder, "mono.yaml");
  expect_that(strstr(text, "without: [2]") && strstr(text, "on: left") &&
                  strstr(text, "maps: [{name: activation, beats: all}"),
              "not without 2:\n%s", text);
  free(text);
  run_case(folder, "mono.yaml");
  folder_remove(&folder);
}

/* Points where the potential outside is asked for: in a torso too, and of a monodomain in a medium around. */
static void points_outside(void **state) {
  (void)state;
  static const struct {
    const char *model, *parts[2], *said;
  } row[] = {{"bidomain = 2\nphys_region[0].ID = 1\n",
              {"torso:\n  - {on: [2], conductivity: 1}",
               "  probes:\n    - {name: phie-0, at: [2, 0.5], field: extracellular}\n"
               "  ecg:\n    - {name: phie-2, positive: [5, 0.25]}\n"},
              "point 1 at (9, 0, 0) mm lies outside of the mesh"},
             {"bidomain = 1\n",
              {"    - {name: phie-2, at: [5, 0.25], field: extracellular}\n",
               "  medium: 1     # S/m\n  ecg:\n    - {name: phie-1, positive: [9, 0, 0]}\n"},
              "leads in an infinite medium of 1 S/m"},
             {"phys_region[0].ID = 1\n",
              {"  medium: 1     # S/m\n  ecg:\n    - {name: phie-1, positive: [9, 0, 0]}\n",
               "    - {name: phie-2, positive: [5, 0.25]}\n"},
              "point 0 at (2, 0.5, 0) mm lies in the tissue: with 'bidomain = 1' or 2 it has a potential"}};
  char *folder = sheet(), par[400], to[16];
  put_text(folder, "in.pts", "3\n2000 500 0\n9000 0 0\n5000 250 0\n");
  for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
    snprintf(par, sizeof par,
             "meshname = sheet\ndt = 50\ntend = 1\nspacedt = 1\nphie_rec_ptf = in\nstim[0].pulse.strength = 60\n"
             "stim[0].ptcl.duration = 0.5\nstim[0].elec.vtx_file = pace\nimp_region[0].im = TT2\n%s",
             row[i].model);
    put_text(folder, "points.par", par);
    snprintf(to, sizeof to, "to-%d.yaml", (int)i);
    Run run = convert(folder, "points.par", to);
    assert_code(&run, 0);
    assert_said(&run, row[i].said);
    run_release(&run);
    char *text = get_text(folder, to);
    for (int k = 0; k < 2; ++k)
      expect_that(strstr(text, row[i].parts[k]) != NULL, "no '%s' in\n%s", row[i].parts[k], text);
    free(text);
    run_case(folder, to);
  }
  folder_remove(&folder);
}

/* Fibres of the elements right of 4 mm, and of the others. */
static void fibers_of_bath(const char *folder, const char *around, int from) {
  char text[4000] = "1\n";
  int n = 2;
  for (int i = 0; i < NX * NY; ++i)
    n += snprintf(text + n, sizeof text - (size_t)n, "%s\n", i % NX < from ? "1 0 0" : around);
  put_text(folder, "sheet.lon", text);
}

/* A bath as skeletal muscle: along and across its fibres where it has some and conductivities of its own, else in all directions alike. */
static void bath_along_fibers(void **state) {
  (void)state;
  char *folder = sheet();
#define AROUND(more)                                                                                                   \
  "meshname = sheet\ndt = 50\ntend = 1\nbidomain = 1\nphys_region[0].ID = 1\nimp_region[0].im = TT2\n"                 \
  "stim[0].pulse.strength = 60\nstim[0].ptcl.duration = 0.5\nstim[0].elec.vtx_file = pace\ngregion[0].g_el = 0.7\n"    \
  "gregion[1].ID = 2\ngregion[1].num_IDs = 1\n" more
  static const char *const par[] = {
      AROUND("gregion[1].g_el = 0.4\ngregion[1].g_et = 0.1\ngregion[1].g_en = 0.1\ngregion[1].g_mult = 2\n"),
      AROUND("gregion[1].g_el = 0.4\ngregion[1].g_et = 0.1\ngregion[1].g_bath = 0.8\n"),
      AROUND("gregion[1].g_bath = 0.8\n"),
      AROUND("gregion[1].g_el = 0.4\ngregion[1].g_et = 0.1\ngregion[1].g_bath = 0.8\n"),
      "meshname = sheet\ndt = 50\ntend = 1\nbidomain = 1\nphys_region[0].ID = 1\nimp_region[0].im = TT2\n"
      "gregion[0].g_el = 0.7\nstim[0].pulse.strength = 60\nstim[0].ptcl.duration = 0.5\nstim[0].elec.vtx_file = "
      "pace\n"};
  static const char *const entry[] = {"- {on: [2], conductivity: [0.8, 0.2], fibers: {field: fiber}}",
                                      "- {on: [2], conductivity: [0.4, 0.1], fibers: {field: fiber}}",
                                      "- {on: [2], conductivity: 0.8}", "- {on: [2], conductivity: 0.8}",
                                      "- {on: [2], conductivity: 1}"};
  static const char *const said[] = {NULL, "gregion[1].g_bath: the bath has fibres: g_el and g_et are taken", NULL,
                                     "gregion[1] is of a bath without fibres: g_bath is taken", NULL};
  for (int k = 0; k < 5; ++k) {
    if (k == 3) fibers_of_bath(folder, "0 0 0", 16);
    put_text(folder, "muscle.par", par[k]);
    Run run = convert(folder, "muscle.par", "muscle.yaml");
    assert_code(&run, 0);
    if (said[k]) assert_said(&run, said[k]);
    run_release(&run);
    char *text = get_text(folder, "muscle.yaml");
    expect_that(strstr(text, entry[k]) != NULL, "no '%s' in\n%s", entry[k], text);
    free(text);
    run = run_sinew(folder, "run", "muscle.yaml", "--backend", "cpu", "--overwrite", NULL);
    assert_code(&run, 0);
    run_release(&run);
  }
  fibers_of_bath(folder, "0 0 0", 20);
  put_text(folder, "muscle.par", par[0]);
  Run run = convert(folder, "muscle.par", "muscle.yaml");
  assert_code(&run, 3);
  assert_said(&run, "which has fibres in 16 elements and none in 16");
  run_release(&run);
  folder_remove(&folder);
}

/* Sources outside of the cells in either family of words, and what cannot be had of them. */
static void electrodes(void **state) {
  (void)state;
  char *folder = sheet();
#define OUTSIDE(more)                                                                                                  \
  "meshname = sheet\ndt = 50\ntend = 1\nbidomain = 1\nimp_region[0].im = TT2\nimp_region[0].im_param = flags=EPI\n"    \
  "num_stim = 2\n" more
#define CURRENT                                                                                                        \
  "stim[0].crct.type = 1\nstim[0].pulse.strength = 40\nstim[0].ptcl.duration = 0.5\n"                                  \
  "stim[0].elec.vtx_file = sheet.left\nstim[1].elec.vtx_file = sheet.edge\n"
  static const char first[] = "{name: electrode-0, on: left, start: 0, duration: 0.5, current: 0.04}",
                    second[] = "{name: electrode-1, on: edge, balances: electrode-0}";
  static const struct {
    const char *par;
    int code;
    const char *said, *text;
  } all[] = {
      {OUTSIDE(CURRENT "stim[0].crct.total_current = 1\nstim[1].crct.type = 1\nstim[1].crct.balance = 0\n"), 0, "",
       second},
      {OUTSIDE("stimulus[0].stimtype = 1\nstimulus[0].strength = 40\nstimulus[0].duration = 0.5\n"
               "stimulus[0].total_current = 1\nstimulus[0].vtx_file = sheet.left\nstimulus[1].stimtype = 1\n"
               "stimulus[1].balance = 0\nstimulus[1].vtx_file = sheet.edge\n"),
       0, "", second},
      {OUTSIDE(CURRENT "stim[1].crct.type = 3\n"), 3,
       "stim[0].pulse.strength: is in uA/cm3, and the nodes of a .vtx have no volume here", NULL},
      {OUTSIDE(CURRENT "stim[0].crct.total_current = 1\nstim[1].crct.type = 1\nstim[1].crct.balance = 1\n"), 3,
       "stim[1].crct.balance: is 1: stim[1] is no other current", NULL},
      {OUTSIDE(CURRENT "stim[0].crct.total_current = 1\nstim[1].crct.type = 3\nstim[1].crct.balance = 0\n"), 0,
       "stim[1].crct.balance: stim[1] is no current, and balances none", first},
      {OUTSIDE(CURRENT "stim[0].crct.total_current = 1\nstim[1].crct.type = 3\nstim[0].ptcl.stimlist = \"0,+0.5\"\n"),
       3, "stim[0].ptcl.stimlist: electrodes have one pulse here", NULL},
  };
  put_text(folder, "sheet.left.vtx", "5\nintra\n0\n25\n50\n75\n100\n");
  for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
    put_text(folder, "out.par", all[k].par);
    Run run = convert(folder, "out.par", "out.yaml");
    assert_code(&run, all[k].code);
    assert_said(&run, all[k].said);
    run_release(&run);
    if (!all[k].text) continue;
    char *text = get_text(folder, "out.yaml");
    expect_that(strstr(text, first) && strstr(text, all[k].text), "no '%s' in\n%s", all[k].text, text);
    free(text);
    run = run_sinew(folder, "run", "out.yaml", "--backend", "cpu", "--overwrite", NULL);
    assert_code(&run, 0);
    run_release(&run);
  }
  folder_remove(&folder);
}

/* One more line in a file that is taken over: whatever is not read is told of or refused with its line. */
static void no_line_is_silent(void **state) {
  (void)state;
  char *folder = sheet(), text[2000];
  static const struct {
    const char *line, *said;
    int code;
  } all[] = {
      {"gregion[0].g_ii = 0.3", "more.par:11: gregion[0].g_ii: is not understood", 0},
      {"phys_region[0].typo = 1", "more.par:11: phys_region[0].typo: is not understood", 0},
      {"gregion[1].g_il = 0.3",
       "more.par:11: gregion[1].g_il: num_gregions is 1: entries from gregion[1] on are not read", 0},
      {"stim[1].pulse.strength = 3", "stim[1].pulse.strength: num_stim is 1: entries from stim[1] on", 0},
      {"tend = 2", "more.par:2: tend: is given again in line 11, which counts", 0},
      {"stim[0].ptcl.npls = 0", "more.par:11: stim[0].ptcl.npls: is 0, must be 1 or more", 3},
      {"stim[0].ptcl.npls = 2", "more.par:11: stim[0].ptcl.npls: is 2, and there is no ptcl.bcl", 3},
      {"parab_solve = 7", "more.par:11: parab_solve: is 7, which is no way to step", 0},
      {"spacedt = 0", "more.par:11: spacedt: is 0, must be > 0", 3},
      {"dt = -5", "more.par:11: dt: is -5, must be > 0", 3},
      {"imp_region[0].cellSurfVolRatio = -1", "in the case that 'more.par' makes, which is not written", 3},
  };
  for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
    snprintf(text, sizeof text,
             "meshname = sheet\ntend = 1\ndt = 50\nimp_region[0].im = TT2\nimp_region[0].im_param = flags=EPI\n"
             "num_gregions = 1\nnum_stim = 1\nstim[0].pulse.strength = 60\nstim[0].ptcl.duration = 1\n"
             "stim[0].elec.vtx_file = pace\n%s\n",
             all[k].line);
    put_text(folder, "more.par", text);
    Run run = convert(folder, "more.par", "more.yaml");
    expect_that(run.code == all[k].code, "%s: exit %d", all[k].line, run.code);
    assert_said(&run, all[k].said);
    run_release(&run);
  }
  folder_remove(&folder);
}

static void what_is_refused(void **state) {
  (void)state;
  char *folder = sheet();
  put_text(folder, "bad.par",
           "meshname = sheet\ntend = 10\ndt = fast\nimp_region[0].im = LuoRudy91\nimp_region[1].im = TT2\n"
           "imp_region[1].ID = 2\nimp_region[1].im_param = \"Gxx*2,GCaL=3e-5,flags=ATRIUM\"\n"
           "stim[0].crct.type = 1\nstim[0].pulse.strength = 3\nstim[0].pulse.shape = 2\n"
           "stim[1].pulse.strength = 5\nstim[1].ptcl.duration = 1\nstim[1].elec.geom_type = 3\n"
           "start_statef = state.10\n- no name\nexperiment = 2\nnum_stim = 2\n");
  Run run = convert(folder, "bad.par", "bad.yaml");
  assert_code(&run, 3);
  static const char *const parts[] = {"bad.par:3: dt: is 'fast', not a number",
                                      "bad.par:4: imp_region[0].im: 'LuoRudy91' is no model that is built in",
                                      "bad.par:7: imp_region[1].im_param: 'flags=ATRIUM' is no layer of 'ten-tusscher'",
                                      "bad.par:7: imp_region[1].im_param: 'Gxx' is no parameter of 'ten-tusscher'",
                                      "bad.par:7: imp_region[1].im_param: this change of 'GCaL' cannot be had",
                                      "bad.par:8: stim[0].crct.type: is 1, a source outside of the cells",
                                      "bad.par:10: stim[0].pulse.shape: is '2': pulses are square here",
                                      "bad.par: stim[0] needs a ptcl.duration > 0",
                                      "bad.par:13: stim[1].elec.geom_type: is 3, a cylinder",
                                      "bad.par:14: start_statef: a run goes on from another one",
                                      "bad.par:15: - no name: is no 'name = value'",
                                      "bad.par:16: experiment: is 2"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) assert_said(&run, parts[i]);
  run_release(&run);
  char path[4096];
  snprintf(path, sizeof path, "%s/bad.yaml", folder);
  expect_that(access(path, F_OK) != 0, "a case was written");
  /* a surface of the name of a list of nodes is not what a stimulus is on */
  put_text(folder, "sheet.edge.surf", "1\nQd 0 1 26 25\n");
  put_text(folder, "surf.par",
           "meshname = sheet\ntend = 1\ndt = 50\nimp_region[0].im = TT2\nstim[0].pulse.strength = 60\n"
           "stim[0].ptcl.duration = 1\nstim[0].elec.vtx_file = sheet.edge\n");
  run = convert(folder, "surf.par", "surf.yaml");
  assert_code(&run, 0);
  run_release(&run);
  char *text = get_text(folder, "surf.yaml");
  expect_that(strstr(text, "on: {nodes: [24, 49, 74, 99, 124]}") != NULL, "not the nodes:\n%s", text);
  free(text);
  /* a place on a surface in space has three coordinates */
  put_text(folder, "la.pts", "4\n0 0 0\n1000 0 0\n1000 1000 500\n0 1000 900\n");
  put_text(folder, "la.elem", "2\nTr 0 1 2 1\nTr 0 2 3 1\n");
  put_text(folder, "la.par",
           "meshname = la\ntend = 1\ndt = 50\nimp_region[0].im = Courtemanche\ngregion[0].g_it = 0.174\n"
           "gregion[0].g_in = 0.174\ngregion[0].g_et = 0.625\ngregion[0].g_en = 0.625\nstim[0].pulse.strength = 60\n"
           "stim[0].ptcl.duration = 1\nstim[0].elec.geom_type = 1\nstim[0].elec.p0[2] = 900\n");
  run = convert(folder, "la.par", "la.yaml");
  assert_code(&run, 0);
  run_release(&run);
  text = get_text(folder, "la.yaml");
  expect_that(strstr(text, "center: [0, 0, 0.9], radius: 0.1") != NULL, "not in space:\n%s", text);
  free(text);
  put_text(folder, "none.par", "tend = 10\n");
  run = convert(folder, "none.par", "none.yaml");
  assert_code(&run, 3);
  assert_said(&run, "has no meshname");
  run_release(&run);
  put_text(folder, "none.par", "meshname = nowhere\n");
  run = convert(folder, "none.par", "none.yaml");
  assert_code(&run, 3);
  assert_said(&run, "none.par:1: meshname: there is no 'nowhere.pts'");
  run_release(&run);
  folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(as_by_hand),      cmocka_unit_test(other_ways),     cmocka_unit_test(inside_alone),
      cmocka_unit_test(with_a_bath),     cmocka_unit_test(points_outside), cmocka_unit_test(bath_along_fibers),
      cmocka_unit_test(what_is_refused), cmocka_unit_test(electrodes),     cmocka_unit_test(no_line_is_silent)};
  return cmocka_run_group_tests_name("carp_parameters", tests, NULL, NULL);
}
