/* Constraints of a case as lists of terms: equations, and what entries of `boundary` join. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/setup_pairs.h"
#include "app/input/number.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef ConstraintList Found;

Status constraint_begin(ConstraintList *f, int32_t n_term) {
  ElasticSetup *own = elastic_setup(f->setup);
  if (f->n == f->room) {
    Equation *more = NULL;
    ALLOC(more, f->room ? 2 * (int64_t)f->room : 64, "constraints");
    f->room = f->room ? 2 * f->room : 64;
    if (f->n) memcpy(more, own->equation, (size_t)f->n * sizeof *more);
    FREE(own->equation);
    own->equation = more;
  }
  if (f->n_term + n_term > f->term_room) {
    EquationTerm *more = NULL;
    const int64_t room = 2 * f->term_room + n_term + 128;
    ALLOC(more, room, "constraints");
    f->term_room = room;
    if (f->n_term) memcpy(more, own->term, (size_t)f->n_term * sizeof *more);
    FREE(own->term);
    own->term = more;
  }
  own->equation[f->n] = (Equation){.first = f->n_term};
  return OK;
}

void constraint_term(ConstraintList *f, int32_t node, int32_t component, double factor) {
  ElasticSetup *own = elastic_setup(f->setup);
  own->term[f->n_term++] = (EquationTerm){node, component, factor};
  ++own->equation[f->n].n;
}

void constraint_end(ConstraintList *f, double value, const char *where) {
  Equation *e = &elastic_setup(f->setup)->equation[f->n++];
  e->value = value, e->where = where;
}

/* Node of a number of the mesh file; -1 after an error. */
static int32_t node_of(const Found *f, const TextValue *text) {
  int64_t number;
  const char *why;
  if (!integer_parse(text->text, &number, &why)) {
    report_error(f->diagnostics, text->place, "nodes: '%s' %s", text->text, why);
    return -1;
  }
  const int32_t node = tag_map_find(&f->node_of, number);
  if (node >= 0) return node;
  int64_t first = INT64_MAX, last = INT64_MIN;
  for (int32_t i = 0; i < f->mesh->n_node; ++i) {
    if (f->mesh->node_tag[i] < first) first = f->mesh->node_tag[i];
    if (f->mesh->node_tag[i] > last) last = f->mesh->node_tag[i];
  }
  report_error(f->diagnostics, text->place,
               "there is no node %lld in %s\n  allowed: numbers of its nodes, from %lld to %lld", (long long)number,
               f->mesh->path, (long long)first, (long long)last);
  return -1;
}

static Status keep_entry(Found *f, const CaseEquation *e, const char *where) {
  int32_t *node = NULL;
  bool all = true;
  ALLOC(node, e->nodes.n, "nodes of an equation");
  for (int32_t k = 0; k < e->nodes.n; ++k) all = (node[k] = node_of(f, &e->nodes.item[k])) >= 0 && all;
  const Status status = all ? keep_bind(f, e, node, where) : OK;
  FREE(node);
  return status;
}

static Status equation_bind(Found *f, const CaseEquation *e) {
  const int32_t n = e->nodes.n;
  const char *where;
  TRY(setup_where(f->c, e->place, f->setup, &where));
  if (e->keep.text) return keep_entry(f, e, where);
  TRY(constraint_begin(f, n));
  for (int32_t k = 0; k < n; ++k) {
    const int32_t node = node_of(f, &e->nodes.item[k]);
    double factor = 0;
    const char *why;
    if (node < 0) continue;
    number_parse(e->factors.item[k].text, &factor, &why);
    constraint_term(f, node, *e->components.item[k].text - 'x', factor);
  }
  constraint_end(f, e->value.value, where);
  return OK;
}

static bool is_timed(const CaseEquation *e) { return place_given(e->from.place) || place_given(e->until.place); }

/* An entry by the unknown that comes to depend. */
typedef struct Timed {
  int32_t unknown, entry;
  double begin;
} Timed;
static int timed_order(const void *a, const void *b) {
  const Timed *x = a, *y = b;
  if (x->unknown != y->unknown) return x->unknown < y->unknown ? -1 : 1;
  if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
  return (x->entry > y->entry) - (x->entry < y->entry);
}

static double begin_of(const CaseEquation *e) { return place_given(e->from.place) ? e->from.value : 0; }
static double end_of(const CaseEquation *e) { return place_given(e->until.place) ? e->until.value : (double)INFINITY; }

/* The end of the step that the equation begins in; of a jump that of its first load step. */
static double ramp_end(const Case *c, const CaseEquation *e) {
  int32_t k = 0;
  while (k + 1 < c->steps.n && !(case_step(c, k)->end.value > begin_of(e))) ++k;
  return e->begin.value == SPAN_JUMP ? case_rise_end(c, k) : case_step(c, k)->end.value;
}

static bool same_terms(const CaseEquation *a, const CaseEquation *b) {
  bool same = a->nodes.n == b->nodes.n;
  for (int32_t k = 0; same && k < a->nodes.n; ++k)
    same = !strcmp(a->nodes.item[k].text, b->nodes.item[k].text) &&
           !strcmp(a->components.item[k].text, b->components.item[k].text) &&
           !strcmp(a->factors.item[k].text, b->factors.item[k].text);
  return same;
}

/* Of a list in that order. */
static Status timed_entry(Found *f, const Timed *list, int32_t k) {
  const CaseEquation *e = case_equation(f->c, list[k].entry);
  const CaseEquation *before = k > 0 ? case_equation(f->c, list[k - 1].entry) : NULL;
  ElasticSetup *own = elastic_setup(f->setup);
  char place[512];
  const bool again = before && list[k - 1].unknown == list[k].unknown;
  if (again && !(same_terms(before, e) && begin_of(e) >= end_of(before)))
    report_error(
        f->diagnostics, e->nodes.place,
        "two equations that hold for a time have the same first term, here and at %s\n  allowed: the same terms "
        "at other times\n  remedy: another term first",
        place_text(f->c->path, before->nodes.place, place, sizeof place));
  if (!again) {
    TRY(equation_bind(f, e));
    own->equation[f->n - 1].timed = true, own->equation[f->n - 1].first_span = k;
  }
  own->span[k] = (EquationSpan){begin_of(e), end_of(e), ramp_end(f->c, e), e->value.value, (SpanBegin)e->begin.value};
  ++own->equation[f->n - 1].n_span;
  return OK;
}

/* The last ones, those of a node one after the other (EquationSwitches). */
static Status timed_bind(Found *f) {
  Timed *list = NULL;
  Status status = OK;
  int32_t n = 0;
  ALLOC(list, f->c->equations.n, "equations");
  for (int32_t i = 0; i < f->c->equations.n; ++i) {
    const CaseEquation *e = case_equation(f->c, i);
    if (!is_timed(e) || !e->nodes.n || !e->components.n) continue;
    const int32_t node = node_of(f, &e->nodes.item[0]);
    if (node >= 0) list[n++] = (Timed){3 * node + *e->components.item[0].text - 'x', i, begin_of(e)};
  }
  if (n > 1) qsort(list, (size_t)n, sizeof *list, timed_order);
  status = mem_alloc(n, sizeof(EquationSpan), "equations", (void **)(void *)&elastic_setup(f->setup)->span);
  for (int32_t k = 0; status == OK && k < n; ++k) status = timed_entry(f, list, k);
  FREE(list);
  return status;
}

/* The first node of a side that a support of the case holds, and which; -1: there is none. */
static int32_t held_node(const Found *f, const Side *side, const Support **by) {
  const ElasticSetup *own = elastic_setup(f->setup);
  for (int32_t s = 0; s < own->params.n_support; ++s) {
    *by = &own->params.support[s];
    for (int32_t k = 0; k < (*by)->on->n; ++k) {
      const int32_t *nodes = mesh_nodes_of(f->mesh, (*by)->on->element[k]);
      const int32_t n = element_type(mesh_block_of(f->mesh, (*by)->on->element[k])->kind)->n_node;
      for (int32_t a = 0; a < n; ++a)
        if (side_has(side, nodes[a])) return nodes[a];
    }
  }
  return -1;
}

/* The ground bears a rigid group whose motion is prescribed, wholly or in part. */
static void rigid_held(const CaseRigidFix *fix, const Group *on, ElasticSetup *own) {
  const ExprValue *const given[] = {&fix->x, &fix->y, &fix->z, &fix->rx, &fix->ry, &fix->rz};
  bool any = false;
  for (size_t k = 0; k < sizeof given / sizeof *given; ++k) any = any || place_given(given[k]->place);
  own->rigid[own->n_rigid++] = (SupportedGroup){.on = on, .components = any ? 7 : 0};
}

static Status rigid_group(Found *f, const CaseBoundary *b) {
  const Group *on = setup_group(f->setup, f->mesh, &b->on, ON_ANY, "rigid", f->diagnostics);
  const Support *by = NULL;
  const char *where;
  Side side = {0};
  if (!on) return OK;
  rigid_held(&b->rigid.fix, on, elastic_setup(f->setup));
  TRY(setup_where(f->c, b->rigid.place, f->setup, &where));
  Status status = side_create(f->mesh, on, &side);
  const int32_t held = status == OK ? held_node(f, &side, &by) : -1;
  if (held >= 0) {
    const double *x = f->mesh->x[held];
    report_error(
        f->diagnostics, b->rigid.place,
        "rigid group '%s' has node %lld at (%g, %g, %g), which the support at %s holds too\n  remedy: 'fix' of "
        "the rigid motion, or groups that share no node",
        on->name, (long long)f->mesh->node_tag[held], x[0], x[1], x[2], by->where);
  } else if (status == OK)
    status = case_rotates(f->c) ? rigid_rotating_bind(f, b, side.n, side.node, where)
                                : rigid_bind(f, &b->rigid, side.n, side.node, where);
  FREE(side.node);
  return status;
}

Status setup_constraints(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics) {
  Found f = {.c = c, .mesh = mesh, .setup = setup, .diagnostics = diagnostics};
  ElasticSetup *own = elastic_setup(setup);
  const MapsValue *all = case_acting(c);
  ALLOC(own->rigid, all->n, "rigid groups");
  ALLOC(own->body, all->n, "rigid groups");
  own->params.body = own->body;
  ALLOC(own->turning, all->n, "rigid groups");
  ALLOC(own->mortar, 2 * (int64_t)all->n, "ties");
  ALLOC(own->tie, 2 * (int64_t)all->n, "ties");
  ALLOC(own->cut, all->n, "cuts of a sector");
  TRY(mem_alloc(2 * (int64_t)all->n, sizeof *own->tied, "ties", (void **)(void *)&own->tied));
  for (int32_t i = 0; i < all->n; ++i) {
    const CaseBoundary *b = maps_item(all, sizeof(CaseBoundary), i);
    if (place_given(b->rigid.place)) TRY(rigid_group(&f, b));
    if (b->tie.n) TRY(pair_bind(&f, b, &b->tie, false));
    if (b->periodic.n) TRY(pair_bind(&f, b, &b->periodic, true));
  }
  Status status = OK;
  if (c->equations.n) TRY(tag_map_create(mesh->node_tag, mesh->n_node, "table of node numbers", &f.node_of, NULL));
  for (int32_t i = 0; status == OK && i < c->equations.n; ++i)
    if (!is_timed(case_equation(c, i))) status = equation_bind(&f, case_equation(c, i));
  if (status == OK) status = timed_bind(&f);
  tag_map_destroy(&f.node_of);
  TRY(status);
  own->equations = (EquationList){.n = f.n,
                                  .item = own->equation,
                                  .term = own->term,
                                  .span = own->span,
                                  .n_image = own->n_image,
                                  .image = own->image,
                                  .n_tie = own->n_tie,
                                  .tie = own->tie,
                                  .n_rigid = own->n_turning,
                                  .n_rigid_all = own->n_turning,
                                  .rigid = own->turning,
                                  .bent = own->bent.n ? &own->bent : NULL};
  for (int32_t g = 0; g < own->n_turning; ++g)
    own->equations.any_goes_along |= rigid_goes_along(&own->turning[g].group);
  own->params.equations = f.n ? &own->equations : NULL;
  return OK;
}
