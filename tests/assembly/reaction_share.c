/* Reactions of nodes where groups meet: each part counts for the group whose facets are held there. */
#include "assembly/elasticity/reaction_share.h"
#include "tests/testing.h"

#include <math.h>

enum { N = 4, NODES = (N + 1) * (N + 1) };

/* What `group` bears of a force at the node next to (x, y). */
static void borne(const Mesh *mesh, int32_t n, const SupportedGroup *held, const char *group, double x, double y,
                  const double force[3], const double wanted[3]) {
  double r[NODES][3] = {{0}}, sum[3];
  int32_t best = 0;
  assert_int_equal(mesh->n_node, NODES);
  for (int32_t i = 1; i < NODES; ++i)
    if (hypot(mesh->x[i][0] - x, mesh->x[i][1] - y) < hypot(mesh->x[best][0] - x, mesh->x[best][1] - y)) best = i;
  for (int k = 0; k < 3; ++k) r[best][k] = force[k];
  assert_ok(reaction_share_sum(mesh, n, held, mesh_group(mesh, group), 3, r[0], NULL, sum));
  for (int k = 0; k < 3; ++k) assert_near(sum[k], wanted[k], 1e-13);
}

#define V(x, y, z)                                                                                                     \
  (const double[3]) { x, y, z }

static void edges_of_a_plate(void **state) {
  (void)state;
  Mesh *mesh = NULL;
  assert_ok(mesh_box(&(BoxParams){.kind = ELEMENT_QUAD4, .n = {N, N, 1}, .size = {3, 1, 1}}, &mesh));
  const SupportedGroup left = {mesh_group(mesh, "x0"), 3, false, false},
                       bottom = {mesh_group(mesh, "y0"), 0, true, false},
                       both[] = {left, {mesh_group(mesh, "y0"), 3, false, false}, left},
                       mixed[] = {{mesh_group(mesh, "x0"), 1, false, false}, bottom},
                       region = {mesh_group(mesh, "body"), 3, false, false};
  /* an edge that nothing holds bears nothing of the corner that it shares */
  borne(mesh, 1, &left, "x0", 0, 0, V(2, 1, 0), V(2, 1, 0));
  borne(mesh, 1, &left, "y0", 0, 0, V(2, 1, 0), V(0, 0, 0));
  borne(mesh, 1, &left, "x0", 3, 1, V(2, 1, 0), V(0, 0, 0)); /* not on it */
  /* two held edges divide it by the length of their elements there; naming a group twice changes nothing */
  borne(mesh, 3, both, "x0", 0, 0, V(4, 8, 0), V(1, 2, 0));
  borne(mesh, 3, both, "y0", 0, 0, V(4, 8, 0), V(3, 6, 0));
  /* by direction: symmetry holds the normal, which is y */
  borne(mesh, 2, mixed, "x0", 0, 0, V(2, 1, 0), V(2, 0, 0));
  borne(mesh, 2, mixed, "y0", 0, 0, V(2, 1, 0), V(0, 1, 0));
  /* a force that no held edge accounts for, as of an equation at a corner, counts wholly on both edges, also where one of
   * them is held in the other direction */
  const SupportedGroup across[] = {left, {mesh_group(mesh, "x1"), 1, false, false}};
  borne(mesh, 1, &left, "x1", 3, 0, V(0, 7, 0), V(0, 7, 0));
  borne(mesh, 1, &left, "y0", 3, 0, V(0, 7, 0), V(0, 7, 0));
  borne(mesh, 2, across, "x1", 3, 0, V(5, 7, 0), V(5, 7, 0));
  borne(mesh, 2, across, "y0", 3, 0, V(5, 7, 0), V(0, 7, 0));
  /* a spring bears what no support holds, whatever their sizes */
  const SupportedGroup soft[] = {{mesh_group(mesh, "x0"), 1, false, false}, {mesh_group(mesh, "y0"), 3, false, true}};
  borne(mesh, 2, soft, "x0", 0, 0, V(4, 8, 0), V(4, 0, 0));
  borne(mesh, 2, soft, "y0", 0, 0, V(4, 8, 0), V(0, 8, 0));
  /* held as a part of a region: the nodes count */
  borne(mesh, 1, &region, "y0", 0, 0, V(2, 1, 0), V(2, 1, 0));
  /* turned by 30 degrees, both edges held along their normals */
  const double c = sqrt(3) / 2, s = 0.5;
  for (int32_t i = 0; i < NODES; ++i) {
    const double x = mesh->x[i][0], y = mesh->x[i][1];
    mesh->x[i][0] = c * x - s * y, mesh->x[i][1] = s * x + c * y;
  }
  const SupportedGroup normals[] = {{mesh_group(mesh, "x0"), 0, true, false}, bottom};
  borne(mesh, 2, normals, "x0", 0, 0, V(2 * c - s, 2 * s + c, 0), V(2 * c, 2 * s, 0));
  borne(mesh, 2, normals, "y0", 0, 0, V(2 * c - s, 2 * s + c, 0), V(-s, c, 0));
  mesh_destroy(&mesh);
}

static void a_scalar(void **state) {
  (void)state;
  Mesh *mesh = NULL;
  assert_ok(mesh_box(&(BoxParams){.kind = ELEMENT_QUAD4, .n = {N, N, 1}, .size = {3, 1, 1}}, &mesh));
  const SupportedGroup held[] = {{mesh_group(mesh, "x0"), 1, false, false}, {mesh_group(mesh, "y0"), 1, false, false}};
  double r[NODES], x0, y0, y1;
  for (int i = 0; i < NODES; ++i) r[i] = mesh->x[i][0] == 0 || mesh->x[i][1] == 0;
  assert_ok(reaction_share_sum(mesh, 2, held, mesh_group(mesh, "x0"), 1, r, NULL, &x0));
  assert_ok(reaction_share_sum(mesh, 2, held, mesh_group(mesh, "y0"), 1, r, NULL, &y0));
  assert_ok(reaction_share_sum(mesh, 2, held, mesh_group(mesh, "y1"), 1, r, NULL, &y1));
  assert_near(x0, N + 0.25, 1e-13);
  assert_near(y0, N + 0.75, 1e-13);
  assert_near(y1, 0, 1e-15);
  mesh_destroy(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(edges_of_a_plate), cmocka_unit_test(a_scalar)};
  return cmocka_run_group_tests_name("assembly/reaction_share", tests, NULL, NULL);
}
