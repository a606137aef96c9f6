/* What a heart run will take, array by array. */
#include "app/monodomain/heart.h"
#include "app/run/memory_table.h"
#include "app/input/case_format.h"

Status monodomain_forecast(const MemoryRequest *request, MemoryPlan *plan) {
  const Case *c = request->c;
  const Monodomain *monodomain = request->problem;
  const bool on_gpu = request->on_gpu;
  const Diffusion *diffusion = monodomain_diffusion(monodomain);
  const Pattern *pattern = diffusion_pattern(diffusion);
  const int64_t n = diffusion_dofs(diffusion), entries = pattern->start[pattern->n];
  const bool gauss = c->reaction.value == MONODOMAIN_GAUSS;
  const MatParams format = case_mat_params(c);
  MatForecast forecast;
  TRY(mat_forecast(&format, pattern, on_gpu, &forecast));
  const SlotMap slots = {.same_step = forecast.same_step}; /* all that the plan asks of it */
  TRY(memory_plan_add(plan, "mesh", request->mesh_bytes, false, MEMORY_KEPT));
  TRY(monodomain_memory(monodomain, &slots, plan));
  TRY(memory_plan_add(plan, "conduction matrix", 12 * entries, true, MEMORY_KEPT));
  TRY(memory_plan_add(plan, gauss ? "mass matrix and matrix of a step" : "conduction matrix, scaled",
                      (gauss ? 16 : 4) * entries, true, MEMORY_KEPT));
  if (gauss) TRY(memory_table_preconditioner(c, heart_preconditioner(c), pattern, on_gpu, plan));
  TRY(memory_plan_add(plan, "slots of the matrix entries", 8 * entries, false, MEMORY_KEPT));
  TRY(memory_plan_add(plan, "potential, mass, output", 3 * n * 8, true, MEMORY_KEPT));
  TRY(memory_plan_add(plan, "maps of activation", 4 * n * 8, true, MEMORY_KEPT));
  TRY(memory_table_output(heart_output_bytes(c, n), on_gpu, plan));
  return memory_plan_add(plan, "vectors of the steps in time", 18 * n * 8, true, MEMORY_SOLVE);
}
