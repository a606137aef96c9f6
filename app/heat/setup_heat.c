/* Heat: a case against its mesh. */
#include "app/heat/heat_columns.h"
#include "app/setup/setup_steps.h"
#include "core/memory.h"
#include "mesh/io/image.h"

#include <math.h>

static void check_directions(const Case *c, const Mesh *mesh, Diagnostics *diagnostics) {
  for (int32_t m = 0; m < c->materials.n; ++m) {
    const TensorValue *k = &heat_material(c, m)->conductivity;
    const int32_t n = mesh->in_space ? 3 : mesh->dim;
    if (k->n > 1 && k->n != n)
      report_error(diagnostics, k->place, "conductivity has %d directions; '%s' is a %s mesh%s and has %d", k->n,
                   mesh->path, dimension_name(mesh->dim), mesh->in_space ? " in space" : "", n);
  }
}

/* Conductivities that vary with the place, by the middle of each element. */
static Status vary_conductivity(const Case *c, const Mesh *mesh, int32_t m, Setup *setup, Diagnostics *out) {
  const VaryingValue *given = &heat_material(c, m)->conductivity_varying;
  const int32_t first = setup_first_solved(mesh), before = out->n;
  ScalarSource source;
  if (!place_given(given->place)) return OK;
  TRY(setup_source(c, mesh, setup, m, given, "conductivity", "conductivity", &source, out));
  for (int32_t e = first; e < mesh->n_element && out->n == before; ++e) {
    const ElementBlock *block = mesh_block_of(mesh, e);
    double x[3];
    if (setup->element_material[e] != m) continue;
    const double value = setup_source_element(mesh, &source, e, x);
    for (int k = 0; k < 6; ++k) heat_setup(setup)->tensor[e - first][k] = k < 3 ? value : 0;
    if (!(value > 0 && isfinite(value)))
      report_error(out, given->place, "conductivity is %g in element %lld, (%g, %g, %g): must be > 0", value,
                   (long long)block->tag[e - block->first], x[0], x[1], x[2]);
  }
  return OK;
}

/* Constants of the materials, element by element. */
static Status spread_materials(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *out) {
  const int32_t first = setup_first_solved(mesh), n = mesh->n_element - first;
  ALLOC(heat_setup(setup)->tensor, n, "conductivity of the elements");
  ALLOC(heat_setup(setup)->capacity, n, "capacity of the elements");
  ALLOC(heat_setup(setup)->thickness, n, "thickness of the elements");
  for (int32_t e = 0; e < n; ++e) {
    const CaseHeatMaterial *m = heat_material(c, setup->element_material[first + e]);
    const double(*k)[3] = m->conductivity.value;
    const double tensor[6] = {k[0][0], k[1][1], mesh->dim == 3 || mesh->in_space ? k[2][2] : k[0][0],
                              k[0][1], k[1][2], k[0][2]};
    for (int i = 0; i < 6; ++i) heat_setup(setup)->tensor[e][i] = tensor[i];
    heat_setup(setup)->capacity[e] = place_given(m->capacity.place) ? m->capacity.value : 1;
    heat_setup(setup)->thickness[e] = m->thickness.value;
  }
  for (int32_t m = 0; m < c->materials.n; ++m) TRY(vary_conductivity(c, mesh, m, setup, out));
  heat_setup(setup)->diffusion.tensor = (const double(*)[6])heat_setup(setup)->tensor;
  heat_setup(setup)->diffusion.capacity = heat_setup(setup)->capacity;
  if (mesh->dim != 2) return OK;
  heat_setup(setup)->diffusion.thickness = heat_setup(setup)->thickness;
  return setup_facet_thickness(mesh, heat_setup(setup)->thickness, &heat_setup(setup)->facet_thickness);
}

static Status add_load(const Case *c, LoadKind kind, const Group *on, const ExprValue *value, const ExprValue *ambient,
                       Setup *setup) {
  if (!on) return OK;
  Load load = {.kind = kind, .on = on, .value = {value->expr}};
  if (ambient) load.ambient[0] = ambient->expr;
  TRY(setup_where(c, value->place, setup, &load.where));
  heat_setup(setup)->heating[heat_setup(setup)->diffusion.n_load++] = load;
  return OK;
}

static Status bind_entry(const Case *c, const Mesh *mesh, const CaseHeatBoundary *b, Setup *setup, Diagnostics *out) {
  for (const Act *act = NULL; (act = acts_next(&heat_acts, b, ACT_ALWAYS, act));) {
    const Group *on = setup_group(setup, mesh, &b->on, act->on, act->key, out);
    const ExprValue one = act_value(act, b).item[0];
    if (act->load == LOAD_CONVECTION) {
      TRY(add_load(c, LOAD_CONVECTION, on, &b->convection.coefficient, &b->convection.ambient, setup));
    } else if (act->load != NO_LOAD) {
      TRY(add_load(c, (LoadKind)act->load, on, &one, NULL, setup));
    } else {
      Support held = {.on = on, .value = {one.expr}};
      TRY(setup_where(c, one.place, setup, &held.where));
      if (on) heat_setup(setup)->held[heat_setup(setup)->diffusion.n_support++] = held;
    }
  }
  return OK;
}

static Status bind_boundary(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics) {
  ALLOC(heat_setup(setup)->held, c->boundary.n, "prescribed temperatures");
  ALLOC(heat_setup(setup)->heating, (int64_t)heat_acts.n * c->boundary.n + c->source.n, "heat loads");
  for (int32_t i = 0; i < c->boundary.n; ++i) TRY(bind_entry(c, mesh, heat_boundary(c, i), setup, diagnostics));
  for (int32_t i = 0; i < c->source.n; ++i) {
    const CaseSource *source = case_source(c, i);
    TRY(add_load(c, LOAD_SOURCE, setup_group(setup, mesh, &source->on, ON_CELLS, "source", diagnostics), &source->value,
                 NULL, setup));
  }
  heat_setup(setup)->diffusion.support = heat_setup(setup)->held;
  heat_setup(setup)->diffusion.load = heat_setup(setup)->heating;
  return OK;
}

/* The image is stretched over the bounding box: on a grid of as many nodes as pixels, each node has its pixel. */
static void spread_image(const CaseInitial *initial, const Image *image, const Mesh *mesh, double *value) {
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (int32_t i = 0; i < mesh->n_node; ++i)
    for (int k = 0; k < 2; ++k) {
      low[k] = fmin(low[k], mesh->x[i][k]);
      high[k] = fmax(high[k], mesh->x[i][k]);
    }
  const double black = initial->low.value, white = initial->high.value;
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    const double u = (mesh->x[i][0] - low[0]) / (high[0] - low[0]), v = (mesh->x[i][1] - low[1]) / (high[1] - low[1]);
    value[i] = black + (white - black) * image_at(image, u, v);
  }
}

/* An image that cannot be used is an error of the case file, which names it. */
static Status bind_image(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics) {
  const CaseInitial *initial = &c->initial;
  if (mesh->dim != 2 || mesh->in_space) {
    report_error(diagnostics, initial->image.place, "an image needs a flat mesh; '%s' is a %s mesh%s", mesh->path,
                 dimension_name(mesh->dim), mesh->in_space ? " in space" : "");
    return OK;
  }
  char *path = NULL;
  Image image = {0};
  TRY(case_path(c, initial->image.text, &path));
  Status status = image_load(path, &image);
  FREE(path);
  if (status == ERR_MESH) {
    report_error(diagnostics, initial->image.place, "%s", status_message());
    return OK;
  }
  if (status == OK) spread_image(initial, &image, mesh, heat_setup(setup)->initial);
  image_release(&image);
  return status;
}

static Status bind_field(const TextValue *name, const Mesh *mesh, double *value, Diagnostics *diagnostics) {
  const MeshField *field = mesh_field(mesh, name->text, true);
  if (!field || field->n_component != 1) {
    report_error(diagnostics, name->place, "'%s' has no field '%s' of one component on its nodes", mesh->path,
                 name->text);
    return OK;
  }
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    value[i] = field->value[i];
    if (isfinite(value[i])) continue;
    report_error(diagnostics, name->place, "the field '%s' has no value at node %lld", name->text,
                 (long long)mesh->node_tag[i]);
    break;
  }
  return OK;
}

static Status bind_initial(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics) {
  const CaseInitial *initial = &c->initial;
  if (!place_given(initial->place)) return OK;
  ALLOC(heat_setup(setup)->initial, mesh->n_node, "initial temperature");
  if (initial->image.text) return bind_image(c, mesh, setup, diagnostics);
  if (initial->field.text) return bind_field(&initial->field, mesh, heat_setup(setup)->initial, diagnostics);
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    heat_setup(setup)->initial[i] = expr_value(&initial->value.expr, mesh->x[i], 0);
    if (isfinite(heat_setup(setup)->initial[i])) continue;
    report_error(diagnostics, initial->value.place, "initial is %g at node %lld, (%g, %g, %g)",
                 heat_setup(setup)->initial[i], (long long)mesh->node_tag[i], mesh->x[i][0], mesh->x[i][1],
                 mesh->x[i][2]);
    break;
  }
  return OK;
}

void heat_setup_release(void *own) {
  HeatSetup *setup = own;
  FREE(setup->tensor);
  FREE(setup->capacity);
  FREE(setup->thickness);
  FREE(setup->facet_thickness);
  FREE(setup->held);
  FREE(setup->heating);
  FREE(setup->initial);
}

/* In time: a beginning that was left out, beside temperatures that are given, and steps too long for the loads. */
static void advise_in_time(const Case *c, const Mesh *mesh, const HeatSetup *own) {
  const DiffusionParams *d = &own->diffusion;
  const char *warm = NULL;
  for (int32_t i = 0; i < d->n_support; ++i) {
    if (!warm && expr_acts(&own->held[i].value[0])) warm = own->held[i].where;
    setup_step_advice(c, mesh, own->held[i].on, &own->held[i].value[0], "temperature", own->held[i].where);
  }
  for (int32_t i = 0; i < d->n_load; ++i) {
    const Load *load = &own->heating[i];
    if (!warm && expr_acts(&load->ambient[0])) warm = load->where;
    const bool convection = load->kind == LOAD_CONVECTION;
    setup_step_advice(c, mesh, load->on, convection ? &load->ambient[0] : &load->value[0],
                      convection ? "ambient temperature" : acts_word(&heat_acts, load->kind), load->where);
  }
  if (warm && !place_given(c->initial.place))
    status_warn(
        "%s: a temperature is given here and 'initial' is not: the body begins at 0\n  remedy: 'initial' with the "
        "temperature at t = 0, 0 too where that is meant",
        warm);
}

static void warn_of_held(const Mesh *mesh, const Load *load, const uint8_t *held) {
  const double near = AXIS_TOLERANCE * mesh_size(mesh);
  bool all = load->on->n > 0, axis = true;
  const char *word = acts_word(&heat_acts, load->kind);
  for (int32_t k = 0; k < load->on->n; ++k) {
    const int32_t *nodes = mesh_nodes_of(mesh, load->on->element[k]);
    const int32_t n = element_type(mesh_block_of(mesh, load->on->element[k])->kind)->n_node;
    for (int32_t a = 0; a < n; ++a) {
      all &= held[nodes[a]];
      axis &= fabs(mesh->x[nodes[a]][0]) <= near;
    }
  }
  if (all)
    status_warn(
        "%s: %s on '%s' does nothing: the temperature of all its nodes is given, so that it goes into their heat "
        "flow alone\n  remedy: leave it out, or the group that it is meant for",
        load->where, word, load->on->name);
  else if (axis && load->on->n && held[mesh->n_node] && load->kind != LOAD_FORCE)
    status_warn("%s: %s on '%s' does nothing: all of it has the radius x = 0, and no area\n  remedy: a mesh whose x is "
                "the distance from the axis: a bore begins at its radius",
                load->where, word, load->on->name);
}

/* Loads that given temperatures take at once, and those without an area. */
static Status advise_of_held(const Case *c, const Mesh *mesh, const HeatSetup *own) {
  const DiffusionParams *d = &own->diffusion;
  uint8_t *held = NULL;
  ALLOC(held, (int64_t)mesh->n_node + 1, "nodes whose temperature is given");
  held[mesh->n_node] = case_axisymmetric(c);
  for (int32_t s = 0; s < d->n_support; ++s) {
    const Group *on = own->held[s].on;
    for (int32_t k = 0; k < on->n; ++k) {
      const int32_t *nodes = mesh_nodes_of(mesh, on->element[k]);
      const int32_t n = element_type(mesh_block_of(mesh, on->element[k])->kind)->n_node;
      for (int32_t a = 0; a < n; ++a) held[nodes[a]] = 1;
    }
  }
  for (int32_t l = 0; l < d->n_load; ++l) {
    const Load *load = &own->heating[l];
    const Expr *value = load->kind == LOAD_CONVECTION ? NULL : &load->value[0];
    if (load->kind != LOAD_SOURCE && (!value || expr_acts(value))) warn_of_held(mesh, load, held);
  }
  FREE(held);
  return OK;
}

static bool warn_of_time(const Case *c, const ExprValue *value) {
  char place[512];
  if (!place_given(value->place) || !expr_is_timed(&value->expr)) return false;
  status_warn("%s: '%.60s' depends on t, which is 0 here\n  remedy: a number, or 'time:'",
              place_text(c->path, value->place, place, sizeof place), value->text);
  return true;
}

/* What acts in t where there is no time; the first is told. */
static void advise_of_time(const Case *c) {
  bool told = place_given(c->time.place);
  for (int32_t i = 0; i < c->boundary.n && !told; ++i) {
    const CaseHeatBoundary *b = heat_boundary(c, i);
    const ExprValue *value[] = {&b->temperature, &b->flux, &b->power, &b->convection.ambient};
    for (size_t k = 0; k < sizeof value / sizeof *value && !told; ++k) told = warn_of_time(c, value[k]);
  }
  for (int32_t i = 0; i < c->source.n && !told; ++i) told = warn_of_time(c, &case_source(c, i)->value);
}

/* A thickness of a solid other than 1, which is what sinew check fills in. */
static void advise_of_solid(const Case *c, const Mesh *mesh) {
  char place[512];
  for (int32_t m = 0; m < c->materials.n && mesh->dim == 3; ++m) {
    const NumberValue *given = &heat_material(c, m)->thickness;
    if (!place_given(given->place) || given->value == 1) continue;
    status_warn("%s: thickness does nothing here: it is of flat bodies, and this one is solid\n  remedy: leave it out",
                place_text(c->path, given->place, place, sizeof place));
    return;
  }
}

/* A total power on a plate of thickness 1. */
static void advise_of_thickness(const Case *c, const Mesh *mesh) {
  char place[512];
  const CaseHeatMaterial *without = NULL;
  for (int32_t m = 0; m < c->materials.n && !without; ++m)
    if (!place_given(heat_material(c, m)->thickness.place)) without = heat_material(c, m);
  for (int32_t i = 0; i < c->boundary.n && without && mesh->dim == 2 && !case_axisymmetric(c); ++i) {
    const ExprValue *power = &heat_boundary(c, i)->power;
    if (!place_given(power->place) || !expr_acts(&power->expr)) continue;
    status_warn("%s: a total power acts on a plate whose thickness is not given, and counts as 1: temperatures are in "
                "proportion to 1/thickness\n  remedy: 'thickness' under materials, 1 too where that is meant",
                place_text(c->path, power->place, place, sizeof place));
    return;
  }
}

Status setup_heat(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics) {
  const int32_t before = diagnostics->n;
  TRY(setup_take_own(setup, sizeof(HeatSetup), heat_setup_release));
  heat_setup(setup)->diffusion.node_rank = setup->node_rank;
  heat_setup(setup)->diffusion.mesh = mesh;
  heat_setup(setup)->diffusion.axisymmetric = case_axisymmetric(c);
  if (case_axisymmetric(c) && (mesh->dim != 2 || mesh->in_space)) {
    report_error(diagnostics, c->model.place,
                 "model 'axisymmetric' needs a surface mesh in the xy plane, the half section; '%s' is a %s mesh%s",
                 mesh->path, dimension_name(mesh->dim), mesh->in_space ? " in space" : "");
    return OK;
  }
  heat_setup(setup)->diffusion.steady = !place_given(c->time.place);
  heat_setup(setup)->diffusion.end = place_given(c->time.place) ? c->time.end.value : 0;
  check_directions(c, mesh, diagnostics);
  TRY(setup_regions(c, mesh, setup, diagnostics));
  if (diagnostics->n == before) TRY(spread_materials(c, mesh, setup, diagnostics));
  TRY(bind_boundary(c, mesh, setup, diagnostics));
  TRY(bind_initial(c, mesh, setup, diagnostics));
  if (diagnostics->n > before) return OK;
  if (place_given(c->time.place)) advise_in_time(c, mesh, heat_setup(setup));
  advise_of_thickness(c, mesh);
  advise_of_solid(c, mesh);
  advise_of_time(c);
  return advise_of_held(c, mesh, heat_setup(setup));
}
