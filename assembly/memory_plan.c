/* Adding up what a run will allocate. */
#include "assembly/memory_plan.h"

Status memory_plan_add(MemoryPlan *plan, const char *name, int64_t bytes, bool on_exec, int32_t phase) {
  if (bytes <= 0) return OK;
  CHECK(plan->n < MEMORY_PLAN_MAX, ERR_BUG, "more than %d arrays in a memory plan", MEMORY_PLAN_MAX);
  plan->item[plan->n++] = (MemoryItem){name, bytes, on_exec, phase};
  return OK;
}

int64_t memory_plan_bytes(const MemoryPlan *plan, bool on_exec) {
  int64_t sum[MEMORY_PHASES] = {0}, most = 0;
  for (int32_t k = 0; k < plan->n; ++k)
    if (plan->item[k].on_exec == on_exec) sum[plan->item[k].phase] += plan->item[k].bytes;
  for (int p = 1; p < MEMORY_PHASES; ++p) most = sum[p] > most ? sum[p] : most;
  return sum[MEMORY_KEPT] + most;
}
