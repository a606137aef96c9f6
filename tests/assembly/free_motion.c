/* Which rigid motions are left to each part, and how they are named. */
#include "core/memory.h"
#include "tests/assembly/problem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static Exec *exec;

typedef struct Row {
  const char *fix[4][4]; /* group, x, y, z; "symmetry" in x */
  const char *spring[4]; /* group, x, y, z */
  int n_free;
  const char *motions;
} Row;

static void check(Problem *p, const Row *row) {
  for (int s = 0; s < 4 && row->fix[s][0]; ++s) {
    if (row->fix[s][1] && !strcmp(row->fix[s][1], "symmetry")) problem_symmetry(p, row->fix[s][0]);
    else problem_fix(p, row->fix[s][0], row->fix[s][1], row->fix[s][2], row->fix[s][3]);
  }
  if (row->spring[0]) problem_load(p, LOAD_SPRING, row->spring[0], row->spring[1], row->spring[2], row->spring[3]);
  p->params.allow_free_motion = true;
  assert_ok(problem_create(p));
  assert_int_equal(elasticity_part_count(p->e), 1);
  const BodyPart *part = elasticity_part(p->e, 0);
  if (part->n_free != row->n_free || strcmp(part->motions, row->motions))
    fail_msg("\"%s\" (%d) expected, got \"%s\" (%d)", row->motions, row->n_free, part->motions, part->n_free);
  assert_string_equal(part->groups, "body");
  problem_release(p);
}

static void shift(double x[3]) { /* far away and small: scaling must not matter */
  for (int i = 0; i < 3; ++i) x[i] = 1e4 + 1e-2 * x[i];
}

static void solid(void **state) {
  (void)state;
  const Row rows[] = {
      {.n_free = 6, .motions = "translation in x, y, z; rotation about x, y, z"},
      {.fix = {{"x0", "0", "0", "0"}}, .motions = ""},
      {.fix = {{"x0", "0", NULL, NULL}}, .n_free = 3, .motions = "translation in y, z; rotation about x"},
      {.fix = {{"x0", "0", NULL, NULL}, {"y0", NULL, "0", NULL}}, .n_free = 1, .motions = "translation in z"},
      {.fix = {{"x0", "symmetry"}, {"y0", "symmetry"}, {"z0", "symmetry"}}, .motions = ""},
      {.spring = {"z0", "0", "0", "7"}, .n_free = 3, .motions = "translation in x, y; rotation about z"},
      {.spring = {"z0", "7", "7", "7"}, .motions = ""},
      {.spring = {"z0", "7", "7", "7*y"}, .motions = ""},
  };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k)
    for (int moved = 0; moved < 2; ++moved) {
      Problem p;
      problem_box(&p, exec, k % 2 ? ELEMENT_TET4 : ELEMENT_HEX8, 2, 0.1);
      if (moved) bend_mesh(p.mesh, shift);
      check(&p, &rows[k]);
    }
}

static void plane(void **state) {
  (void)state;
  const Row rows[] = {
      {.n_free = 3, .motions = "translation in x, y; rotation about z"},
      {.fix = {{"x0", "0", NULL, NULL}}, .n_free = 1, .motions = "translation in y"},
      {.fix = {{"x0", "0", NULL, NULL}, {"y0", "symmetry"}}, .motions = ""},
      {.spring = {"y0", "0", "3", NULL}, .n_free = 1, .motions = "translation in x"},
      /* in y along x0, where x does not change: the body may turn about a point there */
      {.spring = {"x0", "0", "3", NULL}, .n_free = 2, .motions = "translation in x; rotation about z"},
  };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    Problem p;
    problem_box(&p, exec, ELEMENT_QUAD8, 2, 0.1);
    check(&p, &rows[k]);
  }
}

static void turn(double x[3]) {
  const double c = 0.8, s = 0.6, y[2] = {c * x[0] - s * x[1], s * x[0] + c * x[1]};
  x[0] = y[0];
  x[1] = y[1];
}

static void skew(void **state) {
  (void)state;
  Problem p;
  problem_box(&p, exec, ELEMENT_HEX8, 2, 0);
  bend_mesh(p.mesh, turn);
  const Row row = {.fix = {{"x0", "symmetry"}},
                   .n_free = 3,
                   .motions = "translation in z, (0.6, -0.8, 0); rotation about (0.8, 0.6, 0)"};
  check(&p, &row);
}

/* Supports that overlap. */
static void overlapping(void **state) {
  (void)state;
  Problem p;
  problem_box(&p, exec, ELEMENT_HEX8, 1, 0);
  problem_fix(&p, "x0", "0", NULL, NULL);
  problem_fix(&p, "y0", "0", "0", NULL); /* with x0 in x: all of x on 6 nodes, y on 4 */
  p.params.allow_free_motion = true;
  assert_ok(problem_create(&p));
  assert_string_equal(elasticity_part(p.e, 0)->motions, "translation in z");
  problem_release(&p);
}

/* Two boxes side by side without a common node. */
static Mesh *two_boxes(void) {
  Mesh *mesh = NULL;
  const BoxParams box = {.kind = ELEMENT_HEX8, .n = {3, 2, 2}, .size = {3, 2, 2}};
  assert_ok(mesh_box(&box, &mesh));
  Group *body = (Group *)mesh_group(mesh, "body");
  ElementBlock *block = &mesh->block[mesh->n_block - 1];
  int32_t kept = 0; /* drop the middle layer of elements */
  for (int32_t e = 0; e < block->n; ++e) {
    const double x = mesh->x[block->nodes[8 * e]][0];
    if (x == 1) continue;
    memmove(block->nodes + 8 * kept, block->nodes + 8 * e, 8 * sizeof(int32_t));
    block->tag[kept++] = block->tag[e];
  }
  mesh->n_element -= block->n - kept;
  body->n = block->n = kept;
  for (int32_t k = 0; k < kept; ++k) body->element[k] = block->first + k;
  return mesh;
}

static void parts(void **state) {
  (void)state;
  Problem p;
  problem_init(&p, exec, two_boxes(), MODEL_SOLID, 1000, 0.3);
  problem_fix(&p, "x0", "0", "0", "0");
  problem_fix(&p, "x1", "0", NULL, NULL);
  problem_load(&p, LOAD_TRACTION, "x1", "0", "1", "0");
  assert_fails(
      problem_create(&p), ERR_INPUT,
      "part 2 of 2 (around (2.5, 1, 1), 4 elements, groups body) can move freely: translation in y, z; rotation "
      "about x\n  fix it, or join it to the rest");
  problem_release(&p);
}

static void message_of_one(void **state) {
  (void)state;
  Problem p;
  problem_box(&p, exec, ELEMENT_QUAD4, 3, 0);
  problem_fix(&p, "x0", "0", NULL, NULL);
  assert_fails(problem_create(&p), ERR_INPUT,
               "the body (around (0.5, 0.5, 0), 9 elements, groups body) can move freely: translation in y");
  problem_release(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(solid), cmocka_unit_test(plane),
                                     cmocka_unit_test(skew),  cmocka_unit_test(overlapping),
                                     cmocka_unit_test(parts), cmocka_unit_test(message_of_one)};
  return testing_run("assembly/free_motion", tests, exec);
}
