/* Growing a tree on a surface by the rule of Sahli Costabal, Hurtado and Kuhl (see cable.h), generation by generation. Branches of
 * a generation grow one after another in an order that the seed shuffles; what is near is found by looking at all. */
#include "core/memory.h"
#include "core/vec3.h"
#include "mesh/make/cable.h"

#include <math.h>
#include <string.h>

static const char *const WHAT = "a tree that grows";
/* Parts of a segment: how far a new node may be from where the surface has it, at least be from the one before, and from other
 * branches. */
static const double LEAVES = 0.5, SHORT = 0.3, MEETS = 0.7;
static const double SPREAD = 0.2; /* of lengths about their mean */

typedef struct Triangle {
  double x[3][3], normal[3], middle[3], radius;
} Triangle;

/* A branch that is to grow, and whose child it is: of one parent there are two. */
typedef struct Bud {
  int32_t node, parent;
  double direction[3];
} Bud;

typedef struct Growth {
  const GrowParams *params;
  int32_t n_triangle, n_branch, n_bud, n_next;
  Triangle *triangle; /* owned */
  Cable *cable;
  int32_t *branch; /* owned, [nodes] which one a node is of */
  int32_t *parent; /* owned, [branches]; -1: none */
  Bud *bud, *next; /* owned: of this generation and of the one after it */
  int64_t room;    /* of nodes and branches */
  uint64_t random;
} Growth;

/* To length 1; false where there is none. */
static bool unit(double v[3]) {
  const double length = sqrt(vec3_dot(v, v));
  for (int k = 0; k < 3; ++k) v[k] /= length;
  return length > 1e-12;
}
static bool make_tangent(const double normal[3], double v[3]) {
  const double along = vec3_dot(v, normal);
  for (int k = 0; k < 3; ++k) v[k] -= along * normal[k];
  return unit(v);
}

/* Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014. */
static uint64_t next_random(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}
static double random_share(uint64_t *state) { return (double)(next_random(state) >> 11) * 0x1p-53; }

static void fill_triangle(const Mesh *mesh, int32_t a, int32_t b, int32_t c, Triangle *t) {
  const int32_t node[3] = {a, b, c};
  double ab[3], ac[3];
  for (int i = 0; i < 3; ++i) memcpy(t->x[i], mesh->x[node[i]], sizeof t->x[i]);
  vec3_minus(t->x[1], t->x[0], ab);
  vec3_minus(t->x[2], t->x[0], ac);
  vec3_cross(ab, ac, t->normal);
  (void)unit(t->normal);
  for (int k = 0; k < 3; ++k) t->middle[k] = (t->x[0][k] + t->x[1][k] + t->x[2][k]) / 3;
  t->radius = fmax(vec3_distance(t->middle, t->x[0]),
                   fmax(vec3_distance(t->middle, t->x[1]), vec3_distance(t->middle, t->x[2])));
}

static Status take_surface(const Mesh *mesh, Growth *g) {
  const Group *group = g->params->surface;
  CHECK(group->dim == 2 && group->n > 0, ERR_MESH, "%s: a tree grows on a group of surfaces; '%s' is not one",
        mesh->path, group->name);
  ALLOC(g->triangle, 2 * (int64_t)group->n, WHAT);
  for (int32_t i = 0; i < group->n; ++i) {
    const int32_t *n = mesh_nodes_of(mesh, group->element[i]);
    fill_triangle(mesh, n[0], n[1], n[2], &g->triangle[g->n_triangle++]);
    if (element_type(mesh_block_of(mesh, group->element[i])->kind)->n_vertex == 4)
      fill_triangle(mesh, n[0], n[2], n[3], &g->triangle[g->n_triangle++]);
  }
  return OK;
}

static void nearest_on_edge(const double a[3], const double b[3], const double p[3], double out[3]) {
  double ab[3], ap[3];
  vec3_minus(b, a, ab);
  vec3_minus(p, a, ap);
  const double square = vec3_dot(ab, ab), t = square > 0 ? fmin(fmax(vec3_dot(ap, ab) / square, 0), 1) : 0;
  for (int k = 0; k < 3; ++k) out[k] = a[k] + t * ab[k];
}

static void nearest_on_triangle(const Triangle *t, const double p[3], double out[3]) {
  double rest[3], edge[3], side[3], least = HUGE_VAL;
  bool inside = true;
  vec3_minus(p, t->x[0], rest);
  const double height = vec3_dot(rest, t->normal);
  for (int i = 0; i < 3; ++i) { /* on the inner side of all edges */
    vec3_minus(t->x[(i + 1) % 3], t->x[i], edge);
    vec3_minus(p, t->x[i], rest);
    vec3_cross(t->normal, edge, side);
    inside &= vec3_dot(rest, side) >= 0;
  }
  for (int k = 0; k < 3; ++k) out[k] = p[k] - height * t->normal[k];
  for (int i = 0; i < 3 && !inside; ++i) {
    double here[3];
    nearest_on_edge(t->x[i], t->x[(i + 1) % 3], p, here);
    if (!(vec3_distance(here, p) < least)) continue;
    least = vec3_distance(here, p);
    memcpy(out, here, sizeof here);
  }
}

/* The nearest point of the surface, and the normal there. */
static void to_surface(const Growth *g, const double p[3], double out[3], double normal[3]) {
  double best = HUGE_VAL, here[3];
  for (int32_t i = 0; i < g->n_triangle; ++i) {
    const Triangle *t = &g->triangle[i];
    if (vec3_distance(p, t->middle) - t->radius > best) continue;
    nearest_on_triangle(t, p, here);
    if (!(vec3_distance(here, p) < best)) continue;
    best = vec3_distance(here, p);
    memcpy(out, here, sizeof here);
    memcpy(normal, t->normal, sizeof here);
  }
}

/* The nearest node that is not of this branch; `far`: nor of the one that it comes from, nor of that one's other. -1: none. */
static int32_t nearest_other(const Growth *g, const double p[3], int32_t branch, bool far) {
  const int32_t parent = g->parent[branch];
  double best = HUGE_VAL;
  int32_t found = -1;
  for (int32_t i = 0; i < g->cable->n_node; ++i) {
    const int32_t other = g->branch[i];
    if (other == branch || (far && (other == parent || g->parent[other] == parent))) continue;
    double d[3];
    vec3_minus(p, g->cable->x[i], d);
    if (!(vec3_dot(d, d) < best)) continue;
    best = vec3_dot(d, d);
    found = i;
  }
  return found;
}

static Status add_node(Growth *g, const double x[3], int32_t branch) {
  Cable *c = g->cable;
  CHECK(c->n_node < GROW_NODES, ERR_MESH, "a tree of more than %d nodes\n  remedy: fewer generations, longer segments",
        GROW_NODES);
  if (c->n_node == g->room) {
    g->room = 2 * g->room + 64;
    RESIZE(c->x, g->room, WHAT);
    RESIZE(c->line, g->room, WHAT);
    RESIZE(g->branch, g->room, WHAT);
  }
  memcpy(c->x[c->n_node], x, sizeof *c->x);
  g->branch[c->n_node++] = branch;
  return OK;
}

/* Where the next node of a branch is, and the direction and normal there; false: the branch ends here. */
static bool next_place(const Growth *g, const double from[3], int32_t branch, double direction[3], double normal[3],
                       double out[3]) {
  const double segment = g->params->segment;
  const int32_t near = nearest_other(g, from, branch, false);
  double away[3], there[3];
  if (near >= 0 && g->params->repulsion > 0) {
    vec3_minus(from, g->cable->x[near], away);
    if (unit(away))
      for (int k = 0; k < 3; ++k) direction[k] += g->params->repulsion * away[k];
  }
  if (!make_tangent(normal, direction)) return false;
  for (int k = 0; k < 3; ++k) there[k] = from[k] + segment * direction[k];
  to_surface(g, there, out, normal);
  if (vec3_distance(there, out) > LEAVES * segment || vec3_distance(from, out) < SHORT * segment) return false;
  const int32_t met = nearest_other(g, out, branch, true);
  if (met >= 0 && vec3_distance(out, g->cable->x[met]) < MEETS * segment) return false;
  vec3_minus(out, from, direction);
  return make_tangent(normal, direction);
}

static void add_buds(Growth *g, int32_t node, int32_t branch, const double direction[3], const double normal[3]) {
  double side[3];
  vec3_cross(normal, direction, side);
  for (int sign = -1; sign <= 1; sign += 2) {
    Bud *bud = &g->next[g->n_next++];
    *bud = (Bud){.node = node, .parent = branch};
    for (int k = 0; k < 3; ++k)
      bud->direction[k] = cos(g->params->angle) * direction[k] + sign * sin(g->params->angle) * side[k];
  }
}

static Status grow_branch(Growth *g, const Bud *bud, double length, bool parts) {
  const int64_t n = llround(fmax(1, length / g->params->segment));
  const int32_t branch = g->n_branch++;
  double direction[3], normal[3], x[3], from[3];
  int32_t node = bud->node;
  int64_t k = 0;
  RESIZE(g->parent, g->n_branch, WHAT);
  g->parent[branch] = bud->parent;
  memcpy(direction, bud->direction, sizeof direction);
  memcpy(from, g->cable->x[node], sizeof from);
  to_surface(g, from, x, normal);
  for (; k < n && next_place(g, from, branch, direction, normal, x); ++k) {
    TRY(add_node(g, x, branch));
    int32_t *line = g->cable->line[g->cable->n_line++];
    line[0] = node, line[1] = node = g->cable->n_node - 1;
    memcpy(from, x, sizeof from);
  }
  if (k == n && parts) add_buds(g, node, branch, direction, normal);
  return OK;
}

static void shuffle(Growth *g) {
  for (int32_t i = g->n_bud - 1; i > 0; --i) {
    const int32_t j = (int32_t)(next_random(&g->random) % (uint64_t)(i + 1));
    const Bud moved = g->bud[i];
    g->bud[i] = g->bud[j];
    g->bud[j] = moved;
  }
}

static Status grow_generations(Growth *g) {
  const GrowParams *p = g->params;
  for (int32_t generation = 1; generation <= p->generations && g->n_next > 0; ++generation) {
    Bud *const bud = g->bud;
    g->bud = g->next, g->n_bud = g->n_next;
    g->next = bud, g->n_next = 0;
    RESIZE(g->next, 2 * (int64_t)g->n_bud, WHAT);
    shuffle(g);
    for (int32_t i = 0; i < g->n_bud; ++i) {
      const double length = p->branch_length * (1 + SPREAD * (2 * random_share(&g->random) - 1));
      TRY(grow_branch(g, &g->bud[i], length, generation < p->generations));
    }
  }
  return OK;
}

static Status grow_first(const Mesh *mesh, Growth *g) {
  const GrowParams *p = g->params;
  double at[3], normal[3];
  to_surface(g, p->root, at, normal);
  CHECK(
      vec3_distance(at, p->root) <= p->segment, ERR_MESH,
      "%s: the root of the tree, (%g, %g, %g), is %.4g away from '%s', more than a segment of %g; the nearest point is "
      "(%.6g, %.6g, %.6g)",
      mesh->path, p->root[0], p->root[1], p->root[2], vec3_distance(at, p->root), p->surface->name, p->segment, at[0],
      at[1], at[2]);
  Bud bud = {.parent = -1};
  memcpy(bud.direction, p->direction, sizeof bud.direction);
  CHECK(make_tangent(normal, bud.direction), ERR_MESH,
        "%s: the direction of the tree, (%g, %g, %g), is normal to '%s' at its root", mesh->path, p->direction[0],
        p->direction[1], p->direction[2], p->surface->name);
  TRY(add_node(g, at, 0));
  ALLOC(g->next, 2, WHAT);
  TRY(grow_branch(g, &bud, p->length, p->generations > 0));
  CHECK(g->cable->n_line > 0, ERR_MESH,
        "%s: a tree from (%g, %g, %g) leaves '%s' with its first segment\n  remedy: another direction or root, or "
        "shorter segments",
        mesh->path, at[0], at[1], at[2], p->surface->name);
  return OK;
}

Status cable_grow(const Mesh *mesh, const GrowParams *params, Cable *out) {
  Growth g = {.params = params, .cable = out, .random = params->seed};
  *out = (Cable){0};
  Status status = take_surface(mesh, &g);
  if (status == OK) status = grow_first(mesh, &g);
  if (status == OK) status = grow_generations(&g);
  FREE(g.triangle);
  FREE(g.branch);
  FREE(g.parent);
  FREE(g.bud);
  FREE(g.next);
  if (status != OK) cable_release(out);
  return status;
}
