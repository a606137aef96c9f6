/* A modal analysis under way: what its parts share. */
#pragma once
#include "app/elasticity/modal.h"
#include "app/elasticity/sector.h"
#include "assembly/elasticity/elasticity_mass.h"

/* Modes of a sector with nodal diameters, which come from bodies of their own (sector_modes.c). */
typedef struct SectorModes {
  bool asked;
  int64_t n_number; /* of a shape */
  double *shape;    /* owned, [modes][n_node][dim] of the mesh, global frame */
  ElasticFields stress;
} SectorModes;

typedef struct ModalRun {
  ElasticityMass *mass;
  LinearParams asked;    /* what the case says, */
  const char *preferred; /* the preconditioner that was taken for its "auto", */
  bool exact;            /* with all on its last level */
  Mat *m;                /* beside the stiffness */
  Mat *g;                /* geometric stiffness, or the stiffness with that; NULL: the body is under no stress */
  Mat *shifted;          /* for the preconditioner where motions are free; NULL: the stiffness is good for that */
  EigenSolver *solver;
  ModalOutput output;
  SectorModes sector;
  /* of one diameter: */
  const SectorPhase *phase;          /* NULL: of a body as it is */
  const ElasticFields *stress;       /* of the load; NULL: it is found, or there is none */
  int32_t diameter, n_sector, first; /* its first row of the report */
  double along[3];                   /* the axis */
} ModalRun;

/* Matrices and solver; all values, to the report; and away with what is there. */
Status modal_run_begin(ElasticRun *w);
Status modal_solve(ElasticRun *w);
Status modal_run_release(ElasticRun *w, Status status);

/* ---- sector_modes.c ---- */
/* Does the case have nodal diameters? */
bool sector_modes_asked(const ElasticRun *w);
Status sector_modes_begin(ElasticRun *w);
/* All of them, by frequency, to the report; the equation is from then on one without the cuts. */
Status sector_modes_solve(ElasticRun *w);
/* Shape i as a vector of that. */
Status sector_modes_vector(ElasticRun *w, int32_t i, double *u);
void sector_modes_release(SectorModes *modes);
