/* Null vectors of A that are known: rigid motions. Of the columns that are given, held unknowns set to zero, those
 * combinations are kept that A maps to zero. */
#include "core/memory.h"
#include "solver/eigen/eigen_private.h"

#include <math.h>

static Status deflated_room(EigenDeflated *d) {
  if (d->n < d->room) return OK;
  const int32_t room = d->room ? 2 * d->room : 4;
  RESIZE(d->z, room, "rigid motions");
  RESIZE(d->bz, room, "rigid motions");
  for (int32_t k = d->room; k < room; ++k) d->z[k] = d->bz[k] = NULL;
  d->room = room;
  return OK;
}

/* The columns with zeros at held unknowns, on the Exec. */
static Status columns_upload(EigenSolver *s, const double *columns, double *to) {
  EigenColumnArgs args = {.v = s->two, .result = s->two, .weight = s->weight, .factor = 1};
  TRY(exec_upload(s->exec, to, columns, (size_t)(s->n * EIGEN_WIDTH) * sizeof *to));
  for (int32_t c = 0; c < EIGEN_WIDTH; ++c) {
    args.tile = to + c;
    TRY(exec_rows(s->exec, &eigen_take_kernel, &args, s->n));
    TRY(exec_rows(s->exec, &eigen_give_kernel, &args, s->n));
  }
  return OK;
}

/* The `count` lowest combinations of block's columns, as factors [8][8]. */
static Status lowest_combinations(EigenSolver *s, const EigenBlock *block, int32_t count, double *factor,
                                  double *worst) {
  static const int32_t all[EIGEN_WIDTH] = {0, 1, 2, 3, 4, 5, 6, 7};
  const EigenList list = eigen_list(s, 1, &block);
  double ga[EIGEN_WIDTH * EIGEN_WIDTH], gb[EIGEN_WIDTH * EIGEN_WIDTH], value[EIGEN_WIDTH];
  double every[EIGEN_WIDTH * EIGEN_WIDTH];
  int32_t found;
  TRY(eigen_gram_symmetric(s, &list.tile[EIGEN_X], &list.tile[EIGEN_AX], 1, ga));
  TRY(eigen_gram_symmetric(s, &list.tile[EIGEN_X], &list.tile[EIGEN_BX], 1, gb));
  const EigenRitz ritz = {.size = EIGEN_WIDTH, .q = EIGEN_WIDTH, .at = all, .ga = ga, .gb = gb};
  TRY(eigen_ritz(&ritz, EIGEN_WIDTH, value, every, EIGEN_WIDTH, &found));
  CHECK(found >= count, ERR_NUMERIC, "%d rigid motions are free, and only %d move anything", count, found);
  *worst = count && s->largest > 0 ? fabs(value[count - 1]) / s->largest : 0;
  for (int32_t i = 0; i < EIGEN_WIDTH; ++i)
    for (int32_t k = 0; k < EIGEN_WIDTH; ++k) factor[i * EIGEN_WIDTH + k] = k < count ? every[i * EIGEN_WIDTH + k] : 0;
  return OK;
}

Status eigen_deflate(EigenSolver *s, const double *columns, int32_t count, double *worst) {
  EigenBlock block = {0};
  double factor[EIGEN_WIDTH * EIGEN_WIDTH], *z = NULL, *bz = NULL;
  Status status = OK;
  *worst = 0;
  TRY(deflated_room(&s->deflated));
  TRY_DONE(eigen_block_create(s, EIGEN_WIDTH, true, &block));
  eigen_block_use(&block, EIGEN_WIDTH);
  TRY_DONE(columns_upload(s, columns, block.v[EIGEN_X]));
  TRY_DONE(eigen_images(s, &block));
  TRY_DONE(lowest_combinations(s, &block, count, factor, worst));
  TRY_DONE(exec_alloc(s->exec, s->n * EIGEN_WIDTH, sizeof *z, "rigid motions", (void **)&z));
  TRY_DONE(exec_alloc(s->exec, s->n * EIGEN_WIDTH, sizeof *bz, "rigid motions", (void **)&bz));
  const EigenTiles x = {{block.v[EIGEN_X]}}, bx = {{block.v[EIGEN_BX]}};
  TRY_DONE(eigen_update(s, &x, 1, factor, false, z, 1));
  TRY_DONE(eigen_update(s, &bx, 1, factor, false, bz, 1));
  s->deflated.z[s->deflated.n] = z;
  s->deflated.bz[s->deflated.n++] = bz;
  z = bz = NULL;
done:
  EXEC_RELEASE(s->exec, z, s->n * EIGEN_WIDTH);
  EXEC_RELEASE(s->exec, bz, s->n * EIGEN_WIDTH);
  eigen_block_release(s, &block);
  return status;
}

Status eigen_project(EigenSolver *s, const double *columns, double *out) {
  const EigenBlock *const x = &s->x;
  const EigenList list = eigen_list(s, 1, &x);
  double *tile = NULL, *gram = NULL;
  Status status = OK;
  const int32_t stride = list.n * EIGEN_WIDTH;
  TRY_DONE(exec_alloc(s->exec, s->n * EIGEN_WIDTH, sizeof *tile, "columns", (void **)&tile));
  TRY_DONE(exec_upload(s->exec, tile, columns, (size_t)(s->n * EIGEN_WIDTH) * sizeof *tile));
  ALLOC_DONE(gram, EIGEN_WIDTH * (int64_t)stride, "products of vectors");
  const EigenTiles right = {{tile}};
  TRY_DONE(eigen_gram(s, &list.tile[EIGEN_X], list.n, &right, 1, gram));
  for (int32_t k = 0; k < s->values; ++k)
    for (int32_t c = 0; c < EIGEN_WIDTH; ++c) out[k * EIGEN_WIDTH + c] = gram[c * stride + k];
done:
  FREE(gram);
  EXEC_RELEASE(s->exec, tile, s->n * EIGEN_WIDTH);
  return status;
}

Status eigen_project_one(EigenSolver *s, const double *x, double *out) {
  const EigenBlock *const block = &s->x;
  const EigenList list = eigen_list(s, 1, &block);
  double *const tile = s->next_x.v[0], *gram = NULL;
  const int32_t stride = list.n * EIGEN_WIDTH;
  const EigenTiles right = {{tile}};
  const EigenColumnArgs give = {.tile = tile, .result = x, .factor = 1};
  TRY(exec_zero(s->exec, tile, (size_t)(s->n * EIGEN_WIDTH) * sizeof *tile));
  TRY(exec_rows(s->exec, &eigen_give_kernel, &give, s->n));
  ALLOC(gram, EIGEN_WIDTH * (int64_t)stride, "products of vectors");
  const Status status = eigen_gram(s, &list.tile[EIGEN_X], list.n, &right, 1, gram);
  for (int32_t k = 0; status == OK && k < s->values; ++k) out[k] = gram[k];
  FREE(gram);
  return status;
}

Status eigen_combine(EigenSolver *s, const double *factor, double *const out[2]) {
  const EigenBlock *const x = &s->x;
  const EigenList list = eigen_list(s, 1, &x);
  double *all = NULL;
  ALLOC(all, (int64_t)list.n * EIGEN_WIDTH * EIGEN_WIDTH, "factors of vectors");
  for (int32_t k = 0; k < s->values; ++k)
    for (int part = 0; part < 2; ++part) all[k * EIGEN_WIDTH + part] = factor[2 * k + part];
  Status status = eigen_update(s, &list.tile[EIGEN_X], list.n, all, false, s->next_x.v[0], 1);
  for (int part = 0; status == OK && part < 2; ++part) status = eigen_take(s, s->next_x.v[0], part, out[part]);
  FREE(all);
  return status;
}
