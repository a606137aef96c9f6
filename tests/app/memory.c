/* What `sinew check` says about memory against what a run then takes: within 20 %, on meshes where arrays count. */
#include "app/input/physics.h"
#include "app/run/run.h"
#include "app/setup/setup.h"
#include "core/memory.h"
#include "mesh/mesh.h"
#include "algebra/mat.h"
#include "tests/app/scratch.h"

#include <stdio.h>
#include <string.h>

static const char CASE_2D[] =
    "version: 1\nmesh: {file: box.h5}\nphysics: elasticity\nmodel: plane-strain\nmaterials: [{on: body, young: 1, "
    "poisson: 0.3}]\n"
    "boundary: [{on: x0, fix: all}, {on: x1, traction: [1, 0]}]\nsolver: {rtol: 1e-3}\n"
    "output: {fields: [displacement, stress, von-mises, principal, reaction, strain-energy]}\n";
static const char CASE_3D[] = "version: 1\nmesh: {file: box.h5}\nphysics: elasticity\nmodel: 3d\nmaterials: [{on: "
                              "body, young: 1, poisson: 0.3}]\n"
                              "boundary: [{on: x0, fix: all}, {on: x1, traction: [1, 0, 0]}]\nsolver: {rtol: 1e-3}\n";

static const char HEATED[] =
    "version: 1\nmesh: {file: box.h5}\nphysics: heat\nmaterials: [{on: body, conductivity: 1, capacity: 1}]\n"
    "boundary: [{on: x0, temperature: 0}, {on: x1, flux: 1}]\nsolver: {rtol: 1e-3}\n";

static const char VIBRATING[] = "version: 1\nmesh: {file: box.h5}\nphysics: elasticity\nmodel: 3d\n"
                                "analysis: {type: harmonic, frequency: 0.01, damping: 0.1}\nmaterials: [{on: body, "
                                "young: 1, poisson: 0.3, density: 1}]\n"
                                "boundary: [{on: x0, fix: all}, {on: x1, traction: [1, 0, 0]}]\nsolver: {rtol: 1e-3}\n";

/* The plan as `sinew check` makes it, and the most that a run had in use. */
static void hold(const char *text, const BoxParams *box, int n_set, const char *const *set) {
  char *folder = scratch_create();
  Mesh *mesh = NULL;
  Case *c = NULL;
  Setup setup;
  Device device;
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
  assert_ok(device_open(BACKEND_CPU, 0, &device));
  Inspection inspection = {.request = {c, mesh, &setup, NULL, false, mesh_bytes},
                           .setup = &setup,
                           .exec = device.exec,
                           .quiet = true,
                           .plan = &plan};
  assert_ok(c->physics->inspect(&inspection));
  for (int32_t i = 0; i < plan.n; ++i) plan.item[i].on_exec = false;
  const double planned = (double)memory_plan_bytes(&plan, false);
  setup_release(&setup);
  mesh_destroy(&mesh);
  device_close(&device);
  const RunParams params = {.backend = BACKEND_CPU, .folder = scratch_path(folder, "out"), .quiet = true};
  assert_ok(run_case(c, &params, &report));
  const double taken = (double)report.host_peak;
  print_message("%s %s: planned %.3g MB, taken %.3g MB, ratio %.3f\n", element_type(box->kind)->name,
                c->solver.format.type.text, planned / 1e6, taken / 1e6, planned / taken);
  if (planned < 0.8 * taken || planned > 1.2 * taken) fail_msg("planned %.0f bytes, taken %.0f", planned, taken);
  report_release(&report);
  case_destroy(&c);
  scratch_remove(&folder);
}

static void heat_plan_is_near(void **state) {
  (void)state;
  static const char *const amg[] = {"solver.preconditioner.type=amg"},
                           *const cmg[] = {"solver.preconditioner.type=cmg"},
                           *const jacobi[] = {"solver.preconditioner.type=jacobi"},
                           *const steps[] = {"time={end: 2, step: 1}"};
  const BoxParams flat = {.kind = ELEMENT_QUAD4, .n = {90, 90, 1}, .size = {1, 1, 1}},
                  solid = {.kind = ELEMENT_HEX8, .n = {16, 16, 16}, .size = {1, 1, 1}};
  hold(HEATED, &flat, 1, jacobi);
  hold(HEATED, &flat, 1, amg);
  hold(HEATED, &flat, 1, cmg);
  hold(HEATED, &solid, 1, amg);
  hold(HEATED, &solid, 0, NULL);
  hold(HEATED, &flat, 1, steps);
}

static void plan_is_near(void **state) {
  (void)state;
  static const char *const csr[] = {"solver.format=csr", "solver.preconditioner=jacobi"},
                           *const twice[] = {"solver.precision=double"}, *const curve[] = {"solver.numbering=hilbert"},
                           *const plain[] = {"solver.preconditioner=jacobi"};
  hold(CASE_2D, &(BoxParams){.kind = ELEMENT_QUAD4, .n = {80, 80, 1}, .size = {1, 1, 1}}, 0, NULL);
  hold(CASE_2D, &(BoxParams){.kind = ELEMENT_TRI6, .n = {40, 40, 1}, .size = {1, 1, 1}}, 1, twice);
  hold(CASE_3D, &(BoxParams){.kind = ELEMENT_HEX8, .n = {12, 12, 12}, .size = {1, 1, 1}}, 0, NULL);
  hold(CASE_3D, &(BoxParams){.kind = ELEMENT_TET4, .n = {12, 12, 12}, .size = {1, 1, 1}}, 2, csr);
  hold(CASE_3D, &(BoxParams){.kind = ELEMENT_TET4, .n = {12, 12, 12}, .size = {1, 1, 1}}, 1, curve);
  hold(CASE_3D, &(BoxParams){.kind = ELEMENT_TET4, .n = {6, 6, 6}, .size = {1, 1, 1}}, 0, NULL); /* auto is jacobi */
  hold(CASE_3D, &(BoxParams){.kind = ELEMENT_TET4, .n = {6, 6, 6}, .size = {1, 1, 1}}, 1, plain);
  hold(CASE_3D, &(BoxParams){.kind = ELEMENT_HEX20, .n = {5, 5, 5}, .size = {1, 1, 1}}, 0, NULL);
}

static void harmonic_is_near(void **state) {
  (void)state;
  static const char *const more[] = {"analysis.damping=0", "solver.format=csr",
                                     "output.fields=[displacement, stress, von-mises]"};
  hold(VIBRATING, &(BoxParams){.kind = ELEMENT_HEX8, .n = {12, 12, 12}, .size = {1, 1, 1}}, 0, NULL);
  hold(VIBRATING, &(BoxParams){.kind = ELEMENT_TET4, .n = {12, 12, 12}, .size = {1, 1, 1}}, 3, more);
}

/* Every format, in space and in the plane; row orders, listed slots and padding all count. */
static void every_format_is_near(void **state) {
  (void)state;
  char word[64];
  const char *const set[] = {word, "solver.preconditioner=least-squares"};
  for (int32_t i = -1; i < mat_format_count(); ++i) {
    snprintf(word, sizeof word, "solver.format=%s", i < 0 ? "auto" : mat_format_name(i));
    hold(CASE_3D, &(BoxParams){.kind = ELEMENT_TET4, .n = {6, 6, 6}, .size = {1, 1, 1}}, 2, set);
    hold(CASE_2D, &(BoxParams){.kind = ELEMENT_TRI6, .n = {16, 16, 1}, .size = {1, 1, 1}}, 2, set);
  }
}

/* Beyond its limit the tracker refuses with a table, and the device is not asked. */
static void tracker_refuses(void **state) {
  (void)state;
  Exec *exec = NULL;
  MemoryTracker *tracker = NULL;
  double *a = NULL, *b = NULL;
  assert_ok(exec_create_cpu(1, &exec));
  const size_t before = mem_in_use();
  assert_ok(tracker_open(exec, 10000, &tracker));
  assert_ok(exec_alloc(exec, 1000, sizeof *a, "matrix values", (void **)&a));
  assert_fails(exec_alloc(exec, 300, sizeof *b, "a vector", (void **)&b), ERR_GPU, "a vector does not fit");
  assert_non_null(strstr(status_message(), "matrix values"));
  assert_non_null(strstr(status_message(), "8.0 kB"));
  assert_null(b);
  exec_release(exec, 1000, sizeof *a, (void **)&a);
  assert_ok(exec_alloc(exec, 1200, sizeof *b, "a vector", (void **)&b));
  assert_int_equal(tracker_peak(tracker), 9600);
  exec_release(exec, 1200, sizeof *b, (void **)&b);
  tracker_close(&tracker);
  assert_int_equal(mem_in_use(), before);
  assert_ok(exec_alloc(exec, 100000, sizeof *a, "after the tracker", (void **)&a));
  exec_release(exec, 100000, sizeof *a, (void **)&a);
  exec_destroy(&exec);
}

static void small_gpu_is_told(void **state) {
  (void)state;
  MemoryPlan plan = {0};
  assert_ok(memory_plan_add(&plan, "matrix values", 3000000, true, MEMORY_KEPT));
  assert_ok(memory_plan_add(&plan, "mesh", 9000000, false, MEMORY_KEPT));
  assert_ok(memory_table_check(&plan, 3e6, "the GPU"));
  assert_fails(memory_table_check(&plan, 2.9e6, "the GPU"), ERR_GPU,
               "this case needs 3.0 MB on the GPU, where 2.9 MB are free");
  assert_non_null(strstr(status_message(), "matrix values"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(heat_plan_is_near),    cmocka_unit_test(plan_is_near),
                                     cmocka_unit_test(every_format_is_near), cmocka_unit_test(harmonic_is_near),
                                     cmocka_unit_test(tracker_refuses),      cmocka_unit_test(small_gpu_is_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
