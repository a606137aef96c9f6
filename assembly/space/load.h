/* Loads on the boundary and in the body of any physics: consistent nodal vectors, which may depend on t, and facet
 * matrices of springs and convection. */
#pragma once
#include "assembly/space/space.h"
#include "core/expr.h"

/* What values mean: loads.def. Coefficients may depend on x, ambient values on x and t; absent, an ambient value is 0. In 2D
 * all but FORCE are multiplied by thickness. */
typedef enum LoadKind {
#define LOAD(kind, ...) LOAD_##kind,
#include "assembly/space/loads.def"
#undef LOAD
} LoadKind;
typedef struct Load {
  LoadKind kind;
  const Group *on;
  Expr value[3], ambient[3];
  bool known;        /* of CAVITY: value[0] is its pressure, and the volume follows */
  bool lid;          /* of CAVITY: free rims have lids, whose forces they carry */
  bool along_normal; /* of a coefficient: value[0] is that along the normal, all there is */
  double total;      /* of FORCE: the measure of the group that `on` is a part of; 0: `on` is all of it */
  const char *where; /* borrowed, "case.yaml:12:5" */
} Load;

/* A number of each solved element: value[index[e]], value[e] where index is NULL; value NULL: 1. */
typedef struct ElementNumber {
  const double *value;
  const int32_t *index;
} ElementNumber;

/* Masses that elements do not have: node a takes m times the acceleration of node b; both ways where they differ. */
typedef struct MassPair {
  int32_t a, b;
  double m;
} MassPair;
/* A body whose motion follows from that of up to three nodes: M of all their components, [n_node * n_component] squared by rows,
 * and the force on them per acceleration of its point. */
enum { MASS_NODES = 3, MASS_ROWS = 9 };
typedef struct MassBody {
  int32_t n_node, node[MASS_NODES];
  double mass, at[3], inertia[6]; /* about its point, xx yy zz xy yz xz */
  double M[MASS_ROWS * MASS_ROWS], force[MASS_ROWS][3];
} MassBody;
typedef struct Inertia {
  int64_t n;
  MassPair *pair; /* owned */
  int32_t n_body;
  MassBody *body; /* owned */
} Inertia;
/* A spring between two nodes, or one (the other is -1) and the ground, and a dashpot: of the symmetric block xx yy zz xy xz yz, in 2D xx yy xy. */
typedef struct Joint {
  int32_t node[2];
  double stiffness[6], viscosity[6];
} Joint;

typedef struct LoadParams {
  const Mesh *mesh;
  const ElementSet *set; /* of the solved elements, and */
  const Incidence *incidence;
  const LocalMesh *local; /* the mesh is a rank's: own nodes alone matter; NULL: alone */
  int32_t n_component;
  int32_t n;
  const Load *item; /* borrowed during _create only */
  ElementNumber thickness, density;
  bool axisymmetric; /* x is the radius: all but FORCE are taken around the circle, FORCE is its total */
  double time;
  Inertia *
      inertia; /* of loads that these replace, which takes it over and has no matrices; NULL: that of MASS among the items
                       and of these, borrowed during _create only */
  int32_t n_body, n_joint;
  const MassBody *body;
  const Joint *joint;
} LoadParams;

/* Loads that depend on t, as points where expressions are evaluated and nodes that take shares of the points. */
typedef struct LoadPoint {
  double x[3], direction[3], factor;
  int32_t load;
} LoadPoint;
typedef struct LoadShare {
  int32_t node, point;
  double weight;
} LoadShare;

/* On the host nodes are as the mesh numbers them. */
typedef struct Loads {
  int32_t n_component, n_item;
  Load *item;    /* owned, [n_item] copies */
  double *force; /* owned, [n_node][n_component], global frame: what does not depend on t */
  Inertia inertia;
  bool any; /* some load has a value other than 0, or one that depends on t */
  int64_t n_point, n_share, point_capacity, share_capacity;
  LoadPoint *point;  /* owned */
  LoadShare *share;  /* owned, by node when ready */
  double *at_point;  /* owned, [n_point][n_component] */
  int32_t n_touched; /* nodes that have shares */
  int64_t *start;    /* owned, [n_touched + 1] into share */
  double *at_node;   /* owned, [n_touched][n_component] at the time last evaluated */
  int32_t n_spring;
  SpringBlock spring[2 * N_ELEMENT_KINDS]; /* owned; n_follower with points follow */
  int32_t n_follower;
  bool follower_timed;
  /* from loads_upload, in the solver's order */
  Exec *exec;         /* borrowed */
  int64_t n_row;      /* of all nodes, */
  double *exec_force; /* owned, [n_row]; those of own nodes are right */
  RowValues timed;
} Loads;

/* Evaluated at params.time. ERR_INPUT: a group of the wrong dimension (what it is, what is allowed), a facet that is
 * not on the body, pressure on a facet between two elements, gravity without density, a coefficient that is negative or
 * depends on t, values that are not finite. */
Status loads_create(const LoadParams *params, Loads *out);
void loads_release(Loads *loads);
/* Of the masses in the blocks, once they are filled in, and of bodies. ERR_MEMORY. */
Status inertia_create(const LoadParams *params, Loads *loads);
/* Blocks of bodies and of springs between nodes, behind those of facets. ERR_MEMORY. */
Status joints_create(const LoadParams *params, Loads *loads);
/* Whether node b of a pair lies on an element of the group: on the first solved one at it, so that groups that meet there do not
 * both have it. */
bool inertia_on(const ElementSet *set, const Incidence *incidence, const Group *on, int32_t node);
/* What FORCE is spread over, the measure of its group; 0 for other kinds. */
Status load_total(const Mesh *mesh, const Load *load, bool axisymmetric, double *out);
/* "traction", the word of the case file. */
const char *load_name(LoadKind kind);
/* Whether it is a coefficient of a matrix, as springs are, which is no load in itself. */
bool load_is_coefficient(LoadKind kind);
/* Nodal values on the Exec of a finished space; ERR_MEMORY, and whatever comes, loads_release puts it away. */
Status loads_upload(const Space *space, Loads *loads);
/* f[n_dof] at a time. Not recordable where loads depend on t. ERR_INPUT: not finite. */
Status loads_at_time(const Space *space, Loads *loads, double time, double *f);
/* Pressures at the points of block n_spring + k at a time, [n][n_q], times what a point's share of a normal is to be
 * multiplied with to be the force of the body on what presses; 0 in cavities. ERR_INPUT: not finite. */
Status loads_follow(const Loads *loads, int32_t k, double time, double *pressure);
/* The same where there is a pressure of 1 in that cavity and 0 elsewhere. */
void loads_in_cavity(const Loads *loads, int32_t k, int32_t cavity, double *pressure);
/* Loads of that kind, and the one that is cavity number i. */
int32_t loads_cavities(const Loads *loads);
const Load *loads_cavity(const Loads *loads, int32_t i);
/* at_node at a time. ERR_INPUT: not finite. */
Status loads_evaluate(Loads *loads, double time);
/* The vector's components added up over all nodes, at the time last evaluated. */
void loads_total(const Loads *loads, int32_t n_node, double total[3]);

/* ---- between load.c and load_points.c ---- */
/* Value c of a load at a point, the ambient one where it has coefficients; load_value: ERR_INPUT where not finite. */
double load_expression(const Loads *loads, int32_t load, int32_t c, const double x[3], double time);
Status load_value(const Loads *loads, int32_t load, int32_t c, const double x[3], double time, double *out);
Status load_point_add(Loads *loads, LoadPoint point);
Status load_share_add(Loads *loads, LoadShare share);
/* Sorts the shares by node and allocates what evaluating takes. */
Status load_points_finish(Loads *loads, int32_t n_node);
