/* The kernels of whatever ionic model a cell has, for C and CUDA: a switch made from ionics.def. */
#pragma once
#include "physics/ionic_model.h"

#define IONIC_HEADERS
#include "physics/ionics.def"
#undef IONIC_HEADERS

typedef enum IonicKind {
#define IONIC(name, text) IONIC_KIND_##name,
#include "physics/ionics.def"
#undef IONIC
  N_IONIC_KINDS
} IonicKind;

/* The state with s = known + step g(V, s), step >= 0 in ms, and ds/dV. */
HD IonicState ionic_state(const IonicConstants *c, const double V, const double known, const double step) {
  IonicState s = {known, 0};
  switch (c->kind) {
#define IONIC(name, text)                                                                                              \
  case IONIC_KIND_##name:                                                                                              \
    s = name##_state(c, V, known, step);                                                                               \
    break;
#include "physics/ionics.def"
#undef IONIC
  default:
    break;
  }
  return s;
}

/* g(V, s), 1/ms. */
HD double ionic_rate(const IonicConstants *c, const double V, const double state) {
  switch (c->kind) {
#define IONIC(name, text)                                                                                              \
  case IONIC_KIND_##name:                                                                                              \
    return name##_rate(c, V, state);
#include "physics/ionics.def"
#undef IONIC
  default:
    return 0;
  }
}

HD IonicReaction ionic_reaction(const IonicConstants *c, const double V, const double state) {
  IonicReaction f = {0, 0, 0};
  switch (c->kind) {
#define IONIC(name, text)                                                                                              \
  case IONIC_KIND_##name:                                                                                              \
    f = name##_reaction(c, V, state);                                                                                  \
    break;
#include "physics/ionics.def"
#undef IONIC
  default:
    break;
  }
  return f;
}

/* f(V, s(V)) with the implicit state; returns mV/ms, *slope gets the total derivative d/dV, 1/ms. */
HD double ionic_implicit(const IonicConstants *c, const double V, const double known, const double step, double *slope) {
  const IonicState s = ionic_state(c, V, known, step);
  const IonicReaction f = ionic_reaction(c, V, s.state);
  *slope = f.by_V + f.by_state * s.slope;
  return f.value;
}
