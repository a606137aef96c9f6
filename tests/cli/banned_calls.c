/* What is never called: functions that overrun, in library folders printing and ending the program, and memory that is
 * not counted (core/memory.h). */
#include "tests/testing.h"

#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { PROBLEMS_SHOWN = 40 };

typedef struct Room {
  const char *name;
  bool library; /* never prints, never ends the program */
} Room;

static const Room rooms[] = {{"core", true},    {"mesh", true},     {"physics", true},
                             {"algebra", true}, {"assembly", true}, {"solver", true},
                             {"output", true},  {"gpu", true},      {"app", false}};

static char problems[8192];
static int n_problem;

static void problem(const char *file, int line, const char *what, const char *seen) {
  if (n_problem++ < PROBLEMS_SHOWN)
    snprintf(problems + strlen(problems), sizeof problems - strlen(problems), "  %.200s:%d: %s%.200s\n", file, line,
             what, seen);
}

/* Blanks comments and what stands in quotes. */
static void blank_comments(char *text) {
  for (char *p = text; *p; ++p) {
    if (p[0] == '/' && p[1] == '*') {
      for (; *p && strncmp(p, "*/", 2); ++p)
        if (*p != '\n') *p = ' ';
      if (*p) p[0] = p[1] = ' ';
      else return;
    } else if (p[0] == '/' && p[1] == '/') {
      while (p[1] && p[1] != '\n') *p++ = ' ';
      *p = ' ';
    } else if (*p == '"' || *p == '\'') {
      for (const char quote = *p++; *p && *p != quote && *p != '\n'; ++p) {
        if (*p == '\\' && p[1] && p[1] != '\n') *p++ = ' ';
        *p = ' ';
      }
      if (!*p) return;
    }
  }
}

static bool calls(const char *line, const char *name) {
  const size_t n = strlen(name);
  for (const char *p = line; (p = strstr(p, name)); p += n)
    if ((p == line || !(isalnum((unsigned char)p[-1]) || p[-1] == '_' || p[-1] == '.' || p[-1] == '>')) && p[n] == '(')
      return true;
  return false;
}

static void check_calls(const Room *room, const char *file, int number, const char *line) {
  static const char *const never[] = {"gets", "strcat", "sprintf", "vsprintf", "atoi",
                                      "atof", "strtok", "system",  "popen"};
  static const char *const never_in_library[] = {"printf", "puts", "putchar", "perror", "exit", "_Exit", "abort"};
  static const char *const memory[] = {"malloc", "calloc", "realloc", "free", "strdup"};
  for (size_t i = 0; i < sizeof never / sizeof *never; ++i)
    if (calls(line, never[i])) problem(file, number, "calls ", never[i]);
  for (size_t i = 0; room->library && i < sizeof never_in_library / sizeof *never_in_library; ++i)
    if (calls(line, never_in_library[i])) problem(file, number, "a library folder calls ", never_in_library[i]);
  /* core/status.c lies below core/memory.c and has its own buffer; app/reserve.c is the malloc of the program */
  static const char *const own[] = {"core/memory.c", "core/status.c", "app/reserve.c"};
  bool has_own = false;
  for (size_t i = 0; i < sizeof own / sizeof *own; ++i) has_own |= strcmp(file, own[i]) == 0;
  for (size_t i = 0; !has_own && i < sizeof memory / sizeof *memory; ++i)
    if (calls(line, memory[i])) problem(file, number, "memory not through core/memory.h: ", memory[i]);
}

static void check_file(const Room *room, const char *file) {
  char path[8192];
  snprintf(path, sizeof path, SINEW_SOURCE_DIR "/%.4000s", file);
  FILE *stream = fopen(path, "rb");
  if (!stream) return; /* came and went */
  static char text[1 << 20];
  text[fread(text, 1, sizeof text - 1, stream)] = 0;
  fclose(stream);
  blank_comments(text);
  int number = 0;
  for (char *line = text; *line;) {
    const size_t n = strcspn(line, "\n");
    const bool more = line[n] == '\n';
    line[n] = 0;
    ++number;
    check_calls(room, file, number, line);
    line += n + more;
  }
}

static bool is_source(const char *name) {
  const char *end = strrchr(name, '.');
  static const char *const ends[] = {".c", ".h", ".cu", ".cuh", ".def"};
  for (int i = 0; end && i < 5; ++i)
    if (!strcmp(end, ends[i])) return true;
  return false;
}

static int check_folder(const Room *room, const char *folder) {
  char path[8192];
  snprintf(path, sizeof path, SINEW_SOURCE_DIR "/%.4000s", folder);
  DIR *list = opendir(path);
  int n = 0;
  for (const struct dirent *entry; list && (entry = readdir(list));) {
    snprintf(path, sizeof path, "%.4000s/%.255s", folder, entry->d_name);
    if (is_source(entry->d_name)) check_file(room, path), ++n;
    else if (!strchr(entry->d_name, '.') && entry->d_type == DT_DIR) n += check_folder(room, path);
  }
  if (list) closedir(list);
  return n;
}

static void rooms_keep_the_rules(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rooms / sizeof *rooms; ++i)
    if (!check_folder(&rooms[i], rooms[i].name)) fail_msg("no source files in %s/", rooms[i].name);
  if (n_problem) fail_msg("%d places break the rules of the house:\n%s", n_problem, problems);
}

/* The checks themselves see what they should. */
static void the_checks_see(void **state) {
  (void)state;
  char text[] = "a /* free(x) */ b \"exit(1)\" 'f' // abort()\nputs(x)\n";
  blank_comments(text);
  assert_null(strstr(text, "free"));
  assert_null(strstr(text, "exit"));
  assert_null(strstr(text, "abort"));
  assert_non_null(strstr(text, "puts(x)"));
  assert_true(calls("x = malloc(3);", "malloc"));
  assert_false(calls("mem_free(x); my_malloc(3); p->free(x)", "malloc"));
  assert_false(calls("mem_free(x); table->free(x)", "free"));
  assert_false(calls("snprintf(x)", "printf"));
  check_calls(&rooms[0], "core/x.c", 4, "  printf(\"\");");
  check_calls(&rooms[8], "app/x.c", 5, "  printf(\"\");");
  check_calls(&rooms[8], "app/x.c", 6, "  strcat(a, b);");
  assert_int_equal(n_problem, 2);
  n_problem = 0, problems[0] = 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_checks_see), cmocka_unit_test(rooms_keep_the_rules)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
