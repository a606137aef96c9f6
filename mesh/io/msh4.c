/* $Entities, $Nodes and $Elements of .msh format 4.1, text and binary (Gmsh reference manual, "MSH file format"). Text
 * and binary hold the same numbers in the same order, so one reader serves both. */
#include "mesh/io/msh_raw.h"

#include <stdlib.h>

static Status read_tag(TextSource *source, const char *what, int32_t *out) {
  int64_t value;
  const int64_t at = source_here(source);
  *out = 0;
  TRY(source_int(source, what, &value));
  if (llabs(value) > INT32_MAX)
    return source_fail(source, at, "%s is %lld, at most %d is supported", what, (long long)value, INT32_MAX);
  *out = (int32_t)value;
  return OK;
}

static Status read_count(TextSource *source, const char *what, int64_t least_bytes, int64_t *out) {
  const int64_t at = source_here(source);
  TRY(source_size(source, what, out));
  return source_check_count(source, at, what, *out, least_bytes);
}

/* One entity: its box (points: its place), physical groups, bounding entities. */
static Status read_entity(TextSource *source, MshRaw *raw, int32_t dim) {
  int32_t tag, number, index;
  int64_t n_physical, n_bound;
  double box;
  const int64_t at = source_here(source);
  TRY(read_tag(source, "the number of an entity", &tag));
  for (int i = 0; i < (dim ? 6 : 3); ++i) TRY(source_double(source, "the bounding box of an entity", &box));
  TRY(read_count(source, "the number of physical groups of an entity", source_least_bytes(source, 1, 0, 0),
                 &n_physical));
  TRY(msh_raw_entity(raw, dim, tag, &index));
  MshEntity *entity = &raw->entity[index];
  if (entity->listed)
    return source_fail(source, at, "entity %d of dimension %d is given twice; the file is damaged", tag, dim);
  entity->listed = true;
  entity->first = raw->n_physical;
  entity->n = (int32_t)n_physical;
  for (int64_t i = 0; i < n_physical; ++i) {
    TRY(read_tag(source, "a physical group of an entity", &number));
    number = abs(number); /* a minus sign only says that the orientation was turned */
    TRY(msh_room((void **)&raw->physical, raw->n_physical, &raw->room_physical, sizeof *raw->physical,
                 "groups of entities"));
    raw->physical[raw->n_physical++] = number;
    TRY(msh_raw_group(raw, dim, number, NULL, 0));
  }
  if (dim == 0) return OK;
  TRY(read_count(source, "the number of boundaries of an entity", source_least_bytes(source, 1, 0, 0), &n_bound));
  for (int64_t i = 0; i < n_bound; ++i) TRY(read_tag(source, "a boundary of an entity", &number));
  return OK;
}

Status msh4_entities(TextSource *source, MshRaw *raw) {
  static const char *const what[] = {"the number of points", "the number of curves", "the number of surfaces",
                                     "the number of volumes"};
  int64_t n[4];
  raw->has_entities = true;
  for (int32_t dim = 0; dim < 4; ++dim)
    TRY(read_count(source, what[dim], source_least_bytes(source, 1, 1, 3), &n[dim]));
  for (int32_t dim = 0; dim < 4; ++dim)
    for (int64_t i = 0; i < n[dim]; ++i) TRY(read_entity(source, raw, dim));
  return OK;
}

/* The head of a block: dimension and tag of its entity, a third number, the count. */
typedef struct BlockHead {
  int32_t dim, tag, third;
  int64_t n, at;
} BlockHead;

static Status read_block_head(TextSource *source, const char *third, const char *count, int64_t least_bytes,
                              int64_t left, BlockHead *head) {
  head->at = source_here(source);
  TRY(read_tag(source, "the dimension of an entity", &head->dim));
  TRY(read_tag(source, "the number of an entity", &head->tag));
  TRY(read_tag(source, third, &head->third));
  TRY(read_count(source, count, least_bytes, &head->n));
  if (head->dim < 0 || head->dim > 3)
    return source_fail(source, head->at, "an entity of dimension %d, must be 0 to 3; the file is damaged", head->dim);
  if (head->n > left)
    return source_fail(source, head->at,
                       "%s is %lld, but only %lld are left of the section's total; the file is damaged", count,
                       (long long)head->n, (long long)left);
  return OK;
}

/* The four numbers at the start of $Nodes and $Elements. */
static Status read_section_head(TextSource *source, const char *blocks, const char *items, int64_t least_bytes,
                                int64_t *n_block, int64_t *n_item) {
  int64_t least, most;
  TRY(read_count(source, blocks, source_least_bytes(source, 3, 1, 0), n_block));
  TRY(read_count(source, items, least_bytes, n_item));
  TRY(source_size(source, "the smallest number", &least));
  return source_size(source, "the largest number", &most);
}

static Status check_total(const TextSource *source, int64_t at, const char *items, int64_t done, int64_t n) {
  if (done == n) return OK;
  return source_fail(source, at, "%s is %lld, but the blocks hold %lld; the file is damaged", items, (long long)n,
                     (long long)done);
}

/* Nodes of a block: their numbers, then their coordinates with `extra` parameters each. */
typedef struct NodeItems {
  MshRaw *raw;
  int64_t first;
  int32_t extra;
} NodeItems;

static Status read_node_tags(TextSource *source, void *context, int64_t begin, int64_t end, MshNotes *notes) {
  const NodeItems *items = context;
  (void)notes;
  for (int64_t i = begin; i < end; ++i) TRY(msh_raw_node_tag(items->raw, source, items->first + i, true));
  return OK;
}

static Status read_node_places(TextSource *source, void *context, int64_t begin, int64_t end, MshNotes *notes) {
  const NodeItems *items = context;
  double parameter;
  for (int64_t i = begin; i < end; ++i) {
    TRY(msh_raw_node_x(items->raw, source, items->first + i, notes));
    for (int32_t k = 0; k < items->extra; ++k) TRY(source_double(source, "a parameter of a node", &parameter));
  }
  return OK;
}

static Status read_node_block(TextSource *source, MshRaw *raw, const BlockHead *head, int64_t first) {
  if (head->third != 0 && head->third != 1)
    return source_fail(source, head->at, "the parametric flag is %d, must be 0 or 1; the file is damaged", head->third);
  NodeItems items = {raw, first, head->third * head->dim};
  TRY(msh_items_read(raw, source, head->n, 8, read_node_tags, &items));
  return msh_items_read(raw, source, head->n, 8 * (3 + items.extra), read_node_places, &items);
}

Status msh4_nodes(TextSource *source, MshRaw *raw) {
  const int64_t at = source_here(source), least = source_least_bytes(source, 0, 1, 3);
  int64_t n_block, n, done = 0;
  TRY(read_section_head(source, "the number of node blocks", "the number of nodes", least, &n_block, &n));
  TRY(msh_raw_nodes(raw, n));
  for (int64_t b = 0; b < n_block; ++b) {
    BlockHead head;
    TRY(read_block_head(source, "the parametric flag", "the number of nodes of a block", least, n - done, &head));
    TRY(read_node_block(source, raw, &head, done));
    done += head.n;
  }
  TRY(check_total(source, at, "the number of nodes", done, n));
  return msh_raw_check_nodes(raw, source);
}

/* Elements of a block, from place `first` of their kind on. */
typedef struct ElementItems {
  MshRaw *raw;
  ElementKind kind;
  int32_t n_node, first, entity;
} ElementItems;

static Status read_block_elements(TextSource *source, void *context, int64_t begin, int64_t end, MshNotes *notes) {
  const ElementItems *items = context;
  int64_t tag[ELEMENT_MAX_NODES];
  for (int64_t i = begin; i < end; ++i) {
    MshElement element = {.kind = items->kind, .i = items->first + (int32_t)i, .owner = items->entity};
    element.at = source_here(source);
    TRY(source_size(source, "an element number", &element.tag));
    for (int32_t a = 0; a < items->n_node; ++a) TRY(source_size(source, "a node of an element", &tag[a]));
    msh_raw_element(items->raw, &element, tag, notes);
  }
  return OK;
}

static Status read_element_block(TextSource *source, MshRaw *raw, const BlockHead *head) {
  int64_t skipped;
  int32_t n_node, entity;
  const ElementType *type = msh_raw_type(raw, head->third, &n_node);
  if (!type) {
    TRY(msh_raw_unsupported(raw, source, head->at, head->third, head->n, &n_node));
    if (!n_node) return msh_raw_check_elements(raw, source); /* fails: where the next block starts is unknown */
    for (int64_t i = 0; i < head->n * (n_node + 1); ++i) TRY(source_size(source, "a node of an element", &skipped));
    return OK;
  }
  if (type->dim != head->dim)
    return source_fail(source, head->at, "elements of kind %s in an entity of dimension %d; the file is damaged",
                       type->name, head->dim);
  TRY(source_check_count(source, head->at, "the number of elements of a block", head->n,
                         source_least_bytes(source, 0, 1 + n_node, 0)));
  TRY(msh_raw_entity(raw, head->dim, head->tag, &entity));
  if (raw->has_entities && !raw->entity[entity].listed)
    return source_fail(source, head->at,
                       "elements of entity %d of dimension %d, which $Entities does not list; the file is "
                       "damaged",
                       head->tag, head->dim);
  TRY(msh_raw_reserve(raw, type->kind, (int32_t)head->n));
  MshElements *list = &raw->list[type->kind];
  ElementItems items = {raw, type->kind, n_node, list->n, entity};
  TRY(msh_items_read(raw, source, head->n, 8 * (1 + (int64_t)n_node), read_block_elements, &items));
  list->n += (int32_t)head->n;
  return OK;
}

/* Room for the elements of all blocks at once: in a binary file the heads show how many there are of each kind. What is
 * wrong with them is told when they are read. */
static Status reserve_blocks(const TextSource *source, MshRaw *raw, int64_t n_block) {
  int64_t room[N_ELEMENT_KINDS] = {0};
  TextSource at = *source;
  for (int64_t b = 0; b < n_block && at.size - at.at >= 20; ++b) {
    int64_t skipped, gmsh_type, n;
    int32_t n_node;
    for (int k = 0; k < 2; ++k) TRY(source_int(&at, "the entity of a block", &skipped));
    TRY(source_int(&at, "the element type", &gmsh_type));
    TRY(source_size(&at, "the number of elements of a block", &n));
    const ElementType *type = msh_raw_type(raw, gmsh_type, &n_node);
    if (!type || n < 0 || n > (at.size - at.at) / (8 * (1 + n_node))) break;
    room[type->kind] += n;
    at.at += 8 * n * (1 + n_node);
  }
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind)
    if (room[kind] && room[kind] < INT32_MAX) TRY(msh_raw_reserve(raw, (ElementKind)kind, (int32_t)room[kind]));
  return OK;
}

Status msh4_elements(TextSource *source, MshRaw *raw) {
  const int64_t at = source_here(source), least = source_least_bytes(source, 0, 2, 0);
  int64_t n_block, n, done = 0;
  TRY(read_section_head(source, "the number of element blocks", "the number of elements", least, &n_block, &n));
  raw->has_elements = true;
  raw->elements_at = at;
  if (source->binary) TRY(reserve_blocks(source, raw, n_block));
  for (int64_t b = 0; b < n_block; ++b) {
    BlockHead head;
    TRY(read_block_head(source, "the element type", "the number of elements of a block", least, n - done, &head));
    TRY(read_element_block(source, raw, &head));
    done += head.n;
  }
  TRY(check_total(source, at, "the number of elements", done, n));
  return msh_raw_check_elements(raw, source);
}
