/* Fibres of tissue, and the diffusion tensors that they make: D = across I + (along - across) f f^T, or with sheets
 * D = along f f^T + across s s^T + normal n n^T with n = f x s. Fibres f and sheets s are axes (axis.h): their sign and
 * their length mean nothing, and an element takes the principal direction of the mean dyad of its nodes. */
#pragma once
#include "core/expr.h"
#include "mesh/mesh.h"

#include <stdbool.h>

/* Where axes come from; at most one is set, all NULL means none. Borrowed. */
typedef struct FiberSource {
  const char *field;     /* data of the mesh with 3 components, on nodes or on elements (nodes first where both are) */
  const Expr *direction; /* [3], of x, y, z, at the centre of each element; t is 0 */
  const double (*node)[3]; /* [n_node], for example by rule (app/fibers/ldrb.h) */
} FiberSource;
bool fiber_given(const FiberSource *source);

/* One kind of tissue. Without fibres it is isotropic: D = along I, and across and normal, where given, equal it. */
typedef struct FiberTissue {
  FiberSource fiber, sheet;
  double along, across,
      normal;              /* diffusivities, > 0; 0: not given. Without across: as along; without normal: as across */
  const double (*each)[3]; /* [n_solved]: of each element in place of those that are given, which are then their mean;
                              NULL: they are the same everywhere. Borrowed */
} FiberTissue;

/* Data of the mesh by name, nodes first where both are. ERR_INPUT: none of that name (with the list, and did-you-mean),
 * or not of so many components. `what` is for the message, "fibre". */
Status fiber_field(const Mesh *mesh, const char *name, int32_t n_component, const char *what, const MeshField **out);

/* What the case alone and the mesh's list of fields can tell; all ERR_INPUT: a diffusivity that is not positive and
 * finite, directions of diffusivity without fibres, `normal` without sheets, sheets without fibres, a field that the
 * mesh does not have (with the list, and did-you-mean) or that has not 3 components, a constant direction of length
 * zero. */
Status fiber_tissue_check(const Mesh *mesh, const FiberTissue *tissue);

/* tensor[e - first] (xx yy zz xy yz xz, [n_solved] as in DiffusionParams) for the solved elements e with
 * element_tissue[e] == which (element_tissue [n_element]; NULL: all); others stay untouched. Checks the tissue first.
 * ERR_MESH with count, first five and place: data of length zero or not finite at nodes or elements that are needed;
 * a sheet along its fibre. ERR_INPUT: the same from expressions. ERR_MEMORY.
 * Fibres of surfaces in space are their parts along the surface (surface_axes.h).
 * Warns, with count and place, where the axes of an element's nodes point all ways: the largest and the second
 * eigenvalue of the mean dyad (trace 1) less than FIBER_GAP apart. */
Status fiber_tensors(const Mesh *mesh, const FiberTissue *tissue, const int32_t *element_tissue, int32_t which,
                     double (*tensor)[6]);
#define FIBER_GAP 0.1

/* Unit axes of the same elements, axis[n_solved][3], as fiber_tensors takes them. `what` names them in messages,
 * "fibre". */
Status fiber_axes(const Mesh *mesh, const FiberSource *source, const char *what, const int32_t *element_tissue,
                  int32_t which, double (*axis)[3]);
