/* ParaView itself opens what we write: cells of all kinds together (mixed connectivity in
 * the sidecar) and of one kind, cubic ones, several steps and one. */
#include "sample.h"
#include "tests/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const ElementKind kinds[2][5] = {{ELEMENT_TRI3, ELEMENT_TRI6, ELEMENT_QUAD4, ELEMENT_QUAD8, ELEMENT_QUAD9},
                                        {ELEMENT_TET4, ELEMENT_TET10, ELEMENT_HEX8, ELEMENT_HEX20, ELEMENT_HEX27}};

/* `bent`: nodes are moved as paraview_check.py says. */
static void opens(int n, const ElementKind *kind, int n_step, bool bent) {
  Mesh *mesh = sample_mesh(n, kind);
  for (int i = 0; bent && i < mesh->n_node; ++i) {
    double *x = mesh->x[i];
    x[0] += 0.3 * x[1] * x[1] * x[1] - 0.2 * x[1] * x[1] * x[2];
  }
  Writer *writer = NULL;
  WriterParams params = sample_params(mesh, n_step + 2);
  assert_ok(writer_create(&params, &writer));
  for (int k = 0; k < n_step; ++k) assert_ok(sample_step(writer, mesh, k));
  assert_ok(writer_close(&writer));
  char command[1024];
  snprintf(command, sizeof command, "pvpython '%s/tests/output/paraview_check.py' '%s' %d %d %d %d 2>&1",
           SINEW_SOURCE_DIR, sample_folder(), mesh->n_node, n, n_step, bent);
  const int code = system(command);
  if (code != 0) fail_msg("%s: exit status %d", command, code);
  mesh_destroy(&mesh);
  sample_clean();
}

static void plane_cells(void **state) {
  (void)state;
  opens(5, kinds[0], 3, false);
  opens(1, &kinds[0][1], 1, false);
}

static void solid_cells(void **state) {
  (void)state;
  opens(5, kinds[1], 3, false);
  opens(1, &kinds[1][4], 1, false);
}

/* results.hdf has Lagrange cells, the sidecar their linear pieces. */
static void cubic_cells(void **state) {
  (void)state;
  for (int bent = 0; bent < 2; ++bent) {
    const ElementKind flat = element_by_name("tri10")->kind, solid = element_by_name("tet20")->kind;
    opens(2, (const ElementKind[]){flat, flat}, 2, bent);
    opens(2, (const ElementKind[]){solid, solid}, 1, bent);
  }
}

int main(void) {
  if (system("command -v pvpython > /dev/null 2>&1") != 0) return 77;
  const struct CMUnitTest tests[] = {cmocka_unit_test(plane_cells), cmocka_unit_test(solid_cells),
                                     cmocka_unit_test(cubic_cells)};
  return cmocka_run_group_tests_name("output/paraview", tests, NULL, NULL);
}
