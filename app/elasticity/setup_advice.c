/* The formulation of the elements, and warnings about it before the solve: linear triangles, and elements with such
 * faces, are too stiff in bending, and linear elements lock where a material is nearly incompressible.
 * docs/theory/elasticity.md has the figures. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "assembly/elasticity/augmented.h"
#include "output/wording.h"
#include "physics/curve.h"
#include "physics/material.h"

#include <math.h>
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

/* Of material m before it is strained; 0 where its table does not tell. */
static double poisson_of(const Setup *setup, int32_t m) {
  const MaterialValues *material = &elastic_setup(setup)->material[m];
  const int poisson = material_parameter(material->kind, "poisson");
  if (material_type(material->kind)->shape.finite) /* as it was given, but for the last digits */
    return 1e-9 * round(1e9 * material_poisson(material->kind, material->value));
  return poisson < 0 ? 0 : property_at(material->value, poisson, 0);
}

static bool flows(const Setup *setup, int32_t m) {
  return material_type(elastic_setup(setup)->material[m].kind)->shape.flows;
}

/* Elements that have no mean dilatation, where it is asked for. */
static void refuse_mean(const Case *c, const Mesh *mesh, Diagnostics *out) {
  int32_t n[N_ELEMENT_KINDS] = {0};
  bool none[N_ELEMENT_KINDS], linear = false;
  char text[256];
  if (c->model.value == MODEL_PLANE_STRESS) {
    report_error(
        out, c->formulation.place,
        "formulation: 'mean-dilatation' has no plane stress, where the thickness can change and nothing locks\n"
        "  remedy: leave 'formulation' out, or 'model: plane-strain'");
    return;
  }
  for (int32_t b = 0; b < mesh->n_block; ++b) n[mesh->block[b].kind] += mesh->block[b].n;
  for (int k = 0; k < N_ELEMENT_KINDS; ++k) {
    const ElementType *type = element_type((ElementKind)k);
    none[k] = type->dim == mesh->dim && type->mean_modes == 0;
    linear |= none[k] && n[k] && type->order == 1;
  }
  name_kinds(n, none, text, sizeof text);
  if (*text)
    report_error(
        out, c->formulation.place,
        "formulation: 'mean-dilatation' is for quad4, hex8 and elements of order 2 and 3 with the full rule; '%s' "
        "has %s\n  remedy: 'formulation: displacement'%s",
        mesh->path, text, linear ? ", or mesh: {order: 2}" : "");
}

/* Incompatible modes where nothing has them. */
static void refuse_bubbles(const Case *c, const Mesh *mesh, Diagnostics *out) {
  int32_t n[N_ELEMENT_KINDS] = {0};
  bool all[N_ELEMENT_KINDS], any = false;
  char text[256];
  for (int32_t b = 0; b < mesh->n_block; ++b) n[mesh->block[b].kind] += mesh->block[b].n;
  for (int k = 0; k < N_ELEMENT_KINDS; ++k) {
    const ElementType *type = element_type((ElementKind)k);
    all[k] = type->dim == mesh->dim;
    any |= all[k] && type->bubbles && n[k];
  }
  name_kinds(n, all, text, sizeof text);
  if (!any)
    report_error(out, c->formulation.place,
                 "formulation: 'incompatible-modes' is for quad4 and hex8; '%s' has %s\n"
                 "  remedy: leave 'formulation' out",
                 mesh->path, text);
}

void setup_formulation(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *out) {
  ElasticityParams *params = &elastic_setup(setup)->params;
  const FormulationWord word = (FormulationWord)c->formulation.value;
  const bool bubbles = word == FORMULATION_WORD_BUBBLES || (word == FORMULATION_WORD_AUTO && case_is_linear(c));
  params->formulation = bubbles ? FORMULATION_INCOMPATIBLE_MODES : FORMULATION_DISPLACEMENT;
  if (word == FORMULATION_WORD_BUBBLES) refuse_bubbles(c, mesh, out);
  if (c->formulation.value == FORMULATION_WORD_MEAN) {
    refuse_mean(c, mesh, out);
    params->formulation = FORMULATION_MEAN_DILATATION;
  }
  const bool open = c->formulation.value == FORMULATION_WORD_AUTO && c->model.value != MODEL_PLANE_STRESS;
  for (int32_t m = 0; m < params->n_material && open; ++m)
    if ((params->finite && poisson_of(setup, m) > LOCKING) || flows(setup, m) ||
        elasticity_bulk_ratio(&elastic_setup(setup)->material[m]) > MEAN_FROM)
      params->formulation = FORMULATION_MEAN_DILATATION;
}

/* Elements with incompatible modes lock less: not in the plane, and only with very little room in 3D and around an axis. */
static void advise_bubbles(const Case *c, const Setup *setup, const int32_t n[N_ELEMENT_KINDS], double value,
                           const char *where) {
  static const double SLIGHT = 0.49;
  bool bubbles[N_ELEMENT_KINDS];
  char text[128];
  for (int k = 0; k < N_ELEMENT_KINDS; ++k)
    bubbles[k] = element_type((ElementKind)k)->bubbles &&
                 elastic_setup(setup)->params.formulation == FORMULATION_INCOMPATIBLE_MODES &&
                 c->model.value != MODEL_PLANE_STRAIN && value > SLIGHT;
  name_kinds(n, bubbles, text, sizeof text);
  if (*text)
    status_warn("%s: %s with poisson %g: linear elements lock above %g: displacements come out too small, on coarse "
                "meshes by a tenth and by a quarter at 0.4999\n  remedy: mesh: {order: 2}, or formulation: "
                "mean-dilatation",
                where, text, value, SLIGHT);
}

static void advise_locking(const Case *c, const Mesh *mesh, const Setup *setup, int32_t m) {
  bool mean[N_ELEMENT_KINDS], linear[N_ELEMENT_KINDS], serendipity[N_ELEMENT_KINDS];
  const ElasticFormulation way_of = elastic_setup(setup)->params.formulation;
  const bool free = way_of == FORMULATION_MEAN_DILATATION, bends = way_of == FORMULATION_INCOMPATIBLE_MODES;
  int32_t n[N_ELEMENT_KINDS];
  char text[128], where[512];
  const double value = poisson_of(setup, m);
  if (!(value > LOCKING)) return;
  for (int k = 0; k < N_ELEMENT_KINDS; ++k) {
    const ElementType *type = element_type((ElementKind)k);
    const bool first = type->order == 1;
    mean[k] = first && type->mean_modes > 0 && !(bends && type->bubbles);
    linear[k] = first && !type->mean_modes;
    serendipity[k] = !free && type->order > 1 && element_of_order(type->linear, type->order, false) != type;
  }
  count_kinds(mesh, setup, m, n);
  place_text(c->path, case_material(c, m)->place, where, sizeof where);
  advise_bubbles(c, setup, n, value, where);
  for (int way = 0; way < 2; ++way) {
    name_kinds(n, way ? linear : mean, text, sizeof text);
    if (*text && (way || !free))
      status_warn("%s: %s with poisson %g: linear elements lock above %g: displacements come out too small, by a tenth "
                  "and more at 0.49 and several times at 0.4999\n  remedy: mesh: {order: 2}%s",
                  where, text, value, LOCKING, way ? "" : ", or formulation: mean-dilatation");
  }
  name_kinds(n, serendipity, text, sizeof text);
  if (*text)
    status_warn("%s: %s with poisson %g: elements without a node in their middle are somewhat too stiff above %g\n"
                "  remedy: formulation: mean-dilatation, or a finer mesh",
                where, text, value, LOCKING);
}

/* Laws of small strains turn with the body at finite strain, and their pressure is no function of the volume alone, so that Newton's
 * method has no multiplier for it (docs/theory/finite-strain.md, "Augmented Lagrangian"). */
static void advise_linear_law(const Case *c, const Setup *setup, int32_t m) {
  static const double FAILS = 0.485; /* measured: pulled and pressed blocks converge at 0.48, and not from 0.49 on */
  const ElasticityParams *params = &elastic_setup(setup)->params;
  const MaterialType *type = material_type(params->material[m].kind);
  char where[512];
  if (!params->finite || params->formulation != FORMULATION_MEAN_DILATATION || type->shape.finite) return;
  if (poisson_of(setup, m) > FAILS)
    status_warn(
        "%s: '%s' with poisson %g at finite strain: load steps will hardly converge\n  remedy: type: neo-hooke, "
        "which takes the same young and poisson, and is the same at small strains",
        place_text(c->path, case_material(c, m)->place, where, sizeof where), type->name, poisson_of(setup, m));
}

/* Flow keeps the volume whatever Poisson's ratio is. Incompatible modes leave 4 % of a limit load on 4 elements along a punch. */
static void advise_flow(const Case *c, const Mesh *mesh, const Setup *setup, int32_t m) {
  const ElasticFormulation way = elastic_setup(setup)->params.formulation;
  const bool free = way == FORMULATION_MEAN_DILATATION, bends = way == FORMULATION_INCOMPATIBLE_MODES;
  int32_t n[N_ELEMENT_KINDS];
  bool linear[N_ELEMENT_KINDS];
  char text[128], where[512];
  if (!flows(setup, m)) return;
  for (int k = 0; k < N_ELEMENT_KINDS; ++k) {
    const ElementType *type = element_type((ElementKind)k);
    linear[k] = type->order == 1 && !(free && type->mean_modes) && !(bends && type->bubbles);
  }
  count_kinds(mesh, setup, m, n);
  name_kinds(n, linear, text, sizeof text);
  if (*text)
    status_warn(
        "%s: %s of a material %s\n  remedy: mesh: {order: 2}, which makes tet10 of tet4 and tri6 of tri3%s",
        place_text(c->path, case_material(c, m)->place, where, sizeof where), text,
        material_type(elastic_setup(setup)->material[m].kind)->shape.judged
            ? "that flows without a change of volume: linear elements lock, and limit loads come out several times "
              "too large"
            : "whose shear relaxes and whose volume does not: linear elements lock the more, the more has relaxed",
        free ? "" : "; leave 'formulation' out for hex8 and quad4");
}

void setup_elastic_advice(const Case *c, const Mesh *mesh, const Setup *setup) {
  advise_simplices(mesh);
  for (int32_t m = 0; m < c->materials.n && c->model.value != MODEL_PLANE_STRESS; ++m)
    advise_locking(c, mesh, setup, m), advise_linear_law(c, setup, m), advise_flow(c, mesh, setup, m);
}
