/* Inside of Conductor, shared by conductor.c and conductor_leads.c. */
#pragma once
#include "app/monodomain/conductor.h"
#include "mesh/view.h"
#include "solver/krylov/linear_record.h"
#include "solver/krylov/warm.h"
#include "solver/time/functional.h"

struct Conductor {
  Exec *exec;               /* borrowed */
  const Mesh *heart, *mesh; /* borrowed; the latter is the heart where there is no torso */
  int32_t *own_rank;        /* owned, [nodes of mesh]: as `rank`, of a torso */
  const int32_t *rank;      /* order of the nodes; NULL: the mesh's */
  const Case *c;            /* borrowed */
  Mesh view;                /* of mesh, with points where the potential is held */
  int32_t *held,
      n_held; /* owned: those nodes; one of any where it is known but for a constant, and none where a rank has it not */
  const ConductorShare *share; /* during create; NULL: nobody shares it */
  const SumParts *parts;       /* borrowed: what sums go over */
  int32_t zero;                /* the node whose potential is 0; -1: the mean is */
  bool grounded;               /* else they are that one */
  int32_t n_shock;             /* electrodes, and what each does while it is on, owned, on the Exec, [n_shock][n]: */
  double **current, **hold;    /* uA or what held nodes make of it; mV, NULL: no node of it is held */
  double *off;                 /* owned, on the Exec, [n_shock]: -1 while it is on, else 0 */
  double (*tensor)[6], (*intra)[6]; /* owned, during create */
  Diffusion *body, *sources;        /* owned: K, and K_i of the heart */
  Mat *a, *cells, *quick;           /* owned, as the next two; K_i, and its copy by conductor_near */
  LinearSolver *solver;
  PcgTally *tally; /* owned, on the Exec: of solves that no host looks at */
  Functional *spread,
      *pick; /* from rows of the heart to those of the torso and back; NULL: no torso; with trees the second all the same */
  int64_t n, n_heart, n_read; /* rows, and with a halo */
  int64_t solves, iterations;
  Warm *warm;                       /* owned: what a solve begins with; NULL: 0 */
  WarmNear near;                    /* V, of a bath 0, and what the potential is of it at most places; */
  double *V, *rest;                 /* owned, on the Exec: that, [n_read]; b of what is left of the potential, [n] */
  double *mass, *one, *b, *x, *sum; /* owned, on the Exec: [n_read] but for one number in sum */
};

/* The row of a node of heart and torso. */
static inline int64_t conductor_row(const Conductor *k, int32_t node) { return k->rank ? k->rank[node] : node; }
/* to = -K_i V */
Status conductor_cells(const Conductor *conductor, const double *V, double *to);
