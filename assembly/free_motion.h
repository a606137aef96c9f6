/* Parts of the body (elements connected through nodes) and the rigid motions that supports and springs leave them. */
#pragma once
#include "assembly/element_set.h"
#include "assembly/load.h"
#include "assembly/support.h"

/* BodyPart is declared in elasticity.h. Parts are ordered by their first element. */
typedef struct BodyParts {
  int32_t n;
  BodyPart *item; /* owned */
} BodyParts;

Status body_parts_create(const Mesh *mesh, const ElementSet *set, const Supports *supports, const Loads *loads,
                         BodyParts *out);
void body_parts_release(BodyParts *parts);
/* ERR_INPUT names every part (the first five) that can move freely, and how; OK when none can. */
Status body_parts_check(const BodyParts *parts);
