/* The examples of the documents are run: every YAML block is a case that `sinew check` accepts (and `run` or `verify`,
 * where it is marked so), every `sinew` command names commands and options that are there.
 *
 * A block that is not a whole case, or needs files, says how it is completed in a comment on the line above, which readers
 * do not see: <!-- example: into heart --> replaces the keys of tests/docs/heart.yaml by its own; "lines into plate"
 * does so with its first line and each of the others alone; "with plate.geo=cases/plate-with-hole/mesh.geo" copies a
 * file beside it, "coarse" behind that makes the elements of such a .geo, h = ..., 5 large; "run" and "verify" do more
 * than check. */
#include "tests/cli/run_program.h"
#include "tests/docs/page.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool have_gmsh(void) {
  static int answer = -1;
  if (answer < 0) {
    Run run = run_program(".", "sh", (const char *const[]){"-c", "command -v gmsh", NULL});
    answer = run.code == 0;
    run_release(&run);
  }
  return answer;
}

/* What a marker asks for. */
typedef struct Plan {
  char base[64];
  bool lines, run, verify, meshes, followed;
} Plan;

/* Reads the marker and copies its files into `folder`. */
static Plan plan_of(const char *marker, const char *folder) {
  Plan plan = {0};
  char words[1000], *rest = NULL;
  snprintf(words, sizeof words, "%s", marker ? marker : "");
  for (char *word = strtok_r(words, " ,", &rest); word; word = strtok_r(NULL, " ,", &rest)) {
    if (!strcmp(word, "into")) snprintf(plan.base, sizeof plan.base, "tests/docs/%s.yaml", strtok_r(NULL, " ,", &rest));
    if (!strcmp(word, "lines")) plan.lines = true;
    if (!strcmp(word, "followed")) plan.followed = true;
    if (!strcmp(word, "run")) plan.run = true;
    if (!strcmp(word, "verify")) plan.verify = true;
    if (!strcmp(word, "coarse")) {
      Run run = run_program(
          folder, "sh",
          (const char *const[]){"-c", "sed -E -i 's/^(DefineConstant.. )?h = ([{]?)[0-9.]+/\\1h = \\25/' *.geo", NULL});
      assert_code(&run, 0);
      run_release(&run);
    }
    char *from = strchr(word, '=');
    if (!from) continue;
    *from++ = 0;
    char source[1000];
    snprintf(source, sizeof source, "%s/%s", SINEW_SOURCE_DIR, from);
    plan.meshes |= strstr(word, ".geo") != NULL;
    Run run = run_program(folder, "cp", (const char *const[]){source, word, NULL});
    assert_code(&run, 0);
    run_release(&run);
  }
  return plan;
}

static const char *line_after(const char *at) {
  const char *end = strchr(at, '\n');
  return end ? end + 1 : at + strlen(at);
}

/* The lines of the outermost key at `at`. */
static size_t key_length(const char *at) {
  const char *end = line_after(at);
  while (*end == ' ' || *end == '#' || *end == '\n') end = line_after(end);
  return (size_t)(end - at);
}

static bool has_key(const char *text, const char *key) {
  const size_t n = strcspn(key, ":") + 1;
  for (const char *at = text; *at; at = line_after(at))
    if (!strncmp(at, key, n)) return true;
  return false;
}

/* base with its outermost keys replaced by those of `part`. Owned. */
static char *complete(const char *base, const char *part) {
  char *text = calloc(strlen(base) + strlen(part) + 2, 1);
  for (const char *at = base; *at; at += key_length(at))
    if (isalpha((unsigned char)*at) && !has_key(part, at)) strncat(text, at, key_length(at));
  strcat(text, part);
  return text;
}

static int sinew_fails(const Block *block, const char *folder, const char *command) {
  Run run = run_sinew(folder, command, "case.yaml", strcmp(command, "run") ? NULL : "--overwrite", NULL);
  const int bad =
      run.code ? page_complaint(block->page, block->line, "'sinew %s' ends with %d:\n%s", command, run.code, run.err)
               : 0;
  run_release(&run);
  return bad;
}

static int try_case(const Block *block, const Plan *plan, const char *folder, const char *text) {
  char *base = *plan->base ? get_text(SINEW_SOURCE_DIR, plan->base) : NULL;
  char *whole = base ? complete(base, text) : strdup(text);
  put_text(folder, "case.yaml", whole);
  free(base);
  free(whole);
  return sinew_fails(block, folder, plan->verify ? "verify" : plan->run ? "run" : "check");
}

static int try_lines(const Block *block, const Plan *plan, const char *folder) {
  const char *first = block->text, *second = line_after(first);
  int bad = 0;
  for (const char *at = second; *at; at = line_after(at)) {
    char text[1000];
    snprintf(text, sizeof text, "%.*s%.*s", (int)(second - first), first, (int)(line_after(at) - at), at);
    bad += try_case(block, plan, folder, text);
  }
  return bad;
}

static int try_block(const Block *block, bool *skipped) {
  char *folder = folder_create();
  Plan plan = plan_of(block->marker, folder);
  int bad = 0;
  if (plan.followed && !strncmp(block->page, "docs/first-", 11)) bad = 0;
  else if (plan.meshes && !have_gmsh()) *skipped = true;
  else if (!*plan.base && !strstr(block->text, "version: 1"))
    bad = page_complaint(
        block->page, block->line,
        "a YAML block that is not a whole case; say above it what completes it: <!-- example: into heart -->");
  else bad = plan.lines ? try_lines(block, &plan, folder) : try_case(block, &plan, folder, block->text);
  folder_remove(&folder);
  return bad;
}

static void yaml_blocks(void **state) {
  (void)state;
  Pages pages = pages_read();
  int bad = 0, n = 0;
  bool skipped = false;
  for (int i = 0; i < pages.n_block; ++i) {
    const Block *block = &pages.block[i];
    if (strcmp(block->language, "yaml")) continue;
    bad += try_block(block, &skipped);
    ++n;
  }
  assert_true(n >= 8);
  pages_release(&pages);
  assert_int_equal(bad, 0);
  if (skipped) print_message("without gmsh: the examples with a .geo were left out\n");
  if (skipped) skip();
}

/* The help of a command, kept; NULL when there is no such command. */
static const char *help_of(const char *command) {
  static struct {
    char name[64];
    char *text;
  } known[64];
  static int n;
  for (int i = 0; i < n; ++i)
    if (!strcmp(known[i].name, command)) return known[i].text;
  assert_true(n < 64);
  Run run = run_sinew(".", command, "--help", NULL);
  snprintf(known[n].name, sizeof known[n].name, "%s", command);
  known[n].text = run.code ? NULL : strdup(run.out);
  run_release(&run);
  return known[n++].text;
}

/* "--rtol" in the help, not only as the beginning of another option. */
static bool help_has(const char *help, const char *option, size_t n) {
  for (const char *at = help; (at = strstr(at, "--")); at += 2)
    if (!strncmp(at, option, n) && !isalnum((unsigned char)at[n]) && at[n] != '-') return true;
  return false;
}

/* Does `sinew check FILE --set WORD` accept it? What it says otherwise goes to *said, owned. */
static bool set_works(const char *folder, const char *file, const char *word, char **said) {
  Run run = run_sinew(folder, "check", file, "--set", word, NULL);
  const bool good = run.code == 0 || run.code == 4;
  free(*said);
  *said = strdup(run.err);
  run_release(&run);
  return good;
}

/* A page of cases/ speaks of its own case, whose mesh is left away here: an error of the case would be told before that
 * of the mesh (4). Other pages speak of any: one of the base cases must take it. */
static int try_set(const Block *at, const char *word) {
  const char *equals = strchr(word, '=');
  if (!equals || isupper((unsigned char)*word) ||
      (isupper((unsigned char)equals[1]) && isupper((unsigned char)equals[2])) || !strncmp(word, "key.", 4) ||
      strstr(word, "..."))
    return 0;
  static const char *const bases[] = {"set", "plate", "heat", "heart"};
  char *said = NULL, path[300];
  bool good = false;
  if (!strncmp(at->page, "cases/", 6)) {
    char *folder = folder_create();
    char all[1000];
    snprintf(all, sizeof all, "cp '%s/%.*s'/* . && rm -f *.geo", SINEW_SOURCE_DIR,
             (int)(strrchr(at->page, '/') - at->page), at->page);
    Run run = run_program(folder, "sh", (const char *const[]){"-c", all, NULL});
    run_release(&run);
    good = set_works(folder, "case.yaml", word, &said);
    folder_remove(&folder);
  } else {
    for (size_t i = 0; i < sizeof bases / sizeof *bases && !good; ++i) {
      snprintf(path, sizeof path, "%s.yaml", bases[i]);
      good = set_works(SINEW_SOURCE_DIR "/tests/docs", path, word, &said);
    }
  }
  const int bad = good ? 0 : page_complaint(at->page, at->line, "--set %s does not work:\n%s", word, said);
  free(said);
  return bad;
}

/* The next word of a command: blanks end it except within ' ' and " ". */
static bool next_word(const char **at, char *word, size_t size) {
  *at += strspn(*at, " \\");
  size_t n = 0;
  char quote = 0;
  for (; **at && **at != '\n' && (quote || !strchr(" #|;&>", **at)); ++*at) {
    if (quote ? **at == quote : **at == '\'' || **at == '"') quote = quote ? 0 : **at;
    else if (n + 1 < size) word[n++] = **at;
  }
  word[n] = 0;
  return n > 0;
}

static bool is_bench(const char *name) {
  char *list = get_text(SINEW_SOURCE_DIR, "bench/benches.def"), line[100];
  snprintf(line, sizeof line, "\nBENCH(%.80s,", name);
  const bool is = strstr(list, line) != NULL;
  free(list);
  return is;
}

/* A command line that begins behind "sinew ". */
static int try_command(const Block *where, const char *at) {
  char command[64], word[300];
  if (!next_word(&at, command, sizeof command) || isupper((unsigned char)*command)) return 0;
  if (!strcmp(command, "--version") || !strcmp(command, "--help")) return 0;
  const char *help = help_of(command);
  if (!help) return page_complaint(where->page, where->line, "there is no command 'sinew %s'", command);
  int bad = 0;
  bool set = false;
  for (int i = 0; next_word(&at, word, sizeof word); ++i) {
    if (set) bad += try_set(where, word);
    set = !strcmp(word, "--set");
    const size_t n = strcspn(word, "=");
    if (!strncmp(word, "--", 2) && !help_has(help, word, n))
      bad += page_complaint(where->page, where->line, "'sinew %s' has no option '%.*s'", command, (int)n, word);
    const bool kind = !strcmp(command, "bench") || !strcmp(command, "list");
    if (i == 0 && kind && islower((unsigned char)*word) && !strstr(help, word) && !is_bench(word))
      bad += page_complaint(where->page, where->line, "there is no 'sinew %s %s'", command, word);
  }
  return bad;
}

/* Is the word that ends at `at` the first of its line? Else it is a path given to another program. */
static bool begins_line(const char *text, const char *at) {
  while (at > text && at[-1] != '\n' && at[-1] != ' ') --at;
  return at == text || at[-1] == '\n';
}

/* Commands at the beginning of a line or behind a blank; not "sinew" in a text. */
static int try_commands(const Block *where) {
  int bad = 0;
  for (const char *at = where->text; (at = strstr(at, "sinew ")); at += 6)
    if (at == where->text || at[-1] == '\n' || at[-1] == ' ' || (at[-1] == '/' && begins_line(where->text, at)))
      bad += try_command(where, at + 6);
  return bad;
}

/* Is the first word of text, "--rtol X", an option of any command? */
static bool is_option(const char *text) {
  static const char *const names[] = {"run",  "check",  "verify", "mesh", "solve", "info",  "list",     "bench",
                                      "init", "schema", "plot",   "cell", "model", "sweep", "protocol", "serve"};
  const size_t n = strcspn(text, " =");
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const char *help = help_of(names[i]);
    if (help && help_has(help, text, n)) return true;
  }
  return !strcmp(text, "--version");
}

/* cmake --preset NAME and ctest --preset NAME of a block. */
static int try_presets(const Block *block, const char *presets) {
  int bad = 0;
  for (const char *at = block->text; (at = strstr(at, "--preset ")); ++at) {
    char name[64];
    snprintf(name, sizeof name, "\"name\": \"%.*s\"", (int)strcspn(at + 9, " \n&;"), at + 9);
    if (!strstr(presets, name)) bad += page_complaint(block->page, block->line, "there is no preset with %s", name);
  }
  return bad;
}

static void presets(void **state) {
  (void)state;
  Pages pages = pages_read();
  char *text = get_text(SINEW_SOURCE_DIR, "CMakePresets.json");
  int bad = 0;
  for (int i = 0; i < pages.n_block; ++i) bad += try_presets(&pages.block[i], text);
  free(text);
  pages_release(&pages);
  assert_int_equal(bad, 0);
}

static void commands(void **state) {
  (void)state;
  Pages pages = pages_read();
  int bad = 0, n = 0;
  for (int i = 0; i < pages.n_block; ++i) {
    const Block *block = &pages.block[i];
    if (strcmp(block->page, "CHANGELOG.md") && (!*block->language || !strcmp(block->language, "sh")))
      bad += try_commands(block), ++n;
  }
  for (int i = 0; i < pages.n_piece; ++i) {
    const Piece *p = &pages.piece[i];
    if (p->is_link || !strcmp(p->page, "CHANGELOG.md")) continue;
    const Block where = {.page = p->page, .line = p->line, .text = p->text};
    if (!strncmp(p->text, "sinew ", 6)) bad += try_commands(&where), ++n;
    if (!strncmp(p->text, "--", 2) && strncmp(p->text, "--set ", 6) && !is_option(p->text))
      bad += page_complaint(p->page, p->line, "no command has the option '%s'", p->text);
    char word[300];
    bool set = false;
    for (const char *at = p->text; !strncmp(p->text, "--set ", 6) && next_word(&at, word, sizeof word); ++n) {
      if (set) bad += try_set(&where, word);
      set = !strcmp(word, "--set");
    }
  }
  assert_true(n > 30);
  pages_release(&pages);
  assert_int_equal(bad, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(yaml_blocks), cmocka_unit_test(commands),
                                     cmocka_unit_test(presets)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
