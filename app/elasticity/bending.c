/* Plain linear quadrilaterals and hexahedra that bend: found by what incompatible modes would change. */
#include "app/elasticity/elastic.h"

static const double STIFF = 0.05; /* of the energy: from here on it is said */

/* "quad4", "hex8". */
static const char *plain_name(const Mesh *mesh) { return mesh->dim == 2 ? "quad4" : "hex8"; }

Status elastic_look_at_bending(const Run *run, Elasticity *elasticity, const double *u, double energy, bool finite) {
  double gain;
  if (run->share || run->rehearsed || !elasticity_is_plain(elasticity)) return OK;
  TRY(elasticity_bending_gain(elasticity, u, &gain));
  if (!(gain > 0)) return OK;
  if (!(energy > 0)) {
    ElasticFields fields;
    TRY(elasticity_recover(elasticity, u, 0, &fields));
    energy = fields.energy;
    elastic_fields_release(&fields);
  }
  const double share = gain / energy;
  if (!(share > STIFF && share < 1)) return OK;
  status_warn(
      "plain %s elements are bent, for which they are too stiff: displacements under loads come out too small by "
      "about %.0f %%\n  remedy: mesh: {order: 2}%s",
      plain_name(run->mesh), 100 * share,
      finite ? "" : ", or incompatible modes: no 'formulation', in a deck C3D8I, CPS4I or CPE4I");
  warnings_print();
  return OK;
}
