/* Clusters for combinatorial multigrid (Koutis, Miller and Tolliver 2011, algorithm Decompose-Graph;
 * papers/cmg-segspmv, section 4.2.3): every node keeps its heaviest edge, which makes a forest; nodes with many light
 * edges let go of theirs; trees are cut into parts that are shallow and well tied. A node whose heaviest edge goes to
 * the ground is the ground's.
 *
 * Weights never fall on the way to a root, since the father's edge is the heaviest of the father: what can be weak is
 * the tie of a large part to its father, w < volume of the part / (TIES awd), awd being the average weighted degree. On
 * an even graph that is a part of more than TIES nodes. Edges of one weight are put in order by a hash, the same from
 * both ends: by index the trees of a regular grid would be chains. All but cutting and numbering is parallel; no result
 * depends on threads. */
#include "core/memory.h"
#include "solver/multigrid/cmg.h"

enum { DEEPEST = 2, TIES = 4, LOOSE = 4 /* times awd, kappa of the algorithm */, CHUNK = 4096 };

static uint64_t hash_edge(int32_t i, int32_t j) {
  const uint64_t low = (uint64_t)(i < j ? i : j), high = (uint64_t)(i < j ? j : i);
  uint64_t h = low << 32 | high; /* the finaliser of splitmix64: a bijection, so no two edges are equal */
  h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
  h = (h ^ h >> 27) * 0x94d049bb133111ebu;
  return h ^ h >> 31;
}

typedef struct Forest {
  int32_t *pick;    /* other end of the heaviest edge, -1: none */
  int32_t *parent;  /* oneself: a root */
  double *heaviest; /* weight of that edge */
  double *volume;   /* of the part below, in it */
  int32_t *size, *height, *n_child;
  int32_t *order; /* children before parents */
  double awd;
} Forest;

static void forest_release(Forest *f) {
  FREE(f->pick);
  FREE(f->parent);
  FREE(f->heaviest);
  FREE(f->volume);
  FREE(f->size);
  FREE(f->height);
  FREE(f->n_child);
  FREE(f->order);
}

static Status forest_create(int32_t n, Forest *f) {
  *f = (Forest){.pick = NULL};
  ALLOC(f->pick, n, "forest of heaviest edges");
  ALLOC(f->parent, n, "forest of heaviest edges");
  ALLOC(f->heaviest, n, "forest of heaviest edges");
  ALLOC(f->volume, n, "forest of heaviest edges");
  ALLOC(f->size, n, "forest of heaviest edges");
  ALLOC(f->height, n, "forest of heaviest edges");
  ALLOC(f->n_child, n, "forest of heaviest edges");
  ALLOC(f->order, n, "forest of heaviest edges");
  return OK;
}

/* of[i] = -1 where the heaviest edge goes to the ground, else 0. */
static void find_grounded(const CmgGraph *g, int32_t *of) {
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < g->n; ++i) {
    double w = 0;
    for (int64_t k = g->start[i]; k < g->start[i + 1]; ++k) w = g->weight[k] > w ? g->weight[k] : w;
    of[i] = g->ground[i] >= w ? -1 : 0;
  }
}

static void pick_edges(const CmgGraph *g, const int32_t *of, Forest *f) {
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < g->n; ++i) {
    double best = 0;
    uint64_t best_hash = 0;
    f->pick[i] = -1;
    for (int64_t k = g->start[i]; of[i] >= 0 && k < g->start[i + 1]; ++k) {
      const int32_t j = g->column[k];
      if (of[j] < 0 || g->weight[k] < best) continue;
      const uint64_t h = hash_edge(i, j);
      if (f->pick[i] >= 0 && g->weight[k] == best && h < best_hash) continue;
      f->pick[i] = j;
      best = g->weight[k];
      best_hash = h;
    }
    f->heaviest[i] = best;
    f->volume[i] = g->diagonal[i];
    f->size[i] = 1;
  }
}

/* Average weighted degree, in chunks, so that it does not depend on threads. */
static Status find_average(const CmgGraph *g, Forest *f) {
  const int32_t n_chunk = g->n / CHUNK + 1;
  double *sum = NULL, whole = 0;
  int64_t count = 0;
  ALLOC(sum, n_chunk, "weighted degrees");
#pragma omp parallel for schedule(static) reduction(+ : count)
  for (int32_t c = 0; c < n_chunk; ++c)
    for (int32_t i = c * CHUNK; i < g->n && i / CHUNK == c; ++i) {
      if (f->pick[i] < 0) continue;
      sum[c] += g->diagonal[i] / f->heaviest[i];
      ++count;
    }
  for (int32_t c = 0; c < n_chunk; ++c) whole += sum[c];
  f->awd = count ? whole / (double)count : 1;
  FREE(sum);
  return OK;
}

/* Weight of a node's edges in the forest. */
static double tie_of(const CmgGraph *g, const Forest *f, int32_t i) {
  double tie = f->parent[i] == i ? 0 : f->heaviest[i];
  for (int64_t k = g->start[i]; k < g->start[i + 1]; ++k)
    if (f->parent[g->column[k]] == i) tie += f->heaviest[g->column[k]];
  return tie;
}

/* Parents; of two nodes that pick each other the first one is a root. Then low effective degrees. */
static Status make_forest(const CmgGraph *g, Forest *f) {
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < g->n; ++i) {
    const int32_t j = f->pick[i];
    f->parent[i] = j < 0 || (f->pick[j] == i && i < j) ? i : j;
  }
  TRY(find_average(g, f));
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < g->n; ++i) {
    const double volume = g->diagonal[i];
    f->order[i] = f->pick[i] >= 0 && volume > LOOSE * f->awd * f->heaviest[i] && tie_of(g, f, i) * f->awd < volume;
  }
  for (int32_t i = 0; i < g->n; ++i)
    if (f->order[i]) f->parent[i] = i;
  return OK;
}

static void sort_leaves_first(int32_t n, Forest *f) {
  int32_t end = 0;
  for (int32_t i = 0; i < n; ++i)
    if (f->parent[i] != i) ++f->n_child[f->parent[i]];
  for (int32_t i = 0; i < n; ++i)
    if (!f->n_child[i]) f->order[end++] = i;
  for (int32_t k = 0; k < end; ++k) {
    const int32_t p = f->parent[f->order[k]];
    if (p != f->order[k] && --f->n_child[p] == 0) f->order[end++] = p;
  }
}

/* A root that lost all its children joins the one it picked. */
static void keep_from_being_alone(Forest *f, int32_t root) {
  const int32_t child = f->pick[root];
  if (f->size[root] > 1 || child < 0 || f->pick[child] != root || f->size[child] == 1) return;
  f->parent[root] = child;
  f->parent[child] = child;
}

static void split_trees(int32_t n, Forest *f) {
  for (int32_t k = 0; k < n; ++k) {
    const int32_t i = f->order[k], p = f->parent[i];
    if (p == i) {
      keep_from_being_alone(f, i);
      continue;
    }
    const bool weak = f->size[i] > 1 && f->heaviest[i] * f->awd * TIES < f->volume[i];
    if (weak || f->height[i] >= DEEPEST) {
      f->parent[i] = i;
      continue;
    }
    f->size[p] += f->size[i];
    f->volume[p] += f->volume[i];
    if (f->height[p] <= f->height[i]) f->height[p] = f->height[i] + 1;
  }
}

/* Roots by a walk up, which is short. */
static void number_trees(Forest *f, CmgClusters *out) {
  int32_t *number = f->n_child, *root = f->order, count = 0;
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < out->n_node; ++i) {
    int32_t r = i;
    for (; f->parent[r] != r; r = f->parent[r]) out->inner[i] += 1 / f->heaviest[r];
    root[i] = r;
    number[i] = -1;
  }
  for (int32_t i = 0; i < out->n_node; ++i) {
    if (out->of[i] < 0) continue;
    if (number[root[i]] < 0) number[root[i]] = count++;
    out->of[i] = number[root[i]];
  }
  out->n = count;
}

/* Nodes by clusters. */
static Status sort_members(CmgClusters *c) {
  ALLOC(c->first, (int64_t)c->n + 1, "members of clusters");
  for (int32_t i = 0; i < c->n_node; ++i)
    if (c->of[i] >= 0) ++c->first[c->of[i] + 1];
  for (int32_t k = 0; k < c->n; ++k) c->first[k + 1] += c->first[k];
  ALLOC(c->member, c->first[c->n], "members of clusters");
  for (int32_t i = 0; i < c->n_node; ++i)
    if (c->of[i] >= 0) c->member[c->first[c->of[i]]++] = i;
  for (int32_t k = c->n; k > 0; --k) c->first[k] = c->first[k - 1];
  c->first[0] = 0;
  return OK;
}

void cmg_clusters_release(CmgClusters *c) {
  FREE(c->of);
  FREE(c->inner);
  FREE(c->first);
  FREE(c->member);
}

Status cmg_clusters_create(const CmgGraph *g, CmgClusters *out) {
  Forest f;
  *out = (CmgClusters){.n_node = g->n};
  ALLOC(out->of, g->n, "clusters");
  ALLOC(out->inner, g->n, "clusters");
  Status status = forest_create(g->n, &f);
  if (status == OK) {
    find_grounded(g, out->of);
    pick_edges(g, out->of, &f);
    status = make_forest(g, &f);
  }
  if (status == OK) {
    sort_leaves_first(g->n, &f);
    split_trees(g->n, &f);
    number_trees(&f, out);
    if (out->n == 0) { /* all are the ground's: smoothing alone would do, but a level must be there */
      for (int32_t i = 0; i < g->n; ++i) out->of[i] = 0, out->inner[i] = 0;
      out->n = 1;
    }
  }
  forest_release(&f);
  return status == OK ? sort_members(out) : status;
}
