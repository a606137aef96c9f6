/* Cells of a heart, and the trees of Purkinje fibres that have cells of their own. */
#pragma once
#include "app/input/schema.h"
#include "physics/ionic.h"

typedef struct CaseIonic {
  Place place;
  WordValue model;                    /* index into the ionic registry; text NULL where it is a file */
  WordValue gates;                    /* 0 double, 1 float */
  TextValue file;                     /* of a cell model, in its place */
  FactorsValue parameters;            /* numbers in place of those in the file */
  WordValue units;                    /* of the file: 0 checked, 1 ignored */
  TextValue potential, stimulus;      /* variables of the file; NULL: as it says */
  int32_t imported;                   /* which model the file became; 0: none, as yet */
  TextValue preset;                   /* a name of that model, never NULL after the checks */
  NumberValue value[IONIC_PARAMS];    /* in the order of the registry's table; the preset's where not given */
  VaryingValue varying[IONIC_PARAMS]; /* place given: that varies from node to node; its value is the preset's */
} CaseIonic;

/* How a tree grows on a surface. */
typedef struct CaseGrow {
  Place place; /* zero: it does not */
  NamesValue surface;
  VectorValue direction;
  NumberValue length, branch_length, segment, angle, repulsion;
  IntegerValue generations, seed;
} CaseGrow;

typedef struct CaseJunction {
  Place place;
  NumberValue resistance, radius;
  NumberValue delay; /* of fronts of given velocities, ms */
} CaseJunction;

/* A tree of Purkinje fibres; exactly one of file, on and grow. */
typedef struct CasePurkinje {
  Place place;
  TextValue name;
  TextValue file;
  NumberValue scale; /* of the file */
  NamesValue on;     /* lines of the mesh itself */
  CaseGrow grow;
  VectorValue root; /* n 0: the first node of the first line */
  NumberValue size; /* of the longest piece; place zero: as they are */
  CaseIonic ionic;
  NumberValue diffusivity, radius, surface, capacitance;
  NumberValue velocity; /* with `eikonal:`; place zero without */
  CaseJunction junction;
} CasePurkinje;

/* Two surfaces in space that are coupled, such as endocardium and epicardium of an atrium. */
typedef struct CaseLayers {
  Place place;
  NamesValue from, to;
  NumberValue conductance; /* mm/ms: per area, over surface-to-volume ratio and capacitance */
  NumberValue outside;     /* the same between the spaces outside of the cells, of a bidomain; place zero: not given */
  NumberValue within;      /* mm: farther nodes of `from` are not coupled; place zero: all are */
} CaseLayers;
