/* Heat on a part of the mesh: the same materials; a sample has no loads and one fixed element. */
#include "app/heat/heat_columns.h"
#include "app/setup/mesh_sample.h"
#include "core/memory.h"

static Status cut_elements(const HeatSetup *from, const MeshSample *sample, int32_t first, HeatSetup *to) {
  TRY(setup_cut_elements(sample, first, sizeof *from->tensor, from->tensor, "conductivity of the elements",
                         (void **)(void *)&to->tensor));
  TRY(setup_cut_elements(sample, first, sizeof *from->capacity, from->capacity, "capacity of the elements",
                         (void **)&to->capacity));
  TRY(setup_cut_elements(sample, first, sizeof *from->thickness, from->thickness, "thickness of the elements",
                         (void **)&to->thickness));
  to->diffusion.tensor = (const double(*)[6])to->tensor;
  to->diffusion.capacity = to->capacity;
  if (to->diffusion.thickness) to->diffusion.thickness = to->thickness;
  return OK;
}

static Status hold_sample(const MeshSample *sample, HeatSetup *to) {
  to->diffusion.steady = false; /* its parts need not be held */
  to->diffusion.n_load = 0;
  to->diffusion.n_support = 1;
  ALLOC(to->held, 1, "prescribed temperatures");
  to->held[0] = (Support){.on = &sample->mesh->group[0], .value = {expr_constant(1)}, .where = "a sample"};
  return OK;
}

static Status cut_initial(const HeatSetup *from, const MeshSample *sample, HeatSetup *to) {
  if (!from->initial) return OK;
  ALLOC(to->initial, sample->mesh->n_node, "initial temperature");
  for (int32_t i = 0; i < sample->mesh->n_node; ++i) to->initial[i] = from->initial[sample->node[i]];
  return OK;
}

static Status cut_boundary(const HeatSetup *from, const MeshSample *sample, Setup *part) {
  HeatSetup *to = heat_setup(part);
  const DiffusionParams *p = &from->diffusion;
  TRY(cut_initial(from, sample, to));
  TRY(setup_cut_supports(sample, p->n_support, from->held, part, &to->held, &to->diffusion.n_support));
  return setup_cut_loads(sample, p->mesh, p->axisymmetric, p->n_load, from->heating, part, &to->heating,
                         &to->diffusion.n_load);
}

Status heat_cut(const Setup *whole, const MeshSample *sample, Setup *part) {
  const HeatSetup *from = heat_setup(whole);
  TRY(setup_take_own(part, sizeof(HeatSetup), heat_setup_release));
  HeatSetup *to = heat_setup(part);
  to->diffusion = from->diffusion;
  to->diffusion.mesh = sample->mesh;
  to->diffusion.node_rank = part->node_rank;
  TRY(sample->number ? cut_boundary(from, sample, part) : hold_sample(sample, to));
  to->diffusion.support = to->held;
  to->diffusion.load = to->heating;
  return cut_elements(from, sample, setup_first_solved(from->diffusion.mesh), to);
}
