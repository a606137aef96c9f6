/* Nodes of contact that equations have, too: which of them go on bearing, and which leave that to those beside them. */
#include "assembly/elasticity/contacts.h"
#include "assembly/elasticity/elasticity_data.h"
#include "core/ascending.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>

/* What a part of an equation, `factor` times the displacement of node k, leaves of the contact there. Along the surface it has neither the unknown
 * that a closed node gives up nor a force in what rows of contact see of it: those of the node, and of the ends of its edge. */
static bool is_along(const Contact *c, int32_t k, const double factor[3]) {
  static const double SMALL = 1e-10;
  const Toggles *t = &c->nodes;
  const double most = SMALL * sqrt(vec3_dot(factor, factor));
  bool along = !obstacle_rubs(&c->item[c->of[k]]) && t->component[k] >= 0 && fabs(vec3_dot(factor, t->unit[k])) <= most;
  for (int64_t i = t->start[k]; i < t->start[k + 1] && along; ++i) {
    const int64_t own = ascending_find(t->n, t->node, t->other[i]);
    along = own < 0 || fabs(vec3_dot(factor, t->unit[own])) <= most;
  }
  return along;
}

/* Nodes whose contact equations, ties and rigid groups do not leave what it is. */
static void nodes_mark(const Contact *c, const EquationList *list, uint8_t *used) {
  for (int32_t i = 0; list && i < list->n; ++i) {
    const Equation *e = &list->item[i];
    for (int32_t m = 0; m < e->n;) {
      const EquationTerm *term = &list->term[e->first + m];
      const int64_t k = ascending_find(c->nodes.n, c->nodes.node, term->node);
      double factor[3] = {0};
      for (const int32_t node = term->node; m < e->n && term->node == node; ++m, ++term)
        factor[term->component] += term->factor;
      if (k >= 0 && (e->bent || e->timed || !is_along(c, (int32_t)k, factor))) used[c->nodes.node[k]] = 1;
    }
  }
}

static void leaving_warn(const Elasticity *p) {
  const Contact *c = &p->contact;
  for (int32_t i = 0; i < c->n_item && !c->again; ++i) {
    int32_t n = 0, at = -1;
    for (int32_t k = 0; k < c->nodes.n; ++k)
      if (c->of[k] == i && c->nodes.component[k] >= 0 && p->contact_leave[c->nodes.node[k]] && n++ == 0) at = k;
    if (n)
      status_warn(
          "%s: %d nodes of '%s', the first at (%g, %g, %g), are in an equation, a tie or a rigid group too: they leave "
          "what they would bear to those beside them, and may go into '%s'\n  remedy: a finer mesh there, other "
          "nodes in these, or '%s' on the other side of the contact",
          c->item[i].where, n, c->item[i].on->name, c->x[at][0], c->x[at][1], c->x[at][2], c->item[i].body->name,
          c->item[i].on->name);
  }
}

Status contacts_leave(Elasticity *p, const EquationList *list, bool *any) {
  const Contact *c = &p->contact;
  *any = false;
  FREE(p->contact_leave);
  ALLOC(p->contact_leave, p->space->n_node, "nodes that leave a contact");
  nodes_mark(c, list, p->contact_leave);
  for (int32_t k = 0; k < c->nodes.n; ++k) {
    uint8_t *leaves = &p->contact_leave[c->nodes.node[k]];
    *leaves = contact_is_between(c, k) && (*leaves || c->nodes.component[k] < 0);
    *any |= *leaves;
  }
  if (*any) leaving_warn(p);
  else FREE(p->contact_leave);
  return OK;
}

/* Unknowns of equations stay what they are. */
Status contacts_leave_check(const Elasticity *p, const EquationList *list) {
  const Contact *c = &p->contact;
  Status status = OK;
  uint8_t *used = NULL;
  if (!list || !list->n) return OK;
  ALLOC(used, p->space->n_node, "nodes of equations");
  nodes_mark(c, list, used);
  for (int32_t k = 0; k < c->nodes.n && status == OK; ++k)
    if (used[c->nodes.node[k]])
      status = FAIL(ERR_INPUT,
                    "%s: node %lld (%g, %g, %g) of '%s' is in an equation, a tie or a rigid group too\n  allowed: "
                    "nodes of a surface of contact that nothing joins to others\n  remedy: leave it out of one of the "
                    "two groups",
                    c->item[c->of[k]].where, (long long)p->space->mesh->node_tag[c->nodes.node[k]], c->x[k][0],
                    c->x[k][1], c->x[k][2], c->item[c->of[k]].on->name);
  FREE(used);
  return status;
}
