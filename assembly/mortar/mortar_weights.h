/* Rows of weights of nodes out of integrals over pairs of facets, on their Exec. */
#pragma once
#include "assembly/mortar/mortar_pairs.h"

/* Behind mortar_pairs_integrate: all of the tie but what is wrong with facets; and whether something is. */
Status mortar_weights(MortarPairs *pairs, MortarTie *out, bool *faults);
