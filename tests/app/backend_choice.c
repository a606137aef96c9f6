/* What `--backend auto` makes of the size of a case, and a device that is opened beside other work. */
#include "app/run/backend_choice.h"
#include "core/memory.h"
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <stdio.h>
#include <string.h>

static Case *case_of(const char *text) {
  Case *c = NULL;
  assert_ok(case_parse("c.yaml", text, strlen(text), 0, NULL, &c));
  return c;
}

static const char HEART[] = "version: 1\nmesh: {grid: [11, 11]}\nphysics: monodomain\ntissue: [{on: body, ionic: "
                            "aliev-panfilov, diffusivity: 0.1}]\n"
                            "time: {end: 1000, step: 0.1}\n";
static const char SOLID[] =
    "version: 1\nmesh: {grid: [11, 11, 11], order: 2, refine: 1}\nphysics: elasticity\nmodel: 3d\n"
    "materials: [{on: body, young: 1, poisson: 0.3}]\nboundary: [{on: x0, fix: all}]\n";

/* Small goes to the CPU and large to the GPU; threads and steps move the border the right way. */
static void size_decides(void **state) {
  (void)state;
  Case *solid = case_of(SOLID), *heart = case_of(HEART);
  BackendCost few = backend_cost(solid, 350, 2), many = backend_cost(solid, 3000000, 16);
  assert_true(few.cpu < few.gpu && many.cpu > many.gpu);
  few = backend_cost(heart, 100, 2), many = backend_cost(heart, 300000, 16);
  assert_true(few.cpu < few.gpu && many.cpu > many.gpu);
  assert_true(backend_cost(heart, 1000, 16).cpu < backend_cost(heart, 1000, 1).cpu);
  heart->time.end.value *= 10;
  assert_true(backend_cost(heart, 100, 2).gpu > few.gpu);
  case_destroy(&solid);
  case_destroy(&heart);
}

static void who_is_told_is_obeyed(void **state) {
  (void)state;
  Case *c = case_of(SOLID);
  BackendCost cost;
  assert_true(backend_leaves_gpu(BACKEND_CPU, c, 100000000, 1, &cost));
  assert_false(backend_leaves_gpu(BACKEND_CUDA, c, 10, 1, &cost));
  assert_false(backend_leaves_gpu(BACKEND_AUTO, c, 100000000, 1, &cost));
  assert_true(backend_leaves_gpu(BACKEND_AUTO, c, 10, 1, &cost) == device_gpu_is_likely());
  case_destroy(&c);
}

static void files_are_guessed(void **state) {
  (void)state;
  Case *c = case_of(SOLID);
  assert_int_equal(backend_guess_nodes(c), 11 * 11 * 11 * 8 * 8);
  case_destroy(&c);
  char *folder = scratch_create(), text[512], zeros[6000] = {0};
  FILE *file = fopen(scratch_path(folder, "m.msh"), "w");
  assert_int_equal(fwrite(zeros, 1, sizeof zeros, file), sizeof zeros);
  fclose(file);
  snprintf(text, sizeof text,
           "version: 1\nmesh: {file: %s}\nphysics: elasticity\nmodel: 3d\nmaterials: [{on: a, young: 1, "
           "poisson: 0.3}]\nboundary: [{on: b, fix: all}]\n",
           scratch_path(folder, "m.msh"));
  c = case_of(text);
  assert_int_equal(backend_guess_nodes(c), 100);
  case_destroy(&c);
  *strstr(text, ".msh") = 0;
  strcat(text, ".geo}\nphysics: elasticity\nmodel: 3d\nmaterials: [{on: a, young: 1, poisson: 0.3}]\nboundary: [{on: "
               "b, fix: all}]\n");
  c = case_of(text);
  assert_true(backend_guess_nodes(c) == INT64_MAX);
  case_destroy(&c);
  scratch_remove(&folder);
}

/* Begun, ended or dropped: the same device, the same refusal, no memory left; whatever allocation fails. */
static void devices_begin(void **state) {
  (void)state;
  const size_t before = mem_in_use();
  for (int64_t nth = 0; nth < 12; ++nth) {
    DeviceBegun *begun = NULL;
    Device device, plain;
    mem_fail_nth(nth);
    device_begin(&begun);
    const Status status = device_end(&begun, BACKEND_AUTO, 1, &device);
    mem_fail_nth(0);
    assert_null(begun);
    if (status != OK) assert_out_of_memory(status);
    else {
      assert_ok(device_open(BACKEND_AUTO, 1, &plain));
      assert_string_equal(plain.exec->table->name, device.exec->table->name);
      assert_string_equal(plain.note, device.note);
      device_close(&plain);
    }
    device_close(&device);
    device_begin(&begun);
    device_drop(&begun);
    assert_null(begun);
    assert_int_equal(mem_in_use(), before);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(size_decides), cmocka_unit_test(who_is_told_is_obeyed),
                                     cmocka_unit_test(files_are_guessed), cmocka_unit_test(devices_begin)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
