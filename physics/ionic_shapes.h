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
/* The same two, and exp, of what is known to be near: potentials of ionic_near and exponents below 700. */
HD double ionic_near(const double V) {
  const uint64_t below = -(uint64_t)(V < -300), above = -(uint64_t)(V > 300);
  const IonicBits low = {-300}, high = {300};
  IonicBits y = {V};
  y.bits = (y.bits & ~(below | above)) | (low.bits & below) | (high.bits & above);
  return y.number;
}
HD double ionic_exp_near(const double x) {
  IonicBits power;
  const double r = ionic_reduce_near(x, &power);
  return (1 + (r + r * r * ionic_exp_part(r))) * power.number;
}
HD double ionic_bell_near(const double V, const double middle, const double square) {
  return ionic_exp_near((V - middle) * (V - middle) * (-1 / square));
}
/* The same by a potential as physics/ionic_float.h has it too: exp(by V), exp(by (V + shift)), V + shift, V or `at`. */
typedef double IonicNear;
HD double ionic_exp_of(const IonicNear V, const double by) { return ionic_exp_near(V * by); }
HD double ionic_exp_from(const IonicNear V, const double shift, const double by) {
  return ionic_exp_near((V + shift) * by);
}
HD double ionic_bell_of(const IonicNear V, const double middle, const double square) {
  return ionic_bell_near(V, middle, square);
}
HD double ionic_number(const IonicNear V, const double shift) { return V + shift; }
HD double ionic_is_below(const IonicNear V, const double at) { return V < at ? 1 : 0; }
HD double ionic_below(const IonicNear V, const double at) { return V < at ? V : at; }
HD double ionic_root(const double x) { return sqrt(x); }
/* A gate of a rate and target after dt. */
HD double ionic_gate(const double s, const double rate, const double target, const double dt) {
  return target + (s - target) * ionic_exp(-rate * dt);
}
/* ionic_sigmoid(V, middle, width) and ionic_sigmoid(-V, middle, width) by e = exp(-V / width), which those of a width share; middle
 * and width are constants, and so is the exponential here. */
HD double ionic_rise(const double e, const double middle, const double width) {
  return ionic_inverse(1 + ionic_exp_near(middle * (1 / width)) * e);
}
HD double ionic_fall(const double e, const double middle, const double width) {
  return e * ionic_inverse(e + ionic_exp_near(middle * (1 / width)));
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
/* Of potentials that may be far, and so slower: the sigmoid, that of -V, the bell; exp(at + by V), exp(by V), exp(by (V + shift)), and of
 * z = (V + shift) / width exp(-z) and the flux of z, of -z and of by (V + shift). */
HD IonicNear ionic_from(const double V) { return V; }
HD double ionic_sigmoid_of(const IonicNear V, const double middle, const double width) {
  return ionic_sigmoid(V, middle, width);
}
HD double ionic_sigmoid_down(const IonicNear V, const double middle, const double width) {
  return ionic_sigmoid(-V, middle, width);
}
HD double ionic_bell_from(const IonicNear V, const double middle, const double square) {
  return ionic_bell(V, middle, square);
}
HD double ionic_exp_of_line(const IonicNear V, const double at, const double by) { return ionic_exp(at + by * V); }
HD double ionic_exp_far(const IonicNear V, const double by) { return ionic_exp(V * by); }
HD double ionic_exp_line(const IonicNear V, const double shift, const double by) { return ionic_exp((V + shift) * by); }
HD double ionic_exp_down(const IonicNear V, const double shift, const double width) {
  return ionic_exp(-(V + shift) / width);
}
HD double ionic_flux_up(const IonicNear V, const double shift, const double width) {
  return ionic_flux_at((V + shift) / width);
}
HD double ionic_flux_down(const IonicNear V, const double shift, const double width) {
  return ionic_flux_at(-(V + shift) / width);
}
HD double ionic_flux_by(const IonicNear V, const double shift, const double by) {
  return ionic_flux_at(by * (V + shift));
}
HD double ionic_ratio(const double a, const double b) { return a / b; }
HD double ionic_over(const double a, const double constant) { return a / constant; }
/* Share of an ion that is free: 1 / (1 + buffer K / (c + K)^2). */
HD double ionic_free(const double c, const double buffer, const double K) {
  const double square = (c + K) * (c + K);
  return square * ionic_inverse(square + buffer * K);
}
