/* Checks of a case of harmonic elasticity, and its frequencies. */
#include "app/elasticity/acts.h"
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic_fields.h"
#include "app/input/case_tables.h"
#include "app/input/number.h"
#include "physics/material.h"

#include <math.h>

static bool spaced_by_modes(const CaseFrequency *f) { return !f->at.n && f->spacing.value == SPACING_MODES; }

int64_t harmonic_count(const Case *c) {
  const CaseFrequency *f = &c->analysis.frequency;
  if (spaced_by_modes(f)) return (f->count.value - 1) * (c->analysis.modes.value + 1) + 1;
  return f->at.n ? f->at.n : f->count.value;
}

int64_t harmonic_between(const Case *c, int32_t n, const double *natural, double *out) {
  const CaseFrequency *f = &c->analysis.frequency;
  int64_t n_out = 0;
  double from = f->from.value;
  const double bias = place_given(f->bias.place) ? f->bias.value : 3;
  for (int32_t i = 0; i <= n; ++i) {
    const double to = i < n && natural[i] < f->to.value ? natural[i] : f->to.value;
    if (to <= from * (1 + 1e-6)) continue; /* of equal ones one */
    out[n_out++] = from;
    for (int64_t k = 1; k < f->count.value - 1; ++k) {
      const double middle = 2 * (double)k / (double)(f->count.value - 1) - 1;
      out[n_out++] = (from + to) / 2 + (to - from) / 2 * copysign(pow(fabs(middle), 1 / bias), middle);
    }
    from = to;
  }
  out[n_out++] = f->to.value;
  return n_out;
}

double harmonic_frequency(const Case *c, int64_t k) {
  const CaseFrequency *f = &c->analysis.frequency;
  const char *why;
  double value = (double)NAN;
  if (f->at.n) {
    number_parse(f->at.item[k].text, &value, &why);
    return value;
  }
  if (k == harmonic_count(c) - 1) return f->to.value;
  if (spaced_by_modes(f) && k > 0) return (double)NAN; /* known with the modes */
  const double t = (double)k / (double)(f->count.value - 1);
  if (f->spacing.value == SPACING_LOGARITHMIC) return f->from.value * pow(f->to.value / f->from.value, t);
  return f->from.value + t * (f->to.value - f->from.value);
}

int64_t harmonic_find(const Case *c, double f) {
  const int64_t n = harmonic_count(c);
  for (int64_t k = 0; k < n; k += spaced_by_modes(&c->analysis.frequency) ? n - 1 : 1)
    if (fabs(harmonic_frequency(c, k) - f) <= 1e-9 * fabs(f)) return k;
  return -1;
}

/* So that its square, and that times a mass, is a number. */
static const double FREQUENCY_MOST = 1e100;

/* False after an error. */
static bool check_list(const NamesValue *at, Diagnostics *out) {
  double before = -1;
  bool fine = true;
  for (int32_t i = 0; i < at->n; ++i) {
    const TextValue *item = &at->item[i];
    const char *why;
    char seen[SEEN_BYTES];
    double value;
    const int32_t n = out->n;
    if (!number_parse(item->text, &value, &why))
      report_error(out, item->place, "frequency: '%s' %s", seen_text(item->text, seen), why);
    else if (!(value >= 0 && value <= FREQUENCY_MOST))
      report_error(out, item->place, "frequency is %g, must be >= 0 (Hz) and at most %g", value, FREQUENCY_MOST);
    else if (!(value > before))
      report_error(out, item->place, "frequency %g comes after %g; they must rise", value, before);
    else before = value;
    fine &= out->n == n;
  }
  return fine;
}

static bool check_sweep(const CaseFrequency *f, Diagnostics *out) {
  if (!place_given(f->from.place) || !place_given(f->to.place) || !place_given(f->count.place)) {
    report_error(out, f->place, "frequency needs a number, a list of numbers, or all of from, to and count");
    return false;
  }
  if (f->from.value >= f->to.value)
    report_error(out, f->from.place, "from is %g, must be less than to, %g", f->from.value, f->to.value);
  else if (f->spacing.value == SPACING_LOGARITHMIC && f->from.value == 0)
    report_error(out, f->from.place, "from is 0, must be > 0 where the spacing is logarithmic");
  else if (f->to.value > FREQUENCY_MOST)
    report_error(out, f->to.place, "to is %g, must be at most %g (Hz)", f->to.value, FREQUENCY_MOST);
  else return true;
  return false;
}

static void check_spacing(const Case *c, Diagnostics *out) {
  const CaseFrequency *f = &c->analysis.frequency;
  if (spaced_by_modes(f) && !case_by_modes(c))
    report_error(out, f->spacing.place, "spacing modes needs 'method: modes', which finds the natural frequencies");
  if (place_given(f->bias.place) && !spaced_by_modes(f))
    report_error(out, f->bias.place, "bias is for 'spacing: modes'");
}

/* Whether the frequencies are known. */
static bool check_frequency(const CaseFrequency *f, Diagnostics *out) {
  const bool sweep = place_given(f->from.place) || place_given(f->to.place) || place_given(f->count.place);
  if (!place_given(f->place)) return false;
  for (int32_t i = 0; i < out->n; ++i) /* keys inside may be wrong already: one error each is enough */
    if (out->item[i].place.line == f->place.line && out->item[i].place.column >= f->place.column) return false;
  if (f->at.n && sweep) {
    report_error(out, f->place, "frequency has both at and from, to, count; use one of them");
    return false;
  }
  return f->at.n ? check_list(&f->at, out) : check_sweep(f, out);
}

void case_check_density(const Case *c, const char *analysis, Diagnostics *out) {
  for (int32_t i = 0; i < c->materials.n; ++i) {
    const CaseMaterial *m = case_material(c, i);
    const int density = material_parameter(m->type.value, "density");
    if (density >= 0 && (m->value[density].value > 0 || place_given(m->varying[density].place))) continue;
    if (density >= 0 && place_given(m->value[density].place))
      report_error(out, m->value[density].place,
                   "density is %g, must be > 0 in a %s analysis: a body without mass has no vibrations",
                   m->value[density].value, analysis);
    else
      report_error(out, m->place, "a material needs the key 'density' in a %s analysis: mass per volume, > 0",
                   analysis);
  }
}

static void harmonic_check_parts(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->output.probes.n; ++i) {
    const CaseProbe *p = case_probe(c, i);
    if (p->field.text && !elastic_field[elastic_probe(c, i).row].linear && p->part.text &&
        p->part.value != PART_AMPLITUDE)
      report_error(out, p->part.place, "%s has no part '%s'; it is the largest value over a cycle", p->field.text,
                   p->part.text);
  }
}

static void check_expected(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->expect.n; ++i) {
    const CaseExpect *row = case_expect(c, i);
    if (!place_given(row->frequency.place)) continue;
    if (place_given(row->quantity.place))
      report_error(out, row->frequency.place, "a quantity belongs to the whole run; it has no frequency");
    else if (harmonic_find(c, row->frequency.value) < 0)
      report_error(out, row->frequency.place, "frequency %g is not one of those of 'analysis:'%s", row->frequency.value,
                   spaced_by_modes(&c->analysis.frequency)
                       ? "; with 'spacing: modes' only 'from' and 'to' are known in advance"
                       : "");
  }
}

/* Loads that are a number at one frequency and none at another, such as 1/f^2. */
static void check_values(const Case *c, Diagnostics *out) {
  enum { MOST = 200 }; /* the run says it of others, and where it acts of those that depend on the place */
  static const double origin[3] = {0};
  const ExprValue *value;
  for (int32_t i = 0; i < MOST && (value = case_timed(c, i)); ++i) {
    if (expr_is_local(&value->expr)) continue;
    for (int64_t k = 0; k < harmonic_count(c); ++k) {
      const double f = harmonic_frequency(c, k), found = expr_value(&value->expr, origin, f);
      if (isnan(f) || isfinite(found)) continue;
      report_error(out, value->place, "'%.60s' is %s at f = %g, must be finite%s", value->text,
                   isnan(found) ? "not a number" : "infinite", f,
                   f > 0 ? "" : "\n  remedy: begin above 0 Hz, or \"max(f, ...)\" in place of f");
      break;
    }
  }
}

/* A displacement in double leaves a residual of about 1e-16 |A| |u|: in slender bodies near a resonance that is more
 * than the 1e-8 |F| of statics, which no solver can reach there (docs/theory/harmonic.md). */
static const double RTOL = 1e-6;

void harmonic_check(Case *c, Diagnostics *out) {
  if (!place_given(c->solver.rtol.place)) c->solver.rtol.value = RTOL;
  case_check_elastic(c, out);
  case_check_density(c, "harmonic", out);
  case_refuse_gaps(c, out);
  case_check_elastic_tables(c, out);
  case_check_elastic_probes(c, out);
  harmonic_check_parts(c, out);
  case_check_response(c, out);
  check_spacing(c, out);
  if (!check_frequency(&c->analysis.frequency, out)) return;
  check_expected(c, out);
  check_values(c, out);
}

HarmonicFactors harmonic_factors(const Case *c, double frequency) {
  const CaseDamping *d = &c->analysis.damping;
  const double omega = 2 * acos(-1) * frequency;
  return (HarmonicFactors){omega, d->loss_factor.value + omega * d->beta.value, d->alpha.value};
}

bool harmonic_is_damped(const Case *c) {
  const CaseDamping *d = &c->analysis.damping;
  return d->loss_factor.value > 0 || d->alpha.value > 0 || d->beta.value > 0 || d->ratio.n || case_has_dashpots(c);
}
