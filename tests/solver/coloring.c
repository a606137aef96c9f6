/* Colours of matrix graphs: no two neighbours alike, as few as known graphs need, refusals, failures. */
#include "algebra/graph/coloring.h"
#include "core/memory.h"
#include "solver/precond/ssor_layout.h"
#include "tests/solver/problems.h"
#include "tests/testing.h"

#include <string.h>

/* Rows i couple to i + each of the n_step steps, both ways, where that is a row. */
static Pattern *band(int n, int n_step, const int *step) {
  Pattern *p = NULL;
  assert_ok(mem_alloc(1, sizeof *p, "pattern", (void **)&p));
  p->n = n;
  p->block = 1;
  assert_ok(mem_alloc(n + 1, sizeof *p->start, "starts", (void **)&p->start));
  assert_ok(mem_alloc((int64_t)n * (2 * n_step + 1), sizeof *p->column, "columns", (void **)&p->column));
  int64_t at = 0;
  for (int i = 0; i < n; ++i) {
    for (int k = n_step - 1; k >= 0; --k)
      if (i >= step[k]) p->column[at++] = i - step[k];
    p->column[at++] = i;
    for (int k = 0; k < n_step; ++k)
      if (i + step[k] < n) p->column[at++] = i + step[k];
    p->start[i + 1] = at;
  }
  return p;
}

static int64_t longest_row(const Pattern *p) {
  int64_t longest = 0;
  for (int32_t i = 0; i < p->n; ++i)
    if (p->start[i + 1] - p->start[i] > longest) longest = p->start[i + 1] - p->start[i];
  return longest;
}

/* A proper colouring, with its lists; returns the number of colours. */
static int32_t check(const Pattern *p) {
  Coloring *c = NULL;
  assert_ok(coloring_create(p, &c));
  assert_int_equal(c->n, p->n);
  assert_true(c->n_color <= longest_row(p));
  assert_int_equal(c->first[0], 0);
  assert_int_equal(c->first[c->n_color], p->n);
  for (int32_t k = 0; k < c->n_color; ++k) {
    assert_true(c->first[k + 1] > c->first[k]); /* no empty colour */
    for (int32_t i = c->first[k]; i < c->first[k + 1]; ++i) {
      assert_int_equal(c->color[c->row[i]], k);
      assert_true(i == c->first[k] || c->row[i] > c->row[i - 1]);
    }
  }
  for (int32_t i = 0; i < p->n; ++i)
    for (int64_t e = p->start[i]; e < p->start[i + 1]; ++e)
      assert_true(p->column[e] == i || c->color[p->column[e]] != c->color[i]);
  const int32_t n_color = c->n_color;
  coloring_destroy(&c);
  assert_null(c);
  return n_color;
}

static void known_graphs(void **state) {
  (void)state;
  const int chain[] = {1}, cross[] = {1, 30}, all[] = {1, 2, 3, 4, 5, 6};
  const struct {
    int n, n_step;
    const int *step;
    int colors;
  } cases[] = {{0, 0, NULL, 0}, {1, 0, NULL, 1}, {50, 0, NULL, 1}, {99, 1, chain, 2}, {7, 6, all, 7}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    Pattern *p = band(cases[k].n, cases[k].n_step, cases[k].step);
    assert_int_equal(check(p), cases[k].colors);
    pattern_destroy(&p);
  }
  Pattern *wound = band(900, 2, cross); /* a five-point grid whose lines are joined */
  assert_in_range(check(wound), 2, 3);
  pattern_destroy(&wound);
}

/* Boxes need 2^dim colours; a dense row one more than the rest. */
static void grids_and_random_graphs(void **state) {
  (void)state;
  const int size[][4] = {{40, 1, 1, 2}, {17, 23, 1, 4}, {9, 8, 11, 8}, {2, 2, 2, 8}, {12, 1, 12, 4}};
  for (size_t k = 0; k < sizeof size / sizeof *size; ++k) {
    Problem p;
    problem_grid(size[k][0], size[k][1], size[k][2], 1, 1, &p);
    assert_int_equal(check(p.pattern), size[k][3]);
    problem_release(&p);
  }
  for (unsigned seed = 1; seed < 6; ++seed) {
    Problem p;
    problem_random(300, 2, seed, &p);
    assert_in_range(check(p.pattern), 3, 25);
    problem_release(&p);
  }
}

static void rows_that_do_not_know_each_other(void **state) {
  (void)state;
  Pattern *p = band(2, 1, (const int[]){1});
  p->column[2] = 1; /* row 1 lost its coupling to row 0 */
  p->start[2] = 3;
  Coloring *c = NULL;
  assert_fails(coloring_create(p, &c), ERR_BUG, "not symmetric");
  assert_null(c);
  p->start[1] = 1; /* has it again, and row 0 is without diagonal */
  p->column[0] = 1;
  p->column[1] = 0;
  SsorLayout *l = NULL;
  assert_fails(ssor_layout_create(p, &l), ERR_BUG, "row 0 of the pattern has no diagonal");
  assert_null(l);
  pattern_destroy(&p);
}

/* Every coupling is there once, in the slice of its row and in the triangle of its colours; little padding. */
static void the_layout_holds_every_coupling(void **state) {
  (void)state;
  for (int which = 0; which < 3; ++which) {
    Problem p;
    if (which == 0) problem_grid(21, 19, 1, 1, 1, &p);
    else if (which == 1) problem_grid(11, 12, 13, 3, 1, &p);
    else problem_random(400, 2, 5, &p);
    SsorLayout *l = NULL;
    assert_ok(ssor_layout_create(p.pattern, &l));
    const int64_t n_stored = l->start[2 * l->n_slice], n_block = p.pattern->start[p.pattern->n];
    char *seen = NULL;
    assert_ok(mem_alloc(n_block, 1, "couplings seen", (void **)&seen));
    for (int32_t s = 0; s < 2 * l->n_slice; ++s) {
      const int32_t slice = s % l->n_slice, height = l->top[slice + 1] - l->top[slice];
      for (int64_t e = l->start[s]; e < l->start[s + 1]; ++e) {
        const int32_t at = l->top[slice] + (int32_t)((e - l->start[s]) % height);
        assert_int_equal(l->home[at], slice);
        assert_true(s < l->n_slice ? l->column[e] < at : l->column[e] > at);
        if (l->entry[e] < 0) continue;
        const int32_t i = l->row[at];
        assert_true(l->entry[e] >= p.pattern->start[i] && l->entry[e] < p.pattern->start[i + 1]);
        assert_int_equal(l->place[p.pattern->column[l->entry[e]]], l->column[e]);
        assert_false(seen[l->entry[e]]);
        seen[l->entry[e]] = 1;
      }
    }
    for (int32_t at = 0; at < l->n; ++at) {
      assert_int_equal(p.pattern->column[l->diagonal[at]], l->row[at]);
      seen[l->diagonal[at]] = 1;
    }
    for (int64_t k = 0; k < n_block; ++k) assert_true(seen[k]);
    if (which < 2) assert_true((double)n_stored < 1.2 * (double)n_block);
    FREE(seen);
    ssor_layout_destroy(&l);
    problem_release(&p);
  }
}

static void every_allocation_failed_once(void **state) {
  (void)state;
  Problem p;
  problem_grid(7, 6, 5, 3, 1, &p);
  SsorLayout *l;
  testing_fail_each_of(ssor_layout_create(p.pattern, &l), {
    assert_true(!l == failed);
    ssor_layout_destroy(&l);
  });
  problem_release(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_graphs),
      cmocka_unit_test(grids_and_random_graphs),
      cmocka_unit_test(rows_that_do_not_know_each_other),
      cmocka_unit_test(the_layout_holds_every_coupling),
      cmocka_unit_test(every_allocation_failed_once),
  };
  return cmocka_run_group_tests_name("solver/coloring", tests, NULL, NULL);
}
