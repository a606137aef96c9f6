/* *PRE-TENSION SECTION: entries of `bolts`. Its node has no element: a force there is the preload, a displacement the elongation, and
 * FIXED locks it. */
#include "app/deck/deck_private.h"
#include "app/deck/deck_supports.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static DeckBolt *bolt_of(const Deck *d, int32_t node) {
  for (int32_t i = 0; i < d->model.n_bolt; ++i)
    if (d->model.bolt[i].node == node) return &d->model.bolt[i];
  return NULL;
}

/* ---- the section ---- */

/* The mean of the faces' normals, away from their elements; not of length 1. */
static void outward(const Deck *d, const InpSurface *s, double out[3]) {
  out[0] = out[1] = out[2] = 0;
  for (int32_t i = 0; i < s->n; ++i) {
    const ElementType *type = element_type(inp_kind_of(d->inp, s->facet[i].element));
    const int32_t *nodes = inp_nodes_of(d->inp, s->facet[i].element), *local = type->face[s->facet[i].face].nodes;
    double a[3], b[3] = {0, 0, 1}, n[3];
    vec3_minus(d->inp->x[nodes[local[1]]], d->inp->x[nodes[local[0]]], a);
    if (type->dim == 3) vec3_minus(d->inp->x[nodes[local[2]]], d->inp->x[nodes[local[0]]], b);
    vec3_cross(a, b, n);
    for (int k = 0; k < 3; ++k) out[k] += n[k];
  }
}

/* The direction of the line, or that of the surface. */
static Status read_axis(Deck *d, const InpSurface *s, double axis[3], double *sign) {
  double normal[3];
  InpLine line;
  outward(d, s, normal);
  memcpy(axis, normal, sizeof normal);
  if (deck_first_line(d, &line))
    for (int k = 0; k < 3; ++k) TRY(inp_number(d->inp, d->card, &line, k, &axis[k]));
  const double along = vec3_dot(axis, normal);
  if (!(vec3_normalize(axis) > 0) || along == 0)
    return inp_fail(d->inp, d->card, "has a direction that lies in its surface '%.80s'", s->name);
  *sign = along < 0 ? -1 : 1;
  for (int k = 0; k < 3; ++k)
    axis[k] *= -*sign; /* the elements of the surface get nodes of their own, as in CalculiX */
  return OK;
}

static Status node_of(Deck *d, int32_t *node) {
  const char *name = inp_parameter(d->card, "NODE");
  int64_t tag;
  if (!name) return inp_fail(d->inp, d->card, "has no NODE=");
  *node = inp_item(d->inp, 0, true, name, &tag) ? tag_map_find(&d->inp->node_of, tag) : -1;
  return *node >= 0 ? OK : inp_fail(d->inp, d->card, "NODE: there is no node '%.80s'", name);
}

Status deck_card_pretension(Deck *d) {
  const char *surface = inp_parameter(d->card, "SURFACE");
  const InpSurface *s = surface ? inp_surface(d->inp, surface) : NULL;
  DeckBolt b = {0};
  InpLine line = {0};
  if (d->now.in_step) return inp_fail(d->inp, d->card, "in a step is not understood; in front of the first one it is");
  if (inp_parameter(d->card, "ELEMENT"))
    return inp_fail(
        d->inp, d->card,
        "ELEMENT= is a bolt as a beam, which is not understood; SURFACE=, a section through a shank of solid "
        "elements, is");
  if (!s || !s->facet || !s->n)
    return inp_fail(d->inp, d->card, "SURFACE: there is no surface of faces '%.80s'", surface ? surface : "");
  TRY(node_of(d, &b.node));
  if (!d->model.hub_of) ALLOC(d->model.hub_of, d->inp->n_node, "reference nodes");
  if (d->model.hub_of[b.node])
    return inp_fail(d->inp, d->card, "node %lld is a reference node already", (long long)d->inp->node_tag[b.node]);
  d->model.hub_of[b.node] = -1;
  TRY(read_axis(d, s, b.axis, &b.sign));
  TRY(deck_surface_group(d, &line, s, &b.on));
  TRY(deck_row(d, NULL, &b.row));
  TRY(deck_grow((void **)&d->model.bolt, d->model.n_bolt, sizeof b, "bolts"));
  d->model.bolt[d->model.n_bolt++] = b;
  return OK;
}

/* ---- what steps say ---- */

/* *BOUNDARY, FIXED: nodes of bolts, or all of them others, stay where they are. */
static Status fixed_line(Deck *d, const InpLine *line) {
  int32_t one, row;
  const InpSet *set;
  bool bolts = false;
  TRY(deck_nodes_of(d, line, &one, &set));
  for (int32_t i = 0; i < (set ? set->n : 1); ++i) bolts = bolts || bolt_of(d, set ? set->item[i] : one);
  if (!bolts) return deck_support_stay(d, line);
  TRY(deck_row(d, line, &row));
  for (int32_t i = 0; i < (set ? set->n : 1); ++i) {
    DeckBolt *b = bolt_of(d, set ? set->item[i] : one);
    if (!b)
      return inp_line_fail(d->inp, d->card, line,
                           "FIXED of nodes of *PRE-TENSION SECTION beside others; a line for each");
    if (d->n_step < 2)
      return inp_line_fail(d->inp, d->card, line, "FIXED in the first step holds what has not moved yet");
    b->locked = d->n_step, b->lock_row = row;
  }
  return OK;
}
Status deck_bolts_fix(Deck *d) { return deck_lines(d, fixed_line); }

static Status refuse_others(const Deck *d, const DeckBolt *b, const DeckStep *s) {
  static const DeckKind kinds[] = {DECK_FIX, DECK_FORCE, DECK_AHEAD, DECK_TURN, DECK_MOMENT};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    for (int k = kinds[i] == DECK_FIX || kinds[i] == DECK_FORCE; k < DECK_VALUES; ++k)
      if (deck_value(&s->nodes[kinds[i]], b->node, k) != 0)
        return deck_row_fail(d, s->nodes[kinds[i]].row[b->node][k],
                             "the node of a *PRE-TENSION SECTION has the direction 1 alone, along the shank");
  return OK;
}

/* Value 0 of its node, and the row; whether there is one. */
static bool said_of(const DeckBolt *b, const DeckNodes *nodes, double *value, int32_t *row) {
  if (!nodes->n || isnan(nodes->value[b->node][0])) return false;
  *value = nodes->value[b->node][0], *row = nodes->row[b->node][0];
  return true;
}

static void forget(const DeckBolt *b, DeckNodes *nodes) {
  for (int k = 0; nodes->n && k < DECK_VALUES; ++k) nodes->value[b->node][k] = (double)NAN;
}

/* A value that was there before, or is 0 after another one was dropped, says nothing new. */
static Status step_of(Deck *d, DeckBolt *b, DeckStep *s, DeckBoltStep *out) {
  double force = 0, length = 0;
  int32_t row = b->row, fix_row = b->row;
  DeckBoltStep last = {.act = DECK_BOLT_STAYS};
  const bool held = said_of(b, &s->nodes[DECK_FIX], &length, &fix_row),
             pulled = said_of(b, &s->nodes[DECK_FORCE], &force, &row);
  TRY(refuse_others(d, b, s));
  for (int32_t i = 0; i < b->n_step - 1; ++i)
    if (b->step[i].act != DECK_BOLT_STAYS) last = b->step[i];
  *out = (DeckBoltStep){.act = DECK_BOLT_STAYS};
  if (b->locked == d->n_step) {
    if (last.act != DECK_BOLT_LOCK) *out = (DeckBoltStep){DECK_BOLT_LOCK, 0, b->lock_row};
  } else if (held && d->row[fix_row].step == d->n_step) *out = (DeckBoltStep){DECK_BOLT_LENGTH, length, fix_row};
  else if (held || last.act == DECK_BOLT_LOCK) {
    if (pulled && d->row[row].step == d->n_step)
      return deck_row_fail(
          d, row, "a force on a bolt that is held by *BOUNDARY does nothing in CalculiX, and is not understood");
  } else if (last.act == DECK_BOLT_STAYS || (pulled && d->row[row].step == d->n_step) || force != last.value)
    *out = (DeckBoltStep){DECK_BOLT_FORCE, force, row};
  forget(b, &s->nodes[DECK_FIX]);
  forget(b, &s->nodes[DECK_FORCE]);
  return OK;
}

Status deck_bolts_step(Deck *d, DeckStep *step) {
  for (int32_t i = 0; i < d->model.n_bolt; ++i) {
    DeckBolt *b = &d->model.bolt[i];
    if (d->procedure.analysis != DECK_STATIC)
      return deck_row_fail(d, b->row, "*PRE-TENSION SECTION is understood in steps of *STATIC");
    TRY(deck_grow((void **)&b->step, b->n_step, sizeof *b->step, "bolts"));
    ++b->n_step;
    TRY(step_of(d, b, step, &b->step[b->n_step - 1]));
  }
  return OK;
}

/* ---- the case ---- */

static bool is_first(const DeckBolt *b, int32_t step) {
  bool first = true;
  for (int32_t i = 0; i < step; ++i) first = first && b->step[i].act == DECK_BOLT_STAYS;
  return first;
}

Status deck_write_bolts(Deck *d, int32_t step) {
  for (int32_t i = 0; i < d->model.n_bolt; ++i) {
    const DeckBolt *b = &d->model.bolt[i];
    const DeckBoltStep *s = &b->step[step];
    char axis[120] = "", value[DECK_LOAD], list[100];
    deck_list(list, sizeof list, deck_dim(d), b->axis);
    if (is_first(b, step)) snprintf(axis, sizeof axis, "axis: %s, ", list);
    if (s->act == DECK_BOLT_LOCK) TRY(deck_entry(d, s->row, b->on, "lock: %.17g", d->step[step - 1].end));
    if (s->act != DECK_BOLT_FORCE && s->act != DECK_BOLT_LENGTH) continue;
    deck_load_text(d, deck_follows(d, s->row), b->sign * s->value + 0.0, value);
    TRY(deck_entry(d, s->row, b->on, "%s%s: %s", axis, s->act == DECK_BOLT_FORCE ? "preload" : "elongation", value));
  }
  return OK;
}

void deck_bolts_release(Deck *d) {
  for (int32_t i = 0; i < d->model.n_bolt; ++i) FREE(d->model.bolt[i].step);
  FREE(d->model.bolt);
}
