/* Steps of *STATIC that go on from one another, with NLGEOM or of metals that flow: `steps:` of the case. A node or face
 * belongs to the group of all that the deck says the same of in all steps, and each step names the groups whose loads or
 * supports are other than in the step before. */
#include "app/deck/deck_hub.h"
#include "app/deck/deck_private.h"
#include "app/deck/deck_supports.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* PART: forces of nodes that an amplitude moves in some step, a direction at a time: of one vector all would follow it. */
enum { FIX, FORCE, PART, PRESSURE = PART + DECK_VALUES, CHAIN_KINDS };

/* What a step says of a node or face. Compared by its bits: one NaN (nothing), one zero. */
typedef struct Said {
  double value[DECK_VALUES];
  int32_t amplitude[DECK_VALUES];
  int32_t again; /* 1: over the time of its step, which begins anew */
} Said;

/* A node or face with what all steps say of it. */
typedef struct Line {
  const Said *said; /* [n_step], view */
  int32_t n_step, node, row;
  InpFacet facet;
} Line;

typedef struct Chain {
  Said *said[CHAIN_KINDS];        /* owned, [n_step][n_line], that of each line contiguous */
  Line *line[CHAIN_KINDS];        /* owned, sorted: equal ones one after the other */
  const char **name[CHAIN_KINDS]; /* owned, [n_line]: the group of the lines from this one on */
  int32_t n[CHAIN_KINDS];
} Chain;

bool deck_is_stepped(const Deck *d) { return d->procedure.flows || d->procedure.touches || d->procedure.resupports; }

bool deck_is_chain(const Deck *d) {
  const DeckProcedure *p = &d->procedure;
  if (p->moves && p->n_card > 1) return true;
  return p->analysis == DECK_STATIC &&
         (p->creeps || p->resupports || (p->n_card > 1 ? p->goes_large || deck_is_stepped(d) : p->large && p->follows));
}

static void chain_release(Chain *chain) {
  for (int k = 0; k < CHAIN_KINDS; ++k) {
    FREE(chain->said[k]);
    FREE(chain->line[k]);
    FREE(chain->name[k]);
  }
}

static int by_said(const void *left, const void *right) {
  const Line *a = left, *b = right;
  const int order = memcmp(a->said, b->said, (size_t)a->n_step * sizeof *a->said);
  if (order) return order;
  if (a->node != b->node) return a->node < b->node ? -1 : 1;
  if (a->facet.element != b->facet.element) return a->facet.element < b->facet.element ? -1 : 1;
  return (a->facet.face > b->facet.face) - (a->facet.face < b->facet.face);
}

static bool same_said(const Line *a, const Line *b) {
  return memcmp(a->said, b->said, (size_t)a->n_step * sizeof *a->said) == 0;
}

/* ---- nodes ---- */

static void said_value(const Deck *d, Said *said, int k, double value, int32_t row) {
  said->value[k] = isnan(value) ? (double)NAN : value + 0.0;
  said->amplitude[k] = isnan(value) || value == 0 ? 0 : deck_follows(d, row);
  if (said->amplitude[k] && deck_follows_step(d, row)) said->again = 1;
}

/* Of a node in x, y and z; *any: the step says something. */
static Status node_said(const Deck *d, const DeckNodes *nodes, DeckKind kind, int32_t node, Said *said, Line *line,
                        bool *any) {
  double v[DECK_VALUES];
  int32_t amplitude = -1;
  *said = (Said){.value = {(double)NAN, (double)NAN, (double)NAN}};
  if (!nodes->n) return OK;
  for (int k = 0; k < DECK_VALUES; ++k) {
    const double value = nodes->value[node][k];
    const int32_t row = nodes->row[node][k];
    said_value(d, said, k, value, row);
    if (!isnan(value) && (line->row < 0 || row < line->row)) line->row = row;
    if (isnan(value) || value == 0) continue;
    if (d->model.frame_of && d->model.frame_of[node] && amplitude >= 0 && amplitude != said->amplitude[k])
      return deck_row_fail(d, row, "directions of *TRANSFORM by different amplitudes are not understood");
    amplitude = said->amplitude[k];
  }
  memcpy(v, nodes->value[node], sizeof v);
  for (int k = 0; kind == DECK_FIX && k < deck_dim(d); ++k)
    if (deck_support_changes(d, node, k)) v[k] = (double)NAN, said->amplitude[k] = 0;
  if (kind == DECK_FORCE) deck_frame_force(d, node, v);
  else deck_frame_fix(d, node, v);
  for (int k = 0; k < DECK_VALUES; ++k) {
    said->value[k] = isnan(v[k]) ? (double)NAN : v[k] + 0.0;
    if (d->model.frame_of && d->model.frame_of[node]) said->amplitude[k] = amplitude > 0 ? amplitude : 0;
    *any = *any || (kind == DECK_FORCE ? !isnan(v[k]) && v[k] != 0 : !isnan(v[k]));
  }
  return OK;
}

/* What is held in one step is held in all. */
static Status check_held(const Deck *d, const Line *line) {
  for (int32_t s = 1; s < line->n_step; ++s)
    for (int k = 0; k < DECK_VALUES; ++k)
      if (isnan(line->said[s].value[k]) != isnan(line->said[0].value[k]))
        return deck_row_fail(
            d, line->row,
            "node %lld of *TRANSFORM is free in direction %d in a step and held in another, which is not "
            "understood; of nodes without it is",
            (long long)d->inp->node_tag[line->node], k + 1);
  return OK;
}

static bool by_amplitude(const Line *line) {
  bool any = false;
  for (int32_t s = 0; s < line->n_step; ++s)
    for (int k = 0; k < DECK_VALUES; ++k) any = any || line->said[s].amplitude[k];
  return any;
}

/* Leaves of what steps say that of direction `part`; whether there is any. */
static bool keep_part(Said *said, int32_t n_step, int part) {
  bool any = false;
  for (int32_t s = 0; s < n_step; ++s) {
    for (int k = 0; k < DECK_VALUES; ++k)
      if (k != part) said[s].value[k] = (double)NAN, said[s].amplitude[k] = 0;
    said[s].again = said[s].again && said[s].amplitude[part];
    any = any || (!isnan(said[s].value[part]) && said[s].value[part] != 0);
  }
  return any;
}

static Status add_nodes(Deck *d, Chain *chain, int to, DeckKind kind) {
  const int32_t n_node = d->inp->n_node, n_step = d->n_step;
  int32_t n = 0;
  ALLOC(chain->said[to], (int64_t)n_node * n_step, "steps of a deck");
  ALLOC(chain->line[to], n_node, "steps of a deck");
  for (int32_t i = 0; i < n_node; ++i) {
    Said *said = chain->said[to] + (int64_t)n * n_step;
    Line *line = &chain->line[to][n];
    bool any = false;
    *line = (Line){.said = said, .n_step = n_step, .node = i, .row = -1};
    if (d->model.hub_of && d->model.hub_of[i]) continue; /* with its group */
    for (int32_t s = 0; s < n_step; ++s) TRY(node_said(d, &d->step[s].nodes[kind], kind, i, &said[s], line, &any));
    if (!any) continue;
    if (kind == DECK_FIX) TRY(check_held(d, line));
    if (kind == DECK_FORCE && by_amplitude(line) != (to >= PART)) continue;
    if (to >= PART && !keep_part(said, n_step, to - PART)) continue;
    ++n;
  }
  chain->n[to] = n;
  return OK;
}

/* ---- faces ---- */

static int by_facet(const void *left, const void *right) {
  const InpFacet *a = left, *b = right;
  if (a->element != b->element) return a->element < b->element ? -1 : 1;
  return (a->face > b->face) - (a->face < b->face);
}

static Status face_said(const Deck *d, const DeckFace *face, Said *said, Line *line) {
  if (!isnan(said->value[0]))
    return deck_row_fail(
        d, face->row,
        "a face of element %lld has pressures by two amplitudes, which is not understood of steps that "
        "go on from one another",
        (long long)d->inp->element_tag[face->facet.element]);
  said_value(d, said, 0, face->value[0], face->row);
  if (line->row < 0 || face->row < line->row) line->row = face->row;
  return OK;
}

static Status add_faces(Deck *d, Chain *chain) {
  InpFacet *facet = NULL;
  Status status = OK;
  int64_t all = 0, n = 0;
  for (int32_t s = 0; s < d->n_step; ++s) all += d->step[s].n_face;
  ALLOC_DONE(facet, all, "steps of a deck");
  for (int32_t s = 0, k = 0; s < d->n_step; ++s)
    for (int32_t i = 0; i < d->step[s].n_face; ++i) facet[k++] = d->step[s].face[i].facet;
  if (all) qsort(facet, (size_t)all, sizeof *facet, by_facet);
  for (int64_t i = 0; i < all; ++i)
    if (!i || by_facet(&facet[i], &facet[n - 1]) != 0) facet[n++] = facet[i];
  ALLOC_DONE(chain->said[PRESSURE], n * d->n_step, "steps of a deck");
  ALLOC_DONE(chain->line[PRESSURE], n, "steps of a deck");
  for (int64_t i = 0; i < n; ++i) {
    Said *said = chain->said[PRESSURE] + i * d->n_step;
    for (int32_t s = 0; s < d->n_step; ++s) said[s] = (Said){.value = {(double)NAN, (double)NAN, (double)NAN}};
    chain->line[PRESSURE][i] = (Line){.said = said, .n_step = d->n_step, .row = -1, .facet = facet[i]};
  }
  for (int32_t s = 0; s < d->n_step; ++s)
    for (int32_t i = 0; i < d->step[s].n_face; ++i) {
      const DeckFace *face = &d->step[s].face[i];
      const InpFacet *at = bsearch(&face->facet, facet, (size_t)n, sizeof *facet, by_facet);
      Line *line = &chain->line[PRESSURE][at - facet];
      TRY_DONE(face_said(d, face, chain->said[PRESSURE] + (at - facet) * d->n_step + s, line));
    }
  chain->n[PRESSURE] = (int32_t)n;
done:
  FREE(facet);
  return status;
}

/* ---- groups ---- */

static Status lines_group(Deck *d, const Line *line, int32_t n, int kind, const char **name) {
  const bool nodes = kind != PRESSURE;
  char text[DECK_NAME];
  int64_t at;
  int32_t row = line[0].row, *item = NULL;
  InpFacet *facet = NULL;
  bool one = true;
  for (int32_t i = 1; i < n; ++i) {
    one = one && line[i].row == row;
    if (line[i].row < row) row = line[i].row;
  }
  const DeckRow *from = &d->row[row];
  const InpSet *set = from->set;
  bool whole = kind < PART && set && set->n == n;
  for (int32_t i = 0; whole && i < n; ++i) whole = line[i].node == set->item[i];
  if (whole) return deck_group(d, (InpGroup){set->name, INP_NODES, n, set->item, NULL}, NULL, set, name);
  TRY(source_line(&d->inp->file[from->file].source, from->at, &at));
  if (nodes && n == 1) snprintf(text, sizeof text, "node-%lld", (long long)d->inp->node_tag[line[0].node]);
  else if (!nodes && one && from->name)
    snprintf(text, sizeof text, "%.150s%s", from->name, inp_surface(d->inp, from->name) ? "" : "-faces");
  else snprintf(text, sizeof text, "%s-of-line-%lld", nodes ? "nodes" : "faces", (long long)at);
  if (nodes) ALLOC(item, n, "a group of nodes");
  else ALLOC(facet, n, "a group of faces");
  for (int32_t i = 0; i < n; ++i)
    if (nodes) item[i] = line[i].node;
    else facet[i] = line[i].facet;
  return deck_group(d, (InpGroup){text, nodes ? INP_NODES : INP_FACETS, n, item, facet}, nodes ? (void *)item : facet,
                    NULL, name);
}

static int32_t lines_equal(const Chain *chain, int kind, int32_t first) {
  const Line *line = chain->line[kind];
  int32_t n = 1;
  while (first + n < chain->n[kind] && same_said(&line[first], &line[first + n])) ++n;
  return n;
}

static Status chain_groups(Deck *d, Chain *chain) {
  for (int k = 0; k < CHAIN_KINDS; ++k) {
    if (chain->n[k]) qsort(chain->line[k], (size_t)chain->n[k], sizeof *chain->line[k], by_said);
    ALLOC(chain->name[k], chain->n[k], "steps of a deck");
    for (int32_t i = 0, n; i < chain->n[k]; i += n) {
      n = lines_equal(chain, k, i);
      TRY(lines_group(d, &chain->line[k][i], n, k, &chain->name[k][i]));
    }
  }
  return OK;
}

/* ---- what changes ---- */

static bool is_changed(const Line *line, int32_t s, int kind) {
  const Said *now = &line->said[s];
  bool any = false;
  if (s > 0) return now->again || memcmp(now, now - 1, sizeof *now) != 0;
  for (int k = 0; k < DECK_VALUES; ++k)
    any = any || (kind == FIX ? !isnan(now->value[k]) : !isnan(now->value[k]) && now->value[k] != 0);
  return any;
}

/* n lines that are the same. */
static Status write_lines(Deck *d, const Line *line, int32_t n, int32_t s, int kind, const char *name) {
  const Said *now = &line->said[s];
  char text[DECK_LOAD], values[3 * DECK_LOAD] = "";
  const int width = kind == PRESSURE ? 1 : deck_dim(d);
  for (int k = 0; k < width; ++k) {
    const double value = isnan(now->value[k]) ? 0 : now->value[k];
    if (kind == FIX && isnan(now->value[k])) continue;
    deck_load_text(d, now->amplitude[k], kind == FIX || kind == PRESSURE ? value : n * value, text);
    snprintf(values + strlen(values), sizeof values - strlen(values), "%s", *values ? ", " : "");
    if (kind == FIX) snprintf(values + strlen(values), sizeof values - strlen(values), "%c: ", "xyz"[k]);
    snprintf(values + strlen(values), sizeof values - strlen(values), "%s", text);
  }
  return deck_entry(d, line->row, name,
                    kind == FIX        ? "fix: {%s}"
                    : kind == PRESSURE ? "pressure: %s"
                                       : "force: [%s]",
                    values);
}

static bool same_kind(const DeckBody *a, const DeckBody *b) { return a->on == b->on && a->load == b->load; }

/* Whether the step before says the same of such loads there. */
static bool body_stays(const Deck *d, int32_t s, const DeckBody *of) {
  const DeckStep *a = &d->step[s - 1], *b = &d->step[s];
  int32_t i = 0, k = 0;
  for (;; ++i, ++k) {
    while (i < a->n_body && !same_kind(&a->body[i], of)) ++i;
    while (k < b->n_body && !same_kind(&b->body[k], of)) ++k;
    if (i == a->n_body || k == b->n_body) return i == a->n_body && k == b->n_body;
    if (memcmp(a->body[i].value, b->body[k].value, sizeof a->body[i].value) != 0) return false;
    if (deck_follows(d, a->body[i].row) != deck_follows(d, b->body[k].row)) return false;
    if (deck_follows_step(d, b->body[k].row)) return false;
  }
}

/* Gravity without an amplitude cannot fall slowly where one with it takes its place. */
static Status check_body(const Deck *d, int32_t s, const DeckBody *now) {
  for (int32_t i = 0; s > 0 && deck_follows(d, now->row) && i < d->step[s - 1].n_body; ++i) {
    const DeckBody *a = &d->step[s - 1].body[i];
    if (!same_kind(a, now) || deck_follows(d, a->row) || a->value[0] == 0) continue;
    if (memcmp(a->value + 1, now->value + 1, sizeof a->value - sizeof *a->value) != 0)
      return deck_row_fail(
          d, now->row,
          "gravity of '%.60s' by an AMPLITUDE where a step before has another direction without one is "
          "not understood",
          now->on);
  }
  return OK;
}

static Status write_body_changes(Deck *d, int32_t s) {
  const DeckStep *now = &d->step[s];
  for (int32_t i = 0; i < now->n_body; ++i) TRY(check_body(d, s, &now->body[i]));
  for (int32_t i = 0; i < now->n_body; ++i)
    if (s == 0 || !body_stays(d, s, &now->body[i])) TRY(deck_write_body_of(d, &now->body[i]));
  for (int32_t i = 0; s > 0 && i < d->step[s - 1].n_body; ++i) {
    DeckBody gone = d->step[s - 1].body[i];
    bool there = false;
    for (int32_t k = 0; k < now->n_body; ++k) there = there || same_kind(&gone, &now->body[k]);
    for (int32_t k = 0; k < i; ++k) there = there || same_kind(&gone, &d->step[s - 1].body[k]);
    gone.value[0] = 0;
    if (!there) TRY(deck_write_body_of(d, &gone));
  }
  return OK;
}

static Status write_span(Deck *d, int32_t s) {
  const DeckStep *step = &d->step[s];
  const double max = step->max_step > 0 && step->max_step < step->period ? step->max_step : step->period;
  const double first = step->first_step < max ? step->first_step : max;
  TRY(deck_write(d, step->row, "  - name: step-%d", s + 1));
  TRY(deck_write(d, step->row, "    end: %.17g", step->end));
  if (step->small) TRY(deck_write(d, step->row, "    strain: small"));
  if (step->still && deck_any_creeps(d)) TRY(deck_write(d, step->row, "    creep: false"));
  if (d->procedure.resupports || (step->small && !deck_any_flows(d))) { /* one increment, as of CalculiX */
    TRY(deck_write(d, step->row, "    step: %.17g", step->period));
    return deck_write(d, step->row, "    adaptive: false");
  }
  TRY(deck_write(d, step->row, "    step: %.17g", step->direct ? step->first_step : first));
  if (d->procedure.moves && !step->moves) TRY(deck_write(d, step->row, "    inertia: false"));
  if (step->moves && !step->direct && deck_any_touches(d)) return deck_warn_even(d, step->row);
  if (step->direct && step->moves) return OK; /* but cut where it fails */
  if (step->direct) return deck_write(d, step->row, "    adaptive: false");
  const double min = step->min_step > 0 ? step->min_step : 1e-5 * step->period;
  char strain[48] = "";
  if (step->moves) snprintf(strain, sizeof strain, ", tolerance: 1e-3");
  if (step->creep_most > 0) snprintf(strain, sizeof strain, ", strain: %.17g", step->creep_most);
  return deck_write(d, step->row, "    adaptive: {min: %.17g, max: %.17g%s}", min < first ? min : first, max, strain);
}

static Status write_changes(Deck *d, const Chain *chain, int32_t s) {
  TRY(write_span(d, s));
  d->out.begin = s ? d->step[s - 1].end : 0;
  d->out.indent = "      ";
  d->out.heading = "    boundary:", d->out.heading_row = d->step[s].row;
  for (int k = 0; k < CHAIN_KINDS; ++k)
    for (int32_t i = 0, n; i < chain->n[k]; i += n) {
      n = lines_equal(chain, k, i);
      if (is_changed(&chain->line[k][i], s, k)) TRY(write_lines(d, &chain->line[k][i], n, s, k, chain->name[k][i]));
    }
  TRY(deck_write_hub_changes(d, s));
  d->out.heading = "    body:", d->out.heading_row = d->step[s].row;
  TRY(write_body_changes(d, s));
  d->out.heading = "    contact:", d->out.heading_row = d->step[s].row;
  TRY(deck_write_frictions(d, s));
  d->out.heading = "    bolts:", d->out.heading_row = d->step[s].row;
  TRY(deck_write_bolts(d, s));
  d->out.heading = NULL;
  return deck_write_heated(d, s);
}

static Status chain_write(Deck *d, Chain *chain) {
  TRY(deck_supports_equations(d));
  TRY(add_nodes(d, chain, FIX, DECK_FIX));
  TRY(add_nodes(d, chain, FORCE, DECK_FORCE));
  for (int k = 0; k < deck_dim(d); ++k) TRY(add_nodes(d, chain, PART + k, DECK_FORCE));
  TRY(add_faces(d, chain));
  TRY(chain_groups(d, chain));
  d->out.indent = "  ";
  d->out.heading = "boundary:", d->out.heading_row = -1;
  TRY(deck_write_held(d));
  TRY(deck_write_hubs(d));
  TRY(deck_write_ties(d));
  d->out.heading = NULL;
  d->out.heading = "contact:", d->out.heading_row = -1;
  TRY(deck_write_pairs(d, false));
  d->out.heading = NULL;
  TRY(deck_write(d, d->step[0].row, "steps:"));
  for (int32_t s = 0; s < d->n_step; ++s) TRY(write_changes(d, chain, s));
  return OK;
}

Status deck_write_chain(Deck *d) {
  Chain chain = {0};
  TRY(deck_check_heated_steps(d));
  const Status status = chain_write(d, &chain);
  chain_release(&chain);
  return status;
}
