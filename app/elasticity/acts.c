#include "app/elasticity/acts.h"

#include <stdio.h>
#include <string.h>

const Act act_rows[] = {
#define ACT(type, member, value, load, on, roles, schema, meaning)                                                     \
  {#member, value, offsetof(CaseBoundary, member), load, on, roles},
#include "app/input/acts.def"
#undef ACT
};
const int32_t n_act_rows = sizeof act_rows / sizeof *act_rows;

static const void *value_of(const Act *act, const CaseBoundary *b) { return (const char *)b + act->offset; }

Place act_place(const Act *act, const CaseBoundary *b) {
  const void *value = value_of(act, b);
  switch (act->type) {
  case VALUE_FLAG: return ((const FlagValue *)value)->place;
  case VALUE_EXPR: return ((const ExprValue *)value)->place;
  case VALUE_NAMES: return ((const NamesValue *)value)->place;
  case VALUE_MAP: return *(const Place *)value;
  default: return ((const ExprsValue *)value)->place;
  }
}

const Act *act_next(const CaseBoundary *b, unsigned roles, const Act *after) {
  for (const Act *act = after ? after + 1 : act_rows; act < act_rows + n_act_rows; ++act)
    if (act->roles & roles && place_given(act_place(act, b))) return act;
  return NULL;
}

ExprsValue act_value(const Act *act, const CaseBoundary *b) {
  if (act->type == VALUE_EXPRS || act->type == VALUE_EXPR_OR_EXPRS) return *(const ExprsValue *)value_of(act, b);
  if (act->type != VALUE_EXPR) return (ExprsValue){0};
  const ExprValue *one = value_of(act, b);
  return (ExprsValue){.item = {*one}, .n = place_given(one->place), .place = one->place};
}

int act_exprs(const Act *act, const CaseBoundary *b, const ExprValue *out[ACT_EXPRS]) {
  int n = 0;
  if (act->type == VALUE_EXPR) out[n++] = value_of(act, b);
  if (act->type == VALUE_EXPRS || act->type == VALUE_EXPR_OR_EXPRS) {
    const ExprsValue *list = value_of(act, b);
    for (; n < list->n && n < ACT_EXPRS; ++n) out[n] = &list->item[n];
  }
  if (act->offset == offsetof(CaseBoundary, fix)) {
    const ExprValue *const fix[] = {&b->fix.x, &b->fix.y, &b->fix.z};
    for (; n < ACT_EXPRS; ++n) out[n] = fix[n];
  }
  return n;
}

bool acts_given(const MapsValue *boundary, unsigned roles) {
  for (int32_t i = 0; i < boundary->n; ++i)
    if (act_next(maps_item(boundary, sizeof(CaseBoundary), i), roles, NULL)) return true;
  return false;
}

const char *acts_names(unsigned roles, char text[ACT_NAMES]) {
  *text = '\0';
  for (const Act *act = act_rows; act < act_rows + n_act_rows; ++act)
    if (act->roles & roles) {
      const size_t n = strlen(text);
      snprintf(text + n, ACT_NAMES - n, "%s%s", n ? ", " : "", act->key);
    }
  return text;
}
