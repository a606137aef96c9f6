/* Groups of nodes that move as a rigid body and turn as far as they are turned: u = point + R (x - at) - x. Point and rotation
 * follow from n_slot unknowns of nodes of the group and from what is prescribed, solved for wherever displacements are; with
 * small changes of these unknowns the others go by factors that are renewed there, as those of the equations which the
 * group has for its pattern (equations.h). A force at the point and a moment about it are forces on these unknowns that do
 * the same work. docs/theory/finite-strain.md. */
#pragma once
#include "assembly/space/rigid_group_rows.h"
#include "assembly/space/space.h"
#include "core/expr.h"

/* Force, then moment, times a share of t. */
typedef struct RigidLoad {
  double force[6];
  Expr share;
} RigidLoad;

/* Equations [first, first + n) of a list are those of its unknowns that depend: one term of these each, then one for each slot,
 * in their order, with factors other than 0. */
typedef struct RigidParams {
  RigidGroup group; /* slots are node n_component + component of the mesh */
  int32_t first, n;
  int32_t number; /* among those of all ranks */
  int32_t hub[3]; /* nodes of which slots are, so many as the group has dimensions */
  Expr value[6];  /* in t, of what is prescribed: displacement of the point and rotation vector (radians) */
  int32_t n_load;
  RigidLoad *load;   /* owned by whoever made it */
  const char *where; /* borrowed */
} RigidParams;

/* Its turn is found from displacements, and not that of small angles. */
static inline bool rigid_goes_along(const RigidGroup *g) {
  return !g->small && g->n_slot > 0 && rigid_rotations_held(g) < rigid_rotations(g);
}

/* On the Exec, of all groups. */
typedef struct RigidGroups {
  int32_t n, n_row;
  int64_t n_term;
  bool loaded;
  bool small;              /* for now all turn by small angles */
  const RigidParams *item; /* borrowed, [n] */
  RigidActs *acts;         /* host, owned, [n] */
  Exec *exec;              /* borrowed */
  RigidGroup *group;
  RigidActs *exec_acts;
  RigidPlace *place;
  RigidRow *row;      /* those of each group one after the other */
  int32_t *row_start; /* host, [n + 1] */
  RigidTerm *term;
  RigidHub *hub;    /* [n]; NULL: there are no loads */
  double *external; /* [n_read]: loads with those of groups, also on slots of other ranks; NULL: they have none */
  double *rest;     /* [n_read]: those without, */
  bool keeps;       /* rigid_groups_keep was asked for; then */
  double *kept; /* [n_read]: what unknowns of groups keep (equations_reduce_others); NULL: there are no groups here */
  const double *base; /* which this is once there are some */
  int64_t n_dof, n_read;
  int64_t n_pair; /* of slots of groups that turn by any angle */
  RigidPair *pair;
  double (*bend)[RIGID_BENDS]; /* [n] */
} RigidGroups;

/* From lists on the host: rows, by ascending group, with the mesh's unknowns, which become the solver's. */
Status rigid_groups_create(const Space *space, int32_t n, const RigidParams *item, int32_t n_row, const RigidRow *row,
                           int64_t n_term, const RigidTerm *term, RigidGroups *out);
void rigid_groups_release(RigidGroups *groups);
/* What acts at a time; *external: loads, which become those with the groups'; NULL: they stay. ERR_INPUT: it is not finite. */
Status rigid_groups_at_time(RigidGroups *groups, double time, const double **external);
/* The same of other loads at that time. */
Status rigid_groups_load(RigidGroups *groups, const double **external);
/* Reactions raw [n_dof], global frame, become those to force and moment of groups of which a part is prescribed. Recordable. */
Status rigid_groups_bear(const RigidGroups *groups, double *raw);
/* Where pairs of slots are in the matrix of this pattern; then what forces f, raw [n_dof] in the global frame, do to moments as groups
 * turn goes there, with `target` as of Equations. The second recordable. */
Status rigid_groups_pairs(const Space *space, const Pattern *pattern, RigidGroups *groups);
Status rigid_groups_bend(const RigidGroups *groups, const double *f, const int64_t *target, double *values);
/* Bases of the list, which have changed, to the Exec. */
Status rigid_groups_renew(const Space *space, RigidGroups *groups);
/* From now on all turn by small angles, from no base, or as `item` says. */
Status rigid_groups_set_small(const Space *space, bool small, RigidGroups *groups);
/* From now on there is `kept`. And unknowns of groups, those that depend and slots, become what they are in `from`. Recordable. */
Status rigid_groups_keep(RigidGroups *groups);
Status rigid_groups_take(const RigidGroups *groups, const double *from, double *to);
/* force [3] gets the force of a group at a time. ERR_INPUT: it is not finite. */
Status rigid_group_force(const RigidParams *params, double time, double force[3]);
/* Which slot an unknown of the mesh is; -1: none. */
int32_t rigid_slot(const RigidGroup *group, int32_t unknown);
/* Forces, moments or motions other than 0 at some time. */
bool rigid_group_acts(const RigidParams *params);
