/* Laplace's equation by assembly/diffusion/diffusion.h with unit conductivity, held at sets of nodes. */
#include "app/fibers/ldrb_laplace.h"
#include "assembly/diffusion/diffusion.h"
#include "core/memory.h"
#include "core/parts.h"
#include "solver/time/stepper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double RTOL = 1e-10; /* gradients far from a surface are small differences */

static int64_t solved_elements(const Mesh *mesh) {
  int64_t n = 0;
  for (int32_t b = 0; b < mesh->n_block; ++b)
    if (element_type(mesh->block[b].kind)->dim == mesh->dim) n += mesh->block[b].n;
  return n;
}

Status laplace_create(Exec *exec, const Mesh *mesh, Laplace *out) {
  *out = (Laplace){.exec = exec, .mesh = mesh};
  Status status = mesh_view_points(mesh, mesh->n_node, NULL, &out->view);
  element_set_create(mesh, mesh->dim, true, &out->set);
  if (status == OK) status = incidence_create(exec, &out->set, &out->incidence);
  incidence_leave_exec(&out->incidence); /* gradients are the host's */
  if (status != OK) laplace_release(out);
  return status;
}

void laplace_release(Laplace *laplace) {
  mesh_view_release(&laplace->view);
  incidence_release(&laplace->incidence);
  *laplace = (Laplace){0};
}

/* One solution. */
typedef struct Work {
  Group group[LAPLACE_SETS]; /* elements owned */
  Support support[LAPLACE_SETS];
  int32_t n_support;
  double (*tensor)[6]; /* owned */
  Diffusion *diffusion;
  Mat *a;
  LinearSolver *solver;
  double *u; /* on the Exec */
} Work;

static Status ldrb_laplace_collect(const Laplace *l, const uint8_t *set, const double *value, Work *w) {
  static char name[] = "a surface";
  for (int32_t s = 0; s < LAPLACE_SETS; ++s) {
    const int32_t n_node = l->mesh->n_node;
    int32_t n = 0;
#pragma omp parallel for schedule(static) num_threads(parts_of(n_node)) reduction(+ : n)
    for (int32_t i = 0; i < n_node; ++i) n += set[i] == s + 1;
    if (n == 0) continue;
    Group *group = &w->group[w->n_support];
    *group = (Group){.name = name};
    ALLOC(group->element, n, "nodes of a surface");
    for (int32_t i = 0; i < l->mesh->n_node; ++i)
      if (set[i] == s + 1) group->element[group->n++] = i;
    w->support[w->n_support++] = (Support){.on = group, .value = {expr_constant(value[s])}};
  }
  const int64_t n_solved = solved_elements(l->mesh);
  ALLOC(w->tensor, n_solved, "unit tensors");
#pragma omp parallel for schedule(static) num_threads(parts_of(n_solved))
  for (int64_t e = 0; e < n_solved; ++e)
    for (int k = 0; k < 3; ++k) w->tensor[e][k] = 1;
  return OK;
}

static Status ldrb_laplace_residual(void *context, const Stage *stage, const double *u, double *r, double *slope) {
  (void)stage, (void)slope;
  return diffusion_residual(((const Work *)context)->diffusion, u, NULL, NULL, false, r);
}
static Status ldrb_laplace_tangent(void *context, const Stage *stage, const double *u, Mat *a) {
  (void)stage, (void)u;
  return diffusion_matrix(((const Work *)context)->diffusion, 1, 0, mat_values(a));
}

static Status ldrb_laplace_solve(const Laplace *l, const uint8_t *set, const double *value, Work *w, double *u) {
  TRY(ldrb_laplace_collect(l, set, value, w));
  const DiffusionParams params = {.mesh = &l->view,
                                  .tensor = (const double(*)[6])w->tensor,
                                  .steady = true,
                                  .n_support = w->n_support,
                                  .support = w->support};
  TRY(diffusion_create(l->exec, &params, &w->diffusion));
  LinearParams linear = linear_params_default();
  linear.rtol = RTOL;
  linear.pattern = diffusion_pattern(w->diffusion);
  linear.pattern_once = true;
  linear.preconditioner = "amg"; /* few nodes are held, far from most: polynomials take hundreds of steps */
  const MatParams format = {.format = "auto"};
  TRY(mat_create(l->exec, &format, diffusion_pattern(w->diffusion), &w->a));
  TRY(diffusion_bind(w->diffusion, mat_slots(w->a)));
  TRY(linear_create(l->exec, &linear, w->a, &w->solver));
  EXEC_ALLOC(l->exec, w->u, diffusion_dofs(w->diffusion), "a solution of Laplace's equation");
  TRY(diffusion_initial(w->diffusion, NULL, w->u));
  const Problem problem = {.context = w,
                           .n = diffusion_dofs(w->diffusion),
                           .linear = true,
                           .force = ldrb_laplace_residual,
                           .tangent = ldrb_laplace_tangent};
  StepReport report = {0};
  TRY(stepper_solve(l->exec, &problem, RTOL, w->a, w->solver, w->u, &report));
  return diffusion_download(w->diffusion, w->u, u);
}

Status laplace_solve(const Laplace *laplace, const uint8_t *set, const double *value, double *u) {
  Work w = {.n_support = 0};
  const Status status = ldrb_laplace_solve(laplace, set, value, &w, u);
  if (w.u) EXEC_RELEASE(laplace->exec, w.u, diffusion_dofs(w.diffusion));
  linear_destroy(&w.solver);
  mat_destroy(&w.a);
  diffusion_destroy(&w.diffusion);
  FREE(w.tensor);
  for (int32_t s = 0; s < LAPLACE_SETS; ++s) FREE(w.group[s].element);
  return status;
}

/* gradient[k] += det J (J^-T dN^T u)_k at local node a; the cofactors of J are det J times its inverse transposed. */
static void add_gradient(const ElementType *type, const double (*x)[3], const double *u, int32_t a,
                         double gradient[3]) {
  double J[3][3], dN[3 * ELEMENT_MAX_NODES], d[3] = {0};
  if (!(element_jacobian(type, x, type->node[a], J, false) > 0)) return;
  type->gradients(type->node[a], dN);
  for (int32_t b = 0; b < type->n_node; ++b)
    for (int k = 0; k < 3; ++k) d[k] += dN[3 * b + k] * u[b];
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
      gradient[i] += (J[i1][k1] * J[i2][k2] - J[i1][k2] * J[i2][k1]) * d[k];
    }
}

/* The elements at a node in their order, so that sums have the same bits for any number of threads. */
void laplace_gradient(const Laplace *laplace, const double *u, double (*gradient)[3]) {
  const Mesh *mesh = laplace->mesh;
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_node))
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    memset(gradient[i], 0, sizeof gradient[i]);
    for (int64_t t = laplace->incidence.start[i]; t < laplace->incidence.start[i + 1]; ++t) {
      const ElementRef *touch = &laplace->incidence.touch[t];
      const SetBlock *block = &laplace->set.block[touch->block];
      const int32_t *nodes = block->nodes + (int64_t)touch->element * block->type->n_node;
      double x[ELEMENT_MAX_NODES][3], value[ELEMENT_MAX_NODES];
      for (int32_t a = 0; a < block->type->n_node; ++a) {
        memcpy(x[a], mesh->x[nodes[a]], sizeof x[a]);
        value[a] = u[nodes[a]];
      }
      add_gradient(block->type, (const double(*)[3])x, value, touch->local, gradient[i]);
    }
  }
}
