/* Facets with springs, or with convection, as blocks of one kind of element each. */
#include "assembly/space/spring.h"
#include "core/memory.h"

Status spring_blocks_create(const int64_t count[N_ELEMENT_KINDS], int32_t dim, bool viscous, const char *what,
                            SpringBlock *block, int32_t *n_block) {
  for (int32_t kind = 0; kind < N_ELEMENT_KINDS; ++kind) {
    if (count[kind] == 0) continue;
    SpringBlock *b = &block[(*n_block)++];
    b->type = element_type((ElementKind)kind);
    const int64_t n = b->type->n_node;
    ALLOC(b->nodes, count[kind] * n, what);
    ALLOC(b->kappa, count[kind] * (n * (n + 1) / 2) * dim, what);
    if (viscous) ALLOC(b->viscosity, count[kind] * (n * (n + 1) / 2) * dim, what);
  }
  return OK;
}

void spring_blocks_release(SpringBlock *block, int32_t *n_block) {
  for (int32_t k = 0; k < *n_block; ++k) {
    FREE(block[k].nodes);
    FREE(block[k].kappa);
    FREE(block[k].viscosity);
    FREE(block[k].point);
  }
  *n_block = 0;
}
