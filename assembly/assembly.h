/* All of assembly/, in reading order.
 *   elasticity.h    the problem: supports, loads and materials in; residual, tangent and recovered fields out
 *   elasticity_mass.h  its mass matrix, for vibrations
 *   element_set.h   which elements take part, and which of them meet at each node
 *   dof_map.h       the block pattern of the matrix;  pattern.h: what solver/ sees of it
 *   element_rows.h  element matrices and forces;  gather_rows.h: adding them up without atomics
 *   gather.h        the gather map: which element results go to which matrix slot or node
 *   space.h         elements, numbering, pattern, tables and gathers in one object: what a physics is integrated on
 *   support.h       prescribed values in time, in frames of the nodes' own where supports are skew
 *   load.h          loads in time, springs and convection
 *   free_motion.h   parts that can move freely, named in words
 *   pieces.h        what of them hangs together by hinges only;  mechanism.h: whether it can fold
 *   diffusion.h     the scalar problem of heat and monodomain: operators, load, prescribed values, fluxes
 *   monodomain.h    the heart: cells, their reaction and states on top of diffusion, by nodes or integration points
 *   eikonal.h       when a front of given velocities arrives
 *   matrix_market.h a matrix and its pattern from a file instead of a mesh */
#pragma once
#include "assembly/elasticity/elasticity.h"
#include "assembly/elasticity/elasticity_mass.h"
#include "assembly/diffusion/diffusion.h"
#include "assembly/monodomain/monodomain.h"
#include "assembly/eikonal/eikonal.h"
#include "assembly/space/element_set.h"
#include "assembly/space/dof_map.h"
#include "assembly/space/gather.h"
#include "assembly/space/space.h"
#include "assembly/space/support.h"
#include "assembly/space/load.h"
#include "assembly/elasticity/free_motion.h"
