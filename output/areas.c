#include "output/areas.h"

#include "core/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Search {
  Areas *areas;
  Status status;
} Search;

/* Of contiguous data, or of the one chunk of a series; false where they lie otherwise. */
static bool place_of(hid_t data, int64_t *place, int64_t *bytes) {
  const hid_t list = H5Dget_create_plist(data);
  const H5D_layout_t layout = H5Pget_layout(list);
  const hsize_t first[H5S_MAX_RANK] = {0};
  hsize_t size = 0;
  haddr_t at = HADDR_UNDEF;
  unsigned mask = 0;
  if (layout == H5D_CONTIGUOUS) {
    at = H5Dget_offset(data);
    size = H5Dget_storage_size(data);
  } else if (layout != H5D_CHUNKED || H5Dget_chunk_info_by_coord(data, first, &mask, &at, &size) < 0) {
    at = HADDR_UNDEF;
  }
  H5Pclose(list);
  *place = (int64_t)at, *bytes = (int64_t)size;
  return at != HADDR_UNDEF && size > 0;
}

static Status areas_add(Areas *areas, hid_t data, const char *name) {
  Area area = {0};
  if (!place_of(data, &area.place, &area.bytes)) return OK;
  snprintf(area.name, sizeof area.name, "/%s", name);
  if (areas->n == areas->room) {
    areas->room = 2 * areas->room + 64;
    RESIZE(areas->area, areas->room, "the places of a result's data");
  }
  areas->area[areas->n++] = area;
  return OK;
}

static herr_t areas_visit(hid_t file, const char *name, const H5L_info_t *info, void *context) {
  Search *search = context;
  const hid_t object = info->type == H5L_TYPE_HARD ? H5Oopen(file, name, H5P_DEFAULT) : -1;
  if (object < 0) return info->type == H5L_TYPE_HARD ? -1 : 0;
  if (H5Iget_type(object) == H5I_DATASET) search->status = areas_add(search->areas, object, name);
  H5Oclose(object);
  return search->status == OK ? 0 : 1; /* positive: stop, and no error of HDF5 */
}

static int by_place(const void *a, const void *b) {
  const Area *p = a, *q = b;
  return p->place < q->place ? -1 : p->place > q->place;
}

void areas_sort(Areas *areas) {
  if (areas->n > 0) qsort(areas->area, (size_t)areas->n, sizeof *areas->area, by_place);
}

Status areas_find(hid_t file, const char *path, Areas *out) {
  *out = (Areas){0};
  Search search = {out, OK};
  const herr_t visited = H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, areas_visit, &search);
  Status status = search.status;
  if (status == OK && visited < 0) status = h5_error(path, "find the data of");
  areas_sort(out);
  for (int32_t i = 1; i < out->n && status == OK; ++i)
    if (out->area[i].place < out->area[i - 1].place + out->area[i - 1].bytes)
      status = FAIL(ERR_IO, "'%s' is damaged: %s and %s overlap", path, out->area[i - 1].name, out->area[i].name);
  if (status != OK) areas_release(out);
  return status;
}

const Area *areas_of(const Areas *areas, const char *name) {
  for (int32_t i = 0; i < areas->n; ++i)
    if (strcmp(areas->area[i].name, name) == 0) return &areas->area[i];
  return NULL;
}

void areas_release(Areas *areas) {
  FREE(areas->area);
  *areas = (Areas){0};
}
