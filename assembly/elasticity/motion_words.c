/* Rigid motions in words. */
#include "assembly/elasticity/motion_words.h"
#include "assembly/space/small_matrix.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void motion_say(char *to, size_t size, const char *text) {
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
    motion_say(to, size, text);
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
    motion_say(to, size, text);
    first = false;
  }
}

/* Orthonormal basis of the span of the columns of a 3 x m matrix M (stored M[i][j], i < 3), singular values above tol;
 * null[m][..]: coefficients of the columns that give 0. */
static int motion_words_split(int m, double M[6][6], double basis[3][3], int *n_null, double null[6][6]) {
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

void motion_words(int m, double free[6][6], char *text, size_t size) {
  double turn[6][6] = {{0}}, shift[6][6] = {{0}}, turns[3][3], shifts[3][3], null[6][6], none[6][6];
  int n_null, n_none;
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < 3; ++i) turn[i][j] = free[j][3 + i];
  const int n_turn = motion_words_split(m, turn, turns, &n_null, null);
  for (int k = 0; k < n_null; ++k)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < m; ++j) shift[i][k] += null[k][j] * free[j][i];
  const int n_shift = n_null ? motion_words_split(n_null, shift, shifts, &n_none, none) : 0;
  text[0] = 0;
  if (n_shift) {
    motion_say(text, size, "translation in ");
    name_directions(n_shift, shifts, text, size);
  }
  if (n_turn) {
    motion_say(text, size, n_shift ? "; rotation about " : "rotation about ");
    name_directions(n_turn, turns, text, size);
  }
}
