#include "mesh/fibers/surface_axes.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

/* Sines of the angles to the surface from which a word is said, and from which nothing along it is known. */
static const double TOLD = 0.5, ACROSS = 0.98480775301220806; /* 30 and 80 degrees */

typedef struct Leaving {
  int64_t n;
  int32_t first; /* id of an element */
  double worst;  /* sine */
} Leaving;

/* Of length 1, at the middle of element e. */
static void surface_normal(const Mesh *mesh, int32_t e, double normal[3]) {
  const ElementType *type = element_type(mesh_block_of(mesh, e)->kind);
  const int32_t *nodes = mesh_nodes_of(mesh, e);
  double x[ELEMENT_MAX_NODES][3], J[3][3], middle[3] = {0};
  for (int32_t a = 0; a < type->n_node; ++a) memcpy(x[a], mesh->x[nodes[a]], sizeof x[a]);
  for (int32_t v = 0; v < type->n_vertex; ++v)
    for (int k = 0; k < 2; ++k) middle[k] += type->node[v][k] / type->n_vertex;
  element_jacobian(type, (const double(*)[3])x, middle, J, false);
  const double s[3] = {J[0][0], J[1][0], J[2][0]}, t[3] = {J[0][1], J[1][1], J[2][1]};
  vec3_cross(s, t, normal);
  const double length = sqrt(vec3_dot(normal, normal));
  for (int k = 0; k < 3; ++k) normal[k] /= length;
}

static void note(Leaving *l, int32_t e, double sine) {
  if (l->n++ == 0) l->first = e;
  l->worst = fmax(l->worst, sine);
}

static double degrees(double sine) { return asin(fmin(sine, 1)) * 180 / M_PI; }

static Status surface_axes_tell(const Mesh *mesh, const char *what, int64_t n, const Leaving *told,
                                const Leaving *across) {
  const Leaving *l = across->n ? across : told;
  double x[3] = {0};
  if (l->n == 0) return OK;
  const ElementBlock *block = mesh_block_of(mesh, l->first);
  const ElementType *type = element_type(block->kind);
  const int32_t *nodes = mesh_nodes_of(mesh, l->first);
  const long long tag = (long long)block->tag[l->first - block->first];
  for (int32_t v = 0; v < type->n_vertex; ++v)
    for (int k = 0; k < 3; ++k) x[k] += mesh->x[nodes[v]][k] / type->n_vertex;
  CHECK(!across->n, ERR_MESH,
        "%s: in %lld of %lld elements the %s lies across the surface, at more than 80 degrees to it: the first is "
        "element %lld near (%g, %g, %g), the worst angle is %.0f degrees\n"
        "  remedy: directions that follow the surface, or one diffusivity for all directions there",
        mesh->path, (long long)l->n, (long long)n, what, tag, x[0], x[1], x[2], degrees(l->worst));
  status_warn("%s: in %lld of %lld elements the %s leaves the surface by more than 30 degrees, and its part along the "
              "surface is taken: the first is element %lld near (%g, %g, %g), the worst angle is %.0f degrees",
              mesh->path, (long long)l->n, (long long)n, what, tag, x[0], x[1], x[2], degrees(l->worst));
  return OK;
}

Status surface_axes(const Mesh *mesh, const char *what, const int32_t *element_tissue, int32_t which,
                    double (*axis)[3]) {
  Leaving told = {0}, across = {0};
  int64_t n = 0;
  int32_t e = mesh->n_element;
  for (int32_t b = mesh->n_block - 1; b >= 0 && element_type(mesh->block[b].kind)->dim == mesh->dim; --b)
    e = mesh->block[b].first;
  for (int32_t first = e; e < mesh->n_element; ++e) {
    double *f = axis[e - first], normal[3];
    if (element_tissue && element_tissue[e] != which) continue;
    surface_normal(mesh, e, normal);
    const double along = vec3_dot(f, normal), sine = fabs(along);
    ++n;
    if (sine > TOLD) note(&told, e, sine);
    if (sine > ACROSS) note(&across, e, sine);
    for (int k = 0; k < 3; ++k) f[k] -= along * normal[k];
    const double length = sqrt(vec3_dot(f, f));
    for (int k = 0; k < 3 && length > 0; ++k) f[k] /= length;
  }
  return surface_axes_tell(mesh, what, n, &told, &across);
}
