/* What a case says of constraints between displacements, and of forces about a point: parts of case.h. */
#pragma once
#include "app/input/schema.h"

/* Force and moment about a point, spread over a group. */
typedef struct CaseDistribute {
  Place place; /* zero: not given */
  VectorValue at;
  ExprsValue force, moment; /* over t or f */
  bool of_rigid;            /* of a rigid group, in a chain of steps */
} CaseDistribute;

/* What a pin presses on a bore with. */
typedef struct CaseBearing {
  Place place; /* zero: not given */
  VectorValue force;
} CaseBearing;

/* A group that moves as a rigid body; what is not prescribed of its motion goes as loads have it. */
typedef struct CaseRigidFix {
  Place place;
  ExprValue x, y, z, rx, ry, rz; /* of the point, and rotations */
} CaseRigidFix;
typedef struct CaseRigid {
  Place place; /* zero: not given */
  VectorValue at;
  CaseRigidFix fix;
  ExprsValue force, moment; /* over t or f */
  NumberValue mass;         /* at the point */
  TensorValue inertia;
} CaseRigid;

/* The axis that one side of a periodic pair is turned about onto the other. */
typedef struct CaseRotate {
  Place place; /* zero: not given, the one is shifted */
  VectorValue origin, axis;
} CaseRotate;

/* A spring between two nodes, or one and the ground. */
typedef struct CaseSpring {
  Place place;
  NamesValue nodes, between;      /* numbers of the mesh file, or groups of one node */
  VectorValue at, to, direction;  /* or places; the line that it acts along */
  VectorValue stiffness, dashpot; /* along the line, or of each component */
} CaseSpring;

/* A linear equation between displacements of nodes of the mesh file, in lists of equal length; or with `keep` a condition of where
 * they go. */
typedef struct CaseEquation {
  Place place;
  NamesValue nodes, components, factors;
  WordValue keep;  /* BentKind; text NULL: none */
  WordValue begin; /* SpanBegin, of one that holds from a time on */
  VectorValue axis;
  NumberValue value, from, until; /* the last two: times between which it holds; places zero: always */
} CaseEquation;
