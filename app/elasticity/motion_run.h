/* Motion by Newton's method, between analysis_motion.c and its part of contact. */
#pragma once
#include "app/elasticity/finite.h"
#include "app/elasticity/transient.h"

/* ElasticRun.own, of which analysis_finite.c knows the first. */
typedef struct MotionRun {
  FiniteRun finite;
  ElasticOperators of;
  Status (*commit)(void *context, const Stage *stage, const double *u, const double *before); /* of load steps */
  double *velocity;       /* on the Exec, [n]: at the start */
  const double *external; /* view: loads, while what inertia leaves of them takes their place */
  double *force[2];       /* on the Exec, [n]: loads less inertia, for reactions, and a part of it */
  ElasticFields energy;   /* of the strain, at the time reached */
  double *hit[2];      /* on the Exec, [n]: -M of velocities lost to what is met, all of it and in the frames of nodes;
                           * NULL: nothing follows */
  double *swerve[2];   /* on the Exec, [n]: -M of accelerations of what follows surfaces that slide, likewise */
  bool swerves;        /* some node is accelerated so */
  double dt;           /* of the step under way */
  bool hits;           /* some node has been caught in this step */
  double *rub[2];      /* on the Exec, [n]: forces of friction at the beginning and the end of a step; NULL: none
                           * rubs */
  double (*rubbed)[3]; /* [contacts]: sums of the first, of obstacles; NULL: none that moves rubs */
  double *pressed[2][2]; /* on the Exec, [n]: pressed_find, at the beginning and the end of a step; NULL: no obstacle
                          * moves */
  bool presses;          /* the first is that of the step to come */
  double *carried[3];    /* on the Exec, [n]: carried_find; NULL: no obstacle moves */
  double strain;         /* energy at t = 0 */
  double given;          /* kinetic energy of velocities with which later steps began, until now */
  RunEnergies first;     /* at the start, or where the run was resumed */
  double most, drift,
      drift_at; /* the largest that an energy has been; how far their sum has been off since, and when */
} MotionRun;

/* ---- motion_impact.c ---- */
/* A step's sets are others: what is caught. And -M of that, in the global frame; NULL: nothing. */
Status motion_catch(ElasticRun *run);
static inline const double *motion_hits(const MotionRun *run) { return run->hits ? run->hit[0] : NULL; }
/* Forces of inertia of what swerves, in the global frame, likewise. */
static inline const double *motion_swerves(const MotionRun *run) { return run->swerves ? run->swerve[0] : NULL; }
/* all less what nodes that are held bore at the old end of a step, as far as that is seen at the new one, of which forces have that share;
 * part: room. And that of a step that begins. */
Status motion_borne_leave(ElasticRun *run, double share, double *part, double *all);
Status motion_bear_begin(ElasticRun *run);
/* What obstacles that move begin a step with. */
Status motion_press_begin(ElasticRun *run);
/* What inertia and dampers leave of forces now, in force[0], in the global frame. */
Status motion_inertia_find(ElasticRun *run);
/* `carried`, in the frames of nodes that there are. */
Status motion_carried_find(ElasticRun *run);
ImpactPart motion_impact(const ElasticRun *run);
Status motion_impact_begin(ElasticRun *run);
/* A step begins: what begins to be active in it lies in no body. */
Status motion_impact_next(ElasticRun *run);
/* A step without inertia has ended, or a run goes on. */
Status motion_impact_rest(ElasticRun *run);
void motion_impact_release(ElasticRun *run);
