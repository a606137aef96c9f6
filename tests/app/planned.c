#include "tests/app/planned.h"
#include "core/memory.h"
#include "tests/app/scratch.h"

#include <string.h>

const char PLANNED_2D[] =
    "version: 1\nmesh: {file: box.h5}\nphysics: elasticity\nmodel: plane-strain\nmaterials: [{on: body, young: 1, "
    "poisson: 0.3}]\n"
    "boundary: [{on: x0, fix: all}, {on: x1, traction: [1, 0]}]\nsolver: {rtol: 1e-3}\n"
    "output: {fields: [displacement, stress, von-mises, principal, reaction, strain-energy]}\n";
const char PLANNED_3D[] = "version: 1\nmesh: {file: box.h5}\nphysics: elasticity\nmodel: 3d\nmaterials: [{on: "
                          "body, young: 1, poisson: 0.3}]\n"
                          "boundary: [{on: x0, fix: all}, {on: x1, traction: [1, 0, 0]}]\nsolver: {rtol: 1e-3}\n";

const char PLANNED_HEAT[] =
    "version: 1\nmesh: {file: box.h5}\nphysics: heat\nmaterials: [{on: body, conductivity: 1, capacity: 1}]\n"
    "boundary: [{on: x0, temperature: 0}, {on: x1, flux: 1}]\nsolver: {rtol: 1e-3}\n";

const char PLANNED_HARMONIC[] = "version: 1\nmesh: {file: box.h5}\nphysics: elasticity\nmodel: 3d\n"
                                "analysis: {type: harmonic, frequency: 0.01, damping: 0.1}\nmaterials: [{on: body, "
                                "young: 1, poisson: 0.3, density: 1}]\n"
                                "boundary: [{on: x0, fix: all}, {on: x1, traction: [1, 0, 0]}]\nsolver: {rtol: 1e-3}\n";

const char PLANNED_HEART[] =
    "version: 1\nmesh: {file: box.h5}\nphysics: monodomain\ntissue: [{on: body, ionic: aliev-panfilov, diffusivity: "
    "0.1, "
    "fibers: {direction: [1, 0, 0]}}]\n"
    "stimuli: [{name: s, on: {box: {min: [0, 0, 0], max: [1, 6, 6]}}, start: 0, duration: 2, amplitude: 50}]\n"
    "time: {end: 1, step: 0.25}\noutput: {every: 0.5, fields: [potential], maps: [activation]}\n";

typedef struct Box {
  char *folder;
  Mesh *mesh;
  Case *c;
  Setup setup;
  int64_t host_bytes;
} Box;

static void box_begin(const Planned *p, Box *b) {
  *b = (Box){.folder = scratch_create()};
  assert_ok(mesh_box(p->box, &b->mesh));
  assert_ok(mesh_write_h5(b->mesh, scratch_path(b->folder, "box.h5")));
  mesh_destroy(&b->mesh);
  const size_t before = mem_in_use();
  assert_ok(case_parse(scratch_path(b->folder, "c.yaml"), p->text, strlen(p->text), p->n_set, p->set, &b->c));
  assert_ok(mesh_load(&(MeshParams){.path = b->c->mesh_path}, &b->mesh));
  assert_ok(setup_create(b->c, b->mesh, &b->setup));
  b->host_bytes = (int64_t)(mem_in_use() - before);
}

static void box_end_setup(Box *b) {
  setup_release(&b->setup);
  mesh_destroy(&b->mesh);
}

static void box_end(Box *b) {
  case_destroy(&b->c);
  scratch_remove(&b->folder);
}

/* Leaves no memory and no warnings behind. */
static void forecast_box(Box *b, int64_t sample, bool on_gpu, double room, MemoryPlan *plan) {
  const int n_warning = status_warning_count();
  const size_t before = mem_in_use();
  const ForecastRequest request = {
      .c = b->c, .mesh = b->mesh, .setup = &b->setup, .on_gpu = on_gpu, .host_bytes = b->host_bytes, .sample = sample};
  assert_ok(memory_forecast(&request, plan));
  assert_int_equal(mem_in_use(), before);
  for (int i = n_warning; i < status_warning_count(); ++i) print_message("%s\n", status_warning(i));
  assert_int_equal(status_warning_count(), n_warning);
}

/* The last level is inverted on the host, and which of a few hundred unknowns it has is for the coarsening to say. */
enum { LAST_LEVEL_BYTES = 1 << 20 };

/* spare: bytes that it may be off by besides. */
static void hold_near(const Planned *p, const char *what, double planned, double taken, double spare) {
  print_message("%s %s: planned %.4g MB, taken %.4g MB, ratio %.3f\n", element_type(p->box->kind)->name, what,
                planned / 1e6, taken / 1e6, planned / taken);
  if (planned < 0.9 * taken - spare || planned > 1.1 * taken + spare)
    fail_msg("planned %.0f bytes, taken %.0f", planned, taken);
}

void planned_hold(const Planned *p) {
  Box b;
  RunReport report;
  MemoryPlan plan;
  box_begin(p, &b);
  forecast_box(&b, p->sample, false, 0, &plan);
  box_end_setup(&b);
  const RunParams params = {.backend = BACKEND_CPU, .folder = scratch_path(b.folder, "out"), .quiet = true};
  assert_ok(run_case(b.c, &params, &report));
  hold_near(p, report.linear.preconditioner, (double)plan.peak[0], (double)report.host_peak, 0);
  report_release(&report);
  box_end(&b);
}

void planned_hold_gpu(const Planned *p) {
  Box b;
  MemoryPlan whole, plan, rough;
  box_begin(p, &b);
  forecast_box(&b, p->sample, true, 0, &plan);
  forecast_box(&b, INT64_MAX, true, 0, &whole);
  hold_near(p, "on a GPU", (double)plan.peak[1], (double)whole.peak[1], 0);
  hold_near(p, "beside a GPU", (double)plan.peak[0], (double)whole.peak[0], LAST_LEVEL_BYTES);
  forecast_box(&b, p->sample, true, 100 * (double)whole.peak[1], &rough);
  assert_true((double)rough.peak[1] > (double)whole.peak[1] / 1.5);
  forecast_box(&b, p->sample, true, (double)plan.peak[1], &rough);
  assert_true(rough.peak[1] == plan.peak[1]);
  assert_true((double)whole.peak[1] < memory_bound(b.c, b.mesh));
  box_end_setup(&b);
  box_end(&b);
}
