/* How fast and which way a front passes each element, from the times at which it passes the nodes. */
#pragma once
#include "mesh/mesh.h"

/* out[n_solved][3]: grad T/|grad T|^2 at the middle of each solved element, in the unit of x over that of time[n_node];
 * zero where the front has not come to all of its nodes (time < 0), or comes to all at once. */
void conduction_velocity(const Mesh *mesh, const double *time, double *out);
