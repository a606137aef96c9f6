/* sinew model export: a cell model of a file becomes a header of those that are compiled in. */
#include "app/commands/commands.h"
#include "core/memory.h"
#include "physics/import/model_export.h"

#include <stdio.h>
#include <string.h>

/* "folder/my_cell.h" to "my_cell". */
static Status model_name(const char *path, char *name, size_t size) {
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  const size_t n = strlen(base);
  CHECK(n > 2 && n < size && !strcmp(base + n - 2, ".h"), ERR_USAGE,
        "sinew: the output '%s' must be a header, NAME.h; NAME is then the model's", path);
  snprintf(name, size, "%.*s", (int)n - 2, base);
  return OK;
}

/* The line for physics/ionics.def, which stands in the header's first remark. */
static void print_line(const char *header) {
  const char *line = strstr(header, "IONIC_GATES("), *end = line ? strchr(line, ')') : NULL;
  if (end) printf("for physics/ionics.def: %.*s\n", (int)(end - line) + 1, line);
}

Status command_model(const Options *options, Guard guard) {
  char name[128], *header = NULL;
  CellModel *model = NULL;
  Text text = {0};
  TRY(options_topic(COMMAND_MODEL, options->operand[0]));
  TRY(model_name(options->operand[2], name, sizeof name));
  TRY(file_is_free(options->operand[2], options->overwrite));
  Status status = cell_model_load(options->operand[1], &model);
  if (status == OK) status = cell_model_choose(model, options->potential, options->stimulus);
  if (status == OK) status = model_export(model, name, &header);
  if (status == OK) {
    text_add_bytes(&text, header, (int64_t)strlen(header));
    if (guard) guard(1);
    status = text_save(&text, options->operand[2], false);
    if (guard) guard(0);
  }
  if (status == OK && !options->quiet) printf("%s\n", options->operand[2]), print_line(header);
  text_release(&text);
  FREE(header);
  cell_model_destroy(&model);
  return status;
}
