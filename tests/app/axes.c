/* Shared by the tests of fibres by rule, see axes.h. */
#include "tests/app/axes.h"

#include <math.h>

double axes_dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

double axes_apart(const double a[3], const double b[3]) {
  return acos(fmin(1, fabs(axes_dot(a, b)) / sqrt(axes_dot(a, a) * axes_dot(b, b)))) * 180 / M_PI;
}

void assert_orthonormal(const Mesh *mesh, const LdrbFields *f) {
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    assert_near(axes_dot(f->fiber[i], f->fiber[i]), 1, 1e-12);
    assert_near(axes_dot(f->sheet[i], f->sheet[i]), 1, 1e-12);
    assert_near(axes_dot(f->fiber[i], f->sheet[i]), 0, 1e-12);
    assert_true(f->transmural[i] >= 0 && f->transmural[i] <= 1 && f->apicobasal[i] >= 0 && f->apicobasal[i] <= 1);
  }
}

Exec *axes_cpu(int threads) {
  Exec *exec = NULL;
  assert_ok(exec_create_cpu(threads, &exec));
  return exec;
}
