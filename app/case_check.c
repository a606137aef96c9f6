/* What the tables cannot say: one value of the case against another. */
#include "app/case.h"
#include "core/memory.h"
#include "core/nearest.h"
#include "physics/material.h"

#include <stdio.h>
#include <string.h>

enum { NAME_BYTES = 128 };

int case_dim(const Case *c) {
  return c->model.value == MODEL_SOLID ? 3 : 2;
}

int sum_columns(const Case *c, const CaseSum *sum) {
  return sum->field.value == SUM_REACTION ? case_dim(c) : 1;
}

const char *sum_column(const Case *c, const CaseSum *sum, int i, char *text, int size) {
  (void)c;
  const char *name = sum->name.text ? sum->name.text : "";
  if (sum->field.value == SUM_REACTION)
    snprintf(text, (size_t)size, "%s-%c", name, "xyz"[i]);
  else
    snprintf(text, (size_t)size, "%s", name);
  return text;
}

static void check_direction_count(const Case *c, const char *key, int32_t n, Place place, Complaints *out) {
  if (n > 0 && n != case_dim(c))
    complain(out, place, "%s has %d entries; model '%s' has %d directions", key, n, c->model.text, case_dim(c));
}

static void check_exprs(const Case *c, const char *key, const ExprsValue *value, Complaints *out) {
  if (!value->single) check_direction_count(c, key, value->n, value->place, out);
}

static void check_materials(Case *c, Complaints *out) {
  if (place_given(c->materials.place) && c->materials.n == 0)
    complain(out, c->materials.place, "materials is empty; every element needs one");
  for (int32_t i = 0; i < c->materials.n; ++i) {
    const CaseMaterial *m = case_material(c, i);
    const MaterialType *type = material_type(m->type.value);
    double value[CASE_MAX_PARAMS];
    for (int k = 0; k < CASE_MAX_PARAMS; ++k) value[k] = m->value[k].value;
    bool first = true;
    for (int k = 0; type && k < type->n_param; ++k) {
      if (!place_given(m->value[k].place) || param_check(&type->param[k], value[k]) == OK) continue;
      if (first) material_check(m->type.value, value); /* its message has advice */
      complain(out, m->value[k].place, "%s", status_message());
      first = false;
    }
  }
}

static void check_fix(Case *c, CaseBoundary *b, Complaints *out) {
  if (!place_given(b->fix.place)) return;
  const bool all = place_given(b->fix.z.place) && memcmp(&b->fix.z.place, &b->fix.x.place, sizeof(Place)) == 0;
  if (case_dim(c) == 2 && all) b->fix.z = (ExprValue){0};
  if (case_dim(c) == 2 && place_given(b->fix.z.place))
    complain(out, b->fix.z.place, "fix has z; model '%s' has x and y only", c->model.text);
  if (!place_given(b->fix.x.place) && !place_given(b->fix.y.place) && !place_given(b->fix.z.place))
    complain(out, b->fix.place, "fix has no component; write 'all' or {x: 0, ...}");
}

static void check_boundary(Case *c, Complaints *out) {
  for (int32_t i = 0; i < c->boundary.n; ++i) {
    CaseBoundary *b = case_boundary(c, i);
    const bool any = place_given(b->fix.place) || place_given(b->symmetry.place) || place_given(b->traction.place) ||
                     place_given(b->force.place) || place_given(b->spring.place) || place_given(b->pressure.place);
    if (!any && place_given(b->on.place))
      complain(out, b->place, "nothing happens on '%s'\n  allowed: fix, symmetry, traction, pressure, force, spring",
               b->on.n ? b->on.item[0].text : "");
    check_fix(c, b, out);
    check_exprs(c, "traction", &b->traction, out);
    check_exprs(c, "force", &b->force, out);
    check_exprs(c, "spring", &b->spring, out);
  }
  for (int32_t i = 0; i < c->body.n; ++i) check_exprs(c, "gravity", &case_body(c, i)->gravity, out);
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
    if (p->at.n) check_direction_count(c, "at", p->at.n, p->at.place, out);
    if (case_dim(c) == 2 && p->field.text &&
        (strcmp(p->field.text, "displacement-z") == 0 || strcmp(p->field.text, "reaction-z") == 0))
      complain(out, p->field.place, "%s: model '%s' has x and y only", p->field.text, c->model.text);
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
  check_materials(c, out);
  if (!c->model.text) return OK; /* the number of directions is not known */
  check_boundary(c, out);
  Columns columns = {0};
  const Status status = check_columns(c, &columns, out);
  FREE(columns.name);
  mem_free((void **)(void *)&columns.list);
  return status;
}
