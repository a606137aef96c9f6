/* The meshes and cases of `sinew bench run`: cubes of elastic material, held at x = 0 and pulled down at x = 1, and hearts
 * that are paced at the inner surface of the left ventricle. */
#include "bench/run/run_input.h"
#include "mesh/mesh.h"

#include <stdio.h>
#include <sys/stat.h>

static const RunInput INPUTS[] = {
    {"small", "hex8 7^3, 1.5 thousand unknowns", RUN_HEX, 7, .target = 0.25, .before = 0.4},
    {"hex-0.5m", "hex8 54^3, 0.49 M unknowns", RUN_HEX, 54, .before = 0.77, .target = 0.40},
    {"hex-10m", "hex8 149^3, 10.06 M unknowns", RUN_HEX, 149, .large = true, .before = 12.8, .target = 1.6},
    {"hex-30m", "hex8 214^3, 29.7 M unknowns", RUN_HEX, 214, .large = true, .before = 43.6, .target = 4},
    {"hex-100m", "hex8 321^3, 100.2 M unknowns", RUN_HEX, 321, .large = true, .target = 14},
    {"check-100m", "check of hex8 321^3", RUN_HEX, 321, .check = true, .large = true, .before = 60, .target = 6},
    {"tet-3m", "tet4 99^3 x 6, 2.97 M unknowns", RUN_TET, 99, .large = true, .before = 4.9, .target = 0.9},
    {"gmsh-5m", ".msh 4.1 of 5 M tet4", RUN_GMSH, 94, .large = true, .target = 2},
    {"rabbit", "rabbit refined once, 600 ms", RUN_HEART, 1, .heart = "rabbit.msh", .rtol = 1e-6, .before = 5.7,
     .target = 1.6},
    {"rabbit-default", "the same, rtol 1e-8", RUN_HEART, 1, .heart = "rabbit.msh", .rtol = 1e-8},
    {"patient", "patient refined once, 600 ms", RUN_HEART, 1, .heart = "patient.msh", .rtol = 1e-6, .before = 2.6,
     .target = 0.9},
    {"patient-default", "the same, rtol 1e-8", RUN_HEART, 1, .heart = "patient.msh", .rtol = 1e-8},
};

int run_input_count(void) { return (int)(sizeof INPUTS / sizeof *INPUTS); }
const RunInput *run_input(int i) { return &INPUTS[i]; }

static bool file_exists(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && info.st_size > 0;
}

static Status cube_write(const RunInput *input, const char *path) {
  const BoxParams box = {.kind = input->kind == RUN_HEX ? ELEMENT_HEX8 : ELEMENT_TET4,
                         .n = {input->cells, input->cells, input->cells},
                         .size = {1, 1, 1}};
  Mesh *mesh = NULL;
  TRY(mesh_box(&box, &mesh));
  const Status status = input->kind == RUN_GMSH ? run_write_gmsh(mesh, path) : mesh_write_h5(mesh, path);
  mesh_destroy(&mesh);
  return status;
}

static const char cube_case[] = "version: 1\n"
                                "mesh: %s\n"
                                "physics: elasticity\n"
                                "model: 3d\n"
                                "formulation: displacement\n" /* the element of the figures before */
                                "materials: [{on: body, young: 210e9, poisson: 0.3}]\n"
                                "boundary:\n"
                                "  - {on: x0, fix: all}\n"
                                "  - {on: x1, force: [0, 0, -1e6]}\n"
                                "output: {fields: [displacement, von-mises]}\n";
static const char heart_case[] = "version: 1\n"
                                 "units: mm, ms, mV\n"
                                 "mesh: {file: %s, refine: %d}\n"
                                 "physics: monodomain\n"
                                 "tissue:\n"
                                 "  - {on: myocardium, ionic: {model: aliev-panfilov, preset: goktepe-kuhl}, "
                                 "diffusivity: {along: 1, across: 0.25},\n"
                                 "     fibers: fiber}\n"
                                 "stimuli: [{on: lv_endo, start: 0, duration: 2, amplitude: 100}]\n"
                                 "time: {end: 600, step: 0.5}\n"
                                 "solver: {rtol: %g}\n"
                                 "output: {every: 5, fields: [potential, recovery], maps: [activation]}\n";

Status run_input_write(const RunInput *input, const char *folder, const char *meshes, char path[RUN_PATH]) {
  char mesh[RUN_PATH];
  if (input->kind == RUN_HEART) {
    CHECK(meshes, ERR_INPUT, "%s needs --meshes FOLDER with %s in it", input->name, input->heart);
    snprintf(mesh, sizeof mesh, "%s/%s", meshes, input->heart);
    CHECK(file_exists(mesh), ERR_INPUT, "there is no %s", mesh);
  } else {
    const char *family = input->kind == RUN_HEX ? "hex" : "tet";
    snprintf(mesh, sizeof mesh, "%s/%s-%d.%s", folder, family, input->cells, input->kind == RUN_GMSH ? "msh" : "h5");
    if (!file_exists(mesh)) TRY(cube_write(input, mesh));
  }
  snprintf(path, RUN_PATH, "%s/%s.yaml", folder, input->name);
  FILE *f = fopen(path, "w");
  CHECK(f, ERR_IO, "cannot write %s", path);
  if (input->kind == RUN_HEART) fprintf(f, heart_case, mesh, input->cells, input->rtol);
  else fprintf(f, cube_case, mesh);
  CHECK(fclose(f) == 0, ERR_IO, "cannot write %s", path);
  return OK;
}
