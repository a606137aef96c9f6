/* Supports that begin, end or stay where they are in a later step. */
#pragma once
#include "app/deck/deck_private.h"

/* Whether steps differ in whether direction k of a node is held; of any node. Those are equations, and no longer `fix`. */
bool deck_support_changes(const Deck *d, int32_t node, int k);
bool deck_supports_change(const Deck *d);
Status deck_supports_equations(Deck *d);
Status deck_support_stay(Deck *d, const InpLine *line); /* a line of *BOUNDARY with FIXED */
