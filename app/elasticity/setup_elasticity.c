/* Elasticity: a case against its mesh. */
#include "app/elasticity/acts.h"
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "app/elasticity/modal.h"
#include "app/elasticity/sector.h"
#include "app/elasticity/setup_traps.h"
#include "core/memory.h"
#include "physics/material.h"

#include <math.h>

static Status check_flat(const Case *c, const Mesh *mesh) {
  const double allowed = 1e-9 * mesh_size(mesh);
  const int32_t first = setup_first_solved(mesh);
  const double z = mesh->x[mesh_nodes_of(mesh, first)[0]][2];
  for (int32_t e = first; e < mesh->n_element; ++e) {
    const int32_t *nodes = mesh_nodes_of(mesh, e);
    const int32_t n = element_type(mesh_block_of(mesh, e)->kind)->n_node;
    for (int32_t a = 0; a < n; ++a)
      CHECK(
          fabs(mesh->x[nodes[a]][2] - z) <= allowed, ERR_MESH,
          "%s: node %lld has z = %g and others have z = %g, but model '%s' needs a flat mesh\n"
          "  z must be the same everywhere; surfaces in space would be shells or membranes, which elasticity does not "
          "have\n  remedy: 'model: 3d' and a mesh of the wall's volume",
          mesh->path, (long long)mesh->node_tag[nodes[a]], mesh->x[nodes[a]][2], z, c->model.text);
  }
  return OK;
}

/* A plane model may lie at any height: its probes and expressions see that z. */
static Status check_dimension(const Case *c, const Mesh *mesh, Diagnostics *diagnostics) {
  CHECK(mesh->dim >= case_dim(c), ERR_MESH,
        "%s: is a %s mesh, but model '%s' needs %s elements\n  make a %s mesh (gmsh -%d) or choose another model",
        mesh->path, dimension_name(mesh->dim), c->model.text, dimension_name(case_dim(c)), dimension_name(case_dim(c)),
        case_dim(c));
  if (mesh->dim > case_dim(c)) {
    report_error(diagnostics, c->model.place,
                 "model '%s' needs a surface mesh, but '%s' has volume elements\n  use 'model: 3d'", c->model.text,
                 mesh->path);
    return OK;
  }
  return case_dim(c) == 2 ? check_flat(c, mesh) : OK;
}

static Status bind_materials(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics) {
  const int32_t n = c->materials.n;
  ALLOC(elastic_setup(setup)->material, n, "materials");
  for (int32_t m = 0; m < n; ++m) {
    const CaseMaterial *given = case_material(c, m);
    elastic_setup(setup)->material[m].kind = given->type.value;
    elastic_setup(setup)->material[m].strength = case_strength(&given->strength);
    elastic_setup(setup)->material[m].viscosity = given->viscosity.value;
    case_material_numbers(given, elastic_setup(setup)->material[m].value);
  }
  TRY(setup_regions(c, mesh, setup, diagnostics));
  elastic_setup(setup)->params.n_material = n;
  elastic_setup(setup)->params.material = elastic_setup(setup)->material;
  elastic_setup(setup)->params.element_material = setup->element_material;
  if (diagnostics->n) return OK;
  TRY(setup_active(c, setup));
  TRY(setup_varying(c, mesh, setup, diagnostics));
  TRY(setup_initial(c, mesh, setup, diagnostics));
  return setup_axes(c, mesh, setup, diagnostics);
}

static Status add_support(const Case *c, const Group *on, const CaseBoundary *b, bool symmetry, Setup *setup,
                          ElasticActs *acts) {
  if (!on) return OK;
  Support support = {.on = on, .symmetry = symmetry};
  if (!symmetry) support.value[0] = b->fix.x.expr, support.value[1] = b->fix.y.expr, support.value[2] = b->fix.z.expr;
  TRY(setup_where(c, symmetry ? b->symmetry.place : b->fix.place, setup, &support.where));
  acts->support[acts->n_support++] = support;
  return OK;
}

Status elastic_add_load(const Case *c, LoadKind kind, const Group *on, const ExprsValue *value, Place place,
                        Setup *setup, ElasticActs *acts) {
  if (!on) return OK;
  Load load = {.kind = kind, .on = on, .along_normal = value->normal};
  for (int32_t i = 0; i < 3; ++i)
    if (i < value->n || value->single) load.value[i] = value->item[i].expr;
  TRY(setup_where(c, place, setup, &load.where));
  acts->load[acts->n_load++] = load;
  return OK;
}

Status elastic_window(const CaseWindow *window, ElasticActs *acts, int32_t first) {
  for (int32_t l = first; l < acts->n_load; ++l)
    for (int k = 0; k < 3; ++k)
      TRY_CONTEXT(expr_window(&acts->load[l].value[k], window->clock, window->share), "%s", acts->load[l].where);
  return OK;
}

/* A load of all numbers among these sums, and one of each expression. */
static Status bind_sums(const Case *c, const Mesh *mesh, const Group *on, const CaseDistribute *sums, Setup *setup,
                        ElasticActs *acts, Diagnostics *out) {
  for (int one = -1; on && one < CASE_SUM_PARTS; ++one) {
    ExprsValue traction = {0};
    TRY(distribute_traction(c, mesh, setup, on, sums, one, &traction, out));
    if (traction.n) TRY(elastic_add_load(c, LOAD_TRACTION, on, &traction, sums->place, setup, acts));
  }
  return OK;
}

static Status bind_entry(const Case *c, const Mesh *mesh, const CaseBoundary *b, Setup *setup, ElasticActs *acts,
                         Diagnostics *out) {
  const NamesValue *on = &b->on;
  const bool follows = elastic_has(c, HAS_LARGE_STRAIN) && (!place_given(b->follower.place) || b->follower.value);
  if (place_given(b->fix.place))
    TRY(add_support(c, setup_group(setup, mesh, on, ON_ANY, "fix", out), b, false, setup, acts));
  if (b->symmetry.value)
    TRY(add_support(c, setup_group(setup, mesh, on, ON_FACETS, "symmetry", out), b, true, setup, acts));
  for (const Act *act = NULL; (act = act_next(b, ACT_ANY, act));) {
    const ExprsValue value = act_value(act, b);
    const LoadKind kind = act->load == LOAD_PRESSURE && follows ? LOAD_FOLLOWER : (LoadKind)act->load;
    if (act->load != NO_LOAD)
      TRY(elastic_add_load(c, kind, setup_group(setup, mesh, on, act->on, act->key, out), &value, value.place, setup,
                           acts));
  }
  if (!case_rotates(c) &&
      (b->rigid.force.n || b->rigid.moment.n)) { /* on a rigid group all forces with these sums do the same */
    const CaseDistribute sums = {b->rigid.place, b->rigid.at, b->rigid.force, b->rigid.moment, true};
    TRY(bind_sums(c, mesh, setup_group(setup, mesh, on, ON_FACETS, "force of rigid", out), &sums, setup, acts, out));
  }
  if (place_given(b->bearing.place)) {
    ExprsValue traction = {0};
    const Group *group = setup_group(setup, mesh, on, ON_FACETS, "bearing", out);
    if (group) TRY(bearing_traction(c, mesh, setup, group, &b->bearing, &traction, out));
    if (traction.n) TRY(elastic_add_load(c, LOAD_TRACTION, group, &traction, b->bearing.place, setup, acts));
  }
  if (!place_given(b->distribute.place) || (case_rotates(c) && b->distribute.of_rigid)) return OK;
  return bind_sums(c, mesh, setup_group(setup, mesh, on, ON_FACETS, "distribute", out), &b->distribute, setup, acts,
                   out);
}

Status elastic_bind_boundary(const Case *c, const Mesh *mesh, const MapsValue *boundary, Setup *setup,
                             ElasticActs *acts, Diagnostics *diagnostics) {
  ElasticActs *ahead = elastic_has(c, HAS_FREQUENCIES) ? elastic_setup(setup)->act : NULL;
  for (int32_t i = 0; i < boundary->n; ++i) {
    const CaseBoundary *b = maps_item(boundary, sizeof(CaseBoundary), i);
    const int32_t n_support = acts->n_support, n_load = acts->n_load;
    TRY(bind_entry(c, mesh, b, setup, acts, diagnostics));
    TRY(elastic_window(&b->window, acts, n_load));
    if (ahead) TRY(setup_phase(b, n_support, n_load, acts, ahead));
  }
  return OK;
}

Status elastic_bind_cavities(const Case *c, const Mesh *mesh, Setup *setup, ElasticActs *acts,
                             Diagnostics *diagnostics) {
  for (int32_t k = 0; k < c->cavities.n; ++k) {
    const int32_t i = case_cavity_at(c, k);
    const CaseCavity *cavity = case_cavity(c, i);
    const bool pressed = place_given(cavity->pressure.place);
    const ExprValue *value = pressed ? &cavity->pressure : &cavity->volume;
    const ExprsValue values = {.item = {*value}, .n = 1};
    const Group *on = setup_group(setup, mesh, &cavity->on, ON_FACETS, "a cavity", diagnostics);
    const Group *wall = place_given(cavity->wall.place)
                            ? setup_group(setup, mesh, &cavity->wall.on, ON_FACETS, "wall", diagnostics)
                            : NULL;
    if (i < ELASTIC_CAVITIES) elastic_setup(setup)->wall[i] = (ElasticWall){on, wall};
    TRY(elastic_add_load(c, LOAD_CAVITY, on, &values, value->place, setup, acts));
    if (on) acts->load[acts->n_load - 1].known = pressed && case_cavity_chamber(c, i) < 0;
    if (on) acts->load[acts->n_load - 1].lid = place_given(cavity->lid.place);
  }
  return OK;
}

void elastic_setup_release(void *own) {
  ElasticSetup *setup = own;
  for (int32_t m = 0; setup->axes && m < setup->params.n_material; ++m) FREE(setup->axes[m]);
  mem_free((void **)(void *)&setup->axes);
  FREE(setup->rule);
  FREE(setup->material);
  FREE(setup->varying);
  FREE(setup->density);
  FREE(setup->initial);
  for (int32_t i = 0; i < setup->n_numbers; ++i) FREE(setup->numbers[i]);
  mem_free((void **)(void *)&setup->numbers);
  FREE(setup->equation);
  FREE(setup->span);
  FREE(setup->image);
  FREE(setup->cut);
  FREE(setup->term);
  FREE(setup->bent.item);
  FREE(setup->bent.node);
  FREE(setup->joint);
  FREE(setup->body);
  for (int32_t i = 0; i < setup->n_tie; ++i) mortar_release(&setup->mortar[i]);
  FREE(setup->mortar);
  FREE(setup->tie);
  mem_free((void **)(void *)&setup->tied);
  FREE(setup->obstacle);
  FREE(setup->phase);
  for (int32_t i = 0; setup->bolt_node && i < 2 * setup->params.n_bolt; ++i) FREE(setup->bolt_node[i]);
  mem_free((void **)(void *)&setup->bolt_node);
  FREE(setup->bolt);
  FREE(setup->bolt_phase);
  for (int32_t i = 0; i < setup->n_turning; ++i) FREE(setup->turning[i].load);
  FREE(setup->turning);
  FREE(setup->rigid);
  FREE(setup->heat);
  FREE(setup->direction);
  FREE(setup->probe);
  FREE(setup->velocity);
  for (int32_t i = 0; i < setup->n_line; ++i) FREE(setup->line[i]);
  mem_free((void **)(void *)&setup->line);
  FREE(setup->support);
  FREE(setup->load);
  for (int32_t i = 0; setup->act && i < setup->n_act; ++i) elastic_acts_release(&setup->act[i]);
  FREE(setup->act);
}

/* What acts grows in proportion to the time where nothing says how it does. */
static Status ramp_acts(const Case *c, ElasticSetup *own) {
  for (int32_t i = 0; i < own->params.n_support; ++i)
    for (int k = 0; k < 3; ++k)
      TRY_CONTEXT(expr_ramp(&own->support[i].value[k], c->time.end.value), "%s", own->support[i].where);
  for (int32_t i = 0; i < own->params.n_load; ++i)
    for (int k = 0; k < 3 && !load_is_coefficient(own->load[i].kind) && own->load[i].kind != LOAD_CAVITY; ++k)
      TRY_CONTEXT(expr_ramp(&own->load[i].value[k], c->time.end.value), "%s", own->load[i].where);
  return OK;
}

/* Vibrations that nothing drives, and stress that nothing makes. Loads with phases may be ahead, which is not among params. */
static Status need_load(const Case *c, Setup *setup) {
  ElasticityParams *params = &elastic_setup(setup)->params;
  params->no_load = case_has_phases(c);
  for (int32_t i = 0; i < elastic_setup(setup)->n_act; ++i)
    params->heated_by_cases |= elastic_setup(setup)->act[i].heated;
  if ((!elastic_has(c, HAS_FREQUENCIES) && !modal_loaded(c)) || params->no_load) return OK;
  return setup_where(c, c->analysis.place, setup, &params->load_needed);
}

static Status bind_velocity(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics) {
  const TextValue *name = &c->initial.field;
  const MeshField *field = name->text ? mesh_field(mesh, name->text, true) : NULL;
  if (!name->text) return OK;
  if (!field || field->n_component != 3) {
    report_error(diagnostics, name->place, "'%s' has no field '%s' of three components on its nodes", mesh->path,
                 name->text);
    return OK;
  }
  ALLOC(elastic_setup(setup)->velocity, mesh->n_node, "initial velocity");
  for (int32_t i = 0; i < mesh->n_node; ++i)
    for (int k = 0; k < 3; ++k) {
      elastic_setup(setup)->velocity[i][k] = field->value[3 * (int64_t)i + k];
      if (isfinite(field->value[3 * (int64_t)i + k])) continue;
      report_error(diagnostics, name->place, "the field '%s' has no value at node %lld", name->text,
                   (long long)mesh->node_tag[i]);
      return OK;
    }
  return OK;
}

/* Loads in t where there is no time. */
static void warn_of_time(const Case *c) {
  const ExprValue *value = case_timed(c, 0);
  char place[512];
  if (!value || place_given(c->time.place) || c->physics->over_frequency) return;
  status_warn(
      "%s: '%.60s' depends on t, which is 0 here\n  remedy: a number, or 'analysis: {type: transient}' with 'time:'",
      place_text(c->path, value->place, place, sizeof place), value->text);
}

Status setup_elasticity(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics) {
  TRY(check_dimension(c, mesh, diagnostics));
  if (diagnostics->n) return OK;
  TRY(setup_take_own(setup, sizeof(ElasticSetup), elastic_setup_release));
  elastic_setup(setup)->params.mesh = mesh;
  ALLOC(elastic_setup(setup)->probe, c->output.probes.n, "probes");
  for (int32_t i = 0; i < c->output.probes.n; ++i) elastic_setup(setup)->probe[i] = elastic_probe(c, i);
  elastic_setup(setup)->params.node_rank = setup->node_rank;
  elastic_setup(setup)->params.model = (ElasticModel)c->model.value;
  TRY(bind_materials(c, mesh, setup, diagnostics));
  TRY(bind_velocity(c, mesh, setup, diagnostics));
  TRY(setup_acts(c, mesh, setup, diagnostics));
  elastic_setup(setup)->params.finite = elastic_has(c, HAS_LARGE_STRAIN);
  if (elastic_has(c, HAS_FREQUENCIES)) { /* what runs is the frequency */
    elastic_setup(setup)->params.time = harmonic_frequency(c, 0);
    elastic_setup(setup)->params.end = harmonic_frequency(c, harmonic_count(c) - 1);
  }
  setup_formulation(c, mesh, setup, diagnostics);
  if (case_ramps(c)) TRY(ramp_acts(c, elastic_setup(setup)));
  TRY(setup_constraints(c, mesh, setup, diagnostics));
  sector_check(c, elastic_setup(setup), diagnostics);
  TRY(setup_springs(c, mesh, setup, diagnostics));
  TRY(setup_contact(c, mesh, setup, diagnostics));
  TRY(setup_bolts(c, mesh, setup, diagnostics));
  TRY(setup_thermal(c, mesh, setup, diagnostics));
  setup_sections(c, mesh, setup, diagnostics);
  TRY(setup_lines(c, mesh, setup, diagnostics));
  TRY(need_load(c, setup));
  warn_of_time(c);
  if (diagnostics->n) return OK;
  TRY(setup_linked(mesh, setup));
  setup_elastic_advice(c, mesh, setup);
  setup_sizes(c, mesh);
  setup_flow(c, setup);
  TRY(setup_layers(mesh, setup));
  return setup_traps(c, mesh, setup);
}
