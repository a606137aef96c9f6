/* Adding up what a run will allocate. */
#include "assembly/space/memory_plan.h"

static Status add_memory_plan(MemoryPlan *plan, MemoryItem item) {
  if (item.bytes <= 0) return OK;
  CHECK(plan->n < MEMORY_PLAN_MAX, ERR_BUG, "more than %d arrays in a memory plan", MEMORY_PLAN_MAX);
  plan->item[plan->n++] = item;
  return OK;
}

Status memory_plan_add(MemoryPlan *plan, const char *name, int64_t bytes, bool on_exec, int32_t phase) {
  return add_memory_plan(plan, (MemoryItem){name, bytes, on_exec, phase, 0});
}

Status memory_plan_add_since(MemoryPlan *plan, const char *name, int64_t bytes, bool on_exec, int32_t since) {
  return add_memory_plan(plan, (MemoryItem){name, bytes, on_exec, MEMORY_KEPT, since});
}

int64_t memory_plan_bytes(const MemoryPlan *plan, bool on_exec) {
  int64_t most = 0;
  for (int32_t phase = 1; phase < MEMORY_PHASES; ++phase) {
    int64_t sum = 0;
    for (int32_t k = 0; k < plan->n; ++k) {
      const MemoryItem *item = &plan->item[k];
      const bool there = item->phase == phase || (item->phase == MEMORY_KEPT && item->since <= phase);
      if (there && item->on_exec == on_exec) sum += item->bytes;
    }
    most = sum > most ? sum : most;
  }
  return most;
}
