/* Row kernels of rigid groups (rigid_group.h): where a group is, and how its nodes follow the unknowns that it hangs on. */
#pragma once
#include "core/hd.h"

#include <math.h>

enum { RIGID_FREEDOMS = 6, RIGID_ITERATIONS = 40 };

/* Freedom i is the displacement of the point `at` along axis i below dim, then the rotation about an axis, times the size of the
 * group. Those that are prescribed are bits of `held`; the others follow from n_slot unknowns of its nodes. */
typedef struct RigidGroup {
  int32_t dim, n_slot, held;
  int32_t small;                     /* rotations are those of small angles */
  int32_t slot[RIGID_FREEDOMS];      /* unknowns, in the solver's order */
  int32_t component[RIGID_FREEDOMS]; /* of each, */
  double x[RIGID_FREEDOMS][3];       /* and where its node was */
  double at[3], size;
  double base[9]; /* less I: the slots say a rotation from this one on; 0 where a part of its vector is prescribed, */
  double from[3]; /* which is found near this one */
} RigidGroup;
/* What acts on a group at a time: displacement of the point and rotation vector where they are prescribed, force, moment. */
typedef struct RigidActs {
  double value[6], force[6];
} RigidActs;
/* Where a group is: x0 has moved by shift + (R - I) (x0 - at), R that by the vector times the base. Rotations are R - I, found without
 * a difference: inertia takes second differences of displacements over a step, and small ones must not be lost beside 1. */
typedef struct RigidPlace {
  double shift[3], rotation[9], vector[3]; /* rotation: R - I */
  double inverse[RIGID_FREEDOMS]
                [RIGID_FREEDOMS]; /* freedoms, by small changes of the slots, then of what is prescribed */
} RigidPlace;
/* An unknown that depends: component of a node at x, of a group. */
typedef struct RigidRow {
  int32_t group, component, unknown;
  double x[3];
} RigidRow;
/* Its factor of a slot, and where that goes; -1: nowhere. */
typedef struct RigidTerm {
  int32_t row, slot;
  int64_t follow, gather, pass, weight;
} RigidTerm;

typedef struct RigidArgs {
  const RigidGroup *group;
  const RigidActs *acts;
  RigidPlace *place;
  const RigidRow *row;
  const RigidTerm *term;
  double *u;
  double *follow, *gather, *pass, *weight;
  const double *base; /* loads without those of groups; NULL: groups have none */
  double *external;
} RigidArgs;

/* out = a [w] + b [w]^2 */
HD void rigid_polynomial(const double *w, double a, double b, double *out) {
  const double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out[3 * i + j] = b * (w[i] * w[j] - (i == j) * square);
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    out[3 * i + j] -= a * w[k];
    out[3 * j + i] += a * w[k];
  }
}

/* Rotation by the vector w (Rodrigues), less I. */
HD void rigid_rotation(const double *w, int32_t small, double *out) {
  const double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2], angle = sqrt(square), half = sin(0.5 * angle);
  if (small) rigid_polynomial(w, 1, 0, out);
  else if (angle < 1e-8) rigid_polynomial(w, 1, 0.5, out);
  else rigid_polynomial(w, sin(angle) / angle, 2 * half * half / square, out);
}

/* What a further small rotation adds to the vector w. */
HD void rigid_vector_rate(const double *w, int32_t small, double *out) {
  const double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2], angle = sqrt(square);
  const double least = 1e-12, half = sin(0.5 * angle); /* whole turns have no rate across their axis */
  const double sine = fabs(half) > least ? half : half < 0 ? -least : least;
  double b = 1.0 / 12 + square / 720;
  if (angle > 1e-2) b = (1 - 0.5 * angle * cos(0.5 * angle) / sine) / square;
  if (small) rigid_polynomial(w, 0, 0, out);
  else rigid_polynomial(w, -0.5, b, out);
  for (int k = 0; k < 9; k += 4) out[k] += 1;
}

/* The rotation of the vector w behind the base, less I. */
HD void rigid_turned(const RigidGroup *g, const double *w, double *out) {
  double by[9];
  rigid_rotation(w, g->small, by);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      out[3 * i + j] = by[3 * i] * g->base[j] + by[3 * i + 1] * g->base[3 + j] + by[3 * i + 2] * g->base[6 + j] +
                       (by[3 * i + j] + g->base[3 * i + j]);
}

/* How many rotations are prescribed: none, a part, or all. */
HD int rigid_rotations_held(const RigidGroup *g) {
  const int held = g->held >> g->dim;
  return (held & 1) + (held >> 1 & 1) + (held >> 2 & 1);
}
HD int rigid_rotations(const RigidGroup *g) { return g->dim == 3 ? 3 : 1; }

HD void rigid_turn(const double *by, const double *r, double *out) {
  for (int i = 0; i < 3; ++i) out[i] = by[3 * i] * r[0] + by[3 * i + 1] * r[1] + by[3 * i + 2] * r[2];
}

HD void rigid_from_point(const RigidGroup *g, const double *x, double *out) {
  for (int k = 0; k < 3; ++k) out[k] = k < g->dim ? x[k] - g->at[k] : 0;
}

HD int rigid_axis(const RigidGroup *g, int i) { return g->dim == 3 ? i - 3 : 2; }

/* Component c at the lever r of each freedom. */
HD void rigid_freedoms(const RigidGroup *g, const double *r, int c, double *row) {
  const int n = g->dim == 3 ? 6 : 3;
  for (int i = 0; i < n; ++i) row[i] = i == c;
  for (int i = g->dim; i < n; ++i) {
    const int a = rigid_axis(g, i);
    if (c == (a + 1) % 3) row[i] = -r[(a + 2) % 3] / g->size;
    if (c == (a + 2) % 3) row[i] = r[(a + 1) % 3] / g->size;
  }
}

/* The lever that small changes turn. */
HD void rigid_lever(const RigidGroup *g, const double *rotation, const double *x, double *out) {
  double r[3], added[3] = {0, 0, 0};
  rigid_from_point(g, x, r);
  if (!g->small) rigid_turn(rotation, r, added);
  for (int k = 0; k < 3; ++k) out[k] = r[k] + added[k];
}

/* Displacement of the node that was at x. */
HD double rigid_moved(const RigidGroup *g, const double *shift, const double *rotation, const double *x, int c) {
  double r[3], added[3];
  rigid_from_point(g, x, r);
  rigid_turn(rotation, r, added);
  return shift[c] + added[c];
}

/* a becomes its inverse (Gauss and Jordan); the smallest pivot. */
HD double rigid_invert(int n, double a[RIGID_FREEDOMS][RIGID_FREEDOMS], double out[RIGID_FREEDOMS][RIGID_FREEDOMS]) {
  double least = 1e300;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) out[i][j] = i == j;
  for (int c = 0; c < n; ++c) {
    int p = c;
    for (int r = c; r < n; ++r)
      if (fabs(a[r][c]) > fabs(a[p][c])) p = r;
    const double pivot = a[p][c];
    if (fabs(pivot) < least) least = fabs(pivot);
    for (int k = 0; k < n; ++k) {
      const double s = a[p][k], t = out[p][k];
      a[p][k] = a[c][k], out[p][k] = out[c][k];
      a[c][k] = s / pivot, out[c][k] = t / pivot;
    }
    for (int r = 0; r < n; ++r) {
      const double f = r == c ? 0 : a[r][c];
      for (int k = 0; k < n; ++k) a[r][k] -= f * a[c][k], out[r][k] -= f * out[c][k];
    }
  }
  return least;
}

/* How far slots and what is prescribed are from the motion (d, w), and by how much they change with it; of a vector of which a part is
 * prescribed in units of its rate, which has no bound near whole turns. */
HD void rigid_equations(const RigidGroup *g, const RigidActs *acts, const double *u, const double *d, const double *w,
                        double a[RIGID_FREEDOMS][RIGID_FREEDOMS], double *off) {
  const int n = g->dim == 3 ? 6 : 3;
  double rotation[9], rate[9], lever[3];
  const int all = rigid_rotations_held(g) == rigid_rotations(g); /* w is what it is */
  double most = 1;
  int row = 0;
  rigid_turned(g, w, rotation);
  rigid_vector_rate(w, g->small, rate);
  for (int k = 0; k < 9; ++k) most = fabs(rate[k]) > most ? fabs(rate[k]) : most;
  for (; row < g->n_slot; ++row) {
    rigid_lever(g, rotation, g->x[row], lever);
    rigid_freedoms(g, lever, g->component[row], a[row]);
    off[row] = rigid_moved(g, d, rotation, g->x[row], g->component[row]) - u[g->slot[row]];
  }
  for (int i = 0; i < n; ++i) {
    if (!(g->held >> i & 1)) continue;
    for (int k = 0; k < n; ++k) a[row][k] = i == k;
    if (i < g->dim) off[row] = d[i] - acts->value[i];
    else {
      const int axis = rigid_axis(g, i);
      for (int k = g->dim; k < n && !all; ++k) a[row][k] = rate[3 * axis + rigid_axis(g, k)] / most;
      off[row] = (w[axis] - acts->value[3 + axis]) * g->size / most;
    }
    ++row;
  }
}

/* The motion that the slots say, by Newton's method from that of what is prescribed and of the base; not a number where there is none. */
HD void rigid_motion_body(const RigidArgs *args, int64_t index, double sum[]) {
  const double ENOUGH = 1e-14, LEAST = 1e-3;
  const RigidGroup *g = &args->group[index];
  const RigidActs *acts = &args->acts[index];
  RigidPlace *out = &args->place[index];
  const int n = g->dim == 3 ? 6 : 3;
  double d[3] = {0, 0, 0}, w[3] = {g->from[0], g->from[1], g->from[2]}, a[RIGID_FREEDOMS][RIGID_FREEDOMS],
         off[RIGID_FREEDOMS], rate[9];
  double change = 1, least = 1;
  (void)sum;
  for (int i = 0; i < n; ++i) {
    if (!(g->held >> i & 1)) continue;
    if (i < g->dim) d[i] = acts->value[i];
    else w[rigid_axis(g, i)] = acts->value[3 + rigid_axis(g, i)];
  }
  for (int k = 0; k < RIGID_ITERATIONS && change > ENOUGH; ++k) {
    double by[3] = {0, 0, 0}, added[3];
    rigid_equations(g, acts, args->u, d, w, a, off);
    least = rigid_invert(n, a, out->inverse);
    change = 0;
    for (int i = 0; i < n; ++i) {
      double step = 0;
      for (int j = 0; j < n; ++j) step -= out->inverse[i][j] * off[j];
      if (!(fabs(step) <= change * g->size)) change = fabs(step) / g->size;
      if (i < g->dim) d[i] += step;
      else by[rigid_axis(g, i)] = step / g->size;
    }
    rigid_vector_rate(w, g->small, rate);
    rigid_turn(rate, by, added);
    for (int i = 0; i < 3; ++i) w[i] += added[i];
  }
  rigid_turned(g, w, out->rotation);
  for (int k = 0; k < 3; ++k) out->vector[k] = w[k];
  const double lost = change <= 1000 * ENOUGH && least > LEAST ? 0 : (double)NAN;
  for (int k = 0; k < 3; ++k) out->shift[k] = d[k] + lost;
  for (int j = 0; args->base && j < g->n_slot; ++j) {
    double force = 0;
    for (int i = 0; i < n; ++i)
      force += out->inverse[i][j] * (i < g->dim ? acts->force[i] : acts->force[3 + rigid_axis(g, i)] / g->size);
    args->external[g->slot[j]] = args->base[g->slot[j]] + force;
  }
}

/* Forces on the slots do no work in what is prescribed, so that of force and moment they miss what supports bear of it. */
typedef struct RigidHub {
  int32_t first[3]; /* unknowns of the nodes of which slots are, in the solver's order, */
  double x[3][3];   /* and where these were */
} RigidHub;
typedef struct RigidBearArgs {
  const RigidGroup *group;
  const RigidActs *acts;
  const RigidPlace *place;
  const RigidHub *hub;
  double *raw; /* f_ext - f_int, global frame: what is missing goes on the hubs, by the smallest forces */
} RigidBearArgs;
HD void rigid_bear_body(const RigidBearArgs *args, int64_t index, double sum[]) {
  const RigidGroup *g = &args->group[index];
  const RigidPlace *place = &args->place[index];
  const RigidHub *hub = &args->hub[index];
  const int n = g->dim == 3 ? 6 : 3;
  double missing[RIGID_FREEDOMS], by[RIGID_FREEDOMS], row[RIGID_FREEDOMS], lever[3];
  double a[RIGID_FREEDOMS][RIGID_FREEDOMS] = {{0}}, inverse[RIGID_FREEDOMS][RIGID_FREEDOMS];
  (void)sum;
  if (!g->held) return;
  for (int i = 0; i < n; ++i)
    missing[i] = i < g->dim ? args->acts[index].force[i] : args->acts[index].force[3 + rigid_axis(g, i)] / g->size;
  for (int i = 0; i < n; ++i) by[i] = missing[i];
  for (int j = 0; j < g->n_slot; ++j) {
    double force = 0;
    for (int i = 0; i < n; ++i) force += place->inverse[i][j] * by[i];
    rigid_lever(g, place->rotation, g->x[j], lever);
    rigid_freedoms(g, lever, g->component[j], row);
    for (int i = 0; i < n; ++i) missing[i] -= row[i] * force;
  }
  for (int k = 0; k < g->dim * g->dim; ++k) {
    rigid_lever(g, place->rotation, hub->x[k / g->dim], lever);
    rigid_freedoms(g, lever, k % g->dim, row);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) a[i][j] += row[i] * row[j];
  }
  (void)rigid_invert(n, a, inverse);
  for (int i = 0; i < n; ++i) {
    by[i] = 0;
    for (int j = 0; j < n; ++j) by[i] += inverse[i][j] * missing[j];
  }
  for (int k = 0; k < g->dim * g->dim; ++k) {
    rigid_lever(g, place->rotation, hub->x[k / g->dim], lever);
    rigid_freedoms(g, lever, k % g->dim, row);
    for (int i = 0; i < n; ++i) args->raw[hub->first[k / g->dim] + k % g->dim] += row[i] * by[i];
  }
}

HD void rigid_factor_body(const RigidArgs *a, int64_t index, double sum[]) {
  const RigidTerm *t = &a->term[index];
  const RigidRow *row = &a->row[t->row];
  const RigidGroup *g = &a->group[row->group];
  const RigidPlace *place = &a->place[row->group];
  double lever[3], freedom[RIGID_FREEDOMS], factor = 0;
  (void)sum;
  rigid_lever(g, place->rotation, row->x, lever);
  rigid_freedoms(g, lever, row->component, freedom);
  for (int i = 0; i < (g->dim == 3 ? 6 : 3); ++i) factor += freedom[i] * place->inverse[i][t->slot];
  a->follow[t->follow] = factor;
  if (t->gather >= 0) a->gather[t->gather] = factor;
  if (t->pass >= 0) a->pass[t->pass] = factor;
  if (t->weight >= 0) a->weight[t->weight] = factor;
}

/* What nodal forces f, raw and in the global frame, do to the moment of group `of` as it turns: bend is the symmetric part of the sum of
 * l f^T with levers l, over all rows, then the slots of the group; xx yy zz in part 0, yz xz xy in part 1; the moment itself in part 2. */
enum { RIGID_BENDS = 9, RIGID_BEND_PARTS = 3 };
typedef struct RigidBendArgs {
  int64_t n_row;
  int32_t of, part;
  const RigidGroup *group;
  const RigidPlace *place;
  const RigidRow *row;
  const double *f;
  double (*bend)[RIGID_BENDS];
} RigidBendArgs;
HD void rigid_bend_body(const RigidBendArgs *a, int64_t index, double *sum) {
  const RigidGroup *g = &a->group[a->of];
  const int is_row = index < a->n_row;
  const int64_t j = index - a->n_row;
  const double *x = is_row ? a->row[index].x : g->x[j];
  const int c = is_row ? a->row[index].component : g->component[j];
  double lever[3];
  if (is_row && a->row[index].group != a->of) return;
  const double f = a->f[is_row ? a->row[index].unknown : g->slot[j]];
  rigid_lever(g, a->place[a->of].rotation, x, lever);
  for (int i = 0; i < 3; ++i) {
    if (a->part == 0) sum[i] += i == c ? lever[i] * f : 0;
    else if (a->part == 1) sum[i] += i == c ? 0 : 0.5 * lever[3 - i - c] * f;
    else if (i != c) sum[i] += (i == (c + 1) % 3 ? 1 : -1) * lever[3 - i - c] * f;
  }
}
HD void rigid_bend_finish(const RigidBendArgs *a, const double *sum) {
  for (int k = 0; k < 3; ++k) a->bend[a->of][3 * a->part + k] = sum[k];
}

/* Derivatives of what the vector w turns by per change along axis i, T(w) e_i with T = 1 + a [w] + b [w]^2, along axis j, symmetric in both,
 * times the moment m. */
HD double rigid_vector_bends(const double *w, const double *m, int i, int j) {
  const double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2], t = sqrt(square);
  /* da, db: derivatives of a and b by t, over t; cross: m x w */
  double b = 1.0 / 6 - square / 120, da = -1.0 / 12 + square / 180, db = -1.0 / 60 + square / 1260, cross[3], all = 0;
  if (t > 1e-1) {
    b = (t - sin(t)) / (square * t);
    da = (t * sin(t) - 2 * (1 - cos(t))) / (square * square);
    db = (3 * sin(t) - 2 * t - t * cos(t)) / (square * square * t);
  }
  for (int k = 0; k < 3; ++k) {
    cross[k] = m[(k + 1) % 3] * w[(k + 2) % 3] - m[(k + 2) % 3] * w[(k + 1) % 3];
    all += m[k] * w[k];
  }
  /* m.(w x e_i) = cross_i; m.(e_j x (w x e_i) + w x (e_j x e_i)) = delta all + m_j w_i - 2 m_i w_j, of which the symmetric part */
  const double twice = (i == j ? all : 0) - 0.5 * (m[i] * w[j] + m[j] * w[i]);
  const double bent_i = all * w[i] - square * m[i], bent_j = all * w[j] - square * m[j]; /* m.(w x (w x e)) */
  return da * 0.5 * (w[j] * cross[i] + w[i] * cross[j]) + b * twice + db * 0.5 * (w[j] * bent_i + w[i] * bent_j);
}

/* That in the matrix of the slots, B^T (tr(bend) 1 - bend) B; [pair] of slots a and b. Of a group of whose vector a part is prescribed the
 * axes that it turns about go along with it, so that moments about what is held count. */
typedef struct RigidPair {
  int32_t group, a, b;
  int64_t at; /* of the scalars of all blocks of the matrix in order */
} RigidPair;
typedef struct RigidPairArgs {
  const RigidPair *pair;
  const RigidGroup *group;
  const RigidPlace *place;
  const double (*bend)[RIGID_BENDS];
  const RigidActs *acts;
  const int64_t *target;
  double *values;
} RigidPairArgs;
HD void rigid_pair_body(const RigidPairArgs *args, int64_t index, double sum[]) {
  const RigidPair *p = &args->pair[index];
  const RigidGroup *g = &args->group[p->group];
  const double *bend = args->bend[p->group];
  const RigidPlace *place = &args->place[p->group];
  double value = 0;
  (void)sum;
  for (int i = g->dim; i < (g->dim == 3 ? 6 : 3); ++i)
    for (int k = g->dim; k < (g->dim == 3 ? 6 : 3); ++k) {
      const int x = rigid_axis(g, i), y = rigid_axis(g, k);
      const double turns = x == y ? bend[(x + 1) % 3] + bend[(x + 2) % 3] : -bend[6 - x - y];
      value += place->inverse[i][p->a] * turns * place->inverse[k][p->b];
    }
  if (rigid_rotations_held(g) > 0) {
    double rate[9], x[3], y[3], m[3], from[3], to[3];
    rigid_vector_rate(place->vector, g->small, rate);
    for (int k = 0; k < 3; ++k) {
      m[k] = bend[6 + k] + args->acts[p->group].force[3 + k];
      from[k] = place->inverse[3 + k][p->a], to[k] = place->inverse[3 + k][p->b];
    }
    rigid_turn(rate, from, x);
    rigid_turn(rate, to, y);
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) value -= x[i] * y[k] * rigid_vector_bends(place->vector, m, i, k);
  }
  args->values[args->target[p->at]] += value / (g->size * g->size);
}

/* Unknowns of groups: rows first, then the slots of each group. */
typedef struct RigidTakeArgs {
  int64_t n_row;
  const RigidGroup *group;
  const RigidRow *row;
  const double *from;
  double *to;
} RigidTakeArgs;
HD void rigid_take_body(const RigidTakeArgs *a, int64_t index, double sum[]) {
  (void)sum;
  if (index < a->n_row) {
    const int32_t i = a->row[index].unknown;
    a->to[i] = a->from[i];
    return;
  }
  const RigidGroup *g = &a->group[index - a->n_row];
  for (int32_t j = 0; j < g->n_slot; ++j) a->to[g->slot[j]] = a->from[g->slot[j]];
}

HD void rigid_row_body(const RigidArgs *a, int64_t index, double sum[]) {
  const RigidRow *row = &a->row[index];
  const RigidPlace *place = &a->place[row->group];
  (void)sum;
  a->u[row->unknown] = rigid_moved(&a->group[row->group], place->shift, place->rotation, row->x, row->component);
}
