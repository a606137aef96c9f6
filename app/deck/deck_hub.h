/* Reference nodes between deck_hubs.c, which reads them, and deck_hub_motion.c, which writes them. */
#pragma once
#include "app/deck/deck_private.h"

/* Whether the motion of a rigid group differs between steps. */
bool deck_groups_move(const Deck *d);
/* Of steps that go on from one another: where a rigid group goes in step s, and what pushes it. */
Status deck_write_hub_changes(Deck *d, int32_t s);
/* A node whose direction 1 is the mean rotation of `nodes`. */
Status deck_hub_of_spin(Deck *d, int32_t node, int32_t n, const int32_t *nodes);
