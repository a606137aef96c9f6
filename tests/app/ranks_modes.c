/* Modes, buckling and responses by modes, of one rank and of several: the same files. */
#include "tests/app/ranks_run.h"
#include "tests/app/scratch.h"
#include "tests/app/strips.h"
#include "tests/testing.h"

#include <stdlib.h>
#include <string.h>

/* Two parts that move freely, one that ties join, and under loads. */
#define MODES(analysis, boundary, more)                                                                                \
  "version: 1\nmesh: {file: strips.msh}\nphysics: elasticity\nmodel: plane-strain\nanalysis: {" analysis "}\n"         \
  "materials: [{on: [low, high], young: 100, poisson: 0.3, density: '1+x'}]\n" boundary more                           \
  "output: {fields: [displacement, stress], probes: [{name: p, at: [1, 0.5], field: displacement-x}]}\n"
static const SharedCase shapes[] = {
    {"loose", 2, MODES("type: modal, modes: 4", "", "")},
    {"joined", 2,
     MODES("type: modal, modes: 3",
           "boundary: [{on: above, tie: below}, {on: top, rigid: {at: [1, 2], fix: {x: 0}}}]\n", "")},
    {"stretched", 1,
     MODES("type: modal, modes: 3, prestress: true",
           "boundary: [{on: bottom, fix: all}, {on: above, tie: below}, {on: top, traction: [0, 1]}]\n",
           "solver: {preconditioner: amg}\n")},
    {"buckling", 1,
     MODES("type: buckling, modes: 2",
           "boundary: [{on: bottom, fix: all}, {on: above, tie: below}, {on: top, traction: [0, -1]}]\n", "")},
    {"spinning", 1,
     "version: 1\nmesh: {grid: [6, 6, 30], size: [1, 1, 4], order: 2}\nphysics: elasticity\nmodel: 3d\n"
     "analysis: {type: modal, modes: 3, prestress: true}\n"
     "materials: [{on: body, young: 100, poisson: 0.3, density: 1}]\n"
     "body: [{on: body, centrifugal: {origin: [0.5, 0.5, 0], axis: [1, 0, 0], speed: 0.2}}]\nboundary: [{on: z0, fix: "
     "all}]\n"
     "output: {fields: [displacement]}\n"},
};

/* Loads and supports that vary lie where one rank alone has them, at the ends. */
#define BY_MODES(grid, model, analysis, boundary, fields)                                                              \
  "version: 1\nmesh: {grid: " grid "}\nphysics: elasticity\nmodel: " model "\nanalysis: {" analysis                    \
  ", method: modes, "                                                                                                  \
  "modes: 4}\nmaterials: [{on: body, young: 100, poisson: 0.3, density: '1+x'}]\nboundary: [" boundary                 \
  "]\nsolver: {rtol: 1e-8, preconditioner: amg}\noutput: {" fields "}\n"
static const SharedCase by_modes[] = {
    {"shaken", 2,
     BY_MODES("[41, 61], size: [2, 1]", "plane-strain", "type: harmonic, frequency: [0.1, 0.2], damping: {alpha: 0.5}",
              "{on: y0, fix: {x: 0, y: 0.1}}, {on: x0, periodic: x1}, {on: y1, traction: [1, 'x']}",
              "fields: [displacement, stress]")},
    {"carried", 1,
     BY_MODES(
         "[7, 7, 48], size: [1, 1, 4]", "3d", "type: transient",
         "{on: z0, fix: {x: 0, y: 0, z: '0.1*sin(t)'}}, {on: z1, rigid: {at: [0.5, 0.5, 5], force: [1, 0, 't'], "
         "mass: 3}}",
         "every: 0.5, checkpoint: 0.1, fields: [displacement, velocity, acceleration]") "time: {end: 1, step: 0.1}\n"},
};

static void responses_are_those_of_one_rank(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof by_modes / sizeof *by_modes; ++k) ranks_same_as_alone(&by_modes[k]);
  ranks_stop_and_go_on(&by_modes[1]);
}

static void same_modes(const SharedCase *t) {
  static const char *const ranks[] = {"2", "3"};
  char alone[512], together[512];
  char *folder = ranks_folder(t->text);
  strips_write_apart(folder, strstr(t->text, "tie:") ? 0 : 0.5);
  ranks_run("1", folder, "with-1", NULL, 0, alone);
  char *left = scratch_read(alone, "modes.csv");
  for (size_t k = 0; k < t->n_ranks; ++k) {
    ranks_run(ranks[k], folder, ranks[k], NULL, 0, together);
    ranks_same_files(t, together, alone);
    char *right = scratch_read(together, "modes.csv");
    if (strcmp(left, right)) fail_msg("%s by %s ranks: other rows in modes.csv", t->name, ranks[k]);
    free(right);
  }
  free(left);
  scratch_remove(&folder);
}

static void modes_are_those_of_one_rank(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof shapes / sizeof *shapes; ++k) same_modes(&shapes[k]);
}

static void what_is_for_one_rank_says_so(void **state) {
  (void)state;
  ranks_refused(MODES("type: modal, modes: 3, prestress: true",
                      "boundary: [{on: bottom, fix: all}, {on: top, traction: [0, 1]}]\n",
                      "strain: finite\ntime: {end: 1, step: 1}\n"),
                "2", "is not for several processes");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(modes_are_those_of_one_rank),
                                     cmocka_unit_test(responses_are_those_of_one_rank),
                                     cmocka_unit_test(what_is_for_one_rank_says_so)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
