#include "output/shrink.h"

#include "core/memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Messages of an object header of version 1, and what they are long at most. */
enum {
  PREFIX = 16,
  MESSAGE_HEAD = 8,
  DATASPACE = 0x0001,
  LAYOUT = 0x0008,
  CONTINUATION = 0x0010,
  BLOCK_MOST = 65536,
  BLOCKS = 8
};

#if H5_VERSION_GE(1, 12, 0)
typedef H5O_info1_t ObjectInfo;
#define OBJECT_INFO(object, info) H5Oget_info_by_name2(object, ".", info, H5O_INFO_BASIC, H5P_DEFAULT)
#else
typedef H5O_info_t ObjectInfo;
#define OBJECT_INFO(object, info) H5Oget_info_by_name(object, ".", info, H5P_DEFAULT)
#endif

/* The numbers of one array that change: where they stand, and what they become. */
typedef struct Change {
  int64_t extent, most, size; /* places in the file; most: 0 where there is none */
  int64_t rows, bytes;
} Change;

typedef struct Search {
  const char *path;
  const Layout *layout;
  int descriptor;
  int64_t n_step;
  int64_t n, room;
  Change *change; /* owned */
  bool strange;   /* a header that is not understood */
  Status status;
} Search;

static int64_t number_at(const unsigned char *p, int n) {
  uint64_t value = 0;
  while (n-- > 0) value = value << 8 | p[n];
  return (int64_t)value;
}

/* Version 1 or 2 of the message about the extent. */
static void read_extent(const unsigned char *p, int64_t n, int64_t place, int64_t rows, Change *out) {
  const int64_t head = p[0] == 1 ? 8 : 4, rank = p[1];
  if (p[0] < 1 || p[0] > 2 || rank < 1 || n < head + 8 * rank || number_at(p + head, 8) != rows) return;
  out->extent = place + head;
  if ((p[2] & 1) && n >= head + 16 * rank) out->most = place + head + 8 * rank;
}

/* Version 3 of the message about contiguous storage. */
static void read_layout(const unsigned char *p, int64_t n, int64_t place, int64_t bytes, Change *out) {
  if (n >= 18 && p[0] == 3 && p[1] == 1 && number_at(p + 10, 8) == bytes) out->size = place + 10;
}

static bool read_block(int file, int64_t place, int64_t n, unsigned char *block) {
  return n > 0 && n <= BLOCK_MOST && pread(file, block, (size_t)n, place) == (ssize_t)n;
}

/* Walks over the messages of a header that has `rows` rows in `bytes` bytes. */
static bool read_header(int file, int64_t header, int64_t rows, int64_t bytes, unsigned char *block, Change *out) {
  int64_t place[BLOCKS] = {0}, size[BLOCKS] = {0};
  int n_block = 1;
  if (!read_block(file, header, PREFIX, block) || block[0] != 1) return false;
  place[0] = header + PREFIX, size[0] = number_at(block + 8, 4);
  for (int b = 0; b < n_block; ++b) {
    if (!read_block(file, place[b], size[b], block)) return false;
    for (int64_t at = 0; at + MESSAGE_HEAD <= size[b];) {
      const int64_t type = number_at(block + at, 2), n = number_at(block + at + 2, 2), data = at + MESSAGE_HEAD;
      if (data + n > size[b]) return false;
      if (type == DATASPACE) read_extent(block + data, n, place[b] + data, rows, out);
      if (type == LAYOUT) read_layout(block + data, n, place[b] + data, bytes, out);
      if (type == CONTINUATION && n >= 16 && n_block < BLOCKS) {
        place[n_block] = number_at(block + data, 8);
        size[n_block++] = number_at(block + data + 8, 8);
      }
      at = data + n;
    }
  }
  return out->extent > 0 && out->size > 0;
}

/* Rows of a step, 0 where the array does not go by steps. */
static int64_t rows_of_step(const Layout *layout, const char *name) {
  if (strncmp(name, "Steps/", 6) == 0) return strcmp(name, "Steps/Values") == 0 ? 0 : 1;
  for (int32_t f = 0; f < layout->n_field; ++f) {
    char path[FIELD_PATH];
    layout_field_path(&layout->field[f], path, sizeof path);
    if (strcmp(path + strlen("/VTKHDF/"), name) == 0)
      return layout->field[f].once ? 0 : layout_rows(layout, &layout->field[f]);
  }
  return 0;
}

static bool is_packed(hid_t data) {
  const hid_t list = H5Dget_create_plist(data);
  const bool packed = H5Pget_layout(list) == H5D_CHUNKED;
  H5Pclose(list);
  return packed;
}

/* Chunks can be left out by HDF5 itself. */
static Status shrink_packed(hid_t file, const char *path, const Layout *layout, int64_t n_step) {
  for (int32_t f = 0; f < layout->n_field; ++f) {
    const WriterField *field = &layout->field[f];
    char name[FIELD_PATH];
    layout_field_path(field, name, sizeof name);
    if (layout_chunk_rows(layout, field) == 0) continue;
    if (!h5_rows_resize(file, name, n_step * layout_rows(layout, field)))
      return h5_error(path, "write the length of '%s' to", field->name);
  }
  return H5Fflush(file, H5F_SCOPE_LOCAL) >= 0 ? OK : h5_error(path, "write the lengths of the fields to");
}

static Status shrink_add(Search *s, hid_t data, const char *name) {
  ObjectInfo info;
  unsigned char *block = NULL;
  const int64_t step = rows_of_step(s->layout, name), rows = step * s->layout->n_step;
  if (step == 0 || is_packed(data)) return OK;
  if (s->n == s->room) {
    s->room = 2 * s->room + 16;
    RESIZE(s->change, s->room, "the arrays of a result");
  }
  Change *change = &s->change[s->n++];
  *change = (Change){0};
  const int64_t bytes = (int64_t)H5Dget_storage_size(data);
  ALLOC(block, BLOCK_MOST, "the head of an array");
  if (OBJECT_INFO(data, &info) < 0 || !read_header(s->descriptor, (int64_t)info.addr, rows, bytes, block, change))
    s->strange = true;
  FREE(block);
  change->rows = step * s->n_step;
  change->bytes = bytes / s->layout->n_step * s->n_step;
  return OK;
}

static herr_t shrink_visit(hid_t group, const char *name, const H5L_info_t *info, void *context) {
  Search *s = context;
  const hid_t object = info->type == H5L_TYPE_HARD ? H5Oopen(group, name, H5P_DEFAULT) : -1;
  if (object < 0) return -1;
  if (H5Iget_type(object) == H5I_DATASET) s->status = shrink_add(s, object, name);
  H5Oclose(object);
  return s->status == OK ? 0 : 1; /* positive: stop, and no error of HDF5 */
}

static bool put_number(int file, int64_t place, int64_t value) {
  unsigned char bytes[8];
  for (int i = 0; i < 8; ++i) bytes[i] = (unsigned char)((uint64_t)value >> 8 * i);
  return pwrite(file, bytes, sizeof bytes, place) == (ssize_t)sizeof bytes;
}

/* The extent first: space that is too large is allowed in between. */
static Status write_changes(const Search *s) {
  bool good = true;
  for (int64_t i = 0; i < s->n && good; ++i) {
    const Change *change = &s->change[i];
    good = put_number(s->descriptor, change->extent, change->rows) &&
           (!change->most || put_number(s->descriptor, change->most, change->rows)) &&
           put_number(s->descriptor, change->size, change->bytes);
  }
  CHECK(good, ERR_IO, "cannot write the lengths of the fields to '%s': %s", s->path, strerror(errno));
  return OK;
}

Status result_shrink(hid_t file, int descriptor, const char *path, const Layout *layout, int64_t n_step, bool *done) {
  Search search = {.path = path, .layout = layout, .descriptor = descriptor, .n_step = n_step};
  *done = false;
  const hid_t group = H5Gopen2(file, "/VTKHDF", H5P_DEFAULT);
  const herr_t visited = group >= 0 ? H5Lvisit(group, H5_INDEX_NAME, H5_ITER_INC, shrink_visit, &search) : -1;
  if (group >= 0) H5Gclose(group);
  Status status = search.status;
  if (status == OK && visited >= 0 && !search.strange) {
    *done = true;
    status = write_changes(&search);
    if (status == OK && layout->packed) status = shrink_packed(file, path, layout, n_step);
  }
  FREE(search.change);
  return status;
}
