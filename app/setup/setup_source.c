/* Values that vary with the place, of materials and tissues: the case against the mesh. */
#include "app/input/case_tables.h"
#include "app/setup/region_table.h"
#include "app/setup/setup.h"
#include "core/memory.h"
#include "mesh/fibers/fibers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void unknown_region(const Mesh *mesh, const RegionRow *row, const char *path, char said[REGION_SAID]) {
  char groups[300] = "";
  mesh_describe_groups(mesh, groups, sizeof groups);
  snprintf(said, REGION_SAID, "%s:%lld: unknown region '%.40s': no group of %s elements is called so\n  groups: %s",
           path, (long long)row->line, row->region, dimension_name(mesh->dim), groups);
}

/* Elements of the region that a row of the table is of. */
static void spread_row(const Mesh *mesh, const Setup *setup, int32_t region, const Group *on, const RegionRow *row,
                       const char *path, double *value, char said[REGION_SAID]) {
  for (int32_t i = 0; i < on->n && !*said; ++i) {
    const int32_t e = on->element[i];
    const ElementBlock *block = mesh_block_of(mesh, e);
    if (setup->element_material[e] != region) continue;
    if (!isnan(value[e]) && value[e] != row->value)
      snprintf(said, REGION_SAID, "%s:%lld: element %lld of region '%s' has %g by an earlier line, and %g by this one",
               path, (long long)row->line, (long long)block->tag[e - block->first], row->region, value[e], row->value);
    value[e] = row->value;
  }
}

/* Of elements that have no number one is told. */
static void find_missing(const Mesh *mesh, const Setup *setup, int32_t region, const char *path, double *value,
                         char said[REGION_SAID]) {
  for (int32_t e = setup_first_solved(mesh); e < mesh->n_element && !*said; ++e) {
    const ElementBlock *block = mesh_block_of(mesh, e);
    char names[256] = "";
    if (setup->element_material[e] != region || !isnan(value[e])) continue;
    for (int32_t g = 0; g < mesh->n_group; ++g) {
      const Group *group = &mesh->group[g];
      for (int32_t i = 0; group->dim == mesh->dim && i < group->n; ++i)
        if (group->element[i] == e)
          snprintf(names + strlen(names), sizeof names - strlen(names), "%s'%s'", *names ? ", " : " of ", group->name);
    }
    snprintf(said, REGION_SAID, "%s has no line for element %lld%s\n  remedy: a line with a region that it is in", path,
             (long long)block->tag[e - block->first], names);
  }
}

static Status spread_table(const Mesh *mesh, const Setup *setup, int32_t region, const RegionTable *table,
                           const VaryingValue *given, const char *path, double *value, Diagnostics *out) {
  char said[REGION_SAID] = "";
  for (int32_t e = 0; e < mesh->n_element; ++e) value[e] = (double)NAN;
  for (int32_t i = 0; i < table->n && !*said; ++i) {
    const Group *group = mesh_group_dim(mesh, table->row[i].region, mesh->dim);
    if (group) spread_row(mesh, setup, region, group, &table->row[i], path, value, said);
    else unknown_region(mesh, &table->row[i], path, said);
  }
  if (!*said) find_missing(mesh, setup, region, path, value, said);
  if (*said) report_error(out, given->table.place, "%s", said);
  for (int32_t e = 0; e < mesh->n_element; ++e)
    if (isnan(value[e])) value[e] = 0; /* of other regions, or told */
  return out->broken;
}

static Status setup_numbers(Setup *setup, int64_t n, double **out) {
  static const char *const what = "numbers of a table";
  RESIZE(setup->numbers, (int64_t)setup->n_numbers + 1, what);
  setup->numbers[setup->n_numbers] = NULL;
  ALLOC(setup->numbers[setup->n_numbers], n, what);
  *out = setup->numbers[setup->n_numbers++];
  return OK;
}

static Status source_of_table(const Case *c, const Mesh *mesh, Setup *setup, int32_t region, const VaryingValue *given,
                              const char *column, ScalarSource *source, Diagnostics *out) {
  RegionTable table = {0};
  char *bytes = NULL, *path = NULL, said[REGION_SAID];
  double *value;
  size_t n;
  TRY(case_file_bytes(c, &given->table, &bytes, &n, out));
  if (!bytes) return OK;
  Status status = case_path(c, given->table.text, &path);
  TRY_DONE(status);
  TRY_DONE(setup_numbers(setup, mesh->n_element, &value));
  TRY_DONE(region_table_parse(bytes, path, column, &table, said));
  if (*said) report_error(out, given->table.place, "%s", said);
  else status = spread_table(mesh, setup, region, &table, given, path, value, out);
  *source = (ScalarSource){.element = value};
done:
  FREE(table.row);
  FREE(bytes);
  FREE(path);
  return status;
}

Status setup_source(const Case *c, const Mesh *mesh, Setup *setup, int32_t region, const VaryingValue *given,
                    const char *column, const char *what, ScalarSource *source, Diagnostics *out) {
  const MeshField *field;
  *source = (ScalarSource){0};
  if (given->table.text) return source_of_table(c, mesh, setup, region, given, column, source, out);
  if (!given->field.text) {
    *source = (ScalarSource){.expr = &given->expr.expr};
    return OK;
  }
  const Status status = fiber_field(mesh, given->field.text, 1, what, &field);
  if (status == ERR_INPUT) {
    report_error(out, given->field.place, "%s", status_message());
    return OK;
  }
  if (status == OK) *(field->on_nodes ? &source->node : &source->element) = field->value;
  return status;
}

double setup_source_element(const Mesh *mesh, const ScalarSource *source, int32_t e, double x[3]) {
  const int32_t *nodes = mesh_nodes_of(mesh, e), n = element_type(mesh_block_of(mesh, e)->kind)->n_vertex;
  double even[ELEMENT_MAX_NODES];
  for (int d = 0; d < 3; ++d) {
    x[d] = 0;
    for (int32_t a = 0; a < n; ++a) x[d] += mesh->x[nodes[a]][d] / n;
  }
  for (int32_t a = 0; a < n; ++a) even[a] = 1.0 / n;
  return scalar_source_at(source, e, n, nodes, even, x);
}
