/* Attributes and datasets of a mesh file: type and extents are checked before anything is allocated. */
#include "mesh/io/h5_get.h"
#include "core/child.h"
#include "core/memory.h"
#include "core/text_source.h"
#include "mesh/io/h5.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

Status h5_bad(const H5Reader *r, const char *text) {
  return FAIL(ERR_MESH, "%s: %s: %s; %s", r->label, r->place, text, r->remedy);
}

/* What h5_try does in the child. */
typedef struct Trial {
  const char *path;
  Status (*read)(const char *path, Mesh **out);
} Trial;

static Status read_and_forget(void *context, void *answer) {
  const Trial *trial = context;
  Mesh *mesh = NULL;
  const Status status = trial->read(trial->path, &mesh);
  (void)answer;
  mesh_destroy(&mesh);
  return status;
}

Status h5_try(const char *path, Status (*read)(const char *path, Mesh **out), const char *remedy) {
  enum { SECONDS = 60, BYTES_PER_SECOND = 20000000 };
  struct stat info;
  const int64_t more = stat(path, &info) == 0 ? (int64_t)info.st_size / BYTES_PER_SECOND : 0;
  const ChildParams params = {.what = path,
                              .doing = "read",
                              .broken = ERR_MESH,
                              .remedy = remedy,
                              .seconds = SECONDS + (int)(more < 86400 ? more : 86400)};
  return child_run(&params, read_and_forget, &(Trial){path, read}, NULL, 0);
}

Status h5_open(H5Reader *r, const char *path, const char *otherwise) {
  char head[SOURCE_HEAD];
  TRY(source_peek(path, path, head));
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_file_locking(access, 0, 1);
  r->file = H5Fis_hdf5(path) > 0 ? H5Fopen(path, H5F_ACC_RDONLY, access) : -1;
  h5_close(&access);
  if (r->file < 0)
    return FAIL(ERR_MESH, "%s: is not an HDF5 file that can be read%s%s", path,
                memcmp(head, "\x89HDF", 4) ? "" : " (it is damaged or cut off)", otherwise);
  TRY(h5_check_inside(r->file, path, ERR_MESH));
  hsize_t bytes = 0;
  H5Fget_filesize(r->file, &bytes);
  r->file_bytes = (int64_t)bytes;
  r->bytes = open(path, O_RDONLY | O_CLOEXEC);
  return OK;
}

void h5_end(H5Reader *r) {
  h5_close(&r->file);
  if (r->bytes >= 0) close(r->bytes);
  r->bytes = -1;
}

Status h5_get_int(const H5Reader *r, hid_t at, const char *name, int64_t least, int32_t *out) {
  hid_t attribute = H5Aexists(at, name) > 0 ? H5Aopen(at, name, H5P_DEFAULT) : -1;
  hid_t space = attribute >= 0 ? H5Aget_space(attribute) : -1, type = attribute >= 0 ? H5Aget_type(attribute) : -1;
  int64_t value = 0;
  const bool done = space >= 0 && type >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
                    H5Tget_class(type) == H5T_INTEGER && H5Aread(attribute, H5T_NATIVE_INT64, &value) >= 0;
  h5_close(&type);
  h5_close(&space);
  h5_close(&attribute);
  char text[200];
  snprintf(text, sizeof text, "attribute '%s' is missing or not a whole number", name);
  if (!done) return h5_bad(r, text);
  snprintf(text, sizeof text, "attribute '%s' is %lld, must be %lld to %d", name, (long long)value, (long long)least,
           INT32_MAX - 1);
  if (value < least || value >= INT32_MAX) return h5_bad(r, text);
  *out = (int32_t)value;
  return OK;
}

Status h5_get_text(const H5Reader *r, hid_t at, const char *name, char **out) {
  enum { LONGEST = 4096 };
  hid_t attribute = H5Aexists(at, name) > 0 ? H5Aopen(at, name, H5P_DEFAULT) : -1;
  hid_t space = attribute >= 0 ? H5Aget_space(attribute) : -1, type = attribute >= 0 ? H5Aget_type(attribute) : -1;
  char text[LONGEST + 1] = "";
  bool done = type >= 0 && space >= 0 && H5Sget_simple_extent_npoints(space) == 1 && H5Tget_class(type) == H5T_STRING;
  if (done && H5Tis_variable_str(type) > 0) {
    char *value = NULL;
    done = H5Aread(attribute, type, &value) >= 0 && value && strlen(value) <= LONGEST;
    if (done) memcpy(text, value, strlen(value) + 1);
    if (value) H5free_memory(value);
  } else if (done) {
    done = H5Tget_size(type) <= LONGEST && H5Aread(attribute, type, text) >= 0;
  }
  h5_close(&type);
  h5_close(&space);
  h5_close(&attribute);
  char message[200];
  snprintf(message, sizeof message, "attribute '%s' is missing or not a text of at most %d bytes", name, LONGEST);
  if (!done) return h5_bad(r, message);
  TRY(mem_text(text, name, out));
  return OK;
}

Status h5_open_data(const H5Reader *r, hid_t at, const char *name, H5T_class_t kind, hid_t *set, int64_t *rows,
                    int64_t *columns) {
  hsize_t size[2] = {0, 0};
  *set = H5Lexists(at, name, H5P_DEFAULT) > 0 ? H5Dopen2(at, name, H5P_DEFAULT) : -1;
  hid_t space = *set >= 0 ? H5Dget_space(*set) : -1, type = *set >= 0 ? H5Dget_type(*set) : -1;
  const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
  const bool shaped = (rank == 1 || rank == 2) && H5Sget_simple_extent_dims(space, size, NULL) >= 0;
  const bool typed = type >= 0 && H5Tget_class(type) == kind;
  h5_close(&type);
  h5_close(&space);
  Status status = OK;
  if (*set < 0) status = h5_bad(r, "is missing");
  else if (!typed)
    status = h5_bad(r, kind == H5T_FLOAT ? "must hold floating-point numbers" : "must hold whole numbers");
  else if (!shaped || size[0] >= INT32_MAX || size[1] > 1024) status = h5_bad(r, "has extents that are not supported");
  /* Compression makes at most about 1000 of 1: more was never written, and must not be allocated. */
  else if ((double)size[0] * (double)(rank == 2 ? size[1] : 1) > 1024.0 * (double)r->file_bytes)
    status = h5_bad(r, "has more entries than the file can hold; it is damaged");
  if (status != OK) h5_close(set);
  *rows = (int64_t)size[0];
  *columns = rank == 2 ? (int64_t)size[1] : 0;
  return status;
}

/* Where the data of a set lie in the file in one piece and as they shall be in memory, else -1. */
static int64_t plain_offset(hid_t set, hid_t type, int64_t bytes) {
  hid_t stored = H5Dget_type(set), create = H5Dget_create_plist(set);
  const bool plain = stored >= 0 && create >= 0 && H5Tequal(stored, type) > 0 &&
                     H5Pget_layout(create) == H5D_CONTIGUOUS && H5Pget_external_count(create) == 0 &&
                     (int64_t)H5Dget_storage_size(set) == bytes;
  const haddr_t at = plain ? H5Dget_offset(set) : HADDR_UNDEF;
  h5_close(&stored);
  h5_close(&create);
  return at == HADDR_UNDEF ? -1 : (int64_t)at;
}

/* Straight into place by all threads, which HDF5 does not do. False: HDF5 must read it, or say why not. */
static bool read_plain(const H5Reader *r, hid_t set, hid_t type, int64_t bytes, char *out) {
  enum { PIECE = 1 << 18 };
  const int64_t at = r->bytes >= 0 && bytes > PIECE ? plain_offset(set, type, bytes) : -1;
  const int64_t n_piece = (bytes + PIECE - 1) / PIECE;
  if (at < 0 || bytes > r->file_bytes - at) return false;
  bool good = true;
#pragma omp parallel for schedule(dynamic, 4) reduction(&& : good)
  for (int64_t k = 0; k < n_piece; ++k) {
    const int64_t left = bytes - k * PIECE, want = left < PIECE ? left : PIECE;
    good = good && h5_pread(r->bytes, out + k * PIECE, want, at + k * PIECE) == want;
  }
  return good;
}

Status h5_get_data(H5Reader *r, hid_t at, const char *name, hid_t type, size_t size, int64_t *rows, int64_t columns,
                   void **out) {
  const size_t before = strlen(r->place);
  snprintf(r->place + before, sizeof r->place - before, "/%s", name);
  int64_t n, m;
  hid_t set;
  TRY(h5_open_data(r, at, name, H5Tget_class(type), &set, &n, &m));
  Status status = OK;
  char text[160];
  snprintf(text, sizeof text, "has extents [%lld][%lld], must be [%lld][%lld]", (long long)n, (long long)m,
           (long long)(*rows < 0 ? n : *rows), (long long)columns);
  if ((*rows >= 0 && n != *rows) || m != columns) status = h5_bad(r, text);
  if (status == OK) status = mem_alloc(n * (m ? m : 1), size, name, out);
  const bool done = status != OK || n == 0 || read_plain(r, set, type, n * (m ? m : 1) * (int64_t)size, *out);
  if (!done && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *out) < 0) {
    h5_reason(text, sizeof text);
    status = h5_bad(r, text);
  }
  h5_close(&set);
  if (status != OK) return status;
  *rows = n;
  r->place[before] = 0;
  return OK;
}
