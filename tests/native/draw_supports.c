/* Supports, and what joins displacements. */
#include "tests/native/draw_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static PlainRow *new_row(Build *b, double value) {
  Plain *p = &b->d->p;
  p->row = realloc(p->row, (size_t)(p->n_row + 1) * sizeof *p->row);
  PlainRow *row = &p->row[p->n_row++];
  memset(row, 0, sizeof *row);
  row->value = value;
  return row;
}

static void row_add(PlainRow *row, int unknown, double factor) {
  row->unknown[row->n] = unknown;
  row->factor[row->n++] = factor;
}

static bool on_side(const Build *b, int node, Side side) {
  const Plain *p = &b->d->p;
  for (int k = 0; k < p->n_facet; ++k)
    for (int a = 0; p->facet[k].side == side && a < plain_kind[p->facet[k].kind].n; ++a)
      if (p->facet[k].node[a] == node) return true;
  return false;
}

static void fix(Build *b, Side side, const bool *which, const double *value) {
  const Plain *p = &b->d->p;
  say(b->boundary, "  - {on: %s, fix: {", side_name[side]);
  for (int d = 0, n = 0; d < p->dim; ++d)
    if (which[d]) say(b->boundary, "%s%c: %.17g", n++ ? ", " : "", "xyz"[d], value[d]);
  say(b->boundary, "}}\n");
  for (int i = 0; i < p->n_node; ++i)
    for (int d = 0; d < p->dim && on_side(b, i, side); ++d)
      if (which[d]) row_add(new_row(b, value[d]), p->dim * i + d, 1);
  b->held[side] = true;
}

/* The nodes of a side move as six (three) unknowns say, small rotations about a point. */
static int rigid_rows(Build *b, Side side, const double at[3]) {
  Plain *p = &b->d->p;
  const int first = p->dim * p->n_node + p->n_rigid, dim = p->dim;
  p->n_rigid += dim == 3 ? 6 : 3;
  for (int i = 0; i < p->n_node; ++i) {
    if (!on_side(b, i, side)) continue;
    double r[3];
    for (int d = 0; d < 3; ++d) r[d] = p->x[i][d] - at[d];
    for (int d = 0; d < dim; ++d) {
      PlainRow *row = new_row(b, 0);
      row_add(row, dim * i + d, 1), row_add(row, first + d, -1);
      if (dim == 2) row_add(row, first + 2, d ? -r[0] : r[1]);
      else
        row_add(row, first + 3 + (d + 1) % 3, -r[(d + 2) % 3]), row_add(row, first + 3 + (d + 2) % 3, r[(d + 1) % 3]);
    }
    b->d->joined[i] = true;
  }
  b->held[side] = true;
  return first;
}

static void rigid_side(Build *b, Side side, bool fixed) {
  Plain *p = &b->d->p;
  static const char *const name[2][6] = {{"x", "y", "rz"}, {"x", "y", "z", "rx", "ry", "rz"}};
  const bool space = p->dim == 3;
  const double at[3] = {uniform(b, -1, 2), uniform(b, -1, 2), space ? uniform(b, -1, 2) : 0};
  const int n = space ? 6 : 3, first = rigid_rows(b, side, at);
  say(b->boundary, "  - {on: %s, rigid: {at: ", side_name[side]), say_vector(b->boundary, at, p->dim);
  p->push = realloc(p->push, (size_t)p->n_rigid * sizeof *p->push);
  for (int k = p->n_rigid - n; k < p->n_rigid; ++k) p->push[k] = 0;
  if (fixed) {
    say(b->boundary, ", fix: {");
    for (int k = 0; k < n; ++k) {
      const double value = b->d->analysis == STATIC ? uniform(b, -0.01, 0.01) : 0;
      say(b->boundary, "%s%s: %.17g", k ? ", " : "", name[space][k], value);
      row_add(new_row(b, value), first + k, 1);
    }
    say(b->boundary, "}}}\n");
    return;
  }
  double push[6] = {0};
  for (int k = 0; k < n && b->d->analysis == STATIC; ++k) p->push[p->n_rigid - n + k] = push[k] = uniform(b, -2, 2);
  if (b->d->analysis == STATIC) {
    say(b->boundary, ", force: "), say_vector(b->boundary, push, p->dim), say(b->boundary, ", moment: ");
    if (space) say_vector(b->boundary, push + 3, 3);
    else say(b->boundary, "%.17g", push[2]);
  }
  say(b->boundary, "}}\n");
}

static void symmetry(Build *b, Side side) {
  const Plain *p = &b->d->p;
  const int d = side / 2;
  double n[3], a[3], c[3], length = 0;
  for (int k = 0; k < 3; ++k) a[k] = b->shear[k][(d + 1) % 3], c[k] = b->shear[k][(d + 2) % 3];
  for (int k = 0; k < 3; ++k)
    n[k] = a[(k + 1) % 3] * c[(k + 2) % 3] - a[(k + 2) % 3] * c[(k + 1) % 3], length += n[k] * n[k];
  say(b->boundary, "  - {on: %s, symmetry: true}\n", side_name[side]);
  for (int i = 0; i < p->n_node; ++i) {
    if (!on_side(b, i, side)) continue;
    PlainRow *row = new_row(b, 0);
    for (int k = 0; k < p->dim; ++k) row_add(row, p->dim * i + k, n[k] / sqrt(length));
  }
  b->held[side] = true;
}

void draw_spring(Build *b, Side side, double (*to)[3], const char *word) {
  for (int d = 0; d < b->d->p.dim; ++d) to[side][d] = uniform(b, 100, 1000);
  say(b->boundary, "  - {on: %s, %s: ", side_name[side], word), say_vector(b->boundary, to[side], b->d->p.dim),
      say(b->boundary, "}\n");
}

void draw_supports(Build *b) {
  const Plain *p = &b->d->p;
  const bool moves = b->d->analysis == STATIC && chance(b, 0.3);
  const double v[3] = {moves ? uniform(b, -0.01, 0.01) : 0, moves ? uniform(b, -0.01, 0.01) : 0,
                       moves ? uniform(b, -0.01, 0.01) : 0};
  const int scheme = b->d->analysis == MODAL && !b->stressed && chance(b, 0.2) ? 5 : pick(b, b->sheared ? 4 : 5);
  if (scheme <= 1) fix(b, X0, (const bool[]){true, true, true}, v);
  if (scheme == 1 && !moves) symmetry(b, Y0);
  if (scheme == 2) draw_spring(b, X0, b->d->p.spring, "spring");
  if (scheme == 3 && p->model != AXISYMMETRIC && b->d->analysis != MOTION) rigid_side(b, X0, true);
  else if (scheme == 3) fix(b, Y1, (const bool[]){true, true, true}, v);
  for (int d = 0; d < p->dim && scheme == 4; ++d)
    if (p->model != AXISYMMETRIC || d == 1) fix(b, (Side)(2 * d), (const bool[]){d == 0, d == 1, d == 2}, v);
}

static void join(Build *b, Side from, Side to, int direction) {
  const Plain *p = &b->d->p;
  for (int i = 0; i < p->n_node; ++i) {
    if (!on_side(b, i, from)) continue;
    for (int j = 0; j < p->n_node; ++j) {
      double gap = 0;
      for (int d = 0; d < 3; ++d) {
        const double shift = direction < 0 ? 0 : b->shear[d][direction] * b->plane[direction][b->cells[direction]];
        gap += fabs(p->x[i][d] + shift - p->x[j][d]);
      }
      if (gap > 1e-9 || j == i || !on_side(b, j, to)) continue;
      for (int d = 0; d < p->dim; ++d) {
        PlainRow *row = new_row(b, 0);
        row_add(row, p->dim * i + d, 1), row_add(row, p->dim * j + d, -1);
      }
      b->d->joined[i] = b->d->joined[j] = true;
    }
  }
}

/* Two or three displacements of nodes that nothing else holds. */
static void draw_equation(Build *b) {
  Plain *p = &b->d->p;
  int node[3], direction[3], n = 0;
  double factor[3];
  for (int k = 0; k < 30 && n < 3; ++k) {
    const int i = pick(b, p->n_node);
    bool taken = b->d->joined[i];
    for (int side = 0; side < N_SIDE; ++side) taken |= (b->held[side] || side == X1) && on_side(b, i, (Side)side);
    for (int m = 0; m < n; ++m) taken |= node[m] == i;
    if (taken) continue;
    node[n] = i, direction[n] = pick(b, p->dim), factor[n] = (chance(b, 0.5) ? 1 : -1) * uniform(b, 0.5, 2), ++n;
  }
  if (n < 2) return;
  const double value = b->d->analysis == STATIC ? uniform(b, -0.01, 0.01) : 0;
  PlainRow *row = new_row(b, value);
  for (int m = 0; m < n; ++m) row_add(row, p->dim * node[m] + direction[m], factor[m]), b->d->joined[node[m]] = true;
  say(b->more, "equations: [{nodes: [");
  for (int m = 0; m < n; ++m) say(b->more, "%s%d", m ? ", " : "", node[m] + 1);
  say(b->more, "], components: [");
  for (int m = 0; m < n; ++m) say(b->more, "%s%c", m ? ", " : "", "xyz"[direction[m]]);
  say(b->more, "], factors: "), say_vector(b->more, factor, n), say(b->more, ", value: %.17g}]\n", value);
}

void draw_joints(Build *b) {
  const Plain *p = &b->d->p;
  if (b->tie) {
    say(b->boundary, "  - {on: %s, tie: %s}\n", chance(b, 0.5) ? "ta" : "tb", "");
    char *at = strrchr(b->boundary, '{');
    const bool a = strstr(at, "on: ta") != NULL;
    *at = 0;
    say(b->boundary, "{on: %s, tie: %s}\n", a ? "ta" : "tb", a ? "tb" : "ta");
    join(b, TIE_A, TIE_B, -1);
  }
  if (p->model == AXISYMMETRIC || b->d->analysis == MOTION) return;
  if (!b->held[Y0] && !b->held[Y1] && !p->n_rigid && chance(b, 0.15)) {
    say(b->boundary, "  - {on: y0, periodic: y1}\n");
    join(b, Y0, Y1, 1);
    b->held[Y0] = b->held[Y1] = true;
  }
  if (b->order == b->file_order && !b->refine && chance(b, 0.3)) draw_equation(b);
  if (!b->held[Y0] && !b->held[Y1] && !b->held[Z0] && !b->held[Z1] && !b->held[X1] && b->cells[0] > 1 && chance(b, 0.2))
    rigid_side(b, X1, false);
}
