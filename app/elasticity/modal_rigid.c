/* Rigid motions of a body without sufficient supports, which the eigenvalue solver deflates. */
#include "app/elasticity/modal.h"
#include "app/input/case_format.h"
#include "assembly/elasticity/contacts.h"
#include "assembly/elasticity/motion_words.h"
#include "core/memory.h"
#include "solver/eigen/dense_eigen.h"

#include <math.h>

enum { COLUMNS = 8, MOTIONS_MOST = 600 };

/* Combinations of the parts' motions that joints leave free: *n rows of *vector [..][parts times motions]; owned by the
 * caller, as the motions. */
static Status joined_combinations(const Elasticity *e, double **motions, double **vector, int32_t *n) {
  static const double FREE_MOTION = 1e-10; /* of the largest resistance */
  const int32_t all = elasticity_part_count(e) * elasticity_rigid_count(e);
  double *value = NULL;
  Status status = OK;
  *n = 0;
  CHECK(all <= MOTIONS_MOST, ERR_INPUT, "the body has %d parts, %d are allowed where ties or equations join them",
        elasticity_part_count(e), MOTIONS_MOST / elasticity_rigid_count(e));
  ALLOC_DONE(*motions, elasticity_rigid_count(e) * elasticity_dofs(e), "rigid motions");
  ALLOC_DONE(*vector, (int64_t)all * all, "rigid motions");
  ALLOC_DONE(value, all, "rigid motions");
  TRY_DONE(elasticity_rigid_motions(e, *motions));
  TRY_DONE(elasticity_joined_resistance(e, *motions, *vector));
  TRY_DONE(dense_eigen(all, *vector, value));
  while (*n < all && value[*n] <= FREE_MOTION * fmax(value[all - 1], 1)) ++*n;
done:
  FREE(value);
  return status;
}

static Status joined_count(const Elasticity *e, int32_t *n) {
  double *motions = NULL, *vector = NULL;
  const Status status = joined_combinations(e, &motions, &vector, n);
  FREE(motions);
  FREE(vector);
  return status;
}

/* What the first n combinations do to a part, orthonormal, to free; how many motions that is. */
static int part_motions(const Elasticity *e, const double *vector, int32_t n, int32_t part, double free[6][6]) {
  static const double SMALL = 1e-6;
  const int32_t n_motion = elasticity_rigid_count(e), all = elasticity_part_count(e) * n_motion;
  int found = 0;
  for (int32_t j = 0; j < n && found < 6; ++j) {
    double *v = free[found], square = 0;
    for (int k = 0; k < 6; ++k) v[k] = 0;
    for (int32_t k = 0; k < n_motion; ++k) /* in the plane x, y and about z */
      v[n_motion == 3 && k == 2 ? 5 : k] = vector[(int64_t)j * all + part * n_motion + k];
    for (int i = 0; i < found; ++i) {
      double along = 0;
      for (int k = 0; k < 6; ++k) along += v[k] * free[i][k];
      for (int k = 0; k < 6; ++k) v[k] -= along * free[i][k];
    }
    for (int k = 0; k < 6; ++k) square += v[k] * v[k];
    if (square < SMALL * SMALL) continue;
    for (int k = 0; k < 6; ++k) v[k] /= sqrt(square);
    ++found;
  }
  return found;
}

Status joined_motions_warn(const Elasticity *e) {
  double *motions = NULL, *vector = NULL, free[6][6];
  char words[256];
  int32_t n = 0;
  if (!elasticity_joined(e) || elasticity_part_count(e) * elasticity_rigid_count(e) > MOTIONS_MOST) return OK;
  const Status status = joined_combinations(e, &motions, &vector, &n);
  for (int32_t i = 0; n > 0 && i < elasticity_part_count(e); ++i) {
    const BodyPart *part = elasticity_part(e, i);
    const int m = part_motions(e, vector, n, i, free);
    if (!m) continue;
    motion_words(m, free, words, sizeof words);
    status_warn(
        "part %d (around (%g, %g, %g), groups %s) can move freely, with its joints and what they are joined to: %s\n"
        "  fix it, or put it on springs",
        (int)i + 1, part->center[0], part->center[1], part->center[2], *part->groups ? part->groups : "none", words);
  }
  FREE(motions);
  FREE(vector);
  return status;
}

Status modal_motions(const Case *c, const Elasticity *e, int32_t *n) {
  char where[1024];
  int32_t folds = 0;
  place_text(c->path, c->analysis.modes.place, where, sizeof where);
  *n = 0;
  for (int32_t i = 0; i < elasticity_part_count(e); ++i) {
    const BodyPart *part = elasticity_part(e, i);
    *n += part->n_free;
    folds += part->n_fold;
    if (part->n_fold)
      (void)FAIL(ERR_INPUT, "part %d (around (%g, %g, %g)) has %d pieces that share only single nodes%s and can fold",
                 i + 1, part->center[0], part->center[1], part->center[2], part->n_piece,
                 case_dim(c) == 3 ? " or nodes along a line" : "");
  }
  if (folds)
    return status_context(ERR_INPUT,
                          "%s: modes of mechanisms are not found; join the pieces by whole faces of "
                          "elements, hold them, or put them on springs",
                          where);
  status_clear();
  if (elasticity_joined(e) || elasticity_touches(e)) TRY_CONTEXT(joined_count(e, n), "%s", where);
  CHECK(*n <= MOTIONS_MOST, ERR_INPUT,
        "%s: the body has %d parts with %d rigid motions, %d are allowed; join the parts or hold them", where,
        elasticity_part_count(e), *n, MOTIONS_MOST);
  int64_t unknowns;
  TRY(elasticity_unknowns_now(e, &unknowns));
  const int64_t left = unknowns - *n;
  CHECK(c->analysis.modes.value <= left, ERR_INPUT,
        "%s: modes is %lld; the body has %lld unknowns that are free and %d rigid motions, so there are %lld "
        "modes\n  ask for fewer modes, or take a finer mesh",
        where, (long long)c->analysis.modes.value, (long long)unknowns, *n, (long long)left);
  return OK;
}

/* Motions of the nodes of a part (all where there is one) into columns. */
static void part_columns(const Elasticity *e, const double *motions, int32_t part, int32_t count, double *to) {
  const int64_t rows = elasticity_rows(e), dofs = elasticity_dofs(e);
  const int32_t *of_node = elasticity_part_of_node(e);
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < rows; ++i) {
    const bool inside = !of_node || of_node[elasticity_node(e, i)] == part;
    for (int32_t k = 0; k < COLUMNS; ++k) to[i * COLUMNS + k] = inside && k < count ? motions[k * dofs + i] : 0;
  }
}

static Status motions_alloc(const Elasticity *e, double **motions, double **columns) {
  ALLOC(*motions, elasticity_rigid_count(e) * elasticity_dofs(e), "rigid motions");
  ALLOC(*columns, elasticity_rows(e) * COLUMNS, "rigid motions");
  return elasticity_rigid_motions(e, *motions);
}

Status modal_translations(const Elasticity *e, double **out) {
  double *motions = NULL;
  *out = NULL;
  const Status status = motions_alloc(e, &motions, out);
  const int32_t dim = elasticity_rigid_count(e) == 6 ? 3 : 2;
  const int64_t rows = elasticity_rows(e), dofs = elasticity_dofs(e);
  for (int64_t i = 0; status == OK && i < rows; ++i)
    for (int32_t k = 0; k < dim; ++k) (*out)[i * COLUMNS + k] = motions[k * dofs + i];
  FREE(motions);
  if (status != OK) FREE(*out);
  return status;
}

/* Combinations [first, first + count) into columns. */
static void joined_columns(const Elasticity *e, const double *motions, const double *vector, int32_t first,
                           int32_t count, double *to) {
  const int32_t n_motion = elasticity_rigid_count(e), all = elasticity_part_count(e) * n_motion;
  const int32_t *of_node = elasticity_part_of_node(e);
  const int64_t rows = elasticity_rows(e), dofs = elasticity_dofs(e);
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < rows; ++i) {
    const int32_t part = of_node ? of_node[elasticity_node(e, i)] : 0;
    for (int32_t j = 0; j < COLUMNS; ++j) {
      double sum = 0;
      for (int32_t k = 0; j < count && part >= 0 && k < n_motion; ++k)
        sum += vector[(int64_t)(first + j) * all + part * n_motion + k] * motions[k * dofs + i];
      to[i * COLUMNS + j] = sum;
    }
  }
}

static Status joined_deflate(const Elasticity *e, EigenSolver *solver) {
  double *motions = NULL, *vector = NULL, *columns = NULL, worst;
  int32_t n;
  Status status = joined_combinations(e, &motions, &vector, &n);
  if (status != OK) goto done;
  ALLOC_DONE(columns, elasticity_rows(e) * COLUMNS, "rigid motions");
  for (int32_t first = 0; first < n; first += COLUMNS) {
    const int32_t count = n - first < COLUMNS ? n - first : COLUMNS;
    joined_columns(e, motions, vector, first, count, columns);
    TRY_DONE(eigen_deflate(solver, columns, count, &worst));
  }
done:
  FREE(motions);
  FREE(vector);
  FREE(columns);
  return status;
}

Status modal_deflate(const Elasticity *e, EigenSolver *solver) {
  static const double STIFF = 1e-9; /* of the largest values: no rigid motion */
  double *motions = NULL, *columns = NULL, worst;
  Status status = OK;
  if (elasticity_joined(e)) return joined_deflate(e, solver);
  for (int32_t p = 0; p < elasticity_part_count(e); ++p) {
    const int32_t n_free = elasticity_part(e, p)->n_free;
    if (!n_free) continue;
    if (!motions) TRY_DONE(motions_alloc(e, &motions, &columns));
    part_columns(e, motions, p, elasticity_rigid_count(e), columns);
    TRY_DONE(eigen_deflate(solver, columns, n_free, &worst));
    if (worst > STIFF)
      status_warn("a rigid motion of part %d has stiffness: %.1e of the largest value; supports that nearly hold it?",
                  (int)p + 1, worst);
  }
done:
  FREE(motions);
  FREE(columns);
  return status;
}
