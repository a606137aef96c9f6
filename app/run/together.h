/* Points of a sweep that are solved as one, each with the setup of its own case, through the driver of one; then files of each. Most
 * physics take a mesh of as many copies. */
#pragma once
#include "app/run/run.h"
#include "app/setup/setup.h"

typedef struct TogetherPoint {
  Case *c;      /* owned, as folder is */
  char *folder; /* of its results */
  RunParams params;
  RunReport report; /* owned */
  Run run;          /* what its files are written by: device and mesh are borrowed, the folder is owned */
  Setup setup;      /* owned, of the one mesh */
  char *warned;     /* owned, [n_warned]: what its setup warns of (said.h) */
  int n_warned;
} TogetherPoint;

typedef struct Together {
  int32_t n;
  int32_t n_finished;   /* points behind those, with nothing but a case */
  TogetherPoint *point; /* owned */
  Mesh *mesh;           /* owned: of each, where run->mesh has the copies */
  int32_t n_failed;     /* points without a result: */
  Status failed;        /* why, of the first */
  char message[2048];
} Together;

/* Before a case is opened: a key in which points may differ. ERR_USAGE names the others. */
Status together_key(const Physics *physics, const char *key);
/* The mesh, in `run`, of which those of the points are views. With --resume points that are finished are dropped; none may be
 * left. */
Status together_load(Run *run, Together *all);
/* The same, then device, copies of the mesh, and setups and folders of all points, where any is left. */
Status together_begin(Run *run, Together *all);
/* Setup and folder of a point, on the device of `run`; like: of another point (Setup.like), or NULL. Then, around what makes its files,
 * its own warnings in the place of those of others: `said` is from the first. */
Status together_point_open(const Run *run, TogetherPoint *point, const Setup *like);
int together_point_says(const TogetherPoint *point);
void together_point_said(int said);
/* The files of n points that are solved, each by store(work, k) with its own warnings; one that fails is told, and left. */
Status together_points_store(Together *all, int32_t n, TogetherPoint *const *point,
                             Status (*store)(void *work, int32_t k), void *work);
/* Its files are closed; it may be released already. Its case stays to the end: what points share has views
 * of one. */
void together_point_release(TogetherPoint *point);
/* As run_pipeline, of all; without a report of the whole. */
Status together_run(Run *run, void *work, Status (*pipeline)(void *work), Status (*release)(void *work));
/* The report of a point says what that of all says, but for its own size; before its files are written. */
void together_tell(const Run *run, TogetherPoint *point);
/* report.json of a point, which says what that of all says until now; of each. */
Status together_point_save(const Run *run, TogetherPoint *point);
Status together_save(const Run *run, Together *all);
/* OK where the run goes on without this point, whose own run can tell more of it; at the end, that there are such. */
Status together_point_fail(Together *all, Status why, const TogetherPoint *point);
Status together_failures(const Together *all);
/* Between points, the files guarded: ERR_STOPPED where that was asked for, with `left` points to go. */
Status together_goes_on(const Run *run, int32_t left);
/* The files of all are closed, which is why this follows. Accepts a list that is not begun. */
void together_release(Together *all);
/* ERR_USAGE: `what` cannot be solved together. */
Status together_refuse(const char *what);
/* So many copies of a mesh as one (mesh/make/copies.h); the caller's. */
Status together_copies(const Mesh *mesh, int32_t n, Mesh **out);
/* An array of the nodes or solved elements of all from those of each, items of `size` bytes; to is new, the caller's. NULL where
 * the first has none. from[k] of point k. */
Status together_nodes(const Together *all, const void *const *from, size_t size, const char *what, void **to);
Status together_elements(const Together *all, const void *const *from, size_t size, const char *what, void **to);
/* The order of the nodes of all copies, NULL: that of the mesh; new. */
Status together_rank(const Together *all, int32_t **out);
