/* Modes of a sector with nodal diameters (`analysis: {diameters: ..}`) against all those of the ring that its copies make: frequencies one by one, what
 * pairs of them do at points of the sector, and their participation. */
#include "core/memory.h"
#include "mesh/make/copies.h"
#include "tests/app/ring.h"

static uint64_t seed = 5;

enum { MODES = 6, OF_RING = 24, DISPLACEMENTS = 6, PROBES, MOST = 200 };

typedef struct Problem {
  int32_t dim, order;
  bool core, free, pressed; /* nothing holds it; under a load, which counts */
} Problem;
static const Problem problems[] = {{3, 1, false, false, false}, {3, 1, true, true, false},  {3, 2, true, false, false},
                                   {2, 1, true, true, false},   {2, 2, false, false, true}, {3, 1, true, false, true},
                                   {3, 2, false, false, true}};

/* What each mode has: frequency, numbers at probes, effective masses; in the order of the files. */
typedef struct Modes {
  int32_t n;
  double frequency[MOST], at[MOST][PROBES], mass[MOST][3];
  int32_t diameter[MOST];
} Modes;

static void modes_read(const char *folder, Modes *m) {
  char *rows = scratch_read(folder, "results/modes.csv"), *at = strchr(rows, '\n');
  for (m->n = 0; at && at[1]; ++m->n, at = strchr(at + 1, '\n')) {
    double skip[4], *e = m->mass[m->n];
    m->diameter[m->n] = -1;
    assert_true(m->n < MOST);
    assert_true(sscanf(at, "\n%*d,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%d", &m->frequency[m->n], skip, skip + 1, skip + 2,
                       skip + 3, e, e + 1, e + 2, &m->diameter[m->n]) >= 8);
  }
  free(rows);
  rows = scratch_read(folder, "results/probes.csv"), at = strchr(rows, '\n');
  for (int32_t k = 0; k < m->n && strchr(rows, 'p'); ++k, at = strchr(at + 1, '\n')) {
    char *value = at + 1;
    assert_non_null(at);
    for (int p = 0; p < PROBES; ++p) value = strchr(value, ',') + 1, m->at[k][p] = strtod(value, NULL);
  }
  free(rows);
}

static void put(const Problem *q, const Ring *r, const char *diameters, char *text, size_t size) {
  char about[300], traction[600];
  double x[2][3];
  put_axis(r, about, sizeof about);
  put_traction(r, 8, traction, sizeof traction);
  int n = snprintf(text, size,
                   "version: 1\nphysics: elasticity\nmesh: {file: %s, order: %d}\nmodel: %s\nsolver: {rtol: 1e-10}\n"
                   "materials: [{on: body, young: 1000, poisson: 0.3, density: 2, expansion: 1e-3}]\n"
                   "analysis: {type: modal, modes: %d%s%s}\n",
                   r->closed ? "ring.msh" : "sector.msh", q->order, q->dim == 3 ? "3d" : "plane-strain",
                   r->closed ? OF_RING : MODES, diameters, q->pressed ? ", prestress: true" : "");
  if (!r->closed || !q->free || q->pressed) n += snprintf(text + n, size - (size_t)n, "boundary:\n");
  if (!r->closed) n += snprintf(text + n, size - (size_t)n, "- {on: cut0, periodic: cut1, rotate: {%s}}\n", about);
  if (!q->free)
    n += snprintf(text + n, size - (size_t)n, "- {on: %s}\n", q->dim == 3 ? "z0, fix: all" : "inner, spring: 40");
  if (q->pressed) {
    n += snprintf(text + n, size - (size_t)n, "- {on: outer, traction: %s}\nthermal: {reference: 0, temperature: 5}\n",
                  traction);
    if (q->dim == 3)
      n += snprintf(text + n, size - (size_t)n, "body: [{on: body, centrifugal: {%s, speed: 3}}]\n", about);
  }
  n += snprintf(text + n, size - (size_t)n, "output:\n  probes:\n");
  ring_place(r, 2, 0, r->high, x[0]);
  ring_place(r, 1, 1, r->high, x[1]);
  for (int p = 0; p < PROBES; ++p) { /* stress within the sector: at cuts it is that of one side */
    const double *at = x[p / 3 < 2 ? p / 3 : 1];
    n += snprintf(text + n, size - (size_t)n, "  - {name: p%d, at: [%.17g, %.17g", p, at[0], at[1]);
    if (q->dim == 3) n += snprintf(text + n, size - (size_t)n, ", %.17g", at[2]);
    n += snprintf(text + n, size - (size_t)n, "], field: %s%c}\n",
                  p == DISPLACEMENTS && r->around > 1 ? "stress-x" : "displacement-", "xyz"[p % (q->dim == 3 ? 3 : 2)]);
  }
  assert_true((size_t)n < size);
}

/* Modes k to k + n - 1 have one frequency: sums of squares are those of whatever basis. The mass of a mode of N sectors is N times that of one. */
static void compare_cluster(int problem, const Modes *ring, const Modes *sector, int32_t k, int32_t n,
                            int32_t n_sector) {
  for (int p = 0; p < PROBES + 3; ++p) {
    double a = 0, b = 0, scale = 0;
    for (int32_t i = k; i < k + n; ++i) {
      a += p < PROBES ? ring->at[i][p] * ring->at[i][p] * n_sector : ring->mass[i][p - PROBES] / n_sector;
      b += p < PROBES ? sector->at[i][p] * sector->at[i][p] : sector->mass[i][p - PROBES];
      for (int s = 0; s < (p < PROBES ? DISPLACEMENTS : 3); ++s)
        scale += p < PROBES ? sector->at[i][s] * sector->at[i][s] : sector->mass[i][s];
    }
    if (p == DISPLACEMENTS) scale = fmax(scale, b);
    if (!(fabs(a - b) <= 2e-5 * fmax(scale, 1e-2)))
      fail_msg("problem %d, modes %d to %d, number %d: %.9g in the sector, %.9g in the ring (%.9g)", problem, k + 1,
               k + n, p, b, a, sector->frequency[k]);
  }
}

static void of_a_ring(void **state) {
  (void)state;
  static char text[8192];
  static Modes ring, sector;
  char *folder = scratch_create();
  for (int i = 0; i < (int)(sizeof problems / sizeof *problems); ++i) {
    const Problem *q = &problems[i];
    Ring r = drawn(q->dim, q->core);
    char diameters[64];
    r.n = 3 + i % 4;
    r.around = q->dim == 2 ? 3 : r.n == 3 ? 2 : 1;
    int n = snprintf(diameters, sizeof diameters, ", diameters: [0");
    for (int d = 1; d <= r.n / 2; ++d) n += snprintf(diameters + n, sizeof diameters - (size_t)n, ", %d", d);
    snprintf(diameters + n, sizeof diameters - (size_t)n, "]");
    ring_write(folder, "sector.msh", &r);
    put(q, &r, diameters, text, sizeof text);
    app_runs(folder, text);
    modes_read(folder, &sector);
    const double motions = scratch_reported(folder, "rigid_motions");
    put(q, &r, "", text, sizeof text); /* without any: those that have none */
    app_runs(folder, text);
    modes_read(folder, &ring);
    for (int32_t k = 0, m = 0; m < ring.n; ++k)
      for (int d = 0; sector.diameter[k] == 0 && d <= 3; m += d++ == 3)
        assert_within(d < 3 ? ring.mass[m][d] : ring.frequency[m], d < 3 ? sector.mass[k][d] : sector.frequency[k],
                      1e-5 * (d < 3 ? 1 : sector.frequency[k]));
    r.closed = true;
    ring_write(folder, "ring.msh", &r);
    put(q, &r, "", text, sizeof text);
    app_runs(folder, text);
    modes_read(folder, &ring);
    assert_near(motions, scratch_reported(folder, "rigid_motions"), 0);
    assert_int_equal(sector.n, MODES * (r.n / 2 + 1));
    double known = ring.frequency[ring.n - 1]; /* below that all are there */
    for (int d = 0; d <= r.n / 2; ++d) {
      double last = 0;
      for (int32_t k = 0; k < sector.n; ++k)
        if (sector.diameter[k] == d) last = sector.frequency[k];
      known = fmin(known, last);
    }
    int32_t compared = 0;
    for (int32_t k = 0; sector.frequency[k] < known * (1 - 1e-6); ++k, ++compared)
      if (!(fabs(sector.frequency[k] - ring.frequency[k]) <= 1e-8 * known))
        fail_msg("problem %d, mode %d of diameter %d: %.12g in the sector, %.12g in the ring", i, k + 1,
                 sector.diameter[k], sector.frequency[k], ring.frequency[k]);
    print_message("%d sectors: %d modes\n", r.n, compared);
    assert_true(compared >= MODES);
    for (int32_t k = 0, m; k < compared; k += m) {
      for (m = 1; k + m < compared && sector.frequency[k + m] - sector.frequency[k] < 1e-4 * known;) ++m;
      if (k + m < compared) compare_cluster(i, &ring, &sector, k, m, r.n);
    }
  }
  scratch_remove(&folder);
}

/* ---- cuts of other meshes ---- */

/* Two blocks as the halves of one of n sectors, tied to each other; `bottom` and `top` are its cuts. */
static Mesh *half_blocks(ElementKind a, ElementKind b, int32_t order, int32_t n) {
  const TwoBlocks q = {.kind = {a, b}, .order = 1, .n = {{1, 2, 1}, {2, 1, 1}}};
  Mesh *mesh = two_blocks(&q), *higher = NULL;
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    double *x = mesh->x[i];
    const double radius = 0.5 + 0.7 * x[0], angle = PI / n * (x[2] + 1), up = -0.6 * x[1];
    x[0] = radius * cos(angle), x[1] = radius * sin(angle), x[2] = up;
  }
  if (order == 1) return mesh;
  assert_ok(mesh_elevate(mesh, true, &higher));
  mesh_destroy(&mesh);
  return higher;
}

/* Group `name` of copy k as "name3". */
static void copy_group(const Mesh *from, const char *name, int32_t n, int32_t k, Mesh *to) {
  const Group *group = mesh_group(from, name);
  Group *made = &to->group[to->n_group++];
  *made = (Group){.dim = group->dim, .number = to->n_group, .n = group->n};
  char text[20];
  snprintf(text, sizeof text, "%s%d", name, (int)k);
  assert_ok(mem_text(text, "a group", &made->name));
  assert_ok(mem_alloc(group->n, sizeof *made->element, "a group", (void **)&made->element));
  for (int32_t i = 0; i < group->n; ++i) made->element[i] = mesh_copy_element(from, n, k, group->element[i]);
}

static Mesh *ring_of(const Mesh *mesh, int32_t n) {
  static const char *const name[] = {"a", "b", "bottom", "top", "x0", "body"};
  Mesh *ring;
  assert_ok(mesh_copies(mesh, n, &ring));
  assert_ok(mem_alloc(6 * (int64_t)n, sizeof *ring->group, "groups", (void **)(void *)&ring->group));
  for (int32_t i = 0; i < ring->n_node; ++i) {
    const double angle = 2 * PI * (i / mesh->n_node) / n, x = ring->x[i][0], y = ring->x[i][1];
    ring->x[i][0] = cos(angle) * x - sin(angle) * y, ring->x[i][1] = sin(angle) * x + cos(angle) * y;
    ring->node_tag[i] = i + 1;
  }
  for (int32_t k = 0; k < n; ++k)
    for (int g = 0; g < 6; ++g) copy_group(mesh, name[g], n, k, ring);
  return ring;
}

static int32_t put_tied(char *text, size_t size, const char *mesh, int32_t n, bool ring) {
  int at =
      snprintf(text, size,
               "version: 1\nphysics: elasticity\nmesh: {file: %s}\nmodel: 3d\nsolver: {rtol: 1e-10}\nmaterials: "
               "[{on: %s, young: 1000, poisson: 0.3, density: 2}]\nanalysis: {type: modal, modes: %d%s}\nboundary:\n",
               mesh, ring ? n == 5 ? "[body0, body1, body2, body3, body4]" : "[body0, body1, body2, body3]" : "body",
               ring ? 12 : 4, ring ? "" : ", diameters: [0, 1, 2]");
  for (int32_t k = 0; k < (ring ? n : 1); ++k) {
    char own[8] = "", next[8] = "";
    if (ring) snprintf(own, sizeof own, "%d", (int)k), snprintf(next, sizeof next, "%d", (int)((k + 1) % n));
    at += snprintf(text + at, size - (size_t)at, "- {on: a%s, tie: b%s}\n- {on: x0%s, spring: 300}\n", own, own, own);
    at += snprintf(text + at, size - (size_t)at,
                   ring ? "- {on: bottom%s, tie: top%s}\n"
                        : "- {on: bottom, periodic: top, rotate: {origin: [0, 0, 0], axis: [0, 0, 1]}}\n",
                   next, own);
  }
  assert_true((size_t)at < size);
  return at;
}

static void of_other_meshes(void **state) {
  (void)state;
  static const struct {
    ElementKind a, b;
    int32_t order;
  } of[] = {{ELEMENT_HEX8, ELEMENT_HEX8, 1}, {ELEMENT_TET4, ELEMENT_HEX8, 2}};
  static Modes sector, ring;
  char *folder = scratch_create(), text[4096];
  for (int i = 0; i < 2; ++i) {
    const int32_t n = 5 - i;
    Mesh *mesh = half_blocks(of[i].a, of[i].b, of[i].order, n), *whole = ring_of(mesh, n);
    assert_ok(mesh_write_h5(mesh, scratch_path(folder, "one.h5")));
    assert_ok(mesh_write_h5(whole, scratch_path(folder, "all.h5")));
    mesh_destroy(&mesh);
    mesh_destroy(&whole);
    put_tied(text, sizeof text, "one.h5", n, false);
    app_runs(folder, text);
    modes_read(folder, &sector);
    put_tied(text, sizeof text, "all.h5", n, true);
    app_runs(folder, text);
    modes_read(folder, &ring);
    for (int32_t k = 0; k < 8; ++k) assert_within(sector.frequency[k], ring.frequency[k], 1e-8 * ring.frequency[11]);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(of_a_ring), cmocka_unit_test(of_other_meshes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
