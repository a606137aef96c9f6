/* From a deck to a Mesh: points for groups of nodes, facets for faces that groups name, and the elements. */
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/id_set.h"
#include "mesh/io/inp.h"

#include <stdlib.h>
#include <string.h>

/* What a mesh is made from; facets and points come before the elements, by kind. */
typedef struct Making {
  InpDeck *deck;
  Mesh *mesh;
  int32_t n_group;
  const InpGroup *group;
  int32_t *point;    /* owned, [n_node]: element id of the point at a node, -1 none */
  InpFacet *facet;   /* owned, [n_facet], ascending, each once */
  int32_t *facet_id; /* owned, [n_facet] */
  int32_t n_facet;
  int32_t first[N_ELEMENT_KINDS]; /* element id of the first element of the deck */
} Making;

static int order_facets(const void *left, const void *right) {
  const InpFacet *a = left, *b = right;
  if (a->element != b->element) return a->element < b->element ? -1 : 1;
  return (a->face > b->face) - (a->face < b->face);
}

static Status gather_facets(Making *m) {
  int64_t most = 0;
  for (int32_t g = 0; g < m->n_group; ++g) most += m->group[g].kind == INP_FACETS ? m->group[g].n : 0;
  CHECK(most < INT32_MAX, ERR_MESH, "%s: more than %d faces with loads", m->deck->file[0].path, INT32_MAX - 1);
  ALLOC(m->facet, most, "faces of a deck");
  ALLOC(m->facet_id, most, "faces of a deck");
  for (int32_t g = 0; g < m->n_group; ++g) {
    if (m->group[g].kind != INP_FACETS) continue;
    memcpy(m->facet + m->n_facet, m->group[g].facet, (size_t)m->group[g].n * sizeof *m->facet);
    m->n_facet += m->group[g].n;
  }
  qsort(m->facet, (size_t)m->n_facet, sizeof *m->facet, order_facets);
  int32_t n = m->n_facet > 0;
  for (int32_t i = 1; i < m->n_facet; ++i)
    if (order_facets(&m->facet[i], &m->facet[n - 1]) != 0) m->facet[n++] = m->facet[i];
  m->n_facet = n;
  return OK;
}

static ElementKind facet_kind(const Making *m, const InpFacet *facet) {
  return element_type(inp_kind_of(m->deck, facet->element))->face[facet->face].kind;
}

static Status new_block(Making *m, ElementKind kind, int32_t n, ElementBlock **out) {
  Mesh *mesh = m->mesh;
  const ElementType *type = element_type(kind);
  CHECK(n < INT32_MAX - mesh->n_element, ERR_MESH, "%s: more than %d elements", m->deck->file[0].path, INT32_MAX - 1);
  ElementBlock *block = &mesh->block[mesh->n_block++];
  *block = (ElementBlock){.kind = kind, .n = n, .first = mesh->n_element};
  mesh->n_element += n;
  if (type->dim > mesh->dim) mesh->dim = type->dim;
  *out = block;
  return OK;
}

static Status make_points(Making *m) {
  int32_t n = 0;
  bool any = false;
  for (int32_t g = 0; g < m->n_group; ++g) any |= m->group[g].kind == INP_NODES && m->group[g].n > 0;
  if (!any) return OK;
  ALLOC(m->point, m->deck->n_node, "points of a deck");
  for (int32_t g = 0; g < m->n_group; ++g)
    for (int32_t i = 0; m->group[g].kind == INP_NODES && i < m->group[g].n; ++i) m->point[m->group[g].item[i]] = 1;
  for (int32_t i = 0; i < m->deck->n_node; ++i) m->point[i] = m->point[i] ? n++ : -1;
  ElementBlock *block;
  TRY(new_block(m, ELEMENT_POINT1, n, &block));
  ALLOC(block->nodes, n, "elements");
  ALLOC(block->tag, n, "element numbers");
  for (int32_t i = 0; i < m->deck->n_node; ++i)
    if (m->point[i] >= 0) {
      block->nodes[m->point[i]] = i;
      block->tag[m->point[i]] = m->deck->node_tag[i];
    }
  return OK;
}

/* A facet has the number of its element. */
static Status make_facets(Making *m, ElementKind kind, int32_t n) {
  const int32_t n_node = element_type(kind)->n_node;
  ElementBlock *block;
  TRY(new_block(m, kind, n, &block));
  ALLOC(block->nodes, (int64_t)n * n_node, "elements");
  ALLOC(block->tag, n, "element numbers");
  for (int32_t f = 0, i = 0; f < m->n_facet; ++f) {
    if (facet_kind(m, &m->facet[f]) != kind) continue;
    const ElementType *type = element_type(inp_kind_of(m->deck, m->facet[f].element));
    const int32_t *nodes = inp_nodes_of(m->deck, m->facet[f].element);
    for (int32_t a = 0; a < n_node; ++a)
      block->nodes[(int64_t)i * n_node + a] = nodes[type->face[m->facet[f].face].nodes[a]];
    block->tag[i] = m->deck->element_tag[m->facet[f].element];
    m->facet_id[f] = block->first + i++;
  }
  return OK;
}

static Status make_elements(Making *m, ElementKind kind) {
  ElementBlock *block;
  TRY(new_block(m, kind, m->deck->list[kind].n, &block));
  m->first[kind] = block->first;
  block->nodes = m->deck->list[kind].nodes;
  block->tag = m->deck->list[kind].tag;
  m->deck->list[kind].nodes = NULL; /* inp_mesh gives them back where it fails */
  m->deck->list[kind].tag = NULL;
  return OK;
}

static Status make_blocks(Making *m) {
  int32_t count[N_ELEMENT_KINDS] = {0};
  ALLOC(m->mesh->block, N_ELEMENT_KINDS, "element blocks");
  for (int32_t f = 0; f < m->n_facet; ++f) ++count[facet_kind(m, &m->facet[f])];
  TRY(make_points(m));
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) {
    const bool both = count[kind] && m->deck->list[kind].n;
    CHECK(!both, ERR_MESH, "%s: faces and elements of the same kind (%s); flat and solid elements do not go together",
          m->deck->file[0].path, element_type((ElementKind)kind)->name);
    if (count[kind]) TRY(make_facets(m, (ElementKind)kind, count[kind]));
  }
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind)
    if (m->deck->list[kind].n) TRY(make_elements(m, (ElementKind)kind));
  return OK;
}

static int32_t facet_find(const Making *m, const InpFacet *facet) {
  const InpFacet *found = bsearch(facet, m->facet, (size_t)m->n_facet, sizeof *facet, order_facets);
  return m->facet_id[found - m->facet];
}

/* The kind of an element, which most often is that of the one before it. */
static ElementKind group_kind(const Making *m, int32_t item, ElementKind before) {
  const int32_t *base = m->deck->base;
  return item >= base[before] && item < base[before + 1] ? before : inp_kind_of(m->deck, item);
}

/* Bit d: it has elements of dimension d. */
static unsigned group_dimensions(const Making *m, const InpGroup *from) {
  if (from->n == 0) return 0;
  if (from->kind != INP_ELEMENTS) return 1u << (from->kind == INP_NODES ? 0 : m->mesh->dim - 1);
  unsigned found = 0;
  ElementKind kind = (ElementKind)0;
  for (int32_t i = 0; i < from->n; ++i) {
    kind = group_kind(m, from->item[i], kind);
    found |= 1u << element_type(kind)->dim;
  }
  return found;
}

static void group_elements(const Making *m, const InpGroup *from, int32_t dim, Group *group) {
  ElementKind kind = (ElementKind)0;
  for (int32_t i = 0; i < from->n; ++i) {
    if (from->kind == INP_NODES) group->element[group->n++] = m->point[from->item[i]];
    else if (from->kind == INP_FACETS) group->element[group->n++] = facet_find(m, &from->facet[i]);
    else {
      kind = group_kind(m, from->item[i], kind);
      if (element_type(kind)->dim == dim)
        group->element[group->n++] = m->first[kind] + from->item[i] - m->deck->base[kind];
    }
  }
}

/* Its elements of this dimension, which it has. */
static Status make_group(Making *m, const InpGroup *from, int32_t dim) {
  Group *group = &m->mesh->group[m->mesh->n_group++];
  *group = (Group){.dim = dim, .number = m->mesh->n_group};
  TRY(mem_text(from->name, "the name of a group", &group->name));
  ALLOC(group->element, from->n, "a group");
  group_elements(m, from, dim, group);
  return id_set_make(group->element, &group->n);
}

static Status making_mesh(Making *m) {
  InpDeck *deck = m->deck;
  Mesh *mesh = m->mesh;
  TRY(gather_facets(m));
  TRY(make_blocks(m));
  TRY(mem_text(deck->file[0].path, "mesh path", &mesh->path));
  ALLOC(mesh->group, 4 * (int64_t)m->n_group, "groups"); /* a set may have elements of every dimension */
  for (int32_t g = 0; g < m->n_group; ++g) {
    const unsigned found = group_dimensions(m, &m->group[g]);
    for (int32_t dim = 0; dim <= 3; ++dim)
      if (found >> dim & 1u) TRY(make_group(m, &m->group[g], dim));
  }
  ALLOC(mesh->field, 0, "fields");
  mesh->n_node = deck->n_node;
  mesh->x = deck->x;
  mesh->node_tag = deck->node_tag;
  deck->x = NULL;
  deck->node_tag = NULL;
  tag_map_destroy(&deck->node_of);
  return OK;
}

Status inp_mesh(InpDeck *deck, int32_t n_group, const InpGroup *group, Mesh **out) {
  Making m = {.deck = deck, .n_group = n_group, .group = group};
  ALLOC(m.mesh, 1, "mesh");
  const Status status = making_mesh(&m);
  FREE(m.point);
  FREE(m.facet);
  FREE(m.facet_id);
  if (status != OK) mesh_destroy(&m.mesh);
  *out = m.mesh;
  return status;
}

Status inp_groups_add(InpGroups *groups, const char *name, InpGroupKind kind, int32_t n, const int32_t *item) {
  RESIZE(groups->group, groups->n + 1, "groups");
  RESIZE(groups->name, groups->n + 1, "groups");
  char **to = &groups->name[groups->n];
  TRY(mem_text(name, "the name of a group", to));
  groups->group[groups->n++] = (InpGroup){*to, kind, n, item, NULL};
  return OK;
}

Status inp_groups_list(InpGroups *groups, int64_t n, int32_t **out) {
  RESIZE(groups->list, groups->n_list + 1, "groups");
  ALLOC(groups->list[groups->n_list], n, "items of groups");
  *out = groups->list[groups->n_list++];
  return OK;
}

void inp_groups_destroy(InpGroups *groups) {
  for (int32_t i = 0; i < groups->n; ++i) FREE(groups->name[i]);
  for (int32_t i = 0; i < groups->n_list; ++i) FREE(groups->list[i]);
  FREE(groups->group);
  FREE(groups->name);
  FREE(groups->list);
}

Status mesh_read_inp(const char *path, Mesh **out) {
  InpDeck *deck = NULL;
  InpGroup *group = NULL;
  int32_t n = 0;
  *out = NULL;
  Status status = inp_open(path, &deck);
  if (status != OK) return status;
  ALLOC_DONE(group, deck->n_nset + deck->n_elset + deck->n_surface, "groups");
  for (int32_t i = 0; i < deck->n_elset; ++i)
    group[n++] = (InpGroup){deck->elset[i].name, INP_ELEMENTS, deck->elset[i].n, deck->elset[i].item, NULL};
  for (int32_t i = 0; i < deck->n_surface; ++i) {
    const InpSurface *surface = &deck->surface[i];
    group[n++] =
        (InpGroup){surface->name, surface->facet ? INP_FACETS : INP_NODES, surface->n, surface->node, surface->facet};
  }
  for (int32_t i = 0; i < deck->n_nset; ++i)
    if (!inp_surface(deck, deck->nset[i].name))
      group[n++] = (InpGroup){deck->nset[i].name, INP_NODES, deck->nset[i].n, deck->nset[i].item, NULL};
  status = inp_mesh(deck, n, group, out);
done:
  FREE(group);
  inp_close(&deck);
  return status;
}
