/* What a Diffusion object holds. For the files of assembly/ only. */
#pragma once
#include "assembly/diffusion/diffusion.h"
#include "assembly/diffusion/rows.h"
#include "assembly/elasticity/load.h"
#include "assembly/space/space.h"

/* What diffusion adds to a block of solved elements on the Exec, owned. */
typedef struct DiffusionTables {
  int32_t lumping;   /* what `lumped` means in this element */
  double *tensor;    /* [n][6] */
  double *capacity;  /* [n]; NULL: 1 */
  double *thickness; /* [n]; NULL: 1 */
} DiffusionTables;

/* Prescribed values. Host arrays owned, in mesh order; list entries ascending by mesh node. */
typedef struct DiffusionSupports {
  int32_t n, n_varying; /* prescribed nodes; supports whose value depends on t */
  int64_t n_free;
  uint8_t *fixed;          /* [n_node] 1: prescribed or without elements */
  int32_t *node, *support; /* [n] mesh node, index into item */
  double *value;           /* [n] at `time` */
  double time;
  int32_t n_item;
  DiffusionSupport *item;  /* [n_item] copies */
  double place;            /* exactness of coordinates, support.h */
  int32_t n_shared;        /* entries of the list whose value in time another support at the node must agree with */
  int32_t *shared, *rival; /* [n_shared] index into the list, into item */
} DiffusionSupports;

/* Loads that depend on t, as points where an expression is evaluated and nodes that take shares of the points. */
typedef struct TimedPoint {
  double x[3], factor; /* film coefficient, or 1 */
  int32_t load;
} TimedPoint;
typedef struct TimedShare {
  int32_t node, point; /* mesh node */
  double weight;       /* N_a dA */
} TimedShare;
typedef struct DiffusionLoads {
  double *force; /* owned, [n_node], mesh order: what does not depend on t */
  int64_t n_point, n_share, point_capacity, share_capacity;
  TimedPoint *point; /* owned */
  TimedShare *share; /* owned, by node when ready */
  double *at_point;  /* owned, [n_point] */
  int32_t n_touched;
  int64_t *start;  /* owned, [n_touched + 1] into share */
  double *at_node; /* owned, [n_touched] */
  int32_t n_item;
  DiffusionLoad *item; /* owned copies */
  int32_t n_film;
  SpringBlock film[N_ELEMENT_KINDS]; /* owned; kappa [n][pairs] */
} DiffusionLoads;

struct Diffusion {
  Space *space; /* owned, one component */
  bool lumped;
  double time; /* of diffusion_initial */
  /* host, owned, in the mesh's order */
  DiffusionSupports supports;
  DiffusionLoads loads;
  /* on the Exec, owned; all in the solver's order */
  DiffusionTables table[ELEMENT_SET_BLOCKS];
  double *force;         /* [n_node] what does not depend on t */
  uint8_t *fixed;        /* [n_node] */
  int32_t *support_node; /* [supports.n] */
  double *support_value; /* [supports.n] */
  int32_t *touched_node; /* [loads.n_touched] */
  double *touched_value; /* [loads.n_touched] */
};

/* ---- diffusion_check.c ---- */
Status diffusion_check_mesh(const Mesh *mesh);
Status diffusion_check_params(const DiffusionParams *params, const ElementSet *set);
/* ERR_INPUT: a part of the body without support and convection. */
Status diffusion_check_held(const Diffusion *p);
/* ---- diffusion_support.c ---- */
Status diffusion_supports_create(const DiffusionParams *params, const Incidence *incidence, DiffusionSupports *out);
void diffusion_supports_release(DiffusionSupports *supports);
/* Evaluates all values at a time. ERR_INPUT: not finite. */
Status diffusion_supports_evaluate(const Mesh *mesh, DiffusionSupports *supports, double time);
/* ---- diffusion_load.c ---- */
Status diffusion_loads_create(const DiffusionParams *params, const ElementSet *set, const Incidence *incidence,
                              DiffusionLoads *out);
void diffusion_loads_release(DiffusionLoads *loads);
/* ---- diffusion_timed.c ---- */
Status timed_point_add(DiffusionLoads *loads, TimedPoint point);
Status timed_share_add(DiffusionLoads *loads, TimedShare share);
/* Sorts the shares by node and allocates what evaluating takes. */
Status timed_finish(DiffusionLoads *loads, int32_t n_node);
/* at_node at a time. ERR_INPUT: not finite. */
Status timed_evaluate(DiffusionLoads *loads, double time);
/* ERR_INPUT: a load's value (or its ambient) is not finite. */
Status diffusion_finite(const DiffusionLoad *load, int32_t index, const char *what, double value, const double x[3],
                        double time);
/* "case.yaml:9:5", or "load 3"; text[64] is used for the latter. */
const char *diffusion_place(const char *where, const char *kind, int32_t index, char text[64]);
/* ---- diffusion_tables.c ---- */
Status diffusion_upload(Diffusion *p, const DiffusionParams *params);
void diffusion_release_tables(Diffusion *p);
/* ---- diffusion_apply.c ---- */
/* Block k of a space for kernels of one scalar per node: geometry, mass rule, and where vectors lie. */
DiffusionArgs diffusion_space_args(const Space *space, int32_t k);
/* The same with all that a diffusion problem has. */
DiffusionArgs diffusion_args(const Diffusion *p, int32_t k);
