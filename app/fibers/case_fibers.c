#include "app/fibers/case_fibers.h"
#include "app/input/case_tables.h"

static const Word rule_words[] = {{"ldrb", 0}, {NULL, 0}};

#define ANGLE .min = -180, .max = 180
static const Key angles_keys[] = {
    {"endo", VALUE_NUMBER, true, AT(CaseAngles, endo), ANGLE, .meaning = "degrees at the endocardium"},
    {"epi", VALUE_NUMBER, true, AT(CaseAngles, epi), ANGLE, .meaning = "degrees at the epicardium"}};
static const Schema angles_schema = {SCHEMA("angles", angles_keys, CaseAngles), .optional = true};

static const Key fibers_keys[] = {
    {"field", VALUE_TEXT, false, AT(CaseFibers, field),
     .meaning = "node or element data of the mesh; the sign is irrelevant"},
    {"direction", VALUE_EXPRS, false, AT(CaseFibers, direction),
     .meaning = "numbers or expressions, one per direction"},
    {"rule", VALUE_WORD, false, AT(CaseFibers, rule), .words = rule_words,
     .meaning = "ldrb: fibres and sheets by rule"},
    {"lv", VALUE_NAMES, false, AT(CaseFibers, lv), .meaning = "rule: left endocardium"},
    {"rv", VALUE_NAMES, false, AT(CaseFibers, rv), .meaning = "rule: right endocardium; left ventricle alone without"},
    {"epi", VALUE_NAMES, false, AT(CaseFibers, epi), .meaning = "rule: epicardium"},
    {"base", VALUE_NAMES, false, AT(CaseFibers, base), .meaning = "rule: where the ventricles are cut off"},
    {"apex", VALUE_NAMES, false, AT(CaseFibers, apex), .meaning = "rule: the apex; found when absent"},
    {"axis", VALUE_VECTOR, false, AT(CaseFibers, axis),
     .meaning = "rule: from apex to base, where base is not a group"},
    {"alpha", VALUE_MAP, false, AT(CaseFibers, alpha), .schema = &angles_schema,
     .meaning = "rule: fibres, {endo: 60, epi: -60}"},
    {"beta", VALUE_MAP, false, AT(CaseFibers, beta), .schema = &angles_schema,
     .meaning = "rule: sheets, {endo: -65, epi: 25}"}};
const Schema fibers_schema = {SCHEMA("fibers", fibers_keys, CaseFibers), .plain = "field", .optional = true};
const Schema sheets_schema = {
    .what = "sheets", .n = 2, .key = fibers_keys, .size = sizeof(CaseFibers), .plain = "field", .optional = true};

static void check_rule(const CaseFibers *f, Diagnostics *out) {
  const NamesValue *const groups[] = {&f->lv, &f->rv, &f->epi, &f->base, &f->apex};
  if (!f->rule.text) {
    bool more = f->axis.n || place_given(f->alpha.place) || place_given(f->beta.place);
    for (int i = 0; i < COUNT(groups); ++i) more |= groups[i]->n > 0;
    if (more) report_error(out, f->place, "lv, rv, epi, base, apex, axis, alpha and beta belong to 'rule: ldrb'");
    return;
  }
  if (!f->lv.n || !f->epi.n) report_error(out, f->place, "rule ldrb needs the keys 'lv' and 'epi': groups of surfaces");
  if ((f->base.n > 0) == (f->axis.n > 0))
    report_error(out, f->place, "rule ldrb needs either 'base' (a group of surfaces) or 'axis' (from apex to base)");
}

void fibers_check(const char *what, const CaseFibers *f, Diagnostics *out) {
  if (!place_given(f->place) || error_reported_at(out, f->place)) return;
  const int forms = (f->field.text != NULL) + (f->direction.n > 0) + (f->rule.text != NULL);
  const bool unread = place_given(f->field.place) || place_given(f->rule.place) || place_given(f->direction.place);
  if (forms > 1 || (forms == 0 && !unread))
    report_error(out, f->place, "%s needs exactly one of field, direction%s", what, *what == 'f' ? " and rule" : "");
  check_rule(f, out);
}

FiberSource fibers_source(const CaseFibers *f, Expr direction[3]) {
  for (int k = 0; k < 3; ++k) direction[k] = k < f->direction.n ? f->direction.item[k].expr : expr_constant(0);
  return (FiberSource){.field = f->field.text, .direction = f->direction.n ? direction : NULL};
}

void fibers_bind_rule(const Mesh *mesh, const CaseFibers *f, Setup *setup, LdrbParams *out, Diagnostics *diagnostics) {
  *out = ldrb_params_default();
  out->mesh = mesh;
  out->lv = setup_group(setup, mesh, &f->lv, ON_FACETS, "lv", diagnostics);
  out->epi = setup_group(setup, mesh, &f->epi, ON_FACETS, "epi", diagnostics);
  if (f->rv.n) out->rv = setup_group(setup, mesh, &f->rv, ON_FACETS, "rv", diagnostics);
  if (f->base.n) out->base = setup_group(setup, mesh, &f->base, ON_FACETS, "base", diagnostics);
  if (f->apex.n) out->apex = setup_group(setup, mesh, &f->apex, ON_ANY, "apex", diagnostics);
  for (int k = 0; k < f->axis.n; ++k) out->axis[k] = f->axis.value[k];
  if (place_given(f->alpha.place)) out->alpha_endo = f->alpha.endo.value, out->alpha_epi = f->alpha.epi.value;
  if (place_given(f->beta.place)) out->beta_endo = f->beta.endo.value, out->beta_epi = f->beta.epi.value;
}
