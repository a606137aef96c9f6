/* Supports of a case made into constraints of nodes: prescribed values of the components of a space, which may depend
 * on x and t, for any physics.
 *
 * A node collects directions with a prescribed value: axes from the components, normals from `symmetry`. Facet normals
 * at a node that lie within 30 degrees of the first one belong to one smooth surface and are averaged by area; farther
 * apart they are edges or corners and count separately. A direction within 0.05 rad of the span of those before it adds
 * nothing; its value must then agree, at every time. Where the constrained directions span coordinate axes the node
 * keeps the global frame, else it gets an orthonormal frame whose first components are the constrained ones. */
#pragma once
#include "assembly/space/toggle.h"
#include "core/expr.h"

/* Values prescribed on a group: of components that are given, or with `symmetry` none along the outward normal of the
 * group's facets, in whatever direction that points. `where` names the case file line, for conflicts. */
typedef struct Support {
  const Group *on;
  bool symmetry;
  Expr value[3];     /* absent components are free */
  const char *where; /* borrowed, "case.yaml:12:5" */
} Support;

/* Two nodes that are one of a larger body, as on the cuts of a sector: u(node[0]) = rotation u(node[1]). Facets at the one are at the
 * other too, for normals of what runs across the cut, and elements, for stresses. A node on the axis is its own image. */
typedef struct SupportImage {
  int32_t node[2];
  double rotation[3][3];
} SupportImage;

typedef struct SupportParams {
  const Mesh *mesh;           /* outlives the supports */
  const Incidence *incidence; /* of the solved elements */
  const LocalMesh *local;     /* the mesh is a rank's: own nodes alone are looked at; NULL: alone */
  int32_t dim, n_component;   /* of elements; 1 to 3 at a node, as many as dim where there are normals */
  const char *const *name;    /* [n_component], static: "prescribed displacement x" */
  int32_t n;
  const Support *item; /* borrowed during _create only, as `image` */
  int32_t n_image;
  const SupportImage *image;
  double time, end;  /* first evaluated at `time`; end of the run in time, 0: not known */
  bool in_time;      /* agreement is looked at at other times too */
  bool axisymmetric; /* x is the radius: nodes at x = 0 stay there, since u_x / x is a strain */
  Toggles *toggles;  /* get their components, which are not fixed; NULL: there are none */
} SupportParams;

/* One direction with a prescribed value at a node. */
typedef struct Direction {
  int32_t node, support, component; /* component -1: the value along it is 0; support n_item: the axis x = 0 */
  double d[3];                      /* unit vector */
} Direction;
typedef struct Directions {
  int64_t n, capacity;
  Direction *item; /* owned, by node; within a node axes first, then normals, each in the order of the case */
} Directions;

/* On the host nodes are as the mesh numbers them. */
typedef struct Supports {
  const Mesh *mesh; /* borrowed */
  int32_t n_node, n_component, n_item;
  Support *item; /* owned, [n_item] copies */
  const char *const *name;
  uint8_t *fixed;    /* owned, [n_node], bit c: component c in the node's frame is prescribed; all of an unused node */
  int32_t *frame_of; /* owned, [n_node], -1: the global frame */
  int32_t n_frame, n_own_frame;
  int32_t *frame_node; /* owned, [n_frame], own nodes first, ascending */
  double *frame;       /* owned, [n_frame][3][3], columns are the node's directions: u_global = R u */
  int64_t n_free;      /* scalar unknowns that are not prescribed */
  bool moved, varies;  /* some value is not 0, some value depends on t */
  bool axisymmetric;   /* as it was given */
  /* prescribed nodes, ascending */
  int32_t n, n_value;
  int32_t *first;       /* owned, [n + 1] directions of each node, */
  int32_t *first_value; /* owned, [n + 1] and its values */
  int32_t *row;         /* owned, [n_value] component c of node i: i n_component + c; by node */
  double *value;        /* owned, [n_value] at `time`, in the node's frame */
  double time, place;   /* NAN: not evaluated; exactness of coordinates */
  Directions list;      /* item NULL, as first and first_value: nothing varies */
  double *at;           /* owned, [list.n] values of the directions */
  /* from supports_upload, in the solver's order, owned */
  Exec *exec;                /* borrowed */
  uint8_t *exec_fixed;       /* [n_node]; 0 at nodes with frames of their own */
  int32_t *exec_frame_node;  /* [n_frame] */
  uint8_t *exec_frame_fixed; /* [n_frame], and what obstacles hold */
  uint8_t *exec_frame_held;  /* [n_frame], without that */
  double *exec_frame;        /* [n_frame][3][3] */
  RowValues prescribed;
  double exec_time; /* of the values there */
} Supports;

/* ERR_INPUT: conflicts (both places, node, point, time), a group without nodes on the body, symmetry on a group that
 * has no normals, values that are not finite. */
Status supports_create(const SupportParams *params, Supports *out);
void supports_release(Supports *supports);
/* Values at a time. ERR_INPUT: not finite, or supports that contradict each other then. */
Status supports_evaluate(Supports *supports, double time);
/* Supports on the Exec of a finished space; ERR_MEMORY, and whatever comes, supports_release puts it away. What holds
 * nodes of the halo comes from their owners: collective where ranks share. */
Status supports_upload(const Space *space, Supports *supports);
/* v = the values at a time where they are prescribed, as it was elsewhere. Not recordable. ERR_INPUT as
 * supports_evaluate. */
Status supports_at_time(const Space *space, Supports *supports, double time, double *v);
/* A vector between the global frame and those of the nodes that have one, in place; to_global with the halo, to_local of
 * own nodes, and zero at supports there, or where obstacles hold alone. Recordable. */
Status supports_to_global(const Supports *supports, double *v);
Status supports_to_local(const Supports *supports, double *v);
Status supports_to_local_whole(const Supports *supports, double *v);
/* The constrained direction c of node i in the global frame; false when that component is free. */
bool supports_direction(const Supports *supports, int32_t i, int32_t c, double direction[3]);
/* Nodes with |x| below this share of the mesh's size lie on the axis of an axisymmetric model. */
#define AXIS_TOLERANCE 1e-9
/* "case.yaml:9:5", or "support 3" where the case gives no place; text[64] is used for the latter. */
const char *item_place(const char *where, const char *kind, int32_t index, char text[64]);

/* ---- support_directions.c ---- */
Status directions_create(const SupportParams *params, Directions *out);

/* ---- support_share.c ---- */
/* Fixed components and frames of the halo, from their owners. Collective. ERR_MEMORY. */
Status supports_share(const Space *space, Supports *supports);

/* ---- between support.c and support_values.c ---- */
/* The constraints of one node while they are collected: orthonormal directions and the value along each, with its
 * round-off. */
typedef struct Span {
  int n;
  double q[3][3], value[3], error[3];
} Span;
/* The span of the j-th prescribed node from the values of its directions at a time; the first direction that contradicts
 * those before it, or -1. */
int32_t supports_span(const Supports *supports, int32_t j, double time, double largest, Span *span);
/* Values of all directions at a time; the first that is not finite, or INT32_MAX, and the largest. */
int32_t supports_directions_at(const Supports *supports, double time, double *largest);
/* ERR_INPUT: the first conflicts at a time. */
Status supports_report(const Supports *supports, double time, double largest);
