/* What several ranks of a run do together, as threads of this process. */
#include "app/input/physics.h"
#include "app/run/collector.h"
#include "core/memory.h"
#include "tests/app/scratch.h"
#include "tests/faults/same.h"

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
    {"in time", &heat_physics, 2,
     "version: 1\nmesh: {grid: [41, 91], size: [2, 1]}\nphysics: heat\n"
     "materials: [{on: body, conductivity: [1, 0.2], capacity: 1.5}]\n"
     "boundary:\n- {on: x0, temperature: 'sin(2*t)'}\n- {on: x1, convection: {coefficient: 3, ambient: '1+t'}}\n"
     "- {on: y0, flux: 'exp(-t)*x'}\ninitial: 'x*y'\ntime: {end: 0.3, step: 0.05, adaptive: {tolerance: 1e-2}}\n"
     "solver: {rtol: 1e-6, preconditioner: jacobi}\n"
     "output: {every: 0.1, fields: [temperature, flux], checkpoint: 0.1, probes: [{name: a, at: [1.1, 0.3]}], sums: "
     "[{name: q, on: x0, field: heat-flow}]}\n"},
    {"steady", &heat_physics, 3,
     "version: 1\nmesh: {grid: [83, 101], size: [2, 1]}\nphysics: heat\n"
     "materials: [{on: body, conductivity: [1, 0.2], capacity: 1.5}]\n"
     "boundary:\n- {on: x0, temperature: 'sin(2*y)'}\n- {on: x1, convection: {coefficient: 3, ambient: 1}}\n"
     "- {on: y0, flux: 'x'}\nsource: [{on: body, value: 'x*y'}]\n"
     "solver: {rtol: 1e-6, format: csr, preconditioner: chebyshev}\n"
     "output: {fields: [temperature, flux], probes: [{name: a, at: [1.1, 0.3]}], sums: [{name: q, on: x0, field: "
     "heat-flow}]}\n"},
};

static void run_as(const char *n, const char *folder, char path[512]) {
  char into[64];
  snprintf(into, sizeof into, "with-%s", n);
  snprintf(path, 512, "%s", scratch_path(folder, into));
  setenv("SINEW_RANKS_AS_THREADS", n, 1);
  Said said = app_says("run", scratch_path(folder, "case.yaml"), "--backend", app_backend(), "--output", path, NULL);
  unsetenv("SINEW_RANKS_AS_THREADS");
  if (said.code) fail_msg("%s ranks: %s", n, said.err);
  said_release(&said);
}

static void same_as_alone(const struct Shared *t) {
  static const char *const ranks[] = {"2", "3", "5"};
  char alone[512], together[512], a[600], b[600];
  char *folder = folder_with(t->text);
  run_as("1", folder, alone);
  for (size_t k = 0; k < t->n_ranks; ++k) {
    int n_step = 0;
    run_as(ranks[k], folder, together);
    snprintf(a, sizeof a, "%s/results.hdf", together), snprintf(b, sizeof b, "%s/results.hdf", alone);
    const Likeness like = result_likeness(a, b, false, &n_step);
    if (like != WHOLE) fail_msg("%s with %s ranks: results.hdf is %s", t->name, ranks[k], likeness_word(like));
    snprintf(a, sizeof a, "%s/probes.csv", together), snprintf(b, sizeof b, "%s/probes.csv", alone);
    if (rows_likeness(a, b) != WHOLE) fail_msg("%s with %s ranks: other rows in probes.csv", t->name, ranks[k]);
  }
  scratch_remove(&folder);
}

static void results_are_those_of_one_rank(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof shared / sizeof *shared; ++k)
    if (shared[k].physics->shares) same_as_alone(&shared[k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(results_come_in_the_order_of_the_mesh),
                                     cmocka_unit_test(what_one_process_does_is_refused),
                                     cmocka_unit_test(an_error_is_said_once),
                                     cmocka_unit_test(results_are_those_of_one_rank),
                                     cmocka_unit_test(too_many_ranks_are_told_how_many),
                                     cmocka_unit_test(what_cannot_yet_is_named)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
