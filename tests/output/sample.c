#include "sample.h"

#include "core/memory.h"
#include "output/read.h"
#include "tests/testing.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64];

const WriterField sample_field[SAMPLE_FIELDS] = {{"displacement", false, 3, false, "mm"},
                                                 {"von-mises", false, 1, false, NULL},
                                                 {"stress", true, 6, false, "MPa"},
                                                 {"activation", false, 1, true, NULL}};

static void add_block(Mesh *mesh, ElementKind kind, int32_t n, int32_t first_node) {
  const ElementType *type = element_type(kind);
  ElementBlock *block = &mesh->block[mesh->n_block++];
  block->kind = kind;
  block->n = n;
  block->first = mesh->n_element;
  assert_ok(mem_alloc((int64_t)n * type->n_node, sizeof(int32_t), "nodes", (void **)&block->nodes));
  assert_ok(mem_alloc(n, sizeof(int64_t), "tags", (void **)&block->tag));
  for (int32_t i = 0; i < n * type->n_node; ++i) block->nodes[i] = first_node + i;
  for (int32_t e = 0; e < n; ++e) block->tag[e] = mesh->n_element + e + 1;
  mesh->n_element += n;
}

Mesh *sample_mesh(int n, const ElementKind *kinds) {
  Mesh *mesh = NULL;
  assert_ok(mem_alloc(1, sizeof *mesh, "mesh", (void **)&mesh));
  assert_ok(mem_alloc(n + 1, sizeof *mesh->block, "blocks", (void **)&mesh->block));
  for (int i = 0; i < n; ++i) mesh->n_node += element_type(kinds[i])->n_node;
  assert_ok(mem_alloc(mesh->n_node, sizeof *mesh->x, "x", (void **)&mesh->x));
  assert_ok(mem_alloc(mesh->n_node, sizeof(int64_t), "tags", (void **)&mesh->node_tag));
  add_block(mesh, ELEMENT_LINE2, 2, 0); /* lines over the first nodes: they must not become cells */
  int32_t node = 0;
  for (int i = 0; i < n; ++i) {
    const ElementType *type = element_type(kinds[i]);
    mesh->dim = type->dim;
    add_block(mesh, kinds[i], 1, node);
    for (int32_t a = 0; a < type->n_node; ++a, ++node) {
      memcpy(mesh->x[node], type->node[a], sizeof mesh->x[node]);
      mesh->x[node][0] += 4.0 * i;
      mesh->node_tag[node] = node + 1;
    }
  }
  return mesh;
}

static void add_group(Mesh *mesh, const char *name, int32_t dim, int32_t number, int32_t first, int32_t n) {
  Group *group = &mesh->group[mesh->n_group++];
  assert_ok(mem_alloc((int64_t)strlen(name) + 1, 1, "name", (void **)&group->name));
  strcpy(group->name, name);
  group->dim = dim, group->number = number, group->n = n;
  assert_ok(mem_alloc(n, sizeof(int32_t), "group", (void **)&group->element));
  for (int32_t i = 0; i < n; ++i) group->element[i] = first + i;
}

void sample_groups(Mesh *mesh) {
  assert_ok(mem_alloc(3, sizeof *mesh->group, "groups", (void **)&mesh->group));
  add_group(mesh, "lines", 1, 5, 0, 2);
  add_group(mesh, "first", mesh->dim, 7, 2, 1);
  add_group(mesh, "all", mesh->dim, 9, 2, mesh->n_element - 2);
}

const char *sample_folder(void) {
  if (!folder[0]) {
    strcpy(folder, "/tmp/sinew-output-XXXXXX");
    if (!mkdtemp(folder)) fail_msg("cannot make %s", folder);
  }
  return folder;
}

const char *sample_path(const char *name) {
  static char path[8][256];
  static int next;
  char *out = path[next++ % 8];
  snprintf(out, sizeof path[0], "%s/%s", sample_folder(), name);
  return out;
}

static void remove_all(const char *path) {
  DIR *dir = opendir(path);
  if (!dir) {
    unlink(path);
    return;
  }
  for (struct dirent *entry; (entry = readdir(dir));) {
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    char inner[512];
    snprintf(inner, sizeof inner, "%.200s/%.255s", path, entry->d_name);
    remove_all(inner);
  }
  closedir(dir);
  rmdir(path);
}

void sample_clean(void) {
  if (folder[0]) remove_all(folder);
  folder[0] = 0;
}

char *sample_text(const char *name) {
  FILE *file = fopen(sample_path(name), "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  const long n = ftell(file);
  rewind(file);
  char *text = calloc(1, (size_t)n + 1);
  const size_t got = fread(text, 1, (size_t)n, file);
  fclose(file);
  assert_int_equal(got, n);
  return text;
}

double sample_value(int field, int step, int row, int component) {
  return (field + 1) * 1000.0 + (field == 3 ? 0 : step + 1) * 64.0 + row + component / 8.0;
}

int sample_storage;

WriterParams sample_params(const Mesh *mesh, int64_t n_step) {
  return (WriterParams){.folder = sample_folder(),
                        .mesh = mesh,
                        .n_field = SAMPLE_FIELDS,
                        .field = sample_field,
                        .n_step = n_step,
                        .single = sample_storage & 1,
                        .packed = sample_storage & 2,
                        .version = "0.1.0",
                        .commit = "abc",
                        .case_text = "version: 1\ntitle: t\n",
                        .device = "CPU, 1 thread",
                        .precision = "mixed",
                        .mesh_hash = 0x0123456789abcdefu};
}

static int rows_of(const Mesh *mesh, const WriterField *field) {
  return field->on_cells ? mesh->n_element - 2 : mesh->n_node;
}

void sample_values(const Mesh *mesh, int k, const double *values[SAMPLE_FIELDS]) {
  for (int f = 0; f < SAMPLE_FIELDS; ++f) {
    const int n = rows_of(mesh, &sample_field[f]), m = sample_field[f].n_component;
    /* not counted: tests fail the writer's allocations, not these */
    double *value = f == 3 && k == 1 ? NULL : malloc((size_t)(n * m) * sizeof(double));
    for (int i = 0; value && i < n * m; ++i) value[i] = sample_value(f, k, i / m, i % m);
    values[f] = value;
  }
}

void sample_release(const double *values[SAMPLE_FIELDS]) {
  for (int f = 0; f < SAMPLE_FIELDS; ++f) free((void *)(uintptr_t)values[f]);
}

Status sample_step(Writer *writer, const Mesh *mesh, int k) {
  const double *values[SAMPLE_FIELDS];
  sample_values(mesh, k, values);
  const Status status = writer_step(writer, k / 2.0, values);
  sample_release(values);
  return status;
}

static void check_field(const Mesh *mesh, const Result *result, int f, int step) {
  const int n = rows_of(mesh, &sample_field[f]), m = sample_field[f].n_component;
  const ResultField *field = result_field(result, sample_field[f].name, sample_field[f].on_cells);
  assert_non_null(field);
  assert_int_equal(field->n_component, m);
  double *values = malloc((size_t)(n * m) * sizeof *values);
  assert_ok(result_read(result, field, step, values));
  for (int i = 0; i < n * m; ++i)
    if (values[i] != sample_value(f, step, i / m, i % m))
      fail_msg("%s of step %d, row %d: %g, not %g", field->name, step, i / m, values[i],
               sample_value(f, step, i / m, i % m));
  free(values);
}

int sample_check(const Mesh *mesh, int least, int most) {
  if (access(sample_path("results.hdf"), F_OK) != 0) {
    assert_int_equal(least, 0);
    return -1;
  }
  Result *result = NULL;
  assert_ok(result_open(sample_path("results.hdf"), &result));
  assert_int_equal(result->n_node, mesh->n_node);
  assert_int_equal(result->n_cell, mesh->n_element - 2);
  assert_in_range(result->n_step, least, most);
  for (int k = 0; k < result->n_step; ++k) {
    assert_true(result->time[k] == k / 2.0);
    for (int f = 0; f < SAMPLE_FIELDS; ++f) check_field(mesh, result, f, k);
  }
  const int n = (int)result->n_step;
  result_close(&result);
  return n;
}
