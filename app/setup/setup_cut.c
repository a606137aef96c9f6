/* The setup of a sample of a mesh: what the whole has, element by element and node by node; without loads, and held at one
 * element. */
#include "app/input/physics.h"
#include "app/setup/mesh_sample.h"
#include "app/setup/setup.h"
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

static int by_rank(const void *left, const void *right) {
  const int32_t *a = left, *b = right;
  return (*a > *b) - (*a < *b);
}

/* Nodes of the sample in the order that they have in the whole. */
static Status cut_ranks(const Setup *whole, const MeshSample *sample, Setup *part) {
  const int32_t n = sample->mesh->n_node;
  int32_t(*sorted)[2] = NULL;
  if (!whole->node_rank) return OK;
  ALLOC(part->node_rank, n, "numbering of the nodes");
  ALLOC(sorted, n, "numbering of the nodes");
  for (int32_t i = 0; i < n; ++i) sorted[i][0] = whole->node_rank[sample->node[i]], sorted[i][1] = i;
  qsort(sorted, (size_t)n, sizeof *sorted, by_rank);
  for (int32_t i = 0; i < n; ++i) part->node_rank[sorted[i][1]] = i;
  FREE(sorted);
  return OK;
}

/* Probes lie in the first element, sums go over it. */
static Status cut_output(const Case *c, const MeshSample *sample, Setup *part) {
  ALLOC(part->probe, c->output.probes.n, "probes");
  for (int32_t i = 0; i < c->output.probes.n; ++i) part->probe[i] = (Location){.element = 0, .node = 0};
  TRY(mem_alloc(c->output.sums.n, sizeof *part->sum, "sums", (void **)(void *)&part->sum));
  for (int32_t i = 0; i < c->output.sums.n; ++i) part->sum[i] = &sample->mesh->group[0];
  return OK;
}

static Status cut_parts(const Case *c, const Setup *whole, const MeshSample *sample, Setup *part) {
  TRY(cut_ranks(whole, sample, part));
  if (whole->element_material)
    TRY(setup_cut_elements(sample, 0, sizeof *part->element_material, whole->element_material,
                           "materials of the elements", (void **)&part->element_material));
  TRY(cut_output(c, sample, part));
  return c->physics->cut(whole, sample, part);
}

Status setup_cut(const Case *c, const Setup *whole, const MeshSample *sample, Setup *out) {
  *out = (Setup){0};
  const Status status = cut_parts(c, whole, sample, out);
  if (status != OK) setup_release(out);
  return status;
}

Status setup_cut_elements(const MeshSample *sample, int32_t first, size_t size, const void *from, const char *what,
                          void **out) {
  const int32_t n = sample->mesh->n_element;
  *out = NULL;
  if (!from) return OK;
  TRY(mem_alloc(n, size, what, out));
  for (int32_t e = 0; e < n; ++e)
    memcpy((char *)*out + (size_t)e * size, (const char *)from + (size_t)(sample->element[e] - first) * size, size);
  return OK;
}
