/* Supports of a case made into constraints of nodes.
 *
 * A node collects directions with prescribed displacement: axes from `fix`, normals from `symmetry`. Facet normals at a
 * node that lie within 30 degrees of the first one belong to one smooth surface and are averaged by area; farther apart
 * they are edges or corners and count separately. A direction within 0.05 rad of the span of those before it adds
 * nothing; its value must then agree. Where the constrained directions span coordinate axes the node keeps the global
 * frame, else it gets an orthonormal frame whose first components are the constrained ones. */
#pragma once
#include "assembly/elasticity/elasticity.h"

typedef struct Supports {
  int32_t n_node, dim;
  uint8_t *fixed;    /* owned, [n_node], bit c: component c in the node's frame is prescribed; all of an unused node */
  double *value;     /* owned, [n_node][dim], prescribed values in the node's frame, 0 elsewhere */
  int32_t *frame_of; /* owned, [n_node], -1: the global frame */
  int32_t n_frame;
  int32_t *frame_node; /* owned, [n_frame], ascending */
  double *frame;       /* owned, [n_frame][3][3], columns are the node's directions: u_global = R u */
  int64_t n_free;      /* scalar unknowns that are not prescribed */
  bool moved;          /* some prescribed value is not 0 */
} Supports;

/* used[n_node]: nodes of solved elements. ERR_INPUT: conflicts (both places, node, point), a group without nodes on the
 * body, symmetry on a group that has no normals, values that are not finite. */
Status supports_create(const ElasticityParams *params, int32_t dim, const uint8_t *used, Supports *out);
void supports_release(Supports *supports);
/* The constrained direction c of node i in the global frame; false when that component is free. */
bool supports_direction(const Supports *supports, int32_t i, int32_t c, double direction[3]);

/* ---- between support.c and support_directions.c ---- */
typedef struct Direction {
  int32_t node, support;
  double d[3];  /* unit vector */
  double value; /* displacement along it, */
  double error; /* and how far round-off may have it off */
} Direction;
typedef struct Directions {
  int64_t n, capacity;
  double largest;  /* |value| */
  Direction *item; /* owned, by node; within a node axes first, then normals, each in the order of the case */
} Directions;
/* Two values agree when they differ by no more than round-off: of themselves, of the largest value prescribed anywhere,
 * or of the expressions that they come from (`error`, the sum of both). */
bool support_values_agree(double difference, double size, double largest, double error);
/* How exact coordinates of a mesh are taken to be: they come from files and from CAD. */
double support_place_error(const Mesh *mesh);
Status directions_create(const ElasticityParams *params, int32_t dim, const uint8_t *used, Directions *out);
/* "case.yaml:9:5", or "support 3" when the case gives no place; text[64] is used for the latter. */
const char *support_place(const Support *support, int32_t index, char text[64]);
