/* Generated power grids: sizes, symmetric, dominant, connected to a supply; combinatorial multigrid hardly grows on
 * them. */
#include "bench/multilevel/netlist.h"
#include "core/memory.h"
#include "tests/testing.h"

#include <math.h>

static double entry(const Netlist *g, int32_t i, int32_t j) {
  for (int64_t k = g->pattern->start[i]; k < g->pattern->start[i + 1]; ++k)
    if (g->pattern->column[k] == j) return g->value[k];
  return 0;
}

static void grids(void **state) {
  (void)state;
  for (int32_t kind = 2; kind <= 17; ++kind) {
    const int32_t layers = kind / 2, hard = kind % 2;
    Netlist g;
    const int32_t most = 3000;
    assert_ok(netlist_create(
        &(NetlistParams){
            .n = most, .n_layer = layers, .n_pad = hard ? 10 : 0, .top = hard ? 25 : 0, .via = hard ? 1 : 0},
        &g));
    const Pattern *p = g.pattern;
    assert_in_range(p->n, most * 9 / 10, most);
    int32_t *seen = NULL, n_pad = 0, n_seen = 0;
    assert_ok(mem_alloc(p->n, sizeof *seen, "queue", (void **)&seen));
    char *is = NULL;
    assert_ok(mem_alloc(p->n, 1, "marks", (void **)&is));
    for (int32_t i = 0; i < p->n; ++i) {
      double sum = 0, diagonal = entry(&g, i, i);
      for (int64_t k = p->start[i]; k < p->start[i + 1]; ++k) {
        const int32_t j = p->column[k];
        assert_true(k == p->start[i] || j > p->column[k - 1]);
        assert_true(g.value[k] == (i == j ? diagonal : entry(&g, j, i)) && (i == j) == (g.value[k] > 0));
        sum += g.value[k];
      }
      assert_true(sum >= -1e-12 * diagonal);
      if (sum > 50) ++n_pad, is[i] = 1, seen[n_seen++] = i;
      assert_true(g.current[i] <= 0);
    }
    if (hard) assert_int_equal(n_pad, 9); /* 3 x 3 */
    else assert_true(n_pad > 0);
    for (int32_t k = 0; k < n_seen; ++k)
      for (int64_t m = p->start[seen[k]]; m < p->start[seen[k] + 1]; ++m)
        if (!is[p->column[m]]) is[p->column[m]] = 1, seen[n_seen++] = p->column[m];
    if (layers > 1) assert_int_equal(n_seen, p->n);
    FREE(seen);
    FREE(is);
    netlist_release(&g);
  }
}

static void wrong_sizes_and_failures(void **state) {
  (void)state;
  Netlist g;
  assert_fails(netlist_create(&(NetlistParams){.n = 3, .n_layer = 2}, &g), ERR_INPUT, "netlist of 3 unknowns");
  assert_fails(netlist_create(&(NetlistParams){.n = 300, .n_layer = 9}, &g), ERR_INPUT, "9 layers; 1 to 8");
  assert_fails(netlist_create(&(NetlistParams){.n = 300, .n_layer = 3, .n_pad = -1}, &g), ERR_INPUT, "-1 pads");
  const NetlistParams params = {.n = 300, .n_layer = 3};
  assert_int_equal(testing_fail_each_of(netlist_create(&params, &g), netlist_release(&g)), 6);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(grids), cmocka_unit_test(wrong_sizes_and_failures)};
  return cmocka_run_group_tests_name("bench/netlist", tests, NULL, NULL);
}
