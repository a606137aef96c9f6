/* The setup of a part of a mesh: what the whole has, element by element and node by node. */
#include "app/input/physics.h"
#include "app/setup/mesh_sample.h"
#include "app/setup/setup.h"
#include "assembly/space/load.h"
#include "assembly/space/support.h"
#include "core/ascending.h"
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

static Status copy_ranks(const MeshSample *sample, Setup *part) {
  ALLOC(part->node_rank, sample->mesh->n_node, "numbering of the nodes");
  memcpy(part->node_rank, sample->number, (size_t)sample->mesh->n_node * sizeof *part->node_rank);
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

/* The elements of a group that are in the part, once or several times; kept in part->joined. */
static Status cut_group(const MeshSample *sample, const Group *from, Setup *part, const Group **out) {
  const Mesh *mesh = sample->mesh;
  Group *group = NULL;
  RESIZE(part->joined, part->n_joined + 1, "groups");
  ALLOC(group, 1, "a group");
  part->joined[part->n_joined++] = group;
  group->dim = from->dim, group->number = from->number;
  TRY(mem_text(from->name, "a group", &group->name));
  for (int pass = 0; pass < 2; ++pass) {
    if (pass) ALLOC(group->element, group->n, "a group");
    group->n = 0;
    for (int32_t b = 0; b < mesh->n_block; ++b) {
      const ElementBlock *block = &mesh->block[b];
      for (int32_t e = block->first; element_type(block->kind)->dim == from->dim && e < block->first + block->n; ++e) {
        if (ascending_find(from->n, from->element, sample->element[e]) < 0) continue;
        if (pass) group->element[group->n] = e;
        ++group->n;
      }
    }
  }
  *out = group;
  return OK;
}

Status setup_cut_supports(const MeshSample *sample, int32_t n, const Support *from, Setup *part, Support **out,
                          int32_t *n_part) {
  *n_part = 0;
  ALLOC(*out, n, "supports");
  for (int32_t i = 0; i < n; ++i) {
    Support *to = &(*out)[*n_part];
    *to = from[i];
    TRY(cut_group(sample, from[i].on, part, &to->on));
    *n_part += to->on->n > 0;
  }
  return OK;
}

Status setup_cut_loads(const MeshSample *sample, const Mesh *whole, bool axisymmetric, int32_t n, const Load *from,
                       Setup *part, Load **out, int32_t *n_part) {
  *n_part = 0;
  ALLOC(*out, n, "loads");
  for (int32_t i = 0; i < n; ++i) {
    Load *to = &(*out)[*n_part];
    *to = from[i];
    TRY(cut_group(sample, from[i].on, part, &to->on));
    if (to->on->n == 0 && to->kind != LOAD_CAVITY) continue; /* all ranks have all cavities */
    TRY(load_total(whole, &from[i], axisymmetric, &to->total));
    ++*n_part;
  }
  return OK;
}

static Status cut_parts(const Case *c, const Setup *whole, const MeshSample *sample, Setup *part) {
  TRY(sample->number ? copy_ranks(sample, part) : cut_ranks(whole, sample, part));
  if (whole->element_material)
    TRY(setup_cut_elements(sample, 0, sizeof *part->element_material, whole->element_material,
                           "materials of the elements", (void **)&part->element_material));
  if (!sample->number) TRY(cut_output(c, sample, part));
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
  const int32_t begin = first ? setup_first_solved(sample->mesh) : 0, n = sample->mesh->n_element - begin;
  const int32_t *element = sample->element + begin;
  *out = NULL;
  if (!from) return OK;
  TRY(mem_alloc(n, size, what, out));
  for (int32_t e = 0; e < n; ++e)
    memcpy((char *)*out + (size_t)e * size, (const char *)from + (size_t)(element[e] - first) * size, size);
  return OK;
}
