/* Nodes and elements of Nastran's bulk data: files in spans of whole cards, which threads count and then read. */
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/io/nastran.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { SPAN_BYTES = 1 << 18, FILES_MOST = 1000, PATH_MOST = 4096 };

/* Elements of Nastran; order: the card's place of our node k as a letter counted from 'a', NULL: the same. */
typedef struct NasType {
  const char *name;
  ElementKind linear, quadratic; /* the same: there is no other */
  const char *order;             /* of the quadratic one */
} NasType;
static const NasType types[] = {
    {"CTETRA", ELEMENT_TET4, ELEMENT_TET10, "abcdefghji"},
    {"CHEXA", ELEMENT_HEX8, ELEMENT_HEX20, "abcdefghilmjnkopqtrs"},
    {"CPENTA", ELEMENT_WEDGE6, ELEMENT_WEDGE15, "abcdefgijhklmon"},
    {"CPYRAM", ELEMENT_PYRAMID5, ELEMENT_PYRAMID13, "abcdefijgkhlm"},
    {"CPYRA", ELEMENT_PYRAMID5, ELEMENT_PYRAMID13, "abcdefijgkhlm"},
    {"CTRIA3", ELEMENT_TRI3, ELEMENT_TRI3, NULL},
    {"CTRIAR", ELEMENT_TRI3, ELEMENT_TRI3, NULL},
    {"CTRIA6", ELEMENT_TRI3, ELEMENT_TRI6, NULL},
    {"CQUAD4", ELEMENT_QUAD4, ELEMENT_QUAD4, NULL},
    {"CQUADR", ELEMENT_QUAD4, ELEMENT_QUAD4, NULL},
    {"CQUAD8", ELEMENT_QUAD4, ELEMENT_QUAD8, NULL},
};

const char *nas_order(ElementKind kind) {
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
    if (types[i].quadratic == kind) return types[i].order;
  return NULL;
}

static const NasType *type_named(const char *name) {
  if (*name != 'C') return NULL;
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
    if (!strcmp(types[i].name, name)) return &types[i];
  return NULL;
}

typedef struct Reading {
  NasBulk *bulk;
  NasSpan *span; /* owned */
  int32_t n_span;
} Reading;

/* Comments of HyperMesh and Femap that name properties and sets. */
static bool names_something(const char *p) {
  return !strncmp(p, "$HMNAME PROP", 12) || !strncmp(p, "$HMSET", 6) || !strncmp(p, "$ Femap Property", 16);
}

/* The next line of a span that begins a card or names something; `at` of the end: none. */
static int64_t next_card(const TextSource *source, int64_t at, int64_t end) {
  while (at < end && !isalpha((unsigned char)source->bytes[at]) && !names_something(source->bytes + at))
    at = nas_next_line(source, at, end);
  return at;
}

/* What one more card counts as; an element has room for all nodes that it may have. */
static void count_card(NasSpan *span, const TextSource *source, int64_t at) {
  NasCard card;
  if (source->bytes[at] == '$') {
    ++span->n_other;
    return;
  }
  nas_card_open(&card, source, at, span->end);
  const NasType *type = type_named(card.name);
  if (!strcmp(card.name, "GRID")) {
    ++span->n_grid;
  } else if (type) {
    ++span->n_element;
    span->n_node += element_type(type->quadratic)->n_node;
  } else {
    ++span->n_other;
  }
}

static Status grid_card(NasCard *card, NasGrid *grid) {
  TRY(nas_whole(card, "the number of a node", 0, &grid->id));
  if (grid->id < 1) return nas_fail(card, "node number %d, must be 1 or more", grid->id);
  TRY(nas_whole(card, "the number of a coordinate system", -1, &grid->system));
  for (int d = 0; d < 3; ++d) TRY(nas_real(card, "a coordinate", &grid->x[d]));
  return OK;
}

/* Nodes of the card into node[20]; element->kind by how many there are. */
static Status element_card(NasCard *card, const NasType *type, NasElement *element, int32_t *node) {
  const int most = element_type(type->quadratic)->n_node, few = element_type(type->linear)->n_node;
  int n = 0, last = 0;
  TRY(nas_whole(card, "the number of an element", 0, &element->id));
  TRY(nas_whole(card, "the number of a property", element->id, &element->property));
  if (element->id < 1 || element->property < 0)
    return nas_fail(card, "element number %d of property %d, must be 1 or more", element->id, element->property);
  for (int k = 0; k < most; ++k) {
    TRY(nas_whole(card, "the number of a node", 0, &node[k]));
    if (node[k] < 0) return nas_fail(card, "element %d: node number %d, must be 1 or more", element->id, node[k]);
    n += node[k] > 0;
    if (node[k]) last = k + 1;
  }
  const bool full = n == most, bare = n == few && last == few;
  if (!full && !bare)
    return nas_fail(card, "element %d has %d nodes, must have %d or %d: all mid-edge nodes, or none", element->id, n,
                    few, most);
  element->kind = full ? type->quadratic : type->linear;
  return OK;
}

static Status read_span(const Reading *r, const NasSpan *span) {
  NasBulk *bulk = r->bulk;
  const TextSource *source = &bulk->deck->file[span->file].source;
  int64_t grid = span->first_grid, element = span->first_element, node = span->first_node, other = span->first_other;
  for (int64_t at = next_card(source, span->begin, span->end); at < span->end;
       at = next_card(source, nas_next_line(source, at, span->end), span->end)) {
    NasCard card;
    nas_card_open(&card, source, at, source->size);
    const NasType *type = source->bytes[at] == '$' ? NULL : type_named(card.name);
    if (type) {
      NasElement *e = &bulk->element[element++];
      *e = (NasElement){.file = span->file, .at = at, .first = node};
      TRY(element_card(&card, type, e, bulk->node + node));
      node += element_type(type->quadratic)->n_node;
    } else if (source->bytes[at] != '$' && !strcmp(card.name, "GRID")) {
      NasGrid *g = &bulk->grid[grid++];
      g->file = span->file, g->at = at;
      TRY(grid_card(&card, g));
    } else {
      bulk->other[other++] = (NasOther){span->file, at};
    }
  }
  return OK;
}

/* The lowercase or capital word at p. */
static bool has_word(const char *p, const char *end, const char *word) {
  const size_t n = strlen(word);
  return (size_t)(end - p) >= n && !strncasecmp(p, word, n);
}

/* Bulk data begin behind the line BEGIN BULK, where there is one, and end with ENDDATA. */
static void bulk_of(const TextSource *source, int64_t *begin, int64_t *end) {
  const char *all = source->bytes + source->size;
  *begin = 0;
  *end = source->size;
  for (int64_t at = 0; at < source->size && at < 1 << 20; at = nas_next_line(source, at, source->size))
    if (has_word(source->bytes + at, all, "BEGIN")) {
      *begin = nas_next_line(source, at, source->size);
      break;
    }
  for (const char *p = source->bytes + *begin; p && p < all; p = memchr(p, '\n', (size_t)(all - p)), p += p != NULL)
    if ((*p == 'E' || *p == 'e') && has_word(p, all, "ENDDATA")) {
      *end = p - source->bytes;
      return;
    }
}

static Status spans_create(Reading *r, int32_t file) {
  const TextSource *source = &r->bulk->deck->file[file].source;
  int64_t begin, end;
  bulk_of(source, &begin, &end);
  ALLOC(r->span, (end - begin) / SPAN_BYTES + 1, "parts of a deck");
  r->n_span = 0;
  for (int64_t at = begin; at < end;) {
    int64_t stop = at + SPAN_BYTES < end ? nas_next_line(source, at + SPAN_BYTES, end) : end;
    stop = next_card(source, stop, end);
    r->span[r->n_span++] = (NasSpan){.file = file, .begin = at, .end = stop};
    at = stop;
  }
#pragma omp parallel for schedule(static) if (r->n_span > 1)
  for (int32_t k = 0; k < r->n_span; ++k)
    for (int64_t at = next_card(source, r->span[k].begin, r->span[k].end); at < r->span[k].end;
         at = next_card(source, nas_next_line(source, at, r->span[k].end), r->span[k].end))
      count_card(&r->span[k], source, at);
  NasBulk *bulk = r->bulk;
  for (int32_t k = 0; k < r->n_span; ++k) {
    NasSpan *span = &r->span[k];
    span->first_grid = bulk->n_grid, span->first_element = bulk->n_element;
    span->first_node = bulk->n_node, span->first_other = bulk->n_other;
    bulk->n_grid += span->n_grid, bulk->n_element += span->n_element;
    bulk->n_node += span->n_node, bulk->n_other += span->n_other;
  }
  return OK;
}

/* All spans at once; where one fails, the first of them is read once more for its message. */
static Status read_spans(const Reading *r) {
  int32_t failed = r->n_span;
#pragma omp parallel for schedule(static) reduction(min : failed) if (r->n_span > 1)
  for (int32_t k = 0; k < r->n_span; ++k)
    if (read_span(r, &r->span[k]) != OK) {
      status_clear();
      if (k < failed) failed = k;
    }
  return failed < r->n_span ? read_span(r, &r->span[failed]) : OK;
}

static Status read_file(NasBulk *bulk, const char *path) {
  InpDeck *deck = bulk->deck;
  RESIZE(deck->file, deck->n_file + 1, "files of a deck");
  InpFile *file = &deck->file[deck->n_file];
  *file = (InpFile){0};
  ++deck->n_file;
  TRY(mem_text(path, "the name of a file", &file->path));
  TRY(source_open(path, file->path, &file->source));
  Reading r = {.bulk = bulk};
  Status status = OK;
  TRY_DONE(spans_create(&r, deck->n_file - 1));
  if (bulk->n_grid >= INT32_MAX || bulk->n_element >= INT32_MAX)
    TRY_DONE(FAIL(ERR_MESH, "%s: more than %d nodes or elements", path, INT32_MAX - 1));
  TRY_DONE(mem_resize(bulk->n_grid, sizeof *bulk->grid, "nodes of a deck", (void **)&bulk->grid));
  TRY_DONE(mem_resize(bulk->n_element, sizeof *bulk->element, "elements of a deck", (void **)&bulk->element));
  TRY_DONE(mem_resize(bulk->n_node, sizeof *bulk->node, "nodes of elements", (void **)&bulk->node));
  TRY_DONE(mem_resize(bulk->n_other, sizeof *bulk->other, "cards of a deck", (void **)&bulk->other));
  TRY_DONE(read_spans(&r));
done:
  FREE(r.span);
  return status;
}

/* The path that an INCLUDE names, beside the first file unless absolute. */
static Status include_path(const NasBulk *bulk, const NasCard *card, char path[PATH_MOST]) {
  const char *root = bulk->deck->file[0].path, *slash = strrchr(root, '/'), *p = card->line + 7, *end = card->line_end;
  while (p < end && strchr(" '\"", *p)) ++p;
  while (end > p && strchr(" '\"", end[-1])) --end;
  const int n = slash && *p != '/' ? (int)(slash + 1 - root) : 0;
  if (p == end) return nas_fail(card, "names no file; write INCLUDE 'file'");
  if (snprintf(path, PATH_MOST, "%.*s%.*s", n, root, (int)(end - p), p) >= PATH_MOST)
    return nas_fail(card, "the path is too long");
  return OK;
}

static Status read_include(NasBulk *bulk, const NasOther *other) {
  NasCard card;
  char path[PATH_MOST];
  struct stat info, seen;
  const TextSource *source = &bulk->deck->file[other->file].source;
  nas_card_open(&card, source, other->at, source->size);
  if (strcmp(card.name, "INCLUDE") != 0) return OK;
  TRY(include_path(bulk, &card, path));
  if (stat(path, &info) != 0) return nas_fail(&card, "cannot find '%s'; paths start at the folder of the deck", path);
  if (bulk->deck->n_file == FILES_MOST) return nas_fail(&card, "more than %d files", FILES_MOST);
  for (int32_t k = 0; k < bulk->deck->n_file; ++k)
    if (stat(bulk->deck->file[k].path, &seen) == 0 && seen.st_ino == info.st_ino && seen.st_dev == info.st_dev)
      return nas_fail(&card, "'%s' has been read already: it includes itself, or is included twice", path);
  return read_file(bulk, path);
}

Status nas_read(const char *path, NasBulk *out) {
  ALLOC(out->deck, 1, "a deck");
  TRY(read_file(out, path));
  for (int64_t i = 0; i < out->n_other; ++i) { /* grows with what files include */
    const NasOther other = out->other[i];
    TRY(read_include(out, &other));
  }
  CHECK(out->n_grid > 0, ERR_MESH, "%s: holds no nodes (GRID)", path);
  CHECK(
      out->n_element > 0, ERR_MESH,
      "%s: holds no elements that Sinew reads: CTETRA, CHEXA, CPENTA, CPYRAM, CTRIA3, CTRIA6, CTRIAR, CQUAD4, CQUAD8, "
      "CQUADR",
      path);
  return OK;
}
