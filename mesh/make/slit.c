/* Which side an element is on spreads from the facets of the cut over facets that elements have in common near it. */
#include "mesh/make/slit.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VERTICES = 4 };
static const char WHAT[] = "a cut through a mesh";
/* Of the distance to the middle of an element, the least along the axis. */
static const double ALONG = 1e-3;

/* A facet by its vertices, ascending, of an element of the list; -1: of the cut. */
typedef struct Facet {
  int32_t vertex[VERTICES], of, id;
} Facet;

typedef struct Slit {
  Mesh *mesh;
  const Group *cut;
  const double *axis;
  int32_t *copy;    /* owned, [n_node]: its copy; -1: it lies beside the cut */
  int32_t n, *near; /* owned: elements with a node of the cut */
  int32_t *root;    /* owned, [n]: union of those on one side */
  int8_t *side;     /* owned, [n], of roots: 1 ahead, -1 behind, 0 not known */
  int64_t n_facet;
  Facet *facet; /* owned */
} Slit;

static const ElementType *type_of(const Mesh *mesh, int32_t e) { return element_type(mesh_block_of(mesh, e)->kind); }

Status mesh_group_nodes(const Mesh *mesh, const Group *group, int32_t *n, int32_t **node) {
  uint8_t *is = NULL;
  *n = 0;
  ALLOC(is, mesh->n_node, WHAT);
  for (int32_t k = 0; k < group->n; ++k)
    for (int32_t a = 0; a < type_of(mesh, group->element[k])->n_node; ++a)
      is[mesh_nodes_of(mesh, group->element[k])[a]] = 1;
  for (int32_t i = 0; i < mesh->n_node; ++i) *n += is[i];
  const Status status = mem_alloc(*n, sizeof **node, WHAT, (void **)node);
  for (int32_t i = 0, k = 0; status == OK && i < mesh->n_node; ++i)
    if (is[i]) (*node)[k++] = i;
  FREE(is);
  return status;
}

static bool touches(const Slit *s, int32_t n, const int32_t *nodes) {
  bool any = false;
  for (int32_t a = 0; a < n; ++a) any |= s->copy[nodes[a]] >= 0;
  return any;
}

static int facet_order(const void *a, const void *b) {
  const Facet *x = a, *y = b;
  for (int k = 0; k < VERTICES; ++k)
    if (x->vertex[k] != y->vertex[k]) return x->vertex[k] < y->vertex[k] ? -1 : 1;
  return (x->of > y->of) - (x->of < y->of);
}
static bool same_facet(const Facet *a, const Facet *b) { return !memcmp(a->vertex, b->vertex, sizeof a->vertex); }

static Facet facet_of(int32_t n, const int32_t *nodes, const int32_t *local, int32_t of, int32_t id) {
  Facet f = {.of = of, .id = id};
  for (int k = 0; k < VERTICES; ++k) {
    const int32_t v = k < n ? nodes[local ? local[k] : k] : -1;
    int at = k;
    for (; at > 0 && f.vertex[at - 1] > v; --at) f.vertex[at] = f.vertex[at - 1];
    f.vertex[at] = v;
  }
  return f;
}

static void middle(const Mesh *mesh, int32_t e, double x[3]) {
  const int32_t n = type_of(mesh, e)->n_vertex;
  x[0] = x[1] = x[2] = 0;
  for (int32_t a = 0; a < n; ++a)
    for (int d = 0; d < 3; ++d) x[d] += mesh->x[mesh_nodes_of(mesh, e)[a]][d] / n;
}

/* Solved elements at the cut, and their facets there. */
static Status near_find(Slit *s) {
  const Mesh *mesh = s->mesh;
  ALLOC(s->near, mesh->n_element, WHAT);
  for (int32_t e = 0; e < mesh->n_element; ++e)
    if (type_of(mesh, e)->dim == mesh->dim && touches(s, type_of(mesh, e)->n_node, mesh_nodes_of(mesh, e)))
      s->near[s->n++] = e;
  ALLOC(s->root, s->n, WHAT);
  ALLOC(s->side, s->n, WHAT);
  ALLOC(s->facet, (int64_t)s->n * ELEMENT_MAX_FACES + s->cut->n, WHAT);
  for (int32_t k = 0; k < s->n; ++k) {
    const ElementType *type = type_of(mesh, s->near[k]);
    const int32_t *nodes = mesh_nodes_of(mesh, s->near[k]);
    s->root[k] = k;
    for (int32_t f = 0; f < type->n_face; ++f) {
      const int32_t n = element_type(type->face[f].kind)->n_vertex;
      const Facet facet = facet_of(n, nodes, type->face[f].nodes, k, s->near[k]);
      if (touches(s, n, facet.vertex + VERTICES - n)) s->facet[s->n_facet++] = facet;
    }
  }
  for (int32_t k = 0; k < s->cut->n; ++k) {
    const int32_t e = s->cut->element[k];
    s->facet[s->n_facet++] = facet_of(type_of(mesh, e)->n_vertex, mesh_nodes_of(mesh, e), NULL, -1, e);
  }
  qsort(s->facet, (size_t)s->n_facet, sizeof *s->facet, facet_order);
  return OK;
}

static int32_t root_of(const Slit *s, int32_t k) {
  while (s->root[k] != k) k = s->root[k] = s->root[s->root[k]];
  return k;
}

/* Which side of the cut's facet f an element is on; 0: beside it. */
static int side_of(const Slit *s, int32_t f, int32_t e) {
  double x[3], y[3], along = 0, square = 0;
  middle(s->mesh, f, x);
  middle(s->mesh, e, y);
  for (int d = 0; d < 3; ++d) along += (y[d] - x[d]) * s->axis[d], square += (y[d] - x[d]) * (y[d] - x[d]);
  return fabs(along) > ALONG * sqrt(square) ? (along > 0 ? 1 : -1) : 0;
}

/* Elements beside a facet of the cut, whose entry in the sorted list this is, followed by theirs. */
static Status sides_of_facet(const Slit *s, const Facet *cut, int32_t n, int8_t *side) {
  double x[3];
  middle(s->mesh, cut->id, x);
  CHECK(
      n == 2, ERR_INPUT,
      "'%s' has a facet at (%g, %g, %g) that is not between two elements: a cut lies inside of a body, with an element "
      "on each side\n  remedy: a surface through the shank that both of its volumes share in the mesh",
      s->cut->name, x[0], x[1], x[2]);
  const int a = side_of(s, cut->id, cut[1].id), b = side_of(s, cut->id, cut[2].id);
  CHECK(a * b < 0, ERR_INPUT,
        "'%s' lies along the axis of the cut at (%g, %g, %g)\n  remedy: an 'axis' across the surface, along the shank",
        s->cut->name, x[0], x[1], x[2]);
  side[cut[1].of] = (int8_t)a, side[cut[2].of] = (int8_t)b;
  return OK;
}

/* Sides of elements at facets of the cut; what else shares a facet is on the same one. */
static Status sides_spread(Slit *s) {
  int8_t *seed = NULL;
  Status status = OK;
  ALLOC(seed, s->n, WHAT);
  for (int64_t i = 0, end; i < s->n_facet; i = end) {
    for (end = i + 1; end < s->n_facet && same_facet(&s->facet[i], &s->facet[end]); ++end) continue;
    if (s->facet[i].of < 0) TRY_DONE(sides_of_facet(s, &s->facet[i], (int32_t)(end - i) - 1, seed));
    else if (end - i == 2) s->root[root_of(s, s->facet[i].of)] = root_of(s, s->facet[i + 1].of);
  }
  for (int32_t k = 0; k < s->n; ++k) {
    double x[3];
    int8_t *side = &s->side[root_of(s, k)];
    if (!seed[k]) continue;
    middle(s->mesh, s->near[k], x);
    if (*side && *side != seed[k])
      status = FAIL(
          ERR_INPUT,
          "'%s' does not cut the body in two near (%g, %g, %g): elements ahead of it are joined to those behind it "
          "around its edge\n  remedy: a surface across all of the shank",
          s->cut->name, x[0], x[1], x[2]);
    TRY_DONE(status);
    *side = seed[k];
  }
done:
  FREE(seed);
  return status;
}

static bool is_ahead(const Slit *s, int32_t k) { return s->side[root_of(s, k)] > 0; }

static void move_nodes(const Slit *s, int32_t e) {
  int32_t *nodes = (int32_t *)(uintptr_t)mesh_nodes_of(s->mesh, e);
  for (int32_t a = 0; a < type_of(s->mesh, e)->n_node; ++a)
    if (s->copy[nodes[a]] >= 0) nodes[a] = s->copy[nodes[a]];
}

/* Whether element k of the list has all these nodes. */
static bool has_all(const Slit *s, int32_t k, int32_t n, const int32_t *nodes) {
  const int32_t *own = mesh_nodes_of(s->mesh, s->near[k]);
  bool all = true;
  for (int32_t a = 0; a < n && all; ++a) {
    bool has = false;
    for (int32_t b = 0; b < type_of(s->mesh, s->near[k])->n_node; ++b) has |= own[b] == nodes[a];
    all = has;
  }
  return all;
}

/* Facets and edges at the cut that only elements ahead of it have; before any of these has moved. */
static void mark_lower(const Slit *s, uint8_t *ahead) {
  const Mesh *mesh = s->mesh;
  for (int32_t e = 0; e < mesh->n_element; ++e) {
    const int32_t n = type_of(mesh, e)->n_node, *nodes = mesh_nodes_of(mesh, e);
    bool any = false, behind = false, off = false;
    for (int32_t a = 0; a < n; ++a) off |= s->copy[nodes[a]] < 0;
    if (type_of(mesh, e)->dim == mesh->dim || !off || !touches(s, n, nodes)) continue;
    for (int32_t k = 0; k < s->n; ++k) {
      if (!has_all(s, k, n, nodes)) continue;
      any |= is_ahead(s, k), behind |= !is_ahead(s, k);
    }
    ahead[e] = any && !behind;
  }
}

static Status nodes_move(const Slit *s) {
  uint8_t *ahead = NULL;
  ALLOC(ahead, s->mesh->n_element, WHAT);
  mark_lower(s, ahead);
  for (int32_t k = 0; k < s->n; ++k) ahead[s->near[k]] = is_ahead(s, k);
  for (int32_t e = 0; e < s->mesh->n_element; ++e)
    if (ahead[e]) move_nodes(s, e);
  FREE(ahead);
  return OK;
}

static Status nodes_copy(Mesh *mesh, int32_t n, const int32_t *node) {
  const int32_t before = mesh->n_node;
  int64_t tag = 0;
  CHECK((int64_t)before + n <= INT32_MAX, ERR_MESH, "%lld nodes with those of cuts; at most %d are possible",
        (long long)before + n, INT32_MAX);
  CHECK(!mesh->whole, ERR_BUG, "a cut through a part of a mesh");
  RESIZE(mesh->x, before + n, WHAT);
  RESIZE(mesh->node_tag, before + n, WHAT);
  for (int32_t i = 0; i < before; ++i)
    if (mesh->node_tag[i] > tag) tag = mesh->node_tag[i];
  for (int32_t i = 0; i < n; ++i) {
    memcpy(mesh->x[before + i], mesh->x[node[i]], sizeof *mesh->x);
    mesh->node_tag[before + i] = tag + 1 + i;
  }
  for (int32_t f = 0; f < mesh->n_field; ++f) {
    MeshField *field = &mesh->field[f];
    const size_t width = (size_t)field->n_component;
    if (!field->on_nodes) continue;
    RESIZE(field->value, (int64_t)(before + n) * field->n_component, WHAT);
    for (int32_t i = 0; i < n; ++i)
      memcpy(field->value + (size_t)(before + i) * width, field->value + (size_t)node[i] * width,
             width * sizeof *field->value);
  }
  mesh->n_node += n;
  return OK;
}

Status mesh_slit(Mesh *mesh, const Group *cut, const double axis[3]) {
  Slit s = {.mesh = mesh, .cut = cut, .axis = axis};
  Status status = OK;
  int32_t n = 0, *node = NULL;
  TRY_DONE(mesh_group_nodes(mesh, cut, &n, &node));
  ALLOC_DONE(s.copy, mesh->n_node, WHAT);
  for (int32_t i = 0; i < mesh->n_node; ++i) s.copy[i] = -1;
  for (int32_t i = 0; i < n; ++i) s.copy[node[i]] = mesh->n_node + i;
  TRY_DONE(near_find(&s));
  TRY_DONE(sides_spread(&s));
  TRY_DONE(nodes_move(&s));
  status = nodes_copy(mesh, n, node);
done:
  FREE(node);
  FREE(s.copy);
  FREE(s.near);
  FREE(s.root);
  FREE(s.side);
  FREE(s.facet);
  return status;
}
