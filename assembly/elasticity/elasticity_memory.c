/* The memory of an elasticity problem, array by array: what is there, what binding and recovering will take. */
#include "assembly/elasticity/recovery.h"

static int64_t size_of(int64_t n, size_t bytes) { return n * (int64_t)bytes; }

Status elasticity_memory(const Elasticity *p, const SlotMap *slots, unsigned fields, MemoryPlan *plan) {
  const Space *space = p->space;
  const int64_t n_dof = space->n_dof, n_solved = space->set.n_solved;
  int64_t points = 0;
  TRY(space_memory(space, slots, p->supports.fixed, plan));
  for (int32_t k = 0; k < space->set.n_solved_block; ++k)
    points += (int64_t)space->set.block[k].n * space->block[k].stiffness.n_q;
  TRY(supports_memory(&p->supports, plan));
  TRY(loads_memory(&p->loads, plan));
  TRY(memory_plan_add(plan, "element materials", size_of(n_solved, 4), false, MEMORY_KEPT));
  TRY(memory_plan_add(plan, "element materials", size_of(n_solved, 4), true, MEMORY_KEPT));
  TRY(memory_plan_add(plan, "forces that depend on time", p->timed_load ? size_of(n_dof, 8) : 0, true, MEMORY_KEPT));
  const ElasticityPoints *laws = &p->points;
  const int64_t law_bytes = size_of(laws->n_law * LAW_SIZE, 8) + (laws->law ? size_of(n_solved, 4) : 0);
  TRY(memory_plan_add(plan, "laws of the materials", law_bytes, true, MEMORY_KEPT));
  TRY(memory_plan_add(plan, "laws of the materials on the host", law_bytes, false, MEMORY_KEPT));
  TRY(memory_plan_add(plan, "states of the materials", size_of(2 * laws->n_state * laws->n_point, 8), true,
                      MEMORY_KEPT));
  TRY(memory_plan_add(plan, "displacement in the global frame", p->supports.n_frame ? size_of(n_dof, 8) : 0, true,
                      MEMORY_KEPT));
  return recovery_memory(p, fields, plan);
}
