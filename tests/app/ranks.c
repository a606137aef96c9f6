/* What several ranks of a run do together, as threads of this process. */
#include "app/app.h"
#include "app/input/physics.h"
#include "app/run/collector.h"
#include "core/memory.h"
#include "tests/app/scratch.h"
#include "tests/faults/same.h"

#include <hdf5.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- results of all ranks in the order of the whole ---- */

typedef struct Collecting {
  const Mesh *mesh;
  int32_t *number; /* NULL: the mesh's own */
  double *node;    /* [n_node][2], what rank 0 got */
  double *element; /* [n_element] */
  int64_t *start;  /* [n_element + 1]: element e has e % 3 pieces */
  int16_t *piece;
} Collecting;

static Status collect_all(Comm *comm, const Collecting *t, const LocalMesh *local, const Collector *c) {
  const Mesh *m = local->mesh;
  const int32_t first = m->block[m->n_block - 1].first, n = m->n_element - first;
  const int32_t first_whole = t->mesh->block[t->mesh->n_block - 1].first;
  double(*node)[2] = NULL, *element = NULL;
  int64_t *start = NULL;
  int16_t *piece = NULL;
  ALLOC(node, m->n_node, "a test");
  ALLOC(element, n, "a test");
  ALLOC(start, n + 1, "a test");
  ALLOC(piece, 3 * n, "a test");
  for (int32_t i = 0; i < m->n_node; ++i) { /* what the halo has is nobody's business */
    const bool own = local->solver[i] < local->n_own;
    node[i][0] = own ? local->node[i] : -1, node[i][1] = own ? -2 * local->node[i] : -1;
  }
  for (int32_t e = 0; e < n; ++e) {
    const int32_t id = local->element[first + e] - first_whole;
    element[e] = id;
    start[e + 1] = start[e] + id % 3;
    for (int k = 0; k < id % 3; ++k) piece[start[e] + k] = (int16_t)(id + k);
  }
  const bool has = comm_rank(comm) == 0;
  Status status = collect(c, OF_NODES, sizeof *node, node, has ? t->node : NULL);
  if (status == OK) status = collect(c, OF_ELEMENTS, sizeof *element, element, has ? t->element : NULL);
  if (status == OK)
    status = collect_pieces(c, OF_ELEMENTS, sizeof *piece, start, piece, has ? t->start : NULL, has ? t->piece : NULL);
  FREE(piece);
  FREE(start);
  FREE(element);
  FREE(node);
  return status;
}

static Status collecting_rank(Comm *comm, void *context) {
  const Collecting *t = context;
  Partition partition;
  LocalMesh local = {0};
  Collector *c = NULL;
  Status status = partition_create(t->mesh->n_node, comm_size(comm), &partition);
  if (status == OK) status = local_mesh_create(t->mesh, &partition, t->number, comm_rank(comm), &local);
  if (status == OK) status = collector_create(comm, t->mesh, &partition, t->number, &local, &c);
  if (status == OK) status = collect_all(comm, t, &local, c);
  collector_destroy(&c);
  local_mesh_release(&local);
  return status;
}

static void collected_in_order(bool renumbered) {
  static const int ranks[] = {1, 2, 3, 5};
  Collecting t = {0};
  Mesh *mesh = NULL;
  assert_ok(mesh_box(&(BoxParams){.kind = ELEMENT_TET4, .n = {15, 20, 20}, .size = {1, 1, 1}}, &mesh));
  const int32_t n = mesh->n_element - mesh->block[mesh->n_block - 1].first;
  t.mesh = mesh;
  t.node = calloc((size_t)mesh->n_node, 2 * sizeof *t.node);
  t.element = calloc((size_t)n, sizeof *t.element);
  t.start = calloc((size_t)n + 1, sizeof *t.start);
  t.piece = calloc((size_t)n * 3, sizeof *t.piece);
  if (renumbered) t.number = calloc((size_t)mesh->n_node, sizeof *t.number);
  for (int32_t i = 0; renumbered && i < mesh->n_node; ++i) t.number[i] = (int32_t)((int64_t)i * 1009 % mesh->n_node);
  for (int32_t e = 0; e < n; ++e) t.start[e + 1] = t.start[e] + e % 3;
  for (size_t k = 0; k < sizeof ranks / sizeof *ranks; ++k) {
    memset(t.node, 0, (size_t)mesh->n_node * 2 * sizeof *t.node);
    memset(t.element, 0, (size_t)n * sizeof *t.element);
    assert_ok(comm_threads_run(ranks[k], collecting_rank, &t));
    for (int32_t i = 0; i < mesh->n_node; ++i) assert_true(t.node[2 * i] == i && t.node[2 * i + 1] == -2 * i);
    for (int32_t e = 0; e < n; ++e) {
      assert_true(t.element[e] == e);
      for (int p = 0; p < e % 3; ++p) assert_int_equal(t.piece[t.start[e] + p], (int16_t)(e + p));
    }
  }
  free(t.number);
  free(t.piece);
  free(t.start);
  free(t.element);
  free(t.node);
  mesh_destroy(&mesh);
}

static void results_come_in_the_order_of_the_mesh(void **state) {
  (void)state;
  collected_in_order(false);
  collected_in_order(true);
}

/* ---- the program on several ranks ---- */

static Said ranks_say(const char *n, const char *folder, const char *command) {
  setenv("SINEW_RANKS_AS_THREADS", n, 1);
  Said said = app_says(command, scratch_path(folder, "case.yaml"), "--backend", app_backend(), NULL);
  unsetenv("SINEW_RANKS_AS_THREADS");
  return said;
}

static void says(Said said, int code, const char *part) {
  if (said.code != code) fail_msg("exit code %d, not %d: %s", said.code, code, said.err);
  const char *at = strstr(said.err, part);
  if (!at) fail_msg("no \"%s\" in\n%s", part, said.err);
  if (strstr(at + 1, part)) fail_msg("said twice: %s", said.err);
  said_release(&said);
}

static char *folder_with(const char *text) {
  char *folder = scratch_create();
  scratch_write(folder, "square.msh", SQUARE_MSH);
  scratch_write(folder, "case.yaml", text);
  return folder;
}

static void what_one_process_does_is_refused(void **state) {
  (void)state;
  char *folder = folder_with(SQUARE_YAML);
  says(ranks_say("3", folder, "check"), 2, "'sinew check' is the work of one process, and 3 were started");
  scratch_remove(&folder);
}

static void an_error_is_said_once(void **state) {
  (void)state;
  char *folder = folder_with("version: 1\nphysics: elasticity\nmesh: square.msh\nnonsense: 1\n");
  says(ranks_say("3", folder, "run"), 3, "unknown key 'nonsense'");
  scratch_remove(&folder);
}

static void too_many_ranks_are_told_how_many(void **state) {
  (void)state;
  char *folder = folder_with(SQUARE_YAML);
  says(ranks_say("3", folder, "run"), 3, "3 ranks for a mesh of 4 nodes, must be at most 1");
  scratch_remove(&folder);
}

static void what_cannot_yet_is_named(void **state) {
  (void)state;
  static const struct {
    const char *text, *said;
  } row[] = {{"version: 1\nmesh: {grid: [31, 3]}\nphysics: monodomain\n"
              "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 1}]\ntime: {end: 1, step: 0.25}\n",
              "this physics is not for several processes yet, and 3 were started"},
             {"version: 1\nmesh: {grid: [31, 3]}\nphysics: heat\nmaterials: [{on: body, conductivity: 1}]\n"
              "boundary: [{on: x0, temperature: 1}]\nsolver: {preconditioner: ssor}\n",
              "this preconditioner is not for several processes yet, and 3 were started"}};
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    char *folder = folder_with(row[k].text);
    says(ranks_say("3", folder, "run"), 3, row[k].said);
    scratch_remove(&folder);
  }
}

/* ---- results of several ranks are those of one ---- */

#define ELASTIC_OUTPUT                                                                                                 \
  "output:\n  fields: [displacement, stress, von-mises, principal, reaction, strain-energy, element-stress, "          \
  "point-stress]\n"                                                                                                    \
  "  probes: [{name: inside, at: [0.31, 0.52, 0.17], field: stress-xx}, {name: u, at: [1, 1, 1], field: "              \
  "displacement-x}]\n"                                                                                                 \
  "  sums: [{name: wall, on: x0, field: reaction}, {name: energy, on: body, field: strain-energy}]\n"
#define ELASTIC(boundary, solver)                                                                                      \
  "version: 1\nmesh: {grid: [9, 20, 20], size: [1, 1, 1]}\nphysics: elasticity\nmodel: 3d\n"                           \
  "materials: [{on: body, young: 100, poisson: 0.3, density: 2}]\n"                                                    \
  "boundary:\n" boundary "solver: {rtol: 1e-6, format: csr, " solver "}\n" ELASTIC_OUTPUT

/* What varies is at one side, where not every rank has nodes. */
#define HEAT_IN_TIME(scheme, solver)                                                                                   \
  "version: 1\nmesh: {grid: [61, 61], size: [2, 1]}\nphysics: heat\n"                                                  \
  "materials: [{on: body, conductivity: [1, 0.2], capacity: 1.5}]\n"                                                   \
  "boundary:\n- {on: y0, temperature: '1+sin(9*t)*x'}\n- {on: x1, convection: {coefficient: 3, ambient: 1}}\n"         \
  "- {on: y1, flux: 'exp(-t)*x'}\ninitial: 'x*y'\ntime: {end: 0.5, step: 0.04, " scheme                                \
  "}\nsolver: {rtol: 1e-7, " solver "}\noutput:\n  every: 0.1\n  checkpoint: 0.2\n  fields: [temperature, flux]\n"     \
  "  probes: [{name: a, at: [1.1, 0.3]}]\n  sums: [{name: q, on: y0, field: heat-flow}]\n"                             \
  "expect: [{probe: a, value: 1, rtol: 10, time: 0.234}]\n"

static const struct Shared {
  const char *name;
  const Physics *physics;
  size_t n_ranks; /* the first so many of 2, 3, 5 */
  const char *text;
} shared[] = {
    {"pull", &elasticity_physics, 1,
     ELASTIC("  - {on: x0, fix: all}\n  - {on: x1, force: [1, 2, 3]}\n", "preconditioner: jacobi")},
    {"springs", &elasticity_physics, 2,
     ELASTIC("  - {on: x0, symmetry: true}\n  - {on: y0, spring: 5}\n  - {on: x1, traction: ['y', 2, 0]}\n"
             "  - {on: z1, pressure: '1+x'}\n",
             "preconditioner: chebyshev")},
    {"moved", &elasticity_physics, 1,
     ELASTIC("  - {on: x0, fix: all}\n  - {on: x1, fix: {x: 0.1}}\n", "preconditioner: least-squares")},
    {"steady", &heat_physics, 3,
     "version: 1\nmesh: {grid: [83, 101], size: [2, 1]}\nphysics: heat\n"
     "materials: [{on: body, conductivity: [1, 0.2], capacity: 1.5}]\n"
     "boundary:\n- {on: x0, temperature: 'sin(2*y)'}\n- {on: x1, convection: {coefficient: 3, ambient: 1}}\n"
     "- {on: y0, flux: 'x'}\nsource: [{on: body, value: 'x*y'}]\n"
     "solver: {rtol: 1e-6, format: csr, preconditioner: chebyshev}\n"
     "output: {fields: [temperature, flux], probes: [{name: a, at: [1.1, 0.3]}], sums: [{name: q, on: x0, field: "
     "heat-flow}]}\n"},
    {"crank-nicolson", &heat_physics, 2, HEAT_IN_TIME("scheme: crank-nicolson", "preconditioner: jacobi")},
    {"bdf2", &heat_physics, 1, HEAT_IN_TIME("scheme: bdf2", "preconditioner: least-squares, precision: auto")},
    {"adaptive", &heat_physics, 2,
     HEAT_IN_TIME("scheme: bdf2, adaptive: {tolerance: 1e-2}", "preconditioner: chebyshev, format: csr")},
};

/* A guard by which one rank alone is asked to stop, when it was called so often. */
static int stop_at;
static atomic_int n_asked;
static _Thread_local int calls;
static _Thread_local bool is_asked;
static int guard(int on) {
  if (stop_at && on && ++calls == stop_at) is_asked = atomic_fetch_add(&n_asked, 1) == 0;
  return is_asked;
}

/* Ends with `code`; path becomes the folder of its results. */
static void run_into(const char *n, const char *folder, const char *into, const char *option, int code,
                     char path[512]) {
  char text[512];
  snprintf(path, 512, "%s", scratch_path(folder, into));
  snprintf(text, sizeof text, "%s", scratch_path(folder, "case.yaml"));
  char *words[] = {(char *)"sinew",
                   (char *)"run",
                   text,
                   (char *)"--quiet",
                   (char *)"--output",
                   path,
                   (char *)"--backend",
                   (char *)(uintptr_t)app_backend(),
                   (char *)(uintptr_t)option};
  calls = 0, is_asked = false, n_asked = 0;
  setenv("SINEW_RANKS_AS_THREADS", n, 1);
  const int got = app_main_guarded(option ? 9 : 8, words, guard);
  unsetenv("SINEW_RANKS_AS_THREADS");
  if (got != code) fail_msg("%s ranks into %s: exit code %d, not %d", n, into, got, code);
}

static unsigned char *checkpoint_state(const char *folder, size_t *n) {
  char path[600];
  snprintf(path, sizeof path, "%s/checkpoint-1.hdf", folder);
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t data = H5Dopen2(file, "Checkpoint/state", H5P_DEFAULT);
  if (file < 0 || data < 0) fail_msg("'%s' is no checkpoint", path);
  const hid_t space = H5Dget_space(data);
  *n = (size_t)H5Sget_simple_extent_npoints(space);
  unsigned char *state = malloc(*n);
  assert_true(H5Dread(data, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, state) >= 0);
  H5Sclose(space);
  H5Dclose(data);
  H5Fclose(file);
  return state;
}

static void same_state(const char *together, const char *alone) {
  size_t n, m;
  unsigned char *a = checkpoint_state(together, &n), *b = checkpoint_state(alone, &m);
  if (n != m || memcmp(a, b, n)) fail_msg("%s: the checkpoint is not that of %s", together, alone);
  free(a);
  free(b);
}

static void same_files(const struct Shared *t, const char *together, const char *alone) {
  char a[600], b[600];
  int n_step = 0;
  snprintf(a, sizeof a, "%s/results.hdf", together), snprintf(b, sizeof b, "%s/results.hdf", alone);
  const Likeness like = result_likeness(a, b, false, &n_step);
  if (like != WHOLE) fail_msg("%s in %s: results.hdf is %s", t->name, together, likeness_word(like));
  snprintf(a, sizeof a, "%s/probes.csv", together), snprintf(b, sizeof b, "%s/probes.csv", alone);
  if (rows_likeness(a, b) != WHOLE) fail_msg("%s in %s: other rows in probes.csv", t->name, together);
  if (strstr(t->text, "checkpoint:")) same_state(together, alone);
}

static void same_as_alone(const struct Shared *t) {
  static const char *const ranks[] = {"2", "3", "5"};
  char alone[512], together[512];
  char *folder = folder_with(t->text);
  run_into("1", folder, "with-1", NULL, 0, alone);
  for (size_t k = 0; k < t->n_ranks; ++k) {
    run_into(ranks[k], folder, ranks[k], NULL, 0, together);
    same_files(t, together, alone);
  }
  scratch_remove(&folder);
}

static void results_are_those_of_one_rank(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof shared / sizeof *shared; ++k)
    if (shared[k].physics->shares) same_as_alone(&shared[k]);
}

/* One rank is asked, all stop behind the same step, and any number of ranks goes on. */
static void stopped_and_gone_on(const struct Shared *t) {
  static const char *const ranks[][2] = {{"2", "1"}, {"2", "3"}, {"1", "2"}};
  char alone[512], parts[512];
  char *folder = folder_with(t->text);
  run_into("1", folder, "with-1", NULL, 0, alone);
  for (size_t k = 0; k < sizeof ranks / sizeof *ranks; ++k) {
    stop_at = 7;
    run_into(ranks[k][0], folder, "parts", "--overwrite", 10, parts);
    stop_at = 0;
    run_into(ranks[k][1], folder, "parts", "--resume", 0, parts);
    same_files(t, parts, alone);
  }
  scratch_remove(&folder);
}

static void a_checkpoint_is_for_any_number_of_ranks(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof shared / sizeof *shared; ++k)
    if (strstr(shared[k].text, "bdf2")) stopped_and_gone_on(&shared[k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(results_come_in_the_order_of_the_mesh),
                                     cmocka_unit_test(what_one_process_does_is_refused),
                                     cmocka_unit_test(an_error_is_said_once),
                                     cmocka_unit_test(results_are_those_of_one_rank),
                                     cmocka_unit_test(a_checkpoint_is_for_any_number_of_ranks),
                                     cmocka_unit_test(too_many_ranks_are_told_how_many),
                                     cmocka_unit_test(what_cannot_yet_is_named)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
