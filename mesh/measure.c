/* Lengths, areas and volumes of groups by quadrature, several elements side by side. */
#include "core/lanes.h"
#include "mesh/mesh.h"

#include <math.h>
#include <string.h>

/* Weights and reference gradients of a kind. */
typedef struct MeasureTable {
  const ElementType *type;
  Quadrature rule;
  double dN[ELEMENT_MAX_QUADRATURE][ELEMENT_MAX_NODES][3]; /* zero beyond the dimension */
} MeasureTable;

static Status measure_table(const ElementType *type, MeasureTable *table) {
  double dN[ELEMENT_MAX_NODES * 3];
  table->type = type;
  TRY(element_load_quadrature(type, &table->rule));
  for (int32_t q = 0; q < table->rule.n; ++q) {
    type->gradients(table->rule.xi[q], dN);
    for (int32_t a = 0; a < type->n_node; ++a)
      for (int32_t k = 0; k < 3; ++k) table->dN[q][a][k] = k < type->dim ? dN[a * type->dim + k] : 0;
  }
  return OK;
}

/* Length, area or volume per reference measure, as element_jacobian has it. */
static void measure_jacobian(int32_t dim, const Lanes J[3][3], Lanes out) {
  if (dim == 1) {
    FOR_LANES out[l] = sqrt(J[0][0][l] * J[0][0][l] + J[1][0][l] * J[1][0][l] + J[2][0][l] * J[2][0][l]);
    return;
  }
  FOR_LANES {
    const double cx = J[1][0][l] * J[2][1][l] - J[2][0][l] * J[1][1][l];
    const double cy = J[2][0][l] * J[0][1][l] - J[0][0][l] * J[2][1][l];
    const double cz = J[0][0][l] * J[1][1][l] - J[1][0][l] * J[0][1][l];
    out[l] = dim == 2 ? sqrt(cx * cx + cy * cy + cz * cz) : cx * J[0][2][l] + cy * J[1][2][l] + cz * J[2][2][l];
  }
}

/* Elements id[n], n <= LANES, of one block; lanes beyond have those of the last. */
static void measure_batch(const Mesh *mesh, const ElementBlock *block, const MeasureTable *table, int32_t n,
                          const int32_t *id, Lanes out) {
  const int32_t n_node = table->type->n_node, dim = table->type->dim;
  Lanes x[ELEMENT_MAX_NODES][3];
  for (int l = 0; l < LANES; ++l) {
    const int32_t *nodes = block->nodes + (int64_t)(id[l < n ? l : n - 1] - block->first) * n_node;
    for (int32_t a = 0; a < n_node; ++a)
      for (int i = 0; i < 3; ++i) x[a][i][l] = mesh->x[nodes[a]][i];
  }
  FOR_LANES out[l] = 0;
  for (int32_t q = 0; q < table->rule.n; ++q) {
    LaneSum sum[3][3] = {{{0}}};
    Lanes J[3][3], det;
    for (int32_t a = 0; a < n_node; ++a) {
      const LaneSum *here = (const LaneSum *)(const void *)x[a];
      for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 3; ++i) sum[i][k] += here[i] * table->dN[q][a][k];
    }
    memcpy(J, sum, sizeof J);
    measure_jacobian(dim, (const Lanes(*)[3])J, det);
    FOR_LANES out[l] += table->rule.weight[q] * det[l];
  }
}

/* Elements [begin, end) of a group, one after another; blocks change seldom. */
static Status measure_chunk(const Mesh *mesh, const Group *group, int32_t begin, int32_t end, double *out) {
  const ElementBlock *block = NULL;
  MeasureTable table;
  double sum = 0;
  for (int32_t i = begin, n = 0; i < end; i += n) {
    const int32_t *id = group->element + i;
    if (!block || *id < block->first || *id - block->first >= block->n) {
      block = mesh_block_of(mesh, *id);
      if (!block || measure_table(element_type(block->kind), &table) != OK) return ERR_BUG;
    }
    Lanes measure;
    for (n = 1; n < LANES && i + n < end && id[n] > *id && id[n] - block->first < block->n;) ++n;
    measure_batch(mesh, block, &table, n, id, measure);
    for (int l = 0; l < n; ++l) sum += measure[l];
  }
  *out = sum;
  return OK;
}

/* Chunks of fixed size, added in their order. */
Status mesh_group_measure(const Mesh *mesh, const Group *group, double *out) {
  enum { MEASURE_CHUNK = 4096, MEASURE_ROW = 1024 };
  *out = group->dim == 0 ? group->n : 0;
  if (group->dim == 0) return OK;
  double row[MEASURE_ROW], sum = 0;
  for (int64_t first = 0; first < group->n; first += (int64_t)MEASURE_ROW * MEASURE_CHUNK) {
    const int64_t left = (group->n - first + MEASURE_CHUNK - 1) / MEASURE_CHUNK;
    const int n = left < MEASURE_ROW ? (int)left : MEASURE_ROW;
    int bad = 0;
#pragma omp parallel for schedule(static) if (n > 1) reduction(+ : bad)
    for (int k = 0; k < n; ++k) {
      const int64_t begin = first + (int64_t)k * MEASURE_CHUNK, end = begin + MEASURE_CHUNK;
      bad += measure_chunk(mesh, group, (int32_t)begin, (int32_t)(end < group->n ? end : group->n), &row[k]) != OK;
    }
    CHECK(!bad, ERR_BUG, "group '%s' has a number that is not an element of %d", group->name, mesh->n_element);
    for (int k = 0; k < n; ++k) sum += row[k];
  }
  *out = sum;
  return OK;
}
