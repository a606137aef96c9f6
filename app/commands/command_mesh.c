/* sinew mesh and sinew info */
#include "app/commands/commands.h"
#include "app/commands/result_choice.h"
#include "app/report/progress.h"
#include "output/wording.h"
#include "core/memory.h"
#include "core/text_source.h"
#include "mesh/check/check.h"
#include "mesh/io/h5.h"
#include "mesh/io/write.h"
#include "mesh/mesh.h"
#include "output/checkpoint.h"
#include "output/folder.h"
#include "output/inspect.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char *command_mesh_plural(int32_t n) { return n == 1 ? "" : "s"; }

static void print_mesh(const Mesh *mesh) {
  char count[32];
  printf("  %s nodes\n", count_text(mesh->n_node, count));
  for (int32_t b = 0; b < mesh->n_block; ++b)
    printf("  %s %s element%s\n", count_text(mesh->block[b].n, count), element_type(mesh->block[b].kind)->name,
           command_mesh_plural(mesh->block[b].n));
  for (int32_t g = 0; g < mesh->n_group; ++g) {
    static const char *const dimension[] = {"point", "curve", "surface", "volume"};
    const Group *group = &mesh->group[g];
    printf("  group %s: %s, %s element%s\n", group->name, dimension[group->dim & 3], count_text(group->n, count),
           command_mesh_plural(group->n));
  }
  for (int32_t f = 0; f < mesh->n_field; ++f)
    printf("  field %s: on %s, %d component%s\n", mesh->field[f].name, mesh->field[f].on_nodes ? "nodes" : "elements",
           mesh->field[f].n_component, command_mesh_plural(mesh->field[f].n_component));
}

/* Parts that touch through duplicate nodes are told of: a case with 'contact' or 'tie' takes them. */
static Status load_with_parts(const MeshParams *params, Mesh **out) {
  TRY(mesh_load(params, out));
  const Status status = check_parts(*out);
  if (status != OK && status != ERR_MESH) mesh_destroy(out);
  if (status != ERR_MESH) return status;
  status_warn("%s\n  'contact' and 'tie' of a case take them as they are", status_message());
  return OK;
}

/* A mesh that Sinew wrote, which its source makes anew; decks and .msh files may hold what somebody wrote into them. */
static bool is_sealed(const char *path) {
  bool sealed = false;
  return path_ends(path, ".h5") && h5_check_seal(path, path, &sealed) == OK && sealed;
}

static Status check_output(const char *in, const char *out, bool overwrite) {
  struct stat a, b;
  char endings[80];
  mesh_write_endings(endings, sizeof endings);
  CHECK(mesh_writes(out), ERR_USAGE,
        "sinew: the output '%s' must end in %s\n  for other formats write a .msh, from which gmsh or meshio makes them",
        out, endings);
  CHECK(stat(in, &a) != 0 || stat(out, &b) != 0 || a.st_dev != b.st_dev || a.st_ino != b.st_ino, ERR_USAGE,
        "sinew: '%s' would be written over itself", in);
  return file_is_free(out, overwrite || is_sealed(out));
}

Status command_mesh(const Options *options, Guard guard) {
  const char *in = options->operand[0], *out = options->operand[1];
  const MeshParams params = {.path = in,
                             .order = options->order,
                             .refine = options->refine,
                             .size = options->size,
                             .touch = true,
                             .trust = options->trust,
                             .time_limit = options->time_limit};
  Mesh *mesh = NULL;
  TRY(check_output(in, out, options->overwrite));
  Status status = load_with_parts(&params, &mesh);
  if (status == OK) {
    if (guard) guard(1);
    status = mesh_write(mesh, out);
    if (guard) guard(0);
  }
  if (status == OK && mesh->n_field && !mesh_writes_fields(out))
    status_warn("'%s' has no fields: the format has no word for them", out);
  if (status == OK && !options->quiet) {
    printf("%s\n", out);
    print_mesh(mesh);
  }
  mesh_destroy(&mesh);
  return status;
}

/* A folder stands for the result in it. */
static Status info_operand(const char *given, char **out) {
  struct stat info;
  Text path = {0};
  *out = NULL;
  if (stat(given, &info) == 0 && S_ISDIR(info.st_mode)) {
    char *folder = NULL;
    TRY(result_folder(given, &folder));
    const Status status = output_path(folder, "results.hdf", out);
    FREE(folder);
    return status;
  }
  const char *dot = strrchr(given, '.');
  CHECK(!dot || (strcmp(dot, ".yaml") != 0 && strcmp(dot, ".yml") != 0), ERR_USAGE,
        "sinew: '%s' is a case file; 'sinew check %s' shows what it says", given, given);
  text_add(&path, "%s", given);
  return folder_path(&path, out);
}

static Status info_of(const char *path) {
  Mesh *mesh = NULL;
  char *text = NULL;
  bool known = false;
  ALLOC(text, DESCRIPTION_BYTES, "the description of a file");
  const Status status = file_describe(path, &known, text, DESCRIPTION_BYTES);
  if (status == OK && known) printf("%s\n%s%s", path, text, *text && text[strlen(text) - 1] != '\n' ? "\n" : "");
  FREE(text);
  if (status != OK || known) return status;
  const MeshParams params = {.path = path, .touch = true};
  TRY(load_with_parts(&params, &mesh));
  printf("%s\n", path);
  print_mesh(mesh);
  double low[3], high[3];
  mesh_extent(mesh, low, high);
  for (int k = 0; k < mesh->dim + mesh->in_space; ++k) printf("  %c from %.6g to %.6g\n", "xyz"[k], low[k], high[k]);
  MeshQuality quality;
  mesh_quality(mesh, &quality);
  printf("  quality: worst %.3g, mean %.3g (1 is ideal)\n", quality.worst, quality.mean);
  mesh_destroy(&mesh);
  return OK;
}

Status command_info(const Options *options) {
  char *path = NULL;
  TRY(info_operand(options->operand[0], &path));
  const Status status = info_of(path);
  FREE(path);
  return status;
}
