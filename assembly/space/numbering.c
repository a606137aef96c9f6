/* Nodes and elements in the solver's order. */
#include "assembly/space/numbering.h"
#include "assembly/space/rows.h"
#include "core/memory.h"

#include <string.h>

/* The first that is out of range or there twice; OK where none is. */
static Status numbering_check(const int32_t *rank, int32_t n, int32_t *node) {
  for (int32_t i = 0; i < n; ++i) node[i] = -1;
  for (int32_t i = 0; i < n; ++i) {
    CHECK(rank[i] >= 0 && rank[i] < n && node[rank[i]] < 0, ERR_BUG, "rank[%d] = %d is not a permutation of %d nodes",
          i, rank[i], n);
    node[rank[i]] = i;
  }
  return OK;
}

/* By all threads; where two write the same number one of them does not find itself. */
static Status numbering_invert(const int32_t *rank, Numbering *out) {
  const int32_t n = out->n_node;
  bool whole = true;
  ALLOC(out->rank, n, "numbering of the nodes");
  ALLOC(out->node, n, "numbering of the nodes");
#pragma omp parallel for schedule(static) reduction(&& : whole)
  for (int32_t i = 0; i < n; ++i) {
    out->rank[i] = rank[i];
    if (rank[i] < 0 || rank[i] >= n) whole = false;
    else {
#pragma omp atomic write
      out->node[rank[i]] = i;
    }
  }
#pragma omp parallel for schedule(static) reduction(&& : whole)
  for (int32_t i = 0; i < n; ++i) whole = whole && rank[i] >= 0 && rank[i] < n && out->node[rank[i]] == i;
  return whole ? OK : numbering_check(rank, n, out->node);
}

/* Elements by their smallest node; those with the same one keep the mesh's order. */
static Status sort_elements(Exec *exec, const OrderArgs *from, int32_t n, int32_t n_rank, int32_t **order) {
  const char *what = "order of the elements";
  OrderArgs args = *from;
  int bits = 0;
  while (n_rank >> bits) ++bits;
  TRY(exec_alloc(exec, n, sizeof **order, what, (void **)order));
  TRY(exec_alloc(exec, n, sizeof *args.key, what, (void **)&args.key));
  args.to_element = *order;
  Status status = exec_rows(exec, &order_key_kernel, &args, n);
  if (status == OK) status = exec_sort(exec, n, args.key, sizeof *args.key, bits, (uint32_t *)*order);
  EXEC_RELEASE(exec, args.key, n);
  return status;
}

/* Nodes and, in solved blocks, elements of a block; on the Exec first, then on the host. */
static Status block_order(Exec *exec, Numbering *numbering, int32_t k, OrderArgs *args, int32_t **order) {
  const SetBlock *b = &numbering->set.block[k];
  const int64_t n = (int64_t)b->type->n_node * b->n;
  args->n_node = b->type->n_node;
  args->element = NULL;
  if (numbering->sorted && k < numbering->set.n_solved_block) {
    TRY(sort_elements(exec, args, b->n, numbering->n_node, order));
    args->element = *order;
  }
  TRY(exec_alloc(exec, n, sizeof *args->to, "element nodes in the solver's order", (void **)&numbering->exec_nodes[k]));
  args->to = numbering->exec_nodes[k];
  TRY(exec_rows(exec, &order_nodes_kernel, args, b->n));
  if (*order)
    TRY(exec_fetch(exec, b->n, sizeof **order, "order of the elements", (void **)order,
                   (void **)&numbering->element[k]));
  return exec_fetch(exec, n, sizeof *args->to, "element nodes in the solver's order",
                    (void **)&numbering->exec_nodes[k], (void **)&numbering->nodes[k]);
}

static Status arrange_block(Exec *exec, const int32_t *rank, Numbering *numbering, int32_t k) {
  SetBlock *b = &numbering->set.block[k];
  OrderArgs args = {.rank = rank, .order = numbering->set.order};
  int32_t *order = NULL;
  TRY(block_nodes_lend(exec, b, &args.from));
  const Status status = block_order(exec, numbering, k, &args, &order);
  block_nodes_lend_end(exec, b, &args.from);
  EXEC_RELEASE(exec, order, b->n);
  b->nodes = numbering->nodes[k];
  b->exec_nodes = numbering->exec_nodes[k];
  return status;
}

Status numbering_create(Exec *exec, const ElementSet *set, const int32_t *rank, HaloOrder order, bool sorted,
                        Numbering *out) {
  *out = (Numbering){.n_node = set->n_node, .sorted = sorted, .exec = exec};
  if (!rank) return OK;
  const int32_t *on_exec = NULL;
  TRY(numbering_invert(rank, out));
  out->set = *set;
  out->set.order = order;
  TRY(exec_lend(exec, out->n_node, sizeof *rank, rank, "numbering of the nodes", (const void **)&on_exec));
  Status status = OK;
  for (int32_t k = 0; k < set->n_block && status == OK; ++k) status = arrange_block(exec, on_exec, out, k);
  exec_lend_end(exec, out->n_node, sizeof *rank, (const void **)&on_exec);
  return status == OK ? incidence_find(exec, &out->set, &out->incidence) : status;
}

void numbering_leave_exec(Numbering *numbering) {
  for (int32_t k = 0; k < numbering->set.n_block; ++k) {
    SetBlock *b = &numbering->set.block[k];
    EXEC_RELEASE(numbering->exec, numbering->exec_nodes[k], (int64_t)b->n * b->type->n_node);
    b->exec_nodes = NULL;
  }
  incidence_leave_exec(&numbering->incidence);
}

void numbering_release(Numbering *numbering) {
  numbering_leave_exec(numbering);
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
#pragma omp parallel for schedule(static)
  for (int32_t e = 0; e < n; ++e)
    memcpy((char *)arranged + (size_t)e * size, (const char *)from + (size_t)order[e] * size, size);
  const Status status = exec_alloc_upload(exec, n, size, arranged, what, out);
  mem_free(&arranged);
  return status;
}
