/* *TIE: two surfaces move as one, which is a tie of the case. A surface of nodes is that of the faces that they make. */
#include "app/deck/deck_cyclic.h"
#include "core/memory.h"
#include "mesh/tie_reach.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { FREE_NODE, MARKED, USED };

/* Faces of elements all of whose nodes are marked, which become used; to `out` where there is room. */
static int32_t marked_faces(const Deck *d, uint8_t *mark, InpFacet *out) {
  int32_t n = 0;
  for (int32_t e = 0; e < d->inp->base[N_ELEMENT_KINDS]; ++e) {
    const ElementType *type = element_type(inp_kind_of(d->inp, e));
    const int32_t *nodes = inp_nodes_of(d->inp, e);
    for (int32_t f = 0; type->dim == deck_dim(d) && f < type->n_face; ++f) {
      const int32_t m = element_type(type->face[f].kind)->n_node, *local = type->face[f].nodes;
      bool all = true;
      for (int32_t a = 0; a < m; ++a) all = all && mark[nodes[local[a]]] != FREE_NODE;
      for (int32_t a = 0; all && a < m; ++a) mark[nodes[local[a]]] = USED;
      if (all && out) out[n] = (InpFacet){e, f};
      n += all;
    }
  }
  return n;
}

/* The faces that the nodes of a surface make; fails where a node is on none of them. */
static Status faces_of_nodes(Deck *d, const InpLine *line, const InpSurface *s, int32_t *n, InpFacet **out) {
  uint8_t *mark = NULL;
  Status status = OK;
  ALLOC(mark, d->inp->n_node, "nodes of a surface");
  for (int32_t i = 0; i < s->n; ++i) mark[s->node[i]] = MARKED;
  *n = marked_faces(d, mark, NULL);
  for (int32_t i = 0; i < s->n && status == OK; ++i)
    if (mark[s->node[i]] == MARKED)
      status = inp_line_fail(d->inp, d->card, line,
                             "node %lld of '%.60s' is on no face whose nodes are all in it; what is tied or touches "
                             "is a surface of faces",
                             (long long)d->inp->node_tag[s->node[i]], s->name);
  if (status == OK) status = mem_alloc(*n, sizeof **out, "faces of a surface", (void **)out);
  if (status == OK) marked_faces(d, mark, *out);
  FREE(mark);
  return status;
}

Status deck_surface_group(Deck *d, const InpLine *line, const InpSurface *s, const char **name) {
  InpFacet *facet = NULL;
  int32_t n = s->n;
  char text[DECK_NAME];
  snprintf(text, sizeof text, "%.150s%s", s->name, s->facet ? "" : "-faces");
  if (!s->facet) TRY(faces_of_nodes(d, line, s, &n, &facet));
  return deck_group(d, (InpGroup){text, INP_FACETS, n, NULL, s->facet ? s->facet : facet}, facet, s, name);
}

static Status tie_line(Deck *d, const InpLine *line, DeckTie tie) {
  const InpSurface **side = tie.side;
  for (int k = 0; k < 2; ++k) {
    side[k] = k < line->n ? inp_surface(d->inp, line->field[k]) : NULL;
    if (!side[k])
      return inp_line_fail(d->inp, d->card, line, "there is no surface '%.80s'", k < line->n ? line->field[k] : "");
  }
  if (!tie.cyclic && (!side[1]->facet || !side[1]->n))
    return inp_line_fail(d->inp, d->card, line, "'%.80s', the second surface, must be one of faces", side[1]->name);
  TRY(deck_row(d, line, &tie.row));
  TRY(deck_surface_group(d, line, side[0], &tie.on));
  TRY(deck_surface_group(d, line, side[1], &tie.to));
  TRY(deck_grow((void **)&d->model.tie, d->model.n_tie, sizeof tie, "ties"));
  d->model.tie[d->model.n_tie++] = tie;
  return OK;
}

Status deck_card_tie(Deck *d) {
  const char *reach = inp_parameter(d->card, "POSITIONTOLERANCE");
  const char *adjust = inp_parameter(d->card, "ADJUST"), *type = inp_parameter(d->card, "TYPE");
  DeckTie tie = {.reach = 0};
  InpCursor cursor = {0};
  InpLine line;
  if (deck_is_heat(d)) return inp_fail(d->inp, d->card, "of temperatures is not understood");
  if (reach) {
    const char *end = source_number(reach, &tie.reach);
    if (!end || *end || !(tie.reach > 0))
      return inp_fail(d->inp, d->card, "POSITION TOLERANCE=%.40s is not a number > 0", reach);
  }
  if (adjust && strcasecmp(adjust, "YES") != 0 && strcasecmp(adjust, "NO") != 0)
    return inp_fail(d->inp, d->card, "ADJUST=%.40s is not understood; YES and NO are", adjust);
  if (type && strcasecmp(type, "SURFACE TO SURFACE") != 0 && strcasecmp(type, "NODE TO SURFACE") != 0)
    return inp_fail(d->inp, d->card, "TYPE=%.40s is not understood; SURFACE TO SURFACE and NODE TO SURFACE are", type);
  tie.cyclic = inp_parameter(d->card, "CYCLICSYMMETRY") != NULL, tie.name = inp_parameter(d->card, "NAME");
  tie.stays = adjust && strcasecmp(adjust, "NO") == 0;
  while (inp_next(d->inp, d->card, &cursor, &line)) TRY(tie_line(d, &line, tie));
  return OK;
}

/* As in CalculiX, nodes within the tolerance are moved onto the other surface unless ADJUST=NO. */
static Status tie_adjust(Deck *d, const DeckTie *tie) {
  static const double ROUNDED = 1e-7; /* of the size of the body */
  const double size = fmax(deck_facet_size(d, tie->side[0]), deck_facet_size(d, tie->side[1]));
  const DeckPair pair = {.side = {tie->side[0], tie->side[1]},
                         .tie = true,
                         .adjusts = true,
                         .adjust = tie->reach > 0 ? tie->reach : TIE_REACH * size};
  DeckGap gap;
  if (tie->stays) return OK;
  TRY(deck_adjust(d, &pair, &gap));
  if (!(gap.moved > ROUNDED * deck_size(d))) return OK;
  return deck_warn(d, d->row[tie->row],
                   "*TIE: %d nodes of '%.60s' are moved onto '%.60s', by up to %.4g, as in CalculiX; with ADJUST=NO "
                   "they stay",
                   gap.n_moved, tie->side[0]->name, tie->side[1]->name, gap.moved);
}

Status deck_write_ties(Deck *d) {
  char to[2 * DECK_NAME + 3], reach[40] = "";
  for (int32_t i = 0; i < d->model.n_tie; ++i) {
    const DeckTie *tie = &d->model.tie[i];
    if (tie->cyclic) {
      TRY(deck_write_cyclic(d, tie));
      continue;
    }
    TRY(tie_adjust(d, tie));
    deck_quote(tie->to, to);
    if (tie->reach > 0) snprintf(reach, sizeof reach, ", reach: %.17g", tie->reach);
    TRY(deck_entry(d, tie->row, tie->on, "tie: %s%s", to, reach));
    *reach = 0;
  }
  return deck_write_pairs(d, true);
}
