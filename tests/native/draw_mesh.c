/* A block of cells, cut into elements of one family, as a mesh file and for the plain program. */
#include "tests/native/draw_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void place(const Build *b, const int at[3], int fine, double x[3]) {
  double s[3];
  for (int d = 0; d < 3; ++d) {
    const int cell = at[d] / fine;
    s[d] = b->plane[d][cell];
    if (at[d] % fine) s[d] += (b->plane[d][cell + 1] - s[d]) * (at[d] % fine) / fine;
  }
  for (int d = 0; d < 3; ++d) {
    x[d] = b->shift[d];
    for (int j = 0; j < 3; ++j) x[d] += b->shear[d][j] * s[j];
  }
}

static int node_at(Build *b, const double x[3], int body) {
  Plain *p = &b->d->p;
  for (int i = 0; i < p->n_node; ++i)
    if (b->body[i] == body && fabs(p->x[i][0] - x[0]) + fabs(p->x[i][1] - x[1]) + fabs(p->x[i][2] - x[2]) < 1e-9)
      return i;
  if (p->n_node == PLAIN_MOST) abort();
  memcpy(p->x[p->n_node], x, 3 * sizeof *x);
  b->body[p->n_node] = body;
  return p->n_node++;
}

static int kind_of(Shape shape, int order, bool full) {
  static const char *const name[6][3] = {{"line2", "line3", "line3"}, {"tri3", "tri6", "tri6"},
                                         {"quad4", "quad8", "quad9"}, {"tet4", "tet10", "tet10"},
                                         {"hex8", "hex20", "hex27"},  {"wedge6", "wedge15", "wedge15"}};
  return plain_kind_named(name[shape][order == 1 ? 0 : full ? 2 : 1]);
}

/* Nodes of an element or facet with these corners. */
static void nodes_of(Build *b, int kind, double (*corner)[3], int body, int *node) {
  const Kind *k = &plain_kind[kind], *straight = &plain_kind[kind_of(k->shape, 1, true)];
  for (int a = 0; a < k->n; ++a) {
    double xi[3], N[PLAIN_NODES], dN[PLAIN_NODES][3], x[3] = {0};
    plain_node(k, a, xi);
    plain_shape(straight, xi, N, dN);
    for (int c = 0; c < straight->n; ++c)
      for (int d = 0; d < 3; ++d) x[d] += N[c] * corner[c][d];
    node[a] = node_at(b, x, body);
  }
}

static void add_cell_element(Build *b, Shape shape, const int base[3], const char *corners, int order, int fine) {
  Plain *p = &b->d->p;
  PlainElement *e = &p->element[p->n_element];
  double x[8][3];
  const int n = plain_corners(shape), cell = base[0] / fine, body = b->tie && cell >= b->tie;
  for (int a = 0; a < n; ++a) { /* a corner of the cell is named 0 to 7 as in a hexahedron */
    const int c = corners[a] - '0',
              at[3] = {base[0] + (c % 4 == 1 || c % 4 == 2), base[1] + (c % 4 >= 2), base[2] + c / 4};
    memcpy(b->lattice[p->n_element][a], at, sizeof at);
    place(b, at, fine, x[a]);
  }
  e->kind = kind_of(shape, order, b->full);
  e->material = cell >= b->cut;
  nodes_of(b, e->kind, x, body, e->node);
  ++p->n_element;
}

static void cell_elements(Build *b, const int base[3], int order, int fine) {
  static const char *const tets[6] = {"0126", "0236", "0376", "0746", "0456", "0516"};
  const int pattern = b->pattern[base[0] / fine][base[1] / fine];
  if (b->d->p.dim == 3 && b->family == 1) {
    for (int k = 0; k < 6; ++k) add_cell_element(b, TET, base, tets[k], order, fine);
  } else if (b->d->p.dim == 3) {
    if (pattern == 0) add_cell_element(b, HEX, base, "01234567", order, fine);
    if (pattern == 1)
      add_cell_element(b, WEDGE, base, "012456", order, fine), add_cell_element(b, WEDGE, base, "023467", order, fine);
    if (pattern == 2)
      add_cell_element(b, WEDGE, base, "013457", order, fine), add_cell_element(b, WEDGE, base, "123567", order, fine);
  } else {
    if (pattern == 0) add_cell_element(b, QUAD, base, "0123", order, fine);
    if (pattern == 1)
      add_cell_element(b, TRI, base, "012", order, fine), add_cell_element(b, TRI, base, "023", order, fine);
    if (pattern == 2)
      add_cell_element(b, TRI, base, "013", order, fine), add_cell_element(b, TRI, base, "123", order, fine);
  }
}

static void add_facet(Build *b, int element, const char *corners, Side side, int order) {
  Plain *p = &b->d->p;
  PlainFacet *f = &p->facet[p->n_facet++];
  const int n = (int)strlen(corners);
  double x[4][3];
  for (int a = 0; a < n; ++a) memcpy(x[a], p->x[p->element[element].node[corners[a] - '0']], sizeof x[a]);
  f->kind = kind_of(n == 2 ? LINE : n == 3 ? TRI : QUAD, order, b->full);
  f->element = element;
  f->side = side;
  nodes_of(b, f->kind, x, b->body[p->element[element].node[0]], f->node);
}

static void element_facets(Build *b, int element, int order, int fine) {
  static const char *const face[6][7] = {{0},
                                         {"01", "12", "20"},
                                         {"01", "12", "23", "30"},
                                         {"021", "013", "032", "123"},
                                         {"0321", "4567", "0154", "1265", "2376", "3047"},
                                         {"021", "345", "0143", "1254", "2035"}};
  const Plain *p = &b->d->p;
  const Shape shape = plain_kind[p->element[element].kind].shape;
  const int body = b->body[p->element[element].node[0]];
  for (int f = 0; face[shape][f]; ++f)
    for (int d = 0; d < p->dim; ++d) {
      int low = 1000, high = -1;
      for (const char *c = face[shape][f]; *c; ++c) {
        const int at = b->lattice[element][*c - '0'][d];
        low = at < low ? at : low, high = at > high ? at : high;
      }
      if (low != high) continue;
      if (low == 0) add_facet(b, element, face[shape][f], (Side)(2 * d), order);
      else if (low == b->cells[d] * fine) add_facet(b, element, face[shape][f], (Side)(2 * d + 1), order);
      else if (d == 0 && b->tie && low == b->tie * fine)
        add_facet(b, element, face[shape][f], body ? TIE_B : TIE_A, order);
    }
}

static void build_mesh(Build *b, int order, int refine) {
  Plain *p = &b->d->p;
  const int fine = 1 << refine;
  p->n_node = p->n_element = p->n_facet = 0;
  for (int k = 0; k < (p->dim == 3 ? b->cells[2] * fine : 1); ++k)
    for (int j = 0; j < b->cells[1] * fine; ++j)
      for (int i = 0; i < b->cells[0] * fine; ++i) cell_elements(b, (const int[]){i, j, k}, order, fine);
  for (int e = 0; e < p->n_element; ++e) element_facets(b, e, order, fine);
}

static void write_mesh(Build *b) {
  const Plain *p = &b->d->p;
  char *t = b->d->mesh_text;
  say(t, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n%d\n", N_SIDE + 2);
  for (int k = 0; k < N_SIDE; ++k) say(t, "%d %d \"%s\"\n", p->dim - 1, k + 1, side_name[k]);
  say(t, "%d 11 \"left\"\n%d 12 \"right\"\n$EndPhysicalNames\n$Nodes\n%d\n", p->dim, p->dim, p->n_node);
  for (int i = 0; i < p->n_node; ++i) say(t, "%d %.17g %.17g %.17g\n", i + 1, p->x[i][0], p->x[i][1], p->x[i][2]);
  say(t, "$EndNodes\n$Elements\n%d\n", p->n_facet + p->n_element);
  for (int k = 0; k < p->n_facet + p->n_element; ++k) {
    const PlainFacet *f = k < p->n_facet ? &p->facet[k] : NULL;
    const PlainElement *e = f ? NULL : &p->element[k - p->n_facet];
    const Kind *kind = &plain_kind[f ? f->kind : e->kind];
    say(t, "%d %d 2 %d 1", k + 1, kind->gmsh, f ? (int)f->side + 1 : 11 + e->material);
    for (int a = 0; a < kind->n; ++a) say(t, " %d", (f ? f->node[a] : e->node[a]) + 1);
    say(t, "\n");
  }
  say(t, "$EndElements\n");
}

void draw_mesh(Build *b) {
  Plain *p = &b->d->p;
  const bool space = p->dim == 3;
  b->family = space && chance(b, 0.3);
  const bool mixed = chance(b, 0.5) && !b->stressed,
             plain_axis = p->model == AXISYMMETRIC; /* 1 / r: rectangles of one rule only */
  b->order = chance(b, 0.5) ? 2 : 1;
  b->file_order = b->order == 2 && chance(b, 0.5) ? 2 : 1;
  b->refine = !(space && b->family) && chance(b, 0.2);
  bool wedges = false;
  for (int d = 0; d < 3; ++d) {
    b->cells[d] = b->d->analysis >= MODAL ? 2 : 1 + pick(b, space || b->refine ? 2 : 3);
    for (int k = 0; k < b->cells[d]; ++k) b->plane[d][k + 1] = b->plane[d][k] + uniform(b, 0.6, 1.4);
  }
  if (b->refine && space) b->order = b->file_order = 1, b->cells[2] = 1;
  /* The rule of quadratic triangles and of wedges is part of their geometric stiffness. */
  const int only = plain_axis || (b->stressed && (space || b->order == 2)) ? 0 : pick(b, 3);
  if (b->stressed && b->family) b->order = b->file_order = 1;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      b->pattern[i][j] = plain_axis ? 0 : mixed ? pick(b, 3) : only;
      wedges |= i < b->cells[0] && j < b->cells[1] && b->pattern[i][j] > 0;
    }
  /* `order: 2` makes quadratic elements with all nodes, beside wedges without those in faces */
  b->full =
      b->file_order < b->order ? !(space && wedges && !b->family) : !(space && wedges && !b->family) && chance(b, 0.5);
  b->cut = pick(b, b->cells[0] + 1);
  b->tie = b->cells[0] > 1 && b->d->analysis != MOTION && b->d->analysis != HARMONIC && chance(b, 0.25)
               ? 1 + pick(b, b->cells[0] - 1)
               : 0;
  b->sheared = !plain_axis && chance(b, 0.4);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      b->shear[i][j] = (i == j) + (b->sheared && (space || (i < 2 && j < 2)) ? uniform(b, -0.2, 0.2) : 0);
  for (int i = 0; i < p->dim; ++i) b->shift[i] = plain_axis && i == 0 ? uniform(b, 0.5, 2) : uniform(b, -1, 1);
  build_mesh(b, b->file_order, 0);
  write_mesh(b);
  build_mesh(b, b->order, b->refine);
  say(b->text, "version: 1\nmesh: {file: mesh.msh%s%s}\nphysics: elasticity\nmodel: %s\n",
      b->order != b->file_order ? ", order: 2" : "", b->refine ? ", refine: 1" : "",
      (const char *const[]){"plane-stress", "plane-strain", "axisymmetric", "3d"}[p->model]);
}
