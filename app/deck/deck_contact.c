/* *CONTACT PAIR and what belongs to it: two bodies that touch become an entry of `contact`, or a tie where they are TIED. A
 * surface of nodes is that of the faces that they make. */
#include "app/deck/deck_private.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- interactions ---- */

Status deck_card_surface_interaction(Deck *d) {
  const char *name = inp_parameter(d->card, "NAME");
  DeckInteraction one = {.name = name, .behavior = DECK_HARD, .slope = 0};
  if (!name) return inp_fail(d->inp, d->card, "has no NAME=");
  if (d->now.in_step) return inp_fail(d->inp, d->card, "in a step is not understood; in front of the first one it is");
  TRY(deck_row(d, NULL, &one.row));
  TRY(deck_grow((void **)&d->model.interaction, d->model.n_interaction, sizeof one, "interactions"));
  d->model.interaction[d->model.n_interaction++] = one;
  return OK;
}

static Status last_interaction(Deck *d, DeckInteraction **out) {
  if (d->now.in_step)
    return inp_fail(d->inp, d->card, "in a step is not understood; contact is in all steps as in the first one");
  if (!d->model.n_interaction) return inp_fail(d->inp, d->card, "stands in front of all *SURFACE INTERACTION");
  *out = &d->model.interaction[d->model.n_interaction - 1];
  return OK;
}

Status deck_card_surface_behavior(Deck *d) {
  static const char *const words[] = {"HARD", "LINEAR", "EXPONENTIAL", "TIED"};
  const char *word = inp_parameter(d->card, "PRESSURE-OVERCLOSURE");
  DeckInteraction *i = NULL;
  InpLine line;
  int k = 0;
  TRY(last_interaction(d, &i));
  while (word && k < 4 && strcasecmp(word, words[k]) != 0) ++k;
  if (k == 4)
    return inp_fail(d->inp, d->card,
                    "PRESSURE-OVERCLOSURE=%.40s is not understood; HARD, LINEAR, EXPONENTIAL and TIED are", word);
  i->behavior = (DeckBehavior)k;
  TRY(deck_row(d, NULL, &i->row));
  return deck_first_line(d, &line) ? inp_number(d->inp, d->card, &line, 0, &i->slope) : OK;
}

static DeckInteraction *interaction_named(const Deck *d, const char *name) {
  for (int32_t i = 0; name && i < d->model.n_interaction; ++i)
    if (strcasecmp(d->model.interaction[i].name, name) == 0) return &d->model.interaction[i];
  return NULL;
}

/* The *FRICTION that follows is for pairs of that interaction, from this step on. */
Status deck_card_change_friction(Deck *d) {
  const char *name = inp_parameter(d->card, "INTERACTION");
  DeckInteraction *i = interaction_named(d, name);
  const InpCard *next = d->card + 1;
  if (!d->now.in_step) return inp_fail(d->inp, d->card, "is outside a step");
  if (!i) return inp_fail(d->inp, d->card, "there is no *SURFACE INTERACTION '%.80s'", name ? name : "");
  if (next == d->inp->card + d->inp->n_card || !inp_is(next, "FRICTION"))
    return inp_fail(d->inp, d->card, "has no *FRICTION behind it");
  if (i->n_change == DECK_FRICTIONS)
    return inp_fail(d->inp, d->card, "is the %dth of '%.80s'; %d are understood", DECK_FRICTIONS + 1, name,
                    DECK_FRICTIONS);
  i->changes = true;
  return OK;
}

/* *FRICTION in a step. */
static Status friction_changes(Deck *d, const InpLine *line) {
  for (int32_t k = 0; k < d->model.n_interaction; ++k) {
    DeckInteraction *i = &d->model.interaction[k];
    DeckFriction *now = &i->change[i->n_change];
    if (!i->changes) continue;
    i->changes = false;
    if (d->n_step == 1) return inp_number(d->inp, d->card, line, 0, &i->friction);
    *now = (DeckFriction){.step = d->n_step - 1};
    ++i->n_change;
    TRY(deck_row(d, NULL, &now->row));
    return inp_number(d->inp, d->card, line, 0, &now->value);
  }
  return inp_fail(d->inp, d->card, "in a step is not understood without *CHANGE FRICTION in front of it");
}

Status deck_card_friction(Deck *d) {
  DeckInteraction *i = NULL;
  InpLine line;
  if (!d->now.in_step) TRY(last_interaction(d, &i));
  if (!deck_first_line(d, &line)) return inp_fail(d->inp, d->card, "has no line with the coefficient");
  return i ? inp_number(d->inp, d->card, &line, 0, &i->friction) : friction_changes(d, &line);
}

Status deck_card_change_contact(Deck *d) {
  return inp_fail(
      d->inp, d->card,
      "is not understood; contact is in all steps as in the first one\n  remedy: without the card, 'sinew convert "
      "DECK.inp case.yaml', and in a step of that case 'contact' with 'active: false' where it is to end");
}

static bool is_tied(const Deck *d, const DeckPair *pair) {
  const DeckInteraction *i = interaction_named(d, pair->interaction);
  return i && i->behavior == DECK_TIED;
}

bool deck_any_touches(const Deck *d) {
  bool any = false;
  for (int32_t i = 0; i < d->model.n_pair; ++i) any = any || !is_tied(d, &d->model.pair[i]);
  return any;
}

Status deck_warn_even(const Deck *d, int32_t row) {
  return deck_warn(
      d, d->row[row],
      "*DYNAMIC beside *CONTACT PAIR: increments have the first length throughout, and are cut where they fail; "
      "a wave is to take one or more of them through an element");
}

/* ---- pairs ---- */

/* ADJUST=: a distance, or the nodes of a set. */
static Status read_adjust(Deck *d, DeckPair *pair) {
  const char *word = inp_parameter(d->card, "ADJUST");
  if (!word) return OK;
  const char *end = source_number(word, &pair->adjust);
  if (end && !*end) {
    if (!(pair->adjust >= 0)) return inp_fail(d->inp, d->card, "ADJUST=%.40s is below 0", word);
    pair->adjusts = true;
    return OK;
  }
  pair->adjusted = inp_nset(d->inp, word);
  pair->adjusts = true;
  return pair->adjusted ? OK : inp_fail(d->inp, d->card, "there is no node set '%.80s' of ADJUST=", word);
}

static Status pair_line(Deck *d, const InpLine *line, DeckPair pair) {
  for (int k = 0; k < 2; ++k) {
    const InpSurface *side = k < line->n ? inp_surface(d->inp, line->field[k]) : NULL;
    if (!side)
      return inp_line_fail(d->inp, d->card, line, "there is no surface '%.80s'", k < line->n ? line->field[k] : "");
    if (k && (!side->facet || !side->n))
      return inp_line_fail(d->inp, d->card, line, "'%.80s', the second surface, must be one of faces", side->name);
    TRY(deck_surface_group(d, line, side, k ? &pair.to : &pair.on));
    pair.side[k] = side;
  }
  TRY(deck_row(d, line, &pair.row));
  TRY(deck_grow((void **)&d->model.pair, d->model.n_pair, sizeof pair, "contact pairs"));
  d->model.pair[d->model.n_pair++] = pair;
  return OK;
}

Status deck_card_contact_pair(Deck *d) {
  static const char *const types[] = {"NODETOSURFACE", "SURFACETOSURFACE", "MORTAR", "LINMORTAR", "PGLINMORTAR"};
  const char *type = inp_parameter(d->card, "TYPE");
  DeckPair pair = {.interaction = inp_parameter(d->card, "INTERACTION"),
                   .small = inp_parameter(d->card, "SMALLSLIDING") != NULL};
  InpCursor cursor = {0};
  InpLine line;
  char word[40] = "";
  size_t k = 0;
  if (deck_is_heat(d)) return inp_fail(d->inp, d->card, "of temperatures is not understood");
  if (d->now.in_step) return inp_fail(d->inp, d->card, "in a step is not understood; in front of the first one it is");
  if (!pair.interaction) return inp_fail(d->inp, d->card, "has no INTERACTION=");
  for (const char *p = type ? type : ""; *p && k + 1 < sizeof word; ++p)
    if (*p != ' ') word[k++] = *p;
  for (k = 0; type && k < sizeof types / sizeof *types && strcasecmp(word, types[k]) != 0;) ++k;
  if (type && k == sizeof types / sizeof *types)
    return inp_fail(d->inp, d->card, "TYPE=%.40s is not understood; NODE TO SURFACE, SURFACE TO SURFACE and MORTAR are",
                    type);
  pair.by_nodes = !type || strcasecmp(word, types[0]) == 0;
  TRY(read_adjust(d, &pair));
  while (inp_next(d->inp, d->card, &cursor, &line)) TRY(pair_line(d, &line, pair));
  return OK;
}

/* VALUE= of a pair: that the surfaces are apart by, or overlap by, below 0. */
Status deck_card_clearance(Deck *d) {
  const char *side[2] = {inp_parameter(d->card, "SLAVE"), inp_parameter(d->card, "MASTER")};
  const char *word = inp_parameter(d->card, "VALUE"), *end;
  double value;
  DeckPair *of = NULL;
  if (!word || !(end = source_number(word, &value)) || *end)
    return inp_fail(d->inp, d->card, "VALUE=%.40s is not a number", word ? word : "");
  for (int32_t i = 0; i < d->model.n_pair && side[0] && side[1]; ++i) {
    DeckPair *p = &d->model.pair[i];
    if (strcasecmp(p->side[0]->name, side[0]) == 0 && strcasecmp(p->side[1]->name, side[1]) == 0) of = p;
  }
  if (!of) return inp_fail(d->inp, d->card, "there is no *CONTACT PAIR in front of it with this SLAVE= and MASTER=");
  if (of->by_nodes)
    return deck_warn(d, deck_card(d), "*CLEARANCE: has no effect with TYPE=NODE TO SURFACE, as in CalculiX");
  of->fitted = true, of->interference = -value;
  return OK;
}

/* ---- the case ---- */

/* Surfaces that overlap evenly are fitted; elsewhere an overlap counts as none. What is tied closes as far as it is apart. */
static Status pair_place(Deck *d, DeckPair *pair, bool tied) {
  static const double EVEN = 1e-3, ROUNDED = 1e-7; /* of the overlap, of the size of the body */
  DeckGap gap;
  TRY(deck_adjust(d, pair, &gap));
  const double none = ROUNDED * deck_size(d);
  if (tied) {
    pair->apart = fmax(gap.most, -gap.least);
    if (!(pair->apart > none)) pair->apart = 0;
    return OK;
  }
  if (pair->fitted || !(gap.least < -none)) return OK;
  pair->fitted = gap.most - gap.least < EVEN * -gap.least;
  pair->interference = -0.5 * (gap.least + gap.most);
  if (pair->fitted) return OK;
  return deck_warn(d, d->row[pair->row],
                   "*CONTACT PAIR: nodes of '%.60s' lie up to %.4g behind '%.60s', which counts as no gap; CalculiX "
                   "presses them apart",
                   pair->side[0]->name, -gap.least, pair->side[1]->name);
}

/* What the other program's law would do beside the exact one. */
static Status tell(const Deck *d, const DeckInteraction *i) {
  const DeckRow row = d->row[i->row];
  if (i->behavior == DECK_LINEAR)
    return deck_warn(d, row,
                     "*SURFACE BEHAVIOR: contact is exact here, surfaces do not overlap; CalculiX lets them overlap by "
                     "their pressure over the slope %g",
                     i->slope);
  if (i->behavior == DECK_EXPONENTIAL)
    return deck_warn(d, row,
                     "*SURFACE BEHAVIOR: contact is exact here; CalculiX' exponential law presses across gaps of up to "
                     "%g, and lets surfaces overlap",
                     i->slope);
  if (i->behavior == DECK_TIED)
    return deck_warn(
        d, row,
        "*SURFACE BEHAVIOR: TIED surfaces are tied exactly here, and a gap that ADJUST leaves closes; CalculiX "
        "has springs of the stiffness %g between them, which give way",
        i->slope);
  return OK;
}

/* Of all pairs: their interactions are there. */
static Status pairs_check(Deck *d) {
  for (int32_t i = 0; i < d->model.n_pair; ++i) {
    const DeckPair *p = &d->model.pair[i];
    const DeckInteraction *of = interaction_named(d, p->interaction);
    if (!of) return deck_row_fail(d, p->row, "there is no *SURFACE INTERACTION '%.80s'", p->interaction);
    if (of->behavior == DECK_TIED) continue;
    if (d->procedure.analysis != DECK_STATIC && !(d->procedure.moves && d->procedure.large))
      return deck_row_fail(d, p->row,
                           "*CONTACT PAIR is understood in steps of *STATIC, of *FREQUENCY behind *STATIC with NLGEOM, "
                           "and of *DYNAMIC with "
                           "NLGEOM, and TIED in others");
  }
  return OK;
}

Status deck_write_pairs(Deck *d, bool tied) {
  static const double REACH = 1.5; /* of the largest gap at nodes: between them it may be larger */
  char to[2 * DECK_NAME + 3], more[120];
  if (!tied) TRY(pairs_check(d));
  for (int32_t i = 0; tied && i < d->model.n_interaction; ++i)
    if (d->model.n_pair) TRY(tell(d, &d->model.interaction[i]));
  for (int32_t i = 0; i < d->model.n_pair; ++i) {
    DeckPair *p = &d->model.pair[i];
    if (is_tied(d, p) != tied) continue;
    TRY(pair_place(d, p, tied));
    *more = 0;
    const double friction = interaction_named(d, p->interaction)->friction;
    const bool closes = d->procedure.analysis == DECK_STATIC;
    if (tied && p->apart > 0)
      snprintf(more, sizeof more, "%s, reach: %.17g", closes ? ", closes: true" : "", REACH * p->apart);
    if (tied && p->apart > 0 && !closes)
      TRY(deck_warn(d, d->row[p->row],
                    "*CONTACT PAIR: the gap of %.4g between TIED surfaces stays, and is bridged rigidly: it closes in "
                    "static steps alone",
                    p->apart));
    if (p->fitted && !tied) snprintf(more, sizeof more, ", interference: %.17g", p->interference);
    if (!tied && friction > 0) snprintf(more + strlen(more), sizeof more - strlen(more), ", friction: %.17g", friction);
    if (!tied && d->procedure.large && !p->small)
      snprintf(more + strlen(more), sizeof more - strlen(more), ", sliding: finite");
    TRY(deck_entry(d, p->row, p->on, "%s: %s%s", tied ? "tie" : "against", deck_quote(p->to, to), more));
  }
  return OK;
}

Status deck_write_frictions(Deck *d, int32_t step) {
  char to[2 * DECK_NAME + 3];
  for (int32_t i = 0; i < d->model.n_pair; ++i) {
    const DeckPair *p = &d->model.pair[i];
    const DeckInteraction *of = interaction_named(d, p->interaction);
    for (int32_t k = 0; k < of->n_change && !is_tied(d, p); ++k)
      if (of->change[k].step == step)
        TRY(deck_entry(d, of->change[k].row, p->on, "against: %s, friction: %.17g", deck_quote(p->to, to),
                       of->change[k].value));
  }
  return OK;
}

/* ---- tables ---- */

/* What *CONTACT PRINT asks for, of each pair: CDIS, CSTR and CF. */
Status deck_card_contact_print(Deck *d) {
  if (!d->now.in_step) return inp_fail(d->inp, d->card, "is outside a step");
  for (int32_t i = 0; i < d->model.n_pair; ++i)
    if (!is_tied(d, &d->model.pair[i])) TRY(deck_print_contact(d, d->model.pair[i].on));
  return d->model.n_pair ? OK : deck_warn(d, deck_card(d), "*CONTACTPRINT: there is no *CONTACT PAIR to print");
}
