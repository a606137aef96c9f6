/* Conditions between displacements that bend: nodes that stay in a plane, on a line or at their distance, or turn in the mean,
 * however far the body has moved. One unknown of each depends on the others; with small changes of these it goes by factors that are
 * renewed wherever displacements are, as those of the equation which it has for its pattern (equations.h).
 * docs/theory/finite-strain.md. */
#pragma once
#include "assembly/space/bent_rows.h"
#include "assembly/space/space.h"

/* Condition k belongs to the equation of a list with `bent` k + 1, whose terms are all unknowns of its nodes but some that depend; none
 * has the factor 0, as each may become another. */
typedef struct BentParams {
  BentRow row; /* its nodes are [first, first + n) of BentList.node */
  const char *where;
} BentParams;
typedef struct BentList {
  int32_t n;
  BentParams *item;
  int32_t *node; /* of the mesh */
  int64_t n_node;
} BentList;

/* On the Exec, of all conditions. */
typedef struct BentEquations {
  int32_t n;
  int64_t n_node, n_term;
  Exec *exec; /* borrowed */
  BentRow *row;
  BentNode *node;
  BentTerm *term;
} BentEquations;

typedef struct Equations Equations;
typedef struct Supports Supports;
/* Behind elimination: each condition has an unknown of its own, and hangs on nothing but its own nodes. ERR_INPUT: it does not. */
Status bent_check(const Equations *equations, const Supports *supports);
/* Behind equations_pattern. */
Status bent_upload(const Space *space, Equations *equations);
void bent_release(BentEquations *bent);
