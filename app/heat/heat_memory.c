/* What a heat run will take, array by array: assembly plans its own part, the system is counted as that of elasticity
 * is. */
#include "app/heat/heat_columns.h"
#include "app/heat/heat_output.h"
#include "app/run/memory_table.h"
#include "solver/precond/precond_choice.h"
#include "solver/precond/precond.h"

/* What `auto` stands for here. */
static const char *preconditioner_of(const Case *c, const Mesh *mesh, const Setup *setup, int64_t rows, bool on_gpu) {
  const char *name = heat_preconditioner(c, mesh, setup);
  if (!precond_is_auto(name)) return name;
  return precond_choice(&(PrecondFacts){.on_gpu = on_gpu,
                                        .rows = rows,
                                        .block = 1,
                                        .has_graph = true,
                                        .has_modes = c->solver.preconditioner.degree.value == 0,
                                        .solves = place_given(c->time.place) ? HEAT_SOLVES : 0});
}

Status heat_forecast(const MemoryRequest *request, MemoryPlan *plan) {
  const Case *c = request->c;
  const Diffusion *diffusion = request->problem;
  const bool on_gpu = request->on_gpu;
  const int64_t n = diffusion_dofs(diffusion);
  const char *preconditioner = preconditioner_of(c, request->mesh, request->setup, n, on_gpu);
  const bool timed = place_given(c->time.place);
  SlotMap slots;
  TRY(memory_plan_add(plan, "mesh", request->mesh_bytes, false, MEMORY_KEPT));
  TRY(memory_table_system(c, preconditioner, diffusion_pattern(diffusion), on_gpu, timed ? 2 : 0, &slots, plan));
  TRY(diffusion_memory(diffusion, &slots, heat_fields_needed(c), plan));
  if (memory_table_bound(preconditioner))
    TRY(memory_plan_add(plan, "bound of the spectrum", diffusion_bound_bytes(diffusion), true, MEMORY_SOLVE));
  TRY(memory_plan_add(plan, "temperature and load", 2 * n * 8, true, MEMORY_KEPT));
  TRY(memory_table_output(heat_output_bytes(c, n), on_gpu, plan));
  return memory_plan_add(plan, timed ? "vectors of the steps in time" : "residual and increment",
                         (timed ? 10 : 2) * n * 8, true, MEMORY_SOLVE);
}
