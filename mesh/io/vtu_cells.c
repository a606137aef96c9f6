/* Points and cells of a .vtu file: types of VTK to kinds of elements, and the order of their nodes. */
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/io/vtu_mesh.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { VTK_TYPES = 82, NO_KIND = 255, VTK_PIXEL = 8, VTK_VOXEL = 11, VTK_LAGRANGE_HEXAHEDRON = 72 };

/* What VTK calls the cells that Sinew has no element for. */
static const struct {
  int32_t type;
  const char *name;
} others[] = {{2, "poly-vertex"},
              {4, "poly-line"},
              {6, "triangle strip"},
              {7, "polygon"},
              {15, "pentagonal prism"},
              {16, "hexagonal prism"},
              {30, "quadratic-linear quad"},
              {31, "quadratic-linear wedge"},
              {32, "wedge of 18 nodes"},
              {33, "hexahedron of 24 nodes"},
              {34, "triangle of 7 nodes"},
              {35, "cubic line"},
              {36, "quadratic polygon"},
              {37, "pyramid of 19 nodes"},
              {42, "polyhedron"},
              {68, "Lagrange curve"},
              {69, "Lagrange triangle"},
              {70, "Lagrange quadrilateral"},
              {71, "Lagrange tetrahedron"},
              {72, "Lagrange hexahedron"},
              {73, "Lagrange wedge"},
              {74, "Lagrange pyramid"},
              {75, "Bezier curve"},
              {76, "Bezier triangle"},
              {77, "Bezier quadrilateral"},
              {78, "Bezier tetrahedron"},
              {79, "Bezier hexahedron"},
              {80, "Bezier wedge"},
              {81, "Bezier pyramid"}};

static const char *type_name(int64_t type) {
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
    if (others[i].type == type) return others[i].name;
  return "";
}

/* Lagrange cells of order 1 and 2, and of order 3 where there are such elements. */
static const ElementType *lagrange_type(int64_t type, int64_t n_node) {
  static const ElementKind kinds[] = {ELEMENT_LINE2, ELEMENT_LINE3, ELEMENT_LINE4, ELEMENT_TRI3,   ELEMENT_TRI6,
                                      ELEMENT_TRI10, ELEMENT_QUAD4, ELEMENT_QUAD9, ELEMENT_TET4,   ELEMENT_TET10,
                                      ELEMENT_TET20, ELEMENT_HEX8,  ELEMENT_HEX27, ELEMENT_WEDGE6, ELEMENT_PYRAMID5};
  static const ElementShape shapes[] = {SHAPE_LINE,       SHAPE_TRIANGLE, SHAPE_QUAD,   SHAPE_TETRAHEDRON,
                                        SHAPE_HEXAHEDRON, SHAPE_WEDGE,    SHAPE_PYRAMID};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    const ElementType *element = element_type(kinds[i]);
    if (element->shape == shapes[type - 68] && element->n_node == n_node) return element;
  }
  return NULL;
}

static const ElementType *cell_type(int64_t type, int64_t n_node) {
  if (type == VTK_PIXEL || type == VTK_VOXEL) return cell_type(type + 1, n_node);
  if (type >= 68 && type <= 74) return lagrange_type(type, n_node);
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) {
    const ElementType *element = element_type((ElementKind)kind);
    if (element->vtk_type == type) return element->n_node == n_node ? element : NULL;
  }
  return NULL;
}

/* VTK's node i of a cell is our node order[i]. */
static void cell_order(const Vtu *vtu, int64_t type, const ElementType *element, int32_t order[ELEMENT_MAX_NODES]) {
  memcpy(order, element->vtk_order, (size_t)element->n_node * sizeof *order);
  for (int32_t i = 0; (type == VTK_PIXEL || type == VTK_VOXEL) && i < element->n_node; i += 4)
    order[i + 2] = element->vtk_order[i + 3], order[i + 3] = element->vtk_order[i + 2];
  if (type == VTK_LAGRANGE_HEXAHEDRON && element->kind == ELEMENT_HEX27 && vtu->version < 201)
    order[18] = element->vtk_order[19], order[19] = element->vtk_order[18]; /* files before VTK 9 */
}

/* The points of a piece behind n others. */
static Status points_read(VtuMesh *m, const VtuPiece *piece, const VtuArray *array, int64_t n) {
  const Vtu *vtu = &m->vtu;
  if (array->n_component != 3)
    return vtu_fail(vtu, array, "NumberOfComponents=\"%lld\", must be 3", (long long)array->n_component);
  double *x = NULL;
  TRY(vtu_doubles(vtu, array, 3 * piece->n_point, &x));
  int64_t bad = piece->n_point;
#pragma omp parallel for schedule(static) num_threads(parts_of(bad)) reduction(min : bad)
  for (int64_t i = 0; i < piece->n_point; ++i)
    if (!(isfinite(x[3 * i]) && isfinite(x[3 * i + 1]) && isfinite(x[3 * i + 2])) && i < bad) bad = i;
  Status status = OK;
  if (bad < piece->n_point)
    status = vtu_fail(vtu, array, "point %lld (counted from 0) is at (%g, %g, %g), must be finite: write it again",
                      (long long)bad, x[3 * bad], x[3 * bad + 1], x[3 * bad + 2]);
  if (status == OK) status = mem_resize(n + piece->n_point, sizeof *m->deck->x, "nodes", (void **)&m->deck->x);
  if (status == OK) memcpy(m->deck->x + n, x, (size_t)piece->n_point * sizeof *m->deck->x);
  FREE(x);
  return status;
}

Status vtu_points(VtuMesh *m) {
  const Vtu *vtu = &m->vtu;
  int64_t n = 0;
  for (int32_t k = 0; k < vtu->n_piece; ++k) {
    const VtuPiece *piece = &vtu->piece[k];
    const VtuArray *array = NULL;
    if (piece->n_point >= INT32_MAX - n)
      return source_fail(&vtu->source, piece->at, "NumberOfPoints=\"%lld\", more than %d points are not supported",
                         (long long)piece->n_point, INT32_MAX - 1);
    for (int32_t i = piece->first; i < piece->first + piece->n && !array; ++i)
      if (vtu->array[i].section == VTU_POINTS) array = &vtu->array[i];
    if (!array && piece->n_point) return source_fail(&vtu->source, piece->at, "<Piece> has no <Points>");
    if (piece->n_point) TRY(points_read(m, piece, array, n));
    n += piece->n_point;
  }
  if (n == 0) return source_fail(&vtu->source, vtu->piece[0].at, "holds no points");
  m->n_point = m->deck->n_node = (int32_t)n;
  ALLOC(m->deck->node_tag, n, "node numbers");
#pragma omp parallel for schedule(static) num_threads(parts_of(n))
  for (int64_t i = 0; i < n; ++i) m->deck->node_tag[i] = i + 1;
  return OK;
}

/* The cells of a piece; first_cell, first_point: those of the pieces before. */
typedef struct Cells {
  const VtuPiece *piece;
  const VtuArray *connectivity;
  int64_t *nodes, *end, *type; /* owned */
  int64_t first_cell, first_point, n_nodes;
} Cells;

static int64_t cell_begin(const Cells *c, int64_t i) { return i ? c->end[i - 1] : 0; }

static Status cells_read(VtuMesh *m, Cells *c) {
  const VtuArray *array[3];
  static const char *const names[3] = {"connectivity", "offsets", "types"};
  const int64_t n = c->piece->n_cell;
  for (int k = 0; k < 3; ++k) {
    array[k] = vtu_array(&m->vtu, c->piece, VTU_CELLS, names[k]);
    if (!array[k]) return source_fail(&m->vtu.source, c->piece->at, "<Cells> of a piece hold no array '%s'", names[k]);
  }
  c->connectivity = array[0];
  TRY(vtu_integers(&m->vtu, array[0], -1, &c->nodes, &c->n_nodes));
  TRY(vtu_integers(&m->vtu, array[1], n, &c->end, NULL));
  TRY(vtu_integers(&m->vtu, array[2], n, &c->type, NULL));
  int64_t bad = n;
#pragma omp parallel for schedule(static) num_threads(parts_of(n)) reduction(min : bad)
  for (int64_t i = 0; i < n; ++i)
    if ((c->end[i] <= cell_begin(c, i) || c->end[i] > c->n_nodes) && i < bad) bad = i;
  if (bad < n)
    return vtu_fail(&m->vtu, array[1], "offset %lld of cell %lld (counted from 0) must be above %lld and at most %lld",
                    (long long)c->end[bad], (long long)bad, (long long)cell_begin(c, bad), (long long)c->n_nodes);
  if (n && c->end[n - 1] != c->n_nodes)
    return vtu_fail(&m->vtu, array[1], "the last offset is %lld, but 'connectivity' holds %lld numbers",
                    (long long)c->end[n - 1], (long long)c->n_nodes);
  return OK;
}

/* What kind each cell is, and its place among those. */
static Status cells_place(VtuMesh *m, const Cells *c) {
  unsigned char kind_of[VTK_TYPES][ELEMENT_MAX_NODES + 1];
  memset(kind_of, NO_KIND, sizeof kind_of);
  for (int type = 0; type < VTK_TYPES; ++type)
    for (int n = 1; n <= ELEMENT_MAX_NODES; ++n) {
      const ElementType *element = cell_type(type, n);
      if (element) kind_of[type][n] = (unsigned char)element->kind;
    }
  for (int64_t i = 0; i < c->piece->n_cell; ++i) {
    const int64_t type = c->type[i], n = c->end[i] - cell_begin(c, i);
    const int kind = type >= 0 && type < VTK_TYPES && n <= ELEMENT_MAX_NODES ? kind_of[type][n] : NO_KIND;
    if (kind == NO_KIND)
      return vtu_fail(
          &m->vtu, c->connectivity,
          "cell %lld (counted from 0) is of VTK's type %lld%s%s%s with %lld nodes, which Sinew has no element "
          "for\n  linear and quadratic cells are read, and triangles and tetrahedra of order 3",
          (long long)i, (long long)type, *type_name(type) ? " (" : "", type_name(type), *type_name(type) ? ")" : "",
          (long long)n);
    m->kind[c->first_cell + i] = (unsigned char)kind;
    m->place[c->first_cell + i] = m->deck->list[kind].n++;
  }
  return OK;
}

/* Six times the volume between the triangles of a wedge; below 0: it is the other way round. */
static double wedge_sense(double (*x)[3], const int32_t *nodes) {
  double u[3], v[3], w[3];
  for (int d = 0; d < 3; ++d) {
    u[d] = x[nodes[1]][d] - x[nodes[0]][d];
    v[d] = x[nodes[2]][d] - x[nodes[0]][d];
    w[d] = x[nodes[3]][d] + x[nodes[4]][d] + x[nodes[5]][d] - x[nodes[0]][d] - x[nodes[1]][d] - x[nodes[2]][d];
  }
  return (u[1] * v[2] - u[2] * v[1]) * w[0] + (u[2] * v[0] - u[0] * v[2]) * w[1] + (u[0] * v[1] - u[1] * v[0]) * w[2];
}

/* VTK's books let the first triangle of a wedge look outward, most programs let it look inward: either is taken. */
static void wedge_turn(double (*x)[3], const ElementType *element, int32_t *nodes) {
  static const int pair[5][2] = {{1, 2}, {4, 5}, {6, 7}, {10, 11}, {12, 13}};
  if (wedge_sense(x, nodes) >= 0) return;
  for (int p = 0; p < (element->n_node == 6 ? 2 : 5); ++p) {
    const int32_t swap = nodes[pair[p][0]];
    nodes[pair[p][0]] = nodes[pair[p][1]];
    nodes[pair[p][1]] = swap;
  }
}

static int32_t node_twice(const int32_t *nodes, int32_t n) {
  for (int32_t a = 1; a < n; ++a)
    for (int32_t b = 0; b < a; ++b)
      if (nodes[a] == nodes[b]) return a;
  return -1;
}

/* The nodes of a cell; whether all are there, each once. */
static bool cell_fill(const VtuMesh *m, const Cells *c, int64_t i, int64_t *seen) {
  const int64_t cell = c->first_cell + i, begin = cell_begin(c, i);
  const ElementType *element = element_type((ElementKind)m->kind[cell]);
  const int32_t n = element->n_node;
  int32_t order[ELEMENT_MAX_NODES], *nodes = m->deck->list[m->kind[cell]].nodes + (int64_t)m->place[cell] * n;
  cell_order(&m->vtu, c->type[i], element, order);
  for (int32_t a = 0; a < n; ++a) {
    *seen = c->nodes[begin + a];
    if (*seen < 0 || *seen >= c->piece->n_point) return false;
    nodes[order[a]] = (int32_t)(c->first_point + *seen);
  }
  if (element->shape == SHAPE_WEDGE) wedge_turn(m->deck->x, element, nodes);
  m->deck->list[m->kind[cell]].tag[m->place[cell]] = cell + 1;
  const int32_t twice = node_twice(nodes, n);
  if (twice >= 0) *seen = nodes[twice] - c->first_point;
  return twice < 0;
}

static Status cells_fill(VtuMesh *m, const Cells *c) {
  const int64_t n = c->piece->n_cell;
  int64_t bad = n, seen;
#pragma omp parallel for schedule(static) num_threads(parts_of(n)) private(seen) reduction(min : bad)
  for (int64_t i = 0; i < n; ++i)
    if (!cell_fill(m, c, i, &seen) && i < bad) bad = i;
  if (bad == n) return OK;
  cell_fill(m, c, bad, &seen);
  const bool there = seen >= 0 && seen < c->piece->n_point;
  return vtu_fail(&m->vtu, c->connectivity,
                  there ? "cell %lld has point %lld twice (of %lld, all counted from 0)"
                        : "cell %lld has point %lld, but there are %lld (counted from 0)",
                  (long long)bad, (long long)seen, (long long)c->piece->n_point);
}

/* Room for the elements of all pieces at once, then their nodes. */
static Status vtu_cells_store(VtuMesh *m, Cells *c) {
  InpDeck *deck = m->deck;
  for (int32_t k = 0; k < m->vtu.n_piece; ++k) TRY(cells_place(m, &c[k]));
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) {
    if (deck->list[kind].n) {
      ALLOC(deck->list[kind].nodes, (int64_t)deck->list[kind].n * element_type((ElementKind)kind)->n_node, "elements");
      ALLOC(deck->list[kind].tag, deck->list[kind].n, "element numbers");
    }
    deck->base[kind + 1] = deck->base[kind] + deck->list[kind].n;
  }
  for (int32_t k = 0; k < m->vtu.n_piece; ++k) TRY(cells_fill(m, &c[k]));
  return OK;
}

Status vtu_cells(VtuMesh *m) {
  const Vtu *vtu = &m->vtu;
  Cells *cells = NULL;
  int64_t n_cell = 0, n_point = 0;
  Status status = OK;
  ALLOC(cells, vtu->n_piece, "pieces of a VTK file");
  for (int32_t k = 0; k < vtu->n_piece && status == OK; ++k) {
    const VtuPiece *piece = &vtu->piece[k];
    cells[k] = (Cells){.piece = piece, .first_cell = n_cell, .first_point = n_point};
    n_cell += piece->n_cell, n_point += piece->n_point;
    if (n_cell >= INT32_MAX) status = source_fail(&vtu->source, piece->at, "more than %d cells", INT32_MAX - 1);
    if (status == OK && piece->n_cell) status = cells_read(m, &cells[k]);
  }
  if (status == OK && n_cell == 0) status = source_fail(&vtu->source, vtu->piece[0].at, "holds no cells");
  if (status == OK) {
    m->n_cell = (int32_t)n_cell;
    status = mem_alloc(n_cell, sizeof *m->kind, "kinds of cells", (void **)&m->kind);
    if (status == OK) status = mem_alloc(n_cell, sizeof *m->place, "places of cells", (void **)&m->place);
    if (status == OK) status = vtu_cells_store(m, cells);
  }
  for (int32_t k = 0; k < vtu->n_piece; ++k) {
    FREE(cells[k].nodes);
    FREE(cells[k].end);
    FREE(cells[k].type);
  }
  FREE(cells);
  return status;
}
