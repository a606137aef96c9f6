/* Rows of P^T cut where the parts of sums begin (core/sum_parts.h), so that what a coarse node gets has the same bits for
 * any number of ranks: the sum of its pieces in their order. The coarse level is the same on all ranks then. A rank gives
 * to a row one parcel, all its pieces added up, where it is the first that has any of it; else each piece is one. So
 * nearly all rows, and all of one rank, have a single parcel. */
#pragma once
#include "algebra/graph/block_graph.h"
#include "core/halo.h"
#include "core/sum_parts.h"

/* Most bytes of a parcel that are exchanged by mg_pieces_exchange: a block of 6 x 6. */
enum { MG_PIECE_BYTES = 36 * 8 };

typedef struct MgPieces {
  Exec *exec;
  int32_t n_row;        /* of P^T */
  int32_t n_piece;      /* of this rank */
  int64_t *start;       /* on the Exec, as all below, [n_piece + 1]: into the entries of P^T */
  int32_t n_own, n_all; /* parcels of this rank and of all; vectors of parcels have the own ones first */
  int64_t *first;       /* [n_own + 1]: into the pieces */
  int32_t *row;         /* [n_own] */
  ExecGraph of_row;     /* of each row its parcels, in the order of the whole */
  Halo *halo;           /* brings those of others; NULL: there are no others */
} MgPieces;

/* Of the own rows of a fine level, which `parts` cuts. Collective. */
Status mg_pieces_create(Exec *exec, const SumParts *parts, const ExecGraph *transposed, MgPieces **out);
/* Accepts NULL, sets NULL. */
void mg_pieces_destroy(MgPieces **pieces);
/* v [n_all][bytes]: those of others come, unless *stop is set (NULL: in any case). Recordable. */
Status mg_pieces_exchange(const MgPieces *pieces, void *v, size_t bytes, const int32_t *stop);
