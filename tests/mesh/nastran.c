/* Nastran's bulk data: the same mesh from small, large and free fields and for any number of threads; every element,
 * coordinate systems, properties and sets; wrong cards in one line. */
#include "core/memory.h"
#include "mesh/check/check.h"
#include "tests/mesh/derived_mesh.h"

#include <omp.h>
#include <stdio.h>
#include <unistd.h>

static const char *const PATH = "nastran_test.bdf";

static void put_text(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

static Mesh *read_bulk(void) {
  Mesh *mesh = NULL;
  assert_ok(mesh_read_nastran(PATH, &mesh));
  return mesh;
}

/* Pairs of corners, counted from 1, whose middles are nodes 5, 6, ... of an element, in the order of the cards. */
static const struct {
  const char *name;
  ElementKind kind;
  const char *edges;
} elements[] = {
    {"CTETRA", ELEMENT_TET4, ""},       {"CTETRA", ELEMENT_TET10, "122313142434"},
    {"CHEXA", ELEMENT_HEX8, ""},        {"CHEXA", ELEMENT_HEX20, "122334411526374856677885"},
    {"CPENTA", ELEMENT_WEDGE6, ""},     {"CPENTA", ELEMENT_WEDGE15, "122331142536455664"},
    {"CPYRAM", ELEMENT_PYRAMID5, ""},   {"CPYRAM", ELEMENT_PYRAMID13, "1223344115253545"},
    {"CTRIA3", ELEMENT_TRI3, ""},       {"CTRIAR", ELEMENT_TRI3, ""},
    {"CTRIA6", ELEMENT_TRI6, "122331"}, {"CQUAD4", ELEMENT_QUAD4, ""},
    {"CQUADR", ELEMENT_QUAD4, ""},      {"CQUAD8", ELEMENT_QUAD8, "12233441"},
};
enum { N_ELEMENTS = sizeof elements / sizeof *elements, SMALL = 0, LARGE, FREE_FIELDS, N_FORMS };

/* Our node in the middle of two corners. */
static int middle_of(const ElementType *type, int a, int b) {
  for (int k = type->n_vertex; k < type->n_node; ++k) {
    double away = 0;
    for (int d = 0; d < type->dim; ++d) away += fabs(type->node[k][d] - (type->node[a][d] + type->node[b][d]) / 2);
    if (away < 1e-12) return k;
  }
  fail_msg("no node amid %d and %d", a, b);
  return -1;
}

/* A card of n fields; they may be blank. */
static void put_card(FILE *file, const char *name, int form, int n, const char (*field)[24]) {
  const int in_line = form == LARGE ? 4 : 8;
  for (int k = 0; k < n; k += in_line) {
    if (form == FREE_FIELDS) fprintf(file, "%s", k ? "" : name);
    else if (form == LARGE) fprintf(file, "%s%-*s", k ? "" : name, k ? 8 : 8 - (int)strlen(name), "*");
    else fprintf(file, "%-8s", k ? k == 8 ? "" : "+ab" : name);
    for (int i = k; i < n && i < k + in_line; ++i)
      fprintf(file, form == FREE_FIELDS ? ", %s" : form == LARGE ? "%16s" : i % 2 ? "%-8s" : "%8s", field[i]);
    fprintf(file, k + in_line < n && form == SMALL ? "+ab\n" : "\r\n");
  }
}

static void write_bulk(const Mesh *mesh, int which, int form) {
  const ElementBlock *block = &mesh->block[mesh->n_block - 1];
  const ElementType *type = element_type(block->kind);
  const char *edges = elements[which].edges;
  char field[24][24];
  FILE *file = fopen(PATH, "w");
  assert_non_null(file);
  fprintf(file, "SOL 101\nCEND\nGRID of the case control\nBegin Bulk\n$ a comment\nPSHELL,2,1,0.1\n$HMNAME PROP   "
                "1\"the body\" 4\n");
  for (int i = 0; i < mesh->n_node; ++i) {
    snprintf(field[0], 24, "%d", 3 * i + 1);
    *field[1] = 0;
    for (int d = 0; d < 3; ++d) snprintf(field[2 + d], 24, form == SMALL ? "%.4f" : "%.9f", mesh->x[i][d]);
    put_card(file, "GRID", form, 5, field);
  }
  for (int e = 0; e < block->n; ++e) {
    snprintf(field[0], 24, "%d", 5 * e + 7);
    snprintf(field[1], 24, "%d", 1 + e % 2);
    for (int k = 0; k < type->n_node; ++k) {
      const char *pair = edges + 2 * (k - type->n_vertex);
      const int ours = k < type->n_vertex ? k : middle_of(type, pair[0] - '1', pair[1] - '1');
      snprintf(field[2 + k], 24, "%d", 3 * block->nodes[e * type->n_node + ours] + 1);
    }
    put_card(file, elements[which].name, form, 2 + type->n_node, field);
  }
  fprintf(file, "ENDDATA\nGRID,1,,x\n");
  assert_int_equal(fclose(file), 0);
}

static void assert_same(const Mesh *wanted, const Mesh *read) {
  const ElementBlock *from = &wanted->block[wanted->n_block - 1], *to = &read->block[0];
  assert_int_equal(read->n_node, wanted->n_node);
  assert_int_equal(read->n_block, 1);
  assert_int_equal(to->kind, from->kind);
  assert_int_equal(to->n, from->n);
  assert_memory_equal(to->nodes, from->nodes, sizeof *to->nodes * (size_t)(to->n * element_type(to->kind)->n_node));
  for (int i = 0; i < read->n_node; ++i) {
    assert_int_equal(read->node_tag[i], 3 * i + 1);
    for (int d = 0; d < 3; ++d) assert_within(read->x[i][d], wanted->x[i][d], 6e-5);
  }
  const bool flat = element_type(to->kind)->dim == 2;
  const Group *body = mesh_group(read, "the body"), *shell = mesh_group(read, "PSHELL-2");
  assert_true(body && shell && body->dim == (flat ? 2 : 3) && read->n_group == 2);
  for (int i = 0; i < body->n; ++i) assert_int_equal(body->element[i], 2 * i);
  assert_int_equal(body->n + shell->n, to->n);
  assert_int_equal(to->tag[1], 12);
}

static void every_element(void **state) {
  (void)state;
  for (int which = 0; which < N_ELEMENTS; ++which)
    for (int form = 0; form < N_FORMS; ++form) {
      Mesh *mesh = testing_box(elements[which].kind, 3, 0.1);
      write_bulk(mesh, which, form);
      Mesh *read = read_bulk();
      assert_same(mesh, read);
      mesh_destroy(&read);
      mesh_destroy(&mesh);
    }
}

static void any_number_of_threads(void **state) {
  (void)state;
  Mesh *mesh = testing_box(ELEMENT_TET10, 12, 0.2);
  const int before = omp_get_max_threads();
  for (int form = 0; form < N_FORMS; ++form) {
    uint64_t hash = 0;
    write_bulk(mesh, 1, form);
    for (int t = 1; t <= 5; t += t > 2 ? 2 : 1) {
      omp_set_num_threads(t);
      Mesh *read = read_bulk();
      assert_same(mesh, read);
      if (t == 1) hash = mesh_hash(read);
      assert_true(mesh_hash(read) == hash);
      mesh_destroy(&read);
    }
  }
  omp_set_num_threads(before);
  mesh_destroy(&mesh);
}

/* Every way to write a number; systems that stand on others and on nodes. */
static void coordinates(void **state) {
  (void)state;
  put_text(PATH, "GRDSET,,9\n"
                 "cord2r,9,0,10.,0.,0.,10.,0.,1.\n,11.,0.,0.\n" /* moved by 10 */
                 "CORD2C,2,9,0.,0.,0.,1.,0.,0.\n,0.,1.,0.\n"    /* axis along x, angle from y */
                 "CORD1R,3,21,22,23,4,22,21,23\n"
                 "CORD2S,5,,0.,0.,0.,0.,0.,1.\n+,1.,0.,0.\n"
                 "GRID    1       0       1.5     -2.5+1  .25D-1\n"
                 "GRID,2,0,1.5E2,-.5e-2,7\n"
                 "GRID*                  3               0           1.0-3        1234567\n*       1.23456789012345\n"
                 "GRID\t4\t0\t1.\t2.\t3.\n"
                 "GRID,5,,1.,2.,3.\n"
                 "GRID,6,2,2.,90.,3.\n"
                 "GRID,7,3,1.,2.,3.\nGRID,8,4,1.,2.,3.\nGRID,9,5,2.,90.,90.\n"
                 "GRID,21,0,5.,0.,0.\nGRID,22,0,5.,1.,0.\nGRID,23,0,6.,0.,0.\n"
                 "CTRIA3,1,1,1,2,3\n");
  static const double x[9][3] = {{1.5, -25, 0.025}, {150, -0.005, 7}, {0.001, 1234567, 1.23456789012345},
                                 {1, 2, 3},         {11, 2, 3},       {13, 0, 2},
                                 {6, 3, -2},        {6, -2, 2},       {0, 2, 0}};
  Mesh *mesh = read_bulk();
  for (int i = 0; i < 9; ++i)
    for (int d = 0; d < 3; ++d) assert_near(mesh->x[i][d], x[i][d], 1e-14);
  mesh_destroy(&mesh);
}

#define NODES "GRID,1\nGRID,2,,1.\nGRID,3,,1.,1.\nGRID,4,,0.,1.\nGRID,5,,2.\nGRID,6,,2.,1.\n"
#define QUADS "CQUAD4,11,3,1,2,3,4\nCQUAD4,12,4,2,5,6,3\n"

static void sets_and_names(void **state) {
  (void)state;
  put_text("nastran_more.bdf", "PCOMP,4,,\nGRID,7,,3.\nGRID,8,,3.,1.\nCQUAD4,13,4,5,7,8,6\nFORCE,1,2\nFORCE,1,3\n");
  put_text(PATH, NODES QUADS
           "include 'nastran_more.bdf'\n$ Femap Property 3 : steel, thick  \nPSHELL,3,1\nMAT1,1,2.+5\n"
           "SET1,1,1,THRU,3\nSET1,2,12,13\nSET3,5,GRID,1,4\nSET3,6,ELEM,11,THRU,99\n"
           "SET1,7,1,2,3,4,5,6,7\n,8\n$HMSET        7        1 \"all nodes\" 18\n$HMSET 8 2 \"last\"\nSET1,8,13\n"
           "SET3,9,PROP,3\n");
  status_warnings_clear();
  Mesh *mesh = read_bulk();
  static const struct {
    const char *name;
    int dim, n, first;
  } groups[] = {{"steel, thick", 2, 1, 11}, {"PCOMP-4", 2, 2, 12}, {"SET1-1", 0, 3, 1},    {"SET1-2", 2, 2, 12},
                {"SET3-5", 0, 2, 1},        {"SET3-6", 2, 3, 11},  {"all nodes", 0, 8, 1}, {"last", 2, 1, 13}};
  assert_int_equal(mesh->n_group, sizeof groups / sizeof *groups);
  for (size_t k = 0; k < sizeof groups / sizeof *groups; ++k) {
    const Group *group = mesh_group(mesh, groups[k].name);
    assert_true(group && group->dim == groups[k].dim && group->n == groups[k].n);
    const ElementBlock *block = mesh_block_of(mesh, group->element[0]);
    assert_int_equal(block->tag[group->element[0] - block->first], groups[k].first);
  }
  assert_int_equal(status_warning_count(), 1);
  assert_string_equal(status_warning(0), "nastran_test.bdf: only the mesh is read; ignored: 1 MAT1, 2 FORCE");
  status_warnings_clear();
  mesh_destroy(&mesh);
}

static const struct {
  const char *text, *part;
} wrong[] = {
    {"GRID,1\n", "nastran_test.bdf: holds no elements that Sinew reads: CTETRA"},
    {"CBAR,1,1,1,2\n", "nastran_test.bdf: holds no nodes (GRID)"},
    {NODES "CQUAD4,1,1,1,2,3,9\n", "nastran_test.bdf:7: element 1: node 9 does not exist (no GRID)"},
    {NODES "CQUAD4,1,1,1,2,3\n", "nastran_test.bdf:7: CQUAD4: element 1 has 3 nodes, must have 4"},
    {NODES "CTRIA6,1,1,1,2,3,4\n", "element 1 has 4 nodes, must have 3 or 6: all mid-edge nodes"},
    {NODES "CQUAD4,x,1,1,2,3,4\n", "CQUAD4: 'x' where the number of an element was expected"},
    {NODES "CQUAD4,1,1,1,2,3,-4\n", "element 1: node number -4, must be 1 or more"},
    {NODES "CQUAD4,0,1,1,2,3,4\n", "element number 0 of property 1, must be 1 or more"},
    {NODES QUADS QUADS, "2 element numbers are given twice, the first is 11"},
    {NODES NODES QUADS, "nastran_test.bdf:7: GRID: 6 node numbers are given twice, the first is 1"},
    {"GRID,9999999999\n" QUADS, "GRID: '9999999999' where the number of a node was expected"},
    {"GRID,1,,1.0.0\n" QUADS, "GRID: '1.0.0' where a coordinate was expected"},
    {"GRID,1,,nan\n" QUADS, "GRID: 'nan' where a coordinate was expected"},
    {"GRID,1,,1.+999\n" QUADS, "GRID: '1.+999' where a coordinate was expected"},
    {"GRID,1,7\n" QUADS, "nastran_test.bdf:1: GRID: coordinate system 7 does not exist"},
    {"CORD2R,7,8\nCORD2R,8,7\nGRID,1,7\n" QUADS, "coordinate system 7 is defined through itself"},
    {"CORD1R,7,1,2,3\nGRID,1,7\n" QUADS, "coordinate system 7 is defined through itself"},
    {"CORD2R,7,0,0.,0.,0.,1.,0.,0.\n,2.\nGRID,1,7\n" QUADS, "three points of coordinate system 7 lie on a line"},
    {"CORD2R,7\nCORD2R,7\n" NODES QUADS, "CORD2R: coordinate system 7 is given twice"},
    {"CORD2R,-7\n" NODES QUADS, "CORD2R: number -7, must be 1 or more"},
    {NODES QUADS "SET1,1,1,99\n", "SET1: set 1: number 1 is not an element, nor are all its numbers nodes"},
    {NODES QUADS "SET3,1,GRID,99\n", "SET3: set 1: number 99 is not a node"},
    {NODES QUADS "SET1,1,THRU,9\n", "SET1: no number before THRU"},
    {NODES QUADS "SET1,1,1,THRU\n", "SET1: no number after THRU"},
    {NODES QUADS "SET1,1,5,THRU,1\n", "SET1: '1' is not a number of a set there"},
    {NODES QUADS "INCLUDE 'none.bdf'\n", "nastran_test.bdf:9: INCLUDE: cannot find 'none.bdf'"},
    {NODES QUADS "INCLUDE 'nastran_test.bdf'\n", "has been read already: it includes itself, or is included twice"},
    {NODES QUADS "INCLUDE\n", "INCLUDE: names no file"},
};

static void wrong_cards(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    Mesh *mesh = NULL;
    put_text(PATH, wrong[k].text);
    assert_fails(mesh_read_nastran(PATH, &mesh), ERR_MESH, wrong[k].part);
    assert_null(mesh);
  }
  status_warnings_clear();
}

/* The first wrong card of many is told, by its line. */
static void first_of_many(void **state) {
  (void)state;
  const int before = omp_get_max_threads();
  FILE *file = fopen(PATH, "w");
  assert_non_null(file);
  for (int i = 1; i <= 60000; ++i)
    fprintf(file, i % 20000 ? "GRID    %8d        %8.1f%8.1f%8.1f\n" : "GRID,%d,,%f,%f,%f,x,y\n", i, i * 0.1, i * 0.2,
            0.0);
  fprintf(file, "CTRIA3,1,1,1,2,3\n");
  assert_int_equal(fclose(file), 0);
  for (int t = 1; t < 6; ++t) {
    omp_set_num_threads(t);
    Mesh *mesh = read_bulk();
    assert_near(mesh->x[59999][1], 12000, 1e-12);
    mesh_destroy(&mesh);
  }
  file = fopen(PATH, "a");
  for (int i = 0; i < 30000; ++i) fprintf(file, "CTRIA3,%d,1,1,%d,%d\n", i + 2, i + 2, i % 9999 == 7 ? 99999 : i + 3);
  for (int i = 0; i < 9; ++i) fprintf(file, "CTRIA3,70000,1,1,2\n");
  assert_int_equal(fclose(file), 0);
  for (int t = 1; t < 6; ++t) {
    Mesh *mesh = NULL;
    omp_set_num_threads(t);
    assert_fails(mesh_read_nastran(PATH, &mesh), ERR_MESH, "nastran_test.bdf:90002: CTRIA3: element 70000 has 2 nodes");
  }
  omp_set_num_threads(before);
}

static Status read_once(void *context) {
  (void)context;
  Mesh *mesh = NULL;
  TRY(mesh_read_nastran(PATH, &mesh));
  mesh_destroy(&mesh);
  return OK;
}

static void every_allocation_fails_once(void **state) {
  (void)state;
  put_text(PATH, NODES QUADS "CORD2R,9,0,1.,0.,0.,1.,0.,1.\n,2.,0.,0.\nGRID,70,9,1.\n$HMNAME PROP 3\"a\"\nPSHELL,4\n"
                             "SET1,1,1,2\nSET3,2,ELEM,11\nINCLUDE 'nastran_more.bdf'\n");
  put_text("nastran_more.bdf", "GRID,71\n");
  Exec *exec = testing_exec();
  assert_true(testing_fail_each(exec, read_once, NULL) > 40);
  exec_destroy(&exec);
  unlink("nastran_more.bdf");
  unlink(PATH);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_element),
      cmocka_unit_test(any_number_of_threads),
      cmocka_unit_test(coordinates),
      cmocka_unit_test(sets_and_names),
      cmocka_unit_test(wrong_cards),
      cmocka_unit_test(first_of_many),
      cmocka_unit_test(every_allocation_fails_once),
  };
  return cmocka_run_group_tests_name("nastran", tests, NULL, NULL);
}
