/* The cycle (Brandt 1977; Saad, Iterative Methods, chapter 13): smooth from zero, restrict the residual, visit the next
 * level once (V) or more often (W, and as a number per level the recursion of combinatorial multigrid), add its answer,
 * smooth. The same polynomial before and after makes it symmetric, and positive as long as the bounds of the spectra
 * hold.
 *
 * In a K-cycle (Notay and Vassilevski 2008) a level is solved by two steps of flexible conjugate gradients, each
 * preconditioned by a visit of it; the steps' lengths make up for a coarse level that is not quite right, at the price
 * of a cycle that is not a linear function of b any more. Sums stay on the Exec.
 *
 * A step of a smoother is one product with its epilogue in the matrix' own kernel, w = c0 A v + c1 v + c2 u + c3 b. The
 * first step from zero is no launch at all: x = factor b, and the factor goes into the next product. Degree k costs k -
 * 1 products before, one for the residual, k after: 2 k in all.
 * Bytes per visit of a level: 2 k matrices and their vectors, P and P^T once each; at the bottom the inverse. */
#include "solver/multigrid/multigrid_private.h"
#include "solver/multigrid/rows.h"

/* What a recording knows: where the cycle is called from, and on level 0 where it ends. */
typedef struct Cycle {
  Multigrid *mg;
  void *z;
  Krylov *krylov;
} Cycle;

/* What a level's solution is so far: factor x; the level's x[next] is free. */
typedef struct Iterate {
  const void *x;
  double factor;
  int next;
} Iterate;

/* Which of the two kernels. */
static const RowKernel *multigrid_cycle_pick(const Multigrid *mg, const RowKernel *d, const RowKernel *f) {
  return mg->precision == PRECISION_FLOAT ? f : d;
}

static Iterate from_zero(const MgLevel *v, const void *low) { return (Iterate){low, v->steps.b[0], 1}; }

static void *take_next(const MgLevel *v, Iterate *it) {
  void *x = v->x[it->next];
  *it = (Iterate){x, 1, 1 - it->next};
  return x;
}

static Status record_dense(const Cycle *c, int32_t l, Iterate *it) {
  const Multigrid *mg = c->mg;
  const MgLevel *v = &mg->level[l];
  const bool alone = l == 0 && !mg->inner;
  const MgDenseArgs args = {mg->inverse,      v->b,          mg->dense_partial, l ? v->x[0] : c->z, c->krylov,
                            &c->krylov->stop, (int32_t)v->n, MG_DENSE_PARTS};
  *it = (Iterate){v->x[0], 1, 1};
  TRY(exec_rows(mg->exec, multigrid_cycle_pick(mg, &mg_dense_d_kernel, &mg_dense_f_kernel), &args,
                v->n * MG_DENSE_PARTS));
  return exec_rows(mg->exec,
                   alone ? multigrid_cycle_pick(mg, &mg_dense_end_d_kernel, &mg_dense_end_f_kernel)
                         : multigrid_cycle_pick(mg, &mg_dense_add_d_kernel, &mg_dense_add_f_kernel),
                   &args, v->n);
}

/* Steps `from` to degree - 1; the first one from zero is in the factor when from is 1. On level 0 the last of
 * them, after the coarse levels, writes z, and the sum unless that is not wanted. */
static Status record_steps(const Cycle *c, int32_t l, int32_t from, bool last, Iterate *it) {
  const Multigrid *mg = c->mg;
  const MgLevel *v = &mg->level[l];
  Iterate before = {0};
  for (int32_t k = from; k < mg->degree; ++k) {
    const double a = v->steps.a[k], b = v->steps.b[k];
    const Iterate now = *it;
    ProductArgs args = {.v = now.x,
                        .w = take_next(v, it),
                        .b = v->b,
                        .c0 = -b * now.factor,
                        .c1 = (1 + a) * now.factor,
                        .c3 = b,
                        .stop = &c->krylov->stop,
                        .krylov = c->krylov,
                        .step = KRYLOV_BETA};
    if (a != 0 && k > from) {
      args.u = before.x;
      args.c2 = -a * before.factor;
    }
    before = now;
    const bool ends = last && k + 1 == mg->degree;
    if (ends && mg->inner) {
      args.w = c->z;
    } else if (ends) {
      args.w = NULL;
      args.z = c->z;
      args.e3 = 1;
    }
    TRY(mat_product(mg_matrix(v), ends && !mg->inner ? MAT_COMBINE_DOT : MAT_COMBINE, &args));
  }
  return OK;
}

/* Segments are there: the own parcels of them, those of others, and all of a row. */
static Status record_parcels(const Multigrid *mg, const MgTransfer *t, const MgRestrictArgs *rows) {
  const MgPieces *p = t->pieces;
  const MgParcelArgs args = {.first = p->first,
                             .piece_segment = t->row_segment,
                             .partial = t->partial,
                             .parcel = t->parcel,
                             .start = p->of_row.start,
                             .place = p->of_row.column,
                             .b = rows->b,
                             .x = rows->x,
                             .stop = rows->stop,
                             .coarse = t->coarse};
  TRY(exec_rows(mg->exec, &mg_parcel_kernel, &args, (int64_t)p->n_own * t->coarse));
  TRY(mg_pieces_exchange(p, t->parcel, (size_t)t->coarse * sizeof *t->parcel, rows->stop));
  return exec_rows(mg->exec, multigrid_cycle_pick(mg, &mg_unpack_d_kernel, &mg_unpack_f_kernel), &args,
                   (int64_t)p->n_row * t->coarse);
}

static Status record_restrict(const Cycle *c, int32_t l, const Iterate *it) {
  const Multigrid *mg = c->mg;
  const MgLevel *v = &mg->level[l], *next = v + 1;
  const MgTransfer *t = v->transfer;
  const bool below = mg->below && l + 2 == mg->n_level;
  const MgRestrictArgs args = {.segment = t->segment,
                               .row_segment = t->row_segment,
                               .column = t->transposed.column,
                               .value = t->transposed_value ? t->transposed_value : t->value,
                               .source = t->transposed_value ? NULL : t->source,
                               .r = v->r,
                               .partial = t->partial,
                               .b = next->b,
                               .x = next->x[below],
                               .stop = &c->krylov->stop,
                               .fine = t->fine,
                               .coarse = t->coarse};
  TRY(mat_product(
      mg_matrix(v), MAT_COMBINE,
      &(ProductArgs){.v = it->x, .w = v->r, .b = v->b, .c0 = -it->factor, .c3 = 1, .stop = &c->krylov->stop}));
  if (t->halo) TRY(exec_exchange(mg->exec, t->halo, v->r, (size_t)t->fine * precision_bytes(mg->precision)));
  TRY(exec_rows(mg->exec, multigrid_cycle_pick(mg, &mg_segment_d_kernel, &mg_segment_f_kernel), &args,
                t->n_segment * t->coarse));
  if (t->pieces) return record_parcels(mg, t, &args);
  return exec_rows(mg->exec, multigrid_cycle_pick(mg, &mg_restrict_d_kernel, &mg_restrict_f_kernel), &args, next->n);
}

static Status record_prolong(const Cycle *c, int32_t l, const Iterate *below, Iterate *it) {
  const Multigrid *mg = c->mg;
  const MgLevel *v = &mg->level[l];
  const MgTransfer *t = v->transfer;
  const Iterate now = *it;
  const MgProlongArgs args = {t->p.start,       t->p.column, t->value,         below->x, now.x,
                              take_next(v, it), now.factor,  &c->krylov->stop, t->fine,  t->coarse};
  return exec_rows(mg->exec, multigrid_cycle_pick(mg, &mg_prolong_d_kernel, &mg_prolong_f_kernel), &args, v->n);
}

static Status record_level(const Cycle *c, int32_t l, bool zero, Iterate *it);

static Status record_visit(const Cycle *c, int32_t l, Iterate *it) {
  *it = from_zero(&c->mg->level[l], c->mg->level[l].x[0]);
  return record_level(c, l, true, it);
}

static Status record_image(const Cycle *c, const MgLevel *v, const void *x, void *y) {
  return mat_product(mg_matrix(v), MAT_COMBINE, &(ProductArgs){.v = x, .w = y, .c0 = 1, .stop = &c->krylov->stop});
}

/* b is there, and x[0] = b. */
static Status record_krylov(const Cycle *c, int32_t l, Iterate *it) {
  const Multigrid *mg = c->mg;
  const MgLevel *v = &mg->level[l];
  MgKrylovArgs args = {.product = v->r,
                       .keep = v->keep,
                       .image = v->image,
                       .b = v->b,
                       .x = v->x[0],
                       .scalars = mg->scalars + l,
                       .stop = &c->krylov->stop};
  TRY(record_visit(c, l, it));
  args.c = it->x;
  TRY(record_image(c, v, args.c, v->image));
  TRY(exec_rows(mg->exec, multigrid_cycle_pick(mg, &mg_krylov_one_d_kernel, &mg_krylov_one_f_kernel), &args, v->n));
  TRY(exec_rows(mg->exec, multigrid_cycle_pick(mg, &mg_krylov_between_d_kernel, &mg_krylov_between_f_kernel), &args,
                v->n));
  TRY(record_visit(c, l, it));
  args.c = it->x;
  TRY(record_image(c, v, args.c, v->r));
  TRY(exec_rows(mg->exec, multigrid_cycle_pick(mg, &mg_krylov_two_d_kernel, &mg_krylov_two_f_kernel), &args, v->n));
  args.x = take_next(v, it);
  return exec_rows(mg->exec, multigrid_cycle_pick(mg, &mg_krylov_end_d_kernel, &mg_krylov_end_f_kernel), &args, v->n);
}

/* What level l gives for its b, which is there, as x[0] too. */
static Status record_next(const Cycle *c, int32_t l, int32_t visits, Iterate *it) {
  const Multigrid *mg = c->mg;
  const bool is_last = l + 1 == mg->n_level;
  if (mg->krylov && !is_last) return record_krylov(c, l, it);
  TRY(record_visit(c, l, it));
  for (int32_t k = 1; k < visits && !is_last; ++k) TRY(record_level(c, l, false, it));
  return OK;
}

/* *it becomes better, from zero when `zero`: the first step is in its factor then. */
static Status record_level(const Cycle *c, int32_t l, bool zero, Iterate *it) {
  const Multigrid *mg = c->mg;
  Iterate below;
  if (l + 1 == mg->n_level && mg->below) {
    *it = (Iterate){mg->level[l].x[0], 1, 1};
    return mg->below(mg->below_context);
  }
  if (l + 1 == mg->n_level) return record_dense(c, l, it);
  TRY(record_steps(c, l, zero ? 1 : 0, false, it));
  TRY(record_restrict(c, l, it));
  const SumParts *before = mg_sum_over(mg, l + 1);
  const Status status = record_next(c, l + 1, mg->level[l].visits, &below);
  exec_sum_over(mg->exec, before);
  TRY(status);
  TRY(record_prolong(c, l, &below, it));
  return record_steps(c, l, 0, l == 0, it);
}

Status mg_cycle(Multigrid *mg, const double *b, const void *low, void *z, Krylov *krylov) {
  const Cycle c = {mg, z, krylov};
  Iterate it = from_zero(&mg->level[0], low);
  mg->level[0].b = (double *)b; /* read only; a view */
  return record_level(&c, 0, true, &it);
}

/* Visits of each level in one cycle. */
static void count_visits(const Multigrid *mg, double *visits) {
  visits[0] = 1;
  for (int32_t l = 1; l < mg->n_level; ++l)
    visits[l] = visits[l - 1] * (l + 1 == mg->n_level ? 1 : mg->krylov ? 2 : mg->level[l - 1].visits);
}

/* Products with the level's matrix in a visit. */
static double products_of(const Multigrid *mg, int32_t l) { return 2 * mg->degree + (mg->krylov && l > 0); }

double mg_bytes(const Multigrid *mg) {
  double bytes = 0, visits[MG_LEVELS];
  const double size = (double)precision_bytes(mg->precision);
  count_visits(mg, visits);
  for (int32_t l = 0; l < mg->n_level; ++l) {
    const MgLevel *v = &mg->level[l];
    const double n = (double)v->n;
    if (mg->below && l > 0 && l + 1 == mg->n_level) break;
    if (l + 1 == mg->n_level) {
      bytes += visits[l] * n * (n * size + 8 + size);
      continue;
    }
    const double transfer =
        (double)v->transfer->transposed.n_entry * (v->transfer->fine * v->transfer->coarse * size + 4);
    bytes += visits[l] * (products_of(mg, l) * ((double)mat_bytes(mg_matrix(v)) + n * (8 + 3 * size)) + 2 * transfer +
                          2 * n * size);
    if (mg->krylov && l > 0) bytes += visits[l] * n * (12 + 4 * size);
  }
  return bytes;
}

static double entries_of(const MgLevel *v) { return v->entries > 0 ? v->entries : (double)mat_entries(mg_matrix(v)); }

double mg_products(const Multigrid *mg) {
  double entries = 0, visits[MG_LEVELS];
  count_visits(mg, visits);
  for (int32_t l = 0; l + 1 < mg->n_level; ++l) entries += visits[l] * products_of(mg, l) * entries_of(&mg->level[l]);
  return mg->n_level > 1 ? entries / entries_of(&mg->level[0]) : 1;
}
