/* What the tests of fibres by rule share: angles between axes, the check of a field, an Exec with so many threads. */
#pragma once
#include "app/fibers/ldrb.h"
#include "tests/testing.h"

double axes_dot(const double a[3], const double b[3]);
/* Of two axes, in degrees, 0 to 90. */
double axes_apart(const double a[3], const double b[3]);
/* Fibre and sheet of unit length and orthogonal at every node, transmural and apicobasal in [0, 1]. */
void assert_orthonormal(const Mesh *mesh, const LdrbFields *f);
Exec *axes_cpu(int threads);
