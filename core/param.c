/* Ranges of parameters, as text and as a check. */
#include "core/param.h"

#include <math.h>
#include <stdio.h>

const char *param_range(const Param *p, char *text, int size) {
  const size_t n = (size_t)size;
  if (isinf(p->min) && isinf(p->max)) snprintf(text, n, "any number");
  else if (isinf(p->max)) snprintf(text, n, "%s %g", p->open_min ? ">" : ">=", p->min);
  else if (isinf(p->min)) snprintf(text, n, "%s %g", p->open_max ? "<" : "<=", p->max);
  else snprintf(text, n, "%c%g, %g%c", p->open_min ? '(' : '[', p->min, p->max, p->open_max ? ')' : ']');
  return text;
}

Status param_check(const Param *p, double value) {
  const bool low = p->open_min ? value <= p->min : value < p->min;
  const bool high = p->open_max ? value >= p->max : value > p->max;
  if (isfinite(value) && !low && !high) return OK;
  char range[80];
  param_range(p, range, sizeof range);
  return FAIL(ERR_INPUT, "%s is %g, must %s%s", p->name, value,
              isinf(p->min) && isinf(p->max) ? "be finite: " : isinf(p->min) || isinf(p->max) ? "be " : "lie in ",
              range);
}
