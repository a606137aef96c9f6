/* Nodes and elements in the solver's order. */
#include "assembly/space/numbering.h"
#include "core/memory.h"

#include <string.h>

static Status numbering_invert(const int32_t *rank, Numbering *out) {
  const int32_t n = out->n_node;
  ALLOC(out->rank, n, "numbering of the nodes");
  ALLOC(out->node, n, "numbering of the nodes");
  for (int32_t i = 0; i < n; ++i) out->node[i] = -1;
  for (int32_t i = 0; i < n; ++i) {
    CHECK(rank[i] >= 0 && rank[i] < n && out->node[rank[i]] < 0, ERR_BUG, "rank[%d] = %d is no permutation of %d nodes",
          i, rank[i], n);
    out->rank[i] = rank[i];
    out->node[rank[i]] = i;
  }
  return OK;
}

static int32_t numbering_smallest(const Numbering *numbering, const SetBlock *b, int32_t e) {
  int32_t least = INT32_MAX;
  for (int32_t a = 0; a < b->type->n_node; ++a) {
    const int32_t rank = numbering->rank[b->nodes[(int64_t)e * b->type->n_node + a]];
    if (rank < least) least = rank;
  }
  return least;
}

/* Elements by their smallest node, by counting; those with the same one keep the mesh's order. */
static Status sort_elements(Numbering *numbering, const SetBlock *b, int32_t *element) {
  int32_t *cursor = NULL;
  ALLOC(cursor, (int64_t)numbering->n_node + 1, "order of the elements");
  for (int32_t e = 0; e < b->n; ++e) ++cursor[numbering_smallest(numbering, b, e) + 1];
  for (int32_t i = 0; i < numbering->n_node; ++i) cursor[i + 1] += cursor[i];
  for (int32_t e = 0; e < b->n; ++e) element[cursor[numbering_smallest(numbering, b, e)]++] = e;
  FREE(cursor);
  return OK;
}

static Status arrange_block(Numbering *numbering, int32_t k) {
  SetBlock *b = &numbering->set.block[k];
  const int64_t n = b->type->n_node;
  const int32_t *from = b->nodes;
  ALLOC(numbering->nodes[k], n * b->n, "element nodes in the solver's order");
  if (k < numbering->set.n_solved_block) {
    ALLOC(numbering->element[k], b->n, "order of the elements");
    TRY(sort_elements(numbering, b, numbering->element[k]));
  }
  const int32_t *element = numbering->element[k];
  int32_t *to = numbering->nodes[k];
#pragma omp parallel for schedule(static)
  for (int64_t e = 0; e < b->n; ++e)
    for (int64_t a = 0; a < n; ++a) to[e * n + a] = numbering->rank[from[(element ? element[e] : e) * n + a]];
  b->nodes = to;
  return OK;
}

Status numbering_create(const ElementSet *set, const int32_t *rank, Numbering *out) {
  *out = (Numbering){.n_node = set->n_node};
  if (!rank) return OK;
  TRY(numbering_invert(rank, out));
  out->set = *set;
  for (int32_t k = 0; k < set->n_block; ++k) TRY(arrange_block(out, k));
  return incidence_create(&out->set, &out->incidence);
}

void numbering_release(Numbering *numbering) {
  FREE(numbering->rank);
  FREE(numbering->node);
  for (int32_t k = 0; k < ELEMENT_SET_BLOCKS; ++k) {
    FREE(numbering->element[k]);
    FREE(numbering->nodes[k]);
  }
  incidence_release(&numbering->incidence);
}

void numbering_to_solver(const Numbering *numbering, size_t bytes, const void *from, void *to) {
  if (!numbering->rank) {
    memcpy(to, from, (size_t)numbering->n_node * bytes);
    return;
  }
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < numbering->n_node; ++i)
    memcpy((char *)to + (size_t)i * bytes, (const char *)from + (size_t)numbering->node[i] * bytes, bytes);
}

void numbering_to_mesh(const Numbering *numbering, size_t bytes, const void *from, void *to) {
  if (!numbering->rank) {
    memcpy(to, from, (size_t)numbering->n_node * bytes);
    return;
  }
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < numbering->n_node; ++i)
    memcpy((char *)to + (size_t)i * bytes, (const char *)from + (size_t)numbering->rank[i] * bytes, bytes);
}

Status numbering_upload(Exec *exec, const Numbering *numbering, int32_t n_component, size_t size, const void *from,
                        const char *what, void **out) {
  const int64_t n = (int64_t)numbering->n_node * n_component;
  void *arranged = NULL;
  if (!numbering->rank) return exec_alloc_upload(exec, n, size, from, what, out);
  TRY(mem_alloc(n, size, what, &arranged));
  numbering_to_solver(numbering, size * (size_t)n_component, from, arranged);
  const Status status = exec_alloc_upload(exec, n, size, arranged, what, out);
  mem_free(&arranged);
  return status;
}

Status element_upload(Exec *exec, const int32_t *order, int32_t n, size_t size, const void *from, const char *what,
                      void **out) {
  void *arranged = NULL;
  if (!order) return exec_alloc_upload(exec, n, size, from, what, out);
  TRY(mem_alloc(n, size, what, &arranged));
  for (int32_t e = 0; e < n; ++e)
    memcpy((char *)arranged + (size_t)e * size, (const char *)from + (size_t)order[e] * size, size);
  const Status status = exec_alloc_upload(exec, n, size, arranged, what, out);
  mem_free(&arranged);
  return status;
}
