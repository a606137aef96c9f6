/* Which nodes equations, springs and masses of a case link: what several ranks have to have together. */
#include "app/elasticity/elastic.h"
#include "core/disjoint.h"
#include "core/memory.h"

#include <string.h>

static const char *const WHAT = "linked nodes";

static void join_first_terms(const EquationList *list, const Equation *first, int32_t n, int32_t *root) {
  for (int32_t i = 0; i < n; ++i)
    (void)disjoint_join(root, list->term[first->first].node, list->term[first[i].first].node);
}

/* The roots of nodes of equations, and sets of those of a tie, or of a rigid group that turns, which is one. */
static void join(const EquationList *list, int32_t n_component, int32_t *root, uint8_t *in) {
  for (int32_t i = 0; i < list->n; ++i) {
    const EquationTerm *term = list->term + list->item[i].first;
    for (int32_t k = 0; k < list->item[i].n; ++k) {
      in[term[k].node] = 1;
      (void)disjoint_join(root, term[0].node, term[k].node);
    }
  }
  for (int32_t t = 0; t < list->n_tie; ++t)
    join_first_terms(list, &list->item[list->tie[t].first], n_component * list->tie[t].n, root);
  for (int32_t g = 0; g < list->n_rigid; ++g)
    join_first_terms(list, &list->item[list->rigid[g].first], list->rigid[g].n, root);
}

/* Sets ascend with their first nodes, which are the roots; at[n_node] of 0. */
static Status list_sets(int32_t n_node, int32_t *root, const uint8_t *in, int32_t *at, LinkedNodes *out) {
  int32_t n = 0;
  for (int32_t i = 0; i < n_node; ++i) {
    if (in[i] && disjoint_root(root, i) == i) at[i] = out->n++;
    n += in[i];
  }
  ALLOC(out->start, (int64_t)out->n + 2, WHAT);
  ALLOC(out->node, n, WHAT);
  for (int32_t i = 0; i < n_node; ++i)
    if (in[i]) ++out->start[at[disjoint_root(root, i)] + 2];
  for (int32_t s = 0; s < out->n; ++s) out->start[s + 2] += out->start[s + 1];
  for (int32_t i = 0; i < n_node; ++i)
    if (in[i]) out->node[out->start[at[disjoint_root(root, i)] + 1]++] = i;
  return OK;
}

/* Nodes of springs and of masses of rigid groups, which have matrices as elements do. */
static Status list_pairs(const ElasticityParams *p, Setup *setup) {
  ALLOC(setup->pair, p->n_joint + MASS_NODES * (int64_t)p->n_body, WHAT);
  for (int32_t i = 0; i < p->n_joint; ++i)
    if (p->joint[i].node[1] >= 0) memcpy(setup->pair[setup->n_pair++], p->joint[i].node, sizeof *setup->pair);
  for (int32_t i = 0; i < p->n_body; ++i)
    for (int32_t a = 0; a < p->body[i].n_node; ++a)
      for (int32_t b = a + 1; b < p->body[i].n_node; ++b) {
        setup->pair[setup->n_pair][0] = p->body[i].node[a];
        setup->pair[setup->n_pair++][1] = p->body[i].node[b];
      }
  return OK;
}

Status setup_linked(const Mesh *mesh, Setup *setup) {
  const EquationList *list = elastic_setup(setup)->params.equations;
  Status status = OK;
  TRY(list_pairs(&elastic_setup(setup)->params, setup));
  int32_t *root = NULL, *at = NULL;
  uint8_t *in = NULL;
  if (!list) return OK;
  ALLOC_DONE(root, mesh->n_node, WHAT);
  ALLOC_DONE(at, mesh->n_node, WHAT);
  ALLOC_DONE(in, mesh->n_node, WHAT);
  for (int32_t i = 0; i < mesh->n_node; ++i) root[i] = i;
  join(list, mesh->dim, root, in);
  status = list_sets(mesh->n_node, root, in, at, &setup->linked);
done:
  FREE(root);
  FREE(at);
  FREE(in);
  return status;
}
