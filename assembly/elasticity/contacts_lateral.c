/* Springs across the force of nodes that slide in space (assembly/contact/friction_space.c): between a node and what it touches, as
 * forces at nodes, and in the matrix T^T K T, which has room for pairs of a node and all that it may follow. */
#include "assembly/elasticity/elasticity_data.h"
#include "assembly/space/rows.h"
#include "core/ascending.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <stdlib.h>

static const char WHAT[] = "springs of friction";

void lateral_release(Elasticity *p) {
  LateralSprings *l = &p->lateral;
  if (!p->space) return;
  Exec *exec = p->space->exec;
  EXEC_RELEASE(exec, l->spring, l->n);
  EXEC_RELEASE(exec, l->pull, l->n);
  EXEC_RELEASE(exec, l->node, l->n_node);
  EXEC_RELEASE(exec, l->start, l->n_node + 1);
  EXEC_RELEASE(exec, l->part, l->n_part);
  EXEC_RELEASE(exec, l->more, l->n_more);
  EXEC_RELEASE(exec, l->force, p->space->n_dof);
  *l = (LateralSprings){0};
}

Status lateral_force(Elasticity *p, const double *u_global, const double **external) {
  const LateralSprings *l = &p->lateral;
  const Toggles *t = &p->contact.nodes;
  Exec *exec = p->space->exec;
  if (!l->n) return OK;
  TRY(exec_copy(exec, l->force, *external, (size_t)p->space->n_dof * sizeof *l->force));
  const TogglePullArgs pull = {.spring = l->spring,
                               .node = t->exec_node,
                               .scale = t->exec_scale,
                               .weight = t->exec_weight,
                               .start = t->exec_start,
                               .other = t->exec_other,
                               .u = u_global,
                               .out = l->pull,
                               .dim = p->dim};
  TRY(exec_rows(exec, &toggle_pull_kernel, &pull, l->n));
  const TogglePassArgs pass = {l->spring, l->node, l->start, l->part, l->pull, l->force, p->dim};
  *external = l->force;
  return exec_rows(exec, &toggle_pass_kernel, &pass, l->n_node);
}

Status lateral_tangent(const Elasticity *p, double *values) {
  const EquationMoreArgs args = {p->lateral.more, p->equations.target, values};
  return p->lateral.n_more ? exec_rows(p->space->exec, &equation_more_kernel, &args, p->lateral.n_more) : OK;
}

/* ---- what they are, on the host ---- */

typedef struct Term {
  int32_t unknown;
  double factor;
} Term;
typedef struct More {
  EquationMore entry;
  int64_t order;
} More;
typedef struct MoreList {
  int64_t n, room;
  More *item; /* owned */
} MoreList;

static int by_place(const void *a, const void *b) {
  const More *x = a, *y = b;
  if (x->entry.at != y->entry.at) return x->entry.at > y->entry.at ? 1 : -1;
  return (x->order > y->order) - (x->order < y->order);
}

/* Supports or an obstacle prescribe it. */
static bool is_prescribed(const Elasticity *p, int32_t unknown) {
  const Toggles *t = &p->contact.nodes;
  const int32_t node = unknown / p->dim, c = unknown % p->dim;
  const int64_t k = ascending_find(t->n, t->node, node);
  return p->supports.fixed[node] >> c & 1 || (k >= 0 && t->on[k] && !t->follows[k] && t->component[k] == c);
}

static void term_add(Term *term, int32_t *n, int32_t unknown, double factor) {
  int32_t k = 0;
  while (k < *n && term[k].unknown != unknown) ++k;
  if (k == *n) term[(*n)++] = (Term){unknown, 0};
  term[k].factor += factor;
}

/* Adds `times` the left-hand side of switched equation k, in unknowns that are free. */
static void equation_add(const Elasticity *p, int32_t k, double times, Term *term, int32_t *n) {
  const Equations *e = &p->equations;
  const EquationSwitches *s = &e->switches;
  times *= s->pivot[k];
  term_add(term, n, e->row[s->row[k]], times);
  for (int64_t i = s->start[k]; i < s->start[k + 1]; ++i) {
    const int32_t other = s->of[i];
    const double part = -times * s->factor[i];
    if (other < 0 || !s->on[other]) term_add(term, n, s->column[i], part);
    for (int64_t m = other < 0 || !s->on[other] ? 0 : s->start[other];
         other >= 0 && s->on[other] && m < s->start[other + 1]; ++m)
      term_add(term, n, s->column[m], part * s->factor[m]);
  }
}

/* Where the block of two nodes, in the solver's order, has its first scalar. */
static Status block_find(const Pattern *pattern, int32_t i, int32_t j, int64_t *at) {
  int64_t k = pattern->start[i];
  while (k < pattern->start[i + 1] && pattern->column[k] != j) ++k;
  CHECK(k < pattern->start[i + 1], ERR_BUG, "the matrix has no room for a spring of friction");
  *at = k * pattern->block * pattern->block;
  return OK;
}

/* stiffness times the square of the sum of terms. */
static Status square_add(const Elasticity *p, double stiffness, int32_t n, const Term *term, MoreList *list) {
  const int32_t b = p->dim;
  for (int32_t i = 0; i < n; ++i)
    for (int32_t j = 0; j < n; ++j) {
      const Term *x = &term[i], *y = &term[j];
      int64_t at = 0;
      if (x->factor == 0 || y->factor == 0 || is_prescribed(p, x->unknown) || is_prescribed(p, y->unknown)) continue;
      TRY(block_find(p->equations.pattern, numbering_rank(&p->space->numbering, x->unknown / b),
                     numbering_rank(&p->space->numbering, y->unknown / b), &at));
      at += x->unknown % b * b + y->unknown % b;
      if (list->n == list->room) {
        list->room = 2 * list->room + 1024;
        RESIZE(list->item, list->room, WHAT);
      }
      list->item[list->n] = (More){{at, stiffness * x->factor * y->factor}, list->n};
      ++list->n;
    }
  return OK;
}

static int64_t most_terms(const Elasticity *p) {
  const EquationSwitches *s = &p->equations.switches;
  int64_t most = 0, own;
  for (int32_t k = 0; k < s->n; ++k) {
    own = 1;
    for (int64_t i = s->start[k]; i < s->start[k + 1]; ++i)
      own += s->of[i] < 0 ? 1 : 1 + s->start[s->of[i] + 1] - s->start[s->of[i]];
    most = own > most ? own : most;
  }
  return 2 * most;
}

static bool has_spring(const Contact *c, int32_t k) {
  const Friction *f = &c->friction;
  return f->grip[k] == GRIP_SLIDE && f->n_tangent[k] == 2 && f->lateral[k].stiffness > 0;
}

static Status matrix_list(const Elasticity *p, MoreList *list) {
  const Contact *c = &p->contact;
  const Friction *f = &c->friction;
  Term *term = NULL;
  Status status = OK;
  int32_t first = 0;
  ALLOC_DONE(term, most_terms(p), WHAT);
  for (int32_t k = 0; k < c->nodes.n; ++k) {
    int32_t n = 0;
    if (!c->nodes.follows[k]) continue;
    for (int a = 0; a < 2 && has_spring(c, k); ++a)
      equation_add(p, first + 1 + a, vec3_dot(f->lateral[k].d, f->tangent[k] + 3 * a), term, &n);
    TRY_DONE(square_add(p, f->lateral[k].stiffness, n, term, list));
    first += 1 + f->n_tangent[k];
  }
  if (list->n) qsort(list->item, (size_t)list->n, sizeof *list->item, by_place);
done:
  FREE(term);
  return status;
}

static Status matrix_upload(Elasticity *p) {
  LateralSprings *l = &p->lateral;
  MoreList list = {0};
  EquationMore *more = NULL;
  int64_t n = 0;
  Status status = OK;
  TRY_DONE(matrix_list(p, &list));
  ALLOC_DONE(more, list.n, WHAT);
  for (int64_t i = 0; i < list.n; ++i) {
    if (n > 0 && more[n - 1].at == list.item[i].entry.at) more[n - 1].value += list.item[i].entry.value;
    else more[n++] = list.item[i].entry;
  }
  TRY_DONE(exec_alloc_upload(p->space->exec, n, sizeof *more, more, WHAT, (void **)&l->more));
  l->n_more = n;
done:
  FREE(list.item);
  FREE(more);
  return status;
}

/* What springs do to nodes, by these. */
static Status parts_upload(Elasticity *p, int32_t n, const ToggleSpring *spring) {
  const Toggles *t = &p->contact.nodes;
  const Space *s = p->space;
  LateralSprings *l = &p->lateral;
  Status status = OK;
  int32_t *number = NULL, *node = NULL, n_node = 0; /* 1 + place among nodes */
  int64_t *start = NULL, n_part = 0;
  TogglePart *part = NULL;
  ALLOC_DONE(number, s->n_node, WHAT);
  for (int32_t i = 0; i < n; ++i) {
    const int32_t k = spring[i].of;
    n_part += 1 + t->start[k + 1] - t->start[k];
    ++number[t->node[k]];
    for (int64_t m = t->start[k]; m < t->start[k + 1]; ++m) ++number[t->other[m]];
  }
  for (int32_t i = 0; i < s->n_node; ++i) n_node += number[i] > 0;
  ALLOC_DONE(node, n_node, WHAT);
  ALLOC_DONE(start, (int64_t)n_node + 2, WHAT);
  ALLOC_DONE(part, n_part, WHAT);
  n_node = 0;
  for (int32_t i = 0; i < s->n_node; ++i) {
    if (!number[i]) continue;
    node[n_node] = numbering_rank(&s->numbering, i);
    start[n_node + 2] = start[n_node + 1] + number[i];
    number[i] = ++n_node;
  }
  for (int32_t i = 0; i < n; ++i) {
    const int32_t k = spring[i].of;
    part[start[number[t->node[k]]]++] = (TogglePart){i, t->scale[k]};
    for (int64_t m = t->start[k]; m < t->start[k + 1]; ++m)
      part[start[number[t->other[m]]]++] = (TogglePart){i, -t->weight[m]};
  }
  l->n_node = n_node, l->n_part = n_part;
  TRY_DONE(exec_alloc_upload(s->exec, n_node, sizeof *node, node, WHAT, (void **)&l->node));
  TRY_DONE(exec_alloc_upload(s->exec, (int64_t)n_node + 1, sizeof *start, start, WHAT, (void **)&l->start));
  status = exec_alloc_upload(s->exec, n_part, sizeof *part, part, WHAT, (void **)&l->part);
done:
  FREE(number);
  FREE(node);
  FREE(start);
  FREE(part);
  return status;
}

Status lateral_apply(Elasticity *p) {
  const Contact *c = &p->contact;
  const Friction *f = &c->friction;
  LateralSprings *l = &p->lateral;
  Exec *exec = p->space->exec;
  ToggleSpring *spring = NULL;
  Status status = OK;
  int32_t n = 0;
  lateral_release(p);
  if (!f->any || p->dim < 3) return OK;
  ALLOC_DONE(spring, c->nodes.n, WHAT);
  for (int32_t k = 0; k < c->nodes.n; ++k) {
    if (!has_spring(c, k)) continue;
    const double *d = f->lateral[k].d;
    double at = 0;
    for (int a = 0; a < 2; ++a) at += vec3_dot(d, f->tangent[k] + 3 * a) * friction_value(c, k, a);
    spring[n++] = (ToggleSpring){k, f->lateral[k].stiffness, at, {d[0], d[1], d[2]}};
  }
  if (!n) goto done;
  TRY_DONE(parts_upload(p, n, spring));
  TRY_DONE(exec_alloc_upload(exec, n, sizeof *spring, spring, WHAT, (void **)&l->spring));
  l->n = n;
  TRY_DONE(exec_alloc(exec, n, sizeof *l->pull, WHAT, (void **)&l->pull));
  TRY_DONE(exec_alloc(exec, p->space->n_dof, sizeof *l->force, WHAT, (void **)&l->force));
  status = matrix_upload(p);
done:
  FREE(spring);
  return status;
}
