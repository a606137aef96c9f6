/* The memory of an elasticity problem, array by array: what is there, what binding and recovering will take. */
#include "assembly/elasticity/elasticity_data.h"

static int64_t size_of(int64_t n, size_t bytes) { return n * (int64_t)bytes; }

/* Arrays that exist from elasticity_create on. */
static Status plan_created(const Elasticity *p, MemoryPlan *plan) {
  const int64_t n_node = p->set.n_node, n_block = p->pattern->start[n_node], dim = p->dim;
  int64_t nodes = 0;
  for (int32_t k = 0; k < p->set.n_block; ++k) nodes += (int64_t)p->set.block[k].n * (p->set.block[k].type->n_node + 1);
  TRY(memory_plan_add(plan, "matrix pattern", size_of(n_node + 1, 8) + size_of(n_block, 4), false, MEMORY_KEPT));
  TRY(memory_plan_add(plan, "elements at nodes", size_of(n_node + 1, 8) + size_of(p->set.n_force, sizeof(Touch)), false,
                      MEMORY_KEPT));
  TRY(memory_plan_add(plan, "supports and loads", size_of(n_node, 5) + size_of(2 * p->n_dof, 8), false, MEMORY_KEPT));
  TRY(memory_plan_add(plan, "element materials", size_of(p->set.n_solved, 4), false, MEMORY_KEPT));
  TRY(memory_plan_add(plan, "element nodes and materials", size_of(nodes, 4), true, MEMORY_KEPT));
  TRY(memory_plan_add(plan, "coordinates", size_of(3 * n_node, 8), true, MEMORY_KEPT));
  TRY(memory_plan_add(plan, "external forces and supports", size_of(p->n_dof, 8) + n_node, true, MEMORY_KEPT));
  TRY(memory_plan_add(plan, "displacement in the global frame", p->supports.n_frame ? size_of(p->n_dof, 8) : 0, true,
                      MEMORY_KEPT));
  TRY(memory_plan_add(plan, "element forces", size_of(p->set.n_force * dim, 8), true, MEMORY_KEPT));
  if (p->numbering.rank) {
    TRY(memory_plan_add(plan, "solver's order of nodes and elements",
                        size_of(4 * n_node, 4) + size_of(nodes, 4) + size_of(p->set.n_force, sizeof(Touch)), false,
                        MEMORY_KEPT));
    TRY(memory_plan_add(plan, "displacement in the solver's order", size_of(p->n_dof, 8), false, MEMORY_RECOVER));
  }
  return memory_plan_add(plan, "gather map of forces",
                         size_of(p->nodes.n_entry, 4) + size_of(p->nodes.n_warp + 1, 8) + size_of(p->nodes.n_row, 4),
                         true, MEMORY_KEPT);
}

static Status plan_bind(const Elasticity *p, const SlotMap *slots, MemoryPlan *plan) {
  const int64_t n_block = p->pattern->start[p->pattern->n], square = (int64_t)p->dim * p->dim;
  int64_t entries = 0, supported = 0;
  for (int32_t k = 0; k < p->set.n_block; ++k) {
    const int64_t n = p->set.block[k].type->n_node;
    entries += n * n * p->set.block[k].n;
  }
  for (int32_t i = 0; i < p->pattern->n; ++i)
    for (int64_t k = p->pattern->start[i]; k < p->pattern->start[i + 1]; ++k)
      supported += p->supports.fixed[numbering_node(&p->numbering, i)] ||
                   p->supports.fixed[numbering_node(&p->numbering, p->pattern->column[k])];
  const int64_t places = slots->per_scalar ? n_block * square : n_block,
                steps = slots->per_scalar || slots->same_step ? 0 : n_block;
  TRY(memory_plan_add_since(plan, "element matrices", size_of(p->set.n_pair * square, 8), true, MEMORY_SOLVE));
  TRY(memory_plan_add(plan, "gather map of the matrix", size_of(entries, 4) + size_of(places + steps + n_block / 32, 8),
                      true, MEMORY_KEPT));
  TRY(memory_plan_add_since(plan, "blocks at supports", size_of(supported, sizeof(SupportedBlock)), true,
                            MEMORY_SOLVE));
  return memory_plan_add(plan, "building the gather map", size_of(3 * n_block + entries, 4) + size_of(places, 8), false,
                         MEMORY_BIND);
}

Status elasticity_memory(const Elasticity *p, const SlotMap *slots, unsigned fields, MemoryPlan *plan) {
  TRY(plan_created(p, plan));
  if (slots) TRY(plan_bind(p, slots, plan));
  const int64_t n = p->set.n_node, n_solved = p->set.n_solved;
  int64_t points = 0;
  for (int32_t k = 0; k < p->set.n_solved_block; ++k) points += (int64_t)p->set.block[k].n * p->table[k].n_q;
  TRY(memory_plan_add(plan, "displacement for recovery", size_of(2 * p->n_dof, 8), false, MEMORY_RECOVER));
  if (fields & FIELD_REACTION)
    TRY(memory_plan_add(plan, "unbalanced forces", size_of(p->n_dof, 8), true, MEMORY_RECOVER));
  TRY(memory_plan_add(plan, "stress at integration points", size_of(6 * points, 8), false, MEMORY_RECOVER));
  TRY(memory_plan_add(plan, "element volumes, energies and means", size_of(9 * n_solved, 8), false, MEMORY_RECOVER));
  const int64_t node_scalars = (fields & FIELD_DISPLACEMENT ? 3 : 0) + (fields & FIELD_REACTION ? 3 : 0) +
                               (fields & (FIELD_STRESS | FIELD_VON_MISES | FIELD_PRINCIPAL) ? 6 : 0) +
                               (fields & FIELD_VON_MISES ? 1 : 0) + (fields & FIELD_PRINCIPAL ? 3 : 0);
  return memory_plan_add(plan, "result fields at nodes", size_of(n * node_scalars, 8), false, MEMORY_RECOVER);
}
