/* Parts whose pieces hang together by hinges: what can fold, what holds, and what is said of it. */
#include "assembly/elasticity/mechanism.h"
#include "assembly/elasticity/pieces.h"
#include "core/memory.h"
#include "tests/assembly/problem.h"

#include <math.h>
#include <omp.h>
#include <string.h>

static Exec *exec;

/* A box of unit cells of which those marked 'x' remain; rows of the text from the top, layers from the bottom. */
static Mesh *cells(int nx, int ny, int nz, double distort, const char *kept) {
  Mesh *mesh = NULL;
  const BoxParams box = {.kind = nz ? ELEMENT_HEX8 : ELEMENT_QUAD4,
                         .n = {nx, ny, nz ? nz : 1},
                         .size = {nx, ny, nz ? nz : 1},
                         .distort = distort};
  assert_ok(mesh_box(&box, &mesh));
  Group *body = (Group *)mesh_group(mesh, "body");
  ElementBlock *block = &mesh->block[mesh->n_block - 1];
  const int n_node = nz ? 8 : 4;
  int32_t n = 0;
  for (int32_t e = 0; e < block->n; ++e) {
    double c[3] = {0};
    for (int a = 0; a < n_node; ++a)
      for (int i = 0; i < 3; ++i) c[i] += mesh->x[block->nodes[n_node * e + a]][i] / n_node;
    const int at = nx * (ny * (nz ? (int)c[2] : 0) + ny - 1 - (int)c[1]) + (int)c[0];
    if (kept[at] != 'x') continue;
    memmove(block->nodes + n_node * n, block->nodes + n_node * e, (size_t)n_node * sizeof(int32_t));
    block->tag[n++] = block->tag[e];
  }
  mesh->n_element -= block->n - n;
  body->n = block->n = n;
  for (int32_t k = 0; k < n; ++k) body->element[k] = block->first + k;
  return mesh;
}

typedef struct Row {
  int n[3];
  const char *kept;
  const char *fix[2][4]; /* group, x, y, z */
  int n_piece, n_fold;
  const char *said; /* within `folds` */
} Row;

static const Row rows[] = {
    {{2, 2},
     ".xx.",
     {{"x0", "0", "0"}},
     2,
     1,
     "piece 2 (around (1.5, 1.5, 0), 1 element, groups body), which hangs on node 5 (1, 1, 0): rotation about z"},
    {{2, 2}, ".xx.", {{"x0", "0", "0"}, {"y1", NULL, "0"}}, 2, 0, ""},
    {{2, 2}, ".xx.", {{"x0", "0", "0"}, {"x1", NULL, "0"}}, 2, 0, ""},
    /* along the line through the hinge nothing is held */
    {{2, 2}, ".xx.", {{"x0", NULL, "0"}, {"x1", "0", NULL}}, 2, 1, "rotation about z"},
    {{3, 3},
     "..x.x.x..",
     {{"x0", "0", "0"}},
     3,
     2,
     "piece 3 (around (2.5, 2.5, 0), 1 element, groups body), which hangs on node 11 (2, 2, 0): translation in (0.707, "
     "-0.707, 0); rotation about z"},
    {{3, 3}, "..x.x.x..", {{"x0", "0", "0"}, {"x1", "0", "0"}}, 3, 0, ""},
    {{3, 3}, ".x.x.x.x.", {{"x0", "0", "0"}}, 4, 1, "piece 1"}, /* a ring of four */
    {{3, 3}, ".x.x.x.x.", {{"x0", "0", "0"}, {"y1", NULL, "0"}}, 4, 0, ""},
    {{3, 3}, ".x.x.x.xx", {{"x0", "0", "0"}}, 3, 0, ""}, /* a ring of three */
    {{3, 3}, "xxxxxxxxx", {{"x0", "0", "0"}}, 1, 0, ""},
    {{2, 2, 1}, ".xx.", {{"x0", "0", "0", "0"}}, 2, 1, "hangs on node 5 (1, 1, 0) and 1 more: rotation about z"},
    {{2, 2, 2}, "..x..x..", {{"x0", "0", "0", "0"}}, 2, 3, "rotation about x, y, z"},
    {{2, 2, 2}, "..x..x..", {{"x0", "0", "0", "0"}, {"x1", "0", NULL, NULL}}, 2, 1, "rotation about x"},
    {{2, 2, 2}, "..x..x..", {{"x0", "0", "0", "0"}, {"z1", "0", "0", NULL}}, 2, 0, ""},
    /* two edges that are not in line hold; so does a face that two pieces share at a third */
    {{2, 2, 2}, ".xx.x..x", {{"x0", "0", "0", "0"}}, 4, -1, ""},
};

static int64_t free_motions(const Elasticity *e) {
  int64_t n = 0;
  for (int32_t p = 0; p < elasticity_part_count(e); ++p)
    n += elasticity_part(e, p)->n_free + elasticity_part(e, p)->n_fold;
  return n;
}

/* Zero pivots of the assembled matrix: Cholesky with the largest pivot next. */
static int64_t zero_pivots(Problem *p) {
  problem_assemble(p);
  const Pattern *pattern = elasticity_pattern(p->e);
  const int64_t n = elasticity_dofs(p->e), b = pattern->block;
  double *A = calloc((size_t)(n * n), sizeof *A);
  for (int32_t i = 0; i < pattern->n; ++i)
    for (int64_t k = pattern->start[i]; k < pattern->start[i + 1]; ++k)
      for (int64_t r = 0; r < b; ++r)
        for (int64_t c = 0; c < b; ++c)
          A[(i * b + r) * n + pattern->column[k] * b + c] = p->values[p->slots.slot[k] + r * p->slots.row_step[i] + c];
  double largest = 0;
  for (int64_t i = 0; i < n; ++i) largest = fmax(largest, A[i * n + i]);
  int64_t done = 0;
  for (; done < n; ++done) {
    int64_t at = -1;
    for (int64_t i = 0; i < n; ++i)
      if (at < 0 || A[i * n + i] > A[at * n + at]) at = i;
    const double pivot = A[at * n + at];
    if (pivot < 1e-10 * largest) break;
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n && i != at; ++j)
        if (j != at) A[i * n + j] -= A[i * n + at] * A[at * n + j] / pivot;
    for (int64_t i = 0; i < n; ++i) A[at * n + i] = A[i * n + at] = 0;
    A[at * n + at] = -1;
  }
  free(A);
  return n - done;
}

static void named(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    const Row *row = &rows[k];
    Problem p;
    problem_init(&p, exec, cells(row->n[0], row->n[1], row->n[2], 0, row->kept),
                 row->n[2] ? MODEL_SOLID : MODEL_PLANE_STRESS, 1000, 0.3);
    for (int s = 0; s < 2 && row->fix[s][0]; ++s)
      problem_fix(&p, row->fix[s][0], row->fix[s][1], row->fix[s][2], row->fix[s][3]);
    p.params.allow_free_motion = true;
    assert_ok(problem_create(&p));
    assert_int_equal(elasticity_part_count(p.e), 1);
    const BodyPart *part = elasticity_part(p.e, 0);
    if (part->n_piece != row->n_piece || (row->n_fold >= 0 && part->n_fold != row->n_fold) ||
        !strstr(part->folds, row->said))
      fail_msg("row %d: %d pieces, %d free: %s", (int)k, part->n_piece, part->n_fold, part->folds);
    assert_int_equal(free_motions(p.e), zero_pivots(&p));
    problem_release(&p);
  }
}

/* Cells at random, straight and crooked: as many free motions as the matrix has zero pivots. */
static void random_cells(void **state) {
  (void)state;
  uint32_t seed = 7;
  int64_t folds = 0;
  for (int trial = 0; trial < 90; ++trial) {
    const bool solid = trial % 3 == 0;
    const int n = solid ? 3 : 6, n_cell = solid ? 27 : 36;
    char kept[40] = "";
    for (int k = 0; k < n_cell; ++k) {
      seed = seed * 1664525u + 1013904223u;
      kept[k] = seed >> 16 & 1 ? 'x' : '.';
    }
    kept[0] = 'x';
    Problem p;
    problem_init(&p, exec, cells(n, n, solid ? n : 0, trial % 2 ? 0.1 : 0, kept),
                 solid ? MODEL_SOLID : MODEL_PLANE_STRAIN, 1000, 0.3);
    problem_fix(&p, "x0", "0", "0", solid ? "0" : NULL);
    p.params.allow_free_motion = true;
    assert_ok(problem_create(&p));
    for (int32_t k = 0; k < elasticity_part_count(p.e); ++k) folds += elasticity_part(p.e, k)->n_fold;
    const int64_t found = free_motions(p.e), pivots = zero_pivots(&p);
    if (found != pivots)
      fail_msg("trial %d: %lld motions, %lld zero pivots: %s", trial, (long long)found, (long long)pivots, kept);
    problem_release(&p);
  }
  assert_true(folds > 20);
}

static void message(void **state) {
  (void)state;
  Problem p;
  problem_init(&p, exec, cells(2, 2, 1, 0, ".xx."), MODEL_SOLID, 1000, 0.3);
  problem_fix(&p, "x0", "0", "0", "0");
  assert_fails(
      problem_create(&p), ERR_INPUT,
      "the body (around (1, 1, 0.5), 2 elements, groups body) can fold: its 2 pieces share only single nodes or "
      "nodes along a line, and 1 motion between them is free\n  piece 2 (around (1.5, 1.5, 0.5), 1 element, "
      "groups body), which hangs on node 5 (1, 1, 0) and 1 more: rotation about z\n  join pieces by whole faces "
      "of elements, hold them, or put them on springs");
  problem_fix(&p, "x1", NULL, "0.1", NULL);
  status_warnings_clear();
  assert_ok(problem_create(&p));
  assert_int_equal(status_warning_count(), 1);
  assert_non_null(strstr(status_warning(0), "2 pieces of the body share only single nodes or nodes along a line"));
  status_warnings_clear();
  problem_release(&p);
}

/* Squares that touch at corners only, as many as there are in a bad mesh: quick, and where not known said so. */
static void many(void **state) {
  (void)state;
  enum { N = 60 };
  char *kept = malloc(N * N);
  for (int k = 0; k < N * N; ++k) kept[k] = (k / N + k % N) % 2 ? '.' : 'x';
  Problem p;
  problem_init(&p, exec, cells(N, N, 0, 0, kept), MODEL_PLANE_STRESS, 1000, 0.3);
  problem_fix(&p, "x0", "0", "0", NULL);
  p.params.allow_free_motion = true;
  assert_ok(problem_create(&p));
  const BodyPart *part = elasticity_part(p.e, 0);
  assert_int_equal(part->n_piece, N * N / 2);
  assert_true(part->folds_unknown || part->n_fold > 0);
  problem_release(&p);
  free(kept);
}

/* A girder of hinged bars, held at one end, stays stiff however long it is. */
static void girder(void **state) {
  (void)state;
  enum { N = 400, NODES = 2 * N + 2, LINKS = 3 * NODES + 8 };
  MechanismBody *body = calloc(4 * N + 1, sizeof *body);
  MechanismLink *link = calloc(LINKS * 3, sizeof *link);
  int32_t *last = calloc(NODES, sizeof *last), n_body = 0, n_link = 0;
  double(*x)[3] = calloc(NODES, sizeof *x);
  for (int i = 0; i < NODES; ++i) {
    x[i][0] = i / 2 + 1e4, x[i][1] = i % 2;
    last[i] = -1;
  }
  for (int i = 0; i < NODES; ++i)
    for (int step = 1; step <= 3 && i + step < NODES; ++step) { /* bars to the next three nodes: crossed panels */
      if (step == 3 && i % 2 == 1) continue;                    /* one diagonal */
      if (step == 1 && i % 2 == 1) continue;
      const int ends[2] = {i, i + step};
      MechanismBody *b = &body[n_body];
      for (int c = 0; c < 3; ++c) b->center[c] = 0.5 * (x[i][c] + x[i + step][c]);
      b->size = 1;
      for (int k = 0; k < 2; ++k) {
        const int node = ends[k];
        for (int c = 0; c < 2; ++c) {
          const double d[3] = {c == 0, c == 1, 0};
          if (last[node] < 0 && node < 2) mechanism_row(x[node], b->center, b->size, d, b->held[2 * k + c]);
          if (last[node] >= 0) mechanism_row(x[node], b->center, b->size, d, link[n_link].rows[c]);
        }
        if (last[node] >= 0) {
          link[n_link].a = last[node];
          link[n_link++].b = n_body;
        } else last[node] = n_body;
      }
      ++n_body;
    }
  Mechanism m;
  assert_ok(mechanism_create(2, n_body, body, n_link, link, &m));
  assert_true(m.known);
  assert_int_equal(m.n_free, 0);
  mechanism_release(&m);
  link[n_link - 1] = (MechanismLink){link[n_link - 1].a, link[n_link - 1].b, {{0}}}; /* the last hinge opens */
  assert_ok(mechanism_create(2, n_body, body, n_link, link, &m));
  assert_true(m.known);
  assert_true(m.n_free > 0);
  mechanism_release(&m);
  free(body), free(link), free(last), free(x);
}

/* Every allocation fails once. */
static void no_memory(void **state) {
  (void)state;
  Problem p;
  problem_init(&p, exec, cells(3, 3, 0, 0, "..x.x.x.."), MODEL_PLANE_STRESS, 1000, 0.3);
  problem_fix(&p, "x0", "0", "0", NULL);
  p.params.allow_free_motion = true;
  const size_t before = mem_in_use();
  int64_t nth = 0;
  for (Status status = ERR_MEMORY; status != OK;) {
    mem_fail_nth(++nth);
    status = problem_create(&p);
    mem_fail_nth(0);
    if (status == OK) break;
    assert_int_equal(status, ERR_MEMORY);
    assert_int_equal(mem_in_use(), before);
  }
  assert_true(nth > 20);
  problem_release(&p);
}

/* Pieces and their joints do not depend on how many threads join elements. */
static void any_threads(void **state) {
  (void)state;
  enum { SIDE = 24, LAYERS = 3, CELLS = SIDE * SIDE * LAYERS };
  static const int THREADS[] = {1, 2, 3, 5};
  char kept[CELLS + 1] = "";
  for (uint32_t k = 0, random = 7; k < CELLS; ++k) {
    random = random * 1664525u + 1013904223u;
    kept[k] = random >> 24 < 110 ? 'x' : '.';
  }
  Mesh *mesh = cells(SIDE, SIDE, LAYERS, 0, kept);
  ElementSet set;
  Incidence incidence;
  Pieces one = {0};
  element_set_create(mesh, 3, true, &set);
  assert_ok(incidence_create(exec, &set, &incidence));
  const int before = omp_get_max_threads();
  for (size_t k = 0; k < sizeof THREADS / sizeof *THREADS; ++k) {
    Pieces pieces;
    omp_set_num_threads(THREADS[k]);
    assert_ok(pieces_create(mesh, &set, &incidence, &pieces));
    if (k == 0) {
      one = pieces;
      continue;
    }
    assert_int_equal(pieces.n, one.n);
    assert_int_equal(pieces.n_joint, one.n_joint);
    assert_memory_equal(pieces.of_element, one.of_element, (size_t)set.n_solved * sizeof *one.of_element);
    assert_memory_equal(pieces.joint, one.joint, (size_t)one.n_joint * sizeof *one.joint);
    pieces_release(&pieces);
  }
  omp_set_num_threads(before);
  assert_true(one.n > 20 && one.n_joint > 20);
  pieces_release(&one);
  incidence_release(&incidence);
  mesh_destroy(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(named),  cmocka_unit_test(random_cells), cmocka_unit_test(message),  cmocka_unit_test(many),
      cmocka_unit_test(girder), cmocka_unit_test(any_threads),  cmocka_unit_test(no_memory)};
  return testing_run("assembly/hinges", tests, exec);
}
