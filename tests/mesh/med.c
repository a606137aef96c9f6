/* MED files: families of overlapping groups, volumes either way round, points, and files with one thing wrong. */
#include "core/memory.h"
#include "mesh/io/med.h"
#include "mesh/io/write.h"
#include "tests/mesh/derived_mesh.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const PATH = "med_test.med";
#define STEP "/ENS_MAA/med_test/-0000000000000000001-0000000000000000001"

static Status read_med(Mesh **out) { return mesh_read(&(MeshParams){.path = PATH}, out); }

/* A box with drawn groups: of volumes and faces that overlap, one of them in three dimensions, and of nodes. */
static Mesh *drawn_mesh(unsigned seed) {
  Mesh *mesh = testing_box(ELEMENT_HEX8, 3, 0.1);
  srand(seed);
  for (int g = 0; g < 6; ++g) {
    char name[32];
    snprintf(name, sizeof name, "drawn %d", g / 2); /* two dimensions of each */
    int32_t list[400], n = 0;
    const int dim = g % 2 ? 3 : 2;
    for (int32_t e = 0; e < mesh->n_element && n < 400; ++e)
      if (element_type(mesh_block_of(mesh, e)->kind)->dim == dim && rand() % 3 == 0) list[n++] = e;
    testing_add_group(mesh, name, dim, n, list);
  }
  return mesh;
}

static void same_groups(const Mesh *a, const Mesh *b) {
  for (int32_t g = 0; g < a->n_group; ++g) {
    const Group *from = &a->group[g], *to = mesh_group_dim(b, from->name, from->dim);
    assert_non_null(to);
    assert_int_equal(to->n, from->n);
    for (int32_t i = 0; i < from->n; ++i)
      assert_memory_equal(mesh_nodes_of(a, from->element[i]), mesh_nodes_of(b, to->element[i]),
                          sizeof(int32_t) * (size_t)element_type(mesh_block_of(a, from->element[i])->kind)->n_node);
  }
  assert_int_equal(a->n_group, b->n_group);
}

static void overlapping_groups(void **state) {
  (void)state;
  for (unsigned seed = 1; seed < 6; ++seed) {
    Mesh *mesh = drawn_mesh(seed), *read;
    assert_ok(mesh_write(mesh, PATH));
    assert_ok(read_med(&read));
    same_groups(mesh, read);
    mesh_destroy(&read);
    mesh_destroy(&mesh);
  }
}

/* The books of MED: what each node behind the vertices is the middle of (vertices from 1), and that the first face of a
 * volume looks outward. */
static void order_of_the_books(void **state) {
  (void)state;
  static const struct {
    const char *name, *middles;
  } books[] = {
      {"SE3", "12"},
      {"TR6", "12 23 31"},
      {"QU8", "12 23 34 41"},
      {"QU9", "12 23 34 41 1234"},
      {"TE4", ""},
      {"T10", "12 23 31 14 24 34"},
      {"HE8", ""},
      {"H20", "12 23 34 41 56 67 78 85 15 26 37 48"},
      {"H27", "12 23 34 41 56 67 78 85 15 26 37 48 1234 1265 2376 3487 4158 5678 12345678"},
      {"PE6", ""},
      {"P15", "12 23 31 45 56 64 14 25 36"},
      {"PY5", ""},
      {"P13", "12 23 34 41 15 25 35 45"},
  };
  for (size_t t = 0; t < sizeof books / sizeof *books; ++t) {
    const MedType *med = med_type_named(books[t].name);
    const ElementType *type = element_type(med->kind);
    double x[ELEMENT_MAX_NODES][3], middle[3] = {0}, away = 0;
    int32_t k = type->n_vertex;
    for (int32_t i = 0; i < type->n_node; ++i)
      memcpy(x[i], type->node[med->order ? med->order[i] - 'a' : i], sizeof *x);
    for (const char *p = books[t].middles; *p; ++k, p += *p == ' ') {
      double mean[3] = {0}, n = 0;
      for (; *p > ' '; ++p, ++n)
        for (int d = 0; d < 3; ++d) mean[d] += x[*p - '1'][d];
      for (int d = 0; d < 3; ++d) assert_near(x[k][d], mean[d] / n, 1e-12);
    }
    assert_int_equal(k, type->n_node);
    assert_int_equal(med->geometry, 100 * type->dim + type->n_node);
    if (type->dim < 3) continue;
    for (int32_t i = 0; i < type->n_vertex; ++i)
      for (int d = 0; d < 3; ++d) middle[d] += x[i][d] / type->n_vertex;
    for (int d = 0; d < 3; ++d) {
      const int a = (d + 1) % 3, b = (d + 2) % 3;
      away += ((x[1][a] - x[0][a]) * (x[2][b] - x[0][b]) - (x[1][b] - x[0][b]) * (x[2][a] - x[0][a])) *
              (x[0][d] - middle[d]);
    }
    assert_true(away > 0);
  }
}

static hid_t open_file(void) {
  const hid_t file = H5Fopen(PATH, H5F_ACC_RDWR, H5P_DEFAULT);
  assert_true(file >= 0);
  return file;
}

/* meshio writes the first face of volumes inward: node k of all elements is in row k. */
static void either_way_round(void **state) {
  (void)state;
  static const struct {
    ElementKind kind;
    const char *name;
  } kinds[] = {{ELEMENT_TET10, "T10"}, {ELEMENT_HEX27, "H27"}, {ELEMENT_WEDGE15, "P15"}};
  for (int k = 0; k < 3; ++k) {
    enum { MOST = 27 * 48 };
    static int32_t nod[MOST], other[MOST];
    Mesh *mesh = testing_box(kinds[k].kind, 2, 0.1), *read;
    const ElementBlock *block = &mesh->block[mesh->n_block - 1];
    const ElementType *type = element_type(kinds[k].kind);
    const int32_t n = block->n, n_node = type->n_node;
    assert_true(n * n_node <= MOST);
    assert_ok(mesh_write(mesh, PATH));
    const hid_t file = open_file();
    char path[200];
    snprintf(path, sizeof path, STEP "/MAI/%s/NOD", kinds[k].name);
    hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
    assert_true(H5Dread(set, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, nod) >= 0);
    for (int32_t e = 0; e < n; ++e) { /* the mirrored element, by the places of its nodes */
      for (int32_t a = 0; a < n_node; ++a) {
        int32_t to = -1, from = -1;
        for (int32_t b = 0; b < n_node; ++b) {
          const double *p = type->node[b], *q = type->node[a];
          if (fabs(p[0] - q[1]) + fabs(p[1] - q[0]) + fabs(p[2] - q[2]) < 1e-9) to = b;
        }
        for (int32_t i = 0; i < n_node; ++i)
          if (nod[i * n + e] == block->nodes[e * n_node + a] + 1) from = i;
        for (int32_t i = 0; i < n_node; ++i)
          if (nod[i * n + e] == block->nodes[e * n_node + to] + 1) other[i * n + e] = nod[from * n + e];
      }
    }
    assert_memory_not_equal(nod, other, sizeof(int32_t) * (size_t)(n * n_node));
    assert_true(H5Dwrite(set, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, other) >= 0);
    H5Dclose(set), H5Fclose(file);
    assert_ok(read_med(&read));
    assert_memory_equal(read->block[read->n_block - 1].nodes, block->nodes, sizeof(int32_t) * (size_t)(n * n_node));
    mesh_destroy(&read);
    mesh_destroy(&mesh);
  }
}

static void replace_int(hid_t file, const char *object, const char *name, int value) {
  hid_t at = H5Oopen(file, object, H5P_DEFAULT), space = H5Screate(H5S_SCALAR);
  H5Adelete(at, name);
  hid_t a = H5Acreate2(at, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT);
  assert_true(H5Awrite(a, H5T_NATIVE_INT, &value) >= 0);
  H5Aclose(a), H5Sclose(space), H5Oclose(at);
}

static void put_numbers(hid_t file, const char *name, hid_t type, hsize_t n, const void *value) {
  H5Ldelete(file, name, H5P_DEFAULT);
  hid_t space = H5Screate_simple(1, &n, NULL),
        set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  assert_true(set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0);
  H5Sclose(space), H5Dclose(set);
}

/* One edit per number; the message that it must give, NULL at the end. */
static const char *edit(hid_t f, int number) {
  static const int32_t zeros[8 * 2] = {0};
  static const double some[7] = {0}, bad[3 * 12] = {0, NAN};
  switch (number) {
  case 0: H5Ldelete(f, "INFOS_GENERALES", H5P_DEFAULT); return "is an HDF5 file, but not one of MED: it has no group";
  case 1: replace_int(f, "INFOS_GENERALES", "MAJ", 2); return "is of MED 2, and versions from 3 on are read";
  case 2: H5Ldelete(f, "ENS_MAA", H5P_DEFAULT); return "/ENS_MAA: the group is missing";
  case 3: H5Ldelete(f, "ENS_MAA/med_test", H5P_DEFAULT); return "holds 0 meshes, and files of one are read";
  case 4:
    H5Gclose(H5Gcreate2(f, "ENS_MAA/other", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    return "holds 2 meshes: 'med_test', 'other'";
  case 5: replace_int(f, "ENS_MAA/med_test", "TYP", 1); return "/ENS_MAA/med_test: is a grid of MED";
  case 6: replace_int(f, "ENS_MAA/med_test", "REP", 1); return "has cylindrical or spherical coordinates";
  case 7: replace_int(f, "ENS_MAA/med_test", "ESP", 4); return "attribute 'ESP' must be 1 to 3";
  case 8: H5Ldelete(f, STEP, H5P_DEFAULT); return "/ENS_MAA/med_test: holds no step";
  case 9: H5Ldelete(f, STEP "/NOE", H5P_DEFAULT); return "1/NOE: the group is missing";
  case 10: H5Ldelete(f, STEP "/NOE/COO", H5P_DEFAULT); return "/NOE/COO: is missing";
  case 11: put_numbers(f, STEP "/NOE/COO", H5T_NATIVE_DOUBLE, 7, some); return "NOE/COO must have as many coordinates";
  case 12: put_numbers(f, STEP "/NOE/COO", H5T_NATIVE_DOUBLE, 36, bad); return "node 2 (from 1) at nan";
  case 13: H5Ldelete(f, STEP "/MAI", H5P_DEFAULT); return "/MAI: the group is missing";
  case 14:
    H5Lmove(f, STEP "/MAI/HE8", f, STEP "/MAI/P18", H5P_DEFAULT, H5P_DEFAULT);
    return "/MAI/P18: Sinew has no element for this type of MED";
  case 15: H5Ldelete(f, STEP "/MAI/HE8/NOD", H5P_DEFAULT); return "/MAI/HE8/NOD: is missing";
  case 16: put_numbers(f, STEP "/MAI/HE8/NOD", H5T_NATIVE_INT32, 15, zeros); return "does not hold as many nodes";
  case 17:
    put_numbers(f, STEP "/MAI/HE8/NOD", H5T_NATIVE_INT32, 16, zeros);
    return "element 1 (from 1) has a node twice";
  case 18: put_numbers(f, STEP "/MAI/HE8/FAM", H5T_NATIVE_INT32, 3, zeros); return "/HE8/FAM: has extents [3][0], must";
  case 19:
    H5Ldelete(f, STEP "/MAI/HE8", H5P_DEFAULT);
    H5Ldelete(f, STEP "/MAI/QU4", H5P_DEFAULT);
    return "/MAI: holds no elements";
  case 20:
    put_numbers(f, "FAS/med_test/ELEME/FAM_-1/GRO/NOM", H5T_NATIVE_INT32, 3, zeros);
    return "FAM_-1: GRO/NOM must be a list of names";
  case 21: {
    hid_t at = H5Oopen(f, "FAS/med_test/ELEME/FAM_-1", H5P_DEFAULT);
    H5Adelete(at, "NUM"), H5Oclose(at);
    return "FAM_-1: attribute 'NUM' is missing";
  }
  case 22:
    put_numbers(f, "CHA/heat/-0000000000000000001-0000000000000000001/NOE/MED_NO_PROFILE_INTERNAL/CO",
                H5T_NATIVE_DOUBLE, 7, some);
    return "must be [12][0]";
  default: return NULL;
  }
}

static void put_test_file(void) {
  const BoxParams params = {.kind = ELEMENT_HEX8, .n = {2, 1, 1}, .size = {1, 1, 1}};
  Mesh *mesh = NULL;
  assert_ok(mesh_box(&params, &mesh));
  const MeshField *field = testing_add_field(mesh, "heat", true, 1);
  for (int32_t i = 0; i < mesh->n_node; ++i) field->value[i] = i;
  assert_ok(mesh_write(mesh, PATH));
  mesh_destroy(&mesh);
}

static void one_thing_wrong(void **state) {
  (void)state;
  for (int number = 0;; ++number) {
    Mesh *mesh;
    put_test_file();
    const hid_t file = open_file();
    const char *wanted = edit(file, number);
    H5Fclose(file);
    if (!wanted) break;
    assert_fails(read_med(&mesh), ERR_MESH, wanted);
    assert_null(mesh);
    assert_non_null(strstr(status_message(), PATH));
  }
}

/* Cut off anywhere, and each allocation failing once: a sentence, and no memory kept. */
static void cut_off_and_out_of_memory(void **state) {
  (void)state;
  Mesh *mesh;
  put_test_file();
  FILE *file = fopen(PATH, "r");
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  fclose(file);
  const size_t before = mem_in_use();
  Status status = ERR_MEMORY;
  for (int64_t nth = 1; status != OK; ++nth) {
    mem_fail_nth(nth);
    status = read_med(&mesh);
    mem_fail_nth(0);
    if (status != OK) assert_int_equal(status, ERR_MEMORY);
    mesh_destroy(&mesh);
    assert_int_equal(mem_in_use(), before);
  }
  for (long n = size - 1; n > 0; n -= n > size - 8 ? 1 : size / 17) {
    assert_int_equal(truncate(PATH, n), 0);
    status = read_med(&mesh);
    assert_true(status == OK || status_message()[0]);
    if (n < size - 64) assert_int_equal(status, ERR_MESH);
    mesh_destroy(&mesh);
  }
  assert_int_equal(mem_in_use(), before);
  status_clear();
}

/* A byte that is another one anywhere: a mesh or a sentence, and no memory kept. */
static void damage_is_a_sentence(void **state) {
  enum { MOST = 1 << 17, STRIDE = 151 };
  static unsigned char bytes[MOST];
  (void)state;
  signal(SIGSEGV, SIG_DFL), signal(SIGFPE, SIG_DFL),
      signal(SIGBUS, SIG_DFL); /* not cmocka's, in a child that HDF5 crashes */
  put_test_file();
  FILE *file = fopen(PATH, "r+");
  const size_t size = fread(bytes, 1, MOST, file), before = mem_in_use();
  assert_true(size > 1000 && size < MOST);
  for (size_t at = 0; at < size; at += STRIDE) {
    Mesh *mesh;
    fseek(file, (long)at, SEEK_SET);
    fputc(bytes[at] ^ 0x5a, file);
    fflush(file);
    const pid_t child = fork(); /* what HDF5 keeps of a damaged file is gone with it */
    if (child == 0) {
      const Status status = read_med(&mesh);
      const bool good = status == OK || (status_message()[0] && !mesh);
      mesh_destroy(&mesh);
      _exit(good && mem_in_use() == before ? 0 : 1);
    }
    int how = 0;
    assert_true(child > 0 && waitpid(child, &how, 0) == child);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    fseek(file, (long)at, SEEK_SET);
    fputc(bytes[at], file);
  }
  fclose(file);
  status_clear();
  status_warnings_clear();
}

static void what_med_has_not(void **state) {
  (void)state;
  Mesh *mesh = testing_box(ELEMENT_TET20, 1, 0);
  assert_fails(mesh_write(mesh, PATH), ERR_MESH, "MED has no element like tri10");
  mesh_destroy(&mesh);
  mesh = testing_box(ELEMENT_HEX8, 1, 0);
  char *name = mesh->group[0].name;
  char lengthy[] = "a name of more than eighty letters, which is what a group may have in MED and not one more";
  mesh->group[0].name = lengthy;
  assert_fails(mesh_write(mesh, PATH), ERR_MESH, "and MED takes 80");
  mesh->group[0].name = name;
  mesh_destroy(&mesh);
}

static int clean(void **state) {
  (void)state;
  remove(PATH);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(overlapping_groups),        cmocka_unit_test(order_of_the_books),
      cmocka_unit_test(either_way_round),          cmocka_unit_test(one_thing_wrong),
      cmocka_unit_test(cut_off_and_out_of_memory), cmocka_unit_test(damage_is_a_sentence),
      cmocka_unit_test(what_med_has_not)};
  return cmocka_run_group_tests(tests, NULL, clean);
}
