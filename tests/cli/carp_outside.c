/* Parameter files of openCARP with a potential outside of the cells: baths, points where it is asked for, electrodes. */
#include "tests/cli/carp_sheet.h"

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

/* Nodes of a list that have no cells are left out where nothing is outside of them, and told. */
static void nodes_without_cells(void **state) {
  (void)state;
  static const struct {
    const char *nodes, *said, *text;
    int code;
  } row[] = {{"3\n0\n20\n24\n", "stim[0].elec.vtx_file: 2 of its nodes have no cells", "on: {nodes: [0]}", 0},
             {"2\nintra\n20\n24\n", "no node of 'some.vtx' has cells", NULL, 3},
             {"1\n500\n", "stim[0].elec.vtx_file: has node 500, and the mesh has those from 0 to 124", NULL, 3}};
  char *folder = sheet();
  put_text(folder, "some.par",
           "meshname = sheet\ndt = 50\ntend = 1\nphys_region[0].ID = 1\nimp_region[0].im = TT2\n"
           "stim[0].pulse.strength = 60\nstim[0].ptcl.duration = 0.5\nstim[0].elec.vtx_file = some\n");
  for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
    put_text(folder, "some.vtx", row[i].nodes);
    Run run = convert(folder, "some.par", "some.yaml");
    assert_code(&run, row[i].code);
    assert_said(&run, row[i].said);
    run_release(&run);
    if (!row[i].text) continue;
    char *text = get_text(folder, "some.yaml");
    expect_that(strstr(text, row[i].text) != NULL, "no '%s' in\n%s", row[i].text, text);
    free(text);
    run_case(folder, "some.yaml");
  }
  folder_remove(&folder);
}

/* Points where the potential outside is asked for: in a torso too, and of a monodomain in a medium around. */
static void points_outside(void **state) {
  (void)state;
  static const struct {
    const char *model, *parts[2], *said;
  } row[] = {
      {"bidomain = 2\nphys_region[0].ID = 1\n",
       {"torso:\n  - {on: [2], conductivity: 1}",
        "  probes:\n    - {name: phie-0, at: [2, 0.5], field: extracellular}\n"
        "  ecg:\n    - {name: phie-2, positive: [5, 0.25]}\n"},
       "point 1 at (9, 0, 0) mm lies outside of the mesh"},
      {"bidomain = 1\n",
       {"    - {name: phie-2, at: [5, 0.25], field: extracellular}\n",
        "  medium: 1     # S/m\n  ecg:\n    - {name: phie-1, positive: [9, 0, 0]}\n"},
       "leads in an infinite medium of 1 S/m"},
      {"bidomain = 1\nnum_stim = 2\nstim[0].crct.type = 1\nstim[0].crct.total_current = 1\n"
       "stim[1].crct.type = 3\nstim[1].elec.vtx_file = sheet.edge\n",
       {"    - {name: phie-0, at: [2, 0.5], field: extracellular}\n", "{name: electrode-1, on: edge, ground: true}"},
       "point 1 at (9, 0, 0) mm lies outside of the mesh"},
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
      {OUTSIDE(CURRENT "stim[1].crct.type = 3\n"), 0, "",
       "{name: electrode-0, on: {nodes: [0, 25, 50, 75, 100]}, start: 0, duration: 0.5, density: 0.04}"},
      {OUTSIDE("stim[0].crct.type = 1\nstim[0].pulse.strength = 40\nstim[0].ptcl.duration = 0.2\nstim[0].ptcl.npls = "
               "2\nstim[0].ptcl.bcl = 0.5\nstim[0].elec.p1[0] = 1000\nstim[0].elec.p1[1] = 500\nstim[1].crct.type = "
               "1\nstim[1].crct.balance = 0\nstim[1].elec.geom_type = 1\nstim[1].elec.p0[0] = 6000\n"
               "stim[1].elec.radius = 600\n"),
       0, "",
       "  - {name: electrode-0, on: {box: {min: [0, 0], max: [1, 0.5]}}, start: 0, duration: 0.2, density: 0.04, "
       "period: 0.5, count: 2}     # stim[0]\n"
       "  - {name: electrode-1, on: {sphere: {center: [6, 0], radius: 0.6}}, balances: electrode-0}     # stim[1]\n"},
      {OUTSIDE("stim[0].crct.type = 2\nstim[0].pulse.strength = 40\nstim[0].ptcl.duration = 0.2\nstim[0].elec.p1[0] = "
               "1000\nstim[0].elec.p1[1] = 500\nstim[1].crct.type = 3\nstim[1].elec.vtx_file = pace\n"
               "stim[0].elec.p0[0] = 500\nstim[0].ptcl.npls = 3\nstim[0].ptcl.bcl = 0.4\n"),
       0, "",
       "on: {box: {min: [0.5, 0], max: [1, 0.5]}}, start: 0, duration: 0.2, potential: 40, period: 0.4, count: 3}     "
       "# "
       "stim[0]\n  - {name: electrode-1, on: {nodes: [0, 25, 50, 75, 100]}, ground: true}"},
      {OUTSIDE(CURRENT "stim[0].crct.total_current = 1\nstim[1].crct.type = 1\nstim[1].crct.balance = 1\n"), 3,
       "stim[1].crct.balance: is 1: stim[1] is no other current", NULL},
      {OUTSIDE(CURRENT "stim[0].crct.total_current = 1\nstim[1].crct.type = 3\nstim[1].crct.balance = 0\n"), 0,
       "stim[1].crct.balance: stim[1] is no current, and balances none", first},
      {OUTSIDE(CURRENT "stim[0].crct.total_current = 1\nstim[1].crct.type = 3\nstim[0].ptcl.stimlist = \"0,+0.5\"\n"),
       0, "", "{name: electrode-0-2, on: left, start: 0.5, duration: 0.5, current: 0.04}"},
      {OUTSIDE(CURRENT "stim[0].crct.type = 2\nstim[1].crct.type = 3\nstim[0].ptcl.stimlist = \"0,+0.5\"\n"), 3,
       "stim[0].ptcl.stimlist: electrodes that hold a potential have even trains here", NULL},
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
    expect_that(strstr(text, all[k].text) &&
                    (!strstr(all[k].text, "electrode-1,") || !strstr(text, "on: left") || strstr(text, first)),
                "no '%s' in\n%s", all[k].text, text);
    free(text);
    run = run_sinew(folder, "run", "out.yaml", "--backend", "cpu", "--overwrite", NULL);
    assert_code(&run, 0);
    run_release(&run);
  }
  folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(with_a_bath), cmocka_unit_test(points_outside),
                                     cmocka_unit_test(nodes_without_cells), cmocka_unit_test(bath_along_fibers),
                                     cmocka_unit_test(electrodes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
