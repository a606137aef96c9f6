/* Fibres of elements and the tensors that they make. */
#include "mesh/fibers/fibers.h"
#include "core/memory.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static Mesh *box(ElementKind kind) {
  Mesh *mesh = NULL;
  const BoxParams params = {.kind = kind, .n = {2, 2, element_type(kind)->dim == 3 ? 2 : 0}, .size = {1, 1, 1}};
  assert_ok(mesh_box(&params, &mesh));
  return mesh;
}

static int32_t first_of(const Mesh *mesh) {
  int32_t e = 0;
  while (element_type(mesh_block_of(mesh, e)->kind)->dim < mesh->dim) ++e;
  return e;
}

/* Gives the mesh one more field, zero. */
static MeshField *add_field(Mesh *mesh, const char *name, bool on_nodes, int32_t n_component) {
  assert_ok(mem_resize(mesh->n_field + 1, sizeof *mesh->field, "fields", (void **)&mesh->field));
  MeshField *f = &mesh->field[mesh->n_field++];
  *f = (MeshField){.on_nodes = on_nodes, .n_component = n_component};
  assert_ok(mem_alloc((int64_t)strlen(name) + 1, 1, "name", (void **)&f->name));
  strcpy(f->name, name);
  assert_ok(mem_alloc((int64_t)n_component * (on_nodes ? mesh->n_node : mesh->n_element), sizeof(double), "values",
                      (void **)&f->value));
  return f;
}

static void put(MeshField *f, int32_t i, double x, double y, double z) {
  const double v[3] = {x, y, z};
  memcpy(f->value + 3 * (int64_t)i, v, sizeof v);
}

static double (*tensors(const Mesh *mesh, const FiberTissue *tissue))[6] {
  double(*D)[6] = calloc((size_t)mesh->n_element, sizeof *D);
  assert_ok(fiber_tensors(mesh, tissue, NULL, 0, D));
  return D;
}

/* v . D w */
static double form(const double D[6], const double v[3], const double w[3]) {
  const double A[3][3] = {{D[0], D[3], D[5]}, {D[3], D[1], D[4]}, {D[5], D[4], D[2]}};
  double sum = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) sum += v[i] * A[i][j] * w[j];
  return sum;
}

static void direction(Expr e[3], const char *x, const char *y, const char *z) {
  assert_ok(expr_parse(x, &e[0]));
  assert_ok(expr_parse(y, &e[1]));
  assert_ok(expr_parse(z, &e[2]));
}

static void isotropic(void **state) {
  (void)state;
  Mesh *mesh = box(ELEMENT_TET4);
  double(*D)[6] = tensors(mesh, &(FiberTissue){.along = 0.3});
  for (int32_t e = 0; e < mesh->n_element - first_of(mesh); ++e)
    for (int k = 0; k < 6; ++k) assert_true(D[e][k] == (k < 3 ? 0.3 : 0));
  free(D);
  mesh_destroy(&mesh);
}

/* Eigenvectors and eigenvalues of D are what was asked for; length and sign of the direction are irrelevant. */
static void transversely_isotropic(void **state) {
  (void)state;
  const double f[3] = {2.0 / 3, -1.0 / 3, 2.0 / 3}, across[3] = {1 / sqrt(2), 0, -1 / sqrt(2)};
  static const char *const text[2][3] = {{"2", "-1", "2"}, {"-20", "10", "-20"}};
  for (ElementKind kind = ELEMENT_TRI3; kind < N_ELEMENT_KINDS; ++kind) {
    if (element_type(kind)->dim < 2) continue;
    Mesh *mesh = box(kind);
    for (int sign = 0; sign < 2; ++sign) {
      Expr e[3];
      direction(e, text[sign][0], text[sign][1], text[sign][2]);
      double(*D)[6] = tensors(mesh, &(FiberTissue){.fiber.direction = e, .along = 0.1, .across = 0.02});
      for (int32_t i = 0; i < mesh->n_element - first_of(mesh); ++i) {
        assert_near(form(D[i], f, f), 0.1, 1e-15);
        assert_near(form(D[i], across, across), 0.02, 1e-15);
        assert_near(form(D[i], f, across), 0, 1e-15);
      }
      free(D);
    }
    mesh_destroy(&mesh);
  }
}

/* A sheet that is not at right angles to the fibre loses its part along it. */
static void orthotropic(void **state) {
  (void)state;
  Mesh *mesh = box(ELEMENT_HEX8);
  Expr fiber[3], sheet[3];
  direction(fiber, "0", "3", "0");
  direction(sheet, "-1", "5", "-1");
  const double f[3] = {0, 1, 0}, s[3] = {1 / sqrt(2), 0, 1 / sqrt(2)}, n[3] = {1 / sqrt(2), 0, -1 / sqrt(2)};
  double(*D)[6] = tensors(
      mesh, &(FiberTissue){.fiber.direction = fiber, .sheet.direction = sheet, .along = 3, .across = 2, .normal = 0.5});
  assert_near(form(D[0], f, f), 3, 1e-14);
  assert_near(form(D[0], s, s), 2, 1e-14);
  assert_near(form(D[0], n, n), 0.5, 1e-14);
  assert_near(form(D[0], f, s), 0, 1e-14);
  assert_near(form(D[0], f, n), 0, 1e-14);
  assert_near(form(D[0], n, s), 0, 1e-14);
  free(D);
  mesh_destroy(&mesh);
}

/* Signs that flip from node to node change nothing: the mean of axes, not of vectors. */
static void signs_and_lengths(void **state) {
  (void)state;
  Mesh *mesh = box(ELEMENT_TET10);
  MeshField *f = add_field(mesh, "fiber", true, 3);
  const double g[3] = {0.6, 0, 0.8};
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    const double factor = (i % 3 ? -1 : 1) * (1 + i % 7);
    put(f, i, factor * g[0], factor * g[1], factor * g[2]);
  }
  double(*D)[6] = tensors(mesh, &(FiberTissue){.fiber.field = "fiber", .along = 0.1, .across = 0.02});
  for (int32_t e = 0; e < mesh->n_element - first_of(mesh); ++e) {
    assert_near(form(D[e], g, g), 0.1, 1e-14);
    assert_near(D[e][1], 0.02, 1e-15);
  }
  free(D);
  double(*axis)[3] = calloc((size_t)mesh->n_element, sizeof *axis);
  assert_ok(fiber_axes(mesh, &(FiberSource){.field = "fiber"}, "fibre", NULL, 0, axis));
  assert_near(fabs(axis[3][0] * g[0] + axis[3][2] * g[2]), 1, 1e-14);
  assert_int_equal(status_warning_count(), 0);
  free(axis);
  mesh_destroy(&mesh);
}

/* Data on elements, an expression at the centre of each, and arrays of nodes. */
static void sources(void **state) {
  (void)state;
  Mesh *mesh = box(ELEMENT_QUAD4);
  const int32_t first = first_of(mesh);
  MeshField *f = add_field(mesh, "fibers", false, 3);
  for (int32_t e = 0; e < mesh->n_element; ++e) put(f, e, e < first ? NAN : 1, e, 0);
  double(*axis)[3] = calloc((size_t)mesh->n_element, sizeof *axis);
  assert_ok(fiber_axes(mesh, &(FiberSource){.field = "fibers"}, "fibre", NULL, 0, axis));
  for (int32_t e = first; e < mesh->n_element; ++e) assert_near(axis[e - first][1] / axis[e - first][0], e, 1e-13);
  Expr e[3];
  direction(e, "-y", "x", "0*t");
  assert_ok(fiber_axes(mesh, &(FiberSource){.direction = e}, "fibre", NULL, 0, axis));
  assert_near(axis[0][0], -sqrt(0.5), 1e-15);
  assert_near(axis[0][1], sqrt(0.5), 1e-15);
  double(*node)[3] = calloc((size_t)mesh->n_node, sizeof *node);
  for (int32_t i = 0; i < mesh->n_node; ++i) node[i][0] = 3, node[i][1] = -4;
  assert_ok(fiber_axes(mesh, &(FiberSource){.node = (const double(*)[3])node}, "fibre", NULL, 0, axis));
  assert_near(axis[0][0] * axis[0][1], -0.48, 1e-15);
  free(node);
  free(axis);
  mesh_destroy(&mesh);
}

/* Only the elements of a tissue are touched, and only its nodes need fibres. */
static void regions(void **state) {
  (void)state;
  Mesh *mesh = box(ELEMENT_TRI3);
  const int32_t first = first_of(mesh), n = mesh->n_element - first;
  MeshField *f = add_field(mesh, "fiber", true, 3);
  int32_t *tissue = calloc((size_t)mesh->n_element, sizeof *tissue);
  for (int32_t e = first; e < mesh->n_element; ++e) {
    const int32_t *nodes = mesh_nodes_of(mesh, e);
    tissue[e] = mesh->x[nodes[0]][1] + mesh->x[nodes[1]][1] + mesh->x[nodes[2]][1] < 1.5 ? 1 : 2;
    for (int a = 0; a < 3 && tissue[e] == 2; ++a) put(f, nodes[a], 0, 1, 0);
  }
  double(*D)[6] = calloc((size_t)n, sizeof *D);
  assert_ok(fiber_tensors(mesh, &(FiberTissue){.along = 7}, tissue, 1, D));
  const FiberTissue other = {.fiber.field = "fiber", .along = 3, .across = 2};
  assert_ok(fiber_tensors(mesh, &other, tissue, 2, D));
  for (int32_t e = 0; e < n; ++e) {
    assert_near(D[e][0], tissue[first + e] == 1 ? 7 : 2, 1e-15);
    assert_near(D[e][1], tissue[first + e] == 1 ? 7 : 3, 1e-15);
  }
  assert_fails(fiber_tensors(mesh, &other, tissue, 1, D), ERR_MESH, "a fibre of length zero at node");
  free(D);
  free(tissue);
  mesh_destroy(&mesh);
}

static void bad_tissue(void **state) {
  (void)state;
  Mesh *mesh = box(ELEMENT_TET4);
  add_field(mesh, "fiber", true, 3);
  add_field(mesh, "depth", true, 1);
  Expr zero[3], x[3];
  direction(zero, "0", "0", "0");
  direction(x, "1", "0", "0");
  const struct {
    FiberTissue tissue;
    const char *part;
  } rows[] = {
      {{.along = 0}, "diffusivity along is 0, must be > 0"},
      {{.along = -1}, "diffusivity along is -1"},
      {{.along = NAN}, "diffusivity along is nan"},
      {{.along = INFINITY}, "diffusivity along is inf"},
      {{.along = 1, .across = -2, .fiber.direction = x}, "diffusivity across is -2"},
      {{.along = 1, .across = 1, .normal = -2, .fiber.direction = x}, "diffusivity normal is -2"},
      {{.along = 1, .across = 0.5}, "no fibres"},
      {{.along = 1, .across = 0.5, .normal = 0.1, .fiber.direction = x}, "there are no sheets"},
      {{.along = 1, .normal = 0.1, .fiber.direction = x}, "not 'across'"},
      {{.along = 1, .sheet.direction = x}, "sheets without fibres"},
      {{.along = 1, .fiber.direction = zero}, "has no length"},
      {{.along = 1, .fiber.field = "fibre"}, "did you mean 'fiber'?"},
      {{.along = 1, .fiber.field = "fibre"}, "fiber (on nodes, 3 components), depth (on nodes, 1 component)"},
      {{.along = 1, .fiber.field = "depth"}, "has 1 component; a fibre needs 3"},
      {{.along = 1, .fiber.direction = x, .sheet.field = "sheet"}, "no field 'sheet' for the sheet"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    assert_fails(fiber_tissue_check(mesh, &rows[i].tissue), ERR_INPUT, rows[i].part);
  assert_ok(fiber_tissue_check(mesh, &(FiberTissue){.along = 1, .across = 1}));
  mesh_destroy(&mesh);
}

static void bad_data(void **state) {
  (void)state;
  Mesh *mesh = box(ELEMENT_TET4);
  MeshField *f = add_field(mesh, "fiber", true, 3);
  const FiberTissue tissue = {.fiber.field = "fiber", .along = 1, .across = 0.2};
  double(*D)[6] = calloc((size_t)mesh->n_element, sizeof *D);
  assert_fails(fiber_tensors(mesh, &tissue, NULL, 0, D), ERR_MESH, "and 22 more\n  27 in all");
  for (int32_t i = 0; i < mesh->n_node; ++i) put(f, i, 0, 0, 1);
  put(f, 4, 0, 0, 0);
  assert_fails(fiber_tensors(mesh, &tissue, NULL, 0, D), ERR_MESH, "a fibre of length zero at node 5 (");
  put(f, 4, 0, NAN, 0);
  assert_fails(fiber_tensors(mesh, &tissue, NULL, 0, D), ERR_MESH, "a fibre that is not finite at node 5 (");
  put(f, 4, INFINITY, 0, 0);
  assert_fails(fiber_tensors(mesh, &tissue, NULL, 0, D), ERR_MESH, "1 in all");
  Expr e[3], s[3];
  direction(e, "x-0.125", "0", "0"); /* zero at the centres of some tetrahedra */
  direction(s, "1", "0", "0");
  MeshField *on_elements = add_field(mesh, "fibers", false, 3);
  for (int32_t k = first_of(mesh); k < mesh->n_element; ++k) put(on_elements, k, 1, 0, 0);
  put(on_elements, mesh->n_element - 1, 0, 0, 0);
  assert_fails(fiber_axes(mesh, &(FiberSource){.field = "fibers"}, "fibre", NULL, 0, (double(*)[3])(void *)D), ERR_MESH,
               "at element");
  assert_fails(fiber_axes(mesh, &(FiberSource){.direction = e}, "fibre", NULL, 0, (double(*)[3])(void *)D), ERR_INPUT,
               "correct the expression");
  const FiberTissue flat = {.fiber.direction = s, .sheet.direction = s, .along = 3, .across = 2, .normal = 1};
  assert_fails(fiber_tensors(mesh, &flat, NULL, 0, D), ERR_MESH, "the sheet lies along the fibre");
  free(D);
  mesh_destroy(&mesh);
}

/* A node whose fibre stands across its neighbours' is no reason to warn; axes that point all ways are. */
static void scattered(void **state) {
  (void)state;
  Mesh *mesh = box(ELEMENT_TET4);
  MeshField *f = add_field(mesh, "fiber", true, 3);
  double(*axis)[3] = calloc((size_t)mesh->n_element, sizeof *axis);
  const FiberSource source = {.field = "fiber"};
  status_warnings_clear();
  for (int32_t i = 0; i < mesh->n_node; ++i) put(f, i, i != 13, i == 13, 0);
  assert_ok(fiber_axes(mesh, &source, "fibre", NULL, 0, axis));
  assert_int_equal(status_warning_count(), 0);
  for (int32_t i = 0; i < mesh->n_node; ++i) put(f, i, i % 2, i % 2 == 0, 0);
  assert_ok(fiber_axes(mesh, &source, "fibre", NULL, 0, axis));
  assert_int_equal(status_warning_count(), 1);
  assert_non_null(strstr(status_warning(0), "of 48 elements point in all directions"));
  status_warnings_clear();
  free(axis);
  mesh_destroy(&mesh);
}

/* On surfaces in space fibres are their parts along the surface, which is told from 30 degrees on, and refused from 80. */
static void on_surfaces(void **state) {
  (void)state;
  Mesh *mesh = box(ELEMENT_QUAD4);
  Expr f[3];
  for (int32_t i = 0; i < mesh->n_node; ++i) mesh->x[i][2] = mesh->x[i][0]; /* normal (-1, 0, 1) / sqrt 2 */
  mesh->in_space = mesh_leaves_plane(mesh);
  const double along[3] = {sqrt(0.5), 0, sqrt(0.5)}, across[3] = {0, 1, 0};
  const FiberTissue tissue = {.fiber.direction = f, .along = 3, .across = 2};
  status_warnings_clear();
  direction(f, "1", "0", "0.9");
  double(*D)[6] = tensors(mesh, &tissue);
  for (int32_t e = 0; e < 4; ++e) {
    assert_near(form(D[e], along, along), 3, 1e-13);
    assert_near(form(D[e], across, across), 2, 1e-13);
    assert_near(form(D[e], along, across), 0, 1e-13);
  }
  assert_int_equal(status_warning_count(), 0);
  free(D);
  direction(f, "1", "1", "-1");
  D = tensors(mesh, &tissue);
  assert_near(form(D[0], across, across), 3, 1e-13);
  assert_int_equal(status_warning_count(), 1);
  assert_non_null(strstr(status_warning(0), "in 4 of 4 elements the fibre leaves the surface by more than 30 degrees"));
  assert_non_null(strstr(status_warning(0), "the worst angle is 55 degrees"));
  direction(f, "-1", "0", "1");
  assert_fails(
      fiber_tensors(mesh, &tissue, NULL, 0, D), ERR_MESH,
      "in 4 of 4 elements the fibre lies across the surface, at more than 80 degrees to it: the first is element");
  status_warnings_clear();
  free(D);
  mesh_destroy(&mesh);
}

static void allocations(void **state) {
  (void)state;
  Mesh *mesh = box(ELEMENT_TET4);
  MeshField *f = add_field(mesh, "fiber", true, 3), *s = add_field(mesh, "sheet", true, 3);
  f = &mesh->field[0];
  for (int32_t i = 0; i < mesh->n_node; ++i) put(f, i, 1, 0, 0), put(s, i, 0, 1, 0);
  double(*D)[6] = calloc((size_t)mesh->n_element, sizeof *D);
  const FiberTissue tissue = {.fiber.field = "fiber", .sheet.field = "sheet", .along = 3, .across = 2, .normal = 1};
  assert_true(testing_fail_each_of(fiber_tensors(mesh, &tissue, NULL, 0, D), (void)0) > 2);
  free(D);
  mesh_destroy(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(isotropic),   cmocka_unit_test(transversely_isotropic),
                                     cmocka_unit_test(orthotropic), cmocka_unit_test(signs_and_lengths),
                                     cmocka_unit_test(sources),     cmocka_unit_test(regions),
                                     cmocka_unit_test(bad_tissue),  cmocka_unit_test(bad_data),
                                     cmocka_unit_test(scattered),   cmocka_unit_test(allocations),
                                     cmocka_unit_test(on_surfaces)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
