/* Elasticity in time with inertia: between the driver and its results. */
#pragma once
#include "app/elasticity/elastic_run.h"
#include "app/elasticity/transient_modes.h"

/* ElasticRun.own; owned but for the motion that is stored. */
typedef struct TransientRun {
  Mat *m; /* mass, of modes; NULL: direct */
  ElasticOperators of;
  double *velocity;        /* on the Exec, [n]: at the start */
  TransientModes *modes;   /* NULL: direct, */
  double *moving[3];       /* by modes: velocity, acceleration, displacement at the time that is stored, on the Exec */
  ElasticFields motion[2]; /* what is recovered of velocity and of acceleration */
  ElasticSpread spread;
  Bending bending;
} TransientRun;

/* run_transient_output.c: results.hdf, probes.csv, and the rows of `expect:` that name a time; or those of the run that is
 * resumed go on. */
Status transient_output_create(ElasticRun *run);
/* One stored time: displacement, velocity and acceleration, on the Exec. */
Status transient_output_store(ElasticRun *run, const double *const u[3]);
/* good: the files are closed. */
void transient_output_release(ElasticRun *run, bool good);
