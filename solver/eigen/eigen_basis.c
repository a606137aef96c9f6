/* New directions as a basis: orthogonalised in blocks against what is there, then among themselves by the vectors of their
 * products (Stathopoulos and Wu 2002), and all of it once more, with products formed anew, where they depended on each other so
 * much that rounding of the first time shows (Duersch, Shao, Yang and Gu 2018). Left to the small problem, such directions
 * spoil it: rounding of A in them comes back over their length squared, 1e10 at most. */
#include "core/memory.h"
#include "solver/eigen/eigen_private.h"

#include <math.h>

/* Lengths squared of combinations of unit columns: less than this, and once is not enough. */
static const double ONCE_IS_ENOUGH = 1e-2;

/* v -= what is deflated (its images . v), or with `dual` the images (what is deflated . v). */
static Status project_deflated(EigenSolver *s, bool dual, double *v, int32_t tiles) {
  EigenTiles z = {{NULL}}, bz = {{NULL}};
  for (int32_t from = 0; from < s->deflated.n; from += EIGEN_TILES / 2) {
    int32_t n = 0;
    for (; n < EIGEN_TILES / 2 && from + n < s->deflated.n; ++n) {
      z.at[n] = s->deflated.z[from + n];
      bz.at[n] = s->deflated.bz[from + n];
    }
    TRY(eigen_project_out(s, dual ? &bz : &z, dual ? &z : &bz, n, v, tiles));
  }
  return OK;
}

Status eigen_project_deflated(EigenSolver *s, double *v, int32_t tiles) { return project_deflated(s, false, v, tiles); }

Status eigen_clean(EigenSolver *s, double *r) {
  const EigenBlock *const block = &s->x;
  const EigenList x = eigen_list(s, 1, &block);
  TRY(project_deflated(s, true, r, s->x.tiles));
  return eigen_project_out(s, &x.tile[EIGEN_BX], &x.tile[EIGEN_X], x.n, r, s->x.tiles);
}

static Status project_block(EigenSolver *s) {
  const EigenBlock *const block[] = {&s->x, &s->p};
  const EigenList basis = eigen_list(s, s->p.columns ? 2 : 1, block);
  TRY(eigen_project_deflated(s, s->w.v[EIGEN_X], s->w.tiles));
  return eigen_project_out(s, &basis.tile[EIGEN_X], &basis.tile[EIGEN_BX], basis.n, s->w.v[EIGEN_X], s->w.tiles);
}

/* The columns of W in terms of themselves; B times them goes along. */
static Status orthonormal_update(EigenSolver *s, const EigenList *w, const double *factor, int32_t columns) {
  const int32_t tiles = (columns + EIGEN_WIDTH - 1) / EIGEN_WIDTH;
  for (int k = 0; k < EIGEN_IMAGES; k += EIGEN_BX) {
    TRY(eigen_update(s, &w->tile[k], w->n, factor, false, s->next_p.v[0], tiles));
    eigen_swap(&s->w.v[k], &s->next_p.v[0]);
  }
  eigen_block_use(&s->w, columns);
  return OK;
}

static Status orthonormal_block(EigenSolver *s, double *least) {
  const EigenBlock *const block = &s->w;
  const EigenList w = eigen_list(s, 1, &block);
  const int32_t size = w.n * EIGEN_WIDTH;
  int32_t *at = NULL, found = 0;
  double *gb = NULL, *factor = NULL;
  Status status = OK;
  *least = 1;
  if (s->w.columns == 0) return OK;
  TRY(eigen_product(s, s->b, s->w.v[EIGEN_X], s->w.v[EIGEN_BX], s->w.tiles));
  ALLOC_DONE(at, size, "a small problem");
  ALLOC_DONE(gb, (int64_t)size * size, "a small problem");
  ALLOC_DONE(factor, (int64_t)size * size, "factors of vectors");
  TRY_DONE(eigen_gram_symmetric(s, &w.tile[EIGEN_X], &w.tile[EIGEN_BX], w.n, gb));
  const EigenRitz ritz = {.size = size, .q = eigen_list_columns(&w, at), .at = at, .ga = gb, .gb = gb};
  TRY_DONE(eigen_independent(&ritz, factor, size, &found, least));
  TRY_DONE(orthonormal_update(s, &w, factor, found));
done:
  FREE(at);
  FREE(gb);
  FREE(factor);
  return status;
}

Status eigen_basis(EigenSolver *s, EigenReport *report) {
  double least;
  TRY(project_block(s));
  report->products += s->w.columns;
  TRY(orthonormal_block(s, &least));
  if (least < ONCE_IS_ENOUGH) {
    TRY(project_block(s));
    report->products += s->w.columns;
    TRY(orthonormal_block(s, &least));
  }
  report->products += s->w.columns;
  return eigen_product(s, s->a, s->w.v[EIGEN_X], s->w.v[EIGEN_AX], s->w.tiles);
}

Status eigen_rounding(EigenSolver *s, double *r) {
  const int64_t columns = s->x.tiles * (int64_t)EIGEN_WIDTH;
  TRY(mat_product(s->a, MAT_ABS, &(ProductArgs){.w = s->one}));
  TRY(mat_product(s->b, MAT_ABS, &(ProductArgs){.w = s->two}));
  TRY(eigen_send(s, s->theta, columns));
  const EigenRoundingArgs args = {s->x.v[EIGEN_X], s->one, s->two, s->factor, r, s->n};
  TRY(exec_rows(s->exec, &eigen_rounding_kernel, &args, s->n * s->x.tiles));
  TRY(eigen_norms(s, r, s->x.tiles, s->rounding));
  for (int32_t c = 0; c < s->x.columns; ++c) s->rounding[c] = 0x1p-52 * sqrt(s->rounding[c]) / fabs(s->theta[c]);
  return OK;
}
