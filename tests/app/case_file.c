/* The case file: what is read, and every kind of error with its place. */
#include "app/elasticity/elastic_fields.h"
#include "app/input/case.h"
#include "core/memory.h"
#include "tests/testing.h"

#include <stdio.h>
#include <string.h>

#define HEAD "version: 1\nmesh: {file: m.msh}\nphysics: elasticity\nmodel: plane-stress\n"
#define MATERIAL "materials: [{on: body, young: 1, poisson: 0}]\n"

static Status parse(const char *text, Case **out) { return case_parse("c.yaml", text, strlen(text), 0, NULL, out); }

static void refuses(const char *text, const char *message) {
  const size_t before = mem_in_use();
  Case *c = NULL;
  const Status status = parse(text, &c);
  if (status != ERR_INPUT) fail_msg("status '%s' for\n%s", status_text(status), text);
  if (strcmp(status_message(), message) != 0) {
    print_error("for\n%s\nexpected: %s\n", text, message);
    fail_msg("     got: %s", status_message());
  }
  assert_null(c);
  assert_int_equal(mem_in_use(), before);
}

static void everything_is_read(void **state) {
  (void)state;
  Case *c = NULL;
  assert_ok(parse(
      "version: 1\ntitle: \"A: b\"\nunits: SI\nmesh: {file: sub/m.geo, scale: 1e-3, order: 2, refine: 1}\n"
      "physics: elasticity\nmodel: 3d\nmaterials:\n- on: [a, b]\n  young: 210e9\n  poisson: 0.3\n  density: 7850\n"
      "boundary:\n- {on: l, fix: all}\n- {on: r, fix: {x: '2*y'}, traction: ['x+1', 2, 3], pressure: 5, spring: 7}\n"
      "- {on: 12, symmetry: true, force: [1, 2, 3]}\nbody:\n- {on: a, gravity: [0, 0, -9.81]}\n"
      "solver: {rtol: 1e-6, max-iterations: 50, preconditioner: {type: jacobi}, precision: double, format: csr}\n"
      "output: {fields: [reaction], probes: [{name: p, at: [1, 2, 3], field: stress-yz}], sums: [{name: s, on: l, "
      "field: reaction}]}\n"
      "expect: [{probe: p, value: 1, rtol: 0.1}, {sum: s-z, value: 2, atol: 1}, {quantity: unknowns, value: 3}]\n",
      &c));
  assert_string_equal(c->title.text, "A: b");
  assert_string_equal(c->mesh_path, "sub/m.geo");
  assert_true(c->mesh.scale.value == 1e-3 && c->mesh.order.value == 2 && c->mesh.refine.value == 1);
  assert_int_equal(c->model.value, MODEL_SOLID);
  assert_int_equal(case_material(c, 0)->on.n, 2);
  assert_string_equal(case_material(c, 0)->on.item[1].text, "b");
  assert_true(case_material(c, 0)->value[0].value == 210e9 && case_material(c, 0)->value[2].value == 1 &&
              case_material(c, 0)->value[3].value == 7850);
  assert_true(expr_given(&case_boundary(c, 0)->fix.z.expr));
  const CaseBoundary *b = case_boundary(c, 1);
  const double x[3] = {4, 5, 6};
  assert_true(expr_value(&b->fix.x.expr, x, 0) == 10 && !expr_given(&b->fix.y.expr));
  assert_true(expr_value(&b->traction.item[0].expr, x, 0) == 5 && expr_value(&b->traction.item[2].expr, x, 0) == 3);
  assert_true(b->spring.single && expr_value(&b->spring.item[2].expr, x, 0) == 7);
  assert_string_equal(case_boundary(c, 2)->on.item[0].text, "12");
  assert_true(case_boundary(c, 2)->symmetry.value && c->boundary.n == 3 && c->body.n == 1);
  assert_true(c->solver.rtol.value == 1e-6 && c->solver.max_iterations.value == 50);
  assert_int_equal(elastic_fields_asked(c), FIELD_REACTION);
  assert_int_equal(elastic_probe(c, 0).row, ELASTIC_STRESS);
  assert_int_equal(elastic_probe(c, 0).component, 4);
  assert_int_equal(b->traction.place.line, 14);
  assert_int_equal(b->traction.place.column, 38);
  assert_int_equal(c->expect.n, 3);
  case_destroy(&c);
  assert_null(c);
}

static void defaults_are_filled_in(void **state) {
  (void)state;
  Case *c = NULL;
  assert_ok(parse("\xef\xbb\xbf" HEAD MATERIAL, &c));
  assert_true(c->mesh.scale.value == 1 && c->mesh.order.value == 0 && c->solver.rtol.value == 1e-8);
  assert_string_equal(c->solver.preconditioner.type.text, "auto");
  assert_string_equal(c->solver.precision.text, "auto");
  assert_string_equal(c->solver.format.type.text, "sbell");
  assert_int_equal(elastic_fields_asked(c), FIELD_DISPLACEMENT | FIELD_STRESS | FIELD_VON_MISES);
  assert_true(case_material(c, 0)->value[2].value == 1 && case_material(c, 0)->value[3].value == 0);
  assert_false(place_given(c->solver.rtol.place));
  case_destroy(&c);
  assert_ok(parse("version: 1\r\nmesh: m.msh\r\nphysics: elasticity\r\nmodel: 3d\r\n" MATERIAL
                  "solver: {preconditioner: jacobi}\r\n",
                  &c));
  assert_string_equal(c->mesh_path, "m.msh");
  assert_string_equal(c->solver.preconditioner.type.text, "jacobi");
  case_destroy(&c);
}

/* The order of a mesh is not guessed, and a case may say so. */
static void an_order_may_be_auto(void **state) {
  (void)state;
  static const char text[] = "version: 1\nmesh: {file: a.msh, order: %s}\nphysics: elasticity\nmodel: 3d\n"
                             "materials: [{on: body, young: 1, poisson: 0}]\n";
  static const char *const order[] = {"auto", "2"};
  for (int64_t k = 0; k < 2; ++k) {
    char bytes[256];
    Case *c = NULL;
    const int n = snprintf(bytes, sizeof bytes, text, order[k]);
    assert_int_equal(case_parse("case.yaml", bytes, (size_t)n, 0, NULL, &c), OK);
    assert_int_equal(c->mesh.order.value, 2 * k);
    case_destroy(&c);
  }
}

/* Niederer et al. 2011: the diffusivities that their conductivities make. */
static void conductivities_become_diffusivities(void **state) {
  (void)state;
  static const char text[] =
      "version: 1\nmesh: a.msh\nphysics: monodomain\ntime: {end: 1, step: 0.05}\n"
      "tissue: [{on: body, ionic: ten-tusscher, fibers: fiber, conductivity: {intra: [0.17, 0.019], "
      "extra: [0.62, 0.24], surface-to-volume: 140}}]\n";
  Case *c = NULL;
  assert_ok(case_parse("case.yaml", text, sizeof text - 1, 0, NULL, &c));
  const CaseTissue *t = heart_tissue(c, 0);
  assert_within(t->diffusivity.along.value, 0.0952984, 1e-7);
  assert_within(t->diffusivity.across.value, 0.0125758, 1e-7);
  assert_false(place_given(t->diffusivity.normal.place));
  Text echo = {0};
  case_echo(c, &echo);
  assert_non_null(strstr(echo.data, "along: 0.095298"));
  assert_non_null(strstr(echo.data, "intra: [0.17, 0.019]\n"));
  Case *again = NULL; /* as given: leads need what is inside */
  assert_ok(case_parse("echo.yaml", echo.data, strlen(echo.data), 0, NULL, &again));
  assert_true(heart_tissue(again, 0)->conductivity.intra.value[1] == 0.019);
  assert_true(heart_tissue(again, 0)->diffusivity.across.value == t->diffusivity.across.value);
  case_destroy(&again);
  text_release(&echo);
  case_destroy(&c);
}

static void one_error_each(void **state) {
  (void)state;
  refuses("", "c.yaml:1:1: the case file is empty; it starts with 'version: 1'");
  refuses("# only\n", "c.yaml:1:1: the case file is empty; it starts with 'version: 1'");
  refuses("[1]\n", "c.yaml:1:1: a case is a map of keys such as 'version: 1'; this is a list of 1");
  refuses(
      HEAD MATERIAL "solver: {rtoll: 1}\n",
      "c.yaml:6:10: unknown key 'rtoll' in solver\n  allowed: method, rtol, max-iterations, preconditioner, precision, "
      "format, numbering\n  did you mean 'rtol'?");
  refuses(HEAD "materials: [{on: body, young: 1, poisson: 0, yield: 2}]\n",
          "c.yaml:5:46: unknown key 'yield' in a material\n  allowed: on, name, type, axes, curve, strength, "
          "initial-stress, young, "
          "poisson, thickness, density, expansion\n  it goes with type: plastic");
  refuses(HEAD MATERIAL "solver: {rtol: 0.1, rtol: 0.2}\n", "c.yaml:6:21: repeated key 'rtol', first given at 6:10");
  refuses(HEAD MATERIAL "solver: {rtol: '1e-8'}\n",
          "c.yaml:6:16: rtol must be a number, without quotes; this is '1e-8'");
  refuses(HEAD MATERIAL "solver: {rtol: 1}\n", "c.yaml:6:16: rtol is 1, must lie in (0, 1)");
  refuses(HEAD MATERIAL "solver: {max-iterations: 2.5}\n", "c.yaml:6:26: max-iterations: '2.5' is not a whole number");
  refuses(HEAD MATERIAL "solver: 3\n", "c.yaml:6:9: solver must be a map with keys from: method, rtol, max-iterations, "
                                       "preconditioner, precision, format, numbering; this is '3'");
  refuses(HEAD MATERIAL "solver: {preconditioner: pgm}\n",
          "c.yaml:6:26: unknown preconditioner 'pgm'\n  allowed: auto, least-squares, chebyshev, neumann, amg, pmg, "
          "cmg, ssor, direct, "
          "jacobi, block-jacobi, none\n  did you mean 'pmg'?");
  refuses(HEAD "materials: [{on: body, young: 1, poisson: 0,25}]\n",
          "c.yaml:5:45: unknown key '25' in a material\n  decimals are written with a point, such as 0.25");
  refuses(HEAD "materials: [{on: body, young: 1}]\n",
          "c.yaml:5:13: a material needs the key 'poisson': Poisson's ratio, (-1, 0.5)");
  refuses(HEAD "materials: []\n", "c.yaml:5:12: materials is empty; every element needs one");
  refuses(HEAD MATERIAL "boundary: [{on: a, fix: {}}]\n",
          "c.yaml:6:25: fix has no component; write 'all' or {x: 0, ...}");
  refuses(HEAD MATERIAL "boundary: [{on: a, fix: {z: 0}}]\n",
          "c.yaml:6:29: fix has z; model 'plane-stress' has x and y only");
  refuses(HEAD MATERIAL "boundary: [{on: a, traction: [1, 2, 3]}]\n",
          "c.yaml:6:30: traction has 3 entries; model 'plane-stress' has 2 directions");
  refuses(HEAD MATERIAL "boundary: [{on: a, symmetry: yes}]\n",
          "c.yaml:6:30: symmetry must be true or false; this is 'yes'");
  refuses(HEAD MATERIAL "boundary: [{on: [], pressure: 1}]\n",
          "c.yaml:6:17: on must be a name or a list of names; this is a list of 0");
  refuses(HEAD MATERIAL "boundary: [{on: a, pressure: '1/0'}]\n",
          "c.yaml:6:30: pressure: '1/0' is not a finite number");
  refuses(HEAD MATERIAL "output: {fields: [stress, stress]}\n", "c.yaml:6:27: 'stress' is listed twice");
  refuses(HEAD MATERIAL "output: {probes: [{name: 'a,b', at: [0, 0], field: von-mises}]}\n",
          "c.yaml:6:26: a name is at most 120 bytes and has no comma, semicolon, quote or line break");
  refuses(HEAD MATERIAL
          "output: {probes: [{name: s-x, at: [0, 0], field: von-mises}], sums: [{name: s, on: a, field: reaction}]}\n",
          "c.yaml:6:77: the column 's-x' of probes.csv exists already; choose another name");
  refuses(HEAD MATERIAL "expect: [{value: 1}]\n",
          "c.yaml:6:10: an expect row needs exactly one of probe, sum, quantity; this one has none");
  refuses(HEAD MATERIAL "expect: [{quantity: unknowns, value: 0, rtol: 1e-3}]\n",
          "c.yaml:6:47: rtol has no meaning for an expected 0; use atol");
  refuses(HEAD MATERIAL "expect: [{sum: s-x, value: 1}]\n", "c.yaml:6:16: unknown sum 's-x'\n  known: none");
  refuses("version: 1\nmesh: m.msh\nphysics: monodomain\ntissue: [{on: a, ionic: aliev-panfilov, diffusivity: 1}]\n"
          "time: {end: 1}\n",
          "c.yaml:5:7: time needs the key 'step': length of a step, or about that of the first ones when adaptive");
  refuses(HEAD MATERIAL "body: &a [{on: b, gravity: [0, 1]}]\n",
          "c.yaml:6:7: anchor '&a': anchors are not allowed in a case file\n  write the value out");
  refuses(HEAD MATERIAL "body: *a\n",
          "c.yaml:6:7: alias '*a': aliases are not allowed in a case file\n  write the value out");
  refuses(HEAD MATERIAL "title: !!str x\n",
          "c.yaml:6:8: tag 'tag:yaml.org,2002:str': tags are not allowed in a case file");
  refuses(HEAD "---\na: 1\n", "c.yaml:5:1: a second document ('---'); a case is one document");
  refuses("? [a]\n: 1\n", "c.yaml:1:3: a list or map as a key; keys are plain words");
}

static void all_errors_at_once(void **state) {
  (void)state;
  refuses("version: 2\nmesh: {scale: -1}\nphysics: elasticity\nmodel: plain-stress\n"
          "materials:\n  - {on: body, young: -3, poisson: x}\nboundary: 7\nsolver: {rtol: 1e-8abc}\ncolour: red\n",
          "c.yaml:1:10: version is 2, must be 1\n"
          "c.yaml:2:7: mesh needs one of the keys file (path of the mesh), grid (nodes per direction) and image (a "
          "node per "
          "pixel)\n"
          "c.yaml:2:15: scale is -1, must be > 0\n"
          "c.yaml:4:8: unknown model 'plain-stress'\n  allowed: plane-stress, plane-strain, 3d, axisymmetric\n  did "
          "you mean "
          "'plane-stress'?\n"
          "c.yaml:6:23: young is -3, must be > 0\n"
          "c.yaml:6:36: poisson: 'x' is not a number\n"
          "c.yaml:7:11: boundary must be a list of maps, one '- {...}' each; this is '7'\n"
          "c.yaml:8:16: rtol: '1e-8abc' is not a number: something follows it\n"
          "c.yaml:9:1: unknown key 'colour' in the case\n  allowed: version, title, units, mesh, functions, physics, "
          "model, "
          "strain, formulation, analysis, "
          "materials, "
          "boundary, body, thermal, equations, springs, load-cases, combinations, envelopes, solver, adapt, output, "
          "expect");
}

/* As many probes as one likes. */
static void many_probes(void **state) {
  (void)state;
  enum { N = 700 };
  char *text = malloc(200 * N), *at = text;
  at += sprintf(at, HEAD MATERIAL "output:\n  probes:\n");
  for (int i = 0; i < N; ++i) at += sprintf(at, "  - {name: p%d, at: [0, 0], field: von-mises}\n", i);
  at += sprintf(
      at, "  sums: [{name: s, on: a, field: reaction}]\nexpect: [{probe: p699, value: 1}, {sum: s-y, value: 1}]\n");
  Case *c = NULL;
  assert_ok(parse(text, &c));
  assert_int_equal(c->output.probes.n, N);
  case_destroy(&c);
  sprintf(at, "title: x\ntitle: y\n");
  assert_fails(parse(text, &c), ERR_INPUT, "repeated key 'title'");
  free(text);
}

static void syntax_has_a_place(void **state) {
  (void)state;
  Case *c = NULL;
  assert_fails(parse("version: 1\nmesh: {file: x\nphysics: y\n", &c), ERR_INPUT, "c.yaml:");
  assert_non_null(strstr(status_message(), "not valid YAML"));
  assert_fails(parse("version: 1\ntitle: \xff\xfe\n", &c), ERR_INPUT, "c.yaml:2:8: not a text file");
  assert_fails(case_parse("c.yaml", "version: 1\ntitle: a\0b\n", 21, 0, NULL, &c), ERR_INPUT, "c.yaml:2:");
  assert_fails(case_parse("c.yaml", "\x1f\x8b\x08\x00", 4, 0, NULL, &c), ERR_INPUT, "c.yaml: is gzip-compressed");
  assert_fails(parse("$MeshFormat\n2.2 0 8\n", &c), ERR_INPUT, "is a mesh");
}

static void depth_is_limited(void **state) {
  (void)state;
  char text[4096] = HEAD "title: ";
  Case *c = NULL;
  memset(text + strlen(text), '[', 64);
  assert_fails(parse(text, &c), ERR_INPUT, "nested deeper than 64 levels");
  memset(text, '{', 3000);
  assert_fails(parse(text, &c), ERR_INPUT, "nested deeper than 64 levels");
}

/* Random damage gives a case or errors, never anything else. */
static void damage_is_survived(void **state) {
  (void)state;
  static const char base[] = HEAD MATERIAL "title: 'a \xc3\xa4'\nboundary:\n  - {on: [a, b], fix: all, traction: "
                                           "['x*2', 2], spring: 1e3}\n  - {on: c, symmetry: true}\n"
                                           "solver: {rtol: 1e-6, preconditioner: {type: jacobi}}\noutput:\n  probes: "
                                           "[{name: p, at: [0, 1], field: von-mises}]\n"
                                           "expect: [{probe: p, value: 1, rtol: 0.1}]\n";
  static const char odd[] = "0-9e.,\n \"'${}[]:&*!#|>?%@`~\t\0\xff\x01\xc3";
  enum { N = sizeof base - 1, ROUNDS = 3000 };
  const size_t before = mem_in_use();
  uint32_t seed = 12345;
  char text[N];
  for (int round = 0; round < ROUNDS; ++round) {
    memcpy(text, base, N);
    for (int k = 0; k <= round % 7; ++k) {
      seed = seed * 1664525u + 1013904223u;
      text[(seed >> 8) % N] = odd[(seed >> 3) % (sizeof odd - 1)];
    }
    Case *c = NULL;
    const Status status = case_parse("c.yaml", text, round % 5 ? N : (seed >> 5) % N, 0, NULL, &c);
    if (status != OK && status != ERR_INPUT) fail_msg("round %d: %s: %s", round, status_text(status), status_message());
    if (status != OK && strncmp(status_message(), "c.yaml", 6) != 0) fail_msg("round %d: %s", round, status_message());
    case_destroy(&c);
    assert_int_equal(mem_in_use(), before);
  }
}

static void every_allocation_fails_once(void **state) {
  (void)state;
  const char *text = HEAD MATERIAL
      "boundary: [{on: [a, b], fix: all, traction: ['x', 2]}]\nexpect: [{quantity: unknowns, value: 1}]\n";
  const char *set[] = {"solver.rtol=1e-3"};
  Case *c = NULL;
  const int64_t n = testing_fail_each_of(case_parse("c.yaml", text, strlen(text), 1, set, &c), {
    assert_true(!c == failed);
    case_destroy(&c);
  });
  assert_true(n > 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(everything_is_read),
                                     cmocka_unit_test(defaults_are_filled_in),
                                     cmocka_unit_test(an_order_may_be_auto),
                                     cmocka_unit_test(conductivities_become_diffusivities),
                                     cmocka_unit_test(one_error_each),
                                     cmocka_unit_test(all_errors_at_once),
                                     cmocka_unit_test(syntax_has_a_place),
                                     cmocka_unit_test(many_probes),
                                     cmocka_unit_test(depth_is_limited),
                                     cmocka_unit_test(damage_is_survived),
                                     cmocka_unit_test(every_allocation_fails_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
