/* The kernels of ionic models, for C and CUDA, made from ionics.def.
 *
 * Where states are eliminated, a kernel has a switch over the models. `most`, known when it is compiled, is the largest
 * number of states that a model may have there: kernels for models of one state alone are not slower because there are
 * others. Cells of models with more states, or whose states only go first, are left alone, with a reaction of 0.
 *
 * Where states go first, each model is a kernel of its own, name_first, which no other model slows down. */
#pragma once
#include "physics/ionic_float.h"
#include "physics/ionic_model.h"
#include "physics/ionic_program.h"

#define IONIC_HEADERS
#include "physics/ionics.def"
#undef IONIC_HEADERS

typedef enum IonicKind {
#define IONIC(name, text, n) IONIC_KIND_##name,
#include "physics/ionics.def"
#undef IONIC
  N_IONIC_KINDS
} IonicKind;

HD double ionic_known(const IonicCell *cell, const int j) {
  const int64_t k = j * cell->stride;
  return cell->history && cell->carry != 0 ? cell->state[k] + cell->carry * cell->history[k] : cell->state[k];
}

/* A step of length dt at potential V, states first: state j from from[j stride] to to[j stride], which may be the same
 * place. Returns f with the new states, mV/ms; *by_V gets df/dV, 1/ms. Of a model that is eliminated
 * elsewhere, by the trapezoidal rule: */
#define IONIC(name, text, n)                                                                                           \
  HD double name##_first(const IonicConstants *c, const double V, const double stimulus, const double dt,              \
                         const double *from, double *to, const int64_t stride, double *by_V) {                         \
    double known[n], s[n], unused[n];                                                                                  \
    (void)stimulus;                                                                                                    \
    for (int j = 0; j < n; ++j) s[j] = from[j * stride];                                                               \
    name##_rate(c, V, s, unused);                                                                                      \
    for (int j = 0; j < n; ++j) known[j] = s[j] + 0.5 * dt * unused[j];                                                \
    name##_state(c, V, known, 0.5 * dt, s, unused);                                                                    \
    for (int j = 0; j < n; ++j) to[j * stride] = s[j];                                                                 \
    return name##_reaction(c, V, s, by_V, unused);                                                                     \
  }
/* and of gates, by Rush and Larsen, and the rest; of `model`, with gates in REAL. */
#define IONIC_GATES_IN(REAL, NAMED, name, model, n, n_gate)                                                            \
  HD double name##_first(const IonicConstants *c, const double V, const double stimulus, const double dt,              \
                         const double *from, double *to, const int64_t stride, double *by_V) {                         \
    double s[n], g[n], decay[n];                                                                                       \
    REAL rate[n], target[n];                                                                                           \
    IONIC_UNROLL for (int j = 0; j < n; ++j) s[j] = from[j * stride];                                                  \
    NAMED(model##_gates)(c, V, s, rate, target);                                                                       \
    IONIC_UNROLL for (int j = 0; j < n_gate; ++j) {                                                                    \
      s[j] = NAMED(ionic_gate)(s[j], rate[j], target[j], dt);                                                          \
      to[j * stride] = s[j];                                                                                           \
    }                                                                                                                  \
    const double f = model##_currents(c, V, stimulus, s, by_V, g, decay);                                              \
    IONIC_UNROLL for (int j = n_gate; j < n; ++j) to[j * stride] =                                                     \
        s[j] + dt * (decay[j] > 0 ? ionic_phi(decay[j] * dt) : 1) * g[j];                                              \
    return f;                                                                                                          \
  }
#define IONIC_IN_DOUBLE(name) name
#define IONIC_IN_FLOAT(name) name##_float
#define IONIC_GATES(name, text, n, n_gate) IONIC_GATES_IN(double, IONIC_IN_DOUBLE, name, name, n, n_gate)
#define IONIC_FLOAT(name, text, n, n_gate) IONIC_GATES_IN(float, IONIC_IN_FLOAT, name##_float, name, n, n_gate)
#include "physics/ionics.def"
#undef IONIC

/* Elimination, of one model: the three below. */
#define IONIC_GATES(name, text, n, n_gate)
#define IONIC(name, text, n)                                                                                           \
  HD double name##_implicit(const IonicConstants *c, const double V, const IonicCell *cell, const double step,         \
                            double *slope) {                                                                           \
    double known[n], s[n], s_by_V[n], f_by_s[n], f_by_V;                                                               \
    for (int j = 0; j < n; ++j) known[j] = ionic_known(cell, j);                                                       \
    name##_state(c, V, known, step, s, s_by_V);                                                                        \
    const double f = name##_reaction(c, V, s, &f_by_V, f_by_s);                                                        \
    for (int j = 0; j < n; ++j) f_by_V += f_by_s[j] * s_by_V[j];                                                       \
    *slope = f_by_V;                                                                                                   \
    return f;                                                                                                          \
  }                                                                                                                    \
  HD void name##_advance(const IonicConstants *c, const double V, const IonicCell *cell, const double step,            \
                         const int keeps_rate) {                                                                       \
    double known[n], now[n], s_by_V[n], rate[n];                                                                       \
    for (int j = 0; j < n; ++j) known[j] = ionic_known(cell, j);                                                       \
    name##_state(c, V, known, step, now, s_by_V);                                                                      \
    if (cell->history && keeps_rate) name##_rate(c, V, now, rate);                                                     \
    for (int j = 0; j < n; ++j) {                                                                                      \
      const int64_t k = j * cell->stride;                                                                              \
      if (cell->history) cell->history[k] = keeps_rate ? rate[j] : now[j] - cell->state[k];                            \
      cell->state[k] = now[j];                                                                                         \
    }                                                                                                                  \
  }                                                                                                                    \
  HD void name##_begin(const IonicConstants *c, const double V, const IonicCell *cell) {                               \
    double s[n], rate[n];                                                                                              \
    for (int j = 0; j < n; ++j) s[j] = cell->state[j * cell->stride];                                                  \
    name##_rate(c, V, s, rate);                                                                                        \
    for (int j = 0; j < n; ++j) cell->history[j * cell->stride] = rate[j];                                             \
  }
#include "physics/ionics.def"
#undef IONIC

/* f(V, s(V)) with the implicit states; returns mV/ms, *slope gets the total derivative d/dV, 1/ms. */
HD double ionic_implicit(const int most, const IonicConstants *c, const double V, const IonicCell *cell,
                         const double step, double *slope) {
  *slope = 0;
  switch (c->kind) {
#define IONIC_GATES(name, text, n, n_gate)
#define IONIC(name, text, n)                                                                                           \
  case IONIC_KIND_##name:                                                                                              \
    if (n <= most) return name##_implicit(c, V, cell, step, slope);                                                    \
    break;
#include "physics/ionics.def"
#undef IONIC
  default: break;
  }
  return 0;
}

/* The states go on to s(V); their history becomes g there, or what they have grown by. */
HD void ionic_advance(const int most, const IonicConstants *c, const double V, const IonicCell *cell, const double step,
                      const int keeps_rate) {
  switch (c->kind) {
#define IONIC_GATES(name, text, n, n_gate)
#define IONIC(name, text, n)                                                                                           \
  case IONIC_KIND_##name:                                                                                              \
    if (n <= most) name##_advance(c, V, cell, step, keeps_rate);                                                       \
    break;
#include "physics/ionics.def"
#undef IONIC
  default: break;
  }
}

/* history = g(V, s) of the states as they are. */
HD void ionic_begin(const int most, const IonicConstants *c, const double V, const IonicCell *cell) {
  switch (c->kind) {
#define IONIC_GATES(name, text, n, n_gate)
#define IONIC(name, text, n)                                                                                           \
  case IONIC_KIND_##name:                                                                                              \
    if (n <= most) name##_begin(c, V, cell);                                                                           \
    break;
#include "physics/ionics.def"
#undef IONIC
  default: break;
  }
}
