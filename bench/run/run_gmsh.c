/* A box as Gmsh writes it: format 4.1, binary, an entity for the body and for the two sides with names. */
#include "bench/run/run_input.h"
#include "core/memory.h"
#include "mesh/mesh.h"

#include <stdio.h>
#include <string.h>

typedef struct Entity {
  const char *group;
  int32_t dim, tag;
} Entity;
static const Entity ENTITY[] = {{"x0", 2, 1}, {"x1", 2, 2}, {"body", 3, 1}};
enum { N_ENTITY = 3, GMSH_TRIANGLE = 2, GMSH_TETRAHEDRON = 4 };

static void put(FILE *f, const void *data, size_t size, int64_t n) { fwrite(data, size, (size_t)n, f); }
static void put_size(FILE *f, int64_t value) { put(f, &value, 8, 1); }
static void put_int(FILE *f, int32_t value) { put(f, &value, 4, 1); }

static void put_head(FILE *f) {
  fputs("$MeshFormat\n4.1 1 8\n", f);
  put_int(f, 1);
  fputs("\n$EndMeshFormat\n$PhysicalNames\n3\n2 1 \"x0\"\n2 2 \"x1\"\n3 3 \"body\"\n$EndPhysicalNames\n$Entities\n", f);
  const int64_t count[4] = {0, 0, 2, 1};
  const double box[6] = {0, 0, 0, 1, 1, 1};
  put(f, count, 8, 4);
  for (int k = 0; k < N_ENTITY; ++k) {
    put_int(f, ENTITY[k].tag);
    put(f, box, 8, 6);
    put_size(f, 1);
    put_int(f, k + 1);
    put_size(f, 0);
  }
  fputs("\n$EndEntities\n", f);
}

static Status put_nodes(FILE *f, const Mesh *mesh) {
  int64_t *tag = NULL;
  ALLOC(tag, mesh->n_node, "numbers of nodes");
  for (int64_t i = 0; i < mesh->n_node; ++i) tag[i] = i + 1;
  fputs("$Nodes\n", f);
  const int64_t head[4] = {1, mesh->n_node, 1, mesh->n_node};
  put(f, head, 8, 4);
  put_int(f, 3), put_int(f, 1), put_int(f, 0);
  put_size(f, mesh->n_node);
  put(f, tag, 8, mesh->n_node);
  put(f, mesh->x, 24, mesh->n_node);
  fputs("\n$EndNodes\n", f);
  FREE(tag);
  return OK;
}

static Status put_entity(FILE *f, const Mesh *mesh, const Entity *entity, int64_t *number) {
  const Group *group = mesh_group(mesh, entity->group);
  const int32_t width = entity->dim == 3 ? 5 : 4;
  int64_t *row = NULL;
  CHECK(group, ERR_BUG, "a box without the group '%s'", entity->group);
  ALLOC(row, (int64_t)group->n * width, "elements of a Gmsh file");
  for (int32_t i = 0; i < group->n; ++i) {
    const int32_t *nodes = mesh_nodes_of(mesh, group->element[i]);
    row[(int64_t)i * width] = ++*number;
    for (int a = 1; a < width; ++a) row[(int64_t)i * width + a] = nodes[a - 1] + 1;
  }
  put_int(f, entity->dim), put_int(f, entity->tag), put_int(f, entity->dim == 3 ? GMSH_TETRAHEDRON : GMSH_TRIANGLE);
  put_size(f, group->n);
  put(f, row, 8, (int64_t)group->n * width);
  FREE(row);
  return OK;
}

static Status put_mesh(FILE *f, const Mesh *mesh) {
  int64_t total = 0, number = 0;
  for (int k = 0; k < N_ENTITY; ++k) total += mesh_group(mesh, ENTITY[k].group)->n;
  put_head(f);
  TRY(put_nodes(f, mesh));
  fputs("$Elements\n", f);
  const int64_t head[4] = {N_ENTITY, total, 1, total};
  put(f, head, 8, 4);
  for (int k = 0; k < N_ENTITY; ++k) TRY(put_entity(f, mesh, &ENTITY[k], &number));
  fputs("\n$EndElements\n", f);
  return OK;
}

Status run_write_gmsh(const Mesh *mesh, const char *path) {
  FILE *f = fopen(path, "wb");
  CHECK(f, ERR_IO, "cannot write %s", path);
  const Status status = put_mesh(f, mesh);
  const bool bad = ferror(f);
  CHECK(fclose(f) == 0 && !bad, ERR_IO, "cannot write %s", path);
  return status;
}
