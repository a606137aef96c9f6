/* Probes and sums of a heat run, for one time. */
#pragma once
#include "app/report/report.h"
#include "app/setup/setup.h"

/* On the host, in mesh order; NULL where no column needs it. */
typedef struct HeatState {
  double time;
  const double *temperature; /* [n_node] */
  const double (*flux)[3];   /* [n_solved] */
  const double *reaction;    /* [n_node] */
} HeatState;

/* Bits of DIFFUSION_FIELD_... that the case's fields, probes and sums need. */
unsigned heat_fields_needed(const Case *c);
/* heat_memory.c: what a run will take; nothing is allocated on the Exec. */
Status heat_memory(const Case *c, const Mesh *mesh, const Setup *setup, const Diffusion *diffusion, bool on_gpu,
                   int64_t mesh_bytes, MemoryPlan *plan);
/* Solves that a run in time is expected to have with one matrix, for the choice of a preconditioner. */
enum { HEAT_SOLVES = 100 };
/* heat_choice.c: what `preconditioner: auto` is for the steps of this case; else the one that is given. */
const char *heat_preconditioner(const Case *c, const Mesh *mesh, const Setup *setup);
/* Probes, then sums. */
Status heat_columns_fill(const Case *c, const Mesh *mesh, const Setup *setup, const HeatState *state, double *value);
