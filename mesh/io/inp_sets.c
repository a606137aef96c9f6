/* Sets and surfaces of a deck. */
#include "core/memory.h"
#include "mesh/id_set.h"
#include "mesh/io/inp.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The sets of nodes or of elements, and what their numbers mean. */
typedef struct Sets {
  const char *what;
  InpSet **set;
  InpIndex *index;
  int32_t *n, n_item;
  const TagMap *of;
  const int64_t *tag;
} Sets;

static Sets sets_of(InpDeck *deck, bool nodes) {
  return nodes
             ? (Sets){"node", &deck->nset, &deck->index[1], &deck->n_nset, deck->n_node, &deck->node_of, deck->node_tag}
             : (Sets){"element",         &deck->elset,     &deck->index[0], &deck->n_elset, deck->base[N_ELEMENT_KINDS],
                      &deck->element_of, deck->element_tag};
}

static const char *name_of(const void *list, size_t size, int32_t i) {
  return *(char *const *)((const char *)list + (size_t)i * size);
}

static uint64_t name_hash(const char *name) {
  uint64_t h = 0;
  for (const char *p = name; *p; ++p) h = tag_map_mix(h ^ (uint64_t)tolower((unsigned char)*p));
  return h;
}

/* The slot of a name, or the empty one where it would stand. */
static int64_t index_slot(const InpIndex *x, const void *list, size_t size, const char *name) {
  int64_t i = (int64_t)(name_hash(name) & (uint64_t)(x->n_slot - 1));
  while (x->slot[i] && strcasecmp(name_of(list, size, x->slot[i] - 1), name) != 0) i = (i + 1) & (x->n_slot - 1);
  return i;
}

static int32_t index_find(const InpIndex *x, const void *list, size_t size, const char *name) {
  return x->n_slot ? x->slot[index_slot(x, list, size, name)] - 1 : -1;
}

/* The last of n names, which is new. */
static Status index_add(InpIndex *x, const void *list, size_t size, int32_t n) {
  int32_t first = n - 1;
  if (2 * (int64_t)n > x->n_slot) {
    FREE(x->slot);
    x->n_slot = x->n_slot ? 4 * x->n_slot : 64;
    ALLOC(x->slot, x->n_slot, "names of sets");
    first = 0;
  }
  for (int32_t i = first; i < n; ++i) x->slot[index_slot(x, list, size, name_of(list, size, i))] = i + 1;
  return OK;
}

static InpSet *set_find(const Sets *s, const char *name) {
  const int32_t i = index_find(s->index, *s->set, sizeof **s->set, name);
  return i < 0 ? NULL : &(*s->set)[i];
}

const InpSet *inp_nset(const InpDeck *deck, const char *name) {
  const int32_t i = index_find(&deck->index[1], deck->nset, sizeof *deck->nset, name);
  return i < 0 ? NULL : &deck->nset[i];
}

const InpSet *inp_elset(const InpDeck *deck, const char *name) {
  const int32_t i = index_find(&deck->index[0], deck->elset, sizeof *deck->elset, name);
  return i < 0 ? NULL : &deck->elset[i];
}

const InpSurface *inp_surface(const InpDeck *deck, const char *name) {
  const int32_t i = index_find(&deck->index[2], deck->surface, sizeof *deck->surface, name);
  return i < 0 ? NULL : &deck->surface[i];
}

/* Place in the list, since that may move. */
static Status set_named(const Sets *s, const char *name, int32_t *out) {
  InpSet *set = set_find(s, name);
  *out = set ? (int32_t)(set - *s->set) : *s->n;
  if (set) return OK;
  RESIZE(*s->set, *s->n + 1, "sets");
  (*s->set)[*s->n] = (InpSet){0};
  TRY(mem_text(name, "the name of a set", &(*s->set)[*s->n].name));
  ++*s->n;
  return index_add(s->index, *s->set, sizeof **s->set, *s->n);
}

static Status set_room(const Sets *s, InpSet *set, int32_t more) {
  if (set->n > 2 * s->n_item) TRY(id_set_make(set->item, &set->n));
  if (set->n <= set->room - more) return OK;
  const int64_t room = (int64_t)set->n + set->n / 2 + more + 16;
  RESIZE(set->item, room, "a set");
  set->room = (int32_t)(room < INT32_MAX ? room : INT32_MAX);
  return OK;
}

static Status set_add(const Sets *s, int32_t at, int32_t n, const int32_t *item) {
  InpSet *set = &(*s->set)[at];
  if (n == 0) return OK; /* of an empty set */
  TRY(set_room(s, set, n));
  memcpy(set->item + set->n, item, (size_t)n * sizeof *item);
  set->n += n;
  return OK;
}

/* A name that is no set: it may be that of elements at nodes. */
static Status no_set(const Sets *s, const InpDeck *deck, const InpCard *card, const InpLine *line, const char *name) {
  for (int32_t c = 0; c < deck->n_card; ++c) {
    const char *own = inp_parameter(&deck->card[c], "ELSET");
    if (inp_is(&deck->card[c], "ELEMENT") && inp_is_of_nodes(&deck->card[c]) && own && strcasecmp(own, name) == 0)
      return inp_line_fail(deck, card, line,
                           "'%.80s' holds elements at nodes (TYPE=%s), which no set with others is understood of; name "
                           "it by itself where it acts",
                           name, inp_parameter(&deck->card[c], "TYPE"));
  }
  return inp_line_fail(deck, card, line, "there is no %s set '%.80s'", s->what, name);
}

/* first, last, step; what is not there is no member. */
static Status set_generate(const Sets *s, const InpDeck *deck, const InpCard *card, const InpLine *line, int32_t at) {
  const int64_t offset = deck->scope[card->scope].offset[s->set == &deck->nset];
  int64_t v[3] = {0, 0, 1};
  for (int k = 0; k < 3 && k < line->n; ++k)
    if (!inp_whole(line->field[k], &v[k]))
      return inp_line_fail(deck, card, line, "'%s' is not a whole number", line->field[k]);
  if (line->n < 2) v[1] = v[0];
  if (v[2] == 0) v[2] = 1;
  if (v[2] < 0 || v[1] < v[0])
    return inp_line_fail(deck, card, line, "goes from %lld to %lld by %lld", (long long)v[0], (long long)v[1],
                         (long long)v[2]);
  v[0] += offset, v[1] += offset;
  const bool few = (v[1] - v[0]) / v[2] < s->n_item;
  for (int64_t tag = v[0]; few && tag <= v[1]; tag += v[2]) {
    const int32_t item = tag_map_find(s->of, tag);
    if (item >= 0) TRY(set_add(s, at, 1, &item));
  }
  for (int32_t item = 0; !few && item < s->n_item; ++item)
    if (s->tag[item] >= v[0] && s->tag[item] <= v[1] && (s->tag[item] - v[0]) % v[2] == 0)
      TRY(set_add(s, at, 1, &item));
  return OK;
}

static Status set_line(const Sets *s, const InpDeck *deck, const InpCard *card, const InpLine *line, int32_t at) {
  char name[INP_NAME];
  for (int k = 0; k < line->n; ++k) {
    int64_t tag;
    if (!*line->field[k]) continue;
    if (inp_item(deck, card->scope, s->set == &deck->nset, line->field[k], &tag)) {
      const int32_t item = tag_map_find(s->of, tag);
      if (item < 0) return inp_line_fail(deck, card, line, "%s %lld does not exist", s->what, (long long)tag);
      TRY(set_add(s, at, 1, &item));
      continue;
    }
    const InpSet *other = set_find(s, inp_scoped(deck, card->scope, line->field[k], name));
    if (!other) return no_set(s, deck, card, line, line->field[k]);
    if (other != &(*s->set)[at]) TRY(set_add(s, at, other->n, other->item));
  }
  return OK;
}

/* Lines of numbers of what is there, up to the first other one. */
static Status set_numbers(const Sets *s, const InpDeck *deck, const InpCard *card, InpCursor *cursor, int32_t at) {
  const int64_t offset = deck->scope[card->scope].offset[s->set == &deck->nset];
  int32_t item[INP_FIELDS];
  InpNumbers line;
  for (InpCursor next = *cursor; inp_next_numbers(deck, card, &next, &line); *cursor = next) {
    for (int k = 0; k < line.n; ++k) {
      item[k] = tag_map_find(s->of, line.number[k] + offset);
      if (item[k] < 0) return OK;
    }
    TRY(set_add(s, at, line.n, item));
  }
  return OK;
}

/* *NSET and *ELSET. */
static Status set_card(InpDeck *deck, const InpCard *card, bool nodes) {
  const Sets s = sets_of(deck, nodes);
  const char *name = inp_parameter(card, nodes ? "NSET" : "ELSET");
  const bool generate = inp_parameter(card, "GENERATE") != NULL;
  InpCursor cursor = {0};
  InpLine line;
  int32_t at;
  if (!name || !*name) return inp_fail(deck, card, "has no name, %s=", nodes ? "NSET" : "ELSET");
  TRY(set_named(&s, name, &at));
  for (bool more = true; more;) {
    if (!generate) TRY(set_numbers(&s, deck, card, &cursor, at));
    more = inp_next(deck, card, &cursor, &line);
    if (more) TRY((generate ? set_generate : set_line)(&s, deck, card, &line, at));
  }
  return id_set_make((*s.set)[at].item, &(*s.set)[at].n);
}

/* NSET= of *NODE, ELSET= of *ELEMENT: what the card itself holds. */
static Status set_of_card(InpDeck *deck, bool nodes, const char *name, int32_t first, int32_t n) {
  const Sets s = sets_of(deck, nodes);
  int32_t at;
  TRY(set_named(&s, name, &at));
  InpSet *set = &(*s.set)[at];
  TRY(set_room(&s, set, n));
  for (int32_t i = 0; i < n; ++i) set->item[set->n++] = first + i;
  return id_set_make(set->item, &set->n);
}

Status inp_read_sets(InpDeck *deck) {
  int32_t n_node = 0, n_elements = 0;
  for (int32_t c = 0; c < deck->n_card; ++c) {
    const InpCard *card = &deck->card[c];
    const char *nset = inp_parameter(card, "NSET"), *elset = inp_parameter(card, "ELSET");
    if (inp_is(card, "NSET")) TRY(set_card(deck, card, true));
    if (inp_is(card, "ELSET")) TRY(set_card(deck, card, false));
    if (inp_is(card, "NODE")) {
      if (nset && *nset) TRY(set_of_card(deck, true, nset, n_node, card->n_node));
      n_node += card->n_node;
    }
    const InpElements *elements = n_elements < deck->n_elements ? &deck->elements[n_elements] : NULL;
    if (!elements || elements->card != c) continue;
    ++n_elements;
    if (elset && *elset)
      TRY(set_of_card(deck, false, elset, deck->base[elements->type->kind] + elements->first, elements->n));
  }
  return OK;
}

static int by_facet(const void *left, const void *right) {
  const InpFacet *a = left, *b = right;
  if (a->element != b->element) return a->element < b->element ? -1 : 1;
  return (a->face > b->face) - (a->face < b->face);
}

static Status surface_facets(InpDeck *deck, InpSurface *surface, const InpCard *card, const InpLine *line) {
  int64_t tag, face;
  int32_t one;
  char name[INP_NAME];
  const char *label = line->n > 1 ? line->field[1] : "";
  const InpSet *set = inp_elset(deck, inp_scoped(deck, card->scope, line->field[0], name));
  if (toupper((unsigned char)*label) != 'S' || !inp_whole(label + 1, &face))
    return inp_line_fail(deck, card, line, "'%.40s' is not a face of an element; S1, S2, ... are", label);
  if (inp_item(deck, card->scope, false, line->field[0], &tag)) one = tag_map_find(&deck->element_of, tag);
  else if (set) one = -2;
  else return inp_line_fail(deck, card, line, "there is no element set '%.80s'", line->field[0]);
  if (one == -1) return inp_line_fail(deck, card, line, "element %lld does not exist", (long long)tag);
  const int32_t n = one >= 0 ? 1 : set->n;
  RESIZE(surface->facet, surface->n + n, "a surface");
  for (int32_t i = 0; i < n; ++i) {
    const int32_t element = one >= 0 ? one : set->item[i];
    const ElementKind kind = inp_kind_of(deck, element);
    const int32_t f = face > 0 && face < 7 ? inp_face(kind, (int32_t)face) : -1;
    if (f < 0)
      return inp_line_fail(deck, card, line, "element %lld (%s) has no face %s", (long long)deck->element_tag[element],
                           element_type(kind)->name, label);
    surface->facet[surface->n++] = (InpFacet){element, f};
  }
  return OK;
}

static Status surface_nodes(InpDeck *deck, InpSurface *surface, const InpCard *card, const InpLine *line) {
  int64_t tag;
  int32_t one = -1;
  char name[INP_NAME];
  const InpSet *set = inp_nset(deck, inp_scoped(deck, card->scope, line->field[0], name));
  if (inp_item(deck, card->scope, true, line->field[0], &tag)) one = tag_map_find(&deck->node_of, tag);
  else if (!set) return inp_line_fail(deck, card, line, "there is no node set '%.80s'", line->field[0]);
  else one = -2;
  if (one == -1) return inp_line_fail(deck, card, line, "node %lld does not exist", (long long)tag);
  const int32_t n = one >= 0 ? 1 : set->n;
  RESIZE(surface->node, surface->n + n, "a surface");
  for (int32_t i = 0; i < n; ++i) surface->node[surface->n++] = one >= 0 ? one : set->item[i];
  return OK;
}

static Status surface_card(InpDeck *deck, const InpCard *card) {
  const char *name = inp_parameter(card, "NAME"), *type = inp_parameter(card, "TYPE");
  const bool nodes = type && strcasecmp(type, "NODE") == 0;
  InpCursor cursor = {0};
  InpLine line;
  if (!name || !*name) return inp_fail(deck, card, "has no NAME=");
  if (type && !nodes && strcasecmp(type, "ELEMENT") != 0)
    return inp_fail(deck, card, "TYPE=%s is not understood; ELEMENT and NODE are", type);
  if (inp_surface(deck, name)) return inp_fail(deck, card, "'%s' is given twice", name);
  RESIZE(deck->surface, deck->n_surface + 1, "surfaces");
  InpSurface *surface = &deck->surface[deck->n_surface++];
  *surface = (InpSurface){0};
  TRY(mem_text(name, "the name of a set", &surface->name));
  TRY(index_add(&deck->index[2], deck->surface, sizeof *deck->surface, deck->n_surface));
  while (inp_next(deck, card, &cursor, &line))
    TRY((nodes ? surface_nodes : surface_facets)(deck, surface, card, &line));
  if (surface->n == 0) return inp_fail(deck, card, "'%s' is empty", name);
  if (nodes) return id_set_make(surface->node, &surface->n);
  qsort(surface->facet, (size_t)surface->n, sizeof *surface->facet, by_facet);
  int32_t n = 1;
  for (int32_t i = 1; i < surface->n; ++i)
    if (by_facet(&surface->facet[i], &surface->facet[n - 1]) != 0) surface->facet[n++] = surface->facet[i];
  surface->n = n;
  return OK;
}

Status inp_read_surfaces(InpDeck *deck) {
  for (int32_t c = 0; c < deck->n_card; ++c)
    if (inp_is(&deck->card[c], "SURFACE")) TRY(surface_card(deck, &deck->card[c]));
  return OK;
}
