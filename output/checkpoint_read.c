/* Reading checkpoints: nothing of a file is believed before its checksum holds. */
#include "output/checkpoint.h"

#include "core/memory.h"
#include "mesh/io/h5.h"
#include "output/checkpoint_file.h"
#include "output/h5.h"
#include "output/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void checkpoint_release(Checkpoint *checkpoint) {
  FREE(checkpoint->state);
  FREE(checkpoint->receipt);
  *checkpoint = (Checkpoint){0};
}

static bool read_hashes(hid_t group, int64_t hash[2]) {
  const hid_t id = H5Aexists(group, "hashes") > 0 ? H5Aopen(group, "hashes", H5P_DEFAULT) : -1;
  if (id < 0) return false;
  const hid_t space = H5Aget_space(id);
  const bool good = H5Sget_simple_extent_npoints(space) == 2 && H5Aread(id, H5T_NATIVE_INT64, hash) >= 0;
  H5Sclose(space);
  H5Aclose(id);
  return good;
}

static bool read_head(hid_t group, Checkpoint *out) {
  int64_t version = 0, hash[2], kind = 0;
  int rank;
  hsize_t dims[4];
  if (!h5_integer_read(group, "format", &version) || version != CHECKPOINT_VERSION || !read_hashes(group, hash) ||
      !h5_read_rows(group, "time", H5T_NATIVE_DOUBLE, 0, 1, &out->time) ||
      !h5_read_rows(group, "counts", H5T_NATIVE_INT64, 0, CHECKPOINT_COUNTS, out->count) ||
      !h5_shape(group, "state", &rank, dims) || rank != 1)
    return false;
  out->case_hash = (uint64_t)hash[0], out->mesh_hash = (uint64_t)hash[1];
  out->n_byte = (int64_t)dims[0];
  if (h5_integer_read(group, "kind", &kind))
    out->kind = (uint64_t)kind; /* not in those of earlier builds, as the next */
  if (H5Lexists(group, "start", H5P_DEFAULT) > 0 && !h5_read_rows(group, "start", H5T_NATIVE_DOUBLE, 0, 1, &out->start))
    return false;
  if (!h5_shape(group, "receipt", &rank, dims) || rank != 1) return false;
  out->n_receipt = (int64_t)dims[0];
  h5_read_text(group, "commit", out->made_by, sizeof out->made_by);
  return true;
}

/* ERR_IO: damaged, with what is wrong as message. `state`: read that too. */
static Status read_file(const char *path, bool state, Checkpoint *out) {
  bool sealed = false;
  const Status sum = h5_check_seal(path, path, &sealed);
  if (sum == ERR_MEMORY) return sum;
  CHECK(sum == OK && sealed, ERR_IO, "'%s' is damaged: its checksum is %s", path, sum == OK ? "missing" : "wrong");
  const hid_t file = h5_file_open(path, false);
  if (file < 0) return h5_error(path, "open");
  Status status = h5_check_inside(file, path, ERR_IO);
  const hid_t group =
      status == OK && H5Lexists(file, "Checkpoint", H5P_DEFAULT) > 0 ? H5Gopen2(file, "Checkpoint", H5P_DEFAULT) : -1;
  if (status == OK && !(group >= 0 && read_head(group, out)))
    status = FAIL(ERR_IO, "'%s' is not a checkpoint that this version reads", path);
  if (status == OK && state) status = mem_alloc(out->n_byte, 1, "the state of a checkpoint", &out->state);
  if (status == OK && state && !h5_read_rows(group, "state", H5T_NATIVE_UINT8, 0, out->n_byte, out->state))
    status = h5_error(path, "read the state of");
  if (status == OK && state) status = mem_alloc(out->n_receipt, 1, "the receipt of a result", &out->receipt);
  if (status == OK && state && !h5_read_rows(group, "receipt", H5T_NATIVE_UINT8, 0, out->n_receipt, out->receipt))
    status = h5_error(path, "read the receipt of");
  if (group >= 0) H5Gclose(group);
  H5Fclose(file);
  if (status != OK) checkpoint_release(out);
  return status;
}

static Status check_origin(const char *path, uint64_t case_hash, uint64_t mesh_hash, const Checkpoint *c) {
  CHECK(c->mesh_hash == mesh_hash, ERR_RESTART,
        "'%s' is of another mesh (hash %016" PRIx64 ", now %016" PRIx64
        ")\n  use --overwrite to begin again, or another --output",
        path, c->mesh_hash, mesh_hash);
  CHECK(c->case_hash == case_hash, ERR_RESTART,
        "'%s' is of another case: a key or a --set argument has changed since\n  restore it to continue, or use "
        "--overwrite to start again, or another --output",
        path);
  return OK;
}

/* Tries one after the other; the reasons of those that are damaged become warnings. */
static Status load_newest(char *const path[CHECKPOINT_NAMES], uint64_t case_hash, uint64_t mesh_hash, Checkpoint *out,
                          bool *found) {
  int damaged = 0;
  char reason[512] = "";
  for (int i = 0; i < CHECKPOINT_GENERATIONS; ++i) {
    if (access(path[i], F_OK) != 0) continue;
    const Status status = read_file(path[i], true, out);
    if (status == OK) {
      *found = true;
      if (damaged) status_warn("%s; going on from '%s'", reason, path[i]);
      return check_origin(path[i], case_hash, mesh_hash, out);
    }
    if (status != ERR_IO) return status;
    snprintf(reason + strlen(reason), sizeof reason - strlen(reason), "%s%s", damaged++ ? "\n" : "", status_message());
  }
  CHECK(damaged == 0, ERR_RESTART,
        "%s\n  no checkpoint can be used; use --overwrite to start again, or another --output", reason);
  return OK;
}

Status checkpoint_load(const char *folder, uint64_t case_hash, uint64_t mesh_hash, Checkpoint *out, bool *found) {
  char *path[CHECKPOINT_NAMES];
  *out = (Checkpoint){0};
  *found = false;
  TRY(h5_mine());
  TRY(checkpoint_paths(folder, path));
  const Status status = load_newest(path, case_hash, mesh_hash, out, found);
  if (status != OK) checkpoint_release(out);
  checkpoint_paths_release(path);
  return status;
}

/* Which file: -1 none. Damaged ones are passed over with a warning. */
static int find_time(char *const path[CHECKPOINT_NAMES], double time) {
  double best = INFINITY;
  int found = -1;
  for (int i = 0; i < CHECKPOINT_GENERATIONS; ++i) {
    Checkpoint head = {0};
    if (access(path[i], F_OK) != 0) continue;
    if (read_file(path[i], false, &head) != OK) {
      status_warn("%s", status_message());
      continue;
    }
    const double far = isnan(time) ? i : fabs(head.time - time);
    if (far < best) best = far, found = i;
  }
  return found;
}

Status checkpoint_take(const char *folder, uint64_t mesh_hash, double time, Checkpoint *out) {
  char *path[CHECKPOINT_NAMES];
  *out = (Checkpoint){0};
  TRY(h5_mine());
  TRY(checkpoint_paths(folder, path));
  const int k = find_time(path, time);
  Status status =
      k < 0 ? FAIL(ERR_RESTART,
                   "'%s' holds no checkpoint to begin from\n  run that case with 'checkpoint: 100' under 'output:' (ms "
                   "between checkpoints)",
                   folder)
            : read_file(path[k], true, out);
  if (status == OK && out->mesh_hash != mesh_hash)
    status = FAIL(ERR_RESTART, "'%s' is of another mesh: a state can only be taken over on the same one", path[k]);
  if (status != OK) checkpoint_release(out);
  checkpoint_paths_release(path);
  return status;
}

bool checkpoint_is(const char *path) {
  const hid_t file = h5_file_open(path, false);
  if (file < 0) return false;
  const bool is = H5Lexists(file, "Checkpoint", H5P_DEFAULT) > 0;
  H5Fclose(file);
  return is;
}

static void describe_text(hid_t file, const char *name, Text *out) {
  char where[64], value[256];
  snprintf(where, sizeof where, "/Checkpoint/%s", name);
  if (h5_read_text(file, where, value, sizeof value)) text_add(out, "  %-10s %s\n", name, value);
}

Status checkpoint_describe(const char *path, char *text, int size) {
  Checkpoint c = {0};
  Text out = {0};
  if (size > 0) text[0] = 0;
  TRY(h5_mine());
  TRY(read_file(path, false, &c));
  text_add(&out,
           "%s: a checkpoint of Sinew, whole\n  time       %.17g\n  steps      %" PRId64 "\n  state      %" PRId64
           " bytes\n  case_hash  %016" PRIx64 "\n  mesh_hash  %016" PRIx64 "\n",
           path, c.time, c.count[0], c.n_byte, c.case_hash, c.mesh_hash);
  const hid_t file = h5_file_open(path, false);
  if (file >= 0) {
    describe_text(file, "version", &out);
    describe_text(file, "commit", &out);
    describe_text(file, "device", &out);
    H5Fclose(file);
  }
  const Status status = out.status;
  if (status == OK && size > 0) snprintf(text, (size_t)size, "%s", out.data);
  text_release(&out);
  return status == OK ? OK : FAIL(status, "not enough memory for the description of a checkpoint");
}
