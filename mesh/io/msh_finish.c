/* From what the sections of a .msh file say to a Mesh: groups, elements that format 2.2 repeats for each group they are
 * in, blocks by kind, fields by number. */
#include "core/memory.h"
#include "mesh/io/msh_raw.h"
#include "mesh/same_nodes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Raw elements are counted through all kinds in order: raw index = base[kind] + place in its list. */
typedef struct Finish {
  MshRaw *raw;
  const TextSource *source;
  Mesh *mesh;
  int32_t base[N_ELEMENT_KINDS + 1];
  int32_t *id;   /* owned, [base[N_ELEMENT_KINDS]], element id of a raw element */
  int64_t *tag;  /* owned, same length or NULL: not requested, number in the file of a raw element */
  TagMap raw_of; /* of tag */
} Finish;

static int compare_groups(const void *a, const void *b) {
  const MshGroup *p = a, *q = b;
  if (p->dim != q->dim) return p->dim < q->dim ? -1 : 1;
  if (p->number != q->number) return p->number < q->number ? -1 : 1;
  return (p->name ? 0 : 1) - (q->name ? 0 : 1); /* the named one first */
}

/* The groups that the file names or uses, once each, in order of dimension and number. */
static Status make_groups(Finish *f) {
  MshRaw *raw = f->raw;
  Mesh *mesh = f->mesh;
  if (raw->n_group) qsort(raw->group, (size_t)raw->n_group, sizeof *raw->group, compare_groups);
  int32_t n = 0;
  for (int32_t i = 0; i < raw->n_group; ++i)
    n += i == 0 || raw->group[i].dim != raw->group[i - 1].dim || raw->group[i].number != raw->group[i - 1].number;
  ALLOC(mesh->group, n, "groups");
  for (int32_t i = 0; i < raw->n_group; ++i) {
    MshGroup *from = &raw->group[i];
    const Group *last = mesh->n_group ? &mesh->group[mesh->n_group - 1] : NULL;
    if (last && last->dim == from->dim && last->number == from->number) continue;
    Group *group = &mesh->group[mesh->n_group++];
    *group = (Group){.name = from->name, .dim = from->dim, .number = from->number};
    from->name = NULL;
    if (group->name) continue;
    ALLOC(group->name, 12, "group name");
    snprintf(group->name, 12, "%d", group->number);
  }
  return OK;
}

static int compare_names(const void *a, const void *b) {
  const Group *p = *(const Group *const *)a, *q = *(const Group *const *)b;
  const int order = strcmp(p->name, q->name);
  return order ? order : (p->dim > q->dim) - (p->dim < q->dim);
}

/* Two groups of one dimension must not share a name: a case could not tell them apart. */
static Status check_group_names(Finish *f) {
  const Mesh *mesh = f->mesh;
  const Group **sorted;
  ALLOC(sorted, mesh->n_group, "groups by name");
  for (int32_t g = 0; g < mesh->n_group; ++g) sorted[g] = &mesh->group[g];
  if (mesh->n_group) qsort(sorted, (size_t)mesh->n_group, sizeof *sorted, compare_names);
  Status status = OK;
  for (int32_t g = 1; g < mesh->n_group && status == OK; ++g)
    if (compare_names(&sorted[g - 1], &sorted[g]) == 0)
      status = FAIL(ERR_MESH,
                    "%s: physical groups %d and %d of dimension %d are both called '%.200s'; give each its own name",
                    f->source->label, sorted[g - 1]->number, sorted[g]->number, sorted[g]->dim, sorted[g]->name);
  FREE(sorted);
  return status;
}

/* In format 2.2 an element stands once for each group it is in: the same nodes again with another group (or the same
 * number) are the same element. f->id becomes the raw index of the element itself. */
static Status merge_repeated(Finish *f) {
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) {
    const MshElements *list = &f->raw->list[kind];
    int32_t *id = f->id + f->base[kind];
    if (f->raw->format == 2 && list->n)
      TRY(same_nodes_find(list->nodes, list->n, element_type((ElementKind)kind)->n_node, id));
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
  bool wanted = !raw->ascending;
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

/* Moves the kept elements of each kind to the front of their arrays, which become the block's own. */
static Status make_blocks(Finish *f) {
  Mesh *mesh = f->mesh;
  int32_t n_block = 0;
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) n_block += f->raw->list[kind].n > 0;
  ALLOC(mesh->block, n_block, "element blocks");
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) {
    MshElements *list = &f->raw->list[kind];
    if (!list->n) continue;
    const ElementType *type = element_type((ElementKind)kind);
    ElementBlock *block = &mesh->block[mesh->n_block++];
    *block =
        (ElementBlock){.kind = (ElementKind)kind, .first = mesh->n_element, .nodes = list->nodes, .tag = list->tag};
    list->nodes = NULL;
    list->tag = NULL;
    for (int32_t i = 0; i < list->n; ++i) {
      int32_t *id = &f->id[f->base[kind] + i];
      if (*id != f->base[kind] + i) {
        *id = f->id[*id]; /* an earlier one, which has its final id */
        continue;
      }
      if (block->n < i) {
        memcpy(block->nodes + (int64_t)block->n * type->n_node, block->nodes + (int64_t)i * type->n_node,
               (size_t)type->n_node * sizeof *block->nodes);
        block->tag[block->n] = block->tag[i];
      }
      *id = block->first + block->n++;
    }
    mesh->n_element += block->n;
    if (type->dim > mesh->dim) mesh->dim = type->dim;
    RESIZE(block->nodes, (int64_t)block->n * type->n_node, "elements");
    RESIZE(block->tag, block->n, "element numbers");
  }
  return OK;
}

static Group *find_group(Mesh *mesh, int32_t dim, int32_t number) {
  int32_t low = 0, high = mesh->n_group;
  while (low < high) {
    const int32_t middle = low + (high - low) / 2;
    const Group *g = &mesh->group[middle];
    if (g->dim < dim || (g->dim == dim && g->number < number)) low = middle + 1;
    else high = middle;
  }
  return &mesh->group[low]; /* every number in use was noted, so it is there */
}

/* Calls for every (group, element) pair; add counts or stores. */
static void each_member(Finish *f, void (*add)(Group *group, int32_t element)) {
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) {
    const MshElements *list = &f->raw->list[kind];
    const int32_t dim = list->n ? element_type((ElementKind)kind)->dim : 0;
    Group *last = NULL;
    for (int32_t i = 0; i < list->n; ++i) {
      const int32_t owner = list->owner[i], id = f->id[f->base[kind] + i];
      if (f->raw->format == 2) {
        if (owner && (!last || last->number != owner)) last = find_group(f->mesh, dim, owner);
        if (owner) add(last, id);
        continue;
      }
      const MshEntity *entity = &f->raw->entity[owner];
      for (int32_t p = 0; p < entity->n; ++p) {
        const int32_t number = f->raw->physical[entity->first + p];
        if (!last || last->number != number) last = find_group(f->mesh, dim, number);
        add(last, id);
      }
    }
  }
}

static void count_member(Group *group, int32_t element) {
  (void)element;
  ++group->n;
}

static void store_member(Group *group, int32_t element) { group->element[group->n++] = element; }

static int compare_ids(const void *a, const void *b) {
  const int32_t p = *(const int32_t *)a, q = *(const int32_t *)b;
  return (p > q) - (p < q);
}

/* Ascending, each element once. */
static void sort_members(Group *group) {
  bool ascending = true;
  for (int32_t i = 1; i < group->n && ascending; ++i) ascending = group->element[i] > group->element[i - 1];
  if (ascending) return;
  qsort(group->element, (size_t)group->n, sizeof *group->element, compare_ids);
  int32_t n = 0;
  for (int32_t i = 0; i < group->n; ++i)
    if (n == 0 || group->element[i] != group->element[n - 1]) group->element[n++] = group->element[i];
  group->n = n;
}

static Status fill_groups(Finish *f) {
  Mesh *mesh = f->mesh;
  each_member(f, count_member);
  for (int32_t g = 0; g < mesh->n_group; ++g) {
    ALLOC(mesh->group[g].element, mesh->group[g].n, "elements of a group");
    mesh->group[g].n = 0;
  }
  each_member(f, store_member);
  for (int32_t g = 0; g < mesh->n_group; ++g) sort_members(&mesh->group[g]);
  return OK;
}

static Status make_field(const Finish *f, MshData *data) {
  Mesh *mesh = f->mesh;
  MeshField *field = &mesh->field[mesh->n_field++];
  const int64_t n = data->on_nodes ? mesh->n_node : mesh->n_element;
  *field = (MeshField){.name = data->name, .on_nodes = data->on_nodes, .n_component = data->n_component};
  data->name = NULL;
  const size_t bytes = (size_t)data->n_component * sizeof *field->value;
  ALLOC(field->value, n * data->n_component, "values of a field");
  for (int64_t i = 0; i < n * data->n_component; ++i) field->value[i] = (double)NAN;
  SourceList missing = {0};
  for (int32_t i = 0; i < data->n; ++i) {
    int32_t at = tag_map_find(data->on_nodes ? &f->raw->node_of : &f->raw_of, data->tag[i]);
    if (at < 0) source_list_add(&missing, data->at, "%lld", (long long)data->tag[i]);
    if (at >= 0 && !data->on_nodes) at = f->id[at];
    if (at >= 0)
      memcpy(field->value + (int64_t)at * data->n_component, data->value + (int64_t)i * data->n_component, bytes);
  }
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
  ALLOC(mesh->path, strlen(path) + 1, "mesh path");
  memcpy(mesh->path, path, strlen(path));
  TRY(make_groups(f));
  TRY(check_group_names(f));
  TRY(merge_repeated(f));
  TRY(map_tags(f));
  int32_t dim = 0;
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind)
    if (raw->list[kind].n && element_type((ElementKind)kind)->dim > dim) dim = element_type((ElementKind)kind)->dim;
  TRY(msh_outline(raw, dim, &mesh->outline));
  TRY(make_blocks(f));
  TRY(fill_groups(f));
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
