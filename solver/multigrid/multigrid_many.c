/* Vectors and matrices of a cycle on several columns, and what makes it a preconditioner. */
#include "solver/multigrid/multigrid_many.h"
#include "algebra/many/rows.h"
#include "algebra/many_product.h"
#include "algebra/mat_format.h"
#include "core/memory.h"
#include "solver/multigrid/multigrid_private.h"

static bool has_bottom(const MgMany *t, int32_t l) { return t->below && l + 1 == t->n_level; }

const char *mg_many_obstacle(const Multigrid *mg, const Precond *m) {
  if (mg->krylov) return "a K-cycle works on one vector at a time (cycles v and w take several)";
  if (m->a->share.halo) return "multigrid of several ranks works on one vector at a time";
  for (int32_t l = 0; l + 1 < mg->n_level; ++l) {
    const MgTransfer *transfer = mg->level[l].transfer;
    const Mat *a = l == 0 ? m->a : mg->level[l].a;
    if (transfer->halo || (transfer->pieces && m->exec->comm))
      return "multigrid of several ranks works on one vector at a time";
    if (!mat_allows_many(a)) return "the format of a level has no product with several vectors";
  }
  return NULL;
}

/* Of level l. */
static Status many_level_create(MgMany *t, int32_t l) {
  const Multigrid *mg = t->mg;
  const MgTransfer *transfer = mg->level[l].transfer;
  MgManyLevel *v = &t->level[l];
  v->n = mg->level[l].n;
  const int64_t size = v->n * t->room;
  const char *what = "vectors of a level, several at once";
  if (l > 0) EXEC_ALLOC(mg->exec, v->b, size, what);
  for (int i = 0; i < 2; ++i)
    if (i == 0 || !has_bottom(t, l)) TRY(exec_alloc(mg->exec, size, t->scalar, what, &v->x[i]));
  if (!transfer) return OK;
  v->n_partial = transfer->n_segment * transfer->coarse * t->room;
  TRY(exec_alloc(mg->exec, size, t->scalar, what, &v->r));
  EXEC_ALLOC(mg->exec, v->partial, v->n_partial, "sums of a transfer");
  if (!transfer->pieces) return OK;
  v->n_parcel = (int64_t)transfer->pieces->n_all * transfer->coarse * t->room;
  EXEC_ALLOC(mg->exec, v->parcel, v->n_parcel, "sums of a transfer");
  return OK;
}

Status mg_many_create(Multigrid *mg, const Precond *m, Precond *below, int32_t room, MgMany *out) {
  *out = (MgMany){.mg = mg,
                  .m = m,
                  .exec = mg->exec,
                  .scalar = precision_bytes(mg->precision),
                  .room = room,
                  .n_level = mg->n_level};
  if (below) TRY(precond_many_create(below, room, &out->below));
  for (int32_t l = 0; l < mg->n_level; ++l) TRY(many_level_create(out, l));
  if (!below)
    EXEC_ALLOC(mg->exec, out->dense_partial, mg->level[mg->n_level - 1].n * MG_DENSE_PARTS * room,
               "sums of the last level");
  return OK;
}

void mg_many_release(MgMany *t) {
  Exec *exec = t->exec;
  if (!exec) return;
  for (int32_t l = 0; l < t->n_level; ++l) {
    MgManyLevel *v = &t->level[l];
    const int64_t size = v->n * t->room;
    EXEC_RELEASE(exec, v->b, size);
    for (int i = 0; i < 2; ++i) exec_release(exec, size, t->scalar, &v->x[i]);
    exec_release(exec, size, t->scalar, &v->r);
    EXEC_RELEASE(exec, v->partial, v->n_partial);
    EXEC_RELEASE(exec, v->parcel, v->n_parcel);
  }
  if (t->dense_partial) EXEC_RELEASE(exec, t->dense_partial, t->level[t->n_level - 1].n * MG_DENSE_PARTS * t->room);
  precond_many_destroy(&t->below);
}

double mg_many_bytes(const MgMany *t, int32_t shift) {
  const double K = (double)(1 << shift), size = (double)t->scalar;
  double bytes = t->below ? precond_many_bytes(t->below, shift) : 0, visits = 1;
  for (int32_t l = 0; l + 1 < t->n_level; ++l) {
    const MgLevel *v = &t->mg->level[l];
    const double n = (double)v->n, entries = (double)v->transfer->transposed.n_entry;
    bytes += visits * (2.0 * t->mg->degree * ((double)mat_bytes(mg_matrix(v)) + K * n * (8 + 3 * size)) +
                       2 * entries * (v->transfer->fine * v->transfer->coarse * size + 4) + 2 * K * n * size);
    visits *= l + 2 == t->n_level ? 1 : v->visits;
  }
  return bytes;
}

/* ---- as a preconditioner ---- */

const char *mg_many_type_obstacle(const Precond *m) {
  Precond *below;
  const Multigrid *mg = m->type->many->levels(m, &below);
  const char *why = mg ? mg_many_obstacle(mg, m) : "it has no levels of its own";
  return !why && below ? precond_many_obstacle(below) : why;
}

Status mg_many_type_create(PrecondMany *many) {
  Precond *below;
  Multigrid *mg = many->m->type->many->levels(many->m, &below);
  MgMany *t = NULL;
  ALLOC(t, 1, "a cycle on several vectors");
  many->own = t;
  return mg_many_create(mg, many->m, below, many->room, t);
}

void mg_many_type_destroy(PrecondMany *many) {
  if (many->own) mg_many_release(many->own);
  FREE(many->own);
}

void *mg_many_type_low(const PrecondMany *many) {
  const MgMany *t = many->own;
  return t->mg->precision == PRECISION_FLOAT ? t->level[0].x[0] : NULL;
}

Status mg_many_type_record(PrecondMany *many, const PrecondManyCall *call) {
  const Precond *m = many->m;
  const int32_t block = mat_block(m->a);
  const ManyVectors args = {.n = m->n,
                            .shift = call->shift,
                            .block = block,
                            .g = m->blocks,
                            .scaled = call->residual,
                            .low = call->low == (void *)call->residual ? NULL : (float *)call->low,
                            .z = call->result,
                            .many = call->many};
  const int64_t items = m->n / block << call->shift;
  if (m->blocks) TRY(exec_rows(m->exec, &many_forward_kernel, &args, items));
  TRY(mg_many_cycle(many->own, call));
  return m->blocks ? exec_rows(m->exec, &many_back_kernel, &args, items) : OK;
}

double mg_many_type_bytes(const PrecondMany *many, int32_t shift) {
  const Precond *m = many->m;
  return mg_many_bytes(many->own, shift) + precond_block_bytes(m) * (double)(1 << shift);
}
