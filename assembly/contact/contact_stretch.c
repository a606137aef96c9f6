/* By how much the surfaces of contact have been stretched, so that a pressure is one of the area as it is now. */
#include "assembly/contact/contact.h"
#include "assembly/space/facet.h"
#include "core/ascending.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>

/* The measure density at node a of a facet that has moved by u[n_node] (NULL: not at all), times its mean radius around an axis. */
static double density(const Facet *at, const double (*u)[3], int32_t a, bool axisymmetric) {
  Facet f = *at;
  double n[3], radius = 0;
  for (int32_t b = 0; b < f.type->n_node; ++b) {
    for (int d = 0; d < 3 && u; ++d) f.x[b][d] += u[f.nodes[b]][d];
    radius += f.x[b][0] / f.type->n_node;
  }
  facet_normal(&f, f.type->node[a], n);
  return sqrt(vec3_dot(n, n)) * (axisymmetric ? radius : 1);
}

Status contact_stretches(const Contact *c, const Mesh *mesh, bool axisymmetric, const double (*moved)[3],
                         const double (*now)[3], double *out) {
  const int32_t n = c->nodes.n;
  double *then = NULL;
  ALLOC(then, n, "areas of contact");
  for (int32_t k = 0; k < n; ++k) out[k] = 0;
  for (int32_t i = 0; i < c->n_item; ++i)
    for (int32_t e = 0; e < c->item[i].on->n; ++e) {
      Facet f;
      facet_read(mesh, c->item[i].on->element[e], &f);
      for (int32_t a = 0; a < f.type->n_node; ++a) {
        const int64_t k = ascending_find(n, c->nodes.node, f.nodes[a]);
        if (k < 0 || c->of[k] != i) continue;
        then[k] += density(&f, c->item[i].slides ? moved : NULL, a, axisymmetric);
        out[k] += density(&f, now, a, axisymmetric);
      }
    }
  for (int32_t k = 0; k < n; ++k) out[k] = then[k] > 0 ? out[k] / then[k] : 1;
  FREE(then);
  return OK;
}
