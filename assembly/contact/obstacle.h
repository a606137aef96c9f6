/* What a surface may touch: rigid obstacles, or the surface of another body. Obstacles move and turn as expressions of t say. */
#pragma once
#include "core/expr.h"
#include "mesh/mesh.h"

typedef enum ObstacleKind {
  OBSTACLE_PLANE,
  OBSTACLE_CYLINDER,
  OBSTACLE_SPHERE,
  OBSTACLE_CONE,
  OBSTACLE_BODY /* deformable: the functions below are not for it */
} ObstacleKind;
/* What holds of a contact behind a time, up to the next. */
typedef struct ContactPhase {
  double after;  /* -INFINITY: from the start */
  bool active;   /* else nothing touches */
  Expr friction; /* coefficient, of x and t; absent: 0 */
} ContactPhase;

typedef struct Obstacle {
  ObstacleKind kind;
  const Group *on; /* facets that may touch it */
  double at[3];    /* a point of the plane, of the axis; the center; the tip */
  double axis[3];  /* unit: normal of the plane, either way; direction of the axis, of a cone from its tip inwards */
  double radius, angle; /* angle: between the axis of a cone and its surface, radians */
  Expr move[3];         /* absent: 0 */
  Expr rotation;        /* by how many radians about `about` through `at`, which moves; absent: 0 */
  double about[3];      /* unit */
  bool slides;          /* normals and what is opposite are found anew where nodes are when a step begins */
  /* of a body: */
  const Group *body;   /* its facets */
  double reach;        /* nodes farther away at the start do not touch it; 0: the size of facets */
  bool fitted;         /* `interference` is how far the two overlap, wherever the mesh has them */
  double interference; /* it grows from `begun` to `grown`, times; < 0: the two are apart from the start */
  double begun, grown;
  int32_t n_phase;
  const ContactPhase *phase; /* borrowed, [n_phase] ascending, >= 1 */
  const char *where;         /* borrowed, "case.yaml:12:5" */
} Obstacle;

/* What holds in a step that ends at this time. */
const ContactPhase *obstacle_phase(const Obstacle *obstacle, double time);
/* Some phase has friction. */
bool obstacle_rubs(const Obstacle *obstacle);
/* How far it has moved. */
void obstacle_shift(const Obstacle *obstacle, double time, double shift[3]);
/* Where x is from `at`, which has moved. */
void obstacle_arm(const Obstacle *obstacle, double time, const double x[3], double arm[3]);
/* How far what lies there at time `found` comes by moving and turning: as it turns with the obstacle where surfaces slide, whose `found`
 * is near; else as that place of a body at rest is passed by. */
void obstacle_carry(const Obstacle *obstacle, double time, double found, const double arm[3], double shift[3]);
double obstacle_rotation(const Obstacle *obstacle, double time);
/* Turning moves its surface, not only along itself. */
bool obstacle_swings(const Obstacle *obstacle);
/* Its velocity and acceleration, by differences over a little of `span`. */
void obstacle_rates(const Obstacle *obstacle, double time, double span, double velocity[3], double acceleration[3]);

/* ERR_INPUT: it is nowhere at this time; a distance that is no number would leave nodes open without a word. */
Status obstacle_check(const Obstacle *obstacle, double time);
/* Distance from the surface at a time, > 0 outside of the solid, on the side of a plane that its normal points to, and its
 * gradient there. */
double obstacle_distance(const Obstacle *obstacle, double time, const double x[3], double gradient[3]);
/* How far it is from x to the surface along n; INFINITY: it is not there. */
double obstacle_gap(const Obstacle *obstacle, double time, const double x[3], const double n[3]);
bool obstacle_is_flat(const Obstacle *obstacle);
