/* The element registry and what follows from shape functions alone. elements_all.h is written by CMake from
 * elements.def: it includes mesh/elements/name.h for every line, so that a new element touches its header and that
 * list. */
#include "mesh/elements/element.h"
#include "mesh/elements/elements_all.h"

#include <math.h>
#include <string.h>

static const ElementType *const types[N_ELEMENT_KINDS] = {
#define ELEMENT(KIND, name, dim, n_node) [ELEMENT_##KIND] = &ELEMENT_TYPE_##name,
#include "mesh/elements/elements.def"
#undef ELEMENT
};

const ElementType *element_type(ElementKind kind) {
  return (int)kind >= 0 && kind < N_ELEMENT_KINDS ? types[kind] : NULL;
}

const ElementType *element_by_name(const char *name) {
  for (int k = 0; k < N_ELEMENT_KINDS; k++) {
    if (strcmp(types[k]->name, name) == 0) return types[k];
  }
  return NULL;
}

const ElementType *element_by_gmsh(int32_t gmsh_type) {
  for (int k = 0; k < N_ELEMENT_KINDS; k++) {
    if (types[k]->gmsh_type == gmsh_type) return types[k];
  }
  return NULL;
}

const ElementType *element_of_order(ElementKind linear, int32_t order, bool serendipity) {
  const ElementType *best = NULL;
  for (int k = 0; k < N_ELEMENT_KINDS; k++) {
    const ElementType *type = types[k];
    if (type->linear != linear || type->order != order) continue;
    if (best == NULL || (serendipity ? type->n_node < best->n_node : type->n_node > best->n_node)) best = type;
  }
  return best;
}

const ElementType *element_quadratic(ElementKind linear, bool serendipity) {
  return element_of_order(linear, 2, serendipity);
}

Status element_stiffness_quadrature(const ElementType *type, Quadrature *out) {
  return quadrature_create(type->shape, type->stiffness_degree, out);
}

Status element_mass_quadrature(const ElementType *type, Quadrature *out) {
  return quadrature_create(type->shape, type->mass_degree, out);
}

Status element_load_quadrature(const ElementType *type, Quadrature *out) {
  return quadrature_create(type->shape, type->load_degree ? type->load_degree : type->mass_degree, out);
}

void element_tabulate(const ElementType *type, const Quadrature *rule, double *N, double *dN) {
  for (int32_t q = 0; q < rule->n; q++) {
    if (N != NULL) type->values(rule->xi[q], N + (int64_t)q * type->n_node);
    if (dN != NULL) type->gradients(rule->xi[q], dN + (int64_t)q * type->n_node * type->dim);
  }
}

bool shape_is_simplex(ElementShape shape) { return shape == SHAPE_TRIANGLE || shape == SHAPE_TETRAHEDRON; }

bool shape_holds(ElementShape shape, const double xi[3], double slack) {
  const double x = xi[0], y = xi[1], z = xi[2], one = 1.0 + slack;
  const bool corner = x >= -slack && y >= -slack && x + y <= one; /* in the unit triangle */
  const bool line = x >= -one && x <= one, square = line && y >= -one && y <= one;
  switch (shape) {
  case SHAPE_POINT: return true;
  case SHAPE_LINE: return line;
  case SHAPE_TRIANGLE: return corner;
  case SHAPE_QUAD: return square;
  case SHAPE_TETRAHEDRON: return corner && z >= -slack && x + y + z <= one;
  case SHAPE_WEDGE: return corner && z >= -one && z <= one;
  case SHAPE_PYRAMID: return z >= -slack && fmax(fabs(x), fabs(y)) <= one - z;
  default: return square && z >= -one && z <= one;
  }
}

static double element_norm3(double x, double y, double z) { return sqrt(x * x + y * y + z * z); }

double element_jacobian(const ElementType *type, const double (*x)[3], const double xi[3], double J[3][3],
                        bool signed_2d) {
  double dN[ELEMENT_MAX_NODES * 3];
  type->gradients(xi, dN);
  memset(J, 0, 9 * sizeof(double));
  for (int32_t a = 0; a < type->n_node; a++) {
    for (int32_t k = 0; k < type->dim; k++) {
      const double slope = dN[a * type->dim + k];
      for (int32_t i = 0; i < 3; i++) J[i][k] += x[a][i] * slope;
    }
  }
  if (type->dim == 0) return 1.0;
  if (type->dim == 1) return element_norm3(J[0][0], J[1][0], J[2][0]);
  const double cx = J[1][0] * J[2][1] - J[2][0] * J[1][1];
  const double cy = J[2][0] * J[0][1] - J[0][0] * J[2][1];
  const double cz = J[0][0] * J[1][1] - J[1][0] * J[0][1];
  if (type->dim == 2) return signed_2d ? cz : element_norm3(cx, cy, cz);
  return cx * J[0][2] + cy * J[1][2] + cz * J[2][2];
}
