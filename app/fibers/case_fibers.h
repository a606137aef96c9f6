/* Fibres and sheets of a case: their keys, and where they come from. */
#pragma once
#include "app/fibers/atrium.h"
#include "app/fibers/ellipsoid.h"
#include "app/input/case.h"
#include "app/setup/setup.h"
#include "mesh/fibers/fibers.h"

/* Of CaseFibers: all forms; those without rules. */
extern const Schema fibers_schema, sheets_schema, plain_fibers_schema;
/* One form, and what belongs to it. `what` is the key. */
void fibers_check(const char *what, const CaseFibers *fibers, Diagnostics *out);
/* Warns of angles of a helix that are no larger than a right angle in radians. */
void fibers_doubt(const CaseFibers *fibers, const Diagnostics *out);
/* Of a field or of directions, which are put to direction[3]; of a rule nothing. */
FiberSource fibers_source(const CaseFibers *fibers, Expr direction[3]);
/* A rule with its groups and angles, of which one is used. */
typedef struct FiberRule {
  enum {
    RULE_LDRB,
    RULE_LEFT_ATRIUM,
    RULE_RIGHT_ATRIUM,
    RULE_ELLIPSOID
  } kind; /* in the order of the words of `rule` */
  LdrbParams ventricles;
  AtriumParams atrium;
  EllipsoidParams ellipsoid;
} FiberRule;
/* Of the elements of entry m of the materials, which are known. */
void fibers_bind_rule(const Mesh *mesh, const CaseFibers *fibers, int32_t m, Setup *setup, FiberRule *out,
                      Diagnostics *diagnostics);
/* Whether two rules on one mesh make the same fibres, as far as their groups are the same ones. */
bool fiber_rule_same(const FiberRule *a, const FiberRule *b);
/* As ldrb_create, atrium_create and ellipsoid_create. */
Status fiber_rule_create(Exec *exec, const FiberRule *rule, const Mesh *mesh, LdrbFields *out);
