/* Is the mesh fine enough for the wave front? In the cubic approximation of the excitation, dV/dt = D V'' + k V (V - a)(1 - V),
 * the front is 1/(1 + exp(x/l)) with l^2 = 2 D/k, and the steepest slope of the reaction is k/3 where a is small, so that
 * l^2 = 2 D/(3 steepest). Linear elements of size h change the speed of the front by about 0.0088 (h/l)^2, slower with lumped
 * and faster with consistent mass: read off the planar waves of the verification (h = 0.56 l: 0.27 %). With fibres h and l
 * are those of each direction: lengths are measured by D^-1. */
#include "app/case_monodomain.h"
#include "app/setup_heart.h"
#include "app/wording.h"
#include "physics/ionic.h"

#include <math.h>

static const double SPEED_ERROR = 0.0088, TOLERATED = 0.05;

/* e^T D^-1 e of a symmetric tensor xx yy zz xy yz xz. */
static double inverse_form(const double D[6], const double e[3]) {
  const double a = D[1] * D[2] - D[4] * D[4], b = D[4] * D[5] - D[3] * D[2], c = D[3] * D[4] - D[1] * D[5];
  const double d = D[0] * D[2] - D[5] * D[5], f = D[3] * D[5] - D[0] * D[4], g = D[0] * D[1] - D[3] * D[3];
  const double det = D[0] * a + D[3] * b + D[5] * c;
  return (a * e[0] * e[0] + d * e[1] * e[1] + g * e[2] * e[2] +
          2 * (b * e[0] * e[1] + f * e[1] * e[2] + c * e[0] * e[2])) / det;
}

/* Mean over the edges of (h/l)^2. */
static double relative_square(const Mesh *mesh, int32_t e, const double D[6], double steepest) {
  const ElementType *type = element_type(mesh_block_of(mesh, e)->kind);
  const int32_t *nodes = mesh_nodes_of(mesh, e);
  double sum = 0;
  int32_t n = 0;
  for (int32_t f = 0; f < type->n_face; ++f) {
    const int32_t n_corner = element_type(type->face[f].kind)->n_vertex;
    for (int32_t a = 0; a < n_corner; ++a, ++n) {
      const double *p = mesh->x[nodes[type->face[f].nodes[a]]], *q = mesh->x[nodes[type->face[f].nodes[(a + 1) % n_corner]]];
      const double edge[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
      sum += inverse_form(D, edge);
    }
  }
  return 1.5 * steepest * sum / n / (type->order * type->order);
}

void setup_warn_coarse(const Case *c, const Mesh *mesh, const Setup *setup) {
  const int32_t first = setup_first_solved(mesh), n = mesh->n_element - first;
  double sum = 0;
  int32_t coarse = 0;
  for (int32_t e = 0; e < n; ++e) {
    const IonicConstants *ionic = &setup->ionic[setup->element_material[first + e]];
    const double square = relative_square(mesh, first + e, setup->tensor[e], ionic_type(ionic->kind)->steepest(ionic));
    sum += square;
    coarse += SPEED_ERROR * square > TOLERATED;
  }
  const double error = SPEED_ERROR * sum / n;
  char a[32], b[32];
  if (error > TOLERATED)
    status_warn("the mesh is coarse for the wave front: on average an element is %.2g times as long as the front (%s of %s "
                "are too long); conduction will be some %.0f %% too %s\n  refine the mesh, for example with 'refine: 1' under 'mesh:'",
                sqrt(sum / n), count_text(coarse, a), count_text(n, b), 100 * error,
                c->reaction.value == MONODOMAIN_NODAL ? "slow" : "fast");
}
