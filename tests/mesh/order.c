/* Orders of the nodes by name: permutations all, the same every time, and each good at what it is for. */
#include "mesh/order/order.h"
#include "mesh/order/order_graph.h"
#include "mesh/order/renumber.h"
#include "tests/mesh/derived_mesh.h"

#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#endif

static Mesh *grid(ElementKind kind, int nx, int ny, int nz) {
  const BoxParams params = {.kind = kind, .n = {nx, ny, nz}, .size = {nx, ny, nz}};
  Mesh *mesh = NULL;
  assert_ok(mesh_box(&params, &mesh));
  return mesh;
}

/* Numbers without any sense: i -> i * step mod n with a step prime to n. */
static void shuffle(Mesh *mesh) {
  const int32_t n = mesh->n_node;
  int32_t *rank = testing_array(n, sizeof *rank), step = (int32_t)(0.618 * n), a, b, rest;
  for (;; step++) {
    for (a = n, b = step; b != 0; rest = a % b, a = b, b = rest) continue;
    if (a == 1) break;
  }
  for (int64_t i = 0; i < n; i++) rank[i] = (int32_t)(i * step % n);
  assert_ok(mesh_renumber(mesh, rank));
  FREE(rank);
}

/* The order as old by new; fails when it is not a permutation. */
static int32_t *ordered(const Mesh *mesh, MeshOrder kind) {
  const int32_t n = mesh->n_node;
  int32_t *rank = testing_array(n, sizeof *rank), *node = testing_array(n, sizeof *node);
  for (int32_t i = 0; i < n; i++) node[i] = rank[i] = -1;
  assert_ok(mesh_order(mesh, kind, rank));
  for (int32_t i = 0; i < n; i++) {
    assert_in_range(rank[i], 0, n - 1);
    assert_int_equal(node[rank[i]], -1);
    node[rank[i]] = i;
  }
  FREE(rank);
  return node;
}

static void all_are_permutations(void **state) {
  (void)state;
  FOR_SOLVED_TYPES(type) {
    Mesh *mesh = testing_decorated(type->kind, 3, 0.2);
    const uint64_t before = mesh_hash(mesh);
    for (int32_t k = 0; k < N_MESH_ORDERS; k++) {
      int32_t *first = ordered(mesh, (MeshOrder)k), *second = ordered(mesh, (MeshOrder)k);
      assert_memory_equal(first, second, sizeof *first * (size_t)mesh->n_node);
      FREE(first);
      FREE(second);
    }
    assert_true(mesh_hash(mesh) == before);
    mesh_destroy(&mesh);
  }
}

static void names_find_orders(void **state) {
  (void)state;
  for (int32_t k = 0; k < N_MESH_ORDERS; k++) {
    MeshOrder kind = N_MESH_ORDERS;
    assert_ok(mesh_order_by_name(mesh_order_name(k), &kind));
    assert_int_equal(kind, k);
    assert_true(strlen(mesh_order_meaning(k)) > 10);
  }
  assert_string_equal(mesh_order_name(0), "natural");
  assert_null(mesh_order_name(N_MESH_ORDERS));
  assert_null(mesh_order_meaning(-1));
  MeshOrder kind;
  assert_fails(mesh_order_by_name("hillbert", &kind), ERR_INPUT, "unknown node order 'hillbert'");
  assert_fails(mesh_order_by_name("hillbert", &kind), ERR_INPUT, "nested-dissection");
  Mesh *mesh = grid(ELEMENT_QUAD4, 1, 1, 1);
  assert_fails(mesh_order(mesh, N_MESH_ORDERS, NULL), ERR_BUG, "no node order 4");
  mesh_destroy(&mesh);
}

/* No nodes, one node, nodes without elements, parts, a graph in which all nodes are neighbours. */
static void small_and_torn_meshes(void **state) {
  (void)state;
  double x[40][3] = {{0}};
  int64_t tag[40] = {0};
  Mesh lonely = {.x = x, .node_tag = tag};
  for (int n = 0; n < 40; n += n < 3 ? 1 : 9) {
    lonely.n_node = n;
    for (int32_t k = 0; k < N_MESH_ORDERS; k++) {
      int32_t *node = ordered(&lonely, (MeshOrder)k);
      for (int i = 0; i < n && k != ORDER_RCM; i++) assert_int_equal(node[i], i);
      FREE(node);
    }
  }
  const struct {
    ElementKind kind;
    int n_element, n_node;
  } torn[] = {{ELEMENT_LINE2, 1, 2}, {ELEMENT_LINE2, 7, 20},  {ELEMENT_HEX27, 1, 27}, {ELEMENT_HEX27, 1, 40},
              {ELEMENT_TRI3, 9, 27}, {ELEMENT_QUAD4, 10, 40}, {ELEMENT_POINT1, 3, 40}};
  for (size_t t = 0; t < sizeof torn / sizeof *torn; t++) {
    int32_t nodes[40];
    for (int i = 0; i < 40; i++) nodes[i] = i; /* each element is a part */
    ElementBlock block = testing_block(torn[t].kind, torn[t].n_element, 0, nodes);
    Mesh mesh = {.n_node = torn[t].n_node, .n_block = 1, .n_element = torn[t].n_element, .block = &block, .x = x};
    for (int32_t k = 0; k < N_MESH_ORDERS; k++) {
      int32_t *node = ordered(&mesh, (MeshOrder)k);
      FREE(node);
    }
    FREE(block.nodes);
    FREE(block.tag);
  }
}

static void rcm_is_narrow(void **state) {
  (void)state;
  Mesh *mesh = grid(ELEMENT_QUAD4, 100, 4, 1);
  shuffle(mesh);
  int32_t *rank = testing_array(mesh->n_node, sizeof *rank);
  const int32_t before = mesh_bandwidth(mesh, NULL);
  assert_ok(mesh_order(mesh, ORDER_RCM, rank));
  assert_true(before > 100);
  assert_true(mesh_bandwidth(mesh, rank) <= 12);
  assert_true(mesh_mean_distance(mesh, rank) < 0.1 * mesh_mean_distance(mesh, NULL));
  FREE(rank);
  mesh_destroy(&mesh);
}

/* 2^k nodes a side are the cells of one level: each node is beside the one before. */
static void hilbert_goes_from_cell_to_cell(void **state) {
  (void)state;
  Mesh *mesh[] = {grid(ELEMENT_QUAD4, 15, 15, 1), grid(ELEMENT_HEX8, 7, 7, 7)};
  for (int m = 0; m < 2; m++) {
    shuffle(mesh[m]);
    int32_t *node = ordered(mesh[m], ORDER_HILBERT);
    for (int32_t i = 1; i < mesh[m]->n_node; i++) {
      const double *a = mesh[m]->x[node[i - 1]], *b = mesh[m]->x[node[i]];
      assert_true(fabs(a[0] - b[0]) + fabs(a[1] - b[1]) + fabs(a[2] - b[2]) < 1.001);
    }
    FREE(node);
    mesh_destroy(&mesh[m]);
  }
}

/* A line, wherever it points, is walked from end to end; a plane may stand upright. */
static void hilbert_in_fewer_directions(void **state) {
  (void)state;
  for (int axis = 0; axis < 3; axis++) {
    double x[50][3];
    for (int i = 0; i < 50; i++)
      for (int k = 0; k < 3; k++) x[i][k] = k == axis ? i * 17 % 50 : 3;
    Mesh line = {.n_node = 50, .x = x};
    int32_t *node = ordered(&line, ORDER_HILBERT);
    for (int i = 0; i < 50; i++) assert_true(x[node[i]][axis] == i);
    FREE(node);
    Mesh *flat = grid(ELEMENT_QUAD4, 7, 7, 1), *upright = grid(ELEMENT_QUAD4, 7, 7, 1);
    for (int32_t i = 0; i < flat->n_node; i++) {
      const double *from = flat->x[i];
      upright->x[i][axis] = -2;
      upright->x[i][(axis + 1) % 3] = from[axis == 1 ? 1 : 0];
      upright->x[i][(axis + 2) % 3] = from[axis == 1 ? 0 : 1];
    }
    int32_t *a = ordered(flat, ORDER_HILBERT), *b = ordered(upright, ORDER_HILBERT);
    assert_memory_equal(a, b, sizeof *a * (size_t)flat->n_node);
    FREE(a);
    FREE(b);
    mesh_destroy(&flat);
    mesh_destroy(&upright);
  }
}

/* What x must deliver to a group of rows: the different nodes that `window` consecutive nodes and their neighbours are, as a
 * multiple of the window, mean over all whole windows and the rest. */
static double reach(const Mesh *mesh, const int32_t *rank, int32_t window) {
  NodeGraph graph = {0};
  const int32_t n = mesh->n_node;
  int32_t *node = testing_array(n, sizeof *node), *list = testing_array(n, sizeof *list);
  int64_t reached = 0;
  assert_ok(node_graph_create(mesh, &graph));
  for (int32_t i = 0; i < n; i++) node[rank ? rank[i] : i] = i;
  for (int32_t i = 0; i < n; i++) {
    if (i % window == 0) graph.stamp++;
    if (graph.mark[node[i]] != graph.stamp) reached++;
    graph.mark[node[i]] = graph.stamp;
    reached += node_graph_new(&graph, node[i], list);
  }
  FREE(node);
  FREE(list);
  node_graph_release(&graph);
  return (double)reached / n;
}

/* What 1024 nodes and their neighbours are: rows of a long grid reach three rows wide, squares of a curve do not. */
static void hilbert_keeps_neighbours_near(void **state) {
  (void)state;
  Mesh *mesh = grid(ELEMENT_QUAD4, 1023, 63, 1);
  int32_t *rank = testing_array(mesh->n_node, sizeof *rank);
  const double natural = reach(mesh, NULL, 1024);
  assert_ok(mesh_order(mesh, ORDER_HILBERT, rank));
  const double hilbert = reach(mesh, rank, 1024);
  assert_ok(mesh_order(mesh, ORDER_NESTED_DISSECTION, rank));
  const double dissected = reach(mesh, rank, 1024);
  shuffle(mesh);
  const double shuffled = reach(mesh, NULL, 1024);
  print_message("reach of 1024 nodes: natural %.3f, hilbert %.3f, nested dissection %.3f, shuffled %.3f\n", natural,
                hilbert, dissected, shuffled);
  assert_true(fabs(natural - 190.0 / 64) < 1e-12); /* rows of 1024: 3 of them, 2 at the edges */
  assert_true(hilbert < 1.2 && dissected < 1.5 && shuffled > 5);
  assert_true(mesh_bandwidth(mesh, NULL) >= mesh_mean_distance(mesh, NULL));
  FREE(rank);
  mesh_destroy(&mesh);
}

static void measures_of_one_element(void **state) {
  (void)state;
  Mesh *mesh = grid(ELEMENT_QUAD4, 1, 1, 1);
  mesh->block[0].n = 0; /* edges */
  const int32_t rank[] = {0, 10, 20, 30};
  assert_near(mesh_mean_distance(mesh, NULL), 10.0 / 6, 1e-15); /* 1 1 1 2 2 3 */
  assert_near(mesh_mean_distance(mesh, rank), 100.0 / 6, 1e-14);
  mesh_destroy(&mesh);
}

/* Entries of the Cholesky factor when nodes are eliminated in this order: rows as bits. */
static int64_t factor_entries(const Mesh *mesh, const int32_t *rank) {
  const int32_t n = mesh->n_node, words = (n + 63) / 64;
  uint64_t *row = testing_array((int64_t)n * words, sizeof *row);
  const ElementBlock *block = &mesh->block[mesh->n_block - 1];
  const int32_t n_node = element_type(block->kind)->n_node;
  int64_t entries = 0;
  for (int64_t e = 0; e < block->n; e++)
    for (int32_t a = 0; a < n_node; a++)
      for (int32_t b = 0; b < n_node; b++) {
        const int32_t i = rank[block->nodes[e * n_node + a]], j = rank[block->nodes[e * n_node + b]];
        row[(int64_t)i * words + j / 64] |= (uint64_t)1 << j % 64;
      }
  for (int32_t i = 0; i < n; i++)
    for (int32_t j = i + 1; j < n; j++) {
      if (!(row[(int64_t)i * words + j / 64] >> j % 64 & 1)) continue;
      entries++;
      for (int32_t w = i / 64; w < words; w++) row[(int64_t)j * words + w] |= row[(int64_t)i * words + w];
    }
  FREE(row);
  return entries;
}

static void nested_dissection_fills_little(void **state) {
  (void)state;
  Mesh *mesh = grid(ELEMENT_QUAD4, 40, 40, 1);
  int32_t *rank = testing_array(mesh->n_node, sizeof *rank), *back = testing_array(mesh->n_node, sizeof *back);
  assert_ok(mesh_order(mesh, ORDER_NATURAL, rank));
  const int64_t natural = factor_entries(mesh, rank);
  assert_ok(mesh_order(mesh, ORDER_NESTED_DISSECTION, rank));
  const int64_t dissected = factor_entries(mesh, rank);
  for (int32_t i = 0; i < mesh->n_node; i++) back[rank[i]] = i; /* old by new in place of new by old */
  const int64_t inverse = factor_entries(mesh, back);
  print_message("factor: natural %lld, nested dissection %lld, its inverse %lld\n", (long long)natural,
                (long long)dissected, (long long)inverse);
  assert_true((double)dissected < 0.6 * (double)natural && inverse > natural);
  FREE(rank);
  FREE(back);
  mesh_destroy(&mesh);
}

static void same_for_any_number_of_threads(void **state) {
  (void)state;
#ifdef _OPENMP
  const int threads = omp_get_max_threads();
  Mesh *mesh = grid(ELEMENT_TET4, 9, 8, 7);
  shuffle(mesh);
  for (int32_t k = 0; k < N_MESH_ORDERS; k++) {
    omp_set_num_threads(1);
    int32_t *one = ordered(mesh, (MeshOrder)k);
    omp_set_num_threads(7);
    int32_t *seven = ordered(mesh, (MeshOrder)k);
    assert_memory_equal(one, seven, sizeof *one * (size_t)mesh->n_node);
    FREE(one);
    FREE(seven);
  }
  omp_set_num_threads(threads);
  mesh_destroy(&mesh);
#endif
}

static void every_allocation_fails_once(void **state) {
  (void)state;
  Mesh *mesh = grid(ELEMENT_TET4, 3, 3, 3);
  int32_t *rank = testing_array(mesh->n_node, sizeof *rank);
  const int64_t wanted[N_MESH_ORDERS] = {0, 7, 7, 7};
  for (int32_t k = 0; k < N_MESH_ORDERS; k++)
    assert_int_equal(testing_fail_each_of(mesh_order(mesh, (MeshOrder)k, rank), (void)0), wanted[k] + 1);
  FREE(rank);
  mesh_destroy(&mesh);
  assert_int_equal(mem_in_use(), 0);
}

static void expect_choice(const Mesh *mesh, int32_t n_component, MeshOrder wanted) {
  int32_t *rank = testing_array(mesh->n_node, sizeof *rank), *same = testing_array(mesh->n_node, sizeof *rank);
  MeshOrder order;
  assert_ok(mesh_order_choose(mesh, n_component, rank, &order));
  assert_int_equal(order, wanted);
  assert_ok(mesh_order(mesh, wanted, same));
  assert_memory_equal(rank, same, (size_t)mesh->n_node * sizeof *rank);
  FREE(rank);
  FREE(same);
}

/* Rows of a structured mesh stay as they are; a shuffled one is healed, unless x is near in any order. */
static void poor_orders_are_healed(void **state) {
  (void)state;
  const BoxParams box[] = {{.kind = ELEMENT_QUAD4, .n = {190, 190, 1}, .size = {1, 1, 1}},
                           {.kind = ELEMENT_TET4, .n = {34, 34, 34}, .size = {1, 1, 1}},
                           {.kind = ELEMENT_HEX8, .n = {20, 20, 20}, .size = {1, 1, 1}},
                           {.kind = ELEMENT_HEX8, .n = {11, 11, 11}, .size = {1, 1, 1}}};
  for (int i = 0; i < 4; i++) {
    Mesh *mesh = NULL;
    assert_ok(mesh_box(&box[i], &mesh));
    expect_choice(mesh, 1, ORDER_NATURAL);
    expect_choice(mesh, 3, ORDER_NATURAL);
    shuffle(mesh);
    expect_choice(mesh, 1, i < 3 ? ORDER_HILBERT : ORDER_NATURAL); /* 1728 nodes: no halo is too long */
    expect_choice(mesh, 3, i < 2 ? ORDER_HILBERT : ORDER_NATURAL); /* 9261 nodes: x is in the first cache */
    expect_choice(mesh, 4, i < 3 ? ORDER_HILBERT : ORDER_NATURAL);
    mesh_destroy(&mesh);
  }
}

static void set_threads(int n) {
  (void)n;
#ifdef _OPENMP
  omp_set_num_threads(n);
#endif
}

static int by_key(const void *left, const void *right) {
  const uint64_t *a = left, *b = right;
  return a[0] != b[0] ? (a[0] > b[0]) - (a[0] < b[0]) : (a[1] > b[1]) - (a[1] < b[1]);
}

/* Nodes on a line, most of which lie in a few spots: along it, and in their own order where they are in one cell, as by one
 * sort of all bits. */
static void crowded_places(void **state) {
  (void)state;
  Mesh *mesh = grid(ELEMENT_QUAD4, 90, 90, 1);
  const int32_t n = mesh->n_node;
  uint64_t(*key)[2] = testing_array(n, sizeof *key);
  int32_t *rank = testing_array(n, sizeof *rank);
  for (int crowd = 1; crowd <= 1000; crowd *= 10) { /* nodes in a spot */
    for (int64_t i = 0; i < n; i++) {
      const int64_t spot = i * 7919 % n / crowd, place = (spot << 12) + i * 31 % (crowd < 100 ? crowd : 7);
      mesh->x[i][0] = (double)place, mesh->x[i][1] = 0;
      key[i][0] = (uint64_t)place, key[i][1] = (uint64_t)i;
    }
    qsort(key, (size_t)n, sizeof *key, by_key);
    assert_ok(mesh_order(mesh, ORDER_HILBERT, rank));
    for (int32_t i = 0; i < n; i++) assert_int_equal(rank[key[i][1]], i);
  }
  FREE(key);
  FREE(rank);
  mesh_destroy(&mesh);
}

/* What a sample says is near the truth, and the same for any number of threads. */
static void samples_are_near(void **state) {
  (void)state;
  const BoxParams box[] = {{.kind = ELEMENT_HEX8, .n = {46, 47, 48}, .size = {1, 1, 1}},
                           {.kind = ELEMENT_TRI3, .n = {330, 330, 1}, .size = {1, 1, 1}}};
  for (int i = 0; i < 4; i++) {
    Mesh *mesh = NULL;
    double own, curve, again[2];
    assert_ok(mesh_box(&box[i / 2], &mesh));
    assert_true(mesh->n_node >= ORDER_SAMPLED);
    if (i % 2) shuffle(mesh);
    int32_t *rank = testing_array(mesh->n_node, sizeof *rank);
    assert_ok(mesh_order(mesh, ORDER_HILBERT, rank));
    set_threads(1);
    assert_ok(order_sample(mesh, &own, &curve));
    assert_within(own / mesh_mean_distance(mesh, NULL), 1, 0.05);
    assert_within(curve / mesh_mean_distance(mesh, rank), 1, 0.2);
    set_threads(3);
    assert_ok(order_sample(mesh, &again[0], &again[1]));
    assert_true(again[0] == own && again[1] == curve);
    expect_choice(mesh, 1, i % 2 ? ORDER_HILBERT : ORDER_NATURAL);
    expect_choice(mesh, 3, i % 2 ? ORDER_HILBERT : ORDER_NATURAL);
    FREE(rank);
    mesh_destroy(&mesh);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_are_permutations),
      cmocka_unit_test(names_find_orders),
      cmocka_unit_test(small_and_torn_meshes),
      cmocka_unit_test(rcm_is_narrow),
      cmocka_unit_test(hilbert_goes_from_cell_to_cell),
      cmocka_unit_test(hilbert_in_fewer_directions),
      cmocka_unit_test(hilbert_keeps_neighbours_near),
      cmocka_unit_test(measures_of_one_element),
      cmocka_unit_test(nested_dissection_fills_little),
      cmocka_unit_test(same_for_any_number_of_threads),
      cmocka_unit_test(every_allocation_fails_once),
      cmocka_unit_test(poor_orders_are_healed),
      cmocka_unit_test(samples_are_near),
      cmocka_unit_test(crowded_places),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
