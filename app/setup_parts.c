/* The three parts of a case that name groups: materials, boundary with body, output. */
#include "app/setup.h"
#include "app/wording.h"
#include "core/memory.h"
#include "physics/material.h"

#include <stdio.h>
#include <string.h>

_Static_assert((int)CASE_MAX_PARAMS == (int)MATERIAL_MAX_PARAMS, "the case has room for every parameter");

int32_t setup_first_solved(const Mesh *mesh) {
  for (int32_t b = 0; b < mesh->n_block; ++b)
    if (element_type(mesh->block[b].kind)->dim == mesh->dim) return mesh->block[b].first;
  return mesh->n_element;
}

static int64_t tag_of(const Mesh *mesh, int32_t e) {
  const ElementBlock *block = mesh_block_of(mesh, e);
  return block->tag[e - block->first];
}

/* One material on its elements; the first clash with an earlier one is reported with their number. */
static void spread_material(const Case *c, const Mesh *mesh, int32_t m, const Group *on, int32_t *element_material,
                            Complaints *complaints) {
  int32_t clashes = 0, first = -1, other = -1;
  for (int32_t i = 0; i < on->n; ++i) {
    const int32_t e = on->element[i];
    if (element_material[e] >= 0 && clashes++ == 0) first = e, other = element_material[e];
    if (element_material[e] < 0) element_material[e] = m;
  }
  if (!clashes) return;
  char where[512], count[32];
  complain(complaints, case_material(c, m)->place,
           "%s elements of '%s' get a second material, such as element %lld\n  the first one is that of %s",
           count_text(clashes, count), on->name, (long long)tag_of(mesh, first),
           place_text(c->path, case_material(c, other)->place, where, sizeof where));
}

static void name_groups_of(const Mesh *mesh, int32_t e, char *text, size_t size) {
  text[0] = 0;
  for (int32_t g = 0; g < mesh->n_group; ++g)
    for (int32_t i = 0; i < mesh->group[g].n; ++i) {
      if (mesh->group[g].element[i] != e) continue;
      const size_t used = strlen(text);
      snprintf(text + used, size - used, "%s'%s'", used ? ", " : "", mesh->group[g].name);
    }
}

static void find_bare_elements(const Case *c, const Mesh *mesh, const int32_t *element_material,
                               Complaints *complaints) {
  int32_t bare = 0, first = -1;
  for (int32_t e = setup_first_solved(mesh); e < mesh->n_element; ++e)
    if (element_material[e] < 0 && bare++ == 0) first = e;
  if (!bare) return;
  char groups[512], count[32];
  name_groups_of(mesh, first, groups, sizeof groups);
  complain(complaints, c->materials.place,
           "%s element%s no material, such as element %lld (%s%s)\n  list a group with %s under 'materials:'",
           count_text(bare, count), bare == 1 ? " has" : "s have", (long long)tag_of(mesh, first),
           *groups ? "in " : "in no group", groups, bare == 1 ? "it" : "them");
}

Status setup_materials(const Case *c, const Mesh *mesh, Setup *setup, Complaints *complaints) {
  const int32_t n = c->materials.n, before = complaints->n;
  ALLOC(setup->material, n, "materials");
  ALLOC(setup->element_material, mesh->n_element, "materials of the elements");
  for (int32_t e = 0; e < mesh->n_element; ++e) setup->element_material[e] = -1;
  for (int32_t m = 0; m < n; ++m) {
    const CaseMaterial *given = case_material(c, m);
    setup->material[m].kind = given->type.value;
    for (int k = 0; k < CASE_MAX_PARAMS; ++k) setup->material[m].value[k] = given->value[k].value;
    const Group *on = setup_group(setup, mesh, &given->on, ON_CELLS, "material", complaints);
    if (on) spread_material(c, mesh, m, on, setup->element_material, complaints);
  }
  if (complaints->n == before) find_bare_elements(c, mesh, setup->element_material, complaints);
  setup->params.n_material = n;
  setup->params.material = setup->material;
  setup->params.element_material = setup->element_material;
  return OK;
}

static Status add_where(const Case *c, Place place, Setup *setup, const char **out) {
  char text[1024];
  place_text(c->path, place, text, sizeof text);
  RESIZE(setup->where, setup->n_where + 1, "places of supports and loads");
  char *copy = NULL;
  ALLOC(copy, strlen(text) + 1, "places of supports and loads");
  memcpy(copy, text, strlen(text));
  setup->where[setup->n_where++] = copy;
  *out = copy;
  return OK;
}

static Status add_support(const Case *c, const Group *on, const CaseBoundary *b, bool symmetry, Setup *setup) {
  if (!on) return OK;
  Support support = {.on = on, .symmetry = symmetry};
  if (!symmetry) support.fix[0] = b->fix.x.expr, support.fix[1] = b->fix.y.expr, support.fix[2] = b->fix.z.expr;
  TRY(add_where(c, symmetry ? b->symmetry.place : b->fix.place, setup, &support.where));
  setup->support[setup->params.n_support++] = support;
  return OK;
}

static Status add_load(const Case *c, LoadKind kind, const Group *on, const ExprsValue *value, Place place,
                       Setup *setup) {
  if (!on) return OK;
  Load load = {.kind = kind, .on = on};
  for (int32_t i = 0; i < 3; ++i)
    if (i < value->n || value->single) load.value[i] = value->item[i].expr;
  TRY(add_where(c, place, setup, &load.where));
  setup->load[setup->params.n_load++] = load;
  return OK;
}

static Status bind_entry(const Case *c, const Mesh *mesh, const CaseBoundary *b, Setup *setup, Complaints *out) {
  const NamesValue *on = &b->on;
  const ExprsValue pressure = {.item = {b->pressure}, .n = 1, .place = b->pressure.place};
  if (place_given(b->fix.place)) TRY(add_support(c, setup_group(setup, mesh, on, ON_ANY, "fix", out), b, false, setup));
  if (b->symmetry.value) TRY(add_support(c, setup_group(setup, mesh, on, ON_FACETS, "symmetry", out), b, true, setup));
  if (b->traction.n)
    TRY(add_load(c, LOAD_TRACTION, setup_group(setup, mesh, on, ON_FACETS, "traction", out), &b->traction,
                 b->traction.place, setup));
  if (place_given(b->pressure.place))
    TRY(add_load(c, LOAD_PRESSURE, setup_group(setup, mesh, on, ON_FACETS, "pressure", out), &pressure, pressure.place,
                 setup));
  if (b->force.n)
    TRY(add_load(c, LOAD_FORCE, setup_group(setup, mesh, on, ON_ANY, "force", out), &b->force, b->force.place, setup));
  if (b->spring.n)
    TRY(add_load(c, LOAD_SPRING, setup_group(setup, mesh, on, ON_FACETS, "spring", out), &b->spring, b->spring.place,
                 setup));
  return OK;
}

static void check_density(const Case *c, const Group *on, const CaseBody *body, const Setup *setup,
                          Complaints *complaints) {
  for (int32_t i = 0; i < on->n; ++i) {
    const int32_t m = setup->element_material[on->element[i]];
    if (m < 0) continue;
    const int density = material_parameter(setup->material[m].kind, "density");
    if (density >= 0 && setup->material[m].value[density] > 0) continue;
    char where[512];
    complain(complaints, body->gravity.place, "gravity on '%s' needs a density\n  the material of %s has none",
             on->name, place_text(c->path, case_material(c, m)->place, where, sizeof where));
    return;
  }
}

Status setup_boundary(const Case *c, const Mesh *mesh, Setup *setup, Complaints *complaints) {
  ALLOC(setup->support, 2 * (int64_t)c->boundary.n, "supports");
  ALLOC(setup->load, 4 * (int64_t)c->boundary.n + c->body.n, "loads");
  for (int32_t i = 0; i < c->boundary.n; ++i) TRY(bind_entry(c, mesh, case_boundary(c, i), setup, complaints));
  for (int32_t i = 0; i < c->body.n; ++i) {
    const CaseBody *body = case_body(c, i);
    const Group *on = setup_group(setup, mesh, &body->on, ON_CELLS, "gravity", complaints);
    if (!on) continue;
    check_density(c, on, body, setup, complaints);
    TRY(add_load(c, LOAD_GRAVITY, on, &body->gravity, body->gravity.place, setup));
  }
  setup->params.support = setup->support;
  setup->params.load = setup->load;
  return OK;
}

static Status locate(const CaseProbe *probe, const Mesh *mesh, Location *out, Complaints *complaints) {
  const double *at = probe->at.value;
  const double height = mesh->x[mesh_nodes_of(mesh, setup_first_solved(mesh))[0]][2];
  const double point_in_space[3] = {at[0], at[1], probe->at.n == 3 ? at[2] : height};
  TRY(mesh_locate(mesh, point_in_space, out));
  if (out->element >= 0) return OK;
  char point[96];
  snprintf(point, sizeof point, probe->at.n == 3 ? "(%g, %g, %g)" : "(%g, %g)", at[0], at[1], at[2]);
  complain(complaints, probe->at.place, "probe '%s' at %s lies outside the mesh, %.6g away from it", probe->name.text,
           point, out->distance);
  return OK;
}

Status setup_output(const Case *c, const Mesh *mesh, Setup *setup, Complaints *complaints) {
  ALLOC(setup->probe, c->output.probes.n, "probes");
  for (int32_t i = 0; i < c->output.probes.n; ++i) TRY(locate(case_probe(c, i), mesh, &setup->probe[i], complaints));
  TRY(mem_alloc(c->output.sums.n, sizeof *setup->sum, "sums", (void **)(void *)&setup->sum));
  for (int32_t i = 0; i < c->output.sums.n; ++i) {
    const CaseSum *sum = case_sum(c, i);
    const bool energy = sum->field.value == SUM_STRAIN_ENERGY;
    setup->sum[i] = setup_group(setup, mesh, &sum->on, energy ? ON_CELLS : ON_ANY, sum->field.text, complaints);
  }
  return OK;
}
