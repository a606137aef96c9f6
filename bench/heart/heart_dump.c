/* The heart for the rival: a problem in the order in which it is solved, so that both have the same cache and the
 * rival's ranks compact parts. Device's own numbers: "SNWHRT1\n"; int64 nodes, elements, stimulated nodes; double dt,
 * rtol, reference, amplitude, duration, the 9 parameters of the cells; coordinates, nodes of tetrahedra (int32),
 * tensors, stimulated nodes (int32); for each scheme int64 steps before those timed, steps timed (0: not run), the
 * potential after them. */
#include "bench/heart/heart_run.h"
#include "core/memory.h"
#include "physics/aliev_panfilov.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Tet {
  int32_t node[4], element; /* element: which of the solved */
} Tet;

static int by_node(const void *a, const void *b) {
  const Tet *p = a, *q = b;
  for (int k = 0; k < 4; ++k)
    if (p->node[k] != q->node[k]) return p->node[k] < q->node[k] ? -1 : 1;
  return 0;
}

static bool put(FILE *f, const void *from, size_t size, int64_t n) {
  return fwrite(from, size, (size_t)n, f) == (size_t)n;
}

static int32_t place(const HeartRun *h, int32_t node) { return h->ordered ? h->rank[node] : node; }

static Status dump_collect(const HeartRun *h, Tet *tet) {
  int32_t n = 0;
  for (int32_t b = 0; b < h->mesh->n_block; ++b) {
    const ElementBlock *block = &h->mesh->block[b];
    const ElementType *type = element_type(block->kind);
    if (type->dim != h->mesh->dim) continue;
    CHECK(type->dim == 3 && type->n_node == 4, ERR_INPUT, "the rival knows linear tetrahedra only, %s has %s", h->name,
          type->name);
    for (int32_t e = 0; e < block->n; ++e, ++n) {
      for (int a = 0; a < 4; ++a) tet[n].node[a] = place(h, block->nodes[4 * (int64_t)e + a]);
      tet[n].element = n;
    }
  }
  qsort(tet, (size_t)n, sizeof *tet, by_node);
  return OK;
}

static bool put_head(FILE *f, const HeartRun *h) {
  const int kind = ionic_by_name("aliev-panfilov");
  const IonicConstants cells = ionic_constants(kind, ionic_preset(kind, "goktepe-kuhl"));
  const int64_t counts[3] = {h->mesh->n_node, h->n_solved, h->n_stimulated};
  const double numbers[5] = {HEART_DT, h->rtol, HEART_REFERENCE, HEART_AMPLITUDE, HEART_DURATION};
  return put(f, "SNWHRT1\n", 1, 8) && put(f, counts, sizeof *counts, 3) && put(f, numbers, sizeof *numbers, 5) &&
         put(f, cells.value, sizeof(double), ALIEV_PANFILOV_PARAMS);
}

/* mesh: the mesh node of each place. */
static bool put_all(FILE *f, const HeartRun *h, const Tet *tet, const int32_t *mesh, const double *const V[2],
                    const int64_t steps[2]) {
  const int64_t warm = HEART_WARM;
  const int32_t n = h->mesh->n_node;
  bool ok = put_head(f, h);
  for (int32_t i = 0; ok && i < n; ++i) ok = put(f, h->mesh->x[mesh[i]], sizeof(double), 3);
  for (int64_t e = 0; ok && e < h->n_solved; ++e) ok = put(f, tet[e].node, sizeof(int32_t), 4);
  for (int64_t e = 0; ok && e < h->n_solved; ++e) ok = put(f, h->tensor[tet[e].element], sizeof(double), 6);
  for (int32_t k = 0; ok && k < h->n_stimulated; ++k) {
    const int32_t node = place(h, h->stimulated[k]);
    ok = put(f, &node, sizeof node, 1);
  }
  for (int s = 0; s < 2; ++s) {
    ok = ok && put(f, &warm, sizeof warm, 1) && put(f, &steps[s], sizeof *steps, 1);
    for (int32_t i = 0; ok && i < n; ++i) ok = put(f, &V[s][mesh[i]], sizeof(double), 1);
  }
  return ok;
}

Status heart_dump(const HeartRun *h, const double *const V[2], const int64_t steps[2], const char *path) {
  Tet *tet = NULL;
  int32_t *mesh = NULL;
  FILE *f = NULL;
  Status status;
  ALLOC_DONE(tet, h->n_solved, "tetrahedra");
  ALLOC_DONE(mesh, h->mesh->n_node, "order of the nodes");
  for (int32_t i = 0; i < h->mesh->n_node; ++i) mesh[place(h, i)] = i;
  TRY_DONE(dump_collect(h, tet));
  f = fopen(path, "wb");
  const bool written = f && put_all(f, h, tet, mesh, V, steps);
  if ((f && fclose(f) != 0) || !written) status = FAIL(ERR_IO, "%s: cannot be written", path);
done:
  FREE(tet);
  FREE(mesh);
  return status;
}
