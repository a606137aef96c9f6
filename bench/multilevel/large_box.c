#include "bench/multilevel/large_box.h"
#include "assembly/space/gather.h"
#include "assembly/elasticity/rigid_motions.h"
#include "assembly/space/rows.h"
#include "assembly/elasticity/rows.h"
#include "assembly/diffusion/rows.h"
#include "assembly/monodomain/rows.h"
#include "bench/measure.h"
#include "core/memory.h"

#include <string.h>

enum { NX = 4, NY = 3, NZ = 3, SMALL = NX * NY * NZ, ROWS_AT_ONCE = 1 << 20 };

/* The box that rows are copied from: node x + NX (y + NY z); the second layer in x touches what is held, the third
 * nothing. */
typedef struct Small {
  int64_t start[SMALL + 1];
  double load[SMALL][3];
  double *value; /* owned, [start[SMALL]][3][3] */
} Small;

static Status assemble(Exec *cpu, int32_t cells, BenchProblem *problem, Mat **a, double **b) {
  const double h = 1.0 / cells;
  const BoxParams params = {ELEMENT_HEX8, {NX - 1, NY - 1, NZ - 1}, {(NX - 1) * h, (NY - 1) * h, (NZ - 1) * h}, 0};
  const ProblemParams what = {.name = "hex", .held = "x0", .body = "body"};
  Mesh *mesh = NULL;
  double seconds, *u = NULL;
  TRY(mesh_box(&params, &mesh));
  TRY(problem_on(cpu, mesh, &what, problem));
  TRY(problem_matrix(cpu, problem, "bell", a, &seconds));
  ALLOC(*b, mat_rows(*a), "loads");
  ALLOC(u, mat_rows(*a), "displacement");
  Status status = elasticity_initial(problem->elasticity, u);
  if (status == OK) status = elasticity_residual(problem->elasticity, u, *b);
  FREE(u);
  return status;
}

static Status copy_small(const BenchProblem *problem, const Mat *a, const double *b, Small *out) {
  const Pattern *pattern = elasticity_pattern(problem->elasticity);
  const SlotMap *slots = mat_slots(a);
  const double *value = mat_values(a);
  CHECK(pattern->n == SMALL, ERR_BUG, "the small box has %d nodes", pattern->n);
  memcpy(out->start, pattern->start, sizeof out->start);
  memcpy(out->load, b, sizeof out->load);
  ALLOC(out->value, out->start[SMALL] * 9, "rows of the small box");
  for (int32_t i = 0; i < SMALL; ++i)
    for (int64_t k = out->start[i]; k < out->start[i + 1]; ++k) {
      int64_t place[9];
      slot_places(slots, pattern, i, k, place);
      for (int e = 0; e < 9; ++e) out->value[k * 9 + e] = value[place[e]];
    }
  return OK;
}

static Status make_small(int32_t cells, Small *out) {
  Exec *cpu = NULL;
  BenchProblem problem = {0};
  Mat *a = NULL;
  double *b = NULL;
  Status status;
  TRY_DONE(exec_create_cpu(1, &cpu));
  TRY_DONE(assemble(cpu, cells, &problem, &a, &b));
  status = copy_small(&problem, a, b, out);
done:
  FREE(b);
  mat_destroy(&a);
  problem_release(&problem);
  exec_destroy(&cpu);
  return status;
}

/* Which node of the small box node i is like. */
static int32_t like(int32_t side, int64_t i) {
  const int64_t x = i % side, y = i / side % side, z = i / side / side, last = side - 1;
  const int32_t sx = x < 2 ? (int32_t)x : x == last ? 3 : 2;
  const int32_t sy = y == 0 ? 0 : y == last ? 2 : 1, sz = z == 0 ? 0 : z == last ? 2 : 1;
  return sx + NX * (sy + NY * sz);
}

static Status make_pattern(int32_t side, const Small *small, Pattern **out) {
  Pattern *p = NULL;
  ALLOC(p, 1, "matrix pattern");
  *out = p;
  p->n = side * side * side;
  p->block = 3;
  ALLOC(p->start, (int64_t)p->n + 1, "matrix pattern");
  for (int32_t i = 0; i < p->n; ++i) {
    const int32_t k = like(side, i);
    p->start[i + 1] = p->start[i] + small->start[k + 1] - small->start[k];
  }
  ALLOC(p->column, p->start[p->n], "matrix pattern");
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < p->n; ++i) {
    const int32_t x = i % side, y = i / side % side, z = i / side / side;
    int32_t *to = p->column + p->start[i];
    for (int32_t c = z > 0 ? z - 1 : 0; c <= z + 1 && c < side; ++c)
      for (int32_t b = y > 0 ? y - 1 : 0; b <= y + 1 && b < side; ++b)
        for (int32_t a = x > 0 ? x - 1 : 0; a <= x + 1 && a < side; ++a) *to++ = a + side * (b + side * c);
  }
  return OK;
}

/* Values go the way of assembly: a gather with one entry a row, from the blocks of the small box. */
typedef struct Copy {
  int64_t *start, *slot; /* on the Exec, as are the next two */
  uint32_t *entry;
  double *value;
  uint32_t *host;
  int64_t most; /* blocks at once, whole warps */
} Copy;

static void put_away(Exec *exec, const Small *small, Copy *c) {
  EXEC_RELEASE(exec, c->start, c->most / 32 + 1);
  EXEC_RELEASE(exec, c->slot, c->most);
  EXEC_RELEASE(exec, c->entry, c->most);
  EXEC_RELEASE(exec, c->value, small->start[SMALL] * 9);
  FREE(c->host);
}

static Status prepare(Exec *exec, const Small *small, const Pattern *pattern, Copy *c) {
  const char *what = "copying of rows";
  int64_t *start = NULL;
  c->most = (int64_t)(pattern->n < ROWS_AT_ONCE ? pattern->n : ROWS_AT_ONCE) * 27 / 32 * 32 + 32;
  EXEC_ALLOC(exec, c->slot, c->most, what);
  EXEC_ALLOC(exec, c->entry, c->most, what);
  TRY(exec_alloc_upload(exec, small->start[SMALL] * 9, sizeof *c->value, small->value, what, (void **)&c->value));
  ALLOC(c->host, c->most, what);
  ALLOC(start, c->most / 32 + 1, what);
  for (int64_t w = 0; w <= c->most / 32; ++w) start[w] = 32 * w;
  const Status status = exec_alloc_upload(exec, c->most / 32 + 1, sizeof *start, start, what, (void **)&c->start);
  FREE(start);
  return status;
}

static Status copy_rows(LargeBox *box, int32_t side, const Small *small, const Copy *c, int32_t begin, int32_t end) {
  const Pattern *pattern = box->pattern;
  const SlotMap *slots = mat_slots(box->a);
  const int64_t first = pattern->start[begin], n = pattern->start[end] - first;
#pragma omp parallel for schedule(static)
  for (int32_t i = begin; i < end; ++i)
    for (int64_t k = pattern->start[i]; k < pattern->start[i + 1]; ++k)
      c->host[k - first] = (uint32_t)(small->start[like(side, i)] + k - pattern->start[i]);
  TRY(exec_upload(box->exec, c->entry, c->host, (size_t)n * sizeof *c->host));
  TRY(exec_upload(box->exec, c->slot, slots->slot + first, (size_t)n * sizeof *c->slot));
  const BlockGatherArgs args = {.start = c->start,
                                .entry = c->entry,
                                .K = c->value,
                                .block_step = 9,
                                .scalar_step = 1,
                                .values = mat_values(box->a),
                                .slot = c->slot,
                                .n_row = n,
                                .step = slots->row_step[0],
                                .column_step = slots->column_step};
  return exec_rows(box->exec, &gather_block_3_kernel, &args, n);
}

static Status make_values(LargeBox *box, int32_t side, const Small *small) {
  Copy c = {0};
  const int32_t n = box->pattern->n;
  Status status;
  TRY_DONE(slot_map_fetch(mat_slots(box->a)));
  TRY_DONE(prepare(box->exec, small, box->pattern, &c));
  for (int32_t begin = 0; begin < n; begin += ROWS_AT_ONCE)
    TRY_DONE(copy_rows(box, side, small, &c, begin, n - begin < ROWS_AT_ONCE ? n : begin + ROWS_AT_ONCE));
  status = exec_sync(box->exec);
done:
  put_away(box->exec, small, &c);
  return status;
}

static Status make_vectors(LargeBox *box, int32_t side, const Small *small) {
  double *b = NULL, (*x)[3] = NULL;
  const int32_t n = box->pattern->n;
  Status status;
  ALLOC_DONE(b, box->n, "loads");
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < n; ++i) memcpy(b + 3 * (int64_t)i, small->load[like(side, i)], sizeof small->load[0]);
  TRY_DONE(exec_alloc_upload(box->exec, box->n, sizeof *b, b, "loads", (void **)&box->b));
  FREE(b);
  TRY_DONE(exec_alloc(box->exec, box->n, sizeof *box->x, "displacement", (void **)&box->x));
  ALLOC_DONE(x, n, "places of the nodes");
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < n; ++i) {
    const int32_t at[3] = {i % side, i / side % side, i / side / side};
    for (int k = 0; k < 3; ++k) x[i][k] = (double)at[k] / (side - 1);
  }
  ALLOC_DONE(box->motions, 6 * box->n, "rigid motions");
  rigid_motions(n, 3, (const double(*)[3])x, box->motions);
done:
  FREE(b);
  FREE(x);
  return status;
}

static Status build(LargeBox *box, int32_t cells, Small *small) {
  const int32_t side = cells + 1;
  TRY(make_small(cells, small));
  TRY(make_pattern(side, small, &box->pattern));
  TRY(mat_create(box->exec, &(MatParams){.format = "sbell", .window = 1}, box->pattern, &box->a));
  TRY(make_values(box, side, small));
  return make_vectors(box, side, small);
}

Status large_box_create(Exec *exec, int32_t cells, LargeBox *out) {
  const int64_t side = (int64_t)cells + 1;
  Small small = {.value = NULL};
  CHECK(cells >= 4 && 3 * side * side * side <= INT32_MAX, ERR_INPUT,
        "a cube of %d cells a side, 4 to 893 are possible", cells);
  *out = (LargeBox){.exec = exec, .n = 3 * side * side * side, .unknowns = 3 * cells * side * side};
  const Status status = build(out, cells, &small);
  FREE(small.value);
  if (status != OK) large_box_release(out);
  return status;
}

void large_box_release(LargeBox *box) {
  EXEC_RELEASE(box->exec, box->b, box->n);
  EXEC_RELEASE(box->exec, box->x, box->n);
  mat_destroy(&box->a);
  pattern_destroy(&box->pattern);
  FREE(box->motions);
}
