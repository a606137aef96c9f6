/* --set: any key by its dotted path, checked like the file; an unknown key is a fault of the command line. */
#include "app/elasticity/elastic_fields.h"
#include "app/input/case_tables.h"
#include "tests/testing.h"

#include <stdio.h>
#include <string.h>

static const char BASE[] = "version: 1\nmesh: {file: m.msh}\nphysics: elasticity\nmodel: plane-stress\n"
                           "materials: [{on: body, young: 1, poisson: 0}, {on: rib, young: 2, poisson: 0}]\n"
                           "boundary: [{on: a, fix: {x: 0}}]\n";

static Status set_one(const char *set, Case **out) { return case_parse("c.yaml", BASE, strlen(BASE), 1, &set, out); }

static void values_are_set(void **state) {
  (void)state;
  const char *set[] = {"materials.1.young=7e3", "solver.preconditioner.degree=4", "boundary.0.traction=[1, '2*x']",
                       "boundary.0.fix.y=0.5",  "title=some words: no more",      "mesh.file=/abs/other.msh",
                       "model=plane-strain",    "materials.1.young=8e3"};
  Case *c = NULL;
  assert_int_equal(OK, case_parse("c.yaml", BASE, strlen(BASE), 4, set, &c));
  assert_true(case_material(c, 1)->value[0].value == 7e3 && case_material(c, 0)->value[0].value == 1);
  assert_int_equal(c->solver.preconditioner.degree.value, 4);
  assert_int_equal(case_boundary(c, 0)->traction.n, 2);
  assert_true(expr_given(&case_boundary(c, 0)->fix.y.expr) && expr_given(&case_boundary(c, 0)->fix.x.expr));
  assert_non_null(strstr(c->text, "# --set materials.1.young=7e3"));
  case_destroy(&c);
  assert_ok(case_parse("c.yaml", BASE, strlen(BASE), 3, set + 5, &c));
  assert_string_equal(c->mesh_path, "/abs/other.msh");
  assert_int_equal(c->model.value, MODEL_PLANE_STRAIN);
  assert_true(case_material(c, 1)->value[0].value == 8e3);
  case_destroy(&c);
}

/* Case with `file` in place of the mesh's line and n arguments, checked. */
static Case *case_with(const char *mesh, const char *more, int n, const char *const *set) {
  char text[1024];
  snprintf(text, sizeof text,
           "version: 1\n%s\nphysics: elasticity\nmodel: 3d\n"
           "materials: [{on: body, young: 1, poisson: 0}, {on: rib, young: 2, poisson: 0}]\n%s\n",
           mesh, more);
  Case *c = NULL;
  assert_ok(case_parse("c.yaml", text, strlen(text), n, set, &c));
  return c;
}

static void short_forms_are_written_out(void **state) {
  (void)state;
  const char *set[] = {"mesh.order=2", "solver.preconditioner.degree=3", "solver.format.slice=64"};
  Case *c = case_with("mesh: x.geo", "solver: {preconditioner: amg, format: sbell}", 3, set);
  assert_string_equal(c->mesh.file.text, "x.geo");
  assert_int_equal(c->mesh.order.value, 2);
  assert_string_equal(c->solver.preconditioner.type.text, "amg");
  assert_int_equal(c->solver.preconditioner.degree.value, 3);
  assert_string_equal(c->solver.format.type.text, "sbell");
  assert_int_equal(c->solver.format.slice.value, 64);
  case_destroy(&c);
  const char *fix[] = {"boundary.left.fix.x=2"};
  c = case_with("mesh: x.geo", "boundary: [{on: left, fix: all}]", 1, fix);
  const double origin[3] = {0};
  assert_true(expr_value(&case_boundary(c, 0)->fix.x.expr, origin, 0) == 2);
  assert_true(expr_given(&case_boundary(c, 0)->fix.z.expr));
  assert_true(expr_value(&case_boundary(c, 0)->fix.z.expr, origin, 0) == 0);
  case_destroy(&c);
  const char *empty[] = {"solver.rtol=1e-3"};
  c = case_with("mesh: x.geo", "solver:", 1, empty);
  assert_true(c->solver.rtol.value == 1e-3);
  case_destroy(&c);
}

static void all_may_stand_in_quotes(void **state) {
  (void)state;
  Case *c = case_with("mesh: x.geo", "boundary: [{on: left, fix: \"all\"}]", 0, NULL);
  assert_true(place_given(case_boundary(c, 0)->fix.z.place));
  case_destroy(&c);
  /* In the plane all means x and y, also where one of them is changed. */
  const char *set[] = {"model=plane-strain", "boundary.0.fix.x=1", "boundary.0.fix.y=1"};
  c = case_with("mesh: x.geo", "boundary: [{on: left, fix: 'all'}]", 3, set);
  assert_false(place_given(case_boundary(c, 0)->fix.z.place));
  case_destroy(&c);
}

static void lists_grow(void **state) {
  (void)state;
  const char *set[] = {
      "output.probes+={name: a, at: [0, 0, 0], field: von-mises}",
      "output.probes.+={name: b, at: [0, 0, 0], field: von-mises}",
      "output.probes+=[{name: c, at: [0, 0, 0], field: von-mises}, {name: d, at: [0, 0, 0], field: von-mises}]",
      "output.probes.c.at=[1, 2, 3]",
      "output.fields+=reaction",
      "materials.0.on+=web",
      "materials.rib.young=9",
      "boundary+={on: left, fix: all}"};
  Case *c = case_with("mesh: x.geo", "", COUNT(set), set);
  assert_int_equal(c->output.probes.n, 4);
  assert_string_equal(case_probe(c, 3)->name.text, "d");
  assert_true(case_probe(c, 2)->at.value[2] == 3);
  /* the default list, and one more */
  assert_int_equal(elastic_fields_asked(c), FIELD_DISPLACEMENT | FIELD_STRESS | FIELD_VON_MISES | FIELD_REACTION);
  assert_int_equal(case_material(c, 0)->on.n, 2);
  assert_string_equal(case_material(c, 0)->on.item[1].text, "web");
  assert_true(case_material(c, 1)->value[0].value == 9);
  assert_int_equal(c->boundary.n, 1);
  case_destroy(&c);
}

/* ---- every key of the tables has a path ---- */

typedef struct Path {
  char text[16][160]; /* arguments: what makes the lists on the way, then the key itself */
  int n;
} Path;

/* Whatever is wrong with the value or with what is missing beside it: the key is known; or what is said of it. */
static int try_path(const Physics *kind, const Path *path, const char *key, const char *value, const char *refused) {
  char text[160], argument[400];
  const char *set[17];
  for (int i = 0; i < path->n; ++i) set[i] = path->text[i];
  snprintf(argument, sizeof argument, "%s=%s", key, value);
  set[path->n] = argument;
  snprintf(text, sizeof text, "version: 1\n%sphysics: %s\n",
           schema_key(kind->schema, kind->kind, "mesh") ? "mesh: m.msh\n" : "", kind->name);
  Case *c = NULL;
  const Status status = case_parse("c.yaml", text, strlen(text), path->n + 1, set, &c);
  if ((status == ERR_USAGE) != (refused != NULL)) fail_msg("%s, %s: %s", kind->name, key, status_message());
  if (refused && (!strstr(status_message(), refused) || (*refused == '\'' && !strstr(status_message(), "remedy: "))))
    fail_msg("%s, %s: %s", kind->name, key, status_message());
  case_destroy(&c);
  return 1;
}

/* A case that is given this key is of another kind, which has it: a plain one, or one that is named behind that. */
static bool makes_another(const Physics *kind, const char *key) {
  if (kind->strain) return false;
  for (int i = 0; i < physics_count(); ++i)
    for (int k = 0; physics_kind(i, k); ++k) {
      const Physics *other = physics_kind(i, k);
      if (other == kind && kind->keys) break;
      for (int m = 0; strcmp(other->name, kind->name) == 0 && other->keys && other->keys[m]; ++m)
        if (strcmp(other->analysis ? other->analysis : "", kind->analysis ? kind->analysis : "") == 0 &&
            strcmp(other->keys[m], key) == 0)
          return true;
    }
  return false;
}

static int try_map(const Physics *kind, const Schema *schema, Path path, const char *prefix) {
  int n = 0;
  for (int k = 0; k < schema->n; ++k) {
    const Key *key = &schema->key[k];
    char name[200];
    if (strcmp(key->name, "physics") == 0) continue;
    snprintf(name, sizeof name, "%s%s%s", prefix, *prefix ? "." : "", key->name);
    const bool has = schema_key(schema, kind->kind, key->name);
    char of_others[KINDS_BYTES], refused[200]; /* of no kind of this physics: it is not known */
    snprintf(refused, sizeof refused,
             kinds_refusal(kind->kind, key->only, of_others) ? "'%.40s' is for " : "unknown key '%.40s'", key->name);
    n += try_path(kind, &path, name, key->type == VALUE_NAMED_MAPS ? "{}" : "1",
                  has || (!*prefix && makes_another(kind, name)) ? NULL : refused);
    if (!has) continue;
    Path below = path;
    if (key->type == VALUE_MAPS) {
      snprintf(below.text[below.n++], sizeof below.text[0], "%.140s+={}", name);
      strcat(name, ".0");
    }
    if (key->schema && kind_has(kind->kind, key->only)) n += try_map(kind, key->schema, below, name);
  }
  const Key *key = schema->params ? schema_key(schema, kind->kind, schema->chooser) : NULL;
  for (int32_t word = 0; key && key->words[word].name; ++word) {
    int n_param = 0;
    const Param *param = schema->params(word, &n_param);
    Path below = path;
    snprintf(below.text[below.n++], sizeof below.text[0], "%.100s.%s=%s", prefix, key->name, key->words[word].name);
    for (int i = 0; i < n_param; ++i) {
      char name[200];
      snprintf(name, sizeof name, "%s.%s", prefix, param[i].name);
      n += try_path(kind, &below, name, "1", NULL);
    }
  }
  return n;
}

static void every_key_has_a_path(void **state) {
  (void)state;
  int n = 0;
  for (int i = 0; i < physics_count(); ++i)
    for (int k = 0; physics_kind(i, k); ++k) {
      Path path = {.n = 0};
      const Physics *kind = physics_kind(i, k);
      if (kind->analysis) snprintf(path.text[path.n++], sizeof path.text[0], "analysis.type=%s", kind->analysis);
      if (((kind->keys && !kind->analysis) || (kind->kind && k == 0)) && schema_key(kind->schema, KIND_ANY, "analysis"))
        snprintf(path.text[path.n++], sizeof path.text[0], "analysis.type=static");
      if (kind->strain) snprintf(path.text[path.n++], sizeof path.text[0], "strain=%s", kind->strain);
      if (kind->keys)
        snprintf(path.text[path.n++], sizeof path.text[0],
                 schema_key(kind->schema, kind->kind, kind->keys[0])->type == VALUE_MAPS ? "%s+={}" : "%s.end=1",
                 kind->keys[0]);
      n += try_map(kind, kind->schema, path, "");
    }
  assert_true(n > 400);
}

static Status parse_with_sets(void *context) {
  static const char text[] =
      "version: 1\nmesh: x.geo\nphysics: elasticity\nmodel: 3d\nmaterials: [{on: a, young: 1, poisson: 0}]\n"
      "boundary: [{on: left, fix: all}]\n";
  const char *set[] = {"mesh.order=2",
                       "boundary.left.fix.x=1",
                       "output.fields+=reaction",
                       "materials.a.on+=[b, c]",
                       "output.probes+={name: a, at: [0, 0, 0], field: von-mises}",
                       "solver.preconditioner.degree=3"};
  Case *c = NULL;
  (void)context;
  const Status status = case_parse("c.yaml", text, sizeof text - 1, COUNT(set), set, &c);
  case_destroy(&c);
  return status;
}

static void memory_may_run_short(void **state) {
  (void)state;
  Exec *exec = testing_exec();
  assert_true(testing_fail_each(exec, parse_with_sets, NULL) > 40);
  testing_stop(&exec, 0);
}

static void faults_are_named(void **state) {
  (void)state;
  static const struct {
    const char *set;
    Status status;
    const char *part;
  } rows[] = {
      {"solver.rtl=1", ERR_USAGE, "--set 'solver.rtl=1': unknown key 'rtl' in solver"},
      {"slover.rtol=1", ERR_USAGE, "did you mean 'solver'?"},
      {"solver.rtol", ERR_USAGE, "not key=value"},
      {"=1", ERR_USAGE, "not key=value"},
      {"solver.rtol=", ERR_USAGE, "no value after '='"},
      {"materials.2.young=1", ERR_USAGE, "'2' is not an item of this list; it has 2, counted from 0"},
      {"materials.young=1", ERR_USAGE, "'young' is not an item of this list"},
      {"model.x=1", ERR_USAGE, "there is no key 'x'"},
      {"solver..rtol=1", ERR_USAGE, "is not a key"},
      {"solver.rtol.=1", ERR_USAGE, "is not a key"},
      {"materials.-1.young=1", ERR_USAGE, "'-1' is not an item"},
      {"materials.bdy.young=1", ERR_USAGE, "'bdy' is not an item of this list; it has 2, counted from 0: body, rib"},
      {"solver.rtol+=1", ERR_USAGE, "no list; '+=' adds to lists"},
      {"+=1", ERR_USAGE, "no key before '+='"},
      {"mesh.ordr=2", ERR_USAGE, "did you mean 'order'?"},
      {"output.probes.0.name=a", ERR_USAGE, "'0' is not an item of this list; it has 0, counted from 0; '+=' adds one"},
      {"output.fields+=[reaction, stress]", ERR_INPUT, "'stress' is listed twice"},
      {"solver.rtol=[", ERR_USAGE, "not valid YAML"},
      {"solver.rtol=-1", ERR_INPUT, "--set 'solver.rtol=-1': rtol is -1, must lie in (0, 1)"},
      {"materials.0.young=x", ERR_INPUT, "young: 'x' is not a number"},
      {"physics=monodomain", ERR_INPUT, "unknown key 'materials' in the case"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    Case *c = NULL;
    assert_fails(set_one(rows[i].set, &c), rows[i].status, rows[i].part);
    assert_null(c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_are_set),          cmocka_unit_test(short_forms_are_written_out),
      cmocka_unit_test(all_may_stand_in_quotes), cmocka_unit_test(lists_grow),
      cmocka_unit_test(every_key_has_a_path),    cmocka_unit_test(memory_may_run_short),
      cmocka_unit_test(faults_are_named)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
