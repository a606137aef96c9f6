/* What the passes of `adapt:` go by: the error of a steady solution, by element. */
#include "app/heat/heat_columns.h"
#include "app/run/adapt.h"
#include "assembly/diffusion/flux_error.h"
#include "core/memory.h"

Status heat_add_error(Run *run, const Setup *setup, Diffusion *diffusion, const double *u) {
  const Mesh *mesh = run->mesh;
  const HeatSetup *own = heat_setup(setup);
  const int32_t n = diffusion_solved(diffusion);
  double *value = NULL, *share = NULL, *square = NULL;
  Status status = OK;
  if (!run->params->adapt || run->rehearsed) return OK;
  ALLOC_DONE(value, mesh->n_node, "temperature");
  ALLOC_DONE(share, n, "errors of elements");
  ALLOC_DONE(square, n, "errors of elements");
  TRY_DONE(diffusion_download(diffusion, u, value));
  const FluxErrorParams params = {.mesh = mesh,
                                  .tensor = (const double(*)[6])own->tensor,
                                  .thickness = own->thickness,
                                  .axisymmetric = case_axisymmetric(run->c),
                                  .material = setup->element_material + setup_first_solved(mesh),
                                  .n_material = run->c->materials.n,
                                  .u = value};
  TRY_DONE(flux_error(&params, share, square));
  TRY_DONE(adapt_add(run, n, share, square));
done:
  FREE(value);
  FREE(share);
  FREE(square);
  return status;
}
