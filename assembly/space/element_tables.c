/* Tables per element block on an Exec. */
#include "assembly/space/element_tables.h"
#include "core/memory.h"

#include <string.h>

Status element_upload_nodes(Exec *exec, const SetBlock *block, int32_t **out) {
  Status status = OK;
  const int64_t n = block->type->n_node, total = n * block->n;
  int32_t *turned = NULL;
  if (block->node_a != 1) {
    ALLOC_DONE(turned, total, "element nodes");
#pragma omp parallel for schedule(static)
    for (int64_t e = 0; e < block->n; ++e)
      for (int64_t a = 0; a < n; ++a) turned[a * block->node_a + e * block->node_e] = block->nodes[e * n + a];
  }
  TRY_DONE(exec_alloc_upload(exec, total, sizeof **out, turned ? turned : block->nodes, "element nodes", (void **)out));
done:
  FREE(turned);
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

int64_t element_pair_size(const SetBlock *block, int32_t n_component) {
  const int64_t n = block->type->n_node;
  return block->n * (n * (n + 1) / 2) * n_component;
}
