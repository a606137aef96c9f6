/* A curve of a tensile test, from a file, to true stress over plastic strain. */
#include "app/elasticity/case_elasticity.h"
#include "app/input/case_tables.h"
#include "core/memory.h"
#include "physics/material.h"

#include <math.h>

typedef enum CurveOf { CURVE_ENGINEERING, CURVE_TRUE, CURVE_PLASTIC } CurveOf;
const Word case_curve_words[] = {{"engineering", 0}, {"true", 0}, {"plastic", 0}, {NULL, 0}};

/* A point counts as elastic up to this plastic strain, that of the limit of elasticity Rp0.01 (ISO 6892-1). No metal bears as much
 * strain as MOST before it necks. */
static const double ELASTIC = 1e-4, MOST = 2;

/* How many points come before the specimen necks, where the engineering stress is largest; later ones are of no uniform strain. */
static int64_t before_necking(const ExprTable *t) {
  int64_t most = 0;
  for (int64_t i = 1; i < t->n; ++i)
    if (t->value[i] > t->value[most]) most = i;
  return most + 1;
}

/* sigma = s (1 + e), p = ln(1 + e) - sigma/E of engineering stress and strain. */
static void convert(CurveOf of, double young, double *strain, double *stress) {
  if (of == CURVE_ENGINEERING) *stress *= 1 + *strain, *strain = log1p(*strain);
  if (of != CURVE_PLASTIC) *strain -= *stress / young;
}

/* Points of plastic strain, the first at 0: the last elastic one that bears a stress, or else the stress of the first that is not. In
 * place: no more points are kept than were seen. */
static int64_t keep_plastic(ExprTable *t, int64_t n) {
  int64_t kept = 0;
  for (int64_t i = 0; i < n; ++i) {
    const double p = t->at[i], s = t->value[i];
    if (s > 0 && (p <= ELASTIC || kept == 0)) t->at[0] = 0, t->value[0] = s, kept = 1;
    else if (kept > 0 && p > t->at[kept - 1]) t->at[kept] = p, t->value[kept++] = s;
  }
  return kept;
}

static void take(CaseMaterial *m, int yield, const ExprTable *t, int64_t n) {
  double *to = m->curves.item + m->curves.n;
  *to = (double)n;
  for (int64_t i = 0; i < n; ++i) to[1 + 2 * i] = t->at[i], to[2 + 2 * i] = t->value[i];
  m->value[yield] = (NumberValue){PARAM_MOST + m->curves.n, m->curve.place};
  m->curves.n += 1 + 2 * (int32_t)n;
  m->curve = (CaseTest){0}; /* the resolved case has `yield` */
}

static void fill(Case *c, CaseMaterial *m, int yield, double young, ExprTable *t, Diagnostics *out) {
  const CurveOf of = (CurveOf)m->curve.of.value;
  const int64_t n = of == CURVE_ENGINEERING ? before_necking(t) : t->n, room = (PARAM_CURVES - m->curves.n - 1) / 2;
  char where[512];
  place_text(c->path, m->curve.place, where, sizeof where);
  if (t->at[n - 1] > MOST && of != CURVE_PLASTIC) {
    report_error(
        out, m->curve.file.place,
        "curve: the strain goes to %g before the largest stress, which looks like percent\n  remedy: 0.2 for 20 "
        "percent",
        t->at[n - 1]);
    return;
  }
  const int64_t left = t->n - n;
  for (int64_t i = 0; i < n && of != CURVE_PLASTIC; ++i) convert(of, young, &t->at[i], &t->value[i]);
  const int64_t kept = of == CURVE_PLASTIC ? n : keep_plastic(t, n);
  if (kept > room)
    report_error(out, m->curve.file.place,
                 "curve has %lld points; the curves of a material have room for %lld here\n  remedy: leave out points "
                 "where the curve is straight",
                 (long long)kept, (long long)room);
  else if (kept == 0) report_error(out, m->curve.file.place, "curve has no point with a stress above 0");
  else {
    if (left > 0)
      status_warn("%s: curve: %lld points behind the largest stress are left out: there the specimen necks, and its "
                  "strain is not uniform; the true stress stays at %g from the plastic strain %g on",
                  where, (long long)left, t->value[kept - 1], t->at[kept - 1]);
    take(m, yield, t, kept);
  }
}

void case_curve_fill(Case *c, CaseMaterial *m, Diagnostics *out) {
  const int yield = material_parameter(m->type.value, "yield"), young = material_parameter(m->type.value, "young");
  ExprTable table = {0};
  if (yield < 0 || young < 0)
    report_error(out, m->curve.place, "curve is for 'type: plastic'; this is '%s'", m->type.text);
  else if (place_given(m->value[yield].place))
    report_error(out, m->curve.place, "curve and yield are both given\n  allowed: one of the two");
  else if (place_given(m->varying[young].place) || m->value[young].value <= -PARAM_MOST)
    report_error(out, m->curve.place, "curve needs young to be a number, by which strains become plastic strains");
  else if (m->curve.file.text && m->curve.of.text && m->value[young].value > 0) {
    const Status status = case_table_read(c, &m->curve.file, &table, out);
    if (status != OK) report_error(out, m->curve.file.place, "%s", status_message());
    else if (table.n > 0) fill(c, m, yield, m->value[young].value, &table, out);
  }
  FREE(table.at);
  FREE(table.value);
}
