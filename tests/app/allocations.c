/* Every allocation of the whole program failed once: exit code 7, nothing lost, no result left. Of those that are made
 * again by the same calls from main to there, a loop's first, second and last are failed, and one in sixteen where an
 * earlier command line of any of these tests had them. */
#include "core/memory.h"
#include "tests/app/scratch.h"

#include <execinfo.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A failure behind the last step leaves a result, which must be whole. */
static void hold_whole(const char *result, int k) {
  Said said = app_says("info", result, NULL);
  if (said.code) fail_msg("allocation %d left a file that cannot be read: %s", k, said.err);
  said_release(&said);
}

/* A resumed run makes its sidecar twice: what fails the first time is whole the second time. */
static bool may_recover;
/* Of a finished run: without it there is something to go on with. */
static const char *forgotten;

/* By which calls each allocation is made, as a hash: tests/app/CMakeLists.txt has the linker send all of them through here. */
enum { DEPTH = 64, NOTED_MOST = 1 << 15 };
static _Atomic uint64_t noted[NOTED_MOST]; /* of allocation k; 0: not known */
static bool notes;
static int outside; /* calls that lead to the command line */

static void note_calls(void) {
  void *frame[DEPTH];
  const int64_t k = mem_count() + 1; /* two threads may meet here: then one is not known */
  uint64_t hash = 14695981039346656037u;
  if (!notes || k >= NOTED_MOST) return;
  const int n = backtrace(frame, DEPTH);
  for (int i = 0; i < n - outside; ++i) hash = (hash ^ (uint64_t)(uintptr_t)frame[i]) * 1099511628211u;
  noted[k] = noted[k] || n <= outside ? 0 : hash;
}

Status __real_mem_alloc(int64_t n, size_t size, const char *what, void **out);
Status __wrap_mem_alloc(int64_t n, size_t size, const char *what, void **out);
Status __wrap_mem_alloc(int64_t n, size_t size, const char *what, void **out) {
  note_calls();
  return __real_mem_alloc(n, size, what, out);
}

Status __real_mem_resize(int64_t n, size_t size, const char *what, void **p);
Status __wrap_mem_resize(int64_t n, size_t size, const char *what, void **p);
Status __wrap_mem_resize(int64_t n, size_t size, const char *what, void **p) {
  note_calls();
  return __real_mem_resize(n, size, what, p);
}

/* What earlier command lines had; a set, full of 0 at first. */
static uint64_t had[NOTED_MOST];
static uint64_t *had_slot(uint64_t hash) {
  uint64_t i = hash % NOTED_MOST;
  for (int tried = 1; had[i] && had[i] != hash && tried < NOTED_MOST; ++tried) i = (i + 1) % NOTED_MOST;
  return &had[i];
}

/* Whether what fails by number k has failed by other numbers. */
static bool known_to_fail(int64_t k, int64_t total) {
  int before = 0, after = 0;
  if (total >= NOTED_MOST || !noted[k]) return false;
  for (int64_t i = 1; i < k; ++i) before += noted[i] == noted[k];
  for (int64_t i = k + 1; i <= total; ++i) after += noted[i] == noted[k];
  return (before >= 2 && after >= 1) || (*had_slot(noted[k]) == noted[k] && k % 16 != 1);
}

__attribute__((noinline)) static void fail_each(int n, const char *const *words, const char *result) {
  Said said = app_says_words(n, words); /* what libraries keep from their first use is not ours */
  said_release(&said);
  if (result) unlink(result);
  if (forgotten) unlink(forgotten);
  const size_t before = mem_in_use();
  for (int i = 0; i < NOTED_MOST; ++i) noted[i] = 0;
  mem_fail_nth(0);
  outside = backtrace((void *[DEPTH]){NULL}, DEPTH);
  notes = true;
  said = app_says_words(n, words);
  notes = false;
  const int64_t total = mem_count();
  int64_t n_failed = 0;
  if (said.code) fail_msg("exit code %d: %s", said.code, said.err);
  said_release(&said);
  for (int64_t k = 1; k <= total; ++k) {
    if (known_to_fail(k, total)) continue;
    ++n_failed;
    if (result) unlink(result);
    if (forgotten) unlink(forgotten);
    mem_fail_nth(k);
    said = app_says_words(n, words);
    const bool reached = mem_count() >= k; /* a slow run says more, and a fast one less */
    mem_fail_nth(0);
    const bool recovered = (may_recover || !reached) && said.code == 0;
    if (said.code != 7 && !recovered)
      fail_msg("allocation %d of %d: exit code %d\n%s", (int)k, (int)total, said.code, said.err);
    if (!recovered && !strstr(said.err, "memory"))
      fail_msg("allocation %d: nothing about memory in %s", (int)k, said.err);
    if (mem_in_use() != before)
      fail_msg("allocation %d: %d bytes are lost\n%s", (int)k, (int)(mem_in_use() - before), said.err);
    said_release(&said);
    if (result && access(result, F_OK) == 0) hold_whole(result, (int)k);
  }
  for (int64_t k = 1; k <= total && total < NOTED_MOST; ++k) *had_slot(noted[k]) = noted[k];
  print_message("%d of %d allocations of 'sinew %s' failed once each\n", (int)n_failed, (int)total, words[0]);
}

static char *folder;

static int make(void **state) {
  (void)state;
  folder = scratch_create();
  scratch_write(folder, "square.msh", SQUARE_MSH);
  scratch_write(folder, "case.yaml", SQUARE_YAML);
  return 0;
}

static int drop(void **state) {
  (void)state;
  scratch_remove(&folder);
  return 0;
}

static void run(void **state) {
  (void)state;
  const char *words[] = {
      "run", scratch_path(folder, "case.yaml"), "--backend", "cpu", "--overwrite", "--quiet", "--threads", "1"};
  fail_each(8, words, scratch_path(folder, "results/results.hdf"));
}

static void check(void **state) {
  (void)state;
  const char *words[] = {"check", scratch_path(folder, "case.yaml"), "--backend", "cpu", "--threads", "1"};
  fail_each(6, words, NULL);
}

/* A heart with all that it can leave, and one that goes on from a checkpoint. */
static const char HEART[] =
    "version: 1\nmesh: {grid: [3, 2], size: [1, 0.5]}\nphysics: monodomain\n"
    "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: {along: 1, across: 0.5}, fibers: {direction: [1, 0]}}]\n"
    "stimuli: [{name: s, on: {box: {min: [0, 0], max: [0.5, 1]}}, duration: 1, amplitude: 500},\n"
    "  {on: x0, duration: 1, amplitude: 500, depth: 0.3}, {on: x0, duration: 1, current: 500}]\n"
    "initial: {potential: -80, recovery: 0}\n"
    "time: {end: 2, step: 0.5}\nreaction: nodal\n"
    "output: {every: 1, fields: [potential, recovery], maps: [activation, apd], checkpoint: 1, probes: [{name: a, at: "
    "[0, 0]}, "
    "{name: b, at: [0.7, 0.2], field: apd}], ecg: [{name: e, positive: [9, 9, 9]}], velocity: [{name: v, from: a, to: "
    "b}]}\n"
    "expect: [{probe: a, time: 1, value: 0}]\n";

static void heart(void **state) {
  (void)state;
  scratch_write(folder, "heart.yaml", HEART);
  const char *words[] = {"run",         scratch_path(folder, "heart.yaml"),
                         "--backend",   "cpu",
                         "--overwrite", "--quiet",
                         "--threads",   "1",
                         "--set",       "reaction=nodal"};
  fail_each(10, words, scratch_path(folder, "results-heart/results.hdf"));
  words[9] = "reaction=gauss";
  fail_each(10, words, scratch_path(folder, "results-heart/results.hdf"));
  words[4] = "--resume";
  may_recover = true, forgotten = scratch_path(folder, "results-heart/report.json");
  fail_each(10, words, NULL);
  may_recover = false, forgotten = NULL;
  words[0] = "check";
  words[4] = "--quiet";
  words[5] = "--set", words[6] = "solver.rtol=1e-7";
  fail_each(7, words, NULL);
}

/* A heart of one triangle beside a torso of another. */
static const char HALVES[] = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n1 1 \"left\"\n2 4 \"body\"\n2 5 "
                             "\"fat\"\n$EndPhysicalNames\n"
                             "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n"
                             "$Elements\n3\n1 1 2 1 1 4 1\n2 2 2 4 4 1 2 3\n3 2 2 5 5 1 3 4\n$EndElements\n";
static const char TORSO[] =
    "version: 1\nmesh: {file: halves.msh}\nphysics: monodomain\n"
    "tissue: [{on: body, ionic: aliev-panfilov, conductivity: {intra: 0.2, extra: 0.6, surface-to-volume: 140}}]\n"
    "torso: [{on: fat, conductivity: 0.2}]\ntime: {end: 0.5, step: 0.5}\n"
    "output: {fields: [potential, extracellular], ecg: [{name: e, positive: [0, 1], negative: [0.1, 0.9]}], "
    "electrodes: {"
    "RA: [0, 1], LA: [0, 1], LL: [0, 0.8], V1: [0, 1], V2: [0, 1], V3: [0, 1], V4: [0, 1], V5: [0, 1], V6: [0, 1]}}\n";

static void torso(void **state) {
  (void)state;
  scratch_write(folder, "halves.msh", HALVES);
  scratch_write(folder, "torso.yaml", TORSO);
  const char *words[] = {
      "run", scratch_path(folder, "torso.yaml"), "--backend", "cpu", "--overwrite", "--quiet", "--threads", "1"};
  fail_each(8, words, scratch_path(folder, "results-torso/results.hdf"));
}

/* Leads of a front in two tissues with the same cells. */
static const char FRONT[] = "version: 1\nmesh: {file: halves.msh}\nphysics: eikonal\n"
                            "tissue: [{on: body, velocity: 0.6, ionic: aliev-panfilov, conductivity: {intra: 0.2}},\n"
                            "  {on: fat, velocity: 0.3, ionic: aliev-panfilov, conductivity: {intra: 0.1}}]\n"
                            "stimuli: [{on: {nodes: [1]}}]\ntime: {end: 3}\nprepace: {cycle: 400, beats: 1}\n"
                            "output: {medium: 1, ecg: [{name: e, positive: [0, 1, 1], negative: [0.1, 0.9, 2]}]}\n";

static void front(void **state) {
  (void)state;
  scratch_write(folder, "halves.msh", HALVES);
  scratch_write(folder, "front.yaml", FRONT);
  const char *words[] = {
      "run", scratch_path(folder, "front.yaml"), "--backend", "cpu", "--overwrite", "--quiet", "--threads", "1"};
  fail_each(8, words, scratch_path(folder, "results-front/results.hdf"));
}

/* Supports that move in a direction of their own, damping of all kinds, two frequencies. */
static const char HARMONIC[] =
    "version: 1\nmesh: {file: square.msh}\nphysics: elasticity\nmodel: plane-stress\n"
    "analysis: {type: harmonic, frequency: [0.1, 0.2], damping: {loss-factor: 0.1, alpha: 0.1, beta: 0.1}}\n"
    "materials: [{on: body, young: 1000, poisson: 0.25, density: 2}]\n"
    "boundary: [{on: left, fix: {x: 0.1, y: 0}}, {on: right, traction: [10, 0]}]\n"
    "output: {fields: [displacement, stress, von-mises], probes: [{name: p, at: [1, 1], field: stress-xx, part: "
    "phase}]}\n"
    "expect: [{probe: p, frequency: 0.1, value: 0}]\n";

static void harmonic(void **state) {
  (void)state;
  scratch_write(folder, "harmonic.yaml", HARMONIC);
  const char *words[] = {
      "run", scratch_path(folder, "harmonic.yaml"), "--backend", "cpu", "--overwrite", "--quiet", "--threads", "1"};
  fail_each(8, words, scratch_path(folder, "results-harmonic/results.hdf"));
  words[0] = "check";
  words[4] = "--threads", words[5] = "1";
  fail_each(6, words, NULL);
}

/* A body that nothing holds, few unknowns: all at once; and one that is iterated. */
static const char MODAL[] = "version: 1\nmesh: {file: square.msh}\nphysics: elasticity\nmodel: plane-stress\n"
                            "analysis: {type: modal, modes: 1}\n"
                            "materials: [{on: body, young: 1000, poisson: 0.25, density: 2}]\n"
                            "output: {fields: [displacement, stress, von-mises]}\n"
                            "expect: [{mode: 1, quantity: frequency, value: 0}]\n";

static void modal(void **state) {
  (void)state;
  scratch_write(folder, "modal.yaml", MODAL);
  const char *words[] = {"run",         scratch_path(folder, "modal.yaml"),
                         "--backend",   "cpu",
                         "--overwrite", "--quiet",
                         "--threads",   "1",
                         "--set",       "title=a"};
  fail_each(10, words, scratch_path(folder, "results-modal/results.hdf"));
  words[9] = "mesh.refine=2";
  fail_each(10, words, scratch_path(folder, "results-modal/results.hdf"));
}

static const char SECTOR[] =
    "version: 1\nmesh: {grid: [2, 2], size: [1, 1]}\nphysics: elasticity\nmodel: plane-stress\n"
    "analysis: {type: modal, modes: 1, diameters: [0, 1], prestress: true}\n"
    "materials: [{on: body, young: 1000, poisson: 0.25, density: 2}]\n"
    "boundary:\n- {on: x0, periodic: y0, rotate: {origin: [0, 0]}}\n"
    "- {on: x1, pressure: 1, spring: 3}\n";

static void sector(void **state) {
  (void)state;
  scratch_write(folder, "sector.yaml", SECTOR);
  const char *words[] = {
      "run", scratch_path(folder, "sector.yaml"), "--backend", "cpu", "--overwrite", "--quiet", "--threads", "1"};
  fail_each(8, words, scratch_path(folder, "results-sector/results.hdf"));
}

/* A modulus that varies, heated by what a heat run left. */
static const char HEAT[] = "version: 1\nmesh: {file: square.msh}\nphysics: heat\n"
                           "materials: [{on: body, conductivity: 1, capacity: 1}]\n"
                           "boundary: [{on: left, temperature: 20}, {on: right, temperature: 120}]\n";
static const char HEATED[] =
    "version: 1\nmesh: {file: square.msh}\nphysics: elasticity\nmodel: plane-stress\n"
    "materials: [{on: body, young: \"1000*(1+x)\", poisson: 0.25, density: 2, expansion: 1e-4}]\n"
    "boundary: [{on: left, fix: all}]\nbody: [{on: body, centrifugal: {origin: [0, 0], speed: 1}}]\n"
    "thermal: {reference: 20, temperature: {results: warm, time: 0}}\n";

static void heated(void **state) {
  (void)state;
  scratch_write(folder, "heat.yaml", HEAT);
  scratch_write(folder, "heated.yaml", HEATED);
  Said said = app_says("run", scratch_path(folder, "heat.yaml"), "--backend", "cpu", "--output",
                       scratch_path(folder, "warm"), NULL);
  assert_int_equal(said.code, 0);
  said_release(&said);
  const char *words[] = {
      "run", scratch_path(folder, "heated.yaml"), "--backend", "cpu", "--overwrite", "--quiet", "--threads", "1"};
  fail_each(8, words, scratch_path(folder, "results-heated/results.hdf"));
}

static void mesh(void **state) {
  (void)state;
  const char *out = scratch_path(folder, "out.h5");
  const char *words[] = {"mesh", scratch_path(folder, "square.msh"), out, "--refine", "1"};
  fail_each(5, words, out);
}

static void info_and_list(void **state) {
  (void)state;
  const char *info[] = {"info", scratch_path(folder, "square.msh")};
  const char *list[] = {"list", "elements"};
  fail_each(2, info, NULL);
  fail_each(2, list, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(run, make, drop),          cmocka_unit_test_setup_teardown(check, make, drop),
      cmocka_unit_test_setup_teardown(front, make, drop),        cmocka_unit_test_setup_teardown(heart, make, drop),
      cmocka_unit_test_setup_teardown(torso, make, drop),        cmocka_unit_test_setup_teardown(harmonic, make, drop),
      cmocka_unit_test_setup_teardown(modal, make, drop),        cmocka_unit_test_setup_teardown(sector, make, drop),
      cmocka_unit_test_setup_teardown(heated, make, drop),       cmocka_unit_test_setup_teardown(mesh, make, drop),
      cmocka_unit_test_setup_teardown(info_and_list, make, drop)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
