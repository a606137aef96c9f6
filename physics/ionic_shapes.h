/* What rates and currents of ionic models are made of. */
#pragma once
#include "core/hd.h"

#include <math.h>

/* 1 / (1 + exp((middle - V) / width)). */
HD double ionic_sigmoid(const double V, const double middle, const double width) {
  return 1 / (1 + exp((middle - V) / width));
}
/* exp(-(V - middle)^2 / square). */
HD double ionic_bell(const double V, const double middle, const double square) {
  return exp(-(V - middle) * (V - middle) / square);
}
/* z / (exp(z) - 1) and its derivative, which are smooth at 0. */
HD double ionic_flux(const double z, double *by_z) {
  const double near = fabs(z) < 1e-4 ? 1 : 0, at = near > 0 ? 1 : z, e = expm1(at), t = at / e;
  *by_z = near > 0 ? -0.5 + z / 6 : t * (1 / at - (e + 1) / e);
  return near > 0 ? 1 - z / 2 + z * z / 12 : t;
}
HD double ionic_flux_at(const double z) {
  double unused;
  return ionic_flux(z, &unused);
}
/* Share of an ion that is free: 1 / (1 + buffer K / (c + K)^2). */
HD double ionic_free(const double c, const double buffer, const double K) {
  return 1 / (1 + buffer * K / ((c + K) * (c + K)));
}
