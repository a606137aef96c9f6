/* Meshes of Gmsh with wedges and pyramids between hexahedra and tetrahedra: read from every format, checked, made
 * quadratic, refined. */
#include "tests/mesh/mixed_mesh.h"

#include "tests/mesh/derived_mesh.h"

#include "mesh/check/check.h"

static const ElementShape solids[] = {SHAPE_TETRAHEDRON, SHAPE_HEXAHEDRON, SHAPE_WEDGE, SHAPE_PYRAMID};

/* Conforming, right way round, the volume of the three boxes, no complaint. */
static void check_mixed(const Mesh *mesh, int order) {
  testing_check_mesh(mesh);
  assert_ok(mesh_check(mesh));
  assert_true(testing_worst_jacobian(mesh) > 0.0);
  assert_near(testing_measure(mesh, "body"), 2.25, 1e-12);
  assert_near(testing_measure(mesh, "skin"), 11.0, 1e-12);
  for (int k = 0; k < 4; ++k) assert_true(mixed_count(mesh, solids[k]) >= 4);
  for (int32_t b = 0; b < mesh->n_block; ++b) assert_int_equal(element_type(mesh->block[b].kind)->order, order);
}

static void linear_elevated_refined(void **state) {
  (void)state;
  Mesh *mesh, *curved, *fine, *finer;
  if (!mixed_mesh(1, &mesh)) return;
  check_mixed(mesh, 1);
  assert_ok(mesh_elevate(mesh, false, &curved)); /* hexahedra lose their middles: the wedges beside them have none */
  check_mixed(curved, 2);
  assert_ok(mesh_refine(mesh, &fine));
  check_mixed(fine, 1);
  assert_int_equal(mixed_count(fine, SHAPE_PYRAMID), 6 * mixed_count(mesh, SHAPE_PYRAMID));
  assert_int_equal(mixed_count(fine, SHAPE_TETRAHEDRON),
                   8 * mixed_count(mesh, SHAPE_TETRAHEDRON) + 4 * mixed_count(mesh, SHAPE_PYRAMID));
  assert_int_equal(mixed_count(fine, SHAPE_WEDGE), 8 * mixed_count(mesh, SHAPE_WEDGE));
  assert_ok(mesh_refine(curved, &finer));
  check_mixed(finer, 2);
  Mesh *all[] = {mesh, curved, fine, finer};
  for (int i = 0; i < 4; ++i) mesh_destroy(&all[i]);
}

/* Gmsh's own quadratic mesh has prisms of 18 and pyramids of 14 nodes: the same elements, without their middles. */
static void quadratic_of_gmsh(void **state) {
  (void)state;
  Mesh *mesh, *linear, *curved;
  if (!mixed_mesh(2, &mesh) || !mixed_mesh(1, &linear)) return;
  check_mixed(mesh, 2);
  assert_ok(mesh_elevate(linear, false, &curved));
  assert_int_equal(mesh->n_node, curved->n_node);
  assert_int_equal(mesh->n_element, curved->n_element);
  Mesh *all[] = {mesh, linear, curved};
  for (int i = 0; i < 3; ++i) mesh_destroy(&all[i]);
}

/* What gmsh saves in its formats, and our own, is the same mesh. */
static void every_format(void **state) {
  (void)state;
  static const char *const how[] = {"-format msh22", "-format msh22 -bin", "-format msh41", "-format msh41 -bin"};
  char folder[] = "/tmp/sinew-mixed-XXXXXX", command[512], path[64];
  Mesh *first, *mesh;
  if (!mixed_mesh(2, &first)) return;
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/mixed.geo", folder);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(mixed_geo, file);
  fclose(file);
  snprintf(command, sizeof command, "cd %s && gmsh mixed.geo -3 -order 2 -o whole.msh > /dev/null 2>&1", folder);
  assert_int_equal(system(command), 0);
  for (int f = 0; f < 4; ++f) {
    snprintf(command, sizeof command, "cd %s && gmsh whole.msh -save %s -o mixed.msh > /dev/null 2>&1", folder, how[f]);
    assert_int_equal(system(command), 0);
    snprintf(path, sizeof path, "%s/mixed.msh", folder);
    assert_ok(mesh_load(&(MeshParams){.path = path}, &mesh));
    check_mixed(mesh, 2);
    assert_int_equal(mesh->n_node, first->n_node);
    assert_int_equal(mesh->n_element, first->n_element);
    for (int32_t b = 0; b < mesh->n_block; ++b) assert_int_equal(mesh->block[b].n, first->block[b].n);
    mesh_destroy(&mesh);
  }
  snprintf(path, sizeof path, "%s/mixed.h5", folder);
  assert_ok(mesh_write_h5(first, path));
  assert_ok(mesh_read_h5(path, &mesh));
  check_mixed(mesh, 2);
  assert_true(mesh_hash(mesh) == mesh_hash(first));
  mesh_destroy(&mesh);
  mesh_destroy(&first);
  snprintf(command, sizeof command, "rm -r %s", folder);
  assert_int_equal(system(command), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(linear_elevated_refined), cmocka_unit_test(quadratic_of_gmsh),
                                     cmocka_unit_test(every_format)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
