/* A mesh as the part of a deck that Abaqus, CalculiX, PrePoMax and FreeCAD read: nodes, elements by type, a set for each group,
 * a surface for each group of facets. Numbers are ids from 1. */
#include "core/memory.h"
#include "mesh/id_set.h"
#include "mesh/io/inp.h"
#include "mesh/io/write_private.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { CORNERS = 4, NAME_BYTES = 81, PER_LINE = 16 };

/* A facet's corners in rising order, -1 behind three or two, and the face of an element that it is. */
typedef struct Facet {
  int32_t corner[CORNERS];
  int32_t id;            /* of the facet's element */
  int32_t element, face; /* face as decks count, from 1; 0: of no element */
} Facet;

static void sort_corners(const int32_t *node, int32_t n, int32_t corner[CORNERS]) {
  for (int32_t a = 0; a < CORNERS; ++a) corner[a] = -1;
  for (int32_t a = 0; a < n; ++a) {
    int32_t i = a;
    for (; i > 0 && corner[i - 1] > node[a]; --i) corner[i] = corner[i - 1];
    corner[i] = node[a];
  }
}

static int by_corners(const void *a, const void *b) {
  const Facet *p = a, *q = b;
  for (int k = 0; k < CORNERS; ++k)
    if (p->corner[k] != q->corner[k]) return p->corner[k] < q->corner[k] ? -1 : 1;
  return 0;
}

static int by_id(const void *a, const void *b) {
  const Facet *p = a, *q = b;
  return p->id < q->id ? -1 : p->id > q->id;
}

/* The face of `kind` as decks count it. */
static int32_t deck_face_of(ElementKind kind, int32_t face) {
  for (int32_t f = 1; f <= ELEMENT_MAX_FACES; ++f)
    if (inp_face(kind, f) == face) return f;
  return 0;
}

static int64_t collect_facets(const Mesh *mesh, Facet *out) {
  int64_t n = 0;
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    const ElementType *type = element_type(block->kind);
    if (type->dim != mesh->dim - 1) continue;
    for (int32_t e = 0; e < block->n; ++e, ++n) {
      if (!out) continue;
      sort_corners(block->nodes + (size_t)e * (size_t)type->n_node, type->n_vertex, out[n].corner);
      out[n].id = block->first + e, out[n].element = out[n].face = 0;
    }
  }
  return n;
}

/* Gives each facet the first element that has it as a face. */
static void match_block(const ElementBlock *block, Facet *facet, int64_t n) {
  const ElementType *type = element_type(block->kind);
  for (int32_t e = 0; e < block->n; ++e)
    for (int32_t f = 0; f < type->n_face; ++f) {
      const ElementFace *face = &type->face[f];
      const int32_t n_corner = element_type(face->kind)->n_vertex;
      int32_t node[CORNERS];
      Facet key;
      for (int32_t a = 0; a < n_corner; ++a)
        node[a] = block->nodes[(size_t)e * (size_t)type->n_node + (size_t)face->nodes[a]];
      sort_corners(node, n_corner, key.corner);
      Facet *at = bsearch(&key, facet, (size_t)n, sizeof *facet, by_corners);
      while (at && at > facet && !by_corners(at - 1, &key)) --at;
      for (; at && at < facet + n && !by_corners(at, &key); ++at)
        if (!at->face) at->element = block->first + e, at->face = deck_face_of(block->kind, f);
    }
}

/* Fills `out` ([n], by the ids of the facets). */
static Status find_facets(const Mesh *mesh, Facet **out, int64_t *n) {
  *n = collect_facets(mesh, NULL);
  *out = NULL;
  if (!*n) return OK;
  ALLOC(*out, *n, "facets of a mesh");
  collect_facets(mesh, *out);
  qsort(*out, (size_t)*n, sizeof **out, by_corners);
  for (int32_t b = 0; b < mesh->n_block; ++b)
    if (element_type(mesh->block[b].kind)->dim == mesh->dim) match_block(&mesh->block[b], *out, *n);
  qsort(*out, (size_t)*n, sizeof **out, by_id);
  return OK;
}

/* What decks take for a name: letters, digits, '_' and '-', a letter first. */
static Status deck_name(const Group *group, char name[NAME_BYTES]) {
  size_t n = 0;
  if (!isalpha((unsigned char)group->name[0])) name[n++] = 'G';
  CHECK(strlen(group->name) + n < NAME_BYTES, ERR_MESH, "the group '%.40s...' has a name of more than 80 characters",
        group->name);
  for (const char *c = group->name; *c; ++c) name[n++] = isalnum((unsigned char)*c) || *c == '-' ? *c : '_';
  name[n] = 0;
  return OK;
}

static Status check_names(const Mesh *mesh) {
  for (int32_t g = 0; g < mesh->n_group; ++g)
    for (int32_t h = 0; h < g; ++h) {
      char a[NAME_BYTES], b[NAME_BYTES];
      TRY(deck_name(&mesh->group[g], a));
      TRY(deck_name(&mesh->group[h], b));
      CHECK(strcasecmp(a, b) != 0, ERR_MESH,
            "the groups '%s' and '%s' have one name in a deck: %s\n  give one of them another name",
            mesh->group[h].name, mesh->group[g].name, a);
    }
  return OK;
}

static void write_number(FILE *file, int64_t *count, int64_t number) {
  fprintf(file, "%lld%s", (long long)number, ++*count % PER_LINE ? ", " : ",\n");
}

static void end_numbers(FILE *file, int64_t count) {
  if (count % PER_LINE) fputc('\n', file);
}

static void write_elements(const ElementBlock *block, FILE *file) {
  const InpType *type = inp_type_of(block->kind);
  const int32_t n = element_type(block->kind)->n_node;
  fprintf(file, "*ELEMENT, TYPE=%s\n", type->name);
  for (int32_t e = 0; e < block->n; ++e) {
    int32_t place[ELEMENT_MAX_NODES];
    for (int32_t a = 0; a < n; ++a)
      place[type->order ? type->order[a] - 'a' : a] = block->nodes[(size_t)e * (size_t)n + (size_t)a];
    fprintf(file, "%d", block->first + e + 1);
    for (int32_t a = 0; a < n; ++a) fprintf(file, a == 14 ? ",\n%d" : ", %d", place[a] + 1);
    fputc('\n', file);
  }
}

/* The nodes of a group as a set. */
static Status write_nodes(const Mesh *mesh, const Group *group, const char *name, FILE *file) {
  int32_t n = 0, *node = NULL;
  int64_t count = 0;
  for (int32_t i = 0; i < group->n; ++i) n += element_type(mesh_block_of(mesh, group->element[i])->kind)->n_node;
  ALLOC(node, n ? n : 1, "nodes of a group");
  n = 0;
  for (int32_t i = 0; i < group->n; ++i) {
    const int32_t more = element_type(mesh_block_of(mesh, group->element[i])->kind)->n_node;
    memcpy(node + n, mesh_nodes_of(mesh, group->element[i]), (size_t)more * sizeof *node);
    n += more;
  }
  const Status status = id_set_make(node, &n);
  fprintf(file, "*NSET, NSET=%s\n", name);
  for (int32_t i = 0; i < n && status == OK; ++i) write_number(file, &count, node[i] + 1);
  end_numbers(file, count);
  FREE(node);
  return status;
}

static void write_surface(const Group *group, const char *name, const Facet *facet, int64_t n, FILE *file) {
  bool begun = false;
  for (int32_t i = 0; i < group->n; ++i) {
    const Facet key = {.id = group->element[i]};
    const Facet *at = bsearch(&key, facet, (size_t)n, sizeof *facet, by_id);
    if (!at || !at->face) continue;
    if (!begun) fprintf(file, "*SURFACE, NAME=%s, TYPE=ELEMENT\n", name);
    fprintf(file, "%d, S%d\n", at->element + 1, at->face);
    begun = true;
  }
}

static Status write_groups(const Mesh *mesh, const Facet *facet, int64_t n_facet, FILE *file) {
  for (int32_t g = 0; g < mesh->n_group; ++g) {
    const Group *group = &mesh->group[g];
    char name[NAME_BYTES];
    int64_t count = 0;
    TRY(deck_name(group, name));
    if (strcmp(name, group->name) != 0)
      status_warn("the group '%s' is '%s' in the deck, whose names have letters, digits, '_' and '-'", group->name,
                  name);
    if (group->dim == mesh->dim) {
      fprintf(file, "*ELSET, ELSET=%s\n", name);
      for (int32_t i = 0; i < group->n; ++i) write_number(file, &count, group->element[i] + 1);
      end_numbers(file, count);
    } else TRY(write_nodes(mesh, group, name, file));
    if (group->dim == mesh->dim - 1) write_surface(group, name, facet, n_facet, file);
  }
  return OK;
}

static Status check_elements(const Mesh *mesh) {
  TRY(check_names(mesh));
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementType *type = element_type(mesh->block[b].kind);
    CHECK(type->dim != mesh->dim || inp_type_of(type->kind), ERR_MESH,
          "decks have no element like %s\n  allowed: tri3, tri6, quad4, quad8, tet4, tet10, hex8, hex20, wedge6, "
          "wedge15\n"
          "  remedy: a mesh of these (of order 2 by Gmsh: Mesh.SecondOrderIncomplete = 1), or a .msh",
          type->name);
  }
  return OK;
}

/* As many digits as 20 characters hold, beyond which CalculiX does not read a number. */
static void write_coordinate(FILE *file, double x) {
  enum { DIGITS = 17, WIDTH = 20 };
  char text[40];
  for (int digits = DIGITS; digits > 0; --digits)
    if (snprintf(text, sizeof text, "%.*g", digits, x) <= WIDTH) break;
  fprintf(file, ", %s", text);
}

Status mesh_write_inp(const Mesh *mesh, FILE *file) {
  Facet *facet = NULL;
  int64_t n_facet = 0;
  TRY(check_elements(mesh));
  TRY(find_facets(mesh, &facet, &n_facet));
  fprintf(file, "** nodes, elements and sets; what they are made of and what acts on them is still to come\n*NODE\n");
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    fprintf(file, "%d", i + 1);
    for (int d = 0; d < 3; ++d) write_coordinate(file, mesh->x[i][d]);
    fputc('\n', file);
  }
  for (int32_t b = 0; b < mesh->n_block; ++b)
    if (element_type(mesh->block[b].kind)->dim == mesh->dim) write_elements(&mesh->block[b], file);
  const Status status = write_groups(mesh, facet, n_facet, file);
  FREE(facet);
  return status;
}
