/* Random cases: a mesh, a case file, and the same problem for the plain program. */
#pragma once
#include "tests/native/plain.h"

#include <stdint.h>

typedef enum Analysis { STATIC, LOAD_CASES, MOTION, HARMONIC, MODAL, BUCKLING } Analysis;
enum { DRAW_LOADS = 3, DRAW_TEXT = 1 << 20, DRAW_MODES = 4 };

typedef struct Drawn {
  Plain p;
  Analysis analysis;
  int n_load;
  PlainLoad load[DRAW_LOADS];
  double rho, alpha, beta, start[3], end, frequency, loss;
  int n_step;
  double factor[DRAW_LOADS];   /* of the combination of load cases */
  bool even_heat;              /* the temperature is one number: energies can be compared */
  bool joined[PLAIN_MOST];     /* an equation between several unknowns has this node */
  char *case_text, *mesh_text; /* owned, DRAW_TEXT long */
} Drawn;

/* The case of this seed. */
void draw_case(uint64_t seed, Drawn *out);
void draw_release(Drawn *d);
