/* Pieces of a body: elements that cannot move against each other, since they share two nodes (in the plane) or three
 * that are not in line (in space). Pieces of one part meet in single nodes, or along lines of nodes: those are
 * hinges. */
#pragma once
#include "assembly/space/element_set.h"

/* A node that two pieces share. */
typedef struct PieceJoint {
  int32_t node, a, b; /* a < b */
} PieceJoint;

typedef struct Pieces {
  int32_t n;
  int32_t *of_element; /* owned, [n_solved]; pieces in the order of their first elements */
  int32_t n_joint;     /* a node of k pieces makes k - 1: of the first with each other */
  PieceJoint *joint;   /* owned, by a, b, node */
} Pieces;

Status pieces_create(const Mesh *mesh, const ElementSet *set, const Incidence *incidence, Pieces *out);
void pieces_release(Pieces *pieces);
