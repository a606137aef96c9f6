/* Diffusion: loads and values in time, orders of convergence, the same bits for any number of threads, bad input, every
 * allocation failed once, the memory plan. */
#include "core/memory.h"
#include "tests/assembly/scalar.h"

#include <math.h>
#include <string.h>

static double *load_at(Scalar *s, double time) {
  double *f = calloc((size_t)diffusion_dofs(s->d), 8);
  assert_ok(diffusion_load(s->d, time, s->values));
  assert_ok(diffusion_download(s->d, s->values, f));
  return f;
}

/* Loads and values that depend on t are what the same expressions with the time put in give. */
static void in_time(void **state) {
  (void)state;
  static const char *const at[3][4] = {{"x+y*(1+t)", "sin(t)*(1+x)", "y+t", "exp(t)*x"},
                                       {"x+y*(1+0.7)", "sin(0.7)*(1+x)", "y+0.7", "exp(0.7)*x"},
                                       {"x+y*(1+0.3)", "sin(0.3)*(1+x)", "y+0.3", "exp(0.3)*x"}};
  const double times[3] = {0, 0.7, 0.3};
  Scalar s[3];
  for (int k = 0; k < 3; ++k) {
    scalar_begin(&s[k], testing_exec(), scalar_box(ELEMENT_QUAD9, 3, 0.1));
    scalar_prescribe(&s[k], "x0", at[k][0]);
    scalar_load(&s[k], LOAD_FLUX, "y1", at[k][1], "0");
    scalar_load(&s[k], LOAD_CONVECTION, "x1", "2+y", at[k][2]);
    scalar_load(&s[k], LOAD_SOURCE, "body", at[k][3], "0");
    scalar_load(&s[k], LOAD_SOURCE, "body", "1", "0");
    scalar_create(&s[k]);
    assert_true(diffusion_load_varies(s[k].d) == (k == 0) && diffusion_prescribed_varies(s[k].d) == (k == 0));
  }
  for (int k = 1; k < 3; ++k) {
    const int64_t n = diffusion_dofs(s[0].d);
    double *f = load_at(&s[0], times[k]), *g = load_at(&s[k], 99);
    for (int64_t i = 0; i < n; ++i) assert_near(f[i], g[i], 1e-15);
    assert_ok(diffusion_initial(s[k].d, NULL, s[k].u));
    assert_ok(diffusion_download(s[k].d, s[k].u, g));
    assert_ok(exec_zero(s[0].exec, s[0].u, (size_t)n * 8));
    assert_ok(diffusion_prescribed(s[0].d, times[k], s[0].u));
    assert_ok(diffusion_download(s[0].d, s[0].u, f));
    double most = 0;
    for (int64_t i = 0; i < n; ++i) {
      assert_near(f[i], g[i], 1e-15);
      most = fmax(most, f[i]);
    }
    assert_near(most, 1 + times[k], 1e-14);
    free(f), free(g);
  }
  for (int k = 0; k < 3; ++k) scalar_finish(&s[k]);
}

/* L2-like error (root mean square over the nodes) of -div D grad u = f with u = sin(2x) exp(y) and an anisotropic D. */
static double error_at(ElementKind kind, int n) {
  Scalar s;
  scalar_begin(&s, testing_exec(), scalar_box(kind, n, 0));
  const bool solid = s.mesh->dim == 3;
  for (int k = 0; k < (solid ? 6 : 4); ++k) {
    static const char *const side[6] = {"x0", "x1", "y0", "y1", "z0", "z1"};
    scalar_prescribe(&s, side[k], "sin(2*x)*exp(y)");
  }
  /* D_xx = 2, D_yy = 3, D_xy = 0.7 (the other components do not meet a u without z) */
  scalar_load(&s, LOAD_SOURCE, "body", "8*sin(2*x)*exp(y)-3*sin(2*x)*exp(y)-2.8*cos(2*x)*exp(y)", "0");
  scalar_solve(&s);
  double e = 0;
  for (int32_t i = 0; i < s.mesh->n_node; ++i) e += pow(s.x[i] - sin(2 * s.mesh->x[i][0]) * exp(s.mesh->x[i][1]), 2);
  e = sqrt(e / s.mesh->n_node);
  scalar_finish(&s);
  return e;
}
static void spatial_order(void **state) {
  (void)state;
  const struct {
    ElementKind kind;
    int n;
    double least;
  } row[] = {{ELEMENT_TRI3, 8, 1.8},  {ELEMENT_QUAD4, 8, 1.8}, {ELEMENT_TRI6, 4, 2.8},
             {ELEMENT_QUAD8, 4, 2.8}, {ELEMENT_QUAD9, 4, 2.8}, {ELEMENT_TET4, 4, 1.6},
             {ELEMENT_HEX8, 4, 1.7},  {ELEMENT_TET10, 3, 2.7}, {ELEMENT_HEX20, 3, 2.7}};
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    const double coarse = error_at(row[k].kind, row[k].n), fine = error_at(row[k].kind, 2 * row[k].n);
    const double order = log2(coarse / fine);
    if (!(order > row[k].least))
      fail_msg("%s: order %g (errors %g, %g)", element_type(row[k].kind)->name, order, coarse, fine);
  }
}

/* The same bits whatever the number of threads. */
static void threads(void **state) {
  (void)state;
  double *first = NULL;
  for (int n = 1; n <= 3; ++n) {
    Scalar s;
    Exec *exec = NULL;
    assert_ok(exec_create_cpu(n, &exec));
    scalar_begin(&s, exec, scalar_box(ELEMENT_TET4, 6, 0.2));
    scalar_load(&s, LOAD_CONVECTION, "y1", "3+x", "7*t");
    s.params.time = 1;
    scalar_create(&s);
    scalar_matrix(&s, 0.3, 7);
    double *f = load_at(&s, 2);
    const size_t a = (size_t)s.slots.n_value, b = (size_t)diffusion_dofs(s.d);
    double *all = calloc(a + b, 8);
    memcpy(all, s.A, a * 8);
    memcpy(all + a, f, b * 8);
    if (first) assert_memory_equal(all, first, (a + b) * 8);
    if (first) free(all);
    else first = all;
    free(f);
    scalar_finish(&s);
  }
  free(first);
}

static void refused(Scalar *s, Status status, const char *part) {
  Diffusion *d = NULL;
  assert_fails(diffusion_create(s->exec, &s->params, &d), status, part);
  assert_null(d);
}

/* Two expressions of the same values on edges that meet. */
static void agrees(Scalar *s, const char *first, const char *second) {
  s->support[0].value[0] = scalar_expr(first);
  s->support[1].value[0] = scalar_expr(second);
  assert_ok(diffusion_create(s->exec, &s->params, &s->d));
  diffusion_destroy(&s->d);
}
static void bad_input(void **state) {
  (void)state;
  Scalar s;
  scalar_begin(&s, testing_exec(), scalar_box(ELEMENT_QUAD4, 2, 0));
  s.params.steady = true;
  refused(&s, ERR_INPUT, "no single solution");
  s.params.steady = false;
  s.tensor[2][3] = 2.5;
  refused(&s, ERR_INPUT, "not positive definite: xx 2, yy 3, zz 1, xy 2.5");
  s.tensor[2][3] = NAN;
  refused(&s, ERR_INPUT, "near (0, 0.5, 0)");
  s.tensor[2][3] = 0;
  s.capacity[1] = 0;
  refused(&s, ERR_INPUT, "has capacity 0");
  s.capacity[1] = 1;
  s.thickness[0] = -1;
  refused(&s, ERR_INPUT, "has thickness -1");
  s.thickness[0] = 1;
  scalar_load(&s, LOAD_FLUX, "body", "1", "0");
  refused(&s, ERR_INPUT,
          "load 1: flux on group 'body', a surface group of 4 elements: in 2D it acts on curve groups only");
  s.load[0].kind = LOAD_SOURCE;
  s.load[0].value[0] = scalar_expr("1/(x-x)");
  refused(&s, ERR_INPUT, "source is infinite at (");
  s.load[0] = (Load){.kind = LOAD_CONVECTION,
                     .on = scalar_group(&s, "x0"),
                     .value = {scalar_expr("1-2*y")},
                     .ambient = {scalar_expr("0")},
                     .where = "case.yaml:7:3"};
  refused(&s, ERR_INPUT, "case.yaml:7:3: the film coefficient is -");
  s.load[0].value[0] = scalar_expr("1+t");
  refused(&s, ERR_INPUT, "depends on t");
  s.params.n_load = 0;
  scalar_prescribe(&s, "x0", "1");
  scalar_prescribe(&s, "y0", "2");
  refused(&s, ERR_INPUT, "support 1 prescribes 1, support 2 prescribes 2");
  s.support[1].value[0] = scalar_expr("1");
  s.params.steady = true;
  assert_ok(diffusion_create(s.exec, &s.params, &s.d));
  diffusion_destroy(&s.d);
  s.params.steady = false;
  s.support[1].value[0] = scalar_expr("1+t^2");
  refused(&s, ERR_INPUT, "conflicting supports"); /* the same at the start only */
  agrees(&s, "1", "1+0*t");
  agrees(&s, "sin(t)^2", "1-cos(t)^2");
  agrees(&s, "100+20*sin(2*pi*t/86400)", "100+20*cos(2*pi*t/86400-pi/2)");
  agrees(&s, "0", "sin(pi*(x+1))"); /* -1.2e-16 at the corner that both have */
  agrees(&s, "1e-160", "1e-160*cos(x)");
  s.support[0].value[0] = scalar_expr("0");
  s.support[1].value[0] = scalar_expr("1e-160");
  refused(&s, ERR_INPUT, "conflicting supports"); /* small is not nothing */
  s.params.end = 1;
  s.support[1].value[0] = scalar_expr("max(0, 1e-4-abs(t-0.5123))"); /* between samples: told when it comes */
  assert_ok(diffusion_create(s.exec, &s.params, &s.d));
  double *u = NULL;
  assert_ok(exec_alloc(s.exec, s.mesh->n_node, sizeof *u, "test", (void **)&u));
  assert_ok(diffusion_prescribed(s.d, 0.5, u));
  assert_fails(diffusion_prescribed(s.d, 0.5123, u), ERR_INPUT, "prescribes 0.0001 at t = 0.5123");
  EXEC_RELEASE(s.exec, u, s.mesh->n_node);
  diffusion_destroy(&s.d);
  s.params.n_support = 1;
  s.support[0].value[0] = scalar_expr("log(t-1)");
  refused(&s, ERR_INPUT, "support 1: the prescribed value is not a number");
  s.mesh->x[3][2] = 0.5;
  refused(&s, ERR_MESH, "out of plane");
  scalar_finish(&s);
}

static Status all_of_it(Scalar *s) {
  ScalarFields f = {0};
  double *u = NULL;
  TRY(diffusion_create(s->exec, &s->params, &s->d));
  Status status = diffusion_bind(s->d, &s->slots);
  if (status == OK) status = exec_alloc(s->exec, s->mesh->n_node, 8, "test", (void **)&u);
  if (status == OK) status = diffusion_initial(s->d, NULL, u);
  if (status == OK) status = scalar_recover(s, u, DIFFUSION_FIELD_FLUX | DIFFUSION_FIELD_REACTION, &f);
  scalar_fields_release(&f);
  EXEC_RELEASE(s->exec, u, s->mesh->n_node);
  return status;
}
/* Every allocation failed once, nothing left behind; a time loop's calls allocate nothing. */
static void allocations(void **state) {
  (void)state;
  Scalar s;
  scalar_begin(&s, testing_exec(), scalar_box(ELEMENT_TRI6, 2, 0));
  scalar_prescribe(&s, "x0", "t");
  scalar_load(&s, LOAD_CONVECTION, "y1", "3", "t");
  scalar_load(&s, LOAD_SOURCE, "body", "3", "0");
  int32_t *rank = calloc((size_t)s.mesh->n_node, sizeof *rank);
  for (int32_t i = 0; i < s.mesh->n_node; ++i) rank[i] = s.mesh->n_node - 1 - i;
  s.params.node_rank = rank;
  scalar_create(&s);
  mem_fail_nth(0);
  double *out = calloc((size_t)s.mesh->n_node, 8);
  assert_ok(diffusion_prescribed(s.d, 1, s.u));
  assert_ok(diffusion_load(s.d, 1, s.values));
  assert_ok(diffusion_matrix(s.d, 1, 2, s.values));
  assert_ok(diffusion_download(s.d, s.u, out));
  assert_int_equal(mem_count(), 0);
  free(out);
  diffusion_destroy(&s.d);
  const size_t host = mem_in_use(), device = s.exec->in_use;
  Status status = ERR_MEMORY;
  int nth = 0;
  while (status != OK) {
    mem_fail_nth(++nth);
    status = all_of_it(&s);
    mem_fail_nth(0);
    if (status != OK) assert_out_of_memory(status);
    diffusion_destroy(&s.d);
    assert_int_equal(mem_in_use(), host);
    assert_int_equal(s.exec->in_use, device);
  }
  assert_true(nth > 40);
  EXEC_RELEASE(s.exec, s.values, s.slots.n_value);
  EXEC_RELEASE(s.exec, s.u, s.mesh->n_node);
  free(rank);
  scalar_finish(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(in_time), cmocka_unit_test(spatial_order),
                                     cmocka_unit_test(threads), cmocka_unit_test(bad_input),
                                     cmocka_unit_test(allocations)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
