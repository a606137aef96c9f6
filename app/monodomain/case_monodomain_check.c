/* Checks of values of a heart against each other, which the tables cannot express. */
#include "app/fibers/case_fibers.h"
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/layers.h"
#include "app/monodomain/prepace.h"
#include "app/input/case_tables.h"
#include "app/input/number.h"
#include "core/nearest.h"
#include "solver/time/scheme.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PULSES_MAX = 1000000 };
static const double PULSE_SHORTEST = 1e-14; /* of the whole run */

/* The preset's index, or -1 after an error. */
static int preset_of(const CaseIonic *ionic, Diagnostics *out) {
  const IonicType *type = ionic_type(ionic->model.value);
  if (!ionic->preset.text) return 0;
  const int found = ionic_preset(ionic->model.value, ionic->preset.text);
  if (found >= 0) return found;
  const char *names[64];
  char list[1024] = "", seen[SEEN_BYTES];
  int n = 0;
  for (; n < type->n_preset && n < 64; ++n) {
    names[n] = type->preset[n].name;
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", n ? ", " : "", names[n]);
  }
  const char *near = nearest_name(ionic->preset.text, n, names);
  report_error(out, ionic->preset.place, "unknown preset '%s' of %s\n  allowed: %s%s%s%s",
               seen_text(ionic->preset.text, seen), type->name, list, near ? "\n  did you mean '" : "",
               near ? near : "", near ? "'?" : "");
  return -1;
}

/* Gates in float are a build of their own, which few models have. */
static void check_gates(const CaseIonic *ionic, Diagnostics *out) {
  const char *model = ionic->model.text;
  char list[256] = "";
  if (ionic->gates.value != 1 || (model && ionic_in_float(ionic->model.value) >= 0)) return;
  for (int kind = 0; kind < ionic_listed(); ++kind)
    if (ionic_in_float(kind) >= 0)
      snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? ", " : "", ionic_type(kind)->name);
  report_error(out, ionic->gates.place,
               "gates is float, for which %s has no build; leave it out\n  ionic models that have one: %s",
               model ? model : "a model from a file", list);
}

void heart_fill_ionic(CaseIonic *ionic, Diagnostics *out) {
  check_gates(ionic, out);
  if (!ionic->model.text) return; /* a file: import_models */
  const IonicType *type = ionic_type(ionic->model.value);
  const int preset = preset_of(ionic, out);
  if (preset < 0) return;
  ionic->preset.text = type->preset[preset].name;
  for (int k = 0; k < type->n_param; ++k) {
    NumberValue *value = &ionic->value[k];
    const VaryingValue *varying = &ionic->varying[k];
    if (place_given(varying->expr.place) && expr_is_timed(&varying->expr.expr))
      report_error(out, varying->place, "%s depends on t; a parameter varies with x, y and z only",
                   type->param[k].name);
    if (place_given(value->place) && varying->relative && !place_given(varying->place))
      value->value *= type->preset[preset].value[k]; /* "*0.5" */
    if (!place_given(value->place) || place_given(varying->place)) value->value = type->preset[preset].value[k];
    else if (error_reported_at(out, value->place)) continue;
    else if (param_check(&type->param[k], value->value) != OK) report_error(out, value->place, "%s", status_message());
  }
}

void heart_check_axes(const CaseTissue *t, const char *what, Diagnostics *out) {
  const CaseDiffusivity *d = &t->diffusivity;
  const bool fibers = place_given(t->fibers.place), ruled = t->fibers.rule.text != NULL;
  heart_check_places(t, what, out);
  fibers_check("fibers", &t->fibers, out);
  fibers_check("sheets", &t->sheets, out);
  fibers_doubt(&t->fibers, out);
  if (place_given(d->across.place) && !fibers)
    report_error(out, d->across.place, "%s across the fibres needs 'fibers:' in this entry, such as {field: fiber}",
                 what);
  if (place_given(d->normal.place) && !place_given(t->sheets.place) && !ruled)
    report_error(out, d->normal.place, "%s normal to the sheets needs 'sheets:' in this entry", what);
  if (place_given(t->sheets.place) && !fibers)
    report_error(out, t->sheets.place, "sheets need 'fibers:' in this entry");
  if (place_given(t->sheets.place) && ruled)
    report_error(out, t->sheets.place, "the rule of 'fibers:' gives the sheets too");
}

static void check_box(const CaseBox *box, Diagnostics *out) {
  if (!place_given(box->place) || !box->min.n || !box->max.n) return;
  if (box->min.n != box->max.n)
    report_error(out, box->max.place, "max has %d entries and min has %d", box->max.n, box->min.n);
  for (int k = 0; k < box->min.n && k < box->max.n; ++k)
    if (!(box->min.value[k] <= box->max.value[k]))
      report_error(out, box->min.place, "min is %g and max is %g in direction %c", box->min.value[k], box->max.value[k],
                   "xyz"[k]);
}

void heart_check_spot(const CaseSpot *on, Diagnostics *out) {
  if (!place_given(on->place) || error_reported_at(out, on->place)) return;
  const int forms = (on->group.n > 0) + place_given(on->box.place) + place_given(on->sphere.place) + (on->nodes.n > 0);
  if (forms != 1)
    report_error(out, on->place, "on needs exactly one of group, box, sphere, nodes; this one has %s",
                 forms ? "more" : "none");
  check_box(&on->box, out);
  for (int32_t i = 0; i < on->nodes.n; ++i) {
    int64_t node;
    const char *why;
    char seen[SEEN_BYTES];
    if (!integer_parse(on->nodes.item[i].text, &node, &why))
      report_error(out, on->nodes.item[i].place, "nodes: '%s' %s", seen_text(on->nodes.item[i].text, seen), why);
  }
}

/* Of a train from `start` on that the run sees. */
static int64_t train_pulses(const Case *c, double start, const NumberValue *period, const IntegerValue *count) {
  if (!(start < c->time.end.value)) return 0;
  if (!place_given(period->place)) return 1;
  const double most = ceil((c->time.end.value - start) / period->value * (1 - 1e-12));
  if (most > PULSES_MAX) return PULSES_MAX + 1;
  return place_given(count->place) && (double)count->value < most ? count->value : (int64_t)most;
}

int64_t stimulus_pulses(const Case *c, const CaseStimulus *s) {
  return train_pulses(c, s->start.value, &s->period, &s->count);
}

int64_t electrode_pulses(const Case *c, const CaseElectrode *e) {
  return train_pulses(c, e->start.value, &e->period, &e->count);
}

void heart_check_train(const Case *c, double start, const NumberValue *duration, const NumberValue *period,
                       const IntegerValue *count, Diagnostics *out) {
  const double shortest = PULSE_SHORTEST * c->time.end.value;
  if (duration->value > 0 && duration->value < shortest)
    report_error(out, duration->place,
                 "duration is %g ms, must be at least %g: shorter pulses are lost in the rounding of times up to %g",
                 duration->value, shortest, c->time.end.value);
  if (place_given(count->place) && count->value > 1 && !place_given(period->place))
    report_error(out, count->place, "count is %lld, which needs 'period': ms from pulse to pulse",
                 (long long)count->value);
  if (!(duration->value > 0) || (place_given(period->place) && !(period->value > 0))) return; /* said already */
  if (place_given(period->place) && period->value <= duration->value)
    report_error(out, period->place, "period is %g ms, must be longer than a pulse, %g ms", period->value,
                 duration->value);
  if (c->time.end.value > 0 && train_pulses(c, start, period, count) > PULSES_MAX)
    report_error(out, period->place, "more than %d pulses; use a longer period or a count", PULSES_MAX);
}

/* What flows: in a volume, in a layer, through a surface. */
static void check_strength(const CaseStimulus *s, Diagnostics *out) {
  const bool amplitude = place_given(s->amplitude.place), current = place_given(s->current.place);
  if (amplitude == current && !error_reported_at(out, s->place))
    report_error(
        out, s->place,
        "a stimulus needs %s 'amplitude' (mV/ms in its nodes or layer) %s 'current' (mV mm/ms per area of a surface)",
        amplitude ? "either" : "one of", amplitude ? "or" : "and");
  if (current && place_given(s->depth.place))
    report_error(out, s->depth.place, "depth belongs to 'amplitude'; a current goes through the surface itself");
  const NumberValue *of_surface = current ? &s->current : &s->depth;
  if (place_given(of_surface->place) && place_given(s->on.place) && !s->on.group.n &&
      !error_reported_at(out, s->on.place))
    report_error(out, of_surface->place, "%s needs a group of surfaces (curves of a flat mesh) in 'on:'",
                 current ? "current" : "depth");
}

static void check_stimulus(const Case *c, const CaseStimulus *s, Diagnostics *out) {
  heart_check_spot(&s->on, out);
  check_strength(s, out);
  heart_check_train(c, s->start.value, &s->duration, &s->period, &s->count, out);
  if (s->duration.value > 0 && (!place_given(s->period.place) || s->period.value > 0) && c->time.end.value > 0 &&
      stimulus_pulses(c, s) == 0)
    report_error(out, s->start.place, "start is %g ms, not before the end of the run at %g ms", s->start.value,
                 c->time.end.value);
}

static void check_end(const Case *c, const TextValue *name, Diagnostics *out) {
  char seen[SEEN_BYTES];
  if (name->text && !case_probe_named(c, name->text))
    report_error(out, name->place, "unknown probe '%s'; a velocity is that from one probe of this case to another",
                 seen_text(name->text, seen));
}

static bool has_state(const Case *c, const char *name) {
  for (int32_t i = 0; i < heart_ionics(c); ++i) {
    const int32_t kind = ionic_kind_of(heart_ionic(c, i));
    if (kind < 0 || ionic_state(kind, name) >= 0) return true; /* wrong: said already */
  }
  return c->materials.n == 0;
}

/* A state that no cell of this case has. */
static void check_state(const Case *c, int state, const Place *place, Diagnostics *out) {
  if (has_state(c, ionic_state_word(state))) return;
  char list[1024] = "";
  for (int k = 0; k < N_IONIC_STATES; ++k)
    if (ionic_state_index(ionic_state_word(k)) == k && has_state(c, ionic_state_word(k)))
      snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? ", " : "", ionic_state_word(k));
  report_error(out, *place, "no ionic model of this case has a state '%s'\n  there are: %s", ionic_state_word(state),
               list);
}

static void check_states(const Case *c, Diagnostics *out) {
  for (int k = 0; k < N_IONIC_STATES; ++k) {
    if (words_have(&c->output.fields, HEART_STATE + k)) check_state(c, k, &c->output.fields.place, out);
    if (place_given(c->initial.state[k].place)) check_state(c, k, &c->initial.state[k].place, out);
  }
  if (c->output.phase.state.text) check_state(c, c->output.phase.state.value, &c->output.phase.state.place, out);
  for (int32_t i = 0; i < c->output.probes.n; ++i) {
    const WordValue *field = &case_probe(c, i)->field;
    if (field->value >= HEART_STATE && field->value < HEART_PHASE)
      check_state(c, field->value - HEART_STATE, &field->place, out);
  }
}

/* Steps end at samples, and so at stored times too. */
static void check_sample(const Case *c, Diagnostics *out) {
  enum { ROWS_MOST = 100000000 };
  const NumberValue *sample = &c->output.sample;
  const double every = case_every(c), end = c->time.end.value;
  if (!(sample->value > 0) || !(every > 0)) return;
  const double n = every / sample->value;
  if (!(n >= 1 - 1e-9) || fabs(n - round(n)) > 1e-9 * n)
    report_error(out, sample->place, "sample is %g ms, but 'every', %g ms, must be a multiple of it", sample->value,
                 every);
  else if (sample->value > end && end > 0)
    report_error(out, sample->place, "sample is %g ms, longer than the whole time, %g ms", sample->value, end);
  else if (end / sample->value > ROWS_MOST)
    report_error(out, sample->place, "sample is %g ms: %.3g rows, at most %d are possible", sample->value,
                 end / sample->value, ROWS_MOST);
}

void heart_check_velocities(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->output.velocity.n; ++i) {
    const CaseVelocity *v = case_velocity(c, i);
    check_end(c, &v->from, out);
    check_end(c, &v->to, out);
    if (v->from.text && v->to.text && strcmp(v->from.text, v->to.text) == 0)
      report_error(out, v->to.place, "a velocity needs two probes; both are '%s'", v->to.text);
  }
}

/* What `beats:` says; 0: it is nothing that could be. */
static int64_t beats_of(const Case *c, const CaseMap *map) {
  int64_t n = 0;
  const char *why;
  if (!map->beats.text) return 1;
  if (strcmp(map->beats.text, "all") != 0) return integer_parse(map->beats.text, &n, &why) && n > 0 ? n : 0;
  for (int32_t i = 0; i < c->stimuli.n; ++i) n += stimulus_pulses(c, case_stimulus(c, i));
  return n > 0 ? n : 1;
}

int32_t heart_map_beats(const Case *c, HeartMap map) {
  for (int32_t i = 0; i < c->output.maps.n; ++i)
    if (case_map(c, i)->name.text && case_map(c, i)->name.value == (int32_t)map)
      return (int32_t)beats_of(c, case_map(c, i));
  return 0;
}

/* Whether a map or probe has the end of a beat, which `apd` says. */
static bool has_ends(const Case *c) {
  bool any = false;
  for (int32_t i = 0; i < c->output.maps.n; ++i)
    any |= case_map(c, i)->name.value == HEART_REPOLARIZATION || case_map(c, i)->name.value == HEART_APD;
  for (int32_t i = 0; i < c->output.probes.n; ++i)
    any |= case_probe(c, i)->field.value == HEART_PROBE_MAP + HEART_REPOLARIZATION ||
           case_probe(c, i)->field.value == HEART_PROBE_MAP + HEART_APD;
  return any;
}

static void check_maps(const Case *c, Diagnostics *out) {
  if (place_given(c->output.apd.place) && !has_ends(c))
    report_error(out, c->output.apd.place,
                 "apd is of repolarization and apd, of which neither maps nor probes have one\n  remedy: 'maps: "
                 "[apd]', or leave it out");
  for (int32_t i = 0; i < c->output.maps.n; ++i) {
    const CaseMap *map = case_map(c, i);
    char seen[SEEN_BYTES];
    const int64_t n = beats_of(c, map);
    if (n == 0)
      report_error(out, map->beats.place, "beats is '%s', must be a number from 1 to %d, or all",
                   seen_text(map->beats.text, seen), HEART_BEATS_MOST);
    else if (n > HEART_BEATS_MOST)
      report_error(out, map->beats.place, "maps of %lld beats; at most %d\n  remedy: give a number in place of '%s'",
                   (long long)n, HEART_BEATS_MOST, seen_text(map->beats.text, seen));
    for (int32_t k = 0; k < i; ++k)
      if (map->name.text && case_map(c, k)->name.text && case_map(c, k)->name.value == map->name.value)
        report_error(out, map->name.place, "'%s' is listed twice", map->name.text);
  }
}

int32_t heart_beats(const Case *c) {
  int32_t n = 1;
  for (int k = 0; k < N_HEART_MAPS; ++k)
    if (heart_map_beats(c, (HeartMap)k) > n) n = heart_map_beats(c, (HeartMap)k);
  for (int32_t i = 0; i < c->output.probes.n; ++i)
    if (case_probe(c, i)->beat.value > n) n = (int32_t)case_probe(c, i)->beat.value;
  return n;
}

static void check_beats_of_probes(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->output.probes.n; ++i) {
    const CaseProbe *p = case_probe(c, i);
    if (place_given(p->beat.place) && p->beat.value != 1 && /* 1: as unless given */
        (p->field.value < HEART_PROBE_MAP || p->field.value == HEART_PROBE_MAP + HEART_DF))
      report_error(out, p->beat.place,
                   "beat does not apply to %s\n  allowed with 'field:' activation, repolarization or apd",
                   p->field.text ? p->field.text : "potential");
  }
}

IonicConstants monodomain_constants_of(const CaseIonic *ionic) {
  IonicConstants constants = {.kind = ionic_kind_of(ionic)};
  for (int k = 0; k < IONIC_PARAMS; ++k) constants.value[k] = ionic->value[k].value;
  return constants;
}

bool heart_opens(const Case *c) {
  bool any = false;
  for (int32_t i = 0; i < c->materials.n; ++i) any |= place_given(heart_tissue(c, i)->stretch_current.place);
  return any;
}

double monodomain_step_bound(const Case *c) {
  double bound = INFINITY;
  for (int32_t i = 0; i < heart_ionics(c); ++i) {
    if (ionic_kind_of(heart_ionic(c, i)) < 0) continue;
    const IonicConstants constants = monodomain_constants_of(heart_ionic(c, i));
    bound = fmin(bound, ionic_largest_step(&constants, 1)); /* all schemes begin with backward Euler */
  }
  return bound;
}

enum {
#define TIME_SCHEME(id, name) SCHEME_IS_##id,
#include "solver/time/schemes.def"
#undef TIME_SCHEME
};

const WordValue heart_scheme_solves = {SCHEME_IS_rush_larsen, "rush-larsen", {0}};

/* A model whose states only go first has schemes of its own, and chooses one where none is given: explicit stages where they are
 * possible (heart.c takes back what the mesh makes too many of them). */
static void check_scheme(Case *c, Diagnostics *out) {
  static const WordValue stages = {SCHEME_IS_rush_larsen_chebyshev, "rush-larsen-chebyshev", {0}};
  WordValue *scheme = &c->time.scheme;
  const bool may = c->reaction.value == 0 && !place_given(c->time.adaptive.place);
  for (int32_t i = 0; i < heart_ionics(c); ++i) {
    const WordValue *model = &heart_ionic(c, i)->model;
    const IonicType *type = ionic_type(ionic_kind_of(heart_ionic(c, i)));
    if (!type || type->implicit || !scheme->text || time_scheme(scheme->value)->carries == SCHEME_STATES_FIRST)
      continue;
    if (!place_given(scheme->place)) *scheme = may ? stages : heart_scheme_solves;
    else /* gates in float go by the name that the case has */
      report_error(out, scheme->place,
                   "scheme is %s, which cannot step the ionic model '%s': its states go first\n  allowed: rush-larsen, "
                   "rush-larsen-chebyshev",
                   scheme->text, model->text ? model->text : type->name);
  }
}

/* What explicit stages cannot do. */
static void check_stages(const Case *c, Diagnostics *out) {
  const WordValue *scheme = &c->time.scheme;
  if (!scheme->text || !time_scheme(scheme->value)->stages) return;
  if (c->reaction.value > 0)
    report_error(out, c->reaction.place,
                 "reaction is gauss, but the explicit stages of 'scheme: %s' need 'reaction: nodal'\n  remedy: leave "
                 "'reaction' out, or 'scheme: rush-larsen' under 'time:'",
                 scheme->text);
  if (place_given(c->time.adaptive.place))
    report_error(out, c->time.adaptive.place,
                 "adaptive steps are not possible with 'scheme: %s', whose steps have one length\n  remedy: leave "
                 "'adaptive' out, or 'scheme: rush-larsen'",
                 scheme->text);
}

const char *heart_beyond_bound(const Case *c) {
  return time_scheme(c->time.scheme.value)->stages ? "no step can follow the reaction"
                                                   : "the matrix of a step is not positive definite";
}

static void check_step(const Case *c, Diagnostics *out) {
  const double bound = monodomain_step_bound(c);
  const NumberValue *step = &c->time.step, *most = &c->time.adaptive.max;
  const bool adaptive = place_given(c->time.adaptive.place);
  if (!adaptive && step->value >= bound)
    report_error(out, step->place, "step is %g ms, must be < %.4g ms: beyond it %s", step->value, bound,
                 heart_beyond_bound(c));
  if (adaptive && most->value >= bound)
    report_error(out, most->place,
                 "max is %g ms, must be < %.4g ms: beyond it the matrix of a step is not positive definite",
                 most->value, bound);
}

void heart_check_prepace(const CasePrepace *p, Diagnostics *out) {
  if (!place_given(p->place) || error_reported_at(out, p->place) || error_reported_at(out, p->cycle.place) ||
      error_reported_at(out, p->duration.place))
    return;
  if (p->duration.value >= PREPACE_STEP && p->cycle.value > p->duration.value) return;
  report_error(
      out, place_given(p->duration.place) ? p->duration.place : p->cycle.place,
      "stimuli of %g ms and cycles of %g ms: a stimulus must last at least %g ms, a step, and less than a cycle",
      p->duration.value, p->cycle.value, PREPACE_STEP);
}

bool ionic_varies(const CaseIonic *ionic) {
  const IonicType *type = ionic->model.text ? ionic_type(ionic->model.value) : NULL;
  for (int k = 0; type && k < type->n_param; ++k)
    if (place_given(ionic->varying[k].place)) return true;
  return false;
}

/* Fronts that start the cells: one train for all, and a step within each pulse. */
static void check_eikonal(const Case *c, Diagnostics *out) {
  const CaseEikonal *e = &c->eikonal;
  const bool given = place_given(e->place);
  for (int32_t i = 0; i < c->materials.n; ++i) {
    const CaseTissue *t = heart_tissue(c, i);
    if (!given && place_given(t->velocity.place))
      report_error(out, t->velocity.place,
                   "velocity is of tissue that a front starts\n  remedy: 'eikonal: {}', or leave "
                   "it out: the wave has the velocity that follows from the diffusivity");
  }
  for (int32_t i = 0; i < c->purkinje.n; ++i) {
    const CasePurkinje *t = case_tree(c, i);
    const Place place = place_given(t->velocity.place) ? t->velocity.place : t->junction.delay.place;
    if (given && !place_given(t->velocity.place))
      report_error(out, t->place, "with 'eikonal:' each tree needs the key 'velocity': mm/ms along its lines");
    if (!given && place_given(place))
      report_error(out, place,
                   "velocity and delay are of trees that a front starts\n  remedy: 'eikonal: {}', or leave them out: "
                   "the wave has the velocity that follows from the diffusivity");
  }
  if (!given || error_reported_at(out, e->place)) return;
  if (c->stimuli.n == 0) report_error(out, e->place, "eikonal needs 'stimuli:', where fronts start");
  if (place_given(c->time.adaptive.place))
    report_error(out, c->time.adaptive.place,
                 "adaptive steps cannot follow fronts of 'eikonal:'; leave one of them out");
  if (e->duration.value < c->time.step.value)
    report_error(out, place_given(e->duration.place) ? e->duration.place : e->place,
                 "duration is %g ms, must be at least a step, %g ms", e->duration.value, c->time.step.value);
  if (c->stimuli.n > 0 && place_given(case_stimulus(c, 0)->period.place) &&
      case_stimulus(c, 0)->period.value <= e->duration.value)
    report_error(out, place_given(e->duration.place) ? e->duration.place : e->place,
                 "duration is %g ms, must be shorter than the period of the stimuli, %g ms", e->duration.value,
                 case_stimulus(c, 0)->period.value);
  for (int32_t i = 1; i < c->stimuli.n; ++i) {
    const CaseStimulus *first = case_stimulus(c, 0), *s = case_stimulus(c, i);
    if (first->period.value != s->period.value || stimulus_pulses(c, first) != stimulus_pulses(c, s))
      report_error(out, s->place,
                   "with 'eikonal:' all stimuli have one period and one number of pulses; here %g ms and %lld, of the "
                   "first %g ms and %lld",
                   s->period.value, (long long)stimulus_pulses(c, s), first->period.value,
                   (long long)stimulus_pulses(c, first));
  }
}

void monodomain_check(Case *c, Diagnostics *out) {
  const int32_t before = out->n;
  if (place_given(c->materials.place) && c->materials.n == 0)
    report_error(out, c->materials.place, "tissue is empty; every element needs an entry");
  bidomain_check(c, out);
  purkinje_defaults(c);
  import_models(c, out);
  for (int32_t i = 0; i < heart_ionics(c); ++i) heart_fill_ionic(heart_ionic(c, i), out);
  purkinje_check(c, out);
  layers_check(c, out);
  for (int32_t i = 0; i < c->materials.n; ++i) {
    heart_make_diffusivity(heart_tissue(c, i), out);
    heart_check_axes(heart_tissue(c, i), "diffusivity", out);
  }
  for (int32_t i = 0; i < c->stimuli.n; ++i) check_stimulus(c, case_stimulus(c, i), out);
  heart_check_prepace(&c->prepace, out);
  if (c->reaction.value > 0 && place_given(c->mass.place))
    report_error(out, c->mass.place,
                 "mass is of 'reaction: nodal'; the mass of 'gauss' is consistent: leave one of them out");
  if (out->n == before) check_eikonal(c, out);
  check_sample(c, out);
  heart_check_velocities(c, out);
  if (out->n == before) check_maps(c, out);
  if (out->n == before) heart_check_rhythm(c, out);
  if (out->n == before) heart_check_leads(c, out);
  check_states(c, out);
  check_beats_of_probes(c, out);
  check_scheme(c, out);
  check_stages(c, out);
  if (out->n == before) check_step(c, out);
}
