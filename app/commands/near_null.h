/* Near-null vectors of a problem, for multigrid: those that its matrix nearly maps to zero. */
#pragma once
#include "app/commands/options.h"
#include "algebra/market/matrix_market.h"

/* [columns][rows]: the vectors of --near-null, or the rigid motions of the nodes in --coordinates, whose rows are nodes
 * (blocks of `block` unknowns) and columns directions. out->value NULL where neither is given. What is wrong with a
 * file, or with its size, is ERR_MESH; both given, or no preconditioner that takes them: ERR_USAGE. */
Status near_null_read(const Options *options, int64_t rows, int32_t block, MarketArray *out);
