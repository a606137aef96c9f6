/* Meshes of openCARP: the same mesh from text and binary of either order of bytes, for every kind, order of nodes and
 * number of threads; surfaces and nodes beside it; files that do not belong together are named with both counts. */
#include "mesh/check/check.h"
#include "tests/mesh/carp_writer.h"
#include "tests/mesh/derived_mesh.h"

#include <omp.h>
#include <unistd.h>

static const char *const ENDINGS[] = {"pts",       "elem",       "lon",         "bpts",     "belem",     "blon",
                                      "epi.surf",  "epi.vtx",    "base-1.surf", "surf",     "depth.dat", "layer.dat",
                                      "short.dat", "vector.dat", "fiber.dat",   "empty.dat"};

static void remove_files(void) {
  for (size_t i = 0; i < sizeof ENDINGS / sizeof *ENDINGS; ++i) {
    char path[100];
    snprintf(path, sizeof path, "carp_test.%s", ENDINGS[i]);
    unlink(path);
  }
}

static Mesh *read_carp(const char *path) {
  Mesh *mesh = NULL;
  assert_ok(mesh_read_carp(path, &mesh));
  return mesh;
}

static const CarpWriter plain = {.stem = "carp_test"};

/* Binary files hold floats. */
static void assert_same(const Mesh *wanted, const Mesh *read, bool floats) {
  const ElementBlock *from = &wanted->block[wanted->n_block - 1], *to = &read->block[read->n_block - 1];
  assert_int_equal(read->n_node, wanted->n_node);
  for (int i = 0; i < read->n_node; ++i)
    for (int c = 0; c < 3; ++c)
      assert_true(read->x[i][c] == (floats ? (double)(float)wanted->x[i][c] : wanted->x[i][c]));
  assert_int_equal(to->kind, from->kind);
  assert_int_equal(to->n, from->n);
  assert_memory_equal(to->nodes, from->nodes, sizeof *to->nodes * (size_t)(to->n * element_type(to->kind)->n_node));
  for (int i = 0; i < to->n; ++i) assert_int_equal(to->tag[i], i);
  const Group *seven = mesh_group(read, "7"), *other = mesh_group(read, "-3");
  assert_true(seven && other && seven->n + other->n == to->n);
  for (int i = 0; i < other->n; ++i) assert_int_equal(other->element[i], to->first + 3 * i);
}

static void assert_fibers(const Mesh *mesh, int n_axis) {
  const ElementBlock *block = &mesh->block[mesh->n_block - 1];
  const MeshField *fiber = mesh_field(mesh, "fiber", false), *sheet = mesh_field(mesh, "sheet", false);
  assert_int_equal(mesh->n_field, n_axis);
  assert_true(!fiber == (n_axis < 1) && !sheet == (n_axis < 2));
  for (int i = 0; fiber && i < block->n; ++i) {
    const double *f = fiber->value + 3 * (block->first + i);
    assert_true(f[0] == i && f[1] == 1 && f[2] == 0);
  }
  for (int i = 0; sheet && i < block->n; ++i) {
    const double *s = sheet->value + 3 * (block->first + i);
    assert_true(s[0] == 0 && s[1] == i && s[2] == 0.5);
  }
}

static const ElementKind kinds[] = {ELEMENT_TRI3, ELEMENT_QUAD4,  ELEMENT_TET4,
                                    ELEMENT_HEX8, ELEMENT_WEDGE6, ELEMENT_PYRAMID5};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

static void every_form_of_every_kind(void **state) {
  (void)state;
  for (int k = 0; k < N_KINDS; ++k) {
    Mesh *mesh = testing_box(kinds[k], 4, 0.1);
    const bool flat = mesh->dim == 2;
    for (int form = 0; form < 3; ++form)
      for (int order = 0; order < (flat ? 1 : 3); ++order) {
        const int n_axis = (form + order) % 3;
        remove_files();
        carp_write((CarpWriter){.stem = plain.stem, .binary = form, .big = form == 2, .order = order, .n_axis = n_axis},
                   mesh);
        Mesh *read = read_carp(form ? "carp_test.bpts" : "carp_test.pts");
        assert_same(mesh, read, form > 0);
        assert_fibers(read, n_axis);
        assert_ok(mesh_check(read));
        mesh_destroy(&read);
      }
    mesh_destroy(&mesh);
  }
}

/* Files without a first line in .lon; the other form where one is missing; any of the files may be named. */
static void what_is_there(void **state) {
  (void)state;
  Mesh *mesh = testing_box(ELEMENT_TET4, 2, 0);
  for (int n_axis = 1; n_axis <= 2; ++n_axis) {
    remove_files();
    carp_write((CarpWriter){.stem = plain.stem, .n_axis = n_axis, .old = true}, mesh);
    Mesh *read = read_carp("carp_test.elem");
    assert_fibers(read, n_axis);
    mesh_destroy(&read);
  }
  carp_write((CarpWriter){.stem = plain.stem, .n_axis = 1, .binary = true}, mesh);
  unlink("carp_test.lon");
  unlink("carp_test.bpts");
  MeshParams params = {.path = "carp_test.belem", .scale = 1e-3};
  Mesh *read = NULL;
  assert_ok(mesh_load(&params, &read));
  assert_fibers(read, 1);
  assert_near(mesh_size(read), 1e-3 * mesh_size(mesh), 1e-12);
  assert_ok(mesh_write_h5(read, "carp_test.h5"));
  Mesh *again = NULL;
  assert_ok(mesh_read_h5("carp_test.h5", &again));
  assert_true(mesh_hash(again) == mesh_hash(read));
  mesh_destroy(&again);
  mesh_destroy(&read);
  mesh_destroy(&mesh);
  unlink("carp_test.h5");
}

static void any_number_of_threads(void **state) {
  (void)state;
  Mesh *mesh = testing_box(ELEMENT_HEX8, 16, 0);
  const int before = omp_get_max_threads();
  for (int form = 0; form < 2; ++form) {
    uint64_t hash = 0;
    remove_files();
    carp_write((CarpWriter){.stem = plain.stem, .binary = form, .order = 1, .n_axis = 2}, mesh);
    for (int t = 1; t <= 5; t += 2) {
      omp_set_num_threads(t);
      Mesh *read = read_carp(form ? "carp_test.bpts" : "carp_test.pts");
      assert_same(mesh, read, form > 0);
      assert_fibers(read, 2);
      if (t == 1) hash = mesh_hash(read);
      assert_true(mesh_hash(read) == hash);
      mesh_destroy(&read);
    }
  }
  omp_set_num_threads(before);
  mesh_destroy(&mesh);
}

static void put(const char *ending, const char *text) {
  char path[100];
  snprintf(path, sizeof path, "carp_test.%s", ending);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

#define CUBE "8\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n"
#define HEX "1\nHx 0 1 2 3 4 7 6 5 2\n"

static void surfaces_and_nodes(void **state) {
  (void)state;
  remove_files();
  put("pts", CUBE);
  put("elem", "2\nHx 0 1 2 3 4 7 6 5 2\nQd 3 2 1 0 5\n");
  put("epi.surf", "2\nQd 0 1 2 3\nTr 4 5 6 17\n");
  put("base-1.surf", "1\nTr 6 4 5\n");
  put("epi.vtx", "3\nextra\n1\n0\n7\n");
  put("surf", "1\nQd 4 5 6 7\n");
  Mesh *mesh = read_carp("carp_test.pts");
  const Group *epi = mesh_group_dim(mesh, "epi", 2), *base = mesh_group(mesh, "base-1"), *five = mesh_group(mesh, "5"),
              *points = mesh_group_dim(mesh, "epi", 0), *whole = mesh_group(mesh, "carp_test");
  assert_true(epi && base && five && points && whole && mesh_group(mesh, "2")->n == 1);
  assert_int_equal(mesh->n_element, 3 + 2 + 1 + 1); /* points, squares, triangle, cube */
  assert_true(epi->n == 2 && base->n == 1 && five->n == 1 && whole->n == 1);
  assert_true(base->element[0] == epi->element[0] || base->element[0] == epi->element[1]);
  assert_true(five->element[0] == epi->element[0] || five->element[0] == epi->element[1]);
  const int nodes[] = {0, 1, 7};
  assert_int_equal(points->n, 3);
  for (int i = 0; i < 3; ++i) assert_int_equal(*mesh_nodes_of(mesh, points->element[i]), nodes[i]);
  assert_ok(mesh_check(mesh));
  mesh_destroy(&mesh);
}

static const struct {
  const char *pts, *elem, *lon, *vtx, *part;
} wrong[] = {
    {"9\n0 0 0\n", HEX, NULL, NULL, "carp_test.pts:1: says 9 points, but 1 lines follow"},
    {"1\n0 0 0\n\n1 0 0\n", HEX, NULL, NULL, "says 1 points, but 2 lines follow"},
    {"0\n", HEX, NULL, NULL, "says 0 points, must be 1 to"},
    {"points\n", HEX, NULL, NULL, "'points' where how many follow was expected"},
    {"1\n0 0\n", HEX, NULL, NULL, "carp_test.pts:2: '0 0': the line has fewer than 3 numbers (a coordinate)"},
    {"2\n0 0 0 1\n1 0 0\n", HEX, NULL, NULL, "carp_test.pts:2: '0 0 0 1': the line has more than 3 numbers"},
    {"1\n0 nan 0\n", HEX, NULL, NULL, "carp_test.pts:2: point 0 (counted from 0) is at (0, nan, 0)"},
    {CUBE, "3\nHx 0 1 2 3 4 5 6 7 1\n", NULL, NULL, "carp_test.elem:1: says 3 elements, but 1 lines follow"},
    {CUBE, "1\nHx 0 1 2 3 4 5 6 8 1\n", NULL, NULL, "carp_test.elem:2: element 0 has point 8, but there are 8"},
    {CUBE, "1\nHx 0 1 2 3 4 5 6 -1 1\n", NULL, NULL, "has point -1"},
    {CUBE, "1\nTt 0 1 2 1\n", NULL, NULL, "element 0 has point 1 twice"},
    {CUBE, "1\nTt 0 1 2 \n", NULL, NULL, "carp_test.elem:2: 'Tt 0 1 2 ': element 0 has fewer points"},
    {CUBE, "2\nTt 0 1 2\nTt 1 2 3 4 1\n", NULL, NULL, "carp_test.elem:2: 'Tt 0 1 2': element 0 has fewer points"},
    {CUBE, "1\nTt 0 1 2 4 1 5\n", NULL, NULL, "element 0 has more numbers than its points and its region"},
    {CUBE, "1\nTt 0 1 2 4 x\n", NULL, NULL, "'x' where the region of an element was expected"},
    {CUBE, "1\ncH 0 1 2\n", NULL, NULL, "'cH 0 1 2': element 0 must begin with one of Tt Hx Py Pr Qd Tr Ln"},
    {CUBE, HEX, "1\n1 0 0\n1 0 0\n", NULL,
     "carp_test.lon:1: has fibres of 2 elements, but carp_test.elem has 1 elements"},
    {CUBE, HEX, "3\n1 0 0\n", NULL, "has 3 axes per element, must be 1 (fibre) or 2"},
    {CUBE, HEX, "2\n1 0 0\n", NULL, "carp_test.lon:2: '1 0 0': the line has fewer than 6 numbers"},
    {CUBE, HEX, "1\n1 0 0 1\n", NULL, "carp_test.lon:2: '1 0 0 1': the line has more than 3 numbers"},
    {CUBE, HEX, NULL, "2\nextra\n1\n", "carp_test.epi.vtx:1: says 2 points, but 1 lines follow"},
    {CUBE, HEX, NULL, "1\nextra\n8\n", "carp_test.epi.vtx:3: point 8, but there are 8"},
    {CUBE, NULL, NULL, NULL, "carp_test.elem: mesh file not found; openCARP has it beside 'carp_test.pts'"},
};

static void damaged_files(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    Mesh *mesh = NULL;
    remove_files();
    put("pts", wrong[k].pts);
    if (wrong[k].elem) put("elem", wrong[k].elem);
    if (wrong[k].lon) put("lon", wrong[k].lon);
    if (wrong[k].vtx) put("epi.vtx", wrong[k].vtx);
    assert_fails(mesh_read_carp("carp_test.pts", &mesh), ERR_MESH, wrong[k].part);
    assert_null(mesh);
  }
  remove_files();
  put("pts", CUBE);
  put("elem", HEX);
  put("epi.surf", "1\nTt 0 1 2 4\n");
  Mesh *mesh = NULL;
  assert_fails(mesh_read_carp("carp_test.pts", &mesh), ERR_MESH, "face 0 is of type Tt, must be Tr or Qd");
}

/* Numbers beside the mesh are fields of nodes or elements, in the order of the file; others are passed over with a word. */
static void data(void **state) {
  (void)state;
  char text[8000] = "", *at = text;
  Mesh *box = testing_box(ELEMENT_TET4, 2, 0);
  const int n_cell = box->block[box->n_block - 1].n;
  remove_files();
  carp_write((CarpWriter){.stem = plain.stem, .n_axis = 1}, box);
  for (int i = 0; i < box->n_node; ++i) at += sprintf(at, " %d.5 \r\n%s", i, i == 3 ? "\n" : "");
  put("depth.dat", text);
  for (int i = 0, n = 0; i < n_cell; ++i) n += sprintf(text + n, "%d\n", 7 * i);
  put("layer.dat", text);
  put("short.dat", "1\n2\n3\n");
  put("empty.dat", "");
  put("vector.dat", text);
  for (int i = 0, n = 0; i < n_cell; ++i) n += sprintf(text + n, "%d 1 2\n", i);
  put("vector.dat", text);
  for (int threads = 1; threads < 4; ++threads) {
    omp_set_num_threads(threads);
    Mesh *mesh = read_carp("carp_test.pts");
    const ElementBlock *block = &mesh->block[mesh->n_block - 1];
    const MeshField *depth = mesh_field(mesh, "depth", true), *layer = mesh_field(mesh, "layer", false);
    assert_int_equal(mesh->n_field, 3);
    assert_true(depth && layer && depth->n_component == 1 && layer->n_component == 1);
    for (int i = 0; i < mesh->n_node; ++i) assert_true(depth->value[i] == i + 0.5);
    for (int i = 0; i < n_cell; ++i) assert_true(layer->value[block->first + i] == 7 * i);
    mesh_destroy(&mesh);
  }
  Mesh *mesh = NULL;
  put("fiber.dat", text);
  for (int i = 0, n = 0; i < n_cell; ++i) n += sprintf(text + n, i == 5 ? "five\n" : "%d\n", i);
  put("layer.dat", text);
  assert_fails(mesh_read_carp("carp_test.pts", &mesh), ERR_MESH,
               "carp_test.fiber.dat: would make a field 'fiber', which");
  put("fiber.dat", "1\n");
  unlink("carp_test.fiber.dat");
  assert_fails(mesh_read_carp("carp_test.pts", &mesh), ERR_MESH, "carp_test.layer.dat");
  mesh_destroy(&box);
  remove_files();
}

static void append(const char *path, size_t n) {
  static const char zeros[64];
  FILE *file = fopen(path, "a");
  assert_true(file && fwrite(zeros, 1, n, file) == n);
  fclose(file);
}

/* A binary file that goes on behind what its head speaks of. */
static void longer_than_its_head(void **state) {
  (void)state;
  Mesh *mesh = testing_box(ELEMENT_TET4, 2, 0), *read = NULL;
  static const char *const path[] = {"carp_test.bpts", "carp_test.belem"}, *const said[] = {"36 points", "elements"};
  for (int k = 0; k < 2; ++k) {
    remove_files();
    carp_write((CarpWriter){.stem = plain.stem, .binary = true, .n_axis = 1}, mesh);
    append(path[k], 4); /* what a copy may leave there */
    read = read_carp("carp_test.bpts");
    mesh_destroy(&read);
    append(path[k], 20);
    assert_fails(mesh_read_carp("carp_test.bpts", &read), ERR_MESH, said[k]);
    assert_fails(mesh_read_carp("carp_test.bpts", &read), ERR_MESH, "but 24 bytes follow");
  }
  mesh_destroy(&mesh);
  remove_files();
}

/* Any byte cut off or changed: a mesh or a message. */
static void any_damage(void **state) {
  (void)state;
  static const char *const damaged[] = {"carp_test.bpts", "carp_test.belem", "carp_test.blon"};
  Mesh *mesh = testing_box(ELEMENT_TET4, 2, 0);
  static char bytes[20000];
  remove_files();
  carp_write((CarpWriter){.stem = plain.stem, .binary = true, .n_axis = 2}, mesh);
  for (int k = 0; k < 3; ++k) {
    FILE *file = fopen(damaged[k], "r");
    const size_t n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    for (size_t i = 0; i < n; i += i < 16 ? 1 : 37) {
      const char before = bytes[i];
      bytes[i] = (char)(before ^ (1 << i % 7));
      file = fopen(damaged[k], "w");
      fwrite(bytes, 1, i % 2 ? i : n, file);
      fclose(file);
      bytes[i] = before;
      Mesh *read = NULL;
      if (mesh_read_carp("carp_test.bpts", &read) != OK) assert_true(!read && strlen(status_message()) > 20);
      status_clear();
      mesh_destroy(&read);
    }
    file = fopen(damaged[k], "w");
    fwrite(bytes, 1, n, file);
    fclose(file);
  }
  mesh_destroy(&mesh);
}

static Status read_once(void *context) {
  (void)context;
  Mesh *mesh = NULL;
  TRY(mesh_read_carp("carp_test.pts", &mesh));
  mesh_destroy(&mesh);
  return OK;
}

static void every_allocation_fails_once(void **state) {
  (void)state;
  remove_files();
  put("pts", CUBE);
  put("elem", HEX);
  put("lon", "2\n1 0 0 0 1 0\n");
  put("epi.surf", "1\nTr 4 5 6 17\n");
  put("epi.vtx", "3\nextra\n1\n0\n7\n");
  put("depth.dat", "1\n2\n3\n4\n5\n6\n7\n8\n");
  Exec *exec = testing_exec();
  assert_true(testing_fail_each(exec, read_once, NULL) > 40);
  exec_destroy(&exec);
  remove_files();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_form_of_every_kind),
      cmocka_unit_test(what_is_there),
      cmocka_unit_test(any_number_of_threads),
      cmocka_unit_test(surfaces_and_nodes),
      cmocka_unit_test(data),
      cmocka_unit_test(damaged_files),
      cmocka_unit_test(longer_than_its_head),
      cmocka_unit_test(any_damage),
      cmocka_unit_test(every_allocation_fails_once),
  };
  return cmocka_run_group_tests_name("carp", tests, NULL, NULL);
}
