/* Reactions of nodes where groups meet: each counts for the group whose facets are held there. */
#include "assembly/held_share.h"
#include "tests/testing.h"

#include <math.h>

enum { N = 4 };

/* The share of `group` at the node next to (x, y). */
static double share_at(const Mesh *mesh, int32_t n, const HeldGroup *held, const char *group, int c, double x, double y) {
  double share[(N + 1) * (N + 1)];
  assert_int_equal(mesh->n_node, (N + 1) * (N + 1));
  assert_ok(held_share(mesh, n, held, mesh_group(mesh, group), c, share));
  int32_t best = 0;
  for (int32_t i = 1; i < mesh->n_node; ++i)
    if (hypot(mesh->x[i][0] - x, mesh->x[i][1] - y) < hypot(mesh->x[best][0] - x, mesh->x[best][1] - y)) best = i;
  return share[best];
}

static void edges_of_a_plate(void **state) {
  (void)state;
  Mesh *mesh = NULL;
  assert_ok(mesh_box(&(BoxParams){.kind = ELEMENT_QUAD4, .n = {N, N, 1}, .size = {3, 1, 1}}, &mesh));
  const HeldGroup left = {mesh_group(mesh, "x0"), 1, false}, bottom = {mesh_group(mesh, "y0"), 0, true},
                  both[] = {left, {mesh_group(mesh, "y0"), 3, false}, left}, symmetric[] = {left, bottom},
                  region = {mesh_group(mesh, "body"), 1, false};
  /* an insulated edge bears nothing of the corner that it shares */
  assert_near(share_at(mesh, 1, &left, "x0", 0, 0, 0), 1, 1e-15);
  assert_near(share_at(mesh, 1, &left, "y0", 0, 0, 0), 0, 1e-15);
  assert_near(share_at(mesh, 1, &left, "x0", 0, 3, 1), 0, 1e-15); /* not on it */
  /* two held edges divide it by the length of their elements there; naming a group twice changes nothing */
  assert_near(share_at(mesh, 3, both, "x0", 0, 0, 0), 0.25, 1e-14);
  assert_near(share_at(mesh, 3, both, "y0", 0, 0, 0), 0.75, 1e-14);
  /* by component: symmetry holds the normal, which is y */
  assert_near(share_at(mesh, 2, symmetric, "x0", 0, 0, 0), 1, 1e-15);
  assert_near(share_at(mesh, 2, symmetric, "y0", 0, 0, 0), 0, 1e-15);
  assert_near(share_at(mesh, 2, symmetric, "y0", 1, 0, 0), 1, 1e-15);
  assert_near(share_at(mesh, 2, symmetric, "x0", 1, 0, 0), 0, 1e-15);
  /* held as a part of a region: the nodes count */
  assert_near(share_at(mesh, 1, &region, "y0", 0, 0, 0), 1, 1e-15);
  mesh_destroy(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(edges_of_a_plate)};
  return cmocka_run_group_tests_name("assembly/held_share", tests, NULL, NULL);
}
