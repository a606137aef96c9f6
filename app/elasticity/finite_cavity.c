/* Cavities whose volume a case prescribes: what it is to be at a time, and the pressure that is found with it. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "app/elasticity/finite.h"
#include "app/elasticity/setup_pairs.h"
#include "app/input/physics.h"
#include "app/run/tables.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>

/* Of mm3, in a mL. */
static const double MICROLITRES = 1000;

/* Load of cavity i; NULL: there are no more. */
static const Load *cavity_load(const ElasticityParams *params, int32_t i) {
  for (int32_t l = 0; l < params->n_load; ++l)
    if (params->load[l].kind == LOAD_CAVITY && i-- == 0) return &params->load[l];
  return NULL;
}

/* Volumes of the body as it was, which V0 stands for. */
static Status volumes_at_start(Exec *exec, const SumParts *parts, Elasticity *elasticity, double *volume) {
  double *u = NULL;
  EXEC_ALLOC(exec, u, elasticity_dofs(elasticity), "displacement");
  const SumParts *before = exec_sum_over(exec, parts);
  Status status = exec_zero(exec, u, (size_t)elasticity_dofs(elasticity) * sizeof *u);
  if (status == OK) status = elasticity_cavity_volumes(elasticity, u, volume);
  exec_sum_over(exec, before);
  EXEC_RELEASE(exec, u, elasticity_dofs(elasticity));
  return status;
}

/* What of a volume may be rounding: of the cube of a size, as behind a flat surface with a lid. Of several ranks the largest of
 * their parts of the surface. */
static Status rounding_of(Exec *exec, const Mesh *mesh, const Group *on, double *out) {
  const double *first = NULL;
  double size = 0;
  for (int32_t k = 0; k < on->n; ++k) {
    const int32_t *node = mesh_nodes_of(mesh, on->element[k]);
    for (int32_t a = 0; a < element_type(mesh_block_of(mesh, on->element[k])->kind)->n_node; ++a) {
      const double *x = mesh->x[node[a]];
      if (!first) first = x;
      for (int i = 0; i < 3; ++i) size = fmax(size, fmax(fabs(x[i] - first[i]), 1e-3 * fabs(x[i])));
    }
  }
  TRY(comm_most(exec->comm, &size));
  *out = 1e-10 * size * size * size;
  return OK;
}

/* The edges of a cavity at the cuts of a sector are no rim: a lid over them would be a wall across the blood of all sectors. */
static Status check_lid(const ElasticSetup *own, const Load *load) {
  const Mesh *mesh = own->params.mesh;
  for (int32_t c = 0; load->lid && c < own->n_cut; ++c) {
    bool meets = false;
    Side side;
    TRY(side_create(mesh, own->cut[c].on, &side));
    for (int32_t k = 0; k < load->on->n && !meets; ++k) {
      const int32_t *node = mesh_nodes_of(mesh, load->on->element[k]);
      const ElementType *type = element_type(mesh_block_of(mesh, load->on->element[k])->kind);
      for (int32_t a = 0; a < type->n_node; ++a) meets = meets || side_has(&side, node[a]);
    }
    FREE(side.node);
    CHECK(!meets, ERR_INPUT,
          "%s: the surface '%s' ends at the cut '%s' of a sector, which a lid would close\n  allowed: a lid over holes "
          "of "
          "the body\n  remedy: the whole body; or its pressure, under 'boundary', on this group",
          load->where, load->on->name, own->cut[c].on->name);
  }
  return OK;
}

Status finite_cavities_create(const Run *run, const Setup *whole, Elasticity *elasticity, FiniteCavities *out) {
  const Case *c = run->c;
  const ElasticSetup *own = elastic_setup(run_setup(run, whole));
  const ElasticityParams *params = &own->params;
  Exec *exec = run->device.exec;
  *out = (FiniteCavities){
      .n = elasticity_cavities(elasticity), .ramp = case_ramps(c), .end = c->time.end.value, .unit = MICROLITRES};
  if (out->n == 0) return OK;
  TRY(volumes_at_start(exec, run->parts, elasticity, out->initial));
  for (int32_t i = 0; i < out->n; ++i) {
    const Load *load = cavity_load(params, i);
    double rounding;
    TRY(check_lid(own, load));
    TRY(rounding_of(exec, params->mesh, load->on, &rounding));
    CHECK(
        out->initial[i] > -rounding, ERR_INPUT,
        "%s: the surface '%s' has the body inside, not a cavity: the volume behind it is %g%s\n  remedy: the group of "
        "the facets that look into the cavity",
        load->where, load->on->name, out->initial[i] / (c->cavities.n ? out->unit : 1), c->cavities.n ? " mL" : "");
    out->load[i] = load;
    out->target[i] = load->value[0];
    if (!load->known) out->n_unknown = i + 1;
    const int32_t k = i - (out->n - c->cavities.n);
    out->flows[i] = k >= 0 && case_cavity_chamber(c, case_cavity_at(c, k)) >= 0;
    CHECK(!out->flows[i] || out->initial[i] > rounding, ERR_INPUT,
          "%s: the surface '%s' encloses no volume, and a chamber of the circulation must hold blood\n  remedy: the "
          "group of the facets that look into the cavity",
          load->where, load->on->name);
    const bool named = k >= 0 && !load->known && !out->flows[i];
    expr_place(&out->target[i], out->initial[i] / (named ? out->unit : 1));
    if (named) TRY_CONTEXT(expr_scale(&out->target[i], out->unit), "%s", load->where);
    out->volume[i] = out->initial[i];
  }
  return finite_cavities_press(out, 0);
}

Status finite_cavities_press(FiniteCavities *cavities, double time) {
  const double origin[3] = {0};
  for (int32_t i = cavities->n_unknown; i < cavities->n; ++i) {
    const double value = expr_value(&cavities->target[i], origin, time);
    cavities->pressure[i] = cavities->ramp ? value * time / cavities->end : value;
    CHECK(isfinite(value), ERR_INPUT, "%s: the pressure is %g at t = %g, must be finite", cavities->load[i]->where,
          value, time);
  }
  return OK;
}

Status finite_cavity_target(const FiniteCavities *cavities, int32_t i, double time, double *out) {
  const double origin[3] = {0}, first = cavities->initial[i];
  const double value = expr_value(&cavities->target[i], origin, time);
  const Load *load = cavities->load[i];
  *out = cavities->ramp ? first + (value - first) * time / cavities->end : value;
  CHECK(*out > 0 && isfinite(*out), ERR_INPUT,
        "%s: the volume of '%s' is to be %g at t = %g, must be > 0 and finite; it is %g at the start", load->where,
        load->on->name, *out, time, first);
  return OK;
}

Status finite_cavities_print(const Inspection *k, Elasticity *elasticity) {
  const Case *c = k->c;
  FiniteCavities of;
  if (!c->cavities.n) return OK;
  const Run run = {.c = c, .device.exec = k->exec};
  TRY(finite_cavities_create(&run, k->setup, elasticity, &of));
  for (int32_t i = 0; i < c->cavities.n && !k->quiet; ++i) {
    const double volume = of.initial[of.n - c->cavities.n + i] / of.unit;
    printf("cavity %s: %.6g mL in the mesh\n", case_cavity(c, case_cavity_at(c, i))->name.text, volume);
  }
  return OK;
}

/* Which one is behind this surface; -1: none. */
static int32_t cavity_of(const Setup *setup, const Group *on) {
  const ElasticityParams *params = &elastic_setup(setup)->params;
  const Load *load;
  for (int32_t i = 0; (load = cavity_load(params, i)); ++i)
    if (load->on == on || (on->n > 0 && load->on->n == on->n && load->on->element[0] == on->element[0] &&
                           load->on->element[on->n - 1] == on->element[on->n - 1]))
      return i;
  return -1;
}

void finite_sample_columns(const Case *c, const Setup *setup, const double *sample, double *value) {
  int32_t n_cavity = 0;
  while (cavity_load(&elastic_setup(setup)->params, n_cavity)) ++n_cavity;
  for (int32_t i = 0; i < c->output.sums.n; value += sum_columns(c, case_sum(c, i)), ++i) {
    const int32_t field = case_sum(c, i)->field.value;
    const bool of_cavity = field == SUM_VOLUME || field == SUM_PRESSURE;
    const int32_t cavity = of_cavity ? cavity_of(setup, setup->sum[i]) : -1;
    const int32_t bolt = field >= SUM_BOLT_FORCE ? case_bolt_on(c, &case_sum(c, i)->on) : -1;
    if (cavity >= 0) *value = sample[2 * cavity + (field == SUM_PRESSURE)];
    if (bolt >= 0) *value = sample[2 * (n_cavity + bolt) + (field == SUM_BOLT_ELONGATION)];
  }
}
