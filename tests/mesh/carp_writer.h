/* Writes a mesh as openCARP has it: text or binary, either order of the bytes. */
#pragma once
#include "mesh/mesh.h"
#include "tests/testing.h"

#include <stdio.h>
#include <string.h>

typedef struct CarpWriter {
  bool binary, big; /* big: big end first */
  int order;        /* of the nodes: 0 as ours, 1 openCARP's upper faces, 2 mirrored */
  int n_axis;       /* 0: no .lon */
  bool old;         /* a .lon without its first line */
  const char *stem;
} CarpWriter;

static inline void carp_word(FILE *file, const CarpWriter *w, const void *value) {
  unsigned char bytes[4], host[4];
  const int one = 1;
  memcpy(host, value, 4);
  const bool swap = w->big == (*(const char *)&one == 1);
  for (int i = 0; i < 4; ++i) bytes[i] = host[swap ? 3 - i : i];
  fwrite(bytes, 1, 4, file);
}

static inline void carp_int(FILE *file, const CarpWriter *w, int value) {
  if (w->binary) carp_word(file, w, &value);
  else fprintf(file, " %d", value);
}

static inline void carp_float(FILE *file, const CarpWriter *w, double value) {
  const float single = (float)value;
  if (w->binary) carp_word(file, w, &single);
  else fprintf(file, "%.17g ", value);
}

static inline FILE *carp_file(const CarpWriter *w, const char *ending, const char *head) {
  char path[200];
  snprintf(path, sizeof path, "%s.%s%s", w->stem, w->binary ? "b" : "", ending);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  if (!w->binary) {
    fputs(head, file);
    return file;
  }
  char bytes[1024] = "";
  snprintf(bytes, sizeof bytes, "%s %d 666", head, w->big);
  fwrite(bytes, 1, sizeof bytes, file);
  return file;
}

static inline void carp_end(const CarpWriter *w, FILE *file) {
  if (!w->binary) fputc('\n', file);
}

typedef struct CarpName {
  const char *name, *order[3];
  int number;
} CarpName;

static inline const CarpName *carp_name(const ElementType *type) {
  static const CarpName names[] = {{"Ln", {"01", "01", "01"}, 7},
                                   {"Tr", {"012", "012", "012"}, 6},
                                   {"Qd", {"0123", "0123", "0123"}, 5},
                                   {"Tt", {"0123", "0123", "0213"}, 0},
                                   {"Py", {"01234", "01234", "03214"}, 3},
                                   {"Pr", {"012345", "012354", "021354"}, 4},
                                   {"Hx", {"01234567", "01234765", "03214765"}, 1}};
  switch (type->shape) {
  case SHAPE_LINE: return &names[0];
  case SHAPE_TRIANGLE: return &names[1];
  case SHAPE_QUAD: return &names[2];
  case SHAPE_TETRAHEDRON: return &names[3];
  case SHAPE_PYRAMID: return &names[4];
  case SHAPE_WEDGE: return &names[5];
  default: return &names[6];
  }
}

/* The last block of the mesh; regions 7 and -3 in turn; fibre (i, 1, 0), sheet (0, i, 0.5). */
static inline void carp_write(CarpWriter w, const Mesh *mesh) {
  const ElementBlock *block = &mesh->block[mesh->n_block - 1];
  const ElementType *type = element_type(block->kind);
  const CarpName *name = carp_name(type);
  char head[40];
  snprintf(head, sizeof head, "%d%s", mesh->n_node, w.binary ? "" : "\n");
  FILE *file = carp_file(&w, "pts", head);
  for (int i = 0; i < mesh->n_node; ++i) {
    for (int d = 0; d < 3; ++d) carp_float(file, &w, mesh->x[i][d]);
    carp_end(&w, file);
  }
  fclose(file);
  snprintf(head, sizeof head, "%d%s", block->n, w.binary ? "" : "\n");
  file = carp_file(&w, "elem", head);
  for (int i = 0; i < block->n; ++i) {
    if (w.binary) carp_int(file, &w, name->number);
    else fputs(name->name, file);
    for (int a = 0; a < type->n_node; ++a)
      carp_int(file, &w, block->nodes[i * type->n_node + name->order[w.order][a] - '0']);
    carp_int(file, &w, i % 3 ? 7 : -3);
    carp_end(&w, file);
  }
  fclose(file);
  if (!w.n_axis) return;
  snprintf(head, sizeof head, "%d", w.n_axis);
  if (w.binary) snprintf(head + 1, sizeof head - 1, " %d", block->n);
  else strcpy(head + 1, "\n");
  file = carp_file(&w, "lon", w.old ? "" : head);
  for (int i = 0; i < block->n; ++i) {
    const double axes[6] = {i, 1, 0, 0, i, 0.5};
    for (int k = 0; k < 3 * w.n_axis; ++k) carp_float(file, &w, axes[k]);
    carp_end(&w, file);
  }
  fclose(file);
}
