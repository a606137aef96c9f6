/* Loads on many elements: the same bits and the same first failure for any number of threads, and as in parts that are
 * too small for threads. */
#include "assembly/space/load.h"
#include "assembly/space/space.h"
#include "core/memory.h"
#include "tests/testing.h"

#include <stdio.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#else
#define omp_set_num_threads(n) ((void)(n))
#define omp_get_num_procs() 1
#endif

static Exec *exec;
enum { PART = 1900, PARTS = 12 };

typedef struct Sample {
  Mesh *mesh;
  Space *space;
  double *density;
} Sample;

static void sample_create(ElementKind kind, int n, double distort, Sample *s) {
  const BoxParams box = {.kind = kind, .n = {n, n, n}, .size = {1, 1, 1}, .distort = distort};
  assert_ok(mesh_box(&box, &s->mesh));
  assert_ok(space_create(exec, s->mesh, s->mesh->dim, s->mesh->dim, &s->space));
  assert_ok(mem_alloc(s->space->set.n_solved, sizeof *s->density, "a test", (void **)&s->density));
  for (int32_t e = 0; e < s->space->set.n_solved; ++e) s->density[e] = 1 + e % 7;
}

static void sample_release(Sample *s) {
  FREE(s->density);
  space_destroy(&s->space);
  mesh_destroy(&s->mesh);
}

static Status sample_loads(const Sample *s, int n, const Load *load, Loads *out) {
  const LoadParams params = {.mesh = s->mesh,
                             .set = &s->space->set,
                             .incidence = &s->space->incidence,
                             .n_component = s->mesh->dim,
                             .n = n,
                             .item = load,
                             .density = {s->density, NULL}};
  return loads_create(&params, out);
}

static Load load_on(const Sample *s, LoadKind kind, const char *group) {
  Load load = {.kind = kind, .on = mesh_group(s->mesh, group), .where = "case.yaml:3:1"};
  assert_non_null(load.on);
  assert_true(load.on->n > PART && load.on->n <= PART * PARTS);
  assert_ok(expr_parse("1+x*y", &load.value[0]));
  if (kind != LOAD_PRESSURE) assert_ok(expr_parse("sin(x)", &load.value[1]));
  return load;
}

/* The same load on parts of its group. */
static int parts_of(const Load *whole, Group part[PARTS], Load load[PARTS]) {
  int n = 0;
  for (int32_t first = 0; first < whole->on->n; first += PART, ++n) {
    part[n] = *whole->on;
    part[n].element += first;
    part[n].n = whole->on->n - first < PART ? whole->on->n - first : PART;
    load[n] = *whole;
    load[n].on = &part[n];
  }
  return n;
}

static void same_bits(void **state) {
  (void)state;
  const struct {
    ElementKind kind;
    LoadKind load;
    const char *group;
    int n;
  } cases[] = {{ELEMENT_HEX8, LOAD_GRAVITY, "body", 22},
               {ELEMENT_TRI6, LOAD_GRAVITY, "body", 40},
               {ELEMENT_TET10, LOAD_SOURCE, "body", 8},
               {ELEMENT_TET4, LOAD_PRESSURE, "x1", 36}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    Sample s;
    Loads one, other;
    Group part[PARTS];
    Load load[PARTS];
    sample_create(cases[k].kind, cases[k].n, 0.1, &s);
    const size_t bytes = sizeof *one.force * (size_t)s.mesh->n_node * (size_t)s.mesh->dim;
    const Load whole = load_on(&s, cases[k].load, cases[k].group);
    assert_ok(sample_loads(&s, parts_of(&whole, part, load), load, &one));
    assert_true(one.any);
    for (int threads = 1; threads <= 5; ++threads) {
      omp_set_num_threads(threads);
      assert_ok(sample_loads(&s, 1, &whole, &other));
      assert_true(other.any);
      assert_memory_equal(one.force, other.force, bytes);
      loads_release(&other);
    }
    loads_release(&one);
    sample_release(&s);
  }
  omp_set_num_threads(omp_get_num_procs());
}

/* Of loads that depend on t the points, the shares of nodes and the sums at a time are the same. */
static void timed_points(void **state) {
  (void)state;
  const struct {
    ElementKind kind;
    LoadKind load;
    const char *group;
    int n;
  } cases[] = {{ELEMENT_HEX8, LOAD_GRAVITY, "body", 20}, {ELEMENT_TET4, LOAD_PRESSURE, "x1", 36}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    Sample s;
    Loads one, other;
    Group part[PARTS];
    Load load[PARTS];
    sample_create(cases[k].kind, cases[k].n, 0.1, &s);
    Load whole = load_on(&s, cases[k].load, cases[k].group);
    assert_ok(expr_parse("x*y+t", &whole.value[0]));
    assert_ok(sample_loads(&s, parts_of(&whole, part, load), load, &one));
    assert_ok(loads_evaluate(&one, 0.7));
    for (int threads = 1; threads <= 5; ++threads) {
      omp_set_num_threads(threads);
      assert_ok(sample_loads(&s, 1, &whole, &other));
      assert_ok(loads_evaluate(&other, 0.7));
      assert_true(other.any && other.n_point > 2 * PART && other.n_point == one.n_point);
      assert_true(other.n_share == one.n_share && other.n_touched == one.n_touched);
      assert_memory_equal(other.share, one.share, sizeof *one.share * (size_t)one.n_share);
      assert_memory_equal(other.start, one.start, sizeof *one.start * ((size_t)one.n_touched + 1));
      assert_memory_equal(other.at_node, one.at_node, sizeof *one.at_node * (size_t)(one.n_touched * one.n_component));
      loads_release(&other);
    }
    loads_release(&one);
    sample_release(&s);
  }
  omp_set_num_threads(omp_get_num_procs());
}

static void first_failure(void **state) {
  (void)state;
  char text[2048] = "";
  Sample s;
  Loads loads;
  sample_create(ELEMENT_HEX8, 14, 0, &s);
  Load load = load_on(&s, LOAD_GRAVITY, "body");
  assert_ok(expr_parse("sqrt(0.7-x)", &load.value[0]));
  const size_t before = mem_in_use();
  for (int threads = 1; threads <= 10; ++threads) {
    if (threads == 6) assert_ok(expr_parse("sqrt(0.7-x)+0*t", &load.value[0]));
    omp_set_num_threads(threads > 5 ? threads - 5 : threads);
    assert_fails(sample_loads(&s, 1, &load, &loads), ERR_INPUT, "gravity is not a number at (0.7");
    if (threads == 1) snprintf(text, sizeof text, "%s", status_message());
    assert_string_equal(status_message(), text);
    assert_int_equal(mem_in_use(), before);
  }
  omp_set_num_threads(omp_get_num_procs());
  sample_release(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits), cmocka_unit_test(timed_points),
                                     cmocka_unit_test(first_failure)};
  return testing_run("assembly/load_batch", tests, exec);
}
