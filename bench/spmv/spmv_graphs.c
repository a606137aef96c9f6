/* Matrices of many characters: those of sets 1 to 3, on which the choice of a format is fitted (docs/formats.md), and those of set 4,
 * with other sizes and parameters, on which it is judged only. All are made edge by edge, the same every time: grids, random
 * graphs of even and of power-law degrees, bands, arrows, dense blocks, meshes of triangles and tetrahedra with nodes
 * in order and shuffled, and a few long rows among short ones. */
#include "bench/spmv/spmv.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* mean: of the entries that are drawn per row, both directions counted. */
typedef enum GraphKind {
  GRAPH_GRID,   /* a: nodes along x, b: along y, c: along z; each coupled with all around it */
  GRAPH_MESH,   /* the same, without about half of the diagonals */
  GRAPH_POWER,  /* a: mean, b: ends of edges are drawn as n u^(b/10) */
  GRAPH_RANDOM, /* a: mean */
  GRAPH_BAND,   /* a: mean, b: largest distance */
  GRAPH_ARROW,  /* a: dense rows and columns; besides it is tridiagonal */
  GRAPH_BLOCKS, /* a to b: rows of a dense block; c: couplings of a block with any others */
  GRAPH_LONG    /* a: mean, b: rows of c entries */
} GraphKind;

typedef struct Graph {
  const char *name;
  GraphKind kind;
  int32_t n, a, b, c; /* n: rows, 0 for grids and meshes */
  bool shuffled, judged;
} Graph;

static const Graph GRAPHS[] = {
    {"grid9-1", GRAPH_GRID, 0, 400, 500, 1, false, false},
    {"grid27-1", GRAPH_GRID, 0, 50, 50, 50, false, false},
    {"power-1", GRAPH_POWER, 200000, 8, 30, 0, false, false},
    {"random-1", GRAPH_RANDOM, 300000, 6, 0, 0, false, false},
    {"band-1", GRAPH_BAND, 200000, 18, 100, 0, false, false},
    {"arrow-1", GRAPH_ARROW, 200000, 1, 0, 0, false, false},
    {"blocks-1", GRAPH_BLOCKS, 100000, 12, 20, 4, false, false},
    {"triangles-1", GRAPH_MESH, 0, 600, 600, 1, false, false},
    {"triangles-1-shuffled", GRAPH_MESH, 0, 400, 500, 1, true, false},
    {"tetrahedra-1", GRAPH_MESH, 0, 48, 48, 48, false, false},
    {"tetrahedra-1-shuffled", GRAPH_MESH, 0, 54, 54, 54, true, false},
    {"long-1", GRAPH_LONG, 250000, 4, 16, 6000, false, false},
    {"grid9-2", GRAPH_GRID, 0, 620, 620, 1, false, false},
    {"grid27-2", GRAPH_GRID, 0, 66, 66, 66, false, false},
    {"power-2", GRAPH_POWER, 150000, 12, 25, 0, false, false},
    {"random-2", GRAPH_RANDOM, 200000, 12, 0, 0, false, false},
    {"band-2", GRAPH_BAND, 120000, 40, 1500, 0, false, false},
    {"arrow-2", GRAPH_ARROW, 400000, 1, 0, 0, false, false},
    {"blocks-2", GRAPH_BLOCKS, 130000, 24, 40, 8, false, false},
    {"triangles-2", GRAPH_MESH, 0, 500, 500, 1, false, false},
    {"triangles-2-shuffled", GRAPH_MESH, 0, 560, 570, 1, true, false},
    {"tetrahedra-2", GRAPH_MESH, 0, 58, 58, 58, false, false},
    {"tetrahedra-2-shuffled", GRAPH_MESH, 0, 47, 47, 47, true, false},
    {"long-2", GRAPH_LONG, 150000, 8, 60, 2500, false, false},
    {"grid9-3", GRAPH_GRID, 0, 700, 300, 1, false, false},
    {"grid27-3", GRAPH_GRID, 0, 40, 60, 70, false, false},
    {"power-3", GRAPH_POWER, 250000, 6, 20, 0, false, false},
    {"random-3", GRAPH_RANDOM, 120000, 24, 0, 0, false, false},
    {"band-3", GRAPH_BAND, 150000, 30, 20000, 0, false, false},
    {"band-4", GRAPH_BAND, 220000, 12, 600, 0, false, false},
    {"arrow-3", GRAPH_ARROW, 120000, 3, 0, 0, false, false},
    {"blocks-3", GRAPH_BLOCKS, 80000, 6, 10, 2, false, false},
    {"triangles-3", GRAPH_MESH, 0, 300, 900, 1, false, false},
    {"triangles-3-shuffled", GRAPH_MESH, 0, 350, 350, 1, true, false},
    {"tetrahedra-3", GRAPH_MESH, 0, 40, 50, 60, false, false},
    {"tetrahedra-3-shuffled", GRAPH_MESH, 0, 44, 60, 50, true, false},
    {"long-3", GRAPH_LONG, 350000, 6, 200, 1000, false, false},
    {"grid9-4", GRAPH_GRID, 0, 350, 800, 1, false, true},
    {"grid27-4", GRAPH_GRID, 0, 55, 60, 45, false, true},
    {"power-4", GRAPH_POWER, 180000, 10, 22, 0, false, true},
    {"random-4", GRAPH_RANDOM, 260000, 9, 0, 0, false, true},
    {"band-5", GRAPH_BAND, 160000, 26, 5000, 0, false, true},
    {"band-6", GRAPH_BAND, 140000, 50, 400, 0, false, true},
    {"arrow-4", GRAPH_ARROW, 300000, 2, 0, 0, false, true},
    {"blocks-4", GRAPH_BLOCKS, 110000, 16, 30, 6, false, true},
    {"triangles-4", GRAPH_MESH, 0, 450, 620, 1, false, true},
    {"triangles-4-shuffled", GRAPH_MESH, 0, 520, 480, 1, true, true},
    {"tetrahedra-4", GRAPH_MESH, 0, 52, 50, 54, false, true},
    {"tetrahedra-4-shuffled", GRAPH_MESH, 0, 50, 50, 50, true, true},
    {"long-4", GRAPH_LONG, 200000, 5, 30, 4000, false, true},
};
enum { N_GRAPH = sizeof GRAPHS / sizeof *GRAPHS };

const char *spmv_graph_name(int i) { return i >= 0 && i < N_GRAPH ? GRAPHS[i].name : NULL; }
bool spmv_graph_judged(int i) { return GRAPHS[i].judged; }

/* Entries of a matrix besides its diagonal, in any order and any number of times. Counted first, then filled in. */
typedef struct Entries {
  int32_t n;
  const int32_t *rank; /* NULL: nodes as they come */
  int64_t *start;      /* [n + 2], two places behind the row while counting */
  int32_t *column;     /* NULL: count */
  uint64_t state;
} Entries;

/* Steele, Lea, Flood 2014, splitmix64; in [0, 1). */
static double graph_random(Entries *e) {
  uint64_t z = e->state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static int32_t graph_draw(Entries *e, int32_t n) { return (int32_t)(graph_random(e) * n); }

static void entry_add(Entries *e, int32_t i, int32_t j) {
  if (e->rank) i = e->rank[i], j = e->rank[j];
  if (e->column) e->column[e->start[i + 1]++] = j;
  else e->start[i + 2] += 1;
}

static void edge_add(Entries *e, int32_t i, int32_t j) {
  if (i == j) return;
  entry_add(e, i, j);
  entry_add(e, j, i);
}

/* Each node with those around it that come after it. */
static void grid_edges(Entries *e, const Graph *g, const int32_t size[3]) {
  for (int32_t i = 0; i < e->n; ++i) {
    const int32_t at[3] = {i % size[0], i / size[0] % size[1], i / size[0] / size[1]};
    for (int32_t q = 14; q < 27; ++q) {
      const int32_t d[3] = {q % 3 - 1, q / 3 % 3 - 1, q / 9 - 1};
      bool inside = true;
      for (int k = 0; k < 3; ++k) inside &= at[k] + d[k] >= 0 && at[k] + d[k] < size[k];
      const bool diagonal = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] > 1;
      if (!inside || (g->kind == GRAPH_MESH && diagonal && graph_random(e) < 0.5)) continue;
      edge_add(e, i, i + d[0] + size[0] * (d[1] + size[1] * d[2]));
    }
  }
}

/* Numbers by chance: the nodes that many edges meet lie anywhere. */
static int32_t power_end(Entries *e, const Graph *g) {
  const int64_t i = (int64_t)(e->n * pow(graph_random(e), 0.1 * g->b));
  return (int32_t)(i * 7919 % e->n);
}

static void random_edges(Entries *e, const Graph *g) {
  const int64_t n_edge = (int64_t)e->n * g->a / 2;
  for (int64_t k = 0; k < n_edge; ++k) {
    const int32_t i = g->kind == GRAPH_POWER ? power_end(e, g) : graph_draw(e, e->n);
    int32_t j = g->kind == GRAPH_POWER ? power_end(e, g) : graph_draw(e, e->n);
    if (g->kind == GRAPH_BAND) j = i + 1 + graph_draw(e, g->b);
    if (j < e->n) edge_add(e, i, j);
  }
}

static void arrow_edges(Entries *e, const Graph *g) {
  for (int32_t i = 0; i + 1 < e->n; ++i) edge_add(e, i, i + 1);
  for (int32_t d = 0; d < g->a; ++d)
    for (int32_t i = d + 1; i < e->n; ++i) edge_add(e, d, i);
}

static void block_edges(Entries *e, const Graph *g) {
  for (int32_t first = 0, next; first < e->n; first = next) {
    next = first + g->a + graph_draw(e, g->b - g->a + 1);
    if (next > e->n) next = e->n;
    for (int32_t i = first; i < next; ++i)
      for (int32_t j = i + 1; j < next; ++j) edge_add(e, i, j);
    for (int32_t k = 0; k < g->c; ++k) edge_add(e, first + graph_draw(e, next - first), graph_draw(e, e->n));
  }
}

static void long_entries(Entries *e, const Graph *g) {
  random_edges(e, g);
  for (int32_t r = 0; r < g->b; ++r) {
    const int32_t i = graph_draw(e, e->n);
    for (int32_t k = 0; k < g->c; ++k) entry_add(e, i, graph_draw(e, e->n));
  }
}

static void graph_entries(Entries *e, const Graph *g, const int32_t size[3]) {
  e->state = 0x51e7 + (uint64_t)(g - GRAPHS);
  switch (g->kind) {
  case GRAPH_GRID:
  case GRAPH_MESH: grid_edges(e, g, size); break;
  case GRAPH_POWER:
  case GRAPH_RANDOM:
  case GRAPH_BAND: random_edges(e, g); break;
  case GRAPH_ARROW: arrow_edges(e, g); break;
  case GRAPH_BLOCKS: block_edges(e, g); break;
  case GRAPH_LONG: long_entries(e, g);
  }
}

static int ascending_columns(const void *a, const void *b) {
  return (*(const int32_t *)a > *(const int32_t *)b) - (*(const int32_t *)a < *(const int32_t *)b);
}

/* Ascending columns, each once, the diagonal among them, for which each row has room. */
static void rows_tidy(Entries *e, Pattern *p) {
  int64_t to = 0;
  for (int32_t i = 0; i < e->n; ++i) {
    int32_t *row = e->column + e->start[i];
    const int64_t n = e->start[i + 1] - e->start[i];
    qsort(row, (size_t)n, sizeof *row, ascending_columns);
    for (int64_t k = 0; k < n; ++k)
      if (k == 0 || row[k] != row[k - 1]) e->column[to++] = row[k];
    p->start[i + 1] = to;
  }
}

static Status entries_pattern(Entries *e, const Graph *g, const int32_t size[3], Pattern *p) {
  ALLOC(e->start, (int64_t)e->n + 2, "row starts");
  graph_entries(e, g, size);
  for (int32_t i = 0; i < e->n; ++i) e->start[i + 2] += e->start[i + 1] + 1; /* and the diagonal */
  ALLOC(e->column, e->start[e->n + 1], "columns");
  graph_entries(e, g, size);
  for (int32_t i = 0; i < e->n; ++i) e->column[e->start[i + 1]++] = i;
  ALLOC(p->start, (int64_t)e->n + 1, "row starts");
  p->n = e->n;
  p->block = 1;
  rows_tidy(e, p);
  ALLOC(p->column, p->start[p->n], "columns");
  memcpy(p->column, e->column, (size_t)p->start[p->n] * sizeof *p->column);
  return OK;
}

Status spmv_graph(int i, int32_t percent, Pattern **out) {
  const Graph *g = &GRAPHS[i];
  Entries e = {0};
  Pattern *p = NULL;
  int32_t *rank = NULL, size[3] = {g->a, g->b, g->c};
  Status status;
  for (int k = 0; k < 3; ++k)
    if (size[k] > 1) size[k] = size[k] * percent / 100 > 2 ? size[k] * percent / 100 : 2;
  *out = NULL;
  e.n = g->n ? (int32_t)((int64_t)g->n * percent / 100) : size[0] * size[1] * size[2];
  if (e.n < 64 && g->n) e.n = 64;
  ALLOC_DONE(p, 1, "pattern");
  if (g->shuffled) {
    ALLOC_DONE(rank, e.n, "order of the nodes");
    spmv_shuffle(e.n, rank);
    e.rank = rank;
  }
  TRY_DONE(entries_pattern(&e, g, size, p));
done:
  FREE(rank);
  FREE(e.start);
  FREE(e.column);
  if (status != OK) pattern_destroy(&p);
  *out = p;
  return status;
}
