/* Decks run, and where their node 7 goes. */
#pragma once
#include "tests/cli/run_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline char *run_moved(const char *folder, const char *deck) {
  put_text(folder, "d.inp", deck);
  Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--overwrite", "--output", "out", "--set",
                      "solver.rtol=1e-10", NULL);
  assert_code(&run, 0);
  run_release(&run);
  return get_text(folder, "out/d.dat");
}

/* Of node 7. */
static inline void expect_moved(const char *dat, const char *time, const double wanted[3]) {
  char mark[100];
  snprintf(mark, sizeof mark, "for set NALL and time  %s", time);
  const char *at = strstr(dat, mark);
  expect_that(at && (at = strstr(at, "\n         7 ")), "no node 7 at %s in\n%s", time, dat);
  at += 11;
  for (int k = 0; k < 3; ++k) assert_within(strtod(at, (char **)(void *)&at), wanted[k], 4e-7);
}

static inline void expect_wrong(const char *folder, const char *deck, const char *said) {
  put_text(folder, "d.inp", deck);
  Run run = run_sinew(folder, "check", "d.inp", "--backend", "cpu", NULL);
  expect_that(run.code == 3 && strstr(run.err, said), "exit %d, wanted '%s', said\n%s", run.code, said, run.err);
  run_release(&run);
}
