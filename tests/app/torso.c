/* A heart in a torso: leads and the potential outside of the cells against closed forms, reciprocity, and the limit of a
 * large torso. */
#include "app/monodomain/conductor.h"
#include "app/run/backend.h"
#include "app/run/forecast.h"
#include "core/memory.h"
#include "output/read.h"
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROOM = 1 << 21 };

#define HEAD                                                                                                           \
  "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n%d 1 \"heart\"\n%d 2 \"fat\"\n$EndPhysicalNames\n"         \
  "$Nodes\n%d\n"

/* Numbers of a row of probes.csv behind the time. */
static void csv_row(const char *folder, int row, int n, double *value) {
  char *text = scratch_read(folder, "results/probes.csv"), *at = text;
  for (int k = 0; k <= row; ++k) at = strchr(at, '\n') + 1;
  for (int k = 0; k < n; ++k) {
    at = strchr(at, ',');
    assert_non_null(at++);
    value[k] = strtod(at, NULL);
  }
  free(text);
}

/* ---- a disc of radius 1 in a disc of radius 2 ---- */

/* 2 n rings of 6 n quadrilaterals, those of the middle triangles; the heart is the inner half. */
static void write_disc(const char *folder, int n) {
  const int rings = 2 * n, sectors = 6 * n, n_element = rings * sectors;
  char *text = malloc(ROOM), *at = text, *const end = text + ROOM;
  at += snprintf(at, (size_t)(end - at), HEAD "1 0 0 0\n", 2, 2, 1 + n_element);
  for (int r = 1; r <= rings; ++r)
    for (int s = 0; s < sectors; ++s) {
      const double radius = (double)r / n, angle = 2 * M_PI * s / sectors;
      at += snprintf(at, (size_t)(end - at), "%d %.15g %.15g 0\n", 2 + (r - 1) * sectors + s, radius * cos(angle),
                     radius * sin(angle));
    }
  at += snprintf(at, (size_t)(end - at), "$EndNodes\n$Elements\n%d\n", n_element);
  for (int r = 0; r < rings; ++r)
    for (int s = 0; s < sectors; ++s) {
      const int a = 2 + (r - 1) * sectors + s, b = 2 + (r - 1) * sectors + (s + 1) % sectors, group = r < n ? 1 : 2;
      const int tag = 1 + r * sectors + s, c = a + sectors, d = b + sectors;
      if (r == 0) at += snprintf(at, (size_t)(end - at), "%d 2 2 %d %d 1 %d %d\n", tag, group, group, c, d);
      else at += snprintf(at, (size_t)(end - at), "%d 3 2 %d %d %d %d %d %d\n", tag, group, group, a, c, d, b);
    }
  at += snprintf(at, (size_t)(end - at), "$EndElements\n");
  assert_true(at < end - 1);
  scratch_write(folder, "mesh.msh", text);
  free(text);
}

#define DISC                                                                                                           \
  "version: 1\nmesh: mesh.msh\nphysics: monodomain\n"                                                                  \
  "tissue: [{on: heart, ionic: aliev-panfilov, conductivity: {intra: 0.3, extra: 0.5, surface-to-volume: 140}}]\n"     \
  "torso: [{on: fat, conductivity: 0.2}]\ninitial: '-40 + x'\ntime: {end: 1, step: 1}\nsolver: {rtol: 1e-10}\n"        \
  "output:\n  every: 1\n  fields: [potential, extracellular]\n  torso: true\n"                                         \
  "  probes: [{name: a, at: [0.5, 0], field: extracellular}, {name: b, at: [-0.5, 0], field: extracellular}]\n"        \
  "  ecg: [{name: skin, positive: [2, 0], negative: [-2, 0]}, {name: deep, positive: [1.5, 0], negative: [0, "         \
  "2.001]}]\n"

/* The map of the torso at t = 0: the largest error of all nodes, between poles the lead. */
static double map_error(const char *folder, int n, double A, double B, double C, double lead) {
  char path[512];
  Result *result;
  double error = 0, *phi;
  const int sectors = 6 * n;
  snprintf(path, sizeof path, "%s/results/torso/results.hdf", folder);
  assert_ok(result_open(path, &result));
  assert_int_equal(result->n_node, 1 + 2 * n * sectors);
  assert_int_equal(result->n_step, 2);
  phi = malloc((size_t)result->n_node * sizeof *phi);
  assert_non_null(phi);
  assert_ok(result_read(result, result_field(result, "extracellular", false), 0, phi));
  for (int k = 1; k < result->n_node; ++k) {
    const double r = (double)((k - 1) / sectors + 1) / n, angle = 2 * M_PI * ((k - 1) % sectors) / sectors;
    error = fmax(error, fabs(phi[k] - (r < 1 ? A * r : B * r + C / r) * cos(angle)));
  }
  const double *skin = phi + 1 + (2 * n - 1) * sectors;
  assert_within(skin[0] - skin[sectors / 2], lead, 1e-8);
  free(phi);
  result_close(&result);
  return error;
}

/* V = x: phi = A r cos inside and (B r + C / r) cos outside; continuous at 1, as is the current, none at 2. */
static void layers(void **state) {
  (void)state;
  char *folder = scratch_create();
  const double intra = 0.3, sum = 0.8, fat = 0.2;
  const double B = -intra / (5 * sum + 3 * fat), A = 5 * B,
               C = 4 * B; /* A = B + C, C = 4 B, sum A + intra = fat (B - C) */
  const double wanted[] = {A, 2 * (2 * B + C / 2), 1.5 * B + C / 1.5, A};
  double error[3][4];
  for (int k = 0; k < 3; ++k) {
    double got[4];
    write_disc(folder, 4 << k);
    app_runs(folder, DISC);
    csv_row(folder, 0, 4, got);
    error[k][0] = fabs(got[0] - got[1] - wanted[0]);
    for (int l = 1; l < 3; ++l) error[k][l] = fabs(got[1 + l] - wanted[l]);
    error[k][3] = map_error(folder, 4 << k, A, B, C, got[2]);
  }
  for (int l = 0; l < 4; ++l) {
    assert_true(error[2][l] < 4e-3 * fabs(wanted[l]));
    for (int k = 0; k < 2; ++k) assert_true(error[k + 1][l] < error[k][l] / 3.3);
  }
  scratch_remove(&folder);
}

static bool is_there(const char *folder, const char *name) { return !access(scratch_path(folder, name), F_OK); }
/* A result without maps takes the old one's with it; what else lies there stays, and results of their own. */
static void old_maps(void **state) {
  (void)state;
  static const char *const kept[] = {NULL, "results/torso/mine.txt", "results/torso/report.json"};
  char *folder = scratch_create(), without[2048];
  snprintf(without, sizeof without, "%s", DISC);
  char *key = strstr(without, "  torso: true\n");
  memmove(key, key + strlen("  torso: true\n"), strlen(key + strlen("  torso: true\n")) + 1);
  write_disc(folder, 2);
  for (int k = 0; k < 3; ++k) {
    app_runs(folder, DISC);
    assert_true(is_there(folder, "results/torso/results.hdf") && is_there(folder, "results/torso/results.xdmf"));
    if (kept[k]) scratch_write(folder, kept[k], "{}");
    scratch_write(folder, "results/filaments.csv", "time");
    app_runs(folder, without);
    assert_true(is_there(folder, "results/results.hdf") && !is_there(folder, "results/filaments.csv"));
    assert_true(is_there(folder, "results/torso/results.hdf") == (k == 2));
    assert_true(is_there(folder, "results/torso") == (k > 0) && (!kept[k] || is_there(folder, kept[k])));
  }
  scratch_remove(&folder);
}

/* Nor does `verify` leave its temporary result behind. */
static void verified_maps(void **state) {
  (void)state;
  char *folder = scratch_create(), *before = getenv("TMPDIR") ? strdup(getenv("TMPDIR")) : NULL;
  write_disc(folder, 2);
  scratch_write(folder, "case.yaml", DISC "expect: [{probe: a, value: 0, atol: 10}]\n");
  assert_int_equal(mkdir(scratch_path(folder, "temporary"), 0777), 0);
  setenv("TMPDIR", scratch_path(folder, "temporary"), 1);
  Said said = app_says("verify", scratch_path(folder, "case.yaml"), "--backend", app_backend(), NULL);
  (void)(before ? setenv("TMPDIR", before, 1) : unsetenv("TMPDIR"));
  assert_int_equal(said.code, 0);
  said_release(&said);
  assert_int_equal(rmdir(scratch_path(folder, "temporary")), 0); /* empty */
  free(before);
  scratch_remove(&folder);
}

/* ---- a cube in a cube ---- */

/* Of places along an axis those of the heart lie from 0 to 1. */
static void write_cube(const char *folder, int n, const double *x) {
  char *text = malloc(ROOM), *at = text, *const end = text + ROOM;
  const int m = n - 1;
  at += snprintf(at, (size_t)(end - at), HEAD, 3, 3, n * n * n);
  for (int k = 0; k < n * n * n; ++k)
    at += snprintf(at, (size_t)(end - at), "%d %.12g %.12g %.12g\n", k + 1, x[k % n], x[k / n % n], x[k / n / n]);
  at += snprintf(at, (size_t)(end - at), "$EndNodes\n$Elements\n%d\n", m * m * m);
  for (int k = 0; k < m * m * m; ++k) {
    const int i[3] = {k % m, k / m % m, k / m / m};
    const int a = 1 + i[0] + n * (i[1] + n * i[2]), b = a + n * n;
    bool heart = true;
    for (int d = 0; d < 3; ++d) heart &= x[i[d]] > -1e-9 && x[i[d] + 1] < 1 + 1e-9;
    at += snprintf(at, (size_t)(end - at), "%d 5 2 %d %d %d %d %d %d %d %d %d %d\n", k + 1, heart ? 1 : 2,
                   heart ? 1 : 2, a, a + 1, a + 1 + n, a + n, b, b + 1, b + 1 + n, b + n);
  }
  at += snprintf(at, (size_t)(end - at), "$EndElements\n");
  assert_true(at < end - 1);
  scratch_write(folder, "mesh.msh", text);
  free(text);
}

#define CUBE(tissue, around, output)                                                                                   \
  "version: 1\nmesh: mesh.msh\nphysics: monodomain\ntissue: [{on: heart, ionic: aliev-panfilov, " tissue "}]\n" around \
  "initial: '-40 + 3*x + y*z - 2*z'\ntime: {end: 1, step: 1}\nsolver: {rtol: 1e-10}\noutput: {every: 1, " output "}\n"
#define EVEN "conductivity: {intra: 0.3, extra: 0.5, surface-to-volume: 140}"
#define FIBRES                                                                                                         \
  "conductivity: {intra: [0.3, 0.1, 0.05], extra: [0.5, 0.3, 0.2], surface-to-volume: 140}, "                          \
  "fibers: {direction: [1, 0.5, 0.2]}, sheets: {direction: [0, 0.3, 1]}"
#define FAT(sigma) "torso: [{on: fat, conductivity: " sigma "}]\n"

/* The torso grows: leads become those of an infinite medium. */
static void infinite(void **state) {
  (void)state;
  enum { N = 27 };
  char *folder = scratch_create();
  double x[N], got[2], wanted[2];
#define LEADS                                                                                                          \
  "ecg: [{name: a, positive: [4, 1, 1], negative: [-3, 2, 3]}, {name: b, positive: [0, -3, 2], negative: [1, 1, 6]}]"
  for (int k = 0; k < N; ++k) { /* steps grow by 1.4 on both sides of the heart */
    const int side = k < 11 ? 11 - k : k > 15 ? k - 15 : 0;
    const double far = 0.25 * 1.4 * (pow(1.4, side) - 1) / 0.4;
    x[k] = k < 11 ? -far : k > 15 ? 1 + far : 0.25 * (k - 11);
  }
  write_cube(folder, N, x);
  app_runs(folder, CUBE(EVEN, FAT("0.8"), LEADS));
  csv_row(folder, 0, 2, got);
  /* the same heart alone; it conducts no more than the medium, as in the formula */
  const double heart[] = {0, 0.25, 0.5, 0.75, 1};
  write_cube(folder, 5, heart);
  app_runs(folder, CUBE(EVEN, "", "medium: 0.8, " LEADS));
  csv_row(folder, 0, 2, wanted);
  for (int l = 0; l < 2; ++l) assert_relative(got[l], wanted[l], 0.03);
  scratch_remove(&folder);
}

static const double small_cube[] = {-2, -1, -0.5, 0, 0.25, 0.5, 0.75, 1, 2, 3};

/* The twelve leads are sums of those between their electrodes. */
static void twelve(void **state) {
  (void)state;
  char *folder = scratch_create();
  double v[20], *lead = v + 8;
  write_cube(folder, 10, small_cube);
#define AGAINST_LL(name, at) "{name: " name ", positive: " at ", negative: [2.2, 1, -2]}, "
  app_runs(folder, CUBE(FIBRES, FAT("0.2"),
                        "ecg: [" AGAINST_LL("ra", "[-2, 0, 3]") AGAINST_LL("la", "[3, 0, 3]") AGAINST_LL(
                            "v1", "[0, -2, 1]") AGAINST_LL("v2", "[0.3, -2.1, 1]") AGAINST_LL("v3", "[1, -2, 0.5]")
                            AGAINST_LL("v4", "[2, -2, 0.3]") AGAINST_LL("v5", "[3, -1, 0]") AGAINST_LL(
                                "v6", "[3, 1, 0]") "], electrodes: {RA: [-2, 0, 3], LA: [3, 0, 3], LL: [2.2, 1, -2], "
                                                   "V1: [0, -2, 1], V2: [0.3, -2.1, 1], V3: "
                                                   "[1, -2, 0.5], V4: [2, -2, 0.3], V5: [3, -1, 0], V6: [3, 1, 0]}"));
  csv_row(folder, 0, 20, v);
  const double ra = v[0], la = v[1], mean = (ra + la) / 3;
  const double limb[6] = {la - ra, -ra, -la, ra - la / 2, la - ra / 2, -(ra + la) / 2};
  assert_true(fabs(ra) > 1e-4);
  for (int k = 0; k < 6; ++k) assert_within(lead[k], limb[k], 1e-8);
  for (int k = 0; k < 6; ++k) assert_within(lead[6 + k], v[2 + k] - mean, 1e-8);
  scratch_remove(&folder);
}

/* Weights by a current between two nodes of the heart, and the potential there. */
static void reciprocity(void **state) {
  (void)state;
  static const char text[] = CUBE(FIBRES, FAT("0.2"), "fields: [extracellular]");
  char *folder = scratch_create();
  Case *c = NULL;
  Mesh *mesh = NULL;
  Setup setup;
  Device device;
  Conductor *conductor = NULL;
  Diffusion *order = NULL; /* of the rows */
  write_cube(folder, 10, small_cube);
  scratch_write(folder, "case.yaml", text);
  assert_ok(case_load(scratch_path(folder, "case.yaml"), 0, NULL, &c));
  assert_ok(mesh_of_case(c, false, NULL, &mesh));
  assert_int_equal(mesh->n_node, 125);
  assert_int_equal(mesh->whole->n_node, 1000);
  assert_ok(setup_create(c, mesh, &setup));
  assert_ok(device_open(strcmp(app_backend(), "cuda") ? BACKEND_CPU : BACKEND_CUDA, 1, &device));
  assert_ok(conductor_create(device.exec, c, mesh, &setup, 1, NULL, &conductor));
  assert_ok(diffusion_create(device.exec, &heart_setup(&setup)->diffusion, &order));
  double weight[2 * 125], V[125], phi[125], *on[2] = {NULL, NULL};
  const int node[3] = {3, 101, 64};
  Electrode e[3];
  for (int k = 0; k < 3; ++k) e[k] = (Electrode){.n = 1, .node = {mesh->whole_node[node[k]]}, .share = {1}};
  assert_ok(conductor_leads(conductor, 2, (ConductorPair[]){{&e[0], &e[1]}, {&e[2], &e[0]}}, weight, NULL));
  for (int i = 0; i < 125; ++i) V[i] = sin(3 * i) * (i % 7);
  for (int k = 0; k < 2; ++k) assert_ok(exec_alloc(device.exec, 125, sizeof(double), "V", (void **)&on[k]));
  assert_ok(diffusion_initial(order, V, on[0]));
  assert_ok(conductor_potential(conductor, on[0], on[1]));
  assert_ok(diffusion_download(order, on[1], phi));
  double lead[2] = {0, 0};
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < 125; ++i) lead[k] += weight[125 * k + i] * V[i];
  assert_true(fabs(lead[0]) > 1e-2);
  assert_within(lead[0], phi[3] - phi[101], 1e-8);
  assert_within(lead[1], phi[64] - phi[3], 1e-8);
  for (int k = 0; k < 2; ++k) exec_release(device.exec, 125, sizeof(double), (void **)&on[k]);
  diffusion_destroy(&order);
  conductor_destroy(&conductor);
  device_close(&device);
  setup_release(&setup);
  mesh_destroy(&mesh);
  case_destroy(&c);
  scratch_remove(&folder);
}

/* ---- the heart alone ---- */

/* Where the conductivities are in the same ratio in all directions phi is -sigma_i / (sigma_i + sigma_e) V but for its mean,
 * also on the mesh; and is there when the run goes on from a checkpoint. */
static void alone(void **state) {
  (void)state;
  static const char text[] =
      "version: 1\nmesh: {grid: [21, 5], size: [10, 2]}\nphysics: monodomain\n"
      "tissue: [{on: body, ionic: aliev-panfilov, conductivity: {intra: [0.2, 0.02], extra: [0.6, 0.06], "
      "surface-to-volume: 140}, fibers: {direction: [1, 1]}}]\ninitial: '-40 + 30*cos(pi*x/10)'\n"
      "time: {end: 2, step: 0.5}\nsolver: {rtol: 1e-10}\noutput: {every: 1, fields: [potential, extracellular], "
      "probes: "
      "[{name: v, at: [1, 0.1]}, {name: w, at: [3, 0.15]}, {name: a, at: [1, 0.1], field: extracellular}, {name: b, "
      "at: "
      "[3, 0.15], field: extracellular}]}\n";
  char *folder = scratch_create();
  double v[4];
  app_runs(folder, text);
  for (int row = 0; row < 3; ++row) {
    csv_row(folder, row, 4, v);
    assert_true(fabs(v[0] - v[1]) > 1);
    assert_relative(v[2] - v[3], -0.25 * (v[0] - v[1]), 1e-8);
    if (row == 0) assert_within(v[2], -0.25 * 30 * cos(0.1 * M_PI), 0.1); /* the cosine has mean 0 */
  }
  scratch_remove(&folder);
}

/* A tree is no source: leads and the potential at the tissue are those without it; its own nodes have the potential of the
 * tissue at its nearest point. */
static void with_tree(void **state) {
  (void)state;
  static const char lines[] =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 -0.4 0.1 0\n2 0.3 0.1 0.1\n3 0.7 0.3 0.3\n4 0.9 0.6 1.1\n"
      "$EndNodes\n$Elements\n3\n1 1 2 1 1 1 2\n2 1 2 1 1 2 3\n3 1 2 1 1 3 4\n$EndElements\n";
#define TREE                                                                                                           \
  "purkinje: [{name: tree, file: tree.msh, ionic: aliev-panfilov, diffusivity: 2, radius: 0.1, junction: "             \
  "{resistance: 10, radius: 0.5}}]\n"
#define SEEN                                                                                                           \
  "fields: [extracellular], probes: [{name: a, at: [0.3, 0.1, 0.1], field: extracellular}, {name: b, at: [0.9, 0.6, "  \
  "1], "                                                                                                               \
  "field: extracellular}"
#define ON_TREE                                                                                                        \
  ", {name: c, on: tree, at: [0.3, 0.1, 0.1], field: extracellular}, {name: d, on: tree, at: [0.9, 0.6, 1.1], field: " \
  "extracellular}"
#define PAIRS ", ecg: [{name: l, positive: [2, 1, 1], negative: [-2, 1, 0.3]}]"
  static const char *const text[2][2] = {
      {CUBE(FIBRES, "", SEEN "]"), CUBE(FIBRES, TREE, SEEN ON_TREE "]")},
      {CUBE(FIBRES, FAT("0.2"), SEEN "]" PAIRS), CUBE(FIBRES, FAT("0.2") TREE, SEEN ON_TREE "]" PAIRS)}};
  static const double heart[] = {0, 0.25, 0.5, 0.75, 1};
  char *folder = scratch_create();
  scratch_write(folder, "tree.msh", lines);
  for (int torso = 0; torso < 2; ++torso) {
    double known[3], got[5];
    write_cube(folder, torso ? 10 : 5, torso ? small_cube : heart);
    app_runs(folder, text[torso][0]);
    csv_row(folder, 0, 2 + torso, known);
    app_runs(folder, text[torso][1]);
    csv_row(folder, 0, 4 + torso, got);
    assert_true(fabs(known[0] - known[1]) > 0.1);
    for (int k = 0; k < 2; ++k) {
      assert_relative(got[k], known[k], 1e-7);
      assert_relative(got[2 + k], known[k], 1e-7);
    }
    if (torso) assert_relative(got[4], known[2], 1e-7);
  }
  scratch_remove(&folder);
}

/* What a run will take: a heart that is rehearsed whole, with its torso, and by a sample of it. */
static void forecast(void **state) {
  (void)state;
  enum { N = 20 };
  char *folder = scratch_create();
  double x[N];
  int64_t peak[2][2];
  for (int k = 0; k < N; ++k) x[k] = (k - 4) / 11.0; /* twelve places from 0 to 1 */
  write_cube(folder, N, x);
  for (int outside = 0; outside < 2; ++outside) {
    Case *c = NULL;
    Mesh *mesh = NULL;
    Setup setup;
    scratch_write(folder, "case.yaml",
                  outside ? CUBE(EVEN, FAT("0.2"), "fields: [extracellular]")
                          : CUBE(EVEN, FAT("0.2"), "ecg: [{name: a, positive: [1.3, 1, 1], negative: [-0.3, 0, 0]}]"));
    assert_ok(case_load(scratch_path(folder, "case.yaml"), 0, NULL, &c));
    assert_ok(mesh_of_case(c, false, NULL, &mesh));
    assert_int_equal(mesh->n_node, 12 * 12 * 12);
    assert_ok(setup_create(c, mesh, &setup));
    for (int sampled = 0; sampled < 2; ++sampled) {
      MemoryPlan plan;
      const ForecastRequest request = {.c = c, .mesh = mesh, .setup = &setup, .sample = sampled ? 1500 : 0};
      assert_ok(memory_forecast(&request, &plan));
      peak[outside][sampled] = plan.peak[0];
    }
    print_message("%s: %.3g MB, by a sample %.3g MB\n", outside ? "outside" : "leads", 1e-6 * (double)peak[outside][0],
                  1e-6 * (double)peak[outside][1]);
    assert_relative((double)peak[outside][1], (double)peak[outside][0], 0.35); /* few levels; of 8000 nodes 0.1 */
    setup_release(&setup);
    mesh_destroy(&mesh);
    case_destroy(&c);
  }
  assert_true(peak[0][0] > 8000 * 1000); /* a heart alone takes less than half of it */
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(layers),   cmocka_unit_test(old_maps),  cmocka_unit_test(verified_maps),
      cmocka_unit_test(infinite), cmocka_unit_test(twelve),    cmocka_unit_test(reciprocity),
      cmocka_unit_test(alone),    cmocka_unit_test(with_tree), cmocka_unit_test(forecast)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
