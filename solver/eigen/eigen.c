/* The iteration. S = [X W P]: the vectors so far, preconditioned residuals, and what the last step added. Each turn
 * makes the best vectors of that space:
 *   r = A X - theta B X, r -= B X (X . r), W = M r, W -= Z (B Z . W), W -= X (B X . W)        Z: deflated
 *   products of S with A S and B S; the small problem on the host; X, P and their images A X, B X, A P, B P updated
 * r has no part along X and Z but for rounding, which the preconditioner would make much of: it is taken out before. Vectors
 * that have converged stay in X, where they go on to get better, and have no W and P (soft locking). The images
 * are formed anew at the end, so that the residual that decides is the true one.
 * Bytes per turn, m columns, A and B bytes of the matrices: (A + B) m / 8, M for each column, and about 60 m n. */
#include "solver/eigen/eigen_private.h"
#include "algebra/many_product.h"
#include "core/clock.h"
#include "core/comm.h"
#include "core/memory.h"
#include "core/vec.h"

#include <math.h>
#include <string.h>

/* The shift of a singular A: this part of the lowest value, and once it is more than that the preconditioner is made
 * anew. A first guess is that of a compact body: the largest values times the unknowns of an edge to the power -2. */
static const double SHIFT = 1e-2, SHIFT_MOST = 0.2;
/* What is accepted as rounding: in units of its estimate, and of the value itself, which is known no better. */
static const double ROUNDINGS_MOST = 10, RESIDUAL_MOST = 0.1;
enum { MAX_TURNS = 500, SHIFTS_MOST = 6, STALLS_MOST = 15, SPARE_LEAST = 3, FRESH_EVERY = 5 };

/* Columns of the block: a quarter more than asked for, and whole tiles. */
static int32_t block_columns(int32_t values) {
  const int32_t spare = values / 4 > SPARE_LEAST ? values / 4 : SPARE_LEAST;
  return (values + spare + EIGEN_WIDTH - 1) / EIGEN_WIDTH * EIGEN_WIDTH;
}

/* So few unknowns that the block may as well be all of them. */
static bool is_whole(const EigenSolver *s) {
  return s->n_free <= 4 * (int64_t)s->block && s->n_free <= EIGEN_TILES * EIGEN_WIDTH;
}

static Status create_vectors(EigenSolver *s, const EigenParams *params) {
  const int32_t columns = is_whole(s) ? (int32_t)s->n_free : s->block;
  EXEC_ALLOC(s->exec, s->weight, s->n, "weights of unknowns");
  EXEC_ALLOC(s->exec, s->one, s->n_read, "a vector");
  EXEC_ALLOC(s->exec, s->two, s->n_read, "a vector");
  if (s->n_read > s->n && s->together) EXEC_ALLOC(s->exec, s->read, s->n_read * EIGEN_WIDTH, "a tile with its halo");
  EXEC_ALLOC(s->exec, s->number, 1, "a number");
  TRY(eigen_block_create(s, columns, true, &s->x));
  eigen_block_use(&s->x, columns);
  ALLOC(s->theta, s->x.room * (int64_t)EIGEN_WIDTH, "values");
  ALLOC(s->residual, s->x.room * (int64_t)EIGEN_WIDTH, "residuals");
  ALLOC(s->rounding, s->x.room * (int64_t)EIGEN_WIDTH, "residuals");
  ALLOC(s->active, s->x.room * (int64_t)EIGEN_WIDTH, "vectors that go on");
  TRY(eigen_block_create(s, columns, false, &s->next_x));
  if (is_whole(s)) return OK;
  TRY(eigen_block_create(s, columns, true, &s->w));
  TRY(eigen_block_create(s, columns, true, &s->p));
  TRY(eigen_block_create(s, columns, false, &s->next_p));
  return eigen_precond_create(s, params->linear);
}

Status eigen_create(Exec *exec, const EigenParams *params, EigenSolver **out) {
  *out = NULL;
  EigenSolver *s = NULL;
  CHECK(params->values >= 1 && params->values <= EIGEN_MOST, ERR_BUG, "%d values", params->values);
  CHECK(!mat_numbering(params->a), ERR_INPUT,
        "eigenvalues are not found with variants of a format that renumber the unknowns; use variant '%s'",
        mat_natural_variant(params->a));
  ALLOC(s, 1, "a solver of eigenvalues");
  *s = (EigenSolver){.exec = exec,
                     .a = params->a,
                     .b = params->b,
                     .mass = params->mass,
                     .positive = params->positive,
                     .shifted = params->shifted,
                     .indefinite = params->indefinite,
                     .n = mat_rows(params->a),
                     .n_read = mat_columns(params->a),
                     .n_free = params->free,
                     .values = params->values,
                     .block = block_columns(params->values),
                     .rtol = params->linear->rtol,
                     .max_iterations = params->linear->max_iterations ? params->linear->max_iterations : MAX_TURNS,
                     .together = mat_allows_many(params->a)};
  const Status status = create_vectors(s, params);
  if (status != OK) {
    eigen_destroy(&s);
    return status_context(status, "while preparing the solver of eigenvalues");
  }
  *out = s;
  return OK;
}

void eigen_destroy(EigenSolver **solver) {
  EigenSolver *s = *solver;
  if (!s) return;
  EigenBlock *const block[] = {&s->x, &s->w, &s->p, &s->next_x, &s->next_p};
  for (size_t k = 0; k < sizeof block / sizeof *block; ++k) eigen_block_release(s, block[k]);
  for (int32_t k = 0; k < s->deflated.n; ++k) {
    EXEC_RELEASE(s->exec, s->deflated.z[k], s->n * EIGEN_WIDTH);
    EXEC_RELEASE(s->exec, s->deflated.bz[k], s->n * EIGEN_WIDTH);
  }
  mem_free((void **)(void *)&s->deflated.z);
  mem_free((void **)(void *)&s->deflated.bz);
  for (int k = 0; k < 2; ++k) EXEC_RELEASE(s->exec, s->partial[k], s->partial_room);
  EXEC_RELEASE(s->exec, s->factor, s->factor_room);
  EXEC_RELEASE(s->exec, s->weight, s->n);
  EXEC_RELEASE(s->exec, s->one, s->n_read);
  EXEC_RELEASE(s->exec, s->two, s->n_read);
  EXEC_RELEASE(s->exec, s->read, s->n_read * EIGEN_WIDTH);
  EXEC_RELEASE(s->exec, s->number, 1);
  eigen_precond_release(s);
  FREE(s->theta);
  FREE(s->residual);
  FREE(s->rounding);
  FREE(s->active);
  FREE(*solver);
}

void eigen_set_poll(EigenSolver *solver, LinearPoll poll, void *context) {
  solver->poll = poll;
  solver->poll_context = context;
}

const double *eigen_values(const EigenSolver *s) { return s->theta; }
const double *eigen_residuals(const EigenSolver *s) { return s->residual; }
Status eigen_vector(EigenSolver *s, int32_t k, double *x) { return eigen_take(s, s->x.v[EIGEN_X], k, x); }

Status eigen_begin(EigenSolver *s) {
  double count, sum;
  TRY(mat_diagonal(s->mass ? s->mass : s->b, s->weight));
  TRY(exec_rows(s->exec, &eigen_weight_kernel, &(EigenWeightArgs){s->weight, s->number}, s->n));
  TRY(exec_download(s->exec, &count, s->number, sizeof count));
  CHECK((int64_t)count == s->n_free, ERR_NUMERIC, "%lld of %lld unknowns that are free have no mass",
        (long long)(s->n_free - (int64_t)count), (long long)s->n_free);
  TRY(mat_diagonal(s->a, s->one));
  TRY(exec_rows(s->exec, &eigen_scale_kernel, &(EigenScaleArgs){s->one, s->weight, s->number}, s->n));
  TRY(exec_download(s->exec, &sum, s->number, sizeof sum));
  s->largest = count > 0 ? sum / count : 0;
  if (!s->mass) return OK;
  TRY(mat_diagonal(s->b, s->one));
  return exec_rows(s->exec, &eigen_reweigh_kernel, &(EigenScaleArgs){s->one, s->weight, NULL}, s->n);
}

/* ---- parts of a turn ---- */

/* Room of a small problem with columns of all blocks. */
typedef struct Turn {
  EigenList list;
  int32_t size, *at;
  double *ga, *gb, *vector, *direction;
} Turn;

static void turn_release(Turn *t) {
  FREE(t->at);
  FREE(t->ga);
  FREE(t->gb);
  FREE(t->vector);
  FREE(t->direction);
}

static Status turn_create(EigenSolver *s, int32_t n_block, const EigenBlock *const *block, Turn *t) {
  *t = (Turn){.list = eigen_list(s, n_block, block)};
  t->size = t->list.n * EIGEN_WIDTH;
  const int64_t stride = s->x.room * (int64_t)EIGEN_WIDTH;
  ALLOC(t->at, t->size, "a small problem");
  ALLOC(t->ga, (int64_t)t->size * t->size, "a small problem");
  ALLOC(t->gb, (int64_t)t->size * t->size, "a small problem");
  ALLOC(t->vector, t->size * stride, "a small problem");
  ALLOC(t->direction, t->size * stride, "a small problem");
  TRY(eigen_gram_symmetric(s, &t->list.tile[EIGEN_X], &t->list.tile[EIGEN_AX], t->list.n, t->ga));
  return eigen_gram_symmetric(s, &t->list.tile[EIGEN_X], &t->list.tile[EIGEN_BX], t->list.n, t->gb);
}

/* Columns of the small problem's vectors and directions side by side in whole tiles, as eigen_update_both reads them. */
static void pack_factor(const Turn *t, int64_t stride, int32_t x_tiles, int32_t p_tiles, double *to) {
  const int64_t x = x_tiles * (int64_t)EIGEN_WIDTH, p = p_tiles * (int64_t)EIGEN_WIDTH;
  for (int64_t i = 0; i < t->size; ++i, to += x + p) {
    memcpy(to, t->vector + i * stride, (size_t)x * sizeof *to);
    memcpy(to + x, t->direction + i * stride, (size_t)p * sizeof *to);
  }
}

/* X and P, with their images, from the small problem. */
static Status turn_update(EigenSolver *s, const Turn *t, int32_t columns, int32_t n_direction) {
  const int64_t stride = s->x.room * (int64_t)EIGEN_WIDTH;
  const int32_t x_tiles = (columns + EIGEN_WIDTH - 1) / EIGEN_WIDTH;
  const int32_t p_tiles = (n_direction + EIGEN_WIDTH - 1) / EIGEN_WIDTH;
  double *factor = NULL;
  Status status = OK;
  ALLOC_DONE(factor, 2 * t->size * stride, "factors of vectors");
  pack_factor(t, stride, x_tiles, p_tiles, factor);
  for (int k = 0; k < EIGEN_IMAGES; ++k) {
    TRY_DONE(
        eigen_update_both(s, &t->list.tile[k], t->list.n, factor, s->next_x.v[0], x_tiles, s->next_p.v[0], p_tiles));
    eigen_swap(&s->x.v[k], &s->next_x.v[0]);
    if (p_tiles) eigen_swap(&s->p.v[k], &s->next_p.v[0]);
  }
  eigen_block_use(&s->x, columns);
  eigen_block_use(&s->p, n_direction);
done:
  FREE(factor);
  return status;
}

/* The best vectors of the blocks' space; `directions`: and P of those that go on. */
static Status eigen_turn(EigenSolver *s, int32_t n_block, bool directions) {
  const EigenBlock *const block[] = {&s->x, &s->w, &s->p};
  const int32_t want = is_whole(s) && s->x.columns > s->block ? s->block : s->x.columns;
  int32_t found = 0, n_direction = 0;
  const int32_t stride = s->x.room * EIGEN_WIDTH;
  Turn t;
  Status status = turn_create(s, n_block, block, &t);
  EigenRitz ritz = {.size = t.size, .at = t.at, .ga = t.ga, .gb = t.gb};
  if (status == OK) ritz.q = eigen_list_columns(&t.list, t.at);
  if (status == OK) status = eigen_ritz(&ritz, want, s->theta, t.vector, stride, &found);
  if (status == OK && found < s->values)
    status =
        FAIL(ERR_NUMERIC, "the block has no more than %d independent vectors, %d are looked for", found, s->values);
  if (status == OK && directions)
    status = eigen_directions(&ritz, t.vector, found, stride, s->active, t.list.tiles[0] * EIGEN_WIDTH, t.direction,
                              stride, &n_direction);
  if (status == OK) status = turn_update(s, &t, found, n_direction);
  turn_release(&t);
  return status;
}

/* w = A x - theta B x, residual [columns], and which go on. *worst of the values asked for. */
static Status eigen_residual(EigenSolver *s, double *r, double *worst) {
  const int64_t columns = s->x.tiles * (int64_t)EIGEN_WIDTH;
  for (int64_t c = s->x.columns; c < columns; ++c) s->theta[c] = 0;
  TRY(eigen_send(s, s->theta, columns));
  const EigenResidualArgs args = {s->x.v[EIGEN_AX], s->x.v[EIGEN_BX], s->factor, r, s->n};
  TRY(exec_rows(s->exec, &eigen_residual_kernel, &args, s->n * s->x.tiles));
  TRY(eigen_norms(s, r, s->x.tiles, s->residual));
  *worst = 0;
  for (int32_t c = 0; c < s->x.columns; ++c) {
    s->residual[c] = sqrt(s->residual[c]) / fabs(s->theta[c]);
    s->active[c] = !(s->residual[c] <= s->rtol);
    if (c < s->values) *worst = s->residual[c] <= *worst ? *worst : s->residual[c];
  }
  return OK;
}

/* W of the residuals in it. */
static Status eigen_expand(EigenSolver *s, EigenReport *report) {
  TRY(eigen_clean(s, s->w.v[EIGEN_X]));
  TRY(eigen_precond_apply(s));
  report->products += s->w.columns * s->m->products;
  return eigen_basis(s, report);
}

/* A times X and P once more: carried along they lose what rounding takes of X times the largest values, each turn. */
static Status eigen_fresh_images(EigenSolver *s, EigenReport *report) {
  if (report->iterations % FRESH_EVERY || s->p.columns == 0) return OK;
  report->products += s->x.columns + s->p.columns;
  TRY(eigen_product(s, s->a, s->x.v[EIGEN_X], s->x.v[EIGEN_AX], s->x.tiles));
  return eigen_product(s, s->a, s->p.v[EIGEN_X], s->p.v[EIGEN_AX], s->p.tiles);
}

/* Images formed anew, and the best vectors of X alone. */
static Status eigen_refresh(EigenSolver *s, EigenReport *report) {
  TRY(eigen_project_deflated(s, s->x.v[EIGEN_X], s->x.tiles));
  TRY(eigen_images(s, &s->x));
  report->products += 2 * s->x.columns;
  return eigen_turn(s, 1, false); /* and no P: it starts again */
}

static Status eigen_shift_to(EigenSolver *s, double shift, EigenReport *report) {
  const double begin = clock_seconds();
  s->shift = shift;
  TRY(eigen_precond_setup(s));
  TRY(exec_sync(s->exec));
  report->shift = shift;
  ++report->shifts;
  report->setup_seconds += clock_seconds() - begin;
  return OK;
}

/* A start without a pattern, smoothed by the preconditioner. */
static Status eigen_start(EigenSolver *s, EigenReport *report) {
  const EigenRandomArgs args = {s->x.v[EIGEN_X], s->weight, s->n, mat_first(s->a), s->block};
  TRY(exec_rows(s->exec, &eigen_random_kernel, &args, s->n * s->x.tiles));
  TRY(eigen_product(s, s->mass ? s->a : s->b, s->x.v[EIGEN_X], s->w.v[EIGEN_X], s->x.tiles));
  for (int32_t c = 0; c < s->x.columns; ++c) {
    s->active[c] = true;
    s->theta[c] = s->residual[c] = 0;
  }
  TRY(eigen_precond_apply(s));
  report->products += s->x.columns * (1 + s->m->products);
  eigen_swap(&s->x.v[EIGEN_X], &s->w.v[EIGEN_X]);
  return eigen_refresh(s, report);
}

/* *before = how many of these are not 0 on the ranks ahead of this one. */
static Status count_before(const EigenSolver *s, const double *weight, int64_t *before) {
  Comm *comm = s->exec->comm;
  int64_t mine = 0, *all = NULL;
  for (int64_t i = 0; i < s->n; ++i) mine += weight[i] > 0;
  ALLOC(all, comm_size(comm), "unknowns of all ranks");
  const Status status = comm_gather(comm, &mine, sizeof mine, all);
  *before = 0;
  for (int r = 0; r < comm_rank(comm); ++r) *before += all[r];
  FREE(all);
  return status;
}

/* Every unknown is a vector: columns of the identity. */
static Status eigen_start_whole(EigenSolver *s, EigenReport *report) {
  double *weight = NULL, *unit = NULL;
  Status status = OK;
  int64_t column;
  const int64_t size = s->x.tiles * s->n * EIGEN_WIDTH;
  ALLOC_DONE(weight, s->n, "weights of unknowns");
  ALLOC_DONE(unit, size, "unit vectors");
  TRY_DONE(exec_download(s->exec, weight, s->weight, (size_t)s->n * sizeof *weight));
  TRY_DONE(count_before(s, weight, &column));
  for (int64_t i = 0; i < s->n; ++i) {
    if (!(weight[i] > 0)) continue;
    unit[(column / EIGEN_WIDTH * s->n + i) * EIGEN_WIDTH + column % EIGEN_WIDTH] = 1;
    ++column;
  }
  TRY_DONE(exec_upload(s->exec, s->x.v[EIGEN_X], unit, (size_t)size * sizeof *unit));
  TRY_DONE(eigen_refresh(s, report));
done:
  FREE(weight);
  FREE(unit);
  return status;
}

/* ---- the loop ---- */

static Status eigen_failure(const EigenSolver *s, const EigenReport *report, bool stalled) {
  int32_t k = 0;
  while (k + 1 < s->values && s->residual[k] <= s->rtol) ++k;
  return FAIL(
      ERR_NUMERIC,
      "value %d has a relative residual of %.2e after %lld iterations with preconditioner '%s', asked for %.2e\n  %s",
      k + 1, s->residual[k], (long long)report->iterations, s->m ? s->m->name : "none", s->rtol,
      stalled ? "it has stopped falling, above the level of rounding; use another preconditioner (amg, pmg, jacobi), "
                "or a larger rtol"
              : "remedy: preconditioner amg or pmg, or more max-iterations");
}

/* What values of the wrong sign mean the caller says. */
static bool is_for_caller(const EigenSolver *s) {
  return s->mass ? s->theta[s->values - 1] >= 0 : s->indefinite && s->theta[0] <= 0;
}

static Status check_known(const EigenSolver *s) {
  for (int32_t k = 0; k < s->values && !is_for_caller(s); ++k)
    CHECK(s->residual[k] <= RESIDUAL_MOST, ERR_NUMERIC,
          "value %d has a relative residual of %.1e from rounding alone: the value cannot be trusted\n  likely: "
          "densities or "
          "moduli in other units than the rest, or a body too slender for double precision",
          k + 1, s->residual[k]);
  return OK;
}

/* A residual that rounding explains is as good as there is. r: room for a block. */
static Status eigen_stalled(EigenSolver *s, EigenReport *report, double *r) {
  if (is_for_caller(s)) return OK;
  double worst = 0, most = 0;
  TRY(eigen_rounding(s, r));
  for (int32_t k = 0; k < s->values; ++k) {
    if (s->residual[k] <= s->rtol) continue;
    report->stalled = !(s->residual[k] <= ROUNDINGS_MOST * s->rounding[k]);
    if (report->stalled) return eigen_failure(s, report, true);
    worst = fmax(worst, s->residual[k]);
    most = fmax(most, s->rounding[k]);
  }
  TRY(check_known(s));
  status_warn("the relative residual stays at %.1e, asked for %.1e: rounding in double precision leaves up to %.1e for "
              "so slender or fine a body\n  frequencies are accurate to that at least",
              worst, s->rtol, most);
  return OK;
}

/* The lowest value but for those of motions on soft supports, which with this shift are as good as those of a body that nothing
 * holds: a shift near them would leave a matrix that is singular in float. */
static double lowest_stiff(const EigenSolver *s) {
  static const double SOFT = 1e-5;
  int32_t k = 0;
  while (k + 1 < s->values && s->theta[k] < SOFT * s->theta[s->values - 1]) ++k;
  return s->theta[k];
}

static bool wants_shift(const EigenSolver *s, const EigenReport *report) {
  return s->shifted && report->shifts < SHIFTS_MOST && report->iterations >= 2 && s->theta[0] > 0 &&
         s->shift > SHIFT_MOST * lowest_stiff(s);
}

/* Do values still fall by a hundredth? Then the block is on its way, whatever residuals say. */
static bool fell(const EigenSolver *s, double *lowest) {
  double sum = 0;
  for (int32_t k = 0; k < s->values; ++k) sum += fabs(s->theta[k]);
  if (!(sum < 0.99 * *lowest)) return false;
  *lowest = sum;
  return true;
}

static Status eigen_iterate(EigenSolver *s, EigenReport *report) {
  double worst, best = HUGE_VAL, lowest = HUGE_VAL;
  int64_t best_at = 0;
  bool fresh = true; /* images of X were just formed */
  for (;; ++report->iterations) {
    TRY(eigen_fresh_images(s, report));
    TRY(eigen_residual(s, s->w.v[EIGEN_X], &worst));
    report->residual = worst;
    if (s->poll) s->poll(s->poll_context, report->iterations, worst);
    if (worst <= s->rtol && fresh) return OK;
    if (worst < 0.7 * best) best = worst, best_at = report->iterations;
    if (fell(s, &lowest)) best_at = report->iterations;
    const bool stalled = report->iterations - best_at > STALLS_MOST, ends = report->iterations >= s->max_iterations;
    if ((stalled || ends) && fresh)
      return stalled ? eigen_stalled(s, report, s->next_x.v[0]) : eigen_failure(s, report, false);
    if (worst <= s->rtol || stalled || ends) {
      fresh = true;
      eigen_block_use(&s->p, 0);
      TRY(eigen_refresh(s, report));
      continue;
    }
    if (wants_shift(s, report)) TRY(eigen_shift_to(s, SHIFT * lowest_stiff(s), report));
    TRY(eigen_expand(s, report));
    TRY(eigen_turn(s, s->p.columns ? 3 : 2, true));
    fresh = false;
  }
}

static Status solve_whole(EigenSolver *s, EigenReport *report) {
  double worst;
  report->whole = true;
  TRY(eigen_start_whole(s, report));
  TRY(eigen_residual(s, s->next_x.v[0], &worst));
  report->residual = worst;
  return check_known(s);
}

static Status solve_block(EigenSolver *s, EigenReport *report) {
  const double guess = s->largest * pow((double)s->n_free, -2. / 3);
  TRY(eigen_shift_to(s, s->shifted ? SHIFT * guess : 0, report));
  report->preconditioner = s->m->name;
  report->degree = s->m->degree;
  report->precision = s->m->stored || s->m->type->graph ? s->m->storage : PRECISION_DOUBLE;
  TRY(eigen_start(s, report));
  return eigen_iterate(s, report);
}

Status eigen_solve(EigenSolver *s, EigenReport *report) {
  const double begin = clock_seconds();
  *report = (EigenReport){.preconditioner = "none", .precision = PRECISION_DOUBLE, .equation = -1};
  report->vectors = s->x.columns;
  Status status = is_whole(s) ? solve_whole(s, report) : solve_block(s, report);
  if (status == OK) status = exec_sync(s->exec);
  report->solve_seconds = clock_seconds() - begin - report->setup_seconds;
  return status;
}
