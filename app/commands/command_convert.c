/* sinew convert: a deck becomes a case file with its mesh, which run to the same numbers, and a parameter file of openCARP a
 * case file over its mesh; results: convert_result.c. */
#include "app/carp/par_case.h"
#include "app/commands/commands.h"
#include "app/deck/deck.h"
#include "core/memory.h"
#include "mesh/mesh.h"

#include <stdio.h>
#include <string.h>

enum { CASE_FILE_MAX = 1 << 20 };

static bool convert_ends(const char *path, const char *ending) {
  const size_t n = strlen(path), m = strlen(ending);
  return n > m && strcmp(path + n - m, ending) == 0;
}

/* "folder/case.yaml" to "folder/case.h5". */
static Status convert_mesh_path(const char *out, char **path) {
  Text text = {0};
  text_add(&text, "%.*s.h5", (int)(strrchr(out, '.') - out), out);
  return folder_path(&text, path);
}

/* mesh_path: NULL where none is written. */
static Status convert_allowed(const Options *options, const char *mesh_path) {
  const char *in = options->operand[0], *out = options->operand[1];
  const char *const file[] = {out, mesh_path};
  CHECK(deck_is(in) || par_is(in), ERR_USAGE,
        "sinew: '%s' is neither a deck (.inp) nor a parameter file of openCARP (.par)\n  'sinew mesh IN OUT' converts "
        "meshes",
        in);
  for (int i = 0; i < 2 && file[i]; ++i) TRY(file_is_free(file[i], options->overwrite));
  return OK;
}

/* why: and what to do. */
static Status case_fits(const Options *options, const Text *text, const char *why) {
  CHECK(text->n <= CASE_FILE_MAX, ERR_INPUT,
        "%s: makes a case file of %lld bytes, more than the 1 MiB that one may have%s", options->operand[0],
        (long long)text->n, why);
  return OK;
}

static Status convert_deck(const Options *options, const char *mesh_path, Guard guard) {
  const char *out = options->operand[1], *slash = strrchr(mesh_path, '/');
  Case *c = NULL;
  Text text = {0};
  TRY(deck_load(options->operand[0], slash ? slash + 1 : mesh_path, 0, NULL, &c));
  text_add(&text, "%s", c->text);
  Status status = text.status;
  if (status == OK)
    status = case_fits(options, &text, ", since its loads differ from node to node; 'sinew run' takes it as it is");
  if (guard) guard(1);
  if (status == OK) status = mesh_write_h5(c->made->mesh, mesh_path);
  if (status == OK) status = text_save(&text, out, false);
  if (guard) guard(0);
  if (status == OK && !options->quiet) printf("%s\n%s\n", out, mesh_path);
  text_release(&text);
  case_destroy(&c);
  return status;
}

/* What makes no case that can be read is not written. */
static Status case_reads(const Options *options, const Text *text) {
  Case *c = NULL;
  const Status status = case_parse(options->operand[1], text->data, (size_t)text->n, 0, NULL, &c);
  case_destroy(&c);
  return status == OK
             ? OK
             : status_context(status, "in the case that '%s' makes, which is not written", options->operand[0]);
}

static Status convert_par(const Options *options, Guard guard) {
  const char *out = options->operand[1];
  Text text = {0};
  TRY(convert_allowed(options, NULL));
  Status status = par_case(options->operand[0], out, &text);
  if (status == OK)
    status =
        case_fits(options, &text,
                  ": lists of nodes are long\n  remedy: a link of that .vtx that begins with the name of the mesh, "
                  "HEART.NAME.vtx, makes a group");
  if (status == OK) status = case_reads(options, &text);
  if (guard) guard(1);
  if (status == OK) status = text_save(&text, out, false);
  if (guard) guard(0);
  if (status == OK && !options->quiet) printf("%s\n", out);
  text_release(&text);
  return status;
}

Status command_convert(const Options *options, Guard guard) {
  const char *out = options->operand[1];
  char *mesh_path = NULL, endings[80];
  if (convert_is_result(out)) return convert_result(options, guard);
  convert_result_endings(endings, sizeof endings);
  CHECK(
      convert_ends(out, ".yaml") || convert_ends(out, ".yml"), ERR_USAGE,
      "sinew: the output '%s' must end in .yaml, for a deck (its mesh is written beside it) or a parameter file, or in "
      "%s, for a result",
      out, endings);
  if (par_is(options->operand[0])) return convert_par(options, guard);
  TRY(convert_mesh_path(out, &mesh_path));
  Status status = convert_allowed(options, mesh_path);
  if (status == OK) status = convert_deck(options, mesh_path, guard);
  FREE(mesh_path);
  return status;
}
