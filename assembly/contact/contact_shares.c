/* Nodes of edges that would need a normal for each side, are in the contacts of two entries, or are held or led by something else: each of their functions is given to the
 * nearest nodes of its own side, in equal shares, so that all functions of a side still add up to 1 and a constant pressure passes
 * exactly. The node itself is held by nothing then; its displacement is in the means of those that got its functions, as at the ends of
 * interfaces (Wohlmuth, A mortar finite element method using dual spaces for the Lagrange multiplier, SIAM Journal on Numerical Analysis
 * 38, 2000). docs/theory/contact.md. */
#include "assembly/contact/contact_surface.h"
#include "core/ascending.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char WHAT[] = "edges of contact";

typedef enum RowState { ROW_KEPT, ROW_GIVEN, ROW_MERGED } RowState;

/* A row of an item at its node. */
typedef struct Row {
  int32_t node, item, row;
} Row;

/* So much of the function of row v goes to that of row `to`; all of a node's own, too. */
typedef struct Part {
  int64_t to, v;
  double share;
} Part;

typedef struct Shares {
  Surfaces *s;
  int64_t n, *base; /* rows of all items; [n_item + 1] the first of each */
  Row *row;         /* owned, as all; [n] by node, item and row */
  uint8_t *state;   /* [n] as base says, as what follows */
  int32_t *seen;    /* the last search that came by, */
  int32_t n_search; /* and how many there were */
  int64_t *queue;
  Part *part;
  int64_t n_part, room;
} Shares;

static int compare_rows(const void *a, const void *b) {
  const Row *x = a, *y = b;
  if (x->node != y->node) return x->node < y->node ? -1 : 1;
  if (x->item != y->item) return x->item < y->item ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

static int compare_parts(const void *a, const void *b) {
  const Part *x = a, *y = b;
  if (x->to != y->to) return x->to < y->to ? -1 : 1;
  return (x->v > y->v) - (x->v < y->v);
}

static int64_t place_of(const Shares *h, const Row *r) { return h->base[r->item] + r->row; }
static const MortarTie *tie_of(const Shares *h, const Row *r) { return &h->s->mortar[r->item]; }

static Status rows_list(Shares *h) {
  const ContactParams *p = h->s->p;
  ALLOC(h->base, (int64_t)p->n + 1, WHAT);
  for (int32_t i = 0; i < p->n; ++i) h->base[i + 1] = h->base[i] + h->s->mortar[i].n;
  h->n = h->base[p->n];
  ALLOC(h->row, h->n, WHAT);
  for (int32_t i = 0; i < p->n; ++i)
    for (int32_t r = 0; r < h->s->mortar[i].n; ++r)
      h->row[h->base[i] + r] = (Row){sides_node(&h->s->sides[i], h->s->mortar[i].node[r]), i, r};
  qsort(h->row, (size_t)h->n, sizeof *h->row, compare_rows);
  return OK;
}

static int64_t same_node(const Shares *h, int64_t first) {
  int64_t end = first + 1;
  while (end < h->n && h->row[end].node == h->row[first].node) ++end;
  return end;
}

/* What is opposite to rows of one node looks one way: one normal does for them. */
static bool facing_is_one(const Shares *h, int64_t first, int64_t end) {
  for (int64_t k = first; k < end; ++k) {
    const Sides *sides = &h->s->sides[h->row[k].item];
    if (h->row[k].item != h->row[first].item || !sides->facing) return false;
    if (vec3_dot(sides->facing[h->row[k].row], sides->facing[h->row[first].row]) <= SIDES_COSINE) return false;
  }
  return true;
}

static void state_set(Shares *h, int64_t first, int64_t end, RowState state) {
  for (int64_t k = first; k < end; ++k) h->state[place_of(h, &h->row[k])] = (uint8_t)state;
}

/* The nearest rows of its side that a row's function can be given to, to the end of `queue`; how many. */
static int64_t receivers_find(Shares *h, const Row *row, int64_t **out) {
  const MortarTie *t = tie_of(h, row);
  const int64_t base = h->base[row->item];
  int64_t begin = 0, end = 1, n = 0;
  int64_t *queue = h->queue;
  queue[0] = row->row, h->seen[base + row->row] = ++h->n_search;
  while (begin < end && !n) {
    const int64_t stop = end;
    for (; begin < stop; ++begin)
      for (int64_t k = t->near_start[queue[begin]]; k < t->near_start[queue[begin] + 1]; ++k) {
        if (h->seen[base + t->near[k]] == h->n_search) continue;
        h->seen[base + t->near[k]] = h->n_search;
        queue[end++] = t->near[k];
      }
    for (int64_t k = stop; k < end; ++k)
      if (h->state[base + queue[k]] == ROW_KEPT) queue[stop + n++] = queue[k];
    if (n) *out = queue + stop;
  }
  return n;
}

/* A middle of an edge is given only where both ends are. */
static bool ends_given(const Shares *h, const Row *row) {
  const MortarTie *t = tie_of(h, row);
  bool given = true;
  for (int e = 0; e < 2 && t->corner[row->row][e] >= 0; ++e) {
    const int64_t at = ascending_find(t->n, t->node, t->corner[row->row][e]);
    given &= at < 0 || h->state[h->base[row->item] + at] == ROW_GIVEN;
  }
  return given;
}

/* Nodes of one side that nobody can take over go on with one normal. */
static void narrow_merge(Shares *h, bool middles) {
  for (int64_t first = 0, end; first < h->n; first = end) {
    bool taken = true;
    end = same_node(h, first);
    for (int64_t k = first; k < end && taken; ++k) {
      int64_t *unused;
      if (h->state[place_of(h, &h->row[k])] != ROW_GIVEN) break;
      taken = middles ? ends_given(h, &h->row[k]) : receivers_find(h, &h->row[k], &unused) > 0;
    }
    if (taken) continue;
    state_set(h, first, end, end - first > 1 ? ROW_MERGED : ROW_KEPT);
  }
}

/* Nodes of two entries cannot go on with one normal. */
static Status merged_check(const Shares *h, int64_t first, int64_t end) {
  const Mesh *mesh = h->s->p->mesh;
  const Row *r = &h->row[first], *last = &h->row[end - 1];
  const double *x = mesh->x[r->node];
  const Obstacle *item = h->s->p->item;
  CHECK(r->item == last->item, ERR_INPUT,
        "%s: node %lld (%g, %g, %g) of '%s' is in the contact at %s too, and one of them has no other node near it\n  "
        "allowed: a node in two contacts where both surfaces go on for two facets\n  remedy: a finer mesh there, or "
        "groups that end a facet before the edge",
        item[last->item].where, (long long)mesh->node_tag[r->node], x[0], x[1], x[2], item[last->item].on->name,
        item[r->item].where);
  return OK;
}

static bool leaves(const Shares *h, int64_t row) { return h->s->p->leave && h->s->p->leave[h->row[row].node]; }

static Status states_find(Shares *h) {
  ALLOC(h->state, h->n, WHAT);
  ALLOC(h->seen, h->n, WHAT);
  ALLOC(h->queue, h->n, WHAT);
  for (int64_t first = 0, end; first < h->n; first = end) {
    end = same_node(h, first);
    if (leaves(h, first)) state_set(h, first, end, ROW_GIVEN);
    else if (end - first > 1) state_set(h, first, end, facing_is_one(h, first, end) ? ROW_MERGED : ROW_GIVEN);
  }
  narrow_merge(h, false);
  narrow_merge(h, true);
  for (int64_t first = 0, end; first < h->n; first = end) {
    end = same_node(h, first);
    if (h->state[place_of(h, &h->row[first])] == ROW_MERGED) TRY(merged_check(h, first, end));
  }
  return OK;
}

/* ---- parts ---- */

static Status part_add(Shares *h, int64_t to, int64_t v, double share) {
  if (h->n_part == h->room) {
    h->room = 2 * h->room + 64;
    RESIZE(h->part, h->room, WHAT);
  }
  h->part[h->n_part++] = (Part){to, v, share};
  return OK;
}

/* In the order of rows. `to` are places of rows; of those that were merged of the first one. */
static Status parts_find(Shares *h) {
  for (int64_t first = 0, end; first < h->n; first = end) {
    end = same_node(h, first);
    for (int64_t k = first; k < end; ++k) {
      const Row *r = &h->row[k];
      const int64_t v = place_of(h, r);
      int64_t *to = NULL;
      if (h->state[v] != ROW_GIVEN) {
        TRY(part_add(h, h->state[v] == ROW_MERGED ? place_of(h, &h->row[first]) : v, v, 1));
        continue;
      }
      const int64_t n = receivers_find(h, r, &to);
      for (int64_t m = 0; m < n; ++m) TRY(part_add(h, h->base[r->item] + to[m], v, 1 / (double)n));
    }
  }
  return OK;
}

/* ---- rows of an item, made of parts ---- */

typedef struct Entry {
  int32_t node;
  double weight;
} Entry;

static int compare_entries(const void *a, const void *b) {
  const Entry *x = a, *y = b;
  return (x->node > y->node) - (x->node < y->node);
}

/* Entries of one node become one. */
static int64_t entries_join(int64_t n, Entry *entry) {
  int64_t kept = 0;
  qsort(entry, (size_t)n, sizeof *entry, compare_entries);
  for (int64_t k = 0; k < n; ++k)
    if (kept && entry[kept - 1].node == entry[k].node) entry[kept - 1].weight += entry[k].weight;
    else entry[kept++] = entry[k];
  return kept;
}

/* What is made of the rows of an item. */
typedef struct Made {
  const Sides *sides; /* with those that were */
  const MortarTie *tie;
  int64_t base;        /* of their places */
  Entry *master, *own; /* owned: room of a row */
  MortarTie t;
  Sides out;
} Made;

/* One of these: parts [first, end). */
typedef struct MadeRow {
  int32_t node;
  int64_t first, end;
} MadeRow;

static int compare_made(const void *a, const void *b) {
  const MadeRow *x = a, *y = b;
  return (x->node > y->node) - (x->node < y->node);
}

static void entries_put(int64_t n, const Entry *entry, int32_t *node, double *weight) {
  for (int64_t i = 0; i < n; ++i) node[i] = entry[i].node, weight[i] = entry[i].weight;
}

/* Part `part` of row v, of the area of the row that is made, in which it is one of the node itself or was given to it. */
static void part_put(Made *m, int32_t at, int64_t v, double part, bool is_own, int64_t n[2]) {
  const MortarTie *old = m->tie;
  const int32_t *corner = old->corner[v];
  const double whole = corner[0] >= 0 ? 1 / (1 - 2 * FACET_SHARE) : 1;
  for (int64_t i = old->start[v]; i < old->start[v + 1]; ++i)
    m->master[n[0]++] = (Entry){sides_node(m->sides, old->master[i]), part * old->weight[i]};
  for (int e = 0; e < 2 && corner[e] >= 0; ++e)
    m->own[n[1]++] = (Entry){sides_node(m->sides, corner[e]), part * FACET_SHARE * whole};
  for (int d = 0; d < 3 && m->out.facing; ++d) m->out.facing[at][d] += part * m->sides->facing[v][d];
  if (!is_own) {
    m->out.given[at] += part;
    m->own[n[1]++] = (Entry){sides_node(m->sides, old->node[v]), -part * whole};
    return;
  }
  m->out.scale[at] += part * whole;
  for (int d = 0; d < 3; ++d) m->out.normal[at][d] += m->sides->normal[v][d];
  for (int e = 0; e < 2 && corner[e] >= 0; ++e) m->t.corner[at][e] = sides_node(m->sides, corner[e]);
}

static void row_make(Made *m, const Part *p, const MadeRow *row, int32_t at) {
  const MortarTie *old = m->tie;
  double all = 0, thick = 0;
  int64_t n[2] = {0, 0};
  for (int64_t k = row->first; k < row->end; ++k) all += p[k].share * old->area[p[k].v - m->base];
  m->t.corner[at][0] = m->t.corner[at][1] = -1;
  for (int64_t k = row->first; k < row->end; ++k) {
    const int64_t v = p[k].v - m->base;
    const double part = p[k].share * old->area[v] / all;
    part_put(m, at, v, part, sides_node(m->sides, old->node[v]) == row->node, n);
    thick += part * m->sides->thick[v];
  }
  n[0] = entries_join(n[0], m->master), n[1] = entries_join(n[1], m->own);
  entries_put(n[0], m->master, m->t.master + m->t.start[at], m->t.weight + m->t.start[at]);
  entries_put(n[1], m->own, m->out.own + m->out.start[at], m->out.weight + m->out.start[at]);
  m->t.node[at] = row->node, m->t.area[at] = all, m->out.thick[at] = thick;
  m->t.start[at + 1] = m->t.start[at] + n[0], m->out.start[at + 1] = m->out.start[at] + n[1];
}

/* Room of n rows out of parts p[n_part]. */
static Status made_alloc(Made *m, int64_t n, int64_t n_part, const Part *p) {
  int64_t n_master = 0;
  for (int64_t k = 0; k < n_part; ++k)
    n_master += m->tie->start[p[k].v - m->base + 1] - m->tie->start[p[k].v - m->base];
  m->t = *m->tie, m->out = (Sides){.n_more = 0};
  m->t.node = m->t.master = m->t.near = NULL, m->t.start = m->t.near_start = NULL;
  m->t.area = m->t.weight = m->t.opposite = NULL, m->t.offset = NULL, m->t.shared = NULL, m->t.corner = NULL;
  m->t.n = (int32_t)n;
  ALLOC(m->t.node, n, WHAT);
  ALLOC(m->t.area, n, WHAT);
  ALLOC(m->t.start, n + 1, WHAT);
  ALLOC(m->t.master, n_master, WHAT);
  ALLOC(m->t.weight, n_master, WHAT);
  TRY(mem_alloc(n, sizeof *m->t.corner, WHAT, (void **)(void *)&m->t.corner));
  TRY(mem_alloc(n, sizeof *m->out.normal, WHAT, (void **)(void *)&m->out.normal));
  if (m->sides->facing) TRY(mem_alloc(n, sizeof *m->out.facing, WHAT, (void **)(void *)&m->out.facing));
  ALLOC(m->out.thick, n, WHAT);
  ALLOC(m->out.scale, n, WHAT);
  ALLOC(m->out.given, n, WHAT);
  ALLOC(m->out.start, n + 1, WHAT);
  ALLOC(m->out.own, 3 * n_part, WHAT);
  ALLOC(m->out.weight, 3 * n_part, WHAT);
  ALLOC(m->master, n_master, WHAT);
  ALLOC(m->own, 3 * n_part, WHAT);
  return OK;
}

/* Those of item i, of all parts. */
static Status item_make(Shares *h, int32_t i) {
  Surfaces *s = h->s;
  Made m = {.sides = &s->sides[i], .tie = &s->mortar[i], .base = h->base[i]};
  MadeRow *row = NULL;
  Status status = OK;
  int64_t begin = 0, end, n = 0;
  while (begin < h->n_part && h->part[begin].to < h->base[i]) ++begin;
  for (end = begin; end < h->n_part && h->part[end].to < h->base[i + 1];) ++end;
  ALLOC_DONE(row, end - begin, WHAT);
  for (int64_t k = begin; k < end; ++k)
    if (k > begin && h->part[k].to == h->part[k - 1].to) row[n - 1].end = k + 1;
    else row[n++] = (MadeRow){sides_node(m.sides, m.tie->node[h->part[k].to - m.base]), k, k + 1};
  qsort(row, (size_t)n, sizeof *row, compare_made);
  TRY_DONE(made_alloc(&m, n, end - begin, h->part + begin));
  for (int32_t at = 0; at < n; ++at) row_make(&m, h->part, &row[at], at);
  m.t.opposite = s->mortar[i].opposite, s->mortar[i].opposite = NULL;
  mortar_release(&s->mortar[i]);
  sides_release(&s->sides[i]);
  s->mortar[i] = m.t, s->sides[i] = m.out;
  m.t = (MortarTie){0}, m.out = (Sides){.n_more = 0};
done:
  FREE(row);
  FREE(m.master);
  FREE(m.own);
  mortar_release(&m.t);
  sides_release(&m.out);
  return status;
}

/* ---- what is told of them ---- */

/* Nodes with one normal where what is opposite to them looks several ways. */
static void merged_warn(const Shares *h, int32_t i) {
  const Obstacle *o = &h->s->p->item[i];
  int32_t n = 0, at = 0;
  for (int64_t first = 0, end; first < h->n; first = end) {
    end = same_node(h, first);
    if (h->row[first].item != i || h->state[place_of(h, &h->row[first])] != ROW_MERGED) continue;
    if (!facing_is_one(h, first, end) && n++ == 0) at = h->row[first].node;
  }
  if (n)
    status_warn(
        "%s: an edge of '%s' faces one of '%s', and a side of it is one facet wide: %d nodes, the first at (%g, "
        "%g, %g), have one normal in place of one for each side: stresses near them are off\n  remedy: two "
        "facets or more across each side, or edges that are rounded",
        o->where, o->on->name, o->body->name, n, h->s->p->mesh->x[at][0], h->s->p->mesh->x[at][1],
        h->s->p->mesh->x[at][2]);
}

/* Nodes whose functions others have, with these; parts are in the order of rows. */
static Status handed_list(Shares *h) {
  Handed *out = &h->s->c->handed;
  int64_t n = 0, at = 0, part = 0;
  for (int64_t k = 0; k < h->n_part; ++k) n += h->state[h->part[k].v] == ROW_GIVEN;
  for (int64_t first = 0; first < h->n; first = same_node(h, first))
    out->n += h->state[place_of(h, &h->row[first])] == ROW_GIVEN;
  ALLOC(out->node, out->n, WHAT);
  ALLOC(out->start, (int64_t)out->n + 1, WHAT);
  ALLOC(out->to, n, WHAT);
  out->n = 0;
  for (int64_t first = 0, end; first < h->n; first = end) {
    const bool given = h->state[place_of(h, &h->row[first])] == ROW_GIVEN;
    end = same_node(h, first);
    if (given) out->node[out->n] = h->row[first].node;
    for (int64_t k = first; k < end; ++k) {
      const Row *r = &h->row[k];
      for (const int64_t v = place_of(h, r); part < h->n_part && h->part[part].v == v; ++part)
        if (given)
          out->to[at++] = sides_node(&h->s->sides[r->item], tie_of(h, r)->node[h->part[part].to - h->base[r->item]]);
    }
    if (given) out->start[++out->n] = at;
  }
  return OK;
}

/* At a place there is one contact: facets may be in several where each is opposite to a part of them. */
static Status facets_check(const Surfaces *s) {
  double *part = NULL;
  int32_t *of = NULL;
  Status status = OK;
  ALLOC_DONE(part, s->p->mesh->n_element, WHAT);
  ALLOC_DONE(of, s->p->mesh->n_element, WHAT);
  for (int32_t i = 0; i < s->p->n; ++i)
    for (int32_t k = 0; s->mortar[i].n && k < s->p->item[i].on->n; ++k) {
      const int32_t e = s->p->item[i].on->element[k];
      const bool twice = part[e] > 0 && part[e] + s->mortar[i].opposite[k] > 1 + 1e-3;
      if (twice) {
        status = FAIL(ERR_INPUT,
                      "%s: facets of '%s' are in the contact at %s too\n  allowed: one contact at a place\n  remedy: "
                      "leave them out of one of the two groups",
                      s->p->item[i].where, s->p->item[i].on->name, s->p->item[of[e]].where);
        goto done;
      }
      part[e] += s->mortar[i].opposite[k], of[e] = i;
    }
done:
  FREE(part);
  FREE(of);
  return status;
}

/* Also where nodes of rows are those of sides of edges, or what they follow, so that they become those of the mesh. */
static bool shares_needed(const Shares *h) {
  for (int32_t i = 0; i < h->s->p->n; ++i)
    if (h->s->sides[i].n_more && h->s->mortar[i].n) return true;
  for (int64_t k = 0; k < h->n; ++k)
    if (leaves(h, k) || (k + 1 < h->n && h->row[k].node == h->row[k + 1].node)) return true;
  return false;
}

Status edges_share(Surfaces *s) {
  Shares h = {.s = s};
  Status status = OK;
  TRY_DONE(rows_list(&h));
  if (!shares_needed(&h)) goto done;
  TRY_DONE(facets_check(s));
  TRY_DONE(states_find(&h));
  TRY_DONE(parts_find(&h));
  TRY_DONE(handed_list(&h));
  qsort(h.part, (size_t)h.n_part, sizeof *h.part, compare_parts);
  for (int32_t i = 0; i < s->p->n && !s->c->again && !s->p->leave; ++i) merged_warn(&h, i);
  for (int32_t i = 0; i < s->p->n; ++i)
    if (s->mortar[i].n) TRY_DONE(item_make(&h, i));
done:
  FREE(h.base);
  FREE(h.row);
  FREE(h.state);
  FREE(h.seen);
  FREE(h.queue);
  FREE(h.part);
  return status;
}
