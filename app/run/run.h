/* The drivers: from a checked case to results. run.c holds what they share; run_elasticity.c is the one to read
 * first. */
#pragma once
#include "app/run/backend.h"
#include "app/input/physics.h"
#include "app/report/progress.h"
#include "app/report/report.h"
#include "core/comm.h"
#include "mesh/mesh.h"
#include "solver/time/stepper.h"

typedef struct RunParams {
  Backend backend;
  int threads;
  const char *folder; /* of the output */
  bool overwrite, resume, quiet, verbose;
  const char *from;  /* folder of the results whose state this run begins with; NULL: it begins as the case says */
  double from_time;  /* the checkpoint next to it; NAN: the newest */
  double begin;      /* on clock_seconds; 0: now */
  const char *again; /* the command that goes on with this run; NULL: there is none */
  struct Together *together; /* borrowed: the points that this run solves as one (together.h); NULL: it is one */
  struct Adapt *adapt;       /* borrowed: the passes that this run is one of (adapt.h); NULL: it is the only one */
  const char *sizes;         /* that its mesh follows (MeshParams); NULL: those of the geometry */
  bool trust;                /* scripts of meshes may start programs */
  Comm *comm;           /* borrowed; the ranks that run this case together, NULL: alone. Rank 0 prints and writes */
  int gpus;             /* of this host, for its ranks; 0: not known */
  int (*guard)(int on); /* NULL, or called with 1 before and 0 after files are written; answers whether a request
                                 * to stop is waiting */
} RunParams;

/* Runs the driver of the case's physics. The report is filled in as far as the run came, also when it fails; release
 * it. ERR_NUMERIC where the solver does not converge: report.json then says so. */
Status run_case(const Case *c, const RunParams *params, RunReport *report);

/* What every driver works with. */
typedef struct Run {
  const Case *c;
  const RunParams *params;
  RunReport *report;
  Progress progress;
  DeviceBegun *begun;          /* owned, until run_begin has the device */
  Device device;               /* open from run_begin on */
  Mesh *mesh;                  /* owned, from run_load_mesh on; the whole */
  uint64_t mesh_hash;          /* see run_mesh_hash */
  struct SumParts *parts;      /* owned: what sums over the unknowns are made of; NULL: of all rows */
  struct RunShare *share;      /* owned: what this rank works on (ranks.h); NULL: all of it */
  struct OutputFolder *folder; /* owned, held from run_begin on */
  void *receipt; /* owned, [n_receipt]: what is gone on with, where a checkpoint was found (output/receipt.h) */
  int64_t n_receipt;
  uint64_t state_kind;     /* hash of what a state is of, which another run may begin with; 0: none may */
  double start;            /* of the run, 0 but for one that takes over a state */
  bool published;          /* the result in the folder is this run's */
  bool no_room;            /* on the GPU, by the forecast or when it was taken */
  bool solving;            /* the solver was asked: a failure now leaves a report */
  struct Setup *rehearsed; /* borrowed: mesh, setup and device are given, little is solved and nothing written, since it
                              is what is allocated that counts (forecast.h); NULL: a run */
} Run;

/* A driver: run_case releases what is in `run`. One per line of physics.def. */
#define PHYSICS(name) Status run_##name(Run *run);
#include "app/input/physics.def"
#undef PHYSICS

/* ---- the steps that drivers share, in the order of a run ---- */
/* Mesh, setup and device, with the output folder, which is taken before long work. */
Status run_begin(Run *run, struct Setup *setup);
Status run_load_mesh(Run *run); /* once */
/* The device that is best for the mesh, and what the report says of it. */
Status run_choose_device(Run *run);
/* mesh_hash, which reads all of the mesh, found once. */
uint64_t run_mesh_hash(Run *run);
/* Refuses a GPU that is too small by a table (forecast.h), before long work; on the CPU nothing is planned. */
Status run_check_memory(Run *run, struct Setup *setup);
/* How a solve ended: in a rehearsal it need not converge. */
Status run_solved(const Run *run, Status status);
/* The mesh node of an equation at which the solver failed is named; nothing where it points at none. block: unknowns of
 * a node. */
void run_name_place(const Run *run, const struct Setup *setup, const LinearReport *linear, int32_t block);
/* Peaks of memory, and the bandwidth of the machine where the solve was long enough to compare with. */
void run_measure(Run *run);
void run_measure_memory(Run *run); /* the peaks alone */
/* Guards the files against signals: 1 before, 0 after. */
void run_guard(const Run *run, int on);
/* Inside the guard: was there a request to stop meanwhile? */
bool run_asked_to_stop(const Run *run);
/* Are files to be made beside the work of a GPU (output/file_maker.h), while the host has nothing to do? Compression is
 * a matter for all threads, and for them later. */
bool run_files_beside(const Run *run);
/* About how many steps a case in time has (Physics.steps); 0: it has none. */
double run_steps(const Case *c);
/* What is to be said of the steps of a run in time: a warning where the shortest step allowed was too long for the
 * tolerance. */
void run_note_steps(const Run *run, const StepControl *control);
/* The end of stepper_solve: its time is that of assembly and preconditioner, as the stepper's own clock has them, and
 * of the solve, which has the rest. */
void run_phase_solve(Run *run, const StepReport *report);
/* A driver's way from the mesh to the report: `pipeline`, then, with the files guarded, `release`, which closes them
 * (PHASE_WRITE), then the end of mesh and device, then report.json. The first failure is reported. */
Status run_pipeline(Run *run, void *work, Status (*pipeline)(void *work), Status (*release)(void *work));
/* The clock of a run in time as the case says; the times of `expect:` are hit exactly. *event: owned by the caller. */
Status run_step_control(const Case *c, StepControlParams *out, StepEvent **event);
/* What the block `solver:` says. */
Status linear_params_of_case(const Case *c, LinearParams *out);
