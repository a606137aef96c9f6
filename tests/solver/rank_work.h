/* A body of elastic elements that several ranks share, with supports in frames of their own, a pressure, springs and a
 * prescribed displacement; one rank is the whole as it always was. */
#pragma once
#include "assembly/elasticity/elasticity.h"
#include "core/comm.h"
#include "core/halo.h"
#include "core/sum_parts.h"
#include "algebra/mat.h"
#include "tests/testing.h"

/* All that a rank has. */
typedef struct RankWork {
  Mesh *mesh;
  int32_t *number, *material;
  Partition partition;
  LocalMesh local;
  NodeShare share;
  Halo *halo;
  SumParts *parts;
  Exec *exec;
  Elasticity *e;
  Mat *a;
  double *u, *b, *x;
} RankWork;

/* Mesh, order, this rank's share of it, and parts, over which sums go from here on. */
Status rank_work_deal_out(Comm *comm, ElementKind kind, int n, RankWork *w);
/* The matrix, and vectors [elasticity_dofs]: x is room, b the residual at u, which has the prescribed values. */
Status rank_work_assemble(Comm *comm, const MatParams *format, RankWork *w);
void rank_work_release(RankWork *w);
