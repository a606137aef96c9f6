/* Directions of a material as a case says them. */
#pragma once
#include "app/input/schema.h"

typedef struct CaseCylinder {
  Place place; /* zero: not given */
  VectorValue origin, axis;
} CaseCylinder;

/* Angles of fibres by rule, in degrees: from the endocardium to the epicardium. */
typedef struct CaseAngles {
  Place place;
  NumberValue endo, epi;
} CaseAngles;

/* Where bundles of an atrium end, in the solutions of its rule. */
enum { ATRIAL_BUNDLES = 11 };
typedef struct CaseBundles {
  Place place;
  NumberValue at[ATRIAL_BUNDLES]; /* in the order of app/fibers/atrium.h */
} CaseBundles;

/* Exactly one of field, direction and rule. */
enum { ATRIAL_RIMS = 9 };
typedef struct CaseFibers {
  Place place; /* zero: not given */
  TextValue field;
  ExprsValue direction;
  WordValue rule; /* text NULL: none; the keys below belong to it */
  NamesValue lv, rv, epi, base, apex;
  NamesValue endo, rim[ATRIAL_RIMS]; /* of atria, in the order of app/fibers/atrium.h */
  VectorValue axis;
  VectorValue inner, outer, center; /* of an ellipsoid: radius and half length of both surfaces */
  VectorValue septum;               /* from the middle of the left ventricle, or of the tricuspid valve */
  CaseAngles alpha, beta;
  CaseBundles bundles;
} CaseFibers;

/* Exactly one of x, field, cylinder and fibers. */
typedef struct CaseAxes {
  Place place;     /* zero: not given */
  ExprsValue x, y; /* directions of axes 1 and 2 */
  bool across;     /* axis 2 is any direction across axis 1 */
  TextValue field;
  CaseCylinder cylinder;
  CaseFibers fibers, sheets; /* axes 1 and 2 */
} CaseAxes;
