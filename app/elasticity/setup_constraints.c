/* Periodic pairs, ties of what is no surface, and equations as lists of terms. The nodes of one side are found on the other
 * in an order along the direction in which that is longest. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "app/input/number.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the size of the mesh: nodes that are nearer are partners. */
static const double MATCH = 1e-6;

typedef struct Side {
  const Group *on;
  int32_t n;
  int32_t *node; /* owned, ascending */
  double low[3], high[3];
} Side;

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

static Status side_create(const Mesh *mesh, const Group *on, Side *out) {
  uint8_t *mark = NULL;
  *out = (Side){.on = on};
  ALLOC(mark, mesh->n_node, "nodes of a group");
  for (int32_t k = 0; k < on->n; ++k) {
    const int32_t *nodes = mesh_nodes_of(mesh, on->element[k]);
    const int32_t n = element_type(mesh_block_of(mesh, on->element[k])->kind)->n_node;
    for (int32_t a = 0; a < n; ++a) mark[nodes[a]] = 1;
  }
  for (int32_t i = 0; i < mesh->n_node; ++i) out->n += mark[i];
  const Status status = mem_alloc(out->n, sizeof *out->node, "nodes of a group", (void **)&out->node);
  out->n = 0;
  for (int k = 0; k < 3; ++k) out->low[k] = (double)INFINITY, out->high[k] = -(double)INFINITY;
  for (int32_t i = 0; status == OK && i < mesh->n_node; ++i) {
    if (!mark[i]) continue;
    out->node[out->n++] = i;
    for (int k = 0; k < 3; ++k) {
      out->low[k] = fmin(out->low[k], mesh->x[i][k]);
      out->high[k] = fmax(out->high[k], mesh->x[i][k]);
    }
  }
  FREE(mark);
  return status;
}

/* A node of the other side by its coordinate in one direction. */
typedef struct Place1 {
  double at;
  int32_t node;
} Place1;

static int place_order(const void *a, const void *b) {
  const Place1 *x = a, *y = b;
  if (x->at != y->at) return x->at < y->at ? -1 : 1;
  return (x->node > y->node) - (x->node < y->node);
}

static int longest_direction(const Side *s) {
  int at = 0;
  for (int k = 1; k < 3; ++k)
    if (s->high[k] - s->low[k] > s->high[at] - s->low[at]) at = k;
  return at;
}

static double distance(const double *a, const double *b, const double shift[3]) {
  double square = 0;
  for (int k = 0; k < 3; ++k) square += (a[k] + shift[k] - b[k]) * (a[k] + shift[k] - b[k]);
  return sqrt(square);
}

/* The nearest within `reach`; -1: there is none. */
static int32_t partner_of(const Mesh *mesh, const Place1 *place, int32_t n, int d, const double *x,
                          const double shift[3], double reach) {
  int32_t low = 0, high = n, best = -1;
  double nearest = reach;
  while (low < high) {
    const int32_t middle = low + (high - low) / 2;
    if (place[middle].at < x[d] + shift[d] - reach) low = middle + 1;
    else high = middle;
  }
  for (; low < n && place[low].at <= x[d] + shift[d] + reach; ++low) {
    const double away = distance(x, mesh->x[place[low].node], shift);
    if (away > nearest || (best >= 0 && away == nearest)) continue;
    nearest = away;
    best = place[low].node;
  }
  return best;
}

/* The node of `a` that is farthest from all of `b`: for the message. */
static void worst_gap(const Mesh *mesh, const Side *a, const Side *b, const double shift[3], int32_t *node,
                      double *gap) {
  *gap = -1;
  for (int32_t i = 0; i < a->n; ++i) {
    double nearest = (double)INFINITY;
    for (int32_t k = 0; k < b->n; ++k)
      nearest = fmin(nearest, distance(mesh->x[a->node[i]], mesh->x[b->node[k]], shift));
    if (nearest > *gap) *gap = nearest, *node = a->node[i];
  }
}

static Status sides_match(Found *f, const Side *a, const Side *b, const double shift[3], const char *word, Place place,
                          const char *where) {
  Status status = OK;
  const Mesh *mesh = f->mesh;
  const int d = longest_direction(b);
  const double reach = MATCH * mesh_size(mesh);
  const int32_t dim = case_dim(f->c);
  Place1 *sorted = NULL;
  int32_t missing = 0, n_self = 0;
  ALLOC(sorted, b->n, "nodes of a group");
  for (int32_t k = 0; k < b->n; ++k) sorted[k] = (Place1){mesh->x[b->node[k]][d], b->node[k]};
  qsort(sorted, (size_t)b->n, sizeof *sorted, place_order);
  for (int32_t i = 0; i < a->n; ++i) {
    const int32_t partner = partner_of(mesh, sorted, b->n, d, mesh->x[a->node[i]], shift, reach);
    missing += partner < 0;
    n_self += partner == a->node[i];
    if (partner < 0 || partner == a->node[i]) continue;
    for (int32_t c = 0; c < dim; ++c) {
      TRY_DONE(constraint_begin(f, 2));
      constraint_term(f, a->node[i], c, 1);
      constraint_term(f, partner, c, -1);
      constraint_end(f, 0, where);
    }
  }
  if (n_self == a->n)
    report_error(
        f->diagnostics, place,
        "%s joins nothing: all %d nodes of '%s' are nodes of '%s' too\n  remedy: groups with nodes of their own", word,
        a->n, a->on->name, b->on->name);
  if (missing) {
    int32_t node = 0;
    double gap;
    worst_gap(mesh, a, b, shift, &node, &gap);
    const double *x = mesh->x[node];
    report_error(
        f->diagnostics, place,
        "%d of %d nodes of '%s' have no partner on '%s': %s needs meshes that match\n  the largest gap is %.4g, "
        "at node %lld (%g, %g, %g); allowed: %.3g\n  remedy: one mesh for both sides, or the same nodes on both",
        missing, a->n, a->on->name, b->on->name, word, gap, (long long)mesh->node_tag[node], x[0], x[1], x[2], reach);
  }
done:
  FREE(sorted);
  return status;
}

static int node_order(const void *a, const void *b) {
  const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

static Status pair_bind(Found *f, const CaseBoundary *b, const NamesValue *other, bool periodic) {
  const char *word = periodic ? "periodic" : "tie", *where;
  const Group *on = setup_group(f->setup, f->mesh, &b->on, ON_ANY, word, f->diagnostics);
  const Group *to = setup_group(f->setup, f->mesh, other, ON_ANY, word, f->diagnostics);
  Side one = {0}, two = {0};
  double shift[3] = {0};
  Status status = OK;
  if (!on || !to) return OK;
  TRY(setup_where(f->c, other->place, f->setup, &where));
  if (!periodic && on->dim == f->mesh->dim - 1 && to->dim == on->dim) return tie_bind(f, b, on, to, where);
  TRY_DONE(side_create(f->mesh, on, &one));
  TRY_DONE(side_create(f->mesh, to, &two));
  for (int k = 0; periodic && k < 3; ++k) shift[k] = 0.5 * (two.low[k] + two.high[k] - one.low[k] - one.high[k]);
  TRY_DONE(sides_match(f, &one, &two, shift, word, other->place, where));
done:
  FREE(one.node);
  FREE(two.node);
  return status;
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
        if (bsearch(&nodes[a], side->node, (size_t)side->n, sizeof *side->node, node_order)) return nodes[a];
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
  ALLOC(own->mortar, all->n, "ties");
  ALLOC(own->tie, all->n, "ties");
  TRY(mem_alloc(all->n, sizeof *own->tied, "ties", (void **)(void *)&own->tied));
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
                                  .n_tie = own->n_tie,
                                  .tie = own->tie,
                                  .n_rigid = own->n_turning,
                                  .rigid = own->turning,
                                  .bent = own->bent.n ? &own->bent : NULL};
  own->params.equations = f.n ? &own->equations : NULL;
  return OK;
}
