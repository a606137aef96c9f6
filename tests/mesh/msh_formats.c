/* The .msh reader on files that are right: every variant, what Gmsh writes, and what other programs may. */
#include "core/memory.h"
#include "core/text_source.h"
#include "tests/mesh/msh_writer.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const int32_t *group_elements(const Mesh *m, const char *name, int32_t dim, int32_t n) {
  const Group *group = mesh_group_dim(m, name, dim);
  if (!group) fail_msg("no group %s", name);
  assert_int_equal(group->n, n);
  return group->element;
}

static void check_square(const Mesh *m) {
  assert_int_equal(m->n_node, 6);
  assert_int_equal(m->n_element, 7); /* the triangle that is in two groups once */
  assert_int_equal(m->dim, 2);
  assert_int_equal(m->n_block, 4);
  assert_int_equal(m->block[0].kind, ELEMENT_POINT1);
  assert_int_equal(m->block[1].kind, ELEMENT_LINE2);
  assert_int_equal(m->block[2].kind, ELEMENT_TRI3);
  assert_int_equal(m->block[3].kind, ELEMENT_QUAD4);
  assert_int_equal(m->block[3].first, 6);
  assert_int_equal(m->n_group, 5);
  assert_int_equal(group_elements(m, "corner", 0, 1)[0], 0);
  assert_int_equal(group_elements(m, "left", 1, 1)[0], 1);
  assert_int_equal(group_elements(m, "7", 1, 1)[0], 2); /* unnamed: its number */
  const int32_t *body = group_elements(m, "body", 2, 3);
  assert_true(body[0] == 4 && body[1] == 5 && body[2] == 6);
  assert_int_equal(group_elements(m, "two words", 2, 1)[0], 4);
  assert_true(m->x[5][0] == 2 && m->x[5][1] == 1 && m->x[5][2] == 1e-30);
  const int32_t *quad = mesh_nodes_of(m, 6);
  assert_true(quad[0] == 1 && quad[1] == 4 && quad[2] == 5 && quad[3] == 2);
  const MeshField *fiber = mesh_field(m, "fiber", true), *stiffness = mesh_field(m, "stiffness", false);
  assert_non_null(fiber);
  assert_non_null(stiffness);
  assert_null(mesh_field(m, "fiber", false));
  assert_int_equal(fiber->n_component, 3);
  assert_true(fiber->value[2] == 0.25 && fiber->value[11] == -1e-3 && isnan(fiber->value[3]));
  assert_true(stiffness->value[4] == 10 && stiffness->value[6] == 20.5 && isnan(stiffness->value[0]));
}

static void every_variant_says_the_same(void **state) {
  (void)state;
  Mesh *m = mesh_of(square_text);
  check_square(m);
  for (int v = 0; v < N_MSH_VARIANTS; ++v) {
    for (int k = 0; k < 3; ++k) {
      const MshWriterOptions options = {.tag_step = k == 1 ? 100000007 : 0, .parametric = k == 2};
      size_t size;
      char *bytes = msh_write(m, &msh_variants[v], &options, &size);
      const char *path = temporary_path("variant.msh");
      put_file(path, bytes, size);
      free(bytes);
      Mesh *again;
      if (mesh_read_msh(path, &again) != OK) fail_msg("%s, %d: %s", msh_variants[v].name, k, status_message());
      check_square(again);
      assert_int_equal(mesh_hash(again), mesh_hash(m));
      assert_int_equal(again->node_tag[5], k == 1 ? 500000036 : 6);
      mesh_destroy(&again);
    }
  }
  mesh_destroy(&m);
  assert_null(m);
}

/* `from` replaced everywhere by `to`; freed by the caller. */
static char *replaced(const char *text, const char *from, const char *to) {
  char *out;
  size_t size;
  FILE *f = open_memstream(&out, &size);
  for (const char *p; (p = strstr(text, from)); text = p + strlen(from)) {
    fwrite(text, 1, (size_t)(p - text), f);
    fputs(to, f);
  }
  fputs(text, f);
  fclose(f);
  return out;
}

static void same_as_square(const char *text) {
  Mesh *m = mesh_of(square_text), *other = mesh_of(text);
  check_square(other);
  assert_int_equal(mesh_hash(m), mesh_hash(other));
  mesh_destroy(&m);
  mesh_destroy(&other);
}

static void white_space_does_not_matter(void **state) {
  (void)state;
  char *crlf = replaced(square_text, "\n", "\r\n"), *tabs = replaced(square_text, " ", "\t  "),
       *blank = replaced(square_text, "\n", " \n\n\t\n"),
       *bom = replaced(square_text, "$MeshFormat\n2", "\xef\xbb\xbf$MeshFormat\n2");
  same_as_square(crlf);
  same_as_square(bom);
  same_as_square(blank);
  char *names = replaced(tabs, "two\t  words", "two words");
  same_as_square(names);
  free(crlf), free(tabs), free(blank), free(bom), free(names);
}

static void other_sections_are_skipped(void **state) {
  (void)state;
  char *a = replaced(square_text, "$Nodes\n6", "$Comments\n$Nodes 1e5 \"$\n$EndComments\n$Nodes\n6"),
       *b = replaced(a, "$NodeData\n", "$Periodic\n1\n1 2 3\n0\n$EndPeriodic\n$NodeData\n"),
       *c = replaced(b, "$ElementData\n",
                     "$NodeData\n1\n\"fiber\"\n1\n1.0\n3\n1\n3\n1\n2 7 7 7\n$EndNodeData\n$ElementData\n");
  same_as_square(c); /* of two time steps the first counts */
  free(a), free(b), free(c);
}

static void no_groups_at_all(void **state) {
  (void)state;
  Mesh *m = mesh_of(
      "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 3 1 3\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n$EndNodes\n"
      "$Elements\n1 1 1 1\n2 1 2 1\n1 1 2 3\n$EndElements");
  assert_int_equal(m->n_group, 0);
  assert_int_equal(m->n_element, 1);
  char text[100] = "groups: ";
  mesh_describe_groups(m, text, sizeof text);
  assert_string_equal(text, "groups: ");
  mesh_destroy(&m);
}

static void groups_are_described(void **state) {
  (void)state;
  Mesh *m = mesh_of(square_text);
  char text[300] = "groups: ", small[24] = "";
  mesh_describe_groups(m, text, sizeof text);
  assert_string_equal(text, "groups: corner (points, 1 node), left (curve, 1 edge), 7 (curve, 1 edge), "
                            "body (surface, 3 elements), two words (surface, 1 element)");
  mesh_describe_groups(m, small, sizeof small);
  assert_string_equal(small, "corner (points, 1 no...");
  assert_ptr_equal(mesh_group(m, "body"), &m->group[3]);
  assert_null(mesh_group(m, "nobody"));
  assert_near(mesh_size(m), 2, 0);
  double measure;
  assert_ok(mesh_group_measure(m, mesh_group(m, "body"), &measure));
  assert_near(measure, 2, 1e-14);
  assert_ok(mesh_group_measure(m, mesh_group(m, "7"), &measure));
  assert_near(measure, 1, 1e-14);
  assert_ok(mesh_group_measure(m, mesh_group(m, "corner"), &measure));
  assert_near(measure, 1, 0);
  mesh_destroy(&m);
}

/* Elements of 2.2 with the same nodes: merged when in another group or of the same number, else kept. */
static void merging_keeps_true_duplicates(void **state) {
  (void)state;
  Mesh *m =
      mesh_of("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n$Elements\n4\n"
              "10 2 2 1 1 1 2 3\n11 2 2 2 1 2 3 1\n12 2 2 1 1 1 2 3\n10 2 2 3 1 1 2 3\n$EndElements\n");
  assert_int_equal(m->n_element, 2);
  assert_int_equal(m->block[0].tag[0], 10);
  assert_int_equal(m->block[0].tag[1], 12);
  assert_int_equal(group_elements(m, "1", 2, 2)[1], 1);
  group_elements(m, "2", 2, 1);
  group_elements(m, "3", 2, 1);
  mesh_destroy(&m);
}

/* The number parser gives what strtod gives, to the last bit. */
static void numbers_are_exact(void **state) {
  (void)state;
  static const char *const form[] = {"%.17g", "%.16g", "%.15f", "%g", "%.9e", "%.19g", "%.25e", "%.3f", "%.0f", "%a"};
  uint64_t random = 88172645463325252u;
  char text[400];
  for (int i = 0; i < 400000; ++i) {
    random ^= random << 13, random ^= random >> 7, random ^= random << 17;
    double value;
    if (i % 2) memcpy(&value, &random, sizeof value);
    else value = (double)(int64_t)random * 1e-17 * pow(10, (int)(random % 30) - 15);
    if (!isfinite(value)) continue;
    const int n = snprintf(text, sizeof text, form[i % 10], value);
    TextSource source = {.label = "x", .bytes = text, .size = n};
    double got;
    assert_ok(source_text_double(&source, "a number", &got));
    const double want = strtod(text, NULL);
    if (memcmp(&got, &want, sizeof got)) fail_msg("'%s' became %.17g", text, got);
    assert_int_equal(source.at, n);
  }
  static const char *const half_way[] = {"9007199254740993",
                                         "9007199254740992.5",
                                         "4503599627370497.5",
                                         "1.0000000000000001110",
                                         "9007199254740991.5",
                                         "0.1",
                                         "-0",
                                         "1e22",
                                         "1e23",
                                         "8.5e-22",
                                         "+.5",
                                         "5.",
                                         "00012.50",
                                         "1E+2",
                                         "18446744073709551615",
                                         "9999999999999999999",
                                         "123456789012345678901234567890"};
  for (size_t i = 0; i < sizeof half_way / sizeof *half_way; ++i) {
    snprintf(text, sizeof text, "%s", half_way[i]);
    TextSource source = {.label = "x", .bytes = text, .size = (int64_t)strlen(text)};
    double got, want = strtod(text, NULL);
    assert_ok(source_text_double(&source, "a number", &got));
    if (memcmp(&got, &want, sizeof got)) fail_msg("'%s' became %.17g", text, got);
  }
  static const char *const wrong[] = {"",      "-",   ".",  "e5", "1e",    "1e+",  "0,5",
                                      "1.2.3", "--1", "1x", "x",  "1e5.0", "0.5f", "1_000"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    snprintf(text, sizeof text, "%s", wrong[i]);
    TextSource source = {.label = "x", .bytes = text, .size = (int64_t)strlen(text)};
    double got;
    assert_int_equal(source_text_double(&source, "a number", &got), ERR_MESH);
  }
}

static const char *const geometry =
    "SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 1, 1, 1};\nSphere(2) = {2.5, 0, 0, 0.7};\n"
    "Physical Volume(\"body\", 1) = {1};\nPhysical Volume(\"both\", 2) = {1, 2};\nPhysical Surface(\"left\", 3) = "
    "{1};\n"
    "Physical Surface(4) = {1, 2, 7};\nPhysical Curve(\"edge\") = {3};\nPhysical Point(\"corner\", 8) = {1};\n"
    "Mesh.MeshSizeMax = 0.5;\n";

/* What the gmsh program writes of one geometry in four formats is one mesh; in binary to the bit. */
static void gmsh_writes_the_same_mesh(void **state) {
  (void)state;
  if (run_program("gmsh", "--version", NULL) == 127) {
    testing_missing("the gmsh program is not installed");
    return;
  }
  static const char *const orders[] = {"1", "2"};
  const char *geo = temporary_path("two.geo");
  put_file(geo, geometry, strlen(geometry));
  for (int o = 0; o < 2; ++o) {
    Mesh *m[4];
    for (int i = 0; i < 4; ++i) {
      const char *out = temporary_path("two.msh");
      assert_int_equal(run_program("gmsh", "-3", geo, "-v", "0", "-order", orders[o], "-format",
                                   i < 2 ? "msh22" : "msh41", "-o", out, i % 2 ? "-bin" : NULL, NULL),
                       0);
      assert_ok(mesh_read_msh(out, &m[i]));
      assert_int_equal(m[i]->n_element, m[0]->n_element);
      assert_int_equal(m[i]->n_node, m[0]->n_node);
      assert_int_equal(m[i]->n_group, 6);
      for (int32_t g = 0; g < 6; ++g) {
        assert_string_equal(m[i]->group[g].name, m[0]->group[g].name);
        assert_int_equal(m[i]->group[g].n, m[0]->group[g].n);
      }
      double body, both, left;
      assert_ok(mesh_group_measure(m[i], mesh_group(m[i], "body"), &body));
      assert_ok(mesh_group_measure(m[i], mesh_group(m[i], "both"), &both));
      assert_ok(mesh_group_measure(m[i], mesh_group(m[i], "left"), &left));
      assert_near(body, 1, 1e-12);
      assert_near(left, 1, 1e-12);
      const double ball = both - body, exact = 4.0 / 3 * 3.14159265358979 * 0.7 * 0.7 * 0.7;
      assert_true(ball < exact && ball > (o ? 0.99 : 0.7) * exact);
    }
    assert_int_equal(mesh_hash(m[1]), mesh_hash(m[3])); /* text is rounded to 16 digits */
    assert_int_equal(mesh_hash(m[0]), mesh_hash(m[2]));
    for (int i = 0; i < 4; ++i) mesh_destroy(&m[i]);
  }
}

static void each_allocation_may_fail(void **state) {
  (void)state;
  Mesh *m = mesh_of(square_text);
  for (int v = 0; v < N_MSH_VARIANTS; ++v) {
    size_t size;
    char *bytes = msh_write(m, &msh_variants[v], NULL, &size);
    const char *path = temporary_path("memory.msh");
    put_file(path, bytes, size);
    free(bytes);
    Mesh *again;
    const int64_t n = testing_fail_each_of(mesh_read_msh(path, &again), {
      assert_true(!again == failed);
      mesh_destroy(&again);
    });
    assert_true(n > 15);
  }
  mesh_destroy(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_variant_says_the_same), cmocka_unit_test(white_space_does_not_matter),
      cmocka_unit_test(other_sections_are_skipped),  cmocka_unit_test(no_groups_at_all),
      cmocka_unit_test(groups_are_described),        cmocka_unit_test(merging_keeps_true_duplicates),
      cmocka_unit_test(numbers_are_exact),           cmocka_unit_test(gmsh_writes_the_same_mesh),
      cmocka_unit_test(each_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, temporary_remove);
}
