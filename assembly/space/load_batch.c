/* Loads in batches of elements: what their points give is found by all threads, then each thread adds it up at nodes of
 * its own, element by element and point by point as one thread would. What depends on t is kept as points instead, whose
 * places are known before. */
#include "assembly/space/load_work.h"
#include "core/memory.h"

#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { BATCH = 8192, OWN = 64 /* nodes in turn that a thread has */ };

typedef struct LoadBatch {
  LoadWork *work;    /* owned, [threads] copies */
  int32_t *nodes;    /* owned, [BATCH][n_node] */
  double *density;   /* owned, [BATCH][points][n_component] */
  int64_t per_node;  /* room for an element in nodes, */
  int64_t per_point; /* in density */
  int threads;
} LoadBatch;

static ElementKind kind_of(const LoadWork *w, int32_t k) {
  return mesh_block_of(w->params->mesh, w->load->on->element[k])->kind;
}

static LoadWork *own_work(const LoadBatch *b) {
#ifdef _OPENMP
  return b->work + omp_get_thread_num();
#else
  return b->work;
#endif
}

/* False where an element fails. The first thread has the first element, so that its shape is at hand in work[0]. */
static bool batch_find(const LoadBatch *b, int32_t begin, int32_t end) {
  bool good = true;
#pragma omp parallel for schedule(static) num_threads(b->threads) reduction(&& : good)
  for (int32_t k = begin; k < end; ++k) {
    const int64_t at = k - begin;
    good = good && load_densities(own_work(b), k, b->nodes + at * b->per_node, b->density + at * b->per_point) == OK;
  }
  return good;
}

/* What one element gives to the nodes of a thread. */
static void element_add(const LoadWork *w, const int32_t *nodes, const double *density, int threads, int thread) {
  const int32_t n = w->shape->n_node, dim = w->out->n_component;
  int32_t own[ELEMENT_MAX_NODES], n_own = 0;
  for (int32_t a = 0; a < n; ++a)
    if (nodes[a] / OWN % threads == thread) own[n_own++] = a;
  for (int32_t q = 0; q < w->rule.n && n_own; ++q)
    for (int32_t j = 0; j < n_own; ++j)
      for (int32_t c = 0; c < dim; ++c)
        w->out->force[(int64_t)nodes[own[j]] * dim + c] += w->N[(int64_t)q * n + own[j]] * density[q * dim + c];
}

static void batch_add(const LoadBatch *b, int32_t n) {
#pragma omp parallel for schedule(static) num_threads(b->threads)
  for (int thread = 0; thread < b->threads; ++thread)
    for (int64_t e = 0; e < n; ++e)
      element_add(b->work, b->nodes + e * b->per_node, b->density + e * b->per_point, b->threads, thread);
}

/* The shares from `first` on of nodes that are this rank's. */
static void keep_own(const LoadWork *w, Loads *out, int64_t first) {
  int64_t n = first;
  for (int64_t k = first; k < out->n_share; ++k)
    if (load_is_own(w, out->share[k].node)) out->share[n++] = out->share[k];
  out->n_share = n;
}

/* Points of elements [begin, end), which are of one kind, behind those that are there. False where an element fails. */
static Status batch_points(const LoadBatch *b, LoadWork *w, int32_t begin, int32_t end, bool *good) {
  Loads *out = w->out;
  TRY(load_shape(w, begin));
  const int64_t points = w->rule.n, shares = points * w->shape->n_node, n = end - begin;
  bool found = out->n_point + n * points <= INT32_MAX;
  if (found) {
    RESIZE(out->point, out->n_point + n * points, "points of loads");
    out->point_capacity = out->n_point + n * points;
    RESIZE(out->share, out->n_share + n * shares, "points of loads");
    out->share_capacity = out->n_share + n * shares;
  }
#pragma omp parallel for schedule(static) num_threads(b->threads) reduction(&& : found) if (found)
  for (int64_t k = 0; k < n; ++k)
    found = found && load_points(own_work(b), begin + (int32_t)k, out->n_point + k * points,
                                 out->point + out->n_point + k * points, out->share + out->n_share + k * shares) == OK;
  *good = found;
  out->n_point += found ? n * points : 0;
  out->n_share += found ? n * shares : 0;
  if (found && w->params->local) keep_own(w, out, out->n_share - n * shares);
  return OK;
}

static Status add_timed(LoadWork *w, LoadBatch *b) {
  const int32_t n = w->load->on->n;
  for (int32_t begin = 0, end; begin < n; begin = end) {
    bool good;
    for (end = begin + 1; end < n && kind_of(w, end) == kind_of(w, begin);) ++end;
    TRY(batch_points(b, w, begin, end, &good));
    if (!good) return load_add(w, begin, end); /* to the first that fails */
  }
  w->any = true;
  return OK;
}

static Status add_batches(LoadWork *w, LoadBatch *b) {
  const int32_t n = w->load->on->n;
  ALLOC(b->work, b->threads, "work space of loads");
  for (int t = 0; t < b->threads; ++t) memcpy(&b->work[t], w, sizeof *w);
  if (w->timed) return add_timed(w, b);
  ALLOC(b->nodes, BATCH * b->per_node, "work space of loads");
  ALLOC(b->density, BATCH * b->per_point, "work space of loads");
  for (int32_t begin = 0, end; begin < n; begin = end) {
    for (end = begin + 1; end < n && end - begin < BATCH && kind_of(w, end) == kind_of(w, begin);) ++end;
    if (!batch_find(b, begin, end)) return load_add(w, begin, end); /* to the first that fails */
    batch_add(b, end - begin);
  }
  for (int t = 0; t < b->threads; ++t) w->any |= b->work[t].any;
  return OK;
}

Status load_add_batches(LoadWork *w) {
  LoadBatch b = {.threads = 1, .per_node = ELEMENT_MAX_NODES};
#ifdef _OPENMP
  b.threads = omp_get_max_threads();
#endif
  b.per_point = (int64_t)ELEMENT_MAX_QUADRATURE * w->out->n_component;
  const Status status = add_batches(w, &b);
  FREE(b.work);
  FREE(b.nodes);
  FREE(b.density);
  return status;
}
