#include "core/percent.h"

#include <math.h>
#include <stdio.h>

const char *percent_text(double share, char out[32]) {
  static const double LEAST = 1e-4, MOST = 1e9;
  const double percent = 100 * fabs(share);
  const char *sign = share < 0 ? "-" : "";
  if (isnan(share)) snprintf(out, 32, "nan %%");
  else if (percent > MOST) snprintf(out, 32, "more than %.0f %%", MOST);
  else if (percent >= 9.95 || percent < LEAST) snprintf(out, 32, "%s%.0f %%", sign, percent);
  else snprintf(out, 32, "%s%.*g %%", sign, 2, percent);
  return out;
}
