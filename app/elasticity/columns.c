/* Probes (nearest node, else interpolated with the shape functions) and sums over groups. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic_fields.h"
#include "app/elasticity/envelope.h"
#include "assembly/elasticity/reaction_share.h"
#include "core/memory.h"

#include <math.h>

FieldBits columns_needed(const Case *c) {
  FieldBits which = elastic_probes_need(c);
  for (int32_t i = 0; i < c->output.sums.n; ++i)
    which |= case_sum(c, i)->field.value == SUM_REACTION         ? FIELD_REACTION
             : case_sum(c, i)->field.value == SUM_MOMENT         ? FIELD_REACTION | FIELD_DISPLACEMENT
             : case_sum(c, i)->field.value == SUM_STRAIN_ENERGY  ? FIELD_STRAIN_ENERGY
             : case_sum(c, i)->field.value == SUM_CONTACT_FORCE  ? FIELD_CONTACT_FORCE
             : case_sum(c, i)->field.value == SUM_CONTACT_MOMENT ? FIELD_CONTACT_FORCE | FIELD_DISPLACEMENT
             : case_is_section(case_sum(c, i))                   ? FIELD_POINT_STRESS
                                                                 : 0;
  return which;
}

FieldBits results_needed(const Case *c) {
  FieldBits which = FIELD_DISPLACEMENT | elastic_fields_asked(c); /* how large it is says whether the theory holds */
  which |= columns_needed(c) | elastic_tables_need(c);
  if (elastic_has(c, ANALYSIS_STATIC) && case_has_strength(c)) which |= FIELD_SAFETY; /* for the summary */
  return which | envelopes_need(c, which);
}

/* Of a stress that is not at a node. */
static double of_stress(const double stress[6], FieldPart part) {
  double principal[3];
  if (part.row == ELASTIC_STRESS) return stress[part.component];
  if (part.row == ELASTIC_VON_MISES) return elastic_von_mises(stress);
  if (part.row != ELASTIC_PRINCIPAL) return (double)NAN; /* a row of averages that has no line here */
  elastic_principal(stress, principal);
  return principal[part.component];
}

static double at_node(const ElasticFields *fields, FieldPart part, int32_t node) {
  return elastic_field_value(fields, part.row)[(int64_t)node * elastic_field[part.row].width + part.component];
}

/* Of what an element of another material has at an interface. */
static double of_other(const OtherStress *other, FieldPart part) {
  if (part.row == ELASTIC_STRESS_MATERIAL) return other->stress_material[part.component];
  return part.row == ELASTIC_SAFETY ? other->safety : of_stress(other->stress, part);
}

bool results_seen(const ElasticFields *fields, FieldPart part, int32_t node, int32_t material, double *value) {
  const bool average = elastic_field[part.row].where == WHERE_AVERAGES;
  const int64_t other = average ? elastic_fields_other(fields, node, material) : -1;
  if (other >= 0) *value = of_other(&fields->other[other], part);
  return other >= 0;
}

double results_at(const Mesh *mesh, const Location *at, const ElasticFields *fields, FieldPart part) {
  if (at->node >= 0) return at_node(fields, part, at->node);
  const ElementType *type = element_type(mesh_block_of(mesh, at->element)->kind);
  const int32_t *nodes = mesh_nodes_of(mesh, at->element);
  const int32_t material = fields->material[at->element - setup_first_solved(mesh)];
  double N[ELEMENT_MAX_NODES], value = 0;
  type->values(at->xi, N);
  for (int32_t a = 0; a < type->n_node; ++a) {
    double seen;
    value += N[a] * (results_seen(fields, part, nodes[a], material, &seen) ? seen : at_node(fields, part, nodes[a]));
  }
  return value;
}

double line_stress(const Mesh *mesh, const Location at[LINE_POINTS], const ElasticFields *fields, LinePart take,
                   FieldPart part) {
  double first[6] = {0}, before[6] = {0}, membrane[6] = {0}, bending[6] = {0}, tensor[6];
  for (int i = 0; i < LINE_POINTS; ++i) {
    const double h = 1.0 / (LINE_POINTS - 1), s = 0.5 - h * i; /* from 1/2 to -1/2 */
    for (int k = 0; k < 6; ++k) {
      const double a = before[k], b = results_at(mesh, &at[i], fields, (FieldPart){ELASTIC_STRESS, k});
      before[k] = b;
      if (i == 0) first[k] = b;
      if (i == 0) continue;
      membrane[k] += h * (a + b) / 2; /* exact for a stress that is linear from point to point */
      bending[k] += h * (a * (s + h) + (a + b) * (2 * s + h) + b * s);
    }
  }
  for (int k = 0; k < 6; ++k) {
    const double both = membrane[k] + bending[k];
    tensor[k] = take == LINE_MEMBRANE           ? membrane[k]
                : take == LINE_BENDING          ? bending[k]
                : take == LINE_MEMBRANE_BENDING ? both
                                                : first[k] - both;
  }
  return of_stress(tensor, part);
}

/* What supports, prescribed rigid motions, springs and rigid obstacles hold, and in which components. Obstacles push along the facets'
 * normals; what friction and bends add no support holds. */
static int32_t list_held(const ElasticSetup *setup, SupportedGroup *held) {
  const ElasticityParams *params = &setup->params;
  int32_t n = 0;
  for (int32_t r = 0; r < setup->n_rigid; ++r)
    if (setup->rigid[r].components) held[n++] = setup->rigid[r];
  for (int32_t s = 0; s < params->n_support; ++s) {
    const Support *support = &params->support[s];
    held[n] = (SupportedGroup){.on = support->on, .normal = support->symmetry};
    for (int c = 0; c < 3; ++c) held[n].components |= (unsigned)expr_given(&support->value[c]) << c;
    ++n;
  }
  for (int32_t l = 0; l < params->n_load; ++l) {
    const Load *load = &params->load[l];
    if (load->kind != LOAD_SPRING) continue;
    held[n] = (SupportedGroup){.on = load->on, .spring = true};
    held[n].normal = load->along_normal;
    for (int c = 0; c < 3 && !load->along_normal; ++c) held[n].components |= (unsigned)expr_acts(&load->value[c]) << c;
    ++n;
  }
  for (int32_t o = 0; o < params->n_obstacle; ++o) {
    if (setup->obstacle[o].kind == OBSTACLE_BODY) continue;
    held[n++] = (SupportedGroup){.on = setup->obstacle[o].on, .normal = true};
    held[n++] = (SupportedGroup){.on = setup->obstacle[o].on, .spring = true, .components = 7};
  }
  return n;
}

/* What the group's own supports bear (reaction_share.h), or its moment. */
static Status sum_reaction(const Mesh *mesh, const ElasticSetup *setup, const Group *on, const ElasticFields *fields,
                           const MomentArm *arm, double sum[3]) {
  SupportedGroup *held = NULL;
  ALLOC(held,
        (int64_t)setup->n_rigid + setup->params.n_support + setup->params.n_load +
            2 * (int64_t)setup->params.n_obstacle,
        "parts of reactions");
  const Status status = reaction_share_sum(mesh, list_held(setup, held), held, on, 3, fields->reaction[0], arm, sum);
  FREE(held);
  return status;
}

/* At finite strain about the point of space, of nodes where they have gone to. A flat model has the component z alone. */
static Status sum_moment(const Case *c, const Mesh *mesh, const Setup *setup, const CaseSum *sum, const Group *on,
                         const ElasticFields *fields, double value[3]) {
  const double about[3] = {sum->about.value[0], sum->about.value[1], sum->about.n > 2 ? sum->about.value[2] : 0};
  const bool moved = elastic_has(c, HAS_LARGE_STRAIN);
  const MomentArm arm = {about, moved ? (const double(*)[3])fields->displacement : NULL};
  TRY(sum_reaction(mesh, elastic_setup(setup), on, fields, &arm, value));
  if (case_dim(c) == 2) value[0] = value[2];
  return OK;
}

static Status sum_value(const Case *c, const Mesh *mesh, const Setup *setup, const CaseSum *sum, const Group *on,
                        const ElasticFields *fields, double value[3]) {
  if (sum->field.value == SUM_REACTION) return sum_reaction(mesh, elastic_setup(setup), on, fields, NULL, value);
  if (sum->field.value == SUM_MOMENT) return sum_moment(c, mesh, setup, sum, on, fields, value);
  if (sum->field.value == SUM_CONTACT_FORCE || sum->field.value == SUM_CONTACT_MOMENT) return OK; /* contact_sums.c */
  if (case_is_section(sum)) return section_sum(c, mesh, setup, sum, on, fields, value);
  if (sum->field.value >= SUM_VOLUME) return OK; /* finite_cavity.c has them */
  for (int32_t i = 0; i < on->n; ++i) value[0] += fields->strain_energy[on->element[i] - setup_first_solved(mesh)];
  return OK;
}

Status results_columns(const Case *c, const Mesh *mesh, const Setup *setup, const ElasticFields *fields, double *out) {
  const ElasticSetup *own = elastic_setup(setup);
  for (int32_t i = 0; i < c->output.probes.n; ++i)
    *out++ = own->line[i]
                 ? line_stress(mesh, own->line[i], fields, (LinePart)case_probe(c, i)->take.value, own->probe[i])
                 : results_at(mesh, &setup->probe[i], fields, own->probe[i]);
  return results_sums(c, mesh, setup, fields, out);
}

Status results_sums(const Case *c, const Mesh *mesh, const Setup *setup, const ElasticFields *fields, double *out) {
  for (int32_t i = 0; i < c->output.sums.n; ++i) {
    double value[3] = {0};
    TRY(sum_value(c, mesh, setup, case_sum(c, i), setup->sum[i], fields, value));
    for (int k = 0; k < sum_columns(c, case_sum(c, i)); ++k) *out++ = value[k];
  }
  return OK;
}
