/* Parts of a body that slide on each other: a hierarchy whose aggregates have nodes of two would move them together. */
#include "assembly/elasticity/contacts.h"
#include "assembly/elasticity/elasticity_data.h"
#include "core/disjoint.h"
#include "core/memory.h"

static const char WHAT[] = "parts of the body";

/* Elements that share nodes, and what equations that always hold join, are one part. root[node]: its lowest node. How many. */
static int32_t parts_find(const Elasticity *p, int32_t *root) {
  const Equations *e = &p->equations;
  const ElementSet *set = &p->space->set;
  int32_t n = 0;
  for (int32_t i = 0; i < p->space->n_node; ++i) root[i] = i;
  for (int32_t b = 0; b < set->n_solved_block; ++b) {
    const int32_t n_node = set->block[b].type->n_node, *nodes = set->block[b].nodes;
    for (int64_t k = 1; k < (int64_t)set->block[b].n * n_node; ++k)
      if (k % n_node) (void)disjoint_join(root, nodes[k - 1], nodes[k]);
  }
  for (int32_t i = 0; i < e->n; ++i)
    for (int64_t k = e->start[i]; k < e->start[i + 1] && (!e->switch_of || e->switch_of[i] < 0); ++k)
      (void)disjoint_join(root, e->row[i] / e->n_component, e->column[k] / e->n_component);
  for (int32_t i = 0; i < p->space->n_node; ++i) n += (root[i] = disjoint_root(root, i)) == i;
  return n;
}

Status contacts_part(Elasticity *p) {
  const Numbering *numbering = &p->space->numbering;
  const int32_t n_node = p->space->n_node;
  bool between = false;
  Status status = OK;
  int32_t *root = NULL, *part = NULL;
  for (int32_t i = 0; i < p->contact.n_item; ++i) between |= p->contact.item[i].kind == OBSTACLE_BODY;
  if (!between) return OK;
  ALLOC_DONE(root, n_node, WHAT);
  ALLOC_DONE(part, n_node, WHAT);
  const int32_t n = parts_find(p, root);
  numbering_to_solver(numbering, sizeof *root, root, part);
  if (n > 1) TRY_DONE(exec_alloc_upload(p->space->exec, n_node, sizeof *part, part, WHAT, (void **)(void *)&p->part));
done:
  FREE(root);
  FREE(part);
  return status;
}
