/* Sharp edges of surfaces: the facets of each side of such an edge get nodes of their own, so that a side has its own dual functions and
 * normals. */
#include "assembly/contact/contact_sides.h"
#include "assembly/space/facet.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

static const char WHAT[] = "sides of edges";

/* Where nodes are on the facets of a group, by nodes. */
typedef struct Places {
  const Mesh *mesh;
  const Group *group;
  const double *outward;
  int64_t *start;                /* owned, [n_node + 1] */
  int32_t *facet, *local, *side; /* owned; the side of an edge that the facet is on, from 0 */
  int32_t most;                  /* places of a node */
} Places;

static void places_release(Places *p) {
  FREE(p->start);
  FREE(p->facet);
  FREE(p->local);
  FREE(p->side);
}

static int32_t facet_nodes(const Mesh *mesh, int32_t id) { return element_type(mesh_block_of(mesh, id)->kind)->n_node; }

static Status places_find(Places *p) {
  const Mesh *mesh = p->mesh;
  const Group *group = p->group;
  ALLOC(p->start, (int64_t)mesh->n_node + 1, WHAT);
  for (int32_t k = 0; k < group->n; ++k)
    for (int32_t a = 0; a < facet_nodes(mesh, group->element[k]); ++a)
      ++p->start[mesh_nodes_of(mesh, group->element[k])[a] + 1];
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    if (p->start[i + 1] > p->most) p->most = (int32_t)p->start[i + 1];
    p->start[i + 1] += p->start[i];
  }
  const int64_t n = p->start[mesh->n_node];
  ALLOC(p->facet, n, WHAT);
  ALLOC(p->local, n, WHAT);
  ALLOC(p->side, n, WHAT);
  for (int32_t k = group->n - 1; k >= 0; --k)
    for (int32_t a = 0; a < facet_nodes(mesh, group->element[k]); ++a) {
      const int64_t at = --p->start[mesh_nodes_of(mesh, group->element[k])[a] + 1];
      p->facet[at] = k, p->local[at] = a;
    }
  for (int32_t i = 0; i < mesh->n_node; ++i) p->start[i] = p->start[i + 1];
  p->start[mesh->n_node] = n;
  return OK;
}

/* Numbers the sides of node i; normals[most][3] is room. How many there are. */
static int32_t sides_number(const Places *p, int32_t i, double (*normal)[3]) {
  const int64_t first = p->start[i], n = p->start[i + 1] - first;
  int32_t *side = p->side + first, n_side = 0;
  for (int64_t k = 0; k < n; ++k) {
    Facet f;
    facet_read(p->mesh, p->group->element[p->facet[first + k]], &f);
    facet_normal(&f, f.type->node[p->local[first + k]], normal[k]);
    for (int d = 0; d < 3; ++d) normal[k][d] *= p->outward[p->facet[first + k]];
    (void)vec3_normalize(normal[k]);
    side[k] = -1;
  }
  for (int64_t seed = 0; seed < n; ++seed) {
    if (side[seed] >= 0) continue;
    side[seed] = n_side;
    for (bool more = true; more;) {
      more = false;
      for (int64_t k = 0; k < n; ++k)
        for (int64_t m = 0; m < n && side[k] < 0; ++m)
          if (side[m] == n_side && vec3_dot(normal[k], normal[m]) > SIDES_COSINE) side[k] = n_side, more = true;
    }
    ++n_side;
  }
  return n_side;
}

/* Sides of all nodes; how many nodes these need beyond those of the mesh. */
static Status sides_find(Places *p, int32_t *n_more) {
  double(*normal)[3] = NULL;
  TRY(places_find(p));
  TRY(mem_alloc(p->most, sizeof *normal, WHAT, (void **)(void *)&normal));
  for (int32_t i = 0; i < p->mesh->n_node; ++i)
    if (p->start[i + 1] > p->start[i]) *n_more += sides_number(p, i, normal) - 1;
  mem_free((void **)(void *)&normal);
  return OK;
}

static Status mesh_copy(const Mesh *mesh, int32_t n_more, Sides *out) {
  Mesh *m = &out->mesh;
  *m = *mesh;
  m->x = NULL, m->block = NULL;
  out->n_more = n_more; /* what follows is owned */
  TRY(mem_alloc((int64_t)mesh->n_node + out->n_more, sizeof *m->x, WHAT, (void **)(void *)&m->x));
  memcpy(m->x, mesh->x, (size_t)mesh->n_node * sizeof *m->x);
  ALLOC(m->block, mesh->n_block, WHAT);
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    m->block[b] = mesh->block[b];
    m->block[b].nodes = NULL;
    if (element_type(mesh->block[b].kind)->dim != mesh->dim - 1) continue;
    const int64_t n = (int64_t)mesh->block[b].n * element_type(mesh->block[b].kind)->n_node;
    ALLOC(m->block[b].nodes, n, WHAT);
    memcpy(m->block[b].nodes, mesh->block[b].nodes, (size_t)n * sizeof *m->block[b].nodes);
  }
  ALLOC(out->real, out->n_more, WHAT);
  return OK;
}

/* Facets of all sides but the first of a node get another one. */
static void sides_take(const Places *p, Sides *out) {
  Mesh *m = &out->mesh;
  for (int32_t i = 0; i < p->mesh->n_node; ++i) {
    int32_t last = 0;
    for (int64_t k = p->start[i]; k < p->start[i + 1]; ++k) {
      if (!p->side[k]) continue;
      const int32_t e = p->group->element[p->facet[k]], more = m->n_node - p->mesh->n_node + p->side[k] - 1;
      ElementBlock *block = &m->block[mesh_block_of(p->mesh, e) - p->mesh->block];
      block->nodes[(int64_t)(e - block->first) * element_type(block->kind)->n_node + p->local[k]] =
          p->mesh->n_node + more;
      out->real[more] = i;
      memcpy(m->x[p->mesh->n_node + more], p->mesh->x[i], sizeof *m->x);
      if (p->side[k] > last) last = p->side[k];
    }
    m->n_node += last;
  }
}

Status sides_create(const Mesh *mesh, const Group *const group[2], double *const outward[2], Sides *out) {
  Places p[2] = {{mesh, group[0], outward[0], NULL, NULL, NULL, NULL, 0},
                 {mesh, group[1], outward[1], NULL, NULL, NULL, NULL, 0}};
  Status status = OK;
  int32_t n_more = 0;
  *out = (Sides){.mesh = *mesh};
  TRY_DONE(sides_find(&p[0], &n_more));
  if (!n_more) goto done;
  TRY_DONE(sides_find(&p[1], &n_more));
  TRY_DONE(mesh_copy(mesh, n_more, out));
  for (int g = 0; g < 2; ++g) sides_take(&p[g], out);
done:
  for (int g = 0; g < 2; ++g) places_release(&p[g]);
  return status;
}

void sides_release(Sides *s) {
  for (int32_t b = 0; s->n_more && s->mesh.block && b < s->mesh.n_block; ++b) FREE(s->mesh.block[b].nodes);
  if (s->n_more) FREE(s->mesh.block);
  if (s->n_more) mem_free((void **)(void *)&s->mesh.x);
  FREE(s->real);
  mem_free((void **)(void *)&s->normal);
  mem_free((void **)(void *)&s->facing);
  FREE(s->thick);
  FREE(s->scale);
  FREE(s->given);
  FREE(s->start);
  FREE(s->own);
  FREE(s->weight);
  *s = (Sides){.n_more = 0};
}
