/* Solutions of Laplace's equation between sets of nodes of a volume mesh, and their gradients, for rule-based
 * fibres. */
#pragma once
#include "assembly/space/element_set.h"
#include "core/exec.h"
#include "mesh/mesh.h"
#include "mesh/view.h"

enum { LAPLACE_SETS = 4 };

/* A view of a mesh with a point element at every node, so that any set of nodes can be a group. */
typedef struct Laplace {
  Exec *exec;
  const Mesh *mesh; /* borrowed */
  Mesh view;        /* borrows from it; mesh/view.h */
  ElementSet set;
  Incidence incidence; /* owned */
} Laplace;

Status laplace_create(Exec *exec, const Mesh *mesh, Laplace *out);
void laplace_release(Laplace *laplace);
/* u[n_node] (mesh order): value[set[i] - 1] where set[i] is 1 to LAPLACE_SETS, the solution of div grad u = 0
 * elsewhere, no flux through the rest of the boundary. ERR_INPUT: a part of the body without a value. ERR_NUMERIC: not
 * converged. */
Status laplace_solve(const Laplace *laplace, const uint8_t *set, const double *value, double *u);
/* gradient[n_node][3]: sum over the elements at a node, each weighted by det J there (by volume in simplices). Its
 * direction is that of the mean gradient, its length means nothing. Zero without elements. */
void laplace_gradient(const Laplace *laplace, const double *u, double (*gradient)[3]);
