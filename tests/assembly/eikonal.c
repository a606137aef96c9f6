/* Arrival times against closed forms: planes exactly, points with the order of the scheme from above, in any tensor and any
 * element; ways along edges as a bound; the same bits for any number of threads and order of the nodes' memory. */
#include "assembly/eikonal/eikonal.h"
#include "assembly/eikonal/eikonal_local.h"
#include "assembly/eikonal/simplices.h"
#include "core/memory.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static Exec *exec;

/* Velocities 0.6, 0.3 and 0.2 along axes that are no coordinates'; flat: 0.6 and 0.25. */
static void turned(int32_t dim, double D[6]) {
  const double a = 0.5, b = dim == 3 ? 0.7 : 0;
  const double f[3] = {cos(a) * cos(b), sin(a) * cos(b), sin(b)}, s[3] = {-sin(a), cos(a), 0};
  const double n[3] = {-cos(a) * sin(b), -sin(a) * sin(b), cos(b)};
  const double v[3] = {0.36, dim == 3 ? 0.09 : 0.0625, 0.04};
  static const int row[6] = {0, 1, 2, 0, 1, 0}, column[6] = {0, 1, 2, 1, 2, 2};
  for (int k = 0; k < 6; ++k)
    D[k] = v[0] * f[row[k]] * f[column[k]] + v[1] * s[row[k]] * s[column[k]] + v[2] * n[row[k]] * n[column[k]];
}

typedef struct Box {
  Mesh *mesh;
  double D[6], (*tensor)[6], *start, *time;
} Box;

static void box_make(Box *b, ElementKind kind, int32_t n, double distort, bool isotropic) {
  const int32_t depth = element_type(kind)->dim == 3 ? n : 0;
  const BoxParams params = {.kind = kind, .n = {n, n, depth}, .size = {1, 1, 1}, .distort = distort};
  assert_ok(mesh_box(&params, &b->mesh));
  const double same[6] = {0.25, 0.25, 0.25};
  memcpy(b->D, same, sizeof same);
  if (!isotropic) turned(b->mesh->dim, b->D);
  b->tensor = calloc((size_t)b->mesh->n_element, sizeof *b->tensor);
  for (int32_t e = 0; e < b->mesh->n_element; ++e) memcpy(b->tensor[e], b->D, sizeof b->D);
  b->start = calloc((size_t)b->mesh->n_node, sizeof *b->start);
  b->time = calloc((size_t)b->mesh->n_node, sizeof *b->time);
  for (int32_t i = 0; i < b->mesh->n_node; ++i) b->start[i] = INFINITY;
}

static void box_release(Box *b) {
  free(b->tensor);
  free(b->start);
  free(b->time);
  mesh_destroy(&b->mesh);
}

static EikonalReport solve(const Box *b, const int32_t *rank) {
  const EikonalParams params = {.mesh = b->mesh, .tensor = (const double(*)[6])b->tensor, .node_rank = rank};
  EikonalReport report;
  Eikonal *e = NULL;
  assert_ok(eikonal_create(exec, &params, &e));
  assert_ok(eikonal_solve(e, b->start, b->time, &report));
  eikonal_destroy(&e);
  return report;
}

/* sqrt(e^T D^-1 e) by elimination. */
static double time_along(const double D[6], const double e[3]) {
  double A[3][4] = {{D[0], D[3], D[5], e[0]}, {D[3], D[1], D[4], e[1]}, {D[5], D[4], D[2], e[2]}}, y[3];
  for (int k = 0; k < 3; ++k)
    for (int i = k + 1; i < 3; ++i)
      for (int j = 3; j >= k; --j) A[i][j] -= A[i][k] / A[k][k] * A[k][j];
  for (int k = 2; k >= 0; --k) {
    y[k] = A[k][3];
    for (int j = k + 1; j < 3; ++j) y[k] -= A[k][j] * y[j];
    y[k] /= A[k][k];
  }
  return sqrt(e[0] * y[0] + e[1] * y[1] + e[2] * y[2]);
}

static const ElementKind kinds[] = {ELEMENT_TRI3, ELEMENT_QUAD4,  ELEMENT_TET4,
                                    ELEMENT_HEX8, ELEMENT_WEDGE6, ELEMENT_PYRAMID5};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Given all around, a time that is linear in x is what comes out inside, to rounding. */
static void planes(void **state) {
  (void)state;
  for (int k = 0; k < KINDS; ++k) {
    Box b;
    box_make(&b, kinds[k], 6, 0.2, false);
    const double g[3] = {0.6, 0.7, b.mesh->dim == 3 ? -0.4 : 0};
    const double square = b.D[0] * g[0] * g[0] + b.D[1] * g[1] * g[1] + b.D[2] * g[2] * g[2] +
                          2 * (b.D[3] * g[0] * g[1] + b.D[4] * g[1] * g[2] + b.D[5] * g[0] * g[2]);
    for (int pass = 0; pass < 2; ++pass)
      for (int32_t i = 0; i < b.mesh->n_node; ++i) {
        const double *x = b.mesh->x[i], exact = (g[0] * x[0] + g[1] * x[1] + g[2] * x[2] + 1) / sqrt(square);
        bool rim = false;
        for (int d = 0; d < b.mesh->dim; ++d) rim |= x[d] < 1e-9 || x[d] > 1 - 1e-9;
        if (pass == 0) b.start[i] = rim ? exact : (double)INFINITY;
        else assert_within(b.time[i], exact, 1e-12);
        if (pass == 0 && i == b.mesh->n_node - 1) solve(&b, NULL);
      }
    box_release(&b);
  }
}

/* The largest error from a point at a corner, relative to the latest time; never early. */
static double point_error(ElementKind kind, int32_t n, bool isotropic) {
  Box b;
  double worst = 0;
  box_make(&b, kind, n, 0, isotropic);
  for (int32_t i = 0; i < b.mesh->n_node; ++i) {
    const double *x = b.mesh->x[i];
    if (fabs(x[0]) + fabs(x[1]) + fabs(x[2]) < 1e-9) b.start[i] = 3;
  }
  const EikonalReport report = solve(&b, NULL);
  assert_int_equal(report.n_unreached, 0);
  for (int32_t i = 0; i < b.mesh->n_node; ++i) {
    const double exact = 3 + time_along(b.D, b.mesh->x[i]);
    assert_true(b.time[i] >= exact * (1 - 1e-12));
    worst = fmax(worst, (b.time[i] - exact) / report.last);
  }
  box_release(&b);
  return worst;
}

static void points(void **state) {
  (void)state;
  for (int k = 0; k < KINDS; ++k)
    for (int isotropic = 0; isotropic < 2; ++isotropic) {
      const bool solid = element_type(kinds[k])->dim == 3;
      const int32_t n = solid ? 8 : 32;
      const double e[3] = {point_error(kinds[k], n, isotropic), point_error(kinds[k], 2 * n, isotropic),
                           testing_checks() ? 0 : point_error(kinds[k], 4 * n, isotropic)};
      print_message("%-9s %s %.4f %.4f %.4f\n", element_type(kinds[k])->name, isotropic ? "even  " : "turned", e[0],
                    e[1], e[2]);
      assert_true(e[0] < 0.12 && e[1] < 0.75 * e[0] && (testing_checks() || e[2] < 0.7 * e[1])); /* h log 1/h */
    }
}

/* The shortest way along edges (Bellman and Ford) bounds from above, the straight line from below. */
static void edges(void **state) {
  (void)state;
  Box b;
  Simplices s = {0};
  box_make(&b, ELEMENT_HEX8, 6, 0.25, false);
  b.start[0] = 0;
  solve(&b, NULL);
  assert_ok(simplices_create(b.mesh, (const double(*)[6])b.tensor, NULL, &s));
  double *way = calloc((size_t)b.mesh->n_node, sizeof *way), saved = 0;
  for (int32_t i = 0; i < b.mesh->n_node; ++i) way[i] = b.start[i];
  for (bool again = true; again;) {
    again = false;
    for (int32_t k = 0; k < s.n; ++k)
      for (int p = 0; p < 4; ++p)
        for (int q = 0; q < p; ++q) {
          const int32_t i = s.node[4 * k + p], j = s.node[4 * k + q];
          const double d = sqrt(s.square[6 * k + (q == 0 ? p - 1 : p + q)]);
          if (way[j] + d < way[i]) way[i] = way[j] + d, again = true;
          if (way[i] + d < way[j]) way[j] = way[i] + d, again = true;
        }
  }
  for (int32_t i = 0; i < b.mesh->n_node; ++i) {
    const double e[3] = {b.mesh->x[i][0] - b.mesh->x[0][0], b.mesh->x[i][1] - b.mesh->x[0][1],
                         b.mesh->x[i][2] - b.mesh->x[0][2]};
    assert_true(b.time[i] <= way[i] * (1 + 1e-12) && b.time[i] >= time_along(b.D, e) * (1 - 1e-12));
    saved = fmax(saved, way[i] - b.time[i]);
  }
  assert_true(saved > 0.05);
  free(way);
  simplices_release(&s);
  box_release(&b);
}

/* Two fronts: the earlier one wins, a start that is overrun is earlier than it says. */
static void two_fronts(void **state) {
  (void)state;
  Box b;
  box_make(&b, ELEMENT_QUAD4, 20, 0, true);
  for (int32_t i = 0; i < b.mesh->n_node; ++i) {
    if (b.mesh->x[i][0] < 1e-9) b.start[i] = 1;
    if (b.mesh->x[i][0] > 1 - 1e-9) b.start[i] = 2;
    if (fabs(b.mesh->x[i][0] - 0.5) < 1e-9) b.start[i] = 50;
  }
  const EikonalReport report = solve(&b, NULL);
  for (int32_t i = 0; i < b.mesh->n_node; ++i)
    assert_within(b.time[i], fmin(1 + 2 * b.mesh->x[i][0], 2 + 2 * (1 - b.mesh->x[i][0])), 1e-12);
  assert_within(report.last, 2.5, 1e-12);
  box_release(&b);
}

/* Each node by each tetrahedron, all of them over and over until nothing falls. */
static void relax(const Box *b, double *time) {
  Simplices s;
  assert_ok(simplices_create(b->mesh, (const double(*)[6])b->tensor, NULL, &s));
  memcpy(time, b->start, (size_t)b->mesh->n_node * sizeof *time);
  for (bool fell = true; fell;) {
    fell = false;
    for (int64_t k = 0; k < 4 * (int64_t)s.n; ++k) {
      static const int edge[4][4] = {{0, 0, 1, 2}, {0, 0, 3, 4}, {1, 3, 0, 5}, {2, 4, 5, 0}};
      const int32_t *node = s.node + k / 4 * 4;
      const double *square = s.square + k / 4 * 6;
      const int p = (int)(k % 4), o[3] = {p == 0, p < 2 ? 2 : 1, p < 3 ? 3 : 2};
      const double t[3] = {time[node[o[0]]], time[node[o[1]]], time[node[o[2]]]},
                   sides[6] = {square[edge[p][o[0]]],    square[edge[p][o[1]]],    square[edge[p][o[2]]],
                               square[edge[o[0]][o[1]]], square[edge[o[0]][o[2]]], square[edge[o[1]][o[2]]]};
      const double offer = eikonal_three(t, sides, INFINITY);
      if (!(offer < time[node[p]] * (1 - 1e-14))) continue;
      time[node[p]] = offer;
      fell = true;
    }
  }
  simplices_release(&s);
}

/* A layer 3,000 times as slow and a start long after the first: the limit of what sweeps tell waits and hurries, and times are those of
 * a plain program. And so they are of other tensors on the same object. */
static void slow_and_late(void **state) {
  (void)state;
  Box b;
  box_make(&b, ELEMENT_TET4, 8, 0.2, false);
  double *wanted = calloc((size_t)b.mesh->n_node, sizeof *wanted);
  b.start[5] = 2, b.start[b.mesh->n_node - 1] = 900;
  EikonalParams params = {.mesh = b.mesh, .tensor = (const double(*)[6])b.tensor};
  EikonalReport report;
  Eikonal *e = NULL;
  assert_ok(eikonal_create(exec, &params, &e));
  for (int turn = 0; turn < 2; ++turn) {
    const int32_t first = b.mesh->n_element - (int32_t)(6 * 8 * 8 * 8);
    for (int32_t k = 0; turn && k < 6 * 8 * 8 * 8; ++k) {
      const int32_t *node = mesh_nodes_of(b.mesh, first + k);
      const double z = b.mesh->x[node[0]][2] + b.mesh->x[node[1]][2] + b.mesh->x[node[2]][2] + b.mesh->x[node[3]][2];
      for (int i = 0; i < 6 && z > 2; ++i) b.tensor[k][i] *= 1e-7;
    }
    if (turn) assert_ok(eikonal_renew(e, &params));
    assert_ok(eikonal_solve(e, b.start, b.time, &report));
    relax(&b, wanted);
    for (int32_t i = 0; i < b.mesh->n_node; ++i) assert_within(b.time[i] / wanted[i], 1, 1e-11);
    assert_within(report.last > 500, turn, 0);
    assert_true(report.sweeps < 1000);
  }
  eikonal_destroy(&e);
  free(wanted);
  box_release(&b);
}

/* Order of drawing; the same on every machine. */
static uint32_t draw(uint32_t *seed) { return (*seed = *seed * 1664525u + 1013904223u) >> 8; }

/* Numbers of nodes in any order. */
static void renumber(Mesh *mesh, int32_t *rank) {
  uint32_t seed = 7;
  double(*x)[3] = malloc((size_t)mesh->n_node * sizeof *x);
  for (int32_t i = 0; i < mesh->n_node; ++i) rank[i] = i;
  for (int32_t i = mesh->n_node - 1; i > 0; --i) {
    const int32_t j = (int32_t)(draw(&seed) % (uint32_t)(i + 1)), t = rank[i];
    rank[i] = rank[j], rank[j] = t;
  }
  memcpy(x, mesh->x, (size_t)mesh->n_node * sizeof *x);
  for (int32_t i = 0; i < mesh->n_node; ++i) memcpy(mesh->x[rank[i]], x[i], sizeof *x);
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    ElementBlock *block = &mesh->block[b];
    for (int32_t k = 0; k < block->n * element_type(block->kind)->n_node; ++k) block->nodes[k] = rank[block->nodes[k]];
  }
  free(x);
}

/* Elements are cut alike whatever the numbers of their nodes are: times are the same. */
static void numbers(void **state) {
  (void)state;
  for (int k = 0; k < KINDS; ++k) {
    Box b;
    box_make(&b, kinds[k], 8, 0.25, false);
    int32_t *rank = calloc((size_t)b.mesh->n_node, sizeof *rank);
    double *first = calloc((size_t)b.mesh->n_node, sizeof *first);
    b.start[20] = 0;
    solve(&b, NULL);
    memcpy(first, b.time, (size_t)b.mesh->n_node * sizeof *first);
    renumber(b.mesh, rank);
    b.start[20] = INFINITY, b.start[rank[20]] = 0;
    solve(&b, NULL);
    for (int32_t i = 0; i < b.mesh->n_node; ++i) assert_within(b.time[rank[i]], first[i], 1e-11 * (1 + first[i]));
    free(rank);
    free(first);
    box_release(&b);
  }
}

/* From each corner of the box: those of opposite corners are alike, and are, of elements that are cut from their lowest numbers, 0.0205
 * 0.0058 and 0.048 0.048 0.054 0.023. */
static void corners(void **state) {
  (void)state;
  static const double most[2][4] = {{0.021, 0.0025}, {0.047, 0.021, 0.03, 0.0095}};
  for (int solid = 0; solid < 2; ++solid)
    for (int corner = 0; corner < (solid ? 8 : 4); ++corner) {
      Box b;
      double worst = 0;
      box_make(&b, solid ? ELEMENT_HEX8 : ELEMENT_QUAD4, solid ? 8 : 32, 0, false);
      const double from[3] = {corner & 1, corner >> 1 & 1, corner >> 2 & 1};
      for (int32_t i = 0; i < b.mesh->n_node; ++i)
        if (memcmp(b.mesh->x[i], from, sizeof from) == 0) b.start[i] = 0;
      const EikonalReport report = solve(&b, NULL);
      for (int32_t i = 0; i < b.mesh->n_node; ++i) {
        const double *x = b.mesh->x[i], e[3] = {x[0] - from[0], x[1] - from[1], x[2] - from[2]};
        worst = fmax(worst, (b.time[i] - time_along(b.D, e)) / report.last);
      }
      const int last = solid ? 7 : 3;
      assert_true(worst > 0 && worst < most[solid][corner <= last / 2 ? corner : last - corner]);
      box_release(&b);
    }
}

static void nothing_starts(void **state) {
  (void)state;
  Box b;
  box_make(&b, ELEMENT_TRI3, 3, 0, true);
  const EikonalReport report = solve(&b, NULL);
  assert_int_equal(report.n_unreached, b.mesh->n_node);
  for (int32_t i = 0; i < b.mesh->n_node; ++i) assert_true(b.time[i] == -1);
  box_release(&b);
}

/* One thread and three, nodes in order and turned around: blocks and chunks are others, times are the same bits. */
static void same_bits(void **state) {
  (void)state;
  Box b;
  Exec *own = exec, *other = NULL;
  box_make(&b, ELEMENT_TET4, 14, 0.2, false);
  b.start[17] = 0;
  solve(&b, NULL);
  const size_t bytes = (size_t)b.mesh->n_node * sizeof(double);
  double *first = malloc(bytes);
  int32_t *rank = calloc((size_t)b.mesh->n_node, sizeof *rank);
  memcpy(first, b.time, bytes);
  for (int32_t i = 0; i < b.mesh->n_node; ++i) rank[i] = b.mesh->n_node - 1 - i;
  if (exec_is_host(exec)) {
    assert_ok(exec_create_cpu(3, &other));
    exec = other;
    solve(&b, NULL);
    assert_memory_equal(first, b.time, bytes);
  }
  solve(&b, rank);
  for (int32_t i = 0; i < b.mesh->n_node; ++i) assert_within(b.time[i], first[i], 1e-12);
  exec = own;
  exec_destroy(&other);
  free(first);
  free(rank);
  box_release(&b);
}

static void quadratic(void **state) {
  (void)state;
  Box b;
  Eikonal *e = NULL;
  box_make(&b, ELEMENT_TET10, 2, 0, true);
  const EikonalParams params = {.mesh = b.mesh, .tensor = (const double(*)[6])b.tensor};
  assert_fails(eikonal_create(exec, &params, &e), ERR_INPUT, "elements of type tet10");
  box_release(&b);
}

/* From nothing to times, with all that is taken given back. */
static Status attempt(void *context) {
  const Box *b = context;
  const EikonalParams params = {.mesh = b->mesh, .tensor = (const double(*)[6])b->tensor};
  EikonalReport report;
  Eikonal *e = NULL;
  Status status = eikonal_create(exec, &params, &e);
  if (status == OK) status = eikonal_solve(e, b->start, b->time, &report);
  eikonal_destroy(&e);
  return status;
}

static void no_memory(void **state) {
  (void)state;
  Box b;
  box_make(&b, ELEMENT_WEDGE6, 2, 0, true);
  b.start[0] = 0;
  assert_true(testing_fail_each(exec, attempt, &b) > 15);
  box_release(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(planes),        cmocka_unit_test(points),         cmocka_unit_test(edges),
      cmocka_unit_test(two_fronts),    cmocka_unit_test(nothing_starts), cmocka_unit_test(same_bits),
      cmocka_unit_test(slow_and_late), cmocka_unit_test(no_memory),      cmocka_unit_test(quadratic),
      cmocka_unit_test(numbers),       cmocka_unit_test(corners)};
  return testing_run("eikonal", tests, exec);
}
