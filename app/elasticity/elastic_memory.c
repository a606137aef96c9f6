/* What a run of elasticity will take, array by array: assembly plans its own part. */
#include "app/elasticity/case_elasticity.h"
#include "app/input/case_format.h"
#include "app/elasticity/elastic.h"
#include "app/run/memory_table.h"
#include "assembly/elasticity/elasticity_mass.h"
#include "algebra/mat.h"
#include "solver/precond/precond.h"
#include "solver/precond/precond_choice.h"

/* What `auto` will take in elasticity. */
static const char *preconditioner_of(const Case *c, const Pattern *pattern, int32_t order, bool on_gpu) {
  const char *name = c->solver.preconditioner.type.text;
  if (!precond_is_auto(name)) return name;
  const bool elastic = pattern->block > 1 && c->solver.preconditioner.degree.value == 0;
  return precond_choice(&(PrecondFacts){.on_gpu = on_gpu,
                                        .rows = (int64_t)pattern->n * pattern->block,
                                        .block = pattern->block,
                                        .has_graph = true,
                                        .has_modes = elastic,
                                        .order = order});
}

Status elasticity_forecast(const MemoryRequest *request, MemoryPlan *plan) {
  const Case *c = request->c;
  const Elasticity *elasticity = request->problem;
  const bool on_gpu = request->on_gpu;
  SlotMap slots;
  const int64_t n = elasticity_dofs(elasticity);
  const char *preconditioner =
      preconditioner_of(c, elasticity_pattern(elasticity), elasticity_order(elasticity), on_gpu);
  TRY(memory_table_system(c, preconditioner, elasticity_pattern(elasticity), on_gpu, 0, &slots, plan));
  TRY(memory_plan_add(plan, "mesh", request->mesh_bytes, false, MEMORY_KEPT));
  TRY(elasticity_memory(elasticity, &slots, results_needed(c), plan));
  if (memory_table_bound(preconditioner))
    TRY(memory_plan_add(plan, "bound of the spectrum", elasticity_bound_bytes(elasticity), true, MEMORY_SOLVE));
  TRY(memory_plan_add(plan, "displacement", n * 8, true, MEMORY_KEPT));
  return memory_plan_add(plan, "residual and increment", 2 * n * 8, true, MEMORY_SOLVE);
}

Status harmonic_forecast(const MemoryRequest *request, MemoryPlan *plan) {
  const Case *c = request->c;
  const Elasticity *elasticity = request->problem;
  MatForecast forecast;
  const MatParams format = case_mat_params(c);
  const int64_t n = elasticity_dofs(elasticity);
  TRY(elasticity_forecast(request, plan));
  TRY(mat_forecast(&format, elasticity_pattern(elasticity), request->on_gpu, &forecast));
  const int64_t more =
      harmonic_is_damped(c) ? 4 : 3; /* K, M and the preconditioner's besides the real part, the imaginary part */
  TRY(memory_plan_add(plan, "stiffness, mass and combined matrices", 8 * more * forecast.n_value, true, MEMORY_KEPT));
  TRY(memory_plan_add(plan, "complex vectors", 8 * 12 * n, true, MEMORY_KEPT));
  return elasticity_mass_memory(elasticity, plan);
}
