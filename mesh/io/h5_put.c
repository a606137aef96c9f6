/* A mesh file in HDF5: made in memory, written to a temporary file in the same folder, then renamed. */
#include "mesh/io/h5_put.h"

#include "core/memory.h"
#include "core/own_file.h"
#include "mesh/io/h5.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool is_in_memory(hid_t at) {
  hid_t file = H5Iget_file_id(at), access = H5Fget_access_plist(file);
  const bool memory = H5Pget_driver(access) == H5FD_CORE;
  h5_close(&access);
  h5_close(&file);
  return memory;
}

/* To a file that is made in memory nothing but memory is wanting. */
static Status cannot_put(hid_t at, const char *what) {
  char reason[300];
  h5_reason(reason, sizeof reason);
  CHECK(!is_in_memory(at), ERR_MEMORY, "not enough memory for %s: %s", what, reason);
  return FAIL(ERR_IO, "cannot write '%s': %s", what, reason);
}

static Status put_attribute(hid_t at, const char *name, hid_t file_type, hid_t memory_type, const void *value) {
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t attribute = H5Acreate2(at, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT);
  const bool done = attribute >= 0 && H5Awrite(attribute, memory_type, value) >= 0;
  const Status status = done ? OK : cannot_put(at, name);
  h5_close(&attribute);
  h5_close(&space);
  return status;
}

Status h5_put_double(hid_t at, const char *name, double value) {
  return put_attribute(at, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

Status h5_put_int(hid_t at, const char *name, int32_t value) {
  return put_attribute(at, name, H5T_STD_I32LE, H5T_NATIVE_INT32, &value);
}

Status h5_put_text(hid_t at, const char *name, const char *text, bool utf8) {
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, strlen(text) + 1);
  H5Tset_cset(type, utf8 ? H5T_CSET_UTF8 : H5T_CSET_ASCII);
  const Status status = put_attribute(at, name, type, type, text);
  h5_close(&type);
  return status;
}

Status h5_put_data(hid_t at, const char *name, hid_t file_type, hid_t memory_type, int64_t rows, int64_t columns,
                   const void *data, hid_t *out) {
  const hsize_t size[2] = {(hsize_t)rows, (hsize_t)columns};
  hid_t space = H5Screate_simple(columns ? 2 : 1, size, NULL), plain = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(plain, 0); /* same mesh, same bytes */
  hid_t set = H5Dcreate2(at, name, file_type, space, H5P_DEFAULT, plain, H5P_DEFAULT);
  const bool done = set >= 0 && (rows == 0 || H5Dwrite(set, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
  const Status status = done ? OK : cannot_put(at, name);
  h5_close(&space);
  h5_close(&plain);
  if (out && status == OK) *out = set;
  else h5_close(&set);
  return status;
}

Status h5_put_group(hid_t at, const char *name, H5Links links, hid_t *out) {
  hid_t plain = H5Pcreate(H5P_GROUP_CREATE);
  if (links != H5_BY_NAME) H5Pset_link_creation_order(plain, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  if (links == H5_IN_ORDER) H5Pset_link_phase_change(plain, 0, 0);
  H5Pset_obj_track_times(plain, 0);
  *out = H5Gcreate2(at, name, H5P_DEFAULT, plain, H5P_DEFAULT);
  h5_close(&plain);
  return *out >= 0 ? OK : cannot_put(at, name);
}

/* The whole file in memory: a full disk cannot catch HDF5 half-way, which it does not survive cleanly. */
static Status make_image(const H5Making *making, unsigned char **image, int64_t *size) {
  const int64_t trailer = making->sealed ? H5_TRAILER : 0;
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(access, making->growth, 0);
  hid_t file = H5Fcreate("in memory", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  h5_close(&access);
  CHECK(file >= 0, ERR_MEMORY, "not enough memory for the file");
  Status status = making->put(file, making->context);
  if (status == OK && H5Fflush(file, H5F_SCOPE_GLOBAL) < 0) status = cannot_put(file, "the file");
  *size = status == OK ? (int64_t)H5Fget_file_image(file, NULL, 0) : 0;
  if (status == OK && *size <= 0) status = cannot_put(file, "the file");
  if (status == OK) status = mem_alloc(*size + trailer, 1, "image of the mesh file", (void **)image);
  if (status == OK && H5Fget_file_image(file, *image, (size_t)*size) != *size) status = cannot_put(file, "the file");
  h5_close(&file);
  if (status == OK && making->sealed) h5_seal(*image, *size);
  *size += trailer;
  return status;
}

static Status write_bytes(const char *path, const unsigned char *bytes, int64_t size) {
  const int file = own_file_make(path);
  CHECK(file >= 0, ERR_IO, "the file cannot be made: %s", strerror(errno));
  int64_t done = 0;
  while (done < size) {
    const ssize_t n = write(file, bytes + done, (size_t)(size - done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += n;
  }
  const bool written = done == size && fsync(file) == 0;
  const int error = errno;
  close(file);
  CHECK(written, ERR_IO, "writing failed after %lld of %lld bytes: %s", (long long)done, (long long)size,
        strerror(error));
  return OK;
}

static Status write_file(const H5Making *making, const char *path) {
  unsigned char *image = NULL;
  int64_t size = 0;
  Status status = make_image(making, &image, &size);
  if (status == OK) status = write_bytes(path, image, size);
  FREE(image);
  return status;
}

Status h5_make_file(const char *path, const H5Making *making) {
  char *temporary;
  const int64_t length = (int64_t)strlen(path) + 32;
  TRY(h5_mine());
  ALLOC(temporary, length, "name of a temporary file");
  snprintf(temporary, (size_t)length, "%s.%ld.part", path, (long)getpid());
  H5Quiet quiet;
  h5_quiet_begin(&quiet);
  Status status = write_file(making, temporary);
  h5_quiet_end(&quiet);
  if (status == OK && rename(temporary, path)) status = FAIL(ERR_IO, "renaming it failed: %s", strerror(errno));
  if (status != OK) {
    unlink(temporary);
    status = status_context(status, "while writing the mesh file '%s'", path);
  }
  FREE(temporary);
  return status;
}
