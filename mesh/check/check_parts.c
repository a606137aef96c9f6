/* Parts of a mesh that share places but no nodes: they look joined and are not. Parts are the connected components of
 * the solved elements; nodes of two parts within 1e-9 of the mesh size are found through a grid of cells. */
#include "core/disjoint.h"
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/check/check.h"
#include "mesh/tag_map.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int32_t mesh_parts(const Mesh *mesh, int32_t *parent) {
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_node))
  for (int32_t i = 0; i < mesh->n_node; ++i) parent[i] = -1;
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    const ElementType *type = element_type(block->kind);
    if (type->dim != mesh->dim) continue;
    const int64_t n = (int64_t)block->n * type->n_node;
#pragma omp parallel for schedule(static) num_threads(parts_of(n))
    for (int64_t k = 0; k < n; ++k) {
      const int32_t i = block->nodes[k]; /* blocks before this one have joined some already */
      if (disjoint_parent(parent, i) < 0) __atomic_store_n(&parent[i], i, __ATOMIC_RELAXED);
    }
#pragma omp parallel for schedule(static) num_threads(parts_of(n))
    for (int64_t k = 0; k < n; k += type->n_node)
      for (int32_t a = 1; a < type->n_node; ++a) disjoint_join(parent, block->nodes[k], block->nodes[k + a]);
  }
  int32_t n_part = 0;
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_node)) reduction(+ : n_part)
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    if (disjoint_parent(parent, i) < 0) continue;
    const int32_t root = disjoint_root(parent, i);
    n_part += root == i;
    __atomic_store_n(&parent[i], root, __ATOMIC_RELAXED);
  }
  return n_part;
}

/* Open addressing over cells of four tolerances: a node's surroundings touch at most two cells per direction. */
typedef struct Grid {
  double low[3], cell, tolerance;
  uint64_t n_slot;
  int32_t *slot; /* owned, node plus one, 0: empty */
} Grid;

enum { MOST_IN_CELL = 1024 }; /* bounds the search where a file puts everything in one place */

static uint64_t cell_hash(const int64_t c[3]) {
  return tag_map_mix((uint64_t)c[0] + tag_map_mix((uint64_t)c[1] + tag_map_mix((uint64_t)c[2])));
}

static int64_t cell_of(const Grid *grid, double x, int d) { return (int64_t)floor((x - grid->low[d]) / grid->cell); }

static bool check_parts_near(const double a[3], const double b[3], double tolerance) {
  return fabs(a[0] - b[0]) <= tolerance && fabs(a[1] - b[1]) <= tolerance && fabs(a[2] - b[2]) <= tolerance;
}

/* A node of another part at the place of node i among those in the cell, or -1. */
static int32_t partner_in_cell(const Grid *grid, const Mesh *mesh, const int32_t *part, const int64_t cell[3],
                               int32_t i) {
  uint64_t at = cell_hash(cell) & (grid->n_slot - 1);
  for (int seen = 0; grid->slot[at] && seen < MOST_IN_CELL; at = (at + 1) & (grid->n_slot - 1), ++seen) {
    const int32_t j = grid->slot[at] - 1;
    if (part[j] != part[i] && check_parts_near(mesh->x[i], mesh->x[j], grid->tolerance)) return j;
  }
  return -1;
}

/* The cells from range[d][0] to range[d][1] that nodes at the place of node i can lie in. */
static void cells_around(const Grid *grid, const Mesh *mesh, int32_t i, int64_t range[3][2]) {
  for (int d = 0; d < 3; ++d) {
    range[d][0] = cell_of(grid, mesh->x[i][d] - grid->tolerance, d);
    range[d][1] = cell_of(grid, mesh->x[i][d] + grid->tolerance, d);
  }
}

static int32_t find_partner(const Grid *grid, const Mesh *mesh, const int32_t *part, int32_t i) {
  int64_t range[3][2];
  cells_around(grid, mesh, i, range);
  for (int64_t a = range[0][0]; a <= range[0][1]; ++a)
    for (int64_t b = range[1][0]; b <= range[1][1]; ++b)
      for (int64_t c = range[2][0]; c <= range[2][1]; ++c) {
        const int32_t j = partner_in_cell(grid, mesh, part, (int64_t[3]){a, b, c}, i);
        if (j >= 0) return j;
      }
  return -1;
}

static void put_in_grid(Grid *grid, const Mesh *mesh, int32_t i) {
  int64_t cell[3];
  for (int d = 0; d < 3; ++d) cell[d] = cell_of(grid, mesh->x[i][d], d);
  uint64_t at = cell_hash(cell) & (grid->n_slot - 1);
  for (int seen = 0; grid->slot[at]; at = (at + 1) & (grid->n_slot - 1))
    if (++seen >= MOST_IN_CELL) return; /* so many nodes in one place are found without this one */
  grid->slot[at] = i + 1;
}

static Status grid_create(const Mesh *mesh, const int32_t *part, Grid *grid) {
  double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, size = 0;
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_node)) reduction(min : low) reduction(max : high)
  for (int32_t i = 0; i < mesh->n_node; ++i)
    for (int d = 0; d < 3 && part[i] >= 0; ++d) {
      low[d] = fmin(low[d], mesh->x[i][d]);
      high[d] = fmax(high[d], mesh->x[i][d]);
    }
  memcpy(grid->low, low, sizeof low);
  for (int d = 0; d < 3; ++d) size = fmax(size, high[d] - grid->low[d]);
  grid->tolerance = 1e-9 * size;
  grid->cell = 4 * grid->tolerance;
  grid->n_slot = 64;
  while (grid->n_slot < 2 * (uint64_t)mesh->n_node) grid->n_slot *= 2;
  ALLOC(grid->slot, grid->n_slot, "grid of nodes");
  return OK;
}

/* What lies in the cells of a slot: 0 nothing, a part plus one, or parts. */
enum { SEVERAL = -1 };

static void mark_cell(const Grid *grid, const Mesh *mesh, const int32_t *part, int32_t i, int32_t *mark) {
  int64_t cell[3];
  for (int d = 0; d < 3; ++d) cell[d] = cell_of(grid, mesh->x[i][d], d);
  int32_t *at = &mark[cell_hash(cell) & (grid->n_slot - 1)], here = 0;
  if (__atomic_compare_exchange_n(at, &here, part[i] + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return;
  if (here != part[i] + 1) __atomic_store_n(at, SEVERAL, __ATOMIC_RELAXED);
}

static bool may_have_partner(const Grid *grid, const Mesh *mesh, const int32_t *part, int32_t i, const int32_t *mark) {
  int64_t range[3][2];
  cells_around(grid, mesh, i, range);
  for (int64_t a = range[0][0]; a <= range[0][1]; ++a)
    for (int64_t b = range[1][0]; b <= range[1][1]; ++b)
      for (int64_t c = range[2][0]; c <= range[2][1]; ++c) {
        const int32_t here = mark[cell_hash((int64_t[3]){a, b, c}) & (grid->n_slot - 1)];
        if (here != 0 && here != part[i] + 1) return true;
      }
  return false;
}

/* candidate[n_node], zeroed: the nodes around which some of another part may lie, by marks in the grid's slots, which
 * are zero before and after. A node that has a partner and the partner are both among them. */
static void find_candidates(const Grid *grid, const Mesh *mesh, const int32_t *part, uint8_t *candidate) {
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_node))
  for (int32_t i = 0; i < mesh->n_node; ++i)
    if (part[i] >= 0) mark_cell(grid, mesh, part, i, grid->slot);
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_node))
  for (int32_t i = 0; i < mesh->n_node; ++i)
    candidate[i] = part[i] >= 0 && may_have_partner(grid, mesh, part, i, grid->slot);
  memset(grid->slot, 0, grid->n_slot * sizeof *grid->slot);
}

static Status report_pairs(const Mesh *mesh, const int32_t *part, int32_t n_part, const uint8_t *candidate,
                           Grid *grid) {
  char text[1024] = "";
  int64_t n = 0;
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    if (!candidate[i]) continue;
    const int32_t j = find_partner(grid, mesh, part, i);
    put_in_grid(grid, mesh, i);
    if (j < 0 || n++ >= CHECK_SHOWN) continue;
    const double *x = mesh->x[i];
    const size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "%s%lld and %lld at (%g, %g, %g)", used ? ", " : "",
             (long long)mesh->node_tag[j], (long long)mesh->node_tag[i], x[0], x[1], x[2]);
  }
  if (n == 0) return OK;
  char more[48] = "";
  if (n > CHECK_SHOWN) snprintf(more, sizeof more, " and %lld more", (long long)(n - CHECK_SHOWN));
  return FAIL(
      ERR_MESH,
      "%s: of the %d parts of the mesh some only touch through duplicate nodes, %lld pair%s in one place: %s%s\n"
      "  they are not joined: merge the duplicate nodes in Gmsh (before meshing 'Coherence;' or BooleanFragments, "
      "after it 'Coherence Mesh;')",
      mesh->path, n_part, (long long)n, n == 1 ? "" : "s", text, more);
}

Status check_parts(const Mesh *mesh) {
  int32_t *part = NULL;
  uint8_t *candidate = NULL;
  Grid grid = {0};
  Status status = OK;
  ALLOC_DONE(part, mesh->n_node, "parts of the mesh");
  const int32_t n_part = mesh_parts(mesh, part);
  if (n_part > 1) {
    TRY_DONE(grid_create(mesh, part, &grid));
    ALLOC_DONE(candidate, mesh->n_node, "nodes where parts of the mesh may touch");
    find_candidates(&grid, mesh, part, candidate);
    status = report_pairs(mesh, part, n_part, candidate, &grid);
  }
done:
  FREE(part);
  FREE(candidate);
  FREE(grid.slot);
  return status;
}
