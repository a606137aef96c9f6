/* Each row of app/elasticity/analyses.def against its bits, its functions and the reference of keys. */
#include "app/elasticity/case_elasticity.h"
#include "app/run/run.h"
#include "tests/testing.h"

#include <stdio.h>
#include <string.h>

static const struct Row {
  const char *name, *word, *strain;
  const Analysis *analysis;
} rows[] = {
#define ANALYSIS(NAME, name_) {#name_, #name_, NULL, &name_##_analysis},
#define ANALYSIS_OF_STRAIN(NAME, name_) {#name_, NULL, #name_, &name_##_analysis},
#define ANALYSIS_OF_BOTH(NAME, name_, word) {#name_, #word, "finite", &name_##_analysis},
#define ANALYSIS_OF_KEYS(NAME, name_) {#name_, NULL, NULL, &name_##_analysis},
#define ANALYSIS_OF_MORE(NAME, name_) {#name_, "transient", NULL, &name_##_analysis},
#include "app/elasticity/analyses.def"
};

static int bad;
static void want(const struct Row *row, bool holds, const char *what) {
  if (holds) return;
  ++bad;
  print_error("analysis %s: %s\n", row->name, what);
}

static bool same(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

static void check_row(int k) {
  const struct Row *row = &rows[k];
  const Analysis *a = row->analysis;
  const Physics *p = &a->physics;
  const bool steps = p->kind & HAS_STEPS;
  want(row, p->kind >> k & 1, "its bit is not among those of ANALYSIS_PHYSICS");
  want(row, same(p->analysis, k ? row->word : NULL), ".analysis is not its word");
  want(row, same(p->strain, row->strain), ".strain is not its word");
  want(row, k == 0 || p->keys || row->word || row->strain, "neither .keys nor a word");
  want(row, p->keys || !p->claims, ".claims without .keys");
  want(row, p->check != NULL, "no .check");
  want(row, p->cost.build > 0, "no .cost");
  want(row, k == 0 || (p->save_steps && p->print_steps), "no .save_steps, .print_steps");
  want(row, steps == (p->steps == run_steps), ".steps is not that of steps in time, or HAS_STEPS is missing");
  want(row, !(p->kind & HAS_FREQUENCIES) == !p->over_frequency, ".over_frequency and HAS_FREQUENCIES are not the same");
  if (a->like) {
    want(row, !a->like->like, ".like is an analysis that is like another");
    want(row, !a->own && !a->prepare && !a->begin && !a->problem && !a->open && !a->next && !a->store && !a->release,
         "with .like it has no functions but .end");
    want(row, (a->like->physics.kind & HAS_STEPS) == (p->kind & HAS_STEPS), "HAS_STEPS is not as in .like");
    return;
  }
  want(row, a->begin && a->open && a->next && a->store, "no .begin, .open, .next or .store");
  want(row, steps == (a->problem != NULL), ".problem and HAS_STEPS are not the same");
}

static void rows_are_whole(void **state) {
  (void)state;
  for (int k = 0; k < (int)(sizeof rows / sizeof *rows); ++k) {
    check_row(k);
    for (int i = 0; i < k; ++i) want(&rows[k], rows[i].analysis != rows[k].analysis, "its row is that of another");
  }
  assert_int_equal(bad, 0);
}

/* A case with that word is read as one of that row, and the pages of keys say so. */
static void words_are_known(void **state) {
  (void)state;
  static char page[1 << 18];
  char text[64];
  static const char *const pages[] = {"case-file", "reference/elasticity", "reference/steps", "reference/vibration",
                                      "reference/electromechanics"};
  size_t n = 0;
  for (int p = 0; p < (int)(sizeof pages / sizeof *pages); ++p) {
    char path[400];
    snprintf(path, sizeof path, "%s/docs/%s.md", SINEW_SOURCE_DIR, pages[p]);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    n += fread(page + n, 1, sizeof page - 1 - n, file);
    fclose(file);
    assert_true(n > 1000 && n < sizeof page - 1);
  }
  for (int k = 0; k < (int)(sizeof rows / sizeof *rows); ++k) {
    const char *const *keys = rows[k].analysis->physics.keys;
    if (keys) snprintf(text, sizeof text, "`%s", keys[0]);
    else
      snprintf(text, sizeof text, "%s: %s", rows[k].word ? "type" : "strain",
               rows[k].word ? rows[k].word : rows[k].name);
    want(&rows[k], strstr(page, text) != NULL, "no page of keys has it");
    want(&rows[k], physics_kind(0, k) == &rows[k].analysis->physics, "it is not among the kinds of cases");
  }
  assert_int_equal(bad, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_whole), cmocka_unit_test(words_are_known)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
