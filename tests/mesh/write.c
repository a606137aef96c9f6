/* A mesh that is written as a deck, a .msh or a .med and read again has the same nodes, elements, groups and fields. */
#include "mesh/io/write.h"
#include "tests/mesh/derived_mesh.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static Mesh *again(const Mesh *mesh, const char *path) {
  Mesh *read = NULL;
  assert_true(mesh_writes(path));
  assert_ok(mesh_write(mesh, path));
  const MeshParams params = {.path = path};
  assert_ok(mesh_read(&params, &read));
  remove(path);
  return read;
}

/* Numbers that do not depend on the order of elements: of a group, or of all solved elements (NULL). */
static void fingerprint(const Mesh *mesh, const Group *group, double out[3]) {
  out[0] = out[1] = out[2] = 0;
  const int32_t n = group ? group->n : mesh->n_element;
  for (int32_t i = 0; i < n; ++i) {
    const int32_t e = group ? group->element[i] : i;
    const ElementType *type = element_type(mesh_block_of(mesh, e)->kind);
    if (!group && type->dim != mesh->dim) continue;
    const int32_t *node = mesh_nodes_of(mesh, e);
    out[0] += 1;
    for (int32_t a = 0; a < type->n_node; ++a) {
      const double *x = mesh->x[node[a]];
      out[1] += (x[0] + 2.3 * x[1] + 5.7 * x[2]) * (a + 1); /* the place in the element counts */
      out[2] += x[0] * x[1] + x[1] * x[1] * 3 + x[2] * x[0];
    }
  }
}

static void same(const Mesh *a, const Group *p, const Mesh *b, const Group *q, bool order) {
  double m[3], n[3];
  fingerprint(a, p, m);
  fingerprint(b, q, n);
  assert_within(n[0], m[0], 0);
  if (order) assert_within(n[1], m[1], 1e-9 * (1 + fabs(m[1])));
  assert_within(n[2], m[2], 1e-9 * (1 + fabs(m[2])));
}

static void check(ElementKind kind, const char *path) {
  const bool deck = strstr(path, ".inp") != NULL;
  Mesh *mesh = testing_box(kind, 2, 0.2);
  Mesh *read = again(mesh, path);
  assert_int_equal(read->n_node, mesh->n_node);
  assert_int_equal(read->dim, mesh->dim);
  if (!deck) assert_int_equal(memcmp(read->x, mesh->x, sizeof *mesh->x * (size_t)mesh->n_node), 0);
  for (int32_t i = 0; i < mesh->n_node; ++i)
    for (int d = 0; d < 3; ++d) assert_within(read->x[i][d], mesh->x[i][d], 1e-13 * fabs(mesh->x[i][d]));
  same(mesh, NULL, read, NULL, true);
  for (int32_t g = 0; g < mesh->n_group; ++g) {
    const Group *group = &mesh->group[g], *other = mesh_group_dim(read, group->name, group->dim);
    if (!other) fail_msg("%s of %s has no group '%s'", path, element_type(kind)->name, group->name);
    same(mesh, group, read, other, !deck); /* facets of a deck are made of its elements */
  }
  if (!deck) assert_int_equal(read->n_group, mesh->n_group);
  mesh_destroy(&read);
  mesh_destroy(&mesh);
}

static void every_element(void **state) {
  (void)state;
  int decks = 0;
  for (ElementKind kind = 0; kind < N_ELEMENT_KINDS; ++kind) {
    const ElementType *type = element_type(kind);
    if (type->dim < 2 || !type->gmsh_type) continue;
    check(kind, "write_test.msh");
    if (type->order < 3) check(kind, "write_test.med");
    Mesh *mesh = testing_box(kind, 1, 0);
    const Status status = mesh_write(mesh, "write_test.inp");
    if (status == OK) ++decks, check(kind, "write_test.inp");
    else {
      assert_int_equal(status, ERR_MESH);
      assert_non_null(strstr(status_message(), type->name));
      assert_int_equal(access("write_test.inp", F_OK), -1);
      status_clear();
    }
    remove("write_test.inp");
    mesh_destroy(&mesh);
  }
  assert_int_equal(decks, 10);
}

/* Values on nodes and elements, not given at some, and an element in two groups. */
static void check_fields(const char *path) {
  Mesh *mesh = testing_box(ELEMENT_TET4, 2, 0.1);
  const int32_t body = (int32_t)(mesh_group(mesh, "body") - mesh->group);
  assert_int_equal(mesh->group[body].dim, 3);
  int32_t corner[5];
  for (int i = 0; i < 5; ++i) corner[i] = mesh->group[body].element[3 * i];
  testing_add_group(mesh, "corner", 3, 5, corner);
  const Group *half = &mesh->group[mesh->n_group - 1];
  mesh->field = testing_array(2, sizeof *mesh->field);
  mesh->n_field = 2;
  for (int f = 0; f < 2; ++f) {
    MeshField *field = &mesh->field[f];
    const int64_t n = f ? mesh->n_element : mesh->n_node;
    *field = (MeshField){.on_nodes = !f, .n_component = f ? 3 : 1, .name = testing_text(f ? "fiber" : "heat")};
    field->value = testing_array(n * field->n_component, sizeof *field->value);
    for (int64_t i = 0; i < n * field->n_component; ++i)
      field->value[i] = i / field->n_component % 7 == 3 ? NAN : sin(1.0 + (double)i);
  }
  Mesh *read = again(mesh, path);
  same(mesh, half, read, mesh_group(read, "corner"), true);
  same(mesh, &mesh->group[body], read, mesh_group(read, "body"), true);
  assert_int_equal(read->n_field, 2);
  const MeshField *heat = mesh_field(read, "heat", true), *fiber = mesh_field(read, "fiber", false);
  assert_true(heat && fiber);
  for (int32_t i = 0; i < mesh->n_node; ++i)
    assert_true(isnan(heat->value[i]) ? i % 7 == 3 : heat->value[i] == mesh->field[0].value[i]);
  int given = 0;
  double sum = 0, wanted = 0;
  for (int32_t e = 0; e < read->n_element; ++e) given += !isnan(fiber->value[3 * e]);
  for (int32_t e = 0; e < read->n_element; ++e) sum += isnan(fiber->value[3 * e]) ? 0 : fiber->value[3 * e + 1];
  for (int32_t e = 0; e < mesh->n_element; ++e)
    wanted += isnan(mesh->field[1].value[3 * e]) ? 0 : mesh->field[1].value[3 * e + 1], given -= e % 7 != 3;
  assert_int_equal(given, 0);
  assert_within(sum, wanted, 1e-12);
  mesh_destroy(&read);
  mesh_destroy(&mesh);
}

static void fields_and_groups(void **state) {
  (void)state;
  check_fields("write_test.msh");
  check_fields("write_test.med");
  assert_true(mesh_writes_fields("a.msh") && mesh_writes_fields("a.med") && !mesh_writes_fields("a.inp"));
}

/* CalculiX reads 20 characters of a number. */
static void numbers_are_short(void **state) {
  (void)state;
  Mesh *mesh = testing_box(ELEMENT_TRI3, 1, 0);
  mesh->x[0][0] = -1.2246467991473532e-16, mesh->x[1][1] = -0.30901699437494742;
  assert_ok(mesh_write(mesh, "write_test.inp"));
  FILE *file = fopen("write_test.inp", "r");
  char line[400];
  assert_non_null(file);
  while (fgets(line, sizeof line, file))
    for (const char *at = line; *at; at += strcspn(at, ",\n") + 1, at += *at == ' ')
      if (*line != '*' && strcspn(at, ",\n") > 20) fail_msg("%s", line);
  fclose(file);
  remove("write_test.inp");
  mesh_destroy(&mesh);
}

static void what_no_deck_holds(void **state) {
  (void)state;
  Mesh *mesh = testing_box(ELEMENT_HEX8, 1, 0);
  assert_true(mesh->n_group >= 2);
  char *name = mesh->group[0].name;
  char a[] = "two words", b[] = "two_words";
  char *other = mesh->group[1].name;
  mesh->group[0].name = a, mesh->group[1].name = b;
  assert_int_equal(mesh_write(mesh, "write_test.inp"), ERR_MESH);
  assert_non_null(strstr(status_message(), "two words"));
  status_clear();
  mesh->group[1].name = other;
  status_warnings_clear();
  assert_ok(mesh_write(mesh, "write_test.inp"));
  assert_int_equal(status_warning_count(), 1);
  assert_non_null(strstr(status_warning(0), "the group 'two words' is 'two_words' in the deck"));
  status_warnings_clear();
  remove("write_test.inp");
  mesh->group[0].name = name;
  assert_int_equal(mesh_write(mesh, "/nowhere/at/all.msh"), ERR_IO);
  status_clear();
  assert_false(mesh_writes("mesh.unv"));
  assert_int_equal(mesh_write(mesh, "mesh.unv"), ERR_USAGE);
  assert_string_equal(status_message(), "'mesh.unv' must end in .h5, .inp, .med or .msh");
  status_clear();
  mesh_destroy(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_element), cmocka_unit_test(fields_and_groups),
                                     cmocka_unit_test(numbers_are_short), cmocka_unit_test(what_no_deck_holds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
