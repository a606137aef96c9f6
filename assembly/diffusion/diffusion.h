/* Diffusion of a scalar u on an Exec: capacity du/dt = div(D grad u) + source, the equation of heat and of the
 * monodomain model. One object per mesh, tensors and supports gives the operators K (conduction and convection) and M
 * (capacity), the load f(t), prescribed values g(t), and what is recovered; solver/time/stepper.h steps M du/dt + K u
 * = f(t) in time. The weak form is in docs/theory/diffusion.md. */
#pragma once
#include "assembly/space/load.h"
#include "assembly/space/support.h"

/* Two nodes that a conductor joins, such as a piece of a cable: adds conductance (u_0 - u_1) to K u at the first and the
 * opposite at the second, so that sums over all nodes stay, and mass to M at each of the two, lumped whatever M is. Its
 * nodes need no elements. In units of integrals over the elements: an area times a conductivity over a length, a volume. */
typedef struct DiffusionLink {
  int32_t node[2];    /* of the mesh, different */
  double conductance; /* > 0 */
  double mass;        /* >= 0 */
} DiffusionLink;

typedef struct DiffusionParams {
  const Mesh *mesh; /* borrowed, outlives the object */
  /* Per solved element (those of the mesh's highest dimension, in id order); borrowed during _create only. */
  const double (*tensor)[6]; /* [n_solved] conductivity or diffusivity xx yy zz xy yz xz, symmetric positive definite */
  const double *capacity;    /* [n_solved] per volume, > 0; NULL: 1 */
  const double *thickness;   /* [n_solved] > 0, 2D only; NULL: 1 */
  bool lumped;               /* M diagonal: row sums in linear elements, scaled diagonal in others */
  bool axisymmetric;         /* a surface mesh: x is the radius, y the axis; integrals go all around it */
  bool steady;               /* each part of the body must be held by a support or by convection */
  int32_t n_support, n_load;
  const Support *support;    /* component 0; borrowed during _create only, as load */
  const Load *load;          /* flux, convection, source */
  int32_t n_link;            /* with them there are no loads; of a rank, all at its own nodes */
  const DiffusionLink *link; /* borrowed during _create only */
  const int32_t
      *node_rank; /* [n_node] as in ElasticityParams: the order of vectors, pattern and matrix; NULL: the mesh's */
  const NodeShare *share; /* as there */
  bool inspect_only;      /* supports and loads, and nothing that a matrix needs: for `sinew check` */
  double time;            /* at which expressions are checked, and t of diffusion_initial */
  double end;             /* of the run in time, where supports are held against each other up to; 0: not known */
} DiffusionParams;

typedef struct Diffusion Diffusion;

/* ERR_MESH: no elements of dimension 2 or 3, an axisymmetric mesh out of plane, inverted elements. ERR_INPUT with element and
 * place: a tensor that is not positive definite, a capacity or thickness that is not positive; supports that contradict
 * each other (both places), a group off the body or of the wrong dimension, a negative film coefficient or one that
 * depends on t, values that are not finite; a link without conductance; `steady` and a part that nothing holds. */
Status diffusion_create(Exec *exec, const DiffusionParams *params, Diffusion **out);
void diffusion_destroy(Diffusion **diffusion);
const Pattern *diffusion_pattern(const Diffusion *diffusion); /* block 1 */
int64_t diffusion_unknowns(const Diffusion *diffusion);       /* nodes that are free */
int64_t diffusion_dofs(const Diffusion *diffusion);           /* mesh nodes: length of all vectors, own nodes first */
int64_t diffusion_rows(const Diffusion *diffusion);           /* own nodes: all of them but where ranks share */
int32_t diffusion_solved(const Diffusion *diffusion);         /* n_solved */
/* The mesh node that a row of the system belongs to. */
int32_t diffusion_node(const Diffusion *diffusion, int64_t row);
/* On the Exec, [dofs]: 1 where a value is prescribed or no element is. */
const uint8_t *diffusion_fixed(const Diffusion *diffusion);
/* How spaces of lower order on the same mesh are part of that of the elements, in the solver's order. ERR_MEMORY. */
Status diffusion_order_transfers(const Diffusion *diffusion, OrderTransfers *out);
bool diffusion_load_varies(const Diffusion *diffusion);       /* f depends on t */
bool diffusion_prescribed_varies(const Diffusion *diffusion); /* g depends on t */

/* Builds the gather map for matrices with these slots (kept). */
Status diffusion_bind(Diffusion *diffusion, const SlotMap *slots);
/* values <- stiffness K + mass M from the elements, supports eliminated symmetrically (zero row and column, unit
 * diagonal). Recordable. */
Status diffusion_matrix(Diffusion *diffusion, double stiffness, double mass, double *values);
/* A strict upper bound of the spectrum of the matrix of diffusion_matrix with these factors, scaled by its diagonal;
 * INFINITY where there is none (element_bound.h). With both factors 0 it holds for any combination of K and M that is
 * not negative. Makes the element matrices again; not recordable. */
Status diffusion_spectrum_bound(Diffusion *diffusion, double stiffness, double mass, double *bound);
/* The operators themselves, nothing eliminated: values of K and of M in the bound slots; either may be NULL.
 * Recordable. */
Status diffusion_operators(Diffusion *diffusion, double *stiffness, double *mass);
/* M without lumping, whatever `lumped` says, nothing eliminated. Recordable. */
Status diffusion_consistent_mass(Diffusion *diffusion, double *mass);
/* values <- factor[0] stiffness + factor[1] mass, supports eliminated; stiffness and mass are the arrays of
 * diffusion_operators, factor[2] is on the Exec and read when the kernel runs. Recordable; one pass over the values. */
Status diffusion_combine(Diffusion *diffusion, const double *stiffness, const double *mass, const double *factor,
                         double *values);

/* All vectors are double[dofs] on the Exec, nodes in the solver's order. */
/* f(t), no supports taken into account. Evaluates expressions on the host where they depend on t: not recordable. */
Status diffusion_load(Diffusion *diffusion, double time, double *f);
/* u = g(t) at supports, as it was elsewhere. Not recordable. ERR_INPUT: a value that is not finite. */
Status diffusion_prescribed(Diffusion *diffusion, double time, double *u);
/* u = value[n_node] (host, mesh order; NULL: 0), then prescribed values at params.time. ERR_INPUT: not finite. */
Status diffusion_initial(Diffusion *diffusion, const double *value, double *u);
/* r = f - K u - M rate element by element, zero at supports unless `reactions`; f and rate may be NULL (zero).
 * Recordable. The steady problem is r(u) = 0 with the tangent diffusion_matrix(1, 0): K du = r. */
Status diffusion_residual(Diffusion *diffusion, const double *u, const double *rate, const double *f, bool reactions,
                          double *r);
/* The lumped mass of each node, whatever `lumped` says. Recordable. */
Status diffusion_lumped_mass(Diffusion *diffusion, double *mass);
/* The integral of each node's shape function times the capacity, by which means are exact. Recordable. */
Status diffusion_integrals(Diffusion *diffusion, double *out);

/* To the host in mesh order: out[n_node]. No allocation. */
Status diffusion_download(Diffusion *diffusion, const double *u, double *out);

/* What a solution gives, left on the Exec in the mesh's order. Not recordable: work arrays are taken with the first
 * call, ERR_MEMORY. */
/* out[n_solved][3]: mean of -D grad u over the integration points, per area; z = 0 in 2D. */
Status diffusion_flux(Diffusion *diffusion, const double *u, double *out);
/* out[n_node]: K u + M rate - f at supports, what flows into the body there per time; 0 at free nodes. rate: du/dt on
 * the Exec, NULL when steady. */
Status diffusion_reaction(Diffusion *diffusion, double time, const double *u, const double *rate, double *out);
/* out[n_node]: a vector. */
Status diffusion_arrange(Diffusion *diffusion, const double *v, double *out);
/* Sum of a nodal quantity [n_node] over the nodes of a group, each counted once: with `reaction`, the heat that flows
 * in through a support. Host only. ERR_MEMORY. */
Status diffusion_group_sum(const Mesh *mesh, const Group *group, const double *nodal, double *out);

/* For `sinew check`: f at params.time summed over all nodes, convection's ambient part included. */
double diffusion_total_load(const Diffusion *diffusion);
