/* `layers:`: keys, and what they cannot be combined with. */
#include "app/input/case_tables.h"
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/layers.h"

#include <math.h>

static const Key layers_keys[] = {
    {"from", VALUE_NAMES, true, AT(CaseLayers, from), .meaning = "group or list of groups of surfaces, as endocardium"},
    {"to", VALUE_NAMES, true, AT(CaseLayers, to), .meaning = "the surfaces that they are coupled to, as epicardium"},
    {"conductance", VALUE_NUMBER, true, AT(CaseLayers, conductance), .max = INFINITY,
     .meaning = "mm/ms: per area, over surface-to-volume ratio and capacitance; a diffusivity over a distance"},
    {"within", VALUE_NUMBER, false, AT(CaseLayers, within), .open_min = true, .max = INFINITY,
     .meaning = "mm: nodes of 'from' that are farther away stay alone; none does unless given"}};
const Schema heart_layers_schema = {SCHEMA("an entry of the layers", layers_keys, CaseLayers)};

void layers_check(const Case *c, Diagnostics *out) {
  static const char remedy[] = "\n  remedy: leave one of the two out";
  if (!place_given(c->layers.place)) return;
  if (c->layers.n == 0)
    report_error(out, c->layers.place,
                 "layers is empty; it needs an entry for each pair of surfaces, such as {from: endo, to: epi, "
                 "conductance: 0.05}");
  if (heart_is_bidomain(c))
    report_error(out, c->layers.place,
                 "layers are of the monodomain; 'model: bidomain' does not couple the space outside of their cells%s",
                 remedy);
  if (place_given(c->eikonal.place))
    report_error(out, c->layers.place, "fronts of 'eikonal:' do not pass from layer to layer%s", remedy);
  if (c->purkinje.n) report_error(out, c->layers.place, "layers and 'purkinje:' cannot be combined%s", remedy);
  if (c->reaction.value > 0)
    report_error(out, c->layers.place, "layers couple nodes, and 'reaction: gauss' has its cells elsewhere%s", remedy);
}
