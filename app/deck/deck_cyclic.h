/* The cuts of a sector, which *TIE, CYCLIC SYMMETRY joins. */
#pragma once
#include "app/deck/deck_private.h"

/* An entry of `boundary`: a periodic pair that is turned. Fails where the model has no axis or another angle. */
Status deck_write_cyclic(Deck *d, const DeckTie *tie);
/* ", diameters: [0, 1]" of modes; "": they have no nodal diameter. */
enum { DECK_DIAMETERS = 200, DECK_DIAMETERS_TEXT = 6 * DECK_DIAMETERS };
Status deck_write_diameters(const Deck *d, char *text, size_t size);
