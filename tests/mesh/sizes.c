/* Sizes for the next mesh: none so small beside a body that Gmsh makes triangles without area of them. And copies of a mesh. */
#include "mesh/make/copies.h"
#include "mesh/sizes.h"
#include "core/memory.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The least number in the braces of the view. */
static double least_size(const char *path) {
  FILE *file = fopen(path, "r");
  double least = INFINITY;
  char line[512];
  assert_non_null(file);
  while (fgets(line, sizeof line, file)) {
    const char *at = strchr(line, '{');
    while (at && *at && *at != '}' && strncmp(line, "ST(", 3) == 0) {
      char *end;
      const double size = strtod(at + 1, &end);
      if (size < least) least = size;
      at = end;
    }
  }
  fclose(file);
  return least;
}

static void test_least(void **state) {
  (void)state;
  char path[] = "/tmp/sinew-sizes-XXXXXX";
  Mesh *mesh = NULL;
  double part[18];
  const BoxParams box = {.kind = ELEMENT_TRI3, .n = {3, 3}, .size = {2, 1}};
  const MeshSizesParams params = {.error = 1e-3, .most = 1e6, .scale = 1};
  const int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  assert_int_equal(mesh_box(&box, &mesh), OK);
  const double wide = mesh_size(mesh);
  for (int32_t i = 0; i < mesh->n_node; ++i) /* all but the nodes of three corners come together in the fourth */
    for (int k = 0; k < 2; ++k)
      if (mesh->x[i][0] < 1.9 && mesh->x[i][1] < 0.9) mesh->x[i][k] *= 2e-7;
  for (int e = 0; e < 18; ++e) part[e] = e == 0 ? 1 : 1e-12;
  assert_int_equal(mesh_sizes_write(mesh, part, &params, path), OK);
  const double least = least_size(path);
  assert_true(least > 0.99e-7 * wide && least < 2e-7 * wide);
  unlink(path);
  mesh_destroy(&mesh);
}

static void test_copies(void **state) {
  (void)state;
  enum { N = 3 };
  Mesh *mesh = NULL, *many = NULL;
  const BoxParams box = {.kind = ELEMENT_HEX8, .n = {2, 3, 1}, .size = {2, 1, 1}};
  assert_int_equal(mesh_box(&box, &mesh), OK);
  assert_int_equal(mesh_copies(mesh, N, &many), OK);
  assert_int_equal(many->n_node, N * mesh->n_node);
  assert_int_equal(many->n_element, N * mesh->n_element);
  for (int32_t k = 0; k < N; ++k)
    for (int32_t e = 0; e < mesh->n_element; ++e) {
      const int32_t to = mesh_copy_element(mesh, N, k, e);
      const int32_t *from = mesh_nodes_of(mesh, e), *nodes = mesh_nodes_of(many, to);
      const ElementType *type = element_type(mesh_block_of(mesh, e)->kind);
      assert_int_equal(mesh_block_of(many, to)->kind, type->kind);
      for (int32_t a = 0; a < type->n_node; ++a) {
        assert_int_equal(nodes[a], from[a] + k * mesh->n_node);
        assert_memory_equal(many->x[nodes[a]], mesh->x[from[a]], sizeof *mesh->x);
      }
    }
  mesh_destroy(&many);
  assert_int_equal(mesh_copies(mesh, INT32_MAX / 2, &many), ERR_USAGE);
  mesh_destroy(&mesh);
  assert_int_equal(mem_in_use(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_least), cmocka_unit_test(test_copies)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
