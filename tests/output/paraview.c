/* ParaView itself opens what we write: cells of all kinds together (mixed connectivity in
 * the sidecar) and of one kind, several steps and one. */
#include "sample.h"
#include "tests/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const ElementKind kinds[2][5] = {{ELEMENT_TRI3, ELEMENT_TRI6, ELEMENT_QUAD4, ELEMENT_QUAD8, ELEMENT_QUAD9},
                                        {ELEMENT_TET4, ELEMENT_TET10, ELEMENT_HEX8, ELEMENT_HEX20, ELEMENT_HEX27}};

static void opens(int n, const ElementKind *kind, int n_step) {
  Mesh *mesh = sample_mesh(n, kind);
  Writer *writer = NULL;
  WriterParams params = sample_params(mesh, n_step + 2);
  assert_ok(writer_create(&params, &writer));
  for (int k = 0; k < n_step; ++k) assert_ok(sample_step(writer, mesh, k));
  assert_ok(writer_close(&writer));
  char command[1024];
  snprintf(command, sizeof command, "pvpython '%s/tests/output/paraview_check.py' '%s' %d %d %d 2>&1", SINEW_SOURCE_DIR,
           sample_folder(), mesh->n_node, n, n_step);
  const int code = system(command);
  if (code != 0) fail_msg("%s: exit status %d", command, code);
  mesh_destroy(&mesh);
  sample_clean();
}

static void plane_cells(void **state) {
  (void)state;
  opens(5, kinds[0], 3);
  opens(1, &kinds[0][1], 1);
}

static void solid_cells(void **state) {
  (void)state;
  opens(5, kinds[1], 3);
  opens(1, &kinds[1][4], 1);
}

int main(void) {
  if (system("command -v pvpython > /dev/null 2>&1") != 0) return 77;
  const struct CMUnitTest tests[] = {cmocka_unit_test(plane_cells), cmocka_unit_test(solid_cells)};
  return cmocka_run_group_tests_name("output/paraview", tests, NULL, NULL);
}
