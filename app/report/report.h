/* Results and statistics of a run: for the summary, report.json and the rows of `expect:`. */
#pragma once
#include "app/input/case.h"
#include "app/report/extreme.h"
#include "app/input/backend_kind.h"
#include "output/text.h"
#include "solver/krylov/linear.h"

/* From the start of the process to its end, every moment in one of them. START: the program, the case and the device;
 * MEASURE: the bandwidth of the memory; END: giving back memory and device. */
typedef enum Phase {
  PHASE_START,
  PHASE_MESH,
  PHASE_SETUP,
  PHASE_ASSEMBLY,
  PHASE_PREPARE,
  PHASE_SOLVE,
  PHASE_RECOVER,
  PHASE_WRITE,
  PHASE_MEASURE,
  PHASE_END,
  N_PHASES
} Phase;

/* The columns of probes.csv behind the time. */
enum { COLUMN_BYTES = 128 };
typedef struct Columns {
  int32_t n;
  char (*name)[COLUMN_BYTES]; /* owned */
  double *value;              /* owned */
} Columns;

/* What a rank had to do. */
typedef struct RankRow {
  int64_t nodes, halo, elements; /* own nodes, those of others that it reads, solved elements */
  int64_t neighbours;
  int64_t host_peak, device_peak; /* bytes */
  double wait;                    /* seconds for other ranks, but for those of a GPU */
  int64_t sent;                   /* bytes to other ranks, but for what GPUs send each other */
} RankRow;

/* The worst of load cases: names are views into the case. */
typedef struct RunEnvelope {
  const char *name, *field, *step; /* the step that governs there */
  double value, x[3];
} RunEnvelope;

/* A load case that was solved for. */
typedef struct RunLoadCase {
  const char *name;
  int64_t iterations;
  double true_residual, energy;
  Extremes extremes;
} RunLoadCase;

/* Of all steps of a run in time: the largest displacement and von Mises stress, and the smallest safety factor; its node, from 1, and 0
 * where there is none. */
enum { PEAK_SAFETY = 2, N_PEAKS };
typedef struct RunPeak {
  double value, time;
  int32_t place;
} RunPeak;

/* Of motion at finite strain; what dampers have taken and loads and supports have done, since the start. */
typedef struct RunEnergies {
  double kinetic, strain, dissipated, external;
} RunEnergies;

/* A load step of a run at finite strain. */
typedef struct RunLoadStep {
  double time, residual;
  int64_t newton, iterations;
  int32_t failed;
  double flow[2]; /* most plastic strain at a point, and turn of its direction; 0: none */
} RunLoadStep;

/* Cells beside a body, in steps of their own. */
typedef struct RunCells {
  int64_t steps;
  double step, seconds;
  const char *scheme; /* borrowed; NULL: not known */
} RunCells;

/* A surface that may touch an obstacle, in the end. */
typedef struct RunContact {
  const char *name;    /* view: of its group */
  int32_t n, n_closed; /* nodes */
  int32_t n_stick;     /* of the closed ones, by friction */
  const char *against; /* view: the group that it touches; NULL: an obstacle */
  double force[3];     /* of what it touches on the body */
  double penetration;
  double slid; /* between bodies: the largest way of a closed node along the other surface */
} RunContact;

/* A bolt in the end. */
typedef struct RunBolt {
  const char *name; /* view: of the group of its cut */
  double force, elongation;
  bool locked;
} RunBolt;

/* A natural mode, of unit modal mass, and how it goes with a shaken ground: for x, y, z. */
typedef struct ModeRow {
  double frequency, residual;            /* the former is the factor of the load where that buckles the body */
  double participation[3], effective[3]; /* effective mass: participation squared */
  int32_t diameter;                      /* nodal diameters, of a sector; 0: else too */
} ModeRow;

/* What a pass of `adapt:` found. */
typedef struct RunPass {
  int64_t unknowns;
  int32_t elements;
  double error;  /* estimated, in the energy norm, over that of the solution; of load cases the worst */
  double most;   /* largest von Mises stress, of all load cases */
  double probe;  /* that is asked for; NAN: none */
  double change; /* how far that is from the last pass, over itself; NAN: not known */
  double probe_error, probe_bound; /* of it, estimated by the dual solution, over itself; NAN: there was none */
  double seconds;
} RunPass;

typedef struct RunReport {
  double seconds[N_PHASES], total; /* the sum of the phases */
  int32_t n_node, n_element;       /* solved elements */
  int64_t unknowns, entries;       /* free scalars; entries of the matrix */
  char device[128];
  const char *precision, *format; /* borrowed from the case */
  const char *scheme;             /* in time, that was taken: borrowed, as a case has it; NULL: there is none */
  LinearReport linear;            /* of a run in time: sums over its steps, and the last one's residual */
  bool converged, stopped;
  bool finished_before;          /* nothing was done: the folder holds the whole result */
  uint64_t case_hash, mesh_hash; /* by which --resume knows the run; 0: not known yet */
  bool has_energy;
  Extremes extremes;
  RunPeak peak[N_PEAKS];
  double energy; /* total strain energy */
  bool has_energies;
  RunEnergies energies;
  int64_t forced;                   /* steps that were the shortest allowed and too long for the tolerance */
  int64_t steps, rejected, rebuilt; /* of a run in time: accepted, tried in vain, matrices built; else 0 */
  int64_t steps_before,
      iterations_before; /* of them done before this run was resumed: the clocks know nothing of those */
  double time;           /* reached, or the last frequency; 0 in statics */
  struct {               /* of a heart, and of finite strain */
    int64_t newton;      /* Newton steps, of all trials */
    int32_t stages;      /* explicit, of a step of full length; 0: steps are solved */
    int64_t n_raised;    /* nodes of poor elements with a larger mass, and what that adds to all of it */
    double added;
    double last_step;  /* length of the last step */
    double real_time;  /* simulated over spent time, in the same unit */
    int32_t filaments; /* at the last time, where they are asked for */
    double reentry;    /* ms, that one of them lives */
    const char *lead;  /* view into the case: the first with intervals, ms: QRS, T peak, QT; NULL: none has */
    double interval[3];
    int64_t lead_solves, lead_iterations, outside_solves,
        outside_iterations;               /* in a torso; potentials outside of cells */
    double lead_seconds, outside_seconds; /* the former with the solver's set-up */
  } heart;
  RunCells cells;
  struct {            /* of a modal analysis */
    int32_t n, rigid; /* elastic modes, and rigid motions beside them */
    bool waves;       /* of a sector, with nodal diameters */
    double mass;      /* of the body */
    ModeRow *row;     /* owned, [n] */
  } modes;
  size_t host_peak, exec_peak; /* bytes; exec_peak is the GPU's, or part of host_peak on the CPU */
  bool on_gpu;
  double bandwidth; /* measured, bytes per second; 0: not measured */
  Columns columns;
  int32_t n_rank;  /* 0: one alone */
  RankRow *rank;   /* owned, [n_rank] */
  double *at_time; /* owned, [rows of expect:], values of those that name a time, a frequency or a load case; NULL: none
                      does */
  int32_t n_load_case, n_envelope;
  RunLoadCase *load_case; /* owned, [n_load_case]: load cases and combinations, steps 1, 2 ... */
  RunEnvelope *envelope;  /* owned, [n_envelope] */
  int32_t n_contact;
  RunContact *contact;                      /* owned, [n_contact] */
  int64_t contact_updates, contact_changes; /* of sets, since the run was resumed, and nodes that they changed */
  int32_t n_bolt;
  RunBolt *bolt; /* owned, [n_bolt] */
  int32_t n_pass;
  RunPass *pass;      /* owned, [n_pass] */
  double *pass_value; /* owned, [n_pass][columns.n]: what the columns had at the end of each */
  int32_t n_load_step, load_step_room;
  RunLoadStep *load_step; /* owned: since the run was resumed */
} RunReport;

void report_release(RunReport *report);
const char *phase_name(Phase phase); /* "mesh", "setup" ... */
/* The files that report.json knows the size of: results.hdf, probes.csv. */
enum { RESULT_FILES = 2 };
const char *result_file_name(int i);
/* Appends the name of the file of output.tables, which is that of the case. */
void report_tables_name(const Case *c, Text *out);
/* What report.json says while the run goes on; owned by the caller. ERR_MEMORY. */
Status report_running(const RunReport *report, const Case *c, char **out);
/* folder/report.json. ERR_IO, ERR_MEMORY. */
Status report_save(const RunReport *report, const Case *c, const char *folder, const char *message);
/* Share of the measured memory bandwidth that the solver's iterations reached; 0 when it was not measured. */
double report_bandwidth_share(const RunReport *report);
/* Of a run in time, since it was resumed and writing not counted; 0 in statics. */
double report_steps_per_second(const RunReport *report);
/* How far a run in time came, for Physics.save_steps and .print_steps. */
struct Json;
void report_save_steps(const RunReport *report, struct Json *json);
void report_print_steps(const RunReport *report, const Case *c);
/* The end of a run, on stdout, with units where the case names them; verbose: with the bounds of the spectrum. */
void report_print(const RunReport *report, const Case *c, const char *folder, bool verbose);
/* Measures what memory of this Exec delivers, in bytes per second: a vector added to another, a few times. 0 where
 * there is no room. */
struct Exec;
double measure_bandwidth(struct Exec *exec);
/* Whether a share of the bandwidth says anything. One beyond 1 does not: the data are in caches, or the measurement was
 * disturbed. */
bool bandwidth_share_holds(double share);

/* "0.2.0" and the commit that this was built from. */
const char *sinew_version(void);
const char *sinew_commit(void);
