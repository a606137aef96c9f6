/* Whose a reaction is at a node where held groups meet. A node has one reaction, which balances all facets at it; what a sum over
 * one group counts of it is the share of the group's own held facets in the area of all that are held there. Shares of groups
 * that do not overlap add up to one, so that sums over all supports are the total; a facet that nothing holds bears nothing. */
#pragma once
#include "mesh/mesh.h"

typedef struct HeldGroup {
  const Group *on;
  unsigned components; /* bit c: component c is held; a scalar has component 0 */
  bool normal;         /* the direction normal to its facets is */
} HeldGroup;

/* share[n_node] of the reaction in component c that counts for `group`: 0 off its nodes; 1 where no facet of its dimension is held,
 * as at a node held as a point or within a region. ERR_MEMORY. */
Status held_share(const Mesh *mesh, int32_t n_held, const HeldGroup *held, const Group *group, int c, double *share);
