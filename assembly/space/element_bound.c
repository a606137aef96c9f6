/* The element bound of the spectrum, a batch of elements at a time, so that the memory it takes stays small. */
#include "assembly/space/element_bound.h"
#include "assembly/space/rows.h"
#include "core/memory.h"

/* Numbers that a batch may take, 16 MB where thousands of rows run at once and 1 MB where few do; it has some elements
 * in any case. */
enum { WORK_NUMBERS_GPU = 1 << 21, WORK_NUMBERS_CPU = 1 << 17, LEAST_ELEMENTS = 64, FOLD = 1024 };

static int64_t batch_of(const Exec *exec, const SetBlock *block, int32_t size) {
  const int64_t numbers = exec_is_host(exec) ? WORK_NUMBERS_CPU : WORK_NUMBERS_GPU;
  const int64_t most = numbers / element_bound_work(block->type->n_node, size);
  const int64_t batch = most > LEAST_ELEMENTS ? most : LEAST_ELEMENTS;
  return batch < block->n ? batch : block->n;
}

/* Largest of all batches. */
static int64_t work_numbers(const Exec *exec, const ElementSet *set, int32_t size) {
  int64_t numbers = 0;
  for (int32_t k = 0; k < set->n_block; ++k) {
    const int64_t here = batch_of(exec, &set->block[k], size) * element_bound_work(set->block[k].type->n_node, size);
    if (here > numbers) numbers = here;
  }
  return numbers;
}

static int64_t element_bound_elements(const ElementSet *set) {
  int64_t n = 0;
  for (int32_t k = 0; k < set->n_block; ++k) n += set->block[k].n;
  return n;
}

/* Bounds of the elements of block k. */
static Status bound_block(Exec *exec, const ElementMatrices *m, int32_t k, double *work, double *bound) {
  const SetBlock *b = &m->set->block[k];
  const int64_t batch = batch_of(exec, b, m->size), numbers = element_bound_work(b->type->n_node, m->size);
  const bool host = exec_is_host(exec);
  ElementBoundArgs args = {.K = m->K,
                           .pair_first = b->pair_first,
                           .pair_p = b->pair_p,
                           .pair_e = b->pair_e,
                           .block_step = m->block_step,
                           .scalar_step = m->scalar_step,
                           .n = b->type->n_node,
                           .size = m->size,
                           .blocks = m->blocks,
                           .nodes = m->nodes[k],
                           .node_a = b->node_a,
                           .node_e = b->node_e,
                           .frame_of = m->frame_of,
                           .frame = m->frame,
                           .work = work,
                           .work_k = host ? 1 : batch,
                           .work_r = host ? numbers : 1};
  for (args.first = 0; args.first < b->n; args.first += batch) {
    const int64_t n = b->n - args.first < batch ? b->n - args.first : batch;
    args.bound = bound + args.first;
    TRY(exec_rows(exec, &element_bound_kernel, &args, n));
  }
  return OK;
}

Status element_bound(Exec *exec, const ElementMatrices *m, double *bound) {
  Status status = OK;
  const int64_t n = element_bound_elements(m->set), n_work = work_numbers(exec, m->set, m->size),
                n_fold = n < FOLD ? n : FOLD;
  double *work = NULL, *each = NULL, *fold = NULL, *at;
  TRY_DONE(exec_alloc(exec, n_work, sizeof *work, "work space of the element bound", (void **)&work));
  TRY_DONE(exec_alloc(exec, n, sizeof *each, "bounds of the elements", (void **)&each));
  TRY_DONE(exec_alloc(exec, n_fold + 1, sizeof *fold, "the largest bound of the elements", (void **)&fold));
  at = each;
  for (int32_t k = 0; k < m->set->n_block; ++k) {
    TRY_DONE(bound_block(exec, m, k, work, at));
    at += m->set->block[k].n;
  }
  TRY_DONE(exec_rows(exec, &element_largest_kernel, &(ElementLargestArgs){each, fold, n, n_fold}, n_fold));
  TRY_DONE(exec_rows(exec, &element_largest_kernel, &(ElementLargestArgs){fold, fold + n_fold, n_fold, 1}, 1));
  TRY_DONE(exec_download(exec, bound, fold + n_fold, sizeof *bound));
done:
  EXEC_RELEASE(exec, work, n_work);
  EXEC_RELEASE(exec, each, n);
  EXEC_RELEASE(exec, fold, n_fold + 1);
  return status;
}
