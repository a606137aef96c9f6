/* The heart: a case against its mesh. Tissue becomes diffusion tensors and cells, element by element. */
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/prepace.h"
#include "app/run/run.h"
#include "app/setup/setup.h"
#include "app/monodomain/setup_heart.h"
#include "app/fibers/ldrb.h"
#include "core/memory.h"
#include "core/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static FiberSource source_of(const CaseFibers *f, Expr direction[3]) {
  for (int k = 0; k < 3; ++k) direction[k] = k < f->direction.n ? f->direction.item[k].expr : expr_constant(0);
  return (FiberSource){.field = f->field.text, .direction = f->direction.n ? direction : NULL};
}

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

static Status tissue_tensors(const Case *c, const Mesh *mesh, int32_t t, const FiberTissue *tissue, Setup *setup,
                             Diagnostics *out) {
  const CaseTissue *given = heart_tissue(c, t);
  Status status = fiber_tissue_check(mesh, tissue);
  if (status == OK) status = fiber_tensors(mesh, tissue, setup->element_material, t, heart_setup(setup)->tensor);
  if (status != ERR_INPUT) return status;
  char text[2048];
  snprintf(text, sizeof text, "%s", status_message());
  report_error(out, place_of(given, mesh, tissue), "%s", text);
  return OK;
}

static FiberTissue tissue_of(const CaseTissue *t, Expr fiber[3], Expr sheet[3]) {
  const CaseDiffusivity *d = &t->diffusivity;
  return (FiberTissue){.fiber = source_of(&t->fibers, fiber),
                       .sheet = source_of(&t->sheets, sheet),
                       .along = d->along.value,
                       .across = place_given(d->across.place) ? d->across.value : 0,
                       .normal = place_given(d->normal.place) ? d->normal.value : 0};
}

static void bind_rule(const Mesh *mesh, const CaseFibers *f, Setup *setup, LdrbParams *out, Diagnostics *diagnostics) {
  *out = ldrb_params_default();
  out->mesh = mesh;
  out->lv = setup_group(setup, mesh, &f->lv, ON_FACETS, "lv", diagnostics);
  out->epi = setup_group(setup, mesh, &f->epi, ON_FACETS, "epi", diagnostics);
  if (f->rv.n) out->rv = setup_group(setup, mesh, &f->rv, ON_FACETS, "rv", diagnostics);
  if (f->base.n) out->base = setup_group(setup, mesh, &f->base, ON_FACETS, "base", diagnostics);
  if (f->apex.n) out->apex = setup_group(setup, mesh, &f->apex, ON_ANY, "apex", diagnostics);
  for (int k = 0; k < f->axis.n; ++k) out->axis[k] = f->axis.value[k];
  if (place_given(f->alpha.place)) out->alpha_endo = f->alpha.endo.value, out->alpha_epi = f->alpha.epi.value;
  if (place_given(f->beta.place)) out->beta_endo = f->beta.endo.value, out->beta_epi = f->beta.epi.value;
}

/* Tensors of all tissues but those by rule, which are solved for later, on the Exec. */
static Status bind_tissue(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *out) {
  const int32_t first = setup_first_solved(mesh), n = mesh->n_element - first;
  const int32_t before = out->n;
  ALLOC(heart_setup(setup)->ionic, c->materials.n, "ionic models of the tissue");
  ALLOC(heart_setup(setup)->rule, c->materials.n, "rules of fibres");
  ALLOC(heart_setup(setup)->tensor, n, "diffusivity of the elements");
  TRY(setup_regions(c, mesh, setup, out));
  for (int32_t t = 0; t < c->materials.n; ++t) {
    const CaseTissue *given = heart_tissue(c, t);
    Expr fiber[3], sheet[3];
    const FiberTissue tissue = tissue_of(given, fiber, sheet);
    heart_setup(setup)->ionic[t] = monodomain_constants_of(given);
    if (given->fibers.rule.text) bind_rule(mesh, &given->fibers, setup, &heart_setup(setup)->rule[t], out);
    else if (out->n == before) TRY(tissue_tensors(c, mesh, t, &tissue, setup, out));
  }
  MonodomainParams *params = &heart_setup(setup)->monodomain;
  params->scheme = (MonodomainScheme)c->reaction.value;
  params->n_region = c->materials.n;
  params->region = heart_setup(setup)->ionic;
  params->element_region = setup->element_material + first;
  heart_setup(setup)->diffusion.tensor = (const double(*)[6])heart_setup(setup)->tensor;
  return OK;
}

/* An initial value at the nodes; nothing where it is not given. */
static Status bind_value(const Mesh *mesh, const char *what, const ExprValue *given, double **out,
                         Diagnostics *diagnostics) {
  if (!place_given(given->place)) return OK;
  ALLOC(*out, mesh->n_node, "initial values");
  int32_t bad = mesh->n_node;
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_node)) reduction(min : bad)
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    (*out)[i] = expr_value(&given->expr, mesh->x[i], 0);
    if (!isfinite((*out)[i]) && i < bad) bad = i;
  }
  if (bad < mesh->n_node)
    report_error(diagnostics, given->place, "%s is %g at node %lld, (%g, %g, %g)", what, (*out)[bad],
                 (long long)mesh->node_tag[bad], mesh->x[bad][0], mesh->x[bad][1], mesh->x[bad][2]);
  return OK;
}

static Status bind_initial(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics) {
  TRY(bind_value(mesh, "initial", &c->initial.value, &heart_setup(setup)->initial, diagnostics));
  for (int k = 0; k < N_IONIC_STATES; ++k)
    TRY(bind_value(mesh, ionic_state_word(k), &c->initial.state[k], &heart_setup(setup)->initial_state[k],
                   diagnostics));
  return OK;
}

static bool setup_monodomain_ruled(const Case *c) {
  for (int32_t t = 0; t < c->materials.n; ++t)
    if (heart_tissue(c, t)->fibers.rule.text) return true;
  return false;
}

void heart_setup_release(void *own) {
  HeartSetup *setup = own;
  FREE(setup->tensor);
  FREE(setup->initial);
  for (int k = 0; k < N_IONIC_STATES; ++k) FREE(setup->initial_state[k]);
  for (int32_t i = 0; setup->stimulus && i < setup->monodomain.n_stimulus; ++i) {
    mem_free((void **)(void *)&setup->stimulus[i].node);
    mem_free((void **)(void *)&setup->stimulus[i].share);
  }
  FREE(setup->stimulus);
  FREE(setup->bare);
  FREE(setup->ionic);
  FREE(setup->start);
  FREE(setup->rule);
  FREE(setup->fiber);
  FREE(setup->sheet);
  FREE(setup->transmural);
}

Status setup_monodomain(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics) {
  const int32_t before = diagnostics->n;
  TRY(setup_take_own(setup, sizeof(HeartSetup), heart_setup_release));
  heart_setup(setup)->diffusion.node_rank = setup->node_rank;
  heart_setup(setup)->diffusion.mesh = mesh;
  TRY(bind_tissue(c, mesh, setup, diagnostics));
  TRY(setup_stimuli(c, mesh, setup, diagnostics));
  TRY(bind_initial(c, mesh, setup, diagnostics));
  const bool whole = diagnostics->n == before && diagnostics->broken == OK; /* else some elements have no tissue */
  return whole && !setup_monodomain_ruled(c) ? setup_warn_front(c, mesh, setup) : OK;
}

static Status rule_tensors(const Case *c, const Mesh *mesh, Exec *exec, int32_t t, Setup *setup) {
  LdrbFields fields = {0};
  Expr none[3], none_too[3];
  FiberTissue tissue = tissue_of(heart_tissue(c, t), none, none_too);
  Status status = ldrb_create(exec, &heart_setup(setup)->rule[t], &fields);
  if (status == OK) {
    tissue.fiber = (FiberSource){.node = (const double(*)[3])fields.fiber};
    if (tissue.normal > 0) tissue.sheet = (FiberSource){.node = (const double(*)[3])fields.sheet};
    status = fiber_tensors(mesh, &tissue, setup->element_material, t, heart_setup(setup)->tensor);
  }
  if (status == OK && !heart_setup(setup)->fiber) {
    heart_setup(setup)->fiber = fields.fiber, heart_setup(setup)->sheet = fields.sheet,
    heart_setup(setup)->transmural = fields.transmural;
    fields.fiber = fields.sheet = NULL, fields.transmural = NULL;
  }
  ldrb_release(&fields);
  if (status == OK) return OK;
  char where[1024];
  return status_context(status, "while making the fibres of %s",
                        place_text(c->path, heart_tissue(c, t)->fibers.place, where, sizeof where));
}

Status setup_rules(const Case *c, const Mesh *mesh, Exec *exec, Setup *setup) {
  for (int32_t t = 0; t < c->materials.n; ++t)
    if (heart_tissue(c, t)->fibers.rule.text) TRY(rule_tensors(c, mesh, exec, t, setup));
  return setup_monodomain_ruled(c) ? setup_warn_front(c, mesh, setup) : OK;
}

/* The tissue before t whose cells are those of t; t: none. */
static int32_t same_cells(const HeartSetup *own, int32_t t) {
  int32_t first = 0;
  while (first < t && !ionic_same(&own->ionic[first], &own->ionic[t])) ++first;
  return first;
}

static Status pace_cells(const Case *c, HeartSetup *own) {
  const Prepace prepace = prepace_of(c);
  ALLOC(own->start, c->materials.n, "cells that are paced");
  own->monodomain.start = own->start;
  for (int32_t t = 0; t < c->materials.n; ++t) {
    const int32_t first = same_cells(own, t);
    SingleCell cell;
    bool stored = false;
    if (first < t) {
      own->start[t] = own->start[first];
      continue;
    }
    single_cell_start(&own->ionic[t], &cell);
    TRY(prepace_cell(&prepace, heart_tissue(c, t)->on.item[0].text, &cell, &stored));
    own->start[t].V = cell.V;
    memcpy(own->start[t].state, cell.s, sizeof cell.s);
    ++own->n_paced;
    own->n_stored += stored;
  }
  return OK;
}

Status setup_solves(const Case *c, const Mesh *mesh, Exec *exec, Setup *setup) {
  TRY(setup_rules(c, mesh, exec, setup));
  return place_given(c->prepace.place) ? pace_cells(c, heart_setup(setup)) : OK;
}
