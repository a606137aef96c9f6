/* Lids over rims of cavities that move: what they have of the volume, and the forces of the pressure on them, which the rim carries
 * (lid_rows.h). So V stays the volume of a closed surface, and forces its derivative. */
#include "assembly/elasticity/cavity.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An edge as its facet sees it, with the cavity to the left; its own two ends first, and the lid that it belongs to. */
typedef struct LidEdge {
  int32_t node[3], lid;
} LidEdge;

typedef struct LidBuild {
  Elasticity *p;
  int32_t i;     /* of the cavity */
  LidEdge *edge; /* those that are here, [n] of at most `room` */
  int32_t n;
  int64_t room;
} LidBuild;

/* ---- of the whole mesh ---- */

static int32_t find_root(int32_t *root, int32_t i) {
  while (root[i] != i) i = root[i] = root[root[i]];
  return i;
}

/* Planes of the cavity that the rim ends on; count: edges at a node. */
static int32_t held_axes(const Elasticity *p, int32_t i, const RimEdge *e, const int32_t *count) {
  const CavityClosure *closed = &p->cavity[i].closed;
  const Mesh *mesh = p->space->mesh;
  const double near = 1e-9 * mesh_size(mesh);
  const int32_t node[2] = {e->a, e->b};
  int32_t held = 0;
  for (int a = 0; a < 2; ++a)
    for (int k = 0; k < 3 && count[node[a]] == 1; ++k)
      if ((closed->planes >> k & 1) && fabs(mesh->x[node[a]][k] - closed->x0[k]) <= near) held |= 1 << k;
  return held;
}

/* Edges that hang together have one lid. */
static Status number_lids(Elasticity *p, int32_t i, int64_t n, const RimEdge *open, int32_t *root, int32_t *count) {
  LidRims *rims = &p->rims;
  LidSide *side = rims->side + rims->first[i];
  for (int64_t k = 0; k < n; ++k) {
    const int32_t a = find_root(root, open[k].a), b = find_root(root, open[k].b);
    root[a < b ? b : a] = a < b ? a : b;
    ++count[open[k].a], ++count[open[k].b];
  }
  for (int64_t k = 0; k < n; ++k) {
    const int32_t of = find_root(root, open[k].a);
    int64_t first = 0;
    while (find_root(root, open[first].a) != of) ++first;
    const bool more = first == k;
    CHECK(!more || rims->n_lid < ELASTIC_LIDS, ERR_INPUT,
          "%s: while the lid of '%s' was made: more than %d rims of cavities are open, at most %d can have lids\n  "
          "likely: "
          "the group has holes",
          loads_cavity(&p->loads, i)->where, loads_cavity(&p->loads, i)->on->name, ELASTIC_LIDS, ELASTIC_LIDS);
    if (more) rims->cavity[rims->n_lid++] = i;
    const int32_t lid = more ? rims->n_lid - 1 : side[first].lid;
    side[k] = (LidSide){open[k].a, open[k].b, lid};
    rims->n_edge[lid] += 1;
    rims->held[lid] |= held_axes(p, i, &open[k], count);
  }
  return OK;
}

Status lids_find(Elasticity *p, int32_t i, int64_t n, const RimEdge *open) {
  const int32_t n_node = p->space->mesh->n_node;
  int32_t *root = NULL, *count = NULL;
  Status status = OK;
  for (int32_t k = i + 1; k <= ELASTIC_CAVITIES; ++k) p->rims.first[k] = p->rims.first[i] + n;
  if (!n) return OK;
  RESIZE(p->rims.side, p->rims.first[i + 1], "edges of rims");
  ALLOC_DONE(root, n_node, "rims");
  ALLOC_DONE(count, n_node, "rims");
  for (int32_t k = 0; k < n_node; ++k) root[k] = k;
  status = number_lids(p, i, n, open, root, count);
done:
  FREE(root), FREE(count);
  return status;
}

Status lids_take(Elasticity *p, const LidRims *rims) {
  const int64_t n = rims->first[ELASTIC_CAVITIES];
  p->rims = *rims;
  p->rims.side = NULL;
  if (!n) return OK;
  ALLOC(p->rims.side, n, "edges of rims");
  memcpy(p->rims.side, rims->side, (size_t)n * sizeof *rims->side);
  return OK;
}

/* ---- of what is here ---- */

static int compare(const void *a, const void *b) {
  const LidSide *x = a, *y = b;
  if (x->a != y->a) return x->a < y->a ? -1 : 1;
  return (x->b > y->b) - (x->b < y->b);
}

/* Of the whole mesh. */
static int32_t whole_node(const Elasticity *p, int32_t node) {
  return p->points.local ? p->points.local->node[node] : node;
}

/* Edges of facet e of a block that lids close; n = t_1 x t_2 of it points out of the body, or into it. */
static Status take_facet(LidBuild *w, const SetBlock *b, int32_t e, bool outward) {
  const LidRims *rims = &w->p->rims;
  const int32_t *nodes = b->nodes + (int64_t)e * b->type->n_node;
  for (int32_t f = 0; f < b->type->n_face; ++f) {
    const ElementFace *face = &b->type->face[f];
    const int32_t at[2] = {nodes[face->nodes[0]], nodes[face->nodes[1]]}, n = element_type(face->kind)->n_node;
    const int32_t one = whole_node(w->p, at[0]), other = whole_node(w->p, at[1]);
    const LidSide key = {one < other ? one : other, one < other ? other : one, 0};
    const int64_t first = rims->first[w->i];
    const LidSide *side =
        bsearch(&key, rims->side + first, (size_t)(rims->first[w->i + 1] - first), sizeof key, compare);
    if (!side) continue;
    CHECK(n <= 3, ERR_INPUT, "a lid over edges of order 3\n  allowed: elements of order 1 and 2");
    CHECK(w->n < w->room, ERR_BUG, "more edges of rims here than the %lld of the whole", (long long)w->room);
    w->edge[w->n++] =
        (LidEdge){{at[outward ? 0 : 1], at[outward ? 1 : 0], n == 3 ? nodes[face->nodes[2]] : -1}, side->lid};
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

static Status upload(Elasticity *p, int64_t n, size_t size, const void *from, void **to) {
  return exec_alloc_upload(p->space->exec, n, size, from, "a lid", to);
}

/* Which edges are at which own node; row: the place of a node in the list, and 1; share: of the middle of the lid, of an end of an edge. */
static Status lid_lists(LidBuild *w, Lid *lid, const int32_t *edge, double share) {
  const int64_t n_own = w->p->space->n_dof / 3, n_end = 3 * (int64_t)lid->n_edge;
  int32_t *node = NULL, *row = NULL, *start = NULL, *entry = NULL, n = 0;
  double *weight = NULL;
  Status status = OK;
  ALLOC_DONE(row, n_own, "a lid");
  ALLOC_DONE(node, n_end, "a lid");
  ALLOC_DONE(start, n_end + 1, "a lid");
  ALLOC_DONE(entry, n_end, "a lid");
  ALLOC_DONE(weight, n_end, "a lid");
  for (int32_t k = 0; k < n_end; ++k) {
    if (edge[k] < 0 || edge[k] >= n_own) continue;
    if (!row[edge[k]]) node[n++] = edge[k], row[edge[k]] = n;
    ++start[row[edge[k]]];
    if (k % 3 < 2) weight[row[edge[k]] - 1] += share;
  }
  for (int32_t i = 0; i < n; ++i) start[i + 1] += start[i];
  lid->n_entry = start[n];
  for (int32_t k = (int32_t)n_end - 1; k >= 0; --k) /* from the end of each list */
    if (edge[k] >= 0 && edge[k] < n_own) entry[--start[row[edge[k]]]] = k;
  for (int32_t i = 0; i < n; ++i) start[i] = start[i + 1];
  start[n] = (int32_t)lid->n_entry;
  lid->n_node = n;
  TRY_DONE(upload(w->p, n_own, sizeof *row, row, (void **)&lid->row));
  TRY_DONE(upload(w->p, n, sizeof *node, node, (void **)&lid->node));
  TRY_DONE(upload(w->p, n + 1, sizeof *start, start, (void **)&lid->start));
  TRY_DONE(upload(w->p, lid->n_entry, sizeof *entry, entry, (void **)&lid->entry));
  TRY_DONE(upload(w->p, n, sizeof *weight, weight, (void **)&lid->weight));
done:
  FREE(row), FREE(node), FREE(start), FREE(entry), FREE(weight);
  return status;
}

static Status lid_create(LidBuild *w, int32_t number) {
  Elasticity *p = w->p;
  Lid *lid = &p->lid[p->n_lid++];
  int32_t *edge = NULL;
  *lid = (Lid){.cavity = w->i, .held = p->rims.held[number]};
  for (int32_t e = 0; e < w->n; ++e) lid->n_edge += w->edge[e].lid == number;
  ALLOC(edge, 3 * (int64_t)lid->n_edge, "a lid");
  for (int32_t e = 0, k = 0; e < w->n; ++e)
    for (int a = 0; a < 3 && w->edge[e].lid == number; ++a, ++k)
      edge[k] = w->edge[e].node[a] < 0 ? -1 : numbering_rank(&p->space->numbering, w->edge[e].node[a]);
  Status status = upload(p, 3 * (int64_t)lid->n_edge, sizeof *edge, edge, (void **)&lid->edge);
  if (status == OK) status = lid_lists(w, lid, edge, 0.5 / p->rims.n_edge[number]);
  FREE(edge);
  TRY(status);
  EXEC_ALLOC(p->space->exec, lid->f, 9 * (int64_t)lid->n_edge, "a lid");
  EXEC_ALLOC(p->space->exec, lid->part, 4 * (int64_t)lid->n_edge, "a lid");
  EXEC_ALLOC(p->space->exec, lid->moments, 1, "a lid");
  return OK;
}

Status lids_create(Elasticity *p) {
  const LidRims *rims = &p->rims;
  for (int32_t i = 0; i < p->n_cavity; ++i) {
    LidBuild w = {.p = p, .i = i, .room = rims->first[i + 1] - rims->first[i]};
    if (!w.room) continue;
    ALLOC(w.edge, w.room, "edges of a rim");
    Status status = take_edges(&w);
    for (int32_t k = 0; k < rims->n_lid && status == OK; ++k)
      if (rims->cavity[k] == i) status = lid_create(&w, k);
    FREE(w.edge);
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
    EXEC_RELEASE(exec, lid->row, p->space->n_dof / 3);
    EXEC_RELEASE(exec, lid->node, lid->n_node);
    EXEC_RELEASE(exec, lid->start, lid->n_node + 1);
    EXEC_RELEASE(exec, lid->entry, lid->n_entry);
    EXEC_RELEASE(exec, lid->weight, lid->n_node);
    EXEC_RELEASE(exec, lid->f, 9 * (int64_t)lid->n_edge);
    EXEC_RELEASE(exec, lid->part, 4 * (int64_t)lid->n_edge);
    EXEC_RELEASE(exec, lid->moments, 1);
  }
  FREE(p->rims.side);
}

/* Moments and forces of the edges. Sums are over nodes, which are the same for any number of ranks. */
static Status lid_edges(const Elasticity *p, const Lid *lid, const double *u, const double *v) {
  const CavityClosure *of = &p->cavity[lid->cavity].closed;
  const int64_t n_own = p->space->n_dof / 3;
  Exec *exec = p->space->exec;
  LidArgs args = {.row = lid->row,
                  .weight = lid->weight,
                  .start = lid->start,
                  .entry = lid->entry,
                  .edge = lid->edge,
                  .held = lid->held,
                  .x = p->space->x,
                  .u = u,
                  .v = v,
                  .moments = lid->moments,
                  .f = lid->f,
                  .part = lid->part};
  for (int i = 0; i < 3; ++i) args.x0[i] = of->x0[i], args.along[i] = of->along[i];
  const SumParts *before = exec_sum_over(exec, NULL);
  (void)exec_sum_over(exec, p->over ? p->over : before);
  Status status = exec_rows(exec, &lid_mean_kernel, &args, n_own);
  if (status == OK && v) status = exec_rows(exec, &lid_shift_kernel, &args, n_own);
  if (status == OK) status = exec_rows(exec, &lid_edge_kernel, &args, lid->n_edge);
  if (status == OK) status = exec_rows(exec, &lid_total_kernel, &args, n_own);
  (void)exec_sum_over(exec, before);
  return status;
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
