/* The mesh structure: putting it away, looking things up, describing and hashing it. */
#include "mesh/mesh.h"
#include "core/fnv.h"
#include "core/memory.h"
#include "core/parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void mesh_destroy(Mesh **mesh) {
  Mesh *m = *mesh;
  if (!m) return;
  for (int32_t b = 0; m->block && b < m->n_block; ++b) {
    FREE(m->block[b].nodes);
    FREE(m->block[b].tag);
  }
  for (int32_t g = 0; m->group && g < m->n_group; ++g) {
    FREE(m->group[g].name);
    FREE(m->group[g].element);
  }
  for (int32_t f = 0; m->field && f < m->n_field; ++f) {
    FREE(m->field[f].name);
    FREE(m->field[f].value);
  }
  FREE(m->block);
  FREE(m->group);
  FREE(m->field);
  FREE(m->x);
  FREE(m->node_tag);
  FREE(m->path);
  FREE(m->outline);
  FREE(m->left_out);
  FREE(m->whole_node);
  mesh_destroy(&m->whole);
  mem_free((void **)mesh);
}

int32_t mesh_most_points(const Mesh *mesh) {
  int32_t most = 1;
  for (int32_t k = 0; k < mesh->n_block; ++k) {
    const ElementType *type = element_type(mesh->block[k].kind);
    Quadrature rule;
    if (type->dim == mesh->dim && element_stiffness_quadrature(type, &rule) == OK && rule.n > most) most = rule.n;
  }
  return most;
}

bool mesh_leaves_plane(const Mesh *mesh) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (int32_t b = 0; mesh->dim == 2 && b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    const ElementType *type = element_type(block->kind);
    const int64_t n = type->dim == 2 ? (int64_t)block->n * type->n_node : 0;
#pragma omp parallel for schedule(static) num_threads(parts_of(n)) reduction(min : low) reduction(max : high)
    for (int64_t k = 0; k < n; ++k) {
      low = fmin(low, mesh->x[block->nodes[k]][2]);
      high = fmax(high, mesh->x[block->nodes[k]][2]);
    }
  }
  return high - low > 1e-9 * mesh_size(mesh);
}

const ElementBlock *mesh_block_of(const Mesh *mesh, int32_t e) {
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    if (e >= block->first && e - block->first < block->n) return block;
  }
  return NULL;
}

const int32_t *mesh_nodes_of(const Mesh *mesh, int32_t e) {
  const ElementBlock *block = mesh_block_of(mesh, e);
  return block ? block->nodes + (int64_t)(e - block->first) * element_type(block->kind)->n_node : NULL;
}

const Group *mesh_group(const Mesh *mesh, const char *name) {
  const Group *found = NULL;
  for (int32_t g = 0; g < mesh->n_group; ++g) {
    const Group *group = &mesh->group[g];
    if (!strcmp(group->name, name) && (!found || group->dim > found->dim)) found = group;
  }
  return found;
}

const Group *mesh_group_dim(const Mesh *mesh, const char *name, int32_t dim) {
  for (int32_t g = 0; g < mesh->n_group; ++g)
    if (mesh->group[g].dim == dim && !strcmp(mesh->group[g].name, name)) return &mesh->group[g];
  return NULL;
}

const MeshField *mesh_field(const Mesh *mesh, const char *name, bool on_nodes) {
  for (int32_t f = 0; f < mesh->n_field; ++f)
    if (mesh->field[f].on_nodes == on_nodes && !strcmp(mesh->field[f].name, name)) return &mesh->field[f];
  return NULL;
}

/* 7201 -> "7,201" */
static void with_commas(int64_t n, char text[32]) {
  char digits[24];
  const int length = snprintf(digits, sizeof digits, "%lld", (long long)n);
  int at = 0;
  for (int i = 0; i < length; ++i) {
    if (i > 0 && (length - i) % 3 == 0) text[at++] = ',';
    text[at++] = digits[i];
  }
  text[at] = 0;
}

void mesh_describe_groups(const Mesh *mesh, char *text, int size) {
  static const char *const region[] = {"points", "curve", "surface", "volume"};
  static const char *const item[] = {"node", "edge", "face", "element"};
  size_t used = strlen(text);
  for (int32_t g = 0; g < mesh->n_group; ++g) {
    const Group *group = &mesh->group[g];
    const char *what = group->dim == 2 && mesh->dim == 2 ? "element" : item[group->dim];
    char count[32];
    with_commas(group->n, count);
    const int n = snprintf(text + used, (size_t)size - used, "%s%s (%s, %s %s%s)", g ? ", " : "", group->name,
                           region[group->dim], count, what, group->n == 1 ? "" : "s");
    if (n < 0 || used + (size_t)n >= (size_t)size) {
      if (size >= 4) memcpy(text + size - 4, "...", 4);
      return;
    }
    used += (size_t)n;
  }
}

static uint64_t fnv_int(uint64_t hash, int64_t value) { return fnv_words(hash, &value, sizeof value); }

static uint64_t fnv_text(uint64_t hash, const char *text) {
  return fnv_words(fnv_int(hash, (int64_t)strlen(text)), text, strlen(text));
}

uint64_t mesh_hash(const Mesh *mesh) {
  uint64_t hash = mesh->whole ? mesh_hash(mesh->whole) : FNV_BASIS;
  hash = fnv_int(hash, mesh->n_node);
  hash = fnv_blocks(hash, mesh->x, (size_t)mesh->n_node * sizeof *mesh->x);
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    const ElementType *type = element_type(block->kind);
    hash = fnv_int(fnv_text(hash, type->name), block->n);
    hash = fnv_blocks(hash, block->nodes, (size_t)block->n * (size_t)type->n_node * sizeof *block->nodes);
  }
  for (int32_t g = 0; g < mesh->n_group; ++g) {
    const Group *group = &mesh->group[g];
    hash = fnv_int(fnv_int(fnv_int(fnv_text(hash, group->name), group->dim), group->number), group->n);
    hash = fnv_blocks(hash, group->element, (size_t)group->n * sizeof *group->element);
  }
  for (int32_t f = 0; f < mesh->n_field; ++f) {
    const MeshField *field = &mesh->field[f];
    const int64_t n = field->on_nodes ? mesh->n_node : mesh->n_element;
    hash = fnv_int(fnv_int(fnv_text(hash, field->name), field->on_nodes), field->n_component);
    hash = fnv_blocks(hash, field->value, (size_t)(n * field->n_component) * sizeof *field->value);
  }
  return hash;
}

void mesh_extent(const Mesh *mesh, double low[3], double high[3]) {
  double least[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, most[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_node)) reduction(min                            \
                                                                                        : least) reduction(max         \
                                                                                                           : most)
  for (int32_t i = 0; i < mesh->n_node; ++i)
    for (int d = 0; d < 3; ++d) { /* what is not a number changes neither */
      const double x = mesh->x[i][d];
      least[d] = x < least[d] ? x : least[d];
      most[d] = x > most[d] ? x : most[d];
    }
  memcpy(low, least, sizeof least);
  memcpy(high, most, sizeof most);
}

double mesh_size(const Mesh *mesh) {
  double low[3], high[3], size = 0;
  mesh_extent(mesh, low, high);
  for (int d = 0; d < 3; ++d) size = fmax(size, high[d] - low[d]);
  return size;
}
