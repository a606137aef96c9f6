/* Groups of Nastran's bulk data: the elements of each property, by the name that HyperMesh or Femap wrote in a comment or
 * as PSOLID-3; SET1 and SET3 as SET1-5. */
#include "core/memory.h"
#include "mesh/io/nastran.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NAME_MOST = 200 };

/* What names a property or set. */
typedef struct Name {
  char what; /* P: a card of the property, N: a name of it, S: a name of a set */
  int32_t id, type;
  char text[NAME_MOST];
} Name;

typedef struct Names {
  int32_t n, room;
  Name *name; /* owned */
} Names;

static const Name *name_find(const Names *names, char what, int32_t id) {
  for (int32_t i = 0; i < names->n; ++i)
    if (names->name[i].what == what && names->name[i].id == id) return &names->name[i];
  return NULL;
}

static Status name_add(Names *names, const Name *name) {
  if (names->n == names->room) {
    RESIZE(names->name, 2 * names->room + 16, "names of a deck");
    names->room = 2 * names->room + 16;
  }
  names->name[names->n++] = *name;
  return OK;
}

static const char *digits(const char *p, const char *end, int32_t *out) {
  int64_t v = 0;
  while (p < end && *p == ' ') ++p;
  for (; p < end && isdigit((unsigned char)*p) && v < INT32_MAX; ++p) v = 10 * v + (*p - '0');
  *out = v < INT32_MAX ? (int32_t)v : 0;
  return p;
}

/* $HMNAME PROP 3"name", $HMSET 5 1 "name" (1: of nodes, 2: of elements), $ Femap Property 3 : name */
static Status comment_name(Names *names, const char *p, const char *end) {
  Name name = {.what = p[1] == 'H' && p[3] == 'S' ? 'S' : 'N'};
  const bool femap = p[1] == ' ';
  p = digits(p + (femap ? 16 : name.what == 'S' ? 6 : 12), end, &name.id);
  if (name.what == 'S') p = digits(p, end, &name.type);
  p = memchr(p, femap ? ':' : '"', (size_t)(end - p));
  if (!p || !name.id) return OK;
  const char *stop = femap ? end : memchr(p + 1, '"', (size_t)(end - p - 1));
  for (++p; p < end && *p == ' ';) ++p;
  while (stop && stop > p && isspace((unsigned char)stop[-1])) --stop;
  if (!stop || stop <= p) return OK;
  for (int n = 0; p < stop && n < NAME_MOST - 1; ++p) name.text[n++] = *p;
  return name_add(names, &name);
}

static bool is_property(const char *name) {
  static const char *const names[] = {"PSOLID", "PSHELL", "PCOMP", "PCOMPG", "PCOMPS", "PLSOLID", "PLPLANE", "PSHEAR"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (!strcmp(names[i], name)) return true;
  return false;
}

static void other_card(const NasBulk *bulk, int64_t i, NasCard *card) {
  const TextSource *source = &bulk->deck->file[bulk->other[i].file].source;
  nas_card_open(card, source, bulk->other[i].at, source->size);
}

static Status names_read(const NasBulk *bulk, Names *out) {
  for (int64_t i = 0; i < bulk->n_other; ++i) {
    NasCard card;
    other_card(bulk, i, &card);
    if (*card.line == '$') {
      TRY(comment_name(out, card.line, card.line_end));
    } else if (is_property(card.name)) {
      Name name = {.what = 'P'};
      memcpy(name.text, card.name, NAS_NAME);
      TRY(nas_whole(&card, "the number of a property", 0, &name.id));
      TRY(name_add(out, &name));
    }
  }
  return OK;
}

Status nas_elements(NasBulk *bulk) {
  InpDeck *deck = bulk->deck;
  const int64_t n = bulk->n_element;
  TagDuplicates twice;
  ALLOC(bulk->item, n, "elements of a deck");
  for (int64_t i = 0; i < n; ++i) bulk->item[i] = deck->list[bulk->element[i].kind].n++;
  for (int k = 0; k < N_ELEMENT_KINDS; ++k) {
    deck->base[k + 1] = deck->base[k] + deck->list[k].n;
    if (deck->list[k].n == 0) continue;
    ALLOC(deck->list[k].nodes, (int64_t)deck->list[k].n * element_type((ElementKind)k)->n_node, "elements");
    ALLOC(deck->list[k].tag, deck->list[k].n, "element numbers");
  }
  ALLOC(deck->element_tag, n, "element numbers");
  int64_t bad = n;
#pragma omp parallel for schedule(static) reduction(min : bad) if (n > 2000)
  for (int64_t i = 0; i < n; ++i) {
    const NasElement *e = &bulk->element[i];
    const int32_t n_node = element_type(e->kind)->n_node, *from = bulk->node + e->first;
    int32_t *nodes = deck->list[e->kind].nodes + (int64_t)bulk->item[i] * n_node;
    const char *order = nas_order(e->kind);
    for (int32_t a = 0; a < n_node; ++a) {
      nodes[a] = tag_map_find(&deck->node_of, from[order ? order[a] - 'a' : a]);
      if (nodes[a] < 0 && i < bad) bad = i;
    }
    deck->list[e->kind].tag[bulk->item[i]] = e->id;
    bulk->item[i] += deck->base[e->kind];
    deck->element_tag[bulk->item[i]] = e->id;
  }
  if (bad < n) {
    const NasElement *e = &bulk->element[bad];
    const int32_t *node = bulk->node + e->first;
    while (tag_map_find(&deck->node_of, *node) >= 0) ++node;
    return source_fail(&deck->file[e->file].source, e->at, "element %d: node %d does not exist (no GRID)", e->id,
                       *node);
  }
  TRY(tag_map_create(deck->element_tag, (int32_t)n, "table of element numbers", &deck->element_of, &twice));
  CHECK(twice.n == 0, ERR_MESH, "%s: %lld element numbers are given twice, the first is %lld", deck->file[0].path,
        (long long)twice.n, (long long)deck->element_tag[twice.index[0]]);
  return OK;
}

/* The elements of one property; next: where the list goes on. */
typedef struct Property {
  int32_t id, n, next, at;
} Property;

typedef struct Properties {
  int32_t n, room;
  Property *property; /* owned, in the order of their first elements */
  int32_t *place;     /* owned, [n_element]: which one */
  int64_t *tag;       /* owned, [n_element] */
} Properties;

static int order_properties(const void *left, const void *right) {
  const Property *a = left, *b = right;
  return (a->id > b->id) - (a->id < b->id);
}

static Status properties_find(const NasBulk *bulk, Properties *p) {
  TagMap map = {0};
  Status status = OK;
  ALLOC(p->place, bulk->n_element, "properties of elements");
  ALLOC(p->tag, bulk->n_element, "properties of elements");
  for (int64_t i = 0; i < bulk->n_element; ++i) p->tag[i] = bulk->element[i].property;
  TRY(tag_map_create(p->tag, (int32_t)bulk->n_element, "table of properties", &map, NULL));
  for (int64_t i = 0; i < bulk->n_element && status == OK; ++i) {
    const int32_t first = tag_map_find(&map, p->tag[i]);
    if (first == i && p->n == p->room) {
      p->room = 2 * p->room + 16;
      status = mem_resize(p->room, sizeof *p->property, "properties", (void **)&p->property);
      if (status != OK) break;
    }
    p->place[i] = first == i ? p->n : p->place[first];
    if (first == i) p->property[p->n++] = (Property){.id = (int32_t)p->tag[i]};
    ++p->property[p->place[i]].n;
  }
  tag_map_destroy(&map);
  return status;
}

/* `given` where there is one and no group has it, else "usual-id". */
static Status group_add(InpGroups *out, const char *given, const char *usual, int32_t id, InpGroupKind kind, int32_t n,
                        const int32_t *item) {
  char name[NAME_MOST + 16];
  snprintf(name, sizeof name, "%.*s-%d", NAME_MOST, usual, id);
  for (int32_t i = 0; i < out->n && given; ++i)
    if (!strcmp(out->name[i], given)) given = NULL;
  return inp_groups_add(out, given ? given : name, kind, n, item);
}

static Status property_groups(const NasBulk *bulk, const Names *names, Properties *p, InpGroups *out) {
  int32_t *list, first = 0;
  Property *sorted = NULL;
  Status status = OK;
  TRY(properties_find(bulk, p));
  TRY(inp_groups_list(out, bulk->n_element, &list));
  ALLOC_DONE(sorted, p->n, "properties");
  for (int32_t k = 0; k < p->n; ++k) sorted[k] = p->property[k], sorted[k].at = k;
  qsort(sorted, (size_t)p->n, sizeof *sorted, order_properties);
  for (int32_t k = 0; k < p->n; first += sorted[k++].n) {
    const Name *name = name_find(names, 'N', sorted[k].id), *card = name_find(names, 'P', sorted[k].id);
    p->property[sorted[k].at].next = first;
    TRY_DONE(group_add(out, name ? name->text : NULL, card ? card->text : "PID", sorted[k].id, INP_ELEMENTS,
                       sorted[k].n, list + first));
  }
  for (int64_t i = 0; i < bulk->n_element; ++i) list[p->property[p->place[i]].next++] = bulk->item[i];
done:
  FREE(sorted);
  return status;
}

/* A set of nodes or elements in the making. */
typedef struct Set {
  const TagMap *of;
  const int64_t *tag;
  int32_t n_all, n, missing; /* missing: the first number that is not there, 0 none */
  char *in;                  /* owned, [n_all] */
} Set;

/* Numbers low to high; of a range those that are there. */
static void set_take(Set *set, int32_t low, int32_t high) {
  if (high - low > set->n_all) {
    for (int32_t i = 0; i < set->n_all; ++i)
      if (set->tag[i] >= low && set->tag[i] <= high) set->in[i] = 1;
    return;
  }
  for (int64_t id = low; id <= high; ++id) {
    const int32_t at = tag_map_find(set->of, id);
    if (at >= 0) set->in[at] = 1;
    else if (low == high && !set->missing) set->missing = low;
  }
}

static Status set_numbers(NasCard card, Set *set) {
  int32_t before = 0;
  bool range = false;
  const char *text;
  int n;
  for (NasCard here = card; nas_field(&card, &text, &n); here = card) {
    if (n == 0) continue;
    if (n == 4 && !strncasecmp(text, "THRU", 4)) {
      if (!before || range) return nas_fail(&card, "no number before THRU");
      range = true;
      continue;
    }
    int32_t id;
    TRY(nas_whole(&here, "a number or THRU", 0, &id));
    if (id < 1 || (range && id < before)) return nas_fail(&card, "'%d' is not a number of a set there", id);
    set_take(set, range ? before : id, id);
    before = range ? 0 : id;
    range = false;
  }
  return range ? nas_fail(&card, "no number after THRU") : OK;
}

static Set set_of(const NasBulk *bulk, bool nodes) {
  const InpDeck *deck = bulk->deck;
  return nodes ? (Set){.of = &deck->node_of, .tag = deck->node_tag, .n_all = deck->n_node}
               : (Set){.of = &deck->element_of, .tag = deck->element_tag, .n_all = deck->base[N_ELEMENT_KINDS]};
}

/* The set of this card of nodes or elements as a group; *missing: the first number that is not there, then no group. */
static Status set_group(const NasBulk *bulk, const NasCard *card, const Name *name, int32_t id, bool nodes,
                        int32_t *missing, InpGroups *out) {
  Set set = set_of(bulk, nodes);
  int32_t *list;
  ALLOC(set.in, set.n_all, "a set");
  Status status = set_numbers(*card, &set);
  *missing = set.missing;
  for (int32_t i = 0; i < set.n_all; ++i) set.n += set.in[i];
  if (status == OK && !set.missing) status = inp_groups_list(out, set.n, &list);
  if (status == OK && !set.missing) {
    for (int32_t i = 0, n = 0; i < set.n_all; ++i)
      if (set.in[i]) list[n++] = i;
    status = group_add(out, name ? name->text : NULL, card->name, id, nodes ? INP_NODES : INP_ELEMENTS, set.n, list);
  }
  FREE(set.in);
  return status;
}

/* SET1 holds nodes or elements: what a comment says, else nodes where all its numbers are nodes. */
static Status read_set(const NasBulk *bulk, NasCard *card, const Names *names, InpGroups *out) {
  int32_t id, missing = 0;
  const char *text = "";
  int n = 0;
  TRY(nas_whole(card, "the number of a set", 0, &id));
  const Name *name = name_find(names, 'S', id);
  const bool third = card->name[3] == '3';
  if (third && nas_field(card, &text, &n) && n >= 4 && strncasecmp(text, "GRID", 4) && strncasecmp(text, "ELEM", 4))
    return OK; /* of points or properties */
  const bool nodes = third ? n >= 4 && !strncasecmp(text, "GRID", 4) : !name || name->type != 2;
  TRY(set_group(bulk, card, name, id, nodes, &missing, out));
  if (missing && !third && !name) TRY(set_group(bulk, card, name, id, false, &missing, out));
  if (missing)
    return nas_fail(card, "set %d: number %d is not %s", id, missing,
                    third || name ? nodes ? "a node" : "an element" : "an element, nor are all its numbers nodes");
  return OK;
}

Status nas_groups(NasBulk *bulk, InpGroups *out) {
  Names names = {0};
  Properties p = {0};
  Status status = names_read(bulk, &names);
  if (status == OK) status = property_groups(bulk, &names, &p, out);
  for (int64_t i = 0; i < bulk->n_other && status == OK; ++i) {
    NasCard card;
    other_card(bulk, i, &card);
    if (!strcmp(card.name, "SET1") || !strcmp(card.name, "SET3")) status = read_set(bulk, &card, &names, out);
  }
  FREE(names.name);
  FREE(p.property);
  FREE(p.place);
  FREE(p.tag);
  return status;
}
