/* Families of a MED file to the groups that they stand for. */
#include "core/memory.h"
#include "mesh/io/h5.h"
#include "mesh/io/med_mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A group of nodes or of elements. */
typedef struct Named {
  char name[MED_GROUP_NAME + 1];
  bool nodes;
  int32_t twin;  /* of elements: the group of nodes that takes its points */
  int64_t n, at; /* items; where the next one goes */
  int32_t *item;
} Named;

/* `first`, `n`: its groups in Families.group. */
typedef struct Family {
  int32_t number, first, n;
} Family;

typedef struct Families {
  MedMesh *m;
  bool nodes; /* which list is read */
  int32_t n, room, n_group, room_group, n_named, room_named;
  Family *family; /* owned, ascending once all are read */
  int32_t *group; /* owned, [n_group], places in `named` */
  Named *named;   /* owned */
} Families;

static Status find_named(Families *f, const char *name, int32_t *out) {
  for (*out = 0; *out < f->n_named; ++*out)
    if (f->named[*out].nodes == f->nodes && !strcmp(f->named[*out].name, name)) return OK;
  if (f->n_named == f->room_named) {
    RESIZE(f->named, 2 * f->room_named + 16, "groups");
    f->room_named = 2 * f->room_named + 16;
  }
  Named *named = &f->named[f->n_named++];
  *named = (Named){.nodes = f->nodes};
  snprintf(named->name, sizeof named->name, "%s", name);
  return OK;
}

static Status add_name(Families *f, const char *letters) {
  char name[MED_GROUP_NAME + 1];
  int32_t k;
  snprintf(name, sizeof name, "%.*s", MED_GROUP_NAME, letters);
  for (size_t n = strlen(name); n && name[n - 1] == ' ';) name[--n] = 0;
  if (!*name) return OK;
  TRY(find_named(f, name, &k));
  if (f->n_group == f->room_group) {
    RESIZE(f->group, 2 * f->room_group + 16, "groups of families");
    f->room_group = 2 * f->room_group + 16;
  }
  f->group[f->n_group++] = k;
  ++f->family[f->n - 1].n;
  return OK;
}

/* Its names, of 80 letters each. */
static Status get_names(Families *f, hid_t family) {
  const hsize_t letters = MED_GROUP_NAME;
  char *name = NULL;
  hsize_t n = 0, size = 0;
  if (H5Lexists(family, "GRO", H5P_DEFAULT) <= 0) return OK;
  hid_t set = H5Lexists(family, "GRO/NOM", H5P_DEFAULT) > 0 ? H5Dopen2(family, "GRO/NOM", H5P_DEFAULT) : -1;
  hid_t space = set >= 0 ? H5Dget_space(set) : -1, type = set >= 0 ? H5Dget_type(set) : -1,
        memory = H5Tarray_create2(H5T_NATIVE_SCHAR, 1, &letters);
  const bool typed = type >= 0 && H5Tget_class(type) == H5T_ARRAY && H5Tget_array_ndims(type) == 1 &&
                     H5Tget_array_dims2(type, &size) == 1 && size == letters && H5Tget_size(type) == letters;
  const bool shaped = space >= 0 && H5Sget_simple_extent_ndims(space) == 1 &&
                      H5Sget_simple_extent_dims(space, &n, NULL) == 1 && (int64_t)n <= f->m->r.file_bytes;
  Status status = typed && shaped ? OK : h5_bad(&f->m->r, "GRO/NOM must be a list of names of 80 letters");
  if (status == OK) status = mem_alloc((int64_t)n, MED_GROUP_NAME, "names of groups", (void **)&name);
  if (status == OK && n && H5Dread(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, name) < 0)
    status = h5_bad(&f->m->r, "GRO/NOM cannot be read");
  for (hsize_t i = 0; i < n && status == OK; ++i) status = add_name(f, name + i * MED_GROUP_NAME);
  FREE(name);
  h5_close(&memory);
  h5_close(&type);
  h5_close(&space);
  h5_close(&set);
  return status;
}

static Status visit_family(void *context, hid_t list, const char *name) {
  Families *f = context;
  int64_t number = 0;
  snprintf(f->m->r.place, sizeof f->m->r.place, "/FAS/%.64s/%s/%.64s", f->m->name, f->nodes ? "NOEUD" : "ELEME", name);
  if (f->n == f->room) {
    RESIZE(f->family, 2 * f->room + 16, "families");
    f->room = 2 * f->room + 16;
  }
  hid_t at = H5Gopen2(list, name, H5P_DEFAULT);
  if (at < 0) return h5_bad(&f->m->r, "is not a group");
  hid_t attribute = H5Aexists(at, "NUM") > 0 ? H5Aopen(at, "NUM", H5P_DEFAULT) : -1;
  Status status = OK;
  if (attribute < 0 || H5Aread(attribute, H5T_NATIVE_INT64, &number) < 0 || number <= INT32_MIN || number >= INT32_MAX)
    status = h5_bad(&f->m->r, "attribute 'NUM' is missing or not a whole number");
  f->family[f->n++] = (Family){.number = (int32_t)number, .first = f->n_group};
  if (status == OK) status = get_names(f, at);
  h5_close(&attribute);
  h5_close(&at);
  return status;
}

static int order_families(const void *left, const void *right) {
  const Family *a = left, *b = right;
  return (a->number > b->number) - (a->number < b->number);
}

static Status read_families(Families *f) {
  hid_t root = H5Lexists(f->m->r.file, "FAS", H5P_DEFAULT) > 0 ? H5Gopen2(f->m->r.file, "FAS", H5P_DEFAULT) : -1;
  hid_t all = root >= 0 && H5Lexists(root, f->m->name, H5P_DEFAULT) > 0 ? H5Gopen2(root, f->m->name, H5P_DEFAULT) : -1;
  Status status = OK;
  for (int nodes = 0; nodes < 2 && all >= 0 && status == OK; ++nodes) {
    const char *name = nodes ? "NOEUD" : "ELEME";
    hid_t list = H5Lexists(all, name, H5P_DEFAULT) > 0 ? H5Gopen2(all, name, H5P_DEFAULT) : -1;
    f->nodes = nodes;
    if (list >= 0) status = med_each(list, visit_family, f);
    h5_close(&list);
  }
  h5_close(&all);
  h5_close(&root);
  if (f->n) qsort(f->family, (size_t)f->n, sizeof *f->family, order_families);
  return status;
}

/* NULL: family 0, and those that the file does not tell of, as of nodes where only elements have groups. */
static const Family *find_family(const Families *f, int32_t number) {
  const Family wanted = {.number = number};
  return number && f->n ? bsearch(&wanted, f->family, (size_t)f->n, sizeof wanted, order_families) : NULL;
}

/* Counts n items by their families, or puts them down: `first` + i, or, of points, their nodes. */
static void sort_items(Families *f, int32_t n, const int32_t *family, int32_t first, const int32_t *point, bool put) {
  const Family *at = NULL;
  for (int32_t i = 0; family && i < n; ++i) {
    if (!at || at->number != family[i]) at = find_family(f, family[i]);
    for (int32_t k = 0; at && k < at->n; ++k) {
      Named *named = &f->named[f->group[at->first + k]];
      if (point) named = &f->named[named->twin];
      if (put) named->item[named->at++] = point ? point[i] : first + i;
      else ++named->n;
    }
  }
}

static void sort_all(Families *f, bool put) {
  const MedMesh *m = f->m;
  sort_items(f, m->deck->n_node, m->node_family, 0, NULL, put);
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind)
    sort_items(f, kind == ELEMENT_POINT1 ? m->n_point : m->deck->list[kind].n, m->family[kind], m->deck->base[kind],
               kind == ELEMENT_POINT1 ? m->point : NULL, put);
}

/* Elements that are points are groups of nodes of the same name. */
static Status find_twins(Families *f) {
  const int32_t n = f->m->n_point ? f->n_named : 0;
  f->nodes = true;
  for (int32_t k = 0, twin; k < n; ++k) {
    if (f->named[k].nodes) continue;
    const Named of = f->named[k]; /* the list may move */
    TRY(find_named(f, of.name, &twin));
    f->named[k].twin = twin;
  }
  return OK;
}

static Status make_groups(Families *f, InpGroups *out) {
  TRY(find_twins(f));
  sort_all(f, false);
  for (int32_t k = 0; k < f->n_named; ++k) TRY(inp_groups_list(out, f->named[k].n, &f->named[k].item));
  sort_all(f, true);
  for (int32_t k = 0; k < f->n_named; ++k)
    if (f->named[k].n)
      TRY(inp_groups_add(out, f->named[k].name, f->named[k].nodes ? INP_NODES : INP_ELEMENTS, (int32_t)f->named[k].n,
                         f->named[k].item));
  return OK;
}

Status med_groups(MedMesh *m, InpGroups *out) {
  Families f = {.m = m};
  Status status = read_families(&f);
  if (status == OK) status = make_groups(&f, out);
  FREE(f.family);
  FREE(f.group);
  FREE(f.named);
  return status;
}
