/* Sectors that repeat about an axis, and the rings that they make. The file that includes this has a seed of its own. */
#pragma once
#include "tests/app/scratch.h"
#include "tests/assembly/two_blocks.h"
#include "tests/draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;
static uint64_t seed;
static inline double draw(double low, double high) { return draw_between(&seed, low, high); }

/* One of n sectors with cuts that are no planes, or all of them as a ring; `core`: solid up to the axis, of wedges there. */
typedef struct Ring {
  int32_t n, dim, radial, around, high;
  bool core, closed;
  double twist, angle, at[3], wobble[3][4][3]; /* angle: of the axis, as two_blocks_turn; wobble: of nodes */
} Ring;

static inline Ring drawn(int32_t dim, bool core) {
  Ring r = {.n = draw_whole(&seed, 3, 5), .dim = dim, .radial = 2, .around = 1, .high = dim == 3, .core = core};
  r.around = r.n == 3 ? 2 : 1;
  r.twist = draw(-0.5, 0.5), r.angle = dim == 3 ? draw(0.3, 1.2) : 0;
  for (int k = 0; k < dim; ++k) r.at[k] = draw(-2, 2);
  for (int k = 0; k < 3 * 4 * 3; ++k) r.wobble[k / 12][k / 3 % 4][k % 3] = draw(-0.03, 0.03);
  return r;
}

static inline int32_t ring_node(const Ring *r, int32_t i, int32_t j, int32_t k) {
  const int32_t rows = r->closed ? r->around * r->n : r->around + 1;
  if (r->closed) j %= rows;
  return r->core && i == 0 ? 1 + k : 2 + r->high + (k * rows + j) * (r->radial + 1) + i;
}

static inline void ring_place(const Ring *r, int32_t i, int32_t j, int32_t k, double x[3]) {
  const double *w = r->wobble[i][j % r->around];
  const double radius = (r->core && i == 0 ? 0 : r->core ? 0.6 * i : 0.5 + 0.35 * i) * (1 + w[0]);
  const double angle = 2 * PI * j / (r->around * r->n) + r->twist * radius + 0.2 * k + w[1];
  x[0] = radius * cos(angle), x[1] = radius * sin(angle), x[2] = r->dim == 3 ? 0.6 * k + (i ? w[2] : 0) : 0;
  if (r->dim == 3) two_blocks_turn(r->angle, 3, x);
  for (int c = 0; c < r->dim; ++c) x[c] += r->at[c];
}

typedef struct Writer {
  char *text;
  size_t room, at;
  int32_t n;
} Writer;
static inline void put_element(Writer *w, int32_t type, int32_t group, int32_t n, const int32_t *node) {
  w->at += (size_t)snprintf(w->text + w->at, w->room - w->at, "%d %d 2 %d %d", ++w->n, type, group, group);
  for (int32_t a = 0; a < n; ++a) w->at += (size_t)snprintf(w->text + w->at, w->room - w->at, " %d", node[a]);
  w->at += (size_t)snprintf(w->text + w->at, w->room - w->at, "\n");
  assert_true(w->at + 200 < w->room);
}

/* The cell (i, j) and its sides: groups 1 body, 2 cut0, 3 cut1, 4 inner, 5 outer, 6 z0, 7 z1. */
static inline void put_cell(const Ring *r, int32_t i, int32_t j, Writer *w) {
  const bool flat = r->dim == 2, wedge = r->core && i == 0, last = !r->closed && j == r->around - 1;
  const int32_t m = wedge ? 3 : 4, at[4][2] = {{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}};
  int32_t node[8];
  for (int32_t a = 0; a < 2 * m; ++a) node[a] = ring_node(r, at[a % m][0], at[a % m][1], a / m);
  const int32_t side[4][3] = {{0, 1, !r->closed && j == 0 ? 2 : 0},
                              {1, 2, i == r->radial - 1 ? 5 : 0},
                              {m - 1, 2, last && !wedge ? 3 : 0},
                              {0, m - 1, i == 0 && !wedge ? 4 : 0}};
  put_element(w, flat ? m - 1 : m == 3 ? 6 : 5, 1, flat ? m : 2 * m, node);
  for (int32_t s = 0; s < 4; ++s) {
    int32_t a = side[s][0], b = side[s][1];
    if (s == 2 && wedge && last) a = 0, b = 2;
    else if (!side[s][2]) continue;
    const int32_t face[4] = {node[a], node[b], flat ? 0 : node[m + b], flat ? 0 : node[m + a]};
    put_element(w, flat ? 1 : 3, s == 2 ? 3 : side[s][2], flat ? 2 : 4, face);
  }
  if (flat) return;
  put_element(w, m == 3 ? 2 : 3, 6, m, node);
  put_element(w, m == 3 ? 2 : 3, 7, m, node + m);
}

static inline void put_nodes(const Ring *r, Writer *w) {
  const int32_t rows = r->closed ? r->around * r->n : r->around + 1, of_row = r->radial + 1;
  const int32_t n = 1 + r->high + (1 + r->high) * rows * of_row;
  w->at += (size_t)snprintf(w->text + w->at, w->room - w->at, "$Nodes\n%d\n", n);
  for (int32_t k = 0; k <= r->high; ++k)
    for (int32_t j = -1; j < rows; ++j)
      for (int32_t i = 0; i < of_row; ++i) {
        double x[3] = {0};
        if (j < 0 && i) continue;
        ring_place(r, i, j < 0 ? 0 : j, k, x);
        const int32_t tag = j < 0 ? 1 + k : 2 + r->high + (k * rows + j) * of_row + i;
        w->at += (size_t)snprintf(w->text + w->at, w->room - w->at, "%d %.17g %.17g %.17g\n", tag, x[0], x[1], x[2]);
      }
}

static inline void ring_write(const char *folder, const char *name, const Ring *r) {
  static const char *const group[7] = {"body", "cut0", "cut1", "inner", "outer", "z0", "z1"};
  Writer w = {.room = 1 << 18};
  assert_non_null(w.text = malloc(w.room));
  w.at = (size_t)snprintf(w.text, w.room, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n7\n");
  for (int g = 0; g < 7; ++g)
    w.at += (size_t)snprintf(w.text + w.at, w.room - w.at, "%d %d \"%s\"\n", r->dim - (g > 0), g + 1, group[g]);
  w.at += (size_t)snprintf(w.text + w.at, w.room - w.at, "$EndPhysicalNames\n");
  put_nodes(r, &w);
  w.at += (size_t)snprintf(w.text + w.at, w.room - w.at, "$EndNodes\n$Elements\n");
  const size_t count = w.at;
  w.at += (size_t)snprintf(w.text + w.at, w.room - w.at, "%10d\n", 0);
  for (int32_t j = 0; j < (r->closed ? r->around * r->n : r->around); ++j)
    for (int32_t i = 0; i < r->radial; ++i) put_cell(r, i, j, &w);
  snprintf(w.text + w.at, w.room - w.at, "$EndElements\n");
  char number[11];
  snprintf(number, sizeof number, "%10d", w.n);
  memcpy(w.text + count, number, 10);
  scratch_write(folder, name, w.text);
  free(w.text);
}

/* ---- cases of them ---- */

static inline void axis_of(const Ring *r, double axis[3]) {
  axis[0] = axis[1] = 0, axis[2] = 1;
  if (r->dim == 3) two_blocks_turn(r->angle, 3, axis);
}

/* "origin: [..], axis: [..]" */
static inline void put_axis(const Ring *r, char *text, size_t size) {
  double a[3];
  axis_of(r, a);
  if (r->dim == 2) snprintf(text, size, "origin: [%.17g, %.17g]", r->at[0], r->at[1]);
  else
    snprintf(text, size, "origin: [%.17g, %.17g, %.17g], axis: [%.17g, %.17g, %.17g]", r->at[0], r->at[1], r->at[2],
             a[0], a[1], a[2]);
}

/* A traction of `size` around the axis and along it, the same in all sectors. */
static inline void put_traction(const Ring *r, double size, char *text, size_t room) {
  double a[3];
  axis_of(r, a);
  size_t at = (size_t)snprintf(text, room, "[");
  for (int c = 0; c < r->dim; ++c) {
    const int i = (c + 1) % 3, j = (c + 2) % 3;
    at += (size_t)snprintf(text + at, room - at, "%s\"%.17g*(%.17g*(%c-(%.17g))-(%.17g)*(%c-(%.17g))+%.17g)\"",
                           c ? ", " : "", size, a[i], "xyz"[j], r -> at[j], a[j], "xyz"[i], r -> at[i], 0.5 * a[c]);
  }
  snprintf(text + at, room - at, "]");
}
