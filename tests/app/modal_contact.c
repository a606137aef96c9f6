/* Modes about states with contact and bolts: what is closed and sticks is held, what is open or slides is free, a bolt has its force or its
 * length. Each against a body that supports hold so. */
#include "core/memory.h"
#include "output/read.h"
#include "tests/app/scratch.h"
#include "tests/assembly/two_blocks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MODES = 4, TEXT = 3000 };

typedef struct Modes {
  int32_t n_node;
  double frequency[MODES], *shape; /* [MODES][n_node][3], owned */
} Modes;

static Modes modes_of(const char *folder, const char *text) {
  Result *result = NULL;
  Modes m = {0};
  app_runs(folder, text);
  assert_ok(result_open(scratch_path(folder, "results/modes/results.hdf"), &result));
  const ResultField *field = result_field(result, "displacement", false);
  assert_non_null(field);
  assert_int_equal(result->n_step, MODES);
  m.n_node = result->n_node;
  assert_ok(mem_alloc(3 * (int64_t)MODES * m.n_node, sizeof *m.shape, "shapes", (void **)(void *)&m.shape));
  for (int64_t k = 0; k < MODES; ++k) {
    m.frequency[k] = result->time[k];
    assert_ok(result_read(result, field, k, m.shape + 3 * k * m.n_node));
  }
  result_close(&result);
  return m;
}

/* Frequencies, and shapes but for their sign. */
static void same_modes(Modes *a, Modes *b, double near) {
  assert_int_equal(a->n_node, b->n_node);
  for (int k = 0; k < MODES; ++k) {
    const double *p = a->shape + 3 * (int64_t)k * a->n_node, *q = b->shape + 3 * (int64_t)k * b->n_node;
    double along = 0, most = 0, worst = 0;
    assert_relative(a->frequency[k], b->frequency[k], near);
    for (int32_t i = 0; i < 3 * a->n_node; ++i) along += p[i] * q[i], most = fmax(most, fabs(q[i]));
    for (int32_t i = 0; i < 3 * a->n_node; ++i) worst = fmax(worst, fabs(p[i] - (along < 0 ? -q[i] : q[i])));
    if (!(worst <= 1e-4 * most)) fail_msg("mode %d differs by %g of %g", k, worst, most);
  }
  FREE(a->shape);
  FREE(b->shape);
}

#define HEAD(strain, mesh, model)                                                                                      \
  "version: 1\nmesh: " mesh "\nphysics: elasticity\nmodel: " model "\nstrain: " strain                                 \
  "\nformulation: displacement\nanalysis: {type: modal, modes: 4, prestress: true}\nsolver: {rtol: 1e-9}\n"            \
  "materials: [{on: body, young: 1000, poisson: 0.3, density: 1.3}]\noutput: {fields: [displacement]}\n"

/* A block that is pressed on a plate, and off another one that it touches at the start; on one that comes up; and on one without friction left. */
#define PLATES(order, acts)                                                                                            \
  HEAD("finite", "{grid: [4, 4, 3], size: [2, 1.3, 0.8], order: " order "}", "3d")                                     \
  "boundary: [{on: x0, fix: {x: 0, y: 0}}" acts "time: {end: 1, step: 0.5}\n"
#define SQUEEZE ", {on: z1, traction: [0, 0, -2]}"

static void closed_nodes_are_held(void **state) {
  (void)state;
  static const char *const with[] = {
      PLATES("1", SQUEEZE "]\ncontact: [{on: z0, against: {plane: {at: [0, 0, 0], normal: [0, 0, 1]}}}, {on: z1, "
                          "against: {plane: {at: [0, 0, 0.8], normal: [0, 0, 1]}}}]\n"),
      PLATES("2", SQUEEZE "]\ncontact: [{on: z0, against: {plane: {at: [0, 0, 0], normal: [0, 0, 1], move: [0, 0, "
                          "\"0.02*t\"]}}, sliding: finite}]\n"),
      PLATES("1", SQUEEZE "]\ncontact: [{on: z0, against: {plane: {at: [0, 0, 0], normal: [0, 0, 1]}}, friction: "
                          "\"2*step(0.5 - t)\"}]\n")};
  static const char *const held[] = {PLATES("1", SQUEEZE ", {on: z0, fix: {z: 0}}]\n"),
                                     PLATES("2", SQUEEZE ", {on: z0, fix: {z: \"0.02*t\"}}]\n")};
  char *folder = scratch_create();
  for (int i = 0; i < 3; ++i) {
    Modes a = modes_of(folder, with[i]), b = modes_of(folder, held[i % 2]);
    same_modes(&a, &b, 1e-8);
  }
  scratch_remove(&folder);
}

/* A block that is pressed on a plate and pushed along it, hardly or so far that all of it slides. */
#define PUSHED(acts)                                                                                                   \
  HEAD("finite", "{grid: [4, 3, 3], size: [2, 1, 0.8]}", "3d")                                                         \
  "boundary: [{on: z1, fix: {x: \"%s*t\", y: \"0.3*%s*t\", z: \"-2e-4*t\"}}" acts "time: {end: 1, step: 1}\n"
#define PLATE "]\ncontact: [{on: z0, against: {plane: {at: [0, 0, 0], normal: [0, 0, 1]}}, friction: 0.4}]\n"

static void what_slides_is_free(void **state) {
  (void)state;
  static const char *const held[] = {"all", "{z: 0}"}, *const far[] = {"1e-7", "0.01"};
  char *folder = scratch_create(), text[TEXT];
  for (int slides = 0; slides < 2; ++slides) {
    Modes m[2];
    for (int k = 0; k < 2; ++k) {
      snprintf(text, sizeof text, PUSHED("%s%s%s"), k ? "0" : far[slides], k ? "0" : far[slides],
               k ? ", {on: z0, fix: " : PLATE, k ? held[slides] : "", k ? "}]\n" : "");
      memcpy(strstr(text, "poisson: 0.3"), "poisson: 0.0", 12); /* nothing slides by the pressure alone */
      m[k] = modes_of(folder, text);
    }
    /* what friction shears the block by, 1e-4, counts where it slides */
    for (int i = 0; i < MODES; ++i) assert_relative(m[0].frequency[i], m[1].frequency[i], slides ? 1e-3 : 1e-6);
    FREE(m[0].shape);
    FREE(m[1].shape);
  }
  scratch_remove(&folder);
}

/* Two equal blocks that are pressed together without friction: a motion that is even about the plane between them is one of a block that a
 * plate holds, and an odd one that of a block with a free end. */
static void bodies_meet_or_part(void **state) {
  (void)state;
  const TwoBlocks q = {.kind = {ELEMENT_QUAD4, ELEMENT_QUAD4}, .n = {{3, 3, 1}, {3, 3, 1}}, .order = 1};
  static const char *const ends[] = {"", ", {on: y0, fix: {y: 0}}"};
  double single[2 * MODES];
  int32_t n = 0;
  char *folder = scratch_create(), text[TEXT];
  Mesh *mesh = two_blocks(&q);
  assert_ok(mesh_write_h5(mesh, scratch_path(folder, "two.h5")));
  mesh_destroy(&mesh);
  for (int k = 0; k < 2; ++k) {
    snprintf(text, sizeof text,
             HEAD("finite", "{grid: [4, 4], size: [1, 1]}",
                  "plane-strain") "boundary: [{on: y1, fix: {x: 0, y: \"-1e-7*t\"}}%s]\ntime: {end: 1, step: 1}\n",
             ends[k]);
    Modes one = modes_of(folder, text);
    for (int i = 0; i < MODES; ++i) {
      int at = n++;
      for (; at > 0 && single[at - 1] > one.frequency[i]; --at) single[at] = single[at - 1];
      single[at] = one.frequency[i];
    }
    FREE(one.shape);
  }
  for (int slides = 0; slides < 2; ++slides) {
    snprintf(text, sizeof text,
             HEAD("finite", "{file: two.h5}", "plane-strain") "boundary: [{on: bottom, fix: all}, {on: top, fix: {x: "
                                                              "0, y: \"-2e-7*t\"}}]\ncontact: [{on: a, against: "
                                                              "b%s}]\ntime: {end: 1, step: 1}\n",
             slides ? ", sliding: finite" : "");
    Modes both = modes_of(folder, text);
    for (int i = 0; i < MODES; ++i) assert_relative(both.frequency[i], single[i], 1e-5);
    FREE(both.shape);
  }
  scratch_remove(&folder);
}

/* A rod of four elements along x that moves along x alone, cut in its middle: under a force each half has a free end there, and both have
 * that end as one where the bolt is locked. */
static const char ROD[] = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n5\n2 1 \"body\"\n1 2 \"cut\"\n1 3 "
                          "\"foot\"\n1 4 \"top\"\n1 5 "
                          "\"sides\"\n$EndPhysicalNames\n$Nodes\n10\n1 0 0 0\n2 1 0 0\n3 2 0 0\n4 3 0 0\n5 4 0 0\n6 0 "
                          "1 0\n7 1 1 0\n8 2 1 0\n9 "
                          "3 1 0\n10 4 1 0\n$EndNodes\n$Elements\n15\n1 3 2 1 1 1 2 7 6\n2 3 2 1 1 2 3 8 7\n3 3 2 1 1 "
                          "3 4 9 8\n4 3 2 1 1 4 5 10 "
                          "9\n5 1 2 2 2 3 8\n6 1 2 3 3 1 6\n7 1 2 4 4 5 10\n8 1 2 5 5 1 2\n9 1 2 5 5 2 3\n10 1 2 5 5 3 "
                          "4\n11 1 2 5 5 4 5\n12 1 "
                          "2 5 5 6 7\n13 1 2 5 5 7 8\n14 1 2 5 5 8 9\n15 1 2 5 5 9 10\n$EndElements\n";
static const double LOAD = 30;

/* The square of the lowest frequency of linear elements of length 1 along a rod, over that of an element's k / m: at fixed ends, or one free. */
static double rod(int n, bool free) {
  const double angle = acos(-1) / (free ? 2 * n : n);
  return 6 * (1 - cos(angle)) / (2 + cos(angle));
}

static void bolts_have_force_or_length(void **state) {
  (void)state;
  static const char *const bolts[] = {"preload: 30", "preload: 30", "elongation: 0.03"};
  char *folder = scratch_create(), text[TEXT];
  scratch_write(folder, "rod.msh", ROD);
  for (int k = 0; k < 3; ++k) {
    snprintf(
        text, sizeof text,
        HEAD("finite", "{file: rod.msh}",
             "plane-strain") "boundary: [{on: foot, fix: {x: 0}}, {on: top, fix: {x: 0}}, {on: sides, fix: {y: 0}}]\n"
                             "steps: [{name: a, end: 1, step: 1, bolts: [{on: cut, axis: [1, 0], %s%s}]}%s]\n",
        bolts[k], k == 1 ? ", lock: 1" : "", k ? ", {name: b, end: 2, step: 1}" : "");
    char *at = strstr(text, "poisson: 0.3");
    memcpy(at, "poisson: 0.0", 12);
    Modes m = modes_of(folder, text);
    /* S = E e of Green's strain; the pull N = (1 + g) E (g + g^2 / 2) is the preload, and the stiffness dN/dg */
    double g = 0.01, pull = LOAD;
    for (int i = 0; i < 30 && k < 2; ++i) g += (pull - 1000 * (1 + g) * (g + g * g / 2)) / 1000;
    if (k == 2) g = 0.03 / 4;
    const double stiffness = 1000 * (1 + 3 * g + 1.5 * g * g);
    const double is = sqrt(stiffness / 1.3 * (k ? rod(4, false) : rod(2, true))) / (2 * acos(-1));
    assert_relative(m.frequency[0], is, 1e-7);
    if (!k) assert_relative(m.frequency[1], is, 1e-7); /* one for each half */
    FREE(m.shape);
  }
  scratch_remove(&folder);
}

/* What nothing but friction that is gone, or contact that is open, would hold. */
static void free_bodies_are_refused(void **state) {
  (void)state;
  char *folder = scratch_create();
  Said said =
      app_run_says(folder, HEAD("finite", "{grid: [3, 3, 3], size: [1, 1, 1]}",
                                "3d") "boundary: [{on: z1, traction: [0, 0, -1]}]\ncontact: [{on: z0, against: "
                                      "{plane: {at: [0, 0, 0], normal: "
                                      "[0, 0, 1]}}, friction: \"0.5*step(0.5 - t)\"}]\ntime: {end: 1, step: 0.5}\n");
  if (said.code == 0 || !strstr(said.err, "3 motions are free")) fail_msg("%d: %s", said.code, said.err);
  said_release(&said);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(closed_nodes_are_held), cmocka_unit_test(what_slides_is_free),
                                     cmocka_unit_test(bodies_meet_or_part),
                                     cmocka_unit_test(bolts_have_force_or_length),
                                     cmocka_unit_test(free_bodies_are_refused)};
  return cmocka_run_group_tests_name("app/modal_contact", tests, NULL, NULL);
}
