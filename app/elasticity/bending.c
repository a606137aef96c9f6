/* Plain linear quadrilaterals and hexahedra that bend: found by what incompatible modes would change. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "app/elasticity/modal.h"
#include "app/run/ranks.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>

static const double STIFF = 0.05; /* of the energy: from here on it is said */

/* "quad4", "hex8". */
static const char *plain_name(const Mesh *mesh) { return mesh->dim == 2 ? "quad4" : "hex8"; }

static double share_of(const Bending *b) { return b->energy > 0 && b->gain > 0 ? b->gain / b->energy : 0; }

static Status gain_of(const Run *run, Elasticity *elasticity, const double *u, double *gain) {
  double *each = NULL;
  if (!run->share) return elasticity_bending_gain(elasticity, u, NULL, gain);
  ALLOC(each, run_mesh(run)->n_element - setup_first_solved(run_mesh(run)), "energy of bending");
  Status status = elasticity_bending_gain(elasticity, u, each, gain);
  if (status == OK) status = elastic_total(run, each, gain);
  FREE(each);
  return status;
}

static Status energy_of(const Run *run, Elasticity *elasticity, const double *u, double *energy) {
  ElasticFields fields;
  TRY(elasticity_recover(elasticity, u, run->share ? FIELD_STRAIN_ENERGY : 0, &fields));
  *energy = fields.energy;
  const Status status = run->share ? elastic_total(run, fields.strain_energy, energy) : OK;
  elastic_fields_release(&fields);
  return status;
}

Status elastic_add_bending(const Run *run, Elasticity *elasticity, const double *u, double energy, Bending *sum) {
  bool plain;
  double gain = 0;
  TRY(ranks_any(run, elasticity_is_plain(elasticity), &plain));
  if (!plain) return OK;
  const SumParts *before = exec_sum_over(run->device.exec, NULL); /* of elements here, not of unknowns */
  Status status = gain_of(run, elasticity, u, &gain);
  if (status == OK && !(energy > 0)) status = energy_of(run, elasticity, u, &energy);
  exec_sum_over(run->device.exec, before);
  TRY(status);
  if (isfinite(gain) && isfinite(energy)) sum->gain += gain, sum->energy += energy;
  return OK;
}

Status elastic_watch_bending(const Run *run, Elasticity *elasticity, const double *u, Bending *sum) {
  const int64_t n = ++sum->calls;
  return n & (n - 1) ? OK : elastic_add_bending(run, elasticity, u, 0, sum);
}

Bending elastic_worse_bending(Bending a, Bending b) { return share_of(&b) > share_of(&a) ? b : a; }

/* What a stiffness that is too large does besides. */
static const char *beside_text(const Case *c, double share, char text[80]) {
  *text = 0;
  if (elastic_has(c, ANALYSIS_BUCKLING))
    snprintf(text, 80, ", load factors too large by about %.0f %%", 100 * share / (1 - share));
  else if (elastic_has(c, HAS_INERTIA))
    snprintf(text, 80, ", natural frequencies too high by about %.0f %%", 100 * (1 / sqrt(1 - share) - 1));
  return text;
}

void elastic_tell_bending(const Run *run, const Bending *sum) {
  const double share = share_of(sum);
  char beside[80];
  if (run->rehearsed || !run_is_root(run) || !(share > STIFF && share < 1)) return;
  status_warn(
      "plain %s elements are bent, for which they are too stiff: displacements under loads come out too small by "
      "about %.0f %%%s\n  remedy: mesh: {order: 2}%s",
      plain_name(run->mesh), 100 * share, beside_text(run->c, share, beside),
      case_is_linear(run->c) ? ", or incompatible modes: no 'formulation', in a deck C3D8I, CPS4I or CPE4I" : "");
  warnings_print();
}

Status elastic_check_bending(const Run *run, Elasticity *elasticity, const double *u, double energy) {
  Bending one = {0};
  TRY(elastic_add_bending(run, elasticity, u, energy, &one));
  elastic_tell_bending(run, &one);
  return OK;
}
