/* The memory of a diffusion problem, array by array: what is there, what binding and recovering will take. */
#include "assembly/diffusion/diffusion_data.h"

static int64_t size_of(int64_t n, size_t bytes) { return n * (int64_t)bytes; }

static Status plan_elements(const Diffusion *p, MemoryPlan *plan) {
  int64_t nodes = 0, tensors = 0;
  for (int32_t k = 0; k < p->set.n_block; ++k) {
    const SetBlock *b = &p->set.block[k];
    const DiffusionTables *t = &p->table[k];
    nodes += (int64_t)b->n * b->type->n_node;
    tensors += (int64_t)b->n * ((t->tensor ? 6 : 0) + (t->capacity ? 1 : 0) + (t->thickness ? 1 : 0));
  }
  TRY(memory_plan_add(plan, "element nodes", size_of(nodes, 4), true, MEMORY_KEPT));
  TRY(memory_plan_add(plan, "tensors and capacities", size_of(tensors, 8), true, MEMORY_KEPT));
  if (!p->numbering.rank) return OK;
  return memory_plan_add(plan, "solver's order of nodes and elements",
                         size_of(4 * (int64_t)p->n_node, 4) + size_of((int64_t)p->n_node, 8) +
                             size_of(nodes + p->set.n_solved, 4) + size_of(p->set.n_force, sizeof(Touch)),
                         false, MEMORY_KEPT);
}

static Status plan_created(const Diffusion *p, MemoryPlan *plan) {
  const int64_t n = p->n_node, n_entry = p->pattern->start[n];
  const DiffusionLoads *l = &p->loads;
  TRY(memory_plan_add(plan, "matrix pattern", size_of(n + 1, 8) + size_of(n_entry, 4), false, MEMORY_KEPT));
  TRY(memory_plan_add(plan, "elements at nodes", size_of(n + 1, 8) + size_of(p->set.n_force, sizeof(Touch)), false,
                      MEMORY_KEPT));
  TRY(memory_plan_add(plan, "prescribed values and loads", size_of(n, 9) + size_of(p->supports.n, 16), false,
                      MEMORY_KEPT));
  TRY(memory_plan_add(plan, "loads that depend on time",
                      size_of(l->point_capacity, sizeof(TimedPoint)) + size_of(l->share_capacity, sizeof(TimedShare)) +
                          size_of(l->n_point, 8) + size_of(l->n_touched, 16),
                      false, MEMORY_KEPT));
  TRY(plan_elements(p, plan));
  TRY(memory_plan_add(plan, "coordinates", size_of(3 * n, 8), true, MEMORY_KEPT));
  TRY(memory_plan_add(plan, "loads and prescribed values",
                      size_of(n, 17) + size_of(p->supports.n, 12) + size_of(l->n_touched, 12), true, MEMORY_KEPT));
  TRY(memory_plan_add(plan, "element loads", size_of(p->set.n_force, 8), true, MEMORY_KEPT));
  return memory_plan_add(plan, "gather map of loads",
                         size_of(p->nodes.n_entry, 4) + size_of(p->nodes.n_warp + 1, 8) + size_of(p->nodes.n_row, 4),
                         true, MEMORY_KEPT);
}

static Status plan_bind(const Diffusion *p, const SlotMap *slots, MemoryPlan *plan) {
  const Pattern *pattern = p->pattern;
  const int64_t n_entry = pattern->start[pattern->n];
  int64_t entries = 0, supported = 0;
  for (int32_t k = 0; k < p->set.n_block; ++k) {
    const int64_t n = p->set.block[k].type->n_node;
    entries += n * n * p->set.block[k].n;
  }
  for (int32_t i = 0; i < pattern->n; ++i)
    for (int64_t k = pattern->start[i]; k < pattern->start[i + 1]; ++k)
      supported += p->supports.fixed[numbering_node(&p->numbering, i)] ||
                   p->supports.fixed[numbering_node(&p->numbering, pattern->column[k])];
  const int64_t steps = slots->per_scalar || slots->same_step ? 0 : n_entry;
  TRY(memory_plan_add_since(plan, "element matrices", size_of(p->set.n_pair, 8), true, MEMORY_SOLVE));
  TRY(memory_plan_add(plan, "gather map of the matrix",
                      size_of(entries, 4) + size_of(n_entry + steps + n_entry / 32, 8), true, MEMORY_KEPT));
  TRY(memory_plan_add_since(plan, "entries at prescribed values", size_of(supported, sizeof(SupportedBlock)), true,
                            MEMORY_SOLVE));
  return memory_plan_add(plan, "building the gather map", size_of(3 * n_entry + entries, 4) + size_of(n_entry, 8),
                         false, MEMORY_BIND);
}

Status diffusion_memory(const Diffusion *p, const SlotMap *slots, unsigned fields, MemoryPlan *plan) {
  const int64_t n = p->n_node, n_solved = p->set.n_solved;
  TRY(plan_created(p, plan));
  if (slots) TRY(plan_bind(p, slots, plan));
  if (fields & DIFFUSION_FIELD_FLUX) {
    TRY(memory_plan_add(plan, "fluxes on their way", size_of(3 * n_solved, 8), true, MEMORY_RECOVER));
    TRY(memory_plan_add(plan, "fluxes of elements", size_of(6 * n_solved, 8), false, MEMORY_RECOVER));
  }
  if (fields & DIFFUSION_FIELD_REACTION) {
    TRY(memory_plan_add(plan, "unbalanced loads", size_of(2 * n, 8), true, MEMORY_RECOVER));
    TRY(memory_plan_add(plan, "reactions", size_of(2 * n, 8), false, MEMORY_RECOVER));
  }
  return OK;
}
