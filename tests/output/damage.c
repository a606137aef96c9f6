/* A run that is killed at any of its system calls, or whose disk is full from any of them on, keeps its whole steps.
 * The calls that change files are replaced here by ones that count and, at a chosen one, kill the process half-way
 * through or answer ENOSPC from then on. */
#include "output/writer.h"

#include "core/memory.h"
#include "output/json.h"
#include "output/read.h"
#include "output/recorder.h"
#include "sample.h"
#include "tests/testing.h"

#include <errno.h>
#include <hdf5.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STEPS = 3 };
typedef struct Fault {
  int calls, die_at, full_from; /* calls so far; 0: never */
  bool whole;                   /* what dies does so between two calls: HDF5's table of chunks is written in one */
  int done;                     /* steps that writer_step has reported as stored */
  int told;                     /* failures reported as ERR_IO with the right words */
} Fault;
static Fault *fault; /* shared with the child */

/* True when the call is to be refused. `part` does half of it. */
static bool count_call(void) {
  ++fault->calls;
  return fault->full_from > 0 && fault->calls >= fault->full_from;
}

ssize_t pwrite(int file, const void *data, size_t n, off_t at) {
  if (count_call()) {
    errno = ENOSPC;
    return -1;
  }
  if (fault->calls == fault->die_at) {
    if (!fault->whole) syscall(SYS_pwrite64, file, data, n / 2, at);
    _exit(9);
  }
  return syscall(SYS_pwrite64, file, data, n, at);
}

ssize_t write(int file, const void *data, size_t n) {
  if (file > 2 && count_call()) {
    errno = ENOSPC;
    return -1;
  }
  if (file > 2 && fault->calls == fault->die_at) {
    syscall(SYS_write, file, data, n / 2);
    _exit(9);
  }
  return syscall(SYS_write, file, data, n);
}

int ftruncate(int file, off_t n) {
  count_call(); /* growing a sparse file needs no room */
  if (fault->calls == fault->die_at) _exit(9);
  return (int)syscall(SYS_ftruncate, file, n);
}

int rename(const char *from, const char *to) {
  count_call();
  if (fault->calls == fault->die_at) _exit(9);
  return (int)syscall(SYS_rename, from, to);
}

int unlink(const char *path) {
  count_call();
  if (fault->calls == fault->die_at) _exit(9);
  return (int)syscall(SYS_unlink, path);
}

const char *__lsan_default_suppressions(void);
/* HDF5 1.10 leaks what it cannot close on a full disk. */
const char *__lsan_default_suppressions(void) { return "leak:libhdf5"; }

static const char *const columns[] = {"newton", "residual"};

/* The same by a recorder: steps are known as stored when the next is unpacked. */
typedef struct Beside {
  const Mesh *mesh;
  const double *value[SAMPLE_FIELDS];
} Beside;

static Status unpack(void *context, int32_t slot, RecordedStep *step) {
  Beside *beside = context;
  const int k = (int)(2 * step->time);
  (void)slot;
  fault->done = k > fault->done ? k : fault->done;
  sample_release(beside->value);
  sample_values(beside->mesh, k, beside->value);
  step->value = beside->value;
  return OK;
}

static Status save(void *context, void *host) {
  memset(host, *(int *)context, 100);
  return OK;
}

static Status run_beside(const Mesh *mesh, bool resume) {
  Checkpoint from = {0};
  Writer *writer = NULL;
  ProbeFile *probes = NULL;
  Recorder *recorder = NULL;
  Beside beside = {.mesh = mesh};
  WriterParams params = sample_params(mesh, STEPS);
  bool found = false;
  if (resume) TRY(checkpoint_load(sample_folder(), 1, 2, &from, &found));
  params.receipt = from.receipt, params.n_receipt = from.n_receipt;
  params.overwrite = resume, params.n_history = 2, params.history = columns;
  const RecorderParams beside_params = {
      .folder = sample_folder(), .n_slot = 2, .n_history = 2, .history = columns, .context = &beside, .unpack = unpack};
  Status status = writer_create(&params, &writer);
  int k = status == OK ? (int)writer_steps(writer) : STEPS;
  if (status == OK) status = recorder_create(&beside_params, &writer, &probes, &recorder);
  for (; k < STEPS && status == OK; ++k) {
    int32_t slot;
    const Checkpoint head = {.time = k / 2.0, .case_hash = 1, .mesh_hash = 2, .n_byte = 100};
    status = recorder_take(recorder, &slot);
    if (status != OK) break;
    recorder_step(recorder, k / 2.0);
    status = recorder_history(recorder, (double[]){k, 0.5});
    if (status == OK && k > 0) status = recorder_checkpoint(recorder, &head, save, &k);
  }
  const Status recorded = recorder_close(&recorder, &writer, &probes);
  if (status == OK) status = recorded;
  if (writer && writer_steps(writer) > fault->done) fault->done = (int)writer_steps(writer);
  const Status closed = writer_close(&writer);
  sample_release(beside.value);
  checkpoint_release(&from);
  return status == OK ? closed : status;
}

/* A whole run; answers the first failure. Column names are given beforehand when `named`. */
static Status run(const Mesh *mesh, bool overwrite, bool named) {
  const char *const *names = columns;
  Writer *writer = NULL;
  WriterParams params = sample_params(mesh, STEPS);
  params.overwrite = overwrite;
  params.n_history = named ? 2 : 0;
  params.history = names;
  Status status = writer_create(&params, &writer);
  for (int k = status == OK ? (int)writer_steps(writer) : STEPS; k < STEPS && status == OK; ++k) {
    status = sample_step(writer, mesh, k);
    if (status == OK) status = writer_history(writer, 2, names, (double[]){k, 0.5});
    fault->done = writer_steps(writer) > fault->done ? (int)writer_steps(writer) : fault->done;
  }
  if (status == OK) status = writer_timing(writer, 1, names, (double[]){1});
  const Status closed = writer_close(&writer);
  return status == OK ? closed : status;
}

/* Column names known beforehand or not; over an old result; by a recorder. */
typedef enum How { NAMED, UNNAMED, OVER, BESIDE } How;

/* Runs in a child that ends by exit(), so that exit handlers run too. */
static int in_child(const Mesh *mesh, How how_to, int die_at, int full_from) {
  *fault = (Fault){.die_at = die_at, .full_from = full_from, .whole = sample_storage & 2};
  sample_folder(); /* made before the fork: both know it */
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    const Status status = how_to == BESIDE ? run_beside(mesh, false) : run(mesh, how_to == OVER, how_to != UNNAMED);
    const char *said = status_message();
    if (status == ERR_IO && strstr(said, "No space left on device") && strstr(said, sample_folder())) fault->told = 1;
    if (status == ERR_IO && !fault->told) fprintf(stderr, "call %d: %s\n", full_from, said);
    char safe[64];
    snprintf(safe, sizeof safe,
             fault->done == 0   ? "no step was stored"
             : fault->done == 1 ? "step 1 is safe"
                                : "steps 1 to %d are safe",
             fault->done);
    if (fault->told && strstr(said, safe)) fault->told = 2;
    exit((int)status);
  }
  int how = 0;
  waitpid(child, &how, 0);
  fault->die_at = fault->full_from = 0; /* the parent's own calls are left alone */
  if (!WIFEXITED(how))
    fail_msg("the child died of signal %d (kill at %d, full from %d)", WTERMSIG(how), die_at, full_from);
  return WEXITSTATUS(how);
}

/* NSteps and the length of Values belong together: ParaView copies the latter into room for the former. */
static void check_series(int call) {
  if (access(sample_path("results.hdf"), F_OK) != 0) return;
  const hid_t file = H5Fopen(sample_path("results.hdf"), H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_true(file >= 0);
  const hid_t steps = H5Gopen2(file, "/VTKHDF/Steps", H5P_DEFAULT), attribute = H5Aopen(steps, "NSteps", H5P_DEFAULT);
  const hid_t data = H5Dopen2(steps, "Values", H5P_DEFAULT), space = H5Dget_space(data);
  int64_t n = -1;
  H5Aread(attribute, H5T_NATIVE_INT64, &n);
  if (n != H5Sget_simple_extent_npoints(space))
    fail_msg("call %d: NSteps %d, Values %d", call, (int)n, (int)H5Sget_simple_extent_npoints(space));
  H5Sclose(space);
  H5Dclose(data);
  H5Aclose(attribute);
  H5Gclose(steps);
  H5Fclose(file);
}

static void check_sidecar(void) {
  char *text = sample_text("results.xdmf");
  if (!text) return;
  const size_t n = strlen(text);
  assert_true(n > 8 && strcmp(text + n - 8, "</Xdmf>\n") == 0);
  free(text);
}

/* What was given before a checkpoint is in the files before it is. */
static void check_checkpoint(void) {
  Checkpoint c;
  bool found;
  assert_ok(checkpoint_load(sample_folder(), 1, 2, &c, &found));
  if (found) {
    Result *result = NULL;
    assert_ok(result_open(sample_path("results.hdf"), &result));
    assert_true(result->n_step > 0 && result->time[result->n_step - 1] >= c.time);
    result_close(&result);
  }
  checkpoint_release(&c);
}

static void killed_anywhere(How how) {
  const ElementKind kinds[] = {ELEMENT_TRI3, ELEMENT_QUAD4};
  Mesh *mesh = sample_mesh(2, kinds);
  int calls = 0;
  for (int n = 1;; ++n) {
    const int code = in_child(mesh, how, n, 0);
    const int done = fault->done;
    if (code == 0) {
      calls = fault->calls;
      assert_int_equal(sample_check(mesh, STEPS, STEPS), STEPS);
      sample_clean();
      break;
    }
    assert_int_equal(code, 9);
    sample_check(mesh, done, STEPS);
    check_series(n);
    check_sidecar();
    status_warnings_clear();
    if (how == BESIDE) check_checkpoint();
    assert_ok(how == BESIDE ? run_beside(mesh, true) : run(mesh, true, how == NAMED)); /* goes on, or begins again */
    if (how != UNNAMED) assert_int_equal(status_warning_count(), 0);                   /* the history is whole too */
    assert_int_equal(sample_check(mesh, STEPS, STEPS), STEPS);
    check_sidecar();
    sample_clean();
  }
  status_warnings_clear();
  print_message("killed at each of %d calls\n", calls);
  assert_true(calls > 20);
  mesh_destroy(&mesh);
}

static void killed_with_named_history(void **state) {
  (void)state;
  for (sample_storage = 0; sample_storage < 4; sample_storage += 3) killed_anywhere(NAMED);
  sample_storage = 0;
}
static void killed_with_unnamed_history(void **state) {
  (void)state;
  killed_anywhere(UNNAMED);
}
static void killed_beside_the_loop(void **state) {
  (void)state;
  for (sample_storage = 0; sample_storage < 4; sample_storage += 3) killed_anywhere(BESIDE);
  sample_storage = 0;
}

/* The old result of four steps stays whole until the new one has a step. */
static void killed_while_overwriting(void **state) {
  (void)state;
  Mesh *mesh = sample_mesh(1, (const ElementKind[]){ELEMENT_TRI6});
  for (int n = 1;; ++n) {
    *fault = (Fault){0};
    assert_ok(run(mesh, false, true));
    const int code = in_child(mesh, OVER, n, 0);
    const int done = fault->done;
    const int steps = sample_check(mesh, 1, STEPS);
    if (done == 0) assert_true(steps == STEPS || steps == 1);
    else assert_true(steps >= done);
    sample_clean();
    if (code == 0) break;
  }
  mesh_destroy(&mesh);
}

static void disk_full(How how) {
  Mesh *mesh = sample_mesh(2, (const ElementKind[]){ELEMENT_TET4, ELEMENT_HEX8});
  int failures = 0;
  for (int n = 1;; ++n) {
    const int code = in_child(mesh, how, 0, n);
    const int done = fault->done, calls = fault->calls;
    sample_check(mesh, done, STEPS);
    if (done == 0) assert_int_equal(access(sample_path("results.hdf.new"), F_OK), -1);
    const bool reached = calls >= n;
    if (reached && code != 0) {
      ++failures;
      assert_int_equal(code, ERR_IO);
      if (fault->told != 2)
        fail_msg("full from call %d: the message lacks the reason or what is safe (%d)", n, fault->told);
    }
    assert_int_equal(access(sample_path(".sinew-lock"), F_OK), -1);
    sample_clean();
    if (!reached) break;
  }
  assert_true(failures > 20);
  mesh_destroy(&mesh);
}

static void disk_full_anywhere(void **state) {
  (void)state;
  sample_storage = 3;
  disk_full(NAMED);
  sample_storage = 0;
  disk_full(NAMED);
}
static void disk_full_beside_the_loop(void **state) {
  (void)state;
  disk_full(BESIDE);
}

/* A limit on the size of files, as a quota or an old file system has: the space cannot even be reserved. */
static void file_too_large(void **state) {
  (void)state;
  Mesh *mesh = sample_mesh(1, (const ElementKind[]){ELEMENT_HEX27});
  sample_folder();
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){20000, 20000});
    Writer *writer = NULL;
    WriterParams params = sample_params(mesh, 100);
    const Status status = writer_create(&params, &writer);
    if (status != ERR_IO || !strstr(status_message(), "File too large")) exit(1);
    exit(0);
  }
  int how = 0;
  waitpid(child, &how, 0);
  assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
  assert_int_equal(access(sample_path("results.hdf.new"), F_OK), -1);
  mesh_destroy(&mesh);
  sample_clean();
}

static Status probes_and_report(void) {
  static const char *const names[] = {"hole", "left-reaction-x"};
  ProbeFile *probes = NULL;
  Json *json = NULL;
  const ProbeFileParams params = {.folder = sample_folder(), .n_column = 2, .name = names};
  Status status = probe_file_create(&params, &probes);
  if (status == OK) status = probe_file_row(probes, 0, (double[]){1, 2});
  probe_file_close(&probes);
  if (status == OK) status = json_create(&json);
  if (status == OK) {
    for (int i = 0; i < 50; ++i) json_number(json, "x", i);
    status = json_save(json, sample_path("report.json"));
    json_destroy(&json);
  }
  return status;
}

static void each_allocation_fails_once(void **state) {
  (void)state;
  Mesh *mesh = sample_mesh(3, (const ElementKind[]){ELEMENT_TRI3, ELEMENT_QUAD8, ELEMENT_QUAD9});
  *fault = (Fault){0};
  for (int part = 0; part < 3; ++part) {
    sample_storage = part == 2 ? 3 : 0;
    for (int64_t n = 1;; ++n) {
      const size_t before = mem_in_use();
      mem_fail_nth(n);
      const Status status = part == 1 ? probes_and_report() : run(mesh, true, true);
      const int64_t count = mem_count();
      mem_fail_nth(0);
      assert_int_equal(mem_in_use(), before);
      sample_clean();
      if (count < n) {
        assert_int_equal(status, OK);
        break;
      }
      if (status != ERR_MEMORY) fail_msg("allocation %d: %s: %s", (int)n, status_text(status), status_message());
    }
  }
  sample_storage = 0;
  mesh_destroy(&mesh);
}

int main(void) {
  fault = mmap(NULL, sizeof *fault, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (fault == MAP_FAILED) return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(killed_with_named_history),
      cmocka_unit_test(killed_with_unnamed_history),
      cmocka_unit_test(killed_while_overwriting),
      cmocka_unit_test(killed_beside_the_loop),
      cmocka_unit_test(disk_full_anywhere),
      cmocka_unit_test(disk_full_beside_the_loop),
      cmocka_unit_test(file_too_large),
      cmocka_unit_test(each_allocation_fails_once),
  };
  return cmocka_run_group_tests_name("output/damage", tests, NULL, NULL);
}
