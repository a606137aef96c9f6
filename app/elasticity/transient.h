/* Elasticity in time with inertia: between the driver and its results. */
#pragma once
#include "app/elasticity/elastic_run.h"
#include "app/elasticity/transient_modes.h"

/* ElasticRun.own; owned but for the motion that is stored. */
typedef struct TransientRun {
  Mat *m; /* mass, of modes; NULL: direct */
  ElasticOperators of;
  double *rest, *product; /* on the Exec, [n]: forces beside loads and products, and work space; NULL: supports move */
  double *velocity;       /* on the Exec, [n]: at the start */
  TransientModes *modes;  /* NULL: direct, */
  double *moving[3];      /* by modes: velocity, acceleration, displacement at the time that is stored, on the Exec */
  Bending bending;
} TransientRun;

/* analysis_transient.c: displacement of the run and velocity, on the Exec, as the case has them at the start; NULL: it has no
 * velocity. */
Status transient_start(ElasticRun *run, double **velocity);
/* rigid_start.c: part of it, of rigid groups of which something is prescribed; velocity NULL: load steps have none. */
Status rigid_start(ElasticRun *run, double **velocity);
