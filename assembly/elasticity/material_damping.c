/* Damping in proportion to the stiffness of the materials at rest, beta C: with linear laws of their own, in all elements, by the kernels
 * of damping_rows.h, or as the elements have them that bend by incompatible modes, and dashpots beside springs. docs/theory/dynamics.md. */
#include "assembly/elasticity/bubble.h"
#include "assembly/elasticity/elasticity_data.h"
#include "assembly/elasticity/point_kernels.h"
#include "assembly/elasticity/rows.h"
#include "assembly/elasticity/tangent.h"
#include "core/memory.h"

#include <string.h>
#include "physics/material.h"

/* The law of a material at rest, and its viscosity over what all laws are multiplied with; those that are linear stay as they are where
 * they vary. */
static Status law_at_rest(const MaterialValues *from, double damping, int anisotropic, MaterialValues *to) {
  const MaterialType *type = material_type(from->kind);
  *to = *from;
  to->active = (MaterialActive){0};
  to->initial = NULL;
  if (from->n_varying && damping > 0) {
    CHECK(type->shape.linear && !(from->viscosity > 0), ERR_INPUT,
          "%s%sdamping by 'beta' beside a material '%s' whose parameters vary from place to place is not understood\n  "
          "remedy: numbers, 'alpha', or a linear material",
          from->varying->source.where ? from->varying->source.where : "", from->varying->source.where ? ": " : "",
          type->name);
    return OK;
  }
  to->kind = anisotropic;
  to->n_varying = 0;
  const bool answers = material_moduli_at_rest(from->kind, from->value, to->value);
  CHECK(answers || !(damping > 0), ERR_INPUT,
        "material '%s' has no stiffness at rest, which damping by 'beta' is in proportion to", type->name);
  for (int I = 0; I < 6; ++I)
    for (int J = I; J < 6; ++J) {
      double *C = &to->value[linear_index(I, J)];
      if (!(damping > 0)) *C = 0;
      if (I == J)
        *C += from->viscosity * (I < 3 ? 1 : 0.5) / (damping > 0 ? damping : 1); /* shear is twice the tensor's */
    }
  return OK;
}

static Status points_fill(Elasticity *p, const ElasticityParams *params, MaterialValues *material) {
  Space *s = p->space;
  ElasticityParams laws = *params;
  ElasticityPoints *points = &p->damping.points;
  bool bends = false;
  for (int32_t k = 0; k < s->set.n_solved_block; ++k) bends = bends || p->points.bubbles[k];
  const int anisotropic = material_by_name("anisotropic");
  for (int32_t m = 0; m < params->n_material; ++m)
    TRY(law_at_rest(&params->material[m], params->damping, anisotropic, &material[m]));
  laws.material = material;
  laws.temperature = NULL;
  laws.finite = false;
  laws.formulation = bends && !params->finite ? params->formulation : FORMULATION_DISPLACEMENT;
  TRY(points_create(s->exec, &laws, &s->set, &s->numbering, points));
  for (int64_t k = 0; k < points->n_law_number && params->damping > 0; ++k) points->law[k] *= params->damping;
  return exec_upload(s->exec, points->exec_law, points->law, (size_t)points->n_law_number * sizeof *points->law);
}

Status damping_of_springs(Loads *loads, double beta) {
  if (!(beta > 0)) return OK;
  for (int32_t k = 0; k < loads->n_spring; ++k) {
    SpringBlock *b = &loads->spring[k];
    const int64_t n = b->type->n_node;
    const int64_t numbers = n * (n + 1) / 2 * spring_numbers(loads->n_component, b->form) * b->n;
    if (!b->kappa) continue;
    if (!b->viscosity) ALLOC(b->viscosity, numbers, "damping of springs");
    for (int64_t i = 0; i < numbers; ++i) b->viscosity[i] += beta * b->kappa[i];
  }
  return OK;
}

Status damping_create(Elasticity *p, const ElasticityParams *params) {
  MaterialValues *material = NULL;
  bool any = params->damping > 0;
  for (int32_t m = 0; m < params->n_material; ++m) any |= params->material[m].viscosity > 0;
  if (!any) return OK;
  ALLOC(material, params->n_material, "materials");
  const Status status = points_fill(p, params, material);
  FREE(material);
  p->damping.there = true;
  TRY(status);
  memcpy(p->damping.points.mean_modes, p->points.mean_modes, sizeof p->points.mean_modes);
  return tangents_make_room(p->space->exec, &p->space->set, true, &p->damping.points);
}

bool elasticity_viscosity_varies(const Elasticity *p) { return p->damping.there; }

void damping_release(Elasticity *p) {
  Space *s = p->space;
  points_release(s->exec, &s->set, &p->damping.points);
  EXEC_RELEASE(s->exec, p->damping.u, s->n_read);
}

/* Block k, elements from `first` on. */
static PointArgs damping_args(const Elasticity *p, const ElementArgs *element, int32_t k, int64_t first) {
  PointArgs args = points_args(&p->damping.points, k, first, element, p->space->block[k].stiffness.N);
  args.finite = p->points.finite && element->u;
  if (args.bubble) return args;
  args.room = p->damping.points.room;
  return args;
}

Status damping_forces(const Elasticity *p, const double *u, const double *v) {
  const Space *s = p->space;
  for (int32_t k = 0; k < s->set.n_solved_block; ++k) {
    const bool bends = p->damping.points.bubbles[k];
    const ElementArgs element = elasticity_element_args(p, k, bends ? v : p->points.finite ? u : NULL);
    const PointArgs args = damping_args(p, &element, k, 0);
    const ForceArgs more = {.v = v, .each = damping_point_numbers(args.dim, args.mean_modes)};
    if (bends) TRY(bubbles_force(s->exec, &args));
    else
      TRY(forces_in_parts(s->exec, &damping_force_kernel, args.mean_modes ? &damping_grow_kernel : NULL, &args, &more));
  }
  return OK;
}

Status damping_matrices(const Elasticity *p, const SpaceBatch *batch, const double *u) {
  const Space *s = p->space;
  for (int32_t k = 0; k < s->set.n_solved_block; ++k) {
    const bool bends = p->damping.points.bubbles[k];
    const ElementArgs element =
        elasticity_block_args(p, &batch->set.block[k], k, batch->first[k], p->points.finite ? u : NULL);
    const PointArgs args = damping_args(p, &element, k, batch->first[k]);
    if (!bends) TRY(tangents_in_parts(s->exec, &damping_tangent_kernel, s->set.block[k].type->kind, &args));
    if (bends) TRY(point_kernels_pairs(s->exec, s->set.block[k].type->kind, &args));
    if (bends) TRY(bubbles_pairs(s->exec, &p->damping.points, &args));
  }
  return OK;
}
