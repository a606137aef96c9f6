/* The registry of ionic models: one header of pure functions each (physics/NAME.h) and one line in ionics.def. What a
 * model is, its units and signs: physics/ionic_model.h. */
#pragma once
#include "core/param.h"
#include "core/status.h"
#include "physics/ionic_lanes.h"
#include "physics/ionic_model.h"

/* A set of parameters with a name. */
typedef struct IonicPreset {
  const char *name;
  const char *meaning;
  double value[IONIC_PARAMS];
} IonicPreset;

/* One state of a model. Models may have states of the same name: a field of that name holds the state of the cells that
 * have one. */
typedef struct IonicState {
  const char *name;
  const char *meaning; /* what it is and what it ranges over */
} IonicState;

/* IONIC_STATES: what the model with most of them has. */
typedef union IonicStates {
  char imported[IONIC_IMPORTED_STATES];
#define IONIC(name, text, n) char name[n];
#include "physics/ionics.def"
#undef IONIC
} IonicStates;
enum { IONIC_STATES = sizeof(IonicStates) };

typedef struct IonicType {
  const char *name; /* "aliev-panfilov" */
  const char *meaning;
  int n_state, n_gate, n_param, n_preset; /* n_gate: of a model whose states only go first, else 0 */
  const IonicState *state;                /* [n_state] */
  const Param *param;                 /* in the order of IonicConstants.value; the defaults are those of preset[0] */
  const IonicPreset *preset;          /* [n_preset], n_preset > 0 */
  const struct IonicProgram *program; /* of a step, of a model that was read from a file; NULL: it is compiled in */
  /* Host entries to the same inline functions that the kernels use; arrays of n_state. */
  /* The implicit states; NULL: they are not eliminated, and only first() steps them. */
  void (*implicit)(const IonicConstants *c, double V, const double *known, double step, double *s, double *by_V);
  /* States first: s goes on by a step of dt at V; returns f there, *by_V gets df/dV. */
  double (*first)(const IonicConstants *c, double V, double stimulus, double dt, double *s, double *by_V);
  IonicAbreast *abreast; /* the same of several cells at once (physics/ionic_lanes.h); NULL: there is none */
  void (*rate)(const IonicConstants *c, double V, const double *s, double *g);
  double (*reaction)(const IonicConstants *c, double V, const double *s, double *by_V, double *by_s); /* by_s: 0 where
                                                                                     * implicit is NULL */
  double (*rest)(const IonicConstants *c, double *s); /* resting potential in mV, and the states there */
  double (*max_slope)(const IonicConstants *c);       /* largest df/dV, 1/ms */
  double (*front_slope)(const IonicConstants *c);     /* by which a front rises, 1/ms: with gates that follow it */
} IonicType;

int ionic_count(void);
const IonicType *ionic_type(int kind); /* NULL outside 0 .. ionic_count() - 1, but for those that were added */
/* One more model, from ionic_count() on; borrowed until ionic_remove. ERR_INPUT: there are IONIC_ADDED already. */
enum { IONIC_ADDED = 64 };
Status ionic_add(const IonicType *type, int *kind);
void ionic_remove(int kind);
/* Those that a case names by 'model:' come first. Behind them is, of some, the same cell with its gates in float (names,
 * parameters, presets, states and rest are the same): the kind of that, or -1. */
int ionic_listed(void);
int ionic_in_float(int kind);
int ionic_in_double(int kind); /* and back; else the kind itself */
/* As a case has it: "ten-tusscher, gates in float". */
enum { IONIC_TEXT = 128 };
const char *ionic_text(int kind, char text[IONIC_TEXT]);
/* The stimulus of a cell that is paced alone, unless another one is asked for: for 0.5 ms twice what a beat needs, as Myokit's files have it,
 * of the models whose durations depend on it and are published with that; else 52 mV/ms for 1 ms. */
typedef struct IonicPulse {
  double amplitude, duration; /* mV/ms, ms */
} IonicPulse;
IonicPulse ionic_pulse(int kind);
int ionic_by_name(const char *name); /* -1 when unknown */
/* Index of a named parameter in param[] and value[], of a named preset in preset[]; -1 when the model has none. */
int ionic_parameter(int kind, const char *name);
int ionic_preset(int kind, const char *name);
/* Which of a model's states has a name; -1: none. */
int ionic_state(int kind, const char *name);
/* The states of all models that are listed, model by model; some names occur more than once, and the first index stands for all. */
int ionic_state_count(void);
const char *ionic_state_word(int index);
int ionic_state_index(const char *name); /* -1: no model has one */
/* The constants of a preset (an index), parameters as yet unchecked: always within their ranges. */
IonicConstants ionic_constants(int kind, int preset);
/* Checks the values against the ranges of the table. ERR_INPUT names parameter, value and range. */
Status ionic_check(const IonicConstants *constants);
/* Same model and same parameters. */
bool ionic_same(const IonicConstants *a, const IonicConstants *b);
/* Largest time step in ms for which mass/dt - reaction is positive definite whatever the potential, for a scheme whose
 * mass factor is mass_factor/dt (backward Euler 1, Crank-Nicolson 2, BDF2 with equal steps 3/2); INFINITY where any
 * is. */
double ionic_largest_step(const IonicConstants *constants, double mass_factor);
