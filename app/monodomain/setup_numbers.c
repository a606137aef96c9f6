/* What tissue conducts with, where it varies: numbers element by element, by the middle of each, and their mean. */
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/setup_heart.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>

enum { VALUES = sizeof(TissueNumbers) / sizeof(double), INTRA = 3, EXTRA = 6, VELOCITY = 9 };
_Static_assert(VALUES == VELOCITY + 1, "D, intra, extra, velocity");

static double *values_of(TissueNumbers *number) { return (double *)(void *)number; }

/* One that the case gives. */
typedef struct Given {
  const char *name, *unit;
  char column[32]; /* of tables */
  double value;    /* NaN: it varies */
  const VaryingValue *varying;
} Given;

/* The k-th of the numbers; unit NULL: it is not given. */
static Given given_of(const Case *c, const CaseTissue *t, int k) {
  static const char *const way[] = {"along", "across", "normal"};
  static const char *const name[2][3] = {{"diffusivity along", "diffusivity across", "diffusivity normal"},
                                         {"velocity along", "velocity across", "velocity normal"}};
  const bool extra = k >= EXTRA;
  const VectorValue *v = extra ? &t->conductivity.extra : &t->conductivity.intra;
  const NumberValue *const D[] = {&t->diffusivity.along, &t->diffusivity.across, &t->diffusivity.normal};
  const NumberValue *one = k < INTRA ? D[k] : &t->velocity;
  Given out = {0};
  if (k >= INTRA && k < VELOCITY) {
    if (k % 3 >= v->n) return out;
    out = (Given){extra ? "extra" : "intra", "S/m", "", v->value[k % 3],
                  (extra ? t->conductivity.extra_varying : t->conductivity.intra_varying) + k % 3};
    snprintf(out.column, sizeof out.column, v->n > 1 ? "%s-%s" : "%s", out.name, way[k % 3]);
    return out;
  }
  if (!place_given(one->place)) return out;
  out = (Given){k < INTRA ? name[c->physics->by_velocity][k] : "velocity",
                k < INTRA && !c->physics->by_velocity ? "mm2/ms" : "mm/ms", "", one->value,
                k < INTRA ? &t->diffusivity.varying[k] : &t->velocity_varying};
  const Place whole = t->diffusivity.place;
  const bool alone =
      k == 0 && one->place.line == whole.line && one->place.column == whole.column; /* of all directions */
  const char *const key = c->physics->by_velocity ? "velocity" : "diffusivity";
  snprintf(out.column, sizeof out.column, "%s", alone ? key : k < INTRA ? way[k] : out.name);
  return out;
}

/* Of elements of tissue t the k-th number. */
static Status spread_number(const Case *c, const Mesh *mesh, Setup *setup, int32_t t, int k, const Given *given,
                            Diagnostics *out) {
  static const double LEAST = 1e-60, MOST = 1e60;
  const int32_t first = setup_first_solved(mesh), before = out->n;
  ScalarSource source;
  TRY(setup_source(c, mesh, setup, t, given->varying, given->column, given->name, &source, out));
  for (int32_t e = first; e < mesh->n_element && out->n == before; ++e) {
    const ElementBlock *block = mesh_block_of(mesh, e);
    double x[3];
    if (setup->element_material[e] != t) continue;
    const double value = setup_source_element(mesh, &source, e, x);
    values_of(&heart_setup(setup)->number[e - first])[k] = value;
    if (value >= LEAST && value <= MOST) continue;
    report_error(out, given->varying->place, "%s is %g %s in element %lld, (%g, %g, %g): must lie in [%g, %g]",
                 given->name, value, given->unit, (long long)block->tag[e - block->first], x[0], x[1], x[2], LEAST,
                 MOST);
  }
  return OK;
}

static bool needs_axes(const Case *c) {
  return case_has_extracellular(c) || place_given(c->output.medium.place) || c->torso.n > 0;
}

/* Diffusivities by conductivities, where the element has its own. False: they are the same in two directions. */
static bool make_diffusivities(const CaseConductivity *s, TissueNumbers *number) {
  bool told = true;
  for (int k = 0; k < s->intra.n; ++k) {
    const double in = number->intra[k], around = number->extra[k];
    number->D[k] = in / (in + around) * around / (s->surface.value * s->capacitance.value);
    for (int j = 0; j < k; ++j)
      told &= number->D[j] != number->D[k] || (number->intra[j] == in && number->extra[j] == around);
  }
  return told;
}

static void finish_tissue(const Case *c, const Mesh *mesh, Setup *setup, int32_t t, Diagnostics *out) {
  const CaseConductivity *s = &heart_tissue(c, t)->conductivity;
  HeartSetup *own = heart_setup(setup);
  const int32_t first = setup_first_solved(mesh);
  bool vary = false, told = true;
  for (int k = 0; k < 3; ++k) vary |= place_given(s->intra_varying[k].place) || place_given(s->extra_varying[k].place);
  for (int32_t e = first; e < mesh->n_element && vary && told; ++e) {
    if (setup->element_material[e] != t) continue;
    told = make_diffusivities(s, &own->number[e - first]) || !needs_axes(c);
    if (told) continue;
    const ElementBlock *block = mesh_block_of(mesh, e);
    report_error(out, s->intra.place,
                 "the conductivities of element %lld make the same diffusivity in two directions, by which their axes "
                 "cannot be told; leads in mV and 'extracellular' need them",
                 (long long)block->tag[e - block->first]);
  }
}

static void find_mean(const Mesh *mesh, const Setup *setup, int32_t t) {
  HeartSetup *own = heart_setup(setup);
  const int32_t first = setup_first_solved(mesh);
  TissueNumbers sum = {0};
  double n = 0;
  for (int32_t e = first; e < mesh->n_element; ++e) {
    if (setup->element_material[e] != t) continue;
    for (int k = 0; k < VALUES; ++k) values_of(&sum)[k] += values_of(&own->number[e - first])[k];
    n += 1;
  }
  for (int k = 0; k < VALUES && n > 0; ++k) values_of(&own->mean[t])[k] = values_of(&sum)[k] / n;
}

static bool tissue_varies(const Case *c, const CaseTissue *t) {
  bool any = false;
  for (int k = 0; k < VALUES; ++k) any |= isnan(given_of(c, t, k).value);
  return any;
}

static Status vary_tissue(const Case *c, const Mesh *mesh, Setup *setup, int32_t t, Diagnostics *out) {
  const int32_t before = out->n;
  for (int k = 0; k < VALUES; ++k) {
    const Given given = given_of(c, heart_tissue(c, t), k);
    const bool source = given.unit && isnan(given.value) &&
                        (given.varying->expr.text || given.varying->field.text || given.varying->table.text);
    if (source) TRY(spread_number(c, mesh, setup, t, k, &given, out));
  }
  if (out->n > before) return OK;
  finish_tissue(c, mesh, setup, t, out);
  find_mean(mesh, setup, t);
  return OK;
}

Status setup_tissue_numbers(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *out) {
  HeartSetup *own = heart_setup(setup);
  const int32_t first = setup_first_solved(mesh), n = mesh->n_element - first;
  bool any = false;
  ALLOC(own->mean, c->materials.n, "numbers of the tissues");
  for (int32_t t = 0; t < c->materials.n; ++t) {
    for (int k = 0; k < VALUES; ++k) values_of(&own->mean[t])[k] = given_of(c, heart_tissue(c, t), k).value;
    any |= tissue_varies(c, heart_tissue(c, t));
  }
  if (!any) return OK;
  ALLOC(own->number, n, "numbers of the tissues");
  for (int32_t e = 0; e < n; ++e)
    if (setup->element_material[first + e] >= 0) own->number[e] = own->mean[setup->element_material[first + e]];
  for (int32_t t = 0; t < c->materials.n; ++t)
    if (tissue_varies(c, heart_tissue(c, t))) TRY(vary_tissue(c, mesh, setup, t, out));
  return OK;
}
