/* The stream of results under a physics of this test's own: which fields are in the file and when, columns, rows of
 * expect:, and that what the thread writes is the stream's until it is closed. */
#include "app/run/result_stream.h"
#include "core/memory.h"
#include "output/read.h"
#include "tests/app/scratch.h"

#include <math.h>
#include <string.h>

static const char CASE[] = "version: 1\nmesh: {file: square.msh}\nphysics: heat\n"
                           "materials: [{on: body, conductivity: 1, capacity: 1}]\nboundary: [{on: left, temperature: "
                           "0}]\ntime: {end: 4, step: 1}\n"
                           "output: {probes: [{name: here, at: [0, 0], field: temperature}]}\n"
                           "expect: [{probe: here, value: 3, time: 3}, {probe: here, value: 9, time: 2.5}]\n";

enum { EACH, MAP, DOUBLED, RULE, HIDDEN, FIELDS, NODES = 4 };

typedef struct Fake {
  Exec *exec;
  double *now; /* on the Exec, [NODES]; every entry is the time */
  double rule[NODES];
  int taken[FIELDS];
} Fake;

static Status fake_take(void *context, int32_t f, double *room) {
  Fake *fake = context;
  ++fake->taken[f];
  return exec_copy(fake->exec, room, fake->now, NODES * sizeof *room);
}

static const double *fake_unpack(void *context, const StreamMoment *m, int32_t f, double *room) {
  const Fake *fake = context;
  if (f == RULE) return fake->rule;
  for (int i = 0; i < NODES; ++i) room[i] = f == DOUBLED ? 2 * m->taken[HIDDEN][i] : m->taken[f][i];
  return room;
}

static Status fake_columns(void *context, const StreamMoment *m, double *value) {
  (void)context;
  value[0] = m->sample[0];
  return OK;
}

static Status fake_sample(void *context, double *room) {
  Fake *fake = context;
  return exec_copy(fake->exec, room, fake->now, sizeof *room);
}

static void set_time(Fake *fake, double time) {
  double now[NODES];
  for (int i = 0; i < NODES; ++i) now[i] = time;
  assert_ok(exec_upload(fake->exec, fake->now, now, sizeof now));
}

/* Two at once, which were taken before. */
static void give_samples(Fake *fake, ResultStream *stream) {
  static const double time[] = {2.25, 2.75}, value[NODES] = {7, 8, 0, 0};
  assert_ok(exec_upload(fake->exec, fake->now, value, sizeof value));
  assert_ok(result_stream_samples(stream, 2, time, fake->now));
  set_time(fake, -1); /* the stream has its own */
}

static StreamField node_field(const char *name, StreamWhen when, int64_t n_taken) {
  return (StreamField){.name = name,
                       .wanted = true,
                       .n_component = 1,
                       .when = when,
                       .n_taken = n_taken,
                       .n_room = NODES,
                       .take = fake_take,
                       .unpack = fake_unpack};
}

static void hold_file(const char *path) {
  static const char *const names[] = {"each", "map", "doubled", "rule"};
  static const double last[] = {4, 2, 8, 7}; /* the map: of the step that it was asked for */
  Result *result = NULL;
  double value[NODES];
  assert_ok(result_open(path, &result));
  assert_int_equal(result->n_step, 4);
  assert_null(result_field(result, "hidden", false));
  for (int f = 0; f < 4; ++f) {
    const ResultField *field = result_field(result, names[f], false);
    assert_non_null(field);
    assert_int_equal(field->once, f == MAP || f == RULE);
    assert_ok(result_read(result, field, -1, value));
    for (int i = 0; i < NODES; ++i) assert_near(value[i], last[f], 0);
  }
  result_close(&result);
}

static void stored(bool recorded) {
  char *folder = scratch_create();
  scratch_write(folder, "square.msh", SQUARE_MSH);
  Case *c = NULL;
  Setup setup;
  RunReport report = {0};
  double seconds[N_PHASES] = {0};
  const RunParams params = {.folder = folder, .overwrite = true, .quiet = true};
  assert_ok(case_parse(scratch_path(folder, "c.yaml"), CASE, strlen(CASE), 0, NULL, &c));
  Run run = {.c = c, .params = &params, .report = &report};
  run.progress = progress_start(true, false, 0, seconds);
  assert_ok(run_load_mesh(&run));
  assert_ok(setup_create(c, run.mesh, &setup));
  assert_ok(device_open(BACKEND_CPU, 1, &run.device));
  Fake fake = {.exec = run.device.exec, .rule = {7, 7, 7, 7}};
  assert_ok(exec_alloc(fake.exec, NODES, sizeof *fake.now, "the time", (void **)&fake.now));
  StreamField field[FIELDS] = {[EACH] = node_field("each", STREAM_EACH, NODES),
                               [MAP] = node_field("map", STREAM_REQUEST, NODES),
                               [DOUBLED] = node_field("doubled", STREAM_EACH, 0),
                               [RULE] = node_field("rule", STREAM_FIRST, 0),
                               [HIDDEN] = node_field("hidden", STREAM_EACH, NODES)};
  field[HIDDEN].wanted = false, field[HIDDEN].unpack = NULL;
  static const char *const history[] = {"time"};
  const StreamParams stream_params = {.recorded = recorded,
                                      .n_field = FIELDS,
                                      .field = field,
                                      .n_step = 4,
                                      .n_history = 1,
                                      .history = history,
                                      .n_history_row = 8,
                                      .n_sample = 1,
                                      .n_ring = 2,
                                      .context = &fake,
                                      .sample = fake_sample,
                                      .columns = fake_columns};
  ResultStream *stream = NULL;
  assert_ok(result_stream_create(&run, &setup, &stream_params, &stream));
  for (int time = 0; time <= 4; ++time) {
    const double row = time;
    if (time == 3) give_samples(&fake, stream);
    set_time(&fake, time);
    if (time == 2) result_stream_request(stream);
    assert_ok(result_stream_history(stream, &row));
    if (time == 3) assert_ok(result_stream_observe(stream, time)); /* not stored */
    else assert_ok(result_stream_store(stream, time));
  }
  assert_ok(result_stream_finish(stream));
  assert_int_equal(fake.taken[EACH], 4);
  assert_int_equal(fake.taken[MAP], 2);
  assert_int_equal(report.columns.n, 1);
  assert_near(report.columns.value[0], 0, 0); /* the thread is done, and has not touched the report */
  assert_true(isnan(report.at_time[0]));
  assert_ok(result_stream_close(&stream));
  assert_near(report.columns.value[0], 4, 0);
  assert_near(report.at_time[0], 3, 0);
  assert_true(isnan(report.at_time[1])); /* a time that was never reached */
  hold_file(scratch_path(folder, "results.hdf"));
  char *csv = scratch_read(folder, "probes.csv");
  assert_string_equal(csv, "time,here\n0,0\n1,1\n2,2\n2.25,7\n2.75,8\n4,4\n");
  free(csv);
  EXEC_RELEASE(fake.exec, fake.now, NODES);
  report_release(&report);
  setup_release(&setup);
  mesh_destroy(&run.mesh);
  device_close(&run.device);
  case_destroy(&c);
  scratch_remove(&folder);
}

static void thread_writes_what_the_stream_owns(void **state) {
  (void)state;
  stored(true);
}

static void unrecorded_stream_writes_the_same(void **state) {
  (void)state;
  stored(false);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(thread_writes_what_the_stream_owns),
                                     cmocka_unit_test(unrecorded_stream_writes_the_same)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
