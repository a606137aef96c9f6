/* One mode over one step: z" + damping z' + lambda z = load + slope t, lambda > 0, exactly. */
#pragma once
#include <math.h>

typedef struct ModalStep {
  double lambda, damping, load, slope;
} ModalStep;

/* e^(-d t) times cos(w t), and times sin(w t) / w, of w^2 = lambda - d^2, whatever its sign. */
static inline void modal_decay(double lambda, double d, double t, double *c, double *s) {
  const double square = lambda - d * d, w = sqrt(fabs(square));
  if (w * t < 1e-4) { /* both are even in w */
    const double x = square * t * t;
    *c = exp(-d * t) * (1 - x / 2 + x * x / 24);
    *s = exp(-d * t) * t * (1 - x / 6 + x * x / 120);
  } else if (square > 0) {
    *c = exp(-d * t) * cos(w * t);
    *s = exp(-d * t) * sin(w * t) / w;
  } else { /* the slower exponent is lambda / (d + w), without a difference */
    const double slow = exp(-lambda / (d + w) * t), fast = exp(-(d + w) * t);
    *c = (slow + fast) / 2;
    *s = (slow - fast) / (2 * w);
  }
}

/* z and its rate become those of t = dt. */
static inline void modal_step(const ModalStep *m, double dt, double *z, double *rate) {
  const double d = m->damping / 2, slope = m->slope / m->lambda;
  const double at = (m->load - m->damping * slope) / m->lambda; /* straight part at t = 0 */
  const double e = *z - at, v = *rate - slope;
  double c, s;
  modal_decay(m->lambda, d, dt, &c, &s);
  *z = at + slope * dt + e * (c + d * s) + v * s;
  *rate = slope + v * (c - d * s) - m->lambda * e * s;
}
