/* The monodomain problem: reaction and tangent of both schemes against differences for every element, cells that stay
 * at rest, regions that share nodes, stimuli, gates, histories, checkpoints, and the same bits for any number of
 * threads. */
#include "assembly/monodomain/monodomain_data.h"
#include "core/memory.h"
#include "tests/assembly/heart.h"

#include <math.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#else
#define omp_set_num_threads(n) ((void)(n))
#define omp_get_num_procs() 1
#endif

static const ElementKind KINDS[] = {ELEMENT_TRI3,  ELEMENT_TRI6, ELEMENT_QUAD4, ELEMENT_TET4,
                                    ELEMENT_TET10, ELEMENT_HEX8, ELEMENT_QUAD9, ELEMENT_HEX27};
enum { N_KINDS = (int)(sizeof KINDS / sizeof *KINDS) };

static void *testing_copy(const void *from, size_t bytes) {
  void *to = malloc(bytes);
  assert_non_null(to);
  memcpy(to, from, bytes);
  return to;
}

static double wave(const double *x) { return -35 + 45 * sin(2 * x[0] + 0.3) * cos(1.5 * x[1]) + 9 * x[2]; }

/* States of a few committed steps at a varying potential, so that no cell is at rest. */
static void excite(Heart *h) {
  const double numbers[MONODOMAIN_NUMBERS] = {1, 0.5, 0};
  heart_numbers(h, numbers);
  heart_rest(h);
  heart_potential(h, wave);
  for (int step = 0; step < 5; ++step) assert_ok(monodomain_commit(h->m, h->numbers, NULL, h->V));
}

/* Directional difference of r(V) against the diagonal or the assembled tangent less theta K + mass M. */
static void tangent_of(ElementKind kind, MonodomainScheme scheme, MonodomainHistory history,
                       const double numbers[MONODOMAIN_NUMBERS]) {
  Heart h;
  heart_box(&h, kind, 2, 0.15);
  h.params.scheme = scheme;
  h.params.history = history;
  heart_create(&h);
  excite(&h);
  heart_numbers(&h, numbers);
  const int64_t n = h.n;
  double *plus = calloc((size_t)n, 8), *minus = calloc((size_t)n, 8), *V = calloc((size_t)n, 8),
         *d = calloc((size_t)n, 8), *slope = calloc((size_t)n, 8), most = 0;
  heart_download(&h, h.V, V);
  for (int64_t i = 0; i < n; ++i) d[i] = sin(3.0 * (double)i + 1);
  assert_ok(monodomain_reaction(h.m, h.numbers, NULL, h.V, h.r, h.diagonal));
  heart_slope(&h, numbers, d, slope); /* theta dR/dV d */
  const double step = 1e-4;
  for (int sign = -1; sign <= 1; sign += 2) {
    for (int64_t i = 0; i < n; ++i) h.host[i] = V[i] + sign * step * d[i];
    heart_upload(&h, h.V, h.host);
    assert_ok(monodomain_reaction(h.m, h.numbers, NULL, h.V, h.r, h.diagonal));
    heart_download(&h, h.r, sign < 0 ? minus : plus);
  }
  for (int64_t i = 0; i < n; ++i) most = fmax(most, fabs(slope[i]));
  assert_true(most > 1e-5);
  for (int64_t i = 0; i < n; ++i) assert_near(slope[i] / most, (plus[i] - minus[i]) / (2 * step * most), 1e-7);
  free(plus), free(minus), free(V), free(d), free(slope);
  heart_finish(&h);
}

static void tangents(void **state) {
  (void)state;
  const double euler[MONODOMAIN_NUMBERS] = {1, 2, 0}, nicolson[MONODOMAIN_NUMBERS] = {0.5, 2, 0.25},
               bdf2[MONODOMAIN_NUMBERS] = {1, 3, 1.0 / 3};
  for (int k = 0; k < N_KINDS; ++k)
    for (int scheme = MONODOMAIN_NODAL; scheme <= MONODOMAIN_GAUSS; ++scheme) {
      tangent_of(KINDS[k], (MonodomainScheme)scheme, MONODOMAIN_NONE, euler);
      tangent_of(KINDS[k], (MonodomainScheme)scheme, MONODOMAIN_RATE, nicolson);
      tangent_of(KINDS[k], (MonodomainScheme)scheme, MONODOMAIN_INCREMENT, bdf2);
    }
}

/* The reaction of a uniform potential and state is f times the mass of the nodes, in both schemes and every element. */
static void uniform(void **state) {
  (void)state;
  const double numbers[MONODOMAIN_NUMBERS] = {1, 2, 0};
  for (int k = 0; k < 2 * N_KINDS; ++k) {
    Heart h;
    heart_box(&h, KINDS[k / 2], 2, 0.15);
    h.params.scheme = k % 2 ? MONODOMAIN_GAUSS : MONODOMAIN_NODAL;
    heart_create(&h);
    heart_rest(&h);
    heart_numbers(&h, numbers);
    for (int64_t i = 0; i < h.n; ++i) h.host[i] = -20;
    heart_upload(&h, h.V, h.host);
    assert_ok(monodomain_reaction(h.m, h.numbers, NULL, h.V, h.r, h.diagonal));
    heart_download(&h, h.r, h.host);
    const double s = heart_state(&h.region[0], -20, 0, 0.5), f = heart_reaction(&h.region[0], -20, s);
    double sum = 0;
    for (int64_t i = 0; i < h.n; ++i) sum += h.host[i];
    assert_true(fabs(f) > 1);
    assert_near(sum / f, 1.5 * (h.mesh->dim == 2 ? 0.25 : 1), 1e-13);
    assert_ok(monodomain_commit(h.m, h.numbers, NULL, h.V));
    assert_ok(monodomain_state(h.m, "recovery", NULL, h.r));
    heart_download(&h, h.r, h.host);
    for (int64_t i = 0; i < h.n; ++i) assert_near(h.host[i], s, 1e-14);
    heart_finish(&h);
  }
}

/* Nothing happens to tissue at rest, whatever the scheme in time. */
static void rest(void **state) {
  (void)state;
  const double numbers[3][MONODOMAIN_NUMBERS] = {{1, 2, 0}, {0.5, 2, 0.25}, {1, 3, 1.0 / 3}};
  for (int k = 0; k < 12; ++k) {
    Heart h;
    heart_box(&h, ELEMENT_TET4, 2, 0.15);
    h.params.scheme = k % 2 ? MONODOMAIN_GAUSS : MONODOMAIN_NODAL;
    h.params.history = (MonodomainHistory)(k / 2 % 3);
    if (k >= 6) h.region[0] = ionic_constants(ionic_by_name("mitchell-schaeffer"), 0);
    heart_create(&h);
    heart_numbers(&h, numbers[k / 2 % 3]);
    heart_rest(&h);
    assert_ok(monodomain_start(h.m, h.V));
    for (int step = 0; step < 3; ++step) {
      assert_ok(monodomain_reaction(h.m, h.numbers, NULL, h.V, h.r, h.diagonal));
      assert_ok(monodomain_commit(h.m, h.numbers, NULL, h.V));
      heart_download(&h, h.r, h.host);
      for (int64_t i = 0; i < h.n; ++i) assert_near(h.host[i], 0, 1e-15);
    }
    assert_ok(monodomain_state(h.m, "recovery", NULL, h.r));
    heart_download(&h, h.r, h.host);
    for (int64_t i = 0; i < h.n; ++i) assert_near(h.host[i], k >= 6 ? 1 : 0, 1e-14);
    heart_finish(&h);
  }
}

/* Where two models meet each gets the mass of its own elements: the sum over nodes is that over elements. */
static void regions(void **state) {
  (void)state;
  const double numbers[MONODOMAIN_NUMBERS] = {1, 2, 0};
  for (int scheme = MONODOMAIN_NODAL; scheme <= MONODOMAIN_GAUSS; ++scheme)
    for (int same = 0; same < 2; ++same) {
      Heart h;
      heart_box(&h, ELEMENT_QUAD4, 4, 0);
      h.params.scheme = (MonodomainScheme)scheme;
      h.params.n_region = 2;
      h.region[1] = ionic_constants(ionic_by_name("mitchell-schaeffer"), 0);
      if (same) h.region[1] = h.region[0];
      for (int32_t e = 0; e < 16; ++e) h.element_region[e] = e % 4 >= 2; /* elements run along x first */
      heart_create(&h);
      heart_rest(&h);
      heart_numbers(&h, numbers);
      for (int64_t i = 0; i < h.n; ++i) h.host[i] = -50;
      heart_upload(&h, h.V, h.host);
      assert_ok(monodomain_reaction(h.m, h.numbers, NULL, h.V, h.r, h.diagonal));
      heart_download(&h, h.r, h.host);
      double f[2], wanted = 0, sum = 0;
      for (int r = 0; r < 2; ++r) {
        double s0;
        (void)ionic_type(h.region[r].kind)->rest(&h.region[r], &s0);
        f[r] = heart_reaction(&h.region[r], -50, heart_state(&h.region[r], -50, s0, 0.5));
        wanted += 0.5 * 1.5 * 0.25 * f[r];
      }
      for (int64_t i = 0; i < h.n; ++i) {
        sum += h.host[i];
        const double x = h.mesh->x[diffusion_node(monodomain_diffusion(h.m), i)][0];
        if (fabs(x - 0.5) < 1e-9 && scheme == MONODOMAIN_NODAL) { /* half of each */
          const double y = h.mesh->x[diffusion_node(monodomain_diffusion(h.m), i)][1];
          const double mass = 1.5 * 0.25 / 16 * (y < 1e-9 || y > 1 - 1e-9 ? 0.5 : 1);
          assert_near(h.host[i], mass * 0.5 * (f[0] + f[1]), 1e-14);
        }
      }
      assert_near(sum, wanted, 1e-13);
      assert_int_equal(monodomain_state_size(h.m), scheme == MONODOMAIN_GAUSS ? 64 : same ? 25 : 30);
      heart_finish(&h);
    }
}

/* Cells of three models in a mesh of many nodes: the same, with the same numbers, for any number of threads. */
static void cells_for_any_threads(void **state) {
  (void)state;
  const int threads[] = {1, 2, 3, 5};
  uint16_t *kind = NULL;
  int32_t *next = NULL;
  int64_t n_cell = 0;
  for (int t = 0; t < 4; ++t) {
    Heart h;
    heart_box(&h, ELEMENT_TRI3, 30, 0.1);
    omp_set_num_threads(threads[t]);
    h.params.scheme = MONODOMAIN_NODAL;
    h.params.n_region = 3;
    for (int r = 1; r < 3; ++r) h.region[r] = ionic_constants(ionic_by_name("mitchell-schaeffer"), 0);
    h.region[2].value[0] *= 1.5;
    for (int32_t e = 0; e < 1800; ++e) h.element_region[e] = e * 37 % 900 > 700 ? 2 : e / 60 % 5 == 3;
    heart_create(&h);
    assert_non_null(h.m->cell_next);
    if (t == 0) {
      n_cell = h.m->n_cell;
      kind = testing_copy(h.m->cell_kind, (size_t)n_cell * sizeof *kind);
      next = testing_copy(h.m->cell_next, (size_t)n_cell * sizeof *next);
      assert_true(n_cell > h.n + 100);
    }
    assert_int_equal(h.m->n_cell, n_cell);
    assert_memory_equal(h.m->cell_kind, kind, (size_t)n_cell * sizeof *kind);
    assert_memory_equal(h.m->cell_next, next, (size_t)n_cell * sizeof *next);
    heart_finish(&h);
  }
  free(kind), free(next);
  omp_set_num_threads(omp_get_num_procs());
}

/* Currents of two stimuli that share nodes, switched one by one. */
static void stimuli(void **state) {
  (void)state;
  Heart h;
  heart_box(&h, ELEMENT_TRI3, 3, 0);
  const int32_t first[3] = {5, 0, 7}, second[2] = {7, 2};
  const MonodomainStimulus stimulus[3] = {{.n = 3, .node = first, .amplitude = 40},
                                          {.n = 2, .node = second, .amplitude = -3},
                                          {.node = first, .amplitude = 1}};
  h.params.n_stimulus = 3;
  h.params.stimulus = stimulus;
  heart_create(&h);
  double *on = NULL, current[3] = {1, 0.5, 1};
  int32_t *when = NULL, zero = 0;
  assert_ok(exec_alloc_upload(h.exec, 3, 8, current, "test", (void **)&on));
  assert_ok(exec_alloc_upload(h.exec, 1, 4, &zero, "test", (void **)&when));
  assert_ok(exec_zero(h.exec, h.r, (size_t)h.n * 8));
  assert_ok(monodomain_current(h.m, when, on, h.r));
  heart_download(&h, h.r, h.host);
  for (int64_t i = 0; i < h.n; ++i) assert_true(h.host[i] == 0);
  assert_ok(monodomain_current(h.m, NULL, on, h.r));
  heart_download(&h, h.r, h.host);
  for (int64_t i = 0; i < h.n; ++i) {
    const int32_t node = diffusion_node(monodomain_diffusion(h.m), i);
    const double wanted = node == 5 || node == 0 ? 40 : node == 7 ? 38.5 : node == 2 ? -1.5 : 0;
    assert_near(h.host[i], wanted, 0);
  }
  EXEC_RELEASE(h.exec, on, 3);
  EXEC_RELEASE(h.exec, when, 1);
  heart_finish(&h);
}

/* A gate that is shut leaves everything as it was; one that is open is as none. */
static void gates(void **state) {
  (void)state;
  const double numbers[MONODOMAIN_NUMBERS] = {1, 2, 0};
  for (int scheme = MONODOMAIN_NODAL; scheme <= MONODOMAIN_GAUSS; ++scheme) {
    Heart h;
    heart_box(&h, ELEMENT_HEX8, 2, 0.1);
    h.params.scheme = (MonodomainScheme)scheme;
    heart_create(&h);
    excite(&h);
    heart_numbers(&h, numbers);
    const int64_t n_state = monodomain_state_size(h.m);
    double *before = calloc((size_t)n_state, 8), *after = calloc((size_t)n_state, 8), *r = calloc((size_t)h.n, 8);
    int32_t *when = NULL, open = 0;
    assert_ok(exec_alloc_upload(h.exec, 1, 4, &open, "test", (void **)&when));
    assert_ok(monodomain_state_save(h.m, before));
    for (int64_t i = 0; i < h.n; ++i) h.host[i] = 7;
    heart_upload(&h, h.r, h.host);
    heart_upload(&h, h.diagonal, h.host);
    assert_ok(exec_upload(h.exec, h.values, h.A, (size_t)h.slots.n_value * 8)); /* zeros */
    assert_ok(monodomain_reaction(h.m, h.numbers, when, h.V, h.r, h.diagonal));
    if (scheme == MONODOMAIN_GAUSS) assert_ok(monodomain_tangent(h.m, h.numbers, when, h.values));
    assert_ok(monodomain_commit(h.m, h.numbers, when, h.V));
    assert_ok(monodomain_state_save(h.m, after));
    assert_memory_equal(before, after, (size_t)n_state * 8);
    heart_download(&h, h.r, h.host);
    for (int64_t i = 0; i < h.n; ++i) assert_true(h.host[i] == 7);
    heart_download(&h, h.diagonal, h.host);
    for (int64_t i = 0; i < h.n; ++i) assert_true(h.host[i] == 7);
    assert_ok(exec_download(h.exec, h.A, h.values, (size_t)h.slots.n_value * 8));
    for (int64_t i = 0; i < h.slots.n_value; ++i) assert_true(h.A[i] == 0);
    open = 1;
    assert_ok(exec_upload(h.exec, when, &open, 4));
    assert_ok(monodomain_reaction(h.m, h.numbers, NULL, h.V, h.r, h.diagonal));
    heart_download(&h, h.r, r);
    assert_ok(exec_zero(h.exec, h.r, (size_t)h.n * 8));
    assert_ok(monodomain_reaction(h.m, h.numbers, when, h.V, h.r, h.diagonal));
    heart_download(&h, h.r, h.host);
    assert_memory_equal(r, h.host, (size_t)h.n * 8);
    assert_ok(monodomain_commit(h.m, h.numbers, when, h.V));
    assert_ok(monodomain_state_save(h.m, after));
    assert_memory_not_equal(before, after, (size_t)n_state * 8);
    assert_ok(monodomain_state_load(h.m, before)); /* back again: the same step gives the same */
    assert_ok(monodomain_reaction(h.m, h.numbers, when, h.V, h.r, h.diagonal));
    heart_download(&h, h.r, h.host);
    assert_memory_equal(r, h.host, (size_t)h.n * 8);
    EXEC_RELEASE(h.exec, when, 1);
    free(before), free(after), free(r);
    heart_finish(&h);
  }
}

/* Cells of three states beside cells of one: each model's states are set and shown where its cells are, in the mean by
 * mass where both meet; a step of one does not touch the other's. */
static void many_states(void **state) {
  (void)state;
  const double numbers[MONODOMAIN_NUMBERS] = {1, 20, 0};
  for (int k = 0; k < 4; ++k) {
    Heart h;
    heart_box(&h, k / 2 ? ELEMENT_TRI3 : ELEMENT_QUAD4, 4, 0);
    const int32_t n_elem = k / 2 ? 32 : 16;
    h.params.scheme = k % 2 ? MONODOMAIN_GAUSS : MONODOMAIN_NODAL;
    h.params.history = MONODOMAIN_INCREMENT;
    h.params.n_region = 2;
    h.region[1] = ionic_constants(ionic_by_name("pathmanathan-gray"), 1);
    const ElementType *type = element_type(k / 2 ? ELEMENT_TRI3 : ELEMENT_QUAD4);
    const int32_t *nodes = mesh_nodes_of(h.mesh, h.mesh->n_element - n_elem);
    for (int32_t e = 0; e < n_elem; ++e) {
      double x = 0;
      for (int a = 0; a < type->n_node; ++a) x += h.mesh->x[nodes[e * type->n_node + a]][0] / type->n_node;
      h.element_region[e] = x > 0.5;
    }
    heart_create(&h);
    heart_numbers(&h, numbers);
    heart_rest(&h);
    /* quad4: nodes and, nodal, five that have a cell of both; or four points */
    if (k < 2) assert_int_equal(monodomain_state_size(h.m), (k ? 64 : 30) * 3 * 2);
    double *value = calloc((size_t)h.mesh->n_node, 8);
    for (int32_t i = 0; i < h.mesh->n_node; ++i) value[i] = 2;
    assert_ok(monodomain_set_state(h.m, "u1", value));
    for (int32_t i = 0; i < h.mesh->n_node; ++i) value[i] = 0.7 + 0.1 * h.mesh->x[i][1];
    assert_ok(monodomain_set_state(h.m, "u2", value));
    for (int32_t i = 0; i < h.mesh->n_node; ++i) value[i] = 0.25;
    assert_ok(monodomain_set_state(h.m, "recovery", value));
    for (int64_t i = 0; i < h.n; ++i) h.host[i] = -1;
    heart_upload(&h, h.V, h.host);
    const char *names[] = {"u1", "recovery", "u2", "recovery", "u3"};
    for (int step = 0; step < 2; ++step) {
      double known[3] = {2, 0.75, 0}, s[3], by_V[3];
      const double r = step ? heart_state(&h.region[0], -1, 0.25, 0.05) : 0.25;
      if (step) assert_ok(monodomain_commit(h.m, h.numbers, NULL, h.V));
      ionic_type(h.region[1].kind)->implicit(&h.region[1], -1, known, 0.05, s, by_V);
      for (int name = 0; name < 5; ++name) {
        assert_ok(monodomain_state(h.m, names[name], NULL, h.r));
        heart_download(&h, h.r, h.host);
        for (int64_t i = 0; i < h.n; ++i) {
          const double *x = h.mesh->x[diffusion_node(monodomain_diffusion(h.m), i)];
          const bool left = x[0]<0.5 + 1e-9, right = x[0]> 0.5 - 1e-9;
          if (!strcmp(names[name], "recovery")) assert_near(h.host[i], left ? r : 0, 1e-13);
          if (!strcmp(names[name], "u3")) assert_near(h.host[i], 0, 1e-13);
          if (!strcmp(names[name], "u1") && !right) assert_near(h.host[i], 0, 1e-13);
          if (!strcmp(names[name], "u1") && right && !step) assert_near(h.host[i], 2, 1e-13);
          if (!strcmp(names[name], "u1") && right && step) assert_within(h.host[i], s[0], 0.03);
          if (!strcmp(names[name], "u2") && right && !step && k == 0) assert_near(h.host[i], 0.7 + 0.1 * x[1], 1e-13);
          if (!strcmp(names[name], "u2") && right && step) assert_within(h.host[i], s[1], 0.08);
        }
      }
    }
    free(value);
    heart_finish(&h);
  }
}

/* Histories: increments and rates of the states that are committed. */
static void histories(void **state) {
  (void)state;
  const double numbers[MONODOMAIN_NUMBERS] = {1, 2, 0};
  for (int k = 0; k < 4; ++k) {
    Heart h;
    heart_box(&h, ELEMENT_TET4, 2, 0.1);
    h.params.scheme = k % 2 ? MONODOMAIN_GAUSS : MONODOMAIN_NODAL;
    h.params.history = k / 2 ? MONODOMAIN_RATE : MONODOMAIN_INCREMENT;
    heart_create(&h);
    heart_numbers(&h, numbers);
    heart_rest(&h);
    for (int64_t i = 0; i < h.n; ++i) h.host[i] = -10;
    heart_upload(&h, h.V, h.host);
    const int64_t n_state = monodomain_state_size(h.m), n = n_state / 2;
    double *s = calloc((size_t)n_state, 8);
    assert_ok(monodomain_start(h.m, h.V));
    assert_ok(monodomain_state_save(h.m, s));
    const double g0 = heart_rate(&h.region[0], -10, 0);
    for (int64_t i = 0; i < n; ++i) assert_near(s[n + i], k / 2 ? g0 : 0, 1e-16);
    const double s1 = heart_state(&h.region[0], -10, 0, 0.5);
    const double carry = 0.25, next[MONODOMAIN_NUMBERS] = {0.5, 2, carry};
    assert_ok(monodomain_commit(h.m, h.numbers, NULL, h.V));
    assert_ok(monodomain_state_save(h.m, s));
    const double h1 = k / 2 ? heart_rate(&h.region[0], -10, s1) : s1;
    for (int64_t i = 0; i < n; ++i) {
      assert_near(s[i], s1, 1e-15);
      assert_near(s[n + i], h1, 1e-15);
    }
    heart_numbers(&h, next);
    assert_ok(monodomain_commit(h.m, h.numbers, NULL, h.V));
    assert_ok(monodomain_state_save(h.m, s));
    const double s2 = heart_state(&h.region[0], -10, s1 + carry * h1, 0.25);
    for (int64_t i = 0; i < n; ++i) assert_near(s[i], s2, 1e-15);
    free(s);
    heart_finish(&h);
  }
}

/* Half of the tissue back to rest: what lies wholly inside is, what lies wholly outside is as it was. */
static void resets(void **state) {
  (void)state;
  for (int k = 0; k < 4; ++k) {
    Heart h;
    heart_box(&h, k / 2 ? ELEMENT_TRI6 : ELEMENT_HEX8, 4, 0);
    h.params.scheme = k % 2 ? MONODOMAIN_GAUSS : MONODOMAIN_NODAL;
    h.params.history = MONODOMAIN_INCREMENT;
    heart_create(&h);
    excite(&h);
    uint8_t *inside = calloc((size_t)h.mesh->n_node, 1);
    for (int32_t i = 0; i < h.mesh->n_node; ++i) inside[i] = h.mesh->x[i][0] < 0.5 + 1e-9;
    double *before = calloc((size_t)h.n, 8), *V = calloc((size_t)h.n, 8);
    assert_ok(monodomain_state(h.m, "recovery", NULL, h.r));
    heart_download(&h, h.r, before);
    heart_download(&h, h.V, V);
    assert_ok(monodomain_reset(h.m, inside, h.V));
    heart_download(&h, h.V, h.host);
    for (int64_t i = 0; i < h.n; ++i)
      assert_near(h.host[i], inside[diffusion_node(monodomain_diffusion(h.m), i)] ? -80 : V[i], 0);
    assert_ok(monodomain_state(h.m, "recovery", NULL, h.r));
    heart_download(&h, h.r, h.host);
    int in = 0, out = 0;
    for (int64_t i = 0; i < h.n; ++i) {
      const double x = h.mesh->x[diffusion_node(monodomain_diffusion(h.m), i)][0];
      if (x < 0.49) assert_true(h.host[i] == 0), ++in;
      if (x > 0.76) assert_true(h.host[i] == before[i] && before[i] > 1e-4), ++out;
    }
    assert_true(in > 10 && out > 10);
    const int64_t n = monodomain_state_size(h.m) / 2;
    double *states = calloc((size_t)n, 16);
    int still = 0, moving = 0;
    assert_ok(monodomain_state_save(h.m, states));
    for (int64_t i = 0; i < n; ++i) { /* history too */
      assert_true((states[i] == 0) == (states[n + i] == 0));
      states[i] == 0 ? ++still : ++moving;
    }
    assert_true(still > n / 3 && moving > n / 3);
    free(states);
    free(inside), free(before), free(V);
    heart_finish(&h);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tangents),    cmocka_unit_test(uniform),
                                     cmocka_unit_test(rest),        cmocka_unit_test(regions),
                                     cmocka_unit_test(stimuli),     cmocka_unit_test(gates),
                                     cmocka_unit_test(many_states), cmocka_unit_test(histories),
                                     cmocka_unit_test(resets),      cmocka_unit_test(cells_for_any_threads)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
