/* What the passes of `adapt:` go by: the error of a steady solution, by element, and that of a probe of the temperature by a second
 * solution whose source is the probe itself (app/run/adapt.h). */
#include "app/heat/heat_columns.h"
#include "app/run/adapt.h"
#include "assembly/diffusion/flux_error.h"
#include "core/memory.h"
#include "core/vec.h"

#include <math.h>
#include <string.h>

typedef struct Errors {
  Run *run;
  const Setup *setup;
  Diffusion *diffusion;
  int32_t n;            /* solved elements */
  double *value, *room; /* owned: temperatures at nodes; share and square of u, then of u and of the dual solution */
} Errors;

/* Errors of u by element. */
static Status errors_of(const Errors *e, const double *u, double *share, double *square) {
  const Mesh *mesh = e->run->mesh;
  const HeatSetup *own = heat_setup(e->setup);
  TRY(diffusion_download(e->diffusion, u, e->value));
  const FluxErrorParams params = {.mesh = mesh,
                                  .tensor = (const double(*)[6])own->tensor,
                                  .thickness = own->thickness,
                                  .axisymmetric = case_axisymmetric(e->run->c),
                                  .material = e->setup->element_material + setup_first_solved(mesh),
                                  .n_material = e->run->c->materials.n,
                                  .u = e->value};
  return flux_error(&params, share, square);
}

/* The probe as a source, 0 at nodes whose temperature is prescribed. */
static Status dual_load(const Errors *e, int32_t probe, double *b) {
  const int64_t rows = diffusion_rows(e->diffusion);
  int32_t nodes[ELEMENT_MAX_NODES];
  double N[ELEMENT_MAX_NODES], *host = NULL;
  uint8_t *fixed = NULL;
  Status status = OK;
  const int32_t n = mesh_location_nodes(e->run->mesh, &e->setup->probe[probe], nodes, N);
  ALLOC(host, rows, "source of a probe");
  ALLOC_DONE(fixed, rows, "source of a probe");
  TRY_DONE(exec_download(e->run->device.exec, fixed, diffusion_fixed(e->diffusion), (size_t)rows));
  for (int64_t row = 0; row < rows; ++row)
    for (int32_t k = 0; k < n && !fixed[row]; ++k)
      if (diffusion_node(e->diffusion, row) == nodes[k]) host[row] += N[k];
  TRY_DONE(exec_upload(e->run->device.exec, b, host, (size_t)rows * sizeof *b));
done:
  FREE(fixed);
  FREE(host);
  return status;
}

/* v: [2 dofs + 1]: the dual solution, and u with it. */
static Status goal_add(const Errors *e, const double *u, const double *b, double *v) {
  Exec *exec = e->run->device.exec;
  const int64_t n = diffusion_dofs(e->diffusion);
  double goal, norm = 0, *sum = v + n, *share = e->room;
  TRY(vec_dot(exec, n, b, v, v + 2 * n));
  TRY(exec_download(exec, &goal, v + 2 * n, sizeof goal));
  for (int32_t i = 0; i < e->n; ++i) norm += share[e->n + i];
  if (!(goal > 0 && norm > 0)) return OK;
  const double scale = sqrt(norm / goal);
  for (int k = 0; k < 2; ++k) {
    TRY(exec_copy(exec, sum, u, (size_t)n * sizeof *sum));
    TRY(vec_axpy(exec, n, k ? -scale : scale, v, sum));
    TRY(errors_of(e, sum, share + (2 + k) * e->n, share + 4 * e->n));
  }
  adapt_add_goal(e->run, e->n, &(AdaptGoal){share, share + 2 * e->n, share + 3 * e->n, scale});
  return OK;
}

static Status goal_find(const Errors *e, int32_t probe, LinearSolver *solver, const double *u) {
  Exec *exec = e->run->device.exec;
  const int64_t n = diffusion_dofs(e->diffusion);
  double *b = NULL, *v = NULL;
  LinearReport report = {0};
  Status status = OK;
  if (heat_probe(e->run->c, probe).row != HEAT_TEMPERATURE) return OK; /* passes go by how far it came */
  EXEC_ALLOC(exec, b, n, "source of a probe");
  EXEC_ALLOC(exec, v, 2 * n + 1, "solution of a probe");
  TRY_DONE(dual_load(e, probe, b));
  TRY_DONE(exec_zero(exec, v, (size_t)n * sizeof *v)); /* a solve goes on from there */
  TRY_DONE(linear_solve(solver, b, v, &report));
  TRY_DONE(goal_add(e, u, b, v));
done:
  EXEC_RELEASE(exec, v, 2 * n + 1);
  EXEC_RELEASE(exec, b, n);
  return status;
}

Status heat_add_error(Run *run, const Setup *setup, Diffusion *diffusion, LinearSolver *solver, const double *u) {
  Errors e = {.run = run, .setup = setup, .diffusion = diffusion, .n = diffusion_solved(diffusion)};
  int32_t probe;
  Status status = OK;
  if (!run->params->adapt || run->rehearsed) return OK;
  ALLOC_DONE(e.value, run->mesh->n_node, "temperature");
  ALLOC_DONE(e.room, 5 * (int64_t)e.n, "errors of elements");
  TRY_DONE(errors_of(&e, u, e.room, e.room + e.n));
  TRY_DONE(adapt_add(run, e.n, e.room, e.room + e.n));
  if (adapt_wants_goal(run, &probe)) TRY_DONE(goal_find(&e, probe, solver, u));
done:
  FREE(e.value);
  FREE(e.room);
  return status;
}
