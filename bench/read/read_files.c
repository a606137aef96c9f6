/* Boxes as decks and as Gmsh's text. */
#include "bench/read/read_files.h"
#include "mesh/io/inp.h"

#include <stdio.h>

enum { GMSH_TETRAHEDRON = 4 };

static const ElementBlock *body_of(const Mesh *mesh) { return &mesh->block[mesh->n_block - 1]; }

static void put_deck_elements(FILE *f, const ElementBlock *body) {
  const InpType *type = inp_type(body->kind == ELEMENT_HEX8 ? "C3D8" : "C3D10");
  const int32_t n = element_type(body->kind)->n_node;
  int32_t place[ELEMENT_MAX_NODES]; /* our node at a place of the deck */
  for (int32_t a = 0; a < n; ++a) place[type->order ? type->order[a] - 'a' : a] = a;
  fprintf(f, "*ELEMENT, TYPE=%s, ELSET=body\n", type->name);
  for (int32_t e = 0; e < body->n; ++e) {
    fprintf(f, "%d", e + 1);
    for (int32_t a = 0; a < n; ++a) fprintf(f, ", %d", body->nodes[(int64_t)e * n + place[a]] + 1);
    fputc('\n', f);
  }
}

static Status close_file(FILE *f, const char *path) {
  const bool bad = ferror(f);
  CHECK(fclose(f) == 0 && !bad, ERR_IO, "cannot write %s", path);
  return OK;
}

Status read_write_deck(const Mesh *mesh, const char *path) {
  FILE *f = fopen(path, "w");
  CHECK(f, ERR_IO, "cannot write %s", path);
  fputs("*HEADING\na box\n*NODE, NSET=all\n", f);
  for (int32_t i = 0; i < mesh->n_node; ++i)
    fprintf(f, "%d, %.9e, %.9e, %.9e\n", i + 1, mesh->x[i][0], mesh->x[i][1], mesh->x[i][2]);
  put_deck_elements(f, body_of(mesh));
  fputs("*NSET, NSET=x0\n", f);
  for (int32_t i = 0, n = 0; i < mesh->n_node; ++i)
    if (mesh->x[i][0] <= 0) fprintf(f, ++n % 10 ? "%d, " : "%d\n", i + 1);
  fputc('\n', f);
  return close_file(f, path);
}

Status read_write_gmsh(const Mesh *mesh, const char *path) {
  const ElementBlock *body = body_of(mesh);
  const int32_t n = element_type(body->kind)->n_node;
  FILE *f = fopen(path, "w");
  CHECK(f, ERR_IO, "cannot write %s", path);
  fputs("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n1 0 0 0 1 1 1 0 0\n$EndEntities\n", f);
  fprintf(f, "$Nodes\n1 %d 1 %d\n3 1 0 %d\n", mesh->n_node, mesh->n_node, mesh->n_node);
  for (int32_t i = 0; i < mesh->n_node; ++i) fprintf(f, "%d\n", i + 1);
  for (int32_t i = 0; i < mesh->n_node; ++i)
    fprintf(f, "%.16g %.16g %.16g\n", mesh->x[i][0], mesh->x[i][1], mesh->x[i][2]);
  fprintf(f, "$EndNodes\n$Elements\n1 %d 1 %d\n3 1 %d %d\n", body->n, body->n, GMSH_TETRAHEDRON, body->n);
  for (int32_t e = 0; e < body->n; ++e) {
    fprintf(f, "%d", e + 1);
    for (int32_t a = 0; a < n; ++a) fprintf(f, " %d", body->nodes[(int64_t)e * n + a] + 1);
    fputc('\n', f);
  }
  fputs("$EndElements\n", f);
  return close_file(f, path);
}
