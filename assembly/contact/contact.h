/* Contact of a body with rigid obstacles or of two bodies with small sliding: a node of the surface keeps its
 * normal n at the start, that of the obstacle at its place or its own, and
 *   n . u <= g(t),   force along n <= 0,   one of the two is 0,
 * where g is the distance to the obstacle along n. Between bodies it is the same in the mean, with dual functions of the surface
 * (assembly/mortar/mortar.h): n . (u' - sum w_k u_k) <= g, where w are weights of nodes of the other body, and u' is the displacement
 * in functions N'. Closed nodes are prescribed along n (assembly/space/toggle.h), or follow the other body; which are
 * closed is found by the primal-dual active set method (Hueber and Wohlmuth, A primal-dual active set strategy for non-linear
 * multibody contact problems, Computer Methods in Applied Mechanics and Engineering 194, 2005), a semismooth Newton method.
 * The pressure at a node is what it bears over its area. On faces of order 2 functions of corners have a share of those of edges,
 * so that all areas are positive (Popp, Wohlmuth, Gee and Wall, Dual quadratic mortar finite element methods for 3D finite
 * deformation contact, SIAM Journal on Scientific Computing 34, 2012).
 *
 * Surfaces that slide keep all that for one step: contact_create finds it anew where they are then, and gaps, which are of
 * displacements since the start, follow from the places of nodes at the start with the new weights.
 *
 * Friction (Coulomb): |tau| <= mu lambda at a closed node, and where it slides by ds in a step, tau = mu lambda ds / |ds|. Nodes that
 * stick follow what they touch across the normal, too; those that slide have a known force tau, with lambda as last seen, so that
 * the matrix stays symmetric (Wohlmuth, Variationally consistent discretization schemes and numerical algorithms for contact problems,
 * Acta Numerica 20, 2011, section 5). docs/theory/contact.md. */
#pragma once
#include "assembly/contact/obstacle.h"
#include "assembly/space/load.h"
#include "assembly/space/toggle.h"

typedef struct ContactParams {
  Exec *exec; /* where segments are found (MortarParams) */
  const Mesh *mesh;
  const ElementSet *set;
  const Incidence *incidence;
  bool axisymmetric;
  ElementNumber thickness, shear; /* of solved elements; shear modulus 0: not known */
  int32_t n;
  const Obstacle *item; /* borrowed during _create only */
  double time, end;     /* end: of the run */
  /* of surfaces that slide, found anew: */
  const double (*moved)[3]; /* [n_node] how far nodes have moved; NULL: the start */
  double now;               /* the time of obstacles then */
  const uint8_t *leave;     /* [n_node] nodes that give their functions to others, if these are near; NULL: none */
} ContactParams;

/* What became of each obstacle's surface at the last contact_update. */
typedef struct ContactState {
  int32_t n, n_closed; /* nodes */
  double force[3];     /* of the obstacle on the body */
  double penetration;  /* the largest, 0: none */
  double gap;          /* the least, of nodes that are open; INFINITY: none */
  double turned;       /* the largest angle between a closed node's normal and that of the obstacle where it is now */
  double slid;         /* between bodies: how far a closed node has slid at most */
  int32_t n_stick;     /* of the closed nodes, with friction */
  bool rubs;           /* it has friction at some time */
  double size;         /* of its facets */
  double reach;        /* between bodies: nodes farther away at the start take no part */
  bool active;         /* at the time */
} ContactState;

/* What a closed node does across its normal. */
typedef enum Grip { GRIP_NONE, GRIP_STICK, GRIP_SLIDE } Grip;

/* In space: a node that slides is held across its force by a spring, as far as that force would turn. */
typedef struct Lateral {
  double stiffness, d[3]; /* 0: it is not; a unit vector */
} Lateral;

/* Friction of nodes; vectors across their normals, in the global frame, [nodes.n] each, owned. */
typedef struct Friction {
  bool any; /* some obstacle has some, in some phase */
  uint8_t
      *n_tangent; /* directions in which friction may hold the node: free ones across the normal; 0: without friction */
  double (*tangent)[6]; /* these, unit vectors, one after the other */
  double *coefficient;  /* at `time` */
  uint8_t *grip;        /* Grip, now */
  double (*force)[3];   /* tau, of the node on what it touches; over the area a stress */
  double (*from)[3];    /* where it was against what it touches when the step began; where it sticks it stays there */
  double *path;         /* how far it had slid by then, while it was closed */
  uint8_t *kept;        /* Grip at the end of the last step, */
  double (*kept_force)[3];         /* and the force */
  uint8_t *n_change;               /* in this step: from sticking to sliding and back */
  double *resists;                 /* about how much force a way of the node alone costs; 0: not known */
  Lateral *lateral, *next_lateral; /* as applied, and what comes next */
  double (*applied)[3];            /* force, without that of `lateral`, as applied */
  double *part;                    /* of its bound, of nodes that went on changing in this step; else 1 */
  double *share;                   /* [n_item] of bounds, where some nodes pull; else 1 */
  int32_t n_frozen;                /* how many these are, */
  bool told;                       /* and whether that was said */
  double (*last)[3];               /* `across` of the last update */
  double *mixed; /* their lengths, then what core/anderson.h has of `n_mixed` updates since what slides changed */
  int32_t n_mixed;
} Friction;

/* Nodes of edges that are of no contact themselves: the nodes that have their functions (contact_shares.c). */
typedef struct Handed {
  int32_t n, *node; /* owned, as all; ascending */
  int64_t *start;   /* [n + 1] */
  int32_t *to;      /* as items of Contact.nodes */
} Handed;

/* The largest that ends of steps had of, at least what a strain of 0.01 makes: the pressure of a node; the friction that it bears at most; the
 * sum of that. */
enum { BORNE_PRESSURE, BORNE_BOUND, BORNE_BOUNDS, N_BORNE };
/* The part of these that is rounding: where no forces act, Newton's method ends at 1e-12 of the largest (stepper.h). */
#define BORNE_ROUNDING 1e-10

typedef struct Contact {
  int32_t n_item;
  double borne[N_BORNE];
  Obstacle *item;     /* owned, [n_item] */
  Toggles nodes;      /* nodes that may touch; n 0: there is no contact */
  int32_t *of;        /* owned, all below [nodes.n]: the obstacle of each */
  double (*x)[3];     /* owned: where it is at the start, */
  double (*at)[3];    /* owned: and where its normal was taken, */
  double (*arm)[3];   /* owned: how far from `at` of its obstacle it is; of those that slide at `found`, */
  double *along;      /* owned: when it had moved so far along it */
  double *area;       /* owned: of the pressure at it */
  int32_t (*edge)[2]; /* owned: of the middle of an edge of a face of order 2 its ends, -1: it is none */
  double *given;      /* owned: of `area` the part that was given to it by nodes of edges */
  Handed handed;
  double *first_gap; /* owned: between bodies, without displacements */
  double *ease;      /* owned: between bodies, overlap at the start that counts as none */
  double *jump;      /* owned: by which gaps that were found anew are missed when a step begins */
  uint8_t *kept;     /* owned: closed at the end of the last step */
  uint8_t *arrived;  /* owned: contact_arrives of the last step */
  double *gap;       /* owned, at `time` */
  double *rate;      /* owned, [2][]: velocity and acceleration of obstacles along n, at `time`, */
  double *bend;      /* owned: and what goes along a curved one is accelerated by, in the latter (contact_bend) */
  double *
      swerve; /* owned: of those closed and following, velocity along n at the start of the step, by what was found anew */
  double *seen;        /* owned, [][2]: displacement and force along n, as last seen */
  double *pressure;    /* owned, of the last contact_pressures */
  double *room;        /* owned, [2][] */
  double *slid;        /* owned: length of `across` */
  double (*across)[3]; /* owned: displacement across n against what it touches, as last seen */
  Friction friction;
  double (*force)[3]; /* owned: what is out of balance at nodes, of those between bodies */
  double *size;       /* owned, [n_item]: mean of the facets */
  double (*drift)[3]; /* owned, [n_item]: between bodies, how far closed nodes came in the last step, their mean */
  bool again;         /* found anew: what is wrong with the surfaces was told before */
  double time;        /* of `gap`; NAN: none */
  double found;       /* when a step began that slides */
  double span;        /* of the run, > 0 */
  bool moves, bends;  /* some obstacle does; of some nodes `bend` is known */
  int32_t turn;       /* updates in this step */
  int32_t unsettled;  /* a node that the last update changed, */
  bool changes;       /* if it changed any */
  int64_t n_update, n_change; /* of the whole run: updates that changed something, and nodes that they changed */
} Contact;

/* Nodes, normals, areas, and which are closed at the start; before supports_create, which gets `nodes`. ERR_INPUT, with the
 * place: a group that is no surface of the body, looks another way, or shares nodes with another obstacle's. */
Status contact_create(const ContactParams *params, Contact *out);
void contact_release(Contact *contact);
/* After supports_create: gaps between bodies. ERR_INPUT: a node is held
 * along its normal, or bodies overlap. */
Status contact_check(Contact *contact, const Mesh *mesh);
/* What nodes of surfaces keep while these are found anew; [n] ascending nodes of the mesh, those of all `on`. */
typedef struct ContactPast {
  int32_t n;
  int32_t *node; /* owned, as all */
  int32_t *of;   /* 1 + the contact that it was in, as far as is known; 0: none */
  double *ease, *path, *swerve, (*force)[3], (*normal)[3];
  uint8_t *kept, *grip;
} ContactPast;
Status contact_past_create(const Contact *contact, const Mesh *mesh, ContactPast *out);
void contact_past_release(ContactPast *past);
void contact_remember(const Contact *contact, ContactPast *past);
/* After contact_check. */
void contact_recall(Contact *contact, const ContactPast *past);
/* The largest angle between normals of bodies at nodes that were closed and those that they had. */
double contact_turned(const Contact *contact, const ContactPast *past);
/* Of forces along the normals of `was`, which the step that ended had, the part by which their sum is off: they drag, or push, by that. */
double contact_lag(const Contact *contact, const Contact *was);
/* At the end of a step, before contact_commit: its drifts. */
void contact_drifts_find(Contact *contact);
/* u[n_node] = that part of how far nodes of `on` of surfaces that slide came: between bodies the drift, on obstacles each its own way;
 * in motion that of each node of both surfaces, `way` being velocities. */
void contact_drift(const Contact *contact, const Mesh *mesh, double part, bool moves, const double (*way)[3],
                   double (*u)[3]);
/* Some surface slides; some obstacle that one slides on is curved. */
bool contact_slides(const Contact *contact);
bool contact_bends(const Contact *contact);
/* What sticks, slides, and with what force is that of the end of the last step. */
void friction_keep(Contact *contact);
/* Of `across` as last seen: steps begin there. */
void friction_from_here(Contact *contact);
/* A step to a time begins, or is tried again: sets are those at the end of the last one, gaps those of the time.
 * ERR_INPUT: an obstacle is nowhere then. */
Status contact_begin(Contact *contact, double time);
/* Surfaces were found anew, and seen: jumps of gaps. */
void contact_jumps(Contact *contact);
/* Of what was seen: nodes that lie behind obstacle i at `time`, whether it is active or not, and how far at most. */
int32_t contact_behind(Contact *contact, int32_t i, double *depth);
/* Gaps at `time` with that part of the jumps, which a step may make one after the other. */
void contact_ease(Contact *contact, double part);
/* Closed nodes of some contact follow by equations. */
static inline bool contact_has_followers(const Contact *c) {
  bool any = false;
  for (int32_t k = 0; k < c->nodes.n && !any; ++k) any = c->nodes.follows[k];
  return any;
}
static inline bool contact_is_between(const Contact *c, int32_t k) { return c->item[c->of[k]].kind == OBSTACLE_BODY; }
/* The middle of an edge of a face of order 2, in functions N'. */
static inline bool contact_is_middle(const Contact *c, int32_t k) {
  return c->nodes.scale[k] > 1.1 * (1 - c->given[k]);
}
/* Of what was seen: `force` of all nodes in functions N', where a node follows by an equation, that along its normal and friction
 * where it sticks; and what `across` is against obstacles that move. */
void contact_forces(Contact *contact);
/* Of what was seen at u: pressures, then the sets; how many nodes are now closed or open that were not before. After 8 turns in
 * a step only the worst fifth changes. */
void contact_pressures(Contact *contact);
int32_t contact_update(Contact *contact);
void contact_commit(Contact *contact);
/* What node k is now, and was not at the end of the last step: closed, sticking. */
enum { ARRIVED = 1, STUCK = 2 };
uint8_t contact_arrives(const Contact *contact, int32_t k);
/* `bend` and `rate` at nodes with these velocities, [nodes.n]: with the gradient g of the distance and the velocity w against the obstacle
 * a . g = -w . dg/dx w keeps a node on the surface. */
void contact_bend(Contact *contact, const double (*velocity)[3]);
/* out[nodes.n]: area at nodes, of the surface that has moved by now[n_node], over that which pressures are of; moved[n_node]:
 * how far surfaces that slide had moved then. */
Status contact_stretches(const Contact *contact, const Mesh *mesh, bool axisymmetric, const double (*moved)[3],
                         const double (*now)[3], double *out);
/* How far node k is from its obstacle, as last seen: along its normal, or where that passes by it, to the nearest place. */
double contact_open(const Contact *contact, int32_t k);
/* Between bodies: along the normal of node k what is 1 along all normals, in functions N'. Not 1 in the middle of a bent edge. */
double contact_fit(const Contact *contact, int32_t k);
/* Whether displacements and forces at the node are those in functions N'. */
static inline bool contact_follows(const Contact *c, int32_t k) { return c->nodes.follows[k]; }

/* ---- friction.c ---- */
/* After contact_check: in which directions friction may hold a node. Warns of nodes that supports hold along the surface, while what
 * they touch is not held there. */
Status friction_create(Contact *contact, const Mesh *mesh, const struct Supports *supports);
void friction_release(Friction *friction);
/* Part of contact_begin: coefficients at the time; all that is closed sticks. ERR_INPUT: not in [0, 2]. */
Status friction_begin(Contact *contact);
/* Part of contact_forces. */
void friction_see(Contact *contact);
/* After contact_update, which changed so many nodes: what sticks, what slides, and forces of what slides; how many changed. */
int32_t friction_update(Contact *contact, int32_t n_changed);
/* Part of contact_commit. */
void friction_commit(Contact *contact);
/* Forces of what slides are applied from now on. */
void friction_apply(Contact *contact);
/* ---- friction_space.c ---- */
/* Part of contact_create: `resists` and `borne`. */
Status friction_scale(const ContactParams *params, Contact *contact);
/* Of a node with two tangents that slides, or stuck and exceeds its bound: whether it is to stick; else its force and its next spring.
 * applied: becomes the force that it had. back: a way that counts as none. */
bool friction_turn(Contact *contact, int32_t k, double bound, double back, double applied[3]);
/* Of a node that slides and changed FRICTION_CHANGES times in a step, its bound is taken in part: less where it goes back against
 * its force, else more, by halves. */
enum { FRICTION_CHANGES = 6 };
void friction_part(Friction *friction, int32_t k, bool back);
/* A spring across the force of node k, as stiff as one may be. */
void friction_groove(Friction *friction, int32_t k);
/* Of a node: where equation a of those across its normal has it, how far it has slid, and 0: open, 1: slides, 2: sticks. */
double friction_value(const Contact *contact, int32_t k, int a);
double friction_path(const Contact *contact, int32_t k);
/* Component d of what the node puts on what it touches, across its normal. */
static inline double friction_force(const Contact *c, int32_t k, int d) {
  return c->friction.force ? c->friction.force[k][d] : 0;
}
static inline int contact_status(const Contact *c, int32_t k) {
  return c->nodes.on[k] ? (c->friction.grip && c->friction.grip[k] == GRIP_STICK ? 2 : 1) : 0;
}
/* State of the i-th obstacle. */
ContactState contact_state(const Contact *contact, int32_t i);
