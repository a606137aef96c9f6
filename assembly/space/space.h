/* A finite element space on an Exec: elements of a mesh, the numbering of their nodes, n_component scalars at each node.
 * It owns all that does not depend on the equation: which elements meet at a node, the solver's order, the matrix
 * pattern, coordinates, nodes and shape functions of the element blocks, room for element results, and the maps that
 * add those up in matrix slots and nodes. Elasticity and diffusion are what they integrate on it.
 *
 * It is made in two steps, since constraints and loads are found among its elements, and springs and convection then
 * bring facets of their own: space_create, space_finish. space_bind follows for each matrix. */
#pragma once
#include "assembly/space/gather.h"
#include "assembly/space/numbering.h"
#include "assembly/space/order_transfer.h"
#include "assembly/space/spring.h"
#include "mesh/local.h"

enum { SPACE_COMPONENTS = 6 };

/* Shape functions of one kind of element at the points of a quadrature rule; on the Exec, owned. */
typedef struct RuleTables {
  int32_t n_q;
  double *N, *dN, *weight; /* [n_q][n_node], [n_q][n_node][dim] reference gradients, [n_q] */
} RuleTables;

/* An element block on the Exec, owned, elements in the solver's order. */
typedef struct SpaceBlock {
  int32_t *nodes;             /* node a of element e at a node_a + e node_e (SetBlock) */
  RuleTables stiffness, mass; /* solved blocks */
  SpringForm form;            /* facet blocks, as SpringBlock: */
  double *kappa;              /* [n][pairs][spring_numbers]; NULL: who made them sees to their results */
  double *viscosity;          /* the same by velocities; NULL: none */
  double *inertia;            /* the same by accelerations; NULL: none */
} SpaceBlock;

/* Numbers for some rows of a vector, on the Exec; owned. */
typedef struct RowValues {
  int64_t n;
  int32_t *row; /* [n], of the system */
  double *value;
} RowValues;

/* Prescribed nodes, by mesh node. */
typedef struct PrescribedNodes {
  const uint8_t *fixed;    /* [n_node], bit c: component c is prescribed */
  const int32_t *frame_of; /* [n_node], frame of the node or -1; NULL: all -1. A frame comes with a fixed component */
} PrescribedNodes;

/* Elements whose matrices are there at the same time: a range of each block. */
typedef struct SpaceBatch {
  ElementSet set;                    /* the space's, but with the n of the ranges, and pair numbers from 0 on */
  int32_t first[ELEMENT_SET_BLOCKS]; /* element of the block, in the solver's order */
  Gather gather;                     /* on the Exec, owned: adds to what is there where there are several batches */
} SpaceBatch;

/* Where a mesh is dealt out to several ranks: what this one has, and what brings the halo of vectors. Borrowed. */
typedef struct NodeShare {
  const LocalMesh *local;
  const struct Halo *halo; /* NULL: the caller sees to it */
} NodeShare;

/* Open, but written by space*.c alone. */
typedef struct Space {
  Exec *exec;       /* borrowed */
  const Mesh *mesh; /* borrowed */
  int32_t dim, n_component, n_node;
  int64_t n_dof;  /* rows of own nodes: length of vectors, */
  int64_t n_read; /* and, with the halo, of those that elements or a matrix read; n_node * n_component */
  /* host, owned; nodes and elements in the mesh's order except in numbering and pattern */
  ElementSet set; /* facet blocks behind the solved ones */
  Incidence incidence;
  Numbering numbering;
  const ElementSet *solver_set; /* view: that of the numbering, or the one above */
  Incidence *solver_incidence;  /* view; on a GPU alone until incidence_fetch */
  Pattern *pattern;
  double *arranged; /* [n_dof] for vectors on their way from and to the mesh's order; NULL: same */
  /* on the Exec, owned; all in the solver's order */
  SpaceBlock block[ELEMENT_SET_BLOCKS];
  double *x; /* [n_node][3] */
  double *f; /* element vectors: component c of entry k at f[k entry_step + c component_step] */
  Gather nodes;
  int64_t entry_step, component_step; /* of f */
  int64_t block_step, scalar_step;    /* of K: scalar c of pair block k at K[k block_step + c scalar_step] */
  /* from space_bind, on the Exec, owned; K is NULL before */
  bool gathers; /* the maps of the batches are there */
  int32_t n_batch;
  SpaceBatch *batch;    /* owned, [n_batch] */
  int64_t n_pair;       /* of the largest batch */
  double *K;            /* element matrices of a batch, [n_pair] blocks of n_component^2 */
  int64_t n_value;      /* of the value array */
  int64_t n_prescribed; /* matrix blocks with a prescribed row or column */
  PrescribedBlock *prescribed;
  int64_t *prescribed_slot; /* [n_prescribed][n_component^2] */
} Space;

/* The elements of dimension `dim` of the mesh, which outlives the space. */
Status space_create(Exec *exec, const Mesh *mesh, int32_t dim, int32_t n_component, Space **out);
/* Facet blocks that are there before the rest is, for who looks at the incidence; the first of those of space_finish. */
Status space_add_facets(Space *space, const SpringBlock *facet, int32_t n_facet);
/* ERR_MESH: an inverted element. Adds n facet blocks (their nodes are borrowed for good), numbers the nodes by rank ([n_node], borrowed; NULL:
 * as the mesh does) and builds all but what a matrix needs. share: the mesh is one rank's, with its numbers; NULL: the whole. */
Status space_finish(Space *space, const SpringBlock *facet, int32_t n, const int32_t *rank, const NodeShare *share);
/* From space_finish to space_bind: the pattern gets rows of other ranks' nodes, too, for who needs K there. */
Status space_add_halo_rows(Space *space);
void space_destroy(Space **space);

/* Builds the gather maps for a matrix with these slots and the list of blocks that prescribed nodes change (once per
 * matrix; kept). in_batches: large spaces have room for the matrices of some elements at a time only, and space_assemble
 * is the way to the matrix; else there is one batch of all. The sums are the same to the bit: batches go on where those
 * before them ended, in the order of the elements. */
Status space_bind(Space *space, const SlotMap *slots, const PrescribedNodes *prescribed, bool in_batches);
/* Gives back the gather maps and the element vectors, the most of what assembly takes: space_bind comes before the next
 * matrix, space_need_forces before the next forces. */
void space_release_gathers(Space *space);
Status space_need_forces(Space *space);
/* The same for space_spectrum_bound, where there are several batches. */
Status space_need_matrices(Space *space);
void space_release_matrices(Space *space);

/* Fills in K for the solved elements of a batch; recordable. */
typedef Status (*SpaceMatrices)(void *context, const SpaceBatch *batch);
/* values = sum of the element matrices and of facet times those of the facets. Recordable. */
Status space_assemble(const Space *space, SpaceMatrices matrices, void *context, double facet, double *values);
/* ---- recordable ---- */
/* Facet matrices into K, where there is one batch: factor times those by u, rate_factor times those by velocities; their
 * forces on u and rate (NULL: 0), or on rates 1 alone, into f. */
Status space_facet_matrices(const Space *space, double factor, double rate_factor);
Status space_facet_forces(const Space *space, const double *u, const double *rate);
Status space_facet_masses(const Space *space);
/* The same of the facets' viscosities: values <- C, with what `matrices` has of solved elements (NULL: nothing), and f <- C u with nothing
 * from these. */
Status space_assemble_viscosity(const Space *space, SpaceMatrices matrices, void *context, double *values);
Status space_viscous_forces(const Space *space, const double *u);
/* The same of masses: their matrices into K, laid out as Space.K is and zero before, and f <- M u with nothing from solved elements. */
bool space_has_inertia(const Space *space);
Status space_inertia_matrices(const Space *space, double *K);
Status space_inertia_forces(const Space *space, const double *u);
/* values <- sums of K, where there is one batch. */
Status space_gather_matrix(const Space *space, double *values);
/* Prescribed components: zero row and column and this diagonal, after rotation into the frames of their nodes. */
Status space_eliminate(const Space *space, const double *frame, double diagonal, double *values);
/* What kernels need that add up element forces at nodes: the nodes' entries of f, and where the sums go. */
VectorGatherArgs space_node_gather(const Space *space, double *out);
/* out = external (NULL: 0) - sums of f, zero at components that `fixed` [n_node] names (NULL: none). */
Status space_gather_forces(const Space *space, const double *external, const uint8_t *fixed, double *out);

/* The halo of a vector [n_read] becomes what its owners have: before elements read it. Nothing alone. */
Status space_bring_halo(const Space *space, const double *v);

/* ---- not recordable ---- */
/* A vector to the host in the mesh's order, [n_read], of which own nodes alone are found, and back. No allocation. */
Status space_download(const Space *space, const double *v, double *out);
Status space_upload(const Space *space, const double *from, double *v);
/* row[n]: component c of mesh node i is i n_component + c. ERR_MEMORY; whatever comes, row_values_release follows. */
Status row_values_create(const Space *space, int64_t n, const int32_t *row, const char *what, RowValues *out);
void row_values_release(Exec *exec, RowValues *values);
/* Its rows of v become value[n] (host; NULL: what it had last), or are raised by it. */
Status row_values_put(const Space *space, const RowValues *values, const double *value, bool add, double *v);
/* How a matrix is bounded: its element matrices, where there are several batches, and the frames of nodes, frame_of in
 * the mesh's order on the host, NULL: none. */
typedef struct SpaceBoundParams {
  bool blocks; /* as in ElementMatrices */
  SpaceMatrices matrices;
  void *context;
  double facet;
  const int32_t *frame_of;
  const double *frame;
} SpaceBoundParams;
/* A strict upper bound of the spectrum of the last matrix (element_bound.h). */
Status space_spectrum_bound(const Space *space, const SpaceBoundParams *params, double *bound);
/* How spaces of lower order are part of this one, in the solver's order; frames as above, [n_frame][3][3] on the host.
 * ERR_MEMORY. */
Status space_order_transfers(const Space *space, const int32_t *frame_of, const double *frame, OrderTransfers *out);
/* Highest order of the solved elements. */
int32_t space_order(const Space *space);
/* Index among the solved elements of the mesh's element id. */
int32_t space_element_index(const ElementSet *set, int32_t element);
static inline int32_t space_mesh_node(const Space *space, int64_t row) {
  return numbering_node(&space->numbering, (int32_t)(row / space->n_component));
}

/* ---- space_check.c ---- */
/* Of an axisymmetric model, whose radius is x. ERR_MESH: no or volume elements, or a node of a surface element with x <
 * 0. */
Status space_check_radius(const Mesh *mesh);
/* ERR_MESH: the surface elements do not lie in a plane z = constant; `who` needs that ("a plane model"), `remedy` says
 * what to do instead. */
Status space_check_flat(const Mesh *mesh, const char *who, const char *remedy);
/* ERR_MESH: inverted elements. */
Status space_check_elements(const Mesh *mesh, const ElementSet *set);
/* Reference gradients dN[n_q][n_node][dim] of a rule, in the way kernels read them; *dN is allocated on the host. */
Status reference_gradients(const ElementType *type, const Quadrature *rule, double **dN);
