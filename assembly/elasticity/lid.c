/* Lids over rims of cavities that move: what they have of the volume, and the forces of the pressure on them, which the rim carries
 * (lid_rows.h). So V stays the volume of a closed surface, and forces its derivative. */
#include "assembly/elasticity/cavity.h"
#include "assembly/space/rim.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

/* An edge as its facet sees it, with the cavity to the left; its own two ends first, and the lid that it belongs to. */
typedef struct LidEdge {
  int32_t node[3], lid;
} LidEdge;

typedef struct LidBuild {
  Elasticity *p;
  const Cavity *cavity;
  int32_t i; /* of the cavity */
  LidEdge *edge;
  int32_t n;
  int32_t *root, *count; /* [nodes of the mesh]: of a rim; edges at a node */
} LidBuild;

static int compare(const void *a, const void *b) {
  const RimEdge *x = a, *y = b;
  if (x->a != y->a) return x->a < y->a ? -1 : 1;
  return (x->b > y->b) - (x->b < y->b);
}

static int32_t find_root(int32_t *root, int32_t i) {
  while (root[i] != i) i = root[i] = root[root[i]];
  return i;
}

static void join(LidBuild *w, const int32_t node[2]) {
  const int32_t a = find_root(w->root, node[0]), b = find_root(w->root, node[1]);
  w->root[a < b ? b : a] = a < b ? a : b;
  ++w->count[node[0]], ++w->count[node[1]];
}

/* Edges of facet e of block k that nothing closes; n = t_1 x t_2 of it points out of the body, or into it. */
static Status take_facet(LidBuild *w, const SetBlock *b, int32_t e, bool outward) {
  const int32_t *nodes = b->nodes + (int64_t)e * b->type->n_node;
  for (int32_t f = 0; f < b->type->n_face; ++f) {
    const ElementFace *face = &b->type->face[f];
    const int32_t at[2] = {nodes[face->nodes[0]], nodes[face->nodes[1]]}, n = element_type(face->kind)->n_node;
    const RimEdge key = {at[0] < at[1] ? at[0] : at[1], at[0] < at[1] ? at[1] : at[0]};
    if (!bsearch(&key, w->cavity->open, (size_t)w->cavity->n_open, sizeof key, compare)) continue;
    CHECK(n <= 3, ERR_INPUT, "a lid over edges of order 3\n  allowed: elements of order 1 and 2");
    w->edge[w->n++] = (LidEdge){{at[outward ? 0 : 1], at[outward ? 1 : 0], n == 3 ? nodes[face->nodes[2]] : -1}, 0};
    join(w, at);
  }
  return OK;
}

static Status take_edges(LidBuild *w) {
  const Elasticity *p = w->p;
  Status status = OK;
  for (int32_t k = 0; k < p->loads.n_follower && status == OK; ++k) {
    const SpringBlock *facets = &p->loads.spring[p->loads.n_spring + k];
    const SetBlock *b = &p->space->set.block[p->space->set.n_solved_block + p->loads.n_spring + k];
    double *factor = NULL;
    ALLOC(factor, (int64_t)facets->n * facets->n_q, "facets of a cavity");
    loads_in_cavity(&p->loads, k, w->i, factor);
    for (int32_t e = 0; e < facets->n && status == OK; ++e)
      if (factor[(int64_t)e * facets->n_q] != 0) status = take_facet(w, b, e, factor[(int64_t)e * facets->n_q] > 0);
    FREE(factor);
  }
  return status;
}

/* Axes of planes of the cavity that the rim ends on. */
static int32_t held_axes(const LidBuild *w, int32_t lid) {
  const Mesh *mesh = w->p->space->mesh;
  const double near = 1e-9 * mesh_size(mesh);
  int32_t held = 0;
  for (int32_t e = 0; e < w->n; ++e)
    for (int a = 0; a < 2 && w->edge[e].lid == lid; ++a)
      for (int i = 0; i < 3 && w->count[w->edge[e].node[a]] == 1; ++i)
        if ((w->cavity->closed.planes >> i & 1) &&
            fabs(mesh->x[w->edge[e].node[a]][i] - w->cavity->closed.x0[i]) <= near)
          held |= 1 << i;
  return held;
}

static Status upload(Elasticity *p, int64_t n, size_t size, const void *from, void **to) {
  return exec_alloc_upload(p->space->exec, n, size, from, "a lid", to);
}

/* Which edges are at which node; `at`: the place of a node in the list, and 1. */
static Status lid_lists(LidBuild *w, Lid *lid, const int32_t *edge, int32_t *at) {
  int32_t *node = NULL, *start = NULL, *entry = NULL, n = 0;
  double *weight = NULL;
  Status status = OK;
  ALLOC_DONE(node, 3 * (int64_t)lid->n_edge, "a lid");
  ALLOC_DONE(start, 3 * (int64_t)lid->n_edge + 1, "a lid");
  ALLOC_DONE(entry, 3 * (int64_t)lid->n_edge, "a lid");
  ALLOC_DONE(weight, 3 * (int64_t)lid->n_edge, "a lid");
  for (int32_t k = 0; k < 3 * lid->n_edge; ++k) {
    if (edge[k] < 0) continue;
    if (!at[edge[k]]) node[n++] = edge[k], at[edge[k]] = n;
    ++start[at[edge[k]]];
    if (k % 3 < 2) weight[at[edge[k]] - 1] += 0.5 / lid->n_edge;
  }
  for (int32_t i = 0; i < n; ++i) start[i + 1] += start[i];
  lid->n_entry = start[n];
  for (int32_t k = 3 * lid->n_edge - 1; k >= 0; --k) /* from the end of each list */
    if (edge[k] >= 0) entry[--start[at[edge[k]]]] = k;
  for (int32_t i = 0; i < n; ++i) start[i] = start[i + 1], at[node[i]] = 0;
  start[n] = (int32_t)lid->n_entry;
  lid->n_node = n;
  TRY_DONE(upload(w->p, n, sizeof *node, node, (void **)&lid->node));
  TRY_DONE(upload(w->p, n + 1, sizeof *start, start, (void **)&lid->start));
  TRY_DONE(upload(w->p, lid->n_entry, sizeof *entry, entry, (void **)&lid->entry));
  TRY_DONE(upload(w->p, n, sizeof *weight, weight, (void **)&lid->weight));
done:
  FREE(node), FREE(start), FREE(entry), FREE(weight);
  return status;
}

static Status lid_create(LidBuild *w, int32_t number, int32_t *at) {
  Elasticity *p = w->p;
  Lid *lid = &p->lid[p->n_lid++];
  int32_t *edge = NULL;
  *lid = (Lid){.cavity = w->i, .held = held_axes(w, number)};
  for (int32_t e = 0; e < w->n; ++e) lid->n_edge += w->edge[e].lid == number;
  ALLOC(edge, 3 * (int64_t)lid->n_edge, "a lid");
  for (int32_t e = 0, k = 0; e < w->n; ++e)
    for (int a = 0; a < 3 && w->edge[e].lid == number; ++a, ++k)
      edge[k] = w->edge[e].node[a] < 0 ? -1 : numbering_rank(&p->space->numbering, w->edge[e].node[a]);
  Status status = upload(p, 3 * (int64_t)lid->n_edge, sizeof *edge, edge, (void **)&lid->edge);
  if (status == OK) status = lid_lists(w, lid, edge, at);
  FREE(edge);
  TRY(status);
  EXEC_ALLOC(p->space->exec, lid->f, 9 * (int64_t)lid->n_edge, "a lid");
  EXEC_ALLOC(p->space->exec, lid->moments, 1, "a lid");
  return OK;
}

static Status lids_of(LidBuild *w) {
  const int32_t n_node = w->p->space->mesh->n_node;
  int32_t n = 0, *at = NULL;
  ALLOC(w->edge, w->cavity->n_open, "edges of a rim");
  ALLOC(w->root, n_node, "rims");
  ALLOC(w->count, n_node, "rims");
  for (int32_t i = 0; i < n_node; ++i) w->root[i] = i;
  TRY(take_edges(w));
  for (int32_t e = 0; e < w->n; ++e) { /* by the first edge of each rim */
    const int32_t root = find_root(w->root, w->edge[e].node[0]);
    int32_t first = 0;
    while (find_root(w->root, w->edge[first].node[0]) != root) ++first;
    w->edge[e].lid = first == e ? n++ : w->edge[first].lid;
  }
  CHECK(w->p->n_lid + n <= ELASTIC_LIDS, ERR_INPUT,
        "%d rims of cavities are open, at most %d can have lids\n  likely: "
        "the group has holes",
        (int)(w->p->n_lid + n), ELASTIC_LIDS);
  ALLOC(at, n_node, "nodes of rims");
  Status status = OK;
  for (int32_t k = 0; k < n && status == OK; ++k) status = lid_create(w, k, at);
  FREE(at);
  return status;
}

Status lids_create(Elasticity *p) {
  for (int32_t i = 0; i < p->n_cavity; ++i) {
    LidBuild w = {.p = p, .cavity = &p->cavity[i], .i = i};
    if (!w.cavity->n_open) continue;
    const Status status = lids_of(&w);
    FREE(w.edge), FREE(w.root), FREE(w.count);
    TRY_CONTEXT(status, "%s: while the lid of '%s' was made", loads_cavity(&p->loads, i)->where,
                loads_cavity(&p->loads, i)->on->name);
  }
  return OK;
}

void lids_release(Elasticity *p) {
  Exec *exec = p->space->exec;
  for (int32_t k = 0; k < p->n_lid; ++k) {
    Lid *lid = &p->lid[k];
    EXEC_RELEASE(exec, lid->edge, 3 * (int64_t)lid->n_edge);
    EXEC_RELEASE(exec, lid->node, lid->n_node);
    EXEC_RELEASE(exec, lid->start, lid->n_node + 1);
    EXEC_RELEASE(exec, lid->entry, lid->n_entry);
    EXEC_RELEASE(exec, lid->weight, lid->n_node);
    EXEC_RELEASE(exec, lid->f, 9 * (int64_t)lid->n_edge);
    EXEC_RELEASE(exec, lid->moments, 1);
  }
  for (int32_t i = 0; i < p->n_cavity; ++i) FREE(p->cavity[i].open);
}

/* Moments and forces of the edges. */
static Status lid_edges(const Elasticity *p, const Lid *lid, const double *u, const double *v) {
  const CavityClosure *of = &p->cavity[lid->cavity].closed;
  LidArgs args = {.n_edge = lid->n_edge,
                  .edge = lid->edge,
                  .held = lid->held,
                  .x = p->space->x,
                  .u = u,
                  .v = v,
                  .moments = lid->moments,
                  .f = lid->f};
  for (int i = 0; i < 3; ++i) args.x0[i] = of->x0[i], args.along[i] = of->along[i];
  TRY(exec_rows(p->space->exec, &lid_mean_kernel, &args, lid->n_edge));
  if (v) TRY(exec_rows(p->space->exec, &lid_shift_kernel, &args, lid->n_edge));
  return exec_rows(p->space->exec, &lid_edge_kernel, &args, lid->n_edge);
}

static Status lid_add(const Elasticity *p, const Lid *lid, double factor, const uint8_t *fixed, double *out) {
  const LidNodeArgs args = {lid->node,    lid->start, lid->entry, lid->weight, lid->held,
                            lid->moments, lid->f,     factor,     fixed,       out};
  return exec_rows(p->space->exec, &lid_node_kernel, &args, lid->n_node);
}

Status lids_volume(const Elasticity *p, int32_t cavity, const double *u, double *volume) {
  for (int32_t k = 0; k < p->n_lid; ++k) {
    LidMoments moments;
    if (p->lid[k].cavity != cavity) continue;
    TRY(lid_edges(p, &p->lid[k], u, NULL));
    TRY(exec_download(p->space->exec, &moments, p->lid[k].moments, sizeof moments));
    *volume += moments.volume;
  }
  return OK;
}

Status lids_force(const Elasticity *p, int32_t cavity, double factor, const double *u, const double *v,
                  const uint8_t *fixed, double *out) {
  for (int32_t k = 0; k < p->n_lid; ++k) {
    const Lid *lid = &p->lid[k];
    if (cavity >= 0 && lid->cavity != cavity) continue;
    TRY(lid_edges(p, lid, u, v));
    TRY(lid_add(p, lid, cavity >= 0 ? factor : factor * p->cavity_pressure[lid->cavity], fixed, out));
  }
  return OK;
}
