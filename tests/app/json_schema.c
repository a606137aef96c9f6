/* The JSON Schema of the case file: it knows every key of the tables, takes every case that Sinew takes, and refuses
 * what a schema can refuse. It is read with the reader of case files (JSON is YAML) and followed by a small
 * validator. */
#include "app/input/case_tables.h"
#include "app/input/json_schema.h"
#include "app/input/number.h"
#include "tests/testing.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static Tree schema;
static int32_t root;

static void read_text(Tree *tree, const char *text, int32_t *out) {
  Diagnostics diagnostics = {.path = "text"};
  assert_ok(tree_parse(tree, text, strlen(text), NULL, &diagnostics, out));
  if (diagnostics.n) fail_msg("%s", diagnostics.item[0].text);
  diagnostics_release(&diagnostics);
}

static int make_schema(void **state) {
  (void)state;
  Json *json = NULL;
  const char *text = NULL;
  assert_ok(json_create(&json));
  json_schema_write(json);
  assert_ok(json_text(json, &text));
  read_text(&schema, text, &root);
  json_destroy(&json);
  return 0;
}

static int drop_schema(void **state) {
  (void)state;
  tree_release(&schema);
  return 0;
}

/* ---- the validator: of the words that the schema uses ---- */

static const TreeNode *in(int32_t node) { return &schema.node[node]; }
static int32_t member(int32_t node, const char *key) { return tree_member(&schema, node, key); }

/* What a reference stands for; of a key that has one in allOf too. */
static int32_t followed(int32_t node) {
  const int32_t all = member(node, "allOf"), ref = member(node, "$ref");
  if (ref >= 0) return member(member(root, "definitions"), strrchr(in(ref)->text, '/') + 1);
  return all >= 0 && in(all)->n == 1 && member(in(all)->first, "$ref") >= 0 ? followed(in(all)->first) : node;
}

static bool is_type(const TreeNode *v, const char *type) {
  double number;
  const char *why;
  const bool plain = v->kind == TREE_PLAIN, numeric = plain && number_parse(v->text, &number, &why);
  const bool flag = plain && (!strcmp(v->text, "true") || !strcmp(v->text, "false"));
  if (!strcmp(type, "object")) return v->kind == TREE_MAP;
  if (!strcmp(type, "array")) return v->kind == TREE_LIST;
  if (!strcmp(type, "number")) return numeric;
  if (!strcmp(type, "integer")) return numeric && number == floor(number);
  if (!strcmp(type, "boolean")) return flag;
  if (strcmp(type, "string") != 0) fail_msg("unknown type %s", type);
  return v->kind == TREE_QUOTED || (plain && !numeric && !flag && *v->text);
}

static bool same(const TreeNode *word, const TreeNode *v) { return v->text && !strcmp(word->text, v->text); }

static bool in_bounds(int32_t s, const TreeNode *v) {
  static const char *const words[] = {"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"};
  double value, bound;
  const char *why;
  if (!is_type(v, "number")) return true;
  number_parse(v->text, &value, &why);
  for (int i = 0; i < 4; ++i) {
    const int32_t at = member(s, words[i]);
    if (at < 0) continue;
    assert_true(number_parse(in(at)->text, &bound, &why));
    if (i == 0 ? value < bound : i == 1 ? value <= bound : i == 2 ? value > bound : value >= bound) return false;
  }
  return true;
}

static bool valid(int32_t s, const Tree *t, int32_t v);

static bool members_fit(int32_t s, const Tree *t, int32_t v) {
  const int32_t properties = member(s, "properties"), more = member(s, "additionalProperties");
  const int32_t required = member(s, "required");
  if (t->node[v].kind != TREE_MAP) return true;
  for (int32_t i = t->node[v].first; i >= 0; i = t->node[i].next) {
    const int32_t known = properties >= 0 ? member(properties, t->node[i].key) : -1;
    if (known < 0 ? more >= 0 && !valid(more, t, i) : !valid(known, t, i)) return false;
  }
  for (int32_t i = required >= 0 ? in(required)->first : -1; i >= 0; i = in(i)->next)
    if (tree_member(t, v, in(i)->text) < 0) return false;
  return true;
}

static bool items_fit(int32_t s, const Tree *t, int32_t v) {
  const int32_t some = member(s, "contains");
  bool there = some < 0;
  const int32_t items = member(s, "items"), least = member(s, "minItems"), most = member(s, "maxItems");
  if (t->node[v].kind != TREE_LIST) return true;
  if (least >= 0 && t->node[v].n < atoi(in(least)->text)) return false;
  if (most >= 0 && t->node[v].n > atoi(in(most)->text)) return false;
  for (int32_t i = t->node[v].first; i >= 0 && items >= 0; i = t->node[i].next)
    if (!valid(items, t, i)) return false;
  for (int32_t i = t->node[v].first; i >= 0 && !there; i = t->node[i].next) there = valid(some, t, i);
  return there;
}

static bool words_fit(int32_t s, const TreeNode *v) {
  const int32_t type = member(s, "type"), words = member(s, "enum"), word = member(s, "const");
  bool fits = type < 0 || (in(type)->text && is_type(v, in(type)->text));
  for (int32_t i = type >= 0 ? in(type)->first : -1; i >= 0; i = in(i)->next) fits |= is_type(v, in(i)->text);
  if (!fits || (word >= 0 && !same(in(word), v))) return false;
  if (words < 0) return true;
  for (int32_t i = in(words)->first; i >= 0; i = in(i)->next)
    if (same(in(i), v)) return true;
  return false;
}

static bool valid(int32_t s, const Tree *t, int32_t v) {
  if (in(s)->kind == TREE_PLAIN) return !strcmp(in(s)->text, "true");
  s = followed(s);
  const int32_t any = member(s, "anyOf"), all = member(s, "allOf"), not = member(s, "not");
  const int32_t condition = member(s, "if");
  bool fits = any < 0;
  for (int32_t i = any >= 0 ? in(any)->first : -1; i >= 0; i = in(i)->next) fits |= valid(i, t, v);
  for (int32_t i = all >= 0 ? in(all)->first : -1; i >= 0; i = in(i)->next) fits &= valid(i, t, v);
  if (condition >= 0 && valid(condition, t, v)) fits &= valid(member(s, "then"), t, v);
  if (not >= 0) fits &= !valid(not, t, v);
  return fits && words_fit(s, &t->node[v]) && in_bounds(s, &t->node[v]) && members_fit(s, t, v) && items_fit(s, t, v);
}

static bool takes(const char *text) {
  Tree tree = {0};
  int32_t at;
  read_text(&tree, text, &at);
  const bool fits = valid(root, &tree, at);
  tree_release(&tree);
  return fits;
}

/* ---- every key of the tables ---- */

static void holds_map(int32_t s, uint32_t kind, const Schema *table);

static void holds_members(int32_t s, uint32_t kind, const Schema *table, const Param *param, int n_param) {
  const int32_t properties = member(s, "properties"), base = member(root, "properties");
  const Key *named = schema_any_name(table);
  if (named) holds_map(member(s, "additionalProperties"), kind, named->schema);
  else assert_string_equal(in(member(s, "additionalProperties"))->text, "false");
  int n_key = 0; /* names that models have in common stand once */
  for (int k = 0; k < table->n; ++k) n_key += schema_key(table, kind, table->key[k].name) == &table->key[k];
  n_key -= named != NULL;
  for (int k = 0; k < n_param; ++k) /* a list is one key, and a key of the map goes first */
    n_key += param_list(param, n_param, k) > 0 && !schema_key(table, kind, param[k].name);
  assert_int_equal(in(properties)->n, n_key);
  for (int k = 0; k < n_param; ++k)
    if (member(properties, param[k].name) < 0) fail_msg("%s: no '%s'", table->what, param[k].name);
  for (int k = 0; k < table->n; ++k) {
    const Key *key = &table->key[k];
    if (!kind_has(kind, key->only) || key == named) continue;
    int32_t at = member(properties, key->name);
    if (at < 0) fail_msg("%s: no '%s'", table->what, key->name);
    if (in(at)->kind == TREE_PLAIN) at = member(base, key->name); /* true: explained for all kinds at once */
    assert_string_equal(in(member(at, "description"))->text, key->meaning);
    if (key->initial) assert_true(member(at, "default") >= 0);
    if (key->type == VALUE_MAP) holds_map(at, kind, key->schema);
    if (key->type == VALUE_MAPS) holds_map(member(at, "items"), kind, key->schema);
  }
}

static void holds_map(int32_t s, uint32_t kind, const Schema *table) {
  const int32_t any = member(s, "anyOf");
  if (any >= 0 && (table->plain || table->whole)) s = in(any)->last;
  s = followed(s);
  if (!table->params) {
    holds_members(s, kind, table, NULL, 0);
    return;
  }
  const Key *key = schema_key(table, kind, table->chooser);
  int32_t branch = in(member(s, "allOf"))->first;
  for (int32_t word = 0; key->words[word].name; ++word) {
    int n = 0;
    const Param *param = table->params(word, &n);
    assert_true(branch >= 0);
    holds_members(followed(member(branch, "then")), kind, table, param, n);
    branch = in(branch)->next;
  }
  for (int there = 0; there < 2 && key->inside; ++there) { /* without a word, and the keys inside of it */
    const int32_t then = member(branch, "then"), inside = there ? member(member(then, "properties"), key->name) : then;
    holds_members(inside, kind, table, NULL, 0);
    branch = in(branch)->next;
  }
  assert_int_equal(branch, -1);
}

static void every_key_is_there(void **state) {
  (void)state;
  int32_t branch = in(member(root, "allOf"))->first;
  for (int i = 0; i < physics_count(); ++i)
    for (int k = 0; physics_kind(i, k); ++k) {
      assert_true(branch >= 0);
      holds_members(member(branch, "then"), physics_kind(i, k)->kind, physics_kind(i, k)->schema, NULL, 0);
      branch = in(branch)->next;
    }
  assert_int_equal(branch, -1);
}

/* ---- cases ---- */

static char *read_file(const char *path) {
  enum { ROOM = 1 << 16 };
  static char text[ROOM];
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  text[fread(text, 1, ROOM - 1, file)] = 0;
  fclose(file);
  return text;
}

static int take_all(const char *pattern) {
  glob_t found;
  if (glob(pattern, 0, NULL, &found) != 0) return 0;
  const int n = (int)found.gl_pathc;
  for (int i = 0; i < n; ++i)
    if (!takes(read_file(found.gl_pathv[i]))) fail_msg("%s is refused", found.gl_pathv[i]);
  globfree(&found);
  return n;
}

static void cases_are_taken(void **state) {
  (void)state;
  assert_true(take_all(SINEW_SOURCE_DIR "/cases/*/*.yaml") > 15);
  assert_true(take_all(SINEW_SOURCE_DIR "/app/init/*/*.yaml") == 3);
}

#define HEAD "version: 1\nmesh: m.msh\nphysics: elasticity\nmodel: 3d\n"
#define HEART "version: 1\nmesh: m.msh\nphysics: monodomain\ntime: {end: 1, step: 0.1}\n"
#define MODEL "'" SINEW_SOURCE_DIR "/cases/imported-cells/ten-tusscher.mmt'"
#define STEEL "materials: [{on: body, young: 1, poisson: 0.3}]\n"
#define METAL "materials: [{on: body, type: plastic, young: 1, poisson: 0.3, yield: 1}]\n"

/* By the schema and by Sinew. */
static void wrong_cases_are_refused(void **state) {
  (void)state;
  static const char *const wrong[] = {
      "version: 1\n",
      "version: 2\nmesh: m.msh\nphysics: elasticity\nmodel: 3d\n" STEEL,
      "version: 1\nmesh: m.msh\nphysics: magnetism\nmodel: 3d\n" STEEL,
      HEAD,
      HEAD STEEL "boundry: []\n",
      HEAD STEEL "boundary: [{on: a, fix: al}]\n",
      HEAD STEEL "boundary: [{on: a, fix: {w: 0}}]\n",
      HEAD STEEL "boundary: [{fix: all}]\n",
      HEAD STEEL "boundary: {on: a, fix: all}\n",
      HEAD STEEL "boundary: [{on: a, force: 1}]\n",
      HEAD STEEL "boundary: [{on: a, symmetry: 1}]\n",
      HEAD "materials: [{on: body, young: 1}]\n",
      HEAD "materials: [{on: body, young: -1, poisson: 0.3}]\n",
      HEAD "materials: [{on: body, young: 1, poisson: 0.5}]\n",
      HEAD "materials: [{on: body, young: 1, poisson: 0.3, type: wood}]\n",
      HEAD "materials: [{on: body, young: 1, poisson: 0.3, yield: 2}]\n",
      HEAD "materials: [{on: body, young: {node: E}, poisson: 0.3}]\n",
      HEAD STEEL "thermal: {reference: 3}\n",
      HEAD STEEL "load-cases: [{name: a, boundary: [{on: b, force: [1, 2, 3]}]}]\n"
                 "combinations: [{name: c, factors: {a: much}}]\n",
      HEAD STEEL "body: [{on: body, centrifugal: {origin: [0, 0, 0]}}]\n",
      HEAD STEEL "solver: {rtol: 2}\n",
      HEAD STEEL "solver: {rtol: small}\n",
      HEAD STEEL "solver: {preconditioner: magic}\n",
      HEAD STEEL "solver: {preconditioner: {type: jacobi, levels: 3}}\n",
      HEAD STEEL "solver: {format: {type: csr, slice: 3}}\n",
      HEAD STEEL "mesh: {file: m.msh, order: 4}\n",
      HEAD STEEL "time: {end: 1, step: 1}\nanalysis: {type: modal, modes: 3}\n",
      HEAD STEEL "time: {end: 1}\n",
      HEAD STEEL "time: {end: 1, step: 1}\noutput: {fields: [cauchy]}\n",
      HEAD STEEL "thermal: {temperature: 3}\nanalysis: {type: harmonic, frequency: 50}\n",
      HEAD STEEL "time: {end: 1, step: 1}\noutput: {fields: [reaction]}\nanalysis: {type: transient}\n",
      HEAD METAL "time: {end: 1, step: 1}\nanalysis: {type: transient, damping: {loss-factor: 1}}\n",
      HEAD STEEL "steps: [{name: a, end: 1, step: 1, inertia: false}]\n",
      HEAD STEEL "output: {fields: [speed]}\n",
      HEAD STEEL "output: {probes: [{name: a, at: [1], field: von-mises}]}\n",
      HEAD STEEL "analysis: {type: harmonic}\n",
      HEAD STEEL "analysis: {type: harmonic, frequency: 50}\noutput: {fields: [reaction]}\n",
      "version: 1\nmesh: m.msh\nphysics: heat\nmaterials: [{on: body, conductivity: [1]}]\n",
      "version: 1\nmesh: m.msh\nphysics: heat\nmaterials: [{on: body, young: 1}]\n",
      "version: 1\nmesh: m.msh\nphysics: monodomain\ntime: {end: 1, step: 0.1}\n"
      "tissue: [{on: body, ionic: aliev-panfilo, diffusivity: 1}]\n",
      "version: 1\nmesh: m.msh\nphysics: monodomain\ntime: {end: 1, step: 0.1}\n"
      "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 0}]\n",
      "version: 1\nmesh: m.msh\nphysics: monodomain\ntime: {end: 1, step: 0.1}\n"
      "tissue: [{on: body, ionic: {model: aliev-panfilov, preset: nobody}, diffusivity: 1}]\n",
      HEART "tissue: [{on: body, ionic: {file: cell.mmt, stimulis: x}, diffusivity: 1}]\n",
      HEART "tissue: [{on: body, ionic: {model: {file: cell.mmt, units: perhaps}}, diffusivity: 1}]\n",
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    Case *c = NULL;
    if (strstr(wrong[i], "mesh: m.msh") && !strstr(wrong[i], "{file")) {
      if (case_parse("c.yaml", wrong[i], strlen(wrong[i]), 0, NULL, &c) == OK) fail_msg("Sinew takes\n%s", wrong[i]);
      status_clear();
    }
    if (takes(wrong[i])) fail_msg("the schema takes\n%s", wrong[i]);
  }
}

/* Forms that only look unusual. */
static void right_cases_are_taken(void **state) {
  (void)state;
  static const char *const right[] = {
      HEAD STEEL,
      HEAD STEEL "boundary: [{on: [a, 3], fix: all}, {on: b, spring: 1e9}, {on: c, spring: [1, 'x', 2]}]\n",
      HEAD STEEL
      "load-cases: [{name: a, boundary: [{on: b, force: [1, 2, 3]}]}, {name: b, body: [{on: c, gravity: [0, 0, "
      "1]}]}]\ncombinations: [{name: c, factors: {a: 1.5, b: -2}}]\nenvelopes: [{name: e, of: [a, c]}]\n",
      HEAD STEEL "solver: {preconditioner: amg, format: csr}\n",
      HEAD STEEL "solver: {preconditioner: {type: chebyshev, degree: 3}, numbering: rcm}\n",
      HEAD "materials: [{on: body, young: 1, poisson: 0.3, density: 2, type: isotropic}]\n"
           "analysis: {type: harmonic, frequency: {from: 1, to: 2, count: 3}, damping: 0.02}\n",
      HEAD "materials: [{on: body, young: '1+x', poisson: {field: nu}, expansion: 1}]\nthermal: {temperature: 3}\n",
      HEAD "materials: [{on: body, type: anisotropic, moduli: [9, -1, 0, 0, 0, 0, 9, 0, 0, 0, 0, 9, 0, 0, 0, 9, 0, 0, "
           "9, 0, 9], expansion: [1, 2, '3*x']}]\nthermal: {reference: 1, temperature: {results: heat, time: 3}}\n"
           "body: [{on: body, centrifugal: {origin: [0, 0, 0], axis: [0, 0, 1], speed: 3}}]\n",
      "version: 1\nmesh: {grid: [3, 3]}\nphysics: heat\nmaterials: [{on: body, conductivity: [[2, 1], [1, 2]]}]\n",
      "version: 1\nmesh: m.msh\nphysics: monodomain\ntime: {end: 1, step: 0.1}\ninitial: -80\n"
      "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: {along: 1}}]\n",
      "version: 1\nphysics: electromechanics\ncirculation: {model: closed-loop, cycle: 1000, lv: {elastance: {active: "
      "1}}}\n",
      HEART "tissue: [{on: body, ionic: {file: " MODEL "}, diffusivity: 1}]\n",
      HEART "tissue: [{on: body, ionic: {model: {file: " MODEL ", parameters: {ina.g_na: 12}}, units: ignore}, "
            "diffusivity: 1}]\n",
  };
  for (size_t i = 0; i < sizeof right / sizeof *right; ++i) {
    Case *c = NULL;
    assert_ok(case_parse("c.yaml", right[i], strlen(right[i]), 0, NULL, &c));
    case_destroy(&c);
    if (!takes(right[i])) fail_msg("the schema refuses\n%s", right[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_key_is_there), cmocka_unit_test(cases_are_taken),
                                     cmocka_unit_test(right_cases_are_taken),
                                     cmocka_unit_test(wrong_cases_are_refused)};
  return cmocka_run_group_tests(tests, make_schema, drop_schema);
}
