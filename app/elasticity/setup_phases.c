/* Loads and motions of vibrations that are ahead of others: of value e^(i phase) the real part stays with those of the case,
 * the imaginary one is what acts a quarter of a period before, with all supports, of which most are at rest then. */
#include "app/elasticity/elastic.h"

#include <math.h>

/* Exactly 0 at right angles. */
static double clean(double value) { return fabs(value) < 1e-15 ? 0 : value; }

static Status scale_all(Expr value[3], double factor, const char *where) {
  for (int k = 0; k < 3; ++k) TRY_CONTEXT(expr_scale(&value[k], factor), "%s", where);
  return OK;
}

Status setup_phase(const CaseBoundary *b, int32_t first_support, int32_t first_load, ElasticActs *acts,
                   ElasticActs *ahead) {
  const double angle = b->phase.value * acos(-1) / 180, c = clean(cos(angle)), s = clean(sin(angle));
  for (int32_t i = first_support; i < acts->n_support; ++i) {
    Support *to = &ahead->support[ahead->n_support++];
    *to = acts->support[i];
    TRY(scale_all(to->value, s, to->where));
    TRY(scale_all(acts->support[i].value, c, to->where));
  }
  for (int32_t i = first_load; i < acts->n_load; ++i) {
    Load *load = &acts->load[i];
    if (load_is_coefficient(load->kind)) continue;
    if (s != 0) {
      ahead->load[ahead->n_load] = *load;
      TRY(scale_all(ahead->load[ahead->n_load++].value, s, load->where));
    }
    TRY(scale_all(load->value, c, load->where));
  }
  return OK;
}
