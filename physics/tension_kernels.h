/* The step of whatever model of active tension a muscle has, for C and CUDA: switches made from tensions.def. */
#pragma once
#include "physics/tension_model.h"

#define TENSION_HEADERS
#include "physics/tensions.def"
#undef TENSION_HEADERS

enum {
#define TENSION(name, word) TENSION_KIND_##name,
#include "physics/tensions.def"
#undef TENSION
  N_TENSION_KINDS
};

HD void tension_step(const int kind, const double *value, const TensionIn *in, TensionOut *out) {
  switch (kind) {
#define TENSION(name, word)                                                                                            \
  case TENSION_KIND_##name:                                                                                            \
    name##_tension(value, in, out);                                                                                    \
    break;
#include "physics/tensions.def"
#undef TENSION
  default: out->tension = out->slope = 0;
  }
}

HD void tension_begin(const int kind, const double *value, const double drive, const double stretch, double *state) {
  switch (kind) {
#define TENSION(name, word)                                                                                            \
  case TENSION_KIND_##name:                                                                                            \
    name##_tension_begin(value, drive, stretch, state);                                                                \
    break;
#include "physics/tensions.def"
#undef TENSION
  default: (void)value, (void)drive, (void)stretch, (void)state;
  }
}
