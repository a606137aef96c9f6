/* multigrid_cycle.c on K columns: the same steps, each product and transfer for all columns at once.
 * Bytes per visit of a level: those of mg_cycle once for matrices, transfers and the inverse, K times for vectors. */
#include "algebra/many/many_format.h"
#include "algebra/many_product.h"
#include "solver/multigrid/multigrid_many.h"
#include "solver/multigrid/multigrid_private.h"
#include "solver/multigrid/rows.h"

typedef struct ManyCycle {
  const MgMany *t;
  const PrecondManyCall *call;
  const int32_t *stop;
} ManyCycle;

/* As Iterate in multigrid_cycle.c. */
typedef struct ManyIterate {
  const void *x;
  double factor;
  int next;
} ManyIterate;

static const RowKernel *many_pick(const ManyCycle *c, const RowKernel *d, const RowKernel *f) {
  return c->t->mg->precision == PRECISION_FLOAT ? f : d;
}

static const double *many_b(const ManyCycle *c, int32_t l) { return l ? c->t->level[l].b : c->call->residual; }

static void *many_next(const ManyCycle *c, int32_t l, ManyIterate *it) {
  void *x = c->t->level[l].x[it->next];
  *it = (ManyIterate){x, 1, 1 - it->next};
  return x;
}

static Status many_product(const ManyCycle *c, int32_t l, MatOp op, ProductArgs *args) {
  const ManyProduct product = {.product = *args, .many = c->call->many};
  return mat_product_many(mg_matrix(&c->t->mg->level[l]), op, 1 << c->call->shift, &product);
}

static Status many_record_dense(const ManyCycle *c, int32_t l, ManyIterate *it) {
  const Multigrid *mg = c->t->mg;
  const MgManyLevel *v = &c->t->level[l];
  void *x = l ? v->x[0] : c->call->result;
  const MgManyDenseArgs args = {
      {mg->inverse, many_b(c, l), c->t->dense_partial, x, NULL, c->stop, (int32_t)v->n, MG_DENSE_PARTS},
      c->call->shift};
  *it = (ManyIterate){x, 1, 1};
  TRY(exec_rows(mg->exec, many_pick(c, &mg_many_dense_d_kernel, &mg_many_dense_f_kernel), &args,
                v->n * MG_DENSE_PARTS));
  MgDenseArgs add = args.one;
  add.n <<= c->call->shift;
  TRY(exec_rows(mg->exec, many_pick(c, &mg_dense_add_d_kernel, &mg_dense_add_f_kernel), &add, add.n));
  if (l || !c->call->sums) return OK;
  const ManyVectors sums = {.b = c->call->residual,
                            .z = x,
                            .low = mg->precision == PRECISION_FLOAT ? x : NULL,
                            .step = KRYLOV_BETA,
                            .many = c->call->many};
  return exec_rows(mg->exec, &many_behind_kernels[many_index(1 << c->call->shift)], &sums, v->n);
}

static Status many_record_steps(const ManyCycle *c, int32_t l, int32_t from, bool last, ManyIterate *it) {
  const Multigrid *mg = c->t->mg;
  const SmootherSteps *steps = &mg->level[l].steps;
  ManyIterate before = {0};
  for (int32_t k = from; k < mg->degree; ++k) {
    const double a = steps->a[k], b = steps->b[k];
    const ManyIterate now = *it;
    ProductArgs args = {.v = now.x,
                        .w = many_next(c, l, it),
                        .b = many_b(c, l),
                        .c0 = -b * now.factor,
                        .c1 = (1 + a) * now.factor,
                        .c3 = b,
                        .stop = c->stop,
                        .step = KRYLOV_BETA};
    if (a != 0 && k > from) {
      args.u = before.x;
      args.c2 = -a * before.factor;
    }
    before = now;
    const bool ends = last && k + 1 == mg->degree, sums = ends && c->call->sums;
    if (sums) {
      args.w = NULL;
      args.z = c->call->result;
      args.e3 = 1;
    } else if (ends) {
      args.w = c->call->result;
    }
    TRY(many_product(c, l, sums ? MAT_COMBINE_DOT : MAT_COMBINE, &args));
  }
  return OK;
}

/* Where what is below expects the restricted residual in float. */
static void *restricted(const ManyCycle *c, int32_t l) {
  const bool below = c->t->below && l + 1 == c->t->n_level;
  void *low = below ? precond_many_low(c->t->below) : c->t->level[l].x[0];
  return low ? low : c->t->level[l].b;
}

/* Segments are there: what mg_cycle does with them, K times as many scalars in a node. */
static Status many_record_sums(const ManyCycle *c, int32_t l, const MgRestrictArgs *segments) {
  const Multigrid *mg = c->t->mg;
  const MgTransfer *t = mg->level[l].transfer;
  const MgPieces *p = t->pieces;
  const int32_t coarse = t->coarse << c->call->shift;
  if (!p) {
    MgRestrictArgs args = *segments;
    args.coarse = coarse;
    return exec_rows(mg->exec, many_pick(c, &mg_restrict_d_kernel, &mg_restrict_f_kernel), &args,
                     c->t->level[l + 1].n << c->call->shift);
  }
  const MgParcelArgs args = {.first = p->first,
                             .piece_segment = t->row_segment,
                             .partial = segments->partial,
                             .parcel = c->t->level[l].parcel,
                             .start = p->of_row.start,
                             .place = p->of_row.column,
                             .b = segments->b,
                             .x = segments->x,
                             .stop = segments->stop,
                             .coarse = coarse};
  TRY(exec_rows(mg->exec, &mg_parcel_kernel, &args, (int64_t)p->n_own * coarse));
  TRY(mg_pieces_exchange(p, args.parcel, (size_t)coarse * sizeof *args.parcel, args.stop));
  return exec_rows(mg->exec, many_pick(c, &mg_unpack_d_kernel, &mg_unpack_f_kernel), &args, (int64_t)p->n_row * coarse);
}

static Status many_record_restrict(const ManyCycle *c, int32_t l, const ManyIterate *it) {
  const Multigrid *mg = c->t->mg;
  const MgManyLevel *v = &c->t->level[l], *next = v + 1;
  const MgTransfer *t = mg->level[l].transfer;
  const MgManyRestrictArgs args = {{.segment = t->segment,
                                    .row_segment = t->row_segment,
                                    .column = t->transposed.column,
                                    .value = t->transposed_value ? t->transposed_value : t->value,
                                    .source = t->transposed_value ? NULL : t->source,
                                    .r = v->r,
                                    .partial = v->partial,
                                    .b = next->b,
                                    .x = restricted(c, l + 1),
                                    .stop = c->stop,
                                    .fine = t->fine,
                                    .coarse = t->coarse},
                                   c->call->shift};
  TRY(many_product(
      c, l, MAT_COMBINE,
      &(ProductArgs){.v = it->x, .w = v->r, .b = many_b(c, l), .c0 = -it->factor, .c3 = 1, .stop = c->stop}));
  TRY(exec_rows(mg->exec, many_pick(c, &mg_many_segment_d_kernel, &mg_many_segment_f_kernel), &args,
                t->n_segment * t->coarse));
  return many_record_sums(c, l, &args.one);
}

static Status many_record_prolong(const ManyCycle *c, int32_t l, const ManyIterate *below, ManyIterate *it) {
  const MgTransfer *t = c->t->mg->level[l].transfer;
  const ManyIterate now = *it;
  const MgManyProlongArgs args = {{t->p.start, t->p.column, t->value, below->x, now.x, many_next(c, l, it), now.factor,
                                   c->stop, t->fine, t->coarse},
                                  c->call->shift};
  return exec_rows(c->t->mg->exec, many_pick(c, &mg_many_prolong_d_kernel, &mg_many_prolong_f_kernel), &args,
                   c->t->level[l].n);
}

static Status many_record_below(const ManyCycle *c, int32_t l, ManyIterate *it) {
  const MgManyLevel *v = &c->t->level[l];
  PrecondManyCall call = *c->call;
  call.residual = v->b;
  call.low = restricted(c, l);
  call.result = v->x[0];
  call.sums = false;
  *it = (ManyIterate){v->x[0], 1, 1};
  return precond_many_record(c->t->below, &call);
}

static Status many_record_level(const ManyCycle *c, int32_t l, bool zero, ManyIterate *it) {
  const Multigrid *mg = c->t->mg;
  const bool next_is_last = l + 2 == c->t->n_level;
  ManyIterate below;
  if (l + 1 == c->t->n_level) return c->t->below ? many_record_below(c, l, it) : many_record_dense(c, l, it);
  TRY(many_record_steps(c, l, zero ? 1 : 0, false, it));
  TRY(many_record_restrict(c, l, it));
  below = (ManyIterate){c->t->level[l + 1].x[0], mg->level[l + 1].steps.b[0], 1};
  TRY(many_record_level(c, l + 1, true, &below));
  for (int32_t k = 1; k < mg->level[l].visits && !next_is_last; ++k) TRY(many_record_level(c, l + 1, false, &below));
  TRY(many_record_prolong(c, l, &below, it));
  return many_record_steps(c, l, 0, l == 0, it);
}

Status mg_many_cycle(MgMany *t, const PrecondManyCall *call) {
  const ManyCycle c = {t, call, &call->many->stop};
  ManyIterate it = {call->low, t->mg->level[0].steps.b[0], 1};
  return many_record_level(&c, 0, true, &it);
}
