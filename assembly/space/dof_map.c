/* Builds patterns: every node collects the nodes of its elements into a sorted list. Two passes over the nodes in
 * parallel, counting, then filling; each row depends on its node alone, so the result has no order of threads in it. */
#include "assembly/space/dof_map.h"
#include "core/memory.h"

#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

static int dof_map_threads(void) {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

static int dof_map_thread(void) {
#ifdef _OPENMP
  return omp_get_thread_num();
#else
  return 0;
#endif
}

/* What the rows of a pattern are found from: nodes of `row` couple with those that its elements have in `column`. */
typedef struct Couplings {
  const ElementSet *row, *column;
  const Incidence *incidence; /* of row */
  bool square;                /* a node couples with itself, also without elements */
} Couplings;

/* Neighbours of node i, ascending, into list; returns how many. */
static int32_t dof_map_neighbours(const Couplings *c, int32_t i, int32_t *list) {
  int32_t n = 0;
  if (c->square) list[n++] = i;
  for (int64_t t = c->incidence->start[i]; t < c->incidence->start[i + 1]; ++t) {
    const ElementRef touch = c->incidence->touch[t];
    if (touch.block >= c->column->n_block) continue; /* facets couple a space with itself */
    const SetBlock *b = &c->column->block[touch.block];
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
static int64_t longest_list(const Couplings *c) {
  int64_t longest = 1;
#pragma omp parallel for schedule(static) reduction(max : longest)
  for (int32_t i = 0; i < c->row->n_node; ++i) {
    int64_t n = 1;
    for (int64_t t = c->incidence->start[i]; t < c->incidence->start[i + 1]; ++t)
      if (c->incidence->touch[t].block < c->column->n_block)
        n += c->column->block[c->incidence->touch[t].block].type->n_node;
    if (n > longest) longest = n;
  }
  return longest;
}

static Status pattern_fill(const Couplings *c, Pattern *p) {
  Status status = OK;
  int32_t *scratch = NULL;
  const int64_t longest = longest_list(c);
  ALLOC_DONE(p->start, (int64_t)p->n + 1, "matrix pattern");
  ALLOC_DONE(scratch, longest * dof_map_threads(), "neighbours of nodes");
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < p->n; ++i) p->start[i + 1] = dof_map_neighbours(c, i, scratch + dof_map_thread() * longest);
  for (int32_t i = 0; i < p->n; ++i) p->start[i + 1] += p->start[i];
  ALLOC_DONE(p->column, p->start[p->n], "matrix pattern");
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < p->n; ++i) {
    int32_t *list = scratch + dof_map_thread() * longest;
    const int32_t n = dof_map_neighbours(c, i, list);
    memcpy(p->column + p->start[i], list, (size_t)n * sizeof *list);
  }
done:
  FREE(scratch);
  return status;
}

static Status pattern_new(const Couplings *couplings, Pattern shape, Pattern **out) {
  Pattern *p = NULL;
  *out = NULL;
  ALLOC(p, 1, "matrix pattern");
  *p = shape;
  const Status status = pattern_fill(couplings, p);
  if (status != OK) pattern_destroy(&p);
  *out = p;
  return status;
}

Status pattern_create(const ElementSet *set, const Incidence *incidence, int32_t block, Pattern **out) {
  return pattern_new(&(Couplings){set, set, incidence, true}, (Pattern){.n = set->n_node, .block = block}, out);
}

Status pattern_create_between(const ElementSet *row, const Incidence *incidence, int32_t block,
                              const ElementSet *column, int32_t column_block, Pattern **out) {
  ElementSet solved = *column;
  solved.n_block = solved.n_solved_block;
  const Pattern shape = {.n = row->n_node, .block = block, .n_column = column->n_node, .column_block = column_block};
  return pattern_new(&(Couplings){row, &solved, incidence, false}, shape, out);
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
