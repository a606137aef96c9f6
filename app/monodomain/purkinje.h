/* Trees of Purkinje fibres: from a case to its mesh, to links between nodes, and what is said of them. Lines are pieces of a cable
 * of area pi radius^2, so that a link has conductance D area / length and mass area length / 2 at each of its ends; a junction is
 * links from an end to the nodes of tissue within its radius, whose conductances add up to 1 / (R beta C): kOhm times 1/mm
 * times uF/mm2 is ms/mm3. */
#pragma once
#include "app/monodomain/setup_heart.h"
#include "output/text.h"

/* Physics.add_to_mesh: trees from files, groups or by rule become nodes, lines and groups. ERR_INPUT: an unknown group;
 * ERR_MESH: as cable.h has it. */
Status purkinje_add(const Case *c, Mesh *mesh);
/* Links and cells of the trees, behind setup_cells. ERR_INPUT by the diagnostics: an end farther from the tissue than the radius of
 * the junction. */
Status setup_purkinje(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics);
/* A line per tree: nodes, length, ends, nodes of tissue that they reach. */
void purkinje_text(const Case *c, const Mesh *mesh, const Setup *setup, Text *out);
/* After the run, from times of activation in mesh order: a front that died out in a tree, and ends that were activated, but not
 * the tissue at them. *told: of the former. */
Status purkinje_warn(const Case *c, const Mesh *mesh, const Setup *setup, const double *activation, bool *told);
/* Bits of nodes: an element of tissue, a line of a tree. */
enum { NODE_TISSUE = 1, NODE_TREE = 2 };
void purkinje_nodes(const Mesh *mesh, uint8_t *bits);
/* purkinje_places.c: where in the tissue nodes are, by nodes of it and their shares: a node of tissue at itself, one of a tree at the
 * nearest point of the elements around the nearest node, others nowhere. Owned: start[n_node + 1], at and share
 * [start[n_node]]. */
typedef struct TissuePlaces {
  int32_t *start, *at;
  double *share;
} TissuePlaces;
Status tissue_places_create(const Mesh *mesh, TissuePlaces *out); /* ERR_MEMORY */
void tissue_places_release(TissuePlaces *places);
