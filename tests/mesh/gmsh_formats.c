/* Formats that come through Gmsh keep their groups: UNV in all its data sets, MED where this Gmsh has it, STEP by a
 * script that names surfaces, as docs/case-file.md says. */
#include "core/memory.h"
#include "mesh/mesh.h"
#include "tests/mesh/msh_writer.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool shell(const char *format, ...) {
  char command[2000];
  va_list args;
  va_start(args, format);
  vsnprintf(command, sizeof command, format, args);
  va_end(args);
  return system(command) == 0;
}

static bool have_gmsh(void) {
  const bool have = shell("gmsh -version >%s 2>&1", temporary_path("version"));
  if (!have) testing_missing("no gmsh");
  return have;
}

static const char box[] = "SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 3, 1, 1};\n";
static const char named[] = "Physical Volume(\"body\") = {1};\nPhysical Surface(\"left\") = {1};\n"
                            "Physical Surface(\"right\") = {2};\nMesh.MeshSizeMax = 0.7;\n";

static void put_box(void) {
  char text[1000];
  snprintf(text, sizeof text, "%s%s", box, named);
  put_file(temporary_path("box.geo"), text, strlen(text));
}

static void assert_groups(const char *path) {
  static const struct {
    const char *name;
    int dim;
    double measure;
  } groups[] = {{"body", 3, 3}, {"left", 2, 1}, {"right", 2, 1}};
  Mesh *mesh;
  double measure;
  assert_ok(mesh_load(&(MeshParams){.path = path}, &mesh));
  assert_string_equal(mesh->path, path);
  for (int g = 0; g < 3; ++g) {
    const Group *group = mesh_group(mesh, groups[g].name);
    assert_true(group && group->dim == groups[g].dim);
    assert_ok(mesh_group_measure(mesh, group, &measure));
    assert_near(measure, groups[g].measure, 1e-12);
  }
  mesh_destroy(&mesh);
}

static void unv_in_all_data_sets(void **state) {
  (void)state;
  if (!have_gmsh()) return;
  char from[500], to[500];
  put_box();
  snprintf(from, sizeof from, "%s", temporary_path("box.unv"));
  snprintf(to, sizeof to, "%s", temporary_path("older.unv"));
  assert_true(shell("gmsh -3 -v 1 -format unv -o %s %s", from, temporary_path("box.geo")));
  assert_groups(from);
  for (int k = 0; k < 3; ++k) {
    static const char *const sets[] = {"2435", "2452", "2467"};
    assert_true(shell("sed 's/^ *2477$/  %s/' %s > %s", sets[k], from, to));
    assert_true(shell("grep -q '^  %s$' %s", sets[k], to));
    assert_groups(to);
  }
}

/* The script of docs/case-file.md. */
static void step_with_names(void **state) {
  (void)state;
  if (!have_gmsh()) return;
  static const char script[] = "Merge \"part.step\";\nPhysical Volume(\"body\") = Volume{:};\ne = 1e-3;\n"
                               "Physical Surface(\"left\") = Surface In BoundingBox {-e, -e, -e, e, 1+e, 1+e};\n"
                               "Physical Surface(\"right\") = Surface In BoundingBox {3-e, -e, -e, 3+e, 1+e, 1+e};\n";
  put_file(temporary_path("box.geo"), box, strlen(box));
  put_file(temporary_path("part-named.geo"), script, strlen(script));
  char from[500];
  snprintf(from, sizeof from, "%s", temporary_path("box.geo"));
  assert_true(shell("gmsh -0 -v 1 -o %s %s >/dev/null", temporary_path("part.step"), from));
  assert_groups(temporary_path("part-named.geo"));
}

/* Of the nodes of a group, the largest distance of their radius in x and y from what it is to be. */
static double off_radius(const Mesh *mesh, const char *name, double radius) {
  const Group *group = mesh_group(mesh, name);
  double most = 0;
  assert_non_null(group);
  for (int32_t k = 0; k < group->n; ++k) {
    const int32_t *nodes = mesh_nodes_of(mesh, group->element[k]);
    const int32_t n = element_type(mesh_block_of(mesh, group->element[k])->kind)->n_node;
    for (int32_t a = 0; a < n; ++a) most = fmax(most, fabs(hypot(mesh->x[nodes[a]][0], mesh->x[nodes[a]][1]) - radius));
  }
  return most;
}

static int32_t solved(const Mesh *mesh) {
  int32_t n = 0;
  for (int32_t b = 0; b < mesh->n_block; ++b)
    if (element_type(mesh->block[b].kind)->dim == mesh->dim) n += mesh->block[b].n;
  return n;
}

/* New nodes of a curved boundary lie on the curve, in the order that is asked for or that the file asks for, flat and in space. */
static void refined_on_the_geometry(void **state) {
  (void)state;
  static const char ring[] = "Point(1) = {0, 0, 0}; Point(2) = {1.3, 0, 0}; Point(3) = {2, 0, 0}; Point(4) = {0, 2, "
                             "0}; Point(5) = {0, 1.3, 0};\n"
                             "Line(1) = {2, 3}; Circle(2) = {3, 1, 4}; Line(3) = {4, 5}; Circle(4) = {5, 1, 2};\n"
                             "Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};\nPhysical Surface(\"body\") = {1}; "
                             "Physical Curve(\"arc\") = "
                             "{4};\nMesh.MeshSizeMax = 0.6;\n";
  static const char tube[] =
      "SetFactory(\"OpenCASCADE\");\nCylinder(1) = {0, 0, 0, 0, 0, 1, 1.3};\n"
      "Physical Volume(\"body\") = {1}; Physical Surface(\"arc\") = {1};\nMesh.MeshSizeMax = 0.9;\n";
  static const struct {
    const char *geo, *more;
    int32_t order, refine, is_order;
  } of[] = {{ring, "", 0, 2, 1}, {ring, "", 2, 1, 2}, {ring, "Mesh.ElementOrder = 2;\n", 0, 1, 2},
            {tube, "", 0, 1, 1}, {tube, "", 2, 1, 2}, {ring, "Recombine Surface {1};\n", 1, 2, 1}};
  if (!have_gmsh()) return;
  for (size_t i = 0; i < sizeof of / sizeof *of; ++i) {
    char text[2000];
    int32_t n[2];
    snprintf(text, sizeof text, "%s%s", of[i].geo, of[i].more);
    put_file(temporary_path("curved.geo"), text, strlen(text));
    for (int fine = 0; fine < 2; ++fine) {
      Mesh *mesh;
      const MeshParams params = {
          .path = temporary_path("curved.geo"), .order = of[i].order, .refine = fine ? of[i].refine : 0};
      assert_ok(mesh_load(&params, &mesh));
      if (!(off_radius(mesh, "arc", 1.3) < 1e-7)) fail_msg("mesh %d is %g off", (int)i, off_radius(mesh, "arc", 1.3));
      for (int32_t b = 0; b < mesh->n_block; ++b)
        if (element_type(mesh->block[b].kind)->dim == mesh->dim)
          assert_int_equal(element_type(mesh->block[b].kind)->order, of[i].is_order);
      n[fine] = solved(mesh);
      if (fine) assert_int_equal(n[1], n[0] << (mesh->dim * of[i].refine));
      mesh_destroy(&mesh);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(unv_in_all_data_sets), cmocka_unit_test(step_with_names),
                                     cmocka_unit_test(refined_on_the_geometry)};
  return cmocka_run_group_tests_name("gmsh_formats", tests, NULL, NULL);
}
