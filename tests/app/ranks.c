/* What several ranks of a run do together, as threads of this process. */
#include "app/app.h"
#include "app/run/slabs.h"
#include "core/memory.h"
#include "tests/app/ranks_run.h"
#include "tests/app/scratch.h"

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
  int32_t *some[2];      /* of the first of seven nodes and elements, 1 + its index; 0 of others */
  int32_t (*slab[2])[3]; /* indices times 1, 2, 3, of all ranks */
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

/* Every seventh item alone: the others stay what they were. */
static Status collect_some(Comm *comm, const Collecting *t, const LocalMesh *local, const Collector *c) {
  const int32_t n[2] = {(collector_items(c, OF_NODES) + 6) / 7, (collector_items(c, OF_ELEMENTS) + 6) / 7};
  const bool has = comm_rank(comm) == 0;
  const int32_t first = local->mesh->block[local->mesh->n_block - 1].first;
  Collector *few = NULL;
  Status status = OK;
  int32_t *item[2] = {NULL, NULL}, *mine = NULL;
  for (int of = 0; of < 2; ++of) ALLOC_DONE(item[of], n[of], "a test");
  for (int of = 0; of < 2; ++of)
    for (int32_t k = 0; k < n[of]; ++k) item[of][k] = has ? 7 * k : -1;
  TRY_DONE(collector_pick(c, has ? n : NULL, has ? item : NULL, &few));
  ALLOC_DONE(mine, local->mesh->n_element, "a test");
  for (int32_t e = first; e < local->mesh->n_element; ++e) mine[e - first] = local->element[e] + 1;
  TRY_DONE(collect(few, OF_ELEMENTS, sizeof *mine, mine, has ? t->some[OF_ELEMENTS] : NULL));
  for (int32_t i = 0; i < local->mesh->n_node; ++i) mine[i] = local->node[i] + 1;
  TRY_DONE(collect(few, OF_NODES, sizeof *mine, mine, has ? t->some[OF_NODES] : NULL));
done:
  FREE(mine);
  for (int of = 0; of < 2; ++of) FREE(item[of]);
  collector_destroy(&few);
  return status;
}

/* Each rank fills its own part of an array of the whole. */
static Status take_slabs(Comm *comm, const Collecting *t, const LocalMesh *local, const Collector *c) {
  const int32_t first = local->mesh->block[local->mesh->n_block - 1].first;
  const int32_t first_whole = t->mesh->block[t->mesh->n_block - 1].first;
  Slabs *slabs = NULL;
  Status status = OK;
  int32_t(*mine)[3] = NULL, begin;
  ALLOC_DONE(mine, local->mesh->n_element, "a test");
  TRY_DONE(slabs_create(comm, c, &slabs));
  for (int32_t i = 0; i < local->mesh->n_node; ++i)
    for (int k = 0; k < 3; ++k) mine[i][k] = local->solver[i] < local->n_own ? local->node[i] * (k + 1) : -1;
  (void)slabs_items(slabs, OF_NODES, &begin);
  TRY_DONE(slabs_take(slabs, OF_NODES, sizeof *mine, mine, t->slab[OF_NODES] + begin));
  for (int32_t e = first; e < local->mesh->n_element; ++e)
    for (int k = 0; k < 3; ++k) mine[e - first][k] = (local->element[e] - first_whole) * (k + 1);
  (void)slabs_items(slabs, OF_ELEMENTS, &begin);
  TRY_DONE(slabs_take(slabs, OF_ELEMENTS, sizeof *mine, mine, t->slab[OF_ELEMENTS] + begin));
done:
  slabs_destroy(&slabs);
  FREE(mine);
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
  if (status == OK) status = collect_some(comm, t, &local, c);
  if (status == OK) status = take_slabs(comm, t, &local, c);
  collector_destroy(&c);
  local_mesh_release(&local);
  return status;
}

static void some_and_slabs_are_right(const Collecting *t, int32_t n_node, int32_t n) {
  const int32_t first = t->mesh->block[t->mesh->n_block - 1].first;
  for (int of = 0; of < 2; ++of)
    for (int32_t i = 0; i < (of == OF_NODES ? n_node : n); ++i) {
      assert_int_equal(t->some[of][i], i % 7 ? 0 : i + 1 + (of == OF_ELEMENTS ? first : 0));
      for (int k = 0; k < 3; ++k) assert_int_equal(t->slab[of][i][k], i * (k + 1));
    }
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
  for (int of = 0; of < 2; ++of) {
    t.some[of] = calloc((size_t)mesh->n_element, sizeof **t.some);
    t.slab[of] = calloc((size_t)mesh->n_element, sizeof **t.slab);
  }
  t.start = calloc((size_t)n + 1, sizeof *t.start);
  t.piece = calloc((size_t)n * 3, sizeof *t.piece);
  if (renumbered) t.number = calloc((size_t)mesh->n_node, sizeof *t.number);
  for (int32_t i = 0; renumbered && i < mesh->n_node; ++i) t.number[i] = (int32_t)((int64_t)i * 1009 % mesh->n_node);
  for (int32_t e = 0; e < n; ++e) t.start[e + 1] = t.start[e] + e % 3;
  for (size_t k = 0; k < sizeof ranks / sizeof *ranks; ++k) {
    memset(t.node, 0, (size_t)mesh->n_node * 2 * sizeof *t.node);
    memset(t.element, 0, (size_t)n * sizeof *t.element);
    for (int of = 0; of < 2; ++of) memset(t.slab[of], -1, (size_t)mesh->n_element * sizeof **t.slab);
    assert_ok(comm_threads_run(ranks[k], collecting_rank, &t));
    some_and_slabs_are_right(&t, mesh->n_node, n);
    for (int32_t i = 0; i < mesh->n_node; ++i) assert_true(t.node[2 * i] == i && t.node[2 * i + 1] == -2 * i);
    for (int32_t e = 0; e < n; ++e) {
      assert_true(t.element[e] == e);
      for (int p = 0; p < e % 3; ++p) assert_int_equal(t.piece[t.start[e] + p], (int16_t)(e + p));
    }
  }
  for (int of = 0; of < 2; ++of) {
    free(t.some[of]);
    free(t.slab[of]);
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

static void what_one_process_does_is_refused(void **state) {
  (void)state;
  char *folder = ranks_folder(SQUARE_YAML);
  says(ranks_say("3", folder, "check"), 2, "'sinew check' is the work of one process, and 3 were started");
  says(ranks_say("2", folder, "verify"), 2, "'sinew verify' is the work of one process, and 2 were started");
  scratch_remove(&folder);
}

static void an_error_is_said_once(void **state) {
  (void)state;
  char *folder = ranks_folder("version: 1\nphysics: elasticity\nmesh: square.msh\nnonsense: 1\n");
  says(ranks_say("3", folder, "run"), 3, "unknown key 'nonsense'");
  scratch_remove(&folder);
}

static void too_many_ranks_are_told_how_many(void **state) {
  (void)state;
  char *folder = ranks_folder(SQUARE_YAML);
  says(ranks_say("3", folder, "run"), 3, "3 ranks for a mesh of 4 nodes, must be at most 1");
  scratch_remove(&folder);
}

static void what_cannot_yet_is_named(void **state) {
  (void)state;
  static const struct {
    const char *text, *said;
  } row[] = {{"version: 1\nmesh: {grid: [31, 3]}\nphysics: heat\nmaterials: [{on: body, conductivity: 1}]\n"
              "boundary: [{on: x0, temperature: 1}]\nsolver: {preconditioner: ssor}\n",
              "preconditioner 'ssor' (its sweeps go through colours of all rows, each after the one before) is not for "
              "several processes yet, and 3 were started"}};
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    char *folder = ranks_folder(row[k].text);
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
  "boundary:\n" boundary "solver: {rtol: 1e-6, " solver "}\n" ELASTIC_OUTPUT

/* What varies is at one side, where not every rank has nodes. */
#define HEAT_IN_TIME(scheme, solver)                                                                                   \
  "version: 1\nmesh: {grid: [61, 61], size: [2, 1]}\nphysics: heat\n"                                                  \
  "materials: [{on: body, conductivity: [1, 0.2], capacity: 1.5}]\n"                                                   \
  "boundary:\n- {on: y0, temperature: '1+sin(9*t)*x'}\n- {on: x1, convection: {coefficient: 3, ambient: 1}}\n"         \
  "- {on: y1, flux: 'exp(-t)*x'}\ninitial: 'x*y'\ntime: {end: 0.5, step: 0.04, " scheme                                \
  "}\nsolver: {rtol: 1e-7, " solver "}\noutput:\n  every: 0.1\n  checkpoint: 0.2\n  fields: [temperature, flux]\n"     \
  "  probes: [{name: a, at: [1.1, 0.3]}]\n  sums: [{name: q, on: y0, field: heat-flow}]\n"                             \
  "expect: [{probe: a, value: 1, rtol: 10, time: 0.234}]\n"

static const SharedCase shared[] = {
    {"pull", 1, ELASTIC("  - {on: x0, fix: all}\n  - {on: x1, force: [1, 2, 3]}\n", "preconditioner: jacobi")},
    {"springs", 2,
     ELASTIC("  - {on: x0, symmetry: true}\n  - {on: y0, spring: 5}\n  - {on: x1, traction: ['y', 2, 0]}\n"
             "  - {on: z1, pressure: '1+x'}\n",
             "preconditioner: chebyshev, format: auto")},
    {"moved", 1,
     ELASTIC("  - {on: x0, fix: all}\n  - {on: x1, fix: {x: 0.1}}\n", "preconditioner: least-squares, format: csr")},
    {"hierarchy", 2,
     ELASTIC("  - {on: x0, fix: all}\n  - {on: y0, symmetry: true}\n  - {on: x1, force: [1, 2, 3]}\n",
             "preconditioner: amg, precision: int8")},
    {"chosen", 2,
     "version: 1\nmesh: {grid: [120, 101], size: [2, 1]}\nphysics: heat\n"
     "materials: [{on: body, conductivity: [1, 0.2]}]\nboundary:\n- {on: x0, temperature: 'sin(2*y)'}\n"
     "- {on: y0, flux: 'x'}\nsolver: {rtol: 1e-6}\noutput: {fields: [temperature]}\n"},
    {"steady", 3,
     "version: 1\nmesh: {grid: [83, 101], size: [2, 1]}\nphysics: heat\n"
     "materials: [{on: body, conductivity: [1, 0.2], capacity: 1.5}]\n"
     "boundary:\n- {on: x0, temperature: 'sin(2*y)'}\n- {on: x1, convection: {coefficient: 3, ambient: 1}}\n"
     "- {on: y0, flux: 'x'}\nsource: [{on: body, value: 'x*y'}]\n"
     "solver: {rtol: 1e-6, format: sell, preconditioner: chebyshev}\n"
     "output: {fields: [temperature, flux], probes: [{name: a, at: [1.1, 0.3]}], sums: [{name: q, on: x0, field: "
     "heat-flow}]}\n"},
    {"crank-nicolson", 2, HEAT_IN_TIME("scheme: crank-nicolson", "preconditioner: jacobi")},
    {"bdf2", 1, HEAT_IN_TIME("scheme: bdf2", "preconditioner: least-squares, precision: auto")},
    {"adaptive", 2, HEAT_IN_TIME("scheme: bdf2, adaptive: {tolerance: 1e-2}", "preconditioner: chebyshev")},
};

static void results_are_those_of_one_rank(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof shared / sizeof *shared; ++k) ranks_same_as_alone(&shared[k]);
}

static void a_checkpoint_is_for_any_number_of_ranks(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof shared / sizeof *shared; ++k)
    if (strstr(shared[k].text, "bdf2")) ranks_stop_and_go_on(&shared[k]);
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
