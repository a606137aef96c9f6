/* mesh_load: by content and extension, scale, order, refinement; and the gmsh child process, with the true program
 * where it is installed and with scripts in its place for all that can go wrong. */
#include "core/memory.h"
#include "tests/mesh/msh_writer.h"
#include "tests/testing.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static Mesh *load(const MeshParams *params) {
  Mesh *mesh;
  assert_ok(mesh_load(params, &mesh));
  assert_string_equal(mesh->path, params->path);
  return mesh;
}

static double volume(const Mesh *mesh, const char *group) {
  double measure;
  assert_ok(mesh_group_measure(mesh, mesh_group(mesh, group), &measure));
  return measure;
}

/* The temporary folder, which is TMPDIR too, holds no file of gmsh's. */
static void assert_nothing_left(void) {
  DIR *list = opendir(temporary_path(""));
  for (const struct dirent *e; (e = readdir(list));) assert_null(strstr(e->d_name, "sinew-mesh-"));
  closedir(list);
}

static void content_counts_before_the_name(void **state) {
  (void)state;
  const char *odd = temporary_path("mesh.dat"), *h5 = temporary_path("mesh.bin"), *text = temporary_path("text.h5");
  put_file(odd, square_text, strlen(square_text));
  Mesh *m = load(&(MeshParams){.path = odd});
  assert_ok(mesh_write_h5(m, h5));
  Mesh *again = load(&(MeshParams){.path = h5});
  assert_int_equal(mesh_hash(m), mesh_hash(again));
  mesh_destroy(&m);
  mesh_destroy(&again);
  put_file(text, "version: 1\n", 11);
  assert_fails(mesh_load(&(MeshParams){.path = text}, &m), ERR_MESH,
               "text.h5: is not an HDF5 file that can be read; make a mesh file");
  text = temporary_path("words.msh");
  put_file(text, "version: 1\n", 11);
  assert_fails(mesh_load(&(MeshParams){.path = text}, &m), ERR_MESH, "words.msh:1: there is no $MeshFormat");
  assert_fails(mesh_load(&(MeshParams){.path = temporary_path("none.geo")}, &m), ERR_MESH,
               "none.geo: mesh file not found");
  assert_fails(mesh_load(&(MeshParams){.path = temporary_path("")}, &m), ERR_MESH, "is a folder (directory)");
}

static void scale_order_refine(void **state) {
  (void)state;
  const char *path = temporary_path("square.msh");
  put_file(path, square_text, strlen(square_text));
  Mesh *m = load(&(MeshParams){.path = path, .scale = 1e-3});
  assert_near(volume(m, "body") * 1e6, 2, 1e-13);
  mesh_destroy(&m);
  m = load(&(MeshParams){.path = path, .order = 2});
  assert_int_equal(m->block[2].kind, ELEMENT_TRI6);
  assert_int_equal(m->block[3].kind, ELEMENT_QUAD9);
  assert_near(volume(m, "body"), 2, 1e-13);
  mesh_destroy(&m);
  m = load(&(MeshParams){.path = path, .order = 1, .refine = 2, .scale = 2});
  assert_int_equal(mesh_group(m, "body")->n, 48);
  assert_int_equal(mesh_group(m, "left")->n, 4);
  assert_near(volume(m, "body"), 8, 1e-13);
  mesh_destroy(&m);
  assert_fails(mesh_load(&(MeshParams){.path = path, .scale = 1e308}, &m), ERR_MESH,
               "square.msh: with scale 1e+308 the coordinates exceed the range of double precision");
  assert_fails(mesh_load(&(MeshParams){.path = path, .order = 4}, &m), ERR_INPUT, "mesh order 4, must be 1, 2 or 3");
  assert_fails(mesh_load(&(MeshParams){.path = path, .order = 3}, &m), ERR_MESH,
               "no elements of order 3 with the vertices of quad4");
  assert_fails(mesh_load(&(MeshParams){.path = path, .refine = -1}, &m), ERR_INPUT, "refine is -1, must be 0 or more");
  assert_fails(mesh_load(&(MeshParams){.path = path, .scale = -1}, &m), ERR_INPUT, "mesh scale -1, must be above 0");
}

/* What the checks saw is kept, and is of the mesh that comes out. */
static void quality_is_known(void **state) {
  (void)state;
  const char *path = temporary_path("box.h5");
  const BoxParams box = {.kind = ELEMENT_TET4, .n = {3, 3, 3}, .size = {1, 1, 1}, .distort = 0.2};
  Mesh *m;
  assert_ok(mesh_box(&box, &m));
  assert_int_equal(m->quality.n_element, 0);
  assert_ok(mesh_write_h5(m, path));
  mesh_destroy(&m);
  for (int32_t refine = 0; refine < 2; ++refine) {
    m = load(&(MeshParams){.path = path, .refine = refine});
    const MeshQuality known = m->quality;
    MeshQuality seen;
    assert_int_equal(known.n_element, refine ? 8 * 162 : 162);
    m->quality = (MeshQuality){0};
    mesh_quality(m, &seen);
    assert_true(seen.worst == known.worst && seen.mean == known.mean && seen.worst_element == known.worst_element &&
                seen.n_sliver == known.n_sliver && seen.n_element == known.n_element);
    mesh_destroy(&m);
  }
}

static void order_is_not_lowered(void **state) {
  (void)state;
  const char *path = temporary_path("quadratic.msh"), *text =
                                                          "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n6\n1 0 0 0\n2 "
                                                          "1 0 0\n3 0 1 0\n4 0.5 0 0\n5 0.5 0.5 0\n6 0 0.5 0\n"
                                                          "$EndNodes\n$Elements\n1\n1 9 0 1 2 3 4 5 6\n$EndElements\n";
  put_file(path, text, strlen(text));
  Mesh *m = load(&(MeshParams){.path = path, .order = 2});
  assert_int_equal(m->n_node, 6);
  mesh_destroy(&m);
  assert_fails(
      mesh_load(&(MeshParams){.path = path, .order = 1}, &m), ERR_MESH,
      "quadratic.msh: 'order: 1' was asked for, but the mesh holds elements of order 2, which are not lowered\n"
      "  leave 'order' out, or write the mesh with linear elements (gmsh -order 1)");
}

static bool have_gmsh(void) {
  static int answer = -1;
  if (answer < 0) answer = run_program("gmsh", "--version", NULL) != 127;
  if (!answer) testing_missing("the gmsh program is not installed");
  return answer;
}

static void geo_is_meshed(void **state) {
  (void)state;
  if (!have_gmsh()) return;
  const char *part = temporary_path("part of it.geo"), *whole = temporary_path("-3 whole.geo");
  static const char *const piece =
      "h = 0.5;\nPoint(1) = {0,0,0,h}; Point(2) = {1,0,0,h}; Point(3) = {1,1,0,h}; Point(4) = {0,1,0,h};\n"
      "Line(1) = {1,2}; Line(2) = {2,3}; Line(3) = {3,4}; Line(4) = {4,1};\n"
      "Curve Loop(1) = {1,2,3,4}; Plane Surface(1) = {1};\n";
  static const char *const plane =
      "Merge \"part of it.geo\";\nPhysical Surface(\"plate\") = {1}; Physical Curve(\"left\") = {4};\n";
  static const char *const solid =
      "Merge \"part of it.geo\";\nExtrude {0,0,2} { Surface{1}; }\nPhysical Volume(\"body\") = {1};\n";
  put_file(part, piece, strlen(piece));
  put_file(whole, plane, strlen(plane));
  Mesh *m = load(&(MeshParams){.path = whole});
  assert_int_equal(m->dim, 2);
  assert_near(volume(m, "plate"), 1, 1e-12);
  assert_near(volume(m, "left"), 1, 1e-12);
  mesh_destroy(&m);
  m = load(&(MeshParams){.path = whole, .order = 2, .refine = 1});
  assert_int_equal(m->block[m->n_block - 1].kind, ELEMENT_TRI6);
  mesh_destroy(&m);
  put_file(whole, solid, strlen(solid));
  for (int order = 1; order <= 2; ++order) {
    m = load(&(MeshParams){.path = whole, .order = order, .scale = 10});
    assert_int_equal(m->n_block, 1); /* only what is in a physical group */
    assert_int_equal(m->block[0].kind, order == 2 ? ELEMENT_TET10 : ELEMENT_TET4);
    assert_near(volume(m, "body"), 2000, 1e-9);
    mesh_destroy(&m);
  }
  assert_nothing_left();
}

/* A mesh of another format comes through gmsh too, without being meshed again. */
static void other_formats_are_converted(void **state) {
  (void)state;
  if (!have_gmsh()) return;
  const char *msh = temporary_path("cube.msh"), *vtk = temporary_path("cube.vtk");
  Mesh *box, *m;
  assert_ok(mesh_box(&(BoxParams){.kind = ELEMENT_HEX8, .n = {2, 3, 4}, .size = {1, 1, 1}}, &box));
  size_t size;
  char *bytes = msh_write(box, &msh_variants[4], NULL, &size);
  put_file(msh, bytes, size);
  free(bytes);
  assert_int_equal(run_program("gmsh", msh, "-save", "-v", "0", "-o", vtk, NULL), 0);
  m = load(&(MeshParams){.path = vtk});
  assert_int_equal(m->dim, 3);
  assert_int_equal(m->block[m->n_block - 1].kind, ELEMENT_HEX8);
  assert_int_equal(m->block[m->n_block - 1].n, 24);
  mesh_destroy(&m);
  mesh_destroy(&box);
  assert_nothing_left();
}

static void errors_of_gmsh_are_passed_on(void **state) {
  (void)state;
  if (!have_gmsh()) return;
  Mesh *m;
  const char *path = temporary_path("bad.geo");
  put_file(path, "Point(1) = {0,0,0,1};\nLine(1) = {1,2;\n", 39);
  assert_fails(mesh_load(&(MeshParams){.path = path}, &m), ERR_MESH,
               "bad.geo: gmsh could not make a mesh of it:\n  Error   : ");
  assert_non_null(strstr(status_message(), "line 2"));
  assert_non_null(strstr(status_message(), "look at it in Gmsh: gmsh '"));
  put_file(path, "Point(1) = {0,0,0,1};\n", 22);
  assert_fails(mesh_load(&(MeshParams){.path = path}, &m), ERR_MESH, "no surface or volume elements");
  path = temporary_path("half.vtk");
  put_file(path, "# vtk DataFile Version 2.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n0 0 0\n", 84);
  assert_int_equal(mesh_load(&(MeshParams){.path = path}, &m), ERR_MESH);
  const char *prism = temporary_path("prism.geo");
  static const char *const text =
      "SetFactory(\"OpenCASCADE\");\nRectangle(1) = {0,0,0,1,1};\nMesh.MeshSizeMax = 1; Mesh.ElementOrder = 3;\n"
      "Extrude {0,0,1} { Surface{1}; Layers{1}; Recombine; }\n";
  put_file(prism, text, strlen(text));
  assert_fails(mesh_load(&(MeshParams){.path = prism}, &m), ERR_MESH, "prism.geo (meshed by gmsh): byte ");
  assert_non_null(strstr(status_message(), " of Gmsh type 90 (prism of order 3)\n  use elements of order 1 or 2"));
  assert_nothing_left();
}

static const char evil_square[] =
    "Point(1) = {0,0,0,1}; Point(2) = {1,0,0,1}; Point(3) = {0,1,0,1}; Line(1) = {1,2}; Line(2) = {2,3}; Line(3) = "
    "{3,1};\n"
    "Curve Loop(1) = {1,2,3}; Plane Surface(1) = {1}; Physical Surface(\"body\") = {1};\n";

static void put_script(const char *path, const char *first) {
  char text[1000];
  snprintf(text, sizeof text, "%s\n%s", first, evil_square);
  put_file(path, text, strlen(text));
}

/* Is it made unless `trust`? Its message then holds `words`. */
static void refused(const char *geo, const char *first, const char *made, const char *words) {
  Mesh *m;
  put_script(geo, first);
  assert_fails(mesh_load(&(MeshParams){.path = geo, .time_limit = 60}, &m), ERR_MESH, words);
  assert_non_null(strstr(status_message(), "--trust"));
  assert_int_not_equal(access(made, F_OK), 0);
}

static void scripts_start_no_programs(void **state) {
  (void)state;
  if (!have_gmsh()) return;
  const char *geo = temporary_path("evil.geo"), *part = temporary_path("part.geo"), *made = temporary_path("made");
  Mesh *m;
  refused(geo, "// not here: SystemCall\nSystemCall \"touch made\";", made,
          "evil.geo:2: 'SystemCall' starts a program");
  refused(geo, "NonBlockingSystemCall \"touch made\";", made, "evil.geo:1: 'NonBlockingSystemCall' starts a program");
  refused(geo, "/* */ System \"touch made\";", made, "evil.geo:1: 'System' starts a program");
  put_file(part, "SystemCall \"touch made\";\n", 25);
  refused(geo, "Include \"part.geo\";", made, "aborting system call"); /* which no reader of the text sees */
  refused(geo, "Merge Sprintf(\"pa%gt.geo\", 1);\nMerge StrCat(\"par\", \"t.geo\");", made,
          "gmsh could not make a mesh of it");
  put_script(geo, "Merge \"part.geo\";");
  assert_ok(mesh_load(&(MeshParams){.path = geo, .trust = true}, &m));
  assert_int_equal(access(made, F_OK), 0);
  unlink(made);
  mesh_destroy(&m);
  put_script(geo, "// SystemCall is only named: \nPrintf(\"SystemCall\");");
  assert_ok(mesh_load(&(MeshParams){.path = geo}, &m));
  mesh_destroy(&m);
  assert_nothing_left();
}

/* Where the kernel has Landlock. */
static void scripts_write_no_files(void **state) {
  (void)state;
  if (!have_gmsh() || syscall(444, NULL, 0, 1) < 1) skip();
  const char *geo = temporary_path("writes.geo"), *made = temporary_path("made");
  refused(geo, "Printf(\"touch me\") > \"made\";", made, "Unable to open file");
  assert_nothing_left();
}

static void size_of_elements(void **state) {
  (void)state;
  if (!have_gmsh()) return;
  const char *geo = temporary_path("size.geo"), *msh = temporary_path("square.msh");
  put_script(geo, "");
  Mesh *m = load(&(MeshParams){.path = geo});
  const int32_t coarse = mesh_group(m, "body")->n;
  mesh_destroy(&m);
  m = load(&(MeshParams){.path = geo, .size = 0.1, .scale = 100}); /* in the file's unit */
  assert_true(mesh_group(m, "body")->n > 90 && mesh_group(m, "body")->n < 200 && coarse < 10);
  mesh_destroy(&m);
  put_file(msh, square_text, strlen(square_text));
  assert_fails(mesh_load(&(MeshParams){.path = msh, .size = 0.1}, &m), ERR_MESH,
               "square.msh: 'size: 0.1' was asked for, but the file holds a mesh already");
  assert_fails(mesh_load(&(MeshParams){.path = geo, .size = -1}, &m), ERR_INPUT, "mesh size -1, must be above 0");
}

static void geometry_without_groups(void **state) {
  (void)state;
  if (!have_gmsh()) return;
  const char *geo = temporary_path("box.geo");
  static const char text[] = "SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 10, 5, 1};\n";
  put_file(geo, text, strlen(text));
  Mesh *m = load(&(MeshParams){.path = geo, .refine = 1});
  assert_int_equal(m->n_group, 0);
  assert_non_null(strstr(m->outline, "\n    volume 1: x 0 to 10, y 0 to 5, z 0 to 1\n"));
  assert_non_null(strstr(m->outline, "\n    surface 2: x 10, y 0 to 5, z 0 to 1\n"));
  mesh_destroy(&m);
}

static void formats_that_nobody_reads(void **state) {
  (void)state;
  Mesh *m;
  const char *vtu = temporary_path("part.VTU");
  put_file(vtu, "<VTKFile/>", 10);
  assert_fails(mesh_load(&(MeshParams){.path = vtu}, &m), ERR_MESH, "part.VTU:1: holds type=");
  const char *xdmf = temporary_path("part.xdmf");
  put_file(xdmf, "<Xdmf/>", 7);
  assert_fails(mesh_load(&(MeshParams){.path = xdmf}, &m), ERR_MESH, "part.xdmf: is an XDMF file, which neither");
}

static void lengths_out_of_range(void **state) {
  (void)state;
  Mesh *m;
  const char *path = temporary_path("square.msh");
  put_file(path, square_text, strlen(square_text));
  assert_fails(mesh_load(&(MeshParams){.path = path, .scale = 1e-200}, &m), ERR_MESH,
               "square.msh: the mesh is 2e-200 long with scale 1e-200; 1e-30 to 1e+30 are supported");
  assert_fails(mesh_load(&(MeshParams){.path = path, .scale = 1e200}, &m), ERR_MESH, "the mesh is 2e+200 long");
  m = load(&(MeshParams){.path = path, .scale = 1e-20});
  mesh_destroy(&m);
}

/* A script in the place of gmsh. */
static const char *script(const char *text) {
  const char *path = temporary_path("fake-gmsh");
  char all[1000];
  snprintf(all, sizeof all, "#!/bin/sh\n%s\n", text);
  put_file(path, all, strlen(all));
  chmod(path, 0700);
  return path;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void whatever_gmsh_does(void **state) {
  (void)state;
  Mesh *m;
  const char *geo = temporary_path("any.geo");
  put_file(geo, "//\n", 3);
  MeshParams params = {.path = geo, .gmsh = "no-such-gmsh", .trust = true}; /* the scripts below start programs */
  assert_fails(mesh_load(&params, &m), ERR_MESH,
               "any.geo: needs the program 'no-such-gmsh', which is not installed: apt-get install gmsh, or convert "
               "the mesh elsewhere "
               "by: sinew mesh '");
  params.gmsh = temporary_path("any.geo"); /* not executable */
  assert_fails(mesh_load(&params, &m), ERR_MESH, "cannot be started: Permission denied");
  params.gmsh = script("echo hello; kill -SEGV $$");
  assert_fails(mesh_load(&params, &m), ERR_MESH, "any.geo: gmsh was ended by signal 11 (Segmentation fault)\n  hello");
  params.gmsh = script("echo some trouble >&2; exit 3");
  assert_fails(mesh_load(&params, &m), ERR_MESH, "any.geo: gmsh ended with exit code 3\n  some trouble");
  params.gmsh = script("printf '\\033[1m\\033[31mError   : red\\033[0m\\nInfo : x\\n'; for i in 2 3 4 5 6 7; do echo "
                       "Error : $i; done; exit 0");
  assert_fails(mesh_load(&params, &m), ERR_MESH,
               "any.geo: gmsh could not make a mesh of it:\n  Error   : red\n  Error : 2\n  Error : 3\n  Error : 4\n  "
               "Error : 5\n  and 2 more\n");
  params.gmsh = script("exit 0"); /* writes nothing */
  assert_fails(mesh_load(&params, &m), ERR_MESH, "any.geo (meshed by gmsh): the mesh file is empty");
  params.gmsh = script("yes x | head -c 3000000; echo Error: at last; exit 1"); /* more than a pipe holds */
  assert_fails(mesh_load(&params, &m), ERR_MESH, "Error: at last");
  params.gmsh = script("while [ \"$1\" != -o ]; do shift; done; cat square.msh > \"$2\"; pwd");
  put_file(temporary_path("square.msh"), square_text, strlen(square_text));
  assert_ok(mesh_load(&params, &m)); /* in the folder of the .geo, output where -o says */
  assert_string_equal(m->path, geo);
  mesh_destroy(&m);
  assert_nothing_left();
}

static void time_limit(void **state) {
  (void)state;
  Mesh *m;
  const char *geo = temporary_path("slow.geo");
  put_file(geo, "//\n", 3);
  MeshParams params = {.path = geo, .gmsh = script("exec sleep 30"), .time_limit = 0.2};
  double start = now();
  assert_fails(mesh_load(&params, &m), ERR_MESH,
               "slow.geo: gmsh was stopped after 0.2 s, the time limit; make the mesh coarser, or");
  assert_true(now() - start < 5);
  params.gmsh = script("exec >&- 2>&-; exec sleep 30"); /* silent at once, but running */
  start = now();
  assert_fails(mesh_load(&params, &m), ERR_MESH, "the time limit");
  assert_true(now() - start < 5);
  assert_nothing_left();
}

static void no_temporary_folder(void **state) {
  (void)state;
  Mesh *m;
  const char *geo = temporary_path("any.geo"), *kept = temporary_path("");
  put_file(geo, "//\n", 3);
  setenv("TMPDIR", "/no/such/folder", 1);
  assert_fails(mesh_load(&(MeshParams){.path = geo}, &m), ERR_IO,
               "no temporary file in '/no/such/folder': No such file or directory; set TMPDIR to a folder with space");
  setenv("TMPDIR", kept, 1);
}

static void each_allocation_may_fail(void **state) {
  (void)state;
  put_file(temporary_path("square.msh"), square_text, strlen(square_text));
  put_file(temporary_path("any.geo"), "//\n", 3);
  const char *fake = script("while [ \"$1\" != -o ]; do shift; done; cat square.msh > \"$2\"");
  MeshParams params[] = {{.path = temporary_path("square.msh"), .order = 2, .refine = 1, .scale = 3},
                         {.path = temporary_path("any.geo"), .gmsh = fake, .trust = true}};
  for (int k = 0; k < 2; ++k) {
    Mesh *m;
    testing_fail_each_of(mesh_load(&params[k], &m), mesh_destroy(&m));
  }
  assert_nothing_left();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(content_counts_before_the_name),
      cmocka_unit_test(scale_order_refine),
      cmocka_unit_test(quality_is_known),
      cmocka_unit_test(order_is_not_lowered),
      cmocka_unit_test(geo_is_meshed),
      cmocka_unit_test(other_formats_are_converted),
      cmocka_unit_test(errors_of_gmsh_are_passed_on),
      cmocka_unit_test(scripts_start_no_programs),
      cmocka_unit_test(scripts_write_no_files),
      cmocka_unit_test(size_of_elements),
      cmocka_unit_test(geometry_without_groups),
      cmocka_unit_test(formats_that_nobody_reads),
      cmocka_unit_test(lengths_out_of_range),
      cmocka_unit_test(whatever_gmsh_does),
      cmocka_unit_test(time_limit),
      cmocka_unit_test(no_temporary_folder),
      cmocka_unit_test(each_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, temporary_remove);
}
