#include "app/setup/act.h"

#include <stdio.h>
#include <string.h>

static const void *value_of(const Act *act, const void *entry) { return (const char *)entry + act->offset; }

Place act_place(const Act *act, const void *entry) {
  const void *value = value_of(act, entry);
  switch (act->type) {
  case VALUE_FLAG: return ((const FlagValue *)value)->place;
  case VALUE_EXPR: return ((const ExprValue *)value)->place;
  case VALUE_NAMES: return ((const NamesValue *)value)->place;
  case VALUE_MAP: return *(const Place *)value;
  default: return ((const ExprsValue *)value)->place;
  }
}

const Act *acts_next(const ActTable *acts, const void *entry, unsigned roles, const Act *after) {
  for (const Act *act = after ? after + 1 : acts->row; act < acts->row + acts->n; ++act)
    if (act->roles & roles && place_given(act_place(act, entry))) return act;
  return NULL;
}

ExprsValue act_value(const Act *act, const void *entry) {
  if (act->type == VALUE_EXPRS || act->type == VALUE_EXPR_OR_EXPRS) return *(const ExprsValue *)value_of(act, entry);
  if (act->type != VALUE_EXPR) return (ExprsValue){0};
  const ExprValue *one = value_of(act, entry);
  return (ExprsValue){.item = {*one}, .n = place_given(one->place), .place = one->place};
}

const char *acts_list(const ActTable *acts, unsigned roles, char text[ACT_NAMES]) {
  *text = '\0';
  for (const Act *act = acts->row; act < acts->row + acts->n; ++act)
    if (act->roles & roles) {
      const size_t n = strlen(text);
      snprintf(text + n, ACT_NAMES - n, "%s%s", n ? ", " : "", act->key);
    }
  return text;
}

const char *acts_word(const ActTable *acts, LoadKind load) {
  for (const Act *act = acts->row; act < acts->row + acts->n; ++act)
    if (act->load == (int)load) return act->key;
  return load_name(load);
}

void acts_check_any(const ActTable *acts, const void *entry, Place place, const NamesValue *on, Diagnostics *out) {
  char names[ACT_NAMES];
  if (!place_given(on->place) || acts_next(acts, entry, ~0u, NULL)) return;
  report_error(out, place, "nothing happens on '%s'\n  allowed: %s", on->n ? on->item[0].text : "",
               acts_list(acts, ~0u, names));
}
