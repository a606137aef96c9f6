/* What all schemes share: the extrapolating predictor, and Milne's device: predictor and scheme are wrong by C_p and
 * C_s times the same derivative, so their difference shows both (Hairer, Norsett and Wanner, Solving Ordinary
 * Differential Equations I, III.5). */
#include "solver/time/scheme.h"

#include <math.h>
#include <stddef.h>

static const TimeScheme *const SCHEMES[] = {
#define TIME_SCHEME(id, name) &id##_scheme,
#include "solver/time/schemes.def"
#undef TIME_SCHEME
};
enum { N_SCHEME = (int)(sizeof SCHEMES / sizeof *SCHEMES) };

int32_t time_scheme_count(void) { return N_SCHEME; }
const TimeScheme *time_scheme(int32_t i) { return i >= 0 && i < N_SCHEME ? SCHEMES[i] : NULL; }

SchemeFactors scheme_factors(const TimeScheme *scheme, int32_t n_history, double dt, double h1, double h2) {
  SchemeFactors n = {.share = NAN};
  scheme->factors(dt, h1, &n);
  if (n_history == 0) return n;
  n.a1 = dt / h1;
  if (n_history == 1 || scheme->order == 1) {
    /* predictor dt (dt + h1) / 2 u'', of opposite sign; for schemes of second order too much */
    const double error = scheme->order == 1 ? scheme->error(dt, h1) * dt : dt;
    n.share = error / (error + dt + h1);
    return n;
  }
  const double wide = dt * (dt + h1), slope = wide / (h1 + h2); /* Newton's interpolation through three points */
  n.a1 += slope / h1;
  n.a2 = -slope / h2;
  const double predictor = wide * (dt + h1 + h2) / 6, error = scheme->error(dt, h1);
  n.share = error / (error + predictor);
  return n;
}
