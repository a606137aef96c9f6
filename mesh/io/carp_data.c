/* Data of an openCARP mesh: heart.uvc_z.dat, a number a line for each node or each element, is the field 'uvc_z'. */
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/io/carp.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

static Status number_read(TextSource *source, void *context, int64_t i) {
  double *value = context;
  return carp_reals(source, "a number", 1, &value[i]);
}

/* Of several numbers a line, as results and vectors have them. */
static bool has_columns(const TextSource *source) {
  TextSource first = *source;
  double value;
  if (source_text_double(&first, "a number", &value) == OK) return !carp_line_ends(&first);
  status_clear();
  return false; /* said by who reads it */
}

Status carp_field(const char *name, int n_component, bool on_nodes, Mesh *mesh, MeshField **out) {
  const int64_t n = (int64_t)n_component * (on_nodes ? mesh->n_node : mesh->n_element);
  RESIZE(mesh->field, mesh->n_field + 1, "fields");
  MeshField *field = &mesh->field[mesh->n_field++];
  *field = (MeshField){.n_component = n_component, .on_nodes = on_nodes};
  TRY(mem_text(name, "the name of a field", &field->name));
  ALLOC(field->value, n, "values of a field");
#pragma omp parallel for schedule(static) num_threads(parts_of(n))
  for (int64_t i = 0; i < n; ++i) field->value[i] = (double)NAN;
  *out = field;
  return OK;
}

/* Where elements of each kind begin. */
void carp_firsts(const Mesh *mesh, int32_t first[N_ELEMENT_KINDS]) {
  memset(first, 0, N_ELEMENT_KINDS * sizeof *first);
  for (int32_t b = 0; b < mesh->n_block; ++b) first[mesh->block[b].kind] = mesh->block[b].first;
}

static Status spread(const CarpMesh *m, const char *name, const double *value, bool on_nodes, Mesh *mesh) {
  int32_t first[N_ELEMENT_KINDS];
  MeshField *field;
  TRY(carp_field(name, 1, on_nodes, mesh, &field));
  carp_firsts(mesh, first);
  for (int32_t i = 0; on_nodes && i < mesh->n_node; ++i) field->value[i] = value[mesh->node_tag[i]];
  for (int32_t i = 0; !on_nodes && i < m->n_cell; ++i)
    field->value[first[carp_kind(&m->cells, i)] + m->cells.place[i]] = value[i];
  return OK;
}

/* Files of other lengths are results of something else: they are passed over with a word. */
static void pass_over(const CarpMesh *m, const CarpNamed *named, int64_t n) {
  status_warn("%s: has %lld lines, the mesh %d nodes and %d elements: it is not read as a field", named->path,
              (long long)n, m->deck->n_node, m->n_cell);
}

static bool is_empty(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && S_ISREG(s.st_mode) && s.st_size == 0;
}

static Status data_from(const CarpMesh *m, const CarpNamed *named, TextSource *source, Mesh *mesh) {
  const int64_t n = carp_lines(source);
  double *value = NULL;
  if (n != m->deck->n_node && n != m->n_cell) {
    pass_over(m, named, n);
    return OK;
  }
  if (has_columns(source)) {
    status_warn("%s: has several numbers per line; a field has one, so it is not read as a field", named->path);
    return OK;
  }
  ALLOC(value, n, "values of a field");
  Status status = carp_items(source, n, 0, number_read, value);
  if (status == OK) status = spread(m, named->name, value, n == m->deck->n_node, mesh);
  FREE(value);
  return status;
}

Status carp_data(const CarpMesh *m, Mesh *mesh) {
  Status status = OK;
  for (int32_t i = 0; i < m->n_named && status == OK; ++i) {
    const CarpNamed *named = &m->named[i];
    TextSource source = {0};
    if (!named->data) continue;
    if (mesh_field(mesh, named->name, true) || mesh_field(mesh, named->name, false))
      return FAIL(ERR_MESH, "%s: would make a field '%s', which exists already; rename it", named->path, named->name);
    if (is_empty(named->path)) {
      pass_over(m, named, 0);
      continue;
    }
    status = source_open(named->path, named->path, &source);
    if (status == OK) status = data_from(m, named, &source, mesh);
    source_close(&source);
  }
  return status;
}
