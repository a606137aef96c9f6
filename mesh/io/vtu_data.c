/* Point and cell data of a .vtu file: integers name groups, floats become fields. */
#include "core/ascending.h"
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/io/vtu_mesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_MOST = 1000, NUMBERS_LEAST = 100, TABLE = 4096 };

/* The different values of an array, ascending, and how many items have each; more than VALUES_MOST, or
 * NUMBERS_LEAST items that all differ, which is a numbering: n is 0. */
typedef struct Values {
  int32_t n, count[VALUES_MOST];
  int64_t value[VALUES_MOST];
} Values;

static int32_t value_find(const Values *values, int64_t value) {
  const int64_t *found = bsearch(&value, values->value, (size_t)values->n, sizeof value, ascending_int64);
  return found ? (int32_t)(found - values->value) : -1;
}

static void values_collect(const int64_t *value, int64_t n, Values *out) {
  out->n = 0;
  int64_t last = 0;
  for (int64_t i = 0; i < n; ++i) {
    if (out->n && value[i] == last) continue;
    last = value[i];
    if (value_find(out, last) >= 0) continue;
    if (out->n == VALUES_MOST) {
      out->n = 0;
      return;
    }
    int32_t at = out->n++;
    for (; at > 0 && out->value[at - 1] > last; --at) out->value[at] = out->value[at - 1];
    out->value[at] = last;
  }
  if (n >= NUMBERS_LEAST && out->n == n) out->n = 0;
  memset(out->count, 0, sizeof out->count);
  int32_t at = 0;
  for (int64_t i = 0; i < n && out->n; ++i) {
    if (value[i] != out->value[at]) at = value_find(out, value[i]);
    ++out->count[at];
  }
}

/* The array of this section and name of every piece, one behind the other. */
static Status all_pieces(const VtuMesh *m, const VtuArray *array, bool integers, void **out) {
  const bool points = array->section == VTU_POINT_DATA;
  const int64_t n = (points ? m->n_point : m->n_cell) * array->n_component;
  int64_t at = 0;
  char *all = NULL;
  TRY(mem_alloc(n, 8, "values of a VTK file", (void **)&all));
  Status status = OK;
  for (int32_t k = 0; k < m->vtu.n_piece && status == OK; ++k) {
    const VtuPiece *piece = &m->vtu.piece[k];
    const int64_t here = (points ? piece->n_point : piece->n_cell) * array->n_component;
    const VtuArray *part = vtu_array(&m->vtu, piece, array->section, array->name);
    void *values = NULL;
    if (here == 0) continue;
    if (!part || part->n_component != array->n_component)
      status = source_fail(&m->vtu.source, piece->at, "<Piece> has no array '%s' as the first piece has", array->name);
    else if (integers) status = vtu_integers(&m->vtu, part, here, (int64_t **)&values, NULL);
    else status = vtu_doubles(&m->vtu, part, here, (double **)&values);
    if (status == OK) memcpy(all + 8 * at, values, (size_t)here * 8);
    FREE(values);
    at += here;
  }
  if (status != OK) FREE(all);
  *out = all;
  return status;
}

/* Numbers of elements, which results have as a field, are no groups, however few they are. */
static bool names_groups(const VtuArray *array) {
  return strcmp(array->name, "element-id") != 0 &&
         (array->section == VTU_POINT_DATA || array->section == VTU_CELL_DATA) && array->type.bytes &&
         !array->type.is_float && array->n_component == 1 && *array->name;
}

/* Cells that another piece owns are copies. */
static Status check_ghosts(const VtuMesh *m, const VtuArray *array, const Values *values) {
  if (array->section != VTU_CELL_DATA || strcmp(array->name, "vtkGhostType") != 0) return OK;
  if (values->n == 1 && values->value[0] == 0) return OK;
  return vtu_fail(&m->vtu, array,
                  "holds ghost cells, copies of cells of other pieces\n  in ParaView: filter 'Remove "
                  "Ghost Information', then File > Save Data");
}

static Status add_groups(const VtuMesh *m, const VtuArray *array, const int64_t *value, const Values *values,
                         InpGroups *out) {
  const bool points = array->section == VTU_POINT_DATA;
  const int64_t n = points ? m->n_point : m->n_cell;
  int32_t *item, next[VALUES_MOST] = {0};
  char name[VTU_NAME + 24];
  TRY(inp_groups_list(out, n, &item));
  for (int32_t v = 0, first = 0; v < values->n; first += values->count[v++]) {
    next[v] = first;
    if (points && values->value[v] == 0) continue;
    snprintf(name, sizeof name, "%s-%lld", array->name, (long long)values->value[v]);
    TRY(inp_groups_add(out, name, points ? INP_NODES : INP_ELEMENTS, values->count[v], item + first));
  }
  int32_t at = 0;
  for (int32_t i = 0; i < n; ++i) {
    if (value[i] != values->value[at]) at = value_find(values, value[i]);
    item[next[at]++] = points ? i : m->deck->base[m->kind[i]] + m->place[i];
  }
  return OK;
}

Status vtu_groups(const VtuMesh *m, InpGroups *out) {
  const VtuPiece *piece = &m->vtu.piece[0];
  Values *values = NULL;
  Status status = OK;
  *out = (InpGroups){0};
  ALLOC(values, 1, "values of a VTK file");
  for (int32_t i = piece->first; i < piece->first + piece->n && status == OK; ++i) {
    const VtuArray *array = &m->vtu.array[i];
    void *value = NULL;
    if (!names_groups(array)) continue;
    status = all_pieces(m, array, true, &value);
    if (status == OK) {
      values_collect(value, array->section == VTU_POINT_DATA ? m->n_point : m->n_cell, values);
      status = check_ghosts(m, array, values);
    }
    if (status == OK && values->n && strcmp(array->name, "vtkGhostType") != 0)
      status = add_groups(m, array, value, values, out);
    FREE(value);
  }
  FREE(values);
  return status;
}

/* Components that a field of a mesh has for so many of VTK; 0: none. Two are a vector in the plane, six a symmetric
 * tensor xx yy zz xy yz xz. */
static int32_t field_components(int64_t n) {
  return n == 1 || n == 3 || n == 9 ? (int32_t)n : n == 2 ? 3 : n == 6 ? 9 : 0;
}

static Status add_field(const VtuMesh *m, const VtuArray *array, Mesh *mesh) {
  static const int tensor[9] = {0, 3, 5, 3, 1, 4, 5, 4, 2};
  const bool points = array->section == VTU_POINT_DATA;
  const int32_t n_from = (int32_t)array->n_component, n_to = field_components(n_from);
  const int64_t n = points ? m->n_point : m->n_cell;
  double *value = NULL;
  RESIZE(mesh->field, mesh->n_field + 1, "fields");
  MeshField *field = &mesh->field[mesh->n_field++];
  *field = (MeshField){.on_nodes = points, .n_component = n_to};
  TRY(mem_text(array->name, "the name of a field", &field->name));
  ALLOC(field->value, (int64_t)n_to * (points ? mesh->n_node : mesh->n_element), "values of a field");
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_element)) if (!points)
  for (int64_t i = 0; i < (points ? 0 : (int64_t)n_to * mesh->n_element); ++i) field->value[i] = (double)NAN;
  TRY(all_pieces(m, array, false, (void **)&value));
  int32_t first[N_ELEMENT_KINDS] = {0};
  for (int32_t b = 0; b < mesh->n_block; ++b) first[mesh->block[b].kind] = mesh->block[b].first;
#pragma omp parallel for schedule(static) num_threads(parts_of(n))
  for (int64_t i = 0; i < n; ++i) {
    double *to = field->value + n_to * (points ? i : first[m->kind[i]] + m->place[i]);
    for (int32_t c = 0; c < n_to; ++c)
      to[c] = n_from == 2 && c == 2 ? 0 : value[i * n_from + (n_from == 6 ? tensor[c] : c)];
  }
  FREE(value);
  return OK;
}

Status vtu_fields(const VtuMesh *m, Mesh *mesh) {
  const VtuPiece *piece = &m->vtu.piece[0];
  for (int32_t i = piece->first; i < piece->first + piece->n; ++i) {
    const VtuArray *array = &m->vtu.array[i];
    const bool data = array->section == VTU_POINT_DATA || array->section == VTU_CELL_DATA;
    if (!data || !array->type.is_float || !*array->name) continue;
    if (mesh_field(mesh, array->name, array->section == VTU_POINT_DATA)) continue;
    if (field_components(array->n_component)) TRY(add_field(m, array, mesh));
    else
      status_warn("%s: array '%s' is ignored: it has %lld components; a field has 1, 2, 3, 6 or 9", m->vtu.source.label,
                  array->name, (long long)array->n_component);
  }
  return OK;
}
