/* Directions of nodes in which the displacement is prescribed or not, as changes in the course of a run: those in which an
 * obstacle may be met. Nodes get frames of their own for them as for supports (support.h), with the supported directions
 * first; all blocks of the matrix at these nodes are among those that are turned, and may be eliminated. */
#pragma once
#include "assembly/space/space.h"

struct Supports;
typedef struct Toggles {
  int32_t n;
  int32_t *node;      /* owned, [n] ascending, of the mesh; one direction at a node */
  double (*d)[3];     /* owned: unit vectors in the global frame */
  int32_t *component; /* owned, from supports_create: of the node's own frame; -1: supports hold the node along d */
  double *along;      /* owned, likewise: the part of d in that component, which is all that supports leave of d */
  double (*unit)[3];  /* owned, likewise: the component as a vector over `along`: the force along d is unit . f */
  uint8_t *on;        /* owned: now */
  uint8_t *follows; /* owned: what is on is no prescribed value, but follows others by an equation (EquationSwitches) */
  /* u along d is seen as scale u(node) . d less the sum of weight u(other) . d over start[i] ... start[i + 1) */
  double *scale;  /* owned, 1 unless set */
  int64_t *start; /* owned, [n + 1], 0 unless set */
  int32_t *other; /* owned, NULL unless set, as weight; nodes of the mesh */
  double *weight;
  /* from toggles_upload, on the Exec, owned; in the solver's order */
  Exec *exec; /* borrowed */
  int32_t *exec_node, *exec_row, *exec_frame;
  uint8_t *exec_bit, *exec_on, *exec_which;
  double *exec_d, *exec_unit, *exec_along, *exec_goal, *exec_rate, *exec_seen, *exec_across, *exec_force;
  double *exec_scale, *exec_weight;
  int64_t *exec_start;
  int32_t *exec_other;
} Toggles;

/* Room for n of them. ERR_MEMORY; whatever comes, toggles_release follows. */
Status toggles_create(int32_t n, Toggles *out);
void toggles_release(Toggles *toggles);
Status toggles_upload(const Space *space, const struct Supports *supports, Toggles *toggles);
/* What is fixed of nodes, what the bound space eliminates and (NULL: nothing) what frames bear becomes that of `on`. */
Status toggles_hold(const Space *space, const struct Supports *supports, const Toggles *toggles, uint8_t *frame_bears);
/* seen[n][2] on the host: u along each direction, and the force along it of f (NULL: 0); both in the global frame. */
Status toggles_see(const Space *space, const Toggles *toggles, const double *u, const double *f, double *seen);
/* across[n][3] on the host: the rest of u of the last toggles_see, across the directions, in the global frame. */
Status toggles_across(const Space *space, const Toggles *toggles, double (*across)[3]);
/* force[n][3] on the host: f of the nodes in the global frame, 0 where there is no component. */
Status toggles_force(const Space *space, const Toggles *toggles, const double *f, double (*force)[3]);
/* Those that are on and do not follow: u, in the nodes' own frames, gets this displacement along them (host, [n]), where `seen` was the last. */
Status toggles_move(const Toggles *toggles, const double *goal, double *u);
/* Rates along the directions, host [2][n], 0 until then. */
Status toggles_rates(const Toggles *toggles, const double *rate);
/* Those that do not follow and are on, or are of `which` [n] (NULL: all that are on): v, in the nodes' own frames, gets so much of the first
 * and of the second rate in their components. */
Status toggles_stop(const Toggles *toggles, const uint8_t *which, double first, double second, double *v);
