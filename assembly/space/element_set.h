/* The elements that take part in assembly, and which of them meet at each node.
 * Solved blocks come first, in mesh order; spring facets follow as blocks of their own. */
#pragma once
#include "assembly/space/meeting_rows.h"
#include "core/exec.h"
#include "mesh/mesh.h"

typedef struct SetBlock {
  const ElementType *type;
  int32_t n;                 /* elements */
  int32_t first_id;          /* mesh id of the first one; -1 in a spring block */
  const int32_t *nodes;      /* view, [n][type->n_node] */
  const int32_t *exec_nodes; /* view, the same on a GPU; NULL: they are not there */
  /* Element results: pair block (pair p, element e) has number pair_first + p pair_p + e pair_e, the force at node a
   * has number force_first + a force_a + e force_e; node a of element e is nodes[a node_a + e node_e] on the Exec. */
  int64_t pair_first, pair_p, pair_e, force_first, force_a, force_e, node_a, node_e;
} SetBlock;

typedef struct ElementSet {
  int32_t n_node, dim;
  int32_t n_block, n_solved_block;
  int64_t n_pair, n_force; /* pair blocks and node forces of all elements together */
  int32_t n_solved;        /* elements of the solved blocks */
  SetBlock block[ELEMENT_SET_BLOCKS];
  HaloOrder order; /* of the nodes, in the solver's numbers; those from n_own on are of other ranks */
} ElementSet;
/* Nodes that have rows here. */
static inline int32_t element_set_rows(const ElementSet *set) {
  return set->order.n_own ? set->order.n_own : set->n_node;
}

/* touch[start[i] .. start[i + 1]) are the elements at node i, in the order of blocks and elements. */
typedef struct Incidence {
  int64_t *start;    /* owned, [n_node + 1] */
  ElementRef *touch; /* owned, [n_touch] */
  int64_t n_node, n_touch;
  Exec *exec; /* a GPU that found it has the same, owned; NULL: none */
  int64_t *exec_start;
  ElementRef *exec_touch;
} Incidence;

/* Blocks of the mesh with dimension dim. by_element: results of an element lie together (CPU); else results of
 * consecutive elements do (GPU). */
void element_set_create(const Mesh *mesh, int32_t dim, bool by_element, ElementSet *out);
/* Appends a block of n spring facets. */
void element_set_add(ElementSet *set, const ElementType *type, int32_t n, const int32_t *nodes, bool by_element);
/* ERR_MEMORY, ERR_GPU; ERR_INPUT: 2^32 nodes of elements or more. */
Status incidence_create(Exec *exec, const ElementSet *set, Incidence *out);
/* Only on the Exec where that is a GPU: start and touch are NULL until incidence_fetch. */
Status incidence_find(Exec *exec, const ElementSet *set, Incidence *out);
Status incidence_fetch(Incidence *incidence);
void incidence_release(Incidence *incidence);
/* On the host alone from now on, where it is there. */
void incidence_leave_exec(Incidence *incidence);
/* The same, and gone where it is not: incidence_find finds it again. */
void incidence_drop_exec(Incidence *incidence);
bool incidence_is_there(const Incidence *incidence);
/* For row kernels that read it: where it is on the CPU or on the GPU that found it, else uploaded. The nodes of a block
 * [n][n_node] likewise. */
Status incidence_lend(Exec *exec, const Incidence *incidence, const int64_t **start, const ElementRef **touch);
void incidence_lend_end(Exec *exec, const Incidence *incidence, const int64_t **start, const ElementRef **touch);
Status block_nodes_lend(Exec *exec, const SetBlock *block, const int32_t **out);
void block_nodes_lend_end(Exec *exec, const SetBlock *block, const int32_t **nodes);

/* Number of the pair (a, b), a <= b, of an element with n nodes: rows of the upper triangle one after the other. */
static inline int64_t pair_number(int64_t n, int64_t a, int64_t b) { return a * n - a * (a - 1) / 2 + b - a; }
