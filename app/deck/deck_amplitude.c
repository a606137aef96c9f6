/* *AMPLITUDE: what multiplies loads and supports. In time and over the frequency it becomes a function of the case; a
 * static step takes its value at the end. In later steps an amplitude over the time of the step keeps that value, as in
 * Abaqus and CalculiX; one over the total time goes on. */
#include "app/deck/deck_private.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static Status amplitude_points(Deck *d, DeckAmplitude *a) {
  InpCursor cursor = {0};
  InpLine line;
  while (inp_next(d->inp, d->card, &cursor, &line)) {
    RESIZE(a->point, a->n + (line.n + 1) / 2, "an amplitude");
    for (int k = 0; k < line.n; k += 2, ++a->n) {
      for (int i = 0; i < 2; ++i) TRY(inp_number(d->inp, d->card, &line, k + i, &a->point[a->n][i]));
      if (a->n && !(a->point[a->n][0] > a->point[a->n - 1][0]))
        return inp_line_fail(d->inp, d->card, &line, "the time %g follows %g; times must rise", a->point[a->n][0],
                             a->point[a->n - 1][0]);
    }
  }
  return a->n ? OK : inp_fail(d->inp, d->card, "'%s' has no values", a->name);
}

Status deck_card_amplitude(Deck *d) {
  const char *name = inp_parameter(d->card, "NAME"), *kind = inp_parameter(d->card, "DEFINITION"),
             *time = inp_parameter(d->card, "TIME");
  if (!name || !*name) return inp_fail(d->inp, d->card, "has no NAME=");
  if (kind && strcasecmp(kind, "TABULAR") != 0)
    return inp_fail(d->inp, d->card, "DEFINITION=%s is not understood; TABULAR is", kind);
  const bool total = time && strncasecmp(time, "TOTAL", 5) == 0;
  if (time && !total && strncasecmp(time, "STEP", 4) != 0)
    return inp_fail(d->inp, d->card, "TIME=%s is not understood; STEP TIME and TOTAL TIME are", time);
  for (int32_t i = 0; i < d->acts.n_amplitude; ++i)
    if (strcasecmp(d->acts.amplitude[i].name, name) == 0) return inp_fail(d->inp, d->card, "'%s' is given twice", name);
  TRY(deck_grow((void **)&d->acts.amplitude, d->acts.n_amplitude, sizeof *d->acts.amplitude, "amplitudes"));
  DeckAmplitude *a = &d->acts.amplitude[d->acts.n_amplitude++];
  *a = (DeckAmplitude){.name = name, .total = total};
  TRY(deck_row(d, NULL, &a->row));
  return amplitude_points(d, a);
}

/* The i-th one as TIME DELAY= moves it, with a name that no card can have. */
static Status delayed(Deck *d, const char *text, int32_t i) {
  double delay;
  const char *end = source_number(text, &delay);
  if (!end || *end) return inp_fail(d->inp, d->card, "TIME DELAY=%.40s is not a number", text);
  if (d->procedure.analysis == DECK_STEADY_STATE)
    return inp_fail(d->inp, d->card, "TIME DELAY is not understood over the frequency");
  TRY(deck_grow((void **)&d->acts.amplitude, d->acts.n_amplitude, sizeof *d->acts.amplitude, "amplitudes"));
  const DeckAmplitude *from = &d->acts.amplitude[i];
  DeckAmplitude *a = &d->acts.amplitude[d->acts.n_amplitude++];
  *a = (DeckAmplitude){.name = "", .total = from->total, .n = from->n, .row = from->row};
  ALLOC(a->point, a->n, "an amplitude");
  for (int32_t k = 0; k < a->n; ++k) a->point[k][0] = from->point[k][0] + delay, a->point[k][1] = from->point[k][1];
  d->now.amplitude = d->acts.n_amplitude;
  return OK;
}

Status deck_amplitude(Deck *d) {
  const char *name = inp_parameter(d->card, "AMPLITUDE"), *op = inp_parameter(d->card, "OP"),
             *delay = inp_parameter(d->card, "TIMEDELAY");
  if (d->procedure.prestress)
    return inp_fail(d->inp, d->card, "in a step of *FREQUENCY is not understood; it belongs to the static step before");
  if (op && strcasecmp(op, "NEW") != 0 && strcasecmp(op, "MOD") != 0)
    return inp_fail(d->inp, d->card, "OP=%s is not understood; MOD and NEW are", op);
  if (delay && !name) return inp_fail(d->inp, d->card, "TIME DELAY without AMPLITUDE is not understood");
  if (!name) {
    if (d->now.in_step) d->now.amplitude = d->procedure.at_once;
    return OK;
  }
  if (d->procedure.analysis == DECK_BUCKLING)
    return inp_fail(d->inp, d->card, "AMPLITUDE in a step of *BUCKLE is not understood; give the load itself");
  for (int32_t i = 0; i < d->acts.n_amplitude; ++i)
    if (strcasecmp(d->acts.amplitude[i].name, name) == 0) {
      d->now.amplitude = i + 1;
      return delay ? delayed(d, delay, i) : OK;
    }
  return inp_fail(d->inp, d->card, "there is no amplitude '%.80s'", name);
}

/* No card can have its name. */
Status deck_rows_follow(Deck *d, bool at_once) {
  DeckAmplitude *a;
  int32_t *const made = at_once ? &d->procedure.once : &d->procedure.ramp;
  if (!*made) {
    TRY(deck_grow((void **)&d->acts.amplitude, d->acts.n_amplitude, sizeof *d->acts.amplitude, "amplitudes"));
    a = &d->acts.amplitude[d->acts.n_amplitude++];
    *a = (DeckAmplitude){.name = "", .n = at_once ? 1 : 2};
    *made = d->acts.n_amplitude;
    ALLOC(a->point, a->n, "an amplitude");
    a->point[0][1] = at_once;
    if (!at_once) a->point[1][0] = d->procedure.period, a->point[1][1] = 1;
    TRY(deck_row(d, NULL, &a->row));
  }
  d->procedure.at_once = *made;
  return OK;
}

/* Loads are functions. */
static bool follow(const Deck *d) {
  return deck_is_timed(d) || deck_is_stepped(d) || deck_is_chain(d) || d->procedure.analysis == DECK_STEADY_STATE;
}

int32_t deck_follows(const Deck *d, int32_t row) { return follow(d) ? d->row[row].amplitude : 0; }

bool deck_follows_step(const Deck *d, int32_t row) {
  const int32_t amplitude = deck_follows(d, row);
  return amplitude > 0 && !d->acts.amplitude[amplitude - 1].total;
}

double deck_amplitude_at(const DeckAmplitude *a, double t) {
  int32_t k = 0; /* the first point at or behind that time */
  while (k < a->n && a->point[k][0] < t) ++k;
  if (k == a->n || k == 0) return a->point[k ? k - 1 : 0][1];
  const double *low = a->point[k - 1], *high = a->point[k];
  return low[1] + (high[1] - low[1]) * (t - low[0]) / (high[0] - low[0]);
}

/* At the end of the step, of an amplitude over that time; 1: it is none of these. */
static double amplitude_end(const Deck *d, int32_t amplitude, bool total) {
  if (!amplitude || follow(d)) return 1;
  const DeckAmplitude *a = &d->acts.amplitude[amplitude < 0 ? -amplitude - 1 : amplitude - 1];
  return a->total == total ? deck_amplitude_at(a, total ? d->now.total_time : d->procedure.period) : 1;
}

static void nodes_scale(const Deck *d, DeckNodes *nodes, bool total) {
  for (int32_t i = 0; nodes->n && d->acts.n_amplitude && i < d->inp->n_node; ++i)
    for (int k = 0; k < DECK_VALUES; ++k)
      if (!isnan(nodes->value[i][k])) nodes->value[i][k] *= amplitude_end(d, d->row[nodes->row[i][k]].amplitude, total);
}

void deck_faces_scale(const Deck *d, int32_t n_face, DeckFace *face, int32_t n_body, DeckBody *body, bool total) {
  for (int32_t i = 0; d->acts.n_amplitude && i < n_face; ++i)
    face[i].value[0] *= amplitude_end(d, d->row[face[i].row].amplitude, total);
  for (int32_t i = 0; d->acts.n_amplitude && i < n_body; ++i)
    body[i].value[0] *= amplitude_end(d, d->row[body[i].row].amplitude, total);
}

/* What the step has made of amplitudes over its own time is a number from now on. */
static void fold(Deck *d) {
  if (follow(d) || (d->procedure.analysis == DECK_MODES && !d->procedure.prestress)) return;
  d->now.heated_row = 0;
  for (int32_t i = 0; d->nodes[DECK_TEMPERATURE].n && d->acts.n_amplitude && i < d->inp->n_node; ++i) {
    const int32_t row = d->nodes[DECK_TEMPERATURE].row[i][0], a = d->row[row].amplitude;
    if (!isnan(d->nodes[DECK_TEMPERATURE].value[i][0]) && a > 0 && !d->acts.amplitude[a - 1].total)
      d->now.heated_row = 1 + row;
  }
  for (int k = 0; k < DECK_STEP_KINDS; ++k) nodes_scale(d, &d->nodes[k], false);
  deck_faces_scale(d, d->acts.n_face, d->acts.face, d->acts.n_body, d->acts.body, false);
  for (int32_t i = 0; i < d->n_row; ++i)
    if (d->row[i].amplitude > 0 && !d->acts.amplitude[d->row[i].amplitude - 1].total) d->row[i].amplitude = 0;
}

/* What a row of a chain says in the steps behind: the number at the end where it followed its step. */
static Status frozen_row(Deck *d, int32_t *row, double *value) {
  if (!deck_follows_step(d, *row)) return OK;
  DeckRow now = d->row[*row];
  *value *= deck_amplitude_at(&d->acts.amplitude[now.amplitude - 1], d->procedure.period);
  now.amplitude = 0;
  TRY(deck_row(d, NULL, row));
  d->row[*row] = now;
  return OK;
}

/* In a chain a step keeps its amplitudes, and those behind go on from what they were at its end. */
static Status freeze(Deck *d) {
  for (int k = 0; k < DECK_STEP_KINDS; ++k)
    for (int32_t i = 0; d->nodes[k].n && i < d->inp->n_node; ++i)
      for (int j = 0; j < DECK_VALUES; ++j)
        if (!isnan(d->nodes[k].value[i][j])) TRY(frozen_row(d, &d->nodes[k].row[i][j], &d->nodes[k].value[i][j]));
  for (int32_t i = 0; i < d->acts.n_face; ++i) TRY(frozen_row(d, &d->acts.face[i].row, &d->acts.face[i].value[0]));
  for (int32_t i = 0; i < d->acts.n_body; ++i) TRY(frozen_row(d, &d->acts.body[i].row, &d->acts.body[i].value[0]));
  return OK;
}

Status deck_amplitudes_end(Deck *d, DeckStep *step) {
  fold(d);
  if (!d->now.reset) d->now.total_time += d->procedure.period;
  step->end = d->now.total_time;
  TRY(deck_faces_copy(d, step));
  for (int k = 0; k < DECK_STEP_KINDS; ++k) {
    TRY(deck_nodes_copy(d, &d->nodes[k], &step->nodes[k]));
    nodes_scale(d, &step->nodes[k], true);
  }
  for (int32_t i = 0; i < d->n_row && follow(d); ++i) {
    const int32_t a = d->row[i].amplitude;
    if (a) d->acts.amplitude[a < 0 ? -a - 1 : a - 1].follows = true;
  }
  return deck_is_chain(d) ? freeze(d) : OK;
}
