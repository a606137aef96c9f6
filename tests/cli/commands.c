/* The commands and options that PRODUCT lists, as a user types them. */
#include "tests/cli/run_program.h"
#include "tests/cli/small_mesh.h"

#include <stdio.h>
#include <string.h>

static char *square_folder(void) {
  char *folder = folder_create();
  put_text(folder, "case.yaml", SQUARE_CASE);
  put_text(folder, "square.msh", SQUARE_MESH);
  return folder;
}

/* Runs `sinew` with these words and holds the code and the parts of what it says (NULL ends the words and the parts).
 */
static void says(const char *folder, const char *const *words, int code, const char *const *parts) {
  Run run = run_program(folder, SINEW_PROGRAM, words);
  assert_code(&run, code);
  for (; *parts; ++parts) assert_said(&run, *parts);
  if (code) expect_that(*run.err, "an error should be said on stderr");
  run_release(&run);
}
#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void version(void **state) {
  (void)state;
  Run run = run_sinew(".", "--version", NULL);
  assert_code(&run, 0);
  int a, b, c, n = 0;
  expect_that(sscanf(run.out, "Sinew %d.%d.%d\n%n", &a, &b, &c, &n) == 3, "--version says %s", run.out);
  assert_string_equal(run.err, "");
  run_release(&run);
}

static void help_of_each_command(void **state) {
  (void)state;
  static const char *const commands[] = {"run", "check", "verify", "mesh", "list", "info"};
  says(".", WORDS("--help"), 0, WORDS("run", "check", "verify", "mesh", "list", "info"));
  for (int i = 0; i < 6; ++i) {
    char usage[64];
    snprintf(usage, sizeof usage, "sinew %s", commands[i]);
    Run run = run_sinew(".", commands[i], "--help", NULL);
    assert_code(&run, 0);
    expect_that(strstr(run.out, usage) != NULL, "'%s --help' should show its use on stdout: %s", commands[i], run.out);
    expect_that(strstr(run.out, "xample") != NULL, "'%s --help' should show an example: %s", commands[i], run.out);
    run_release(&run);
  }
  says(".", WORDS("run", "--help"), 0,
       WORDS("--backend", "--threads", "--output", "--set", "--resume", "--overwrite", "--quiet", "--verbose"));
  says(".", WORDS("mesh", "--help"), 0, WORDS("--refine", "--order"));
}

/* From the tables: a path with numbers of items, the last names of one, a parameter, a map, and what is misspelt. */
static void help_of_keys(void **state) {
  (void)state;
  says(".", WORDS("help", "contact.friction"), 0,
       WORDS("contact.friction\n  coefficient", "type     a number or an expression", "default  not given",
             "also     steps.contact.friction", "beside   in contact: on, against"));
  says(".", WORDS("help", "solver.rtol"), 0,
       WORDS("type     a number", "default  1e-8", "allowed  (0, 1)", "method, max-iterations"));
  says(".", WORDS("help", "tau-close"), 0,
       WORDS("tissue.ionic.tau-close, of 'model: mitchell-schaeffer'", "unit     ms", "default  150", "allowed  > 0"));
  says(".", WORDS("help", "materials.0.young"), 0,
       WORDS("'materials.young' stands at 6 places", "of isotropic: Young's modulus; stress, > 0, required"));
  says(".", WORDS("help", "materials"), 0, WORDS("a list of maps", "inside\n", "    type ", "cases    heat"));
  says(".", WORDS("help", "model"), 0, WORDS("sinew model export", "sinew help case.model"));
  says(".", WORDS("help", "case.model"), 0, WORDS("'model' stands at 4 places", "model (elasticity): plane-stress"));
  says(".", WORDS("help", "formulation"), 0, WORDS("allowed  auto, displacement, mean-dilatation"));
  says(".", WORDS("help", "case"), 0, WORDS("physics: elasticity\n", "physics: heat\n", "  load-cases "));
  says(".", WORDS("help", "contact.frction"), 2,
       WORDS("no key of the case file", "did you mean 'sinew help contact.friction'?"));
  says(".", WORDS("help", "yung"), 2, WORDS("did you mean 'sinew help young'?"));
  says(".", WORDS("help", "rnu"), 2, WORDS("did you mean 'sinew help run'?"));
}

static void wrong_usage(void **state) {
  (void)state;
  char *folder = square_folder();
  Run run = run_program(folder, SINEW_PROGRAM, (const char *const[]){NULL});
  assert_code(&run, 2);
  assert_said(&run, "sinew run");
  run_release(&run);
  says(folder, WORDS("rnu", "case.yaml"), 2, WORDS("'rnu'", "did you mean 'run'?"));
  says(folder, WORDS("run"), 2, WORDS("CASE.yaml"));
  says(folder, WORDS("run", "case.yaml", "--overwrit"), 2, WORDS("--overwrit", "did you mean '--overwrite'?"));
  says(folder, WORDS("run", "case.yaml", "--backend", "gpus"), 2, WORDS("gpus", "auto", "cpu", "cuda"));
  says(folder, WORDS("run", "case.yaml", "--backend"), 2, WORDS("--backend"));
  says(folder, WORDS("run", "case.yaml", "--threads", "x"), 2, WORDS("--threads", "x"));
  says(folder, WORDS("run", "case.yaml", "--threads", "-1"), 2, WORDS("--threads", "-1"));
  says(folder, WORDS("run", "case.yaml", "--set", "solver.rtl=1e-3"), 2, WORDS("solver.rtl", "did you mean"));
  says(folder, WORDS("run", "case.yaml", "--set", "slover.rtol=1e-3"), 2, WORDS("slover.rtol"));
  says(folder, WORDS("run", "case.yaml", "--set", "solver.rtol"), 2, WORDS("solver.rtol", "="));
  says(folder, WORDS("list", "elemnts"), 2, WORDS("'elemnts'", "elements"));
  says(folder, WORDS("mesh", "square.msh"), 2, WORDS("IN OUT"));
  says(folder, WORDS("mesh", "square.msh", "out.h5", "--refine", "-1"), 2, WORDS("--refine", "-1"));
  says(folder, WORDS("mesh", "square.msh", "out.h5", "--order", "7"), 2, WORDS("--order", "7"));
  says(folder, WORDS("run", "case.yaml", "--resume", "--overwrite"), 2, WORDS("--resume", "--overwrite"));
  expect_that(!is_there(folder, "results") && !is_there(folder, "out.h5"), "wrong usage left output behind");
  folder_remove(&folder);
}

static void lists(void **state) {
  (void)state;
  says(".", WORDS("list", "elements"), 0,
       WORDS("tri3", "tri6", "quad4", "quad8", "quad9", "tet4", "tet10", "hex8", "hex20", "hex27"));
  says(".", WORDS("list", "materials"), 0,
       WORDS("isotropic", "young", "poisson", "thickness", "density", "(-1, 0.5)", "optional"));
  says(".", WORDS("list", "formats"), 0, WORDS("csr", "sbell"));
  says(".", WORDS("list", "preconditioners"), 0, WORDS("jacobi", "least-squares", "degree"));
  says(".", WORDS("list"), 2, WORDS("elements", "materials", "formats", "preconditioners"));
}

/* Between the origin and a wall at 50 mm, 20 mm high and 1 mm thick. */
static void check_says_cavities(void **state) {
  (void)state;
  char *folder = folder_create();
  put_text(folder, "square.msh", WALL_MESH);
  put_text(folder, "case.yaml",
           "version: 1\nmesh: {file: square.msh}\nphysics: electromechanics\nmodel: plane-strain\n"
           "muscle: [{on: body, type: neo-hooke, shear: 4, bulk: 4}]\ntime: {end: 1, step: 1}\n"
           "boundary: [{on: [low, up], symmetry: true}, {on: out, fix: all}]\n"
           "cavities: [{name: rv, on: endo, pressure: 1}]\n");
  says(folder, WORDS("check", "case.yaml"), 0, WORDS("cavity rv: 1 mL in the mesh\n"));
  folder_remove(&folder);
}

static void check_says_all(void **state) {
  (void)state;
  char *folder = square_folder();
  says(folder, WORDS("check", "case.yaml"), 0,
       WORDS("left", "right", "bottom", "top", "body", "1e-10", "quality", "memory", "cpu", "load", "motion"));
  says(folder, WORDS("check", "case.yaml", "--verbose"), 0,
       WORDS("along a Hilbert curve", "numbering: natural (auto)"));
  says(folder, WORDS("check", "case.yaml", "-v", "--set", "solver.numbering=rcm"), 0, WORDS("numbering: rcm\n"));
  says(folder, WORDS("check", "case.yaml", "--ranks", "1"), 0, WORDS("# 1 rank\n", "neighbours", "1 times the mean"));
  says(folder,
       WORDS("check", "case.yaml", "--set", "mesh={grid: [4, 3], size: [3, 2]}", "--set",
             "boundary=[{on: x0, fix: all}]", "--set", "output={}", "--set", "expect=[]"),
       0, WORDS("# mesh grid: 4 x 3 nodes, so 3 x 2 cells\n"));
  says(folder, WORDS("check", "case.yaml", "--ranks", "3"), 3,
       WORDS("for --ranks 3", "must be at most 1", "start fewer"));
  expect_that(!is_there(folder, "results"), "'check' left an output folder");
  folder_remove(&folder);
}

/* Beyond the sample that a forecast of memory is made of, whose probes are at its first node. */
static void check_of_a_body_larger_than_its_sample(void **state) {
  (void)state;
  char *folder = folder_create();
  put_text(
      folder, "case.yaml",
      "version: 1\nmesh: {grid: [30, 30, 30], regions: [{name: part, share: 0.5, size: 0.2}]}\nphysics: elasticity\n"
      "model: 3d\nstrain: finite\nmaterials:\n  - {on: part, type: neo-hooke, young: 1, poisson: 0.3}\n"
      "  - {on: body, type: neo-hooke, young: 2, poisson: 0.3}\n"
      "boundary: [{on: x0, fix: all}, {on: x1, fix: {x: 0.1}}]\ntime: {end: 1, step: 1}\n"
      "output: {probes: [{name: a, at: [0.51, 0.52, 0.53], field: stress-xx}]}\n");
  says(folder, WORDS("check", "case.yaml"), 0, WORDS("memory of a run"));
  folder_remove(&folder);
}

static void verify_holds_expectations(void **state) {
  (void)state;
  char *folder = square_folder(), *text = edited(SQUARE_CASE, "value: 0.01, rtol: 1e-6", "value: 0.02, rtol: 1e-6");
  put_text(folder, "wrong.yaml", text);
  says(folder, WORDS("verify", "case.yaml"), 0, WORDS("corner", "0.01", "1e-06"));
  says(folder, WORDS("verify", "wrong.yaml"), 6, WORDS("corner", "0.02", "0.01"));
  says(folder, WORDS("verify", "case.yaml", "wrong.yaml"), 6, WORDS("case.yaml", "wrong.yaml"));
  says(folder, WORDS("verify", "wrong.yaml", "case.yaml"), 6, WORDS("case.yaml", "wrong.yaml"));
  says(folder, WORDS("verify", "case.yaml", "absent.yaml"), 3, WORDS("absent.yaml"));
  says(folder, WORDS("verify"), 2, WORDS("CASE.yaml"));
  free(text);
  folder_remove(&folder);
}

/* A case with nothing to hold must not look verified. */
static void verify_without_expectations(void **state) {
  (void)state;
  char *folder = square_folder(),
       *text = edited(SQUARE_CASE, "expect:\n  - {probe: corner, value: 0.01, rtol: 1e-6}\n", "");
  put_text(folder, "none.yaml", text);
  Run run = run_sinew(folder, "verify", "none.yaml", NULL);
  assert_said(&run, "expect");
  run_release(&run);
  free(text);
  folder_remove(&folder);
}

static void options_of_run(void **state) {
  (void)state;
  char *folder = square_folder();
  says(folder, WORDS("run", "case.yaml", "--output", "elsewhere/deep"), 0, WORDS("elsewhere/deep"));
  expect_that(is_there(folder, "elsewhere/deep/results.hdf"), "no result in the folder of --output");
  expect_that(!is_there(folder, "results"), "a result beside the case despite --output");
  Run run = run_sinew(folder, "run", "case.yaml", "--quiet", NULL);
  assert_code(&run, 0);
  assert_string_equal(run.out, "");
  assert_string_equal(run.err, "");
  run_release(&run);
  char *text = edited(SQUARE_CASE, "  - {on: right, traction: [10, 0]}\n", "");
  put_text(folder, "unloaded.yaml", text);
  free(text);
  run = run_sinew(folder, "run", "unloaded.yaml", "--quiet", "--output", "unloaded", NULL);
  assert_code(&run, 0);
  assert_string_equal(run.out, "");
  expect_that(strstr(run.err, "load") != NULL, "--quiet should still warn on stderr");
  run_release(&run);
  says(folder, WORDS("run", "case.yaml", "--overwrite", "--verbose"), 0, WORDS("results.hdf"));
  says(folder, WORDS("run", "--overwrite", "case.yaml", "--threads", "2"), 0,
       WORDS("12", "results.hdf", "residual", "open with"));
  folder_remove(&folder);
}

static void set_changes_any_key(void **state) {
  (void)state;
  char *folder = square_folder();
  says(folder, WORDS("run", "case.yaml", "--set", "solver.rtol=1e-3", "--set", "solver.precision=double"), 0,
       WORDS("results"));
  char *report = get_text(folder, "results/report.json");
  expect_that(strstr(report, "\"double\"") != NULL, "--set solver.precision=double has no effect: %s", report);
  free(report);
  says(folder, WORDS("check", "case.yaml", "--set", "materials.0.young=-1"), 3, WORDS("young is -1"));
  says(folder, WORDS("check", "case.yaml", "--set", "model=plane-strain"), 0, WORDS("plane-strain"));
  folder_remove(&folder);
}

static void backend_cuda(void **state) {
  (void)state;
  char *folder = square_folder();
  Run run = run_sinew(folder, "run", "case.yaml", "--backend", "cuda", NULL);
  if (run.code) {
    assert_code(&run, 8);
    expect_that(!is_there(folder, "results"), "a missing GPU left an output folder");
  }
  run_release(&run);
  says(folder, WORDS("run", "case.yaml", "--backend", "auto", "--overwrite"), 0, WORDS("results"));
  folder_remove(&folder);
}

static void resume_without_checkpoint(void **state) {
  (void)state;
  char *folder = square_folder();
  says(folder, WORDS("run", "case.yaml", "--resume"), 0, WORDS("checkpoint"));
  expect_that(is_there(folder, "results/results.hdf"), "no result");
  folder_remove(&folder);
}

/* Through `sinew mesh` and back: the same answer from the .h5, as it was, refined and of order 2. */
static void mesh_round_trip(void **state) {
  (void)state;
  static const struct {
    const char *name, *option, *value, *element, *nodes, *elements;
  } rows[] = {{"plain.h5", NULL, NULL, "quad4", "9", "4"},
              {"copy.h5", "--refine", "0", "quad4", "9", "4"},
              {"fine.h5", "--refine", "2", "quad4", "81", "64"},
              {"curved.h5", "--order", "2", "quad9", "25", "4"}};
  char *folder = square_folder();
  for (int i = 0; i < 4; ++i) {
    Run run = run_sinew(folder, "mesh", "square.msh", rows[i].name, rows[i].option, rows[i].value, NULL);
    assert_code(&run, 0);
    run_release(&run);
    says(folder, WORDS("info", rows[i].name), 0,
         WORDS("left", "right", "bottom", "top", "body", rows[i].element, rows[i].nodes, rows[i].elements));
    char *text = edited(SQUARE_CASE, "square.msh", rows[i].name);
    put_text(folder, "case.yaml", text);
    free(text);
    says(folder, WORDS("verify", "case.yaml"), 0, WORDS("corner"));
  }
  folder_remove(&folder);
}

/* A case with contact takes them; one without does not. */
static void parts_that_touch_are_told(void **state) {
  (void)state;
  char *folder = folder_create();
  char *text = edited(TWO_SQUARES_MESH, "5 2 0 0\n", "5 1 0 0\n"), *mesh = edited(text, "8 2 1 0\n", "8 1 1 0\n");
  put_text(folder, "two.msh", mesh);
  free(text);
  free(mesh);
  says(folder, WORDS("info", "two.msh"), 0, WORDS("warning: two.msh", "duplicate nodes, 2 pairs", "quad4", "quality"));
  says(folder, WORDS("mesh", "two.msh", "two.h5"), 0, WORDS("warning: two.msh", "'contact' and 'tie'", "8 nodes"));
  put_text(folder, "case.yaml",
           "version: 1\nmesh: {file: two.h5}\nphysics: elasticity\nmodel: plane-stress\n"
           "materials: [{on: body, young: 1, poisson: 0}]\nboundary: [{on: [left, right], fix: all}]\n");
  says(folder, WORDS("check", "case.yaml"), 4, WORDS("duplicate nodes, 2 pairs"));
  put_text(folder, "case.yaml",
           "version: 1\nmesh: {file: two.h5}\nphysics: elasticity\nmodel: plane-stress\n"
           "materials: [{on: body, young: 1, poisson: 0}]\nboundary: [{on: [left, right], fix: all}]\n"
           "time: {end: 1, step: 1}\ncontact: [{on: left, against: right, tied: true}]\n"
           "output: {fields: [contact-gap]}\n");
  says(folder, WORDS("check", "case.yaml"), 3, WORDS("contact-gap: nothing opens or closes", "'contact:' is tied"));
  folder_remove(&folder);
}

static void fields_survive(void **state) {
  (void)state;
  char *folder = folder_create();
  put_text(folder, "square.msh",
           SQUARE_MESH
           "$NodeData\n1\n\"warmth\"\n1\n0\n3\n0\n1\n9\n1 1\n2 2\n3 3\n4 4\n5 5\n6 6\n7 7\n8 8\n9 9\n$EndNodeData\n"
           "$ElementData\n1\n\"fiber\"\n1\n0\n3\n0\n3\n4\n9 1 0 0\n10 1 0 0\n11 0 1 0\n12 0 1 0\n$EndElementData\n");
  says(folder, WORDS("info", "square.msh"), 0, WORDS("warmth", "fiber"));
  says(folder, WORDS("mesh", "square.msh", "fine.h5", "--refine", "1"), 0, WORDS("fine.h5"));
  says(folder, WORDS("info", "fine.h5"), 0, WORDS("warmth", "fiber", "16", "25"));
  folder_remove(&folder);
}

static void mesh_errors_leave_nothing(void **state) {
  (void)state;
  char *folder = folder_create();
  put_text(folder, "bad.msh", SQUARE_MESH_HEAD "$Nodes\n9\n1 0");
  says(folder, WORDS("mesh", "bad.msh", "out.h5"), 4, WORDS("bad.msh:1"));
  says(folder, WORDS("mesh", "absent.msh", "out.h5"), 4, WORDS("absent.msh"));
  expect_that(!is_there(folder, "out.h5"), "a failed import left a file");
  put_text(folder, "good.msh", SQUARE_MESH);
  says(folder, WORDS("mesh", "good.msh", "no/such/place/out.h5"), 9, WORDS("no/such/place/out.h5"));
  for (int k = 0; k < 2; ++k) /* a mesh of Sinew's own is made anew */
    says(folder, WORDS("mesh", "good.msh", "out.h5"), 0, WORDS("out.h5"));
  put_text(folder, "other.h5", "\x89HDF\r\n\x1a\n of another program");
  says(folder, WORDS("mesh", "good.msh", "other.h5"), 9, WORDS("'other.h5' exists already; --overwrite replaces it"));
  put_text(folder, "mine.inp", "** hours of work\n");
  says(folder, WORDS("mesh", "good.msh", "mine.inp"), 9, WORDS("'mine.inp' exists already; --overwrite replaces it"));
  char *text = get_text(folder, "mine.inp");
  assert_string_equal(text, "** hours of work\n");
  free(text);
  says(folder, WORDS("mesh", "good.msh", "mine.inp", "--overwrite"), 0, WORDS("mine.inp"));
  text = get_text(folder, "mine.inp");
  assert_non_null(strstr(text, "*NODE"));
  free(text);
  folder_remove(&folder);
}

static void info_of_files(void **state) {
  (void)state;
  char *folder = square_folder();
  says(folder, WORDS("run", "case.yaml"), 0, WORDS("results"));
  says(folder, WORDS("info", "square.msh"), 0, WORDS("9", "quad4", "left", "body"));
  says(folder, WORDS("info", "results/results.hdf"), 0, WORDS("displacement", "stress", "von-mises", "auto"));
  says(folder, WORDS("info", "absent.msh"), 4, WORDS("absent.msh"));
  Run run = run_sinew(folder, "info", "case.yaml", NULL);
  Run made = run_program(folder, "mkfifo", WORDS("pipe.hdf"));
  run_release(&made);
  says(folder, WORDS("info", "pipe.hdf"), 4, WORDS("pipe.hdf: is a FIFO")); /* and does not wait for its other end */
  expect_that(run.code != 0 && run.code != 1, "info of a text file gives %d: %s", run.code, run.err);
  run_release(&run);
  folder_remove(&folder);
}

static bool gmsh_is_there(void) {
  Run run = run_program(".", "sh", WORDS("-c", "command -v gmsh"));
  const bool there = run.code == 0;
  run_release(&run);
  return there;
}

static void geo_is_meshed(void **state) {
  (void)state;
  if (!gmsh_is_there()) skip();
  char *folder = folder_create(), *text = edited(SQUARE_CASE, "square.msh", "square.geo");
  put_text(folder, "case.yaml", text);
  static const char geo[] =
      "Point(1) = {0,0,0,0.3}; Point(2) = {1,0,0,0.3}; Point(3) = {1,1,0,0.3}; Point(4) = {0,1,0,0.3};\n"
      "Line(1) = {1,2}; Line(2) = {2,3}; Line(3) = {3,4}; Line(4) = {4,1};\n"
      "Curve Loop(1) = {1,2,3,4}; Plane Surface(1) = {1};\n"
      "Physical Curve(\"bottom\") = {1}; Physical Curve(\"right\") = {2}; Physical Curve(\"left\") = {4};\n"
      "Physical Surface(\"body\") = {1};\n";
  put_text(folder, "square.geo", geo);
  says(folder, WORDS("verify", "case.yaml"), 0, WORDS("corner"));
  says(folder, WORDS("mesh", "square.geo", "square.h5", "--order", "2"), 0, WORDS("tri6"));
  char *evil = edited(geo, "Plane Surface(1) = {1};", "Plane Surface(1) = {1}; SystemCall \"touch made\";");
  put_text(folder, "square.geo", evil);
  free(evil);
  says(folder, WORDS("check", "case.yaml"), 4, WORDS("square.geo:", "'SystemCall' starts a program", "add --trust"));
  says(folder, WORDS("run", "case.yaml"), 4, WORDS("add --trust"));
  says(folder, WORDS("verify", "case.yaml"), 4, WORDS("add --trust"));
  says(folder, WORDS("mesh", "square.geo", "square.h5"), 4, WORDS("add --trust"));
  assert_false(is_there(folder, "made"));
  says(folder, WORDS("check", "case.yaml", "--trust"), 0, WORDS("unknowns"));
  assert_true(is_there(folder, "made"));
  char *broken = edited(geo, "Plane Surface(1) = {1};", "Plane Surface(1) = {7};");
  put_text(folder, "square.geo", broken);
  says(folder, WORDS("check", "case.yaml"), 4, WORDS("square.geo", "Error"));
  free(broken);
  put_text(folder, "square.geo", "Point(1) = {0,0,0");
  says(folder, WORDS("check", "case.yaml"), 4, WORDS("square.geo"));
  free(text);
  folder_remove(&folder);
}

/* OpenMP takes any number from the environment, and crashes where it cannot start as many threads. */
static void threads_of_the_environment(void **state) {
  static const char *const lines[] = {"OMP_NUM_THREADS=70001 \"$0\" run case.yaml -q --overwrite; test $? = 2",
                                      "OMP_NUM_THREADS=4097 \"$0\" check case.yaml -q; test $? = 2",
                                      "OMP_NUM_THREADS=70001 \"$0\" run case.yaml -q --overwrite --threads 1",
                                      "OMP_NUM_THREADS=70001 \"$0\" --version"};
  (void)state;
  char *folder = square_folder();
  for (int k = 0; k < 4; ++k) {
    Run run = run_program(folder, "sh", (const char *[]){"-c", lines[k], SINEW_PROGRAM, NULL});
    assert_code(&run, 0);
    if (k < 2) assert_said(&run, k ? "asks for 4097 threads" : "asks for 70001 threads, must be 1 to 4096");
    run_release(&run);
  }
  folder_remove(&folder);
}

/* Lengths whose squares no number holds, small and large. */
static void sizes_beyond_their_squares(void **state) {
  (void)state;
  char *folder = square_folder();
  for (int k = 0; k < 2; ++k) {
    Run run = run_sinew(folder, "run", "case.yaml", "--overwrite", "--set",
                        k ? "boundary.2.traction=[3e-190,0]" : "boundary.2.traction=[3e280,0]", NULL);
    assert_code(&run, 0);
    assert_said(&run, k ? "e-193 at (1, 1, 0)" : "e+277 at (1, 1, 0)");
    assert_not_said(&run, "nan");
    assert_not_said(&run, "inf ");
    run_release(&run);
    char *text = get_text(folder, "results/report.json");
    expect_that(strstr(text, k ? "e-193" : "e+277") != NULL, "no largest displacement in report.json");
    free(text);
  }
  folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(version),
      cmocka_unit_test(help_of_each_command),
      cmocka_unit_test(help_of_keys),
      cmocka_unit_test(wrong_usage),
      cmocka_unit_test(lists),
      cmocka_unit_test(check_says_cavities),
      cmocka_unit_test(check_says_all),
      cmocka_unit_test(check_of_a_body_larger_than_its_sample),
      cmocka_unit_test(verify_holds_expectations),
      cmocka_unit_test(verify_without_expectations),
      cmocka_unit_test(options_of_run),
      cmocka_unit_test(set_changes_any_key),
      cmocka_unit_test(backend_cuda),
      cmocka_unit_test(resume_without_checkpoint),
      cmocka_unit_test(mesh_round_trip),
      cmocka_unit_test(parts_that_touch_are_told),
      cmocka_unit_test(fields_survive),
      cmocka_unit_test(mesh_errors_leave_nothing),
      cmocka_unit_test(info_of_files),
      cmocka_unit_test(geo_is_meshed),
      cmocka_unit_test(threads_of_the_environment),
      cmocka_unit_test(sizes_beyond_their_squares),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
