/* The memory of a diffusion problem, array by array: what is there, what binding and recovering will take. */
#include "assembly/diffusion/diffusion_data.h"

static int64_t size_of(int64_t n, size_t bytes) { return n * (int64_t)bytes; }

static Status plan_created(const Diffusion *p, MemoryPlan *plan) {
  int64_t tensors = 0;
  for (int32_t k = 0; k < p->space->set.n_solved_block; ++k) {
    const DiffusionTables *t = &p->table[k];
    tensors +=
        (int64_t)p->space->set.block[k].n * ((t->tensor ? 6 : 0) + (t->capacity ? 1 : 0) + (t->thickness ? 1 : 0));
  }
  TRY(memory_plan_add(plan, "tensors and capacities", size_of(tensors, 8), true, MEMORY_KEPT));
  TRY(supports_memory(&p->supports, plan));
  return loads_memory(&p->loads, plan);
}

Status diffusion_memory(const Diffusion *p, const SlotMap *slots, unsigned fields, MemoryPlan *plan) {
  const int64_t n = p->space->n_node, n_solved = p->space->set.n_solved;
  TRY(space_memory(p->space, slots, p->supports.fixed, plan));
  TRY(plan_created(p, plan));
  if (fields & DIFFUSION_FIELD_FLUX) {
    TRY(memory_plan_add(plan, "fluxes on their way", size_of(3 * n_solved, 8), true, MEMORY_RECOVER));
    TRY(memory_plan_add(plan, "fluxes of elements", size_of(6 * n_solved, 8), false, MEMORY_RECOVER));
  }
  if (fields & DIFFUSION_FIELD_REACTION) {
    TRY(memory_plan_add(plan, "unbalanced loads", size_of(2 * n, 8), true, MEMORY_RECOVER));
    TRY(memory_plan_add(plan, "reactions", size_of(n, 8), false, MEMORY_RECOVER));
  }
  return OK;
}
