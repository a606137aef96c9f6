#include "app/fibers/case_fibers.h"
#include "app/input/case_tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* In the order of FiberRule.kind. */
static const Word rule_words[] = {{"ldrb", 0}, {"left-atrium", 0}, {"right-atrium", 0}, {"ellipsoid", 0}, {NULL, 0}};

#define BUNDLE(word, k, initial_, what)                                                                                \
  { word, VALUE_NUMBER, false, AT(CaseBundles, at[k]), .min = -2, .max = 2, .initial = initial_, .meaning = what }
static const Key bundles_keys[] = {
    BUNDLE("mv", TO_MV, "0.65", "left: of the mitral valve, from that solution on"),
    BUNDLE("lpv", TO_LPV, "0.1", "left: of the left veins, up to there"),
    BUNDLE("rpv", TO_RPV, "0.65", "left: of the right veins, from there on"),
    BUNDLE("tv", TO_TV, "0.9", "right: of the tricuspid valve, from there on"),
    BUNDLE("raw", TO_RAW, "0.55", "right: of the lateral wall, up to there"),
    BUNDLE("ct-minus", TO_CT_MINUS, "-0.18", "right: of the crista terminalis, from there on"),
    BUNDLE("ct-plus", TO_CT_PLUS, "-0.1", "right: and up to there"),
    BUNDLE("icv", TO_ICV, "0.9", "right: of the inferior caval vein, from there on"),
    BUNDLE("scv", TO_SCV, "0.1", "right: of the superior one, up to there"),
    BUNDLE("ib", TO_IB, "0.135", "right: of the intercaval bundle, up to there"),
    BUNDLE("ras", TO_RAS, "0.35", "right: of the septum, from there on")};
_Static_assert(COUNT(bundles_keys) == (int)N_BUNDLE && (int)N_BUNDLE == (int)ATRIAL_BUNDLES, "a key for each");
_Static_assert((int)N_RIM == (int)ATRIAL_RIMS, "a group for each");
static const Schema bundles_schema = {SCHEMA("bundles", bundles_keys, CaseBundles), .optional = true};

#define ANGLE .min = -180, .max = 180
static const Key angles_keys[] = {
    {"endo", VALUE_NUMBER, true, AT(CaseAngles, endo), ANGLE, .meaning = "degrees at the endocardium"},
    {"epi", VALUE_NUMBER, true, AT(CaseAngles, epi), ANGLE, .meaning = "degrees at the epicardium"}};
static const Schema angles_schema = {SCHEMA("angles", angles_keys, CaseAngles), .optional = true};

#define RIM(word, member, what)                                                                                        \
  { word, VALUE_NAMES, false, AT(CaseFibers, member), .meaning = what }
static const Key fibers_keys[] = {
    {"field", VALUE_TEXT, false, AT(CaseFibers, field),
     .meaning = "node or element data of the mesh; the sign is irrelevant"},
    {"direction", VALUE_EXPRS, false, AT(CaseFibers, direction),
     .meaning = "numbers or expressions, one per direction"},
    {"rule", VALUE_WORD, false, AT(CaseFibers, rule), .words = rule_words,
     .meaning = "fibres and sheets by rule: ldrb of ventricles, left-atrium, right-atrium, ellipsoid by formula"},
    {"lv", VALUE_NAMES, false, AT(CaseFibers, lv), .meaning = "rule: left endocardium"},
    {"rv", VALUE_NAMES, false, AT(CaseFibers, rv), .meaning = "rule: right endocardium; left ventricle alone without"},
    {"epi", VALUE_NAMES, false, AT(CaseFibers, epi), .meaning = "rule: epicardium"},
    {"base", VALUE_NAMES, false, AT(CaseFibers, base), .meaning = "rule: where the ventricles are cut off"},
    {"apex", VALUE_NAMES, false, AT(CaseFibers, apex), .meaning = "rule: the apex; found when absent"},
    {"axis", VALUE_VECTOR, false, AT(CaseFibers, axis),
     .meaning = "rule: from apex to base, where base is not a group; ellipsoid: z unless given"},
    {"inner", VALUE_VECTOR, false, AT(CaseFibers, inner),
     .meaning = "ellipsoid: of the endocardium, [radius, half length along the axis]"},
    {"outer", VALUE_VECTOR, false, AT(CaseFibers, outer), .meaning = "ellipsoid: of the epicardium"},
    {"center", VALUE_VECTOR, false, AT(CaseFibers, center), .meaning = "ellipsoid: of both; the origin unless given"},
    RIM("endo", endo, "atria: endocardium, of a volume"),
    RIM("mv", rim[RIM_MV], "left-atrium: the mitral opening"),
    RIM("lpv", rim[RIM_LPV], "left-atrium: openings of the left pulmonary veins"),
    RIM("rpv", rim[RIM_RPV], "left-atrium: of the right ones"),
    RIM("laa", rim[RIM_LAA], "left-atrium: tip or opening of the appendage; it has none unless given"),
    RIM("tv", rim[RIM_TV], "right-atrium: the tricuspid opening"),
    RIM("svc", rim[RIM_SVC], "right-atrium: opening of the superior caval vein"),
    RIM("ivc", rim[RIM_IVC], "right-atrium: of the inferior one"),
    RIM("raa", rim[RIM_RAA], "right-atrium: tip or opening of the appendage"),
    RIM("top", rim[RIM_TOP], "right-atrium: a line over the roof from vein to vein and appendage"),
    {"septum", VALUE_VECTOR, false, AT(CaseFibers, septum),
     .meaning = "ldrb, for segments: from the left ventricle's middle towards the septum; found where there is 'rv'; "
                "right-atrium: from that of the tricuspid opening"},
    {"bundles", VALUE_MAP, false, AT(CaseFibers, bundles), .schema = &bundles_schema,
     .meaning = "atria: where bundles end, in the solutions of the rule, {mv: 0.65, lpv: 0.1, rpv: 0.65}"},
    {"alpha", VALUE_MAP, false, AT(CaseFibers, alpha), .schema = &angles_schema,
     .meaning = "rule: fibres, {endo: 60, epi: -60}"},
    {"beta", VALUE_MAP, false, AT(CaseFibers, beta), .schema = &angles_schema,
     .meaning = "rule: sheets, {endo: -65, epi: 25}; ellipsoid: across the wall unless given"}};
const Schema fibers_schema = {SCHEMA("fibers", fibers_keys, CaseFibers), .plain = "field", .optional = true};
#define WITHOUT_RULES(what_)                                                                                           \
  { .what = what_, .n = 2, .key = fibers_keys, .size = sizeof(CaseFibers), .plain = "field", .optional = true }
const Schema sheets_schema = WITHOUT_RULES("sheets"), plain_fibers_schema = WITHOUT_RULES("fibers");

/* Keys that belong to rules, a bit for each in the order of rule_words. */
typedef struct Belongs {
  const char *key;
  Place place;
  unsigned rules, needed;
} Belongs;

/* "'rule: ldrb' or 'rule: ellipsoid'" */
static const char *rules_of(unsigned rules, char text[160]) {
  *text = 0;
  for (int k = 0; rule_words[k].name; ++k)
    if (rules >> k & 1)
      snprintf(text + strlen(text), 160 - strlen(text), "%s'rule: %s'", *text ? " or " : "", rule_words[k].name);
  return text;
}

/* Radius and half length of both surfaces, one inside the other. */
static void check_ellipsoid(const CaseFibers *f, Diagnostics *out) {
  const VectorValue *size[] = {&f->inner, &f->outer};
  for (int k = 0; k < COUNT(size); ++k)
    if (size[k]->n && (size[k]->n != 2 || !(size[k]->value[0] > 0) || !(size[k]->value[1] > 0))) {
      report_error(out, size[k]->place,
                   "%s has %d entries, the first %g; it is the radius and the half length of an ellipsoid, both > 0\n  "
                   "such as: %s",
                   k ? "outer" : "inner", size[k]->n, size[k]->value[0], k ? "[10, 20]" : "[7, 17]");
      return;
    }
  for (int k = 0; k < 2 && f->inner.n && f->outer.n; ++k)
    if (!(f->inner.value[k] < f->outer.value[k]))
      report_error(out, f->outer.place, "the outer ellipsoid has the %s %g and the inner one %g: it must be larger",
                   k ? "half length" : "radius", f->outer.value[k], f->inner.value[k]);
}

static void check_rule(const CaseFibers *f, Diagnostics *out) {
  enum {
    VENTRICLES = 1 << RULE_LDRB,
    LEFT = 1 << RULE_LEFT_ATRIUM,
    RIGHT = 1 << RULE_RIGHT_ATRIUM,
    ATRIA = LEFT | RIGHT,
    ELLIPSOID = 1 << RULE_ELLIPSOID
  };
  char rules[160];
  const Belongs key[] = {{"lv", f->lv.place, VENTRICLES, VENTRICLES},
                         {"rv", f->rv.place, VENTRICLES, 0},
                         {"epi", f->epi.place, VENTRICLES | ATRIA, VENTRICLES},
                         {"base", f->base.place, VENTRICLES, 0},
                         {"apex", f->apex.place, VENTRICLES, 0},
                         {"axis", f->axis.place, VENTRICLES | ELLIPSOID, 0},
                         {"alpha", f->alpha.place, VENTRICLES | ELLIPSOID, 0},
                         {"beta", f->beta.place, VENTRICLES | ELLIPSOID, 0},
                         {"inner", f->inner.place, ELLIPSOID, ELLIPSOID},
                         {"outer", f->outer.place, ELLIPSOID, ELLIPSOID},
                         {"center", f->center.place, ELLIPSOID, 0},
                         {"endo", f->endo.place, ATRIA, 0},
                         {"mv", f->rim[RIM_MV].place, LEFT, LEFT},
                         {"lpv", f->rim[RIM_LPV].place, LEFT, LEFT},
                         {"rpv", f->rim[RIM_RPV].place, LEFT, LEFT},
                         {"laa", f->rim[RIM_LAA].place, LEFT, 0},
                         {"tv", f->rim[RIM_TV].place, RIGHT, RIGHT},
                         {"svc", f->rim[RIM_SVC].place, RIGHT, RIGHT},
                         {"ivc", f->rim[RIM_IVC].place, RIGHT, RIGHT},
                         {"raa", f->rim[RIM_RAA].place, RIGHT, RIGHT},
                         {"top", f->rim[RIM_TOP].place, RIGHT, RIGHT},
                         {"septum", f->septum.place, VENTRICLES | RIGHT, RIGHT},
                         {"bundles", f->bundles.place, ATRIA, 0}};
  const unsigned rule = f->rule.text ? 1u << f->rule.value : 0;
  for (int k = 0; k < COUNT(key); ++k) {
    if (place_given(key[k].place) && !(key[k].rules & rule))
      report_error(out, key[k].place, "%s belongs to %s%s%s", key[k].key, rules_of(key[k].rules, rules),
                   rule ? ", and this is rule " : "", rule ? f->rule.text : "");
    if (!place_given(key[k].place) && key[k].needed & rule)
      report_error(out, f->place, "rule %s needs the key '%s': %s", f->rule.text, key[k].key,
                   rule == ELLIPSOID              ? "a radius and a half length"
                   : strcmp(key[k].key, "septum") ? "groups of the mesh"
                                                  : "a direction");
  }
  if (rule == ELLIPSOID) check_ellipsoid(f, out);
  if (rule == VENTRICLES && (f->base.n > 0) == (f->axis.n > 0))
    report_error(out, f->place, "rule ldrb needs either 'base' (a group of surfaces) or 'axis' (from apex to base)");
}

void fibers_doubt(const CaseFibers *f, const Diagnostics *out) {
  static const double RIGHT_ANGLE = 1.6;
  const double endo = fabs(f->alpha.endo.value), epi = fabs(f->alpha.epi.value);
  char where[512];
  if (!place_given(f->alpha.place) || !f->rule.text || fmax(endo, epi) > RIGHT_ANGLE || !(fmin(endo, epi) > 0)) return;
  status_warn(
      "%s: alpha is %g inside and %g outside, in degrees: fibres go around, as if there were no helix\n  remedy: "
      "degrees, such as {endo: 60, epi: -60}; 1 rad is 57.3",
      place_text(out->path, f->alpha.place, where, sizeof where), f->alpha.endo.value, f->alpha.epi.value);
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

static void bind_ventricles(const Mesh *mesh, const CaseFibers *f, Setup *setup, LdrbParams *out,
                            Diagnostics *diagnostics) {
  *out = ldrb_params_default();
  out->mesh = mesh;
  out->lv = setup_group(setup, mesh, &f->lv, ON_FACETS, "lv", diagnostics);
  out->epi = setup_group(setup, mesh, &f->epi, ON_FACETS, "epi", diagnostics);
  if (f->rv.n) out->rv = setup_group(setup, mesh, &f->rv, ON_FACETS, "rv", diagnostics);
  if (f->base.n) out->base = setup_group(setup, mesh, &f->base, ON_FACETS, "base", diagnostics);
  if (f->apex.n) out->apex = setup_group(setup, mesh, &f->apex, ON_ANY, "apex", diagnostics);
  for (int k = 0; k < f->axis.n; ++k) out->axis[k] = f->axis.value[k];
  for (int k = 0; k < f->septum.n; ++k) out->septum[k] = f->septum.value[k];
  if (place_given(f->alpha.place)) out->alpha_endo = f->alpha.endo.value, out->alpha_epi = f->alpha.epi.value;
  if (place_given(f->beta.place)) out->beta_endo = f->beta.endo.value, out->beta_epi = f->beta.epi.value;
}

static void bind_atrium(const Mesh *mesh, const CaseFibers *f, Setup *setup, AtriumParams *out,
                        Diagnostics *diagnostics) {
  *out = atrium_params_default();
  out->mesh = mesh;
  out->right = f->rule.value == RULE_RIGHT_ATRIUM;
  if (f->endo.n) out->endo = setup_group(setup, mesh, &f->endo, ON_FACETS, "endo", diagnostics);
  if (f->epi.n) out->epi = setup_group(setup, mesh, &f->epi, ON_FACETS, "epi", diagnostics);
  for (int k = 0; k < N_RIM; ++k)
    if (f->rim[k].n) out->rim[k] = setup_group(setup, mesh, &f->rim[k], ON_ANY, atrial_rim[k], diagnostics);
  for (int k = 0; k < f->septum.n; ++k) out->septum[k] = f->septum.value[k];
  for (int k = 0; k < N_BUNDLE && place_given(f->bundles.place); ++k) out->bundle[k] = f->bundles.at[k].value;
}

static void bind_ellipsoid(const CaseFibers *f, EllipsoidParams *out) {
  *out = ellipsoid_params_default();
  for (int k = 0; k < 2; ++k) out->inner[k] = f->inner.value[k], out->outer[k] = f->outer.value[k];
  for (int k = 0; k < f->center.n; ++k) out->center[k] = f->center.value[k];
  for (int k = 0; k < 3 && f->axis.n; ++k) out->axis[k] = k < f->axis.n ? f->axis.value[k] : 0;
  if (place_given(f->alpha.place)) out->alpha_endo = f->alpha.endo.value, out->alpha_epi = f->alpha.epi.value;
  if (place_given(f->beta.place)) out->beta_endo = f->beta.endo.value, out->beta_epi = f->beta.epi.value;
}

/* Of the thickness of the wall: how far beyond either ellipsoid a body may be, whose fibres are those of the nearer one there. */
static const double BEYOND = 0.5;

/* Ellipsoids of another unit or place than the mesh. */
static void check_between(const Mesh *mesh, const CaseFibers *f, const int32_t *material, int32_t m,
                          const EllipsoidParams *p, Diagnostics *diagnostics) {
  const double *worst = NULL;
  double far = BEYOND, depth = 0;
  for (int32_t e = setup_first_solved(mesh); material && e < mesh->n_element; ++e) {
    const int32_t n = material[e] == m ? element_type(mesh_block_of(mesh, e)->kind)->n_node : 0;
    for (int32_t a = 0; a < n; ++a) {
      const double *x = mesh->x[mesh_nodes_of(mesh, e)[a]], t = ellipsoid_depth(p, x);
      if (!(fmax(-t, t - 1) > far)) continue;
      far = fmax(-t, t - 1), depth = t, worst = x;
    }
  }
  if (worst)
    report_error(
        diagnostics, f->rule.place,
        "rule ellipsoid: the body is not between the two ellipsoids: (%g, %g, %g) is %.3g times the thickness of "
        "the wall %s\n  allowed: %g\n  remedy: 'inner', 'outer', 'center' and 'axis' of this mesh, in its unit",
        worst[0], worst[1], worst[2], far, depth < 0 ? "inside the inner one" : "outside the outer one", BEYOND);
}

void fibers_bind_rule(const Mesh *mesh, const CaseFibers *f, int32_t m, Setup *setup, FiberRule *out,
                      Diagnostics *diagnostics) {
  const int32_t before = diagnostics->n;
  out->kind = f->rule.value;
  if (mesh->dim < 3 && out->kind == RULE_ELLIPSOID)
    report_error(diagnostics, f->rule.place,
                 "rule ellipsoid: fibres wind around a body in space, and this mesh is flat");
  if (out->kind == RULE_ELLIPSOID) bind_ellipsoid(f, &out->ellipsoid);
  else if (out->kind == RULE_LDRB) bind_ventricles(mesh, f, setup, &out->ventricles, diagnostics);
  else bind_atrium(mesh, f, setup, &out->atrium, diagnostics);
  if (out->kind == RULE_ELLIPSOID && diagnostics->n == before)
    check_between(mesh, f, setup->element_material, m, &out->ellipsoid, diagnostics);
}

bool fiber_rule_same(const FiberRule *a, const FiberRule *b) {
  if (a->kind != b->kind) return false;
  if (a->kind == RULE_ELLIPSOID) return memcmp(&a->ellipsoid, &b->ellipsoid, sizeof a->ellipsoid) == 0;
  if (a->kind == RULE_LDRB) return memcmp(&a->ventricles, &b->ventricles, sizeof a->ventricles) == 0;
  return memcmp(&a->atrium, &b->atrium, sizeof a->atrium) == 0;
}

Status fiber_rule_create(Exec *exec, const FiberRule *rule, const Mesh *mesh, LdrbFields *out) {
  if (rule->kind == RULE_ELLIPSOID) return ellipsoid_create(&rule->ellipsoid, mesh, out);
  return rule->kind == RULE_LDRB ? ldrb_create(exec, &rule->ventricles, out) : atrium_create(exec, &rule->atrium, out);
}
