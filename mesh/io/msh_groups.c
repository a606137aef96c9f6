/* Groups of a .msh file and their elements. */
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/id_set.h"
#include "mesh/io/msh_finish.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare_groups(const void *a, const void *b) {
  const MshGroup *p = a, *q = b;
  if (p->dim != q->dim) return p->dim < q->dim ? -1 : 1;
  if (p->number != q->number) return p->number < q->number ? -1 : 1;
  return (p->name ? 0 : 1) - (q->name ? 0 : 1); /* the named one first */
}

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

Status msh_groups_make(Finish *f) {
  TRY(make_groups(f));
  return check_group_names(f);
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

/* Elements [begin, end) of a kind: counts their groups in count[n_group], or puts their ids where it says. */
static void each_member(const Finish *f, int kind, int64_t begin, int64_t end, bool store, int32_t *count) {
  const MshElements *list = &f->raw->list[kind];
  const int32_t dim = element_type((ElementKind)kind)->dim;
  const Group *last = NULL;
  for (int64_t i = begin; i < end; ++i) {
    const int32_t owner = list->owner[i], id = f->id[f->base[kind] + i];
    const MshEntity *entity = f->raw->format == 2 ? NULL : &f->raw->entity[owner];
    const int32_t n = entity ? entity->n : owner != 0;
    for (int32_t p = 0; p < n; ++p) {
      const int32_t number = entity ? f->raw->physical[entity->first + p] : owner;
      if (!last || last->number != number) last = find_group(f->mesh, dim, number);
      int32_t *at = &count[last - f->mesh->group];
      if (store) last->element[*at] = id;
      ++*at;
    }
  }
}

/* How many members the groups have before each part of the elements of a kind; n of the groups grows by those of all. */
static void count_members(const Finish *f, int kind, int parts, int32_t *count) {
  const int32_t n_group = f->mesh->n_group;
  const int64_t n = f->raw->list[kind].n;
  memset(count, 0, (size_t)parts * (size_t)n_group * sizeof *count);
#pragma omp parallel for schedule(static) num_threads(parts)
  for (int p = 0; p < parts; ++p)
    each_member(f, kind, part_begin(n, p, parts), part_begin(n, p + 1, parts), false, count + (int64_t)p * n_group);
  for (int32_t g = 0; g < n_group; ++g)
    for (int p = 0; p < parts; ++p) {
      int32_t *at = &count[(int64_t)p * n_group + g], here = *at;
      *at = f->mesh->group[g].n;
      f->mesh->group[g].n += here;
    }
}

/* Kind by kind, all elements of one by parts; the table of counts shall stay small beside the mesh. */
Status msh_groups_fill(Finish *f) {
  enum { MOST_COUNTS = 1 << 20 };
  Mesh *mesh = f->mesh;
  const int32_t n_group = mesh->n_group;
  const int most = n_group && MOST_COUNTS / n_group < parts_of(INT32_MAX) ? 1 : parts_of(INT32_MAX);
  int32_t *count = NULL;
  Status status = OK;
  ALLOC_DONE(count, (int64_t)most * n_group, "members of groups");
  for (int store = 0; store < 2; ++store) {
    for (int32_t g = 0; g < n_group; ++g) {
      if (store) ALLOC_DONE(mesh->group[g].element, mesh->group[g].n, "elements of a group");
      mesh->group[g].n = 0;
    }
    for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) {
      const int64_t n = f->raw->list[kind].n;
      const int parts = n_group && parts_of(n) < most ? parts_of(n) : most;
      if (n == 0 || n_group == 0) continue;
      count_members(f, kind, parts, count);
#pragma omp parallel for schedule(static) num_threads(parts)
      for (int p = 0; p < parts * store; ++p)
        each_member(f, kind, part_begin(n, p, parts), part_begin(n, p + 1, parts), true, count + (int64_t)p * n_group);
    }
  }
  for (int32_t g = 0; g < n_group; ++g) TRY_DONE(id_set_make(mesh->group[g].element, &mesh->group[g].n));
done:
  FREE(count);
  return status;
}
