/* Contact of a body with rigid obstacles or of two bodies, without friction and with small sliding: a node of the surface keeps its
 * normal n at the start, that of the obstacle at its place or its own, and
 *   n . u <= g(t),   force along n <= 0,   one of the two is 0,
 * where g is the distance to the obstacle along n. Between bodies it is the same in the mean, with dual functions of the surface
 * (assembly/mortar/mortar.h): n . (u' - sum w_k u_k) <= g, where w are weights of nodes of the other body, and u' is the displacement
 * in functions N'. Closed nodes are prescribed along n (assembly/space/toggle.h), or follow the other body; which are
 * closed is found by the primal-dual active set method (Hueber and Wohlmuth, A primal-dual active set strategy for non-linear
 * multibody contact problems, Computer Methods in Applied Mechanics and Engineering 194, 2005), a semismooth Newton method.
 * The pressure at a node is what it bears over its area. On faces of order 2 functions of corners have a share of those of edges,
 * so that all areas are positive (Popp, Wohlmuth, Gee and Wall, Dual quadratic mortar finite element methods for 3D finite
 * deformation contact, SIAM Journal on Scientific Computing 34, 2012). docs/theory/contact.md. */
#pragma once
#include "assembly/contact/obstacle.h"
#include "assembly/space/load.h"
#include "assembly/space/toggle.h"

typedef struct ContactParams {
  const Mesh *mesh;
  const ElementSet *set;
  const Incidence *incidence;
  bool axisymmetric;
  ElementNumber thickness;
  int32_t n;
  const Obstacle *item; /* borrowed during _create only */
  double time, end;     /* end: of the run */
} ContactParams;

/* What became of each obstacle's surface at the last contact_update. */
typedef struct ContactState {
  int32_t n, n_closed; /* nodes */
  double force[3];     /* of the obstacle on the body */
  double penetration;  /* the largest, 0: none */
  double gap;          /* the least, of nodes that are open; INFINITY: none */
  double turned;       /* the largest angle between a closed node's normal and that of the obstacle where it is now */
  double slid;         /* between bodies: how far a closed node has slid at most */
  double size;         /* of its facets */
  double reach;        /* between bodies: nodes farther away at the start take no part */
} ContactState;

typedef struct Contact {
  int32_t n_item;
  Obstacle *item;             /* owned, [n_item] */
  Toggles nodes;              /* nodes that may touch; n 0: there is no contact */
  int32_t *of;                /* owned, all below [nodes.n]: the obstacle of each */
  double (*x)[3];             /* owned: where it is at the start */
  double *area;               /* owned: of the pressure at it */
  int32_t (*edge)[2];         /* owned: of the middle of an edge of a face of order 2 its ends, -1: it is none */
  double *first_gap;          /* owned: between bodies, at the start */
  uint8_t *kept;              /* owned: closed at the end of the last step */
  double *gap;                /* owned, at `time` */
  double *seen;               /* owned, [][2]: displacement and force along n, as last seen */
  double *pressure;           /* owned, of the last contact_pressures */
  double *room;               /* owned, [2][] */
  double *slid;               /* owned: with `force` of contact_forces, between bodies */
  double (*force)[3];         /* owned: what is out of balance at nodes, of those between bodies */
  double *size;               /* owned, [n_item]: mean of the facets */
  double time;                /* of `gap`; NAN: none */
  int32_t turn;               /* updates in this step */
  int64_t n_update, n_change; /* of the whole run: updates that changed something, and nodes that they changed */
} Contact;

/* Nodes, normals, areas, and which are closed at the start; before supports_create, which gets `nodes`. ERR_INPUT, with the
 * place: a group that is no surface of the body, looks another way, or shares nodes with another obstacle's. */
Status contact_create(const ContactParams *params, Contact *out);
void contact_release(Contact *contact);
/* After supports_create: gaps between bodies. ERR_INPUT: a node is held
 * along its normal, or bodies overlap. */
Status contact_check(Contact *contact, const Mesh *mesh);
/* A step to a time begins, or is tried again: sets are those at the end of the last one, gaps those of the time.
 * ERR_INPUT: an obstacle is nowhere then. */
Status contact_begin(Contact *contact, double time);
static inline bool contact_is_between(const Contact *c, int32_t k) { return c->item[c->of[k]].kind == OBSTACLE_BODY; }
/* Of `force` of all nodes those along normals, in functions N', between bodies. */
void contact_forces(Contact *contact);
/* Of what was seen at u: pressures, then the sets; how many nodes are now closed or open that were not before. After 8 turns in
 * a step only the worst fifth changes. */
void contact_pressures(Contact *contact);
int32_t contact_update(Contact *contact);
void contact_commit(Contact *contact);
/* How far node k is from its obstacle, as last seen: along its normal, or where that passes by it, to the nearest place. */
double contact_open(const Contact *contact, int32_t k);
/* State of the i-th obstacle. */
ContactState contact_state(const Contact *contact, int32_t i);
