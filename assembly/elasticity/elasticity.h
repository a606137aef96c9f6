/* Linear elasticity assembled on an Exec: residual, tangent and what is recovered from a solution.
 * One object per mesh, materials and supports; loads are assembled once into a vector on the host. */
#pragma once
#include "algebra/rigid_motion.h"
#include "assembly/elasticity/fields.h"
#include "assembly/elasticity/free_motion.h"
#include "assembly/space/equations.h"
#include "assembly/space/load.h"
#include "assembly/space/scalar_source.h"
#include "assembly/space/support.h"
#include "core/param.h"
#include "physics/elastic_model.h"
#include "physics/material_axes.h"
#include "physics/point_material.h"
#include "physics/strength.h"

/* Values in the order of the material's parameter table (physics/materials.def): young, poisson, thickness, density. */
enum { MATERIAL_MAX_PARAMS = PARAM_MOST, MATERIAL_NUMBERS = PARAM_MOST + PARAM_CURVES };
/* A parameter of the law that varies over the body; not thickness. */
typedef struct MaterialVarying {
  int32_t parameter;
  ScalarSource source;
} MaterialVarying;
/* Muscle in a material, and its tension, or what drives the model of it. */
typedef struct MaterialActive {
  PointActive point;
  ScalarSource source; /* of the time too */
} MaterialActive;
/* The stress that a body has before anything acts, global frame, Voigt: at all points of an element or, where `points` has data,
 * [n_element][n_point], of each in the order of its rule. */
typedef struct MaterialInitial {
  ScalarSource stress[6];
  const double *points[6]; /* NULL: stress[k] */
  int32_t n_point;
} MaterialInitial;
typedef struct MaterialValues {
  int32_t kind;                   /* index into the material registry */
  double value[MATERIAL_NUMBERS]; /* and curves (core/param.h) */
  MaterialAxes axes;              /* what it points to is borrowed while STRESS_MATERIAL and the like are recovered */
  int32_t n_varying;              /* whose numbers in `value` mean nothing */
  const MaterialVarying *varying; /* borrowed during _create only, as density */
  const MaterialInitial *initial; /* NULL: none; likewise */
  const ScalarSource *density;    /* NULL: it is one number; elements take its mean over them */
  MaterialActive active;          /* its source outlives the object */
  Strength strength;
  double viscosity; /* eta of a viscous second Piola-Kirchhoff stress eta dE/dt; of motion, and of dashpots in steps */
} MaterialValues;

/* Mean dilatation (mean_rows.h) is for elements (ElementType.mean_modes) and models that have it; others keep to
 * displacements. So are incompatible modes (bubble_element.h). */
typedef enum ElasticFormulation {
  FORMULATION_DISPLACEMENT,
  FORMULATION_MEAN_DILATATION,
  FORMULATION_INCOMPATIBLE_MODES
} ElasticFormulation;

/* What makes the surface of a cavity a volume: the planes that close it are at x0, and w_i = along_i (x_i - x0_i) has the divergence 1. */
typedef struct CavityClosure {
  double along[3], x0[3];
  unsigned planes; /* bit i: x0[i] is of a plane that closes it */
} CavityClosure;
enum { ELASTIC_CAVITIES = 4, ELASTIC_LIDS = 16 };

/* Edges that lids close, by their vertices in ascending order, and the number of the lid. */
typedef struct LidSide {
  int32_t a, b, lid;
} LidSide;
/* Lids of the whole mesh; sides of cavity i are side[first[i]] .. side[first[i + 1]), by a and b. held: bit k, the middle of the lid stays in
 * the plane x_k = x0_k that its rim ends on. */
typedef struct LidRims {
  int32_t n_lid, cavity[ELASTIC_LIDS], held[ELASTIC_LIDS], n_edge[ELASTIC_LIDS];
  int64_t first[ELASTIC_CAVITIES + 1];
  LidSide *side;
} LidRims;

typedef struct ElasticityParams {
  const Mesh *mesh; /* borrowed, outlives the object */
  ElasticModel model;
  int32_t n_material;
  const MaterialValues *material;  /* borrowed during _create only */
  const int32_t *element_material; /* [n_element], index per element id; -1 on elements that are not solved */
  int32_t n_support, n_load;
  const Support *support; /* borrowed during _create only, as load */
  const Load *load;
  int32_t n_body, n_joint; /* of load.h, borrowed during _create only */
  const MassBody *body;
  const Joint *joint;
  int32_t n_obstacle;
  const struct Obstacle *obstacle; /* assembly/contact/obstacle.h; borrowed during _create only */
  int32_t n_bolt;
  const struct BoltParams *bolt;   /* assembly/elasticity/bolts.h; borrowed while the object lives */
  const EquationList *equations;   /* NULL: none; borrowed during _create only */
  const ScalarSource *temperature; /* above that of the body without thermal strain; NULL: that. Borrowed during
                                      _create only */
  bool heat_in_steps;              /* it is no load: elasticity_renew sets what points see of it */
  const int32_t *node_rank; /* [n_node], the solver's number of each node (mesh/order/order.h), borrowed during _create
                                     only; NULL: as the mesh has them. Vectors, pattern and matrix have that order;
                                     what is recovered, and what messages say, has the mesh's */
  const NodeShare *share;   /* of several ranks: the mesh is this rank's, and so are ids of elements; NULL: alone. What
                                     there is to say of the whole body nobody says then */
  bool finite;              /* strains may be large: total Lagrangian, linear laws of the Green-Lagrange strain */
  bool small_first;         /* elasticity_set_strain is called */
  ElasticFormulation formulation;
  bool augmented;          /* who solves it goes by augmented.h */
  bool in_load_steps;      /* elasticity_force_scale is called: so it is at finite strain */
  bool free_rim;           /* as elasticity_free_rim says: tangents leave out pressure that pulls */
  double time;             /* t of the expressions */
  double end;              /* of a run in time, where supports are held against each other up to; 0: there is none */
  bool in_batches;         /* large meshes: no room for all element matrices at the same time, which
                                     elasticity_mass.h needs; see space_bind */
  double damping;          /* of material_damping.h: how many times K at rest resists velocities */
  bool allow_free_motion;  /* a part that can move freely is no error: for `sinew check` */
  bool no_load;            /* nor that nothing loads it: for modes */
  bool heated_by_cases;    /* some load case has a temperature, which is not that of `temperature` */
  const char *load_needed; /* "file:line:column" of what needs a load: ERR_INPUT where there is none; NULL: nothing */
  bool inspect_only;       /* materials, supports, loads and parts, and nothing that a matrix needs: likewise */
  CavityClosure closure[ELASTIC_CAVITIES]; /* with `share`: of cavities of the whole (elasticity_closures) */
  LidRims rims;                            /* likewise (elasticity_rims); `side` is borrowed during _create only */
  BodyParts parts; /* likewise, of_node of the nodes here; borrowed during _create only. n 0: nobody asks for them */
} ElasticityParams;

/* Does pressure that follows its facets act on a surface whose rim is free? Then it has no potential, and half of its tangent
 * is skew. Tangents are symmetric all the same, without that of a pull, so that they stay positive definite where the pull
 * itself is what holds a slender body straight; whoever solves it asks elasticity_beyond, or mixes steps (solver/time/mixing.h). Of the whole mesh. */
Status elasticity_free_rim(const ElasticityParams *params, bool *out);
/* Bits of the inputs that a material reads (physics/point_inputs.def): the temperature where it expands or
 * has parameters over it. Does any read it? */
unsigned elasticity_reads(const MaterialValues *material);
bool elasticity_expands(const ElasticityParams *params);

typedef struct Elasticity Elasticity;

/* Builds DOF map, constraints, pattern and element tables. Errors as in the bad-input table: conflicting supports name
 * both places (ERR_INPUT), traction on a group of the wrong dimension (ERR_INPUT), a part that can move freely names
 * the part, where it is, and its free motions (ERR_INPUT), inverted elements (ERR_MESH). No load at all: a warning. */
Status elasticity_create(Exec *exec, const ElasticityParams *params, Elasticity **out);
void elasticity_destroy(Elasticity **elasticity);
const Pattern *elasticity_pattern(const Elasticity *elasticity);
int64_t elasticity_unknowns(const Elasticity *elasticity); /* scalar DOFs that are free */
/* Of all ranks, without those that contact and bolts hold now. Collective. */
Status elasticity_unknowns_now(const Elasticity *elasticity, int64_t *out);
int64_t elasticity_dofs(const Elasticity *elasticity); /* n_node * block: length of all vectors, own nodes first */
int64_t elasticity_rows(const Elasticity *elasticity); /* of own nodes: all of them but where ranks share */
/* The mesh node that a scalar row of the system belongs to. */
int32_t elasticity_node(const Elasticity *elasticity, int64_t row);
/* Rigid motions of all nodes as vectors of the system, host [count][dofs], 3 in the plane and 6 in space: what
 * multigrid needs to know of the problem. ERR_MEMORY. */
int32_t elasticity_rigid_count(const Elasticity *elasticity);
Status elasticity_rigid_motions(const Elasticity *elasticity, double *out);
/* Do equations or springs join unknowns, on any rank? Then parts may hold each other, collective: out[n][n], n = parts times rigid motions, what supports,
 * equations and springs do against these motions of the parts (motions as above, part by part). Where it maps a combination
 * to 0, that is a motion of the whole. ERR_MEMORY. */
bool elasticity_joined(const Elasticity *elasticity);
Status elasticity_joined_resistance(const Elasticity *elasticity, const double *motions, double *out);
/* The same as places on the Exec, which live as long as the problem; x is NULL where nodes have frames of their own, on
 * any rank. Both are collective. */
Status elasticity_rigid_places(const Elasticity *elasticity, RigidPlaces *out);
/* How spaces of lower order on the same mesh are part of that of the elements, in the solver's order and frames: what
 * p-multigrid uses. ERR_MEMORY. */
/* The highest order of the elements; 1 where several ranks share equations: interpolation from vertices that depend would need nodes that
 * a rank has not. */
int32_t elasticity_order(const Elasticity *elasticity);
/* Whether some have a rule of fewer points for the stiffness. */
bool elasticity_reduced(const Elasticity *elasticity);
Status elasticity_order_transfers(const Elasticity *elasticity, OrderTransfers *out);
/* Builds the gather map for a matrix with these slots (once per matrix; kept). */
Status elasticity_bind(Elasticity *elasticity, const SlotMap *slots);
/* Gives back what only elasticity_tangent needs: elasticity_bind comes before the next. */
void elasticity_release_gathers(Elasticity *elasticity);
/* All vectors are double[dofs] on the Exec, nodes in the solver's order, in the solver's frame (rotated at nodes with
 * skew supports). */
/* u: zero at free DOFs, prescribed values at supports, those of params.time. */
Status elasticity_initial(Elasticity *elasticity, double *u);
/* u = the values that supports prescribe at a time, as it was elsewhere. Not recordable. ERR_INPUT: not finite, or
 * supports that contradict each other then. */
Status elasticity_prescribed_at_time(Elasticity *elasticity, double time, double *u);
/* f_ext of the residual becomes that of a time; at first it is that of params.time. Not recordable where it varies.
 * ERR_INPUT: not finite. */
Status elasticity_load_at_time(Elasticity *elasticity, double time);
bool elasticity_prescribed_varies(const Elasticity *elasticity); /* some value depends on t */
bool elasticity_load_varies(const Elasticity *elasticity);
/* Is C another one at another u, since materials resist strain rates? */
bool elasticity_viscosity_varies(const Elasticity *elasticity);
/* Are there dashpots, damping or viscosity? Then C, in the slots of elasticity_bind, rows and columns of supported unknowns and their diagonal
 * zero, and r = -C v, zero at supports; of damping at the displacement u (NULL: at rest). Recordable. */
bool elasticity_is_viscous(const Elasticity *elasticity);
Status elasticity_viscous_matrix(Elasticity *elasticity, const double *u, double *values);
Status elasticity_viscous_residual(Elasticity *elasticity, const double *u, const double *v, double *r);
/* Forces at all nodes, also where fixed, in the global frame: r = -C v, and r = -f_int(u) of the material alone, without
 * springs and pressure that follows; and r of those to the unknowns. Recordable. */
Status elasticity_viscous_force(Elasticity *elasticity, const double *u, const double *v, double *r);
Status elasticity_internal_force(Elasticity *elasticity, const double *u, double *r);
/* Where all own nodes are moved to, those too that depend on others, in the global frame: out[rows]. Recordable. */
Status elasticity_moved(Elasticity *elasticity, const double *u, double *out);
/* x.y of such vectors, over all ranks. */
Status elasticity_dot(const Elasticity *elasticity, const double *x, const double *y, double *out);
Status elasticity_reduce(Elasticity *elasticity, double *r);
/* Load cases of one stiffness: loads and prescribed values become those of params, where they are those of params.time;
 * springs stay, and none is in `params`; so do temperatures, where the elasticity was made with one. support NULL: all
 * stays as it is there. ERR_INPUT: an unknown is prescribed in
 * one of the two only. `name` and `before` are what messages call this and that. */
Status elasticity_load_case(Elasticity *elasticity, const ElasticityParams *params, const char *name,
                            const char *before);
bool elasticity_has_load(const Elasticity *elasticity); /* heat, or prescribed values other than 0 */
/* Recovery is that of a body with the sum of factor times source as temperature, of an elasticity that was made with one;
 * a load case brings its own. Not recordable. ERR_INPUT: not finite, with the place. */
Status elasticity_heat(Elasticity *elasticity, int32_t n, const ScalarSource *const *source, const double *factor);
/* Inputs of points, 0 at first: factor times the source at a time, which outlives the elasticity. Nothing where no material reads
 * it, or the temperature is a load.
 * Collective, not recordable. ERR_INPUT: not finite, with the place. */
Status elasticity_renew(Elasticity *elasticity, PointInputKind kind, const ScalarSource *source, double time,
                        double factor);
/* The temperature as a sum of n sources, each times its factor and at a time of its own. */
Status elasticity_renew_heat(Elasticity *elasticity, int32_t n, const ScalarSource *const *source, const double *factor,
                             const double *time);
/* Tensions of muscle, or what drives them, at a time; given tensions times the factor. `params` as of _create. Collective, not
 * recordable. ERR_INPUT as above. */
Status elasticity_activate(Elasticity *elasticity, const ElasticityParams *params, double time, double factor);
/* From here on there is no initial stress: in what modes stretch. Not recordable. */
Status elasticity_forget_initial(Elasticity *elasticity);
/* In the place of that: what drives them is factor times nodal[nodes], on the Exec in the order of the vectors. Not recordable. */
Status elasticity_drive(Elasticity *elasticity, const double *nodal, double factor);
/* f_ext alone as a residual has it: in the rows of the solver, zero at supports. */
Status elasticity_load(Elasticity *elasticity, double *r);
/* f_ext, [dofs] on the Exec in the global frame: what it is now, and what it is to be from now on (borrowed). */
const double *elasticity_external(const Elasticity *elasticity);
/* With ElasticityParams.free_rim: change[dofs] is what elasticity_residual changes by along x beyond what the tangent says, at u. Recordable. */
Status elasticity_beyond_at(Elasticity *elasticity, const double *u);
Status elasticity_beyond(Elasticity *elasticity, const double *x, double *change);
void elasticity_set_external(Elasticity *elasticity, const double *force);
/* How much of the values of equations holds from now on, 1 at first: a sum of load cases has that of its factors. Gives what held before. */
double elasticity_set_gap(Elasticity *elasticity, double gap);
/* The same in load steps, where equations that are switched follow, too. Not recordable. */
Status elasticity_grow_equations(Elasticity *elasticity, double gap);
/* r = f_ext - f_int(u), zero at supported DOFs. Recordable. */
Status elasticity_residual(Elasticity *elasticity, const double *u, double *r);
/* flow.c: how far the points of a step flow at most (PointOut.flow), before it is committed: u at its end; at its start `before`.
 * Collective. And whether a material can. */
typedef struct FlowBefore {
  double gap, time, end; /* how much of the gaps of equations holds at the start; its time, and that of the end */
} FlowBefore;
bool elasticity_flows(const Elasticity *elasticity);
Status elasticity_flow(Elasticity *elasticity, const double *u, const FlowBefore *at, const double *before,
                       double most[]);
/* How large the forces are that the residual of the last elasticity_residual is a difference of: external ones, and at
 * supports. At finite strain, or in load steps; not recordable. */
Status elasticity_force_scale(Elasticity *elasticity, double *scale);
/* v from the global frame to the solver's, zero at supported DOFs of nodes with frames of their own, or at those of
 * obstacles alone. */
Status elasticity_local_frame(Elasticity *elasticity, double *v);
Status elasticity_local_frame_whole(Elasticity *elasticity, double *v);
/* v = 0 at supported DOFs, and where it depends on other unknowns; and at the latter alone. Recordable. */
Status elasticity_free_only(Elasticity *elasticity, double *v);
Status elasticity_independent_only(Elasticity *elasticity, double *v);
/* values <- tangent at u, supports eliminated symmetrically (zero row and column, unit diagonal). Recordable. */
Status elasticity_tangent(Elasticity *elasticity, const double *u, double *values);
/* The same at the u and the states of the last tangent, where pressures that follow alone have changed, and no other matrix of elements
 * was made between. Recordable. */
Status elasticity_tangent_pressed(Elasticity *elasticity, const double *u, double *values);

/* Cavities, one for each LOAD_CAVITY and in their order, behind facets that are closed, or end on planes across axes in
 * which their nodes are held at 0. The volume of each at u; g = its derivative, which is the force of a pressure of 1 in
 * it, zero at supports; and pressures in all of them from now on, 0 at first. Collective, not recordable. */
int32_t elasticity_cavities(const Elasticity *elasticity);
/* closure[ELASTIC_CAVITIES] of the cavities that there are. */
void elasticity_closures(const Elasticity *elasticity, CavityClosure *closure);
/* A view. */
const LidRims *elasticity_rims(const Elasticity *elasticity);
Status elasticity_cavity_volumes(Elasticity *elasticity, const double *u, double *volume);
Status elasticity_cavity_forces(Elasticity *elasticity, const double *u, int32_t i, double *g);
Status elasticity_press_cavities(Elasticity *elasticity, const double *pressure);

/* Materials that remember or that are not linear (physics/point_material.h). elasticity_residual also makes the state
 * that a step of length dt ends with, from that which elasticity_commit accepted last; at first all states are
 * those that their materials begin with. dt 0: no time passes, as where results of the last step are recovered. */
bool elasticity_linear(const Elasticity *elasticity);
void elasticity_set_step(Elasticity *elasticity, double dt);
/* From now on tangents that jump go over within this width of a strain (PointIn.kink); 0: they jump. */
void elasticity_set_kink(Elasticity *elasticity, double width);
/* Of one made for large strains and linear materials: are strains large from now on, or is everything linear and pressure that of the
 * body as it was? */
Status elasticity_set_strain(Elasticity *elasticity, bool large);
/* The state of the last elasticity_residual becomes the one that the next step starts from. Recordable. */
Status elasticity_commit(Elasticity *elasticity);
/* How many elements had a point without an answer in the last elasticity_residual: then the step is to be cut. The
 * message, ERR_NUMERIC where there is one, names the first. Collective, with one answer; not recordable. */
Status elasticity_check_answer(Elasticity *elasticity);

/* A strict upper bound of the spectrum of the matrix that elasticity_tangent made last, scaled symmetrically by its
 * diagonal or, with `blocks`, by the diagonal blocks of its nodes; INFINITY where there is none (element_bound.h). Not
 * recordable. */
Status elasticity_spectrum_bound(Elasticity *elasticity, bool blocks, double *bound);

/* Average stress at a node of an interface, of the elements of one material. */
typedef struct OtherStress {
  int32_t node, material;
  double stress[6], stress_material[6], safety; /* the latter two where they were asked for */
} OtherStress;

/* Are there quad4 or hex8 without incompatible modes and without mean dilatation? How much of the strain energy at u such
 * modes would take from them, to second order: 0 where nothing bends, a third where a bar is one square element high. each
 * [n_solved]: of the elements; NULL: not asked for. Not recordable. */
bool elasticity_is_plain(const Elasticity *elasticity);
Status elasticity_bending_gain(Elasticity *elasticity, const double *u, double *each, double *gain);

/* What a solution gives, on the host, where the arrays lie in one snapshot; NULL when not asked for. The fields of fields.def:
 * `double (*stress)[6]` and so on, [n_node], [n_solved] or, by point_start, of integration points. */
typedef struct ElasticRecovery ElasticRecovery;
typedef struct ElasticFields { /* clang-format off */
#define ELASTIC_MEMBER_ONE(m) double *m;
#define ELASTIC_MEMBER_XYZ(m) double(*m)[3];
#define ELASTIC_MEMBER_123(m) double(*m)[3];
#define ELASTIC_MEMBER_VOIGT(m) double(*m)[6];
#define ELASTIC_FIELD(NAME, m, word, where, parts, ...) ELASTIC_MEMBER_##parts(m)
#define ELASTIC_ALIAS(NAME, ...)
#include "assembly/elasticity/fields.def"
  /* clang-format on */
  double *const
      *state; /* [elastic_field_rows() - N_ELASTIC_FIELDS], borrowed: arrays of rows of states; NULL: none is there */
  int64_t *point_start; /* [n_solved + 1] into point_stress */
  double energy;        /* total strain energy */
  double *error_share,
      *error_square; /* owned, [n_solved], where ranks share and `error` of the whole is to be found: the
                                         parts of elements in its square, and of the stress */
  /* With stress at nodes, and where ranks share -1: the same of the whole body over the stress, in the norm of the
   * stress over the volume; -1: not known. And the solved element with the largest part of it. */
  double error;
  int32_t error_element;
  /* With a field that needs stress at nodes: the averages of the other materials at interfaces, by node and
   * material. */
  int64_t n_other;
  OtherStress *other; /* owned, as point_start */
  bool finite;        /* every number of the fields at nodes that were asked for is */
  const int32_t
      *material;        /* [n_solved] of solved elements, equal ones as the first of them; borrowed from the problem */
  ElasticRecovery *own; /* owned: the arrays, and what they are made with */
} ElasticFields;
/* Solved elements are the elements of the highest dimension, in id order. */
Status elasticity_recover(Elasticity *elasticity, const double *u, FieldBits which, ElasticFields *out);
/* The same in two steps, between which the host may do other work: the arrays are where they will be, what is in them,
 * `energy`, `finite` and `other` are there after the wait. `again`: of another u, into the same arrays. */
Status elasticity_recover_start(Elasticity *elasticity, const double *u, FieldBits which, ElasticFields *out);
Status elasticity_recover_again(Elasticity *elasticity, const double *u, ElasticFields *out);
/* The same, which stay on the Exec, where elastic_fields_take copies one of them (ELASTIC_...) to `room`, in the mesh's
 * order; `energy` is not found, unless `send` goes before a wait. begin: as start. */
Status elasticity_recover_begin(Elasticity *elasticity, const double *u, FieldBits which, ElasticFields *out);
Status elasticity_recover_here(Elasticity *elasticity, const double *u, ElasticFields *out);
Status elastic_fields_send(ElasticFields *fields);
/* Which states STATES and ELEMENT_STATES of later recoveries have, [n] words of them. And one of these to `room`, as
 * elastic_fields_take. */
Status elasticity_recover_states(Elasticity *elasticity, int32_t n, const char *const *word);
/* Which of the states of muscle the word is; -1: none. */
int elasticity_active_state(const char *word);
/* value[n_node] = d . E d, E of strain[n_node][6] as the field `strain` has it and d of direction[n_node][3], zero where there is none; all
 * on the Exec, in the mesh's order. */
Status elasticity_strain_along(Elasticity *elasticity, const double *strain, const double *direction, double *value);
/* What nodes have had in a beat so far, ELASTIC_PEAKS arrays [n_node] one behind the other: the largest stretch of fibres, that where a cavity
 * held least, the largest tension, and when. `peak` goes on with a moment; all on the Exec, in the mesh's order. */
enum { ELASTIC_PEAKS = 4 };
typedef struct BeatMoment {
  const double *stretch, *tension; /* [n_node], as elastic_states_take gives them */
  double time;                     /* from the begin of the beat */
  bool first, least;               /* the beat begins here; the cavity has not held less in it */
} BeatMoment;
Status elasticity_beat_peak(Elasticity *elasticity, const BeatMoment *now, double *peak);
Status elastic_states_take(const Elasticity *elasticity, const ElasticFields *fields, int32_t field, int32_t i,
                           double *room);
Status elastic_fields_take(const Elasticity *elasticity, const ElasticFields *fields, int32_t field, double *room);
Status elastic_fields_wait(const Elasticity *elasticity, ElasticFields *out);
/* `other` of fields that stay on the Exec, which are waited for. Not recordable. */
Status elastic_fields_find_other(const Elasticity *elasticity, ElasticFields *fields);
/* After the wait, of fields with STRESS_ERROR: error_share and error_square, also where ranks do not share. */
Status elastic_error_shares(const Elasticity *elasticity, ElasticFields *fields);
void elastic_fields_release(ElasticFields *fields);
/* Index into `other` of what a node has in this material; -1: the node's own values are that. */
int64_t elastic_fields_other(const ElasticFields *fields, int32_t node, int32_t material);

/* For `sinew check`: what the loads add up to (vector of force, 3), springs and reactions not counted. */
Status elasticity_total_load(const Elasticity *elasticity, double force[3]);
/* The same at another time; pressure that follows surfaces is not counted in either, and *followed tells whether there is some. ERR_INPUT:
 * a load is not finite then. */
Status elasticity_total_load_at(Elasticity *elasticity, double time, double force[3], bool *followed);
/* Parts of the body in the order of their first element. */
int32_t elasticity_part_count(const Elasticity *elasticity);
const BodyPart *elasticity_part(const Elasticity *elasticity, int32_t i);
/* [n_node of the mesh]: the part that a node belongs to, the lowest; NULL where there is one part. */
const int32_t *elasticity_part_of_node(const Elasticity *elasticity);

/* What elasticity_commit accepted last, for checkpoints: states of the whole body in the mesh's order, the same for any number of ranks. host:
 * elasticity_state_bytes (0: no material remembers) on rank 0, elsewhere it is not looked at; to restore, the same on every rank.
 * Collective. */
int64_t elasticity_state_bytes(const Elasticity *elasticity);
Status elasticity_state_save(const Elasticity *elasticity, void *host);
Status elasticity_state_restore(Elasticity *elasticity, const void *host);
