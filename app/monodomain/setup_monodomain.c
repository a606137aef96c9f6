/* The heart: a case against its mesh. */
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/layers.h"
#include "app/monodomain/prepace.h"
#include "app/monodomain/purkinje.h"
#include "app/run/run.h"
#include "app/setup/setup.h"
#include "app/monodomain/setup_heart.h"
#include "core/memory.h"
#include "core/parts.h"
#include "physics/import/imported.h"

#include <math.h>
#include <string.h>

static Status bind_tissue(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *out) {
  const int32_t first = setup_first_solved(mesh);
  ALLOC(heart_setup(setup)->ionic, c->materials.n, "ionic models of the tissue");
  for (int32_t t = 0; t < c->materials.n; ++t)
    heart_setup(setup)->ionic[t] = monodomain_constants_of(&heart_tissue(c, t)->ionic);
  TRY(setup_tissue(c, mesh, setup, out));
  MonodomainParams *params = &heart_setup(setup)->monodomain;
  params->scheme = (MonodomainScheme)c->reaction.value;
  params->n_region = c->materials.n;
  params->region = heart_setup(setup)->ionic;
  params->element_region = setup->element_material + first;
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
  HeartSetup *own = heart_setup(setup);
  const int32_t before = diagnostics->n;
  TRY(bind_value(mesh, "initial", &c->initial.value, &own->initial, diagnostics));
  if (own->initial && diagnostics->n == before)
    setup_check_initial(c, mesh, NULL, c->initial.value.place, own->initial, diagnostics);
  for (int k = 0; k < N_IONIC_STATES; ++k) {
    const ExprValue *given = &c->initial.state[k];
    const int32_t n = diagnostics->n;
    TRY(bind_value(mesh, ionic_state_word(k), given, &own->initial_state[k], diagnostics));
    if (own->initial_state[k] && diagnostics->n == n)
      setup_check_initial(c, mesh, ionic_state_word(k), given->place, own->initial_state[k], diagnostics);
  }
  return OK;
}

void heart_setup_release(void *own) {
  HeartSetup *setup = own;
  FREE(setup->tensor);
  FREE(setup->deformed);
  FREE(setup->thickness);
  FREE(setup->edge_thickness);
  FREE(setup->mean);
  FREE(setup->number);
  FREE(setup->initial);
  for (int k = 0; k < N_IONIC_STATES; ++k) FREE(setup->initial_state[k]);
  for (int32_t i = 0; setup->stimulus && i < setup->monodomain.n_stimulus; ++i) {
    mem_free((void **)(void *)&setup->stimulus[i].node);
    mem_free((void **)(void *)&setup->stimulus[i].share);
  }
  FREE(setup->stimulus);
  FREE(setup->bare);
  FREE(setup->wave_start);
  FREE(setup->front_length);
  FREE(setup->front_speed);
  FREE(setup->link);
  FREE(setup->link_region);
  FREE(setup->link_cells);
  FREE(setup->link_outside);
  FREE(setup->layer);
  FREE(setup->torso);
  FREE(setup->electrode);
  FREE(setup->spot);
  for (int32_t i = 0; i < setup->n_shock; ++i) {
    FREE(setup->shock[i].node);
    FREE(setup->shock[i].share);
  }
  FREE(setup->shock);
  FREE(setup->lead);
  FREE(setup->lead_shock);
  for (int32_t t = 0; setup->node_region && t < setup->n_tissue; ++t) FREE(setup->node_region[t]);
  mem_free((void **)(void *)&setup->node_region);
  FREE(setup->point_region);
  FREE(setup->ionic);
  FREE(setup->start);
  FREE(setup->rule);
  ldrb_release(&setup->ruled);
}

/* Row sums of higher orders are no mass, and what they have in their place is not close enough to the consistent one. */
static void check_mass(const Case *c, const Mesh *mesh, Diagnostics *out) {
  for (int32_t b = 0; b < mesh->n_block && c->mass.value > 0; ++b) {
    const ElementType *type = element_type(mesh->block[b].kind);
    if (type->dim != mesh->dim || type->order == 1) continue;
    report_error(out, c->mass.place, "mass %g is for linear elements, but the mesh has %s\n  leave 'mass' out",
                 c->mass.value, type->name);
    return;
  }
}

Status setup_monodomain(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics) {
  const int32_t before = diagnostics->n;
  TRY(setup_take_own(setup, sizeof(HeartSetup), heart_setup_release));
  heart_setup(setup)->diffusion.node_rank = setup->node_rank;
  heart_setup(setup)->diffusion.mesh = mesh;
  TRY(bind_tissue(c, mesh, setup, diagnostics));
  if (diagnostics->n == before) TRY(setup_thickness(c, mesh, setup, diagnostics));
  TRY(setup_cells(c, mesh, setup, diagnostics));
  TRY(setup_purkinje(c, mesh, setup, diagnostics));
  TRY(heart_layers(c, mesh, setup, diagnostics));
  TRY(setup_stimuli(c, mesh, setup, diagnostics));
  TRY(bind_initial(c, mesh, setup, diagnostics));
  check_mass(c, mesh, diagnostics);
  TRY(setup_torso(c, mesh, setup, diagnostics));
  TRY(setup_electrodes(c, mesh, setup, diagnostics));
  const bool whole = diagnostics->n == before && diagnostics->broken == OK; /* else some elements have no tissue */
  if (!whole) return OK;
  setup_warn_conductivities(c);
  setup_warn_fibres(c, mesh, "diffusivity");
  setup_warn_swapped(c, setup, "diffusivity");
  setup_warn_threshold(c);
  setup_warn_solver(c);
  setup_warn_protocol(c);
  setup_warn_trees(c);
  setup_warn_factors(c);
  if (place_given(c->eikonal.place)) setup_warn_velocities(c, mesh, setup, false);
  return setup_ruled(c) ? OK : setup_warn_front(c, mesh, setup);
}

/* Steps that the cells of a file cannot take. */
static Status check_steps(const Case *c) {
  const bool adaptive = place_given(c->time.adaptive.place);
  const double step = adaptive ? c->time.adaptive.max.value : c->time.step.value;
  char where[1024];
  for (int32_t i = 0; i < heart_ionics(c); ++i) {
    const CaseIonic *ionic = heart_ionic(c, i);
    const Status status = imported_check_step(monodomain_constants_of(ionic).kind, step);
    if (status != OK)
      return status_context(status, "in %s", place_text(c->path, ionic->file.place, where, sizeof where));
  }
  return OK;
}

Status setup_heart_rules(const Case *c, const Mesh *mesh, Exec *exec, Setup *setup) {
  TRY(check_steps(c));
  TRY(setup_rules(c, mesh, exec, setup));
  return setup_ruled(c) ? setup_warn_front(c, mesh, setup) : OK;
}

/* The tissue before t whose cells are those of t; t: none. */
static int32_t same_cells(const HeartSetup *own, int32_t t) {
  int32_t first = 0;
  while (first < t && !ionic_same(&own->ionic[first], &own->ionic[t])) ++first;
  return first;
}

static Status pace_region(const Prepace *prepace, int32_t t, const char *name, HeartSetup *own) {
  const int32_t first = same_cells(own, t);
  SingleCell cell;
  bool stored = false;
  if (first < t) {
    own->start[t] = own->start[first];
    return OK;
  }
  single_cell_start(&own->ionic[t], &cell);
  TRY(prepace_cell(prepace, name, &cell, &stored));
  own->start[t].V = cell.V;
  memcpy(own->start[t].state, cell.s, sizeof cell.s);
  ++own->n_paced;
  own->n_stored += stored;
  return OK;
}

static Status pace_cells(const Case *c, const Mesh *mesh, HeartSetup *own) {
  const Prepace prepace = prepace_of(c);
  const int32_t n_solved = mesh->n_element - setup_first_solved(mesh);
  ALLOC(own->start, own->n_region, "cells that are paced");
  own->monodomain.start = own->start;
  for (int32_t t = 0; t < c->materials.n; ++t) TRY(pace_region(&prepace, t, heart_tissue(c, t)->on.item[0].text, own));
  for (int32_t i = 0; i < c->purkinje.n; ++i)
    TRY(pace_region(&prepace, own->n_region - c->purkinje.n + i, case_tree(c, i)->name.text, own));
  for (int32_t t = 0; t < own->n_tissue; ++t) /* cells that vary begin as the mean one */
    for (int32_t i = 0; own->node_region[t] && i < own->n_node; ++i) own->start[own->node_region[t][i]] = own->start[t];
  for (int32_t e = 0; own->point_region && e < n_solved; ++e)
    own->start[own->point_region[e]] = own->start[own->monodomain.element_region[e]];
  return OK;
}

Status setup_solves(const Case *c, const Mesh *mesh, Exec *exec, Setup *setup) {
  TRY(setup_heart_rules(c, mesh, exec, setup));
  TRY(setup_wave(c, mesh, exec, setup));
  TRY(setup_leads(c, mesh, exec, setup));
  return place_given(c->prepace.place) ? pace_cells(c, mesh, heart_setup(setup)) : OK;
}
