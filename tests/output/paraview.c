/* ParaView opens what we write with each of its readers, and PyVista where it is: cells of all kinds together (mixed
 * connectivity in the sidecar) and of one kind, cubic ones, several steps and one. */
#include "sample.h"
#include "tests/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const ElementKind kinds[3][5] = {
    {ELEMENT_TRI3, ELEMENT_TRI6, ELEMENT_QUAD4, ELEMENT_QUAD8, ELEMENT_QUAD9},
    {ELEMENT_TET4, ELEMENT_TET10, ELEMENT_HEX8, ELEMENT_HEX20, ELEMENT_HEX27},
    {ELEMENT_TET4, ELEMENT_WEDGE6, ELEMENT_WEDGE15, ELEMENT_PYRAMID5, ELEMENT_PYRAMID13}};

static int n_written;
static const char *program = "pvpython", *with = "paraview";

/* Writes a result into a folder of its own, and a line about it into "list". `bent`: nodes are moved as
 * paraview_check.py says. */
static void write_result(int n, const ElementKind *kind, int n_step, bool bent) {
  Mesh *mesh = sample_mesh(n, kind);
  for (int i = 0; bent && i < mesh->n_node; ++i) {
    double *x = mesh->x[i];
    x[0] += 0.3 * x[1] * x[1] * x[1] - 0.2 * x[1] * x[1] * x[2];
  }
  Writer *writer = NULL;
  WriterParams params = sample_params(mesh, n_step + (n_step > 1 ? 2 : 0));
  sample_groups(mesh);
  const char *const material[] = {"first", "others"};
  int32_t element_material[16];
  for (int e = 0; e < mesh->n_element; ++e) element_material[e] = e > 2;
  params.n_material = 2, params.material = material, params.element_material = element_material;
  char name[16];
  snprintf(name, sizeof name, "%d", n_written++);
  params.folder = sample_path(name);
  mkdir(params.folder, 0777);
  assert_ok(writer_create(&params, &writer));
  for (int k = 0; k < n_step; ++k) assert_ok(sample_step(writer, mesh, k));
  assert_ok(writer_close(&writer));
  FILE *list = fopen(sample_path("list"), "a");
  assert_non_null(list);
  fprintf(list, "%s %d %d %d %d\n", params.folder, mesh->n_node, n, n_step, bent);
  fclose(list);
  mesh_destroy(&mesh);
}

static void write_results(void) {
  for (int d = 0; d < 3; ++d) {
    write_result(5, kinds[d], 3, false);
    for (int i = 0; i < 5; ++i) write_result(1, &kinds[d][i], 1 + i % 2, false);
  }
  sample_storage = 1; /* floats; packed, which XDMF names whole where there is one step */
  write_result(5, kinds[1], 3, false);
  for (sample_storage = 2; sample_storage < 4; ++sample_storage) {
    write_result(5, kinds[1], 1, false);
    write_result(1, &kinds[1][2], 1, false);
  }
  sample_storage = 0;
  /* results.hdf has Lagrange cells, the sidecar their linear pieces. */
  const ElementKind flat = element_by_name("tri10")->kind, solid = element_by_name("tet20")->kind;
  for (int bent = 0; bent < 2; ++bent) {
    write_result(2, (const ElementKind[]){flat, flat}, 2, bent);
    write_result(2, (const ElementKind[]){solid, solid}, 1, bent);
  }
}

static void check(void) {
  char command[1024];
  snprintf(command, sizeof command, "%s '%s/tests/output/paraview_check.py' %s '%s' > '%s' 2>&1", program,
           SINEW_SOURCE_DIR, with, sample_path("list"), sample_path("said"));
  const int code = system(command);
  char *said = sample_text("said");
  if (code != 0) print_message("%s\n", said);
  free(said);
  if (code != 0) fail_msg("%s: exit status %d", command, code);
}

static void every_reader(void **state) {
  (void)state;
  check();
}

/* Without an argument ParaView, with "pyvista" that. */
int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "pyvista") == 0) program = "python3", with = "pyvista";
  char command[128];
  snprintf(command, sizeof command, "%s -c 'import %s' > /dev/null 2>&1", program, with);
  if (system(command) != 0) {
    fprintf(stderr, "skipped: no %s (apt-get install paraview python3-paraview; pip install pyvista)\n", with);
    return 77;
  }
  write_results();
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_reader)};
  const int failed = cmocka_run_group_tests_name("output/paraview", tests, NULL, NULL);
  sample_clean();
  return failed;
}
