/* Writing checkpoints; reading them is in checkpoint_read.c. */
#include "output/checkpoint.h"

#include "core/memory.h"
#include "core/own_file.h"
#include "mesh/io/h5.h"
#include "output/checkpoint_file.h"
#include "output/folder.h"
#include "output/h5.h"
#include "output/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool checkpoint_put(hid_t file, const Checkpoint *c) {
  const hid_t group = h5_group_create(file, "Checkpoint");
  if (group < 0) return false;
  const hsize_t one = 1, counts = CHECKPOINT_COUNTS, bytes = (hsize_t)c->n_byte, receipt = (hsize_t)c->n_receipt;
  const int64_t version = CHECKPOINT_VERSION;
  const int64_t hash[2] = {(int64_t)c->case_hash, (int64_t)c->mesh_hash};
  const int64_t kind = (int64_t)c->kind;
  const char *const entry[][2] = {
      {"version", c->version}, {"commit", c->commit}, {"device", c->device}, {"case", c->case_text}};
  bool good = h5_integers_attribute(group, "format", 1, &version) && h5_integers_attribute(group, "hashes", 2, hash) &&
              h5_integers_attribute(group, "kind", 1, &kind) &&
              h5_store(group, "time", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, &one, &c->time) &&
              h5_store(group, "start", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, &one, &c->start) &&
              h5_store(group, "counts", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, &counts, c->count) &&
              h5_store(group, "state", H5T_STD_U8LE, H5T_NATIVE_UINT8, 1, &bytes, c->state) &&
              h5_store(group, "receipt", H5T_STD_U8LE, H5T_NATIVE_UINT8, 1, &receipt, c->receipt ? c->receipt : "");
  for (size_t i = 0; good && i < sizeof entry / sizeof *entry; ++i)
    if (entry[i][1]) good = h5_text_dataset(group, entry[i][0], entry[i][1]);
  return H5Gclose(group) >= 0 && good;
}

/* The whole file in memory, so that a full disk never meets HDF5. */
static Status make_image(const Checkpoint *c, const char *path, unsigned char **image, int64_t *size) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(access, (size_t)(c->n_byte + c->n_receipt) + (1 << 16), 0);
  const hid_t file = H5Fcreate("checkpoint in memory", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  H5Pclose(access);
  if (file < 0) return h5_error(path, "prepare");
  Status status = checkpoint_put(file, c) && H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0 ? OK : h5_error(path, "prepare");
  *size = status == OK ? (int64_t)H5Fget_file_image(file, NULL, 0) : 0;
  if (status == OK && *size <= 0) status = h5_error(path, "prepare");
  if (status == OK) status = mem_alloc(*size + H5_TRAILER, 1, "the image of a checkpoint", (void **)image);
  if (status == OK && H5Fget_file_image(file, *image, (size_t)*size) != *size) status = h5_error(path, "prepare");
  H5Fclose(file);
  if (status == OK) h5_seal(*image, *size);
  *size += H5_TRAILER;
  return status;
}

static Status write_whole(const char *path, const unsigned char *bytes, int64_t size) {
  const int file = own_file_make(path);
  CHECK(file >= 0, ERR_IO, "cannot make '%s': %s", path, strerror(errno));
  int64_t done = 0;
  while (done < size) {
    const ssize_t n = write(file, bytes + done, (size_t)(size - done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += n;
  }
  bool good = done == size && fsync(file) == 0;
  const int reason = errno;
  good = close(file) == 0 && good;
  CHECK(good, ERR_IO, "cannot write '%s' (%lld of %lld bytes): %s", path, (long long)done, (long long)size,
        strerror(reason));
  return OK;
}

/* The last checkpoint gets its second name beside its first, then the new one takes the first: at every moment there is
 * a whole file under the first name. */
static Status checkpoint_exchange(char *const path[CHECKPOINT_NAMES]) {
  const char *first = path[0], *second = path[1], *fresh = path[2], *linked = path[3];
  if (access(first, F_OK) == 0) {
    unlink(linked);
    const bool kept = link(first, linked) == 0 && rename(linked, second) == 0;
    /* A file system without hard links keeps one generation for the moment between two renames. */
    CHECK(kept || rename(first, second) == 0, ERR_IO, "cannot keep '%s' as '%s': %s", first, second, strerror(errno));
    unlink(linked); /* where both were names of one file already, the first rename did nothing */
  }
  CHECK(rename(fresh, first) == 0, ERR_IO, "cannot rename '%s' to '%s': %s", fresh, first, strerror(errno));
  return folder_sync_of(first);
}

Status checkpoint_paths(const char *folder, char *path[CHECKPOINT_NAMES]) {
  static const char *const name[CHECKPOINT_NAMES] = {"checkpoint-1.hdf", "checkpoint-2.hdf", "checkpoint.new",
                                                     "checkpoint.old"};
  Status status = OK;
  for (int i = 0; i < CHECKPOINT_NAMES; ++i) path[i] = NULL;
  for (int i = 0; i < CHECKPOINT_NAMES && status == OK; ++i) status = output_path(folder, name[i], &path[i]);
  if (status != OK) checkpoint_paths_release(path);
  return status;
}

void checkpoint_paths_release(char *path[CHECKPOINT_NAMES]) {
  for (int i = 0; i < CHECKPOINT_NAMES; ++i) FREE(path[i]);
}

Status checkpoint_save(const char *folder, const Checkpoint *c) {
  char *path[CHECKPOINT_NAMES];
  unsigned char *image = NULL;
  int64_t size = 0;
  TRY(h5_mine());
  TRY(checkpoint_paths(folder, path));
  H5Quiet quiet;
  h5_quiet_begin(&quiet);
  Status status = make_image(c, path[0], &image, &size);
  h5_quiet_end(&quiet);
  if (status == OK) status = write_whole(path[2], image, size);
  if (status == OK) status = checkpoint_exchange(path);
  if (status != OK) unlink(path[2]);
  FREE(image);
  checkpoint_paths_release(path);
  return status;
}

Status checkpoint_exists(const char *folder, bool *out) {
  char *path[CHECKPOINT_NAMES];
  *out = false;
  TRY(checkpoint_paths(folder, path));
  for (int i = 0; i < CHECKPOINT_GENERATIONS; ++i) *out |= access(path[i], F_OK) == 0;
  checkpoint_paths_release(path);
  return OK;
}

Status checkpoint_remove(const char *folder) {
  char *path[CHECKPOINT_NAMES];
  TRY(checkpoint_paths(folder, path));
  Status status = OK;
  for (int i = 0; i < CHECKPOINT_NAMES && status == OK; ++i)
    if (unlink(path[i]) != 0 && errno != ENOENT)
      status = FAIL(ERR_IO, "cannot remove the old checkpoint '%s': %s", path[i], strerror(errno));
  checkpoint_paths_release(path);
  return status;
}
