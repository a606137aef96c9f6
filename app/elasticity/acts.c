#include "app/elasticity/acts.h"
#include "app/elasticity/case_elasticity.h"

const ActTable elastic_acts = {(const Act[]){
#define ACT(type, member, value, load, on, roles, ...) ACT_ROW(CaseBoundary, member, value, load, on, roles)
#include "app/input/acts.def"
                               },
                               0
#define ACT(...) +1
#include "app/input/acts.def"
};

const ActTable elastic_body_acts = {
    (const Act[]){ACT_ROW(CaseBody, gravity, VALUE_EXPRS, LOAD_GRAVITY, ON_CELLS, ACT_LOAD)
                      ACT_ROW(CaseBody, centrifugal, VALUE_MAP, LOAD_CENTRIFUGAL, ON_CELLS, ACT_LOAD)},
    2};

int act_exprs(const Act *act, const CaseBoundary *b, const ExprValue *out[ACT_EXPRS]) {
  int n = 0;
  if (act->type == VALUE_EXPR) out[n++] = (const void *)((const char *)b + act->offset);
  if (act->type == VALUE_EXPRS || act->type == VALUE_EXPR_OR_EXPRS) {
    const ExprsValue *list = (const void *)((const char *)b + act->offset);
    for (; n < list->n && n < ACT_EXPRS; ++n) out[n] = &list->item[n];
  }
  if (act->offset == offsetof(CaseBoundary, fix)) {
    const ExprValue *const fix[] = {&b->fix.x, &b->fix.y, &b->fix.z};
    for (; n < 3; ++n) out[n] = fix[n];
  }
  const bool apart = act->offset == offsetof(CaseBoundary, distribute);
  for (int k = 0; (apart || act->offset == offsetof(CaseBoundary, rigid)) && k < CASE_SUM_PARTS; ++k) {
    const ExprValue *part = apart ? case_sum_part(&b->distribute.force, &b->distribute.moment, k)
                                  : case_sum_part(&b->rigid.force, &b->rigid.moment, k);
    if (part) out[n++] = part;
  }
  return n;
}

bool acts_given(const MapsValue *boundary, unsigned roles) {
  for (int32_t i = 0; i < boundary->n; ++i)
    if (act_next(maps_item(boundary, sizeof(CaseBoundary), i), roles, NULL)) return true;
  return false;
}
