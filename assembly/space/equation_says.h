/* Switched equations whose unknowns have rates of their own, such as those of nodes that an obstacle carries along: in rates (gap 0 of
 * equations_follow) these stay what vectors say, also where nothing else is in their rows. */
#pragma once
#include "assembly/space/equations.h"

/* Those that are on and of `says` [n] of the switches; until they are called again. Not recordable. */
Status equations_say(Equations *equations, const uint8_t *says);
/* Some have been said. `off` of the switches has two halves then, the second one of rates. */
static inline bool equations_say_any(const Equations *e) { return e->switches.n_off > e->n; }
