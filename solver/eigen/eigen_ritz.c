/* The small problem of Rayleigh and Ritz on the host: a few columns, whose products are not longer than a page. */
#include "core/memory.h"
#include "solver/eigen/dense_eigen.h"
#include "solver/eigen/eigen_private.h"

#include <math.h>

/* Combinations of unit columns that are shorter than this are left out: rounding has a share of them. */
static const double DEPENDENT = 1e-10;

/* The problem of q columns and its basis of r <= q combinations. */
typedef struct Small {
  int32_t q, r;
  double *scale; /* [q]: 1 / length of a column */
  double *b, *h; /* [q][q] */
  double *value; /* [q] */
  double *work;  /* [q][q] */
} Small;

static void small_release(Small *p) {
  FREE(p->scale);
  FREE(p->b);
  FREE(p->h);
  FREE(p->value);
  FREE(p->work);
}

static Status small_create(int32_t q, Small *p) {
  const int64_t square = (int64_t)q * q;
  *p = (Small){.q = q};
  ALLOC(p->scale, q, "work of a small problem");
  ALLOC(p->value, q, "work of a small problem");
  ALLOC(p->b, square, "work of a small problem");
  ALLOC(p->h, square, "work of a small problem");
  ALLOC(p->work, square, "work of a small problem");
  return OK;
}

/* Rows of b: the r independent combinations of the scaled columns, gb-orthonormal. */
static Status small_basis(const EigenRitz *p, Small *s) {
  const int32_t q = s->q;
  for (int32_t i = 0; i < q; ++i) {
    const double length = p->gb[(int64_t)p->at[i] * p->size + p->at[i]];
    s->scale[i] = length > 0 ? 1 / sqrt(length) : 0;
  }
  for (int32_t i = 0; i < q; ++i)
    for (int32_t j = 0; j < q; ++j)
      s->b[(int64_t)i * q + j] = s->scale[i] * s->scale[j] * p->gb[(int64_t)p->at[i] * p->size + p->at[j]];
  TRY(dense_eigen(q, s->b, s->value));
  for (int32_t k = 0; k < q; ++k) {
    if (!(s->value[k] > DEPENDENT)) continue;
    const double factor = 1 / sqrt(s->value[k]);
    for (int32_t i = 0; i < q; ++i)
      s->b[(int64_t)s->r * q + i] =
          factor * s->b[(int64_t)k * q + i] * s->scale[i]; /* the scale of the columns is in it */
    ++s->r;
  }
  return OK;
}

/* h [r][r] = b ga b^T */
static void small_project(const EigenRitz *p, Small *s) {
  const int32_t q = s->q, r = s->r;
  for (int32_t k = 0; k < r; ++k)
    for (int32_t j = 0; j < q; ++j) {
      double sum = 0;
      for (int32_t i = 0; i < q; ++i) sum += s->b[(int64_t)k * q + i] * p->ga[(int64_t)p->at[i] * p->size + p->at[j]];
      s->work[(int64_t)k * q + j] = sum;
    }
  for (int32_t k = 0; k < r; ++k)
    for (int32_t l = 0; l <= k; ++l) {
      double sum = 0;
      for (int32_t j = 0; j < q; ++j) sum += s->work[(int64_t)k * q + j] * s->b[(int64_t)l * q + j];
      s->h[(int64_t)k * r + l] = s->h[(int64_t)l * r + k] = sum;
    }
}

Status eigen_ritz(const EigenRitz *p, int32_t want, double *value, double *vector, int32_t stride, int32_t *found) {
  Small s = {0};
  Status status = small_create(p->q, &s);
  *found = 0;
  if (status == OK) status = small_basis(p, &s);
  if (status == OK) small_project(p, &s);
  if (status == OK) status = dense_eigen(s.r, s.h, s.value);
  if (status == OK) *found = want < s.r ? want : s.r;
  for (int64_t k = 0; status == OK && k < (int64_t)p->size * stride; ++k) vector[k] = 0;
  for (int32_t k = 0; k < *found; ++k) {
    value[k] = s.value[k];
    for (int32_t i = 0; i < p->q; ++i) {
      double sum = 0;
      for (int32_t l = 0; l < s.r; ++l) sum += s.h[(int64_t)k * s.r + l] * s.b[(int64_t)l * p->q + i];
      vector[(int64_t)p->at[i] * stride + k] = sum;
    }
  }
  small_release(&s);
  return status;
}

Status eigen_independent(const EigenRitz *p, double *vector, int32_t stride, int32_t *found, double *least) {
  Small s = {0};
  Status status = small_create(p->q, &s);
  *found = 0;
  *least = 1;
  if (status == OK) status = small_basis(p, &s);
  for (int64_t k = 0; status == OK && k < (int64_t)p->size * stride; ++k) vector[k] = 0;
  for (int32_t k = 0; status == OK && k < s.r; ++k)
    for (int32_t i = 0; i < p->q; ++i) vector[(int64_t)p->at[i] * stride + k] = s.b[(int64_t)k * p->q + i];
  if (status == OK && s.r) *least = s.value[s.q - s.r];
  if (status == OK) *found = s.r;
  small_release(&s);
  return status;
}

/* y = gb x on the columns that are there. */
static void apply_b(const EigenRitz *p, const double *x, double *y) {
  for (int32_t i = 0; i < p->q; ++i) {
    double sum = 0;
    for (int32_t j = 0; j < p->q; ++j) sum += p->gb[(int64_t)p->at[i] * p->size + p->at[j]] * x[p->at[j]];
    y[p->at[i]] = sum;
  }
}

static double dot_at(const EigenRitz *p, const double *x, const double *y, int32_t stride, int32_t k) {
  double sum = 0;
  for (int32_t i = 0; i < p->q; ++i) sum += x[p->at[i]] * y[(int64_t)p->at[i] * stride + k];
  return sum;
}

/* x -= its part along columns k < n of `of`, which are gb-orthonormal. */
static void small_remove(const EigenRitz *p, double *x, double *bx, const double *of, int32_t stride, int32_t n) {
  for (int32_t k = 0; k < n; ++k) {
    apply_b(p, x, bx);
    const double along = dot_at(p, bx, of, stride, k);
    for (int32_t i = 0; i < p->q; ++i) x[p->at[i]] -= along * of[(int64_t)p->at[i] * stride + k];
  }
}

Status eigen_directions(const EigenRitz *p, const double *vector, int32_t n_vector, int32_t vector_stride,
                        const bool *chosen, int32_t first, double *out, int32_t stride, int32_t *found) {
  enum { PASSES = 2 };
  static const double LOST = 1e-9; /* of its length: what is left is rounding */
  double *x = NULL, *bx = NULL;
  Status status = OK;
  *found = 0;
  for (int64_t k = 0; k < (int64_t)p->size * stride; ++k) out[k] = 0;
  ALLOC_DONE(x, p->size, "a direction");
  ALLOC_DONE(bx, p->size, "a direction");
  for (int32_t k = 0; k < n_vector; ++k) {
    if (!chosen[k]) continue;
    for (int32_t i = 0; i < p->size; ++i) x[i] = i < first ? 0 : vector[(int64_t)i * vector_stride + k];
    apply_b(p, x, bx);
    double before = dot_at(p, bx, x, 1, 0), after = before;
    for (int pass = 0; pass < PASSES; ++pass) {
      small_remove(p, x, bx, vector, vector_stride, n_vector);
      small_remove(p, x, bx, out, stride, *found);
      apply_b(p, x, bx);
      after = dot_at(p, bx, x, 1, 0);
    }
    if (!(after > LOST * LOST * before) || !(after > 0)) continue;
    for (int32_t i = 0; i < p->size; ++i) out[(int64_t)i * stride + *found] = x[i] / sqrt(after);
    ++*found;
  }
done:
  FREE(x);
  FREE(bx);
  return status;
}
