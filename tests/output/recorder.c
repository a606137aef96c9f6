/* Files written by a thread beside the loop: the same files, in the same order, whoever is slower; one thread in
 * HDF5. */
#include "output/recorder.h"

#include "core/memory.h"
#include "mesh/io/h5.h"
#include "output/h5.h"
#include "output/inspect.h"
#include "output/read.h"
#include "sample.h"
#include "tests/testing.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SLOTS = 3, STEPS = 12 };
static const char *const names[] = {"time", "newton"};

typedef struct Loop {
  const Mesh *mesh;
  Writer *writer;
  ProbeFile *probes;
  Recorder *recorder;
  int step[SLOTS]; /* in the slot */
  const double *value[SAMPLE_FIELDS];
  double column;
  _Atomic int unpacked, looked;
  int slow_us;   /* the thread */
  int refuse_at; /* step whose unpacking fails; 0: none */
} Loop;

static void sleep_us(int us) { nanosleep(&(struct timespec){us / 1000000, 1000L * (us % 1000000)}, NULL); }

static Status unpack(void *context, int32_t slot, RecordedStep *step) {
  Loop *loop = context;
  if (loop->slow_us) sleep_us(loop->slow_us);
  if (!step->stored) {
    ++loop->looked;
    step->column = &loop->column;
    return OK;
  }
  const int k = loop->step[slot];
  CHECK(step->time == k / 2.0, ERR_BUG, "slot %d holds step %d, not that of %g", slot, k, step->time);
  CHECK(!loop->refuse_at || k < loop->refuse_at, ERR_NUMERIC, "step %d cannot be unpacked", k + 1);
  sample_release(loop->value);
  sample_values(loop->mesh, k, loop->value);
  loop->column = 10 * k;
  step->value = loop->value;
  step->column = &loop->column;
  ++loop->unpacked;
  return OK;
}

static Status begin(Loop *loop, bool probes) {
  static const char *const column[] = {"p"};
  WriterParams params = sample_params(loop->mesh, STEPS);
  params.n_history = 2, params.history = names, params.n_history_row = 1000;
  TRY(writer_create(&params, &loop->writer));
  const ProbeFileParams probe = {.folder = sample_folder(), .n_column = 1, .name = column};
  if (probes) TRY(probe_file_create(&probe, &loop->probes));
  const RecorderParams recorder = {
      .folder = sample_folder(), .n_slot = SLOTS, .n_history = 2, .history = names, .context = loop, .unpack = unpack};
  return recorder_create(&recorder, &loop->writer, &loop->probes, &loop->recorder);
}

static Status one(Loop *loop, int k) {
  int32_t slot;
  TRY(recorder_history(loop->recorder, (double[]){k / 2.0, 3}));
  TRY(recorder_take(loop->recorder, &slot));
  assert_in_range(slot, 0, SLOTS - 1);
  loop->step[slot] = k;
  recorder_step(loop->recorder, k / 2.0);
  return OK;
}

static Status end(Loop *loop) {
  const Status status = recorder_close(&loop->recorder, &loop->writer, &loop->probes);
  char kept[1024];
  snprintf(kept, sizeof kept, "%s", status_message());
  const Status probes = probe_file_close(&loop->probes), file = writer_close(&loop->writer);
  sample_release(loop->value);
  memset(loop->value, 0, sizeof loop->value);
  if (status != OK) return FAIL(status, "%s", kept);
  return probes != OK ? probes : file;
}

static Status save(void *context, void *host) {
  memset(host, *(const int *)context, 100);
  return OK;
}

static Status checkpoint(Loop *loop, int k) {
  const Checkpoint head = {
      .time = k / 2.0, .case_hash = 1, .mesh_hash = 2, .n_byte = 100, .version = "0", .device = "d"};
  return recorder_checkpoint(loop->recorder, &head, save, &k);
}

static int count_rows(void) {
  char *text = sample_text("probes.csv");
  int n = -1; /* the header */
  for (const char *c = text; c && *c; ++c) n += *c == '\n';
  free(text);
  return n;
}

static void stores(int slow_us) {
  Mesh *mesh = sample_mesh(2, (const ElementKind[]){ELEMENT_TRI3, ELEMENT_QUAD4});
  const size_t before = mem_in_use();
  Loop loop = {.mesh = mesh, .slow_us = slow_us};
  assert_ok(begin(&loop, true));
  assert_null(loop.writer);
  assert_null(loop.probes);
  for (int k = 0; k < STEPS; ++k) {
    assert_ok(one(&loop, k));
    assert_true(k + 1 - loop.unpacked <= SLOTS); /* the loop is never further ahead */
    if (k % 5 == 4) {
      int32_t slot;
      assert_ok(recorder_take(loop.recorder, &slot));
      recorder_observe(loop.recorder, k / 2.0, k == 4);
      assert_ok(checkpoint(&loop, k));
    }
  }
  assert_ok(recorder_finish(loop.recorder));
  assert_int_equal(loop.unpacked, STEPS);
  assert_int_equal(loop.looked, 2);
  assert_int_equal(count_rows(), STEPS + 1); /* a sample among them; on the disk while the recorder is there */
  assert_ok(end(&loop));
  assert_int_equal(sample_check(mesh, STEPS, STEPS), STEPS);
  Checkpoint c;
  bool found;
  assert_ok(checkpoint_load(sample_folder(), 1, 2, &c, &found));
  assert_true(found && c.time == 4.5 && c.n_byte == 100 && ((char *)c.state)[99] == 9);
  checkpoint_release(&c);
  assert_int_equal(mem_in_use(), before);
  sample_clean();
  mesh_destroy(&mesh);
}

static void fast(void **state) {
  (void)state;
  stores(0);
}
static void slow(void **state) {
  (void)state;
  stores(3000);
}

/* Rows without stored times between them, more than are kept back. */
static void many_rows(void **state) {
  (void)state;
  Mesh *mesh = sample_mesh(1, (const ElementKind[]){ELEMENT_TRI3});
  Loop loop = {.mesh = mesh};
  assert_ok(begin(&loop, false));
  assert_ok(one(&loop, 0));
  for (int k = 0; k < 300; ++k) assert_ok(recorder_history(loop.recorder, (double[]){k, k}));
  assert_ok(end(&loop));
  const hid_t file = h5_file_open(sample_path("results.hdf"), false);
  int rank;
  hsize_t rows[4];
  double last = 0;
  assert_true(file >= 0 && h5_shape(file, "/Sinew/history/time", &rank, rows) && rows[0] == 301);
  assert_true(h5_read_rows(file, "/Sinew/history/newton", H5T_NATIVE_DOUBLE, 300, 1, &last) && last == 299);
  H5Fclose(file);
  sample_clean();
  mesh_destroy(&mesh);
}

/* HDF5 is the thread's as long as there is one. */
static void lent(void **state) {
  (void)state;
  Mesh *mesh = sample_mesh(1, (const ElementKind[]){ELEMENT_TRI3}), *read = NULL;
  Loop loop = {.mesh = mesh};
  Result *result = NULL;
  Checkpoint c = {.n_byte = 0};
  Writer *writer = NULL;
  bool found;
  char text[64];
  const WriterParams params = sample_params(mesh, 1);
  assert_ok(begin(&loop, false));
  assert_ok(one(&loop, 0));
  assert_ok(recorder_finish(loop.recorder));
  static const char said[] = "HDF5 was called while the thread that writes the output uses it";
  assert_fails(result_open(sample_path("results.hdf"), &result), ERR_BUG, said);
  assert_fails(result_describe(sample_path("results.hdf"), text, sizeof text), ERR_BUG, said);
  assert_fails(checkpoint_save(sample_folder(), &c), ERR_BUG, said);
  assert_fails(checkpoint_load(sample_folder(), 1, 2, &c, &found), ERR_BUG, said);
  assert_fails(checkpoint_describe(sample_path("checkpoint-1.hdf"), text, sizeof text), ERR_BUG, said);
  assert_fails(writer_create(&params, &writer), ERR_BUG, said);
  assert_fails(mesh_write_h5(mesh, sample_path("m.h5")), ERR_BUG, said);
  assert_fails(mesh_read_h5(sample_path("m.h5"), &read), ERR_BUG, said);
  assert_ok(end(&loop));
  assert_ok(h5_mine());
  assert_ok(result_open(sample_path("results.hdf"), &result));
  result_close(&result);
  sample_clean();
  mesh_destroy(&mesh);
}

/* What fails on the thread is told in the loop, and nothing is written behind it, no checkpoint either. */
static void failure(void **state) {
  (void)state;
  Mesh *mesh = sample_mesh(1, (const ElementKind[]){ELEMENT_TRI3});
  for (int slow_us = 0; slow_us < 2000; slow_us += 1000) {
    Loop loop = {.mesh = mesh, .refuse_at = 4, .slow_us = slow_us};
    assert_ok(begin(&loop, true));
    Status status = OK;
    for (int k = 0; k < STEPS && status == OK; ++k) {
      status = one(&loop, k);
      if (k == 4 && status == OK) status = checkpoint(&loop, k);
    }
    assert_int_equal(status, ERR_NUMERIC);
    assert_string_equal(status_message(), "step 5 cannot be unpacked");
    assert_fails(recorder_finish(loop.recorder), ERR_NUMERIC, "step 5 cannot be unpacked");
    assert_fails(end(&loop), ERR_NUMERIC, "step 5 cannot be unpacked");
    assert_int_equal(sample_check(mesh, 4, 4), 4);
    assert_int_equal(count_rows(), 4);
    assert_int_equal(access(sample_path("checkpoint-1.hdf"), F_OK), -1);
    sample_clean();
  }
  mesh_destroy(&mesh);
}

static Status whole_loop(void *context) {
  Loop *loop = context;
  Status status = begin(loop, true);
  for (int k = 0; k < 4 && status == OK; ++k) {
    status = one(loop, k);
    if (status == OK && k == 2) status = checkpoint(loop, k);
  }
  const Status ended = end(loop);
  return status != OK ? status : ended;
}

static void each_allocation_fails_once(void **state) {
  (void)state;
  Mesh *mesh = sample_mesh(1, (const ElementKind[]){ELEMENT_TRI3});
  const size_t before = mem_in_use();
  for (int64_t n = 1;; ++n) {
    Loop loop = {.mesh = mesh};
    mem_fail_nth(n);
    const Status status = whole_loop(&loop);
    const int64_t count = mem_count();
    mem_fail_nth(0);
    assert_int_equal(mem_in_use(), before);
    assert_ok(h5_mine());
    sample_clean();
    if (count < n) {
      assert_int_equal(status, OK);
      break;
    }
    if (status != ERR_MEMORY) fail_msg("allocation %d: %s: %s", (int)n, status_text(status), status_message());
  }
  mesh_destroy(&mesh);
}

static void slots(void **state) {
  (void)state;
  assert_int_equal(recorder_slots(0), 8);
  assert_int_equal(recorder_slots(1000), 8);
  assert_int_equal(recorder_slots(16 << 20), 4);
  assert_int_equal(recorder_slots((int64_t)1 << 40), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(fast),      cmocka_unit_test(slow),
                                     cmocka_unit_test(many_rows), cmocka_unit_test(lent),
                                     cmocka_unit_test(failure),   cmocka_unit_test(each_allocation_fails_once),
                                     cmocka_unit_test(slots)};
  return cmocka_run_group_tests_name("output/recorder", tests, NULL, NULL);
}
