/* On faces of order 2 whose areas of nodes are to be positive, functions become N': at a corner with this share of those of each edge
 * that ends there, in the middles of edges with the rest. */
#pragma once

#define FACET_SHARE 0.2
