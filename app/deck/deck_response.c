/* Steps after *FREQUENCY that use its modes: vibrations at given frequencies, and motion in time. */
#include "app/deck/deck_private.h"
#include "core/memory.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

bool deck_is_response(const Deck *d) {
  return d->procedure.analysis == DECK_STEADY_STATE || d->procedure.analysis == DECK_MODAL_DYNAMIC;
}

/* The modes are those of the step before, whose tables and loads are its own. */
static Status begin_response(Deck *d, DeckAnalysis analysis) {
  if (d->procedure.analysis != DECK_MODES || d->n_step < 2)
    return inp_fail(d->inp, d->card, "is understood in the step after that of *FREQUENCY");
  if (d->procedure.prestress) return inp_fail(d->inp, d->card, "by modes under stress is not understood");
  d->procedure.analysis = DECK_NO_ANALYSIS;
  d->tables.n = 0;
  return deck_begin_analysis(d, analysis);
}

Status deck_card_modal_dynamic(Deck *d) {
  InpLine line;
  const char *direct = inp_parameter(d->card, "DIRECT");
  TRY(begin_response(d, DECK_MODAL_DYNAMIC));
  if (inp_parameter(d->card, "STEADYSTATE"))
    return inp_fail(d->inp, d->card, "STEADY STATE, which goes on until nothing moves, is not understood");
  if (direct && strcasecmp(direct, "NO") == 0)
    status_warn("%s: *MODAL DYNAMIC: all steps are as long as the first one, each exact for loads that go straight",
                d->inp->file[0].path);
  d->procedure.steady = false, d->procedure.direct = true;
  if (!deck_first_line(d, &line)) return inp_fail(d->inp, d->card, "has no line with first step and end");
  return deck_step_times(d, &line);
}

Status deck_card_steady_state(Deck *d) {
  InpLine line;
  double count = 20;
  const char *harmonic = inp_parameter(d->card, "HARMONIC");
  TRY(begin_response(d, DECK_STEADY_STATE));
  if (harmonic && strcasecmp(harmonic, "NO") == 0)
    return inp_fail(d->inp, d->card, "HARMONIC=NO, a load that is periodic in another way, is not understood");
  d->procedure.steady = true, d->procedure.period = 1, d->procedure.bias = 3;
  if (!deck_first_line(d, &line))
    return inp_fail(d->inp, d->card, "has no line with the lowest and the highest frequency");
  for (int k = 0; k < 2; ++k) TRY(inp_number(d->inp, d->card, &line, k, &d->procedure.frequency[k]));
  if (!(d->procedure.frequency[0] >= 0) || !(d->procedure.frequency[1] > d->procedure.frequency[0]))
    return inp_line_fail(d->inp, d->card, &line,
                         "frequencies from %g to %g: the first must be >= 0, and less than the second",
                         d->procedure.frequency[0], d->procedure.frequency[1]);
  if (line.n > 2 && *line.field[2]) TRY(inp_number(d->inp, d->card, &line, 2, &count));
  if (line.n > 3 && *line.field[3]) TRY(inp_number(d->inp, d->card, &line, 3, &d->procedure.bias));
  if (!(count >= 2) || count > 1e4 || !(d->procedure.bias >= 1))
    return inp_line_fail(d->inp, d->card, &line,
                         "%g frequencies with the bias %g: from 2 to 10000 and >= 1 are understood", count,
                         d->procedure.bias);
  d->procedure.n_frequency = (int)count;
  return OK;
}

static Status rayleigh_line(Deck *d, const InpLine *line) {
  double value[2];
  for (int k = 0; k < 2; ++k) {
    TRY(inp_number(d->inp, d->card, line, k + 2, &value[k]));
    if (!(value[k] >= 0))
      return inp_line_fail(d->inp, d->card, line, "%s is %g, must be >= 0", k ? "beta" : "alpha", value[k]);
  }
  d->procedure.alpha = value[0], d->procedure.beta = value[1];
  return OK;
}

static Status ratio_line(Deck *d, const InpLine *line) {
  int64_t first, last;
  double value;
  if (!line->n || !inp_whole(line->field[0], &first) || first < 1)
    return inp_line_fail(d->inp, d->card, line, "'%.40s' is not a mode; they count from 1",
                         line->n ? line->field[0] : "");
  last = first;
  if (line->n > 1 && *line->field[1] && (!inp_whole(line->field[1], &last) || last < first))
    return inp_line_fail(d->inp, d->card, line, "'%.40s' is not a last mode from %lld on", line->field[1],
                         (long long)first);
  TRY(inp_number(d->inp, d->card, line, 2, &value));
  if (!(value >= 0))
    return inp_line_fail(d->inp, d->card, line, "the share of critical damping is %g, must be >= 0", value);
  if (!d->procedure.ratio) ALLOC(d->procedure.ratio, d->procedure.n_mode, "damping of modes");
  for (int64_t k = first; k <= last && k <= d->procedure.n_mode; ++k) d->procedure.ratio[k - 1] = value;
  return OK;
}

Status deck_card_modal_damping(Deck *d) {
  const bool rayleigh = inp_parameter(d->card, "RAYLEIGH") != NULL;
  if (!deck_is_response(d) || !d->now.in_step)
    return inp_fail(d->inp, d->card, "is understood in a step of *STEADY STATE DYNAMICS or *MODAL DYNAMIC");
  return deck_lines(d, rayleigh ? rayleigh_line : ratio_line);
}

/* All nodes that are held in the direction move by the amplitude. */
static Status move_held(Deck *d, int k) {
  int32_t row, n = 0;
  TRY(deck_row(d, NULL, &row));
  for (int32_t i = 0; d->nodes[DECK_FIX].n && i < d->inp->n_node; ++i) {
    double *held = d->nodes[DECK_FIX].value[i];
    if (!(held[k] == 0)) continue;
    if (d->model.frame_of && d->model.frame_of[i])
      return inp_fail(d->inp, d->card, "node %lld is held in directions of *TRANSFORM, which is not understood",
                      (long long)d->inp->node_tag[i]);
    held[k] = 1;
    d->nodes[DECK_FIX].row[i][k] = row;
    ++n;
  }
  return n ? OK : inp_fail(d->inp, d->card, "no node is held in direction %d; *BOUNDARY belongs before it", k + 1);
}

/* The amplitude is that of accelerations. */
static Status take_acceleration(Deck *d) {
  if (d->procedure.analysis != DECK_STEADY_STATE)
    return inp_fail(
        d->inp, d->card,
        "TYPE=ACCELERATION in a step in time is not understood; DISPLACEMENT is, of the acceleration integrated "
        "twice");
  if (!(d->procedure.frequency[0] > 0))
    return inp_fail(d->inp, d->card, "an acceleration at the frequency 0 has no amplitude; begin above 0");
  d->now.amplitude = -d->now.amplitude;
  return OK;
}

Status deck_card_base_motion(Deck *d) {
  const char *direction = inp_parameter(d->card, "DOF"), *type = inp_parameter(d->card, "TYPE");
  int64_t k;
  if (!deck_is_response(d) || !d->now.in_step)
    return inp_fail(d->inp, d->card, "is understood in a step of *STEADY STATE DYNAMICS or *MODAL DYNAMIC");
  if (!direction || !inp_whole(direction, &k) || k < 1 || k > deck_dim(d))
    return inp_fail(d->inp, d->card, "DOF=%.40s is not a direction; 1 to %d are", direction ? direction : "",
                    deck_dim(d));
  if (!inp_parameter(d->card, "AMPLITUDE")) return inp_fail(d->inp, d->card, "has no AMPLITUDE=");
  const bool accelerates = !type || strcasecmp(type, "ACCELERATION") == 0;
  if (!accelerates && strcasecmp(type, "DISPLACEMENT") != 0)
    return inp_fail(d->inp, d->card, "TYPE=%.40s is not understood; ACCELERATION and DISPLACEMENT are", type);
  TRY(deck_amplitude(d));
  if (accelerates) TRY(take_acceleration(d));
  return move_held(d, (int)k - 1);
}

Status deck_is_ahead(const Deck *d, bool *ahead) {
  const char *text = inp_parameter(d->card, "LOADCASE");
  *ahead = text && strcmp(text, "2") == 0;
  if (text && !*ahead && strcmp(text, "1") != 0)
    return inp_fail(d->inp, d->card, "LOAD CASE=%.40s is not understood; 1, the real part, and 2, the imaginary, are",
                    text);
  if (*ahead && d->procedure.analysis != DECK_STEADY_STATE)
    return inp_fail(d->inp, d->card, "LOAD CASE=2 is understood in a step of *STEADY STATE DYNAMICS");
  return OK;
}

/* {alpha, beta} or a share for each mode. */
static Status damping_text(const Deck *d, char **text) {
  const size_t size = 40 * ((size_t)d->procedure.n_mode + 4);
  TRY(mem_alloc((int64_t)size, 1, "damping of modes", (void **)text));
  snprintf(*text, size, "alpha: %.17g, beta: %.17g%s", d->procedure.alpha, d->procedure.beta,
           d->procedure.ratio ? ", ratio: [" : "");
  for (int64_t k = 0; d->procedure.ratio && k < d->procedure.n_mode; ++k)
    snprintf(*text + strlen(*text), size - strlen(*text), "%s%.17g", k ? ", " : "", d->procedure.ratio[k]);
  if (d->procedure.ratio) snprintf(*text + strlen(*text), size - strlen(*text), "]");
  return OK;
}

Status deck_write_response(Deck *d) {
  char *damping = NULL;
  if (!deck_is_response(d)) return OK;
  Status status = damping_text(d, &damping);
  if (status == OK) status = deck_write(d, d->procedure.row, "analysis:");
  if (status == OK)
    status = deck_write(d, d->procedure.row, "  type: %s",
                        d->procedure.analysis == DECK_STEADY_STATE ? "harmonic" : "transient");
  if (status == OK && d->procedure.analysis == DECK_STEADY_STATE)
    status =
        deck_write(d, d->procedure.row, "  frequency: {from: %.17g, to: %.17g, count: %d, spacing: modes, bias: %.17g}",
                   d->procedure.frequency[0], d->procedure.frequency[1], d->procedure.n_frequency, d->procedure.bias);
  if (status == OK) status = deck_write(d, d->procedure.row, "  method: modes");
  if (status == OK) status = deck_write(d, d->procedure.row, "  modes: %lld", (long long)d->procedure.n_mode);
  if (status == OK) status = deck_write(d, d->procedure.row, "  remainder: none");
  if (status == OK) status = deck_write(d, d->procedure.row, "  damping: {%s}", damping);
  FREE(damping);
  return status;
}
