/* Edges and corners of bodies that sit in those of others, where a node has several normals: one strain of both bodies passes exactly
 * whatever the meshes are, with either body as `on`, in one entry or in one for each side. */
#include "tests/app/scratch.h"
#include "algebra/graph/sparse_direct.h"
#include "mesh/mesh.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 1 << 20 };
static const double STRAIN[3] = {1e-3, 2e-3, 1.5e-3}; /* shortening along x, y and z */

typedef struct Writer {
  char *text;
  size_t used;
  int n;
} Writer;

__attribute__((format(printf, 2, 3))) static void put(Writer *w, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(w->text + w->used, TEXT - w->used, format, args);
  va_end(args);
  if (n < 0 || (size_t)n >= TEXT - w->used) fail_msg("mesh too large");
  w->used += (size_t)n;
}

/* A grid of 2 per unit over [-1, 1]^dim without [0, 1]^dim, which is the seat, or of [0, 1]^dim, the block; cells are split into simplices
 * or not. */
typedef struct Part {
  int dim, n, seat;
  bool simplices;
  int first; /* node */
} Part;

static int side(const Part *p) { return (p->seat ? 2 * p->n : p->n) + 1; }
static int node_of(const Part *p, const int *i) {
  return p->first + i[0] + side(p) * (i[1] + (p->dim == 3 ? side(p) * i[2] : 0));
}

static bool is_cell(const Part *p, const int *i) {
  bool out = !p->seat;
  for (int d = 0; d < p->dim && !out; ++d) out = i[d] < p->n;
  return out;
}

static void put_element(Writer *w, int type, int tag, int n, const int *corner) {
  put(w, "%d %d 2 %d %d", ++w->n, type, tag, tag);
  for (int k = 0; k < n; ++k) put(w, " %d", corner[k]);
  put(w, "\n");
}

/* The cell at i in the directions d[n], as a whole or by ways along its edges from corner to corner. */
static void put_cell(Writer *w, const Part *p, const int *i, int n, const int *d, int tag) {
  static const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  static const int whole[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                  {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  static const int type[2][4] = {{15, 1, 3, 5}, {15, 1, 2, 4}};
  int corner[8], at[3];
  if (!p->simplices || n < 2) {
    for (int k = 0; k < 1 << n; ++k) {
      memcpy(at, i, sizeof at);
      for (int e = 0; e < n; ++e) at[d[e]] += whole[k][e];
      corner[k] = node_of(p, at);
    }
    put_element(w, type[0][n], tag, 1 << n, corner);
    return;
  }
  for (int o = 0; o < 6; ++o) {
    if (n == 2 && o != 0 && o != 5) continue;
    memcpy(at, i, sizeof at);
    corner[0] = node_of(p, at);
    for (int k = 0; k < n; ++k) ++at[d[order[o][k]]], corner[k + 1] = node_of(p, at);
    if (n == p->dim && o >= 3) { /* of the other orientation */
      const int last = corner[n];
      corner[n] = corner[n - 1], corner[n - 1] = last;
    }
    put_element(w, type[1][n], tag, n + 1, corner);
  }
}

/* Facets of the part across direction c at place `at`, tag. below: only those in [0, 1]. */
static void put_side(Writer *w, const Part *p, int c, int at, bool upper, int tag) {
  const int n = side(p) - 1;
  int d[2], m = 0;
  for (int k = 0; k < p->dim; ++k)
    if (k != c) d[m++] = k;
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < (m > 1 ? n : 1); ++b) {
      int i[3] = {0, 0, 0}, cell[3];
      i[c] = at, i[d[0]] = a;
      if (m > 1) i[d[1]] = b;
      bool skip = false;
      for (int k = 0; k < m && upper; ++k) skip |= i[d[k]] < p->n;
      memcpy(cell, i, sizeof cell);
      if (at == n) --cell[c];
      if (!skip && (upper || is_cell(p, cell))) put_cell(w, p, i, m, d, tag);
    }
}

static void put_part(Writer *w, const Part *p) {
  static const int all[3] = {0, 1, 2};
  const int n = side(p) - 1;
  for (int i = 0; i < (p->dim == 3 ? n * n * n : n * n); ++i) {
    const int cell[3] = {i % n, i / n % n, p->dim == 3 ? i / (n * n) : 0};
    if (is_cell(p, cell)) put_cell(w, p, cell, p->dim, all, p->seat ? 1 : 2);
  }
  for (int c = 0; c < p->dim; ++c) {
    put_side(w, p, c, n, false, (p->seat ? 20 : 70) + c);
    if (p->seat) put_side(w, p, c, 0, false, 10 + c);
    put_side(w, p, c, p->seat ? p->n : 0, p->seat, (p->seat ? 30 : 40) + c);
    put_side(w, p, c, p->seat ? p->n : 0, p->seat, p->seat ? 50 : 60);
  }
}

/* Groups "body", low0, high0, ... of the outer sides, in0, ... of the seat's and out0, ... of the block's, all of them "inside" and "outside". */
static void write_corner(const char *folder, int dim, const int n[2], const bool simplices[2], double shift) {
  Part part[2] = {{dim, n[0], 1, simplices[0], 1}, {dim, n[1], 0, simplices[1], 0}};
  Writer w = {malloc(TEXT), 0, 0};
  int n_node = 0;
  put(&w,
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n%d\n%d 1 \"seat\"\n%d 2 \"block\"\n%d 50 \"inside\"\n%d "
      "60 \"outside\"\n",
      4 + 5 * dim, dim, dim, dim - 1, dim - 1);
  for (int c = 0; c < dim; ++c)
    put(&w, "%d %d \"push%d\"\n%d %d \"low%d\"\n%d %d \"high%d\"\n%d %d \"in%d\"\n%d %d \"out%d\"\n", dim - 1, 70 + c,
        c, dim - 1, 10 + c, c, dim - 1, 20 + c, c, dim - 1, 30 + c, c, dim - 1, 40 + c, c);
  put(&w, "$EndPhysicalNames\n$Nodes\n");
  part[1].first = 1 + (int)lround(pow(side(&part[0]), dim));
  n_node = part[1].first - 1 + (int)lround(pow(side(&part[1]), dim));
  put(&w, "%d\n", n_node);
  for (int k = 0; k < 2; ++k) {
    const int m = side(&part[k]);
    for (int i = 0; i < (dim == 3 ? m * m * m : m * m); ++i) {
      const int at[3] = {i % m, i / m % m, dim == 3 ? i / (m * m) : 0};
      put(&w, "%d", part[k].first + i);
      for (int d = 0; d < 3; ++d)
        put(&w, " %.17g", d < dim ? (double)at[d] / part[k].n - part[k].seat + (k && !d ? shift : 0) : 0);
      put(&w, "\n");
    }
  }
  Writer e = {malloc(TEXT), 0, 0};
  for (int k = 0; k < 2; ++k) put_part(&e, &part[k]);
  put(&w, "$EndNodes\n$Elements\n%d\n%s$EndElements\n", e.n, e.text);
  scratch_write(folder, "corner.msh", w.text);
  free(w.text);
  free(e.text);
}

typedef struct Corner {
  int dim, n[2], order;
  bool simplices[2];
} Corner;

static const Corner corners[] = {{2, {3, 4}, 1, {false, false}}, {2, {3, 2}, 1, {true, false}},
                                 {2, {2, 3}, 2, {false, true}},  {3, {2, 3}, 1, {false, false}},
                                 {3, {3, 2}, 1, {true, true}},   {3, {2, 3}, 2, {false, false}},
                                 {3, {2, 2}, 2, {true, true}},   {3, {2, 2}, 1, {false, true}}};
enum { N_CORNER = sizeof corners / sizeof *corners, POINTS = 6 };

static const double E = 1000, NU = 0.3;
static double stress(int dim, int d) {
  double others = 0;
  for (int k = 0; k < dim; ++k)
    if (k != d) others += STRAIN[k];
  return -E / ((1 + NU) * (1 - 2 * NU)) * ((1 - NU) * STRAIN[d] + NU * others);
}

static void put_head(Writer *w, const Corner *q, double seat, const char *type, const char *rest) {
  put(w,
      "version: 1\nphysics: elasticity\nmesh: {file: corner.msh, order: %d}\nmodel: %s\nsolver: {method: "
      "direct}\nmaterials: [{on: seat, %syoung: %g, poisson: 0.3}, {on: block, %syoung: 1000, poisson: 0.3}]\n%s",
      q->order, q->dim == 3 ? "3d" : "plane-strain", type, seat, type, rest);
}

/* The seat is shortened by so much of STRAIN, and the block, which comes along x. */
static void put_sides(Writer *w, int dim, double part, double push, double way) {
  put(w, "boundary: [");
  for (int d = 0; d < dim; ++d)
    put(w, "{on: push%d, fix: {%c: '%g*min(1, 2*t)'}}, ", d, "xyz"[d], -push * STRAIN[d] - (d ? 0 : way));
  for (int d = 0; d < dim; ++d)
    put(w, "%s{on: low%d, fix: {%c: '%g*min(1, 2*t)'}}, {on: high%d, fix: {%c: '%g*min(1, 2*t)'}}", d ? ", " : "", d,
        "xyz"[d], part * STRAIN[d], d, "xyz"[d], -part * STRAIN[d]);
  put(w, "]\n");
}

/* Supports hold all of the outer sides in all directions, the rims of the contact too. */
static void put_held(Writer *w, int dim) {
  put(w, "boundary: [");
  for (int d = 0; d < dim; ++d) {
    static const char *const side_name[] = {"low", "high", "push"};
    for (int k = 0; k < 3; ++k) {
      put(w, "%s{on: %s%d, fix: {x: '%g*x*t', y: '%g*y*t'", d || k ? ", " : "", side_name[k], d, -STRAIN[0],
          -STRAIN[1]);
      put(w, dim == 3 ? ", z: '%g*z*t'}}" : "}}", -STRAIN[2]);
    }
  }
  put(w, "]\n");
}

/* One entry, or one for each side, with `keys` (of side c). */
static void put_contact(Writer *w, const Corner *q, bool exchanged, bool each, const char *const keys[3]) {
  put(w, "contact: [");
  for (int c = 0; c < (each ? q->dim : 1); ++c) {
    char in[20] = "inside", out[20] = "outside";
    if (each) snprintf(in, sizeof in, "in%d", c), snprintf(out, sizeof out, "out%d", c);
    put(w, "%s{on: %s, against: %s%s}", c ? ", " : "", exchanged ? in : out, exchanged ? out : in, keys[c]);
  }
  put(w, "]\n");
}

/* Stress along d at points near the edges on both sides of them, those of the block first, then the pressure at the corner. */
static int put_points(Writer *w, int dim, double shift) {
  static const double at[POINTS][3] = {{0.02, 0.03, 0.04}, {0.4, 0.03, 0.02}, {0.03, 0.6, 0.45},
                                       {-0.02, 0.3, 0.2},  {0.3, -0.03, 0.6}, {-0.01, -0.02, -0.03}};
  int n = 0;
  put(w, "output: {probes: [");
  for (int p = 0; p < POINTS; ++p)
    for (int d = 0; d < dim; ++d, ++n) {
      put(w, "{name: s%d, field: stress-%c%c, at: [%g, %g", n, "xyz"[d], "xyz"[d],
          at[p][0] + (2 * p < POINTS ? shift : 0), at[p][1]);
      put(w, dim == 3 ? ", %g]}, " : "]}, ", at[p][2]);
    }
  put(w, "{name: p, field: contact-pressure, at: [%g, 0%s]}]}\n", shift, dim == 3 ? ", 0" : "");
  return n;
}

static void run_quiet(const char *folder, int run, Writer *w, int n, double *v) {
  Said said = app_run_says(folder, w->text);
  if (said.code || strstr(said.err, "faces one of")) fail_msg("run %d: %s\n%s", run, said.err, w->text);
  said_release(&said);
  scratch_last_row(folder, n, v);
}

/* With supports all around, with friction, which has nothing to bear, and with surfaces that are found anew in each step, where the strain is the same all over. */
static void one_strain_passes(void **state) {
  (void)state;
  static const char *const keys[3][3] = {{"", "", ""},
                                         {", friction: 0.3", ", friction: 0.1", ""},
                                         {", sliding: finite", ", sliding: finite", ", sliding: finite"}};
  char *folder = scratch_create();
  for (int run = 0; run < 4 * N_CORNER; ++run) {
    const Corner *q = &corners[run / 4];
    const int kind = run * 7 % 5 % 3, held = kind == 0 && run % 5 == 0;
    const bool each = run / 2 % 2 && kind < 2;
    Writer w = {calloc(TEXT, 1), 0, 0};
    double v[32], mean = 0;
    write_corner(folder, q->dim, q->n, q->simplices, 0);
    put_head(&w, q, E, kind == 2 ? "type: neo-hooke, " : "",
             kind == 2 ? "strain: finite\ntime: {end: 1, step: 0.5}\n" : "");
    if (held) put_held(&w, q->dim);
    else put_sides(&w, q->dim, kind == 2 ? 10 : 1, kind == 2 ? 10 : 1, 0);
    put_contact(&w, q, run % 2, each, keys[kind]);
    const int n = put_points(&w, q->dim, 0);
    run_quiet(folder, run, &w, n + 2, v);
    for (int k = 0; k < n; ++k) {
      const double exact = kind == 2 ? v[1 + k % q->dim] : stress(q->dim, k % q->dim);
      if (!(fabs(v[1 + k] - exact) <= (kind == 2 ? 1e-6 : 1e-9) * fabs(exact)))
        fail_msg("run %d: stress %d is %.12g, not %.12g\n%s", run, k, v[1 + k], exact, w.text);
    }
    for (int d = 0; d < q->dim; ++d) mean -= v[1 + d] / q->dim;
    if (kind < 2 && !(fabs(v[1 + n] - mean) <= 1e-8 * mean))
      fail_msg("run %d: pressure %.12g, not %.12g\n%s", run, v[1 + n], mean, w.text);
    free(w.text);
  }
  scratch_remove(&folder);
}

/* A block that is pressed into a stiff seat, by as much along each direction as one strain has it. */
static void a_block_is_fitted(void **state) {
  (void)state;
  static const char *const keys[3] = {", interference: 1e-3", ", interference: 2e-3", ", interference: 1.5e-3"};
  char *folder = scratch_create();
  for (int run = 0; run < 2 * N_CORNER; ++run) {
    const Corner *q = &corners[run / 2];
    Writer w = {calloc(TEXT, 1), 0, 0};
    double v[32];
    write_corner(folder, q->dim, q->n, q->simplices, 0);
    put_head(&w, q, 1e4 * E, "", "");
    put_sides(&w, q->dim, 0, 0, 0);
    put_contact(&w, q, run % 2, true, keys);
    const int n = put_points(&w, q->dim, 0);
    run_quiet(folder, run, &w, n + 2, v);
    for (int k = 0; k < n / 2; ++k) {
      const double exact = stress(q->dim, k % q->dim);
      if (!(fabs(v[1 + k] - exact) <= 1e-3 * fabs(exact)))
        fail_msg("run %d: stress %d is %.12g, not %.12g\n%s", run, k, v[1 + k], exact, w.text);
    }
    free(w.text);
  }
  scratch_remove(&folder);
}

/* A block that slides over the floor of a stiff seat to its wall, by two facets, and is pressed into the corner; then it rests, so that
 * what is opposite to what is that of the end. */
static void a_block_slides_into_a_corner(void **state) {
  (void)state;
  static const char *const keys[3] = {", sliding: finite", ", sliding: finite", ", sliding: finite"};
  char *folder = scratch_create();
  for (int run = 0; run < 8; ++run) {
    const Corner *q = &corners[run / 4 * 3];
    const double way = 0.3;
    Writer w = {calloc(TEXT, 1), 0, 0};
    double v[32];
    write_corner(folder, q->dim, q->n, q->simplices, way);
    put_head(&w, q, 1e6 * E, "type: neo-hooke, ", "strain: finite\ntime: {end: 1, step: 0.1}\n");
    put_sides(&w, q->dim, 0, 10, way);
    put_contact(&w, q, run % 2, run / 2 % 2, keys);
    const int n = put_points(&w, q->dim, way);
    run_quiet(folder, run, &w, n + 2, v);
    for (int k = 0; k < n / 2; ++k)
      if (!(v[1 + k] < -10 && fabs(v[1 + k] - v[1 + k % q->dim]) <= 1e-5 * fabs(v[1 + k])))
        fail_msg("run %d: stress %d is %.12g, not %.12g\n%s", run, k, v[1 + k], v[1 + k % q->dim], w.text);
    free(w.text);
  }
  scratch_remove(&folder);
}

/* The block under 0.1, 0.2 and 0.3 along -x, -y and -z, with sums of forces and of moments over each side of it, then of the seat, then over
 * all of either. */
static void put_pressed(Writer *w, int dim) {
  put(w, "boundary: [");
  for (int d = 0; d < dim; ++d)
    put(w, "{on: low%d, fix: all}, {on: push%d, pressure: %g}%s", d, d, 0.1 * (d + 1), d < dim - 1 ? ", " : "]\n");
  put(w, "output: {sums: [");
  for (int k = 0; k < 2 * dim + 2; ++k) {
    char name[20] = "outside";
    if (k < 2 * dim) snprintf(name, sizeof name, k < dim ? "out%d" : "in%d", k % dim);
    else if (k % 2) strcpy(name, "inside");
    put(w, "{name: f%d, on: %s, field: contact-force}, ", k, name);
    put(w, "{name: m%d, on: %s, field: contact-moment, about: [0, 0%s]}, ", k, name, dim == 3 ? ", 0" : "");
  }
  put(w, "]}\n");
}

/* Each side bears what presses on the one behind it, and nothing of what the others bear at the edges that they share; with friction, which
 * turns the forces, sides add up to the whole. */
static void sides_are_in_balance(void **state) {
  (void)state;
  static const char *const keys[3][3] = {{"", "", ""},
                                         {", sliding: finite", ", sliding: finite", ", sliding: finite"},
                                         {", friction: 0.2", ", friction: 0.2", ", friction: 0.2"}};
  char *folder = scratch_create();
  for (int run = 0; run < 3 * N_CORNER; ++run) {
    const Corner *q = &corners[run / 3];
    const int kind = run % 3, n = q->dim, wide = n + (n == 3 ? 3 : 1);
    Writer w = {calloc(TEXT, 1), 0, 0};
    double v[1 + 8 * 6];
    write_corner(folder, n, q->n, q->simplices, 0);
    put_head(&w, q, 2 * E, kind == 1 ? "type: neo-hooke, " : "",
             kind == 1 ? "strain: finite\ntime: {end: 1, step: 0.5}\n" : "");
    put_contact(&w, q, run / 3 % 2, kind == 0 && run / 6 % 2, keys[kind]);
    put_pressed(&w, n);
    run_quiet(folder, run, &w, 1 + (2 * n + 2) * wide, v);
    for (int k = 0; k < wide; ++k)
      for (int body = 0; body < 2; ++body) {
        const double *side = v + 1 + body * n * wide + k, whole = v[1 + (2 * n + body) * wide + k];
        double sum = 0;
        for (int d = 0; d < n; ++d) {
          const double exact = d == k ? (body ? -0.1 : 0.1) * (k + 1) : 0;
          sum += side[d * wide];
          if (kind < 2 && k < n && !(fabs(side[d * wide] - exact) <= (kind ? 1e-3 : 1e-7)))
            fail_msg("run %d: side %d has %.12g, not %.12g\n%s", run, d, side[d * wide], exact, w.text);
        }
        if (!(fabs(sum - whole) <= 1e-12)) fail_msg("run %d: %.15g are %.15g\n%s", run, sum, whole, w.text);
        if (k < n && !(fabs(whole - (body ? -0.1 : 0.1) * (k + 1)) <= (kind ? 1e-3 : 1e-7)))
          fail_msg("run %d: %.12g along %d\n%s", run, whole, k, w.text);
      }
    free(w.text);
  }
  scratch_remove(&folder);
}

/* Of two sides of the block one alone has something opposite, as the group of the other body or `reach` has it: whichever comes first in its
 * group, nodes of the edge bear their part. */
static void one_side_of_an_edge_is_alone(void **state) {
  (void)state;
  char *folder = scratch_create();
  for (int run = 0; run < 3 * N_CORNER; ++run) {
    const Corner *q = &corners[run / 3];
    const int n = q->dim, c = run % 3 ? n - 1 : 0;
    const double shift = run % 3 < 2 ? 0 : 0.3; /* the block hangs over by that */
    Writer w = {calloc(TEXT, 1), 0, 0};
    double v[32];
    write_corner(folder, n, q->n, q->simplices, shift);
    put_head(&w, q, 1e9 * E, "", "boundary: [");
    for (int d = 0; d < n; ++d) {
      put(&w, "{on: low%d, fix: all}, {on: push%d, ", d, d);
      put(&w, "%s}%s", d == c ? "pressure: 5" : "symmetry: true", d < n - 1 ? ", " : "]\n");
    }
    if (shift > 0) put(&w, "contact: [{on: outside, against: inside, reach: 0.1}]\n");
    else put(&w, "contact: [{on: outside, against: in%d}]\n", c);
    const int n_point = put_points(&w, n, shift);
    run_quiet(folder, run, &w, n_point + 2, v);
    for (int k = c; k < n_point / 2; k += n)
      if (!(fabs(v[1 + k] + 5) < (shift > 0 ? 4 : 1e-5)))
        fail_msg("run %d: stress %d is %g\n%s", run, k, v[1 + k], w.text);
    free(w.text);
  }
  scratch_remove(&folder);
}

/* `on` is 5,000 times as stiff as the other body: what iterations leave open in it is as large as the pressure, and no set is found by that. */
static void a_stiff_side_waits_for_its_pressure(void **state) {
  (void)state;
  static const Corner q[] = {{2, {3, 4}, 1, {false, false}}, {2, {3, 4}, 2, {false, false}}};
  static const char *const method[] = {"direct", "iterative"};
  char *folder = scratch_create(), text[900];
  if (!sparse_direct_there()) skip();
  for (int run = 0; run < 2; ++run) {
    double v[2][3];
    write_corner(folder, 2, q[run].n, q[run].simplices, 0);
    for (int m = 0; m < 2; ++m) {
      snprintf(text, sizeof text,
               "version: 1\nphysics: elasticity\nmesh: {file: corner.msh, order: %d}\nmodel: plane-strain\nmaterials: "
               "[{on: seat, young: 5e6, poisson: 0.3}, {on: block, young: 1000, poisson: 0.3}]\nboundary: [{on: push0, "
               "fix: {x: -0.003}}, {on: push1, fix: {y: '-0.002 - 0.001*x'}}, {on: low0, fix: {x: '0.002*y^2'}}, {on: "
               "low1, fix: {y: 0}}]\nsolver: {method: %s}\ncontact: [{on: inside, against: outside, friction: "
               "0.3}]\noutput: {sums: [{name: f, on: inside, field: contact-force}]}\n",
               q[run].order, method[m]);
      Said said = app_run_says(folder, text);
      if (said.code) fail_msg("%s\n%s", said.err, text);
      said_release(&said);
      scratch_last_row(folder, 3, v[m]);
    }
    for (int d = 1; d < 3; ++d)
      if (!(fabs(v[1][d] - v[0][d]) < 1e-4 * fabs(v[0][d]))) fail_msg("run %d: %g, not %g", run, v[1][d], v[0][d]);
  }
  scratch_remove(&folder);
}

/* Two blocks that are tied side by side, under pressure on a stiff floor: nodes of the tie are on the surface of contact, too. */
static const char TIED_GEO[] =
    "Point(1)={-0.5,-1,0};Point(2)={2.5,-1,0};Point(3)={2.5,0,0};Point(4)={-0.5,0,0};\n"
    "Line(1)={1,2};Line(2)={2,3};Line(3)={3,4};Line(4)={4,1};Curve Loop(1)={1,2,3,4};Plane Surface(1)={1};\n"
    "Transfinite Curve{1,3}=8;Transfinite Curve{2,4}=3;Transfinite Surface{1};Recombine Surface{1};\n"
    "Point(11)={0,0,0};Point(12)={1,0,0};Point(13)={1,1,0};Point(14)={0,1,0};\n"
    "Line(11)={11,12};Line(12)={12,13};Line(13)={13,14};Line(14)={14,11};Curve Loop(2)={11,12,13,14};Plane "
    "Surface(2)={2};\n"
    "Transfinite Curve{11,13}=4;Transfinite Curve{12,14}=5;Transfinite Surface{2};Recombine Surface{2};\n"
    "Point(21)={1,0,0};Point(22)={2,0,0};Point(23)={2,1,0};Point(24)={1,1,0};\n"
    "Line(21)={21,22};Line(22)={22,23};Line(23)={23,24};Line(24)={24,21};Curve Loop(3)={21,22,23,24};Plane "
    "Surface(3)={3};\n"
    "Transfinite Curve{21,23}=5;Transfinite Curve{22,24}=4;Transfinite Surface{3};Recombine Surface{3};\n"
    "Physical Surface(\"base\")={1};Physical Surface(\"left\")={2};Physical Surface(\"right\")={3};\n"
    "Physical Curve(\"foot\")={1};Physical Curve(\"floor\")={3};Physical Curve(\"under\")={11,21};Physical "
    "Curve(\"top\")={13,23};Physical Curve(\"la\")={12};Physical Curve(\"rb\")={24};Physical "
    "Curve(\"side\")={14};Physical Curve(\"bside\")={4};\n";

static void tied_blocks_stand_on_a_floor(void **state) {
  (void)state;
  static const char *const tie[] = {"on: la, tie: rb", "on: rb, tie: la"};
  static const char *const pair[] = {"on: under, against: floor", "on: floor, against: under"};
  char *folder = scratch_create(), text[1200];
  scratch_write(folder, "tied.geo", TIED_GEO);
  for (int run = 0; run < 4; ++run) {
    double v[8];
    snprintf(
        text, sizeof text,
        "version: 1\nphysics: elasticity\nmodel: plane-strain\nmesh: {file: tied.geo, order: %d}\nmaterials: [{on: "
        "base, young: 1e10, poisson: 0}, {on: [left, right], young: 1000, poisson: 0.3}]\nsolver: {method: "
        "direct}\nboundary: [{on: foot, fix: all}, {on: side, symmetry: true}, {on: top, pressure: 5}, {%s}]\ncontact: "
        "[{%s}]\noutput: {probes: [{name: a, field: stress-yy, at: [0.95, 0.05]}, {name: b, field: stress-yy, at: "
        "[1.05, "
        "0.05]}, {name: c, field: stress-xx, at: [0.95, 0.05]}, {name: d, field: contact-pressure, at: [1, 0]}], sums: "
        "[{name: f, on: under, field: contact-force}]}\n",
        1 + run / 2, tie[run % 2], pair[run / 2]);
    Said said = app_run_says(folder, text);
    const int code = said.code;
    if (code == 4) testing_missing("no gmsh");
    else if (code) fail_msg("%s\n%s", said.err, text);
    said_release(&said);
    if (code == 4) break;
    scratch_last_row(folder, 7, v);
    const double got[] = {v[1] + 5, v[2] + 5, v[3], v[4] - 5, v[5], v[6] - 10};
    for (int k = 0; k < 6; ++k)
      if (!(fabs(got[k]) < 1e-6)) fail_msg("run %d: %d is off by %g\n%s", run, k, got[k], text);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_strain_passes),
                                     cmocka_unit_test(sides_are_in_balance),
                                     cmocka_unit_test(one_side_of_an_edge_is_alone),
                                     cmocka_unit_test(a_block_slides_into_a_corner),
                                     cmocka_unit_test(a_block_is_fitted),
                                     cmocka_unit_test(a_stiff_side_waits_for_its_pressure),
                                     cmocka_unit_test(tied_blocks_stand_on_a_floor)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
