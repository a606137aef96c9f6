/* Parts of the body (elements connected through nodes) and the motions that supports and springs leave them: of the
 * whole as a rigid body, and of its pieces against each other where they hang together by hinges only (pieces.h). */
#pragma once
#include "assembly/space/element_set.h"
#include "assembly/elasticity/load.h"
#include "assembly/elasticity/support.h"

/* BodyPart is declared in elasticity.h. Parts are ordered by their first element. */
typedef struct BodyParts {
  int32_t n, dim;
  BodyPart *item; /* owned */
} BodyParts;

Status body_parts_create(const Mesh *mesh, const ElementSet *set, const Incidence *incidence, const Supports *supports,
                         const Loads *loads, BodyParts *out);
void body_parts_release(BodyParts *parts);
/* ERR_INPUT names every part (the first five) that can move freely or fold, and how; OK when none can. */
Status body_parts_check(const BodyParts *parts);
/* Warns of hinges that hold, and of those that could not be looked at. */
void body_parts_warn(const BodyParts *parts);
