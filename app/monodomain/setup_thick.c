/* How thick flat tissue is: element by element, and at the edges of a mesh. */
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/setup_heart.h"
#include "core/memory.h"

/* The first entry that says how thick it is. */
static const CaseTissue *thick_tissue(const Case *c) {
  for (int32_t t = 0; t < c->materials.n; ++t)
    if (place_given(heart_tissue(c, t)->thickness.place)) return heart_tissue(c, t);
  return NULL;
}

Status setup_thickness(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *out) {
  HeartSetup *own = heart_setup(setup);
  const CaseTissue *first = thick_tissue(c);
  const int32_t solved = setup_first_solved(mesh), before = out->n;
  if (!first) return OK;
  if (mesh->dim != 2)
    report_error(out, first->thickness.place,
                 "thickness is of flat tissue and of surfaces in space; '%s' is a %s mesh\n  leave it out", mesh->path,
                 dimension_name(mesh->dim));
  if (c->torso.n)
    report_error(out, first->thickness.place, "thickness is of tissue alone, and %s has none\n  leave one of them out",
                 place_given(c->bath.place) ? "a bath" : "a torso");
  if (out->n > before) return OK;
  ALLOC(own->thickness, mesh->n_element - solved, "thickness of the elements");
  for (int32_t e = solved; e < mesh->n_element; ++e)
    own->thickness[e - solved] = heart_tissue(c, setup->element_material[e])->thickness.value;
  own->diffusion.thickness = own->thickness;
  return setup_facet_thickness(mesh, own->thickness, &own->edge_thickness);
}

double heart_thickness(const HeartSetup *own, int32_t e) {
  if (!own->thickness) return 1;
  const Mesh *mesh = own->diffusion.mesh;
  const int32_t first = setup_first_solved(mesh);
  if (e >= first) return own->thickness[e - first];
  return element_type(mesh_block_of(mesh, e)->kind)->dim == 1 ? own->edge_thickness[e] : 1;
}
