/* A sheet in openCARP's files, for tests of parameter files beside it. */
#pragma once
#include "tests/cli/run_program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NX = 24, NY = 4, N_NODE = (NX + 1) * (NY + 1), SIDE = 250 };

/* 6 mm x 1 mm in squares of 0.25 mm: region 1 up to 4 mm, then region 2; nodes of the left edge in two files. */
static inline char *sheet(void) {
  char *folder = folder_create(), text[16000];
  int n = snprintf(text, sizeof text, "%d\n", N_NODE);
  for (int i = 0; i < N_NODE; ++i)
    n += snprintf(text + n, sizeof text - (size_t)n, "%d %d 0\n", SIDE * (i % (NX + 1)), SIDE * (i / (NX + 1)));
  put_text(folder, "sheet.pts", text);
  n = snprintf(text, sizeof text, "%d\n", NX * NY);
  for (int i = 0; i < NX * NY; ++i) {
    const int first = i % NX + i / NX * (NX + 1);
    n += snprintf(text + n, sizeof text - (size_t)n, "Qd %d %d %d %d %d\n", first, first + 1, first + NX + 2,
                  first + NX + 1, i % NX < 16 ? 1 : 2);
  }
  put_text(folder, "sheet.elem", text);
  n = snprintf(text, sizeof text, "1\n");
  for (int i = 0; i < NX * NY; ++i) n += snprintf(text + n, sizeof text - (size_t)n, "1 0 0\n");
  put_text(folder, "sheet.lon", text);
  put_text(folder, "pace.vtx", "5\nextra\n0\n25\n50\n75\n100\n");
  put_text(folder, "sheet.edge.vtx", "5\nintra\n24\n49\n74\n99\n124\n");
  put_text(folder, "ecg.pts", "1\n12000 500 2000\n");
  return folder;
}

static inline void run_case(const char *folder, const char *name) {
  Run run = run_sinew(folder, "run", name, "--backend", "cpu", NULL);
  assert_code(&run, 0);
  run_release(&run);
}

static inline Run convert(const char *folder, const char *in, const char *out) {
  return run_sinew(folder, "convert", in, out, "--overwrite", NULL);
}
