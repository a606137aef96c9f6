/* Checks of what a diffusion problem is given: the mesh, the tensors and capacities of its elements, and whether a
 * steady one is held. */
#include "assembly/diffusion/diffusion_data.h"
#include "core/disjoint.h"
#include "core/memory.h"
#include "core/parts.h"

#include <math.h>
#include <stdio.h>

enum { SHOWN = 5 };

Status diffusion_check_mesh(const Mesh *mesh, bool axisymmetric) {
  CHECK(mesh->dim >= 2, ERR_MESH,
        "the mesh has no surface or volume elements; mesh the surface ('gmsh -2') or the volume ('gmsh -3')");
  if (axisymmetric) TRY(space_check_radius(mesh));
  if (mesh->dim == 3 || (mesh->in_space && !axisymmetric)) return OK;
  return space_check_flat(mesh, axisymmetric ? "an axisymmetric model" : "diffusion in a plane",
                          axisymmetric ? "mesh the half section in the xy plane"
                                       : "a mesh that mesh_load reads knows whether its surfaces are in space");
}

/* What is wrong with solved element `index` as text; false when nothing is. */
static bool wrong_element(const DiffusionParams *params, int32_t dim, int32_t index, char *text, int size) {
  const double *D = params->tensor[index];
  const double capacity = params->capacity ? params->capacity[index] : 1;
  const double thickness = params->thickness ? params->thickness[index] : 1;
  if (!diffusion_definite(dim, D)) {
    snprintf(text, (size_t)size, "has a tensor that is not positive definite: xx %g, yy %g, zz %g, xy %g, yz %g, xz %g",
             D[0], D[1], D[2], D[3], D[4], D[5]);
    return true;
  }
  if (!(capacity > 0 && isfinite(capacity))) {
    snprintf(text, (size_t)size, "has capacity %g, must be > 0", capacity);
    return true;
  }
  if (!(thickness > 0 && isfinite(thickness))) {
    snprintf(text, (size_t)size, "has thickness %g, must be > 0", thickness);
    return true;
  }
  return false;
}

static int64_t count_wrong(const DiffusionParams *params, int32_t dim, int32_t n) {
  int64_t wrong = 0;
#pragma omp parallel for schedule(static) num_threads(parts_of(n)) reduction(+ : wrong)
  for (int32_t e = 0; e < n; ++e) {
    char text[256];
    wrong += wrong_element(params, dim, e, text, sizeof text);
  }
  return wrong;
}

/* Where there is nothing to tell, no element is looked at twice. */
Status diffusion_check_params(const DiffusionParams *params, const ElementSet *set) {
  const int32_t dim = params->mesh->in_space ? 3 : set->dim;
  if (count_wrong(params, dim, set->n_solved) == 0) return OK;
  int64_t n_bad = 0;
  int32_t index = 0;
  char text[256];
  for (int32_t k = 0; k < set->n_solved_block; ++k) {
    const SetBlock *b = &set->block[k];
    for (int32_t e = 0; e < b->n; ++e, ++index) {
      if (!wrong_element(params, dim, index, text, sizeof text) || ++n_bad > SHOWN) continue;
      const double *x = params->mesh->x[b->nodes[(int64_t)e * b->type->n_node]];
      const long long tag = mesh_block_of(params->mesh, b->first_id)->tag[e];
      if (n_bad == 1)
        (void)FAIL(ERR_INPUT, "element %lld (%s) near (%g, %g, %g) %s", tag, b->type->name, x[0], x[1], x[2], text);
      else
        (void)status_context(ERR_INPUT, "element %lld (%s) near (%g, %g, %g) %s", tag, b->type->name, x[0], x[1], x[2],
                             text);
    }
  }
  if (n_bad > SHOWN) (void)status_context(ERR_INPUT, "and %lld more elements", (long long)(n_bad - SHOWN));
  return status_context(ERR_INPUT, "conductivities and capacities must be positive; of a tensor all eigenvalues");
}

/* Parts are elements that are connected through nodes; held[root]: a support or a convection with h > 0 is on the part. */
static void mark_held(const Diffusion *p, int32_t *parent, uint8_t *held) {
  const int32_t n_node = p->space->n_node;
#pragma omp parallel for schedule(static) num_threads(parts_of(n_node))
  for (int32_t i = 0; i < n_node; ++i) parent[i] = i;
  for (int32_t k = 0; k < p->space->set.n_solved_block; ++k) {
    const SetBlock *b = &p->space->set.block[k];
    const int32_t n = b->type->n_node;
#pragma omp parallel for schedule(static) num_threads(parts_of(b->n))
    for (int64_t e = 0; e < b->n; ++e)
      for (int32_t a = 1; a < n; ++a) disjoint_join(parent, b->nodes[e * n], b->nodes[e * n + a]);
  }
  for (int32_t j = 0; j < p->supports.n_value; ++j) held[disjoint_root(parent, p->supports.row[j])] = 1;
  for (int32_t k = 0; k < p->loads.n_spring; ++k) {
    const SpringBlock *convection = &p->loads.spring[k];
    const int64_t n = convection->type->n_node, pairs = n * (n + 1) / 2;
    for (int64_t e = 0; e < convection->n; ++e)
      if (convection->kappa[e * pairs] > 0) held[disjoint_root(parent, convection->nodes[e * n])] = 1;
  }
}

Status diffusion_check_held(const Diffusion *p) {
  Status status = OK;
  int32_t *parent = NULL;
  uint8_t *held = NULL;
  ALLOC_DONE(parent, p->space->n_node, "parts of the body");
  ALLOC_DONE(held, p->space->n_node, "parts of the body");
  mark_held(p, parent, held);
  int32_t bare = p->space->n_node;
  const int64_t *start = p->space->incidence.start;
#pragma omp parallel for schedule(static) num_threads(parts_of(p->space->n_node)) reduction(min : bare)
  for (int32_t i = 0; i < p->space->n_node; ++i)
    if (start[i + 1] > start[i] && !held[disjoint_root(parent, i)] && i < bare) bare = i;
  if (bare < p->space->n_node) {
    const double *x = p->space->mesh->x[bare];
    status =
        FAIL(ERR_INPUT,
             "the steady problem has no single solution: nothing prescribes a value on the part of the body around "
             "node %lld at (%g, %g, %g), so any constant could be added there; prescribe a value or convection on a "
             "group of that part, or solve in time",
             (long long)p->space->mesh->node_tag[bare], x[0], x[1], x[2]);
  }
done:
  FREE(parent);
  FREE(held);
  return status;
}
