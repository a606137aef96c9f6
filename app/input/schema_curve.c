/* Curves among the parameters of a map: a number, or pairs of numbers (core/param.h). */
#include "app/input/schema_value.h"
#include "output/wording.h"

#include <stdio.h>
#include <string.h>

static void refuse_shape(Reader *r, const Param *param, int32_t node) {
  const bool pairs = param_is_pairs(param);
  const char *over = strstr(param->unit, pairs ? " with " : " over ");
  const bool bare = over - param->unit == 1; /* 1, without a unit */
  char seen[64];
  report_error(r->diagnostics, r->tree->node[node].place,
               "%s must be %sa list of pairs [%s, %.*s] such as %s; this is %s", param->name,
               pairs ? "" : "a number, or ", over + 6, bare ? 6 : (int)(over - param->unit),
               bare ? "number" : param->unit, pairs ? "[[2e4, 100], [1e3, 0]]" : "[[0, 1], [0.1, 2]]",
               tree_seen(r->tree, node, seen));
}

static bool is_pairs(const Reader *r, int32_t node) {
  const TreeNode *t = r->tree->node;
  bool pairs = t[node].kind == TREE_LIST && t[node].n > 0;
  for (int32_t i = t[node].first; i >= 0 && pairs; i = t[i].next) pairs = t[i].kind == TREE_LIST && t[i].n == 2;
  return pairs;
}

void curve_read(Reader *r, const Param *param, int32_t node, NumberValue *out, ParamCurves *curves) {
  const TreeNode *t = &r->tree->node[node];
  const Key key = {.name = param->name, .type = VALUE_NUMBER};
  const bool pairs = is_pairs(r, node);
  const int32_t n = pairs ? t->n : 1, room = (PARAM_CURVES - curves->n - 1) / 2;
  double *to = curves->item + curves->n;
  const int told = r->diagnostics->n;
  NumberValue number = {0};
  *out = (NumberValue){0, t->place};
  if (!pairs && (t->kind != TREE_PLAIN || param_is_pairs(param))) {
    refuse_shape(r, param, node);
    return;
  }
  if (n > room) {
    report_error(r->diagnostics, t->place,
                 "%s has %d points; the curves of a material have room for %d here\n  remedy: leave out points where "
                 "the curve is straight",
                 param->name, (int)n, (int)room);
    return;
  }
  *to = n;
  if (!pairs) value_read(r, &key, node, &number), to[1] = 0, to[2] = number.value;
  for (int32_t i = pairs ? t->first : -1, k = 1; i >= 0; i = r->tree->node[i].next)
    for (int32_t j = r->tree->node[i].first; j >= 0; j = r->tree->node[j].next, ++k)
      value_read(r, &key, j, &number), to[k] = number.value;
  if (r->diagnostics->n > told) { /* it is not looked at again */
    *out = (NumberValue){0};
    return;
  }
  out->value = PARAM_MOST + curves->n;
  curves->n += 1 + 2 * n;
}

void curve_echo(const Param *param, double value, const ParamCurves *curves, Text *out) {
  char x[32], y[32];
  const double *curve = curves->item + (int)value - PARAM_MOST;
  const int n = value > 0 ? (int)*curve : 0;
  if (n == 0) text_add(out, "0");
  else if (n == 1 && !param_is_pairs(param)) text_add(out, "%s", double_text(curve[2], y));
  for (int k = 0; (n > 1 || param_is_pairs(param)) && k < n; ++k)
    text_add(out, "%s[%s, %s]%s", k ? ", " : "[", double_text(curve[1 + 2 * k], x), double_text(curve[2 + 2 * k], y),
             k < n - 1 ? "" : "]");
}
