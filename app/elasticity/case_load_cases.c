/* Load cases, their combinations and envelopes: the keys as tables, their checks, and the steps that they make. */
#include "app/elasticity/acts.h"
#include "app/elasticity/case_elasticity.h"
#include "app/input/case_tables.h"
#include "core/nearest.h"

#include <stdio.h>
#include <string.h>

enum { NAME_MAX_BYTES = 120, NEAR_MOST = 64 };

static const Key load_case_keys[] = {
    {"name", VALUE_TEXT, true, AT(CaseLoadCase, name), .meaning = "of its step in the result"},
    {"boundary", VALUE_MAPS, false, AT(CaseLoadCase, boundary), .schema = &case_elastic_boundary_schema,
     .meaning = "loads, and values of supports that all load cases have"},
    {"body", VALUE_MAPS, false, AT(CaseLoadCase, body), .schema = &case_elastic_body_schema,
     .meaning = "forces on volumes"},
    {"thermal", VALUE_MAP, false, AT(CaseLoadCase, thermal), .schema = &case_thermal_schema,
     .meaning = "{reference: 20, temperature: 120}"}};
const Schema case_load_case_schema = {SCHEMA("a load case", load_case_keys, CaseLoadCase)};

static const Key combination_keys[] = {
    {"name", VALUE_TEXT, true, AT(CaseCombination, name), .meaning = "of its step in the result"},
    {"factors", VALUE_FACTORS, true, AT(CaseCombination, factors),
     .meaning = "a number for each load case in it: {dead: 1.35, wind: 1.5}"}};
const Schema case_combination_schema = {SCHEMA("a combination", combination_keys, CaseCombination)};

static const Word envelope_words[] = {{"von-mises", 0},    {"principal-1", 0}, {"principal-3", 0},
                                      {"displacement", 0}, {"safety", 0},      {NULL, 0}};
static const Key envelope_keys[] = {
    {"name", VALUE_TEXT, true, AT(CaseEnvelope, name), .meaning = "of its step in the result"},
    {"of", VALUE_NAMES, true, AT(CaseEnvelope, of), .meaning = "list of load cases and combinations"},
    {"field", VALUE_WORD, false, AT(CaseEnvelope, field), .initial = "von-mises", .words = envelope_words,
     .meaning = "what is largest in the case that governs a node: von-mises, principal-1, displacement; or smallest: "
                "principal-3, safety"}};
const Schema case_envelope_schema = {SCHEMA("an envelope", envelope_keys, CaseEnvelope)};

static void check_names(const Case *c, Diagnostics *out) {
  for (int32_t k = 1; k <= case_load_steps(c); ++k) {
    const TextValue *name = case_load_step(c, k);
    if (!name->text) continue;
    if (strlen(name->text) > NAME_MAX_BYTES)
      report_error(out, name->place, "a name has %d bytes at most", NAME_MAX_BYTES);
    if (case_load_step_find(c, name->text) < k)
      report_error(out, name->place, "there is a load case, combination or envelope '%s' already; choose another name",
                   name->text);
  }
}

/* A name out of the first n steps. */
static void check_known(const Case *c, const TextValue *name, int32_t n, const char *what, Diagnostics *out) {
  const char *known[NEAR_MOST];
  char list[512] = "", seen[SEEN_BYTES];
  int32_t n_known = 0;
  const int32_t step = name->text ? case_load_step_find(c, name->text) : 0;
  if (!name->text || (step > 0 && step <= n)) return;
  for (int32_t k = 1; k <= n && n_known < NEAR_MOST; ++k) {
    const char *text = case_load_step(c, k)->text;
    if (!text) continue;
    if (strlen(list) + strlen(text) + 3 < sizeof list)
      snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", n_known ? ", " : "", text);
    known[n_known++] = text;
  }
  const char *near = nearest_name(name->text, n_known, known);
  report_error(out, name->place, "unknown %s '%s'\n  known: %s%s%s%s", what, seen_text(name->text, seen), list,
               near ? "\n  did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* What stands in a load case and belongs to all of them, or the other way round. */
static void check_entry(const CaseBoundary *b, bool inside, Diagnostics *out) {
  for (const Act *act = NULL; inside && (act = act_next(b, ACT_STIFFNESS, act));)
    report_error(out, act_place(act, b),
                 "%s is part of the %s, which all load cases share; it belongs to the 'boundary' of the case", act->key,
                 act_is_of(act));
  if (!inside && (b->rigid.force.n || b->rigid.moment.n))
    report_error(out, b->rigid.place,
                 "with 'load-cases' each load belongs to one of them; give the force by 'distribute' in a load case");
  for (const Act *act = NULL; !inside && (act = act_next(b, ACT_LOAD, act));)
    report_error(out, act_place(act, b),
                 "with 'load-cases' each load belongs to one of them; %s here belongs to none\n  move it into the "
                 "'boundary' of a load case",
                 act->key);
}

static void check_common(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->boundary.n; ++i) check_entry(case_boundary(c, i), false, out);
  if (c->body.n)
    report_error(out, c->body.place, "with 'load-cases' each load belongs to one of them; move body into a load case");
  if (place_given(c->thermal.place))
    report_error(out, c->thermal.place,
                 "with 'load-cases' each load belongs to one of them; move thermal into a load case");
}

static void check_load_case(Case *c, CaseLoadCase *load, Diagnostics *out) {
  case_check_boundary(c, &load->boundary, out);
  case_check_body(c, &load->body, out);
  case_check_thermal(c, &load->thermal, out);
  for (int32_t i = 0; i < load->boundary.n; ++i)
    check_entry(maps_item(&load->boundary, sizeof(CaseBoundary), i), true, out);
  if (!load->boundary.n && !load->body.n && !place_given(load->thermal.place))
    report_error(out, load->place, "load case '%s' has no load\n  allowed: boundary, body, thermal",
                 load->name.text ? load->name.text : "");
}

static void check_combinations(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->combinations.n; ++i) {
    const FactorsValue *factors = &case_combination(c, i)->factors;
    for (int32_t k = 0; k < factors->n; ++k) check_known(c, &factors->item[k].name, c->load_cases.n, "load case", out);
  }
  for (int32_t i = 0; i < c->envelopes.n; ++i) {
    const NamesValue *of = &case_envelope(c, i)->of;
    for (int32_t k = 0; k < of->n; ++k)
      check_known(c, &of->item[k], c->load_cases.n + c->combinations.n, "load case or combination", out);
  }
}

static void check_rows(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->expect.n; ++i) {
    const CaseExpect *row = case_expect(c, i);
    if (c->load_cases.n && row->quantity.text && !strcmp(row->quantity.text, "strain-energy"))
      report_error(out, row->quantity.place,
                   "each load case has a strain-energy of its own; use a sum with 'field: strain-energy'");
    if (!place_given(row->load_case.place)) continue;
    if (!c->load_cases.n)
      report_error(out, row->load_case.place, "load-case of a row needs 'load-cases:'; there are none");
    else if (place_given(row->quantity.place) && row->quantity.text && strcmp(row->quantity.text, "safety"))
      report_error(out, row->load_case.place, "a quantity belongs to the whole run; it has no load case");
    else check_known(c, &row->load_case, case_load_steps(c), "load case", out);
  }
}

static void check_tables(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->output.tables.n; ++i) {
    const NamesValue *of = &case_table(c, i)->load_cases;
    if (of->n && !c->load_cases.n)
      report_error(out, of->place, "load-cases of a table needs 'load-cases:'; there are none");
    if (place_given(case_table(c, i)->time.place) && c->load_cases.n && of->n != 1)
      report_error(out, case_table(c, i)->time.place, "time is that of one load case; name it: 'load-cases: [NAME]'");
    for (int32_t k = 0; k < of->n && c->load_cases.n; ++k)
      check_known(c, &of->item[k], case_load_steps(c), "load case", out);
  }
}

void case_check_load_cases(Case *c, Diagnostics *out) {
  const MapsValue *const need[] = {&c->combinations, &c->envelopes};
  check_rows(c, out);
  check_tables(c, out);
  for (int k = 0; k < 2 && !c->load_cases.n; ++k)
    if (need[k]->n)
      report_error(out, need[k]->place, "%s need 'load-cases:', a list of what is combined",
                   k ? "envelopes" : "combinations");
  if (place_given(c->load_cases.place) && !c->load_cases.n)
    report_error(out, c->load_cases.place, "load-cases is empty; each has a name and a load");
  if (!c->load_cases.n) return;
  check_names(c, out);
  check_common(c, out);
  for (int32_t i = 0; i < c->load_cases.n; ++i) check_load_case(c, case_load_case(c, i), out);
  check_combinations(c, out);
}
