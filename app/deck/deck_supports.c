/* Supports that begin, end or stay where they are in a later step: equations of one term, each for the steps in which it holds. */
#include "app/deck/deck_supports.h"

#include <math.h>

/* Direction k of a node at the end of step s. */
typedef struct Held {
  bool held, stays;
  double value;
  int32_t row;
} Held;

static Held held_at(const Deck *d, int32_t s, int32_t node, int k) {
  const DeckNodes *fix = &d->step[s].nodes[DECK_FIX];
  if (!fix->n || isnan(fix->value[node][k])) return (Held){.row = -1};
  const int32_t row = fix->row[node][k];
  return (Held){true, d->row[row].stays, fix->value[node][k], row};
}

bool deck_support_changes(const Deck *d, int32_t node, int k) {
  bool held = false, free = false, stays = false;
  if (d->model.frame_of && d->model.frame_of[node]) return false; /* refused where its equations are made */
  if (d->model.hub_of && d->model.hub_of[node]) return false;     /* where the group is written */
  for (int32_t s = 0; s < d->n_kept; ++s) {
    const Held h = held_at(d, s, node, k);
    held = held || h.held, free = free || !h.held, stays = stays || h.stays;
  }
  return (held && free) || stays;
}

bool deck_supports_change(const Deck *d) {
  bool any = false;
  for (int32_t i = 0; i < d->inp->n_node && !any; ++i)
    for (int k = 0; k < deck_dim(d); ++k) any = any || deck_support_changes(d, i, k);
  return any;
}

static bool same_held(const Held *a, const Held *b) {
  return a->held == b->held && a->stays == b->stays && !(a->value < b->value) && !(a->value > b->value);
}

/* It holds from the beginning of step `s` on, up to that of step `next`. */
static Status support_span(Deck *d, int32_t node, int k, int32_t s, int32_t next, const Held *h) {
  const int32_t amplitude = deck_follows(d, h->row);
  const bool at_once = amplitude && amplitude == d->procedure.once;
  if (h->value != 0 && amplitude && (!at_once || s == 0))
    return deck_row_fail(d, h->row,
                         "node %lld is held in direction %d by an AMPLITUDE in a step, and free in another or fixed "
                         "where it is, which is not understood; a value without AMPLITUDE is",
                         (long long)d->inp->node_tag[node], k + 1);
  if (s > 0 && d->procedure.moves)
    return deck_row_fail(d, h->row,
                         "node %lld is held in direction %d from a later step on, which is not understood beside "
                         "*DYNAMIC; a support that ends is",
                         (long long)d->inp->node_tag[node], k + 1);
  TRY(deck_equation(d, h->row, h->value));
  DeckEquation *e = &d->model.equation[d->model.n_equation - 1];
  e->from = s > 0 ? s + 1 : 0;
  e->until = next < d->n_step ? next + 1 : 0;
  e->begin = s == 0 || at_once ? DECK_AT_ONCE : DECK_OVER_STEP;
  if (h->stays) e->begin = DECK_STAYS;
  return deck_term_global(d, node, k, 1);
}

static Status support_spans(Deck *d, int32_t node, int k) {
  for (int32_t s = 0, next; s < d->n_step; s = next) {
    const Held h = held_at(d, s, node, k);
    for (next = s + 1; next < d->n_step; ++next) {
      const Held later = held_at(d, next, node, k);
      if (!same_held(&h, &later)) break;
    }
    if (h.held) TRY(support_span(d, node, k, s, next, &h));
  }
  return OK;
}

Status deck_supports_equations(Deck *d) {
  for (int32_t i = 0; i < d->inp->n_node; ++i)
    for (int k = 0; k < deck_dim(d); ++k)
      if (deck_support_changes(d, i, k)) TRY(support_spans(d, i, k));
  return OK;
}

/* ---- *BOUNDARY, FIXED ---- */

Status deck_support_stay(Deck *d, const InpLine *line) {
  int64_t first = 0, last;
  int32_t one;
  const InpSet *set;
  TRY(deck_nodes_of(d, line, &one, &set));
  if (line->n < 2 || !inp_whole(line->field[1], &first)) first = 0;
  last = first;
  if (line->n > 2 && *line->field[2] && !inp_whole(line->field[2], &last)) last = 0;
  if (first < 1 || last < first || last > 3)
    return inp_line_fail(d->inp, d->card, line, "FIXED of directions %lld to %lld; 1 to 3 are understood",
                         (long long)first, (long long)last);
  for (int32_t i = 0; i < (set ? set->n : 1); ++i) {
    const int32_t node = set ? set->item[i] : one;
    if ((d->model.hub_of && d->model.hub_of[node]) || (d->model.frame_of && d->model.frame_of[node]))
      return inp_line_fail(d->inp, d->card, line,
                           "FIXED of a reference node, or in directions of *TRANSFORM, is not understood; of other "
                           "nodes it is");
  }
  const int32_t from = d->n_row;
  for (int64_t k = first; k <= last; ++k)
    if (k <= deck_dim(d)) TRY(deck_nodes_set(d, &d->nodes[DECK_FIX], line, (int)k - 1, 0));
  for (int32_t r = from; r < d->n_row; ++r) d->row[r].stays = d->n_step > 1; /* at the start they stay at 0 */
  return OK;
}
