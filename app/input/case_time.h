/* What a case says of the time, of steps in it, and of temperatures that change with them: parts of case.h. */
#pragma once
#include "app/input/schema.h"

typedef struct CaseAdaptive {
  Place place; /* zero: fixed steps */
  NumberValue tolerance, min, max;
  NumberValue strain; /* of load steps: most plastic strain of one */
  FlagValue cut;      /* of load steps, false: fixed steps that are not cut either */
} CaseAdaptive;

/* Of cells in a body of muscle, whose steps are longer. */
typedef struct CaseCellSteps {
  Place place;
  NumberValue step;
  WordValue scheme;
  IntegerValue refine; /* of the elements that they live on */
} CaseCellSteps;

/* A run may end before `end` does: with the beat that is like the one before it. */
typedef struct CaseUntil {
  Place place; /* zero: not given */
  NumberValue periodic;
  IntegerValue beats;
} CaseUntil;

typedef struct CaseTime {
  Place place; /* zero: steady */
  NumberValue end, step;
  WordValue scheme; /* solver/time/schemes.def */
  CaseAdaptive adaptive;
  CaseCellSteps cells;
  CaseUntil until;
} CaseTime;

/* Where the temperature of a body comes from: one of value, field and results. */
typedef struct CaseTemperature {
  Place place;
  ExprValue value;
  TextValue field;
  TextValue results; /* folder of a heat run */
  NumberValue time;  /* place zero: the last one stored */
} CaseTemperature;

typedef struct CaseThermal {
  Place place; /* zero: not given */
  NumberValue reference;
  CaseTemperature temperature;
} CaseThermal;

/* Of a step where others are of large strains. */
typedef enum StepStrain { STEP_STRAIN_SMALL, STEP_STRAIN_FINITE } StepStrain;

/* A step of a chain, from the end of the one before. */
typedef struct CaseStep {
  Place place;
  TextValue name;
  NumberValue end, step;
  CaseAdaptive adaptive;
  FlagValue inertia; /* in motion: false, a load step before it */
  FlagValue creep;   /* false: nothing creeps in it */
  WordValue strain;  /* StepStrain */
  CaseThermal thermal;
  MapsValue boundary, body, contact, bolts; /* of CaseBoundary, CaseBody, CaseContact, CaseBolt */
} CaseStep;

/* Of a chain of steps: what an entry does is its value at the time clock(t), times share(t). NULL: it is that of t, times 1. */
typedef struct CaseWindow {
  const ExprTable *clock, *share;
} CaseWindow;
/* The temperature of a list of a chain, and how what it is above the reference goes over t. */
typedef struct CaseHeat {
  const CaseThermal *thermal; /* a view */
  CaseWindow window;
} CaseHeat;
/* Without a chain: the share, over t, of what does not begin at 0 with t. table.n 0: all of that is there at once. */
typedef struct CaseRise {
  ExprTable table;
  double at[2], value[2];
} CaseRise;
/* What acts in a chain of steps as entries of one run, over t (app/elasticity/case_chain.c). */
typedef struct CaseChain {
  MapsValue boundary, body;    /* lists that the entries point to are those of the steps */
  const struct StepSpan *span; /* [steps], a view (solver/time/step_control.h) */
  CaseHeat *heat;              /* owned, [n_heat]; 0: no step has a temperature of its own */
  int32_t n_heat;
  void **table; /* owned with its items, [n_table] */
  int32_t n_table;
} CaseChain;

bool case_adapts(const CaseTime *time); /* are steps adaptive? */
bool case_adaptive_on(const CaseAdaptive *adaptive);
struct Case;
/* Of a chain of steps: when step k begins, ... Of all cases in time: how many steps there are, and are stored, about. */
double case_step_begin(const struct Case *c, int32_t k);
/* What the step says that leads to this time, or `time:`. */
const CaseAdaptive *case_adaptive_at(const struct Case *c, double time);
/* The first step is of small strains where those of the case are finite; that of a time is. */
bool case_small_first(const struct Case *c);
bool case_small_at(const struct Case *c, double time);
/* The number of the step that a time is in; its end is, but for rounding. 0 where there is no chain. */
int32_t case_step_at(const struct Case *c, double time);
/* Where the first load step from there on ends: what jumps at the beginning of step k goes there over it, so that steps that are cut
 * take it in parts. */
double case_rise_end(const struct Case *c, int32_t k);
double case_step_every(const struct Case *c, int32_t k); /* between stored ones, where output.every does not say */
double case_step_count(const struct Case *c);
/* That of the case, or of the first step that has one, which has the reference of all; NULL: nothing is heated. */
const CaseThermal *case_first_thermal(const struct Case *c);
double case_stored(const struct Case *c);
