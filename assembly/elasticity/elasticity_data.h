/* What an Elasticity object holds. For the files of assembly/ only. */
#pragma once
#include "assembly/contact/contact.h"
#include "assembly/elasticity/elasticity.h"
#include "assembly/elasticity/elasticity_points.h"
#include "assembly/elasticity/rows.h"
#include "assembly/space/toggle_rows.h"

/* cavity.h */
typedef struct Cavity {
  CavityClosure closed;
  double *place; /* on the Exec, owned, [n_dof]: x - x0 of own nodes, 0 along axes that take no part */
  uint8_t *out;  /* likewise, [n_node]: these axes, a bit each; NULL: there are none */
} Cavity;

/* A lid over one rim of a cavity (lid_rows.h), of several ranks what this one has of it: on the Exec, owned. */
typedef struct Lid {
  int32_t cavity, n_edge, n_node, held;
  int64_t n_entry;
  int32_t *edge, *node, *row, *start, *entry;
  double *weight, *f, *part;
  struct LidMoments *moments;
} Lid;

/* Surfaces that slide are found anew in each step: on obstacles where they are, bodies where they are likely to be when it ends. */
typedef struct ElasticitySlide {
  double (*moved)[3];  /* owned, on the host, [n_node]: that displacement, global frame; NULL: nothing slides */
  double (*begun)[3];  /* owned, likewise: that of the beginning */
  double time, target; /* of the beginning, and of the end, when obstacles are looked at */
  double dt;           /* of the step, as it is tried (elasticity_contact_swerve) */
  ContactPast past;    /* of nodes, by then */
  double turned;       /* by which normals between bodies, where the step before ended, are other than its own, */
  double lag;          /* and the part of its forces that is off by that */
} ElasticitySlide;

/* Springs across the force of nodes that slide in space (Lateral), as last applied; on the Exec, owned. */
typedef struct LateralSprings {
  int32_t n, n_node;
  int64_t n_part, n_more;
  ToggleSpring *spring; /* [n] */
  double *pull;         /* [n] */
  int32_t *node;        /* [n_node]: what they do to nodes, */
  int64_t *start;       /* [n_node + 1] */
  TogglePart *part;     /* [n_part] */
  EquationMore *more;   /* [n_more], and to the matrix */
  double *force;        /* [n_dof] */
} LateralSprings;

/* Of ElasticityParams.damping: linear laws, that many times those of the materials at rest. */
typedef struct MaterialDamping {
  bool there; /* on all ranks */
  ElasticityPoints points;
  double *u; /* on the Exec, owned, as Elasticity.work: the displacement while that is the velocity */
} MaterialDamping;

/* Of periodic pairs, on the Exec, owned by recover_images.c. */
typedef struct ElasticityImages {
  RecoverImages args;
  int64_t n_row, n_item, n_turn;
} ElasticityImages;

struct Elasticity {
  Space *space; /* owned, dim components */
  ElasticModel model;
  int32_t dim;
  double time; /* of elasticity_initial */
  bool inspect_only;
  bool in_batches;
  const double *tangent_at; /* the displacement that the last tangent was made at, global frame; borrowed */
  /* host, owned, in the mesh's order */
  Supports supports;
  Loads loads;
  BodyParts parts;
  Equations equations; /* n 0: there are none */
  ElasticityImages images;
  Contact contact; /* likewise its nodes */
  ElasticitySlide slide;
  double gap;        /* how much of their values holds */
  bool heated;       /* by the last load case */
  bool begins;       /* with a stress */
  bool tethered;     /* there are springs between nodes, likewise */
  bool viscous;      /* there are dashpots, on some rank, or damping */
  double bulk_ratio; /* the largest bulk modulus over shear modulus of a material; 0 in plane stress */
  double *still;     /* [n_read] on the Exec, 0, for pressure in steps of small strains; NULL: there are none */
  bool followed;     /* there is pressure that follows its facets, on some rank */
  ElasticityPoints points;
  MaterialDamping damping;
  int32_t n_material;
  ElasticConstants *constants; /* [n_material] */
  StressEnergy *compliance;    /* [n_material] */
  MaterialAxes *axes;          /* [n_material], as the next */
  Strength *strength;
  int32_t *chosen; /* on the Exec, owned, StateChoice.index of n_chosen states; NULL: none */
  int32_t n_chosen;
  int32_t *material; /* [n_solved], of equal materials the first */
  double *density;   /* [n_solved]; NULL: that of the material */
  /* on the Exec, owned; all in the solver's order */
  int32_t *block_material[ELEMENT_SET_BLOCKS]; /* [n] of each solved block */
  ElasticConstants *exec_constants;            /* [n_material] */
  const double *external; /* view, [n_node][dim], global frame, at the time last asked for: that of the loads, or */
  double *timed_load;     /* [n_dof]; NULL where no load depends on t */
  double *work;           /* [n_dof]; NULL where no node has a frame of its own and there are no equations */
  double *pressure[N_ELEMENT_KINDS]; /* of facets that it follows, [n][n_q] of each block */
  double *pushed[N_ELEMENT_KINDS];   /* as pressure, 0 where it pulls, for tangents; NULL: they are of pressure */
  double *
      bent; /* [n_dof] with the halo, where elasticity_beyond is told the tangent is, global frame; NULL: rims are not free */
  double *flow; /* on the Exec, owned, [n_flow]: of each element, and the largest; NULL: no material flows */
  int64_t n_flow;
  double *modes_before;   /* as ElasticityPoints.modes, likewise */
  double *before;         /* as work, at the start of a step; NULL: without flow, too */
  double *balance, *norm; /* [n_dof], [1], of elasticity_force_scale; NULL unless strains may be large */
  int32_t *part;          /* [n_node] in the solver's order, of bodies that slide on each other; NULL: there is one */
  double *contact_force;  /* [n_dof], of contacts_recover and the like; NULL: nothing touches */
  uint8_t *contact_leave; /* owned, [n_node] ContactParams.leave; NULL: no node does */
  uint8_t *contact_kept;  /* owned, on the host, [contacts_bytes]: at the end of the last step; NULL: none has been */
  const double *applied;  /* view: `external` without friction, which is */
  double *rubbed;         /* [n_dof], together with known forces of friction and of bolts; NULL: there are none */
  LateralSprings lateral; /* n 0: there are none */
  struct Bolts *bolts;    /* owned, bolts.h; NULL: there are none */
  struct TimedEquation *timed; /* owned, timed.h, [n_timed] */
  EquationSpan *timed_span;    /* owned, of all of these one after the other, as the next */
  EquationTerm *timed_term;
  double timed_time;  /* last asked for */
  double timed_eased; /* elasticity_ease_equations */
  int32_t n_timed;
  double input_size; /* how large the forces are of a body at u = 0 whose inputs are renewed */
  /* cavities, on the host and on the Exec, owned */
  int32_t n_cavity;
  Cavity cavity[ELASTIC_CAVITIES];
  double cavity_pressure[ELASTIC_CAVITIES];
  double *known_pressure[N_ELEMENT_KINDS]; /* as pressure without those in cavities; NULL: there are no cavities */
  double *in_cavity[ELASTIC_CAVITIES][N_ELEMENT_KINDS]; /* as pressure, of 1 in that cavity */
  double *volume, *pull;                                /* [1], and [n_dof]: of facets alone */
  int32_t n_lid;
  Lid lid[ELASTIC_LIDS];
  LidRims rims;         /* with its sides, owned */
  const SumParts *over; /* what sums over lids go over while others are of this rank alone; NULL: what all do */
};

/* ---- elasticity_check.c ---- */
/* ERR_MESH: the mesh does not fit the model; ERR_INPUT: elements without material. */
Status elasticity_check_params(const ElasticityParams *params);
/* ---- recover_images.c ---- */
/* Once nodes are numbered. ERR_MEMORY, ERR_GPU. */
Status images_create(Elasticity *p, const ElasticityParams *params);
void images_release(Elasticity *p);
/* ---- elasticity_density.c ---- */
/* p->density where that of a material varies. ERR_INPUT: negative or not finite, with the place. */
Status elasticity_find_density(Elasticity *p, const ElasticityParams *params);
/* ---- elasticity_thermal.c ---- */
/* What heating does to a body that is held at u = 0, added to the loads. */
Status elasticity_thermal_load(Elasticity *p);
/* ---- elasticity.c ---- */
/* *here becomes whether it is so on any rank. Collective. */
Status elasticity_is_anywhere(const Elasticity *p, bool *here);
Status elasticity_make_supports(Elasticity *p, const ElasticityParams *params, Supports *out);
/* p->contact, at p->slide. */
Status elasticity_make_contact(Elasticity *p, const ElasticityParams *params);
/* That and p->supports, such that nodes of contact that supports hold, or equations have, leave it to others where they can. */
Status elasticity_make_held(Elasticity *p, const ElasticityParams *params);
/* inertia: of loads that these replace; NULL: there were none. */
Status elasticity_make_loads(const Elasticity *p, const ElasticityParams *params, Inertia *inertia, Loads *out);
/* By mesh node; NULL: no node has a frame of its own. */
const int32_t *elasticity_frames(const Elasticity *p);
/* ---- contacts.c ---- */
/* thickness, shear: of each material. Before supports, after them, and with what is on the Exec. */
Status contacts_create(Elasticity *p, const ElasticityParams *params, const double *thickness, const double *shear);
Status contacts_check(Elasticity *p, const ElasticityParams *params);
/* p->contact_leave, after supports; whether any node does. Warns of those that equations take. */
Status contacts_leave(Elasticity *p, const EquationList *list, bool *any);
/* Unknowns of equations stay what they are. ERR_INPUT: a node that could not leave. */
Status contacts_leave_check(const Elasticity *p, const EquationList *list);
/* Of any rank. */
static inline bool elasticity_has_equations(const Elasticity *p) { return p->equations.n || p->equations.shared; }
/* p->equations: those of the list and those of closed nodes between bodies. */
Status contacts_equations(Elasticity *p, const EquationList *list);
/* Supports hold what is closed at the start, for body_parts_create; or no longer. */
void contacts_mark(Elasticity *p, bool held);
Status contacts_upload(Elasticity *p);
/* Part of it: p->part. */
Status contacts_part(Elasticity *p);
void contacts_release(Elasticity *p);
/* space_bind, of all blocks of nodes that may touch; and what is closed becomes what is prescribed. */
Status contacts_bind(Elasticity *p, const SlotMap *slots);
Status contacts_hold(Elasticity *p);
/* What a checkpoint keeps of contact is of these nodes; the state before the first step. */
Status contacts_slide_create(Elasticity *p);
void contacts_slide_release(Elasticity *p);
/* Behind contacts_slide_back in checkpoints. */
int64_t contacts_slide_bytes(const Elasticity *p);
/* Pressures of nodes of contact, [n] in and out, become those of the area at u, in the global frame. */
Status contacts_press_now(const Elasticity *p, const double *u, double *pressure);
void contacts_slide_save(const Elasticity *p, uint8_t *host);
/* The state of contact as the end of the last step. */
Status contacts_keep(Elasticity *p);
/* p->external gets the known forces of friction and of bolts behind what it has. */
Status contacts_load(Elasticity *p);
/* ---- contacts_motion.c ---- */
/* Forces of what slides, on both sides, to out [n_dof]. And of velocities in the global frame, what bends obstacles. */
void contacts_rub(const Elasticity *p, double *out);
Status contacts_bend(Elasticity *p, const double *v);
Status contacts_swerve_find(Elasticity *p, const double *v);
/* Equations of contact as they are; or, swerve not 0, with so many times the swerves of nodes for their values, and 0 for all others. */
Status contacts_switch(Elasticity *p, double swerve);
/* ---- contacts_lateral.c ---- */
/* p->lateral, as friction has it; then p->external with their forces at u, global frame; and their part of the matrix. */
Status lateral_apply(Elasticity *p);
Status lateral_force(Elasticity *p, const double *u_global, const double **external);
Status lateral_tangent(const Elasticity *p, double *values);
void lateral_release(Elasticity *p);
/* ---- contacts.c ---- */
/* The end of a step: what it was is kept. What a checkpoint keeps of it, on the host. */
Status contacts_commit(Elasticity *p);
void contacts_save(const Elasticity *p, uint8_t *host);
Status contacts_restore(Elasticity *p, const uint8_t *host);
/* A step to a time begins, or is tried again: u of closed nodes is where their obstacles are then. */
Status contacts_begin(Elasticity *p, double time, double *u);
/* Fields of contact at u in the global frame. */
Status contacts_recover(Elasticity *p, const ElasticRecovery *r, const double *u);
/* ---- augmented.c ---- */
/* Collective. */
Status augmented_create(Elasticity *p, const ElasticityParams *params);
Status augmented_commit(Elasticity *p);
/* ---- material_damping.c ---- */
/* Springs get dashpots of beta times their stiffness; before the blocks go to the Exec. */
Status damping_of_springs(Loads *loads, double beta);
Status damping_create(Elasticity *p, const ElasticityParams *params);
void damping_release(Elasticity *p);
/* What resists v at u (NULL: at rest), both in the global frame: the forces of the elements, and their matrices. Recordable. */
Status damping_forces(const Elasticity *p, const double *u, const double *v);
Status damping_matrices(const Elasticity *p, const SpaceBatch *batch, const double *u);
/* ---- flow.c ---- */
Status flow_create(Elasticity *p, const ElasticityParams *params);
/* ---- follower.c ---- */
/* `free_rim`: as of ElasticityParams. */
Status followers_create(Elasticity *p, bool free_rim, bool small_first);
void followers_release(Elasticity *p);
/* Pressures of a time to the Exec. ERR_INPUT: not finite. */
Status followers_at_time(Elasticity *p, double time);
/* Facets of follower k from `first` on, as many as b has. */
FollowerArgs follower_args(const Elasticity *p, const SetBlock *b, int32_t k, int64_t first, const double *u);
/* Element forces and matrices of the facets at u, global frame. Recordable. */
Status followers_force(const Elasticity *p, const double *u);
Status followers_tangent(const Elasticity *p, const SpaceBatch *batch, const double *u);
/* Of the facets alone, what their forces f leave: out[dofs] = -f, 0 where fixed, global frame. Recordable. */
Status followers_gather(Elasticity *p, double *out);
Status followers_gather_all(const Elasticity *p, double *out);
/* How large the forces of the last followers_force are at each own node and along each axis, the root of a sum of
 * squares: out[n_dof]. */
Status followers_size(const Elasticity *p, double *out);
/* ---- elasticity_apply.c ---- */
/* raw[n_dof] = f_ext - f_int(u) with nothing set to zero, u and raw in the global frame. */
Status elasticity_force_balance(Elasticity *p, const double *u_global, const ElasticRecovery *known, double *raw,
                                const uint8_t *fixed);
/* r[n_dof] = -f_int(u) of the material alone, u and r in the global frame; heat is part of the stress. Element forces of these,
 * where there are temperatures. Recordable. */
Status elasticity_stress_forces(Elasticity *p, const double *u_global, const ElasticRecovery *known, double *r);
Status elasticity_heated_forces(Elasticity *p, const double *u_global);
/* The same of a residual, in which heat is a load; `known` NULL: found by u. */
Status elasticity_element_forces(Elasticity *p, const double *u_global, const ElasticRecovery *known);
/* *u in the global frame, p->work where nodes have frames of their own. Recordable. */
Status elasticity_global_frame(Elasticity *p, const double **u);
/* p->input_size. Not recordable. */
Status elasticity_size_inputs(Elasticity *p);
/* Of forces at all nodes; at finite strain only. */
Status elasticity_norm(const Elasticity *p, const double *v, double *out);
/* The same of velocities and accelerations, in which equations have no gaps. */
Status elasticity_rate_frame(Elasticity *p, const double **v);
/* Displacements, or rates, of a motion: of groups that turn as elasticity_keep_turning says. */
Status elasticity_motion_frame(Elasticity *p, bool rate, const double **v);
/* Of solved block k: elements from `first` on, as many as b has; and all. */
ElementArgs elasticity_block_args(const Elasticity *p, const SetBlock *b, int32_t k, int64_t first, const double *u);
ElementArgs elasticity_element_args(const Elasticity *p, int32_t k, const double *u);
