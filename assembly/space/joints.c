/* Springs between nodes, and bodies that hang on nodes, as blocks behind those of facets. */
#include "assembly/space/load.h"
#include "core/memory.h"

#include <string.h>

static const char WHAT[] = "springs between nodes";

/* Room for n more of a kind; *out is its block. */
static Status block_new(Loads *l, int32_t n, const char *kind, SpringNumbers has, SpringBlock **out) {
  int64_t count[N_ELEMENT_KINDS] = {0};
  *out = &l->spring[l->n_spring];
  count[element_by_name(kind)->kind] = n;
  return spring_blocks_create(count, l->n_component, has, WHAT, l->spring, &l->n_spring);
}

/* Those between two nodes, or to the ground. */
static Status springs_create(const LoadParams *params, bool between, Loads *l) {
  SpringBlock *b;
  const int32_t m = spring_numbers(l->n_component, SPRING_SYMMETRIC), n = between ? 2 : 1;
  bool viscous = false;
  int32_t count = 0;
  for (int32_t i = 0; i < params->n_joint; ++i) {
    count += (params->joint[i].node[1] >= 0) == between;
    for (int32_t k = 0; k < m; ++k) viscous = viscous || params->joint[i].viscosity[k] != 0;
  }
  if (!count) return OK;
  TRY(block_new(l, count, between ? "line2" : "point1", (SpringNumbers){.form = SPRING_SYMMETRIC, .viscous = viscous},
                &b));
  b->between = between;
  for (int32_t i = 0; i < params->n_joint; ++i) {
    const Joint *joint = &params->joint[i];
    if ((joint->node[1] >= 0) != between) continue;
    for (int32_t a = 0; a < n; ++a) b->nodes[(int64_t)b->n * n + a] = joint->node[a];
    for (int64_t pair = 0; pair < n * (n + 1) / 2; ++pair)
      for (int32_t k = 0; k < m; ++k) {
        const int64_t at = ((int64_t)b->n * n * (n + 1) / 2 + pair) * m + k;
        b->kappa[at] = pair == 1 ? -joint->stiffness[k] : joint->stiffness[k];
        if (viscous) b->viscosity[at] = pair == 1 ? -joint->viscosity[k] : joint->viscosity[k];
      }
    ++b->n;
  }
  return OK;
}

/* Bodies on as many nodes as the model has dimensions. */
static Status bodies_create(const LoadParams *params, Loads *l) {
  SpringBlock *b;
  const int32_t dim = l->n_component, rows = dim * dim, pairs = dim * (dim + 1) / 2;
  if (!params->n_body) return OK;
  TRY(block_new(l, params->n_body, dim == 3 ? "tri3" : "line2", (SpringNumbers){.form = SPRING_WHOLE, .inert = true},
                &b));
  for (; b->n < params->n_body; ++b->n) {
    const MassBody *body = &params->body[b->n];
    for (int32_t a = 0; a < dim; ++a) {
      b->nodes[(int64_t)b->n * dim + a] = body->node[a];
      for (int32_t c = a; c < dim; ++c)
        for (int32_t k = 0; k < dim * dim; ++k)
          b->inertia[((int64_t)b->n * pairs + pair_number(dim, a, c)) * dim * dim + k] =
              body->M[(a * dim + k / dim) * rows + c * dim + k % dim];
    }
  }
  return OK;
}

Status joints_create(const LoadParams *params, Loads *loads) {
  TRY(bodies_create(params, loads));
  TRY(springs_create(params, false, loads));
  return springs_create(params, true, loads);
}
