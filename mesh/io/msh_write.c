/* A mesh as Gmsh's .msh 2.2 in text, which every version of Gmsh, meshio and most other programs read. An element in several groups stands
 * once for each, as Gmsh has it; one in none is of the number 0. */
#include "core/memory.h"
#include "mesh/io/write_private.h"

#include <math.h>

/* The groups of each element: of[first[e] .. first[e + 1]) are groups, in rising order. */
typedef struct Membership {
  int64_t *first;
  int32_t *of;
} Membership;

static Status membership_make(const Mesh *mesh, Membership *out) {
  int64_t n = 0;
  ALLOC(out->first, (int64_t)mesh->n_element + 2, "groups of elements");
  for (int32_t g = 0; g < mesh->n_group; ++g)
    for (int32_t i = 0; i < mesh->group[g].n; ++i, ++n) ++out->first[mesh->group[g].element[i] + 2];
  for (int32_t e = 0; e < mesh->n_element; ++e) out->first[e + 2] += out->first[e + 1];
  ALLOC(out->of, n ? n : 1, "groups of elements");
  for (int32_t g = 0; g < mesh->n_group; ++g)
    for (int32_t i = 0; i < mesh->group[g].n; ++i) out->of[out->first[mesh->group[g].element[i] + 1]++] = g;
  return OK;
}

static void membership_release(Membership *m) {
  FREE(m->first);
  FREE(m->of);
}

/* Physical numbers are one row over all dimensions, so that no reader takes two groups for one. */
static void write_names(const Mesh *mesh, FILE *file) {
  if (!mesh->n_group) return;
  fprintf(file, "$PhysicalNames\n%d\n", mesh->n_group);
  for (int32_t g = 0; g < mesh->n_group; ++g)
    fprintf(file, "%d %d \"%s\"\n", mesh->group[g].dim, g + 1, mesh->group[g].name);
  fprintf(file, "$EndPhysicalNames\n");
}

static int64_t copies_of(const Membership *m, int32_t e) {
  const int64_t n = m->first[e + 1] - m->first[e];
  return n ? n : 1;
}

static void write_elements(const Mesh *mesh, const Membership *m, FILE *file) {
  int64_t total = 0, number = 0;
  for (int32_t e = 0; e < mesh->n_element; ++e) total += copies_of(m, e);
  fprintf(file, "$Elements\n%lld\n", (long long)total);
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    const ElementType *type = element_type(block->kind);
    for (int32_t e = 0; e < block->n; ++e) {
      const int64_t first = m->first[block->first + e], n = m->first[block->first + e + 1] - first;
      for (int64_t k = 0; k < (n ? n : 1); ++k) {
        const int32_t group = n ? m->of[first + k] + 1 : 0;
        fprintf(file, "%lld %d 2 %d %d", (long long)++number, type->gmsh_type, group, group);
        for (int32_t a = 0; a < type->n_node; ++a)
          fprintf(file, " %d", block->nodes[(size_t)e * (size_t)type->n_node + (size_t)a] + 1);
        fputc('\n', file);
      }
    }
  }
  fprintf(file, "$EndElements\n");
}

static bool is_given(const MeshField *field, int64_t i) {
  for (int32_t c = 0; c < field->n_component; ++c)
    if (isnan(field->value[i * field->n_component + c])) return false;
  return true;
}

/* A value of an element goes to its first copy; the others stand for the same place. */
static void write_field(const Mesh *mesh, const MeshField *field, const Membership *m, FILE *file) {
  const char *name = field->on_nodes ? "NodeData" : "ElementData";
  const int64_t n = field->on_nodes ? mesh->n_node : mesh->n_element;
  int64_t given = 0, number = 1;
  for (int64_t i = 0; i < n; ++i) given += is_given(field, i);
  fprintf(file, "$%s\n1\n\"%s\"\n1\n0\n3\n0\n%d\n%lld\n", name, field->name, field->n_component, (long long)given);
  for (int64_t i = 0; i < n; ++i) {
    if (is_given(field, i)) {
      fprintf(file, "%lld", (long long)number);
      for (int32_t c = 0; c < field->n_component; ++c)
        fprintf(file, " %.17g", field->value[i * field->n_component + c]);
      fputc('\n', file);
    }
    number += field->on_nodes ? 1 : copies_of(m, (int32_t)i);
  }
  fprintf(file, "$End%s\n", name);
}

Status mesh_write_msh(const Mesh *mesh, FILE *file) {
  Membership m = {0};
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementType *type = element_type(mesh->block[b].kind);
    CHECK(type->gmsh_type, ERR_MESH, "Gmsh has no element like %s\n  remedy: a .h5", type->name);
  }
  Status status = membership_make(mesh, &m);
  if (status == OK) {
    fprintf(file, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n");
    write_names(mesh, file);
    fprintf(file, "$Nodes\n%d\n", mesh->n_node);
    for (int32_t i = 0; i < mesh->n_node; ++i)
      fprintf(file, "%d %.17g %.17g %.17g\n", i + 1, mesh->x[i][0], mesh->x[i][1], mesh->x[i][2]);
    fprintf(file, "$EndNodes\n");
    write_elements(mesh, &m, file);
    for (int32_t f = 0; f < mesh->n_field; ++f) write_field(mesh, &mesh->field[f], &m, file);
  }
  membership_release(&m);
  return status;
}
