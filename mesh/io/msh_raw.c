/* What a .msh file says, collected: growing lists and the checks on nodes and elements that need the whole section. */
#include "mesh/io/msh_raw.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void msh_raw_destroy(MshRaw *raw) {
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) {
    FREE(raw->list[kind].nodes);
    FREE(raw->list[kind].tag);
    FREE(raw->list[kind].owner);
  }
  for (int32_t g = 0; g < raw->n_group; ++g) FREE(raw->group[g].name);
  for (int32_t d = 0; d < raw->n_data; ++d) {
    FREE(raw->data[d].name);
    FREE(raw->data[d].tag);
    FREE(raw->data[d].value);
  }
  tag_map_destroy(&raw->node_of);
  FREE(raw->node_tag);
  FREE(raw->node_at);
  FREE(raw->x);
  FREE(raw->group);
  FREE(raw->entity);
  FREE(raw->physical);
  FREE(raw->data);
}

Status msh_room(void **p, int32_t n, int32_t *room, size_t size, const char *what) {
  if (n < *room) return OK;
  const int64_t more = 16 + 2 * (int64_t)n;
  TRY(mem_resize(more, size, what, p));
  *room = more < INT32_MAX ? (int32_t)more : INT32_MAX;
  return OK;
}

Status msh_raw_reserve(MshRaw *raw, ElementKind kind, int32_t n) {
  MshElements *list = &raw->list[kind];
  const int64_t need = (int64_t)list->n + n;
  if (need <= list->room) return OK;
  CHECK(need < INT32_MAX, ERR_MESH, "more than %d elements of one kind are not supported", INT32_MAX - 1);
  const int64_t room = list->n && need < INT32_MAX / 2 ? 2 * need : need; /* the first block is often the only one */
  RESIZE(list->nodes, room * element_type(kind)->n_node, "elements of the mesh file");
  RESIZE(list->tag, room, "element numbers");
  RESIZE(list->owner, room, "groups of elements");
  list->room = (int32_t)room;
  return OK;
}

void msh_raw_element(MshRaw *raw, const MshElement *element, const int64_t *node_tags, MshNotes *notes) {
  MshElements *list = &raw->list[element->kind];
  const int32_t n_node = element_type(element->kind)->n_node;
  int32_t *nodes = list->nodes + (int64_t)element->i * n_node;
  bool twice = false;
  for (int32_t a = 0; a < n_node; ++a) {
    nodes[a] = tag_map_find(&raw->node_of, node_tags[a]);
    if (nodes[a] < 0)
      source_list_add(&notes->missing, element->at, "element %lld needs node %lld", (long long)element->tag,
                      (long long)node_tags[a]);
    for (int32_t b = 0; b < a; ++b)
      if (nodes[a] == nodes[b] && nodes[a] >= 0 && !twice) {
        source_list_add(&notes->repeated, element->at, "element %lld has node %lld twice", (long long)element->tag,
                        (long long)node_tags[a]);
        twice = true;
      }
  }
  list->tag[element->i] = element->tag;
  list->owner[element->i] = element->owner;
  if (notes->n_tag++ == 0) notes->first_tag = element->tag;
  else if (element->tag <= notes->last_tag) notes->falling = true;
  notes->last_tag = element->tag;
}

Status msh_raw_group(MshRaw *raw, int32_t dim, int32_t number, const char *name, int64_t length) {
  while (length && name[length - 1] == ' ') --length; /* MED fills names up */
  if (!length && raw->n_group) {
    const MshGroup *last = &raw->group[raw->n_group - 1];
    if (last->dim == dim && last->number == number) return OK;
  }
  TRY(msh_room((void **)&raw->group, raw->n_group, &raw->room_group, sizeof *raw->group, "physical groups"));
  MshGroup *group = &raw->group[raw->n_group];
  *group = (MshGroup){dim, number, NULL};
  if (length) {
    ALLOC(group->name, length + 1, "physical name");
    memcpy(group->name, name, (size_t)length);
  }
  ++raw->n_group;
  return OK;
}

static int64_t entity_key(int32_t dim, int32_t tag) { return ((int64_t)dim << 32) + tag; }

/* Where the entity is, or would be, in a list sorted by dimension and tag. */
static int32_t entity_place(const MshRaw *raw, int64_t key) {
  int32_t low = 0, high = raw->n_entity;
  while (low < high) {
    const int32_t middle = low + (high - low) / 2;
    if (entity_key(raw->entity[middle].dim, raw->entity[middle].tag) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

Status msh_raw_entity(MshRaw *raw, int32_t dim, int32_t tag, int32_t *index) {
  const int64_t key = entity_key(dim, tag);
  int32_t i = raw->entity_unsorted ? 0 : entity_place(raw, key);
  while (i < raw->n_entity && entity_key(raw->entity[i].dim, raw->entity[i].tag) != key) ++i;
  *index = i;
  if (i < raw->n_entity) return OK;
  TRY(msh_room((void **)&raw->entity, i, &raw->room_entity, sizeof *raw->entity, "entities"));
  raw->entity[i] = (MshEntity){dim, tag, 0, 0, false};
  if (i > 0 && entity_key(raw->entity[i - 1].dim, raw->entity[i - 1].tag) > key) raw->entity_unsorted = true;
  ++raw->n_entity;
  return OK;
}

/* Element types of Gmsh that Sinew has no element for. */
static const struct {
  int32_t type, n_node;
  const char *name;
} unsupported_type[] = {
    {20, 9, "triangle of order 3"},     {21, 10, "triangle of order 3"},    {22, 12, "triangle of order 4"},
    {23, 15, "triangle of order 4"},    {24, 15, "triangle of order 5"},    {25, 21, "triangle of order 5"},
    {26, 4, "line of order 3"},         {27, 5, "line of order 4"},         {28, 6, "line of order 5"},
    {29, 20, "tetrahedron of order 3"}, {30, 35, "tetrahedron of order 4"}, {31, 56, "tetrahedron of order 5"},
    {36, 16, "quadrangle of order 3"},  {37, 25, "quadrangle of order 4"},  {38, 36, "quadrangle of order 5"},
    {39, 12, "quadrangle of order 3"},  {40, 16, "quadrangle of order 4"},  {41, 20, "quadrangle of order 5"},
    {90, 40, "prism of order 3"},       {92, 64, "hexahedron of order 3"},  {93, 125, "hexahedron of order 4"},
    {99, 32, "hexahedron of order 3"},  {118, 30, "pyramid of order 3"},
};
enum { N_UNSUPPORTED = sizeof unsupported_type / sizeof *unsupported_type };

static int unsupported_index(int64_t gmsh_type) {
  for (int i = 0; i < N_UNSUPPORTED; ++i)
    if (unsupported_type[i].type == gmsh_type) return i;
  return -1;
}

Status msh_raw_unsupported(MshRaw *raw, const TextSource *source, int64_t at, int64_t gmsh_type, int64_t n,
                           int32_t *n_node) {
  const int known = unsupported_index(gmsh_type);
  *n_node = known < 0 ? 0 : unsupported_type[known].n_node;
  if (gmsh_type < 1 || gmsh_type > 200)
    return source_fail(source, at, "element type %lld, must be 1 to 200; the file is damaged", (long long)gmsh_type);
  int32_t i = 0;
  while (i < raw->n_unsupported && raw->unsupported[i].gmsh_type != gmsh_type) ++i;
  if (i == (int32_t)(sizeof raw->unsupported / sizeof *raw->unsupported)) return OK;
  if (i == raw->n_unsupported) raw->unsupported[raw->n_unsupported++] = (MshUnsupported){(int32_t)gmsh_type, 0, at};
  raw->unsupported[i].n += (int32_t)n;
  return OK;
}

Status msh_raw_nodes(MshRaw *raw, int64_t n) {
  ALLOC(raw->node_tag, n, "node numbers");
  ALLOC(raw->node_at, n, "places of nodes in the file");
  ALLOC(raw->x, n, "node coordinates");
  raw->n_node = (int32_t)n;
  raw->has_nodes = true;
  return OK;
}

Status msh_raw_node_tag(MshRaw *raw, TextSource *source, int64_t i, bool wide) {
  raw->node_at[i] = source_here(source);
  TRY(wide ? source_size(source, "a node number", &raw->node_tag[i])
           : source_int(source, "a node number", &raw->node_tag[i]));
  if (raw->node_tag[i] >= 1) return OK;
  return source_fail(source, raw->node_at[i], "node number %lld, must be 1 or more; the file is damaged",
                     (long long)raw->node_tag[i]);
}

Status msh_raw_node_x(MshRaw *raw, TextSource *source, int64_t i, MshNotes *notes) {
  static const char *const what[] = {"the x coordinate of a node", "the y coordinate of a node",
                                     "the z coordinate of a node"};
  double *x = raw->x[i];
  const int64_t at = source->at;
  for (int d = 0; d < 3; ++d) TRY(source_double(source, what[d], &x[d]));
  if (isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2])) return OK;
  char line[64];
  source_quote_line(source, source->at, line);
  if (source->binary)
    source_list_add(&notes->not_finite, at, "node %lld at (%g, %g, %g)", (long long)raw->node_tag[i], x[0], x[1], x[2]);
  else source_list_add(&notes->not_finite, source->at, "node %lld in %s", (long long)raw->node_tag[i], line);
  return OK;
}

Status msh_raw_check_nodes(MshRaw *raw, const TextSource *source) {
  TRY(source_list_fail(source, &raw->notes.not_finite, "coordinates that are not finite numbers",
                       "every coordinate must be a finite number: write the mesh again"));
  TagDuplicates duplicates;
  SourceList twice = {0};
  TRY(tag_map_create(raw->node_tag, raw->n_node, "table of node numbers", &raw->node_of, &duplicates));
  for (int i = 0; i < duplicates.n && i < TAG_MAP_DUPLICATES; ++i) {
    const int32_t index = duplicates.index[i];
    source_list_add(&twice, raw->node_at[index], "%lld", (long long)raw->node_tag[index]);
  }
  if (twice.n) twice.n = duplicates.n;
  FREE(raw->node_at);
  return source_list_fail(source, &twice, "node numbers that are given twice",
                          "every node needs a number of its own: renumber the mesh (in Gmsh: RenumberMeshNodes)");
}

Status msh_raw_check_elements(const MshRaw *raw, const TextSource *source) {
  SourceList types = {0};
  for (int32_t i = 0; i < raw->n_unsupported; ++i) {
    const MshUnsupported *u = &raw->unsupported[i];
    const int known = unsupported_index(u->gmsh_type);
    source_list_add(&types, u->at, "%d of Gmsh type %d (%s)", u->n, u->gmsh_type,
                    known < 0 ? "unknown" : unsupported_type[known].name);
  }
  TRY(source_list_fail(source, &types, "elements that Sinew cannot solve on",
                       "use elements of order 1 or 2 (gmsh -order 1 or 2), or triangles and tetrahedra of order 3"));
  TRY(source_list_fail(source, &raw->notes.missing, "elements that refer to nodes that are not in the file",
                       "the file is damaged or was cut: write it again"));
  return source_list_fail(source, &raw->notes.repeated, "elements that have a node twice",
                          "collapsed elements are not supported: mesh again, or use triangles or tetrahedra there");
}
