/* Nodes and elements of a deck, read by all threads. */
#include "core/memory.h"
#include "mesh/io/inp.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char TET10[] = "abcdefghji", HEX20[] = "abcdefghilqjrkstmpno", WEDGE15[] = "abcdefgimhnojlk";

static const InpType types[] = {
    {"C3D4", ELEMENT_TET4, INP_SOLID, NULL, false},
    {"C3D10", ELEMENT_TET10, INP_SOLID, TET10, false},
    {"C3D8", ELEMENT_HEX8, INP_SOLID, NULL, false},
    {"C3D8I", ELEMENT_HEX8, INP_SOLID, NULL, true},
    {"C3D20", ELEMENT_HEX20, INP_SOLID, HEX20, false},
    {"C3D20R", ELEMENT_HEX20R, INP_SOLID, HEX20, false},
    {"C3D6", ELEMENT_WEDGE6, INP_SOLID, NULL, false},
    {"C3D15", ELEMENT_WEDGE15, INP_SOLID, WEDGE15, false},
#define FLAT(prefix, family)                                                                                           \
  {prefix "3", ELEMENT_TRI3, family, NULL, false}, {prefix "4", ELEMENT_QUAD4, family, NULL, false},                   \
      {prefix "6", ELEMENT_TRI6, family, NULL, false}, {prefix "8", ELEMENT_QUAD8, family, NULL, false}, {             \
    prefix "8R", ELEMENT_QUAD8R, family, NULL, false                                                                   \
  }
    FLAT("CPS", INP_PLANE_STRESS),
    FLAT("CPE", INP_PLANE_STRAIN),
    FLAT("CAX", INP_AXISYMMETRIC),
    {"CPS4I", ELEMENT_QUAD4, INP_PLANE_STRESS, NULL, true},
    {"CPE4I", ELEMENT_QUAD4, INP_PLANE_STRAIN, NULL, true},
    {"DC3D4", ELEMENT_TET4, INP_HEAT_SOLID, NULL, false},
    {"DC3D10", ELEMENT_TET10, INP_HEAT_SOLID, TET10, false},
    {"DC3D8", ELEMENT_HEX8, INP_HEAT_SOLID, NULL, false},
    {"DC3D20", ELEMENT_HEX20, INP_HEAT_SOLID, HEX20, false},
    {"DC3D6", ELEMENT_WEDGE6, INP_HEAT_SOLID, NULL, false},
    {"DC3D15", ELEMENT_WEDGE15, INP_HEAT_SOLID, WEDGE15, false},
    FLAT("DC2D", INP_HEAT_PLANE),
    FLAT("DCAX", INP_HEAT_AXISYMMETRIC),
};
enum { N_TYPES = sizeof types / sizeof *types };

const InpType *inp_type(const char *name) {
  for (int i = 0; i < N_TYPES; ++i)
    if (strcasecmp(types[i].name, name) == 0) return &types[i];
  return NULL;
}

const InpType *inp_type_of(ElementKind kind) {
  for (int i = 0; i < N_TYPES; ++i)
    if (types[i].kind == kind) return &types[i];
  return NULL;
}

/* Vertices of the deck's faces, counted from 1. */
static const char *deck_face(ElementShape shape, int32_t face) {
  static const char *const hex[] = {"1234", "5876", "1562", "2673", "3784", "4851"};
  static const char *const tet[] = {"123", "142", "243", "341"};
  static const char *const wedge[] = {"123", "456", "1254", "2365", "3146"};
  static const char *const quad[] = {"12", "23", "34", "41"};
  switch (shape) {
  case SHAPE_HEXAHEDRON: return face <= 6 ? hex[face - 1] : NULL;
  case SHAPE_TETRAHEDRON: return face <= 4 ? tet[face - 1] : NULL;
  case SHAPE_WEDGE: return face <= 5 ? wedge[face - 1] : NULL;
  case SHAPE_QUAD: return face <= 4 ? quad[face - 1] : NULL;
  case SHAPE_TRIANGLE: return face == 3 ? "31" : face < 3 ? quad[face - 1] : NULL;
  default: return NULL;
  }
}

int32_t inp_face(ElementKind kind, int32_t face) {
  const ElementType *type = element_type(kind);
  const char *vertex = face > 0 ? deck_face(type->shape, face) : NULL;
  if (!vertex) return -1;
  const size_t n = strlen(vertex);
  for (int32_t f = 0; f < type->n_face; ++f) {
    const ElementType *facet = element_type(type->face[f].kind);
    size_t same = 0;
    for (int32_t a = 0; a < facet->n_vertex; ++a) same += strchr(vertex, '1' + (char)type->face[f].nodes[a]) != NULL;
    if (same == n && (size_t)facet->n_vertex == n) return f;
  }
  return -1;
}

ElementKind inp_kind_of(const InpDeck *deck, int32_t element) {
  int kind = 0;
  while (element >= deck->base[kind + 1]) ++kind;
  return (ElementKind)kind;
}

const int32_t *inp_nodes_of(const InpDeck *deck, int32_t element) {
  const ElementKind kind = inp_kind_of(deck, element);
  return deck->list[kind].nodes + (int64_t)(element - deck->base[kind]) * element_type(kind)->n_node;
}

/* What the reading of spans works on; `one` reads a span and fails with a message. */
typedef struct Reading {
  InpDeck *deck;
  const InpCard *card;
  InpSpan *span; /* owned */
  int32_t n_span, first;
  const InpType *type;
} Reading;

/* All spans at once; where one fails, the first of them is read once more for its message. */
static Status read_spans(Reading *r, Status (*one)(const Reading *, const InpSpan *)) {
  int32_t failed = r->n_span;
#pragma omp parallel for schedule(static) reduction(min : failed) if (r->n_span > 1)
  for (int32_t k = 0; k < r->n_span; ++k)
    if (one(r, &r->span[k]) != OK) {
      status_clear();
      if (k < failed) failed = k;
    }
  return failed < r->n_span ? one(r, &r->span[failed]) : OK;
}

static const char *over_blanks(const char *p) {
  while (*p == ' ' || *p == '\t' || *p == '\r') ++p;
  return p;
}

static Status nodes_span(const Reading *r, const InpSpan *span) {
  const TextSource *source = &r->deck->file[span->file].source;
  int64_t i = r->first + span->first;
  for (int64_t at = inp_skip(source, span->begin, span->end); at < span->end; ++i) {
    const char *p = over_blanks(source->bytes + at);
    int64_t tag = 0;
    const char *digits = p;
    for (; *p >= '0' && *p <= '9' && tag < INT32_MAX; ++p) tag = 10 * tag + (*p - '0');
    if (p == digits || tag < 1 || tag > INT32_MAX)
      return source_fail(source, at, "*NODE: the line does not begin with the number of a node, 1 to %d", INT32_MAX);
    r->deck->node_tag[i] = tag;
    for (int d = 0; d < 3; ++d) {
      p = over_blanks(p);
      if (*p == '\n' || !*p) break;
      if (*p != ',')
        return source_fail(source, at, "*NODE: node %lld: no comma before coordinate %d", (long long)tag, d + 1);
      p = over_blanks(p + 1);
      if (*p == ',' || *p == '\n' || !*p) continue;
      p = source_number(p, &r->deck->x[i][d]);
      if (!p)
        return source_fail(source, at, "*NODE: node %lld: coordinate %d is not a finite number", (long long)tag, d + 1);
    }
    p = over_blanks(p);
    if (*p != ',' && *p != '\n' && *p)
      return source_fail(source, at, "*NODE: node %lld: '%c' after its coordinates", (long long)tag, *p);
    const char *end = memchr(p, '\n', (size_t)(source->bytes + span->end - p));
    at = end ? inp_skip(source, end + 1 - source->bytes, span->end) : span->end;
  }
  return OK;
}

static Status nodes_card(InpDeck *deck, const InpCard *card) {
  Reading r = {.deck = deck, .card = card, .first = deck->n_node};
  const char *system = inp_parameter(card, "SYSTEM");
  if (system && strcasecmp(system, "R") != 0)
    return inp_fail(deck, card, "SYSTEM=%s is not understood; rectangular coordinates are", system);
  Status status = inp_spans(deck, card, false, &r.span, &r.n_span);
  const int64_t n = r.n_span ? r.span[r.n_span - 1].first + r.span[r.n_span - 1].n : 0;
  if (status == OK && deck->n_node + n >= INT32_MAX) status = inp_fail(deck, card, "more than %d nodes", INT32_MAX - 1);
  if (status == OK) status = mem_resize(deck->n_node + n, sizeof *deck->x, "nodes", (void **)&deck->x);
  if (status == OK)
    status = mem_resize(deck->n_node + n, sizeof *deck->node_tag, "node numbers", (void **)&deck->node_tag);
  if (status == OK) deck->n_node += (int32_t)n;
  if (status == OK) status = read_spans(&r, nodes_span);
  FREE(r.span);
  return status;
}

/* Nodes of instances get their numbers and go to their places; first[c]: of card c. */
static Status place_nodes(InpDeck *deck, const int32_t *first) {
  Status status = OK;
  int64_t *most = NULL;
  ALLOC_DONE(most, deck->n_scope, "instances of a deck");
  for (int32_t c = 0; c < deck->n_card; ++c)
    for (int32_t i = first[c]; i < first[c + 1]; ++i) {
      const int32_t scope = deck->card[c].scope;
      if (deck->node_tag[i] > most[scope]) most[scope] = deck->node_tag[i];
      if (scope) inp_place(&deck->scope[scope], deck->x[i]);
    }
  TRY_DONE(inp_offsets(deck, true, most));
  for (int32_t c = 0; c < deck->n_card; ++c)
    for (int32_t i = first[c]; i < first[c + 1]; ++i)
      deck->node_tag[i] += deck->scope[deck->card[c].scope].offset[true];
done:
  FREE(most);
  return status;
}

Status inp_read_nodes(InpDeck *deck) {
  TagDuplicates twice;
  int32_t *first = NULL;
  Status status = OK;
  ALLOC(first, (int64_t)deck->n_card + 1, "nodes");
  for (int32_t c = 0; c < deck->n_card && status == OK; ++c) {
    if (inp_is(&deck->card[c], "NODE")) status = nodes_card(deck, &deck->card[c]);
    first[c + 1] = deck->n_node;
    deck->card[c].n_node = first[c + 1] - first[c];
  }
  if (status == OK && deck->n_scope > 1) status = place_nodes(deck, first);
  FREE(first);
  TRY(status);
  CHECK(deck->n_node > 0, ERR_MESH, "%s: holds no nodes (*NODE)", deck->file[0].path);
  TRY(tag_map_create(deck->node_tag, deck->n_node, "table of node numbers", &deck->node_of, &twice));
  CHECK(twice.n == 0, ERR_MESH, "%s: *NODE: %lld node numbers are given twice, the first is %lld", deck->file[0].path,
        (long long)twice.n, (long long)deck->node_tag[twice.index[0]]);
  return OK;
}

/* Number t of the card is number of element t / (n + 1) where it is the first of n + 1, else one of its nodes. */
static Status elements_span(const Reading *r, const InpSpan *span) {
  const TextSource *source = &r->deck->file[span->file].source;
  const ElementType *type = element_type(r->type->kind);
  const int32_t n = type->n_node;
  const int64_t offset = r->deck->scope[r->card->scope].offset[true];
  const char *stop = source->bytes + span->end;
  int32_t place[ELEMENT_MAX_NODES];
  for (int32_t a = 0; a < n; ++a) place[r->type->order ? r->type->order[a] - 'a' : a] = a;
  int32_t *nodes = r->deck->list[r->type->kind].nodes + (int64_t)r->first * n;
  int64_t *tags = r->deck->list[r->type->kind].tag + r->first, t = span->first, element = t / (n + 1),
          slot = t % (n + 1);
  for (int64_t at = inp_skip(source, span->begin, span->end); at < span->end;) {
    const char *p = source->bytes + at;
    for (;; ++p) {
      while (*p == ',' || *p == ' ' || *p == '\t' || *p == '\r') ++p;
      if (*p == '\n' || p >= stop) break;
      int64_t tag = 0;
      const char *digits = p;
      for (; *p >= '0' && *p <= '9' && tag < INT32_MAX; ++p) tag = 10 * tag + (*p - '0');
      if (p == digits || tag < 1 || tag > INT32_MAX ||
          (*p != ',' && *p != ' ' && *p != '\t' && *p != '\r' && *p != '\n' && p < stop))
        return source_fail(source, at,
                           "*ELEMENT: a line holds something other than numbers of an element and its nodes, 1 to %d",
                           INT32_MAX);
      if (slot == 0) tags[element] = tag;
      const int32_t node = slot ? tag_map_find(&r->deck->node_of, tag + offset) : 0;
      if (node < 0)
        return source_fail(source, at, "*ELEMENT: node %lld does not exist (an element of %s has %d nodes)",
                           (long long)tag, r->type->name, n);
      if (slot) nodes[element * n + place[slot - 1]] = node;
      if (slot++ == n) slot = 0, ++element;
      --p;
    }
    at = p < stop ? inp_skip(source, p + 1 - source->bytes, span->end) : span->end;
  }
  return OK;
}

/* The first line of data that ends an element with too few or too many nodes, if lines end with a comma where they go
 * on. */
static Status wrong_count(const InpDeck *deck, const InpCard *card, const InpType *type) {
  const int32_t want = element_type(type->kind)->n_node + 1;
  InpCursor cursor = {0};
  InpLine line;
  int32_t n = 0;
  while (inp_next(deck, card, &cursor, &line)) {
    n += line.n;
    if (n < want) continue;
    if (n > want) break;
    n = 0;
  }
  if (n == 0) return inp_fail(deck, card, "an element of %s has %d nodes", type->name, want - 1);
  return inp_line_fail(deck, card, &line, "an element with %d nodes; %s has %d", n - 1, type->name, want - 1);
}

static Status unknown_type(const InpDeck *deck, const InpCard *card, const char *name) {
  return inp_fail(deck, card,
                  "TYPE=%.40s is not understood%s; understood are C3D4, C3D10, C3D8, C3D8I, C3D20, C3D20R, C3D6, "
                  "C3D15, CPS4I, CPE4I, and 3, 4, 6, 8, 8R after CPS, CPE, CAX, DC2D, DCAX, and DC3D",
                  name,
                  strcasecmp(name, "C3D8R") == 0       ? " (C3D8I and C3D20R bend as well as it)"
                  : strncasecmp(name, "C3D10", 5) == 0 ? " (C3D10 is)"
                                                       : "");
}

static Status elements_card(InpDeck *deck, int32_t c) {
  const InpCard *card = &deck->card[c];
  const char *name = inp_parameter(card, "TYPE");
  if (!name || !*name) return inp_fail(deck, card, "has no TYPE=");
  Reading r = {.deck = deck, .card = card, .type = inp_type(name)};
  if (!r.type) return unknown_type(deck, card, name);
  const int32_t n_node = element_type(r.type->kind)->n_node;
  Status status = OK;
  TRY_DONE(inp_spans(deck, card, true, &r.span, &r.n_span));
  const int64_t numbers = r.n_span ? r.span[r.n_span - 1].first + r.span[r.n_span - 1].n : 0,
                n = numbers / (n_node + 1);
  if (numbers % (n_node + 1)) TRY_DONE(wrong_count(deck, card, r.type));
  r.first = deck->list[r.type->kind].n;
  if (r.first + n >= INT32_MAX) TRY_DONE(inp_fail(deck, card, "more than %d elements", INT32_MAX - 1));
  TRY_DONE(mem_resize((r.first + n) * n_node, sizeof(int32_t), "elements", (void **)&deck->list[r.type->kind].nodes));
  TRY_DONE(mem_resize(r.first + n, sizeof(int64_t), "element numbers", (void **)&deck->list[r.type->kind].tag));
  deck->list[r.type->kind].n += (int32_t)n;
  TRY_DONE(mem_resize(deck->n_elements + 1, sizeof *deck->elements, "cards of elements", (void **)&deck->elements));
  deck->elements[deck->n_elements++] = (InpElements){r.type, c, r.first, (int32_t)n};
  TRY_DONE(read_spans(&r, elements_span));
done:
  FREE(r.span);
  return status;
}

bool inp_is_of_nodes(const InpCard *card) {
  static const char *const names[] = {"DCOUP3D", "MASS", "SPRING1", "SPRING2", "SPRINGA", "DASHPOTA"};
  const char *type = inp_parameter(card, "TYPE");
  bool any = false;
  for (size_t i = 0; type && i < sizeof names / sizeof *names; ++i) any |= strcasecmp(type, names[i]) == 0;
  return any;
}

/* Those of instances get their numbers. */
static Status number_elements(InpDeck *deck) {
  Status status = OK;
  int64_t *most = NULL;
  ALLOC_DONE(most, deck->n_scope, "instances of a deck");
  for (int32_t k = 0; k < deck->n_elements; ++k) {
    const InpElements *e = &deck->elements[k];
    int64_t *largest = &most[deck->card[e->card].scope];
    for (int32_t i = e->first; i < e->first + e->n; ++i)
      if (deck->list[e->type->kind].tag[i] > *largest) *largest = deck->list[e->type->kind].tag[i];
  }
  TRY_DONE(inp_offsets(deck, false, most));
  for (int32_t k = 0; k < deck->n_elements; ++k) {
    const InpElements *e = &deck->elements[k];
    for (int32_t i = e->first; i < e->first + e->n; ++i)
      deck->list[e->type->kind].tag[i] += deck->scope[deck->card[e->card].scope].offset[false];
  }
done:
  FREE(most);
  return status;
}

Status inp_read_elements(InpDeck *deck) {
  TagDuplicates twice;
  for (int32_t c = 0; c < deck->n_card; ++c)
    if (inp_is(&deck->card[c], "ELEMENT") && !inp_is_of_nodes(&deck->card[c])) TRY(elements_card(deck, c));
  if (deck->n_scope > 1) TRY(number_elements(deck));
  for (int k = 0; k < N_ELEMENT_KINDS; ++k) {
    CHECK(deck->list[k].n < INT32_MAX - deck->base[k], ERR_MESH, "%s: more than %d elements", deck->file[0].path,
          INT32_MAX - 1);
    deck->base[k + 1] = deck->base[k] + deck->list[k].n;
  }
  const int32_t n = deck->base[N_ELEMENT_KINDS];
  CHECK(n > 0, ERR_MESH, "%s: holds no elements (*ELEMENT)", deck->file[0].path);
  ALLOC(deck->element_tag, n, "element numbers");
  for (int k = 0; k < N_ELEMENT_KINDS; ++k)
    if (deck->list[k].n)
      memcpy(deck->element_tag + deck->base[k], deck->list[k].tag, (size_t)deck->list[k].n * sizeof *deck->element_tag);
  TRY(tag_map_create(deck->element_tag, n, "table of element numbers", &deck->element_of, &twice));
  CHECK(twice.n == 0, ERR_MESH, "%s: *ELEMENT: %lld element numbers are given twice, the first is %lld",
        deck->file[0].path, (long long)twice.n, (long long)deck->element_tag[twice.index[0]]);
  return OK;
}
