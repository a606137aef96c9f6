/* Newton's method on a tridiagonal system, a cell at each node (lumped) or at two points of each element. The stepper of a run takes
 * longer (ten Tusscher's cells, 138 steps: 25 ms on a strip of 182 nodes, 2.5 ms here on 91), and a check steps many
 * strands. */
#include "app/monodomain/strand.h"
#include "core/memory.h"
#include "solver/time/scheme.h"
#include "solver/time/stages.h"

#include <math.h>
#include <string.h>

/* Of the strand in lengths of a front: all of it, where it begins excited, where its speed is measured. */
static const double LENGTH = 30, EXCITED = 5, FROM = 0.4, TO = 0.7;
enum { FEWEST = 24, EXCITED_FEWEST = 2, MOST_NODES = 20000, MOST_NEWTON = 50 };
enum { PULSE_STEPS = 2000 }; /* of a long pulse that has started a front: none is looked at beyond */
/* A front passes the strand in about LENGTH / max_slope; one that takes so many times as long does not run; from a
 * stimulus it has that time for half of the way. */
static const double PATIENCE = 10, CAPTURE_PATIENCE = 1.2;
static const double SOLVED = 1e-5; /* mV */
/* Share of the rise to an excited cell, below which all of a strand is at rest and no front is left on it: of cells with gates,
 * which rest a little elsewhere after a beat, and of others, whose threshold may be as low as a hundredth. */
static const double OVER_GATES = 0.05, OVER = 0.005;
/* Nobody waits longer for a front than on elements of so many lengths of it: those that are longer hardly carry any. */
static const double WAITED_FOR = 50;
/* Of a long pulse: where, for so many steps, potentials change so slowly that in the time left, or in so many ms, they would by less
 * than that, mV, it has done what it will. */
static const double STILL = 0.5, STILL_TIME = 1000;
enum { STILL_STEPS = 40 };
static const double CAPTURE_STEP = 0.1; /* times 1 / max_slope */
/* Potentials that are looked through for the one of an excited cell, mV above rest. */
static const double HIGHEST = 400, SPACING = 0.25, GATES_OPEN = 20; /* the last one in mV */

typedef struct Strand {
  StrandParams p;
  const IonicType *type;
  int32_t n, n_cell;
  double time, dt, rest, excited;
  double *V, *before, *old;               /* [n] */
  double *lower, *diagonal, *upper, *r;   /* [n] */
  double *s, *s_before, *s_old, *carried; /* [n_cell][n_state] */
  double *R_before, *KV_before;           /* [n], Crank-Nicolson */
  double *force, *gradient;               /* [n_cell], Rush-Larsen: reactions force + gradient (V - V_n) */
  int32_t n_current;
  double current;
} Strand;

static double strand_slope(const IonicConstants *ionic) { return ionic_type(ionic->kind)->front_slope(ionic); }

/* The potential above threshold that a cell goes to while its states are those of rest; rest where there is none. Where
 * gates must open first nothing is seen of it, and it is a potential at which they do, at least: with other parameters than those
 * it began to rest with a cell goes to a new rest first, which is no front. */
static double excited_potential(const IonicConstants *ionic, double rest, const double *s) {
  double by_V, by_s[IONIC_STATES], excited = rest;
  bool rising = false;
  for (double above = SPACING; above < HIGHEST; above += SPACING) {
    const bool up = ionic_type(ionic->kind)->reaction(ionic, rest + above, s, &by_V, by_s) > 0;
    if (rising && !up) excited = rest + above;
    rising = up;
  }
  return ionic_type(ionic->kind)->n_gate ? fmax(excited, fmax(rest, GATES_OPEN)) : excited;
}

double strand_front(const IonicConstants *ionic) {
  double s[IONIC_STATES];
  const double rest = ionic_type(ionic->kind)->rest(ionic, s), steep = strand_slope(ionic);
  return steep > 0 && excited_potential(ionic, rest, s) > rest ? sqrt(2 / (3 * steep)) : 0;
}

/* The states of cell c. */
static double *cell_of(const Strand *w, double *states, int32_t c) { return states + (int64_t)c * w->type->n_state; }

static void strand_release(Strand *w) {
  double **vector[] = {&w->V,     &w->before, &w->old,      &w->lower,    &w->diagonal,
                       &w->upper, &w->r,      &w->R_before, &w->KV_before};
  for (size_t k = 0; k < sizeof vector / sizeof *vector; ++k) FREE(*vector[k]);
  FREE(w->s);
  FREE(w->s_before);
  FREE(w->s_old);
  FREE(w->carried);
  FREE(w->force);
  FREE(w->gradient);
}

static Status strand_allocate(Strand *w) {
  double **vector[] = {&w->V,     &w->before, &w->old,      &w->lower,    &w->diagonal,
                       &w->upper, &w->r,      &w->R_before, &w->KV_before};
  for (size_t k = 0; k < sizeof vector / sizeof *vector; ++k) ALLOC(*vector[k], w->n, "a strand of tissue");
  ALLOC(w->s, (int64_t)w->n_cell * w->type->n_state, "cells of a strand");
  ALLOC(w->s_before, (int64_t)w->n_cell * w->type->n_state, "cells of a strand");
  ALLOC(w->s_old, (int64_t)w->n_cell * w->type->n_state, "cells of a strand");
  ALLOC(w->carried, (int64_t)w->n_cell * w->type->n_state, "cells of a strand");
  ALLOC(w->force, w->n_cell, "cells of a strand");
  ALLOC(w->gradient, w->n_cell, "cells of a strand");
  return OK;
}

/* All at rest but the first n_excited nodes. */
static Status strand_create(Strand *w, const StrandParams *params, double length, int32_t n_excited) {
  double s[IONIC_STATES];
  *w = (Strand){.p = *params, .type = ionic_type(params->ionic->kind)};
  if (!w->type->implicit && w->p.scheme->carries != SCHEME_STATES_FIRST) w->p.scheme = &rush_larsen_scheme;
  w->n = (int32_t)fmin(fmax(ceil(length / params->h), FEWEST), MOST_NODES) + 1;
  w->n_cell = params->consistent ? 2 * (w->n - 1) : w->n;
  w->rest = w->type->rest(params->ionic, s);
  w->excited = excited_potential(params->ionic, w->rest, s);
  TRY(strand_allocate(w));
  const size_t bytes = (size_t)w->type->n_state * sizeof *s;
  for (int32_t i = 0; i < w->n; ++i) w->V[i] = w->before[i] = w->old[i] = i < n_excited ? w->excited : w->rest;
  for (int32_t c = 0; c < w->n_cell; ++c) {
    memcpy(cell_of(w, w->s, c), s, bytes);
    memcpy(cell_of(w, w->s_before, c), s, bytes);
    memcpy(cell_of(w, w->s_old, c), s, bytes);
  }
  return OK;
}

/* Where a cell is: nodes i and i + 1 with shares a and b, and the length that it stands for. */
typedef struct Spot {
  int32_t i;
  double a, b, length;
} Spot;
static double node_length(const Strand *w, int32_t i) { return i == 0 || i == w->n - 1 ? 0.5 * w->p.h : w->p.h; }
static Spot spot_of(const Strand *w, int32_t c) {
  if (!w->p.consistent) return (Spot){c, 1, 0, node_length(w, c)};
  const double b = 0.5 * (1 + (c % 2 ? w->p.point : -w->p.point));
  return (Spot){c / 2, 1 - b, b, 0.5 * w->p.h};
}
static double at_spot(const Spot *x, const double *V) { return x->a * V[x->i] + (x->b > 0 ? x->b * V[x->i + 1] : 0); }
/* Rows of the mass at a node, over its length; beside it they are share h / 6. */
static double own_mass(const Strand *w) { return w->p.consistent ? 2.0 / 3 : 1 - w->p.share / 3; }
static double side_mass(const Strand *w) { return (w->p.consistent ? 1 : w->p.share) * w->p.h / 6; }
static void add_spot(const Strand *w, const Spot *x, double value, double *to) {
  if (w->p.consistent) {
    to[x->i] += x->length * x->a * value;
    to[x->i + 1] += x->length * x->b * value;
    return;
  }
  to[x->i] += own_mass(w) * x->length * value;
  if (x->i > 0) to[x->i - 1] += side_mass(w) * value;
  if (x->i < w->n - 1) to[x->i + 1] += side_mass(w) * value;
}
/* The slope of that: -g in the column of the node. */
static void add_slope(Strand *w, const Spot *x, double g) {
  const int32_t i = x->i;
  if (w->p.consistent) {
    w->diagonal[i] -= g * x->length * x->a * x->a;
    w->diagonal[i + 1] -= g * x->length * x->b * x->b;
    w->upper[i] -= g * x->length * x->a * x->b;
    w->lower[i + 1] -= g * x->length * x->a * x->b;
    return;
  }
  w->diagonal[i] -= g * own_mass(w) * x->length;
  if (i > 0) w->upper[i - 1] -= g * side_mass(w);
  if (i < w->n - 1) w->lower[i + 1] -= g * side_mass(w);
}

/* (K V)_i */
static double strand_stiff(const Strand *w, const double *V, int32_t i) {
  return ((i > 0 ? V[i] - V[i - 1] : 0) + (i < w->n - 1 ? V[i] - V[i + 1] : 0)) / w->p.h;
}

/* Whether a cell has all that the one before it has, as those that the wave is yet to come to. */
static bool same_as_last(const Strand *w, int32_t c) {
  if (c == 0 || w->p.consistent || w->before[c] != w->before[c - 1] || c == w->n_current) return false;
  const double *s = cell_of(w, w->s_before, c);
  return !memcmp(s, s - w->type->n_state, (size_t)w->type->n_state * sizeof *s);
}

/* A step of m <= IONIC_ABREAST cells, states first. */
static void step_some(Strand *w, const int32_t *cell, int32_t m) {
  enum { L = IONIC_ABREAST };
  const int n = w->type->n_state;
  double V[L], current[L], from[IONIC_STATES * L], to[IONIC_STATES * L], f[L], by_V[L];
  for (int32_t l = 0; l < L; ++l) { /* filled up with the last one */
    const int32_t c = cell[l < m ? l : m - 1];
    const Spot x = spot_of(w, c);
    const double *s = cell_of(w, w->s_before, c);
    V[l] = at_spot(&x, w->before);
    current[l] = x.i < w->n_current ? w->current : 0;
    for (int j = 0; j < n; ++j) from[j * L + l] = s[j];
  }
  if (w->type->abreast) w->type->abreast(w->p.ionic, w->dt, V, current, from, to, f, by_V);
  for (int32_t l = 0; l < m; ++l) {
    double *now = cell_of(w, w->s, cell[l]);
    for (int j = 0; j < n; ++j) now[j] = w->type->abreast ? to[j * L + l] : from[j * L + l];
    if (!w->type->abreast) f[l] = w->type->first(w->p.ionic, V[l], current[l], w->dt, now, &by_V[l]);
    w->force[cell[l]] = f[l], w->gradient[cell[l]] = by_V[l];
  }
}

/* Cells that have all that the one before them has are copies of it. */
static void step_cells(Strand *w) {
  int32_t cell[IONIC_ABREAST], m = 0;
  for (int32_t c = 0; c < w->n_cell; ++c) {
    if (!same_as_last(w, c)) cell[m++] = c;
    if (m < IONIC_ABREAST && c + 1 < w->n_cell) continue;
    if (m) step_some(w, cell, m);
    m = 0;
  }
  for (int32_t c = 1; c < w->n_cell; ++c) {
    if (!same_as_last(w, c)) continue;
    double *now = cell_of(w, w->s, c);
    memcpy(now, now - w->type->n_state, (size_t)w->type->n_state * sizeof *now);
    w->force[c] = w->force[c - 1], w->gradient[c] = w->gradient[c - 1];
  }
}

/* h of docs/theory/monodomain.md, and what Crank-Nicolson needs of the step before. */
static void keep_history(Strand *w, const SchemeFactors *n) {
  double by_V, by_s[IONIC_STATES];
  const IonicConstants *ionic = w->p.ionic;
  const bool first = w->p.scheme->carries == SCHEME_STATES_FIRST;
  const size_t bytes = (size_t)w->type->n_state * sizeof by_s[0];
  memset(w->R_before, 0, (size_t)w->n * sizeof *w->R_before);
  if (first) step_cells(w);
  for (int32_t c = 0; c < w->n_cell; ++c) {
    const Spot x = spot_of(w, c);
    double *carried = cell_of(w, w->carried, c);
    const double *before = cell_of(w, w->s_before, c), *old = cell_of(w, w->s_old, c);
    memset(carried, 0, bytes);
    if (!first && n->theta < 1) {
      const double V = at_spot(&x, w->before);
      w->type->rate(ionic, V, before, carried);
      add_spot(w, &x, w->type->reaction(ionic, V, before, &by_V, by_s), w->R_before);
    }
    if (n->history > 0)
      for (int k = 0; k < w->type->n_state; ++k) carried[k] = before[k] - old[k];
  }
  for (int32_t i = 0; i < w->n; ++i) w->KV_before[i] = strand_stiff(w, w->before, i);
}

/* theta f with its states eliminated, and *f_V, its slope over theta. */
static double strand_eliminated(Strand *w, const SchemeFactors *n, int32_t c, double V, double *f_V) {
  const double carry = n->theta < 1 ? (1 - n->theta) / n->mass : n->history / n->mass;
  double known[IONIC_STATES] = {0}, by_V[IONIC_STATES], by_s[IONIC_STATES];
  const double *before = cell_of(w, w->s_before, c), *carried = cell_of(w, w->carried, c);
  double *now = cell_of(w, w->s, c);
  for (int k = 0; k < w->type->n_state; ++k) known[k] = before[k] + carry * carried[k];
  w->type->implicit(w->p.ionic, V, known, n->theta / n->mass, now, by_V);
  const double f = w->type->reaction(w->p.ionic, V, now, f_V, by_s);
  for (int k = 0; k < w->type->n_state; ++k) *f_V += by_s[k] * by_V[k];
  return n->theta * f;
}

/* Reaction and its slope at V into r and the matrix, which must be zero. */
static void add_cells(Strand *w, const SchemeFactors *n) {
  for (int32_t c = 0; c < w->n_cell; ++c) {
    const Spot x = spot_of(w, c);
    const double V = at_spot(&x, w->V);
    double f_V = w->gradient[c], f;
    if (w->p.scheme->carries != SCHEME_STATES_FIRST) f = strand_eliminated(w, n, c, V, &f_V);
    else f = w->force[c] + n->theta * f_V * (V - at_spot(&x, w->before));
    add_spot(w, &x, f, w->r);
    add_slope(w, &x, n->theta * f_V);
  }
}

/* What the mass is applied to at node i: I - rate. */
static double strand_balance(const Strand *w, const SchemeFactors *n, int32_t i) {
  const double current = i < w->n_current ? w->current : 0;
  return current - n->mass * (w->V[i] - w->before[i]) + n->history * (w->before[i] - w->old[i]);
}

static void add_line(Strand *w, const SchemeFactors *n) {
  const double h = w->p.h, k = n->theta / h, side = side_mass(w);
  for (int32_t i = 0; i < w->n; ++i) {
    const bool left = i > 0, right = i < w->n - 1;
    const double own = node_length(w, i) * own_mass(w);
    double r = own * strand_balance(w, n, i) - n->theta * strand_stiff(w, w->V, i);
    if (n->theta < 1) r += (1 - n->theta) * (w->R_before[i] - w->KV_before[i]);
    if (left && side > 0) r += side * strand_balance(w, n, i - 1);
    if (right && side > 0) r += side * strand_balance(w, n, i + 1);
    w->r[i] += r;
    w->diagonal[i] += n->mass * own + k * (left + right);
    if (left) w->lower[i] += n->mass * side - k;
    if (right) w->upper[i] += n->mass * side - k;
  }
}

/* Elimination; the correction is added to V. Returns the largest change. */
static double strand_correct(Strand *w) {
  double largest = 0;
  for (int32_t i = 1; i < w->n; ++i) {
    const double f = w->lower[i] / w->diagonal[i - 1];
    w->diagonal[i] -= f * w->upper[i - 1];
    w->r[i] -= f * w->r[i - 1];
  }
  for (int32_t i = w->n - 1; i >= 0; --i) {
    w->r[i] = (w->r[i] - (i < w->n - 1 ? w->upper[i] * w->r[i + 1] : 0)) / w->diagonal[i];
    w->V[i] += w->r[i];
    largest = fmax(largest, fabs(w->r[i]));
    if (isnan(w->r[i])) return NAN;
  }
  return largest;
}

double strand_decay(const IonicConstants *ionic) {
  static const double GATES = 10, CUBIC = 3;
  const IonicType *type = ionic_type(ionic->kind);
  return type->implicit ? CUBIC * type->front_slope(ionic) : GATES;
}

/* r = M^-1 K (before + x), by elimination with the pivots in diagonal. */
static void strand_flow(Strand *w, const double *x) {
  const double side = side_mass(w);
  for (int32_t i = 0; i < w->n; ++i) {
    const double before = i > 0 ? side / w->diagonal[i - 1] : 0;
    w->diagonal[i] = node_length(w, i) * own_mass(w) - before * side;
    w->r[i] = strand_stiff(w, w->before, i) + strand_stiff(w, x, i) - (i > 0 ? before * w->r[i - 1] : 0);
  }
  for (int32_t i = w->n - 1; i >= 0; --i)
    w->r[i] = (w->r[i] - (i < w->n - 1 ? side * w->r[i + 1] : 0)) / w->diagonal[i];
}

/* r = dt times the rate of change at before + x, where cells go by their line. */
static void strand_rate(Strand *w, const double *x, double most) {
  strand_flow(w, x);
  for (int32_t i = 0; i < w->n; ++i) {
    const double current = i < w->n_current ? w->current : 0, slope = fmin(fmax(w->gradient[i], -most), most);
    w->r[i] = w->dt * (w->force[i] + slope * x[i] + current - w->r[i]);
  }
}

/* A step by explicit stages, of cells at nodes: as many as the largest eigenvalue, 4/h^2 over what is left of the lumped mass in the
 * roughest mode, needs beside the reaction. */
static bool strand_stages(Strand *w) {
  enum { MOST_STAGES = 1000 };
  const double stiffest = 4 / (w->p.h * w->p.h) / (1 - 2 * w->p.share / 3),
               needed = w->dt * (stiffest + strand_decay(w->p.ionic));
  StageNumbers n = stage_numbers(2);
  while (n.reach < needed && n.n < MOST_STAGES) n = stage_numbers(n.n + 1);
  double *y = w->upper, *d = w->lower, last = 1 / n.w0, before = 0, now = n.w1 / n.w0;
  step_cells(w);
  memset(y, 0, (size_t)w->n * sizeof *y);
  memset(d, 0, (size_t)w->n * sizeof *d);
  for (int32_t k = 0; k < n.n; ++k) {
    strand_rate(w, y, n.reach / w->dt - stiffest);
    for (int32_t i = 0; i < w->n; ++i) d[i] = before * d[i] + now * w->r[i], y[i] += d[i];
    const double next = 1 / (2 * n.w0 - last);
    before = next * last, now = 2 * n.w1 * next, last = next;
  }
  bool finite = n.reach >= needed;
  for (int32_t i = 0; i < w->n; ++i) {
    w->V[i] = w->before[i] + n.part * y[i];
    finite &= isfinite(w->V[i]) != 0;
  }
  w->time += w->dt;
  return finite;
}

/* One step of a length; n_history as in scheme_factors. False: no solution. */
static bool strand_step(Strand *w, double dt, int32_t n_history) {
  const TimeScheme *scheme = n_history == 0 ? &backward_euler_scheme : w->p.scheme;
  const SchemeFactors n = scheme_factors(scheme, n_history < 2 ? n_history : 2, dt, dt, dt);
  const size_t bytes = (size_t)w->n * sizeof(double);
  w->dt = dt;
  if (w->p.scheme->stages) return strand_stages(w);
  keep_history(w, &n);
  for (int32_t i = 0; i < w->n; ++i) w->V[i] = 2 * w->before[i] - w->old[i];
  for (int k = 0;; ++k) {
    memset(w->lower, 0, bytes), memset(w->diagonal, 0, bytes), memset(w->upper, 0, bytes), memset(w->r, 0, bytes);
    add_cells(w, &n);
    add_line(w, &n);
    const double change = strand_correct(w);
    if (change <= SOLVED) break;
    if (k == MOST_NEWTON || !isfinite(change)) return false;
  }
  w->time += dt;
  return true;
}

/* The step is accepted. */
static void strand_accept(Strand *w) {
  double *swap = w->old;
  w->old = w->before, w->before = swap;
  memcpy(w->before, w->V, (size_t)w->n * sizeof *w->V);
  double *cells = w->s_old;
  w->s_old = w->s_before, w->s_before = cells;
  memcpy(w->s_before, w->s, (size_t)w->n_cell * (size_t)w->type->n_state * sizeof *w->s);
}

/* Whether cells at the beginning have fallen back to rest with nothing excited any more. */
static bool strand_over(const Strand *w) {
  const double most = w->rest + (w->type->n_gate ? OVER_GATES : OVER) * (w->excited - w->rest);
  for (int32_t i = 0; i < w->n; ++i)
    if (!(w->V[i] < most)) return false;
  return true;
}

static Status speed_measured(const StrandParams *params, double *speed) {
  const double l = strand_front(params->ionic), steep = strand_slope(params->ionic);
  Strand w;
  Status status = strand_create(&w, params, LENGTH * l, (int32_t)fmax(ceil(EXCITED * l / params->h), EXCITED_FEWEST));
  const int32_t at[2] = {(int32_t)(FROM * w.n), (int32_t)(TO * w.n)};
  const double level = 0.5 * (w.rest + w.excited), patience = PATIENCE * w.n * fmin(params->h / l, WAITED_FOR) / steep;
  double crossed[2] = {-1, -1};
  *speed = 0;
  for (int32_t k = 0; status == OK && crossed[1] < 0 && w.time < patience; ++k) {
    if (!strand_step(&w, params->step, k)) {
      *speed = NAN;
      break;
    }
    for (int j = 0; j < 2; ++j)
      if (w.V[at[j]] >= level && w.before[at[j]] < level)
        crossed[j] = w.time - params->step * (w.V[at[j]] - level) / (w.V[at[j]] - w.before[at[j]]);
    strand_accept(&w);
    if (strand_over(&w)) break;
  }
  const bool by_itself = w.n > 0 && status == OK && w.before[w.n - 1] >= level; /* cells that rise everywhere at once */
  if (crossed[0] >= 0 && crossed[1] > crossed[0] && !by_itself)
    *speed = (at[1] - at[0]) * params->h / (crossed[1] - crossed[0]);
  strand_release(&w);
  return status;
}

Status strand_speed(const StrandParams *params, double *speed) {
  const double times = params->h / strand_front(params->ionic);
  StrandParams own = *params;
  *speed = 0;
  if (times > STRAND_LONGEST && !params->consistent) return OK;
  if (times > WAITED_FOR && params->consistent) own.h *= WAITED_FOR / times;
  return speed_measured(&own, speed);
}

/* Lowest and highest potential so far. */
static void watch(const Strand *w, StrandPulse *out) {
  for (int32_t i = 0; i < w->n; ++i) {
    out->lowest = fmin(out->lowest, w->V[i]);
    out->highest = fmax(out->highest, w->V[i]);
  }
}

/* The fastest change in a step, mV. */
static double strand_change(const Strand *w) {
  double most = 0;
  for (int32_t i = 0; i < w->n; ++i) most = fmax(most, fabs(w->V[i] - w->before[i]));
  return most;
}

Status strand_pulse(const StrandParams *params, int32_t n, double amplitude, double duration, StrandPulse *out) {
  const double l = strand_front(params->ionic), steep = strand_slope(params->ionic);
  int32_t pulse = (int32_t)fmin(ceil(fmax(4, duration * steep / CAPTURE_STEP)), 1e6), still = 0;
  Strand w;
  StrandParams own = *params;
  const bool apart = params->h > STRAND_LONGEST * l; /* what is excited goes nowhere */
  own.scheme = &bdf2_scheme;
  own.h = fmin(params->h, STRAND_LONGEST * l);
  Status status = strand_create(&w, &own, 0.5 * LENGTH * l + n * own.h, 0);
  const int32_t at = (w.n + n) / 2;
  const double level = 0.5 * (w.rest + w.excited), after = CAPTURE_STEP / steep, during = duration / pulse;
  const int32_t patience =
      apart ? 0 : (int32_t)(CAPTURE_PATIENCE * (w.n - n) * fmin(own.h / l, WAITED_FOR) / steep / after) + 1;
  *out = (StrandPulse){.lowest = w.rest, .highest = w.rest};
  w.n_current = n < w.n ? n : w.n;
  w.current = amplitude;
  for (int32_t k = 0; status == OK && !out->lost && k < pulse + patience; ++k) {
    if (out->captures && k >= (pulse < PULSE_STEPS ? pulse : PULSE_STEPS)) break;
    if (k == pulse) w.current = 0;
    if (k > pulse && strand_over(&w)) break;
    out->lost = !strand_step(&w, k < pulse ? during : after, k < pulse ? k : k - pulse);
    if (out->lost) break;
    still = k < pulse && strand_change(&w) * fmin(pulse - k, STILL_TIME / during) < STILL ? still + 1 : 0;
    if (still == STILL_STEPS) pulse = k + 1;
    strand_accept(&w);
    watch(&w, out);
    out->captures |= !apart && w.V[at] >= level;
  }
  strand_release(&w);
  return status;
}
