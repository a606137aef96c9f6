/* Rigid bodies of a deck as entries of a case: what prescribes their motion, and the force at their node, step by step. */
#include "app/deck/deck_private.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What a step says of a rigid body: of its motion, NaN: free, and at large strain of the force at its node, which goes with it. */
typedef struct HubSaid {
  double value[9];
  int32_t amplitude[9], again; /* again: over the time of its step, which begins anew */
} HubSaid;

static void said_of(const Deck *d, const DeckHub *h, const DeckStep *s, HubSaid *out) {
  const struct {
    const DeckNodes *nodes;
    int32_t node, to;
  } from[] = {{&s->nodes[DECK_FIX], h->node, 0},
              {&s->nodes[DECK_TURN], h->node, 3},
              {&s->nodes[DECK_FIX], h->turn, 3},
              {&s->nodes[DECK_FORCE], h->rigid && d->procedure.large ? h->node : -1, 6}};
  *out = (HubSaid){.again = 0};
  for (int k = 0; k < 9; ++k) out->value[k] = k < 6 ? (double)NAN : 0;
  for (int i = 0; i < 12; ++i) {
    const DeckNodes *nodes = from[i / 3].nodes;
    const int32_t node = from[i / 3].node;
    const int k = from[i / 3].to + i % 3;
    if (!nodes->n || node < 0 || isnan(nodes->value[node][i % 3])) continue;
    const int32_t row = nodes->row[node][i % 3];
    out->value[k] = nodes->value[node][i % 3] + 0.0;
    out->amplitude[k] = out->value[k] != 0 ? deck_follows(d, row) : 0;
    if (out->amplitude[k] && deck_follows_step(d, row)) out->again = 1;
  }
}

static bool same_value(double a, double b) { return a == b || (isnan(a) && isnan(b)); }
static bool part_stays(const HubSaid *a, const HubSaid *b, int k) {
  return same_value(a->value[k], b->value[k]) && a->amplitude[k] == b->amplitude[k] && !(b->again && b->amplitude[k]);
}

/* What acts on a rigid body may be of t. */
static bool hubs_follow(const Deck *d) { return d->procedure.large || (deck_is_stepped(d) && !d->procedure.moves); }

/* What is held is held in all steps, and where it cannot be of t is the same in all. */
static Status check_motion(const Deck *d, const DeckHub *h) {
  HubSaid first, now;
  said_of(d, h, &d->step[0], &first);
  for (int32_t s = 0; s < d->n_step; ++s) {
    said_of(d, h, &d->step[s], &now);
    for (int k = 0; k < 6; ++k) {
      if (isnan(first.value[k]) != isnan(now.value[k]))
        return deck_row_fail(d, h->row,
                             "its motion is free in direction %d in a step and held in another, which is not "
                             "understood: what is held is held from the first step on",
                             k + 1);
      if (hubs_follow(d) && !h->spin && (deck_is_chain(d) || d->n_step == 1)) continue;
      if (!same_value(first.value[k], now.value[k]))
        return deck_row_fail(d, h->row, "its motion changes from step to step, which is not understood");
      if (now.amplitude[k])
        return deck_row_fail(d, h->row,
                             "a reference node that moves by an AMPLITUDE, in time or over the frequency, is not "
                             "understood");
    }
  }
  return OK;
}

/* What part k of a force is at the end of step s. */
static double force_ended(const Deck *d, const HubSaid *said, int k, int32_t s) {
  if (said->amplitude[k] <= 0) return said->value[k];
  const DeckAmplitude *a = &d->acts.amplitude[said->amplitude[k] - 1];
  return said->value[k] * deck_amplitude_at(a, a->total ? d->step[s].end : d->step[s].period);
}

/* "a, b, c" of step s. Where one follows an amplitude all are taken as they are from the begin of the step on: others go straight to theirs. */
static void force_text(const Deck *d, const HubSaid *now, const HubSaid *before, int32_t s, char *text, size_t size) {
  const DeckStep *step = &d->step[s];
  bool follows = false;
  *text = 0;
  for (int k = 6; k < 9; ++k) follows = follows || now->amplitude[k];
  for (int k = 6; k < 6 + deck_dim(d); ++k) {
    char one[DECK_LOAD];
    const double from = before ? force_ended(d, before, k, s - 1) : 0;
    const bool goes = follows && !now->amplitude[k] && now->value[k] != from && deck_is_chain(d) && !step->moves;
    deck_load_text(d, now->amplitude[k], now->value[k], one);
    if (goes)
      snprintf(one, sizeof one, "\"%.17g+%.17g*(t-%.17g)/%.17g\"", from, now->value[k] - from, step->end - step->period,
               step->period);
    snprintf(text + strlen(text), size - strlen(text), "%s%s", k > 6 ? ", " : "", one);
  }
}

/* "fix: {..}" and "force: [..]" of step s, each behind a comma, of what is other than in the one before (NULL: of all there is). */
static void said_text(const Deck *d, const HubSaid *now, const HubSaid *before, int32_t s, char *text, size_t size) {
  static const char *const words[] = {"x", "y", "z", "rx", "ry", "rz"};
  const bool flat = deck_dim(d) == 2;
  char one[DECK_LOAD], fix[6 * DECK_LOAD] = "", force[3 * DECK_LOAD + 8];
  bool pulls = false;
  for (int k = 0; k < 6; ++k) {
    if (isnan(now->value[k]) || (flat && k > 1 && k != 5) || (before && part_stays(before, now, k))) continue;
    deck_load_text(d, now->amplitude[k], now->value[k], one);
    snprintf(fix + strlen(fix), sizeof fix - strlen(fix), "%s%s: %s", *fix ? ", " : "", words[k], one);
  }
  for (int k = 6; k < 9; ++k) pulls = pulls || (before ? !part_stays(before, now, k) : now->value[k] != 0);
  force_text(d, now, before, s, force, sizeof force);
  snprintf(text, size, "%s%s%s%s%s%s", *fix ? ", fix: {" : "", fix, *fix ? "}" : "", pulls ? ", force: [" : "",
           pulls ? force : "", pulls ? "]" : "");
}

static Status write_hub(Deck *d, DeckHub *h) {
  char at[120], text[64], said[10 * DECK_LOAD];
  int32_t *item = NULL;
  double R[3][3];
  HubSaid now;
  bool held = false;
  TRY(check_motion(d, h));
  said_of(d, h, &d->step[0], &now);
  for (int k = 0; k < 6; ++k) held = held || !isnan(now.value[k]);
  if (h->spin) return isnan(now.value[0]) ? OK : deck_spin_equation(d, h, now.value[0]);
  if (!h->rigid && held)
    return deck_row_fail(d, h->row, "the reference node of a distributing coupling is held, which is not understood");
  if (!h->rigid) return OK;
  if (held && deck_frame(d, h->node, R))
    return deck_row_fail(d, h->row, "its reference node is held in directions of *TRANSFORM, which is not understood");
  ALLOC(item, h->n, "a group of nodes");
  for (int32_t i = 0; i < h->n; ++i) item[i] = h->item[i].node;
  snprintf(text, sizeof text, "rigid-%lld", (long long)d->inp->node_tag[h->node]);
  TRY(deck_group(d, (InpGroup){text, INP_NODES, h->n, item, NULL}, item, NULL, &h->group));
  deck_list(at, sizeof at, deck_dim(d), d->inp->x[h->node]);
  said_text(d, &now, NULL, 0, said, sizeof said);
  const double mass = deck_mass_at(d, h->node);
  if (mass > 0) snprintf(said + strlen(said), sizeof said - strlen(said), ", mass: %.17g", mass);
  return deck_entry(d, h->row, h->group, "rigid: {at: %s%s}", at, said);
}

Status deck_write_hub_changes(Deck *d, int32_t s) {
  for (int32_t i = 0; s > 0 && hubs_follow(d) && i < d->model.n_hub; ++i) {
    const DeckHub *h = &d->model.hub[i];
    HubSaid before, now;
    char at[120], said[10 * DECK_LOAD];
    if (!h->rigid) continue;
    said_of(d, h, &d->step[s - 1], &before);
    said_of(d, h, &d->step[s], &now);
    said_text(d, &now, &before, s, said, sizeof said);
    deck_list(at, sizeof at, deck_dim(d), d->inp->x[h->node]);
    if (*said) TRY(deck_entry(d, h->row, h->group, "rigid: {at: %s%s}", at, said));
  }
  return OK;
}

Status deck_write_hubs(Deck *d) {
  for (int32_t i = 0; i < d->model.n_hub; ++i) TRY(write_hub(d, &d->model.hub[i]));
  return deck_write_masses(d);
}
