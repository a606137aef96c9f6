/* Steps and their analyses. */
#include "app/deck/deck_private.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Of heat and stress together. */
static const char TWO_DECKS[] = "two decks are: one with *HEAT TRANSFER, whose temperatures 'sinew convert RESULTS "
                                "HEAT.frd' writes, and one with *STATIC and *TEMPERATURE, FILE=HEAT.frd";

Status deck_card_step(Deck *d) {
  const char *large = inp_parameter(d->card, "NLGEOM");
  const bool is_large = large && strcasecmp(large, "NO") != 0;
  const char *amplitude = inp_parameter(d->card, "AMPLITUDE");
  d->now.ramps = amplitude && strcasecmp(amplitude, "RAMP") == 0;
  d->now.once = amplitude && strcasecmp(amplitude, "STEP") == 0;
  if (amplitude && !d->now.ramps && !d->now.once)
    return inp_fail(d->inp, d->card, "AMPLITUDE=%.40s is not understood; RAMP and STEP are", amplitude);
  if (d->now.in_step) return inp_fail(d->inp, d->card, "a step begins inside another; *END STEP is missing");
  if (d->n_step && d->procedure.analysis == DECK_MODAL_DYNAMIC)
    return inp_fail(
        d->inp, d->card,
        "a step after *MODAL DYNAMIC is not understood; one step as long as both is, with amplitudes over the "
        "time of both");
  if (deck_ends_in_modes(d))
    return inp_fail(d->inp, d->card, "a step after *FREQUENCY about a state of NLGEOM is not understood");
  if (d->n_step && d->procedure.analysis == DECK_HEAT)
    return inp_fail(d->inp, d->card,
                    "a step after *HEAT TRANSFER is not understood; of heat one step with amplitudes is, of stress %s",
                    TWO_DECKS);
  if (d->n_step && d->procedure.analysis != DECK_STATIC && d->procedure.analysis != DECK_MODES &&
      d->procedure.analysis != DECK_DYNAMIC)
    return inp_fail(d->inp, d->card, "a step after one that is not *STATIC, *DYNAMIC or *FREQUENCY is not understood");
  if (d->n_step && is_large && !d->procedure.large && d->procedure.analysis != DECK_STATIC)
    return inp_fail(d->inp, d->card, "NLGEOM after a step without it is understood behind *STATIC");
  if (d->procedure.large && large && !is_large)
    return inp_fail(d->inp, d->card, "NLGEOM=NO after a step with NLGEOM is not understood; steps go on with it");
  d->procedure.large = d->procedure.large || is_large; /* as in CalculiX it goes on */
  d->now.perturbation = inp_parameter(d->card, "PERTURBATION") != NULL;
  d->now.in_step = true;
  d->now.has_procedure = false;
  TRY(deck_row(d, NULL, &d->now.step_row));
  if (d->now.heated_row)
    TRY(deck_warn(
        d, d->row[d->now.heated_row - 1],
        "the temperature by an AMPLITUDE over the time of its step stays, in later steps, at what it was at the "
        "end, as in Abaqus; CalculiX goes through the amplitude again"));
  d->now.heated_row = 0;
  ++d->n_step;
  return OK;
}

Status deck_end_step(Deck *d) {
  d->now.in_step = false;
  if (deck_ends_in_modes(d)) return OK;
  RESIZE(d->step, d->n_kept + 1, "steps");
  DeckStep *step = &d->step[d->n_kept++];
  const DeckProcedure *p = &d->procedure;
  *step = (DeckStep){.row = d->now.step_row,
                     .period = p->period,
                     .first_step = p->first_step,
                     .min_step = p->min_step,
                     .max_step = p->max_step,
                     .creep_most = p->creep_most,
                     .direct = p->direct,
                     .small = p->goes_large && !p->large,
                     .still = p->creeps && !p->viscous,
                     .moves = p->analysis == DECK_DYNAMIC};
  TRY(deck_amplitudes_end(d, step));
  TRY(deck_bolts_step(d, step));
  TRY(deck_masses_load(d, step));
  return deck_hubs_load(d, step);
}

Status deck_card_end_step(Deck *d) {
  if (!d->now.in_step) return inp_fail(d->inp, d->card, "no step has begun");
  return deck_end_step(d);
}

/* Modes of the body as it is without what the steps before have done to it: nothing of these is left but which nodes are held. */
static Status deck_unload(Deck *d) {
  static const DeckKind held[] = {DECK_FIX, DECK_TURN},
                        gone[] = {DECK_FORCE, DECK_AHEAD, DECK_TEMPERATURE, DECK_MOMENT};
  if (d->procedure.large || d->procedure.creeps || deck_is_stepped(d))
    return inp_fail(d->inp, d->card,
                    "after *STATIC with NLGEOM, contact or of metals that flow is understood with PERTURBATION of its "
                    "*STEP: modes under the stress of that step");
  TRY(deck_warn(d, deck_card(d),
                "*FREQUENCY without PERTURBATION of its *STEP: modes of the body without loads; the steps of *STATIC "
                "before it are not run, a deck that ends before this step has their results"));
  deck_steps_release(d);
  for (size_t k = 0; k < sizeof gone / sizeof *gone; ++k) deck_nodes_release(&d->nodes[gone[k]]);
  for (size_t k = 0; k < sizeof held / sizeof *held; ++k) {
    DeckNodes *nodes = &d->nodes[held[k]];
    for (int32_t i = 0; nodes->n && i < d->inp->n_node; ++i)
      for (int j = 0; j < DECK_VALUES; ++j)
        if (!isnan(nodes->value[i][j])) nodes->value[i][j] = 0;
  }
  d->acts.n_face = d->acts.n_body = 0;
  d->acts.has_temperature = false;
  d->n_step = 1;
  return OK;
}

Status deck_begin_analysis(Deck *d, DeckAnalysis analysis) {
  if (!d->now.in_step) return inp_fail(d->inp, d->card, "is outside a step");
  if (d->now.has_procedure) return inp_fail(d->inp, d->card, "the step has two procedures; one is understood");
  if (analysis == DECK_MODES && d->procedure.analysis == DECK_STATIC) {
    if (!d->now.perturbation) TRY(deck_unload(d));
    d->procedure.prestress = d->now.perturbation;
    if (d->procedure.large) { /* the steps stay what they are, and have the modes at their end */
      --d->n_step;
      d->now.has_procedure = true;
      return OK;
    }
    for (int32_t i = 0; i < d->tables.n; ++i)
      if (d->now.perturbation)
        status_warn("%s: tables of the static step are not written beside modes", d->inp->file[0].path);
    d->tables.n = 0;
  } else if (d->procedure.analysis != DECK_NO_ANALYSIS && d->procedure.analysis != analysis &&
             !(d->procedure.analysis == DECK_STATIC && analysis == DECK_DYNAMIC && !d->procedure.creeps))
    return inp_fail(d->inp, d->card,
                    "steps of several kinds are not understood; those of *STATIC are, *DYNAMIC after them, *FREQUENCY "
                    "under the stress of the one before it, and *STEADY STATE DYNAMICS or *MODAL DYNAMIC after "
                    "*FREQUENCY");
  else if (analysis == DECK_MODES && d->n_step > 1)
    return inp_fail(d->inp, d->card, "after another step of the same kind is not understood");
  if (d->now.perturbation && analysis != DECK_MODES && d->n_step > 1)
    return inp_fail(d->inp, d->card, "PERTURBATION after other steps is understood for *FREQUENCY only");
  if (analysis == DECK_HEAT) d->procedure.large = false; /* of temperatures alone NLGEOM says nothing */
  if (d->procedure.large && analysis != DECK_STATIC && analysis != DECK_DYNAMIC)
    return inp_fail(d->inp, d->card, "in a step with NLGEOM is not understood; *STATIC and *DYNAMIC are");
  if (d->now.ramps && analysis == DECK_MODAL_DYNAMIC)
    return inp_fail(d->inp, d->card, "AMPLITUDE=RAMP of its *STEP is not understood; an *AMPLITUDE is");
  d->now.has_procedure = true;
  d->procedure.analysis = analysis;
  return deck_row(d, NULL, &d->procedure.row);
}

/* TIME RESET: the total time at the end is that of the step before. */
static Status check_reset(Deck *d) {
  bool total = false;
  d->now.reset = inp_parameter(d->card, "TIMERESET") != NULL;
  if (d->now.reset && deck_is_chain(d))
    return inp_fail(d->inp, d->card, "TIME RESET in steps that go on from one another is not understood");
  for (int32_t i = 0; i < d->acts.n_amplitude; ++i) total |= d->acts.amplitude[i].total;
  if (!total || !d->now.reset) return OK;
  return inp_fail(d->inp, d->card, "TIME RESET beside an *AMPLITUDE over the total time is not understood");
}

Status deck_card_static(Deck *d) {
  InpLine line;
  TRY(deck_begin_analysis(d, DECK_STATIC));
  if (deck_is_heat(d)) return inp_fail(d->inp, d->card, "the elements are for heat transfer; %s", TWO_DECKS);
  TRY(deck_creep_check(d));
  d->procedure.at_once = 0;
  if (d->now.once) TRY(deck_rows_follow(d, true));
  d->procedure.flows = deck_any_flows(d), d->procedure.touches = deck_any_touches(d) || d->model.n_bolt;
  TRY(check_reset(d));
  d->procedure.steady = true, d->procedure.period = d->procedure.first_step = 1,
  d->procedure.min_step = d->procedure.max_step = 0, d->procedure.direct = inp_parameter(d->card, "DIRECT") != NULL;
  if (!deck_first_line(d, &line)) return OK;
  TRY(inp_number(d->inp, d->card, &line, 0, &d->procedure.first_step));
  TRY(inp_number(d->inp, d->card, &line, 1, &d->procedure.period));
  TRY(inp_number(d->inp, d->card, &line, 2, &d->procedure.min_step));
  TRY(inp_number(d->inp, d->card, &line, 3, &d->procedure.max_step));
  if (!(d->procedure.period > 0)) d->procedure.period = 1;
  if (!(d->procedure.first_step > 0) || d->procedure.first_step > d->procedure.period)
    d->procedure.first_step = d->procedure.period;
  return OK;
}

/* Of increments and of Newton's method: here both are found from what converges. */
Status deck_card_controls(Deck *d) {
  return deck_warn(d, deck_card(d),
                   "*CONTROLS changes nothing: iterations end where the forces balance to solver.rtol, and a step that "
                   "fails is cut, unless it is DIRECT");
}

Status deck_card_section_controls(Deck *d) {
  return deck_warn(d, deck_card(d),
                   "*SECTION CONTROLS changes nothing: the elements that are understood have no hourglass modes");
}

bool deck_ends_in_modes(const Deck *d) { return d->procedure.prestress && d->procedure.large; }

/* The first line of the card: how many modes. */
static Status read_modes(Deck *d, DeckAnalysis analysis, InpLine *line) {
  TRY(deck_begin_analysis(d, analysis));
  if (deck_is_heat(d)) return inp_fail(d->inp, d->card, "the elements are for heat transfer");
  if (!deck_ends_in_modes(d)) d->procedure.steady = true, d->procedure.period = 1;
  if (!deck_first_line(d, line) || !line->n || !inp_whole(line->field[0], &d->procedure.n_mode) ||
      d->procedure.n_mode < 1)
    return inp_fail(d->inp, d->card, "has no line with the number of modes");
  return OK;
}

/* Sinew begins with the lowest elastic mode: what a range leaves out is there too. */
Status deck_card_frequency(Deck *d) {
  InpLine line;
  double low, high;
  const char *normal = inp_parameter(d->card, "NORMALIZATION");
  TRY(read_modes(d, DECK_MODES, &line));
  if (normal && strcasecmp(normal, "MASS") != 0)
    TRY(deck_warn(d, deck_card(d), "*FREQUENCY: NORMALIZATION=%.40s changes nothing: shapes have a modal mass of 1",
                  normal));
  TRY(inp_number(d->inp, d->card, &line, 1, &low));
  TRY(inp_number(d->inp, d->card, &line, 2, &high));
  if (low <= 0 && high <= 0) return OK;
  return deck_warn(d, deck_line(&line),
                   "*FREQUENCY: the %lld lowest elastic modes are found, those outside the range too",
                   (long long)d->procedure.n_mode);
}

Status deck_card_buckle(Deck *d) {
  InpLine line;
  return read_modes(d, DECK_BUCKLING, &line);
}

Status deck_card_heated_stress(Deck *d) {
  return inp_fail(d->inp, d->card, "heat and stress in one step are not understood; %s", TWO_DECKS);
}

Status deck_card_heat_transfer(Deck *d) {
  InpLine line;
  TRY(deck_begin_analysis(d, DECK_HEAT));
  const char *end = inp_parameter(d->card, "END");
  if (end && strcasecmp(end, "PERIOD") != 0)
    return inp_fail(d->inp, d->card, "END=%.40s is not understood; PERIOD is", end);
  TRY(check_reset(d));
  d->procedure.steady = inp_parameter(d->card, "STEADYSTATE") != NULL, d->procedure.period = 1;
  d->procedure.direct = inp_parameter(d->card, "DIRECT") != NULL;
  if (!d->procedure.steady && !d->procedure.direct && inp_parameter(d->card, "DELTMX"))
    TRY(deck_warn(d, deck_card(d),
                  "*HEAT TRANSFER: DELTMX changes nothing: steps are as long as their error in time allows, 1e-4 of "
                  "the size of the "
                  "solution"));
  if (d->now.ramps && !d->procedure.steady)
    return inp_fail(d->inp, d->card, "AMPLITUDE=RAMP of its *STEP is not understood in time; an *AMPLITUDE is");
  if (!deck_first_line(d, &line))
    return d->procedure.steady ? OK : inp_fail(d->inp, d->card, "has no line with first step and end");
  if (!d->procedure.steady) return deck_step_times(d, &line);
  TRY(inp_number(d->inp, d->card, &line, 1, &d->procedure.period)); /* when amplitudes end */
  if (!(d->procedure.period > 0)) d->procedure.period = 1;
  return OK;
}
