/* Decks: the same mesh for any number of threads, whatever the length of lines; elements, faces and sets of every kind
 * where they belong. */
#include "core/memory.h"
#include "mesh/check/check.h"
#include "mesh/io/inp.h"
#include "tests/mesh/derived_mesh.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const PATH = "inp_test.inp";

static void put_deck(const char *text) {
  FILE *file = fopen(PATH, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

/* Nodes and elements of a mesh as a deck: the deck's order of an element's nodes, `width` numbers in a line. */
static void write_deck(const Mesh *mesh, const InpType *type, int width) {
  FILE *file = fopen(PATH, "w");
  assert_non_null(file);
  const ElementBlock *block = &mesh->block[mesh->n_block - 1];
  const int n = element_type(block->kind)->n_node;
  fprintf(file, "*NODE,\nNSET=ALL\n");
  for (int32_t i = 0; i < mesh->n_node; ++i)
    fprintf(file, "%d, %.17g,%.17g , %.17g\n", 3 * i + 7, mesh->x[i][0], mesh->x[i][1], mesh->x[i][2]);
  fprintf(file, "*ELEMENT, TYPE=%s, ELSET=BODY\n", type->name);
  for (int32_t e = 0; e < block->n; ++e) {
    int64_t number[28] = {2 * e + 5};
    for (int a = 0; a < n; ++a)
      number[1 + (type->order ? type->order[a] - 'a' : a)] = 3 * block->nodes[(int64_t)e * n + a] + 7;
    for (int k = 0; k <= n; ++k)
      fprintf(file, "%lld%s", (long long)number[k], k == n ? "\n" : (k + 1) % width ? ", " : ",\n");
    if (e % 1000 == 1) fprintf(file, "** %d, 2, 3\n\n", e);
  }
  assert_int_equal(fclose(file), 0);
}

static Mesh *read_deck(void) {
  Mesh *mesh = NULL;
  assert_ok(mesh_read_inp(PATH, &mesh));
  return mesh;
}

static void every_element(void **state) {
  (void)state;
  static const char *const names[] = {"C3D4", "C3D10", "C3D8", "C3D20", "C3D20R", "C3D6",  "C3D15", "CPS3",
                                      "CPS4", "CPS6",  "CPE8", "CPS8R", "DC3D20", "DC2D3", "CAX8R"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const InpType *type = inp_type(names[i]);
    assert_non_null(type);
    Mesh *mesh = testing_box(type->kind, 2, 0.2);
    write_deck(mesh, type, 6);
    Mesh *read = read_deck();
    const ElementBlock *a = &mesh->block[mesh->n_block - 1], *b = &read->block[read->n_block - 1];
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->n, b->n);
    assert_memory_equal(a->nodes, b->nodes, (size_t)(a->n * element_type(a->kind)->n_node) * sizeof *a->nodes);
    assert_memory_equal(mesh->x, read->x, (size_t)mesh->n_node * sizeof *mesh->x);
    assert_int_equal(b->tag[1], 7);
    assert_int_equal(mesh_group_dim(read, "BODY", mesh->dim)->n, a->n);
    assert_int_equal(mesh_group_dim(read, "ALL", 0)->n, mesh->n_node);
    mesh_destroy(&mesh);
    mesh_destroy(&read);
  }
}

static void any_number_of_threads(void **state) {
  (void)state;
  const int before = omp_get_max_threads();
  static const int threads[] = {1, 2, 3, 5};
  Mesh *mesh = testing_box(ELEMENT_HEX20, 14, 0.2);
  uint64_t hash = 0;
  for (int width = 8; width < 24; width += 9) {
    write_deck(mesh, inp_type("C3D20"), width);
    for (int t = 0; t < 4; ++t) {
      omp_set_num_threads(threads[t]);
      Mesh *read = read_deck();
      if (!hash) hash = mesh_hash(read);
      assert_true(mesh_hash(read) == hash);
      mesh_destroy(&read);
    }
  }
  omp_set_num_threads(before);
  mesh_destroy(&mesh);
}

/* The first wrong line is told, for any number of threads. */
static void first_of_many(void **state) {
  (void)state;
  const int before = omp_get_max_threads();
  char place[64];
  Mesh *mesh = testing_box(ELEMENT_HEX8, 40, 0.2);
  write_deck(mesh, inp_type("C3D8"), 9);
  FILE *file = fopen(PATH, "r");
  int line = 1;
  for (int c = fgetc(file); c != EOF; c = fgetc(file)) line += c == '\n';
  fclose(file);
  file = fopen(PATH, "a");
  fprintf(file, "900001, 1, 2, 3, 4, 5, 6, 7, 8\n900002, 1, 2, 3, 4, 5, 6, 7, 8\n");
  assert_int_equal(fclose(file), 0);
  for (int t = 1; t < 6; ++t) {
    Mesh *read = NULL;
    omp_set_num_threads(t);
    assert_fails(mesh_read_inp(PATH, &read), ERR_MESH, "*ELEMENT: node 1 does not exist");
    snprintf(place, sizeof place, "inp_test.inp:%d:", line);
    assert_fails(mesh_read_inp(PATH, &read), ERR_MESH, place);
    assert_null(read);
  }
  omp_set_num_threads(before);
  mesh_destroy(&mesh);
}

static const char *const SQUARES = "*NODE\n1,0,0\n2,1,0\n3,1,1\n4,0,1\n5,2,0\n6,2,1\n"
                                   "*ELEMENT,TYPE=CPS4\n1,1,2,3,4\n2,2,5,6,3\n";

/* Lines of a set that are numbers only, and others between them. */
static void lines_of_sets(void **state) {
  (void)state;
  static const struct {
    const char *text, *wrong;
  } sets[] = {
      {"1,2,\n\n** 4\n 3 , 4\nEND\n\t5,,1\r\n", NULL},
      {"1,2\n3,4,9,1\n", "inp_test.inp:15: *NSET: node 9 does not exist"},
      {"1,2\n3 4\n", "there is no node set '3 4'"},
      {"1\n4294967297\n", "node 4294967297 does not exist"},
      {"5\n1.5\n", "there is no node set '1.5'"},
  };
  char text[1000];
  for (size_t i = 0; i < sizeof sets / sizeof *sets; ++i) {
    Mesh *mesh = NULL;
    snprintf(text, sizeof text, "%s*NSET,NSET=END\n6\n*NSET,NSET=S\n%s", SQUARES, sets[i].text);
    put_deck(text);
    if (sets[i].wrong) {
      assert_fails(mesh_read_inp(PATH, &mesh), ERR_MESH, sets[i].wrong);
      continue;
    }
    mesh = read_deck();
    assert_int_equal(mesh_group(mesh, "S")->n, 6);
    mesh_destroy(&mesh);
  }
}

/* A byte of zero is no end of anything. */
static void bytes_of_zero(void **state) {
  (void)state;
  static const char inside[] = "3,1\0002,2\0003,3,4\n";
  Mesh *mesh = NULL;
  put_deck(SQUARES);
  FILE *file = fopen(PATH, "ab");
  assert_int_equal(fwrite(inside, 1, sizeof inside - 1, file), sizeof inside - 1);
  assert_int_equal(fclose(file), 0);
  assert_fails(mesh_read_inp(PATH, &mesh), ERR_MESH, "");
}

/* A cube: face S1 to S6 look at z = 0, z = 1, y = 0, x = 1, y = 1, x = 0. */
static void faces(void **state) {
  (void)state;
  static const double outward[6][3] = {{0, 0, -1}, {0, 0, 1}, {0, -1, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}};
  char text[1000];
  for (int f = 0; f < 6; ++f) {
    snprintf(text, sizeof text,
             "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n*ELEMENT,TYPE=C3D8\n"
             "1,1,2,3,4,5,6,7,8\n*SURFACE,NAME=side,TYPE=ELEMENT\n1,S%d\n",
             f + 1);
    put_deck(text);
    Mesh *mesh = read_deck();
    const int32_t *nodes = mesh_nodes_of(mesh, mesh_group(mesh, "side")->element[0]);
    double u[3], v[3];
    for (int k = 0; k < 3; ++k) {
      u[k] = mesh->x[nodes[1]][k] - mesh->x[nodes[0]][k];
      v[k] = mesh->x[nodes[2]][k] - mesh->x[nodes[0]][k];
    }
    for (int k = 0; k < 3; ++k)
      assert_near(u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3], outward[f][k], 1e-15);
    mesh_destroy(&mesh);
  }
}

static Status read_once(void *context) {
  (void)context;
  Mesh *mesh = NULL;
  TRY(mesh_read_inp(PATH, &mesh));
  mesh_destroy(&mesh);
  return OK;
}

/* A bar of two squares, once as it is and once turned by 90 degrees on top of it; the same flat. */
static const char *const PARTS =
    "*PART,NAME=P\n*NODE,NSET=N\n1,0,0\n2,1,0\n3,1,1\n4,0,1\n5,2,0\n6,2,1\n"
    "*ELEMENT,TYPE=CPS4,ELSET=E\n1,1,2,3,4\n2,2,5,6,3\n*NSET,NSET=M\nN\n*NSET,NSET=G,GENERATE\n1,5,2\n"
    "*ELSET,ELSET=F\n2\n*SURFACE,NAME=S\nF,S1\n1,S3\n*SURFACE,NAME=T,TYPE=NODE\nG\n6\n*END PART\n"
    "*ASSEMBLY,NAME=Q\n*INSTANCE,NAME=A,PART=p\n*END INSTANCE\n*INSTANCE,NAME=B,PART=P\n0,1\n0,1,0,0,1,1,90\n"
    "*END INSTANCE\n*NODE\n3,5,5\n*NSET,NSET=X,INSTANCE=B\n1,G\n*NSET,NSET=Y\nA.1,B.M,3\n*ELSET,ELSET=Z\nA.1,B.F\n"
    "*SURFACE,NAME=U\nB.F,S2\nA.2,S1\n*END ASSEMBLY\n";
static const char *const FLAT =
    "*NODE,NSET=A.N\n1,0,0\n2,1,0\n3,1,1\n4,0,1\n5,2,0\n6,2,1\n"
    "*NODE,NSET=B.N\n11,0,1\n12,0,2\n13,-1,2\n14,-1,1\n15,0,3\n16,-1,3\n*NODE\n23,5,5\n"
    "*ELEMENT,TYPE=CPS4,ELSET=A.E\n1,1,2,3,4\n2,2,5,6,3\n*ELEMENT,TYPE=CPS4,ELSET=B.E\n11,11,12,13,14\n12,12,15,16,13\n"
    "*NSET,NSET=A.M\nA.N\n*NSET,NSET=B.M\nB.N\n*NSET,NSET=A.G\n1,3,5\n*NSET,NSET=B.G\n11,13,15\n"
    "*ELSET,ELSET=A.F\n2\n*ELSET,ELSET=B.F\n12\n*SURFACE,NAME=A.S\n2,S1\n1,S3\n*SURFACE,NAME=B.S\n12,S1\n11,S3\n"
    "*SURFACE,NAME=A.T,TYPE=NODE\n1\n3\n5\n6\n*SURFACE,NAME=B.T,TYPE=NODE\n11\n13\n15\n16\n"
    "*NSET,NSET=X\n11,13,15\n*NSET,NSET=Y\n1,11,12,13,14,15,16,23\n*ELSET,ELSET=Z\n1,12\n*SURFACE,NAME=U\n12,S2\n2,"
    "S1\n";

static void instances_are_flat(void **state) {
  (void)state;
  put_deck(FLAT);
  Mesh *flat = read_deck();
  put_deck(PARTS);
  Mesh *mesh = read_deck();
  assert_int_equal(mesh->n_node, flat->n_node);
  assert_memory_equal(mesh->node_tag, flat->node_tag, (size_t)flat->n_node * sizeof *flat->node_tag);
  for (int32_t i = 0; i < flat->n_node; ++i)
    for (int k = 0; k < 3; ++k) assert_within(mesh->x[i][k], flat->x[i][k], 1e-14);
  assert_int_equal(mesh->n_block, flat->n_block);
  for (int32_t b = 0; b < flat->n_block; ++b) {
    const ElementBlock *x = &mesh->block[b], *y = &flat->block[b];
    assert_int_equal(x->n, y->n);
    assert_memory_equal(x->tag, y->tag, (size_t)y->n * sizeof *y->tag);
    assert_memory_equal(x->nodes, y->nodes, (size_t)y->n * (size_t)element_type(y->kind)->n_node * sizeof *y->nodes);
  }
  assert_int_equal(mesh->n_group, flat->n_group);
  for (int32_t g = 0; g < flat->n_group; ++g) {
    const Group *y = &flat->group[g], *x = mesh_group_dim(mesh, y->name, y->dim);
    assert_non_null(x);
    assert_int_equal(x->n, y->n);
    assert_memory_equal(x->element, y->element, (size_t)y->n * sizeof *y->element);
  }
  mesh_destroy(&mesh);
  mesh_destroy(&flat);
  unlink(PATH);
}

static void every_allocation_fails_once(void **state) {
  (void)state;
  put_deck("*NODE,NSET=N\n1,0,0\n2,1,0\n3,1,1\n4,0,1\n*ELEMENT,TYPE=CPS4,ELSET=E\n1,1,2,3,4\n*NSET,NSET=M\nN,1\n"
           "*ELSET,ELSET=F,GENERATE\n1,9,2\n*SURFACE,NAME=S\nE,S1\n1,S2\n*SURFACE,NAME=T,TYPE=NODE\nM,2\n");
  Exec *exec = testing_exec();
  assert_true(testing_fail_each(exec, read_once, NULL) > 20);
  put_deck(PARTS);
  assert_true(testing_fail_each(exec, read_once, NULL) > 100);
  exec_destroy(&exec);
  unlink(PATH);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_element),
      cmocka_unit_test(any_number_of_threads),
      cmocka_unit_test(first_of_many),
      cmocka_unit_test(faces),
      cmocka_unit_test(lines_of_sets),
      cmocka_unit_test(bytes_of_zero),
      cmocka_unit_test(every_allocation_fails_once),
      cmocka_unit_test(instances_are_flat),
  };
  return cmocka_run_group_tests_name("inp", tests, NULL, NULL);
}
