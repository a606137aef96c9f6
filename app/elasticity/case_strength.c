/* The strength of a material and its safety factor: the key `strength`, and its checks. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic_fields.h"
#include "app/input/case_tables.h"
#include "core/curve_tables.h"
#include "physics/material.h"

#include <math.h>
#include <string.h>

/* In the order of StrengthCriterion, from 1. */
static const Word criterion_words[] = {{"von-mises", 0}, {"mohr-coulomb", 0}, {"principal", 0},
                                       {"tsai-hill", 0}, {"tsai-wu", 0},      {NULL, 0}};
static const char *const key[] = {
#define STRENGTH(NAME, key, meaning) key,
#include "physics/strengths.def"
};

static const Key strength_keys[] = {
#define STRENGTH(NAME, key, meaning_)                                                                                  \
  {key,                                                                                                                \
   VALUE_NUMBER,                                                                                                       \
   false,                                                                                                              \
   AT(CaseStrength, value[STRENGTH_##NAME]),                                                                           \
   .open_min = true,                                                                                                   \
   .max = INFINITY,                                                                                                    \
   .meaning = meaning_},
#include "physics/strengths.def"
    {"criterion", VALUE_WORD, false, AT(CaseStrength, criterion), .words = criterion_words,
     .meaning =
         "of `tension`: mohr-coulomb, unless given, or principal; of axes: tsai-hill, unless given, or tsai-wu"}};
const Schema case_strength_schema = {SCHEMA("strength", strength_keys, CaseStrength), .plain = "yield",
                                     .optional = true};

bool case_has_strength(const Case *c) {
  for (int32_t m = 0; m < c->materials.n; ++m)
    if (place_given(case_material(c, m)->strength.place)) return true;
  return false;
}

static bool given(const CaseStrength *s, int k) { return place_given(s->value[k].place); }

/* A number that is not given is another one; false: nor is that. */
static bool stand_in(CaseStrength *s, int k, int other) {
  if (!given(s, k)) s->value[k] = s->value[other];
  return given(s, k);
}

/* Whether c s_i s_j <= 2 |s_i s_j| / (X_i X_j) for all signs: else the sum of Tsai and Hill is below 0 for some stress along these two axes. */
static bool is_closed(const Strength *s) {
  for (int i = 0; i < 3; ++i)
    for (int j = i + 1; j < 3; ++j)
      for (int sign = 0; sign < 4; ++sign) {
        double stress[6] = {0};
        stress[i] = sign & 1 ? -1 : 1, stress[j] = sign & 2 ? -1 : 1;
        const double square = strength_inverse(s, i, stress[i]) * strength_inverse(s, j, stress[j]);
        if (strength_coupling(s, stress, i, j) * stress[i] * stress[j] > 2 * sqrt(square) * (1 + 1e-12)) return false;
      }
  return true;
}

/* Along axes: what is left out is that of another axis. */
static void check_axes(const Case *c, CaseStrength *s, Diagnostics *out) {
  static const int needed[] = {STRENGTH_X, STRENGTH_Y, STRENGTH_SXY};
  for (int i = 0; i < 3; ++i)
    if (!given(s, needed[i])) {
      report_error(out, s->place, "strength has no %s; along axes it has X, Y and Sxy at least", key[needed[i]]);
      return;
    }
  const bool has_z = given(s, STRENGTH_Z);
  stand_in(s, STRENGTH_XC, STRENGTH_X);
  stand_in(s, STRENGTH_YC, STRENGTH_Y);
  stand_in(s, STRENGTH_Z, STRENGTH_Y);
  stand_in(s, STRENGTH_ZC, has_z ? STRENGTH_Z : STRENGTH_YC);
  stand_in(s, STRENGTH_SYZ, STRENGTH_SXY);
  stand_in(s, STRENGTH_SZX, STRENGTH_SXY);
  if (elastic_has(c, HAS_LARGE_STRAIN))
    report_error(out, s->place,
                 "strength along axes is for small strains; at finite strain the axes turn with the material\n  "
                 "remedy: 'strain: small', or leave it out");
  const Strength strength = case_strength(s);
  if (strength.criterion == STRENGTH_TSAI_HILL && !is_closed(&strength))
    report_error(
        out, s->place,
        "with these strengths the criterion of Tsai and Hill has no limit for some stresses: along one axis the "
        "material is too weak beside the other two\n  remedy: 'criterion: tsai-wu'");
}

/* Of a metal that flows, where it flows first. */
static void take_yield(CaseMaterial *m) {
  const int k = material_parameter(m->type.value, "yield");
  double value[PARAM_MOST + PARAM_CURVES];
  if (k < 0 || place_given(m->strength.place) || place_given(m->varying[k].place)) return;
  case_material_numbers(m, value);
  if (!(value[k] >= PARAM_MOST)) return;
  const double *curve = value + (int)value[k];
  if (curve_tables(curve) > 1 || !(curve[2] > 0)) return;
  m->strength.place = m->value[k].place;
  m->strength.value[STRENGTH_YIELD] = (NumberValue){curve[2], m->value[k].place};
}

/* Which of yield; tension and compression; along axes. */
enum { OF_YIELD, OF_TENSION, OF_AXES };
static int family(int k) { return k == STRENGTH_YIELD ? OF_YIELD : k < STRENGTH_X ? OF_TENSION : OF_AXES; }

/* The first number of a family; -1: none. */
static int first_of(const CaseStrength *s, int of) {
  for (int k = 0; k < N_STRENGTHS; ++k)
    if (family(k) == of && given(s, k)) return k;
  return -1;
}

static bool check_family(const CaseMaterial *m, Diagnostics *out, int *of) {
  const CaseStrength *s = &m->strength;
  const MaterialType *type = material_type(m->type.value);
  int n = 0;
  for (int k = 0; k < 3; ++k)
    if (first_of(s, k) >= 0) ++n, *of = k;
  const bool axes = type && type->shape.axes;
  if (n != 1)
    report_error(out, s->place,
                 "strength has %s\n  allowed: yield; tension and compression; or, along axes, X, Y, Sxy "
                 "and others",
                 n ? "numbers of several criteria" : "no number");
  else if (axes != (*of == OF_AXES))
    report_error(out, s->value[first_of(s, *of)].place,
                 "%s is the strength of a material that is %s; '%s' is %s\n  allowed: %s", key[first_of(s, *of)],
                 axes ? "the same in all directions" : "different along its axes", type ? type->name : "",
                 axes ? "not" : "the same in all directions",
                 axes ? "X, Xc, Y, Yc, Z, Zc, Sxy, Syz, Szx" : "yield; or tension and compression");
  else if (*of == OF_TENSION && !(given(s, STRENGTH_TENSION) && given(s, STRENGTH_COMPRESSION)))
    report_error(out, s->place, "strength: tension and compression go together; %s is not given",
                 key[given(s, STRENGTH_TENSION) ? STRENGTH_COMPRESSION : STRENGTH_TENSION]);
  else return true;
  return false;
}

static void check_criterion(CaseStrength *s, int of, Diagnostics *out) {
  static const StrengthCriterion first[] = {STRENGTH_VON_MISES, STRENGTH_MOHR_COULOMB, STRENGTH_TSAI_HILL},
                                 last[] = {STRENGTH_VON_MISES, STRENGTH_PRINCIPAL, STRENGTH_TSAI_WU};
  const int word = s->criterion.value + 1;
  if (!place_given(s->criterion.place))
    s->criterion = (WordValue){(int32_t)first[of] - 1, criterion_words[first[of] - 1].name, s->place};
  else if (s->criterion.text && (word < (int)first[of] || word > (int)last[of]))
    report_error(out, s->criterion.place, "criterion '%s' does not go by %s\n  allowed: %s%s%s", s->criterion.text,
                 key[first_of(s, of)], criterion_words[first[of] - 1].name, first[of] == last[of] ? "" : ", ",
                 first[of] == last[of] ? "" : criterion_words[last[of] - 1].name);
}

Strength case_strength(const CaseStrength *s) {
  Strength strength = {STRENGTH_NONE, {0}};
  if (!place_given(s->place)) return strength;
  strength.criterion = (StrengthCriterion)(s->criterion.value + 1);
  for (int k = 0; k < N_STRENGTHS; ++k) strength.value[k] = s->value[k].value;
  return strength;
}

void case_check_strength(const Case *c, CaseMaterial *m, Diagnostics *out) {
  CaseStrength *s = &m->strength;
  int of = 0;
  take_yield(m);
  if (!place_given(s->place) || !check_family(m, out, &of)) return;
  check_criterion(s, of, out);
  if (of == OF_AXES) check_axes(c, s, out);
}

/* Who asks for a field in axes of materials, or for a safety factor. */
static bool asked_at(const Case *c, int32_t row, Place *place) {
  bool found = elastic_field_asked(c, row);
  if (found) *place = c->output.fields.place;
  for (int32_t i = 0; i < c->output.probes.n && !found; ++i)
    if (elastic_probe(c, i).row == row) found = true, *place = case_probe(c, i)->field.place;
  for (int32_t i = 0; row == ELASTIC_SAFETY && i < c->expect.n && !found; ++i)
    if (case_expect(c, i)->quantity.text && !strcmp(case_expect(c, i)->quantity.text, "safety"))
      found = true, *place = case_expect(c, i)->quantity.place;
  for (int32_t i = 0; row == ELASTIC_SAFETY && i < c->envelopes.n && !found; ++i)
    if (case_envelope(c, i)->field.value == ENVELOPE_SAFETY) found = true, *place = case_envelope(c, i)->field.place;
  return found;
}

void case_check_material_fields(const Case *c, Diagnostics *out) {
  static const int32_t in_axes[] = {ELASTIC_STRESS_MATERIAL, ELASTIC_STRAIN_MATERIAL, ELASTIC_FIBER_STRESS};
  Place place = {0};
  bool axes = false;
  for (int32_t m = 0; m < c->materials.n; ++m) {
    const MaterialType *type = material_type(case_material(c, m)->type.value);
    axes = axes || (type && type->shape.axes) || place_given(case_material(c, m)->axes.place);
  }
  for (int k = 0; k < COUNT(in_axes); ++k)
    if (!axes && asked_at(c, in_axes[k], &place))
      report_error(out, place,
                   "%s: no material of this case has axes\n  remedy: '%s', or a material with axes, such as "
                   "'type: orthotropic'",
                   elastic_field[in_axes[k]].word,
                   k == 0   ? "stress"
                   : k == 1 ? "strain"
                            : "cauchy");
  if (asked_at(c, ELASTIC_SAFETY, &place) && !case_has_strength(c))
    report_error(out, place,
                 "safety: no material of this case has a strength\n  remedy: 'strength: {yield: 235}' in "
                 "its entry of 'materials', or a 'name' of the library that has one");
}
