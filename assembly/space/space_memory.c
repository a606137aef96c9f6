/* The memory of a space, array by array: what is there, and what binding it to a matrix will take. */
#include "assembly/space/space.h"

static int64_t size_of(int64_t n, size_t bytes) { return n * (int64_t)bytes; }

static Status plan_created(const Space *s, MemoryPlan *plan) {
  const int64_t n = s->n_node, n_block = s->pattern->start[n];
  const int64_t touches = size_of(s->set.n_force, sizeof(ElementRef));
  int64_t nodes = 0;
  for (int32_t k = 0; k < s->set.n_block; ++k) nodes += (int64_t)s->set.block[k].n * s->set.block[k].type->n_node;
  TRY(memory_plan_add(plan, "matrix pattern", size_of(n + 1, 8) + size_of(n_block, 4), false, MEMORY_KEPT));
  TRY(memory_plan_add(plan, "elements at nodes", size_of(n + 1, 8) + touches, false, MEMORY_KEPT));
  if (s->numbering.rank)
    TRY(memory_plan_add(plan, "solver's order of nodes and elements",
                        size_of(4 * n, 4) + size_of(s->n_dof, 8) + size_of(nodes + s->set.n_solved, 4) + touches, false,
                        MEMORY_KEPT));
  TRY(memory_plan_add(plan, "element nodes", size_of(nodes, 4), true, MEMORY_KEPT));
  TRY(memory_plan_add(plan, "coordinates", size_of(3 * n, 8), true, MEMORY_KEPT));
  TRY(memory_plan_add(plan, "element vectors", size_of(s->set.n_force * s->n_component, 8), true, MEMORY_KEPT));
  return memory_plan_add(plan, "gather map of vectors",
                         size_of(s->nodes.n_entry, 4) + size_of(s->nodes.n_warp + 1, 8) + size_of(s->nodes.n_row, 4),
                         true, MEMORY_KEPT);
}

static Status plan_bind(const Space *s, const SlotMap *slots, const uint8_t *fixed, MemoryPlan *plan) {
  const Pattern *pattern = s->pattern;
  const int64_t n_block = pattern->start[pattern->n], square = (int64_t)s->n_component * s->n_component;
  int64_t entries = 0, prescribed = 0;
  for (int32_t k = 0; k < s->set.n_block; ++k) {
    const int64_t n = s->set.block[k].type->n_node;
    entries += n * n * s->set.block[k].n;
  }
  for (int32_t i = 0; i < pattern->n; ++i)
    for (int64_t k = pattern->start[i]; k < pattern->start[i + 1]; ++k)
      prescribed += fixed[numbering_node(&s->numbering, i)] || fixed[numbering_node(&s->numbering, pattern->column[k])];
  const int64_t places = slots->per_scalar ? n_block * square : n_block,
                steps = slots->per_scalar || slots->same_step ? 0 : n_block;
  TRY(memory_plan_add_since(plan, "element matrices", size_of(s->set.n_pair * square, 8), true, MEMORY_SOLVE));
  TRY(memory_plan_add(plan, "gather map of the matrix", size_of(entries, 4) + size_of(places + steps + n_block / 32, 8),
                      true, MEMORY_KEPT));
  TRY(memory_plan_add_since(plan, "blocks of prescribed nodes",
                            size_of(prescribed, sizeof(PrescribedBlock)) + size_of(prescribed * square, 8), true,
                            MEMORY_SOLVE));
  /* counts, order and its inverse, the nodes of elements in order; and what is lent to a GPU */
  const int64_t work = size_of(3 * n_block, 4) + 5 * (s->set.n_force + s->set.n_solved);
  const int64_t lent = size_of(n_block, 4) + size_of(places + steps, 8) + size_of(s->set.n_force, sizeof(ElementRef));
  return memory_plan_add(plan, "building the gather map", work + (exec_is_host(s->exec) ? 0 : lent), true, MEMORY_BIND);
}

Status space_memory(const Space *s, const SlotMap *slots, const uint8_t *fixed, MemoryPlan *plan) {
  TRY(plan_created(s, plan));
  return slots ? plan_bind(s, slots, fixed, plan) : OK;
}
