/* Equations in the order of their list, each solved for one unknown after those before it are put into it: elimination
 * by Gauss, with rows as short lists of terms. */
#include "assembly/space/equations.h"
#include "core/ascending.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Terms below this part of the largest factor of their equation are round-off; so are values. */
static const double SMALL = 1e-10;

typedef struct Term {
  int32_t unknown;
  double factor;
} Term;
/* A list of terms that grows. */
typedef struct Terms {
  int32_t n, room;
  Term *item; /* owned */
} Terms;

typedef struct Definition {
  int32_t unknown;
  double gap;
  Terms terms;
  const char *where;
  int32_t rigid;    /* of which group, or -1: all its terms stay, as their factors are renewed */
  int32_t switched; /* of EquationSwitches, or -1 */
  double pivot;
  double moved; /* of a switched one: what values of others, with all of them, add to its own */
  bool joined;  /* an equation that is not of its group has it */
  bool held;    /* Equation.held */
  int32_t bent; /* Equation.bent: its terms stay likewise */
} Definition;

typedef struct Elimination {
  const EquationList *list;
  const Supports *supports;
  const Mesh *mesh;
  int32_t b;
  int32_t *definition; /* owned, [n_node b]: 1 + that of the unknown; 0: it depends on nothing */
  Definition *item;    /* owned, [list.n] */
  int32_t n;
  int32_t rigid, switched, bent; /* group whose equation is under way, switched one, or -1; Equation.bent of it */
} Elimination;

static Status terms_add(Terms *t, int32_t unknown, double factor) {
  if (t->n == t->room) {
    Terms more = {.n = t->n, .room = t->room ? 2 * t->room : 8};
    ALLOC(more.item, more.room, "an equation");
    if (t->n) memcpy(more.item, t->item, (size_t)t->n * sizeof *t->item);
    FREE(t->item);
    *t = more;
  }
  t->item[t->n++] = (Term){unknown, factor};
  return OK;
}

static int term_order(const void *a, const void *b) {
  const int32_t x = ((const Term *)a)->unknown, y = ((const Term *)b)->unknown;
  return (x > y) - (x < y);
}

/* One term for each unknown, ascending; what cancels goes. */
static void terms_merge(Terms *t, double largest) {
  int32_t n = 0;
  if (t->n > 1) qsort(t->item, (size_t)t->n, sizeof *t->item, term_order);
  for (int32_t k = 0; k < t->n; ++k) {
    if (n > 0 && t->item[n - 1].unknown == t->item[k].unknown) t->item[n - 1].factor += t->item[k].factor;
    else t->item[n++] = t->item[k];
  }
  t->n = 0;
  for (int32_t k = 0; k < n; ++k)
    if (fabs(t->item[k].factor) > SMALL * largest) t->item[t->n++] = t->item[k];
}

static bool is_prescribed(const Elimination *e, int32_t unknown) {
  return e->supports->fixed[unknown / e->b] >> (unknown % e->b) & 1;
}

/* factor times u_component of a node, in unknowns of the node's frame. */
static Status term_in_frame(const Elimination *e, const EquationTerm *term, double factor, Terms *out) {
  const int32_t f = e->supports->frame_of ? e->supports->frame_of[term->node] : -1;
  if (f < 0) return terms_add(out, term->node * e->b + term->component, factor);
  for (int32_t j = 0; j < e->b; ++j)
    TRY(terms_add(out, term->node * e->b + j, factor * e->supports->frame[9 * (int64_t)f + 3 * term->component + j]));
  return OK;
}

/* Terms of `t` that depend on others are replaced until none does; *value of the equation with them. */
static Status terms_substitute(const Elimination *e, Terms *t, double *value) {
  for (int32_t k = 0; k < t->n; ++k) {
    const Term term = t->item[k];
    const int32_t d = e->definition[term.unknown] - 1;
    if (d < 0) continue;
    t->item[k].factor = 0;
    e->item[d].joined |= e->item[d].rigid != e->rigid;
    CHECK(!e->item[d].bent, ERR_INPUT,
          "%s: another constraint has what depends on this condition, which bends\n  allowed: nodes that nothing else "
          "joins\n  remedy: other nodes first in the list, or this entry behind the other constraint",
          e->item[d].where);
    *value -= term.factor * e->item[d].gap;
    for (int32_t i = 0; i < e->item[d].terms.n; ++i)
      TRY(terms_add(t, e->item[d].terms.item[i].unknown, term.factor * e->item[d].terms.item[i].factor));
  }
  return OK;
}

static double prescribed_value(const Supports *s, int32_t unknown) {
  const int64_t at = ascending_find(s->n_value, s->row, unknown);
  return at < 0 ? 0 : s->value[at];
}

/* Nothing is left to depend: the rest must hold by itself. Ranks, which know no values of the halo, were told of the whole. */
static Status check_rest(const Elimination *e, const Equation *q, const Terms *t, double value, double scale) {
  double rest = -value, size = fabs(value);
  for (int32_t k = 0; k < t->n; ++k) {
    const double part = t->item[k].factor * prescribed_value(e->supports, t->item[k].unknown);
    rest += part, size += fabs(part);
  }
  CHECK(e->list->shared || fabs(rest) <= SMALL * (size + scale), ERR_INPUT,
        "%s: this constraint contradicts those before it, or what supports prescribe: %g is left over\n  remedy: leave "
        "it out, or the support on its nodes",
        q->where, rest);
  return OK;
}

static int32_t wanted_of(const Elimination *e, const Equation *q) {
  const EquationTerm *first = &e->list->term[q->first];
  return first->node * e->b + first->component;
}

/* The term to be solved for: the first one of the list where it is free, else the largest; -1: none is free. */
static int32_t pivot_of(const Elimination *e, const Equation *q, const Terms *t) {
  const int32_t wanted = wanted_of(e, q);
  int32_t best = -1;
  for (int32_t k = 0; k < t->n; ++k) {
    if (is_prescribed(e, t->item[k].unknown)) continue;
    if (t->item[k].unknown == wanted) return k;
    if (best < 0 || fabs(t->item[k].factor) > fabs(t->item[best].factor)) best = k;
  }
  return best;
}

/* Adds `times` the equation. */
static Status equation_read(const Elimination *e, const Equation *q, double times, Terms *t, double *largest) {
  for (int32_t k = 0; k < q->n; ++k) {
    const EquationTerm *term = &e->list->term[q->first + k];
    CHECK(term->node >= 0 && term->node < e->mesh->n_node && term->component >= 0 && term->component < e->b, ERR_INPUT,
          "%s: this constraint has a term off the mesh (node %d, component %d)", q->where, term->node, term->component);
    TRY(term_in_frame(e, term, times * term->factor, t));
    *largest = fmax(*largest, fabs(times * term->factor));
  }
  return OK;
}

/* The terms become the definition of one of them, if one is left to depend. */
static Status terms_eliminate(Elimination *e, const Equation *q, double largest, double value, Terms *t) {
  const double own = value;
  TRY(terms_substitute(e, t, &value));
  terms_merge(t, e->rigid < 0 && !e->bent ? largest : 0);
  const int32_t p = pivot_of(e, q, t);
  CHECK(!e->bent || (p >= 0 && fabs(t->item[p].factor) > SMALL * largest), ERR_INPUT,
        "%s: supports and constraints before it leave this condition nothing that may depend\n  allowed: nodes of "
        "which one is "
        "free across the plane or line, or along the distance",
        q->where);
  CHECK(
      !q->timed || (p >= 0 && t->item[p].unknown == wanted_of(e, q)), ERR_INPUT,
      "%s: the first term of an equation that holds for a time is held, or depends on another constraint\n  allowed: a "
      "component that nothing else decides\n  remedy: another term first",
      q->where);
  CHECK(e->switched < 0 || (p >= 0 && t->item[p].unknown == wanted_of(e, q)), ERR_BUG,
        "%s: a constraint of contact has no unknown of its own", q->where);
  if (p < 0) return check_rest(e, q, t, value, fabs(q->value));
  Definition *d = &e->item[e->n++];
  const Term pivot = t->item[p];
  *d = (Definition){.unknown = pivot.unknown,
                    .gap = value / pivot.factor,
                    .where = q->where,
                    .rigid = e->rigid,
                    .switched = e->switched,
                    .pivot = pivot.factor,
                    .moved = value - own,
                    .held = q->held,
                    .bent = q->bent};
  for (int32_t k = 0; k < t->n; ++k)
    if (k != p) TRY(terms_add(&d->terms, t->item[k].unknown, -t->item[k].factor / pivot.factor));
  if (e->switched < 0) e->definition[pivot.unknown] = e->n;
  return OK;
}

static Status equation_eliminate(Elimination *e, const Equation *q, Terms *t) {
  double largest = 0;
  t->n = 0;
  TRY(equation_read(e, q, 1, t, &largest));
  return terms_eliminate(e, q, largest, q->value, t);
}

/* ---- ties ---- */

/* Nodes with less than this part of the mean area take over nothing. */
static const double LEAST_AREA = 0.05;

typedef struct Tie {
  const EquationTie *tie;
  uint8_t *held, *dropped; /* owned, [n]: components that have something else to depend on; that have no equation */
  double least;
} Tie;

static const Equation *tie_equation(const Elimination *e, const EquationTie *t, int32_t i, int32_t c) {
  return &e->list->item[t->first + (int64_t)e->b * i + c];
}

static int32_t tie_node(const Elimination *e, const EquationTie *t, int32_t i) {
  return e->list->term[tie_equation(e, t, i, 0)->first].node;
}

/* Component g of direction c of the node's frame. */
static double tie_axis(const Elimination *e, const EquationTie *t, int32_t i, int32_t c, int32_t g) {
  const int32_t f = e->supports->frame_of ? e->supports->frame_of[tie_node(e, t, i)] : -1;
  return f < 0 ? (double)(g == c) : e->supports->frame[9 * (int64_t)f + 3 * g + c];
}

/* Adds `times` the equation of node i along its direction c, and its value. */
static Status tie_read(const Elimination *e, const EquationTie *t, int32_t i, int32_t c, double times, Terms *out,
                       double *largest, double *value) {
  for (int32_t g = 0; g < e->b; ++g) {
    const double part = times * tie_axis(e, t, i, c, g);
    if (part != 0) TRY(equation_read(e, tie_equation(e, t, i, g), part, out, largest));
    *value += part * tie_equation(e, t, i, g)->value;
  }
  return OK;
}

/* How far direction d of node j goes along direction c of node i. */
static double tie_along(const Elimination *e, const EquationTie *t, int32_t i, int32_t c, int32_t j, int32_t d) {
  double along = 0;
  for (int32_t g = 0; g < e->b; ++g) along += tie_axis(e, t, i, c, g) * tie_axis(e, t, j, d, g);
  return along;
}

/* Whether node k takes over from direction c of node i: it is free along that. */
static bool takes_over(const Elimination *e, const Tie *w, int32_t k, int32_t i, int32_t c) {
  bool free = w->tie->area[k] > w->least;
  for (int32_t h = 0; h < e->b; ++h)
    free = free && (!(w->held[k] >> h & 1) || fabs(tie_along(e, w->tie, k, h, i, c)) < SMALL);
  return free;
}

static int32_t heirs(const Elimination *e, const Tie *w, int32_t i, int32_t c) {
  int32_t n = 0;
  for (int64_t k = w->tie->near_start[i]; k < w->tie->near_start[i + 1]; ++k)
    n += takes_over(e, w, w->tie->near[k], i, c);
  return n;
}

/* Equations of more than two nodes, of unknowns that something else decides, are left to neighbours. */
static Status tie_inspect(const Elimination *e, Tie *w, Terms *terms) {
  const EquationTie *t = w->tie;
  double sum = 0;
  for (int32_t i = 0; i < t->n; ++i) {
    const int32_t node = tie_node(e, t, i);
    sum += fabs(t->area[i]);
    for (int32_t c = 0; c < e->b; ++c)
      if (t->shared[i] || is_prescribed(e, node * e->b + c) || e->definition[node * e->b + c])
        w->held[i] = (uint8_t)(w->held[i] | 1u << c);
  }
  w->least = t->n ? LEAST_AREA * sum / t->n : 0;
  for (int32_t i = 0; i < t->n; ++i)
    for (int32_t c = 0; c < e->b; ++c) {
      double largest = 0, value = 0;
      if (!(w->held[i] >> c & 1) || !heirs(e, w, i, c)) continue;
      terms->n = 0;
      TRY(tie_read(e, t, i, c, 1, terms, &largest, &value));
      terms_merge(terms, largest);
      int32_t nodes = 0; /* terms are ascending */
      for (int32_t k = 0; k < terms->n; ++k)
        nodes += k == 0 || terms->item[k].unknown / e->b != terms->item[k - 1].unknown / e->b;
      if (nodes > 2) w->dropped[i] = (uint8_t)(w->dropped[i] | 1u << c);
    }
  return OK;
}

/* What node i takes over of its neighbours, along its direction c. */
static Status tie_inherit(const Elimination *e, const Tie *w, int32_t i, int32_t c, Terms *terms, double *largest,
                          double *value) {
  const EquationTie *t = w->tie;
  for (int64_t k = t->near_start[i]; k < t->near_start[i + 1]; ++k) {
    const int32_t j = t->near[k];
    for (int32_t d = 0; d < e->b; ++d) {
      if (!(w->dropped[j] >> d & 1) || !takes_over(e, w, i, j, d)) continue;
      const double along = tie_along(e, t, i, c, j, d);
      if (along != 0)
        TRY(tie_read(e, t, j, d, along * t->area[j] / (t->area[i] * heirs(e, w, j, d)), terms, largest, value));
    }
  }
  return OK;
}

static Status tie_eliminate(Elimination *e, const EquationTie *t, Terms *terms) {
  Tie w = {.tie = t};
  Status status = OK;
  ALLOC_DONE(w.held, t->n, "a tie");
  ALLOC_DONE(w.dropped, t->n, "a tie");
  TRY_DONE(tie_inspect(e, &w, terms));
  for (int32_t i = 0; i < t->n; ++i)
    for (int32_t c = 0; c < e->b; ++c) {
      double largest = 0, value = 0;
      if (w.dropped[i] >> c & 1) continue;
      terms->n = 0;
      TRY_DONE(tie_read(e, t, i, c, 1, terms, &largest, &value));
      if (!(w.held[i] >> c & 1)) TRY_DONE(tie_inherit(e, &w, i, c, terms, &largest, &value));
      TRY_DONE(terms_eliminate(e, tie_equation(e, t, i, c), largest, value, terms));
    }
done:
  FREE(w.held);
  FREE(w.dropped);
  return status;
}

/* Later equations may have solved for terms of earlier ones. */
static Status definitions_finish(Elimination *e) {
  for (int32_t i = e->n - 1; i >= 0; --i) {
    Definition *d = &e->item[i];
    double value = 0, largest = 0;
    TRY(terms_substitute(e, &d->terms, &value));
    d->gap -= value;
    for (int32_t k = 0; k < d->terms.n; ++k) largest = fmax(largest, fabs(d->terms.item[k].factor));
    terms_merge(&d->terms, d->rigid < 0 && !d->bent ? largest : 0);
    CHECK(d->terms.n < EQUATION_TERMS, ERR_INPUT,
          "%s: this constraint has %d terms with those that it depends on, at most %d are allowed\n  remedy: 'rigid' "
          "for a rigid face, or fewer nodes",
          d->where, d->terms.n + 1, EQUATION_TERMS);
  }
  return OK;
}

/* Its own terms are kept; the row gets those of what it may replace, too, with factors that are none yet. */
static void switch_keep(const Elimination *e, const Definition *d, EquationSwitches *out) {
  const int32_t n = d->terms.n, k = d->switched;
  int64_t at = out->start[k];
  out->pivot[k] = d->pivot, out->moved[k] = d->moved;
  for (int32_t i = 0; i < n; ++i, ++at) {
    const Term term = d->terms.item[i];
    const int32_t other = e->definition[term.unknown] - 1;
    out->column[at] = term.unknown, out->factor[at] = term.factor;
    out->of[at] = other < 0 ? -1 : e->item[other].switched;
  }
  out->start[k + 1] = at;
}

static Status switch_unite(const EquationSwitches *s, Definition *d) {
  Terms *t = &d->terms;
  int32_t n = 0;
  for (int64_t i = s->start[d->switched]; i < s->start[d->switched + 1]; ++i)
    for (int64_t k = s->of[i] < 0 ? 0 : s->start[s->of[i]]; s->of[i] >= 0 && k < s->start[s->of[i] + 1]; ++k)
      TRY(terms_add(t, s->column[k], 1));
  if (t->n > 1) qsort(t->item, (size_t)t->n, sizeof *t->item, term_order);
  for (int32_t i = 0; i < t->n; ++i)
    if (n == 0 || t->item[n - 1].unknown != t->item[i].unknown) t->item[n++] = (Term){t->item[i].unknown, 1};
  t->n = n;
  return OK;
}

/* They are the last definitions. */
static Status switches_create(Elimination *e, EquationSwitches *out) {
  const int32_t n = e->list->n_switch, first = e->n - n;
  int64_t n_term = 0;
  if (!n) return OK;
  for (int32_t i = first; i < e->n; ++i) n_term += e->item[i].terms.n;
  out->n = n;
  ALLOC(out->on, n, "constraints");
  ALLOC(out->value, n, "constraints");
  ALLOC(out->row, n, "constraints");
  ALLOC(out->pivot, n, "constraints");
  ALLOC(out->moved, n, "constraints");
  ALLOC(out->start, (int64_t)n + 1, "constraints");
  ALLOC(out->column, n_term, "constraints");
  ALLOC(out->factor, n_term, "constraints");
  ALLOC(out->of, n_term, "constraints");
  for (int32_t i = first; i < e->n; ++i) {
    CHECK(!e->definition[e->item[i].unknown], ERR_BUG, "a switched constraint of an unknown that depends already");
    e->definition[e->item[i].unknown] = i + 1;
  }
  for (int32_t i = 0; i < first; ++i)
    for (int32_t k = 0; k < e->item[i].terms.n; ++k)
      CHECK(!e->definition[e->item[i].terms.item[k].unknown], ERR_INPUT,
            "%s: this constraint depends on what an equation that holds for a time decides\n  remedy: another term "
            "first there",
            e->item[i].where);
  for (int32_t i = first; i < e->n; ++i) switch_keep(e, &e->item[i], out);
  for (int32_t i = first; i < e->n; ++i) TRY(switch_unite(out, &e->item[i]));
  return OK;
}

/* ---- rigid groups ---- */

/* A group that turns hangs on its slots alone, and nothing else on these, as it does so at no constant factors. */
static Status rigid_check(const Elimination *e) {
  for (int32_t g = 0; g < e->list->n_rigid; ++g) {
    const RigidParams *p = &e->list->rigid[g];
    int32_t n = 0;
    bool alone = true;
    for (int32_t i = 0; i < e->n; ++i) {
      const Definition *d = &e->item[i];
      const bool own = d->rigid == g;
      n += own;
      alone = alone && (!own || (d->terms.n == p->group.n_slot && !d->joined));
      for (int32_t k = 0; k < d->terms.n; ++k)
        alone = alone && own == (rigid_slot(&p->group, d->terms.item[k].unknown) >= 0);
    }
    for (int32_t j = 0; j < p->group.n_slot; ++j)
      alone = alone && !is_prescribed(e, p->group.slot[j]) && !e->definition[p->group.slot[j]];
    CHECK(alone && n == p->n, ERR_INPUT,
          "%s: a node of this rigid group is in another constraint or contact too, and the group turns\n  allowed: "
          "groups whose nodes nothing else holds or joins\n  remedy: groups that share no node; one rigid group in "
          "place of two; a motion that is known by 'fix'; 'strain: small' where it turns by small angles",
          p->where);
  }
  return OK;
}

/* Equation i of the list has this group. */
static int32_t rigid_of_equation(const EquationList *list, int32_t i) {
  for (int32_t g = 0; g < list->n_rigid; ++g)
    if (i >= list->rigid[g].first && i < list->rigid[g].first + list->rigid[g].n) return g;
  return -1;
}

static Status definitions_store(const Elimination *e, Equations *out) {
  int64_t n_term = 0;
  int32_t n = 0;
  for (int32_t i = 0; i < e->n; ++i) n_term += e->item[i].terms.n;
  ALLOC(out->row, e->n, "constraints");
  ALLOC(out->gap, e->n, "constraints");
  ALLOC(out->start, (int64_t)e->n + 1, "constraints");
  ALLOC(out->column, n_term, "constraints");
  ALLOC(out->factor, n_term, "constraints");
  ALLOC(out->held, e->n, "constraints");
  if (e->list->n_rigid) ALLOC(out->rigid_of, e->n, "constraints");
  if (e->list->bent) ALLOC(out->bent_of, e->n, "constraints");
  if (e->list->n_switch) ALLOC(out->switch_of, e->n, "constraints");
  n_term = 0;
  for (int32_t u = 0; u < e->mesh->n_node * e->b; ++u) {
    if (!e->definition[u]) continue;
    const Definition *d = &e->item[e->definition[u] - 1];
    out->row[n] = u, out->gap[n] = d->gap, out->held[n] = d->held;
    if (out->rigid_of) out->rigid_of[n] = d->rigid;
    if (out->bent_of) out->bent_of[n] = d->bent;
    if (out->switch_of) out->switch_of[n] = d->switched;
    if (d->switched >= 0) out->switches.row[d->switched] = n;
    for (int32_t k = 0; k < d->terms.n; ++k) {
      out->column[n_term] = d->terms.item[k].unknown;
      out->factor[n_term++] = d->terms.item[k].factor;
    }
    out->start[++n] = n_term;
  }
  out->n = n;
  return OK;
}

Status equations_create(const EquationList *list, const Supports *supports, const Mesh *mesh, Equations *out) {
  Status status = OK;
  Terms t = {0};
  *out = (Equations){.n_component = supports->n_component, .shared = list && list->shared};
  if (list) out->n_rigid = list->n_rigid, out->n_rigid_all = list->n_rigid_all, out->rigid = list->rigid;
  if (list) out->bent = list->bent;
  if (!list || (!list->n && !list->shared)) return OK;
  Elimination e = {
      .list = list, .supports = supports, .mesh = mesh, .b = supports->n_component, .rigid = -1, .switched = -1};
  ALLOC_DONE(e.definition, (int64_t)mesh->n_node * e.b, "constraints");
  ALLOC_DONE(e.item, list->n, "constraints");
  for (int32_t i = 0, tie = 0; i < list->n;) {
    if (tie < list->n_tie && list->tie[tie].first == i) {
      TRY_DONE(tie_eliminate(&e, &list->tie[tie], &t));
      i += e.b * list->tie[tie++].n;
      continue;
    }
    e.rigid = rigid_of_equation(list, i);
    e.switched = i < list->n - list->n_switch ? -1 : i - list->n + list->n_switch;
    e.bent = list->item[i].bent;
    TRY_DONE(equation_eliminate(&e, &list->item[i++], &t));
    e.rigid = e.switched = -1, e.bent = 0;
  }
  TRY_DONE(definitions_finish(&e));
  TRY_DONE(switches_create(&e, &out->switches));
  TRY_DONE(rigid_check(&e));
  TRY_DONE(definitions_store(&e, out));
  TRY_DONE(bent_check(out, supports));
done:
  for (int32_t i = 0; e.item && i < e.n; ++i) FREE(e.item[i].terms.item);
  FREE(e.item);
  FREE(e.definition);
  FREE(t.item);
  if (status != OK) equations_release(out);
  return status;
}
