/* Reference nodes of *RIGID BODY and *COUPLING. A load on a reference node is spread over its group, which is
 * equivalent if the group is rigid; a support of it prescribes the motion of the group. */
#include "app/deck/deck_hub.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int by_node(const void *left, const void *right) {
  const DeckWeight *a = left, *b = right;
  return (a->node > b->node) - (a->node < b->node);
}

/* Each node once, with all of its weight. */
static void merge_weights(DeckHub *h) {
  int32_t n = 0;
  if (h->n) qsort(h->item, (size_t)h->n, sizeof *h->item, by_node);
  for (int32_t i = 0; i < h->n; ++i) {
    if (n && h->item[n - 1].node == h->item[i].node) h->item[n - 1].weight += h->item[i].weight;
    else h->item[n++] = h->item[i];
  }
  h->n = n;
}

static Status add_node(DeckHub *h, int32_t node, double weight) {
  if ((h->n & (h->n - 1)) == 0) RESIZE(h->item, h->n ? 2 * (int64_t)h->n : 1, "nodes of a coupling");
  h->item[h->n++] = (DeckWeight){node, weight};
  return OK;
}

/* The nodes of a face with their parts of its area. */
static Status add_facet(const Deck *d, DeckHub *h, const InpFacet *facet) {
  const ElementFace *face = &element_type(inp_kind_of(d->inp, facet->element))->face[facet->face];
  const ElementType *type = element_type(face->kind);
  const int32_t *nodes = inp_nodes_of(d->inp, facet->element);
  double x[ELEMENT_MAX_NODES][3], N[ELEMENT_MAX_NODES], J[3][3], weight[ELEMENT_MAX_NODES] = {0};
  Quadrature rule;
  TRY(element_load_quadrature(type, &rule));
  for (int32_t a = 0; a < type->n_node; ++a) memcpy(x[a], d->inp->x[nodes[face->nodes[a]]], sizeof x[a]);
  for (int32_t q = 0; q < rule.n; ++q) {
    const double w = rule.weight[q] * fabs(element_jacobian(type, (const double(*)[3])x, rule.xi[q], J, false));
    type->values(rule.xi[q], N);
    for (int32_t a = 0; a < type->n_node; ++a) weight[a] += w * N[a];
  }
  for (int32_t a = 0; a < type->n_node; ++a) TRY(add_node(h, nodes[face->nodes[a]], weight[a]));
  return OK;
}

static Status hub_new(Deck *d, bool rigid, DeckHub **out) {
  TRY(deck_grow((void **)&d->model.hub, d->model.n_hub, sizeof *d->model.hub, "reference nodes"));
  if (!d->model.hub_of) ALLOC(d->model.hub_of, d->inp->n_node, "reference nodes");
  *out = &d->model.hub[d->model.n_hub++];
  **out = (DeckHub){.rigid = rigid, .node = -1, .turn = -1};
  return deck_row(d, NULL, &(*out)->row);
}

/* The node of a parameter, or of a set with one node; -1: the parameter is not there. */
static Status node_parameter(Deck *d, const char *word, int32_t *node) {
  const char *name = inp_parameter(d->card, word);
  int64_t tag;
  *node = -1;
  if (!name) return OK;
  const InpSet *set = inp_item(d->inp, 0, true, name, &tag) ? NULL : inp_nset(d->inp, name);
  if (set && set->n == 1) *node = set->item[0];
  else if (inp_item(d->inp, 0, true, name, &tag)) *node = tag_map_find(&d->inp->node_of, tag);
  return *node >= 0 ? OK : inp_fail(d->inp, d->card, "%s: there is no node '%.80s'", word, name);
}

static Status hub_ready(Deck *d, DeckHub *h) {
  merge_weights(h);
  if (h->n == 0) return inp_fail(d->inp, d->card, "has no nodes");
  for (int32_t i = 0; i < h->n; ++i)
    if (h->item[i].node == h->node || h->item[i].node == h->turn)
      return inp_fail(d->inp, d->card, "node %lld is among the nodes of its own group",
                      (long long)d->inp->node_tag[h->item[i].node]);
  for (int k = 0; k < 2; ++k) {
    const int32_t node = k ? h->turn : h->node;
    if (node < 0) continue;
    if (d->model.hub_of[node])
      return inp_fail(d->inp, d->card, "node %lld is a reference node already", (long long)d->inp->node_tag[node]);
    d->model.hub_of[node] = d->model.n_hub;
  }
  return OK;
}

static Status add_set(Deck *d, DeckHub *h, const char *nset, const char *elset) {
  const InpSet *set = nset ? inp_nset(d->inp, nset) : elset ? inp_elset(d->inp, elset) : NULL;
  if (!set)
    return inp_fail(d->inp, d->card, "there is no %s set '%.80s'", nset ? "node" : "element",
                    nset    ? nset
                    : elset ? elset
                            : "");
  for (int32_t i = 0; i < set->n; ++i) {
    if (nset) {
      TRY(add_node(h, set->item[i], 1));
      continue;
    }
    const int32_t *nodes = inp_nodes_of(d->inp, set->item[i]),
                  n = element_type(inp_kind_of(d->inp, set->item[i]))->n_node;
    for (int32_t a = 0; a < n; ++a) TRY(add_node(h, nodes[a], 1));
  }
  return OK;
}

Status deck_hub_of_spin(Deck *d, int32_t node, int32_t n, const int32_t *nodes) {
  DeckHub *h;
  TRY(hub_new(d, false, &h));
  h->spin = true, h->node = node;
  for (int32_t i = 0; i < n; ++i) TRY(add_node(h, nodes[i], 1));
  return hub_ready(d, h);
}

Status deck_card_rigid(Deck *d) {
  const char *nset = inp_parameter(d->card, "NSET"), *pin = inp_parameter(d->card, "PINNSET");
  const char *tie = inp_parameter(d->card, "TIENSET");
  DeckHub *h;
  TRY(hub_new(d, true, &h));
  TRY(node_parameter(d, "REFNODE", &h->node));
  TRY(node_parameter(d, "ROTNODE", &h->turn));
  if (h->node < 0) return inp_fail(d->inp, d->card, "has no REF NODE=");
  TRY(add_set(d, h, nset ? nset : pin ? pin : tie, inp_parameter(d->card, "ELSET")));
  for (int32_t i = 0; i < h->n; ++i) h->item[i].weight = 1;
  return hub_ready(d, h);
}

/* *KINEMATIC and *DISTRIBUTING, the card behind *COUPLING: all displacements. */
static Status coupled_directions(Deck *d, const InpCard *card, DeckHub *h) {
  InpCursor cursor = {0};
  InpLine line;
  bool held[7] = {false}, any = false;
  while (inp_next(d->inp, card, &cursor, &line)) {
    int64_t first, last;
    if (!inp_whole(line.field[0], &first))
      return inp_line_fail(d->inp, card, &line, "'%.40s' is not a direction", line.field[0]);
    last = first;
    if (line.n > 1 && *line.field[1] && !inp_whole(line.field[1], &last)) last = 0;
    if (first < 1 || last < first || last > 6)
      return inp_line_fail(d->inp, card, &line, "directions %lld to %lld; 1 to 6 are", (long long)first,
                           (long long)last);
    for (int64_t k = first; k <= last; ++k) held[k] = any = true;
  }
  for (int k = 1; any && k <= deck_dim(d); ++k)
    if (!held[k] && inp_is(card, "KINEMATIC"))
      return inp_fail(d->inp, card, "leaves direction %d free, which is not understood; all displacements coupled are",
                      k);
  for (int k = 1; k < 7; ++k) h->open[k - 1] = any && !held[k] && inp_is(card, "DISTRIBUTING");
  return OK;
}

Status deck_card_coupling(Deck *d) {
  const char *name = inp_parameter(d->card, "SURFACE");
  const InpSurface *surface = name ? inp_surface(d->inp, name) : NULL;
  const InpCard *next = d->card + 1;
  const bool last = next == d->inp->card + d->inp->n_card, rigid = !last && inp_is(next, "KINEMATIC");
  DeckHub *h;
  const char *weighting = last ? NULL : inp_parameter(next, "WEIGHTINGMETHOD");
  if (!surface) return inp_fail(d->inp, d->card, "there is no surface '%.80s'", name ? name : "");
  if (weighting && strcasecmp(weighting, "UNIFORM") != 0)
    return inp_fail(d->inp, next, "WEIGHTING METHOD=%.40s is not understood; UNIFORM, by the area of nodes, is",
                    weighting);
  if (last || (!rigid && !inp_is(next, "DISTRIBUTING")))
    return inp_fail(d->inp, d->card, "*KINEMATIC or *DISTRIBUTING must follow");
  TRY(hub_new(d, rigid, &h));
  TRY(node_parameter(d, "REFNODE", &h->node));
  if (h->node < 0) return inp_fail(d->inp, d->card, "has no REF NODE=");
  TRY(coupled_directions(d, next, h));
  for (int32_t i = 0; i < surface->n; ++i)
    TRY(surface->facet ? add_facet(d, h, &surface->facet[i]) : add_node(h, surface->node[i], 1));
  if (rigid) {
    merge_weights(h);
    for (int32_t i = 0; i < h->n; ++i) h->item[i].weight = 1;
  }
  return hub_ready(d, h);
}

/* Says nothing by itself: *COUPLING in front of it has read it. */
Status deck_card_coupled(Deck *d) {
  if (d->card == d->inp->card || !inp_is(d->card - 1, "COUPLING"))
    return inp_fail(d->inp, d->card, "does not follow a *COUPLING");
  return OK;
}

/* The card of an element DCOUP3D in the set: its node is the reference node. */
static const InpCard *coupling_element(const Deck *d, const char *elset) {
  for (int32_t c = 0; c < d->inp->n_card; ++c) {
    const InpCard *card = &d->inp->card[c];
    const char *set = inp_parameter(card, "ELSET"), *type = inp_parameter(card, "TYPE");
    if (inp_is(card, "ELEMENT") && type && strcasecmp(type, "DCOUP3D") == 0 && set && strcasecmp(set, elset) == 0)
      return card;
  }
  return NULL;
}

bool deck_is_coupling_set(const Deck *d, const char *elset) { return elset && coupling_element(d, elset); }

Status deck_card_distributing(Deck *d) {
  const char *elset = inp_parameter(d->card, "ELSET");
  const InpCard *element = elset ? coupling_element(d, elset) : NULL;
  InpCursor cursor = {0};
  InpLine line;
  int64_t tag;
  int32_t one;
  const InpSet *set;
  DeckHub *h;
  if (!element) return inp_fail(d->inp, d->card, "there is no element DCOUP3D of a set '%.80s'", elset ? elset : "");
  TRY(hub_new(d, false, &h));
  if (!inp_next(d->inp, element, &cursor, &line) || line.n < 2 || !inp_item(d->inp, 0, true, line.field[1], &tag))
    return inp_fail(d->inp, element, "an element of DCOUP3D has one node");
  h->mean = true;
  h->node = tag_map_find(&d->inp->node_of, tag);
  if (h->node < 0) return inp_line_fail(d->inp, element, &line, "node %lld does not exist", (long long)tag);
  for (cursor = (InpCursor){0}; inp_next(d->inp, d->card, &cursor, &line);) {
    double weight;
    TRY(deck_nodes_of(d, &line, &one, &set));
    TRY(inp_number(d->inp, d->card, &line, 1, &weight));
    if (!(weight > 0)) return inp_line_fail(d->inp, d->card, &line, "the weight %g is not > 0", weight);
    for (int32_t i = 0; i < (set ? set->n : 1); ++i) TRY(add_node(h, set ? set->item[i] : one, weight));
  }
  return hub_ready(d, h);
}

/* J b = M, by elimination with the largest pivot of the diagonal; J and M are lost. False: nodes in a line bear no moment
 * about it. */
static bool spin_of(double J[3][3], double M[3], double b[3]) {
  const double small = 1e-9 * (J[0][0] + J[1][1] + J[2][2]), size = fabs(M[0]) + fabs(M[1]) + fabs(M[2]);
  int order[3] = {0, 1, 2}, n = 0;
  for (; n < 3; ++n) {
    int best = n;
    for (int k = n + 1; k < 3; ++k)
      if (J[order[k]][order[k]] > J[order[best]][order[best]]) best = k;
    const int p = order[best];
    order[best] = order[n], order[n] = p;
    if (!(J[p][p] > small)) break;
    for (int k = n + 1; k < 3; ++k) {
      const int i = order[k];
      const double f = J[i][p] / J[p][p];
      for (int j = 0; j < 3; ++j) J[i][j] -= f * J[p][j];
      M[i] -= f * M[p];
    }
  }
  b[0] = b[1] = b[2] = 0;
  for (int k = n; k < 3; ++k)
    if (fabs(M[order[k]]) > 1e-9 * size) return false;
  for (int k = n - 1; k >= 0; --k) {
    const int p = order[k];
    b[p] = M[p];
    for (int j = k + 1; j < n; ++j) b[p] -= J[p][order[j]] * b[order[j]];
    b[p] /= J[p][p];
  }
  return true;
}

Status deck_node_push(Deck *d, int32_t node, const double f[3], int32_t row, DeckNodes *to) {
  double R[3][3];
  TRY(deck_nodes_ready(d, to));
  for (int k = 0; k < 3; ++k)
    if (deck_value(to, node, k) != 0 && deck_follows(d, to->row[node][k]) != deck_follows(d, row))
      return deck_row_fail(d, row, "node %lld, which moves with the reference node, has a force of another amplitude",
                           (long long)d->inp->node_tag[node]);
  const bool turned = deck_frame(d, node, R);
  for (int k = 0; k < 3; ++k) {
    to->value[node][k] = deck_value(to, node, k) + (turned ? R[k][0] * f[0] + R[k][1] * f[1] + R[k][2] * f[2] : f[k]);
    to->row[node][k] = row;
  }
  return OK;
}

/* F and M of a hub as forces of its nodes: w (F / W + b x r), of all the ones with the least sum of squares over w. */
static Status spread(Deck *d, const DeckHub *h, const double F[3], const double M[3], int32_t row, DeckNodes *to) {
  double center[3] = {0}, J[3][3] = {{0}}, turn[3], b[3], total = 0;
  const double(*x)[3] = (const double(*)[3])d->inp->x;
  for (int32_t i = 0; i < h->n; ++i) total += h->item[i].weight;
  for (int32_t i = 0; i < h->n; ++i)
    for (int k = 0; k < 3; ++k) center[k] += h->item[i].weight * x[h->item[i].node][k] / total;
  for (int32_t i = 0; i < h->n; ++i) {
    double r[3], square = 0;
    for (int k = 0; k < 3; ++k) r[k] = x[h->item[i].node][k] - center[k], square += r[k] * r[k];
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j < 3; ++j) J[k][j] += h->item[i].weight * ((k == j ? square : 0) - r[k] * r[j]);
  }
  const double *at = x[h->node];
  for (int k = 0; k < 3; ++k) {
    const int p = (k + 1) % 3, q = (k + 2) % 3;
    turn[k] = M[k] + (at[p] - center[p]) * F[q] - (at[q] - center[q]) * F[p];
  }
  for (int k = 0; h->mean && k < 3; ++k) {
    if (M[k] != 0) return deck_row_fail(d, row, "a moment on a node of *DISTRIBUTING COUPLING, which has no rotation");
    turn[k] = 0;
  }
  if (!spin_of(J, turn, b)) return deck_row_fail(d, h->row, "its nodes lie in a line and bear no moment about it");
  for (int32_t i = 0; i < h->n; ++i) {
    const int32_t node = h->item[i].node;
    double f[3], r[3];
    for (int k = 0; k < 3; ++k) r[k] = x[node][k] - center[k];
    for (int k = 0; k < 3; ++k) {
      const int p = (k + 1) % 3, q = (k + 2) % 3;
      f[k] = h->item[i].weight * (F[k] / total + b[p] * r[q] - b[q] * r[p]);
    }
    TRY(deck_node_push(d, node, f, row, to));
  }
  return OK;
}

/* The row of what acts on a hub, force and moment by one amplitude; -1: nothing does. */
static Status load_row(const Deck *d, const DeckHub *h, const DeckStep *step, int32_t *row) {
  const struct {
    const DeckNodes *nodes;
    int32_t node;
  } from[] = {
      {&step->nodes[DECK_FORCE], h->node}, {&step->nodes[DECK_MOMENT], h->node}, {&step->nodes[DECK_FORCE], h->turn}};
  *row = -1;
  for (int i = 0; i < 9; ++i) {
    if (deck_value(from[i / 3].nodes, from[i / 3].node, i % 3) == 0) continue;
    const int32_t here = from[i / 3].nodes->row[from[i / 3].node][i % 3];
    if (*row >= 0 && deck_follows(d, here) != deck_follows(d, *row))
      return deck_row_fail(d, here, "loads on a reference node by different amplitudes are not understood");
    if (*row < 0) *row = here;
  }
  return OK;
}

Status deck_hubs_load(Deck *d, DeckStep *step) {
  for (int32_t i = 0; i < d->model.n_hub; ++i) {
    const DeckHub *h = &d->model.hub[i];
    double F[3], M[3], R[3][3];
    bool any = false;
    for (int k = 0; k < 3; ++k) {
      F[k] = deck_value(&step->nodes[DECK_FORCE], h->node, k);
      M[k] = deck_value(&step->nodes[DECK_MOMENT], h->node, k) + deck_value(&step->nodes[DECK_FORCE], h->turn, k);
      any |= F[k] != 0 || M[k] != 0;
    }
    if (!any) continue;
    if (h->spin && (d->procedure.large || d->procedure.goes_large))
      return deck_row_fail(d, h->row, "a moment on the node of MEANROT is not understood with NLGEOM; *BOUNDARY is");
    if (h->rigid && (d->procedure.large || d->procedure.goes_large)) { /* at the node that moves: in its entry */
      if (deck_frame(d, h->node, R))
        return deck_row_fail(
            d, h->row,
            "a load on the reference node of a rigid body in directions of *TRANSFORM is not understood "
            "with NLGEOM; one in x, y and z is");
      continue;
    }
    for (int k = 0; k < 6; ++k)
      if (h->open[k] && (k < 3 ? F[k] : M[k - 3]) != 0)
        return deck_row_fail(d, h->row,
                             "a load in direction %d of the reference node, which *DISTRIBUTING leaves out: list it, "
                             "or leave the load out",
                             k + 1);
    deck_frame_force(d, h->node, F);
    deck_frame_force(d, h->node, M);
    int32_t row;
    TRY(load_row(d, h, step, &row));
    TRY(h->spin ? deck_spin_load(d, h, F[0], row, &step->nodes[DECK_FORCE])
                : spread(d, h, F, M, row, &step->nodes[DECK_FORCE]));
  }
  return OK;
}

void deck_hubs_release(Deck *d) {
  for (int32_t i = 0; i < d->model.n_hub; ++i) FREE(d->model.hub[i].item);
  FREE(d->model.hub);
  FREE(d->model.hub_of);
}
