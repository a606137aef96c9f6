/* Loops in one kernel that stays on the GPU: the list of launches, how products are shared out, and that all ways of
 * doing a loop agree. The list needs no GPU. More loops go through all ways by SINEW_GPU_LOOP in CMakeLists.txt. */
#include "tests/testing.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/vec.h"
#include "gpu/exec/cuda_exec.h"
#include "gpu/persistent/persist.h"
#include "solver/time/evolution_rows.h"
#include "solver/krylov/pcg_rows.h"
#include "algebra/product.h"

static Exec *exec; /* NULL without a GPU */

static PersistRun plan(PersistList *list, PersistTeam team, const int32_t *stop, PersistOp op[8]) {
  _Alignas(16) unsigned char program[4096];
  PersistRun run = {0};
  assert_true(list->n_op <= 8 && persist_bytes(list) <= (int64_t)sizeof program);
  persist_write(list, team, stop, program, &run);
  memcpy(op, program, sizeof *op * (size_t)list->n_op);
  assert_true(run.bytes + run.held <= persist_room());
  persist_forget(list);
  return run;
}

/* Every kernel of the table has a launcher for graphs with the same arguments, and a name of its own. */
static void test_table(void **state) {
  (void)state;
  CudaRegistry *registry = NULL;
  int n = 0;
  assert_ok(cuda_registry_create(&registry));
  for (const PersistKernel *k = persist_all.kernels; k->name; ++k, ++n) {
    const CudaKernel *launcher = cuda_registry_find(registry, k->name);
    if (!launcher) fail_msg("'%s' has no launcher", k->name);
    assert_int_equal(launcher->args_size, k->args_size);
    assert_in_range(k->n_sum, 0, ROW_SUMS);
    for (const PersistKernel *other = persist_all.kernels; other < k; ++other)
      assert_string_not_equal(other->name, k->name);
    if (k->shape != PERSIST_ROWS) assert_in_range(k->block, 1, 3);
  }
  assert_true(n > 80);
  int small = 0; /* the small build knows the same, by its own numbers */
  for (const PersistKernel *k = persist_jacobi.kernels; k->name; ++k, ++small) {
    const PersistKernel *same = persist_all.kernels;
    while (same->name && strcmp(same->name, k->name) != 0) ++same;
    assert_non_null(same->name);
    assert_true(k->args_size == same->args_size && k->n_sum == same->n_sum && k->shape == same->shape &&
                k->entry_bytes == same->entry_bytes && k->block == same->block && k->krylov == same->krylov);
  }
  assert_int_equal(small, 5);
  int heart = 0; /* rows belong to blocks there: each launch has a flag, and there is no cluster */
  for (const PersistKernel *k = persist_heart.kernels; k->name; ++k, ++heart) {
    const CudaKernel *launcher = cuda_registry_find(registry, k->name);
    assert_non_null(launcher);
    assert_int_equal(launcher->args_size, k->args_size);
    assert_true(k->gate != PERSIST_ALWAYS && k->gate_at >= 0 && (size_t)k->gate_at + sizeof(void *) <= k->args_size);
  }
  assert_true(heart == 28 && persist_heart.owns && !persist_heart.cluster && persist_heart.grid);
  cuda_registry_destroy(&registry);
}

/* A step of a heart: pulses apart, rows that belong to blocks, both matrices held, flags found. */
static PersistRun plan_step(int64_t n, int32_t tile, const int32_t *row, PersistOp op[8], int32_t flag[2]) {
  static const CudaKernel pulses = {"evolution_switches", sizeof(EvolutionArgs), NULL, 0},
                          guess = {"evolution_guess", sizeof(EvolutionArgs), NULL, 0},
                          semi = {"tiled_semi_1h", sizeof(ProductArgs), NULL, 0},
                          apply = {"sbell_apply_1d", sizeof(ProductArgs), NULL, 0},
                          accept = {"evolution_accept", sizeof(EvolutionArgs), NULL, 0};
  static const double value[2] = {0};
  PersistList list = {0};
  const EvolutionArgs vectors = {.when = &flag[0]};
  const ProductArgs tiled = {.a = {.value = &value[0], .slice = tile, .width = 15, .threads = 700}, .stop = &flag[1]},
                    k = {.a = {.value = &value[1], .slice = 32, .width = 18, .row = row}, .stop = &flag[1]};
  assert_ok(persist_add(&list, &pulses, &vectors, 2));
  assert_ok(persist_add(&list, &guess, &vectors, n));
  assert_ok(persist_add(&list, &semi, &tiled, n));
  assert_ok(persist_add(&list, &apply, &k, n));
  assert_ok(persist_add(&list, &accept, &vectors, n));
  assert_false(list.unknown);
  PersistTeam team;
  assert_ok(persist_choose(&list, &team));
  if (tile % 32 || row) { /* no build knows such a step */
    assert_int_equal(team, PERSIST_NONE);
    persist_forget(&list);
    return (PersistRun){0};
  }
  return plan(&list, PERSIST_GRID, &flag[1], op);
}

static void test_step_of_a_heart(void **state) {
  (void)state;
  static const struct {
    int64_t n;
    int32_t lanes, parts;
  } sizes[] = {{100, 32, 15}, {30065, 256, 2}, {63885, 512, 1}, {67584, 512, 1}};
  int32_t flag[2] = {0}, row = 0;
  PersistOp op[8];
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
    const PersistRun run = plan_step(sizes[k].n, sizes[k].lanes, NULL, op, flag);
    assert_ptr_equal(run.build, &persist_heart);
    assert_true(op[0].apart && !op[1].apart && !op[4].apart && op[4].n_sum == 1);
    for (int o = 1; o < 5; ++o) assert_int_equal(op[o].lanes, sizes[k].lanes);
    for (int o = 0; o < 5; ++o) {
      const bool product = o == 2 || o == 3;
      assert_int_equal(op[o].gated, product ? PERSIST_UNLESS_SET : PERSIST_WHEN_SET);
      assert_ptr_equal(op[o].gate, &flag[product]);
      assert_true(product == (op[o].room > 0));
    }
    assert_int_equal(op[2].parts, sizes[k].parts);
    assert_true(op[2].room >= PERSIST_OWN_HEAD + 15 * 4 * sizes[k].lanes + 4 * 700 + 2 * sizes[k].lanes);
    assert_true(op[3].room >= PERSIST_OWN_HEAD + 18 * 12 * sizes[k].lanes && op[3].held == op[2].held + op[2].room);
    assert_int_equal(run.held, op[2].room + op[3].room);
  }
  plan_step(63885, 512, &row, op, flag); /* rows in another order */
  plan_step(63885, 480 - 1, NULL, op, flag);
}

/* Rows of a product are shared so that every block has about as many, and no thread is asked for that is not there. */
static void test_shares(void **state) {
  (void)state;
  static const int64_t sizes[] = {1, 7, 8, 1125, 1331, 16384, 16385, 100003};
  const CudaKernel product = {"sbell_dot_3d", sizeof(ProductArgs), NULL, 0};
  const ProductArgs args = {.a = {.width = 27}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
    for (int team = PERSIST_CLUSTER; team <= PERSIST_GRID; ++team) {
      PersistList list = {0};
      _Alignas(16) unsigned char program[512];
      PersistOp op;
      PersistRun run = {0};
      assert_ok(persist_add(&list, &product, &args, sizes[i]));
      assert_false(list.unknown);
      assert_int_equal(list.rows, 3 * sizes[i]);
      assert_int_equal(list.traffic, sizes[i] * 27 * 76);
      assert_true(persist_bytes(&list) <= (int64_t)sizeof program);
      persist_write(&list, (PersistTeam)team, NULL, program, &run);
      assert_true(run.n_op == 1 && run.bytes == persist_bytes(&list) && !run.scalars);
      memcpy(&op, program, sizeof op);
      assert_int_equal(op.n, sizes[i]);
      assert_int_equal(op.lanes % 8, 0);
      assert_true(op.parts >= 1 && op.parts <= 27 && op.lanes >= 8 && op.lanes * op.parts <= PERSIST_BLOCK);
      const int64_t blocks = team == PERSIST_CLUSTER ? PERSIST_CLUSTER_BLOCKS : PERSIST_GRID_BLOCKS;
      if (sizes[i] <= blocks * PERSIST_BLOCK) assert_true(op.lanes * blocks >= sizes[i]); /* in one go */
      assert_memory_equal(program + op.args, &args, sizeof args);
      persist_forget(&list);
    }
}

/* What comes into the blocks' own memory. */
typedef struct Kept {
  double value[9], other[9];
  Krylov k;
  int32_t stop;
} Kept;

static void add_turn(PersistList *list, Kept *kept, int64_t n) {
  static const CudaKernel direction = {"pcg_direction_jacobi", sizeof(PcgArgs), NULL, 0},
                          product = {"sbell_dot_3d", sizeof(ProductArgs), NULL, 0},
                          update = {"pcg_update_jacobi", sizeof(PcgArgs), NULL, 0};
  const PcgArgs vectors = {.k = &kept->k};
  const ProductArgs args = {.a = {.value = kept->value, .width = 27}, .stop = &kept->k.stop, .krylov = &kept->k};
  *list = (PersistList){0};
  assert_ok(persist_add(list, &direction, &vectors, 3 * n));
  assert_ok(persist_add(list, &product, &args, n));
  assert_ok(persist_add(list, &update, &vectors, 3 * n));
  assert_false(list->unknown);
}

static void test_scalars_kept(void **state) {
  (void)state;
  static const CudaKernel dot = {"vec_dot", sizeof(VecDotArgs), NULL, 0},
                          fill = {"vec_fill", sizeof(VecFillArgs), NULL, 0};
  Kept kept = {0}, elsewhere = {0};
  PersistList list;
  PersistOp op[8];
  const VecDotArgs dot_args = {0};
  const VecFillArgs fill_args = {0};
  add_turn(&list, &kept, 100);
  const PersistRun run = plan(&list, PERSIST_CLUSTER, &kept.k.stop, op);
  assert_ptr_equal(run.scalars, &kept.k);
  assert_ptr_equal(run.build, &persist_jacobi);
  add_turn(&list, &kept, 100);
  assert_null(plan(&list, PERSIST_GRID, &kept.k.stop, op).scalars);
  add_turn(&list, &kept, 100); /* the flag is another's */
  assert_null(plan(&list, PERSIST_CLUSTER, &kept.stop, op).scalars);
  add_turn(&list, &kept, 100);
  assert_ok(persist_add(&list, &fill, &fill_args, 2));
  const PersistRun more = plan(&list, PERSIST_CLUSTER, &kept.k.stop, op);
  assert_ptr_equal(more.scalars, &kept.k);
  assert_ptr_equal(more.build, &persist_all);
  add_turn(&list, &kept, 100); /* one row: might write scalars */
  assert_ok(persist_add(&list, &fill, &fill_args, 1));
  assert_null(plan(&list, PERSIST_CLUSTER, &kept.k.stop, op).scalars);
  add_turn(&list, &kept, 100); /* a sum that goes elsewhere */
  assert_ok(persist_add(&list, &dot, &dot_args, 7));
  assert_null(plan(&list, PERSIST_CLUSTER, &kept.k.stop, op).scalars);
  add_turn(&list, &kept, 100); /* copies to and from the scalars */
  assert_ok(persist_add_copy(&list, &kept.k.rr, NULL, 8));
  assert_null(plan(&list, PERSIST_CLUSTER, &kept.k.stop, op).scalars);
  add_turn(&list, &kept, 100);
  assert_ok(persist_add_copy(&list, kept.other, &kept.k.rr, 8));
  assert_null(plan(&list, PERSIST_CLUSTER, &kept.k.stop, op).scalars);
  add_turn(&list, &kept, 100); /* a pointer to what begins with the scalars */
  assert_ok(persist_add(&list, &fill, &(VecFillArgs){(double *)(void *)&kept.k, 0}, 2));
  assert_null(plan(&list, PERSIST_CLUSTER, &kept.k.stop, op).scalars);
  PersistList two;
  add_turn(&list, &kept, 100); /* two solvers */
  add_turn(&two, &elsewhere, 100);
  assert_ok(
      persist_add(&list, &(CudaKernel){"sbell_dot_3d", sizeof(ProductArgs), NULL, 0}, two.args + two.op[1].args, 100));
  persist_forget(&two);
  assert_null(plan(&list, PERSIST_CLUSTER, &kept.k.stop, op).scalars);
}

static void test_matrices_held(void **state) {
  (void)state;
  static const CudaKernel product = {"sbell_apply_3d", sizeof(ProductArgs), NULL, 0};
  Kept kept = {0};
  PersistList list;
  PersistOp op[8];
  for (int team = PERSIST_CLUSTER; team <= PERSIST_GRID; ++team) {
    const int64_t blocks = team == PERSIST_CLUSTER ? PERSIST_CLUSTER_BLOCKS : PERSIST_GRID_BLOCKS;
    add_turn(&list, &kept, 80 * blocks);
    ProductArgs same = {.a = {.value = kept.value, .width = 27}}, other = {.a = {.value = kept.other, .width = 27}};
    assert_ok(persist_add(&list, &product, &same, 80 * blocks));
    assert_ok(persist_add(&list, &product, &other, 80 * blocks)); /* no room is left */
    const PersistRun run = plan(&list, (PersistTeam)team, &kept.k.stop, op);
    assert_true(op[1].room >= 80 * 27 * 76 && op[1].held == run.bytes && run.held == op[1].room);
    assert_true(op[3].held == op[1].held && op[3].room == op[1].room && op[4].room == 0);
    add_turn(&list, &kept, 8 * blocks);
    assert_ok(persist_add(&list, &product, &other, 8 * blocks));
    const PersistRun both = plan(&list, (PersistTeam)team, &kept.k.stop, op);
    assert_true(op[1].room > 0 && op[3].held == op[1].held + op[1].room && both.held == op[1].room + op[3].room);
    add_turn(&list, &kept, 120 * blocks); /* too large */
    assert_true(plan(&list, (PersistTeam)team, &kept.k.stop, op).held == 0 && op[1].room == 0);
    add_turn(&list, &kept, 80 * blocks); /* the values are somebody's vector too */
    assert_ok(persist_add_copy(&list, kept.value, NULL, 8));
    assert_int_equal(plan(&list, (PersistTeam)team, &kept.k.stop, op).held, 0);
  }
}

static void test_list(void **state) {
  (void)state;
  PersistList list = {0};
  const CudaKernel unknown = {"no_such_kernel", 8, NULL, 0},
                   vec_fill_launcher = {"vec_fill", sizeof(VecFillArgs), NULL, 0};
  double x = 0;
  const VecFillArgs fill = {&x, 1};
  assert_ok(persist_add_copy(&list, &x, NULL, 8));
  assert_true(persist_guards(&list)); /* zeros might lie on the stop flag */
  assert_ok(persist_add(&list, &vec_fill_launcher, &fill, 5));
  assert_int_equal(list.n_op, 2);
  assert_false(list.unknown);
  assert_ok(persist_add(&list, &unknown, &x, 5));
  assert_true(list.unknown);
  assert_int_equal(list.n_op, 3); /* kept for the graph */
  PersistTeam team = PERSIST_GRID;
  assert_ok(persist_choose(&list, &team));
  assert_int_equal(team, PERSIST_NONE);
  persist_forget(&list);
  assert_ok(persist_add(&list, &vec_fill_launcher, &fill, 1));
  assert_true(persist_guards(&list));
  persist_forget(&list);
  assert_ok(persist_add(&list, &vec_fill_launcher, &fill, 2));
  assert_false(persist_guards(&list));
  persist_forget(&list);
}

/* The environment variable as the test runs, put back by the caller. */
static void force(const char *way) {
  if (way) setenv("SINEW_GPU_LOOP", way, 1);
  else unsetenv("SINEW_GPU_LOOP");
}

static void test_forced(void **state) {
  (void)state;
  PersistList list = {0};
  PersistTeam team;
  force("fast");
  assert_fails(persist_choose(&list, &team), ERR_INPUT,
               "SINEW_GPU_LOOP is 'fast', must be auto, graph, persistent, cluster or grid");
  force("graph");
  assert_ok(persist_choose(&list, &team));
  assert_int_equal(team, PERSIST_NONE);
}

static void test_memory_fails(void **state) {
  (void)state;
  const VecFillArgs fill = {NULL, 0};
  const CudaKernel vec_fill_launcher = {"vec_fill", sizeof fill, NULL, 0};
  const size_t before = mem_in_use();
  for (int64_t nth = 1;; ++nth) {
    PersistList list = {0};
    mem_fail_nth(nth);
    const Status status = persist_add(&list, &vec_fill_launcher, &fill, 5);
    mem_fail_nth(0);
    persist_forget(&list);
    assert_int_equal(mem_in_use(), before);
    if (status == OK) break;
    assert_int_equal(status, ERR_MEMORY);
    assert_true(nth < 10);
  }
}

/* A turn of everything: x += y (which counts turns), odd copies and zeros, two sums, of which one is used by the
 * next. */
enum { LARGEST = 50001 };
typedef struct Turn {
  double *x, *y, *sum; /* [n], [n], [2] */
  char *from, *to;     /* [n + 9] */
  int32_t *left, *stop;
  int64_t n;
} Turn;

static Status turn(Exec *on, void *context) {
  const Turn *t = context;
  TRY(vec_axpy(on, t->n, 1, t->y, t->x));
  TRY(exec_copy(on, t->to + 1, t->from, (size_t)t->n + 5));
  TRY(exec_zero(on, t->to + 3, 4));
  TRY(vec_dot(on, t->n, t->x, t->y, t->sum));
  TRY(vec_norm(on, t->n, t->x, t->sum + 1));
  TRY(vec_axpy(on, 1, 0.5, t->sum + 1, t->sum));
  TRY(vec_dot(on, 0, t->x, t->y, t->y + t->n)); /* no rows: 0 */
  return vec_countdown(on, t->left, t->stop);
}

typedef struct Result {
  double x[LARGEST], sum[2], none;
  char to[LARGEST + 9];
  int32_t left, stop;
} Result;

static void run_turns(int64_t n, int32_t turns, const char *way, Result *r) {
  const int32_t numbers[2] = {turns, 0};
  Turn t = {.n = n};
  ExecLoop *loop = NULL;
  exec->check = !strcmp(way, "checked");
  force(exec->check ? "graph" : way);
  memset(r, 0, sizeof *r);
  for (int64_t i = 0; i < n; ++i) r->x[i] = 1.0 / (double)(1 + (i * 7919) % 1009);
  for (int64_t i = 0; i < n + 9; ++i) r->to[i] = (char)(i % 101);
  r->none = 3;
  assert_ok(exec_alloc_upload(exec, n, 8, r->x, "x", (void **)&t.x));
  assert_ok(exec_alloc(exec, n + 1, 8, "y", (void **)&t.y));
  assert_ok(exec_upload(exec, t.y, r->x, (size_t)n * 8));
  assert_ok(exec_upload(exec, t.y + n, &r->none, 8));
  assert_ok(exec_alloc_upload(exec, 2, 8, r->sum, "sums", (void **)&t.sum));
  assert_ok(exec_alloc_upload(exec, n + 9, 1, r->to, "bytes", (void **)&t.from));
  assert_ok(exec_alloc_upload(exec, n + 9, 1, r->to, "bytes", (void **)&t.to));
  assert_ok(exec_alloc_upload(exec, 2, 4, numbers, "numbers", (void **)&t.left));
  t.stop = t.left + 1;
  assert_ok(exec_loop_create(exec, turn, &t, t.stop, &loop));
  assert_ok(exec_loop_run(loop, 1000, NULL, NULL));
  exec_loop_destroy(&loop);
  exec->check = false;
  assert_ok(exec_download(exec, r->x, t.x, (size_t)n * 8));
  assert_ok(exec_download(exec, &r->none, t.y + n, 8));
  assert_ok(exec_download(exec, r->sum, t.sum, sizeof r->sum));
  assert_ok(exec_download(exec, r->to, t.to, (size_t)n + 9));
  assert_ok(exec_download(exec, &r->left, t.left, 4));
  assert_ok(exec_download(exec, &r->stop, t.stop, 4));
  exec_release(exec, n, 8, (void **)&t.x);
  exec_release(exec, n + 1, 8, (void **)&t.y);
  exec_release(exec, 2, 8, (void **)&t.sum);
  exec_release(exec, n + 9, 1, (void **)&t.from);
  exec_release(exec, n + 9, 1, (void **)&t.to);
  exec_release(exec, 2, 4, (void **)&t.left);
}

static void test_ways_agree(void **state) {
  (void)state;
  if (!exec) skip();
  static const int64_t sizes[] = {1, 31, 1000, 16384, LARGEST};
  /* not the graph where compute-sanitizer looks (tests/testing.h) */
  static const char *const ways[] = {"cluster", "grid", "graph"};
  const int n_way = getenv("SINEW_TEST_CHECK") ? 2 : 3;
  Result *checked = NULL, *stay = NULL, *again = NULL;
  assert_ok(mem_alloc(1, sizeof *checked, "a result", (void **)&checked));
  assert_ok(mem_alloc(1, sizeof *stay, "a result", (void **)&stay));
  assert_ok(mem_alloc(1, sizeof *again, "a result", (void **)&again));
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    const int64_t n = sizes[i];
    run_turns(n, 23, "checked", checked);
    assert_int_equal(checked->stop, 1);
    for (int w = 0; w < n_way; ++w) {
      run_turns(n, 23, ways[w], stay);
      assert_memory_equal(stay->x, checked->x, (size_t)n * 8);
      assert_memory_equal(stay->to, checked->to, (size_t)n + 9);
      assert_true(stay->none == 0 && stay->left == 0 && stay->stop == 1);
      for (int k = 0; k < 2; ++k) assert_near(stay->sum[k] / checked->sum[k], 1, 1e-12);
      run_turns(n, 23, ways[w], again);
      assert_memory_equal(again, stay, sizeof *stay);
    }
  }
  mem_free((void **)&checked);
  mem_free((void **)&stay);
  mem_free((void **)&again);
}

static Status count(Exec *on, void *context) {
  const Turn *t = context;
  return vec_countdown(on, t->left, t->stop);
}

/* Each allocation of a loop's first run fails once. */
static void test_loop_memory_fails(void **state) {
  (void)state;
  if (!exec) skip();
  int32_t *device = NULL, numbers[2];
  ExecLoop *loop = NULL;
  force("cluster");
  assert_ok(exec_alloc(exec, 2, 4, "numbers", (void **)&device));
  Turn t = {.left = device, .stop = device + 1};
  const size_t before = mem_in_use();
  for (int64_t nth = 1;; ++nth) {
    assert_true(nth < 40);
    numbers[0] = 2, numbers[1] = 0;
    assert_ok(exec_upload(exec, device, numbers, sizeof numbers));
    assert_ok(exec_loop_create(exec, count, &t, t.stop, &loop));
    mem_fail_nth(nth);
    const Status status = exec_loop_run(loop, 5, NULL, NULL);
    mem_fail_nth(0);
    if (status == OK) break;
    assert_out_of_memory(status);
    assert_ok(exec_loop_run(loop, 5, NULL, NULL)); /* and goes on */
    exec_loop_destroy(&loop);
    assert_int_equal(mem_in_use(), before);
  }
  exec_loop_destroy(&loop);
  exec_release(exec, 2, 4, (void **)&device);
}

static int set_up(void **state) {
  (void)state;
  char why[256];
  return cuda_usable(why, sizeof why) ? exec_create_cuda(&exec) != OK : 0;
}
static int tear_down(void **state) {
  (void)state;
  exec_destroy(&exec);
  return mem_in_use() != 0;
}
static int unforce(void **state) {
  (void)state;
  force(NULL);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_table),
      cmocka_unit_test(test_step_of_a_heart),
      cmocka_unit_test_teardown(test_shares, unforce),
      cmocka_unit_test(test_scalars_kept),
      cmocka_unit_test(test_matrices_held),
      cmocka_unit_test_teardown(test_list, unforce),
      cmocka_unit_test_teardown(test_forced, unforce),
      cmocka_unit_test(test_memory_fails),
      cmocka_unit_test_teardown(test_ways_agree, unforce),
      cmocka_unit_test_teardown(test_loop_memory_fails, unforce),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
