/* Does a mesh fit a space: surface elements in a plane where that is asked, no element inverted. */
#include "assembly/space/space.h"
#include "assembly/space/support.h"
#include "assembly/space/tangent_rows.h"
#include "core/memory.h"

#include <math.h>

/* The first node of a surface element that is not at the z of its block's first node (to 1e-9 of the mesh's size), and
 * that z; -1: all elements of each block lie in a plane z = constant. */
static int32_t plane_departure(const Mesh *mesh, double *z) {
  const double tolerance = 1e-9 * mesh_size(mesh);
  for (int32_t k = 0; k < mesh->n_block; ++k) {
    const ElementBlock *block = &mesh->block[k];
    const ElementType *type = element_type(block->kind);
    if (type->dim != 2) continue;
    *z = block->n ? mesh->x[block->nodes[0]][2] : 0;
    for (int64_t i = 0; i < (int64_t)block->n * type->n_node; ++i)
      if (!(fabs(mesh->x[block->nodes[i]][2] - *z) <= tolerance)) return block->nodes[i];
  }
  return -1;
}

Status space_check_flat(const Mesh *mesh, const char *who, const char *remedy) {
  double z;
  const int32_t node = plane_departure(mesh, &z);
  if (node < 0) return OK;
  const double *x = mesh->x[node];
  return FAIL(ERR_MESH, "node %lld at (%g, %g, %g) is out of plane: %s needs all elements at the same z (here %g); %s",
              (long long)mesh->node_tag[node], x[0], x[1], x[2], who, z, remedy);
}

Status reference_gradients(const ElementType *type, const Quadrature *rule, double **dN) {
  *dN = NULL;
  ALLOC(*dN, (int64_t)rule->n * type->n_node * type->dim, "reference gradients");
  element_tabulate(type, rule, NULL, *dN);
  return OK;
}

/* det J with J_ij = sum_a x_a[i] dN_a[j]. */
static double space_check_jacobian(int32_t n, int32_t dim, const double *x, const double *dN) {
  double J[9] = {0};
  for (int32_t a = 0; a < n; ++a)
    for (int32_t i = 0; i < dim; ++i)
      for (int32_t j = 0; j < dim; ++j) J[i * dim + j] += x[a * dim + i] * dN[a * dim + j];
  if (dim == 2) return J[0] * J[3] - J[1] * J[2];
  return J[0] * (J[4] * J[8] - J[5] * J[7]) + J[1] * (J[5] * J[6] - J[3] * J[8]) + J[2] * (J[3] * J[7] - J[4] * J[6]);
}

/* The area of the tangents at a point, per reference area. */
static double space_check_area(int32_t n, const double *x, const double *dN) {
  double inverse[6];
  return surface_inverse(n, x, dN, inverse);
}

/* Smallest det J, or area of a surface in space, of element e at the points of tables dN[n][n_node][dim]. */
static double worst_jacobian(const Mesh *mesh, const SetBlock *b, int32_t e, int32_t n_point, const double *dN) {
  double x[ELEMENT_MAX_NODES * 3], worst = INFINITY;
  const int32_t n = b->type->n_node, dim = b->type->dim, space = mesh->in_space ? 3 : dim;
  for (int32_t a = 0; a < n; ++a)
    for (int32_t i = 0; i < space; ++i) x[a * space + i] = mesh->x[b->nodes[(int64_t)e * n + a]][i];
  for (int32_t q = 0; q < n_point; ++q) {
    const double *at = dN + (int64_t)q * n * dim;
    worst = fmin(worst, space > dim ? space_check_area(n, x, at) : space_check_jacobian(n, dim, x, at));
  }
  return worst;
}

typedef struct Inverted {
  int64_t n;
  double det;
  int32_t block, element;
} Inverted;

static Status check_block(const Mesh *mesh, const ElementSet *set, int32_t k, Inverted *bad) {
  Status status = OK;
  const SetBlock *b = &set->block[k];
  double *dN = NULL, *det = NULL;
  Quadrature rule;
  TRY_DONE(element_stiffness_quadrature(b->type, &rule));
  TRY_DONE(reference_gradients(b->type, &rule, &dN));
  ALLOC_DONE(det, b->n, "Jacobians");
#pragma omp parallel for schedule(static)
  for (int32_t e = 0; e < b->n; ++e) det[e] = worst_jacobian(mesh, b, e, rule.n, dN);
  for (int32_t e = 0; e < b->n; ++e) {
    if (det[e] > 0) continue;
    if (bad->n++ && !(det[e] < bad->det)) continue;
    bad->det = det[e];
    bad->block = k;
    bad->element = e;
  }
done:
  FREE(dN);
  FREE(det);
  return status;
}

Status space_check_elements(const Mesh *mesh, const ElementSet *set) {
  Inverted bad = {0};
  for (int32_t k = 0; k < set->n_solved_block; ++k) TRY(check_block(mesh, set, k, &bad));
  if (bad.n == 0) return OK;
  const SetBlock *b = &set->block[bad.block];
  const double *x = mesh->x[b->nodes[(int64_t)bad.element * b->type->n_node]];
  return FAIL(ERR_MESH,
              "%lld of %d elements %s inverted: the worst is %s element %lld near (%g, %g, %g) with det J = %g; %s",
              (long long)bad.n, (int)set->n_solved, bad.n == 1 ? "is" : "are", b->type->name,
              (long long)mesh_block_of(mesh, b->first_id)->tag[bad.element], x[0], x[1], x[2], bad.det,
              bad.n == set->n_solved ? "the whole mesh is mirrored: reverse its orientation"
                                     : "mesh that region finer or improve it ('Optimize' in Gmsh)");
}

Status space_check_radius(const Mesh *mesh) {
  const double tolerance = AXIS_TOLERANCE * mesh_size(mesh);
  CHECK(mesh->dim == 2, ERR_MESH,
        "the mesh has %s elements; an axisymmetric model needs a surface mesh of the half section, x the radius and y "
        "the axis",
        mesh->dim == 3 ? "volume" : "no surface");
  for (int32_t k = 0; k < mesh->n_block; ++k) {
    const ElementBlock *block = &mesh->block[k];
    const ElementType *type = element_type(block->kind);
    for (int64_t i = 0; type->dim == 2 && i < (int64_t)block->n * type->n_node; ++i) {
      const double *x = mesh->x[block->nodes[i]];
      CHECK(
          x[0] >= -tolerance, ERR_MESH,
          "node %lld at (%g, %g, %g) lies beyond the axis: in an axisymmetric model x is the radius, which must be >= "
          "0; mesh the half of the section with x >= 0, or move it there",
          (long long)mesh->node_tag[block->nodes[i]], x[0], x[1], x[2]);
    }
  }
  return OK;
}
