/* What an engineer should know of the elements before the answer: linear triangles, and elements with such faces, are
 * too stiff in bending, and linear elements lock where a material hardly changes its volume. docs/theory/elasticity.md
 * has the figures. */
#include "app/elasticity/elastic.h"
#include "output/wording.h"
#include "physics/material.h"

#include <stdio.h>
#include <string.h>

static const double LOCKING = 0.45; /* Poisson's ratio above which it is said */

/* "1,200 tet4 and 3 hex8 elements" of the kinds that `of` marks; "" where there is none. */
static void name_kinds(const int32_t n[N_ELEMENT_KINDS], const bool of[N_ELEMENT_KINDS], char *text, size_t size) {
  int64_t total = 0;
  text[0] = 0;
  for (int k = 0; k < N_ELEMENT_KINDS; ++k) {
    char count[32];
    if (!of[k] || !n[k]) continue;
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s %s", used ? " and " : "", count_text(n[k], count),
             element_type((ElementKind)k)->name);
    total += n[k];
  }
  const size_t used = strlen(text);
  if (used) snprintf(text + used, size - used, total == 1 ? " element" : " elements");
}

/* Linear elements with triangles for faces (or that are triangles) bend like simplices. */
static void advise_simplices(const Mesh *mesh) {
  int32_t n[N_ELEMENT_KINDS] = {0};
  bool stiff[N_ELEMENT_KINDS];
  char text[128];
  for (int k = 0; k < N_ELEMENT_KINDS; ++k) {
    const ElementType *type = element_type((ElementKind)k);
    const bool brick = type->shape == SHAPE_QUAD || type->shape == SHAPE_HEXAHEDRON;
    stiff[k] = !brick && type->dim == mesh->dim && type->order == 1;
  }
  bool others = false;
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementKind kind = mesh->block[b].kind;
    n[kind] += mesh->block[b].n;
    others |= stiff[kind] && mesh->block[b].n && !shape_is_simplex(element_type(kind)->shape);
  }
  name_kinds(n, stiff, text, sizeof text);
  if (*text)
    status_warn(
        "%s: %s: linear %s are too stiff, most of all in bending: displacements and stresses can be too small by "
        "a quarter, and by half where a part is thin\n  remedy: mesh: {order: 2}",
        mesh->path, text,
        mesh->dim == 2 ? "triangles"
        : others       ? "elements with triangular faces"
                       : "tetrahedra");
}

/* Elements by kind that have material m. */
static void count_kinds(const Mesh *mesh, const Setup *setup, int32_t m, int32_t n[N_ELEMENT_KINDS]) {
  for (int k = 0; k < N_ELEMENT_KINDS; ++k) n[k] = 0;
  for (int32_t b = 0; b < mesh->n_block; ++b)
    for (int32_t e = 0; e < mesh->block[b].n; ++e)
      n[mesh->block[b].kind] += setup->element_material[mesh->block[b].first + e] == m;
}

static void advise_locking(const Case *c, const Mesh *mesh, const Setup *setup, int32_t m) {
  bool linear[N_ELEMENT_KINDS], serendipity[N_ELEMENT_KINDS];
  int32_t n[N_ELEMENT_KINDS];
  char text[128], where[512];
  const int poisson = material_parameter(elastic_setup(setup)->material[m].kind, "poisson");
  if (poisson < 0 || !(elastic_setup(setup)->material[m].value[poisson] > LOCKING)) return;
  const double value = elastic_setup(setup)->material[m].value[poisson];
  for (int k = 0; k < N_ELEMENT_KINDS; ++k) {
    const ElementType *type = element_type((ElementKind)k);
    linear[k] = type->order == 1;
    serendipity[k] = type->order > 1 && element_of_order(type->linear, type->order, false) != type;
  }
  count_kinds(mesh, setup, m, n);
  place_text(c->path, case_material(c, m)->place, where, sizeof where);
  name_kinds(n, linear, text, sizeof text);
  if (*text)
    status_warn("%s: %s with poisson %g: linear elements lock above %g: displacements come out too small, by a tenth "
                "and more at 0.49 and several times at 0.4999\n  remedy: mesh: {order: 2}",
                where, text, value, LOCKING);
  name_kinds(n, serendipity, text, sizeof text);
  if (*text)
    status_warn(
        "%s: %s with poisson %g: elements without a node in their middle are somewhat too stiff above %g\n"
        "  remedy: a mesh of tri6, quad9, tet10 or hex27 (Mesh.SecondOrderIncomplete = 0 in Gmsh), or a finer one",
        where, text, value, LOCKING);
}

void setup_elastic_advice(const Case *c, const Mesh *mesh, const Setup *setup) {
  advise_simplices(mesh);
  for (int32_t m = 0; m < c->materials.n && c->model.value != MODEL_PLANE_STRESS; ++m)
    advise_locking(c, mesh, setup, m);
}
