/* The memory of a monodomain problem, array by array, behind that of its diffusion object. */
#include "assembly/monodomain/monodomain_data.h"

static int64_t size_of(int64_t n, size_t bytes) { return n * (int64_t)bytes; }

Status monodomain_memory(const Monodomain *m, const SlotMap *slots, MemoryPlan *plan) {
  const Diffusion *p = m->diffusion;
  const bool gauss = m->scheme == MONODOMAIN_GAUSS;
  TRY(diffusion_memory(p, slots, 0, plan));
  TRY(memory_plan_add(plan, "ionic models of elements and cells",
                      size_of(p->space->set.n_solved, 2) + size_of(m->n_cell, m->cell_next ? 6 : 2), false,
                      MEMORY_KEPT));
  TRY(memory_plan_add(plan, "states of cells", size_of(monodomain_states(m), m->history || m->turn ? 16 : 8), true,
                      MEMORY_KEPT));
  if (m->turn)
    TRY(memory_plan_add(plan, "reactions of cells",
                        size_of(m->n_cell, gauss ? 32 : 16) + (m->cell_node ? 4 * m->n_cell : 0), true, MEMORY_KEPT));
  TRY(memory_plan_add(
      plan, "ionic models of cells",
      size_of(m->n_constants, sizeof *m->constants + 4 * (size_t)ionic_state_count()) +
          (m->n_constants > 1 ? size_of((gauss ? p->space->set.n_solved : 0) + (m->kind ? m->n_cell : 0), 2) : 0) +
          size_of(m->cell_next ? m->n_cell : 0, 4),
      true, MEMORY_KEPT));
  TRY(memory_plan_add(plan, "stimulated nodes", size_of(m->n_stimulated, 8) + size_of(m->n_current, 12), true,
                      MEMORY_KEPT));
  if (!gauss) return memory_plan_add(plan, "masses of cells", size_of(m->n_cell, 8), true, MEMORY_KEPT);
  TRY(memory_plan_add(plan, "measures and tangents at points", size_of(m->n_cell, 16) + size_of(p->space->n_node, 8),
                      true, MEMORY_KEPT));
  if (!slots) return OK;
  return memory_plan_add_since(plan, "stiffness and mass values", size_of(2 * slots->n_value, 8), true, MEMORY_SOLVE);
}
