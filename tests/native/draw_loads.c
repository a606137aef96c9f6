/* Loads and the analysis. */
#include "tests/native/draw_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void draw_side_load(Build *b, PlainLoad *l, char *text, Side side) {
  const Plain *p = &b->d->p;
  const int kind = pick(b, p->model == AXISYMMETRIC ? 3 : 4), dim = p->dim;
  l->on[side] = true;
  say(text, "  - {on: %s, ", side_name[side]);
  if (kind == 0) {
    say(text, "traction: [");
    for (int d = 0; d < dim; ++d) {
      l->traction[side][d] += uniform(b, -5, 5);
      for (int j = 0; j < dim; ++j) l->slope[side][d][j] = uniform(b, -1, 1);
      say(text, "%s\"%.17g + (%.17g)*x + (%.17g)*y + (%.17g)*z\"", d ? ", " : "", l->traction[side][d],
          l->slope[side][d][0], l->slope[side][d][1], dim == 3 ? l->slope[side][d][2] : 0);
    }
    say(text, "]}\n");
  } else if (kind == 1) {
    l->pressure[side] = uniform(b, -5, 5);
    for (int j = 0; j < dim; ++j) l->pressure_slope[side][j] = uniform(b, -1, 1);
    say(text, "pressure: \"%.17g + (%.17g)*x + (%.17g)*y + (%.17g)*z\"}\n", l->pressure[side],
        l->pressure_slope[side][0], l->pressure_slope[side][1], dim == 3 ? l->pressure_slope[side][2] : 0);
  } else if (kind == 2) {
    double force[3];
    for (int d = 0; d < dim; ++d) force[d] = uniform(b, -5, 5), l->traction[side][d] += force[d] / plain_area(p, side);
    say(text, "force: "), say_vector(text, force, dim), say(text, "}\n");
  } else {
    l->spreads[side] = true;
    for (int k = 0; k < dim; ++k) l->spread[side][0][k] = uniform(b, -5, 5), l->spread_at[side][k] = uniform(b, -1, 2);
    for (int k = dim == 2 ? 2 : 0; k < 3; ++k) l->spread[side][1][k] = uniform(b, -5, 5);
    say(text, "distribute: {at: "), say_vector(text, l->spread_at[side], dim), say(text, ", force: "),
        say_vector(text, l->spread[side][0], dim), say(text, ", moment: ");
    if (dim == 3) say_vector(text, l->spread[side][1], 3);
    else say(text, "%.17g", l->spread[side][1][2]);
    say(text, "}}\n");
  }
}

static void draw_body_load(Build *b, PlainLoad *l, char *text) {
  const Plain *p = &b->d->p;
  const int dim = p->dim;
  say(text, "{on: [%s], ",
      strstr(b->text, "on: right") ? strstr(b->text, "on: left") ? "left, right" : "right" : "left");
  if (b->d->analysis == HARMONIC || chance(b, 0.5)) {
    for (int d = p->model == AXISYMMETRIC; d < dim; ++d) l->gravity[d] = uniform(b, -5, 5);
    say(text, "gravity: "), say_vector(text, l->gravity, dim), say(text, "}");
    return;
  }
  l->speed = uniform(b, 0.5, 2);
  say(text, "centrifugal: {origin: ");
  for (int d = 0; d < dim; ++d) l->turning_at[d] = p->model == AXISYMMETRIC ? 0 : uniform(b, -1, 1);
  say_vector(text, l->turning_at, dim);
  if (dim == 3) {
    double axis[3] = {uniform(b, -1, 1), uniform(b, -1, 1), 1}, length = 0;
    for (int d = 0; d < 3; ++d) length += axis[d] * axis[d];
    for (int d = 0; d < 3; ++d) l->turning_axis[d] = axis[d] / sqrt(length);
    say(text, ", axis: "), say_vector(text, axis, 3);
  } else l->turning_axis[p->model == AXISYMMETRIC ? 1 : 2] = 1;
  say(text, ", speed: %.17g}}", l->speed);
}

static void draw_heat(Build *b, PlainLoad *l, char *text) {
  const int dim = b->d->p.dim;
  const double reference = uniform(b, -10, 30);
  l->heated = true;
  l->heat = uniform(b, -50, 50) - reference;
  if (chance(b, 0.5)) {
    say(text, "thermal: {reference: %.17g, temperature: %.17g}", reference, l->heat + reference);
    return;
  }
  b->d->even_heat = false;
  for (int d = 0; d < dim; ++d) l->heat_slope[d] = uniform(b, -20, 20);
  say(text, "thermal: {reference: %.17g, temperature: \"%.17g + (%.17g)*x + (%.17g)*y + (%.17g)*z\"}", reference,
      l->heat + reference, l->heat_slope[0], l->heat_slope[1], dim == 3 ? l->heat_slope[2] : 0);
}

static Side free_side(Build *b) {
  for (int k = 0; k < 20; ++k) {
    const Side side = (Side)pick(b, 2 * b->d->p.dim);
    if (!b->held[side]) return side;
  }
  return X1;
}

static void draw_loads(Build *b) {
  Drawn *d = b->d;
  char *text = calloc(1, DRAW_TEXT);
  d->n_load = d->analysis == LOAD_CASES ? 2 + pick(b, 2) : 1;
  d->even_heat = true;
  if (d->analysis == LOAD_CASES) say(b->more, "load-cases:\n");
  for (int k = 0; k < d->n_load; ++k) {
    PlainLoad *l = &d->load[k];
    text[0] = 0;
    const Side side = free_side(b);
    draw_side_load(b, l, text, side);
    if (d->analysis == LOAD_CASES) say(b->more, "  - name: c%d\n    boundary:\n    %s", k, text);
    else say(b->boundary, "%s", text);
    if (chance(b, 0.4)) {
      text[0] = 0, draw_body_load(b, l, text);
      say(b->more, d->analysis == LOAD_CASES ? "    body: [%s]\n" : "body: [%s]\n", text);
    }
    if (d->analysis != HARMONIC && chance(b, 0.3)) {
      text[0] = 0, draw_heat(b, l, text);
      say(b->more, d->analysis == LOAD_CASES ? "    %s\n" : "%s\n", text);
    }
  }
  if (d->analysis == LOAD_CASES) {
    for (int k = 0; k < d->n_load; ++k) d->factor[k] = uniform(b, -2, 2);
    say(b->more, "combinations: [{name: sum, factors: {c0: %.17g, c1: %.17g", d->factor[0], d->factor[1]);
    say(b->more, d->n_load > 2 ? ", c2: %.17g}}]\n" : "}}]\n", d->factor[2]);
  }
  free(text);
}

/* In time a load grows with it. */
static void draw_motion(Build *b) {
  Drawn *d = b->d;
  PlainLoad *l = &d->load[0];
  const Side side = free_side(b);
  d->n_load = 1, d->n_step = 3 + pick(b, 4), d->end = uniform(b, 0.2, 1), d->rho = uniform(b, 0.3, 1);
  d->alpha = uniform(b, 0, 0.5), d->beta = uniform(b, 0, 0.01);
  l->on[side] = true;
  say(b->boundary, "  - {on: %s, traction: [", side_name[side]);
  for (int k = 0; k < d->p.dim; ++k) {
    l->traction[side][k] = uniform(b, -5, 5), d->start[k] = uniform(b, -1, 1);
    say(b->boundary, "%s\"%.17g*t\"", k ? ", " : "", l->traction[side][k] / d->end);
  }
  say(b->boundary, "]}\n");
  const Side wet = free_side(b);
  if (chance(b, 0.4)) draw_spring(b, wet, d->p.dashpot, "dashpot");
  say(b->more, "analysis: {type: transient, rho-infinity: %.17g, damping: {alpha: %.17g, beta: %.17g}}\n", d->rho,
      d->alpha, d->beta);
  say(b->more, "initial: {velocity: "), say_vector(b->more, d->start, d->p.dim);
  say(b->more, "}\ntime: {end: %.17g, step: %.17g}\n", d->end, d->end / d->n_step);
}

void draw_analysis(Build *b) {
  Drawn *d = b->d;
  if (d->analysis == MOTION) draw_motion(b);
  else if (d->analysis != MODAL || b->stressed) draw_loads(b);
  if (d->analysis == MODAL)
    say(b->more, "analysis: {type: modal, modes: %d%s}\n", DRAW_MODES, b->stressed ? ", prestress: true" : "");
  if (d->analysis == BUCKLING) say(b->more, "analysis: {type: buckling, modes: %d}\n", DRAW_MODES);
  if (d->analysis == HARMONIC) {
    d->frequency = uniform(b, 0.1, 3), d->loss = uniform(b, 0.05, 0.3);
    say(b->more, "analysis: {type: harmonic, frequency: %.17g, damping: {loss-factor: %.17g}}\n", d->frequency,
        d->loss);
  }
}
