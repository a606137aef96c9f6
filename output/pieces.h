/* Linear pieces of cells that XDMF does not know: a cubic triangle or tetrahedron as the 9 or 27 equal ones between its
 * nodes, so that what is drawn meets every node. */
#pragma once
#include "mesh/elements/element.h"

enum { PIECES_MAX = 27, PIECE_VERTICES = 4 };

/* Number of linear pieces of a cell; 1: it is written whole. */
int32_t pieces_count(const ElementType *type);
/* Local nodes of each piece, [pieces_count(type)][type->dim + 1], oriented as the cell. For types with several. */
void pieces_nodes(const ElementType *type, int32_t node[][PIECE_VERTICES]);
