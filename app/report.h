/* What a run found out about itself: for the summary, for report.json and for the rows of `expect:`. */
#pragma once
#include "app/case.h"
#include "app/options.h"
#include "solver/newton.h"

typedef enum Phase {
  PHASE_MESH, PHASE_SETUP, PHASE_ASSEMBLY, PHASE_PREPARE, PHASE_SOLVE, PHASE_RECOVER, PHASE_WRITE, N_PHASES
} Phase;

/* The columns of probes.csv behind the time. */
enum { COLUMN_BYTES = 128 };
typedef struct Columns {
  int32_t n;
  char (*name)[COLUMN_BYTES]; /* owned */
  double *value;              /* owned */
} Columns;

typedef struct RunReport {
  double seconds[N_PHASES], total;
  int32_t n_node, n_element;         /* solved elements */
  int64_t unknowns, entries;         /* free scalars; entries of the matrix */
  char device[128];
  const char *precision, *format;    /* borrowed from the case */
  NewtonReport newton;
  bool converged;
  double energy;                     /* total strain energy */
  size_t host_peak, exec_peak;       /* bytes; exec_peak is the GPU's, or part of host_peak on the CPU */
  bool on_gpu;
  double bandwidth;                  /* measured, bytes per second; 0: not measured */
  Columns columns;
} RunReport;

void report_release(RunReport *report);
const char *phase_name(Phase phase); /* "mesh", "setup" ... */
/* folder/report.json. ERR_IO, ERR_MEMORY. */
Status report_save(const RunReport *report, const Case *c, const char *folder, const char *message);
/* Share of the measured memory bandwidth that the solver's iterations reached; 0 when it was not measured. */
double report_bandwidth_share(const RunReport *report);
/* The end of a run, on stdout. */
void report_print(const RunReport *report, const char *folder);
/* Measures what memory of this Exec delivers, in bytes per second: a vector added to another, a few times. 0 where there is
 * no room. */
struct Exec;
double measure_bandwidth(struct Exec *exec);

double clock_seconds(void); /* steady, from some start */
/* "0.1.0" and the commit that this was built from. */
const char *sinew_version(void);
const char *sinew_commit(void);
