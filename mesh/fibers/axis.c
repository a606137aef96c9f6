/* Means of directions without a sign; see axis.h. */
#include "mesh/fibers/axis.h"

#include <math.h>
#include <string.h>
#include <strings.h>

bool axis_field(const char *name) {
  return strncasecmp(name, "fiber", 5) == 0 || strncasecmp(name, "fibre", 5) == 0 || strncasecmp(name, "sheet", 5) == 0;
}

/* One Jacobi rotation that makes A[p][q] zero; V collects the eigenvectors as columns (Golub and Van Loan, 8.5). */
static void axis_rotate(double A[3][3], double V[3][3], int p, int q) {
  if (A[p][q] == 0.0) return;
  const double theta = 0.5 * (A[q][q] - A[p][p]) / A[p][q];
  const double t = copysign(1.0, theta) / (fabs(theta) + sqrt(theta * theta + 1.0));
  const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
  for (int k = 0; k < 3; k++) {
    const double a = A[k][p], b = A[k][q];
    A[k][p] = c * a - s * b;
    A[k][q] = s * a + c * b;
  }
  for (int k = 0; k < 3; k++) {
    const double a = A[p][k], b = A[q][k];
    A[p][k] = c * a - s * b;
    A[q][k] = s * a + c * b;
  }
  for (int k = 0; k < 3; k++) {
    const double a = V[k][p], b = V[k][q];
    V[k][p] = c * a - s * b;
    V[k][q] = s * a + c * b;
  }
}

double axis_principal(double A[3][3], double out[3]) {
  double V[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const double nothing =
      1e-20 * (fabs(A[0][0]) + fabs(A[1][1]) + fabs(A[2][2])); /* below a rounding of any eigenvalue */
  for (int sweep = 0; sweep < 12; sweep++) {
    if (fabs(A[0][1]) + fabs(A[0][2]) + fabs(A[1][2]) <= nothing) break;
    axis_rotate(A, V, 0, 1);
    axis_rotate(A, V, 0, 2);
    axis_rotate(A, V, 1, 2);
  }
  int best = 0;
  for (int k = 1; k < 3; k++) {
    if (A[k][k] > A[best][best]) best = k;
  }
  for (int k = 0; k < 3; k++) out[k] = V[k][best];
  return A[best][best] - fmax(A[(best + 1) % 3][(best + 1) % 3], A[(best + 2) % 3][(best + 2) % 3]);
}

void axis_mean(int32_t n, const double *weight, const double (*v)[3], double out[3]) {
  double A[3][3] = {{0}}, direction[3], length = 0.0;
  int32_t first = -1;
  for (int32_t i = 0; i < n; i++) {
    const double square = v[i][0] * v[i][0] + v[i][1] * v[i][1] + v[i][2] * v[i][2];
    length += weight[i] * sqrt(square);
    if (square == 0.0) continue;
    if (first < 0) first = i;
    for (int j = 0; j < 3; j++) {
      for (int k = 0; k < 3; k++) A[j][k] += weight[i] * v[i][j] * v[i][k] / square;
    }
  }
  if (first < 0 || isnan(length)) {
    for (int k = 0; k < 3; k++) out[k] = length; /* 0 or NaN */
    return;
  }
  axis_principal(A, direction);
  const double side = direction[0] * v[first][0] + direction[1] * v[first][1] + direction[2] * v[first][2];
  for (int k = 0; k < 3; k++) out[k] = (side < 0.0 ? -length : length) * direction[k];
}
