/* The lists of a cell model, and its file. */
#include "physics/import/cell_model.h"
#include "core/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_MOST = 1 << 22, DEEPEST = 2000, LARGEST = 1 << 18 };

const char *model_path(const CellModel *model, ModelPlace place) {
  return place.file > 0 ? model->more[place.file - 1].path : model->path;
}

Status model_fail(const CellModel *model, ModelPlace place, const char *format, ...) {
  char text[1536];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return FAIL(ERR_INPUT, "%s:%d:%d: %s", model_path(model, place), (int)place.line, (int)place.column, text);
}

Status model_add_component(CellModel *m, Name name, int32_t *out) {
  if (model_list_full(m->n_component))
    RESIZE(m->component, model_list_grown(m->n_component), "components of a cell model");
  *out = m->n_component;
  m->component[m->n_component++] = name;
  return OK;
}

Status model_add_variable(CellModel *m, ModelVariable variable, int32_t *out) {
  if (m->n_variable == MODEL_VARIABLES) return model_fail(m, variable.place, "more than %d variables", MODEL_VARIABLES);
  if (model_list_full(m->n_variable)) RESIZE(m->variable, model_list_grown(m->n_variable), "variables of a cell model");
  *out = m->n_variable;
  m->variable[m->n_variable++] = variable;
  return OK;
}

Status model_add_alias(CellModel *m, ModelAlias alias) {
  if (model_list_full(m->n_alias)) RESIZE(m->alias, model_list_grown(m->n_alias), "aliases of a cell model");
  m->alias[m->n_alias++] = alias;
  return OK;
}

Status model_add_node(CellModel *m, FormulaNode node, int32_t *out) {
  if (model_list_full(m->n_node)) RESIZE(m->node, model_list_grown(m->n_node), "formulas of a cell model");
  node.depth = node.size = 1;
  for (int k = 0; k < 3 && node.kind == FORMULA_OP && node.child[k] >= 0; ++k) {
    const FormulaNode *child = &m->node[node.child[k]];
    if (child->depth >= node.depth) node.depth = child->depth + 1;
    node.size += child->size;
  }
  if (node.depth > DEEPEST || node.size > LARGEST)
    return model_fail(m, node.place, "a formula with more than %d operations, or more than %d one in another", LARGEST,
                      DEEPEST);
  *out = m->n_node;
  m->node[m->n_node++] = node;
  return OK;
}

Status model_keep(CellModel *m, char *path, char *text, int32_t *file) {
  if (model_list_full(m->n_more)) RESIZE(m->more, model_list_grown(m->n_more), "files of a cell model");
  m->more[m->n_more++] = (ModelFile){path, text};
  *file = m->n_more;
  return OK;
}

const char *cell_model_name(const CellModel *m, int32_t i, char text[NAME_TEXT]) {
  const ModelVariable *v = &m->variable[i];
  const Name c = v->component >= 0 ? m->component[v->component] : (Name){"", 0};
  int at = snprintf(text, NAME_TEXT, "%.*s%s", c.n, c.text, c.n ? "." : "");
  if (v->parent >= 0 && at < NAME_TEXT) {
    const Name p = m->variable[v->parent].name;
    at += snprintf(text + at, (size_t)(NAME_TEXT - at), "%.*s.", p.n, p.text);
  }
  if (at < NAME_TEXT) snprintf(text + at, (size_t)(NAME_TEXT - at), "%.*s", v->name.n, v->name.text);
  return text;
}

int32_t cell_model_find(const CellModel *m, const char *name) {
  int32_t found = NONE, n = 0;
  char text[NAME_TEXT];
  for (int32_t i = 0; i < m->n_variable; ++i) {
    if (!strcmp(cell_model_name(m, i, text), name)) return i;
    if (name_is(m->variable[i].name, name)) found = i, ++n;
  }
  return n == 1 ? found : NONE;
}

static bool ends(const char *path, const char *ending) {
  const size_t n = strlen(path), k = strlen(ending);
  return n > k && !strcmp(path + n - k, ending);
}

static Status model_read(CellModel *m) {
  static const struct Format {
    const char *ending;
    Status (*parse)(CellModel *model);
  } formats[] = {{".mmt", mmt_parse}, {".cellml", cellml_parse}, {".xml", cellml_parse}, {".model", easyml_parse}};
  Status (*parse)(CellModel * model) = NULL;
  for (size_t k = 0; k < sizeof formats / sizeof *formats; ++k)
    if (ends(m->path, formats[k].ending)) parse = formats[k].parse;
  CHECK(parse, ERR_INPUT, "%s: is not a cell model that can be read\n  allowed: " CELL_MODEL_ENDINGS, m->path);
  TRY(parse(m));
  TRY(model_resolve(m));
  TRY(model_sort(m));
  m->cellml = parse == cellml_parse;
  return m->cellml && !m->tension ? model_find_stimulus(m) : OK;
}

static Status model_make(const char *path, const char *text, bool tension, CellModel **out) {
  CellModel *m = NULL;
  *out = NULL;
  ALLOC(m, 1, "a cell model");
  m->tension = tension;
  Status status = mem_text(path, "a cell model", &m->path);
  if (status == OK) status = mem_text(text, "a cell model", &m->text);
  if (status == OK) status = model_read(m);
  if (status != OK) cell_model_destroy(&m);
  *out = m;
  return status;
}

Status cell_model_parse(const char *path, const char *text, CellModel **out) {
  return model_make(path, text, false, out);
}

static Status file_bytes(int file, const char *path, char **text) {
  struct stat info;
  CHECK(fstat(file, &info) == 0 && S_ISREG(info.st_mode), ERR_INPUT,
        "%s: is not a regular file; a cell model is expected: " CELL_MODEL_ENDINGS, path);
  CHECK(info.st_size <= FILE_MOST, ERR_INPUT, "%s: is %lld bytes long; a cell model has at most 4 MiB", path,
        (long long)info.st_size);
  const size_t size = (size_t)info.st_size;
  size_t at = 0;
  ALLOC(*text, size + 1, "a cell model");
  while (at < size) {
    const ssize_t got = read(file, *text + at, size - at);
    if (got < 0 && errno == EINTR) continue;
    CHECK(got >= 0, ERR_IO, "%s: cannot read: %s", path, strerror(errno));
    if (got == 0) break;
    at += (size_t)got;
  }
  const char *zero = memchr(*text, 0, at);
  int line = 1;
  for (const char *p = *text; zero && p < zero; ++p) line += *p == '\n';
  CHECK(!zero, ERR_INPUT,
        "%s:%d: a byte of zero; a cell model is a text (in UTF-8: a file in UTF-16 must be saved anew)", path, line);
  return OK;
}

Status model_file_text(const char *path, char **text) {
  *text = NULL;
  const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  CHECK(file >= 0, ERR_INPUT, "%s: cannot open the cell model: %s", path, strerror(errno));
  const Status status = file_bytes(file, path, text);
  close(file);
  if (status != OK) FREE(*text);
  return status;
}

static Status model_load(const char *path, bool tension, CellModel **out) {
  char *text = NULL;
  *out = NULL;
  TRY(model_file_text(path, &text));
  const Status status = model_make(path, text, tension, out);
  FREE(text);
  return status;
}

Status cell_model_load(const char *path, CellModel **out) { return model_load(path, false, out); }
Status cell_model_load_tension(const char *path, CellModel **out) { return model_load(path, true, out); }

void cell_model_destroy(CellModel **model) {
  CellModel *m = *model;
  if (!m) return;
  FREE(m->path);
  FREE(m->text);
  for (int32_t k = 0; k < m->n_more; ++k) {
    FREE(m->more[k].path);
    FREE(m->more[k].text);
  }
  FREE(m->more);
  FREE(m->component);
  FREE(m->variable);
  FREE(m->alias);
  FREE(m->node);
  FREE(m->order);
  FREE(*model);
}
