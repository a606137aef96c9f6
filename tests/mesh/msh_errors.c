/* What is wrong with a .msh file, word for word. Rows are edits of a right file; "@" stands for its path. */
#include "core/memory.h"
#include "tests/mesh/msh_writer.h"
#include "tests/testing.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const text_41 = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 1 1 0\n1 0 0 0 1 0 0 1 2 0\n1 0 "
                                   "0 0 1 1 0 1 1 1 1\n$EndEntities\n"
                                   "$Nodes\n1 4 1 4\n2 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n$EndNodes\n"
                                   "$Elements\n2 3 1 3\n1 1 1 1\n1 1 2\n2 1 2 2\n2 1 2 3\n3 1 3 4\n$EndElements\n";

typedef struct Row {
  const char *base, *from, *to, *message;
} Row;

#define CUT_OFF "it is cut off: write or copy it again"
static const Row rows[] = {
    {"", "", "hello world\n", "@:1: there is no $MeshFormat; this is not a .msh file of Gmsh"},
    {"", "", "$NOD\n1\n", "@:1: format version 1; save it as 4.1 by: gmsh FILE -save -format msh41 -o NEW.msh"},
    {"2", "2.2 0 8", "4.0 0 8",
     "@:2: in $MeshFormat: format version 4; 2.2 and 4.1 are read; save it as 4.1 by: gmsh FILE -save -format msh41 -o "
     "NEW.msh"},
    {"2", "2.2 0 8", "2.2 2 8", "@:2: in $MeshFormat: file type 2, must be 0 (text) or 1 (binary)"},
    {"2", "2.2 0 8", "2.2 0 4",
     "@:2: in $MeshFormat: numbers of 4 bytes, must be 8; save it as 4.1 by: gmsh FILE -save -format msh41 -o NEW.msh"},
    {"2", "$EndMeshFormat", "$Nodes",
     "@:2: in $MeshFormat: $EndMeshFormat was expected here; the section holds more than its head says, or is damaged"},
    {"2", "2.2 0 8", "2.2 1 8",
     "@: byte 20: in $MeshFormat: the number that shows the byte order is 1684948260, must be 1; was the file copied "
     "as text? copy it in binary mode, or save it as text"},
    {"2", "$Nodes\n6", "$Nodes\n600",
     "@:12: in $Nodes: the number of nodes is 600, but only 351 bytes are left in the file; it is damaged or cut off: "
     "write or copy it again"},
    {"2", "$Nodes\n6", "$Nodes\n-6",
     "@:12: in $Nodes: the number of nodes is -6, must be 0 or more; the file is damaged"},
    {"2", "$Nodes\n6", "$Nodes\n7",
     "@:19: in $Nodes: '$EndNodes' where a node number was expected, which must be a whole number"},
    {"2", "$Nodes\n6", "$Nodes\n5",
     "@:17: in $Nodes: $EndNodes was expected here; the section holds more than its head says, or is damaged"},
    {"2", "$Nodes\n6", "$Nodes\n6.0",
     "@:12: in $Nodes: '6.0' where the number of nodes was expected, which must be a whole number"},
    {"2", "$Nodes\n6", "$Nodes\n99999999999999999999",
     "@:12: in $Nodes: '99999999999999999999' where the number of nodes was expected, which must be a whole number "
     "below 9.2e18"},
    {"2", "4 0 1 0\n5", "4 0 1,0 0\n5",
     "@:16: in $Nodes: '1,0' where the y coordinate of a node was expected, which must be a number"},
    {"2", "4 0 1 0\n5", "4 0 nan 0\n5",
     "@:16: in $Nodes: coordinates that are not finite numbers: node 4 in '4 0 nan 0'\n  every coordinate must be a "
     "finite number: write the mesh again"},
    {"2", "4 0 1 0\n5", "4 0 1e999 0\n5",
     "@:16: in $Nodes: coordinates that are not finite numbers: node 4 in '4 0 1e999 0'\n  every coordinate must be a "
     "finite number: write the mesh again"},
    {"2", "4 0 1 0\n5", "3 0 1 0\n5",
     "@:16: in $Nodes: node numbers that are given twice: 3\n  every node needs a number of its own: renumber the mesh "
     "(in Gmsh: RenumberMeshNodes)"},
    {"2", "4 0 1 0\n5", "0 0 1 0\n5", "@:16: in $Nodes: node number 0, must be 1 or more; the file is damaged"},
    {"2", "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 2 0 0\n6 2 1 1e-30\n$EndNodes\n", "",
     "@:11: in $Elements: no section $Nodes comes before it, so its nodes are unknown; save it as 4.1 by: gmsh FILE "
     "-save -format msh41 -o NEW.msh"},
    {"2", "$Elements\n8", "$Elements\n9",
     "@:30: in $Elements: '$EndElements' where an element number was expected, which must be a whole number"},
    {"2", "$Elements\n8", "$Elements\n7",
     "@:28: in $Elements: $EndElements was expected here; the section holds more than its head says, or is damaged"},
    {"2", "7 3 2 1 2 2 5 6 3", "7 3 2 1 2 2 5 6 77",
     "@:28: in $Elements: elements that refer to nodes that are not in the file: element 7 needs node 77\n  the file "
     "is damaged or was cut: write it again"},
    {"2", "7 3 2 1 2 2 5 6 3", "7 3 2 1 2 2 5 6 6",
     "@:28: in $Elements: elements that have a node twice: element 7 has node 6 twice\n  collapsed elements are not "
     "supported: mesh again, or use triangles or tetrahedra there"},
    {"2", "7 3 2 1 2 2 5 6 3", "4 3 2 1 2 2 5 6 3",
     "@:21: element numbers that are given twice: 4\n  every element needs a number of its own: renumber the mesh (in "
     "Gmsh: RenumberMeshElements)"},
    {"2", "7 3 2 1 2 2 5 6 3", "7 118 2 1 2 2 5 6 3 4 1",
     "@:28: in $Elements: elements that Sinew cannot solve on: 1 of Gmsh type 118 (pyramid of order 3)\n  use elements "
     "of order 1 or 2 (gmsh -order 1 or 2), or triangles and tetrahedra of order 3"},
    {"2", "7 3 2 1 2 2 5 6 3", "7 199 2 1 2 2 5 6 3",
     "@:28: in $Elements: elements that Sinew cannot solve on: 1 of Gmsh type 199 (unknown)\n  use elements of order "
     "1 or 2 (gmsh -order 1 or 2), or triangles and tetrahedra of order 3"},
    {"2", "7 3 2 1 2 2 5 6 3", "7 0 2 1 2 2 5 6 3",
     "@:28: in $Elements: element type 0, must be 1 to 200; the file is damaged"},
    {"2", "7 3 2 1 2 2 5 6 3", "7 3 -2 1 2 2 5 6 3",
     "@:28: in $Elements: an element has -2 tags, must be 0 to 4096; the file is damaged"},
    {"2", "7 3 2 1 2 2 5 6 3", "7 3 2 9999999999 2 2 5 6 3",
     "@:28: in $Elements: element 7 is in physical group 9999999999, at most 2147483647 is supported"},
    {"2", "$NodeData\n", "$Elements\n0\n$EndElements\n$NodeData\n",
     "@:31: in $Elements: the section comes a second time; the file is damaged"},
    {"2", "$NodeData\n", "some text\n$NodeData\n",
     "@:31: a section was expected here, such as $Nodes; the file is damaged"},
    {"2", "$NodeData\n", "$Mine\n1 2 3\n$NodeData\n",
     "@:31: in $Mine: there is no $EndMine; the file is cut off: write or copy it again"},
    {"2", "$NodeData\n", "$ParametricNodes\n$EndParametricNodes\n$NodeData\n",
     "@:31: in $ParametricNodes: nodes with parameters; save them without (Mesh.SaveParametric = 0)"},
    {"2", "4 0 1 -1e-3", "44 0 1 -1e-3",
     "@:32: field 'fiber' has values for nodes that are not in the mesh: 44\n  the file is damaged or was joined from "
     "two meshes: write it again"},
    {"2", "3\n0\n3\n2\n1 1 0", "3\n0\n2\n2\n1 1 0",
     "@:32: in $NodeData: field 'fiber' has 2 components, must be 1, 3 or 9"},
    {"2", "3\n0\n3\n2\n1 1 0", "3\n0\n3\n2000\n1 1 0",
     "@:32: in $NodeData: the number of entries of the field is 2000, but only 113 bytes are left in the file; it is "
     "damaged or cut off: write or copy it again"},
    {"2", "\"fiber\"", "\"fiber", "@:33: in $NodeData: a text tag has no closing quote on its line"},
    {"2", "\"fiber\"", "fiber",
     "@:33: in $NodeData: 'fiber' where a text tag was expected, which must be in double quotes"},
    {"2", "1 2 \"left\"", "5 2 \"left\"", "@:7: in $PhysicalNames: a physical group of dimension 5, must be 0 to 3"},
    {"2", "2 3 \"two words\"", "2 3 \"body\"",
     "@: physical groups 1 and 3 of dimension 2 are both called 'body'; give each its own name"},
    {"4", "1 4 1 4", "1 5 1 4",
     "@:10: in $Nodes: the number of nodes is 5, but the blocks hold 4; the file is damaged"},
    {"4", "1 4 1 4", "1 4000 1 4",
     "@:10: in $Nodes: the number of nodes is 4000, but only 124 bytes are left in the file; it is damaged or cut off: "
     "write or copy it again"},
    {"4", "2 1 0 4", "2 1 0 5",
     "@:11: in $Nodes: the number of nodes of a block is 5, but only 4 are left of the section's total; the file is "
     "damaged"},
    {"4", "2 1 0 4", "2 1 0 -4",
     "@:11: in $Nodes: the number of nodes of a block is -4, must be 0 or more; the file is damaged"},
    {"4", "2 1 0 4", "2 1 2 4", "@:11: in $Nodes: the parametric flag is 2, must be 0 or 1; the file is damaged"},
    {"4", "2 1 0 4", "4 1 0 4", "@:11: in $Nodes: an entity of dimension 4, must be 0 to 3; the file is damaged"},
    {"4", "1 1 0\n0 1", "1 1 -inf\n0 1",
     "@:18: in $Nodes: coordinates that are not finite numbers: node 3 in '1 1 -inf'\n  every coordinate must be a "
     "finite number: write the mesh again"},
    {"4", "2 1 2 2", "2 7 2 2",
     "@:25: in $Elements: elements of entity 7 of dimension 2, which $Entities does not list; the file is damaged"},
    {"4", "2 1 2 2", "1 1 2 2",
     "@:25: in $Elements: elements of kind tri3 in an entity of dimension 1; the file is damaged"},
    {"4", "2 1 2 2", "2 1 118 2",
     "@:28: in $Elements: '$EndElements' where a node of an element was expected, which must be a whole number"},
    {"4", "3 1 3 4", "2 1 3 4",
     "@:22: element numbers that are given twice: 2\n  every element needs a number of its own: renumber the mesh (in "
     "Gmsh: RenumberMeshElements)"},
    {"4", "2 3 1 3\n", "2 2 1 3\n",
     "@:25: in $Elements: the number of elements of a block is 2, but only 1 are left of the section's total; the file "
     "is damaged"},
    {"4", "$Nodes\n1", "$PartitionedEntities\n1\n$EndPartitionedEntities\n$Nodes\n1",
     "@:9: in $PartitionedEntities: the mesh is partitioned; save it without partitions: Sinew partitions it itself"},
    {"4", "1 0 0 0 1 1 0 1 1 1 1", "1 0 0 0 1 1 0 1 1 100 1",
     "@:7: in $Entities: the number of boundaries of an entity is 100, but only 150 bytes are left in the file; it is "
     "damaged or cut off: write or copy it again"},
    {"4", "0 1 1 0\n1 0 0 0 1 0 0 1 2 0\n", "0 2 1 0\n1 0 0 0 1 0 0 1 2 0\n1 0 0 0 1 0 0 1 2 0\n",
     "@:7: in $Entities: entity 1 of dimension 1 is given twice; the file is damaged"},
};

/* `from` replaced once by `to`; "" as `from` gives `to` itself. */
static char *edited(const char *base, const char *from, const char *to) {
  char *out = calloc(1, strlen(base) + strlen(to) + 1);
  const char *at = strstr(base, from);
  if (!at) fail_msg("the edit '%s' finds nothing", from);
  memcpy(out, base, (size_t)(at - base));
  strcpy(out + (at - base), to);
  strcat(out, at + strlen(from));
  return out;
}

static void every_row(void **state) {
  (void)state;
  const char *path = temporary_path("bad.msh");
  int wrong = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    const Row *row = &rows[i];
    char *text = edited(*row->base == '4' ? text_41 : *row->base ? square_text : "", row->from, row->to), want[2000];
    put_file(path, text, strlen(text));
    snprintf(want, sizeof want, "%s%s", path, row->message + 1);
    Mesh *mesh;
    const size_t before = mem_in_use();
    const Status status = mesh_read_msh(path, &mesh);
    if (status != ERR_MESH || strcmp(status_message(), want)) {
      print_message("row %zu: wanted %s\n  got (%d) %s\n", i, want, status, status == OK ? "" : status_message());
      ++wrong;
    }
    assert_int_equal(mem_in_use(), before);
    mesh_destroy(&mesh);
    free(text);
  }
  assert_int_equal(wrong, 0);
}

/* Only the first five of many, and the right files read. */
static void long_lists_are_cut(void **state) {
  (void)state;
  Mesh *mesh = mesh_of(text_41);
  mesh_destroy(&mesh);
  char text[4000] =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n$Elements\n8\n";
  for (int i = 1; i <= 8; ++i) snprintf(text + strlen(text), 100, "%d 2 0 1 2 %d\n", i, i > 1 ? 10 * i : 3);
  strcat(text, "$EndElements\n");
  assert_fails(read_text(text, &mesh), ERR_MESH,
               "text.msh:13: in $Elements: elements that refer to nodes that are not in the file: element 2 needs node "
               "20, element 3 "
               "needs node 30, element 4 needs node 40, element 5 needs node 50, element 6 needs node 60 and 2 more\n");
}

static void not_a_file(void **state) {
  (void)state;
  Mesh *mesh;
  const char *fifo = temporary_path("fifo"), *empty = temporary_path("empty.msh"), *gz = temporary_path("x.msh.gz");
  assert_fails(mesh_read_msh(temporary_path("none.msh"), &mesh), ERR_MESH,
               "none.msh: mesh file not found; check the path");
  assert_fails(mesh_read_msh(temporary_path(""), &mesh), ERR_MESH,
               "is a folder (directory), not a mesh file; name a regular");
  mkfifo(fifo, 0600);
  assert_fails(mesh_read_msh(fifo, &mesh), ERR_MESH, "is a FIFO (named pipe), not a mesh file");
  assert_fails(mesh_read_msh("/dev/zero", &mesh), ERR_MESH, "/dev/zero: is a device, not a mesh file");
  put_file(empty, "", 0);
  assert_fails(mesh_read_msh(empty, &mesh), ERR_MESH, "empty.msh: the mesh file is empty (0 bytes); write it again");
  put_file(gz, "\x1f\x8b\x08\0\0\0", 6);
  assert_fails(mesh_read_msh(gz, &mesh), ERR_MESH, "is compressed by gzip; unpack it first: gunzip -k '");
  assert_null(mesh);
  if (geteuid()) {
    chmod(empty, 0);
    assert_fails(mesh_read_msh(empty, &mesh), ERR_MESH, "no permission to read this mesh file; try chmod +r");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_row), cmocka_unit_test(long_lists_are_cut),
                                     cmocka_unit_test(not_a_file)};
  return cmocka_run_group_tests(tests, NULL, temporary_remove);
}
