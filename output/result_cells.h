/* The cells of a result, for the formats of other programs. */
#pragma once
#include "mesh/elements/element.h"
#include "output/read.h"

/* Cell c has the nodes connect[offset[c] .. offset[c + 1]) in the order of VTK, as many as its type has, all of them there. */
typedef struct ResultCells {
  int64_t n_connect;
  int64_t *connect, *offset, *vtk; /* owned, [n_connect], [n_cell + 1], [n_cell] */
} ResultCells;
/* To be released whatever comes. ERR_IO: damaged. */
Status result_cells_read(const Result *result, ResultCells *out);
void result_cells_release(ResultCells *cells);
/* The element of a cell of VTK; NULL: none. */
const ElementType *result_cell_type(int64_t vtk);
