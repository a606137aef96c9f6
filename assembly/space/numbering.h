/* The solver's own order of nodes and elements. Vectors, matrix and element tables on the Exec follow it; supports,
 * loads, messages and results stay in the order of the mesh. Nodes have the order that the caller gives, the elements
 * of a block that of their smallest node number, so that they too read what lies near. Spring facets stay as they
 * are, and so do the elements of a rank's share of a mesh whose nodes keep their order. */
#pragma once
#include "assembly/space/element_set.h"
#include "core/exec.h"

typedef struct Numbering {
  int32_t n_node;
  bool sorted; /* elements of solved blocks are in an order of their own */
  int32_t
      *rank; /* owned, [n_node], solver's number of each mesh node; NULL: the mesh's order, and all below is empty */
  int32_t *node; /* owned, [n_node], mesh node of each solver's number */
  int32_t *element
      [ELEMENT_SET_BLOCKS]; /* owned, [n] in solved blocks: which element of the mesh's block stands here; NULL: e */
  int32_t *nodes[ELEMENT_SET_BLOCKS];      /* owned, [n][n_node]: connectivity in the solver's order and numbers */
  Exec *exec;                              /* borrowed */
  int32_t *exec_nodes[ELEMENT_SET_BLOCKS]; /* owned, nodes on a GPU; NULL: not there */
  ElementSet set;                          /* the mesh's with these nodes */
  Incidence incidence;                     /* owned, of it; on the Exec (incidence_find) */
} Numbering;

/* From the set in mesh order, springs included. rank NULL: an empty numbering. order: of the solver's numbers in the
 * whole, which the elements follow if they are `sorted`. ERR_BUG: rank is not a permutation;
 * ERR_MEMORY, ERR_GPU. Whatever comes, numbering_release puts it away. */
Status numbering_create(Exec *exec, const ElementSet *set, const int32_t *rank, HaloOrder order, bool sorted,
                        Numbering *out);
void numbering_release(Numbering *numbering);
/* On the host alone from now on. */
void numbering_leave_exec(Numbering *numbering);
/* Items of `bytes` bytes per node: from the mesh's order to the solver's, and back. */
void numbering_to_solver(const Numbering *numbering, size_t bytes, const void *from, void *to);
void numbering_to_mesh(const Numbering *numbering, size_t bytes, const void *from, void *to);
/* New memory of the Exec with n_component items of `size` bytes per node, given in the mesh's order. */
Status numbering_upload(Exec *exec, const Numbering *numbering, int32_t n_component, size_t size, const void *from,
                        const char *what, void **out);
/* n items of `size` bytes, one per element of a block; order[e] (Numbering.element) is the item that comes as number e,
 * NULL: e. New memory of the Exec; ERR_MEMORY. */
Status element_upload(Exec *exec, const int32_t *order, int32_t n, size_t size, const void *from, const char *what,
                      void **out);
/* The mesh node of a solver's number, and the other way. */
static inline int32_t numbering_node(const Numbering *numbering, int32_t i) {
  return numbering->rank ? numbering->node[i] : i;
}
static inline int32_t numbering_rank(const Numbering *numbering, int32_t node) {
  return numbering->rank ? numbering->rank[node] : node;
}
