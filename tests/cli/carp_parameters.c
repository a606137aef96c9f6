/* Parameter files of openCARP: what 'sinew convert' makes of one runs to the same numbers as a case that is written by hand, whatever names
 * the file uses; what cannot be had is refused line by line, and what is left out is told. */
#include "tests/cli/run_program.h"
#include "tests/cli/carp_sheet.h"

#include <unistd.h>

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

/* Atria in fibrillation, as two generations of openCARP's cell name it, and ventricular cells; states of a file that are parameters here. */
static void names_of_cells(void **state) {
  (void)state;
  static const struct {
    const char *model, *changes, *made;
  } row[] = {
      {"Courtemanche", "GK1*2,GKs*2,GCaL*0.45,factorGKur*0.5,Gto*0.35,maxIpCa*1.5,maxINaCa*1.6,maxINaK=0.7,maxIup-10%",
       "courtemanche, g-k1: \"*2\", g-ks: \"*2\", g-cal: \"*0.45\", g-kur: \"*0.5\", g-to: \"*0.35\", i-pca: "
       "\"*1.5\", i-naca: \"*1.6\", i-nak: 0.7, i-up: \"*0.9\"}"},
      {"COURTEMANCHE", "g_CaL -55% , blf_i_Kur -50% , maxI_pCa +50% , maxI_NaCa +60% , g_Kr *1.6",
       "courtemanche, g-cal: \"*0.45\", g-kur: \"*0.5\", i-pca: \"*1.5\", i-naca: \"*1.6\", g-kr: \"*1.6\"}"},
      {"TT2", "flags=EPI,knak*1.1,knaca+100,scl_tau_f=0.6",
       "ten-tusscher, preset: epi, i-nak: \"*1.1\", i-naca: 1100, tau-f: 0.6}"},
  };
  char *folder = sheet(), text[2000];
  put_text(folder, "tt.sv", "-85 # Vm\nTT2\n3.5 # CaSR\n3.98e-5 # GCaL\n0.153 # GKr\n0.75 # H\n");
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    const bool file = !strcmp(row[k].model, "TT2");
    snprintf(text, sizeof text,
             "meshname = sheet\ntend = 1\ndt = 50\nimp_region[0].im = %s\nimp_region[0].im_param = \"%s\"\n%s"
             "stim[0].pulse.strength = 60\nstim[0].ptcl.duration = 1\nstim[0].elec.vtx_file = pace\n",
             row[k].model, row[k].changes, file ? "imp_region[0].im_sv_init = tt.sv\n" : "");
    put_text(folder, "names.par", text);
    Run run = convert(folder, "names.par", "names.yaml");
    assert_code(&run, 0);
    if (file) assert_said(&run, "im_sv_init: GCaL, GKr in it are no states of 'ten-tusscher'");
    run_release(&run);
    char *made = get_text(folder, "names.yaml");
    expect_that(strstr(made, row[k].made) != NULL, "%s", made);
    if (file) expect_that(strstr(made, "initial: {potential: -85, ca-sr: 3.5, h: 0.75}") != NULL, "%s", made);
    free(made);
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
      {"imp_region[0].plugins = LandHumanStress",
       "imp_region[0].plugins: is 'LandHumanStress': tension acts in 'physics: electromechanics' alone", 0},
      {"imp_region[0].plugins = 'LandHumanStress:IKATP'",
       "imp_region[0].plugins: is 'LandHumanStress:IKATP': there are no plugins", 3},
      {"stim[0].ptcl.npls = 2", "more.par:11: stim[0].ptcl.npls: is 2, and there is no ptcl.bcl", 3},
      {"parab_solve = 7", "more.par:11: parab_solve: is 7, which is no way to step", 0},
      {"spacedt = 0", "more.par:11: spacedt: is 0, must be > 0", 3},
      {"dt = -5", "more.par:11: dt: is -5, must be > 0", 3},
      {"phys_region[0].ptype = 2", "more.par:11: phys_region[0].ptype: is 2, fronts of given velocities", 3},
      {"gregion[0].dream.vel_l = 0.6", "gregion[0].dream.vel_l: is a parameter of openCARP; here it is 'along'", 0},
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

      cmocka_unit_test(what_is_refused), cmocka_unit_test(names_of_cells), cmocka_unit_test(no_line_is_silent)};
  return cmocka_run_group_tests_name("carp_parameters", tests, NULL, NULL);
}
