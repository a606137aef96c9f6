/* The cuts of a sector, which *TIE, CYCLIC SYMMETRY joins. */
#pragma once
#include "app/deck/deck_private.h"

/* An entry of `boundary`: a periodic pair that is turned. Fails where the model has no axis or another angle. */
Status deck_write_cyclic(Deck *d, const DeckTie *tie);
