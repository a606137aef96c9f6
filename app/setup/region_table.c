#include "app/setup/region_table.h"
#include "app/input/diagnostics.h"
#include "core/memory.h"
#include "core/text_source.h"

#include <stdio.h>
#include <string.h>

enum { FIELDS_MOST = 64 };

static char *without_blanks(char *text) {
  text += strspn(text, " \t\r\"'");
  for (size_t n = strlen(text); n && strchr(" \t\r\"'", text[n - 1]);) text[--n] = 0;
  return text;
}

/* The fields of a line: between commas or semicolons, or, where it has none, between blanks. */
static int split(char *line, char *field[FIELDS_MOST]) {
  const char *const ends = strpbrk(line, ",;") ? ",;" : " \t\r";
  const bool blanks = *ends == ' ';
  int n = 0;
  while (n < FIELDS_MOST) {
    if (blanks) line += strspn(line, ends);
    if (blanks && !*line) break;
    char *end = line + strcspn(line, ends);
    const bool last = !*end;
    *end = 0;
    field[n++] = without_blanks(line);
    if (last) break;
    line = end + 1;
  }
  return n;
}

static bool number_of(const char *text, double *value) {
  const char *end = source_number(text, value);
  return end && !*end;
}

/* Which column: by the names at the top, or without them the only one. -1: none, which is said. */
static int choose_column(int n, char *const field[], bool named, const char *column, const char *path, char *said) {
  char list[256] = "";
  if (n == 2 && !named) return 1;
  for (int k = 1; k < n && named; ++k) {
    if (strcmp(field[k], column) == 0) return k;
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", k > 1 ? ", " : "", field[k]);
  }
  if (named)
    snprintf(said, REGION_SAID, "%s has no column '%s'\n  columns: %s%s", path, column, list,
             n == 2 ? "\n  remedy: if that is it, name it as the key, or leave the line of names out" : "");
  else
    snprintf(said, REGION_SAID,
             "%s has %d columns of numbers without names: give it a first line such as 'region, %s, ...'", path, n - 1,
             column);
  return -1;
}

static Status add_row(RegionTable *table, const char *region, double value, int64_t line) {
  if ((table->n & (table->n - 1)) == 0) RESIZE(table->row, table->n ? 2 * (int64_t)table->n : 1, "a table by regions");
  table->row[table->n++] = (RegionRow){region, value, line};
  return OK;
}

Status region_table_parse(char *bytes, const char *path, const char *column, RegionTable *out, char said[REGION_SAID]) {
  char *field[FIELDS_MOST], seen[SEEN_BYTES];
  int64_t line = 0;
  int at = 0;
  *said = 0;
  for (char *p; !*said && (p = source_data_line(&bytes, &line));) {
    double value;
    const int n = split(p, field);
    if (at == 0) {
      const bool named = n > 1 && !number_of(field[1], &value);
      at = choose_column(n, field, named, column, path, said);
      if (n < 2)
        snprintf(said, REGION_SAID, "%s:%lld: one column: a line has the name of a region and a number", path,
                 (long long)line);
      if (named || *said) continue;
    }
    if (at >= n || !number_of(field[at], &value))
      snprintf(said, REGION_SAID, "%s:%lld: '%s' where a finite number was expected", path, (long long)line,
               at < n ? seen_text(field[at], seen) : "");
    else TRY(add_row(out, field[0], value, line));
  }
  if (!*said && out->n == 0) snprintf(said, REGION_SAID, "%s: has no line with a region and a number", path);
  return OK;
}
