/* Pairs of facets, then rows of nodes, all of it as row kernels. Dual functions are those of the part of a facet that is opposite to
 * something. */
#include "assembly/mortar/mortar.h"
#include "assembly/mortar/mortar_weights.h"
#include "core/memory.h"

/* What is wrong with facets, in their order. */
static Status faults_find(const MortarPairs *p, MortarTie *out) {
  const int32_t n = p->on.side.n;
  Cover *cover = NULL;
  ALLOC(cover, n, "facets of a tie");
  const Status status = exec_download(p->exec, cover, p->cover, (size_t)n * sizeof *cover);
  for (int32_t i = 0; i < n && status == OK; ++i) {
    const Cover *c = &cover[i];
    const int32_t node = p->on.node[(int64_t)i * p->on.side.width];
    if (c->warped && out->n_warped++ == 0) out->warped = node;
    if (cover_is_folded(c) && out->n_folded++ == 0) out->folded = node;
    if (!cover_is_far(c)) continue;
    ++out->n_far;
    if (c->gap > out->gap) out->gap = c->gap, out->allowed = c->allowed, out->far = node;
  }
  FREE(cover);
  return status;
}

Status mortar_create(const MortarParams *params, MortarTie *out) {
  MortarPairs pairs = {0};
  Exec *own = NULL;
  bool faults;
  Status status;
  *out = (MortarTie){0};
  if (!params->exec) TRY_DONE(exec_create_cpu(0, &own));
  TRY_DONE(mortar_pairs_create(params, own ? own : params->exec, &pairs));
  TRY_DONE(mortar_pairs_search(&pairs));
  TRY_DONE(mortar_pairs_integrate(&pairs));
  TRY_DONE(mortar_weights(&pairs, out, &faults));
  status = faults ? faults_find(&pairs, out) : OK;
done:
  mortar_pairs_release(&pairs);
  exec_destroy(&own);
  if (status != OK) mortar_release(out);
  return status;
}

void mortar_release(MortarTie *t) {
  FREE(t->node);
  FREE(t->area);
  mem_free((void **)(void *)&t->offset);
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
