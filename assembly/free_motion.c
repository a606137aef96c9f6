/* Which parts of a body can move as rigid bodies: every constraint is a row on the six rigid modes of its part; what
 * the rows leave free is named in words. */
#include "assembly/free_motion.h"
#include "assembly/small_matrix.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double RANK = 1e-8; /* singular values below this share of the largest count as zero */
enum { SHOWN = 5 };

static int32_t root(int32_t *parent, int32_t i) {
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

static void join_elements(const ElementSet *set, int32_t *parent) {
  for (int32_t i = 0; i < set->n_node; ++i) parent[i] = i;
  for (int32_t k = 0; k < set->n_solved_block; ++k) {
    const SetBlock *b = &set->block[k];
    const int32_t n = b->type->n_node;
    for (int32_t e = 0; e < b->n; ++e) {
      const int32_t *nodes = b->nodes + (int64_t)e * n;
      int32_t to = root(parent, nodes[0]);
      for (int32_t a = 1; a < n; ++a) {
        const int32_t from = root(parent, nodes[a]);
        if (from == to) continue;
        if (from < to) {
          parent[to] = from;
          to = from;
        } else
          parent[from] = to;
      }
    }
  }
}

/* Appends text to a buffer of `size` bytes, cut where it is full. */
static void say(char *to, size_t size, const char *text) {
  const size_t used = strlen(to);
  if (used + 1 < size) snprintf(to + used, size - used, "%s", text);
}

/* Names an n-dimensional subspace of directions, basis b[n][3] orthonormal: its axes by name, the rest by components.
 */
static void name_directions(int n, double b[3][3], char *to, size_t size) {
  bool first = true;
  char text[96];
  for (int axis = 0; axis < 3; ++axis) {
    double inside = 0;
    for (int k = 0; k < n; ++k) inside += b[k][axis] * b[k][axis];
    if (inside < 1 - 1e-6) continue;
    snprintf(text, sizeof text, "%s%c", first ? "" : ", ", "xyz"[axis]);
    say(to, size, text);
    first = false;
    for (int k = 0; k < n; ++k) b[k][axis] = 0;
  }
  double left[3][3];
  int n_left = 0;
  for (int k = 0; k < n; ++k) { /* Gram-Schmidt on what remains of the basis */
    double v[3] = {b[k][0], b[k][1], b[k][2]};
    for (int j = 0; j < n_left; ++j) {
      const double along = v[0] * left[j][0] + v[1] * left[j][1] + v[2] * left[j][2];
      for (int i = 0; i < 3; ++i) v[i] -= along * left[j][i];
    }
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (length < 1e-3) continue;
    for (int i = 0; i < 3; ++i) left[n_left][i] = v[i] / length;
    ++n_left;
  }
  for (int k = 0; k < n_left; ++k) {
    double sign = 0;
    for (int i = 0; i < 3; ++i) {
      if (fabs(left[k][i]) < 1e-6) left[k][i] = 0;
      if (sign == 0 && left[k][i] != 0) sign = left[k][i] < 0 ? -1 : 1;
    }
    for (int i = 0; i < 3; ++i) left[k][i] = left[k][i] * sign + 0.0; /* no -0 */
    snprintf(text, sizeof text, "%s(%.3g, %.3g, %.3g)", first ? "" : ", ", left[k][0], left[k][1], left[k][2]);
    say(to, size, text);
    first = false;
  }
}

/* Orthonormal basis of the span of the columns of a 3 x m matrix M (stored M[i][j], i < 3), singular values above tol;
 * null[m][..]: coefficients of the columns that give 0. */
static int split(int m, double M[6][6], double basis[3][3], int *n_null, double null[6][6]) {
  double s[6], V[6][6], A[6][6] = {{0}};
  const int n = m > 3 ? m : 3;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < m; ++j) A[i][j] = M[i][j];
  jacobi_svd(n, A, s, V);
  int rank = 0;
  while (rank < 3 && rank < m && s[rank] > 1e-6) ++rank;
  for (int k = 0; k < rank; ++k)
    for (int i = 0; i < 3; ++i) {
      basis[k][i] = 0;
      for (int j = 0; j < m; ++j) basis[k][i] += M[i][j] * V[j][k];
      basis[k][i] /= s[k];
    }
  *n_null = 0;
  for (int k = rank; k < n; ++k) {
    double inside = 0;
    for (int j = 0; j < m; ++j) inside += V[j][k] * V[j][k];
    if (inside < 0.5) continue; /* a column that only padded the matrix to a square */
    for (int j = 0; j < m; ++j) null[*n_null][j] = V[j][k];
    ++*n_null;
  }
  return rank;
}

/* free[m]: null vectors (translation, scaled rotation). */
static void describe(int m, double free[6][6], char *text, size_t size) {
  double turn[6][6] = {{0}}, shift[6][6] = {{0}}, turns[3][3], shifts[3][3], null[6][6], none[6][6];
  int n_null, n_none;
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < 3; ++i) turn[i][j] = free[j][3 + i];
  const int n_turn = split(m, turn, turns, &n_null, null);
  for (int k = 0; k < n_null; ++k)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < m; ++j) shift[i][k] += null[k][j] * free[j][i];
  const int n_shift = n_null ? split(n_null, shift, shifts, &n_none, none) : 0;
  text[0] = 0;
  if (n_shift) {
    say(text, size, "translation in ");
    name_directions(n_shift, shifts, text, size);
  }
  if (n_turn) {
    say(text, size, n_shift ? "; rotation about " : "rotation about ");
    name_directions(n_turn, turns, text, size);
  }
}

/* The motions that R leaves free. */
static void find_free(double R[6][6], BodyPart *part) {
  double s[6], V[6][6], free[6][6];
  jacobi_svd(6, R, s, V);
  int rank = 0;
  while (rank < 6 && s[rank] > RANK * s[0] && s[rank] > 0) ++rank;
  part->n_free = 6 - rank;
  for (int k = rank; k < 6; ++k)
    for (int i = 0; i < 6; ++i) free[k - rank][i] = V[i][k];
  if (part->n_free) describe(part->n_free, free, part->motions, sizeof part->motions);
}

/* The constraint "no displacement along d at x" on the rigid modes about c: d . (t + w x (x - c)). */
static void add_constraint(double R[6][6], const double *x, const double *c, double scale, const double *d) {
  const double r[3] = {(x[0] - c[0]) / scale, (x[1] - c[1]) / scale, (x[2] - c[2]) / scale};
  double row[6] = {d[0], d[1], d[2], r[1] * d[2] - r[2] * d[1], r[2] * d[0] - r[0] * d[2], r[0] * d[1] - r[1] * d[0]};
  givens_add_row(R, row);
}

typedef struct PartWork {
  int32_t *part;       /* owned, [n_node], -1: no solved element */
  double (*box)[2][3]; /* owned, [n_part] */
  double (*R)[6][6];   /* owned, [n_part] */
  double *scale;       /* owned, [n_part] */
} PartWork;

/* Numbers the parts by their first element and counts elements. parent in, part number of each node out. */
static Status number_parts(const ElementSet *set, PartWork *w, BodyParts *out) {
  Status status = OK;
  int32_t *number = NULL;
  ALLOC_DONE(number, set->n_node, "parts of the body");
  for (int32_t i = 0; i < set->n_node; ++i) number[i] = -1;
  for (int pass = 0; pass < 2; ++pass) {
    for (int32_t k = 0; k < set->n_solved_block; ++k) {
      const SetBlock *b = &set->block[k];
      for (int32_t e = 0; e < b->n; ++e) {
        const int32_t r = root(w->part, b->nodes[(int64_t)e * b->type->n_node]);
        if (number[r] < 0) number[r] = out->n++;
        if (pass) ++out->item[number[r]].n_element;
      }
    }
    if (!pass) ALLOC_DONE(out->item, out->n, "parts of the body");
  }
  for (int32_t i = 0; i < set->n_node; ++i) (void)root(w->part, i);
  for (int32_t i = 0; i < set->n_node; ++i) {
    int32_t r = i;
    while (w->part[r] != r) r = w->part[r];
    number[i] = number[r];
  }
  memcpy(w->part, number, (size_t)set->n_node * sizeof *number);
done:
  FREE(number);
  return status;
}

static void measure_parts(const Mesh *mesh, PartWork *w, BodyParts *out) {
  for (int32_t p = 0; p < out->n; ++p)
    for (int i = 0; i < 3; ++i) {
      w->box[p][0][i] = INFINITY;
      w->box[p][1][i] = -INFINITY;
    }
  for (int32_t n = 0; n < mesh->n_node; ++n) {
    if (w->part[n] < 0) continue;
    for (int i = 0; i < 3; ++i) {
      double *low = &w->box[w->part[n]][0][i], *high = &w->box[w->part[n]][1][i];
      *low = fmin(*low, mesh->x[n][i]);
      *high = fmax(*high, mesh->x[n][i]);
    }
  }
  for (int32_t p = 0; p < out->n; ++p) {
    double diagonal = 0;
    for (int i = 0; i < 3; ++i) {
      out->item[p].center[i] = 0.5 * (w->box[p][0][i] + w->box[p][1][i]);
      diagonal += (w->box[p][1][i] - w->box[p][0][i]) * (w->box[p][1][i] - w->box[p][0][i]);
    }
    w->scale[p] = diagonal > 0 ? 0.5 * sqrt(diagonal) : 1;
  }
}

/* Lists the groups of solved elements that reach into each part. */
static void name_groups(const Mesh *mesh, int32_t dim, const PartWork *w, BodyParts *out) {
  for (int32_t g = 0; g < mesh->n_group; ++g) {
    const Group *group = &mesh->group[g];
    if (group->dim != dim) continue;
    for (int32_t p = 0; p < out->n; ++p) {
      bool inside = false;
      for (int32_t k = 0; k < group->n && !inside; ++k)
        inside = w->part[mesh_nodes_of(mesh, group->element[k])[0]] == p;
      if (!inside) continue;
      char *text = out->item[p].groups;
      if (text[0]) say(text, sizeof out->item[p].groups, ", ");
      say(text, sizeof out->item[p].groups, group->name);
    }
    if (out->n > 64) break; /* many loose parts: the first group tells enough */
  }
}

/* Springs hold node a of a facet in direction c where int k_c N_a^2 dA > 0. */
static void constrain_springs(const Mesh *mesh, const Loads *loads, int32_t dim, PartWork *w, const BodyParts *parts) {
  for (int32_t k = 0; k < loads->n_spring; ++k) {
    const SpringBlock *b = &loads->spring[k];
    const int64_t n = b->type->n_node, pairs = n * (n + 1) / 2;
    for (int64_t i = 0; i < b->n * n; ++i) {
      const int64_t e = i / n, a = i % n;
      const int32_t node = b->nodes[i], p = w->part[node];
      for (int32_t c = 0; c < dim; ++c) {
        const double d[3] = {c == 0, c == 1, c == 2};
        if (b->kappa[(e * pairs + pair_number(n, a, a)) * dim + c] > 0)
          add_constraint(w->R[p], mesh->x[node], parts->item[p].center, w->scale[p], d);
      }
    }
  }
}

static void constrain(const Mesh *mesh, const Supports *supports, const Loads *loads, PartWork *w,
                      const BodyParts *parts) {
  const int32_t dim = supports->dim;
  for (int32_t p = 0; p < parts->n && dim == 2; ++p) { /* a plane model has neither z nor rotations about x and y */
    double row[3][6] = {{0, 0, 1, 0, 0, 0}, {0, 0, 0, 1, 0, 0}, {0, 0, 0, 0, 1, 0}};
    for (int k = 0; k < 3; ++k) givens_add_row(w->R[p], row[k]);
  }
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    const int32_t p = w->part[i];
    if (p < 0 || !supports->fixed[i]) continue;
    for (int32_t c = 0; c < dim; ++c) {
      double d[3];
      if (supports_direction(supports, i, c, d))
        add_constraint(w->R[p], mesh->x[i], parts->item[p].center, w->scale[p], d);
    }
  }
  constrain_springs(mesh, loads, dim, w, parts);
}

Status body_parts_create(const Mesh *mesh, const ElementSet *set, const Supports *supports, const Loads *loads,
                         BodyParts *out) {
  Status status = OK;
  PartWork w = {0};
  *out = (BodyParts){0};
  ALLOC_DONE(w.part, set->n_node, "parts of the body");
  join_elements(set, w.part);
  TRY_DONE(number_parts(set, &w, out));
  ALLOC_DONE(w.box, out->n, "parts of the body");
  ALLOC_DONE(w.R, out->n, "parts of the body");
  ALLOC_DONE(w.scale, out->n, "parts of the body");
  measure_parts(mesh, &w, out);
  name_groups(mesh, set->dim, &w, out);
  constrain(mesh, supports, loads, &w, out);
  for (int32_t p = 0; p < out->n; ++p) find_free(w.R[p], &out->item[p]);
done:
  FREE(w.part);
  FREE(w.box);
  FREE(w.R);
  FREE(w.scale);
  if (status != OK) body_parts_release(out);
  return status;
}

void body_parts_release(BodyParts *parts) {
  FREE(parts->item);
}

Status body_parts_check(const BodyParts *parts) {
  int32_t n_bad = 0;
  for (int32_t p = 0; p < parts->n; ++p) {
    const BodyPart *part = &parts->item[p];
    char text[768], which[64] = "the body";
    if (part->n_free == 0 || ++n_bad > SHOWN) continue;
    if (parts->n > 1) snprintf(which, sizeof which, "part %d of %d", (int)p + 1, (int)parts->n);
    snprintf(text, sizeof text, "%s (around (%g, %g, %g), %d element%s%s%s) can move freely: %s", which,
             part->center[0], part->center[1], part->center[2], (int)part->n_element, part->n_element == 1 ? "" : "s",
             part->groups[0] ? ", groups " : "", part->groups, part->motions);
    if (n_bad == 1)
      (void)FAIL(ERR_INPUT, "%s", text);
    else
      (void)status_context(ERR_INPUT, "%s", text);
  }
  if (n_bad == 0) return OK;
  if (n_bad > SHOWN) (void)status_context(ERR_INPUT, "and %d more parts", (int)(n_bad - SHOWN));
  return status_context(ERR_INPUT, parts->n > 1 ? "fix it, or join it to the rest" : "fix it, or put it on springs");
}
