/* Curves among the parameters of a map: a number, pairs of numbers, or these at several temperatures (core/param.h). */
#include "app/input/schema_value.h"
#include "core/curve_tables.h"
#include "output/wording.h"

#include <stdio.h>
#include <string.h>

static void refuse_shape(Reader *r, const Param *param, int32_t node) {
  const bool pairs = param_is_pairs(param);
  const bool warm = param_is_warm(param);
  const char *over = strstr(param->unit, pairs ? " with " : " over ");
  const int unit = (int)((warm ? strchr(param->unit, ',') : over) - param->unit);
  const bool bare = unit == 1; /* 1, without a unit */
  const char *what = over + 6, *end = strstr(what, PARAM_TABLES);
  char seen[64];
  report_error(r->diagnostics, r->tree->node[node].place,
               "%s must be %sa list of pairs [%.*s, %.*s] such as %s; this is %s", param->name,
               pairs ? "" : "a number, or ", (int)(end ? end - what : (long)strlen(what)), what, bare ? 6 : unit,
               bare ? "number" : param->unit, pairs ? "[[2e4, 100], [1e3, 0]]" : "[[0, 1], [0.1, 2]]",
               tree_seen(r->tree, node, seen));
}

static bool is_pairs(const Reader *r, int32_t node) {
  const TreeNode *t = r->tree->node;
  bool pairs = t[node].kind == TREE_LIST && t[node].n > 0;
  for (int32_t i = t[node].first; i >= 0 && pairs; i = t[i].next) pairs = t[i].kind == TREE_LIST && t[i].n == 2;
  return pairs;
}

/* A number or pairs, behind the numbers that are there. False: refused. */
static bool read_one(Reader *r, const Param *param, int32_t node, ParamCurves *curves) {
  const TreeNode *t = &r->tree->node[node];
  const Key key = {.name = param->name, .type = VALUE_NUMBER};
  const bool pairs = is_pairs(r, node);
  const int32_t n = pairs ? t->n : 1, room = (PARAM_CURVES - curves->n - 1) / 2;
  double *to = curves->item + curves->n;
  NumberValue number = {0};
  if (!pairs && (t->kind != TREE_PLAIN || param_is_pairs(param))) {
    refuse_shape(r, param, node);
    return false;
  }
  if (n > room) {
    report_error(r->diagnostics, t->place,
                 "%s has %d points; the curves of a material have room for %d here\n  remedy: leave out points where "
                 "the curve is straight",
                 param->name, (int)n, (int)room);
    return false;
  }
  *to = n;
  if (!pairs) value_read(r, &key, node, &number), to[1] = 0, to[2] = number.value;
  for (int32_t i = pairs ? t->first : -1, k = 1; i >= 0; i = r->tree->node[i].next)
    for (int32_t j = r->tree->node[i].first; j >= 0; j = r->tree->node[j].next, ++k)
      value_read(r, &key, j, &number), to[k] = number.value;
  curves->n += 1 + 2 * n;
  return true;
}

/* {temperature: 20, table: [[0, 250], [0.02, 300]]} of each. */
static bool read_tables(Reader *r, const Param *param, int32_t node, ParamCurves *curves) {
  const Key key = {.name = "temperature", .type = VALUE_NUMBER};
  const TreeNode *t = &r->tree->node[node];
  NumberValue number = {0};
  char seen[64];
  curves->item[curves->n++] = -t->n;
  for (int32_t i = t->first; i >= 0; i = r->tree->node[i].next) {
    const bool map = r->tree->node[i].kind == TREE_MAP && r->tree->node[i].n == 2;
    const int32_t at = map ? tree_member(r->tree, i, key.name) : -1,
                  table = map ? tree_member(r->tree, i, "table") : -1;
    if (at < 0 || table < 0) {
      report_error(r->diagnostics, r->tree->node[i].place,
                   "%s of a temperature must be {temperature: 20, table: [[0, 1], [0.1, 2]]}; this is %s", param->name,
                   tree_seen(r->tree, i, seen));
      return false;
    }
    if (curves->n + 2 > PARAM_CURVES) {
      report_error(r->diagnostics, r->tree->node[i].place,
                   "%s: the curves of a material have room for %d numbers\n  remedy: fewer tables or points",
                   param->name, PARAM_CURVES);
      return false;
    }
    value_read(r, &key, at, &number);
    curves->item[curves->n++] = number.value;
    if (!read_one(r, param, table, curves)) return false;
  }
  return true;
}

void curve_read(Reader *r, const Param *param, int32_t node, NumberValue *out, ParamCurves *curves) {
  const TreeNode *t = &r->tree->node[node];
  const int told = r->diagnostics->n;
  const int32_t first = curves->n;
  const bool tables = param_is_tables(param) && t->kind == TREE_LIST && t->n > 0 &&
                      r->tree->node[t->first].kind == TREE_MAP && first < PARAM_CURVES;
  *out = (NumberValue){0, t->place};
  if (!(tables ? read_tables : read_one)(r, param, node, curves)) curves->n = first;
  else if (r->diagnostics->n > told) *out = (NumberValue){0}, curves->n = first; /* it is not looked at again */
  else out->value = (param_is_warm(param) ? -1 : 1) * (double)(PARAM_MOST + first);
}

static void echo_one(const Param *param, const double *curve, Text *out) {
  char x[32], y[32];
  const int n = (int)*curve;
  const bool list = n > 1 || param_is_pairs(param) || param_is_warm(param);
  if (!list) text_add(out, "%s", double_text(curve[2], y));
  for (int k = 0; list && k < n; ++k)
    text_add(out, "%s[%s, %s]%s", k ? ", " : "[", double_text(curve[1 + 2 * k], x), double_text(curve[2 + 2 * k], y),
             k < n - 1 ? "" : "]");
}

void curve_echo(const Param *param, double value, const ParamCurves *curves, Text *out) {
  const int place = param_place(param, value);
  const double *curve = curves->item + (place ? place - PARAM_MOST : 0);
  char t[32];
  if (place == 0) text_add(out, "0");
  else if (*curve > 0) echo_one(param, curve, out);
  for (int k = 0, n = place && *curve < 0 ? curve_tables(curve) : 0; k < n; ++k) {
    const double *table = curve_table(curve, k);
    text_add(out, "%s{temperature: %s, table: ", k ? ", " : "[", double_text(table[-1], t));
    echo_one(param, table, out);
    text_add(out, k < n - 1 ? "}" : "}]");
  }
}
