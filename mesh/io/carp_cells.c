/* Elements and faces of an openCARP mesh. Files differ in the order of the nodes (openCARP goes around the upper face of
 * a hexahedron or prism the other way than VTK does, and turns no element that lies mirrored), so an element takes the
 * order that gives it a volume. */
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/io/carp.h"
#include "mesh/same_nodes.h"

#include <string.h>

/* number: of binary files; order: letter k, counted from 'a': the file's place of our node k. */
static const struct CarpType {
  char name[3];
  int number;
  ElementKind kind;
  const char *order[4];
} types[] = {
    {"Tt", 0, ELEMENT_TET4, {"abcd", "acbd"}},
    {"Hx", 1, ELEMENT_HEX8, {"abcdefgh", "abcdehgf", "adcbehgf", "adcbefgh"}},
    {"Py", 3, ELEMENT_PYRAMID5, {"abcde", "adcbe"}},
    {"Pr", 4, ELEMENT_WEDGE6, {"abcdef", "abcdfe", "acbdfe", "acbdef"}},
    {"Qd", 5, ELEMENT_QUAD4, {"abcd"}},
    {"Tr", 6, ELEMENT_TRI3, {"abc"}},
    {"Ln", 7, ELEMENT_LINE2, {"ab"}},
};
enum { N_TYPES = sizeof types / sizeof *types };
static const char TYPES[] = "Tt Hx Py Pr Qd Tr Ln";

ElementKind carp_kind(const CarpCells *cells, int32_t i) { return types[cells->type[i]].kind; }

/* Where cells are read to. */
typedef struct Reading {
  CarpCells *cells;
  int32_t first, n_point;
  bool faces;
} Reading;

static Status wrong_line(const TextSource *source, int64_t i, const char *what) {
  char line[64];
  source_quote_line(source, source->at, line);
  return source_fail(source, source->at, "%s: element %lld has %s", line, (long long)i, what);
}

static Status cell_type(TextSource *source, int64_t i, int *out) {
  const int64_t at = source_here(source);
  int64_t number = -1;
  if (source->binary) TRY(source_int(source, "the type of an element", &number));
  for (int t = 0; t < N_TYPES; ++t)
    if (source->binary ? types[t].number == number : source_take_word(source, types[t].name)) {
      *out = t;
      return OK;
    }
  if (source->binary)
    return source_fail(source, at, "element %lld is of type %lld, must be one of 0 1 3 4 5 6 7 (%s)", (long long)i,
                       (long long)number, TYPES);
  char line[64];
  source_quote_line(source, at, line);
  return source_fail(source, at, "%s: element %lld must begin with one of %s", line, (long long)i, TYPES);
}

/* A number on the rest of the line. */
static Status cell_tag(TextSource *source, int64_t i, int64_t *tag) {
  *tag = 0;
  if (source->binary) return source_int(source, "the region of an element", tag);
  if (!carp_line_ends(source)) TRY(source_text_int(source, "the region of an element", tag));
  if (!carp_line_ends(source)) return wrong_line(source, i, "more numbers than its points and its region");
  source_next_line(source);
  return OK;
}

static Status cell_read(TextSource *source, void *context, int64_t i) {
  const Reading *r = context;
  int32_t *nodes = r->cells->nodes + (r->first + i) * CARP_NODES;
  int t = 0;
  TRY(cell_type(source, i, &t));
  const ElementType *type = element_type(types[t].kind);
  if (r->faces && type->dim != 2)
    return source_fail(source, source->at, "face %lld is of type %s, must be Tr or Qd", (long long)i, types[t].name);
  for (int32_t a = 0; a < type->n_node; ++a) {
    int64_t node;
    if (!source->binary && carp_line_ends(source)) return wrong_line(source, i, "fewer points than its type");
    const int64_t at = source_here(source);
    TRY(source_int(source, "a point of an element", &node));
    if (node < 0 || node >= r->n_point)
      return source_fail(source, at, "element %lld has point %lld, but there are %d (all counted from 0)", (long long)i,
                         (long long)node, r->n_point);
    for (int32_t b = 0; b < a; ++b)
      if (nodes[b] == node)
        return source_fail(source, at, "element %lld has point %lld twice (counted from 0)", (long long)i,
                           (long long)node);
    nodes[a] = (int32_t)node;
  }
  r->cells->type[r->first + i] = (unsigned char)t;
  return cell_tag(source, i, &r->cells->tag[r->first + i]);
}

static Status cells_read(CarpMesh *m, CarpFile *file, bool faces) {
  CarpCells *c = &m->cells;
  const Reading reading = {c, c->n, m->deck->n_node, faces};
  TRY(carp_check_lines(file, faces ? "faces" : "elements"));
  TRY(source_check_count(&file->source, 0, faces ? "the number of faces" : "the number of elements", file->n, 4));
  const int64_t n = c->n + file->n;
  if (n >= INT32_MAX) return source_fail(&file->source, 0, "more than %d elements and faces", INT32_MAX - 1);
  RESIZE(c->type, n, "types of elements");
  RESIZE(c->nodes, n * CARP_NODES, "elements");
  RESIZE(c->tag, n, "regions of elements");
  c->n = (int32_t)n;
  if (file->source.binary) { /* elements differ in length */
    for (int64_t i = 0; i < file->n; ++i) TRY(cell_read(&file->source, (void *)&reading, i));
    return carp_check_end(file, "elements", 12);
  }
  return carp_items(&file->source, file->n, 0, cell_read, (void *)&reading);
}

Status carp_elements(CarpMesh *m) {
  CarpFile file;
  Status status = carp_open(m, ".elem", ".belem", false, &file);
  if (status == OK) status = cells_read(m, &file, false);
  m->n_cell = m->cells.n;
  m->elements = file.path;
  file.path = NULL;
  carp_close(&file);
  return status;
}

Status carp_surface(CarpMesh *m, CarpFile *file) { return cells_read(m, file, true); }

static void ordered(const int32_t *from, const char *order, int32_t n, int32_t *to) {
  for (int32_t a = 0; a < n; ++a) to[a] = from[order[a] - 'a'];
}

static bool has_volume(double (*x)[3], const ElementType *type, const Quadrature *rule, const int32_t *nodes) {
  double at[CARP_NODES][3], J[3][3];
  for (int32_t a = 0; a < type->n_node; ++a) memcpy(at[a], x[nodes[a]], sizeof at[a]);
  for (int32_t q = 0; q < rule->n; ++q)
    if (!(element_jacobian(type, (const double(*)[3])at, rule->xi[q], J, false) > 0)) return false;
  return true;
}

/* The first order that fits, the first where none does: a check of the mesh names the element then. */
static void cell_order(const CarpMesh *m, int32_t i, const Quadrature *rule, int32_t *to) {
  const struct CarpType *t = &types[m->cells.type[i]];
  const ElementType *type = element_type(t->kind);
  const int32_t *from = m->cells.nodes + (int64_t)i * CARP_NODES;
  for (int k = 0; type->dim == 3 && k < 4 && t->order[k]; ++k) {
    ordered(from, t->order[k], type->n_node, to);
    if (has_volume(m->deck->x, type, rule, to)) return;
  }
  ordered(from, t->order[0], type->n_node, to);
}

static Status fill_lists(CarpMesh *m, const Quadrature *rules) {
  InpDeck *deck = m->deck;
  CarpCells *c = &m->cells;
  for (int32_t i = 0; i < c->n; ++i) c->place[i] = deck->list[carp_kind(c, i)].n++;
  for (int t = 0; t < N_TYPES; ++t) {
    const int kind = types[t].kind, n = deck->list[kind].n;
    if (n) ALLOC(deck->list[kind].nodes, (int64_t)n * element_type(types[t].kind)->n_node, "elements");
    if (n) ALLOC(deck->list[kind].tag, n, "element numbers");
  }
#pragma omp parallel for schedule(static) num_threads(parts_of(c->n))
  for (int32_t i = 0; i < c->n; ++i) {
    const ElementKind kind = carp_kind(c, i);
    deck->list[kind].tag[c->place[i]] = i;
    cell_order(m, i, &rules[c->type[i]], deck->list[kind].nodes + (int64_t)c->place[i] * element_type(kind)->n_node);
  }
  return OK;
}

/* Faces of several files, or of a file and of .elem, are one. */
static Status merge_list(CarpMesh *m, ElementKind kind, int32_t *first) {
  InpDeck *deck = m->deck;
  const int32_t n = deck->list[kind].n, n_node = element_type(kind)->n_node;
  int32_t *nodes = deck->list[kind].nodes, n_kept = 0;
  TRY(same_nodes_find(nodes, n, n_node, first));
  for (int32_t i = 0; i < n; ++i) {
    if (first[i] < i) {
      first[i] = first[first[i]];
      continue;
    }
    memmove(nodes + (int64_t)n_kept * n_node, nodes + (int64_t)i * n_node, (size_t)n_node * sizeof *nodes);
    deck->list[kind].tag[n_kept] = deck->list[kind].tag[i];
    first[i] = n_kept++;
  }
  deck->list[kind].n = n_kept;
  for (int32_t i = 0; i < m->cells.n; ++i)
    if (carp_kind(&m->cells, i) == kind) m->cells.place[i] = first[m->cells.place[i]];
  return OK;
}

Status carp_place(CarpMesh *m) {
  InpDeck *deck = m->deck;
  Quadrature *rules = NULL;
  int32_t *first = NULL;
  Status status = OK;
  ALLOC(m->cells.place, m->cells.n, "places of elements");
  ALLOC_DONE(rules, N_TYPES, "quadrature rules");
  for (int t = 0; t < N_TYPES; ++t) TRY_DONE(element_stiffness_quadrature(element_type(types[t].kind), &rules[t]));
  TRY_DONE(fill_lists(m, rules));
  for (int t = 0; t < N_TYPES && m->cells.n > m->n_cell; ++t) {
    if (element_type(types[t].kind)->dim != 2 || deck->list[types[t].kind].n == 0) continue;
    ALLOC_DONE(first, deck->list[types[t].kind].n, "faces on the same nodes");
    TRY_DONE(merge_list(m, types[t].kind, first));
    FREE(first);
  }
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) deck->base[kind + 1] = deck->base[kind] + deck->list[kind].n;
done:
  FREE(rules);
  FREE(first);
  return status;
}
