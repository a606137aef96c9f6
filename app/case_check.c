/* What the tables cannot say: one value of the case against another. */
#include "app/case_tables.h"
#include "core/memory.h"
#include "core/nearest.h"

#include <stdio.h>
#include <string.h>

enum { NAME_BYTES = 128 };

int case_dim(const Case *c) {
  if (!c->model.text) return 0;
  return c->model.value == MODEL_SOLID ? 3 : 2;
}

int sum_columns(const Case *c, const CaseSum *sum) {
  const char *letters = c->kind->sum_letters(c, sum);
  return *letters ? (int)strlen(letters) : 1;
}

const char *sum_column(const Case *c, const CaseSum *sum, int i, char *text, int size) {
  const char *name = sum->name.text ? sum->name.text : "", *letters = c->kind->sum_letters(c, sum);
  const char letter[] = {'-', *letters ? letters[i] : 0, 0};
  snprintf(text, (size_t)size, "%s%s", name, *letters ? letter : "");
  return text;
}

void case_check_directions(const Case *c, const char *key, int32_t n, Place place, Complaints *out) {
  if (n > 0 && case_dim(c) && n != case_dim(c))
    complain(out, place, "%s has %d entries; model '%s' has %d directions", key, n, c->model.text, case_dim(c));
}

/* Names of columns: taken ones, to find what is twice and what a row of expect: may mean. */
typedef struct Columns {
  int n, n_probe;           /* probes come first */
  char (*name)[NAME_BYTES]; /* owned */
  const char **list;        /* owned, views into name */
} Columns;

static bool have(int n, const char *const *list, const char *name) {
  for (int i = 0; i < n; ++i)
    if (strcmp(list[i], name) == 0) return true;
  return false;
}

static void add_column(Columns *columns, const char *name, Place place, Complaints *out) {
  if (have(columns->n, columns->list, name))
    complain(out, place, "the column '%s' of probes.csv exists already; choose another name", name);
  snprintf(columns->name[columns->n], NAME_BYTES, "%s", name);
  columns->list[columns->n] = columns->name[columns->n];
  ++columns->n;
}

static bool name_is_fine(const TextValue *name, Complaints *out) {
  if (!name->text) return false;
  bool fine = strlen(name->text) < NAME_BYTES - 8 && strpbrk(name->text, ",\";\n\r\t") == NULL;
  if (!fine)
    complain(out, name->place, "a name is at most %d bytes and has no comma, semicolon, quote or line break",
             NAME_BYTES - 8);
  return fine;
}

static void collect_probes(const Case *c, Columns *columns, Complaints *out) {
  for (int32_t i = 0; i < c->output.probes.n; ++i) {
    const CaseProbe *p = case_probe(c, i);
    if (name_is_fine(&p->name, out)) add_column(columns, p->name.text, p->name.place, out);
    if (p->at.n) case_check_directions(c, "at", p->at.n, p->at.place, out);
  }
}

static void collect_sums(const Case *c, Columns *columns, Complaints *out) {
  for (int32_t i = 0; i < c->output.sums.n; ++i) {
    const CaseSum *s = case_sum(c, i);
    char name[NAME_BYTES];
    if (!name_is_fine(&s->name, out)) continue;
    for (int k = 0; k < sum_columns(c, s); ++k)
      add_column(columns, sum_column(c, s, k, name, sizeof name), s->name.place, out);
  }
}

static void check_row_name(const char *what, const TextValue *name, int n, const char *const *known, Complaints *out) {
  if (!name->text || have(n, known, name->text)) return;
  char list[1024] = "", seen[SEEN_BYTES];
  for (int i = 0; i < n; ++i)
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", known[i]);
  const char *near = nearest_name(name->text, n, known);
  complain(out, name->place, "unknown %s '%s'\n  known: %s%s%s%s", what, seen_text(name->text, seen), n ? list : "none",
           near ? "\n  did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static void check_expect(const Case *c, const Columns *columns, Complaints *out) {
  const int n_probe = columns->n_probe, n_sum = columns->n - n_probe;
  for (int32_t i = 0; i < c->expect.n; ++i) {
    const CaseExpect *e = case_expect(c, i);
    const int forms = place_given(e->probe.place) + place_given(e->sum.place) + place_given(e->quantity.place);
    if (forms != 1)
      complain(out, e->place, "an expect row needs exactly one of probe, sum, quantity; this one has %s",
               forms ? "more" : "none");
    if (place_given(e->rtol.place) && place_given(e->atol.place))
      complain(out, e->place, "an expect row has rtol or atol, not both");
    if (place_given(e->rtol.place) && place_given(e->value.place) && e->value.value == 0)
      complain(out, e->rtol.place, "rtol of an expected 0 is nothing; use atol");
    check_row_name("probe", &e->probe, n_probe, columns->list, out);
    check_row_name("sum", &e->sum, n_sum, columns->list + n_probe, out);
  }
}

static Status check_columns(const Case *c, Columns *columns, Complaints *out) {
  const int64_t most = c->output.probes.n + 3 * (int64_t)c->output.sums.n;
  ALLOC(columns->name, most, "names of columns");
  TRY(mem_alloc(most, sizeof *columns->list, "names of columns", (void **)(void *)&columns->list));
  collect_probes(c, columns, out);
  columns->n_probe = columns->n;
  collect_sums(c, columns, out);
  check_expect(c, columns, out);
  return OK;
}

Status case_check(Case *c, Complaints *out) {
  c->kind->check(c, out);
  Columns columns = {0};
  const Status status = check_columns(c, &columns, out);
  FREE(columns.name);
  mem_free((void **)(void *)&columns.list);
  return status;
}
