/* HDF5 without its noise, and the checksum behind a mesh file. */
#include "mesh/io/h5.h"
#include "core/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static _Thread_local int h5_owner;

void h5_lend(bool lent) { h5_owner += lent ? 1 : -1; }

Status h5_mine(void) {
  CHECK(h5_owner == 0, ERR_BUG, "HDF5 was entered while the thread that writes the output has it");
  return OK;
}

void h5_quiet_begin(H5Quiet *quiet) {
  H5dont_atexit(); /* fails when it was called before, which is as good */
  H5Eget_auto2(H5E_DEFAULT, &quiet->print, &quiet->data);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void h5_quiet_end(const H5Quiet *quiet) { H5Eset_auto2(H5E_DEFAULT, quiet->print, quiet->data); }

typedef struct Reason {
  char *text;
  int size;
} Reason;

static herr_t keep_first(unsigned n, const H5E_error2_t *error, void *data) {
  const Reason *reason = data;
  if (n == 0) snprintf(reason->text, (size_t)reason->size, "%s", error->desc ? error->desc : "");
  return 0;
}

void h5_reason(char *text, int size) {
  snprintf(text, (size_t)size, "no reason given");
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &(Reason){text, size});
}

void h5_close(hid_t *id) {
  if (*id >= 0) switch (H5Iget_type(*id)) {
    case H5I_FILE: H5Fclose(*id); break;
    case H5I_GROUP: H5Gclose(*id); break;
    case H5I_DATASET: H5Dclose(*id); break;
    case H5I_DATASPACE: H5Sclose(*id); break;
    case H5I_DATATYPE: H5Tclose(*id); break;
    case H5I_ATTR: H5Aclose(*id); break;
    case H5I_GENPROP_LST: H5Pclose(*id); break;
    default: break;
    }
  *id = -1;
}

static uint64_t read_le64(const unsigned char *p) {
  uint64_t value = 0;
  for (int i = 7; i >= 0; --i) value = value << 8 | p[i];
  return value;
}

static void write_le64(unsigned char *p, uint64_t value) {
  for (int i = 0; i < 8; ++i) p[i] = (unsigned char)(value >> 8 * i);
}

static const uint64_t sum_start = 14695981039346656037u;

/* FNV-1a over 8-byte words; the last is filled up with zeros. */
static uint64_t sum_bytes(uint64_t hash, const unsigned char *bytes, uint64_t n) {
  for (uint64_t i = 0; i < n; i += 8) {
    unsigned char last[8] = {0};
    const unsigned char *word = bytes + i;
    if (n - i < 8) word = memcpy(last, word, n - i);
    hash = (hash ^ read_le64(word)) * 1099511628211u;
    hash ^= hash >> 32;
  }
  return hash;
}

void h5_seal(unsigned char *bytes, int64_t size) {
  unsigned char *trailer = bytes + size;
  memcpy(trailer, "SINEWSUM", 8);
  write_le64(trailer + 8, (uint64_t)size);
  write_le64(trailer + 16, sum_bytes(sum_start, bytes, (uint64_t)size));
}

/* The sum of the first `size` bytes of an open file. */
static Status sum_file(int file, const char *label, uint64_t size, uint64_t *out) {
  enum { BUFFER = 1 << 20 };
  unsigned char *buffer;
  ALLOC(buffer, BUFFER, "checksum buffer");
  Status status = OK;
  *out = sum_start;
  for (uint64_t at = 0; at < size && status == OK;) {
    const uint64_t want = size - at < BUFFER ? size - at : BUFFER;
    uint64_t have = 0;
    while (have < want) {
      const ssize_t n = pread(file, buffer + have, want - have, (off_t)(at + have));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) break;
      have += (uint64_t)n;
    }
    if (have < want) status = FAIL(ERR_IO, "%s: reading failed at byte %llu", label, (unsigned long long)(at + have));
    *out = sum_bytes(*out, buffer, have);
    at += have;
  }
  FREE(buffer);
  return status;
}

Status h5_check_seal(const char *path, const char *label, bool *sealed) {
  *sealed = false;
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  CHECK(file >= 0, ERR_MESH, "%s: cannot open this mesh file: %s", label, strerror(errno));
  struct stat s;
  unsigned char trailer[H5_TRAILER];
  uint64_t sum = 0;
  Status status = OK;
  const bool found = fstat(file, &s) == 0 && s.st_size > H5_TRAILER &&
                     pread(file, trailer, sizeof trailer, s.st_size - H5_TRAILER) == (ssize_t)sizeof trailer &&
                     !memcmp(trailer, "SINEWSUM", 8);
  if (found) {
    *sealed = true;
    status = sum_file(file, label, (uint64_t)s.st_size - H5_TRAILER, &sum);
    if (status == OK && (read_le64(trailer + 8) != (uint64_t)s.st_size - H5_TRAILER || read_le64(trailer + 16) != sum))
      status =
          FAIL(ERR_MESH, "%s: the mesh file is damaged (its checksum is wrong); write it again by: sinew mesh", label);
  }
  close(file);
  return status;
}
