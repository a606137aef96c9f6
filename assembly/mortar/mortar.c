/* Facet by facet of the surface that depends: segments with facets of the other one, dual functions by the inverse of what
 * they integrate to, then rows of nodes. Dual functions are those of the part of a facet that is opposite to something. */
#include "assembly/mortar/mortar.h"
#include "assembly/mortar/mortar_pairs.h"
#include "assembly/mortar/mortar_rows.h"
#include "assembly/space/facet.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const WHAT = "weights of a tie";
static const double LEAST = 1e-3;      /* of its area: what a node must have opposite */
static const double LARGEST = 50;      /* of weights */
static const double COVERED = 1e-3;    /* of a facet: so much may be too far, or twice there */
static const double ROUND_OFF = 1e-13; /* of weights */

typedef struct Work {
  const MortarParams *params;
  MortarPairs pairs;
  Cover *cover;   /* owned, [on->n], */
  int64_t *first; /* pairs of facets, their facets of `to`, whether they are tied, and integrals of dual functions, as
                                          in MortarPairs, but on the host */
  int32_t *other;
  uint8_t *state;
  double *mixed;
  int32_t *index; /* owned, [n_node]: 1 + place among nodes of `on` */
  int32_t *node;  /* owned: those nodes */
  int32_t n;
} Work;

static void work_release(Work *w) {
  mortar_pairs_release(&w->pairs);
  FREE(w->cover);
  FREE(w->first);
  FREE(w->other);
  FREE(w->state);
  FREE(w->mixed);
  FREE(w->index);
  FREE(w->node);
}

static Facet facet_at(const Work *w, const Group *group, int32_t i) {
  Facet f;
  facet_read(w->params->mesh, group->element[i], &f);
  return f;
}

/* The largest extent of its vertices. */
static double facet_size(const Facet *f) {
  double size = 0;
  for (int k = 0; k < 3; ++k) {
    double low = f->x[0][k], high = low;
    for (int32_t a = 1; a < f->type->n_vertex; ++a) low = fmin(low, f->x[a][k]), high = fmax(high, f->x[a][k]);
    size = fmax(size, high - low);
  }
  return size;
}

static Status pairs_fetch(Work *w) {
  MortarPairs *p = &w->pairs;
  Exec *exec = p->exec;
  const int32_t n = p->on.side.n;
  TRY(mortar_pairs_search(p));
  TRY(mortar_pairs_integrate(p));
  TRY(exec_fetch(exec, n, sizeof *w->cover, WHAT, (void **)&p->cover, (void **)&w->cover));
  TRY(exec_fetch(exec, (int64_t)n + 1, sizeof *w->first, WHAT, (void **)&p->first, (void **)&w->first));
  TRY(exec_fetch(exec, p->n, sizeof *w->other, WHAT, (void **)&p->other, (void **)&w->other));
  TRY(exec_fetch(exec, p->n, sizeof *w->state, WHAT, (void **)&p->state, (void **)&w->state));
  return exec_fetch(exec, p->n * p->n_mixed, sizeof *w->mixed, WHAT, (void **)&p->mixed, (void **)&w->mixed);
}

static Status number_nodes(Work *w) {
  const Mesh *mesh = w->params->mesh;
  ALLOC(w->index, mesh->n_node, WHAT);
  for (int32_t i = 0; i < w->params->on->n; ++i) {
    const int32_t *nodes = mesh_nodes_of(mesh, w->params->on->element[i]);
    const int32_t n = element_type(mesh_block_of(mesh, w->params->on->element[i])->kind)->n_node;
    for (int32_t a = 0; a < n; ++a) w->index[nodes[a]] = 1;
  }
  for (int32_t i = 0; i < mesh->n_node; ++i)
    if (w->index[i]) w->index[i] = ++w->n;
  ALLOC(w->node, w->n, WHAT);
  for (int32_t i = 0; i < mesh->n_node; ++i)
    if (w->index[i]) w->node[w->index[i] - 1] = i;
  return OK;
}

/* What facets found, in their order. */
static void judge(const Work *w, MortarTie *out) {
  double sum = 0;
  for (int32_t i = 0; i < w->params->on->n; ++i) {
    const Cover *c = &w->cover[i];
    const Facet f = facet_at(w, w->params->on, i);
    sum += facet_size(&f);
    out->n_pair += c->n_pair;
    if (c->warped && out->n_warped++ == 0) out->warped = f.nodes[0];
    if (c->part > (1 + COVERED) * c->whole + c->far && out->n_folded++ == 0 && c->part < 1.2 * c->whole)
      --out->n_folded; /* a facet that bends: what is opposite seems larger */
    if (c->far <= COVERED * c->whole || c->part >= (1 - COVERED) * c->whole) continue;
    ++out->n_far;
    if (c->gap > out->gap) out->gap = c->gap, out->allowed = c->allowed, out->far = f.nodes[0];
  }
  out->size = sum / w->params->on->n;
  sum = 0;
  for (int32_t i = 0; i < w->params->to->n; ++i) {
    const Facet f = facet_at(w, w->params->to, i);
    sum += facet_size(&f);
  }
  out->other_size = sum / w->params->to->n;
}

/* Integrals of dual functions as entries of rows. */
static Status weigh_nodes(const Work *w, int64_t **start, int32_t **column, double **value) {
  const MortarParams *q = w->params;
  MortarEntry *entry = NULL;
  int64_t at = 0;
  Status status;
  ALLOC(entry, w->first[q->on->n] * w->pairs.n_mixed, WHAT);
  for (int32_t i = 0; i < q->on->n; ++i) {
    const int32_t *nodes = mesh_nodes_of(q->mesh, q->on->element[i]);
    const int32_t n = element_type(mesh_block_of(q->mesh, q->on->element[i])->kind)->n_node;
    for (int64_t p = w->first[i]; p < w->first[i + 1]; ++p) {
      const int32_t *others = mesh_nodes_of(q->mesh, q->to->element[w->other[p]]);
      const int32_t m = element_type((ElementKind)w->pairs.to.kind[w->other[p]])->n_node;
      const double *v = w->mixed + p * w->pairs.n_mixed;
      if (!(w->state[p] & SEGMENT_FOUND)) continue;
      for (int32_t a = 0; a < n; ++a)
        for (int32_t k = 0; k < m; ++k)
          if (v[a * m + k] != 0) entry[at++] = (MortarEntry){w->index[nodes[a]] - 1, others[k], v[a * m + k]};
    }
  }
  status = mortar_rows(w->n, at, entry, start, column, value);
  FREE(entry);
  return status;
}

/* Corners of the edges that nodes lie in the middle of. */
static void find_corners(const Work *w, int32_t (*corner)[2]) {
  for (int32_t j = 0; j < w->n; ++j) corner[j][0] = corner[j][1] = -1;
  for (int32_t i = 0; i < w->params->on->n; ++i) {
    const Facet f = facet_at(w, w->params->on, i);
    const int32_t *edge;
    for (int32_t e = 0; (edge = facet_edge(f.type, w->params->axisymmetric, e)); ++e) {
      int32_t *to = corner[w->index[f.nodes[edge[2]]] - 1];
      to[0] = f.nodes[edge[0]], to[1] = f.nodes[edge[1]];
    }
  }
}

/* Rows of nodes as they come from dual functions; corner and middles still in the changed basis. */
typedef struct Raw {
  double *area, *full; /* owned, [n] */
  int64_t *start;      /* owned, as all */
  int32_t *column;
  double *value;
  int32_t (*corner)[2];
} Raw;

static void raw_release(Raw *r) {
  FREE(r->area);
  FREE(r->full);
  FREE(r->start);
  FREE(r->column);
  FREE(r->value);
  FREE(r->corner);
}

/* Nodes with too little opposite are left out: index 0. The rest get rows with sums of 1. */
static void choose_nodes(Work *w, Raw *r, MortarTie *out) {
  out->n_node = w->n;
  for (int32_t j = 0; j < w->n; ++j) {
    double sum = 0, most = 0;
    for (int64_t k = r->start[j]; k < r->start[j + 1]; ++k) sum += r->value[k], most = fmax(most, fabs(r->value[k]));
    for (int64_t k = r->start[j]; k < r->start[j + 1]; ++k) r->value[k] = sum > 0 ? r->value[k] / sum : 0;
    if (r->area[j] > LEAST * r->full[j] && most <= LARGEST * sum) {
      out->node[out->n++] = w->node[j];
      w->index[w->node[j]] = j + 1;
      continue;
    }
    if (out->n_loose++ == 0) out->loose = w->node[j];
    w->index[w->node[j]] = 0;
  }
}

static int64_t add_row(const Raw *r, int32_t j, int32_t row, double factor, int64_t at, MortarEntry *entry) {
  for (int64_t k = r->start[j]; k < r->start[j + 1]; ++k)
    if (fabs(r->value[k]) > 1e-14) entry[at++] = (MortarEntry){row, r->column[k], factor * r->value[k]};
  return at;
}

/* u(middle) is its share of both corners and 1 - 2 SHARE of what its row says; corners that are tied are what theirs say. */
static Status mix_corners(const Work *w, Raw *r, MortarTie *out) {
  MortarEntry *entry = NULL;
  int64_t at = 0, most = 0;
  for (int32_t j = 0; j < w->n; ++j) {
    most += r->start[j + 1] - r->start[j];
    for (int e = 0; e < 2 && r->corner[j][0] >= 0; ++e) {
      const int32_t c = w->index[r->corner[j][e]] - 1;
      most += c < 0 ? 1 : r->start[c + 1] - r->start[c];
    }
  }
  ALLOC(entry, most, WHAT);
  for (int32_t i = 0; i < out->n; ++i) {
    const int32_t j = w->index[out->node[i]] - 1, *corner = r->corner[j];
    if (corner[0] < 0) {
      at = add_row(r, j, i, 1, at, entry);
      continue;
    }
    r->area[j] /= 1 - 2 * FACET_SHARE;
    at = add_row(r, j, i, 1 - 2 * FACET_SHARE, at, entry);
    for (int e = 0; e < 2; ++e) {
      const int32_t c = w->index[corner[e]] - 1;
      if (c < 0) entry[at++] = (MortarEntry){i, corner[e], FACET_SHARE};
      else at = add_row(r, c, i, FACET_SHARE, at, entry), r->area[c] -= FACET_SHARE * r->area[j];
    }
  }
  const Status status = mortar_rows(out->n, at, entry, &out->start, &out->master, &out->weight);
  FREE(entry);
  return status;
}

/* Rows of N', and the ends of their edges. */
static Status keep_dual(const Work *w, const Raw *r, MortarTie *out) {
  MortarEntry *entry = NULL;
  int64_t at = 0;
  TRY(mem_alloc(out->n, sizeof *out->corner, WHAT, (void **)(void *)&out->corner));
  ALLOC(entry, r->start[w->n], WHAT);
  for (int32_t i = 0; i < out->n; ++i) {
    const int32_t j = w->index[out->node[i]] - 1;
    memcpy(out->corner[i], r->corner[j], sizeof *out->corner);
    at = add_row(r, j, i, 1, at, entry);
  }
  const Status status = mortar_rows(out->n, at, entry, &out->start, &out->master, &out->weight);
  FREE(entry);
  return status;
}

/* Round-off goes, sums of weights become 1 to the last digit; then what is missing of each place. */
static void finish_rows(Work *w, const Raw *r, MortarTie *t) {
  int64_t at = 0, first = 0;
  for (int32_t i = 0; i < t->n; ++i) {
    double sum = 0;
    const int64_t begin = at, end = t->start[i + 1];
    for (int64_t k = first; k < end; ++k) {
      if (fabs(t->weight[k]) < ROUND_OFF) continue;
      sum += t->weight[k];
      t->master[at] = t->master[k], t->weight[at++] = t->weight[k];
    }
    first = end;
    t->start[i + 1] = at;
    memcpy(t->offset[i], w->params->mesh->x[t->node[i]], sizeof *t->offset);
    for (int64_t k = begin; k < at; ++k) {
      t->weight[k] /= sum;
      for (int c = 0; c < 3; ++c) t->offset[i][c] -= t->weight[k] * w->params->mesh->x[t->master[k]][c];
    }
    t->area[i] = r->area[w->index[t->node[i]] - 1];
  }
  for (int32_t i = 0; i < t->n; ++i) w->index[t->node[i]] = i + 1;
}

static Status find_neighbours(const Work *w, MortarTie *t) {
  const MortarParams *q = w->params;
  MortarEntry *entry = NULL;
  int64_t n = 0, at = 0;
  for (int32_t i = 0; i < q->on->n; ++i) {
    const int64_t m = element_type(mesh_block_of(q->mesh, q->on->element[i])->kind)->n_node;
    n += m * m;
  }
  ALLOC(entry, n, WHAT);
  for (int32_t i = 0; i < q->on->n; ++i) {
    const int32_t *nodes = mesh_nodes_of(q->mesh, q->on->element[i]);
    const int32_t m = element_type(mesh_block_of(q->mesh, q->on->element[i])->kind)->n_node;
    for (int32_t a = 0; a < m; ++a)
      for (int32_t b = 0; b < m; ++b)
        if (a != b && w->index[nodes[a]] && w->index[nodes[b]])
          entry[at++] = (MortarEntry){w->index[nodes[a]] - 1, w->index[nodes[b]] - 1, 0};
  }
  const Status status = mortar_rows(t->n, at, entry, &t->near_start, &t->near, NULL);
  FREE(entry);
  return status;
}

static Status mark_shared(const MortarParams *q, const Work *w, MortarTie *t) {
  ALLOC(t->shared, w->n, WHAT);
  for (int32_t i = 0; i < q->to->n; ++i) {
    const int32_t *nodes = mesh_nodes_of(q->mesh, q->to->element[i]);
    const int32_t n = element_type(mesh_block_of(q->mesh, q->to->element[i])->kind)->n_node;
    for (int32_t a = 0; a < n; ++a)
      if (w->index[nodes[a]]) t->shared[w->index[nodes[a]] - 1] = 1;
  }
  return OK;
}

static Status read_raw(const Work *w, Raw *r) {
  TRY(weigh_nodes(w, &r->start, &r->column, &r->value));
  ALLOC(r->area, w->n, WHAT);
  ALLOC(r->full, w->n, WHAT);
  ALLOC(r->corner, w->n, WHAT);
  for (int32_t i = 0; i < w->params->on->n; ++i) {
    const Facet f = facet_at(w, w->params->on, i);
    for (int32_t a = 0; a < f.type->n_node; ++a) {
      r->area[w->index[f.nodes[a]] - 1] += w->cover[i].share[a];
      r->full[w->index[f.nodes[a]] - 1] += w->cover[i].full[a];
    }
  }
  find_corners(w, r->corner);
  return OK;
}

static Status make_rows(Work *w, MortarTie *t) {
  Raw raw = {0};
  Status status;
  TRY_DONE(read_raw(w, &raw));
  ALLOC_DONE(t->node, w->n, WHAT);
  ALLOC_DONE(t->area, w->n, WHAT);
  ALLOC_DONE(t->offset, w->n, WHAT);
  choose_nodes(w, &raw, t);
  TRY_DONE(w->params->dual ? keep_dual(w, &raw, t) : mix_corners(w, &raw, t));
  ALLOC_DONE(t->opposite, w->params->on->n, WHAT);
  for (int32_t i = 0; i < w->params->on->n; ++i) t->opposite[i] = w->cover[i].part / w->cover[i].whole;
  finish_rows(w, &raw, t);
  TRY_DONE(mark_shared(w->params, w, t));
  status = find_neighbours(w, t);
done:
  raw_release(&raw);
  return status;
}

Status mortar_create(const MortarParams *params, MortarTie *out) {
  Work w = {.params = params};
  Exec *own = NULL;
  Status status;
  *out = (MortarTie){0};
  if (!params->exec) TRY_DONE(exec_create_cpu(0, &own));
  TRY_DONE(number_nodes(&w));
  TRY_DONE(mortar_pairs_create(params, own ? own : params->exec, &w.pairs));
  TRY_DONE(pairs_fetch(&w));
  judge(&w, out);
  TRY_DONE(make_rows(&w, out));
done:
  work_release(&w);
  exec_destroy(&own);
  if (status != OK) mortar_release(out);
  return status;
}

void mortar_release(MortarTie *t) {
  FREE(t->node);
  FREE(t->area);
  FREE(t->offset);
  FREE(t->shared);
  FREE(t->start);
  FREE(t->master);
  FREE(t->weight);
  FREE(t->near_start);
  FREE(t->near);
  mem_free((void **)(void *)&t->corner);
  FREE(t->opposite);
  *t = (MortarTie){0};
}
