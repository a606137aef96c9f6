/* The rows of `expect:` compared with a run. */
#pragma once
#include "app/input/case.h"
#include "app/report/report.h"

typedef struct Verdict {
  char name[COLUMN_BYTES];
  double expected, got;
  double error, tolerance; /* both relative when the row has rtol, else absolute */
  bool relative, held;
} Verdict;

/* The column of probes.csv that the row is about; NULL for a quantity. */
const char *expect_column(const CaseExpect *row);
/* NaN when there is no such column. */
double column_value(const Columns *columns, const char *name);

/* Tolerance of a row that names none. */
#define EXPECT_RTOL 1e-6

Verdict expect_verdict(const Case *c, const CaseExpect *row, const RunReport *report);
/* Prints the table of a case on stdout and returns the number of rows that miss. */
int expect_print(const Case *c, const RunReport *report);
