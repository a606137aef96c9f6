/* From what the sections of a .msh file say to a Mesh: elements that format 2.2 repeats for each group they are
 * in, blocks by kind, fields by number. */
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/io/msh_finish.h"
#include "mesh/same_nodes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* In format 2.2 an element stands once for each group it is in: the same nodes again with another group (or the same
 * number) are the same element. f->id becomes the raw index of the element itself. */
static Status merge_repeated(Finish *f) {
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) {
    const MshElements *list = &f->raw->list[kind];
    int32_t *id = f->id + f->base[kind];
    if (f->raw->format == 2 && list->n)
      TRY(same_nodes_find(list->nodes, list->n, element_type((ElementKind)kind)->n_node, id));
#pragma omp parallel for schedule(static) num_threads(parts_of(list->n))
    for (int32_t i = 0; i < list->n; ++i) {
      int32_t first = f->raw->format == 2 ? id[i] : i;
      if (first != i && list->owner[first] == list->owner[i] && list->tag[first] != list->tag[i]) first = i;
      id[i] = f->base[kind] + first;
    }
  }
  return OK;
}

/* Numbers to raw indices, where fields on elements or doubtful numbers need it. Two different elements must not have
 * one number. */
static Status map_tags(Finish *f) {
  const MshRaw *raw = f->raw;
  bool wanted = raw->notes.falling;
  for (int32_t d = 0; d < raw->n_data; ++d) wanted |= !raw->data[d].on_nodes;
  if (!wanted) return OK;
  const int32_t n = f->base[N_ELEMENT_KINDS];
  ALLOC(f->tag, n, "element numbers");
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind)
    if (raw->list[kind].n)
      memcpy(f->tag + f->base[kind], raw->list[kind].tag, (size_t)raw->list[kind].n * sizeof *f->tag);
  TagDuplicates twice;
  TRY(tag_map_create(f->tag, n, "table of element numbers", &f->raw_of, &twice));
  SourceList list = {0};
  for (int32_t i = 0; twice.n && i < n; ++i)
    if (f->id[i] != f->id[tag_map_find(&f->raw_of, f->tag[i])])
      source_list_add(&list, raw->elements_at, "%lld", (long long)f->tag[i]);
  return source_list_fail(f->source, &list, "element numbers that are given twice",
                          "every element needs a number of its own: renumber the mesh (in Gmsh: RenumberMeshElements)");
}

/* Elements of a kind on their way to a block; kept [parts + 1]: how many stay before each part. Those stay whose f->id is
 * their own raw index. */
typedef struct Keep {
  const MshElements *list;
  int32_t *id, base, n_node;
  int parts, *kept; /* owned */
} Keep;

static Status count_kept(Finish *f, int kind, Keep *k) {
  *k = (Keep){&f->raw->list[kind],
              f->id + f->base[kind],
              f->base[kind],
              element_type((ElementKind)kind)->n_node,
              parts_of(f->raw->list[kind].n),
              NULL};
  ALLOC(k->kept, k->parts + 1, "elements that stay");
#pragma omp parallel for schedule(static) num_threads(k->parts)
  for (int p = 0; p < k->parts; ++p)
    for (int64_t i = part_begin(k->list->n, p, k->parts); i < part_begin(k->list->n, p + 1, k->parts); ++i)
      k->kept[p + 1] += k->id[i] == k->base + i;
  for (int p = 0; p < k->parts; ++p) k->kept[p + 1] += k->kept[p];
  return OK;
}

/* Final ids, counted through those that stay; the others have that of an earlier one. Where some go, the others are
 * copied to the block. */
static void number_elements(const Keep *k, ElementBlock *block) {
  int32_t *id = k->id;
  const bool copy = block->n < k->list->n;
#pragma omp parallel for schedule(static) num_threads(k->parts)
  for (int p = 0; p < k->parts; ++p) { /* ~: done, as the others must see */
    int32_t next = k->kept[p];
    for (int64_t i = part_begin(k->list->n, p, k->parts); i < part_begin(k->list->n, p + 1, k->parts); ++i) {
      if (id[i] != k->base + i) continue;
      if (copy) {
        memcpy(block->nodes + (int64_t)next * k->n_node, k->list->nodes + i * k->n_node,
               (size_t)k->n_node * sizeof *block->nodes);
        block->tag[next] = k->list->tag[i];
      }
      id[i] = ~(block->first + next++);
    }
  }
#pragma omp parallel for schedule(static) num_threads(k->parts)
  for (int32_t i = 0; i < k->list->n; ++i)
    if (id[i] >= 0) __atomic_store_n(&id[i], __atomic_load_n(&id[id[i] - k->base], __ATOMIC_RELAXED), __ATOMIC_RELAXED);
#pragma omp parallel for schedule(static) num_threads(k->parts)
  for (int32_t i = 0; i < k->list->n; ++i) id[i] = ~id[i];
}

/* The arrays of the list become the block's own where all its elements stay. */
static Status make_block(Finish *f, int kind) {
  MshElements *list = &f->raw->list[kind];
  Keep keep;
  TRY(count_kept(f, kind, &keep));
  ElementBlock *block = &f->mesh->block[f->mesh->n_block++];
  *block = (ElementBlock){.kind = (ElementKind)kind, .n = keep.kept[keep.parts], .first = f->mesh->n_element};
  Status status = OK;
  if (block->n == list->n) {
    block->nodes = list->nodes;
    block->tag = list->tag;
    list->nodes = NULL;
    list->tag = NULL;
    TRY_DONE(mem_resize((int64_t)block->n * keep.n_node, sizeof *block->nodes, "elements", (void **)&block->nodes));
    TRY_DONE(mem_resize(block->n, sizeof *block->tag, "element numbers", (void **)&block->tag));
  } else {
    ALLOC_DONE(block->nodes, (int64_t)block->n * keep.n_node, "elements");
    ALLOC_DONE(block->tag, block->n, "element numbers");
  }
  f->merged |= block->n < list->n;
  number_elements(&keep, block);
  f->mesh->n_element += block->n;
done:
  FREE(keep.kept);
  return status;
}

static Status make_blocks(Finish *f) {
  Mesh *mesh = f->mesh;
  int32_t n_block = 0;
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) n_block += f->raw->list[kind].n > 0;
  ALLOC(mesh->block, n_block, "element blocks");
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) {
    if (f->raw->list[kind].n == 0) continue;
    const ElementType *type = element_type((ElementKind)kind);
    TRY(make_block(f, kind));
    if (type->dim > mesh->dim) mesh->dim = type->dim;
  }
  return OK;
}

/* Each number once, so that its values go to a place of their own: the numbers of the file ascend as a rule. */
static bool data_ascends(const MshData *data) {
  int64_t falls = 0;
#pragma omp parallel for schedule(static) num_threads(parts_of(data->n)) reduction(+ : falls)
  for (int32_t i = 1; i < data->n; ++i) falls += data->tag[i] <= data->tag[i - 1];
  return falls == 0;
}

/* Where entry i of the data belongs, -1: nowhere. */
static int32_t data_place(const Finish *f, const MshData *data, int32_t i) {
  const int32_t at = tag_map_find(data->on_nodes ? &f->raw->node_of : &f->raw_of, data->tag[i]);
  return at >= 0 && !data->on_nodes ? f->id[at] : at;
}

static Status make_field(const Finish *f, MshData *data) {
  Mesh *mesh = f->mesh;
  MeshField *field = &mesh->field[mesh->n_field++];
  const int64_t n = data->on_nodes ? mesh->n_node : mesh->n_element;
  *field = (MeshField){.name = data->name, .on_nodes = data->on_nodes, .n_component = data->n_component};
  data->name = NULL;
  const int32_t n_component = data->n_component;
  ALLOC(field->value, n * n_component, "values of a field");
#pragma omp parallel for schedule(static) num_threads(parts_of(n *n_component))
  for (int64_t i = 0; i < n * n_component; ++i) field->value[i] = (double)NAN;
  const bool apart = data_ascends(data) && (data->on_nodes || !f->merged);
  int64_t n_missing = 0;
#pragma omp parallel for schedule(static) reduction(+ : n_missing) if (apart && data->n > PART_WORTH)
  for (int32_t i = 0; i < data->n; ++i) {
    const int32_t at = data_place(f, data, i);
    n_missing += at < 0;
    for (int32_t c = 0; c < n_component && at >= 0; ++c)
      field->value[(int64_t)at * n_component + c] = data->value[(int64_t)i * n_component + c];
  }
  SourceList missing = {0};
  for (int32_t i = 0; i < data->n && n_missing; ++i)
    if (data_place(f, data, i) < 0) source_list_add(&missing, data->at, "%lld", (long long)data->tag[i]);
  char what[300];
  snprintf(what, sizeof what, "field '%.200s' has values for %s that are not in the mesh", field->name,
           data->on_nodes ? "nodes" : "elements");
  return source_list_fail(f->source, &missing, what,
                          "the file is damaged or was joined from two meshes: write it again");
}

static Status msh_finish_finish(Finish *f, const char *path) {
  MshRaw *raw = f->raw;
  Mesh *mesh = f->mesh;
  TRY(msh_raw_bare(raw));
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) {
    CHECK(raw->list[kind].n < INT32_MAX - f->base[kind], ERR_MESH, "%s: more than %d elements are not supported", path,
          INT32_MAX - 1);
    f->base[kind + 1] = f->base[kind] + raw->list[kind].n;
  }
  ALLOC(f->id, f->base[N_ELEMENT_KINDS], "element ids");
  TRY(mem_text(path, "mesh path", &mesh->path));
  TRY(msh_groups_make(f));
  TRY(merge_repeated(f));
  TRY(map_tags(f));
  int32_t dim = 0;
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind)
    if (raw->list[kind].n && element_type((ElementKind)kind)->dim > dim) dim = element_type((ElementKind)kind)->dim;
  TRY(msh_outline(raw, dim, &mesh->outline));
  TRY(make_blocks(f));
  TRY(msh_groups_fill(f));
  mesh->n_node = raw->n_node;
  ALLOC(mesh->field, raw->n_data, "fields");
  for (int32_t d = 0; d < raw->n_data; ++d) TRY(make_field(f, &raw->data[d]));
  mesh->x = raw->x;
  mesh->node_tag = raw->node_tag;
  raw->x = NULL;
  raw->node_tag = NULL; /* node_of may point to it, but is asked no more */
  return OK;
}

Status msh_finish(MshRaw *raw, const TextSource *source, const char *path, Mesh **out) {
  Finish f = {.raw = raw, .source = source};
  ALLOC(f.mesh, 1, "mesh");
  const Status status = msh_finish_finish(&f, path);
  FREE(f.id);
  FREE(f.tag);
  tag_map_destroy(&f.raw_of);
  if (status != OK) mesh_destroy(&f.mesh);
  *out = f.mesh;
  return status;
}
