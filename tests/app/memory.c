/* What `sinew check` says about memory against what a run then takes: within 20 %, on meshes where arrays count. */
#include "app/memory_table.h"
#include "app/run.h"
#include "app/setup.h"
#include "core/memory.h"
#include "mesh/mesh.h"
#include "tests/app/scratch.h"

#include <stdio.h>
#include <string.h>

static const char CASE_2D[] =
    "version: 1\nmesh: {file: box.h5}\nphysics: elasticity\nmodel: plane-strain\nmaterials: [{on: body, young: 1, poisson: 0.3}]\n"
    "boundary: [{on: x0, fix: all}, {on: x1, traction: [1, 0]}]\nsolver: {rtol: 1e-3}\n"
    "output: {fields: [displacement, stress, von-mises, principal, reaction, strain-energy]}\n";
static const char CASE_3D[] =
    "version: 1\nmesh: {file: box.h5}\nphysics: elasticity\nmodel: 3d\nmaterials: [{on: body, young: 1, poisson: 0.3}]\n"
    "boundary: [{on: x0, fix: all}, {on: x1, traction: [1, 0, 0]}]\nsolver: {rtol: 1e-3}\n";

/* The plan as `sinew check` makes it, and the most that a run had in use. */
static void hold(const char *text, const BoxParams *box, int n_set, const char *const *set) {
  char *folder = scratch_create();
  Mesh *mesh = NULL;
  Case *c = NULL;
  Setup setup;
  Machine machine;
  Elasticity *elasticity = NULL;
  MemoryPlan plan = {0};
  RunReport report;
  assert_ok(mesh_box(box, &mesh));
  assert_ok(mesh_write_h5(mesh, scratch_path(folder, "box.h5")));
  mesh_destroy(&mesh);
  assert_ok(case_parse(scratch_path(folder, "c.yaml"), text, strlen(text), n_set, set, &c));
  const size_t before = mem_in_use();
  assert_ok(mesh_load(&(MeshParams){.path = c->mesh_path}, &mesh));
  const int64_t mesh_bytes = (int64_t)(mem_in_use() - before);
  assert_ok(setup_create(c, mesh, &setup));
  assert_ok(machine_open(BACKEND_CPU, 0, &machine));
  assert_ok(elasticity_create(machine.exec, &setup.params, &elasticity));
  assert_ok(memory_table_fill(c, elasticity, mesh_bytes, &plan));
  for (int32_t i = 0; i < plan.n; ++i) plan.item[i].on_exec = false;
  const double planned = (double)memory_plan_bytes(&plan, false);
  elasticity_destroy(&elasticity);
  setup_release(&setup);
  mesh_destroy(&mesh);
  machine_close(&machine);
  const RunParams params = {.backend = BACKEND_CPU, .folder = scratch_path(folder, "out"), .quiet = true};
  assert_ok(run_elasticity(c, &params, &report));
  const double taken = (double)report.host_peak;
  print_message("%s %s: planned %.3g MB, taken %.3g MB, ratio %.3f\n", element_type(box->kind)->name, c->solver.format.text,
                planned / 1e6, taken / 1e6, planned / taken);
  if (planned < 0.8 * taken || planned > 1.2 * taken) fail_msg("planned %.0f bytes, taken %.0f", planned, taken);
  report_release(&report);
  case_destroy(&c);
  scratch_remove(&folder);
}

static void plan_is_near(void **state) {
  (void)state;
  static const char *const csr[] = {"solver.format=csr", "solver.preconditioner=jacobi"}, *const twice[] = {"solver.precision=double"};
  hold(CASE_2D, &(BoxParams){.kind = ELEMENT_QUAD4, .n = {80, 80, 1}, .size = {1, 1, 1}}, 0, NULL);
  hold(CASE_2D, &(BoxParams){.kind = ELEMENT_TRI6, .n = {40, 40, 1}, .size = {1, 1, 1}}, 1, twice);
  hold(CASE_3D, &(BoxParams){.kind = ELEMENT_HEX8, .n = {12, 12, 12}, .size = {1, 1, 1}}, 0, NULL);
  hold(CASE_3D, &(BoxParams){.kind = ELEMENT_TET4, .n = {12, 12, 12}, .size = {1, 1, 1}}, 2, csr);
  hold(CASE_3D, &(BoxParams){.kind = ELEMENT_HEX20, .n = {5, 5, 5}, .size = {1, 1, 1}}, 0, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(plan_is_near)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
