#include "app/commands/help_key.h"
#include "app/commands/option_lines.h"
#include "app/commands/options.h"
#include "app/input/case_tables.h"
#include "app/input/diagnostics.h"
#include "app/input/physics.h"
#include "core/memory.h"
#include "core/nearest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH = 160, DEEPEST = 7, PLACES_MOST = 4, NAMES = 8192, WORDS_SHOWN = 60 };

/* A key, or a parameter by name, with the first path that leads to it. */
typedef struct Row {
  const Key *key;
  const Param *param; /* NULL: a key */
  int n_param;        /* rows of it, of a list of numbers */
  const char *of;     /* of a parameter: the word that has it, `type: plastic` */
  const Schema *in;
  char path[PATH];
  uint32_t physics; /* bits of physics_at */
  int n_place;      /* other paths, and the first of them: */
  char place[PLACES_MOST][PATH];
} Row;

typedef struct Search {
  const char *asked; /* NULL: all names are collected */
  int physics, n_row, room;
  Row *row; /* owned */
  int n_name;
  const char **name; /* owned, [NAMES] of views */
  const Schema *in[DEEPEST];
  Status status;
} Search;

/* "materials.0.young" as tables have it; numbers of items leave. */
static void path_of(const char *asked, char path[PATH]) {
  int n = 0;
  for (const char *at = asked; *at && n + 1 < PATH;) {
    const size_t length = strcspn(at, "."), digits = strspn(at, "0123456789");
    const bool number = digits == length && length;
    if (!number && n) path[n++] = '.';
    for (size_t k = 0; !number && k < length && n + 1 < PATH; ++k) path[n++] = at[k];
    at += length + (at[length] == '.');
  }
  path[n] = 0;
}

static bool same_text(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

/* One row of tables that several physics have each. */
static bool same_key(const Row *a, const Row *b) {
  const Key *p = a->key, *q = b->key;
  return p == q ||
         (same_text(a->path, b->path) && p->type == q->type && p->schema == q->schema && p->words == q->words &&
          p->required == q->required && same_text(p->initial, q->initial) && same_text(p->meaning, q->meaning));
}

static Row *row_of(Search *s, const Row *seen) {
  for (int k = 0; k < s->n_row; ++k)
    if (s->row[k].param == seen->param && (seen->param || same_key(&s->row[k], seen))) return &s->row[k];
  return NULL;
}

static bool ends_so(const char *path, const char *asked) {
  const size_t n = strlen(path), m = strlen(asked);
  return n >= m && strcmp(path + n - m, asked) == 0 && (n == m || path[n - m - 1] == '.');
}

/* A row that is asked for, or another way to one that is there; the shortest path stands first. */
static void see(Search *s, const Row *seen) {
  if (s->name && s->n_name < NAMES) s->name[s->n_name++] = seen->param ? seen->param->name : seen->key->name;
  if (!s->asked || !ends_so(seen->path, s->asked) || s->status != OK) return;
  Row *row = row_of(s, seen);
  if (!row && s->n_row == s->room) {
    s->room = 2 * s->room + 8;
    s->status = mem_resize(s->room, sizeof *s->row, "keys of the case file", (void **)&s->row);
    if (s->status != OK) return;
  }
  if (!row) {
    s->row[s->n_row] = *seen;
    s->row[s->n_row++].physics = 1u << s->physics;
    return;
  }
  row->physics |= 1u << s->physics;
  for (int k = 0; k < row->n_place && k < PLACES_MOST; ++k)
    if (!strcmp(row->place[k], seen->path)) return;
  if (!strcmp(row->path, seen->path)) return;
  if (row->n_place < PLACES_MOST) snprintf(row->place[row->n_place], PATH, "%s", seen->path);
  ++row->n_place;
}

static void below(const char *path, const char *name, char out[PATH]) {
  const int n = snprintf(out, PATH, "%s%s%s", path, *path ? "." : "", name);
  if (n >= PATH) *out = 0; /* deeper than anybody asks */
}

static void see_params(Search *s, const Schema *schema, const char *path) {
  const Key *chooser = schema->params ? schema_key(schema, KIND_ANY, schema->chooser) : NULL;
  for (int w = 0; chooser && chooser->words[w].name; ++w) {
    int n = 0;
    const Param *param = schema->params(w, &n);
    for (int k = 0, rows; k < n; k += rows) {
      Row row = {.key = chooser, .param = &param[k], .of = chooser->words[w].name, .in = schema};
      rows = row.n_param = param_list(param, n, k);
      below(path, param[k].name, row.path);
      see(s, &row);
    }
  }
}

/* Maps that lead back to themselves end there. */
static void see_map(Search *s, const Schema *schema, const char *path, int depth) {
  for (int k = 0; k < depth; ++k)
    if (s->in[k] == schema) return;
  if (depth == DEEPEST) return;
  s->in[depth] = schema;
  for (int k = 0; k < schema->n; ++k) {
    Row row = {.key = &schema->key[k], .in = schema};
    below(path, row.key->name, row.path);
    see(s, &row);
    if (row.key->schema) see_map(s, row.key->schema, row.path, depth + 1);
  }
  see_params(s, schema, path);
}

static Status find_rows(Search *s) {
  for (s->physics = 0; s->physics < physics_count(); ++s->physics)
    see_map(s, physics_kind(s->physics, 0)->schema, "", 0);
  return s->status;
}

/* ---- what is said ---- */

static const char *type_text(const Key *key) {
  static const char *const text[] = {[VALUE_TEXT] = "a text",
                                     [VALUE_NUMBER] = "a number",
                                     [VALUE_INTEGER] = "a whole number",
                                     [VALUE_FLAG] = "true or false",
                                     [VALUE_WORD] = "a word",
                                     [VALUE_WORDS] = "a list of words",
                                     [VALUE_EXPR] = "a number or an expression of x, y, z, t",
                                     [VALUE_EXPRS] = "a list of 2 or 3 numbers or expressions of x, y, z, t",
                                     [VALUE_EXPR_OR_EXPRS] =
                                         "a number or an expression of x, y, z, t, a list of 2 or 3, or {normal: one}",
                                     [VALUE_VECTOR] = "a list of 2 or 3 numbers",
                                     [VALUE_NUMBER_OR_VECTOR] = "a number, or a list of 2 or 3",
                                     [VALUE_TENSOR] = "a number, a list of 2 or 3, or 2 or 3 rows of as many",
                                     [VALUE_NAMES] = "a name or a list of names",
                                     [VALUE_FACTORS] = "a map of numbers by names",
                                     [VALUE_MAP] = "a map",
                                     [VALUE_MAPS] = "a list of maps",
                                     [VALUE_NAMED_MAPS] = "a map under a name of your own"};
  return text[key->type];
}

static void print_list(const char *head, const char *name, bool *any) {
  printf("%s%s", *any ? ", " : head, name);
  *any = true;
}

static void print_words(const Key *key) {
  bool any = false;
  int n = 0;
  for (int w = 0; key->words[w].name; ++w) {
    if (key->words[w].only == KIND_NONE || schema_word(key->words, key->words[w].name) != w) continue;
    if (n++ < WORDS_SHOWN) print_list("  allowed  ", key->words[w].name, &any);
  }
  if (n > WORDS_SHOWN) printf(" and %d more", n - WORDS_SHOWN);
  if (any) printf("\n");
}

static void print_range(const Param *range) {
  char text[80];
  if (isfinite(range->min) || isfinite(range->max)) printf("  allowed  %s\n", param_range(range, text, sizeof text));
}

/* Kinds of case that have it, behind the first words; true: there are some. */
static bool print_kinds(const Row *row, const char *head) {
  char name[KIND_BYTES];
  bool any = false;
  for (int i = 0; i < physics_count(); ++i) {
    const Physics *kind;
    if (!(row->physics >> i & 1)) continue;
    if (!row->key->only || row->param) print_list(head, physics_at(i)->name, &any);
    for (int k = 0; !row->param && row->key->only && (kind = physics_kind(i, k)); ++k)
      if (kind->kind & row->key->only) print_list(head, kind_name(kind, name), &any);
  }
  return any;
}

/* Key k is of some kind of case, and the first of its name. */
static bool is_told(const Schema *schema, int k) {
  bool told = schema->key[k].only != KIND_NONE;
  for (int j = 0; j < k; ++j) told &= strcmp(schema->key[j].name, schema->key[k].name) != 0;
  return told;
}

static void print_inside(const Schema *schema) {
  if (schema->plain) printf("  or       the value of '%s' alone, in place of the map\n", schema->plain);
  if (schema->whole) printf("  or       '%s', in place of the map\n", schema->whole);
  printf("  inside\n");
  for (int k = 0; k < schema->n; ++k)
    if (is_told(schema, k))
      printf("    %-16s %s%s\n", schema->key[k].name, schema->key[k].required ? "(required) " : "",
             schema->key[k].meaning);
  if (schema->params) printf("    and the parameters of the '%s': sinew help KEY has them too\n", schema->chooser);
}

/* The keys of the map that it stands in. */
static void print_beside(const Row *row) {
  char map[PATH];
  const char *dot = strrchr(row->path, '.'), *own = row->param ? "" : row->key->name;
  bool any = false;
  if (!dot) return;
  snprintf(map, sizeof map, "%.*s", (int)(dot - row->path), row->path);
  printf("  beside   in %s: ", map);
  for (int k = 0; k < row->in->n; ++k)
    if (is_told(row->in, k) && strcmp(row->in->key[k].name, own) != 0) print_list("", row->in->key[k].name, &any);
  printf("\n");
}

static void print_param(const Row *row) {
  char value[64], digits[32];
  const Param *p = row->param;
  const bool words = param_word(p, p->value, digits, sizeof digits);
  if (!words) snprintf(digits, sizeof digits, "%g", p->value);
  snprintf(value, sizeof value, "%s", p->required ? "none, it is required" : digits);
  printf("%s, of '%s: %s'\n  %s\n", row->path, row->in->chooser, row->of, p->meaning);
  if (row->n_param > 1) printf("  type     a list of %d\n", row->n_param);
  else
    printf("  type     %s\n", param_is_curve(p) || param_is_warm(p) ? "a number or a curve"
                              : words                               ? "a word"
                                                                    : "a number");
  if (!words) printf("  unit     %s\n", p->unit);
  printf("  default  %s\n", value);
  print_range(p);
}

static void print_key(const Row *row) {
  const Key *key = row->key;
  printf("%s\n  %s\n  type     %s%s\n", row->path, key->meaning, type_text(key),
         key->varying ? ", or what varies with the place" : "");
  if (key->required) printf("  default  none, it is required\n");
  else printf("  default  %s\n", key->initial ? key->initial : "not given");
  if (key->words) print_words(key);
  else if (key->min != 0 || key->max != 0)
    print_range(
        &(Param){.unit = "1", .min = key->min, .max = key->max, .open_min = key->open_min, .open_max = key->open_max});
}

static void print_row(const Row *row) {
  if (row->param) print_param(row);
  else print_key(row);
  if (print_kinds(row, "  cases    ")) printf("\n");
  for (int k = 0; k < row->n_place && k < PLACES_MOST; ++k)
    printf("%s%s%s", k ? ", " : "  also     ", row->place[k], k + 1 == row->n_place ? "\n" : "");
  if (row->n_place > PLACES_MOST) printf(" and %d more\n", row->n_place - PLACES_MOST);
  if (!row->param && row->key->schema) print_inside(row->key->schema);
  else print_beside(row);
}

/* Those at the path itself where there are any, else those that end so. */
static void keep_exact(Search *s, const char *path) {
  int n = 0;
  for (int k = 0; k < s->n_row; ++k) n += !strcmp(s->row[k].path, path);
  for (int k = 0, to = 0; n && k < s->n_row; ++k)
    if (!strcmp(s->row[k].path, path)) s->row[to++] = s->row[k];
  if (n) s->n_row = n;
}

/* One line of many. */
static void print_short(const Row *row) {
  char range[80];
  const Param *p = row->param;
  printf("  %s%s%s", row->path, p ? " of " : "", p ? row->of : "");
  if (!p) printf("%s", print_kinds(row, " (") ? ")" : "");
  printf(": %s", p ? p->meaning : row->key->meaning);
  if (p && p->required) printf("; %s, %s, required", p->unit, param_range(p, range, sizeof range));
  else if (p) printf("; %s, %s, default %g", p->unit, param_range(p, range, sizeof range), p->value);
  printf("\n");
}

static void print_rows(const Search *s, const char *path) {
  enum { FEW = 3 };
  for (int k = 0; k < s->n_row && s->n_row <= FEW; ++k) {
    if (k) printf("\n");
    print_row(&s->row[k]);
  }
  if (s->n_row <= FEW) return;
  printf("'%s' stands at %d places:\n", path, s->n_row);
  bool other = false;
  for (int k = 0; k < s->n_row; ++k) {
    print_short(&s->row[k]);
    other |= strcmp(s->row[k].path, s->row[0].path) != 0;
  }
  if (other) printf("'sinew help' with such a path says more\n");
}

static Status find(const char *asked, char path[PATH], Search *s) {
  path_of(strncmp(asked, "case.", 5) ? asked : asked + 5, path);
  *s = (Search){.asked = path};
  const Status status = *path ? find_rows(s) : OK;
  keep_exact(s, path);
  return status;
}

bool help_key_known(const char *asked) {
  char path[PATH];
  Search s;
  bool known = find(asked, path, &s) == OK && s.n_row && !strcmp(s.row[0].path, path);
  FREE(s.row);
  return known;
}

static Status unknown_key(const char *asked, const char *path) {
  const char *dot = strrchr(path, '.'), *leaf = dot ? dot + 1 : path;
  Search s = {0};
  char seen[SEEN_BYTES];
  TRY(mem_alloc(NAMES, sizeof *s.name, "names of keys", (void **)(void *)&s.name));
  for (int i = 0; i < command_line_count() && !dot; ++i) s.name[s.n_name++] = command_line_at(i)->name;
  (void)find_rows(&s);
  const char *near = nearest_name(leaf, s.n_name, s.name);
  char whole[2 * PATH];
  snprintf(whole, sizeof whole, "%.*s%s", (int)(leaf - path), path, near ? near : "");
  if (near && dot && help_key_known(whole)) near = whole;
  mem_free((void **)(void *)&s.name);
  FAIL(ERR_USAGE,
       "sinew: '%s' is no command and no key of the case file\n  commands: sinew --help; keys: sinew help case",
       seen_text(asked, seen));
  return near ? status_context(ERR_USAGE, "did you mean 'sinew help %s'?", near) : ERR_USAGE;
}

/* The keys at the top, of all physics. */
static void print_top(void) {
  for (int i = 0; i < physics_count(); ++i) {
    const Schema *schema = physics_kind(i, 0)->schema;
    printf("%sphysics: %s\n", i ? "\n" : "", physics_at(i)->name);
    for (int k = 0; k < schema->n; ++k)
      if (is_told(schema, k)) printf("  %-16s %s\n", schema->key[k].name, schema->key[k].meaning);
  }
}

Status help_key(const char *asked) {
  char path[PATH];
  Search s;
  if (!strcmp(asked, "case")) {
    print_top();
    return OK;
  }
  Status status = find(asked, path, &s);
  if (status == OK && s.n_row) print_rows(&s, path);
  else if (status == OK) status = unknown_key(asked, path);
  FREE(s.row);
  return status;
}
