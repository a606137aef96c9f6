/* What a case says of the circulation: a part of case.h. Units: ms, mL, kPa. */
#pragma once
#include "app/input/schema.h"

typedef struct CaseValve {
  Place place; /* zero: not given */
  NumberValue open, closed;
} CaseValve;

typedef struct CaseElastance {
  Place place; /* zero: not given */
  NumberValue active, passive, v0, start, contraction, relaxation, volume;
} CaseElastance;

/* Elements by how many of its members are given: r and c, with zc, with l. */
typedef struct CaseWindkessel {
  Place place; /* zero: not given */
  NumberValue zc, r, c, l, pressure;
} CaseWindkessel;

typedef struct CaseAtrium {
  Place place; /* zero: not given */
  CaseElastance elastance;
  NumberValue r;
} CaseAtrium;

typedef struct CaseInflow {
  Place place; /* zero: not given */
  NumberValue pressure;
  CaseValve valve;
  CaseAtrium atrium;
} CaseInflow;

typedef struct CaseOutflow {
  Place place; /* zero: not given */
  NumberValue pressure;
  CaseValve valve;
  CaseWindkessel windkessel;
} CaseOutflow;

/* An item of a map whose keys are names (schema.h): the name comes first. */
typedef struct CaseChamber {
  Place place;
  TextValue name;
  CaseElastance elastance;
  CaseInflow from;
  CaseOutflow to;
} CaseChamber;

typedef struct CaseVessels {
  Place place;
  NumberValue r_artery, c_artery, l_artery, r_vein, c_vein, l_vein, p_artery, p_vein;
} CaseVessels;

typedef struct CaseBegin {
  Place place;
  IntegerValue beats;
  NumberValue tolerance;
} CaseBegin;

/* The other side of the wall of a cavity, whose thickness and strains are told. */
typedef struct CaseWall {
  Place place; /* zero: not given */
  NamesValue on;
  VectorValue axis; /* from apex to base */
} CaseWall;

/* A cavity in a body of muscle. */
typedef struct CaseCavity {
  Place place;
  TextValue name;
  NamesValue on;
  ExprValue pressure,
      volume;    /* one of the two: kPa, mL; of one that is a chamber of the circulation the pressure at t = 0 */
  WordValue lid; /* of a rim that is free */
  CaseWall wall;
} CaseCavity;

/* Chambers of a closed loop that are cavities, by name: la, lv, ra, rv. */
enum { CASE_LOOP_CHAMBERS = 4 };
typedef struct CaseVentricles {
  Place place; /* zero: not given */
  TextValue cavity[CASE_LOOP_CHAMBERS];
} CaseVentricles;

/* In the order of the words of `model`. */
typedef enum CirculationModel { CIRCULATION_OPEN, CIRCULATION_CLOSED } CirculationModel;

typedef struct CaseCirculation {
  Place place; /* zero: in other physics */
  WordValue model;
  NumberValue cycle;
  MapsValue chambers; /* of CaseChamber */
  CaseVentricles ventricles;
  CaseVessels systemic, pulmonary;
  CaseValve valves;
  CaseBegin begin;
} CaseCirculation;
