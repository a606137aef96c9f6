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
} TogetherPoint;

typedef struct Together {
  int32_t n;
  TogetherPoint *point; /* owned */
  Mesh *mesh;           /* owned: of each, where run->mesh has the copies */
} Together;

/* Before a case is opened: a key in which points may differ. ERR_USAGE names the others. */
Status together_key(const Physics *physics, const char *key);
/* The mesh, in `run`, of which those of the points are views. With --resume points that are finished are dropped; none may be
 * left. */
Status together_load(Run *run, Together *all);
/* The same, then device, copies of the mesh, and setups and folders of all points, where any is left. */
Status together_begin(Run *run, Together *all);
/* Setup and folder of a point, on the device of `run`; like: of another point (Setup.like), or NULL. */
Status together_point_open(const Run *run, TogetherPoint *point, const Setup *like);
/* Its files are closed; it may be released already. */
void together_point_release(TogetherPoint *point);
/* As run_pipeline, of all; without a report of the whole. */
Status together_run(Run *run, void *work, Status (*pipeline)(void *work), Status (*release)(void *work));
/* The report of a point says what that of all says, but for its own size; before its files are written. */
void together_tell(const Run *run, TogetherPoint *point);
/* report.json of each. */
Status together_save(const Run *run, Together *all);
/* The files of all are closed, which is why this follows. Accepts a list that is not begun. */
void together_release(Together *all);
/* ERR_USAGE: `what` cannot be solved together. */
Status together_refuse(const char *what);
/* An array of the nodes or solved elements of all from those of each, items of `size` bytes; to is new, the caller's. NULL where
 * the first has none. from[k] of point k. */
Status together_nodes(const Together *all, const void *const *from, size_t size, const char *what, void **to);
Status together_elements(const Together *all, const void *const *from, size_t size, const char *what, void **to);
/* The order of the nodes of all copies, NULL: that of the mesh; new. */
Status together_rank(const Together *all, int32_t **out);
