/* HDF5 without its noise, and the checksum behind a mesh file. */
#include "mesh/io/h5.h"
#include "core/fnv.h"
#include "core/memory.h"
#include "core/parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static _Thread_local int h5_owner;

void h5_lend(bool lent) { h5_owner += lent ? 1 : -1; }

Status h5_mine(void) {
  CHECK(h5_owner == 0, ERR_BUG, "HDF5 was called while the thread that writes the output uses it");
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

int64_t h5_pread(int file, void *to, int64_t bytes, int64_t at) {
  int64_t have = 0;
  while (have < bytes) {
    const ssize_t n = pread(file, (char *)to + have, (size_t)(bytes - have), (off_t)(at + have));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    have += n;
  }
  return have;
}

static uint64_t read_le64(const unsigned char *p) {
  uint64_t value = 0;
  for (int i = 7; i >= 0; --i) value = value << 8 | p[i];
  return value;
}

static void write_le64(unsigned char *p, uint64_t value) {
  for (int i = 0; i < 8; ++i) p[i] = (unsigned char)(value >> 8 * i);
}

static const char SEAL_CHAIN[] = "SINEWSUM", SEAL_BLOCKS[] = "SINEWSM2";

void h5_seal(unsigned char *bytes, int64_t size) {
  unsigned char *trailer = bytes + size;
  memcpy(trailer, size > FNV_BLOCK ? SEAL_BLOCKS : SEAL_CHAIN, 8);
  write_le64(trailer + 8, (uint64_t)size);
  write_le64(trailer + 16, fnv_blocks(FNV_BASIS, bytes, (size_t)size));
}

/* Hashes of blocks [begin, end) of a file, all full but the last of the file; `buffer` [FNV_BLOCK]. With `chain` one is
 * taken on to the next, and the last is the hash of all. How many bytes were read. */
static uint64_t sum_blocks(int file, uint64_t size, int64_t begin, int64_t end, bool chain, unsigned char *buffer,
                           uint64_t *sum) {
  uint64_t at = (uint64_t)begin * FNV_BLOCK, hash = FNV_BASIS;
  for (int64_t k = begin; k < end; ++k) {
    const uint64_t want = size - at < FNV_BLOCK ? size - at : FNV_BLOCK;
    const int64_t have = h5_pread(file, buffer, (int64_t)want, (int64_t)at);
    at += (uint64_t)have;
    if ((uint64_t)have < want) break;
    hash = fnv_words(chain ? hash : FNV_BASIS, buffer, want);
    sum[k] = hash;
  }
  return at;
}

/* The sum of the first `size` bytes of an open file: of a chain by one thread. */
static Status sum_file(int file, const char *label, uint64_t size, bool chain, uint64_t *out) {
  const int64_t n_block = (int64_t)((size + FNV_BLOCK - 1) / FNV_BLOCK);
  const int parts = chain ? 1 : parts_of((n_block - 1) * PART_WORTH);
  unsigned char *buffer = NULL;
  uint64_t *sum = NULL, broken = size;
  Status status = OK;
  ALLOC_DONE(buffer, (int64_t)parts * FNV_BLOCK, "checksum buffer");
  ALLOC_DONE(sum, n_block + 1, "checksums of blocks");
#pragma omp parallel for schedule(static, 1) num_threads(parts) reduction(min : broken)
  for (int p = 0; p < parts; ++p) {
    const int64_t begin = part_begin(n_block, p, parts), end = part_begin(n_block, p + 1, parts);
    const uint64_t last = (uint64_t)end * FNV_BLOCK,
                   at = sum_blocks(file, size, begin, end, chain, buffer + (int64_t)p * FNV_BLOCK, sum);
    if (at < (last < size ? last : size) && at < broken) broken = at;
  }
  if (broken < size) status = FAIL(ERR_IO, "%s: reading failed at byte %llu", label, (unsigned long long)broken);
  for (int64_t k = 0; k < n_block && !chain; ++k) {
    unsigned char word[8];
    write_le64(word, sum[k]);
    sum[n_block] = fnv_words(k ? sum[n_block] : FNV_BASIS, word, sizeof word);
  }
  *out = n_block == 0 ? FNV_BASIS : sum[chain ? n_block - 1 : n_block];
done:
  FREE(buffer);
  FREE(sum);
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
                     (!memcmp(trailer, SEAL_CHAIN, 8) || !memcmp(trailer, SEAL_BLOCKS, 8));
  if (found) {
    *sealed = true;
    status = sum_file(file, label, (uint64_t)s.st_size - H5_TRAILER, !memcmp(trailer, SEAL_CHAIN, 8), &sum);
    if (status == OK && (read_le64(trailer + 8) != (uint64_t)s.st_size - H5_TRAILER || read_le64(trailer + 16) != sum))
      status =
          FAIL(ERR_MESH, "%s: the mesh file is damaged (its checksum is wrong); write it again by: sinew mesh", label);
  }
  close(file);
  return status;
}
