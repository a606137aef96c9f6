/* Steps in time with inertia, and loads that follow an amplitude. */
#include "app/deck/deck_private.h"
#include "core/expr.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

bool deck_is_timed(const Deck *d) {
  return (d->procedure.analysis == DECK_HEAT && !d->procedure.steady) || d->procedure.moves ||
         d->procedure.analysis == DECK_MODAL_DYNAMIC;
}

Status deck_step_times(Deck *d, const InpLine *line) {
  double *const to[4] = {&d->procedure.first_step, &d->procedure.period, &d->procedure.min_step,
                         &d->procedure.max_step};
  for (int k = 0; k < 4; ++k) TRY(inp_number(d->inp, d->card, line, k, to[k]));
  if (d->procedure.first_step > 0 && d->procedure.period > 0) return OK;
  return inp_line_fail(d->inp, d->card, line, "first step %g and end %g must be > 0", d->procedure.first_step,
                       d->procedure.period);
}

Status deck_card_dynamic(Deck *d) {
  InpLine line;
  double alpha = -0.05;
  const char *text = inp_parameter(d->card, "ALPHA");
  TRY(deck_begin_analysis(d, DECK_DYNAMIC));
  if (deck_is_heat(d)) return inp_fail(d->inp, d->card, "the elements are for heat transfer");
  if (text) {
    const char *end = source_number(text, &alpha);
    if (!end || *end || alpha < -1. / 3 || alpha > 0)
      return inp_fail(d->inp, d->card, "ALPHA=%.40s must be from -1/3 to 0", text);
  }
  if (d->n_step > 1 && !d->procedure.steady && (alpha < d->procedure.hht || alpha > d->procedure.hht))
    return inp_fail(d->inp, d->card, "ALPHA=%g differs from that of the step before, which is not understood; one is",
                    alpha);
  d->procedure.hht = alpha;
  d->procedure.steady = false, d->procedure.direct = inp_parameter(d->card, "DIRECT") != NULL;
  d->procedure.flows = deck_any_flows(d);
  if (!deck_first_line(d, &line)) return inp_fail(d->inp, d->card, "has no line with first step and end");
  TRY(deck_step_times(d, &line));
  d->procedure.at_once = 0;
  if (!d->now.ramps) return OK;
  if (d->procedure.n_card > 1)
    return inp_fail(d->inp, d->card,
                    "AMPLITUDE=RAMP of its *STEP is not understood beside other steps; an *AMPLITUDE is");
  return deck_rows_follow(d, false);
}

Status deck_card_damping(Deck *d) {
  static const char *const word[2] = {"ALPHA", "BETA"};
  double value[2] = {0};
  for (int k = 0; k < 2; ++k) {
    const char *text = inp_parameter(d->card, word[k]), *end = text ? source_number(text, &value[k]) : NULL;
    if (text && (!end || *end || value[k] < 0))
      return inp_fail(d->inp, d->card, "%s=%.40s must be >= 0", word[k], text);
  }
  if (d->procedure.damped && (value[0] < d->procedure.alpha || value[0] > d->procedure.alpha ||
                              value[1] < d->procedure.beta || value[1] > d->procedure.beta))
    return inp_fail(d->inp, d->card, "differs from the one before, which is not understood; one for all is");
  d->procedure.damped = true, d->procedure.alpha = value[0], d->procedure.beta = value[1];
  return OK;
}

Status deck_initial_velocity(Deck *d, const InpLine *line) {
  int64_t k;
  double value;
  if (line->n < 2 || !inp_whole(line->field[1], &k) || k < 1 || k > deck_dim(d))
    return inp_line_fail(d->inp, d->card, line, "'%.40s' is not a direction; 1 to %d are",
                         line->n > 1 ? line->field[1] : "", deck_dim(d));
  TRY(inp_number(d->inp, d->card, line, 2, &value));
  return deck_nodes_set(d, &d->nodes[DECK_VELOCITY], line, (int)k - 1, value);
}

/* Whether velocities differ between nodes that elements have; v: that of the last. */
static bool velocity_varies(const Deck *d, double v[3]) {
  bool first = true, varies = false;
  for (int k = 0; k < 3; ++k) v[k] = 0;
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind)
    for (int64_t a = 0; a < (int64_t)d->inp->list[kind].n * element_type((ElementKind)kind)->n_node; ++a, first = false)
      for (int k = 0; k < 3; ++k) {
        const double now = deck_value(&d->nodes[DECK_VELOCITY], d->inp->list[kind].nodes[a], k);
        varies = varies || (!first && (now < v[k] || now > v[k]));
        v[k] = now;
      }
  return varies;
}

static Status write_velocity(Deck *d) {
  char list[120];
  double v[3];
  if (!d->nodes[DECK_VELOCITY].n) return OK;
  if (!d->step[0].moves)
    return deck_row_fail(
        d, d->procedure.row,
        "*DYNAMIC behind *STATIC with initial velocities is not understood: CalculiX loses them there");
  d->acts.velocity_field = velocity_varies(d, v);
  if (d->acts.velocity_field) return deck_write(d, -1, "initial: {velocity-field: initial-velocity}");
  deck_list(list, sizeof list, deck_dim(d), v);
  return deck_write(d, -1, "initial: {velocity: %s}", list);
}

Status deck_write_motion(Deck *d) {
  char beta[40] = "";
  if (d->procedure.analysis != DECK_DYNAMIC) return OK;
  if (d->procedure.beta > 0 && (d->procedure.large || d->procedure.flows))
    TRY(deck_warn(d, d->row[d->procedure.row],
                  "*DAMPING by BETA is in proportion to the stiffness of the material at rest here, and to the tangent "
                  "in CalculiX, which %s",
                  d->procedure.flows ? "is that of flow where a metal flows" : "a stress has a part in"));
  if (d->procedure.beta > 0) snprintf(beta, sizeof beta, ", beta: %.17g", d->procedure.beta);
  TRY(deck_write(d, d->procedure.row, "analysis: {type: transient, hht: %.17g, damping: {alpha: %.17g%s}}",
                 d->procedure.hht, d->procedure.alpha, beta));
  return write_velocity(d);
}

bool deck_amplitude_constant(const DeckAmplitude *a) {
  for (int32_t i = 1; i < a->n; ++i)
    if (a->point[i][1] < a->point[0][1] || a->point[i][1] > a->point[0][1]) return false;
  return true;
}

/* The name of its function: its own in small letters where expressions may call it so. */
void deck_amplitude_name(const Deck *d, int32_t i, char name[DECK_NAME]) {
  bool taken = false;
  size_t n = 0;
  for (const char *p = d->acts.amplitude[i].name; *p && n + 1 < 60; ++p) name[n++] = (char)tolower((unsigned char)*p);
  name[n] = 0;
  for (int32_t k = 0; k < d->acts.n_amplitude; ++k) taken |= k != i && strcasecmp(d->acts.amplitude[k].name, name) == 0;
  if (taken || !expr_is_name(name) || expr_knows(name, true)) snprintf(name, DECK_NAME, "amplitude_%d", i + 1);
}

Status deck_write_functions(Deck *d) {
  char name[DECK_NAME];
  bool any = false;
  for (int32_t i = 0; i < d->acts.n_amplitude; ++i) {
    const DeckAmplitude *a = &d->acts.amplitude[i];
    if (!a->follows || deck_amplitude_constant(a)) continue;
    if (!any) TRY(deck_write(d, a->row, "functions:"));
    any = true;
    deck_amplitude_name(d, i, name);
    TRY(deck_write(d, a->row, "  - name: %s", name));
    TRY(deck_write(d, a->row, "    points:"));
    for (int32_t k = 0; k < a->n; ++k)
      TRY(deck_write(d, a->row, "      - {at: %.17g, value: %.17g}", a->point[k][0], a->point[k][1]));
  }
  return OK;
}

void deck_load_text(const Deck *d, int32_t amplitude, double value, char text[DECK_LOAD]) {
  char name[DECK_NAME];
  snprintf(text, DECK_LOAD, "%.17g", value);
  if (!amplitude && value != 0 && deck_is_stepped(d) && d->procedure.follows && !deck_is_chain(d) && !deck_is_timed(d))
    snprintf(text, DECK_LOAD, "\"%.17g*t/%.17g\"", value, d->procedure.period);
  if (!amplitude || value == 0) return;
  const int32_t i = amplitude < 0 ? -amplitude - 1 : amplitude - 1;
  const DeckAmplitude *a = &d->acts.amplitude[i];
  const bool constant = deck_amplitude_constant(a), chain = deck_is_chain(d),
             steps = chain || (deck_is_stepped(d) && !deck_is_timed(d));
  const char *mark = constant && amplitude > 0 && !steps ? "" : "\"";
  char call[DECK_NAME + 40] = "", running[32] = "t";
  if (d->procedure.analysis == DECK_STEADY_STATE) snprintf(running, sizeof running, "f");
  else if (chain && !a->total && d->out.begin > 0) snprintf(running, sizeof running, "t-%.17g", d->out.begin);
  if (constant) value *= a->point[0][1];
  if (constant && steps) snprintf(call, sizeof call, "+0*t"); /* there at once */
  if (!constant) {
    deck_amplitude_name(d, i, name);
    snprintf(call, sizeof call, "*%s(%s)", name, running);
  }
  snprintf(text, DECK_LOAD, "%s%.17g%s%s%s", mark, amplitude < 0 ? -value : value, call,
           amplitude < 0 ? "/(2*pi*f)^2" : "", mark); /* u = -a / omega^2 */
}

void deck_load_list(const Deck *d, int32_t amplitude, int n, const double *value, char text[DECK_LOADS]) {
  char one[DECK_LOAD];
  snprintf(text, DECK_LOADS, "[");
  for (int k = 0; k < n; ++k) {
    deck_load_text(d, amplitude, value[k], one);
    snprintf(text + strlen(text), DECK_LOADS - strlen(text), "%s%s", k ? ", " : "", one);
  }
  snprintf(text + strlen(text), DECK_LOADS - strlen(text), "]");
}
