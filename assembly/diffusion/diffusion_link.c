/* Links between nodes as a block of facets with a matrix of their own: K by conductances, M by masses. */
#include "assembly/diffusion/diffusion_data.h"
#include "core/memory.h"

#include <math.h>

static Status check_link(const DiffusionParams *params, int32_t i) {
  const DiffusionLink *link = &params->link[i];
  const int32_t n = params->mesh->n_node, a = link->node[0], b = link->node[1];
  CHECK(a >= 0 && a < n && b >= 0 && b < n && a != b, ERR_BUG, "link %d joins nodes %d and %d of %d", (int)i, (int)a,
        (int)b, (int)n);
  CHECK(link->conductance > 0 && isfinite(link->conductance), ERR_INPUT,
        "the link between nodes %lld and %lld has conductance %g, must be > 0", (long long)params->mesh->node_tag[a],
        (long long)params->mesh->node_tag[b], link->conductance);
  CHECK(link->mass >= 0 && isfinite(link->mass), ERR_INPUT,
        "the link between nodes %lld and %lld has mass %g, must be >= 0", (long long)params->mesh->node_tag[a],
        (long long)params->mesh->node_tag[b], link->mass);
  return OK;
}

static Status fill_links(const DiffusionParams *params, SpringBlock *block) {
  const int32_t n = params->n_link;
  for (; block->n < n; ++block->n) {
    const DiffusionLink *link = &params->link[block->n];
    double *kappa = block->kappa + 3 * (int64_t)block->n, *mass = block->viscosity + 3 * (int64_t)block->n;
    TRY(check_link(params, block->n));
    for (int a = 0; a < 2; ++a) block->nodes[2 * (int64_t)block->n + a] = link->node[a];
    kappa[0] = kappa[2] = link->conductance;
    kappa[1] = -link->conductance;
    mass[0] = mass[2] = link->mass;
    mass[1] = 0;
  }
  return OK;
}

Status diffusion_links_create(Diffusion *p, const DiffusionParams *params) {
  int64_t count[N_ELEMENT_KINDS] = {0};
  if (params->n_link == 0) return OK;
  CHECK(params->n_load == 0, ERR_BUG, "links beside loads");
  count[element_by_name("line2")->kind] = params->n_link;
  TRY(spring_blocks_create(count, 1, (SpringNumbers){.viscous = true}, "links between nodes", p->link, &p->n_link));
  TRY(fill_links(params, p->link));
  return space_add_facets(p->space, p->link, p->n_link);
}
