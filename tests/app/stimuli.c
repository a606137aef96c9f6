/* Stimuli on surfaces: what they do does not depend on the mesh, what cannot start a wave is said before and after, a
 * pulse however short is not skipped. */
#include "app/monodomain/setup_heart.h"
#include "app/monodomain/surface_distance.h"
#include "mesh/mesh.h"
#include "core/clock.h"
#include "tests/app/scratch.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

/* Activation at x = 15 of a strip of 20 x 5 mm with `cells` elements along, -1: never; what is said of it goes to
 * said[4096]. */
static double arrives(const char *folder, int cells, const char *stimulus, const char *more, char *said) {
  char text[1024];
  snprintf(text, sizeof text,
           "version: 1\nmesh: {grid: [%d, %d], size: [20, 5]}\nphysics: monodomain\n"
           "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 0.5}]\nstimuli: [{name: edge, on: x0, %s}]\n"
           "time: {end: 80, step: 0.5}\n%soutput: {every: 80, maps: [activation], probes: [{name: a, at: [15, 2.5], "
           "field: activation}]}\n",
           cells + 1, cells / 4 + 1, stimulus, more);
  scratch_write(folder, "case.yaml", text);
  Said got = app_says("run", scratch_path(folder, "case.yaml"), "--overwrite", "--quiet", "--threads", "1", "--backend",
                      app_backend(), NULL);
  if (got.code) fail_msg("exit code %d: %s", got.code, got.err);
  snprintf(said, 4096, "%s", got.err);
  said_release(&got);
  char *csv = scratch_read(folder, "results/probes.csv");
  const double time = strtod(strrchr(csv, ',') + 1, NULL);
  free(csv);
  return time;
}

static void converge(void **state) {
  (void)state;
  static const char *const stimuli[] = {"duration: 2, amplitude: 50, depth: 1", "duration: 2, current: 40"};
  static const char *const reaction[] = {"", "reaction: gauss\n"};
  char *folder = scratch_create(), said[4096];
  for (int k = 0; k < 2; ++k)
    for (int gauss = 0; gauss < 2; ++gauss) {
      double t[3];
      if (testing_checks() && gauss) continue;
      for (int i = 0; i < 3; ++i) {
        t[i] = arrives(folder, 40 << i, stimuli[k], reaction[gauss], said);
        if (said[0]) fail_msg("%s: %s", stimuli[k], said);
      }
      print_message("%s %s: %.3f, %.3f, %.3f ms\n", stimuli[k], gauss ? "gauss" : "nodal", t[0], t[1], t[2]);
      assert_true(t[2] > 30 && fabs(t[1] - t[2]) < 0.06 && fabs(t[0] - t[1]) < 0.3 &&
                  fabs(t[1] - t[2]) < 0.6 * fabs(t[0] - t[1]));
    }
  scratch_remove(&folder);
}

/* Without depth: 71 ms, never, never. */
static void warnings(void **state) {
  (void)state;
  char *folder = scratch_create(), said[4096];
  assert_true(arrives(folder, 40, "duration: 2, amplitude: 50", "", said) > 50);
  assert_non_null(strstr(said, "stand for a layer 0.25 mm deep"));
  assert_true(arrives(folder, 160, "duration: 2, amplitude: 50", "", said) == -1);
  assert_non_null(strstr(said, "stand for a layer 0.062 mm deep"));
  assert_non_null(strstr(said, "too weak to start a wave on this mesh"));
  assert_non_null(strstr(said, "no stimulus started a wave"));
  assert_true(arrives(folder, 40, "duration: 2, amplitude: 50, depth: 0.05", "", said) == -1);
  assert_non_null(strstr(said, "too weak to start a wave on this mesh"));
  assert_true(arrives(folder, 40, "duration: 2, current: 2", "", said) == -1);
  assert_non_null(strstr(said, "too weak"));
  scratch_remove(&folder);
}

/* What is said of the stimuli of a strip, 20 x 1 mm. */
static void said_of(const char *folder, const char *model, const char *stimuli, char said[4096]) {
  char text[1024];
  snprintf(text, sizeof text,
           "version: 1\nmesh: {grid: [101, 6], size: [20, 1]}\nphysics: monodomain\n"
           "tissue: [{on: body, ionic: %s, diffusivity: 0.1}]\nstimuli: [%s]\ntime: {end: 300, step: 0.05}\n",
           model, stimuli);
  scratch_write(folder, "case.yaml", text);
  Said got = app_says("check", scratch_path(folder, "case.yaml"), NULL);
  if (got.code) fail_msg("%s: exit code %d: %s", stimuli, got.code, got.err);
  snprintf(said, 4096, "%s", got.err);
  said_release(&got);
}

/* Stimuli that are too strong are told as such, with the place and a strength that starts a wave and is not too strong. */
static void absurd(void **state) {
  (void)state;
  static const char *const models[] = {"aliev-panfilov", "bueno-orovio", "ten-tusscher", "tor-ord"};
  char *folder = scratch_create(), said[4096], stimulus[256];
  for (int k = 0; k < 4; ++k)
    for (int current = 0; current < 2; ++current)
      for (int power = 4; power < 11; power += 3) {
        const char *key = current ? "current" : "amplitude", *more = current ? "" : ", depth: 1";
        snprintf(stimulus, sizeof stimulus, "{name: edge, on: x0, duration: 2%s, %s: 2e%d}", more, key, power);
        said_of(folder, models[k], stimulus, said);
        if (!strstr(said, "stimulus 'edge' is too strong") || !strstr(said, "case.yaml:5:") || strstr(said, "weak"))
          fail_msg("%s, %s: %s", models[k], stimulus, said);
        const char *remedy = strstr(strstr(said, "too strong"), key);
        assert_non_null(remedy);
        snprintf(stimulus, sizeof stimulus, "{name: edge, on: x0, duration: 2%s, %s: %g}", more, key,
                 strtod(strchr(remedy, ':') + 1, NULL));
        said_of(folder, models[k], stimulus, said);
        if (strstr(said, "stimulus")) fail_msg("%s, %s: %s", models[k], stimulus, said);
      }
  scratch_remove(&folder);
}

/* Strengths of 0, pulses without end, and stimuli at one time in one place. */
static void odd_ones(void **state) {
  (void)state;
  static const struct {
    const char *stimuli, *said;
  } row[] = {
      {"{on: x0, depth: 1, duration: 2, amplitude: 0}", "'number 1' has a strength of 0: it does nothing"},
      {"{name: flow, on: x0, duration: 2, current: 0}",
       "'flow' has a strength of 0: it does nothing\n  remedy: 'current: 40' (mV mm/ms)"},
      {"{on: x0, depth: 1, duration: 2, amplitude: 0.001}",
       "'number 1' is too weak to start a wave on this mesh: it stands for a layer 1 mm deep"},
      {"{on: x0, depth: 1, duration: 2, amplitude: 0.001}", "remedy: more than 64 times as much, a larger depth"},
      {"{on: body, duration: 2, amplitude: -1e5}", "'number 1' is too strong: -100000 mV/ms for 2 ms"},
      {"{on: body, duration: 2, amplitude: 1e5}", "'number 1' is too strong: 100000 mV/ms for 2 ms"},
      {"{on: body, duration: 2, amplitude: 40}", "stimulus 'number 1' acts on 100 % of the tissue"},
      {"{on: {box: {min: [0, 0], max: [12, 1]}}, duration: 2, amplitude: 40}", "'number 1' acts on 60 % of the tissue"},
      {"{on: {box: {min: [0, 0], max: [20, 0.5]}}, duration: 2, amplitude: 40}", NULL}, /* half of it, with its rim */
      {"{on: {box: {min: [0, 0], max: [10, 1]}}, duration: 2, amplitude: 40}", NULL},
      {"{on: x0, depth: 1, duration: 200, amplitude: 10}", "'number 1' flows for 200 ms"},
      {"{on: x0, depth: 1, duration: 2, amplitude: 40}", NULL},
      {"{name: a, on: x0, depth: 1, duration: 2, amplitude: 40, start: 90}, {name: b, on: {box: {max: [3, 3], min: [0, "
       "0]}}, period: 30, duration: 3, amplitude: 30, start: 1}",
       "stimulus 'a' and stimulus 'b' both flow from 91 ms on in "},
      {"{name: a, on: x0, depth: 1, duration: 2, amplitude: 40, start: 90}, {name: b, on: x0, depth: 2, period: 30, "
       "duration: 3, amplitude: 30, start: 2}",
       NULL},
      {"{on: x0, depth: 1, duration: 2, amplitude: 40}, {on: {box: {min: [0.8, 0], max: [3, 1]}}, duration: 2, "
       "amplitude: 40}",
       NULL},
      {"{on: x0, depth: 1, duration: 2, amplitude: 40}, {on: x1, depth: 1, duration: 2, amplitude: 40}", NULL}};
  char *folder = scratch_create(), said[4096];
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    said_of(folder, "aliev-panfilov", row[k].stimuli, said);
    if (row[k].said ? !strstr(said, row[k].said) : strstr(said, "stimulus") != NULL)
      fail_msg("%s: %s", row[k].stimuli, said);
  }
  scratch_remove(&folder);
}

/* Of a weak pulse that flows for minutes the beginning is looked at, which says as much: the same words, but for the duration, in no
 * time. Cells that beat by themselves do so while it flows. */
static void long_and_weak(void **state) {
  (void)state;
  char *folder = scratch_create(), said[2][4096];
  const double begin = clock_seconds();
  said_of(folder, "ten-tusscher", "{on: x0, depth: 1, duration: 1e5, amplitude: 0.05}", said[1]);
  const double spent = clock_seconds() - begin;
  said_of(folder, "ten-tusscher", "{on: x0, depth: 1, duration: 200, amplitude: 0.05}", said[0]);
  print_message("%.2f s\n", spent);
  assert_true(spent < 30);
  for (int k = 0; k < 2; ++k) {
    assert_non_null(strstr(said[k], k ? "for 100000 ms" : "for 200 ms"));
    assert_non_null(strstr(said[k], "too weak to start a wave"));
    assert_non_null(strstr(said[k], "remedy: some "));
  }
  assert_string_equal(strstr(said[0], "remedy: some "), strstr(said[1], "remedy: some "));
  said_of(folder, "stewart", "{on: x0, depth: 1, duration: 1000, amplitude: 0.1}", said[0]);
  if (strstr(said[0], "too weak")) fail_msg("%s", said[0]);
  scratch_remove(&folder);
}

/* A place is told in full, however long the path is. */
static void far_away(void **state) {
  (void)state;
  char *folder = scratch_create(), said[4096], name[160];
  snprintf(name, sizeof name, "%0*d.yaml", 120, 0);
  said_of(folder, "aliev-panfilov", "{on: x0, depth: 1, duration: 2, amplitude: 2e5}", said);
  char *text = scratch_read(folder, "case.yaml");
  scratch_write(folder, name, text);
  free(text);
  Said got = app_says("check", scratch_path(folder, name), NULL);
  if (!strstr(got.err, "00.yaml:5:") || !strstr(got.err, "is too strong")) fail_msg("%s", got.err);
  said_release(&got);
  scratch_remove(&folder);
}

/* The same charge in a billionth of the time, beside a step that is a hundred times longer than the other pulse. */
static void short_pulses(void **state) {
  (void)state;
  char *folder = scratch_create(), said[4096];
  const double usual = arrives(folder, 40, "duration: 0.01, amplitude: 1e4, depth: 1", "", said);
  const double brief = arrives(folder, 40, "duration: 1e-10, amplitude: 1e12, depth: 1", "", said);
  print_message("%.4f, %.4f ms\n", usual, brief);
  assert_true(usual > 30 && fabs(brief - usual) < 0.1);
  scratch_remove(&folder);
}

/* Area times depth, whatever the elements. */
static void volumes(void **state) {
  (void)state;
  static const char *const elements[] = {"hex8", "tet4"};
  char *folder = scratch_create(), text[1024];
  for (int k = 0; k < 2; ++k)
    for (int n = 3; n < 9; n += 2) {
      snprintf(
          text, sizeof text,
          "version: 1\nmesh: {grid: [%d, %d, %d], size: [2, 1, 1], element: %s}\nphysics: monodomain\nreaction: nodal\n"
          "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 0.5}]\n"
          "stimuli: [{name: layer, on: x0, duration: 1, amplitude: 40, depth: 0.7}, {name: flow, on: [x0, y0], "
          "duration: 1, current: 30}]\n"
          "time: {end: 2, step: 0.5}\n",
          n, n, n, elements[k]);
      scratch_write(folder, "case.yaml", text);
      Said said = app_says("check", scratch_path(folder, "case.yaml"), NULL);
      assert_int_equal(said.code, 0);
      const char *layer = strstr(said.out, "layer:"), *flow = strstr(said.out, "flow:");
      assert_non_null(layer);
      assert_non_null(flow);
      const double volume = strtod(strstr(layer, "volume") + 6, NULL), area = strtod(strstr(flow, "area") + 4, NULL);
      assert_within(volume, 0.7, 1e-5);
      assert_within(area, 3, 1e-5);
      said_release(&said);
    }
  scratch_remove(&folder);
}

/* Shapes, groups, layers and currents: the same nodes, volumes and warnings for any number of threads. */
static void any_number_of_threads(void **state) {
  (void)state;
  static const char *const threads[] = {"1", "2", "3", "5"};
  char *folder = scratch_create(), *want = NULL;
  scratch_write(folder, "case.yaml",
                "version: 1\nmesh: {grid: [13, 13, 13], element: tet4}\nphysics: monodomain\nreaction: nodal\n"
                "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 0.5}]\n"
                "stimuli: [{name: layer, on: x0, duration: 1, amplitude: 4, depth: 0.2}, {name: flow, on: [x0, y0], "
                "duration: 1, current: 30}, {name: ball, on: {sphere: {center: [0.4, 0.5, 0.6], radius: 0.3}}, "
                "duration: 1, amplitude: 9}, {name: side, on: z1, duration: 1, amplitude: 5}]\n"
                "time: {end: 2, step: 0.5}\n");
  for (int t = 0; t < 4; ++t) {
    omp_set_num_threads(atoi(threads[t]));
    Said said = app_says("check", scratch_path(folder, "case.yaml"), NULL);
    assert_int_equal(said.code, 0);
    char *from = strstr(said.out, "stimulus"), *end = strstr(from, "\nmemory");
    assert_non_null(strstr(from, "ball"));
    if (end) *end = 0;
    if (t == 0) want = strdup(from);
    else assert_string_equal(from, want);
    said_release(&said);
  }
  free(want);
  scratch_remove(&folder);
}

/* A part of a thick shell round the origin, inner radius 4, whose elements get longer outwards; x0 is its inner face. */
static Mesh *shell(ElementKind kind, int across, int along) {
  Mesh *mesh;
  assert_ok(mesh_box(&(BoxParams){.kind = kind, .n = {across, along, along}, .size = {1, 1, 1}}, &mesh));
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    double *x = mesh->x[i], y[3] = {1, 1.6 * x[1] - 0.5, 1.8 * x[2] - 0.7};
    const double length = sqrt(1 + y[1] * y[1] + y[2] * y[2]), radius = 4 + 3 * x[0] * x[0] + 0.2 * x[0];
    for (int k = 0; k < 3; ++k) x[k] = radius * y[k] / length;
  }
  return mesh;
}

static double least_by_loops(const Mesh *mesh, const Group *group, const double x[3], double reach) {
  double least = HUGE_VAL;
  for (int32_t f = 0; f < group->n; ++f) least = fmin(least, facet_distance(mesh, group->element[f], x));
  return least <= reach ? least : HUGE_VAL;
}

/* The tree finds what plain loops find, to the bit, with any number of threads; small groups and large ones. */
static void nearest_facets(void **state) {
  (void)state;
  static const struct {
    ElementKind kind;
    int across, along, every; /* every how manyth node the plain loops look at */
    double reach;
  } row[] = {{ELEMENT_TET4, 3, 1, 1, 1e3},    {ELEMENT_HEX8, 9, 11, 3, 0.7},  {ELEMENT_TET4, 7, 13, 5, 1e3},
             {ELEMENT_TET10, 3, 9, 3, 1.3},   {ELEMENT_HEX27, 3, 6, 1, 0},    {ELEMENT_TET4, 2, 48, 397, 2},
             {ELEMENT_HEX8, 2, 65, 397, 1e3}, {ELEMENT_QUAD4, 40, 40, 1, 1.1}};
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    Mesh *mesh = shell(row[k].kind, row[k].across, row[k].along);
    const Group *group = mesh_group(mesh, "x0");
    double *reach = calloc(3 * (size_t)mesh->n_node, sizeof *reach), *got = reach + mesh->n_node,
           *want = got + mesh->n_node;
    for (int32_t i = 0; i < mesh->n_node; ++i) reach[i] = i % 10 == 9 ? -1 : row[k].reach;
    for (int32_t i = 0; i < mesh->n_node; i += row[k].every)
      want[i] = reach[i] < 0 ? -7 : least_by_loops(mesh, group, mesh->x[i], reach[i]);
    for (int threads = 1; threads < 6; threads += threads < 3 ? 1 : 2) {
      FacetTree *tree = NULL;
      omp_set_num_threads(threads);
      for (int32_t i = 0; i < mesh->n_node; ++i) got[i] = -7;
      assert_ok(facet_tree_create(mesh, group, &tree));
      surface_distances(mesh, tree, reach, got);
      facet_tree_destroy(&tree);
      for (int32_t i = 0; i < mesh->n_node; i += row[k].every) {
        if (got[i] != want[i]) fail_msg("row %zu, node %d: %.17g, must be %.17g", k, i, got[i], want[i]);
        const double *x = mesh->x[i], depth = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) - 4;
        if (row[k].along > 8 && isfinite(want[i]) && reach[i] >= 0) assert_within(want[i], depth, 0.06);
      }
    }
    free(reach);
    mesh_destroy(&mesh);
  }
}

/* Each node's layer, half of the way to the nodes of its elements, by plain loops over all nodes. */
static void layer_by_loops(const Mesh *mesh, const Group *group, double depth, double *share) {
  double longest = 0, *distance = calloc(3 * (size_t)mesh->n_node, sizeof *distance);
  double *low = distance + mesh->n_node, *high = low + mesh->n_node;
  const int32_t first = setup_first_solved(mesh), last = mesh->n_element;
  for (int32_t e = first; e < last; ++e) {
    const int32_t *n = mesh_nodes_of(mesh, e), vertices = element_type(mesh_block_of(mesh, e)->kind)->n_vertex;
    for (int32_t a = 0; a < vertices; ++a)
      for (int32_t b = 0; b < a; ++b) {
        double square = 0;
        for (int k = 0; k < 3; ++k) square += pow(mesh->x[n[a]][k] - mesh->x[n[b]][k], 2);
        longest = fmax(longest, sqrt(square));
      }
  }
  for (int32_t i = 0; i < mesh->n_node; ++i)
    low[i] = high[i] = distance[i] = least_by_loops(mesh, group, mesh->x[i], depth + 2.01 * longest);
  for (int32_t e = first; e < last; ++e) {
    const int32_t *n = mesh_nodes_of(mesh, e), nodes = element_type(mesh_block_of(mesh, e)->kind)->n_node;
    for (int32_t a = 0; a < nodes; ++a)
      for (int32_t b = 0; b < nodes; ++b) {
        if (!isfinite(distance[n[b]])) continue;
        low[n[a]] = fmin(low[n[a]], 0.5 * (distance[n[a]] + distance[n[b]]));
        high[n[a]] = fmax(high[n[a]], 0.5 * (distance[n[a]] + distance[n[b]]));
      }
  }
  for (int32_t i = 0; i < mesh->n_node; ++i)
    if (isfinite(distance[i]) && low[i] < depth)
      share[i] = high[i] > low[i] ? fmin((depth - low[i]) / (high[i] - low[i]), 1) : 1;
  free(distance);
}

static void layers_by_loops(void **state) {
  (void)state;
  static const ElementKind kinds[] = {ELEMENT_TET4, ELEMENT_HEX8, ELEMENT_TET10, ELEMENT_QUAD4};
  static const double depths[] = {1e-3, 0.3, 1.1, 9};
  for (int k = 0; k < 4; ++k) {
    Mesh *mesh = shell(kinds[k], k == 2 ? 4 : 8, k == 2 ? 5 : 7);
    const Group *group = mesh_group(mesh, "x0");
    const size_t n = (size_t)mesh->n_node, bytes = n * sizeof(double);
    double *want = calloc(n, sizeof *want), *got = calloc(n, sizeof *got);
    uint8_t *solved = calloc(n, 1);
    memset(solved, 1, n);
    for (int d = 0; d < 4; ++d) {
      memset(want, 0, bytes);
      layer_by_loops(mesh, group, depths[d], want);
      for (int threads = 1; threads < 6; threads += threads < 3 ? 1 : 2) {
        omp_set_num_threads(threads);
        memset(got, 0, bytes);
        assert_ok(setup_layer(mesh, group, depths[d], solved, got));
        for (size_t i = 0; i < n; ++i)
          if (got[i] != want[i]) fail_msg("depth %g, node %zu: %.17g, must be %.17g", depths[d], i, got[i], want[i]);
      }
    }
    free(want);
    free(got);
    free(solved);
    mesh_destroy(&mesh);
  }
}

static void refused(void **state) {
  (void)state;
  static const struct {
    const char *stimulus, *why;
  } row[] = {
      {"on: x0, duration: 1", "a stimulus needs one of 'amplitude'"},
      {"on: x0, duration: 1, amplitude: 4, current: 3", "a stimulus needs either 'amplitude'"},
      {"on: x0, duration: 1, depth: 1, current: 3", "depth belongs to 'amplitude'"},
      {"on: body, duration: 1, amplitude: 3, depth: 1", "body"},
      {"on: {box: {min: [0, 0], max: [1, 1]}}, duration: 1, amplitude: 3, depth: 1", "depth needs a group of surfaces"},
      {"on: {nodes: [1]}, duration: 1, current: 3", "current needs a group of surfaces"},
      {"on: x0, duration: 1, amplitude: 3, depth: -1", "depth is -1"},
      {"on: x0, duration: 1e-30, amplitude: 3", "shorter pulses are lost in the rounding"}};
  char *folder = scratch_create(), text[1024];
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    snprintf(
        text, sizeof text,
        "version: 1\nmesh: {grid: [5, 5], size: [2, 1]}\nphysics: monodomain\n"
        "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 0.5}]\nstimuli: [{%s}]\ntime: {end: 2, step: 0.5}\n",
        row[k].stimulus);
    scratch_write(folder, "case.yaml", text);
    Said said = app_says("check", scratch_path(folder, "case.yaml"), NULL);
    if (said.code != 3 || !strstr(said.err, row[k].why))
      fail_msg("%s: exit code %d, %s", row[k].stimulus, said.code, said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

#define IN_SPACE(center)                                                                                               \
  "version: 1\nmesh: {grid: [9, 9, 3], size: [4, 4, 1]}\nphysics: monodomain\ntissue: [{on: body, ionic: "             \
  "aliev-panfilov, diffusivity: 0.5}]\nstimuli: [{on: {sphere: {center: " center                                       \
  ", radius: 1}}, duration: 2, amplitude: 50}]\ntime: {end: 5, step: 0.5}\n"

/* A sphere whose third coordinate is left out. */
static void a_cylinder(void **state) {
  (void)state;
  char *folder = scratch_create();
  for (int k = 0; k < 2; ++k) {
    scratch_write(folder, "case.yaml", k ? IN_SPACE("[2, 2, 0]") : IN_SPACE("[2, 2]"));
    Said said = app_says("check", scratch_path(folder, "case.yaml"), NULL);
    assert_int_equal(said.code, 0);
    assert_int_equal(strstr(said.err, "has 2 coordinates in 3 dimensions, so that it is a cylinder") != NULL, !k);
    said_release(&said);
  }
  scratch_remove(&folder);
}

/* Nodes on the border of a box or sphere are in it, also where 700 times 1e-3 is a little more than 0.7. */
static void on_the_border(void **state) {
  (void)state;
  static const struct {
    const char *on, *said;
  } row[] = {{"{box: {min: [0, 0], max: [0.7, 2.8]}}", ": 10 nodes"},
             {"{box: {min: [0.7, 1.4], max: [2.8, 2.8]}}", ": 12 nodes"},
             {"{sphere: {center: [1.4, 1.4], radius: 0.7}}", ": 5 nodes"},
             {"{box: {min: [0, 0], max: [0.699999, 2.8]}}", ": 5 nodes"}};
  char *folder = scratch_create(), text[4000];
  int n = snprintf(text, sizeof text, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n25\n");
  for (int k = 0; k < 25; ++k)
    n += snprintf(text + n, sizeof text - (size_t)n, "%d %d %d 0\n", k + 1, 700 * (k % 5), 700 * (k / 5));
  n += snprintf(text + n, sizeof text - (size_t)n, "$EndNodes\n$Elements\n16\n");
  for (int k = 0; k < 16; ++k) {
    const int a = k / 4 * 5 + k % 4 + 1;
    n += snprintf(text + n, sizeof text - (size_t)n, "%d 3 2 1 1 %d %d %d %d\n", k + 1, a, a + 1, a + 6, a + 5);
  }
  snprintf(text + n, sizeof text - (size_t)n, "$EndElements\n");
  scratch_write(folder, "um.msh", text);
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    snprintf(text, sizeof text,
             "version: 1\nmesh: {file: um.msh, scale: 1e-3}\nphysics: monodomain\ntissue: [{on: 1, ionic: "
             "aliev-panfilov, diffusivity: 0.5}]\nstimuli: [{on: %s, duration: 2, amplitude: 50}]\n"
             "time: {end: 5, step: 0.5}\n",
             row[k].on);
    scratch_write(folder, "case.yaml", text);
    Said said = app_says("check", scratch_path(folder, "case.yaml"), NULL);
    if (said.code || !strstr(said.out, row[k].said)) fail_msg("%s: %d, %s%s", row[k].on, said.code, said.out, said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(converge),        cmocka_unit_test(warnings),   cmocka_unit_test(absurd),
      cmocka_unit_test(odd_ones),        cmocka_unit_test(far_away),   cmocka_unit_test(long_and_weak),
      cmocka_unit_test(short_pulses),    cmocka_unit_test(volumes),    cmocka_unit_test(any_number_of_threads),
      cmocka_unit_test(on_the_border),   cmocka_unit_test(a_cylinder), cmocka_unit_test(nearest_facets),
      cmocka_unit_test(layers_by_loops), cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
