/* *MASS, *SPRING and *DASHPOT: rows of `mass` and `springs`. CalculiX gives an element of MASS its weight where *DLOAD names
 * its set, not where the body about it is named: in statics the weight is a force. */
#include "app/deck/deck_points.h"
#include "app/deck/deck_private.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Elements at nodes, with the card that says what they are made of. */
static const struct {
  const char *type, *card;
  int32_t n_node;
  bool directions, viscous; /* its card has a line of them; it is a dashpot */
} types[] = {{"MASS", "MASS", 1, false, false},
             {"SPRING1", "SPRING", 1, true, false},
             {"SPRING2", "SPRING", 2, true, false},
             {"SPRINGA", "SPRING", 2, false, false},
             {"DASHPOTA", "DASHPOT", 2, false, true}};
enum { N_TYPES = sizeof types / sizeof *types };

/* -1: a card of other elements, or none. */
static int type_of(const InpCard *card) {
  const char *name = inp_is(card, "ELEMENT") ? inp_parameter(card, "TYPE") : NULL;
  for (int i = 0; name && i < N_TYPES; ++i)
    if (strcasecmp(types[i].type, name) == 0) return i;
  return -1;
}

static bool has_set(const InpCard *card, const char *set) {
  const char *own = inp_parameter(card, "ELSET");
  return own && set && strcasecmp(own, set) == 0;
}

const char *deck_mass_set(const Deck *d, const char *name) {
  for (int32_t c = 0; c < d->inp->n_card; ++c)
    if (type_of(&d->inp->card[c]) == 0 && has_set(&d->inp->card[c], name))
      return inp_parameter(&d->inp->card[c], "ELSET");
  return NULL;
}

bool deck_masses_count(const Deck *d) {
  const DeckAnalysis a = d->procedure.analysis;
  return d->procedure.moves || a == DECK_MODES || deck_is_response(d) || deck_ends_in_modes(d);
}

/* What a card of properties says: the line in front of the last has directions, which elements along a line leave out. */
typedef struct Property {
  int64_t direction[2];
  int n_direction;
  double value;
} Property;

static Status read_property(Deck *d, bool directions, Property *p) {
  InpCursor cursor = {0};
  InpLine line;
  *p = (Property){0};
  if (directions) {
    if (!inp_next(d->inp, d->card, &cursor, &line)) return inp_fail(d->inp, d->card, "has no line with directions");
    for (; p->n_direction < line.n && p->n_direction < 2 && *line.field[p->n_direction]; ++p->n_direction) {
      int64_t *k = &p->direction[p->n_direction];
      if (!inp_whole(line.field[p->n_direction], k) || *k < 1 || *k > deck_dim(d))
        return inp_line_fail(d->inp, d->card, &line, "'%.40s' is not a direction; 1 to %d are",
                             line.field[p->n_direction], deck_dim(d));
    }
  }
  if (!inp_next(d->inp, d->card, &cursor, &line)) return inp_fail(d->inp, d->card, "has no line with its constant");
  TRY(inp_number(d->inp, d->card, &line, 0, &p->value));
  if (!(p->value >= 0)) return inp_line_fail(d->inp, d->card, &line, "the constant is %g, must be >= 0", p->value);
  if (inp_next(d->inp, d->card, &cursor, &line))
    return inp_line_fail(d->inp, d->card, &line,
                         "a second line, of a constant that varies, is not understood; one constant is");
  return OK;
}

static Status add_point(Deck *d, const InpCard *elements, int type, const Property *p, const int32_t node[2]) {
  int32_t row;
  TRY(deck_row(d, NULL, &row));
  if (type == 0) {
    TRY(deck_grow((void **)&d->model.mass, d->model.n_mass, sizeof *d->model.mass, "masses"));
    d->model.mass[d->model.n_mass++] = (DeckMass){node[0], row, inp_parameter(elements, "ELSET"), p->value};
    return OK;
  }
  TRY(deck_grow((void **)&d->model.spring, d->model.n_spring, sizeof *d->model.spring, "springs"));
  d->model.spring[d->model.n_spring++] = (DeckSpring){.row = row,
                                                      .n_node = types[type].n_node,
                                                      .node = {node[0], node[1]},
                                                      .component = p->n_direction ? (int)p->direction[0] - 1 : -1,
                                                      .viscous = types[type].viscous,
                                                      .value = p->value};
  return OK;
}

/* The lines of a card of elements. */
static Status read_elements(Deck *d, const InpCard *elements, int type) {
  Property p;
  InpCursor cursor = {0};
  InpLine line;
  const int32_t n = types[type].n_node;
  TRY(read_property(d, types[type].directions, &p));
  if (n == 2 && p.n_direction && (p.n_direction != 2 || p.direction[0] != p.direction[1]))
    return inp_fail(d->inp, d->card,
                    "SPRING2 between two different directions is not understood; one direction, twice, is");
  if (n == 1 && p.n_direction > 1) return inp_fail(d->inp, d->card, "SPRING1 has one direction");
  while (inp_next(d->inp, elements, &cursor, &line)) {
    int32_t node[2] = {-1, -1};
    if (line.n != 1 + n)
      return inp_line_fail(d->inp, elements, &line, "an element of %s has %d nodes", types[type].type, n);
    for (int32_t k = 0; k < n; ++k) {
      int64_t tag;
      if (inp_item(d->inp, elements->scope, true, line.field[1 + k], &tag))
        node[k] = tag_map_find(&d->inp->node_of, tag);
      if (node[k] < 0) return inp_line_fail(d->inp, elements, &line, "node %.40s does not exist", line.field[1 + k]);
    }
    TRY(add_point(d, elements, type, &p, node));
  }
  return OK;
}

static Status read_card(Deck *d) {
  const char *set = inp_parameter(d->card, "ELSET");
  bool any = false;
  if (d->now.in_step) return inp_fail(d->inp, d->card, "in a step is not understood; in front of the first one it is");
  if (deck_is_heat(d) || d->model.family == INP_AXISYMMETRIC)
    return inp_fail(d->inp, d->card, "beside elements of heat transfer or CAX is not understood");
  for (int32_t c = 0; c < d->inp->n_card; ++c) {
    const InpCard *elements = &d->inp->card[c];
    const int type = type_of(elements);
    if (type < 0 || !has_set(elements, set) || !inp_is(d->card, types[type].card)) continue;
    any = true;
    TRY(read_elements(d, elements, type));
  }
  if (any) return OK;
  return inp_fail(d->inp, d->card,
                  "there is no *ELEMENT with ELSET=%.80s and a TYPE for it: MASS, SPRING1, SPRING2, SPRINGA, DASHPOTA",
                  set ? set : "");
}
Status deck_card_mass(Deck *d) { return read_card(d); }
Status deck_card_spring(Deck *d) { return read_card(d); }

/* ---- what acts ---- */

Status deck_masses_load(Deck *d, DeckStep *step) {
  int32_t n = 0;
  for (int32_t i = 0; i < step->n_body; ++i) {
    const DeckBody body = step->body[i];
    if (!body.masses) {
      step->body[n++] = body;
      continue;
    }
    for (int32_t k = 0; k < d->model.n_mass; ++k) {
      const DeckMass *m = &d->model.mass[k];
      double f[3];
      for (int j = 0; j < 3; ++j) f[j] = m->mass * body.value[0] * body.value[1 + j];
      if (strcasecmp(m->set, body.on) == 0) TRY(deck_node_push(d, m->node, f, body.row, &step->nodes[DECK_FORCE]));
    }
  }
  step->n_body = n;
  return OK;
}

/* ---- what is written ---- */

double deck_mass_at(const Deck *d, int32_t node) {
  double sum = 0;
  for (int32_t i = 0; deck_masses_count(d) && i < d->model.n_mass; ++i)
    if (d->model.mass[i].node == node) sum += d->model.mass[i].mass;
  return sum;
}

static int by_node(const void *left, const void *right) {
  const DeckMass *a = left, *b = right;
  return a->node != b->node ? (a->node > b->node) - (a->node < b->node) : (a->row > b->row) - (a->row < b->row);
}

static int by_mass(const void *left, const void *right) {
  const DeckMass *a = left, *b = right;
  return a->mass != b->mass ? (a->mass > b->mass) - (a->mass < b->mass) : by_node(left, right);
}

/* An entry for nodes of equal mass. */
static Status write_mass(Deck *d, int32_t n, const DeckMass *m) {
  char text[64];
  const char *name;
  int32_t *item = NULL;
  ALLOC(item, n, "a group of nodes");
  for (int32_t i = 0; i < n; ++i) item[i] = m[i].node;
  if (n == 1) snprintf(text, sizeof text, "node-%lld", (long long)d->inp->node_tag[m->node]);
  else snprintf(text, sizeof text, "masses");
  TRY(deck_group(d, (InpGroup){text, INP_NODES, n, item, NULL}, item, NULL, &name));
  return deck_entry(d, m->row, name, "mass: %.17g", n * m->mass);
}

Status deck_write_masses(Deck *d) {
  DeckMass *m = NULL;
  int32_t n = 0;
  Status status = OK;
  if (!d->model.n_mass || !deck_masses_count(d)) return OK;
  ALLOC(m, d->model.n_mass, "masses");
  memcpy(m, d->model.mass, (size_t)d->model.n_mass * sizeof *m);
  qsort(m, (size_t)d->model.n_mass, sizeof *m, by_node);
  for (int32_t i = 0; i < d->model.n_mass; ++i) {
    if (d->model.hub_of && d->model.hub_of[m[i].node]) continue; /* in the entry of its group */
    if (n && m[n - 1].node == m[i].node) m[n - 1].mass += m[i].mass;
    else m[n++] = m[i];
  }
  qsort(m, (size_t)n, sizeof *m, by_mass);
  for (int32_t i = 0, k; i < n; i = k) {
    for (k = i + 1; k < n && m[k].mass == m[i].mass; ++k) continue;
    TRY_DONE(write_mass(d, k - i, &m[i]));
  }
done:
  FREE(m);
  return status;
}

/* Held at 0 in all directions, in all steps. */
static bool is_ground(const Deck *d, int32_t node) {
  for (int32_t s = 0; s < d->n_step; ++s)
    for (int k = 0; k < deck_dim(d); ++k) {
      const DeckNodes *fix = &d->step[s].nodes[DECK_FIX];
      if (!fix->n || fix->value[node][k] != 0) return false;
    }
  return true;
}

static Status end_ready(Deck *d, int32_t row, int32_t node, const bool *solid) {
  int32_t *const of = d->model.hub_of;
  if (of && of[node] > 0)
    return deck_row_fail(d, row,
                         "an end at node %lld, a reference node, is not understood; at a node of the body it is",
                         (long long)d->inp->node_tag[node]);
  if (solid[node] || (of && of[node])) return OK;
  if (!is_ground(d, node))
    return deck_row_fail(
        d, row,
        "node %lld belongs to no solid element: it must be held at 0 in all directions by *BOUNDARY; a "
        "chain of springs over free nodes is not understood",
        (long long)d->inp->node_tag[node]);
  if (!d->model.hub_of) ALLOC(d->model.hub_of, d->inp->n_node, "reference nodes");
  d->model.hub_of[node] = -1;
  return OK;
}

/* The weight of the body would be that of its masses too. */
static Status check_gravity(const Deck *d) {
  for (int32_t s = 0; d->model.n_mass && deck_masses_count(d) && s < d->n_kept; ++s)
    for (int32_t i = 0; i < d->step[s].n_body; ++i)
      if (d->step[s].body[i].load == DECK_GRAVITY)
        return deck_row_fail(
            d, d->step[s].body[i].row,
            "GRAV of solid elements beside *MASS in modes or motion is not understood; in statics it is");
  return OK;
}

static Status ends_ready(Deck *d, const bool *solid) {
  for (int32_t i = 0; i < d->model.n_spring; ++i)
    for (int32_t k = 0; k < d->model.spring[i].n_node; ++k)
      TRY(end_ready(d, d->model.spring[i].row, d->model.spring[i].node[k], solid));
  for (int32_t i = 0; i < d->model.n_mass; ++i) {
    const int32_t node = d->model.mass[i].node, hub = d->model.hub_of ? d->model.hub_of[node] : 0;
    if (hub > 0 ? d->model.hub[hub - 1].rigid && d->model.hub[hub - 1].node == node : solid[node]) continue;
    return deck_row_fail(d, d->model.mass[i].row,
                         "node %lld is none of a solid element and no reference node of a rigid body, where masses are "
                         "understood",
                         (long long)d->inp->node_tag[node]);
  }
  return OK;
}

/* A card of elements needs one of its properties. */
static Status check_cards(const Deck *d) {
  for (int32_t c = 0; c < d->inp->n_card; ++c) {
    const InpCard *card = &d->inp->card[c];
    const int type = type_of(card);
    bool any = type < 0;
    for (int32_t k = 0; k < d->inp->n_card && !any; ++k)
      any = inp_is(&d->inp->card[k], types[type].card) && has_set(&d->inp->card[k], inp_parameter(card, "ELSET"));
    if (!any)
      return inp_fail(d->inp, card, "TYPE=%s: there is no *%s with its ELSET", types[type].type, types[type].card);
  }
  return OK;
}

Status deck_points_ready(Deck *d) {
  bool *solid = NULL;
  TRY(check_cards(d));
  TRY(check_gravity(d));
  if (!d->model.n_spring && !d->model.n_mass) return OK;
  ALLOC(solid, d->inp->n_node, "nodes of elements");
  for (int32_t e = 0; e < d->inp->base[N_ELEMENT_KINDS]; ++e)
    for (int32_t a = 0; a < element_type(inp_kind_of(d->inp, e))->n_node; ++a) solid[inp_nodes_of(d->inp, e)[a]] = true;
  const Status status = ends_ready(d, solid);
  FREE(solid);
  return status;
}

/* Between two nodes, or one and the ground, which then has its line in numbers. */
static Status write_spring(Deck *d, const DeckSpring *s) {
  char nodes[64], direction[120] = "", value[120];
  int32_t end[2], n = 0;
  double line[3] = {0}, length = 0;
  for (int32_t k = 0; k < s->n_node; ++k)
    if (!d->model.hub_of || !d->model.hub_of[s->node[k]]) end[n++] = s->node[k];
  if (n == 0) return deck_row_fail(d, s->row, "neither end is a node of the body that may move");
  snprintf(nodes, sizeof nodes, n == 2 ? "[%lld, %lld]" : "[%lld]", (long long)d->inp->node_tag[end[0]],
           (long long)d->inp->node_tag[end[n - 1]]);
  if (s->component >= 0) {
    double each[3] = {0};
    each[s->component] = s->value;
    deck_list(value, sizeof value, deck_dim(d), each);
  } else {
    if (d->procedure.large)
      return deck_row_fail(
          d, s->row, "along a line, which turns in a step with NLGEOM, is not understood; SPRING1 and SPRING2 are");
    length = vec3_distance(d->inp->x[s->node[0]], d->inp->x[s->node[1]]);
    for (int k = 0; k < 3; ++k) line[k] = (d->inp->x[s->node[1]][k] - d->inp->x[s->node[0]][k]) / length;
    if (!(length > 0)) return deck_row_fail(d, s->row, "both ends lie at one place, so that there is no line");
    snprintf(value, sizeof value, "%.17g", s->value);
    snprintf(direction, sizeof direction, ", direction: ");
    deck_list(direction + strlen(direction), sizeof direction - strlen(direction), deck_dim(d), line);
  }
  return deck_write(d, s->row, "  - {nodes: %s, %s: %s%s}", nodes, s->viscous ? "dashpot" : "stiffness", value,
                    direction);
}

/* Along lines, in steps about a loaded state. */
static Status tell_lines(const Deck *d) {
  const bool loaded = d->procedure.prestress || d->procedure.analysis == DECK_BUCKLING;
  for (int32_t i = 0; loaded && i < d->model.n_spring; ++i)
    if (d->model.spring[i].component < 0 && !d->model.spring[i].viscous)
      return deck_warn(d, d->row[d->model.spring[i].row],
                       "SPRINGA: its force gives no stiffness across its line, in buckling and in modes under stress");
  return OK;
}

Status deck_write_springs(Deck *d) {
  const bool moves = d->procedure.moves || deck_is_response(d);
  TRY(tell_lines(d));
  bool any = false;
  for (int32_t i = 0; i < d->model.n_spring; ++i) {
    const DeckSpring *s = &d->model.spring[i];
    if (s->viscous && !moves) {
      TRY(deck_warn(d, d->row[s->row], "*DASHPOT changes nothing in this step; it acts in motion"));
      continue;
    }
    if (!any) TRY(deck_write(d, s->row, "springs:"));
    any = true;
    TRY(write_spring(d, s));
  }
  return OK;
}
