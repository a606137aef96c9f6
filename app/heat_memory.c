/* What a heat run will take, array by array: assembly plans its own part, the matrix is counted from the pattern without
 * the padding of its format, which is little in rows of a mesh. */
#include "app/heat_columns.h"
#include "app/heat_output.h"
#include "app/memory_table.h"

#include <string.h>

Status heat_memory(const Case *c, const Diffusion *diffusion, bool on_gpu, int64_t mesh_bytes, MemoryPlan *plan) {
  const Pattern *pattern = diffusion_pattern(diffusion);
  const int64_t n = pattern->n, entries = pattern->start[n], size = c->solver.precision.text[0] == 'd' ? 8 : 4;
  const char *preconditioner = c->solver.preconditioner.type.text;
  const SlotMap slots = {.same_step = strcmp(c->solver.format.type.text, "csr") != 0}; /* all that the plan asks of it */
  const bool timed = place_given(c->time.place);
  TRY(memory_plan_add(plan, "mesh", mesh_bytes, false, MEMORY_KEPT));
  TRY(diffusion_memory(diffusion, &slots, heat_fields_needed(c), plan));
  TRY(memory_plan_add(plan, "matrix values", 8 * entries, true, MEMORY_KEPT));
  TRY(memory_plan_add(plan, "matrix columns", 4 * entries, true, MEMORY_KEPT));
  TRY(memory_plan_add(plan, "slots of the matrix entries", 8 * entries, false, MEMORY_KEPT));
  if (timed) TRY(memory_plan_add(plan, "conduction and capacity matrices", 16 * entries, true, MEMORY_KEPT));
  if (strcmp(preconditioner, "jacobi") != 0 && strcmp(preconditioner, "none") != 0) {
    TRY(memory_plan_add(plan, "matrix of the preconditioner", entries * size, true, MEMORY_KEPT));
    TRY(memory_plan_add(plan, "vectors of the preconditioner", 5 * n * size, true, MEMORY_KEPT));
  }
  if (memory_table_bound(preconditioner))
    TRY(memory_plan_add(plan, "bound of the spectrum", diffusion_bound_bytes(diffusion), true, MEMORY_SOLVE));
  TRY(memory_plan_add(plan, "vectors of the solver", 4 * n * 8, true, MEMORY_KEPT));
  TRY(memory_plan_add(plan, "temperature and load", 2 * n * 8, true, MEMORY_KEPT));
  TRY(memory_table_output(heat_output_bytes(n), on_gpu, plan));
  return memory_plan_add(plan, timed ? "vectors of the steps in time" : "residual and increment",
                         (timed ? 10 : 2) * n * 8, true, MEMORY_SOLVE);
}
