/* Builds patterns: every node collects the nodes of its elements into a sorted list. Two passes over the nodes in
 * parallel, counting, then filling; each row depends on its node alone, so the result has no order of threads in it. */
#include "assembly/space/dof_map.h"
#include "core/memory.h"

#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

static int threads(void) {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

static int thread(void) {
#ifdef _OPENMP
  return omp_get_thread_num();
#else
  return 0;
#endif
}

/* Neighbours of node i, itself too, ascending, into list; returns how many. */
static int32_t neighbours(const ElementSet *set, const Incidence *incidence, int32_t i, int32_t *list) {
  int32_t n = 1;
  list[0] = i;
  for (int64_t t = incidence->start[i]; t < incidence->start[i + 1]; ++t) {
    const Touch touch = incidence->touch[t];
    const SetBlock *b = &set->block[touch.block];
    const int32_t *nodes = b->nodes + (int64_t)touch.element * b->type->n_node;
    for (int32_t k = 0; k < b->type->n_node; ++k) {
      int32_t low = 0, high = n;
      while (low < high) {
        const int32_t middle = (low + high) / 2;
        if (list[middle] < nodes[k]) low = middle + 1;
        else high = middle;
      }
      if (low < n && list[low] == nodes[k]) continue;
      memmove(list + low + 1, list + low, (size_t)(n - low) * sizeof *list);
      list[low] = nodes[k];
      ++n;
    }
  }
  return n;
}

/* The longest list of neighbours that a node can have, repetitions included. */
static int64_t longest_list(const ElementSet *set, const Incidence *incidence) {
  int64_t longest = 1;
#pragma omp parallel for schedule(static) reduction(max : longest)
  for (int32_t i = 0; i < set->n_node; ++i) {
    int64_t n = 1;
    for (int64_t t = incidence->start[i]; t < incidence->start[i + 1]; ++t)
      n += set->block[incidence->touch[t].block].type->n_node;
    if (n > longest) longest = n;
  }
  return longest;
}

Status pattern_create(const ElementSet *set, const Incidence *incidence, int32_t block, Pattern **out) {
  Status status = OK;
  Pattern *p = NULL;
  int32_t *scratch = NULL;
  const int64_t longest = longest_list(set, incidence);
  *out = NULL;
  ALLOC_DONE(p, 1, "matrix pattern");
  p->n = set->n_node;
  p->block = block;
  ALLOC_DONE(p->start, (int64_t)p->n + 1, "matrix pattern");
  ALLOC_DONE(scratch, longest * threads(), "neighbours of nodes");
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < p->n; ++i) p->start[i + 1] = neighbours(set, incidence, i, scratch + thread() * longest);
  for (int32_t i = 0; i < p->n; ++i) p->start[i + 1] += p->start[i];
  ALLOC_DONE(p->column, p->start[p->n], "matrix pattern");
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < p->n; ++i) {
    int32_t *list = scratch + thread() * longest;
    const int32_t n = neighbours(set, incidence, i, list);
    memcpy(p->column + p->start[i], list, (size_t)n * sizeof *list);
  }
  *out = p;
  p = NULL;
done:
  FREE(scratch);
  pattern_destroy(&p);
  return status;
}

int64_t pattern_find(const Pattern *pattern, int32_t i, int32_t j) {
  int64_t low = pattern->start[i], high = pattern->start[i + 1] - 1;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (pattern->column[middle] < j) low = middle + 1;
    else high = middle;
  }
  return low;
}
