/* Reference nodes between deck_hubs.c, which reads them, and deck_hub_motion.c, which writes them. */
#pragma once
#include "app/deck/deck_private.h"

/* The row of what acts on a hub, force and moment by one amplitude; -1: nothing does. */
Status deck_hub_row(const Deck *d, const DeckHub *h, const DeckStep *step, int32_t *row);
/* Whether the motion of a rigid group differs between steps. */
bool deck_groups_move(const Deck *d);
/* Of steps that go on from one another: where a rigid group goes in step s, and what pushes it. */
Status deck_write_hub_changes(Deck *d, int32_t s);
