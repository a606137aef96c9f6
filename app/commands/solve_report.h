/* Output of `sinew solve`: the summary, report.json and the solution in Matrix Market form. */
#pragma once
#include "core/status.h"
#include "solver/krylov/linear.h"

#include <stdbool.h>

typedef enum SolvePhase { SOLVE_READ, SOLVE_SETUP, SOLVE_PREPARE, SOLVE_SOLVE, SOLVE_WRITE, N_SOLVE_PHASES } SolvePhase;

typedef struct SolveReport {
  const char *matrix, *right_hand_side; /* borrowed paths; the second NULL: ones */
  const char *format, *precision;       /* borrowed */
  const char *solution;                 /* borrowed path of the file, once it is there */
  bool symmetric, on_gpu, converged;
  int32_t block;
  int64_t unknowns, entries, n_stored; /* entries: of the pattern, blocks filled up; n_stored: lines of the file */
  char device[128];
  double seconds[N_SOLVE_PHASES], total;
  size_t host_peak, device_peak;
  double bandwidth;     /* measured, bytes per second; 0: not measured */
  int32_t n;            /* right-hand sides solved or tried */
  LinearReport *column; /* owned, one each */
} SolveReport;

void solve_report_release(SolveReport *report);
/* path is that of report.json; message NULL or why it did not converge. */
Status solve_report_save(const SolveReport *report, const char *path, const char *message);
void solve_report_print(const SolveReport *report, const char *path);
/* x [columns][rows] as `array real general`, every digit kept; whole or not at all. ERR_IO with the path. */
Status solution_save(const char *path, int64_t rows, int64_t columns, const double *x);
