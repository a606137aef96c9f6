/* From the numbers of one level to the structure of the next: on the host, once, kept when only values change. */
#include "core/memory.h"
#include "solver/amg.h"
#include "solver/rows.h"

#include <math.h>

/* A level that keeps more than this part of its scalars is not worth having. */
static const double LEAST_COARSENING = 0.75;

Status amg_places_upload(Exec *exec, const Mat *mat, int64_t n_entry, AmgPlaces *out) {
  const SlotMap *slots = mat_slots(mat);
  const int64_t square = (int64_t)mat_block(mat) * mat_block(mat);
  *out = (AmgPlaces){.n_slot = slots->per_scalar ? n_entry * square : n_entry,
                     .n_row_step = slots->per_scalar ? 0 : slots->same_step ? 1 : mat_rows(mat) / mat_block(mat)};
  const char *what = "where the matrix entries are";
  TRY(exec_alloc_upload(exec, out->n_slot, sizeof *out->slot, slots->slot, what, (void **)&out->slot));
  if (out->n_row_step)
    TRY(exec_alloc_upload(exec, out->n_row_step, sizeof *out->row_step, slots->row_step, what, (void **)&out->row_step));
  out->view = (AmgSlots){out->slot, out->row_step, slots->column_step, slots->per_scalar, slots->same_step};
  return OK;
}

void amg_level_release(Exec *exec, AmgLevel *v, int32_t m) {
  EXEC_RELEASE(exec, v->value, v->a.n_entry * v->s * v->s);
  EXEC_RELEASE(exec, v->modes, (int64_t)v->n * v->s * m);
  EXEC_RELEASE(exec, v->places.slot, v->places.n_slot);
  EXEC_RELEASE(exec, v->places.row_step, v->places.n_row_step);
  EXEC_RELEASE(exec, v->aggregates.of, v->n);
  EXEC_RELEASE(exec, v->aggregates.start, (int64_t)v->aggregates.n + 1);
  EXEC_RELEASE(exec, v->aggregates.member, v->aggregates.n_member);
  EXEC_RELEASE(exec, v->live, v->n);
  exec_graph_release(exec, &v->ap);
  exec_graph_release(exec, &v->a);
  block_graph_release(&v->graph);
}

/* Host side of one coarsening. */
typedef struct Coarsening {
  float *weight;     /* owned, as is all */
  uint8_t *live, *skip;
  Aggregates aggregates;
  BlockGraph member, p, ap, transposed, next;
  int64_t *source;
} Coarsening;

static void put_away(Coarsening *c) {
  FREE(c->weight);
  FREE(c->live);
  FREE(c->skip);
  aggregates_release(&c->aggregates);
  block_graph_release(&c->member);
  block_graph_release(&c->p);
  block_graph_release(&c->ap);
  block_graph_release(&c->transposed);
  block_graph_release(&c->next);
  FREE(c->source);
}

/* Norms of the blocks, and which scalars are coupled, to the host. */
static Status weigh(Exec *exec, AmgLevel *v, Coarsening *c) {
  float *norm = NULL;
  const int64_t n = v->a.n_entry;
  Status status;
  ALLOC(c->weight, n, "norms of the matrix blocks");
  ALLOC(c->live, v->n, "nodes that are coupled");
  ALLOC(c->skip, v->n, "nodes that are not coupled");
  EXEC_ALLOC(exec, v->live, v->n, "nodes that are coupled");
  TRY(exec_alloc(exec, n, sizeof *norm, "norms of the matrix blocks", (void **)&norm));
  const AmgNormArgs args = {v->a.start, v->a.column, v->value, norm, v->live, v->s};
  TRY_DONE(exec_rows(exec, &amg_norm_kernel, &args, v->n));
  TRY_DONE(exec_download(exec, c->weight, norm, (size_t)n * sizeof *norm));
  TRY_DONE(exec_download(exec, c->live, v->live, (size_t)v->n));
  for (int32_t i = 0; i < v->n; ++i) c->skip[i] = !c->live[i];
done:
  EXEC_RELEASE(exec, norm, n);
  return status;
}

/* The aggregate of each node as a graph. */
static Status member_graph(const Aggregates *a, int32_t n, BlockGraph *out) {
  *out = (BlockGraph){.n_row = n, .n_column = a->n};
  ALLOC(out->start, (int64_t)n + 1, "nodes of the aggregates");
  ALLOC(out->column, a->n_member, "nodes of the aggregates");
  for (int32_t i = 0; i < n; ++i) {
    out->start[i + 1] = out->start[i] + (a->of[i] >= 0);
    if (a->of[i] >= 0) out->column[out->start[i]] = a->of[i];
  }
  return OK;
}

/* Graphs of P = (1 - omega A) T, of A P and of P^T A P. */
static Status find_graphs(const AmgLevel *v, Coarsening *c) {
  TRY(member_graph(&c->aggregates, v->n, &c->member));
  TRY(block_graph_times(&v->graph, &c->member, c->skip, &c->p));
  TRY(block_graph_times(&v->graph, &c->p, c->skip, &c->ap));
  TRY(block_graph_transpose(&c->p, &c->transposed, &c->source));
  return block_graph_times(&c->transposed, &c->ap, NULL, &c->next);
}

#define UPLOAD(to, from, n, what) TRY(exec_alloc_upload(exec, (n), sizeof *(from), (from), (what), (void **)&(to)))

/* Pattern of a Mat with blocks of B: every node is `parts` block rows. */
static Status split_pattern(const BlockGraph *graph, int32_t parts, int32_t B, Pattern *out) {
  *out = (Pattern){.n = graph->n_row * parts, .block = B};
  ALLOC(out->start, (int64_t)out->n + 1, "rows of a level");
  ALLOC(out->column, graph->start[graph->n_row] * parts * parts, "columns of a level");
  int64_t at = 0;
  for (int32_t i = 0; i < graph->n_row; ++i)
    for (int32_t r = 0; r < parts; ++r) {
      for (int64_t k = graph->start[i]; k < graph->start[i + 1]; ++k)
        for (int32_t c = 0; c < parts; ++c) out->column[at++] = graph->column[k] * parts + c;
      out->start[(int64_t)i * parts + r + 1] = at;
    }
  return OK;
}

/* The matrix of a level in the fastest format that can hold it. */
static Status create_matrix(Amg *p, Exec *exec, int32_t l) {
  AmgLevel *v = &p->level[l];
  const int32_t B = v->s % 3 == 0 ? 3 : v->s % 2 == 0 ? 2 : 1;
  Pattern pattern = {0};
  MatParams params = {.format = "sbell", .precision = p->mg.precision};
  Status status;
  TRY_DONE(split_pattern(&v->graph, v->s / B, B, &pattern));
  status = mat_create(exec, &params, &pattern, &p->mg.level[l].a);
  if (status == ERR_INPUT) { /* a row so long that slices cannot be padded to it */
    status_clear();
    params.format = "csr";
    status = mat_create(exec, &params, &pattern, &p->mg.level[l].a);
  }
  if (status == OK) status = amg_places_upload(exec, p->mg.level[l].a, pattern.start[pattern.n], &v->places);
done:
  FREE(pattern.start);
  FREE(pattern.column);
  return status;
}

/* Everything of level l + 1 but its matrix, which the last level does without, and numbers. */
static Status put_next(Precond *m, int32_t l, Coarsening *c) {
  Amg *p = m->own;
  Exec *exec = m->exec;
  AmgLevel *v = &p->level[l], *next = v + 1;
  UPLOAD(v->aggregates.of, c->aggregates.of, v->n, "aggregates");
  v->aggregates.n = c->aggregates.n;
  UPLOAD(v->aggregates.start, c->aggregates.start, (int64_t)c->aggregates.n + 1, "aggregates");
  v->aggregates.n_member = c->aggregates.n_member;
  UPLOAD(v->aggregates.member, c->aggregates.member, c->aggregates.n_member, "aggregates");
  TRY(exec_graph_upload(exec, &c->ap, "rows of a product", &v->ap));
  TRY(mg_transfer_create(exec, p->mg.precision, &c->p, v->s, p->m, &p->mg.level[l].transfer));
  next->n = c->aggregates.n;
  next->s = p->m;
  next->graph = c->next;
  c->next = (BlockGraph){0};
  p->n_level = l + 2;
  TRY(mg_level_create(&p->mg, l + 1, (int64_t)next->n * next->s));
  p->mg.level[l + 1].visits = p->mg.level[l].visits;
  TRY(exec_graph_upload(exec, &next->graph, "rows of a level", &next->a));
  return OK;
}

Status amg_coarsen(Precond *m, int32_t l, bool *coarser) {
  Amg *p = m->own;
  AmgLevel *v = &p->level[l];
  Coarsening c = {0};
  const double strength = ldexp(m->value[AMG_STRENGTH], -l);
  Status status;
  *coarser = false;
  TRY_DONE(weigh(m->exec, v, &c));
  TRY_DONE(aggregates_create(&v->graph, c.weight, (float)(strength * strength * v->s), c.live, &c.aggregates));
  if (c.aggregates.n > 0 && (double)c.aggregates.n * p->m < LEAST_COARSENING * (double)v->n * v->s) {
    TRY_DONE(find_graphs(v, &c));
    TRY_DONE(put_next(m, l, &c));
    if (l > 0) TRY_DONE(create_matrix(p, m->exec, l));
    block_graph_release(&v->graph);
    *coarser = true;
  }
done:
  put_away(&c);
  if (!*coarser) EXEC_RELEASE(m->exec, v->live, v->n);
  return status;
}
