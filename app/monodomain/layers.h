/* `layers:` of a heart: two surfaces in space, such as endocardium and epicardium of an atrium, that a conductance per area
 * couples (bilayer models: Labarthe et al., Europace 16, iv21, 2014). With areas A_i of the nodes of the one and the places on the
 * other that are nearest to them,
 *   A_i h_1 dV_1/dt = ... - g A_i (V_1 - V_2),  and the opposite at the nodes around that place,
 * g in mm/ms: the conductance over surface-to-volume ratio and capacitance, a diffusivity over a distance. */
#pragma once
#include "app/input/case.h"
#include "app/monodomain/setup_heart.h"

extern const Schema heart_layers_schema;
static inline CaseLayers *case_layers(const Case *c, int32_t i) {
  return (CaseLayers *)maps_item(&c->layers, sizeof(CaseLayers), i);
}
/* What the case alone can tell: what layers cannot be combined with. */
void layers_check(const Case *c, Diagnostics *diagnostics);
/* After the trees of a setup, of which there are none beside layers: links between the surfaces. Reports a mesh without surfaces in
 * space, groups that share nodes, surfaces that are nowhere within reach. */
Status heart_layers(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics);
/* Of layers in a bidomain: */
/* Whether these make one piece of the mesh. */
Status layers_one_piece(const Mesh *mesh, const HeartSetup *own, bool *one);
/* [n_link], owned by the caller: with the conductances of the cells, of the space outside, or both, times the factor. */
Status layers_links(const HeartSetup *own, bool inside, bool outside, double factor, DiffusionLink **out);
/* What of the cells' conductances is not in series with that outside, at the thinnest place, 1/ms; 0: there are no layers. */
double layers_lag(const Case *c, const Mesh *mesh, const HeartSetup *own);
/* A line for each pair. */
void layers_text(const Case *c, const Setup *setup, Text *out);
