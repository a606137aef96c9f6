/* A case held against a mesh: groups by use, unions, materials, probes; all faults at once. */
#include "app/elasticity/elastic.h"
#include "app/setup/setup.h"
#include "core/memory.h"
#include "tests/testing.h"

#include <stdio.h>
#include <string.h>

/* 2 x 2 quads on the unit square: body; x0 x1 y0 y1 (2 edges each). */
static Mesh *square(void) {
  Mesh *mesh = NULL;
  assert_ok(mesh_box(&(BoxParams){.kind = ELEMENT_QUAD4, .n = {2, 2, 1}, .size = {1, 1, 1}}, &mesh));
  return mesh;
}

static Case *read_case(const char *rest) {
  char text[4096];
  Case *c = NULL;
  snprintf(text, sizeof text, "version: 1\nmesh: {file: m.msh}\nphysics: elasticity\nmodel: plane-stress\n%s", rest);
  assert_ok(case_parse("c.yaml", text, strlen(text), 0, NULL, &c));
  return c;
}
#define MATERIAL "materials: [{on: body, young: 1, poisson: 0}]\n"

static void refuses(const char *rest, Status wanted, const char *message) {
  const size_t before = mem_in_use();
  Mesh *mesh = square();
  Case *c = read_case(rest);
  Setup setup;
  const Status status = setup_create(c, mesh, &setup);
  if (status != wanted || strcmp(status_message(), message) != 0) {
    print_error("for\n%s\nexpected: %s\n", rest, message);
    fail_msg("     got: %s (%s)", status_message(), status_text(status));
  }
  case_destroy(&c);
  mesh_destroy(&mesh);
  assert_int_equal(mem_in_use(), before);
}

static void parts_are_bound(void **state) {
  (void)state;
  Mesh *mesh = square();
  Case *c = read_case(
      MATERIAL
      "boundary:\n- {on: x0, fix: {x: 0, y: 'y/10'}}\n- {on: [x1, y1], traction: [1, 2], spring: 3}\n"
      "- {on: y0, symmetry: true, pressure: 4}\n"
      "output: {probes: [{name: a, at: [1, 1], field: von-mises}, {name: b, at: [0.3, 0.2], field: von-mises}], "
      "sums: [{name: s, on: [x0, y0], field: reaction}]}\n");
  Setup setup;
  assert_ok(setup_create(c, mesh, &setup));
  const ElasticityParams *p = &elastic_setup(&setup)->params;
  assert_int_equal(p->n_support, 2);
  assert_int_equal(p->n_load, 3);
  const double x[3] = {0, 0.5, 0};
  assert_true(expr_value(&p->support[0].value[1], x, 0) == 0.05 && !expr_given(&p->support[0].value[2]));
  assert_true(p->support[1].symmetry && !expr_given(&p->support[1].value[0]));
  assert_string_equal(p->support[0].where, "c.yaml:7:17");
  assert_int_equal(p->load[0].kind, LOAD_TRACTION);
  assert_int_equal(p->load[0].on->n, 4);
  for (int32_t i = 1; i < 4; ++i) assert_true(p->load[0].on->element[i] > p->load[0].on->element[i - 1]);
  assert_int_equal(p->load[1].kind, LOAD_SPRING);
  assert_true(expr_value(&p->load[1].value[1], x, 0) == 3);
  assert_int_equal(p->load[2].kind, LOAD_PRESSURE);
  assert_true(expr_value(&p->load[2].value[0], x, 0) == 4 && !expr_given(&p->load[2].value[1]));
  assert_true(setup.probe[0].node >= 0 && setup.probe[1].node < 0 && setup.probe[1].element >= 0);
  assert_int_equal(setup.sum[0]->n, 4);
  for (int32_t e = 0; e < mesh->n_element; ++e)
    assert_int_equal(p->element_material[e], element_type(mesh_block_of(mesh, e)->kind)->dim == 2 ? 0 : -1);
  setup_release(&setup);
  case_destroy(&c);
  mesh_destroy(&mesh);
}

static void faults(void **state) {
  (void)state;
  Mesh *mesh = square();
  char groups[512] = "", message[2048];
  const char *slash = strrchr(mesh->path, '/'), *file = slash ? slash + 1 : mesh->path;
  mesh_describe_groups(mesh, groups, sizeof groups);
  snprintf(message, sizeof message,
           "c.yaml:5:18: unknown group 'bdy'\n  groups in %s: %s\n  did you mean 'body'?\n"
           "c.yaml:6:17: unknown group 'nowhere'\n  groups in %s: %s",
           file, groups, file, groups);
  mesh_destroy(&mesh);
  refuses("materials: [{on: bdy, young: 1, poisson: 0}]\nboundary: [{on: nowhere, fix: all}]\n", ERR_INPUT, message);
  refuses(MATERIAL "boundary: [{on: body, traction: [1, 0]}]\n", ERR_INPUT,
          "c.yaml:6:17: traction on 'body', which is a surface group (4 elements)\n  traction needs a curve group of "
          "this mesh");
  refuses(MATERIAL "boundary: [{on: [x0, body], force: [1, 0]}]\n", ERR_INPUT,
          "c.yaml:6:22: 'body' is a surface group and 'x0' a curve group; a list has groups of one dimension");
  refuses("materials: [{on: x0, young: 1, poisson: 0}]\n", ERR_INPUT,
          "c.yaml:5:18: material on 'x0', which is a curve group (2 elements)\n  material needs a surface group of "
          "this mesh");
  refuses("materials: [{on: body, young: 1, poisson: 0}, {on: body, young: 2, poisson: 0}]\n", ERR_INPUT,
          "c.yaml:5:47: 4 elements of 'body' get a second material, such as element 9\n  the first one is that of "
          "c.yaml:5:13");
  refuses(MATERIAL "body: [{on: body, gravity: [0, -1]}]\n", ERR_INPUT,
          "c.yaml:6:28: gravity on 'body' needs a density\n  the material of c.yaml:5:13 has none");
  refuses(
      MATERIAL "output: {probes: [{name: p, at: [1.5, 1], field: von-mises}]}\n", ERR_INPUT,
      "c.yaml:6:33: probe 'p' at (1.5, 1) lies outside the mesh, 0.5 away from it\n  the nearest node is 9, at (1, 1)");
}

static void meshes_of_another_kind(void **state) {
  (void)state;
  Mesh *mesh = square();
  Case *c = read_case(MATERIAL);
  Setup setup;
  mesh->x[4][2] = 0.5;
  assert_fails(setup_create(c, mesh, &setup), ERR_MESH, "needs a flat mesh");
  for (int32_t i = 0; i < mesh->n_node; ++i) mesh->x[i][2] = 0.5; /* flat at another height */
  assert_ok(setup_create(c, mesh, &setup));
  setup_release(&setup);
  c->model = (WordValue){MODEL_SOLID, "3d", c->model.place};
  assert_fails(setup_create(c, mesh, &setup), ERR_MESH, "is a surface mesh, but model '3d' needs volume elements");
  mesh_destroy(&mesh);
  assert_ok(mesh_box(&(BoxParams){.kind = ELEMENT_TET4, .n = {1, 1, 1}, .size = {1, 1, 1}}, &mesh));
  c->model = (WordValue){MODEL_PLANE_STRAIN, "plane-strain", c->model.place};
  assert_fails(setup_create(c, mesh, &setup), ERR_INPUT, "c.yaml:4:8: model 'plane-strain' needs a surface mesh");
  mesh_destroy(&mesh);
  case_destroy(&c);
}

static void every_allocation_fails_once(void **state) {
  (void)state;
  Mesh *mesh = square();
  Case *c = read_case(
      MATERIAL
      "boundary: [{on: [x0, x1], fix: all, traction: [1, 2]}]\n"
      "output: {probes: [{name: p, at: [0.3, 1], field: von-mises}], sums: [{name: s, on: x0, field: reaction}]}\n");
  Setup setup;
  testing_fail_each_of(setup_create(c, mesh, &setup), setup_release(&setup));
  case_destroy(&c);
  mesh_destroy(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(parts_are_bound), cmocka_unit_test(faults),
                                     cmocka_unit_test(meshes_of_another_kind),
                                     cmocka_unit_test(every_allocation_fails_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
