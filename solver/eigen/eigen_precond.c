/* The preconditioner of LOBPCG: one application to each residual that is not small yet, 8 at once where it can. */
#include "core/memory.h"
#include "solver/eigen/eigen_private.h"

#include <math.h>

/* What the linear solver would take, in float or double: a block has no use for fewer bits, as its vectors are float. */
static PrecondParams params_of(const EigenSolver *s, const LinearParams *linear) {
  const char *choice = linear_choice(s->exec, linear, s->positive);
  const bool is_double =
      linear->inner == LINEAR_INNER_DOUBLE || (linear->inner == LINEAR_INNER_BY_MIXED && !linear->mixed);
  return linear_precond_params(linear, choice, is_double ? PRECISION_DOUBLE : PRECISION_FLOAT);
}

Status eigen_precond_create(EigenSolver *s, const LinearParams *linear) {
  const PrecondParams params = params_of(s, linear);
  EXEC_ALLOC(s->exec, s->krylov, 1, "solver scalars");
  TRY(exec_zero(s->exec, s->krylov, sizeof *s->krylov));
  return precond_create(s->positive, &params, s->krylov, &s->m);
}

void eigen_precond_release(EigenSolver *s) {
  const int64_t tile = s->n * EIGEN_WIDTH;
  precond_many_destroy(&s->multi);
  EXEC_RELEASE(s->exec, s->many, 1);
  EXEC_RELEASE(s->exec, s->packed, tile);
  exec_release(s->exec, tile, s->answer_size, &s->answer);
  precond_destroy(&s->m);
  EXEC_RELEASE(s->exec, s->krylov, 1);
}

/* After a setup: the workspaces of 8 vectors at once. */
static Status multi_prepare(EigenSolver *s) {
  const int64_t tile = s->n * EIGEN_WIDTH;
  const KrylovMany none = {.columns = EIGEN_WIDTH};
  if (s->multi || !s->together || !s->m->type->many || precond_many_obstacle(s->m)) return OK;
  s->answer_size = precision_bytes(s->m->precision);
  EXEC_ALLOC(s->exec, s->many, 1, "solver scalars");
  EXEC_ALLOC(s->exec, s->packed, tile, "preconditioner workspace");
  TRY(exec_alloc(s->exec, tile, s->answer_size, "preconditioner workspace", &s->answer));
  TRY(exec_upload(s->exec, s->many, &none, sizeof none));
  return precond_many_create(s->m, EIGEN_WIDTH, &s->multi);
}

Status eigen_precond_setup(EigenSolver *s) {
  const Mat *a = s->a, *b = s->b;
  const EigenShiftArgs args = {mat_values(a), mat_values(b), mat_values(s->positive), s->shift};
  if (s->shifted) TRY(exec_rows(s->exec, &eigen_shift_kernel, &args, mat_slots(a)->n_value));
  TRY_CONTEXT(precond_setup(s->m, s->one, &s->n_bad, &s->mean_scale), "while setting up preconditioner '%s'",
              s->m->name);
  CHECK(
      !s->n_bad, ERR_NUMERIC,
      "%lld entries of the stiffness' diagonal are not positive\n  check the materials, and the load where the body is "
      "pre-stressed",
      (long long)s->n_bad);
  return multi_prepare(s);
}

/* A start that no stop of an application before has spoilt. */
static Status reset_krylov(EigenSolver *s) {
  const Krylov fresh = {.to_unit = 1, .from_unit = 1, .max_eigenvalue = HUGE_VAL};
  return exec_upload(s->exec, s->krylov, &fresh, sizeof fresh);
}

/* From column `from` of w to column `to`. The factor brings the residual near 1, for float. */
static Status apply_one(EigenSolver *s, int32_t from, int32_t to, double factor) {
  const Precond *m = s->m;
  double *w = s->w.v[EIGEN_X];
  const int64_t tile = s->n * EIGEN_WIDTH;
  EigenColumnArgs args = {.tile = w + from / EIGEN_WIDTH * tile + from % EIGEN_WIDTH,
                          .v = m->type->diagonal ? s->one : m->residual,
                          .low = m->precision == PRECISION_FLOAT && !m->type->diagonal ? m->low : NULL,
                          .result = m->result,
                          .extra = m->extra,
                          .scale = m->type->diagonal ? NULL : m->scale,
                          .weight = s->weight,
                          .factor = factor,
                          .is_float = m->precision == PRECISION_FLOAT};
  TRY(exec_rows(s->exec, &eigen_take_kernel, &args, s->n));
  args.tile = w + to / EIGEN_WIDTH * tile + to % EIGEN_WIDTH;
  args.scale = m->scale;
  args.factor = 1;
  if (m->type->diagonal) return exec_rows(s->exec, &eigen_diagonal_kernel, &args, s->n);
  TRY(reset_krylov(s));
  TRY(m->type->record(s->m));
  return exec_rows(s->exec, &eigen_give_kernel, &args, s->n);
}

/* Columns behind the last are 0. */
static Status clear_rest(EigenSolver *s, int32_t columns) {
  for (int32_t c = columns; c % EIGEN_WIDTH; ++c) {
    const EigenColumnArgs args = {.tile = s->w.v[EIGEN_X] + c / EIGEN_WIDTH * s->n * EIGEN_WIDTH + c % EIGEN_WIDTH};
    TRY(exec_rows(s->exec, &eigen_clear_kernel, &args, s->n));
  }
  return OK;
}

/* theta and the residual say how large a column is: |r| in the norm of the weights. */
static double factor_of(const EigenSolver *s, int32_t c) {
  const double length = s->residual[c] * fabs(s->theta[c]) * s->mean_scale;
  int exponent;
  if (!(length > 0) || !isfinite(length)) return 1;
  frexp(length, &exponent);
  return ldexp(1, -exponent);
}

/* Columns `column` of w, to its tile `to`. */
static Status apply_tile(EigenSolver *s, const int32_t *column, int32_t n, int32_t to) {
  enum { SHIFT = 3 };
  double *w = s->w.v[EIGEN_X];
  const int64_t tile = s->n * EIGEN_WIDTH;
  void *low = precond_many_low(s->multi);
  EigenPackArgs args = {.scale = s->m->scale,
                        .weight = s->weight,
                        .packed = s->packed,
                        .low = low,
                        .result = s->answer,
                        .to = w + to * tile,
                        .is_float = s->answer_size == sizeof(float)};
  for (int32_t q = 0; q < n; ++q) {
    args.from[q] = w + column[q] / EIGEN_WIDTH * tile + column[q] % EIGEN_WIDTH;
    args.factor[q] = factor_of(s, column[q]);
  }
  TRY(exec_rows(s->exec, &eigen_pack_kernel, &args, s->n));
  TRY(precond_many_record(
      s->multi, &(PrecondManyCall){SHIFT, s->packed, low ? low : (void *)s->packed, s->answer, s->many, false}));
  return exec_rows(s->exec, &eigen_unpack_kernel, &args, s->n);
}

/* Tile by tile: what is read lies in the tile that is written or behind it. */
static Status multi_round(EigenSolver *s, int32_t *columns) {
  int32_t column[EIGEN_WIDTH], n = 0;
  *columns = 0;
  for (int32_t c = 0; c < s->x.columns; ++c) {
    if (s->active[c]) column[n++] = c;
    if (n == 0 || (n < EIGEN_WIDTH && c + 1 < s->x.columns)) continue;
    TRY(apply_tile(s, column, n, *columns / EIGEN_WIDTH));
    *columns += n;
    n = 0;
  }
  return OK;
}

static Status eigen_precond_round(EigenSolver *s, int32_t *columns) {
  *columns = 0;
  if (s->multi) return multi_round(s, columns);
  for (int32_t c = 0; c < s->x.columns; ++c)
    if (s->active[c]) TRY(apply_one(s, c, (*columns)++, factor_of(s, c)));
  return clear_rest(s, *columns);
}

Status eigen_precond_apply(EigenSolver *s) {
  int32_t columns;
  TRY(eigen_precond_round(s, &columns));
  eigen_block_use(&s->w, columns);
  return OK;
}
