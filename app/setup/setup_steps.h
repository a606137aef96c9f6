/* Checks of loads in time against the length of the steps. */
#pragma once
#include "app/setup/setup.h"
#include "core/expr.h"

/* Warns of a pulse or a period of fewer than five steps in what acts on a group, and of a pulse that adaptive steps may miss.
 * what: "traction", "temperature". */
void setup_step_advice(const Case *c, const Mesh *mesh, const Group *on, const Expr *expr, const char *what,
                       const char *where);
