/* Trees of Purkinje fibres in a case file: keys and their checks. */
#include "app/input/case_tables.h"
#include "app/monodomain/case_monodomain.h"

#include <math.h>
#include <string.h>

#define POSITIVE .open_min = true, .max = INFINITY
static const Key grow_keys[] = {
    {"surface", VALUE_NAMES, true, AT(CaseGrow, surface), .meaning = "group or list of groups of surfaces"},
    {"direction", VALUE_VECTOR, true, AT(CaseGrow, direction), .meaning = "of the first branch, from the root"},
    {"length", VALUE_NUMBER, true, AT(CaseGrow, length), POSITIVE, .meaning = "mm, of the first branch"},
    {"branch-length", VALUE_NUMBER, true, AT(CaseGrow, branch_length), POSITIVE, .meaning = "mm, mean of the others"},
    {"segment", VALUE_NUMBER, true, AT(CaseGrow, segment), POSITIVE, .meaning = "mm, of the pieces of a branch"},
    {"angle", VALUE_NUMBER, false, AT(CaseGrow, angle), .initial = "9", .open_min = true, .max = 90,
     .meaning = "degrees, between a branch and either of the two that it parts into"},
    {"repulsion", VALUE_NUMBER, false, AT(CaseGrow, repulsion), .initial = "0.1", .max = 10,
     .meaning = "how much a segment turns away from the nearest other branch; 0: not"},
    {"generations", VALUE_INTEGER, false, AT(CaseGrow, generations), .initial = "8", .max = 24,
     .meaning = "of branches after the first"},
    {"seed", VALUE_INTEGER, false, AT(CaseGrow, seed), .initial = "1", .max = 1e9,
     .meaning = "of lengths and order: another one, another tree"}};
const Schema heart_grow_schema = {SCHEMA("grow", grow_keys, CaseGrow), .optional = true};

static const Key junction_keys[] = {{"resistance", VALUE_NUMBER, true, AT(CaseJunction, resistance), POSITIVE,
                                     .meaning = "kOhm, between an end of the tree and the tissue around it"},
                                    {"radius", VALUE_NUMBER, true, AT(CaseJunction, radius), POSITIVE,
                                     .meaning = "mm: the nodes of tissue that near share its current by their mass"},
                                    {"delay", VALUE_NUMBER, false, AT(CaseJunction, delay), .max = INFINITY,
                                     .meaning = "ms, with 'eikonal': of a front, either way; 0 unless given"}};
static const Schema junction_schema = {SCHEMA("junction", junction_keys, CaseJunction)};

static const Key purkinje_keys[] = {
    CASE_TREE_KEYS,
    {"ionic", VALUE_MAP, false, AT(CasePurkinje, ionic), .schema = &heart_ionic_schema,
     .meaning = "its cells; stewart unless given"},
    {"diffusivity", VALUE_NUMBER, true, AT(CasePurkinje, diffusivity), POSITIVE, .meaning = "mm2/ms, along the lines"},
    {"radius", VALUE_NUMBER, true, AT(CasePurkinje, radius), POSITIVE, .meaning = "mm, of the fibres"},
    {"velocity", VALUE_NUMBER, false, AT(CasePurkinje, velocity), POSITIVE,
     .meaning = "mm/ms, where 'eikonal' starts the cells"},
    {"surface-to-volume", VALUE_NUMBER, false, AT(CasePurkinje, surface), POSITIVE, .initial = "140",
     .meaning = "1/mm, membrane per volume, by which resistances count"},
    {"capacitance", VALUE_NUMBER, false, AT(CasePurkinje, capacitance), POSITIVE, .initial = "0.01",
     .meaning = "uF/mm2, of the membrane"},
    {"junction", VALUE_MAP, true, AT(CasePurkinje, junction), .schema = &junction_schema,
     .meaning = "{resistance: 20, radius: 1}"}};
const Schema heart_purkinje_schema = {SCHEMA("a purkinje entry", purkinje_keys, CasePurkinje)};

void purkinje_defaults(Case *c) {
  for (int32_t i = 0; i < c->purkinje.n; ++i) {
    CaseIonic *ionic = &case_tree(c, i)->ionic;
    if (!place_given(ionic->place)) ionic->model = (WordValue){ionic_by_name("stewart"), "stewart", {0}};
  }
}

static void check_tree(const Case *c, const CasePurkinje *tree, Diagnostics *out) {
  heart_check_diffusivity("diffusivity", &tree->diffusivity, out);
  const bool grows = place_given(tree->grow.place);
  const int forms = (tree->file.text != NULL) + (tree->on.n > 0) + grows;
  if (forms != 1 && !error_reported_at(out, tree->place))
    report_error(out, tree->place,
                 "a tree needs exactly one of 'file' (a mesh of lines), 'on' (a group of lines of the "
                 "mesh) and 'grow'; this one has %s",
                 forms ? "more" : "none");
  if (grows && !tree->root.n)
    report_error(out, tree->grow.place, "grow needs the key 'root' beside it: the point where the tree begins");
  if (place_given(tree->scale.place) && tree->scale.value != 1 && !tree->file.text)
    report_error(out, tree->scale.place, "scale is of the file; this tree has none");
  if (ionic_varies(&tree->ionic)) report_error(out, tree->ionic.place, "parameters of the cells of a tree are numbers");
  if (c->reaction.value > 0)
    report_error(out, c->reaction.place,
                 "reaction is gauss, which has cells in elements; trees have them at nodes\n  remedy: reaction: nodal");
}

void purkinje_check(const Case *c, Diagnostics *out) {
  if (place_given(c->purkinje.place) && c->purkinje.n == 0)
    report_error(out, c->purkinje.place, "purkinje is empty; it needs an entry for each tree, or leave it out");
  for (int32_t i = 0; i < c->purkinje.n; ++i) {
    const CasePurkinje *tree = case_tree(c, i);
    check_tree(c, tree, out);
    for (int32_t k = 0; k < i && tree->name.text; ++k)
      if (case_tree(c, k)->name.text && strcmp(case_tree(c, k)->name.text, tree->name.text) == 0)
        report_error(out, tree->name.place, "a tree '%s' is listed twice", tree->name.text);
  }
  for (int32_t i = 0; i < c->output.probes.n; ++i) {
    const TextValue *on = &case_probe(c, i)->on;
    bool known = !on->text;
    for (int32_t k = 0; k < c->purkinje.n && !known; ++k)
      known = case_tree(c, k)->name.text && strcmp(case_tree(c, k)->name.text, on->text) == 0;
    char seen[SEEN_BYTES];
    if (!known)
      report_error(out, on->place,
                   "unknown tree '%s'; a probe is on an entry of 'purkinje:', or in the tissue without 'on'",
                   seen_text(on->text, seen));
  }
}
