/* Weights of mortar ties against plain sums over many points, and what they promise: constants and linear functions pass, so do
 * forces of a constant pressure; covered in part; the same bits for any number of threads. */
#include "assembly/mortar/mortar.h"
#include "assembly/space/facet.h"
#include "core/fnv.h"
#include "core/memory.h"
#include "tests/assembly/two_blocks.h"
#include "tests/draw.h"
#include "tests/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 200 };

static Exec *exec;
static uint64_t seed = 20261124;
static double draw(double low, double high) { return draw_between(&seed, low, high); }
static int32_t draw_n(int32_t low, int32_t high) { return draw_whole(&seed, low, high); }

static const struct Blocks {
  ElementKind a, b;
  int32_t order;
} pairs[] = {{ELEMENT_HEX8, ELEMENT_HEX8, 1},  {ELEMENT_TET4, ELEMENT_TET4, 1},   {ELEMENT_HEX8, ELEMENT_TET4, 1},
             {ELEMENT_HEX8, ELEMENT_HEX8, 2},  {ELEMENT_TET4, ELEMENT_TET4, 2},   {ELEMENT_TET4, ELEMENT_HEX8, 2},
             {ELEMENT_QUAD4, ELEMENT_TRI3, 1}, {ELEMENT_QUAD4, ELEMENT_QUAD4, 2}, {ELEMENT_TRI3, ELEMENT_QUAD4, 2}};
enum { N_PAIR = sizeof pairs / sizeof *pairs };

static TwoBlocks drawn(int k, double shear, double tilt, double wave, double angle) {
  TwoBlocks q = {.kind = {pairs[k].a, pairs[k].b},
                 .order = pairs[k].order,
                 .shear = shear,
                 .tilt = tilt,
                 .wave = wave,
                 .angle = angle};
  for (int b = 0; b < 2; ++b) q.n[b][0] = draw_n(1, 4), q.n[b][1] = draw_n(1, 3), q.n[b][2] = 1;
  return q;
}

static MortarTie tied_by(Exec *by, const Mesh *mesh, const char *on, const char *to, double reach) {
  MortarTie t;
  const MortarParams params = {
      .exec = by, .mesh = mesh, .on = mesh_group(mesh, on), .to = mesh_group(mesh, to), .reach = reach};
  assert_ok(mortar_create(&params, &t));
  return t;
}

static MortarTie tied(const Mesh *mesh, const char *on, const char *to, double reach) {
  return tied_by(exec, mesh, on, to, reach);
}

/* Of the functions of a surface, the integral of each. */
static void integrals(const Mesh *mesh, const char *name, double *out) {
  const Group *g = mesh_group(mesh, name);
  for (int32_t i = 0; i < g->n; ++i) {
    Facet f;
    Quadrature rule;
    facet_read(mesh, g->element[i], &f);
    assert_ok(quadrature_create(f.type->shape, f.type->dim == 2 && f.type->shape == SHAPE_QUAD ? 7 : 6, &rule));
    for (int32_t q = 0; q < rule.n; ++q) {
      double N[ELEMENT_MAX_NODES], n[3];
      f.type->values(rule.xi[q], N);
      facet_normal(&f, rule.xi[q], n);
      for (int32_t a = 0; a < f.type->n_node; ++a)
        out[f.nodes[a]] += N[a] * rule.weight[q] * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    }
  }
}

/* Sums of weights, places, and forces of a pressure of 1 on both sides. */
static void check_tie(const Mesh *mesh, const MortarTie *t, const char *on, const char *to, double tolerance) {
  double *one = calloc((size_t)mesh->n_node, sizeof *one), *two = calloc((size_t)mesh->n_node, sizeof *two);
  integrals(mesh, on, one);
  integrals(mesh, to, two);
  assert_int_equal(t->n, t->n_node);
  assert_int_equal(t->n_loose + t->n_far + t->n_folded + t->n_warped, 0);
  for (int32_t i = 0; i < t->n; ++i) {
    double sum = 0;
    for (int64_t k = t->start[i]; k < t->start[i + 1]; ++k) {
      sum += t->weight[k];
      two[t->master[k]] -= t->area[i] * t->weight[k];
    }
    assert_within(sum, 1, 1e-13);
    assert_within(t->area[i], one[t->node[i]], tolerance);
    for (int c = 0; c < 3; ++c) assert_within(t->offset[i][c], 0, 1e-12);
  }
  for (int32_t i = 0; i < mesh->n_node; ++i) assert_within(two[i], 0, tolerance);
  free(one);
  free(two);
}

static void promises(void **state) {
  (void)state;
  for (int draws = 0; draws < 4 * N_PAIR; ++draws) {
    const double angle = draws % 2 ? draw(-1, 1) : 0;
    const TwoBlocks q = drawn(draws % N_PAIR, draw(-0.4, 0.4), draw(-0.3, 0.3), 0, angle);
    Mesh *mesh = two_blocks(&q);
    for (int swap = 0; swap < 2; ++swap) {
      MortarTie t = tied(mesh, swap ? "b" : "a", swap ? "a" : "b", 0);
      check_tie(mesh, &t, swap ? "b" : "a", swap ? "a" : "b", 1e-13);
      mortar_release(&t);
    }
    mesh_destroy(&mesh);
  }
  for (int draws = 0; draws < 12; ++draws) { /* quadrilaterals that are no parallelograms */
    const int k = draws % 4 < 3 ? draws % 4 : 5;
    TwoBlocks q = drawn(k, 0.2, 0.1, 0.03, 0.4);
    Mesh *mesh = two_blocks(&q);
    MortarTie t = tied(mesh, "a", "b", 0);
    check_tie(mesh, &t, "a", "b", 2e-10);
    mortar_release(&t);
    mesh_destroy(&mesh);
  }
}

/* Quadratic faces whose edges are bent within the plane; sides are straight, so both meshes cover the same. */
static void bent_edges(void **state) {
  (void)state;
  static const int chosen[] = {3, 4, 5};
  for (int draws = 0; draws < 6; ++draws) {
    TwoBlocks q = drawn(chosen[draws % 3], draw(-0.4, 0.4), draw(-0.3, 0.3), 0, draws % 2 ? draw(-1, 1) : 0);
    q.bend = 0.1;
    Mesh *mesh = two_blocks(&q);
    for (int swap = 0; swap < 2; ++swap) {
      MortarTie t = tied(mesh, swap ? "b" : "a", swap ? "a" : "b", 0);
      check_tie(mesh, &t, swap ? "b" : "a", swap ? "a" : "b", 1e-9);
      mortar_release(&t);
    }
    mesh_destroy(&mesh);
  }
}

/* Facets that lie inside of the other surface are covered whole, however the edges of both cross. */
static void bent_edges_cover(void **state) {
  (void)state;
  static const int chosen[] = {3, 4, 5};
  seed = 99;
  for (int draws = 0; draws < 9; ++draws) {
    TwoBlocks q = {.kind = {pairs[chosen[draws % 3]].a, pairs[chosen[draws % 3]].b}, .order = 2, .bend = 0.1};
    q.shear = draw(-0.4, 0.4), q.tilt = draw(-0.3, 0.3), q.angle = draws % 2 ? draw(-1, 1) : 0;
    for (int b = 0; b < 2; ++b) q.n[b][0] = draw_n(1, 7), q.n[b][1] = draw_n(1, 5), q.n[b][2] = 1;
    Mesh *mesh = two_blocks(&q);
    for (int swap = 0; swap < 2; ++swap) {
      MortarTie t = tied(mesh, swap ? "b" : "a", swap ? "a" : "b", 0);
      for (int32_t i = 0; i < mesh_group(mesh, swap ? "b" : "a")->n; ++i) assert_within(t.opposite[i], 1, 1e-12);
      mortar_release(&t);
    }
    mesh_destroy(&mesh);
  }
}

/* Edges of one mesh lie on those of the other, so that corners are on lines that clip but for round-off. */
static void edges_on_edges(void **state) {
  (void)state;
  seed = 20261130;
  for (int draws = 0; draws < 20 * N_PAIR; ++draws) {
    TwoBlocks q = drawn(draws % N_PAIR, draw(-0.4, 0.4), draw(-0.3, 0.3), 0, draw(-1, 1));
    for (int c = 0; c < 2; ++c) q.n[1][c] = draw_n(1, 3) * q.n[0][c];
    Mesh *mesh = two_blocks(&q);
    for (int swap = 0; swap < 2; ++swap) {
      MortarTie t = tied(mesh, swap ? "b" : "a", swap ? "a" : "b", 0);
      for (int32_t i = 0; i < mesh_group(mesh, swap ? "b" : "a")->n; ++i) assert_within(t.opposite[i], 1, 1e-12);
      mortar_release(&t);
    }
    mesh_destroy(&mesh);
  }
}

static void check_same(const MortarTie *t, const MortarTie *u, double tolerance) {
  assert_int_equal(t->n, u->n);
  for (int32_t i = 0; i < t->n; ++i) {
    assert_int_equal(t->node[i], u->node[i]);
    assert_within(t->area[i], u->area[i], tolerance);
    for (int64_t a = t->start[i], b = u->start[i]; a < t->start[i + 1] || b < u->start[i + 1];) {
      const int32_t m = a < t->start[i + 1] ? t->master[a] : INT32_MAX,
                    l = b < u->start[i + 1] ? u->master[b] : INT32_MAX;
      double difference = 0;
      if (m <= l) difference += t->weight[a++];
      if (l <= m) difference -= u->weight[b++];
      assert_within(difference, 0, tolerance);
    }
  }
}

/* Which corner triangles begin at is a matter of round-off, and so another one where all is turned: integrals that are exact do not
 * depend on it. */
static void turned(void **state) {
  (void)state;
  for (int k = 0; k < N_PAIR; ++k) {
    TwoBlocks q = drawn(k, 0.3, 0.2, 0, 0);
    Mesh *mesh = two_blocks(&q);
    q.angle = 0.7;
    Mesh *other = two_blocks(&q);
    for (int swap = 0; swap < 2; ++swap) {
      const char *on = swap ? "b" : "a", *to = swap ? "a" : "b";
      MortarTie t = tied(mesh, on, to, 0), u = tied(other, on, to, 0);
      check_same(&t, &u, 1e-12);
      mortar_release(&t);
      mortar_release(&u);
    }
    mesh_destroy(&mesh);
    mesh_destroy(&other);
  }
}

/* Of the Exec under test and of the CPU, on straight, wavy and bent surfaces. */
static void same_everywhere(void **state) {
  (void)state;
  for (int k = 0; k < 3 * N_PAIR; ++k) {
    TwoBlocks q = drawn(k % N_PAIR, 0.2, 0.1, k / N_PAIR == 1 ? 0.03 : 0, 0.4);
    q.bend = k / N_PAIR == 2 ? 0.1 : 0;
    Mesh *mesh = two_blocks(&q);
    MortarTie t = tied(mesh, "a", "b", 0.1), u = tied_by(NULL, mesh, "a", "b", 0.1);
    check_same(&t, &u, q.bend > 0 ? 1e-7 : 1e-11);
    assert_int_equal(t.n_pair, u.n_pair);
    assert_memory_equal(t.near_start, u.near_start, ((size_t)t.n + 1) * sizeof *t.near_start);
    assert_memory_equal(t.near, u.near, (size_t)t.near_start[t.n] * sizeof *t.near);
    mortar_release(&t);
    mortar_release(&u);
    mesh_destroy(&mesh);
  }
}

static void kinds_in_one_surface(void **state) {
  (void)state;
  for (int draws = 0; draws < 6; ++draws) {
    const int32_t n[2] = {draw_n(1, 6), draw_n(1, 6)};
    Mesh *mesh = mixed_sheets(n, draw(-1, 1));
    if (draws % 2) {
      Mesh *order_2 = NULL;
      assert_ok(mesh_elevate(mesh, draws % 4 == 1, &order_2));
      mesh_destroy(&mesh);
      mesh = order_2;
    }
    for (int swap = 0; swap < 2; ++swap) {
      MortarTie t = tied(mesh, swap ? "b" : "a", swap ? "a" : "b", 0);
      check_tie(mesh, &t, swap ? "b" : "a", swap ? "a" : "b", 1e-13);
      for (int32_t i = 0; i < mesh_group(mesh, swap ? "b" : "a")->n; ++i) assert_within(t.opposite[i], 1, 1e-12);
      mortar_release(&t);
    }
    mesh_destroy(&mesh);
  }
}

/* ---- a plain reference ---- */

/* Shares of corners in functions of middles, as numbers of the whole surface: N' = B N. */
static void add_basis(const Facet *f, double *B, int32_t n) {
  for (int32_t e = 0; f->type->dim == 2 && f->type->order == 2 && e < f->type->n_face; ++e) {
    const int32_t *edge = f->type->face[e].nodes, m = f->nodes[edge[2]];
    B[f->nodes[edge[0]] * n + m] = B[f->nodes[edge[1]] * n + m] = 0.2;
    B[m * n + m] = 1 - 2 * 0.2;
  }
}

/* Values of the functions of a flat surface at a point of it; false: none of its facets holds it. */
static bool functions_at(const Mesh *mesh, const Group *g, const double x[3], int32_t *facet, double *N) {
  for (int32_t i = 0; i < g->n; ++i) {
    Facet f;
    double xi[3] = {0}, J[3][3];
    facet_read(mesh, g->element[i], &f);
    if (f.type->shape == SHAPE_TRIANGLE) xi[0] = xi[1] = 1.0 / 3;
    for (int step = 0; step < 20; ++step) {
      double y[3], A[3] = {0}, r[2] = {0};
      f.type->values(xi, N);
      facet_point(&f, N, y);
      element_jacobian(f.type, (const double(*)[3])f.x, xi, J, false);
      for (int c = 0; c < 3; ++c) {
        A[0] += J[c][0] * J[c][0];
        r[0] += J[c][0] * (x[c] - y[c]);
        if (f.type->dim == 1) continue;
        A[1] += J[c][0] * J[c][1], A[2] += J[c][1] * J[c][1];
        r[1] += J[c][1] * (x[c] - y[c]);
      }
      const double det = f.type->dim == 1 ? A[0] : A[0] * A[2] - A[1] * A[1];
      xi[0] += (f.type->dim == 1 ? r[0] : r[0] * A[2] - r[1] * A[1]) / det;
      xi[1] += f.type->dim == 1 ? 0 : (A[0] * r[1] - A[1] * r[0]) / det;
    }
    if (!shape_holds(f.type->shape, xi, 1e-9)) continue;
    f.type->values(xi, N);
    *facet = i;
    return true;
  }
  return false;
}

/* Rows of weights [n_node][n_node] by midpoints of SIDE^2 parts of each facet. */
static void reference(const Mesh *mesh, const char *on, const char *to, double *weight) {
  const int32_t n = mesh->n_node;
  const Group *g = mesh_group(mesh, on), *h = mesh_group(mesh, to);
  double *D = calloc((size_t)n, sizeof *D), *M = calloc((size_t)n * (size_t)n, sizeof *M),
         *B = calloc((size_t)n * (size_t)n, sizeof *B);
  for (int32_t i = 0; i < n; ++i) B[i * n + i] = 1;
  for (int32_t i = 0; i < g->n; ++i) {
    Facet f;
    facet_read(mesh, g->element[i], &f);
    add_basis(&f, B, n);
  }
  for (int32_t i = 0; i < g->n; ++i) {
    Facet f, other;
    double S[20][20] = {{0}}, *P = calloc((size_t)(20 * n), sizeof *P), d[20] = {0};
    facet_read(mesh, g->element[i], &f);
    const int32_t m = f.type->n_node, along = f.type->dim == 1 ? 40 * SIDE : SIDE;
    for (int32_t p = 0; p < (f.type->dim == 1 ? along : along * along); ++p) {
      double xi[3] = {(p % along + 0.5) / along, (p / along + 0.5) / along, 0}, N[ELEMENT_MAX_NODES], N2[20] = {0},
             x[3], K[ELEMENT_MAX_NODES], normal[3];
      if (f.type->dim == 1) xi[1] = 0;
      if (f.type->shape == SHAPE_TRIANGLE && xi[0] + xi[1] > 1) continue;
      for (int c = 0; f.type->shape != SHAPE_TRIANGLE && c < f.type->dim; ++c) xi[c] = 2 * xi[c] - 1;
      f.type->values(xi, N);
      facet_point(&f, N, x);
      facet_normal(&f, xi, normal);
      const double w = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
      int32_t at;
      if (!functions_at(mesh, h, x, &at, K)) continue;
      facet_read(mesh, h->element[at], &other);
      for (int32_t a = 0; a < m; ++a)
        for (int32_t b = 0; b < m; ++b) N2[a] += B[f.nodes[a] * n + f.nodes[b]] * N[b];
      for (int32_t a = 0; a < m; ++a) {
        d[a] += w * N2[a];
        for (int32_t b = 0; b < m; ++b) S[a][b] += w * N2[a] * N2[b];
        for (int32_t k = 0; k < other.type->n_node; ++k) P[a * n + other.nodes[k]] += w * N2[a] * K[k];
      }
    }
    for (int32_t j = 0; j < m; ++j) /* S^-1 P by Gauss and Jordan */
      for (int32_t a = 0; a < m; ++a) {
        const double t = S[a][j] / S[j][j];
        if (a == j) continue;
        for (int32_t b = 0; b < m; ++b) S[a][b] -= t * S[j][b];
        for (int32_t k = 0; k < n; ++k) P[a * n + k] -= t * P[j * n + k];
      }
    for (int32_t a = 0; a < m; ++a) {
      D[f.nodes[a]] += d[a];
      for (int32_t k = 0; k < n; ++k) M[f.nodes[a] * n + k] += d[a] * P[a * n + k] / S[a][a];
    }
    free(P);
  }
  for (int32_t i = 0; i < n; ++i)
    for (int32_t j = 0; j < n; ++j)
      for (int32_t k = 0; D[j] > 0 && B[j * n + i] != 0 && k < n; ++k)
        weight[i * n + k] += B[j * n + i] * M[j * n + k] / D[j];
  free(D);
  free(M);
  free(B);
}

static void plain_sums(void **state) {
  (void)state;
  static const int chosen[] = {0, 1, 4, 5, 7};
  for (size_t c = 0; c < sizeof chosen / sizeof *chosen; ++c) {
    TwoBlocks q = drawn(chosen[c], 0.3, 0.2, 0, 0);
    for (int b = 0; b < 2; ++b)
      for (int k = 0; k < 2; ++k) q.n[b][k] = 1 + (b + k) % 2;
    Mesh *mesh = two_blocks(&q);
    const size_t n = (size_t)mesh->n_node;
    double *wanted = calloc(n * n, sizeof *wanted);
    reference(mesh, "a", "b", wanted);
    MortarTie t = tied(mesh, "a", "b", 0);
    for (int32_t i = 0; i < t.n; ++i) {
      for (int64_t k = t.start[i]; k < t.start[i + 1]; ++k)
        wanted[(size_t)t.node[i] * n + (size_t)t.master[k]] -= t.weight[k];
      for (size_t k = 0; k < n; ++k) assert_within(wanted[(size_t)t.node[i] * n + k], 0, 0.02);
    }
    mortar_release(&t);
    free(wanted);
    mesh_destroy(&mesh);
  }
}

/* The upper block stands off by 0.37 of its width: what hangs over is free, weights stay small and exact for linear
 * functions. */
static void in_part(void **state) {
  (void)state;
  for (int k = 0; k < N_PAIR; ++k) {
    TwoBlocks q = drawn(k, 0, 0, 0, 0);
    q.n[0][0] = q.n[1][0] = 5;
    q.shift = 0.37;
    Mesh *mesh = two_blocks(&q);
    MortarTie t = tied(mesh, "a", "b", 0);
    assert_true(t.n_loose > 0 && t.n > 0 && t.n + t.n_loose == t.n_node);
    assert_int_equal(t.n_far + t.n_folded + t.n_warped, 0);
    for (int32_t i = 0; i < t.n; ++i) {
      assert_true(mesh->x[t.node[i]][0] > 0.19);
      for (int c = 0; c < 3; ++c) assert_within(t.offset[i][c], 0, 1e-10);
    }
    mortar_release(&t);
    q.shift = 3; /* side by side */
    mesh_destroy(&mesh);
    mesh = two_blocks(&q);
    t = tied(mesh, "a", "b", 0);
    assert_int_equal(t.n, 0);
    assert_int_equal(t.n_loose, t.n_node);
    mortar_release(&t);
    mesh_destroy(&mesh);
  }
}

/* A wave of which both meshes have chords: too far without a reach, tied with one. */
static void apart(void **state) {
  (void)state;
  TwoBlocks q = drawn(0, 0, 0, 0, 0);
  for (int k = 0; k < 2; ++k) q.n[0][k] = 2, q.n[1][k] = 3;
  q.bulge = 0.2;
  Mesh *mesh = two_blocks(&q);
  MortarTie t = tied(mesh, "a", "b", 0);
  assert_true(t.n_far > 0 && t.gap > t.allowed && t.allowed > 0.01);
  mortar_release(&t);
  t = tied(mesh, "a", "b", 0.1);
  assert_int_equal(t.n_far, 0);
  assert_int_equal(t.n, t.n_node);
  double most = 0;
  for (int32_t i = 0; i < t.n; ++i)
    for (int c = 0; c < 3; ++c) most = fmax(most, fabs(t.offset[i][c]));
  assert_true(most > 0.005 && most < 0.1);
  mortar_release(&t);
  mesh_destroy(&mesh);
}

static uint64_t bits(const Mesh *mesh, int threads) {
  Exec *cpu = NULL;
  assert_ok(exec_create_cpu(threads, &cpu));
  MortarTie t = tied_by(cpu, mesh, "a", "b", 0.05);
  exec_destroy(&cpu);
  uint64_t hash = fnv_words(FNV_BASIS, t.weight, (size_t)t.start[t.n] * sizeof *t.weight);
  hash = fnv_words(hash, t.master, (size_t)t.start[t.n] * sizeof *t.master);
  hash = fnv_words(hash, t.near, (size_t)t.near_start[t.n] * sizeof *t.near);
  hash = fnv_words(hash, t.area, (size_t)t.n * sizeof *t.area);
  mortar_release(&t);
  return hash;
}

/* Of which the largest has several chunks of facets, too. */
static void threads(void **state) {
  (void)state;
  if (!exec_is_host(exec)) skip();
  for (int k = 0; k < 6; ++k) {
    TwoBlocks q = drawn(k, 0.1, 0.1, 0.02, 0.3);
    for (int c = 0; c < 2; ++c) q.n[0][c] = k ? 9 : 66, q.n[1][c] = k ? 7 : 61;
    Mesh *mesh = two_blocks(&q);
    const uint64_t one = bits(mesh, 1);
    static const int other[] = {2, 3, 7};
    for (int i = 0; i < 3; ++i) assert_true(bits(mesh, other[i]) == one);
    mesh_destroy(&mesh);
  }
}

static void every_allocation_failed_once(void **state) {
  (void)state;
  TwoBlocks q = drawn(3, 0.1, 0.1, 0, 0.3);
  Mesh *mesh = two_blocks(&q);
  const MortarParams params = {.exec = exec, .mesh = mesh, .on = mesh_group(mesh, "a"), .to = mesh_group(mesh, "b")};
  const size_t before = mem_in_use(), used = exec->in_use;
  Status last = ERR_MEMORY;
  for (int64_t nth = 1; last != OK; ++nth) {
    MortarTie t;
    mem_fail_nth(nth);
    last = mortar_create(&params, &t);
    mem_fail_nth(0);
    if (last != OK) assert_out_of_memory(last);
    if (last == OK) mortar_release(&t);
    assert_int_equal(mem_in_use(), before);
    assert_int_equal(exec->in_use, used);
  }
  mesh_destroy(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(promises),
                                     cmocka_unit_test(bent_edges),
                                     cmocka_unit_test(bent_edges_cover),
                                     cmocka_unit_test(edges_on_edges),
                                     cmocka_unit_test(turned),
                                     cmocka_unit_test(kinds_in_one_surface),
                                     cmocka_unit_test(same_everywhere),
                                     cmocka_unit_test(plain_sums),
                                     cmocka_unit_test(in_part),
                                     cmocka_unit_test(apart),
                                     cmocka_unit_test(every_allocation_failed_once),
                                     cmocka_unit_test(threads)};
  return testing_run("assembly/mortar", tests, exec);
}
