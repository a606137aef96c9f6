/* Rigid groups as entries of the case: what is prescribed of their motion, and forces at reference nodes where these turn; both may
 * change in steps that go on from one another. */
#include "app/deck/deck_hub.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FREEDOMS = 6, FIX_TEXT = FREEDOMS * (DECK_LOAD + 8), FORCE_TEXT = FREEDOMS * DECK_LOAD + 40 };

/* What is prescribed of the motion of a hub; NaN: free. */
typedef struct HubMotion {
  double value[FREEDOMS];
  int32_t row[FREEDOMS], amplitude[FREEDOMS];
} HubMotion;

static HubMotion motion_of(const Deck *d, const DeckHub *h, int32_t s) {
  const DeckStep *step = &d->step[s];
  const struct {
    const DeckNodes *nodes;
    int32_t node, to;
  } from[] = {{&step->nodes[DECK_FIX], h->node, 0},
              {&step->nodes[DECK_TURN], h->node, 3},
              {&step->nodes[DECK_FIX], h->turn, 3}};
  HubMotion m;
  for (int k = 0; k < FREEDOMS; ++k) m.value[k] = (double)NAN, m.row[k] = -1, m.amplitude[k] = 0;
  for (int i = 0; i < 9; ++i) {
    const DeckNodes *nodes = from[i / 3].nodes;
    const int32_t node = from[i / 3].node;
    const int k = i % 3, to = from[i / 3].to + k;
    if (!nodes->n || node < 0 || isnan(nodes->value[node][k])) continue;
    m.value[to] = nodes->value[node][k], m.row[to] = nodes->row[node][k];
    m.amplitude[to] = m.value[to] != 0 ? deck_follows(d, m.row[to]) : 0;
  }
  return m;
}

/* Step s has another one than the step before, or one that begins anew with it. */
static bool is_changed(const Deck *d, const DeckHub *h, int32_t s, int k) {
  const HubMotion now = motion_of(d, h, s);
  if (isnan(now.value[k])) return false;
  if (s == 0) return now.value[k] != 0;
  const HubMotion before = motion_of(d, h, s - 1);
  return now.value[k] != before.value[k] || now.amplitude[k] != before.amplitude[k] ||
         (now.amplitude[k] && deck_follows_step(d, now.row[k]));
}

bool deck_groups_move(const Deck *d) {
  bool any = false;
  for (int32_t i = 0; i < d->model.n_hub; ++i)
    for (int32_t s = 1; s < d->n_step && d->model.hub[i].rigid; ++s)
      for (int k = 0; k < FREEDOMS; ++k) any = any || is_changed(d, &d->model.hub[i], s, k);
  return any;
}

static bool is_of_model(const Deck *d, int k) { return deck_dim(d) == 3 || k < 2 || k == 5; }

/* "{x: .., rz: ..}" of step s: of what `any` is false, of what changes there; as `zero`s. "" where there is none. */
static void fix_text(const Deck *d, const DeckHub *h, int32_t s, bool all, bool zero, char *text, size_t size) {
  static const char *const words[] = {"x", "y", "z", "rx", "ry", "rz"};
  const HubMotion m = motion_of(d, h, s);
  char value[DECK_LOAD];
  size_t n = 0;
  *text = 0;
  for (int k = 0; k < FREEDOMS; ++k) {
    if (isnan(m.value[k]) || !is_of_model(d, k) || !(all || is_changed(d, h, s, k))) continue;
    deck_load_text(d, zero ? 0 : m.amplitude[k], zero ? 0 : m.value[k], value);
    n += (size_t)snprintf(text + n, size - n, "%s%s: %s", n ? ", " : ", fix: {", words[k], value);
  }
  if (n) snprintf(text + n, size - n, "}");
}

/* ---- forces of rigid bodies at large strain, whose loads go with them ---- */

static bool bears_force(const Deck *d, const DeckHub *h) {
  return h->rigid && (d->procedure.large || d->procedure.goes_large);
}

/* Force, and from 3 on moment. */
typedef struct HubLoad {
  double value[FREEDOMS];
  int32_t amplitude[FREEDOMS];
  bool again; /* an amplitude begins anew with the step */
} HubLoad;

/* Of step s; none in step -1. */
static HubLoad load_of(const Deck *d, const DeckHub *h, int32_t s) {
  HubLoad load = {.again = false};
  if (s < 0) return load;
  const struct {
    const DeckNodes *nodes;
    int32_t node, to;
  } from[] = {{&d->step[s].nodes[DECK_FORCE], h->node, 0},
              {&d->step[s].nodes[DECK_MOMENT], h->node, 3},
              {&d->step[s].nodes[DECK_FORCE], h->turn, 3}};
  for (int i = 0; i < 9; ++i) {
    const DeckNodes *nodes = from[i / 3].nodes;
    const int32_t node = from[i / 3].node;
    const int k = from[i / 3].to + i % 3;
    const double value = deck_value(nodes, node, i % 3);
    if (value == 0) continue;
    load.value[k] += value;
    load.amplitude[k] = deck_follows(d, nodes->row[node][i % 3]);
    load.again = load.again || (load.amplitude[k] && deck_follows_step(d, nodes->row[node][i % 3]));
  }
  return load;
}

static bool load_changes(const HubLoad *a, const HubLoad *b, int k) {
  return a->value[k] != b->value[k] || a->amplitude[k] != b->amplitude[k] || (b->again && b->amplitude[k]);
}
static bool force_changes(const Deck *d, const DeckHub *h, int32_t s) {
  const HubLoad before = load_of(d, h, s - 1), now = load_of(d, h, s);
  bool any = false;
  for (int k = 0; k < FREEDOMS; ++k) any = any || load_changes(&before, &now, k);
  return any;
}

/* What component k is at the end of step s. */
static double load_ended(const Deck *d, const HubLoad *load, int k, int32_t s) {
  if (load->amplitude[k] <= 0) return load->value[k];
  const DeckAmplitude *a = &d->acts.amplitude[load->amplitude[k] - 1];
  return load->value[k] * deck_amplitude_at(a, a->total ? d->step[s].end : d->step[s].period);
}

/* "[a, b, c]" of components first to first + n - 1 of step s, "a" of one. Where one follows an amplitude all are taken as they are from the
 * begin of the step on: others go straight to theirs. */
static void vector_text(const Deck *d, const HubLoad *before, const HubLoad *now, int first, int n, int32_t s,
                        char *text, size_t size) {
  const DeckStep *step = &d->step[s];
  bool follows = false;
  for (int k = first; k < first + n; ++k) follows = follows || now->amplitude[k];
  snprintf(text, size, "%s", n > 1 ? "[" : "");
  for (int k = first; k < first + n; ++k) {
    char one[DECK_LOAD];
    const double from = s > 0 ? load_ended(d, before, k, s - 1) : 0;
    deck_load_text(d, now->amplitude[k], now->value[k], one);
    if (follows && !now->amplitude[k] && now->value[k] != from && deck_is_chain(d) && !step->moves)
      snprintf(one, sizeof one, "\"%.17g+%.17g*(t-%.17g)/%.17g\"", from, now->value[k] - from, step->end - step->period,
               step->period);
    snprintf(text + strlen(text), size - strlen(text), "%s%s", k > first ? ", " : "", one);
  }
  snprintf(text + strlen(text), size - strlen(text), "%s", n > 1 ? "]" : "");
}

/* ", force: [..], moment: [..]" of step s, each where it is, or was in the step before. */
static void force_text(const Deck *d, const DeckHub *h, int32_t s, char *text, size_t size) {
  const HubLoad before = load_of(d, h, s - 1), now = load_of(d, h, s);
  const bool flat = deck_dim(d) == 2;
  *text = 0;
  for (int v = 0; v < 2; ++v) {
    const int first = v == 0 ? 0 : flat ? 5 : 3, n = !flat ? 3 : v == 0 ? 2 : 1;
    bool any = false;
    for (int k = first; k < first + n; ++k) any = any || now.value[k] != 0 || before.value[k] != 0;
    if (!any) continue;
    snprintf(text + strlen(text), size - strlen(text), v == 0 ? ", force: " : ", moment: ");
    vector_text(d, &before, &now, first, n, s, text + strlen(text), size - strlen(text));
  }
}

/* Of CalculiX a moment about two axes is another one once the group has turned. */
static Status tell_moment(const Deck *d, const DeckHub *h) {
  const HubMotion m = motion_of(d, h, 0);
  bool any = false;
  int free = 0;
  for (int k = 3; k < FREEDOMS; ++k) free += isnan(m.value[k]);
  for (int32_t s = 0; s < d->n_step; ++s) {
    const HubLoad load = load_of(d, h, s);
    for (int k = 3; k < FREEDOMS; ++k) any = any || load.value[k] != 0;
  }
  if (!any || free < 2 || deck_dim(d) == 2) return OK;
  return deck_warn(
      d, d->row[h->row],
      "a moment on the reference node keeps its direction, as in Abaqus; CalculiX has another one where the "
      "group turns about more than one axis");
}

/* ---- entries ---- */

/* Whether it is an entry of steps, too; what neither these nor one step alone have is refused. */
static Status check_motion(const Deck *d, const DeckHub *h, bool *moves) {
  const HubMotion first = motion_of(d, h, 0);
  int32_t row = -1;
  *moves = false;
  for (int32_t s = 0; s < d->n_step; ++s) {
    const HubMotion now = motion_of(d, h, s);
    for (int k = 0; k < FREEDOMS; ++k) {
      if (isnan(now.value[k]) != isnan(first.value[k]))
        return deck_row_fail(d, h->row,
                             "direction %d of its reference node is free in a step and held in another, which is not "
                             "understood; a value that changes is",
                             k + 1);
      *moves = *moves || (s > 0 && is_changed(d, h, s, k));
      if (now.amplitude[k]) row = now.row[k], *moves = true;
    }
  }
  const bool steps = !d->procedure.moves && h->rigid && (deck_is_chain(d) || (deck_is_stepped(d) && row >= 0));
  if (*moves && !steps && row >= 0)
    return deck_row_fail(
        d, row,
        "a reference node that moves by an AMPLITUDE is understood of rigid groups in *STATIC with NLGEOM, "
        "contact or *PLASTIC");
  if (*moves && !steps)
    return deck_row_fail(
        d, h->row,
        "its motion changes from step to step, which is understood of rigid groups in *STATIC steps that go "
        "on from one another");
  return OK;
}

/* The group of the nodes of a rigid one, and "rigid: {at: .." up to what is prescribed. */
static Status hub_entry(Deck *d, DeckHub *h, char *at, size_t size) {
  char text[64];
  int32_t *item = NULL;
  if (!h->on) {
    ALLOC(item, h->n, "a group of nodes");
    for (int32_t i = 0; i < h->n; ++i) item[i] = h->item[i].node;
    snprintf(text, sizeof text, "rigid-%lld", (long long)d->inp->node_tag[h->node]);
    TRY(deck_group(d, (InpGroup){text, INP_NODES, h->n, item, NULL}, item, NULL, &h->on));
  }
  snprintf(at, size, "rigid: {at: ");
  deck_list(at + strlen(at), size - strlen(at), deck_dim(d), d->inp->x[h->node]);
  return OK;
}

static Status write_hub(Deck *d, DeckHub *h) {
  char at[140], fix[FIX_TEXT], force[FORCE_TEXT] = "";
  double R[3][3];
  bool moves;
  TRY(check_motion(d, h, &moves));
  const double angle = motion_of(d, h, 0).value[0];
  fix_text(d, h, 0, true, deck_is_chain(d) && moves, fix, sizeof fix);
  if (h->spin) return isnan(angle) ? OK : deck_spin_equation(d, h, angle);
  if (!h->rigid && *fix)
    return deck_row_fail(d, h->row, "the reference node of a distributing coupling is held, which is not understood");
  if (!h->rigid) return OK;
  if (*fix && deck_frame(d, h->node, R))
    return deck_row_fail(d, h->row, "its reference node is held in directions of *TRANSFORM, which is not understood");
  if (bears_force(d, h)) TRY(tell_moment(d, h));
  TRY(hub_entry(d, h, at, sizeof at));
  h->moves = moves && deck_is_chain(d);
  for (int32_t s = 1; bears_force(d, h) && s < d->n_step; ++s) h->pushed = h->pushed || force_changes(d, h, s);
  if (bears_force(d, h) && !h->pushed && force_changes(d, h, 0)) force_text(d, h, 0, force, sizeof force);
  const double mass = deck_mass_at(d, h->node);
  if (mass > 0) snprintf(force + strlen(force), sizeof force - strlen(force), ", mass: %.17g", mass);
  return deck_entry(d, h->row, h->on, "%s%s%s}", at, fix, force);
}

Status deck_write_hub_changes(Deck *d, int32_t s) {
  for (int32_t i = 0; i < d->model.n_hub; ++i) {
    DeckHub *h = &d->model.hub[i];
    char at[140], fix[FIX_TEXT] = "", force[FORCE_TEXT] = "";
    if (h->moves) fix_text(d, h, s, false, false, fix, sizeof fix);
    if (h->pushed && force_changes(d, h, s)) force_text(d, h, s, force, sizeof force);
    if (!*fix && !*force) continue;
    TRY(hub_entry(d, h, at, sizeof at));
    TRY(deck_entry(d, h->row, h->on, "%s%s%s}", at, fix, force));
  }
  return OK;
}

Status deck_write_hubs(Deck *d) {
  for (int32_t i = 0; i < d->model.n_hub; ++i) TRY(write_hub(d, &d->model.hub[i]));
  return deck_write_masses(d);
}
