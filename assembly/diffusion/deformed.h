/* Diffusion in a body that is deformed: its conductivities stay along the tissue in space, and what opens by the stretch of
 * fibres is known at nodes. The equation stays one on the mesh (deform_rows.h). */
#pragma once
#include "assembly/diffusion/diffusion.h"
#include "mesh/sources.h"

/* Of an element: unit axes of fibres and of the normal of sheets, zero where there is none, the diffusivities along, in and across
 * the sheets, and the conductance per stretch beyond 1 and reversal potential of channels that stretch opens. */
typedef struct DeformedElement {
  double fiber[3], normal[3], D[3], opens, reversal;
} DeformedElement;

typedef struct DeformedParams {
  const DeformedElement *element; /* [n_solved], in the mesh's order; borrowed during _create only, as `level` */
  bool conducts, opens;           /* which of the two is asked for */
  int32_t n_level;                /* of refinement of the mesh from one whose nodes are known, */
  const NodeSources *level;       /* the first one first */
} DeformedParams;

typedef struct Deformed Deformed;

/* diffusion: borrowed, outlives it; its tensors are those of the deformed body from deformed_see on. ERR_MEMORY. */
Status deformed_create(Diffusion *diffusion, const DeformedParams *params, Deformed **out);
void deformed_destroy(Deformed **deformed);
/* [n_node][3] on the Exec, in the mesh's order: the caller writes the displacements of the nodes that it knows. */
double *deformed_moved(const Deformed *deformed);
/* Those of all nodes, then tensors, or what is open. Not recordable. */
Status deformed_see(Deformed *deformed);
/* Means at nodes by mass, [dofs] on the Exec, of the conductance that is open, 1/ms, and that times its potential. */
Status deformed_open(Deformed *deformed, const double *mass, double *open, double *level);
