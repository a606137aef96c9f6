/* Cells and muscle in one run: two problems on one Exec. The body goes in steps of `time`, the cells between two of them in their own,
 * which are shorter; a step of the body that is cut does not run the cells again, since what drives the muscle is straight between the
 * two times. docs/theory/electromechanics.md. */
#pragma once
#include "app/elasticity/finite.h"
#include "app/monodomain/heart.h"
#include "physics/tension.h"
#include "solver/time/functional.h"

/* A body of muscle whose cells are in the same case. */
extern const Analysis coupled_analysis;

/* ---- case_coupled.c ---- */
/* As muscle_check, and the cells become a case of their own, Case.heart. */
void coupled_check(Case *c, Diagnostics *diagnostics);
void coupled_release(Case *c);
/* What the cells have as calcium, a state of their models in mM; tensions are told uM. */
#define CALCIUM "ca-i"
#define MICROMOLAR 1000
/* What the tensions of the case go by. */
TensionDrive coupled_drive(const Case *c);
/* The elements that cells live on, linear ones on the nodes of a body of order 2, and split as the case says, with trees, to be destroyed; NULL: those
 * of the body. Nodes of the body are the first ones; level[COUPLED_LEVELS]: the sources of others, to be released; NULL: not asked for. ERR_INPUT: there are
 * none. */
enum { COUPLED_LEVELS = 4 }; /* most of `refine` */
Status coupled_mesh(const Case *c, const Mesh *mesh, NodeSources *level, Mesh **out);

/* ---- coupled_cells.c ---- */
/* What drives the muscle at three of the times that the steps of the cells end at with those of the body, a step apart: before, at the
 * begin of a step of the body, and at its end. */
enum { DRIVE_BEFORE, DRIVE_BEGIN, DRIVE_END, N_DRIVES };
/* What comes back from the body; nothing where the case does not ask for it. */
typedef struct CoupledFeedback {
  Deformed *deformed; /* owned; NULL: the cells do not feel the body */
  bool conducts;
  double *open,
      *level; /* owned, on the Exec, [n_read]: channels that are open (monodomain_open); NULL: none are there */
} CoupledFeedback;
typedef struct CoupledCells {
  Run run; /* that of the body, with the case and a report of the cells; owns the report alone */
  RunReport report;
  Mesh *mesh; /* owned, of coupled_mesh; NULL: that of the body */
  int32_t n_level;
  NodeSources level[COUPLED_LEVELS]; /* owned: where nodes come from, each time that elements were split */
  CoupledFeedback feedback;
  int64_t n;   /* nodes of the body, which are the first of all vectors */
  Setup setup; /* owned */
  Heart heart; /* owned; exec NULL: not there yet */
  bool begun;  /* the cells have a state */
  TensionDrive by;
  double time[N_DRIVES];
  double *drive[N_DRIVES], *mixed, *work, *all; /* owned, on the Exec, [n_read] of the heart: uM or mV */
  Functional *leads;                            /* owned: of the potential; NULL: none */
  int64_t steps;                                /* of the cells */
  double seconds;
} CoupledCells;

/* Cells on the nodes of the body of a run that has its mesh, its device and the order of its nodes. */
Status coupled_cells_create(Run *run, const Setup *body, CoupledCells *out);
void coupled_cells_destroy(CoupledCells *cells);
/* Goes on to the end of the step of the body that `time` lies in; *drive [n_read], a view: what drives the muscle at that time. */
Status coupled_cells_drive(CoupledCells *cells, double time, const double **drive);
/* The body has come to this displacement, [nodes of the body][3] in the mesh's order on the Exec, in which the cells go on; where they feel it. */
Status coupled_cells_see(CoupledCells *cells, const double *moved);
/* ---- coupled_feedback.c, with the cells ---- */
Status feedback_create(CoupledCells *cells);
void feedback_destroy(CoupledCells *cells);
/* What electrodes see at that time, in the body as the mesh has it: [case_leads] on the Exec. */
Status coupled_cells_leads(CoupledCells *cells, double *room);
/* Field of the time of the last drive, in the mesh's order, on the Exec. */
Status coupled_cells_take(CoupledCells *cells, CellField field, double *room);
/* For checkpoints: bytes, to the host and from it. */
int64_t coupled_cells_state_bytes(const CoupledCells *cells);
Status coupled_cells_save(CoupledCells *cells, void *host);
Status coupled_cells_restore(CoupledCells *cells, const void *host);
