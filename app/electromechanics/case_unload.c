/* What the tables cannot say of `unload:`. */
#include "app/elasticity/case_elasticity.h"
#include "app/electromechanics/case_electromechanics.h"
#include "app/input/case_tables.h"
#include "core/nearest.h"

#include <math.h>
#include <string.h>

static const char TOLERANCE[] = "tolerance";
static const double USUAL = 1e-3; /* mm */

static bool is_tolerance(const Factor *item) { return strcmp(item->name.text, TOLERANCE) == 0; }

double case_unload_tolerance(const Case *c) {
  for (int32_t i = 0; i < c->unload.n; ++i)
    if (is_tolerance(&c->unload.item[i])) return c->unload.item[i].value;
  return USUAL;
}

static void check_name(const Case *c, const TextValue *name, Diagnostics *out) {
  enum { MOST = 8 };
  const char *names[MOST + 1];
  if (case_cavity_called(c, name->text) >= 0) return;
  int n = case_cavity_names(c, MOST, names);
  names[n++] = TOLERANCE;
  const char *near = nearest_name(name->text, n, names);
  report_error(out, name->place,
               "there is no cavity '%s' in 'cavities'%s%s%s\n  allowed: names of cavities, with the pressure that they "
               "have in the mesh, and tolerance",
               name->text, near ? "\n  did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* What is said of the body of the mesh has two meanings here. */
static void check_rest(const Case *c, Diagnostics *out) {
  for (int32_t k = 0; k < c->cavities.n; ++k) {
    const ExprValue *volume = &case_cavity(c, k)->volume;
    if (place_given(volume->place) && expr_has_v0(&volume->expr))
      report_error(out, volume->place,
                   "V0 is the volume of the mesh, and with 'unload' the body begins with another one\n  remedy: "
                   "'pressure', or a volume in mL without V0");
  }
  for (int32_t m = 0; m < c->materials.n; ++m) {
    const CaseFibers *fibers = &case_material(c, m)->axes.fibers;
    if (fibers->rule.text && strcmp(fibers->rule.text, "ellipsoid") == 0)
      report_error(out, fibers->place,
                   "the ellipsoids of this rule are not those of the body without load, which 'unload' finds\n  "
                   "allowed: rule: ldrb, field, direction");
  }
}

void unload_check(const Case *c, Diagnostics *out) {
  double most = 0;
  if (!c->unload.n) return;
  for (int32_t i = 0; i < c->unload.n; ++i) {
    const Factor *item = &c->unload.item[i];
    if (is_tolerance(item)) {
      if (!(item->value > 0) || !isfinite(item->value))
        report_error(out, item->name.place, "tolerance is %g mm, must be > 0", item->value);
      continue;
    }
    check_name(c, &item->name, out);
    if (!(item->value >= 0) || !isfinite(item->value))
      report_error(out, item->name.place,
                   "%s is %g kPa, must be >= 0: the pressure in this cavity when its image was taken", item->name.text,
                   item->value);
    most = fmax(most, item->value);
  }
  if (!(most > 0))
    report_error(out, c->unload.place,
                 "no cavity has a pressure in the mesh, which is without load then\n  such as: unload: {lv: 1.2}, kPa; "
                 "or leave 'unload' out");
  check_rest(c, out);
}
