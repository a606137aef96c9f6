/* Which nodes depend on which, and how, and the other way round. */
#include "assembly/space/equation_weights.h"
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

void weights_release(Weights *w) {
  FREE(w->slot);
  FREE(w->start);
  FREE(w->node);
  FREE(w->value);
  FREE(w->from);
  FREE(w->source);
  FREE(w->weight);
}

static bool is_free(const Supports *s, int32_t unknown) {
  return !(s->fixed[unknown / s->n_component] >> (unknown % s->n_component) & 1);
}

/* The weight of node i (listed) with node j, made where it is not there yet. */
static double *weight_at(Weights *w, int64_t first, int32_t j) {
  const int32_t square = w->b * w->b;
  for (int64_t k = first; k < w->n; ++k)
    if (w->node[k] == j) return w->value + k * square;
  w->node[w->n++] = j;
  return w->value + (w->n - 1) * square;
}

/* Equations of one node, [k, end): unknowns that stay have 1 on the diagonal. */
static void weights_of_node(const Space *s, const Supports *supports, const Equations *e, int32_t k, int32_t end,
                            Weights *w) {
  const int32_t begin = k;
  const int32_t b = w->b, node = e->row[k] / b;
  const int64_t first = w->n;
  double *own = weight_at(w, first, numbering_rank(&s->numbering, node));
  for (int32_t c = 0; c < b; ++c) own[c * b + c] = 1;
  for (; k < end; ++k) {
    const int32_t c = e->row[k] % b;
    own[c * b + c] = equation_is_off(e, k);
  }
  for (k = end; k-- > begin;) {
    for (int64_t t = e->start[k]; t < e->start[k + 1]; ++t) {
      if (e->weight_at) e->weight_at[t] = -1;
      if (!is_free(supports, e->column[t])) continue;
      double *to = weight_at(w, first, numbering_rank(&s->numbering, e->column[t] / b));
      to += (e->row[k] % b) * b + e->column[t] % b;
      if (e->weight_at) e->weight_at[t] = to - w->value;
      *to += e->factor[t];
    }
  }
}

/* order: place and index of the listed nodes, ascending. */
static Status weights_turn(Weights *w, int32_t n_listed, const int64_t *order) {
  ALLOC(w->from, (int64_t)w->n_node + 1, "constraints");
  ALLOC(w->source, w->n, "constraints");
  ALLOC(w->weight, w->n, "constraints");
  for (int64_t k = 1; k < w->n; ++k) ++w->from[w->node[k] + 1];
  for (int32_t i = 0; i < w->n_node; ++i) w->from[i + 1] += w->from[i];
  for (int32_t i = n_listed - 1; i >= 0; --i) {
    const int32_t l = (int32_t)order[i];
    for (int64_t k = w->start[l + 1] - 1; k >= w->start[l]; --k) {
      const int64_t at = --w->from[w->node[k] + 1];
      w->source[at] = halo_number(w->order, (int32_t)(order[i] >> 32));
      w->weight[at] = (int32_t)k;
    }
  }
  memmove(w->from, w->from + 1, (size_t)w->n_node * sizeof *w->from);
  w->from[w->n_node] = w->n - 1;
  return OK;
}

static int listed_order(const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* Sources ascend, and with them the pieces of a block (whole_pieces). */
static Status weights_transpose(Weights *w, int32_t n_listed, const int32_t *listed) {
  int64_t *order;
  ALLOC(order, n_listed, "constraints");
  for (int32_t l = 0; l < n_listed; ++l) order[l] = (int64_t)halo_place(w->order, listed[l]) << 32 | l;
  if (n_listed) qsort(order, (size_t)n_listed, sizeof *order, listed_order);
  const Status status = weights_turn(w, n_listed, order);
  FREE(order);
  return status;
}

Status weights_create(const Space *s, const Supports *supports, const Equations *e, Weights *w) {
  Status status = OK;
  int32_t n_listed = 0, *listed = NULL;
  const int64_t most = 1 + e->n + e->start[e->n];
  *w = (Weights){.n_node = s->n_node, .b = s->n_component, .order = s->solver_set->order, .n = 1};
  ALLOC_DONE(w->slot, s->n_node, "constraints");
  ALLOC_DONE(w->start, (int64_t)e->n + 1, "constraints");
  ALLOC_DONE(w->node, most, "constraints");
  ALLOC_DONE(w->value, most * w->b * w->b, "constraints");
  ALLOC_DONE(listed, e->n, "constraints");
  for (int32_t c = 0; c < w->b; ++c) w->value[c * w->b + c] = 1;
  w->start[0] = 1;
  for (int32_t k = 0, end; k < e->n; k = end) {
    for (end = k + 1; end < e->n && e->row[end] / w->b == e->row[k] / w->b;) ++end;
    weights_of_node(s, supports, e, k, end, w);
    listed[n_listed] = numbering_rank(&s->numbering, e->row[k] / w->b);
    ++n_listed;
    w->slot[listed[n_listed - 1]] = n_listed;
    w->start[n_listed] = w->n;
  }
  TRY_DONE(weights_transpose(w, n_listed, listed));
done:
  FREE(listed);
  return status;
}
