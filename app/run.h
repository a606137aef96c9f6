/* The drivers: from a checked case to results. */
#pragma once
#include "app/backend.h"
#include "app/case.h"
#include "app/report.h"

typedef struct RunParams {
  Backend backend;
  int threads;
  const char *folder;           /* of the output */
  bool overwrite, resume, quiet, verbose;
  void (*guard)(int on);        /* NULL, or called with 1 before and 0 after files are written */
} RunParams;

/* Elasticity. The report is filled in as far as the run came, also when it fails; release it. ERR_NUMERIC where the solver
 * does not converge: report.json then says so and no result is written. */
Status run_elasticity(const Case *c, const RunParams *params, RunReport *report);
