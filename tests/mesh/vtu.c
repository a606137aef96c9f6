/* VTK's XML files: the same mesh from every encoding and for any number of threads; cells of every kind where they
 * belong; damaged files in one line. */
#include "core/memory.h"
#include "mesh/check/check.h"
#include "tests/mesh/vtu_writer.h"

#include <omp.h>
#include <unistd.h>

static const char *const PATH = "vtu_test.vtu";

static const VtuWriter plain = {.way = WAY_ASCII, .head = 4};

static Mesh *read_vtu(void) {
  Mesh *mesh = NULL;
  assert_ok(mesh_read_vtu(PATH, &mesh));
  return mesh;
}

/* Against the last block of the mesh that was written. */
static void assert_same(const Mesh *wanted, const Mesh *read) {
  const ElementBlock *from = &wanted->block[wanted->n_block - 1], *to = &read->block[read->n_block - 1];
  assert_int_equal(read->n_node, wanted->n_node);
  assert_memory_equal(read->x, wanted->x, sizeof *read->x * (size_t)read->n_node);
  assert_int_equal(to->kind, from->kind);
  assert_int_equal(to->n, from->n);
  assert_memory_equal(to->nodes, from->nodes, sizeof *to->nodes * (size_t)(to->n * element_type(to->kind)->n_node));
  for (int i = 0; i < to->n; ++i) assert_int_equal(to->tag[i], i + 1);
}

static void assert_data(const Mesh *mesh) {
  const ElementBlock *block = &mesh->block[mesh->n_block - 1];
  const MeshField *warmth = mesh_field(mesh, "warmth", true), *share = mesh_field(mesh, "share & <more>", false),
                  *stress = mesh_field(mesh, "stress", true);
  assert_true(warmth && share && stress && mesh->n_field == 3);
  for (int i = 0; i < mesh->n_node; ++i) {
    assert_near(warmth->value[i], 100 * mesh->x[i][0], 1e-15);
    static const int place[9] = {0, 3, 5, 3, 1, 4, 5, 4, 2};
    for (int c = 0; c < 9; ++c) assert_near(stress->value[9 * i + c], 6 * i + place[c], 0);
  }
  for (int i = 0; i < block->n; ++i) assert_near(share->value[block->first + i], i / 4.0, 0);
  for (int part = -1; part < 2; ++part) {
    char name[20];
    snprintf(name, sizeof name, "part-%d", part);
    const Group *group = mesh_group(mesh, name);
    assert_non_null(group);
    assert_int_equal(group->dim, mesh->dim);
    for (int i = 0; i < group->n; ++i) assert_int_equal(group->element[i], block->first + 3 * i + part + 1);
  }
  const Group *end = mesh_group(mesh, "end-1");
  assert_true(end && end->dim == 0 && !mesh_group(mesh, "end-0"));
  for (int i = 0; i < end->n; ++i) assert_near(mesh->x[*mesh_nodes_of(mesh, end->element[i])][0], 0, 0);
}

static void every_encoding(void **state) {
  (void)state;
  Mesh *mesh = testing_box(ELEMENT_HEX8, 9, 0.1);
  uint64_t hash = 0;
  for (int way = 0; way < N_VTU_WAYS; ++way)
    for (int k = 0; k < 16; ++k) {
      const VtuWriter w = {.way = (VtuWay)way, .head = k & 1 ? 8 : 4, .zlib = k & 2, .swap = k & 4, .apart = k & 8};
      vtu_write(w, mesh, 0, PATH);
      Mesh *read = read_vtu();
      assert_same(mesh, read);
      assert_data(read);
      if (way == 0 && k == 0) hash = mesh_hash(read);
      assert_true(mesh_hash(read) == hash);
      mesh_destroy(&read);
    }
  mesh_destroy(&mesh);
}

static void every_kind(void **state) {
  (void)state;
  FOR_SOLVED_TYPES(type) {
    if (type->kind == ELEMENT_QUAD8R || type->kind == ELEMENT_HEX20R) continue; /* quad8 and hex20 to VTK */
    Mesh *mesh = testing_box(type->kind, 2, 0.1);
    vtu_write(plain, mesh, 0, PATH);
    Mesh *read = read_vtu();
    assert_same(mesh, read);
    assert_ok(mesh_check(read));
    mesh_destroy(&read);
    mesh_destroy(&mesh);
  }
  static const struct {
    ElementKind kind;
    int type;
  } also[] = {{ELEMENT_QUAD4, 8},  {ELEMENT_HEX8, 11},  {ELEMENT_TRI6, 69},   {ELEMENT_QUAD9, 70},
              {ELEMENT_TET10, 71}, {ELEMENT_HEX27, 72}, {ELEMENT_WEDGE6, 73}, {ELEMENT_PYRAMID5, 74}};
  for (size_t k = 0; k < sizeof also / sizeof *also; ++k) {
    Mesh *mesh = testing_box(also[k].kind, 2, 0);
    vtu_write(plain, mesh, also[k].type, PATH);
    Mesh *read = read_vtu();
    assert_same(mesh, read);
    mesh_destroy(&read);
    mesh_destroy(&mesh);
  }
}

static void any_number_of_threads(void **state) {
  (void)state;
  Mesh *mesh = testing_box(ELEMENT_TET4, 20, 0.2);
  const int before = omp_get_max_threads();
  for (int way = 0; way < 3; ++way) {
    uint64_t hash = 0;
    vtu_write((VtuWriter){.way = (VtuWay)way, .head = 8, .zlib = way != WAY_RAW}, mesh, 0, PATH);
    for (int t = 1; t <= 5; t += t > 2 ? 2 : 1) {
      omp_set_num_threads(t);
      Mesh *read = read_vtu();
      assert_same(mesh, read);
      assert_data(read);
      if (t == 1) hash = mesh_hash(read);
      assert_true(mesh_hash(read) == hash);
      mesh_destroy(&read);
    }
  }
  omp_set_num_threads(before);
  mesh_destroy(&mesh);
}

static void put_text(const char *text) {
  FILE *file = fopen(PATH, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

#define HEAD "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n"
#define TAIL "</UnstructuredGrid>\n</VTKFile>\n"
#define ARRAY(type, name, text)                                                                                        \
  "<DataArray type=\"" type "\" Name=\"" name "\" NumberOfComponents=\"" text "</DataArray>\n"
#define POINTS(text) "<Points>" ARRAY("Float64", "Points", "3\" format=\"ascii\">" text) "</Points>\n"
#define CELLS(nodes, ends, types)                                                                                      \
  "<Cells>" ARRAY("Int64", "connectivity", "1\" format=\"ascii\">" nodes)                                              \
      ARRAY("Int64", "offsets", "1\" format=\"ascii\">" ends)                                                          \
          ARRAY("UInt8", "types", "1\" format=\"ascii\">" types) "</Cells>\n"
#define PIECE(points, cells, text)                                                                                     \
  "<Piece NumberOfPoints=\"" points "\" NumberOfCells=\"" cells "\">\n" text "</Piece>\n"
#define SQUARE POINTS("0 0 0 1 0 0 1 1 0 0 1 0")
#define QUAD CELLS("0 1 2 3", "4", "9")

/* Two squares in two pieces, a wedge either way round. */
static void pieces_and_wedges(void **state) {
  (void)state;
  put_text(
      HEAD PIECE("4", "1", SQUARE QUAD "<CellData>" ARRAY("Int8", "group", "1\" format=\"ascii\"> -3 ") "</CellData>")
          PIECE("0", "0", "") PIECE("4", "1",
                                    POINTS("2 0 0 3 0 0 3 1 0 2 1 0") QUAD
                                    "<CellData>" ARRAY("UInt16", "group", "1\" format=\"ascii\">4") "</CellData>")
              TAIL);
  Mesh *mesh = read_vtu();
  assert_int_equal(mesh->n_node, 8);
  assert_int_equal(mesh->block[0].n, 2);
  assert_int_equal(mesh_nodes_of(mesh, 1)[0], 4);
  assert_int_equal(mesh_group(mesh, "group--3")->element[0], 0);
  assert_int_equal(mesh_group(mesh, "group-4")->element[0], 1);
  mesh_destroy(&mesh);
  for (int turn = 0; turn < 2; ++turn) {
    put_text(turn ? HEAD PIECE("6", "1", POINTS("0 0 0 0 1 0 1 0 0 0 0 1 0 1 1 1 0 1") CELLS("0 1 2 3 4 5", "6", "13"))
                        TAIL
                  : HEAD PIECE("6", "1", POINTS("0 0 0 1 0 0 0 1 0 0 0 1 1 0 1 0 1 1") CELLS("0 1 2 3 4 5", "6", "13"))
                        TAIL);
    mesh = read_vtu();
    assert_ok(mesh_check(mesh));
    mesh_destroy(&mesh);
  }
}

/* Two strips: an array that is different at each of 100 nodes is a numbering, of 49 cells each value is a group. */
static void numberings(void **state) {
  (void)state;
  char text[12000], *at = text;
  at += sprintf(at, HEAD "<Piece NumberOfPoints=\"100\" NumberOfCells=\"49\">\n<Points>");
  at += sprintf(at, "<DataArray type=\"Float64\" Name=\"Points\" NumberOfComponents=\"3\" format=\"ascii\">");
  for (int i = 0; i < 100; ++i) at += sprintf(at, "%d %d 0 ", i / 2, i % 2);
  at += sprintf(at, "</DataArray></Points><Cells>");
  static const char *const array = "<DataArray type=\"Int32\" Name=\"%s\" format=\"ascii\">";
  at += sprintf(at, array, "connectivity");
  for (int i = 0; i < 49; ++i) at += sprintf(at, "%d %d %d %d ", 2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1);
  at += sprintf(at, "</DataArray>");
  at += sprintf(at, array, "offsets");
  for (int i = 0; i < 49; ++i) at += sprintf(at, "%d ", 4 * i + 4);
  at += sprintf(at, "</DataArray>");
  at += sprintf(at, array, "types");
  for (int i = 0; i < 49; ++i) at += sprintf(at, "9 ");
  for (int k = 0; k < 2; ++k) { /* all different; but for two */
    at += sprintf(at, k ? "<PointData>" : "</DataArray></Cells><PointData>");
    at += sprintf(at, array, k ? "two" : "number");
    for (int i = 0; i < 100; ++i) at += sprintf(at, "%d ", k && i == 7 ? 9 : i + 1);
    at += sprintf(at, "</DataArray></PointData>");
  }
  at += sprintf(at, "<CellData>");
  at += sprintf(at, array, "cell");
  for (int i = 0; i < 49; ++i) at += sprintf(at, "%d ", i);
  sprintf(at, "</DataArray></CellData></Piece>" TAIL);
  put_text(text);
  Mesh *mesh = read_vtu();
  assert_null(mesh_group(mesh, "number-1"));
  assert_int_equal(mesh_group(mesh, "two-9")->n, 2);
  assert_int_equal(mesh_group(mesh, "cell-48")->n, 1);
  assert_int_equal(mesh->n_group, 99 + 49);
  mesh_destroy(&mesh);
}

static const struct {
  const char *text, *part;
} wrong[] = {
    {"<Image/>", "vtu_test.vtu:1: begins with <Image>, must be <VTKFile>"},
    {"<VTKFile type=\"ImageData\"></VTKFile>", "holds type=\"ImageData\", must be UnstructuredGrid"},
    {"<!DOCTYPE x><VTKFile/>", "'<!' does not begin a comment"},
    {HEAD, "vtu_test.vtu:3: the file ends within <UnstructuredGrid>; it was cut"},
    {HEAD "<Piece", "vtu_test.vtu:3: <Piece is not closed; '>' is expected"},
    {HEAD "</VTKFile>", "vtu_test.vtu:3: </VTKFile> where </UnstructuredGrid> is expected"},
    {HEAD PIECE("4", "1", SQUARE CELLS("0 1 <!-- and --> 2 3", "4", "9")) TAIL,
     "array 'connectivity': its numbers stand in two pieces; write them as one"},
    {HEAD TAIL, "holds no <Piece>"},
    {"<VTKFile type=\"UnstructuredGrid\"><Grid>" PIECE("4", "1", SQUARE QUAD) "</Grid></VTKFile>", "holds no <Piece>"},
    {"<VTKFile type=\"UnstructuredGrid\" compressor=\"vtkLZ4DataCompressor\"/>",
     "is compressed by vtkLZ4DataCompressor; zlib"},
    {"<VTKFile type=\"UnstructuredGrid\" header_type=\"UInt16\"/>", "header_type=\"UInt16\", must be UInt32 or UInt64"},
    {HEAD PIECE("-4", "1", SQUARE QUAD) TAIL, "NumberOfPoints=\"-4\", must be a whole number, 0 or more"},
    {HEAD PIECE("99999999999", "1", SQUARE QUAD) TAIL, "NumberOfPoints=\"99999999999\", more than"},
    {HEAD PIECE("5", "1", SQUARE QUAD) TAIL, "array 'Points': holds 12 values, must be 15"},
    {HEAD PIECE("4", "2", SQUARE QUAD) TAIL, "array 'offsets': holds 1 values, must be 2"},
    {HEAD PIECE("4", "1", QUAD) TAIL, "<Piece> has no <Points>"},
    {HEAD PIECE("4", "1", SQUARE) TAIL, "hold no array 'connectivity'"},
    {HEAD PIECE("4", "0", SQUARE) TAIL, "holds no cells"},
    {HEAD PIECE("4", "1", POINTS("0 0 0 1 0 0 1 nan 0 0 1 0") QUAD) TAIL,
     "vtu_test.vtu:4: array 'Points': point 2 (counted from 0) is at (1, nan, 0)"},
    {HEAD PIECE("4", "1", POINTS("0 0 0 1 0 0 1 x 0 0 1 0") QUAD) TAIL, "array 'Points': 'x' is not a number"},
    {HEAD PIECE("4", "1", SQUARE CELLS("0 1 2 4", "4", "9")) TAIL, "cell 0 has point 4, but there are 4"},
    {HEAD PIECE("4", "1", SQUARE CELLS("0 1 2 -1", "4", "9")) TAIL, "cell 0 has point -1, but there are 4"},
    {HEAD PIECE("4", "1", SQUARE CELLS("0 1 2 2", "4", "9")) TAIL, "cell 0 has point 2 twice"},
    {HEAD PIECE("4", "1", SQUARE CELLS("0 1 2 3", "-4", "9")) TAIL,
     "offset -4 of cell 0 (counted from 0) must be above 0 and at most 4"},
    {HEAD PIECE("4", "1", SQUARE CELLS("0 1 2 3", "3", "5")) TAIL, "the last offset is 3, but 'connectivity' holds 4"},
    {HEAD PIECE("4", "1", SQUARE CELLS("0 1 2 3", "4", "7")) TAIL,
     "is of VTK's type 7 (polygon) with 4 nodes, which Sinew has no element for"},
    {HEAD PIECE("4", "1", SQUARE CELLS("0 1 2.5 3", "4", "9")) TAIL,
     "array 'connectivity': '2.5' is not a whole number"},
    {HEAD PIECE("4", "1",
                "<Points>" ARRAY("Float64", "Points", "2\" format=\"ascii\">0 0 1 0 1 1 0 1") "</Points>" QUAD) TAIL,
     "NumberOfComponents=\"2\", must be 3"},
    {HEAD PIECE("4", "1", "<Points>" ARRAY("Float64", "Points", "3\" format=\"binary\">QkFEIQ==AAAA") "</Points>" QUAD)
         TAIL,
     "asks for 558121282 bytes, the file holds"},
    {HEAD PIECE("4", "1", "<Points>" ARRAY("Float64", "Points", "3\" format=\"binary\">Q?FEIQ==AAAA") "</Points>" QUAD)
         TAIL,
     "a character that is not base64"},
    {HEAD PIECE("4", "1",
                "<Points>" ARRAY("Float64", "Points", "3\" format=\"appended\" offset=\"0\">") "</Points>" QUAD) TAIL,
     "is appended, but the file holds no <AppendedData>"},
    {HEAD PIECE(
         "4", "1",
         "<Points>" ARRAY(
             "Float64", "Points",
             "3\" format=\"appended\" offset=\"9\">") "</Points>" QUAD) "</UnstructuredGrid><AppendedData "
                                                                        "encoding=\"raw\">_</AppendedData></VTKFile>",
     "array 'Points': asks for"},
    {HEAD PIECE("4", "1",
                "<Points>" ARRAY("Float64", "Points", "3\" format=\"appended\" offset=\"-9\">") "</Points>" QUAD) TAIL,
     "offset=\"-9\", must be a whole number"},
    {HEAD PIECE("4", "1", "<Points>" ARRAY("Float64", "Points", "3\" format=\"yaml\">") "</Points>" QUAD) TAIL,
     "format=\"yaml\", must be ascii, binary or appended"},
    {HEAD PIECE("4", "1", "<Points>" ARRAY("Quaternion", "Points", "3\" format=\"ascii\">") "</Points>" QUAD) TAIL,
     "its type must be one of"},
    {HEAD PIECE("4", "1",
                SQUARE QUAD "<CellData>" ARRAY("UInt8", "vtkGhostType", "1\" format=\"ascii\">1") "</CellData>") TAIL,
     "holds ghost cells"},
};

static void damaged_files(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    Mesh *mesh = NULL;
    put_text(wrong[k].text);
    assert_fails(mesh_read_vtu(PATH, &mesh), ERR_MESH, wrong[k].part);
    assert_null(mesh);
  }
}

/* Any byte cut off or changed: a mesh or a message. */
static void any_damage(void **state) {
  (void)state;
  Mesh *mesh = testing_box(ELEMENT_QUAD4, 3, 0);
  static char bytes[100000];
  for (int k = 0; k < 4; ++k) {
    vtu_write((VtuWriter){.way = k < 2 ? WAY_RAW : WAY_BASE64, .head = 4, .zlib = k % 2}, mesh, 0, PATH);
    FILE *file = fopen(PATH, "r");
    const size_t n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    for (size_t i = 7; i < n; i += 23) {
      const char before = bytes[i];
      const bool cut = i % 2;
      bytes[i] = (char)(before ^ (1 << i % 7));
      file = fopen(PATH, "w");
      fwrite(bytes, 1, cut ? i : n, file);
      fclose(file);
      bytes[i] = before;
      Mesh *read = NULL;
      if (mesh_read_vtu(PATH, &read) != OK) assert_true(!read && strlen(status_message()) > 20);
      status_clear();
      mesh_destroy(&read);
    }
  }
  mesh_destroy(&mesh);
}

static Status read_once(void *context) {
  (void)context;
  Mesh *mesh = NULL;
  TRY(mesh_read_vtu(PATH, &mesh));
  mesh_destroy(&mesh);
  return OK;
}

static void every_allocation_fails_once(void **state) {
  (void)state;
  Mesh *mesh = testing_box(ELEMENT_QUAD4, 3, 0);
  Exec *exec = testing_exec();
  for (int way = 0; way < 2; ++way) {
    vtu_write((VtuWriter){.way = (VtuWay)way, .head = 4, .zlib = true}, mesh, 0, PATH);
    assert_true(testing_fail_each(exec, read_once, NULL) > 40);
  }
  exec_destroy(&exec);
  mesh_destroy(&mesh);
  unlink(PATH);
}

/* One value for lines, triangles and a tetrahedron is a group of each dimension. */
static void one_value_in_three_dimensions(void **state) {
  (void)state;
  static const char text[] =
      "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece NumberOfPoints=\"4\" NumberOfCells=\"3\">"
      "<Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0 0 1 0 0 0 "
      "1</DataArray>"
      "</Points><Cells><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 0 1 2 0 1 2 3</DataArray>"
      "<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">2 5 9</DataArray>"
      "<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">3 5 10</DataArray></Cells>"
      "<CellData><DataArray type=\"Int32\" Name=\"part\" format=\"ascii\">1 1 1</DataArray></CellData>"
      "</Piece></UnstructuredGrid></VTKFile>\n";
  FILE *file = fopen(PATH, "w");
  fputs(text, file);
  fclose(file);
  Mesh *mesh = read_vtu();
  assert_int_equal(mesh->n_group, 3);
  for (int dim = 1; dim <= 3; ++dim) assert_int_equal(mesh_group_dim(mesh, "part-1", dim)->n, 1);
  mesh_destroy(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_encoding),
      cmocka_unit_test(every_kind),
      cmocka_unit_test(one_value_in_three_dimensions),
      cmocka_unit_test(any_number_of_threads),
      cmocka_unit_test(pieces_and_wedges),
      cmocka_unit_test(numberings),
      cmocka_unit_test(damaged_files),
      cmocka_unit_test(any_damage),
      cmocka_unit_test(every_allocation_fails_once),
  };
  return cmocka_run_group_tests_name("vtu", tests, NULL, NULL);
}
