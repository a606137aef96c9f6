/* The monodomain problem: the same bits for any number of threads, other numberings of the nodes, bad input, every
 * allocation failed once, the memory plan. */
#include "core/memory.h"
#include "tests/assembly/heart.h"

#include <math.h>
#include <string.h>

static double wave(const double *x) { return -35 + 45 * sin(2 * x[0] + 0.3) * cos(1.5 * x[1]) + 9 * x[2]; }

static const int32_t STIMULATED[3] = {3, 11, 2};
static const MonodomainStimulus STIMULUS[2] = {{.n = 3, .node = STIMULATED, .amplitude = 20},
                                               {.n = 2, .node = STIMULATED, .amplitude = 5}};

/* The model of the second region. */
static const char *const OTHERS[2] = {"mitchell-schaeffer", "bueno-orovio"};
static const char *other = "mitchell-schaeffer";

static void two_regions(Heart *h, MonodomainScheme scheme) {
  h->params.scheme = scheme;
  h->params.history = MONODOMAIN_INCREMENT;
  h->params.n_region = 2;
  h->region[1] = ionic_constants(ionic_by_name(other), 0);
  h->params.n_stimulus = 2;
  h->params.stimulus = STIMULUS;
}
static int32_t solved(const Heart *h) {
  int32_t n = 0;
  for (int32_t b = 0; b < h->mesh->n_block; ++b)
    if (element_type(h->mesh->block[b].kind)->dim == h->mesh->dim) n += h->mesh->block[b].n;
  return n;
}

/* States that are not the same everywhere. */
static void set_states(Heart *h) {
  double *value = calloc((size_t)h->mesh->n_node, 8);
  for (int32_t i = 0; i < h->mesh->n_node; ++i) value[i] = 0.3 + 0.2 * h->mesh->x[i][0] - 0.1 * h->mesh->x[i][1];
  assert_ok(monodomain_set_state(h->m, "recovery", value));
  assert_ok(monodomain_set_state(h->m, "w", value));
  free(value);
}

/* A few steps, then r, diagonal or values, states and recovery in one array in the mesh's order where it has one. */
static double *outcome(Heart *h, int64_t *size) {
  const double numbers[MONODOMAIN_NUMBERS] = {1, 3, 1.0 / 3};
  const int64_t n = h->n, n_value = h->params.scheme == MONODOMAIN_GAUSS ? h->slots.n_value : 0;
  const int64_t n_state = monodomain_state_size(h->m);
  *size = 3 * n + n_value + n_state;
  double *out = calloc((size_t)*size, 8);
  const Diffusion *d = monodomain_diffusion(h->m);
  heart_numbers(h, numbers);
  heart_rest(h);
  set_states(h);
  assert_ok(monodomain_start(h->m, h->V));
  heart_potential(h, wave);
  for (int step = 0; step < 4; ++step) assert_ok(monodomain_commit(h->m, h->numbers, NULL, h->V));
  assert_ok(monodomain_reaction(h->m, h->numbers, NULL, h->V, h->r, h->diagonal));
  assert_ok(diffusion_download(monodomain_diffusion(h->m), h->r, out));
  if (n_value) {
    assert_ok(monodomain_tangent(h->m, h->numbers, NULL, h->values));
    assert_ok(exec_download(h->exec, out + 3 * n, h->values, (size_t)n_value * 8));
  } else {
    assert_ok(diffusion_download(monodomain_diffusion(h->m), h->diagonal, out + n));
  }
  assert_ok(monodomain_state(h->m, "recovery", NULL, h->r));
  assert_ok(diffusion_download(monodomain_diffusion(h->m), h->r, out + 2 * n));
  assert_ok(monodomain_state_save(h->m, out + 3 * n + n_value));
  (void)d;
  return out;
}

static void threads(void **state) {
  (void)state;
  for (int both = 0; both < 4; ++both) {
    const int scheme = both % 2;
    other = OTHERS[both / 2];
    double *first = NULL;
    const int counts[4] = {1, 2, 3, 7};
    for (int k = 0; k < 4; ++k) {
      Heart h;
      Mesh *mesh = NULL;
      Exec *exec = NULL;
      int64_t size = 0;
      const BoxParams params = {.kind = ELEMENT_TET4, .n = {9, 9, 9}, .size = {1, 1, 1}, .distort = 0.2};
      assert_ok(mesh_box(&params, &mesh));
      assert_ok(exec_create_cpu(counts[k], &exec));
      heart_mesh(&h, exec, mesh, 0.1);
      two_regions(&h, (MonodomainScheme)scheme);
      for (int32_t e = solved(&h) / 2; e < solved(&h); ++e) h.element_region[e] = 1;
      heart_create(&h);
      double *now = outcome(&h, &size);
      if (k == 0) first = now;
      else {
        assert_memory_equal(first, now, (size_t)size * 8);
        free(now);
      }
      heart_finish(&h);
    }
    free(first);
  }
}

/* Nodes and elements in another order: the same results at the mesh's nodes. */
static void numbering(void **state) {
  (void)state;
  for (int both = 0; both < 8; ++both) {
    const int k = both % 4;
    double *first = NULL;
    other = OTHERS[both / 4];
    for (int pass = 0; pass < 2; ++pass) {
      Heart h;
      int64_t size = 0;
      heart_box(&h, k / 2 ? ELEMENT_TRI6 : ELEMENT_HEX8, 3, 0.15);
      two_regions(&h, k % 2 ? MONODOMAIN_GAUSS : MONODOMAIN_NODAL);
      for (int32_t e = 0; e < solved(&h); e += 2) h.element_region[e] = 1;
      int32_t *rank = calloc((size_t)h.mesh->n_node, sizeof *rank);
      for (int32_t i = 0; i < h.mesh->n_node; ++i) rank[i] = h.mesh->n_node - 1 - i;
      if (pass) h.params.diffusion.node_rank = rank;
      heart_create(&h);
      double *now = outcome(&h, &size);
      double on[2] = {1, 1}, *exec_on = NULL;
      assert_ok(exec_alloc_upload(h.exec, 2, 8, on, "test", (void **)&exec_on));
      assert_ok(exec_zero(h.exec, h.r, (size_t)h.n * 8));
      assert_ok(monodomain_current(h.m, NULL, exec_on, h.r));
      assert_ok(diffusion_download(monodomain_diffusion(h.m), h.r, h.host));
      for (int32_t i = 0; i < h.mesh->n_node; ++i) assert_near(h.host[i], i == 3 || i == 11 ? 25 : i == 2 ? 20 : 0, 0);
      EXEC_RELEASE(h.exec, exec_on, 2);
      if (!pass) first = now;
      else {
        for (int64_t i = 0; i < 3 * h.n; ++i) assert_near(now[i], first[i], 1e-13);
        free(now);
      }
      free(rank);
      heart_finish(&h);
    }
    free(first);
  }
}

/* Cells of prescribed nodes do not react, and the tangent has their rows eliminated. */
static void prescribed(void **state) {
  (void)state;
  const double numbers[MONODOMAIN_NUMBERS] = {1, 2, 0};
  for (int scheme = MONODOMAIN_NODAL; scheme <= MONODOMAIN_GAUSS; ++scheme) {
    Heart h;
    heart_box(&h, ELEMENT_QUAD4, 3, 0.1);
    Support support = {.on = mesh_group(h.mesh, "x0")};
    assert_ok(expr_parse("-20", &support.value[0]));
    h.params.scheme = (MonodomainScheme)scheme;
    h.params.diffusion.n_support = 1;
    h.params.diffusion.support = &support;
    heart_create(&h);
    heart_numbers(&h, numbers);
    heart_rest(&h);
    heart_potential(&h, wave);
    assert_ok(monodomain_reaction(h.m, h.numbers, NULL, h.V, h.r, h.diagonal));
    heart_download(&h, h.r, h.host);
    for (int64_t i = 0; i < h.n; ++i) assert_true((h.host[i] == 0) == (h.mesh->x[i][0] < 1e-9));
    if (scheme == MONODOMAIN_GAUSS) {
      const int32_t shut = 0;
      int32_t *when = NULL;
      assert_ok(exec_alloc_upload(h.exec, 1, 4, &shut, "test", (void **)&when));
      assert_ok(exec_upload(h.exec, h.values, h.A, (size_t)h.slots.n_value * 8)); /* zeros */
      assert_ok(monodomain_tangent(h.m, h.numbers, when, h.values));
      assert_ok(exec_download(h.exec, h.A, h.values, (size_t)h.slots.n_value * 8));
      for (int64_t k = 0; k < h.slots.n_value; ++k) assert_true(h.A[k] == 0);
      EXEC_RELEASE(h.exec, when, 1);
      assert_ok(monodomain_tangent(h.m, h.numbers, NULL, h.values));
      assert_ok(exec_download(h.exec, h.A, h.values, (size_t)h.slots.n_value * 8));
      const Pattern *p = diffusion_pattern(monodomain_diffusion(h.m));
      for (int32_t i = 0; i < p->n; ++i)
        for (int64_t k = p->start[i]; k < p->start[i + 1]; ++k)
          if (h.mesh->x[i][0] < 1e-9 || h.mesh->x[p->column[k]][0] < 1e-9)
            assert_true(h.A[h.slots.slot[k]] == (p->column[k] == i));
    } else {
      heart_download(&h, h.diagonal, h.host);
      for (int64_t i = 0; i < h.n; ++i) assert_true((h.host[i] == 0) == (h.mesh->x[i][0] < 1e-9));
      assert_fails(monodomain_tangent(h.m, h.numbers, NULL, h.values), ERR_BUG, "nodal reaction");
    }
    heart_finish(&h);
  }
}

static void refused(Heart *h, Status status, const char *part) {
  Monodomain *m = NULL;
  assert_fails(monodomain_create(h->exec, &h->params, &m), status, part);
  assert_null(m);
}
static void bad_input(void **state) {
  (void)state;
  Heart h;
  heart_box(&h, ELEMENT_TRI3, 2, 0);
  h.region[0].value[0] = 0.7;
  refused(&h, ERR_INPUT, "alpha is 0.7, must lie in (0, 0.5)\n  in region 1");
  h.region[0].value[0] = 0.01;
  h.element_region[3] = 1;
  refused(&h, ERR_BUG, "element 3 is in region 1 of 1");
  h.element_region[3] = 0;
  h.tensor[1][0] = -1;
  refused(&h, ERR_INPUT, "not positive definite");
  h.tensor[1][0] = 1;
  const int32_t node[2] = {1, 9};
  MonodomainStimulus stimulus = {.n = 2, .node = node, .amplitude = 10};
  h.params.n_stimulus = 1;
  h.params.stimulus = &stimulus;
  refused(&h, ERR_BUG, "stimulus 1 acts on node 9 of 9");
  stimulus.n = 1;
  stimulus.amplitude = NAN;
  refused(&h, ERR_INPUT, "the amplitude of stimulus 1 is not a number");
  stimulus.amplitude = 1;
  Load load = {.kind = LOAD_SOURCE};
  h.params.diffusion.n_load = 1;
  h.params.diffusion.load = &load;
  refused(&h, ERR_BUG, "not as loads");
  h.params.diffusion.n_load = 0;
  heart_create(&h);
  assert_near(monodomain_max_slope(h.m), 1 / ionic_largest_step(&h.region[0], 1), 1e-16);
  heart_finish(&h);
}

static Status all_of_it(Heart *h, const uint8_t *inside) {
  double *V = NULL;
  TRY(monodomain_create(h->exec, &h->params, &h->m));
  Status status = monodomain_bind(h->m, &h->slots);
  if (status == OK) status = exec_alloc(h->exec, h->mesh->n_node, 8, "test", (void **)&V);
  if (status == OK) status = monodomain_rest(h->m, V);
  if (status == OK) status = monodomain_reset(h->m, inside, V);
  if (status == OK) status = monodomain_set_state(h->m, "w", h->host);
  EXEC_RELEASE(h->exec, V, h->mesh->n_node);
  return status;
}
/* Every allocation failed once, nothing left behind; a time loop's calls allocate nothing. */
static void allocations(void **state) {
  (void)state;
  other = OTHERS[1];
  for (int scheme = MONODOMAIN_NODAL; scheme <= MONODOMAIN_GAUSS; ++scheme) {
    Heart h;
    const double numbers[MONODOMAIN_NUMBERS] = {1, 3, 1.0 / 3};
    heart_box(&h, ELEMENT_TRI6, 2, 0);
    two_regions(&h, (MonodomainScheme)scheme);
    h.element_region[2] = 1;
    int32_t *rank = calloc((size_t)h.mesh->n_node, sizeof *rank);
    uint8_t *inside = calloc((size_t)h.mesh->n_node, 1);
    for (int32_t i = 0; i < h.mesh->n_node; ++i) rank[i] = h.mesh->n_node - 1 - i;
    h.params.diffusion.node_rank = rank;
    heart_create(&h);
    heart_rest(&h);
    heart_numbers(&h, numbers);
    mem_fail_nth(0);
    assert_ok(monodomain_start(h.m, h.V));
    assert_ok(monodomain_reaction(h.m, h.numbers, NULL, h.V, h.r, h.diagonal));
    if (scheme == MONODOMAIN_GAUSS) assert_ok(monodomain_tangent(h.m, h.numbers, NULL, h.values));
    assert_ok(monodomain_commit(h.m, h.numbers, NULL, h.V));
    assert_ok(monodomain_state(h.m, "recovery", NULL, h.r));
    assert_int_equal(mem_count(), 0);
    monodomain_destroy(&h.m);
    const size_t host = mem_in_use(), device = h.exec->in_use;
    Status status = ERR_MEMORY;
    int nth = 0;
    while (status != OK) {
      mem_fail_nth(++nth);
      status = all_of_it(&h, inside);
      mem_fail_nth(0);
      if (status != OK) assert_out_of_memory(status);
      monodomain_destroy(&h.m);
      assert_int_equal(mem_in_use(), host);
      assert_int_equal(h.exec->in_use, device);
    }
    assert_true(nth > 60);
    free(rank), free(inside);
    heart_finish(&h);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(threads), cmocka_unit_test(numbering),
                                     cmocka_unit_test(prescribed), cmocka_unit_test(bad_input),
                                     cmocka_unit_test(allocations)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
