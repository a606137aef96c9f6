/* Whose a reaction is at a node where held groups meet. A node has one reaction, the sum of what all facets that are
 * held there bear; what a sum over one group counts of it is the part of the group's own facets. A facet bears along
 * the directions that it is held in, and facets held in the same direction bear in proportion to their size: f_k = w_k
 * D_k l with sum w_k D_k l = r, the smallest forces, weighted by size, that balance the reaction. Parts of groups that
 * do not overlap add up to the whole. Springs give way, so that they bear what no support at the node holds. */
#pragma once
#include "mesh/mesh.h"

typedef struct SupportedGroup {
  const Group *on;
  unsigned components; /* bit c: component c is held; a scalar has component 0 */
  bool normal;         /* the direction normal to its facets is */
  bool spring;
} SupportedGroup;

/* Where moments are taken: of a point at `about`, of nodes at x + u. */
typedef struct MomentArm {
  const double *about, (*u)[3]; /* [3]; [n_node], or NULL: nodes are where the mesh has them */
} MomentArm;

/* sum[width] of what the held facets of `group` bear of reaction[n_node][width], width 1 to 3. What no facet of its
 * dimension accounts for, as at a node held as a point, within a region or by an equation, counts wholly, in each group
 * that has the node. `arm` (width 3): the moments of these forces in place of the forces; NULL: forces. ERR_MEMORY. */
Status reaction_share_sum(const Mesh *mesh, int32_t n_held, const SupportedGroup *held, const Group *group,
                          int32_t width, const double *reaction, const MomentArm *arm, double *sum);
