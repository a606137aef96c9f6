/* HDF5 1.10 with the settings that keep a result whole: docs/reliability.md says what is kept. */
#include "output/h5.h"
#include "output/packed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Must come before the first HDF5 call of the program, wherever that is made: hence before main. It only sets a flag.
 */
__attribute__((constructor)) static void no_exit_handler(void) { H5dont_atexit(); }

enum { WRITE_PIECE = 32 << 20 /* bytes put on their way to the disk while the next are written */ };
/* Rows of a field longer than this go to the file as they are; shorter ones would first read what is there. */
enum { SIEVE = 4096, HALF_LEAST = 32 /* HDF5's own */, HALF_MOST = 8192 };

void h5_silence(void) { H5Eset_auto2(H5E_DEFAULT, NULL, NULL); }

static hid_t access_list(void) {
  h5_silence();
  const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  if (list >= 0) H5Pset_file_locking(list, 0, 1); /* a running result may be watched */
  if (list >= 0) H5Pset_sieve_buf_size(list, SIEVE);
  if (list >= 0) H5Pset_fapl_sec2(list); /* plain files, whatever HDF5_DRIVER says: places in them are counted on */
  return list;
}

/* Every HDF5 call forgets the errors of the one before. So that the reason survives the closing of ids: keep the errors
 * of a failure, close, and put them back. */
static hid_t keep_errors(bool good) { return good ? -1 : H5Eget_current_stack(); }

static void restore_errors(hid_t errors) {
  if (errors >= 0) H5Eset_current_stack(errors);
}

hid_t h5_file_create(const char *path, int64_t most_chunks) {
  const int64_t half = (most_chunks + 1) / 2; /* HDF5 counts half the entries of a node of its tables */
  const hid_t access = access_list(), create = H5Pcreate(H5P_FILE_CREATE);
  if (half > HALF_LEAST) H5Pset_istore_k(create, (unsigned)(half < HALF_MOST ? half : HALF_MOST));
  const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, create, access);
  const hid_t errors = keep_errors(file >= 0);
  H5Pclose(create);
  H5Pclose(access);
  restore_errors(errors);
  return file;
}

hid_t h5_file_open(const char *path, bool write) {
  struct stat info;
  if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
    return -1; /* HDF5 would wait for ever for the other end of a FIFO */
  const hid_t access = access_list();
  const hid_t file = H5Fopen(path, write ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access);
  const hid_t errors = keep_errors(file >= 0);
  H5Pclose(access);
  restore_errors(errors);
  return file;
}

hid_t h5_group_create(hid_t where, const char *name) {
  return H5Gcreate2(where, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

/* Early allocation, never filled, no time stamps (the same run gives the same bytes). chunk 0: contiguous. */
static hid_t creation_list(hsize_t chunk) {
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  if (list < 0) return list;
  if (chunk > 0) H5Pset_chunk(list, 1, &chunk);
  else H5Pset_layout(list, H5D_CONTIGUOUS);
  H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(list, H5D_FILL_TIME_NEVER);
  H5Pset_obj_track_times(list, 0);
  return list;
}

static hid_t dataset_create(hid_t where, const char *name, hid_t type, int rank, const hsize_t *dims, hsize_t chunk) {
  const hid_t space = rank > 0 ? H5Screate_simple(rank, dims, chunk > 0 ? &chunk : NULL) : H5Screate(H5S_SCALAR);
  const hid_t list = creation_list(chunk);
  const hid_t data = H5Dcreate2(where, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  const hid_t errors = keep_errors(data >= 0);
  if (list >= 0) H5Pclose(list);
  if (space >= 0) H5Sclose(space);
  restore_errors(errors);
  return data;
}

/* Closes a dataset after work on it; false when either failed. */
static bool dataset_close(hid_t data, bool good) {
  const hid_t errors = keep_errors(good);
  const bool closed = H5Dclose(data) >= 0;
  restore_errors(errors);
  return good && closed;
}

bool h5_reserve(hid_t where, const char *name, hid_t type, int rank, const hsize_t *dims) {
  const hid_t data = dataset_create(where, name, type, rank, dims, 0);
  return data >= 0 && H5Dclose(data) >= 0;
}

bool h5_reserve_packed(hid_t where, const char *name, hid_t type, int rank, const hsize_t *dims, hsize_t chunk_rows) {
  const hsize_t chunk[2] = {chunk_rows, rank > 1 ? dims[1] : 0};
  const hid_t space = H5Screate_simple(rank, dims, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, rank, chunk);
  H5Pset_shuffle(list);
  H5Pset_deflate(list, PACKED_LEVEL);
  H5Pset_obj_track_times(list, 0);
  const hid_t data = H5Dcreate2(where, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  const hid_t errors = keep_errors(data >= 0);
  H5Pclose(list);
  H5Sclose(space);
  restore_errors(errors);
  return data >= 0 && H5Dclose(data) >= 0;
}

bool h5_write_packed(hid_t where, const char *name, int64_t first, const void *bytes, int64_t n, int64_t *place) {
  const hsize_t start[2] = {(hsize_t)first, 0};
  const hid_t data = H5Dopen2(where, name, H5P_DEFAULT);
  hsize_t size = 0;
  haddr_t at = HADDR_UNDEF;
  unsigned mask = 0;
  if (data < 0) return false;
  const bool good = H5Dwrite_chunk(data, H5P_DEFAULT, 0, start, (size_t)n, bytes) >= 0 &&
                    H5Dget_chunk_info_by_coord(data, start, &mask, &at, &size) >= 0;
  *place = (int64_t)at;
  return dataset_close(data, good);
}

bool h5_store(hid_t where, const char *name, hid_t type, hid_t memory_type, int rank, const hsize_t *dims,
              const void *values) {
  const hid_t data = dataset_create(where, name, type, rank, dims, 0);
  if (data < 0) return false;
  const bool good = H5Dwrite(data, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
  return dataset_close(data, good);
}

bool h5_series_create(hid_t where, const char *name, hid_t type, int64_t capacity) {
  const hsize_t one = 1;
  const hid_t data = dataset_create(where, name, type, 1, &one, (hsize_t)capacity);
  return data >= 0 && H5Dclose(data) >= 0;
}

bool h5_rows_resize(hid_t where, const char *name, int64_t rows) {
  int rank;
  hsize_t dims[4];
  const hid_t data = h5_shape(where, name, &rank, dims) ? H5Dopen2(where, name, H5P_DEFAULT) : -1;
  if (data < 0) return false;
  dims[0] = (hsize_t)rows;
  const bool good = H5Dset_extent(data, dims) >= 0;
  return dataset_close(data, good);
}

int64_t h5_place(hid_t where, const char *name) {
  const hid_t data = H5Dopen2(where, name, H5P_DEFAULT);
  if (data < 0) return -1;
  const hid_t type = H5Dget_type(data), list = H5Dget_create_plist(data);
  const hsize_t first[H5S_MAX_RANK] = {0};
  hsize_t bytes = 0;
  haddr_t at = HADDR_UNDEF;
  unsigned mask = 0;
  if (H5Tequal(type, H5T_NATIVE_DOUBLE) > 0 || H5Tequal(type, H5T_NATIVE_FLOAT) > 0) {
    if (H5Pget_layout(list) == H5D_CONTIGUOUS) at = H5Dget_offset(data);
    else if (H5Pget_nfilters(list) != 0 || H5Dget_chunk_info_by_coord(data, first, &mask, &at, &bytes) < 0)
      at = HADDR_UNDEF;
  }
  H5Pclose(list);
  H5Tclose(type);
  H5Dclose(data);
  return at == HADDR_UNDEF ? -1 : (int64_t)at;
}

int32_t h5_number_bytes(hid_t where, const char *name) {
  const hid_t data = H5Dopen2(where, name, H5P_DEFAULT), type = data < 0 ? -1 : H5Dget_type(data);
  const int32_t bytes = type < 0 ? 0 : (int32_t)H5Tget_size(type);
  if (type >= 0) H5Tclose(type);
  if (data >= 0) H5Dclose(data);
  return bytes;
}

int h5_descriptor(hid_t file) {
  void *handle = NULL;
  const hid_t list = H5Fget_access_plist(file);
  const bool plain = list >= 0 && H5Pget_driver(list) == H5FD_SEC2 && H5Fget_vfd_handle(file, list, &handle) >= 0;
  if (list >= 0) H5Pclose(list);
  return plain && handle ? *(const int *)handle : -1;
}

void h5_start_writeback(int descriptor, int64_t place, int64_t n) {
#ifdef SYNC_FILE_RANGE_WRITE
  const int before = errno;
  if (descriptor >= 0) (void)sync_file_range(descriptor, place, n, SYNC_FILE_RANGE_WRITE);
  errno = before;
#else
  (void)descriptor, (void)place, (void)n;
#endif
}

bool h5_write_place(int descriptor, int64_t place, int64_t left, const void *bytes) {
  const char *data = bytes;
  while (left > 0) {
    const bool piece = left > WRITE_PIECE;
    const ssize_t done = pwrite(descriptor, data, piece ? (size_t)WRITE_PIECE : (size_t)left, place);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    if (piece) h5_start_writeback(descriptor, place, done);
    data += done, place += done, left -= done;
  }
  return true;
}

bool h5_shape(hid_t where, const char *name, int *rank, hsize_t dims[4]) {
  *rank = 0;
  for (int i = 0; i < 4; ++i) dims[i] = 0;
  const hid_t data = H5Lexists(where, name, H5P_DEFAULT) > 0 ? H5Dopen2(where, name, H5P_DEFAULT) : -1;
  if (data < 0) return false;
  const hid_t space = H5Dget_space(data);
  *rank = H5Sget_simple_extent_ndims(space);
  const bool good = *rank >= 0 && *rank <= 4 && H5Sget_simple_extent_dims(space, dims, NULL) >= 0;
  if (space >= 0) H5Sclose(space);
  H5Dclose(data);
  return good;
}

/* Moves rows between memory and file. */
static bool h5_rows(hid_t where, const char *name, hid_t memory_type, int64_t first, int64_t n, const void *in,
                    void *out) {
  int rank;
  hsize_t count[4] = {0}, start[4] = {(hsize_t)first, 0, 0, 0};
  if (!h5_shape(where, name, &rank, count) || rank < 1 || first < 0 || n < 0 || (hsize_t)(first + n) > count[0])
    return false;
  if (n == 0) return true;
  count[0] = (hsize_t)n;
  const hid_t data = H5Dopen2(where, name, H5P_DEFAULT);
  if (data < 0) return false;
  const hid_t memory = H5Screate_simple(rank, count, NULL), space = H5Dget_space(data);
  bool good = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0;
  if (good && in) good = H5Dwrite(data, memory_type, memory, space, H5P_DEFAULT, in) >= 0;
  if (good && out) good = H5Dread(data, memory_type, memory, space, H5P_DEFAULT, out) >= 0;
  const hid_t errors = keep_errors(good);
  if (memory >= 0) H5Sclose(memory);
  if (space >= 0) H5Sclose(space);
  restore_errors(errors);
  return dataset_close(data, good);
}

bool h5_write_rows(hid_t where, const char *name, hid_t memory_type, int64_t first, int64_t n, const void *values) {
  return h5_rows(where, name, memory_type, first, n, values, NULL);
}

bool h5_read_rows(hid_t where, const char *name, hid_t memory_type, int64_t first, int64_t n, void *values) {
  return h5_rows(where, name, memory_type, first, n, NULL, values);
}

bool h5_read_list(hid_t where, const char *name, hid_t memory_type, int64_t n, void *values) {
  int rank;
  hsize_t dims[4];
  return h5_shape(where, name, &rank, dims) && rank == 1 && h5_read_rows(where, name, memory_type, 0, n, values);
}

static hid_t text_type(const char *text, bool utf8) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  const size_t n = strlen(text);
  H5Tset_size(type, n > 0 ? n : 1);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, utf8 ? H5T_CSET_UTF8 : H5T_CSET_ASCII);
  return type;
}

static bool h5_attribute(hid_t object, const char *name, hid_t type, hid_t memory_type, hid_t space,
                         const void *values) {
  const hid_t id = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  if (id < 0) return false;
  const bool good = H5Awrite(id, memory_type, values) >= 0;
  const hid_t errors = keep_errors(good);
  const bool closed = H5Aclose(id) >= 0;
  restore_errors(errors);
  return good && closed;
}

bool h5_text_attribute(hid_t object, const char *name, const char *text, bool utf8) {
  const hid_t type = text_type(text, utf8), space = H5Screate(H5S_SCALAR);
  const bool good = h5_attribute(object, name, type, type, space, text);
  const hid_t errors = keep_errors(good);
  H5Tclose(type);
  H5Sclose(space);
  restore_errors(errors);
  return good;
}

bool h5_text_dataset(hid_t where, const char *name, const char *text) {
  const hid_t type = text_type(text, true);
  const bool good = h5_store(where, name, type, type, 0, NULL, text);
  const hid_t errors = keep_errors(good);
  H5Tclose(type);
  restore_errors(errors);
  return good;
}

bool h5_read_text(hid_t where, const char *name, char *text, size_t size) {
  text[0] = 0;
  const hid_t data = H5Lexists(where, name, H5P_DEFAULT) > 0 ? H5Dopen2(where, name, H5P_DEFAULT) : -1;
  if (data < 0) return false;
  const hid_t type = H5Dget_type(data), memory = text_type("", true), space = H5Dget_space(data);
  /* Fixed-length text into a shorter buffer is cut by HDF5's own conversion. */
  H5Tset_size(memory, size);
  H5Tset_strpad(memory, H5T_STR_NULLTERM);
  H5Tset_cset(memory, H5Tget_cset(type));
  const bool good = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
                    H5Sget_simple_extent_npoints(space) == 1 &&
                    H5Dread(data, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
  text[good ? size - 1 : 0] = 0;
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  H5Tclose(memory);
  H5Dclose(data);
  return good;
}

bool h5_read_text_attribute(hid_t where, const char *name, const char *attribute, char *text, size_t size) {
  text[0] = 0;
  const bool there = H5Aexists_by_name(where, name, attribute, H5P_DEFAULT) > 0;
  const hid_t id = there ? H5Aopen_by_name(where, name, attribute, H5P_DEFAULT, H5P_DEFAULT) : -1;
  if (id < 0) return false;
  const hid_t type = H5Aget_type(id), space = H5Aget_space(id), memory = text_type("", true);
  H5Tset_size(memory, size);
  H5Tset_strpad(memory, H5T_STR_NULLTERM);
  H5Tset_cset(memory, H5Tget_cset(type));
  const bool good = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
                    H5Sget_simple_extent_npoints(space) == 1 && H5Aread(id, memory, text) >= 0;
  text[good ? size - 1 : 0] = 0;
  H5Tclose(memory);
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  H5Aclose(id);
  return good;
}

bool h5_integers_attribute(hid_t object, const char *name, int n, const int64_t *values) {
  const hsize_t dims = (hsize_t)n;
  const hid_t space = n == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &dims, NULL);
  const bool good = h5_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, space, values);
  const hid_t errors = keep_errors(good);
  H5Sclose(space);
  restore_errors(errors);
  return good;
}

bool h5_integer_write(hid_t object, const char *name, int64_t value) {
  const hid_t id = H5Aopen(object, name, H5P_DEFAULT);
  if (id < 0) return false;
  const bool good = H5Awrite(id, H5T_NATIVE_INT64, &value) >= 0;
  return H5Aclose(id) >= 0 && good;
}

bool h5_integer_read(hid_t object, const char *name, int64_t *value) {
  const hid_t id = H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : -1;
  if (id < 0) return false;
  const hid_t space = H5Aget_space(id);
  const bool good = H5Sget_simple_extent_npoints(space) == 1 && H5Aread(id, H5T_NATIVE_INT64, value) >= 0;
  H5Sclose(space);
  H5Aclose(id);
  return good;
}

/* Keeps the system's words ("error message = 'No space left on device'") or else the innermost description. */
static herr_t h5_read_error(unsigned n, const H5E_error2_t *error, void *context) {
  char *reason = context;
  if (!error->desc) return 0;
  const char *system = strstr(error->desc, "error message = '");
  if (system) {
    snprintf(reason, 160, "%s", system + strlen("error message = '"));
    char *end = strchr(reason, '\'');
    if (end) *end = 0;
    return 1;
  }
  if (n == 0) snprintf(reason, 160, "%s", error->desc);
  return 0;
}

Status h5_error(const char *path, const char *format, ...) {
  char reason[160] = "the HDF5 library gives no reason", action[256];
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, h5_read_error, reason);
  H5Eclear2(H5E_DEFAULT);
  va_list args;
  va_start(args, format);
  vsnprintf(action, sizeof action, format, args);
  va_end(args);
  return FAIL(ERR_IO, "cannot %s '%s': %s", action, path, reason);
}
