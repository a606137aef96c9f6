/* What rates and currents of ionic models are made of. */
#pragma once
#include "physics/ionic_math.h"

/* 1 / (1 + exp((middle - V) / width)); width is a constant. */
HD double ionic_sigmoid(const double V, const double middle, const double width) {
  return ionic_inverse(1 + ionic_exp((middle - V) * (1 / width)));
}
/* exp(-(V - middle)^2 / square); square is a constant. */
HD double ionic_bell(const double V, const double middle, const double square) {
  return ionic_exp((V - middle) * (V - middle) * (-1 / square));
}
/* z / (exp(z) - 1) and its derivative, which are smooth at 0. */
HD double ionic_flux(const double z, double *by_z) {
  const double near = fabs(z) < 1e-4 ? 1 : 0, at = near > 0 ? 1 : z, e = ionic_expm1(at), by_e = ionic_inverse(e),
               t = at * by_e;
  *by_z = near > 0 ? -0.5 + z / 6 : (t * ionic_inverse(at) - t * (1 + by_e));
  return near > 0 ? 1 - z / 2 + z * z / 12 : t;
}
HD double ionic_flux_at(const double z) {
  double unused;
  return ionic_flux(z, &unused);
}
/* Share of an ion that is free: 1 / (1 + buffer K / (c + K)^2). */
HD double ionic_free(const double c, const double buffer, const double K) {
  const double square = (c + K) * (c + K);
  return square * ionic_inverse(square + buffer * K);
}
