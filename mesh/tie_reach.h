/* Surfaces that are tied may be apart by this part of the size of their facets, unless a tie says how far. */
#pragma once

#define TIE_REACH 0.025
