/* A rigid face: all its displacements are those of a rigid motion u + w x (x - at). They are written by as many unknowns
 * of three of its nodes as the motion has freedoms, 6 in space and 3 in a plane, which are the ones that give it best; what
 * is prescribed of the motion is an equation between these. */
#include "app/elasticity/elastic.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

enum { FREEDOMS = 6, HUBS = 3, HUB_UNKNOWNS = 9 };

typedef struct Motion {
  int32_t n; /* freedoms */
  int32_t hub[HUBS], n_hub;
  int32_t node[FREEDOMS], component[FREEDOMS]; /* the unknowns that it is written by */
  double inverse[FREEDOMS][FREEDOMS];          /* freedoms from them */
  double at[3], size;
} Motion;

/* Displacement c at x of each freedom; rotations times the size of the face, so that all are lengths. */
static void motion_row(const Motion *m, int32_t dim, const double *x, int32_t c, double row[FREEDOMS]) {
  const double r[3] = {x[0] - m->at[0], x[1] - m->at[1], dim == 3 ? x[2] - m->at[2] : 0};
  memset(row, 0, FREEDOMS * sizeof *row);
  row[c] = 1;
  for (int32_t k = 0; k < (dim == 3 ? 3 : 1); ++k) { /* w = e_a: w x r */
    const int a = dim == 3 ? k : 2;
    if (c == (a + 1) % 3) row[dim + k] = -r[(a + 2) % 3] / m->size;
    if (c == (a + 2) % 3) row[dim + k] = r[(a + 1) % 3] / m->size;
  }
}

/* The node farthest from a, then the one farthest from the line through both. */
static void hubs_choose(const Mesh *mesh, int32_t n, const int32_t *node, int32_t dim, Motion *m) {
  m->n_hub = dim;
  m->hub[0] = m->hub[1] = m->hub[2] = node[0];
  for (int32_t i = 0; i < n; ++i)
    if (vec3_distance(mesh->x[node[i]], mesh->x[m->hub[0]]) > vec3_distance(mesh->x[m->hub[1]], mesh->x[m->hub[0]]))
      m->hub[1] = node[i];
  const double *a = mesh->x[m->hub[0]], *b = mesh->x[m->hub[1]];
  double most = -1;
  m->size = vec3_distance(a, b);
  for (int32_t i = 0; dim == 3 && i < n; ++i) {
    const double *x = mesh->x[node[i]];
    double square = 0;
    for (int k = 0; k < 3; ++k) {
      const int p = (k + 1) % 3, q = (k + 2) % 3;
      const double cross = (b[p] - a[p]) * (x[q] - a[q]) - (b[q] - a[q]) * (x[p] - a[p]);
      square += cross * cross;
    }
    if (square > most) most = square, m->hub[2] = node[i];
  }
}

/* The rows of the hubs that give the motion best, by elimination with the largest pivot of all; false: no such. */
static bool unknowns_choose(const Mesh *mesh, int32_t dim, Motion *m) {
  double a[HUB_UNKNOWNS][FREEDOMS], chosen[FREEDOMS][2 * FREEDOMS] = {{0}};
  const int32_t rows = m->n_hub * dim;
  bool used[HUB_UNKNOWNS] = {false}, column_used[FREEDOMS] = {false};
  for (int32_t r = 0; r < rows; ++r) motion_row(m, dim, mesh->x[m->hub[r / dim]], r % dim, a[r]);
  for (int32_t k = 0; k < m->n; ++k) {
    int32_t row = -1, column = -1;
    for (int32_t r = 0; r < rows; ++r)
      for (int32_t c = 0; c < m->n; ++c)
        if (!used[r] && !column_used[c] && (row < 0 || fabs(a[r][c]) > fabs(a[row][column]))) row = r, column = c;
    if (row < 0 || !(fabs(a[row][column]) > 1e-6)) return false;
    used[row] = column_used[column] = true;
    m->node[k] = m->hub[row / dim], m->component[k] = row % dim;
    for (int32_t r = 0; r < rows; ++r) {
      const double f = used[r] ? 0 : a[r][column] / a[row][column];
      for (int32_t c = 0; c < m->n; ++c) a[r][c] -= f * a[row][c];
    }
  }
  for (int32_t k = 0; k < m->n; ++k) { /* their own rows, inverted by Gauss and Jordan */
    motion_row(m, dim, mesh->x[m->node[k]], m->component[k], chosen[k]);
    chosen[k][m->n + k] = 1;
  }
  for (int32_t c = 0; c < m->n; ++c) {
    int32_t p = c;
    for (int32_t r = c; r < m->n; ++r)
      if (fabs(chosen[r][c]) > fabs(chosen[p][c])) p = r;
    for (int32_t k = 0; k < 2 * m->n; ++k) {
      const double t = chosen[p][k];
      chosen[p][k] = chosen[c][k], chosen[c][k] = t;
    }
    for (int32_t r = 0; r < m->n; ++r) {
      const double f = r == c ? 1 - 1 / chosen[c][c] : chosen[r][c] / chosen[c][c];
      for (int32_t k = 2 * m->n - 1; k >= 0; --k) chosen[r][k] -= f * chosen[c][k];
    }
  }
  for (int32_t i = 0; i < m->n; ++i)
    for (int32_t j = 0; j < m->n; ++j) m->inverse[i][j] = chosen[i][m->n + j];
  return true;
}

static bool is_unknown(const Motion *m, int32_t node, int32_t c) {
  for (int32_t k = 0; k < m->n; ++k)
    if (m->node[k] == node && m->component[k] == c) return true;
  return false;
}

/* row . freedoms = ...: minus that, in the unknowns. */
static void terms_write(ConstraintList *to, const Motion *m, const double row[FREEDOMS]) {
  for (int32_t k = 0; k < m->n; ++k) {
    double factor = 0;
    for (int32_t i = 0; i < m->n; ++i) factor += row[i] * m->inverse[i][k];
    if (fabs(factor) > 1e-14) constraint_term(to, m->node[k], m->component[k], -factor);
  }
}

static Status motion_prescribe(ConstraintList *to, const CaseRigid *rigid, int32_t dim, const Motion *m,
                               const char *where) {
  const ExprValue *given[] = {&rigid->fix.x,  &rigid->fix.y,  &rigid->fix.z,
                              &rigid->fix.rx, &rigid->fix.ry, &rigid->fix.rz};
  for (int32_t i = 0; i < m->n; ++i) {
    const ExprValue *value = given[dim == 3 ? i : i < 2 ? i : 5];
    const double origin[3] = {0};
    double row[FREEDOMS] = {0};
    if (!place_given(value->place)) continue;
    row[i] = -1;
    TRY(constraint_begin(to, m->n));
    terms_write(to, m, row);
    constraint_end(to, expr_value(&value->expr, origin, 0) * (i < dim ? 1 : m->size), where);
  }
  return OK;
}

Status rigid_bind(ConstraintList *to, const CaseRigid *rigid, int32_t n, const int32_t *node, const char *where) {
  const Mesh *mesh = to->mesh;
  const int32_t dim = case_dim(to->c);
  Motion m = {.n = dim == 3 ? 6 : 3};
  for (int32_t k = 0; k < dim; ++k) m.at[k] = rigid->at.value[k];
  hubs_choose(mesh, n, node, dim, &m);
  if (!(m.size > 0) || !unknowns_choose(mesh, dim, &m)) {
    report_error(to->diagnostics, rigid->place, "the nodes of a rigid group must not lie in %s",
                 dim == 3 ? "a line" : "one point");
    return OK;
  }
  for (int32_t i = 0; i < n; ++i)
    for (int32_t c = 0; c < dim; ++c) {
      double row[FREEDOMS];
      if (is_unknown(&m, node[i], c)) continue;
      TRY(constraint_begin(to, m.n + 1));
      constraint_term(to, node[i], c, 1);
      motion_row(&m, dim, mesh->x[node[i]], c, row);
      terms_write(to, &m, row);
      constraint_end(to, 0, where);
    }
  return motion_prescribe(to, rigid, dim, &m, where);
}
