/* Springs between nodes and masses of rigid groups by one rank and by several: the same files. */
#include "tests/app/ranks_run.h"
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <stdlib.h>
#include <string.h>

/* Nodes of the first row and of the last, which different ranks own, in groups and outside. */
#define SPRUNG(grid, model, more, boundary, springs, output)                                                           \
  "version: 1\nmesh: {grid: " grid "}\nphysics: elasticity\nmodel: " model "\n" more                                   \
  "materials: [{on: body, young: 100, poisson: 0.3, density: '1+x'}]\nboundary: [" boundary "]\n"                      \
  "springs: [" springs "]\nsolver: {rtol: 1e-8, preconditioner: amg}\noutput: {" output "}\n"
#define FLAT "[41, 61], size: [2, 1]"
#define HEAVY "{on: x1, rigid: {at: [2.5, 0.5], mass: 3, inertia: 2}}"
#define TWO                                                                                                            \
  "{nodes: [2501, 1500], stiffness: [10, 20]}, {nodes: [5, 2000], stiffness: 200}, {nodes: [2400], stiffness: [3, 4]}"

static const SharedCase sprung[] = {
    {"weighed", 2,
     SPRUNG(FLAT, "plane-strain", "body: [{on: body, gravity: ['y', -0.1]}]\n", "{on: x0, fix: all}, " HEAVY, TWO,
            "fields: [displacement, stress, reaction], probes: [{name: p, at: [1, 0.5], field: displacement-x}]")},
    {"turning", 1,
     SPRUNG("[7, 7, 30], size: [1, 1, 4]", "3d", "strain: finite\ntime: {end: 1, step: 0.5}\n",
            "{on: z0, fix: all}, {on: z1, rigid: {at: [0.5, 0.5, 4], force: [1, 0, 0.3], moment: [0, 0, 1]}}",
            "{nodes: [5, 1400], stiffness: [20, 3, 1]}, {nodes: [1470, 800], stiffness: [1, 2, 3]}",
            "fields: [displacement, stress]")},
    {"swinging", 1,
     SPRUNG("[7, 7, 48], size: [1, 1, 4]", "3d", "analysis: {type: transient}\ntime: {end: 0.2, step: 0.02}\n",
            "{on: z0, fix: all}, {on: z1, rigid: {at: [0.5, 0.5, 5], force: [1, 0, 't'], mass: 3, "
            "inertia: [[2, 0.1, 0], [0.1, 3, 0], [0, 0, 4]]}}",
            "{nodes: [5, 2200], stiffness: 20, dashpot: 3}, {nodes: [2352, 800], stiffness: 3}",
            "every: 0.1, checkpoint: 0.02, fields: [displacement, velocity]")},
};
/* Free to move: how, is found from sums over ranks, of which one alone may have springs. */
#define MODES "analysis: {type: modal, modes: 3}\n"
static const SharedCase loose[] = {
    {"heavy", 2,
     SPRUNG(FLAT, "plane-strain", MODES, HEAVY,
            "{nodes: [2501, 1500], stiffness: [10, 20]}, {nodes: [5, 2000], stiffness: 200}",
            "fields: [displacement]")},
    {"tethered", 1,
     SPRUNG(FLAT, "plane-strain", MODES, "", "{nodes: [2400, 1500], stiffness: 7}", "fields: [displacement]")},
    {"drawn", 2,
     SPRUNG("[9, 9, 31], size: [2, 1, 4]", "3d", MODES, "{on: z1, rigid: {at: [0.3, 0.4, 4]}}",
            "{nodes: [1726, 2078], stiffness: 83.5142}, "
            "{nodes: [2352, 1438], stiffness: 53.8762}, "
            "{nodes: [1670, 2394], stiffness: 24.0063}, "
            "{nodes: [1380, 118], stiffness: 85.7837}, "
            "{nodes: [2482, 669], stiffness: 70.163}",
            "fields: [displacement]")},
};

static void springs_are_those_of_one_rank(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof sprung / sizeof *sprung; ++k) ranks_same_as_alone(&sprung[k]);
  for (size_t k = 0; k < sizeof loose / sizeof *loose; ++k) ranks_same_as_alone(&loose[k]);
}

static void they_go_on_by_other_ranks(void **state) {
  (void)state;
  ranks_stop_and_go_on(&sprung[2]);
}

/* The mass of a group is that of one rank alone. */
static void masses_are_counted_once(void **state) {
  (void)state;
  static const char *const ranks[] = {"1", "3"};
  char path[512];
  double mass[2];
  char *folder = ranks_folder(loose[0].text);
  for (int k = 0; k < 2; ++k) {
    ranks_run(ranks[k], folder, ranks[k], NULL, 0, path);
    char *text = scratch_read(path, "report.json"), *at = strstr(text, "\"mass\": ");
    assert_non_null(at);
    mass[k] = strtod(at + strlen("\"mass\": "), NULL);
    free(text);
  }
  assert_near(mass[0], 7, 1e-9); /* 2 of the plate, times a mean density of 2, and 3 */
  assert_near(mass[1], mass[0], 1e-9);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(springs_are_those_of_one_rank),
                                     cmocka_unit_test(they_go_on_by_other_ranks),
                                     cmocka_unit_test(masses_are_counted_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
