/* Whether an HDF5 file leads to other files. The format lets a file name any other that its reader may open: external
 * links, external storage, virtual datasets; and programs that HDF5 would load: filters. */
#include "mesh/io/h5.h"

#include <stdio.h>
#include <string.h>

/* A killed run may leave this group of a result unfinished; of what is in it only the shapes are looked at. */
static const char UNFINISHED[] = "/Sinew/history";
enum { PATH_BYTES = 512, DEPTH_MOST = 64, SEEN_MOST = 256 };

typedef struct Walk {
  const char *label;
  Status broken, status;
  char path[PATH_BYTES]; /* of the group that is looked at; empty: the root */
  int depth, n_seen;
  haddr_t seen[SEEN_MOST]; /* groups with several names */
} Walk;

static Status refuse(const Walk *walk, const char *name, const char *what) {
  return FAIL(walk->broken,
              "%s: %s/%s %s\n  a file of Sinew holds all of its numbers itself; ask who made it for one that does",
              walk->label, walk->path, name, what);
}

/* HDF5 numbers the filters that it brings itself below H5Z_FILTER_RESERVED. */
static bool filters_known(hid_t list) {
  const int n = H5Pget_nfilters(list);
  bool known = n >= 0;
  for (int i = 0; i < n && known; ++i) {
    unsigned flags;
    size_t n_value = 0;
    const H5Z_filter_t filter = H5Pget_filter2(list, (unsigned)i, &flags, &n_value, NULL, 0, NULL, NULL);
    known = filter >= 0 && filter < H5Z_FILTER_RESERVED;
  }
  return known;
}

static Status check_dataset(const Walk *walk, const char *name, hid_t set) {
  hid_t list = H5Dget_create_plist(set);
  if (list < 0) return refuse(walk, name, "cannot be read (the file is damaged)");
  Status status = OK;
  const H5D_layout_t layout = H5Pget_layout(list);
  if (layout == H5D_VIRTUAL) status = refuse(walk, name, "is made of the data of other files (a virtual dataset)");
  else if (H5Pget_external_count(list) != 0)
    status = refuse(walk, name, "has its numbers in another file (external storage)");
  else if (!filters_known(list)) status = refuse(walk, name, "needs a filter that is not part of HDF5");
  h5_close(&list);
  return status;
}

static herr_t inspect_link(hid_t group, const char *name, const H5L_info_t *link, void *context);

/* Is this group looked at for the first time? One with a single name is. */
static bool is_new(Walk *walk, hid_t group) {
  H5O_info_t info;
  if (H5Oget_info(group, &info) < 0 || info.rc <= 1) return true;
  for (int i = 0; i < walk->n_seen; ++i)
    if (walk->seen[i] == info.addr) return false;
  if (walk->n_seen < SEEN_MOST) walk->seen[walk->n_seen] = info.addr;
  ++walk->n_seen;
  return true;
}

static Status inspect_group(Walk *walk, hid_t group) {
  if (!is_new(walk, group)) return OK;
  CHECK(walk->depth < DEPTH_MOST && walk->n_seen <= SEEN_MOST, walk->broken,
        "%s: %s: groups of this HDF5 file lie more than %d deep, or more than %d of them have several names",
        walk->label, walk->path, DEPTH_MOST, SEEN_MOST);
  ++walk->depth;
  const herr_t end = H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, inspect_link, walk);
  --walk->depth;
  CHECK(end >= 0 || strcmp(walk->path, UNFINISHED) == 0, walk->broken, "%s: is damaged: the group %s/ cannot be read",
        walk->label, walk->path);
  return walk->status;
}

static Status inspect_below(Walk *walk, const char *name, hid_t group) {
  const size_t before = strlen(walk->path);
  if (before + strlen(name) + 2 > sizeof walk->path) return refuse(walk, name, "has too long a name");
  snprintf(walk->path + before, sizeof walk->path - before, "/%s", name);
  const Status status = inspect_group(walk, group);
  walk->path[before] = 0;
  return status;
}

/* An object that cannot be opened is skipped here: whoever wants it is told. */
static herr_t inspect_link(hid_t group, const char *name, const H5L_info_t *link, void *context) {
  Walk *walk = context;
  if (link->type == H5L_TYPE_SOFT) return 0; /* a path in this file, which has no way out by what follows */
  if (link->type != H5L_TYPE_HARD) {
    walk->status = refuse(walk, name, "is a link into another file (an external link)");
    return 1;
  }
  const hid_t object = H5Oopen(group, name, H5P_DEFAULT);
  if (object < 0) return 0;
  const H5I_type_t kind = H5Iget_type(object);
  if (kind == H5I_DATASET) walk->status = check_dataset(walk, name, object);
  if (kind == H5I_GROUP) walk->status = inspect_below(walk, name, object);
  H5Oclose(object);
  return walk->status == OK ? 0 : 1; /* positive: stop, and no error of HDF5 */
}

Status h5_check_inside(hid_t file, const char *label, Status broken) {
  Walk walk = {.label = label, .broken = broken};
  H5PLset_loading_state(0); /* no filter of others is ever loaded, by whatever way it is asked for */
  hid_t root = H5Gopen2(file, "/", H5P_DEFAULT);
  CHECK(root >= 0, broken, "%s: is damaged: its root group cannot be read", label);
  const Status status = inspect_group(&walk, root);
  h5_close(&root);
  return status;
}
