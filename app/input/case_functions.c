/* `functions:`: from points, or a file of them, to functions in expressions. */
#include "app/input/case_tables.h"
#include "app/input/input_file.h"
#include "core/memory.h"
#include "core/text_source.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { TABLE_MOST = 1 << 28, SAID_BYTES = 600 };

static CaseFunction *case_function(const Case *c, int32_t i) {
  return (CaseFunction *)maps_item(&c->functions, sizeof(CaseFunction), i);
}
static ExprTable *table_of(Case *c, int32_t i) { return (ExprTable *)(uintptr_t)&c->tables.item[i]; }

/* Names alone: the points of one that is wrong stay away, which is said where they are read. */
Status case_functions_name(Case *c, int32_t root) {
  const int32_t list = tree_member(&c->tree, root, "functions");
  ExprTable *table = NULL;
  if (list < 0 || c->tree.node[list].kind != TREE_LIST || c->tree.node[list].n == 0) return OK;
  ALLOC(table, c->tree.node[list].n, "functions of the case file");
  c->tables.item = table;
  for (int32_t i = c->tree.node[list].first; i >= 0; i = c->tree.node[i].next) {
    const int32_t name = c->tree.node[i].kind == TREE_MAP ? tree_member(&c->tree, i, "name") : -1;
    const char *text = name >= 0 ? c->tree.node[name].text : NULL;
    table[c->tables.n++].name = text ? text : "";
  }
  return OK;
}

void case_functions_release(Case *c) {
  for (int32_t i = 0; i < c->tables.n; ++i) {
    FREE(table_of(c, i)->at);
    FREE(table_of(c, i)->value);
  }
  mem_free((void **)(void *)&c->tables.item);
  c->tables.n = 0;
}

static bool check_name(const Case *c, int32_t i, Diagnostics *out) {
  const TextValue *name = &case_function(c, i)->name;
  char seen[SEEN_BYTES];
  if (!name->text) return false; /* said already */
  seen_text(name->text, seen);
  if (!expr_is_name(name->text))
    report_error(out, name->place, "name '%s': letters, digits and _ are allowed, a letter first", seen);
  else if (expr_knows(name->text, c->tables.frequency))
    report_error(out, name->place, "name '%s' is a name of expressions already; choose another", seen);
  for (int32_t k = 0; k < i; ++k)
    if (case_function(c, k)->name.text && strcmp(case_function(c, k)->name.text, name->text) == 0)
      report_error(out, name->place, "name '%s' is that of an earlier function; choose another", seen);
  return !error_reported_at(out, name->place);
}

static Status expr_table_add(ExprTable *table, double at, double value) {
  if ((table->n & (table->n - 1)) == 0) {
    RESIZE(table->at, table->n ? 2 * table->n : 1, "points of a function");
    RESIZE(table->value, table->n ? 2 * table->n : 1, "points of a function");
  }
  table->at[table->n] = at;
  table->value[table->n++] = value;
  return OK;
}

static bool rises(const ExprTable *table, double at) { return table->n == 0 || at > table->at[table->n - 1]; }

static Status fill_points(const CaseFunction *f, ExprTable *table, Diagnostics *out) {
  if (f->points.n == 0) report_error(out, f->points.place, "points is empty; at least one is needed");
  for (int32_t k = 0; k < f->points.n; ++k) {
    const CasePoint *p = (const CasePoint *)maps_item(&f->points, sizeof(CasePoint), k);
    if (!place_given(p->at.place) || !place_given(p->value.place)) return OK;
    if (!rises(table, p->at.value)) {
      report_error(out, p->at.place,
                   "at is %g after %g, must rise from point to point\n  a jump is two points close to each other",
                   p->at.value, table->at[table->n - 1]);
      return OK;
    }
    TRY(expr_table_add(table, p->at.value, p->value.value));
  }
  return OK;
}

/* The names of the columns, and no number that is none. */
static bool is_title(const char *p) {
  return !strchr("+-.0123456789", *p) && strncasecmp(p, "nan", 3) != 0 && strncasecmp(p, "inf", 3) != 0;
}

/* The two numbers of a line, with blanks, a comma or a semicolon between. */
static bool two_numbers(const char *p, double *at, double *value) {
  p = source_number(p, at);
  if (!p || !strchr(" \t,;", *p)) return false;
  p += strspn(p, " \t");
  if (*p == ',' || *p == ';') ++p;
  p = source_number(p + strspn(p, " \t"), value);
  return p && !p[strspn(p, " \t\r")];
}

/* A file of lines, with comments behind # and one line of names at the top; *said: what is wrong with it. */
static Status parse_table(char *bytes, const char *path, ExprTable *table, char said[SAID_BYTES]) {
  char seen[SEEN_BYTES];
  int64_t line = 0;
  bool first = true;
  for (char *p; !*said && (p = source_data_line(&bytes, &line));) {
    double at, value;
    const bool numbers = two_numbers(p, &at, &value), title = first && is_title(p);
    first = false;
    if (!numbers && title) continue;
    if (!numbers)
      snprintf(said, SAID_BYTES, "%s:%lld: '%s' where two finite numbers were expected, with a comma or blanks between",
               path, (long long)line, seen_text(p, seen));
    else if (!rises(table, at))
      snprintf(
          said, SAID_BYTES,
          "%s:%lld: %g after %g: the first column must rise from line to line\n  a jump is two lines close to each "
          "other",
          path, (long long)line, at, table->at[table->n - 1]);
    else TRY(expr_table_add(table, at, value));
  }
  if (!*said && table->n == 0) snprintf(said, SAID_BYTES, "%s: has no line with two numbers", path);
  return OK;
}

Status case_file_bytes(const Case *c, const TextValue *file, char **bytes, size_t *n, Diagnostics *out) {
  char *path = NULL;
  *bytes = NULL;
  TRY(case_path(c, file->text, &path));
  Status status = input_file(path, "table", TABLE_MOST, bytes, n);
  FREE(path);
  if (status != ERR_INPUT) return status;
  report_error(out, file->place, "%s", status_message());
  return OK;
}

Status case_tables_note(Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->tree.n; ++i) {
    const TreeNode *node = &c->tree.node[i];
    const int32_t file =
        node->kind == TREE_MAP && tree_member(&c->tree, i, "by") >= 0 ? tree_member(&c->tree, i, "table") : -1;
    char *bytes = NULL;
    size_t n = 0;
    if (file < 0 || !c->tree.node[file].text) continue;
    const TextValue name = {c->tree.node[file].text, c->tree.node[file].place};
    TRY(case_file_bytes(c, &name, &bytes, &n, out));
    if (bytes) case_note(c, bytes, n);
    FREE(bytes);
  }
  return OK;
}

Status case_table_read(Case *c, const TextValue *file, ExprTable *table, Diagnostics *out) {
  char *bytes = NULL, said[SAID_BYTES] = "";
  size_t n = 0;
  TRY(case_file_bytes(c, file, &bytes, &n, out));
  if (!bytes) return OK;
  case_note(c, bytes, n);
  char *path = NULL;
  Status status = case_path(c, file->text, &path);
  if (status == OK) status = parse_table(bytes, path, table, said);
  if (*said) report_error(out, file->place, "%s", said);
  FREE(bytes);
  FREE(path);
  return status;
}

Status case_functions_fill(Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->functions.n; ++i) {
    const CaseFunction *f = case_function(c, i);
    const bool file = place_given(f->file.place), points = place_given(f->points.place);
    if (!check_name(c, i, out)) continue;
    if (file == points)
      report_error(out, f->place, "function '%s' needs either file or points%s", f->name.text,
                   file ? "; both are given" : "");
    else if (points) TRY(fill_points(f, table_of(c, i), out));
    else if (f->file.text) TRY(case_table_read(c, &f->file, table_of(c, i), out));
  }
  return OK;
}

/* Does the text call it, as `name(`? */
static bool calls(const char *text, const char *name) {
  const size_t n = strlen(name);
  for (const char *at = text; (at = strstr(at, name)); at += n) {
    const char *behind = at + n + strspn(at + n, " \t");
    const bool begins = at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_');
    if (begins && *behind == '(') return true;
  }
  return false;
}

void case_functions_warn(const Case *c) {
  char place[512];
  for (int32_t i = 0; i < c->functions.n; ++i) {
    const TextValue *name = &case_function(c, i)->name;
    bool used = false;
    for (int32_t k = 0; k < c->tree.n && !used; ++k)
      used = c->tree.node[k].text && calls(c->tree.node[k].text, name->text);
    if (!used)
      status_warn("%s: no expression calls the function '%s', which says nothing then\n  remedy: a value such as "
                  "\"2*%s(t)\", or leave it out",
                  place_text(c->path, name->place, place, sizeof place), name->text, name->text);
  }
}
