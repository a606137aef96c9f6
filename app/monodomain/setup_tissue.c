/* Tissue becomes tensors, element by element: of diffusion, or of the squares of velocities. */
#include "app/fibers/case_fibers.h"
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/setup_heart.h"
#include "app/input/physics.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <stdio.h>
#include <string.h>

/* Which of the two an error is about: the check without sheets tells. */
static Place place_of(const CaseTissue *t, const Mesh *mesh, const FiberTissue *tissue) {
  FiberTissue alone = *tissue;
  alone.sheet = (FiberSource){0};
  alone.normal = 0;
  const CaseFibers *f =
      place_given(t->sheets.place) && fiber_tissue_check(mesh, &alone) == OK ? &t->sheets : &t->fibers;
  if (place_given(f->field.place)) return f->field.place;
  return place_given(f->direction.place) ? f->direction.place : t->place;
}

/* An entry of the tensor: a diffusivity, or the square of a velocity. */
static double entry_of(const Case *c, double value) { return c->physics->by_velocity ? value * value : value; }

static FiberTissue tissue_of(const Case *c, int32_t t, const HeartSetup *own, Expr fiber[3], Expr sheet[3]) {
  const CaseTissue *given = heart_tissue(c, t);
  const double *D = own->mean[t].D;
  return (FiberTissue){.fiber = fibers_source(&given->fibers, fiber),
                       .sheet = fibers_source(&given->sheets, sheet),
                       .along = entry_of(c, D[0]),
                       .across = entry_of(c, D[1]),
                       .normal = entry_of(c, D[2])};
}

/* What goes with the tissue where the body is deformed: directions of fibres and of the normal of sheets, and the numbers of these. */
static Status keep_axes(const Case *c, const Mesh *mesh, int32_t t, const FiberTissue *tissue, const Setup *setup) {
  HeartSetup *own = heart_setup(setup);
  const CaseStretchCurrent *opens = &heart_tissue(c, t)->stretch_current;
  const int32_t first = setup_first_solved(mesh), n = mesh->n_element - first;
  double(*fiber)[3] = NULL, (*sheet)[3] = NULL;
  Status status = OK;
  ALLOC_DONE(fiber, n, "fibres of a deformed body");
  ALLOC_DONE(sheet, n, "sheets of a deformed body");
  if (fiber_given(&tissue->fiber))
    TRY_DONE(fiber_axes(mesh, &tissue->fiber, "fibre", setup->element_material, t, fiber));
  if (fiber_given(&tissue->sheet))
    TRY_DONE(fiber_axes(mesh, &tissue->sheet, "sheet", setup->element_material, t, sheet));
  for (int32_t e = 0; e < n; ++e) {
    DeformedElement *to = &own->deformed[e];
    const double *D = own->number ? own->number[e].D : own->mean[t].D;
    if (setup->element_material[first + e] != t) continue;
    *to = (DeformedElement){
        .D = {D[0], D[1] > 0 ? D[1] : D[0]}, .opens = opens->conductance.value, .reversal = opens->reversal.value};
    to->D[2] = D[2] > 0 ? D[2] : to->D[1];
    memcpy(to->fiber, fiber[e], sizeof to->fiber);
    vec3_cross(fiber[e], sheet[e], to->normal);
    vec3_normalize(to->normal);
  }
done:
  FREE(fiber);
  FREE(sheet);
  return status;
}

/* Tensors of the tissue's elements; each has its own numbers where they vary. */
static Status make_tensors(const Case *c, const Mesh *mesh, int32_t t, const FiberTissue *tissue, const Setup *setup) {
  HeartSetup *own = heart_setup(setup);
  FiberTissue each = *tissue;
  const int32_t n = mesh->n_element - setup_first_solved(mesh);
  double(*entry)[3] = NULL;
  if (own->number) {
    ALLOC(entry, n, "diffusivities of the elements");
    for (int32_t e = 0; e < n; ++e)
      for (int k = 0; k < 3; ++k) entry[e][k] = entry_of(c, own->number[e].D[k]);
    each.each = (const double(*)[3])entry;
  }
  const Status status = fiber_tensors(mesh, &each, setup->element_material, t, own->tensor);
  FREE(entry);
  return status == OK && own->deformed ? keep_axes(c, mesh, t, tissue, setup) : status;
}

static Status tissue_tensors(const Case *c, const Mesh *mesh, int32_t t, const FiberTissue *tissue, Setup *setup,
                             Diagnostics *out) {
  const CaseTissue *given = heart_tissue(c, t);
  Status status = fiber_tissue_check(mesh, tissue);
  if (status == OK) status = make_tensors(c, mesh, t, tissue, setup);
  if (status != ERR_INPUT) return status;
  char text[2048];
  snprintf(text, sizeof text, "%s", status_message());
  report_error(out, place_of(given, mesh, tissue), "%s", text);
  return OK;
}

Status setup_tissue(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *out) {
  const int32_t n = mesh->n_element - setup_first_solved(mesh), before = out->n;
  heart_setup(setup)->n_tissue = c->materials.n;
  ALLOC(heart_setup(setup)->rule, c->materials.n, "rules of fibres");
  ALLOC(heart_setup(setup)->tensor, n, "tensors of the elements");
  if (heart_deforms(c)) ALLOC(heart_setup(setup)->deformed, n, "elements of a deformed body");
  TRY(setup_regions(c, mesh, setup, out));
  if (out->n == before) TRY(setup_tissue_numbers(c, mesh, setup, out));
  if (out->n == before) TRY(setup_augment(c, mesh, setup));
  if (out->n > before) return OK;
  for (int32_t t = 0; t < c->materials.n; ++t) {
    const CaseTissue *given = heart_tissue(c, t);
    Expr fiber[3], sheet[3];
    const FiberTissue tissue = tissue_of(c, t, heart_setup(setup), fiber, sheet);
    if (given->fibers.rule.text) fibers_bind_rule(mesh, &given->fibers, t, setup, &heart_setup(setup)->rule[t], out);
    else if (out->n == before) TRY(tissue_tensors(c, mesh, t, &tissue, setup, out));
  }
  heart_setup(setup)->diffusion.tensor = (const double(*)[6])heart_setup(setup)->tensor;
  return OK;
}

Status setup_direction(const Case *c, const Mesh *mesh, const Setup *setup, int32_t t, int k, double (*weight)[6]) {
  static const double nothing = 1e-12;
  const CaseTissue *given = heart_tissue(c, t);
  const int32_t first = setup_first_solved(mesh);
  const bool known = place_given(given->fibers.place) && !given->fibers.rule.text;
  const bool sheets = place_given(given->sheets.place);
  const double one = k == 0 || sheets ? mesh->dim : mesh->dim / (mesh->dim - 1.0);
  Expr fiber[3], sheet[3];
  FiberTissue tissue = {.fiber = fibers_source(&given->fibers, fiber),
                        .sheet = fibers_source(&given->sheets, sheet),
                        .along = k == 0 ? one : nothing,
                        .across = k == 1 ? one : nothing,
                        .normal = !sheets  ? 0
                                  : k == 2 ? one
                                           : nothing};
  if (known) return fiber_tensors(mesh, &tissue, setup->element_material, t, weight);
  for (int32_t e = first; e < mesh->n_element; ++e)
    for (int d = 0; d < 6 && setup->element_material[e] == t; ++d) weight[e - first][d] = d < 3;
  return OK;
}

bool setup_ruled(const Case *c) {
  for (int32_t t = 0; t < c->materials.n; ++t)
    if (heart_tissue(c, t)->fibers.rule.text) return true;
  return false;
}

const double *setup_ruled_field(const Setup *setup, int32_t k) {
  const LdrbFields *ruled = &heart_setup(setup)->ruled;
  const double *const field[HEART_ROWS - HEART_RULE_ROW] = {(const double *)ruled->fiber,
                                                            (const double *)ruled->sheet,
                                                            ruled->transmural,
                                                            ruled->apicobasal,
                                                            ruled->rotational,
                                                            ruled->segment};
  return field[k];
}

/* Fields of the same rule that are there: of another entry of `tissue:`, or of another point of a sweep. */
static const LdrbFields *known_fields(const Setup *setup, const FiberRule *rule) {
  const Setup *const of[] = {setup, setup->like};
  for (int k = 0; k < 2; ++k) {
    const HeartSetup *own = of[k] ? heart_setup(of[k]) : NULL;
    if (own && own->ruled.fiber && fiber_rule_same(&own->rule[own->ruled_tissue], rule)) return &own->ruled;
  }
  return NULL;
}

/* Those of entry t; the first ones are kept. */
static Status rule_fields(const Mesh *mesh, Exec *exec, int32_t t, HeartSetup *own, const LdrbFields **known,
                          LdrbFields *made) {
  const bool first = !own->ruled.fiber;
  if (*known && !first) return OK;
  if (*known) TRY(ldrb_copy(*known, mesh->n_node, made));
  else TRY(fiber_rule_create(exec, &own->rule[t], mesh, made));
  *known = made;
  if (!first) return OK;
  own->ruled = *made, own->ruled_tissue = t;
  *made = (LdrbFields){0};
  *known = &own->ruled;
  return OK;
}

static Status rule_tensors(const Case *c, const Mesh *mesh, Exec *exec, int32_t t, Setup *setup) {
  LdrbFields made = {0};
  Expr none[3], none_too[3];
  FiberTissue tissue = tissue_of(c, t, heart_setup(setup), none, none_too);
  const LdrbFields *fields = known_fields(setup, &heart_setup(setup)->rule[t]);
  Status status = rule_fields(mesh, exec, t, heart_setup(setup), &fields, &made);
  if (status == OK) {
    tissue.fiber = (FiberSource){.node = (const double(*)[3])fields->fiber};
    if (tissue.normal > 0) tissue.sheet = (FiberSource){.node = (const double(*)[3])fields->sheet};
    status = make_tensors(c, mesh, t, &tissue, setup);
  }
  ldrb_release(&made);
  if (status == OK) return OK;
  char where[1024];
  return status_context(status, "while making the fibres of %s",
                        place_text(c->path, heart_tissue(c, t)->fibers.place, where, sizeof where));
}

Status setup_rules(const Case *c, const Mesh *mesh, Exec *exec, Setup *setup) {
  for (int32_t t = 0; t < c->materials.n; ++t)
    if (heart_tissue(c, t)->fibers.rule.text) TRY(rule_tensors(c, mesh, exec, t, setup));
  return OK;
}
