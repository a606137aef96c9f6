/* Facets with springs, or with convection, as blocks of one kind of element each. */
#include "assembly/space/spring.h"
#include "core/memory.h"

#include <math.h>

Status spring_blocks_create(const int64_t count[N_ELEMENT_KINDS], int32_t dim, SpringNumbers has, const char *what,
                            SpringBlock *block, int32_t *n_block) {
  for (int32_t kind = 0; kind < N_ELEMENT_KINDS; ++kind) {
    if (count[kind] == 0) continue;
    SpringBlock *b = &block[(*n_block)++];
    b->type = element_type((ElementKind)kind);
    const int64_t n = b->type->n_node, numbers = n * (n + 1) / 2 * spring_numbers(dim, has.form);
    b->form = has.form;
    ALLOC(b->nodes, count[kind] * n, what);
    ALLOC(b->kappa, count[kind] * numbers, what);
    if (has.viscous) ALLOC(b->viscosity, count[kind] * numbers, what);
    if (has.inert) ALLOC(b->inertia, count[kind] * numbers, what);
  }
  return OK;
}

void spring_blocks_release(SpringBlock *block, int32_t *n_block) {
  for (int32_t k = 0; k < *n_block; ++k) {
    FREE(block[k].nodes);
    FREE(block[k].kappa);
    FREE(block[k].viscosity);
    FREE(block[k].inertia);
    FREE(block[k].point);
  }
  *n_block = 0;
}

bool spring_direction(const SpringBlock *b, int64_t e, int64_t a, int32_t dim, int32_t r, double d[3]) {
  static const double ROUND_OFF = 1e-12;
  const int64_t n = b->type->n_node, pairs = n * (n + 1) / 2, numbers = spring_numbers(dim, b->form);
  const double *k = b->kappa + (e * pairs + pair_number(n, a, a)) * numbers;
  double length = 0, trace = 0;
  for (int32_t c = 0; c < 3; ++c) {
    d[c] = c >= dim ? 0 : c == r ? k[r] : b->form == SPRING_SYMMETRIC ? k[dim + r + c - 1] : 0;
    length += d[c] * d[c], trace += c < dim ? k[c] : 0;
  }
  for (int32_t c = 0; c < 3; ++c) d[c] /= length > 0 ? sqrt(length) : 1;
  return length > ROUND_OFF * trace * trace;
}
