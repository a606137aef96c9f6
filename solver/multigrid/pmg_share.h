/* The next lower order where ranks share the nodes: who has which of its nodes, and rows of others. Alone there is none
 * of it, and everything works on empty ones. */
#pragma once
#include "algebra/graph/graph_halo.h"
#include "algebra/pattern.h"
#include "core/sum_parts.h"

typedef struct Precond Precond;

typedef struct PmgShare {
  RowShare rows; /* of the nodes of lower order; its halo is owned. n_whole 0: one rank has them all */
  HaloOrder order;
  int32_t n_own, n_read; /* nodes of lower order here: own ones, and all */
  Halo *halo;            /* rows.halo */
  GraphHalo ap;          /* owned: rows of A P that others have; nothing alone */
  int32_t *stands;       /* owned, host, [own nodes + 1]: own nodes of lower order that those before this stand for */
  SumParts *parts;       /* owned: of sums over nodes of lower order; NULL before they are asked for */
} PmgShare;

/* From OrderTransfer.number of all nodes here, n_number. Collective. */
Status pmg_share_create(const Precond *m, const int32_t *number, int64_t n_number, PmgShare *out);
void pmg_share_release(Exec *exec, PmgShare *share);
/* What sums over the nodes of lower order go over where those of this order go over the parts of m->exec. Collective
 * when they are asked for first. */
Status pmg_share_parts(const Precond *m, PmgShare *share);
/* The number in the whole of each node of lower order, by its place (halo_order.h), [n_read], host; the caller's. */
Status pmg_share_places(Exec *exec, const PmgShare *share, int32_t **out);
/* Brings what other ranks have of a vector with so many bytes at a node of lower order; recordable. */
Status pmg_share_bring(Exec *exec, const PmgShare *share, void *v, size_t bytes);
