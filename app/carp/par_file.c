/* Lines of a parameter file and their values. */
#include "app/carp/par.h"
#include "app/input/number.h"
#include "core/memory.h"
#include "core/text_source.h"
#include "output/folder.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static Place par_place(const Par *par, const ParLine *line) {
  return (Place){.line = line ? line->line : 1, .file = par->path};
}

void par_refuse(Par *par, const ParLine *line, const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  report_error(&par->refused, line ? par_place(par, line) : (Place){0}, "%s%s%s", line ? line->name : "",
               line ? ": " : "", text);
}

void par_leave(Par *par, const ParLine *line, const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (line) text_add(&par->left, "\n  %s:%d: %s: %s", par->path, line->line, line->name, text);
  else text_add(&par->left, "\n  %s: %s", par->path, text);
  ++par->n_left;
}

static char *trimmed(char *text) {
  text += strspn(text, " \t\r");
  for (size_t n = strlen(text); n && strchr(" \t\r", text[n - 1]);) text[--n] = 0;
  return text;
}

/* Ends the line at a comment, which begins with # outside of quotes. */
static void without_comment(char *line) {
  for (char quote = 0; *line; ++line) {
    if (*line == '#' && !quote) *line = 0;
    else if (quote) quote = *line == quote ? 0 : quote;
    else if (*line == '"' || *line == '\'') quote = *line;
    if (!*line) return;
  }
}

static char *without_quotes(char *value) {
  const size_t n = strlen(value);
  if (n < 2 || (*value != '"' && *value != '\'') || value[n - 1] != *value) return value;
  value[n - 1] = 0;
  return value + 1;
}

/* A name, then its value behind an equals sign or blanks. */
static void par_line(Par *par, char *line, int32_t number) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.[]";
  ParLine item = {.name = trimmed(line), .value = line, .line = number};
  without_comment(line);
  item.name = trimmed(line);
  if (!*item.name) return;
  char *end = item.name + strspn(item.name, letters), *rest = trimmed(end);
  const bool equal = *rest == '=';
  if (end == item.name || (!equal && (rest == end || !*rest))) {
    item.used = true;
    par_refuse(par, &item, "is no 'name = value'");
    return;
  }
  item.value = without_quotes(trimmed(rest + equal));
  *end = 0;
  par->item[par->n++] = item;
}

Status par_read(Par *par) {
  TextSource source = {0};
  par->refused = (Diagnostics){.path = par->path};
  TRY(source_open(par->path, par->path, &source));
  par->bytes = source.bytes;
  source.bytes = NULL;
  source_close(&source);
  int64_t lines = 1;
  for (const char *p = par->bytes; *p; ++p) lines += *p == '\n';
  ALLOC(par->item, lines, "the lines of a parameter file");
  int32_t number = 1;
  for (char *line = par->bytes, *next; line; line = next, ++number) {
    next = strchr(line, '\n');
    if (next) *next++ = 0;
    par_line(par, line, number);
  }
  return OK;
}

void par_release(Par *par) {
  FREE(par->bytes);
  FREE(par->item);
  diagnostics_release(&par->refused);
  text_release(&par->left);
  FREE(par->no_cells);
  mesh_destroy(&par->mesh);
}

static ParLine *line_of(Par *par, const char *name) {
  ParLine *found = NULL;
  for (int32_t i = 0; i < par->n; ++i)
    if (strcmp(par->item[i].name, name) == 0) (found = &par->item[i])->used = true;
  return found;
}

static const ParLine *line_by(Par *par, const char *format, va_list args) {
  char name[PAR_NAME];
  vsnprintf(name, sizeof name, format, args);
  return line_of(par, name);
}

const ParLine *par_find(Par *par, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const ParLine *line = line_by(par, format, args);
  va_end(args);
  return line;
}

bool par_any(const Par *par, const char *prefix) {
  for (int32_t i = 0; i < par->n; ++i)
    if (strncmp(par->item[i].name, prefix, strlen(prefix)) == 0) return true;
  return false;
}

static double number_of(Par *par, const ParLine *line, double otherwise) {
  double value = otherwise;
  const char *why = NULL;
  if (!line) return otherwise;
  if (!number_parse(line->value, &value, &why)) {
    char seen[SEEN_BYTES];
    par_refuse(par, line, "is '%s', not a number", seen_text(line->value, seen));
    return otherwise;
  }
  return value;
}

double par_number(Par *par, double otherwise, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const ParLine *line = line_by(par, format, args);
  va_end(args);
  return number_of(par, line, otherwise);
}

static int integer_of(Par *par, const ParLine *line, int otherwise) {
  const double value = number_of(par, line, otherwise);
  if (value >= -1e9 && value <= 1e9 && fabs(value - round(value)) < 1e-9) return (int)round(value);
  par_refuse(par, line, "is %g, must be a whole number", value);
  return otherwise;
}

int par_integer(Par *par, int otherwise, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const ParLine *line = line_by(par, format, args);
  va_end(args);
  return integer_of(par, line, otherwise);
}

int par_count(Par *par, const char *counter, const char *array, int otherwise) {
  enum { MOST = 10000 };
  const size_t n = strlen(array);
  const ParLine *said = line_of(par, counter);
  int most = 0;
  for (int32_t i = 0; i < par->n; ++i) {
    const char *name = par->item[i].name;
    if (strncmp(name, array, n) != 0 || name[n] != '[') continue;
    const long index = strtol(name + n + 1, NULL, 10);
    if (index >= most && index < MOST) most = (int)index + 1;
  }
  const int count = said ? integer_of(par, said, otherwise) : most > otherwise ? most : otherwise;
  if (said && par->n_array < PAR_ARRAYS) par->array[par->n_array++] = (ParArray){array, counter, count};
  if (count >= 0 && count <= MOST) return count;
  par_refuse(par, said, "is %d, must lie in [0, %d]", count, MOST);
  return otherwise;
}

/* "7", "10:20" or "10:2:20" at *text; how many numbers, 0: it is none of these. */
static int range_of(const char **text, int64_t range[3]) {
  int n = 0;
  for (char *end;; *text = end + 1) {
    range[n] = strtoll(*text, &end, 10);
    if (end == *text) return 0;
    ++n;
    if (*end == ':' && n < 3) continue;
    *text = end;
    return *end && !strchr(" ,", *end) ? 0 : n;
  }
}

static void add_tags(Par *par, const ParLine *line, ParTags *out) {
  for (const char *p = line->value + strspn(line->value, " ,"); *p; p += strspn(p, " ,")) {
    int64_t range[3];
    const int n = range_of(&p, range);
    const int64_t step = n == 3 ? range[1] : 1, last = n ? range[n - 1] : 0;
    if (n == 0 || step < 1 || last < range[0]) {
      par_refuse(par, line, "is '%s', not a list of tags such as \"1,2,10:20\"", line->value);
      return;
    }
    for (int64_t tag = range[0]; tag <= last && out->n < PAR_TAGS_MOST; tag += step) out->tag[out->n++] = tag;
  }
  if (out->n == PAR_TAGS_MOST) par_refuse(par, line, "has %d tags or more", PAR_TAGS_MOST);
}

void par_tags(Par *par, const char *name, ParTags *out) {
  const ParLine *list = par_find(par, "%s.ID", name);
  int n = par_integer(par, -1, "%s.num_IDs", name);
  out->n = 0;
  if (list) add_tags(par, list, out);
  for (int k = 0; n < 0 || k < n; ++k) {
    const ParLine *line = par_find(par, "%s.ID[%d]", name, k);
    if (!line && (n < 0 || k > PAR_TAGS_MOST)) break;
    if (line) add_tags(par, line, out);
  }
  if (list && n >= 0 && out->n > n) out->n = n;
}

Status par_path(const Par *par, const char *name, const char *ending, char **out) {
  const char *slash = strrchr(par->path, '/');
  struct stat info;
  *out = NULL;
  for (int k = 0; k < 4; ++k) { /* beside the parameter file, then here; as it is called, then with the ending */
    const bool beside = k < 2 && slash && *name != '/';
    Text path = {0};
    text_add(&path, "%.*s%s%s", beside ? (int)(slash + 1 - par->path) : 0, par->path, name, k % 2 ? ending : "");
    if (path.status == OK && stat(path.data, &info) == 0 && S_ISREG(info.st_mode))
      return mem_text(path.data, "a path", out) == OK ? (text_release(&path), OK) : ERR_MEMORY;
    const Status status = path.status;
    text_release(&path);
    TRY(status);
  }
  return OK;
}

static bool real_folder(const char *path, char real[PATH_MAX]) {
  char folder[PATH_MAX];
  const char *slash = strrchr(path, '/');
  if (strlen(path) >= sizeof folder) return false;
  if (slash) snprintf(folder, sizeof folder, "%.*s", (int)(slash == path ? 1 : slash - path), path);
  else snprintf(folder, sizeof folder, ".");
  return realpath(folder, real) != NULL;
}

Status par_relative(const Par *par, const char *path, Text *text) {
  char from[PATH_MAX], to[PATH_MAX];
  const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
  CHECK(real_folder(par->out, from), ERR_IO, "cannot write '%s': its folder is not there", par->out);
  CHECK(real_folder(path, to), ERR_INPUT, "'%s': its folder is not there", path);
  size_t same = 0; /* of both, up to behind a slash */
  for (size_t i = 0;; ++i) {
    const bool a = !from[i] || from[i] == '/', b = !to[i] || to[i] == '/';
    if (a && b) same = i;
    if (!from[i] || !to[i] || from[i] != to[i]) break;
  }
  for (const char *p = from + same; (p = strchr(p, '/')) && p[1]; ++p) text_add(text, "../");
  if (to[same]) text_add(text, "%s/", to + same + 1);
  text_add(text, "%s", file);
  return text->status;
}
